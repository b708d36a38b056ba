"""Tests that each row gets one answer from processes that die, hang or write garbage."""

import hashlib
import os
import sys
import unittest
from collections.abc import Iterator

import support
from emblemkit.errors import StreamFailedError
from emblemkit.frames import Answer, Row, encode_columns
from emblemkit.supervisor import Limits, Supervisor

SHIM = [sys.executable, str(support.SHIM)]
LOGO = support.pictures("logos", "png")[0]


def rows(count: int, faults: dict[int, str]) -> Iterator[Row]:
    for number in range(count):
        columns = {"id": f"r{number}", "source": str(LOGO)}
        if number in faults:
            columns["hint"] = faults[number]
        yield Row(number, encode_columns(columns))


def answers(
    count: int, faults: dict[int, str], limits: Limits | None = None
) -> tuple[dict[int, Answer], Supervisor]:
    os.environ["EMBLEM_REAL"] = support.EMBLEM
    command = [*SHIM, "stream", "--layout", "small", "--cache", "none", "--jobs", "1"]
    supervisor = Supervisor(command, limits or Limits())
    taken: dict[int, Answer] = {}
    for answer in supervisor.answers(rows(count, faults)):
        assert answer.number not in taken, f"row {answer.number} was answered twice"
        taken[answer.number] = answer
    return taken, supervisor


class Deaths(unittest.TestCase):
    def assert_sound(self, taken: dict[int, Answer], but: set[int]) -> None:
        digests = set()
        for number, answer in taken.items():
            for output, picture in zip(answer.record["outputs"], answer.pictures, strict=True):
                self.assertEqual(hashlib.sha256(picture).hexdigest(), output["sha256"])
            if number not in but:
                self.assertEqual(answer.record["status"], "ok")
                digests.add(answer.pictures[0])
        self.assertEqual(len(digests), 1)

    def test_a_row_that_kills_three_times_has_crashed_and_other_rows_are_ok(self) -> None:
        taken, supervisor = answers(300, {0: "dies here", 77: "dies here", 299: "dies here"})
        self.assertEqual(sorted(taken), list(range(300)))
        self.assert_sound(taken, {0, 77, 299})
        for number in (0, 77, 299):
            record = taken[number].record
            self.assertEqual(record["error"]["class"], "crashed")
            self.assertEqual(record["status"], "placeholder")
            self.assertEqual(record["id"], f"r{number}")
        self.assertEqual(supervisor.tally.blamed, 3)

    def test_a_row_without_a_placeholder_has_failed(self) -> None:
        taken, _ = answers(20, {4: "dies always"})
        self.assertEqual(sorted(taken), list(range(20)))
        self.assertEqual(taken[4].record["status"], "failed")
        self.assertEqual(taken[4].record["outputs"], [])
        self.assert_sound(taken, {4})

    def test_rows_with_image_bytes_are_sent_again_with_their_bytes(self) -> None:
        os.environ["EMBLEM_REAL"] = support.EMBLEM
        picture = LOGO.read_bytes()
        given = [
            Row(
                n,
                encode_columns({"id": f"r{n}"} | ({"hint": "dies here"} if n == 5 else {})),
                picture,
            )
            for n in range(40)
        ]
        supervisor = Supervisor([*SHIM, "stream", "--layout", "small"])
        taken = {answer.number: answer for answer in supervisor.answers(iter(given))}
        self.assertEqual(sorted(taken), list(range(40)))
        self.assert_sound(taken, {5})
        self.assertEqual(supervisor.tally.blamed, 1)
        # One death of the whole group, one for each halving of forty rows, and three of the row.
        self.assertLessEqual(supervisor.tally.deaths, 1 + 1 + 6 + 3)

    def test_a_hung_process_is_killed_and_its_row_is_found(self) -> None:
        taken, supervisor = answers(8, {3: "hangs here"}, Limits(silence_seconds=1.5))
        self.assertEqual(sorted(taken), list(range(8)))
        self.assertEqual(taken[3].record["error"]["class"], "crashed")
        self.assert_sound(taken, {3})

    def test_garbage_in_the_output_ends_the_process_and_not_the_job(self) -> None:
        taken, _ = answers(30, {12: "writes garbage"})
        self.assertEqual(sorted(taken), list(range(30)))
        self.assert_sound(taken, {12})

    def test_a_program_that_dies_on_every_row_fails_the_job(self) -> None:
        with self.assertRaisesRegex(StreamFailedError, "one after the other"):
            faults = dict.fromkeys(range(100), "dies always")
            answers(100, faults, Limits(blamed_in_a_row=4))

    def test_options_that_the_tool_rejects_fail_the_job_with_its_message(self) -> None:
        supervisor = Supervisor([support.EMBLEM, "stream", "--layout", "gigantic"])
        with self.assertRaisesRegex(StreamFailedError, "gigantic"):
            list(supervisor.answers(rows(3, {})))

    def test_a_row_longer_than_the_tool_reads_is_a_bad_row(self) -> None:
        given = [
            Row(0, encode_columns({"source": str(LOGO), "note": "x" * (5 << 20)})),
            Row(1, encode_columns({"source": str(LOGO)})),
        ]
        supervisor = Supervisor([support.EMBLEM, "stream", "--layout", "small"])
        taken = {answer.number: answer.record for answer in supervisor.answers(iter(given))}
        self.assertEqual(taken[0]["error"]["class"], "bad_row")
        self.assertEqual(taken[0]["status"], "placeholder")
        self.assertEqual(taken[1]["status"], "ok")

    def test_closing_the_iterator_ends_the_process(self) -> None:
        supervisor = Supervisor([support.EMBLEM, "stream", "--layout", "small", "--cache", "none"])
        taken = supervisor.answers(rows(500, {}))
        next(taken)
        process = supervisor._process
        assert process is not None
        taken.close()
        with self.assertRaises(ProcessLookupError):
            os.kill(process.process_id, 0)


if __name__ == "__main__":
    unittest.main()
