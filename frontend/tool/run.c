/* run.c: `lockstep run`: compile, run once, show or write the results. */
#include "tool.h"

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
    tool_job_run(&job);
    code = give_results(request, &job);
  }
  tool_job_free(&job);
  return code;
}
