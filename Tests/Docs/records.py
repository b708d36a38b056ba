#!/usr/bin/env python3
"""records.py EMBLEM CATALOG: writes the pages of the records and of the theme's tokens into CATALOG.

The fields of the pages Manifest and RunRecord come from the schemas in CATALOG/Schemas, the tokens from
`emblem theme`.
"""

import json
import pathlib
import subprocess
import sys

INTRO = {
    "Manifest": ("# The manifest\n\nEvery field of `OUT/manifest.ndjson`.\n\n## Overview\n\n"
                 "```sh\nemblem batch --list merchants.csv -o out --layout small\nhead -2 out/manifest.ndjson\n```\n\n"
                 "The manifest has one JSON object on each line: a run record, an item per input in input order, a record per\n"
                 "target, and a summary. It holds no times, so two runs over the same sources write the same bytes. A run that\n"
                 "was interrupted writes none. `emblem failures` says which items failed; so does `jq`:\n\n"
                 "```sh\njq -r 'select(.error) | [.error.class, .id, .source] | @tsv' out/manifest.ndjson\n```\n"),
    "RunRecord": ("# The run record\n\nEvery field of `OUT/run.json`: counts, throughput, latency, errors and the machine.\n\n"
                  "## Overview\n\n```sh\njq '.items_per_second, .stages.fetch.p99_ms, .errors_by_host' out/run.json\n```\n\n"
                  "`run.json` is one JSON object about the last run into OUT. What does not depend on time is in\n<doc:Manifest>.\n"),
    "ThemeTokens": ("# Theme tokens\n\nEvery token of a theme, with the value of the built-in theme.\n\n## Overview\n\n"
                    "```sh\nemblem theme brand.json\n```\n\n<doc:Themes> explains the form of a theme.\n"),
}


def kind(field, schema):
    """Returns the type of a field in words."""
    while "$ref" in field:
        field = field | schema["$defs"][field.pop("$ref").rsplit("/", 1)[1]]
    values = field.get("enum") or ([field["const"]] if "const" in field else [])
    return ", ".join(f"`{json.dumps(value)}`" for value in values) or str(field.get("type", "any"))


def fields(node, schema, prefix=""):
    """Yields a row for each field of an object, and for those of the objects in it."""
    for name, field in node.get("properties", {}).items():
        needed = "" if name in node.get("required", []) else ", optional"
        types = kind(dict(field), schema)
        types = types if len(types) < 200 else "string"
        yield f"| `{prefix}{name}` | {types}{needed} | {field['description']} |"
        yield from fields(field, schema, f"{prefix}{name}.")
        yield from fields(field.get("items", {}), schema, f"{prefix}{name}[].")


def tables(schema):
    parts = {name: part for name, part in schema.get("$defs", {}).items() if "properties" in part}
    for name, part in ({"run.json": schema} if "properties" in schema else parts).items():
        yield "\n".join([f"\n## {name}\n", "| field | type | meaning |", "|---|---|---|", *fields(part, schema)])


def main():
    tool, catalog = sys.argv[1], pathlib.Path(sys.argv[2])
    for page, name in (("Manifest", "manifest-1"), ("RunRecord", "run-1")):
        schema = json.loads((catalog / f"Schemas/{name}.schema.json").read_text())
        (catalog / f"{page}.md").write_text(INTRO[page] + "\n".join(tables(schema)) + "\n")
    theme = json.loads(subprocess.run([tool, "theme", "--json"], check=True, capture_output=True, text=True).stdout)
    rows = [f"| `{path}` | `{value}` | `{theme['dark'][path]}` |" for path, value in theme["light"].items()]
    tokens = "\n".join(["| token | light | dark |", "|---|---|---|", *rows])
    (catalog / "ThemeTokens.md").write_text(f"{INTRO['ThemeTokens']}\n{tokens}\n")


main()
