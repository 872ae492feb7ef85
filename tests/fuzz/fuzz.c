/* fuzz.c: random programs against every promise of ../harness.
 *
 *   fuzz [--count=N] [--seed=S] [--file=PROGRAM.ls] [--print] [--no-shrink]
 *        [--verbose]
 *
 * Seeds S, S + 1, ...  Each program runs in a child process, so that a crash
 * is a failure like any other.  A failing program is shrunk and printed with
 * its seed; "N passed, M failed" at the end; exit 1 if any failed.  --file
 * runs one program with the inputs of --seed; --print only shows programs. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz.h"

enum { SECONDS = 120, BRIEFLY = 6, MAX_SHOWN = 5, MAX_REFUSED_PERCENT = 5 };

typedef struct Settings {
  long count;
  uint64_t seed;
  const char *file;
  bool print, no_shrink, verbose;
} Settings;

/* -- one program, in this process -------------------------------------- */

static uint64_t optional_passes(uint64_t seed) {
  uint64_t without = 0;
  for (int i = 0; i < pass_count; i++)
    if (pass_table[i].optional && (seed >> 4 >> i & 1))
      without |= UINT64_C(1) << i;
  return without;
}

static Options options_of(uint64_t seed) {
  bool team = seed % 3 == 0; /* three threads against one */
  Options options = {.threads = team ? 3 : 1, .deal_all = team};
  if (seed % 5 == 0) options.without = optional_passes(seed * 2654435761u);
  if (seed % 7 == 0) options.gemm = GEMM_INLINE;
  if (seed % 7 == 1) options.gemm = GEMM_BLAS;
  if (seed % 7 == 2) options.gemm = GEMM_PACKED;
  /* Caches so small that even these arrays are packed in several blocks. */
  if (seed % 2) options.hardware.cache[0] = 256;
  if (seed % 3 == 1) options.hardware.cache[1] = 512;
  if (seed % 3 == 2) options.hardware.cache[2] = 1024;
  /* Blocks of 1, 2, 3 wherever they are legal, dims turned or not. */
  if (seed % 3 == 1) options.block = (int64_t)(seed / 3 % 7) - 3;
  return options;
}

static void check_parsed(const Program *program, uint64_t seed,
                         Report *report) {
  Buffers inputs = {0};
  Rule *rules = calloc((size_t)program->body->n_yields + 1, sizeof *rules);
  if (!rules || !values_inputs(program, seed, &inputs) ||
      !judge(program, &inputs, rules))
    report_add(report, "out of memory", "out of memory");
  else
    check_program(&(Check){.program = program,
                           .inputs = &inputs,
                           .options = options_of(seed),
                           .rules = rules,
                           .deep = seed % 8 == 0},
                  report);
  buffers_free(&inputs);
  free(rules);
}

static void check_text(const char *text, uint64_t seed, Report *report) {
  char *message = NULL;
  Program *program = parse_text(text, &message);
  if (program)
    check_parsed(program, seed, report);
  else
    report_add(report, "refused", "%s", message ? message : "out of memory");
  free(message);
  ir_program_destroy(program);
}

/* -- one program, in a child ------------------------------------------- */

static void child(const char *text, uint64_t seed, unsigned seconds,
                  FILE *answer, int errors) {
  Report report = {0};
  dup2(errors, STDERR_FILENO);
  alarm(seconds);
  check_text(text, seed, &report);
  if (report.n) fprintf(answer, "%s\n", report.list[0].kind);
  for (int i = 0; i < report.n && i < REPORT_ROOM; i++)
    fprintf(answer, "%s: %s\n", report.list[i].kind,
            report.list[i].message ? report.list[i].message : "");
  fclose(answer);
  report_free(&report);
  exit(0); /* the leak check runs here */
}

static char *read_all(FILE *file) {
  size_t room = 1 << 20, n;
  char *text = malloc(room + 1);
  rewind(file);
  n = text ? fread(text, 1, room, file) : 0;
  if (text) text[n] = 0;
  return text;
}

static Outcome outcome_of(int status, FILE *answer, FILE *errors) {
  Outcome outcome = {.message = read_all(answer)};
  if (WIFSIGNALED(status) || WEXITSTATUS(status) != 0) {
    free(outcome.message);
    outcome.message = read_all(errors);
    if (WIFSIGNALED(status))
      snprintf(outcome.kind, KIND_ROOM, "killed by SIG%s",
               sigabbrev_np(WTERMSIG(status)));
    else
      snprintf(outcome.kind, KIND_ROOM, "exit %d", WEXITSTATUS(status));
  } else if (outcome.message && *outcome.message) {
    char *end = strchr(outcome.message, '\n');
    snprintf(outcome.kind, KIND_ROOM, "%.*s", (int)(end - outcome.message),
             outcome.message);
    memmove(outcome.message, end + 1, strlen(end));
  }
  return outcome;
}

/* The generator uses the compiler's front: it too may crash. Its answer is
 * the program, or nothing where it made what is refused. */
static void generate_child(uint64_t seed, FILE *answer, int errors) {
  char *reason = NULL;
  dup2(errors, STDERR_FILENO);
  alarm(SECONDS);
  char *text = generate(seed, &reason);
  if (text) fprintf(answer, "program\n%s", text);
  fclose(answer);
  free(reason);
  free(text);
  exit(0);
}

/* text NULL: generate one; its kind is "program". */
static Outcome try_within(unsigned seconds, const char *text, uint64_t seed) {
  FILE *answer = tmpfile(), *errors = tmpfile();
  Outcome outcome = {.kind = "cannot start a child"};
  int status;
  fflush(NULL);
  pid_t pid = answer && errors ? fork() : -1;
  if (pid == 0 && !text) generate_child(seed, answer, fileno(errors));
  if (pid == 0) child(text, seed, seconds, answer, fileno(errors));
  if (pid > 0 && waitpid(pid, &status, 0) == pid)
    outcome = outcome_of(status, answer, errors);
  if (answer) fclose(answer);
  if (errors) fclose(errors);
  return outcome;
}

static Outcome try_in_child(const char *text, uint64_t seed) {
  return try_within(SECONDS, text, seed);
}

/* While shrinking: what takes this long never ends. */
static Outcome try_briefly(const char *text, uint64_t seed) {
  return try_within(BRIEFLY, text, seed);
}

/* -- driving ----------------------------------------------------------- */

static void show_failure(const Settings *settings, const char *text,
                         uint64_t seed, const Outcome *outcome, bool shrinks) {
  printf("FAIL seed %" PRIu64 ": %s\n", seed, outcome->kind);
  if (shrinks && !settings->no_shrink) {
    char *small = shrink(text, seed, outcome->kind, try_briefly);
    Outcome again = try_in_child(small ? small : text, seed);
    printf("%s\n%s\n", again.message ? again.message : "",
           small ? small : text);
    free(again.message);
    free(small);
  } else {
    printf("%.4000s\n%s\n", outcome->message ? outcome->message : "",
           settings->no_shrink ? text : "");
  }
  fflush(stdout);
}

/* In a child: shrinking, too, runs what may crash. */
static void show_in_child(const Settings *settings, const char *text,
                          uint64_t seed, const Outcome *outcome, bool shrinks) {
  int status;
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    show_failure(settings, text, seed, outcome, shrinks);
    exit(0);
  }
  if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
    printf("FAIL seed %" PRIu64 ": %s; shrinking it fails, too\n", seed,
           outcome->kind);
}

static bool run_text(const Settings *settings, const char *text, uint64_t seed,
                     int failed) {
  Outcome outcome = try_in_child(text, seed);
  bool fine = !outcome.kind[0];
  if (!fine) show_in_child(settings, text, seed, &outcome, failed < MAX_SHOWN);
  free(outcome.message);
  return fine;
}

static int run_file(const Settings *settings) {
  FILE *file = fopen(settings->file, "r");
  if (!file) {
    perror(settings->file);
    return 2;
  }
  char *text = read_all(file);
  fclose(file);
  bool fine = text && run_text(settings, text, settings->seed, 0);
  if (fine) printf("1 passed, 0 failed\n");
  free(text);
  return fine ? 0 : 1;
}

/* Every op must occur, or a new one would never be tried. */
static bool covers_all(void) {
  bool fine = true;
  for (int op = 0; op < OP_COUNT; op++)
    if (ir_ops[op].class != WRAPPER && !generate_covers((Op)op)) {
      printf("FAIL: generate_ops.c makes no %s\n", ir_ops[op].name);
      fine = false;
    }
  return fine;
}

typedef struct Tally {
  long passed, failed, refused;
} Tally;

static void run_seed(const Settings *settings, uint64_t seed, Tally *tally) {
  Outcome made = try_in_child(NULL, seed);
  bool program = !strcmp(made.kind, "program");
  if (settings->verbose) printf("seed %" PRIu64 "\n", seed);
  if (!made.kind[0]) {
    tally->refused++;
  } else if (!program) {
    printf("FAIL seed %" PRIu64 ": generating: %s\n%s\n", seed, made.kind,
           made.message ? made.message : "");
    tally->failed++;
  } else if (settings->print) {
    printf("# seed %" PRIu64 "\n%s\n", seed, made.message);
    tally->passed++;
  } else if (run_text(settings, made.message, seed, (int)tally->failed)) {
    tally->passed++;
  } else {
    tally->failed++;
  }
  free(made.message);
}

static int run_seeds(const Settings *settings) {
  Tally tally = {.failed = !covers_all()};
  for (long i = 0; i < settings->count; i++)
    run_seed(settings, settings->seed + (uint64_t)i, &tally);
  if (tally.refused * 100 > settings->count * MAX_REFUSED_PERCENT) {
    printf("FAIL: %ld of %ld programs were refused\n", tally.refused,
           settings->count);
    tally.failed++;
  }
  printf("%ld passed, %ld failed, %ld not generated\n", tally.passed,
         tally.failed, tally.refused);
  return tally.failed ? 1 : 0;
}

int main(int argc, char **argv) {
  static const struct option options[] = {
      {"count", required_argument, NULL, 'c'},
      {"seed", required_argument, NULL, 's'},
      {"file", required_argument, NULL, 'f'},
      {"print", no_argument, NULL, 'p'},
      {"no-shrink", no_argument, NULL, 'n'},
      {"verbose", no_argument, NULL, 'v'},
      {0},
  };
  Settings settings = {.count = 200, .seed = 1};
  for (int key; (key = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    switch (key) {
      case 'c':
        settings.count = atol(optarg);
        break;
      case 's':
        settings.seed = strtoull(optarg, NULL, 10);
        break;
      case 'f':
        settings.file = optarg;
        break;
      case 'p':
        settings.print = true;
        break;
      case 'n':
        settings.no_shrink = true;
        break;
      case 'v':
        settings.verbose = true;
        break;
      default:
        return 2;
    }
  }
  return settings.file ? run_file(&settings) : run_seeds(&settings);
}
