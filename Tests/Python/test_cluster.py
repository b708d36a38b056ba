"""Tests that Spark with two executors gives the same results as one machine."""

import contextlib
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import pyspark
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

import emblemkit.spark
import support
from emblemkit.spark.hosts import host_of, spread_by_host

ROWS = int(os.environ.get("EMBLEM_SPARK_ROWS", "1000"))
MASTER = "local-cluster[2,1,2048]"
COLUMNS = "id string, source string, label string, hint string, layout string, merchant string"
POISONED = "row-00014"


class Cluster(unittest.TestCase):
    """A cluster with two executors, with speculation, and with a shim that crashes at one row."""

    @classmethod
    def setUpClass(cls) -> None:
        holds = contextlib.ExitStack()
        cls.addClassCleanup(holds.close)
        cls.folder = Path(holds.enter_context(tempfile.TemporaryDirectory(prefix="emblem-spark-")))
        port, paths = holds.enter_context(support.picture_server())
        cls.table = support.rows(ROWS, port, paths)
        cls.expected = support.one_machine(cls.table, cls.folder, support.LOOK)
        cls.spark = holds.enter_context(cls.session())
        cls.df = cls.frame(cls.table)

    @classmethod
    @contextlib.contextmanager
    def session(cls):  # noqa: ANN206
        os.environ["PYSPARK_PYTHON"] = sys.executable
        home = os.environ["SPARK_HOME"] = str(Path(pyspark.__file__).parent)
        waits = cls.folder / "waits"
        waits.mkdir()
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
        os.environ["PYSPARK_SUBMIT_ARGS"] = (
            f'--driver-java-options "{support.QUICK_JAVA}" pyspark-shell'
        )
        settings = {
            "spark.executor.extraJavaOptions": support.QUICK_JAVA,
            "spark.sql.codegen.wholeStage": "false",
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.sql.shuffle.partitions": "4",
            "spark.local.dir": str(cls.folder / "local"),
            "spark.speculation": "true",
            "spark.speculation.quantile": "0.5",
            "spark.speculation.multiplier": "3",
            "spark.speculation.interval": "100ms",
            "spark.speculation.minTaskRuntime": "2s",
            "spark.executorEnv.EMBLEM_PROGRAM": str(support.SHIM),
            "spark.executorEnv.EMBLEM_REAL": support.EMBLEM,
            "spark.executorEnv.EMBLEM_SHIM_WAIT": str(waits),
        }
        os.environ["EMBLEM_PROGRAM"] = support.EMBLEM
        builder = SparkSession.builder.master(MASTER).appName("emblem-tests")
        spark = builder.config(map=settings).getOrCreate()
        spark.sparkContext.setLogLevel("OFF")
        application = spark.sparkContext.applicationId
        emblemkit.spark.ship(spark)
        try:
            yield spark
        finally:
            spark.stop()
            shutil.rmtree(Path(home, "work", application), ignore_errors=True)

    @classmethod
    def frame(cls, table: list[dict[str, str | None]]) -> DataFrame:
        names = [column.split()[0] for column in COLUMNS.split(", ")]
        rows = [tuple(row[name] for name in names) for row in table]
        # Several partitions, like those of a list with many blocks.
        return cls.spark.createDataFrame(rows, COLUMNS).repartition(4)

    def assert_same(
        self, result: DataFrame, pictures: bool = True, but: set[str] | None = None
    ) -> None:
        """Compares each record with that of one machine, and its images with their digests.

        Members that depend on other rows (`index`, `row`, `line`) are excluded.
        Each key must have one record.
        """
        seen: set[str] = set()
        for row in result.select("key", "item", "outputs").collect():
            self.assertNotIn(row["key"], seen, "a row has two records")
            seen.add(row["key"])
            if row["key"] == but:
                continue
            record = json.loads(row["item"])
            expected = self.expected[row["key"]]
            self.assertEqual(
                row["item"], json.dumps(expected, ensure_ascii=False, separators=(",", ":"))
            )
            for output, made in zip(record["outputs"], row["outputs"], strict=True):
                self.assertEqual(output["path"], made["path"])
                if pictures:
                    digest = hashlib.sha256(made["data"]).hexdigest()
                    self.assertEqual(digest, output["sha256"])
        self.assertEqual(seen, set(self.expected))

    def test_a_table_with_images_equals_that_of_one_machine(self) -> None:
        result = emblemkit.spark.process(self.df, words=support.LOOK)
        out = str(self.folder / "table")
        result.write.parquet(out)
        self.assert_same(self.spark.read.parquet(out))
        schema = self.spark.read.parquet(out).schema
        self.assertEqual(schema, result.schema)

    def test_a_table_can_have_image_bytes_and_urls(self) -> None:
        local = {
            row["id"]: Path(row["source"]).read_bytes()
            for row in self.table
            if str(row["source"]).startswith("/") and Path(row["source"]).exists()
        }
        given = self.spark.createDataFrame(list(local.items()), "id string, picture binary")
        # For a row with image bytes, the source is only a name and is never opened.
        df = self.df.join(given, "id", "left")
        result = emblemkit.spark.process(df, picture="picture", words=[*support.LOOK])
        self.assert_same(result)

    def test_images_are_read_from_hadoop_file_systems(self) -> None:
        uri = (support.SAMPLES / "logos").as_uri()
        df = emblemkit.spark.read_pictures(self.spark, uri, glob="*.png")
        result = emblemkit.spark.process(df, picture="picture", words=support.LOOK).collect()
        self.assertEqual(len(result), len(support.pictures("logos", "png")))
        for row in result:
            self.assertEqual(row["status"], "ok")
            path = row["key"].removeprefix("file:")
            self.assertEqual(
                row["input"]["sha256"], hashlib.sha256(Path(path).read_bytes()).hexdigest()
            )

    def test_all_rows_of_a_host_are_in_one_partition(self) -> None:
        spread = spread_by_host(self.df, partitions=6)
        self.assertEqual(spread.hosts, support.HOSTS)
        self.assertEqual(spread.rows, ROWS)
        where = spread.df.select(host_of(F.col("source")).alias("host"), F.spark_partition_id())
        pairs = {tuple(row) for row in where.distinct().collect()}
        hosts = [host for host, _ in pairs if host]
        self.assertEqual(len(hosts), len(set(hosts)))
        self.assertGreater(len({number for _, number in pairs}), 4)

    def test_files_of_a_disturbed_run_equal_those_of_an_undisturbed_run(self) -> None:
        """An executor is killed, and one row kills each process that receives it."""
        table = [dict(row) for row in self.table]
        poisoned = next(row for row in table if row["id"] == POISONED)
        poisoned["hint"] = "dies here"
        out = self.folder / "disturbed"
        killed: list[int] = []
        killer = threading.Thread(target=self.kill_one_executor, args=(out, killed))
        for sign in (self.folder / "waits").iterdir():
            sign.unlink()
        killer.start()
        record = emblemkit.spark.write(
            self.frame(table), str(out), kind="files", partitions=12, words=support.LOOK
        )
        killer.join()
        self.assertTrue(killed, "no executor was killed")
        result = emblemkit.spark.read_result(self.spark, str(out))
        self.assert_same(result, pictures=False, but=POISONED)
        row = result.where(F.col("key") == POISONED).collect()[0]
        self.assertEqual(row["error"]["class"], "crashed")
        self.assertEqual(row["status"], "placeholder")
        self.assertEqual(record["rows"], ROWS)
        self.assertEqual(record["rows_blamed"], 1)
        # Killed processes left a start mark but are not counted in the record.
        begun = len(list((self.folder / "waits").glob("begun-*")))
        self.assertGreater(begun, record["processes"])
        self.assertEqual(
            sorted(path.name for path in out.iterdir()), ["options.json", "parts", "run.json"]
        )
        for part in sorted((out / "parts").iterdir()):
            verified = subprocess.run(
                [support.EMBLEM, "verify", part], capture_output=True, text=True, check=False
            )
            self.assertEqual(verified.returncode, 0, verified.stderr + verified.stdout)
        self.assert_no_orphans()

    def kill_one_executor(self, out: Path, killed: list[int]) -> None:
        """Waits for two published parts, and kills an executor that has just started a process."""
        deadline = time.monotonic() + 300
        known: set[int] = set()
        while time.monotonic() < deadline:
            parts = out / "parts"
            begun = set(support.processes_of(support.EMBLEM))
            if parts.is_dir() and len(list(parts.iterdir())) >= 2:
                for process in begun - known:
                    executor = self.executor_of(process)
                    if executor:
                        os.kill(executor, signal.SIGKILL)
                        killed.append(executor)
                        return
            known = begun
            time.sleep(0.005)

    def executor_of(self, process: int) -> int | None:
        """Returns the executor among the ancestors of a process, or None."""
        with contextlib.suppress(OSError, ValueError):
            while process > 1:
                if self.is_executor(Path("/proc", str(process))):
                    return process
                stat = Path("/proc", str(process), "stat").read_text()
                process = int(stat.rpartition(")")[2].split()[1])
        return None

    def is_executor(self, process: Path) -> bool:
        with contextlib.suppress(OSError):
            command = (process / "cmdline").read_bytes()
            application = self.spark.sparkContext.applicationId.encode()
            return b"CoarseGrainedExecutorBackend" in command and application in command
        return False

    def assert_no_orphans(self) -> None:
        deadline = time.monotonic() + 20
        while left := support.processes_of(support.EMBLEM):
            if time.monotonic() > deadline:
                self.fail(f"{len(left)} processes of the tool still run: {left}")
            time.sleep(0.1)

    def test_a_stopped_run_is_resumed(self) -> None:
        out = str(self.folder / "resumed")
        half = self.frame(self.table[: ROWS // 2])
        emblemkit.spark.write(half, out, partitions=3, words=support.LOOK)
        with self.assertRaises(emblemkit.spark.ResultExistsError):
            emblemkit.spark.write(self.df, out, words=support.LOOK)
        with self.assertRaises(emblemkit.spark.OptionsChangedError):
            emblemkit.spark.write(self.df, out, resume=True, words=[*support.LOOK, "--palette"])
        shutil.rmtree(Path(out, "parts", "part-0-00001"))
        lost = ROWS // 2 - emblemkit.spark.read_result(self.spark, out).count()
        record = emblemkit.spark.write(self.df, out, resume=True, words=support.LOOK)
        self.assertEqual(record["rows"], ROWS - ROWS // 2 + lost)
        self.assertEqual(record["skipped"], ROWS // 2 - lost)
        self.assert_same(emblemkit.spark.read_result(self.spark, out))
        self.assertEqual(
            emblemkit.spark.write(self.df, out, resume=True, words=support.LOOK)["rows"], 0
        )

    def test_wrong_options_are_rejected_before_the_job_starts(self) -> None:
        out = self.folder / "refused"
        with self.assertRaisesRegex(emblemkit.spark.StreamFailedError, "gigantic"):
            emblemkit.spark.write(self.df, str(out), layout="gigantic")
        self.assertFalse(out.exists())
        with self.assertRaisesRegex(ValueError, "no column 'nothing'"):
            emblemkit.spark.process(self.df, key="nothing")


if __name__ == "__main__":
    unittest.main()
