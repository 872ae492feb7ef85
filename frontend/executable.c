/* executable.c: from a program to something that runs, and its runs.
 *
 * ls_compile is every stage in a row: passes, code, load.  A run checks the
 * caller's arrays, packs what must be packed, and calls the one native
 * function.  A workspace holds all memory that a run needs besides. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../runtime/runtime.h"
#include "frontend.h"
#include "hardware.h"

/* -- options ----------------------------------------------------------- */

/* The passes that may be left out, and which of them was meant. */
static ls_status not_optional(const char *name, size_t length, bool known,
                              ls_error *error) {
  const char *names[64];
  char list[512] = "";
  int n = 0;
  for (int i = 0; i < pass_count && n < 64; i++) {
    if (!pass_table[i].optional) continue;
    names[n++] = pass_table[i].name;
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, " %s", pass_table[i].name);
  }
  const char *close = known ? NULL : ir_closest(name, length, names, n);
  return front_error(
      error, LS_BAD_ARGUMENT, "options: %s %.*s%s%s%s; without may name%s",
      known ? "no compilation goes without the pass" : "there is no pass",
      (int)length, name, close ? "; did you mean " : "", close ? close : "",
      close ? "?" : "", list);
}

static ls_status without_pass(const char *name, size_t length, Options *options,
                              ls_error *error) {
  for (int i = 0; i < pass_count; i++) {
    const char *known = pass_table[i].name;
    if (strlen(known) != length || memcmp(known, name, length) != 0) continue;
    if (!pass_table[i].optional) return not_optional(name, length, true, error);
    options->without |= UINT64_C(1) << i;
    return LS_OK;
  }
  return not_optional(name, length, false, error);
}

ls_status front_options(const ls_options *options, Options *out,
                        ls_error *error) {
  *out = (Options){.hardware = *front_hardware()};
  if (options == NULL) return LS_OK;
  const char *wrong =
      options->numerics < LS_FAST || options->numerics > LS_STRICT
          ? "numerics is no ls_numerics"
      : options->gemm < LS_GEMM_AUTO || options->gemm > LS_GEMM_INLINE
          ? "gemm is no ls_gemm"
      : options->threads < 0 ? "threads is negative"
                             : NULL;
  if (wrong) return front_error(error, LS_BAD_ARGUMENT, "options: %s", wrong);
  out->numerics = (Numerics)options->numerics;
  out->gemm = (Gemm)options->gemm;
  out->threads = options->threads;
  const char *name = options->without ? options->without : "";
  while (*name) {
    size_t length = strcspn(name, ", ");
    if (length > 0 && without_pass(name, length, out, error) != LS_OK)
      return LS_BAD_ARGUMENT;
    name += length;
    name += strspn(name, ", ");
  }
  return LS_OK;
}

/* -- compiling --------------------------------------------------------- */

static size_t round_up(size_t bytes) {
  return (bytes + WORKSPACE_ALIGN - 1) / WORKSPACE_ALIGN * WORKSPACE_ALIGN;
}

static bool calls_blas(const Program *planned) {
  ProgramCost cost;
  if (!pass_cost(planned, &cost)) return true;
  bool any = cost.n_blas > 0;
  pass_cost_free(&cost);
  return any;
}

/* Arena and staging, summed with checks: programs can be larger than memory. */
static bool measure(ls_executable *made) {
  const ls_program *program = made->program;
  size_t arena = cg_arena_bytes(made->native), staged = 0;
  if (arena > SIZE_MAX / 4) return false;
  for (int i = 0; i < program->n_inputs; i++) {
    size_t bytes = program->inputs[i].bytes;
    if (bytes > SIZE_MAX / 4 ||
        __builtin_add_overflow(staged, round_up(bytes), &staged) ||
        staged > SIZE_MAX / 4)
      return false;
  }
  made->arena_bytes = round_up(arena);
  made->staged_bytes = staged;
  return true;
}

static ls_status generate(ls_executable *made, const Program *planned,
                          const Options *options, ls_error *error) {
  CompileTimes times = {0};
  char *message = NULL;
  made->native = cg_compile(planned, options, &times, &message);
  if (made->native == NULL) {
    front_error(error, LS_FAILED, "%s: %s", made->program->ir->name,
                message ? message : "out of memory");
    free(message);
    return LS_FAILED;
  }
  made->counters.compiles = 1;
  made->counters.codegen_ms = times.codegen_ms;
  made->counters.load_ms = times.load_ms;
  made->calls_blas = calls_blas(planned);
  if (measure(made)) return LS_OK;
  return front_error(error, LS_FAILED,
                     "%s: its inputs or its arena take 2^62 bytes or more",
                     made->program->ir->name);
}

static ls_status compile(ls_executable *made, const Options *options,
                         ls_error *error) {
  double start = rt_now();
  Program *planned =
      pass_run(made->program->ir, options, pass_count - 1, NULL, NULL);
  made->counters.passes_ms = (rt_now() - start) * 1e3;
  if (planned == NULL) return front_no_memory(error);
  ls_status status = LS_FAILED;
  if (planned->error.failed)
    front_diagnostic(error, &planned->error, NULL, 0);
  else
    status = generate(made, planned, options, error);
  if (error && status != LS_OK) error->status = LS_FAILED;
  ir_program_destroy(planned);
  return status;
}

ls_executable *ls_compile(const ls_program *program, const ls_options *options,
                          ls_error *error) {
  Options inner;
  if (program == NULL) {
    front_error(error, LS_BAD_ARGUMENT, "ls_compile: the program is NULL");
    return NULL;
  }
  if (front_options(options, &inner, error) != LS_OK) return NULL;
  ls_executable *made = calloc(1, sizeof *made);
  if (made == NULL) {
    front_no_memory(error);
    return NULL;
  }
  front_program_share(program);
  made->program = (ls_program *)(uintptr_t)program;
  atomic_init(&made->runs, 0);
  if (compile(made, &inner, error) == LS_OK) {
    front_fine(error);
    return made;
  }
  ls_executable_destroy(made);
  return NULL;
}

void ls_executable_destroy(ls_executable *executable) {
  if (executable == NULL) return;
  cg_destroy(executable->native);
  ls_program_destroy(executable->program);
  free(executable);
}

const ls_program *ls_executable_program(const ls_executable *executable) {
  return executable ? executable->program : NULL;
}

ls_counters ls_executable_counters(const ls_executable *executable) {
  if (executable == NULL) return (ls_counters){0};
  ls_counters counters = executable->counters;
  counters.runs = atomic_load(&((ls_executable *)(uintptr_t)executable)->runs);
  return counters;
}
