#!/usr/bin/env python3
"""Runs emblem and other tools in turn over the same inputs and prints a table.

Every tool makes 128-pixel PNG files with two workers; the time is that of the whole process, from
start to end. A round runs each tool once, and each round begins with the other tool. See METHOD.md.
"""

import argparse
import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile

from Harness import lists, peers, records, servers
from Harness.places import EMBLEM, GENERATED, GENERATOR
from Harness.runs import folder_digest, median, once, text_digest

LISTS = {"logo-urls": lists.logos, "mixed-urls": lists.mixed}
WORKS = ("logos", "photos", *LISTS)
COMMON = ["--layout", "large", "--scale", "2", "--jobs", "2", "--quiet"]


def background():
    """The colour that emblem lays under a picture, so that others lay the same."""
    shown = subprocess.run(
        [EMBLEM, "theme", "show", "--json"], check=True, capture_output=True, text=True)
    return json.loads(shown.stdout)["light"]["theme.color.emblem.brand.background"]


def files_work(kind, data, scratch):
    """Pictures of a folder, against Pillow."""
    source = os.path.join(data, kind)
    output = os.path.join(scratch, "out")
    command = peers.pillow_command(source, output, background())
    return {
        "items": len(os.listdir(source)),
        "input_sha256": folder_digest(source),
        "peer": "Pillow",
        "versions": peers.PILLOW.provide(),
        "tools": {
            "emblem": lambda: once([EMBLEM, "batch", source, "-o", output, *COMMON], output),
            "Pillow": lambda: once(command, output),
        },
    }


def urls_work(places, data, scratch, port, counts):
    """Addresses on this machine, against img2dataset with the threads that suit it best."""
    output = os.path.join(scratch, "out")
    urls = lists.write_urls(os.path.join(scratch, "urls.txt"), port, places)
    versions = peers.IMG2DATASET.provide()
    threads, tried = peers.best_thread_count(urls, output, len(places), counts)
    print(f"img2dataset: {threads} threads; tried {tried}", file=sys.stderr)
    ours = [
        EMBLEM, "batch", "--list", urls, "-o", output, "--allow-private", "--cache", "none",
        *COMMON,
    ]
    folders = [os.path.join(data, kind) for kind in ("logos", "photos", "webp", "svg")]
    return {
        "items": len(places),
        "input_sha256": folder_digest(*folders),
        "list_sha256": text_digest("\n".join(places)),
        "peer": "img2dataset",
        "versions": versions,
        "threads": threads,
        "threads_tried": tried,
        "tools": {
            "emblem": lambda: once(ours, output),
            "img2dataset": lambda: peers.img2dataset_once(urls, output, len(places), threads),
        },
    }


def rounds(work, count):
    """Samples of each tool; round 0 only warms the disk's cache."""
    tools = work.pop("tools")
    samples = {name: [] for name in tools}
    for turn in range(count + 1):
        names = list(tools) if turn % 2 else list(reversed(tools))
        for name in names:
            sample = tools[name]()
            if turn > 0:
                samples[name].append(sample)
    return samples


def row(work, tool, items, runs, field="seconds", note=""):
    seconds = median(runs, field)
    return [
        work, tool + note, items, runs[0]["pictures"], f"{seconds:.2f}", f"{items / seconds:.0f}",
        f"{median(runs, 'cpu'):.2f}" if field == "seconds" else "",
        f"{runs[0]['bytes'] / 1024:.0f}",
    ]


def report(works):
    """The table, and what the pairs say."""
    rows, says, raw = [], [], []
    for name, work in works.items():
        samples, peer = work["samples"], work["peer"]
        ours, theirs = samples["emblem"], samples[peer]
        for tool, runs in samples.items():
            rows.append(row(name, tool, work["items"], runs))
            raw.append(f"- {name}, {tool}: {' '.join(format(run['seconds'], '.3f') for run in runs)}")
        pairs = [their["seconds"] / our["seconds"] for our, their in zip(ours, theirs)]
        said = (
            f"- {name}: emblem is {statistics.median(pairs):.2f} times as fast as {peer}"
            f" (median of {len(pairs)} pairs, {min(pairs):.2f} to {max(pairs):.2f}), with"
            f" {median(ours, 'cpu') / median(theirs, 'cpu'):.2f} of its CPU time")
        if "inside" in theirs[0]:
            rows.append(
                row(name, peer, work["items"], theirs, "inside", ", without start and end"))
            inside = [their["inside"] / our["seconds"] for our, their in zip(ours, theirs)]
            said += (
                f"; {statistics.median(inside):.2f} times when the peer's start and end are not"
                f" counted and ours are. It ran {work['threads']} threads a process, its best of"
                f" {', '.join(str(count) for count in work['threads_tried'])}")
        says.append(said + ".")
    head = ["work", "tool", "items", "pictures", "median s", "items/s", "CPU s", "KB out"]
    return "\n".join(
        [records.table(head, rows), "", *says, "", "Samples, seconds of the whole process:", "",
         *raw, ""])


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--work", default=",".join(WORKS), help=f"of {', '.join(WORKS)}")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument(
        "--threads", default="4,8,16,32,64,128", help="what to try with img2dataset, each process")
    options.add_argument("--data", default=os.path.join(GENERATED, "bench"))
    options.add_argument("--record", metavar="NAME", help="also write NAME.json and NAME.md")
    chosen = options.parse_args()
    names = chosen.work.split(",")
    if unknown := set(names) - set(WORKS):
        options.error(f"no work is called {', '.join(unknown)}")
    counts = [int(count) for count in chosen.threads.split(",")]

    subprocess.run(
        [GENERATOR, "--preset", "bench", "-o", chosen.data], check=True, stdout=sys.stderr)
    record = records.beginning(
        shlex.join(
            ["Benchmarks/compare.py", "--work", chosen.work, "--rounds", str(chosen.rounds),
             "--threads", chosen.threads]))
    works = {}
    with tempfile.TemporaryDirectory(prefix="emblem-peers-") as scratch:
        root = lists.serve_folder(os.path.abspath(chosen.data), scratch)
        with servers.nginx(root) as port:
            for name in names:
                print(f"{name}…", file=sys.stderr)
                if name in LISTS:
                    places = LISTS[name](chosen.data)
                    work = urls_work(places, chosen.data, scratch, port, counts)
                else:
                    work = files_work(name, chosen.data, scratch)
                work["samples"] = rounds(work, chosen.rounds)
                works[name] = work
    record |= {"load_after": records.load(), "works": works}
    text = report(works)
    print(text)
    if chosen.record:
        records.keep(chosen.record, record, text)


if __name__ == "__main__":
    main()
