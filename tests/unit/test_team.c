/* test_team.c: several threads walk one function.
 *
 * The same bits for any number of threads, also more than there are cores; no
 * meeting may be missing; forks, many host threads at once, and how many
 * threads a run takes. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "codegen/codegen.h"
#include "runtime/runtime.h"

enum { MOST = 4, ROOM = 1 << 20 };

/* -- programs ---------------------------------------------------------- */

static const char *const programs[] = {
    /* Products that read the whole carry; rows that stay where they are. */
    "program @chain(%x: f64[96,80], %w: f64[96,96]) {\n"
    "  %y, %ys = scan length=9, carry(%c = %x) {\n"
    "    %p = einsum %w, %c, spec=\"mk,kn->mn\"\n"
    "    %t = tanh %p\n"
    "    %m = reduce_max %t, dims=[1]\n"
    "    %b = broadcast %m, dims=[0] : f64[96,80]\n"
    "    %s = sub %t, %b\n"
    "    %e = exp %s\n"
    "    %z = reduce_sum %e, dims=[1]\n"
    "    %d = broadcast %z, dims=[0] : f64[96,80]\n"
    "    %n = div %e, %d\n"
    "    yield carry(%n), ys(%z)\n"
    "  }\n"
    "  %q = transpose %y, perm=[1,0]\n"
    "  %r = add %q, %q\n"
    "  return %r, %ys\n"
    "}\n",
    /* Halves that swap, a batch, an odd size, a sum of all. */
    "program @swap(%x: f32[5,33,7], %w: f32[5,33,7]) {\n"
    "  %a, %b = scan length=6, carry(%c = %x, %d = %w) {\n"
    "    %r = reverse %c, dims=[0,1]\n"
    "    %s = sin %r\n"
    "    %v = add %s, %d\n"
    "    %t = reduce_sum %v, dims=[0,1,2]\n"
    "    %u = broadcast %t, dims=[] : f32[5,33,7]\n"
    "    %n = div %v, %u\n"
    "    yield carry(%d, %n)\n"
    "  }\n"
    "  %p = einsum %a, %b, spec=\"bij,bkj->bik\"\n"
    "  return %p, %a\n"
    "}\n",
    /* Predicates that depend on what the team has written. */
    "program @control(%x: f64[40,40], %w: f64[40,40]) {\n"
    "  %many = constant 12 : f64[]\n"
    "  %one = constant 1 : f64[]\n"
    "  %zero = constant 0 : f64[]\n"
    "  %k, %y = while carry(%i = %zero, %c = %x) cond {\n"
    "    %go = compare %i, %many, op=lt\n"
    "    yield %go\n"
    "  } do {\n"
    "    %j = add %i, %one\n"
    "    %t = transpose %c, perm=[1,0]\n"
    "    %m = reduce_max %t, dims=[0,1]\n"
    "    %p = compare %m, %one, op=gt\n"
    "    %n = cond %p then {\n"
    "      %h = div %t, %m\n"
    "      yield %h\n"
    "    } else {\n"
    "      %g = einsum %t, %w, spec=\"mk,kn->mn\"\n"
    "      yield %g\n"
    "    }\n"
    "    yield carry(%j, %n)\n"
    "  }\n"
    "  return %y, %k\n"
    "}\n",
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

static Program *parse(const char *text) {
  Program *program = ir_parse(text, strlen(text), "test", NULL, 0);
  assert_non_null(program);
  return program;
}

/* -- runs -------------------------------------------------------------- */

typedef struct Arrays {
  void *in[MOST], *out[MOST];
  size_t bytes[MOST];
  int n_in, n_out;
} Arrays;

static void make_arrays(Arrays *arrays, const Program *program) {
  const Block *body = program->body;
  *arrays = (Arrays){.n_in = body->n_params, .n_out = body->n_yields};
  for (int i = 0; i < body->n_params; i++) {
    Type type = body->params[i]->type;
    size_t each = ir_dtype_bytes(type.dtype);
    arrays->in[i] = calloc(1, (size_t)ir_type_bytes(type) + 1);
    assert_non_null(arrays->in[i]);
    for (int64_t k = 0; k < ir_type_elements(type); k++)
      ir_scalar_store(type.dtype, (char *)arrays->in[i] + (size_t)k * each,
                      (Scalar){.f = (double)(k * 37 % 101) / 64 - 0.5});
  }
  for (int i = 0; i < body->n_yields; i++) {
    arrays->bytes[i] = (size_t)ir_type_bytes(body->yields[i]->type);
    arrays->out[i] = calloc(1, arrays->bytes[i] + 1);
    assert_non_null(arrays->out[i]);
  }
}

static void free_arrays(Arrays *arrays) {
  for (int i = 0; i < arrays->n_in; i++) free(arrays->in[i]);
  for (int i = 0; i < arrays->n_out; i++) free(arrays->out[i]);
}

static bool same_results(const Arrays *a, const Arrays *b) {
  for (int i = 0; i < a->n_out; i++)
    if (memcmp(a->out[i], b->out[i], a->bytes[i]) != 0) return false;
  return true;
}

static Executable *compile(const Program *planned, Options options) {
  char *error = NULL;
  Executable *executable = cg_compile(planned, &options, NULL, &error);
  if (executable == NULL) fail_msg("%s", error);
  return executable;
}

static void run(const Executable *executable, Arrays *arrays) {
  size_t bytes = (cg_arena_bytes(executable) + 127) / 64 * 64;
  void *arena = aligned_alloc(64, bytes);
  assert_non_null(arena);
  rt_blas_enter();
  cg_run(executable, (const void *const *)arrays->in, arrays->out, arena);
  rt_blas_leave();
  free(arena);
}

static Options dealing(Numerics numerics, int threads) {
  return (Options){.numerics = numerics, .threads = threads, .deal_all = true};
}

static Program *planned_for(const char *text, Numerics numerics) {
  Program *program = parse(text);
  Options options = dealing(numerics, 1);
  Program *planned = pass_run(program, &options, pass_count - 1, NULL, NULL);
  ir_program_destroy(program);
  assert_non_null(planned);
  if (planned->error.failed) fail_msg("%s", planned->error.message);
  return planned;
}

static void test_same_bits(void **state) {
  (void)state;
  for (int p = 0; p < PROGRAMS * 2; p++) {
    Numerics numerics = p % 2 ? NUMERICS_STRICT : NUMERICS_FAST;
    Program *planned = planned_for(programs[p / 2], numerics);
    assert_true(ir_has_team(planned->body));
    Arrays first, next;
    make_arrays(&first, planned);
    make_arrays(&next, planned);
    for (int threads = 1; threads <= 4; threads++) {
      Executable *executable = compile(planned, dealing(numerics, threads));
      assert_int_equal(cg_threads(executable), threads);
      run(executable, threads == 1 ? &first : &next);
      if (threads > 1 && !same_results(&first, &next))
        fail_msg("%d threads make other bits of\n%s", threads, programs[p / 2]);
      cg_destroy(executable);
    }
    if (numerics == NUMERICS_STRICT) {
      Program *program = parse(programs[p / 2]);
      assert_null(rt_evaluate(program, (const void *const *)next.in, next.out));
      assert_true(same_results(&first, &next));
      ir_program_destroy(program);
    }
    free_arrays(&first);
    free_arrays(&next);
    ir_program_destroy(planned);
  }
}

/* -- meetings ---------------------------------------------------------- */

/* The text without its number n `sync=true`; NULL: it has fewer. */
static char *without_sync(const char *text, int n) {
  static const char sync[] = "sync=true, ";
  const char *at = strstr(text, sync);
  while (at && n-- > 0) at = strstr(at + 1, sync);
  if (at == NULL) return NULL;
  char *changed = malloc(strlen(text) + 1);
  assert_non_null(changed);
  memcpy(changed, text, (size_t)(at - text));
  strcpy(changed + (at - text), at + sizeof sync - 1);
  return changed;
}

/* Whatever the verifier lets pass must run to the same bits. */
static bool is_refused(const char *text, const Program *planned) {
  Program *program = parse(text);
  bool refused = !ir_verify(program);
  if (!refused) {
    Arrays wanted, got;
    make_arrays(&wanted, planned);
    make_arrays(&got, planned);
    Executable *alone = compile(planned, dealing(NUMERICS_FAST, 1));
    Executable *team = compile(program, dealing(NUMERICS_FAST, 3));
    run(alone, &wanted);
    for (int i = 0; i < 5; i++) {
      run(team, &got);
      assert_true(same_results(&wanted, &got));
    }
    cg_destroy(alone);
    cg_destroy(team);
    free_arrays(&wanted);
    free_arrays(&got);
  }
  ir_program_destroy(program);
  return refused;
}

static void test_dropped_meetings(void **state) {
  (void)state;
  int dropped = 0, refused = 0;
  for (int p = 0; p < PROGRAMS; p++) {
    Program *planned = planned_for(programs[p], NUMERICS_FAST);
    char *text = ir_print(planned, 0), *changed;
    assert_non_null(text);
    for (int n = 0; (changed = without_sync(text, n)); n++) {
      refused += is_refused(changed, planned);
      dropped++;
      free(changed);
    }
    free(text);
    ir_program_destroy(planned);
  }
  assert_true(dropped >= 6);
  assert_true(4 * refused >= 3 * dropped);
}

/* -- host threads and forks -------------------------------------------- */

typedef struct Host {
  const Executable *executable;
  const Program *planned;
  const Arrays *wanted;
  atomic_int *wrong;
} Host;

static void *run_often(void *argument) {
  const Host *host = argument;
  Arrays arrays;
  make_arrays(&arrays, host->planned);
  for (int i = 0; i < 10; i++) {
    run(host->executable, &arrays);
    *host->wrong += !same_results(host->wanted, &arrays);
  }
  free_arrays(&arrays);
  return NULL;
}

static void test_many_hosts(void **state) {
  (void)state;
  enum { HOSTS = 8 };
  atomic_int wrong = 0;
  Program *planned = planned_for(programs[0], NUMERICS_FAST);
  Executable *executable = compile(planned, dealing(NUMERICS_FAST, 3));
  Arrays wanted;
  pthread_t threads[HOSTS];
  make_arrays(&wanted, planned);
  run(executable, &wanted);
  Host host = {executable, planned, &wanted, &wrong};
  for (int i = 0; i < HOSTS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, run_often, &host), 0);
  for (int i = 0; i < HOSTS; i++) pthread_join(threads[i], NULL);
  assert_int_equal(wrong, 0);
  free_arrays(&wanted);
  cg_destroy(executable);
  ir_program_destroy(planned);
}

/* Run, fork, run in the child; destroy in both. */
static void test_fork(void **state) {
  (void)state;
  Program *planned = planned_for(programs[0], NUMERICS_FAST);
  Executable *executable = compile(planned, dealing(NUMERICS_FAST, 3));
  Arrays wanted, got;
  int status;
  make_arrays(&wanted, planned);
  make_arrays(&got, planned);
  run(executable, &wanted);
  pid_t child = fork();
  if (child == 0) {
    alarm(60);
    run(executable, &got);
    bool same = same_results(&wanted, &got);
    cg_destroy(executable);
    _exit(same ? 0 : 1);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  run(executable, &got);
  assert_true(same_results(&wanted, &got));
  cg_destroy(executable);
  free_arrays(&wanted);
  free_arrays(&got);
  ir_program_destroy(planned);
}

/* -- how many ---------------------------------------------------------- */

static void test_limits(void **state) {
  (void)state;
  int cores = rt_cores();
  cpu_set_t before, one;
  unsetenv("LOCKSTEP_NUM_THREADS");
  assert_int_equal(rt_team_size(0), cores);
  assert_int_equal(rt_team_size(1), 1);
  assert_int_equal(rt_team_size(cores + 5), cores);
  setenv("LOCKSTEP_NUM_THREADS", "1", 1);
  assert_int_equal(rt_team_size(0), 1);
  assert_int_equal(rt_team_size(2), 1);
  setenv("LOCKSTEP_NUM_THREADS", "1000000", 1);
  assert_int_equal(rt_team_size(0), cores);
  setenv("LOCKSTEP_NUM_THREADS", "some", 1);
  assert_int_equal(rt_team_size(0), cores);
  unsetenv("LOCKSTEP_NUM_THREADS");
  assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
  CPU_ZERO(&one);
  for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
    if (CPU_ISSET(i, &before)) CPU_SET(i, &one);
  assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
  assert_int_equal(rt_team_size(0), 1);
  sched_setaffinity(0, sizeof before, &before);
}

/* -- meetings themselves ----------------------------------------------- */

enum { ROUNDS = 2000, THREADS = 4 };
typedef struct Rounds {
  int written[THREADS]; /* plain: the meetings order the accesses */
  atomic_int wrong;
} Rounds;

static void go_round(const RtTeam *team, void *context) {
  Rounds *rounds = context;
  for (int i = 1; i <= ROUNDS; i++) {
    rounds->written[team->number] = i;
    lockstep_meet(team);
    for (int t = 0; t < team->count; t++)
      if (rounds->written[t] != i) rounds->wrong++;
    lockstep_meet(team);
  }
}

static void test_meetings(void **state) {
  (void)state;
  Rounds rounds = {.wrong = 0};
  rt_team_hold();
  for (int threads = 1; threads <= THREADS; threads++)
    rt_team_run(threads, go_round, &rounds);
  rt_team_release();
  assert_int_equal(rounds.wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_meetings),
      cmocka_unit_test(test_same_bits),
      cmocka_unit_test(test_dropped_meetings),
      cmocka_unit_test(test_many_hosts),
      cmocka_unit_test(test_fork),
      cmocka_unit_test(test_limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
