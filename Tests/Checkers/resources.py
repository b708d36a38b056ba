#!/usr/bin/env python3
"""A checker of Android resource folders by the rules of aapt, which shares no code with their writer.

Usage: resources.py RES [--night]. Prints errors and exits with 1, or prints counts.
"""

import re
import struct
import sys
import xml.etree.ElementTree
from pathlib import Path

FACTORS = {"mdpi": 1, "hdpi": 1.5, "xhdpi": 2, "xxhdpi": 3, "xxxhdpi": 4}
NAME = re.compile(r"[a-z][a-z0-9_]*")
faults: list[str] = []


def size(path: Path) -> tuple[int, int]:
    """Returns the size of a PNG or WebP file from its header."""
    data = path.read_bytes()
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        return struct.unpack(">II", data[16:24])
    if data[:4] != b"RIFF" or data[8:12] != b"WEBP":
        raise ValueError(f"{path} is neither PNG nor WebP")
    if data[12:16] == b"VP8X":
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if data[12:16] == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    width, height = struct.unpack("<HH", data[26:30])
    return width & 0x3FFF, height & 0x3FFF


def drawables(folder: Path, factor: float, base: dict[str, float]) -> set[str]:
    names = set()
    for path in folder.iterdir():
        if NAME.fullmatch(path.stem) is None or len(path.name) > 200:
            faults.append(f"{path}: not a valid resource name")
        if path.stem in names:
            faults.append(f"{path}: the resource exists in two formats")
        names.add(path.stem)
        height = size(path)[1] / factor
        if abs(base.setdefault(path.stem, height) - height) > 0.5:
            faults.append(f"{path}: {height} dp, but {base[path.stem]} dp at another density")
    return names


def values(path: Path, kind: str, form: str) -> int:
    root = xml.etree.ElementTree.parse(path).getroot()
    if root.tag != "resources":
        faults.append(f"{path}: the root element is not resources")
    names = [element.get("name") for element in root]
    if len(set(names)) != len(names):
        faults.append(f"{path}: a name is defined twice")
    for element in root:
        if element.tag != kind or NAME.fullmatch(element.get("name", "")) is None:
            faults.append(f"{path}: {element.tag} {element.get('name')}")
        if re.fullmatch(form, element.text or "") is None:
            faults.append(f"{path}: {element.get('name')} is {element.text}")
    return len(names)


resources = Path(sys.argv[1])
nights = ["", "night-"] if "--night" in sys.argv else [""]
color = r"#([0-9A-F]{2})?[0-9A-F]{6}"
found: dict[str, set[str]] = {}
base: dict[str, float] = {}
for night in nights:
    for density, factor in FACTORS.items():
        name = f"drawable-{night}{density}"
        found[name] = drawables(resources / name, factor, base)
if len({frozenset(names) for names in found.values()}) != 1:
    faults.append("not every density has the same resources")
folders = {path.name for path in resources.iterdir() if not path.name.startswith(".")}
expected = set(found) | {"values"} | ({"values-night"} if len(nights) > 1 else set())
if folders != expected:
    faults.append(f"missing or unexpected folders: {sorted(folders ^ expected)}")
colors = values(resources / "values/emblem_colors.xml", "color", color)
values(resources / "values/emblem_dimens.xml", "dimen", r"[0-9]+(\.[0-9]+)?dp")
if len(nights) > 1 and values(resources / "values-night/emblem_colors.xml", "color", color) != colors:
    faults.append("values-night has a different number of colours than values")
print(f"drawables {sum(map(len, found.values()))} resources {len(base)} colors {colors}")
sys.exit("\n".join(faults) if faults else 0)
