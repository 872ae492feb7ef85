/* tool.h: the parts of the `lockstep` command.
 *
 * main.c     the table of commands, help, version
 * options.c  the command line -> a Request
 * load.c     the file -> a program; its sizes
 * job.c      a program and its inputs -> something that runs
 * sources.c  NAME=SOURCE -> input arrays
 * output.c   arrays as text and as files
 * show.c run.c check.c bench.c explain.c   one command each
 *
 * Data goes to stdout, every message to stderr.  A function that can fail
 * returns one of the exit codes below, after it has said why. */
#ifndef LOCKSTEP_TOOL_H
#define LOCKSTEP_TOOL_H

#include <stdio.h>

#include "../../codegen/codegen.h"
#include "../../ir/ir.h"
#include "../../passes/passes.h"
#include "../../runtime/runtime.h"
#include "../hardware.h"

enum {
  FINE = 0,
  DIFFER = 1,
  BAD_USAGE = 2,
  BAD_INPUT = 3,
  BAD_PROGRAM = 4,
  FAILED = 5
};

/* -- what the command line says ---------------------------------------- */

typedef struct Request Request;

typedef struct Command {
  const char *name;
  int (*run)(const Request *request);
  bool inputs;         /* does it take NAME=SOURCE? */
  const char *options; /* its own ones, as " name name " */
  const char *summary; /* one line */
  const char *help;    /* the rest of its --help */
} Command;

extern const Command tool_commands[];
extern const int tool_command_count;

struct Request {
  const Command *command;
  const char *file;
  const char *const *bindings; /* NAME=SOURCE, as written */
  int n_bindings;
  SizeOverride *sizes;
  int n_sizes;
  Options options;
  int after;   /* index in pass_table; -1: not given */
  int why_not; /* likewise */
  bool strip, dot, llvm, assembly, places, passes, json;
  const char *directory; /* -o */
  double rtol, atol;     /* negative: not given */
  int repeat;            /* 0: not given */
  bool help;
};

/* Read the arguments after the command's name.  The request is freed with
 * tool_request_free in any case. */
int tool_options(const Command *command, int argc, char **argv,
                 Request *request);
void tool_request_free(Request *request);

/* One line on stderr, with "lockstep: " before it; returns code. */
int tool_error(int code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same about a word that is none of the candidates: the closest is
 * suggested, all are listed. */
int tool_unknown(int code, const char *what, const char *word,
                 const char *const *candidates, int n);

/* A whole number or a float, with nothing after it. */
bool tool_read_int(const char *text, int64_t *value);
bool tool_read_number(const char *text, double *value);

/* -- programs ---------------------------------------------------------- */

/* A program file: its text is kept for error messages. */
typedef struct File {
  char *text;
  size_t length;
  Program *program;
  double parse_ms;
} File;

int tool_load(const Request *request, File *file);
void tool_close(File *file);
/* The error of a program made from this file. */
int tool_program_error(const File *file, const Program *program);
/* Run the passes up to `last`; *made is the caller's. */
int tool_passes(const Request *request, const File *file, int last,
                Program **made);

/* -- arrays ------------------------------------------------------------ */

enum { ARRAY_RANK = 2 * IR_MAX_RANK };

/* The array that a value at the program's edge is: one leading dim per axis,
 * then its dims, row-major. */
typedef struct Array {
  const char *name;
  Type type; /* as the program writes it */
  int rank;
  int64_t dims[ARRAY_RANK];
  int64_t elements;
  size_t bytes;
  void *data;
} Array;

int tool_array(const Program *program, const char *name, Type type,
               Array *array);
void tool_arrays_free(Array *arrays, int n);

/* One array per parameter, from the request's NAME=SOURCE.  fill: make up
 * what is missing, as `bench` does. */
int tool_inputs(const Request *request, const Program *program, bool fill,
                Array **inputs);
/* One array per result, zeroed. */
int tool_results(const Program *program, Array **results);

/* `y: f64[2]{a} = [...]` on stdout. */
int tool_print_array(const Program *program, const Array *array);
/* DIR/NAME.npy, and a line about it on stdout. */
int tool_write_array(const Program *program, const char *directory,
                     const Array *array);

/* -- running ----------------------------------------------------------- */

typedef struct Job {
  File file;
  Program *planned;
  Executable *executable;
  Array *inputs, *results;
  const void **input_data; /* what cg_run and rt_evaluate take */
  void **result_data;
  void *arena;
  double passes_ms;
  CompileTimes times;
} Job;

/* Load, compile, and make inputs and results. */
int tool_job(const Request *request, bool fill, Job *job);
void tool_job_run(const Job *job);
/* For predictions of time; measured: the speeds of this machine. */
Clock tool_clock(const Request *request, const Machine *measured);
void tool_job_free(Job *job);

/* -- commands ---------------------------------------------------------- */

int tool_show(const Request *request);
int tool_run(const Request *request);
int tool_check(const Request *request);
int tool_bench(const Request *request);
int tool_explain(const Request *request);

#endif
