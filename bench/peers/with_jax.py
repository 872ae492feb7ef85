"""The workloads in JAX, each in the forms that a user who cares would try."""
import os
import sys
import time

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
from jax import lax

import harness
import workloads

jax.config.update("jax_enable_x64", True)


def repeat(step, start, n, unroll=1):
    return lax.scan(lambda c, _: (step(c), None), start, length=n, unroll=unroll)[0]


def per_device(axis):
    """Turns a program of one device into one of all, with collectives over axis."""
    def over(program):
        return lambda s, *a: jax.vmap(lambda *mine: program(s, *mine), axis_name=axis)(*a)
    return over


def slope(x, y, z):
    return 10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z


def lorenz(unroll):
    def step(p, dt=1e-5):
        go = lambda k, h: [u + h * v for u, v in zip(p, k)]
        a = slope(*p)
        b = slope(*go(a, dt / 2))
        c = slope(*go(b, dt / 2))
        d = slope(*go(c, dt))
        return tuple(go([e + 2 * (f + g) + h for e, f, g, h in zip(a, b, c, d)], dt / 6))
    return lambda s, *p: repeat(step, p, s.steps, unroll)


def stacked(product, unroll):
    def run(s, A, x0):
        def step(x, _):
            x = product(A, x)
            return x, x
        return lax.scan(step, x0, length=s.steps, unroll=unroll)
    return run


def iir(unroll):
    def step(state, x):
        u, v = state
        out = 0.2 * x + u
        return (0.3 * x + 1.2 * out + v, 0.2 * x - 0.5 * out), out
    return lambda s, signal: (lax.scan(step, (0.0, 0.0), signal, unroll=unroll)[1],)


def kalman(dot, unroll):
    def run(s, zs, F, H, Q, R, x0, P0):
        def step(state, z):
            x, P = dot(F, state[0]), dot(dot(F, state[1]), F.T) + Q
            PH = dot(P, H.T)
            S = dot(H, PH) + R
            det = S[0, 0] * S[1, 1] - S[0, 1] * S[1, 0]
            inverse = jnp.array([[S[1, 1], -S[0, 1]], [-S[1, 0], S[0, 0]]]) / det
            K = dot(PH, inverse)
            x = x + dot(K, z - dot(H, x))
            return (x, P - dot(K, PH.T)), x
        (_, P), states = lax.scan(step, (x0, P0), zs, unroll=unroll)
        return P, states
    return run


def as_sums(a, b):
    """A product that XLA fuses into its neighbours, where a dot stands alone."""
    return (a * b).sum(-1) if b.ndim == 1 else (a[:, :, None] * b[None]).sum(1)


def rnn(s, xs, W, U, bias, h0):
    return lax.scan(lambda h, x: (jnp.tanh(x @ W + h @ U + bias), None), h0, xs)[:1]


def rnn_ahead(s, xs, W, U, bias, h0):
    """All the x W at once, before the loop."""
    return lax.scan(lambda h, p: (jnp.tanh(p + h @ U), None), h0, xs @ W + bias)[:1]


def gemm(s, A, Y0):
    return repeat(lambda Y: jnp.tanh(A @ Y), Y0, s.steps),


def chain(s, x0):
    step = lambda x: jnp.tanh(x) * jnp.exp(-(x * x)) + 0.5 * jnp.sin(x)
    return repeat(step, x0, s.steps),


def cheap(unroll):
    step = lambda x: (1.0001 * x + 0.3) * (x - 0.2) - x
    return lambda s, x0: (repeat(step, x0, s.steps, unroll),)


def train(average, d):
    """d: the label of a leading device dim, or nothing."""
    def step(state, samples):
        W, b, w, VW, Vb, Vw = state
        x, y = samples
        h = jnp.tanh(x @ W + b)
        off = h @ w - y
        loss = jnp.square(off).mean(-1) / 2
        e = off / x.shape[-2]
        back = e[..., None] * w * (1 - h * h)
        VW = 0.9 * VW + average(jnp.einsum(f"{d}si,{d}sh->{d}ih", x, back))
        Vb = 0.9 * Vb + average(back.sum(-2))
        Vw = 0.9 * Vw + average(jnp.einsum(f"{d}sh,{d}s->{d}h", h, e))
        return (W - 0.05 * VW, b - 0.05 * Vb, w - 0.05 * Vw, VW, Vb, Vw), average(loss)

    def run(s, X, t, *weights):
        still = [jnp.zeros_like(w) for w in weights]
        (W, b, w, *_), losses = lax.scan(step, (*weights, *still), (X, t))
        return W, b, w, losses
    return run


def sgd_vmap(s, *a):
    one = lambda *mine: train(lambda g: lax.pmean(g, "d"), "")(s, *mine)
    return jax.vmap(one, (1, 1, None, None, None), None, axis_name="d")(*a)


def sgd_merged(s, X, t, *weights):
    n = s.D * s.B
    return train(lambda g: g, "")(s, X.reshape(s.T, n, s.I), t.reshape(s.T, n), *weights)


def spread(left, u, right):
    return u + 0.25 * (left - 2 * u + right)


@per_device("blocks")
def ring_vmap(s, u0):
    east = [(i, (i + 1) % 8) for i in range(8)]
    west = [(i, (i - 1) % 8) for i in range(8)]

    def step(u):
        wide = jnp.concatenate([lax.ppermute(u[-1:], "blocks", east), u,
                                lax.ppermute(u[:1], "blocks", west)])
        return spread(wide[:-2], u, wide[2:])
    return repeat(step, u0, s.steps),


def ring_flat(s, u0):
    """One array around the ring."""
    step = lambda u: spread(jnp.roll(u, 1), u, jnp.roll(u, -1))
    return repeat(step, u0.reshape(-1), s.steps),


@per_device("d")
def allgather_vmap(s, W, x0):
    return repeat(lambda x: jnp.tanh(W @ lax.all_gather(x, "d", tiled=True)), x0, s.steps),


def allgather_flat(s, W, x0):
    W = W.reshape(x0.size, -1)
    return repeat(lambda x: jnp.tanh(W @ x), x0.reshape(-1), s.steps),


@per_device("d")
def seed_vmap(s, J, y0):
    return repeat(lambda y: y + lax.psum(1e-6 * (J @ y), "d"), y0, s.steps),


def seed_batch(s, J, y0):
    step = lambda y: y + (1e-6 * jnp.einsum("dmn,dni->dmi", J, y)).sum(0)
    return repeat(step, y0, s.steps),


def seed_merged(s, J, y0):
    """One wide matrix: the devices side by side."""
    J = jnp.moveaxis(J, 0, 1).reshape(s.m, -1)
    return repeat(lambda y: y + 1e-6 * (J @ y.reshape(-1, 1)), y0, s.steps),


def seed_hoisted(s, J, y0):
    """What Lockstep's hoist finds, by hand."""
    first, total = 1e-6 * (J @ y0).sum(0), 1e-6 * J.sum(0)
    return y0 + repeat(lambda c: c + (first + total @ c), 0 * first, s.steps),


FORMS = {
    "lorenz": dict(scan=lorenz(1), unrolled=lorenz(8)),
    "stacked": dict(dot=stacked(jnp.dot, 1), sums=stacked(as_sums, 1)),
    "iir": dict(scan=iir(1), unrolled=iir(8)),
    "kalman": dict(dot=kalman(jnp.dot, 1), sums=kalman(as_sums, 1),
                   unrolled=kalman(as_sums, 8)),
    "rnn": dict(scan=rnn, ahead=rnn_ahead),
    "gemm": dict(scan=gemm),
    "chain": dict(scan=chain),
    "cheap": dict(scan=cheap(1), unrolled=cheap(20)),
    "sgd": dict(vmap=sgd_vmap, batch=train(lambda g: g.mean(0), "d"), merged=sgd_merged),
    "ring": dict(vmap=ring_vmap, flat=ring_flat),
    "allgather": dict(vmap=allgather_vmap, flat=allgather_flat),
    "seed": dict(vmap=seed_vmap, batch=seed_batch, merged=seed_merged,
                 hoisted=seed_hoisted),
}


def prepare(form, s, arrays):
    arrays = [jax.device_put(a) for a in arrays]
    start = time.perf_counter()
    ready = jax.jit(lambda *a: form(s, *a)).lower(*arrays).compile()
    seconds = time.perf_counter() - start
    return seconds, lambda: jax.block_until_ready(ready(*arrays))


if __name__ == "__main__":
    harness.main("jax", FORMS[workloads.base(sys.argv[1])], prepare)
