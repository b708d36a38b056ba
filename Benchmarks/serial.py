#!/usr/bin/env python3
"""A measurement of the serial parts of a run, and of the number of cores at which each is the limit.

`perf` samples all threads of all processes by CPU time, with two jobs and with 32, over files and over
URLs of this machine, with isolation and without. A simulation with the measured costs covers machines
with more cores. Its results for one and two cores are compared with measurements. See METHOD.md.
"""

import argparse
import collections
import heapq
import os
import random
import re
import shlex
import shutil
import statistics
import tempfile

from Harness import lists, records, samples, servers
from Harness.places import EMBLEM, GENERATED, provide_data, scratch_place
from Harness.runs import once, run_facts

GOAL = 32
SIZES = ["--layout", "large", "--scale", "2"]
# A sample belongs to the run's task if its innermost match is a call of the task and not of a job.
TASK = re.compile(
    r"^\$s(6Engine6WindowO|6Engine9LookAhead|5Batch0A3RunV5slide|5Batch0A3RunV5State|5Batch7Journal)")
JOB = re.compile(
    r"^\$s(6Engine3JobV|6Render8Renderer|6Worker0A12Conversation|5Batch6Outlet|5Batch8ItemLineV5bytes|5Batch9RunMemoryV)")
HELP = re.compile(r"RunExecutorC11helperWorks")
# The part of samples with unknown callers: functions of the C library keep no frame pointer.
TORN = "torn"
LINE_CALL = re.compile(r"^(__libc_recv|epoll_wait)$")
# The functions that hold each lock. They hold it for part of their time, so the cost is an upper bound.
LOCKS = {
    "lock of the executor's queue": r"^\$s6Engine11RunExecutorC(7enqueue|4turn)",
    "lock of the workers' roster": r"^\$s6Worker0A9PoolStateV",
    "lock of the permits": r"^\$s6Render7Permits",
    "lock of the stage table": r"^\$s5Gauge10StageTableC6record",
    "lock of the run's counts": r"^\$s5Batch(9RunCounts|9RunTally|8RunCount)",
    "lock of the transfer queue": r"^\$s9Transport13TransferQueueC(4post|4send|7collect|11hasMessages)",
    "lock of the lanes' orders": r"^\$s9Transport12TransferLaneC(4tell|7collect|9hasOrders)",
    "lock of the folder (kernel)": r"^(do_renameat2|lookup_open|do_unlinkat|do_linkat)$",
    "lock of the memory map (kernel)": r"^(__x64_sys_munmap|ksys_mmap_pgoff|__x64_sys_madvise|__x64_sys_brk)$",
}
LOCKS = {name: re.compile(pattern) for name, pattern in LOCKS.items()}
LANE = re.compile(r"^emblem-net-\d+$")
SERIAL = ("plan and journal", "thread of the workers", "thread of the network", "busiest lane of the network")
OTHERS = "other lanes of the network"


def part(sample, parent):
    """Returns the part of the work that a sample belongs to."""
    if sample.process != parent:
        return "rendering"
    if sample.thread == "emblem-net":
        return SERIAL[2]
    if LANE.match(sample.thread):
        return sample.thread
    for call in sample.calls:
        if JOB.match(call):
            return "parent"
        if TASK.match(call):
            return SERIAL[0]
    if sample.thread == "emblem-workers" and not any(HELP.search(call) for call in sample.calls):
        # The thread that starts an item sends the request, so a send is work of the parent.
        if "__send" in sample.calls:
            return "parent"
        is_whole = any(call == "start_thread" or LINE_CALL.match(call) for call in sample.calls)
        return SERIAL[1] if is_whole else TORN
    return "start" if sample.thread == "emblem" else "parent"


def counted(command, scratch, output, items):
    """Samples a run; returns microseconds per item by part and lock, and milliseconds for the start."""
    shutil.rmtree(output, ignore_errors=True)
    parent, found = samples.sampled(command, scratch)
    parts = dict.fromkeys(("rendering", "parent", *SERIAL), 0)
    locks, lanes, there = dict.fromkeys(LOCKS, 0), collections.Counter(), collections.Counter()
    start, torn = 0, 0
    for sample in found:
        name = part(sample, parent)
        if name == "start":
            start += 1
            continue
        if LANE.match(name):
            lanes[name] += 1
        elif name == TORN:
            torn += 1
        else:
            parts[name] += 1
            there[name] += sample.thread == "emblem-workers"
        if sample.process == parent:
            for lock, pattern in LOCKS.items():
                locks[lock] += any(pattern.match(call) for call in sample.calls)
    # Samples with unknown callers, such as malloc and free, are distributed over the parts of this
    # thread in proportion.
    for name, count in there.items():
        parts[name] += torn * count / max(1, there.total())
    # Only the busiest network lane can be the bottleneck.
    parts[SERIAL[3]] = max(lanes.values(), default=0)
    parts[OTHERS] = lanes.total() - parts[SERIAL[3]]
    micro = 1e6 / samples.RATE / items
    return {
        "parts": {name: count * micro for name, count in parts.items()},
        "locks": {name: count * micro for name, count in locks.items() if count},
        "start_ms": start * 1e3 / samples.RATE, "samples": len(found)}


def mean_of(counts):
    """Returns the mean of several counts of the same run."""
    def mean(field):
        names = sorted({name for count in counts for name in count[field]})
        return {
            name: round(statistics.mean(count[field].get(name, 0) for count in counts), 2)
            for name in names}

    return {
        "parts": mean("parts"), "locks": mean("locks"),
        "start_ms": round(statistics.mean(count["start_ms"] for count in counts), 1),
        "samples": sum(count["samples"] for count in counts)}


def simulated(cost, cores, items=3_000):
    """Simulates a number of cores; returns microseconds per item.

    Each step needs a core, and some steps also need a thread or a lock. An item passes the plan, the
    parent, the workers' thread and a renderer, and then the same parts in reverse order. A free core
    takes the step that has waited longest among those that can run. The rendering time varies between
    items as it does among logos; the other steps take their mean.
    """
    dice = random.Random(1)
    parts, locks = cost["parts"], cost["locks"]
    held = sum(locks.values())
    threads = max(2, cores // 2) + 1
    room = {name: 1 for name in (*SERIAL, *locks)} | {"parent": threads, "renderers": cores}

    def steps():
        rendering = parts["rendering"] * dice.lognormvariate(-0.32, 0.8)
        half = max(0, parts["parent"] - held) / 2
        keeper, network, lane = (parts[name] / 2 for name in SERIAL[1:])
        # With isolation, the parent has few threads. Otherwise all work runs on one thread per core.
        is_apart = parts["rendering"] > 0
        there = [
            (SERIAL[0], parts[SERIAL[0]] / 2), (SERIAL[2], network), (SERIAL[3], lane),
            ("parent" if is_apart else "renderers", half if is_apart else half * 2 * dice.lognormvariate(
                -0.32, 0.8)),
            *((name, time / 2) for name, time in locks.items())]
        back = [
            (SERIAL[1], keeper), *((name, time / 2) for name, time in locks.items()),
            *([("parent", half)] if is_apart else []), (SERIAL[3], lane), (SERIAL[2], network),
            (SERIAL[0], parts[SERIAL[0]] / 2)]
        whole = [*there, (SERIAL[1], keeper), ("renderers", rendering), *back]
        return [step for step in whole if step[1] > 0]

    waiting = {name: [] for name in room}
    free, clock, begun, ended, ends, order = cores, 0.0, 0, 0, [], 0
    window = 4 * cores

    def arrive(item):
        nonlocal order
        order += 1
        heapq.heappush(waiting[item[0][0]], (order, item))

    while ended < items:
        while begun < items and begun - ended < window:
            begun += 1
            arrive(steps())
        while free:
            able = [name for name, queue in waiting.items() if queue and room[name]]
            if not able:
                break
            name = min(able, key=lambda queue: waiting[queue][0][0])
            number, item = heapq.heappop(waiting[name])
            room[name] -= 1
            free -= 1
            heapq.heappush(ends, (clock + item[0][1], number, name, item[1:]))
        clock, _, name, rest = heapq.heappop(ends)
        room[name] += 1
        free += 1
        if rest:
            arrive(rest)
        else:
            ended += 1
    return clock / items


def bounds(cost, whole):
    """Returns the number of cores at which each serial part is always busy."""
    serial = {name: cost["parts"][name] for name in SERIAL} | cost["locks"]
    return {name: round(whole / time, 1) for name, time in serial.items() if time > 0}


def measured(command, output, rounds):
    """Returns the measured microseconds per item on one core and on two, without the start."""
    found = {}
    for cores, mask in ((1, "0"), (2, "0,1")):
        seconds = {}
        for limit in (100, 1_000):
            runs = [
                once(["taskset", "-c", mask, *command(cores, limit)], output)["seconds"]
                for _ in range(rounds)]
            seconds[limit] = statistics.median(runs)
        found[cores] = round((seconds[1_000] - seconds[100]) / 900 * 1e6, 1)
    return found


def measure(words, options, rounds, scratch):
    output = os.path.join(scratch, "out")

    def command(jobs, limit=None):
        return [
            EMBLEM, "batch", *words, "-o", output, *SIZES, *options, "--jobs", str(jobs), "--quiet",
            *(["--limit", str(limit)] if limit else [])]

    once(command(2), output)
    items = run_facts(output)["items"]
    costs = {
        jobs: mean_of([counted(command(jobs), scratch, output, items) for _ in range(rounds)])
        for jobs in (2, GOAL)}
    times = measured(command, output, rounds)
    # The start of 32 workers on two cores must not count as a cost per item.
    whole = sum(costs[2]["parts"].values())
    parts = costs[GOAL]["parts"]
    wide = costs[GOAL] | {"parts": parts | {
        "rendering": costs[2]["parts"]["rendering"],
        "parent": costs[2]["parts"]["parent"] + parts[OTHERS]}}
    model = {cores: round(simulated(costs[2], cores), 1) for cores in (1, 2)}
    model |= {cores: round(simulated(wide, cores), 1) for cores in (4, 8, 16, 32, 64, 128)}
    return {
        "items": items, "cost": {str(jobs): cost for jobs, cost in costs.items()},
        "binds": {str(jobs): bounds(cost, whole) for jobs, cost in costs.items()},
        "measured_us": {str(cores): time for cores, time in times.items()},
        "model_us": {str(cores): time for cores, time in model.items()}}


def report(works):
    rows, model, says = [], [], []
    for name, work in works.items():
        for jobs, cost in work["cost"].items():
            whole = sum(cost["parts"].values())
            for thing, time in (cost["parts"] | cost["locks"]).items():
                cores = work["binds"][jobs].get(thing)
                if time >= 0.5:
                    rows.append([
                        name, thing, jobs, f"{time:.1f}", f"{100 * time / whole:.1f} %",
                        "" if cores is None else f"{cores:.0f}"])
        one = work["model_us"]["1"]
        model.append([
            name, "", *(f"{one / work['model_us'][cores]:.1f}" for cores in work["model_us"]),
            f"{one:.0f} / {work['measured_us']['1']:.0f}",
            f"{work['model_us']['2']:.0f} / {work['measured_us']['2']:.0f}"])
        binds = work["binds"][str(GOAL)]
        first = min(binds, key=binds.get)
        verdict = "reached" if binds[first] >= GOAL else "missed"
        says.append(
            f"- {name}: {first} binds first, at {binds[first]:.0f} cores"
            f" (goal: not below {GOAL}, {verdict}).")
    head = ["run", "what", "jobs", "us an item", "share", "binds at cores"]
    cores = [f"x{cores}" for cores in next(iter(works.values()))["model_us"]]
    return "\n".join([
        records.table(head, rows), "", *says, "",
        "The speed relative to one core, by the simulation. For one and two cores: its microseconds per"
        " item next to those measured.", "",
        records.table(["run", "", *cores, "1: model / here", "2: model / here"], model), ""])


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--scratch", metavar="DIR", help="folder for outputs (default: in memory)")
    options.add_argument("--record", metavar="NAME", help="also write NAME.json and NAME.md")
    chosen = options.parse_args()
    provide_data("bench")
    data = os.path.join(GENERATED, "bench")
    record = records.beginning(
        shlex.join(["Benchmarks/serial.py", "--rounds", str(chosen.rounds)]))
    record["scratch"] = scratch_place(chosen.scratch)
    progress = records.Progress(chosen.record, record)
    works = {}
    with tempfile.TemporaryDirectory(prefix="emblem-serial-", dir=record["scratch"]) as scratch:
        root = lists.serve_folder(data, scratch)
        with servers.nginx(root) as port:
            urls = lists.write_urls(os.path.join(scratch, "urls.txt"), port, lists.logos(data))
            sources = {
                "files": ([os.path.join(data, "logos")], []),
                "network": (["--list", urls], ["--allow-private", "--cache", "none"])}
            for source, (words, flags) in sources.items():
                for mode, own in (("isolated", []), ("in its own process", ["--sandbox", "none"])):
                    works[f"{source}, {mode}"] = progress.part(
                        f"{source}, {mode}", lambda words=words, more=[*flags, *own]: measure(
                            words, more, chosen.rounds, scratch))
    record |= {"works": works, "load_after": records.load()}
    text = report(works)
    records.hand_over(chosen.record, record, text, progress)


if __name__ == "__main__":
    main()
