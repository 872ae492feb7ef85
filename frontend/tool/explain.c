/* explain.c: `lockstep explain`: the finished plan, kernel by kernel.
 *
 * Comes in: a planned program and its cost.  Goes out: for each kernel what is
 * fused into it, how it runs and why, and what it costs; or why two kernels
 * are not one. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "../../ir/blocks.h"
#include "../../ir/text.h"
#include "tool.h"

typedef struct Explanation {
  const Request *request;
  const Program *planned;
  ProgramCost cost;
  double cycles_per_ms;
  Name *names;
} Explanation;

static const char *word(const Node *kernel, AttrKey key) {
  return ir_words[ir_int(kernel, key)];
}

static void put_value(Buffer *out, const Explanation *e, const Value *value) {
  ir_put_text(out, "%");
  ir_put_name(out, e->names[value->id]);
}

/* -- what is in a kernel ----------------------------------------------- */

static int count_op(const Block *block, Op op) {
  int n = 0;
  for (int i = 0; i < block->n_nodes; i++) {
    n += block->nodes[i]->op == op;
    if (block->nodes[i]->body) n += count_op(block->nodes[i]->body, op);
  }
  return n;
}

/* "einsum, 2 add, mul" */
static void put_ops(Buffer *out, const Node *kernel) {
  const char *before = "";
  for (int op = 0; op < OP_COUNT; op++) {
    int n = count_op(kernel->body, (Op)op);
    if (n == 0) continue;
    ir_put_text(out, before);
    if (n > 1) {
      ir_put_int(out, n);
      ir_put_text(out, " ");
    }
    ir_put_text(out, ir_ops[op].name);
    before = ", ";
  }
  if (*before == '\0') ir_put_text(out, "a copy");
}

static bool has_reason(const Node *kernel) {
  return ir_int(kernel, ATTR_form) == WORD_contract;
}

static void put_results(Buffer *out, const Explanation *e, const Node *kernel) {
  for (int i = 0; i < kernel->n_results; i++) {
    if (i) ir_put_text(out, ", ");
    put_value(out, e, kernel->results[i]);
  }
}

static void put_types(Buffer *out, const Explanation *e, const Node *kernel) {
  for (int i = 0; i < kernel->n_results; i++) {
    if (i) ir_put_text(out, ", ");
    ir_put_type(out, e->planned, kernel->results[i]->type);
  }
}

/* -- as text ----------------------------------------------------------- */

static void put_amount(Buffer *out, double amount, const char *unit) {
  char text[64];
  snprintf(text, sizeof text, "%.4g %s", amount, unit);
  ir_put_text(out, text);
}

static void put_blocks(Buffer *out, const Explanation *e, const Node *blocks) {
  ir_put_text(out, "\n    in blocks of ");
  ir_put_int(out, ir_blocks_size(blocks));
  ir_put_text(out, " along dim ");
  ir_put_int(out, ir_blocks_dim(blocks, 0));
  ir_put_text(out, " of ");
  put_value(out, e, blocks->results[0]);
  ir_put_text(out, ", which has ");
  ir_put_int(out, ir_blocks_extent(blocks));
  if (ir_int(blocks, ATTR_inner))
    ir_put_text(out, "; there it is the innermost dim");
}

/* "predicted 1.5 us each, bound by L2" */
static void put_time(Buffer *out, double ms, const char *bound) {
  ir_put_text(out, "predicted ");
  put_amount(out,
             ms < 1e-3  ? ms * 1e6
             : ms < 1   ? ms * 1e3
             : ms < 1e3 ? ms
                        : ms * 1e-3,
             ms < 1e-3  ? "ns"
             : ms < 1   ? "us"
             : ms < 1e3 ? "ms"
                        : "s");
  ir_put_text(out, ", bound by ");
  ir_put_text(out, bound);
  ir_put_text(out, "\n");
}

/* In a program with a team: whose the kernel is. */
static void put_team(Buffer *out, const Explanation *e, const KernelCost *k) {
  if (!ir_has_team(e->planned->body)) return;
  const char *why = pass_team_reason(&e->cost, k, &e->request->options);
  ir_put_text(out,
              why ? "\n    by one thread: " : "\n    by the team, tiles [");
  if (why) ir_put_text(out, why);
  if (why) return;
  IntList tile = ir_ints(k->kernel, ATTR_tile);
  for (int i = 0; i < tile.n; i++) {
    if (i) ir_put_text(out, ",");
    ir_put_int(out, tile.v[i]);
  }
  ir_put_text(out, ir_int(k->kernel, ATTR_sync) ? "], which meets first" : "]");
}

static void put_kernel(Buffer *out, const Explanation *e, const KernelCost *k) {
  ir_put_text(out, "  ");
  put_results(out, e, k->kernel);
  ir_put_text(out, " : ");
  put_types(out, e, k->kernel);
  ir_put_text(out, "\n    ");
  ir_put_text(out, word(k->kernel, ATTR_form));
  ir_put_text(out, " of ");
  put_ops(out, k->kernel);
  if (has_reason(k->kernel)) {
    const char *why = pass_gemm_reason(k->kernel, &e->request->options);
    ir_put_text(out, "\n    by ");
    ir_put_text(
        out, ir_int(k->kernel, ATTR_by) ? word(k->kernel, ATTR_by) : "inline");
    ir_put_text(out, ": ");
    ir_put_text(out, why ? why : "");
  }
  put_team(out, e, k);
  const Node *blocks = ir_blocks_around(k->kernel->block);
  if (blocks) put_blocks(out, e, blocks);
  ir_put_text(out, "\n    ");
  put_amount(out, (double)k->runs, k->runs == 1 ? "run" : "runs");
  ir_put_text(out, ", each ");
  put_amount(out, k->flops, "flop, ");
  put_amount(out, k->bytes, "bytes\n    ");
  put_time(out, k->cycles / e->cycles_per_ms, pass_bound_names[k->bound]);
}

static int put_out(Buffer *out) {
  char *text = ir_buffer_take(out);
  if (!text) return tool_error(FAILED, "no memory");
  fputs(text, stdout);
  free(text);
  return FINE;
}

static int explain_text(const Explanation *e) {
  Buffer out = {0};
  char line[160];
  snprintf(line, sizeof line,
           ": %d kernel%s, %d by BLAS; %.4g flop, %.4g bytes a run; arena %lld "
           "bytes\n",
           e->cost.n_kernels, e->cost.n_kernels == 1 ? "" : "s", e->cost.n_blas,
           e->cost.flops, e->cost.bytes, (long long)e->cost.arena_bytes);
  ir_put_text(&out, e->planned->name);
  ir_put_text(&out, line);
  ir_put_text(&out, "  ");
  put_time(&out, e->cost.cycles / e->cycles_per_ms,
           pass_bound_names[e->cost.bound]);
  for (int i = 0; i < e->cost.n_kernels; i++)
    put_kernel(&out, e, &e->cost.kernels[i]);
  return put_out(&out);
}

/* -- as JSON ----------------------------------------------------------- */

static json_t *json_ops(const Node *kernel) {
  json_t *ops = json_object();
  for (int op = 0; op < OP_COUNT; op++) {
    int n = count_op(kernel->body, (Op)op);
    if (n) json_object_set_new(ops, ir_ops[op].name, json_integer(n));
  }
  return ops;
}

static json_t *json_results(const Explanation *e, const Node *kernel) {
  json_t *results = json_array();
  for (int i = 0; i < kernel->n_results; i++) {
    Buffer name = {0}, type = {0};
    ir_put_name(&name, e->names[kernel->results[i]->id]);
    ir_put_type(&type, e->planned, kernel->results[i]->type);
    char *name_text = ir_buffer_take(&name), *type_text = ir_buffer_take(&type);
    json_array_append_new(results, json_pack("{s:s?, s:s?}", "name", name_text,
                                             "type", type_text));
    free(name_text);
    free(type_text);
  }
  return results;
}

static json_t *json_kernel(const Explanation *e, const KernelCost *k) {
  Word by = (Word)ir_int(k->kernel, ATTR_by);
  const Node *blocks = ir_blocks_around(k->kernel->block);
  const char *why = has_reason(k->kernel)
                        ? pass_gemm_reason(k->kernel, &e->request->options)
                        : NULL;
  return json_pack(
      "{s:o, s:s, s:s, s:s?, s:b, s:o, s:I, s:I, s:f, s:f, s:f, s:s}",
      "results", json_results(e, k->kernel), "form", word(k->kernel, ATTR_form),
      "by", by ? ir_words[by] : "inline", "why", why, "team",
      (int)ir_int(k->kernel, ATTR_team), "ops", json_ops(k->kernel), "runs",
      (json_int_t)k->runs, "block",
      (json_int_t)(blocks ? ir_blocks_size(blocks) : 0), "flops", k->flops,
      "bytes", k->bytes, "predicted_ms", k->cycles / e->cycles_per_ms, "bound",
      pass_bound_names[k->bound]);
}

static int explain_json(const Explanation *e) {
  json_t *kernels = json_array();
  for (int i = 0; i < e->cost.n_kernels; i++)
    json_array_append_new(kernels, json_kernel(e, &e->cost.kernels[i]));
  json_t *all = json_pack(
      "{s:s, s:o, s:i, s:f, s:f, s:I, s:f, s:s}", "program", e->planned->name,
      "kernels", kernels, "blas_calls", e->cost.n_blas, "flops", e->cost.flops,
      "bytes", e->cost.bytes, "arena_bytes", (json_int_t)e->cost.arena_bytes,
      "predicted_ms", e->cost.cycles / e->cycles_per_ms, "bound",
      pass_bound_names[e->cost.bound]);
  char *text = all ? json_dumps(all, JSON_INDENT(2)) : NULL;
  json_decref(all);
  if (!text) return tool_error(FAILED, "no memory");
  puts(text);
  free(text);
  return FINE;
}

/* -- why not ----------------------------------------------------------- */

/* For `fuse`: every value that one kernel makes and another reads, and what
 * keeps the two apart.  Only what the two kernels themselves show is said. */

static bool contains(const Node *kernel, OpClass class) {
  for (int i = 0; i < kernel->body->n_nodes; i++)
    if (ir_ops[kernel->body->nodes[i]->op].class == class) return true;
  return false;
}

/* What a kernel reads: each outer value once.  seen[id] holds the number of
 * the last kernel that read it, from 1. */
typedef struct Crossing {
  const Explanation *e;
  Buffer out;
  int *seen, *readers; /* by value id */
  int kernel, found;
} Crossing;

typedef void VisitRead(Crossing *c, const Value *value, const Node *reader);

static void visit_value(Crossing *c, const Value *value, const Node *reader,
                        VisitRead *visit) {
  if (!value->node || value->node->op != OP_kernel) return;
  if (c->seen[value->id] == c->kernel) return;
  c->seen[value->id] = c->kernel;
  visit(c, value, reader);
}

static void visit_block(Crossing *c, const Block *block, const Node *reader,
                        VisitRead *visit) {
  for (int i = 0; i < block->n_nodes; i++) {
    const Node *node = block->nodes[i];
    for (int k = 0; k < node->n_operands; k++)
      visit_value(c, node->operands[k], reader, visit);
    if (node->body) visit_block(c, node->body, reader, visit);
  }
  for (int i = 0; i < block->n_yields; i++)
    visit_value(c, block->yields[i], reader, visit);
}

static void visit_all(Crossing *c, VisitRead *visit) {
  for (int i = 0; i < c->e->cost.n_kernels; i++) {
    const Node *reader = c->e->cost.kernels[i].kernel;
    c->kernel++;
    visit_block(c, reader->body, reader, visit);
  }
}

static void count_reader(Crossing *c, const Value *value, const Node *reader) {
  (void)reader;
  c->readers[value->id]++;
}

static const char *apart(const Node *from, const Node *to, int n_readers) {
  if (from->block != to->block)
    return "they stand in different loops: the first runs once, not every step";
  if (contains(from, WHOLE) || contains(to, WHOLE))
    return "an op on whole arrays, as sort, has a kernel of its own";
  if (contains(from, EINSUM) && contains(to, EINSUM))
    return "each holds an einsum, and a contraction kernel holds exactly one";
  if (contains(from, EINSUM) && contains(to, REDUCE))
    return "the epilogue of a contraction may not reduce";
  if (contains(from, REDUCE) || contains(from, EINSUM))
    return "a sum is complete only when its kernel ends";
  if (n_readers > 1)
    return "several kernels read it: fusing would compute it once for each";
  if (contains(to, EINSUM))
    return "the contraction reads each element many times: fusing would "
           "compute it as often";
  return "no rule of fuse joins these two forms";
}

static void put_crossing(Crossing *c, const Value *value, const Node *reader) {
  Buffer *out = &c->out;
  c->found++;
  ir_put_text(out, "  ");
  put_value(out, c->e, value);
  ir_put_text(out, ", from ");
  ir_put_text(out, word(value->node, ATTR_form));
  ir_put_text(out, " to ");
  ir_put_text(out, word(reader, ATTR_form));
  ir_put_text(out, " ");
  put_results(out, c->e, reader);
  ir_put_text(out, ": ");
  ir_put_text(out, apart(value->node, reader, c->readers[value->id]));
  ir_put_text(out, "\n");
}

static int why_not_fuse(const Explanation *e) {
  size_t values = (size_t)e->planned->n_values + 1;
  Crossing c = {.e = e,
                .seen = calloc(values, sizeof(int)),
                .readers = calloc(values, sizeof(int))};
  int code = FAILED;
  if (c.seen && c.readers) {
    visit_all(&c, count_reader);
    visit_all(&c, put_crossing);
    if (c.found == 0)
      ir_put_text(&c.out, "no value goes from one kernel to another\n");
    code = put_out(&c.out);
  } else {
    tool_error(FAILED, "no memory");
  }
  free(c.seen);
  free(c.readers);
  return code;
}

/* For any other pass: what it did. */
typedef struct Deed {
  const Pass *wanted;
  bool ran;
  int before, after;
} Deed;

static void note_deed(const PassReport *report, void *context) {
  Deed *deed = context;
  if (report->pass != deed->wanted) return;
  deed->ran = true;
  deed->before = report->nodes_before;
  deed->after = report->nodes_after;
}

static int why_not_pass(const Request *request, const File *file) {
  Deed deed = {.wanted = &pass_table[request->why_not]};
  Program *made = pass_run(file->program, &request->options, pass_count - 1,
                           note_deed, &deed);
  int code =
      made && !made->error.failed ? FINE : tool_program_error(file, made);
  ir_program_destroy(made);
  if (code != FINE) return code;
  if (request->options.without >> request->why_not & 1)
    printf("%s did not run: --without leaves it out\n", deed.wanted->name);
  else if (!deed.ran)
    printf("%s did not run: the file is past its stage\n", deed.wanted->name);
  else
    printf(
        "%s ran: %d nodes before, %d after (reasons are known for raise, "
        "hoist, interchange and fuse only)\n",
        deed.wanted->name, deed.before, deed.after);
  return FINE;
}

/* -- why not hoist ----------------------------------------------------- */

static void put_note(const char *line, void *context) {
  int *lines = context;
  (*lines)++;
  puts(line);
}

/* Of what raise says, dims that could never be axes are of no interest to who
 * asks about hoist. */
static void put_trial(const char *line, void *context) {
  if (strstr(line, "is no axis") == NULL) put_note(line, context);
}

static int why_not_raise(const Request *request, const File *file) {
  int lines = 0;
  Program *raised =
      pass_raise_noting(file->program, &request->options, put_note, &lines);
  bool failed = raised == NULL || raised->error.failed;
  ir_program_destroy(raised);
  if (failed) return tool_error(FAILED, "no memory");
  if (lines == 0)
    puts("no scan sums over a dim that its nodes only batch over");
  return FINE;
}

/* raise comes first: hoist looks at what that makes. */
static int why_not_hoist(const Request *request, const File *file) {
  int lines = 0;
  bool raises = !(request->options.without >> pass_find("raise") & 1);
  Program *raised = raises ? pass_raise_noting(file->program, &request->options,
                                               put_trial, &lines)
                           : NULL;
  bool failed = raises && (raised == NULL || raised->error.failed);
  if (!failed) {
    Program *made = pass_hoist_noting(raised ? raised : file->program,
                                      &request->options, put_note, &lines);
    failed = made == NULL || made->error.failed;
    ir_program_destroy(made);
  }
  ir_program_destroy(raised);
  if (failed) return tool_error(FAILED, "no memory");
  if (lines == 0) puts("no collective stands in a scan");
  return FINE;
}

/* -- why not interchange ----------------------------------------------- */

/* The passes before it run first. */
static int why_not_interchange(const Request *request, const File *file) {
  int lines = 0, number = request->why_not;
  bool left_out = request->options.without >> number & 1;
  if (left_out || file->program->stage > pass_table[number].latest)
    return why_not_pass(request, file);
  Program *before = NULL;
  int code = tool_passes(request, file, number - 1, &before);
  if (code == FINE) {
    Program *made =
        pass_interchange_noting(before, &request->options, put_note, &lines);
    bool failed = made == NULL || made->error.failed;
    ir_program_destroy(made);
    if (failed) code = tool_error(FAILED, "no memory");
  }
  ir_program_destroy(before);
  if (code == FINE && lines == 0) puts("there is no scan");
  return code;
}

/* The passes that tell what they did; the file is at their stage. */
static int why_not_named(const Request *request, const File *file) {
  const char *name = pass_table[request->why_not].name;
  bool left_out = request->options.without >> request->why_not & 1;
  if (left_out || file->program->stage != NAMED)
    return why_not_pass(request, file);
  return strcmp(name, "raise") == 0 ? why_not_raise(request, file)
                                    : why_not_hoist(request, file);
}

/* -- the command ------------------------------------------------------- */

static bool cost_of(Explanation *e) {
  Machine machine = {0};
  bool timed = e->request->why_not < 0;
  if (timed && e->request->options.hardware.vector > 0)
    rt_machine_measure(&machine);
  Clock clock = tool_clock(e->request, &machine);
  e->cycles_per_ms = clock.cycles_per_ms;
  int threads = e->request->options.threads;
  if (threads == 0) threads = rt_cores();
  return pass_cost(e->planned, &e->cost) &&
         pass_predict(e->planned, &clock.hardware, threads, &e->cost);
}

static int explain_plan(const Request *request, const File *file) {
  Program *planned = NULL;
  int code = tool_passes(request, file, pass_count - 1, &planned);
  if (code == FINE) {
    Explanation e = {.request = request, .planned = planned};
    e.names = ir_names(planned);
    if (!e.names || !cost_of(&e))
      code = tool_error(FAILED, "no memory");
    else if (request->why_not >= 0)
      code = why_not_fuse(&e);
    else
      code = request->json ? explain_json(&e) : explain_text(&e);
    pass_cost_free(&e.cost);
    free(e.names);
  }
  ir_program_destroy(planned);
  return code;
}

int tool_explain(const Request *request) {
  if (request->json && request->why_not >= 0)
    return tool_error(BAD_USAGE, "--why-not goes without --json");
  File file;
  int code = tool_load(request, &file);
  const char *why =
      request->why_not < 0 ? "fuse" : pass_table[request->why_not].name;
  if (code == FINE)
    code = strcmp(why, "fuse") == 0 ? explain_plan(request, &file)
           : strcmp(why, "hoist") == 0 || strcmp(why, "raise") == 0
               ? why_not_named(request, &file)
           : strcmp(why, "interchange") == 0
               ? why_not_interchange(request, &file)
               : why_not_pass(request, &file);
  tool_close(&file);
  return code;
}
