/* builder.c: recording a program from C: its life, errors, handles.
 *
 * Comes in: calls of the user's.  Goes out: a draft program, node by node, and
 * at the end a verified one.  The first error is kept with the user's place;
 * after it every call is quiet.  Types, axes, inputs and results are in
 * builder_edges.c, ops in builder_ops.c and builder_collectives.c, C scalars
 * and constants in builder_numbers.c, scans in builder_scan.c, while and cond
 * in builder_control.c, what those share in builder_region.c. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend.h"

/* -- errors ------------------------------------------------------------ */

static void keep_error(ls_builder *b, ls_status status, Place place,
                       const char *message, const char *detail) {
  if (b->status != LS_OK) return;
  b->status = status;
  const char *file = place.file ? place.file : "";
  bool placed = place.line > 0;
  int length = snprintf(NULL, 0, "%s:%d: error: %s\n%s", file, place.line,
                        message, detail ? detail : "");
  b->text = malloc((size_t)length + 1);
  if (b->text == NULL) return;
  if (placed)
    sprintf(b->text, "%s:%d: error: %s", file, place.line, message);
  else
    sprintf(b->text, "error: %s", message);
  if (detail) strcat(strcat(b->text, "\n"), detail);
}

static bool keep_formatted(const Call *call, ls_status status,
                           const char *format, va_list list) {
  char rest[1024], message[1152];
  vsnprintf(rest, sizeof rest, format, list);
  snprintf(message, sizeof message, "ls_%s: %s", call->name, rest);
  keep_error(call->builder, status, call->place, message, NULL);
  return false;
}

bool front_misuse(const Call *call, const char *format, ...) {
  va_list list;
  va_start(list, format);
  keep_formatted(call, LS_BAD_ARGUMENT, format, list);
  va_end(list);
  return false;
}

bool front_wrong(const Call *call, const char *format, ...) {
  va_list list;
  va_start(list, format);
  keep_formatted(call, LS_BAD_PROGRAM, format, list);
  va_end(list);
  return false;
}

void front_out_of_memory(const Call *call) {
  keep_error(call->builder, LS_FAILED, call->place, "out of memory", NULL);
}

/* The graph says "add: ..."; the user called ls_add. */
void front_take_error(const Call *call) {
  ls_builder *b = call->builder;
  const Program *draft = b->draft;
  if (draft == NULL || draft->error.out_of_memory) {
    front_out_of_memory(call);
    return;
  }
  if (!draft->error.failed) return;
  Place place = draft->error.place;
  const char *said = draft->error.message ? draft->error.message : "";
  size_t length = strlen(call->name);
  bool named = strncmp(said, call->name, length) == 0 && said[length] == ':';
  char message[2048];
  snprintf(message, sizeof message, named ? "ls_%s%s" : "ls_%s: %s", call->name,
           named ? said + length : said);
  keep_error(b, LS_BAD_PROGRAM, place.line > 0 ? place : call->place, message,
             draft->error.detail);
}

ls_status ls_builder_status(const ls_builder *b) {
  return b ? b->status : LS_FAILED;
}

const char *ls_builder_error(const ls_builder *b) {
  if (b && b->status == LS_OK) return "";
  return b && b->text ? b->text : "out of memory";
}

/* -- life -------------------------------------------------------------- */

bool front_is_name(const char *text) {
  if (text == NULL || !(isalpha((unsigned char)*text) || *text == '_'))
    return false;
  for (; *text; text++)
    if (!isalnum((unsigned char)*text) && *text != '_') return false;
  return true;
}

ls_builder *ls_builder_create(const char *name) {
  ls_builder *b = calloc(1, sizeof *b);
  if (b == NULL) return NULL;
  if (name == NULL) name = "program";
  bool named = front_is_name(name);
  b->draft = ir_program_create(named ? name : "program", NAMED);
  if (b->draft == NULL) {
    free(b);
    return NULL;
  }
  b->block = b->draft->body;
  if (!named)
    front_misuse(&(Call){b, "builder_create", {0}},
                 "a name is letters, digits and _, not '%s'", name);
  return b;
}

void ls_builder_destroy(ls_builder *b) {
  if (b == NULL) return;
  front_regions_destroy(b);
  ir_program_destroy(b->draft);
  free(b->entries);
  free(b->tickets);
  free(b->outputs);
  free(b->output_names);
  free(b->text);
  free(b);
}

bool front_begin(Call *call, ls_place here, ls_builder *b, const char *name) {
  *call = (Call){b, name, {here.file, here.line, 0}};
  if (b == NULL || b->status != LS_OK) return false;
  if (b->finished) return front_misuse(call, "the builder is finished");
  return true;
}

static Program *finish_draft(const Call *call) {
  ls_builder *b = call->builder;
  ir_block_yield(b->draft->body, b->outputs, (int)b->n_outputs);
  ir_result_names(b->draft, b->output_names);
  Program *program = ir_finish(b->draft, NULL);
  b->draft = program;
  if (program && !program->error.failed) ir_verify(program);
  if (program == NULL || program->error.failed) {
    front_take_error(call);
    return NULL;
  }
  b->draft = NULL;
  return program;
}

ls_program *ls_builder_finish(ls_builder *b) {
  Call call;
  if (!front_begin(&call, (ls_place){NULL, 0}, b, "builder_finish"))
    return NULL;
  b->finished = true;
  if (b->open) {
    call.place = b->open->place;
    const char *word = front_region_word(b->open);
    front_misuse(&call, "the %s that begins here has no ls_%s_end", word, word);
    return NULL;
  }
  Program *program = finish_draft(&call);
  if (program == NULL) return NULL;
  ls_program *made = front_program(program);
  if (made == NULL) front_take_error(&call);
  return made;
}

/* -- handles ----------------------------------------------------------- */

static ls_value new_handle(const Call *call, Entry entry) {
  ls_builder *b = call->builder;
  if (!front_grow((void **)&b->entries, b->n_entries, &b->entry_room,
                  sizeof *b->entries)) {
    front_out_of_memory(call);
    return (ls_value){0};
  }
  b->entries[b->n_entries] = entry;
  return (ls_value){b, ++b->n_entries};
}

ls_value front_handle(const Call *call, Value *value) {
  if (value) return new_handle(call, (Entry){value, NULL});
  front_take_error(call);
  return (ls_value){0};
}

ls_value front_literal_handle(const Call *call, Number *literal) {
  if (literal) return new_handle(call, (Entry){NULL, literal});
  front_take_error(call);
  return (ls_value){0};
}

bool front_visible(const Block *where, const Block *defined) {
  while (where && where->depth > defined->depth) where = where->parent;
  return where == defined;
}

static const char *value_text(const Value *value) {
  return value->name ? value->name : "unnamed";
}

Entry *front_entry(const Call *call, ls_value value, const char *what) {
  ls_builder *b = call->builder;
  if (b->status != LS_OK) return NULL;
  if (value.id == 0)
    front_misuse(call, "%s is not a value (all zeros)", what);
  else if (value.builder != b)
    front_misuse(call, "%s belongs to another builder", what);
  else if (value.id < 0)
    front_misuse(call,
                 "%s is what ls_scan_y returned: give it to "
                 "ls_scan_result",
                 what);
  else if (value.id > b->n_entries)
    front_misuse(call, "%s is not a value", what);
  else
    return &b->entries[value.id - 1];
  return NULL;
}

/* How what was made in a region may leave it. */
static const char *way_out(const Region *region, bool carry) {
  switch (region->kind) {
    case REGION_SCAN:
      return carry ? "; ls_scan_result gives its last value"
                   : "; stack it with ls_scan_y";
    case REGION_WHILE:
      return carry ? "; ls_while_result gives its last value"
                   : "; only a carry leaves a body of a while";
    default:
      return "; give it to ls_cond_yield, in both branches";
  }
}

/* A value of a region's body, used outside of it. */
static void out_of_scope(const Call *call, const Value *value,
                         const char *what) {
  const Region *region = front_region_of(call->builder, value->block);
  bool second = region->bodies[1] == value->block;
  static const char *const parts[][IR_BODIES] = {
      [REGION_SCAN] = {"", ""},
      [REGION_WHILE] = {"the test of ", "the step of "},
      [REGION_COND] = {"then of ", "else of "}};
  front_misuse(call,
               "%s (%s) was made inside %sthe %s at %s:%d and is not visible "
               "here%s",
               what, value_text(value), parts[region->kind][second],
               front_region_word(region), front_region_file(region),
               region->place.line, way_out(region, value->node == NULL));
}

Value *front_value(const Call *call, ls_value handle, const char *what,
                   Block *block) {
  Entry *entry = front_entry(call, handle, what);
  if (entry == NULL) return NULL;
  if (entry->literal)
    return front_literal(call, entry->literal, entry->literal->dtype, block);
  if (front_visible(block, entry->value->block)) return entry->value;
  out_of_scope(call, entry->value, what);
  return NULL;
}

ls_value ls_named_at(ls_place here, ls_builder *b, ls_value value,
                     const char *name) {
  Call call;
  if (!front_begin(&call, here, b, "named")) return value;
  Entry *entry = front_entry(&call, value, "the value");
  if (entry == NULL) return value;
  if (!front_is_name(name)) {
    front_misuse(&call, "a name is letters, digits and _, not '%s'",
                 name ? name : "NULL");
    return value;
  }
  if (entry->value && !front_input_name_free(&call, name, entry->value))
    return value;
  char *copy = ir_copy_string(b->draft, name);
  if (copy == NULL) front_take_error(&call);
  if (entry->literal)
    entry->literal->name = copy;
  else
    entry->value->name = copy;
  return value;
}

ls_type ls_value_type(ls_builder *b, ls_value handle) {
  ls_type type = {.dtype = LS_NO_DTYPE};
  if (b == NULL || b->draft == NULL || b->status != LS_OK || handle.id < 1 ||
      handle.builder != b || handle.id > b->n_entries)
    return type;
  Entry *entry = &b->entries[handle.id - 1];
  if (entry->literal) {
    if (entry->literal->dtype != DT_COUNT)
      type.dtype = (ls_dtype)entry->literal->dtype;
    return type;
  }
  Type inner = entry->value->type;
  type = (ls_type){.dtype = (ls_dtype)inner.dtype, .rank = inner.rank};
  for (int d = 0; d < inner.rank && d < LS_MAX_RANK; d++)
    type.dims[d] = inner.dims[d];
  type.axes = front_axes_text(b->draft, inner.axes);
  return type;
}
