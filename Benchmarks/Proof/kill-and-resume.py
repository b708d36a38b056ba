#!/usr/bin/env python3
"""A test that kills runs at random moments, kills workers, and stops workers.

The next run continues a killed one. Runs with another list or option come between them. Every run must end with the result of an undisturbed run. The script prints the number of kills and
stops. At the first difference it exits with code 1 and prints the seed, which repeats the case
(EMBLEM_SEED, or --seed).
"""

import argparse
import hashlib
import json
import os
import random
import secrets
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

# The number of circles that keep a worker busy for most of a second, so that it can be stopped at work.
HEAVY = 30_000
# The options of the runs that are killed. The last two options make a new run.
OTHERS = [[], [], [], ["--limit", "7"], ["--padding", "3"]]
# The minimum timeout per item in seconds. On a slow machine it is the time of three undisturbed runs.
PATIENCE = 1.5


def digest(out: Path) -> dict[str, str]:
    """Returns the hash of every file of a set, without the files that belong to a single run."""
    files = {}
    for path in sorted(out.rglob("*")):
        name = path.relative_to(out)
        if path.is_file() and name.parts[0] != ".emblem" and str(name) != "run.json":
            files[str(name)] = hashlib.sha256(path.read_bytes()).hexdigest()
    return files


def workers(process: subprocess.Popen) -> list[int]:
    """Returns the child processes of the tool."""
    found = []
    for task in Path(f"/proc/{process.pid}/task").glob("*/children"):
        try:
            found += [int(number) for number in task.read_text().split()]
        except OSError:
            continue
    return sorted(found)


def look(number: int) -> tuple[str, int]:
    """Returns the state of a process and its CPU ticks; ("", 0) if it does not exist."""
    try:
        fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return "", 0
    return fields[0], int(fields[11]) + int(fields[12])


def is_alive(number: int) -> bool:
    return look(number)[0] not in ("", "Z", "X")


def wait_until(condition, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.001)
    return True


class Proof:
    """A batch with its undisturbed result, and the disturbed runs that are compared with it."""

    def __init__(self, batch: list[str], scratch: Path, seed: int) -> None:
        self.batch, self.scratch, self.seed = batch, scratch, seed
        self.dice = random.Random(seed)
        self.out = scratch / "out"
        self.clear()
        calm = scratch / "calm"
        shutil.rmtree(calm, ignore_errors=True)
        begin = time.monotonic()
        subprocess.run([*batch, "-o", str(calm), "--force"], check=True)
        self.seconds = time.monotonic() - begin
        self.whole = digest(calm)
        self.rows = len(self.items(calm))
        self.patience = max(PATIENCE, 3 * self.seconds)
        print(f"seed {seed}; undisturbed: {self.seconds:.2f} s, {self.rows} rows, "
              f"{len(self.whole)} files")

    def clear(self) -> None:
        shutil.rmtree(self.out, ignore_errors=True)

    def fail(self, message: str) -> None:
        sys.exit(f"{message} (EMBLEM_SEED={self.seed})")

    def start(self, *more: str) -> subprocess.Popen:
        return subprocess.Popen([*self.batch, "-o", str(self.out), *more],
                                stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def items(self, out: Path) -> list[dict]:
        """Returns the items of a manifest; fails if they are not one per row in the order of the rows."""
        lines = (out / "manifest.ndjson").read_text().splitlines()
        items = [item for item in map(json.loads, lines) if item["type"] == "item"]
        indices = [item["index"] for item in items]
        if indices != list(range(len(items))):
            self.fail(f"the manifest does not have one record for each row: {indices[:20]}")
        return items

    def check_nothing_left(self, started: list[int]) -> None:
        """Fails if a worker is still alive, or a temporary file remains."""
        if not wait_until(lambda: not any(map(is_alive, started)), 10):
            self.fail(f"workers are still alive: {[n for n in started if is_alive(n)]}")
        remaining = list((self.out / ".emblem" / "tmp").iterdir())
        if remaining:
            self.fail(f"temporary files remain: {remaining}")

    def check_whole(self, name: str) -> None:
        if len(self.items(self.out)) != self.rows:
            self.fail(f"{name}: not every row has a record")
        if digest(self.out) != self.whole:
            self.fail(f"{name}: the set differs from that of the undisturbed run")
        self.check_nothing_left([])

    def kills(self, count: int) -> None:
        """Kills the tool at random moments, from its start until after its end."""
        met = {"SIGKILL": 0, "SIGTERM": 0}
        ends = late = 0
        while met["SIGKILL"] < count:
            process = self.start(*self.dice.choice(OTHERS))
            time.sleep(self.dice.uniform(0, self.seconds))
            name = self.dice.choice(["SIGKILL"] * 4 + ["SIGTERM"])
            children = workers(process)
            process.send_signal(getattr(signal, name))
            errors = process.communicate()[1].decode()
            if process.returncode == 0:
                late += 1
            elif process.returncode in (-signal.SIGKILL, -signal.SIGTERM, 143):
                met[name] += 1
            else:
                self.fail(f"exit code {process.returncode}: {errors}")
            if process.returncode == 143 and (self.out / "manifest.ndjson").exists():
                self.fail("an interrupted run left a manifest")
            if not wait_until(lambda: not any(map(is_alive, children)), 10):
                self.fail("workers are still alive without the tool")
            # Half of the runs are now continued to the end; the others are killed again.
            if process.returncode == 0 or self.dice.random() < 0.5:
                subprocess.run([*self.batch, "-o", str(self.out), "--prune=100%"], check=True)
                ends += 1
                self.check_whole(f"end {ends}")
                self.clear()
        print(f"kills: {met['SIGKILL']} SIGKILL, {met['SIGTERM']} SIGTERM; {late} after the end of the run")
        print(f"continued to the end: {ends} times, {ends * len(self.whole)} files compared")

    def kill_workers(self, count: int) -> None:
        """Kills random workers during runs, which must still finish."""
        met = runs = 0
        while met < count:
            self.clear()
            process = self.start()
            for _ in range(3):
                time.sleep(self.dice.uniform(0.02, self.seconds / 3))
            # The list is read once, because a worker may disappear at any moment.
            found = workers(process)
            for number in self.dice.sample(found, 1) if found else []:
                try:
                    os.kill(number, signal.SIGKILL)
                    met += 1
                except ProcessLookupError:
                    continue
            errors = process.communicate()[1].decode()
            if process.returncode != 0:
                self.fail(f"exit code {process.returncode} after workers were killed: {errors}")
            runs += 1
            self.check_whole(f"run {runs} with killed workers")
        print(f"workers: {met} killed in {runs} runs")

    def outcomes(self) -> dict[str, str]:
        """Returns the outcome of each item by name; fails if the file of another item differs."""
        items = self.items(self.out)
        if len(items) != self.rows:
            self.fail("not every row has a record")
        late = {item["id"] for item in items if item.get("error", {}).get("class") == "timeout"}
        for name, content in digest(self.out).items():
            item = Path(name).stem.partition("@")[0]
            if name != "manifest.ndjson" and item not in late and self.whole[name] != content:
                self.fail(f"{name} differs, and its item had no timeout")
        return {item["id"]: item.get("error", {}).get("class", "ok") for item in items}

    def stop_once(self, kind: str) -> None:
        """Stops workers of one run, which must still finish and leave no processes or files."""
        self.clear()
        process = self.start("--item-timeout", f"{self.patience:.1f}")
        met: list[int] = []
        seen: set[int] = set()

        def is_met() -> bool:
            if process.poll() is not None:
                return True
            facts = {number: look(number) for number in workers(process)}
            seen.update(facts)
            if kind == "busy":
                # A worker that has used several ticks is processing the heavy drawing.
                met.extend(n for n, (state, ticks) in facts.items() if state == "R" and ticks >= 8)
            elif kind == "spare":
                met.extend(n for n, (state, ticks) in facts.items() if state == "S" and ticks <= 1)
            elif len(list(self.out.glob("small/*"))) >= self.rows - 1:
                met.extend(facts)
            return bool(met)

        if kind == "spare":
            time.sleep(self.dice.uniform(0.02, self.seconds / 2))
        is_found = wait_until(is_met, 60) and bool(met)
        chosen = met if kind == "end" else met[:1]
        for number in chosen:
            try:
                os.kill(number, signal.SIGSTOP)
            except ProcessLookupError:
                is_found = False
        try:
            errors = process.communicate(timeout=60 + 4 * self.patience)[1].decode()
        except subprocess.TimeoutExpired:
            process.kill()
            self.fail(f"a stopped {kind} worker blocks the run")
        if process.returncode != 0:
            self.fail(f"exit code {process.returncode} after a worker was stopped: {errors}")
        self.check_nothing_left(sorted(seen))
        outcomes = self.outcomes()
        late = [name for name, outcome in outcomes.items() if outcome == "timeout"]
        if kind == "busy":
            # A worker that was stopped after it finished the drawing causes no timeout.
            is_found = is_found and late == ["heavy"]
        # On a busy machine, the heavy drawing may time out without a stop.
        if len(set(late) - {"heavy"}) > len(chosen):
            self.fail(f"{len(chosen)} workers were stopped, but these items timed out: {late}")
        self.stopped[kind] = self.stopped.get(kind, 0) + (1 if is_found else 0)

    def stops(self, count: int) -> None:
        self.stopped: dict[str, int] = {}
        kinds = ["busy", "spare", "end"]
        for turn in range(3 * count):
            if sum(self.stopped.values()) >= count:
                break
            self.stop_once(kinds[turn % 3])
        if sum(self.stopped.values()) < count or len(self.stopped) < len(kinds):
            self.fail(f"too few workers were stopped: {self.stopped}")
        found = ", ".join(f"{n} {k}" for k, n in self.stopped.items())
        print(f"stopped workers, for {self.patience:.1f} s: {found}")


def heavy_drawing(path: Path) -> None:
    circles = "".join(f"<circle cx='{n % 9}' cy='4' r='{1 + n % 5}' fill-opacity='.1'/>"
                      for n in range(HEAVY))
    path.write_text(f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>{circles}</svg>")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool")
    parser.add_argument("source", help="folder of images, or list")
    parser.add_argument("scratch", type=Path)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--workers", type=int, default=60, help="number of workers to kill")
    parser.add_argument("--stops", type=int, default=50, help="number of workers to stop")
    parser.add_argument("--seed", type=int,
                        default=int(os.environ.get("EMBLEM_SEED") or secrets.randbelow(1 << 32)))
    # Unknown options are passed to the tool.
    arguments, options = parser.parse_known_args()
    arguments.scratch.mkdir(parents=True, exist_ok=True)

    def batch(source: str) -> list[str]:
        kind = ["--list"] if os.path.isfile(source) else []
        return [arguments.tool, "batch", *kind, source, "--quiet", *options]

    begin = time.monotonic()
    proof = Proof(batch(arguments.source), arguments.scratch, arguments.seed)
    proof.kills(arguments.kills)
    proof.kill_workers(arguments.workers)
    print(f"{time.monotonic() - begin:.1f} s for the kills")
    if arguments.stops:
        begin = time.monotonic()
        source = arguments.scratch / "stop-in"
        shutil.rmtree(source, ignore_errors=True)
        source.mkdir()
        pictures = sorted(Path(arguments.source).rglob("*.png"))[:40]
        for number, picture in enumerate(pictures):
            shutil.copyfile(picture, source / f"{number}.png")
        heavy_drawing(source / "heavy.svg")
        proof = Proof([*batch(str(source)), "--layout", "small", "--jobs", "2"],
                      arguments.scratch, arguments.seed)
        proof.stops(arguments.stops)
        print(f"{time.monotonic() - begin:.1f} s for the stops")


if __name__ == "__main__":
    main()
