/* evaluate_collectives.c: the ops that name an axis.
 *
 * The named axes make a team of n devices, numbered row-major, the first name
 * most significant; `groups` cuts it up, else it is one group.  Everything but
 * the team's axes is looped over here; a GroupRule sees one group: where each
 * member's operand lies and where each receiver's result goes.
 *
 * Order: the terms of a sum are the members' values in device order (a group's:
 * as it lists them), added in the strict order of evaluate_reduce.c.  Axes
 * along which the operand does not vary count as equal copies: what varies is
 * summed, then multiplied by the number of copies, once.
 */
#include <stdlib.h>
#include <string.h>

#include "evaluate.h"

typedef struct Group {
  const Node *node;
  int64_t n;         /* members, in the order that counts */
  const char **from; /* each member's operand */
  int64_t n_to;      /* n, or 1 where the result does not vary */
  char **to;
  int64_t terms;     /* psum: members [0, n) that are not just copies */
  const char **term; /* their operands */
} Group;

typedef void GroupRule(const Group *group);

typedef struct Team {
  int n_axes;
  int axis[IR_MAX_AXES];
  uint64_t set;
  int64_t size;
  IntLists groups;
} Team;

/* -- teams and groups -------------------------------------------------- */

/* For the ops where the order of names must not matter the axes stand in the
 * order of declaration, unless groups number the devices. */
static bool order_is_free(const Node *node) {
  return (node->op == OP_psum || node->op == OP_pmean) &&
         ir_lists(node, ATTR_groups).n == 0;
}

static Team team_of(const Program *program, const Node *node) {
  IntList axes = ir_ints(node, ATTR_axis);
  Team team = {.n_axes = axes.n, .size = 1};
  team.groups = ir_lists(node, ATTR_groups);
  for (int i = 0; i < axes.n; i++) {
    team.axis[i] = (int)axes.v[i];
    team.set |= UINT64_C(1) << axes.v[i];
    team.size *= program->axes[axes.v[i]].size;
  }
  if (order_is_free(node)) {
    uint64_t rest = team.set;
    for (int i = 0; i < axes.n; i++, rest &= rest - 1) {
      team.axis[i] = __builtin_ctzll(rest);
    }
  }
  return team;
}

static void stand_at(const Program *program, const Team *team, int64_t member,
                     int64_t *device) {
  for (int i = team->n_axes - 1; i >= 0; i--) {
    int64_t size = program->axes[team->axis[i]].size;
    device[team->axis[i]] = member % size;
    member /= size;
  }
}

/* Is this member the first of those that hold the same copy? */
static bool holds_own_copy(const Team *team, uint64_t varying,
                           const int64_t *device) {
  for (int i = 0; i < team->n_axes; i++) {
    int axis = team->axis[i];
    if (!(varying >> axis & 1) && device[axis] != 0) return false;
  }
  return true;
}

static void collect(const Evaluation *evaluation, const Team *team,
                    int group_number, int64_t *device, Group *group) {
  const Program *program = evaluation->program;
  const Node *node = group->node;
  bool grouped = team->groups.n > 0;
  uint64_t varying = node->n_operands ? node->operands[0]->type.axes : 0;
  bool shared = (varying & team->set) == 0;
  group->n = grouped ? team->groups.v[group_number].n : team->size;
  group->n_to = node->results[0]->type.axes & team->set ? group->n : 1;
  group->terms = 0;
  for (int64_t p = 0; p < group->n; p++) {
    int64_t member = grouped ? team->groups.v[group_number].v[p] : p;
    stand_at(program, team, member, device);
    if (p < group->n_to) {
      group->to[p] = rt_device(evaluation, node->results[0], device);
    }
    if (!node->n_operands) continue;
    group->from[p] = rt_device(evaluation, node->operands[0], device);
    bool own =
        grouped ? !shared || p == 0 : holds_own_copy(team, varying, device);
    if (own) group->term[group->terms++] = group->from[p];
  }
  stand_at(program, team, 0, device);
}

static void run_groups(Evaluation *evaluation, const Team *team, Group *group,
                       GroupRule *rule) {
  const Node *node = group->node;
  int64_t device[IR_MAX_AXES] = {0};
  uint64_t others = node->results[0]->type.axes;
  if (node->n_operands) others |= node->operands[0]->type.axes;
  others &= ~team->set;
  do {
    for (int g = 0; g == 0 || g < team->groups.n; g++) {
      collect(evaluation, team, g, device, group);
      rule(group);
    }
  } while (rt_next_device(evaluation->program, others, device));
}

static bool run(Evaluation *evaluation, const Node *node, GroupRule *rule) {
  Team team = team_of(evaluation->program, node);
  Group group = {.node = node};
  group.from = rt_allocate(evaluation, team.size, sizeof *group.from);
  group.term = rt_allocate(evaluation, team.size, sizeof *group.term);
  group.to = rt_allocate(evaluation, team.size, sizeof *group.to);
  bool fine = group.from && group.term && group.to &&
              rt_define(evaluation, node->results[0]);
  if (fine) run_groups(evaluation, &team, &group, rule);
  free(group.from);
  free(group.term);
  free(group.to);
  return fine;
}

/* -- reductions -------------------------------------------------------- */

__extension__ typedef __int128 Wide;

static int64_t bytes_of(DType dtype) { return (int64_t)ir_dtype_bytes(dtype); }

static Scalar apply(Op op, DType dtype, Scalar a, Scalar b) {
  return ir_scalar_apply(op, WORD_NONE, dtype, (Scalar[]){a, b});
}

/* The sum of the element at `offset` over the members, in the accumulator. */
static Scalar sum_terms(const Group *group, DType accumulator, int64_t offset) {
  DType from = group->node->operands[0]->type.dtype;
  StrictSum sum;
  rt_strict_start(&sum, OP_add, accumulator);
  for (int64_t q = 0; q < group->terms; q++) {
    Scalar term = ir_scalar_load(from, group->term[q] + offset);
    rt_strict_add(&sum, ir_scalar_convert(accumulator, from, term));
  }
  return rt_strict_total(&sum);
}

static Scalar psum_element(const Group *group, int64_t offset) {
  DType to = group->node->results[0]->type.dtype;
  DType accumulator = ir_accumulator(to);
  Scalar sum = sum_terms(group, accumulator, offset);
  if (group->terms == group->n) return sum;
  Scalar copies = {.i = group->n / group->terms};
  return apply(OP_mul, accumulator, sum,
               ir_scalar_convert(accumulator, DT_I64, copies));
}

static Scalar wide_mean(const Group *group, int64_t offset) {
  DType from = group->node->operands[0]->type.dtype;
  DType to = group->node->results[0]->type.dtype;
  Wide sum = 0;
  for (int64_t q = 0; q < group->terms; q++) {
    Scalar term = ir_scalar_load(from, group->term[q] + offset);
    sum += ir_is_signed(from) ? (Wide)term.i : (Wide)term.u;
  }
  Scalar total = {.f = to == DT_F32 ? (double)(float)sum : (double)sum};
  return apply(OP_div, to, total,
               ir_scalar_convert(to, DT_I64, (Scalar){.i = group->terms}));
}

/* Copies do not change a mean, so only the terms are counted. */
static Scalar pmean_element(const Group *group, int64_t offset) {
  DType from = group->node->operands[0]->type.dtype;
  if (!ir_is_float(from)) return wide_mean(group, offset);
  DType accumulator = ir_accumulator(from);
  Scalar count =
      ir_scalar_convert(accumulator, DT_I64, (Scalar){.i = group->terms});
  return apply(OP_div, accumulator, sum_terms(group, accumulator, offset),
               count);
}

static Scalar extreme_element(const Group *group, int64_t offset, Op op) {
  DType dtype = group->node->results[0]->type.dtype;
  Scalar found = ir_scalar_load(dtype, group->term[0] + offset);
  for (int64_t q = 1; q < group->terms; q++) {
    found =
        apply(op, dtype, found, ir_scalar_load(dtype, group->term[q] + offset));
  }
  return found;
}

static Scalar pmax_element(const Group *group, int64_t offset) {
  return extreme_element(group, offset, OP_max);
}

static Scalar pmin_element(const Group *group, int64_t offset) {
  return extreme_element(group, offset, OP_min);
}

static void each_element(const Group *group,
                         Scalar (*element)(const Group *, int64_t)) {
  Type to = group->node->results[0]->type;
  int64_t from_size = bytes_of(group->node->operands[0]->type.dtype);
  int64_t size = bytes_of(to.dtype);
  int64_t count = ir_type_elements(to);
  for (int64_t i = 0; i < count; i++) {
    Scalar value = element(group, i * from_size);
    for (int64_t p = 0; p < group->n_to; p++) {
      ir_scalar_store(to.dtype, group->to[p] + i * size, value);
    }
  }
}

static void psum(const Group *group) { each_element(group, psum_element); }
static void pmean(const Group *group) { each_element(group, pmean_element); }
static void pmax(const Group *group) { each_element(group, pmax_element); }
static void pmin(const Group *group) { each_element(group, pmin_element); }

/* -- exchanges --------------------------------------------------------- */

/* A dim seen from outside: the dims before it, and itself with those after. */
typedef struct Cut {
  int64_t before, bytes;
} Cut;

static Cut cut_at(Type type, int64_t dim) {
  return (Cut){
      rt_product(type.dims, (int)dim),
      rt_product(type.dims + dim, type.rank - (int)dim) * bytes_of(type.dtype)};
}

/* Stacked and tiled lie alike: member q's piece follows member q - 1's. */
static void all_gather(const Group *group) {
  int64_t n = group->n;
  Cut cut =
      cut_at(group->node->operands[0]->type, ir_int(group->node, ATTR_dim));
  for (int64_t p = 0; p < group->n_to; p++) {
    for (int64_t q = 0; q < n; q++) {
      rt_copy_pieces(cut.before, cut.bytes, group->to[p] + q * cut.bytes,
                     n * cut.bytes, group->from[q], cut.bytes);
    }
  }
}

static void psum_scatter(const Group *group) {
  Type from = group->node->operands[0]->type;
  Type to = group->node->results[0]->type;
  int64_t from_size = bytes_of(from.dtype), size = bytes_of(to.dtype);
  Cut cut = cut_at(from, ir_int(group->node, ATTR_dim));
  int64_t chunk = cut.bytes / from_size / group->n;
  for (int64_t p = 0; p < group->n_to; p++) {
    for (int64_t i = 0; i < cut.before * chunk; i++) {
      int64_t source = (i / chunk * group->n + p) * chunk + i % chunk;
      ir_scalar_store(to.dtype, group->to[p] + i * size,
                      psum_element(group, source * from_size));
    }
  }
}

static void ppermute(const Group *group) {
  IntLists pairs = ir_lists(group->node, ATTR_pairs);
  size_t bytes = (size_t)ir_type_bytes(group->node->results[0]->type);
  for (int64_t p = 0; p < group->n_to; p++) memset(group->to[p], 0, bytes);
  for (int i = 0; i < pairs.n; i++) {
    const int64_t *pair = pairs.v[i].v;
    memcpy(group->to[pair[1]], group->from[pair[0]], bytes);
  }
}

static void remove_dim(Box *box, int dim, int64_t *strides) {
  int after = box->rank - dim - 1;
  memmove(strides + dim, strides + dim + 1, (size_t)after * sizeof *strides);
}

/* What one member sends to one receiver, as a box.  tiled: a chunk of the
 * split dim; else the operand without that dim, which lands in a result
 * without the concat dim.  *from_step, *to_step: how far the pieces for the
 * next receiver, and of the next sender, lie. */
static Box piece_box(const Group *group, int64_t *from_step, int64_t *to_step) {
  const Node *node = group->node;
  Type from = node->operands[0]->type, to = node->results[0]->type;
  int split = (int)ir_int(node, ATTR_split);
  int concat = (int)ir_int(node, ATTR_concat);
  Box box = rt_box(from.rank, from.dims, ir_dtype_bytes(from.dtype));
  rt_strides(to.rank, to.dims, ir_dtype_bytes(to.dtype), box.to);
  *from_step = box.from[split];
  *to_step = box.to[concat];
  if (ir_int(node, ATTR_tiled)) {
    box.dims[split] /= group->n;
    *from_step *= box.dims[split];
    *to_step *= box.dims[concat];
    return box;
  }
  remove_dim(&box, split, box.dims);
  remove_dim(&box, split, box.from);
  remove_dim(&box, concat, box.to);
  box.rank--;
  return box;
}

static void all_to_all(const Group *group) {
  int64_t from_step, to_step;
  size_t element = ir_dtype_bytes(group->node->results[0]->type.dtype);
  Box box = piece_box(group, &from_step, &to_step);
  for (int64_t p = 0; p < group->n_to; p++) {
    for (int64_t q = 0; q < group->n; q++) {
      rt_copy_box(&box, element, group->to[p] + q * to_step,
                  group->from[q] + p * from_step);
    }
  }
}

static void pbroadcast(const Group *group) {
  int64_t source = ir_int(group->node, ATTR_source);
  size_t bytes = (size_t)ir_type_bytes(group->node->results[0]->type);
  memcpy(group->to[0], group->from[source], bytes);
}

/* -- axes and dims ----------------------------------------------------- */

static void axis_index(const Group *group) {
  for (int64_t p = 0; p < group->n_to; p++) {
    ir_scalar_store(DT_I32, group->to[p], (Scalar){.i = p});
  }
}

static void axis_size(const Group *group) {
  ir_scalar_store(DT_I32, group->to[0], (Scalar){.i = group->n});
}

static void map(const Group *group) {
  int64_t n = group->n;
  Cut cut =
      cut_at(group->node->operands[0]->type, ir_int(group->node, ATTR_dim));
  int64_t size = cut.bytes / n;
  for (int64_t p = 0; p < group->n_to; p++) {
    rt_copy_pieces(cut.before, size, group->to[p], size,
                   group->from[p] + p * size, n * size);
  }
}

/* -- the rules --------------------------------------------------------- */

#define RULE(name, rule)                                     \
  bool rt_##name(Evaluation *evaluation, const Node *node) { \
    return run(evaluation, node, rule);                      \
  }
RULE(psum, psum)
RULE(pmean, pmean)
RULE(pmax, pmax)
RULE(pmin, pmin)
RULE(all_gather, all_gather)
RULE(psum_scatter, psum_scatter)
RULE(ppermute, ppermute)
RULE(all_to_all, all_to_all)
RULE(pbroadcast, pbroadcast)
RULE(axis_index, axis_index)
RULE(axis_size, axis_size)
RULE(map, map)
RULE(unmap, all_gather) /* it is one, over an axis that may be invariant */
