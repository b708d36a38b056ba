#!/usr/bin/env python3
"""Kills the tool at random moments and resumes it, then kills its workers under it, many times;
every end must be the undisturbed one.

Prints a table of what the kills met, and stops with exit code 1 at the first difference.
"""

import argparse
import hashlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path


def digest(out: Path) -> dict[str, str]:
    """Every file of a set but what belongs to one run, with its hash."""
    files = {}
    for path in sorted(out.rglob("*")):
        name = path.relative_to(out)
        if path.is_file() and name.parts[0] != ".emblem" and str(name) != "run.json":
            files[str(name)] = hashlib.sha256(path.read_bytes()).hexdigest()
    return files


def workers(process: subprocess.Popen) -> list[int]:
    """The processes that the tool has started."""
    found = []
    for task in Path(f"/proc/{process.pid}/task").glob("*/children"):
        try:
            found += [int(number) for number in task.read_text().split()]
        except OSError:
            continue
    return found


def kill_workers(batch: list[str], out: Path, whole: dict[str, str], seconds: float,
                 kills: int, dice: random.Random) -> tuple[int, int]:
    """Runs to the end while workers are killed at random; every set must be the undisturbed one."""
    met = runs = 0
    while met < kills:
        process = subprocess.Popen([*batch, "-o", str(out)])
        for _ in range(3):
            time.sleep(dice.uniform(0.02, seconds / 3))
            for number in dice.sample(workers(process), 1) if workers(process) else []:
                try:
                    os.kill(number, signal.SIGKILL)
                    met += 1
                except ProcessLookupError:
                    continue
        if process.wait() != 0:
            sys.exit(f"exit code {process.returncode} after workers were killed")
        runs += 1
        if digest(out) != whole:
            sys.exit(f"run {runs} differs from the undisturbed one")
        clear(out)
    return met, runs


def clear(out: Path) -> None:
    subprocess.run(["rm", "-rf", str(out)], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool")
    parser.add_argument("source", help="a folder of pictures, or a list")
    parser.add_argument("scratch", type=Path)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--workers", type=int, default=60, help="kills of workers alone")
    parser.add_argument("--seed", type=int, default=1)
    # What is not known here is an option for the tool.
    arguments, options = parser.parse_known_args()
    dice = random.Random(arguments.seed)
    kind = ["--list"] if os.path.isfile(arguments.source) else []
    batch = [arguments.tool, "batch", *kind, arguments.source, "--quiet", *options]
    calm, out = arguments.scratch / "calm", arguments.scratch / "out"
    arguments.scratch.mkdir(parents=True, exist_ok=True)
    clear(calm)
    clear(out)

    begin = time.monotonic()
    subprocess.run([*batch, "-o", str(calm), "--force"], check=True)
    undisturbed = time.monotonic() - begin
    whole = digest(calm)
    print(f"undisturbed: {undisturbed:.2f} s, {len(whole)} files")

    met = {"SIGKILL": 0, "SIGTERM": 0}
    ends = compared = spared = 0
    while sum(met.values()) < arguments.kills:
        process = subprocess.Popen([*batch, "-o", str(out), "--resume"], stderr=subprocess.PIPE)
        time.sleep(dice.uniform(0, undisturbed * 0.6))
        name = dice.choice(["SIGKILL", "SIGKILL", "SIGTERM"])
        process.send_signal(getattr(signal, name))
        errors = process.communicate()[1].decode()
        if process.returncode in (0,):
            spared += 1
        elif process.returncode in (-signal.SIGKILL, -signal.SIGTERM, 143):
            met[name] += 1
        else:
            sys.exit(f"exit code {process.returncode}: {errors}")
        if process.returncode == 143 and (out / "manifest.ndjson").exists():
            sys.exit("an interrupted run left a manifest")
        # Half of the chains go on to their end now, the others are killed once more.
        if process.returncode == 0 or dice.random() < 0.5:
            subprocess.run([*batch, "-o", str(out), "--resume"], check=True)
            ends += 1
            if digest(out) != whole:
                sys.exit(f"set {ends} differs from the undisturbed one (seed {arguments.seed})")
            compared += len(whole)
            strays = list((out / ".emblem" / "tmp").iterdir())
            if strays:
                sys.exit(f"left behind: {strays}")
            clear(out)
    print(f"kills: {met['SIGKILL']} SIGKILL, {met['SIGTERM']} SIGTERM; {spared} came too late")
    print(f"resumed to the end: {ends} times, {compared} files compared, no difference")
    met, runs = kill_workers(batch, out, whole, undisturbed, arguments.workers, dice)
    print(f"workers alone: {met} killed in {runs} runs, no difference")


if __name__ == "__main__":
    main()
