# SPDX-License-Identifier: Apache-2.0
"""The tool's options, given as keywords of Python or as words of its command line."""

from collections.abc import Mapping, Sequence

Value = str | int | float | bool | Sequence[str | int | float]

# Options that are repeated for each value; all others take a list in one argument.
_REPEATED = {"header"}


def flags(options: Mapping[str, Value | None]) -> list[str]:
    """`layout=["small"], allow_private=True` as `--layout small --allow-private`.

    Underscores stand for dashes, `False` is `--no-…`, `None` leaves an option out. Whether an
    option exists and what it takes is the tool's to say.
    """
    words: list[str] = []
    for name, value in options.items():
        flag = name.replace("_", "-")
        if value is None:
            continue
        if isinstance(value, bool):
            words.append(f"--{flag}" if value else f"--no-{flag}")
        elif isinstance(value, str | int | float):
            words += [f"--{flag}", str(value)]
        elif name in _REPEATED:
            for one in value:
                words += [f"--{flag}", str(one)]
        else:
            words += [f"--{flag}", ",".join(str(one) for one in value)]
    return words


def names_option(words: Sequence[str], flag: str) -> bool:
    """Whether the words of a command line hold an option, in either way of writing it."""
    return any(word == flag or word.startswith(flag + "=") for word in words)
