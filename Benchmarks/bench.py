#!/usr/bin/env python3
"""A benchmark of emblem over the workloads of `workloads.json`, compared with the floor of each.

A round runs every case of a workload once. Every second round runs them in reverse order, and the
first round is discarded. Times are those of the whole process. See METHOD.md.
"""

import argparse
import json
import math
import os
import shlex
import statistics
import subprocess
import sys
import tempfile

from Harness import lists, records, servers, workloads
from Harness.places import FLOOR, GENERATED, provide_data, scratch_place
from Harness.runs import hyperfine, median, once, run_facts


def floor_once(work, output):
    """Returns the minimum CPU seconds per item for the same input and output."""
    process = subprocess.run(
        [FLOOR, work.data, output, str(work.facts["floor"]), str(len(work.files))], check=True,
        capture_output=True, text=True)
    return json.loads(process.stdout)


def measure(work, words, rounds, scratch):
    """Runs the rounds; returns the samples and run records by case, and the samples of the floor."""
    samples = {case["name"]: [] for case in work.cases}
    says, floors = {}, []
    for turn in range(rounds + 1):
        cases = work.cases
        if turn % 2 and not any("stands_on" in case for case in cases):
            cases = list(reversed(cases))
        for _ in range(work.repeats if turn else 1):
            for case in cases:
                output = os.path.join(scratch, case.get("stands_on", case["name"]))
                sample = once(
                    work.command(case, words, output), output, keeps="stands_on" in case)
                if turn:
                    samples[case["name"]].append(sample)
                    says[case["name"]] = run_facts(output)
        if "floor" in work.facts and turn:
            floors.append(floor_once(work, os.path.join(scratch, work.cases[0]["name"])))
    digests = {said["outputs_sha256"] for said in says.values()}
    if len(digests) > 1:
        sys.exit(f"{work.name}: the outputs of its cases differ")
    return samples, says, floors


def median_floor(floors):
    parts = floors[0]["cpu_seconds_per_item"]
    return {
        part: statistics.median(floor["cpu_seconds_per_item"][part] for floor in floors)
        for part in parts}


def against_floor(work, samples, said, floor):
    """Returns the CPU time, and the times for decoding and encoding, next to those of the floor."""
    items = said["items"]
    cpu = median(samples, "cpu") / items
    stages = said["stages"]

    def stage(name):
        return stages[name]["mean_ms"] * stages[name]["count"] / items / 1000

    reading = floor["inflate"] + floor["unfilter"] + floor["jpeg"] + floor["webp_decode"]
    writing = floor["deflate"] + floor["webp_encode"]
    return {
        "cpu_ms": round(cpu * 1000, 4), "floor_ms": round(floor["total"] * 1000, 4),
        "ratio": round(cpu / floor["total"], 3),
        "decode_ms": round(stage("decode") * 1000, 4), "floor_decode_ms": round(reading * 1000, 4),
        "encode_ms": round(stage("encode") * 1000, 4), "floor_encode_ms": round(writing * 1000, 4),
        "goal_at_most": work.facts.get("cpu_over_floor_at_most"),
    }


def goals(work, samples):
    """Returns a sentence for each goal of this workload, with the measured figure."""
    said = []
    if work.is_shortened:
        return [f"{work.name}: too few images to check its goals"] * bool(
            work.facts.get("goals"))
    for goal in work.facts.get("goals", []):
        if "quicker" in goal:
            pairs = zip(samples[goal["quicker"]], samples[goal["than"]])
            found = statistics.median(slow["seconds"] / quick["seconds"] for quick, slow in pairs)
            least, most = goal.get("at_least", 0), goal.get("at_most", math.inf)
            verdict = "reached" if least <= found <= most else "missed"
            bound = f"{least}" if least else f"{most} at most"
            said.append(
                f"{work.name}: {goal['quicker']} is {found:.2f} times as fast as {goal['than']}"
                f" (goal: {bound}, {verdict})")
        else:
            found = median(samples[goal["case"]], "seconds")
            verdict = "reached" if found <= goal["seconds_at_most"] else "missed"
            said.append(
                f"{work.name}, {goal['case']}: {found * 1000:.1f} ms"
                f" (goal: {goal['seconds_at_most'] * 1000:.0f}, {verdict})")
    return said


def report(works):
    rows, floors, says, raw = [], [], [], []
    for name, work in works.items():
        for case, samples in work["samples"].items():
            items, seconds = work["items"], median(samples, "seconds")
            rows.append([
                name, case, items, samples[0]["pictures"], f"{seconds:.3f}",
                f"{items / seconds:.0f}", f"{1000 * median(samples, 'cpu') / items:.2f}",
                f"{samples[0]['bytes'] / 1024:.0f}"])
            raw.append(f"- {name}, {case}: {' '.join(format(s['seconds'], '.3f') for s in samples)}")
        if "floor" in work:
            facts = work["floor"]
            goal = facts["goal_at_most"]
            floors.append([
                name, "", f"{facts['floor_ms']:.2f}", f"{facts['cpu_ms']:.2f}",
                f"{facts['ratio']:.2f}", "" if goal is None else f"{goal:.2f}",
                f"{facts['decode_ms']:.2f} / {facts['floor_decode_ms']:.2f}",
                f"{facts['encode_ms']:.2f} / {facts['floor_encode_ms']:.2f}"])
        says += [f"- {said}." for said in work["goals"]]
    head = ["work", "case", "items", "pictures", "median s", "items/s", "CPU ms/item", "KB out"]
    text = [records.table(head, rows), ""]
    if floors:
        head = [
            "work", "", "floor CPU ms/item", "emblem CPU ms/item", "ratio", "goal",
            "decode ms / floor", "encode ms / floor"]
        text += ["Against the floor of the same bytes:", "", records.table(head, floors), ""]
    return "\n".join(text + says + ["", "Samples, seconds of the whole process:", "", *raw, ""])


def one_work(name, quick, rounds, scratch, port):
    """Measures a workload; returns its figures and its results in hyperfine's format."""
    work = workloads.Workload(name, quick)
    prepared = work.prepare(scratch, port)
    samples, says, floors = measure(work, prepared, rounds, scratch)
    said = says[work.cases[0]["name"]]
    found = {
        "summary": work.facts["summary"], "items": said["items"], "input_sha256": work.digest(),
        "samples": samples, "said": said, "goals": goals(work, samples)}
    if floors:
        found["floor"] = against_floor(
            work, samples[work.cases[0]["name"]], said, median_floor(floors))
        found["floors"] = floors
    results = [
        hyperfine(work.shown(case), samples[case["name"]], {"work": name, "case": case["name"]})
        | {"items": said["items"], "outputs_sha256": says[case["name"]]["outputs_sha256"],
           "stages": says[case["name"]]["stages"]}
        for case in work.cases]
    for folder in {case["name"] for case in work.cases}:
        subprocess.run(["rm", "-rf", os.path.join(scratch, folder)], check=True)
    return {"work": found, "results": results}


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--work", default=",".join(workloads.all_facts()))
    options.add_argument("--rounds", type=int)
    options.add_argument("--quick", action="store_true", help="fewer items and two rounds")
    options.add_argument("--scratch", metavar="DIR", help="folder for outputs (default: in memory)")
    options.add_argument("--record", metavar="NAME", help="also write NAME.json and NAME.md")
    chosen = options.parse_args()
    names = chosen.work.split(",")
    if unknown := set(names) - set(workloads.all_facts()):
        options.error(f"unknown workload: {', '.join(unknown)}; choose from {', '.join(workloads.all_facts())}")
    rounds = chosen.rounds or (2 if chosen.quick else 5)

    words = ["--work", chosen.work] if chosen.work != ",".join(workloads.all_facts()) else []
    words += ["--quick"] if chosen.quick else []
    record = records.beginning(
        shlex.join(["Benchmarks/bench.py", "--rounds", str(rounds), *words]))
    record["scratch"] = scratch_place(chosen.scratch)
    provide_data("bench", *workloads.sets(names))
    with tempfile.TemporaryDirectory(
            prefix="emblem-bench-", dir=record["scratch"]) as scratch:
        root = lists.serve_folder(os.path.join(GENERATED, "bench"), scratch)
        with servers.nginx(root) as port:
            parts = {
                name: records.part(name, one_work, chosen.quick, rounds, scratch, port)
                for name in names}
    works = {name: part["work"] for name, part in parts.items()}
    results = [result for part in parts.values() for result in part["results"]]
    text = report(works)
    record |= {"results": results, "works": works, "load_after": records.load()}
    records.hand_over(chosen.record, record, text)


if __name__ == "__main__":
    main()
