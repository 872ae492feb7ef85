/* builder_region.c: what scans, whiles and conds share: being open, nesting,
 * ending, and carries.
 *
 * A region's body is a block that is open while calls record into it.  Regions
 * nest; the innermost open one is the one that may be added to. */
#include <stdlib.h>

#include "frontend.h"

const char *front_region_word(const Region *region) {
  static const char *const words[] = {
      [REGION_SCAN] = "scan", [REGION_WHILE] = "while", [REGION_COND] = "cond"};
  return words[region->kind];
}

const char *front_region_file(const Region *region) {
  return region->place.file ? region->place.file : "?";
}

const Region *front_region_of(const ls_builder *builder, const Block *body) {
  const Region *region = builder->regions;
  while (region && region->bodies[0] != body && region->bodies[1] != body)
    region = region->made_before;
  return region;
}

/* -- life -------------------------------------------------------------- */

static bool open_body(const Call *call, Region *region, int which) {
  ls_builder *b = call->builder;
  region->bodies[which] = ir_block_begin(region->outside);
  if (region->bodies[which] == NULL) {
    front_take_error(call);
    return false;
  }
  b->block = region->bodies[which];
  return true;
}

void *front_region_begin(const Call *call, RegionKind kind, size_t bytes) {
  ls_builder *b = call->builder;
  Region *region = calloc(1, bytes);
  if (region == NULL) {
    front_out_of_memory(call);
    return NULL;
  }
  *region = (Region){.kind = kind,
                     .builder = b,
                     .made_before = b->regions,
                     .around = b->open,
                     .place = call->place,
                     .outside = b->block};
  b->regions = region;
  if (!open_body(call, region, 0)) return NULL;
  b->open = region;
  return region;
}

bool front_region_next_body(const Call *call, Region *region) {
  return open_body(call, region, 1);
}

void front_region_end(const Call *call, Region *region, NodeSpec *spec) {
  ls_builder *b = call->builder;
  for (int i = 0; i < IR_BODIES; i++) spec->bodies[i] = region->bodies[i];
  spec->place = region->place;
  region->node = ir_node(region->outside, spec);
  if (region->node == NULL) {
    front_take_error(call);
    return;
  }
  b->open = region->around;
  b->block = region->outside;
}

static void destroy(Region *region) {
  switch (region->kind) {
    case REGION_SCAN: {
      ls_scan *scan = (ls_scan *)region;
      free(scan->carries);
      free(scan->xs);
      free(scan->ys);
      break;
    }
    case REGION_WHILE:
      free(((ls_while *)region)->carries);
      break;
    case REGION_COND:
      for (int i = 0; i < IR_BODIES; i++) free(((ls_cond *)region)->yields[i]);
  }
  free(region);
}

void front_regions_destroy(ls_builder *builder) {
  while (builder->regions) {
    Region *region = builder->regions;
    builder->regions = region->made_before;
    destroy(region);
  }
}

/* -- calls ------------------------------------------------------------- */

bool front_region_call(Call *call, ls_place here, Region *region,
                       const char *name) {
  return region && front_begin(call, here, region->builder, name);
}

bool front_region_add(Call *call, ls_place here, Region *region,
                      const char *name) {
  if (!front_region_call(call, here, region, name)) return false;
  if (region->node)
    return front_misuse(call, "the %s has ended", front_region_word(region));
  const Region *open = region->builder->open;
  if (open == region) return true;
  return front_misuse(call, "the %s at %s:%d is still open inside this one",
                      front_region_word(open), front_region_file(open),
                      open->place.line);
}

bool front_region_ended(const Call *call, const Region *region) {
  if (region->node) return true;
  return front_misuse(call, "the %s at %s:%d has not ended",
                      front_region_word(region), front_region_file(region),
                      region->place.line);
}

/* -- carries ----------------------------------------------------------- */

int64_t front_find_carry(const Call *call, const Region *region,
                         const Carry *carries, int64_t n, ls_value handle) {
  const Entry *entry = front_entry(call, handle, "the carry");
  if (entry == NULL) return -1;
  for (int64_t i = 0; entry->value && i < n; i++)
    if (carries[i].param == entry->value || carries[i].asked == entry->value)
      return i;
  const char *word = front_region_word(region);
  front_misuse(call,
               "this is no carry of the %s: give what ls_%s_carry "
               "returned",
               word, word);
  return -1;
}

const char *front_carry_text(const Call *call, const Carry *carry,
                             int64_t number) {
  const Value *param = carry->param ? carry->param : carry->asked;
  const char *text = param->name ? param->name
                                 : ir_format(call->builder->draft,
                                             "number %lld", (long long)number);
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

bool front_fits_carry(const Call *call, const Carry *carry, int64_t number,
                      const Value *next) {
  Program *draft = call->builder->draft;
  Type now = carry->param->type;
  if (now.dtype == next->type.dtype && ir_shape_equal(now, next->type))
    return true;
  return front_wrong(call, "carry %s starts as %s%s but its next value is %s%s",
                     front_carry_text(call, carry, number),
                     ir_type_text(draft, now).text, made_at(draft, carry->init),
                     ir_type_text(draft, next->type).text,
                     made_at(draft, next));
}

/* A C scalar is beside its carry here, and takes its dtype. */
Value *front_next_value(const Call *call, ls_value next, const Carry *carry,
                        Block *body) {
  const Entry *entry = front_entry(call, next, "the next value");
  if (entry == NULL) return NULL;
  return entry->literal ? front_literal(call, entry->literal,
                                        carry->param->type.dtype, body)
                        : front_value(call, next, "the next value", body);
}
