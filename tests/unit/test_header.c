/* test_header: lockstep.h compiles alone, and its macros in use, as strict C11
 * and as C++17, with every warning an error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const char alone[] = "#include \"lockstep.h\"\n";

/* What both languages share; NAMED(a, b) is an option by name or position. */
static const char shared[] =
    "void record(ls_builder *b, int64_t m, int n);\n"
    "void record(ls_builder *b, int64_t m, int n) {\n"
    "  double data[3] = {1, 2, 3};\n"
    "  int64_t ring[2][2] = {{0, 1}, {1, 0}};\n"
    "  ls_value x = ls_input(b, \"x\", ls_varying(ls_type_of(LS_F64, m, n),"
    " \"a\"));\n"
    "  ls_value y = ls_einsum(b, \"mk,kn->mn\", x, x);\n"
    "  y = ls_add(b, y, ls_constant(b, ls_type_of(LS_F64, 3), data));\n"
    "  y = ls_transpose(b, y, ls_dims(1, 0));\n"
    "  y = ls_reduce_sum(b, y, ls_dims());\n"
    "  y = ls_mul(b, ls_number(b, 0.5), ls_i32(b, -n));\n"
    "  y = ls_concatenate(b, 0, x, y, x);\n"
    "  y = ls_concatenate_all(b, 0, LS_VALUES(x, y));\n"
    "  y = ls_dynamic_slice(b, y, ls_dims(1), ls_u32(b, 1));\n"
    "  y = ls_ppermute(b, ls_psum(b, y, \"a\"), \"a\", 2, ring);\n"
    "  ls_value z = ls_all_gather(b, y, \"a\", GATHER);\n"
    "  ls_value sorted[2];\n"
    "  ls_sort(b, 0, sorted, y, z);\n"
    "  ls_sort_all(b, 0, sorted, LS_VALUES(z));\n"
    "  z = ls_call(b, \"f\", 0, data, ls_type_of(LS_F64, m), y, z);\n"
    "  z = ls_call_all(b, \"f\", 0, data, ls_type_of(LS_F64), LS_VALUES(y));\n"
    "  z = ls_scatter_add(b, ls_cumsum(b, z, 0, true), y, z, 0);\n"
    "  ls_scan *scan = ls_scan_begin(b, 10, REVERSE);\n"
    "  ls_value c = ls_scan_carry(scan, z);\n"
    "  ls_scan_next(scan, c, c);\n"
    "  ls_scan_end(scan);\n"
    "  ls_output(b, \"y\", ls_scan_result(scan, c));\n"
    "  ls_while *loop = ls_while_begin(b);\n"
    "  c = ls_while_carry(loop, z);\n"
    "  ls_while_test(loop, ls_bool(b, 0));\n"
    "  ls_while_next(loop, c, c);\n"
    "  ls_while_end(loop);\n"
    "  ls_cond *cond = ls_cond_begin(b, ls_bool(b, 1));\n"
    "  ls_cond_yield(cond, ls_while_result(loop, c));\n"
    "  ls_cond_else(cond);\n"
    "  ls_cond_yield(cond, z);\n"
    "  ls_cond_end(cond);\n"
    "  ls_output(b, \"z\", ls_cond_result(cond, 0));\n"
    "  ls_array in = ls_donate(ls_array_of(data, LS_F64, 3));\n"
    "  in = ls_array_over(ls_array_of(data, LS_F64), \"a\");\n"
    "  (void)in;\n"
    "}\n";

static const char by_name[] =
    "#include \"lockstep.h\"\n"
    "#define GATHER .dim = 1, .tiled = true\n"
    "#define REVERSE .reverse = true\n";

static const char by_position[] =
    "#include \"lockstep.h\"\n"
    "#define GATHER 1, true\n"
    "#define REVERSE true\n";

static bool installed(const char *compiler) {
  char command[256];
  snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", compiler);
  return system(command) == 0;
}

static void compile(const char *compiler, const char *language,
                    const char *first, const char *second) {
  char command[1024];
  if (!installed(compiler)) return;
  snprintf(command, sizeof command,
           "%s -x %s -I'%s/frontend' -Wall -Wextra -Wshadow -pedantic-errors "
           "-Werror -fsyntax-only -",
           compiler, language, LOCKSTEP_SOURCE_DIR);
  FILE *pipe = popen(command, "w");
  assert_non_null(pipe);
  fputs(first, pipe);
  fputs(second, pipe);
  if (pclose(pipe) != 0) fail_msg("%s", command);
}

static void test_c(void **state) {
  (void)state;
  static const char *const compilers[] = {"gcc", "clang-19"};
  for (int i = 0; i < 2; i++) {
    compile(compilers[i], "c -std=c11", alone, "");
    compile(compilers[i], "c -std=c11", by_name, shared);
  }
}

static void test_cpp(void **state) {
  (void)state;
  static const char *const compilers[] = {"g++", "clang++-19"};
  for (int i = 0; i < 2; i++) {
    compile(compilers[i], "c++ -std=c++17", alone, "");
    compile(compilers[i], "c++ -std=c++17", by_position, shared);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_c),
                                     cmocka_unit_test(test_cpp)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
