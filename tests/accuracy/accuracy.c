/* accuracy.c: prints the worst distance of each function from the exact value,
 * for each float dtype, and fails where one is beyond its bound.
 *
 *   accuracy [--count=N] [--seed=S] [--only=OP] [--verbose]
 *
 * N random samples for each function and dtype, besides the special values;
 * f16 and bf16 of one operand are computed for all their 65536 values.  The
 * table goes to stdout in the form in which README.md shows it; what is wrong
 * follows it, a line each; exit 1 then. */
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy.h"
#include "ir/ir.h"

typedef struct Settings {
  int64_t count;
  uint64_t seed;
  const char *only;
  bool verbose;
} Settings;

static double bound_of(const Subject *subject, const Format *format) {
  return format->bytes == 2 ? subject->half_bound : subject->bound;
}

/* -- the table --------------------------------------------------------- */

static void print_head(void) {
  printf("| op ");
  for (int f = 0; f < N_FORMATS; f++) printf("| %s ", formats[f].name);
  printf("| allowed |\n|");
  for (int f = 0; f < N_FORMATS + 2; f++) printf(" --- |");
  printf("\n");
}

/* Upwards, so that no bound is broken unseen. */
static void print_cell(const Subject *subject, const Cell *cell) {
  if (cell->broken)
    printf(" - |");
  else if (subject->bound == 0 && cell->misrounded == 0)
    printf(" exact |");
  else
    printf(" %.2f |", ceil(cell->worst.ulps * 100) / 100);
  fflush(stdout);
}

static void print_allowed(const Subject *subject) {
  if (subject->bound == 0)
    printf(" exact |\n");
  else if (subject->bound == subject->half_bound)
    printf(" %g |\n", subject->bound);
  else
    printf(" %g, %g |\n", subject->bound, subject->half_bound);
}

/* -- what is wrong ----------------------------------------------------- */

static void print_operands(const Subject *subject, const double *x) {
  printf("(%.17g", x[0]);
  if (subject_operands(subject) == 2) printf(", %.17g", x[1]);
  printf(")");
}

static int report(const Settings *settings, const Subject *subject,
                  const Format *format, const Cell *cell) {
  static const char *const ways[] = {"fast code", "strict code",
                                     "the evaluator", "a folded constant"};
  double bound = bound_of(subject, format);
  if (cell->broken) {
    printf("%s %s: failed: %s\n", subject->op, format->name, cell->error.text);
    return 1;
  }
  bool far = bound == 0 ? cell->misrounded > 0 : cell->worst.ulps > bound;
  if (far || settings->verbose) {
    printf("%s%s %s: %.3g ulp at ", far ? "BEYOND ITS BOUND: " : "",
           subject->op, format->name, cell->worst.ulps);
    print_operands(subject, cell->x);
    printf(", which gives %.17g; %" PRId64 " of %" PRId64
           " not correctly rounded\n",
           cell->got, cell->misrounded, cell->count);
  }
  if (cell->apart) {
    printf("OTHER BITS: %s %s: %s differs, first at ", subject->op,
           format->name, ways[cell->apart_way]);
    print_operands(subject, cell->apart_x);
    printf("; %" PRId64 " in all\n", cell->apart);
  }
  return far || cell->apart > 0;
}

/* -- what is missing --------------------------------------------------- */

static bool has_row(const char *op) {
  for (int s = 0; s < n_subjects; s++)
    if (strcmp(subjects[s].op, op) == 0) return true;
  return false;
}

static char *read_readme(void) {
  FILE *file = fopen(LOCKSTEP_SOURCE_DIR "/tests/accuracy/README.md", "r");
  char *text = calloc(1, 1 << 20);
  size_t length = file && text ? fread(text, 1, (1 << 20) - 1, file) : 0;
  if (file) fclose(file);
  if (length > 0) return text;
  free(text);
  return NULL;
}

/* Every op that is worth a routine is measured, and README.md says of each op
 * how near it is. */
static int report_missing(void) {
  char *readme = read_readme(), word[64];
  int missing = readme == NULL;
  if (readme == NULL) printf("tests/accuracy/README.md cannot be read\n");
  for (int op = 0; op < OP_COUNT; op++) {
    const OpInfo *info = &ir_ops[op];
    bool elementwise = info->class == ELEMENTWISE;
    if (elementwise && (info->flags & DEAR) && !has_row(info->name)) {
      printf("%s has no row in subjects.c\n", info->name);
      missing++;
    }
    snprintf(word, sizeof word, "`%s`", info->name);
    if (readme && (elementwise || has_row(info->name)) &&
        !strstr(readme, word)) {
      printf("%s has no row in README.md\n", info->name);
      missing++;
    }
  }
  free(readme);
  return missing;
}

/* -- main -------------------------------------------------------------- */

static bool is_wanted(const Settings *settings, const Subject *subject) {
  Op op;
  return (!settings->only || strcmp(settings->only, subject->op) == 0) &&
         ir_op_find(subject->op, strlen(subject->op), &op);
}

static int run(const Settings *settings, Cell (*cells)[N_FORMATS]) {
  int wrong = 0;
  print_head();
  for (int s = 0; s < n_subjects; s++) {
    if (!is_wanted(settings, &subjects[s])) continue;
    printf("| `%s` |", subjects[s].op);
    for (int f = 0; f < N_FORMATS; f++) {
      measure(&subjects[s], &formats[f], settings->count, settings->seed,
              &cells[s][f]);
      print_cell(&subjects[s], &cells[s][f]);
    }
    print_allowed(&subjects[s]);
  }
  for (int s = 0; s < n_subjects; s++)
    for (int f = 0; f < N_FORMATS && is_wanted(settings, &subjects[s]); f++)
      wrong += report(settings, &subjects[s], &formats[f], &cells[s][f]);
  return wrong + report_missing();
}

static int read_settings(int argc, char **argv, Settings *settings) {
  static const struct option options[] = {
      {"count", required_argument, NULL, 'c'},
      {"seed", required_argument, NULL, 's'},
      {"only", required_argument, NULL, 'o'},
      {"verbose", no_argument, NULL, 'v'},
      {NULL, 0, NULL, 0}};
  for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    if (c == 'c')
      settings->count = strtoll(optarg, NULL, 10);
    else if (c == 's')
      settings->seed = strtoull(optarg, NULL, 10);
    else if (c == 'o')
      settings->only = optarg;
    else if (c == 'v')
      settings->verbose = true;
    else
      return 2;
  }
  return optind < argc ? 2 : 0;
}

int main(int argc, char **argv) {
  Settings settings = {.count = 10000, .seed = 1};
  if (read_settings(argc, argv, &settings) != 0) {
    fprintf(stderr,
            "accuracy [--count=N] [--seed=S] [--only=OP] [--verbose]\n");
    return 2;
  }
  Cell(*cells)[N_FORMATS] = calloc((size_t)n_subjects, sizeof *cells);
  if (cells == NULL) return 2;
  int wrong = run(&settings, cells);
  free(cells);
  return wrong ? 1 : 0;
}
