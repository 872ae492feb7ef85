/* show.c: `lockstep show`: a program at any stage, as text, picture, LLVM IR
 * or assembly. */
#include <stdlib.h>

#include "tool.h"

static const char *stage_name(Stage stage) {
  static const char *const names[] = {"named", "batched", "kernels"};
  return names[stage];
}

static int list_passes(void) {
  for (int i = 0; i < pass_count; i++)
    printf("%-11s %-7s %s\n", pass_table[i].name,
           stage_name(pass_table[i].accepts), stage_name(pass_table[i].makes));
  return FINE;
}

/* Index of the pass at which a program of this stage comes in. */
static int entry(Stage stage) {
  int i = 0;
  while (i < pass_count &&
         (pass_table[i].accepts > stage || pass_table[i].latest < stage))
    i++;
  return i;
}

static int check_after(const Request *request, const Program *program) {
  int first = entry(program->stage);
  if (request->after < 0 || request->after >= first) return FINE;
  return tool_error(BAD_USAGE,
                    "--after=%s: %s is at the %s stage, which comes in at %s",
                    pass_table[request->after].name, request->file,
                    stage_name(program->stage),
                    first < pass_count ? pass_table[first].name : "no pass");
}

static int put_text(char *text) {
  if (!text) return tool_error(FAILED, "no memory");
  fputs(text, stdout);
  free(text);
  return FINE;
}

static int put_program(const Request *request, const Program *program) {
  Program *bare = NULL;
  int code = FINE;
  if (request->strip && program->stage == KERNELS) {
    bare = ir_strip(program);
    if (!bare || bare->error.failed)
      code = tool_error(FAILED, "cannot strip: %s",
                        bare ? bare->error.message : "no memory");
    program = bare;
  }
  if (code == FINE)
    code = put_text(
        request->dot ? ir_dot(program)
                     : ir_print(program, request->places ? PRINT_PLACES : 0));
  ir_program_destroy(bare);
  return code;
}

static int put_code(const Request *request, const File *file) {
  Program *planned = NULL;
  char *error = NULL, *text = NULL;
  int code = tool_passes(request, file, pass_count - 1, &planned);
  if (code == FINE) {
    text = cg_text(planned, &request->options,
                   request->llvm ? CODE_LLVM : CODE_ASM, &error);
    code = text ? put_text(text)
                : tool_error(FAILED, "%s: cannot compile: %s", request->file,
                             error ? error : "no memory");
  }
  free(error);
  ir_program_destroy(planned);
  return code;
}

static int check_forms(const Request *request) {
  if (request->dot + request->llvm + request->assembly > 1)
    return tool_error(BAD_USAGE, "one of --dot, --llvm and --asm, not several");
  bool code = request->llvm || request->assembly;
  if (code && request->after >= 0 && request->after != pass_count - 1)
    return tool_error(BAD_USAGE,
                      "--llvm and --asm come after the last pass, not after %s",
                      pass_table[request->after].name);
  if (code && (request->strip || request->places))
    return tool_error(BAD_USAGE, "--llvm and --asm go without --%s",
                      request->strip ? "strip" : "places");
  return FINE;
}

static int show_file(const Request *request, const File *file) {
  int code = check_after(request, file->program);
  if (code != FINE) return code;
  if (request->llvm || request->assembly) return put_code(request, file);
  if (request->after < 0) return put_program(request, file->program);
  Program *made = NULL;
  code = tool_passes(request, file, request->after, &made);
  if (code == FINE) code = put_program(request, made);
  ir_program_destroy(made);
  return code;
}

int tool_show(const Request *request) {
  if (request->passes) return list_passes();
  int code = check_forms(request);
  if (code != FINE) return code;
  File file;
  code = tool_load(request, &file);
  if (code == FINE) code = show_file(request, &file);
  tool_close(&file);
  return code;
}
