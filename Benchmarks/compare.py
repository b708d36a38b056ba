#!/usr/bin/env python3
"""A comparison of emblem with other tools over the same inputs.

Every tool works with two processes or threads. The time is that of the whole process, from start to
end. A round runs each tool once, and every second round runs them in reverse order. See METHOD.md.
"""

import argparse
import json
import os
import shlex
import shutil
import statistics
import subprocess
import tempfile

from Harness import lists, peers, records, servers
from Harness.places import EMBLEM, GENERATED, provide_data, scratch_place
from Harness.runs import folder_digest, hyperfine, median, once, run_facts, text_digest

LISTS = {"logo-urls": lists.logos, "mixed-urls": lists.mixed}
# Folder, sizes, radii, format, number of items, emblem's options, how many times as fast as the best
# other tool emblem should be, and the kind of work in `peers.FILES`.
SINGLE = ((128,), (32,), "png", None, ["--layout", "large", "--scale", "2"])
FOUR = ((80, 96, 128, 160), (16, 24, 32, 40))
FILES = {
    "logos": ("bench/logos", *SINGLE, 1.8, "one size"),
    "as-found": ("as-found/logos", *SINGLE, 1.9, "one size"),
    "photos": ("bench/photos", *SINGLE, 1.5, "photos"),
    "layouts-png": ("bench/logos", *FOUR, "png", None, ["--scale", "2"], 1.7, "layouts"),
    "layouts-webp": (
        "bench/logos", *FOUR, "webp", None, ["--scale", "2", "--format", "webp"], 2.5, "layouts"),
    "svg": ("more/svg", *FOUR, "png", None, ["--scale", "2"], 2.2, "drawings"),
}
URL_GOALS = {"logo-urls": 3.3, "mixed-urls": 2.8}
# The goals against single tools.
TOOL_GOALS = {("logos", "OpenCV"): 3.6}
WORKS = (*FILES, *LISTS)
# The other tools only resize, so emblem must do no more.
COMMON = ["--look", "plain", "--jobs", "2", "--quiet"]
# The number of images of a workload that are compared with the reference.
JUDGED = 16
# A tool that is slower than the best other tool by this factor in two rounds is not run again.
SLOW = 2
# The PSNR in dB below which an image is considered wrong.
WRONG = 22


def background():
    """Returns the background colour of emblem's theme, which the other tools must use too."""
    shown = subprocess.run(
        [EMBLEM, "theme", "--json"], check=True, capture_output=True, text=True)
    return json.loads(shown.stdout)["light"]["theme.color.emblem.brand.background"]


def part_of(source, names, target):
    """Copies some of the files to a folder, and returns the folder."""
    os.makedirs(target)
    for name in names:
        shutil.copy(os.path.join(source, name), target)
    return target


class Failed(Exception):
    """The reason why a tool cannot be installed or does not do the work."""


def attempt(function, *arguments):
    """Calls a function; raises `Failed` if it exits the script or a command fails."""
    try:
        return function(*arguments)
    except SystemExit as error:
        raise Failed(str(error).strip().splitlines()[-1][:300]) from error
    except subprocess.CalledProcessError as error:
        lines = (error.stderr or str(error)).strip().splitlines()
        raise Failed(" ".join(line for line in lines if "rror" in line)[:300] or lines[-1]) from error


def files_work(name, scratch, limit, wanted):
    """Prepares a workload over the images of a folder, for every tool that can do it."""
    images, sizes, radii, form, count, options, goal, kind = FILES[name]
    folder = os.path.join(GENERATED, images)
    limits = [bound for bound in (count, limit) if bound]
    files = sorted(os.listdir(folder))[: min(limits, default=None)]
    source = folder if not limits else part_of(folder, files, os.path.join(scratch, f"{name}-in"))
    few = part_of(folder, files[:40], os.path.join(scratch, f"{name}-few"))
    color = background()
    outputs, tools, versions, commands, failed = {}, {}, {}, {}, {}

    def add(tool, command):
        output = os.path.join(scratch, f"{name}-{tool}")
        attempt(once, command(few, output), output)
        outputs[tool] = output
        tools[tool] = lambda: once(command(source, output), output)
        commands[tool] = command("INPUT", "OUT")

    add("emblem", lambda source, output: [
        EMBLEM, "batch", source, "-o", output, *options, *COMMON])
    for peer, (provide, command, kinds) in peers.FILES.items():
        if peer in wanted and kind in kinds:
            try:
                versions[peer] = attempt(provide)
                add(peer, lambda source, output, command=command: command(
                    source, output, color, sizes, radii, form))
            except Failed as error:
                failed[peer] = str(error)
    step = max(1, len(files) // JUDGED)
    # The reference cannot draw SVG.
    judged = None if kind == "drawings" else {
        "source": source, "files": files[::step], "size": 128, "radius": 32, "background": color,
        "tools": {
            tool: {"folder": output, "pattern": f"large/{{stem}}@2x.{form}" if tool == "emblem"
                   else f"128/{{stem}}.{form}"}
            for tool, output in outputs.items()}}
    return {
        "items": len(files), "input_sha256": folder_digest(source), "versions": versions,
        "goal": goal, "tools": tools, "judged": judged, "commands": commands,
        "output": outputs["emblem"], "failed": failed}


def urls_work(name, data, scratch, port, limit):
    """Prepares a workload over URLs of a local server, for emblem and Daft."""
    output = os.path.join(scratch, "out")
    paths = LISTS[name](data)[:limit]
    urls = lists.write_urls(os.path.join(scratch, "urls.txt"), port, paths)
    few = lists.write_urls(os.path.join(scratch, "few.txt"), port, paths[:40])
    versions = {"Daft": peers.DAFT.provide()}
    ours = [
        EMBLEM, "batch", "--list", urls, "-o", output, "--allow-private", "--cache", "none",
        "--layout", "large", "--scale", "2", *COMMON,
    ]
    daft = peers.daft_command(urls, output, background(), (128,), (32,), "png")
    once([word if word != urls else few for word in ours], output)
    once([word if word != urls else few for word in daft], output, peers.DAFT_ENVIRONMENT)
    kinds = ("logos", "photos", "webp", "svg")
    return {
        "items": len(paths),
        "input_sha256": folder_digest(*(os.path.join(data, kind) for kind in kinds)),
        "list_sha256": text_digest("\n".join(paths)), "versions": versions,
        "goal": URL_GOALS[name], "failed": {},
        "tools": {
            "emblem": lambda: once(ours, output),
            "Daft": lambda: once(daft, output, peers.DAFT_ENVIRONMENT),
        },
        "commands": {"emblem": ours, "Daft": daft},
    }


def rounds(work, count):
    """Runs the rounds and returns the samples of each tool.

    Skips further rounds of a tool that fails or is much slower than the best other tool.
    """
    tools = work.pop("tools")
    samples = {name: [] for name in tools}
    running = list(tools)
    for turn in range(count):
        for name in list(running if turn % 2 else reversed(running)):
            try:
                samples[name].append(attempt(tools[name]))
            except Failed as error:
                if name == "emblem":
                    raise SystemExit(str(error)) from error
                work["failed"][name] = str(error)
                del samples[name]
                running.remove(name)
        if turn == 1:
            seconds = {name: median(samples[name], "seconds") for name in running}
            best = min((took for name, took in seconds.items() if name != "emblem"), default=0)
            running = [
                name for name in running if name == "emblem" or seconds[name] <= SLOW * best]
    return samples


def judge(work):
    """Returns the PSNR and the Butteraugli distance of each tool's outputs from the reference."""
    wanted = work.pop("judged", None)
    if wanted is None:
        return {}
    for tool in work["failed"]:
        wanted["tools"].pop(tool, None)
    if not shutil.which("butteraugli_main"):
        raise SystemExit("butteraugli_main is missing; install libjxl-devtools")
    peers.PILLOW.provide()
    script = os.path.join(os.path.dirname(peers.SCRIPTS), "Harness/quality.py")
    done = subprocess.run(
        [peers.PILLOW.python, script], input=json.dumps(wanted), check=True, capture_output=True,
        text=True)
    return json.loads(done.stdout)


def measured(name, work, count):
    """Measures a workload and compares its outputs with the reference."""
    work["samples"] = rounds(work, count)
    work["quality"] = judge(work)
    if output := work.pop("output", None):
        work["said"] = run_facts(output)
    results = []
    for tool, command in work.pop("commands").items():
        if tool in work["samples"]:
            shown = [os.path.basename(w) if os.path.isabs(w) else w for w in command]
            results.append(hyperfine(
                shlex.join(shown), work["samples"][tool], {"work": name, "tool": tool}))
    return {"work": work, "results": results}


def verdict(ratio, goal):
    return f" (goal: {goal}, {'reached' if ratio >= goal else 'missed'})"


def report(works):
    """Returns the tables as text, with a sentence for each goal and each tool that is faster."""
    rows, says, raw = [], [], []
    for name, work in works.items():
        samples, quality = work["samples"], work["quality"]
        ours = samples["emblem"]
        ratios = {}
        for tool, runs in samples.items():
            pairs = [their["seconds"] / our["seconds"] for our, their in zip(ours, runs)]
            ratios[tool] = statistics.median(pairs)
            seconds, items = median(runs, "seconds"), work["items"]
            judged = quality.get(tool)
            rows.append([
                name, tool, items, runs[0]["pictures"], len(runs), f"{seconds:.2f}",
                f"{items / seconds:.0f}",
                f"{1000 * median(runs, 'cpu') / items:.2f}", f"{runs[0]['bytes'] / 1024:.0f}",
                f"{judged['mean']:.1f} / {judged['least']:.1f}" if judged else "",
                f"{judged['distance']:.2f} / {judged['farthest']:.2f}" if judged else "",
                "" if tool == "emblem" else f"{ratios[tool]:.2f}"])
            raw.append(f"- {name}, {tool}: {' '.join(format(run['seconds'], '.3f') for run in runs)}")
        others = {tool: ratio for tool, ratio in ratios.items() if tool != "emblem"}
        best = min(others, key=others.get)
        lost = [tool for tool, ratio in others.items() if ratio < 1]
        said = f"- {name}: {others[best]:.2f} times as fast as the best, {best}"
        said += verdict(others[best], work["goal"])
        for (work_name, tool), goal in TOOL_GOALS.items():
            if work_name == name and tool in others:
                said += f"; {others[tool]:.2f} times as fast as {tool}{verdict(others[tool], goal)}"
        if lost:
            said += f"; slower than {', '.join(lost)}"
        says.append(said + ".")
        says += [f"- {name}, {tool}: omitted: {reason}" for tool, reason in work["failed"].items()]
        for tool, judged in quality.items():
            if judged["least"] < WRONG or judged.get("misshapen"):
                says.append(
                    f"- {name}, {tool}: some images are wrong: least PSNR"
                    f" {judged['least']} dB, {judged['misshapen']} of {judged['pictures']} not square,"
                    " not rounded, or on no background.")
    head = [
        "work", "tool", "items", "pictures", "rounds", "median s", "items/s", "CPU ms/item", "KB out",
        "PSNR mean / least", "Butteraugli mean / most", "emblem is x times as fast"]
    return "\n".join(
        [records.table(head, rows), "", *says, "", "Samples, seconds of the whole process:", "",
         *raw, ""])


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--work", default=",".join(WORKS), help=f"of {', '.join(WORKS)}")
    options.add_argument("--tools", default=",".join(peers.FILES), help="tools for workloads on files")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--limit", type=int, help="fewer items, for a trial")
    options.add_argument("--scratch", metavar="DIR", help="folder for outputs (default: in memory)")
    options.add_argument("--record", metavar="NAME", help="also write NAME.json and NAME.md")
    chosen = options.parse_args()
    names = chosen.work.split(",")
    if unknown := set(names) - set(WORKS):
        options.error(f"unknown workload: {', '.join(unknown)}; choose from {', '.join(WORKS)}")

    provide_data(
        "bench", *{FILES[name][0].split("/")[0] for name in names if name in FILES} - {"bench"})
    data = os.path.join(GENERATED, "bench")
    words = ["--work", chosen.work, "--rounds", str(chosen.rounds)]
    words += ["--limit", str(chosen.limit)] if chosen.limit else []
    words += ["--tools", chosen.tools] if chosen.tools != ",".join(peers.FILES) else []
    record = records.beginning(shlex.join(["Benchmarks/compare.py", *words]))
    record["scratch"] = scratch_place(chosen.scratch)
    with tempfile.TemporaryDirectory(
            prefix="emblem-peers-", dir=record["scratch"]) as scratch:
        root = lists.serve_folder(data, scratch)
        with servers.nginx(root) as port:
            def one(name):
                if name in LISTS:
                    work = urls_work(name, data, scratch, port, chosen.limit)
                else:
                    work = files_work(name, scratch, chosen.limit, chosen.tools.split(","))
                return measured(name, work, chosen.rounds)

            parts = {name: records.part(name, one) for name in names}
    works = {name: part["work"] for name, part in parts.items()}
    results = [result for part in parts.values() for result in part["results"]]
    record |= {"results": results, "works": works, "load_after": records.load()}
    text = report(works)
    records.hand_over(chosen.record, record, text)


if __name__ == "__main__":
    main()
