/* collectives.c: the collectives over 0..11 on 4 devices, then over two nested
 * axes; and what three mistakes answer. */
#include <stdio.h>

#include "lockstep.h"

static void record(ls_builder *b) {
  ls_axis_declare(b, "devices", 4);
  ls_axis_declare(b, "hosts", 2);
  ls_axis_declare(b, "cores", 3);
  ls_value x = ls_iota(b, ls_type_of(LS_F64, 12), 0);

  ls_value rows = ls_reshape(b, x, ls_dims(4, 3));
  ls_value shard = ls_map(b, rows, "devices", 0); /* f64[3]{devices} */
  ls_value local = ls_reduce_sum(b, shard, ls_dims());
  ls_value mean = ls_div(b, local, ls_f64(b, 3));
  ls_value top = ls_reduce_max(b, shard, ls_dims());
  ls_value bottom = ls_reduce_min(b, shard, ls_dims());
  ls_output(b, "psum", ls_psum(b, local, "devices"));
  ls_output(b, "pmean", ls_pmean(b, mean, "devices"));
  ls_output(b, "pmax", ls_pmax(b, top, "devices"));
  ls_output(b, "pmin", ls_pmin(b, bottom, "devices"));
  ls_output(b, "all_gather", ls_all_gather(b, shard, "devices", .tiled = true));

  ls_value grid = ls_reshape(b, x, ls_dims(2, 3, 2));
  ls_value host = ls_map(b, grid, "hosts", 0);
  ls_value core = ls_map(b, host, "cores", 0); /* f64[2]{hosts,cores} */
  ls_value pair = ls_reduce_sum(b, core, ls_dims());
  ls_output(b, "by_host", ls_psum(b, pair, "cores"));
  ls_output(b, "all", ls_psum(b, pair, "hosts,cores"));
}

static void unknown_axis(ls_builder *b) {
  ls_value x = ls_input(b, "x", ls_type_of(LS_F64, 3));
  ls_output(b, "y", ls_psum(b, x, "devices"));
}

static void misspelt_axis(ls_builder *b) {
  ls_axis_declare(b, "devices", 4);
  ls_value x = ls_input(b, "x", ls_varying(ls_type_of(LS_F64, 3), "devices"));
  ls_output(b, "y", ls_psum(b, x, "device"));
}

static void mixed_dtypes(ls_builder *b) {
  ls_value x = ls_input(b, "x", ls_type_of(LS_F64, 3));
  ls_value y = ls_input(b, "y", ls_type_of(LS_F32, 3));
  ls_output(b, "z", ls_add(b, x, y));
}

static ls_program *finish(void (*recorded)(ls_builder *)) {
  ls_builder *b = ls_builder_create("collectives");
  recorded(b);
  ls_program *program = ls_builder_finish(b);
  if (program == NULL) printf("%s\n", ls_builder_error(b));
  ls_builder_destroy(b);
  return program;
}

int main(void) {
  double y[7][12] = {{0}};
  ls_array results[7];
  ls_error error;
  ls_program *program = finish(record);
  ls_executable *run = ls_compile(program, NULL, &error);
  for (int i = 0; i < 7; i++) {
    results[i] = ls_program_result_array(program, i);
    results[i].data = y[i];
  }
  ls_run(run, NULL, 0, results, 7, NULL, &error);
  for (int i = 0; i < 7; i++) {
    printf("%-10s", ls_program_result_name(program, i));
    size_t n = ls_array_bytes(results[i]) / sizeof **y;
    for (size_t k = 0; k < n; k++) printf(" %g", y[i][k]);
    printf("\n");
  }
  ls_executable_destroy(run);
  ls_program_destroy(program);

  finish(unknown_axis);
  finish(misspelt_axis);
  finish(mixed_dtypes);
  return y[0][0] == 66 && y[1][0] == 5.5 ? 0 : 1;
}
