/* einsum.c: reads einsum specs.
 *
 * What users write (blanks, an ellipsis, no output) comes in with the operand
 * types; a canonical spec goes out: letters only, output explicit.  The rules
 * are those of NumPy, but size 1 stretches under an ellipsis only. */
#include <stdio.h>
#include <string.h>

#include "ir.h"

enum { ELLIPSIS = '.', LETTERS = 52 };
static const char alphabet[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

typedef struct Term {
  const char *text; /* in the blank-free copy; "..." stands as one '.' */
  int length, letters;
  bool ellipsis;
} Term;

typedef struct Reader {
  Program *program;
  Value *const *operands; /* one a term */
  int n_operands;
  Place place;
  const char *text; /* as written */
  char *clean;      /* without blanks, "..." as '.' */
  int *origin;      /* for each character of clean, where it stood */
  int length;
  int n_terms;
  Term *terms;
  Term out;
  bool has_out;
  int ellipsis_rank;
  char ellipsis[IR_MAX_RANK + 1]; /* the letters that stand for it */
  int64_t size[128];              /* of each letter; -1: not seen */
} Reader;

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* An error with the operands, the spec, and a caret under clean[at]. */
static bool complain(Reader *r, int at, const char *message) {
  Program *program = r->program;
  if (program->error.failed) return false;
  int column = at < r->length ? r->origin[at] : (int)strlen(r->text);
  ir_error(program, r->place, "einsum: spec \"%s\": %s (%s)", r->text, message,
           ir_operands_text(program, r->operands, r->n_operands));
  program->error.detail =
      ir_format(program, "  %s\n  %*s^", r->text, column, "");
  return false;
}

/* Drop blanks, fold "..." to one '.', refuse any other character. */
static bool clean(Reader *r) {
  size_t length = strlen(r->text);
  r->clean = ir_alloc(r->program, length + 1);
  r->origin = ir_alloc(r->program, (length + 1) * sizeof(int));
  if (r->clean == NULL || r->origin == NULL) return false;
  for (size_t i = 0; i < length; i++) {
    char c = r->text[i];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') continue;
    r->origin[r->length] = (int)i;
    if (c == '.') {
      if (strncmp(r->text + i, "...", 3) != 0) {
        r->clean[r->length++] = c;
        return complain(r, r->length - 1, "an ellipsis is three dots");
      }
      i += 2;
    }
    r->clean[r->length++] = c;
    bool known = is_letter(c) || c == '.' || c == ',' || c == '-' || c == '>';
    if (!known)
      return complain(r, r->length - 1,
                      (unsigned char)c < 128
                          ? ir_format(r->program, "'%c' is no label", c)
                          : "labels are the letters a-z and A-Z");
  }
  return true;
}

static bool read_term(Reader *r, int from, int to, Term *term) {
  *term = (Term){.text = r->clean + from, .length = to - from};
  for (int i = from; i < to; i++) {
    if (r->clean[i] == '.') {
      if (term->ellipsis)
        return complain(r, i, "a term has at most one ellipsis");
      term->ellipsis = true;
    } else if (is_letter(r->clean[i])) {
      term->letters++;
    } else {
      return complain(r, i,
                      "one \"->\" stands between the terms and the "
                      "output");
    }
  }
  return true;
}

static bool split(Reader *r) {
  const char *arrow = strstr(r->clean, "->");
  int end = arrow ? (int)(arrow - r->clean) : r->length;
  int from = 0, n = 1;
  for (int i = 0; i < end; i++) n += r->clean[i] == ',';
  if (n != r->n_operands)
    return complain(r, 0,
                    ir_format(r->program, "%d term%s for %d operand%s", n,
                              n == 1 ? "" : "s", r->n_operands,
                              r->n_operands == 1 ? "" : "s"));
  r->terms = ir_alloc(r->program, (size_t)n * sizeof(Term));
  if (r->terms == NULL) return false;
  for (int i = 0; i <= end; i++) {
    if (i < end && r->clean[i] != ',') continue;
    if (!read_term(r, from, i, &r->terms[r->n_terms++])) return false;
    from = i + 1;
  }
  r->has_out = arrow != NULL;
  return arrow == NULL || read_term(r, end + 2, r->length, &r->out);
}

static int at(const Reader *r, const Term *term, int i) {
  return (int)(term->text - r->clean) + i;
}

static Type type_of(const Reader *r, int term) {
  return r->operands[term]->type;
}

static bool check_ranks(Reader *r) {
  for (int t = 0; t < r->n_terms; t++) {
    const Term *term = &r->terms[t];
    int rank = type_of(r, t).rank, more = rank - term->letters;
    if (more < 0 || (more > 0 && !term->ellipsis))
      return complain(
          r, at(r, term, 0),
          ir_format(r->program,
                    "term %d has %d label%s, its operand %s has rank %d", t + 1,
                    term->letters, term->letters == 1 ? "" : "s",
                    ir_type_text(r->program, type_of(r, t)).text, rank));
    if (term->ellipsis && more > r->ellipsis_rank) r->ellipsis_rank = more;
  }
  return true;
}

/* Letters for the dims under the ellipsis: such as the spec does not use. */
static bool name_ellipsis(Reader *r) {
  int n = 0;
  for (int i = 0; i < LETTERS && n < r->ellipsis_rank; i++)
    if (strchr(r->clean, alphabet[i]) == NULL) r->ellipsis[n++] = alphabet[i];
  return n == r->ellipsis_rank ||
         complain(r, 0, "more than 52 labels, those of the ellipsis counted");
}

static bool note_size(Reader *r, int where, char letter, int64_t size) {
  int64_t *known = &r->size[(int)letter];
  if (*known < 0) *known = size;
  if (*known == size) return true;
  return complain(r, where,
                  ir_format(r->program, "label %c has sizes %lld and %lld",
                            letter, (long long)*known, (long long)size));
}

/* Under the ellipsis size 1 stretches: take the largest, mark the ones. */
static bool note_ellipsis(Reader *r, int where, int i, int64_t size) {
  int64_t *known = &r->size[(int)r->ellipsis[i]];
  if (*known < 0 || *known == 1) *known = size;
  if (*known == size || size == 1) return true;
  return complain(
      r, where,
      ir_format(r->program, "dims under the ellipsis have sizes %lld and %lld",
                (long long)*known, (long long)size));
}

static bool sizes(Reader *r) {
  for (int t = 0; t < r->n_terms; t++) {
    const Term *term = &r->terms[t];
    Type type = type_of(r, t);
    int dim = 0, more = type.rank - term->letters;
    for (int i = 0; i < term->length; i++) {
      int where = at(r, term, i);
      if (term->text[i] != ELLIPSIS) {
        if (!note_size(r, where, term->text[i], type.dims[dim++])) return false;
        continue;
      }
      for (int e = r->ellipsis_rank - more; e < r->ellipsis_rank; e++)
        if (!note_ellipsis(r, where, e, type.dims[dim++])) return false;
    }
  }
  return true;
}

/* Terms as canonical text; dims under the ellipsis that stretch are dropped
 * and marked. */
static char *write_terms(Reader *r, char *to, uint64_t *stretched) {
  for (int t = 0; t < r->n_terms; t++) {
    const Term *term = &r->terms[t];
    Type type = type_of(r, t);
    int dim = 0, more = type.rank - term->letters;
    if (t) *to++ = ',';
    for (int i = 0; i < term->length; i++) {
      if (term->text[i] != ELLIPSIS) {
        *to++ = term->text[i];
        dim++;
        continue;
      }
      for (int e = r->ellipsis_rank - more; e < r->ellipsis_rank; e++, dim++) {
        char letter = r->ellipsis[e];
        if (type.dims[dim] == 1 && r->size[(int)letter] != 1)
          stretched[t] |= UINT64_C(1) << dim;
        else
          *to++ = letter;
      }
    }
  }
  return to;
}

static char *implicit_output(Reader *r, char *to) {
  for (int e = 0; e < r->ellipsis_rank; e++) *to++ = r->ellipsis[e];
  for (char c = 'A'; c <= 'z'; c++) {
    int count = 0;
    if (!is_letter(c)) continue;
    for (int i = 0; i < r->length; i++) count += r->clean[i] == c;
    if (count == 1) *to++ = c;
  }
  return to;
}

/* Is it written there, and no letter of ours for a dim under the ellipsis? */
static bool in_terms(const Reader *r, char label) {
  return r->size[(int)label] >= 0 && strchr(r->ellipsis, label) == NULL;
}

/* A label that no term has: in the other case one may have it. */
static const char *unknown_label(Reader *r, char c) {
  char other = (char)(c ^ ('a' ^ 'A')), known[LETTERS + 1] = "";
  if (in_terms(r, other))
    return ir_format(r->program,
                     "label %c of the output is in no term; did you mean %c?",
                     c, other);
  for (int i = 0, n = 0; i < LETTERS; i++)
    if (in_terms(r, alphabet[i])) known[n++] = alphabet[i];
  return ir_format(r->program, "label %c of the output is in no term%s%s", c,
                   *known ? "; the terms have " : "", known);
}

static char *explicit_output(Reader *r, char *to) {
  bool seen[128] = {false}, any = false;
  for (int t = 0; t < r->n_terms; t++) any |= r->terms[t].ellipsis;
  if (r->ellipsis_rank > 0 && !r->out.ellipsis) {
    complain(r, at(r, &r->out, 0), "the output lacks the ellipsis");
    return NULL;
  }
  for (int i = 0; i < r->out.length; i++) {
    char c = r->out.text[i];
    const char *wrong = NULL;
    if (c == ELLIPSIS && !any)
      wrong = "the output has an ellipsis, no term has";
    else if (c != ELLIPSIS && r->size[(int)c] < 0)
      wrong = unknown_label(r, c);
    else if (seen[(int)c])
      wrong = ir_format(r->program, "label %c stands twice in the output", c);
    if (wrong) {
      complain(r, at(r, &r->out, i), wrong);
      return NULL;
    }
    seen[(int)c] = true;
    if (c != ELLIPSIS) *to++ = c;
    for (int e = 0; c == ELLIPSIS && e < r->ellipsis_rank; e++)
      *to++ = r->ellipsis[e];
  }
  return to;
}

bool ir_einsum_resolve(Program *program, const char *written,
                       Value *const *operands, int n, Place place, char **spec,
                       uint64_t *stretched) {
  Reader r = {.program = program,
              .operands = operands,
              .n_operands = n,
              .place = place,
              .text = written};
  memset(r.size, -1, sizeof r.size);
  if (n > LETTERS)
    return ir_error(program, place, "einsum: %d operands; the most is %d", n,
                    LETTERS);
  if (!clean(&r) || !split(&r) || !check_ranks(&r) || !name_ellipsis(&r) ||
      !sizes(&r))
    return false;
  size_t room = 4 + LETTERS + IR_MAX_RANK;
  for (int t = 0; t < n; t++) room += (size_t)type_of(&r, t).rank + 1;
  char *text = ir_alloc(program, room);
  if (text == NULL) return false;
  memset(stretched, 0, (size_t)n * sizeof *stretched);
  char *to = write_terms(&r, text, stretched);
  *to++ = '-';
  *to++ = '>';
  to = r.has_out ? explicit_output(&r, to) : implicit_output(&r, to);
  *spec = text;
  return to != NULL;
}

/* -- canonical specs --------------------------------------------------- */

static int label_of(Einsum *e, char letter, int64_t size) {
  for (int l = 0; l < e->n_labels; l++)
    if (e->letter[l] == letter) return l;
  e->letter[e->n_labels] = letter;
  e->size[e->n_labels] = size;
  return e->n_labels++;
}

void ir_einsum_read(const Node *einsum, Einsum *out) {
  const char *c = ir_string(einsum, ATTR_spec);
  memset(out, 0, sizeof *out);
  out->n_terms = einsum->n_operands;
  for (int t = 0; t < out->n_terms; t++) {
    Type type = einsum->operands[t]->type;
    out->rank[t] = type.rank;
    for (int d = 0; d < type.rank; d++)
      out->term[t][d] = (int8_t)label_of(out, *c++, type.dims[d]);
    c += t + 1 < out->n_terms;
  }
  for (c += 2; *c; c++) {
    int label = label_of(out, *c, 0);
    out->in_out[label] = true;
    out->out[out->out_rank++] = (int8_t)label;
  }
}

char *ir_einsum_spec(Program *program, const Einsum *e) {
  size_t room = 3 + (size_t)e->out_rank;
  for (int t = 0; t < e->n_terms; t++) room += (size_t)e->rank[t] + 1;
  char *text = ir_alloc(program, room), *to = text;
  if (text == NULL) return NULL;
  for (int t = 0; t < e->n_terms; t++) {
    if (t) *to++ = ',';
    for (int d = 0; d < e->rank[t]; d++) *to++ = e->letter[e->term[t][d]];
  }
  *to++ = '-';
  *to++ = '>';
  for (int o = 0; o < e->out_rank; o++) *to++ = e->letter[e->out[o]];
  return text;
}
