/* average.c: 1000 steps of y += psum(1e-6 * J y) on 8 devices, twice: with a
 * named axis, and with the device dim written out.  Both give the same.
 *
 *   average [m]          m = 64 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lockstep.h"

enum { DEVICES = 8, STEPS = 1000 };

/* y over all steps; J and y vary over devices. */
static ls_value named(ls_builder *b, ls_value J, ls_value y0) {
  ls_scan *scan = ls_scan_begin(b, STEPS);
  ls_value y = ls_scan_carry(scan, y0);
  ls_value d = ls_mul(b, ls_f64(b, 1e-6), ls_einsum(b, "mn,ni->mi", J, y));
  ls_scan_next(scan, y, ls_add(b, y, ls_psum(b, d, "devices")));
  ls_scan_end(scan);
  return ls_scan_result(scan, y);
}

/* The same with one dim more, and a sum over it. */
static ls_value written_out(ls_builder *b, ls_value J, ls_value y0) {
  ls_scan *scan = ls_scan_begin(b, STEPS);
  ls_value y = ls_scan_carry(scan, y0);
  ls_value d = ls_mul(b, ls_f64(b, 1e-6), ls_einsum(b, "dmn,dni->dmi", J, y));
  ls_scan_next(scan, y, ls_add(b, y, ls_reduce_sum(b, d, ls_dims(0))));
  ls_scan_end(scan);
  return ls_scan_result(scan, y);
}

static ls_program *record(int64_t m) {
  ls_builder *b = ls_builder_create("average");
  ls_axis_declare(b, "devices", DEVICES);
  ls_value keys = ls_random_split(b, ls_random_key(b, 0), DEVICES);
  ls_value key = ls_map(b, keys, "devices", 0);
  ls_type square = ls_type_of(LS_F64, m, m), column = ls_type_of(LS_F64, m, 1);
  ls_value noise = ls_random_uniform(b, key, square, -0.1, 0.1);
  ls_type index = ls_type_of(LS_I32, m, m);
  ls_value diagonal = ls_eq(b, ls_iota(b, index, 0), ls_iota(b, index, 1));
  ls_value identity = ls_convert(b, diagonal, LS_F64);
  ls_value J = ls_add(b, ls_mul(b, ls_f64(b, 0.1), noise), identity);
  ls_value y = ls_random_uniform(b, key, column, 0, 1);
  ls_output(b, "named", named(b, J, y));
  ls_output(b, "written_out",
            written_out(b, ls_unmap(b, J, "devices", 0),
                        ls_unmap(b, y, "devices", 0)));
  ls_program *program = ls_builder_finish(b);
  if (program == NULL) fprintf(stderr, "%s\n", ls_builder_error(b));
  ls_builder_destroy(b);
  return program;
}

int main(int argc, char **argv) {
  int64_t m = argc > 1 ? atoll(argv[1]) : 64;
  ls_program *program = record(m);
  ls_error error = {LS_OK, ""};
  ls_executable *run = program ? ls_compile(program, NULL, &error) : NULL;
  size_t n = (size_t)(DEVICES * m);
  double *y = calloc(2 * n, sizeof *y), worst = 0;
  if (run && y) {
    ls_array results[] = {ls_array_of(y, LS_F64, DEVICES, m, 1),
                          ls_array_of(y + n, LS_F64, DEVICES, m, 1)};
    ls_run(run, NULL, 0, results, 2, NULL, &error);
    for (size_t i = 0; i < n; i++) worst = fmax(worst, fabs(y[i] - y[n + i]));
    ls_counters counters = ls_executable_counters(run);
    printf("y[0] = %.17g, y[last] = %.17g\n", y[0], y[n - 1]);
    printf("named against written out: at most %g apart\n", worst);
    printf("%lld compile, %.1f ms\n", (long long)counters.compiles,
           counters.passes_ms + counters.codegen_ms + counters.load_ms);
  }
  if (error.status != LS_OK) fprintf(stderr, "%s\n", error.text);
  free(y);
  ls_executable_destroy(run);
  ls_program_destroy(program);
  return run && error.status == LS_OK && worst < 1e-12 ? 0 : 1;
}
