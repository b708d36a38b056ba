# SPDX-License-Identifier: Apache-2.0
"""Where the tool is on the machine that asks."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from pyspark import SparkFiles

from .errors import ProgramNotFoundError, StreamFailedError

VARIABLE = "EMBLEM_PROGRAM"
# The possible paths of the tool after `--archives emblem.tar.gz#emblem` was unpacked. The first is
# that of the archive made by `make dist`.
_UNPACKED = ("emblem/emblem-*/bin/emblem", "emblem/bin/emblem", "emblem/emblem", "emblem")


def find_program(wanted: str | None = None) -> str:
    """The executable: the one that is named, `$EMBLEM_PROGRAM`, one unpacked from an archive
    called `emblem`, or one on the PATH, in this order.

    Throws `ProgramNotFoundError`, which names the places.
    """
    named = wanted or os.environ.get(VARIABLE)
    if named:
        if os.access(named, os.X_OK) and Path(named).is_file():
            return str(Path(named).absolute())
        raise ProgramNotFoundError(f"{named} is no program on this machine")
    folders = [Path.cwd(), *_spark_folder()]
    for folder in folders:
        for pattern in _UNPACKED:
            for candidate in sorted(folder.glob(pattern)):
                if candidate.is_file() and os.access(candidate, os.X_OK):
                    return str(candidate.absolute())
    found = shutil.which("emblem")
    if found:
        return found
    places = ", ".join(str(folder) for folder in folders)
    raise ProgramNotFoundError(
        f"there is no emblem below {places} nor on the PATH; name it with program=, {VARIABLE}, "
        "or send it along with --archives emblem.tar.gz#emblem"
    )


def _spark_folder() -> list[Path]:
    """Where Spark unpacks archives; there is none outside of Spark."""
    try:
        return [Path(SparkFiles.getRootDirectory())]
    except (AssertionError, AttributeError):
        return []


def check_options(program: str, words: Sequence[str]) -> None:
    """Has the tool look at its options without a row; throws what it says against them."""
    done = subprocess.run(
        [program, "stream", *words], stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    if done.returncode != 0:
        raise StreamFailedError(done.stderr.decode(errors="replace").strip())


def tool_version(program: str) -> str:
    """What the tool calls itself, as `emblem 0.1.0`."""
    done = subprocess.run([program, "--version"], capture_output=True, check=True)
    return done.stdout.decode().strip()
