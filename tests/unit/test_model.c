/* test_model.c: counts of operations, prices and predictions: what they are
 * for known programs, and that more work never costs less. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "frontend/hardware.h"
#include "passes/model.h"
#include "runtime/runtime.h"

static Type type_of(DType dtype, int rank, const int64_t *dims) {
  return (Type){.dtype = dtype, .rank = rank, .dims = dims};
}
#define TYPE(dtype, ...)                                             \
  type_of(dtype, sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), \
          (int64_t[]){__VA_ARGS__})

/* -- counts ------------------------------------------------------------ */

static void counts_einsums(void **state) {
  (void)state;
  Type a = TYPE(DT_F64, 3, 5), b = TYPE(DT_F64, 5, 7), c = TYPE(DT_F64, 7, 2);
  const struct {
    const char *spec;
    int n;
    Type operands[3];
    double flops;
  } rows[] = {
      {"mk,kn->mn", 2, {a, b}, 2 * 3 * 5 * 7},
      {"km,kn->nm", 2, {b, TYPE(DT_F64, 5, 4)}, 2 * 5 * 7 * 4},
      {"mn,m->mn", 2, {a, TYPE(DT_F64, 3)}, 3 * 5}, /* no sum */
      {"mn->m", 1, {a}, 3 * 5},                     /* sums only */
      {"mn->nm", 1, {a}, 0},                        /* moves only */
      {"ij,jk,kl->il", 3, {a, b, c}, 2 * (3 * 5 * 7 + 3 * 7 * 2)},
      {"mx,n->mn", 2, {a, TYPE(DT_F64, 4)}, 3 * 5 + 3 * 4}, /* x is alone */
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    double flops = pass_einsum_flops(rows[i].spec, rows[i].n, rows[i].operands);
    if (flops != rows[i].flops)
      fail_msg("%s: %g, not %g", rows[i].spec, flops, rows[i].flops);
  }
}

static void counts_ops(void **state) {
  (void)state;
  Type x = TYPE(DT_F64, 4, 6), y = TYPE(DT_F64, 4);
  assert_true(pass_op_work(OP_add, NULL, x, 2, (Type[]){x, x}) == 24);
  assert_true(pass_op_work(OP_tanh, NULL, x, 1, &x) > 5 * 24);
  assert_true(pass_op_work(OP_reduce_sum, NULL, y, 1, &x) == 24);
  assert_true(pass_op_work(OP_transpose, NULL, x, 1, &x) == 0);
  assert_true(pass_op_work(OP_einsum, "mn,mn->m", y, 2, (Type[]){x, x}) == 48);
  int64_t size[] = {2, 3, 5};
  assert_true(pass_extent(0, size) == 1);
  assert_true(pass_extent(5, size) == 10);
}

/* -- prices ------------------------------------------------------------ */

static void more_costs_no_less(void **state) {
  (void)state;
  const Hardware any = {0}, host = *front_hardware();
  for (int h = 0; h < 2; h++) {
    const Hardware *machine = h ? &host : &any;
    double before = 0;
    for (double touched = 1024; touched < 1e12; touched *= 1.1) {
      double cycles = pass_cycles(machine, 1e3, 1e6, touched);
      assert_true(cycles >= before);
      assert_true(cycles < before * 2 || before == 0); /* no cliffs */
      assert_true(pass_cycles(machine, 1e3, 2e6, touched) >= cycles);
      assert_true(pass_cycles(machine, 1e9, 1e6, touched) >= cycles);
      for (int threads = 2; threads < 64; threads *= 2) {
        Hardware team = pass_team(machine, threads);
        assert_true(pass_cycles(&team, 1e3, 1e6, touched) <= cycles);
      }
      before = cycles;
    }
    assert_int_equal(pass_level(machine, 1), 0);
    assert_int_equal(pass_level(machine, 1e15), 3);
  }
}

static void unknown_is_modest(void **state) {
  (void)state;
  const Hardware none = {0}, partly = {.cache = {1 << 20}};
  Hardware machine = pass_machine(&none);
  assert_true(machine.flops > 0 && machine.vector > 0 && machine.memory > 0);
  assert_true(pass_memory(&none) == (double)machine.memory);
  for (int i = 1; i < 4; i++)
    assert_true(machine.bandwidth[i] < machine.bandwidth[i - 1]);
  assert_int_equal(pass_machine(&partly).cache[0], 1 << 20);
  assert_int_equal(pass_machine(&partly).cache[2], machine.cache[2]);
}

/* -- predictions ------------------------------------------------------- */

/* A step of `chain` additions, one after the other, on `n` elements. */
static ProgramCost predicted(int chain, int n, int length, const char *op) {
  char text[8192];
  int at = snprintf(text, sizeof text,
                    "program @p(%%x: f64[%d]) {\n"
                    "  %%y = scan length=%d, carry(%%v0 = %%x) {\n",
                    n, length);
  for (int i = 0; i < chain; i++)
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "    %%v%d = %s %%v%d%s\n", i + 1, op, i,
                   op[0] == 'a' ? ", %x" : "");
  snprintf(text + at, sizeof text - (size_t)at,
           "    yield carry(%%v%d)\n  }\n  return %%y\n}\n", chain);
  const Options options = {.without = UINT64_C(1) << pass_find("interchange")};
  const Hardware modest = {0};
  Program *program = ir_parse(text, strlen(text), "p", NULL, 0);
  assert_non_null(program);
  if (program->error.failed) fail_msg("%s", program->error.message);
  Program *planned = pass_run(program, &options, pass_count - 1, NULL, NULL);
  assert_true(planned && !planned->error.failed);
  ProgramCost cost;
  assert_true(pass_cost(planned, &cost));
  assert_true(pass_predict(planned, &modest, 1, &cost));
  for (int i = 0; i < cost.n_kernels; i++)
    assert_true(cost.kernels[i].cycles > 0);
  free(cost.kernels);
  cost.kernels = NULL;
  ir_program_destroy(planned);
  ir_program_destroy(program);
  return cost;
}

static void predicts_latency(void **state) {
  (void)state;
  ProgramCost cost = predicted(20, 1, 1000, "add");
  assert_int_equal(cost.bound, BOUND_LATENCY);
  assert_true(cost.cycles >= 1000 * 20 * 3);
  assert_true(predicted(40, 1, 1000, "add").cycles > 1.5 * cost.cycles);
}

static void predicts_what_binds(void **state) {
  (void)state;
  assert_int_equal(predicted(1, 1 << 24, 10, "add").bound, BOUND_MEMORY);
  assert_int_equal(predicted(1, 1 << 14, 10, "add").bound, BOUND_L2);
  assert_int_equal(predicted(2, 1 << 14, 10, "tanh").bound, BOUND_FUNCTIONS);
  assert_int_equal(predicted(64, 1 << 9, 10, "add").bound, BOUND_ARITHMETIC);
}

static void predictions_grow(void **state) {
  (void)state;
  double before = 0;
  for (int n = 1; n <= 1 << 24; n *= 4) {
    double cycles = predicted(8, n, 10, "add").cycles;
    assert_true(cycles >= before);
    before = cycles;
  }
  double one = predicted(8, 64, 100, "add").cycles;
  double ten = predicted(8, 64, 1000, "add").cycles;
  assert_true(ten > 9 * one && ten < 11 * one);
}

/* -- the host ---------------------------------------------------------- */

static void write_file(const char *folder, const char *name, const char *text) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void make_cache(const char *root, int index, const char *level,
                       const char *type, const char *size) {
  char folder[256];
  snprintf(folder, sizeof folder, "%s/index%d", root, index);
  assert_int_equal(mkdir(folder, 0700), 0);
  write_file(folder, "level", level);
  write_file(folder, "type", type);
  if (size) write_file(folder, "size", size);
}

static void remove_tree(const char *root) {
  char command[300];
  snprintf(command, sizeof command, "rm -r '%s'", root);
  assert_int_equal(system(command), 0);
}

static void reads_listed_caches(void **state) {
  (void)state;
  char root[] = "/tmp/lockstep-caches-XXXXXX";
  assert_non_null(mkdtemp(root));
  make_cache(root, 0, "1\n", "Instruction\n", "16K\n");
  make_cache(root, 1, "1\n", "Data\n", "48K\n");
  make_cache(root, 2, "2\n", "Unified\n", "2M\n");
  make_cache(root, 3, "3\n", "Unified\n", NULL);
  assert_int_equal(rt_cache_listed(root, 1), 48 << 10);
  assert_int_equal(rt_cache_listed(root, 2), 2 << 20);
  assert_int_equal(rt_cache_listed(root, 3), 0);
  assert_int_equal(rt_cache_listed(root, 4), 0);
  assert_int_equal(rt_cache_listed("/nonexistent", 1), 0);
  remove_tree(root);
  assert_int_equal(rt_cache_bytes(0), 0);
  assert_int_equal(rt_cache_bytes(4), 0);
}

static void reads_memory_limits(void **state) {
  (void)state;
  char root[] = "/tmp/lockstep-groups-XXXXXX", inner[64];
  assert_non_null(mkdtemp(root));
  snprintf(inner, sizeof inner, "%s/job", root);
  assert_int_equal(mkdir(inner, 0700), 0);
  assert_int_equal(rt_group_memory(root, "/job", "memory.max"), 0);
  write_file(inner, "memory.max", "max\n");
  assert_int_equal(rt_group_memory(root, "/job", "memory.max"), 0);
  write_file(root, "memory.max", "1048576\n");
  assert_int_equal(rt_group_memory(root, "/job", "memory.max"), 1 << 20);
  write_file(inner, "memory.max", "4096\n");
  assert_int_equal(rt_group_memory(root, "/job", "memory.max"), 4096);
  assert_int_equal(rt_group_memory(root, "", "memory.max"), 1 << 20);
  remove_tree(root);
  assert_true(rt_memory_allowed() > 0);
  assert_true(rt_memory_allowed() <= rt_memory_bytes());
}

static void knows_the_host(void **state) {
  (void)state;
  const Hardware *host = front_hardware();
  assert_ptr_equal(host, front_hardware());
  assert_true(host->vector >= 16 && host->flops >= 4);
  for (int i = 1; i < 4; i++)
    assert_true(host->bandwidth[i] <= host->bandwidth[i - 1]);
}

static void keeps_a_clock_in_order(void **state) {
  (void)state;
  const Hardware *host = front_hardware();
  assert_true(front_clock(host, NULL).cycles_per_ms == 3e6);
  const Machine odd = {.clock_ghz = 2,
                       .peak_gflops = 32,
                       .peak_gbps = 500,
                       .cache_gbps = {100, 0, 40}};
  Clock clock = front_clock(host, &odd);
  assert_true(clock.cycles_per_ms == 2e6 && clock.hardware.flops == 16);
  assert_true(clock.hardware.bandwidth[0] == 50);
  for (int i = 1; i < 4; i++)
    assert_true(clock.hardware.bandwidth[i] <= clock.hardware.bandwidth[i - 1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_einsums),
      cmocka_unit_test(counts_ops),
      cmocka_unit_test(more_costs_no_less),
      cmocka_unit_test(unknown_is_modest),
      cmocka_unit_test(predicts_latency),
      cmocka_unit_test(predicts_what_binds),
      cmocka_unit_test(predictions_grow),
      cmocka_unit_test(reads_listed_caches),
      cmocka_unit_test(reads_memory_limits),
      cmocka_unit_test(knows_the_host),
      cmocka_unit_test(keeps_a_clock_in_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
