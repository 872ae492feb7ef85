/* output.c: arrays for people and as files.
 *
 * Comes in: an array with its type as the program writes it.  Goes out: text
 * on stdout (floats with the fewest digits that read back the same, long
 * arrays shortened), or an NPY file. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../../ir/text.h"
#include "tool.h"

/* How many entries of a long dim stand before and after its dots. */
typedef struct Edge {
  int head, tail;
} Edge;

enum { SHORTEN_ABOVE = 1000 };

static double shown(const Array *array, Edge edge) {
  double numbers = 1;
  for (int d = 0; d < array->rank; d++) {
    int64_t most = edge.head + edge.tail;
    numbers *= (double)(array->dims[d] < most ? array->dims[d] : most);
  }
  return numbers;
}

/* The widest edges that keep the text short, whatever the rank. */
static Edge choose_edge(const Array *array) {
  static const Edge edges[] = {{3, 3}, {2, 2}, {1, 1}, {1, 0}};
  int i = 0;
  if (array->elements <= SHORTEN_ABOVE) return (Edge){SHORTEN_ABOVE, 0};
  while (i < 3 && shown(array, edges[i]) > SHORTEN_ABOVE) i++;
  return edges[i];
}

typedef struct Printer {
  Buffer out;
  const Array *array;
  Edge edge;
} Printer;

/* Whole numbers are written out: 10, not the 1e+01 of dumps. */
static bool put_whole(Printer *p, DType dtype, double value) {
  bool small = ir_is_float(dtype) && fabs(value) < 1e15;
  if (!small || value != floor(value) || (value == 0 && signbit(value)))
    return false;
  ir_put_int(&p->out, (int64_t)value);
  return true;
}

static void put_element(Printer *p, int64_t i) {
  DType dtype = p->array->type.dtype;
  const char *data = p->array->data;
  Scalar value =
      ir_scalar_load(dtype, data + i * (int64_t)ir_dtype_bytes(dtype));
  if (!put_whole(p, dtype, value.f)) ir_put_number(&p->out, dtype, value);
}

/* Between two entries of dim d: the last dim stands on one line. */
static void put_gap(Printer *p, int d) {
  ir_put_text(&p->out, d + 1 < p->array->rank ? ",\n  " : ", ");
  for (int i = 0; d + 1 < p->array->rank && i <= d; i++)
    ir_put(&p->out, " ", 1);
}

/* Dims from d on, of which the first element is number `from`; `elements` of
 * them are below. */
static void put_dim(Printer *p, int d, int64_t from, int64_t elements) {
  if (d == p->array->rank) {
    put_element(p, from);
    return;
  }
  int64_t n = p->array->dims[d], stride = n ? elements / n : 0;
  ir_put(&p->out, "[", 1);
  for (int64_t i = 0; i < n; i++) {
    if (i > 0) put_gap(p, d);
    if (i == p->edge.head && n > p->edge.head + p->edge.tail) {
      ir_put_text(&p->out, "...");
      i = n - p->edge.tail - 1;
    } else {
      put_dim(p, d + 1, from + i * stride, stride);
    }
  }
  ir_put(&p->out, "]", 1);
}

int tool_print_array(const Program *program, const Array *array) {
  Printer p = {.array = array, .edge = choose_edge(array)};
  ir_put_text(&p.out, array->name);
  ir_put_text(&p.out, ": ");
  ir_put_type(&p.out, program, array->type);
  ir_put_text(&p.out, array->rank > 1 ? " =\n  " : " = ");
  put_dim(&p, 0, 0, array->elements);
  char *text = ir_buffer_take(&p.out);
  if (!text) return tool_error(FAILED, "no memory");
  puts(text);
  free(text);
  return FINE;
}

static int make_folder(const char *path) {
  struct stat status;
  char *copy = strdup(path);
  if (!copy) return tool_error(FAILED, "no memory");
  for (char *slash = copy + 1; (slash = strchr(slash, '/')); slash++) {
    *slash = 0;
    mkdir(copy, 0777);
    *slash = '/';
  }
  int made = mkdir(copy, 0777), error = errno;
  free(copy);
  if (made == 0) return FINE;
  if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) return FINE;
  if (error == EEXIST) error = ENOTDIR;
  return tool_error(FAILED, "cannot make the folder %s: %s", path,
                    strerror(error));
}

int tool_write_array(const Program *program, const char *directory,
                     const Array *array) {
  char *path = NULL;
  int code = make_folder(directory);
  if (code != FINE) return code;
  if (asprintf(&path, "%s/%s.npy", directory, array->name) < 0)
    return tool_error(FAILED, "no memory");
  char *wrong = rt_npy_write(path, array->type.dtype, array->rank, array->dims,
                             array->data);
  if (wrong)
    code = tool_error(FAILED, "%s", wrong);
  else
    printf("%s: %s%s\n", path, ir_type_text(program, array->type).text,
           array->type.dtype == DT_BF16 ? ", its bits as u16" : "");
  free(wrong);
  free(path);
  return code;
}
