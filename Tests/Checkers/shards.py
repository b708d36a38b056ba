#!/usr/bin/env python3
"""A reader of WebDataset shards that uses Python's tarfile, as data loaders do.

Usage: shards.py DIR. Prints the shards with their keys and members as JSON. Exits with 1 if a shard
does not match its index, or a sample is split.
"""

import hashlib
import json
import re
import sys
import tarfile
from pathlib import Path

folder = Path(sys.argv[1])
index = json.loads((folder / "index.json").read_text())
samples: dict[str, dict] = {}
shards = []
for number, entry in enumerate(index["shards"]):
    path = folder / entry["file"]
    data = path.read_bytes()
    assert entry["file"] == f"emblems-{number:06}.tar", entry
    assert len(data) == entry["bytes"] and len(data) % 512 == 0, entry
    assert hashlib.sha256(data).hexdigest() == entry["sha256"], entry
    keys: list[str] = []
    with tarfile.open(path) as archive:
        for member in archive:
            assert member.isfile() and member.mtime == 0 and member.mode == 0o644, member.name
            assert (member.uid, member.gid, member.uname, member.gname) == (0, 0, "", "")
            key, end = re.fullmatch(r"((?:.*/|)[^./]+)[.]([^/]*)", member.name).groups()
            if not keys or keys[-1] != key:
                assert key not in samples, f"{key} is split or exists twice"
                keys.append(key)
                samples[key] = {}
            contents = archive.extractfile(member).read()
            samples[key][end] = (
                json.loads(contents) if end == "json" else hashlib.sha256(contents).hexdigest())
    assert len(keys) == entry["items"], entry
    for key in keys:
        assert list(samples[key])[-1] == "json", key
    shards.append({"file": entry["file"], "keys": keys})
assert sorted(path.name for path in folder.glob("*.tar")) == [s["file"] for s in shards]
print(json.dumps({"shards": shards, "samples": samples}))
