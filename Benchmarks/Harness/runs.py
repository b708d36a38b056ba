"""Measurement of one run of a program, and digests of its inputs and outputs."""

import hashlib
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time

PICTURES = (".png", ".webp", ".jpg", ".avif")


def written(folder):
    """Returns the number of images below a folder, and their bytes; skips dot folders."""
    count = total = 0
    for path, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if name.endswith(PICTURES):
                total += os.path.getsize(os.path.join(path, name))
                count += 1
    return count, total


def once(command, output, environment=None, keeps=False, accepts=(0,)):
    """Runs a command and returns its times and the size of its output.

    Removes the output folder first, unless `keeps` is set. CPU time is user and system time of the
    process and of the children that it waited for.
    """
    if not keeps:
        shutil.rmtree(output, ignore_errors=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    process = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=os.environ | (environment or {}))
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode not in accepts:
        sys.exit(f"{' '.join(command)}\nended with {process.returncode}:\n{process.stderr}")
    user, system = after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime
    pictures, size = written(output)
    return {
        "seconds": round(seconds, 4), "user": round(user, 4), "system": round(system, 4),
        "cpu": round(user + system, 4), "exit_code": process.returncode, "pictures": pictures,
        "bytes": size,
    }


def run_facts(output):
    """Returns facts of emblem's run record (items, latencies, versions), and a digest of its outputs."""
    with open(os.path.join(output, "run.json"), encoding="utf-8") as file:
        run = json.load(file)
    digest = hashlib.sha256()
    with open(os.path.join(output, "manifest.ndjson"), encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            for made in record["outputs"] if record["type"] == "item" else []:
                digest.update(f"{made['sha256']}  {made['path']}\n".encode())
    names = ("items", "ok", "outputs", "stages", "versions", "kernels", "sandbox")
    return {name: run[name] for name in names} | {"outputs_sha256": digest.hexdigest()}


def median(samples, field):
    return statistics.median(sample[field] for sample in samples)


def hyperfine(command, samples, parameters):
    """Returns the samples of one case in the format of hyperfine's JSON."""
    times = [sample["seconds"] for sample in samples]
    return {
        "command": command,
        "mean": round(statistics.mean(times), 6),
        "stddev": round(statistics.stdev(times), 6) if len(times) > 1 else 0,
        "median": round(statistics.median(times), 6),
        "user": round(statistics.mean(sample["user"] for sample in samples), 6),
        "system": round(statistics.mean(sample["system"] for sample in samples), 6),
        "min": min(times),
        "max": max(times),
        "times": times,
        "exit_codes": [sample["exit_code"] for sample in samples],
        "parameters": parameters,
    }


def folder_digest(*folders):
    """Returns a digest of the names and bytes of all files in the folders."""
    total = hashlib.sha256()
    for folder in folders:
        for path, below, names in os.walk(folder):
            below.sort()
            for name in sorted(names):
                whole = os.path.join(path, name)
                with open(whole, "rb") as file:
                    content = hashlib.sha256(file.read()).hexdigest()
                total.update(f"{os.path.relpath(whole, folder)} {content}\n".encode())
    return total.hexdigest()


def text_digest(text):
    return hashlib.sha256(text.encode()).hexdigest()
