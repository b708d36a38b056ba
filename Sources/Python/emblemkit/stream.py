# SPDX-License-Identifier: Apache-2.0
"""An iterator over the results of rows, in bounded memory."""

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
    """An iterator over the results of rows, from one process of `emblem stream`.

    Rows are dictionaries with the columns of a list, sources (paths, URLs or bytes of images), or
    a table of pandas, polars or Arrow. Results arrive in the order in which they finish, or in the
    order of the rows with `ordered`. The stream reads rows only as fast as the caller takes
    results. The `options` are those of `emblem stream`, as in
    `layout=["small"], format="webp", columns={"source": "logo"}`.

    If the process dies, the stream restarts it. Each row has exactly one result.
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
        """Waits for the next result and returns it.

        Raises `StreamFailedError` if the tool rejects its options. Errors of the iterator of rows
        pass through.
        """
        return next(self._results)

    def close(self) -> None:
        """Ends the process and its workers; the remaining rows get no result."""
        self._answers.close()

    def cancel(self) -> None:
        """Makes a waiting `__next__` raise `CanceledError`; may be called from any thread."""
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
            self._count_held(1, answer)
            while (ready := held.pop(number, None)) is not None:
                self._count_held(-1, ready)
                number += 1
                yield self._result(ready)

    def _count_held(self, count: int, answer: Answer) -> None:
        self._supervisor.held_rows += count
        self._supervisor.held_bytes += count * sum(map(len, answer.pictures))
