/* run.c: workspaces, and one run of an executable.
 *
 * A workspace is one piece of memory: this struct, the pointers that native
 * code takes, the arena, and room for packed inputs (at once, or allocated by
 * the first run that needs it). */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../runtime/runtime.h"
#include "frontend.h"

struct ls_workspace {
  const ls_executable *executable;
  void *owned; /* what to free with the workspace */
  char *arena;
  char *staging;       /* NULL: not yet */
  void *staging_owned; /* what to free of it */
  const void **inputs;
  void **results;
  bool *strided;
  ls_progress *progress; /* NULL: no one watches */
  void *progress_user;
  atomic_flag busy;
};

/* -- layout ------------------------------------------------------------ */

static size_t up(size_t bytes) {
  return (bytes + WORKSPACE_ALIGN - 1) / WORKSPACE_ALIGN * WORKSPACE_ALIGN;
}

/* The struct and its tables. */
static size_t head_bytes(const ls_executable *executable) {
  const ls_program *program = executable->program;
  size_t n_inputs = (size_t)program->n_inputs;
  size_t n_results = (size_t)program->n_results;
  return up(sizeof(ls_workspace) + (n_inputs + n_results) * sizeof(void *) +
            n_inputs);
}

size_t ls_workspace_bytes(const ls_executable *executable, bool staged) {
  if (executable == NULL) return 0;
  return WORKSPACE_ALIGN - 1 + head_bytes(executable) +
         executable->arena_bytes + (staged ? executable->staged_bytes : 0);
}

static ls_workspace *lay_out(const ls_executable *executable, void *memory,
                             size_t bytes) {
  char *start = (char *)up((uintptr_t)memory);
  ls_workspace *workspace = (ls_workspace *)(void *)start;
  const ls_program *program = executable->program;
  *workspace =
      (ls_workspace){.executable = executable, .busy = ATOMIC_FLAG_INIT};
  workspace->inputs = (const void **)(void *)(workspace + 1);
  workspace->results = (void **)(void *)(workspace->inputs + program->n_inputs);
  workspace->strided = (bool *)(workspace->results + program->n_results);
  workspace->arena = start + head_bytes(executable);
  if (bytes >= ls_workspace_bytes(executable, true))
    workspace->staging = workspace->arena + executable->arena_bytes;
  return workspace;
}

ls_workspace *ls_workspace_place(const ls_executable *executable, void *memory,
                                 size_t bytes, ls_error *error) {
  if (executable == NULL || memory == NULL) {
    front_error(error, LS_BAD_ARGUMENT, "ls_workspace_place: %s is NULL",
                executable ? "the memory" : "the executable");
    return NULL;
  }
  size_t least = ls_workspace_bytes(executable, false);
  if (bytes < least) {
    front_error(error, LS_BAD_ARGUMENT,
                "ls_workspace_place: the workspace needs %zu bytes, not %zu",
                least, bytes);
    return NULL;
  }
  front_fine(error);
  return lay_out(executable, memory, bytes);
}

/* Memory for much is asked for in large pages: its first use takes less time,
 * and so does walking it. */
static void *large_memory(size_t bytes) {
  enum { PAGE = 2 << 20, LEAST = 16 * PAGE };
  void *memory = NULL;
  if (bytes < LEAST) return malloc(bytes);
  if (posix_memalign(&memory, PAGE, bytes) != 0) return NULL;
  madvise(memory, bytes, MADV_HUGEPAGE); /* a hint: it may fail */
  return memory;
}

ls_workspace *ls_workspace_create(const ls_executable *executable,
                                  ls_error *error) {
  if (executable == NULL) {
    front_error(error, LS_BAD_ARGUMENT,
                "ls_workspace_create: the executable is NULL");
    return NULL;
  }
  size_t bytes = ls_workspace_bytes(executable, false);
  void *memory = large_memory(bytes);
  if (memory == NULL) {
    front_error(error, LS_FAILED, "no memory for a workspace of %zu bytes",
                bytes);
    return NULL;
  }
  /* One that has room for nothing needs no room. */
  ls_workspace *workspace =
      lay_out(executable, memory, executable->staged_bytes ? bytes : SIZE_MAX);
  workspace->owned = memory;
  front_fine(error);
  return workspace;
}

void ls_workspace_destroy(ls_workspace *workspace) {
  if (workspace == NULL) return;
  free(workspace->staging_owned);
  free(workspace->owned);
}

void ls_workspace_watch(ls_workspace *workspace, ls_progress *progress,
                        void *user) {
  if (workspace == NULL) return;
  workspace->progress = progress;
  workspace->progress_user = user;
}

/* -- a run ------------------------------------------------------------- */

static bool ensure_staging(ls_workspace *workspace) {
  if (workspace->staging) return true;
  size_t bytes = workspace->executable->staged_bytes + WORKSPACE_ALIGN;
  workspace->staging_owned = malloc(bytes);
  if (workspace->staging_owned == NULL) return false;
  workspace->staging = (char *)up((uintptr_t)workspace->staging_owned);
  return true;
}

/* Where each input is read, and each result written. */
static ls_status place_operands(ls_workspace *workspace, const ls_array *inputs,
                                const ls_array *results, ls_error *error) {
  const ls_program *program = workspace->executable->program;
  size_t offset = 0;
  for (int i = 0; i < program->n_inputs; i++) {
    workspace->inputs[i] = inputs[i].data;
    if (workspace->strided[i]) {
      if (!ensure_staging(workspace)) return front_no_memory(error);
      char *packed = workspace->staging + offset;
      front_pack(&inputs[i], packed);
      workspace->inputs[i] = packed;
    }
    offset += up(program->inputs[i].bytes);
  }
  for (int i = 0; i < program->n_results; i++)
    workspace->results[i] = results[i].data;
  return LS_OK;
}

static ls_status run_in(ls_workspace *workspace, const ls_array *inputs,
                        int n_inputs, const ls_array *results, int n_results,
                        ls_error *error) {
  const ls_executable *executable = workspace->executable;
  ls_status status =
      front_check_arrays(executable->program, inputs, n_inputs, results,
                         n_results, workspace->strided, error);
  if (status == LS_OK)
    status = place_operands(workspace, inputs, results, error);
  if (status != LS_OK) return status;
  RtWatch watch;
  rt_watch_start(&watch, workspace->progress, workspace->progress_user,
                 cg_work(executable->native));
  if (executable->calls_blas) rt_blas_enter();
  cg_run_watched(executable->native, workspace->inputs, workspace->results,
                 workspace->arena, &watch);
  if (executable->calls_blas) rt_blas_leave();
  atomic_fetch_add_explicit(&((ls_executable *)(uintptr_t)executable)->runs, 1,
                            memory_order_relaxed);
  if (watch.cancelled)
    return front_error(error, LS_CANCELLED, "ls_run: cancelled");
  return front_fine(error);
}

static ls_status run_alone(const ls_executable *executable,
                           const ls_array *inputs, int n_inputs,
                           const ls_array *results, int n_results,
                           ls_error *error) {
  ls_workspace *workspace = ls_workspace_create(executable, error);
  if (workspace == NULL) return LS_FAILED;
  ls_status status =
      run_in(workspace, inputs, n_inputs, results, n_results, error);
  ls_workspace_destroy(workspace);
  return status;
}

ls_status ls_run(const ls_executable *executable, const ls_array *inputs,
                 int n_inputs, const ls_array *results, int n_results,
                 ls_workspace *workspace, ls_error *error) {
  if (executable == NULL)
    return front_error(error, LS_BAD_ARGUMENT,
                       "ls_run: the executable is NULL");
  if (workspace == NULL)
    return run_alone(executable, inputs, n_inputs, results, n_results, error);
  if (workspace->executable != executable)
    return front_error(error, LS_BAD_ARGUMENT,
                       "ls_run: the workspace is another executable's");
  if (atomic_flag_test_and_set_explicit(&workspace->busy, memory_order_acquire))
    return front_error(error, LS_BAD_ARGUMENT,
                       "ls_run: another run is using the workspace");
  ls_status status =
      run_in(workspace, inputs, n_inputs, results, n_results, error);
  atomic_flag_clear_explicit(&workspace->busy, memory_order_release);
  return status;
}
