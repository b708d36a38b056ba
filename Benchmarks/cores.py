#!/usr/bin/env python3
"""A comparison of one core, two cores, and two independent runs with one core each.

A round runs the work on core 0, on both cores, and twice at the same time on one core each. Every
second round runs in reverse order. The two runs show the limit of the machine. See METHOD.md.
"""

import argparse
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from Harness import records, workloads
from Harness.places import EMBLEM, provide_data, scratch_place

WORKS = ("logos", "by-pillow", "photos")
GOAL = 1.85


def command(work, output, cores, *options):
    return [
        "taskset", "-c", cores, EMBLEM, "batch", work.data, "-o", output, *work.facts["options"],
        *options, "--quiet"]


def timed(*commands):
    """Runs the commands at the same time; returns the seconds until all have ended.

    Removes the output folder of each command first.
    """
    for words in commands:
        shutil.rmtree(words[words.index("-o") + 1], ignore_errors=True)
    start = time.perf_counter()
    running = [subprocess.Popen(words) for words in commands]
    statuses = [process.wait() for process in running]
    if any(statuses):
        sys.exit(f"{shlex.join(commands[0])}\nended with {statuses}")
    return round(time.perf_counter() - start, 4)


def measure(work, rounds, scratch, *options):
    one, other = os.path.join(scratch, "one"), os.path.join(scratch, "other")
    ways = {
        "one core": lambda: timed(command(work, one, "0", *options)),
        "two cores": lambda: timed(command(work, one, "0,1", *options)),
        "two runs": lambda: timed(
            command(work, one, "0", *options), command(work, other, "1", *options)),
    }
    samples = {way: [] for way in ways}
    for turn in range(rounds + 1):
        for way in list(ways) if turn % 2 else list(reversed(ways)):
            seconds = ways[way]()
            if turn:
                samples[way].append(seconds)
    pairs = list(zip(*samples.values()))
    return {
        "items": len(work.files), "samples": samples,
        "ratio": round(statistics.median(one / two for one, two, _ in pairs), 3),
        "machine": round(statistics.median(2 * one / both for one, _, both in pairs), 3)}


def report(works):
    rows = [
        [name, mode, facts["items"],
         *(f"{statistics.median(facts['samples'][way]):.3f}" for way in facts["samples"]),
         f"{facts['ratio']:.2f}", f"{facts['machine']:.2f}",
         "reached" if facts["ratio"] >= GOAL else "missed"]
        for (name, mode), facts in works.items()]
    head = [
        "work", "decoding", "items", "one core s", "two cores s", "two runs s", "two / one",
        "two runs / one", f"goal {GOAL}"]
    raw = [
        f"- {name}, {mode}, {way}: {' '.join(format(sample, '.3f') for sample in samples)}"
        for (name, mode), facts in works.items() for way, samples in facts["samples"].items()]
    return "\n".join([
        records.table(head, rows), "", "Samples, seconds of the whole process:", "", *raw, ""])


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--work", default=",".join(WORKS))
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--scratch", metavar="DIR", help="folder for outputs (default: in memory)")
    options.add_argument("--record", metavar="NAME", help="also write NAME.json and NAME.md")
    chosen = options.parse_args()
    names = chosen.work.split(",")
    provide_data(*workloads.sets(names))
    record = records.beginning(shlex.join(
        ["Benchmarks/cores.py", "--work", chosen.work, "--rounds", str(chosen.rounds)]))
    record["scratch"] = scratch_place(chosen.scratch)
    progress = records.Progress(chosen.record, record)
    works = {}
    with tempfile.TemporaryDirectory(prefix="emblem-cores-", dir=record["scratch"]) as scratch:
        for name in names:
            work = workloads.Workload(name, False)
            for mode, words in (("isolated", []), ("in its own process", ["--sandbox", "none"])):
                works[name, mode] = progress.part(
                    f"{name}, {mode}",
                    lambda work=work, words=words: measure(work, chosen.rounds, scratch, *words))
    record |= {
        "works": {f"{name}, {mode}": facts for (name, mode), facts in works.items()},
        "load_after": records.load()}
    text = report(works)
    records.hand_over(chosen.record, record, text, progress)


if __name__ == "__main__":
    main()
