"""A test in which a speculative copy of a task finishes before the task.

Spark starts no copy on the host of the first attempt, and `local-cluster` has only one host. The
test therefore starts a master and two workers on separate loopback addresses.
"""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from collections.abc import Iterator
from pathlib import Path

import pyspark

import support
from tool_shim import WAIT_SECONDS

SPARK = Path(pyspark.__file__).parent
PARTS = 6
ROWS = 60


class Speculation(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="emblem-copies-", ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for name in ("conf", "events", "waits", "work"):
            (self.folder / name).mkdir()
        shutil.copy(support.HOME / "Benchmarks/log4j2.properties", self.folder / "conf")
        holds = contextlib.ExitStack()
        self.addCleanup(holds.close)
        self.master = holds.enter_context(self.cluster())

    @contextlib.contextmanager
    def cluster(self) -> Iterator[str]:
        """Runs a master and two workers; yields the address of the master."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        master = f"spark://127.0.0.1:{port}"
        processes = [self.daemon("master.Master", "127.0.0.1", "--port", port, "--webui-port", "0")]
        try:
            for address in ("127.0.0.2", "127.0.0.3"):
                options = ("--cores", 1, "--memory", "1g", "--webui-port", "0", master)
                processes.append(self.daemon("worker.Worker", address, *options))
            yield master
        finally:
            for process in processes:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGTERM)
            for process in processes:
                process.wait(timeout=30)

    def daemon(self, name: str, address: str, *options: object) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [SPARK / "bin/spark-class", f"org.apache.spark.deploy.{name}", "--host", address]
            + [str(option) for option in options],
            env={
                **self.environment(),
                "SPARK_LOCAL_IP": address,
                "SPARK_WORKER_DIR": str(self.folder / "work"),
                "SPARK_DAEMON_JAVA_OPTS": support.QUICK_JAVA,
                "SPARK_DAEMON_MEMORY": "256m",
            },
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "PYSPARK_PYTHON": sys.executable,
            "PYTHONPATH": str(support.HOME / "Sources/Python"),
            "SPARK_HOME": str(SPARK),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_CONF_DIR": str(self.folder / "conf"),
            "EMBLEM_PROGRAM": support.EMBLEM,
        }

    def test_a_copy_that_finishes_before_its_task_leaves_one_part(self) -> None:
        table = support.rows(ROWS, 1, ["never-asked"])
        logos = support.pictures("logos", "png")
        for number, row in enumerate(table):
            row.update(source=str(logos[number % len(logos)]), layout=None)
        expected = support.one_machine(table, self.folder, support.LOOK)
        (self.folder / "waits" / "armed").touch()
        begin = time.monotonic()
        done = self.submit()
        seconds = time.monotonic() - begin
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        self.assertTrue((self.folder / "waits" / "waited").exists(), "no task waited")
        self.assertEqual(len(self.overtaken()), 1, "no copy finished before its task")
        # The first attempt was still waiting when the job finished.
        self.assertLess(seconds, WAIT_SECONDS)
        parts = sorted((self.folder / "out" / "parts").iterdir())
        found = [record for part in parts for record in support.items_of(part)]
        self.assertEqual(len(found), ROWS)
        self.assertEqual({record["id"]: record for record in found}, expected)
        for part in parts:
            subprocess.run([support.EMBLEM, "verify", part], check=True, stdout=subprocess.DEVNULL)
        names = {path.name for path in (self.folder / "out").iterdir()}
        self.assertEqual(names, {"options.json", "parts", "run.json"})

    def submit(self) -> subprocess.CompletedProcess[str]:
        settings = {
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.executor.memory": "768m",
            "spark.driver.extraJavaOptions": support.QUICK_JAVA,
            "spark.executor.extraJavaOptions": support.QUICK_JAVA,
            "spark.local.dir": str(self.folder / "local"),
            "spark.eventLog.enabled": "true",
            "spark.eventLog.dir": (self.folder / "events").as_uri(),
            "spark.eventLog.rolling.enabled": "false",
            "spark.eventLog.compress": "false",
            "spark.speculation": "true",
            "spark.speculation.quantile": "0.5",
            "spark.speculation.multiplier": "2",
            "spark.speculation.interval": "100ms",
            "spark.speculation.minTaskRuntime": "1s",
            "spark.executorEnv.EMBLEM_PROGRAM": str(support.SHIM),
            "spark.executorEnv.EMBLEM_REAL": support.EMBLEM,
            "spark.executorEnv.EMBLEM_SHIM_WAIT": str(self.folder / "waits"),
        }
        return subprocess.run(
            [SPARK / "bin/spark-submit", "--master", self.master]
            + [word for pair in settings.items() for word in ("--conf", "=".join(pair))]
            + [support.HOME / "Sources/Python/submit.py", "--list", self.folder / "rows.ndjson"]
            + ["--out", self.folder / "out", "--target", "files", "--partitions", str(PARTS)]
            + ["--quiet", "--", *support.LOOK],
            env=self.environment(),
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=400,
            check=False,
        )

    def overtaken(self) -> list[tuple[int, int]]:
        """Returns the tasks whose copy succeeded and whose first attempt did not, from Spark's log.

        Spark logs the end of a cancelled attempt only if the job still runs at that time.
        """
        reasons: dict[tuple[int, int], dict[bool, str]] = {}
        for log in (self.folder / "events").iterdir():
            for line in log.read_text().splitlines():
                event = json.loads(line)
                if event["Event"] == "SparkListenerTaskEnd":
                    info, end = event["Task Info"], event["Task End Reason"]["Reason"]
                    task = event["Stage ID"], info["Index"]
                    reasons.setdefault(task, {})[info["Speculative"]] = end
        return [
            task
            for task, ends in reasons.items()
            if ends.get(True) == "Success" and ends.get(False) != "Success"
        ]
