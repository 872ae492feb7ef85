/* test_ops.c: walks ops.def and fails where an op lacks something that every
 * op needs.  What can be asked is asked; the rest is read from the sources as
 * text: a word in the right folder.  Each failure says which file wants it. */
#include <ctype.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "codegen/emit.h"
#include "ir/ir.h"
#include "runtime/evaluate.h"

/* -- text -------------------------------------------------------------- */

static void append_file(const char *path, char **text, size_t *length) {
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  *text = realloc(*text, *length + size + 2);
  assert_non_null(*text);
  assert_int_equal(fread(*text + *length, 1, size, file), size);
  fclose(file);
  *length += size;
  (*text)[(*length)++] = '\n';
  (*text)[*length] = 0;
}

/* Every file that a pattern below the source folder matches, in one text. */
static char *read_all(const char *pattern) {
  char path[1024], *text = calloc(1, 1);
  size_t length = 0;
  glob_t found;
  snprintf(path, sizeof path, LOCKSTEP_SOURCE_DIR "/%s", pattern);
  if (glob(path, 0, NULL, &found) == 0) {
    for (size_t i = 0; i < found.gl_pathc; i++)
      append_file(found.gl_pathv[i], &text, &length);
    globfree(&found);
  }
  return text;
}

static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Does prefix + name stand in text as a word of its own? */
static bool has_word(const char *text, const char *prefix, const char *name) {
  char word[128];
  snprintf(word, sizeof word, "%s%s", prefix, name);
  size_t n = strlen(word);
  for (const char *p = text; (p = strstr(p, word)); p++)
    if ((p == text || !in_word(p[-1])) && !in_word(p[n])) return true;
  return false;
}

/* Counts what is missing, so that one run names all of it. */
static int lacks(Op op, const char *what, bool has) {
  if (!has) print_error("%s lacks %s\n", ir_ops[op].name, what);
  return !has;
}

/* -- the walks --------------------------------------------------------- */

static void every_op_has_a_golden_test(void **state) {
  (void)state;
  int missing = 0;
  char *passes = read_all("tests/golden/*/*.ls");
  for (int op = 0; op < OP_COUNT; op++)
    missing += lacks((Op)op, "a golden test (tests/golden)",
                     has_word(passes, "", ir_ops[op].name));
  free(passes);
  assert_int_equal(missing, 0);
}

static void every_op_is_tried_with_numbers(void **state) {
  (void)state;
  int missing = 0;
  char *makers = read_all("tests/fuzz/generate*.c");
  char *functions = read_all("ir/functions.def"); /* which it includes */
  for (int op = 0; op < OP_COUNT; op++) {
    if (ir_ops[op].class == WRAPPER) continue;
    missing += lacks((Op)op, "a maker (tests/fuzz)",
                     has_word(makers, "OP_", ir_ops[op].name) ||
                         has_word(functions, "FUNCTION(", ir_ops[op].name) ||
                         has_word(functions, "COMPOSED(", ir_ops[op].name));
  }
  free(makers);
  free(functions);
  assert_int_equal(missing, 0);
}

static void every_op_has_a_c_entry(void **state) {
  (void)state;
  int missing = 0;
  char *header = read_all("frontend/lockstep.h");
  for (int op = 0; op < OP_COUNT; op++) {
    if (ir_ops[op].class == WRAPPER) continue;
    const char *name = op == OP_scan ? "scan_begin" : ir_ops[op].name;
    missing += lacks((Op)op, "an entry ls_NAME (frontend/lockstep.h)",
                     has_word(header, "ls_", name));
  }
  free(header);
  assert_int_equal(missing, 0);
}

static void every_op_evaluates(void **state) {
  (void)state;
  int missing = 0;
  for (int op = 0; op < OP_COUNT; op++) {
    EvaluateRule rule = rt_rule((Op)op);
    missing += lacks((Op)op, "an evaluation (runtime/evaluate.c)",
                     rule.device || rule.node);
    if (ir_ops[op].class == ELEMENTWISE && op != OP_convert && op != OP_bitcast)
      missing += lacks((Op)op, "a scalar rule (ir/scalar.c)",
                       ir_scalar_has_rule((Op)op));
  }
  assert_int_equal(missing, 0);
}

/* What ends at the named stage must be lowered, the rest emitted. */
static void every_op_reaches_code(void **state) {
  (void)state;
  int missing = 0;
  char *lower = read_all("passes/lower*.c");
  for (int op = 0; op < OP_COUNT; op++) {
    const char *name = ir_ops[op].name;
    if (ir_ops[op].to == NAMED)
      missing += lacks((Op)op, "a lowering (passes/lower_*.c)",
                       has_word(lower, "OP_", name));
    else if (ir_ops[op].class < CONTROL && op != OP_constant)
      missing += lacks((Op)op, "an emitter (codegen)", emit_has_rule((Op)op));
  }
  free(lower);
  assert_int_equal(missing, 0);
}

static void every_row_is_consistent(void **state) {
  (void)state;
  for (int op = 0; op < OP_COUNT; op++) {
    const OpInfo *info = &ir_ops[op];
    Op found;
    assert_true(ir_op_find(info->name, strlen(info->name), &found));
    assert_int_equal(found, op);
    assert_non_null(info->infer);
    assert_true(info->from <= info->to);
    assert_int_equal(info->required & info->optional, 0);
    assert_true(info->class != COLLECTIVE || info->to == NAMED);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_is_consistent),
      cmocka_unit_test(every_op_evaluates),
      cmocka_unit_test(every_op_reaches_code),
      cmocka_unit_test(every_op_has_a_c_entry),
      cmocka_unit_test(every_op_has_a_golden_test),
      cmocka_unit_test(every_op_is_tried_with_numbers),
  };
  return cmocka_run_group_tests_name("ops", tests, NULL, NULL);
}
