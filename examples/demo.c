/* demo.c: the main job, shown: a program recorded from C as one device sees
 * it, lowered, compiled once for each shape, run for 1000 steps, checked.
 *
 * The program itself and its use are the public interface (average.c is the
 * short version to copy); the cost of a plan and the machine's peak come from
 * inside the library. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../codegen/codegen.h"
#include "../frontend/lockstep.h"
#include "../passes/passes.h"
#include "../runtime/runtime.h"

enum { DEVICES = 8, STEPS = 1000, SHOWN = 64 };

/* -- the program: each device moves by the sum of all devices' J y ----- */

static void average(ls_builder *b, const ls_value *inputs, int n, void *user) {
  (void)n, (void)user;
  ls_value J = ls_named(b, inputs[0], "J"), y0 = ls_named(b, inputs[1], "y0");
  ls_scan *scan = ls_scan_begin(b, STEPS);
  ls_value y = ls_named(b, ls_scan_carry(scan, y0), "y");
  ls_value Jy = ls_named(b, ls_einsum(b, "mn,ni->mi", J, y), "Jy");
  ls_value d = ls_named(b, ls_mul(b, ls_f64(b, 1e-6), Jy), "d");
  ls_value u = ls_named(b, ls_psum(b, d, "devices"), "u");
  ls_scan_next(scan, y, ls_named(b, ls_add(b, y, u), "next"));
  ls_scan_end(scan);
  ls_output(b, "result", ls_scan_result(scan, y));
}

/* -- one shape --------------------------------------------------------- */

typedef struct Shape {
  int64_t m;
  double *J, *y0, *y;
  ls_array inputs[2], result;
  const ls_executable *executable;
} Shape;

static double uniform(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) * 0x1p-53;
}

static bool make_shape(Shape *shape, int64_t m) {
  uint64_t seed = 1;
  size_t matrix = (size_t)(m * m), vector = (size_t)m;
  *shape = (Shape){.m = m,
                   .J = malloc(DEVICES * matrix * sizeof(double)),
                   .y0 = malloc(DEVICES * vector * sizeof(double)),
                   .y = calloc(DEVICES * vector, sizeof(double))};
  if (!shape->J || !shape->y0 || !shape->y) return false;
  for (size_t i = 0; i < DEVICES * matrix; i++) {
    size_t row = i / vector % vector, column = i % vector;
    shape->J[i] = 0.01 * (2 * uniform(&seed) - 1) + (row == column);
  }
  for (size_t i = 0; i < DEVICES * vector; i++) shape->y0[i] = uniform(&seed);
  shape->inputs[0] =
      ls_array_over(ls_array_of(shape->J, LS_F64, DEVICES, m, m), "devices");
  shape->inputs[1] =
      ls_array_over(ls_array_of(shape->y0, LS_F64, DEVICES, m, 1), "devices");
  shape->result = ls_array_of(shape->y, LS_F64, DEVICES, m, 1);
  return true;
}

static void free_shape(Shape *shape) {
  free(shape->J);
  free(shape->y0);
  free(shape->y);
}

static bool failed(const ls_error *error) {
  fprintf(stderr, "demo: %s\n", error->text);
  return false;
}

/* -- showing ----------------------------------------------------------- */

static bool show_stage(const ls_program *program, const char *after,
                       const char *title) {
  ls_error error = {0};
  char *text = ls_program_print(program, after, NULL, false, &error);
  if (!text) return failed(&error);
  printf("%s\n\n", title);
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
    printf("    %s\n", line);
  printf("\n");
  ls_free(text);
  return true;
}

static const char *last_pass(void) {
  int i = 0;
  while (ls_pass_name(i + 1)) i++;
  return ls_pass_name(i);
}

static bool show_stages(const ls_program *program) {
  char title[96];
  snprintf(title, sizeof title, "After %s, the last pass: kernels and places",
           last_pass());
  return show_stage(program, NULL, "As recorded: what one of 8 devices does") &&
         show_stage(program, "lower_axes",
                    "After lower_axes: the devices are a dim, psum is a sum") &&
         show_stage(program, last_pass(), title);
}

/* Flops and bytes of the plan: its dump is read back and priced. */
static bool price(const ls_program *program, ProgramCost *cost) {
  char *text = ls_program_print(program, last_pass(), NULL, false, NULL);
  Program *plan = text ? ir_parse(text, strlen(text), "plan", NULL, 0) : NULL;
  bool fine = plan && !plan->error.failed && pass_cost(plan, cost);
  ls_free(text);
  ir_program_destroy(plan);
  return fine;
}

/* -- a line of progress, on a terminal only ---------------------------- */

typedef struct Progress {
  pthread_t thread;
  atomic_bool done;
  int64_t m;
  bool shown;
} Progress;

static void *tick(void *context) {
  Progress *progress = context;
  double start = rt_now();
  while (!progress->done) {
    usleep(100000);
    fprintf(stderr, "\r  m = %lld: running %d steps, %.1f s ",
            (long long)progress->m, STEPS, rt_now() - start);
  }
  fprintf(stderr, "\r%60s\r", "");
  return NULL;
}

static void start_progress(Progress *progress, int64_t m) {
  progress->m = m;
  progress->done = false;
  progress->shown =
      isatty(STDERR_FILENO) &&
      pthread_create(&progress->thread, NULL, tick, progress) == 0;
}

static void stop_progress(Progress *progress) {
  progress->done = true;
  if (progress->shown) pthread_join(progress->thread, NULL);
}

/* -- measuring --------------------------------------------------------- */

/* The least time of a few calls; of one, if it is long. */
static bool time_calls(ls_function *function, const Shape *shape,
                       double *seconds) {
  Progress progress = {0};
  ls_error error = {0};
  double begin = rt_now();
  *seconds = INFINITY;
  start_progress(&progress, shape->m);
  for (int i = 0; i < 20 && rt_now() - begin < 0.5; i++) {
    double start = rt_now();
    if (ls_function_call(function, shape->inputs, 2, &shape->result, 1,
                         &error) != LS_OK)
      break;
    *seconds = fmin(*seconds, rt_now() - start);
  }
  stop_progress(&progress);
  return error.status == LS_OK || failed(&error);
}

static bool reference_error(const Shape *shape, double *worst) {
  size_t n = (size_t)(DEVICES * shape->m);
  double *want = calloc(n, sizeof(double));
  ls_array result = shape->result;
  ls_error error = {0};
  result.data = want;
  *worst = 0;
  bool fine =
      want && ls_evaluate(ls_executable_program(shape->executable),
                          shape->inputs, 2, &result, 1, &error) == LS_OK;
  for (size_t i = 0; fine && i < n; i++)
    *worst = fmax(*worst, fabs(want[i] - shape->y[i]));
  free(want);
  return fine || failed(&error);
}

static bool report(ls_function *function, Shape *shape) {
  ProgramCost cost = {0};
  double seconds, worst = 0;
  if (!price(ls_executable_program(shape->executable), &cost)) return false;
  ls_counters counters = ls_executable_counters(shape->executable);
  if (!time_calls(function, shape, &seconds)) return false;
  double compile = counters.passes_ms + counters.codegen_ms + counters.load_ms;
  printf("  %5lld  %9.1f ms  %10.2f ms  %8.1f  %8.1f", (long long)shape->m,
         compile, seconds * 1e3, cost.flops / seconds * 1e-9,
         cost.bytes / seconds * 1e-9);
  if (shape->m == SHOWN && reference_error(shape, &worst))
    printf("  %9.1e", worst);
  printf("\n");
  fflush(stdout);
  pass_cost_free(&cost);
  return true;
}

static bool run_shapes(ls_function *function, const Machine *machine) {
  static const int64_t sizes[] = {64, 256, 1024};
  bool fine = true;
  for (int i = 0; fine && i < 3; i++) {
    Shape shape;
    ls_error error = {0};
    fine = make_shape(&shape, sizes[i]);
    if (fine)
      shape.executable =
          ls_function_executable(function, shape.inputs, 2, &error);
    if (fine && !shape.executable) fine = failed(&error);
    if (fine && i == 0) {
      fine = show_stages(ls_executable_program(shape.executable));
      printf(
          "      m       compile     %d steps   GFLOP/s      GB/s"
          "       error\n",
          STEPS);
    }
    fine = fine && report(function, &shape);
    free_shape(&shape);
  }
  printf("   peak  of one thread, measured     %8.1f  %8.1f  from memory\n",
         machine->peak_gflops, machine->peak_gbps);
  return fine;
}

int main(void) {
  Machine machine;
  ls_error error = {0};
  rt_machine_measure(&machine);
  printf("Lockstep %s on %s, %d core%s\n\n", ls_version(), cg_cpu_name(),
         machine.cores, machine.cores == 1 ? "" : "s");
  ls_function *function =
      ls_function_create("average", average, NULL, NULL, &error);
  bool fine = function ? run_shapes(function, &machine) : failed(&error);
  ls_function_counts counts = {0};
  if (function) counts = ls_function_counters(function);
  printf("\n  3 shapes: %lld traces, %lld compiles; %lld calls found one\n",
         (long long)counts.traces, (long long)counts.compiles,
         (long long)counts.hits);
  printf("  error: the largest difference from the reference evaluator\n");
  ls_function_destroy(function);
  return fine ? 0 : 1;
}
