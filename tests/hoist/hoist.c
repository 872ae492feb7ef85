/* hoist.c: random loops for which raise and hoist fire, or must not.
 *
 *   hoist [--count=N] [--seed=S] [--print]
 *
 * Where they fire, compiled results, with the passes and without, must agree
 * with the evaluator on the scale of the largest value that the carry has had;
 * and most must fire.  Where something stands in the way the program must come
 * through as it was.  Odd seeds are of the second kind.  Exit 1 if any fails.
 */
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "passes/pass.h"
#include "tests/harness/harness.h"
#include "write.h"

typedef struct Tally {
  int passed, failed, could, fired;
} Tally;

static bool fill(const Program *program, uint64_t seed, Buffers *inputs) {
  uint64_t state = seed + 7;
  const Block *body = program->body;
  if (!buffers_create(inputs, program, body->params, body->n_params, 1))
    return false;
  for (int i = 0; i < body->n_params; i++) {
    DType dtype = body->params[i]->type.dtype;
    int64_t n = edge_elements(program, body->params[i]->type);
    for (int64_t k = 0; k < n; k++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      double x = (double)(state >> 40) / 0x1p24 * 2 - 1;
      Scalar element = {.f = x};
      if (ir_is_int(dtype)) element.i = (int64_t)(x * 50);
      ir_scalar_store(
          dtype, (char *)inputs->data[i] + (size_t)k * ir_dtype_bytes(dtype),
          element);
    }
  }
  return true;
}

/* The largest value that the carry had: the last result of the traced program.
 * Negative: it could not be had. */
static double scale_of(uint64_t seed, bool stays) {
  Drawn traced = write_program(seed, stays, true);
  char *message = NULL;
  Program *program = parse_text(traced.text, &message);
  Buffers inputs = {0}, results = {0};
  double most = -1;
  if (program && fill(program, seed, &inputs) &&
      evaluate(program, &inputs, &results, &message)) {
    const Value *last = program->body->yields[program->body->n_yields - 1];
    int64_t n = edge_elements(program, last->type);
    DType dtype = last->type.dtype;
    most = 1;
    for (int64_t k = 0; ir_is_float(dtype) && k < n; k++) {
      char *data = results.data[results.n - 1];
      Scalar x =
          ir_scalar_load(dtype, data + (size_t)k * ir_dtype_bytes(dtype));
      most = fmax(most, fabs(x.f));
    }
  }
  free(message);
  free(traced.text);
  buffers_free(&inputs);
  buffers_free(&results);
  ir_program_destroy(program);
  return most;
}

static double epsilon_of(const char *dtype) {
  return strcmp(dtype, "f32") == 0   ? 0x1p-23
         : strcmp(dtype, "f16") == 0 ? 0x1p-10
                                     : 0x1p-52;
}

static bool moves(const Program *program, const Options *options,
                  bool *unchanged) {
  uint64_t moved = 0;
  Program *raised = pass_raise(program, options);
  Program *hoisted = raised ? pass_hoist_moving(raised, options, &moved) : NULL;
  *unchanged = hoisted && ir_equal(program, hoisted);
  ir_program_destroy(raised);
  ir_program_destroy(hoisted);
  return moved != 0;
}

static void compare(const Program *program, uint64_t seed, double scale,
                    const Drawn *drawn, Report *report) {
  Rule rules[4] = {{0}};
  Buffers inputs = {0};
  double atol = 2000 * epsilon_of(drawn->dtype) * scale;
  for (int i = 0; i < 4; i++) rules[i] = (Rule){.atol = atol};
  if (!fill(program, seed, &inputs)) return;
  for (int left_out = 0; left_out < 2; left_out++) {
    Options options = {.threads = 1};
    if (left_out) options.without = UINT64_C(1) << pass_find("hoist");
    check_program(&(Check){.program = program,
                           .inputs = &inputs,
                           .options = options,
                           .rules = rules},
                  report);
  }
  buffers_free(&inputs);
}

static void show(uint64_t seed, const Drawn *drawn, const Report *report,
                 const char *what) {
  printf("FAIL seed %" PRIu64 ": %s\n%s\n", seed, what, drawn->text);
  for (int i = 0; i < report->n && i < REPORT_ROOM; i++)
    printf("%s: %s\n", report->list[i].kind, report->list[i].message);
}

static void run_seed(uint64_t seed, bool print, Tally *tally) {
  bool stays = seed % 2, unchanged = false;
  Drawn drawn = write_program(seed, stays, false);
  const char *wrong = NULL;
  char *message = NULL;
  Report report = {0};
  Options options = {.threads = 1};
  if (print) printf("# seed %" PRIu64 "\n%s\n", seed, drawn.text);
  Program *program = drawn.text ? parse_text(drawn.text, &message) : NULL;
  if (program == NULL) {
    wrong = message ? message : "out of memory";
  } else {
    bool fired = moves(program, &options, &unchanged);
    double scale = scale_of(seed, stays);
    tally->could += !stays && drawn.devices > 1;
    tally->fired += !stays && drawn.devices > 1 && fired;
    if (stays && !unchanged) wrong = "it must not fire";
    if (scale >= 0 && isfinite(scale))
      compare(program, seed, scale, &drawn, &report);
    if (report.n) wrong = "results";
  }
  if (wrong) show(seed, &drawn, &report, wrong);
  *(wrong ? &tally->failed : &tally->passed) += 1;
  report_free(&report);
  free(message);
  free(drawn.text);
  ir_program_destroy(program);
}

int main(int argc, char **argv) {
  static const struct option options[] = {
      {"count", required_argument, NULL, 'c'},
      {"seed", required_argument, NULL, 's'},
      {"print", no_argument, NULL, 'p'},
      {0},
  };
  uint64_t seed = 1, count = 100;
  bool print = false;
  Tally tally = {0};
  for (int key; (key = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    if (key == 'c') count = strtoull(optarg, NULL, 10);
    if (key == 's') seed = strtoull(optarg, NULL, 10);
    if (key == 'p') print = true;
    if (key == '?') return 2;
  }
  for (uint64_t i = 0; i < count; i++) run_seed(seed + i, print, &tally);
  printf("%d passed, %d failed; %d of %d fired\n", tally.passed, tally.failed,
         tally.fired, tally.could);
  bool few = 10 * tally.fired < 8 * tally.could;
  if (few) printf("FAIL: too few fire\n");
  return tally.failed || few ? 1 : 0;
}
