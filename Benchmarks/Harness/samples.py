"""Samples of a program and its children by `perf`, each with its thread and its calls."""

import collections
import os
import re
import subprocess
import sys

RATE = 4_000
# The rate when each sample copies the stack.
UNWOUND_RATE = 1_500
Sample = collections.namedtuple("Sample", "thread process calls")


def call_name(line):
    """Returns the function in a line of `perf script`, or the library if the function has no symbol."""
    function, _, library = line.strip().partition(" ")[2].rpartition(" (")
    if function and function != "[unknown]":
        return function
    return f"[{os.path.basename(library.rstrip(')')).partition('.so')[0]}]"


def sampled(command, scratch, unwinds=False):
    """Runs a command; returns its process ID and all samples, with the innermost call first.

    Stacks are found by frame pointers, which system libraries lack. With `unwinds` they are unwound
    instead, which copies the stack for each sample.
    """
    data = os.path.join(scratch, "samples")
    process = subprocess.run(
        ["perf", "record", "-q", "-o", data, "-e", "cpu-clock", "-F",
         str(UNWOUND_RATE if unwinds else RATE), "--call-graph",
         "dwarf,65528" if unwinds else "fp", *command],
        capture_output=True, text=True)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}\nended with {process.returncode}:\n{process.stderr}")
    shown = subprocess.Popen(
        ["perf", "script", "--no-inline", "-i", data, "-F", "comm,pid,tid,ip,sym,dso"], stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True, errors="replace")
    found, head, calls, first = [], None, [], None
    for line in shown.stdout:
        if line[0].isspace() and line.strip():
            calls.append(call_name(line))
        elif not line.strip():
            if head:
                found.append(Sample(head[1], int(head[2]), calls))
            head, calls = None, []
        else:
            head = re.match(r"(.+?)\s+(\d+)/\d+", line)
            first = first or int(head[2])
    shown.wait()
    os.remove(data)
    return first, found
