/* test_machine.c: the clock, the cores, the peaks; OpenBLAS's thread count. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "runtime/runtime.h"

extern void openblas_set_num_threads(int threads);
extern int openblas_get_num_threads(void);

static void measures(void **state) {
  (void)state;
  Machine machine;
  double start = rt_now();
  rt_machine_measure(&machine);
  assert_true(rt_now() > start);
  assert_true(machine.peak_gflops > 0.1);
  assert_true(machine.peak_gbps > 0.1);
  assert_int_equal(machine.cores, rt_cores());
  assert_true(rt_memory_bytes() > 0);
}

static void respects_affinity(void **state) {
  (void)state;
  cpu_set_t before, one;
  assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
  assert_true(rt_cores() >= 1 && rt_cores() <= CPU_COUNT(&before));
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; cpu++)
    if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
  assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
  assert_int_equal(rt_cores(), 1);
  assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

static void restores_blas_threads(void **state) {
  (void)state;
  openblas_set_num_threads(2);
  rt_blas_enter();
  assert_int_equal(openblas_get_num_threads(), 1);
  rt_blas_enter();
  rt_blas_leave();
  assert_int_equal(openblas_get_num_threads(), 1);
  rt_blas_leave();
  assert_int_equal(openblas_get_num_threads(), 2);
  openblas_set_num_threads(1);
  rt_blas_enter();
  rt_blas_leave();
  assert_int_equal(openblas_get_num_threads(), 1);
}

static void *enter_and_leave(void *context) {
  (void)context;
  for (int i = 0; i < 10000; i++) {
    rt_blas_enter();
    rt_blas_leave();
  }
  return NULL;
}

static void counts_across_threads(void **state) {
  (void)state;
  pthread_t threads[4];
  openblas_set_num_threads(2);
  rt_blas_enter();
  for (int i = 0; i < 4; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, enter_and_leave, NULL),
                     0);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  assert_int_equal(openblas_get_num_threads(), 1);
  rt_blas_leave();
  assert_int_equal(openblas_get_num_threads(), 2);
}

/* A child forked while runs are in flight has none, and runs as well. */
static void survives_fork(void **state) {
  (void)state;
  openblas_set_num_threads(2);
  rt_blas_enter();
  pid_t child = fork();
  if (child == 0) {
    rt_blas_enter();
    int within = openblas_get_num_threads();
    rt_blas_leave();
    _exit(within == 1 ? 0 : 1);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  rt_blas_leave();
  assert_int_equal(openblas_get_num_threads(), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(measures),
      cmocka_unit_test(respects_affinity),
      cmocka_unit_test(restores_blas_threads),
      cmocka_unit_test(counts_across_threads),
      cmocka_unit_test(survives_fork),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
