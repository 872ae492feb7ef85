/* builder_scan.c: scans, from ls_scan_begin to ls_scan_result.
 *
 * A scan's body is a block that is open while calls record into it.  Carries
 * and xs become its parameters at once, in the order of the user's calls; at
 * ls_scan_end they are put into the graph's order, carries first. */
#include <stdlib.h>
#include <string.h>

#include "frontend.h"

static bool begin(Call *call, ls_place here, ls_scan *scan, const char *name) {
  if (scan == NULL) return false;
  ls_builder *b = scan->builder;
  return front_begin(call, here, b, name);
}

/* For calls that add to the scan: it must be the innermost open one. */
static bool begin_open(Call *call, ls_place here, ls_scan *scan,
                       const char *name) {
  if (!begin(call, here, scan, name)) return false;
  if (scan->node) return front_misuse(call, "the scan has ended");
  const ls_scan *open = scan->builder->open;
  if (open == scan) return true;
  return front_misuse(call, "the scan at %s:%d is still open inside this one",
                      open->place.file ? open->place.file : "?",
                      open->place.line);
}

ls_scan *ls_scan_begin_at(ls_place here, ls_builder *b,
                          ls_scan_options options) {
  Call call;
  if (!front_begin(&call, here, b, "scan_begin")) return NULL;
  if (options.length < LS_FROM_XS || options.unroll < 0) {
    front_misuse(&call, options.unroll < 0 ? "unroll is negative"
                                           : "length is negative");
    return NULL;
  }
  ls_scan *scan = calloc(1, sizeof *scan);
  if (scan == NULL) {
    front_out_of_memory(&call);
    return NULL;
  }
  *scan = (ls_scan){.builder = b,
                    .made_before = b->scans,
                    .around = b->open,
                    .place = call.place,
                    .options = options,
                    .outside = b->block,
                    .body = ir_block_begin(b->block)};
  b->scans = scan;
  if (scan->body == NULL) {
    front_take_error(&call);
    return NULL;
  }
  b->open = scan;
  b->block = scan->body;
  return scan;
}

ls_value ls_scan_carry_at(ls_place here, ls_scan *scan, ls_value init) {
  Call call;
  if (!begin_open(&call, here, scan, "scan_carry")) return (ls_value){0};
  Value *outer = front_value(&call, init, "the init", scan->outside);
  if (outer == NULL) return (ls_value){0};
  if (!front_grow((void **)&scan->carries, scan->n_carries, &scan->carry_room,
                  sizeof *scan->carries)) {
    front_out_of_memory(&call);
    return (ls_value){0};
  }
  Value *param = ir_block_param(scan->body, outer->type, NULL);
  scan->carries[scan->n_carries++] = (Carry){outer, param, NULL};
  return front_handle(&call, param);
}

ls_value ls_scan_xs_at(ls_place here, ls_scan *scan, ls_value xs) {
  Call call;
  if (!begin_open(&call, here, scan, "scan_xs")) return (ls_value){0};
  Value *outer = front_value(&call, xs, "the xs", scan->outside);
  if (outer == NULL) return (ls_value){0};
  Type type = outer->type;
  if (type.rank == 0) {
    front_wrong(&call, "xs is a scalar (%s): it has no steps",
                ir_type_text(scan->builder->draft, type).text);
    return (ls_value){0};
  }
  if (!front_grow((void **)&scan->xs, scan->n_xs, &scan->xs_room,
                  sizeof *scan->xs)) {
    front_out_of_memory(&call);
    return (ls_value){0};
  }
  type.rank--;
  type.dims++;
  Value *param = ir_block_param(scan->body, type, NULL);
  scan->xs[scan->n_xs++] = (Xs){outer, param};
  return front_handle(&call, param);
}

static Carry *find_carry(const Call *call, ls_scan *scan, ls_value handle,
                         int64_t *number) {
  Entry *entry = front_entry(call, handle, "the carry");
  if (entry == NULL) return NULL;
  for (int64_t i = 0; i < scan->n_carries; i++)
    if (scan->carries[i].param == entry->value) {
      *number = i;
      return &scan->carries[i];
    }
  front_misuse(call,
               "this is no carry of the scan: give what ls_scan_carry "
               "returned");
  return NULL;
}

/* "y" if the carry has a name, else "number 0". */
static const char *carry_text(ls_scan *scan, const Carry *carry,
                              int64_t number) {
  Program *draft = scan->builder->draft;
  const char *text = carry->param->name
                         ? carry->param->name
                         : ir_format(draft, "number %lld", (long long)number);
  return text ? text : "?";
}

static const char *made_at(Program *draft, const Value *value) {
  const char *text = NULL;
  if (value->node && value->node->place.line > 0)
    text = ir_format(draft, " (made at %s:%d)", value->node->place.file,
                     value->node->place.line);
  else if (value->name)
    text = ir_format(draft, " (%s)", value->name);
  return text ? text : "";
}

static bool fits_carry(const Call *call, ls_scan *scan, const Carry *carry,
                       int64_t number, const Value *next) {
  Program *draft = scan->builder->draft;
  Type now = carry->param->type;
  if (now.dtype == next->type.dtype && ir_shape_equal(now, next->type))
    return true;
  return front_wrong(call, "carry %s starts as %s%s but its next value is %s%s",
                     carry_text(scan, carry, number),
                     ir_type_text(draft, now).text, made_at(draft, carry->init),
                     ir_type_text(draft, next->type).text,
                     made_at(draft, next));
}

void ls_scan_next_at(ls_place here, ls_scan *scan, ls_value handle,
                     ls_value next) {
  Call call;
  int64_t number;
  if (!begin_open(&call, here, scan, "scan_next")) return;
  Carry *carry = find_carry(&call, scan, handle, &number);
  if (carry == NULL) return;
  if (carry->next) {
    front_misuse(&call, "carry %s has its next value already",
                 carry_text(scan, carry, number));
    return;
  }
  /* A C scalar is beside its carry here, and takes its dtype. */
  Entry *entry = front_entry(&call, next, "the next value");
  if (entry == NULL) return;
  Value *value = entry->literal
                     ? front_literal(&call, entry->literal,
                                     carry->param->type.dtype, scan->body)
                     : front_value(&call, next, "the next value", scan->body);
  if (value && fits_carry(&call, scan, carry, number, value))
    carry->next = value;
}

ls_value ls_scan_y_at(ls_place here, ls_scan *scan, ls_value y) {
  Call call;
  if (!begin_open(&call, here, scan, "scan_y")) return (ls_value){0};
  ls_builder *b = scan->builder;
  Value *value = front_value(&call, y, "y", scan->body);
  if (value == NULL) return (ls_value){0};
  if (!front_grow((void **)&scan->ys, scan->n_ys, &scan->y_room,
                  sizeof *scan->ys) ||
      !front_grow((void **)&b->tickets, b->n_tickets, &b->ticket_room,
                  sizeof *b->tickets)) {
    front_out_of_memory(&call);
    return (ls_value){0};
  }
  b->tickets[b->n_tickets] = (Ticket){scan, (int)scan->n_ys};
  scan->ys[scan->n_ys++] = value;
  return (ls_value){b, -(++b->n_tickets)};
}

/* -- the end ----------------------------------------------------------- */

/* Operands, parameters and yields in the graph's order. */
static bool arrange(const Call *call, ls_scan *scan, Value ***operands) {
  Program *draft = scan->builder->draft;
  size_t n_in = (size_t)(scan->n_carries + scan->n_xs);
  size_t n_out = (size_t)(scan->n_carries + scan->n_ys);
  Value **yields = ir_alloc(draft, n_out * sizeof *yields + 1);
  *operands = ir_alloc(draft, n_in * sizeof **operands + 1);
  if (yields == NULL || *operands == NULL) {
    front_out_of_memory(call);
    return false;
  }
  for (int64_t i = 0; i < scan->n_carries; i++) {
    Carry *carry = &scan->carries[i];
    if (carry->next == NULL)
      return front_misuse(call,
                          "carry %s has no next value: ls_scan_next is "
                          "missing",
                          carry_text(scan, carry, i));
    (*operands)[i] = carry->init;
    scan->body->params[i] = carry->param;
    yields[i] = carry->next;
  }
  for (int64_t i = 0; i < scan->n_xs; i++) {
    (*operands)[scan->n_carries + i] = scan->xs[i].whole;
    scan->body->params[scan->n_carries + i] = scan->xs[i].param;
  }
  for (size_t i = 0; i < n_in; i++) scan->body->params[i]->index = (int)i;
  if (scan->n_ys)
    memcpy(yields + scan->n_carries, scan->ys,
           (size_t)scan->n_ys * sizeof *yields);
  ir_block_yield(scan->body, yields, (int)n_out);
  return true;
}

static int scan_attrs(const ls_scan_options *options, Attr *attrs) {
  int n = 0;
  if (options->length >= 0) attrs[n++] = (Attr)IR_INT(length, options->length);
  if (options->reverse) attrs[n++] = (Attr)IR_INT(reverse, 1);
  if (options->unroll > 1) attrs[n++] = (Attr)IR_INT(unroll, options->unroll);
  return n;
}

void ls_scan_end_at(ls_place here, ls_scan *scan) {
  Call call;
  Value **operands;
  Attr attrs[3];
  if (!begin_open(&call, here, scan, "scan_end") ||
      !arrange(&call, scan, &operands))
    return;
  ls_builder *b = scan->builder;
  NodeSpec spec = {.op = OP_scan,
                   .n_operands = (int)(scan->n_carries + scan->n_xs),
                   .operands = operands,
                   .n_attrs = scan_attrs(&scan->options, attrs),
                   .attrs = attrs,
                   .n_carries = (int)scan->n_carries,
                   .body = scan->body,
                   .place = scan->place};
  scan->node = ir_node(scan->outside, &spec);
  if (scan->node == NULL) {
    front_take_error(&call);
    return;
  }
  b->open = scan->around;
  b->block = scan->outside;
}

static Value *find_result(const Call *call, ls_scan *scan, ls_value which) {
  ls_builder *b = scan->builder;
  int64_t number;
  if (which.builder == b && which.id < 0) {
    const Ticket *ticket =
        -which.id <= b->n_tickets ? &b->tickets[-which.id - 1] : NULL;
    if (ticket && ticket->scan == scan)
      return scan->node->results[scan->n_carries + ticket->y];
    front_misuse(call, "this is a y of another scan");
    return NULL;
  }
  if (find_carry(call, scan, which, &number) == NULL) return NULL;
  return scan->node->results[number];
}

ls_value ls_scan_result_at(ls_place here, ls_scan *scan, ls_value which) {
  Call call;
  if (!begin(&call, here, scan, "scan_result")) return (ls_value){0};
  if (scan->node == NULL) {
    front_misuse(&call, "the scan at %s:%d has not ended",
                 scan->place.file ? scan->place.file : "?", scan->place.line);
    return (ls_value){0};
  }
  Value *value = find_result(&call, scan, which);
  return value ? front_handle(&call, value) : (ls_value){0};
}
