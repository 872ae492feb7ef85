/* infer_shape.c: the rules of ops that move elements, and of reductions. */
#include <string.h>

#include "graph.h"

static int64_t *copy_dims(Infer *in, Type type) {
  int64_t *dims = infer_ints(in, type.rank + 1);
  if (dims && type.rank)
    memcpy(dims, type.dims, (size_t)type.rank * sizeof *dims);
  return dims;
}

/* A list attribute that has one entry a dim; *list gets a copy in scratch. */
static bool per_dim(Infer *in, AttrKey key, int rank, int64_t **list) {
  IntList given = in->attr[key].ints;
  if (given.n != rank)
    return infer_error(in, "%s has %d entr%s for rank %d", ir_attr_name(key),
                       given.n, given.n == 1 ? "y" : "ies", rank);
  *list = infer_ints(in, rank + 1);
  if (*list == NULL) return false;
  if (rank) memcpy(*list, given.v, (size_t)rank * sizeof(int64_t));
  infer_set_ints(in, key, *list, rank);
  return true;
}

/* A set of distinct dims, normalised and (if sorted) in ascending order. */
static bool dim_set(Infer *in, AttrKey key, int rank, uint64_t *set) {
  IntList given = in->attr[key].ints;
  *set = 0;
  for (int i = 0; i < given.n; i++) {
    int64_t dim = given.v[i];
    if (!infer_dim(in, ir_attr_name(key), &dim, rank)) return false;
    if (*set >> dim & 1)
      return infer_error(in, "%s names dim %lld twice", ir_attr_name(key),
                         (long long)dim);
    *set |= UINT64_C(1) << dim;
  }
  int64_t *sorted = infer_ints(in, rank + 1);
  if (sorted == NULL) return false;
  int n = 0;
  for (int d = 0; d < rank; d++)
    if (*set >> d & 1) sorted[n++] = d;
  infer_set_ints(in, key, sorted, n);
  return true;
}

bool infer_broadcast(Infer *in) {
  Type from = infer_type(in, 0), to = *in->spec->type;
  int64_t *dims = NULL;
  if (to.dtype != from.dtype)
    return infer_error(in, "keeps the dtype; its type is written %s",
                       ir_type_text(in->program, to).text);
  if (!per_dim(in, ATTR_dims, from.rank, &dims)) return false;
  uint64_t seen = 0;
  for (int d = 0; d < from.rank; d++) {
    if (!infer_dim(in, "dims", &dims[d], to.rank)) return false;
    if (seen >> dims[d] & 1)
      return infer_error(in, "dims names dim %lld twice", (long long)dims[d]);
    seen |= UINT64_C(1) << dims[d];
    if (from.dims[d] != 1 && from.dims[d] != to.dims[dims[d]])
      return infer_error(in,
                         "dim %d of size %lld does not stretch to %lld of "
                         "%s",
                         d, (long long)from.dims[d],
                         (long long)to.dims[dims[d]],
                         ir_type_text(in->program, to).text);
  }
  return infer_one(in, from.dtype, to.rank, to.dims);
}

bool infer_reshape(Infer *in) {
  Type from = infer_type(in, 0), to = *in->spec->type;
  if (to.dtype != from.dtype)
    return infer_error(in, "keeps the dtype; its type is written %s",
                       ir_type_text(in->program, to).text);
  if (!infer_check_size(in->program, in->spec->place, "reshape", to))
    return false;
  int64_t have = ir_type_elements(from), want = ir_type_elements(to);
  if (have != want)
    return infer_error(in, "%lld elements do not fill %s, which has %lld",
                       (long long)have, ir_type_text(in->program, to).text,
                       (long long)want);
  return infer_one(in, to.dtype, to.rank, to.dims);
}

bool infer_transpose(Infer *in) {
  Type type = infer_type(in, 0);
  int64_t *perm = NULL, *dims = infer_ints(in, type.rank + 1);
  if (dims == NULL || !per_dim(in, ATTR_perm, type.rank, &perm)) return false;
  uint64_t seen = 0;
  for (int d = 0; d < type.rank; d++) {
    if (!infer_dim(in, "perm", &perm[d], type.rank)) return false;
    if (seen >> perm[d] & 1)
      return infer_error(in, "perm names dim %lld twice", (long long)perm[d]);
    seen |= UINT64_C(1) << perm[d];
    dims[d] = type.dims[perm[d]];
  }
  return infer_one(in, type.dtype, type.rank, dims);
}

bool infer_slice(Infer *in) {
  Type type = infer_type(in, 0);
  int64_t *start = NULL, *limit = NULL, *stride = NULL;
  int64_t *dims = infer_ints(in, type.rank + 1);
  if (dims == NULL || !per_dim(in, ATTR_start, type.rank, &start) ||
      !per_dim(in, ATTR_limit, type.rank, &limit))
    return false;
  bool plain = true;
  if (!infer_has(in, ATTR_stride)) {
    stride = infer_ints(in, type.rank + 1);
    if (stride == NULL) return false;
    for (int d = 0; d < type.rank; d++) stride[d] = 1;
  } else if (!per_dim(in, ATTR_stride, type.rank, &stride)) {
    return false;
  }
  for (int d = 0; d < type.rank; d++) {
    long long size = type.dims[d];
    if (start[d] < 0 || limit[d] < start[d] || limit[d] > size)
      return infer_error(in, "dim %d: [%lld, %lld) is not within [0, %lld)", d,
                         (long long)start[d], (long long)limit[d], size);
    if (stride[d] < 1)
      return infer_error(in, "dim %d: the stride %lld is not positive", d,
                         (long long)stride[d]);
    plain &= stride[d] == 1;
    int64_t extent = limit[d] - start[d];
    dims[d] = extent ? (extent - 1) / stride[d] + 1 : 0;
  }
  if (plain) in->has &= ~(UINT64_C(1) << ATTR_stride);
  return infer_one(in, type.dtype, type.rank, dims);
}

bool infer_concatenate(Infer *in) {
  Type first = infer_type(in, 0);
  int64_t *dims = copy_dims(in, first), *dim = &in->attr[ATTR_dim].i;
  if (dims == NULL) return false;
  if (first.rank == 0) return infer_error(in, "scalars have no dim to join on");
  if (!infer_dim(in, "dim", dim, first.rank)) return false;
  for (int i = 1; i < in->n; i++) {
    Type type = infer_type(in, i);
    if (!infer_same_dtype(in, i)) return false;
    bool agree = type.rank == first.rank;
    for (int d = 0; agree && d < type.rank; d++)
      agree = d == *dim || type.dims[d] == first.dims[d];
    if (!agree)
      return infer_error(in, "shapes may differ in dim %lld only: %s and %s",
                         (long long)*dim, ir_type_text(in->program, first).text,
                         ir_type_text(in->program, type).text);
    if (__builtin_add_overflow(dims[*dim], type.dims[*dim], &dims[*dim]))
      return infer_error(in, "the sizes along dim %lld add up past 2^63",
                         (long long)*dim);
  }
  return infer_one(in, first.dtype, first.rank, dims);
}

bool infer_pad(Infer *in) {
  Type type = infer_type(in, 0), value = infer_type(in, 1);
  int64_t *low = NULL, *high = NULL, *interior = NULL;
  int64_t *dims = infer_ints(in, type.rank + 1);
  if (!infer_same_dtype(in, 1)) return false;
  if (value.rank != 0)
    return infer_error(in, "the padding is a scalar, not %s",
                       ir_type_text(in->program, value).text);
  if (dims == NULL || !per_dim(in, ATTR_low, type.rank, &low) ||
      !per_dim(in, ATTR_high, type.rank, &high))
    return false;
  if (!infer_has(in, ATTR_interior)) {
    interior = infer_ints(in, type.rank + 1);
    if (interior == NULL) return false;
  } else if (!per_dim(in, ATTR_interior, type.rank, &interior)) {
    return false;
  }
  bool plain = true;
  for (int d = 0; d < type.rank; d++) {
    if (interior[d] < 0)
      return infer_error(in, "dim %d: interior %lld is negative", d,
                         (long long)interior[d]);
    plain &= interior[d] == 0;
    int64_t inner = type.dims[d] ? type.dims[d] - 1 : 0, size;
    if (__builtin_mul_overflow(inner, interior[d], &size) ||
        __builtin_add_overflow(size, type.dims[d], &size) ||
        __builtin_add_overflow(size, low[d], &size) ||
        __builtin_add_overflow(size, high[d], &size))
      return infer_error(in, "dim %d: the padded size passes 2^63", d);
    if (size < 0)
      return infer_error(in,
                         "dim %d: size %lld, low %lld, high %lld leave the "
                         "negative size %lld",
                         d, (long long)type.dims[d], (long long)low[d],
                         (long long)high[d], (long long)size);
    dims[d] = size;
  }
  if (plain) in->has &= ~(UINT64_C(1) << ATTR_interior);
  return infer_one(in, type.dtype, type.rank, dims);
}

bool infer_reverse(Infer *in) {
  Type type = infer_type(in, 0);
  uint64_t set = 0;
  return dim_set(in, ATTR_dims, type.rank, &set) &&
         infer_one(in, type.dtype, type.rank, type.dims);
}

/* -- positions known at run time --------------------------------------- */

static bool batch_of(Infer *in, int rank, int *batch) {
  int64_t n = infer_int(in, ATTR_batch);
  if (n < 0 || n > rank)
    return infer_error(in, "batch=%lld is out of range for rank %d",
                       (long long)n, rank);
  *batch = (int)n;
  return true;
}

/* Do the first `batch` dims of operand i equal those of operand 0? */
static bool has_batch(Infer *in, int i, int batch) {
  Type a = infer_type(in, 0), b = infer_type(in, i);
  bool same = b.rank >= batch;
  for (int d = 0; same && d < batch; d++) same = a.dims[d] == b.dims[d];
  return same || infer_error(in, "operand %d lacks the %d batch dim%s of %s",
                             i + 1, batch, batch == 1 ? "" : "s",
                             ir_type_text(in->program, a).text);
}

/* Starts: operands from `first` on, one integer scalar a dim after batch. */
static bool starts(Infer *in, int first, int rank, int batch) {
  if (in->n - first != rank - batch)
    return infer_error(in, "%d start ind%s for %d dim%s", in->n - first,
                       in->n - first == 1 ? "ex" : "ices", rank - batch,
                       rank - batch == 1 ? "" : "s");
  for (int i = first; i < in->n; i++) {
    Type type = infer_type(in, i);
    if (!ir_is_int(type.dtype) || type.rank != batch)
      return infer_error(in, "a start is an integer scalar%s, not %s",
                         batch ? " for each batch entry" : "",
                         ir_type_text(in->program, type).text);
    if (!has_batch(in, i, batch)) return false;
  }
  return true;
}

bool infer_dynamic_slice(Infer *in) {
  Type type = infer_type(in, 0);
  int batch = 0;
  int64_t *sizes = NULL, *dims = copy_dims(in, type);
  if (dims == NULL || !batch_of(in, type.rank, &batch) ||
      !per_dim(in, ATTR_sizes, type.rank - batch, &sizes) ||
      !starts(in, 1, type.rank, batch))
    return false;
  for (int d = batch; d < type.rank; d++) {
    dims[d] = sizes[d - batch];
    if (dims[d] < 0 || dims[d] > type.dims[d])
      return infer_error(in, "dim %d: a window of %lld does not fit %lld", d,
                         (long long)dims[d], (long long)type.dims[d]);
  }
  return infer_one(in, type.dtype, type.rank, dims);
}

bool infer_dynamic_update_slice(Infer *in) {
  Type type = infer_type(in, 0), update = infer_type(in, 1);
  int batch = 0;
  if (!infer_same_dtype(in, 1)) return false;
  if (update.rank != type.rank)
    return infer_error(in, "the update has rank %d, not %d", update.rank,
                       type.rank);
  if (!batch_of(in, type.rank, &batch) || !has_batch(in, 1, batch) ||
      !starts(in, 2, type.rank, batch))
    return false;
  for (int d = batch; d < type.rank; d++)
    if (update.dims[d] > type.dims[d])
      return infer_error(in, "dim %d: an update of %lld does not fit %lld", d,
                         (long long)update.dims[d], (long long)type.dims[d]);
  return infer_one(in, type.dtype, type.rank, type.dims);
}

/* What take takes from operand 0 at the positions of operand 1: a shape. */
static bool taken_shape(Infer *in, int64_t **dims, int *rank) {
  Type type = infer_type(in, 0), index = infer_type(in, 1);
  int batch = 0;
  int64_t *dim = &in->attr[ATTR_dim].i;
  if (!ir_is_int(index.dtype))
    return infer_error(in, "the index is an integer, not %s",
                       ir_dtype_name(index.dtype));
  if (!infer_dim(in, "dim", dim, type.rank) ||
      !batch_of(in, type.rank, &batch) || !has_batch(in, 1, batch))
    return false;
  if (*dim < batch)
    return infer_error(in, "dim=%lld is a batch dim (batch=%d)",
                       (long long)*dim, batch);
  int inserted = index.rank - batch;
  *rank = type.rank - 1 + inserted;
  if (*rank > IR_MAX_RANK)
    return infer_error(in, "the result's rank %d passes %d", *rank,
                       IR_MAX_RANK);
  *dims = infer_ints(in, *rank + 1);
  if (*dims == NULL) return false;
  int n = 0;
  for (int d = 0; d < type.rank; d++) {
    if (d != *dim) (*dims)[n++] = type.dims[d];
    if (d == *dim)
      for (int i = batch; i < index.rank; i++) (*dims)[n++] = index.dims[i];
  }
  return true;
}

bool infer_take(Infer *in) {
  Type type = infer_type(in, 0);
  int rank = 0;
  int64_t *dims = NULL;
  if (!taken_shape(in, &dims, &rank)) return false;
  int64_t dim = in->attr[ATTR_dim].i;
  if (type.dims[dim] == 0)
    return infer_error(in, "dim %lld has size 0: there is nothing to take",
                       (long long)dim);
  return infer_one(in, type.dtype, rank, dims);
}

bool infer_scatter_add(Infer *in) {
  Type type = infer_type(in, 0), update = infer_type(in, 2);
  int rank = 0;
  int64_t *dims = NULL;
  if (type.dtype == DT_BOOL) return infer_error(in, "wants numbers, not bool");
  if (update.dtype != type.dtype)
    return infer_error(in, "x and u have dtypes %s and %s; use convert",
                       ir_dtype_name(type.dtype), ir_dtype_name(update.dtype));
  if (!taken_shape(in, &dims, &rank)) return false;
  Type wanted = {type.dtype, rank, dims, 0};
  if (!ir_shape_equal(update, wanted))
    return infer_error(in, "u is %s; for this x, index and dim it must be %s",
                       ir_type_text(in->program, update).text,
                       ir_type_text(in->program, wanted).text);
  return infer_one(in, type.dtype, type.rank, type.dims);
}

/* -- reductions -------------------------------------------------------- */

static bool reduce(Infer *in, DType dtype) {
  Type type = infer_type(in, 0);
  uint64_t set = 0;
  if (!infer_has(in, ATTR_dims)) {
    int64_t *all = infer_ints(in, type.rank + 1);
    if (all == NULL) return false;
    for (int d = 0; d < type.rank; d++) all[d] = d;
    infer_set_ints(in, ATTR_dims, all, type.rank);
  }
  if (!dim_set(in, ATTR_dims, type.rank, &set)) return false;
  int64_t *dims = infer_ints(in, type.rank + 1);
  if (dims == NULL) return false;
  int rank = 0;
  for (int d = 0; d < type.rank; d++)
    if (!(set >> d & 1)) dims[rank++] = type.dims[d];
  return infer_one(in, dtype, rank, dims);
}

bool infer_reduce_any(Infer *in) { return reduce(in, infer_type(in, 0).dtype); }

bool infer_reduce_sum(Infer *in) {
  DType dtype = infer_type(in, 0).dtype;
  return reduce(in, dtype == DT_BOOL ? DT_I32 : dtype);
}

bool infer_reduce_numeric(Infer *in) {
  if (infer_type(in, 0).dtype == DT_BOOL)
    return infer_error(in, "wants numbers, not bool");
  return infer_reduce_any(in);
}

/* One dim becomes the index, an i32, of an element along it. */
bool infer_arg(Infer *in) {
  Type type = infer_type(in, 0);
  int64_t *dim = &in->attr[ATTR_dim].i, *dims = copy_dims(in, type);
  if (dims == NULL) return false;
  if (type.rank == 0) return infer_error(in, "a scalar has no dim to search");
  if (!infer_dim(in, "dim", dim, type.rank)) return false;
  int64_t size = type.dims[*dim];
  if (size == 0)
    return infer_error(in, "dim %lld has size 0: there is nothing to find",
                       (long long)*dim);
  if (size > INT32_MAX)
    return infer_error(in, "dim %lld of size %lld: its indices pass i32",
                       (long long)*dim, (long long)size);
  for (int d = (int)*dim; d + 1 < type.rank; d++) dims[d] = dims[d + 1];
  return infer_one(in, DT_I32, type.rank - 1, dims);
}

bool infer_reduce_logical(Infer *in) {
  if (ir_is_float(infer_type(in, 0).dtype))
    return infer_error(in, "wants bool or integers, not %s",
                       ir_dtype_name(infer_type(in, 0).dtype));
  return infer_reduce_any(in);
}
