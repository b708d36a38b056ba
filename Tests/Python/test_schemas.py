"""Tests of the examples in the documentation against the JSON schemas."""

import csv
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import jsonschema

import support

SCHEMAS = support.DOCUMENTATION / "Schemas"
OWN_SCHEMAS = support.HOME / "Tests/Schemas"
CHECK = Path(sys.executable).parent / "check-jsonschema"
# JSON in blocks, in code voice, in commands, and in Swift.
EXAMPLES = re.compile(r'^```json\n(.*?)^```|`(\{".*?\})`|\'(\{".*?\})\'|#"(\{.*?\})"#', re.M | re.S)


def pages() -> list[Path]:
    readme = [support.HOME / "README.md", support.PACKAGE / "README.md"]
    return [*readme, *sorted(support.DOCUMENTATION.glob("*.md"))]


def examples() -> dict[str, str]:
    """Returns the complete JSON objects of all pages by their places."""
    found = {}
    for page in pages():
        text = page.read_text()
        for match in EXAMPLES.finditer(text):
            example = next(group for group in match.groups() if group)
            # Excerpts of a record have no braces, and an ellipsis replaces omitted members.
            if example.startswith("{") and "…" not in example:
                found[f"{page.name}:{text[: match.start()].count(chr(10)) + 1}"] = example
    return found


def kind(value: dict[str, object]) -> str:
    """Returns the schema that describes an example."""
    names = set(value)
    if names & {"theme", "palette"} or any(name.startswith("theme.") for name in names):
        return "theme-1"
    if "source" in names:
        return "row-1"
    if "max-bytes" in names:
        return "configuration-1"
    return "part of a record"


class Schemas(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="emblem-schemas-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def check(self, *arguments: object) -> None:
        done = subprocess.run(
            [CHECK, *map(str, arguments)], capture_output=True, text=True, check=False
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def schema(self, name: str) -> Path:
        if name != "configuration-1":
            folder = SCHEMAS if (SCHEMAS / f"{name}.schema.json").exists() else OWN_SCHEMAS
            return folder / f"{name}.schema.json"
        path = self.folder / "configuration.json"
        printed = subprocess.run(
            [support.EMBLEM, "man", "--schema"], check=True, capture_output=True
        )
        path.write_bytes(printed.stdout)
        return path

    def record(self, part: dict[str, object]) -> dict[str, object]:
        """Returns the JSON schema of a part of the manifest."""
        manifest = json.loads(self.schema("manifest-1").read_text())
        return {"$schema": manifest["$schema"], "$defs": manifest["$defs"], **part}

    def test_every_schema_is_valid(self) -> None:
        schemas = [*SCHEMAS.glob("*.json"), *OWN_SCHEMAS.glob("*.json")]
        self.check("--check-metaschema", *schemas, self.schema("configuration-1"))

    def test_every_example_of_the_pages_follows_its_schema(self) -> None:
        files: dict[str, list[Path]] = {}
        for number, (place, text) in enumerate(examples().items()):
            with self.subTest(place=place):
                name = kind(json.loads(text))
                # A file has the place in its name, so that errors show it.
                path = self.folder / f"{number}-{place}.json"
                path.write_text(text)
                files.setdefault(name, []).append(path)
        parts = files.pop("part of a record")
        self.assertEqual(set(files), {"theme-1", "row-1", "configuration-1"})
        self.assertGreater(len(files["theme-1"]), 5)
        files["theme-1"].append(support.SAMPLES / "theme.json")
        files["theme-1"].append(support.DOCUMENTATION / "theme-settings.json")
        for name, paths in files.items():
            self.check("--schemafile", self.schema(name), *paths)
        # The entry of a lint warning, and the examples of tables, which the next test checks.
        lint = [json.loads(path.read_text()) for path in parts if "Manifest" not in path.name]
        self.assertEqual(len(lint), 1)
        item = {"$ref": "#/$defs/item/properties/lint"}
        jsonschema.validate(lint, self.record(item))

    def test_the_examples_of_the_manifest_page_follow_its_schema(self) -> None:
        sections = {
            "The run record": "#/$defs/run/properties",
            "The item record": "#/$defs/item/properties",
            "error": "#/$defs/item/properties/error/properties",
            "input": "#/$defs/input/properties",
            "outputs": "#/$defs/output/properties",
            "The target record": "#/$defs/target/properties",
            "The summary record": "#/$defs/summary/properties",
        }
        page = (support.DOCUMENTATION / "Manifest.md").read_text()
        checked = 0
        for section in re.split(r"^##+ ", page, flags=re.M):
            title = section.partition("\n")[0]
            for line in section.splitlines() if title in sections else []:
                cells = line.strip("| ").split(" | ")
                if len(cells) != 4 or "…" in cells[3]:
                    continue
                names, values = (re.findall("`(.*?)`", cells[index]) for index in (0, 3))
                for name, value in zip(names, values, strict=True):
                    with self.subTest(section=title, name=name):
                        part = {"$ref": f"{sections[title]}/{name}"}
                        jsonschema.validate(json.loads(value), self.record(part))
                        checked += 1
        self.assertGreater(checked, 40)
        looks = (support.DOCUMENTATION / "Logos.md").read_text()
        excerpts = re.findall(r'^```json\n("(\w+)":.*)\n```', looks, re.M)
        self.assertEqual([name for _, name in excerpts], ["look"])
        for text, name in excerpts:
            part = {"$ref": f"#/$defs/item/properties/{name}"}
            jsonschema.validate(json.loads("{" + text + "}")[name], self.record(part))

    def test_rows_and_their_schemas_have_the_documented_columns(self) -> None:
        page = (support.DOCUMENTATION / "Lists.md").read_text()
        table = page.partition("## Columns\n")[2].partition("\n## ")[0]
        documented = {
            name
            for line in table.splitlines()
            if line.startswith("| `")
            for name in re.findall("`(.*?)`", line.split(" | ")[0])
        }
        row, listed = (
            json.loads(self.schema(name).read_text())["$defs"]["row"]["properties"]
            for name in ("row-1", "list-1")
        )
        self.assertEqual(documented, set(listed))
        # A row of a stream has two more members.
        self.assertEqual(set(row) - set(listed), {"key", "bytes"})
        self.assertEqual({name: row[name] for name in listed}, listed)
        blocks = re.findall(r"^```csv\n(.*?)^```", page, re.M | re.S)
        tables = [list(csv.DictReader(block.splitlines())) for block in blocks]
        with (support.SAMPLES / "emblems.csv").open(newline="") as file:
            tables.append(list(csv.DictReader(file)))
        lines = (support.SAMPLES / "emblems.ndjson").read_text().splitlines()
        tables.append([json.loads(line) for line in lines])
        for number, rows in enumerate(tables):
            path = self.folder / f"list-{number}.json"
            path.write_text(json.dumps(rows))
            self.check("--schemafile", self.schema("list-1"), path)


if __name__ == "__main__":
    unittest.main()
