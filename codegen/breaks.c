/* breaks.c: where the loops of a kernel are split so that each part of them
 * reads one piece of a concatenation, or the inside of a pad alone.
 *
 * In: a kernel and the shape of some of its results.  Out: for each dim of that
 * shape a few indices inside it, ascending; kernel.c makes a loop for each
 * stretch between them.
 *
 * The walk goes from the yields to the operands with the affine map that tells
 * which element of a value a point of the nest reads, and the box of points
 * that read it at all:
 *
 *     %l = slice %c, start=[0], limit=[n-1]      i -> i - 1, 1 <= i < n
 *     %h = concatenate %b, %l, dim=0             i -> i      0 <= i < n
 *     %d = sub %h, %c                            i -> i
 *
 * Piece %l of %h starts at 1: a break at 1.  Behind it the index into %l, and
 * into %c, is that of the loop, moved: plain loads.
 *
 * Every stretch of one dim is emitted in every stretch of the dims around it.
 * So a dim around the lanes is split only for what is read in a good part of
 * the lane dim (the first element of each row is not), and only as long as
 * there are few stretches in all. */
#include "emit.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_VIEWS = 512, MOST_STRETCHES = 32, MOST_DIMS = 8 };

/* Dim d of the value is read at scale * (index of dim `of` of the nest) +
 * offset; of -1: nothing is known of it. */
typedef struct Along {
  int of;
  int scale; /* 1 or -1 */
  int64_t offset;
} Along;

typedef struct View {
  const Value *value;
  Along along[MOST_DIMS];
  int64_t from[MOST_DIMS], to[MOST_DIMS]; /* the box, a dim of the nest */
} View;

typedef struct Walk {
  const Node *kernel;
  Type shape;
  int lane_dim;
  Breaks *breaks;
  View *views; /* to do, and done: none is walked twice */
  int n_views;
} Walk;

/* -- views ------------------------------------------------------------- */

static bool same_view(const Walk *walk, const View *a, const View *b) {
  if (a->value != b->value) return false;
  for (int d = 0; d < a->value->type.rank; d++) {
    if (a->along[d].of != b->along[d].of) return false;
    if (a->along[d].of >= 0 && (a->along[d].scale != b->along[d].scale ||
                                a->along[d].offset != b->along[d].offset))
      return false;
  }
  for (int d = 0; d < walk->shape.rank; d++)
    if (a->from[d] != b->from[d] || a->to[d] != b->to[d]) return false;
  return true;
}

/* The view of an operand, unless it leads nowhere. */
static void add_view(Walk *walk, const View *view) {
  const Value *value = view->value;
  if (value->block != walk->kernel->body || value->node == NULL ||
      value->type.rank == 0 || value->type.rank > MOST_DIMS ||
      walk->n_views == MOST_VIEWS)
    return;
  for (int d = 0; d < walk->shape.rank; d++)
    if (view->from[d] >= view->to[d]) return;
  for (int i = 0; i < walk->n_views; i++)
    if (same_view(walk, &walk->views[i], view)) return;
  walk->views[walk->n_views++] = *view;
}

/* -- breaks ------------------------------------------------------------ */

/* Is the view's box a good part of the lane dim? */
static bool is_long(const Walk *walk, const View *view) {
  int d = walk->lane_dim;
  return d < 0 || view->to[d] - view->from[d] >= walk->shape.dims[d] / 4;
}

static void add_break(Walk *walk, const View *view, int dim, int64_t at) {
  Breaks *breaks = &walk->breaks[dim];
  if (breaks->n < 0 || at <= view->from[dim] || at >= view->to[dim] ||
      (dim != walk->lane_dim && !is_long(walk, view)))
    return;
  int i = 0;
  while (i < breaks->n && breaks->at[i] < at) i++;
  if (i < breaks->n && breaks->at[i] == at) return;
  if (breaks->n == MOST_BREAKS) {
    breaks->n = -1;
    return;
  }
  memmove(&breaks->at[i + 1], &breaks->at[i],
          (size_t)(breaks->n - i) * sizeof breaks->at[0]);
  breaks->at[i] = at;
  breaks->n++;
}

/* Elements [start, end) of dim d of a value are one piece of it.  The box of
 * the view shrinks to the points that read them, and where it does is a break.
 */
static void clip(Walk *walk, const View *whole, View *view, int d,
                 int64_t start, int64_t end) {
  Along along = whole->along[d];
  if (along.of < 0) return;
  int64_t from = start - along.offset, to = end - along.offset;
  if (along.scale < 0) {
    from = along.offset - end + 1;
    to = along.offset - start + 1;
  }
  add_break(walk, whole, along.of, from);
  add_break(walk, whole, along.of, to);
  if (view->from[along.of] < from) view->from[along.of] = from;
  if (view->to[along.of] > to) view->to[along.of] = to;
}

/* -- the ops ----------------------------------------------------------- */

static void walk_concatenate(Walk *walk, const Node *node, const View *view) {
  int d = (int)ir_int(node, ATTR_dim);
  int64_t start = 0;
  for (int i = 0; i < node->n_operands; i++) {
    View inner = *view;
    int64_t size = node->operands[i]->type.dims[d];
    inner.value = node->operands[i];
    inner.along[d].offset -= start;
    if (size > 0) {
      clip(walk, view, &inner, d, start, start + size);
      add_view(walk, &inner);
    }
    start += size;
  }
}

static void walk_pad(Walk *walk, const Node *node, const View *view) {
  const Value *x = node->operands[0];
  IntList low = ir_ints(node, ATTR_low), gap = ir_ints(node, ATTR_interior);
  View inner = *view;
  inner.value = x;
  for (int d = 0; d < x->type.rank; d++) {
    inner.along[d].offset -= low.v[d];
    if (gap.n && gap.v[d])
      inner.along[d].of = -1;
    else
      clip(walk, view, &inner, d, low.v[d], low.v[d] + x->type.dims[d]);
  }
  add_view(walk, &inner);
}

static void walk_slice(Walk *walk, const Node *node, const View *view) {
  IntList start = ir_ints(node, ATTR_start);
  IntList stride = ir_ints(node, ATTR_stride);
  View inner = *view;
  inner.value = node->operands[0];
  for (int d = 0; d < start.n; d++) {
    inner.along[d].offset += start.v[d];
    if (stride.n && stride.v[d] != 1) inner.along[d].of = -1;
  }
  add_view(walk, &inner);
}

static void walk_reverse(Walk *walk, const Node *node, const View *view) {
  IntList dims = ir_ints(node, ATTR_dims);
  View inner = *view;
  inner.value = node->operands[0];
  for (int i = 0; i < dims.n; i++) {
    Along *along = &inner.along[dims.v[i]];
    along->scale = -along->scale;
    along->offset = inner.value->type.dims[dims.v[i]] - 1 - along->offset;
  }
  add_view(walk, &inner);
}

static void walk_transpose(Walk *walk, const Node *node, const View *view) {
  IntList perm = ir_ints(node, ATTR_perm);
  View inner = *view;
  inner.value = node->operands[0];
  for (int d = 0; d < perm.n; d++) inner.along[perm.v[d]] = view->along[d];
  add_view(walk, &inner);
}

static void walk_broadcast(Walk *walk, const Node *node, const View *view) {
  IntList dims = ir_ints(node, ATTR_dims);
  View inner = *view;
  inner.value = node->operands[0];
  if (inner.value->type.rank > MOST_DIMS) return;
  for (int d = 0; d < inner.value->type.rank; d++) {
    inner.along[d] = view->along[dims.v[d]];
    if (inner.value->type.dims[d] == 1) inner.along[d].of = -1;
  }
  add_view(walk, &inner);
}

/* One that only adds or drops dims of size 1, as far as it goes. */
static void walk_reshape(Walk *walk, const Node *node, const View *view) {
  Type to = node->results[0]->type, from = node->operands[0]->type;
  View inner = *view;
  inner.value = node->operands[0];
  if (from.rank > MOST_DIMS) return;
  bool equal = true;
  for (int f = 0, t = 0; f < from.rank; f++) {
    inner.along[f] = (Along){-1, 1, 0};
    if (from.dims[f] == 1) continue;
    while (t < to.rank && to.dims[t] == 1) t++;
    equal = equal && t < to.rank && to.dims[t] == from.dims[f];
    if (equal) inner.along[f] = view->along[t++];
  }
  add_view(walk, &inner);
}

/* What it keeps is read at the nest's index. */
static void walk_reduce(Walk *walk, const Node *node, const View *view) {
  IntList dims = ir_ints(node, ATTR_dims);
  View inner = *view;
  inner.value = node->operands[0];
  if (inner.value->type.rank > MOST_DIMS) return;
  for (int d = 0, i = 0, kept = 0; d < inner.value->type.rank; d++) {
    if (i < dims.n && dims.v[i] == d) {
      inner.along[d] = (Along){-1, 1, 0};
      i++;
    } else {
      inner.along[d] = view->along[kept++];
    }
  }
  add_view(walk, &inner);
}

static void walk_same(Walk *walk, const Node *node, const View *view) {
  for (int i = 0; i < node->n_operands; i++) {
    View inner = *view;
    inner.value = node->operands[i];
    if (inner.value->type.rank == view->value->type.rank)
      add_view(walk, &inner);
  }
}

typedef void Step(Walk *walk, const Node *node, const View *view);

static Step *const steps[OP_COUNT] = {
    [OP_concatenate] = walk_concatenate,
    [OP_pad] = walk_pad,
    [OP_slice] = walk_slice,
    [OP_reverse] = walk_reverse,
    [OP_transpose] = walk_transpose,
    [OP_broadcast] = walk_broadcast,
    [OP_reshape] = walk_reshape,
    [OP_reduce_sum] = walk_reduce,
    [OP_reduce_prod] = walk_reduce,
    [OP_reduce_max] = walk_reduce,
    [OP_reduce_min] = walk_reduce,
};

/* -- entry ------------------------------------------------------------- */

static void walk_views(Walk *walk) {
  for (int i = 0; i < walk->n_views; i++) {
    View view = walk->views[i];
    const Node *node = view.value->node;
    Step *step = steps[node->op];
    if (ir_ops[node->op].class == ELEMENTWISE) step = walk_same;
    if (step) step(walk, node, &view);
  }
}

static void start_walk(Walk *walk) {
  View view = {0};
  for (int d = 0; d < walk->shape.rank; d++) {
    view.along[d] = (Along){d, 1, 0};
    view.to[d] = walk->shape.dims[d];
  }
  for (int i = 0; i < walk->kernel->n_results; i++) {
    view.value = walk->kernel->body->yields[i];
    if (ir_shape_equal(walk->kernel->results[i]->type, walk->shape))
      add_view(walk, &view);
  }
}

/* From the inside out, until there would be too many stretches. */
static void limit(const Walk *walk) {
  int64_t stretches = 1;
  for (int d = walk->shape.rank - 1; d >= 0; d--) {
    Breaks *breaks = &walk->breaks[d];
    if (breaks->n <= 0) continue;
    if (stretches * (breaks->n + 1) > MOST_STRETCHES)
      breaks->n = 0;
    else
      stretches *= breaks->n + 1;
  }
}

Breaks *find_breaks(Gen *gen, const Node *kernel, Type shape, int lane_dim) {
  const Block *body = kernel->body;
  bool wanted = false;
  for (int i = 0; i < body->n_nodes; i++)
    wanted |=
        body->nodes[i]->op == OP_concatenate || body->nodes[i]->op == OP_pad;
  if (!wanted || shape.rank == 0 || shape.rank > MOST_DIMS) return NULL;
  Walk walk = {.kernel = kernel, .shape = shape, .lane_dim = lane_dim};
  walk.breaks = gen_alloc(gen, (size_t)shape.rank * sizeof *walk.breaks);
  walk.views = malloc(MOST_VIEWS * sizeof *walk.views);
  if (walk.breaks && walk.views) {
    start_walk(&walk);
    walk_views(&walk);
    limit(&walk);
  }
  free(walk.views);
  return walk.breaks;
}
