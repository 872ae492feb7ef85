/* hints.c: what a message says beside the fault: the operands with their
 * types, the axes in scope, the word that was meant.
 *
 * Texts lie in the program's arena; they are made once, for the first error. */
#include <stdlib.h>
#include <string.h>

#include "text.h"

static const char *keep(Program *program, Buffer *out) {
  char *text = ir_buffer_take(out);
  const char *copy = text ? ir_copy_string(program, text) : NULL;
  free(text);
  return copy ? copy : "";
}

const char *ir_scope_text(Program *program) {
  Buffer out = {0};
  if (program->stage != NAMED)
    return "there are no axes at the batched and kernels stages";
  if (program->n_axes == 0) return "the program declares no axes";
  for (int a = 0; a < program->n_axes; a++) {
    ir_put_text(&out, a ? ", " : "axes in scope: ");
    ir_put_text(&out, program->axes[a].name);
    ir_put_text(&out, " = ");
    ir_put_int(&out, program->axes[a].size);
  }
  return keep(program, &out);
}

const char *ir_operands_text(Program *program, Value *const *operands, int n) {
  enum { SHOWN = 6 };
  Buffer out = {0};
  for (int i = 0; i < n && i < SHOWN; i++) {
    ir_put_text(&out, i ? ", " : n == 1 ? "operand " : "operands ");
    if (operands[i]->name) {
      ir_put_text(&out, "%");
      ir_put_text(&out,
                  ir_show(operands[i]->name, strlen(operands[i]->name)).text);
      ir_put_text(&out, ": ");
    }
    ir_put_text(&out, ir_type_text(program, operands[i]->type).text);
  }
  if (n > SHOWN) ir_put_text(&out, ", ...");
  return keep(program, &out);
}
