/* test_npy.c: NPY files, right ones, wrong ones, and random ones. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "runtime/runtime.h"

static char folder[] = "/tmp/lockstep-npy-XXXXXX";
static char path[64];

static int set_up(void **state) {
  (void)state;
  if (!mkdtemp(folder)) return -1;
  snprintf(path, sizeof path, "%s/x.npy", folder);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  unlink(path);
  return rmdir(folder);
}

static void put_file(const void *bytes, size_t n) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, n, file), n);
  assert_int_equal(fclose(file), 0);
}

/* A file of this version, header text and data. */
static size_t compose(char *bytes, int version, const char *header,
                      const void *data, size_t n) {
  size_t length = strlen(header), at = 8;
  memcpy(bytes, "\x93NUMPY\0\0", 8);
  bytes[6] = (char)version;
  for (int i = 0; i < (version == 1 ? 2 : 4); i++)
    bytes[at++] = (char)(length >> 8 * i & 0xff);
  memcpy(bytes + at, header, length);
  if (n) memcpy(bytes + at + length, data, n);
  return at + length + n;
}

static void put_npy(int version, const char *header, const void *data,
                    size_t n) {
  static char bytes[1 << 17];
  put_file(bytes, compose(bytes, version, header, data, n));
}

static Npy must_read(void) {
  Npy npy;
  char *wrong = rt_npy_read(path, &npy);
  if (wrong) fail_msg("%s", wrong);
  assert_non_null(npy.data);
  return npy;
}

/* It must be refused, and the message name the file and this text. */
static void must_refuse(const char *text) {
  Npy npy;
  char *wrong = rt_npy_read(path, &npy);
  assert_non_null(wrong);
  assert_null(npy.data);
  if (!strstr(wrong, text)) fail_msg("'%s' lacks '%s'", wrong, text);
  assert_non_null(strstr(wrong, "x.npy"));
  free(wrong);
}

static void writes_what_it_reads(void **state) {
  (void)state;
  const int64_t dims[] = {2, 3};
  unsigned char data[6 * 8];
  for (size_t i = 0; i < sizeof data; i++) data[i] = (unsigned char)(i % 2);
  for (int dtype = 0; dtype < DT_COUNT; dtype++) {
    assert_null(rt_npy_write(path, (DType)dtype, 2, dims, data));
    Npy npy = must_read();
    DType stored = dtype == DT_BF16 ? DT_U16 : (DType)dtype;
    assert_int_equal(npy.dtype, stored);
    assert_int_equal(npy.rank, 2);
    assert_int_equal(npy.dims[0], 2);
    assert_int_equal(npy.dims[1], 3);
    assert_memory_equal(npy.data, data, 6 * ir_dtype_bytes((DType)dtype));
    rt_npy_free(&npy);
  }
}

static void writes_every_rank(void **state) {
  (void)state;
  int64_t dims[IR_MAX_RANK];
  double one = 1.5;
  for (int rank = 0; rank <= IR_MAX_RANK; rank++) {
    for (int d = 0; d < rank; d++) dims[d] = 1;
    assert_null(rt_npy_write(path, DT_F64, rank, dims, &one));
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal((status.st_size - 8) % 64, 0);
    Npy npy = must_read();
    assert_int_equal(npy.rank, rank);
    assert_true(*(double *)npy.data == 1.5);
    rt_npy_free(&npy);
  }
  char *wrong = rt_npy_write(path, DT_F64, IR_MAX_RANK + 1, dims, &one);
  assert_non_null(wrong);
  free(wrong);
}

static void reads_zero_sizes(void **state) {
  (void)state;
  put_npy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 3)}", "",
          0);
  Npy npy = must_read();
  assert_int_equal(npy.dims[0], 0);
  assert_int_equal(npy.dims[1], 3);
  rt_npy_free(&npy);
  put_npy(1,
          "{'descr': '<f8', 'fortran_order': True, 'shape': "
          "(9223372036854775807, 0, 9223372036854775807)}",
          "", 0);
  npy = must_read();
  rt_npy_free(&npy);
}

static void reads_fortran_order(void **state) {
  (void)state;
  const int16_t data[] = {1, 4, 2, 5, 3, 6};
  put_npy(2, "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3), }\n",
          data, sizeof data);
  Npy npy = must_read();
  for (int i = 0; i < 6; i++) assert_int_equal(((int16_t *)npy.data)[i], i + 1);
  rt_npy_free(&npy);
}

static void reads_both_byte_orders(void **state) {
  (void)state;
  const unsigned char big[] = {1, 2, 3, 4}, little[] = {4, 3, 2, 1};
  put_npy(3, "{'descr': '>u4', 'fortran_order': False, 'shape': (1,)}", big, 4);
  Npy npy = must_read();
  assert_int_equal(*(uint32_t *)npy.data, 0x01020304);
  rt_npy_free(&npy);
  put_npy(1, "{'descr': '<u4', 'fortran_order': False, 'shape': (1,)}", little,
          4);
  npy = must_read();
  assert_int_equal(*(uint32_t *)npy.data, 0x01020304);
  rt_npy_free(&npy);
}

static void reads_loose_headers(void **state) {
  (void)state;
  static const char *const headers[] = {
      "{'shape':(2,),'fortran_order':False,'descr':'<f4'}",
      (" { \"shape\" : ( 2 , ) , 'descr' : \"<f4\" , 'fortran_order' : True , "
       "} \t\r\n"),
      "{'descr': '=f4', 'fortran_order': False, 'shape': (2L,), }",
      "{'descr': '|f4', 'fortran_order': False, 'shape': (1, 2)}",
      "{'descr': 'f4', 'fortran_order': False, 'shape': (2, 1,)}",
  };
  const float data[] = {1.5f, -2.5f};
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
    put_npy(1 + (int)i % 3, headers[i], data, sizeof data);
    Npy npy = must_read();
    assert_int_equal(npy.dtype, DT_F32);
    assert_memory_equal(npy.data, data, sizeof data);
    rt_npy_free(&npy);
  }
}

static void any_byte_is_a_bool(void **state) {
  (void)state;
  const unsigned char data[] = {0, 1, 2, 255};
  put_npy(1, "{'descr': '|b1', 'fortran_order': False, 'shape': (4,)}", data,
          4);
  Npy npy = must_read();
  assert_memory_equal(npy.data, "\0\1\1\1", 4);
  rt_npy_free(&npy);
}

typedef struct Refusal {
  const char *header, *text;
} Refusal;

static void refuses_headers(void **state) {
  (void)state;
#define HEADER(descr, shape) \
  "{'descr': " descr ", 'fortran_order': False, 'shape': " shape "}"
  static const Refusal refusals[] = {
      {HEADER("'|O'", "(1,)"), "pickled"},
      {HEADER("'<c16'", "(1,)"), "complex"},
      {HEADER("'<U3'", "(1,)"), "text"},
      {HEADER("'|V2'", "(1,)"), "uint16"},
      {HEADER("'<M8[ns]'", "(1,)"), "dates"},
      {HEADER("'<f16'", "(1,)"), "'<f16'"},
      {HEADER("''", "(1,)"), "dtype"},
      {HEADER("'<'", "(1,)"), "dtype"},
      {HEADER("[('a', '<f8')]", "(1,)"), "structured"},
      {HEADER("'<f8'", "(-1,)"), "negative"},
      {HEADER("'<f8'", "(1)"), "tuple"},
      {HEADER("'<f8'", "1"), "'('"},
      {HEADER("'<f8'", "(1,,2)"), "not a number"},
      {HEADER("'<f8'", "(1 2)"), "','"},
      {HEADER("'<f8'", "(x,)"), "not a number"},
      {HEADER("'<f8'", "(99999999999999999999,)"), "2^63"},
      {HEADER("'<f8'", "(9223372036854775807,)"), "beyond any memory"},
      {HEADER("'<f8'", "(4294967296, 4294967296)"), "beyond any memory"},
      {HEADER("'<f8'", "(1000000000000,)"), "truncated"},
      {HEADER("'<f8'", "(0,)"), "more than"},
      {"{'descr': '<f8', 'fortran_order': False}", "no 'shape'"},
      {"{'descr': '<f8', 'shape': (1,)}", "no 'fortran_order'"},
      {"{'fortran_order': False, 'shape': (1,)}", "no 'descr'"},
      {"{'descr': '<f8', 'descr': '<f8'}", "twice"},
      {"{'descr': '<f8', 'colour': 'red'}", "colour"},
      {"{'fortran_order': 0, 'shape': (1,), 'descr': '<f8'}", "fortran_order"},
      {"{'descr' '<f8'}", "':'"},
      {"{'descr': '<f8' 'shape': (1,)}", "','"},
      {"{'descr': '<f8", "garbled"},
      {"{'descr': '<f\\x38'}", "bad string"},
      {HEADER("'<f8'", "(1,)") " junk", "closing brace"},
      {"", "'{'"},
      {"{", "garbled"},
      {"{}", "no 'descr'"},
  };
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
    put_npy(1, refusals[i].header, "12345678", 8);
    must_refuse(refusals[i].text);
  }
}

static void refuses_too_many_dims(void **state) {
  (void)state;
  char header[512] = "{'descr': '|u1', 'fortran_order': False, 'shape': (";
  for (int i = 0; i <= IR_MAX_RANK; i++) strcat(header, "1,");
  strcat(header, ")}");
  put_npy(1, header, "1", 1);
  must_refuse("dims");
}

static void refuses_what_is_no_file(void **state) {
  (void)state;
  Npy npy;
  static const char *const paths[] = {"/dev/null", "/tmp", "/nowhere/x.npy",
                                      "/dev/zero", ""};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    char *wrong = rt_npy_read(paths[i], &npy);
    assert_non_null(wrong);
    assert_null(npy.data);
    free(wrong);
  }
  put_file("", 0);
  must_refuse("empty");
  put_npy(9, "{}", "", 0);
  must_refuse("version 9");
  put_file("\x93NUMPY\2\0\xff\xff\xff\xff", 12);
  must_refuse("more than any array");
}

/* Cut a good file at every byte, then change each byte to several others:
 * a message or an array, never a crash. */
static void survives_damage(void **state) {
  (void)state;
  const double data[] = {1, 2, 3, 4};
  char good[512], bad[512];
  size_t n = compose(
      good, 1, "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 2), }\n",
      data, sizeof data);
  for (size_t cut = 0; cut < n; cut++) {
    put_file(good, cut);
    must_refuse("x.npy");
  }
  static const char others[] = {0, 1, ' ', '\'', ',', ')', '9', '-', (char)255};
  for (size_t at = 0; at < n; at++)
    for (size_t k = 0; k < sizeof others; k++) {
      memcpy(bad, good, n);
      bad[at] = others[k];
      put_file(bad, n);
      Npy npy;
      char *wrong = rt_npy_read(path, &npy);
      assert_true((wrong == NULL) == (npy.data != NULL));
      rt_npy_free(&npy);
      free(wrong);
    }
}

static uint32_t next_random(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*seed >> 33);
}

/* Headers made of the pieces of headers, in any order. */
static void survives_random_headers(void **state) {
  (void)state;
  static const char *const pieces[] = {"{",
                                       "}",
                                       "'descr'",
                                       "'shape'",
                                       "'fortran_order'",
                                       ":",
                                       ": ",
                                       ",",
                                       ", ",
                                       "(",
                                       ")",
                                       "'<f8'",
                                       "'>i2'",
                                       "True",
                                       "False",
                                       "1",
                                       "0",
                                       "4096",
                                       "-",
                                       "L",
                                       "[",
                                       "'",
                                       "\"",
                                       " ",
                                       "\n",
                                       "\\",
                                       "99999999999999999999",
                                       "'|O'"};
  uint64_t seed = 12345;
  for (int round = 0; round < 3000; round++) {
    char header[512] = "";
    int n = (int)(next_random(&seed) % 24);
    if (next_random(&seed) % 2)
      strcpy(header, "{'descr': '<f8', 'fortran_order': False, 'shape': (");
    for (int i = 0; i < n; i++)
      strcat(header,
             pieces[next_random(&seed) % (sizeof pieces / sizeof *pieces)]);
    put_npy(1 + (int)(next_random(&seed) % 3), header, "12345678",
            next_random(&seed) % 9);
    Npy npy;
    char *wrong = rt_npy_read(path, &npy);
    assert_true((wrong == NULL) == (npy.data != NULL));
    rt_npy_free(&npy);
    free(wrong);
  }
}

static void says_why_it_cannot_write(void **state) {
  (void)state;
  const int64_t dims[] = {1 << 16};
  void *data = calloc(1 << 16, 8);
  static const char *const paths[] = {"/nowhere/y.npy", "/tmp", "/dev/full"};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    char *wrong = rt_npy_write(paths[i], DT_F64, 1, dims, data);
    assert_non_null(wrong);
    assert_non_null(strstr(wrong, paths[i]));
    free(wrong);
  }
  free(data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(writes_what_it_reads),
      cmocka_unit_test(writes_every_rank),
      cmocka_unit_test(reads_zero_sizes),
      cmocka_unit_test(reads_fortran_order),
      cmocka_unit_test(reads_both_byte_orders),
      cmocka_unit_test(reads_loose_headers),
      cmocka_unit_test(any_byte_is_a_bool),
      cmocka_unit_test(refuses_headers),
      cmocka_unit_test(refuses_too_many_dims),
      cmocka_unit_test(refuses_what_is_no_file),
      cmocka_unit_test(survives_damage),
      cmocka_unit_test(survives_random_headers),
      cmocka_unit_test(says_why_it_cannot_write),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
