# SPDX-License-Identifier: Apache-2.0
"""The protocol of `emblem stream`: encoding of rows and decoding of answers."""

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

Record = dict[str, Any]

# The tool rejects a stream with a longer line.
LINE_LIMIT = 4 << 20
# Bounds of a nested value. The tool's limits are 64 levels and 100,000 values per row.
_DEPTH_LIMIT = 60
_ITEMS_LIMIT = 1_000
_ANNOUNCES_BYTES = re.compile(rb'"bytes"', re.IGNORECASE)


@dataclass(slots=True)
class Row:
    """One row, as it is sent to the tool."""

    number: int
    """The position in the partition or stream, from 0."""
    columns: bytes
    """The members of the JSON object, without braces and without `key` and `bytes`."""
    picture: bytes | None = None

    @property
    def size(self) -> int:
        """The approximate memory use, in bytes."""
        return len(self.columns) + len(self.picture or b"") + 200

    def frame(self) -> list[bytes]:
        """Returns the bytes for the tool's standard input, in pieces to avoid a copy."""
        members = [b'"key":%d' % self.number]
        if self.picture is not None:
            members.append(b'"bytes":%d' % len(self.picture))
        if self.columns:
            members.append(self.columns)
        head = b"{" + b",".join(members) + b"}\n"
        return [head] if self.picture is None else [head, self.picture, b"\n"]


@dataclass(slots=True)
class Answer:
    """The tool's answer to a row: its record, and the images in the order of its outputs."""

    number: int
    record: Record
    pictures: list[bytes]


class CutOffError(Exception):
    """The tool's output is truncated or malformed."""


def encode_columns(columns: Record) -> bytes:
    """Returns the columns of a row as members of a JSON object.

    Omits `key` and `bytes`, because the protocol uses these members.
    """
    members = {
        name: value for name, value in columns.items() if name.lower() not in ("key", "bytes")
    }
    # The tool ends the stream at a row that is not valid JSON and contains `"bytes"`. Escape the
    # word, so that only this row fails.
    return _ANNOUNCES_BYTES.sub(
        lambda found: b'"\\u%04x' % found[0][1] + found[0][2:], encode_row(members)[1:-1]
    )


def encode_row(columns: Record) -> bytes:
    """Returns a row as JSON in UTF-8 that the tool can parse; a lone surrogate becomes `?`."""
    members = {
        name: _bounded(value) if isinstance(value, dict | list | tuple) else value
        for name, value in columns.items()
    }
    text = json.dumps(members, default=_json_value, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "replace")


def _bounded(value: object) -> object:
    """Returns a nested value, or its text if it exceeds the tool's limits for JSON."""
    try:
        text = json.dumps(value, default=_json_value, allow_nan=False)
    except (ValueError, RecursionError):
        return f"a {type(value).__name__} that JSON cannot represent"
    is_small = text.count("[") + text.count("{") <= _DEPTH_LIMIT and text.count(",") <= _ITEMS_LIMIT
    return value if is_small else text


def _json_value(value: object) -> object:
    """Returns a JSON value for a value that `json` cannot encode: NumPy types or text."""
    if isinstance(value, bytes | bytearray | memoryview):
        raise TypeError("only the source of a row can be bytes")
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    plain = getattr(value, "tolist", None)
    return plain() if plain is not None else str(value)


def read_answers(stream: IO[bytes]) -> Iterator[Answer]:
    """Yields the answers of a stream until it ends.

    Raises `CutOffError` if the stream ends inside an answer or an answer is malformed.
    """
    while line := stream.readline():
        try:
            record: Record = json.loads(line)
            number = int(record.pop("key"))
            record.pop("beginning", None)
            sizes = [int(output["bytes"]) for output in record["outputs"]]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise CutOffError(f"not the record of a row: {line[:80]!r}") from error
        yield Answer(number, record, [_exactly(stream, size) for size in sizes])


def _exactly(stream: IO[bytes], size: int) -> bytes:
    picture = stream.read(size)
    if len(picture) < size:
        raise CutOffError(f"{size - len(picture)} bytes of an image are missing")
    return picture
