#!/usr/bin/env python3
"""Runs the cases of the pages in this folder: files, commands, and what the commands print.

    run.py [--tool EMBLEM] [--renew] [WORD…]

WORD selects the cases whose page or title contains it. --renew writes what the commands print now into the
pages, where it differs. Cases with "(slow)" in the title run only if EMBLEM_TESTS is "all". README.md
describes the form of a page. Ends with 1 if a case fails.
"""

import argparse
import concurrent.futures
import contextlib
import difflib
import os
import pathlib
import re
import signal
import struct
import subprocess
import sys
import tempfile
import zlib

HOME = pathlib.Path(__file__).resolve().parent
ROOT = HOME.parent.parent
sys.path.insert(0, str(ROOT / "Benchmarks"))
from Harness import servers  # noqa: E402

SECONDS = 60
# The variables that stand for their values in files and in what is printed.
NAMES = ["$WEB", "$TLS", "$EXPIRED", "$FAULTS", "$SAMPLES", "$ROOT"]
# The lines that show the progress of a run depend on the speed of the machine.
PROGRESS = re.compile(r"(?:note: )?\d+/\d+  +(\d+%|[–-]/s)  ")


def disc(width, height, color="0A5FFF"):
    """Returns a PNG of a disc or ellipse of one colour on a transparent ground."""
    rows, pixel = b"", bytes.fromhex(color) + b"\xff"
    for y in range(height):
        rows += b"\0"
        for x in range(width):
            far = ((x + 0.5) / width * 2 - 1) ** 2 + ((y + 0.5) / height * 2 - 1) ** 2
            rows += pixel if far <= 1 else b"\0\0\0\0"
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks)


@contextlib.contextmanager
def web():
    """Serves twelve discs by nginx with the configuration of the tests; yields variables."""
    with tempfile.TemporaryDirectory(prefix="emblem-www-") as folder:
        # nginx workers run as another user and need access.
        os.chmod(folder, 0o755)
        subprocess.run(["sh", str(ROOT / "Tests/Servers/certificates.sh"), folder], check=True)
        www = pathlib.Path(folder, "www")
        www.mkdir()
        (www / "files").symlink_to(".")
        (www / "page.png").write_text("<!doctype html><title>Sold</title>")
        for index in range(12):
            (www / f"disc-{index}.png").write_bytes(disc(60 + 8 * index, 80))
        ports = {name: servers.free_port() for name in ["plain", "tls", "expired", "elsewhere", "self", "old"]}
        configuration = ROOT / "Tests/Servers/tests.conf"
        command = ["sh", str(ROOT / "Datasets/Server/nginx.sh"), folder, str(configuration)]
        with servers.child(command + [f"{name}={port}" for name, port in ports.items()]) as process:
            if process.stdout.readline().strip() != "ready":
                raise SystemExit("nginx did not start; install it with apt install nginx-light")
            yield {
                "WEB": f"http://127.0.0.1:{ports['plain']}", "TLS": f"https://localhost:{ports['tls']}",
                "EXPIRED": f"https://localhost:{ports['expired']}",
                "WEB_FILES": str(www), "WEB_LOG": f"{folder}/nginx/access.log", "AUTHORITY": f"{folder}/authority.pem"}


class Case:
    """A heading of a page with its files and commands."""

    def __init__(self, page, title):
        self.page, self.title = page, title
        self.files, self.pictures, self.steps = [], [], []

    def run(self, environment, names):
        """Returns the commands whose output differs, each as (step, lines)."""
        differing = []
        with tempfile.TemporaryDirectory(prefix="emblem-case-") as scratch:
            place = os.path.join(scratch, "case")
            os.mkdir(place)
            os.chmod(scratch, 0o755)  # Workers read libraries there as the user nobody.
            for name, lines in self.files:
                text = "".join(f"{line}\n" for line in lines)
                for variable in names:
                    text = text.replace(variable, environment[variable[1:]])
                path = pathlib.Path(place, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            for name, width, height, color in self.pictures:
                path = pathlib.Path(place, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(disc(width, height, color))
            for step in self.steps:
                ended = subprocess.Popen(
                    ["bash", "-c", step["command"]], cwd=place, env=environment | {"HOME": scratch},
                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
                try:
                    output = ended.communicate(timeout=SECONDS)[0]
                except subprocess.TimeoutExpired:
                    os.killpg(ended.pid, signal.SIGKILL)
                    output = ended.communicate()[0] + b"(ended after %d seconds)\n" % SECONDS
                text = output.decode(errors="backslashreplace").replace(place, "[CASE]")
                for variable in names:
                    text = text.replace(environment[variable[1:]], variable)
                text = re.sub(r"Done in [\d.]+ s", "Done in [..] s", text)
                lines = text.split("\n")[:-1] if text.endswith("\n") else text.split("\n") if text else []
                lines = [line for line in lines if not PROGRESS.match(line)]
                lines += [f"? {ended.returncode}"] if ended.returncode else []
                if not matches(lines, step["lines"]):
                    differing.append((step, lines))
        return differing


def matches(found, expected):
    """Returns whether lines match; `[..]` is any text in a line, and a line `...` any lines."""
    if not expected:
        return not found
    if expected[0] == "...":
        return any(matches(found[start:], expected[1:]) for start in range(len(found) + 1))
    pattern = ".*".join(map(re.escape, expected[0].split("[..]")))
    return bool(found) and re.fullmatch(pattern, found[0]) is not None and matches(found[1:], expected[1:])


def cases(page):
    """Reads the cases of a page."""
    found, block, named = [], None, None
    for number, line in enumerate(page.read_text().split("\n")):
        if block is not None:
            if line == "```":
                block = None
            elif isinstance(block, list):
                block.append(line)
            elif line.startswith("$ "):
                block.steps.append({"command": line[2:], "lines": [], "first": number + 1})
            else:
                block.steps[-1]["lines"].append(line)
        elif line.startswith("```"):
            block = []
            if named:
                found[-1].files.append((named, block))
            elif line == "```console":
                block = found[-1]
            named = None
        elif line.startswith("## "):
            found.append(Case(page, line[3:]))
        elif match := re.fullmatch(r"File `(.+)`:", line):
            named = match[1]
        elif match := re.fullmatch(r"Picture `(.+)`: (\d+) x (\d+)(?: #([0-9A-F]{6}))?", line):
            found[-1].pictures.append((match[1], int(match[2]), int(match[3]), match[4] or "0A5FFF"))
    return found


def renew(page, edits):
    lines = page.read_text().split("\n")
    for step, found in sorted(edits, key=lambda edit: -edit[0]["first"]):
        lines[step["first"]:step["first"] + len(step["lines"])] = found
    page.write_text("\n".join(lines))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--tool", default=str(ROOT / ".build/release/emblem"))
    options.add_argument("--renew", action="store_true")
    options.add_argument("words", nargs="*")
    chosen = options.parse_args()
    pages = sorted(page for page in HOME.glob("*.md") if page.name != "README.md")
    every = [case for page in pages for case in cases(page)
             if all(word in f"{page.name} {case.title}" for word in chosen.words)
             and (os.getuid() == 0 or not "(as root)" in case.title)
             and (os.environ.get("EMBLEM_TESTS") == "all" or "(slow)" not in case.title)]
    tool = pathlib.Path(chosen.tool).resolve()
    environment = {
        "PATH": f"{tool.parent}:/usr/bin:/bin", "BASH_ENV": str(HOME / "prelude.sh"), "COLUMNS": "100", "LC_ALL": "C.UTF-8",
        "SAMPLES": str(ROOT / "Datasets/samples"), "ROOT": str(ROOT)}
    with contextlib.ExitStack() as stack:
        environment |= stack.enter_context(web())
        environment["FAULTS"] = f"http://127.0.0.1:{stack.enter_context(servers.fault_server())}"
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(lambda case: case.run(environment, NAMES), every))
    failed, edits = 0, {}
    for case, differing in zip(every, results):
        failed += bool(differing)
        edits.setdefault(case.page, []).extend(differing)
        if differing and not chosen.renew:
            print(f"{case.page.name}: {case.title}")
            for step, lines in differing:
                print(f"    $ {step['command']}")
                print("".join(f"    {line}\n" for line in difflib.ndiff(step["lines"], lines) if line[0] != "?"), end="")
    if chosen.renew:
        for page, found in edits.items():
            renew(page, found)
        print(f"{failed} cases changed")
        return 0
    print(f"{len(every) - failed} passed, {failed} failed")
    return 1 if failed or not every else 0


if __name__ == "__main__":
    sys.exit(main())
