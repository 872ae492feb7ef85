/* watch.c: how far a long run is, and whether to go on.
 *
 * Comes in: from generated code, units of work done, and this call whenever
 * they pass `next`.  Goes out: calls of the watcher, some a second; whether the
 * run is to stop.
 *
 * Generated code only adds and compares.  Here the clock is read, and from the
 * pace so far it follows when to look again: after about a quarter of the time
 * between two calls, so that a pace that changes does no harm. */
#include "runtime.h"

static const double pause_seconds = 0.1;

void rt_watch_start(RtWatch *watch, RtProgress *progress, void *user,
                    double total) {
  double now = rt_now();
  *watch = (RtWatch){.next = progress ? 1 : INT64_MAX,
                     .stop_at = INT64_MAX,
                     .progress = progress,
                     .user = user,
                     .total = total > 1 ? total : 1,
                     .called = now,
                     .looked = now};
}

/* When to look again; at most twice as far as the last time. */
static void look_later(RtWatch *watch, double now) {
  int64_t since = watch->done - watch->looked_at;
  double pace = (double)since / (now > watch->looked ? now - watch->looked : 0);
  double step = pace * pause_seconds / 4;
  double most = 2 * (double)since;
  if (!(step < most)) step = most;
  if (step < 1) step = 1;
  watch->looked_at = watch->done;
  watch->looked = now;
  watch->next = step < (double)(INT64_MAX - watch->done)
                    ? watch->done + (int64_t)step
                    : INT64_MAX;
}

int32_t lockstep_watch(RtWatch *watch) {
  double now = rt_now();
  if (watch->cancelled) return 1;
  if (now - watch->called >= pause_seconds) {
    double done = (double)watch->done / watch->total;
    watch->called = now;
    watch->cancelled = !watch->progress(watch->user, done < 1 ? done : 1);
  }
  look_later(watch, now);
  if (watch->cancelled) watch->next = 0;
  return watch->cancelled;
}
