/* dims.c: the classes themselves (dims.h): union-find over (value, dim). */
#include "dims.h"

#include <stdlib.h>
#include <string.h>

typedef struct Entry {
  const Value *value;
  int first; /* element of its dim 0 */
} Entry;

struct Dims {
  Entry *entries; /* in the order in which they came */
  int n_entries, entry_room;
  int *table; /* hash: entry number, -1: free; a power of two long */
  int table_room;
  int *parent;      /* by element */
  DimMixer *mixers; /* by element that is its own parent */
  int n_elements, element_room;
  bool failed;
};

Dims *ir_dims_create(void) { return calloc(1, sizeof(Dims)); }

void ir_dims_destroy(Dims *dims) {
  if (dims == NULL) return;
  free(dims->entries);
  free(dims->table);
  free(dims->parent);
  free(dims->mixers);
  free(dims);
}

bool ir_dims_failed(const Dims *dims) { return dims->failed; }
int ir_dims_count(const Dims *dims) { return dims->n_entries; }
const Value *ir_dims_value(const Dims *dims, int i) {
  return dims->entries[i].value;
}

/* -- values ------------------------------------------------------------ */

/* Where in the table the value is, or would go. */
static int slot_of(const Dims *dims, const Value *value) {
  unsigned mask = (unsigned)dims->table_room - 1;
  unsigned at = ((unsigned)value->id * 2654435761u) & mask;
  while (dims->table[at] >= 0 && dims->entries[dims->table[at]].value != value)
    at = (at + 1) & mask;
  return (int)at;
}

static bool grow_table(Dims *dims) {
  int room = dims->table_room ? 2 * dims->table_room : 64;
  int *table = malloc((size_t)room * sizeof *table);
  if (table == NULL) return false;
  memset(table, -1, (size_t)room * sizeof *table);
  free(dims->table);
  dims->table = table;
  dims->table_room = room;
  for (int i = 0; i < dims->n_entries; i++)
    table[slot_of(dims, dims->entries[i].value)] = i;
  return true;
}

static bool grow_entries(Dims *dims) {
  int room = dims->entry_room ? 2 * dims->entry_room : 32;
  Entry *entries = realloc(dims->entries, (size_t)room * sizeof *entries);
  if (entries == NULL) return false;
  dims->entries = entries;
  dims->entry_room = room;
  return true;
}

static bool grow_elements(Dims *dims, int wanted) {
  int room = dims->element_room ? dims->element_room : 64;
  while (room < wanted) room *= 2;
  int *parent = realloc(dims->parent, (size_t)room * sizeof *parent);
  if (parent) dims->parent = parent;
  DimMixer *mixers = realloc(dims->mixers, (size_t)room * sizeof *mixers);
  if (mixers) dims->mixers = mixers;
  if (parent && mixers) dims->element_room = room;
  return parent && mixers;
}

/* The first element of a value, which comes in here if it is new; -1: no
 * memory. */
static int first_of(Dims *dims, const Value *value) {
  if (dims->failed) return -1;
  int rank = value->type.rank;
  if (2 * dims->n_entries >= dims->table_room && !grow_table(dims)) {
    dims->failed = true;
    return -1;
  }
  int slot = slot_of(dims, value);
  if (dims->table[slot] >= 0) return dims->entries[dims->table[slot]].first;
  if ((dims->n_entries == dims->entry_room && !grow_entries(dims)) ||
      (dims->n_elements + rank > dims->element_room &&
       !grow_elements(dims, dims->n_elements + rank))) {
    dims->failed = true;
    return -1;
  }
  int first = dims->n_elements;
  dims->table[slot] = dims->n_entries;
  dims->entries[dims->n_entries++] = (Entry){value, first};
  for (int d = 0; d < rank; d++) {
    dims->parent[first + d] = first + d;
    dims->mixers[first + d] = (DimMixer){0};
  }
  dims->n_elements += rank;
  return first;
}

/* -- classes ----------------------------------------------------------- */

static int root_of(Dims *dims, int element) {
  while (dims->parent[element] != element) {
    dims->parent[element] = dims->parent[dims->parent[element]];
    element = dims->parent[element];
  }
  return element;
}

int ir_dims_class(Dims *dims, const Value *value, int dim) {
  int first = first_of(dims, value);
  return first < 0 ? -1 : root_of(dims, first + dim);
}

void ir_dims_join(Dims *dims, const Value *a, int i, const Value *b, int k) {
  int to = ir_dims_class(dims, a, i), from = ir_dims_class(dims, b, k);
  if (to < 0 || from < 0 || to == from) return;
  if (from < to) {
    int swap = to;
    to = from;
    from = swap;
  }
  dims->parent[from] = to;
  if (dims->mixers[to].node == NULL) dims->mixers[to] = dims->mixers[from];
}

void ir_dims_mix(Dims *dims, const Value *value, int dim, const Node *node,
                 const char *why) {
  int class = ir_dims_class(dims, value, dim);
  if (class < 0 || dims->mixers[class].node) return;
  dims->mixers[class] = (DimMixer){node, why};
}

DimMixer ir_dims_mixer(Dims *dims, int number) { return dims->mixers[number]; }

static int known(const Dims *dims, const Value *value) {
  if (dims->table_room == 0) return -1;
  int at = dims->table[slot_of(dims, value)];
  return at < 0 ? -1 : dims->entries[at].first;
}

int ir_dims_of(Dims *dims, const Value *value, int number) {
  int first = known(dims, value);
  for (int d = 0; first >= 0 && d < value->type.rank; d++)
    if (root_of(dims, first + d) == number) return d;
  return -1;
}

const Value *ir_dims_twice(Dims *dims, int number) {
  for (int i = 0; i < dims->n_entries; i++) {
    const Entry *entry = &dims->entries[i];
    int n = 0;
    for (int d = 0; d < entry->value->type.rank; d++)
      n += root_of(dims, entry->first + d) == number;
    if (n > 1) return entry->value;
  }
  return NULL;
}

/* -- the walk ---------------------------------------------------------- */

void ir_dims_add_node(Dims *dims, const Node *node) {
  for (int i = 0; i < node->n_operands; i++) first_of(dims, node->operands[i]);
  for (int i = 0; i < node->n_results; i++) first_of(dims, node->results[i]);
  ir_dims_rule(dims, node);
  for (int b = 0; b < IR_BODIES && node->bodies[b]; b++)
    ir_dims_add_block(dims, node->bodies[b]);
}

void ir_dims_add_block(Dims *dims, const Block *block) {
  for (int i = 0; i < block->n_params; i++) first_of(dims, block->params[i]);
  for (int i = 0; i < block->n_nodes && !dims->failed; i++)
    ir_dims_add_node(dims, block->nodes[i]);
  for (int i = 0; i < block->n_yields; i++) first_of(dims, block->yields[i]);
}
