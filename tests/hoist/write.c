/* write.c: random loops, as text, in the named or in the explicit form.
 *
 * Each step: work on the carry that varies (an einsum or something else that is
 * linear), a sum over the devices, scaling, a shift, and the next carries.  In
 * the explicit form the devices are a dim at a random place. */
#include "write.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Writer {
  uint64_t state;
  FILE *out;
  Drawn drawn;
  int size, steps;
  int place; /* explicit: of the device dim in a vector */
  int deep;  /* likewise in a matrix */
  bool mean, momentum, shift, nested, flips, folded, trace, extra;
  int work;
  const char *letters; /* of devices, rows, columns */
} Writer;

enum { PRODUCT, ELEMENTS, SHIFTED, TURNED, WORKS };

static int below(Writer *w, int n) {
  w->state = w->state * 6364136223846793005u + 1442695040888963407u;
  return (int)((w->state >> 33) % (uint64_t)n);
}

static bool chance(Writer *w, int percent) { return below(w, 100) < percent; }

/* -- types ------------------------------------------------------------- */

/* rank dims of the same size, and the devices. */
static void type(Writer *w, const char *dtype, int rank, bool varies) {
  bool dim = varies && w->drawn.explicit;
  int at = rank == 1 ? w->place : w->deep, total = rank + dim;
  fprintf(w->out, "%s[", dtype);
  for (int d = 0; d < total; d++)
    fprintf(w->out, "%s%d", d ? "," : "",
            dim && d == at ? w->drawn.devices : w->size);
  fprintf(w->out, varies && !dim ? "]{devices}" : "]");
}

static void labels(Writer *w, const char *dims, int rank, bool varies) {
  int at = rank == 1 ? w->place : w->deep;
  for (int d = 0; d < rank; d++) {
    if (varies && w->drawn.explicit && d == at) fputc(w->letters[0], w->out);
    fputc(dims[d], w->out);
  }
  if (varies && w->drawn.explicit && at == rank) fputc(w->letters[0], w->out);
}

/* -- one step ---------------------------------------------------------- */

/* %w from %c and %F, both varying. */
static void product(Writer *w, const char *carry) {
  char row[2] = {w->letters[1], 0}, both[3] = {w->letters[1], w->letters[2], 0};
  char column[2] = {w->letters[2], 0};
  fprintf(w->out,
          w->flips ? "    %%w = einsum %%%s, %%F, spec=\""
                   : "    %%w = einsum %%F, %%%s, spec=\"",
          carry);
  for (int i = 0; i < 2; i++) {
    if (i) fputc(',', w->out);
    if ((i == 0) == w->flips)
      labels(w, column, 1, true);
    else
      labels(w, both, 2, true);
  }
  fprintf(w->out, "->");
  labels(w, row, 1, !w->folded);
  fprintf(w->out, "\"\n");
}

static void elements(Writer *w, const char *carry) {
  fprintf(w->out,
          w->flips ? "    %%w = mul %%%s, %%f\n" : "    %%w = mul %%f, %%%s\n",
          carry);
}

/* All but the first, and a zero behind. */
static void shifted(Writer *w, const char *carry) {
  int rank = 1 + w->drawn.explicit, data = w->drawn.explicit && !w->place;
  fprintf(w->out, "    %%cut = slice %%%s, start=[", carry);
  for (int d = 0; d < rank; d++)
    fprintf(w->out, "%s%d", d ? "," : "", d == data);
  fprintf(w->out, "], limit=[");
  for (int d = 0; d < rank; d++)
    fprintf(w->out, "%s%d", d ? "," : "",
            d == data ? w->size : w->drawn.devices);
  fprintf(w->out, "]\n    %%zero = constant 0 : %s[]\n", w->drawn.dtype);
  fprintf(w->out, "    %%pad = pad %%cut, %%zero, low=[%s], high=[",
          rank == 2 ? "0,0" : "0");
  for (int d = 0; d < rank; d++)
    fprintf(w->out, "%s%d", d ? "," : "", d == data);
  fprintf(w->out, "]\n    %%w = mul %%pad, %%f\n");
}

static void turned(Writer *w, const char *carry) {
  if (!w->drawn.explicit) {
    fprintf(w->out, "    %%w = sub %%f, %%%s\n", carry);
    return;
  }
  fprintf(w->out,
          "    %%t = transpose %%%s, perm=[1,0]\n"
          "    %%ft = transpose %%f, perm=[1,0]\n"
          "    %%wt = mul %%t, %%ft\n"
          "    %%w = transpose %%wt, perm=[1,0]\n",
          carry);
}

static void work(Writer *w, const char *carry) {
  static void (*const works[WORKS])(Writer *, const char *) = {
      [PRODUCT] = product,
      [ELEMENTS] = elements,
      [SHIFTED] = shifted,
      [TURNED] = turned,
  };
  works[w->work](w, carry);
}

/* %u from %w: the sum over the devices. */
static void sum(Writer *w) {
  const char *from = "w";
  Obstacle obstacle = w->drawn.obstacle;
  if (obstacle == NONLINEAR) fprintf(w->out, "    %%bent = tanh %%w\n");
  if (obstacle == NONLINEAR) from = "bent";
  if (obstacle == WIDENED_INT) {
    fprintf(w->out, "    %%wide = convert %%w : ");
    type(w, "i64", 1, true);
    fprintf(w->out, "\n");
    from = "wide";
  }
  if (w->drawn.explicit && w->folded) return;
  if (w->drawn.explicit)
    fprintf(w->out, "    %%u0 = reduce_%s %%%s, dims=[%d]\n",
            obstacle == EXTREME ? "max" : "sum", from, w->place);
  else
    fprintf(w->out, "    %%u0 = %s %%%s, axis=devices%s\n",
            obstacle == EXTREME ? "pmax"
            : w->mean           ? "pmean"
                                : "psum",
            from, obstacle == GROUPS ? ", groups=[[0,1],[2,3]]" : "");
}

/* %s, shared: scaled and shifted. */
static void scale(Writer *w) {
  const char *sum = w->drawn.explicit && w->folded ? "w" : "u0";
  if (w->drawn.obstacle == WIDENED_INT) {
    fprintf(w->out, "    %%u1 = convert %%%s : ", sum);
    type(w, w->drawn.dtype, 1, false);
    fprintf(w->out, "\n");
    sum = "u1";
  }
  if (w->drawn.explicit && w->mean)
    fprintf(w->out, "    %%u2 = mul %%%s, %%share\n", sum);
  if (w->drawn.explicit && w->mean) sum = "u2";
  fprintf(w->out,
          w->flips ? "    %%s0 = mul %%eps, %%%s\n"
                   : "    %%s0 = mul %%%s, %%eps\n",
          sum);
  fprintf(w->out,
          w->shift ? "    %%s1 = add %%s0, %%eps\n" : "    %%s1 = neg %%s0\n");
  if (w->drawn.explicit) {
    fprintf(w->out, "    %%s = broadcast %%s1, dims=[%d] : ", !w->place);
    type(w, w->drawn.dtype, 1, true);
    fprintf(w->out, "\n");
  }
}

/* The next values: %n, and %v2 with momentum. */
static void step(Writer *w, const char *carry) {
  const char *move = w->drawn.explicit ? "s" : "s1";
  work(w, carry);
  sum(w);
  scale(w);
  if (w->momentum) {
    fprintf(w->out,
            "    %%h = mul %%friction, %%v\n    %%v2 = sub %%h, %%%s\n"
            "    %%n = add %%%s, %%v2\n",
            move, carry);
  } else {
    fprintf(w->out, "    %%n = %s %%%s, %%%s\n", w->flips ? "add" : "sub",
            carry, move);
  }
}

static void loop(Writer *w) {
  bool changing = w->drawn.obstacle == CHANGING;
  fprintf(
      w->out, "  %%y%s%s = scan length=%d, carry(%%c = %%y0%s)%s {\n",
      w->momentum ? ", %z" : "", w->trace ? ", %trace" : "", w->steps,
      w->momentum ? ", %v = %v0" : "",
      changing ? w->work == PRODUCT ? ", xs(%F = %Fs)" : ", xs(%f = %fs)" : "");
  if (w->nested) {
    fprintf(w->out, "   %%k9 = scan length=5, carry(%%k = %%c) {\n");
    step(w, "k");
    fprintf(w->out, "    yield carry(%%n)\n   }\n    %%n9 = sub %%k9, %%eps\n");
  } else {
    step(w, "c");
  }
  fprintf(w->out, "    yield carry(%%%s%s)%s\n  }\n", w->nested ? "n9" : "n",
          w->momentum ? ", %v2" : "", w->trace ? ", ys(%c)" : "");
  fprintf(w->out, "  return %%y%s%s\n}\n", w->momentum ? ", %z" : "",
          w->trace ? ", %trace" : "");
}

/* -- the program ------------------------------------------------------- */

static void input(Writer *w, const char *name, int rank) {
  fprintf(w->out, "%%%s: ", name);
  type(w, w->drawn.dtype, rank, true);
}

/* One more dim in front: a matrix or vector a step. */
static void stack(Writer *w, const char *name, int rank) {
  bool dim = w->drawn.explicit;
  int at = rank == 1 ? w->place : w->deep;
  fprintf(w->out, "%%%s: %s[%d", name, w->drawn.dtype, w->steps);
  for (int d = 0; d < rank + dim; d++)
    fprintf(w->out, ",%d", dim && d == at ? w->drawn.devices : w->size);
  fprintf(w->out, dim ? "], " : "]{devices}, ");
}

static void write_all(Writer *w) {
  bool changing = w->drawn.obstacle == CHANGING;
  bool whole = w->drawn.dtype[0] == 'i';
  if (!w->drawn.explicit)
    fprintf(w->out, "axis devices = %d\n", w->drawn.devices);
  fprintf(w->out, "program @p(");
  if (changing && w->work == PRODUCT) stack(w, "Fs", 2);
  if (changing && w->work != PRODUCT) stack(w, "fs", 1);
  if (!changing) {
    input(w, "F", 2);
    fprintf(w->out, ", ");
    input(w, "f", 1);
    fprintf(w->out, ", ");
  }
  input(w, "y0", 1);
  fprintf(w->out, ", ");
  input(w, "v0", 1);
  const char *dtype = w->drawn.dtype;
  fprintf(w->out,
          ") {\n  %%eps = constant %s : %s[]\n"
          "  %%friction = constant %s : %s[]\n"
          "  %%share = constant %g : %s[]\n",
          whole ? "3" : "0.0078125", dtype, whole ? "1" : "0.875", dtype,
          whole ? 1 : 1.0 / w->drawn.devices, dtype);
  loop(w);
}

/* Sizes of one device are drawn, too: nothing may break there. */
static void draw(Writer *w, bool stays) {
  static const int devices[] = {1, 2, 5, 8};
  static const char *const dtypes[] = {"f64", "f32", "i32"};
  static const char *const letters[] = {"dmn", "zab", "kji"};
  Drawn *drawn = &w->drawn;
  drawn->explicit = chance(w, 60);
  drawn->devices = devices[below(w, 4)];
  drawn->dtype = dtypes[chance(w, 60) ? 0 : below(w, 3)];
  w->letters = letters[below(w, 3)];
  w->size = 2 + below(w, 15);
  w->steps = 100 + below(w, 150);
  w->place = below(w, 2);
  w->deep = below(w, 3);
  w->work = chance(w, 55) ? PRODUCT : below(w, WORKS);
  w->mean = chance(w, 30) && drawn->dtype[0] == 'f';
  w->momentum = chance(w, 30);
  w->nested = !w->momentum && chance(w, 25);
  w->shift = chance(w, 50);
  w->flips = chance(w, 50);
  w->folded = drawn->explicit && w->work == PRODUCT && chance(w, 40);
  if (!stays) return;
  drawn->devices = 4;
  drawn->obstacle = (Obstacle)(1 + below(w, OBSTACLES - 1));
  if (drawn->obstacle == GROUPS) drawn->explicit = w->folded = false;
  if (drawn->obstacle != NONLINEAR) w->nested = false;
  w->folded = false;
  w->mean = false;
  if (w->work == TURNED) w->work = PRODUCT;
  if (drawn->obstacle == TOO_SHORT) w->steps = 1;
  drawn->dtype = drawn->obstacle == NARROW        ? "f16"
                 : drawn->obstacle == WIDENED_INT ? "i32"
                                                  : "f64";
}

Drawn write_program(uint64_t seed, bool stays, bool trace) {
  Writer w = {.state = seed * 2654435761u + 99, .trace = trace};
  size_t bytes;
  for (int i = 0; i < 4; i++) below(&w, 2);
  draw(&w, stays);
  w.out = open_memstream(&w.drawn.text, &bytes);
  if (w.out == NULL) return w.drawn;
  write_all(&w);
  fclose(w.out);
  return w.drawn;
}
