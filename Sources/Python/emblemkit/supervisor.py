# SPDX-License-Identifier: Apache-2.0
"""A supervisor that returns one answer for each row, even if processes crash or hang."""

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field

from .errors import CanceledError, StreamFailedError
from .frames import LINE_LIMIT, Answer, Record, Row
from .stream_process import Ending, StreamProcess

# The record that the tool writes for an image that crashed its decoder.
_CRASHED: Record = {
    "class": "crashed",
    "stage": "decode",
    "message": "The decoder crashed on this picture.",
    "retryable": False,
}
# Exit codes for which a retry is useless: usage error, missing input, no workers, output folder
# that cannot be created, and the system's codes for a program that cannot be started.
_HOPELESS = {64, 66, 69, 73, 126, 127}


@dataclass(slots=True)
class Limits:
    """The limits of a supervisor: unanswered rows, timeouts and retries."""

    rows: int = 65_536
    """The maximum number of unanswered rows; the tool looks ahead in them for idle hosts."""
    bytes: int = 64 << 20
    """The maximum size of the unanswered rows."""
    silence_seconds: float = 300.0
    """The time without an answer after which a process counts as hung."""
    strikes: int = 3
    """The number of deaths with a single row in progress after which the row is blamed."""
    blamed_in_a_row: int = 16
    """The number of consecutive blamed rows after which the stream fails as a whole."""


@dataclass(slots=True)
class Tally:
    """The resource use of the processes of a partition."""

    starts: int = 0
    deaths: int = 0
    blamed: int = 0
    """The number of rows that were answered with the class `crashed`."""
    cpu_seconds: float = 0.0
    peak_kilobytes: int = 0


@dataclass(slots=True)
class _Group:
    """Rows that are sent in isolation, because one of them may kill the process."""

    rows: list[Row]
    is_sent: bool = False


@dataclass(slots=True)
class Supervisor:
    """A source of answers that feeds rows to a process and replaces the process if it dies.

    Rows in progress at a death are retried together, then in halves, until the row that kills the
    process is isolated. After three deaths alone, this row is answered with its placeholder and the
    class `crashed`. The other rows lose only time.
    """

    command: Sequence[str]
    limits: Limits = field(default_factory=Limits)
    tally: Tally = field(default_factory=Tally)
    _process: StreamProcess | None = None
    _pending: dict[int, Row] = field(default_factory=dict)
    _pending_bytes: int = 0
    _groups: deque[_Group] = field(default_factory=deque)
    _strikes: dict[int, int] = field(default_factory=dict)
    # The error for the record of each row whose image was replaced by an empty image.
    _replaced: dict[int, Record] = field(default_factory=dict)
    _blamed_in_a_row: int = 0
    _is_canceled: bool = False
    held_rows: int = 0
    """The number of answers that the caller keeps for later; they count towards the limits."""
    held_bytes: int = 0

    def cancel(self) -> None:
        """Makes `answers` raise `CanceledError` in its thread; may be called from any thread."""
        self._is_canceled = True
        process = self._process
        if process is not None:
            process.wake()

    def answers(self, rows: Iterator[Row]) -> Generator[Answer, None, None]:
        """Yields exactly one answer for each row, in the order in which they arrive.

        Raises `StreamFailedError` if no row can be answered.
        """
        more = True
        try:
            while more or self._pending or self._groups:
                if self._process is None:
                    self._process = StreamProcess(self.command)
                    self.tally.starts += 1
                # Checked after the process exists: cancel() either sets the flag before this line
                # or wakes the process.
                if self._is_canceled:
                    raise CanceledError("the stream was cancelled")
                more = self._send(rows, more)
                if not self._pending:
                    continue
                got = self._process.next(self.limits.silence_seconds)
                if isinstance(got, Answer):
                    yield self._accept(got)
                elif not self._is_canceled:
                    yield from self._isolate(got or self._process.kill())
            self._finish()
        finally:
            if self._process is not None:
                self._release(self._process.kill())

    def _send(self, rows: Iterator[Row], more: bool) -> bool:
        """Sends as many rows as the limits allow; returns False after the last row."""
        if self._groups:
            group = self._groups[0]
            if not group.is_sent:
                group.is_sent = True
                for row in group.rows:
                    self._send_row(row)
            elif not self._pending:
                self._groups.popleft()
            return more
        assert self._process is not None
        while more and self._has_room():
            try:
                row = next(rows)
            except StopIteration:
                return False
            if len(row.columns) > LINE_LIMIT - 200:
                row = self._with_empty_image(row, _too_long(row))
            self._send_row(row)
            # A slow source of rows must not delay an answer.
            if self._process.has_answer:
                break
        return more

    def _has_room(self) -> bool:
        return (
            len(self._pending) + self.held_rows < self.limits.rows
            and self._pending_bytes + self.held_bytes < self.limits.bytes
        )

    def _send_row(self, row: Row) -> None:
        assert self._process is not None
        self._pending[row.number] = row
        self._pending_bytes += row.size
        self._process.send(row)

    def _accept(self, answer: Answer) -> Answer:
        row = self._pending.pop(answer.number, None)
        if row is None:
            raise StreamFailedError(f"emblem stream answered row {answer.number}, which is unknown")
        self._pending_bytes -= row.size
        error = self._replaced.pop(answer.number, None)
        if error is None:
            self._blamed_in_a_row = 0
            return answer
        # The row has no error if one of its alternatives was used.
        if "error" in answer.record:
            answer.record.pop("input", None)
            answer.record["error"] = error
        return answer

    def _isolate(self, ending: Ending) -> Iterator[Answer]:
        """Isolates the row that kills the process.

        Yields the answer itself for a row for which no placeholder can be drawn.
        """
        self._release(ending)
        self.tally.deaths += 1
        if ending.code in _HOPELESS:
            raise StreamFailedError(f"emblem stream ended with {ending.code}: {ending.words}")
        unanswered = list(self._pending.values())
        self._pending.clear()
        self._pending_bytes = 0
        was_alone = bool(self._groups) and len(self._groups[0].rows) == 1
        if self._groups:
            self._groups.popleft()
            middle = (len(unanswered) + 1) // 2
            parts = [unanswered] if was_alone else [unanswered[:middle], unanswered[middle:]]
        else:
            parts = [unanswered]
        if was_alone:
            row = unanswered[0]
            strikes = self._strikes[row.number] = self._strikes.get(row.number, 0) + 1
            if strikes >= self.limits.strikes:
                del self._strikes[row.number]
                if self._replaced.pop(row.number, None) is not None:
                    yield _nothing_drawn(row)
                    return
                self._blame(row, ending)
                parts = [[self._with_empty_image(row, _CRASHED)]]
        self._groups.extendleft(_Group(part) for part in reversed(parts) if part)

    def _blame(self, row: Row, ending: Ending) -> None:
        self.tally.blamed += 1
        self._blamed_in_a_row += 1
        if self._blamed_in_a_row >= self.limits.blamed_in_a_row:
            raise StreamFailedError(
                f"emblem stream died on {self._blamed_in_a_row} rows one after the other, the last "
                f"time with {ending.code}: {ending.cut_off or ''} {ending.words}"
            )

    def _with_empty_image(self, row: Row, error: Record) -> Row:
        """Returns the row with an empty image, so that the tool draws its placeholder."""
        self._replaced[row.number] = error
        columns = row.columns if len(row.columns) < LINE_LIMIT - 200 else b""
        return Row(row.number, columns, b"")

    def _finish(self) -> None:
        """Ends the process after all rows are answered."""
        process, self._process = self._process, None
        if process is None:
            return
        process.end_rows()
        got = process.next(self.limits.silence_seconds)
        if isinstance(got, Answer):
            process.kill()
            raise StreamFailedError(f"emblem stream answered row {got.number} twice")
        ending = got or process.kill()
        self._count(process)
        # Without rows, this is the first check for rejected options.
        if ending.code in _HOPELESS:
            raise StreamFailedError(f"emblem stream ended with {ending.code}: {ending.words}")

    def _release(self, _: Ending) -> None:
        process, self._process = self._process, None
        if process is not None:
            self._count(process)

    def _count(self, process: StreamProcess) -> None:
        self.tally.cpu_seconds += process.usage.cpu_seconds
        self.tally.peak_kilobytes = max(self.tally.peak_kilobytes, process.usage.peak_kilobytes)


def _too_long(row: Row) -> Record:
    return {
        "class": "bad_row",
        "stage": "plan",
        "message": f"the row has {len(row.columns)} bytes, and the limit is {LINE_LIMIT}",
        "retryable": False,
    }


def _nothing_drawn(row: Row) -> Answer:
    """Returns the answer to a row for which no placeholder can be drawn."""
    record: Record = {
        "type": "item",
        "id": f"row-{row.number}",
        "source": "",
        "status": "failed",
        "error": _CRASHED,
        "outputs": [],
    }
    return Answer(row.number, record, [])
