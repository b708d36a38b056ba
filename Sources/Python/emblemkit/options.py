# SPDX-License-Identifier: Apache-2.0
"""The tool's options, given as keywords of Python or as words of its command line."""

import os
from collections.abc import Mapping, Sequence

Value = (
    str | int | float | bool | os.PathLike[str] | Sequence[str | int | float] | Mapping[str, str]
)

# Options that are repeated for each value; all others take a list in one argument.
_REPEATED = {"header"}


def flags(options: Mapping[str, Value | None]) -> list[str]:
    """Returns `layout=["small"], allow_private=True` as `--layout small --allow-private`.

    Underscores become dashes, `False` becomes `--no-…`, a mapping `name=value,…`, and `None` leaves
    an option out. The tool decides whether an option exists and which values it takes.
    """
    words: list[str] = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is None:
            continue
        if isinstance(value, bool):
            words.append(flag if value else f"--no-{flag[2:]}")
        elif isinstance(value, str | int | float | os.PathLike):
            words += _option(flag, value)
        elif isinstance(value, Mapping):
            words += _option(flag, ",".join(f"{ours}={theirs}" for ours, theirs in value.items()))
        elif name in _REPEATED:
            for one in value:
                words += _option(flag, one)
        else:
            words += _option(flag, ",".join(str(one) for one in value))
    return words


def _option(flag: str, value: object) -> list[str]:
    text = os.fspath(value) if isinstance(value, os.PathLike) else str(value)
    # The tool would take a value with a dash for the next option.
    return [f"{flag}={text}"] if text.startswith("-") else [flag, text]


def names_option(words: Sequence[str], flag: str) -> bool:
    """Whether the words of a command line hold an option, in either way of writing it."""
    return any(word == flag or word.startswith(flag + "=") for word in words)
