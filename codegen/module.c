/* module.c: a planned program -> one LLVM module with one function to call,
 *
 *   void lockstep_main(void **inputs, void **results, void *arena,
 *                      const RtTeam *team, RtWatch *watch)
 *
 * and, if the program is very long, the parts that it calls (parts.c).
 *
 * Walks the program in order: a kernel becomes loops (kernel.c), a scan or
 * while a loop around its body, a cond a branch.  Knows where every value lies:
 * inputs, results, arena offsets, the slices of xs and ys, the places that a
 * carry takes in turn. */
#include "emit.h"
#include "../passes/whole.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- memory and errors of one emission --------------------------------- */

typedef struct Scratch {
  struct Scratch *next;
} Scratch;

void *gen_alloc(Gen *gen, size_t bytes) {
  Scratch *block = calloc(1, sizeof *block + 8 + bytes);
  if (block == NULL) {
    gen_error(gen, "out of memory");
    return NULL;
  }
  block->next = gen->scratch;
  gen->scratch = block;
  return (char *)(block + 1) + 8;
}

void gen_error(Gen *gen, const char *format, ...) {
  char text[256];
  va_list list;
  if (gen->error) return;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  gen->error = strdup(text);
}

/* -- loops ------------------------------------------------------------- */

Ssa gen_number(Gen *gen, int64_t value) {
  return LLVMConstInt(gen->i64, (unsigned long long)value, 1);
}

void loop_begin(Gen *gen, Loop *loop, int64_t from, int64_t limit,
                int64_t step) {
  loop->step = step;
  loop->limit = limit;
  loop->leave = NULL;
  loop->single = from + step >= limit;
  loop->index = gen_number(gen, from);
  if (loop->single) return;
  loop->before = LLVMGetInsertBlock(gen->b);
  loop->body = LLVMAppendBasicBlockInContext(gen->context, gen->function, "");
  LLVMBuildBr(gen->b, loop->body);
  LLVMPositionBuilderAtEnd(gen->b, loop->body);
  loop->index = loop_phi(gen, loop, loop->index);
  int64_t last = from + (limit - 1 - from) / step * step;
  if (gen->n_ranges < MOST_RANGES)
    gen->ranges[gen->n_ranges] = (IndexRange){loop->index, from, last};
  gen->n_ranges++;
}

Ssa loop_phi(Gen *gen, Loop *loop, Ssa init) {
  if (loop->single) return init;
  Ssa phi = LLVMBuildPhi(gen->b, LLVMTypeOf(init), "");
  LLVMAddIncoming(phi, &init, &loop->before, 1);
  return phi;
}

void loop_end(Gen *gen, Loop *loop, Ssa *phis, Ssa *next, int n) {
  if (loop->single) return;
  gen->n_ranges--;
  Ssa step = gen_number(gen, loop->step);
  Ssa index = (loop->leave ? LLVMBuildAdd : LLVMBuildNUWAdd)(
      gen->b, loop->index, step, "");
  Ssa more = LLVMBuildICmp(gen->b, LLVMIntULT, index,
                           gen_number(gen, loop->limit), "");
  if (loop->leave)
    more =
        LLVMBuildAnd(gen->b, more, LLVMBuildNot(gen->b, loop->leave, ""), "");
  LLVMBasicBlockRef latch = LLVMGetInsertBlock(gen->b);
  LLVMBasicBlockRef after =
      LLVMAppendBasicBlockInContext(gen->context, gen->function, "");
  LLVMBuildCondBr(gen->b, more, loop->body, after);
  LLVMAddIncoming(loop->index, &index, &latch, 1);
  for (int i = 0; i < n; i++) LLVMAddIncoming(phis[i], &next[i], &latch, 1);
  LLVMPositionBuilderAtEnd(gen->b, after);
}

/* -- buffers ----------------------------------------------------------- */

int64_t *gen_row_major(Gen *gen, Type type) {
  int64_t *strides = gen_alloc(gen, (size_t)(type.rank + 1) * sizeof *strides);
  int64_t stride = 1;
  for (int d = type.rank - 1; strides && d >= 0; d--) {
    strides[d] = stride;
    stride *= type.dims[d];
  }
  return strides;
}

bool gen_is_contiguous(Type type, const int64_t *strides) {
  int64_t stride = 1;
  for (int d = type.rank - 1; d >= 0; d--) {
    if (type.dims[d] != 1 && strides[d] != stride) return false;
    stride *= type.dims[d];
  }
  return true;
}

static Ssa offset_bytes(Gen *gen, Ssa base, int64_t bytes) {
  if (bytes == 0) return base;
  Ssa offset = gen_number(gen, bytes);
  return LLVMBuildGEP2(gen->b, gen->i8, base, &offset, 1, "");
}

/* A literal as a global array; of a splat one element, read with strides 0. */
static Buffer constant_buffer(Gen *gen, const Node *node) {
  Type type = node->results[0]->type;
  int64_t count = node->splat ? 1 : ir_type_elements(type);
  size_t bytes = (size_t)count * ir_dtype_bytes(type.dtype);
  Ssa data = LLVMConstStringInContext2(gen->context, node->literal, bytes, 1);
  Ssa global = LLVMAddGlobal(gen->module, LLVMTypeOf(data), "literal");
  LLVMSetInitializer(global, data);
  LLVMSetGlobalConstant(global, 1);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  LLVMSetAlignment(global, 64);
  Buffer buffer = {.pointer = global, .strides = gen_row_major(gen, type)};
  for (int d = 0; node->splat && buffer.strides && d < type.rank; d++)
    buffer.strides[d] = 0;
  return buffer;
}

Buffer gen_buffer(Gen *gen, const Value *value) {
  Buffer *buffer = &gen->buffers[value->id];
  if (buffer->pointer == NULL && value->node && value->node->op == OP_constant)
    *buffer = constant_buffer(gen, value->node);
  if (buffer->pointer == NULL && !buffer->placed) {
    gen_error(gen, "a value is read before it has a place");
    *buffer = (Buffer){.pointer = gen->arena,
                       .strides = gen_row_major(gen, value->type)};
  }
  return part_buffer(gen, value, *buffer);
}

Ssa gen_table_entry(Gen *gen, Ssa table, int i) {
  Ssa at = gen_number(gen, i);
  Ssa slot = LLVMBuildGEP2(gen->b, gen->ptr, table, &at, 1, "");
  return LLVMBuildLoad2(gen->b, gen->ptr, slot, "");
}

/* -- places ------------------------------------------------------------ */

/* What a branch yields lies where the result of its cond does. */
static const Value *yielded_as(const Gen *gen, const Value *value, int *yield) {
  for (;;) {
    const Node *owner = value->block->owner;
    *yield = gen->yield[value->id];
    if (*yield < 0 || owner == NULL || owner->op != OP_cond) return value;
    value = owner->results[*yield];
  }
}

Buffer gen_place(Gen *gen, const Frame *frame, const Value *value,
                 int64_t place) {
  int yield = 0;
  if (place < 0 || gen->blocks) value = yielded_as(gen, value, &yield);
  Buffer buffer = {.strides = gen_row_major(gen, value->type)};
  if (gen->blocks && value->block == gen->program->body && yield >= 0 &&
      place == ir_lists(gen->blocks, ATTR_at).v[yield].v[0]) {
    buffer = gen->parts[yield];
    buffer.pointer = part_pointer(gen, buffer.pointer);
  } else if (place >= 0) {
    buffer.pointer = offset_bytes(gen, gen->arena, place);
  } else if (place == PLACE_RESULT && yield >= 0 &&
             value->block == gen->program->body) {
    buffer.pointer = gen_table_entry(gen, gen->results, yield);
  } else if (frame && place == PLACE_CARRY && yield >= 0 &&
             yield < frame->loop->n_carries) {
    buffer.pointer = part_pointer(gen, frame->next[yield]);
  } else if (frame && place == PLACE_YS && yield >= frame->loop->n_carries) {
    buffer = frame->slices[yield - frame->loop->n_carries];
    buffer.pointer = part_pointer(gen, buffer.pointer);
  } else {
    gen_error(gen, "a place does not fit its value");
    buffer.pointer = gen->arena;
  }
  buffer.placed = true;
  buffer.frame = frame;
  buffer.place = place;
  return buffer;
}

/* -- the program ------------------------------------------------------- */

/* A kernel, or blocks. */
static void emit_wrapped(Gen *gen, const Node *kernel, const Frame *frame) {
  IntLists at = ir_lists(kernel, ATTR_at);
  size_t n = (size_t)kernel->n_results + 1;
  Buffer *outputs = gen_alloc(gen, n * sizeof *outputs);
  if (outputs == NULL) return;
  if (at.n != kernel->n_results) {
    gen_error(gen, "a %s has no places: the program is not planned",
              ir_ops[kernel->op].name);
    return;
  }
  for (int i = 0; i < kernel->n_results; i++) {
    if (at.v[i].n != 1) {
      gen_error(gen, "a kernel's result has one place");
      return;
    }
    outputs[i] = gen_place(gen, frame, kernel->results[i], at.v[i].v[0]);
    gen->buffers[kernel->results[i]->id] = outputs[i];
  }
  bool blocks = kernel->op == OP_blocks;
  if (blocks || ir_int(kernel, ATTR_sync)) team_meet(gen);
  LLVMBasicBlockRef after = NULL;
  if (!ir_int(kernel, ATTR_team)) after = team_alone_begin(gen);
  (blocks ? emit_blocks : emit_kernel)(gen, kernel, outputs);
  team_alone_end(gen, after);
  if (blocks) team_meet(gen);
}

static void emit_control(Gen *gen, const Node *node, const Frame *frame) {
  if (node->op == OP_scan)
    emit_scan(gen, node, frame);
  else if (node->op == OP_while)
    emit_while(gen, node, frame);
  else
    emit_cond(gen, node, frame);
}

/* Thread 0 alone; where the results lie all know. */
static void emit_alone(Gen *gen, const Node *node, const Frame *frame) {
  Ssa team = gen->team;
  team_meet(gen);
  LLVMBasicBlockRef after = team_alone_begin(gen);
  gen->has_team = false;
  gen->team = NULL;
  emit_control(gen, node, frame);
  gen->has_team = true;
  gen->team = team;
  team_alone_end(gen, after);
  int64_t last = node->op == OP_scan ? ir_int(node, ATTR_length) - 1 : 0;
  for (int i = 0; i < node->n_results && gen->error == NULL; i++) {
    IntList places = ir_lists(node, ATTR_at).v[i];
    int64_t place = places.v[last < 0 ? places.n - 1 : last % places.n];
    gen->buffers[node->results[i]->id] =
        gen_place(gen, frame, node->results[i], place);
  }
}

void emit_node(Gen *gen, const Node *node, const Frame *frame) {
  if (ir_ops[node->op].class == WRAPPER)
    emit_wrapped(gen, node, frame);
  else if (ir_ops[node->op].class == CONTROL)
    (gen->team && ir_is_alone(node) ? emit_alone : emit_control)(gen, node,
                                                                 frame);
  else if (node->op != OP_constant)
    gen_error(gen, "%s stands outside of a kernel", ir_ops[node->op].name);
}

static void set_types(Gen *gen) {
  LLVMContextRef c = gen->context;
  gen->i1 = LLVMInt1TypeInContext(c);
  gen->i8 = LLVMInt8TypeInContext(c);
  gen->i16 = LLVMInt16TypeInContext(c);
  gen->i32 = LLVMInt32TypeInContext(c);
  gen->i64 = LLVMInt64TypeInContext(c);
  gen->f32 = LLVMFloatTypeInContext(c);
  gen->f64 = LLVMDoubleTypeInContext(c);
  gen->ptr = LLVMPointerTypeInContext(c, 0);
}

static bool prepare(Gen *gen) {
  const Program *program = gen->program;
  size_t values = (size_t)program->n_values + 1;
  gen->buffers = gen_alloc(gen, values * sizeof *gen->buffers);
  gen->memo_of = gen_alloc(gen, values * sizeof *gen->memo_of);
  gen->yield = gen_alloc(gen, values * sizeof *gen->yield);
  if (!gen->buffers || !gen->memo_of || !gen->yield) return false;
  memset(gen->memo_of, -1, values * sizeof *gen->memo_of);
  memset(gen->yield, -1, values * sizeof *gen->yield);
  ir_number_yields(program->body, gen->yield);
  double total;
  if (!watch_measure(program, gen->options, &gen->units, &total)) {
    gen_error(gen, "out of memory");
    return false;
  }
  return part_measure(gen);
}

static void emit_program(Gen *gen) {
  const Program *program = gen->program;
  bool parts = part_splits(gen, program->body);
  for (int i = 0; i < program->body->n_params; i++) {
    const Value *param = program->body->params[i];
    Buffer *buffer = &gen->buffers[param->id];
    buffer->strides = gen_row_major(gen, param->type);
    buffer->placed = parts; /* each part finds those it reads */
    if (!parts) buffer->pointer = gen_table_entry(gen, gen->inputs, i);
  }
  emit_block(gen, program->body, NULL);
}

static void gen_close(Gen *gen) {
  blocks_close(gen);
  for (Scratch *block = gen->scratch; block;) {
    Scratch *next = block->next;
    free(block);
    block = next;
  }
  free(gen->memos);
  free(gen->units);
  LLVMDisposeBuilder(gen->b);
}

LLVMModuleRef emit_module(LLVMContextRef context, const Program *program,
                          const Options *options, const Host *host,
                          char **error) {
  Gen gen = {.program = program,
             .whole = program,
             .options = options,
             .host = host,
             .context = context,
             .has_team = cg_has_team(program),
             .strict = options->numerics == NUMERICS_STRICT,
             .lanes = 1,
             .width = 1,
             .scratch_start = whole_scratch_start(program)};
  gen.module = LLVMModuleCreateWithNameInContext(program->name, context);
  gen.b = LLVMCreateBuilderInContext(context);
  LLVMSetTarget(gen.module, host->triple);
  set_types(&gen);
  gen.vector_bytes = host_vector_bytes(host->features);
  gen.has_fma = strstr(host->features, "+fma") != NULL;
  bool avx2 = strstr(host->features, "+avx2") != NULL;
  gen.functions = avx2 && gen.has_fma ? FUNCTIONS_AVX2 : FUNCTIONS_SSE;
  Part program_part;
  if (prepare(&gen)) {
    part_begin(&gen, &program_part);
    emit_program(&gen);
    part_end(&gen, &program_part);
  }
  gen_close(&gen);
  if (gen.error == NULL) return gen.module;
  *error = gen.error;
  LLVMDisposeModule(gen.module);
  return NULL;
}
