/* test_branch.c: while and cond in the reference evaluator.  Each device gets
 * what it would get alone; a device that is out neither hangs nor computes. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "runtime/evaluate.h"

/* Memory that cannot be had is to come back as NULL under ASan, too. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  return "allocator_may_return_null=1";
}

static Program *parse(const char *text) {
  Program *program = ir_parse(text, strlen(text), "test", NULL, 0);
  assert_non_null(program);
  if (program->error.failed) fail_msg("%s", program->error.message);
  return program;
}

static void run(const char *text, const void *const *inputs,
                void *const *results) {
  Program *program = parse(text);
  alarm(60); /* a wrong mask hangs */
  char *message = rt_evaluate(program, inputs, results);
  alarm(0);
  ir_program_destroy(program);
  if (message) fail_msg("%s", message);
}

#define INPUTS(...) ((const void *[]){__VA_ARGS__})
#define RESULTS(...) ((void *[]){__VA_ARGS__})
#define ASSERT_INTS(got, ...)                                \
  do {                                                       \
    int32_t expected_[] = {__VA_ARGS__};                     \
    assert_int_equal(sizeof(got), sizeof expected_);         \
    assert_memory_equal((got), expected_, sizeof expected_); \
  } while (0)

/* What every program here may use. */
#define HEAD                                                     \
  "axis a = 4 axis b = 2 program "                               \
  "@p(%n: i32[]{a}, %p: bool[]{a}, %m: i32[]{b}, %t: bool[]) { " \
  "%0 = constant 0 : i32[] %1 = constant 1 : i32[] "             \
  "%true = constant true : bool[] "

static const int32_t counts[4] = {3, 0, 5, 1}, few[2] = {2, 1};
static const bool some[4] = {true, false, false, true};

static void run_head(const char *rest, bool t, void *const *results) {
  char text[4000];
  snprintf(text, sizeof text, "%s%s", HEAD, rest);
  run(text, INPUTS(counts, some, few, &t), results);
}

/* -- while ------------------------------------------------------------- */

static void each_its_own_count(void **state) {
  (void)state;
  int32_t i[4], sum[4];
  run_head(
      "%i, %s = while carry(%k = %0, %s0 = %0) cond {"
      " %go = compare %k, %n, op=lt yield %go } do {"
      " %k1 = add %k, %1 %s1 = add %s0, %k1 yield carry(%k1, %s1) }"
      " return %i, %s }",
      true, RESULTS(i, sum));
  ASSERT_INTS(i, 3, 0, 5, 1);
  ASSERT_INTS(sum, 6, 0, 15, 1);
}

/* A carry that a device keeps although its next is another carry, a value from
 * outside, or itself. */
static void carries_swap_and_pass(void **state) {
  (void)state;
  int32_t k[4], x[4], y[4], z[4], w[4];
  run_head(
      "%5 = constant 50 : i32[] %6 = constant 60 : i32[]"
      " %k, %x, %y, %z, %w = while"
      " carry(%i = %0, %c = %5, %d = %6, %e = %1, %f = %0) cond {"
      " %go = compare %i, %n, op=lt yield %go } do {"
      " %j = add %i, %1 yield carry(%j, %d, %c, %n, %f) }"
      " return %k, %x, %y, %z, %w }",
      true, RESULTS(k, x, y, z, w));
  ASSERT_INTS(k, 3, 0, 5, 1);
  ASSERT_INTS(x, 60, 50, 60, 60);
  ASSERT_INTS(y, 50, 60, 50, 50);
  ASSERT_INTS(z, 3, 1, 5, 1);
  ASSERT_INTS(w, 0, 0, 0, 0);
}

static void no_step_at_all(void **state) {
  (void)state;
  int32_t x, y[4];
  run_head(
      "%false = not %true"
      " %x = while carry(%c = %1) cond { yield %false } do {"
      " yield carry(%0) }"
      " %y = while carry(%c = %1) cond {"
      " %go = compare %n, %c, op=gt %no = and %go, %false yield %no } do {"
      " yield carry(%0) } return %x, %y }",
      true, RESULTS(&x, y));
  assert_int_equal(x, 1);
  ASSERT_INTS(y, 1, 1, 1, 1);
}

/* What the bodies read from outside lives until the loop has ended. */
static void outer_values_stay(void **state) {
  (void)state;
  int32_t x[4];
  run_head(
      "%two = add %1, %1 %three = add %two, %1"
      " %x = while carry(%c = %0) cond {"
      " %most = mul %n, %three %go = compare %c, %most, op=lt yield %go } do {"
      " %d = add %c, %two yield carry(%d) } return %x }",
      true, RESULTS(x));
  ASSERT_INTS(x, 10, 0, 16, 4);
}

/* -- devices that are out ---------------------------------------------- */

/* In both branches a loop that ends only for the branch's own devices. */
static void branches_that_hang_for_others(void **state) {
  (void)state;
  int32_t x[4];
  run_head(
      "%no = not %p"
      " %x = cond %p then {"
      " %a = while carry(%c = %0) cond {"
      " %l = compare %c, %n, op=lt %go = or %l, %no yield %go } do {"
      " %d = add %c, %1 yield carry(%d) } yield %a } else {"
      " %b = while carry(%c = %n) cond {"
      " %l = compare %c, %1, op=le %go = or %l, %p yield %go } do {"
      " %d = add %c, %1 yield carry(%d) } yield %b } return %x }",
      true, RESULTS(x));
  ASSERT_INTS(x, 3, 2, 5, 1);
}

/* Nobody is in: not even a loop without end runs. */
static void nobody_is_in(void **state) {
  (void)state;
  int32_t x[4];
  run_head(
      "%no = not %p %none = and %p, %no"
      " %x = cond %none then {"
      " %a = while carry(%c = %n) cond { yield %true } do {"
      " %d = while carry(%e = %c) cond { yield %true } do {"
      " yield carry(%e) } yield carry(%d) }"
      " yield %a } else { yield %n } return %x }",
      true, RESULTS(x));
  ASSERT_INTS(x, 3, 0, 5, 1);
}

/* The inner loop of a step would not end for a device that has stopped, which
 * the inner predicate reads off the outer count. */
static void stopped_devices_do_not_loop(void **state) {
  (void)state;
  int32_t x[4], y[4];
  run_head(
      "%x, %y = while carry(%i = %0, %s = %0) cond {"
      " %go = compare %i, %n, op=lt yield %go } do {"
      " %j = add %i, %1"
      " %out = compare %i, %n, op=ge"
      " %r = while carry(%k = %0) cond {"
      " %l = compare %k, %j, op=lt %go = or %l, %out yield %go } do {"
      " %k1 = add %k, %1 yield carry(%k1) }"
      " %s1 = add %s, %r yield carry(%j, %s1) } return %x, %y }",
      true, RESULTS(x, y));
  ASSERT_INTS(x, 3, 0, 5, 1);
  ASSERT_INTS(y, 6, 0, 15, 1);
}

/* A loop in the test: it runs for those that have not stopped, and for them
 * once more than the step. */
static void loop_in_the_test(void **state) {
  (void)state;
  int32_t x[4];
  run_head(
      "%x = while carry(%i = %0) cond {"
      " %past = compare %i, %n, op=gt"
      " %r = while carry(%k = %0) cond {"
      " %l = compare %k, %i, op=lt %go = or %l, %past yield %go } do {"
      " %k1 = add %k, %1 yield carry(%k1) }"
      " %go = compare %r, %n, op=lt yield %go } do {"
      " %j = add %i, %1 yield carry(%j) } return %x }",
      true, RESULTS(x));
  ASSERT_INTS(x, 3, 0, 5, 1);
}

/* The mask is over a, the loop's predicate over b: it goes on as long as any
 * device of a is in. */
static void predicate_lacks_the_axis(void **state) {
  (void)state;
  int32_t x[8];
  run_head(
      "%x = cond %p then {"
      " %r = while carry(%c = %0) cond {"
      " %go = compare %c, %m, op=lt yield %go } do {"
      " %d = add %c, %1 yield carry(%d) } yield %r } else {"
      " %r = sub %n, %m yield %r } return %x }",
      true, RESULTS(x));
  ASSERT_INTS(x, 2, 1, -2, -1, 3, 4, 2, 1);
}

/* ... and both together, the carry varying over more than the predicate. */
static void masks_join(void **state) {
  (void)state;
  int32_t x[8];
  run_head(
      "%no = not %p"
      " %x = cond %p then {"
      " %r = while carry(%c = %0) cond {"
      " %u = pmin %c, axis=b"
      " %l = compare %u, %n, op=lt %go = or %l, %no yield %go } do {"
      " %d = add %c, %m yield carry(%d) } yield %r } else {"
      " yield %1 } return %x }",
      true, RESULTS(x));
  /* Devices 0 and 3 of a: they go on until the least over b has reached n. */
  ASSERT_INTS(x, 6, 3, 1, 1, 1, 1, 2, 1);
}

/* A host function that counts and must not see a 0. */
static void counted(void *result, const void *const *operands, void *user) {
  int32_t x = *(const int32_t *)operands[0];
  assert_int_not_equal(x, 0);
  ++*(int *)user;
  *(int32_t *)result = 2 * x;
}

static void calls_for_those_in(void **state) {
  (void)state;
  const char *text =
      "axis a = 4 program @p(%n: i32[]{a}) { %0 = constant 0 : i32[]"
      " %p = compare %n, %0, op=gt"
      " %x = cond %p then { %y = call %n, symbol=\"counted\" : i32[]"
      " yield %y } else { yield %n } return %x }";
  int calls = 0;
  int32_t x[4];
  Callee callee = {"counted", counted, &calls};
  Program *program =
      ir_parse_calling(text, strlen(text), "test", NULL, 0, &callee, 1);
  assert_non_null(program);
  if (program->error.failed) fail_msg("%s", program->error.message);
  char *message = rt_evaluate(program, INPUTS(counts), RESULTS(x));
  ir_program_destroy(program);
  assert_null(message);
  assert_int_equal(calls, 3);
  ASSERT_INTS(x, 6, 0, 10, 2);
}

/* -- cond -------------------------------------------------------------- */

/* With an invariant predicate the other branch does not run: it would neither
 * end nor find the memory. */
static void only_the_taken_branch(void **state) {
  (void)state;
  int32_t x = 0;
  const char *text =
      "%x = cond %t then { %r = add %1, %1 yield %r } else {"
      " %w = broadcast %1, dims=[] : i32[1125899906842624]"
      " %s = reduce_sum %w"
      " %r = while carry(%c = %s) cond { yield %true } do { yield carry(%c) }"
      " yield %r } return %x }";
  run_head(text, true, RESULTS(&x));
  assert_int_equal(x, 2);
}

/* A predicate that varies, branches that do not. */
static void results_take_its_axes(void **state) {
  (void)state;
  int32_t x[4], y[4];
  run_head(
      "%x, %y = cond %p then { yield %1, %1 } else { yield %0, %1 }"
      " return %x, %y }",
      true, RESULTS(x, y));
  ASSERT_INTS(x, 1, 0, 0, 1);
  ASSERT_INTS(y, 1, 1, 1, 1);
}

static void collectives_over_others(void **state) {
  (void)state;
  int32_t x[4], y;
  const char *text =
      "%x, %y = cond %p then { %s = psum %m, axis=b yield %s, %1 } else {"
      " %i = axis_index axis=a yield %i, %1 }"
      " %z = cond %t then { %s = psum %n, axis=a yield %s } else {"
      " yield %0 } return %x, %z }";
  run_head(text, true, RESULTS(x, &y));
  ASSERT_INTS(x, 3, 1, 2, 3);
  assert_int_equal(y, 9);
  run_head(text, false, RESULTS(x, &y));
  assert_int_equal(y, 0);
}

/* -- limits ------------------------------------------------------------ */

enum { DEEP = IR_MAX_NESTING - 2 };

static void *run_deep(void *result) {
  return rt_evaluate(((void **)result)[0], INPUTS(some), &((void **)result)[1]);
}

/* Conds, whiles and scans in turn, as deep as they may be, small stack. */
static void deep_in_a_small_stack(void **state) {
  (void)state;
  char text[20000], *end = text;
  int32_t x[4];
  end += sprintf(end,
                 "axis a = 4 program @p(%%p: bool[]{a}) {"
                 " %%z = constant 0 : i32[] %%1 = constant 1 : i32[]"
                 " %%v0 = axis_index axis=a ");
  for (int i = 0; i < DEEP; i++) {
    if (i % 3 == 0) end += sprintf(end, "%%r%d = cond %%p then { ", i);
    if (i % 3 == 1)
      end +=
          sprintf(end,
                  "%%r%d, %%q%d = while carry(%%c%d = %%v%d, %%i%d = %%z)"
                  " cond { %%g = compare %%i%d, %%1, op=lt yield %%g } do { ",
                  i, i, i, i, i, i);
    if (i % 3 == 2)
      end += sprintf(end, "%%r%d = scan length=1, carry(%%c%d = %%v%d) { ", i,
                     i, i);
    end += sprintf(end, "%%v%d = add %%v%d, %%1 ", i + 1, i);
  }
  end += sprintf(end, "%%r%d = add %%v%d, %%1 ", DEEP, DEEP);
  for (int i = DEEP; i-- > 0;) {
    if (i % 3 == 0)
      end += sprintf(end, "yield %%r%d } else { yield %%v%d } ", i + 1, i);
    if (i % 3 == 1) end += sprintf(end, "yield carry(%%r%d, %%1) } ", i + 1);
    if (i % 3 == 2) end += sprintf(end, "yield carry(%%r%d) } ", i + 1);
  }
  sprintf(end, "return %%r0 }");
  Program *program = parse(text);
  pthread_t thread;
  pthread_attr_t attributes;
  void *message, *data[2] = {program, x};
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 * 1024);
  assert_int_equal(pthread_create(&thread, &attributes, run_deep, data), 0);
  pthread_join(thread, &message);
  pthread_attr_destroy(&attributes);
  ir_program_destroy(program);
  assert_null(message);
  ASSERT_INTS(x, DEEP + 1, 1, 2, DEEP + 4);
}

/* A failure inside a body frees what the bodies hold (ASan looks). */
static void failure_inside(void **state) {
  (void)state;
  int32_t x[4];
  static const char *const texts[] = {
      "%x = cond %p then { %q = add %n, %1"
      " %w = broadcast %q, dims=[] : i32[1125899906842624]"
      " %s = reduce_sum %w %r = add %s, %q yield %r } else { yield %n }"
      " return %x }",
      "%x = while carry(%c = %n) cond { %q = add %c, %1"
      " %go = compare %q, %n, op=ne yield %go } do { %q = add %c, %1"
      " %w = broadcast %q, dims=[] : i32[1125899906842624]"
      " %s = reduce_sum %w %r = add %s, %q yield carry(%r) } return %x }"};
  for (int i = 0; i < 2; i++) {
    char text[4000];
    bool t = true;
    snprintf(text, sizeof text, "%s%s", HEAD, texts[i]);
    Program *program = parse(text);
    char *message =
        rt_evaluate(program, INPUTS(counts, some, few, &t), RESULTS(x));
    ir_program_destroy(program);
    assert_non_null(message);
    assert_non_null(strstr(message, "bytes"));
    free(message);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_its_own_count),
      cmocka_unit_test(carries_swap_and_pass),
      cmocka_unit_test(no_step_at_all),
      cmocka_unit_test(outer_values_stay),
      cmocka_unit_test(branches_that_hang_for_others),
      cmocka_unit_test(nobody_is_in),
      cmocka_unit_test(stopped_devices_do_not_loop),
      cmocka_unit_test(loop_in_the_test),
      cmocka_unit_test(predicate_lacks_the_axis),
      cmocka_unit_test(masks_join),
      cmocka_unit_test(calls_for_those_in),
      cmocka_unit_test(only_the_taken_branch),
      cmocka_unit_test(results_take_its_axes),
      cmocka_unit_test(collectives_over_others),
      cmocka_unit_test(deep_in_a_small_stack),
      cmocka_unit_test(failure_inside),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
