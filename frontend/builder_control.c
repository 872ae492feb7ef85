/* builder_control.c: while and cond, from their begins to their results.
 *
 * Both have two bodies, recorded one after the other.  A while's test comes
 * first; a carry is a parameter of both bodies, and its one handle stands for
 * the test's until ls_while_test, for the step's from then on.  A cond's
 * branches have no parameters: they see what is outside. */
#include <stdlib.h>
#include <string.h>

#include "frontend.h"

/* One bool of rank 0, or an error. */
static bool is_predicate(const Call *call, const Value *predicate) {
  Type type = predicate->type;
  if (type.dtype == DT_BOOL && type.rank == 0) return true;
  return front_wrong(call, "the predicate is %s, not bool[]",
                     ir_type_text(call->builder->draft, type).text);
}

/* -- while ------------------------------------------------------------- */

static bool begin_open(Call *call, ls_place here, ls_while *loop,
                       const char *name) {
  return front_region_add(call, here, loop ? &loop->region : NULL, name);
}

/* Is the test closed, as it must be? */
static bool tested(const Call *call, const ls_while *loop) {
  if (loop->region.bodies[WHILE_STEP]) return true;
  return front_misuse(call,
                      "the while at %s:%d has no predicate yet: "
                      "ls_while_test is missing",
                      front_region_file(&loop->region),
                      loop->region.place.line);
}

/* Is it still open, as it must be? */
static bool untested(const Call *call, const ls_while *loop) {
  if (!loop->region.bodies[WHILE_STEP]) return true;
  return front_misuse(call, "the test of the while at %s:%d has ended",
                      front_region_file(&loop->region),
                      loop->region.place.line);
}

ls_while *ls_while_begin_at(ls_place here, ls_builder *b) {
  Call call;
  if (!front_begin(&call, here, b, "while_begin")) return NULL;
  ls_while *loop = front_region_begin(&call, REGION_WHILE, sizeof *loop);
  if (loop) loop->first_entry = b->n_entries;
  return loop;
}

ls_value ls_while_carry_at(ls_place here, ls_while *loop, ls_value init) {
  Call call;
  if (!begin_open(&call, here, loop, "while_carry") || !untested(&call, loop))
    return (ls_value){0};
  Value *outer = front_value(&call, init, "the init", loop->region.outside);
  if (outer == NULL) return (ls_value){0};
  if (!front_grow((void **)&loop->carries, loop->n_carries, &loop->carry_room,
                  sizeof *loop->carries)) {
    front_out_of_memory(&call);
    return (ls_value){0};
  }
  Value *asked =
      ir_block_param(loop->region.bodies[WHILE_TEST], outer->type, NULL);
  loop->carries[loop->n_carries++] = (Carry){.init = outer, .asked = asked};
  return front_handle(&call, asked);
}

/* From now on the handles of the carries stand for the step's parameters. */
static void hand_over(const Call *call, ls_while *loop) {
  ls_builder *b = call->builder;
  const Block *test = loop->region.bodies[WHILE_TEST];
  Block *step = loop->region.bodies[WHILE_STEP];
  for (int64_t i = 0; i < loop->n_carries; i++) {
    Carry *carry = &loop->carries[i];
    carry->param = ir_block_param(step, carry->asked->type, carry->asked->name);
    if (carry->param == NULL) {
      front_take_error(call);
      return;
    }
  }
  for (int64_t i = loop->first_entry; i < b->n_entries; i++) {
    const Value *value = b->entries[i].value;
    if (value && value->node == NULL && value->block == test)
      b->entries[i].value = loop->carries[value->index].param;
  }
}

void ls_while_test_at(ls_place here, ls_while *loop, ls_value handle) {
  Call call;
  if (!begin_open(&call, here, loop, "while_test") || !untested(&call, loop))
    return;
  Block *test = loop->region.bodies[WHILE_TEST];
  Value *predicate = front_value(&call, handle, "the predicate", test);
  if (predicate == NULL || !is_predicate(&call, predicate)) return;
  ir_block_yield(test, &predicate, 1);
  if (front_region_next_body(&call, &loop->region)) hand_over(&call, loop);
}

void ls_while_next_at(ls_place here, ls_while *loop, ls_value handle,
                      ls_value next) {
  Call call;
  if (!begin_open(&call, here, loop, "while_next") || !tested(&call, loop))
    return;
  int64_t number = front_find_carry(&call, &loop->region, loop->carries,
                                    loop->n_carries, handle);
  if (number < 0) return;
  Carry *carry = &loop->carries[number];
  if (carry->next) {
    front_misuse(&call, "carry %s has its next value already",
                 front_carry_text(&call, carry, number));
    return;
  }
  Value *value =
      front_next_value(&call, next, carry, loop->region.bodies[WHILE_STEP]);
  if (value && front_fits_carry(&call, carry, number, value))
    carry->next = value;
}

/* Operands and the step's yields, one a carry. */
static bool gather(const Call *call, ls_while *loop, Value **inits,
                   Value **nexts) {
  for (int64_t i = 0; i < loop->n_carries; i++) {
    Carry *carry = &loop->carries[i];
    if (carry->next == NULL)
      return front_misuse(call,
                          "carry %s has no next value: ls_while_next is "
                          "missing",
                          front_carry_text(call, carry, i));
    inits[i] = carry->init;
    nexts[i] = carry->next;
    /* Dumps show the test's names. */
    if (carry->asked->name == NULL) carry->asked->name = carry->param->name;
  }
  ir_block_yield(loop->region.bodies[WHILE_STEP], nexts, (int)loop->n_carries);
  return true;
}

void ls_while_end_at(ls_place here, ls_while *loop) {
  Call call;
  if (!begin_open(&call, here, loop, "while_end") || !tested(&call, loop))
    return;
  size_t bytes = (size_t)loop->n_carries * sizeof(Value *) + 1;
  Value **inits = ir_alloc(call.builder->draft, bytes);
  Value **nexts = ir_alloc(call.builder->draft, bytes);
  if (inits == NULL || nexts == NULL) {
    front_out_of_memory(&call);
    return;
  }
  if (!gather(&call, loop, inits, nexts)) return;
  front_region_end(&call, &loop->region,
                   &(NodeSpec){.op = OP_while,
                               .n_operands = (int)loop->n_carries,
                               .operands = inits,
                               .n_carries = (int)loop->n_carries});
}

ls_value ls_while_result_at(ls_place here, ls_while *loop, ls_value carry) {
  Call call;
  if (!front_region_call(&call, here, loop ? &loop->region : NULL,
                         "while_result") ||
      !front_region_ended(&call, &loop->region))
    return (ls_value){0};
  int64_t number = front_find_carry(&call, &loop->region, loop->carries,
                                    loop->n_carries, carry);
  if (number < 0) return (ls_value){0};
  return front_handle(&call, loop->region.node->results[number]);
}

/* -- cond -------------------------------------------------------------- */

static int open_branch(const ls_cond *cond) {
  return cond->region.bodies[COND_ELSE] ? COND_ELSE : COND_THEN;
}

ls_cond *ls_cond_begin_at(ls_place here, ls_builder *b, ls_value handle) {
  Call call;
  if (!front_begin(&call, here, b, "cond_begin")) return NULL;
  Value *predicate = front_value(&call, handle, "the predicate", b->block);
  if (predicate == NULL || !is_predicate(&call, predicate)) return NULL;
  ls_cond *cond = front_region_begin(&call, REGION_COND, sizeof *cond);
  if (cond) cond->predicate = predicate;
  return cond;
}

void ls_cond_else_at(ls_place here, ls_cond *cond) {
  Call call;
  if (!front_region_add(&call, here, cond ? &cond->region : NULL, "cond_else"))
    return;
  if (open_branch(cond) == COND_ELSE)
    front_misuse(&call, "the cond has its else already");
  else
    front_region_next_body(&call, &cond->region);
}

/* Against what then yields in this place. */
static bool fits_then(const Call *call, const ls_cond *cond, int64_t number,
                      const Yield *yield) {
  if (number >= cond->n_yields[COND_THEN])
    return front_wrong(call, "then yields only %lld value%s", (long long)number,
                       number == 1 ? "" : "s");
  const Yield *other = &cond->yields[COND_THEN][number];
  if (yield->entry.literal || other->entry.literal) return true;
  Type then = other->entry.value->type, now = yield->entry.value->type;
  if (then.dtype == now.dtype && ir_shape_equal(then, now)) return true;
  Program *draft = call->builder->draft;
  return front_wrong(
      call, "result %lld is %s here, but %s in then (%s:%d)", (long long)number,
      ir_type_text(draft, now).text, ir_type_text(draft, then).text,
      other->place.file ? other->place.file : "?", other->place.line);
}

void ls_cond_yield_at(ls_place here, ls_cond *cond, ls_value handle) {
  Call call;
  if (!front_region_add(&call, here, cond ? &cond->region : NULL, "cond_yield"))
    return;
  int branch = open_branch(cond);
  int64_t number = cond->n_yields[branch];
  const Entry *entry = front_entry(&call, handle, "the value");
  if (entry == NULL) return;
  Yield yield = {*entry, call.place};
  if (entry->value &&
      !front_value(&call, handle, "the value", cond->region.bodies[branch]))
    return;
  if (branch == COND_ELSE && !fits_then(&call, cond, number, &yield)) return;
  if (!front_grow((void **)&cond->yields[branch], number,
                  &cond->yield_room[branch], sizeof yield)) {
    front_out_of_memory(&call);
    return;
  }
  cond->yields[branch][cond->n_yields[branch]++] = yield;
}

/* The dtype that a C scalar takes: that of the array in the other branch; or
 * its own; or, if it has none, the other one's. */
static DType dtype_beside(const Yield *yield, const Yield *other) {
  DType own = yield->entry.literal->dtype;
  if (other == NULL) return own;
  if (other->entry.value) return other->entry.value->type.dtype;
  return own == DT_COUNT ? other->entry.literal->dtype : own;
}

static bool yield_branch(const Call *call, ls_cond *cond, int branch) {
  int64_t n = cond->n_yields[branch], n_other = cond->n_yields[!branch];
  Value **values =
      ir_alloc(call->builder->draft, (size_t)n * sizeof *values + 1);
  if (values == NULL) {
    front_out_of_memory(call);
    return false;
  }
  for (int64_t i = 0; i < n; i++) {
    const Yield *yield = &cond->yields[branch][i];
    const Yield *other = i < n_other ? &cond->yields[!branch][i] : NULL;
    values[i] = yield->entry.value;
    if (yield->entry.literal)
      values[i] =
          front_literal(call, yield->entry.literal, dtype_beside(yield, other),
                        cond->region.bodies[branch]);
    if (values[i] == NULL) return false;
  }
  ir_block_yield(cond->region.bodies[branch], values, (int)n);
  return true;
}

void ls_cond_end_at(ls_place here, ls_cond *cond) {
  Call call;
  if (!front_region_add(&call, here, cond ? &cond->region : NULL, "cond_end"))
    return;
  if (open_branch(cond) == COND_THEN) {
    front_misuse(&call,
                 "the cond at %s:%d has no else: ls_cond_else is missing",
                 front_region_file(&cond->region), cond->region.place.line);
    return;
  }
  if (!yield_branch(&call, cond, COND_THEN) ||
      !yield_branch(&call, cond, COND_ELSE))
    return;
  front_region_end(
      &call, &cond->region,
      &(NodeSpec){
          .op = OP_cond, .n_operands = 1, .operands = &cond->predicate});
}

ls_value ls_cond_result_at(ls_place here, ls_cond *cond, int number) {
  Call call;
  if (!front_region_call(&call, here, cond ? &cond->region : NULL,
                         "cond_result") ||
      !front_region_ended(&call, &cond->region))
    return (ls_value){0};
  const Node *node = cond->region.node;
  if (number < 0 || number >= node->n_results) {
    front_misuse(&call, "there is no result %d: the cond yields %d", number,
                 node->n_results);
    return (ls_value){0};
  }
  return front_handle(&call, node->results[number]);
}
