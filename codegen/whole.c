/* whole.c: kernels of form=call: one op on whole arrays, alone in its kernel.
 *
 * Comes in: the kernel, and where its results lie.  Goes out: loops
 * (whole_loops.c), or calls of routines of the runtime or of the host. Operands
 * lie in memory.  What a kernel needs besides is in the scratch behind the
 * arena (passes/whole.h). */
#include "../passes/whole.h"

#include <stdio.h>

#include "emit.h"
#include "whole.h"

static Ssa scratch(Gen *gen, int64_t offset) {
  Ssa at = gen_number(gen, gen->scratch_start + offset);
  return LLVMBuildGEP2(gen->b, gen->i8, gen->arena, &at, 1, "");
}

static Ssa function_named(Gen *gen, const char *name, LLVMTypeRef type) {
  Ssa function = LLVMGetNamedFunction(gen->module, name);
  return function ? function : LLVMAddFunction(gen->module, name, type);
}

static void call_runtime(Gen *gen, const char *name, Ssa *arguments, int n) {
  LLVMTypeRef types[8];
  for (int i = 0; i < n; i++) types[i] = LLVMTypeOf(arguments[i]);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(gen->context),
                                      types, (unsigned)n, 0);
  LLVMBuildCall2(gen->b, type, function_named(gen, name, type), arguments,
                 (unsigned)n, "");
}

/* -- sort -------------------------------------------------------------- */

/* One line: where it starts in each array. */
typedef struct Line {
  Gen *gen;
  Ix at[IR_MAX_RANK];
  int dim;
  int64_t size;
} Line;

static Ssa line_start(Line *line, const Value *value, Buffer buffer) {
  Gen *gen = line->gen;
  Ix offset = ix_const(gen, 0);
  for (int d = 0; d < value->type.rank; d++)
    if (d != line->dim)
      offset = ix_add(gen, offset,
                      ix_scaled(gen, line->at[d], buffer.strides[d], 0));
  return LLVMBuildGEP2(gen->b, memory_type(gen, value->type.dtype),
                       buffer.pointer, &offset.v, 1, "");
}

static Ssa step_bytes(Line *line, const Value *value, Buffer buffer) {
  return gen_number(line->gen, buffer.strides[line->dim] *
                                   (int64_t)ir_dtype_bytes(value->type.dtype));
}

/* The bits of infinity: what lies above is NaN; 0: no float. */
static int64_t infinity_bits(DType dtype) {
  uint64_t bits = 0;
  if (ir_is_float(dtype))
    ir_scalar_store(dtype, &bits, ir_scalar_greatest(dtype));
  return (int64_t)bits;
}

/* The order of the line's keys, into the scratch. */
static void order_keys(Line *line, const Value *keys) {
  Gen *gen = line->gen;
  DType dtype = keys->type.dtype;
  Buffer buffer = gen_buffer(gen, keys);
  Ssa arguments[] = {scratch(gen, 0),
                     gen_number(gen, line->size),
                     line_start(line, keys, buffer),
                     step_bytes(line, keys, buffer),
                     gen_number(gen, (int64_t)ir_dtype_bytes(dtype)),
                     gen_number(gen, ir_is_signed(dtype)),
                     gen_number(gen, infinity_bits(dtype))};
  call_runtime(gen, "lockstep_sort", arguments, 7);
}

static void move_line(Line *line, const Value *from, Buffer to) {
  Gen *gen = line->gen;
  Buffer buffer = gen_buffer(gen, from);
  Ssa arguments[] = {scratch(gen, 0),
                     gen_number(gen, line->size),
                     gen_number(gen, (int64_t)ir_dtype_bytes(from->type.dtype)),
                     line_start(line, from, buffer),
                     step_bytes(line, from, buffer),
                     line_start(line, from, to),
                     step_bytes(line, from, to)};
  call_runtime(gen, "lockstep_permute", arguments, 7);
}

static void emit_line(Line *line, const Whole *whole) {
  const Node *node = whole->node;
  order_keys(line, node->operands[0]);
  for (int i = 0; i < node->n_results; i++) {
    int output = whole_output(whole, i);
    if (output >= 0) move_line(line, node->operands[i], whole->outputs[output]);
  }
}

static void emit_sort(Gen *gen, const Whole *whole) {
  Type type = whole->node->results[0]->type;
  Line line = {.gen = gen, .dim = (int)ir_int(whole->node, ATTR_dim)};
  Loop loops[IR_MAX_RANK];
  line.size = type.dims[line.dim];
  for (int d = 0; d < type.rank; d++) {
    line.at[d] = ix_const(gen, 0);
    if (d == line.dim) continue;
    loop_begin(gen, &loops[d], 0, type.dims[d], 1);
    line.at[d] = (Ix){loops[d].index, 0};
  }
  emit_line(&line, whole);
  for (int d = type.rank - 1; d >= 0; d--)
    if (d != line.dim) loop_end(gen, &loops[d], NULL, NULL, 0);
}

/* -- call -------------------------------------------------------------- */

/* Where operand i lies for the function: as it is, or copied row-major. */
static Ssa operand_pointer(Gen *gen, const Whole *whole, int i) {
  const Value *value = whole->node->operands[i];
  int64_t at = whole_copy_at(whole->kernel, i);
  if (at < 0) {
    Buffer buffer = gen_buffer(gen, value);
    if (!gen_is_contiguous(value->type, buffer.strides))
      gen_error(gen, "call: operand %d does not lie contiguous", i);
    return buffer.pointer;
  }
  Buffer copy = {.pointer = scratch(gen, at),
                 .strides = gen_row_major(gen, value->type)};
  if (copy.strides) emit_copy(gen, value, copy);
  return copy.pointer;
}

/* The pointers that the function gets, one an operand. */
static Ssa operand_table(Gen *gen, const Whole *whole) {
  int n = whole->node->n_operands;
  LLVMBasicBlockRef here = LLVMGetInsertBlock(gen->b);
  LLVMPositionBuilderBefore(gen->b, LLVMGetBasicBlockTerminator(gen->entry));
  Ssa table =
      LLVMBuildArrayAlloca(gen->b, gen->ptr, gen_number(gen, n ? n : 1), "");
  LLVMPositionBuilderAtEnd(gen->b, here);
  for (int i = 0; i < n; i++) {
    Ssa at = gen_number(gen, i), pointer = operand_pointer(gen, whole, i);
    LLVMBuildStore(gen->b, pointer,
                   LLVMBuildGEP2(gen->b, gen->ptr, table, &at, 1, ""));
  }
  return table;
}

/* The loader gives each function's entry, { function, user }, a symbol. */
static Ssa callee_entry(Gen *gen, const char *name) {
  char symbol[sizeof CALLEE_PREFIX + 256];
  snprintf(symbol, sizeof symbol, CALLEE_PREFIX "%.255s", name);
  Ssa entry = LLVMGetNamedGlobal(gen->module, symbol);
  if (entry) return entry;
  return LLVMAddGlobal(gen->module, LLVMArrayType2(gen->ptr, 2), symbol);
}

static void call_host(Gen *gen, const char *name, Ssa result, Ssa table) {
  LLVMTypeRef types[] = {gen->ptr, gen->ptr, gen->ptr};
  LLVMTypeRef type =
      LLVMFunctionType(LLVMVoidTypeInContext(gen->context), types, 3, 0);
  Ssa entry = callee_entry(gen, name), one = gen_number(gen, 1);
  Ssa second = LLVMBuildGEP2(gen->b, gen->ptr, entry, &one, 1, "");
  Ssa function = LLVMBuildLoad2(gen->b, gen->ptr, entry, "");
  Ssa user = LLVMBuildLoad2(gen->b, gen->ptr, second, "");
  LLVMBuildCall2(gen->b, type, function, (Ssa[]){result, table, user}, 3, "");
}

static void emit_call(Gen *gen, const Whole *whole) {
  const Node *node = whole->node;
  const Value *result = whole->kernel->results[0];
  Buffer out = whole->outputs[0], written = out;
  int64_t at = whole_copy_at(whole->kernel, node->n_operands);
  if (at >= 0)
    written = (Buffer){.pointer = scratch(gen, at),
                       .strides = gen_row_major(gen, result->type)};
  else if (!gen_is_contiguous(result->type, out.strides))
    gen_error(gen, "call: the result does not lie contiguous");
  if (gen->error) return;
  call_host(gen, ir_string(node, ATTR_symbol), written.pointer,
            operand_table(gen, whole));
  if (at < 0) return;
  gen->buffers[result->id] = written;
  emit_copy(gen, result, out);
  gen->buffers[result->id] = out;
}

/* -- the table --------------------------------------------------------- */

static WholeEmitter *const rules[OP_COUNT] = {
    [OP_scatter_add] = emit_scatter_add,
    [OP_cumsum] = emit_cumulative,
    [OP_cumprod] = emit_cumulative,
    [OP_cummax] = emit_cumulative,
    [OP_cummin] = emit_cumulative,
    [OP_sort] = emit_sort,
    [OP_call] = emit_call,
};

bool whole_has_rule(Op op) { return rules[op] != NULL; }

int whole_output(const Whole *whole, int result) {
  const Block *body = whole->kernel->body;
  for (int i = 0; i < body->n_yields; i++)
    if (body->yields[i] == whole->node->results[result]) return i;
  return -1;
}

/* A result that is yielded again is a copy of the first. */
static void copy_again(Gen *gen, const Whole *whole) {
  const Node *kernel = whole->kernel;
  for (int i = 1; i < kernel->n_results; i++) {
    int first = whole_output(whole, kernel->body->yields[i]->index);
    if (first < i) emit_copy(gen, kernel->results[first], whole->outputs[i]);
  }
}

void emit_whole(Gen *gen, const Node *kernel, const Buffer *outputs) {
  Whole whole = {kernel, kernel->body->nodes[0], outputs};
  if (rules[whole.node->op] == NULL) {
    gen_error(gen, "%s has no emitter", ir_ops[whole.node->op].name);
    return;
  }
  if (ir_type_elements(kernel->results[0]->type) == 0) return;
  int mark = memo_mark(gen);
  gen->lanes = 1;
  rules[whole.node->op](gen, &whole);
  gen->lanes = 1;
  memo_release(gen, mark);
  copy_again(gen, &whole);
}
