/* contract.c: einsums of many operands become pairs.
 *
 * Comes in: a batched program.  Goes out: the same, where every einsum has one
 * or two operands and letters that say what a label does: b for batch, m and n
 * for the dims of the result that are the first and the second operand's, k for
 * what is contracted (further ones take the next free letters).
 *
 * In fast, and for integers, pairs are made in a good order (contract_order.c),
 * and labels of one operand only are summed before they are multiplied.  Floats
 * in strict are paired from left to right, as the evaluator does.  In both, a
 * pair whose operands are made outside of a loop is made there too,
 * intermediates of f16 and bf16 are f32, and a diagonal is taken before its
 * operand is used. */
#include "contract.h"

#include <stdlib.h>
#include <string.h>

static const char alphabet[] =
    "acdefghijlopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZbmnk";

/* -- labels ------------------------------------------------------------ */

static void add_label(Term *term, int8_t label) {
  if (term->set & bit(label)) return;
  term->label[term->rank++] = label;
  term->set |= bit(label);
}

/* -- letters ----------------------------------------------------------- */

typedef struct Names {
  Einsum *e;
  uint64_t named;
  bool taken[128];
} Names;

static void name_label(Names *names, int label, char letter) {
  names->e->letter[label] = letter;
  names->named |= bit(label);
  names->taken[(int)letter] = true;
}

/* The first label of a kind gets the kind's own letter. */
static void name_first(Names *names, const int8_t *labels, int n,
                       uint64_t of_kind, char own) {
  for (int i = 0; i < n; i++)
    if (of_kind & ~names->named & bit(labels[i])) {
      name_label(names, labels[i], own);
      return;
    }
}

/* The others get the letters that are free, in order. */
static void name_rest(Names *names, const int8_t *labels, int n) {
  const char *letter = alphabet;
  for (int i = 0; i < n; i++) {
    if (names->named & bit(labels[i])) continue;
    while (names->taken[(int)*letter]) letter++;
    name_label(names, labels[i], *letter);
  }
}

static void name_all(Einsum *e) {
  uint64_t set[2] = {0, 0}, out = 0;
  Names names = {.e = e};
  for (int t = 0; t < e->n_terms; t++)
    for (int d = 0; d < e->rank[t]; d++) set[t] |= bit(e->term[t][d]);
  for (int o = 0; o < e->out_rank; o++) out |= bit(e->out[o]);
  uint64_t both = set[0] & set[1];
  name_first(&names, e->out, e->out_rank, both, 'b');
  name_first(&names, e->out, e->out_rank, set[0] & ~both, 'm');
  name_first(&names, e->out, e->out_rank, set[1] & ~both, 'n');
  name_first(&names, e->term[0], e->rank[0], both & ~out, 'k');
  name_rest(&names, e->out, e->out_rank);
  for (int t = 0; t < e->n_terms; t++)
    name_rest(&names, e->term[t], e->rank[t]);
}

/* -- nodes ------------------------------------------------------------- */

/* Of the blocks of two values, the inner one. */
static Block *inner_block(const Value *a, const Value *b) {
  return a->block->depth >= b->block->depth ? a->block : b->block;
}

static Value *convert(const Contract *c, Value *x, DType dtype) {
  if (x == NULL || x->type.dtype == dtype) return x;
  Type type = x->type;
  type.dtype = dtype;
  return ir_make(x->block, OP_convert, IR_VALUES(x), 0, NULL, &type, NULL,
                 c->node->place);
}

static Value *einsum(const Contract *c, Block *block, const Term *const *terms,
                     int n, const Term *result, const Attr *accumulate) {
  Einsum e = {.n_terms = n, .out_rank = result->rank};
  Value *operands[2];
  for (int t = 0; t < n; t++) {
    operands[t] = terms[t]->value;
    e.rank[t] = terms[t]->rank;
    memcpy(e.term[t], terms[t]->label, sizeof e.term[t]);
    if (operands[t] == NULL) return NULL;
  }
  memcpy(e.out, result->label, (size_t)result->rank);
  name_all(&e);
  Attr attrs[2] = {IR_STRING(spec, ir_einsum_spec(c->copier->to, &e))};
  if (attrs[0].s == NULL) return NULL;
  if (accumulate) attrs[1] = *accumulate;
  return ir_make(block, OP_einsum, n, operands, accumulate ? 2 : 1, attrs, NULL,
                 NULL, c->node->place);
}

/* Each label once. */
static void take_diagonal(const Contract *c, Term *term) {
  Term single = {.value = NULL};
  for (int d = 0; d < term->rank; d++) add_label(&single, term->label[d]);
  if (single.rank == term->rank || term->value == NULL) return;
  single.value =
      einsum(c, term->value->block, (const Term *[]){term}, 1, &single, NULL);
  *term = single;
}

/* -- sums over one operand --------------------------------------------- */

static bool may_sum(const Contract *c, DType dtype) {
  return c->fast && dtype != DT_F16 && dtype != DT_BF16;
}

/* Sum labels that no other term has before anything is multiplied, if what
 * this saves is more than it costs: another term has labels of its own. */
static void sum_alone(Contract *c, int t) {
  Term *term = &c->terms[t];
  uint64_t needed = contract_others(c, t, t);
  uint64_t alone = term->set & ~needed;
  if (alone == 0 || term->value == NULL) return;
  DType dtype = term->value->type.dtype;
  if (!may_sum(c, dtype) || contract_product(c, needed & ~term->set) == 1)
    return;
  int64_t dims[IR_MAX_RANK];
  int n = 0, rank = 0;
  for (int d = 0; d < term->rank; d++) {
    if (alone & bit(term->label[d]))
      dims[n++] = d;
    else
      term->label[rank++] = term->label[d];
  }
  term->rank = rank;
  term->set &= ~alone;
  Op op = dtype == DT_BOOL ? OP_reduce_or : OP_reduce_sum;
  term->value =
      ir_make(term->value->block, op, IR_VALUES(term->value),
              IR_ATTRS(IR_INTS(dims, dims, n)), NULL, NULL, c->node->place);
}

/* -- pairs ------------------------------------------------------------- */

/* The labels of what a pair leaves.  In strict they are in order of first
 * appearance (the later loops follow it); else batch, m, n. */
static void leave(const Contract *c, const Term *a, const Term *b,
                  uint64_t needed, Term *result) {
  *result = (Term){.value = NULL};
  for (int d = 0; c->fast && d < a->rank; d++)
    if (needed & b->set & bit(a->label[d])) add_label(result, a->label[d]);
  for (int d = 0; d < a->rank; d++)
    if (needed & bit(a->label[d])) add_label(result, a->label[d]);
  for (int d = 0; d < b->rank; d++)
    if (needed & bit(b->label[d])) add_label(result, b->label[d]);
}

/* Does the first dim of the result that is not a batch dim come from b? */
static bool second_leads(const Contract *c, const Term *a, const Term *b) {
  for (int o = 0; o < c->e.out_rank; o++)
    if (!(a->set & b->set & bit(c->e.out[o]))) return b->set & bit(c->e.out[o]);
  return false;
}

/* Terms i and j become one, in the place of i; those after j move up. */
void contract_join(Contract *c, int i, int j) {
  Term result, *a = &c->terms[i], *b = &c->terms[j];
  leave(c, a, b, contract_others(c, i, j), &result);
  if (c->n == 2) {
    result.rank = c->e.out_rank;
    memcpy(result.label, c->e.out, (size_t)result.rank);
  }
  const Term *pair[2] = {a, b};
  if (c->n == 2 && c->fast && second_leads(c, a, b)) {
    pair[0] = b;
    pair[1] = a;
  }
  if (a->value && b->value)
    result.value =
        einsum(c, inner_block(a->value, b->value), pair, 2, &result, NULL);
  c->terms[i] = result;
  memmove(b, b + 1, (size_t)(c->n - j - 1) * sizeof *b);
  c->n--;
}

/* -- an einsum --------------------------------------------------------- */

static void read_node(Contract *c) {
  const Node *node = c->node;
  ir_einsum_read(node, &c->e);
  c->n = node->n_operands;
  for (int o = 0; o < c->e.out_rank; o++) c->out |= bit(c->e.out[o]);
  for (int t = 0; t < c->n; t++) {
    Term *term = &c->terms[t];
    term->value = ir_mapped(c->copier, node->operands[t]);
    term->rank = c->e.rank[t];
    memcpy(term->label, c->e.term[t], sizeof term->label);
    for (int d = 0; d < term->rank; d++) term->set |= bit(term->label[d]);
  }
  int depth = node->block->depth;
  for (const Block *block = node->block; block->owner;
       block = block->owner->block) {
    const Node *owner = block->owner;
    c->trips[block->depth] = owner->op == OP_scan
                                 ? (double)ir_int(owner, ATTR_length)
                             : owner->op == OP_while ? WHILE_TRIPS
                                                     : 1;
  }
  c->trips[0] = 1;
  for (int d = 1; d <= depth; d++) c->trips[d] *= c->trips[d - 1];
}

/* One or two operands: new letters; in fast, sums over one operand first. */
static Value *small(Contract *c) {
  const Term *terms[2] = {&c->terms[0], &c->terms[1]};
  Term result = {.rank = c->e.out_rank};
  memcpy(result.label, c->e.out, (size_t)result.rank);
  const Attr *accumulate = ir_attr(c->node, ATTR_accumulate);
  for (int t = 0; c->n == 2 && t < 2; t++) {
    take_diagonal(c, &c->terms[t]);
    if (accumulate == NULL) sum_alone(c, t);
  }
  return einsum(c, c->to, terms, c->n, &result, accumulate);
}

static Value *large(Contract *c) {
  DType dtype = c->node->results[0]->type.dtype;
  DType work = ir_accumulator(dtype);
  for (int t = 0; t < c->n; t++) {
    Term *term = &c->terms[t];
    term->value = convert(c, convert(c, term->value, dtype), work);
    take_diagonal(c, term);
  }
  for (int t = 0; t < c->n; t++) sum_alone(c, t);
  if (!c->fast)
    while (c->n > 1) contract_join(c, 0, 1);
  if (!contract_in_order(c)) return NULL;
  return convert(c, c->terms[0].value, dtype);
}

static bool contract_node(Copier *copier, Block *to, const Node *node) {
  if (node->op != OP_einsum) return false;
  const Options *options = copier->context;
  Contract *c = calloc(1, sizeof *c);
  if (c == NULL) return false;
  c->copier = copier;
  c->to = to;
  c->node = node;
  c->fast = options->numerics == NUMERICS_FAST ||
            !ir_is_float(node->results[0]->type.dtype);
  read_node(c);
  Value *value = c->n > 2 ? large(c) : small(c);
  free(c);
  if (value == NULL) return false;
  pass_replace(copier, node->results[0], value);
  return true;
}

static Program *contract(const Program *program, const Options *options) {
  Copier copier = {.from = program,
                   .rule = contract_node,
                   .context = (void *)(uintptr_t)options};
  return ir_copy(&copier, program->stage);
}

/* Pairs bring new subexpressions and factors, which simplify would find when it
 * meets this pass's output again; so it does here, until nothing changes. */
Program *pass_contract(const Program *program, const Options *options) {
  enum { ROUNDS = 8 };
  bool alone = options->without >> pass_find("simplify") & 1;
  Program *pairs = contract(program, options);
  bool changed = pairs && pairs->n_nodes != program->n_nodes;
  for (int i = 0; changed && !alone && i < ROUNDS; i++) {
    if (pairs->error.failed) break;
    Program *simple = pass_simplify(pairs, options);
    Program *again = simple ? contract(simple, options) : NULL;
    ir_program_destroy(simple);
    changed = again && !ir_equal(pairs, again);
    ir_program_destroy(pairs);
    pairs = again;
  }
  return pairs;
}
