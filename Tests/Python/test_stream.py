"""Stress tests of `emblem stream`: it must not hang, grow, or leave processes."""

import contextlib
import hashlib
import io
import json
import os
import random
import signal
import subprocess
import threading
import time
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from Harness.watch import family, proportional_kilobytes

import support

ROWS = int(os.environ.get("EMBLEM_STREAM_ROWS", "20000"))
LOGOS = support.pictures("logos", "png")
COMMAND = [support.EMBLEM, "stream", "--layout", "small", "--cache", "none"]
SECONDS = 60
# The memory of the tool without the memory for images, which `--memory` sets.
ROOM_KILOBYTES = 160 << 10
MEMORY_KILOBYTES = 64 << 10


class Running:
    """A running process of the tool with its descendants."""

    def __init__(self, *options: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def family(self) -> list[int]:
        return [int(member) for member in family(str(self.process.pid))]

    def kilobytes(self) -> int:
        return proportional_kilobytes(self.family())

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError):
                pipe.close()


def row(number: int, **columns: object) -> bytes:
    return json.dumps({"key": number, "source": str(LOGOS[0]), **columns}).encode() + b"\n"


def fed(data: bytes, *options: str) -> tuple[int, bytes, str]:
    """Runs the tool on an input; returns the exit code, the output and the messages."""
    process = subprocess.run(
        [*COMMAND, *options], input=data, capture_output=True, timeout=SECONDS, check=False
    )
    return process.returncode, process.stdout, process.stderr.decode(errors="replace")


def records_of(stream: IO[bytes]) -> Iterator[dict[str, object]]:
    """Yields the records of an output; fails if it has an incomplete frame."""
    while line := stream.readline():
        record = json.loads(line)
        pictures = [stream.read(made["bytes"]) for made in record["outputs"]]
        for picture, made in zip(pictures, record["outputs"], strict=True):
            assert hashlib.sha256(picture).hexdigest() == made["sha256"], "a frame is incomplete"
        yield record


class Torture(unittest.TestCase):
    def running(self, *options: str) -> Running:
        running = Running(*options)
        self.addCleanup(running.close)
        return running

    def assert_gone(self, members: list[int], within: float = 10) -> None:
        deadline = time.monotonic() + within
        while left := [member for member in members if Path(f"/proc/{member}/stat").exists()]:
            # A zombie has ended and only waits for its parent.
            if all(" Z " in Path(f"/proc/{member}/stat").read_text() for member in left):
                return
            if time.monotonic() > deadline:
                self.fail(f"processes {left} still run")
            time.sleep(0.05)

    def test_a_slow_reader_blocks_the_writer_and_memory_stays_bounded(self) -> None:
        running = self.running("--memory", "64M")
        written = [0]

        def write() -> None:
            for number in range(ROWS):
                # A mix of equal, different and failing rows, which are all cheap.
                source = (str(LOGOS[number % len(LOGOS)]), f"/nothing/{number}.png")[
                    number % 5 == 4
                ]
                running.process.stdin.write(row(number, source=source))
                written[0] += 1
            running.process.stdin.close()

        writer = threading.Thread(target=write)
        writer.start()
        # Without a reader, the writer must block long before the end of a long list.
        idle, before = 0, -1
        while idle < 4 and writer.is_alive():
            time.sleep(0.5)
            idle, before = (idle + 1 if written[0] == before else 0), written[0]
        held = written[0]
        peaks, seen, begin = [running.kilobytes()], set(), time.monotonic()
        for record in records_of(running.process.stdout):
            seen.add(record["key"])
            if len(seen) % (ROWS // 50) == 0:
                peaks.append(running.kilobytes())
                time.sleep(0.02)
        writer.join()
        seconds = time.monotonic() - begin
        self.assertEqual(running.process.wait(SECONDS), 0)
        self.assertEqual(len(seen), ROWS)
        print(
            f"{ROWS} rows, {held} accepted without a reader, then {ROWS / seconds:.0f} rows/s; PSS "
            f"{peaks[0] / 1024:.0f} MB without a reader, {max(peaks) / 1024:.0f} MB at most, "
            f"{peaks[-2] / 1024:.0f} MB near the end"
        )
        if ROWS > 200_000:
            self.assertLess(held, ROWS // 2, "the writer was not blocked")
        self.assertLess(max(peaks), ROOM_KILOBYTES + MEMORY_KILOBYTES)

    def test_garbage_ends_with_0_or_65_and_complete_frames(self) -> None:
        seed = int(os.environ.get("EMBLEM_SEED", random.randrange(1 << 30)))
        draw = random.Random(seed)
        sound = row(0) + row(1, bytes=4) + b"\x89PNG\n" + row(2, layout="gigantic")
        for turn in range(40):
            data = bytearray(sound if turn % 2 else draw.randbytes(draw.randrange(1, 4_000)))
            for _ in range(draw.randrange(1, 8)):
                data[draw.randrange(len(data))] = draw.choice(b'"{}[]\\\n\0\xff0:,b')
            code, output, messages = fed(bytes(data))
            self.assertIn(code, (0, 65), f"seed {seed}, turn {turn}: {messages}")
            list(records_of(io.BytesIO(output)))

    def test_an_endless_line_ends_with_65_in_bounded_memory(self) -> None:
        running = self.running()
        peak = 0
        with contextlib.suppress(BrokenPipeError):
            for _ in range(200):
                running.process.stdin.write(b"x" * (1 << 20))
                peak = max(peak, running.kilobytes())
            running.process.stdin.close()
        self.assertEqual(running.process.wait(SECONDS), 65)
        self.assertLess(peak, ROOM_KILOBYTES)

    def test_closed_output_ends_at_once_without_orphans(self) -> None:
        for is_idle in (False, True):
            with self.subTest(is_idle=is_idle):
                running = self.running()
                running.process.stdin.write(row(0))
                running.process.stdin.flush()
                running.process.stdout.read(10)
                members = running.family()
                self.assertGreater(len(members), 1, "the tool has no worker process")
                running.process.stdout.close()
                if not is_idle:
                    with contextlib.suppress(BrokenPipeError):
                        for number in range(2_000):
                            running.process.stdin.write(row(number))
                        running.process.stdin.flush()
                begin = time.monotonic()
                self.assertEqual(running.process.wait(SECONDS), 74)
                self.assertLess(time.monotonic() - begin, 10)
                self.assert_gone(members)

    def test_sigterm_ends_with_143_and_complete_frames(self) -> None:
        for wait in (0.0, 0.05, 0.3):
            with self.subTest(wait=wait):
                running = self.running()
                output: list[bytes] = []
                reader = threading.Thread(
                    target=lambda into=output, of=running: into.append(of.process.stdout.read())
                )
                reader.start()

                def write(to: Running = running) -> None:
                    with contextlib.suppress(BrokenPipeError, ValueError):
                        for number in range(200_000):
                            to.process.stdin.write(row(number))

                writer = threading.Thread(target=write, daemon=True)
                writer.start()
                # Before the process has started its workers, signals have their default action.
                while len(running.family()) < 2:
                    time.sleep(0.005)
                time.sleep(wait)
                members = running.family()
                running.process.send_signal(signal.SIGTERM)
                code = running.process.wait(SECONDS)
                reader.join()
                writer.join(SECONDS)
                self.assertIn(code, (143, -signal.SIGTERM) if wait == 0 else (143,))
                if code == 143:
                    list(records_of(io.BytesIO(output[0])))
                self.assert_gone(members)

    def test_a_stream_ends_if_its_parent_is_killed(self) -> None:
        """A killed executor closes both pipes of the tool in the same way."""
        code = (
            "import subprocess, sys, time\n"
            f"p = subprocess.Popen({COMMAND!r}, stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
            f"p.stdin.write({row(0)!r} * 50); p.stdin.flush(); p.stdout.read(5)\n"
            "print(p.pid, flush=True); time.sleep(600)\n"
        )
        feeder = subprocess.Popen(["python3", "-c", code], stdout=subprocess.PIPE)
        with feeder:
            members = [int(member) for member in family(feeder.stdout.readline().decode().strip())]
            feeder.kill()
        self.assertGreater(len(members), 1)
        self.assert_gone(members)


if __name__ == "__main__":
    unittest.main()
