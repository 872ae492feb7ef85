# The lines around the nodes: stage, sizes, axes, parameters, results.
# RUN: %mistakes %s
# MISTAKE: # nothing
# EXPECT: 10: expected size, axis or program, found the end of the file
# MISTAKE: axis a = 4
# EXPECT: 11: expected size, axis or program, found the end of the file
# MISTAKE: axis a = 0 ;; program @p(%x: f64[]) { ;; return %x ;; }
# EXPECT: 6: axis a has size 0; an axis has at least 1 device
# MISTAKE: axis a = -2 ;; program @p(%x: f64[]) { ;; return %x ;; }
# EXPECT: 6: axis a has size -2; an axis has at least 1 device
# MISTAKE: axis a ;; program @p(%x: f64[]) { ;; return %x ;; }
# EXPECT: 2:1: expected = after the name of an axis, found program
# MISTAKE: axis = 4 ;; program @p(%x: f64[]) { ;; return %x ;; }
# EXPECT: 6: expected the name of an axis, found =
# MISTAKE: axis 4 = 4 ;; program @p(%x: f64[]) { ;; return %x ;; }
# EXPECT: 6: expected the name of an axis, found 4
# MISTAKE: axis a = n ;; program @p(%x: f64[]) { ;; return %x ;; }
# EXPECT: 10: no size n is declared before this
# MISTAKE: axis a = 4 ;; axis a = 5 ;; program @p(%x: f64[]) { ;; return %x ;; }
# EXPECT: 2:6: axis a is declared twice
# MISTAKE: axis a = 4 ;; size a = 5 ;; program @p(%x: f64[]) { ;; return %x ;; }
# EXPECT: 2:6: a is an axis; a size and an axis may share no name
# MISTAKE: size a = 4 ;; axis a = 5 ;; program @p(%x: f64[]) { ;; return %x ;; }
# EXPECT: 2:6: a is a size; a size and an axis may share no name
# MISTAKE: size a = b ;; size b = 4 ;; program @p(%x: f64[]) { ;; return %x ;; }
# EXPECT: 10: no size b is declared before this
# MISTAKE: size 4 = a ;; program @p(%x: f64[]) { ;; return %x ;; }
# EXPECT: 6: expected the name of a size, found 4
# MISTAKE: size a 4 ;; program @p(%x: f64[]) { ;; return %x ;; }
# EXPECT: 8: expected = after the name of a size, found 4
# MISTAKE: size a = 4.5 ;; program @p(%x: f64[]) { ;; return %x ;; }
# EXPECT: 10: expected an integer, found 4.5
# MISTAKE: size a = 4 ;; size a = 5 ;; program @p(%x: f64[a]) { ;; return %x ;; }
# EXPECT: 2:6: size a is declared twice
# MISTAKE: size rows = 4 ;; program @p(%x: f64[row]) { ;; return %x ;; }
# EXPECT: 2:20: %x: no size row is declared before this; did you mean rows?
# MISTAKE: sizes a = 4 ;; program @p(%x: f64[]) { ;; return %x ;; }
# EXPECT: 1: expected size, axis or program, found sizes; did you mean size?
# MISTAKE: stage name ;; program @p(%x: f64[]) { ;; return %x ;; }
# EXPECT: 7: expected a stage (named, batched, kernels), found name; did you mean named?
# MISTAKE: stage batch ;; program @p(%x: f64[]) { ;; return %x ;; }
# EXPECT: 7: expected a stage (named, batched, kernels), found batch; did you mean batched?
# MISTAKE: size n = 3 ;; stage batched ;; program @p(%x: f64[]) { ;; return %x ;; }
# EXPECT: 2:1: the stage comes first, before sizes and axes
# MISTAKE: stage batched ;; axis a = 4 ;; program @p(%x: f64[]) { ;; return %x ;; }
# EXPECT: 2:1: there are no axes at the batched and kernels stages
# MISTAKE: stage batched ;; program @p(%x: f64[]{a}) { ;; return %x ;; }
# EXPECT: 2:22: %x: no axis is called a: there are no axes at the batched and kernels stages
# MISTAKE: stage batched ;; program @p(%x: f64[3]) { ;; %y = psum %x, axis=a ;; return %y ;; }
# EXPECT: 3:20: psum: axis: no axis is called a: there are no axes at the batched and kernels stages
# MISTAKE: progam @p(%x: f64[]) { ;; return %x ;; }
# EXPECT: 1: expected size, axis or program, found progam; did you mean program?
# MISTAKE: program p(%x: f64[]) { ;; return %x ;; }
# EXPECT: 9: expected @ before the program's name, found p
# MISTAKE: program @(%x: f64[]) { ;; return %x ;; }
# EXPECT: 10: expected the name of the program, found (
# MISTAKE: program @p %x: f64[] { ;; return %x ;; }
# EXPECT: 12: expected ( after the program's name, found %x
# MISTAKE: program @p(x: f64[]) { ;; return %x ;; }
# EXPECT: 12: expected a parameter (%name: type), found x
# MISTAKE: program @p(%x f64[]) { ;; return %x ;; }
# EXPECT: 15: expected : after the name of a parameter, found f64
# MISTAKE: program @p(%x: f64[3], %x: f64[]) { ;; return %x ;; }
# EXPECT: 24: %x is defined already, at line 1; a name may neither be defined twice nor shadow another
# MISTAKE: program @p(%x: f64[3] ;; return %x ;; }
# EXPECT: 2:1: expected ) after the parameters, found return
# MISTAKE: program @p(%x: f64[3]) ;; return %x ;; }
# EXPECT: 2:1: expected { before the program's nodes, found return
# MISTAKE: program @p(%x: f64[3]) { ;; }
# EXPECT: 2:1: expected a node or return, found }
# MISTAKE: program @p(%x: f64[3]) { ;; return ;; }
# EXPECT: 3:1: expected a value (%name) to return, found }
# MISTAKE: program @p(%x: f64[3]) { ;; return x ;; }
# EXPECT: 2:8: expected a value (%name) to return, found x
# MISTAKE: program @p(%x: f64[3]) { ;; return %y ;; }
# EXPECT: 2:8: %y is not defined here
# MISTAKE: program @p(%xs: f64[3]) { ;; return %x ;; }
# EXPECT: 2:8: %x is not defined here
# MISTAKE: program @p(%x: f64[3]) { ;; return %x as ;; }
# EXPECT: 3:1: expected the name of a result after as, found }
# MISTAKE: program @p(%x: f64[3]) { ;; return %x as %y ;; }
# EXPECT: 2:14: expected the name of a result after as, found %y
# MISTAKE: program @p(%x: f64[3]) { ;; return %x, ;; }
# EXPECT: 3:1: expected a value (%name) to return, found }
# MISTAKE: program @p(%x: f64[3]) { ;; return %x ;; 
# EXPECT: 2:10: expected } at the end of the program, found the end of the file
# MISTAKE: program @p(%x: f64[3]) { ;; retrun %x ;; }
# EXPECT: 2:1: no op is called retrun; did you mean return?
# MISTAKE: program @p(%x: f64[3]) { ;; return %x ;; } ;; extra
# EXPECT: 4:1: expected the end of the file, found extra
# MISTAKE: program @p(%x: f64[3]) { ;; return %x ;; } ;; program @q() { ;; }
# EXPECT: 4:1: expected the end of the file, found program
# MISTAKE: program @p(%x: f64[3]) { ;; yield %x ;; }
# EXPECT: 2:1: expected a node or return, found yield
