/* element_random.c: Threefry-2x32 (20 rounds; Salmon et al., "Parallel random
 * numbers: as easy as 1, 2, 3", SC 2011), keyed and counted as JAX does with
 * jax_threefry_partitionable: element i is the hash of its 64-bit position. */
#include "emit.h"

#include <string.h>

typedef struct Pair {
  Ssa a, b;
} Pair;

static Ssa add(Gen *gen, Ssa a, Ssa b) {
  match(gen, &a, &b);
  return LLVMBuildAdd(gen->b, a, b, "");
}

static Ssa exclusive(Gen *gen, Ssa a, Ssa b) {
  match(gen, &a, &b);
  return LLVMBuildXor(gen->b, a, b, "");
}

static Ssa rotated(Gen *gen, Ssa x, int by) {
  return intrinsic(gen, "llvm.fshl", (Ssa[]){x, x, int_like(gen, x, by)}, 3);
}

static Pair threefry(Gen *gen, Pair key, Pair count) {
  static const int turns[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  Ssa parity = LLVMConstInt(gen->i32, 0x1BD11BDA, 0);
  Ssa keys[3] = {key.a, key.b,
                 exclusive(gen, exclusive(gen, key.a, key.b), parity)};
  Ssa x = add(gen, count.a, keys[0]), y = add(gen, count.b, keys[1]);
  for (int group = 0; group < 5; group++) {
    for (int i = 0; i < 4; i++) {
      x = add(gen, x, y);
      y = exclusive(gen, rotated(gen, y, turns[group % 2][i]), x);
    }
    x = add(gen, x, keys[(group + 1) % 3]);
    y = add(gen, y,
            add(gen, keys[(group + 2) % 3],
                LLVMConstInt(gen->i32, (unsigned)group + 1, 0)));
  }
  return (Pair){x, y};
}

static Pair key_at(Gen *gen, const Value *key, const Ix *ix, int batch) {
  Ix at[IR_MAX_RANK];
  for (int d = 0; d < batch; d++) at[d] = ix[d];
  at[batch] = ix_const(gen, 0);
  Pair words;
  words.a = emit_value(gen, key, at);
  at[batch] = ix_const(gen, 1);
  words.b = emit_value(gen, key, at);
  return words;
}

/* How many numbers one key draws; the compiler has checked the product. */
static int64_t count_of(Type type, int batch) {
  int64_t count = 1;
  for (int d = batch; d < type.rank; d++) count *= type.dims[d];
  return count;
}

/* A position below `limit` in two words.  Where it fits in one, the lanes are
 * counted in 32 bits. */
static Pair counter(Gen *gen, Ix position, int64_t limit) {
  if (limit <= INT64_C(1) << 32 && position.lane != IX_VECTOR) {
    Ssa low = LLVMBuildTrunc(gen->b, position.v, gen->i32, "");
    Ssa zero = LLVMConstNull(gen->i32);
    if (position.lane == 0 || gen->lanes == 1) return (Pair){zero, low};
    Ssa steps[64];
    for (int l = 0; l < gen->lanes; l++)
      steps[l] = LLVMConstInt(
          gen->i32, (unsigned long long)(l * position.lane) & 0xffffffff, 0);
    Ssa lanes = LLVMConstVector(steps, (unsigned)gen->lanes);
    return (Pair){splat(gen, zero),
                  LLVMBuildAdd(gen->b, splat(gen, low), lanes, "")};
  }
  Ssa whole = ix_value(gen, position);
  LLVMTypeRef words = lane_type(gen, gen->i32, whole);
  Ssa high = LLVMBuildLShr(gen->b, whole, int_like(gen, whole, 32), "");
  return (Pair){LLVMBuildTrunc(gen->b, high, words, ""),
                LLVMBuildTrunc(gen->b, whole, words, "")};
}

/* The hash at a flat position of the dims behind the batch dims. */
static Pair draw(Gen *gen, const Node *node, const Ix *ix, int rank) {
  int batch = (int)ir_int(node, ATTR_batch);
  Type type = node->results[0]->type;
  Ix flat = ix_const(gen, 0);
  for (int d = batch; d < rank; d++)
    flat = ix_add(gen, ix_scaled(gen, flat, type.dims[d], 0), ix[d]);
  Pair count = counter(gen, flat, count_of(type, batch));
  return threefry(gen, key_at(gen, node->operands[0], ix, batch), count);
}

/* The word of a pair that the last index, 0 or 1, asks for. */
static Ssa word_of(Gen *gen, Pair pair, Ix which) {
  Ssa v = ix_value(gen, which);
  Ssa first = LLVMBuildICmp(gen->b, LLVMIntEQ, v, int_like(gen, v, 0), "");
  return choose(gen, first, pair.a, pair.b);
}

Ssa emit_random_key(Gen *gen, const Node *node, const Ix *ix) {
  uint64_t seed = (uint64_t)ir_int(node, ATTR_seed);
  Pair words = {LLVMConstInt(gen->i32, seed >> 32, 0),
                LLVMConstInt(gen->i32, seed & 0xffffffff, 0)};
  return word_of(gen, words, ix[0]);
}

Ssa emit_random_split(Gen *gen, const Node *node, const Ix *ix) {
  int rank = node->results[0]->type.rank;
  return word_of(gen, draw(gen, node, ix, rank - 1), ix[rank - 1]);
}

Ssa emit_random_fold_in(Gen *gen, const Node *node, const Ix *ix) {
  int batch = (int)ir_int(node, ATTR_batch);
  Pair count = {LLVMConstInt(gen->i32, 0, 0),
                emit_value(gen, node->operands[1], ix)};
  Pair words = threefry(gen, key_at(gen, node->operands[0], ix, batch), count);
  return word_of(gen, words, ix[batch]);
}

/* `width` random bits as an unsigned integer of that width. */
static Ssa bits_of(Gen *gen, Pair words, int width) {
  if (width == 64) {
    match(gen, &words.a, &words.b);
    LLVMTypeRef wide = lane_type(gen, gen->i64, words.a);
    Ssa high = LLVMBuildZExt(gen->b, words.a, wide, "");
    Ssa low = LLVMBuildZExt(gen->b, words.b, wide, "");
    high = LLVMBuildShl(gen->b, high, int_like(gen, high, 32), "");
    return LLVMBuildOr(gen->b, high, low, "");
  }
  Ssa mixed = exclusive(gen, words.a, words.b);
  if (width == 32) return mixed;
  LLVMTypeRef narrow = width == 16 ? gen->i16 : gen->i8;
  return LLVMBuildTrunc(gen->b, mixed, lane_type(gen, narrow, mixed), "");
}

Ssa emit_random_bits(Gen *gen, const Node *node, const Ix *ix) {
  Type type = node->results[0]->type;
  return bits_of(gen, draw(gen, node, ix, type.rank),
                 (int)ir_dtype_bytes(type.dtype) * 8);
}

/* Mantissa bits m drawn from `bits`: 1.m - 1, in the dtype. */
static Ssa unit_draw(Gen *gen, DType dtype, Pair words) {
  bool half = dtype == DT_F16, brain = dtype == DT_BF16;
  if (dtype == DT_F64) {
    Ssa bits = bits_of(gen, words, 64);
    bits = LLVMBuildLShr(gen->b, bits, int_like(gen, bits, 12), "");
    bits = LLVMBuildOr(gen->b, bits,
                       int_like(gen, bits, INT64_C(0x3ff0000000000000)), "");
    Ssa real =
        LLVMBuildBitCast(gen->b, bits, lane_type(gen, gen->f64, bits), "");
    return LLVMBuildFSub(gen->b, real, constant_like(gen, real, 1), "");
  }
  /* 16-bit floats: the same number with fewer bits, held as f32 */
  Ssa bits = bits_of(gen, words, 32);
  int drop = 9;
  if (half || brain) {
    int drawn = half ? 16 : 8, mantissa = half ? 10 : 7;
    bits = LLVMBuildShl(gen->b, bits, int_like(gen, bits, 32 - drawn), "");
    bits = LLVMBuildLShr(gen->b, bits, int_like(gen, bits, 32 - mantissa), "");
    bits = LLVMBuildShl(gen->b, bits, int_like(gen, bits, 23 - mantissa), "");
    drop = 0;
  }
  if (drop) bits = LLVMBuildLShr(gen->b, bits, int_like(gen, bits, drop), "");
  bits = LLVMBuildOr(gen->b, bits, int_like(gen, bits, 0x3f800000), "");
  Ssa real = LLVMBuildBitCast(gen->b, bits, lane_type(gen, gen->f32, bits), "");
  return LLVMBuildFSub(gen->b, real, constant_like(gen, real, 1), "");
}

/* In [low, high): rounded after each step, never below low. */
static Ssa uniform_draw(Gen *gen, const Node *node, const Ix *ix, double low,
                        double high) {
  Type type = node->results[0]->type;
  DType dtype = type.dtype;
  double span = ir_round_to(dtype, high - low);
  Ssa unit = unit_draw(gen, dtype, draw(gen, node, ix, type.rank));
  Ssa scaled =
      arithmetic(gen, OP_mul, dtype, unit, constant_like(gen, unit, span));
  Ssa moved =
      arithmetic(gen, OP_add, dtype, scaled, constant_like(gen, unit, low));
  /* Rounding is monotonous: from low up, no sum is below low. */
  if (!(high < low)) return moved;
  /* As max: a NaN is kept, and a sum with +0 is never -0. */
  Ssa least = constant_like(gen, moved, low);
  Ssa below = LLVMBuildFCmp(gen->b, LLVMRealOGT, least, moved, "");
  return LLVMBuildSelect(gen->b, below, least, moved, "");
}

Ssa emit_random_uniform(Gen *gen, const Node *node, const Ix *ix) {
  DType dtype = node->results[0]->type.dtype;
  return uniform_draw(gen, node, ix,
                      ir_round_to(dtype, ir_number(node, ATTR_minimum)),
                      ir_round_to(dtype, ir_number(node, ATTR_maximum)));
}

Ssa emit_random_normal(Gen *gen, const Node *node, const Ix *ix) {
  DType dtype = node->results[0]->type.dtype;
  Ssa uniform = uniform_draw(gen, node, ix, -ir_below_one(dtype), 1);
  return emit_normal(gen, dtype, uniform);
}
