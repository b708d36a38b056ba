#!/usr/bin/env python3
"""Holds an asset catalog against its format, point by point. Knows nothing of who wrote it.

Usage: asset_catalog.py DIR/Emblems.xcassets [--dark]. Prints what is wrong and ends with 1, else counts.
"""

import json
import re
import struct
import sys
from pathlib import Path

DARK = [{"appearance": "luminosity", "value": "dark"}]
INFO = {"author": "xcode", "version": 1}
faults: list[str] = []


def complain(path: Path, words: str) -> None:
    faults.append(f"{path}: {words}")


def size(path: Path) -> tuple[int, int]:
    """Of a PNG or a JPEG, by its own header."""
    data = path.read_bytes()
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        return struct.unpack(">II", data[16:24])
    offset = 2
    while data[offset] == 0xFF:
        if data[offset + 1] in (0xC0, 0xC1, 0xC2):
            height, width = struct.unpack(">HH", data[offset + 5 : offset + 9])
            return width, height
        offset += 2 + struct.unpack(">H", data[offset + 2 : offset + 4])[0]
    raise ValueError(f"{path} is neither PNG nor JPEG")


def contents(folder: Path) -> dict:
    """The folder's Contents.json, in the form in which Xcode writes it."""
    path = folder / "Contents.json"
    text = path.read_text(encoding="utf-8")
    value = json.loads(text)
    form = json.dumps(value, indent=2, sort_keys=True, separators=(",", " : "), ensure_ascii=False)
    if text != form + "\n":
        complain(path, "not in the form in which Xcode writes it")
    if value.get("info") != INFO:
        complain(path, "info is not that of Xcode")
    return value


def image_set(folder: Path, has_dark: bool) -> int:
    value = contents(folder)
    if set(value) != {"images", "info", "properties"}:
        complain(folder, f"members are {sorted(value)}")
    if value["properties"] != {"template-rendering-intent": "original"}:
        complain(folder, "pictures are not drawn as they are")
    slots = [(image["scale"], image.get("appearances")) for image in value["images"]]
    looks = [None, DARK] if has_dark else [None]
    if slots != [(scale, look) for scale in ("1x", "2x", "3x") for look in looks]:
        complain(folder, f"places are {slots}")
    named = set()
    sides: dict[str, tuple[int, int]] = {}
    for image in value["images"]:
        if not set(image) <= {"appearances", "filename", "idiom", "scale"}:
            complain(folder, f"an image has members {sorted(image)}")
        if image["idiom"] != "universal":
            complain(folder, "an image is not for every device")
        if "filename" not in image:
            continue
        name = image["filename"]
        if name in named:
            complain(folder, f"{name} stands in two places")
        named.add(name)
        sides[image["scale"]] = width, height = size(folder / name)
        factor = int(image["scale"][0])
        if (width % factor, height % factor) != (0, 0):
            complain(folder, f"{name} is no whole number of points")
        points = (width // factor, height // factor)
        if "1x" in sides and points != sides["1x"]:
            complain(folder, f"{name} is {points} points, the first one {sides['1x']}")
    files = {path.name for path in folder.iterdir()} - {"Contents.json"}
    if files != named:
        complain(folder, f"files are {sorted(files)}, named are {sorted(named)}")
    return len(named)


def component(text: str) -> bool:
    return re.fullmatch(r"0x[0-9A-F]{2}", text) is not None


def color_set(folder: Path, has_dark: bool) -> None:
    value = contents(folder)
    if set(value) != {"colors", "info"}:
        complain(folder, f"members are {sorted(value)}")
    looks = [entry.get("appearances") for entry in value["colors"]]
    if looks != ([None, DARK] if has_dark else [None]):
        complain(folder, f"colours are for {looks}")
    for entry in value["colors"]:
        color = entry["color"]
        parts = color["components"]
        if color["color-space"] != "srgb" or set(parts) != {"red", "green", "blue", "alpha"}:
            complain(folder, f"a colour is {color}")
        if not all(component(parts[name]) for name in ("red", "green", "blue")):
            complain(folder, f"components are {parts}")
        if re.fullmatch(r"(0\.[0-9]{3}|1\.000)", parts["alpha"]) is None:
            complain(folder, f"alpha is {parts['alpha']}")


def walk(folder: Path, has_dark: bool, counts: dict[str, int]) -> None:
    for path in sorted(folder.iterdir()):
        if not path.is_dir():
            if path.name != "Contents.json":
                complain(path, "a file that belongs to no set")
        elif path.suffix == ".imageset":
            counts["images"] += image_set(path, has_dark)
            counts["sets"] += 1
        elif path.suffix == ".colorset":
            color_set(path, has_dark)
            counts["colors"] += 1
        else:
            value = contents(path)
            holds_images = any(path.rglob("*.imageset"))
            properties = {"provides-namespace": True} if holds_images else None
            if value.get("properties") != properties:
                complain(path, f"properties are {value.get('properties')}")
            counts["folders"] += 1
            walk(path, has_dark, counts)


catalog = Path(sys.argv[1])
if catalog.suffix != ".xcassets":
    complain(catalog, "no catalog by its name")
if set(contents(catalog)) != {"info"}:
    complain(catalog, "a catalog has nothing but info")
counts = {"sets": 0, "images": 0, "colors": 0, "folders": 0}
walk(catalog, "--dark" in sys.argv, counts)
print(" ".join(f"{name} {count}" for name, count in counts.items()))
sys.exit("\n".join(faults) if faults else 0)
