/* hoist_why.c: what hoist did, or did not, as lines of text.
 *
 * Comes in: the best attempt at a scan and the scan as it is.  Goes out: one
 * line for each collective that moves or stays, with the node that stands in
 * its way or the numbers that were compared. */
#include <stdio.h>
#include <stdlib.h>

#include "../ir/text.h"
#include "hoist.h"

static void put_value(Buffer *out, const Attempt *a, const Value *value) {
  ir_put_text(out, "%");
  ir_put_name(out, a->hoist->names[value->id]);
}

static void put_result(Buffer *out, const Attempt *a, const Node *node) {
  if (node->n_results) put_value(out, a, node->results[0]);
  ir_put_text(out, node->n_results ? " = " : "");
  ir_put_text(out, ir_ops[node->op].name);
}

static void say(const Attempt *a, Buffer *out) {
  char *text = ir_buffer_take(out);
  if (text) a->hoist->note(text, a->hoist->note_context);
  free(text);
}

static void put_costs(Buffer *out, const Attempt *a, const Attempt *base) {
  ir_put_text(out, "the loop takes ");
  ir_put_short(out, base->step);
  ir_put_text(out, " cycles, would take ");
  ir_put_short(out, a->step);
  ir_put_text(out, " and ");
  ir_put_short(out, a->setup - base->setup);
  ir_put_text(out, " before it");
}

static void note_moved(const Attempt *a, const Attempt *base, const Fate *fate,
                       bool fired) {
  Buffer out = {0};
  double limit = pass_memory(&a->hoist->options->hardware) / 4;
  put_result(&out, a, fate->node);
  ir_put_text(&out, fired ? " leaves " : " could leave ");
  put_result(&out, a, a->scan);
  ir_put_text(&out, ": ");
  put_costs(&out, a, base);
  if (!fired && a->extra > limit && a->extra + a->held > base->held) {
    ir_put_text(&out, "; but it needs ");
    ir_put_short(&out, a->extra);
    ir_put_text(&out, " bytes more, and the most is ");
    ir_put_short(&out, limit);
  } else if (!fired) {
    ir_put_text(&out, "; both together must be less than 0.9 of it");
  }
  say(a, &out);
}

static void note_stays(const Attempt *a, const Fate *fate) {
  Buffer out = {0};
  const Blame *blame = fate->blame;
  put_result(&out, a, fate->node);
  ir_put_text(&out, " stays in ");
  put_result(&out, a, a->scan);
  if (blame && blame->value == fate->node->results[0]) {
    ir_put_text(&out, ": ");
    ir_put_text(&out, blame->why);
  } else if (blame) {
    ir_put_text(&out, ": it takes ");
    put_value(&out, a, blame->value);
    if (blame->value->node) {
      ir_put_text(&out, " = ");
      ir_put_text(&out, ir_ops[blame->value->node->op].name);
    }
    ir_put_text(&out, ", which varies and changes in the loop: ");
    ir_put_text(&out, blame->why ? blame->why : "nothing is known of it");
  }
  say(a, &out);
}

static void note_carry(const Attempt *a, int i) {
  const Carry *carry = &a->carries[i];
  Buffer out = {0};
  if (carry->split || carry->why == NULL) return;
  ir_put_text(&out, "carry ");
  put_value(&out, a, a->body->params[i]);
  ir_put_text(&out, " stays whole: ");
  ir_put_text(&out, carry->why);
  if (carry->growth > 1) {
    ir_put_text(&out, ", by ");
    ir_put_short(&out, carry->growth);
    ir_put_text(&out, " a step");
  }
  say(a, &out);
}

void hoist_note(const Attempt *a, const Attempt *base, bool fired) {
  a->hoist->names = ir_names(a->hoist->copier.from);
  if (a->hoist->names == NULL) return;
  for (int i = 0; i < a->n_fates; i++)
    if (a->fates[i].moved)
      note_moved(a, base, &a->fates[i], fired);
    else if (!fired)
      note_stays(a, &a->fates[i]);
  for (int i = 0; !fired && i < a->scan->n_carries; i++) note_carry(a, i);
  free(a->hoist->names);
  a->hoist->names = NULL;
}
