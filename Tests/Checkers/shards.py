#!/usr/bin/env python3
"""Reads WebDataset shards with Python's tarfile as a loader of such data would.

Usage: shards.py DIR. Prints the shards with their keys, members and texts as JSON; ends with 1 where a
shard is not what its index says, or a sample is divided.
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
                assert key not in samples, f"{key} is divided, or stands twice"
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
