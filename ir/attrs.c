/* attrs.c: attributes: their table, what a node may take, how they are kept and
 * read.  What the op's row allows comes in; a sorted list without defaults goes
 * out. */
#include "graph.h"

static const struct {
  const char *name;
  AttrKind kind;
  double fallback;
} attributes[ATTR_COUNT] = {
#define ATTR(key, spelling, kind, fallback) \
  [ATTR_##key] = {spelling, kind, fallback},
#include "attrs.def"
#undef ATTR
};

const char *ir_attr_name(AttrKey key) { return attributes[key].name; }
AttrKind ir_attr_kind(AttrKey key) { return attributes[key].kind; }

/* -- attributes -------------------------------------------------------- */

static bool copy_lists(Program *program, IntLists *lists) {
  IntList *copies = ir_alloc(program, (size_t)lists->n * sizeof *copies + 1);
  if (copies == NULL) return false;
  for (int i = 0; i < lists->n; i++) {
    copies[i].n = lists->v[i].n;
    copies[i].v = graph_copy(program, lists->v[i].v,
                             (size_t)lists->v[i].n * sizeof(int64_t));
    if (copies[i].v == NULL) return false;
  }
  lists->v = copies;
  return true;
}

static bool copy_attr(Program *program, Attr *attr) {
  switch (attributes[attr->key].kind) {
    case INTS:
    case AXES:
      attr->ints.v = graph_copy(program, attr->ints.v,
                                (size_t)attr->ints.n * sizeof(int64_t));
      return attr->ints.v != NULL;
    case LISTS:
    case PLACES:
      return copy_lists(program, &attr->lists);
    case STRING:
      attr->s = ir_copy_string(program, attr->s);
      return attr->s != NULL;
    default:
      return true;
  }
}

/* Is an optional attribute equal to what its absence means? */
static bool is_default(const Attr *attr) {
  switch (attributes[attr->key].kind) {
    case INT:
    case BOOL:
    case WORD:
      return (double)attr->i == attributes[attr->key].fallback;
    case NUMBER:
      return attr->f == attributes[attr->key].fallback;
    default:
      return false;
  }
}

/* Copy the given attributes, sorted by key, into the inference's frame;
 * complain about missing, unknown and repeated ones. */
bool graph_take_attrs(Infer *in, const NodeSpec *spec) {
  uint64_t seen = 0, allowed = in->info->required | in->info->optional;
  for (int i = 0; i < spec->n_attrs; i++) {
    uint64_t bit = UINT64_C(1) << spec->attrs[i].key;
    const char *name = attributes[spec->attrs[i].key].name;
    if (!(allowed & bit)) return infer_error(in, "takes no %s", name);
    if (seen & bit) return infer_error(in, "%s is given twice", name);
    seen |= bit;
    in->attr[spec->attrs[i].key] = spec->attrs[i];
  }
  uint64_t missing = in->info->required & ~seen;
  for (int key = 0; key < ATTR_COUNT; key++)
    if (missing >> key & 1)
      return infer_error(in, "needs %s=...", attributes[key].name);
  in->has = seen;
  return true;
}

bool graph_keep_attrs(Infer *in, Node *node) {
  int n = 0;
  Attr kept[ATTR_COUNT];
  for (int key = 0; key < ATTR_COUNT; key++) {
    uint64_t bit = UINT64_C(1) << key;
    if (!(in->has & bit)) continue;
    in->attr[key].key = (AttrKey)key;
    if ((in->info->optional & bit) && is_default(&in->attr[key])) continue;
    kept[n] = in->attr[key];
    if (!copy_attr(in->program, &kept[n++])) return false;
  }
  node->attrs = graph_copy(in->program, kept, (size_t)n * sizeof(Attr));
  node->n_attrs = n;
  return node->attrs != NULL;
}

const Attr *ir_attr(const Node *node, AttrKey key) {
  for (int i = 0; i < node->n_attrs; i++)
    if (node->attrs[i].key == key) return &node->attrs[i];
  return NULL;
}

int64_t ir_int(const Node *node, AttrKey key) {
  const Attr *attr = ir_attr(node, key);
  return attr ? attr->i : (int64_t)attributes[key].fallback;
}

double ir_number(const Node *node, AttrKey key) {
  const Attr *attr = ir_attr(node, key);
  return attr ? attr->f : attributes[key].fallback;
}

const char *ir_string(const Node *node, AttrKey key) {
  const Attr *attr = ir_attr(node, key);
  return attr ? attr->s : NULL;
}

IntList ir_ints(const Node *node, AttrKey key) {
  const Attr *attr = ir_attr(node, key);
  return attr ? attr->ints : (IntList){0};
}

IntLists ir_lists(const Node *node, AttrKey key) {
  const Attr *attr = ir_attr(node, key);
  return attr ? attr->lists : (IntLists){0};
}
