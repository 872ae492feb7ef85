/* load.c: the program file.
 *
 * Comes in: the path and the sizes of a request.  Goes out: a verified
 * program, and later whatever a pass makes of it; or a message that says file,
 * line and column. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

enum { FILE_LIMIT = 1 << 30 }; /* a program of more bytes is a mistake */

static int read_all(FILE *in, const char *path, File *file) {
  size_t room = 1 << 16;
  char *text = malloc(room + 1);
  while (text) {
    file->length += fread(text + file->length, 1, room - file->length, in);
    if (file->length < room || room >= FILE_LIMIT) break;
    room *= 2;
    char *more = realloc(text, room + 1);
    if (!more) free(text);
    text = more;
  }
  file->text = text;
  if (!text) return tool_error(FAILED, "%s: no memory to read it", path);
  text[file->length] = 0;
  if (ferror(in))
    return tool_error(BAD_INPUT, "%s: cannot read: %s", path, strerror(errno));
  if (file->length >= FILE_LIMIT)
    return tool_error(BAD_INPUT, "%s: longer than any program (1 GiB)", path);
  return FINE;
}

static int read_file(const char *path, File *file) {
  FILE *in = fopen(path, "rb");
  if (!in)
    return tool_error(BAD_INPUT, "%s: cannot open: %s", path, strerror(errno));
  int code = read_all(in, path, file);
  fclose(in);
  return code;
}

/* -- sizes ------------------------------------------------------------- */

/* A --size that names no `size` line is wrong usage, not a wrong program, so
 * it is found before the file is parsed: a scan of the words to `program`. */

static bool next_word(const char **text, const char *end, const char **word,
                      size_t *length) {
  const char *at = *text;
  while (at < end) {
    if (*at == '#') {
      while (at < end && *at != '\n') at++;
    } else if (isalnum((unsigned char)*at) || *at == '_') {
      *word = at;
      while (at < end && (isalnum((unsigned char)*at) || *at == '_')) at++;
      *length = (size_t)(at - *word);
      *text = at;
      return true;
    } else {
      at++;
    }
  }
  return false;
}

static bool is_word(const char *word, size_t length, const char *wanted) {
  return length == strlen(wanted) && memcmp(word, wanted, length) == 0;
}

/* The names of the file's sizes, malloc'd; -1: no memory. */
static int find_sizes(const File *file, char ***names) {
  const char *at = file->text, *end = at + file->length, *word;
  size_t length;
  int n = 0, room = 0;
  while (next_word(&at, end, &word, &length)) {
    bool size = is_word(word, length, "size");
    if (is_word(word, length, "program")) break;
    if (!size && !is_word(word, length, "axis")) continue;
    if (!next_word(&at, end, &word, &length)) break;
    if (!size) continue;
    if (n == room) {
      room = room ? 2 * room : 8;
      char **more = realloc(*names, (size_t)room * sizeof *more);
      if (!more) return -1;
      *names = more;
    }
    (*names)[n] = strndup(word, length);
    if (!(*names)[n++]) return -1;
  }
  return n;
}

static int check_sizes(const Request *request, const File *file) {
  char **names = NULL;
  int n = request->n_sizes ? find_sizes(file, &names) : 0;
  int code = n < 0 ? tool_error(FAILED, "no memory") : FINE;
  for (int i = 0; code == FINE && i < request->n_sizes; i++) {
    bool known = false;
    for (int k = 0; k < n && !known; k++)
      known = strcmp(names[k], request->sizes[i].name) == 0;
    if (!known)
      code = tool_unknown(BAD_USAGE, "size", request->sizes[i].name,
                          (const char *const *)names, n);
  }
  for (int k = 0; k < n; k++) free(names[k]);
  free(names);
  return code;
}

/* -- programs ---------------------------------------------------------- */

int tool_program_error(const File *file, const Program *program) {
  if (!program || program->error.out_of_memory)
    return tool_error(FAILED, "no memory");
  char *text = ir_error_text(&program->error, file->text, file->length);
  if (!text) return tool_error(FAILED, "no memory");
  size_t length = strlen(text);
  fprintf(stderr, "%s%s", text, length && text[length - 1] == '\n' ? "" : "\n");
  free(text);
  return BAD_PROGRAM;
}

int tool_load(const Request *request, File *file) {
  *file = (File){0};
  int code = read_file(request->file, file);
  if (code == FINE) code = check_sizes(request, file);
  if (code != FINE) return code;
  double start = rt_now();
  file->program = ir_parse(file->text, file->length, request->file,
                           request->sizes, request->n_sizes);
  if (file->program) ir_verify(file->program);
  file->parse_ms = (rt_now() - start) * 1e3;
  if (!file->program || file->program->error.failed)
    return tool_program_error(file, file->program);
  return FINE;
}

void tool_close(File *file) {
  ir_program_destroy(file->program);
  free(file->text);
}

int tool_passes(const Request *request, const File *file, int last,
                Program **made) {
  *made = pass_run(file->program, &request->options, last, NULL, NULL);
  if (*made && !(*made)->error.failed) return FINE;
  return tool_program_error(file, *made);
}
