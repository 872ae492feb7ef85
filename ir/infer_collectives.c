/* infer_collectives.c: shapes, dtypes and axes of everything that names an
 * axis.  Values are in runtime/evaluate_collectives.c, lowering in
 * passes/lower_axes.c. */
#include <stdio.h>
#include <string.h>

#include "graph.h"

/* -- axes -------------------------------------------------------------- */

static uint64_t set_of(IntList axes) {
  uint64_t set = 0;
  for (int i = 0; i < axes.n; i++) set |= UINT64_C(1) << axes.v[i];
  return set;
}

uint64_t ir_axes_rule(const Program *program, Op op, const Attr *attrs,
                      int n_attrs, const uint64_t *operand_axes, int n) {
  (void)program;
  uint64_t set = 0, named = 0;
  bool groups = false;
  for (int i = 0; i < n; i++) set |= operand_axes[i];
  for (int i = 0; i < n_attrs; i++) {
    if (attrs[i].key == ATTR_axis) named = set_of(attrs[i].ints);
    if (attrs[i].key == ATTR_groups) groups = true;
  }
  switch (op) {
    case OP_psum:
    case OP_pmean:
    case OP_pmax:
    case OP_pmin:
    case OP_all_gather:
      return groups ? set | named : set & ~named;
    case OP_pbroadcast:
    case OP_unmap:
      return set & ~named;
    case OP_axis_size:
      return 0;
    default:
      return set | named;
  }
}

/* The axes named: no axis twice; *size is how many devices they have together,
 * *names is how to write them. */
static bool named_axes(Infer *in, int64_t *size, char names[128]) {
  IntList axes = in->attr[ATTR_axis].ints;
  uint64_t seen = 0;
  size_t used = 0;
  *size = 1;
  names[0] = 0;
  if (axes.n == 0) return infer_error(in, "axis= names no axis");
  for (int i = 0; i < axes.n; i++) {
    const Axis *axis = &in->program->axes[axes.v[i]];
    if (seen >> axes.v[i] & 1)
      return infer_error(in, "axis %s is named twice", axis->name);
    seen |= UINT64_C(1) << axes.v[i];
    if (__builtin_mul_overflow(*size, axis->size, size))
      return infer_error(in, "the axes have more than 2^63 devices together");
    int wrote =
        snprintf(names + used, 128 - used, "%s%.60s", i ? "," : "", axis->name);
    if (wrote > 0) used += (size_t)wrote;
    if (used > 120) used = 120;
  }
  return true;
}

static bool one_axis(Infer *in, const Axis **axis) {
  IntList axes = in->attr[ATTR_axis].ints;
  if (axes.n != 1) return infer_error(in, "takes one axis, not %d", axes.n);
  *axis = &in->program->axes[axes.v[0]];
  return true;
}

/* -- groups ------------------------------------------------------------ */

/* A partition of 0..size-1. *each is the size of every group, or 0 if they
 * differ. Without groups: one group of all. */
static bool check_groups(Infer *in, int64_t size, const char *axis,
                         int64_t *each) {
  *each = size;
  if (!infer_has(in, ATTR_groups)) return true;
  IntLists groups = in->attr[ATTR_groups].lists;
  bool *seen = ir_alloc(in->program, (size_t)size);
  if (seen == NULL) return false;
  int64_t count = 0;
  *each = groups.n ? groups.v[0].n : 0;
  for (int g = 0; g < groups.n; g++) {
    if (groups.v[g].n == 0)
      return infer_error(in, "groups have an empty group (axis %s)", axis);
    if (groups.v[g].n != *each) *each = 0;
    for (int i = 0; i < groups.v[g].n; i++, count++) {
      int64_t device = groups.v[g].v[i];
      if (device < 0 || device >= size)
        return infer_error(in, "groups name device %lld; axis %s has %lld",
                           (long long)device, axis, (long long)size);
      if (seen[device])
        return infer_error(in, "groups name device %lld twice (axis %s)",
                           (long long)device, axis);
      seen[device] = true;
    }
  }
  for (int64_t device = 0; count < size && device < size; device++)
    if (!seen[device])
      return infer_error(in, "groups leave out device %lld of axis %s = %lld",
                         (long long)device, axis, (long long)size);
  return true;
}

static bool equal_groups(Infer *in, int64_t *size, char names[128]) {
  int64_t devices;
  if (!named_axes(in, &devices, names) ||
      !check_groups(in, devices, names, size))
    return false;
  if (*size > 0) return true;
  IntLists groups = in->attr[ATTR_groups].lists;
  int other = 1;
  while (groups.v[other].n == groups.v[0].n) other++;
  return infer_error(in,
                     "groups of %d and of %d devices; they must be of one "
                     "size (axis %s)",
                     groups.v[0].n, groups.v[other].n, names);
}

/* -- reductions -------------------------------------------------------- */

static bool reduction(Infer *in, DType dtype) {
  Type type = infer_type(in, 0);
  int64_t size, each;
  char names[128];
  return named_axes(in, &size, names) && check_groups(in, size, names, &each) &&
         infer_one(in, dtype, type.rank, type.dims);
}

static DType sum_dtype(DType dtype) {
  return dtype == DT_BOOL ? DT_I32 : dtype;
}

bool infer_psum(Infer *in) {
  return reduction(in, sum_dtype(infer_type(in, 0).dtype));
}

bool infer_pmean(Infer *in) {
  DType dtype = infer_type(in, 0).dtype;
  if (!ir_is_float(dtype)) dtype = ir_dtype_bytes(dtype) == 8 ? DT_F64 : DT_F32;
  return reduction(in, dtype);
}

bool infer_pextreme(Infer *in) {
  return reduction(in, infer_type(in, 0).dtype);
}

/* -- moving data between devices --------------------------------------- */

static int64_t *dims_without(Infer *in, Type type, int64_t dim, int room) {
  int64_t *dims = infer_ints(in, type.rank + room);
  if (dims == NULL) return NULL;
  for (int d = 0, n = 0; d < type.rank; d++)
    if (d != dim) dims[n++] = type.dims[d];
  return dims;
}

static void insert_dim(int64_t *dims, int rank, int64_t at, int64_t size) {
  memmove(dims + at + 1, dims + at, (size_t)(rank - at) * sizeof *dims);
  dims[at] = size;
}

static void keep_int(Infer *in, AttrKey key, int64_t value) {
  in->attr[key] = (Attr){.key = key, .i = value};
  in->has |= UINT64_C(1) << key;
}

/* Dim attribute `key` (default 0), in range for `rank`, normalised. */
static bool dim_attr(Infer *in, AttrKey key, int rank, int64_t *dim) {
  *dim = infer_int(in, key);
  if (rank == 0)
    return infer_error(in, "a scalar has no dim %lld", (long long)*dim);
  if (!infer_dim(in, ir_attr_name(key), dim, rank)) return false;
  keep_int(in, key, *dim);
  return true;
}

static bool multiply_dim(Infer *in, int64_t *dim, int64_t by) {
  return !__builtin_mul_overflow(*dim, by, dim) ||
         infer_error(in, "the gathered size passes 2^63");
}

bool infer_all_gather(Infer *in) {
  Type type = infer_type(in, 0);
  int64_t size, dim;
  char names[128];
  bool tiled = infer_int(in, ATTR_tiled);
  if (!equal_groups(in, &size, names)) return false;
  int64_t *dims = dims_without(in, type, -1, 2);
  if (dims == NULL ||
      !dim_attr(in, ATTR_dim, tiled ? type.rank : type.rank + 1, &dim))
    return false;
  if (tiled)
    return multiply_dim(in, &dims[dim], size) &&
           infer_one(in, type.dtype, type.rank, dims);
  insert_dim(dims, type.rank, dim, size);
  return infer_one(in, type.dtype, type.rank + 1, dims);
}

/* Dim `dim` is cut into `size` parts: exactly one each, or chunks if tiled. */
static bool divides(Infer *in, const char *axis, int64_t size, int64_t dim,
                    bool tiled) {
  int64_t extent = infer_type(in, 0).dims[dim];
  if (!tiled && extent != size)
    return infer_error(in, "dim %lld has size %lld; axis %s has %lld devices%s",
                       (long long)dim, (long long)extent, axis, (long long)size,
                       " (tiled=true takes multiples)");
  if (tiled && extent % size != 0)
    return infer_error(in,
                       "dim %lld of size %lld is not a multiple of the %lld "
                       "devices of axis %s",
                       (long long)dim, (long long)extent, (long long)size,
                       axis);
  return true;
}

bool infer_psum_scatter(Infer *in) {
  Type type = infer_type(in, 0);
  int64_t size, dim;
  char names[128];
  bool tiled = infer_int(in, ATTR_tiled);
  if (!equal_groups(in, &size, names) ||
      !dim_attr(in, ATTR_dim, type.rank, &dim) ||
      !divides(in, names, size, dim, tiled))
    return false;
  int64_t *dims = dims_without(in, type, tiled ? -1 : dim, 1);
  if (dims == NULL) return false;
  if (tiled) dims[dim] /= size;
  return infer_one(in, sum_dtype(type.dtype), type.rank - !tiled, dims);
}

bool infer_all_to_all(Infer *in) {
  Type type = infer_type(in, 0);
  int64_t size, split, concat;
  char names[128];
  bool tiled = infer_int(in, ATTR_tiled);
  if (!equal_groups(in, &size, names) ||
      !dim_attr(in, ATTR_split, type.rank, &split) ||
      !dim_attr(in, ATTR_concat, type.rank, &concat) ||
      !divides(in, names, size, split, tiled))
    return false;
  int64_t *dims = dims_without(in, type, tiled ? -1 : split, 1);
  if (dims == NULL) return false;
  if (!tiled) {
    insert_dim(dims, type.rank - 1, concat, size);
  } else {
    dims[split] /= size;
    if (!multiply_dim(in, &dims[concat], size)) return false;
  }
  return infer_one(in, type.dtype, type.rank, dims);
}

bool infer_ppermute(Infer *in) {
  Type type = infer_type(in, 0);
  IntLists pairs = in->attr[ATTR_pairs].lists;
  int64_t size;
  char names[128];
  if (!named_axes(in, &size, names)) return false;
  bool *seen = ir_alloc(in->program, (size_t)size * 2);
  if (seen == NULL) return false;
  static const char *const role[] = {"source", "target"};
  for (int i = 0; i < pairs.n; i++) {
    if (pairs.v[i].n != 2)
      return infer_error(in,
                         "pairs has an entry of %d numbers; each is "
                         "[source,target]",
                         pairs.v[i].n);
    for (int side = 0; side < 2; side++) {
      int64_t device = pairs.v[i].v[side];
      if (device < 0 || device >= size)
        return infer_error(in, "%s %lld is not a device of axis %s = %lld",
                           role[side], (long long)device, names,
                           (long long)size);
      if (seen[device * 2 + side])
        return infer_error(in, "device %lld is the %s of two pairs (axis %s)",
                           (long long)device, role[side], names);
      seen[device * 2 + side] = true;
    }
  }
  return infer_one(in, type.dtype, type.rank, type.dims);
}

bool infer_pbroadcast(Infer *in) {
  Type type = infer_type(in, 0);
  int64_t size, source = in->attr[ATTR_source].i;
  char names[128];
  if (!named_axes(in, &size, names)) return false;
  if (source < 0 || source >= size)
    return infer_error(in, "source %lld is not a device of axis %s = %lld",
                       (long long)source, names, (long long)size);
  return infer_one(in, type.dtype, type.rank, type.dims);
}

static bool index_fits(Infer *in) {
  int64_t size;
  char names[128];
  if (!named_axes(in, &size, names)) return false;
  return size <= INT32_MAX ||
         infer_error(in, "%lld devices do not fit i32", (long long)size);
}

bool infer_axis_index(Infer *in) {
  return index_fits(in) && infer_one(in, DT_I32, 0, NULL);
}

bool infer_axis_size(Infer *in) {
  return index_fits(in) && infer_one(in, DT_I32, 0, NULL);
}

bool infer_map(Infer *in) {
  Type type = infer_type(in, 0);
  const Axis *axis = NULL;
  int64_t dim;
  if (!one_axis(in, &axis)) return false;
  if (type.axes >> in->attr[ATTR_axis].ints.v[0] & 1)
    return infer_error(in, "the operand already varies over axis %s",
                       axis->name);
  if (!dim_attr(in, ATTR_dim, type.rank, &dim)) return false;
  if (type.dims[dim] != axis->size)
    return infer_error(in, "dim %lld has size %lld; axis %s has %lld devices",
                       (long long)dim, (long long)type.dims[dim], axis->name,
                       (long long)axis->size);
  int64_t *dims = dims_without(in, type, dim, 1);
  return dims && infer_one(in, type.dtype, type.rank - 1, dims);
}

bool infer_unmap(Infer *in) {
  Type type = infer_type(in, 0);
  const Axis *axis = NULL;
  int64_t dim, *dims = dims_without(in, type, -1, 2);
  if (dims == NULL || !one_axis(in, &axis) ||
      !dim_attr(in, ATTR_dim, type.rank + 1, &dim))
    return false;
  insert_dim(dims, type.rank, dim, axis->size);
  return infer_one(in, type.dtype, type.rank + 1, dims);
}
