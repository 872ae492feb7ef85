/* parse_scope.c: which value and which size a name stands for.
 *
 * No name may shadow another, so one table serves all blocks: a block's names
 * are taken out of it where the block ends. */
#include <stdlib.h>
#include <string.h>

#include "text.h"

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(entry) (p->no_memory = true)
#include <uthash.h>

typedef struct Symbol {
  Token name;
  Value *value;
  struct Symbol *next; /* among the spare ones */
  UT_hash_handle hh;
} Symbol;

typedef struct Size {
  Token name;
  int64_t value;
  UT_hash_handle hh;
} Size;

enum { MOST_CANDIDATES = 1000 };

static Symbol *find_symbol(const Parser *p, Token name) {
  Symbol *symbol;
  HASH_FIND(hh, p->symbols, name.text, name.length, symbol);
  return symbol;
}

static Size *find_size(const Parser *p, Token name) {
  Size *size;
  HASH_FIND(hh, p->sizes, name.text, name.length, size);
  return size;
}

/* A table that could not grow has left the entry out. */
static bool table_grew(Parser *p) {
  if (!p->no_memory) return true;
  ir_out_of_memory(p->draft);
  p->draft->error.out_of_memory = true;
  return false;
}

bool ir_scope_check(Parser *p, Token name) {
  const Symbol *symbol = find_symbol(p, name);
  if (symbol == NULL) return true;
  return ir_parse_error(
      p, name.place,
      "%s is defined already, at line %d; a name may neither be "
      "defined twice nor shadow another",
      ir_show_token(name).text, symbol->name.place.line);
}

void ir_scope_define(Parser *p, Token name, Value *value) {
  if (value == NULL || !ir_scope_check(p, name)) return;
  Symbol *symbol = p->spare;
  if (symbol)
    p->spare = symbol->next;
  else
    symbol = ir_alloc(p->draft, sizeof *symbol);
  Symbol **top = symbol ? IR_PUSH(p, visible, Symbol *) : NULL;
  if (top == NULL) return;
  memset(symbol, 0, sizeof *symbol);
  symbol->name = name;
  symbol->value = value;
  HASH_ADD_KEYPTR(hh, p->symbols, symbol->name.text, symbol->name.length,
                  symbol);
  if (table_grew(p))
    *top = symbol;
  else
    p->visible.used--;
}

void ir_scope_leave(Parser *p, size_t mark) {
  while (p->visible.used > mark) {
    Symbol *symbol = IR_AT(p, visible, Symbol *, --p->visible.used);
    HASH_DEL(p->symbols, symbol);
    symbol->next = p->spare;
    p->spare = symbol;
  }
}

/* Names in scope as strings, the latest ones, for a suggestion. */
static int list_names(Parser *p, const char **names) {
  int n = 0;
  for (size_t i = p->visible.used; i > 0 && n < MOST_CANDIDATES; i--) {
    Token name = IR_AT(p, visible, Symbol *, i - 1)->name;
    if (name.length < 48)
      names[n++] = ir_format(p->draft, "%.*s", (int)name.length, name.text);
    if (ir_failed(p)) return 0;
  }
  return n;
}

bool ir_scope_has(const Parser *p, Token name) {
  return find_symbol(p, name) != NULL;
}

/* Was there one in a body that has ended?  The line, as long as it is known;
 * 0: no. */
static int line_inside(const Parser *p, Token name) {
  for (const Symbol *symbol = p->spare; symbol; symbol = symbol->next)
    if (symbol->name.length == name.length &&
        memcmp(symbol->name.text, name.text, name.length) == 0)
      return symbol->name.place.line;
  return 0;
}

Value *ir_scope_find(Parser *p, Token name) {
  const Symbol *symbol = find_symbol(p, name);
  if (symbol) return symbol->value;
  if (ir_failed(p)) return NULL;
  const char **names = calloc(MOST_CANDIDATES, sizeof *names);
  int n = names ? list_names(p, names) : 0;
  const char *closest = ir_closest(name.text, name.length, names, n);
  int inside = line_inside(p, name);
  if (inside)
    ir_parse_error(p, name.place,
                   "%s is not defined here: the one of line %d is visible in "
                   "its body only",
                   ir_show_token(name).text, inside);
  else
    ir_parse_error(p, name.place, "%s is not defined here%s%s%s",
                   ir_show_token(name).text, closest ? "; did you mean %" : "",
                   closest ? closest : "", closest ? "?" : "");
  free(names);
  return NULL;
}

/* -- sizes ------------------------------------------------------------- */

bool ir_size_declare(Parser *p, Token name, int64_t value) {
  if (find_size(p, name))
    return ir_parse_error(p, name.place, "size %s is declared twice",
                          ir_show_token(name).text);
  Size *size = ir_alloc(p->draft, sizeof *size);
  if (size == NULL) return false;
  size->name = name;
  size->value = value;
  HASH_ADD_KEYPTR(hh, p->sizes, size->name.text, size->name.length, size);
  return table_grew(p);
}

bool ir_size_find(Parser *p, Token name, int64_t *value) {
  const Size *size = find_size(p, name);
  if (size) *value = size->value;
  return size != NULL;
}

static int list_sizes(Parser *p, const char **names) {
  int n = 0;
  for (Size *size = p->sizes; size && n < MOST_CANDIDATES;
       size = size->hh.next) {
    names[n] =
        ir_format(p->draft, "%.*s", (int)size->name.length, size->name.text);
    if (names[n]) n++;
  }
  return n;
}

bool ir_size_unknown(Parser *p, Place place, const char *name) {
  const char **names = calloc(MOST_CANDIDATES, sizeof *names);
  int n = names ? list_sizes(p, names) : 0;
  const char *close = ir_closest(name, strlen(name), names, n);
  Buffer list = {0};
  for (int i = 0; i < n; i++) {
    ir_put_text(&list, i ? ", " : "; the sizes are ");
    ir_put_text(&list, names[i]);
  }
  char *text = ir_buffer_take(&list);
  ir_error(p->draft, place, "no size is called %s, so it cannot be set%s%s%s%s",
           ir_show(name, strlen(name)).text, close ? "; did you mean " : "",
           close ? close : "", close ? "?" : "",
           n == 0 ? "; the program has none"
           : text ? text
                  : "");
  free(text);
  free(names);
  return false;
}

bool ir_size_value(Parser *p, Token name, int64_t *value) {
  if (ir_size_find(p, name, value)) return true;
  if (ir_failed(p)) return false;
  const char **names = calloc(MOST_CANDIDATES, sizeof *names);
  int n = names ? list_sizes(p, names) : 0;
  ir_parse_error(p, name.place, "no size %s is declared before this%s",
                 ir_show_token(name).text,
                 ir_did_you_mean(name, names, n).text);
  free(names);
  return false;
}

void ir_scope_free(Parser *p) {
  HASH_CLEAR(hh, p->symbols);
  HASH_CLEAR(hh, p->sizes);
}
