"""Tests of the JSON schemas, and of the examples of the documentation against them."""

import csv
import json
import re
import subprocess
import unittest
from pathlib import Path

from jsonschema.validators import validator_for

import support

SCHEMAS = {
    path.name.removesuffix(".schema.json"): path
    for folder in (support.DOCUMENTATION / "Schemas", support.HOME / "Tests/Schemas")
    for path in folder.glob("*.json")
}
# JSON in blocks, in code voice, in commands, and in Swift.
EXAMPLES = re.compile(r'^```json\n(.*?)^```|`(\{".*?\})`|\'(\{".*?\})\'|#"(\{.*?\})"#', re.M | re.S)


def examples() -> dict[str, dict[str, object]]:
    """Returns the complete JSON objects of all pages by their places."""
    readme = [support.HOME / "README.md", support.PACKAGE / "README.md"]
    found = {}
    for page in [*readme, *sorted(support.DOCUMENTATION.glob("*.md"))]:
        text = page.read_text()
        for match in EXAMPLES.finditer(text):
            example = next(group for group in match.groups() if group)
            # Excerpts of a record have no braces, and an ellipsis replaces omitted members.
            if example.startswith("{") and "…" not in example:
                place = f"{page.name}:{text[: match.start()].count(chr(10)) + 1}"
                found[place] = json.loads(example)
    return found


def kind(value: dict[str, object]) -> str | None:
    """Returns the schema that describes an example, or `None` for a part of a record."""
    names = set(value)
    if names & {"theme", "palette"} or any(name.startswith("theme.") for name in names):
        return "theme-1"
    if "source" in names:
        return "row-1"
    return "configuration-1" if "max-bytes" in names else None


def check(name: str, value: object) -> None:
    schema = schema_of(name)
    validator_for(schema)(schema).validate(value)


def schema_of(name: str) -> dict[str, object]:
    if name == "configuration-1":
        command = [support.EMBLEM, "man", "--schema"]
        return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return json.loads(SCHEMAS[name].read_text())


class Schemas(unittest.TestCase):
    def test_every_schema_is_valid(self) -> None:
        for name in (*SCHEMAS, "configuration-1"):
            with self.subTest(schema=name):
                schema = schema_of(name)
                validator_for(schema).check_schema(schema)

    def test_every_example_of_the_pages_follows_its_schema(self) -> None:
        checked = set()
        for place, example in examples().items():
            if name := kind(example):
                with self.subTest(place=place):
                    check(name, example)
                checked.add(name)
        self.assertLessEqual({"theme-1", "row-1"}, checked)
        for path in (support.SAMPLES / "theme.json", support.DOCUMENTATION / "theme-settings.json"):
            check("theme-1", json.loads(Path(path).read_text()))

    def test_the_lists_of_the_pages_and_of_the_samples_follow_their_schema(self) -> None:
        page = (support.DOCUMENTATION / "Lists.md").read_text()
        blocks = re.findall(r"^```csv\n(.*?)^```", page, re.M | re.S)
        blocks.append((support.SAMPLES / "emblems.csv").read_text())
        for block in blocks:
            with self.subTest(block=block[:80]):
                check("list-1", list(csv.DictReader(block.splitlines())))


if __name__ == "__main__":
    unittest.main()
