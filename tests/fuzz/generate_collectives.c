/* generate_collectives.c: makers of ops that name an axis. */
#include "makers.h"

/* -- collectives ------------------------------------------------------- */

/* Which axes, how many devices, and perhaps groups. */
typedef struct Over {
  int64_t axes[3];
  int n;
  int64_t devices, each; /* each: the size of a group */
  IntList groups[64];
  int64_t members[64];
  int n_groups;
} Over;

static bool any_axes(Generator *g, Over *over, int most) {
  *over = (Over){.devices = 1};
  int first = below(g, g->program->n_axes);
  int n = most > 1 && chance(g, 35) ? 2 : 1;
  if (g->program->n_axes < n) n = g->program->n_axes;
  for (int i = 0; i < n; i++) {
    int axis = (first + i) % g->program->n_axes;
    over->axes[over->n++] = axis;
    over->devices *= g->program->axes[axis].size;
  }
  over->each = over->devices;
  return n > 0;
}

/* Such that devices may meet there. */
static bool choose_axes(Generator *g, Over *over, int most) {
  if (!any_axes(g, over, most)) return false;
  for (int i = 0; i < over->n; i++)
    if (g->closed >> over->axes[i] & 1) return false;
  return true;
}

static void choose_groups(Generator *g, Over *over) {
  if (!chance(g, 25)) return;
  int n = (int)over->devices, each = 1 + below(g, n);
  while (n % each) each--;
  for (int i = 0; i < n; i++) {
    int other = below(g, i + 1);
    over->members[i] = over->members[other];
    over->members[other] = i;
  }
  over->each = each;
  for (int i = 0; i < n; i += each)
    over->groups[over->n_groups++] = (IntList){over->members + i, each};
}

static int over_attrs(const Over *over, Attr attrs[2]) {
  attrs[0] = (Attr)IR_INTS(axis, over->axes, over->n);
  attrs[1] =
      (Attr){.key = ATTR_groups, .lists = {over->groups, over->n_groups}};
  return over->n_groups ? 2 : 1;
}

void make_sum_like(Generator *g, Op op, Kind kind) {
  Over over;
  Attr attrs[2];
  if (!choose_axes(g, &over, 2)) return;
  Value *x = pick(g, kind);
  if (!x) return;
  choose_groups(g, &over);
  int n = over_attrs(&over, attrs);
  emit(g, op, IR_VALUES(x), n, attrs, NULL);
}

void make_all_gather(Generator *g, Op op, Kind kind) {
  Over over;
  Attr attrs[4];
  if (!choose_axes(g, &over, 2)) return;
  bool tiled = chance(g, 40);
  Value *x = tiled ? pick_ranked(g, kind) : pick(g, kind);
  if (!x || ir_type_elements(x->type) * over.devices > MAX_RESULT * g->room)
    return;
  choose_groups(g, &over);
  int n = over_attrs(&over, attrs);
  attrs[n++] = (Attr)IR_INT(tiled, tiled);
  attrs[n++] = (Attr)IR_INT(dim, below(g, x->type.rank + !tiled));
  emit(g, op, IR_VALUES(x), n, attrs, NULL);
}

/* A value whose dim *dim splits into the groups' size. */
static Value *splittable(Generator *g, const Over *over, Kind kind, bool tiled,
                         int *dim) {
  Value *like = pick(g, kind);
  if (!like || like->type.rank > 4) return NULL;
  Dims dims = dims_of(like);
  if (dims.n == 0) dims.n = 1;
  *dim = below(g, dims.n);
  dims.v[*dim] = over->each * (tiled ? 1 + below(g, 2) : 1);
  Type type = {like->type.dtype, dims.n, dims.v, 0};
  return ir_type_elements(type) > MAX_RESULT * g->room ? NULL
                                                       : pick_like(g, type);
}

void make_psum_scatter(Generator *g, Op op, Kind kind) {
  Over over;
  Attr attrs[4];
  int dim;
  bool tiled = chance(g, 50);
  if (!choose_axes(g, &over, 2)) return;
  choose_groups(g, &over);
  Value *x = splittable(g, &over, kind, tiled, &dim);
  if (!x) return;
  int n = over_attrs(&over, attrs);
  attrs[n++] = (Attr)IR_INT(tiled, tiled);
  attrs[n++] = (Attr)IR_INT(dim, dim);
  emit(g, op, IR_VALUES(x), n, attrs, NULL);
}

void make_all_to_all(Generator *g, Op op, Kind kind) {
  Over over;
  Attr attrs[5];
  int split;
  bool tiled = chance(g, 50);
  if (!choose_axes(g, &over, 2)) return;
  choose_groups(g, &over);
  Value *x = splittable(g, &over, kind, tiled, &split);
  if (!x) return;
  int n = over_attrs(&over, attrs);
  attrs[n++] = (Attr)IR_INT(tiled, tiled);
  attrs[n++] = (Attr)IR_INT(split, split);
  attrs[n++] = (Attr)IR_INT(concat, below(g, x->type.rank));
  emit(g, op, IR_VALUES(x), n, attrs, NULL);
}

void make_ppermute(Generator *g, Op op, Kind kind) {
  Over over;
  int64_t pairs[64][2];
  IntList lists[64];
  if (!choose_axes(g, &over, 2)) return;
  int devices = (int)over.devices, shift = below(g, devices), n = 0;
  for (int i = 0; i < devices; i++) {
    if (chance(g, 25)) continue;
    pairs[n][0] = i;
    pairs[n][1] = (i + shift) % devices;
    lists[n] = (IntList){pairs[n], 2};
    n++;
  }
  Value *x = pick(g, kind);
  if (!x) return;
  emit(g, op, IR_VALUES(x),
       IR_ATTRS(IR_INTS(axis, over.axes, over.n),
                {.key = ATTR_pairs, .lists = {lists, n}}),
       NULL);
}

void make_pbroadcast(Generator *g, Op op, Kind kind) {
  Over over;
  if (!choose_axes(g, &over, 2)) return;
  Value *x = pick(g, kind);
  if (!x) return;
  emit(g, op, IR_VALUES(x),
       IR_ATTRS(IR_INTS(axis, over.axes, over.n),
                IR_INT(source, below(g, (int)over.devices))),
       NULL);
}

void make_axis_number(Generator *g, Op op, Kind kind) {
  Over over;
  (void)kind;
  if (!any_axes(g, &over, 2)) return;
  emit(g, op, 0, NULL, IR_ATTRS(IR_INTS(axis, over.axes, over.n)), NULL);
}

/* Axes of what depends on a carry are not known yet inside a scan, so there
 * map takes an input of its own. */
void make_map(Generator *g, Op op, Kind kind) {
  Over over;
  if (!any_axes(g, &over, 1)) return;
  Value *x = pick(g, kind);
  if (!x || x->type.rank > 4) return;
  int64_t size = g->program->axes[over.axes[0]].size;
  int dim = below(g, x->type.rank + 1);
  bool fits = !g->block->depth && dim < x->type.rank &&
              x->type.dims[dim] == size && !(x->type.axes >> over.axes[0] & 1);
  if (!fits) {
    Dims dims = dims_of(x);
    insert(&dims, dim, size);
    uint64_t axes = random_axes(g) & ~(UINT64_C(1) << over.axes[0]);
    x = new_input(g, x->type.dtype, dims.n, dims.v, axes);
  }
  if (!x) return;
  emit(g, op, IR_VALUES(x),
       IR_ATTRS(IR_INTS(axis, over.axes, 1), IR_INT(dim, dim)), NULL);
}

void make_unmap(Generator *g, Op op, Kind kind) {
  Over over;
  if (!choose_axes(g, &over, 1)) return;
  Value *x = pick(g, kind);
  if (!x || ir_type_elements(x->type) * over.devices > MAX_RESULT * g->room)
    return;
  emit(g, op, IR_VALUES(x),
       IR_ATTRS(IR_INTS(axis, over.axes, 1),
                IR_INT(dim, below(g, x->type.rank + 1))),
       NULL);
}
