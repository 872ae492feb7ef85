/* test_places: plans that are safe are accepted, and each way to break one is
 * refused with a message that names what clashes. */
#include "places_rows.h"

/* -- programs ---------------------------------------------------------- */

/* The seed program of the design, hoisted and planned. */
static const char seed[] =
    "stage kernels\n"
    "program @seed(%J: f64[8,64,64], %y0: f64[8,64,1]) {\n"
    "  %eps = constant 1e-06 : f64[]\n"
    "  %none = constant -0 : f64[64,1]\n"
    "  %Js, %b = kernel form=reduce, at=[0,32768] {\n"
    "    %p = reduce_sum %J, dims=[0]\n"
    "    %q = einsum %J, %y0, spec=\"dmn,dni->mi\"\n"
    "    yield %p, %q\n"
    "  }\n"
    "  %s = scan length=1000, carry(%c = %none), at=[[33280,33792]] {\n"
    "    %n = kernel form=contract, by=inline, at=[carry] {\n"
    "      %r = einsum %Js, %c, spec=\"mn,ni->mi\"\n"
    "      %u = add %b, %r\n"
    "      %e = mul %eps, %u\n"
    "      %a = add %c, %e\n"
    "      yield %a\n"
    "    }\n"
    "    yield carry(%n)\n"
    "  }\n"
    "  %y = kernel form=map, at=[result] {\n"
    "    %w = broadcast %s, dims=[1,2] : f64[8,64,1]\n"
    "    %z = add %y0, %w\n"
    "    yield %z\n"
    "  }\n"
    "  return %y\n"
    "}\n";

/* Two carries updated in place by one kernel each, and a stacked y. */
static const char steps[] =
    "stage kernels\n"
    "program @steps(%x0: f64[16], %v0: f64[16]) {\n"
    "  %half = constant 0.5 : f64[]\n"
    "  %x9, %v9, %ys = scan length=10, carry(%x = %x0, %v = %v0),\n"
    "      at=[result,0,result] {\n"
    "    %t = kernel form=map, at=[128] {\n"
    "      %t1 = mul %v, %half\n"
    "      yield %t1\n"
    "    }\n"
    "    %vn = kernel form=map, at=[carry] {\n"
    "      %v1 = sub %v, %x\n"
    "      yield %v1\n"
    "    }\n"
    "    %xn, %y = kernel form=map, at=[carry,ys] {\n"
    "      %x1 = add %x, %t\n"
    "      yield %x1, %x1\n"
    "    }\n"
    "    yield carry(%xn, %vn), ys(%y)\n"
    "  }\n"
    "  %w = kernel form=map, at=[result] {\n"
    "    %w1 = mul %v9, %half\n"
    "    yield %w1\n"
    "  }\n"
    "  return %x9, %ys, %w\n"
    "}\n";

/* Plain kernels: %a lives to the end, %b dies in %c. */
static const char chain[] =
    "stage kernels\n"
    "program @chain(%x: f64[4,4]) {\n"
    "  %a = kernel form=map, at=[0] {\n"
    "    %a1 = neg %x\n"
    "    yield %a1\n"
    "  }\n"
    "  %b = kernel form=map, at=[128] {\n"
    "    %b1 = add %a, %x\n"
    "    yield %b1\n"
    "  }\n"
    "  %c = kernel form=map, at=[128] {\n"
    "    %c1 = mul %b, %a\n"
    "    yield %c1\n"
    "  }\n"
    "  %d, %s = kernel form=map, at=[result,result] {\n"
    "    %d1 = add %c, %a\n"
    "    %s1 = sub %c, %a\n"
    "    yield %d1, %s1\n"
    "  }\n"
    "  return %d, %s\n"
    "}\n";

/* A scan in a scan: %k and the outer carry live through the inner one. */
static const char nested[] =
    "stage kernels\n"
    "program @nested(%x0: f64[8], %k: f64[8]) {\n"
    "  %k2 = kernel form=map, at=[0] {\n"
    "    %k3 = mul %k, %k\n"
    "    yield %k3\n"
    "  }\n"
    "  %x9 = scan length=3, carry(%x = %x0), at=[[result,64]] {\n"
    "    %i0 = kernel form=map, at=[128] {\n"
    "      %i1 = neg %x\n"
    "      yield %i1\n"
    "    }\n"
    "    %i9 = scan length=4, carry(%i = %i0), at=[[192,256]] {\n"
    "      %t = kernel form=map, at=[320] {\n"
    "        %t1 = mul %i, %k2\n"
    "        yield %t1\n"
    "      }\n"
    "      %in = kernel form=map, at=[carry] {\n"
    "        %in1 = add %t, %i\n"
    "        yield %in1\n"
    "      }\n"
    "      yield carry(%in)\n"
    "    }\n"
    "    %xn = kernel form=map, at=[carry] {\n"
    "      %x1 = add %x, %i9\n"
    "      yield %x1\n"
    "    }\n"
    "    yield carry(%xn)\n"
    "  }\n"
    "  return %x9\n"
    "}\n";

/* A step that shifts its carry: in place it would read what it wrote. */
static const char shift[] =
    "stage kernels\n"
    "program @shift(%x0: i32[16]) {\n"
    "  %zero = constant 0 : i32[]\n"
    "  %one = constant 1 : i32[1]\n"
    "  %x9 = scan length=5, carry(%x = %x0), at=[[result,0]] {\n"
    "    %xn = kernel form=map, at=[carry] {\n"
    "      %s = slice %x, start=[0], limit=[15]\n"
    "      %n = concatenate %one, %s, dim=0\n"
    "      yield %n\n"
    "    }\n"
    "    yield carry(%xn)\n"
    "  }\n"
    "  return %x9\n"
    "}\n";

/* One element of the carry changes. */
static const char update[] =
    "stage kernels\n"
    "program @update(%x0: i32[16], %at: i32[5]) {\n"
    "  %x9 = scan length=5, carry(%x = %x0), xs(%i = %at), at=[result] {\n"
    "    %xn = kernel form=map, at=[carry] {\n"
    "      %u = reshape %i : i32[1]\n"
    "      %n = dynamic_update_slice %x, %u, %i\n"
    "      yield %n\n"
    "    }\n"
    "    yield carry(%xn)\n"
    "  }\n"
    "  return %x9\n"
    "}\n";

/* (a, b) -> (b, a + b) with a kernel for each. */
static const char swap[] =
    "stage kernels\n"
    "program @swap(%a0: f64[8], %b0: f64[8]) {\n"
    "  %a9, %b9 = scan length=5, carry(%a = %a0, %b = %b0),\n"
    "      at=[[result,0],[result,64]] {\n"
    "    %an = kernel form=map, at=[carry] {\n"
    "      yield %b\n"
    "    }\n"
    "    %bn = kernel form=map, at=[carry] {\n"
    "      %s = add %a, %b\n"
    "      yield %s\n"
    "    }\n"
    "    yield carry(%an, %bn)\n"
    "  }\n"
    "  return %a9, %b9\n"
    "}\n";

/* The second kernel transposes what the first one wrote tile by tile. */
static const char team[] =
    "stage kernels\n"
    "program @team(%x: f64[64,64]) {\n"
    "  %a = kernel form=map, tile=[8,64], team=true, at=[0] {\n"
    "    %a1 = neg %x\n"
    "    yield %a1\n"
    "  }\n"
    "  %b = kernel form=map, tile=[8,64], team=true, sync=true, at=[result] {\n"
    "    %b1 = transpose %a, perm=[1,0]\n"
    "    yield %b1\n"
    "  }\n"
    "  return %b\n"
    "}\n";

/* The carry is read across tiles in the next step. */
static const char team_step[] =
    "stage kernels\n"
    "program @team(%x0: f64[64,64]) {\n"
    "  %x9 = scan length=9, carry(%x = %x0), at=[[result,0]] {\n"
    "    %n = kernel form=map, tile=[8,64], team=true, sync=true, at=[carry] "
    "{\n"
    "      %b1 = transpose %x, perm=[1,0]\n"
    "      yield %b1\n"
    "    }\n"
    "    yield carry(%n)\n"
    "  }\n"
    "  return %x9\n"
    "}\n";

/* -- rows -------------------------------------------------------------- */

/* clang-format off */
static const Row rows[] = {
  {seed, "", "", NULL},
  {steps, "", "", NULL},
  {chain, "", "", NULL},
  {nested, "", "", NULL},
  {shift, "", "", NULL},
  {update, "", "", NULL},
  {swap, "", "", NULL},
  {team, "", "", NULL},
  {team_step, "", "", NULL},

  /* What an `at` may say. */
  {seed, "at=[0,32768]", "at=[0]",
   "kernel: `at` has 1 entries for 2 results"},
  {seed, "at=[0,32768]", "at=[0,[32768,0]]",
   "kernel: %b has 2 places; a kernel's result has one"},
  {seed, "at=[0,32768]", "at=[0,32776]",
   "kernel: %b lies at 32776, which is no multiple of 64"},
  {seed, "at=[0,32768]", "at=[9223372036854775744,32768]",
   "kernel: %Js at 9223372036854775744 ends past 2^63 bytes"},
  {seed, "at=[0,32768]", "at=[result,32768]",
   "kernel: %Js has the place `result`, but the program does not return it"},
  {seed, "at=[0,32768]", "at=[carry,32768]",
   "kernel: %Js has the place `carry`, but it stands in no step of a scan "
   "or while"},
  {seed, ", at=[0,32768]", "",
   "kernel %Js: has no `at`, but other nodes of the program have"},
  {seed, ", at=[[33280,33792]]", "",
   "scan %s: has no `at`, but other nodes of the program have"},
  {seed, "at=[[33280,33792]]", "at=[carry]",
   "scan: %s has the place `carry`, which only a kernel's or a cond's result may "
   "have"},
  {seed, "at=[[33280,33792]]", "at=[result]",
   "scan: %s has the place `result`, but the program does not return it"},
  {chain, "at=[result,result]", "at=[result,256]",
   "%s is result 1 of the program: it must be written by a kernel, a cond or a "
   "scan in the same block, with the place `result`"},
  {chain, "return %d, %s", "return %d, %d as e, %s",
   "%d is yielded twice: result 1 of the program has no place of its own"},
  {chain, "return %d, %s", "return %d, %s, %x",
   "%x is result 2 of the program: it must be written by a kernel, a cond or a "
   "scan"},
  {chain, "%b = kernel form=map, at=[128] {\n    %b1 = add %a, %x\n"
          "    yield %b1\n  }\n", "%b = add %a, %x\n",
   "add: %b has no place: it stands outside all kernels"},
  {steps, "at=[carry] {\n      %v1", "at=[192] {\n      %v1",
   "%vn is next value 1 of the scan's carries: it must be written by a kernel "
   "or a cond in the same block, with the place `carry`"},
  {steps, "at=[carry,ys]", "at=[carry,carry]",
   "kernel: %y has the place `carry`, but the step does not carry it on"},
  {steps, "at=[carry,ys]", "at=[ys,ys]",
   "kernel: %xn has the place `ys`, but the step does not yield it as a y"},
  {steps, "at=[carry,ys]", "at=[carry,result]",
   "kernel: %y has the place `result`, but the program does not return it"},
  {steps, "at=[carry,ys]", "at=[carry,256]",
   "%y is yield 0 of the scan's ys: it must be written by a kernel or a cond in "
   "the same block, with the place `ys`"},
  {steps, "at=[128]", "at=[carry]",
   "kernel: %t has the place `carry`, but the step does not carry it on"},
  {steps, "ys(%y)", "ys(%xn)",
   "kernel: %y has the place `ys`, but the step does not yield it as a y"},
  {steps, "carry(%xn, %vn)", "carry(%xn, %v)",
   "kernel: %vn has the place `carry`, but the step does not carry it on"},
  {steps, "at=[result,0,result]", "at=[result,0,[result,0]]",
   "scan: %ys has 2 places; a ys has one"},
  {steps, "at=[result,0,result]", "at=[256,0,result]",
   "%x9 is result 0 of the program: it must be written by a kernel, a cond or a "
   "scan"},
  {shift, "[result,0]", "[0,result]",
   "scan: %x9 has `result` as number 1 of its places, but after 5 steps it lies "
   "in number 0"},
  {nested, "length=3", "length=0",
   "after 0 steps it lies in number 1"},

  /* Ranges that overlap. */
  {seed, "at=[0,32768]", "at=[0,32704]",
   "kernel %Js: writes %b at arena [32704,33216) over %Js at arena [0,32768) "
   "(of kernel %Js), which it writes too"},
  {seed, "[33280,33792]", "[33280,33728]",
   "scan %s: writes %c at arena [33728,34240) over %c at arena [33280,33792) "
   "(of scan %s), which it writes too"},
  {seed, "[33280,33792]", "[33280,32768]",
   "scan %s: writes %c at arena [32768,33280) over %b at arena [32768,33280) "
   "(of kernel %Js), which lives as long as the scan"},
  {seed, "[33280,33792]", "[33280]",
   "kernel %n: writes %n at arena [33280,33792) over %c at arena "
   "[33280,33792) (of scan %s), which it reads elsewhere than it writes"},
  {chain, "at=[128] {\n    %b1", "at=[0] {\n    %b1",
   "kernel %b: writes %b at arena [0,128) over %a at arena [0,128) (of kernel "
   "%a), which kernel %d reads later"},
  {chain, "at=[128] {\n    %c1", "at=[64] {\n    %c1",
   "kernel %c: writes %c at arena [64,192) over %a at arena [0,128) (of kernel "
   "%a), which kernel %d reads later"},
  {chain, "at=[128] {\n    %c1", "at=[192] {\n    %c1",
   "kernel %c: writes %c at arena [192,320) over %b at arena [128,256) (of "
   "kernel %b), which it reads, and which lies elsewhere"},
  {chain, "%c1 = mul %b, %a", "%b2 = transpose %b, perm=[1,0]\n"
          "    %c1 = mul %b2, %a",
   "kernel %c: writes %c at arena [128,256) over %b at arena [128,256) (of "
   "kernel %b), which it reads elsewhere than it writes"},
  {chain, "form=map, at=[128] {\n    %c1", "form=map, by=packed, at=[128] {\n    %c1",
   "over %b at arena [128,256) (of kernel %b), which it reads while it writes"},
  {steps, "at=[128]", "at=[0]",
   "kernel %t: writes %t at arena [0,128) over %v at arena [0,128) (of scan "
   "%x9), which kernel %vn reads later"},
  {steps, "%x1 = add %x, %t", "%x1 = add %x, %v",
   "kernel %vn: writes %vn at arena [0,128) over %v at arena [0,128) (of scan "
   "%x9), which kernel %xn reads later"},
  {steps, "%w1 = mul %v9, %half", "%w1 = mul %v0, %half", NULL},
  {swap, "[result,0],[result,64]", "result,[result,64]",
   "kernel %an: writes %an at result a9 [0,64) over %a at result a9 [0,64) (of "
   "scan %a9), which kernel %bn reads later"},
  {swap, "[result,0],[result,64]", "[result,0],result", NULL},
  {swap, "[result,0],[result,64]", "[result,0],[result,0]",
   "scan %a9: writes %b at arena [0,64) over %a at arena [0,64) (of scan %a9), "
   "which it writes too"},
  {shift, "[result,0]", "[result]",
   "kernel %xn: writes %xn at result x9 [0,64) over %x at result x9 [0,64) (of "
   "scan %x9), which it reads elsewhere than it writes"},
  {update, "dynamic_update_slice %x, %u, %i", "dynamic_update_slice %x, %x, %i",
   "which it reads elsewhere than it writes"},

  /* Scans in scans. */
  {nested, "at=[[192,256]]", "at=[[0,256]]",
   "scan %i9: writes %i at arena [0,64) over %k2 at arena [0,64) (of kernel "
   "%k2), which lives as long as the scan around"},
  {nested, "at=[320]", "at=[0]",
   "kernel %t: writes %t at arena [0,64) over %k2 at arena [0,64) (of kernel "
   "%k2), which lives as long as the scan around"},
  {nested, "at=[320]", "at=[64]",
   "kernel %t: writes %t at arena [64,128) over %x at arena [64,128) (of scan "
   "%x9), which lives as long as the scan around"},
  {nested, "at=[320]", "at=[128]",
   "kernel %t: writes %t at arena [128,192) over %i0 at arena [128,192) (of "
   "kernel %i0), which lives as long as the scan around"},
  {nested, "at=[128]", "at=[192]",
   "scan %i9: writes %i at arena [192,256) over %i0 at arena [192,256) (of "
   "kernel %i0), which lives as long as the scan"},
  {nested, "at=[[192,256]]", "at=[192]", NULL},
  {nested, "at=[128]", "at=[320]",
   "over %i0 at arena [320,384)"},
  {nested, "at=[128]", "at=[64]",
   "kernel %i0: writes %i0 at arena [64,128) over %x at arena [64,128) (of "
   "scan %x9), which kernel %xn reads later"},

  /* What a team needs, what a kernel may hold. */
  {team, ", sync=true", "",
   "kernel %b: reads %a across tiles, so that its team has to meet first: "
   "sync=true is missing"},
  {team, ", sync=true, at=[result] {\n    %b1 = transpose %a, perm=[1,0]",
   ", at=[result] {\n    %b1 = neg %a", NULL},
  {team_step, ", sync=true", "", "kernel %n: reads %x across tiles"},
  {seed, "%r = einsum %Js, %c, spec=\"mn,ni->mi\"",
   "%r0 = einsum %Js, %c, spec=\"mn,ni->mi\"\n"
   "      %r = einsum %Js, %r0, spec=\"mn,ni->mi\"",
   "kernel: %r0 is computed anew for each time that %r reads it"},
};
/* clang-format on */

/* -- the test ---------------------------------------------------------- */

static void test_rows(void **state) {
  (void)state;
  check_rows(rows, sizeof rows / sizeof *rows);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
