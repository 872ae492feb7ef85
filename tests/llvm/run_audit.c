/* run_audit.c: generated code has no undefined behaviour.
 *
 *   run_audit [--fuzz=N] [--seed=S] [--snippets] [FILE ...]
 *
 * Every program of the FILEs (AREA.cases, *.ls) that compiles, and N programs
 * of the fuzzer, under both numerics: its module is audited as codegen emits
 * it, for narrow and for wide vectors, and again as LLVM's passes leave it.
 * --snippets: FILEs are modules of LLVM IR, each after a line that says what
 * the audit must find in it, and when:
 *
 *   ; emitted: fast-math flags
 *   ; optimised: fine
 *
 * One line for each fault; exit 1 if there was any. */
#include <ctype.h>
#include <getopt.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/IRReader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit.h"
#include "codegen/emit.h"
#include "tests/conformance/cases.h"
#include "tests/fuzz/fuzz.h"

typedef struct Tally {
  Host host;
  long modules, faults;
  long refused; /* wrong programs, and those of one stage only */
} Tally;

/* -- one module -------------------------------------------------------- */

static void report(Tally *tally, const char *name, const char *numerics,
                   const char *what) {
  tally->faults++;
  printf("FAIL %s (%s)\n  %s\n", name, numerics, what ? what : "out of memory");
}

/* NULL: *problem, malloc'd. */
static LLVMModuleRef read_module(LLVMContextRef context, const char *text,
                                 char **problem) {
  LLVMModuleRef module = NULL;
  char *message = NULL;
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "text");
  if (LLVMParseIRInContext(context, buffer, &module, &message)) module = NULL;
  *problem = module ? NULL : strdup(message ? message : "unreadable");
  if (message) LLVMDisposeMessage(message);
  return module;
}

/* Malloc'd faults; NULL: none. */
static char *faults_emitted_for(Host host, const Program *planned,
                                const Options *options) {
  LLVMContextRef context = LLVMContextCreate();
  char *problem = NULL;
  LLVMModuleRef module =
      emit_module(context, planned, options, &host, &problem);
  char *faults = module ? audit_module(module, EMITTED) : problem;
  if (module) LLVMDisposeModule(module);
  LLVMContextDispose(context);
  return faults;
}

/* Vectors of 16, 32 and 64 bytes, without and with fma. */
static char *faults_as_emitted(const Tally *tally, const Program *planned,
                               const Options *options) {
  static char *const features[] = {"+sse2", "+avx,+avx2,+fma",
                                   "+avx,+avx2,+avx512f,+fma"};
  char *faults = NULL;
  for (int i = 0; i < 3 && !faults; i++) {
    Host host = tally->host;
    host.features = features[i];
    faults = faults_emitted_for(host, planned, options);
  }
  return faults;
}

static char *faults_as_optimised(const Program *planned, const Options *options,
                                 Moment moment) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module = NULL;
  char *faults = NULL, *text = cg_text(planned, options, CODE_LLVM, &faults);
  if (text) module = read_module(context, text, &faults);
  if (module) faults = audit_module(module, moment);
  if (module) LLVMDisposeModule(module);
  LLVMContextDispose(context);
  free(text);
  return faults;
}

/* -- one program ------------------------------------------------------- */

static void audit_planned(Tally *tally, const char *name,
                          const Program *planned, const Options *options,
                          Moment after) {
  bool strict = options->numerics == NUMERICS_STRICT;
  char *faults = faults_as_emitted(tally, planned, options);
  if (!faults) faults = faults_as_optimised(planned, options, after);
  if (faults) report(tally, name, strict ? "strict" : "fast", faults);
  free(faults);
  tally->modules++;
}

static void audit_program(Tally *tally, const char *name,
                          const Program *program, Options options,
                          Moment after) {
  for (int n = 0; n < 2; n++) {
    options.numerics = n ? NUMERICS_STRICT : NUMERICS_FAST;
    Program *planned = pass_run(program, &options, pass_count - 1, NULL, NULL);
    if (planned && !planned->error.failed)
      audit_planned(tally, name, planned, &options, after);
    else
      tally->refused++;
    ir_program_destroy(planned);
  }
}

static void audit_source(Tally *tally, const char *name, const char *text,
                         size_t length, const SizeOverride *sizes,
                         int n_sizes) {
  Program *program = ir_parse(text, length, name, sizes, n_sizes);
  if (program && !program->error.failed)
    audit_program(tally, name, program, (Options){.threads = 1}, OPTIMISED);
  else
    tally->refused++;
  ir_program_destroy(program);
}

/* -- files ------------------------------------------------------------- */

static char *read_file(const char *path) {
  FILE *file = fopen(path, "r");
  char *text = NULL;
  size_t room = 0;
  ssize_t n = file ? getdelim(&text, &room, EOF, file) : -1;
  if (n < 0) perror(path);
  if (n < 0) free(text);
  if (file) fclose(file);
  return n < 0 ? NULL : text;
}

static bool audit_cases(Tally *tally, const char *path) {
  CaseReader reader = {.file = fopen(path, "r")};
  Case c;
  char name[256];
  if (!reader.file) {
    perror(path);
    return false;
  }
  for (; case_next(&reader, &c); case_free(&c)) {
    snprintf(name, sizeof name, "%s: %s", path, c.name);
    if (c.exit == 0)
      audit_source(tally, name, c.program, c.program_length, c.sizes,
                   c.n_sizes);
  }
  case_free(&c);
  fclose(reader.file);
  free(reader.text);
  if (*reader.problem) fprintf(stderr, "%s: %s\n", path, reader.problem);
  return !*reader.problem;
}

static bool ends_with(const char *path, const char *end) {
  size_t n = strlen(path), m = strlen(end);
  return n >= m && !strcmp(path + n - m, end);
}

static bool audit_file(Tally *tally, const char *path) {
  if (ends_with(path, ".cases")) return audit_cases(tally, path);
  char *text = read_file(path);
  if (text) audit_source(tally, path, text, strlen(text), NULL, 0);
  free(text);
  return text != NULL;
}

/* -- the fuzzer's programs ---------------------------------------------- */

static void audit_seed(Tally *tally, uint64_t seed) {
  static const Gemm gemms[] = {GEMM_AUTO, GEMM_INLINE, GEMM_BLAS, GEMM_PACKED};
  char name[64], *reason = NULL, *text = generate(seed, &reason);
  Program *program = text ? parse_text(text, &reason) : NULL;
  Options options = {.threads = 1, .gemm = gemms[seed % 4]};
  /* Unsimplified, what constants make of a guard reaches codegen. */
  if (seed % 3 == 0) options.without = UINT64_C(1) << pass_find("simplify");
  snprintf(name, sizeof name, "fuzz seed %llu", (unsigned long long)seed);
  if (program)
    audit_program(tally, name, program, options, OPTIMISED_UNPROVED);
  else
    tally->refused++;
  ir_program_destroy(program);
  free(reason);
  free(text);
}

/* -- what must be found ------------------------------------------------- */

static char *snippet_faults(const char *text, Moment moment) {
  LLVMContextRef context = LLVMContextCreate();
  char *faults = NULL, *message = NULL;
  LLVMModuleRef module = read_module(context, text, &faults);
  if (module && LLVMVerifyModule(module, LLVMReturnStatusAction, &message))
    faults = strdup(message);
  else if (module)
    faults = audit_module(module, moment);
  if (message) LLVMDisposeMessage(message);
  if (module) LLVMDisposeModule(module);
  LLVMContextDispose(context);
  return faults;
}

/* Where the next snippet says what is to be found in it; NULL: at the end. */
static char *next_snippet(char *text) {
  static const char *const starts[] = {"\n; emitted: ", "\n; optimised: "};
  char *next = NULL;
  for (int i = 0; i < 2; i++) {
    char *at = strstr(text, starts[i]);
    if (at && (!next || at < next)) next = at;
  }
  return next ? next + 1 : NULL;
}

static void try_snippet(Tally *tally, const char *name, const char *text) {
  char moment[16], wanted[160];
  if (sscanf(text, "; %15[a-z]: %159[^\n]", moment, wanted) != 2) return;
  Moment when = strcmp(moment, "emitted") ? OPTIMISED : EMITTED;
  char *faults = snippet_faults(text, when);
  bool fine = !strcmp(wanted, "fine");
  if (fine ? faults != NULL : !faults || !strstr(faults, wanted))
    report(tally, name, wanted, faults ? faults : "nothing was found");
  tally->modules++;
  free(faults);
}

static bool try_snippets(Tally *tally, const char *path) {
  char name[256], *text = read_file(path);
  int line = 1;
  if (!text) return false;
  const char *counted = text;
  for (char *at = next_snippet(text), *next; at; at = next) {
    for (; counted < at; counted++) line += *counted == '\n';
    next = next_snippet(at);
    snprintf(name, sizeof name, "%s:%d", path, line);
    if (next) next[-1] = 0;
    try_snippet(tally, name, at);
    if (next) next[-1] = '\n';
  }
  free(text);
  return true;
}

int main(int argc, char **argv) {
  static const struct option options[] = {
      {"fuzz", required_argument, NULL, 'f'},
      {"seed", required_argument, NULL, 's'},
      {"snippets", no_argument, NULL, 'n'},
      {0},
  };
  long count = 0;
  uint64_t seed = 1;
  bool snippets = false, read = true;
  Tally tally = {0};
  for (int key; (key = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    if (key == '?') return 2;
    if (key == 'f') count = atol(optarg);
    if (key == 's') seed = strtoull(optarg, NULL, 10);
    if (key == 'n') snippets = true;
  }
  if (!host_open(&tally.host)) return 2;
  for (int i = optind; i < argc; i++)
    read &=
        snippets ? try_snippets(&tally, argv[i]) : audit_file(&tally, argv[i]);
  for (long i = 0; i < count; i++) audit_seed(&tally, seed + (uint64_t)i);
  host_close(&tally.host);
  printf("%ld modules, %ld with faults; %ld programs do not compile\n",
         tally.modules, tally.faults, tally.refused);
  return !read || tally.faults || tally.modules == 0;
}
