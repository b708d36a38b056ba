"""Tests of the API without Spark, with the real tool and with one that hangs."""

import contextlib
import datetime
import decimal
import os
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
from collections.abc import Iterator
from pathlib import Path

import pandas
import polars
import pyarrow

import emblemkit
import support
from emblemkit.rows import encode_row, read_rows

LOGOS = support.pictures("logos", "png")
LOOK = {"layout": "small", "cache": "none"}
# The limit for the growth of the Python process over all rows of a test.
GROWTH_KILOBYTES = 48_000


def resident_kilobytes() -> int:
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


def children() -> list[int]:
    """Returns the IDs of the running child processes."""
    found = []
    for path in Path("/proc/self/task").glob("*/children"):
        # A thread that has ended since has no child.
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            found += map(int, path.read_text().split())
    return found


class Case(unittest.TestCase):
    def setUp(self) -> None:
        os.environ["EMBLEM_PROGRAM"] = support.EMBLEM
        folder = tempfile.TemporaryDirectory(prefix="emblemkit-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.addCleanup(lambda: self.assertEqual(children(), [], "a child process still runs"))


class Streams(Case):
    def test_results_have_the_keys_of_their_rows_and_images_of_the_announced_size(self) -> None:
        rows = [{"source": path, "id": path.stem, "key": (n, "k")} for n, path in enumerate(LOGOS)]
        with emblemkit.Stream(rows, layout=["small", "large"], scale=[2], cache="none") as stream:
            results = {result.number: result for result in stream}
        self.assertEqual(sorted(results), list(range(len(LOGOS))))
        for number, result in results.items():
            self.assertEqual(result.key, (number, "k"))
            self.assertEqual(
                (result.id, result.status, result.error), (LOGOS[number].stem, "ok", None)
            )
            self.assertEqual([image.layout for image in result.images], ["small", "large"])
            self.assertEqual([image.height for image in result.images], [80, 128])
            for image in result.images:
                self.assertTrue(image.data.startswith(b"\x89PNG"))

    def test_ordered_results_arrive_in_the_order_of_the_rows(self) -> None:
        slow = support.pictures("photos", "jpg")[0]
        rows = [slow if n % 70 == 0 else LOGOS[n % len(LOGOS)] for n in range(1_000)]
        with emblemkit.Stream(rows, ordered=True, **LOOK) as stream:
            self.assertEqual([result.number for result in stream], list(range(1_000)))

    def test_a_failure_has_a_class_and_a_placeholder_and_harms_no_other_row(self) -> None:
        rows = [
            "/there/is/nothing.png",
            LOGOS[0],
            {"source": LOGOS[0], "layout": "gigantic"},
            b"no",
        ]
        with emblemkit.Stream(rows, ordered=True, **LOOK) as stream:
            results = list(stream)
        classes = [result.error and result.error.error_class for result in results]
        self.assertEqual(classes, ["not_found", None, "bad_row", "not_image"])
        self.assertEqual({len(result.images) for result in results}, {1})
        self.assertFalse(results[0].error.retryable)

    def test_a_hostile_value_affects_only_its_row(self) -> None:
        values = ["a\nb", "a\0b", "\ud800", "x" * 6_000_000, '{"bytes": 9}\n', "../../x", "-o"]
        nested: object = "bytes"
        for _ in range(200):
            nested = {"bytes": nested}
        rows: list[object] = [{"source": value, "id": f"r{n}"} for n, value in enumerate(values)]
        rows += [{"source": LOGOS[0], "bytes": 5, "Bytes": 7, "KEY": 1, "note": '"bytes"'}]
        rows += [
            {"source": "nothing", "note": nested, "gap": [float("nan")], "many": [0] * 200_000}
        ]
        rows += [LOGOS[0].read_bytes(), LOGOS[0]]
        with emblemkit.Stream(rows, ordered=True, **LOOK) as stream:
            results = list(stream)
        self.assertEqual([result.number for result in results], list(range(len(rows))))
        statuses = [result.status for result in results]
        self.assertEqual(statuses, ["placeholder"] * 7 + ["ok", "placeholder", "ok", "ok"])
        self.assertEqual(results[3].error.error_class, "bad_row")
        self.assertIn("longer than 4 MB", results[3].error.message)
        self.assertEqual(results[7].record["extra"], {"note": '"bytes"'})

    def test_rows_are_read_only_as_fast_as_results_are_taken(self) -> None:
        taken = 0

        def rows() -> Iterator[bytes]:
            nonlocal taken
            for _ in range(10_000):
                taken += 1
                yield LOGOS[0].read_bytes() + bytes(50_000)

        with emblemkit.Stream(rows(), memory="64M", **LOOK) as stream:
            next(stream)
            before = resident_kilobytes()
            for number, _ in enumerate(stream):
                if number == 600:
                    break
            self.assertLess(taken, 600 + 5_000)
        self.assertLess(resident_kilobytes() - before, GROWTH_KILOBYTES)

    def test_an_answer_does_not_wait_for_later_rows(self) -> None:
        answered = threading.Event()

        def rows() -> Iterator[Path]:
            yield LOGOS[0]
            for _ in range(2_000):
                yield LOGOS[1]
                if answered.is_set():
                    return
                # Gives the tool time; the result must arrive long before the rows end.
                answered.wait(0.03)
            raise AssertionError("no answer arrived while rows were read")

        with emblemkit.Stream(rows(), **LOOK) as stream:
            for _ in stream:
                answered.set()

    def test_leaving_the_with_statement_early_ends_the_process(self) -> None:
        with emblemkit.Stream([LOGOS[0]] * 5_000, **LOOK) as stream:
            next(stream)
            self.assertEqual(len(children()), 1)
        self.assertEqual(children(), [])
        self.assertEqual(list(stream), [])

    def test_another_thread_can_close_a_stream_that_waits(self) -> None:
        closed = threading.Event()

        def rows() -> Iterator[Path]:
            yield LOGOS[0]
            closed.wait()
            yield LOGOS[1]

        stream = emblemkit.Stream(rows(), **LOOK)

        def close() -> None:
            stream.close()
            closed.set()

        threading.Timer(0.2, close).start()
        self.assertLessEqual(len(list(stream)), 1)

    def test_a_killed_process_is_an_error_and_no_early_end(self) -> None:
        with emblemkit.Stream([LOGOS[0]] * 20_000, **LOOK) as stream:
            next(stream)
            os.kill(children()[0], signal.SIGKILL)
            with self.assertRaisesRegex(emblemkit.ToolError, "ended with -9"):
                list(stream)

    def test_rejected_options_fail_with_the_message_of_the_tool_even_without_rows(self) -> None:
        for rows in ([], LOGOS):
            with self.assertRaisesRegex(emblemkit.ToolError, "gigantic"):
                list(emblemkit.Stream(rows, layout="gigantic"))

    def test_an_error_of_the_row_iterator_reaches_the_caller(self) -> None:
        def rows() -> Iterator[Path]:
            yield LOGOS[0]
            raise KeyError("a row of the caller")

        with emblemkit.Stream(rows(), **LOOK) as stream, self.assertRaises(KeyError):
            list(stream)

    def test_values_that_are_not_rows_are_rejected(self) -> None:
        for rows in ("logo.png", b"PNG", {"source": "logo.png"}, [3], [{"x": b"x", "y": b"y"}]):
            with self.subTest(rows=rows), self.assertRaises(TypeError):
                list(emblemkit.Stream(rows, **LOOK))


class Tables(Case):
    RECORDS = [
        {"logo": str(LOGOS[n]), "id": f"r{n}", "label": "One" if n else None, "weight": n / 2}
        for n in range(4)
    ]

    def tables(self) -> dict[str, object]:
        arrow = pyarrow.Table.from_pylist(self.RECORDS)
        return {
            "dictionaries": self.RECORDS,
            "pandas": pandas.DataFrame(self.RECORDS),
            "pandas on Arrow": arrow.to_pandas(types_mapper=pandas.ArrowDtype),
            "pyarrow table": arrow,
            "pyarrow batch": arrow.to_batches()[0],
            "pyarrow reader": arrow.to_reader(),
            "polars": polars.DataFrame(self.RECORDS),
        }

    def test_every_kind_of_table_gives_the_same_records(self) -> None:
        expected = None
        for name, table in self.tables().items():
            with self.subTest(table=name):
                columns = {"source": "logo"}
                with emblemkit.Stream(table, ordered=True, columns=columns, **LOOK) as stream:
                    records = [result.record for result in stream]
                self.assertEqual({record["status"] for record in records}, {"ok"})
                self.assertNotIn("accessibility", records[0])
                self.assertEqual(records[3]["extra"], {"weight": 1.5})
                self.assertEqual(records, expected or records)
                expected = records

    def test_a_column_with_the_bytes_of_images_needs_no_files(self) -> None:
        records = [{"id": path.stem, "logo": path.read_bytes()} for path in LOGOS]
        for table in (pandas.DataFrame(records), pyarrow.Table.from_pylist(records)):
            for columns in ({"source": "logo"}, "id=id,source=logo"):
                with emblemkit.Stream(table, columns=columns, **LOOK) as stream:
                    self.assertEqual({result.status for result in stream}, {"ok"})

    def test_values_without_a_json_form_become_text_or_are_omitted(self) -> None:
        row = {
            "source": Path("a.png"),
            "price": decimal.Decimal("1.50"),
            "day": datetime.date(2026, 11, 26),
            "count": pandas.Series([3]).iloc[0],
        }
        self.assertEqual(
            encode_row(row), b'{"source":"a.png","price":"1.50","day":"2026-11-26","count":3}'
        )
        gaps = {"source": "a", "b": float("nan"), "c": pandas.NA, "d": pandas.NaT, "e": None}
        self.assertEqual(list(read_rows([gaps])), [{"source": "a"}])


class Batches(Case):
    def test_every_kind_of_table_gives_the_same_folder(self) -> None:
        digests = set()
        for name, table in Tables.tables(self).items():
            out = self.folder / name
            run = emblemkit.batch(table, out, columns={"source": "logo"}, **LOOK)
            self.assertEqual((run.exit_code, run.items, run.ok, run.outputs), (0, 4, 4, 4))
            digests.add((out / "manifest.ndjson").read_text())
            for result in run.results():
                self.assertTrue(result.images[0].data.startswith(b"\x89PNG"))
                self.assertEqual(result.id, f"r{result.number}")
        self.assertEqual(len(digests), 1)

    RECORDS = Tables.RECORDS

    def test_a_list_file_and_failing_rows_give_counts_by_class(self) -> None:
        path = self.folder / "list.txt"
        path.write_text(f"{LOGOS[0]}\n/there/is/nothing.png\n")
        with self.assertRaisesRegex(emblemkit.ToolError, "list --force does not exist"):
            emblemkit.batch("--force", self.folder / "out", **LOOK)
        run = emblemkit.batch(path, self.folder / "out", **LOOK)
        self.assertEqual((run.items, run.placeholder, run.errors), (2, 1, {"not_found": 1}))
        strict = emblemkit.batch(path, self.folder / "out", strict=True, **LOOK)
        self.assertEqual(strict.exit_code, 1)

    def test_a_hostile_row_affects_only_itself(self) -> None:
        rows = [{"source": "a\nb"}, {"source": "a\0b"}, {"source": "x" * 3_000_000}, LOGOS[0]]
        run = emblemkit.batch(rows, self.folder / "out", **LOOK)
        self.assertEqual((run.ok, run.errors), (1, {"bad_url": 2, "bad_row": 1}))

    def test_rejected_options_and_failing_row_iterators_leave_no_manifest(self) -> None:
        with self.assertRaisesRegex(emblemkit.ToolError, "gigantic") as caught:
            emblemkit.batch(LOGOS, self.folder / "out", layout="gigantic")
        self.assertEqual(caught.exception.exit_code, 64)

        def rows() -> Iterator[Path]:
            yield LOGOS[0]
            raise KeyError("a row of the caller")

        with self.assertRaises(KeyError):
            emblemkit.batch(rows(), self.folder / "out", **LOOK)
        self.assertFalse((self.folder / "out/manifest.ndjson").exists())
        with self.assertRaisesRegex(TypeError, "use Stream"):
            emblemkit.batch([LOGOS[0].read_bytes()], self.folder / "out", **LOOK)


class Programs(Case):
    def test_the_error_names_a_missing_tool(self) -> None:
        with self.assertRaisesRegex(emblemkit.ProgramNotFoundError, "/no/emblem"):
            emblemkit.batch(LOGOS, self.folder / "out", program="/no/emblem")
        os.environ.pop("EMBLEM_PROGRAM")
        code = "import emblemkit, os; os.environ['PATH'] = ''; emblemkit.find_program()"
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=support.PACKAGE, capture_output=True, text=True
        )
        self.assertIn("install the wheel", done.stderr)


if __name__ == "__main__":
    unittest.main()
