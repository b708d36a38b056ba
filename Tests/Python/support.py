"""Shared parts of the tests: the tool, images, an image server, and runs on one machine."""

import contextlib
import hashlib
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]

from Harness import servers  # noqa: E402

PACKAGE = HOME / "Sources/Python"
SHIM = Path(__file__).with_name("tool_shim.py")
EMBLEM = os.environ.get("EMBLEM_PROGRAM", str(HOME / ".build/release/emblem"))
DATASET = os.environ.get("EMBLEM_DATASET", str(HOME / ".build/release/emblem-dataset"))
DOCUMENTATION = HOME / "Sources/EmblemKit/EmblemKit.docc"
SAMPLES = HOME / "Datasets/samples"
LOOK = ["--layout", "small,medium", "--scale", "2", "--allow-private", "--retries", "1"]
# The members of a record that describe its position in a run or a stream.
PLACES = ("index", "row", "line")
# In a run of one minute, the second JIT compiler costs more than it saves.
QUICK_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
HOSTS = 8


def pictures(kind: str, ending: str) -> list[Path]:
    return sorted((SAMPLES / kind).glob(f"*.{ending}"))


@contextlib.contextmanager
def picture_server() -> Iterator[tuple[int, list[str]]]:
    """Serves small distinct images on eight hosts; yields the port and the paths."""
    with tempfile.TemporaryDirectory(prefix="emblem-www-") as folder:
        root = Path(folder)
        root.chmod(0o755)
        subprocess.run(
            [DATASET, "--preset", "many", "--count", "200", "-o", root / "many"],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        (root / "page.png").write_text("<!doctype html><title>Sold</title>")
        paths = sorted(
            str(path.relative_to(root)) for path in root.rglob("*.png") if path.name != "page.png"
        )
        with servers.nginx(str(root)) as port:
            yield port, paths


def rows(count: int, port: int, paths: list[str]) -> list[dict[str, str | None]]:
    """Returns rows with URLs on eight hosts, valid and broken local files, and invalid values.

    About one URL in twenty fails.
    """
    made: list[dict[str, str | None]] = []
    files = [*pictures("logos", "png"), *pictures("svg", "svg"), *pictures("photos", "jpg")]
    broken = sorted(path for path in (SAMPLES / "broken").rglob("*") if path.is_file())
    for number in range(count):
        host = f"http://127.0.0.{1 + number % HOSTS}:{port}"
        # The query makes each URL unique, so that rows do not share downloads.
        source = f"{host}/{paths[number % len(paths)]}?{number}"
        layout = None
        match number % 40:
            case 3:
                source = f"{host}/gone/{number}.png"
            case 9:
                source = f"{host}/page.png?{number}"
            case 17 if number % 200 == 17:
                source = f"{host}/errors/500/{number}.png"
            case 21:
                source = str(broken[number // 40 % len(broken)])
            case 25 if number % 200 == 25:
                layout = "gigantic"
            case 29:
                source = "/there/is/nothing.png"
            case 30 | 31 | 32 | 33 | 34 | 35:
                source = str(files[number % len(files)])
        made.append(
            {
                "id": f"row-{number:05d}",
                "source": source,
                "label": f"Row {number}" if number % 3 == 0 else None,
                "hint": "",
                "layout": layout,
                "merchant": str(number * 7),
            }
        )
    return made


def one_machine(
    table: list[dict[str, str | None]], folder: Path, look: list[str]
) -> dict[str, dict[str, object]]:
    """Runs `emblem batch` over the rows; returns the records by id, after a check of the files."""
    target = folder / "rows.ndjson"
    with target.open("w", encoding="utf-8") as file:
        for row in table:
            known = {name: value for name, value in row.items() if value is not None}
            file.write(json.dumps(known) + "\n")
    out = folder / "one-machine"
    process = subprocess.run(
        [EMBLEM, "batch", "--list", target, "-o", out, "--cache", "none", "--quiet", *look],
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode != 0:
        raise AssertionError(f"emblem batch ended with {process.returncode}: {process.stderr}")
    return {str(record["id"]): record for record in items_of(out)}


def items_of(out: Path) -> list[dict[str, object]]:
    """Returns the items of a manifest without positions; compares its digests with the files."""
    records = []
    with (out / "manifest.ndjson").open(encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            if record["type"] != "item":
                continue
            for output in record["outputs"]:
                digest = hashlib.sha256((out / output["path"]).read_bytes()).hexdigest()
                assert digest == output["sha256"], "a digest in the manifest is wrong"
            records.append(without_place(record))
    return records


def without_place(record: dict[str, object]) -> dict[str, object]:
    """Returns a record without members that depend on the other rows or their order."""
    return {name: value for name, value in record.items() if name not in PLACES}


def processes_of(program: str) -> list[int]:
    """Returns the IDs of all processes that run a program, directly or by an interpreter."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                arguments = (entry / "cmdline").read_bytes().split(b"\0")
                if program.encode() in arguments[:2]:
                    found.append(int(entry.name))
    return found
