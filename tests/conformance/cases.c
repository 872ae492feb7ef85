/* cases.c: AREA.cases, line by line, into Cases.  Comes in: an open file.
 * Goes out: one Case after the other, arrays as the machine holds them. */
#include "cases.h"

#include <ctype.h>
#include <inttypes.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

static bool bad(CaseReader *reader, const char *what) {
  snprintf(reader->problem, sizeof reader->problem, "line %d: %s", reader->line,
           what);
  return false;
}

static bool read_line(CaseReader *reader) {
  if (reader->pending) {
    reader->pending = false;
    return true;
  }
  ssize_t length = getline(&reader->text, &reader->room, reader->file);
  if (length < 0) return false;
  if (length > 0 && reader->text[length - 1] == '\n')
    reader->text[length - 1] = 0;
  reader->line++;
  return true;
}

/* -- arrays ------------------------------------------------------------ */

static void store_text(CaseArray *array, const char *text) {
  Scalar value = {0};
  char *at = (char *)array->data +
             (size_t)array->filled++ * ir_dtype_bytes(array->dtype);
  if (array->dtype == DT_BF16) { /* by its bits */
    uint16_t bits = (uint16_t)strtoul(text, NULL, 16);
    memcpy(at, &bits, sizeof bits);
    return;
  }
  if (ir_is_float(array->dtype))
    value.f = strtod(text, NULL);
  else if (ir_is_signed(array->dtype))
    value.i = strtoll(text, NULL, 10);
  else
    value.u = strtoull(text, NULL, 10);
  ir_scalar_store(array->dtype, at, value);
}

static bool store_token(CaseArray *array, const char *token) {
  const char *star = strchr(token, '*'), *dots = strstr(token, "..");
  int64_t count = 1, first = 0;
  if (star) count = strtoll(token, NULL, 10);
  if (dots) {
    first = strtoll(token, NULL, 10);
    count = strtoll(dots + 2, NULL, 10) - first + 1;
  }
  if (count < 0 || count > array->elements - array->filled) return false;
  for (int64_t i = 0; i < count; i++) {
    char whole[32];
    if (dots) snprintf(whole, sizeof whole, "%" PRId64, first + i);
    store_text(array, dots ? whole : star ? star + 1 : token);
  }
  return true;
}

static bool read_values(CaseReader *reader, CaseArray *array) {
  while (read_line(reader)) {
    if (reader->text[0] != ' ') {
      reader->pending = true;
      break;
    }
    char *rest = reader->text, *token;
    while ((token = strsep(&rest, " ")))
      if (*token && !store_token(array, token))
        return bad(reader, "more elements than the shape has");
  }
  return array->filled == array->elements ||
         bad(reader, "fewer elements than the shape has");
}

/* NAME DTYPE[N,N] */
static bool read_type(CaseReader *reader, CaseArray *array, char *text) {
  char *blank = strchr(text, ' ');
  if (!blank) return bad(reader, "a type is missing");
  char *open = strchr(blank, '[');
  if (!open ||
      !ir_dtype_find(blank + 1, (size_t)(open - blank - 1), &array->dtype))
    return bad(reader, "no such dtype");
  array->name = strndup(text, (size_t)(blank - text));
  array->elements = 1;
  for (char *p = open + 1; *p && *p != ']'; p += *p == ',') {
    if (!isdigit((unsigned char)*p) || array->rank == CASE_SHAPE)
      return bad(reader, "a dim is no number");
    array->shape[array->rank] = strtoll(p, &p, 10);
    array->elements *= array->shape[array->rank++];
  }
  size_t bytes = (size_t)array->elements * ir_dtype_bytes(array->dtype);
  array->data = calloc(bytes + 1, 1);
  return array->data || bad(reader, "out of memory");
}

static bool read_array(CaseReader *reader, Case *c, char *rest, bool expected) {
  if (c->n_arrays == CASE_ARRAYS) return bad(reader, "too many arrays");
  CaseArray *array = &c->arrays[c->n_arrays++];
  array->expected = expected;
  return read_type(reader, array, rest) && read_values(reader, array);
}

static bool read_in(CaseReader *reader, Case *c, char *rest) {
  return read_array(reader, c, rest, false);
}

static bool read_out(CaseReader *reader, Case *c, char *rest) {
  return read_array(reader, c, rest, true);
}

/* -- the other lines --------------------------------------------------- */

static bool append(CaseReader *reader, Case *c, const char *text, size_t n) {
  char *longer = realloc(c->program, c->program_length + n + 1);
  if (!longer) return bad(reader, "out of memory");
  memcpy(longer + c->program_length, text, n);
  c->program = longer;
  c->program_length += n;
  longer[c->program_length] = 0;
  return true;
}

static bool read_plain(CaseReader *reader, Case *c, char *rest) {
  return append(reader, c, rest, strlen(rest)) && append(reader, c, "\n", 1);
}

static bool read_escaped(CaseReader *reader, Case *c, char *rest) {
  size_t n = 0;
  for (char *p = rest; *p; n++) {
    char out = *p++;
    if (out == '\\' && *p == 'n') {
      out = '\n';
      p++;
    } else if (out == '\\') {
      char digits[3] = {p[1], p[2], 0};
      out = (char)strtoul(digits, NULL, 16);
      p += 3;
    }
    rest[n] = out;
  }
  return append(reader, c, rest, n);
}

static bool read_needs(CaseReader *reader, Case *c, char *rest) {
  c->needs = strdup(rest);
  return c->needs || bad(reader, "out of memory");
}

static bool read_exact(CaseReader *reader, Case *c, char *rest) {
  c->exact = true;
  return !*rest || bad(reader, "exact stands alone");
}

static bool read_within(CaseReader *reader, Case *c, char *rest) {
  char *end;
  c->rtol = strtod(rest, &end);
  c->atol = strtod(end, &end);
  return !*end || bad(reader, "within RTOL ATOL");
}

static bool read_exit(CaseReader *reader, Case *c, char *rest) {
  c->exit = atoi(rest);
  return c->exit > 0 || bad(reader, "exit CODE");
}

static bool read_place(CaseReader *reader, Case *c, char *rest) {
  c->line = atoi(rest);
  return c->line > 0 || bad(reader, "line NUMBER");
}

static bool read_word(CaseReader *reader, Case *c, char *rest) {
  if (c->n_words == CASE_WORDS) return bad(reader, "too many words");
  c->words[c->n_words++] = strdup(rest);
  return true;
}

static bool read_size(CaseReader *reader, Case *c, char *rest) {
  char *blank = strchr(rest, ' ');
  if (!blank || c->n_sizes == CASE_SIZES)
    return bad(reader, "size NAME NUMBER");
  SizeOverride *size = &c->sizes[c->n_sizes++];
  size->name = strndup(rest, (size_t)(blank - rest));
  size->value = strtoll(blank + 1, NULL, 10);
  return true;
}

static bool read_source(CaseReader *reader, Case *c, char *rest) {
  char *blank = strchr(rest, ' ');
  if (!blank || c->n_sources == CASE_ARRAYS)
    return bad(reader, "source NAME SOURCE");
  CaseSource *source = &c->sources[c->n_sources++];
  source->name = strndup(rest, (size_t)(blank - rest));
  source->source = strdup(blank + 1);
  return true;
}

static const struct {
  const char *word;
  bool (*read)(CaseReader *, Case *, char *rest);
} line_table[] = {
    {"|", read_plain},        {"&", read_escaped},      {"needs ", read_needs},
    {"exact", read_exact},    {"within ", read_within}, {"exit ", read_exit},
    {"line ", read_place},    {"stderr ", read_word},   {"size ", read_size},
    {"source ", read_source}, {"in ", read_in},         {"out ", read_out},
};

static bool read_any(CaseReader *reader, Case *c) {
  for (size_t i = 0; i < sizeof line_table / sizeof *line_table; i++) {
    size_t n = strlen(line_table[i].word);
    if (!strncmp(reader->text, line_table[i].word, n))
      return line_table[i].read(reader, c, reader->text + n);
  }
  return bad(reader, "not a line of a case");
}

bool case_next(CaseReader *reader, Case *out) {
  *out = (Case){0};
  while (read_line(reader)) {
    char *text = reader->text;
    if (!*text || *text == '#') continue;
    if (!strncmp(text, "case ", 5)) {
      if (out->name) {
        reader->pending = true;
        return true;
      }
      out->name = strdup(text + 5);
    } else if (!out->name) {
      return bad(reader, "a case line is missing");
    } else if (!read_any(reader, out)) {
      return false;
    }
  }
  return out->name != NULL;
}

void case_free(Case *c) {
  for (int i = 0; i < c->n_arrays; i++) {
    free(c->arrays[i].name);
    free(c->arrays[i].data);
  }
  for (int i = 0; i < c->n_words; i++) free(c->words[i]);
  for (int i = 0; i < c->n_sizes; i++) free((char *)c->sizes[i].name);
  for (int i = 0; i < c->n_sources; i++) {
    free(c->sources[i].name);
    free(c->sources[i].source);
  }
  free(c->name);
  free(c->needs);
  free(c->program);
  *c = (Case){0};
}
