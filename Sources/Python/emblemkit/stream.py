# SPDX-License-Identifier: Apache-2.0
"""Rows in and results out, in bounded memory."""

from collections.abc import Iterator
from types import TracebackType
from typing import Any

from .frames import Answer, Row, encode_columns
from .options import Value, flags
from .program import find_program
from .result import Result, result_of
from .supervisor import Limits, Supervisor
from .tables import Rows, RowSource


class Stream(Iterator[Result]):
    """Results of rows, from one process of `emblem stream`.

    Rows are dictionaries with the columns of a list, sources alone (paths, URLs, bytes of images),
    or a table of pandas, polars or Arrow. Results come as they finish, or in the order of the rows
    with `ordered`. The stream reads rows only as fast as its results are taken. The `options` are
    those of `emblem stream`, as in `layout=["small"], format="webp", columns={"source": "logo"}`.

    A process that dies is started again, and each row still has exactly one result.
    """

    def __init__(
        self,
        rows: Rows,
        *,
        ordered: bool = False,
        program: str | None = None,
        limits: Limits | None = None,
        **options: Value | None,
    ) -> None:
        self._source = RowSource(options.get("columns"))
        command = [find_program(program), "stream", *flags(options)]
        self._supervisor = Supervisor(command, limits or Limits(rows=4_096))
        self._keys: dict[int, Any] = {}
        answers = self._supervisor.answers(self._numbered(rows))
        self._results = self._in_order(answers) if ordered else map(self._result, answers)
        self._answers = answers

    def __enter__(self) -> "Stream":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __next__(self) -> Result:
        """Returns the next result, and waits for it; throws `StreamFailedError` if the tool refuses
        its options, and what the iterator of the rows throws."""
        return next(self._results)

    def close(self) -> None:
        """Ends the process and its workers; the remaining rows have no result."""
        self._answers.close()

    def cancel(self) -> None:
        """Makes the thread that waits for a result throw `CanceledError`, from any thread."""
        self._supervisor.cancel()

    def _numbered(self, rows: Rows) -> Iterator[Row]:
        for number, row in enumerate(self._source.read(rows)):
            key = row.get("key")
            if key is not None:
                self._keys[number] = key
            picture = self._source.take_picture(row)
            yield Row(number, encode_columns(row), picture)

    def _result(self, answer: Answer) -> Result:
        key = self._keys.pop(answer.number, None)
        return result_of(answer.number, key, answer.record, answer.pictures)

    def _in_order(self, answers: Iterator[Answer]) -> Iterator[Result]:
        held: dict[int, Answer] = {}
        number = 0
        for answer in answers:
            held[answer.number] = answer
            self._hold(1, answer)
            while (ready := held.pop(number, None)) is not None:
                self._hold(-1, ready)
                number += 1
                yield self._result(ready)

    def _hold(self, count: int, answer: Answer) -> None:
        self._supervisor.held_rows += count
        self._supervisor.held_bytes += count * sum(map(len, answer.pictures))
