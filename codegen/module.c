/* module.c: a planned program -> one LLVM module with one function,
 *
 *   void lockstep_main(void **inputs, void **results, void *arena)
 *
 * Walks the program in order: a kernel becomes loops (kernel.c), a scan becomes
 * a loop around its body.  Knows where every value lies: inputs, results, arena
 * offsets, the slices of xs and ys, the places that a carry takes in turn. */
#include "emit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- memory and errors of one emission
 * -------------------------------------------- */

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

/* -- loops
 * -------------------------------------------------------------------------- */

static Ssa number(Gen *gen, int64_t value) {
  return LLVMConstInt(gen->i64, (unsigned long long)value, 1);
}

void loop_begin(Gen *gen, Loop *loop, int64_t from, int64_t limit,
                int64_t step) {
  loop->step = step;
  loop->limit = limit;
  loop->single = from + step >= limit;
  loop->index = number(gen, from);
  if (loop->single) return;
  loop->before = LLVMGetInsertBlock(gen->b);
  loop->body = LLVMAppendBasicBlockInContext(gen->context, gen->function, "");
  LLVMBuildBr(gen->b, loop->body);
  LLVMPositionBuilderAtEnd(gen->b, loop->body);
  loop->index = loop_phi(gen, loop, loop->index);
}

Ssa loop_phi(Gen *gen, Loop *loop, Ssa init) {
  if (loop->single) return init;
  Ssa phi = LLVMBuildPhi(gen->b, LLVMTypeOf(init), "");
  LLVMAddIncoming(phi, &init, &loop->before, 1);
  return phi;
}

void loop_end(Gen *gen, Loop *loop, Ssa *phis, Ssa *next, int n) {
  if (loop->single) return;
  Ssa index = LLVMBuildNUWAdd(gen->b, loop->index, number(gen, loop->step), "");
  Ssa more =
      LLVMBuildICmp(gen->b, LLVMIntULT, index, number(gen, loop->limit), "");
  LLVMBasicBlockRef latch = LLVMGetInsertBlock(gen->b);
  LLVMBasicBlockRef after =
      LLVMAppendBasicBlockInContext(gen->context, gen->function, "");
  LLVMBuildCondBr(gen->b, more, loop->body, after);
  LLVMAddIncoming(loop->index, &index, &latch, 1);
  for (int i = 0; i < n; i++) LLVMAddIncoming(phis[i], &next[i], &latch, 1);
  LLVMPositionBuilderAtEnd(gen->b, after);
}

/* -- buffers
 * ------------------------------------------------------------------------- */

static int64_t *row_major(Gen *gen, Type type) {
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
  Ssa offset = number(gen, bytes);
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
  Buffer buffer = {global, row_major(gen, type)};
  for (int d = 0; node->splat && buffer.strides && d < type.rank; d++)
    buffer.strides[d] = 0;
  return buffer;
}

Buffer gen_buffer(Gen *gen, const Value *value) {
  Buffer *buffer = &gen->buffers[value->id];
  if (buffer->pointer == NULL && value->node && value->node->op == OP_constant)
    *buffer = constant_buffer(gen, value->node);
  if (buffer->pointer == NULL) {
    gen_error(gen, "a value is read before it has a place");
    *buffer = (Buffer){gen->arena, row_major(gen, value->type)};
  }
  return *buffer;
}

static Ssa table_entry(Gen *gen, Ssa table, int i) {
  Ssa at = number(gen, i);
  Ssa slot = LLVMBuildGEP2(gen->b, gen->ptr, table, &at, 1, "");
  return LLVMBuildLoad2(gen->b, gen->ptr, slot, "");
}

/* -- places
 * -----------------------------------------------------------------------------
 */

/* A scan being emitted: where the step writes. */
typedef struct Frame {
  const Node *scan;
  Ssa *next;      /* of each carry */
  Buffer *slices; /* of each y */
} Frame;

static int yield_number(const Block *block, const Value *value) {
  for (int i = 0; i < block->n_yields; i++)
    if (block->yields[i] == value) return i;
  return -1;
}

static Buffer place_buffer(Gen *gen, const Frame *frame, const Value *value,
                           int64_t place) {
  int yield = place < 0 ? yield_number(value->block, value) : 0;
  Buffer buffer = {NULL, row_major(gen, value->type)};
  if (place >= 0) {
    buffer.pointer = offset_bytes(gen, gen->arena, place);
  } else if (place == PLACE_RESULT && yield >= 0 &&
             value->block == gen->program->body) {
    buffer.pointer = table_entry(gen, gen->results, yield);
  } else if (frame && place == PLACE_CARRY && yield >= 0 &&
             yield < frame->scan->n_carries) {
    buffer.pointer = frame->next[yield];
  } else if (frame && place == PLACE_YS && yield >= frame->scan->n_carries) {
    buffer = frame->slices[yield - frame->scan->n_carries];
  } else {
    gen_error(gen, "a place does not fit its value");
    buffer.pointer = gen->arena;
  }
  return buffer;
}

/* -- scans
 * ---------------------------------------------------------------------------------
 */

static void emit_block(Gen *gen, const Block *block, const Frame *frame);

/* Step number: counts down in a reversed scan. */
static Ssa step_number(Gen *gen, const Node *scan, Ssa index) {
  if (!ir_int(scan, ATTR_reverse)) return index;
  return LLVMBuildSub(gen->b, number(gen, ir_int(scan, ATTR_length) - 1), index,
                      "");
}

/* Step `step` of an array whose step dim is `dim`. */
static Buffer slice_of(Gen *gen, Buffer whole, Type type, int64_t dim,
                       Ssa step) {
  Ssa offset = LLVMBuildMul(gen->b, step, number(gen, whole.strides[dim]), "");
  Buffer slice = {LLVMBuildGEP2(gen->b, memory_type(gen, type.dtype),
                                whole.pointer, &offset, 1, ""),
                  gen_alloc(gen, (size_t)type.rank * sizeof(int64_t))};
  for (int d = 0, n = 0; slice.strides && d < type.rank; d++)
    if (d != dim) slice.strides[n++] = whole.strides[d];
  return slice;
}

static int64_t step_dim(const Node *scan, AttrKey key, int i) {
  IntList dims = ir_ints(scan, key);
  return dims.n ? dims.v[i] : 0;
}

/* The pointers that carry i goes through: phis[0] is read, phis[1 + j] is where
 * step t + j writes. */
typedef struct Turn {
  int k;
  Ssa *phis;
} Turn;

static Ssa carry_start(Gen *gen, const Node *scan, int i, Buffer last) {
  const Value *init = scan->operands[i];
  Buffer buffer = gen_buffer(gen, init);
  if (gen_is_contiguous(init->type, buffer.strides)) return buffer.pointer;
  emit_copy(gen, init, last); /* a splat, or a strided slice */
  return last.pointer;
}

static void begin_carry(Gen *gen, const Node *scan, int i, const Frame *outer,
                        Loop *loop, Turn *turn, Ssa *inits) {
  IntList places = ir_lists(scan, ATTR_at).v[i];
  const Value *result = scan->results[i];
  turn->k = places.n;
  turn->phis = gen_alloc(gen, (size_t)(places.n + 1) * sizeof(Ssa));
  (void)outer, (void)result;
  for (int j = 0; turn->phis && j <= places.n; j++)
    turn->phis[j] = loop_phi(gen, loop, inits[j]);
}

/* What the pointers become for the next step: read where this one wrote. */
static void end_carry(const Turn *turn, Ssa *next) {
  next[0] = turn->phis[1];
  for (int j = 1; j <= turn->k; j++) next[j] = turn->phis[1 + j % turn->k];
}

typedef struct ScanState {
  Turn *turns;
  Ssa **inits;
  Buffer *finals; /* of each result */
  int n_phis;
} ScanState;

/* Before the loop: all places, and the carries' first pointers. */
static bool prepare(Gen *gen, const Node *scan, const Frame *outer,
                    ScanState *state) {
  IntLists at = ir_lists(scan, ATTR_at);
  int64_t length = ir_int(scan, ATTR_length);
  size_t n = (size_t)scan->n_results + 1;
  state->turns = gen_alloc(gen, n * sizeof *state->turns);
  state->inits = gen_alloc(gen, n * sizeof *state->inits);
  state->finals = gen_alloc(gen, n * sizeof *state->finals);
  if (!state->turns || !state->inits || !state->finals) return false;
  if (at.n != scan->n_results) {
    gen_error(gen, "a scan has no places: the program is not planned");
    return false;
  }
  for (int i = 0; i < scan->n_results; i++) {
    IntList places = at.v[i];
    const Value *result = scan->results[i];
    Ssa *inits = gen_alloc(gen, (size_t)(places.n + 1) * sizeof(Ssa));
    if (inits == NULL || places.n == 0) return false;
    Buffer last = {0};
    for (int j = 0; j < places.n; j++) {
      last = place_buffer(gen, outer, result, places.v[j]);
      inits[1 + j] = last.pointer;
    }
    state->inits[i] = inits;
    int64_t final = length > 0 ? (length - 1) % places.n : places.n - 1;
    state->finals[i] = (Buffer){inits[1 + final], last.strides};
    if (i >= scan->n_carries) continue;
    if (length == 0)
      emit_copy(gen, scan->operands[i], last);
    else
      inits[0] = carry_start(gen, scan, i, last);
    state->n_phis += places.n + 1;
  }
  return true;
}

static void bind_slices(Gen *gen, const Node *scan, Frame *frame,
                        const ScanState *state, Ssa step) {
  for (int i = scan->n_carries; i < scan->n_operands; i++) {
    const Value *xs = scan->operands[i];
    int64_t dim = step_dim(scan, ATTR_xs_dims, i - scan->n_carries);
    gen->buffers[scan->body->params[i]->id] =
        slice_of(gen, gen_buffer(gen, xs), xs->type, dim, step);
  }
  for (int i = scan->n_carries; i < scan->n_results; i++) {
    int64_t dim = step_dim(scan, ATTR_ys_dims, i - scan->n_carries);
    frame->slices[i - scan->n_carries] =
        slice_of(gen, state->finals[i], scan->results[i]->type, dim, step);
  }
}

static void emit_steps(Gen *gen, const Node *scan, const Frame *outer,
                       ScanState *state) {
  size_t n = (size_t)(scan->n_results + 1);
  Frame frame = {scan, gen_alloc(gen, n * sizeof(Ssa)),
                 gen_alloc(gen, n * sizeof(Buffer))};
  size_t room = (size_t)state->n_phis + 1;
  Ssa *phis = gen_alloc(gen, room * sizeof *phis);
  Ssa *next = gen_alloc(gen, room * sizeof *next);
  if (!frame.next || !frame.slices || !phis || !next) return;
  Loop loop;
  loop_begin(gen, &loop, 0, ir_int(scan, ATTR_length), 1);
  for (int i = 0; i < scan->n_carries; i++) {
    begin_carry(gen, scan, i, outer, &loop, &state->turns[i], state->inits[i]);
    if (state->turns[i].phis == NULL) return;
    const Value *param = scan->body->params[i];
    gen->buffers[param->id] =
        (Buffer){state->turns[i].phis[0], row_major(gen, param->type)};
    frame.next[i] = state->turns[i].phis[1];
  }
  bind_slices(gen, scan, &frame, state, step_number(gen, scan, loop.index));
  emit_block(gen, scan->body, &frame);
  int used = 0;
  for (int i = 0; i < scan->n_carries; i++) {
    const Turn *turn = &state->turns[i];
    for (int j = 0; j <= turn->k; j++) phis[used + j] = turn->phis[j];
    end_carry(turn, next + used);
    used += turn->k + 1;
  }
  loop_end(gen, &loop, phis, next, used);
}

static void emit_scan(Gen *gen, const Node *scan, const Frame *outer) {
  ScanState state = {0};
  if (!prepare(gen, scan, outer, &state)) return;
  if (ir_int(scan, ATTR_length) > 0) emit_steps(gen, scan, outer, &state);
  for (int i = 0; i < scan->n_results; i++)
    gen->buffers[scan->results[i]->id] = state.finals[i];
}

/* -- the program
 * ------------------------------------------------------------------------------
 */

static void emit_wrapped(Gen *gen, const Node *kernel, const Frame *frame) {
  IntLists at = ir_lists(kernel, ATTR_at);
  size_t n = (size_t)kernel->n_results + 1;
  Buffer *outputs = gen_alloc(gen, n * sizeof *outputs);
  if (outputs == NULL) return;
  if (at.n != kernel->n_results) {
    gen_error(gen, "a kernel has no places: the program is not planned");
    return;
  }
  for (int i = 0; i < kernel->n_results; i++) {
    if (at.v[i].n != 1) {
      gen_error(gen, "a kernel's result has one place");
      return;
    }
    outputs[i] = place_buffer(gen, frame, kernel->results[i], at.v[i].v[0]);
    gen->buffers[kernel->results[i]->id] = outputs[i];
  }
  emit_kernel(gen, kernel, outputs);
}

static void emit_block(Gen *gen, const Block *block, const Frame *frame) {
  for (int i = 0; i < block->n_nodes && gen->error == NULL; i++) {
    const Node *node = block->nodes[i];
    if (node->op == OP_kernel)
      emit_wrapped(gen, node, frame);
    else if (node->op == OP_scan)
      emit_scan(gen, node, frame);
    else if (node->op != OP_constant)
      gen_error(gen, "%s stands outside of a kernel", ir_ops[node->op].name);
  }
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

static void add_attribute(Gen *gen, const char *key, const char *value) {
  LLVMAddAttributeAtIndex(
      gen->function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
      LLVMCreateStringAttribute(gen->context, key, (unsigned)strlen(key), value,
                                (unsigned)strlen(value)));
}

static void begin_function(Gen *gen, const Host *host) {
  LLVMTypeRef parameters[] = {gen->ptr, gen->ptr, gen->ptr};
  LLVMTypeRef type =
      LLVMFunctionType(LLVMVoidTypeInContext(gen->context), parameters, 3, 0);
  gen->function = LLVMAddFunction(gen->module, "lockstep_main", type);
  add_attribute(gen, "target-cpu", host->cpu);
  add_attribute(gen, "target-features", host->features);
  if (gen->vector_bytes == 64) add_attribute(gen, "prefer-vector-width", "512");
  gen->inputs = LLVMGetParam(gen->function, 0);
  gen->results = LLVMGetParam(gen->function, 1);
  gen->arena = LLVMGetParam(gen->function, 2);
  gen->entry =
      LLVMAppendBasicBlockInContext(gen->context, gen->function, "entry");
  LLVMBasicBlockRef start =
      LLVMAppendBasicBlockInContext(gen->context, gen->function, "start");
  LLVMPositionBuilderAtEnd(gen->b, gen->entry);
  LLVMBuildBr(gen->b, start);
  LLVMPositionBuilderAtEnd(gen->b, start);
}

static void emit_program(Gen *gen) {
  const Program *program = gen->program;
  gen->buffers =
      gen_alloc(gen, (size_t)(program->n_values + 1) * sizeof(Buffer));
  gen->memo_of = gen_alloc(gen, (size_t)(program->n_values + 1) * sizeof(int));
  if (gen->buffers == NULL || gen->memo_of == NULL) return;
  memset(gen->memo_of, -1, (size_t)program->n_values * sizeof(int));
  for (int i = 0; i < program->body->n_params; i++) {
    const Value *param = program->body->params[i];
    gen->buffers[param->id] =
        (Buffer){table_entry(gen, gen->inputs, i), row_major(gen, param->type)};
  }
  emit_block(gen, program->body, NULL);
}

static void gen_close(Gen *gen) {
  for (Scratch *block = gen->scratch; block;) {
    Scratch *next = block->next;
    free(block);
    block = next;
  }
  free(gen->memos);
  LLVMDisposeBuilder(gen->b);
}

LLVMModuleRef emit_module(LLVMContextRef context, const Program *program,
                          const Options *options, const Host *host,
                          char **error) {
  Gen gen = {.program = program,
             .options = options,
             .context = context,
             .strict = options->numerics == NUMERICS_STRICT,
             .lanes = 1,
             .width = 1};
  gen.module = LLVMModuleCreateWithNameInContext(program->name, context);
  gen.b = LLVMCreateBuilderInContext(context);
  LLVMSetTarget(gen.module, host->triple);
  set_types(&gen);
  bool avx512 = strstr(host->features, "+avx512f") != NULL;
  bool avx = strstr(host->features, "+avx") != NULL;
  gen.vector_bytes = avx512 ? 64 : avx ? 32 : 16;
  gen.has_fma = strstr(host->features, "+fma") != NULL;
  begin_function(&gen, host);
  emit_program(&gen);
  LLVMBuildRetVoid(gen.b);
  gen_close(&gen);
  if (gen.error == NULL) return gen.module;
  *error = gen.error;
  LLVMDisposeModule(gen.module);
  return NULL;
}
