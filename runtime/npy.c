/* npy.c: reads NumPy's array files (npy_write.c writes them).
 *
 * Comes in: a path.  Goes out: a row-major array in native byte order, or a
 * message that starts with the path.  Nothing in a file is believed before it
 * is checked: the header is parsed strictly, and no more memory is taken than
 * the file can fill.
 *
 * Format: "\x93NUMPY", two version bytes, the header's length (2 bytes in
 * version 1, else 4, little endian), the header, which is a Python dict with
 * the keys descr, fortran_order and shape, then the elements. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime.h"

enum {
  MAGIC_BYTES = 6,
  HEADER_LIMIT = 1 << 20, /* a longer one is no honest header */
  FIRST_CHUNK = 1 << 20
};

static const char magic[MAGIC_BYTES + 1] = "\x93NUMPY";

typedef struct Reader {
  const char *path;
  FILE *file;
  int64_t left;     /* bytes still to come; -1: not a regular file */
  char *header;     /* malloc'd */
  const char *next; /* what the header's parser looks at */
  const char *end;
  bool swap, fortran;
  char *message;
} Reader;

__attribute__((format(printf, 2, 3))) static bool fail(Reader *reader,
                                                       const char *format,
                                                       ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (!reader->message &&
      asprintf(&reader->message, "%s: %s", reader->path, text) < 0)
    reader->message = NULL;
  return false;
}

/* -- bytes ------------------------------------------------------------- */

static bool open_file(Reader *reader) {
  reader->file = fopen(reader->path, "rb");
  if (!reader->file) return fail(reader, "cannot open: %s", strerror(errno));
  struct stat status;
  if (fstat(fileno(reader->file), &status) != 0)
    return fail(reader, "cannot read: %s", strerror(errno));
  if (S_ISDIR(status.st_mode)) return fail(reader, "is a directory");
  reader->left = S_ISREG(status.st_mode) ? (int64_t)status.st_size : -1;
  return true;
}

/* Read exactly this many bytes, or say in which part the file ends. */
static bool read_bytes(Reader *reader, void *to, size_t bytes,
                       const char *part) {
  size_t got = fread(to, 1, bytes, reader->file);
  if (got < bytes && ferror(reader->file))
    return fail(reader, "cannot read: %s", strerror(errno));
  if (got < bytes) return fail(reader, "ends within its %s", part);
  if (reader->left >= 0) reader->left -= (int64_t)bytes;
  return true;
}

/* The same for a size that the file itself names: a file that cannot be
 * measured is read in growing pieces, so that a lie costs no memory. */
static void *read_new(Reader *reader, size_t bytes, const char *part) {
  size_t room = bytes;
  if (reader->left < 0 && room > FIRST_CHUNK) room = FIRST_CHUNK;
  char *data = malloc(room ? room : 1);
  size_t got = 0;
  while (data && got < bytes) {
    if (!read_bytes(reader, data + got, room - got, part)) {
      free(data);
      return NULL;
    }
    got = room;
    if (got == bytes) break;
    room = bytes - got > got ? got * 2 : bytes;
    char *more = realloc(data, room);
    if (!more) free(data);
    data = more;
  }
  if (!data) fail(reader, "no memory for %zu bytes", bytes);
  return data;
}

/* -- the header -------------------------------------------------------- */

static bool read_header(Reader *reader) {
  unsigned char start[MAGIC_BYTES + 2], size[4] = {0};
  int first = getc(reader->file);
  if (first == EOF && !ferror(reader->file))
    return fail(reader, "is empty, not an NPY file");
  ungetc(first, reader->file);
  if (!read_bytes(reader, start, sizeof start, "first 8 bytes")) return false;
  if (memcmp(start, magic, MAGIC_BYTES) != 0)
    return fail(reader, "not an NPY file (it does not start with \\x93NUMPY)");
  int version = start[MAGIC_BYTES];
  if (version < 1 || version > 3)
    return fail(reader, "NPY version %d.%d; 1, 2 and 3 are known", version,
                start[MAGIC_BYTES + 1]);
  if (!read_bytes(reader, size, version == 1 ? 2 : 4, "header's length"))
    return false;
  size_t length = (size_t)size[0] | (size_t)size[1] << 8 |
                  (size_t)size[2] << 16 | (size_t)size[3] << 24;
  if (length > HEADER_LIMIT)
    return fail(reader, "a header of %zu bytes, more than any array needs",
                length);
  reader->header = read_new(reader, length, "header");
  reader->next = reader->header;
  reader->end = reader->header ? reader->header + length : NULL;
  return reader->header != NULL;
}

static void skip_space(Reader *reader) {
  while (reader->next < reader->end && *reader->next &&
         strchr(" \t\r\n", *reader->next))
    reader->next++;
}

static bool accept(Reader *reader, char wanted) {
  skip_space(reader);
  if (reader->next == reader->end || *reader->next != wanted) return false;
  reader->next++;
  return true;
}

static bool expect(Reader *reader, char wanted) {
  if (accept(reader, wanted)) return true;
  return fail(reader, "garbled header: no '%c' at its byte %d", wanted,
              (int)(reader->next - reader->header));
}

/* A quoted string without escapes. */
static bool read_string(Reader *reader, char *text, size_t room) {
  char quote = accept(reader, '\'') ? '\'' : '"';
  if (quote == '"' && !expect(reader, '"')) return false;
  size_t length = 0;
  while (reader->next < reader->end && *reader->next != quote) {
    unsigned char c = (unsigned char)*reader->next++;
    if (c < ' ' || c > '~' || c == '\\' || length + 1 >= room)
      return fail(reader, "garbled header: a bad string at its byte %d",
                  (int)(reader->next - 1 - reader->header));
    text[length++] = (char)c;
  }
  text[length] = 0;
  return expect(reader, quote);
}

static bool read_bool(Reader *reader, bool *value) {
  skip_space(reader);
  size_t left = (size_t)(reader->end - reader->next);
  *value = left >= 4 && memcmp(reader->next, "True", 4) == 0;
  if (!*value && !(left >= 5 && memcmp(reader->next, "False", 5) == 0))
    return fail(reader, "garbled header: fortran_order is not True or False");
  reader->next += *value ? 4 : 5;
  return true;
}

static bool read_dim(Reader *reader, int64_t *dim) {
  if (accept(reader, '-')) return fail(reader, "a negative dim in its shape");
  if (reader->next == reader->end || *reader->next < '0' || *reader->next > '9')
    return fail(reader, "garbled header: a dim is not a number");
  *dim = 0;
  for (; reader->next < reader->end; reader->next++) {
    int digit = *reader->next - '0';
    if (digit < 0 || digit > 9) break;
    if (__builtin_mul_overflow(*dim, 10, dim) ||
        __builtin_add_overflow(*dim, digit, dim))
      return fail(reader, "a dim of its shape is beyond 2^63");
  }
  accept(reader, 'L'); /* Python 2 wrote 3L */
  return true;
}

static bool read_shape(Reader *reader, Npy *npy) {
  bool comma = true;
  if (!expect(reader, '(')) return false;
  for (npy->rank = 0; !accept(reader, ')'); npy->rank++) {
    if (!comma) return expect(reader, ',');
    if (npy->rank == IR_MAX_RANK)
      return fail(reader, "an array of more than %d dims", IR_MAX_RANK);
    if (!read_dim(reader, &npy->dims[npy->rank])) return false;
    comma = accept(reader, ',');
  }
  if (npy->rank == 1 && !comma)
    return fail(reader, "garbled header: its shape is not a tuple");
  return true;
}

/* -- dtypes ------------------------------------------------------------ */

typedef struct Code {
  const char *text;
  DType dtype;
} Code;

static const Code codes[] = {
    {"b1", DT_BOOL}, {"?", DT_BOOL}, {"i1", DT_I8},  {"i2", DT_I16},
    {"i4", DT_I32},  {"i8", DT_I64}, {"u1", DT_U8},  {"u2", DT_U16},
    {"u4", DT_U32},  {"u8", DT_U64}, {"f2", DT_F16}, {"f4", DT_F32},
    {"f8", DT_F64},
};

static const char *refusal(const char *code) {
  switch (*code) {
    case 'O':
      return "pickled Python objects, which are never read";
    case 'c':
      return "complex numbers, which Lockstep does not have";
    case 'V':
      return "raw bytes; write bf16 as array.view(numpy.uint16)";
    case 'S':
    case 'a':
    case 'U':
      return "text, not numbers";
    case 'M':
    case 'm':
      return "dates or times, not numbers";
    case 'f':
      return "a float format that Lockstep does not have";
    default:
      return "which is not known";
  }
}

static bool read_dtype(Reader *reader, Npy *npy) {
  char text[64];
  skip_space(reader);
  if (reader->next < reader->end && *reader->next == '[')
    return fail(reader, "a structured dtype (records), not plain numbers");
  if (!read_string(reader, text, sizeof text)) return false;
  const char *code = text;
  bool big = false, ordered = *code && strchr("<>=|", *code);
  if (ordered) big = *code++ == '>';
  for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
    if (strcmp(codes[i].text, code) != 0) continue;
    npy->dtype = codes[i].dtype;
    bool native_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    bool little = ordered && text[0] == '<';
    reader->swap = native_big ? little : big;
    return true;
  }
  return fail(reader, "dtype '%s': %s", text, refusal(code));
}

enum { HAS_DTYPE = 1, HAS_ORDER = 2, HAS_SHAPE = 4, HAS_ALL = 7 };

static bool read_entry(Reader *reader, Npy *npy, unsigned *seen) {
  char key[32];
  if (!read_string(reader, key, sizeof key) || !expect(reader, ':'))
    return false;
  unsigned bit = strcmp(key, "descr") == 0           ? HAS_DTYPE
                 : strcmp(key, "fortran_order") == 0 ? HAS_ORDER
                 : strcmp(key, "shape") == 0         ? HAS_SHAPE
                                                     : 0;
  if (!bit) return fail(reader, "garbled header: unknown key '%s'", key);
  if (*seen & bit) return fail(reader, "garbled header: '%s' twice", key);
  *seen |= bit;
  if (bit == HAS_DTYPE) return read_dtype(reader, npy);
  if (bit == HAS_ORDER) return read_bool(reader, &reader->fortran);
  return read_shape(reader, npy);
}

static bool parse_header(Reader *reader, Npy *npy) {
  unsigned seen = 0;
  bool comma = true;
  if (!expect(reader, '{')) return false;
  while (!accept(reader, '}')) {
    if (!comma) return expect(reader, ',');
    if (!read_entry(reader, npy, &seen)) return false;
    comma = accept(reader, ',');
  }
  skip_space(reader);
  if (reader->next != reader->end)
    return fail(reader, "garbled header: more after its closing brace");
  if (seen != HAS_ALL)
    return fail(reader, "garbled header: no '%s'",
                !(seen & HAS_DTYPE)   ? "descr"
                : !(seen & HAS_ORDER) ? "fortran_order"
                                      : "shape");
  return true;
}

/* -- elements ---------------------------------------------------------- */

/* False: more than any memory. */
static bool count_elements(const Npy *npy, int64_t *elements) {
  int64_t bytes = (int64_t)ir_dtype_bytes(npy->dtype);
  *elements = 1;
  for (int d = 0; d < npy->rank; d++)
    if (npy->dims[d] == 0) return *elements = 0, true;
  for (int d = 0; d < npy->rank; d++)
    if (__builtin_mul_overflow(*elements, npy->dims[d], elements)) return false;
  return !__builtin_mul_overflow(bytes, *elements, &bytes);
}

static bool check_size(Reader *reader, int64_t bytes) {
  if (reader->left < 0 || reader->left == bytes) return true;
  if (reader->left > bytes)
    return fail(reader, "holds %lld bytes more than its shape takes",
                (long long)(reader->left - bytes));
  return fail(reader, "truncated: its shape takes %lld bytes, %lld are there",
              (long long)bytes, (long long)reader->left);
}

static void swap_bytes(char *data, int64_t elements, size_t bytes) {
  for (int64_t i = 0; i < elements; i++, data += bytes)
    for (size_t a = 0, b = bytes - 1; a < b; a++, b--) {
      char c = data[a];
      data[a] = data[b];
      data[b] = c;
    }
}

/* Walk the result in row-major order, the source by its strides. */
static char *from_fortran(const Npy *npy, int64_t elements, size_t bytes) {
  int64_t step[IR_MAX_RANK], index[IR_MAX_RANK] = {0}, from = 0, stride = 1;
  char *to = malloc((size_t)elements * bytes);
  for (int d = 0; d < npy->rank; d++) {
    step[d] = stride;
    stride *= npy->dims[d];
  }
  for (int64_t i = 0; to && i < elements; i++) {
    memcpy(to + (size_t)i * bytes, (char *)npy->data + (size_t)from * bytes,
           bytes);
    for (int d = npy->rank - 1; d >= 0; d--) {
      from += step[d];
      if (++index[d] < npy->dims[d]) break;
      from -= step[d] * npy->dims[d];
      index[d] = 0;
    }
  }
  return to;
}

static bool read_elements(Reader *reader, Npy *npy) {
  int64_t elements;
  size_t bytes = ir_dtype_bytes(npy->dtype);
  if (!count_elements(npy, &elements))
    return fail(reader, "its shape is beyond any memory");
  if (!check_size(reader, elements * (int64_t)bytes)) return false;
  npy->data = read_new(reader, (size_t)elements * bytes, "elements");
  if (!npy->data) return false;
  if (reader->swap && bytes > 1) swap_bytes(npy->data, elements, bytes);
  if (npy->dtype == DT_BOOL)
    for (int64_t i = 0; i < elements; i++)
      ((uint8_t *)npy->data)[i] = ((uint8_t *)npy->data)[i] != 0;
  if (!reader->fortran || npy->rank < 2 || elements == 0) return true;
  char *ordered = from_fortran(npy, elements, bytes);
  if (!ordered) return fail(reader, "no memory to reorder it");
  free(npy->data);
  npy->data = ordered;
  return true;
}

char *rt_npy_read(const char *path, Npy *npy) {
  Reader reader = {.path = path, .left = -1};
  *npy = (Npy){0};
  bool fine = open_file(&reader) && read_header(&reader) &&
              parse_header(&reader, npy) && read_elements(&reader, npy);
  if (reader.file) fclose(reader.file);
  free(reader.header);
  if (fine) return NULL;
  rt_npy_free(npy);
  return reader.message;
}

void rt_npy_free(Npy *npy) {
  free(npy->data);
  npy->data = NULL;
}
