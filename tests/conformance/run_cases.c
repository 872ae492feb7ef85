/* run_cases.c: run the cases of AREA.cases against the library.
 *
 *   run_cases [--deep] [--only TEXT] FILE.cases ...
 *
 * A right program goes through every check of ../harness; a wrong one must be
 * refused with its message.  One line for each failure; "N passed, M failed"
 * an area; exit 1 if any failed.  A case that needs an op that does not exist
 * yet is counted apart. */
#include <ctype.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "tests/harness/harness.h"

enum { MAX_LINES = 3 }; /* of one case */

typedef struct Area {
  char name[64];
  bool deep;
  const char *only; /* NULL: every case */
  int passed, failed, waiting;
} Area;

static void say(const Area *area, const Case *c, const char *kind,
                const char *message) {
  int length = message ? (int)strlen(message) : 0;
  while (length && message[length - 1] == '\n') length--;
  printf("FAIL %s/%s: %s%s%.*s\n", area->name, c->name, kind, *kind ? ": " : "",
         length, message ? message : "");
}

/* -- programs that are wrong ------------------------------------------- */

static bool holds(const char *text, const char *word) {
  return strcasestr(text, word) != NULL;
}

static bool check_wrong(const Area *area, const Case *c,
                        const Program *program) {
  if (!program->error.failed) {
    say(area, c, "", "accepted, expected an error");
    return false;
  }
  bool fine = true;
  char place[64];
  char *text = ir_error_text(&program->error, c->program, c->program_length);
  snprintf(place, sizeof place, "program.ls:%d:", c->line);
  if (!text || (c->line && !strstr(text, place))) {
    say(area, c, "the message does not name the line", text);
    fine = false;
  }
  for (int i = 0; i < c->n_words && text; i++)
    if (!holds(text, c->words[i])) {
      say(area, c, c->words[i], text);
      fine = false;
    }
  free(text);
  return fine;
}

/* -- programs that are right ------------------------------------------- */

static const CaseArray *find_array(const Case *c, const char *name,
                                   bool expected) {
  for (int i = 0; i < c->n_arrays; i++)
    if (c->arrays[i].expected == expected && !strcmp(c->arrays[i].name, name))
      return &c->arrays[i];
  return NULL;
}

static const char *find_source(const Case *c, const char *name) {
  for (int i = 0; i < c->n_sources; i++)
    if (!strcmp(c->sources[i].name, name)) return c->sources[i].source;
  return NULL;
}

static bool same_type(const Program *program, Type type,
                      const CaseArray *array) {
  int64_t shape[IR_MAX_AXES + IR_MAX_RANK];
  int rank = edge_shape(program, type, shape);
  return type.dtype == array->dtype && rank == array->rank &&
         !memcmp(shape, array->shape, (size_t)rank * sizeof *shape);
}

static int64_t last_dim(Type type, int from_end) {
  return type.rank >= from_end ? type.dims[type.rank - from_end] : 1;
}

/* What a SOURCE of the command line puts at a flat position. */
static int64_t source_at(const char *source, Type type, int64_t flat) {
  int64_t columns = last_dim(type, 1), rows = last_dim(type, 2);
  if (!strcmp(source, "ones")) return 1;
  if (!strcmp(source, "iota")) return flat;
  if (!strcmp(source, "eye")) return flat % columns == flat / columns % rows;
  return 0;
}

static void fill_source(const Program *program, Type type, const char *source,
                        void *data) {
  size_t each = ir_dtype_bytes(type.dtype);
  int64_t n = edge_elements(program, type);
  for (int64_t i = 0; i < n; i++) {
    Scalar whole = {.i = source_at(source, type, i)};
    ir_scalar_store(type.dtype, (char *)data + (size_t)i * each,
                    ir_scalar_convert(type.dtype, DT_I64, whole));
  }
}

static bool fill_inputs(const Case *c, const Program *program,
                        Buffers *inputs) {
  Block *body = program->body;
  if (!buffers_create(inputs, program, body->params, body->n_params, 1))
    return false;
  for (int i = 0; i < body->n_params; i++) {
    Value *param = body->params[i];
    const CaseArray *array = find_array(c, param->name, false);
    const char *source = find_source(c, param->name);
    if (source)
      fill_source(program, param->type, source, inputs->data[i]);
    else if (array && same_type(program, param->type, array))
      memcpy(inputs->data[i], array->data, inputs->bytes[i]);
    else
      return false;
  }
  return true;
}

/* What each result must be: pointers into the case. */
static bool find_expected(const Case *c, const Program *program,
                          void **expected, char **problem) {
  int outs = 0;
  for (int i = 0; i < c->n_arrays; i++) outs += c->arrays[i].expected;
  for (int i = 0; i < program->body->n_yields; i++) {
    const char *name = program->result_names[i];
    Type type = program->body->yields[i]->type;
    const CaseArray *array = find_array(c, name, true);
    if (!array || !same_type(program, type, array)) {
      if (asprintf(problem, "%s is %s; the case expects another type", name,
                   ir_type_text(program, type).text) < 0)
        *problem = NULL;
      return false;
    }
    expected[i] = array->data;
  }
  if (outs != program->body->n_yields) *problem = strdup("too few results");
  return outs == program->body->n_yields;
}

static bool report_failures(const Area *area, const Case *c, Report *report) {
  for (int i = 0; i < report->n && i < MAX_LINES; i++)
    say(area, c, report->list[i].kind, report->list[i].message);
  if (report->n > MAX_LINES)
    printf("     %s/%s: and %d more\n", area->name, c->name,
           report->n - MAX_LINES);
  bool fine = report->n == 0;
  report_free(report);
  return fine;
}

static bool check_right(const Area *area, const Case *c,
                        const Program *program) {
  size_t room = (size_t)program->body->n_yields + 1;
  void **expected = calloc(room, sizeof *expected);
  Rule *rules = calloc(room, sizeof *rules);
  Buffers inputs = {0};
  Report report = {0};
  char *problem = NULL;
  for (size_t i = 0; i < room && rules; i++)
    rules[i] = (Rule){.exact = c->exact, .rtol = c->rtol, .atol = c->atol};
  if (!fill_inputs(c, program, &inputs))
    report_add(&report, "inputs", "the case has other inputs");
  else if (!find_expected(c, program, expected, &problem))
    report_add(&report, "results", "%s", problem ? problem : "memory");
  else
    check_program(&(Check){.program = program,
                           .inputs = &inputs,
                           .options = {.threads = 1},
                           .rules = rules,
                           .expected = expected,
                           .deep = area->deep},
                  &report);
  free(problem);
  buffers_free(&inputs);
  free(expected);
  free(rules);
  return report_failures(area, c, &report);
}

/* -- areas ------------------------------------------------------------- */

/* Does every op exist that the case uses? */
static bool has_needs(const Case *c) {
  Op op;
  for (const char *p = c->needs; p && *p;) {
    size_t n = strcspn(p, " ");
    if (n && !ir_op_find(p, n, &op)) return false;
    p += n + (p[n] == ' ');
  }
  return true;
}

static void run_case(Area *area, const Case *c) {
  if (area->only && !strstr(c->name, area->only)) return;
  if (!has_needs(c)) {
    area->waiting++;
    return;
  }
  Program *program = ir_parse(c->program, c->program_length, "program.ls",
                              c->sizes, c->n_sizes);
  bool fine = false;
  if (!program) {
    say(area, c, "", "out of memory");
  } else if (c->exit) {
    fine = check_wrong(area, c, program);
  } else if (program->error.failed) {
    char *text = ir_error_text(&program->error, c->program, c->program_length);
    say(area, c, "refused", text);
    free(text);
  } else {
    fine = check_right(area, c, program);
  }
  ir_program_destroy(program);
  if (fine) area->passed++;
  if (!fine) area->failed++;
  fflush(stdout);
}

static void name_area(Area *area, const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  snprintf(area->name, sizeof area->name, "%.*s", (int)strcspn(name, "."),
           name);
}

/* False: the file is unreadable or malformed. */
static bool run_area(Area *area, const char *path) {
  CaseReader reader = {.file = fopen(path, "r")};
  if (!reader.file) {
    perror(path);
    return false;
  }
  name_area(area, path);
  Case c;
  for (; case_next(&reader, &c); case_free(&c)) run_case(area, &c);
  case_free(&c);
  fclose(reader.file);
  free(reader.text);
  if (*reader.problem) fprintf(stderr, "%s: %s\n", path, reader.problem);
  printf("%s: %d passed, %d failed", area->name, area->passed, area->failed);
  if (area->waiting) printf(", %d wait for their ops", area->waiting);
  printf("\n");
  return !*reader.problem;
}

int main(int argc, char **argv) {
  static const struct option options[] = {
      {"deep", no_argument, NULL, 'd'},
      {"only", required_argument, NULL, 'o'},
      {0},
  };
  bool deep = false, fine = true;
  const char *only = NULL;
  for (int key; (key = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    if (key == '?') return 2;
    if (key == 'd') deep = true;
    if (key == 'o') only = optarg;
  }
  if (optind == argc) {
    fprintf(stderr, "usage: run_cases [--deep] [--only TEXT] FILE.cases ...\n");
    return 2;
  }
  for (int i = optind; i < argc; i++) {
    Area area = {.deep = deep, .only = only};
    fine = run_area(&area, argv[i]) && !area.failed && fine;
  }
  return fine ? 0 : 1;
}
