#!/usr/bin/env python3
"""A test that runs random histories of nights into one folder, and compares them with a fresh run.

    histories.py PROGRAM SCRATCH [--sequences 20] [--seed N]

A sequence has two to six nights. From night to night the list (rows, ids, labels, alternatives, dark
sources), the options (layouts, formats, schemes, looks, targets) and the answers of the server change. A
night may use `--force` or `--prune`, may be killed, and may find its journal lost, or written by another
version. It has no cache. Two rules hold:

1. After a bad night, a row that finished nights gave an emblem keeps exactly these bytes in each layout,
   scheme and format if its source fails, whatever else changed.
2. After each sequence, a good night with `--prune=100%` gives the tree and the manifest of a fresh run.

At the first difference the script exits with code 1 and prints the seed. The seed chooses everything but
the moment of a kill, which also depends on the speed of the machine.
"""

import argparse
import hashlib
import http.server
import json
import os
import random
import secrets
import shutil
import struct
import subprocess
import sys
import threading
import zlib
from pathlib import Path

SOURCES = 7
LOOKS = [[], ["--look", "plain"], ["--background", "#ffffff"], ["--appearance", "info"]]
FORMATS = [[], ["--format", "webp"], ["--format", "png,webp"]]
SCHEMES = [[], ["--scheme", "both"]]
LAYOUTS = [["--layout", "small"], ["--layout", "small,large"], ["--layout", "medium"]]
TARGETS = [[], [], [], ["--target", "web"], ["--target", "files,xcassets"], ["--target", "android"]]


def picture(number: int) -> bytes:
    """Returns a PNG with a square of its own colour."""
    colour = bytes((number * 67 % 256, number * 151 % 256, number * 29 % 256))
    rows = b"".join(
        b"\0" + b"".join(colour if 6 <= x < 26 and 6 <= y < 26 else b"\xff\xff\xff" for x in range(32))
        for y in range(32))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", 32, 32, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class Origin(http.server.ThreadingHTTPServer):
    """A server of `/N.png`. The sources in `bad` answer with status 503."""
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), OriginRequest)
        self.bad: set[int] = set()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self, number: int) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/{number}.png"

    def number(self, url: str) -> int:
        return int(url.rsplit("/", 1)[1].split(".")[0])

    def handle_error(self, *_: object) -> None:
        """Ignores connections of killed runs."""


class OriginRequest(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        number = self.server.number(self.path)
        body = b"" if number in self.server.bad else picture(number)
        self.send_response(200 if body else 503)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Prints nothing."""


def tree(out: Path) -> dict[str, str]:
    """Returns the hash of each file, without the files that belong to a single run."""
    return {
        str(path.relative_to(out)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(out.rglob("*"))
        if path.is_file() and ".emblem" not in path.parts and path.name != "run.json"}


def items(out: Path) -> list[dict]:
    try:
        lines = (out / "manifest.ndjson").read_text().splitlines()
    except FileNotFoundError:
        return []
    return [item for item in map(json.loads, lines) if item["type"] == "item"]


class Sequence:
    def __init__(self, program: str, scratch: Path, seed: int, origin: Origin) -> None:
        self.program, self.dice, self.origin = program, random.Random(seed), origin
        self.out, self.list = scratch / "out", scratch / "list.ndjson"
        self.fresh = scratch / "fresh"
        self.steps: list[str] = []
        for folder in [self.out, self.fresh]:
            shutil.rmtree(folder, ignore_errors=True)
        self.rows: list[dict] = []
        # The bytes of the emblems of each source in the last set, by layout, scale, scheme and format.
        self.good: dict[int, dict[tuple, set[str]]] = {}
        self.darkened: set[int] = set()
        self.was_killed = False

    def change_rows(self) -> None:
        """Draws the rows of a night: some of the last night's, changed, and new ones."""
        dice, rows = self.dice, []
        for number in dice.sample(range(SOURCES), dice.randint(2, SOURCES)):
            row = {"source": self.origin.url(number), "id": dice.choice([f"n{number}", "x", "X", f"m{number % 3}"])}
            if dice.random() < 0.3:
                row["label"] = dice.choice(["One", "Two"])
            if dice.random() < 0.2:
                row["dark"] = self.origin.url(dice.randrange(SOURCES))
            if dice.random() < 0.2:
                row["layout"] = dice.choice(["small", "large", "small,xLarge"])
            rows.append(row)
        self.rows = rows

    def choose(self) -> None:
        dice = self.dice
        if not self.rows or dice.random() < 0.6:
            self.change_rows()
        if not self.steps or dice.random() < 0.5:
            self.options = [word for group in [LOOKS, FORMATS, SCHEMES, LAYOUTS] for word in dice.choice(group)]
            target = dice.choice(TARGETS)
            if target and "png,webp" in self.options:
                self.options[self.options.index("png,webp")] = "webp"
            if "xcassets" in str(target) and "webp" in self.options:
                self.options[self.options.index("webp")] = "png"
            self.options += target

    def run(self, out: Path, *more: str, kill: float | None = None) -> int | None:
        self.list.write_text("".join(json.dumps(row) + "\n" for row in self.rows))
        command = [
            self.program, "batch", "--list", str(self.list), "-o", str(out), "--allow-private", "--cache", "none",
            "--retries", "0", "--sandbox", "none", "--quiet", "--config", "none", *self.options, *more]
        self.steps.append(f"{'kill ' if kill else ''}bad={sorted(self.origin.bad)} {self.list.read_text()} "
                          + " ".join(command))
        process = subprocess.Popen(command, stderr=subprocess.PIPE)
        try:
            self.errors = process.communicate(timeout=kill or 120)[1].decode()
            return process.returncode
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return None

    def damage(self) -> None:
        """Removes the journal, or adds a member to its items as another version might."""
        journal = self.out / ".emblem/journal.ndjson"
        if not journal.exists() or self.dice.random() < 0.8:
            return
        # Without a journal, only the files of the manifest are known to be the tool's.
        found = subprocess.run([self.program, "verify", str(self.out)], capture_output=True, text=True).stdout
        if self.dice.random() < 0.3 and not self.was_killed and "in no manifest" not in found:
            journal.unlink()
            self.steps.append("journal lost")
            return
        lines = []
        for line in journal.read_bytes().splitlines():
            covered = line[16:].replace(b',"item":{', b',"item":{"newer":1,')
            lines.append(b'{"crc":"%08x"' % zlib.crc32(covered[1:]) + covered[1:])
        journal.write_bytes(b"\n".join(lines) + b"\n")
        self.steps.append("journal of another version")

    def check_bad_night(self) -> None:
        for item in items(self.out):
            number = self.origin.number(item["source"])
            if number not in self.origin.bad:
                continue
            for output in item["outputs"]:
                dark = output["scheme"] == "dark" and ("dark" in item or number in self.darkened)
                known = self.good.get(number, {}).get(key(output))
                # A killed night may have drawn the source again.
                kept = output["sha256"] in (known or ()) or (
                    self.was_killed and not output.get("placeholder") and (item["status"] == "ok" or item.get("stale")))
                if known and not dark and not kept:
                    fail(self, f"{output['path']} of {item['id']} lost its emblem")

    def note_set(self) -> None:
        """Notes what the set has; the next bad night must keep it."""
        self.good, self.darkened, self.was_killed = {}, set(), False
        for item in items(self.out):
            number = self.origin.number(item["source"])
            if "dark" in item:
                self.darkened.add(number)
            if item["status"] not in ("ok", "placeholder") or (item["status"] != "ok" and not item.get("stale")):
                continue
            for output in item["outputs"]:
                if not output.get("placeholder"):
                    self.good.setdefault(number, {}).setdefault(key(output), set()).add(output["sha256"])

    def play(self) -> None:
        dice = self.dice
        for _ in range(dice.randint(2, 6)):
            self.choose()
            self.damage()
            more = (["--force"] if dice.random() < 0.2 else []) + (["--prune"] if dice.random() < 0.3 else [])
            count = dice.choice([0, 0, 1, 3, SOURCES - 1])
            self.origin.bad = set(dice.sample(range(SOURCES), count))
            killed = dice.random() < 0.25
            code = self.run(self.out, *more, kill=dice.uniform(0.03, 0.3) if killed else None)
            if code is None:
                self.was_killed = True
                continue
            if code not in (0, 1, 75):
                fail(self, f"a night ended with {code}: {self.errors}")
            self.check_bad_night()
            self.note_set()
        self.origin.bad = set()
        for out, more in [(self.out, ["--prune=100%"]), (self.fresh, [])]:
            code = self.run(out, *more)
            if code != 0:
                fail(self, f"a good night ended with {code}: {self.errors}")
        found, wanted = tree(self.out), tree(self.fresh)
        if found != wanted:
            names = [name for name in {*found, *wanted} if found.get(name) != wanted.get(name)]
            fail(self, f"the set differs from a fresh one: {sorted(names)[:10]}")


def key(output: dict) -> tuple:
    return (output["layout"], output["scale"], output["scheme"], output["path"].rsplit(".", 1)[1])


def fail(sequence: Sequence, reason: str) -> None:
    print(reason, *sequence.steps, sep="\n")
    print(f"seed: {SEED}")
    sys.exit(1)


SEED = 0


def main() -> None:
    global SEED
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("program")
    parser.add_argument("scratch", type=Path)
    parser.add_argument("--sequences", type=int, default=20)
    parser.add_argument("--seed", type=int)
    options = parser.parse_args()
    first = options.seed or int(os.environ.get("EMBLEM_SEED", 0)) or secrets.randbelow(1 << 32) + 1
    options.scratch.mkdir(parents=True, exist_ok=True)
    origin = Origin()
    for number in range(options.sequences):
        SEED = first + number
        Sequence(options.program, options.scratch, SEED, origin).play()
    print(f"sequences: {options.sequences}, first seed: {first}")


if __name__ == "__main__":
    main()
