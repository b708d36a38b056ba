#!/usr/bin/env python3
"""A comparison of the plain tool, Spark with one and two executors, and img2dataset on Spark.

img2dataset is skipped if it cannot be installed. An nginx on this machine serves the URLs, over eight
hosts. Each round runs everything once, and every second round runs in reverse order. See METHOD.md.
"""

import argparse
import json
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from Harness import lists, records, servers
from Harness.places import EMBLEM, GENERATED, HOME, PEERS, provide_data, scratch_place
from Harness.runs import folder_digest, text_digest
from Harness.watch import family, proportional_kilobytes, thread_seconds

HOSTS = 8
# The number of rows in the first run of each tool, which warms up and measures the fixed cost.
FEW = 400
LOOK = ["--layout", "large", "--scale", "2", "--allow-private", "--cache", "none"]
IMG2DATASET = os.path.join(PEERS, "img2dataset-spark")
# The last release for the Python version that its dependencies allow.
NEEDS = ("img2dataset==1.47.0", "pyspark==3.5.*")


def addresses(data, port, count):
    """Returns URLs of logos on eight hosts, repeated with different queries."""
    logos = lists.logos(data)
    return [
        f"http://127.0.0.{1 + row % HOSTS}:{port}/{logos[row % len(logos)]}?{row}"
        for row in range(count)]


def watched(command, environment=None, interval=0.25):
    """Runs a command; returns seconds, CPU seconds of all processes, and peak PSS by kind of process."""
    threads, peaks, is_over = {}, {}, threading.Event()
    start = time.perf_counter()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        env={**os.environ, **(environment or {})})

    def look():
        while not is_over.wait(interval):
            members = family(str(process.pid))
            thread_seconds(members, threads)
            held = {}
            for member in members:
                kind = kind_of(member)
                held[kind] = held.get(kind, 0) + proportional_kilobytes([member])
            for kind, kilobytes in held.items():
                peaks[kind] = max(peaks.get(kind, 0), kilobytes)

    watcher = threading.Thread(target=look)
    watcher.start()
    errors = process.stderr.read()
    process.wait()
    seconds = time.perf_counter() - start
    is_over.set()
    watcher.join()
    if process.returncode != 0:
        sys.exit(f"{shlex.join(map(str, command))} ended with {process.returncode}:\n{errors[-3000:]}")
    return {
        "seconds": round(seconds, 2),
        "cpu": round(sum(spent for _, spent in threads.values()), 1),
        "peak_pss_mb": {kind: round(peak / 1024) for kind, peak in sorted(peaks.items())},
    }


def kind_of(process):
    """Returns the kind of a process, from its command line."""
    try:
        with open(f"/proc/{process}/cmdline", "rb") as file:
            words = file.read().decode(errors="replace")
    except OSError:
        return "gone"
    if "CoarseGrainedExecutorBackend" in words:
        return "executor JVM"
    if "org.apache.spark" in words:
        return "driver JVM"
    if "pyspark/daemon" in words or "pyspark.daemon" in words:
        return "Python workers"
    if "stream\0" in words or not words:
        return "emblem"
    return "driver Python" if "python" in words else "emblem"


def plain(urls, output, jobs):
    shutil.rmtree(output, ignore_errors=True)
    return watched(
        [EMBLEM, "batch", "--list", urls, "-o", output, "--jobs", str(jobs), "--quiet", *LOOK])


def spark(urls, output, executors, partitions, scratch):
    """Measures the package's command line; `inside` excludes the start and end of Spark."""
    shutil.rmtree(output, ignore_errors=True)
    conf = os.path.join(scratch, "conf")
    os.makedirs(conf, exist_ok=True)
    shutil.copy(os.path.join(HOME, "Benchmarks/log4j2.properties"), conf)
    sample = watched(
        [sys.executable, "-m", "emblemkit.spark", "--master", f"local-cluster[{executors},1,2048]",
         "--list", urls, "--out", output, "--target", "parquet", "--quiet",
         "--partitions", str(partitions), "--", *LOOK],
        {
            "EMBLEM_PROGRAM": EMBLEM, "PYTHONPATH": os.path.join(HOME, "Sources/Python"),
            "SPARK_CONF_DIR": conf, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable,
            "PYSPARK_SUBMIT_ARGS": "--conf spark.ui.enabled=false --conf "
            f"spark.ui.showConsoleProgress=false --conf spark.local.dir={scratch} pyspark-shell",
        })
    with open(os.path.join(output, "run.json"), encoding="utf-8") as file:
        run = json.load(file)
    if run["ok"] != run["rows"]:
        sys.exit(f"{run['rows'] - run['ok']} rows failed")
    return sample | {
        "inside": run["seconds"], "tool_cpu": run["cpu_seconds"], "rows": run["rows"],
        "bytes_in": run["bytes_in"], "bytes_out": run["bytes_out"],
        "peak_process_mb": round(run["peak_process_kilobytes"] / 1024)}


def provide_img2dataset():
    """Installs img2dataset if necessary; returns its Python, or None if the installation fails."""
    python = os.path.join(IMG2DATASET, "bin/python")
    if not os.path.exists(os.path.join(IMG2DATASET, "bin/img2dataset")):
        print("installing img2dataset with its Spark…", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", IMG2DATASET], check=True)
        process = subprocess.run([python, "-m", "pip", "install", "--quiet", *NEEDS], check=False)
        if process.returncode != 0:
            return None
    return python


def img2dataset(python, urls, output, rows, scratch):
    """Measures img2dataset's Spark mode with two processes and the options of compare.py."""
    shutil.rmtree(output, ignore_errors=True)
    return watched(
        [os.path.join(os.path.dirname(python), "img2dataset"), "--url_list", urls,
         "--output_folder", output, "--output_format", "parquet", "--distributor", "pyspark",
         "--processes_count", "2", "--thread_count", "32", "--number_sample_per_shard",
         str(max(1, rows // 8)), "--image_size", "128", "--resize_mode", "border",
         "--encode_format", "png", "--encode_quality", "6", "--enable_wandb", "False"],
        {"NO_ALBUMENTATIONS_UPDATE": "1", "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": python,
         "PYSPARK_SUBMIT_ARGS": f"--conf spark.ui.enabled=false --conf spark.local.dir={scratch} "
         "pyspark-shell"})


def python_cost(data, count):
    """Returns the CPU milliseconds per row of the package's Python code in one task, without the tool.

    The code encodes rows, decodes records, and converts records and images to Arrow batches.
    """
    sys.path.insert(0, os.path.join(HOME, "Sources/Python"))
    import pyarrow
    from emblemkit.spark.rows import Columns
    from emblemkit.spark.worker import Job

    logos = [os.path.join(data, path) for path in lists.logos(data)[:200]]
    batches = [
        pyarrow.RecordBatch.from_pydict({
            "id": [str(row) for row in range(start, start + 1000)],
            "source": [logos[row % len(logos)] for row in range(start, start + 1000)]})
        for start in range(0, count, 1000)]
    job = Job(Columns("id"), ["--layout", "large", "--scale", "2"], EMBLEM)
    # The CPU time of this process, which excludes that of the tool.
    begin = time.process_time()
    rows = sum(batch.num_rows for batch in job.table(batches))
    return round(1000 * (time.process_time() - begin) / rows, 4)


def report(samples, first, count):
    """Returns a table of medians, and ratios of pairs against the plain tool with as many cores."""
    def median(name, key):
        return statistics.median(sample[key] for sample in samples[name])

    def ratio(name, other, key):
        pairs = zip(samples[name], samples[other])
        return statistics.median(a[key] / b[key] for a, b in pairs)

    rows = []
    for name, taken in samples.items():
        inside = statistics.median(one.get("inside", one["seconds"]) for one in taken)
        grown = (median(name, "cpu") - first[name]["cpu"]) / (count - FEW)
        rows.append([
            name, f"{median(name, 'seconds'):.1f}", f"{inside:.1f}", f"{count / inside:.0f}",
            f"{median(name, 'cpu'):.1f}", f"{first[name]['cpu']:.1f}", f"{1000 * grown:.2f}",
            ", ".join(f"{kind} {most}" for kind, most in taken[-1]["peak_pss_mb"].items())])
    text = [records.table(
        ["case", "seconds", "inside", "rows/s inside", "CPU s", "of 400 rows", "CPU ms a row more", "peak PSS MB"], rows), ""]
    both = [name for name in ("Spark, 1 executor", "Spark, 2 executors") if name in samples]
    if len(both) == 2:
        text.append(f"- Two executors against one, inside: {ratio(both[0], both[1], 'inside'):.2f}x.")
    text.append(
        f"- Spark with two executors against the plain tool with two jobs: "
        f"{ratio('Spark, 2 executors', 'plain, 2 jobs', 'seconds'):.2f}x the time, "
        f"{ratio('Spark, 2 executors', 'plain, 2 jobs', 'cpu'):.2f}x the CPU.")
    if "img2dataset, Spark" in samples:
        text.append(
            "- img2dataset on Spark against emblem on Spark: "
            f"{ratio('img2dataset, Spark', 'Spark, 2 executors', 'seconds'):.2f}x the time, "
            f"{ratio('img2dataset, Spark', 'Spark, 2 executors', 'cpu'):.2f}x the CPU.")
    return "\n".join(text) + "\n"


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=20_000)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--partitions", type=int, default=8)
    options.add_argument("--python-only", action="store_true", help="measure only the package's Python code")
    options.add_argument("--no-peer", action="store_true", help="skip img2dataset")
    options.add_argument("--scratch", metavar="DIR", help="folder for outputs (default: in memory)")
    options.add_argument("--record", metavar="NAME", help="also write NAME.json and NAME.md")
    chosen = options.parse_args()
    provide_data("bench")
    data = os.path.join(GENERATED, "bench")
    if chosen.python_only:
        for _ in range(chosen.rounds):
            print(f"{python_cost(data, chosen.count)} ms per row")
        return
    record = records.beginning(shlex.join(["Benchmarks/spark.py", *sys.argv[1:]]))
    with tempfile.TemporaryDirectory(dir=scratch_place(chosen.scratch), prefix="emblem-") as scratch:
        with servers.nginx(lists.serve_folder(data, scratch)) as port:
            rows = addresses(data, port, chosen.count)
            urls, few, output = (os.path.join(scratch, name) for name in ("urls.txt", "few.txt", "out"))
            for target, some in ((urls, rows), (few, rows[:FEW])):
                with open(target, "w", encoding="utf-8") as file:
                    file.writelines(url + "\n" for url in some)
            cases = {
                "plain, 1 job": lambda urls: plain(urls, output, 1),
                "plain, 2 jobs": lambda urls: plain(urls, output, 2),
                "Spark, 1 executor": lambda urls: spark(urls, output, 1, chosen.partitions, scratch),
                "Spark, 2 executors": lambda urls: spark(urls, output, 2, chosen.partitions, scratch),
            }
            python = None if chosen.no_peer else provide_img2dataset()
            if python:
                cases["img2dataset, Spark"] = lambda urls: img2dataset(
                    python, urls, output, chosen.count, scratch)
            first = {name: case(few) for name, case in cases.items()}
            print(first, file=sys.stderr)
            samples = {name: [] for name in cases}
            for turn in range(chosen.rounds):
                for name in cases if turn % 2 == 0 else reversed(cases):
                    samples[name].append(cases[name](urls))
                    print(f"{name}: {samples[name][-1]}", file=sys.stderr)
    record |= {
        "load_after": records.load(), "scratch": scratch_place(chosen.scratch), "items": chosen.count,
        "input_sha256": folder_digest(os.path.join(data, "logos")),
        "list_sha256": text_digest("\n".join(lists.logos(data))), "samples": samples,
        "first": first, "first_items": FEW,
    }
    text = report(samples, first, chosen.count)
    records.hand_over(chosen.record, record, text)


if __name__ == "__main__":
    main()
