/* graph.c: programs, blocks, values, and the one node constructor.
 *
 * Owns the arena.  ir_node is the only way to make a node: it checks operands
 * and attributes against the op's row, runs the inference rule, and appends.
 * Whatever the text form, the builder or a pass makes comes through here. */
#include "graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- tables -------------------------------------------------------------- */

#define A(key) (UINT64_C(1) << ATTR_##key)
const OpInfo ir_ops[OP_COUNT] = {
#define OP(name, arity, class, rule, flags, required, optional, from, to) \
  [OP_##name] = {#name, arity, class, infer_##rule, flags,                \
                 required, optional, from, to},
#include "ops.def"
#undef OP
};
#undef A

static const struct {
  const char *name;
  AttrKind kind;
  double fallback;
} attributes[ATTR_COUNT] = {
#define ATTR(key, spelling, kind, fallback) \
  [ATTR_##key] = {spelling, kind, fallback},
#include "attrs.def"
#undef ATTR
};

const char *const ir_words[WORD_COUNT] = {
    "",     "eq",     "ne",       "lt",   "le",   "gt",     "ge",     "map",
    "reduce", "contract", "loop", "call", "inline", "packed", "blas"};

bool ir_op_find(const char *name, size_t length, Op *op) {
  for (int i = 0; i < OP_COUNT; i++)
    if (strlen(ir_ops[i].name) == length &&
        memcmp(ir_ops[i].name, name, length) == 0) {
      *op = (Op)i;
      return true;
    }
  return false;
}

const char *ir_attr_name(AttrKey key) { return attributes[key].name; }
AttrKind ir_attr_kind(AttrKey key) { return attributes[key].kind; }

/* -- arena ----------------------------------------------------------------- */

typedef struct Chunk {
  struct Chunk *next;
  size_t used, size;
} Chunk;

typedef struct Arena {
  Chunk *chunks;
} Arena;

enum { CHUNK_BYTES = 1 << 16, ARENA_ALIGN = 16 };

static void *chunk_memory(Chunk *chunk) { return (char *)(chunk + 1) + 8; }

static void *out_of_memory(Program *program) {
  program->error.failed = program->error.out_of_memory = true;
  program->error.message = "out of memory";
  return NULL;
}

void *ir_alloc(Program *program, size_t bytes) {
  if (bytes > SIZE_MAX / 2) return out_of_memory(program);
  bytes = (bytes + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
  Arena *arena = program->arena;
  Chunk *chunk = arena->chunks;
  if (chunk == NULL || chunk->size - chunk->used < bytes) {
    size_t grown = chunk ? chunk->size * 2 : CHUNK_BYTES;
    size_t limit = (size_t)1 << 24;
    size_t size = grown > limit ? limit : grown;
    if (size < bytes) size = bytes;
    chunk = calloc(1, sizeof *chunk + 8 + size);
    if (chunk == NULL) return out_of_memory(program);
    chunk->size = size;
    chunk->next = arena->chunks;
    arena->chunks = chunk;
  }
  void *memory = (char *)chunk_memory(chunk) + chunk->used;
  chunk->used += bytes;
  return memory;
}

static void *copy_bytes(Program *program, const void *from, size_t bytes) {
  void *to = ir_alloc(program, bytes ? bytes : 1);
  if (to && bytes) memcpy(to, from, bytes);
  return to;
}

char *ir_copy_string(Program *program, const char *text) {
  return copy_bytes(program, text, strlen(text) + 1);
}

static char *format_list(Program *program, const char *format, va_list list) {
  va_list again;
  va_copy(again, list);
  int length = vsnprintf(NULL, 0, format, list);
  char *text = ir_alloc(program, (size_t)length + 1);
  if (text) vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  return text;
}

char *ir_format(Program *program, const char *format, ...) {
  va_list list;
  va_start(list, format);
  char *text = format_list(program, format, list);
  va_end(list);
  return text;
}

bool ir_error(Program *program, Place place, const char *format, ...) {
  if (program->error.failed) return false;
  va_list list;
  va_start(list, format);
  const char *message = format_list(program, format, list);
  va_end(list);
  program->error.failed = true;
  program->error.place = place;
  if (message) program->error.message = message;
  return false;
}

/* -- programs and blocks ----------------------------------------------------- */

static Block *block_new(Program *program, Block *parent) {
  Block *block = ir_alloc(program, sizeof *block);
  if (block == NULL) return NULL;
  block->program = program;
  block->parent = parent;
  block->depth = parent ? parent->depth + 1 : 0;
  return block;
}

Program *ir_program_create(const char *name, Stage stage) {
  Program *program = calloc(1, sizeof *program);
  if (program == NULL) return NULL;
  program->arena = calloc(1, sizeof(Arena));
  if (program->arena == NULL) {
    free(program);
    return NULL;
  }
  program->stage = stage;
  program->name = ir_copy_string(program, name);
  program->body = block_new(program, NULL);
  if (program->name == NULL || program->body == NULL) {
    ir_program_destroy(program);
    return NULL;
  }
  return program;
}

void ir_program_destroy(Program *program) {
  if (program == NULL) return;
  Arena *arena = program->arena;
  for (Chunk *chunk = arena->chunks; chunk;) {
    Chunk *next = chunk->next;
    free(chunk);
    chunk = next;
  }
  free(arena);
  free(program);
}

int ir_axis_find(const Program *program, const char *name) {
  for (int a = 0; a < program->n_axes; a++)
    if (strcmp(program->axes[a].name, name) == 0) return a;
  return -1;
}

int ir_axis_declare(Program *program, const char *name, int64_t size,
                    Place place) {
  if (program->error.failed) return -1;
  if (ir_axis_find(program, name) >= 0)
    return ir_error(program, place, "axis %s is declared twice", name) - 1;
  if (size < 1)
    return ir_error(program, place,
                    "axis %s has size %lld; an axis has at least 1 device",
                    name, (long long)size) - 1;
  if (program->n_axes == IR_MAX_AXES)
    return ir_error(program, place, "axis %s: a program has at most %d axes",
                    name, IR_MAX_AXES) - 1;
  char *copy = ir_copy_string(program, name);
  if (copy == NULL) return -1;
  program->axes[program->n_axes] = (Axis){copy, size};
  return program->n_axes++;
}

Block *ir_block_begin(Block *parent) {
  if (parent == NULL || parent->program->error.failed) return NULL;
  if (parent->depth + 1 >= IR_MAX_NESTING) {
    ir_error(parent->program, (Place){0},
             "bodies are nested more than %d deep", IR_MAX_NESTING);
    return NULL;
  }
  return block_new(parent->program, parent);
}

/* Room for one more pointer in a growing array; doubling, old ones are left to
 * the arena. */
static void *grow(Program *program, void *array, int used, int *room) {
  if (used < *room) return array;
  int wanted = *room ? *room * 2 : 8;
  void *bigger = ir_alloc(program, (size_t)wanted * sizeof(void *));
  if (bigger == NULL) return NULL;
  if (used) memcpy(bigger, array, (size_t)used * sizeof(void *));
  *room = wanted;
  return bigger;
}

static Value *value_new(Block *block, Type type, const char *name) {
  Program *program = block->program;
  Value *value = ir_alloc(program, sizeof *value);
  if (value == NULL) return NULL;
  value->id = program->n_values++;
  value->block = block;
  value->type = type;
  value->type.dims =
      copy_bytes(program, type.dims, (size_t)type.rank * sizeof(int64_t));
  if (name) value->name = ir_copy_string(program, name);
  return value;
}

Value *ir_block_param(Block *block, Type type, const char *name) {
  if (block == NULL || block->program->error.failed) return NULL;
  if (!infer_check_size(block->program, (Place){0}, name ? name : "parameter",
                        type))
    return NULL;
  Value *value = value_new(block, type, name);
  Value **params =
      grow(block->program, block->params, block->n_params, &block->param_room);
  if (value == NULL || params == NULL) return NULL;
  block->params = params;
  value->index = block->n_params;
  params[block->n_params++] = value;
  return value;
}

void ir_block_yield(Block *block, Value *const *values, int n) {
  if (block == NULL || block->program->error.failed) return;
  for (int i = 0; i < n; i++)
    if (values[i] == NULL) return;
  block->yields =
      copy_bytes(block->program, values, (size_t)n * sizeof(Value *));
  block->n_yields = block->yields ? n : 0;
}

void ir_result_names(Program *program, const char *const *names) {
  int n = program->body->n_yields;
  const char **copies =
      ir_alloc(program, (size_t)(n ? n : 1) * sizeof(char *));
  if (copies == NULL) return;
  for (int i = 0; i < n; i++)
    copies[i] = names[i] ? ir_copy_string(program, names[i]) : NULL;
  program->result_names = copies;
}

/* -- attributes ------------------------------------------------------------- */

static bool copy_lists(Program *program, IntLists *lists) {
  IntList *copies = ir_alloc(program, (size_t)lists->n * sizeof *copies + 1);
  if (copies == NULL) return false;
  for (int i = 0; i < lists->n; i++) {
    copies[i].n = lists->v[i].n;
    copies[i].v = copy_bytes(program, lists->v[i].v,
                             (size_t)lists->v[i].n * sizeof(int64_t));
    if (copies[i].v == NULL) return false;
  }
  lists->v = copies;
  return true;
}

static bool copy_attr(Program *program, Attr *attr) {
  switch (attributes[attr->key].kind) {
    case INTS:
    case AXES:
      attr->ints.v = copy_bytes(program, attr->ints.v,
                                (size_t)attr->ints.n * sizeof(int64_t));
      return attr->ints.v != NULL;
    case LISTS:
    case PLACES:
      return copy_lists(program, &attr->lists);
    case STRING:
      attr->s = ir_copy_string(program, attr->s);
      return attr->s != NULL;
    default:
      return true;
  }
}

/* Is an optional attribute equal to what its absence means? */
static bool is_default(const Attr *attr) {
  switch (attributes[attr->key].kind) {
    case INT:
    case BOOL:
    case WORD:
      return (double)attr->i == attributes[attr->key].fallback;
    case NUMBER:
      return attr->f == attributes[attr->key].fallback;
    default:
      return false;
  }
}

/* Copy the given attributes, sorted by key, into the inference's frame;
 * complain about missing, unknown and repeated ones. */
static bool take_attrs(Infer *in, const NodeSpec *spec) {
  uint64_t seen = 0, allowed = in->info->required | in->info->optional;
  for (int i = 0; i < spec->n_attrs; i++) {
    uint64_t bit = UINT64_C(1) << spec->attrs[i].key;
    const char *name = attributes[spec->attrs[i].key].name;
    if (!(allowed & bit)) return infer_error(in, "takes no %s", name);
    if (seen & bit) return infer_error(in, "%s is given twice", name);
    seen |= bit;
    in->attr[spec->attrs[i].key] = spec->attrs[i];
  }
  uint64_t missing = in->info->required & ~seen;
  for (int key = 0; key < ATTR_COUNT; key++)
    if (missing >> key & 1)
      return infer_error(in, "needs %s=...", attributes[key].name);
  in->has = seen;
  return true;
}

static bool keep_attrs(Infer *in, Node *node) {
  int n = 0;
  Attr kept[ATTR_COUNT];
  for (int key = 0; key < ATTR_COUNT; key++) {
    uint64_t bit = UINT64_C(1) << key;
    if (!(in->has & bit)) continue;
    in->attr[key].key = (AttrKey)key;
    if ((in->info->optional & bit) && is_default(&in->attr[key])) continue;
    kept[n] = in->attr[key];
    if (!copy_attr(in->program, &kept[n++])) return false;
  }
  node->attrs = copy_bytes(in->program, kept, (size_t)n * sizeof(Attr));
  node->n_attrs = n;
  return node->attrs != NULL;
}

const Attr *ir_attr(const Node *node, AttrKey key) {
  for (int i = 0; i < node->n_attrs; i++)
    if (node->attrs[i].key == key) return &node->attrs[i];
  return NULL;
}

int64_t ir_int(const Node *node, AttrKey key) {
  const Attr *attr = ir_attr(node, key);
  return attr ? attr->i : (int64_t)attributes[key].fallback;
}

double ir_number(const Node *node, AttrKey key) {
  const Attr *attr = ir_attr(node, key);
  return attr ? attr->f : attributes[key].fallback;
}

const char *ir_string(const Node *node, AttrKey key) {
  const Attr *attr = ir_attr(node, key);
  return attr ? attr->s : NULL;
}

IntList ir_ints(const Node *node, AttrKey key) {
  const Attr *attr = ir_attr(node, key);
  return attr ? attr->ints : (IntList){0};
}

IntLists ir_lists(const Node *node, AttrKey key) {
  const Attr *attr = ir_attr(node, key);
  return attr ? attr->lists : (IntLists){0};
}

/* -- the node constructor ---------------------------------------------------- */

static bool check_spec(Infer *in, const NodeSpec *spec) {
  const OpInfo *info = in->info;
  Program *program = in->program;
  if (program->stage < info->from || program->stage > info->to) {
    static const char *const stages[] = {"named", "batched", "kernels"};
    return infer_error(in, "may not stand in a program at the %s stage",
                       stages[program->stage]);
  }
  int least = info->arity < 0 ? -1 - info->arity : info->arity;
  bool wrong = info->arity < 0 ? spec->n_operands < least
                               : spec->n_operands != least;
  if (wrong)
    return infer_error(in, "takes %s%d operand%s, not %d",
                       info->arity < 0 ? "at least " : "", least,
                       least == 1 ? "" : "s", spec->n_operands);
  if ((info->flags & TYPED) && spec->type == NULL)
    return infer_error(in, "needs its result type to be written");
  return take_attrs(in, spec);
}

static bool copy_literal(Infer *in, const NodeSpec *spec, Node *node) {
  if (!(in->info->flags & LITERAL)) return true;
  size_t width = ir_dtype_bytes(in->out[0].dtype);
  int64_t elements = ir_type_elements(in->out[0]);
  node->splat = spec->splat || elements == 1;
  size_t count = node->splat ? 1 : (size_t)elements;
  node->literal = copy_bytes(in->program, spec->literal, count * width);
  return node->literal != NULL;
}

static Node *append(Infer *in, Block *block, const NodeSpec *spec) {
  Program *program = in->program;
  Node *node = ir_alloc(program, sizeof *node);
  Node **nodes = grow(program, block->nodes, block->n_nodes, &block->node_room);
  if (node == NULL || nodes == NULL) return NULL;
  node->op = spec->op;
  node->place = spec->place;
  node->block = block;
  node->body = spec->body;
  node->n_carries = spec->n_carries;
  node->n_operands = spec->n_operands;
  node->operands = copy_bytes(program, spec->operands,
                              (size_t)spec->n_operands * sizeof(Value *));
  node->n_results = in->n_out;
  Value **results = ir_alloc(program, (size_t)in->n_out * sizeof *results + 1);
  node->results = results;
  if (!node->operands || !results || !keep_attrs(in, node) ||
      !copy_literal(in, spec, node))
    return NULL;
  for (int i = 0; i < in->n_out; i++) {
    results[i] = value_new(block, in->out[i], i == 0 ? spec->name : NULL);
    if (results[i] == NULL) return NULL;
    results[i]->node = node;
    results[i]->index = i;
  }
  node->id = program->n_nodes++;
  block->nodes = nodes;
  nodes[block->n_nodes++] = node;
  if (node->body) node->body->owner = node;
  return node;
}

Node *ir_node(Block *block, const NodeSpec *spec) {
  if (block == NULL || block->program->error.failed) return NULL;
  for (int i = 0; i < spec->n_operands; i++)
    if (spec->operands[i] == NULL) return NULL;
  Infer in;
  infer_start(&in, block->program, spec);
  if (!check_spec(&in, spec) || !in.info->infer(&in) || !infer_finish(&in)) {
    infer_end(&in);
    return NULL;
  }
  Node *node = append(&in, block, spec);
  infer_end(&in);
  return node;
}

Value *ir_make(Block *block, Op op, int n_operands, Value *const *operands,
               int n_attrs, const Attr *attrs, const Type *type,
               const char *name, Place place) {
  Node *node = ir_node(block, &(NodeSpec){.op = op,
                                          .n_operands = n_operands,
                                          .operands = operands,
                                          .n_attrs = n_attrs,
                                          .attrs = attrs,
                                          .type = type,
                                          .name = name,
                                          .place = place});
  return node ? node->results[0] : NULL;
}

Value *ir_make_splat(Block *block, DType dtype, Scalar value, int rank,
                     const int64_t *dims, Place place) {
  uint64_t element = 0;
  ir_scalar_store(dtype, &element, value);
  Type type = {dtype, rank, dims, 0};
  Node *node = ir_node(block, &(NodeSpec){.op = OP_constant,
                                          .type = &type,
                                          .literal = &element,
                                          .splat = true,
                                          .place = place});
  return node ? node->results[0] : NULL;
}

Value *ir_make_ints(Block *block, DType dtype, const int64_t *values, int n,
                    Place place) {
  if (block == NULL) return NULL;
  char *data = ir_alloc(block->program, (size_t)n * 8 + 1);
  if (data == NULL) return NULL;
  for (int i = 0; i < n; i++)
    ir_scalar_store(dtype, data + (size_t)i * ir_dtype_bytes(dtype),
                    (Scalar){.i = values[i]});
  Type type = {dtype, 1, &(int64_t){n}, 0};
  Node *node = ir_node(
      block, &(NodeSpec){.op = OP_constant, .type = &type, .literal = data,
                         .place = place});
  return node ? node->results[0] : NULL;
}

Node *ir_clone(Block *block, const Node *node, Value *const *operands,
               Block *body) {
  Type type = node->n_results ? node->results[0]->type : (Type){0};
  bool typed = ir_ops[node->op].flags & TYPED;
  Node *copy = ir_node(block, &(NodeSpec){.op = node->op,
                                          .n_operands = node->n_operands,
                                          .operands = operands,
                                          .n_attrs = node->n_attrs,
                                          .attrs = node->attrs,
                                          .type = typed ? &type : NULL,
                                          .literal = node->literal,
                                          .splat = node->splat,
                                          .n_carries = node->n_carries,
                                          .body = body,
                                          .place = node->place});
  if (copy == NULL) return NULL;
  for (int i = 0; i < node->n_results && i < copy->n_results; i++)
    if (node->results[i]->name)
      copy->results[i]->name =
          ir_copy_string(block->program, node->results[i]->name);
  return copy;
}

/* -- literals -------------------------------------------------------------- */

Scalar ir_literal_at(const Node *constant, int64_t position) {
  DType dtype = constant->results[0]->type.dtype;
  size_t offset = constant->splat ? 0 : (size_t)position;
  return ir_scalar_load(
      dtype, (const char *)constant->literal + offset * ir_dtype_bytes(dtype));
}

bool ir_is_splat(const Value *value, Scalar *element) {
  const Node *node = value->node;
  if (node == NULL || node->op != OP_constant || !node->splat) return false;
  *element = ir_literal_at(node, 0);
  return true;
}

/* -- types ------------------------------------------------------------------- */

bool ir_shape_equal(Type a, Type b) {
  return a.rank == b.rank &&
         (a.rank == 0 ||
          memcmp(a.dims, b.dims, (size_t)a.rank * sizeof(int64_t)) == 0);
}

bool ir_type_equal(Type a, Type b) {
  return a.dtype == b.dtype && a.axes == b.axes && ir_shape_equal(a, b);
}

int64_t ir_type_elements(Type type) {
  int64_t n = 1;
  for (int d = 0; d < type.rank; d++) n *= type.dims[d];
  return n;
}

int64_t ir_type_bytes(Type type) {
  return ir_type_elements(type) * (int64_t)ir_dtype_bytes(type.dtype);
}
