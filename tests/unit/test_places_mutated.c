/* test_places_mutated: the verifier held against the machine.
 *
 * Programs are planned, then one or two of their places are changed at random.
 * Whatever the verifier still accepts is compiled and run, and must give the
 * bits of the plan that it came from.
 *
 *   test_places_mutated [COUNT [FILE ...]]
 *
 * changes each program COUNT times; FILEs replace the programs below. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "codegen/codegen.h"
#include "places_programs.h"

/* -- buffers ----------------------------------------------------------- */

enum { MOST = 64, ROUND = 25 }; /* changes that run on the same inputs */

typedef struct Buffers {
  int n;
  void *data[MOST];
  size_t bytes[MOST];
} Buffers;

static uint64_t random_state = 1;
static uint64_t random_bits(void) {
  random_state = random_state * UINT64_C(6364136223846793005) +
                 UINT64_C(1442695040888963407);
  return random_state >> 33;
}
static int random_below(int n) { return (int)(random_bits() % (uint64_t)n); }

static bool buffers_of(Buffers *buffers, Value *const *values, int n) {
  if (n > MOST) return false;
  buffers->n = n;
  for (int i = 0; i < n; i++) {
    buffers->bytes[i] = (size_t)ir_type_bytes(values[i]->type);
    buffers->data[i] = calloc(buffers->bytes[i] + 1, 1);
    assert_non_null(buffers->data[i]);
  }
  return true;
}

static void free_buffers(Buffers *buffers) {
  for (int i = 0; i < buffers->n; i++) free(buffers->data[i]);
  buffers->n = 0;
}

static void fill(void *data, Type type) {
  size_t step = ir_dtype_bytes(type.dtype);
  for (int64_t i = 0; i < ir_type_elements(type); i++) {
    Scalar scalar = {.i = random_below(5)};
    if (type.dtype == DT_BOOL) scalar.i &= 1;
    if (ir_is_float(type.dtype)) scalar.f = random_below(1000) / 512.0 - 1;
    ir_scalar_store(type.dtype, (char *)data + (size_t)i * step, scalar);
  }
}

/* -- running ----------------------------------------------------------- */

/* Compile and run from an arena of rubbish.  False: it does not compile. */
static bool run(const Program *planned, const Buffers *inputs,
                const Buffers *results) {
  Options options = {.threads = 1};
  CompileTimes times;
  char *error = NULL;
  Executable *executable = cg_compile(planned, &options, &times, &error);
  if (executable == NULL) {
    print_error("%s\n", error ? error : "no memory");
    free(error);
    return false;
  }
  size_t bytes = (cg_arena_bytes(executable) + 127) / 64 * 64;
  void *arena = aligned_alloc(64, bytes);
  assert_non_null(arena);
  memset(arena, 0x5b, bytes);
  for (int i = 0; i < results->n; i++)
    memset(results->data[i], 0x5b, results->bytes[i]);
  cg_run(executable, (const void *const *)inputs->data, results->data, arena);
  free(arena);
  cg_destroy(executable);
  return true;
}

static bool same(const Buffers *a, const Buffers *b) {
  for (int i = 0; i < a->n; i++)
    if (memcmp(a->data[i], b->data[i], a->bytes[i]) != 0) return false;
  return true;
}

/* -- changing places --------------------------------------------------- */

typedef struct Entries {
  IntList **list; /* every entry of every `at` */
  int n;
} Entries;

static void find_entries(Entries *entries, const Block *block) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    IntLists at = ir_lists(node, ATTR_at);
    for (int k = 0; k < at.n; k++) {
      entries->list =
          realloc(entries->list, (size_t)(entries->n + 1) * sizeof(IntList *));
      assert_non_null(entries->list);
      entries->list[entries->n++] = (IntList *)(uintptr_t)&at.v[k];
    }
    for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
      find_entries(entries, node->bodies[b]);
  }
}

/* Another place: mostly one that some other value has. */
static int64_t other_place(const Entries *entries) {
  if (random_below(8) == 0) return -1 - random_below(3);
  IntList list = *entries->list[random_below(entries->n)];
  int64_t place = list.v[random_below(list.n)];
  if (place >= 0 && random_below(3) == 0) place += 64 * (random_below(5) - 2);
  return place < -3 ? 0 : place;
}

/* Change one entry: a number, or how many there are.  Lists are made new, in
 * the program's arena. */
static void change(Program *program, const Entries *entries) {
  IntList *entry = entries->list[random_below(entries->n)];
  int n = entry->n;
  if (random_below(4) == 0) n = n == 1 ? 2 : n - 1;
  int64_t *v = ir_alloc(program, (size_t)n * sizeof *v);
  assert_non_null(v);
  int dropped = random_below(2);
  for (int i = 0; i < n; i++) {
    int from = n < entry->n && i >= dropped ? i + 1 : i;
    v[i] = from < entry->n ? entry->v[from] : other_place(entries);
  }
  if (n == entry->n) v[random_below(n)] = other_place(entries);
  *entry = (IntList){v, n};
}

/* What branches yield mostly goes where their cond has it. */
static void follow_conds(const Block *block) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    IntLists at = ir_lists(node, ATTR_at);
    for (int b = 0; b < IR_BODIES && node->bodies[b]; b++) {
      for (int k = 0; node->op == OP_cond && k < at.n; k++) {
        const Value *yield = node->bodies[b]->yields[k];
        IntLists own = ir_lists(yield->node, ATTR_at);
        if (random_below(32) > 0)
          *(IntList *)(uintptr_t)&own.v[yield->index] = at.v[k];
      }
      follow_conds(node->bodies[b]);
    }
  }
}

/* -- one program ------------------------------------------------------- */

typedef struct Counts {
  int changed, accepted, wrong;
} Counts;

static void try_change(Program *program, const Entries *entries,
                       const Buffers *inputs, const Buffers *expected,
                       Counts *counts) {
  Buffers results = {0};
  buffers_of(&results, program->body->yields, program->body->n_yields);
  IntList *saved = calloc((size_t)entries->n, sizeof *saved);
  assert_non_null(saved);
  for (int i = 0; i < entries->n; i++) saved[i] = *entries->list[i];
  for (int i = 1 + random_below(2); i > 0; i--) change(program, entries);
  follow_conds(program->body);
  counts->changed++;
  if (ir_verify(program)) {
    counts->accepted++;
    if (!run(program, inputs, &results) || !same(&results, expected)) {
      char *text = ir_print(program, 0);
      print_error("accepted, but gives other bits:\n%s", text);
      free(text);
      counts->wrong++;
    }
  }
  program->error = (Diagnostic){0};
  for (int i = 0; i < entries->n; i++) *entries->list[i] = saved[i];
  free(saved);
  free_buffers(&results);
}

static Program *planned_from(const char *text, size_t length) {
  Options options = {.threads = 1};
  Program *recorded = ir_parse(text, length, "test.ls", NULL, 0);
  assert_non_null(recorded);
  Program *planned = NULL;
  if (!recorded->error.failed)
    planned = pass_run(recorded, &options, pass_count - 1, NULL, NULL);
  if (recorded->error.failed || planned->error.failed) {
    print_error("%s\n", recorded->error.failed ? recorded->error.message
                                               : planned->error.message);
    ir_program_destroy(planned);
    planned = NULL;
  }
  ir_program_destroy(recorded);
  return planned;
}

static void check_text(const char *text, size_t length, int count,
                       Counts *counts) {
  Program *program = planned_from(text, length);
  if (program == NULL) {
    counts->wrong++;
    return;
  }
  const Block *body = program->body;
  Entries entries = {0};
  Buffers inputs = {0}, expected = {0};
  find_entries(&entries, body);
  if (entries.n > 0 && buffers_of(&inputs, body->params, body->n_params) &&
      buffers_of(&expected, body->yields, body->n_yields)) {
    bool runs = true;
    for (int i = 0; runs && i < count; i++) {
      if (i % ROUND == 0) {
        for (int k = 0; k < inputs.n; k++)
          fill(inputs.data[k], body->params[k]->type);
        runs = run(program, &inputs, &expected);
        counts->wrong += !runs;
      }
      if (runs) try_change(program, &entries, &inputs, &expected, counts);
    }
  }
  free_buffers(&inputs);
  free_buffers(&expected);
  free(entries.list);
  ir_program_destroy(program);
}

static void test_mutated(void **state) {
  (void)state;
  Counts counts = {0};
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
    check_text(programs[i], strlen(programs[i]), 100, &counts);
  print_message("%d changed, %d accepted, %d wrong\n", counts.changed,
                counts.accepted, counts.wrong);
  assert_int_equal(counts.wrong, 0);
  assert_true(counts.accepted > 0);
  assert_true(counts.accepted < counts.changed);
}

/* -- by hand ----------------------------------------------------------- */

static bool check_file(const char *path, int count) {
  static char text[1 << 20];
  Counts counts = {0};
  FILE *file = fopen(path, "rb");
  if (file == NULL) return false;
  size_t length = fread(text, 1, sizeof text, file);
  fclose(file);
  check_text(text, length, count, &counts);
  printf("%s: %d changed, %d accepted, %d wrong\n", path, counts.changed,
         counts.accepted, counts.wrong);
  return counts.wrong == 0;
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutated)};
  if (argc < 3) return cmocka_run_group_tests(tests, NULL, NULL);
  bool fine = true;
  for (int i = 2; i < argc; i++) fine &= check_file(argv[i], atoi(argv[1]));
  return !fine;
}
