"""The workloads: sizes, inputs, and how fast the machine could do a step.

What a peer needs to agree with the others is here; each peer writes the step in
its own way.  Inputs are drawn so that no workload grows, dies out or amplifies
rounding: rotations, spectral radii just below 1, short times of chaos.
"""
import types

import numpy as np

SIZES = {
    "lorenz": dict(steps=1_000_000),
    "stacked": dict(steps=200_000),
    "iir": dict(T=1_000_000),
    "kalman": dict(T=100_000),
    "rnn": dict(T=2000, B=16, H=64),
    "gemm": dict(m=512, n=256, steps=200),
    "gemm32": dict(m=512, n=256, steps=200),
    "chain": dict(n=1_000_000, steps=50),
    "chain32": dict(n=1_000_000, steps=50),
    "cheap": dict(n=16_000_000, steps=20),
    "sgd": dict(T=1000, D=8, B=64, I=32, H=64),
    "ring": dict(n=4096, steps=10_000),
    "allgather": dict(D=8, m=256, steps=500),
    "seed": dict(D=8, m=128, steps=1000),
}


def base(name):
    """gemm32 is gemm in f32."""
    return name.removesuffix("32")


def dtype(name):
    return np.dtype("f4" if name.endswith("32") or name in ("rnn", "sgd") else "f8")


def sizes(name, changes):
    unknown = set(changes) - set(SIZES[name])
    if unknown:
        raise SystemExit(f"{name} has no size {unknown.pop()}; "
                         f"it has {', '.join(SIZES[name])}")
    return types.SimpleNamespace(**SIZES[name] | changes)


def steps(s):
    return s.steps if hasattr(s, "steps") else s.T


# -- inputs: in the order of the program's parameters -------------------------

def lorenz(s, draw):
    return dict(x0=np.float64(1), y0=np.float64(2), z0=np.float64(20))


def stacked(s, draw):
    """A turn by 0.3 about the axis (2, 1, 2) / 3, by Rodrigues' formula."""
    x, y, z = np.array([2, 1, 2]) / 3
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    turn = np.eye(3) + np.sin(0.3) * cross + (1 - np.cos(0.3)) * cross @ cross
    return dict(A=turn, x0=np.array([0.5, -1, 0.25]))


def iir(s, draw):
    return dict(signal=draw(1, s.T))


def kalman(s, draw):
    F = np.eye(4) + 0.1 * np.eye(4, k=2)
    return dict(zs=draw(1, s.T, 2), F=F, H=np.eye(2, 4), Q=0.01 * np.eye(4),
                R=0.5 * np.eye(2), x0=np.zeros(4), P0=np.eye(4))


def rnn(s, draw):
    return dict(xs=draw(1, s.T, s.B, s.H), W=draw(0.2, s.H, s.H),
                U=draw(0.2, s.H, s.H), bias=draw(0.1, s.H),
                h0=np.zeros((s.B, s.H), "f4"))


def gemm(s, draw):
    return dict(A=draw(0.95 * (3 / s.m) ** 0.5, s.m, s.m), Y0=draw(1, s.m, s.n))


def chain(s, draw):
    return dict(x0=draw(2, s.n))


def cheap(s, draw):
    return dict(x0=0.5 + draw(0.5, s.n))


def sgd(s, draw):
    X = draw(1, s.T, s.D, s.B, s.I)
    return dict(X=X, t=X[..., 0] * X[..., 1], W0=draw(0.3, s.I, s.H),
                b0=np.zeros(s.H, "f4"), w0=draw(0.3, s.H))


def ring(s, draw):
    return dict(u0=0.5 + draw(0.5, 8, s.n))


def allgather(s, draw):
    n = s.D * s.m
    return dict(W=draw(0.98 * (3 / n) ** 0.5, s.D, s.m, n), x0=draw(1, s.D, s.m))


def seed(s, draw):
    J = draw(0.01, s.D, s.m, s.m) + np.eye(s.m)
    return dict(J=J, y0=0.5 + draw(0.5, s.D, s.m, 1))


def inputs(name, s):
    random, kind = np.random.default_rng(0), dtype(name)
    draw = lambda most, *shape: random.uniform(-most, most, shape).astype(kind)
    return globals()[base(name)](s, draw)


# -- the limit of one step, in seconds, and what binds it -----------------------
# m is what by_hand/limits measured: peaks and bandwidths for one thread and for
# all, latencies and functions in ns.  A step may take one thread or all.

def limit(name, s, m):
    size = dtype(name).itemsize
    work = dict(flops=0, bytes=0, holds=0, functions={}, chain=0)
    work |= globals()[f"{base(name)}_work"](s, m["latency_ns"], size)
    kind = "f64" if size == 8 else "f32"

    def at(t):
        compute = work["flops"] / (m[f"fma_{kind}_gflops"][t] * 1e9)
        compute += sum(n * m["function_ns"][f"{f}_{kind}"][t] * 1e-9
                       for f, n in work["functions"].items())
        level = next((k for k in ("l1", "l2", "l3") if work["holds"] <=
                      m["cache_bytes"][k] * (m["threads"] if t and k != "l3" else 1)),
                     "memory")
        move = work["bytes"] / (m["read_gbps"][level][t] * 1e9)
        chain = work["chain"] * 1e-9
        meet = m["barrier_ns"] * 1e-9 * work.get("meets", 1) if t else 0
        return max((compute + meet, "compute"), (move + meet, level),
                   (chain, "latency"))

    return min(at(0), at(1))


def lorenz_work(s, ns, size):
    # Four slopes and three points on the way to the next one, and two more.
    return dict(flops=68, chain=5 * ns["add"] + 8 * ns["fma"])


def stacked_work(s, ns, size):
    return dict(flops=15, bytes=24, holds=24 * s.steps, chain=2 * ns["mul"] + ns["add"])


def iir_work(s, ns, size):
    return dict(flops=9, bytes=16, holds=16 * s.T, chain=ns["fma"])


def kalman_work(s, ns, size):
    product = ns["mul"] + ns["fma"] + ns["add"]
    inverse = 2 * ns["fma"] + ns["div"] + ns["mul"]
    return dict(flops=480, bytes=48, holds=48 * s.T,
                chain=4 * product + 2 * ns["add"] + inverse + 2 * ns["fma"])


def rnn_work(s, ns, size):
    return dict(flops=4 * s.B * s.H**2, functions=dict(tanh=s.B * s.H), meets=0,
                bytes=size * s.B * s.H, holds=size * s.T * s.B * s.H)


def gemm_work(s, ns, size):
    return dict(flops=2 * s.m**2 * s.n, functions=dict(tanh=s.m * s.n), meets=0)


def chain_work(s, ns, size):
    return dict(functions=dict(tanh=s.n, exp=s.n, sin=s.n), meets=0,
                bytes=2 * size * s.n / s.steps, holds=size * s.n)


def cheap_work(s, ns, size):
    return dict(flops=5 * s.n, bytes=2 * size * s.n / s.steps, holds=size * s.n, meets=0)


def sgd_work(s, ns, size):
    n = s.D * s.B
    return dict(flops=4 * n * s.I * s.H + 10 * n * s.H, functions=dict(tanh=n * s.H),
                bytes=size * n * s.I, holds=size * s.T * n * s.I)


def ring_work(s, ns, size):
    return dict(flops=4 * 8 * s.n, bytes=2 * size * 8 * s.n, holds=size * 8 * s.n)


def allgather_work(s, ns, size):
    n = s.D * s.m
    return dict(flops=2 * n**2, bytes=size * n**2, holds=size * n**2,
                functions=dict(tanh=n))


def seed_work(s, ns, size):
    """One matrix, the sum over the devices: nobody has to read more a step.
    The set-up reads all of them once."""
    once = size * s.D * s.m**2 / s.steps
    return dict(flops=2 * s.m**2, bytes=size * s.m**2 + once, holds=size * s.m**2)
