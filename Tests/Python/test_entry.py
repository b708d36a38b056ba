"""Tests of the program for spark-submit, with the tool in an archive."""

import csv
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

import pyspark

import support

MASTER = "local-cluster[2,1,1024]"


class Entry(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="emblem-entry-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "conf").mkdir()
        shutil.copy(support.HOME / "Benchmarks/log4j2.properties", self.folder / "conf")
        self.list = self.folder / "logos.csv"
        self.logos = support.pictures("logos", "png")
        with self.list.open("w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(["merchant", "logo", "label"])
            rows.writerows([n, path, f'"{path.stem}", plc'] for n, path in enumerate(self.logos))
            rows.writerow([900, "/there/is/nothing.png", ""])

    def archive(self) -> Path:
        """Packs the tool as for a cluster."""
        target = self.folder / "emblem.tar.gz"
        with tarfile.open(target, "w:gz", compresslevel=1) as tar:
            tar.add(Path(support.EMBLEM).resolve(), "emblem-0.0.0-linux-x86_64/bin/emblem")
        return target

    def submit(self, *options: object) -> subprocess.CompletedProcess[str]:
        package = support.HOME / "Sources/Python"
        home = Path(pyspark.__file__).parent
        environment = {
            **os.environ,
            "PYSPARK_PYTHON": sys.executable,
            "PYTHONPATH": str(package),
            "SPARK_HOME": str(home),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_CONF_DIR": str(self.folder / "conf"),
        }
        # Only the archive contains the program.
        environment.pop("EMBLEM_PROGRAM", None)
        settings = [
            "spark.ui.enabled=false",
            "spark.ui.showConsoleProgress=false",
            f"spark.driver.extraJavaOptions={support.QUICK_JAVA}",
            f"spark.executor.extraJavaOptions={support.QUICK_JAVA}",
        ]
        return subprocess.run(
            [home / "bin/spark-submit", "--master", MASTER]
            + [word for setting in settings for word in ("--conf", setting)]
            + ["--archives", f"{self.archive()}#emblem", package / "submit.py", *map(str, options)],
            env=environment,
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    def test_a_list_becomes_files_and_a_run_record(self) -> None:
        out = self.folder / "out"
        given = ["--list", self.list, "--out", out, "--target", "files", "--key", "merchant"]
        columns = ["--columns", "source=logo,id=merchant"]
        first = self.submit(*given, *columns, "--", "--layout", "small", "--retries", "0")
        self.assertEqual(first.returncode, 0, first.stdout + first.stderr)
        self.assertIn(f"{len(self.logos) + 1} rows in", first.stdout)
        # spark-submit writes both streams of Python to its standard output.
        self.assertIn(" rows, ", first.stdout)
        record = json.loads((out / "run.json").read_text())
        self.assertEqual(record["rows"], len(self.logos) + 1)
        self.assertEqual(record["errors"], {"not_found": 1})
        self.assertEqual(record["counted"]["rows"], record["rows"])
        names = sorted(path.name for path in out.glob("parts/*/small/*.png"))
        self.assertEqual(names, sorted([f"{n}.png" for n in range(len(self.logos))] + ["900.png"]))
        labels = set()
        for manifest in out.glob("parts/*/manifest.ndjson"):
            lines = [json.loads(line) for line in manifest.read_text().splitlines()]
            self.assertEqual(lines[0]["options"]["layout"], ["small"])
            self.assertEqual(lines[-1]["items"], len(lines) - 2)
            labels |= {line.get("accessibility", {}).get("label") for line in lines[1:-1]}
        self.assertIn(f'"{self.logos[0].stem}", plc', labels)

        second = self.submit(*given, *columns, "--", "--layout", "small", "--retries", "0")
        self.assertEqual(second.returncode, 64)
        self.assertIn("holds a result", second.stdout)


if __name__ == "__main__":
    unittest.main()
