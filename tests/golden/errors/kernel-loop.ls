# form=loop holds one scan, of straight-line code, and yields its results.
# RUN: %mistakes %s
stage kernels
program @loop(%x: f64[4]) {
  %y = MISTAKE
  return %y
}
# MISTAKE: kernel form=loop { ;; %a = neg %x ;; yield %a ;; }
# EXPECT: 8: kernel: form=loop holds one scan, and yields its results
# MISTAKE: kernel form=loop { ;; %a = scan length=2, carry(%c = %x) { ;; yield carry(%c) ;; } ;; yield %x ;; }
# EXPECT: 8: kernel: form=loop holds one scan, and yields its results
# MISTAKE: kernel form=loop { ;; %a = scan length=2, carry(%c = %x) { ;; %s = sort %c, dim=0 ;; yield carry(%s) ;; } ;; yield %a ;; }
# EXPECT: 8: kernel: form=loop holds no sort
# MISTAKE: kernel form=map { ;; %a = scan length=2, carry(%c = %x) { ;; yield carry(%c) ;; } ;; yield %a ;; }
# EXPECT: 2:6: scan may not stand in a kernel
