#!/usr/bin/env python3
"""Loads the example server of the documentation for a minute, with good and hostile clients at once.

    serving.py PROGRAM [--seconds 60] [--seed N]

PROGRAM is EmblemExamples. The good clients ask for logos over open connections and compare every answer with
the first one. The hostile clients ask for pictures that are made to cost much, and send broken, endless and
abandoned requests. Exits with 1 if

- a status is neither expected nor 503 with `retry-after`, or a good client gets another picture or a placeholder,
- memory or descriptors of the server grow between the second and the last third of the time,
- the server does not return to the descriptors that it had before the hostile clients, or does not end.
"""

import argparse
import collections
import http.client
import http.server
import os
import random
import secrets
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import zlib
from pathlib import Path

LOGOS = 40
GOOD, HOSTILE = 4, 8
EXPECTED = {200, 304, 400, 404, 406}
GROWTH_BYTES = 32 << 20
GROWTH_DESCRIPTORS = 32


def png(side: int, color: bytes, kind: int) -> bytes:
    """Returns a PNG of one colour; `kind` is its colour type."""
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    packer = zlib.compressobj(6)
    rows = b"".join([packer.compress(b"\0" + color * side) for _ in range(side)] + [packer.flush()])
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", side, side, 8, kind, 0, 0, 0))
            + chunk(b"IDAT", rows) + chunk(b"IEND", b""))


def pictures() -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Returns the logos, and the hostile pictures."""
    logos = {f"logo{n}": png(64 + 8 * n, bytes((n * 37 % 256, n * 91 % 256, 80, 255)), 6) for n in range(LOGOS)}
    whole = png(300, b"\x10\x80\xf0", 2)
    noise = "<feTurbulence baseFrequency='.9' numOctaves='1000000'/>"
    uses = "".join(f"<g id='g{n}'>" + f"<use href='#g{n - 1}'/>" * 9 + "</g>" for n in range(1, 9))
    svg = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>{}</svg>"
    hostile = {
        "bomb": png(7000, b"\x80", 0), "bomb-rgba": png(7000, b"\x80\x10\x20\xff", 6),
        "noise": svg.format(f"<filter id='f'>{noise}</filter><rect width='9' height='9' filter='url(#f)'/>").encode(),
        "uses": svg.format(f"<defs><g id='g0'><path d='M0 0h1v1'/></g>{uses}</defs><use href='#g8'/>").encode(),
        "deep": svg.format("<g>" * 50_000 + "</g>" * 50_000).encode(),
        "half": whole[:len(whole) // 2], "text": b"<!doctype html><title>No picture</title>", "empty": b"",
    }
    return logos, hostile


class Origin(http.server.ThreadingHTTPServer):
    """A server of pictures. It answers unknown names with status 500."""
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, files: dict[str, bytes]) -> None:
        super().__init__(("127.0.0.1", 0), OriginRequest)
        self.files = files
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_: object) -> None:
        """Ignores connections that the server under test has cancelled."""

    def urls(self) -> list[str]:
        return [f"http://127.0.0.1:{self.server_port}/{name}" for name in self.files]


class OriginRequest(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        body = self.server.files.get(self.path[1:])
        self.send_response(200 if body is not None else 500)
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, *_: object) -> None:
        pass


class Trial:
    """The clients, and the counts of their answers."""

    def __init__(self, port: int, names: list[str], seed: int) -> None:
        self.port, self.names, self.seed = port, names, seed
        self.counts: collections.Counter = collections.Counter()
        self.faults: list[str] = []
        self.times: list[float] = []
        self.is_over = threading.Event()
        self.has_hostile = threading.Event()

    def check(self, who: str, what: str, response: http.client.HTTPResponse) -> bytes:
        body = response.read()
        self.counts[(who, response.status)] += 1
        is_busy = response.status == 503 and response.getheader("retry-after") is not None
        if response.status not in EXPECTED and not is_busy:
            self.faults.append(f"{what}: status {response.status}")
        return body

    def good(self, number: int) -> None:
        try:
            self.compare(number)
        except (OSError, http.client.HTTPException) as error:
            self.faults.append(f"a good client lost its connection: {error!r}")

    def compare(self, number: int) -> None:
        choice = random.Random(self.seed + number)
        known: dict[tuple[str, str], tuple[bytes, str]] = {}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        while not self.is_over.is_set():
            name, accept = f"logo{choice.randrange(LOGOS)}", choice.choice(["image/webp", "image/png", "*/*"])
            headers = {"accept": accept}
            seen = known.get((name, accept))
            is_again = seen is not None and choice.random() < 0.3
            if is_again:
                headers["if-none-match"] = seen[1]
            start = time.monotonic()
            connection.request("GET", f"/emblem/{name}", headers=headers)
            response = connection.getresponse()
            body = self.check("good", name, response)
            if self.has_hostile.is_set():
                self.times.append(time.monotonic() - start)
            if response.status == 503:
                continue
            if response.getheader("cache-control") != "max-age=86400":
                self.faults.append(f"{name}: a placeholder")
            elif is_again and response.status != 304:
                self.faults.append(f"{name}: status {response.status} for a known tag")
            elif response.status == 200:
                if known.setdefault((name, accept), (body, response.getheader("etag")))[0] != body:
                    self.faults.append(f"{name}: two pictures")

    def hostile(self, number: int) -> None:
        choice = random.Random(self.seed * 1000 + number)
        deeds = [self.picture] * 5 + [self.leave, self.noise, self.long, self.slow, self.deaf, self.unknown]
        while not self.is_over.is_set():
            try:
                choice.choice(deeds)(choice)
            except (OSError, http.client.HTTPException):
                # The server may close the connection of such a client.
                self.counts[("hostile", "closed")] += 1

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)

    def ask(self, path: str, headers: dict[str, str]) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("GET", path, headers=headers)
            self.check("hostile", path, connection.getresponse())
        finally:
            connection.close()

    def picture(self, choice: random.Random) -> None:
        self.ask(f"/emblem/{choice.choice(self.names)}", {"accept": "image/webp"})

    def unknown(self, choice: random.Random) -> None:
        path = choice.choice(["/", "/emblem/", "/emblem/%00", "/emblem/../../etc/passwd", "//", "/emblem/" + "a" * 999])
        self.ask(path, {"accept": choice.choice(["text/html", "image/webp;q=nan", "," * 500])})

    def leave(self, choice: random.Random) -> None:
        """Closes many connections whose requests are being answered."""
        clients = [self.connect() for _ in range(8)]
        for client in clients:
            client.sendall(f"GET /emblem/{choice.choice(self.names)} HTTP/1.1\r\n\r\n".encode())
        for client in clients:
            client.close()

    def noise(self, choice: random.Random) -> None:
        with self.connect() as client:
            client.sendall(choice.randbytes(3000) + b"\r\n\r\n")
            client.recv(4096)

    def long(self, choice: random.Random) -> None:
        with self.connect() as client:
            client.sendall(b"GET /emblem/logo1 HTTP/1.1\r\n" + b"x: y\r\n" * 5000)
            client.recv(4096)

    def slow(self, choice: random.Random) -> None:
        """Sends one byte at a time, until the server closes the connection."""
        with self.connect() as client:
            while not self.is_over.wait(0.2):
                client.sendall(b"G")

    def deaf(self, choice: random.Random) -> None:
        """Sends many requests and reads no answer."""
        with self.connect() as client:
            client.sendall(b"GET /emblem/logo39 HTTP/1.1\r\n\r\n" * 60)
            self.is_over.wait(1)


def children(pid: int) -> list[int]:
    """Returns the processes that the threads of a process have started."""
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            found += [int(child) for child in (task / "children").read_text().split()]
        except OSError:
            pass  # The thread has ended.
    return found


def memory(pid: int) -> int:
    """Returns the memory of the server and its workers in bytes."""
    total = 0
    for process in [pid, *children(pid)]:
        try:
            lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue  # The worker has ended.
        total += next((int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:")), 0)
    return total


def descriptors(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("EMBLEM_SEED", secrets.randbelow(1 << 31))))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)

    logos, hostile = pictures()
    # Pictures that fail must not close the host of the logos.
    urls = Origin(logos).urls() + (evil := Origin(hostile)).urls()
    names = [*hostile, "gone"]
    urls.append(f"http://127.0.0.1:{evil.server_port}/gone")
    server = subprocess.Popen([options.program, "serve", "/tmp", *urls], stdout=subprocess.PIPE)
    try:
        return run(server, names, options)
    finally:
        server.kill()
        server.wait()


def run(server: subprocess.Popen, names: list[str], options: argparse.Namespace) -> int:
    trial = Trial(int(server.stdout.readline()), names, options.seed)
    clients = [threading.Thread(target=trial.good, args=(number,), daemon=True) for number in range(GOOD)]
    for client in clients:
        client.start()
    time.sleep(min(5, options.seconds / 4))
    before = descriptors(server.pid)
    trial.has_hostile.set()
    clients += [threading.Thread(target=trial.hostile, args=(number,), daemon=True) for number in range(HOSTILE)]
    for client in clients[GOOD:]:
        client.start()
    samples = []
    end = time.monotonic() + options.seconds
    while (left := end - time.monotonic()) > 0:
        samples.append((memory(server.pid), descriptors(server.pid)))
        time.sleep(min(left, 0.5))
    trial.is_over.set()
    for client in clients:
        client.join(60)
        if client.is_alive():
            trial.faults.append("a client waits for an answer that does not come")

    third = len(samples) // 3
    middle, last = samples[third:2 * third], samples[2 * third:]
    growth = max(size for size, _ in last) - max(size for size, _ in middle)
    more = max(count for _, count in last) - max(count for _, count in middle)
    if growth > GROWTH_BYTES:
        trial.faults.append(f"the memory grew by {growth >> 20} MB in the last third")
    if more > GROWTH_DESCRIPTORS:
        trial.faults.append(f"the descriptors grew by {more} in the last third")
    until = time.monotonic() + 30
    while (after := descriptors(server.pid)) > before + GROWTH_DESCRIPTORS // 2 and time.monotonic() < until:
        time.sleep(0.2)
    if after > before + GROWTH_DESCRIPTORS // 2:
        trial.faults.append(f"{after} descriptors are open after the load, {before} before it")
    server.send_signal(signal.SIGTERM)
    try:
        server.wait(10)
    except subprocess.TimeoutExpired:
        trial.faults.append("the server does not end")

    for (who, status), count in sorted(trial.counts.items(), key=str):
        print(f"{who:8}{status!s:>8}{count:10}")
    times = sorted(trial.times) or [0]
    print(f"good clients next to hostile ones: {len(times) / options.seconds:.0f} requests/s, p50 "
          f"{times[len(times) // 2] * 1e3:.0f} ms, p99 {times[len(times) * 99 // 100] * 1e3:.0f} ms")
    sizes = [size >> 20 for size, _ in samples]
    print(f"memory with workers {min(sizes)} to {max(sizes)} MB, in the last third {growth / (1 << 20):+.0f} MB; "
          f"descriptors {before} before, at most {max(count for _, count in samples)}, {after} after")
    for fault, count in collections.Counter(trial.faults).most_common(20):
        print(f"FAULT {fault} ({count}x)")
    return 1 if trial.faults else 0


if __name__ == "__main__":
    sys.exit(main())
