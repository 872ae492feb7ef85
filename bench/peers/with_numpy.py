"""The workloads in NumPy: loops in Python around whole-array operations.
Loops over single numbers are not what NumPy is for: they have no form here."""
import sys

import numpy as np

import harness
import workloads


def stacked(s, A, x0):
    states = np.empty((s.steps, 3))
    x = x0
    for t in range(s.steps):
        states[t] = x = A @ x
    return x, states


def rnn(s, xs, W, U, bias, h):
    ahead = xs @ W + bias
    for p in ahead:
        h = np.tanh(p + h @ U)
    return h,


def gemm(s, A, Y):
    for _ in range(s.steps):
        Y = np.tanh(A @ Y)
    return Y,


def chain(s, x):
    half = x.dtype.type(0.5)
    for _ in range(s.steps):
        x = np.tanh(x) * np.exp(-x * x) + half * np.sin(x)
    return x,


def cheap(s, x):
    for _ in range(s.steps):
        y = x * 1.0001
        y += 0.3
        y *= x - 0.2
        x = np.subtract(y, x, out=y)
    return x,


def sgd(s, X, t, W, b, w):
    X, t = X.reshape(s.T, -1, s.I), t.reshape(s.T, -1)
    W, b, w, losses = W.copy(), b.copy(), w.copy(), np.empty(s.T, "f4")
    n, VW, Vb, Vw = X.shape[1], np.zeros_like(W), np.zeros_like(b), np.zeros_like(w)
    for i, (x, y) in enumerate(zip(X, t)):
        h = np.tanh(x @ W + b)
        off = h @ w - y
        losses[i] = off @ off / (2 * n)
        e = off / n
        back = np.outer(e, w) * (1 - h * h)
        VW = np.float32(0.9) * VW + x.T @ back
        Vb = np.float32(0.9) * Vb + back.sum(0)
        Vw = np.float32(0.9) * Vw + e @ h
        W -= np.float32(0.05) * VW
        b -= np.float32(0.05) * Vb
        w -= np.float32(0.05) * Vw
    return W, b, w, losses


def ring(s, u):
    shape, u = u.shape, u.reshape(-1)
    for _ in range(s.steps):
        u = u + 0.25 * (np.roll(u, 1) - 2 * u + np.roll(u, -1))
    return u.reshape(shape),


def allgather(s, W, x):
    W, x = W.reshape(x.size, -1), x.reshape(-1)
    for _ in range(s.steps):
        x = np.tanh(W @ x)
    return x,


def seed(s, J, y):
    for _ in range(s.steps):
        y = y + 1e-6 * (J @ y).sum(0)
    return y,


FORMS = {f.__name__: dict(loop=f)
         for f in (stacked, rnn, gemm, chain, cheap, sgd, ring, allgather, seed)}


def prepare(form, s, arrays):
    return 0, lambda: form(s, *arrays)


if __name__ == "__main__":
    harness.main("numpy", FORMS.get(workloads.base(sys.argv[1]), {}), prepare)
