#!/usr/bin/env python3
"""A checker of Android resource folders by the rules of aapt, which shares no code with their writer.

Usage: resources.py RES [--night] [--apk FILE]. Prints errors and exits with 1, or prints counts. With
--apk, the table that aapt2 made of the folder must have every value and file of it, and no other.
"""

import re
import struct
import subprocess
import sys
import xml.etree.ElementTree
import zipfile
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


def written(resources: Path) -> set[tuple[str, str, str]]:
    """Returns the type and name, the configuration, and the value of every resource in the folder."""
    entries = set()
    for folder in resources.glob("[!.]*"):
        kind, _, setting = folder.name.partition("-")
        for path in folder.iterdir():
            if kind == "drawable":
                entries.add((f"drawable/{path.stem}", setting, path.name))
                continue
            for element in xml.etree.ElementTree.parse(path).getroot():
                entries.add((f"{element.tag}/{element.get('name')}", setting, element.text))
    return entries


def compiled(apk: Path, resources: Path) -> set[tuple[str, str, str]]:
    """Returns the same for the table of an APK; complains about a file with other bytes."""
    dump = subprocess.run(["aapt2", "dump", "resources", apk], check=True, capture_output=True, text=True)
    entries = set()
    name = ""
    with zipfile.ZipFile(apk) as package:
        for line in dump.stdout.splitlines():
            if found := re.match(r" +resource 0x[0-9a-f]+ (\S+)", line):
                name = found[1]
            elif found := re.match(r" +\((\S*)\) (?:\(file\) (\S+)|(#[0-9a-f]{8})|([0-9.]+)dp)", line):
                # aapt2 adds the first version of Android that knows the configuration.
                setting = re.sub(r"-?v[0-9]+$", "", found[1])
                if found[2]:
                    value = found[2].rpartition("/")[2]
                    source = resources / f"drawable-{setting}" / value
                    if source.is_file() and package.read(found[2]) != source.read_bytes():
                        faults.append(f"{found[2]}: the bytes differ")
                elif found[3]:
                    value = "#" + found[3][1:].upper().removeprefix("FF")
                else:
                    value = f"{float(found[4]):g}dp"
                entries.add((name, setting, value))
    return entries


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
if "--apk" in sys.argv:
    apk = Path(sys.argv[sys.argv.index("--apk") + 1])
    for entry in sorted(written(resources) ^ compiled(apk, resources)):
        faults.append(f"{entry}: only in the folder or only in {apk}")
print(f"drawables {sum(map(len, found.values()))} resources {len(base)} colors {colors}")
sys.exit("\n".join(faults) if faults else 0)
