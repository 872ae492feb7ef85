/* hand.h: what the workloads by hand share: vectors, two threads, arrays.
 *
 * Vectors are as wide as the machine's; functions of them are glibc's libmvec.
 * A run is one call of together(), in which all threads go through the same
 * steps and meet() where they need each other's results. */
#ifndef HAND_H
#define HAND_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__AVX512F__)
enum { BYTES = 64 };
#define MVEC(name) _ZGVeN8v_##name
#define MVECF(name) _ZGVeN16v_##name##f
#elif defined(__AVX2__)
enum { BYTES = 32 };
#define MVEC(name) _ZGVdN4v_##name
#define MVECF(name) _ZGVdN8v_##name##f
#else
enum { BYTES = 16 };
#define MVEC(name) _ZGVbN2v_##name
#define MVECF(name) _ZGVbN4v_##name##f
#endif
enum { LANES = BYTES / 8, LANESF = BYTES / 4 };

/* Values in registers, and the same in memory, wherever they lie. */
typedef double Vec __attribute__((vector_size(BYTES)));
typedef float Vecf __attribute__((vector_size(BYTES)));
typedef Vec VecAt __attribute__((aligned(8), may_alias));
typedef Vecf VecfAt __attribute__((aligned(4), may_alias));

Vec MVEC(tanh)(Vec);
Vec MVEC(exp)(Vec);
Vec MVEC(sin)(Vec);
Vecf MVECF(tanh)(Vecf);
Vecf MVECF(exp)(Vecf);
Vecf MVECF(sin)(Vecf);

static inline Vec at(const double *p) { return *(const VecAt *)p; }
static inline Vecf atf(const float *p) { return *(const VecfAt *)p; }
static inline void put(double *p, Vec v) { *(VecAt *)p = v; }
static inline void putf(float *p, Vecf v) { *(VecfAt *)p = v; }

/* -- threads ----------------------------------------------------------- */
enum { MOST_THREADS = 2 };
extern int cores; /* threads that there are: 1 or 2 */

/* work(me) on n threads, 0 <= me < n; n is at most `cores`. */
void together(int n, void (*work)(int me));
int team_size(void); /* inside of together */
void meet(void);

typedef struct Part {
  size_t from, to;
} Part;
/* Of n things in groups of `unit`, those of thread me; n is a multiple. */
Part part(size_t n, size_t unit, int me);

/* -- arrays ------------------------------------------------------------ */
extern size_t steps;
size_t size_of(const char *key); /* as the command line has it */
double *input(const char *name, size_t n);
float *inputf(const char *name, size_t n);
double *result(size_t n); /* results count in the order of these calls */
float *resultf(size_t n);
void *memory(size_t bytes); /* zeroed, large pages where it is large */
void need(bool fits, const char *what);

typedef struct Workload {
  const char *name;
  void (*open)(void);
  struct {
    const char *name;
    void (*run)(void);
  } forms[2];
} Workload;

extern const Workload lorenz, stacked, iir, kalman;
extern const Workload chain, chain32, cheap, ring;
extern const Workload seed, allgather, rnn, sgd, gemm, gemm32;

void limits(void); /* prints them */

#define EXCHANGE(a, b)     \
  do {                     \
    __typeof__(a) old = a; \
    a = b;                 \
    b = old;               \
  } while (0)

#endif
