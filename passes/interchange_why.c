/* interchange_why.c: what the pass interchange did, or did not, as lines of
 * text (--why-not=interchange).
 *
 * Comes in: a scan and one way to cut it.  Goes out: a line with the node that
 * stands in the way, or the numbers that were compared. */
#include "interchange.h"

#include <stdio.h>
#include <stdlib.h>

static void put_value(Buffer *out, const Interchange *pass,
                      const Value *value) {
  ir_put_text(out, "%");
  ir_put_name(out, pass->names[value->id]);
}

static void put_node(Buffer *out, const Interchange *pass, const Node *node) {
  if (node->n_results) {
    put_value(out, pass, node->results[0]);
    ir_put_text(out, " = ");
  }
  ir_put_text(out, ir_ops[node->op].name);
}

static void say(const Interchange *pass, Buffer *out) {
  char *text = ir_buffer_take(out);
  if (text) pass->note(text, pass->note_context);
  free(text);
}

void interchange_note(Interchange *pass, const Node *scan, const char *text) {
  Buffer out = {0};
  if (pass->note == NULL) return;
  put_node(&out, pass, scan);
  ir_put_text(&out, " ");
  ir_put_text(&out, text);
  say(pass, &out);
}

static void put_dim(Buffer *out, const Interchange *pass,
                    const Choice *choice) {
  ir_put_text(out, " along dim ");
  ir_put_int(out, choice->dim);
  ir_put_text(out, " of ");
  put_value(out, pass, choice->result);
  ir_put_text(out, " (");
  ir_put_int(out, choice->extent);
  ir_put_text(out, ")");
}

void interchange_note_mixed(Interchange *pass, const Node *scan,
                            const Choice *choice, DimMixer mixer,
                            const Value *twice, const Value *other) {
  Buffer out = {0};
  if (pass->note == NULL) return;
  put_node(&out, pass, scan);
  ir_put_text(&out, " is not independent");
  put_dim(&out, pass, choice);
  ir_put_text(&out, ": ");
  if (mixer.node) {
    put_node(&out, pass, mixer.node);
    ir_put_text(&out, " ");
    ir_put_text(&out, mixer.why);
  } else if (twice) {
    put_value(&out, pass, twice);
    ir_put_text(&out, " has it twice");
  } else {
    put_value(&out, pass, other);
    ir_put_text(&out, " lacks it and is read");
  }
  say(pass, &out);
}

void interchange_note_priced(Interchange *pass, const Node *scan,
                             const Choice *choice, bool fired) {
  Buffer out = {0};
  if (pass->note == NULL) return;
  put_node(&out, pass, scan);
  ir_put_text(&out, fired ? " runs in blocks" : " stays whole");
  put_dim(&out, pass, choice);
  if (fired) {
    ir_put_text(&out, " of ");
    ir_put_int(&out, choice->size);
  }
  ir_put_text(&out, ": whole it takes ");
  ir_put_short(&out, choice->whole);
  if (choice->in == 0) {
    ir_put_text(&out, " cycles, and all of it lies in the innermost cache");
    say(pass, &out);
    return;
  }
  ir_put_text(&out,
              fired ? " cycles, in blocks " : " cycles, in blocks at best ");
  ir_put_short(&out, choice->in);
  if (!fired) ir_put_text(&out, ", which is not less than 0.9 of it");
  say(pass, &out);
}
