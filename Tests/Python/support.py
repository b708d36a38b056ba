"""Shared parts of the tests: the tool, images, an image server, and runs on one machine."""

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]

from Harness import many, servers  # noqa: E402

import emblemkit  # noqa: E402

PACKAGE = HOME / "Sources/Python"
SHIM = Path(__file__).with_name("tool_shim.py")
EMBLEM = os.environ.get("EMBLEM_PROGRAM", str(HOME / ".build/release/emblem"))
DOCUMENTATION = HOME / "Sources/EmblemKit/EmblemKit.docc"
SAMPLES = HOME / "Datasets/samples"
LOOK = {"layout": ["small", "medium"], "scale": 2, "allow_private": True, "retries": 1}
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
        many.write(str(root / "many"), range(200))
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
                "layout": layout,
                "merchant": str(number * 7),
            }
        )
    return made


def one_machine(table: list[dict[str, str | None]], out: Path) -> dict[str, dict[str, object]]:
    """Runs `emblem batch` over the rows; returns the records by id, after a check of the files."""
    run = emblemkit.batch(table, out, program=EMBLEM, cache="none", **LOOK)
    assert run.exit_code == 0, run.messages
    return {str(record["id"]): record for record in items_of(out)}


def items_of(out: Path) -> list[dict[str, object]]:
    """Returns the items of a manifest without positions; compares its digests with the files."""
    records = []
    with (out / "manifest.ndjson").open(encoding="utf-8") as file:
        for record in map(json.loads, file):
            if record["type"] != "item":
                continue
            for output in record["outputs"]:
                digest = hashlib.sha256((out / output["path"]).read_bytes()).hexdigest()
                assert digest == output["sha256"], "a digest in the manifest is wrong"
            records.append({name: v for name, v in record.items() if name not in PLACES})
    return records


def processes_of(*words: str) -> list[int]:
    """Returns the IDs of all processes whose command line contains the words."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                command = (entry / "cmdline").read_bytes()
                if all(word.encode() in command for word in words):
                    found.append(int(entry.name))
    return found
