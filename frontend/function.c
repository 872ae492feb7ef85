/* function.c: trace once for each shape.
 *
 * Comes in: arrays.  Their dtypes, dims and axes are the key, written out as
 * bytes and compared whole; the table maps it to an executable and its idle
 * workspaces.  Look-ups run at the same time (a read lock); whoever misses
 * traces and compiles under a mutex, after having looked once more. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) (table_full = true)
#include <uthash.h>

#include "function.h"

struct Traced {
  UT_hash_handle hh;
  ls_executable *executable;
  pthread_mutex_t mutex; /* guards the idle workspaces */
  ls_workspace **idle;
  int64_t n_idle, idle_room;
  char key[];
};

/* -- life -------------------------------------------------------------- */

static bool make_locks(ls_function *f) {
  pthread_mutexattr_t attributes;
  if (pthread_rwlock_init(&f->lock, NULL) != 0) return false;
  bool made = pthread_mutexattr_init(&attributes) == 0;
  if (made) {
    /* So that a trace that calls its own function gets an error. */
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    made = pthread_mutex_init(&f->making, &attributes) == 0;
    pthread_mutexattr_destroy(&attributes);
  }
  if (!made) pthread_rwlock_destroy(&f->lock);
  return made;
}

static bool copy_options(ls_function *f, const ls_options *options) {
  if (options == NULL) return true;
  f->options = *options;
  if (options->without == NULL) return true;
  f->options.without = f->without = strdup(options->without);
  return f->without != NULL;
}

ls_function *ls_function_create(const char *name, ls_trace *trace, void *user,
                                const ls_options *options, ls_error *error) {
  Options checked;
  if (name == NULL) name = "program";
  if (trace == NULL || !front_is_name(name)) {
    front_error(error, LS_BAD_ARGUMENT, "ls_function_create: %s",
                trace ? "a name is letters, digits and _" : "trace is NULL");
    return NULL;
  }
  if (front_options(options, &checked, error) != LS_OK) return NULL;
  ls_function *f = calloc(1, sizeof *f);
  if (f == NULL) {
    front_no_memory(error);
    return NULL;
  }
  f->trace = trace;
  f->user = user;
  f->name = strdup(name);
  bool made = f->name && copy_options(f, options) && make_locks(f);
  if (made) {
    front_fine(error);
    return f;
  }
  free(f->name);
  free(f->without);
  free(f);
  front_no_memory(error);
  return NULL;
}

static void traced_destroy(Traced *traced) {
  if (traced == NULL) return;
  for (int64_t i = 0; i < traced->n_idle; i++)
    ls_workspace_destroy(traced->idle[i]);
  free(traced->idle);
  ls_executable_destroy(traced->executable);
  pthread_mutex_destroy(&traced->mutex);
  free(traced);
}

void ls_function_destroy(ls_function *f) {
  if (f == NULL) return;
  for (Traced *traced = f->table, *next; traced; traced = next) {
    next = traced->hh.next;
    HASH_DEL(f->table, traced);
    traced_destroy(traced);
  }
  for (int a = 0; a < f->n_axes; a++) free(f->axes[a].name);
  pthread_rwlock_destroy(&f->lock);
  pthread_mutex_destroy(&f->making);
  free(f->name);
  free(f->without);
  free(f);
}

static ls_status declare_axis(ls_function *f, const char *name, int64_t size) {
  if (!front_is_name(name) || size < 1 || f->n_axes == IR_MAX_AXES ||
      atomic_load(&f->traces) > 0)
    return LS_BAD_ARGUMENT;
  for (int a = 0; a < f->n_axes; a++)
    if (strcmp(f->axes[a].name, name) == 0) return LS_BAD_ARGUMENT;
  char *copy = strdup(name);
  if (copy == NULL) return LS_FAILED;
  f->axes[f->n_axes++] = (NamedAxis){copy, size};
  return LS_OK;
}

ls_status ls_function_axis(ls_function *f, const char *name, int64_t size) {
  if (f == NULL || pthread_mutex_lock(&f->making) != 0) return LS_BAD_ARGUMENT;
  ls_status status = declare_axis(f, name, size);
  pthread_mutex_unlock(&f->making);
  return status;
}

ls_function_counts ls_function_counters(const ls_function *function) {
  ls_function *f = (ls_function *)(uintptr_t)function;
  if (f == NULL) return (ls_function_counts){0};
  return (ls_function_counts){atomic_load(&f->traces),
                              atomic_load(&f->compiles), atomic_load(&f->hits)};
}

/* -- keys -------------------------------------------------------------- */

typedef struct Key {
  char *bytes;
  size_t length;
  char few[512];
} Key;

static size_t key_room(const ls_array *inputs, int n_inputs) {
  size_t room = sizeof(int);
  for (int i = 0; i < n_inputs; i++)
    room += 2 + (size_t)inputs[i].rank * sizeof(int64_t) +
            (inputs[i].axes ? strlen(inputs[i].axes) : 0) + 1;
  return room;
}

/* dtype, rank, dims, axes without blanks, 0: for each input, after their
 * number. */
static char *put_input(char *to, const ls_array *input) {
  *to++ = (char)input->dtype;
  *to++ = (char)input->rank;
  size_t bytes = (size_t)input->rank * sizeof(int64_t);
  memcpy(to, input->dims, bytes);
  to += bytes;
  for (const char *from = input->axes ? input->axes : ""; *from; from++)
    if (*from != ' ') *to++ = *from;
  *to++ = 0;
  return to;
}

static ls_status key_make(Key *key, const ls_array *inputs, int n_inputs,
                          ls_error *error) {
  key->bytes = key->few;
  if (n_inputs < 0 || (n_inputs > 0 && inputs == NULL))
    return front_error(error, LS_BAD_ARGUMENT,
                       "ls_function: the inputs are NULL");
  for (int i = 0; i < n_inputs; i++)
    if (inputs[i].rank < 0 || inputs[i].rank > LS_MAX_RANK ||
        ls_dtype_bytes(inputs[i].dtype) == 0)
      return front_error(error, LS_BAD_FILE,
                         "ls_function: input %d has no dtype, or rank %d (the "
                         "most is %d)",
                         i, inputs[i].rank, LS_MAX_RANK);
  size_t room = key_room(inputs, n_inputs);
  if (room > sizeof key->few) key->bytes = malloc(room);
  if (key->bytes == NULL) return front_no_memory(error);
  memcpy(key->bytes, &n_inputs, sizeof n_inputs);
  char *end = key->bytes + sizeof n_inputs;
  for (int i = 0; i < n_inputs; i++) end = put_input(end, &inputs[i]);
  key->length = (size_t)(end - key->bytes);
  return LS_OK;
}

static void key_free(Key *key) {
  if (key->bytes != key->few) free(key->bytes);
}

/* -- the table --------------------------------------------------------- */

static Traced *find(ls_function *f, const Key *key) {
  Traced *traced;
  pthread_rwlock_rdlock(&f->lock);
  HASH_FIND(hh, f->table, key->bytes, key->length, traced);
  pthread_rwlock_unlock(&f->lock);
  return traced;
}

static Traced *insert(ls_function *f, const Key *key,
                      ls_executable *executable) {
  bool table_full = false;
  Traced *traced = calloc(1, sizeof *traced + key->length + 1);
  if (traced == NULL) return NULL;
  memcpy(traced->key, key->bytes, key->length);
  traced->executable = executable;
  pthread_mutex_init(&traced->mutex, NULL);
  pthread_rwlock_wrlock(&f->lock);
  HASH_ADD_KEYPTR(hh, f->table, traced->key, key->length, traced);
  pthread_rwlock_unlock(&f->lock);
  if (!table_full) return traced;
  traced->executable = NULL; /* still the caller's */
  traced_destroy(traced);
  return NULL;
}

/* Under f->making. */
static Traced *make(ls_function *f, const Key *key, const ls_array *inputs,
                    int n_inputs, ls_error *error) {
  Traced *traced = find(f, key);
  if (traced) {
    atomic_fetch_add_explicit(&f->hits, 1, memory_order_relaxed);
    return traced;
  }
  ls_executable *executable = front_trace(f, inputs, n_inputs, error);
  if (executable == NULL) return NULL;
  traced = insert(f, key, executable);
  if (traced) return traced;
  ls_executable_destroy(executable);
  front_no_memory(error);
  return NULL;
}

static Traced *look_up(ls_function *f, const ls_array *inputs, int n_inputs,
                       ls_error *error) {
  Key key;
  if (key_make(&key, inputs, n_inputs, error) != LS_OK) return NULL;
  Traced *traced = find(f, &key);
  if (traced) {
    atomic_fetch_add_explicit(&f->hits, 1, memory_order_relaxed);
  } else if (pthread_mutex_lock(&f->making) == 0) {
    traced = make(f, &key, inputs, n_inputs, error);
    pthread_mutex_unlock(&f->making);
  } else {
    front_error(error, LS_BAD_ARGUMENT,
                "%s: its own trace may not call the function", f->name);
  }
  key_free(&key);
  return traced;
}

/* -- calls ------------------------------------------------------------- */

static ls_workspace *take_workspace(Traced *traced, ls_error *error) {
  ls_workspace *workspace = NULL;
  pthread_mutex_lock(&traced->mutex);
  if (traced->n_idle > 0) workspace = traced->idle[--traced->n_idle];
  pthread_mutex_unlock(&traced->mutex);
  return workspace ? workspace : ls_workspace_create(traced->executable, error);
}

static void give_workspace(Traced *traced, ls_workspace *workspace) {
  pthread_mutex_lock(&traced->mutex);
  bool kept = front_grow((void **)&traced->idle, traced->n_idle,
                         &traced->idle_room, sizeof *traced->idle);
  if (kept) traced->idle[traced->n_idle++] = workspace;
  pthread_mutex_unlock(&traced->mutex);
  if (!kept) ls_workspace_destroy(workspace);
}

ls_status ls_function_call(ls_function *f, const ls_array *inputs, int n_inputs,
                           const ls_array *results, int n_results,
                           ls_error *error) {
  ls_error room;
  if (error == NULL) error = &room; /* the status is needed either way */
  if (f == NULL)
    return front_error(error, LS_BAD_ARGUMENT,
                       "ls_function_call: the function is NULL");
  Traced *traced = look_up(f, inputs, n_inputs, error);
  if (traced == NULL) return error->status;
  ls_workspace *workspace = take_workspace(traced, error);
  if (workspace == NULL) return error->status;
  ls_status status = ls_run(traced->executable, inputs, n_inputs, results,
                            n_results, workspace, error);
  give_workspace(traced, workspace);
  return status;
}

const ls_executable *ls_function_executable(ls_function *f,
                                            const ls_array *inputs,
                                            int n_inputs, ls_error *error) {
  if (f == NULL) {
    front_error(error, LS_BAD_ARGUMENT,
                "ls_function_executable: the function is NULL");
    return NULL;
  }
  Traced *traced = look_up(f, inputs, n_inputs, error);
  if (traced == NULL) return NULL;
  front_fine(error);
  return traced->executable;
}
