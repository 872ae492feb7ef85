# The tool has no functions to call; and what else is wrong with a call.
# RUN: %mistakes %s
program @wrong(%x: f64[3,4], %s: f64[]) {
  %r = MISTAKE
  return %r
}
# MISTAKE: call %x, symbol="norm" : f64[4]
# EXPECT: 8: call: no function is registered as "norm"; the program has no functions (operand %x: f64[3,4])
# MISTAKE: call symbol="norm" : f64[4]
# EXPECT: 8: call: no function is registered as "norm"; the program has no functions
# MISTAKE: call %x, symbol="norm"
# EXPECT: 8: call: needs its result type to be written (operand %x: f64[3,4])
# MISTAKE: call %x : f64[4]
# EXPECT: 8: call: needs symbol=... (operand %x: f64[3,4])
# MISTAKE: sort %s, dim=0
# EXPECT: 8: sort: a scalar has no dim to sort (operand %s: f64[])
# MISTAKE: cummin %s, dim=0
# EXPECT: 8: cummin: a scalar has no dim to run along (operand %s: f64[])
