# Three scalars, one dependent chain: the Lorenz system, a Runge-Kutta step of
# fourth order a trip.
size steps = 100

program @lorenz(%x0: f64[], %y0: f64[], %z0: f64[]) {
  %ten = constant 10 : f64[]
  %r = constant 28 : f64[]
  %b = constant 2.6666666666666665 : f64[]
  %two = constant 2 : f64[]
  %dt = constant 1e-05 : f64[]
  %half = constant 5e-06 : f64[]
  %sixth = constant 1.6666666666666669e-06 : f64[]
  %xn, %yn, %zn = scan length=steps, carry(%x = %x0, %y = %y0, %z = %z0) {
    # slope at the point
    %ax0 = sub %y, %x
    %ax = mul %ten, %ax0
    %ay0 = sub %r, %z
    %ay1 = mul %x, %ay0
    %ay = sub %ay1, %y
    %az0 = mul %x, %y
    %az1 = mul %b, %z
    %az = sub %az0, %az1
    # half a step on: slope there
    %hx0 = mul %half, %ax
    %hx = add %x, %hx0
    %hy0 = mul %half, %ay
    %hy = add %y, %hy0
    %hz0 = mul %half, %az
    %hz = add %z, %hz0
    %bx0 = sub %hy, %hx
    %bx = mul %ten, %bx0
    %by0 = sub %r, %hz
    %by1 = mul %hx, %by0
    %by = sub %by1, %hy
    %bz0 = mul %hx, %hy
    %bz1 = mul %b, %hz
    %bz = sub %bz0, %bz1
    # half a step on with that slope
    %ix0 = mul %half, %bx
    %ix = add %x, %ix0
    %iy0 = mul %half, %by
    %iy = add %y, %iy0
    %iz0 = mul %half, %bz
    %iz = add %z, %iz0
    %cx0 = sub %iy, %ix
    %cx = mul %ten, %cx0
    %cy0 = sub %r, %iz
    %cy1 = mul %ix, %cy0
    %cy = sub %cy1, %iy
    %cz0 = mul %ix, %iy
    %cz1 = mul %b, %iz
    %cz = sub %cz0, %cz1
    # a whole step on
    %jx0 = mul %dt, %cx
    %jx = add %x, %jx0
    %jy0 = mul %dt, %cy
    %jy = add %y, %jy0
    %jz0 = mul %dt, %cz
    %jz = add %z, %jz0
    %dx0 = sub %jy, %jx
    %dx = mul %ten, %dx0
    %dy0 = sub %r, %jz
    %dy1 = mul %jx, %dy0
    %dy = sub %dy1, %jy
    %dz0 = mul %jx, %jy
    %dz1 = mul %b, %jz
    %dz = sub %dz0, %dz1
    # the weighted mean of the four
    %mx0 = add %bx, %cx
    %mx1 = mul %two, %mx0
    %mx2 = add %ax, %mx1
    %mx3 = add %mx2, %dx
    %mx = mul %sixth, %mx3
    %nx = add %x, %mx
    %my0 = add %by, %cy
    %my1 = mul %two, %my0
    %my2 = add %ay, %my1
    %my3 = add %my2, %dy
    %my = mul %sixth, %my3
    %ny = add %y, %my
    %mz0 = add %bz, %cz
    %mz1 = mul %two, %mz0
    %mz2 = add %az, %mz1
    %mz3 = add %mz2, %dz
    %mz = mul %sixth, %mz3
    %nz = add %z, %mz
    yield carry(%nx, %ny, %nz)
  }
  return %xn, %yn, %zn
}
