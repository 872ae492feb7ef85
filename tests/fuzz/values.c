/* values.c: random numbers and the arrays made of them. */
#include <math.h>
#include <string.h>

#include "fuzz.h"

uint64_t random_next(Random *random) { /* splitmix64 */
  uint64_t z = random->state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

int random_below(Random *random, int n) {
  uint64_t bits = random_next(random);
  return n < 1 ? 0 : (int)(bits % (uint64_t)n);
}

bool random_chance(Random *random, int percent) {
  return random_below(random, 100) < percent;
}

static double special_float(Random *random, DType dtype) {
  static const double denormal[] = {
      [DT_F16] = 6e-8, [DT_BF16] = 1e-39, [DT_F32] = 1e-40, [DT_F64] = 1e-310};
  switch (random_below(random, 7)) {
    case 0:
      return NAN;
    case 1:
      return INFINITY;
    case 2:
      return -INFINITY;
    case 3:
      return -0.0;
    case 4:
      return denormal[dtype];
    case 5:
      return -denormal[dtype];
    default:
      return 1e30; /* an infinity in f16 */
  }
}

static double plain_float(Random *random) {
  if (random_chance(random, 20)) return random_below(random, 9) - 4;
  return (double)(random_next(random) >> 11) * 0x1p-52 - 1;
}

static uint64_t whole_number(Random *random, bool special) {
  if (special && random_chance(random, 25)) return random_next(random);
  if (special && random_chance(random, 10))
    return UINT64_C(1) << random_below(random, 64);
  return (uint64_t)(random_below(random, 12) - 4);
}

Scalar random_scalar(Random *random, DType dtype, bool special) {
  Scalar value = {0};
  if (ir_is_float(dtype)) {
    bool odd = special && random_chance(random, 15);
    value.f = odd ? special_float(random, dtype) : plain_float(random);
  } else if (dtype == DT_BOOL) {
    value.u = random_next(random) & 1;
  } else {
    value.u = whole_number(random, special);
  }
  return value;
}

void random_fill(Random *random, DType dtype, void *data, int64_t n,
                 bool special) {
  size_t each = ir_dtype_bytes(dtype);
  for (int64_t i = 0; i < n; i++)
    ir_scalar_store(dtype, (char *)data + (size_t)i * each,
                    random_scalar(random, dtype, special));
}

/* So that dropping a parameter leaves the others' values alone. */
static uint64_t hash_name(uint64_t seed, const char *name) {
  for (; *name; name++) seed = (seed ^ (unsigned char)*name) * 1099511628211u;
  return seed;
}

bool values_inputs(const Program *program, uint64_t seed, Buffers *inputs) {
  Block *body = program->body;
  if (!buffers_create(inputs, program, body->params, body->n_params,
                      (unsigned)seed % 8))
    return false;
  for (int i = 0; i < body->n_params; i++) {
    const Value *param = body->params[i];
    Random random = {hash_name(seed, param->name)};
    random_fill(&random, param->type.dtype, inputs->data[i],
                edge_elements(program, param->type),
                seed % (seed % 2 ? 9 : 3) == 0);
  }
  return true;
}
