"""Tests of names, options, hosts and frames, which need neither Spark nor the tool."""

import io
import json
import random
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

import pyarrow.fs

import support  # noqa: F401
from emblemkit.frames import CutOffError, Row, encode_columns, read_answers
from emblemkit.options import flags
from emblemkit.spark.hosts import place_hosts
from emblemkit.spark.names import settle_names
from emblemkit.spark.part import put_in_place
from emblemkit.spark.process import check_columns
from emblemkit.spark.rows import Columns


class Options(unittest.TestCase):
    def test_keywords_become_command_line_arguments(self) -> None:
        arguments = flags(
            {"layout": ["small", "large"], "allow_private": True, "palette": False, "theme": None}
            | {"header": ["A: 1", "B: 2"], "per_host": 3}
        )
        self.assertEqual(
            arguments,
            ["--layout", "small,large", "--allow-private"]
            + ["--header", "A: 1", "--header", "B: 2", "--per-host", "3"],
        )


class Tables(unittest.TestCase):
    def test_a_table_without_any_source_is_refused(self) -> None:
        df = SimpleNamespace(columns=["id", "logo"], schema=SimpleNamespace(fields=[]))
        with self.assertRaisesRegex(ValueError, "source=…, among id, logo"):
            check_columns(df, Columns("id"))
        check_columns(df, Columns("id", renamed={"source": "logo"}))
        df.columns.append("url")
        check_columns(df, Columns("id"))


class Names(unittest.TestCase):
    def test_equal_names_get_the_hash_of_their_source_and_then_a_number(self) -> None:
        records = [("a", "x"), ("A", "y"), ("a", "x"), ("b.c", "z")]
        settled = settle_names(
            enumerate({"id": name, "source": source} for name, source in records)
        )
        self.assertEqual(
            list(settled.values()), ["a-2d711642", "A-a1fce436", "a-2d711642-2", "b.c"]
        )


class Hosts(unittest.TestCase):
    def test_each_host_has_one_partition_and_the_heaviest_comes_first(self) -> None:
        seed = random.randrange(1 << 30)
        draw = random.Random(seed)
        for _ in range(50):
            counts = [(f"h{n}", int(draw.paretovariate(1.1))) for n in range(200)]
            partitions = draw.randrange(1, 40)
            placed = place_hosts(counts, partitions, base=3)
            loads = [0] * partitions
            for host, rows in counts:
                loads[placed[host]] += rows
            self.assertEqual(loads, sorted(loads, reverse=True), f"seed {seed}")
            # No partition exceeds the bound of this greedy algorithm.
            bound = max(
                max(rows for _, rows in counts), 4 / 3 * sum(loads) / partitions + counts[0][1]
            )
            self.assertLessEqual(loads[0], bound, f"seed {seed}")

    def test_the_partition_of_a_host_does_not_depend_on_the_order_of_hosts(self) -> None:
        counts = [(f"h{n}", n % 5) for n in range(100)]
        mixed = random.Random(4).sample(counts, len(counts))
        self.assertEqual(place_hosts(counts, 7, 0), place_hosts(mixed, 7, 0))


class Publication(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="emblem-place-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.target = self.folder / "part"
        self.fs = pyarrow.fs.LocalFileSystem()

    def made(self, name: str) -> Path:
        made = self.folder / name
        made.mkdir()
        (made / "summary.json").write_text(json.dumps({"by": name}))
        return made

    def test_the_second_attempt_returns_the_summary_of_the_published_part(self) -> None:
        for name in ("first", "second"):
            summary = put_in_place(self.fs, str(self.made(name)), str(self.target), {"by": name})
            self.assertEqual(summary, {"by": "first"})
        self.assertEqual(json.loads((self.target / "summary.json").read_text()), {"by": "first"})
        self.assertEqual([path.name for path in self.folder.iterdir()], ["part"])

    def test_a_part_never_replaces_a_part_that_is_published_at_the_same_time(self) -> None:
        """The existence check of both attempts finds no part, so the rename must fail."""
        put_in_place(self.fs, str(self.made("first")), str(self.target), {"by": "first"})

        real = self.fs
        answers = iter([pyarrow.fs.FileType.NotFound])

        class Late:
            """A file system whose first check does not see the first part."""

            def get_file_info(self, path: str) -> object:
                kind = next(answers, None)
                return SimpleNamespace(type=kind) if kind is not None else real.get_file_info(path)

            def __getattr__(self, name: str) -> object:
                return getattr(real, name)

        second = str(self.made("second"))
        summary = put_in_place(Late(), second, str(self.target), {"by": "second"})
        self.assertEqual(summary, {"by": "first"})
        self.assertEqual(json.loads((self.target / "summary.json").read_text()), {"by": "first"})


class Frames(unittest.TestCase):
    def test_a_row_announces_the_size_of_its_image(self) -> None:
        row = Row(7, encode_columns({"id": "ä", "value": None}), b"\x89PNG")
        self.assertEqual(
            b"".join(row.frame()), b'{"key":7,"bytes":4,"id":"\xc3\xa4","value":null}\n\x89PNG\n'
        )

    def test_columns_cannot_replace_members_of_the_protocol(self) -> None:
        row = Row(7, encode_columns({"bytes": 9, "Bytes": 9, "KEY": 1, "note": {"BYTES": "bytes"}}))
        (line,) = row.frame()
        self.assertEqual(json.loads(line), {"key": 7, "note": {"BYTES": "bytes"}})
        self.assertNotIn(b'"bytes"', line.lower())

    def test_answers_are_parsed_and_a_truncated_answer_is_an_error(self) -> None:
        first = b'{"key":1,"outputs":[{"bytes":3},{"bytes":0}]}\nabc'
        whole = list(read_answers(io.BytesIO(first + b'{"key":2,"outputs":[]}\n')))
        self.assertEqual([answer.pictures for answer in whole], [[b"abc", b""], []])
        for end in range(1, len(first)):
            with self.assertRaises(CutOffError, msg=f"cut at {end}"):
                list(read_answers(io.BytesIO(first[:end])))


if __name__ == "__main__":
    unittest.main()
