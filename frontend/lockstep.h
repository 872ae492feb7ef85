/* lockstep.h: record a step, compile the whole loop, run it.
 *
 * This header is the manual; read it from top to bottom.
 *
 * A program is written as ONE logical device sees it.  Named axes say how many
 * devices there are; collectives (psum, all_gather, ...) talk across them.
 * Lockstep turns the devices into array dims, fuses what it can, and compiles
 * everything, loops included, into one native function, once per shape.
 *
 *   ls_builder *b = ls_builder_create("average");
 *   ls_axis_declare(b, "devices", 8);
 *   ls_value J = ls_input(b, "J",
 *                         ls_varying(ls_type_of(LS_F64, m, m), "devices"));
 *   ls_value y0 = ls_input(b, "y0",
 *                          ls_varying(ls_type_of(LS_F64, m, 1), "devices"));
 *   ls_scan *scan = ls_scan_begin(b, 1000);
 *   ls_value y = ls_scan_carry(scan, y0);
 *   ls_value d = ls_mul(b, ls_f64(b, 1e-6), ls_einsum(b, "mn,ni->mi", J, y));
 *   ls_scan_next(scan, y, ls_add(b, y, ls_psum(b, d, "devices")));
 *   ls_scan_end(scan);
 *   ls_output(b, "y", ls_scan_result(scan, y));
 *   ls_program *p = ls_builder_finish(b);         // NULL on any error
 *
 *   ls_executable *x = ls_compile(p, NULL, NULL);
 *   ls_array in[] = {ls_array_of(J_data, LS_F64, 8, m, m),
 *                    ls_array_of(y_data, LS_F64, 8, m, 1)};
 *   ls_array out[] = {ls_array_of(result, LS_F64, 8, m, 1)};
 *   ls_run(x, in, 2, out, 1, NULL, NULL);         // any number of times
 *
 * Words.  An *axis* is a named set of devices.  A *dim* is a positional
 * dimension of an array.  A value that *varies over* an axis may differ from
 * device to device; one that is *invariant* has one copy, equal everywhere.
 * Types show it: f64[64,1]{devices} varies over devices, f64[64,1] does not.
 *
 * Rules that hold everywhere.
 * - Errors: nothing prints, exits or aborts.  While recording, the first error
 *   is kept with your file and line, the call returns an invalid value, and
 *   later calls pass it through; ask once, at ls_builder_finish.  Elsewhere a
 *   call returns NULL or a status, and fills an ls_error if you give one.
 * - Ownership: what a call *_create, ls_builder_finish, ls_program_*, or
 *   ls_compile returns is yours; give it to the destroy call of its type
 *   (NULL is fine).  Text returned as `char *` goes to ls_free.  A `const`
 *   pointer belongs to the object that it was asked from.  Strings and arrays
 *   that you pass in are copied, unless said otherwise.
 * - Threads: a builder belongs to one thread at a time.  Programs, executables
 *   and functions may be used by any number of threads at once.  A workspace
 *   serves one run at a time.  There is no global state, with two exceptions:
 *   while a run is in flight, OpenBLAS's process-wide thread count is 1; the
 *   last run in flight restores it.  And there is one team, below.
 * - Threads of a run: large kernels are shared by a small team of threads, of
 *   which the caller of ls_run is one.  A run takes as many as the least of:
 * the cores that the process may use (its affinity mask, its cgroup's limit,
 * when ls_compile is called), the environment's LOCKSTEP_NUM_THREADS, and
 *   ls_options.threads.  Programs without large kernels use the caller's thread
 *   alone, always.  Results have the same bits for any number of threads.
 *   There is one team in a process: its threads start with the first run that
 *   wants them, sleep when there is nothing to do, take no signals, and end
 *   with the last executable.  A run that finds the team taken by a run in
 *   another thread of yours goes on alone.
 * - fork(): programs, executables and idle workspaces made before a fork work
 *   in the child, where the first run starts a team of its own.  Fork while no
 * other thread is inside a call of this library: the child has no such thread,
 * and would wait for its locks.
 *
 * Names and meanings are those of jax.lax and NumPy, except where it is said.
 * C11 or C++17. */
#ifndef LOCKSTEP_H
#define LOCKSTEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define LS_API __attribute__((visibility("default")))
#else
#define LS_API
#endif

#define LS_VERSION_MAJOR 0
#define LS_VERSION_MINOR 1
#define LS_VERSION_PATCH 0
/* One number that grows: major * 10000 + minor * 100 + patch. */
#define LS_VERSION \
  (LS_VERSION_MAJOR * 10000 + LS_VERSION_MINOR * 100 + LS_VERSION_PATCH)

#ifdef __cplusplus
extern "C" {
#endif

/* ======================================================================== *
 *  1. Status, dtypes, types                                                *
 * ======================================================================== */

/* What a call answers.  Few, and never renumbered: the `lockstep` tool exits
 * with the same numbers. */
typedef enum ls_status {
  LS_OK = 0,
  LS_RESULTS_DIFFER = 1, /* a comparison found a difference */
  LS_BAD_ARGUMENT = 2,   /* a call was used wrongly */
  LS_BAD_FILE = 3,       /* a file cannot be read, or an array is not as the
                            program wants it (dtype, shape, strides) */
  LS_BAD_PROGRAM = 4,    /* the program is wrong, syntax included */
  LS_FAILED = 5,         /* out of memory, or failed at run time */
  LS_CANCELLED = 6       /* a run's watcher said so */
} ls_status;

/* Room for an error, on your side: no allocation, safe in any thread.  Every
 * `ls_error *error` parameter may be NULL.  text is "" when status is LS_OK;
 * for programs it starts with FILE:LINE. */
typedef struct ls_error {
  ls_status status;
  char text[2040];
} ls_error;

/* "0.1.0", of the library that runs (LS_VERSION is the header's). */
LS_API const char *ls_version(void);

/* A status in a few words.  Never NULL. */
LS_API const char *ls_status_text(ls_status status);

/* Frees text that this library returned as `char *`.  NULL is fine. */
LS_API void ls_free(void *text);

/* Never renumbered.  bool is one byte, 0 or 1. */
typedef enum ls_dtype {
  LS_NO_DTYPE = -1,
  LS_BOOL = 0,
  LS_I8,
  LS_I16,
  LS_I32,
  LS_I64,
  LS_U8,
  LS_U16,
  LS_U32,
  LS_U64,
  LS_F16,
  LS_BF16,
  LS_F32,
  LS_F64
} ls_dtype;

/* Bytes of one element; 0 for what is no dtype.  Its name ("f64"); NULL. */
LS_API size_t ls_dtype_bytes(ls_dtype dtype);
LS_API const char *ls_dtype_name(ls_dtype dtype);

enum { LS_MAX_RANK = 64 };

/* What one device sees: dtype and dims; and the axes over which it varies, as
 * "a" or "a,b" (NULL: invariant).  The order of axes in a type means nothing.
 * axes is not copied into the struct: the string must live as long as it. */
typedef struct ls_type {
  ls_dtype dtype;
  int rank;
  int64_t dims[LS_MAX_RANK];
  const char *axes;
} ls_type;

/* A short list of numbers: dims, a permutation, starts. */
typedef struct ls_ints {
  int count;
  int64_t at[LS_MAX_RANK];
} ls_ints;

/* Behind ls_type_of and ls_dims; values[0] of a type is its dtype.  Too long a
 * list is kept as a count and reported by the call that gets it. */
LS_API ls_type ls_type_make(int count, const int64_t *values);
LS_API ls_ints ls_ints_make(int count, const int64_t *values);

/* ls_type_of(LS_F64, m, n) is f64[m,n]; ls_type_of(LS_I32) is i32[]: rank 0.
 * ls_dims(1, 0) is a list of two; ls_dims() is the empty list. */
#ifndef __cplusplus
#define LS_INT64S_(...)                                             \
  (int)(sizeof((int64_t[]){0, __VA_ARGS__}) / sizeof(int64_t)) - 1, \
      &((const int64_t[]){0, __VA_ARGS__})[1]
#define ls_type_of(...) ls_type_make(LS_INT64S_(__VA_ARGS__))
#define ls_dims(...) ls_ints_make(LS_INT64S_(__VA_ARGS__))
#endif

/* The same type, varying over axes ("devices", or "rows,columns").  The string
 * is not copied. */
static inline ls_type ls_varying(ls_type type, const char *axes) {
  type.axes = axes;
  return type;
}

/* ======================================================================== *
 *  2. Recording a program                                                  *
 * ======================================================================== */

typedef struct ls_builder ls_builder;
typedef struct ls_program ls_program;
typedef struct ls_scan ls_scan; /* owned by their builder */
typedef struct ls_while ls_while;
typedef struct ls_cond ls_cond;

/* A value of a program that is being recorded.  Small, passed by value.  It is
 * good in its builder only, and in the body (of a scan, while or cond) in which
 * it was made, inner ones included.  All zeros is the invalid value. */
typedef struct ls_value {
  const ls_builder *builder;
  int64_t id;
} ls_value;

/* Where you wrote a call.  The macros below fill it in. */
typedef struct ls_place {
  const char *file; /* must outlive the program, as __FILE__ does */
  int line;
} ls_place;
#ifdef __cplusplus
#define LS_HERE (ls_place{__FILE__, __LINE__})
#else
#define LS_HERE ((ls_place){__FILE__, __LINE__})
#endif

/* name: letters, digits, '_'; NULL is "program".  NULL: out of memory; every
 * call below accepts a NULL builder and answers with an invalid value. */
LS_API ls_builder *ls_builder_create(const char *name);
/* Destroys the builder and all that was begun in it; not what
 * ls_builder_finish returned. */
LS_API void ls_builder_destroy(ls_builder *builder);

/* Ends recording.  The program, or NULL if anything went wrong since
 * ls_builder_create, a scan, while or cond is still open, or the axes do not
 * work out.  The program is yours and does not need the builder.  Call it
 * once. */
LS_API ls_program *ls_builder_finish(ls_builder *builder);

/* The first error so far: LS_OK; LS_BAD_PROGRAM (types, axes, shapes);
 * LS_BAD_ARGUMENT (misuse: NULL, a value of another builder or out of its
 * scan); LS_FAILED (memory).  A NULL builder: LS_FAILED. */
LS_API ls_status ls_builder_status(const ls_builder *builder);
/* "FILE:LINE: error: ls_add: ..." with operand types, axes, and the numbers
 * that disagree.  "" while there is none.  Lives as long as the builder. */
LS_API const char *ls_builder_error(const ls_builder *builder);

/* Declares axis name with size devices (>= 1), before its first use.  The
 * order of declaration is the order of device dims in memory (section 4).
 * Errors: size < 1, a name declared twice, more than 64 axes. */
#define ls_axis_declare(b, name, size) \
  ls_axis_declare_at(LS_HERE, b, name, size)
LS_API void ls_axis_declare_at(ls_place, ls_builder *, const char *name,
                               int64_t size);

/* A parameter of the program, in order of call.  Not inside a body. */
#define ls_input(b, name, type) ls_input_at(LS_HERE, b, name, type)
LS_API ls_value ls_input_at(ls_place, ls_builder *, const char *name, ls_type);

/* A result of the program, in order of call.  Not inside a body.  name NULL:
 * the value's own.  Equal names become y, y_2, y_3, ... */
#define ls_output(b, name, value) ls_output_at(LS_HERE, b, name, value)
LS_API void ls_output_at(ls_place, ls_builder *, const char *name, ls_value);

/* Calls value `name` in dumps and messages; returns value. */
#define ls_named(b, value, name) ls_named_at(LS_HERE, b, value, name)
LS_API ls_value ls_named_at(ls_place, ls_builder *, ls_value, const char *name);

/* Is it a value (that is: was there no error)? */
static inline bool ls_value_valid(ls_value value) { return value.id != 0; }
/* dtype and dims; an invalid value has dtype LS_NO_DTYPE, rank 0.  axes may
 * still grow while a scan is open: what depends on a carry is settled at
 * ls_builder_finish. */
LS_API ls_type ls_value_type(ls_builder *builder, ls_value value);

/* -- numbers and constants -------------------------------------------------- *
 * C scalars, rank 0.  Beside an array, in one call, a C scalar takes the
 * array's dtype: ls_mul(b, ls_f64(b, 0.5), x) is f32 where x is.  A number
 * that the dtype cannot hold (0.5 or 300 beside an i8) is an error.  Nothing
 * else is ever converted silently: see ls_convert. */
#define ls_f64(b, x) ls_scalar_at(LS_HERE, b, LS_F64, x)
#define ls_f32(b, x) ls_scalar_at(LS_HERE, b, LS_F32, x)
#define ls_i64(b, x) ls_integer_at(LS_HERE, b, LS_I64, (uint64_t)(x))
#define ls_i32(b, x) ls_integer_at(LS_HERE, b, LS_I32, (uint64_t)(x))
#define ls_u64(b, x) ls_integer_at(LS_HERE, b, LS_U64, (uint64_t)(x))
#define ls_u32(b, x) ls_integer_at(LS_HERE, b, LS_U32, (uint64_t)(x))
#define ls_bool(b, x) ls_integer_at(LS_HERE, b, LS_BOOL, (x) ? 1u : 0u)
/* Of any dtype: ls_scalar(b, LS_BF16, 0.5). */
#define ls_scalar(b, dtype, x) ls_scalar_at(LS_HERE, b, dtype, x)
/* Of no dtype of its own: only beside an array; as an index it is an i32. */
#define ls_number(b, x) ls_scalar_at(LS_HERE, b, LS_NO_DTYPE, x)
LS_API ls_value ls_scalar_at(ls_place, ls_builder *, ls_dtype, double);
LS_API ls_value ls_integer_at(ls_place, ls_builder *, ls_dtype, uint64_t bits);

/* ls_constant(b, type, data): row-major elements, copied.  At most 65,536
 * elements: larger data is an ls_input, equal elements are an ls_splat.
 * Invariant. */
#define ls_constant(b, type, ...) ls_constant_at(LS_HERE, b, type, __VA_ARGS__)
LS_API ls_value ls_constant_at(ls_place, ls_builder *, ls_type,
                               const void *data);
/* Every element is x.  Costs one number at any size.  Invariant. */
#define ls_splat(b, type, x) ls_splat_at(LS_HERE, b, type, x)
LS_API ls_value ls_splat_at(ls_place, ls_builder *, ls_type, double);
/* y[.., i, ..] = i, the index along dim.  dtype int or float.  Invariant. */
#define ls_iota(b, type, dim) ls_iota_at(LS_HERE, b, type, dim)
LS_API ls_value ls_iota_at(ls_place, ls_builder *, ls_type, int dim);

/* -- elementwise ------------------------------------------------------------ *
 * Shapes broadcast as in NumPy: aligned on the right, size 1 stretches, rank 0
 * goes with everything.  Operands have one dtype.  The result varies over the
 * union of the operands' axes.  Each op rounds to its dtype, fused or not.
 * Integers wrap; x / 0 is -1 (all ones if unsigned), x % 0 is x, MIN / -1 is
 * MIN with remainder 0: nothing traps.
 * Errors: dtypes that differ or that the op does not take; shapes that do not
 * broadcast. */
LS_API ls_value ls_unary_at(ls_place, ls_builder *, const char *op, ls_value);
LS_API ls_value ls_binary_at(ls_place, ls_builder *, const char *op, ls_value,
                             ls_value);
LS_API ls_value ls_ternary_at(ls_place, ls_builder *, const char *op, ls_value,
                              ls_value, ls_value);
LS_API ls_value ls_compare_at(ls_place, ls_builder *, const char *relation,
                              ls_value, ls_value);

/* int, float -> same */
#define ls_neg(b, x) ls_unary_at(LS_HERE, b, "neg", x) /* -x */
#define ls_abs(b, x) ls_unary_at(LS_HERE, b, "abs", x) /* |x|; MIN: MIN */
/* -1, 0 or 1; of nan, +0, -0: itself */
#define ls_sign(b, x) ls_unary_at(LS_HERE, b, "sign", x)
/* float -> same */
#define ls_sqrt(b, x) ls_unary_at(LS_HERE, b, "sqrt", x)   /* exact */
#define ls_floor(b, x) ls_unary_at(LS_HERE, b, "floor", x) /* towards -inf */
#define ls_ceil(b, x) ls_unary_at(LS_HERE, b, "ceil", x)   /* towards +inf */
#define ls_round(b, x) ls_unary_at(LS_HERE, b, "round", x) /* half to even */
/* float -> same.  Within 4 ulp (erfc and logistic 8) of the exact value over
 * the whole range, in f16 and bf16 within 1; special values as in C. */
#define ls_exp(b, x) ls_unary_at(LS_HERE, b, "exp", x)
#define ls_exp2(b, x) ls_unary_at(LS_HERE, b, "exp2", x)
#define ls_expm1(b, x) ls_unary_at(LS_HERE, b, "expm1", x)
#define ls_log(b, x) ls_unary_at(LS_HERE, b, "log", x)
#define ls_log1p(b, x) ls_unary_at(LS_HERE, b, "log1p", x)
#define ls_rsqrt(b, x) ls_unary_at(LS_HERE, b, "rsqrt", x)
#define ls_cbrt(b, x) ls_unary_at(LS_HERE, b, "cbrt", x)
#define ls_sin(b, x) ls_unary_at(LS_HERE, b, "sin", x)
#define ls_cos(b, x) ls_unary_at(LS_HERE, b, "cos", x)
#define ls_tan(b, x) ls_unary_at(LS_HERE, b, "tan", x)
#define ls_asin(b, x) ls_unary_at(LS_HERE, b, "asin", x)
#define ls_acos(b, x) ls_unary_at(LS_HERE, b, "acos", x)
#define ls_atan(b, x) ls_unary_at(LS_HERE, b, "atan", x)
#define ls_sinh(b, x) ls_unary_at(LS_HERE, b, "sinh", x)
#define ls_cosh(b, x) ls_unary_at(LS_HERE, b, "cosh", x)
#define ls_tanh(b, x) ls_unary_at(LS_HERE, b, "tanh", x)
#define ls_asinh(b, x) ls_unary_at(LS_HERE, b, "asinh", x)
#define ls_acosh(b, x) ls_unary_at(LS_HERE, b, "acosh", x)
#define ls_atanh(b, x) ls_unary_at(LS_HERE, b, "atanh", x)
#define ls_logistic(b, x) ls_unary_at(LS_HERE, b, "logistic", x)
#define ls_erf(b, x) ls_unary_at(LS_HERE, b, "erf", x)
#define ls_erfc(b, x) ls_unary_at(LS_HERE, b, "erfc", x)
/* float -> bool: neither infinite nor NaN */
#define ls_is_finite(b, x) ls_unary_at(LS_HERE, b, "is_finite", x)
/* bool: logical; int: bitwise */
#define ls_not(b, x) ls_unary_at(LS_HERE, b, "not", x)
/* int -> same: how many bits are 1 */
#define ls_popcount(b, x) ls_unary_at(LS_HERE, b, "popcount", x)

/* int, float (not bool) */
#define ls_add(b, x, y) ls_binary_at(LS_HERE, b, "add", x, y) /* x + y */
#define ls_sub(b, x, y) ls_binary_at(LS_HERE, b, "sub", x, y) /* x - y */
#define ls_mul(b, x, y) ls_binary_at(LS_HERE, b, "mul", x, y) /* x * y */
/* x / y (ints cut towards 0), and what is left (the sign is x's, as fmod) */
#define ls_div(b, x, y) ls_binary_at(LS_HERE, b, "div", x, y)
#define ls_rem(b, x, y) ls_binary_at(LS_HERE, b, "rem", x, y)
/* x to the power y.  Floats as C's pow; ints: a negative y gives the true
 * quotient cut towards 0. */
#define ls_pow(b, x, y) ls_binary_at(LS_HERE, b, "pow", x, y)
/* float: the angle of the point (y, x), as C's atan2 */
#define ls_atan2(b, y, x) ls_binary_at(LS_HERE, b, "atan2", y, x)
/* any dtype; NaN wins; -0 < +0 */
#define ls_max(b, x, y) ls_binary_at(LS_HERE, b, "max", x, y)
#define ls_min(b, x, y) ls_binary_at(LS_HERE, b, "min", x, y)
/* bool: logical; int: bitwise */
#define ls_and(b, x, y) ls_binary_at(LS_HERE, b, "and", x, y)
#define ls_or(b, x, y) ls_binary_at(LS_HERE, b, "or", x, y)
#define ls_xor(b, x, y) ls_binary_at(LS_HERE, b, "xor", x, y)
/* int; a shift < 0 or >= the width gives 0 (arithmetic: all sign bits) */
#define ls_shift_left(b, x, y) ls_binary_at(LS_HERE, b, "shift_left", x, y)
#define ls_shift_right_logical(b, x, y) \
  ls_binary_at(LS_HERE, b, "shift_right_logical", x, y)
#define ls_shift_right_arithmetic(b, x, y) \
  ls_binary_at(LS_HERE, b, "shift_right_arithmetic", x, y)

/* any dtype -> bool.  relation: "eq" "ne" "lt" "le" "gt" "ge". */
#define ls_compare(b, relation, x, y) ls_compare_at(LS_HERE, b, relation, x, y)
#define ls_eq(b, x, y) ls_compare_at(LS_HERE, b, "eq", x, y)
#define ls_ne(b, x, y) ls_compare_at(LS_HERE, b, "ne", x, y)
#define ls_lt(b, x, y) ls_compare_at(LS_HERE, b, "lt", x, y)
#define ls_le(b, x, y) ls_compare_at(LS_HERE, b, "le", x, y)
#define ls_gt(b, x, y) ls_compare_at(LS_HERE, b, "gt", x, y)
#define ls_ge(b, x, y) ls_compare_at(LS_HERE, b, "ge", x, y)
/* p ? x : y.  p is bool, rank 0 or of the full shape; x, y of one dtype. */
#define ls_select(b, p, x, y) ls_ternary_at(LS_HERE, b, "select", p, x, y)
/* min(max(x, low), high); low first, as in jax.lax */
#define ls_clamp(b, low, x, high) \
  ls_ternary_at(LS_HERE, b, "clamp", low, x, high)

/* The same numbers in another dtype.  float -> int saturates, NaN is 0;
 * int -> int wraps; anything but 0 is true; else one rounding to nearest
 * even. */
#define ls_convert(b, x, dtype) ls_convert_at(LS_HERE, b, "convert", x, dtype)
/* The same bits in another dtype of the same width. */
#define ls_bitcast(b, x, dtype) ls_convert_at(LS_HERE, b, "bitcast", x, dtype)
LS_API ls_value ls_convert_at(ls_place, ls_builder *, const char *op, ls_value,
                              ls_dtype);

/* -- moving elements -------------------------------------------------------- *
 * Any dtype.  S is the operand's shape.  Dim numbers may be negative: they
 * count from the end.  Axes are kept.  Errors: dims out of range or named
 * twice, lists of the wrong length, sizes that do not fit. */

/* y[i] = x[i read through dims]: operand dim k becomes result dim dims[k]; a
 * size 1 stretches.  ls_broadcast(b, v, ls_dims(8, 4), ls_dims(1)). */
#define ls_broadcast(b, x, shape, dims) \
  ls_broadcast_at(LS_HERE, b, x, shape, dims)
LS_API ls_value ls_broadcast_at(ls_place, ls_builder *, ls_value, ls_ints shape,
                                ls_ints dims);
/* The same elements, row-major, in another shape of as many. */
#define ls_reshape(b, x, shape) ls_dims_at(LS_HERE, b, "reshape", x, shape)
/* Result dim i is operand dim perm[i]. */
#define ls_transpose(b, x, perm) ls_dims_at(LS_HERE, b, "transpose", x, perm)
/* y[.., i, ..] = x[.., S - 1 - i, ..] for each dim in dims. */
#define ls_reverse(b, x, dims) ls_dims_at(LS_HERE, b, "reverse", x, dims)
LS_API ls_value ls_dims_at(ls_place, ls_builder *, const char *op, ls_value,
                           ls_ints);
/* y[i] = x[start + stride * i], up to limit; stride ls_dims() is all ones.
 * 0 <= start <= limit <= S, stride >= 1. */
#define ls_slice(b, x, start, limit, stride) \
  ls_slice_at(LS_HERE, b, x, start, limit, stride)
LS_API ls_value ls_slice_at(ls_place, ls_builder *, ls_value, ls_ints start,
                            ls_ints limit, ls_ints stride);
/* `value` (rank 0) around and between: low and high at the ends (negative ones
 * crop), interior between neighbours (ls_dims(): none). */
#define ls_pad(b, x, value, low, high, interior) \
  ls_pad_at(LS_HERE, b, x, value, low, high, interior)
LS_API ls_value ls_pad_at(ls_place, ls_builder *, ls_value, ls_value value,
                          ls_ints low, ls_ints high, ls_ints interior);

/* A list of values, for calls that take any number. */
typedef struct ls_values {
  int count;
  const ls_value *at;
} ls_values;
#ifndef __cplusplus
#define LS_VALUES(...)                                                      \
  ((ls_values){(int)(sizeof((ls_value[]){__VA_ARGS__}) / sizeof(ls_value)), \
               (const ls_value[]){__VA_ARGS__}})
#endif

/* One after the other along dim: ls_concatenate(b, 0, x, y, z).  The other
 * dims are equal.  ..._all takes an ls_values. */
#define ls_concatenate(b, dim, ...) \
  ls_concatenate_at(LS_HERE, b, dim, LS_VALUES(__VA_ARGS__))
#define ls_concatenate_all(b, dim, values) \
  ls_concatenate_at(LS_HERE, b, dim, values)
LS_API ls_value ls_concatenate_at(ls_place, ls_builder *, int dim, ls_values);

/* y[i] = x[start + i], shape sizes; one integer rank-0 start per dim, clamped
 * so that the window fits: ls_dynamic_slice(b, x, ls_dims(2, 3), i, j).
 * Starts may vary over axes, and then so does the result. */
#define ls_dynamic_slice(b, x, sizes, ...) \
  ls_dynamic_slice_at(LS_HERE, b, x, sizes, LS_VALUES(__VA_ARGS__))
LS_API ls_value ls_dynamic_slice_at(ls_place, ls_builder *, ls_value,
                                    ls_ints sizes, ls_values starts);
/* x with u written at start, clamped likewise; u has x's rank and dtype. */
#define ls_dynamic_update_slice(b, x, u, ...) \
  ls_dynamic_update_slice_at(LS_HERE, b, x, u, LS_VALUES(__VA_ARGS__))
LS_API ls_value ls_dynamic_update_slice_at(ls_place, ls_builder *, ls_value,
                                           ls_value update, ls_values starts);
/* y[.., i.., ..] = x[.., index[i..], ..]: dim is replaced by index's shape.
 * index: any int, clamped into range.  From a dim of size 0: an error. */
#define ls_take(b, x, index, dim) ls_take_at(LS_HERE, b, x, index, dim)
LS_API ls_value ls_take_at(ls_place, ls_builder *, ls_value, ls_value index,
                           int dim);

/* y = x, and y[.., index[i..], ..] += u[.., i.., ..] for each i.. in order: u
 * has the shape of what ls_take takes.  An index out of range, negative ones
 * included, adds nothing; one that comes again adds again.  Each addition
 * rounds to the dtype.  int, float. */
#define ls_scatter_add(b, x, index, u, dim) \
  ls_scatter_add_at(LS_HERE, b, x, index, u, dim)
LS_API ls_value ls_scatter_add_at(ls_place, ls_builder *, ls_value,
                                  ls_value index, ls_value u, int dim);

/* -- reductions ------------------------------------------------------------- *
 * dims are dropped; ls_dims() is all of them.  Axes are kept.  f16 and bf16
 * accumulate in f32.  Over an empty dim: the identity. */

/* y = sum of x.  int, float -> same; bool counts, in i32.  Starts from -0. */
#define ls_reduce_sum(b, x, dims) ls_dims_at(LS_HERE, b, "reduce_sum", x, dims)
/* y = product of x.  int, float. */
#define ls_reduce_prod(b, x, dims) \
  ls_dims_at(LS_HERE, b, "reduce_prod", x, dims)
/* Any dtype; NaN wins.  Of nothing: -inf / +inf, or the int's bounds. */
#define ls_reduce_max(b, x, dims) ls_dims_at(LS_HERE, b, "reduce_max", x, dims)
#define ls_reduce_min(b, x, dims) ls_dims_at(LS_HERE, b, "reduce_min", x, dims)
/* bool: logical; int: bitwise. */
#define ls_reduce_and(b, x, dims) ls_dims_at(LS_HERE, b, "reduce_and", x, dims)
#define ls_reduce_or(b, x, dims) ls_dims_at(LS_HERE, b, "reduce_or", x, dims)

/* y[.., ..] = the index i of the greatest / least x[.., i, ..]: i32, shape S
 * without dim.  The first of several that are equal (-0 equals +0); the first
 * NaN, if there is one.  Any dtype.  Along a dim of size 0: an error. */
#define ls_argmax(b, x, dim) ls_arg_at(LS_HERE, b, "argmax", x, dim)
#define ls_argmin(b, x, dim) ls_arg_at(LS_HERE, b, "argmin", x, dim)
LS_API ls_value ls_arg_at(ls_place, ls_builder *, const char *op, ls_value,
                          int dim);

/* -- along one dim ---------------------------------------------------------- *
 * Shape and axes are kept.  dim may be negative. */

/* y[.., i, ..] = x[.., 0, ..] + .. + x[.., i, ..], in this order; with reverse
 * from the other end.  int, float -> same; f16 and bf16 run in f32 and round
 * what they store.  Then the product, and the greatest / least so far (NaN
 * wins). */
#define ls_cumsum(b, x, dim, reverse) \
  ls_cumulative_at(LS_HERE, b, "cumsum", x, dim, reverse)
#define ls_cumprod(b, x, dim, reverse) \
  ls_cumulative_at(LS_HERE, b, "cumprod", x, dim, reverse)
#define ls_cummax(b, x, dim, reverse) \
  ls_cumulative_at(LS_HERE, b, "cummax", x, dim, reverse)
#define ls_cummin(b, x, dim, reverse) \
  ls_cumulative_at(LS_HERE, b, "cummin", x, dim, reverse)
LS_API ls_value ls_cumulative_at(ls_place, ls_builder *, const char *op,
                                 ls_value, int dim, bool reverse);

/* All operands put in the order of the first, the keys, line by line along dim:
 *   ls_value sorted[2];
 *   ls_sort(b, 0, sorted, keys, values);
 * Any dtypes, one shape.  Stable; NaN comes last; -0 equals +0.  As many
 * results as operands, each varying over the union of all operands' axes.
 * ..._all takes an ls_values. */
#define ls_sort(b, dim, results, ...) \
  ls_sort_at(LS_HERE, b, dim, results, LS_VALUES(__VA_ARGS__))
#define ls_sort_all(b, dim, results, values) \
  ls_sort_at(LS_HERE, b, dim, results, values)
LS_API void ls_sort_at(ls_place, ls_builder *, int dim, ls_value *results,
                       ls_values);

/* -- functions of your own -------------------------------------------------- *
 *   y = ls_call(b, "norm", norm, NULL, ls_type_of(LS_F64, n), x, w)
 * is what
 *   void norm(void *result, const void *const *operands, void *user);
 * makes of one device's x and w: row-major, contiguous arrays of the operands'
 * types (bool as bytes, f16 and bf16 as their bits), aligned to their elements;
 * of an empty one the pointer means nothing.  result has the type that is
 * given, and every element of it must be written.  If operands vary over axes,
 * the function is called for each device and the result varies over them all.
 * user is passed through.
 *
 * A call is made where it is written, once a step in a scan; not at all if
 * nothing depends on it, nor for a device that is out, in a cond or while whose
 * predicate varies.  The function must depend on its operands and *user alone,
 * change nothing else, and bear to be called by several threads at once.  It
 * and user must outlive the program and all that is made from it.  In one
 * program a name means one function with one user pointer. */
typedef void ls_call_function(void *result, const void *const *operands,
                              void *user);
/* name: letters, digits, '_'; dumps show it.  The type names no axes.  Errors:
 * function is NULL, the name is another function's.  ..._all takes an
 * ls_values, which may be empty. */
#define ls_call(b, name, function, user, type, ...) \
  ls_call_at(LS_HERE, b, name, function, user, type, LS_VALUES(__VA_ARGS__))
#define ls_call_all(b, name, function, user, type, values) \
  ls_call_at(LS_HERE, b, name, function, user, type, values)
LS_API ls_value ls_call_at(ls_place, ls_builder *, const char *name,
                           ls_call_function *function, void *user, ls_type,
                           ls_values);

/* -- einsum ----------------------------------------------------------------- *
 * Multiply and sum by labels: ls_einsum(b, "mk,kn->mn", A, B) is
 * y[m,n] = sum over k of A[m,k] B[k,n].
 * As numpy.einsum: letters, case matters, blanks ignored; without "->" the
 * output is the labels that occur once, in ASCII order; one "..." a term
 * broadcasts; a label twice in a term is a diagonal.  Unlike NumPy, size 1
 * against n is an error outside "...".  One dtype, which is the result's; f16
 * and bf16 accumulate in f32; bool is OR of ANDs.  A sum over nothing is 0.
 * Axes: the union of the operands'.  Errors show the spec with a caret. */
#define ls_einsum(b, spec, ...) \
  ls_einsum_at(LS_HERE, b, LS_NO_DTYPE, spec, LS_VALUES(__VA_ARGS__))
/* The same, sums and result in a wider dtype of the same kind. */
#define ls_einsum_wide(b, dtype, spec, ...) \
  ls_einsum_at(LS_HERE, b, dtype, spec, LS_VALUES(__VA_ARGS__))
LS_API ls_value ls_einsum_at(ls_place, ls_builder *, ls_dtype accumulate,
                             const char *spec, ls_values);

/* -- random numbers --------------------------------------------------------- *
 * Threefry-2x32, the bits of jax.random with jax_threefry_partitionable on.  A
 * key is u32[2].  The same key gives the same numbers: split it. */

/* The key of a seed: its high word, its low word. */
#define ls_random_key(b, seed) ls_random_key_at(LS_HERE, b, seed)
LS_API ls_value ls_random_key_at(ls_place, ls_builder *, int64_t seed);
/* count new keys: u32[count,2]. */
#define ls_random_split(b, key, count) \
  ls_random_split_at(LS_HERE, b, key, count)
LS_API ls_value ls_random_split_at(ls_place, ls_builder *, ls_value key,
                                   int64_t count);
/* The key that belongs to (key, data); data: a u32 or i32 of rank 0. */
#define ls_random_fold_in(b, key, data) \
  ls_binary_at(LS_HERE, b, "random_fold_in", key, data)
/* Uniform bits; type: u8 u16 u32 u64, any shape. */
#define ls_random_bits(b, key, type) \
  ls_random_at(LS_HERE, b, "random_bits", key, type, 0, 1)
/* Uniform in [low, high); type: any float dtype, any shape. */
#define ls_random_uniform(b, key, type, low, high) \
  ls_random_at(LS_HERE, b, "random_uniform", key, type, low, high)
/* Normal, mean 0, deviation 1: sqrt(2) erfinv(u), u uniform in (-1, 1) drawn
 * as above; type: any float dtype, any shape. */
#define ls_random_normal(b, key, type) \
  ls_random_at(LS_HERE, b, "random_normal", key, type, 0, 1)
LS_API ls_value ls_random_at(ls_place, ls_builder *, const char *op,
                             ls_value key, ls_type, double low, double high);

/* -- collectives ------------------------------------------------------------ *
 * n devices on the axis, x_j is device j's value, S its shape.  axis is one
 * declared name, or several as "rows,columns": their product, row-major, the
 * first name most significant.  An invariant operand counts as n equal copies.
 *
 * Options follow the axis, by name: ls_all_gather(b, x, "devices", .dim = 1,
 * .tiled = true).  In C++17 by position: (..., "devices", 1, true); or give an
 * ls_collective.
 *
 * .groups: a partition of 0..n-1; the op then works within each group and its
 * result varies over the axis.  The n device numbers, group by group;
 * .n_groups of them, of .group_sizes members (NULL: of n / n_groups each).
 * The order in which a group lists its members is their position in it.
 *
 * Errors: unknown axis, an axis twice, no partition, sizes that n does not
 * divide; the message names the op, the axes that there are, and the sizes. */
typedef struct ls_collective {
  const char *axis;
  int dim;
  bool tiled;
  int split, concat;
  int n_groups;
  const int64_t *groups;
  const int64_t *group_sizes;
} ls_collective;
#ifndef __cplusplus
#define LS_COLLECTIVE_(...) ((ls_collective){.axis = __VA_ARGS__})
#else
#define LS_COLLECTIVE_(...) ls_collective_of(__VA_ARGS__)
#endif
LS_API ls_value ls_collective_at(ls_place, ls_builder *, const char *op,
                                 ls_value, ls_collective);

/* sum over j of x_j.  Invariant after.  bool -> i32, else the same dtype. */
#define ls_psum(b, x, ...) \
  ls_collective_at(LS_HERE, b, "psum", x, LS_COLLECTIVE_(__VA_ARGS__))
/* psum / n.  Invariant after.  float kept; bool, ints up to 32 bits -> f32;
 * 64-bit ints -> f64.  Integer sums do not wrap. */
#define ls_pmean(b, x, ...) \
  ls_collective_at(LS_HERE, b, "pmean", x, LS_COLLECTIVE_(__VA_ARGS__))
/* The greatest / least of the x_j; NaN wins.  Invariant after.  Any dtype. */
#define ls_pmax(b, x, ...) \
  ls_collective_at(LS_HERE, b, "pmax", x, LS_COLLECTIVE_(__VA_ARGS__))
#define ls_pmin(b, x, ...) \
  ls_collective_at(LS_HERE, b, "pmin", x, LS_COLLECTIVE_(__VA_ARGS__))
/* x_0 .. x_n-1 stacked on a new dim .dim (default 0); with .tiled
 * concatenated along it: S[dim] * n.  Invariant after.  Any dtype. */
#define ls_all_gather(b, x, ...) \
  ls_collective_at(LS_HERE, b, "all_gather", x, LS_COLLECTIVE_(__VA_ARGS__))
/* Device k gets entry k of the sum along .dim, which is dropped; S[dim] = n.
 * .tiled: chunk k of n equal ones, S[dim] / n.  Varies after.  As psum. */
#define ls_psum_scatter(b, x, ...) \
  ls_collective_at(LS_HERE, b, "psum_scatter", x, LS_COLLECTIVE_(__VA_ARGS__))
/* Device k gets entry k along .split of every x_j, stacked on .concat (counted
 * after split is gone); S[split] = n.  .tiled: chunk k of n along split,
 * concatenated along concat.  Varies after.  Any dtype. */
#define ls_all_to_all(b, x, ...) \
  ls_collective_at(LS_HERE, b, "all_to_all", x, LS_COLLECTIVE_(__VA_ARGS__))
/* pairs: n_pairs of {source, target}.  Device k gets x_source where a pair
 * sends to k, zeros elsewhere.  No source and no target twice.  Varies after.
 *   int64_t ring[3][2] = {{0, 1}, {1, 2}, {2, 0}};
 *   ls_ppermute(b, x, "devices", 3, ring); */
#define ls_ppermute(b, x, axis, n_pairs, ...) \
  ls_ppermute_at(LS_HERE, b, x, axis, n_pairs, &(__VA_ARGS__)[0][0])
LS_API ls_value ls_ppermute_at(ls_place, ls_builder *, ls_value,
                               const char *axis, int n_pairs,
                               const int64_t *pairs);
/* x of device `source`, for all.  Invariant after. */
#define ls_pbroadcast(b, x, axis, source) \
  ls_axis_at(LS_HERE, b, "pbroadcast", x, axis, source)
/* The device's number k on the axis: i32[], varies over it. */
#define ls_axis_index(b, axis) ls_axis_query_at(LS_HERE, b, "axis_index", axis)
/* n: i32[], a constant. */
#define ls_axis_size(b, axis) ls_axis_query_at(LS_HERE, b, "axis_size", axis)
/* Dim `dim` (of size n) becomes the axis: device k gets x[.., k, ..]. */
#define ls_map(b, x, axis, dim) ls_axis_at(LS_HERE, b, "map", x, axis, dim)
/* And back: the axis becomes dim `dim`; an invariant value is repeated. */
#define ls_unmap(b, x, axis, dim) ls_axis_at(LS_HERE, b, "unmap", x, axis, dim)
LS_API ls_value ls_axis_at(ls_place, ls_builder *, const char *op, ls_value,
                           const char *axis, int64_t dim_or_source);
LS_API ls_value ls_axis_query_at(ls_place, ls_builder *, const char *op,
                                 const char *axis);

/* -- scan: the loop --------------------------------------------------------- *
 *   ls_scan *s = ls_scan_begin(b, 100);       // until ls_scan_end, calls on b
 *   ls_value c = ls_scan_carry(s, c0);        // record the loop's body
 *   ls_value x = ls_scan_xs(s, xs);           // xs[t] of step t
 *   ls_scan_next(s, c, ls_add(b, c, x));
 *   ls_value ticket = ls_scan_y(s, c);        // ys[t] = the old c
 *   ls_scan_end(s);
 *   ls_value last = ls_scan_result(s, c);     // the final carry
 *   ls_value ys = ls_scan_result(s, ticket);  // all ys, stacked
 *
 * As jax.lax.scan.  Every carry needs exactly one next of its dtype and shape;
 * all are read before any is replaced.  A carry varies over the least set of
 * axes that covers its init and its next.  Scans, whiles and conds nest (63
 * deep at most); the innermost open one is the one that may be given anything.
 * A NULL scan passes quietly, as an invalid value does. */
typedef struct ls_scan_options {
  int64_t length; /* steps, >= 0; LS_FROM_XS: as long as the xs */
  bool reverse;   /* steps run from the last x to the first; ys stay aligned */
  int unroll;     /* a hint, 0 or 1: none; never changes results */
} ls_scan_options;
enum { LS_FROM_XS = -1 };

/* Options follow the length: ls_scan_begin(b, 100, .reverse = true); in C++17
 * (b, 100, true).  NULL after an error. */
#ifndef __cplusplus
#define ls_scan_begin(b, ...) \
  ls_scan_begin_at(LS_HERE, b, ((ls_scan_options){.length = __VA_ARGS__}))
#else
#define ls_scan_begin(b, ...) \
  ls_scan_begin_at(LS_HERE, b, ls_scan_options_of(__VA_ARGS__))
#endif
LS_API ls_scan *ls_scan_begin_at(ls_place, ls_builder *, ls_scan_options);
/* A carry that starts as init, a value from outside of the scan. */
#define ls_scan_carry(scan, init) ls_scan_carry_at(LS_HERE, scan, init)
LS_API ls_value ls_scan_carry_at(ls_place, ls_scan *, ls_value init);
/* Step t sees xs[t]: the first dim, which is the step, dropped. */
#define ls_scan_xs(scan, xs) ls_scan_xs_at(LS_HERE, scan, xs)
LS_API ls_value ls_scan_xs_at(ls_place, ls_scan *, ls_value xs);
/* What the carry is in the next step.  Errors name the carry, both types and
 * both places. */
#define ls_scan_next(scan, carry, next) \
  ls_scan_next_at(LS_HERE, scan, carry, next)
LS_API void ls_scan_next_at(ls_place, ls_scan *, ls_value carry, ls_value next);
/* Stacks y on a new first dim.  The answer is a ticket for ls_scan_result, not
 * an operand. */
#define ls_scan_y(scan, y) ls_scan_y_at(LS_HERE, scan, y)
LS_API ls_value ls_scan_y_at(ls_place, ls_scan *, ls_value y);
/* Closes the body.  Errors: a carry without next, an inner scan still open,
 * neither length nor xs, xs of different lengths. */
#define ls_scan_end(scan) ls_scan_end_at(LS_HERE, scan)
LS_API void ls_scan_end_at(ls_place, ls_scan *);
/* After ls_scan_end: the last value of a carry, or the stacked ys of a
 * ticket. */
#define ls_scan_result(scan, which) ls_scan_result_at(LS_HERE, scan, which)
LS_API ls_value ls_scan_result_at(ls_place, ls_scan *, ls_value which);

/* -- while: a loop that asks ------------------------------------------------ *
 *   ls_while *w = ls_while_begin(b);            // halve x until it is small
 *   ls_value x = ls_while_carry(w, x0);
 *   ls_value n = ls_while_carry(w, ls_i32(b, 0));
 *   ls_while_test(w, ls_ge(b, x, ls_number(b, 1))); // go on if x >= 1
 *   ls_while_next(w, x, ls_mul(b, x, ls_number(b, 0.5)));
 *   ls_while_next(w, n, ls_add(b, n, ls_number(b, 1)));
 *   ls_while_end(w);
 *   ls_value small = ls_while_result(w, x), steps = ls_while_result(w, n);
 *
 * As jax.lax.while_loop.  It has two bodies.  Calls after ls_while_begin record
 * the test, which is run before every step; ls_while_test gives its answer,
 * one bool of rank 0, and ends it; calls after that record the step, until
 * ls_while_end.  The handle that ls_while_carry returned stands for the carry
 * in both.  Nothing else of the test is visible in the step: compute it again.
 * Every carry needs exactly one next of its dtype and shape; all are read
 * before any is replaced.  If the first test says no, the results are the
 * inits.
 *
 * Axes: a carry varies over what its init, its next and the predicate vary
 * over.  Where the predicate varies over axis a, each device goes on for as
 * long as its own predicate is true; then it keeps its carries, and the loop
 * ends when no device goes on.  The result is that of each device running
 * alone.  Inside, in the test too, ls_axis_index and ls_map over a are fine;
 * ls_unmap and every collective over a are an error, because a device that has
 * ended would be waited for without end.  Over other axes they are fine.
 * A loop whose predicate never turns false runs for ever.
 *
 * Errors: a predicate that is no bool of rank 0; ls_while_test missing, or
 * there twice; a carry after it; what holds for a scan's carries.  NULL
 * passes quietly. */
#define ls_while_begin(b) ls_while_begin_at(LS_HERE, b)
LS_API ls_while *ls_while_begin_at(ls_place, ls_builder *);
/* A carry that starts as init, a value from outside; before ls_while_test. */
#define ls_while_carry(loop, init) ls_while_carry_at(LS_HERE, loop, init)
LS_API ls_value ls_while_carry_at(ls_place, ls_while *, ls_value init);
/* Ends the test and begins the step. */
#define ls_while_test(loop, predicate) \
  ls_while_test_at(LS_HERE, loop, predicate)
LS_API void ls_while_test_at(ls_place, ls_while *, ls_value predicate);
/* What the carry is in the next step. */
#define ls_while_next(loop, carry, next) \
  ls_while_next_at(LS_HERE, loop, carry, next)
LS_API void ls_while_next_at(ls_place, ls_while *, ls_value carry,
                             ls_value next);
/* Closes the step. */
#define ls_while_end(loop) ls_while_end_at(LS_HERE, loop)
LS_API void ls_while_end_at(ls_place, ls_while *);
/* After ls_while_end: the last value of a carry. */
#define ls_while_result(loop, carry) ls_while_result_at(LS_HERE, loop, carry)
LS_API ls_value ls_while_result_at(ls_place, ls_while *, ls_value carry);

/* -- cond: one of two branches ---------------------------------------------- *
 *   ls_cond *k = ls_cond_begin(b, ls_gt(b, n, ls_number(b, 0)));
 *   ls_cond_yield(k, ls_sqrt(b, x));            // then
 *   ls_cond_else(k);
 *   ls_cond_yield(k, x);                        // else
 *   ls_cond_end(k);
 *   ls_value y = ls_cond_result(k, 0);
 *
 * As jax.lax.cond.  Calls after ls_cond_begin record the branch for a predicate
 * (one bool of rank 0) that is true, those after ls_cond_else the other one.
 * Both see every value from outside.  Both yield as many values, in the same
 * order, of equal dtypes and shapes; a C scalar takes the dtype of the array
 * that the other branch yields in its place.
 *
 * With an invariant predicate only the branch that is taken runs.  Where the
 * predicate varies over axis a, each device gets the results of its own branch,
 * as if it ran alone: both branches may be computed, but a while in one of them
 * runs for the devices that took it only, and nothing traps.  Inside,
 * ls_axis_index and ls_map over a are fine; ls_unmap and every collective over
 * a are an error.  A result varies over what it varies over in either branch,
 * and over what the predicate does.
 *
 * Errors: a predicate that is no bool of rank 0; ls_cond_else missing, or there
 * twice; branches that yield different numbers of values, or different types
 * (the message names both places).  NULL passes quietly. */
#define ls_cond_begin(b, predicate) ls_cond_begin_at(LS_HERE, b, predicate)
LS_API ls_cond *ls_cond_begin_at(ls_place, ls_builder *, ls_value predicate);
/* The open branch's next result: number 0, 1, ... */
#define ls_cond_yield(cond, value) ls_cond_yield_at(LS_HERE, cond, value)
LS_API void ls_cond_yield_at(ls_place, ls_cond *, ls_value);
/* Ends the first branch and begins the second. */
#define ls_cond_else(cond) ls_cond_else_at(LS_HERE, cond)
LS_API void ls_cond_else_at(ls_place, ls_cond *);
/* Closes the second branch. */
#define ls_cond_end(cond) ls_cond_end_at(LS_HERE, cond)
LS_API void ls_cond_end_at(ls_place, ls_cond *);
/* After ls_cond_end: result `number`. */
#define ls_cond_result(cond, number) ls_cond_result_at(LS_HERE, cond, number)
LS_API ls_value ls_cond_result_at(ls_place, ls_cond *, int number);

/* ======================================================================== *
 *  3. Programs                                                             *
 * ======================================================================== */

/* `size NAME = ...` lines of a text program that you replace. */
typedef struct ls_size {
  const char *name;
  int64_t value;
} ls_size;

/* How to compile.  All zeros are the defaults; so is NULL. */
typedef enum ls_numerics {
  LS_FAST,  /* sums may be reassociated and multiply-adds contracted */
  LS_STRICT /* the bits of ls_evaluate, for any number of threads */
} ls_numerics;
typedef enum ls_gemm {
  LS_GEMM_AUTO,
  LS_GEMM_BLAS,
  LS_GEMM_PACKED,
  LS_GEMM_INLINE
} ls_gemm;
typedef struct ls_options {
  ls_numerics numerics;
  ls_gemm gemm;        /* how contractions are done */
  int threads;         /* of a run, at most; 0: as many as we may have */
  const char *without; /* passes to leave out: "simplify", "hoist,raise" */
} ls_options;

/* Reads the text form.  file is its name in messages.  NULL: *error says
 * FILE:LINE:COLUMN and shows the line (LS_BAD_PROGRAM), or LS_BAD_FILE (cannot
 * be read), or LS_BAD_ARGUMENT (a size that the program does not have). */
LS_API ls_program *ls_program_parse(const char *text, size_t length,
                                    const char *file, const ls_size *sizes,
                                    int n_sizes, ls_error *error);
LS_API ls_program *ls_program_read(const char *path, const ls_size *sizes,
                                   int n_sizes, ls_error *error);
/* The same for a program whose `call`s name functions of yours, which must
 * outlive it and what is made from it. */
typedef struct ls_callee {
  const char *name;
  ls_call_function *function;
  void *user;
} ls_callee;
LS_API ls_program *ls_program_parse_calling(const char *text, size_t length,
                                            const char *file,
                                            const ls_size *sizes, int n_sizes,
                                            const ls_callee *callees,
                                            int n_callees, ls_error *error);
LS_API ls_program *ls_program_read_calling(const char *path,
                                           const ls_size *sizes, int n_sizes,
                                           const ls_callee *callees,
                                           int n_callees, ls_error *error);
LS_API void ls_program_destroy(ls_program *program);

/* The program as text, which ls_program_parse reads again: as it was recorded
 * (after NULL), or after the pass of that name.  ls_pass_name lists them.
 * places: with the place of each node as a comment.  options as for
 * ls_compile.  NULL on error. */
LS_API char *ls_program_print(const ls_program *program, const char *after,
                              const ls_options *options, bool places,
                              ls_error *error);
/* The same as a picture for Graphviz's dot. */
LS_API char *ls_program_dot(const ls_program *program, const char *after,
                            const ls_options *options, ls_error *error);
/* Pass number i in order; NULL behind the last. */
LS_API const char *ls_pass_name(int i);

LS_API const char *ls_program_name(const ls_program *program);
LS_API int ls_program_inputs(const ls_program *program);
LS_API int ls_program_results(const ls_program *program);
/* NULL, or a type of LS_NO_DTYPE, when there is no such input or result. */
LS_API const char *ls_program_input_name(const ls_program *program, int i);
LS_API const char *ls_program_result_name(const ls_program *program, int i);
/* What one device sees, and its axes (text owned by the program). */
LS_API ls_type ls_program_input_type(const ls_program *program, int i);
LS_API ls_type ls_program_result_type(const ls_program *program, int i);

/* ======================================================================== *
 *  4. Arrays                                                               *
 * ======================================================================== *
 * A value that crosses the program's edge has one leading dim per axis over
 * which it varies, in the order in which the axes were declared, then its own
 * dims, row-major: f64[64,1]{devices} with 8 devices is an 8x64x1 array.  The
 * memory is yours. */
typedef struct ls_array {
  ls_dtype dtype;
  int rank;
  int64_t dims[LS_MAX_RANK];
  void *data;             /* never written if it is an input */
  const int64_t *strides; /* in bytes, one a dim; NULL: row-major, contiguous.
                             Inputs only. May be 0 or negative */
  const char *axes;       /* for ls_function: what the leading dims are */
  bool donated;
} ls_array;

/* Behind ls_array_of; values[0] is the dtype. */
LS_API ls_array ls_array_make(const void *data, int count,
                              const int64_t *values);
/* ls_array_of(data, LS_F64, 8, m, 1): row-major. */
#ifndef __cplusplus
#define ls_array_of(data, ...) ls_array_make(data, LS_INT64S_(__VA_ARGS__))
#endif

/* What the program wants there: dims with device dims, data NULL; the caller
 * fills in data. */
LS_API ls_array ls_program_input_array(const ls_program *program, int i);
LS_API ls_array ls_program_result_array(const ls_program *program, int i);
/* Bytes of a row-major array of this dtype and these dims; 0 if one is wrong
 * or the product overflows. */
LS_API size_t ls_array_bytes(ls_array array);

/* Give up an input: a result may then overlap it, and what it holds after the
 * run is not defined. */
static inline ls_array ls_donate(ls_array array) {
  array.donated = true;
  return array;
}
/* Name the axes that an array's leading dims are, in order: for inputs of an
 * ls_function.  The string is not copied. */
static inline ls_array ls_array_over(ls_array array, const char *axes) {
  array.axes = axes;
  return array;
}

/* ======================================================================== *
 *  5. Compiling and running                                                *
 * ======================================================================== */

typedef struct ls_executable ls_executable;
typedef struct ls_workspace ls_workspace;

/* Native code for the program.  NULL: *error is LS_BAD_ARGUMENT (options) or
 * LS_FAILED.  The executable keeps what it needs: the program may be
 * destroyed.  Thread-safe. */
LS_API ls_executable *ls_compile(const ls_program *program,
                                 const ls_options *options, ls_error *error);
/* After its last run, and after the destruction of its workspaces. */
LS_API void ls_executable_destroy(ls_executable *executable);
/* The program that it was made from, for its names and types. */
LS_API const ls_program *ls_executable_program(const ls_executable *executable);

typedef struct ls_counters {
  int64_t compiles; /* of this executable: 1 */
  int64_t runs;     /* so far */
  double passes_ms; /* what the compilation took */
  double codegen_ms;
  double load_ms;
} ls_counters;
LS_API ls_counters ls_executable_counters(const ls_executable *executable);

/* Runs the program.  inputs and results in its order; dtypes and dims must be
 * the program's (ls_program_input_array).  Inputs with strides, or that do not
 * lie at a multiple of their element size, are packed first; others are read
 * where they lie.  Results are contiguous and are written whole.  A result
 * that overlaps another result, or an input that is not donated, is an error.
 * workspace: one of this executable, used by no other run; the run then
 * allocates nothing (packing: once).  NULL: memory for this run is allocated
 * and freed.
 * LS_OK; LS_BAD_ARGUMENT (counts, NULL, overlap, workspace); LS_BAD_FILE (an
 * array's dtype, dims or strides); LS_FAILED (memory).  Nothing has been
 * written if it fails.  Any number of threads may run one executable. */
LS_API ls_status ls_run(const ls_executable *executable, const ls_array *inputs,
                        int n_inputs, const ls_array *results, int n_results,
                        ls_workspace *workspace, ls_error *error);

/* The bytes that a workspace takes: with room for packing every input
 * (staged), or without. */
LS_API size_t ls_workspace_bytes(const ls_executable *executable, bool staged);
/* Memory for one run at a time, reusable.  The executable must outlive it. */
LS_API ls_workspace *ls_workspace_create(const ls_executable *executable,
                                         ls_error *error);
/* The same in your memory, any alignment, bytes >= ls_workspace_bytes(x,
 * false).  If it has less than the staged size, packing allocates once. */
LS_API ls_workspace *ls_workspace_place(const ls_executable *executable,
                                        void *memory, size_t bytes,
                                        ls_error *error);
/* Also for a placed one: it frees what packing allocated, not your memory. */
LS_API void ls_workspace_destroy(ls_workspace *workspace);

/* Watches the runs of a workspace.  A long run calls progress, in the thread
 * that called ls_run, about ten times a second, with the share of the work that
 * is done, from 0 to 1, by the compiler's own estimate.  If it returns false,
 * the run ends soon with LS_CANCELLED, and what its results hold is not
 * defined.  It must not run anything in the same workspace.
 * Only steps of loops and rows of arrays that take some microseconds report,
 * and only in programs that take tens of milliseconds; elsewhere nothing is
 * called, and nothing is slower.  Of what several threads share, outermost
 * scans report, whiles do not.  progress = NULL: no more. */
typedef bool ls_progress(void *user, double done);
LS_API void ls_workspace_watch(ls_workspace *workspace, ls_progress *progress,
                               void *user);

/* The reference: plain loops, no compiler, slow.  Takes and checks arrays as
 * ls_run does. */
LS_API ls_status ls_evaluate(const ls_program *program, const ls_array *inputs,
                             int n_inputs, const ls_array *results,
                             int n_results, ls_error *error);

/* ======================================================================== *
 *  6. Functions: trace once for each shape                                 *
 * ======================================================================== *
 * An ls_function wraps a C function that records a program for given input
 * types.  Calling it with arrays looks up their dtypes, dims and axes; the
 * first time it traces and compiles, from then on it only runs: a million
 * calls with one shape are one trace and one compile.
 *
 * Axes: an input array that names axes (ls_array_over(array, "devices")) has
 * them as its leading dims, and its value varies over them; the rest are the
 * value's dims.  An axis has one size in a call.  Axes are declared in the
 * order of ls_function_axis calls, then of first appearance in the inputs; an
 * array lists its axes in that order. */
typedef struct ls_function ls_function;

/* Records with calls on b; ends with ls_output for each result.  Inputs are
 * named x0, x1, ... unless you ls_named them.  Must depend on nothing but its
 * arguments (user is passed through), must not destroy or finish b, and must
 * not call the same ls_function. */
typedef void ls_trace(ls_builder *b, const ls_value *inputs, int n_inputs,
                      void *user);

/* name: as for ls_builder_create.  options are part of what is looked up, and
 * fixed here.  NULL: LS_BAD_ARGUMENT or LS_FAILED. */
LS_API ls_function *ls_function_create(const char *name, ls_trace *trace,
                                       void *user, const ls_options *options,
                                       ls_error *error);
LS_API void ls_function_destroy(ls_function *function);
/* Declares an axis that inputs may or may not have, e.g. for collectives over
 * invariant values.  Before the first call.  LS_OK or LS_BAD_ARGUMENT. */
LS_API ls_status ls_function_axis(ls_function *function, const char *name,
                                  int64_t size);

/* Runs, after tracing and compiling if need be.  Arrays and status as ls_run;
 * LS_BAD_PROGRAM: the trace went wrong (it is tried again next time).
 * Thread-safe: calls with shapes already seen run at the same time; a new
 * shape is traced once, however many threads ask for it. */
LS_API ls_status ls_function_call(ls_function *function, const ls_array *inputs,
                                  int n_inputs, const ls_array *results,
                                  int n_results, ls_error *error);
/* The executable that such a call would run, traced and compiled if need be;
 * its program tells the results' shapes.  data of the arrays is not looked at.
 * Owned by the function.  NULL on error. */
LS_API const ls_executable *ls_function_executable(ls_function *function,
                                                   const ls_array *inputs,
                                                   int n_inputs,
                                                   ls_error *error);

typedef struct ls_function_counts {
  int64_t traces;   /* calls of the trace function */
  int64_t compiles; /* executables made */
  int64_t hits;     /* look-ups that found one */
} ls_function_counts;
LS_API ls_function_counts ls_function_counters(const ls_function *function);

#ifdef __cplusplus
} /* extern "C" */

/* What C does with compound literals, C++ does with these. */
template <class... Ints>
inline ls_ints ls_dims(Ints... values) {
  const int64_t list[] = {0, static_cast<int64_t>(values)...};
  return ls_ints_make(static_cast<int>(sizeof...(values)), list + 1);
}
template <class... Ints>
inline ls_type ls_type_of(ls_dtype dtype, Ints... dims) {
  const int64_t list[] = {dtype, static_cast<int64_t>(dims)...};
  return ls_type_make(static_cast<int>(sizeof...(dims)) + 1, list);
}
template <class... Ints>
inline ls_array ls_array_of(const void *data, ls_dtype dtype, Ints... dims) {
  const int64_t list[] = {dtype, static_cast<int64_t>(dims)...};
  return ls_array_make(data, static_cast<int>(sizeof...(dims)) + 1, list);
}
template <int count>
struct ls_values_holder { /* lives to the end of the call that it is in */
  ls_value at[count];
  operator ls_values() const { return ls_values{count, at}; }
};
template <class... Values>
inline ls_values_holder<static_cast<int>(sizeof...(Values))> LS_VALUES(
    Values... values) {
  return {{values...}};
}
inline ls_collective ls_collective_of(const char *axis, int dim = 0,
                                      bool tiled = false, int split = 0,
                                      int concat = 0, int n_groups = 0,
                                      const int64_t *groups = nullptr,
                                      const int64_t *group_sizes = nullptr) {
  return ls_collective{axis,   dim,      tiled,  split,
                       concat, n_groups, groups, group_sizes};
}
inline ls_collective ls_collective_of(ls_collective options) { return options; }
inline ls_scan_options ls_scan_options_of(int64_t length, bool reverse = false,
                                          int unroll = 0) {
  return ls_scan_options{length, reverse, unroll};
}
#endif

#endif
