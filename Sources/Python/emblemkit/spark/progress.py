# SPDX-License-Identifier: Apache-2.0
"""Progress output of a job on standard error."""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TextIO

from pyspark.sql import SparkSession

from .counters import Counters


@dataclass(slots=True)
class Progress:
    """A printer of progress lines at a fixed interval."""

    every_seconds: float = 2.0
    to: TextIO = sys.stderr

    @contextmanager
    def watching(self, spark: SparkSession, counters: Counters) -> Iterator[None]:
        """Prints the counters while the body of the `with` statement runs."""
        is_over, begin = threading.Event(), time.monotonic()

        def watch() -> None:
            while not is_over.wait(self.every_seconds):
                self._print(spark, counters, time.monotonic() - begin)

        watcher = threading.Thread(target=watch, name="emblem-progress", daemon=True)
        watcher.start()
        try:
            yield
        finally:
            is_over.set()
            watcher.join()
            self._print(spark, counters, time.monotonic() - begin)

    def _print(self, spark: SparkSession, counters: Counters, seconds: float) -> None:
        now = counters.values()
        tasks = done = 0
        tracker = spark.sparkContext.statusTracker()
        for stage in tracker.getActiveStageIds():
            info = tracker.getStageInfo(stage)
            if info is not None:
                tasks, done = tasks + info.numTasks, done + info.numCompletedTasks
        line = (
            f"emblem: {now['rows']:,} rows, {now['rows'] / max(seconds, 0.001):,.0f}/s, "
            f"{now['placeholders']:,} placeholders, {now['bytes_in'] / 1e6:,.0f} MB in, "
            f"{now['bytes_out'] / 1e6:,.0f} MB out"
        )
        if tasks:
            line += f"; {done} of {tasks} tasks"
        print(line, file=self.to, flush=True)
