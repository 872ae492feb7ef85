/* text.h: what the files of the text form share.
 *
 * Out: a Buffer that grows, numbers and types as text, the names that a dump
 * gives to values.  In: the Parser, which holds the lexer's position, the
 * names in scope, and the draft program that it fills. */
#ifndef LOCKSTEP_IR_TEXT_H
#define LOCKSTEP_IR_TEXT_H

#include <locale.h>

#include "graph.h"

/* -- growing text (buffer.c) ------------------------------------------- */

typedef struct Buffer {
  char *text;
  size_t length, room;
  bool failed; /* memory ran out; what is put is dropped */
} Buffer;

void ir_put(Buffer *out, const char *bytes, size_t n);
void ir_put_text(Buffer *out, const char *text);
void ir_put_int(Buffer *out, int64_t value);
void ir_put_short(Buffer *out, double number); /* three digits, for people */
void ir_put_number(Buffer *out, DType dtype, Scalar value);
void ir_put_type(Buffer *out, const Program *program, Type type);
char *ir_buffer_take(Buffer *out); /* the text, free() it; NULL: no memory */

/* The float of this dtype that the text (a number as in C) is nearest to. */
double ir_read_float(DType dtype, const char *text);

/* The C locale for this thread, whatever the host has chosen; leave gives the
 * host's back. */
typedef struct LocaleGuard {
  locale_t c, before;
} LocaleGuard;
LocaleGuard ir_locale_enter(void);
void ir_locale_leave(LocaleGuard guard);

/* -- names in dumps (names.c) ------------------------------------------ */

/* base NULL: the unnamed value number `suffix`.  Else base, and _suffix where
 * suffix is not 0. */
typedef struct Name {
  const char *base;
  int suffix;
} Name;
Name *ir_names(const Program *program); /* by value id; free() it */
void ir_put_name(Buffer *out, Name name);

/* -- the lexer (lex.c) ------------------------------------------------- */

typedef enum TokenKind {
  TOKEN_END, /* of the file, or of what can be read of it */
  TOKEN_NAME,
  TOKEN_VALUE, /* text is without the % */
  TOKEN_INT,
  TOKEN_FLOAT,
  TOKEN_WORD,   /* letters and digits that are neither name nor number */
  TOKEN_STRING, /* text is without the quotes */
  TOKEN_MARK    /* one character */
} TokenKind;

typedef struct Token {
  TokenKind kind;
  const char *text;
  size_t length;
  Place place;
} Token;

typedef struct Cursor {
  const char *at, *line_start;
  int line;
  Place last_end; /* just after the token before this one */
  Token token;    /* the next token, not yet taken */
} Cursor;

struct Symbol;
struct Size;

typedef struct Binding {
  Token param;
  Value *value;
  bool is_xs;
} Binding;

/* A stack of items of one size: a node pushes what it reads and takes it off
 * when it is made, bodies inside included. */
typedef struct Stack {
  void *items;
  size_t used, room;
} Stack;

typedef struct Parser {
  Program *draft;
  const char *file, *end;
  Cursor cursor;
  const char *op, *attr; /* being read: messages start with them */
  struct Size *sizes;    /* uthash tables */
  struct Symbol *symbols;
  struct Symbol *spare; /* left by scopes that have ended */
  const SizeOverride *overrides;
  int n_overrides;
  bool no_memory; /* uthash could not grow */
  Stack visible;  /* struct Symbol *, in order of definition */
  Stack values;   /* Value * */
  Stack tokens;   /* Token: names of results */
  Stack attrs;    /* Attr */
  Stack bindings; /* Binding */
  Stack types;    /* Written */
  Stack ints;     /* int64_t */
  Stack lists;    /* IntList */
  Stack written;  /* Written, by value id */
} Parser;

void ir_lex_start(Parser *p, const char *text);
void ir_lex_next(Parser *p);        /* take the token */
Token ir_lex_peek(const Parser *p); /* the one after it; no errors */

/* -- shared by parse_*.c ------------------------------------------------- */

/* Text for a message: printable, of bounded length. */
typedef struct ShownText {
  char text[72];
} ShownText;
ShownText ir_show(const char *text, size_t length);
ShownText ir_show_token(Token token);

/* "op: attr: message" at place.  Always false. */
bool ir_parse_error(Parser *p, Place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool ir_failed(Parser *p);
bool ir_is_mark(Token token, char mark);
bool ir_is_name(Token token, const char *name);
/* The word before body b of an op; NULL: it needs none. */
const char *ir_body_word(Op op, int b);
bool ir_accept(Parser *p, char mark);
bool ir_expect(Parser *p, char mark, const char *after);

/* "; did you mean X?" or "". */
ShownText ir_did_you_mean(Token word, const char *const *candidates, int n);

/* A pointer to `count` fresh items on top of the stack; NULL: no memory. */
void *ir_push(Parser *p, Stack *stack, size_t count, size_t size);
#define IR_PUSH(p, stack, type) \
  ((type *)ir_push(p, &(p)->stack, 1, sizeof(type)))
#define IR_AT(p, stack, type, i) (((type *)(p)->stack.items)[i])

/* parse_scope.c: values and sizes by name. */
bool ir_scope_check(Parser *p, Token name); /* may it be defined here? */
void ir_scope_define(Parser *p, Token name, Value *value);
void ir_scope_leave(Parser *p, size_t mark); /* forget all above the mark */
bool ir_scope_has(const Parser *p, Token name);
Value *ir_scope_find(Parser *p, Token name); /* or an error */
bool ir_size_declare(Parser *p, Token name, int64_t value);
bool ir_size_find(Parser *p, Token name, int64_t *value);  /* no error */
bool ir_size_value(Parser *p, Token name, int64_t *value); /* or an error */
/* The error for a size that was given from outside. */
bool ir_size_unknown(Parser *p, Place place, const char *name);
void ir_scope_free(Parser *p);

/* parse_type.c */
bool ir_parse_int(Parser *p, int64_t *value);
bool ir_parse_int_list(Parser *p, IntList *list);
bool ir_parse_axis(Parser *p, int *axis);
bool ir_parse_dtype(Parser *p, DType *dtype);
bool ir_parse_type(Parser *p, Written *written);

/* parse_attr.c, parse_literal.c */
bool ir_parse_attr(Parser *p, Op op, size_t first); /* onto p->attrs */
typedef struct ReadLiteral {
  const void *data;
  bool splat;
} ReadLiteral;
bool ir_parse_constant(Parser *p, Place op, Written *type,
                       ReadLiteral *literal);

/* parse_node.c, parse_body.c */

/* A node being read: where its parts start on the stacks. */
typedef struct NodeDraft {
  Block *block;
  Block *bodies[IR_BODIES];
  Op op;
  Place place;
  size_t results, values, attrs, bindings, types;
  int n_carries;
  ReadLiteral literal;
} NodeDraft;

bool ir_parse_nodes(Parser *p, Block *block, const char *end);
bool ir_parse_values(Parser *p); /* onto p->values */
bool ir_push_value(Parser *p, Value *value);
bool ir_parse_bodies(Parser *p, NodeDraft *draft);
char *ir_value_name(Parser *p, Token token); /* NULL: unnamed, or no memory */

#endif
