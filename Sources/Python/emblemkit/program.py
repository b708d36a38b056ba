# SPDX-License-Identifier: Apache-2.0
"""The place of the tool on this machine."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from .errors import ProgramNotFoundError, StreamFailedError

VARIABLE = "EMBLEM_PROGRAM"
# The possible paths of the tool after `--archives emblem.tar.gz#emblem` was unpacked. The first is
# that of the archive made by `make dist`.
_UNPACKED = ("emblem/emblem-*/bin/emblem", "emblem/bin/emblem", "emblem/emblem", "emblem")
# The path of the tool in a folder into which the wheel was installed.
_INSTALLED = "emblemkit/tool/bin/emblem"


def find_program(wanted: str | None = None, *, archives: Iterable[Path] = ()) -> str:
    """Returns the path of the tool: `wanted`, `$EMBLEM_PROGRAM`, an archive called `emblem` that
    was unpacked in one of the folders `archives`, the wheel, or the PATH, in this order.

    Throws `ProgramNotFoundError`, which names the places.
    """
    named = wanted or os.environ.get(VARIABLE)
    if named:
        if _is_program(Path(named)):
            return str(Path(named).absolute())
        raise ProgramNotFoundError(f"{named} is no program on this machine")
    folders = list(archives)
    for folder in folders:
        for pattern in _UNPACKED:
            for candidate in sorted(folder.glob(pattern)):
                if _is_program(candidate):
                    return str(candidate.absolute())
    # Not relative to this file, because a copy that Spark ships is in a zip file.
    for place in sys.path:
        candidate = Path(place, _INSTALLED)
        if _is_program(candidate):
            return str(candidate.absolute())
    found = shutil.which("emblem")
    if found:
        return found
    places = ", ".join([*map(str, folders), "the Python path", "the PATH"])
    raise ProgramNotFoundError(
        f"no program emblem in {places}; install the wheel of emblemkit, or name the program with "
        f"program= or {VARIABLE}"
    )


def _is_program(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def tool_environment() -> dict[str, str]:
    """Returns the environment for the tool, which warns about variables that are no options."""
    return {name: value for name, value in os.environ.items() if name != VARIABLE}


def check_options(program: str, words: Sequence[str]) -> None:
    """Lets the tool check its options without a row; throws `StreamFailedError` with its text."""
    done = subprocess.run(
        [program, "stream", *words], stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    if done.returncode != 0:
        raise StreamFailedError(done.stderr.decode(errors="replace").strip())


def tool_version(program: str) -> str:
    """Returns the name and version of the tool, as in `emblem 0.1.0`."""
    done = subprocess.run([program, "--version"], capture_output=True, check=True)
    return done.stdout.decode().strip()
