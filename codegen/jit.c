/* jit.c: module -> object -> native function.
 *
 * LLVM optimises and writes an object file in memory; ORC loads objects only,
 * so a fresh compile and a stored object take one path.  The only file that
 * includes ORC's headers, which change between LLVM versions. */
#include <llvm-c/Analysis.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <llvm/Config/llvm-config.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../passes/whole.h"
#include "../runtime/runtime.h"
#include "emit.h"

typedef void Entry(const void *const *inputs, void *const *results, void *arena,
                   const RtTeam *team, RtWatch *watch);

struct Executable {
  LLVMOrcLLJITRef jit;
  Entry *entry;
  int threads;   /* of a run, at most */
  bool has_team; /* and holds the runtime's */
  size_t arena_bytes;
  double work;     /* what a watch counts up to */
  Callee *callees; /* of the program; the code has their addresses */
};

/* -- the host ---------------------------------------------------------- */

static void start_target(void) {
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
}

bool host_open(Host *host) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start_target);
  host->cpu = LLVMGetHostCPUName();
  host->features = LLVMGetHostCPUFeatures();
  host->triple = LLVMGetDefaultTargetTriple();
  return host->cpu && host->features && host->triple;
}

void host_close(Host *host) {
  LLVMDisposeMessage(host->cpu);
  LLVMDisposeMessage(host->features);
  LLVMDisposeMessage(host->triple);
}

const char *cg_llvm_version(void) { return LLVM_VERSION_STRING; }

/* -- from module to object --------------------------------------------- */

/* Chosen one by one: the emitter writes vector code and keeps loops rolled, so
 * what is left is to clean up, to move invariant loads and index arithmetic
 * out of loops, and to unroll the short ones. */
static const char pipeline[] =
    "function(early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,"
    "loop-mssa(licm<allowspeculation>),loop(loop-idiom,indvars,"
    "loop-unroll-full),early-cse<memssa>,instcombine<no-verify-fixpoint>,"
    "simplifycfg)";

static bool fail(char **error, const char *what, char *message) {
  size_t room = strlen(what) + (message ? strlen(message) : 0) + 3;
  *error = malloc(room);
  if (*error) {
    strcpy(*error, what);
    if (message) strcat(strcat(*error, ": "), message);
  }
  if (message) LLVMDisposeMessage(message);
  return false;
}

static bool failed_in_llvm(LLVMErrorRef failed, char **error) {
  if (failed == NULL) return false;
  char *text = LLVMGetErrorMessage(failed);
  fail(error, text, NULL);
  LLVMDisposeErrorMessage(text);
  return true;
}

static LLVMTargetMachineRef machine_for(const Host *host, char **error) {
  LLVMTargetRef target;
  char *message = NULL;
  if (LLVMGetTargetFromTriple(host->triple, &target, &message)) {
    fail(error, "LLVM does not know this machine", message);
    return NULL;
  }
  return LLVMCreateTargetMachine(target, host->triple, host->cpu,
                                 host->features, LLVMCodeGenLevelDefault,
                                 LLVMRelocPIC, LLVMCodeModelDefault);
}

static bool optimise(LLVMModuleRef module, LLVMTargetMachineRef machine,
                     char **error) {
  char *message = NULL;
  if (LLVMVerifyModule(module, LLVMReturnStatusAction, &message))
    return fail(error, "internal: LLVM refuses the module", message);
  LLVMDisposeMessage(message);
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef failed = LLVMRunPasses(module, pipeline, machine, options);
  LLVMDisposePassBuilderOptions(options);
  return !failed_in_llvm(failed, error);
}

/* Everything that one compilation holds. */
typedef struct Job {
  Host host;
  LLVMContextRef context;
  LLVMTargetMachineRef machine;
  LLVMModuleRef module;
} Job;

static bool job_open(Job *job, const Program *planned, const Options *options,
                     char **error) {
  memset(job, 0, sizeof *job);
  if (!host_open(&job->host)) return fail(error, "out of memory", NULL);
  job->machine = machine_for(&job->host, error);
  if (job->machine == NULL) return false;
  job->context = LLVMContextCreate();
  job->module = emit_module(job->context, planned, options, &job->host, error);
  if (job->module == NULL) return false;
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(job->machine);
  LLVMSetModuleDataLayout(job->module, layout);
  LLVMDisposeTargetData(layout);
  return optimise(job->module, job->machine, error);
}

static void job_close(Job *job) {
  if (job->module) LLVMDisposeModule(job->module);
  if (job->context) LLVMContextDispose(job->context);
  if (job->machine) LLVMDisposeTargetMachine(job->machine);
  host_close(&job->host);
}

/* -- from object to function ------------------------------------------- */

/* What the code may call: the runtime's table. */
static LLVMErrorRef define_symbols(LLVMOrcLLJITRef jit,
                                   LLVMOrcJITDylibRef library) {
  LLVMOrcCSymbolMapPair pairs[RT_MOST_SYMBOLS];
  size_t n = 0;
  for (; n < (size_t)rt_symbol_count; n++) {
    pairs[n].Name = LLVMOrcLLJITMangleAndIntern(jit, rt_symbols[n].name);
    pairs[n].Sym.Address =
        (LLVMOrcExecutorAddress)(uintptr_t)rt_symbols[n].address;
    pairs[n].Sym.Flags.GenericFlags =
        LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable;
    pairs[n].Sym.Flags.TargetFlags = 0;
  }
  LLVMOrcMaterializationUnitRef unit = LLVMOrcAbsoluteSymbols(pairs, n);
  LLVMErrorRef failed = LLVMOrcJITDylibDefine(library, unit);
  if (failed) LLVMOrcDisposeMaterializationUnit(unit);
  return failed;
}

/* Each function of the host: what the code reads is { function, user }. */
static LLVMErrorRef define_callees(LLVMOrcLLJITRef jit,
                                   LLVMOrcJITDylibRef library,
                                   const Callee *callees, int n) {
  LLVMErrorRef failed = NULL;
  for (int i = 0; i < n && failed == NULL; i++) {
    char symbol[sizeof CALLEE_PREFIX + 256];
    snprintf(symbol, sizeof symbol, CALLEE_PREFIX "%.255s", callees[i].name);
    LLVMOrcCSymbolMapPair pair = {.Name =
                                      LLVMOrcLLJITMangleAndIntern(jit, symbol)};
    pair.Sym.Address = (LLVMOrcExecutorAddress)(uintptr_t)&callees[i].function;
    pair.Sym.Flags.GenericFlags = LLVMJITSymbolGenericFlagsExported;
    LLVMOrcMaterializationUnitRef unit = LLVMOrcAbsoluteSymbols(&pair, 1);
    failed = LLVMOrcJITDylibDefine(library, unit);
    if (failed) LLVMOrcDisposeMaterializationUnit(unit);
  }
  return failed;
}

/* Takes the object. */
static bool load(Executable *executable, int n_callees,
                 LLVMMemoryBufferRef object, char **error) {
  LLVMOrcExecutorAddress address = 0;
  LLVMOrcLLJITRef jit = NULL;
  if (failed_in_llvm(LLVMOrcCreateLLJIT(&jit, NULL), error)) {
    LLVMDisposeMemoryBuffer(object);
    return false;
  }
  executable->jit = jit;
  LLVMOrcJITDylibRef library = LLVMOrcLLJITGetMainJITDylib(jit);
  if (failed_in_llvm(define_symbols(jit, library), error) ||
      failed_in_llvm(
          define_callees(jit, library, executable->callees, n_callees),
          error)) {
    LLVMDisposeMemoryBuffer(object);
    return false;
  }
  if (failed_in_llvm(LLVMOrcLLJITAddObjectFile(jit, library, object), error) ||
      failed_in_llvm(LLVMOrcLLJITLookup(jit, &address, "lockstep_main"), error))
    return false;
  executable->entry = (Entry *)(uintptr_t)address;
  return true;
}

static LLVMMemoryBufferRef object_of(const Program *planned,
                                     const Options *options, char **error) {
  Job job;
  LLVMMemoryBufferRef object = NULL;
  char *message = NULL;
  if (job_open(&job, planned, options, error) &&
      LLVMTargetMachineEmitToMemoryBuffer(job.machine, job.module,
                                          LLVMObjectFile, &message, &object)) {
    fail(error, "LLVM's code generator", message);
    object = NULL;
  }
  job_close(&job);
  return object;
}

static void take_team(Executable *executable, const Program *planned,
                      const Options *options) {
  executable->threads = 1;
  executable->has_team = cg_has_team(planned);
  if (!executable->has_team) return;
  rt_team_hold();
  executable->threads =
      options->deal_all ? options->threads : rt_team_size(options->threads);
}

Executable *cg_compile(const Program *planned, const Options *options,
                       CompileTimes *times, char **error) {
  double start = rt_now();
  *error = NULL;
  LLVMMemoryBufferRef object = object_of(planned, options, error);
  if (object == NULL) return NULL;
  double compiled = rt_now();
  Executable *executable = calloc(1, sizeof *executable);
  if (executable == NULL) {
    LLVMDisposeMemoryBuffer(object);
    fail(error, "out of memory", NULL);
    return NULL;
  }
  take_team(executable, planned, options);
  size_t others = (size_t)executable->threads - 1;
  executable->arena_bytes = (size_t)pass_arena_bytes(planned);
  if (others > 0)
    executable->arena_bytes = (size_t)whole_end(planned) +
                              (size_t)pass_thread_bytes(planned) * others;
  int64_t *units;
  if (watch_measure(planned, options, &units, &executable->work)) free(units);
  int n_callees = planned->n_callees;
  executable->callees = calloc((size_t)n_callees + 1, sizeof(Callee));
  if (executable->callees == NULL) {
    LLVMDisposeMemoryBuffer(object);
    cg_destroy(executable);
    fail(error, "out of memory", NULL);
    return NULL;
  }
  if (n_callees)
    memcpy(executable->callees, planned->callees,
           (size_t)n_callees * sizeof(Callee));
  if (!load(executable, n_callees, object, error)) {
    cg_destroy(executable);
    return NULL;
  }
  if (times)
    *times =
        (CompileTimes){(compiled - start) * 1e3, (rt_now() - compiled) * 1e3};
  return executable;
}

void cg_destroy(Executable *executable) {
  if (executable == NULL) return;
  if (executable->jit) {
    LLVMErrorRef failed = LLVMOrcDisposeLLJIT(executable->jit);
    if (failed) LLVMConsumeError(failed);
  }
  if (executable->has_team) rt_team_release();
  free(executable->callees);
  free(executable);
}

/* What every thread of a run calls the function with. */
typedef struct Call {
  Entry *entry;
  const void *const *inputs;
  void *const *results;
  void *arena;
  RtWatch *watch;
} Call;

static void run_part(const RtTeam *team, void *context) {
  const Call *call = context;
  call->entry(call->inputs, call->results, call->arena, team, call->watch);
}

void cg_run(const Executable *executable, const void *const *inputs,
            void *const *results, void *arena) {
  RtWatch none;
  rt_watch_start(&none, NULL, NULL, 0);
  cg_run_watched(executable, inputs, results, arena, &none);
}

void cg_run_watched(const Executable *executable, const void *const *inputs,
                    void *const *results, void *arena, RtWatch *watch) {
  if (!executable->has_team) {
    executable->entry(inputs, results, arena, NULL, watch);
    return;
  }
  Call call = {executable->entry, inputs, results, arena, watch};
  rt_team_run(executable->threads, run_part, &call);
}

double cg_work(const Executable *executable) { return executable->work; }

int cg_threads(const Executable *executable) { return executable->threads; }

size_t cg_arena_bytes(const Executable *executable) {
  return executable->arena_bytes;
}

/* -- for people -------------------------------------------------------- */

char *cg_text(const Program *planned, const Options *options, CodeText kind,
              char **error) {
  Job job;
  char *text = NULL, *message = NULL;
  *error = NULL;
  if (job_open(&job, planned, options, error)) {
    LLVMMemoryBufferRef assembly;
    if (kind == CODE_LLVM) {
      char *printed = LLVMPrintModuleToString(job.module);
      text = strdup(printed);
      LLVMDisposeMessage(printed);
    } else if (LLVMTargetMachineEmitToMemoryBuffer(job.machine, job.module,
                                                   LLVMAssemblyFile, &message,
                                                   &assembly)) {
      fail(error, "LLVM's code generator", message);
    } else {
      text = strndup(LLVMGetBufferStart(assembly), LLVMGetBufferSize(assembly));
      LLVMDisposeMemoryBuffer(assembly);
    }
  }
  job_close(&job);
  return text;
}

const char *cg_cpu_name(void) {
  static char name[64];
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  if (name[0] == 0) {
    char *cpu = LLVMGetHostCPUName();
    strncpy(name, cpu, sizeof name - 1);
    LLVMDisposeMessage(cpu);
  }
  pthread_mutex_unlock(&lock);
  return name;
}
