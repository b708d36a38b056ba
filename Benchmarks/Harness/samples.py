"""Samples of a program and all its children by `perf`, each with its thread and its calls."""

import collections
import os
import re
import subprocess
import sys

RATE = 4_000
Sample = collections.namedtuple("Sample", "thread process calls")


def sampled(command, scratch):
    """Runs a command; the process that was started and every sample, the innermost call first."""
    data = os.path.join(scratch, "samples")
    done = subprocess.run(
        ["perf", "record", "-q", "-o", data, "-e", "cpu-clock", "-F", str(RATE), "-g", *command],
        capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\nended with {done.returncode}:\n{done.stderr}")
    shown = subprocess.Popen(
        ["perf", "script", "-i", data, "-F", "comm,pid,tid,ip,sym"], stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True, errors="replace")
    found, head, calls, first = [], None, [], None
    for line in shown.stdout:
        if line[0].isspace() and line.strip():
            calls.append(line.split(None, 1)[1].strip() if " " in line.strip() else "")
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
