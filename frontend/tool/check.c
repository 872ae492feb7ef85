/* check.c: `lockstep check`: the compiled program against the reference
 * evaluator.
 *
 * Fast numerics promise agreement to rounding relative to the largest value
 * that was added up, so an error is measured against a scale: the largest
 * magnitude in the result and, where a scan may have carried more than it
 * left, in the float inputs.  Strict numerics promise the same bits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

static double default_rtol(DType dtype) {
  switch (dtype) {
    case DT_F64:
      return 1e-11;
    case DT_F32:
      return 2e-5;
    case DT_F16:
      return 4e-3;
    case DT_BF16:
      return 3e-2;
    default:
      return 0;
  }
}

static Scalar element(const Array *array, int64_t i) {
  DType dtype = array->type.dtype;
  return ir_scalar_load(
      dtype, (char *)array->data + i * (int64_t)ir_dtype_bytes(dtype));
}

/* The largest finite magnitude. */
static double magnitude(const Array *array) {
  double largest = 0;
  if (!ir_is_float(array->type.dtype)) return 0;
  for (int64_t i = 0; i < array->elements; i++) {
    double size = fabs(element(array, i).f);
    if (size > largest && isfinite(size)) largest = size;
  }
  return largest;
}

static double input_scale(const Job *job) {
  const Block *body = job->file.program->body;
  bool scans = false;
  double scale = 0;
  for (int i = 0; i < body->n_nodes && !scans; i++)
    scans = body->nodes[i]->op == OP_scan;
  for (int i = 0; scans && i < body->n_params; i++)
    scale = fmax(scale, magnitude(&job->inputs[i]));
  return scale;
}

/* -- comparing --------------------------------------------------------- */

typedef struct Verdict {
  int64_t wrong;       /* how many elements differ too much */
  int64_t first;       /* the first of them */
  double largest;      /* difference; HUGE_VAL: of another kind */
  double scale, bound; /* what was allowed */
  bool exact;          /* bit for bit */
} Verdict;

static double difference(DType dtype, Scalar a, Scalar b) {
  if (ir_is_float(dtype)) {
    if (isnan(a.f) || isnan(b.f))
      return isnan(a.f) && isnan(b.f) ? 0 : HUGE_VAL;
    if (a.f == b.f) return 0;
    return isinf(a.f) || isinf(b.f) ? HUGE_VAL : fabs(a.f - b.f);
  }
  if (a.u == b.u) return 0;
  if (ir_is_signed(dtype)) return fabs((double)a.i - (double)b.i);
  return fabs((double)a.u - (double)b.u);
}

/* Any NaN equals any NaN, but -0 is not 0. */
static bool same_bits(DType dtype, Scalar a, Scalar b) {
  if (ir_is_float(dtype) && isnan(a.f) && isnan(b.f)) return true;
  return a.u == b.u;
}

static Verdict compare(const Array *got, const Array *want, Verdict rule) {
  DType dtype = got->type.dtype;
  for (int64_t i = 0; i < got->elements; i++) {
    Scalar a = element(got, i), b = element(want, i);
    double off = difference(dtype, a, b);
    bool fine = rule.exact ? same_bits(dtype, a, b) : off <= rule.bound;
    if (off > rule.largest) rule.largest = off;
    if (!fine && rule.wrong++ == 0) rule.first = i;
  }
  return rule;
}

static Verdict make_rule(const Request *request, const Array *want,
                         double scale) {
  DType dtype = want->type.dtype;
  bool given = request->rtol >= 0 || request->atol >= 0;
  Verdict rule = {.exact =
                      !ir_is_float(dtype) ||
                      (request->options.numerics == NUMERICS_STRICT && !given)};
  double rtol = request->rtol >= 0 ? request->rtol : default_rtol(dtype);
  double atol = request->atol >= 0 ? request->atol : 0;
  rule.scale = fmax(scale, magnitude(want));
  rule.bound = atol + rtol * rule.scale;
  return rule;
}

/* -- telling ----------------------------------------------------------- */

static void print_place(const Array *array, int64_t flat) {
  int64_t index[ARRAY_RANK];
  for (int d = array->rank - 1; d >= 0; d--) {
    index[d] = flat % array->dims[d];
    flat /= array->dims[d];
  }
  for (int d = 0; d < array->rank; d++)
    printf("%s%lld%s", d ? "," : "[", (long long)index[d],
           d + 1 == array->rank ? "]" : "");
}

static void print_scalar(DType dtype, Scalar value) {
  if (ir_is_float(dtype))
    printf("%.17g", value.f);
  else if (ir_is_signed(dtype))
    printf("%lld", (long long)value.i);
  else
    printf("%llu", (unsigned long long)value.u);
}

static void tell(const Program *program, const Array *got, const Array *want,
                 Verdict verdict) {
  printf("%-5s %s: %s  max error %.3g", verdict.wrong ? "WRONG" : "ok",
         got->name, ir_type_text(program, got->type).text, verdict.largest);
  if (verdict.exact)
    printf(" (%s)\n",
           ir_is_float(got->type.dtype) ? "the same bits wanted" : "exact");
  else
    printf(" (%.3g allowed at scale %.3g)\n", verdict.bound, verdict.scale);
  if (!verdict.wrong) return;
  printf("      %s", got->name);
  print_place(got, verdict.first);
  printf(" is ");
  print_scalar(got->type.dtype, element(got, verdict.first));
  printf(", the reference says ");
  print_scalar(got->type.dtype, element(want, verdict.first));
  printf("; %lld of %lld differ\n", (long long)verdict.wrong,
         (long long)got->elements);
}

static int judge(const Request *request, const Job *job, const Array *wanted) {
  const Program *program = job->file.program;
  double scale = input_scale(job);
  int code = FINE;
  for (int i = 0; i < program->body->n_yields; i++) {
    const Array *got = &job->results[i], *want = &wanted[i];
    Verdict verdict = compare(got, want, make_rule(request, want, scale));
    tell(program, got, want, verdict);
    if (verdict.wrong) code = DIFFER;
  }
  return code;
}

static int evaluate(const Job *job, Array **wanted) {
  int n = job->file.program->body->n_yields;
  int code = tool_results(job->file.program, wanted);
  void **data = calloc((size_t)n + 1, sizeof *data);
  if (code == FINE && !data) code = tool_error(FAILED, "no memory");
  for (int i = 0; code == FINE && i < n; i++) data[i] = (*wanted)[i].data;
  if (code == FINE) {
    char *wrong = rt_evaluate(job->file.program, job->input_data, data);
    if (wrong) code = tool_error(FAILED, "the reference evaluator: %s", wrong);
    free(wrong);
  }
  free(data);
  return code;
}

int tool_check(const Request *request) {
  Job job;
  Array *wanted = NULL;
  int code = tool_job(request, false, &job);
  if (code == FINE) {
    tool_job_run(&job);
    code = evaluate(&job, &wanted);
    if (code == FINE) code = judge(request, &job, wanted);
    tool_arrays_free(wanted, job.file.program->body->n_yields);
  }
  tool_job_free(&job);
  return code;
}
