/* report.c: the list of what went wrong with one program. */
#include <stdio.h>
#include <stdlib.h>

#include "harness.h"

void report_add(Report *report, const char *kind, const char *format, ...) {
  if (report->n < REPORT_ROOM) {
    Failure *failure = &report->list[report->n];
    snprintf(failure->kind, sizeof failure->kind, "%s", kind);
    va_list args;
    va_start(args, format);
    if (vasprintf(&failure->message, format, args) < 0) failure->message = NULL;
    va_end(args);
  }
  report->n++;
}

void report_free(Report *report) {
  int kept = report->n < REPORT_ROOM ? report->n : REPORT_ROOM;
  for (int i = 0; i < kept; i++) free(report->list[i].message);
  report->n = 0;
}
