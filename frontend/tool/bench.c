/* bench.c: `lockstep bench`: compile time and run time apart, speed beside
 * what the machine can do. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

static const double budget = 1.0; /* seconds of runs, unless --repeat */
enum { LEAST_RUNS = 3, MOST_RUNS = 100000 };

typedef struct Runs {
  double *seconds; /* sorted */
  int n;
} Runs;

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Warm once, then measure each run by itself. */
static int measure(const Request *request, const Job *job, Runs *runs) {
  int most = request->repeat ? request->repeat : MOST_RUNS;
  runs->seconds = calloc((size_t)most, sizeof(double));
  if (!runs->seconds) return tool_error(FAILED, "no memory");
  tool_job_run(job);
  double begin = rt_now(), now = begin;
  while (runs->n < most) {
    if (!request->repeat && runs->n >= LEAST_RUNS && now - begin > budget)
      break;
    double start = rt_now();
    tool_job_run(job);
    now = rt_now();
    runs->seconds[runs->n++] = now - start;
  }
  qsort(runs->seconds, (size_t)runs->n, sizeof(double), compare_doubles);
  return FINE;
}

static double median(const Runs *runs) {
  int half = runs->n / 2;
  if (runs->n % 2) return runs->seconds[half];
  return 0.5 * (runs->seconds[half - 1] + runs->seconds[half]);
}

/* -- the report -------------------------------------------------------- */

typedef struct Report {
  const Job *job;
  ProgramCost cost;
  Machine machine;
  double parse_ms, passes_ms, codegen_ms, load_ms, total_ms;
  int run_count;
  double predicted_ms;
  double min_ms, median_ms, gflops, gbps;
  int64_t arena_bytes;
  int threads;
} Report;

static void fill_report(Report *report, const Runs *runs) {
  const Job *job = report->job;
  double seconds = median(runs);
  report->parse_ms = job->file.parse_ms;
  report->passes_ms = job->passes_ms;
  report->codegen_ms = job->times.codegen_ms;
  report->load_ms = job->times.load_ms;
  report->total_ms = report->parse_ms + report->passes_ms + report->codegen_ms +
                     report->load_ms;
  report->run_count = runs->n;
  report->min_ms = runs->seconds[0] * 1e3;
  report->median_ms = seconds * 1e3;
  report->gflops = seconds > 0 ? report->cost.flops / seconds * 1e-9 : 0;
  report->gbps = seconds > 0 ? report->cost.bytes / seconds * 1e-9 : 0;
  report->arena_bytes = (int64_t)cg_arena_bytes(job->executable);
  report->threads = cg_threads(job->executable);
}

/* What the model says of this plan on this machine. */
static int predict(const Request *request, Report *r) {
  Clock clock = tool_clock(request, &r->machine);
  if (!pass_predict(r->job->planned, &clock.hardware, r->threads, &r->cost))
    return tool_error(FAILED, "no memory");
  r->predicted_ms = r->cost.cycles / clock.cycles_per_ms;
  return FINE;
}

static int put_json(const Report *r) {
  json_t *all = json_pack(
      "{s:s, s:{s:i, s:f, s:f, s:f, s:f, s:f}, s:{s:i, s:f, s:f},"
      " s:i, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:I, s:i, s:s, s:s,"
      " s:f, s:s}",
      "program", r->job->file.program->name, "compile", "count", 1, "parse_ms",
      r->parse_ms, "passes_ms", r->passes_ms, "codegen_ms", r->codegen_ms,
      "load_ms", r->load_ms, "total_ms", r->total_ms, "run", "count",
      r->run_count, "min_ms", r->min_ms, "median_ms", r->median_ms, "kernels",
      r->cost.n_kernels, "blas_calls", r->cost.n_blas, "flops", r->cost.flops,
      "bytes", r->cost.bytes, "gflops", r->gflops, "gbps", r->gbps,
      "peak_gflops", r->machine.peak_gflops, "peak_gbps", r->machine.peak_gbps,
      "arena_bytes", (json_int_t)r->arena_bytes, "threads", r->threads, "cpu",
      cg_cpu_name(), "version", LOCKSTEP_VERSION, "predicted_ms",
      r->predicted_ms, "bound", pass_bound_names[r->cost.bound]);
  char *text =
      all ? json_dumps(all, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) : NULL;
  json_decref(all);
  if (!text) return tool_error(FAILED, "no memory");
  puts(text);
  free(text);
  return FINE;
}

static double percent(double part, double whole) {
  return whole > 0 ? 100 * part / whole : 0;
}

static void put_table(const Report *r) {
  printf("%s\n", r->job->file.program->name);
  printf(
      "  compile  %8.3f ms  parse %.3f, passes %.3f, codegen %.3f, "
      "load %.3f; 1 compile\n",
      r->total_ms, r->parse_ms, r->passes_ms, r->codegen_ms, r->load_ms);
  printf("  run      %8.3f ms  median of %d; least %.3f\n", r->median_ms,
         r->run_count, r->min_ms);
  printf("  model    %8.3f ms  predicted, bound by %s\n", r->predicted_ms,
         pass_bound_names[r->cost.bound]);
  printf(
      "  work     %8.4g Mflop, %.4g MB; %d kernels, %d by BLAS, arena %.4g "
      "KiB\n",
      r->cost.flops * 1e-6, r->cost.bytes * 1e-6, r->cost.n_kernels,
      r->cost.n_blas, (double)r->arena_bytes / 1024);
  printf("  speed    %8.4g GFLOP/s, %.0f%% of one thread's peak %.4g\n",
         r->gflops, percent(r->gflops, r->machine.peak_gflops),
         r->machine.peak_gflops);
  printf("           %8.4g GB/s; the memory gives %.4g, caches more\n", r->gbps,
         r->machine.peak_gbps);
  printf("  machine  %s, %d thread%s\n", cg_cpu_name(), r->threads,
         r->threads == 1 ? "" : "s");
}

int tool_bench(const Request *request) {
  Job job;
  Runs runs = {0};
  int code = tool_job(request, true, &job);
  if (code == FINE) code = measure(request, &job, &runs);
  if (code == FINE) {
    Report report = {.job = &job};
    rt_machine_measure(&report.machine);
    if (!pass_cost(job.planned, &report.cost))
      code = tool_error(FAILED, "no memory");
    else
      fill_report(&report, &runs);
    if (code == FINE) code = predict(request, &report);
    if (code == FINE && request->json)
      code = put_json(&report);
    else if (code == FINE)
      put_table(&report);
    pass_cost_free(&report.cost);
  }
  free(runs.seconds);
  tool_job_free(&job);
  return code;
}
