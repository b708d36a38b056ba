# SPDX-License-Identifier: Apache-2.0
"""Conversion of keyword arguments to options of the tool's command line."""

import os
from collections.abc import Mapping, Sequence

Value = (
    str | int | float | bool | os.PathLike[str] | Sequence[str | int | float] | Mapping[str, str]
)

# The options that are repeated for each value. Other options take a list in one argument.
_REPEATED = {"header"}


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


def names_option(words: Sequence[str], flag: str) -> bool:
    """Returns whether command-line arguments contain an option, as `--name` or `--name=value`."""
    return any(word == flag or word.startswith(flag + "=") for word in words)
