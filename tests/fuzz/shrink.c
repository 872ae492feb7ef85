/* shrink.c: from a failing program to a small one that fails alike.
 *
 * Comes in: a text and what it fails at.  Goes out: a text to which none of
 * the edits below applies: drop a result, replace a value by an operand or by
 * zeros, a cond by a branch, a while by one step, make a number in the text
 * smaller.  Some of these make loops that never end: a trial has little time.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fuzz.h"

typedef struct Shrink {
  char *text;
  uint64_t seed;
  const char *kind;
  Trial *trial;
  int trials;
  time_t end; /* of our patience */
} Shrink;

enum { MAX_TRIALS = 3000, MAX_SECONDS = 600 };

/* Is there a whole number of its own at p? Returns its length. */
static size_t number_at(const char *text, const char *p) {
  if (!isdigit((unsigned char)*p)) return 0;
  if (p > text && (isalnum((unsigned char)p[-1]) || strchr("_.%", p[-1])))
    return 0;
  size_t n = strspn(p, "0123456789");
  return isalpha((unsigned char)p[n]) || p[n] == '.' ? 0 : n;
}

/* What shrinking lowers, or it would go in circles: lines that are no
 * constants, lines, bytes, numbers. */
static double cost(const char *text) {
  double total = 0;
  for (const char *p = text; *p; p++) {
    size_t n = number_at(text, p);
    total += 1e3;
    if (n) total += fmin(strtod(p, NULL), 99);
    if (*p != '\n') continue;
    const char *constant = strstr(p + 1, " = constant "),
               *end = strchr(p + 1, '\n');
    total += constant && constant < end ? 1e8 : 1e10;
  }
  return total;
}

/* Takes candidate over if it fails alike. */
static bool try_text(Shrink *s, char *candidate) {
  bool better = false;
  if (candidate && cost(candidate) < cost(s->text) &&
      s->trials++ < MAX_TRIALS && time(NULL) < s->end) {
    Outcome outcome = s->trial(candidate, s->seed);
    better = strcmp(outcome.kind, s->kind) == 0;
    free(outcome.message);
  }
  if (better) {
    free(s->text);
    s->text = candidate;
  } else {
    free(candidate);
  }
  return better;
}

static bool try_edit(Shrink *s, const Program *program, Edit edit) {
  Program *smaller = rebuild(program, &edit);
  char *text = smaller ? ir_print(smaller, 0) : NULL;
  ir_program_destroy(smaller);
  return text && try_text(s, text);
}

/* -- values ------------------------------------------------------------ */

static bool same_shape(const Value *a, const Value *b) {
  return a->type.dtype == b->type.dtype && ir_shape_equal(a->type, b->type);
}

static bool shrink_value(Shrink *s, const Program *program,
                         const Value *value) {
  const Node *node = value->node;
  for (int i = 0; node && i < node->n_operands; i++)
    if (same_shape(value, node->operands[i]) &&
        try_edit(
            s, program,
            (Edit){.replaced = value, .by = node->operands[i], .dropped = -1}))
      return true;
  if (!node && value->block->owner) {
    const Node *owner = value->block->owner;
    if (value->index < owner->n_carries &&
        try_edit(s, program,
                 (Edit){.replaced = value,
                        .by = owner->operands[value->index],
                        .dropped = -1}))
      return true;
  }
  return try_edit(s, program, (Edit){.replaced = value, .dropped = -1});
}

/* One branch of a cond alone, or one step of a while. */
static bool shrink_bodies(Shrink *s, const Program *program, const Node *node) {
  bool one = node->op == OP_while;
  for (int b = 0; b < IR_BODIES; b++)
    if ((node->op == OP_cond || (one && b == WHILE_STEP)) &&
        try_edit(s, program, (Edit){.dropped = -1, .inlined = node, .body = b}))
      return true;
  return false;
}

static bool shrink_block(Shrink *s, const Program *program,
                         const Block *block) {
  for (int i = block->n_nodes; i-- > 0;) {
    const Node *node = block->nodes[i];
    for (int k = 0; k < node->n_results; k++)
      if (shrink_value(s, program, node->results[k])) return true;
    if (shrink_bodies(s, program, node)) return true;
    for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
      if (shrink_block(s, program, node->bodies[b])) return true;
  }
  for (int i = 0; i < block->n_params; i++)
    if (shrink_value(s, program, block->params[i])) return true;
  return false;
}

static bool shrink_graph(Shrink *s) {
  char *message = NULL;
  bool better = false;
  Program *program = parse_text(s->text, &message);
  free(message);
  if (!program) return false;
  for (int i = program->body->n_yields; i-- > 0 && !better;)
    if (program->body->n_yields > 1)
      better = try_edit(s, program, (Edit){.dropped = i});
  if (!better) better = shrink_block(s, program, program->body);
  ir_program_destroy(program);
  return better;
}

/* -- numbers ----------------------------------------------------------- */

/* Every `from` becomes `to`; with only >= 0, just that occurrence. */
static char *replace_numbers(const char *text, long from, long to, int only) {
  size_t room = strlen(text) * 2 + 64, used = 0;
  char *out = malloc(room);
  int seen = 0;
  for (const char *p = text; out && *p;) {
    size_t n = number_at(text, p);
    if (!n) {
      out[used++] = *p++;
      continue;
    }
    bool hit = strtol(p, NULL, 10) == from && (only < 0 || seen == only);
    seen += strtol(p, NULL, 10) == from;
    used += (size_t)snprintf(out + used, room - used, "%.*s", (int)n, p);
    if (hit) {
      used -= n;
      used += (size_t)snprintf(out + used, room - used, "%ld", to);
    }
    p += n;
  }
  if (out) out[used] = 0;
  return out;
}

/* The text that the printer makes of it, or NULL. */
static char *normal(char *text) {
  char *message = NULL;
  Program *program = text ? parse_text(text, &message) : NULL;
  char *printed = program ? ir_print(program, 0) : NULL;
  free(message);
  free(text);
  ir_program_destroy(program);
  return printed;
}

static bool shrink_number(Shrink *s, long from) {
  const long to[] = {1, 2, from / 2, from - 1};
  for (int i = 0; i < 4; i++) {
    if (to[i] >= from || to[i] < 1) continue;
    char *text = normal(replace_numbers(s->text, from, to[i], -1));
    if (text && try_text(s, text)) return true;
    for (int only = 0; only < 6; only++) {
      text = normal(replace_numbers(s->text, from, to[i], only));
      if (text && try_text(s, text)) return true;
    }
  }
  return false;
}

static bool shrink_numbers(Shrink *s) {
  for (long from = 64; from > 1; from--) {
    char digits[24];
    snprintf(digits, sizeof digits, "%ld", from);
    if (strstr(s->text, digits) && shrink_number(s, from)) return true;
  }
  return false;
}

char *shrink(const char *text, uint64_t seed, const char *kind, Trial *trial) {
  Shrink s = {strdup(text), seed, kind, trial, 0, time(NULL) + MAX_SECONDS};
  if (!s.text) return NULL;
  while (s.trials < MAX_TRIALS && (shrink_graph(&s) || shrink_numbers(&s))) {
  }
  return s.text;
}
