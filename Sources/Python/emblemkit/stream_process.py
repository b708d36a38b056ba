# SPDX-License-Identifier: Apache-2.0
"""A process of `emblem stream`, with threads that write its input and read its output."""

import os
import queue
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from .frames import Answer, CutOffError, Row, read_answers

# The maximum number of unread answers; beyond it, the reader and then the tool wait.
_ANSWERS_AHEAD = 64
_STDERR_BYTES = 16 << 10
# The time a process may take to exit after it closed its output.
_END_SECONDS = 30.0


@dataclass(slots=True)
class Ending:
    """The way in which a process ended."""

    code: int
    """The exit code, or the negative number of a signal."""
    words: str
    """The last text on standard error."""
    cut_off: str | None
    """The reason why the output cannot be read, if it was truncated or malformed."""


@dataclass(slots=True)
class Usage:
    """The processor seconds and peak memory of an ended process and its workers."""

    cpu_seconds: float = 0.0
    peak_kilobytes: int = 0


class StreamProcess:
    """A running `emblem stream` that takes rows and returns answers in the order they finish.

    `send` never blocks, so the caller must bound the number of unanswered rows. If the caller reads
    answers slowly, the reader thread stops, the pipe fills and the tool waits.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self.usage = Usage()
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._to_write: queue.SimpleQueue[Row | None] = queue.SimpleQueue()
        self._read: queue.Queue[Answer | CutOffError | None] = queue.Queue(_ANSWERS_AHEAD)
        self._messages: deque[bytes] = deque()
        self._closing = threading.Event()
        self._threads = [
            threading.Thread(target=target, name=f"emblem-{name}", daemon=True)
            for name, target in (
                ("rows", self._write_rows),
                ("answers", self._read_answers),
                ("messages", self._read_messages),
            )
        ]
        for thread in self._threads:
            thread.start()

    @property
    def process_id(self) -> int:
        return self._process.pid

    def send(self, row: Row) -> None:
        """Queues a row for the writer thread, without blocking."""
        self._to_write.put(row)

    def end_rows(self) -> None:
        """Closes the tool's input after the queued rows."""
        self._to_write.put(None)

    @property
    def has_answer(self) -> bool:
        """True if `next` returns without waiting."""
        return not self._read.empty()

    def wake(self) -> None:
        """Makes a waiting `next` return; may be called from any thread."""
        # If the queue is full, no thread waits for an answer.
        with suppress(queue.Full):
            self._read.put_nowait(CutOffError("cancelled"))

    def next(self, timeout: float) -> Answer | Ending | None:
        """Returns the next answer, the ending of the process, or `None` after `timeout` seconds."""
        try:
            got = self._read.get(timeout=timeout)
        except queue.Empty:
            return None
        if isinstance(got, Answer):
            return got
        # The output after a malformed answer cannot be parsed.
        if got is not None or not self._ends_soon():
            self._kill()
        return self._reap(str(got) if got else None)

    def kill(self) -> Ending:
        """Kills the process and its workers."""
        self._kill()
        return self._reap(None)

    def _kill(self) -> None:
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGKILL)

    def _ends_soon(self) -> bool:
        """Waits for a process that has closed its output; returns False after the deadline."""
        deadline = time.monotonic() + _END_SECONDS
        while not self._wait(os.WNOHANG):
            if time.monotonic() > deadline:
                return False
            time.sleep(0.005)
        return True

    def _wait(self, how: int) -> bool:
        if self._process.returncode is None:
            number, status, usage = os.wait4(self._process.pid, how)
            if number == 0:
                return False
            self._process.returncode = os.waitstatus_to_exitcode(status)
            self.usage = Usage(usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
        return True

    def _reap(self, cut_off: str | None) -> Ending:
        self._closing.set()
        self._to_write.put(None)
        self._wait(0)
        for thread in self._threads:
            thread.join()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        text = b"".join(self._messages).decode(errors="replace").strip()
        return Ending(self._process.returncode, text, cut_off)

    def _write_rows(self) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        # The reader thread reports a dead process; the supervisor knows the unanswered rows.
        with suppress(BrokenPipeError):
            while (row := self._to_write.get()) is not None:
                for piece in row.frame():
                    pipe.write(piece)
                if self._to_write.empty():
                    pipe.flush()
        with suppress(OSError):
            pipe.close()

    def _read_answers(self) -> None:
        pipe = self._process.stdout
        assert pipe is not None
        try:
            for answer in read_answers(pipe):
                self._put(answer)
            self._put(None)
        except CutOffError as error:
            self._put(error)

    def _put(self, got: Answer | CutOffError | None) -> None:
        while not self._closing.is_set():
            with suppress(queue.Full):
                self._read.put(got, timeout=0.2)
                return

    def _read_messages(self) -> None:
        pipe = self._process.stderr
        assert pipe is not None
        held = 0
        while piece := os.read(pipe.fileno(), 4096):
            self._messages.append(piece)
            held += len(piece)
            while held - len(self._messages[0]) > _STDERR_BYTES:
                held -= len(self._messages.popleft())
