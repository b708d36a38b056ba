#!/usr/bin/env python3
"""A comparison of runs that write to a disk with runs that write to memory.

A round runs the work into a new folder on each, and then again with other bytes for the same names.
Then a plain loop writes the files of the run to each with the same guarantees. Every second round
runs in reverse order. See METHOD.md.
"""

import argparse
import ctypes
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from Harness import records, workloads
from Harness.places import EMBLEM, provide_data

WORKS = ("logos", "photos", "layouts")
GOAL = 1.1
MEMORY = "/dev/shm"
# Gives each output other bytes under the same name.
OTHER_BYTES = ["--border", "1"]


def timed(body):
    """Returns the seconds that `body` takes when no earlier write is left to be done."""
    os.sync()
    start = records.clock()
    body()
    return round(records.clock() - start, 4)


def run(work, output, *options):
    subprocess.run(
        [EMBLEM, "batch", work.data, "-o", output, *work.facts["options"], *options, "--quiet"],
        check=True)


def outputs(folder):
    """Returns the contents of the outputs of a run, by path."""
    found = [path for path in Path(folder).rglob("*.*") if ".emblem" not in path.parts]
    return {path.relative_to(folder): path.read_bytes() for path in found if path.is_file()}


def write(files, folder):
    """Writes files under temporary names, renames them, and waits until all are on the disk."""
    temporary = os.path.join(folder, "new")
    for name in {os.path.dirname(path) for path in files}:
        os.makedirs(os.path.join(folder, name), exist_ok=True)
    for path, content in files.items():
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        os.write(descriptor, content)
        os.close(descriptor)
        os.rename(temporary, os.path.join(folder, path))
    descriptor = os.open(folder, os.O_RDONLY)
    if ctypes.CDLL(None).syncfs(descriptor):
        sys.exit(f"{folder} cannot be synced")
    os.close(descriptor)


def measure(work, rounds, places):
    steps = ("new files", "replaced files", "plain writer", "plain writer, replaced")
    samples = {step: {place: [] for place in places} for step in steps}
    for turn in range(rounds + 1):
        for place in list(places) if turn % 2 else list(reversed(places)):
            # Each turn has its own folder, which stays until the end: a disk can be slow for a
            # minute after files were removed.
            folder = os.path.join(places[place], f"{work.name}-{turn}")
            again = os.path.join(places[place], f"{work.name}-{turn}-plain")
            seconds = [
                timed(lambda: run(work, folder)),
                timed(lambda: run(work, folder, *OTHER_BYTES))]
            files = outputs(folder)
            seconds += [timed(lambda: write(files, again)), timed(lambda: write(files, again))]
            if turn:
                for step, taken in zip(steps, seconds):
                    samples[step][place].append(taken)
    return {
        "items": len(work.files), "samples": samples,
        "ratio": {
            step: round(statistics.median(
                disk / memory for disk, memory in zip(taken["disk"], taken["memory"])), 3)
            for step, taken in samples.items()}}


def report(works):
    rows, raw = [], []
    for name, facts in works.items():
        for step, samples in facts["samples"].items():
            memory, disk = (statistics.median(samples[place]) for place in ("memory", "disk"))
            ratio = facts["ratio"][step]
            goal = "" if "plain" in step else "reached" if ratio <= GOAL else "missed"
            rows.append([
                name, step, facts["items"], f"{memory:.3f}", f"{disk:.3f}", f"{ratio:.2f}", goal])
            raw += [
                f"- {name}, {step}, {place}: {' '.join(format(sample, '.3f') for sample in taken)}"
                for place, taken in samples.items()]
    head = ["work", "step", "items", "memory s", "disk s", "disk / memory", f"goal {GOAL}"]
    return "\n".join([
        records.table(head, rows), "", "Samples, seconds of the whole step:", "", *raw, ""])


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--work", default=",".join(WORKS))
    options.add_argument("--rounds", type=int, default=9)
    options.add_argument("--scratch", metavar="DIR", help="folder on the disk (default: temporary)")
    options.add_argument("--record", metavar="NAME", help="also write NAME.json and NAME.md")
    chosen = options.parse_args()
    names = chosen.work.split(",")
    provide_data(*workloads.sets(names))
    record = records.beginning(shlex.join(
        ["Benchmarks/disk.py", "--work", chosen.work, "--rounds", str(chosen.rounds)]))
    disk = os.path.abspath(chosen.scratch or tempfile.gettempdir())
    kind = subprocess.run(
        ["findmnt", "--noheadings", "--output", "FSTYPE", "--target", disk],
        capture_output=True, text=True, check=True)
    record["scratch"] = f"{MEMORY} and {disk} ({kind.stdout.strip()})"
    if os.stat(disk).st_dev == os.stat(MEMORY).st_dev:
        sys.exit(f"{disk} is in memory; give a folder on a disk with --scratch")
    progress = records.Progress(chosen.record, record)
    works = {}
    places = {
        place: tempfile.mkdtemp(prefix="emblem-disk-", dir=folder)
        for place, folder in (("memory", MEMORY), ("disk", disk))}
    try:
        for name in names:
            work = workloads.Workload(name, False)
            works[name] = progress.part(name, lambda work=work: measure(work, chosen.rounds, places))
    finally:
        for folder in places.values():
            shutil.rmtree(folder)
    record |= {"works": works, "load_after": records.load()}
    records.hand_over(chosen.record, record, report(works), progress)


if __name__ == "__main__":
    main()
