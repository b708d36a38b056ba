#!/usr/bin/env python3
"""Runs emblem and Pillow in turn over generated logos and photos and prints a table.

Both make 128-pixel rounded PNG files (layout large, scale 2) on a plain colour with two workers; time
is that of the whole process, from start to end. The table says medians, the samples stand below it.
"""

import argparse
import json
import os
import shutil
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


def once(command, output):
    shutil.rmtree(output, ignore_errors=True)
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\nended with {done.returncode}:\n{done.stderr}")
    return seconds, *written(output)


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
    samples = {}
    with tempfile.TemporaryDirectory(prefix="emblem-peers-") as scratch:
        for kind in ("logos", "photos"):
            source = os.path.join(chosen.data, kind)
            output = os.path.join(scratch, "out")
            tools = {
                "emblem": [
                    chosen.emblem, "batch", source, "-o", output, "--layout", "large",
                    "--scale", "2", "--jobs", "2", "--quiet",
                ],
                f"Pillow {version}": [
                    PYTHON, os.path.join(HOME, "Benchmarks/Peers/pillow.py"), source, output,
                ],
            }
            for turn in range(chosen.rounds + 1):
                # Each round begins with the other tool; round 0 only warms the disk's cache.
                names = list(tools) if turn % 2 else list(reversed(tools))
                for name in names:
                    sample = once(tools[name], output)
                    if turn > 0:
                        samples.setdefault(kind, {}).setdefault(name, []).append(sample)

    print(f"{'work':<8}{'tool':<16}{'items':>7}{'median s':>10}{'items/s':>10}{'KB out':>9}")
    for kind, tools in samples.items():
        for name, runs in tools.items():
            middle = statistics.median(run[0] for run in runs)
            items, size = runs[0][1], runs[0][2]
            print(
                f"{kind:<8}{name:<16}{items:>7}{middle:>10.3f}{items / middle:>10.1f}"
                f"{size / 1024:>9.0f}"
            )
        medians = [statistics.median(run[0] for run in runs) for runs in tools.values()]
        if len(medians) == 2:
            print(f"{kind:<8}emblem is {medians[1] / medians[0]:.2f} times as fast")
    print("\nsamples, seconds:")
    for kind, tools in samples.items():
        for name, runs in tools.items():
            print(f"  {kind} {name}: {' '.join(f'{run[0]:.3f}' for run in runs)}")
    if chosen.json:
        with open(chosen.json, "w", encoding="utf-8") as file:
            json.dump(samples, file, indent=2)


if __name__ == "__main__":
    main()
