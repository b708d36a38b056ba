"""Tests of `--metrics` with Debian's node exporter and with the parser of Prometheus's client."""

import re
import subprocess
import tempfile
import unittest
import urllib.request
from pathlib import Path

from prometheus_client.openmetrics import parser as openmetrics
from prometheus_client.parser import text_string_to_metric_families

import support

EXPORTER = "prometheus-node-exporter"
Series = dict[tuple[str, frozenset[tuple[str, str]]], float]


def series(families: object) -> Series:
    """Returns the value of each series by its name and labels."""
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in families
        for sample in family.samples
    }


class Metrics(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="emblem-metrics-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.textfiles = self.folder / "textfiles"
        self.textfiles.mkdir()
        rows = [*support.pictures("logos", "png"), "/there/is/nothing.png", "http://127.0.0.1:9/x"]
        (self.folder / "list.txt").write_text("".join(f"{row}\n" for row in rows))

    def run_batch(self, metrics: Path) -> str:
        command = [support.EMBLEM, "batch", "--list", "list.txt", "-o", "out", "--quiet"]
        options = ["--layout", "small", "--cache", "none", "--allow-private", "--retries", "0"]
        subprocess.run([*command, *options, "--metrics", metrics], cwd=self.folder, check=True)
        return metrics.read_text()

    def scrape(self) -> str:
        """Returns one scrape of a node exporter that reads only the text files."""
        command = [
            EXPORTER,
            "--web.listen-address=127.0.0.1:0",
            "--web.disable-exporter-metrics",
            "--collector.disable-defaults",
            "--collector.textfile",
            f"--collector.textfile.directory={self.textfiles}",
        ]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as exporter:
            try:
                found = None
                while not found:
                    line = exporter.stderr.readline()
                    self.assertTrue(line, "node exporter ended before it listened")
                    found = re.search(r"address=(127\.0\.0\.1:\d+)", line)
                with urllib.request.urlopen(f"http://{found[1]}/metrics", timeout=60) as answer:
                    return answer.read().decode()
            finally:
                exporter.terminate()

    def test_node_exporter_shows_every_series_of_the_file(self) -> None:
        path = self.textfiles / "emblem.prom"
        text = self.run_batch(path)
        written = series(openmetrics.text_string_to_metric_families(text))
        failed = ("emblem_errors_total", frozenset({("class", "not_found")}))
        self.assertEqual(written[failed], 1)
        self.assertGreater(len(written), 50)
        scraped = self.scrape()
        shown = series(text_string_to_metric_families(scraped))
        self.assertEqual({key: shown.get(key) for key in written}, written)
        self.assertEqual(shown["node_textfile_scrape_error", frozenset()], 0)
        time = ("node_textfile_mtime_seconds", frozenset({("file", str(path))}))
        self.assertEqual(shown[time], int(path.stat().st_mtime))
        # Counters of OpenMetrics have no type in the older format that node exporter reads.
        types = dict(re.findall(r"^# TYPE (emblem_\w+) (\w+)$", scraped, re.M))
        gauges = ("emblem_run_seconds", "emblem_peak_resident_bytes")
        self.assertEqual({types.pop(name) for name in gauges}, {"gauge"})
        self.assertEqual(types.pop("emblem_stage_seconds"), "summary")
        self.assertEqual(set(types.values()), {"untyped"})
        self.assertTrue(all(name.endswith("_total") for name in types))

    def test_the_documented_label_keeps_two_lists_on_one_machine_apart(self) -> None:
        page = (support.DOCUMENTATION / "RunRecord.md").read_text()
        script = re.search(r"^sed -E .*\nmv .*\n", page, re.M)[0]
        text = self.run_batch(self.folder / "m")
        written = series(openmetrics.text_string_to_metric_families(text))
        for name in ("brands", "shops"):
            (self.textfiles / f"{name}.txt").write_text(text)
            command = ["bash", "-ec", script.replace("brands", name)]
            subprocess.run(command, cwd=self.textfiles, check=True)
            labelled = (self.textfiles / f"{name}.prom").read_text()
            self.assertEqual(
                series(openmetrics.text_string_to_metric_families(labelled)),
                {(key, labels | {("list", name)}): one for (key, labels), one in written.items()},
            )
        shown = series(text_string_to_metric_families(self.scrape()))
        self.assertEqual(shown["node_textfile_scrape_error", frozenset()], 0)
        for name in ("brands", "shops"):
            for (key, labels), value in written.items():
                self.assertEqual(shown[key, labels | {("list", name)}], value)


if __name__ == "__main__":
    unittest.main()
