# The caret keeps the line's tabs.
# RUN: not %lockstep show %s 2>&1 | FileCheck %s --strict-whitespace
# CHECK: tab-before.ls:[[@LINE+4]]:11: error: neg: %z is not defined here
# CHECK-NEXT:{{^}}	%y = neg	%z{{$}}
# CHECK-NEXT:{{^}}	        	^{{$}}
program @p(%x: f64[3]) {
	%y = neg	%z
	return %y
}
