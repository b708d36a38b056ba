# SPDX-License-Identifier: Apache-2.0
"""Rows and answers as they stand on the pipes of `emblem stream`."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

Record = dict[str, Any]

# The tool rejects a stream with a longer line.
LINE_LIMIT = 4 << 20


@dataclass(slots=True)
class Row:
    """One row: its number among those of the partition, and what the tool is told of it."""

    number: int
    columns: bytes
    """Members of the JSON object, without braces and without `key` and `bytes`."""
    picture: bytes | None = None

    @property
    def size(self) -> int:
        """What it takes in memory, about."""
        return len(self.columns) + len(self.picture or b"") + 200

    def frame(self) -> list[bytes]:
        """The bytes for the tool's standard input, in pieces that are not copied."""
        members = [b'"key":%d' % self.number]
        if self.picture is not None:
            members.append(b'"bytes":%d' % len(self.picture))
        if self.columns:
            members.append(self.columns)
        head = b"{" + b",".join(members) + b"}\n"
        return [head] if self.picture is None else [head, self.picture, b"\n"]


@dataclass(slots=True)
class Answer:
    """What came of a row: the tool's record, and the pictures in the order of its outputs."""

    number: int
    record: Record
    pictures: list[bytes]


class CutOffError(Exception):
    """The tool's answers end in the middle of one, or are none."""


def encode_columns(columns: Record) -> bytes:
    """A row's columns as members of a JSON object; what JSON lacks becomes text or null."""
    text = json.dumps(columns, default=str, separators=(",", ":"), allow_nan=False)
    return text[1:-1].encode("ascii")


def read_answers(stream: IO[bytes]) -> Iterator[Answer]:
    """Answers as they come; ends with the stream, throws `CutOffError` inside of one."""
    while line := stream.readline():
        try:
            record: Record = json.loads(line)
            number = int(record.pop("key"))
            record.pop("beginning", None)
            sizes = [int(output["bytes"]) for output in record["outputs"]]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise CutOffError(f"no record of a row: {line[:80]!r}") from error
        yield Answer(number, record, [_exactly(stream, size) for size in sizes])


def _exactly(stream: IO[bytes], size: int) -> bytes:
    picture = stream.read(size)
    if len(picture) < size:
        raise CutOffError(f"{size - len(picture)} bytes of a picture are missing")
    return picture
