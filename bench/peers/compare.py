"""Times Lockstep, C by hand, JAX and NumPy on the workloads, one after another in
turns, and prints a table: our time, the machine's limit, each peer's time over ours.

    compare.py --tool LOCKSTEP --hand BINARY,... [--python PYTHON] [--rounds N]
               [--seconds S] [--json FILE] [WORKLOAD[:KEY=VALUE,...] ...]
"""
import argparse
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

import numpy as np

import workloads

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE.parent / "programs"
# OpenBLAS chooses for this machine by itself, for everybody.
PLAIN = {k: v for k, v in os.environ.items()
         if k not in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "XLA_FLAGS")}


def run(command):
    done = subprocess.run([str(word) for word in command], env=PLAIN,
                          capture_output=True, text=True)
    if done.returncode:
        print(f"compare: {command[0]}: {done.stderr.strip()[-500:]}", file=sys.stderr)
        return None
    return done.stdout


def lines(command):
    return [json.loads(line) for line in (run(command) or "").splitlines()]


def read(word):
    """seed:m=512,D=4 -> its name, its sizes."""
    name, _, changes = word.partition(":")
    if name not in workloads.SIZES:
        raise SystemExit(f"compare: no workload {name}; there are "
                         f"{', '.join(workloads.SIZES)}")
    pairs = [change.split("=") for change in changes.split(",") if change]
    return name, workloads.sizes(name, {k: int(v) for k, v in pairs})


def write_inputs(name, s, folder):
    arrays = workloads.inputs(name, s)
    for key, array in arrays.items():
        np.save(folder / f"{key}.npy", array)
    (folder / "inputs.json").write_text(json.dumps(list(arrays)))
    return arrays


def ours(args, name, s, arrays, folder, budget):
    """`lockstep bench`, and `lockstep run` for the results."""
    program = PROGRAMS / f"{name}.ls"
    text = program.read_text()
    known = re.findall(r"^size (\w+)", text, re.M)
    given = [program, *(f"{k}={folder}/{k}.npy" for k in arrays),
             *(f"--size={k}={v}" for k, v in vars(s).items() if k in known)]
    out = run([args.tool, "bench", *given, "--json", f"--repeat={budget}"])
    if out is None:
        return []
    bench = json.loads(out)
    results = folder / "ours"
    if not results.exists():
        run([args.tool, "run", *given, "-o", results])
        names = re.findall(r"%(\w+)", text.rpartition("return")[2])
        flat = [np.load(results / f"{n}.npy").astype("f8").ravel() for n in names]
        np.save(folder / "lockstep-ours.npy", np.concatenate(flat))
    return [dict(peer="lockstep", form="ours", run_s=bench["run"]["min_ms"] / 1e3,
                 compile_s=bench["compile"]["total_ms"] / 1e3, bench=bench)]


def measure(args, name, s):
    """The best of each peer's forms, by peer, over all rounds."""
    rows = {}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        arrays = write_inputs(name, s, folder)
        sizes = [f"{k}={v}" for k, v in vars(s).items()]
        common = [name, folder, args.seconds, *sizes]
        peers = [[binary, *common] for binary in args.hand]
        peers += [[args.python, HERE / f"with_{peer}.py", *common] for peer in args.with_]
        repeat = 5
        for _ in range(args.rounds):
            found = ours(args, name, s, arrays, folder, repeat)
            if found:
                repeat = max(3, min(1000, int(args.seconds / found[0]["run_s"])))
            for command in peers:
                found += lines(command)
            for row in found:
                key = row["peer"], row["form"]
                old = rows.get(key, row)
                rows[key] = row | {k: min(row[k], old[k]) for k in ("run_s", "compile_s")}
        results = {tuple(f.stem.rsplit("-", 1)): np.load(f) for f in folder.glob("*-*.npy")}
    mine = results.get(("lockstep", "ours"))
    for key, row in rows.items():
        theirs = results.get(key)
        if mine is not None and theirs is not None:
            row["differs"] = float(np.max(np.abs(mine - theirs)) / np.max(np.abs(mine)))
    return list(rows.values())


def best(rows, prefix):
    return min((r for r in rows if r["peer"].startswith(prefix)),
               key=lambda r: r["run_s"], default=None)


def line(name, s, rows, machine):
    us, n = best(rows, "lockstep"), workloads.steps(s)
    if us is None:
        return f"{name:<10} did not run", {}
    limit, binds = workloads.limit(name, s, machine)
    text = (f"{name:<10}{us['run_s'] / n * 1e6:>11.4g}{limit * 1e6:>11.4g} {binds:<8}"
            f"{limit * n / us['run_s']:>5.0%}")
    for peer in ("hand", "jax", "numpy"):
        row = best(rows, peer)
        text += f"{row['run_s'] / us['run_s']:>8.2f} {row['form']:<9}" if row else " " * 18
    jax = best(rows, "jax")
    compile_ = f"{us['compile_s'] * 1e3:.0f} / {jax['compile_s'] * 1e3:.0f}" if jax else \
        f"{us['compile_s'] * 1e3:.0f}"
    differs = max((r.get("differs", 0) for r in rows), default=0)
    entry = dict(workload=name, sizes=vars(s), steps=n, limit_s=limit * n, binds=binds,
                 rows=rows)
    return f"{text}{compile_:>10}  {differs:.0e}", entry


HEADER = f"""{'':<10}{'us a step':>11}{'limit':>11} {'binds':<8}{'of it':>5}\
{'by hand / ours':>18}{'JAX / ours':>18}{'NumPy / ours':>18}  compile ms  differ"""


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    p.add_argument("--tool", required=True)
    p.add_argument("--hand", required=True, type=lambda t: t.split(","))
    p.add_argument("--python", default=sys.executable, help="one that has JAX")
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--seconds", type=float, default=0.5, help="for each form and round")
    p.add_argument("--json", metavar="FILE")
    p.add_argument("--markdown", action="store_true")
    p.add_argument("workloads", nargs="*", metavar="WORKLOAD[:KEY=VALUE,...]")
    args = p.parse_args()
    has = lambda module: subprocess.run([args.python, "-c", f"import {module}"],
                                        capture_output=True).returncode == 0
    args.with_ = [peer for peer in ("jax", "numpy") if has(peer)]
    if "jax" not in args.with_:
        print("compare: no JAX; name a Python that has it in BENCH_PYTHON", file=sys.stderr)
    machine = lines([args.hand[0], "limits"])[0]
    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    print(f"# {cpu[1] if cpu else platform.machine()}, {machine['threads']} threads; "
          f"limits: {json.dumps(machine)}")
    print(HEADER)
    entries = []
    for word in args.workloads or workloads.SIZES:
        name, s = read(word)
        text, entry = line(name, s, measure(args, name, s), machine)
        entries.append(entry)
        print(text, flush=True)
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps(
            dict(machine=machine, cpu=cpu and cpu[1], workloads=entries), indent=1))


if __name__ == "__main__":
    main()
