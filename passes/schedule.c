/* schedule.c: for each contraction kernel, inline code, the packed kernel or a
 * BLAS call; for each kernel, whether the team shares it (team.c).
 *
 * A product of two f32 or f64 arrays can be packed in almost any layout
 * (product.h); it is, where a price says that it pays (product_price.c).  Our
 * packed kernel is as fast as OpenBLAS on one thread, and applies the epilogue
 * while a tile is in the cache, in the strict order too, so a call remains for
 * what cannot be packed.
 *
 * A contraction can go to BLAS when it is one matrix product (or a batch of
 * them) on buffers as they lie: its labels fall into batch, m, n and k, each of
 * which is one run of dims in both operands and in the result, in the same
 * order. */
#include "gemm.h"
#include "../ir/blocks.h"
#include "pass.h"
#include "product.h"
#include "team.h"

#include <string.h>

/* -- is it a matrix product? ------------------------------------------- */

typedef enum Role { BATCH, ROW, COLUMN, SUM } Role;

static Role role_of(bool in_a, bool in_b, bool in_out) {
  if (in_a && in_b) return in_out ? BATCH : SUM;
  return in_a ? ROW : COLUMN;
}

/* The labels of each role, in the order of the result (SUM: of operand 0). */
typedef struct Labels {
  int8_t v[4][52];
  int n[4];
} Labels;

static bool classify(const Einsum *e, Labels *labels) {
  bool in_a[52] = {false}, in_b[52] = {false};
  memset(labels, 0, sizeof *labels);
  for (int d = 0; d < e->rank[0]; d++) {
    if (in_a[e->term[0][d]]) return false; /* a diagonal */
    in_a[e->term[0][d]] = true;
  }
  for (int d = 0; d < e->rank[1]; d++) {
    if (in_b[e->term[1][d]]) return false;
    in_b[e->term[1][d]] = true;
  }
  for (int o = 0; o < e->out_rank; o++) {
    int l = e->out[o];
    Role role = role_of(in_a[l], in_b[l], true);
    labels->v[role][labels->n[role]++] = (int8_t)l;
  }
  for (int d = 0; d < e->rank[0]; d++) {
    int l = e->term[0][d];
    if (e->in_out[l]) continue;
    if (!in_b[l]) return false; /* a sum over one operand alone */
    labels->v[SUM][labels->n[SUM]++] = (int8_t)l;
  }
  for (int d = 0; d < e->rank[1]; d++)
    if (!e->in_out[e->term[1][d]] && !in_a[e->term[1][d]]) return false;
  return true;
}

/* Where in `dims` the run of `labels` starts; -1: they are not one run. */
static int run_at(const int8_t *dims, int rank, const int8_t *run, int n) {
  if (n == 0) return 0;
  for (int d = 0; d + n <= rank; d++)
    if (memcmp(dims + d, run, (size_t)n) == 0) return d;
  return -1;
}

static int64_t extent(const Einsum *e, const int8_t *run, int n) {
  int64_t size = 1;
  for (int i = 0; i < n; i++) size *= e->size[run[i]];
  return size;
}

/* Elements between neighbours of the run at `at`. */
static int64_t stride_of(const Einsum *e, const int8_t *dims, int rank, int at,
                         int n) {
  int64_t stride = 1;
  for (int d = at + n; d < rank; d++) stride *= e->size[dims[d]];
  return stride;
}

/* One matrix: its rows and columns are runs, one of them contiguous. */
static bool matrix(const Einsum *e, const int8_t *dims, int rank,
                   const Labels *labels, Role rows, Role columns,
                   GemmMatrix *out) {
  const int8_t *r = labels->v[rows], *c = labels->v[columns];
  int nr = labels->n[rows], nc = labels->n[columns];
  int at_r = run_at(dims, rank, r, nr), at_c = run_at(dims, rank, c, nc);
  int nb = labels->n[BATCH];
  if (at_r < 0 || at_c < 0) return false;
  if (nb && memcmp(dims, labels->v[BATCH], (size_t)nb) != 0) return false;
  int64_t across = nc ? stride_of(e, dims, rank, at_c, nc) : 1;
  int64_t down = nr ? stride_of(e, dims, rank, at_r, nr) : 1;
  int64_t n_rows = extent(e, r, nr), n_columns = extent(e, c, nc);
  out->batch_stride = n_rows * n_columns;
  if (across == 1 && (n_rows == 1 || down >= n_columns)) {
    out->transposed = false;
    out->ld = n_rows == 1 ? n_columns : down;
    return true;
  }
  out->transposed = true;
  out->ld = n_columns == 1 ? n_rows : across;
  return down == 1;
}

bool gemm_of(const Node *einsum, GemmShape *shape) {
  Einsum e;
  Labels labels;
  if (einsum->op != OP_einsum || einsum->n_operands != 2) return false;
  DType dtype = einsum->results[0]->type.dtype;
  if (dtype != DT_F32 && dtype != DT_F64) return false;
  if (ir_attr(einsum, ATTR_accumulate)) return false;
  ir_einsum_read(einsum, &e);
  if (!classify(&e, &labels)) return false;
  shape->batch = extent(&e, labels.v[BATCH], labels.n[BATCH]);
  shape->m = extent(&e, labels.v[ROW], labels.n[ROW]);
  shape->n = extent(&e, labels.v[COLUMN], labels.n[COLUMN]);
  shape->k = extent(&e, labels.v[SUM], labels.n[SUM]);
  if (!matrix(&e, e.term[0], e.rank[0], &labels, ROW, SUM, &shape->a) ||
      !matrix(&e, e.term[1], e.rank[1], &labels, SUM, COLUMN, &shape->b) ||
      !matrix(&e, e.out, e.out_rank, &labels, ROW, COLUMN, &shape->c))
    return false;
  return true;
}

/* -- the choice -------------------------------------------------------- */

const Node *gemm_einsum(const Node *kernel) {
  for (int i = 0; i < kernel->body->n_nodes; i++)
    if (kernel->body->nodes[i]->op == OP_einsum) return kernel->body->nodes[i];
  return NULL;
}

/* The kernel output that the product is computed into: the product itself, or
 * the first result that has its dtype. */
int gemm_target(const Node *kernel, const Node *einsum) {
  for (int i = 0; i < kernel->n_results; i++)
    if (kernel->body->yields[i] == einsum->results[0]) return i;
  for (int i = 0; i < kernel->n_results; i++)
    if (kernel->results[i]->type.dtype == einsum->results[0]->type.dtype)
      return i;
  return -1;
}

/* A ys output may lie strided; BLAS writes whole arrays only. */
static bool is_strided(const Node *kernel, int result) {
  const Block *block = kernel->block;
  const Node *scan = block->owner;
  if (scan == NULL) return false;
  IntList dims = ir_ints(scan, ATTR_ys_dims);
  for (int i = scan->n_carries; i < block->n_yields; i++)
    if (block->yields[i] == kernel->results[result])
      return dims.n && dims.v[i - scan->n_carries] != 0;
  return false;
}

static bool reads_strided(const Value *value) {
  const Block *block = value->block;
  if (value->node || block->owner == NULL) return false;
  const Node *scan = block->owner;
  IntList dims = ir_ints(scan, ATTR_xs_dims);
  return value->index >= scan->n_carries && dims.n &&
         dims.v[value->index - scan->n_carries] != 0;
}

/* Below, a call of OpenBLAS and its packing do not pay. */
enum { NARROW = 8, BLAS_FLOPS = 2 * 48 * 48 * 48 };

/* Why the kernel cannot be a BLAS call; NULL: it can. */
static const char *no_blas(const Node *kernel, const Options *options,
                           GemmShape *shape) {
  const Node *einsum = gemm_einsum(kernel);
  if (options->numerics == NUMERICS_STRICT)
    return "strict numerics fix the order of the sum";
  if (ir_blocks_around(kernel->block))
    return "it runs block by block, on what the cache holds";
  if (!gemm_of(einsum, shape)) return "it is no f32 or f64 matrix product";
  for (int i = 0; i < 2; i++) {
    const Value *operand = einsum->operands[i];
    if (operand->block == kernel->body) return "an operand is computed here";
    if (reads_strided(operand)) return "an operand lies strided";
    Scalar element;
    if (ir_is_splat(operand, &element)) return "an operand is a constant";
  }
  int target = gemm_target(kernel, einsum);
  if (target < 0) return "no result has the product's dtype";
  if (is_strided(kernel, target)) return "the result is written strided";
  if (shape->m > INT32_MAX || shape->n > INT32_MAX || shape->k > INT32_MAX ||
      shape->a.ld > INT32_MAX || shape->b.ld > INT32_MAX ||
      shape->c.ld > INT32_MAX)
    return "a size passes what BLAS's 32-bit integers hold";
  if (shape->batch == 0 || shape->m == 0 || shape->n == 0 || shape->k == 0)
    return "it is empty";
  return NULL;
}

/* Why it cannot be packed; NULL: it can, in these blocks. */
static const char *no_packed(const Node *kernel, const Options *options,
                             Product *product, Blocks *blocks) {
  const Node *einsum = gemm_einsum(kernel);
  const char *why = product_of(einsum, product);
  if (why) return why;
  for (int i = 0; i < kernel->n_results; i++)
    if (!ir_shape_equal(kernel->results[i]->type, einsum->results[0]->type))
      return "its results differ in shape";
  *blocks = product_blocks(product, &options->hardware);
  if (blocks->depth < product->e.size[*product->sums] &&
      gemm_target(kernel, einsum) < 0)
    return "no result has the product's dtype";
  return NULL;
}

typedef struct Choice {
  Word by;
  const char *why;
  Blocks blocks; /* of by=packed */
} Choice;

static Choice inline_as(const char *why) {
  return (Choice){.by = WORD_inline, .why = why};
}

/* What cannot be packed: the columns are several dims, say. */
static Choice blas_or_inline(const Node *kernel, const Options *options,
                             const char *why) {
  GemmShape s;
  if (no_blas(kernel, options, &s) || s.m < NARROW || s.n < NARROW)
    return inline_as(why);
  if (2.0 * (double)s.m * (double)s.n * (double)s.k < BLAS_FLOPS)
    return inline_as(why);
  return (Choice){.by = WORD_blas, .why = "it is a large matrix product"};
}

/* What the machine does best. */
static Choice choose_auto(const Node *kernel, const Options *options) {
  Product p;
  Choice packed = {.by = WORD_packed, .why = "packing its operands pays"};
  const char *why = no_packed(kernel, options, &p, &packed.blocks);
  if (why == NULL && (p.m < NARROW || p.n < NARROW))
    why = "it is as good as a matrix-vector product";
  if (why) return blas_or_inline(kernel, options, why);
  double packing = product_packed_cycles(&p, &options->hardware);
  if (product_inline_cycles(&p, &options->hardware) <= packing)
    return inline_as("it is small, and its operands lie well");
  return packed;
}

static Choice choose(const Node *kernel, const Options *options) {
  GemmShape shape;
  Product product;
  Choice choice = {.by = WORD_packed};
  switch (options->gemm) {
    case GEMM_INLINE:
      return inline_as("asked for with --gemm=inline");
    case GEMM_PACKED:
      choice.why = no_packed(kernel, options, &product, &choice.blocks);
      if (choice.why) return inline_as(choice.why);
      choice.why = "asked for with --gemm=packed";
      return choice;
    case GEMM_BLAS:
      choice.why = no_blas(kernel, options, &shape);
      if (choice.why) return inline_as(choice.why);
      return (Choice){.by = WORD_blas, .why = "asked for with --gemm=blas"};
    case GEMM_AUTO:
      break;
  }
  return choose_auto(kernel, options);
}

const char *pass_gemm_reason(const Node *kernel, const Options *options) {
  return choose(kernel, options).why;
}

/* What the rule for one node needs. */
typedef struct Schedule {
  const Options *options;
  TeamPlan team;
} Schedule;

static Choice choice_of(const Node *kernel, const Options *options) {
  if (ir_attr(kernel, ATTR_by))
    return (Choice){.by = (Word)ir_int(kernel, ATTR_by)};
  if (ir_int(kernel, ATTR_form) != WORD_contract)
    return (Choice){.by = WORD_NONE};
  return choose(kernel, options);
}

/* A kernel with a schedule of its own keeps it. */
static bool is_scheduled(const Node *kernel) {
  return ir_attr(kernel, ATTR_by) || ir_attr(kernel, ATTR_tile) ||
         ir_attr(kernel, ATTR_at);
}

/* The node with these attributes. */
static bool copy_with(Copier *copier, Block *to, const Node *node,
                      const Attr *attrs, int n) {
  Node scheduled = *node;
  scheduled.attrs = attrs;
  scheduled.n_attrs = n;
  ir_copy_node(copier, to, &scheduled);
  return true;
}

static bool schedule_blocks(Copier *copier, Block *to, const Node *node) {
  const Schedule *schedule = copier->context;
  Attr attrs[ATTR_COUNT];
  int n = 0;
  if (ir_attr(node, ATTR_team) || ir_attr(node, ATTR_at) ||
      !team_blocks(&schedule->team, node, schedule->options))
    return false;
  for (int i = 0; i < node->n_attrs; i++) attrs[n++] = node->attrs[i];
  attrs[n++] = (Attr)IR_INT(team, 1);
  return copy_with(copier, to, node, attrs, n);
}

static bool schedule_node(Copier *copier, Block *to, const Node *node) {
  if (node->op == OP_blocks) return schedule_blocks(copier, to, node);
  if (node->op != OP_kernel || is_scheduled(node)) return false;
  const Schedule *schedule = copier->context;
  Choice choice = choice_of(node, schedule->options);
  int64_t pack[] = {choice.blocks.rows, choice.blocks.columns,
                    choice.blocks.depth};
  Attr attrs[ATTR_COUNT];
  int64_t tile[IR_MAX_RANK];
  int n = 0;
  for (int i = 0; i < node->n_attrs; i++) attrs[n++] = node->attrs[i];
  if (choice.by != WORD_NONE) attrs[n++] = (Attr)IR_INT(by, choice.by);
  if (choice.by == WORD_packed) attrs[n++] = (Attr)IR_INTS(pack, pack, 3);
  if (!team_tile(&schedule->team, node, choice.by, schedule->options, tile)) {
    attrs[n++] = (Attr)IR_INTS(tile, tile, node->results[0]->type.rank);
    attrs[n++] = (Attr)IR_INT(team, 1);
  }
  return copy_with(copier, to, node, attrs, n);
}

Program *pass_schedule(const Program *program, const Options *options) {
  Schedule schedule = {.options = options};
  bool fine = team_plan_begin(&schedule.team, program, options);
  Copier copier = {.from = program,
                   .rule = fine ? schedule_node : NULL,
                   .context = &schedule};
  Program *scheduled = ir_copy(&copier, KERNELS);
  if (!fine && scheduled) ir_out_of_memory(scheduled);
  team_plan_end(&schedule.team);
  return scheduled;
}
