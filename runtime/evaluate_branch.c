/* evaluate_branch.c: while and cond, and the masks that their bodies run under
 * where a predicate varies.
 *
 * What comes out is what each device would have got running alone, although
 * all devices of a node run before the next node.  So a mask says who takes
 * part.  Both branches of a cond run, each for its own devices; a while goes on
 * as long as it has any, and a device that does not go on keeps its carry.  In
 * an inner body the masks join: a while there asks nobody who is not in, or it
 * might never end.
 */
#include <stdlib.h>
#include <string.h>

#include "evaluate.h"

/* -- masks ------------------------------------------------------------- */

bool rt_is_in(const Evaluation *evaluation, uint64_t axes,
              const int64_t *device) {
  const Mask *mask = evaluation->mask;
  if (!mask) return true;
  const Program *program = evaluation->program;
  uint64_t lacked = mask->axes & ~axes;
  int64_t sharing[IR_MAX_AXES];
  memcpy(sharing, device, sizeof sharing);
  for (uint64_t rest = lacked; rest; rest &= rest - 1) {
    sharing[__builtin_ctzll(rest)] = 0;
  }
  do {
    if (mask->in[rt_copy_of(program, mask->axes, sharing)]) return true;
  } while (rt_next_device(program, lacked, sharing));
  return false;
}

/* Room for a mask over the axes of a predicate and of the mask that there is;
 * who is in is not set. */
static bool mask_create(Evaluation *evaluation, uint64_t predicate_axes,
                        Mask *mask) {
  const Mask *outer = evaluation->mask;
  mask->axes = predicate_axes | (outer ? outer->axes : 0);
  mask->devices = rt_copies(evaluation->program, mask->axes);
  if (mask->devices < 0) {
    return rt_fail(evaluation, "evaluate: more than 2^63 devices");
  }
  mask->in = rt_allocate(evaluation, mask->devices, sizeof *mask->in);
  return mask->in != NULL;
}

/* Who is in now, by the mask that there is, and has this predicate. */
static void mask_join(const Evaluation *evaluation, const Value *predicate,
                      bool wanted, Mask *mask) {
  int64_t device[IR_MAX_AXES] = {0};
  char *in = mask->in;
  mask->n_in = 0;
  do {
    bool says = *rt_device(evaluation, predicate, device) != 0;
    *in = says == wanted && rt_is_in(evaluation, mask->axes, device);
    mask->n_in += *in++;
  } while (rt_next_device(evaluation->program, mask->axes, device));
}

/* What a block is to run under: no mask where all are in. */
static const Mask *narrowed(const Mask *mask) {
  return mask->n_in == mask->devices ? NULL : mask;
}

/* -- cond -------------------------------------------------------------- */

/* Both branches have run.  Each device takes its own. */
static bool choose(Evaluation *evaluation, const Node *cond, int index) {
  const Value *result = cond->results[index];
  const Value *predicate = cond->operands[0];
  const Value *yes = cond->bodies[COND_THEN]->yields[index];
  const Value *no = cond->bodies[COND_ELSE]->yields[index];
  int64_t device[IR_MAX_AXES] = {0};
  size_t bytes = (size_t)ir_type_bytes(result->type);
  if (!rt_define(evaluation, result)) return false;
  do {
    bool says = *rt_device(evaluation, predicate, device) != 0;
    memcpy(rt_device(evaluation, result, device),
           rt_device(evaluation, says ? yes : no, device), bytes);
  } while (rt_next_device(evaluation->program, result->type.axes, device));
  return true;
}

static bool run_branch(Evaluation *evaluation, const Node *cond, int which) {
  const Mask *outer = evaluation->mask;
  const Value *predicate = cond->operands[0];
  Mask mask = {0};
  bool fine = mask_create(evaluation, predicate->type.axes, &mask);
  if (fine) {
    mask_join(evaluation, predicate, which == COND_THEN, &mask);
    evaluation->mask = narrowed(&mask);
    fine = rt_run_block(evaluation, cond->bodies[which]);
    evaluation->mask = outer;
  }
  free(mask.in);
  return fine;
}

static bool run_both(Evaluation *evaluation, const Node *cond) {
  bool fine = run_branch(evaluation, cond, COND_THEN) &&
              run_branch(evaluation, cond, COND_ELSE);
  for (int i = 0; fine && i < cond->n_results; i++) {
    fine = choose(evaluation, cond, i);
  }
  rt_release_block(evaluation, cond->bodies[COND_THEN]);
  rt_release_block(evaluation, cond->bodies[COND_ELSE]);
  return fine;
}

bool rt_cond(Evaluation *evaluation, const Node *cond) {
  const Value *predicate = cond->operands[0];
  if (predicate->type.axes) return run_both(evaluation, cond);
  bool says = *evaluation->arrays[predicate->id].data != 0;
  const Block *taken = cond->bodies[says ? COND_THEN : COND_ELSE];
  bool fine = rt_run_block(evaluation, taken);
  for (int i = 0; fine && i < cond->n_results; i++) {
    const Value *result = cond->results[i];
    char *data = rt_take_yield(evaluation, taken, i, result->type.axes);
    evaluation->arrays[result->id] = (Array){.data = data};
    fine = data != NULL;
  }
  rt_release_block(evaluation, taken);
  return fine;
}

/* -- while ------------------------------------------------------------- */

/* The carries are the loop's own; both bodies borrow them. */
typedef struct Loop {
  const Node *node;
  char **carries, **next;
  Mask going; /* who has not ended */
} Loop;

static void lend_carries(Evaluation *evaluation, const Loop *loop,
                         const Block *body) {
  for (int i = 0; i < loop->node->n_carries; i++) {
    evaluation->arrays[body->params[i]->id] =
        (Array){.data = loop->carries[i], .borrowed = true};
  }
}

static bool start_loop(Evaluation *evaluation, Loop *loop) {
  const Block *test = loop->node->bodies[WHILE_TEST];
  const Block *step = loop->node->bodies[WHILE_STEP];
  int n = loop->node->n_carries;
  loop->carries = calloc((size_t)n + 1, sizeof *loop->carries);
  loop->next = calloc((size_t)n + 1, sizeof *loop->next);
  if (!loop->carries || !loop->next) {
    return rt_fail(evaluation, "evaluate: out of memory");
  }
  for (int i = 0; i < n; i++) {
    loop->carries[i] = rt_spread(evaluation, loop->node->operands[i],
                                 step->params[i]->type.axes);
    if (!loop->carries[i]) return false;
  }
  return mask_create(evaluation, test->yields[0]->type.axes, &loop->going);
}

/* Who goes on?  Under the mask of those that have so far. */
static bool run_test(Evaluation *evaluation, Loop *loop) {
  const Block *test = loop->node->bodies[WHILE_TEST];
  lend_carries(evaluation, loop, test);
  bool fine = rt_run_block(evaluation, test);
  if (fine) mask_join(evaluation, test->yields[0], true, &loop->going);
  rt_release_block(evaluation, test);
  return fine;
}

/* Those that are out take back what they had. */
static void keep_carry(Evaluation *evaluation, const Loop *loop, int index) {
  Type type = loop->node->bodies[WHILE_STEP]->params[index]->type;
  int64_t device[IR_MAX_AXES] = {0};
  size_t bytes = (size_t)ir_type_bytes(type), offset = 0;
  if (!evaluation->mask) return;
  do {
    if (!rt_is_in(evaluation, type.axes, device)) {
      memcpy(loop->next[index] + offset, loop->carries[index] + offset, bytes);
    }
    offset += bytes;
  } while (rt_next_device(evaluation->program, type.axes, device));
}

/* Every yield is read before a carry is replaced: carries may be swapped. */
static bool run_step(Evaluation *evaluation, Loop *loop) {
  const Block *step = loop->node->bodies[WHILE_STEP];
  int n = loop->node->n_carries;
  lend_carries(evaluation, loop, step);
  bool fine = rt_run_block(evaluation, step);
  for (int i = 0; fine && i < n; i++) {
    uint64_t axes = step->params[i]->type.axes;
    loop->next[i] = rt_take_yield(evaluation, step, i, axes);
    fine = loop->next[i] != NULL;
    if (fine) keep_carry(evaluation, loop, i);
  }
  rt_release_block(evaluation, step);
  for (int i = 0; fine && i < n; i++) {
    free(loop->carries[i]);
    loop->carries[i] = loop->next[i];
    loop->next[i] = NULL;
  }
  return fine;
}

static bool run_loop(Evaluation *evaluation, Loop *loop) {
  while (run_test(evaluation, loop)) {
    if (loop->going.n_in == 0) return true;
    evaluation->mask = narrowed(&loop->going);
    if (!run_step(evaluation, loop)) return false;
  }
  return false;
}

static bool end_loop(Evaluation *evaluation, Loop *loop) {
  const Block *step = loop->node->bodies[WHILE_STEP];
  lend_carries(evaluation, loop, step);
  for (int i = 0; i < loop->node->n_carries; i++) {
    const Value *result = loop->node->results[i];
    char *data = rt_spread(evaluation, step->params[i], result->type.axes);
    evaluation->arrays[result->id] = (Array){.data = data};
    if (!data) return false;
  }
  rt_release_block(evaluation, step);
  return true;
}

bool rt_while(Evaluation *evaluation, const Node *node) {
  const Mask *outer = evaluation->mask;
  Loop loop = {.node = node};
  bool fine = start_loop(evaluation, &loop) && run_loop(evaluation, &loop);
  evaluation->mask = outer;
  fine = fine && end_loop(evaluation, &loop);
  for (int i = 0; i < node->n_carries; i++) {
    if (loop.carries) free(loop.carries[i]);
    if (loop.next) free(loop.next[i]);
  }
  free(loop.carries);
  free(loop.next);
  free(loop.going.in);
  return fine;
}
