# SPDX-License-Identifier: Apache-2.0
"""Functions that find the tool on this machine, and run it for its version or option check."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from .errors import ProgramNotFoundError, StreamFailedError

VARIABLE = "EMBLEM_PROGRAM"
# The possible paths of the tool after Spark has unpacked `--archives emblem.tar.gz#emblem`. The
# first is the path in the archive of `make dist`.
_UNPACKED = ("emblem/emblem-*/bin/emblem", "emblem/bin/emblem", "emblem/emblem", "emblem")
# The path of the tool in a folder where the wheel is installed.
_INSTALLED = "emblemkit/tool/bin/emblem"


def find_program(wanted: str | None = None, *, archives: Iterable[Path] = ()) -> str:
    """Returns the path of the tool.

    The order is `wanted`, `$EMBLEM_PROGRAM`, an archive `emblem` that is unpacked in one of the
    folders `archives`, the wheel, and the PATH. Raises `ProgramNotFoundError`, which lists the
    searched folders.
    """
    named = wanted or os.environ.get(VARIABLE)
    if named:
        if _is_program(Path(named)):
            return str(Path(named).absolute())
        raise ProgramNotFoundError(
            f"{named} is not an executable file on this machine; correct program= or {VARIABLE}"
        )
    folders = list(archives)
    for folder in folders:
        for pattern in _UNPACKED:
            for candidate in sorted(folder.glob(pattern)):
                if _is_program(candidate):
                    return str(candidate.absolute())
    # Not relative to this file: the copy of this package that Spark ships is in a zip file.
    for folder in map(Path, sys.path):
        candidate = folder / _INSTALLED
        if _is_program(candidate):
            return str(candidate.absolute())
    found = shutil.which("emblem")
    if found:
        return found
    searched = ", ".join([*map(str, folders), "the Python path", "the PATH"])
    raise ProgramNotFoundError(
        f"emblem was not found in {searched}; install the wheel of emblemkit, or give the path of "
        f"the tool with program= or {VARIABLE}"
    )


def _is_program(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def check_options(program: str, words: Sequence[str]) -> None:
    """Runs the tool without rows to check its options.

    Raises `StreamFailedError` with the tool's message if it rejects them.
    """
    process = subprocess.run(
        [program, "stream", *words], stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    if process.returncode != 0:
        raise StreamFailedError(process.stderr.decode(errors="replace").strip())


def tool_version(program: str) -> str:
    """Returns the name and version of the tool, as in `emblem 0.2.0`."""
    process = subprocess.run([program, "--version"], capture_output=True, check=True)
    return process.stdout.decode().strip()
