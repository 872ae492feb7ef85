/* program.c: the arena, programs, blocks and values; literals and types. */
#include "graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- arena ------------------------------------------------------------- */

typedef struct Chunk {
  struct Chunk *next;
  size_t used, size;
} Chunk;

typedef struct Arena {
  Chunk *chunks;
} Arena;

enum { CHUNK_BYTES = 1 << 16, ARENA_ALIGN = 16 };

static void *chunk_memory(Chunk *chunk) { return (char *)(chunk + 1) + 8; }

bool ir_out_of_memory(Program *program) {
  if (program->error.failed) return false;
  program->error.failed = program->error.out_of_memory = true;
  program->error.message = "out of memory";
  return false;
}

static void *out_of_memory(Program *program) {
  ir_out_of_memory(program);
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

void *graph_copy(Program *program, const void *from, size_t bytes) {
  void *to = ir_alloc(program, bytes ? bytes : 1);
  if (to && bytes) memcpy(to, from, bytes);
  return to;
}

char *ir_copy_string(Program *program, const char *text) {
  return graph_copy(program, text, strlen(text) + 1);
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

/* -- programs and blocks ----------------------------------------------- */

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
                    name, (long long)size) -
           1;
  if (program->n_axes == IR_MAX_AXES)
    return ir_error(program, place, "axis %s: a program has at most %d axes",
                    name, IR_MAX_AXES) -
           1;
  char *copy = ir_copy_string(program, name);
  if (copy == NULL) return -1;
  program->axes[program->n_axes] = (Axis){copy, size};
  return program->n_axes++;
}

Block *ir_block_begin(Block *parent) {
  if (parent == NULL || parent->program->error.failed) return NULL;
  if (parent->depth + 1 >= IR_MAX_NESTING) {
    ir_error(parent->program, (Place){0}, "bodies are nested more than %d deep",
             IR_MAX_NESTING);
    return NULL;
  }
  return block_new(parent->program, parent);
}

/* Room for one more pointer in a growing array; doubling, old ones are left to
 * the arena. */
void *graph_grow(Program *program, void *array, int used, int *room) {
  if (used < *room) return array;
  int wanted = *room ? *room * 2 : 8;
  void *bigger = ir_alloc(program, (size_t)wanted * sizeof(void *));
  if (bigger == NULL) return NULL;
  if (used) memcpy(bigger, array, (size_t)used * sizeof(void *));
  *room = wanted;
  return bigger;
}

Value *graph_value(Block *block, Type type, const char *name) {
  Program *program = block->program;
  Value *value = ir_alloc(program, sizeof *value);
  if (value == NULL) return NULL;
  value->id = program->n_values++;
  value->block = block;
  value->type = type;
  value->type.dims =
      graph_copy(program, type.dims, (size_t)type.rank * sizeof(int64_t));
  if (name) value->name = ir_copy_string(program, name);
  return value;
}

Value *ir_block_param(Block *block, Type type, const char *name) {
  if (block == NULL || block->program->error.failed) return NULL;
  if (!infer_check_size(block->program, (Place){0}, name ? name : "parameter",
                        type))
    return NULL;
  Value *value = graph_value(block, type, name);
  Value **params = graph_grow(block->program, block->params, block->n_params,
                              &block->param_room);
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
      graph_copy(block->program, values, (size_t)n * sizeof(Value *));
  block->n_yields = block->yields ? n : 0;
}

void ir_number_yields(const Block *block, int *yield) {
  for (int i = block->n_yields - 1; i >= 0; i--)
    if (block->yields[i]->block == block) yield[block->yields[i]->id] = i;
  for (int i = 0; i < block->n_nodes; i++)
    for (int b = 0; b < IR_BODIES && block->nodes[i]->bodies[b]; b++)
      ir_number_yields(block->nodes[i]->bodies[b], yield);
}

void ir_result_names(Program *program, const char *const *names) {
  int n = program->body->n_yields;
  const char **copies = ir_alloc(program, (size_t)(n ? n : 1) * sizeof(char *));
  if (copies == NULL) return;
  for (int i = 0; i < n; i++)
    copies[i] = names[i] ? ir_copy_string(program, names[i]) : NULL;
  program->result_names = copies;
}

/* -- literals ---------------------------------------------------------- */

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

/* -- types ------------------------------------------------------------- */

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
