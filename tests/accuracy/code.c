/* code.c: the programs that compute a batch, through the public interface. */
#include <math.h>
#include <string.h>

#include "accuracy.h"

static ls_type type_of(const Format *format) {
  return ls_type_of(format->dtype, BATCH);
}

static ls_value apply(ls_builder *b, const Subject *subject,
                      const ls_value *x) {
  if (subject_operands(subject) == 2)
    return ls_binary_at(LS_HERE, b, subject->op, x[0], x[1]);
  return ls_unary_at(LS_HERE, b, subject->op, x[0]);
}

/* What random_normal draws from, then what it makes of it. */
static void record_draw(ls_builder *b, const Code *code) {
  double below_minus_one =
      -1 + ldexp(1, -(code->format->digits)); /* the number after -1 */
  ls_type type = type_of(code->format);
  ls_value key = ls_input(b, "key", ls_type_of(LS_U32, 2));
  ls_output(b, "x", ls_random_uniform(b, key, type, below_minus_one, 1));
  ls_output(b, "y",
            ls_random_at(LS_HERE, b, code->subject->op, key, type, 0, 1));
}

/* constants NULL: the operands are inputs. */
static ls_program *record(const Code *code, const Batch *constants,
                          ls_error *error) {
  static const char *const names[] = {"a", "b"};
  ls_builder *b = ls_builder_create(code->subject->op);
  ls_type type = type_of(code->format);
  ls_value x[2];
  if (code->subject->domain == DRAWS) {
    record_draw(b, code);
  } else {
    for (int i = 0; i < subject_operands(code->subject); i++)
      x[i] = constants ? ls_constant(b, type, constants->x[i])
                       : ls_input(b, names[i], type);
    ls_output(b, "y", apply(b, code->subject, x));
  }
  ls_program *program = ls_builder_finish(b);
  if (program == NULL) {
    error->status = ls_builder_status(b);
    strncpy(error->text, ls_builder_error(b), sizeof error->text - 1);
  }
  ls_builder_destroy(b);
  return program;
}

bool code_create(Code *code, const Subject *subject, const Format *format,
                 ls_error *error) {
  *code = (Code){.subject = subject, .format = format};
  code->program = record(code, NULL, error);
  if (code->program == NULL) return false;
  code->fast = ls_compile(code->program, NULL, error);
  code->strict =
      ls_compile(code->program, &(ls_options){.numerics = LS_STRICT}, error);
  return code->fast && code->strict;
}

void code_destroy(Code *code) {
  ls_executable_destroy(code->fast);
  ls_executable_destroy(code->strict);
  ls_program_destroy(code->program);
}

static bool run_folded(const Code *code, Batch *batch, ls_array *results,
                       ls_error *error) {
  ls_program *program = record(code, batch, error);
  ls_executable *folded = program ? ls_compile(program, NULL, error) : NULL;
  bool good =
      folded && ls_run(folded, NULL, 0, results, 1, NULL, error) == LS_OK;
  ls_executable_destroy(folded);
  ls_program_destroy(program);
  return good;
}

bool code_run(const Code *code, Way way, Batch *batch, ls_error *error) {
  bool draws = code->subject->domain == DRAWS;
  ls_dtype dtype = code->format->dtype;
  ls_array inputs[] = {ls_array_of(batch->x[0], dtype, BATCH),
                       ls_array_of(batch->x[1], dtype, BATCH)};
  ls_array results[] = {ls_array_of(batch->y, dtype, BATCH),
                        ls_array_of(batch->y, dtype, BATCH)};
  int n_inputs = subject_operands(code->subject), n_results = 1;
  if (draws) {
    results[0].data = batch->x[0];
    inputs[0] = ls_array_of(batch->key, LS_U32, 2);
    n_results = 2;
  }
  if (way == FOLDED) return run_folded(code, batch, results, error);
  if (way == EVALUATED)
    return ls_evaluate(code->program, inputs, n_inputs, results, n_results,
                       error) == LS_OK;
  return ls_run(way == FAST ? code->fast : code->strict, inputs, n_inputs,
                results, n_results, NULL, error) == LS_OK;
}
