#!/usr/bin/env python3
"""Runs emblem and Pillow in turn over generated logos and photos and prints a table.

Both make 128-pixel rounded PNG files (layout large, scale 2) on the theme's colour with two workers;
time is that of the whole process, from start to end. The table says medians, the samples stand below
it. CPU is user and system time of the process and its workers.
"""

import argparse
import datetime
import hashlib
import json
import os
import platform
import shutil
import resource
import statistics
import subprocess
import sys
import tempfile
import time

HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PEERS = os.path.join(HOME, ".build", "peers")
PYTHON = os.path.join(PEERS, "bin", "python")


def provide():
    """A private environment with Pillow, made once."""
    if not os.path.exists(PYTHON):
        subprocess.run([sys.executable, "-m", "venv", PEERS], check=True)
    known = subprocess.run([PYTHON, "-c", "import PIL"], stderr=subprocess.DEVNULL)
    if known.returncode != 0:
        subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", "Pillow"], check=True)
    answer = subprocess.run(
        [PYTHON, "-c", "import PIL; print(PIL.__version__)"],
        check=True, capture_output=True, text=True,
    )
    return answer.stdout.strip()


def written(folder):
    total = count = 0
    for path, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if name.endswith(".png"):
                total += os.path.getsize(os.path.join(path, name))
                count += 1
    return count, total


def background(emblem):
    """The colour that emblem lays under a picture, so that both lay the same."""
    shown = subprocess.run(
        [emblem, "theme", "show", "--json"], check=True, capture_output=True, text=True)
    return json.loads(shown.stdout)["light"]["theme.color.emblem.brand.background"]


def digest(folder):
    """One number for the names and bytes of all inputs."""
    total = hashlib.sha256()
    for path, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            with open(os.path.join(path, name), "rb") as file:
                content = hashlib.sha256(file.read()).hexdigest()
            place = os.path.relpath(os.path.join(path, name), folder)
            total.update(f"{place} {content}\n".encode())
    return total.hexdigest()


def machine():
    model = platform.machine()
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    return {
        "processor": model, "cores": os.cpu_count(), "system": platform.platform(),
        "load": os.getloadavg(),
    }


def revision():
    answer = subprocess.run(
        ["git", "-C", HOME, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return answer.stdout.strip()


def once(command, output):
    """Runs a command into an empty folder: what it took and what it wrote."""
    shutil.rmtree(output, ignore_errors=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\nended with {done.returncode}:\n{done.stderr}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    items, size = written(output)
    return {"seconds": round(seconds, 4), "cpu": round(cpu, 4), "items": items, "bytes": size}


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--data", default=os.path.join(HOME, "Datasets/generated/bench"))
    options.add_argument("--emblem", default=os.path.join(HOME, ".build/release/emblem"))
    options.add_argument("--generator", default=os.path.join(HOME, ".build/release/emblem-dataset"))
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--json", help="also write the samples to this file")
    chosen = options.parse_args()

    version = provide()
    subprocess.run([chosen.generator, "--preset", "bench", "-o", chosen.data], check=True)
    color = background(chosen.emblem)
    load = os.getloadavg()
    samples = {}
    inputs = {}
    with tempfile.TemporaryDirectory(prefix="emblem-peers-") as scratch:
        for kind in ("logos", "photos"):
            source = os.path.join(chosen.data, kind)
            inputs[kind] = digest(source)
            output = os.path.join(scratch, "out")
            tools = {
                "emblem": [
                    chosen.emblem, "batch", source, "-o", output, "--layout", "large",
                    "--scale", "2", "--jobs", "2", "--quiet",
                ],
                f"Pillow {version}": [
                    PYTHON, os.path.join(HOME, "Benchmarks/Peers/pillow.py"), source, output,
                    "--background", color,
                ],
            }
            for turn in range(chosen.rounds + 1):
                # Each round begins with the other tool; round 0 only warms the disk's cache.
                names = list(tools) if turn % 2 else list(reversed(tools))
                for name in names:
                    sample = once(tools[name], output)
                    if turn > 0:
                        samples.setdefault(kind, {}).setdefault(name, []).append(sample)

    report(samples)
    if chosen.json:
        record = {
            "date": datetime.date.today().isoformat(),
            "machine": machine() | {"load_before": load},
            "revision": revision(),
            "command": " ".join(["Benchmarks/compare-pillow.py", f"--rounds {chosen.rounds}"]),
            "pillow": version,
            "inputs_sha256": inputs,
            "samples": samples,
        }
        with open(chosen.json, "w", encoding="utf-8") as file:
            json.dump(record, file, indent=2)
            file.write("\n")


def median(runs, field):
    return statistics.median(run[field] for run in runs)


def report(samples):
    print(
        f"{'work':<8}{'tool':<16}{'items':>7}{'median s':>10}{'items/s':>10}{'CPU s':>8}"
        f"{'KB out':>9}")
    for kind, tools in samples.items():
        for name, runs in tools.items():
            middle = median(runs, "seconds")
            items = runs[0]["items"]
            print(
                f"{kind:<8}{name:<16}{items:>7}{middle:>10.3f}{items / middle:>10.1f}"
                f"{median(runs, 'cpu'):>8.2f}{runs[0]['bytes'] / 1024:>9.0f}"
            )
        ours = tools["emblem"]
        theirs = next(runs for name, runs in tools.items() if name != "emblem")
        pairs = [their["seconds"] / our["seconds"] for our, their in zip(ours, theirs)]
        share = median(theirs, "cpu") / median(ours, "cpu")
        print(
            f"{kind:<8}emblem is {statistics.median(pairs):.2f} times as fast "
            f"(median of {len(pairs)} pairs, {min(pairs):.2f} to {max(pairs):.2f}), "
            f"for 1/{share:.2f} of the CPU time"
        )
    print("\nsamples, seconds:")
    for kind, tools in samples.items():
        for name, runs in tools.items():
            print(f"  {kind} {name}: {' '.join(format(run['seconds'], '.3f') for run in runs)}")


if __name__ == "__main__":
    main()
