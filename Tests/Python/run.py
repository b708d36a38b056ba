#!/usr/bin/env python3
"""A script that checks and tests the Python package in a separate Python environment.

    run.py ENVIRONMENT [--rows N] [--stream-rows N] [TEST…]

Makes the environment if it does not exist, with the checkers in pyproject.toml; the packages of
Spark only for tests that need them. `EMBLEM_PROGRAM` selects another tool than that built here.
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
PLAIN = ("pandas==2.3.3", "polars==2.1.0", "pyarrow==26.0.1", "jsonschema==4.26.0", "pyyaml==6.0.4")
# The packages of the tests that `--brief` leaves out.
CLUSTER = ("pyspark==4.3.0", "fsspec==2026.9.0")
BRIEF = ["test_api", "test_stream", "test_wheel", "test_workflows", "test_schemas"]


def provide(environment: Path, packages: list[str]) -> Path:
    """Makes the environment if necessary, and returns its Python."""
    python = environment / "bin/python"
    stamp = environment / "provided"
    has = set(stamp.read_text().splitlines()) if stamp.exists() else set()
    if missing := [package for package in packages if package not in has]:
        print(f"Installing {', '.join(missing)} in {environment}", flush=True)
        subprocess.run([sys.executable, "-m", "venv", environment], check=True)
        # The package itself is not installed, because its sources are tested.
        subprocess.run([python, "-m", "pip", "install", "--quiet", *missing], check=True)
        stamp.write_text("\n".join(sorted(has | set(missing))))
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
    parser.add_argument("--brief", action="store_true", help="only the tests without a cluster")
    parser.add_argument("--only-provide", action="store_true", help="only make the environment")
    parser.add_argument("tests", nargs="*")
    chosen = parser.parse_intermixed_args()
    checks = tomllib.loads((PACKAGE / "pyproject.toml").read_text())
    packages = [*PLAIN, *checks["project"]["optional-dependencies"]["check"]]
    packages += [] if chosen.brief else CLUSTER
    python = provide(chosen.environment.absolute(), packages)
    if chosen.only_provide:
        return 0
    if Path(sys.prefix) != chosen.environment.absolute():
        os.execv(python, [str(python), __file__, *sys.argv[1:]])
    for check in (["ruff", "check"], ["ruff", "format", "--check"]):
        subprocess.run([python, "-m", *check, "--quiet", PACKAGE, HERE], check=True)
    modules = sorted((PACKAGE / "emblemkit").glob("*.py"))
    modules = [path for path in modules if path.name != "spark.py" or not chosen.brief]
    types = [python, "-m", "mypy", "--config-file", PACKAGE / "pyproject.toml"]
    subprocess.run([*types, *modules], check=True)
    os.environ["EMBLEM_SPARK_ROWS"] = str(chosen.rows)
    os.environ["EMBLEM_STREAM_ROWS"] = str(chosen.stream_rows)
    return run(chosen.tests or (BRIEF if chosen.brief else []))


if __name__ == "__main__":
    sys.exit(main())
