#!/usr/bin/env python3
"""A test that simulates power losses at random moments of a run, and then runs again.

Every run must end with the result of an undisturbed run. A library records which changes are synced, and
gives each start of the machine another name (power-loss.c). After the run is killed, each unsynced change
is undone or damaged, independently of the order of the changes:

- A name refers to any file that it referred to since the last sync, or is missing.
- The unsynced part of a file is kept, truncated at a random point, or replaced by zeros. Size and time
  stay the same unless it is truncated.

Created folders are kept. A single disk block of the journal is not lost: an appended part is truncated
or zero from one point to its end. Some of the following runs lose their power, too.

At the first difference the script exits with code 1 and prints the seed (EMBLEM_SEED, or --seed). The
seed chooses the cases and losses; the moment of a kill also depends on the speed of the machine.
"""

import argparse
import hashlib
import os
import random
import secrets
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
# The options of each kind of set. `elsewhere` has a target outside OUT.
KINDS = {
    "files": [],
    "files+2x": ["--scale", "1,2"],
    "xcassets": ["--target", "xcassets", "--layout", "small,large"],
    "web": ["--target", "web", "--layout", "small", "--format", "png"],
    "elsewhere": ["--target", "web={disk}/web,files", "--layout", "small", "--format", "png"],
}
# The history of a set: a first run, or a run over an older set in which this part has changed.
HISTORIES = ["first", "sources", "options", "list", "target"]


def digest(disk: Path) -> dict[str, str]:
    """Returns the hash of every file below a folder, without the files that belong to a single run."""
    files = {}
    for path in sorted(disk.rglob("*")):
        name = path.relative_to(disk)
        if path.is_file() and ".emblem" not in name.parts and name.name != "run.json":
            files[str(name)] = hashlib.sha256(path.read_bytes()).hexdigest()
    return files


class Disk:
    """A folder, with a record of the contents that a power loss cannot change."""

    def __init__(self, folder: Path, scratch: Path, library: Path) -> None:
        self.folder, self.library = folder, library
        self.keep, self.log, self.boot = scratch / "keep", scratch / "log", scratch / "boot"
        self.losses = 0

    def watched(self, milliseconds: int) -> dict[str, str]:
        """Starts a new record, and returns the environment for the run."""
        shutil.rmtree(self.keep, ignore_errors=True)
        self.keep.mkdir()
        self.log.write_text("")
        self.boot.write_text(f"boot-{self.losses}\n")
        self.sizes = {}
        for path in self.folder.rglob("*"):
            if path.is_file():
                facts = path.stat()
                self.sizes[facts.st_ino] = facts.st_size
        return {**os.environ, "LD_PRELOAD": str(self.library), "POWER_ROOT": str(self.folder),
                "POWER_KEEP": str(self.keep), "POWER_LOG": str(self.log),
                "POWER_SYNC_MS": str(milliseconds), "POWER_BOOT": str(self.boot)}

    def lose(self, dice: random.Random) -> dict[str, int]:
        """Simulates a power loss; returns the number of names and files by kind of damage."""
        self.losses += 1
        events = [line.split("\t") for line in self.log.read_text().splitlines()]
        ended = {event[1] for event in events if event[0] == "end"}
        covered = max((number for number, event in enumerate(events)
                       if event[0] == "begin" and event[2] == "all" and event[1] in ended),
                      default=-1)
        folders, files = {}, {}
        for number, event in enumerate(events):
            if event[0] == "begin" and event[1] in ended and event[2] in ("folder", "file"):
                (folders if event[2] == "folder" else files)[event[3]] = number
        # `names` has the files that each name referred to since the last sync, and `safe` has the
        # synced length of each file.
        names: dict[str, list[int]] = {}
        safe = dict(self.sizes)
        kept: dict[int, Path] = {}
        for number, event in enumerate(events):
            if event[0] == "size":
                inode, size = int(event[1]), int(event[2])
                is_safe = number < max(covered, files.get(event[1], -1))
                safe[inode] = size if is_safe else min(size, safe.get(inode, 0))
            elif event[0] == "name":
                path, inode, before = event[1], int(event[2]), int(event[3])
                if int(event[4]):
                    kept[before] = self.keep / event[4]
                outer = path.rpartition("/")[0]
                if number < max(covered, folders.get(outer, -1)):
                    names.pop(path, None)
                else:
                    names.setdefault(path, [before]).append(inode)
        met = {"names": 0, "cut": 0, "zeroed": 0, "gone": 0}
        # Links every candidate first, because names exchange their files below.
        for path in names:
            target = self.folder / path
            if target.exists():
                inode = target.stat().st_ino
                if inode not in kept:
                    kept[inode] = self.keep / f"now-{inode}"
                    os.link(target, kept[inode])
        for path, states in sorted(names.items()):
            if "/.emblem/tmp/" in path:
                continue
            met["names"] += 1
            target = self.folder / path
            inode = dice.choice(states)
            if dice.random() < 0.1 or inode not in kept:
                inode = 0
                met["gone"] += 1
            target.unlink(missing_ok=True)
            if inode:
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(kept[inode], target)
                self.damage(target, safe.get(inode, target.stat().st_size), dice, met)
        # Damages files that kept their names but are partly unsynced.
        for path in self.folder.rglob("*"):
            if path.is_file() and str(path.relative_to(self.folder)) not in names:
                facts = path.stat()
                self.damage(path, safe.get(facts.st_ino, facts.st_size), dice, met)
        shutil.rmtree(self.keep)
        return met

    @staticmethod
    def damage(path: Path, safe: int, dice: random.Random, met: dict[str, int]) -> None:
        facts = path.stat()
        if safe >= facts.st_size:
            return
        fate = dice.choice(["kept", "cut", "zeroed"])
        point = dice.randint(safe, facts.st_size)
        if fate == "cut":
            os.truncate(path, dice.choice([safe, point]))
        elif fate == "zeroed":
            with path.open("r+b") as file:
                file.seek(dice.choice([safe, point]))
                file.write(bytes(facts.st_size - file.tell()))
        if fate != "kept":
            met[fate] += 1
            os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))


class Proof:
    """The sets of all cases, and the runs with power losses that are compared with them."""

    def __init__(self, arguments: argparse.Namespace, options: list[str]) -> None:
        self.tool, self.options, self.seed = arguments.tool, options, arguments.seed
        self.dice = random.Random(self.seed)
        self.scratch = arguments.scratch.resolve()
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.scratch.mkdir(parents=True)
        library = self.scratch / "power-loss.so"
        compiler = shutil.which("clang") or shutil.which("cc") or "cc"
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(library),
                        str(HERE / "power-loss.c"), "-ldl"], check=True)
        self.folder = self.scratch / "disk"
        self.disk = Disk(self.folder, self.scratch, library)
        self.met: dict[str, int] = {}
        self.rows = arguments.rows
        pictures = sorted(p for p in Path(arguments.source).rglob("*") if p.suffix == ".png")
        if len(pictures) < self.rows + 3:
            sys.exit(f"{arguments.source} has {len(pictures)} PNG files, and {self.rows + 3} are needed")
        self.pictures = pictures
        print(f"seed {self.seed}", flush=True)

    def fail(self, message: str) -> None:
        sys.exit(f"{message} (EMBLEM_SEED={self.seed})")

    def source(self, is_old: bool, history: str) -> Path:
        """Returns the folder of images for a run, or for the older set that it replaces."""
        name = f"in-{history}-old" if is_old else f"in-{history}"
        folder = self.scratch / name
        if folder.exists():
            return folder
        folder.mkdir()
        for number in range(self.rows):
            picture = self.pictures[number]
            if is_old and history == "sources" and number % 3 == 0:
                picture = self.pictures[number + 1]
            if is_old or history != "list" or number % 4:
                shutil.copy2(picture, folder / f"{number}.png")
        if not is_old and history == "list":
            for number in range(3):
                shutil.copy2(self.pictures[self.rows + number], folder / f"new-{number}.png")
        return folder

    def command(self, kind: str, history: str, is_old: bool, disk: Path) -> list[str]:
        options = KINDS["files" if is_old and history == "target" else kind]
        more = ["--scheme", "dark"] if is_old and history == "options" else []
        return [self.tool, "batch", str(self.source(is_old, history)), "-o", str(disk / "out"),
                "--quiet", "--prune=100%", "--sandbox", "none", "--cache", "none",
                *[option.format(disk=disk) for option in options], *more, *self.options]

    def run(self, command: list[str], name: str, environment: dict | None = None) -> None:
        process = subprocess.run(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                 env=environment)
        if process.returncode != 0:
            self.fail(f"{name}: exit code {process.returncode}: {process.stderr.decode()}")

    def prepare(self, kind: str, history: str) -> tuple[Path, dict[str, str], float]:
        """Returns a copy of the older set, the result of an undisturbed run, and its duration."""
        key = f"{kind}-{history}"
        base = self.scratch / f"base-{key}"
        self.clear()
        self.folder.mkdir()
        if history != "first":
            # Targets have absolute paths, so each set is made in its final folder.
            self.run(self.command(kind, history, True, self.folder), f"{key}, the old set")
        shutil.copytree(self.folder, base)
        begin = time.monotonic()
        environment = self.disk.watched(0)
        self.run(self.command(kind, history, False, self.folder), key, environment)
        return base, digest(self.folder), time.monotonic() - begin

    def clear(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def verify(self, name: str) -> None:
        process = subprocess.run([self.tool, "verify", str(self.folder / "out")],
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if process.returncode != 0:
            self.fail(f"{name}: {process.stdout.decode()}")

    def round(self, number: int, kind: str, history: str, prepared) -> None:
        base, whole, seconds = prepared
        name = f"round {number}, {kind}, {history}"
        self.clear()
        shutil.copytree(base, self.folder)
        command = self.command(kind, history, False, self.folder)
        while True:
            environment = self.disk.watched(self.dice.choice([0, 2, 10]))
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE, env=environment)
            time.sleep(self.dice.uniform(0, 1.15 * seconds))
            process.send_signal(signal.SIGKILL)
            errors = process.communicate()[1].decode()
            if process.returncode not in (0, -signal.SIGKILL):
                self.fail(f"{name}: exit code {process.returncode}: {errors}")
            for damage, count in self.disk.lose(self.dice).items():
                self.met[damage] = self.met.get(damage, 0) + count
            self.met["losses"] = self.met.get("losses", 0) + 1
            if (self.folder / "out" / "manifest.ndjson").exists():
                self.verify(f"{name}: a manifest does not match its files")
            if self.dice.random() < 0.7:
                break
        self.run(command, name)
        self.verify(name)
        found = digest(self.folder)
        if found != whole:
            other = sorted(path for path in {*found, *whole} if found.get(path) != whole.get(path))
            self.fail(f"{name}: the set differs from that of the undisturbed run: {other[:8]}")

    def rounds(self, count: int) -> None:
        cases = [(kind, history) for kind in KINDS for history in HISTORIES
                 if not (history == "target" and kind.startswith("files"))]
        self.dice.shuffle(cases)
        prepared = {}
        for number in range(count):
            # A small number of rounds uses fewer cases, because each case needs a set.
            case = cases[number % min(len(cases), max(6, count // 3))]
            if case not in prepared:
                prepared[case] = self.prepare(*case)
            self.round(number + 1, *case, prepared[case])
        found = ", ".join(f"{count} {name}" for name, count in sorted(self.met.items()))
        print(f"rounds: {count} in {len(prepared)} cases; {found}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("source", help="folder of PNG files")
    parser.add_argument("scratch", type=Path, help="folder for temporary files, which is emptied first")
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--rows", type=int, default=60, help="number of images of a set")
    parser.add_argument("--seed", type=int,
                        default=int(os.environ.get("EMBLEM_SEED") or secrets.randbelow(1 << 32)))
    # Unknown options are passed to the tool.
    arguments, options = parser.parse_known_args()
    begin = time.monotonic()
    Proof(arguments, options).rounds(arguments.rounds)
    print(f"{time.monotonic() - begin:.1f} s")


if __name__ == "__main__":
    main()
