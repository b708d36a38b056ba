"""Records of measurements: JSON with every sample, and Markdown with tables."""

import datetime
import json
import os
import platform
import re
import subprocess
import sys

from .places import EMBLEM, HOME, RECORDS


def machine():
    model = platform.machine()
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    return {"processor": model, "cores": os.cpu_count(), "system": platform.platform()}


def load():
    """Returns the load average of the last minute, which shows other work on the machine."""
    return round(os.getloadavg()[0], 2)


def revision():
    """Returns the commit, followed by a plus if the sources have uncommitted changes."""
    def git(*words):
        answer = subprocess.run(
            ["git", "-C", HOME, *words], capture_output=True, text=True, check=False)
        return answer.stdout.strip()

    changed = git("status", "--porcelain", "--", "Sources", "Package.swift")
    return git("rev-parse", "--short", "HEAD") + ("+" if changed else "")


def version():
    shown = subprocess.run([EMBLEM, "--version"], capture_output=True, text=True, check=True)
    return shown.stdout.strip()


def beginning(command):
    """Returns the facts that every record starts with; the load is measured before the run."""
    return {
        "date": datetime.date.today().isoformat(),
        "command": command,
        "tool": version(),
        "revision": revision(),
        "machine": machine(),
        "load_before": load(),
    }


def part(name, make, *arguments):
    """Measures a part of a record, and adds the load of the machine before and after it."""
    print(f"{name}…", file=sys.stderr)
    before = load()
    return make(name, *arguments) | {"load": [before, load()]}


def table(head, rows):
    """Returns a Markdown table with aligned columns; all but the first two are right-aligned."""
    cells = [head] + [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]

    def line(row):
        padded = [
            cell.ljust(width) if column < 2 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths))]
        return "| " + " | ".join(padded) + " |"

    rule = "|".join(
        "-" * (width + 2) if column < 2 else "-" * (width + 1) + ":"
        for column, width in enumerate(widths))
    return "\n".join([line(cells[0]), f"|{rule}|", *map(line, cells[1:])])


def place(name, record):
    """Returns the path of a record; a name without a folder is put in the folder of this day and machine."""
    if os.path.basename(name) != name:
        return name
    passed = {"intel", "amd", "arm", "r", "tm", "cpu", "processor", "core", "with", "virtual"}
    words = re.findall(r"[a-z]+", record["machine"]["processor"].lower())
    kind = next((word for word in words if word not in passed), "machine")
    folder = f"{record['date']}-{kind}-{record['machine']['cores']}"
    return os.path.join(RECORDS, folder, name)


def hand_over(name, record, text):
    """Prints the text; writes the record if it has a name."""
    print(text)
    if name:
        keep(name, record, text)


def keep(name, record, text):
    """Writes a record as JSON and as Markdown."""
    target = place(name, record)
    os.makedirs(os.path.dirname(os.path.abspath(target)), exist_ok=True)
    facts = record["machine"]
    head = (
        f"- Machine: {facts['processor']}, {facts['cores']} cores, {facts['system']}; load"
        f" {record['load_before']} before, {record['load_after']} after.\n"
        f"- Program: {record['tool']}, revision {record['revision']}.\n"
        f"- Command: `{record['command']}`, {record['date']}; outputs in {record['scratch']}.\n")
    with open(f"{target}.json", "w", encoding="utf-8") as file:
        json.dump(record, file, indent=1)
        file.write("\n")
    with open(f"{target}.md", "w", encoding="utf-8") as file:
        file.write(f"{head}\n{text}")
