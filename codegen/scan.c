/* scan.c: a scan as a loop around its body.
 *
 * A carry is a pointer that changes from step to step: step 0 reads the init
 * where it lies, step t + 1 reads where step t wrote, and the places of the
 * plan take turns.  xs and ys are slices, moved by their stride. */
#include "emit.h"

/* -- scans ------------------------------------------------------------- */

/* Step number: counts down in a reversed scan. */
Ssa scan_step(Gen *gen, const Node *scan, Ssa index) {
  if (!ir_int(scan, ATTR_reverse)) return index;
  return LLVMBuildSub(gen->b, gen_number(gen, ir_int(scan, ATTR_length) - 1),
                      index, "");
}

/* Step `step` of an array whose step dim is `dim`. */
Buffer scan_slice(Gen *gen, Buffer whole, Type type, int64_t dim, Ssa step) {
  Ssa offset =
      LLVMBuildMul(gen->b, step, gen_number(gen, whole.strides[dim]), "");
  Buffer slice = {
      .pointer = LLVMBuildGEP2(gen->b, memory_type(gen, type.dtype),
                               whole.pointer, &offset, 1, ""),
      .strides = gen_alloc(gen, (size_t)type.rank * sizeof(int64_t))};
  for (int d = 0, n = 0; slice.strides && d < type.rank; d++)
    if (d != dim) slice.strides[n++] = whole.strides[d];
  return slice;
}

int64_t scan_step_dim(const Node *scan, AttrKey key, int i) {
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
  team_copy(gen, init, last); /* a splat, or a strided slice */
  return last.pointer;
}

static void begin_carry(Gen *gen, const Node *scan, int i, Loop *loop,
                        Turn *turn, Ssa *inits) {
  IntList places = ir_lists(scan, ATTR_at).v[i];
  turn->k = places.n;
  turn->phis = gen_alloc(gen, (size_t)(places.n + 1) * sizeof(Ssa));
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
    int64_t final = length > 0 ? (length - 1) % places.n : places.n - 1;
    for (int j = 0; j < places.n; j++) {
      last = gen_place(gen, outer, result, places.v[j]);
      inits[1 + j] = last.pointer;
      if (j == final) state->finals[i] = last;
    }
    state->inits[i] = inits;
    if (i >= scan->n_carries) continue;
    if (length == 0)
      team_copy(gen, scan->operands[i], last);
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
    int64_t dim = scan_step_dim(scan, ATTR_xs_dims, i - scan->n_carries);
    gen->buffers[scan->body->params[i]->id] =
        scan_slice(gen, gen_buffer(gen, xs), xs->type, dim, step);
  }
  for (int i = scan->n_carries; i < scan->n_results; i++) {
    int64_t dim = scan_step_dim(scan, ATTR_ys_dims, i - scan->n_carries);
    frame->slices[i - scan->n_carries] =
        scan_slice(gen, state->finals[i], scan->results[i]->type, dim, step);
  }
}

static void emit_steps(Gen *gen, const Node *scan, ScanState *state) {
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
    begin_carry(gen, scan, i, &loop, &state->turns[i], state->inits[i]);
    if (state->turns[i].phis == NULL) return;
    const Value *param = scan->body->params[i];
    gen->buffers[param->id] =
        (Buffer){.pointer = state->turns[i].phis[0],
                 .strides = gen_row_major(gen, param->type)};
    frame.next[i] = state->turns[i].phis[1];
  }
  bind_slices(gen, scan, &frame, state, scan_step(gen, scan, loop.index));
  emit_block(gen, scan->body, &frame);
  int used = 0;
  for (int i = 0; i < scan->n_carries; i++) {
    const Turn *turn = &state->turns[i];
    for (int j = 0; j <= turn->k; j++) phis[used + j] = turn->phis[j];
    end_carry(turn, next + used);
    used += turn->k + 1;
  }
  if (!loop.single) loop.leave = watch_scan(gen, scan, loop.index);
  loop_end(gen, &loop, phis, next, used);
}

void emit_scan(Gen *gen, const Node *scan, const Frame *outer) {
  ScanState state = {0};
  if (!prepare(gen, scan, outer, &state)) return;
  if (ir_int(scan, ATTR_length) > 0) emit_steps(gen, scan, &state);
  for (int i = 0; i < scan->n_results; i++)
    gen->buffers[scan->results[i]->id] = state.finals[i];
}
