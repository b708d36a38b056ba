#!/usr/bin/env python3
"""A wrapper of the tool that simulates faults: it crashes, hangs or writes garbage at a row.

The `hint` of a row selects the fault; other rows go to the tool. `EMBLEM_REAL` is the path of the
tool. `EMBLEM_SHIM_WAIT` is a folder; the first process that finds the file `armed` in it waits
before it reads rows.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

# Longer than a speculative copy needs, even on a busy machine.
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
        fault = row.get("hint")
        # The supervisor replaces a blamed row by an empty image, which must not crash.
        if fault == "dies always" or (fault == "dies here" and row.get("bytes") != 0):
            tool.kill()
            tool.wait()
            os.kill(os.getpid(), signal.SIGKILL)
        if fault == "hangs here":
            signal.pause()
        if fault == "writes garbage":
            os.write(1, b"This is not a record.\n")
        tool.stdin.write(line)
        if row.get("bytes") is not None:
            tool.stdin.write(sys.stdin.buffer.read(row["bytes"]))
        with contextlib.suppress(BrokenPipeError):
            tool.stdin.flush()
    tool.stdin.close()
    return tool.wait()


def wait_once() -> None:
    """Records the start of the process; the first process that finds `armed` waits."""
    folder = os.environ.get("EMBLEM_SHIM_WAIT")
    if folder:
        Path(folder, f"begun-{os.getpid()}-{time.time_ns()}").touch()
        with contextlib.suppress(FileNotFoundError):
            Path(folder, "armed").rename(Path(folder, "waited"))
            time.sleep(WAIT_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
