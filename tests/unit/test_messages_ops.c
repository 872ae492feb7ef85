/* test_messages_ops: what a wrong operand, dtype, shape, list or spec answers
 * in C, to the letter. */
#include "mistakes.h"

static void callee(void *result, const void *const *operands, void *user) {
  (void)result;
  (void)operands;
  (void)user;
}

static void another(void *result, const void *const *operands, void *user) {
  callee(result, operands, user);
}

/* -- ops: dtypes, shapes, lists -------------------------------------------- */

static void test_ops(void **state) {
  (void)state;
  MISTAKE(AT
          "ls_add: operands have dtypes f64 and f32; use convert (operands %x: "
          "f64[3,4], %f: f32[3])",
          ls_add(b, x, f));
  MISTAKE(AT
          "ls_add: shapes do not agree: f64[3,4] and f64[12] (operands %x: "
          "f64[3,4], f64[12])",
          ls_add(b, x, ls_reshape(b, x, ls_dims(12))));
  MISTAKE(AT "ls_neg: wants numbers, not bool (operand %p: bool[])",
          ls_neg(b, p));
  MISTAKE(AT "ls_exp: wants floats, not i8 (operand %n: i8[5])", ls_exp(b, n));
  MISTAKE(AT "ls_popcount: wants integers, not f64 (operand %x: f64[3,4])",
          ls_popcount(b, x));
  MISTAKE(AT "ls_not: wants bool or integers, not f64 (operand %x: f64[3,4])",
          ls_not(b, x));
  MISTAKE(AT
          "ls_compare: the relation is one of eq ne lt le gt ge, not less; did "
          "you mean lt?",
          ls_compare(b, "less", n, n));
  MISTAKE(AT "ls_compare: the relation is one of eq ne lt le gt ge, not NULL",
          ls_compare(b, NULL, n, n));
  MISTAKE(AT
          "ls_select: the first operand is bool, not f64 (operands %x: "
          "f64[3,4], %x: f64[3,4], %x: f64[3,4])",
          ls_select(b, x, x, x));
  MISTAKE(AT "ls_frobnicate: there is no such op",
          ls_unary_at(LS_HERE, b, "frobnicate", n));
  MISTAKE(AT "ls_square_root: there is no such op",
          ls_unary_at(LS_HERE, b, "square_root", n));
  MISTAKE(AT "ls_sqr: there is no such op; did you mean sqrt?",
          ls_unary_at(LS_HERE, b, "sqr", n));
  MISTAKE(AT "ls_scan: there is no such op",
          ls_unary_at(LS_HERE, b, "scan", n));
  MISTAKE(AT "ls_add: takes 2 operands, not 1 (operand %n: i8[5])",
          ls_unary_at(LS_HERE, b, "add", n));
  MISTAKE(AT "ls_convert: -1 is no dtype", ls_convert(b, x, LS_NO_DTYPE));
  MISTAKE(AT
          "ls_bitcast: f64 and f32 do not have the same width (operand %x: "
          "f64[3,4])",
          ls_bitcast(b, x, LS_F32));
  MISTAKE(AT
          "ls_broadcast: dim 0 of size 3 does not stretch to 5 of f32[4,5] "
          "(operand %f: f32[3])",
          ls_broadcast(b, f, ls_dims(4, 5), ls_dims(1)));
  MISTAKE(
      AT "ls_broadcast: the shape has 65 entries; the most is 64",
      ls_broadcast(b, f, ((ls_ints){.count = LS_MAX_RANK + 1}), ls_dims(1)));
  MISTAKE(AT
          "ls_reshape: 12 elements do not fill f64[5,2], which has 10 (operand "
          "%x: f64[3,4])",
          ls_reshape(b, x, ls_dims(5, 2)));
  MISTAKE(AT "ls_reshape: dim 0 has the negative size -1",
          ls_reshape(b, x, ls_dims(-1)));
  MISTAKE(AT "ls_transpose: perm names dim 0 twice (operand %x: f64[3,4])",
          ls_transpose(b, x, ls_dims(0, 0)));
  MISTAKE(
      AT "ls_reverse: dims=2 is out of range for rank 2 (operand %x: f64[3,4])",
      ls_reverse(b, x, ls_dims(2)));
  MISTAKE(AT "ls_slice: start has 1 entry for rank 2 (operand %x: f64[3,4])",
          ls_slice(b, x, ls_dims(0), ls_dims(2), ls_dims()));
  MISTAKE(AT
          "ls_slice: dim 1: [0, 9) is not within [0, 4) (operand %x: f64[3,4])",
          ls_slice(b, x, ls_dims(0, 0), ls_dims(3, 9), ls_dims()));
  MISTAKE(
      AT
      "ls_pad: dim 0: size 3, low -2, high -2 leave the negative size -1 "
      "(operands %x: f64[3,4], f64[])",
      ls_pad(b, x, ls_number(b, 0), ls_dims(-2, 0), ls_dims(-2, 0), ls_dims()));
  MISTAKE(AT
          "ls_concatenate: operands have dtypes f64 and f32; use convert "
          "(operands %x: f64[3,4], %f: f32[3])",
          ls_concatenate(b, 0, x, f));
  MISTAKE(AT "ls_concatenate: the list of operands is NULL",
          ls_concatenate_at(LS_HERE, b, 0, (ls_values){2, NULL}));
  MISTAKE(AT
          "ls_dynamic_slice: 1 start index for 2 dims (operands %x: f64[3,4], "
          "i32[])",
          ls_dynamic_slice(b, x, ls_dims(2, 2), ls_i32(b, 0)));
  MISTAKE(
      AT "ls_dynamic_slice: the list of starts is NULL",
      ls_dynamic_slice_at(LS_HERE, b, x, ls_dims(2, 2), (ls_values){2, NULL}));
  MISTAKE(AT
          "ls_dynamic_update_slice: the update has rank 1, not 2 (operands %x: "
          "f64[3,4], %v: f64[4]{rows}, i32[], i32[])",
          ls_dynamic_update_slice(b, x, v, ls_number(b, 0), ls_number(b, 0)));
  MISTAKE(AT
          "ls_take: the index is an integer, not f64 (operands %x: f64[3,4], "
          "%a: f64[])",
          ls_take(b, x, a, 0));
  MISTAKE(AT
          "ls_take: dim=5 is out of range for rank 2 (operands %x: f64[3,4], "
          "%n: i8[5])",
          ls_take(b, x, n, 5));
  MISTAKE(AT
          "ls_scatter_add: u is f64[3,4]; for this x, index and dim it must be "
          "f64[5,4] (operands %x: f64[3,4], %n: i8[5], %x: f64[3,4])",
          ls_scatter_add(b, x, n, x, 0));
  MISTAKE(AT "ls_reduce_sum: dims names dim 0 twice (operand %x: f64[3,4])",
          ls_reduce_sum(b, x, ls_dims(0, 0)));
  MISTAKE(AT "ls_reduce_prod: wants numbers, not bool (operand %p: bool[])",
          ls_reduce_prod(b, p, ls_dims()));
  MISTAKE(AT "ls_argmax: a scalar has no dim to search (operand %a: f64[])",
          ls_argmax(b, a, 0));
  MISTAKE(
      AT "ls_cumsum: wants numbers, not bool; use convert (operand %p: bool[])",
      ls_cumsum(b, p, 0, false));
  MISTAKE(AT
          "ls_sort: operand 2 is f32[3], but the keys are f64[3,4]: all have "
          "one shape (operands %x: f64[3,4], %f: f32[3])",
          ls_value sorted[2];
          ls_sort(b, 0, sorted, x, f));
  MISTAKE(AT "ls_sort: the results are NULL",
          ls_sort_at(LS_HERE, b, 0, NULL, LS_VALUES(x)));
  MISTAKE(AT "ls_einsum: the spec is NULL", ls_einsum(b, NULL, x));
  MISTAKE(AT
          "ls_einsum: spec \"ij,jk->ik\": label j has sizes 4 and 3 (operands "
          "%x: f64[3,4], %x: f64[3,4])\n"
          "  ij,jk->ik\n"
          "     ^",
          ls_einsum(b, "ij,jk->ik", x, x));
  MISTAKE(AT
          "ls_einsum: spec \"ij->iq\": label q of the output is in no term; "
          "the terms have ij (operand %x: f64[3,4])\n"
          "  ij->iq\n"
          "       ^",
          ls_einsum(b, "ij->iq", x));
  MISTAKE(AT
          "ls_einsum: spec \"ij\": 1 term for 2 operands (operands %x: "
          "f64[3,4], %x: f64[3,4])\n"
          "  ij\n"
          "  ^",
          ls_einsum(b, "ij", x, x));
  MISTAKE(AT "ls_einsum: accumulate is no dtype",
          ls_einsum_at(LS_HERE, b, (ls_dtype)99, "ij->i", LS_VALUES(x)));
  MISTAKE(AT
          "ls_einsum: accumulate=f32 is not a wider dtype of the kind of f64 "
          "(operand %x: f64[3,4])",
          ls_einsum_wide(b, LS_F32, "ij->i", x));
  MISTAKE(AT "ls_random_split: count=-1 is negative (operand %k: u32[2])",
          ls_random_split(b, k, -1));
  MISTAKE(AT
          "ls_random_fold_in: the data is u32 or i32, not f64 (operands %k: "
          "u32[2], f64[])",
          ls_random_fold_in(b, k, ls_f64(b, 1)));
  MISTAKE(
      AT
      "ls_random_bits: draws u8, u16, u32 or u64, not i32 (operand %k: u32[2])",
      ls_random_bits(b, k, ls_type_of(LS_I32, 4)));
  MISTAKE(AT
          "ls_random_uniform: a key is u32[2], not f32[3] (operand %f: f32[3])",
          ls_random_uniform(b, f, ls_type_of(LS_F64, 4), 0, 1));
  MISTAKE(
      AT "ls_random_uniform: axes are inferred here: the type names none",
      ls_random_uniform(b, k, ls_varying(ls_type_of(LS_F64, 4), "rows"), 0, 1));
  MISTAKE(AT "ls_random_normal: draws floats, not i32 (operand %k: u32[2])",
          ls_random_normal(b, k, ls_type_of(LS_I32, 4)));
  MISTAKE(AT "ls_call: the function norm is NULL",
          ls_call(b, "norm", NULL, NULL, ls_type_of(LS_F64), x));
  MISTAKE(AT "ls_call: a name is letters, digits and _, not 'the norm'",
          ls_call(b, "the norm", callee, NULL, ls_type_of(LS_F64), x));
  MISTAKE(AT
          "ls_call: another function, or the same with another user pointer, "
          "is registered as norm",
          ls_call(b, "norm", callee, NULL, ls_type_of(LS_F64), x);
          ls_call(b, "norm", another, NULL, ls_type_of(LS_F64), x));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ops),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
