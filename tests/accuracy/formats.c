/* formats.c: the float dtypes, and their elements as doubles. */
#include <math.h>
#include <string.h>

#include "accuracy.h"
#include "ir/ir.h"

const Format formats[N_FORMATS] = {
    {LS_F64, "f64", 8, 53, -1074, 1024},
    {LS_F32, "f32", 4, 24, -149, 128},
    {LS_F16, "f16", 2, 11, -24, 16},
    {LS_BF16, "bf16", 2, 8, -133, 128},
};

double format_load(const Format *format, const void *element) {
  double wide;
  float narrow;
  uint16_t half;
  switch (format->dtype) {
    case LS_F64:
      memcpy(&wide, element, sizeof wide);
      return wide;
    case LS_F32:
      memcpy(&narrow, element, sizeof narrow);
      return narrow;
    default:
      memcpy(&half, element, sizeof half);
      return format->dtype == LS_F16 ? ir_f64_from_f16(half)
                                     : ir_f64_from_bf16(half);
  }
}

double format_store(const Format *format, void *element, double value) {
  float narrow = (float)value;
  uint16_t half;
  switch (format->dtype) {
    case LS_F64:
      memcpy(element, &value, sizeof value);
      break;
    case LS_F32:
      memcpy(element, &narrow, sizeof narrow);
      break;
    default:
      half = format->dtype == LS_F16 ? ir_f16_from_f64(value)
                                     : ir_bf16_from_f64(value);
      memcpy(element, &half, sizeof half);
  }
  return format_load(format, element);
}

double format_of_bits(const Format *format, uint64_t bits) {
  uint16_t two = (uint16_t)bits;
  uint32_t four = (uint32_t)bits;
  char element[8];
  if (format->bytes == 2)
    memcpy(element, &two, sizeof two);
  else if (format->bytes == 4)
    memcpy(element, &four, sizeof four);
  else
    memcpy(element, &bits, sizeof bits);
  return format_load(format, element);
}

bool format_same(const Format *format, const void *a, const void *b) {
  return memcmp(a, b, (size_t)format->bytes) == 0 ||
         (isnan(format_load(format, a)) && isnan(format_load(format, b)));
}
