# SPDX-License-Identifier: Apache-2.0
"""A temporary file that keeps the answers of a partition until all have arrived."""

import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO

from ..frames import Answer, Record


@dataclass(slots=True)
class Spool:
    """A store on disk that takes answers in any order and returns them in the order of their rows.

    Memory holds only two numbers per answer. The file has no name, so the system removes it even if
    the task is killed.
    """

    _file: IO[bytes] = field(default_factory=tempfile.TemporaryFile)
    _places: dict[int, tuple[int, int]] = field(default_factory=dict)

    def add(self, answer: Answer) -> None:
        start = self._file.tell()
        record = json.dumps(answer.record, ensure_ascii=False).encode()
        self._file.write(record)
        for picture in answer.pictures:
            self._file.write(picture)
        self._places[answer.number] = (start, len(record))

    def __len__(self) -> int:
        return len(self._places)

    def records(self) -> Iterator[tuple[int, Record]]:
        """Yields the records in the order of their rows."""
        for number in sorted(self._places):
            start, size = self._places[number]
            self._file.seek(start)
            yield number, json.loads(self._file.read(size))

    def answers(self) -> Iterator[Answer]:
        """Yields the answers in the order of their rows, with one in memory at a time."""
        for number, record in self.records():
            start, size = self._places[number]
            self._file.seek(start + size)
            pictures = [self._file.read(int(output["bytes"])) for output in record["outputs"]]
            yield Answer(number, record, pictures)

    def close(self) -> None:
        """Closes the file, which frees its disk space."""
        self._file.close()
