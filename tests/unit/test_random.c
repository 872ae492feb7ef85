/* test_random.c: the reference evaluator's draws against numbers from JAX
 * 0.10.2 (jax_threefry_partitionable on), as bits; and batch= against one draw
 * a key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <math.h>

#include "ir/normal.h"
#include "runtime/runtime.h"

static const Place nowhere;

/* A program that draws from one key, run: op with its attributes and the
 * result's dtype and dims (rank 1). */
static void draw(Op op, uint64_t seed, DType dtype, int64_t count,
                 const Attr *attrs, int n_attrs, void *result) {
  Program *program = ir_program_create("draw", NAMED);
  assert_non_null(program);
  Block *body = program->body;
  Value *key =
      ir_make(body, OP_random_key, 0, NULL,
              IR_ATTRS(IR_INT(seed, (int64_t)seed)), NULL, NULL, nowhere);
  Type type = {dtype, 1, &count, 0};
  bool typed = ir_ops[op].flags & TYPED;
  Value *value = ir_make(body, op, IR_VALUES(key), n_attrs, attrs,
                         typed ? &type : NULL, NULL, nowhere);
  assert_false(program->error.failed);
  ir_block_yield(body, &value, 1);
  char *message = rt_evaluate(program, NULL, (void *[]){result});
  assert_null(message);
  ir_program_destroy(program);
}

static void keys(void **state) {
  (void)state;
  static const struct {
    int64_t seed;
    uint32_t high, low;
  } cases[] = {{0, 0, 0},
               {42, 0, 42},
               {-1, 0xffffffff, 0xffffffff},
               {1099511627783, 256, 7},
               {INT64_MAX, 0x7fffffff, 0xffffffff}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint32_t words[2];
    Program *program = ir_program_create("key", NAMED);
    Value *key =
        ir_make(program->body, OP_random_key, 0, NULL,
                IR_ATTRS(IR_INT(seed, cases[i].seed)), NULL, NULL, nowhere);
    ir_block_yield(program->body, &key, 1);
    assert_null(rt_evaluate(program, NULL, (void *[]){words}));
    assert_int_equal(words[0], cases[i].high);
    assert_int_equal(words[1], cases[i].low);
    ir_program_destroy(program);
  }
}

static void bits(void **state) {
  (void)state;
  static const uint64_t b64[] = {0x6b20015999ba4efe, 0x375f238fcddb151d,
                                 0xf71f4ea9a20e4081, 0x9312778be4e8dfbe,
                                 0x883ffec119dbc576, 0x5adb10de7085799d,
                                 0xe20ce052ad640a2f};
  static const uint32_t b32[] = {0xf29a4fa7, 0xfa843692, 0x55110e28, 0x77faa835,
                                 0x91e43bb7, 0x2a5e6943, 0x4f68ea7d};
  static const uint16_t b16[] = {0x4fa7, 0x3692, 0x0e28, 0xa835,
                                 0x3bb7, 0x6943, 0xea7d};
  static const uint8_t b8[] = {0xa7, 0x92, 0x28, 0x35, 0xb7, 0x43, 0x7d};
  uint64_t got[7];
  draw(OP_random_bits, 0, DT_U64, 7, NULL, 0, got);
  assert_memory_equal(got, b64, sizeof b64);
  draw(OP_random_bits, 0, DT_U32, 7, NULL, 0, got);
  assert_memory_equal(got, b32, sizeof b32);
  draw(OP_random_bits, 0, DT_U16, 7, NULL, 0, got);
  assert_memory_equal(got, b16, sizeof b16);
  draw(OP_random_bits, 0, DT_U8, 7, NULL, 0, got);
  assert_memory_equal(got, b8, sizeof b8);
}

static void uniform(void **state) {
  (void)state;
  static const uint64_t f64[] = {0x3fdac80056666e90, 0x3fcbaf91c7e6ed88,
                                 0x3feee3e9d53441c8, 0x3fe2624ef17c9d1a,
                                 0x3fe107ffd8233b78};
  static const uint32_t f32[] = {0x3f729a4e, 0x3f7a8436, 0x3eaa221c, 0x3eeff550,
                                 0x3f11e43a};
  static const uint16_t f16[] = {0x34f8, 0x32d0, 0x2b00, 0x3940, 0x3370};
  static const uint16_t bf16[] = {0x3f26, 0x3f12, 0x3e20, 0x3e50, 0x3f36};
  uint64_t got[5];
  draw(OP_random_uniform, 0, DT_F64, 5, NULL, 0, got);
  assert_memory_equal(got, f64, sizeof f64);
  draw(OP_random_uniform, 0, DT_F32, 5, NULL, 0, got);
  assert_memory_equal(got, f32, sizeof f32);
  draw(OP_random_uniform, 0, DT_F16, 5, NULL, 0, got);
  assert_memory_equal(got, f16, sizeof f16);
  draw(OP_random_uniform, 0, DT_BF16, 5, NULL, 0, got);
  assert_memory_equal(got, bf16, sizeof bf16);
}

/* JAX leaves the multiplication and addition to a compiler that fuses them;
 * here both round. */
static void uniform_between(void **state) {
  (void)state;
  static const float expected[] = {
      0x1.6eba94p-4f, 0x1.880d7ap-4f,  -0x1.12c60ep-5f, -0x1.9aab34p-8f,
      0x1.ca05cep-7f, -0x1.12051ap-4f, -0x1.36fa26p-5f, 0x1.3671e6p-5f};
  float got[8];
  Attr bounds[] = {IR_NUMBER(minimum, -0.1), IR_NUMBER(maximum, 0.1)};
  draw(OP_random_uniform, 0, DT_F32, 8, bounds, 2, got);
  for (int i = 0; i < 8; i++) {
    assert_float_equal(got[i], expected[i], 2.4e-8f);
  }
}

/* JAX computes erfinv less exactly: a few ulp apart. */
static void normal(void **state) {
  (void)state;
  static const struct {
    DType dtype;
    double rtol, expected[5];
  } cases[] = {
      {DT_F64,
       1e-14,
       {-0x1.a5909049a141dp-3, -0x1.91ccd1e1b7b4ap-1, 0x1.d0eb0e61cf797p+0,
        0x1.80b45ca1069abp-3, 0x1.4b3c1e85a437cp-4}},
      {DT_F32,
       1e-6,
       {0x1.9f657ap+0, 0x1.033bep+1, -0x1.bc002ep-2, -0x1.420444p-4,
        0x1.68a258p-3}},
      {DT_F16,
       0x1p-9,
       {-0x1.f98p-2, -0x1.974p-1, -0x1.994p+0, 0x1.9c8p-2, -0x1.75cp-1}},
      {DT_BF16, 0x1p-6, {0x1.8cp-2, 0x1.76p-3, -1, -0x1.a6p-1, 0x1.2p-1}},
  };
  for (int c = 0; c < 4; c++) {
    size_t size = ir_dtype_bytes(cases[c].dtype);
    char got[5 * 8];
    draw(OP_random_normal, 0, cases[c].dtype, 5, NULL, 0, got);
    for (int i = 0; i < 5; i++) {
      double expected = cases[c].expected[i];
      double value = ir_scalar_load(cases[c].dtype, got + (size_t)i * size).f;
      assert_true(fabs(value - expected) <= cases[c].rtol * fabs(expected));
    }
  }
}

/* The pieces that ir_normal is made of meet, and the ends are right. */
static void normal_function(void **state) {
  (void)state;
  static const double joints[] = {0, 0.85, 1 - 0x1.02cf22526545ap-13, 1};
  for (int j = 0; j < 4; j++) {
    double below = nextafter(joints[j], -1), above = nextafter(joints[j], 2);
    if (joints[j] < 1)
      assert_true(ir_normal(below) - ir_normal(above) < 0x1p-50);
    assert_true(ir_normal(-below) == -ir_normal(below));
  }
  assert_true(signbit(ir_normal(-0.0)));
  assert_true(ir_normal(1) == INFINITY);
  assert_true(ir_normal(-1) == -INFINITY);
  assert_true(isnan(ir_normal(nextafter(1, 2))));
  assert_true(isnan(ir_normal(NAN)));
  double last = ir_normal(1 - 0x1p-53);
  assert_true(fabs(last - 0x1.095b059d67c4cp+3) <= 0x1p-48);
}

static void split(void **state) {
  (void)state;
  static const uint32_t expected[] = {0x6b200159, 0x99ba4efe, 0x375f238f,
                                      0xcddb151d, 0xf71f4ea9, 0xa20e4081};
  uint32_t got[6];
  Attr count = IR_INT(count, 3);
  draw(OP_random_split, 0, DT_U32, 0, &count, 1, got);
  assert_memory_equal(got, expected, sizeof got);
}

static void fold_in(void **state) {
  (void)state;
  static const struct {
    uint32_t data, high, low;
  } cases[] = {{0xffffffff, 0x2c4e0437, 0xe1e32d13},
               {12345, 0x361f0700, 0xc1e35159}};
  for (int i = 0; i < 2; i++) {
    for (int d = 0; d < 2; d++) {
      uint32_t words[2];
      DType dtype = d ? DT_I32 : DT_U32;
      Program *program = ir_program_create("fold", NAMED);
      Block *body = program->body;
      Value *key = ir_make(body, OP_random_key, 0, NULL,
                           IR_ATTRS(IR_INT(seed, 0)), NULL, NULL, nowhere);
      Value *data = ir_block_param(body, (Type){.dtype = dtype}, "data");
      Value *folded = ir_make(body, OP_random_fold_in, IR_VALUES(key, data), 0,
                              NULL, NULL, NULL, nowhere);
      ir_block_yield(body, &folded, 1);
      assert_null(rt_evaluate(program, (const void *[]){&cases[i].data},
                              (void *[]){words}));
      assert_int_equal(words[0], cases[i].high);
      assert_int_equal(words[1], cases[i].low);
      ir_program_destroy(program);
    }
  }
}

/* Three keys side by side draw what each draws alone. */
static void batches_of(Op op) {
  static const DType dtypes[] = {DT_F64, DT_F32, DT_F16, DT_BF16};
  for (int d = 0; d < 4; d++) {
    size_t each = 4 * ir_dtype_bytes(dtypes[d]);
    unsigned char all[3 * 4 * 8], one[4 * 8];
    uint32_t three[3][2] = {{0, 5}, {0, 6}, {1, 7}};
    Program *program = ir_program_create("batch", BATCHED);
    Block *body = program->body;
    Type key_type = {DT_U32, 2, (int64_t[]){3, 2}, 0};
    Type type = {dtypes[d], 2, (int64_t[]){3, 4}, 0};
    Value *list = ir_block_param(body, key_type, "keys");
    Value *drawn = ir_make(body, op, IR_VALUES(list),
                           IR_ATTRS(IR_INT(batch, 1)), &type, NULL, nowhere);
    assert_false(program->error.failed);
    ir_block_yield(body, &drawn, 1);
    assert_null(rt_evaluate(program, (const void *[]){three}, (void *[]){all}));
    ir_program_destroy(program);
    for (int k = 0; k < 3; k++) {
      uint64_t seed = (uint64_t)three[k][0] << 32 | three[k][1];
      draw(op, seed, dtypes[d], 4, NULL, 0, one);
      assert_memory_equal(all + (size_t)k * each, one, each);
    }
  }
}

static void batches(void **state) {
  (void)state;
  batches_of(OP_random_uniform);
  batches_of(OP_random_normal);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keys),
      cmocka_unit_test(bits),
      cmocka_unit_test(uniform),
      cmocka_unit_test(uniform_between),
      cmocka_unit_test(split),
      cmocka_unit_test(fold_in),
      cmocka_unit_test(batches),
      cmocka_unit_test(normal),
      cmocka_unit_test(normal_function),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
