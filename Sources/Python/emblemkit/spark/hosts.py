# SPDX-License-Identifier: Apache-2.0
"""Partitioning by host, which applies `--per-host` to the whole cluster.

A process limits its own connections per host. If all rows of a host are in one partition, and one
process handles the partition, the limit applies to the cluster.
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

from pyspark.sql import Column, DataFrame, Observation
from pyspark.sql import functions as F  # noqa: N812

# The number of hosts that are assigned individually. Smaller hosts are assigned by hash.
_PLACED_HOSTS = 10_000
_HOST = r"^[Hh][Tt][Tt][Pp][Ss]?://(?:[^/?#@]*@)?(\[[^\]/]*\]|[^/:?#\[]*)"


@dataclass(slots=True)
class Spread:
    """A table that is partitioned by host, with facts about the hosts."""

    df: DataFrame
    partitions: int
    hosts: int
    rows: int
    heaviest: tuple[str, int] | None
    """The host with the most rows, which sets the minimum duration of the job."""


def host_of(source: Column) -> Column:
    """Returns the host of a URL in lower case; empty if the source is not a URL."""
    return F.lower(F.regexp_extract(F.coalesce(source, F.lit("")), _HOST, 1))


def place_hosts(counts: Sequence[tuple[str, int]], partitions: int, base: float) -> dict[str, int]:
    """Returns the partition of each host. Assigns large hosts first, to the least loaded partition.

    `base` is the number of other rows in every partition. The heaviest partition has the lowest
    number, because Spark starts partitions in order and the longest one must not start last.
    """
    heap = [(base, number) for number in range(partitions)]
    placed: dict[str, int] = {}
    loads = [base] * partitions
    for host, rows in sorted(counts, key=lambda entry: (-entry[1], entry[0])):
        load, number = heapq.heappop(heap)
        placed[host] = number
        loads[number] = load + rows
        heapq.heappush(heap, (load + rows, number))
    order = sorted(range(partitions), key=lambda number: (-loads[number], number))
    rank = {number: position for position, number in enumerate(order)}
    return {host: rank[number] for host, number in placed.items()}


def spread_by_host(
    df: DataFrame, *, source: str = "source", key: str = "id", partitions: int | None = None
) -> Spread:
    """Returns the table with all rows of a host in one partition.

    Each partition is sorted by its keys, so that a repeated task sees its rows in the same order.
    Costs a pass that counts hosts, and a shuffle of the rows. The default is one partition per
    5,000 rows, and at least two per core.
    """
    spark = df.sparkSession
    host = host_of(F.col(source))
    facts = Observation()
    counted = df.groupBy(host.alias("_host")).count()
    counted = counted.observe(
        facts,
        F.coalesce(F.sum("count"), F.lit(0)).alias("rows"),
        F.count(F.when(F.col("_host") != "", 1)).alias("hosts"),
    )
    top = counted.where("_host != ''").orderBy(F.desc("count"), "_host").limit(_PLACED_HOSTS)
    heavy = [(str(row["_host"]), int(row["count"])) for row in top.collect()]
    rows, hosts = int(facts.get["rows"]), int(facts.get["hosts"])
    if partitions is None:
        cores = spark.sparkContext.defaultParallelism
        partitions = max(2 * cores, -(-rows // 5_000))
    partitions = max(1, min(partitions, rows))
    base = (rows - sum(count for _, count in heavy)) / partitions
    placed = place_hosts(heavy, partitions, base)
    laid = df.withColumn("_host", host)
    by_hash = F.when(F.col("_host") != "", F.xxhash64("_host")).otherwise(F.xxhash64(key))
    part = F.pmod(by_hash, F.lit(partitions)).cast("int")
    if placed:
        table = spark.createDataFrame(list(placed.items()), "_host string, _part int")
        laid = laid.join(F.broadcast(table), "_host", "left")
        part = F.coalesce("_part", part)
    laid = laid.withColumn("_part", part)
    # The partition number is explicit, because Spark's hash or its coalescing of small partitions
    # would change the assignment.
    laid = laid.repartitionById(partitions, "_part").drop("_part", "_host")
    laid = laid.sortWithinPartitions(key)
    return Spread(laid, partitions, hosts, rows, heavy[0] if heavy else None)
