#!/usr/bin/env python3
"""A test that runs a list of URLs for many simulated nights while servers, list, disk and process fail.

After each night, the set is compared with a model (see `Model`), which contains the versions of the
image that the file of each row may show. If the server answers, the row shows the current version.
Otherwise the row keeps its image, and shows a placeholder only if it had no image. After an interrupted
night each file is either old or new, and never damaged.

At the first difference the script exits with code 1 and prints the seed (EMBLEM_SEED, or --seed). The
seed chooses nights and failures; the moment of a kill also depends on the speed of the machine.
"""

import argparse
import asyncio
import hashlib
import json
import os
import random
import secrets
import shutil
import signal
import struct
import subprocess
import sys
import time
import zlib
from pathlib import Path

HOSTS = 20
PORT = 8371
PICTURES = 400
# The modes of a host during a night, and whether its rows get their current image: always, never, or
# perhaps.
MODES = {"up": "always", "down": "never", "silent": "never", "busy": "never", "flaky": "perhaps"}
# The kinds of nights. The first nights use each kind once, in this order; later kinds are random.
KINDS = ["first", "up", "down", "silent", "half", "flaky", "short", "empty", "full", "killed"]


def picture(number: int) -> bytes:
    """Returns a PNG of two colours, different for each number."""
    side, ground = 32, (number * 37 % 256, number * 91 % 256, number // 2 % 256)
    rows = b"".join(
        b"\0" + b"".join(
            bytes((255 - ground[0], number % 256, ground[2]) if 8 <= x < 24 and 8 <= y < 24 else ground)
            for x in range(side))
        for y in range(side))

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", side, side, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class Connection(asyncio.Protocol):
    """One connection, whose requests are answered according to the mode of its host."""

    def __init__(self, server: "Server", host: int) -> None:
        self.server, self.host, self.pending = server, host, b""

    def connection_made(self, transport: asyncio.Transport) -> None:
        self.transport = transport
        self.server.open.add(transport)

    def connection_lost(self, error: Exception | None) -> None:
        self.server.open.discard(self.transport)

    def data_received(self, data: bytes) -> None:
        self.pending += data
        while b"\r\n\r\n" in self.pending:
            head, self.pending = self.pending.split(b"\r\n\r\n", 1)
            self.answer(head)

    def answer(self, head: bytes) -> None:
        mode = self.server.modes[self.host]
        if mode == "silent":
            return
        if mode == "busy" or (mode == "flaky" and self.server.dice.random() < 0.3):
            self.send("503 Service Unavailable", "text/plain", b"busy")
        else:
            lines = head.split(b"\r\n")
            number = self.server.shown[int(lines[0].split(b" ")[1][1:-4])]
            tag = b'"%d"' % number
            if any(line.lower() == b"if-none-match: " + tag for line in lines[1:]):
                self.send("304 Not Modified", "image/png", b"", tag)
            else:
                self.send("200 OK", "image/png", self.server.pictures[number], tag)

    def send(self, status: str, kind: str, body: bytes, tag: bytes = b"") -> None:
        etag = f"ETag: {tag.decode()}\r\n" if tag else ""
        self.transport.write(
            f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
            f"Cache-Control: no-cache\r\n{etag}\r\n".encode() + body)


class Server:
    """A server for all hosts, which runs in a separate process.

    A line on standard input makes it read the plan again.
    """

    def __init__(self, plan: Path) -> None:
        self.plan, self.open, self.dice = plan, set(), random.Random(1)
        self.pictures = [picture(number) for number in range(PICTURES)]
        self.listeners: dict[int, asyncio.Server] = {}

    async def change(self) -> None:
        plan = json.loads(self.plan.read_text())
        self.modes, self.shown = plan["modes"], plan["shown"]
        for transport in list(self.open):
            transport.abort()
        loop = asyncio.get_running_loop()
        for host, mode in enumerate(self.modes):
            if mode == "down" and host in self.listeners:
                self.listeners.pop(host).close()
            elif mode != "down" and host not in self.listeners:
                self.listeners[host] = await loop.create_server(
                    lambda host=host: Connection(self, host), address(host), PORT, backlog=512)

    async def serve(self) -> None:
        loop = asyncio.get_running_loop()
        while await loop.run_in_executor(None, sys.stdin.readline):
            await self.change()
            print("ready", flush=True)


def address(host: int) -> str:
    return f"127.0.1.{host + 1}"


class Model:
    """The versions of the image that the file of each row may show; None is the placeholder."""

    def __init__(self, rows: int) -> None:
        self.shown: list[set[int | None]] = [set() for _ in range(rows)]

    def after(self, row: int, current: int, gets: str, is_cut_off: bool) -> set[int | None]:
        """Returns the versions that the file of the row may show after a night."""
        if gets == "always" and not is_cut_off:
            self.shown[row] = {current}
        elif is_cut_off:
            self.shown[row] |= {current}
        else:
            self.shown[row] = (self.shown[row] or {None}) | ({current} if gets == "perhaps" else set())
        return self.shown[row]


class Proof:
    """The state of the simulated nights, and their checks."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.tool, self.seed, self.rows = arguments.tool, arguments.seed, arguments.rows
        self.kinds = arguments.kinds.split(",")
        self.dice = random.Random(self.seed)
        self.scratch = arguments.scratch.resolve()
        # A separate file system, so that a night can fill it.
        self.disk = self.scratch / "disk"
        self.out, self.list = self.disk / "out", self.scratch / "list.csv"
        self.shown = [self.dice.randrange(PICTURES) for _ in range(self.rows)]
        self.model = Model(self.rows)
        self.counts: dict[str, int] = {}

    def fail(self, message: str) -> None:
        sys.exit(f"{message} (EMBLEM_SEED={self.seed})")

    def prepare(self) -> None:
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.disk.mkdir(parents=True)
        if "full" in self.kinds:
            size = 64 + self.rows * 24 // 1024
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}m", "tmpfs", str(self.disk)],
                           check=True)
        pool = self.scratch / "pool"
        pool.mkdir()
        for number in range(PICTURES):
            (pool / f"{number}.png").write_bytes(picture(number))
        (pool / "none.png").write_bytes(b"no picture")
        reference = self.scratch / "reference"
        subprocess.run([self.tool, "batch", str(pool), "-o", str(reference), *self.options()], check=True)
        self.digests = {digest(reference / f"{number}.png"): number for number in range(PICTURES)}
        if len(self.digests) != PICTURES:
            sys.exit("two images of the pool have the same emblem")
        self.placeholder = digest(reference / "none.png")
        self.plan = self.scratch / "plan.json"
        self.server = subprocess.Popen(
            [sys.executable, __file__, "--serve", str(self.plan)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    @staticmethod
    def options() -> list[str]:
        return ["--layout", "small", "--name", "{id}.png", "--quiet"]

    def tonight(self, modes: list[str]) -> None:
        self.plan.write_text(json.dumps({"modes": modes, "shown": self.shown}))
        self.server.stdin.write("\n")
        self.server.stdin.flush()
        if self.server.stdout.readline() != "ready\n":
            self.fail("the image server has ended")

    def command(self, kind: str, more: list[str]) -> list[str]:
        return [self.tool, "batch", "--list", str(self.list), "-o", str(self.out), *self.options(),
                "--cache", str(self.scratch / "cache"), "--allow-private", "--prune",
                "--timeout", "2", "--connections", "120", *more]

    def night(self, number: int, kind: str) -> None:
        name = f"night {number}, {kind}"
        for row in range(self.rows):
            if self.dice.random() < 0.02:
                self.shown[row] = self.dice.randrange(PICTURES)
        modes = ["up"] * HOSTS
        if kind in ("down", "silent", "flaky"):
            modes = [kind] * HOSTS
        elif kind == "half":
            for host in self.dice.sample(range(HOSTS), HOSTS // 2):
                modes[host] = self.dice.choice(["down", "silent", "busy"])
        listed = [row for row in range(self.rows) if self.dice.random() > 0.01]
        if kind == "short":
            # --prune would remove more than half of the files, so it refuses.
            listed = listed[: len(listed) // 3]
        if kind == "empty":
            listed = []
        rows = [f"{row},http://{address(row % HOSTS)}:{PORT}/{row}.png" for row in listed]
        self.list.write_text("\n".join(["id,source", *rows]) + "\n")
        self.tonight(modes)
        before = self.files()
        begin = time.monotonic()
        status, errors = self.run(kind)
        is_cut_off = kind == "full"
        if kind == "killed":
            # A killed run is continued in the morning.
            status, errors = self.run("continued", [])
        seconds = time.monotonic() - begin
        self.check_end(name, kind, status, errors)
        found = self.files()
        if kind in ("short", "empty"):
            lost = [row for row in before if row not in found]
            if lost:
                self.fail(f"{name}: {len(lost)} files are missing, such as {lost[0]}")
            if kind == "empty" and found != before:
                self.fail(f"{name}: files changed")
        kept = self.check_rows(name, modes, listed, found, is_cut_off)
        if not is_cut_off and kind not in ("short", "empty"):
            unlisted = set(found) - set(listed)
            if unlisted:
                self.fail(f"{name}: {len(unlisted)} files were not pruned, such as {min(unlisted)}")
            self.check_manifest(name, modes, listed, found)
        self.counts[kind] = self.counts.get(kind, 0) + 1
        print(f"{name}: exit code {status}, {len(listed)} rows, {kept} with an older image, "
              f"{seconds:.1f} s", flush=True)

    def run(self, kind: str, more: list[str] | None = None) -> tuple[int, str]:
        filler = self.disk / "filler"
        if kind == "full":
            with filler.open("wb") as file:
                space = os.statvfs(self.disk)
                os.posix_fallocate(file.fileno(), 0, max(1, (space.f_bavail - 40) * space.f_frsize))
        process = subprocess.Popen(self.command(kind, more or []), stdin=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        if kind == "killed":
            time.sleep(self.dice.uniform(0.1, 3))
            process.send_signal(signal.SIGKILL)
        errors = process.communicate(timeout=900)[1]
        filler.unlink(missing_ok=True)
        return process.returncode, errors

    def check_end(self, name: str, kind: str, status: int, errors: str) -> None:
        expected = {"short": {1}, "empty": {0, 1, 65}, "full": {0, 74}, "killed": {0, -signal.SIGKILL}}
        if status not in expected.get(kind, {0}):
            self.fail(f"{name}: exit code {status}: {errors[-2000:]}")

    def files(self) -> dict[int, str]:
        return {int(path.stem): digest(path) for path in self.out.glob("*.png")}

    def check_rows(self, name: str, modes: list[str], listed: list[int], found: dict[int, str],
                   is_cut_off: bool) -> int:
        """Compares each listed row with the model; returns the number of rows with an older image."""
        older = 0
        for row in listed:
            gets = MODES[modes[row % HOSTS]]
            allowed = self.model.after(row, self.shown[row], gets, is_cut_off)
            if row not in found:
                if is_cut_off:
                    continue
                self.fail(f"{name}: row {row} has no file")
            version = self.digests.get(found[row])
            if version is None and found[row] != self.placeholder:
                self.fail(f"{name}: the file of row {row} is not an image of the pool")
            if version not in allowed:
                self.fail(f"{name}: row {row} shows {version}, not one of {allowed}")
            older += version is not None and version != self.shown[row]
        return older

    def check_manifest(self, name: str, modes: list[str], listed: list[int], found: dict[int, str]) -> None:
        """Compares the record of each row in the manifest with its file."""
        lines = [json.loads(line) for line in (self.out / "manifest.ndjson").read_text().splitlines()]
        items = [line for line in lines if line.get("type") == "item"]
        if len(items) != len(listed):
            self.fail(f"{name}: the manifest has {len(items)} rows instead of {len(listed)}")
        for item in items:
            row = int(item["id"])
            is_placeholder = found[row] == self.placeholder
            if is_placeholder != (item["status"] == "placeholder"):
                self.fail(f"{name}: the manifest has the status {item['status']} for row {row}")
            gets = MODES[modes[row % HOSTS]]
            is_stale = item.get("stale", False)
            if (gets == "always" and is_stale) or (gets == "never" and not is_stale and not is_placeholder):
                self.fail(f"{name}: row {row} is {'' if is_stale else 'not '}marked as stale")
        process = subprocess.run([self.tool, "verify", "--quiet", str(self.out)], capture_output=True, text=True)
        if process.returncode != 0:
            self.fail(f"{name}: {process.stdout}{process.stderr}")

    def nights(self, count: int) -> None:
        self.prepare()
        try:
            for number in range(count):
                is_named = number < len(self.kinds)
                self.night(number + 1, self.kinds[number] if is_named else self.dice.choice(self.kinds))
        finally:
            self.server.kill()
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(self.counts.items()))
        print(f"nights: {count} over {self.rows} rows; {kinds}")


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main() -> None:
    if sys.argv[1:2] == ["--serve"]:
        asyncio.run(Server(Path(sys.argv[2])).serve())
        return
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("scratch", type=Path, help="folder for temporary files, which is emptied first")
    parser.add_argument("--nights", type=int, default=30)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--seed", type=int,
                        default=int(os.environ.get("EMBLEM_SEED") or secrets.randbelow(1 << 32)))
    parser.add_argument("--kinds", default=",".join(KINDS), help="kinds of nights")
    arguments = parser.parse_args()
    if "full" in arguments.kinds.split(",") and "NIGHTS_HAVE_MOUNTS" not in os.environ:
        # A private mount namespace has the small file system that simulates the full disk.
        os.execvpe("unshare", ["unshare", "--map-root-user", "--mount", sys.executable, *sys.argv],
                   {**os.environ, "NIGHTS_HAVE_MOUNTS": "1",
                    "EMBLEM_SEED": str(arguments.seed)})
    print(f"seed {arguments.seed}", flush=True)
    Proof(arguments).nights(arguments.nights)


if __name__ == "__main__":
    main()
