#!/usr/bin/env python3
"""A benchmark of emblem over 100,000 distinct images of up to 4 MP: rate, CPU time, memory.

A run over the first thousand images comes first, so that the two memory peaks can be compared.
See METHOD.md.
"""

import argparse
import multiprocessing
import os
import shlex
import subprocess
import sys
import tempfile

from Harness import many, records
from Harness.places import EMBLEM, scratch_place
from Harness.runs import written
from Harness.watch import watched

MEMORY_GOAL = 160


def make(folder, count):
    """Writes the images with two processes; returns the total number of bytes."""
    step = many.FOLDER_SIZE
    parts = [(folder, range(start, min(start + step, count))) for start in range(0, count, step)]
    with multiprocessing.Pool(2) as pool:
        return sum(pool.starmap(many.write, parts, chunksize=4))


def measure(folder, count, output, options):
    """Measures one run over the first `count` images."""
    sample = watched([
        EMBLEM, "batch", folder, "-o", output, "--limit", str(count), *options])
    if sample["status"] != 0:
        sys.exit(f"emblem ended with {sample['status']}:\n{sample['errors']}")
    del sample["errors"], sample["begin"]
    pictures, size = written(output)
    subprocess.run(["rm", "-rf", output], check=True)
    return sample | {
        "items": count, "pictures": pictures, "bytes": size,
        "rate": round(count / sample["seconds"], 1)}


def report(record):
    rows = [
        [f"{case['items']:,}", "", case["pictures"], f"{case['seconds']:.1f}", f"{case['rate']:.0f}",
         f"{1000 * case['cpu'] / case['items']:.2f}", case["peak_pss_mb"]]
        for case in record["cases"]]
    head = ["items", "", "pictures", "seconds", "items/s", "CPU ms/item", "peak PSS MB"]
    few, all_ = record["cases"]
    peak = all_["peak_pss_mb"]
    verdict = "reached" if peak <= MEMORY_GOAL else "missed"
    return (
        records.table(head, rows)
        + f"\n\n- All processes together: {peak} MB at most (goal: {MEMORY_GOAL}, {verdict}),"
        f" {peak / few['peak_pss_mb']:.2f} times that of the first {few['items']:,}.\n"
        f"- Sources: {record['source_bytes'] / 2**20:.0f} MB, made in"
        f" {record['source_seconds']:.0f} s, each {many.LARGE_EVERY}th of 4 MP, all distinct.\n")


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=100_000)
    options.add_argument(
        "--scratch", metavar="DIR", help="folder for a gigabyte of temporary files (default: in memory)")
    options.add_argument("--record", metavar="NAME", help="also write NAME.json and NAME.md")
    chosen = options.parse_args()
    record = records.beginning(shlex.join(["Benchmarks/many.py", "--count", str(chosen.count)]))
    flags = ["--layout", "large", "--jobs", "2", "--quiet"]
    record |= {"options": flags, "scratch": scratch_place(chosen.scratch)}
    with tempfile.TemporaryDirectory(
            prefix="emblem-many-", dir=record["scratch"]) as scratch:
        source, output = os.path.join(scratch, "in"), os.path.join(scratch, "out")
        begin = records.clock()
        record["source_bytes"] = make(source, chosen.count)
        record["source_seconds"] = round(records.clock() - begin, 1)
        record["cases"] = [
            measure(source, count, output, flags) for count in (1_000, chosen.count)]
    record["load_after"] = records.load()
    text = report(record)
    records.hand_over(chosen.record, record, text)


if __name__ == "__main__":
    main()
