# SPDX-License-Identifier: Apache-2.0
"""What runs on an executor: the rows of a partition through one process of the tool."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import pyarrow as pa
from pyspark import TaskContext

from ..frames import Answer
from ..options import names_option
from ..supervisor import Limits, Supervisor
from .program import find_program
from .rows import Columns, RowReader
from .schema import answer_row

# The limits at which a batch is emitted: rows, or bytes of pictures.
_BATCH_ROWS = 1_000
_BATCH_BYTES = 8 << 20


@dataclass(slots=True)
class Job:
    """All that an executor needs to know; it travels there with the task."""

    columns: Columns
    words: Sequence[str] = ()
    program: str | None = None
    limits: Limits = field(default_factory=Limits)
    count: Callable[[Answer], None] | None = None
    """Told of each answer, for counters."""

    def command(self) -> list[str]:
        """The tool's command line on this machine."""
        words = [find_program(self.program), "stream", *self.words]
        # An administrator decides about caches on executors, and a task may use its own cores only.
        if not names_option(self.words, "--cache"):
            words += ["--cache", "none"]
        if not names_option(self.words, "--jobs"):
            words += ["--jobs", str(_cores())]
        return words

    def answers(
        self, batches: Iterable[pa.RecordBatch]
    ) -> tuple[RowReader, Supervisor, Iterator[Answer]]:
        """The answers to all rows, with who keeps their keys and who counts what they cost."""
        reader = RowReader(self.columns)
        supervisor = Supervisor(self.command(), self.limits)
        return reader, supervisor, self._counted(supervisor.answers(reader.read(batches)))

    def _counted(self, answers: Iterator[Answer]) -> Iterator[Answer]:
        for answer in answers:
            if self.count is not None:
                self.count(answer)
            yield answer

    def table(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The answers as batches of the result, pictures included, in the order they come."""
        reader, _, answers = self.answers(batches)
        rows, held = [], 0
        for answer in answers:
            rows.append(answer_row(reader.take_key(answer.number), answer))
            held += sum(map(len, answer.pictures))
            if len(rows) >= _BATCH_ROWS or held >= _BATCH_BYTES:
                yield reader.batch(rows)
                rows, held = [], 0
        if rows:
            yield reader.batch(rows)


def _cores() -> int:
    context = TaskContext.get()
    return context.cpus() if context is not None else 1
