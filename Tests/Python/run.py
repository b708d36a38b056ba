#!/usr/bin/env python3
"""A script that checks and tests the Python package in a separate Python environment.

    run.py ENVIRONMENT [--rows N] [--stream-rows N] [TEST…]

Makes the environment if it does not exist, with the dependencies and checkers in pyproject.toml.
`EMBLEM_PROGRAM` and `EMBLEM_DATASET` select programs other than those built in this tree.
"""

import argparse
import os
import subprocess
import sys
import time
import tomllib
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
HOME = HERE.parents[1]
PACKAGE = HOME / "Sources/Python"
# Exact versions, so that a new release of a package cannot change the results.
PINNED = (
    "pyspark==4.3.0",
    "pyarrow==26.0.1",
    "pandas==2.3.3",
    "polars==2.1.0",
    "pre_commit==4.7.0",
    "zizmor==1.32.0",
    "check-jsonschema==0.39.0",
    "moto[s3,server]==5.2.5",
)

# All tests without a cluster, and the cluster test with all kinds of failures.
BRIEF = [
    "test_api",
    "test_wheel",
    "test_workflows",
    "test_schemas",
    "test_parts",
    "test_supervisor",
    "test_stream",
    "test_buckets",
    "test_cluster.Cluster.test_files_of_a_disturbed_run_equal_those_of_an_undisturbed_run",
]


def provide(environment: Path) -> Path:
    """Makes the environment if necessary, and returns its Python."""
    python = environment / "bin/python"
    stamp = environment / "provided"
    facts = (PACKAGE / "pyproject.toml").read_text()
    wanted = "\n".join(PINNED) + "\n" + facts
    if not stamp.exists() or stamp.read_text() != wanted:
        print(f"Installing PySpark and moto in {environment}", flush=True)
        subprocess.run([sys.executable, "-m", "venv", environment], check=True)
        # The package itself is not installed, because its sources are tested.
        checks = tomllib.loads(facts)["project"]["optional-dependencies"]["check"]
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PINNED, *checks], check=True)
        stamp.write_text(wanted)
    return python


class TimedResult(unittest.TextTestResult):
    """A test result that prints the duration of each test."""

    def startTest(self, test: unittest.TestCase) -> None:  # noqa: N802
        self._begin = time.perf_counter()
        super().startTest(test)

    def addSuccess(self, test: unittest.TestCase) -> None:  # noqa: N802
        unittest.TestResult.addSuccess(self, test)
        self.stream.writeln(f"ok, {time.perf_counter() - self._begin:.1f} s")


def run(names: list[str]) -> int:
    """Runs the tests in this process, and returns the exit code."""
    sys.path[:0] = [str(HERE), str(PACKAGE), str(HOME / "Benchmarks")]
    loader = unittest.defaultTestLoader
    suite = loader.loadTestsFromNames(names) if names else loader.discover(str(HERE))
    runner = unittest.TextTestRunner(verbosity=2, resultclass=TimedResult)
    return 0 if runner.run(suite).wasSuccessful() else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("environment", type=Path)
    parser.add_argument("--rows", type=int, default=1_000)
    parser.add_argument("--stream-rows", type=int, default=20_000)
    parser.add_argument("--brief", action="store_true", help="only the tests of every build")
    parser.add_argument("--only-provide", action="store_true", help="only make the environment")
    parser.add_argument("tests", nargs="*")
    chosen = parser.parse_intermixed_args()
    python = provide(chosen.environment.absolute())
    if chosen.only_provide:
        return 0
    if Path(sys.prefix) != chosen.environment.absolute():
        os.execv(python, [str(python), __file__, *sys.argv[1:]])
    for check in (["ruff", "check"], ["ruff", "format", "--check"]):
        subprocess.run([python, "-m", *check, "--quiet", PACKAGE, HERE], check=True)
    types = [python, "-m", "mypy", "--config-file", PACKAGE / "pyproject.toml"]
    subprocess.run([*types, PACKAGE / "emblemkit"], check=True)
    os.environ["EMBLEM_SPARK_ROWS"] = str(chosen.rows)
    os.environ["EMBLEM_STREAM_ROWS"] = str(chosen.stream_rows)
    return run(chosen.tests or (BRIEF if chosen.brief else []))


if __name__ == "__main__":
    sys.exit(main())
