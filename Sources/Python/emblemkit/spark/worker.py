# SPDX-License-Identifier: Apache-2.0
"""The code that runs on an executor and sends the rows of a partition to the tool."""

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

# The limits at which a batch is emitted: the number of rows, or the bytes of their images.
_BATCH_ROWS = 1_000
_BATCH_BYTES = 8 << 20


@dataclass(slots=True)
class Job:
    """The settings of a job, which Spark sends to the executors with each task."""

    columns: Columns
    words: Sequence[str] = ()
    program: str | None = None
    limits: Limits = field(default_factory=Limits)
    count: Callable[[Answer], None] | None = None
    """Called with each answer, to update counters."""

    def command(self) -> list[str]:
        """Returns the command line of the tool on this machine."""
        words = [find_program(self.program), "stream", *self.words]
        # Executors have no cache unless the caller asks for one. A task uses only its own cores.
        if not names_option(self.words, "--cache"):
            words += ["--cache", "none"]
        if not names_option(self.words, "--jobs"):
            words += ["--jobs", str(_cores())]
        return words

    def answers(
        self, batches: Iterable[pa.RecordBatch]
    ) -> tuple[RowReader, Supervisor, Iterator[Answer]]:
        """Returns the reader of the rows, the supervisor, and the answers to all rows."""
        reader = RowReader(self.columns)
        supervisor = Supervisor(self.command(), self.limits)
        return reader, supervisor, self._counted(supervisor.answers(reader.read(batches)))

    def _counted(self, answers: Iterator[Answer]) -> Iterator[Answer]:
        for answer in answers:
            if self.count is not None:
                self.count(answer)
            yield answer

    def table(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yields the answers as batches of the result with images, in the order they arrive."""
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
