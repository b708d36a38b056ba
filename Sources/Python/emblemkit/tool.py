# SPDX-License-Identifier: Apache-2.0
"""Functions that find the tool and convert keyword arguments to options of its command line."""

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from .errors import ProgramNotFoundError

Value = (
    str | int | float | bool | os.PathLike[str] | Sequence[str | int | float] | Mapping[str, str]
)

VARIABLE = "EMBLEM_PROGRAM"
_IN_WHEEL = Path(__file__).with_name("tool") / "bin/emblem"
# The options that are repeated for each value. Other options take a list in one argument.
_REPEATED = {"header"}
_MESSAGE_BYTES = 64 << 10


def find_program(wanted: str | None = None) -> str:
    """Returns the path of the tool: `wanted`, `$EMBLEM_PROGRAM`, that of the wheel, or of the PATH.

    Raises `ProgramNotFoundError` if it does not exist.
    """
    named = wanted or os.environ.get(VARIABLE)
    if named:
        if os.access(named, os.X_OK) and Path(named).is_file():
            return str(Path(named).absolute())
        raise ProgramNotFoundError(
            f"{named} is not an executable file on this machine; correct program= or {VARIABLE}"
        )
    found = str(_IN_WHEEL) if os.access(_IN_WHEEL, os.X_OK) else shutil.which("emblem")
    if found is None:
        raise ProgramNotFoundError(
            "emblem was not found in this package or on the PATH; install the wheel of emblemkit, "
            f"or give the path of the tool with program= or {VARIABLE}"
        )
    return found


def flags(options: Mapping[str, Value | None]) -> list[str]:
    """Returns `layout=["small"], allow_private=True` as `--layout small --allow-private`.

    Underscores become dashes, a mapping becomes `name=value,…`, and `None` and `False` omit the
    option. The tool checks the names and values of the options.
    """
    arguments: list[str] = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            arguments.append(flag)
        elif isinstance(value, str | int | float | os.PathLike):
            arguments += _option(flag, value)
        elif isinstance(value, Mapping):
            arguments += _option(flag, ",".join(f"{key}={text}" for key, text in value.items()))
        elif name in _REPEATED:
            for item in value:
                arguments += _option(flag, item)
        else:
            arguments += _option(flag, ",".join(str(item) for item in value))
    return arguments


def _option(flag: str, value: object) -> list[str]:
    text = os.fspath(value) if isinstance(value, os.PathLike) else str(value)
    # The tool would read a value that starts with a dash as the next option.
    return [f"{flag}={text}"] if text.startswith("-") else [flag, text]


def last_text(messages: IO[bytes]) -> str:
    """Returns the end of what the tool wrote to standard error."""
    size = messages.seek(0, os.SEEK_END)
    messages.seek(max(0, size - _MESSAGE_BYTES))
    return messages.read().decode(errors="replace").strip()
