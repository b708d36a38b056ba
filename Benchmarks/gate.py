#!/usr/bin/env python3
"""A check that counts the cost of an item and compares it with committed limits, in less than two minutes.

Counts do not depend on other load of the machine: heap allocations and bytes, bytes written,
instructions (callgrind), and system calls about files (strace). The number of context switches
varies with the order of the threads, so it is the minimum of several runs on one core.

`--write` sets each limit a fifth above the count (bytes written a thirtieth, switches a half).
"""

import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

from Harness import many
from Harness.places import BUILT, HOME

LIMITS = os.path.join(HOME, "Benchmarks/Counts/limits.json")
FILE_CALLS = set(
    "openat close read pread64 write pwrite64 newfstatat fstat statx rename renameat renameat2 unlinkat"
    " linkat mkdirat lseek fsync fdatasync ftruncate getdents64 fcntl getpid".split())
SHARES = {"written_bytes_per_item": 1 / 30, "context_switches_per_item": 1 / 2}


def run(*command):
    process = subprocess.run(command, capture_output=True, text=True)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}\nended with {process.returncode}:\n{process.stderr}")
    return process


def rendering(built, work):
    """Returns the heap allocations and bytes of rendering alone, on one thread."""
    counts = json.loads(run(os.path.join(built, "emblem-counts"), work).stdout)
    return {name: value for name, value in counts.items() if name.endswith("_per_item")}


def thousand_instructions(program, work):
    process = run(
        "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--collect-atstart=no",
        "--toggle-collect=emb_counted", program, work)
    items = json.loads(process.stdout)["items"]
    return int(re.search(r"Collected : (\d+)", process.stderr).group(1)) // items // 1000


def batch(built, source, output, items, *options):
    return [
        os.path.join(built, "emblem"), "batch", source, "-o", output, "--limit", str(items),
        "--layout", "medium", "--jobs", "1", "--quiet", *options]


def file_calls(built, source, scratch, items):
    """Returns the number of system calls about files, which does not depend on thread timing."""
    table = os.path.join(scratch, "calls")
    run("strace", "-f", "-c", "-o", table,
        *batch(built, source, os.path.join(scratch, f"traced-{items}"), items, "--sandbox", "none"))
    with open(table, encoding="utf-8") as file:
        rows = [line.split() for line in file]
    return sum(int(row[3]) for row in rows if len(row) >= 5 and row[-1] in FILE_CALLS)


def switches(built, source, scratch, items):
    """Returns the voluntary context switches of all processes, the minimum of five runs."""
    found = []
    for _ in range(5):
        output = os.path.join(scratch, "switched")
        shutil.rmtree(output, ignore_errors=True)
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_nvcsw
        run("taskset", "-c", "0", *batch(built, source, output, items))
        found.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_nvcsw - before)
    return min(found)


def counted(built, limits):
    """Returns every count that has a limit, in the structure of the limits file."""
    found = {"render": {work: rendering(built, work) for work in limits["render"]}}
    with tempfile.TemporaryDirectory(prefix="emblem-gate-") as scratch:
        # This version of valgrind fails on Swift's debug information.
        program = os.path.join(scratch, "counts")
        run("strip", "-g", "-o", program, os.path.join(built, "emblem-counts"))
        found["thousand_instructions_per_item"] = {
            work: thousand_instructions(program, work)
            for work in limits["thousand_instructions_per_item"]}
        many.write(os.path.join(scratch, "in"), range(1_000, 1_420))
        source = os.path.join(scratch, "in", "001")
        few, more = (file_calls(built, source, scratch, items) for items in (4, 24))
        found["system_calls_per_item"] = (more - few) / 20
        few, more = (switches(built, source, scratch, items) for items in (20, 420))
        found["context_switches_per_item"] = (more - few) / 400
    return found


def flat(tree, path=()):
    """Yields the path and the number of each leaf."""
    for name, value in tree.items():
        if isinstance(value, dict):
            yield from flat(value, (*path, name))
        elif name != "about":
            yield (*path, name), value


def raised(found, name=""):
    if isinstance(found, dict):
        return {key: raised(value, key if "per_item" in key else name) for key, value in found.items()}
    most = found * (1 + SHARES.get(name, 1 / 5))
    return round(most, 1) if found < 10 else int(most) + 1


def main():
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--built", default=BUILT, help="folder of the programs")
    options.add_argument("--write", action="store_true", help="write new limits from the counts")
    chosen = options.parse_args()
    with open(LIMITS, encoding="utf-8") as file:
        limits = json.load(file)
    found = counted(chosen.built, limits)
    if chosen.write:
        with open(LIMITS, "w", encoding="utf-8") as file:
            json.dump({"about": limits["about"]} | raised(found), file, indent=2)
            file.write("\n")
        return
    values, over = dict(flat(found)), 0
    for path, most in flat(limits):
        value = values[path]
        # A count of zero means that the measurement failed.
        is_within = 0 < value <= most
        over += not is_within
        name = " ".join(path).replace("_per_item", "").replace("_", " ")
        print(f"{'   ' if is_within else '!! '}{name:44} {value:>12,} of {most:,}")
    if over:
        sys.exit(f"{over} counts exceed their limits in Benchmarks/Counts/limits.json")


if __name__ == "__main__":
    main()
