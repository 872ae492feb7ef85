/* main.c: the `lockstep` command.
 *
 * Owns: the table of commands, with their help, and the version.  Comes in:
 * the command line.  Goes out: the exit code of the command that it names. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "tool.h"

const Command tool_commands[] = {
    {"show", tool_show, false, " after strip dot llvm asm places passes ",
     "print a program, as written or after any pass",
     "usage: lockstep show FILE [options]\n"
     "       lockstep show --passes\n\n"
     "Prints the program in the text form; what it prints is input again.\n\n"
     "  --after=PASS      after this pass; all before it run too\n"
     "  --strip           without kernels, schedules and places\n"
     "  --places          with a comment that says where each node was "
     "written\n"
     "  --dot             as a picture, for Graphviz\n"
     "  --llvm            the LLVM IR of the compiled program\n"
     "  --asm             its assembly\n"
     "  --passes          list the passes, in order: name, the stage it\n"
     "                    accepts, the stage it makes\n"},
    {"run", tool_run, true, " output ",
     "compile a program, run it, print its results",
     "usage: lockstep run FILE [NAME=SOURCE ...] [-o DIR] [options]\n\n"
     "Every parameter %NAME needs one NAME=SOURCE. Results are printed,\n"
     "shortened past 1000 numbers.\n\n"
     "  -o, --output=DIR  write each result to DIR/NAME.npy instead; DIR is\n"
     "                    made if need be (bf16 is written as u16 bits)\n"},
    {"check", tool_check, true, " rtol atol ",
     "compare the compiled program with the reference evaluator",
     "usage: lockstep check FILE [NAME=SOURCE ...] [--rtol=R] [--atol=A] "
     "[options]\n\n"
     "Runs the program twice, compiled and in plain loops, and prints the\n"
     "largest difference of each result. Floats agree when\n"
     "|difference| <= A + R * (largest magnitude); integers and bools must\n"
     "be equal. With --numerics=strict all bits must be equal, unless R or A\n"
     "is given. Exits with 1 if anything differs.\n\n"
     "  --rtol=R          default: 1e-11 for f64, 2e-5 f32, 4e-3 f16, 3e-2 "
     "bf16\n"
     "  --atol=A          default: 0\n"
     "The largest magnitude is that of the result and, if the program has a\n"
     "scan, of the inputs: rounding grows with what a carry has held.\n"},
    {"bench", tool_bench, true, " json repeat ",
     "measure compile time and run time, apart",
     "usage: lockstep bench FILE [NAME=SOURCE ...] [--json] [--repeat=N] "
     "[options]\n\n"
     "Compiles once, runs once to warm up, then repeats. Missing inputs are\n"
     "random:0 (integers and bools: iota).\n\n"
     "  --json            one JSON object instead of the table\n"
     "  --repeat=N        run N times; default: for about a second\n\n"
     "gflops and gbps are flops and bytes of one run of the plan, over the\n"
     "median time; the peaks are measured here, on one thread. blas_calls\n"
     "counts the kernels that call BLAS.\n"},
    {"explain", tool_explain, false, " json why-not ",
     "say for each kernel what it fuses, how it runs and what it costs",
     "usage: lockstep explain FILE [--json] [--why-not=PASS] [options]\n\n"
     "Lists the kernels of the finished plan: form, the ops fused into it,\n"
     "inline or BLAS and why, how often it runs, flops and bytes of one run.\n"
     "\n"
     "  --json            the same as one JSON object\n"
     "  --why-not=fuse    for each value that goes from one kernel to "
     "another:\n"
     "                    why the two are not one\n"
     "  --why-not=hoist   for each collective in a scan: what keeps it there\n"
     "  --why-not=raise   for each dim that a scan sums over: why it is no "
     "axis\n"
     "  --why-not=interchange\n"
     "                    for each scan: why it does not run block by block\n"},
};
const int tool_command_count = sizeof tool_commands / sizeof *tool_commands;

static const char common_help[] =
    "\nFor every command:\n"
    "  --size NAME=N     replace a `size NAME = ...` line of FILE\n"
    "  --numerics=fast|strict\n"
    "                    strict: bit for bit the reference evaluator's values\n"
    "  --threads=N       at most N threads (default: what the machine lets us "
    "use)\n"
    "  --without=PASS    leave out raise, hoist, simplify or interchange\n"
    "  --gemm=auto|blas|packed|inline\n"
    "                    how matrix products run (default: auto: packed or\n"
    "                    inline by what each is expected to take)\n"
    "  --machine=host|modest\n"
    "                    choose by what this machine has, or as any other\n"
    "                    machine would (default: host)\n";

static const char source_help[] =
    "\nSOURCE is one of\n"
    "  PATH.npy          a NumPy file; bf16 is read from u16 bits\n"
    "  zeros, ones       all 0, all 1\n"
    "  iota              0, 1, 2, ... over the whole array\n"
    "  eye               identity matrices in the last two dims\n"
    "  random:SEED[,LO,HI]\n"
    "                    uniform in [LO, HI), default [0, 1); floats only\n"
    "An array has one leading dim per axis in its parameter's braces.\n";

static const char exit_help[] =
    "\nExit codes: 0 fine, 1 results differ, 2 usage, 3 bad input file,\n"
    "4 the program is wrong, 5 failed at run time.\n";

static void print_help(FILE *out, const Command *command) {
  if (command) {
    fprintf(out, "lockstep %s: %s\n\n%s%s%s%s", command->name, command->summary,
            command->help, command->inputs ? source_help : "", common_help,
            exit_help);
    return;
  }
  fputs(
      "lockstep: compiles programs over named axes to native code\n\n"
      "usage: lockstep COMMAND FILE [NAME=SOURCE ...] [options]\n\n",
      out);
  for (int i = 0; i < tool_command_count; i++)
    fprintf(out, "  %-9s %s\n", tool_commands[i].name,
            tool_commands[i].summary);
  fprintf(out,
          "\n`lockstep COMMAND --help` says more; `lockstep --version` names\n"
          "the libraries and the CPU.\n%s%s\n"
          "An example:\n"
          "  lockstep run examples/average.ls --size m=16 -o results\n",
          common_help, exit_help);
}

static void print_version(void) {
  printf("lockstep %s\n", LOCKSTEP_VERSION);
  printf("LLVM     %s\n", cg_llvm_version());
  printf("BLAS     %s\n", rt_blas_config());
  printf("CPU      %s, %d core%s for this process\n", cg_cpu_name(), rt_cores(),
         rt_cores() == 1 ? "" : "s");
}

int tool_error(int code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("lockstep: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  return code;
}

int tool_unknown(int code, const char *what, const char *word,
                 const char *const *candidates, int n) {
  const char *close = ir_closest(word, strlen(word), candidates, n);
  fprintf(stderr, "lockstep: unknown %s '%s'", what, word);
  if (close) fprintf(stderr, "; did you mean '%s'?", close);
  fprintf(stderr, n ? " (there %s " : " (there is none)\n",
          n == 1 ? "is" : "are");
  for (int i = 0; i < n; i++)
    fprintf(stderr, "%s%s", candidates[i], i + 1 < n ? ", " : ")\n");
  return code;
}

static const Command *find_command(const char *name) {
  for (int i = 0; i < tool_command_count; i++)
    if (strcmp(tool_commands[i].name, name) == 0) return &tool_commands[i];
  return NULL;
}

static int unknown_command(const char *name) {
  const char *names[16];
  int n = 0;
  for (; n < tool_command_count && n < 16; n++)
    names[n] = tool_commands[n].name;
  if (name[0] == '-')
    return tool_error(BAD_USAGE,
                      "unknown option '%s': a command comes first "
                      "(see lockstep --help)",
                      name);
  return tool_unknown(BAD_USAGE, "command", name, names, n);
}

static int run_command(const Command *command, int argc, char **argv) {
  Request request;
  int code = tool_options(command, argc, argv, &request);
  if (code == FINE && request.help)
    print_help(stdout, command);
  else if (code == FINE)
    code = command->run(&request);
  tool_request_free(&request);
  return code;
}

static int dispatch(int argc, char **argv) {
  if (argc < 2) {
    print_help(stderr, NULL);
    return BAD_USAGE;
  }
  const char *name = argv[1];
  if (strcmp(name, "--version") == 0) {
    print_version();
    return FINE;
  }
  bool help = strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 ||
              strcmp(name, "help") == 0;
  if (help && argc == 2) {
    print_help(stdout, NULL);
    return FINE;
  }
  const Command *command = find_command(help ? argv[2] : name);
  if (!command) return unknown_command(help ? argv[2] : name);
  if (help) {
    print_help(stdout, command);
    return FINE;
  }
  return run_command(command, argc - 1, argv + 1);
}

int main(int argc, char **argv) {
  int code = dispatch(argc, argv);
  if (fflush(stdout) != 0 || ferror(stdout))
    code = tool_error(FAILED, "cannot write: %s", strerror(errno));
  return code;
}
