/* parse.c: a file in the text form as a program.
 *
 * Comes in: any bytes.  Goes out: a program, or one that holds the first error
 * with its place.  The parser records a draft through the same constructor as
 * everyone; ir_finish finds the axes and holds them against what the file
 * says.  The work is linear in the file's length. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "unique.h"

/* -- stage, size and axis lines ---------------------------------------- */

static bool parse_stage(Parser *p) {
  static const char *const stages[] = {"named", "batched", "kernels"};
  if (!ir_is_name(p->cursor.token, "stage")) return true;
  ir_lex_next(p);
  Token name = p->cursor.token;
  for (int stage = NAMED; stage <= KERNELS; stage++)
    if (ir_is_name(name, stages[stage])) {
      p->draft->stage = (Stage)stage;
      ir_lex_next(p);
      return true;
    }
  return ir_parse_error(p, name.place,
                        "expected a stage (named, batched, kernels), found "
                        "%s%s",
                        ir_show_token(name).text,
                        ir_did_you_mean(name, stages, 3).text);
}

static char *copy_text(Parser *p, Token token) {
  char *copy = ir_alloc(p->draft, token.length + 1);
  if (copy) memcpy(copy, token.text, token.length);
  return copy;
}

static bool parse_name(Parser *p, const char *what, Token *name) {
  *name = p->cursor.token;
  if (name->kind != TOKEN_NAME)
    return ir_parse_error(p, name->place, "expected the name of %s, found %s",
                          what, ir_show_token(*name).text);
  ir_lex_next(p);
  return true;
}

static bool parse_size(Parser *p, bool *used) {
  Token name;
  int64_t value;
  ir_lex_next(p);
  if (!parse_name(p, "a size", &name) ||
      !ir_expect(p, '=', "after the name of a size") ||
      !ir_parse_int(p, &value))
    return false;
  char *text = copy_text(p, name);
  if (text == NULL) return false;
  if (ir_axis_find(p->draft, text) >= 0)
    return ir_parse_error(p, name.place,
                          "%s is an axis; a size and an axis may share no name",
                          ir_show_token(name).text);
  for (int i = 0; i < p->n_overrides; i++)
    if (strcmp(p->overrides[i].name, text) == 0) {
      value = p->overrides[i].value;
      used[i] = true;
    }
  return ir_size_declare(p, name, value);
}

static bool parse_axis(Parser *p) {
  Token name;
  int64_t size;
  Place line = p->cursor.token.place;
  if (p->draft->stage != NAMED)
    return ir_parse_error(p, line,
                          "there are no axes at the batched and kernels "
                          "stages");
  ir_lex_next(p);
  if (!parse_name(p, "an axis", &name) ||
      !ir_expect(p, '=', "after the name of an axis") ||
      !ir_parse_int(p, &size))
    return false;
  int64_t same;
  if (ir_size_find(p, name, &same))
    return ir_parse_error(p, name.place,
                          "%s is a size; a size and an axis may share no name",
                          ir_show_token(name).text);
  char *text = copy_text(p, name);
  return text && ir_axis_declare(p->draft, text, size, name.place) >= 0;
}

/* A size that was given from outside but is not declared. */
static bool check_overrides(Parser *p, const bool *used) {
  for (int i = 0; i < p->n_overrides; i++) {
    if (used[i]) continue;
    ir_size_unknown(p, (Place){p->file, 0, 0}, p->overrides[i].name);
    p->draft->error.usage = true;
    return false;
  }
  return true;
}

static bool parse_header(Parser *p) {
  bool *used = calloc((size_t)p->n_overrides + 1, sizeof *used);
  if (used == NULL) {
    p->draft->error.out_of_memory = true;
    return ir_out_of_memory(p->draft);
  }
  bool fine = parse_stage(p);
  while (fine && !ir_is_name(p->cursor.token, "program")) {
    Token token = p->cursor.token;
    static const char *const words[] = {"stage", "size", "axis", "program"};
    if (ir_is_name(token, "size"))
      fine = parse_size(p, used);
    else if (ir_is_name(token, "axis"))
      fine = parse_axis(p);
    else if (ir_is_name(token, "stage"))
      fine = ir_parse_error(p, token.place,
                            "the stage comes first, before sizes and axes");
    else
      fine = ir_parse_error(
          p, token.place, "expected size, axis or program, found %s%s",
          ir_show_token(token).text, ir_did_you_mean(token, words, 4).text);
  }
  fine = fine && check_overrides(p, used);
  free(used);
  return fine;
}

/* -- parameters -------------------------------------------------------- */

static bool parse_param(Parser *p) {
  Token name = p->cursor.token;
  Written written;
  if (name.kind != TOKEN_VALUE)
    return ir_parse_error(p, name.place,
                          "expected a parameter (%%name: type), found %s",
                          ir_show_token(name).text);
  if (!ir_scope_check(p, name)) return false;
  ir_lex_next(p);
  if (!ir_expect(p, ':', "after the name of a parameter")) return false;
  p->op = ir_format(p->draft, "%s", ir_show_token(name).text);
  bool read = ir_parse_type(p, &written);
  p->op = NULL;
  char *text = copy_text(p, name);
  if (!read || text == NULL) return false;
  ir_scope_define(p, name, ir_block_param(p->draft->body, written.type, text));
  return !ir_failed(p);
}

static bool parse_params(Parser *p) {
  if (!ir_expect(p, '(', "after the program's name")) return false;
  if (ir_accept(p, ')')) return true;
  do
    if (!parse_param(p)) return false;
  while (ir_accept(p, ','));
  return ir_expect(p, ')', "after the parameters");
}

/* -- results ----------------------------------------------------------- */

/* After `as`, what a value may be called is fine too. */
static bool is_result_name(Token token) {
  if (token.kind == TOKEN_NAME || token.kind == TOKEN_INT ||
      token.kind == TOKEN_WORD)
    return true;
  return token.kind == TOKEN_FLOAT &&
         memchr(token.text, '.', token.length) == NULL &&
         memchr(token.text, '-', token.length) == NULL &&
         memchr(token.text, '+', token.length) == NULL;
}

/* The value goes onto the values, what it is to be called onto the tokens. */
static bool parse_result(Parser *p) {
  Token name = p->cursor.token;
  if (name.kind != TOKEN_VALUE)
    return ir_parse_error(p, name.place,
                          "expected a value (%%name) to return, found %s",
                          ir_show_token(name).text);
  Value *value = ir_scope_find(p, name);
  Value **top = value ? IR_PUSH(p, values, Value *) : NULL;
  if (top == NULL) return false;
  *top = value;
  ir_lex_next(p);
  if (ir_is_name(p->cursor.token, "as")) {
    ir_lex_next(p);
    name = p->cursor.token;
    if (!is_result_name(name))
      return ir_parse_error(p, name.place,
                            "expected the name of a result after as, found %s",
                            ir_show_token(name).text);
    ir_lex_next(p);
  } else if (value->name == NULL) {
    value->name = copy_text(p, name);
  }
  Token *called = IR_PUSH(p, tokens, Token);
  if (called) *called = name;
  return called != NULL;
}

static bool name_results(Parser *p) {
  size_t n = p->tokens.used;
  const char **names = ir_alloc(p->draft, n * sizeof *names + 1);
  Unique unique = {.program = p->draft};
  if (names == NULL) return false;
  for (size_t i = 0; i < n && !ir_failed(p); i++) {
    const char *name = copy_text(p, IR_AT(p, tokens, Token, i));
    if (name) names[i] = ir_unique_name(&unique, name);
  }
  ir_unique_end(&unique);
  if (!ir_failed(p)) ir_result_names(p->draft, names);
  return !ir_failed(p);
}

static bool parse_results(Parser *p) {
  p->values.used = p->tokens.used = 0;
  ir_lex_next(p);
  do
    if (!parse_result(p)) return false;
  while (ir_accept(p, ','));
  if (!ir_expect(p, '}', "at the end of the program")) return false;
  Token after = p->cursor.token;
  if (after.kind != TOKEN_END)
    return ir_parse_error(p, after.place,
                          "expected the end of the file, found %s",
                          ir_show_token(after).text);
  if (ir_failed(p)) return false;
  ir_block_yield(p->draft->body, p->values.items, (int)p->values.used);
  return name_results(p);
}

/* -- the file ---------------------------------------------------------- */

static bool parse_file(Parser *p) {
  Token name;
  if (!parse_header(p)) return false;
  ir_lex_next(p);
  if (!ir_expect(p, '@', "before the program's name") ||
      !parse_name(p, "the program", &name))
    return false;
  p->draft->name = copy_text(p, name);
  return p->draft->name && parse_params(p) &&
         ir_expect(p, '{', "before the program's nodes") &&
         ir_parse_nodes(p, p->draft->body, "return") && parse_results(p);
}

static void free_stacks(Parser *p) {
  Stack *const stacks[] = {&p->visible,  &p->values, &p->tokens,
                           &p->attrs,    &p->types,  &p->ints,
                           &p->bindings, &p->lists,  &p->written};
  for (size_t i = 0; i < sizeof stacks / sizeof *stacks; i++)
    free(stacks[i]->items);
}

/* ir_finish wants an entry for every value of the draft. */
static bool fill_written(Parser *p) {
  while (p->written.used < (size_t)p->draft->n_values) {
    Written *top = IR_PUSH(p, written, Written);
    if (top == NULL) return false;
    *top = (Written){.type = {.dtype = DT_COUNT}};
  }
  return true;
}

static Program *parse_and_finish(Parser *p, const char *text) {
  ir_lex_start(p, text);
  Program *program = p->draft;
  bool read = parse_file(p) && fill_written(p);
  ir_scope_free(p); /* its entries lie in the draft's arena */
  if (read) program = ir_finish(p->draft, p->written.items);
  return program;
}

Program *ir_parse(const char *text, size_t length, const char *file,
                  const SizeOverride *overrides, int n_overrides) {
  return ir_parse_calling(text, length, file, overrides, n_overrides, NULL, 0);
}

Program *ir_parse_calling(const char *text, size_t length, const char *file,
                          const SizeOverride *overrides, int n_overrides,
                          const Callee *callees, int n_callees) {
  Program *draft = ir_program_create("program", NAMED);
  if (draft == NULL) return NULL;
  for (int i = 0; i < n_callees; i++)
    if (!ir_register(draft, callees[i], (Place){file, 0, 0})) return draft;
  if (text == NULL || length > INT_MAX) {
    ir_error(draft, (Place){file, 0, 0}, "a file may have at most %d bytes",
             INT_MAX);
    return draft;
  }
  Parser parser = {.draft = draft,
                   .file = file,
                   .end = text + length,
                   .overrides = overrides,
                   .n_overrides = n_overrides};
  LocaleGuard guard = ir_locale_enter();
  Program *program = parse_and_finish(&parser, text);
  ir_locale_leave(guard);
  free_stacks(&parser);
  return program;
}
