#!/usr/bin/env python3
"""A benchmark of emblem over a long list of URLs of this machine: rate, CPU time by thread, memory.

The first list has only valid rows, over eight hosts. The second list has the same rows, but one in
twenty fails, and 200 rows at its head are for a host that accepts connections and never answers.
See METHOD.md.
"""

import argparse
import json
import os
import shlex
import shutil
import sys
import tempfile

from Harness import lists, records, servers
from Harness.places import EMBLEM, GENERATED, provide_data, scratch_place
from Harness.runs import folder_digest, text_digest
from Harness.watch import watched

HOSTS = 8
STALLED = 200
PATIENCE = {"timeout": 5, "item-timeout": 10, "retries": 1}


def valid_rows(data, port, count):
    """Returns URLs of logos on eight hosts, repeated with different queries."""
    logos = lists.logos(data)
    return [
        f"http://127.0.0.{1 + row % HOSTS}:{port}/{logos[row % len(logos)]}?{row}"
        for row in range(count)]


def rows_with_faults(data, port, faults, count):
    """Returns the URLs with 3 % missing files, 1 % server errors, 1 % HTML pages and a stalled host."""
    urls = valid_rows(data, port, count)
    for row in range(0, count, 100):
        host = f"http://127.0.0.{1 + row // 100 % HOSTS}:{port}"
        for offset, path in ((7, "gone/a"), (31, "gone/b"), (57, "gone/c"), (73, "errors/500/a")):
            if row + offset < count:
                urls[row + offset] = f"{host}/{path}.png?{row}"
        if row + 91 < count:
            urls[row + 91] = f"{host}/pages/{row // 100 % 10}.png?{row}"
    return [f"http://127.0.0.1:{faults}/silent/{row}" for row in range(STALLED)] + urls


def measure(urls, scratch, options, stalled_port=None):
    """Measures one run. The rate of the other hosts ends with the last file of their rows."""
    output = os.path.join(scratch, "out")
    shutil.rmtree(output, ignore_errors=True)
    target = os.path.join(scratch, "urls.txt")
    with open(target, "w", encoding="utf-8") as file:
        file.writelines(url + "\n" for url in urls)
    sample = watched([EMBLEM, "batch", "--list", target, "-o", output, *options])
    begin = sample.pop("begin")
    if sample["status"] != 0:
        sys.exit(f"emblem ended with {sample['status']}:\n{sample['errors']}")
    del sample["errors"]
    last, others, classes = begin, 0, {}
    with open(os.path.join(output, "manifest.ndjson"), encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            if record["type"] != "item":
                continue
            is_stalled = stalled_port and f":{stalled_port}/" in record["source"]
            if not is_stalled:
                others += 1
                for made in record["outputs"]:
                    last = max(last, os.stat(os.path.join(output, made["path"])).st_mtime)
            if "error" in record:
                name = record["error"]["class"] + (" (stalled host)" if is_stalled else "")
                classes[name] = classes.get(name, 0) + 1
    with open(os.path.join(output, "run.json"), encoding="utf-8") as file:
        run = json.load(file)
    return sample | {
        "items": len(urls),
        "jobs": 2,
        "rate": round(len(urls) / sample["seconds"], 1),
        "other_hosts_items": others,
        "other_hosts_seconds": round(last - begin, 3),
        "other_hosts_rate": round(others / (last - begin), 1),
        "errors": classes,
        "run": {key: run[key] for key in ("stages", "network") if key in run},
    }


def report(cases):
    head = [
        "list", "options", "items", "seconds", "items/s", "other hosts items/s", "CPU s", "fetching CPU s",
        "peak PSS MB"]
    rows = []
    for name, case in cases.items():
        fetching = sum(
            spent for thread, spent in case["cpu_by_thread"].items()
            if thread in ("emblem-net", "emblem-dns"))
        rows.append([
            name, f"{case['jobs']} jobs", case["items"], f"{case['seconds']:.1f}", f"{case['rate']:.0f}",
            f"{case['other_hosts_rate']:.0f}", f"{case['cpu']:.1f}",
            f"{fetching:.1f} ({100 * fetching / case['cpu']:.0f} %)", case["peak_pss_mb"]])
    text = [records.table(head, rows), ""]
    for name, case in cases.items():
        said = ", ".join(f"{kind} {count}" for kind, count in sorted(case["errors"].items()))
        threads = ", ".join(
            f"{thread} {spent:.1f}" for thread, spent in sorted(case["cpu_by_thread"].items()))
        text.append(f"- {name}: rows without their image: {said or 'none'}.")
        text.append(f"- {name}: CPU seconds by thread: {threads}.")
    return "\n".join(text) + "\n"


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=20_000)
    options.add_argument("--scratch", metavar="DIR", help="folder for outputs (default: in memory)")
    options.add_argument("--record", metavar="NAME", help="also write NAME.json and NAME.md")
    chosen = options.parse_args()
    provide_data("bench")
    data = os.path.join(GENERATED, "bench")
    flags = [
        "--layout", "large", "--scale", "2", "--jobs", "2", "--quiet", "--allow-private",
        "--cache", "none"]
    for name, value in PATIENCE.items():
        flags += [f"--{name}", str(value)]
    record = records.beginning(
        shlex.join(["Benchmarks/long-list.py", "--count", str(chosen.count)]))
    record |= {"options": flags, "scratch": scratch_place(chosen.scratch)}
    with tempfile.TemporaryDirectory(
            prefix="emblem-long-", dir=record["scratch"]) as scratch:
        root = lists.serve_folder(data, scratch)
        with servers.nginx(root) as port, servers.fault_server() as faults:
            good, bad = valid_rows(data, port, chosen.count), rows_with_faults(data, port, faults, chosen.count)
            # Ports differ between runs, so the digest excludes them.
            record["input_sha256"] = folder_digest(os.path.join(data, "logos"))
            record["list_sha256"] = [
                text_digest("\n".join(urls).replace(f":{port}/", "/").replace(f":{faults}/", "/"))
                for urls in (good, bad)]
            cases = {
                "all well": measure(good, scratch, flags),
                "5 % fail, one host stalls": measure(bad, scratch, flags, faults),
            }
    record |= {"load_after": records.load(), "cases": cases}
    text = report(cases)
    records.hand_over(chosen.record, record, text)


if __name__ == "__main__":
    main()
