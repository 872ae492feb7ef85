/* check.c: every promise that the compiler makes about one program.
 *
 * The evaluator runs the program as written.  Under each numerics the program
 * goes through the passes; every dump on the way must read back the same,
 * evaluate to the same values, stay as it is under the pass that made it, and
 * lead to the same code.  The planned program is compiled and run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

enum { MAX_PASSES = 32 };

/* One numerics' way through the pipeline. */
typedef struct Run {
  const Check *check;
  Report *report;
  const char *label; /* "strict" or "fast" */
  Options options;
  const Buffers *reference; /* the evaluator's results */
  char *dumps[MAX_PASSES];  /* what each pass made; NULL: did not run */
  Program *planned;
  char *planned_text;
  Buffers compiled; /* what compiled code answered */
  bool ran;
} Run;

static void fail(Run *run, const char *what, const char *pass,
                 const char *message) {
  char kind[KIND_ROOM];
  snprintf(kind, sizeof kind, "%s: %s%s%s", run->label, what, pass ? " " : "",
           pass ? pass : "");
  report_add(run->report, kind, "%s", message ? message : "out of memory");
}

static char *program_error(const Program *program, const char *text) {
  return ir_error_text(&program->error, text, text ? strlen(text) : 0);
}

Program *parse_text(const char *text, char **message) {
  Program *program = ir_parse_calling(text, strlen(text), "program.ls", NULL, 0,
                                      harness_callees, HARNESS_CALLEES);
  if (program && !program->error.failed) return program;
  *message = program ? program_error(program, text) : NULL;
  ir_program_destroy(program);
  return NULL;
}

bool evaluate(const Program *program, const Buffers *inputs, Buffers *results,
              char **message) {
  Block *body = program->body;
  *message = NULL;
  if (!buffers_create(results, program, body->yields, body->n_yields, 0))
    return false;
  *message =
      rt_evaluate(program, (const void *const *)inputs->data, results->data);
  if (!*message && !buffers_intact(results))
    *message = strdup("the evaluator wrote outside a result");
  if (*message) buffers_free(results);
  return !*message;
}

/* -- comparing results ------------------------------------------------- */

static const Rule bit_for_bit = {.exact = true};

static bool same_sizes(const Buffers *a, const Buffers *b) {
  if (a->n != b->n) return false;
  for (int i = 0; i < a->n; i++)
    if (a->bytes[i] != b->bytes[i]) return false;
  return true;
}

/* Compare against `want`; rules NULL: bit for bit. */
static void compare_results(Run *run, const char *what, const char *pass,
                            const Buffers *got, void *const *want,
                            const Rule *rules) {
  const Program *program = run->check->program;
  if (!same_sizes(got, run->reference)) {
    fail(run, what, pass, "the results have other types");
    return;
  }
  for (int i = 0; i < got->n; i++) {
    char *wrong = array_compare(program, program->body->yields[i],
                                program->result_names[i], got->data[i], want[i],
                                rules ? rules[i] : bit_for_bit);
    if (!wrong) continue;
    fail(run, what, pass, wrong);
    free(wrong);
    return;
  }
}

/* Against what is right under the run's numerics. */
static void compare_right(Run *run, const char *what, const char *pass,
                          const Buffers *got) {
  const Check *check = run->check;
  bool strict = run->options.numerics == NUMERICS_STRICT;
  void *const *want =
      strict || !check->expected ? run->reference->data : check->expected;
  compare_results(run, what, pass, got, want, strict ? NULL : check->rules);
}

/* -- compiled code ----------------------------------------------------- */

static void *arena_create(size_t bytes) {
  unsigned char *arena = aligned_alloc(64, (bytes + 64 + 63) / 64 * 64);
  if (arena) memset(arena, 0xC3, bytes + 64);
  return arena;
}

static bool arena_intact(const unsigned char *arena, size_t bytes) {
  for (size_t i = bytes; i < bytes + 64; i++)
    if (arena[i] != 0xC3) return false;
  return true;
}

static uint64_t digest(const Buffers *buffers) {
  uint64_t hash = 14695981039346656037u;
  for (int i = 0; i < buffers->n; i++)
    for (size_t k = 0; k < buffers->bytes[i]; k++)
      hash = (hash ^ ((unsigned char *)buffers->data[i])[k]) * 1099511628211u;
  return hash;
}

static bool run_once(Run *run, const Executable *executable, const char *pass,
                     Buffers *results) {
  const Buffers *inputs = run->check->inputs;
  size_t bytes = cg_arena_bytes(executable);
  void *arena = arena_create(bytes);
  if (!arena) return false;
  uint64_t before = digest(inputs);
  rt_blas_enter(); /* as every caller of cg_run does */
  cg_run(executable, (const void *const *)inputs->data, results->data, arena);
  rt_blas_leave();
  bool intact = arena_intact(arena, bytes);
  free(arena);
  if (!intact) fail(run, "wrote past the arena", pass, "guard overwritten");
  if (!buffers_intact(results) || !buffers_intact(inputs))
    fail(run, "wrote outside a buffer", pass, "guard overwritten");
  if (before != digest(inputs))
    fail(run, "changed an input", pass, "an input differs after the run");
  return true;
}

/* Compile and run a planned program into results made here. */
static bool compile_and_run(Run *run, const Program *planned, const char *pass,
                            unsigned skew, Buffers *results) {
  char *error = NULL;
  Executable *executable = cg_compile(planned, &run->options, NULL, &error);
  if (!executable) {
    fail(run, "compile", pass, error);
    free(error);
    return false;
  }
  Block *body = planned->body;
  bool fine =
      buffers_create(results, planned, body->yields, body->n_yields, skew) &&
      run_once(run, executable, pass, results);
  cg_destroy(executable);
  return fine;
}

/* -- one dump ---------------------------------------------------------- */

/* Does the text print as itself once read? Returns what was read. */
static Program *read_back(Run *run, const char *pass, const char *text) {
  char *message = NULL;
  Program *program = parse_text(text, &message);
  if (!program) {
    fail(run, "dump does not parse after", pass, message);
    free(message);
    return NULL;
  }
  char *again = ir_print(program, 0);
  if (!again || strcmp(again, text) != 0)
    fail(run, "dump prints differently after", pass, again);
  free(again);
  if (!ir_verify(program)) {
    message = program_error(program, text);
    fail(run, "dump does not verify after", pass, message);
    free(message);
    ir_program_destroy(program);
    return NULL;
  }
  return program;
}

static void check_values(Run *run, const char *what, const char *pass,
                         const Program *program) {
  Buffers results;
  char *message;
  if (!evaluate(program, run->check->inputs, &results, &message)) {
    fail(run, what, pass, message);
    free(message);
    return;
  }
  compare_right(run, what, pass, &results);
  buffers_free(&results);
}

static void check_stripped(Run *run, const char *pass, const Program *program) {
  Program *plain = ir_strip(program);
  if (plain && !plain->error.failed && plain->stage != BATCHED)
    fail(run, "strip makes another stage after", pass, "not batched");
  else if (plain && !plain->error.failed && ir_verify(plain))
    check_values(run, "strip evaluates differently after", pass, plain);
  else {
    char *message = plain ? program_error(plain, NULL) : NULL;
    fail(run, "strip fails after", pass, message);
    free(message);
  }
  ir_program_destroy(plain);
}

/* The pass at which a program of this stage enters. */
static int entry_pass(Stage stage) {
  for (int i = 0; i < pass_count; i++)
    if (pass_table[i].accepts <= stage && stage <= pass_table[i].latest)
      return i;
  return pass_count;
}

static void check_idempotent(Run *run, int index, const Program *program,
                             const char *text) {
  const char *pass = pass_table[index].name;
  if (index < entry_pass(program->stage)) return;
  Program *again = pass_run(program, &run->options, index, NULL, NULL);
  if (!again || again->error.failed) {
    char *message = again ? program_error(again, text) : NULL;
    fail(run, "passes fail on the dump of", pass, message);
    free(message);
  } else {
    char *printed = ir_print(again, 0);
    if (!printed || strcmp(printed, text) != 0)
      fail(run, "is not idempotent:", pass, printed);
    free(printed);
  }
  ir_program_destroy(again);
}

/* The rest of the pipeline must end in the same bits. */
static void check_rest(Run *run, const char *pass, const Program *program) {
  Program *planned =
      pass_run(program, &run->options, pass_count - 1, NULL, NULL);
  if (!planned || planned->error.failed) {
    char *message = planned ? program_error(planned, NULL) : NULL;
    fail(run, "the rest of the pipeline fails after", pass, message);
    free(message);
    ir_program_destroy(planned);
    return;
  }
  char *text = ir_print(planned, 0);
  bool same = text && run->planned_text && !strcmp(text, run->planned_text);
  free(text);
  Buffers results = {0};
  if (run->ran && (!same || run->check->deep)) {
    if (compile_and_run(run, planned, pass, 0, &results))
      compare_results(run, "dump runs to other bits after", pass, &results,
                      run->compiled.data, NULL);
    buffers_free(&results);
  }
  ir_program_destroy(planned);
}

static void check_dump(Run *run, int index) {
  const char *pass = pass_table[index].name, *text = run->dumps[index];
  Program *program = read_back(run, pass, text);
  if (!program) return;
  check_values(run, "evaluates differently after", pass, program);
  if (program->stage == KERNELS) check_stripped(run, pass, program);
  check_idempotent(run, index, program, text);
  check_rest(run, pass, program);
  ir_program_destroy(program);
}

/* -- the whole --------------------------------------------------------- */

static void observe(const PassReport *report, void *context) {
  Run *run = context;
  int index = (int)(report->pass - pass_table);
  free(run->dumps[index]);
  run->dumps[index] = ir_print(report->program, 0);
}

/* One thread must end in the same bits as several. */
static void check_alone(Run *run) {
  int threads = run->options.threads;
  Buffers results = {0};
  if (!run->options.deal_all || threads < 2) return;
  run->options.threads = 1;
  if (compile_and_run(run, run->planned, NULL, 0, &results))
    compare_results(run, "one thread makes other bits", NULL, &results,
                    run->compiled.data, NULL);
  buffers_free(&results);
  run->options.threads = threads;
}

static void run_numerics(Run *run) {
  const Program *program = run->check->program;
  run->planned = pass_run(program, &run->options, pass_count - 1, observe, run);
  if (!run->planned || run->planned->error.failed) {
    char *message = run->planned ? program_error(run->planned, NULL) : NULL;
    fail(run, "passes fail", NULL, message);
    free(message);
  } else {
    run->planned_text = ir_print(run->planned, 0);
    run->ran = compile_and_run(run, run->planned, NULL, 1, &run->compiled);
    if (run->ran)
      compare_right(run, "compiled results differ", NULL, &run->compiled);
    if (run->ran) check_alone(run);
  }
  for (int i = 0; i < pass_count; i++)
    if (run->dumps[i]) check_dump(run, i);
  for (int i = 0; i < pass_count; i++) free(run->dumps[i]);
  free(run->planned_text);
  buffers_free(&run->compiled);
  ir_program_destroy(run->planned);
}

static void check_as_written(Run *run) {
  char *text = ir_print(run->check->program, 0);
  if (text)
    ir_program_destroy(read_back(run, "nothing", text));
  else
    fail(run, "print", NULL, NULL);
  free(text);
}

void check_program(const Check *check, Report *report) {
  Buffers reference;
  char *message;
  Run written = {.check = check,
                 .report = report,
                 .label = "named",
                 .reference = &reference};
  check_as_written(&written);
  if (!evaluate(check->program, check->inputs, &reference, &message)) {
    report_add(report, "evaluator: fails", "%s", message ? message : "memory");
    free(message);
    return;
  }
  if (check->expected) {
    written.label = "evaluator";
    compare_results(&written, "results differ", NULL, &reference,
                    check->expected, check->rules);
  }
  for (int n = 0; n < 2; n++) {
    Run run = {.check = check,
               .report = report,
               .label = n ? "fast" : "strict",
               .options = check->options,
               .reference = &reference};
    run.options.numerics = n ? NUMERICS_FAST : NUMERICS_STRICT;
    run_numerics(&run);
  }
  buffers_free(&reference);
}
