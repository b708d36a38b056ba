#!/usr/bin/env python3
"""Stands before the tool and does what no picture may do to it: dies, hangs or babbles at a row.

A row says so in its `hint`; all others go through. `EMBLEM_REAL` is the tool. With
`EMBLEM_SHIM_WAIT`, a folder, the first process that finds `armed` there waits before it reads.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

# Longer than the speculative copy needs, even on a busy machine.
WAIT_SECONDS = 240


def main() -> int:
    real = os.environ["EMBLEM_REAL"]
    if sys.argv[1:2] != ["stream"]:
        os.execv(real, [real, *sys.argv[1:]])
    wait_once()
    tool = subprocess.Popen([real, *sys.argv[1:]], stdin=subprocess.PIPE)
    assert tool.stdin is not None
    for line in sys.stdin.buffer:
        row = json.loads(line) if line.strip() else {}
        deed = row.get("hint")
        # The stand-in of a row has no picture; only the picture itself kills.
        if deed == "dies always" or (deed == "dies here" and row.get("bytes") != 0):
            tool.kill()
            tool.wait()
            os.kill(os.getpid(), signal.SIGKILL)
        if deed == "hangs here":
            signal.pause()
        if deed == "babbles here":
            os.write(1, b"This is no record.\n")
        tool.stdin.write(line)
        if row.get("bytes") is not None:
            tool.stdin.write(sys.stdin.buffer.read(row["bytes"]))
        with contextlib.suppress(BrokenPipeError):
            tool.stdin.flush()
    tool.stdin.close()
    return tool.wait()


def wait_once() -> None:
    """Leaves a sign that a process began, and is slow if nobody was yet."""
    folder = os.environ.get("EMBLEM_SHIM_WAIT")
    if folder:
        Path(folder, f"begun-{os.getpid()}-{time.time_ns()}").touch()
        with contextlib.suppress(FileNotFoundError):
            Path(folder, "armed").rename(Path(folder, "waited"))
            time.sleep(WAIT_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
