/* test_cost.c: the price of a plan, counted by hand. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "passes/passes.h"

static const char plan[] =
    "stage kernels\n"
    "program @p(%J: f64[8,4,4], %y0: f64[8,4,1], %i: i32[]) {\n"
    "  %eps = constant 1e-06 : f64[]\n"
    "  %y = scan length=10, carry(%c = %y0), at=[result] {\n"
    "    %d = kernel form=contract, by=inline, at=[0] {\n"
    "      %r = einsum %J, %c, spec=\"amn,ani->ami\" : f64[8,4,1]\n"
    "      %m = mul %eps, %r : f64[8,4,1]\n"
    "      yield %m\n"
    "    } : f64[8,4,1]\n"
    "    %u = kernel form=reduce, at=[320] {\n"
    "      %s = reduce_sum %d, dims=[0] : f64[4,1]\n"
    "      yield %s\n"
    "    } : f64[4,1]\n"
    "    %n = kernel form=map, at=[carry] {\n"
    "      %b = broadcast %u, dims=[1,2] : f64[8,4,1]\n"
    "      %a = add %c, %b : f64[8,4,1]\n"
    "      yield %a\n"
    "    } : f64[8,4,1]\n"
    "    yield carry(%n)\n"
    "  } : f64[8,4,1]\n"
    "  %k = kernel form=map, at=[result] {\n"
    "    %t = slice %J, start=[0,0,0], limit=[1,1,4] : f64[1,1,4]\n"
    "    yield %t\n"
    "  } : f64[1,1,4]\n"
    "  return %y, %k\n"
    "}\n";

static Program *parse(const char *text) {
  Program *program = ir_parse(text, strlen(text), "plan", NULL, 0);
  assert_non_null(program);
  if (program->error.failed) fail_msg("%s", program->error.message);
  return program;
}

static void counts_by_hand(void **state) {
  (void)state;
  Program *program = parse(plan);
  ProgramCost cost;
  assert_true(pass_cost(program, &cost));
  assert_int_equal(cost.n_kernels, 4);
  assert_int_equal(cost.n_blas, 0);
  const struct {
    int64_t runs;
    double flops, bytes;
  } want[] = {
      {10, 8 * 4 * 4 * 2 + 8 * 4, 8 * (128 + 32 + 32)},
      {10, 32, 8 * (32 + 4)},
      {10, 32, 8 * (32 + 4 + 32)},
      {1, 0, 8 * (4 + 4)}, /* of J only the slice is read */
  };
  double flops = 0, bytes = 0;
  for (int i = 0; i < 4; i++) {
    assert_int_equal(cost.kernels[i].runs, want[i].runs);
    assert_true(cost.kernels[i].flops == want[i].flops);
    assert_true(cost.kernels[i].bytes == want[i].bytes);
    flops += (double)want[i].runs * want[i].flops;
    bytes += (double)want[i].runs * want[i].bytes;
  }
  assert_true(cost.flops == flops);
  assert_true(cost.bytes == bytes);
  assert_int_equal(cost.arena_bytes, 320 + 4 * 8);
  assert_int_equal(pass_arena_bytes(program), cost.arena_bytes);
  pass_cost_free(&cost);
  ir_program_destroy(program);
}

static void nothing_costs_nothing(void **state) {
  (void)state;
  Program *program =
      parse("stage kernels\nprogram @p(%x: f64[2]) { return %x }\n");
  ProgramCost cost;
  assert_true(pass_cost(program, &cost));
  assert_int_equal(cost.n_kernels, 0);
  assert_int_equal(cost.arena_bytes, 0);
  pass_cost_free(&cost);
  pass_cost_free(&cost);
  ir_program_destroy(program);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_by_hand),
      cmocka_unit_test(nothing_costs_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
