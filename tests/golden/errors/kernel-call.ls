# An op on whole arrays stands alone in a kernel, and form=call holds no other.
# RUN: %mistakes %s
stage kernels
program @whole(%x: f64[4]) {
  %y = MISTAKE
  return %y
}
# MISTAKE: kernel form=map { ;; %a = cumsum %x, dim=0 ;; yield %a ;; }
# EXPECT: 8: kernel: cumsum stands alone, in a kernel of form=call
# MISTAKE: kernel form=call { ;; %a = sort %x, dim=0 ;; %n = neg %a ;; yield %n ;; }
# EXPECT: 8: kernel: sort stands alone, in a kernel of form=call
# MISTAKE: kernel form=call { ;; %a = cumsum %x, dim=0 ;; yield %x ;; }
# EXPECT: 8: kernel: yields something besides what cumsum makes
# MISTAKE: kernel form=call { ;; %a = neg %x ;; yield %a ;; }
# EXPECT: 8: kernel: form=call holds a sort, a call or the like: one op on whole arrays
