/* test_places_control: places around and inside of while and cond. */
#include "places_rows.h"

/* -- programs ---------------------------------------------------------- */

/* %i is updated in place, %x takes turns; %k2 lives through the loop. */
static const char loop[] =
    "stage kernels\n"
    "program @loop(%x0: f64[8], %k: f64[8], %n: i32[]) {\n"
    "  %one = constant 1 : i32[]\n"
    "  %i0 = constant 0 : i32[]\n"
    "  %k2 = kernel form=map, at=[0] {\n"
    "    %k3 = mul %k, %k\n"
    "    yield %k3\n"
    "  }\n"
    "  %z = kernel form=map, at=[320] {\n"
    "    %z1 = neg %x0\n"
    "    yield %z1\n"
    "  }\n"
    "  %i9, %x9 = while carry(%i = %i0, %x = %z), at=[64,[128,192]] cond {\n"
    "    %p = kernel form=map, at=[256] {\n"
    "      %p1 = compare %i, %n, op=lt\n"
    "      yield %p1\n"
    "    }\n"
    "    yield %p\n"
    "  } do {\n"
    "    %in = kernel form=map, at=[carry] {\n"
    "      %i1 = add %i, %one\n"
    "      yield %i1\n"
    "    }\n"
    "    %t = kernel form=map, at=[256] {\n"
    "      %t1 = reverse %x, dims=[0]\n"
    "      yield %t1\n"
    "    }\n"
    "    %xn = kernel form=map, at=[carry] {\n"
    "      %x1 = mul %t, %k2\n"
    "      %x2 = add %x1, %x\n"
    "      yield %x2\n"
    "    }\n"
    "    yield carry(%in, %xn)\n"
    "  }\n"
    "  %q = kernel form=map, at=[0] {\n"
    "    %q1 = reverse %x0, dims=[0]\n"
    "    yield %q1\n"
    "  }\n"
    "  %y = kernel form=map, at=[result] {\n"
    "    %y1 = add %x9, %q\n"
    "    yield %y1\n"
    "  }\n"
    "  %m = kernel form=map, at=[result] {\n"
    "    yield %i9\n"
    "  }\n"
    "  return %y, %m\n"
    "}\n";

/* (a, b) -> (b, a rem b) until b is 0. */
static const char divisor[] =
    "stage kernels\n"
    "program @divisor(%a0: i32[], %b0: i32[]) {\n"
    "  %zero = constant 0 : i32[]\n"
    "  %a9, %b9 = while carry(%a = %a0, %b = %b0), at=[[0,64],128] cond {\n"
    "    %p = kernel form=map, at=[192] {\n"
    "      %p1 = compare %b, %zero, op=ne\n"
    "      yield %p1\n"
    "    }\n"
    "    yield %p\n"
    "  } do {\n"
    "    %an = kernel form=map, at=[carry] {\n"
    "      yield %b\n"
    "    }\n"
    "    %bn = kernel form=map, at=[carry] {\n"
    "      %r = rem %a, %b\n"
    "      yield %r\n"
    "    }\n"
    "    yield carry(%an, %bn)\n"
    "  }\n"
    "  %y = kernel form=map, at=[result] {\n"
    "    yield %a9\n"
    "  }\n"
    "  return %y\n"
    "}\n";

/* A cond that writes a carry in place, a y, and a value of the step. */
static const char branch[] =
    "stage kernels\n"
    "program @branch(%x0: f64[8], %k: f64[8]) {\n"
    "  %half = constant 0.5 : f64[]\n"
    "  %a = kernel form=map, at=[0] {\n"
    "    %a1 = mul %k, %k\n"
    "    yield %a1\n"
    "  }\n"
    "  %x9, %ys, %ws = scan length=5, carry(%x = %x0),\n"
    "      at=[result,result,result] {\n"
    "    %q = kernel form=reduce, at=[64] {\n"
    "      %q1 = reduce_max %x\n"
    "      %q2 = compare %q1, %half, op=lt\n"
    "      yield %q2\n"
    "    }\n"
    "    %b = kernel form=map, at=[128] {\n"
    "      %b1 = reverse %x, dims=[0]\n"
    "      yield %b1\n"
    "    }\n"
    "    %xn, %y, %s = cond %q, at=[carry,ys,192] then {\n"
    "      %t = kernel form=map, at=[256] {\n"
    "        %t1 = mul %x, %a\n"
    "        yield %t1\n"
    "      }\n"
    "      %xt, %yt = kernel form=map, at=[carry,ys] {\n"
    "        %xt1 = add %x, %t\n"
    "        yield %xt1, %t\n"
    "      }\n"
    "      %st = kernel form=map, at=[192] {\n"
    "        %st1 = mul %t, %b\n"
    "        yield %st1\n"
    "      }\n"
    "      yield %xt, %yt, %st\n"
    "    } else {\n"
    "      %xe = kernel form=map, at=[carry] {\n"
    "        yield %x\n"
    "      }\n"
    "      %ye = kernel form=map, at=[ys] {\n"
    "        %ye1 = mul %b, %half\n"
    "        yield %ye1\n"
    "      }\n"
    "      %se = kernel form=map, at=[192] {\n"
    "        %se1 = sub %b, %half\n"
    "        yield %se1\n"
    "      }\n"
    "      yield %xe, %ye, %se\n"
    "    }\n"
    "    %w = kernel form=map, at=[ys] {\n"
    "      %w1 = mul %s, %half\n"
    "      yield %w1\n"
    "    }\n"
    "    yield carry(%xn), ys(%y, %w)\n"
    "  }\n"
    "  return %x9, %ys, %ws\n"
    "}\n";

/* Branches that write over what dies in the cond: %a in both, %b in one. */
static const char over[] =
    "stage kernels\n"
    "program @over(%p: bool[], %x: f64[8]) {\n"
    "  %a = kernel form=map, at=[0] {\n"
    "    %a1 = neg %x\n"
    "    yield %a1\n"
    "  }\n"
    "  %b = kernel form=map, at=[64] {\n"
    "    %b1 = mul %x, %x\n"
    "    yield %b1\n"
    "  }\n"
    "  %r = cond %p, at=[0] then {\n"
    "    %t = kernel form=map, at=[64] {\n"
    "      %t1 = add %a, %b\n"
    "      yield %t1\n"
    "    }\n"
    "    %then = kernel form=map, at=[0] {\n"
    "      %r1 = mul %t, %a\n"
    "      yield %r1\n"
    "    }\n"
    "    yield %then\n"
    "  } else {\n"
    "    %u = kernel form=map, at=[128] {\n"
    "      %u1 = reverse %a, dims=[0]\n"
    "      yield %u1\n"
    "    }\n"
    "    %else = kernel form=map, at=[0] {\n"
    "      %e1 = sub %u, %b\n"
    "      yield %e1\n"
    "    }\n"
    "    yield %else\n"
    "  }\n"
    "  %v = kernel form=map, at=[64] {\n"
    "    %v1 = reverse %x, dims=[0]\n"
    "    yield %v1\n"
    "  }\n"
    "  %y = kernel form=map, at=[result] {\n"
    "    %y1 = mul %r, %v\n"
    "    yield %y1\n"
    "  }\n"
    "  return %y\n"
    "}\n";

/* A cond in a cond in a while: the innermost writes the carry. */
static const char deep[] =
    "stage kernels\n"
    "program @deep(%x0: i32[4], %p: bool[], %q: bool[]) {\n"
    "  %ten = constant 10 : i32[]\n"
    "  %x9 = while carry(%x = %x0), at=[0] cond {\n"
    "    %l = kernel form=reduce, at=[64] {\n"
    "      %l1 = reduce_sum %x\n"
    "      %l2 = compare %l1, %ten, op=lt\n"
    "      yield %l2\n"
    "    }\n"
    "    yield %l\n"
    "  } do {\n"
    "    %xn = cond %p, at=[carry] then {\n"
    "      %o = cond %q, at=[carry] then {\n"
    "        %o1 = kernel form=map, at=[carry] {\n"
    "          %o2 = add %x, %x\n"
    "          yield %o2\n"
    "        }\n"
    "        yield %o1\n"
    "      } else {\n"
    "        %o3 = kernel form=map, at=[carry] {\n"
    "          %o4 = sub %ten, %x\n"
    "          yield %o4\n"
    "        }\n"
    "        yield %o3\n"
    "      }\n"
    "      yield %o\n"
    "    } else {\n"
    "      %s = scan length=2, carry(%c = %x), at=[64] {\n"
    "        %cn = kernel form=map, at=[carry] {\n"
    "          %c1 = add %c, %ten\n"
    "          yield %c1\n"
    "        }\n"
    "        yield carry(%cn)\n"
    "      }\n"
    "      %e = kernel form=map, at=[carry] {\n"
    "        yield %s\n"
    "      }\n"
    "      yield %e\n"
    "    }\n"
    "    yield carry(%xn)\n"
    "  }\n"
    "  %y = cond %q, at=[result] then {\n"
    "    %y1 = kernel form=map, at=[result] {\n"
    "      %y2 = neg %x9\n"
    "      yield %y2\n"
    "    }\n"
    "    yield %y1\n"
    "  } else {\n"
    "    %y3 = kernel form=map, at=[result] {\n"
    "      yield %x9\n"
    "    }\n"
    "    yield %y3\n"
    "  }\n"
    "  return %y\n"
    "}\n";

/* A test with a cond and a scan of its own; nothing of it is carried. */
static const char test[] =
    "stage kernels\n"
    "program @test(%x0: f64[8], %h: f64[8]) {\n"
    "  %one = constant 1 : f64[]\n"
    "  %x9 = while carry(%x = %x0), at=[[0,64]] cond {\n"
    "    %s = scan length=3, carry(%c = %x), at=[[128,192]] {\n"
    "      %cn = kernel form=map, at=[carry] {\n"
    "        %c1 = reverse %c, dims=[0]\n"
    "        %c2 = add %c1, %h\n"
    "        yield %c2\n"
    "      }\n"
    "      yield carry(%cn)\n"
    "    }\n"
    "    %m = kernel form=reduce, at=[256] {\n"
    "      %m1 = reduce_max %s\n"
    "      %m2 = compare %m1, %one, op=lt\n"
    "      yield %m2\n"
    "    }\n"
    "    %p = cond %m, at=[320] then {\n"
    "      %p1 = kernel form=map, at=[320] {\n"
    "        yield %m\n"
    "      }\n"
    "      yield %p1\n"
    "    } else {\n"
    "      %p2 = kernel form=reduce, at=[320] {\n"
    "        %p3 = reduce_sum %x\n"
    "        %p4 = compare %p3, %one, op=lt\n"
    "        yield %p4\n"
    "      }\n"
    "      yield %p2\n"
    "    }\n"
    "    yield %p\n"
    "  } do {\n"
    "    %xn = kernel form=map, at=[carry] {\n"
    "      %x1 = reverse %x, dims=[0]\n"
    "      %x2 = add %x1, %one\n"
    "      yield %x2\n"
    "    }\n"
    "    yield carry(%xn)\n"
    "  }\n"
    "  %y = kernel form=map, at=[result] {\n"
    "    yield %x9\n"
    "  }\n"
    "  return %y\n"
    "}\n";

/* A team writes what a cond and a while read. */
static const char team[] =
    "stage kernels\n"
    "program @team(%x: f64[64,64], %p: bool[]) {\n"
    "  %one = constant 1 : f64[]\n"
    "  %a = kernel form=map, tile=[8,64], team=true, at=[0] {\n"
    "    %a1 = neg %x\n"
    "    yield %a1\n"
    "  }\n"
    "  %b = cond %p, at=[32768] then {\n"
    "    %b1 = kernel form=map, tile=[8,64], team=true, sync=true,\n"
    "        at=[32768] {\n"
    "      %b2 = transpose %a, perm=[1,0]\n"
    "      yield %b2\n"
    "    }\n"
    "    yield %b1\n"
    "  } else {\n"
    "    %b3 = kernel form=map, tile=[8,64], team=true, at=[32768] {\n"
    "      yield %a\n"
    "    }\n"
    "    yield %b3\n"
    "  }\n"
    "  %m = kernel form=reduce, sync=true, at=[98304] {\n"
    "    %m1 = reduce_max %b\n"
    "    %m2 = compare %m1, %one, op=lt\n"
    "    yield %m2\n"
    "  }\n"
    "  %c9 = while carry(%c = %b), at=[65536] cond {\n"
    "    yield %m\n"
    "  } do {\n"
    "    %cn = kernel form=map, tile=[8,64], team=true, at=[carry] {\n"
    "      %c1 = add %c, %one\n"
    "      yield %c1\n"
    "    }\n"
    "    yield carry(%cn)\n"
    "  }\n"
    "  %y = kernel form=map, tile=[8,64], team=true, sync=true, at=[result] {\n"
    "    %y1 = transpose %c9, perm=[1,0]\n"
    "    yield %y1\n"
    "  }\n"
    "  return %y\n"
    "}\n";

/* -- rows -------------------------------------------------------------- */

/* clang-format off */
static const Row rows[] = {
  {loop, "", "", NULL},
  {divisor, "", "", NULL},
  {branch, "", "", NULL},
  {over, "", "", NULL},
  {deep, "", "", NULL},
  {test, "", "", NULL},
  {team, "", "", NULL},

  /* What the `at` of a while may say. */
  {loop, ", at=[64,[128,192]]", "",
   "while %i9: has no `at`, but other nodes of the program have"},
  {loop, "at=[64,[128,192]]", "at=[64]",
   "while: `at` has 1 entries for 2 results"},
  {loop, "at=[64,[128,192]]", "at=[72,[128,192]]",
   "while: %i9 lies at 72, which is no multiple of 64"},
  {loop, "at=[64,[128,192]]", "at=[64,[128,carry]]",
   "while: %x9 has the place `carry`, but a while's carry lies in the arena"},
  {loop, "at=[64,[128,192]]", "at=[result,[128,192]]",
   "while: %i9 has the place `result`, but a while's carry lies in the arena"},
  {loop, "at=[256] {\n      %p1", "at=[carry] {\n      %p1",
   "kernel: %p has the place `carry`, but it stands in no step of a scan or "
   "while"},
  {loop, "at=[256] {\n      %p1", "at=[result] {\n      %p1",
   "kernel: %p has the place `result`, but the program does not return it"},
  {loop, "at=[carry] {\n      %i1", "at=[384] {\n      %i1",
   "%in is next value 0 of the while's carries: it must be written by a kernel "
   "or a cond in the same block, with the place `carry`"},
  {loop, "at=[carry] {\n      %i1", "at=[ys] {\n      %i1",
   "kernel: %in has the place `ys`, but the step does not yield it as a y"},
  {loop, "at=[256] {\n      %t1", "at=[carry] {\n      %t1",
   "kernel: %t has the place `carry`, but the step does not carry it on"},
  {loop, "carry(%in, %xn)", "carry(%in, %x)",
   "kernel: %xn has the place `carry`, but the step does not carry it on"},
  {loop, "return %y, %m", "return %y, %m, %i9",
   "%i9 is result 2 of the program: it must be written by a kernel, a cond or a "
   "scan in the same block"},

  /* A test may yield what lies outside of it. */
  {loop, "    yield %p\n  } do", "    %yes = constant true : bool[]\n"
   "    yield %yes\n  } do", NULL},

  /* What the places of a while may meet. */
  {loop, "[128,192]", "128", NULL},
  {loop, "[128,192]", "[128,192,384]", NULL},
  {loop, "[128,192]", "[128,128]",
   "while %i9: writes %x at arena [128,192) over %x at arena [128,192) (of "
   "while %i9), which it writes too"},
  {loop, "[128,192]", "[64,192]",
   "while %i9: writes %x at arena [64,128) over %i at arena [64,68) (of while "
   "%i9), which it writes too"},
  {loop, "[128,192]", "[0,192]",
   "while %i9: writes %x at arena [0,64) over %k2 at arena [0,64) (of kernel "
   "%k2), which lives as long as the while"},
  {loop, "[128,192]", "[128,320]",
   "while %i9: writes %x at arena [320,384) over %z at arena [320,384) (of "
   "kernel %z), which lives as long as the while"},
  {loop, "at=[320]", "at=[128]",
   "while %i9: writes %x at arena [128,192) over %z at arena [128,192) (of "
   "kernel %z), which lives as long as the while"},
  {loop, "at=[256] {\n      %p1", "at=[64] {\n      %p1",
   "kernel %p: writes %p at arena [64,65) over %i at arena [64,68) (of while "
   "%i9), which lives as long as the while around"},
  {loop, "at=[256] {\n      %p1", "at=[0] {\n      %p1",
   "kernel %p: writes %p at arena [0,1) over %k2 at arena [0,64) (of kernel "
   "%k2), which lives as long as the while around"},
  {loop, "at=[256] {\n      %t1", "at=[0] {\n      %t1",
   "kernel %t: writes %t at arena [0,64) over %k2 at arena [0,64) (of kernel "
   "%k2), which lives as long as the while around"},
  {loop, "at=[256] {\n      %t1", "at=[320] {\n      %t1",
   "kernel %t: writes %t at arena [320,384) over %z at arena [320,384) (of "
   "kernel %z), which lives as long as the while around"},
  {loop, "at=[256] {\n      %t1", "at=[192] {\n      %t1",
   "kernel %t: writes %t at arena [192,256) over %x at arena [192,256) (of "
   "while %i9), which kernel %xn reads later"},
  {loop, "at=[256] {\n      %t1", "at=[64] {\n      %t1",
   "kernel %t: writes %t at arena [64,128) over %in at arena [64,68) (of kernel "
   "%in), which its block yields"},
  {loop, "%x1 = mul %t, %k2", "%f = convert %i : f64[]\n"
   "      %x1 = mul %t, %f",
   "kernel %in: writes %in at arena [64,68) over %i at arena [64,68) (of while "
   "%i9), which kernel %xn reads later"},
  /* The result lies at either place. */
  {loop, "at=[0] {\n    %q1", "at=[128] {\n    %q1",
   "kernel %q: writes %q at arena [128,192) over %x9 at arena [128,192) (of "
   "while %i9), which kernel %y reads later"},
  {loop, "at=[0] {\n    %q1", "at=[192] {\n    %q1",
   "kernel %q: writes %q at arena [192,256) over %x9 at arena [192,256) (of "
   "while %i9), which kernel %y reads later"},
  {loop, "at=[0] {\n    %q1", "at=[320] {\n    %q1", NULL},
  {divisor, "[[0,64],128]", "[0,128]",
   "kernel %an: writes %an at arena [0,4) over %a at arena [0,4) (of while "
   "%a9), which kernel %bn reads later"},
  {divisor, "[[0,64],128]", "[[0,64],[128,256]]", NULL},

  /* What the `at` of a cond, and of what its branches yield, may say. */
  {branch, ", at=[carry,ys,192]", "",
   "cond %xn: has no `at`, but other nodes of the program have"},
  {branch, "at=[carry,ys,192]", "at=[carry,ys]",
   "cond: `at` has 2 entries for 3 results"},
  {branch, "at=[carry,ys,192]", "at=[[carry,320],ys,192]",
   "cond: %xn has 2 places; a cond's result has one"},
  {branch, "at=[carry,ys,192]", "at=[carry,ys,carry]",
   "cond: %s has the place `carry`, but the step does not carry it on"},
  {branch, "at=[carry,ys,192]", "at=[carry,ys,result]",
   "cond: %s has the place `result`, but the program does not return it"},
  {branch, "at=[carry,ys,192]", "at=[320,ys,192]",
   "%xt is yield 0 of the cond's then: it must be written by a kernel or a cond "
   "in the same block, with the place `320`"},
  {branch, "at=[carry] {\n        yield %x", "at=[320] {\n        yield %x",
   "%xe is yield 0 of the cond's else: it must be written by a kernel or a cond "
   "in the same block, with the place `carry`"},
  {branch, "at=[192] {\n        %se1", "at=[320] {\n        %se1",
   "%se is yield 2 of the cond's else: it must be written by a kernel or a cond "
   "in the same block, with the place `192`"},
  {branch, "at=[256] {\n        %t1", "at=[ys] {\n        %t1",
   "kernel: %t has the place `ys`, but the branch does not yield it"},
  {branch, "at=[256] {\n        %t1", "at=[result] {\n        %t1",
   "kernel: %t has the place `result`, but the branch does not yield it"},
  {branch, "at=[carry,ys] {\n        %xt1", "at=[ys,carry] {\n        %xt1",
   "%xt is yield 0 of the cond's then: it must be written by a kernel or a cond "
   "in the same block, with the place `carry`"},
  {branch, "yield %xe, %ye, %se", "yield %x, %ye, %se",
   "kernel: %xe has the place `carry`, but the branch does not yield it"},
  {branch, "yield %xe, %ye, %se", "yield %xe, %ye, %b",
   "%b is yield 2 of the cond's else: it must be written by a kernel or a cond "
   "in the same block, with the place `192`"},
  {branch, "yield %xe, %ye, %se", "yield %xe, %xe, %se",
   "kernel: %ye has the place `ys`, but the branch does not yield it"},
  {branch, "yield %xt, %yt, %st", "yield %xt, %st, %st",
   "kernel: %yt has the place `ys`, but the branch does not yield it"},
  {over, "yield %else", "yield %a",
   "%a is yield 0 of the cond's else: it must be written by a kernel or a cond "
   "in the same block, with the place `0`"},
  {deep, "      yield %e\n", "      yield %s\n",
   "kernel: %e has the place `carry`, but the branch does not yield it"},
  {deep, "%o = cond %q, at=[carry]", "%o = cond %q, at=[128]",
   "%o1 is yield 0 of the cond's then: it must be written by a kernel or a cond "
   "in the same block, with the place `128`"},
  {deep, "%y = cond %q, at=[result]", "%y = cond %q, at=[128]",
   "%y1 is yield 0 of the cond's then: it must be written by a kernel or a cond "
   "in the same block, with the place `128`"},

  /* A branch writes where a kernel in the cond's place could. */
  {branch, "at=[256] {\n        %t1", "at=[128] {\n        %t1",
   "kernel %t: writes %t at arena [128,192) over %b at arena [128,192) (of "
   "kernel %b), which kernel %st reads later"},
  {branch, "at=[256] {\n        %t1", "at=[0] {\n        %t1",
   "kernel %t: writes %t at arena [0,64) over %a at arena [0,64) (of kernel "
   "%a), which lives as long as the scan around"},
  {branch, "at=[256] {\n        %t1", "at=[64] {\n        %t1", NULL},
  {branch, "%st1 = mul %t, %b", "%st1 = mul %t, %x",
   "kernel %xt: writes %xt at result x9 [0,64) over %x at result x9 [0,64) (of "
   "scan %x9), which kernel %st reads later"},
  {branch, "%se1 = sub %b, %half", "%se1 = sub %b, %x",
   "kernel %xe: writes %xe at result x9 [0,64) over %x at result x9 [0,64) (of "
   "scan %x9), which kernel %se reads later"},
  {branch, "%w1 = mul %s, %half", "%w1 = mul %s, %x",
   "kernel %xt: writes %xt at result x9 [0,64) over %x at result x9 [0,64) (of "
   "scan %x9), which kernel %w reads later"},
  {branch, "        yield %x\n", "        %r = reverse %x, dims=[0]\n"
   "        yield %r\n",
   "kernel %xe: writes %xe at result x9 [0,64) over %x at result x9 [0,64) (of "
   "scan %x9), which it reads elsewhere than it writes"},
  {branch, "at=[result,result,result]", "at=[[result,320],result,result]",
   NULL},
  {branch, "at=[64]", "at=[128]",
   "kernel %b: writes %b at arena [128,192) over %q at arena [128,129) (of "
   "kernel %q), which cond %xn reads later"},
  {over, "%y1 = mul %r, %v", "%y1 = mul %r, %a",
   "kernel %then: writes %then at arena [0,64) over %a at arena [0,64) (of "
   "kernel %a), which kernel %y reads later"},
  {over, "%y1 = mul %r, %v", "%y1 = mul %r, %b",
   "kernel %t: writes %t at arena [64,128) over %b at arena [64,128) (of kernel "
   "%b), which kernel %y reads later"},
  {over, "%r1 = mul %t, %a", "%r1 = mul %t, %b",
   "kernel %t: writes %t at arena [64,128) over %b at arena [64,128) (of kernel "
   "%b), which kernel %then reads later"},
  {over, "%r1 = mul %t, %a", "%a2 = reverse %a, dims=[0]\n"
   "      %r1 = mul %t, %a2",
   "kernel %then: writes %then at arena [0,64) over %a at arena [0,64) (of "
   "kernel %a), which it reads elsewhere than it writes"},
  {over, "%t = kernel form=map, at=[64]", "%t = kernel form=map, at=[128]",
   NULL},
  /* %b is there again in the other branch, and gone afterwards. */
  {over, "at=[128] {\n      %u1", "at=[64] {\n      %u1",
   "kernel %u: writes %u at arena [64,128) over %b at arena [64,128) (of kernel "
   "%b), which kernel %else reads later"},
  {over, "at=[64] {\n    %v1", "at=[0] {\n    %v1",
   "kernel %v: writes %v at arena [0,64) over %r at arena [0,64) (of cond %r), "
   "which kernel %y reads later"},
  /* What only the other branch reads may be written over. */
  {over, "%t1 = add %a, %b", "%t1 = reverse %a, dims=[0]", NULL},
  {over, "%e1 = sub %u, %b", "%e1 = sub %u, %x", NULL},

  /* In one another. */
  {deep, "%o2 = add %x, %x", "%o5 = reverse %x, dims=[0]\n"
   "          %o2 = add %x, %o5",
   "kernel %o1: writes %o1 at arena [0,16) over %x at arena [0,16) (of while "
   "%x9), which it reads elsewhere than it writes"},
  {deep, "at=[64] {\n        %cn", "at=[0] {\n        %cn",
   "scan %s: writes %c at arena [0,16) over %x at arena [0,16) (of while %x9), "
   "which lives as long as the scan"},
  {deep, "        yield %s\n", "        %e1 = add %s, %x\n"
   "        yield %e1\n", NULL},
  {deep, "at=[64] {\n      %l1", "at=[0] {\n      %l1",
   "kernel %l: writes %l at arena [0,1) over %x at arena [0,16) (of while %x9), "
   "which lives as long as the while around"},
  {test, "[[128,192]]", "[[128,64]]",
   "scan %s: writes %c at arena [64,128) over %x at arena [64,128) (of while "
   "%x9), which lives as long as the while around"},
  {test, "at=[256]", "at=[128]",
   "kernel %m: writes %m at arena [128,129) over %s at arena [128,192) (of scan "
   "%s), which it reads, and which lies elsewhere"},
  {test, "at=[256]", "at=[192]", NULL},

  /* Teams. */
  {team, ", sync=true,\n", ",\n", NULL}, /* they met at the predicate */
  {team, "yield %a\n", "%b4 = transpose %a, perm=[1,0]\n      yield %b4\n",
   NULL},
  {team, "sync=true, at=[result]", "at=[result]",
   "kernel %y: reads %c9 across tiles"},
  {team, "form=reduce, sync=true", "form=reduce",
   "kernel %m: reads %b across tiles"},
  {team, "form=reduce, sync=true", "form=reduce, team=true, sync=true",
   "kernel %m: a team shares results of one shape in tiles along one dim"},
  {team, "tile=[8,64], team=true, at=[carry]", "at=[carry]", NULL},
};
/* clang-format on */

static void test_rows(void **state) {
  (void)state;
  check_rows(rows, sizeof rows / sizeof *rows);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
