/* builder_numbers.c: C scalars and constants.
 *
 * A C scalar is no node yet: what dtype it has is decided by the array beside
 * it.  It becomes a constant where it is first used, and the same constant
 * serves later uses that can see it. */
#include <math.h>
#include <stdlib.h>

#include "../ir/text.h"
#include "frontend.h"

/* -- C scalars --------------------------------------------------------- */

static bool whole_fits(DType dtype, double number) {
  int bits = (int)ir_dtype_bytes(dtype) * 8;
  if (number != floor(number)) return false;
  if (dtype == DT_BOOL) return number == 0 || number == 1;
  if (ir_is_signed(dtype))
    return number >= -ldexp(1, bits - 1) && number < ldexp(1, bits - 1);
  return number >= 0 && number < ldexp(1, bits);
}

/* The literal as an element of dtype.  False: it has no such element. */
static bool literal_as(const Number *literal, DType dtype, Scalar *element) {
  if (!literal->integer) {
    if (ir_is_float(dtype)) {
      element->f = ir_round_to(dtype, literal->number.f);
      return true;
    }
    *element = ir_scalar_convert(dtype, DT_F64, literal->number);
    return whole_fits(dtype, literal->number.f);
  }
  *element = ir_scalar_convert(dtype, literal->dtype, literal->number);
  if (ir_is_float(dtype)) return true;
  Scalar back = ir_scalar_convert(literal->dtype, dtype, *element);
  bool negative = ir_is_signed(literal->dtype) && literal->number.i < 0;
  bool now = ir_is_signed(dtype) && element->i < 0;
  return back.u == literal->number.u && negative == now;
}

static bool cannot_hold(const Call *call, const Number *literal, DType dtype) {
  Buffer number = {0};
  DType own = literal->integer ? literal->dtype : DT_F64;
  Scalar shown = literal->number;
  if (own == DT_F64 && whole_fits(DT_I64, shown.f)) { /* 300, not 3e+02 */
    own = DT_I64;
    shown.i = (int64_t)literal->number.f;
  }
  LocaleGuard guard = ir_locale_enter();
  ir_put_number(&number, own, shown);
  ir_locale_leave(guard);
  char *text = ir_buffer_take(&number);
  if (text == NULL)
    front_out_of_memory(call);
  else
    front_wrong(call, "%s cannot hold the number %s", ir_dtype_name(dtype),
                text);
  free(text);
  return false;
}

Value *front_literal(const Call *call, Number *literal, DType dtype,
                     Block *block) {
  Scalar element;
  if (dtype == DT_COUNT) {
    front_wrong(call,
                "an ls_number takes the dtype of the array beside it, "
                "and there is none; say ls_f64, ls_i32, ...");
    return NULL;
  }
  if (!literal_as(literal, dtype, &element)) {
    cannot_hold(call, literal, dtype);
    return NULL;
  }
  if (literal->made && literal->made->type.dtype == dtype &&
      front_visible(block, literal->made->block))
    return literal->made;
  Value *made = ir_make_splat(block, dtype, element, 0, NULL, literal->place);
  if (made == NULL) {
    front_take_error(call);
    return NULL;
  }
  if (literal->name) made->name = literal->name;
  literal->made = made;
  return made;
}

static ls_value new_literal(const Call *call, Number given) {
  Number *literal = ir_alloc(call->builder->draft, sizeof *literal);
  if (literal) *literal = given;
  return front_literal_handle(call, literal);
}

ls_value ls_scalar_at(ls_place here, ls_builder *b, ls_dtype dtype,
                      double number) {
  Call call;
  if (!front_begin(&call, here, b, "scalar")) return (ls_value){0};
  if (dtype < LS_NO_DTYPE || dtype > LS_F64) {
    front_misuse(&call, "%d is no dtype", (int)dtype);
    return (ls_value){0};
  }
  Number literal = {.dtype = dtype == LS_NO_DTYPE ? DT_COUNT : (DType)dtype,
                    .number.f = number,
                    .place = call.place};
  Scalar element;
  if (literal.dtype != DT_COUNT) {
    if (!literal_as(&literal, literal.dtype, &element)) {
      cannot_hold(&call, &literal, literal.dtype);
      return (ls_value){0};
    }
    literal.integer = !ir_is_float(literal.dtype);
    literal.number = element;
  }
  return new_literal(&call, literal);
}

ls_value ls_integer_at(ls_place here, ls_builder *b, ls_dtype dtype,
                       uint64_t bits) {
  Call call;
  if (!front_begin(&call, here, b, "integer")) return (ls_value){0};
  if (dtype < LS_BOOL || dtype > LS_U64) {
    front_misuse(&call, "%d is no integer dtype", (int)dtype);
    return (ls_value){0};
  }
  call.name = ls_dtype_name(dtype); /* ls_i32 and its like */
  DType inner = (DType)dtype, wide = ir_is_signed(inner) ? DT_I64 : DT_U64;
  Number literal = {
      .dtype = wide, .integer = true, .number.u = bits, .place = call.place};
  Scalar element;
  if (!literal_as(&literal, inner, &element)) {
    cannot_hold(&call, &literal, inner);
    return (ls_value){0};
  }
  literal.dtype = inner;
  literal.number = element;
  return new_literal(&call, literal);
}

/* -- constants --------------------------------------------------------- */

static ls_value emit_leaf(const Call *call, const NodeSpec *spec) {
  Node *node = ir_node(call->builder->block, spec);
  return front_handle(call, node ? node->results[0] : NULL);
}

/* Any byte but 0 would be a third truth value. */
static const void *clean_bools(const Call *call, Type type, const void *data) {
  int64_t n = ir_type_elements(type);
  const unsigned char *from = data;
  unsigned char *to = ir_alloc(call->builder->draft, (size_t)n + 1);
  for (int64_t i = 0; to && i < n; i++) to[i] = from[i] != 0;
  return to;
}

ls_value ls_constant_at(ls_place here, ls_builder *b, ls_type type,
                        const void *data) {
  enum { LARGEST = 65536 };
  Call call;
  Type inner;
  if (!front_begin(&call, here, b, "constant") ||
      !front_plain_type(&call, &type, &inner))
    return (ls_value){0};
  int64_t elements = 1;
  for (int d = 0; d < inner.rank; d++)
    if (__builtin_mul_overflow(elements, inner.dims[d], &elements))
      elements = INT64_MAX;
  if (data == NULL && elements > 0) {
    front_misuse(&call, "the data is NULL");
    return (ls_value){0};
  }
  if (elements > LARGEST) {
    front_wrong(&call,
                "a literal has at most %d elements, not %lld; make it an "
                "input, or an ls_splat if all are equal",
                LARGEST, (long long)elements);
    return (ls_value){0};
  }
  if (inner.dtype == DT_BOOL && elements > 0)
    data = clean_bools(&call, inner, data);
  return emit_leaf(&call, &(NodeSpec){.op = OP_constant,
                                      .type = &inner,
                                      .literal = data,
                                      .place = call.place});
}

ls_value ls_splat_at(ls_place here, ls_builder *b, ls_type type,
                     double number) {
  Call call;
  Type inner;
  if (!front_begin(&call, here, b, "splat") ||
      !front_plain_type(&call, &type, &inner))
    return (ls_value){0};
  Number literal = {.dtype = inner.dtype, .number.f = number};
  Scalar element;
  if (!literal_as(&literal, inner.dtype, &element)) {
    cannot_hold(&call, &literal, inner.dtype);
    return (ls_value){0};
  }
  return front_handle(&call, ir_make_splat(b->block, inner.dtype, element,
                                           inner.rank, inner.dims, call.place));
}

ls_value ls_iota_at(ls_place here, ls_builder *b, ls_type type, int dim) {
  Call call;
  Type inner;
  if (!front_begin(&call, here, b, "iota") ||
      !front_plain_type(&call, &type, &inner))
    return (ls_value){0};
  Attr attr = IR_INT(dim, dim);
  return emit_leaf(&call, &(NodeSpec){.op = OP_iota,
                                      .n_attrs = 1,
                                      .attrs = &attr,
                                      .type = &inner,
                                      .place = call.place});
}
