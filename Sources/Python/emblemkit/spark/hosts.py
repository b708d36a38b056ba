# SPDX-License-Identifier: Apache-2.0
"""Rows of one host together, hosts spread: politeness across the cluster.

`--per-host` holds inside a process. With every row of a host in one partition, and a partition
in one process, it holds for the cluster.
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

from pyspark.sql import Column, DataFrame, Observation
from pyspark.sql import functions as F  # noqa: N812

# The number of hosts that are placed individually; the remaining small ones are placed by hash.
_PLACED_HOSTS = 10_000
_HOST = r"^[Hh][Tt][Tt][Pp][Ss]?://(?:[^/?#@]*@)?(\[[^\]/]*\]|[^/:?#\[]*)"


@dataclass(slots=True)
class Spread:
    """A table laid out by host, and what is known of the hosts."""

    df: DataFrame
    partitions: int
    hosts: int
    rows: int
    heaviest: tuple[str, int] | None
    """The host with most rows: it alone bounds how soon the list can be done."""


def host_of(source: Column) -> Column:
    """The host of an address in lower case; empty for whatever is none."""
    return F.lower(F.regexp_extract(F.coalesce(source, F.lit("")), _HOST, 1))


def place_hosts(counts: Sequence[tuple[str, int]], partitions: int, base: float) -> dict[str, int]:
    """A partition for each host: the largest first, each where least is so far.

    `base` is what every partition holds beside these. Partitions are numbered from the heaviest,
    since Spark begins with the first: what takes longest must not begin last.
    """
    heap = [(base, number) for number in range(partitions)]
    placed: dict[str, int] = {}
    loads = [base] * partitions
    for host, rows in sorted(counts, key=lambda one: (-one[1], one[0])):
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
    """The table with all rows of a host in one partition, and each partition in the order of its
    keys, so that a repeated task sees its rows as the first one did.

    Costs a pass that counts hosts, and a shuffle of the rows. Without a number of partitions there
    is one for every 5,000 rows, and two for every core at least.
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
    # The partition number is explicit, so that neither Spark's hash nor its coalescing of small
    # partitions mixes them.
    laid = laid.repartitionById(partitions, "_part").drop("_part", "_host")
    laid = laid.sortWithinPartitions(key)
    return Spread(laid, partitions, hosts, rows, heavy[0] if heavy else None)
