/* infer.c: the frame of inference, and the rules of leaves, elementwise ops,
 * einsum and random draws.  Views and reductions are in infer_shape.c,
 * collectives in infer_collectives.c, bodies in infer_control.c. */
#include <stdio.h>
#include <string.h>

#include "graph.h"

/* -- the frame --------------------------------------------------------- */

void infer_start(Infer *in, Program *program, const NodeSpec *spec) {
  in->program = program;
  in->spec = spec;
  in->op = spec->op;
  in->info = &ir_ops[spec->op];
  in->n = spec->n_operands;
  in->has = 0;
  in->out = in->out_room;
  in->n_out = 0;
  in->has_axes = false;
  in->scratch_used = 0;
}

bool infer_error(Infer *in, const char *format, ...) {
  if (in->program->error.failed) return false;
  char message[1024];
  va_list list;
  va_start(list, format);
  vsnprintf(message, sizeof message, format, list);
  va_end(list);
  bool axes = in->info->class == COLLECTIVE;
  return ir_error(
      in->program, in->spec->place, "%s: %s%s%s%s%s%s", in->info->name, message,
      in->n ? " (" : "",
      in->n ? ir_operands_text(in->program, in->spec->operands, in->n) : "",
      in->n ? ")" : "", axes ? "; " : "",
      axes ? ir_scope_text(in->program) : "");
}

int64_t *infer_ints(Infer *in, int n) {
  if (in->scratch_used + n > INFER_SCRATCH)
    return ir_alloc(in->program, (size_t)n * sizeof(int64_t));
  int64_t *v = in->scratch + in->scratch_used;
  in->scratch_used += n;
  memset(v, 0, (size_t)n * sizeof *v);
  return v;
}

void infer_set_ints(Infer *in, AttrKey key, const int64_t *v, int n) {
  in->attr[key] = (Attr){.key = key, .ints = {v, n}};
  in->has |= UINT64_C(1) << key;
}

int64_t infer_int(const Infer *in, AttrKey key) {
  static const int64_t fallback[ATTR_COUNT] = {
#define ATTR(name, spelling, kind, value) [ATTR_##name] = (int64_t)(value),
#include "attrs.def"
#undef ATTR
  };
  return infer_has(in, key) ? in->attr[key].i : fallback[key];
}

bool infer_results(Infer *in, int n) {
  if (n > INFER_RESULTS) {
    in->out = ir_alloc(in->program, (size_t)n * sizeof(Type));
    if (in->out == NULL) return false;
  }
  in->n_out = n;
  return true;
}

bool infer_one(Infer *in, DType dtype, int rank, const int64_t *dims) {
  in->n_out = 1;
  in->out[0] = (Type){dtype, rank, dims, 0};
  return true;
}

bool infer_dim(Infer *in, const char *what, int64_t *dim, int rank) {
  if (*dim < -rank || *dim >= rank)
    return infer_error(in, "%s=%lld is out of range for rank %d", what,
                       (long long)*dim, rank);
  if (*dim < 0) *dim += rank;
  return true;
}

bool infer_same_dtype(Infer *in, int i) {
  DType first = infer_type(in, 0).dtype, other = infer_type(in, i).dtype;
  if (first == other) return true;
  if (in->n <= 3)
    return infer_error(in, "operands have dtypes %s and %s; use convert",
                       ir_dtype_name(first), ir_dtype_name(other));
  return infer_error(in, "operands 1 and %d have dtypes %s and %s; use convert",
                     i + 1, ir_dtype_name(first), ir_dtype_name(other));
}

__extension__ typedef unsigned __int128 Wide;

/* The bytes of a type that has too many for 64 bits: all digits, or 10^N. */
static const char *bytes_text(Program *program, Type type) {
  const Wide most = ~(Wide)0 / 10;
  Wide bytes = ir_dtype_bytes(type.dtype);
  int zeros = 0;
  for (int i = 0; i < type.rank + program->n_axes; i++) {
    int a = i - type.rank;
    int64_t size = a < 0 ? type.dims[i] : program->axes[a].size;
    if (size == 0 || (a >= 0 && !(type.axes >> a & 1))) continue;
    for (; bytes > most / (uint64_t)size; zeros++) bytes /= 10;
    bytes *= (uint64_t)size;
  }
  char digits[48];
  int at = sizeof digits - 1;
  digits[at] = 0;
  for (; bytes > 0; bytes /= 10) digits[--at] = (char)('0' + (int)(bytes % 10));
  if (zeros == 0) return ir_format(program, "%s bytes", digits + at);
  return ir_format(program, "about 10^%d bytes",
                   (int)strlen(digits + at) - 1 + zeros);
}

bool infer_check_size(Program *program, Place place, const char *what,
                      Type type) {
  if (type.rank > IR_MAX_RANK)
    return ir_error(program, place, "%s has rank %d; the most is %d", what,
                    type.rank, IR_MAX_RANK);
  int64_t bytes = (int64_t)ir_dtype_bytes(type.dtype);
  bool fits = true;
  for (int d = 0; d < type.rank; d++) {
    if (type.dims[d] < 0)
      return ir_error(program, place, "%s: dim %d has the negative size %lld",
                      what, d, (long long)type.dims[d]);
    if (type.dims[d] > 0)
      fits &= !__builtin_mul_overflow(bytes, type.dims[d], &bytes);
  }
  for (int a = 0; a < program->n_axes; a++)
    if (type.axes >> a & 1)
      fits &= !__builtin_mul_overflow(bytes, program->axes[a].size, &bytes);
  if (fits) return true;
  return ir_error(program, place,
                  "%s: %s does not fit in 2^63 bytes: it takes %s", what,
                  ir_type_text(program, type).text, bytes_text(program, type));
}

bool infer_finish(Infer *in) {
  if (!in->has_axes && in->n_out > 0) {
    uint64_t few[8];
    uint64_t *axes = few;
    if (in->n > 8) axes = ir_alloc(in->program, (size_t)in->n * sizeof *axes);
    if (axes == NULL) return false;
    for (int i = 0; i < in->n; i++) axes[i] = infer_type(in, i).axes;
    Attr attrs[2];
    int n = 0;
    if (infer_has(in, ATTR_axis)) attrs[n++] = in->attr[ATTR_axis];
    if (infer_has(in, ATTR_groups)) attrs[n++] = in->attr[ATTR_groups];
    uint64_t result = ir_axes_rule(in->program, in->op, attrs, n, axes, in->n);
    for (int i = 0; i < in->n_out; i++) in->out[i].axes = result;
  }
  for (int i = 0; i < in->n_out; i++)
    if (!infer_check_size(in->program, in->spec->place, in->info->name,
                          in->out[i]))
      return false;
  return true;
}

/* -- elementwise ------------------------------------------------------- */

static const char *const no_bool = "wants numbers, not bool";

/* Same dtype, same shape; rank 0 goes with any shape. */
static bool same_types(Infer *in, int first, Type *type) {
  *type = infer_type(in, first);
  for (int i = first + 1; i < in->n; i++) {
    Type other = infer_type(in, i);
    if (other.dtype != type->dtype)
      return infer_error(in, "operands have dtypes %s and %s; use convert",
                         ir_dtype_name(type->dtype),
                         ir_dtype_name(other.dtype));
    if (other.rank == 0) continue;
    if (type->rank == 0)
      *type = other;
    else if (!ir_shape_equal(*type, other))
      return infer_error(in, "shapes do not agree: %s and %s",
                         ir_type_text(in->program, *type).text,
                         ir_type_text(in->program, other).text);
  }
  return true;
}

bool infer_any(Infer *in) {
  Type type;
  return same_types(in, 0, &type) &&
         infer_one(in, type.dtype, type.rank, type.dims);
}

bool infer_numeric(Infer *in) {
  if (infer_type(in, 0).dtype == DT_BOOL) return infer_error(in, "%s", no_bool);
  return infer_any(in);
}

bool infer_floating(Infer *in) {
  if (!ir_is_float(infer_type(in, 0).dtype))
    return infer_error(in, "wants floats, not %s",
                       ir_dtype_name(infer_type(in, 0).dtype));
  return infer_any(in);
}

bool infer_integer(Infer *in) {
  if (!ir_is_int(infer_type(in, 0).dtype))
    return infer_error(in, "wants integers, not %s",
                       ir_dtype_name(infer_type(in, 0).dtype));
  return infer_any(in);
}

bool infer_logical(Infer *in) {
  if (ir_is_float(infer_type(in, 0).dtype))
    return infer_error(in, "wants bool or integers, not %s",
                       ir_dtype_name(infer_type(in, 0).dtype));
  return infer_any(in);
}

bool infer_is_finite(Infer *in) {
  if (!infer_floating(in)) return false;
  in->out[0].dtype = DT_BOOL;
  return true;
}

bool infer_compare(Infer *in) {
  Word relation = (Word)in->attr[ATTR_relation].i;
  if (relation < WORD_eq || relation > WORD_ge)
    return infer_error(in, "op= is one of eq ne lt le gt ge");
  if (!infer_any(in)) return false;
  in->out[0].dtype = DT_BOOL;
  return true;
}

bool infer_select(Infer *in) {
  Type predicate = infer_type(in, 0), type;
  if (predicate.dtype != DT_BOOL)
    return infer_error(in, "the first operand is bool, not %s",
                       ir_dtype_name(predicate.dtype));
  if (!same_types(in, 1, &type)) return false;
  if (predicate.rank > 0 && type.rank > 0 && !ir_shape_equal(predicate, type))
    return infer_error(in, "the predicate is a scalar or of the full shape %s",
                       ir_type_text(in->program, type).text);
  Type shape = predicate.rank > 0 ? predicate : type;
  return infer_one(in, type.dtype, shape.rank, shape.dims);
}

static bool typed_as_operand(Infer *in) {
  Type type = infer_type(in, 0);
  if (!ir_shape_equal(type, *in->spec->type))
    return infer_error(in, "keeps the shape; its type is written %s",
                       ir_type_text(in->program, *in->spec->type).text);
  return infer_one(in, in->spec->type->dtype, type.rank, type.dims);
}

bool infer_convert(Infer *in) { return typed_as_operand(in); }

bool infer_bitcast(Infer *in) {
  DType from = infer_type(in, 0).dtype, to = in->spec->type->dtype;
  if (ir_dtype_bytes(from) != ir_dtype_bytes(to) ||
      (from == DT_BOOL) != (to == DT_BOOL))
    return infer_error(in, "%s and %s do not have the same width",
                       ir_dtype_name(from), ir_dtype_name(to));
  return typed_as_operand(in);
}

/* -- leaves ------------------------------------------------------------ */

bool infer_constant(Infer *in) {
  const Type *type = in->spec->type;
  enum { LARGEST = 65536 };
  Type copy = {type->dtype, type->rank, type->dims, 0};
  if (!infer_check_size(in->program, in->spec->place, "constant", copy))
    return false;
  int64_t elements = ir_type_elements(copy);
  if (!in->spec->splat && elements > LARGEST)
    return infer_error(in,
                       "a literal has at most %d elements, not %lld; make it "
                       "an input",
                       LARGEST, (long long)elements);
  in->has_axes = true;
  return infer_one(in, copy.dtype, copy.rank, copy.dims);
}

bool infer_iota(Infer *in) {
  const Type *type = in->spec->type;
  if (type->dtype == DT_BOOL) return infer_error(in, "%s", no_bool);
  if (!infer_dim(in, "dim", &in->attr[ATTR_dim].i, type->rank)) return false;
  in->has_axes = true;
  return infer_one(in, type->dtype, type->rank, type->dims);
}

/* -- einsum ------------------------------------------------------------ */

static DType kind_of(DType dtype) {
  return dtype == DT_BOOL      ? DT_BOOL
         : ir_is_float(dtype)  ? DT_F64
         : ir_is_signed(dtype) ? DT_I64
                               : DT_U64;
}

static bool wider(DType a, DType b) {
  return kind_of(a) == kind_of(b) && ir_dtype_bytes(a) > ir_dtype_bytes(b);
}

bool infer_einsum(Infer *in) {
  DType dtype = infer_type(in, 0).dtype;
  for (int i = 1; i < in->n; i++)
    if (!infer_same_dtype(in, i)) return false;
  char *spec;
  uint64_t stretched[52] = {0};
  if (!ir_einsum_resolve(in->program, in->attr[ATTR_spec].s, in->spec->operands,
                         in->n, in->spec->place, &spec, stretched))
    return false;
  for (int i = 0; i < in->n; i++)
    if (stretched[i]) return infer_error(in, "spec %s is not canonical", spec);
  in->attr[ATTR_spec].s = spec;
  if (infer_has(in, ATTR_accumulate)) {
    DType sums = (DType)in->attr[ATTR_accumulate].i;
    if (sums == dtype)
      in->has &= ~(UINT64_C(1) << ATTR_accumulate);
    else if (!wider(sums, dtype))
      return infer_error(in,
                         "accumulate=%s is not a wider dtype of the kind "
                         "of %s",
                         ir_dtype_name(sums), ir_dtype_name(dtype));
    dtype = sums;
  }
  const char *out = strstr(spec, "->") + 2;
  int rank = (int)strlen(out);
  int64_t *dims = infer_ints(in, rank);
  if (dims == NULL) return false;
  const char *letter = spec;
  for (int t = 0; t < in->n; t++, letter++)
    for (int d = 0; d < infer_type(in, t).rank; d++, letter++)
      for (int o = 0; o < rank; o++)
        if (out[o] == *letter) dims[o] = infer_type(in, t).dims[d];
  return infer_one(in, dtype, rank, dims);
}

/* -- random draws ------------------------------------------------------ */

/* Batch dims of an operand: the first `batch` dims; checks that operand i has
 * them as operand 0 does, and that it has `rank` dims after them. */
static bool key_operand(Infer *in, int *batch) {
  Type key = infer_type(in, 0);
  int64_t n = infer_int(in, ATTR_batch);
  if (n < 0 || n > key.rank)
    return infer_error(in, "batch=%lld is out of range for rank %d",
                       (long long)n, key.rank);
  if (key.dtype != DT_U32 || key.rank != n + 1 || key.dims[n] != 2)
    return infer_error(in, "a key is u32[2]%s, not %s",
                       n ? " after the batch dims" : "",
                       ir_type_text(in->program, key).text);
  *batch = (int)n;
  return true;
}

bool infer_random_key(Infer *in) {
  int64_t *dims = infer_ints(in, 1);
  if (dims == NULL) return false;
  dims[0] = 2;
  return infer_one(in, DT_U32, 1, dims);
}

bool infer_random_split(Infer *in) {
  int batch = 0;
  int64_t count = in->attr[ATTR_count].i;
  if (!key_operand(in, &batch)) return false;
  if (count < 0)
    return infer_error(in, "count=%lld is negative", (long long)count);
  int64_t *dims = infer_ints(in, batch + 2);
  if (dims == NULL) return false;
  for (int d = 0; d < batch; d++) dims[d] = infer_type(in, 0).dims[d];
  dims[batch] = count;
  dims[batch + 1] = 2;
  return infer_one(in, DT_U32, batch + 2, dims);
}

bool infer_random_fold_in(Infer *in) {
  int batch = 0;
  if (!key_operand(in, &batch)) return false;
  Type key = infer_type(in, 0), data = infer_type(in, 1);
  if (data.dtype != DT_U32 && data.dtype != DT_I32)
    return infer_error(in, "the data is u32 or i32, not %s",
                       ir_dtype_name(data.dtype));
  bool fits = data.rank == batch;
  for (int d = 0; fits && d < batch; d++) fits = data.dims[d] == key.dims[d];
  if (!fits)
    return infer_error(in, "the data is a scalar%s, not %s",
                       batch ? " for each key" : "",
                       ir_type_text(in->program, data).text);
  return infer_one(in, DT_U32, key.rank, key.dims);
}

static bool draw(Infer *in) {
  int batch = 0;
  if (!key_operand(in, &batch)) return false;
  const Type *type = in->spec->type;
  bool fits = type->rank >= batch;
  for (int d = 0; fits && d < batch; d++)
    fits = type->dims[d] == infer_type(in, 0).dims[d];
  if (!fits)
    return infer_error(in,
                       "the result's first %d dims are those of the keys, "
                       "not %s",
                       batch, ir_type_text(in->program, *type).text);
  return infer_one(in, type->dtype, type->rank, type->dims);
}

bool infer_random_bits(Infer *in) {
  DType dtype = in->spec->type->dtype;
  if (!ir_is_int(dtype) || ir_is_signed(dtype))
    return infer_error(in, "draws u8, u16, u32 or u64, not %s",
                       ir_dtype_name(dtype));
  return draw(in);
}

bool infer_random_float(Infer *in) {
  if (!ir_is_float(in->spec->type->dtype))
    return infer_error(in, "draws floats, not %s",
                       ir_dtype_name(in->spec->type->dtype));
  return draw(in);
}
