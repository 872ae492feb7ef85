/* held_loop.c: a kernel of form=loop: a whole scan whose step is straight-line
 * code.
 *
 * Carries are phis, one a part (held.c); xs are loaded and ys stored step by
 * step; the carries' last values are stored behind the loop.  An inner scan is
 * a loop in the loop; its ys, and what it takes as xs, lie in the stack. */
#include "held.h"

#include <string.h>

static void loop_block(Gen *gen, const Block *block);

/* -- what has to lie in memory ----------------------------------------- */

/* Is value read at an index that is known at run time only? */
static bool is_indexed(const Node *user, int operand) {
  if (user->op == OP_scan) return operand >= user->n_carries;
  if (user->op == OP_dynamic_update_slice) return operand == 1;
  return ir_ops[user->op].class == INDEXED && operand == 0;
}

static bool wants_memory(const Block *block, const Value *value) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    for (int o = 0; o < node->n_operands; o++)
      if (node->operands[o] == value && is_indexed(node, o)) return true;
    if (node->body && wants_memory(node->body, value)) return true;
  }
  return false;
}

/* Right behind its definition, for what reads it later. */
static void to_stack(Gen *gen, const Value *value) {
  if (!wants_memory(value->block, value)) return;
  Buffer *buffer = &gen->buffers[value->id];
  *buffer = held_memory(gen, value->type);
  held_store(gen, &gen->held[value->id], value->type, *buffer);
}

/* -- scans ------------------------------------------------------------- */

typedef struct Scan {
  const Node *node;
  Loop loop;
  Ssa *phis, *next; /* of all carries */
  int n_phis;
  Buffer *ys; /* whole arrays */
} Scan;

static int carry_parts(const Gen *gen, const Value *param) {
  return (int)(ir_type_elements(param->type) / gen->held[param->id].width);
}

/* Parts of all carries, one after another: of the inits, or the next values. */
static Ssa *all_parts(Gen *gen, const Scan *scan, Value *const *values) {
  Ssa *all = gen_alloc(gen, (size_t)(scan->n_phis + 1) * sizeof *all);
  for (int i = 0, n = 0; all && i < scan->node->n_carries; i++) {
    const Value *param = scan->node->body->params[i];
    Held held = gen->held[param->id];
    if (!held_parts(gen, values[i], &held)) return NULL;
    int own = carry_parts(gen, param);
    memcpy(all + n, held.parts, (size_t)own * sizeof *all);
    n += own;
  }
  return all;
}

/* The carries' parameters, or results, are these parts. */
static void bind_parts(Gen *gen, const Scan *scan, Value *const *values,
                       Ssa *all) {
  for (int i = 0, n = 0; i < scan->node->n_carries; i++) {
    const Value *param = scan->node->body->params[i];
    Held held = gen->held[param->id];
    held.parts = all + n;
    gen->held[values[i]->id] = held;
    n += carry_parts(gen, param);
  }
}

static void store_ys(Gen *gen, const Scan *scan, Ssa step) {
  const Node *node = scan->node;
  for (int i = node->n_carries; i < node->n_results; i++) {
    const Value *y = node->body->yields[i];
    Held held = gen->held[y->id];
    if (held.parts == NULL) {
      held_layout(gen, y->type, -1, &held);
      if (!held_parts(gen, y, &held)) return;
    }
    int64_t dim = scan_step_dim(node, ATTR_ys_dims, i - node->n_carries);
    held_store(gen, &held, y->type,
               scan_slice(gen, scan->ys[i], node->results[i]->type, dim, step));
  }
}

static void one_step(Gen *gen, Scan *scan) {
  const Node *node = scan->node;
  const Block *body = node->body;
  Ssa step = scan_step(gen, node, scan->loop.index);
  bind_parts(gen, scan, body->params, scan->phis);
  for (int i = 0; i < node->n_carries; i++) to_stack(gen, body->params[i]);
  for (int i = node->n_carries; i < node->n_operands; i++) {
    const Value *xs = node->operands[i];
    int64_t dim = scan_step_dim(node, ATTR_xs_dims, i - node->n_carries);
    gen->buffers[body->params[i]->id] =
        scan_slice(gen, gen_buffer(gen, xs), xs->type, dim, step);
  }
  loop_block(gen, body);
  store_ys(gen, scan, step);
  scan->next = all_parts(gen, scan, body->yields);
}

static void loop_scan(Gen *gen, const Node *node, Buffer *ys) {
  Scan scan = {.node = node, .ys = ys};
  for (int i = 0; i < node->n_carries; i++)
    scan.n_phis += carry_parts(gen, node->body->params[i]);
  Ssa *inits = all_parts(gen, &scan, node->operands);
  scan.phis = gen_alloc(gen, (size_t)(scan.n_phis + 1) * sizeof(Ssa));
  if (inits == NULL || scan.phis == NULL) return;
  scan.next = inits;
  if (ir_int(node, ATTR_length) > 0) {
    loop_begin(gen, &scan.loop, 0, ir_int(node, ATTR_length), 1);
    int mark = memo_mark(gen);
    for (int i = 0; i < scan.n_phis; i++)
      scan.phis[i] = loop_phi(gen, &scan.loop, inits[i]);
    one_step(gen, &scan);
    memo_release(gen, mark);
    if (scan.next == NULL) return;
    loop_end(gen, &scan.loop, scan.phis, scan.next, scan.n_phis);
  }
  bind_parts(gen, &scan, node->results, scan.next);
}

static void inner_scan(Gen *gen, const Node *scan) {
  Buffer *ys = gen_alloc(gen, (size_t)(scan->n_results + 1) * sizeof *ys);
  if (ys == NULL) return;
  for (int i = scan->n_carries; i < scan->n_results; i++) {
    ys[i] = held_memory(gen, scan->results[i]->type);
    gen->buffers[scan->results[i]->id] = ys[i];
  }
  loop_scan(gen, scan, ys);
  for (int i = 0; i < scan->n_carries; i++) to_stack(gen, scan->results[i]);
}

static void loop_block(Gen *gen, const Block *block) {
  for (int i = 0; i < block->n_nodes && gen->error == NULL; i++) {
    const Node *node = block->nodes[i];
    if (node->op == OP_scan) {
      inner_scan(gen, node);
    } else if (node->op != OP_constant) {
      held_node(gen, node);
      to_stack(gen, node->results[0]);
    }
  }
}

/* -- kernels ----------------------------------------------------------- */

/* A block that ends in a jump to the next: what is loaded before the loop goes
 * in front of that. */
static void open_before(Gen *gen) {
  LLVMBasicBlockRef after =
      LLVMAppendBasicBlockInContext(gen->context, gen->function, "");
  gen->before_loop = LLVMGetInsertBlock(gen->b);
  LLVMBuildBr(gen->b, after);
  LLVMPositionBuilderAtEnd(gen->b, after);
}

void emit_loop(Gen *gen, const Node *kernel, const Buffer *outputs) {
  const Block *body = kernel->body;
  const Node *scan = body->nodes[body->n_nodes - 1];
  size_t values = (size_t)gen->program->n_values + 1;
  Buffer *ys = gen_alloc(gen, (size_t)(scan->n_results + 1) * sizeof *ys);
  if (gen->held_table == NULL)
    gen->held_table = gen_alloc(gen, values * sizeof(Held));
  if (ys == NULL || gen->held_table == NULL) return;
  memcpy(ys, outputs, (size_t)scan->n_results * sizeof *ys);
  gen->held = gen->held_table;
  held_choose(gen, scan);
  held_order(gen, scan);
  open_before(gen);
  loop_scan(gen, scan, ys);
  for (int i = 0; i < scan->n_carries && gen->error == NULL; i++)
    held_store(gen, &gen->held[scan->results[i]->id], scan->results[i]->type,
               outputs[i]);
  gen->held = NULL;
}
