#!/usr/bin/env python3
"""A wrapper of the tool: the first process that finds the file `armed` waits, as a slow host does.

`EMBLEM_REAL` is the path of the tool, and `EMBLEM_SHIM_WAIT` the folder of the file.
"""

import contextlib
import os
import sys
import time
from pathlib import Path

# Longer than a speculative copy needs, even on a busy machine.
WAIT_SECONDS = 240

if __name__ == "__main__":
    folder = Path(os.environ["EMBLEM_SHIM_WAIT"])
    with contextlib.suppress(FileNotFoundError):
        (folder / "armed").rename(folder / "waited")
        time.sleep(WAIT_SECONDS)
    # The name tells the tests which processes are theirs.
    os.execv(os.environ["EMBLEM_REAL"], [f"{folder}/emblem", *sys.argv[1:]])
