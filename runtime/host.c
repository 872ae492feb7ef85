/* host.c: sizes of this machine that do not change from run to run: its
 * caches, and the memory that this process may use.
 *
 * Goes out: bytes, 0 where the system does not say.  Nothing is timed, so the
 * answers are the same in every process of one machine. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime.h"

/* The file's first line, without its end; false if there is none. */
static bool first_line(const char *path, char *line, int room) {
  FILE *file = fopen(path, "re");
  bool fine = file && fgets(line, room, file);
  if (file) fclose(file);
  if (fine) line[strcspn(line, "\n")] = 0;
  return fine;
}

/* -- caches ------------------------------------------------------------ */

/* "32K", "1M", "1024": bytes; 0: it is no such number. */
static int64_t bytes_in(const char *text) {
  char *end;
  long long number = strtoll(text, &end, 10);
  int shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
  if (end == text || number < 0 || number > INT64_MAX >> shift) return 0;
  if (end[shift != 0] != 0) return 0;
  return (int64_t)number << shift;
}

/* sysfs lists the caches of a core as index0, index1, ... */
int64_t rt_cache_listed(const char *folder, int level) {
  enum { MOST_CACHES = 16 };
  char path[PATH_MAX], line[64];
  for (int i = 0; i < MOST_CACHES; i++) {
    snprintf(path, sizeof path, "%s/index%d/level", folder, i);
    if (!first_line(path, line, sizeof line)) break;
    if (atoi(line) != level) continue;
    snprintf(path, sizeof path, "%s/index%d/type", folder, i);
    if (!first_line(path, line, sizeof line)) continue;
    if (strcmp(line, "Instruction") == 0) continue;
    snprintf(path, sizeof path, "%s/index%d/size", folder, i);
    if (first_line(path, line, sizeof line)) return bytes_in(line);
  }
  return 0;
}

/* sysfs first: the C library's figure for a shared cache may be that of all
 * sockets together. */
int64_t rt_cache_bytes(int level) {
  static const int names[] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE,
                              _SC_LEVEL3_CACHE_SIZE};
  if (level < 1 || level > 3) return 0;
  int64_t listed = rt_cache_listed("/sys/devices/system/cpu/cpu0/cache", level);
  if (listed > 0) return listed;
  long bytes = sysconf(names[level - 1]);
  return bytes > 0 ? bytes : 0;
}

/* -- memory ------------------------------------------------------------ */

static int64_t lesser(int64_t a, int64_t b) {
  return a == 0 ? b : b == 0 || a < b ? a : b;
}

/* The least limit from a group up to the root of its tree; 0: none. */
int64_t rt_group_memory(const char *root, const char *group, const char *file) {
  char folder[PATH_MAX], path[PATH_MAX + 64], line[64];
  size_t base = strlen(root);
  int64_t least = 0;
  if ((size_t)snprintf(folder, sizeof folder, "%s%s", root, group) >=
      sizeof folder)
    return 0;
  for (;;) {
    snprintf(path, sizeof path, "%s/%s", folder, file);
    if (first_line(path, line, sizeof line)) /* "max" is no number */
      least = lesser(least, bytes_in(line));
    if (strlen(folder) <= base) return least;
    *strrchr(folder, '/') = 0;
  }
}

/* A line of /proc/self/cgroup is "number:controllers:path"; version 2 names
 * no controllers. */
static int64_t line_memory(char *line) {
  char *controllers = strchr(line, ':');
  char *group = controllers ? strchr(controllers + 1, ':') : NULL;
  if (group == NULL) return 0;
  *controllers++ = *group++ = 0;
  group[strcspn(group, "\n")] = 0;
  if (strcmp(group, "/") == 0) *group = 0;
  if (*controllers == 0)
    return rt_group_memory("/sys/fs/cgroup", group, "memory.max");
  if (strstr(controllers, "memory") == NULL) return 0;
  return rt_group_memory("/sys/fs/cgroup/memory", group,
                         "memory.limit_in_bytes");
}

int64_t rt_memory_allowed(void) {
  char line[PATH_MAX + 128];
  int64_t bytes = rt_memory_bytes();
  FILE *file = fopen("/proc/self/cgroup", "re");
  while (file && fgets(line, sizeof line, file))
    bytes = lesser(bytes, line_memory(line));
  if (file) fclose(file);
  return bytes;
}
