/* evaluate_elementwise.c: the ELEMENTWISE ops, one element after the other.
 * What an op does to an element is ir/scalar.c's; here are only the loops: one
 * over Scalars for every dtype, and one each over f32 and f64, which most
 * programs spend their time in. */
#include <string.h>

#include "evaluate.h"

/* The operands of one loop: where each lies, and how far its neighbours are (0
 * for a rank-0 operand, which goes with any shape). */
typedef struct Streams {
  int n;
  const char *data[3];
  int64_t step[3];
  DType dtype[3];
} Streams;

static Streams streams_of(const Node *node, const char *const *operands) {
  Streams streams = {.n = node->n_operands};
  for (int i = 0; i < streams.n; i++) {
    Type type = node->operands[i]->type;
    streams.data[i] = operands[i];
    streams.dtype[i] = type.dtype;
    streams.step[i] = type.rank ? (int64_t)ir_dtype_bytes(type.dtype) : 0;
  }
  return streams;
}

static void loop_f64(ScalarFunction *function, const Streams *streams,
                     int64_t count, char *result) {
  double x[3];
  for (int64_t i = 0; i < count; i++) {
    for (int k = 0; k < streams->n; k++) {
      memcpy(&x[k], streams->data[k] + i * streams->step[k], sizeof x[k]);
    }
    double value = function(x);
    memcpy(result + i * (int64_t)sizeof value, &value, sizeof value);
  }
}

static void loop_f32(ScalarFunction *function, const Streams *streams,
                     int64_t count, char *result) {
  double x[3];
  for (int64_t i = 0; i < count; i++) {
    for (int k = 0; k < streams->n; k++) {
      float element;
      memcpy(&element, streams->data[k] + i * streams->step[k], sizeof element);
      x[k] = element;
    }
    float value = (float)function(x);
    memcpy(result + i * (int64_t)sizeof value, &value, sizeof value);
  }
}

static void loop_scalar(const Node *node, const Streams *streams, int64_t count,
                        char *result) {
  Scalar x[3];
  Word relation = (Word)ir_int(node, ATTR_relation);
  DType from = streams->dtype[streams->n - 1];
  DType to = node->results[0]->type.dtype;
  int64_t size = (int64_t)ir_dtype_bytes(to);
  for (int64_t i = 0; i < count; i++) {
    for (int k = 0; k < streams->n; k++) {
      x[k] = ir_scalar_load(streams->dtype[k],
                            streams->data[k] + i * streams->step[k]);
    }
    Scalar value = node->op == OP_convert
                       ? ir_scalar_convert(to, from, x[0])
                       : ir_scalar_apply(node->op, relation, from, x);
    ir_scalar_store(to, result + i * size, value);
  }
}

/* select takes whole elements, whatever their bits. */
static void loop_select(const Streams *streams, int64_t count, char *result) {
  int64_t size = (int64_t)ir_dtype_bytes(streams->dtype[1]);
  for (int64_t i = 0; i < count; i++) {
    int k = streams->data[0][i * streams->step[0]] ? 1 : 2;
    memcpy(result + i * size, streams->data[k] + i * streams->step[k],
           (size_t)size);
  }
}

bool rt_elementwise(Evaluation *evaluation, const Node *node,
                    const char *const *operands, char *const *results) {
  (void)evaluation;
  Streams streams = streams_of(node, operands);
  Type type = node->results[0]->type;
  int64_t count = ir_type_elements(type);
  ScalarFunction *function = ir_scalar_function(node->op, type.dtype);
  if (node->op == OP_bitcast) {
    if (count) memcpy(results[0], operands[0], (size_t)ir_type_bytes(type));
  } else if (node->op == OP_select) {
    loop_select(&streams, count, results[0]);
  } else if (function && type.dtype == DT_F64) {
    loop_f64(function, &streams, count, results[0]);
  } else if (function && type.dtype == DT_F32) {
    loop_f32(function, &streams, count, results[0]);
  } else {
    loop_scalar(node, &streams, count, results[0]);
  }
  return true;
}
