/* builder_scan.c: scans, from ls_scan_begin to ls_scan_result.
 *
 * A scan's body is a block that is open while calls record into it.  Carries
 * and xs become its parameters at once, in the order of the user's calls; at
 * ls_scan_end they are put into the graph's order, carries first. */
#include <stdlib.h>
#include <string.h>

#include "frontend.h"

static bool begin_open(Call *call, ls_place here, ls_scan *scan,
                       const char *name) {
  return front_region_add(call, here, scan ? &scan->region : NULL, name);
}

static Block *body_of(const ls_scan *scan) { return scan->region.bodies[0]; }

static int64_t find_carry(const Call *call, const ls_scan *scan,
                          ls_value handle) {
  return front_find_carry(call, &scan->region, scan->carries, scan->n_carries,
                          handle);
}

ls_scan *ls_scan_begin_at(ls_place here, ls_builder *b,
                          ls_scan_options options) {
  Call call;
  if (!front_begin(&call, here, b, "scan_begin")) return NULL;
  if (options.length < LS_FROM_XS || options.unroll < 0) {
    front_misuse(
        &call, "%s=%lld is negative", options.unroll < 0 ? "unroll" : "length",
        (long long)(options.unroll < 0 ? options.unroll : options.length));
    return NULL;
  }
  ls_scan *scan = front_region_begin(&call, REGION_SCAN, sizeof *scan);
  if (scan) scan->options = options;
  return scan;
}

ls_value ls_scan_carry_at(ls_place here, ls_scan *scan, ls_value init) {
  Call call;
  if (!begin_open(&call, here, scan, "scan_carry")) return (ls_value){0};
  Value *outer = front_value(&call, init, "the init", scan->region.outside);
  if (outer == NULL) return (ls_value){0};
  if (!front_grow((void **)&scan->carries, scan->n_carries, &scan->carry_room,
                  sizeof *scan->carries)) {
    front_out_of_memory(&call);
    return (ls_value){0};
  }
  Value *param = ir_block_param(body_of(scan), outer->type, NULL);
  scan->carries[scan->n_carries++] = (Carry){.init = outer, .param = param};
  return front_handle(&call, param);
}

ls_value ls_scan_xs_at(ls_place here, ls_scan *scan, ls_value xs) {
  Call call;
  if (!begin_open(&call, here, scan, "scan_xs")) return (ls_value){0};
  Value *outer = front_value(&call, xs, "the xs", scan->region.outside);
  if (outer == NULL) return (ls_value){0};
  Type type = outer->type;
  if (type.rank == 0) {
    front_wrong(&call, "xs is a scalar (%s): it has no steps",
                ir_type_text(scan->region.builder->draft, type).text);
    return (ls_value){0};
  }
  if (!front_grow((void **)&scan->xs, scan->n_xs, &scan->xs_room,
                  sizeof *scan->xs)) {
    front_out_of_memory(&call);
    return (ls_value){0};
  }
  type.rank--;
  type.dims++;
  Value *param = ir_block_param(body_of(scan), type, NULL);
  scan->xs[scan->n_xs++] = (Xs){outer, param};
  return front_handle(&call, param);
}

void ls_scan_next_at(ls_place here, ls_scan *scan, ls_value handle,
                     ls_value next) {
  Call call;
  if (!begin_open(&call, here, scan, "scan_next")) return;
  int64_t number = find_carry(&call, scan, handle);
  if (number < 0) return;
  Carry *carry = &scan->carries[number];
  if (carry->next) {
    front_misuse(&call, "carry %s has its next value already",
                 front_carry_text(&call, carry, number));
    return;
  }
  Value *value = front_next_value(&call, next, carry, body_of(scan));
  if (value && front_fits_carry(&call, carry, number, value))
    carry->next = value;
}

ls_value ls_scan_y_at(ls_place here, ls_scan *scan, ls_value y) {
  Call call;
  if (!begin_open(&call, here, scan, "scan_y")) return (ls_value){0};
  ls_builder *b = scan->region.builder;
  Value *value = front_value(&call, y, "y", body_of(scan));
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
  Program *draft = scan->region.builder->draft;
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
                          front_carry_text(call, carry, i));
    (*operands)[i] = carry->init;
    body_of(scan)->params[i] = carry->param;
    yields[i] = carry->next;
  }
  for (int64_t i = 0; i < scan->n_xs; i++) {
    (*operands)[scan->n_carries + i] = scan->xs[i].whole;
    body_of(scan)->params[scan->n_carries + i] = scan->xs[i].param;
  }
  for (size_t i = 0; i < n_in; i++) body_of(scan)->params[i]->index = (int)i;
  if (scan->n_ys)
    memcpy(yields + scan->n_carries, scan->ys,
           (size_t)scan->n_ys * sizeof *yields);
  ir_block_yield(body_of(scan), yields, (int)n_out);
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
  NodeSpec spec = {.op = OP_scan,
                   .n_operands = (int)(scan->n_carries + scan->n_xs),
                   .operands = operands,
                   .n_attrs = scan_attrs(&scan->options, attrs),
                   .attrs = attrs,
                   .n_carries = (int)scan->n_carries};
  front_region_end(&call, &scan->region, &spec);
}

static Value *find_result(const Call *call, ls_scan *scan, ls_value which) {
  const ls_builder *b = call->builder;
  const Node *node = scan->region.node;
  if (which.builder == b && which.id < 0) {
    const Ticket *ticket =
        -which.id <= b->n_tickets ? &b->tickets[-which.id - 1] : NULL;
    if (ticket && ticket->scan == scan)
      return node->results[scan->n_carries + ticket->y];
    front_misuse(call, "this is a y of another scan");
    return NULL;
  }
  int64_t number = find_carry(call, scan, which);
  return number < 0 ? NULL : node->results[number];
}

ls_value ls_scan_result_at(ls_place here, ls_scan *scan, ls_value which) {
  Call call;
  if (!front_region_call(&call, here, scan ? &scan->region : NULL,
                         "scan_result") ||
      !front_region_ended(&call, &scan->region))
    return (ls_value){0};
  Value *value = find_result(&call, scan, which);
  return value ? front_handle(&call, value) : (ls_value){0};
}
