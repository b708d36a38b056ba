# SPDX-License-Identifier: Apache-2.0
"""The run record of a job, computed from the published parts."""

import sys
import time
from collections.abc import Sequence
from typing import Any

import pyspark
from pyspark.sql import SparkSession

from ..frames import Record
from .hosts import Spread

_SUMMED = (
    "rows",
    "ok",
    "placeholder",
    "failed",
    "canceled",
    "outputs",
    "bytes_in",
    "bytes_out",
    "processes",
    "process_deaths",
    "rows_blamed",
    "cpu_seconds",
)


def run_record(
    parts: Sequence[Record],
    *,
    begin: float,
    options: Sequence[str],
    kind: str,
    tool: str | None,
    run: int,
    skipped: int,
    spread: Spread | None,
    spark: SparkSession,
    package: str | None,
    counters: dict[str, int],
) -> Record:
    """Returns counts, rates, quantiles of the parts, errors by class, and the environment.

    Each part is counted once, from its published attempt. `counted` has the values of the
    accumulators, which include repeated tasks.
    """
    seconds = time.time() - begin
    sums: dict[str, Any] = {name: sum(part[name] for part in parts) for name in _SUMMED}
    errors: dict[str, int] = {}
    for part in parts:
        for name, count in part["errors"].items():
            errors[name] = errors.get(name, 0) + count
    return {
        "schema": "emblem.spark-run/1",
        "tool": tool,
        "package": package,
        "run": run,
        "seconds": round(seconds, 3),
        **sums,
        "cpu_seconds": round(sums["cpu_seconds"], 3),
        "rows_per_second": round(sums["rows"] / seconds, 1) if seconds else 0,
        "skipped": skipped,
        "errors": dict(sorted(errors.items())),
        "parts": len(parts),
        "part_seconds": _quantiles([part["seconds"] for part in parts]),
        "part_rows": _quantiles([part["rows"] for part in parts]),
        "peak_process_kilobytes": max(
            (part["peak_process_kilobytes"] for part in parts), default=0
        ),
        "slowest_parts": [
            {"part": part["part"], "rows": part["rows"], "seconds": part["seconds"]}
            for part in sorted(parts, key=lambda part: -part["seconds"])[:10]
        ],
        "hosts": spread.hosts if spread else None,
        "heaviest_host_rows": spread.heaviest[1] if spread and spread.heaviest else None,
        "counted": counters,
        "kind": kind,
        "options": list(options),
        "spark": {
            "version": pyspark.__version__,
            "python": sys.version.split()[0],
            "master": spark.sparkContext.master,
            "application": spark.sparkContext.applicationId,
            "cores": spark.sparkContext.defaultParallelism,
            "speculation": spark.conf.get("spark.speculation", "false"),
        },
    }


def _quantiles(values: Sequence[float]) -> Record:
    if not values:
        return {"count": 0}
    ordered = sorted(values)

    def at(share: float) -> float:
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    return {
        "count": len(ordered),
        "mean": round(sum(ordered) / len(ordered), 3),
        "p50": at(0.5),
        "p90": at(0.9),
        "p99": at(0.99),
        "max": ordered[-1],
    }
