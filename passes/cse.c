/* cse.c: common subexpressions, by hash-consing.
 *
 * Comes in: a node just made.  Goes out: its value, or that of an equal node
 * made before that is visible from the node's block.  The key is all that the
 * node is (op, operands, attributes, type, literal), written out as bytes and
 * compared in full. */
#include <stdlib.h>
#include <string.h>

/* Out of memory: the entry is not kept, and nothing is found by it. */
#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(entry) ((entry)->lost = true)
#include <uthash.h>

#include "simplify.h"

typedef struct Known {
  UT_hash_handle hh;
  Value *value;
  bool lost;
  char key[];
} Known;

/* -- keys -------------------------------------------------------------- */

/* Bytes are counted first (to == NULL), then written. */
typedef struct Key {
  char *to;
  size_t length;
} Key;

static void put(Key *key, const void *bytes, size_t n) {
  if (key->to && n) memcpy(key->to + key->length, bytes, n);
  key->length += n;
}

static void put_int(Key *key, int64_t value) { put(key, &value, sizeof value); }

static void put_ints(Key *key, IntList list) {
  put_int(key, list.n);
  put(key, list.v, (size_t)list.n * sizeof(int64_t));
}

static void put_attr(Key *key, const Attr *attr) {
  put_int(key, attr->key);
  switch (ir_attr_kind(attr->key)) {
    case NUMBER:
      put(key, &attr->f, sizeof attr->f);
      break;
    case STRING:
      put(key, attr->s, strlen(attr->s) + 1);
      break;
    case INTS:
    case AXES:
      put_ints(key, attr->ints);
      break;
    case LISTS:
    case PLACES:
      put_int(key, attr->lists.n);
      for (int i = 0; i < attr->lists.n; i++) put_ints(key, attr->lists.v[i]);
      break;
    default:
      put_int(key, attr->i);
  }
}

static bool commutes(Op op) {
  return op == OP_add || op == OP_mul || op == OP_max || op == OP_min ||
         op == OP_and || op == OP_or || op == OP_xor;
}

static void put_operands(Key *key, const Node *node) {
  bool swap =
      commutes(node->op) && node->operands[0]->id > node->operands[1]->id;
  put_int(key, node->n_operands);
  for (int i = 0; i < node->n_operands; i++)
    put_int(key, node->operands[swap ? 1 - i : i]->id);
}

static void put_node(Key *key, const Node *node) {
  Type type = node->results[0]->type;
  put_int(key, node->op);
  put_operands(key, node);
  for (int i = 0; i < node->n_attrs; i++) put_attr(key, &node->attrs[i]);
  put_int(key, type.dtype);
  put_ints(key, (IntList){type.dims, type.rank});
  if (node->op != OP_constant) return;
  int64_t count = node->splat ? 1 : ir_type_elements(type);
  put_int(key, node->splat);
  put(key, node->literal, (size_t)count * ir_dtype_bytes(type.dtype));
}

/* -- the table --------------------------------------------------------- */

/* Calls of the host's functions are made as often as they are written. */
static bool may_share(const Node *node) {
  return node->body == NULL && node->n_results == 1 && node->op != OP_call;
}

static Known *entry_of(const Node *node, size_t *length) {
  Key key = {0};
  put_node(&key, node);
  Known *entry = malloc(sizeof *entry + key.length);
  if (entry == NULL) return NULL;
  *length = key.length;
  *entry = (Known){.value = node->results[0]};
  key = (Key){.to = entry->key};
  put_node(&key, node);
  return entry;
}

Value *cse_find(Simplify *s, Node *node) {
  size_t length;
  if (!may_share(node)) return node->results[0];
  Known *entry = entry_of(node, &length), *found = NULL;
  if (entry == NULL) return node->results[0];
  HASH_FIND(hh, s->known, entry->key, length, found);
  if (found == NULL) {
    HASH_ADD_KEYPTR(hh, s->known, entry->key, length, entry);
    if (entry->lost) free(entry);
    return node->results[0];
  }
  free(entry);
  if (simplify_sees(node->block, found->value->block)) return found->value;
  found->value = node->results[0];
  return found->value;
}

void cse_free(Simplify *s) {
  Known *entry, *next;
  HASH_ITER(hh, s->known, entry, next) {
    HASH_DELETE(hh, s->known, entry);
    free(entry);
  }
}
