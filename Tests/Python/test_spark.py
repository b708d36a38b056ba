"""Tests that Spark gives the results of one machine, whatever happens to its executors.

Spark starts no speculative copy on the host of the first attempt, and `local-cluster` has only one
host. The tests therefore start a master and two workers on separate loopback addresses.
"""

import contextlib
import hashlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from collections.abc import Iterator
from pathlib import Path

import pyspark
from pyspark.sql import DataFrame, SparkSession

import emblemkit.spark
import support
from tool_shim import WAIT_SECONDS

ROWS = int(os.environ.get("EMBLEM_SPARK_ROWS", "1000"))
SPARK = Path(pyspark.__file__).parent
COLUMNS = ("id", "source", "label", "layout", "merchant")
SCHEMA = ", ".join(f"{name} string" for name in COLUMNS)
KILLED_TOOLS = 4
EXECUTOR = "CoarseGrainedExecutorBackend"


class Spark(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        holds = contextlib.ExitStack()
        cls.addClassCleanup(holds.close)
        folder = tempfile.TemporaryDirectory(prefix="emblem-spark-", ignore_cleanup_errors=True)
        cls.folder = Path(holds.enter_context(folder))
        (cls.folder / "conf").mkdir()
        (cls.folder / "conf/log4j2.properties").write_text("rootLogger.level = off\n")
        port, paths = holds.enter_context(support.picture_server())
        cls.table = support.rows(ROWS, port, paths)
        cls.expected = support.one_machine(cls.table, cls.folder / "one-machine")
        os.environ |= {
            "EMBLEM_PROGRAM": support.EMBLEM,
            "PYSPARK_PYTHON": sys.executable,
            "PYSPARK_SUBMIT_ARGS": f'--driver-java-options "{support.QUICK_JAVA}" pyspark-shell',
            "SPARK_CONF_DIR": str(cls.folder / "conf"),
            "SPARK_HOME": str(SPARK),
            "SPARK_LOCAL_IP": "127.0.0.1",
        }
        master = holds.enter_context(cls.cluster())
        cls.spark = holds.enter_context(cls.session(master))
        cls.df = cls.frame(cls.table)

    @classmethod
    @contextlib.contextmanager
    def cluster(cls) -> Iterator[str]:
        """Runs a master and two workers; yields the address of the master."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        master = f"spark://127.0.0.1:{port}"
        processes = [cls.daemon("master.Master", "127.0.0.1", "--port", port, "--webui-port", "0")]
        try:
            for address in ("127.0.0.2", "127.0.0.3"):
                options = ("--cores", 1, "--memory", "2g", "--webui-port", "0", master)
                processes.append(cls.daemon("worker.Worker", address, *options))
            yield master
        finally:
            for process in processes:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGTERM)
            for process in processes:
                process.wait(timeout=30)

    @classmethod
    def daemon(cls, name: str, address: str, *options: object) -> subprocess.Popen[bytes]:
        settings = {
            "SPARK_LOCAL_IP": address,
            "SPARK_WORKER_DIR": str(cls.folder / "work"),
            "SPARK_DAEMON_JAVA_OPTS": support.QUICK_JAVA,
            "SPARK_DAEMON_MEMORY": "256m",
        }
        return subprocess.Popen(
            [SPARK / "bin/spark-class", f"org.apache.spark.deploy.{name}", "--host", address]
            + [str(option) for option in options],
            env={**os.environ, **settings},
            cwd=cls.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    @classmethod
    @contextlib.contextmanager
    def session(cls, master: str) -> Iterator[SparkSession]:
        settings = {
            "spark.executor.extraJavaOptions": support.QUICK_JAVA,
            "spark.executor.memory": "1g",
            "spark.local.dir": str(cls.folder / "local"),
            "spark.sql.shuffle.partitions": "4",
            "spark.task.maxFailures": str(KILLED_TOOLS + 4),
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.speculation": "true",
            "spark.speculation.quantile": "0.5",
            "spark.speculation.multiplier": "3",
            "spark.speculation.interval": "100ms",
            "spark.speculation.minTaskRuntime": "2s",
            "spark.executorEnv.PYTHONPATH": str(support.PACKAGE),
            "spark.executorEnv.EMBLEM_PROGRAM": str(support.SHIM),
            "spark.executorEnv.EMBLEM_REAL": support.EMBLEM,
            "spark.executorEnv.EMBLEM_SHIM_WAIT": str(cls.folder),
        }
        builder = SparkSession.builder.master(master).appName("emblem-tests")
        spark = builder.config(map=settings).getOrCreate()
        spark.sparkContext.setLogLevel("OFF")
        try:
            yield spark
        finally:
            spark.stop()

    @classmethod
    def frame(cls, table: list[dict[str, str | None]]) -> DataFrame:
        rows = [tuple(row[name] for name in COLUMNS) for row in table]
        # Several partitions, like those of a list with many blocks.
        return cls.spark.createDataFrame(rows, SCHEMA).repartition(4)

    def assert_written(
        self, out: Path, summary: dict[str, object], expected: dict[str, dict[str, object]]
    ) -> None:
        """Checks that a folder has exactly the records and files of one machine."""
        records = {}
        for record in support.items_of(out):
            self.assertNotIn(record["id"], records, "a row has two records")
            for output in record["outputs"]:
                output["path"] = output["path"].partition("/")[2]
            records[record["id"]] = record
        self.assertEqual(records, expected)
        self.assertEqual(summary["items"], len(expected))
        lines = (out / "manifest.ndjson").read_text().splitlines()
        self.assertEqual(json.loads(lines[-1]), summary)
        places = [json.loads(line)["index"] for line in lines[1:-1]]
        self.assertEqual(places, list(range(len(expected))))
        named = sum(len(record["outputs"]) for record in records.values())
        self.assertEqual(sum(path.is_file() for path in out.rglob("*")), named + 1)
        done = subprocess.run(
            [support.EMBLEM, "verify", out], capture_output=True, text=True, check=False
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def assert_no_orphans(self) -> None:
        deadline = time.monotonic() + 20
        while left := support.processes_of(f"{self.folder}/emblem\0stream"):
            self.assertLess(time.monotonic(), deadline, f"the processes {left} still run")
            time.sleep(0.1)

    def test_a_table_with_images_equals_that_of_one_machine(self) -> None:
        result = emblemkit.spark.emblems(self.df, **support.LOOK)
        seen = set()
        for row in result.collect():
            self.assertNotIn(row["key"], seen, "a row has two records")
            seen.add(row["key"])
            expected = self.expected[row["key"]]
            self.assertEqual(json.loads(row["item"]), expected)
            self.assertEqual(row["status"], expected["status"])
            for output, made in zip(expected["outputs"], row["outputs"], strict=True):
                digest = hashlib.sha256(made["data"]).hexdigest()
                self.assertEqual(digest, output["sha256"])
        self.assertEqual(seen, set(self.expected))

    def test_a_binary_column_has_the_images_and_other_rows_load_their_source(self) -> None:
        files = support.pictures("logos", "png")
        images = [(n, str(path), path.read_bytes()) for n, path in enumerate(files)]
        rows = [*images, (7, str(files[0]), None), (8, str(files[0]), b"no image")]
        df = self.spark.createDataFrame(rows, "number int, path string, content binary")
        columns = {"source": "path"}
        made = emblemkit.spark.emblems(df, key="number", columns=columns, layout="small")
        found = {row["key"]: row for row in made.collect()}
        self.assertEqual(set(found), {row[0] for row in rows})
        for number, path, content in images:
            digest = hashlib.sha256(content).hexdigest()
            self.assertEqual(found[number]["input"]["sha256"], digest)
            self.assertEqual((found[number]["source"], found[number]["id"]), (path, str(number)))
        self.assertEqual((found[7]["status"], found[7]["outputs"][0]["height"]), ("ok", 40))
        self.assertEqual(found[8]["error"]["class"], "not_image")

    def test_a_folder_written_while_workers_are_killed_equals_that_of_one_machine(self) -> None:
        out = self.folder / "disturbed"
        is_over = threading.Event()
        killed: list[str] = []
        killer = threading.Thread(target=self.kill, args=(killed, is_over))
        killer.start()
        summary = emblemkit.spark.write(self.df.repartition(12), str(out), **support.LOOK)
        is_over.set()
        killer.join()
        self.assertEqual(killed.count("tool"), KILLED_TOOLS)
        self.assertEqual(killed.count("executor"), 1)
        self.assert_written(out, summary, self.expected)
        self.assert_no_orphans()

    def kill(self, killed: list[str], is_over: threading.Event) -> None:
        """Kills some processes of the tool, and an executor after the first two."""
        draw = random.Random(ROWS)
        while len(killed) <= KILLED_TOOLS and not is_over.wait(draw.uniform(0.05, 0.4)):
            is_executor = len(killed) == 2
            application = self.spark.sparkContext.applicationId
            words = (EXECUTOR, application) if is_executor else (f"{self.folder}/emblem\0stream",)
            if found := support.processes_of(*words):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(draw.choice(found), signal.SIGKILL)
                    killed.append("executor" if is_executor else "tool")

    def test_a_speculative_copy_that_wins_leaves_one_part(self) -> None:
        logos = support.pictures("logos", "png")
        table = [dict(row) for row in self.table[:60]]
        for number, row in enumerate(table):
            row.update(source=str(logos[number % len(logos)]), layout=None)
        expected = support.one_machine(table, self.folder / "calm")
        (self.folder / "armed").touch()
        out, begin = self.folder / "copied", time.monotonic()
        # The URL of a local folder is opened by fsspec.
        summary = emblemkit.spark.write(
            self.frame(table).repartition(6), out.as_uri(), **support.LOOK
        )
        self.assertLess(time.monotonic() - begin, WAIT_SECONDS)
        self.assertTrue((self.folder / "waited").exists(), "no task waited")
        self.assert_written(out, summary, expected)
        with self.assertRaisesRegex(emblemkit.spark.FolderInUseError, "manifest"):
            emblemkit.spark.write(self.frame(table), str(out), **support.LOOK)

    @unittest.skipUnless(os.geteuid() == 0, "mounting a small disk needs root")
    def test_a_full_disk_leaves_no_manifest_and_the_next_job_is_whole(self) -> None:
        out = self.folder / "disk"
        out.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", out], check=True)
        self.addCleanup(subprocess.run, ["umount", "--lazy", out], check=True)
        with self.assertRaisesRegex(Exception, "No space left on device"):
            emblemkit.spark.write(self.df, str(out), **support.LOOK)
        self.assertFalse((out / "manifest.ndjson").exists())
        subprocess.run(["mount", "-o", "remount,size=1g", out], check=True)
        self.assert_no_orphans()
        summary = emblemkit.spark.write(self.df, str(out), **support.LOOK)
        self.assert_written(out, summary, self.expected)

    def test_a_table_without_rows_gives_a_manifest_without_items(self) -> None:
        out = self.folder / "empty"
        summary = emblemkit.spark.write(self.df.limit(0), str(out), **support.LOOK)
        self.assert_written(out, summary, {})
        self.assertEqual([path.name for path in out.iterdir()], ["manifest.ndjson"])

    def test_wrong_options_and_columns_are_rejected_before_the_job_starts(self) -> None:
        out = self.folder / "refused"
        with self.assertRaisesRegex(emblemkit.ToolError, "gigantic"):
            emblemkit.spark.write(self.df, str(out), layout="gigantic")
        self.assertFalse(out.exists())
        with self.assertRaisesRegex(ValueError, "no column 'nothing'"):
            emblemkit.spark.emblems(self.df, key="nothing")
        with self.assertRaisesRegex(ValueError, "no column has the sources"):
            emblemkit.spark.emblems(self.df.drop("source"))


if __name__ == "__main__":
    unittest.main()
