/* interchange.c: batched -> kernels.  `blocks` around scans that are
 * independent along a dim.
 *
 * A scan over large arrays moves all of them through the caches at every step.
 * Where element i of every array depends on elements i alone, all steps can be
 * made for a part that the cache holds, then for the next part:
 *
 *   for step: for i: x[i] = f(x[i])        2 T n elements from memory
 *   for part: for step: for i in part      2 n elements from memory
 *
 * Each element's arithmetic and its order stay as they are.  Which dims are
 * independent the dim classes say (ir/dims.h): all results that are read must
 * have a dim in one unmixed class, and no value two.  Outermost scans come
 * first; where one cannot be cut, or does not gain, those in its body are
 * tried.
 *
 * Example: carry x[4096,3], einsum(A[3,3], x) over the last dim, add: dim 0 is
 * independent, dim 1 is mixed by the einsum. */
#include "interchange.h"

#include <stdlib.h>
#include <string.h>

/* -- what is read ------------------------------------------------------ */

static void note_reads(bool *read, const Block *block) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    for (int o = 0; o < node->n_operands; o++)
      read[node->operands[o]->id] = true;
    for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
      note_reads(read, node->bodies[b]);
  }
  for (int i = 0; i < block->n_yields; i++) read[block->yields[i]->id] = true;
}

/* -- one scan ---------------------------------------------------------- */

static const Value *first_read(const Interchange *pass, const Node *scan) {
  for (int i = 0; i < scan->n_results; i++)
    if (pass->read[scan->results[i]->id]) return scan->results[i];
  return NULL;
}

/* What has nothing to do with the dim, but has one as long that is not mixed
 * either, may be cut beside it. */
static void join_others(const Interchange *pass, const Node *scan, Dims *dims,
                        Choice *choice) {
  for (int i = 0; i < scan->n_results; i++) {
    const Value *other = scan->results[i];
    if (!pass->read[other->id] || ir_dims_of(dims, other, choice->cut) >= 0)
      continue;
    for (int d = 0; d < other->type.rank; d++) {
      int class = ir_dims_class(dims, other, d);
      if (other->type.dims[d] != choice->extent ||
          ir_dims_mixer(dims, class).node)
        continue;
      ir_dims_join(dims, choice->result, choice->dim, other, d);
      choice->cut = ir_dims_class(dims, choice->result, choice->dim);
      break;
    }
  }
}

/* A result that is read and lacks the dim; NULL: none. */
static const Value *lacking(const Interchange *pass, const Node *scan,
                            Dims *dims, int cut) {
  for (int i = 0; i < scan->n_results; i++) {
    const Value *result = scan->results[i];
    if (pass->read[result->id] && ir_dims_of(dims, result, cut) < 0)
      return result;
  }
  return NULL;
}

/* Is a C function called, which may not stand in blocks?  And the depth of the
 * deepest body. */
static bool has_call(const Block *block, int *deepest) {
  bool call = false;
  if (block->depth > *deepest) *deepest = block->depth;
  for (int i = 0; i < block->n_nodes && !call; i++) {
    const Node *node = block->nodes[i];
    call = node->op == OP_call;
    for (int b = 0; b < IR_BODIES && node->bodies[b] && !call; b++)
      call = has_call(node->bodies[b], deepest);
  }
  return call;
}

static bool is_better(const Choice *choice, const Choice *best) {
  return choice->size > 0 && (best->size == 0 || choice->in < best->in);
}

/* The classes of a scan, with what can be cut beside dim d of the first
 * result; NULL: no memory. */
static Dims *classes_of(const Interchange *pass, const Node *scan, int d,
                        Choice *choice) {
  const Value *result = first_read(pass, scan);
  Dims *dims = ir_dims_create();
  if (dims == NULL) return NULL;
  ir_dims_add_node(dims, scan);
  if (ir_dims_failed(dims)) {
    ir_dims_destroy(dims);
    return NULL;
  }
  *choice = (Choice){.result = result,
                     .dim = d,
                     .cut = ir_dims_class(dims, result, d),
                     .extent = result->type.dims[d]};
  if (ir_dims_mixer(dims, choice->cut).node == NULL)
    join_others(pass, scan, dims, choice);
  return dims;
}

/* May it be cut so?  Then what does it take? */
static void examine(Interchange *pass, const Node *scan, Dims *dims,
                    Choice *choice) {
  DimMixer mixer = ir_dims_mixer(dims, choice->cut);
  const Value *twice = ir_dims_twice(dims, choice->cut);
  const Value *other = lacking(pass, scan, dims, choice->cut);
  if (mixer.node || twice || other) {
    interchange_note_mixed(pass, scan, choice, mixer, twice, other);
    return;
  }
  interchange_price(pass, scan, dims, choice);
  if (choice->size == 0) interchange_note_priced(pass, scan, choice, false);
}

/* Every dim of the first result is tried.  *dims: the classes of the best. */
static Choice best_choice(Interchange *pass, const Node *scan, Dims **dims) {
  const Value *result = first_read(pass, scan);
  Choice best = {0}, choice;
  for (int d = 0; result && d < result->type.rank; d++) {
    Dims *own = classes_of(pass, scan, d, &choice);
    if (own == NULL) {
      ir_out_of_memory(pass->copier.to);
      break;
    }
    examine(pass, scan, own, &choice);
    bool better = is_better(&choice, &best);
    ir_dims_destroy(better ? *dims : own);
    if (!better) continue;
    best = choice;
    *dims = own;
  }
  if (best.size > 0) interchange_note_priced(pass, scan, &best, true);
  return best;
}

static Choice choose(Interchange *pass, const Node *scan, Dims **dims) {
  int deepest = 0;
  if (ir_int(scan, ATTR_length) == 0) {
    interchange_note(pass, scan, "has no steps");
  } else if (has_call(scan->body, &deepest)) {
    interchange_note(pass, scan,
                     "calls a C function, which takes whole arrays");
  } else if (deepest + 3 > IR_MAX_NESTING) {
    interchange_note(pass, scan, "is nested too deep for one more body");
  } else {
    const Value *result = first_read(pass, scan);
    if (result == NULL || result->type.rank == 0)
      interchange_note(pass, scan, "makes a scalar, which has no dim to cut");
    return best_choice(pass, scan, dims);
  }
  return (Choice){0};
}

/* -- the copy ---------------------------------------------------------- */

/* A copy of an array from outside, part by part: inside, the dim that is cut is
 * the innermost, and every step reads it. */
static Value *packed(Block *to, Value *value) {
  Block *body = ir_block_begin(to);
  if (body == NULL) return NULL;
  ir_block_yield(body, &value, 1);
  Node *kernel =
      ir_node(to, &(NodeSpec){.op = OP_kernel,
                              .n_attrs = 1,
                              .attrs = (Attr[]){IR_INT(form, WORD_map)},
                              .body = body,
                              .name = value->name});
  return kernel ? kernel->results[0] : NULL;
}

/* Is the value read at every step, from outside, with its dims turned? */
static bool wants_packing(const Node *scan, Dims *dims, const Choice *choice,
                          const Value *value) {
  Scalar element;
  int dim = ir_dims_of(dims, value, choice->cut);
  if (value->block->depth > scan->block->depth || dim < 0 ||
      dim == value->type.rank - 1 || ir_is_splat(value, &element) ||
      value->node == scan)
    return false;
  for (int i = 0; i < scan->n_operands; i++)
    if (scan->operands[i] == value) return false;
  return true;
}

static void pack_captures(Interchange *pass, Block *body, const Node *scan,
                          Dims *dims, const Choice *choice, bool back) {
  Copier *copier = &pass->copier;
  for (int i = 0; i < ir_dims_count(dims); i++) {
    const Value *value = ir_dims_value(dims, i);
    if (!wants_packing(scan, dims, choice, value)) continue;
    Value *now = ir_mapped(copier, value);
    if (back) /* the copy's own operand: what the kernel yields */
      ir_map(copier, value, now->node->body->yields[0]);
    else if (now)
      ir_map(copier, value, packed(body, now));
  }
}

static bool emit(Interchange *pass, Block *to, const Node *scan, Dims *dims,
                 const Choice *choice) {
  Copier *copier = &pass->copier;
  Program *program = copier->to;
  Block *body = ir_block_begin(to);
  size_t room = (size_t)scan->n_results + 1;
  Value **yields = ir_alloc(program, room * sizeof *yields);
  int64_t *cuts = ir_alloc(program, room * sizeof *cuts);
  if (body == NULL || yields == NULL || cuts == NULL) return true;
  if (choice->inner) pack_captures(pass, body, scan, dims, choice, false);
  pass->inside = true;
  Node *copy = program->error.failed ? NULL : ir_copy_node(copier, body, scan);
  pass->inside = false;
  if (copy == NULL) return true;
  if (choice->inner) pack_captures(pass, body, scan, dims, choice, true);
  int n = 0;
  for (int i = 0; i < scan->n_results; i++) {
    if (!pass->read[scan->results[i]->id]) continue;
    cuts[n] = ir_dims_of(dims, scan->results[i], choice->cut);
    yields[n++] = copy->results[i];
  }
  ir_block_yield(body, yields, n);
  Attr attrs[] = {IR_INT(dim, cuts[0]), IR_INTS(dims, cuts, n),
                  IR_INT(size, choice->size), IR_INT(inner, choice->inner)};
  Node *blocks = ir_node(to, &(NodeSpec){.op = OP_blocks,
                                         .n_attrs = 4,
                                         .attrs = attrs,
                                         .body = body,
                                         .place = scan->place});
  n = 0;
  for (int i = 0; blocks && i < scan->n_results; i++) {
    if (!pass->read[scan->results[i]->id]) continue;
    if (scan->results[i]->name)
      blocks->results[n]->name =
          ir_copy_string(program, scan->results[i]->name);
    ir_map(copier, scan->results[i], blocks->results[n++]);
  }
  return true;
}

static bool interchange_node(Copier *copier, Block *to, const Node *node) {
  Interchange *pass = copier->context;
  if (node->op != OP_scan || pass->inside) return false;
  Dims *dims = NULL;
  Choice choice = choose(pass, node, &dims);
  bool done = choice.size > 0 && emit(pass, to, node, dims, &choice);
  ir_dims_destroy(dims);
  return done;
}

Program *pass_interchange_noting(const Program *program, const Options *options,
                                 PassNote *note, void *context) {
  Interchange pass = {
      .options = options, .note = note, .note_context = context};
  pass.copier =
      (Copier){.from = program, .rule = interchange_node, .context = &pass};
  pass.read = calloc((size_t)program->n_values + 1, sizeof *pass.read);
  if (note) pass.names = ir_names(program);
  if (pass.read == NULL || (note && pass.names == NULL)) {
    free(pass.read);
    free(pass.names);
    return NULL;
  }
  note_reads(pass.read, program->body);
  Program *made = ir_copy(&pass.copier, KERNELS);
  free(pass.read);
  free(pass.names);
  return made;
}

Program *pass_interchange(const Program *program, const Options *options) {
  return pass_interchange_noting(program, options, NULL, NULL);
}
