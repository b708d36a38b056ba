#!/usr/bin/env python3
"""A profile of the cost of an item by function: a table of the ten largest, and a flame graph.

Rendering alone (`emblem-counts`) runs under callgrind, which counts instructions and gives the same
numbers on every run. The flame graph of whole runs comes from samples of all processes with the
kernel. See METHOD.md.
"""

import argparse
import collections
import html
import os
import re
import shlex
import subprocess
import sys
import tempfile

from Harness import records, samples, workloads
from Harness.places import BUILT, EMBLEM, provide_data, scratch_place

PURE = ("logos", "photos", "layouts", "webp")
WHOLE = ("logos", "as-found", "photos")
COUNTED = 10
WIDTH, HEIGHT, LETTER = 1_200, 16, 6.6


def readable_names(names):
    """Returns readable names by symbol; demangles Swift's symbols."""
    mangled = sorted({name for name in names if name.startswith("$s")})
    process = subprocess.run(
        ["swift", "demangle", "--compact", "--simplified"], input="\n".join(mangled), check=True,
        capture_output=True, text=True)
    demangled = dict(zip(mangled, process.stdout.splitlines()))
    return {name: shorten(demangled.get(name, name)) for name in names}


def shorten(name):
    """Returns the name of a function without attributes, parameters and optimizer suffixes."""
    if name.startswith("["):
        return name
    name = re.sub(r"^.*? of (?=\w)", "", name) if " of " in name else name
    name = re.sub(r"\(.*|<.*| in _[0-9A-F]+|'\\d+", "", name).strip()
    return name or "?"


def instructions(work, scratch):
    """Returns the instructions per item by function, without callees."""
    # This version of valgrind fails on Swift's debug information, but not on symbols.
    program, data = os.path.join(scratch, "counts"), os.path.join(scratch, "callgrind")
    subprocess.run(["strip", "-g", "-o", program, os.path.join(BUILT, "emblem-counts")], check=True)
    process = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={data}", "--collect-atstart=no",
         "--compress-strings=no", "--compress-pos=no", "--toggle-collect=emb_counted", program,
         work], check=True, capture_output=True, text=True)
    items = int(re.search(r'"items":(\d+)', process.stdout).group(1))
    costs, function, library, is_call = collections.Counter(), None, "", False
    with open(data, encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.startswith("ob="):
                library = os.path.basename(line.strip()).partition(".so")[0]
            elif line.startswith("fn="):
                function = line[3:].strip()
                if function.startswith("0x"):
                    # The text after the address is the recursion depth.
                    address = int(function.partition("'")[0], 16)
                    function = f"[{library} + {address:#x}]"
            elif line.startswith("calls="):
                is_call = True
            elif line[:1].isdigit():
                # The line after a call holds the cost of the callee.
                if not is_call:
                    costs[function] += int(line.split()[-1])
                is_call = False
    return {name: count / items for name, count in costs.items()}


def flame(stacks, title, target):
    """Draws stacks (outermost call first) with their counts as an SVG without scripts."""
    def grow(node, calls, count):
        node[0] += count
        if calls:
            grow(node[1].setdefault(calls[0], [0, {}]), calls[1:], count)

    root = [0, {}]
    for calls, count in stacks.items():
        grow(root, calls, count)
    boxes = []

    def place(node, name, left, depth):
        width = node[0] / root[0] * (WIDTH - 20)
        if width < 0.7:
            return
        boxes.append((left, depth, width, name, node[0]))
        for below, inner in sorted(node[1].items()):
            place(inner, below, left, depth + 1)
            left += inner[0] / root[0] * (WIDTH - 20)

    place(root, "all", 10, 0)
    deepest = max(depth for _, depth, *_ in boxes)
    height = (deepest + 1) * HEIGHT + 50
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}"'
        f' viewBox="0 0 {WIDTH} {height}" font-family="monospace" font-size="11">',
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        f'<text x="10" y="22" font-size="14">{html.escape(title)}</text>']
    for left, depth, width, name, count in boxes:
        y = height - 12 - (depth + 1) * HEIGHT
        share = 100 * count / root[0]
        color = hue(name)
        lines.append(
            f'<g><title>{html.escape(name)} {share:.1f} %</title>'
            f'<rect x="{left:.1f}" y="{y}" width="{width:.1f}" height="{HEIGHT - 1}" fill="{color}"/>')
        room = int((width - 4) / LETTER)
        if room >= 4:
            text = name if len(name) <= room else name[: room - 1] + "…"
            lines.append(f'<text x="{left + 2:.1f}" y="{y + 11}">{html.escape(text)}</text>')
        lines.append("</g>")
    with open(target, "w", encoding="utf-8") as file:
        file.write("\n".join([*lines, "</svg>", ""]))


def hue(name):
    """Returns a colour for a function: kernel blue, Swift orange, C green, libraries without symbols yellow.

    The form of the name selects the colour, and its letters select the shade.
    """
    shade = sum(map(ord, name)) % 24
    if name.startswith("[") and not name.startswith("[kernel] "):
        return f"hsl({60 + shade},50%,{66 + shade % 10}%)"
    if name.startswith("[kernel] "):
        return f"hsl(210,55%,{66 + shade % 12}%)"
    if re.match(r"^[A-Z]\w*|^specialized|^closure", name) or "." in name:
        return f"hsl({24 + shade},80%,{66 + shade % 10}%)"
    return f"hsl({100 + shade},45%,{66 + shade % 10}%)"


KERNEL = re.compile(r"^(entry_SYSCALL|asm_|do_syscall|ret_from_fork|__x64_sys)")
SHOWN = 40


def stacks_of(found, parent):
    """Returns the number of samples by stack. A stack begins with its thread and outermost call."""
    names = readable_names({call for sample in found for call in sample.calls})
    counted = collections.Counter()
    for sample in found:
        calls, is_kernel = [], False
        for call in reversed(sample.calls):
            is_kernel = is_kernel or bool(KERNEL.match(call))
            name = names[call]
            shown = f"[kernel] {name}" if is_kernel else name
            if not calls or calls[-1] != shown:
                calls.append(shown)
        thread = sample.thread if sample.process == parent else "worker"
        # A truncated stack lacks its outer calls, so every stack starts at the common entry point.
        first = next((at for at, call in enumerate(calls) if call.startswith("OrderWork.")), 0)
        calls = calls[first:]
        counted[(thread, *calls[:SHOWN])] += 1
    return counted


def whole(name, scratch, target):
    """Samples a whole run, draws its flame graph, and returns the functions with the most CPU time."""
    work = workloads.Workload(name, False)
    output = os.path.join(scratch, "out")
    parent, found = samples.sampled(
        [EMBLEM, "batch", work.data, "-o", output, *work.facts["options"], "--jobs", "2", "--quiet"],
        scratch, unwinds=True)
    subprocess.run(["rm", "-rf", output], check=True)
    flame(stacks_of(found, parent), f"{work.facts['summary']}, CPU time", target)
    names = readable_names({sample.calls[0] for sample in found if sample.calls})
    own = collections.Counter(names[sample.calls[0]] for sample in found if sample.calls)
    micro = 1e6 / samples.UNWOUND_RATE / len(work.files)
    return {
        "items": len(work.files), "samples": len(found),
        "own_us": {call: round(count * micro, 2) for call, count in own.most_common(30)},
        "all_us": round(len(found) * micro, 1)}


def pure(name, scratch):
    costs = instructions(name, scratch)
    names = readable_names(costs)
    own = collections.Counter()
    for function, count in costs.items():
        own[names[function]] += count
    return {
        "all": round(sum(own.values())),
        "own": {function: round(count) for function, count in own.most_common(30)}}


def report(found, all_name, own_name, title, unit, form):
    """Returns a table of the largest functions of each workload, with their share of the total."""
    text = []
    for name, costs in found.items():
        rows = [
            [function, "", form(cost), f"{100 * cost / costs[all_name]:.1f} %"]
            for function, cost in list(costs[own_name].items())[:COUNTED]]
        text += [
            f"{name}, {title(costs[all_name])} an item.", "",
            records.table(["function", "", unit, "share"], rows), ""]
    return text


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--scratch", metavar="DIR", help="folder for outputs (default: in memory)")
    options.add_argument(
        "--record", metavar="NAME", help="also write NAME.json, NAME.md and NAME-WORK.svg")
    chosen = options.parse_args()
    provide_data(*workloads.sets(WHOLE))
    words = [] if not chosen.record else ["--record", os.path.basename(chosen.record)]
    record = records.beginning(shlex.join(["Benchmarks/costs.py", *words]))
    record["scratch"] = scratch_place(chosen.scratch)
    target = records.place(chosen.record or os.path.join(record["scratch"], "profile"), record)
    os.makedirs(os.path.dirname(os.path.abspath(target)), exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="emblem-profile-", dir=record["scratch"]) as scratch:
        pures = {name: pure(name, scratch) for name in PURE}
        wholes = {name: whole(name, scratch, f"{target}-{name}.svg") for name in WHOLE}
    record |= {"pure": pures, "whole": wholes, "load_after": records.load()}
    text = report(
        pures, "all", "own",
        lambda count: f"the pure function: {count / 1e6:.2f} million instructions",
        "thousand instructions", lambda count: f"{count / 1000:,.0f}")
    text += report(
        wholes, "all_us", "own_us",
        lambda time: f"whole runs with all their processes: {time:.0f} us of CPU",
        "us an item", lambda time: f"{time:.1f}")
    print(f"flame graphs: {target}-*.svg", file=sys.stderr)
    records.hand_over(chosen.record, record, "\n".join(text))


if __name__ == "__main__":
    main()
