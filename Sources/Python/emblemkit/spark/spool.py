# SPDX-License-Identifier: Apache-2.0
"""Answers of a partition on the executor's own disk, until all are there."""

import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO

from ..frames import Answer, Record


@dataclass(slots=True)
class Spool:
    """Takes answers as they come and gives them back in the order of their rows.

    In memory are sixteen bytes and little more for each; the file has no name, so nothing is left
    of it whatever ends the task.
    """

    _file: IO[bytes] = field(default_factory=tempfile.TemporaryFile)
    _places: dict[int, tuple[int, int]] = field(default_factory=dict)

    def add(self, answer: Answer) -> None:
        """Keeps an answer."""
        start = self._file.tell()
        record = json.dumps(answer.record, ensure_ascii=False).encode()
        self._file.write(record)
        for picture in answer.pictures:
            self._file.write(picture)
        self._places[answer.number] = (start, len(record))

    def __len__(self) -> int:
        return len(self._places)

    def records(self) -> Iterator[tuple[int, Record]]:
        """All records in the order of their rows."""
        for number in sorted(self._places):
            start, size = self._places[number]
            self._file.seek(start)
            yield number, json.loads(self._file.read(size))

    def answers(self) -> Iterator[Answer]:
        """All answers in the order of their rows, one in memory at a time."""
        for number, record in self.records():
            start, size = self._places[number]
            self._file.seek(start + size)
            pictures = [self._file.read(int(output["bytes"])) for output in record["outputs"]]
            yield Answer(number, record, pictures)

    def close(self) -> None:
        """Gives the room back."""
        self._file.close()
