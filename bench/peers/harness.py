"""What the Python peers share: NAME FOLDER SECONDS [KEY=VALUE ...] on the command
line; reads the arrays that FOLDER/inputs.json names, writes FOLDER/PEER-FORM.npy, prints
a line of JSON a form."""
import json
import sys
import time

import numpy as np

import workloads


def main(peer, forms, prepare):
    """prepare(form, sizes, arrays): seconds of compilation, a call to time."""
    name, folder, budget = sys.argv[1], sys.argv[2], float(sys.argv[3])
    changes = dict(word.split("=") for word in sys.argv[4:])
    s = workloads.sizes(name, {k: int(v) for k, v in changes.items()})
    with open(f"{folder}/inputs.json") as names:
        arrays = [np.load(f"{folder}/{k}.npy") for k in json.load(names)]
    for form, program in forms.items():
        compile_s, call = prepare(program, s, arrays)
        times, results, start = [], call(), time.perf_counter()
        while not times or time.perf_counter() - start < budget:
            begin = time.perf_counter()
            results = call()
            times.append(time.perf_counter() - begin)
        flat = np.concatenate([np.asarray(r, "f8").ravel() for r in results])
        np.save(f"{folder}/{peer}-{form}.npy", flat)
        print(json.dumps(dict(peer=peer, form=form, compile_s=compile_s,
                              run_s=min(times))), flush=True)
