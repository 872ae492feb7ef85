/* test_evaluate.c: the reference evaluator against sums written out here in
 * the strict order, and the promised values that no conformance case
 * holds to the bit. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "runtime/evaluate.h"

/* Memory that cannot be had is to come back as NULL under ASan, too. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  return "allocator_may_return_null=1";
}

static char *evaluate(const char *text, const void *const *inputs,
                      void *const *results) {
  Program *program = ir_parse(text, strlen(text), "test", NULL, 0);
  assert_non_null(program);
  if (program->error.failed) fail_msg("%s", program->error.message);
  char *message = rt_evaluate(program, inputs, results);
  ir_program_destroy(program);
  return message;
}

static void run(const char *text, const void *input, void *result) {
  char *message = evaluate(text, &input, &result);
  if (message) fail_msg("%s", message);
}

#define ASSERT_BITS(got, ...)                                \
  do {                                                       \
    __typeof__((got)[0]) expected_[] = {__VA_ARGS__};        \
    assert_memory_equal((got), expected_, sizeof expected_); \
  } while (0)

static void every_op_has_a_rule(void **state) {
  (void)state;
  for (int op = 0; op < OP_COUNT; op++) {
    EvaluateRule rule = rt_rule((Op)op);
    if (!rule.device == !rule.node) fail_msg("%s", ir_ops[op].name);
  }
}

/* -- order of sums ----------------------------------------------------- */

static float noise(int i) {
  uint32_t hash = (uint32_t)i * 2654435761u;
  return (float)(hash >> 8) * 0x1p-20f - 7.3f;
}

/* The definition at the top of evaluate_reduce.c, in other words. */
static float sum_in_lanes(const float *x, int n) {
  float total = -0.0f;
  for (int block = 0; block < n; block += 4096) {
    int end = block + 4096 < n ? block + 4096 : n;
    float lane[16];
    for (int k = 0; k < 16; k++) {
      lane[k] = -0.0f;
      for (int i = block + k; i < end; i += 16) lane[k] += x[i];
    }
    for (int k = 0; k < 8; k++) lane[k] += lane[k + 8];
    for (int k = 0; k < 4; k++) lane[k] += lane[k + 4];
    for (int k = 0; k < 2; k++) lane[k] += lane[k + 2];
    total += lane[0] + lane[1];
  }
  return n ? total : 0.0f;
}

static void reduce_sum_order(void **state) {
  (void)state;
  static const int sizes[] = {0, 1, 5, 16, 17, 4095, 4096, 4097, 9000};
  static float x[9000];
  for (int i = 0; i < 9000; i++) x[i] = noise(i);
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    char text[200];
    float got;
    snprintf(text, sizeof text,
             "program @p(%%x: f32[%d]) { %%y = reduce_sum %%x return %%y }",
             sizes[k]);
    run(text, x, &got);
    ASSERT_BITS(&got, sum_in_lanes(x, sizes[k]));
  }
}

/* Terms are numbered over both reduced dims, the last one fastest. */
static void reduce_over_outer_dims(void **state) {
  (void)state;
  float x[7][3][5], y[3], terms[35];
  for (int i = 0; i < 105; i++) (&x[0][0][0])[i] = noise(i);
  run("program @p(%x: f32[7,3,5]) { %y = reduce_sum %x, dims=[0,2] return %y }",
      x, y);
  for (int j = 0; j < 3; j++) {
    for (int i = 0; i < 35; i++) terms[i] = x[i / 5][j][i % 5];
    ASSERT_BITS(&y[j], sum_in_lanes(terms, 35));
  }
}

static void signs_of_zero(void **state) {
  (void)state;
  double zeros[3] = {-0.0, -0.0, -0.0}, y;
  run("program @p(%x: f64[3]) { %y = reduce_sum %x return %y }", zeros, &y);
  ASSERT_BITS(&y, -0.0);
  run("program @p(%x: f64[0]) { %y = reduce_sum %x return %y }", zeros, &y);
  ASSERT_BITS(&y, 0.0);
  run("program @p(%x: f64[3]) { %y = einsum %x, spec=\"i->\" return %y }",
      zeros, &y);
  ASSERT_BITS(&y, 0.0);
  double moved[3];
  run("program @p(%x: f64[3]) { %y = einsum %x, spec=\"i->i\" return %y }",
      zeros, moved);
  ASSERT_BITS(moved, -0.0, -0.0, -0.0);
  run("axis a = 3 program @p(%x: f64[]{a}) { %y = psum %x, axis=a return %y }",
      zeros, &y);
  ASSERT_BITS(&y, -0.0);
}

static void einsum_is_a_chain(void **state) {
  (void)state;
  static float x[2][1000];
  float got, chain = 0;
  for (int i = 0; i < 2000; i++) x[i / 1000][i % 1000] = noise(i);
  for (int i = 0; i < 1000; i++) chain = fmaf(x[0][i], x[1][i], chain);
  void *result = &got;
  assert_null(
      evaluate("program @p(%a: f32[1000], %b: f32[1000]) {"
               " %y = einsum %a, %b, spec=\"k,k->\" return %y }",
               (const void *[]){x[0], x[1]}, &result));
  ASSERT_BITS(&got, chain);
}

/* a_ij b_jk c_k -> i: first r_ik, then over k; r is kept in f32. */
static void einsum_in_pairs(void **state) {
  (void)state;
  uint16_t a[2] = {ir_f16_from_f64(300), ir_f16_from_f64(300)};
  uint16_t b[2] = {ir_f16_from_f64(300), ir_f16_from_f64(300)};
  uint16_t c[1] = {ir_f16_from_f64(0.25)}, y[1];
  void *result = y;
  assert_null(
      evaluate("program @p(%a: f16[1,2], %b: f16[2,1], %c: f16[1]) {"
               " %y = einsum %a, %b, %c, spec=\"ij,jk,k->i\""
               " return %y }",
               (const void *[]){a, b, c}, &result));
  assert_int_equal(y[0], ir_f16_from_f64(45000));
}

static void einsum_diagonal_is_exact(void **state) {
  (void)state;
  double x[4] = {1, INFINITY, NAN, 2}, y;
  run("program @p(%x: f64[2,2]) { %y = einsum %x, spec=\"ii->\" return %y }", x,
      &y);
  ASSERT_BITS(&y, 3);
}

/* -- collectives ------------------------------------------------------- */

/* The terms are the devices in order, added as reduce_sum adds them. */
static void psum_in_device_order(void **state) {
  (void)state;
  float x[9], y;
  for (int i = 0; i < 9; i++) {
    x[i] = noise(i) * (i % 2 ? 1e6f : 1);
  }
  run("axis a = 9 program @p(%x: f32[]{a}) { %y = psum %x, axis=a return %y }",
      x, &y);
  ASSERT_BITS(&y, sum_in_lanes(x, 9));
}

static void copies_are_multiplied(void **state) {
  (void)state;
  float x[3] = {0.1f, 0.7f, 0.2f}, y;
  run("axis a = 7 program @p(%x: f32[]) { %y = psum %x, axis=a return %y }", x,
      &y);
  ASSERT_BITS(&y, 0.1f * 7);
  run("axis a = 3 axis b = 5 program @p(%x: f32[]{a}) {"
      " %y = psum %x, axis=[b,a] return %y }",
      x, &y);
  ASSERT_BITS(&y, sum_in_lanes(x, 3) * 5);
  run("axis a = 3 axis b = 5 program @p(%x: f32[]) {"
      " %y = pmean %x, axis=[b,a] return %y }",
      x, &y);
  ASSERT_BITS(&y, 0.1f);
}

static void means_are_wide(void **state) {
  (void)state;
  int8_t bytes[2] = {100, 100};
  float y;
  run("axis a = 2 program @p(%x: i8[]{a}) { %y = pmean %x, axis=a return %y }",
      bytes, &y);
  ASSERT_BITS(&y, 100);
  int64_t large[2] = {INT64_MAX, INT64_MAX};
  double z;
  run("axis a = 2 program @p(%x: i64[]{a}) { %y = pmean %x, axis=a return %y }",
      large, &z);
  ASSERT_BITS(&z, 0x1p63);
}

static void groups_of_several_axes(void **state) {
  (void)state;
  int32_t x[6] = {1, 2, 4, 8, 16, 32}, y[6];
  run("axis a = 2 axis b = 3 program @p(%x: i32[]{a,b}) {"
      " %y = psum %x, axis=[b,a], groups=[[5,0],[1],[2,3,4]] return %y }",
      x, y);
  /* numbered b first: 0 is (a0,b0), 1 (a1,b0), 2 (a0,b1), ... */
  ASSERT_BITS(y, 33, 22, 22, 8, 22, 33);
}

static void ppermute_leaves_zeros(void **state) {
  (void)state;
  float x[3] = {10, 20, 30}, y[3];
  run("axis a = 3 program @p(%x: f32[]{a}) {"
      " %y = ppermute %x, axis=a, pairs=[[0,1]] return %y }",
      x, y);
  ASSERT_BITS(y, 0, 10, 0);
  run("axis a = 3 program @p(%x: f32[]) {"
      " %y = ppermute %x, axis=a, pairs=[[0,1]] return %y }",
      x, y);
  ASSERT_BITS(y, 0, 10, 0);
}

/* -- scans ------------------------------------------------------------- */

static void reverse_keeps_ys_aligned(void **state) {
  (void)state;
  int32_t x[6] = {1, 2, 3, 4, 5, 6}, carry, ys[6];
  void *results[] = {&carry, ys};
  assert_null(
      evaluate("program @p(%x: i32[2,3]) { %z = constant 0 : i32[]"
               " %c, %ys = scan reverse=true, xs_dims=[1], ys_dims=[1],"
               " carry(%a = %z), xs(%v = %x) {"
               " %s = reduce_sum %v %n = add %a, %s"
               " %w = add %v, %a yield carry(%n), ys(%w) }"
               " return %c, %ys }",
               (const void *[]){x}, results));
  assert_int_equal(carry, 21);
  ASSERT_BITS(ys, 17, 11, 3, 20, 14, 6);
}

static void carries_rotate(void **state) {
  (void)state;
  int32_t x[3] = {1, 2, 3}, a, b, c, ys[4];
  void *results[] = {&a, &b, &c, ys};
  assert_null(evaluate(
      "program @p(%x: i32[], %y: i32[], %z: i32[]) {"
      " %p, %q, %r, %s = scan length=4, carry(%a = %x, %b = %y, %c = %z) {"
      " yield carry(%b, %c, %a), ys(%a) } return %p, %q, %r, %s }",
      (const void *[]){&x[0], &x[1], &x[2]}, results));
  assert_int_equal(a, 2);
  assert_int_equal(b, 3);
  assert_int_equal(c, 1);
  ASSERT_BITS(ys, 1, 2, 3, 1);
}

/* The carry starts invariant and varies from the first step on. */
static void carry_widens(void **state) {
  (void)state;
  int32_t y[3];
  run("axis a = 3 program @p() { %z = constant 5 : i32[]"
      " %y = scan length=2, carry(%c = %z) { %i = axis_index axis=a"
      " %n = add %c, %i yield carry(%n) } return %y }",
      NULL, y);
  ASSERT_BITS(y, 5, 7, 9);
  run("axis a = 3 program @p() { %z = constant 5 : i32[]"
      " %y = scan length=0, carry(%c = %z) { %i = axis_index axis=a"
      " %n = add %c, %i yield carry(%n) } return %y }",
      NULL, y);
  ASSERT_BITS(y, 5, 5, 5);
}

/* -- limits ------------------------------------------------------------ */

enum { CHAIN = 100000 };

static void *evaluate_chain(void *result) {
  static const Place nowhere;
  double two = 2;
  const void *input = &two;
  Program *program = ir_program_create("chain", NAMED);
  Value *x = ir_block_param(program->body, (Type){.dtype = DT_F64}, "x");
  Value *sum = x;
  for (int i = 0; i < CHAIN; i++) {
    sum = ir_make(program->body, OP_add, IR_VALUES(sum, x), 0, NULL, NULL, NULL,
                  nowhere);
  }
  ir_block_yield(program->body, &sum, 1);
  char *message = rt_evaluate(program, &input, &result);
  ir_program_destroy(program);
  return message;
}

static void long_chain_in_a_small_stack(void **state) {
  (void)state;
  double result = 0;
  void *message;
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 * 1024);
  assert_int_equal(
      pthread_create(&thread, &attributes, evaluate_chain, &result), 0);
  pthread_join(thread, &message);
  pthread_attr_destroy(&attributes);
  assert_null(message);
  assert_true(result == 2.0 * (CHAIN + 1));
}

static void too_large_is_a_message(void **state) {
  (void)state;
  float y;
  void *result = &y;
  char *message = evaluate(
      "program @p(%x: f32[]) {"
      " %w = broadcast %x, dims=[] : f32[1125899906842624,4]"
      " %y = reduce_sum %w return %y }",
      (const void *[]){&y}, &result);
  assert_non_null(message);
  assert_non_null(strstr(message, "18014398509481984 bytes"));
  free(message);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_op_has_a_rule),
      cmocka_unit_test(reduce_sum_order),
      cmocka_unit_test(reduce_over_outer_dims),
      cmocka_unit_test(signs_of_zero),
      cmocka_unit_test(einsum_is_a_chain),
      cmocka_unit_test(einsum_in_pairs),
      cmocka_unit_test(einsum_diagonal_is_exact),
      cmocka_unit_test(psum_in_device_order),
      cmocka_unit_test(copies_are_multiplied),
      cmocka_unit_test(means_are_wide),
      cmocka_unit_test(groups_of_several_axes),
      cmocka_unit_test(ppermute_leaves_zeros),
      cmocka_unit_test(reverse_keeps_ys_aligned),
      cmocka_unit_test(carries_rotate),
      cmocka_unit_test(carry_widens),
      cmocka_unit_test(long_chain_in_a_small_stack),
      cmocka_unit_test(too_large_is_a_message),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
