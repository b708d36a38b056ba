# SPDX-License-Identifier: Apache-2.0
"""Unique names of the items in a part."""

import hashlib
import unicodedata
from collections import Counter
from collections.abc import Iterable

from ..frames import Record


def settle_names(records: Iterable[tuple[int, Record]]) -> dict[int, str]:
    """Returns a unique name for each row.

    A duplicate name gets eight digits of the hash of its source, and then a number if necessary.
    Names are compared after NFC and case folding.
    """
    wanted: dict[int, tuple[str, str]] = {}
    for number, record in records:
        name = str(record.get("name", record["id"]))
        wanted[number] = (name, record["source"])
    counts = Counter(_folded(name) for name, _ in wanted.values())
    taken = {folded for folded, count in counts.items() if count == 1}
    settled: dict[int, str] = {}
    for number, (name, source) in wanted.items():
        if counts[_folded(name)] > 1:
            name = f"{name}-{hashlib.sha256(source.encode()).hexdigest()[:8]}"
            name = _free(name, taken)
            taken.add(_folded(name))
        settled[number] = name
    return settled


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _free(name: str, taken: set[str]) -> str:
    if _folded(name) not in taken:
        return name
    number = 2
    while _folded(f"{name}-{number}") in taken:
        number += 1
    return f"{name}-{number}"
