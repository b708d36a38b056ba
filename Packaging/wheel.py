#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A script that builds the Python wheel from the archive of dist.sh and Sources/Python, and prints its path.

    wheel.py ARCHIVE OUT

The wheel is OUT/emblemkit-VERSION-py3-none-PLATFORM.whl. It contains the archive as emblemkit/tool, without
the font for emoji and the data of ICU, which make up 22 of 62 MB. Equal archives and sources give equal bytes.
"""

import base64
import hashlib
import re
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "Sources/Python"
TOOL = "emblemkit/tool"
LEFT_OUT = {"share/emblem/fonts/NotoColorEmoji.ttf"}
# The command emblem. It replaces itself with the tool, so that signals and exit codes need no forwarding. pip writes
# the path of the interpreter into the first line. Python ignores SIGPIPE; the tool must not inherit this.
COMMAND = f"""#!python
import os
import signal
import sys

for folder in sys.path:
    program = os.path.join(folder, "{TOOL}/bin/emblem")
    if os.access(program, os.X_OK):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.execv(program, ["emblem", *sys.argv[1:]])
sys.exit("emblem: error: {TOOL} was not found in the Python path; install emblemkit again")
"""


class Wheel:
    """A zip file with a record of the digests of its files."""

    def __init__(self, name: str, date: int) -> None:
        self.info = f"{name}.dist-info"
        self._files: dict[str, tuple[bytes, int]] = {}
        self._date = time.gmtime(max(date, 315_532_800))[:6]

    def add(self, path: str, data: bytes, mode: int = 0o644) -> None:
        self._files[path] = (data, 0o100000 | mode)

    def write(self, target: Path) -> None:
        """Writes the files sorted by name, and the metadata last, as the format recommends."""
        lines = []
        for path, (data, _) in sorted(self._files.items()):
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            lines.append(f"{path},sha256={digest},{len(data)}\n")
        record = f"{self.info}/RECORD"
        self.add(record, "".join([*lines, f"{record},,\n"]).encode())
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
            for path, (data, mode) in sorted(self._files.items(), key=lambda item: (".dist-info/" in item[0], item[0])):
                facts = zipfile.ZipInfo(path, self._date)
                facts.create_system, facts.external_attr = 3, mode << 16
                file.writestr(facts, data, zipfile.ZIP_DEFLATED, 9)


def metadata(version: str) -> str:
    """Returns the METADATA file, generated from pyproject.toml and the README."""
    project = tomllib.loads((SOURCES / "pyproject.toml").read_text())["project"]
    lines = [
        "Metadata-Version: 2.4", f"Name: {project['name']}", f"Version: {version}",
        f"Summary: {project['description']}", f"Author: {project['authors'][0]['name']}",
        f"License-Expression: {project['license']}",
        *(f"License-File: {name}" for name in project["license-files"]),
        f"Requires-Python: {project['requires-python']}", "Description-Content-Type: text/markdown",
    ]
    for extra, needs in project["optional-dependencies"].items():
        if extra != "check":
            lines += [f"Provides-Extra: {extra}", *(f"Requires-Dist: {need}; extra == '{extra}'" for need in needs)]
    return "\n".join(lines) + "\n\n" + (SOURCES / "README.md").read_text()


def platform(tree: Path) -> str:
    """Returns the platform tag, with the glibc version that the program and its libraries need."""
    files = [tree / "bin/emblem", *sorted((tree / "lib").glob("*"))]
    symbols = subprocess.run(["objdump", "-T", *files], check=True, capture_output=True, text=True).stdout
    newest = max(tuple(map(int, found.split("."))) for found in re.findall(r"GLIBC_([0-9.]+)", symbols))
    machine = next(iter(tree.parent.iterdir())).name.rsplit("-", 1)[1]
    return f"manylinux_{newest[0]}_{newest[1]}_{machine}"


def main(archive: Path, out: Path) -> None:
    version = re.search(r'__version__ = "([^"]+)"', (SOURCES / "emblemkit/__init__.py").read_text())[1]
    date = int(subprocess.run([ROOT / "Packaging/epoch.sh"], check=True, capture_output=True, text=True).stdout)
    wheel = Wheel(f"emblemkit-{version}", date)
    with tempfile.TemporaryDirectory() as folder, tarfile.open(archive) as tar:
        tar.extractall(folder)
        (tree,) = Path(folder).iterdir()
        if f"-{version}-" not in tree.name:
            sys.exit(f"wheel.py: {archive} does not have version {version}; run make release FORMS=dist again")
        for library in tree.glob("lib/libicudata.so.*"):
            subprocess.run([ROOT / "Packaging/empty-icu.sh", library], check=True)
        tag = f"py3-none-{platform(tree)}"
        for path in sorted(tree.rglob("*")):
            name = path.relative_to(tree).as_posix()
            if path.is_file() and name not in LEFT_OUT:
                wheel.add(f"{TOOL}/{name}", path.read_bytes(), 0o755 if name.startswith("bin/") else 0o644)
    for path in sorted([*SOURCES.glob("emblemkit/**/*.py"), SOURCES / "emblemkit/py.typed"]):
        wheel.add(path.relative_to(SOURCES).as_posix(), path.read_bytes())
    wheel.add(f"emblemkit-{version}.data/scripts/emblem", COMMAND.encode(), 0o755)
    for name in ("LICENSE", "NOTICE"):
        wheel.add(f"{wheel.info}/licenses/{name}", (SOURCES / name).read_bytes())
    wheel.add(f"{wheel.info}/METADATA", metadata(version).encode())
    wheel.add(f"{wheel.info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: emblem\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
    out.mkdir(parents=True, exist_ok=True)
    target = out / f"emblemkit-{version}-{tag}.whl"
    part = target.with_suffix(".part")
    wheel.write(part)
    part.rename(target)
    print(target)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: wheel.py ARCHIVE OUT, where ARCHIVE is the archive of make release FORMS=dist")
    main(Path(sys.argv[1]), Path(sys.argv[2]))
