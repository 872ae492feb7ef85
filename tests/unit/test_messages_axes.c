/* test_messages_axes: what mistakes with collectives, scans and branches answer
 * in C, to the letter. */
#include "mistakes.h"

static const int64_t numbers[] = {0, 1, 2, 3}, sizes[] = {3, 2};
static const int64_t twice[][2] = {{0, 1}, {1, 1}};
static char many_axes[65 * 5];

/* -- collectives ----------------------------------------------------------- */

static void test_collectives(void **state) {
  (void)state;
  MISTAKE(AT
          "ls_psum: no axis is called 'row'; did you mean rows? axes in scope: "
          "rows = 4, cols = 2",
          ls_psum(b, v, "row"));
  MISTAKE(
      AT
      "ls_psum: no axis is called 'depth'; axes in scope: rows = 4, cols = 2",
      ls_psum(b, v, "depth"));
  MISTAKE(AT "ls_psum: the axis is NULL; axes in scope: rows = 4, cols = 2",
          ls_psum(b, v, NULL));
  MISTAKE(AT "ls_psum: no axis is called ''; axes in scope: rows = 4, cols = 2",
          ls_psum(b, v, ""));
  MISTAKE(AT
          "ls_pmax: axis rows is named twice (operand %v: f64[4]{rows}); axes "
          "in scope: rows = 4, cols = 2",
          ls_pmax(b, v, "rows,rows"));
  MISTAKE(AT
          "ls_psum: takes no dim (operand %v: f64[4]{rows}); axes in scope: "
          "rows = 4, cols = 2",
          ls_psum(b, v, "rows", .dim = 1));
  MISTAKE(AT
          "ls_psum: no axis is called "
          "'a_name_that_no_axis_has_and_that_is_longer_than_what_a_message_sh.."
          ".'; axes in scope: rows = 4, cols = 2",
          ls_psum(b, v,
                  "a_name_that_no_axis_has_and_that_is_longer_than_what_a_"
                  "message_shows_of_it_at_all_or_nearly"));
  MISTAKE(
      AT
      "ls_psum: more than 64 axes are named; axes in scope: rows = 4, cols = 2",
      ls_psum(b, v, many_axes));
  MISTAKE(AT "ls_psum: n_groups=-1 is negative",
          ls_psum(b, v, "rows", .n_groups = -1));
  MISTAKE(AT "ls_psum: groups is NULL, but n_groups=2",
          ls_psum(b, v, "rows", .n_groups = 2));
  MISTAKE(AT
          "ls_psum: 3 groups of one size do not divide the 4 devices of axis "
          "rows; axes in scope: rows = 4, cols = 2",
          ls_psum(b, v, "rows", .n_groups = 3, .groups = numbers));
  MISTAKE(AT
          "ls_psum: group_sizes pass the 4 devices of axis rows; axes in "
          "scope: rows = 4, cols = 2",
          ls_psum(b, v, "rows", .n_groups = 2, .groups = numbers,
                  .group_sizes = sizes));
  MISTAKE(AT
          "ls_psum: groups name device 1 twice (axis rows) (operand %v: "
          "f64[4]{rows}); axes in scope: rows = 4, cols = 2",
          ls_psum(b, v, "rows", .n_groups = 2, .groups = &twice[0][0]));
  MISTAKE(AT
          "ls_all_gather: dim=3 is out of range for rank 2 (operand %v: "
          "f64[4]{rows}); axes in scope: rows = 4, cols = 2",
          ls_all_gather(b, v, "rows", .dim = 3));
  MISTAKE(AT
          "ls_psum_scatter: dim 0 has size 3; axis rows has 4 devices "
          "(tiled=true takes multiples) (operand %x: f64[3,4]); axes in scope: "
          "rows = 4, cols = 2",
          ls_psum_scatter(b, x, "rows"));
  MISTAKE(
      AT
      "ls_psum_scatter: dim 0 of size 3 is not a multiple of the 2 devices of "
      "axis cols (operand %x: f64[3,4]); axes in scope: rows = 4, cols = 2",
      ls_psum_scatter(b, x, "cols", .tiled = true));
  MISTAKE(AT
          "ls_all_to_all: split=5 is out of range for rank 2 (operand %x: "
          "f64[3,4]); axes in scope: rows = 4, cols = 2",
          ls_all_to_all(b, x, "cols", .split = 5));
  MISTAKE(AT "ls_ppermute: n_pairs=-1 is negative",
          ls_ppermute_at(LS_HERE, b, v, "rows", -1, numbers));
  MISTAKE(AT "ls_ppermute: pairs is NULL, but n_pairs=1",
          ls_ppermute_at(LS_HERE, b, v, "rows", 1, NULL));
  MISTAKE(AT
          "ls_ppermute: device 1 is the target of two pairs (axis rows) "
          "(operand %v: f64[4]{rows}); axes in scope: rows = 4, cols = 2",
          ls_ppermute(b, v, "rows", 2, twice));
  MISTAKE(AT
          "ls_pbroadcast: source 4 is not a device of axis rows = 4 (operand "
          "%v: f64[4]{rows}); axes in scope: rows = 4, cols = 2",
          ls_pbroadcast(b, v, "rows", 4));
  MISTAKE(AT
          "ls_axis_index: no axis is called 'row'; did you mean rows? axes in "
          "scope: rows = 4, cols = 2",
          ls_axis_index(b, "row"));
  MISTAKE(AT
          "ls_map: dim 0 has size 3; axis rows has 4 devices (operand %x: "
          "f64[3,4]); axes in scope: rows = 4, cols = 2",
          ls_map(b, x, "rows", 0));
  MISTAKE(AT
          "ls_map: the operand already varies over axis rows (operand %v: "
          "f64[4]{rows}); axes in scope: rows = 4, cols = 2",
          ls_map(b, v, "rows", 0));
  MISTAKE(AT
          "ls_unmap: takes one axis, not 2 (operand %v: f64[4]{rows}); axes in "
          "scope: rows = 4, cols = 2",
          ls_unmap(b, v, "rows,cols", 0));
}

/* -- scans ----------------------------------------------------------------- */

static void test_scans(void **state) {
  (void)state;
  MISTAKE(AT "ls_scan_begin: length=-7 is negative", ls_scan_begin(b, -7));
  MISTAKE(AT "ls_scan_begin: unroll=-1 is negative",
          ls_scan_begin(b, 7, .unroll = -1));
  MISTAKE(AT "ls_scan_end: scan: has neither length= nor xs to give it one",
          ls_scan *s = ls_scan_begin(b, LS_FROM_XS);
          ls_scan_end(s));
  MISTAKE(AT
          "ls_scan_end: scan: the steps disagree: xs number 0 has 3, length=4 "
          "(operand %x: f64[3,4])",
          ls_scan *s = ls_scan_begin(b, 4);
          ls_scan_xs(s, x); ls_scan_end(s));
  MISTAKE(AT "ls_scan_xs: xs is a scalar (f64[]): it has no steps",
          ls_scan *s = ls_scan_begin(b, 4);
          ls_scan_xs(s, a));
  MISTAKE(AT
          "ls_scan_next: carry number 0 starts as f64[3,4] (x) but its next "
          "value is f64[] (a)",
          ls_scan *s = ls_scan_begin(b, 4);
          ls_value c = ls_scan_carry(s, x); ls_scan_next(s, c, a));
  MISTAKE(AT
          "ls_scan_next: carry speed starts as f64[3,4] (made at FILE:N) but "
          "its next value is f32[3,4] (made at FILE:N)",
          ls_value w = ls_neg(b, x);
          ls_scan *s = ls_scan_begin(b, 4);
          ls_value c = ls_named(b, ls_scan_carry(s, w), "speed");
          ls_scan_next(s, c, ls_convert(b, c, LS_F32)));
  MISTAKE(AT "ls_scan_next: carry number 0 has its next value already",
          ls_scan *s = ls_scan_begin(b, 4);
          ls_value c = ls_scan_carry(s, x); ls_scan_next(s, c, c);
          ls_scan_next(s, c, c));
  MISTAKE(
      AT
      "ls_scan_end: carry number 0 has no next value: ls_scan_next is missing",
      ls_scan *s = ls_scan_begin(b, 4);
      ls_scan_carry(s, x); ls_scan_end(s));
  MISTAKE(AT
          "ls_scan_next: this is no carry of the scan: give what ls_scan_carry "
          "returned",
          ls_scan *s = ls_scan_begin(b, 4);
          ls_scan_next(s, x, x));
  MISTAKE(AT "ls_scan_carry: the scan at FILE:N is still open inside this one",
          ls_scan *s = ls_scan_begin(b, 4);
          ls_scan_begin(b, 2); ls_scan_carry(s, x));
  MISTAKE(AT "ls_scan_carry: the scan has ended",
          ls_scan *s = ls_scan_begin(b, 5);
          ls_scan_xs(s, n); ls_scan_end(s); ls_scan_carry(s, x));
  MISTAKE(AT "ls_scan_result: the scan at FILE:N has not ended",
          ls_scan *s = ls_scan_begin(b, 4);
          ls_value c = ls_scan_carry(s, x); ls_scan_result(s, c));
  MISTAKE(AT "ls_scan_result: this is a y of another scan",
          ls_scan *s = ls_scan_begin(b, 3);
          ls_scan_xs(s, x); ls_value y = ls_scan_y(s, a); ls_scan_end(s);
          ls_scan *t = ls_scan_begin(b, 3); ls_scan_end(t);
          ls_scan_result(t, y));
  MISTAKE(AT "ls_builder_finish: the scan that begins here has no ls_scan_end",
          ls_scan_begin(b, 4));
}

/* -- branches -------------------------------------------------------------- */

static void test_branches(void **state) {
  (void)state;
  MISTAKE(AT "ls_while_test: the predicate is f64[], not bool[]",
          ls_while *w = ls_while_begin(b);
          ls_value c = ls_while_carry(w, a); ls_while_test(w, c));
  MISTAKE(AT
          "ls_while_next: the while at FILE:N has no predicate yet: "
          "ls_while_test is missing",
          ls_while *w = ls_while_begin(b);
          ls_value c = ls_while_carry(w, a); ls_while_next(w, c, c));
  MISTAKE(AT "ls_while_carry: the test of the while at FILE:N has ended",
          ls_while *w = ls_while_begin(b);
          ls_while_carry(w, a); ls_while_test(w, p); ls_while_carry(w, a));
  MISTAKE(AT
          "ls_while_end: carry number 0 has no next value: ls_while_next is "
          "missing",
          ls_while *w = ls_while_begin(b);
          ls_while_carry(w, a); ls_while_test(w, p); ls_while_end(w));
  MISTAKE(AT
          "ls_while_next: carry number 0 starts as f64[] (a) but its next "
          "value is f64[3,4] (x)",
          ls_while *w = ls_while_begin(b);
          ls_value c = ls_while_carry(w, a); ls_while_test(w, p);
          ls_while_next(w, c, x));
  MISTAKE(AT "ls_while_next: carry number 0 has its next value already",
          ls_while *w = ls_while_begin(b);
          ls_value c = ls_while_carry(w, a); ls_while_test(w, p);
          ls_while_next(w, c, c); ls_while_next(w, c, c));
  MISTAKE(AT "ls_while_result: the while at FILE:N has not ended",
          ls_while *w = ls_while_begin(b);
          ls_value c = ls_while_carry(w, a); ls_while_test(w, p);
          ls_while_result(w, c));
  MISTAKE(AT
          "ls_while_next: this is no carry of the while: give what "
          "ls_while_carry returned",
          ls_while *w = ls_while_begin(b);
          ls_value c = ls_while_carry(w, a); ls_while_test(w, p);
          ls_while_next(w, x, c));
  MISTAKE(AT
          "ls_builder_finish: the while that begins here has no ls_while_end",
          ls_while_begin(b));
  MISTAKE(AT "ls_cond_begin: the predicate is f64[3,4], not bool[]",
          ls_cond_begin(b, x));
  MISTAKE(
      AT "ls_cond_end: the cond at FILE:N has no else: ls_cond_else is missing",
      ls_cond *c = ls_cond_begin(b, p);
      ls_cond_yield(c, x); ls_cond_end(c));
  MISTAKE(AT "ls_cond_else: the cond has its else already",
          ls_cond *c = ls_cond_begin(b, p);
          ls_cond_yield(c, x); ls_cond_else(c); ls_cond_else(c));
  MISTAKE(AT "ls_cond_yield: then yields only 0 values",
          ls_cond *c = ls_cond_begin(b, p);
          ls_cond_else(c); ls_cond_yield(c, x));
  MISTAKE(
      AT "ls_cond_end: cond: then yields 2 values, else 1 (operand %p: bool[])",
      ls_cond *c = ls_cond_begin(b, p);
      ls_cond_yield(c, x); ls_cond_yield(c, x); ls_cond_else(c);
      ls_cond_yield(c, x); ls_cond_end(c));
  MISTAKE(
      AT "ls_cond_yield: result 0 is f64[] here, but f64[3,4] in then (FILE:N)",
      ls_cond *c = ls_cond_begin(b, p);
      ls_cond_yield(c, x); ls_cond_else(c); ls_cond_yield(c, a));
  MISTAKE(AT "ls_cond_result: there is no result 1: the cond yields 1",
          ls_cond *c = ls_cond_begin(b, p);
          ls_cond_yield(c, x); ls_cond_else(c); ls_cond_yield(c, x);
          ls_cond_end(c); ls_cond_result(c, 1));
  MISTAKE(AT "ls_cond_result: the cond at FILE:N has not ended",
          ls_cond *c = ls_cond_begin(b, p);
          ls_cond_yield(c, x); ls_cond_result(c, 0));
  MISTAKE(AT
          "ls_cond_end: psum: crosses axis rows inside a cond whose predicate, "
          "bool[]{rows}, varies over rows: devices that go another way would "
          "be waited for without end (operand %v: f64[4]{rows}); axes in "
          "scope: rows = 4, cols = 2",
          ls_cond *c = ls_cond_begin(
              b, ls_eq(b, ls_axis_index(b, "rows"), ls_number(b, 0)));
          ls_cond_yield(c, ls_psum(b, v, "rows")); ls_cond_else(c);
          ls_cond_yield(c, v); ls_cond_end(c));
  MISTAKE(AT "ls_builder_finish: the cond that begins here has no ls_cond_end",
          ls_cond_begin(b, p));
  MISTAKE(AT "ls_while_test: the while has ended",
          ls_while *w = ls_while_begin(b);
          ls_value c = ls_while_carry(w, a); ls_while_test(w, p);
          ls_while_next(w, c, c); ls_while_end(w); ls_while_test(w, p));
}

int main(void) {
  for (int i = 0; i < 65; i++) memcpy(many_axes + 5 * i, "cols,", 5);
  many_axes[sizeof many_axes - 1] = 0;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_collectives),
      cmocka_unit_test(test_scans),
      cmocka_unit_test(test_branches),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
