#!/usr/bin/env python3
"""A model of the duration of a list on a cluster, compared with a seeded simulation.

    spark-model.py [--seed N] [--cpu S] [--overhead S] …
    spark-model.py --drawn N [--seed N] …

SCALE.md describes the model: the duration is bounded by the work, by waiting for hosts, or by the
heaviest host. The simulation assigns hosts to partitions as the package does (`place_hosts`), and
computes the time of each partition from its hosts and its machine. It runs the partitions on slots
in order, with machines of different speed and with stragglers. The script prints both results. With
`--drawn` the cases are random too, so that they cannot be chosen to fit the model.
"""

import argparse
import heapq
import json
import math
import random
import sys
from dataclasses import dataclass
from pathlib import Path

HOME = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HOME / "Sources/Python"))


# One task in a hundred is slower by a factor from this range.
STRAGGLERS, STRAGGLES = 0.01, (2, 5)


@dataclass
class Facts:
    """The measured and assumed inputs, each of which is a flag."""

    cpu: float
    overhead: float
    bytes_in: int
    bytes_out: int
    row_bytes: int
    latency: float
    per_host: int
    start: float
    core_hour: float


@dataclass
class Case:
    rows: int
    hosts: int
    skew: float
    cores: int
    partition_rows: int
    connections: int = 64


def zipf_counts(case, draw):
    """Returns the number of rows per host by Zipf's law; fractions are rounded at random."""
    weights = [1 / (rank + 3) ** case.skew for rank in range(case.hosts)]
    total = sum(weights)
    counts = [case.rows * weight / total for weight in weights]
    return [int(count) + (draw.random() < count - int(count)) for count in counts]


def latencies(count, facts, draw):
    """Returns the seconds per transfer of each host; one host in a hundred is twenty times slower."""
    return [
        facts.latency * math.exp(draw.gauss(0, 0.6)) * (20 if draw.random() < 0.01 else 1)
        for _ in range(count)]


def partition_seconds(work, hosts, case, facts):
    """Returns the longest of the CPU time, the time of all connections, and the time of one host."""
    waits = sum(rows * latency for rows, latency in hosts)
    alone = max((rows * latency / facts.per_host for rows, latency in hosts), default=0)
    return max(work, waits / case.connections, alone)


def laid_out(case, facts, draw):
    """Returns the hosts of each partition, and the rows and latencies of all hosts.

    The largest hosts are assigned individually, and the others at random, as the package's hash does.
    """
    from emblemkit.spark.hosts import _PLACED_HOSTS, place_hosts

    counts = zipf_counts(case, draw)
    waits = latencies(case.hosts, facts, draw)
    number = max(2 * case.cores, -(-case.rows // case.partition_rows))
    heavy = [(f"{rank:09d}", rows) for rank, rows in enumerate(counts[:_PLACED_HOSTS])]
    base = sum(counts[_PLACED_HOSTS:]) / number
    placed = place_hosts(heavy, number, base)
    parts = [[] for _ in range(number)]
    for rank, (rows, wait) in enumerate(zip(counts, waits)):
        if rows:
            name = f"{rank:09d}"
            part = placed[name] if name in placed else draw.randrange(number)
            parts[part].append((rows, wait))
    return parts, counts, waits


def simulated(case, facts, parts, draw, speculation):
    """Returns the seconds until the last task has ended, and the duration of each task."""
    slots = [(0.0, slot) for slot in range(case.cores)]
    heapq.heapify(slots)
    speeds = [math.exp(draw.gauss(0, 0.1)) for _ in range(case.cores)]
    durations, end = [], 0.0
    for hosts in parts:
        begin, slot = heapq.heappop(slots)
        rows = sum(rows for rows, _ in hosts)
        work = facts.start + rows * (facts.cpu + facts.overhead) / speeds[slot]
        seconds = partition_seconds(work, hosts, case, facts)
        # A few tasks run on a machine with other load.
        if draw.random() < STRAGGLERS:
            slow = seconds * draw.uniform(*STRAGGLES)
            # A speculative copy starts after 1.5 times the normal time and takes the normal time.
            seconds = min(slow, 1.5 * seconds + seconds) if speculation else slow
        durations.append(seconds)
        heapq.heappush(slots, (begin + seconds, slot))
        end = max(end, begin + seconds)
    return end, durations


def modelled(case, facts, counts, waits):
    """Returns the minimum and the maximum duration in seconds, and the kind of the bound.

    A task lasts as long as its work or its slowest host. The minimum spreads all tasks evenly over
    the slots, or is the time of the heaviest host. The maximum is Graham's bound for slots that are
    never idle while a task waits; its longest task is that of the heaviest host, or a straggler.
    """
    rows, hosts = sum(counts), len(counts)
    partitions = max(2 * case.cores, -(-case.rows // case.partition_rows))
    work = rows / partitions * (facts.cpu + facts.overhead) + facts.start
    all_waits = sum(count * wait for count, wait in zip(counts, waits))
    shared = max(work, all_waits / partitions / case.connections)
    alone = sorted(count * wait / facts.per_host for count, wait in zip(counts, waits))
    # The expected time of the slowest host of a task, but at least the time that all its hosts share.
    drawn, below, task = hosts / partitions, 0.0, 0.0
    for rank, seconds in enumerate(alone, 1):
        share = (rank / hosts) ** drawn
        task += (share - below) * max(seconds, shared)
        below = share
    spread = partitions * task / case.cores
    pure = partitions * work / case.cores
    least = max(spread, alone[-1])
    longest = max(alone[-1], STRAGGLES[1] * shared)
    most = (1 + STRAGGLERS * (sum(STRAGGLES) / 2 - 1)) * spread + (1 - 1 / case.cores) * longest
    bound = "host" if alone[-1] > spread else "waiting" if spread > 1.2 * pure else "work"
    return least, most, bound


def compared(case, facts, seed):
    draw = random.Random(seed)
    parts, counts, waits = laid_out(case, facts, draw)
    seconds, durations = simulated(case, facts, parts, random.Random(seed + 1), False)
    copied, _ = simulated(case, facts, parts, random.Random(seed + 1), True)
    least, most, bound = modelled(case, facts, counts, waits)
    durations.sort()
    return {
        "rows": case.rows, "hosts": case.hosts, "skew": case.skew, "cores": case.cores,
        "connections": case.connections, "partitions": len(parts), "heaviest_host": max(counts),
        "bound": bound,
        "model_least": round(least, 1),
        "model_most": round(most, 1),
        "simulated": round(seconds, 1),
        "with_speculation": round(copied, 1),
        "task_p50": round(durations[len(durations) // 2], 1),
        "task_max": round(durations[-1], 1),
    }


def drawn_case(draw):
    """Returns a random case, with sizes spread evenly over their orders of magnitude."""
    rows = int(10 ** draw.uniform(4.5, 6.7))
    return Case(
        rows, int(min(rows / 4, 10 ** draw.uniform(2, 5.5))), round(draw.uniform(0, 1.3), 2),
        draw.choice([2, 4, 8, 16, 32, 64]), draw.choice([1_000, 5_000, 20_000, 50_000]),
        draw.choice([16, 64, 256]))


def report_drawn(count, seed, facts):
    """Prints how often the bounds of the model contain the simulated time of random cases."""
    draw = random.Random(seed)
    found = [compared(drawn_case(draw), facts, seed + 1 + number) for number in range(count)]
    inside = [
        row for row in found if row["model_least"] <= row["simulated"] <= row["model_most"]]
    by_bound = {}
    for row in found:
        counts = by_bound.setdefault(row["bound"], [0, 0])
        counts[0] += row in inside
        counts[1] += 1
    for row in found:
        if row not in inside:
            print("  ".join(f"{name} {value}" for name, value in row.items()))
    ratios = sorted(row["simulated"] / row["model_least"] for row in found)
    print(f"{len(inside)} of {count} between the bounds: " + ", ".join(
        f"{bound} {hits} of {all_}" for bound, (hits, all_) in sorted(by_bound.items())))
    print(
        f"simulated to least: {ratios[0]:.2f} to {ratios[-1]:.2f}, median {ratios[count // 2]:.2f}, "
        f"nine in ten below {ratios[count * 9 // 10]:.2f}")


def priced(rows, cores, facts):
    """Returns the hours and the price of the cores for a list that no host delays."""
    work = rows * (facts.cpu + facts.overhead)
    hours = work / cores / 3600
    return {
        "rows": rows, "cores": cores, "core_hours": round(work / 3600, 1),
        "hours": round(hours, 2), "money": round(work / 3600 * facts.core_hour, 2),
        "in_tb": round(rows * facts.bytes_in / 1e12, 3),
        "out_tb": round(rows * facts.bytes_out / 1e12, 3),
        "shuffle_gb": round(rows * facts.row_bytes / 1e9, 1),
        "gbit_per_second": round(rows * facts.bytes_in * 8 / (work / cores) / 1e9, 2),
        "largest_host_rows": int(hours * 3600 * facts.per_host / facts.latency),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cpu", type=float, default=0.0021, help="CPU seconds per item of the tool")
    parser.add_argument("--overhead", type=float, default=0.0015, help="CPU seconds per item of Spark")
    parser.add_argument("--bytes-in", type=int, default=20_000)
    parser.add_argument("--bytes-out", type=int, default=8_000)
    parser.add_argument("--row-bytes", type=int, default=150, help="bytes of a row in the shuffle")
    parser.add_argument("--latency", type=float, default=0.3, help="seconds per transfer")
    parser.add_argument("--per-host", type=int, default=6)
    parser.add_argument("--start", type=float, default=0.2, help="seconds to start a task")
    parser.add_argument("--core-hour", type=float, default=0.05, help="price, in any currency")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--drawn", type=int, default=0, help="run only this number of random cases")
    chosen = vars(parser.parse_args())
    seed, as_json, drawn = (chosen.pop(name) for name in ("seed", "json", "drawn"))
    facts = Facts(**chosen)
    if drawn:
        report_drawn(drawn, seed, facts)
        return
    cases = [
        Case(100_000, 2_000, 0.8, 8, 5_000),
        Case(1_000_000, 200_000, 0.3, 16, 5_000),
        Case(1_000_000, 200_000, 0.3, 16, 5_000, 256),
        Case(1_000_000, 20_000, 0.6, 16, 5_000),
        Case(1_000_000, 20_000, 0.6, 16, 20_000),
        Case(1_000_000, 20_000, 1.0, 16, 5_000),
        Case(1_000_000, 20_000, 1.2, 16, 5_000),
        Case(10_000_000, 500_000, 0.6, 64, 10_000),
        Case(10_000_000, 500_000, 1.0, 64, 10_000),
    ]
    found = {
        "seed": seed, "facts": chosen,
        "simulated": [compared(case, facts, seed) for case in cases],
        "priced": [
            priced(10**6, 16, facts), priced(10**8, 128, facts), priced(10**10, 2_048, facts)],
    }
    if as_json:
        print(json.dumps(found, indent=1))
        return
    for name in ("simulated", "priced"):
        print("\n" + "  ".join(found[name][0]))
        for row in found[name]:
            print("  ".join(str(value) for value in row.values()))


if __name__ == "__main__":
    main()
