/* run.c: `lockstep run`: compile, run once, show or write the results.
 *
 * A long run shows a bar on stderr, if that is a terminal. */
#include <stdio.h>
#include <unistd.h>

#include "tool.h"

/* -- the bar ----------------------------------------------------------- */

enum { BAR = 40 };

static bool show_bar(void *user, double done) {
  bool *shown = user;
  int full = (int)(done * BAR + 0.5);
  fprintf(stderr, "\r[%.*s%*s] %3.0f %%", full,
          "########################################", BAR - full, "",
          done * 100);
  fflush(stderr);
  return *shown = true;
}

static void run_shown(const Job *job) {
  RtWatch watch;
  bool shown = false;
  rt_watch_start(&watch, isatty(STDERR_FILENO) ? show_bar : NULL, &shown,
                 cg_work(job->executable));
  cg_run_watched(job->executable, job->input_data, job->result_data, job->arena,
                 &watch);
  if (shown) fprintf(stderr, "\r%*s\r", BAR + 10, "");
}

/* -- the command ------------------------------------------------------- */

static int give_results(const Request *request, const Job *job) {
  const Program *program = job->file.program;
  int code = FINE;
  for (int i = 0; code == FINE && i < program->body->n_yields; i++) {
    const Array *array = &job->results[i];
    code = request->directory
               ? tool_write_array(program, request->directory, array)
               : tool_print_array(program, array);
  }
  return code;
}

int tool_run(const Request *request) {
  Job job;
  int code = tool_job(request, false, &job);
  if (code == FINE) {
    run_shown(&job);
    code = give_results(request, &job);
  }
  tool_job_free(&job);
  return code;
}
