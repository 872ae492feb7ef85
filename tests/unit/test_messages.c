/* test_messages: what mistakes with values and types answer in C, to the
 * letter. What a text file answers is in tests/golden; tests/messages checks
 * that no message lacks a test. */
#include "mistakes.h"

/* -- values: handles, names, C scalars ------------------------------------- */

static void test_values(void **state) {
  (void)state;
  MISTAKE(AT "ls_add: operand 2 is not a value (all zeros)",
          ls_add(b, x, (ls_value){0}));
  MISTAKE(AT "ls_add: operand 1 belongs to another builder",
          ls_add(b, ls_f64(other, 1), x));
  MISTAKE(AT "ls_neg: operand 1 is not a value",
          ls_neg(b, ((ls_value){b, 999})));
  MISTAKE(
      AT
      "ls_neg: operand 1 is what ls_scan_y returned: give it to ls_scan_result",
      ls_scan *s = ls_scan_begin(b, 3);
      ls_scan_xs(s, x); ls_value y = ls_scan_y(s, a); ls_scan_end(s);
      ls_neg(b, y));
  MISTAKE(
      AT
      "ls_neg: operand 1 (unnamed) was made inside the scan at FILE:N and is "
      "not visible here; stack it with ls_scan_y",
      ls_value inside;
      {
        ls_scan *s = ls_scan_begin(b, 3);
        ls_value c = ls_scan_carry(s, a);
        inside = ls_neg(b, c);
        ls_scan_next(s, c, inside);
        ls_scan_end(s);
      } ls_neg(b, inside));
  MISTAKE(
      AT
      "ls_neg: operand 1 (unnamed) was made inside the scan at FILE:N and is "
      "not visible here; ls_scan_result gives its last value",
      ls_value c;
      {
        ls_scan *s = ls_scan_begin(b, 3);
        c = ls_scan_carry(s, a);
        ls_scan_next(s, c, c);
        ls_scan_end(s);
      } ls_neg(b, c));
  MISTAKE(AT "ls_named: a name is letters, digits and _, not 'two words'",
          ls_named(b, x, "two words"));
  MISTAKE(AT "ls_named: a name is letters, digits and _, not 'NULL'",
          ls_named(b, x, NULL));
  MISTAKE(AT "ls_input: there is an input x already (number 0)",
          ls_input_at(LS_HERE, b, "x", ls_type_of(LS_F64)));
  MISTAKE(AT "ls_input: a name is letters, digits and _, not '0'",
          ls_input_at(LS_HERE, b, "0", ls_type_of(LS_F64)));
  MISTAKE(AT "ls_named: there is an input f already (number 1)",
          ls_named(b, x, "f"));
  MISTAKE(AT "ls_output: a name is letters, digits and _, not 'the sum'",
          ls_output(b, "the sum", x));
  MISTAKE(AT "ls_output: the value has no name: give it one here",
          ls_output(b, NULL, ls_neg(b, x)));
  MISTAKE(AT
          "ls_add: an ls_number takes the dtype of the array beside it, and "
          "there is none; say ls_f64, ls_i32, ...",
          ls_add(b, ls_number(b, 1), ls_number(b, 2)));
  MISTAKE(AT "ls_mul: i8 cannot hold the number 0.5",
          ls_mul(b, n, ls_f64(b, 0.5)));
  MISTAKE(AT "ls_add: i8 cannot hold the number 300",
          ls_add(b, n, ls_number(b, 300)));
  MISTAKE(AT "ls_scalar: i8 cannot hold the number 300",
          ls_scalar(b, LS_I8, 300));
  MISTAKE(AT "ls_scalar: 99 is no dtype", ls_scalar(b, (ls_dtype)99, 1));
  MISTAKE(AT "ls_integer: 12 is no integer dtype",
          ls_integer_at(LS_HERE, b, LS_F64, 1));
  MISTAKE(AT "ls_constant: the data is NULL",
          ls_constant(b, ls_type_of(LS_F64, 3), NULL));
  MISTAKE(AT
          "ls_constant: a literal has at most 65536 elements, not 100000; make "
          "it an input, or an ls_splat if all are equal",
          ls_constant(b, ls_type_of(LS_F64, 100000), ""));
  MISTAKE(AT "ls_constant: axes are inferred here: the type names none",
          ls_constant(b, ls_varying(ls_type_of(LS_F64, 1), "rows"), ""));
  MISTAKE(AT "ls_splat: u8 cannot hold the number -1",
          ls_splat(b, ls_type_of(LS_U8, 4), -1));
  MISTAKE(AT "ls_iota: dim=1 is out of range for rank 1",
          ls_iota(b, ls_type_of(LS_I32, 4), 1));
  MISTAKE(AT "ls_iota: wants numbers, not bool",
          ls_iota(b, ls_type_of(LS_BOOL, 4), 0));
  MISTAKE(AT "ls_neg: the builder is finished", ls_output(b, "y", a);
          ls_program_destroy(ls_builder_finish(b)); ls_neg(b, x));
}

/* -- types and axes -------------------------------------------------------- */

static void test_types_and_axes(void **state) {
  (void)state;
  MISTAKE(AT "ls_input: the type has no dtype",
          ls_input_at(LS_HERE, b, "z", ((ls_type){.dtype = LS_NO_DTYPE})));
  MISTAKE(AT "ls_input: the type has rank 65; the most is 64",
          ls_input_at(LS_HERE, b, "z",
                      ((ls_type){.dtype = LS_F64, .rank = LS_MAX_RANK + 1})));
  MISTAKE(AT "ls_input: dim 1 of the type has the negative size -3",
          ls_input_at(LS_HERE, b, "z", ls_type_of(LS_F64, 2, -3)));
  MISTAKE(AT
          "ls_input: no axis is called 'row'; did you mean rows? axes in "
          "scope: rows = 4, cols = 2",
          ls_input_at(LS_HERE, b, "z", ls_varying(ls_type_of(LS_F64), "row")));
  MISTAKE(
      AT
      "ls_input: axis rows is named twice; axes in scope: rows = 4, cols = 2",
      ls_input_at(LS_HERE, b, "z",
                  ls_varying(ls_type_of(LS_F64), "rows,rows")));
  MISTAKE(AT
          "ls_input: no axis is called ''; axes in scope: rows = 4, cols = 2",
          ls_input_at(LS_HERE, b, "z", ls_varying(ls_type_of(LS_F64), "")));
  MISTAKE(
      AT
      "ls_input: z: f64[4000000000,4000000000] does not fit in 2^63 bytes: it "
      "takes 128000000000000000000 bytes",
      ls_input_at(LS_HERE, b, "z", ls_type_of(LS_F64, 4000000000, 4000000000)));
  MISTAKE(AT "ls_axis_declare: axis rows is declared twice",
          ls_axis_declare(b, "rows", 3));
  MISTAKE(
      AT "ls_axis_declare: axis deep has size 0; an axis has at least 1 device",
      ls_axis_declare(b, "deep", 0));
  MISTAKE(AT "ls_axis_declare: a name is letters, digits and _, not 'no name'",
          ls_axis_declare(b, "no name", 3));
  MISTAKE(AT "ls_axis_declare: a name is letters, digits and _, not 'NULL'",
          ls_axis_declare(b, NULL, 3));
  MISTAKE(AT "ls_input: not inside a scan: the one at FILE:N is open",
          ls_scan *s = ls_scan_begin(b, 3);
          ls_input_at(LS_HERE, b, "z", ls_type_of(LS_F64)); (void)s);
  MISTAKE(AT "ls_output: not inside a while: the one at FILE:N is open",
          ls_while *w = ls_while_begin(b);
          ls_output(b, "y", x); (void)w);
  MISTAKE(
      AT "ls_axis_declare: axis a64: a program has at most 64 axes",
      for (int i = 2; i < 65; i++) {
        char name[8];
        snprintf(name, sizeof name, "a%d", i);
        ls_axis_declare(b, name, 1);
      });
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values),
      cmocka_unit_test(test_types_and_axes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
