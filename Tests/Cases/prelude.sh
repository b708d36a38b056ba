# shellcheck shell=bash
# Functions for the console blocks of the cases.

# items OUT: the items of a manifest, a line each.
items() {
    python3 - "$1" <<'PYTHON'
import json, sys
for line in open(sys.argv[1] + "/manifest.ndjson"):
    item = json.loads(line)
    if item["type"] == "item":
        paths = " ".join(output["path"] for output in item.get("outputs", []))
        kind = item.get("error", {}).get("class", "-")
        print(item["id"], item["status"], kind, paths)
PYTHON
}

# each OUT PATH…: some members of each item of a manifest, a line an item; `*` in a path is every element, `-` an absent member.
each() {
    python3 - "$@" <<'PYTHON'
import json, sys
def members(value, parts):
    if not parts:
        return [value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)]
    if parts[0] == "*":
        return [found for element in value or [] for found in members(element, parts[1:])]
    try:
        return members(value[int(parts[0]) if isinstance(value, list) else parts[0]], parts[1:])
    except (KeyError, IndexError, TypeError):
        return ["-"]
for line in open(sys.argv[1] + "/manifest.ndjson"):
    item = json.loads(line)
    if item["type"] == "item":
        print(*(",".join(members(item, path.split("."))) or "-" for path in sys.argv[2:]))
PYTHON
}

# tree DIR: the files below a folder in byte order, without those whose path has a dot name.
tree() { (cd "$1" && find . -type f | sed 's|^\./||' | grep -vE '(^|/)\.' | LC_ALL=C sort); }

# field FILE PATH: a member of a JSON file, or of each line of an NDJSON file that has it; PATH is a.b.0.c.
field() {
    python3 - "$@" <<'PYTHON'
import json, sys
text = open(sys.argv[1]).read()
values = [json.loads(line) for line in text.splitlines()] if sys.argv[1].endswith("ndjson") else [json.loads(text)]
for value in values:
    try:
        for part in sys.argv[2].split("."):
            value = value[int(part)] if isinstance(value, list) else value[part]
        print(json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list)) else value)
    except (KeyError, IndexError, TypeError):
        pass
PYTHON
}

# requests WORD: the status, path and cache tag of each request to $WEB/logged/ or $WEB/kept/ whose query is WORD.
requests() {
    sed -nE "s/^([0-9]+)\|([^?]*)\?$1\|([^|]*)\|.*/\1 \2 \3/p" "$WEB_LOG" | sed -E '/ -$/!s/ [^ ]+$/ tag/' | LC_ALL=C sort
}

# schema NAME FILE [NAME FILE…]: the errors of JSON files, or of each line of NDJSON files, against schemas of the project.
schema() {
    python3 - "$@" <<'PYTHON'
import json, os, sys
from jsonschema import Draft202012Validator
folders = [f"{os.environ['ROOT']}/{name}" for name in ["Sources/EmblemKit/EmblemKit.docc/Schemas", "Tests/Schemas"]]
for name, path in zip(sys.argv[1::2], sys.argv[2::2]):
    places = [f"{folder}/{name}.schema.json" for folder in folders]
    schema = next(filter(os.path.exists, places), name)
    checker = Draft202012Validator(json.load(open(schema)))
    text = open(path).read()
    records = text.splitlines() if path.endswith("ndjson") else [text]
    if not records:
        print(f"{path}: no record")
    for number, record in enumerate(records, 1):
        for error in checker.iter_errors(json.loads(record)):
            print(f"{path}, record {number}:", list(error.absolute_path), error.message)
PYTHON
}

# unframe FILE DIR: writes what 'emblem stream' wrote to FILE as a folder: the pictures, and the records in the order of their rows.
unframe() {
    python3 - "$@" <<'PYTHON'
import json, os, sys
rest, records = open(sys.argv[1], "rb").read(), []
while rest:
    line, rest = rest.split(b"\n", 1)
    record = json.loads(line)
    for output in record["outputs"] if record["type"] == "item" else []:
        path = os.path.join(sys.argv[2], output["path"])
        picture, rest = rest[:output["bytes"]], rest[output["bytes"]:]
        assert len(picture) == output["bytes"], "the last picture is cut off"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        open(path, "wb").write(picture)
    records.append((record.get("index", len(records)), line))
os.makedirs(sys.argv[2], exist_ok=True)
open(os.path.join(sys.argv[2], "manifest.ndjson"), "wb").writelines(line + b"\n" for _, line in sorted(records))
PYTHON
}

# unprivileged COMMAND…: runs a command that is bound by the permissions of files, even as root.
unprivileged() {
    if [ "$(id -u)" = 0 ]; then
        setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-all "$@"
    else
        "$@"
    fi
}

# stamps DIR: inode, time and size of each file below a folder, without records of the run itself.
stamps() { (cd "$1" && find . -type f ! -name run.json ! -path '*/.emblem/*' -printf '%P %i %T@ %s\n' | LC_ALL=C sort); }
