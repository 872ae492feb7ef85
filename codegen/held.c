/* held.c: the values of a kernel of form=loop, as SSA values.
 *
 * Inside such a kernel every array of a step is a list of parts: its elements,
 * or vectors of a few along one dim.  Each node's parts are emitted once, in
 * order, at indices that are constants, so that views cost nothing and nothing
 * is stored and loaded again.  What is read at an index known at run time only
 * (dynamic_slice, the xs of an inner scan) is stored in the stack as well.
 *
 * Elements of arrays from outside are loaded before the loop, once each: no
 * result lies over an operand of such a kernel. */
#include "held.h"

#include <string.h>

/* -- layouts ----------------------------------------------------------- */

static int64_t n_parts(const Held *held, Type type) {
  return ir_type_elements(type) / held->width;
}

void held_index(Gen *gen, const Held *held, Type type, int64_t part, Ix *ix) {
  for (int d = type.rank - 1; d >= 0; d--) {
    bool lanes = d == held->lane_dim;
    int64_t size = lanes ? type.dims[d] / held->width : type.dims[d];
    int64_t at = part % size;
    part /= size;
    ix[d] = (Ix){gen_number(gen, lanes ? at * held->width : at), lanes};
  }
}

/* In which part element `element` lies; *lane: where there. */
static int64_t part_of(const Held *held, Type type, int64_t element,
                       int *lane) {
  int64_t part = 0, scale = 1;
  *lane = 0;
  for (int d = type.rank - 1; d >= 0; d--) {
    int64_t at = element % type.dims[d], size = type.dims[d];
    element /= type.dims[d];
    if (d == held->lane_dim) {
      *lane = (int)(at % held->width);
      at /= held->width;
      size /= held->width;
    }
    part += at * scale;
    scale *= size;
  }
  return part;
}

/* -- constant indices -------------------------------------------------- */

static bool constant_lane(Gen *gen, Ix ix, int lane, int64_t *at) {
  Ssa v = ix.v;
  if (ix.lane == IX_VECTOR && LLVMIsConstant(v) && is_vector(v))
    v = LLVMGetAggregateElement(v, (unsigned)lane);
  if (v == NULL || LLVMIsAConstantInt(v) == NULL) return false;
  *at = LLVMConstIntGetSExtValue(v);
  if (ix.lane != IX_VECTOR && gen->lanes > 1) *at += ix.lane * lane;
  return true;
}

/* The number of the element that each lane wants, row-major. */
static bool constant_elements(Gen *gen, Type type, const Ix *ix,
                              int64_t *elements) {
  for (int l = 0; l < gen->lanes; l++) {
    int64_t element = 0, at;
    for (int d = 0; d < type.rank; d++) {
      if (!constant_lane(gen, ix[d], l, &at)) return false;
      element = element * type.dims[d] + at;
    }
    elements[l] = element;
  }
  return true;
}

static bool all_equal(const int64_t *elements, int n) {
  for (int l = 1; l < n; l++)
    if (elements[l] != elements[0]) return false;
  return true;
}

/* -- reading what is held ---------------------------------------------- */

static Ssa lane_number(Gen *gen, int lane) { return gen_number(gen, lane); }

static Ssa one_element(Gen *gen, const Held *held, Type type, int64_t element) {
  int lane;
  Ssa part = held->parts[part_of(held, type, element, &lane)];
  if (held->width == 1) return part;
  return LLVMBuildExtractElement(gen->b, part, lane_number(gen, lane), "");
}

static Ssa shuffled(Gen *gen, Ssa a, Ssa b, const int *lanes, int n) {
  Ssa mask[64];
  for (int l = 0; l < n; l++)
    mask[l] = LLVMConstInt(gen->i32, (unsigned long long)lanes[l], 0);
  return LLVMBuildShuffleVector(gen->b, a, b,
                                LLVMConstVector(mask, (unsigned)n), "");
}

/* Lanes from at most two parts; NULL: they come from more. */
static Ssa from_two_parts(Gen *gen, const Held *held, Type type,
                          const int64_t *elements) {
  int64_t first = -1, second = -1;
  int lanes[64], n = gen->lanes;
  bool as_it_is = n == held->width;
  for (int l = 0; l < n; l++) {
    int lane;
    int64_t part = part_of(held, type, elements[l], &lane);
    if (first < 0) first = part;
    if (part != first && second < 0) second = part;
    if (part != first && part != second) return NULL;
    lanes[l] = lane + (part == first ? 0 : held->width);
    as_it_is &= lanes[l] == l;
  }
  Ssa a = held->parts[first];
  if (as_it_is) return a;
  Ssa b = second < 0 ? LLVMGetPoison(LLVMTypeOf(a)) : held->parts[second];
  return shuffled(gen, a, b, lanes, n);
}

static Ssa gathered(Gen *gen, const Held *held, Type type,
                    const int64_t *elements) {
  if (held->width > 1) {
    Ssa vector = from_two_parts(gen, held, type, elements);
    if (vector) return vector;
  }
  Ssa all = NULL;
  for (int l = 0; l < gen->lanes; l++) {
    Ssa one = one_element(gen, held, type, elements[l]);
    if (all == NULL)
      all =
          LLVMGetPoison(LLVMVectorType(LLVMTypeOf(one), (unsigned)gen->lanes));
    all = LLVMBuildInsertElement(gen->b, all, one, lane_number(gen, l), "");
  }
  return all;
}

/* -- reading what lies outside ----------------------------------------- */

/* What was loaded before the loop. */
struct Fetched {
  Fetched *next;
  int64_t first, stride; /* of the lanes, in elements */
  int lanes;
  Ssa ssa;
};

static Fetched *fetched_before(const Held *held, int64_t first, int64_t stride,
                               int lanes) {
  for (Fetched *f = held->fetched; f; f = f->next)
    if (f->first == first && f->stride == stride && f->lanes == lanes) return f;
  return NULL;
}

static bool is_outside(const Gen *gen, const Value *value) {
  return value->block->depth < gen->kernel->body->depth;
}

/* Go before the loop; a loop of one step is none, and this is where we are. */
LLVMBasicBlockRef held_before_loop(Gen *gen) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(gen->b);
  Ssa end = LLVMGetBasicBlockTerminator(gen->before_loop);
  if (end) LLVMPositionBuilderBefore(gen->b, end);
  return here;
}

/* Lane l is element first + l * stride. */
static Ssa fetch(Gen *gen, const Value *value, const Ix *ix, int64_t first,
                 int64_t stride) {
  Held *held = &gen->held[value->id];
  int lanes = stride == 0 ? 1 : gen->lanes, active = gen->lanes;
  if (held->kernel != gen->kernel) *held = (Held){.kernel = gen->kernel};
  Fetched *known = fetched_before(held, first, stride, lanes);
  if (known) return known->ssa;
  LLVMBasicBlockRef here = held_before_loop(gen);
  gen->lanes = lanes;
  Ssa loaded = load_element(gen, value, ix);
  gen->lanes = active;
  LLVMPositionBuilderAtEnd(gen->b, here);
  Fetched *fresh = gen_alloc(gen, sizeof *fresh);
  if (fresh) {
    *fresh = (Fetched){held->fetched, first, stride, lanes, loaded};
    held->fetched = fresh;
  }
  return loaded;
}

/* -- the one way in ---------------------------------------------------- */

Ssa held_value(Gen *gen, const Value *value, const Ix *ix) {
  const Held *held = &gen->held[value->id];
  int64_t elements[64] = {0};
  bool outside = is_outside(gen, value);
  if (!outside && held->parts == NULL) return NULL;
  if (!constant_elements(gen, value->type, ix, elements)) return NULL;
  bool same = all_equal(elements, gen->lanes);
  if (!outside)
    return same ? one_element(gen, held, value->type, elements[0])
                : gathered(gen, held, value->type, elements);
  int64_t stride = same ? 0 : elements[1] - elements[0];
  for (int l = 1; l < gen->lanes; l++)
    if (elements[l] - elements[l - 1] != stride) return NULL;
  return fetch(gen, value, ix, elements[0], stride);
}

/* -- laying out -------------------------------------------------------- */

/* Vectors along one dim, where its size is made of them. */
void held_layout(Gen *gen, Type type, int lane_dim, Held *held) {
  int64_t most = gen->vector_bytes / (int64_t)ir_dtype_bytes(type.dtype);
  *held = (Held){.lane_dim = -1, .width = 1};
  if (lane_dim < 0) return;
  int width = 1;
  while (width * 2 <= most && type.dims[lane_dim] % (width * 2) == 0)
    width *= 2;
  if (width > 1) *held = (Held){.lane_dim = lane_dim, .width = width};
}

/* The parts of a value, laid out as `held` says. */
bool held_parts(Gen *gen, const Value *value, Held *held) {
  int64_t n = n_parts(held, value->type);
  Ix ix[IR_MAX_RANK];
  held->parts = gen_alloc(gen, (size_t)(n + 1) * sizeof(Ssa));
  if (held->parts == NULL) return false;
  for (int64_t p = 0; p < n; p++) {
    held_index(gen, held, value->type, p, ix);
    gen->lanes = held->width;
    held->parts[p] = splat(gen, emit_value(gen, value, ix));
    gen->lanes = 1;
  }
  return true;
}

void held_store(Gen *gen, const Held *held, Type type, Buffer to) {
  Ix ix[IR_MAX_RANK];
  for (int64_t p = 0; p < n_parts(held, type); p++) {
    held_index(gen, held, type, p, ix);
    gen->lanes = held->width;
    emit_store(gen, to, type, ix, held->parts[p]);
    gen->lanes = 1;
  }
}

Buffer held_memory(Gen *gen, Type type) {
  int64_t n = ir_type_elements(type);
  Ssa array =
      entry_array(gen, memory_type(gen, type.dtype), (unsigned)(n > 0 ? n : 1));
  LLVMSetAlignment(array, 64);
  return (Buffer){.pointer = array, .strides = gen_row_major(gen, type)};
}

/* -- nodes ------------------------------------------------------------- */

static Ssa node_part(Gen *gen, const Node *node, const Ix *ix) {
  if (ir_ops[node->op].class != ELEMENTWISE)
    return emitters[node->op](gen, node, ix);
  return gen->held[node->results[0]->id].terms ? held_sum(gen, node, ix)
                                               : emit_arithmetic(gen, node, ix);
}

void held_node(Gen *gen, const Node *node) {
  const Value *value = node->results[0];
  Held *held = &gen->held[value->id];
  int64_t n = n_parts(held, value->type);
  Ssa *parts = gen_alloc(gen, (size_t)(n + 1) * sizeof *parts);
  Ix ix[IR_MAX_RANK];
  if (parts == NULL) return;
  gen->mode = held->width > 1 ? OUTPUT_LANES : SCALAR;
  gen->width = held->width;
  for (int64_t p = 0; p < n; p++) {
    held_index(gen, held, value->type, p, ix);
    gen->lanes = held->width;
    parts[p] = splat(gen, node_part(gen, node, ix));
    gen->lanes = 1;
  }
  held->parts = parts;
}
