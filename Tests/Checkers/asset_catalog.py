#!/usr/bin/env python3
"""A checker of asset catalogs, which shares no code with their writer.

Usage: asset_catalog.py DIR/Emblems.xcassets [--dark]. Prints errors and exits with 1, or prints counts.
"""

import json
import re
import struct
import sys
from pathlib import Path

DARK = [{"appearance": "luminosity", "value": "dark"}]
INFO = {"author": "xcode", "version": 1}
faults: list[str] = []


def complain(path: Path, message: str) -> None:
    faults.append(f"{path}: {message}")


def size(path: Path) -> tuple[int, int]:
    """Returns the size of a PNG or JPEG file from its header."""
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
    """Returns the Contents.json of a folder; complains if its layout is not that of Xcode."""
    path = folder / "Contents.json"
    text = path.read_text(encoding="utf-8")
    value = json.loads(text)
    form = json.dumps(value, indent=2, sort_keys=True, separators=(",", " : "), ensure_ascii=False)
    if text != form + "\n":
        complain(path, "the text is not in Xcode's layout")
    if value.get("info") != INFO:
        complain(path, "info is not that of Xcode")
    return value


def image_set(folder: Path, has_dark: bool) -> int:
    value = contents(folder)
    if set(value) != {"images", "info", "properties"}:
        complain(folder, f"members are {sorted(value)}")
    if value["properties"] != {"template-rendering-intent": "original"}:
        complain(folder, "the rendering intent is not 'original'")
    slots = [(image["scale"], image.get("appearances")) for image in value["images"]]
    looks = [None, DARK] if has_dark else [None]
    if slots != [(scale, look) for scale in ("1x", "2x", "3x") for look in looks]:
        complain(folder, f"the scales and appearances are {slots}")
    named = set()
    sides: dict[str, tuple[int, int]] = {}
    for image in value["images"]:
        if not set(image) <= {"appearances", "filename", "idiom", "scale"}:
            complain(folder, f"an image has members {sorted(image)}")
        if image["idiom"] != "universal":
            complain(folder, "the idiom of an image is not 'universal'")
        if "filename" not in image:
            continue
        name = image["filename"]
        if name in named:
            complain(folder, f"{name} is listed twice")
        named.add(name)
        sides[image["scale"]] = width, height = size(folder / name)
        factor = int(image["scale"][0])
        if (width % factor, height % factor) != (0, 0):
            complain(folder, f"{name} is not a whole number of points")
        points = (width // factor, height // factor)
        if "1x" in sides and points != sides["1x"]:
            complain(folder, f"{name} has {points} points, and the image at 1x has {sides['1x']}")
    files = {path.name for path in folder.iterdir()} - {"Contents.json"}
    if files != named:
        complain(folder, f"the folder has {sorted(files)}, and Contents.json lists {sorted(named)}")
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
                complain(path, "the file belongs to no set")
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
    complain(catalog, "the name does not end with .xcassets")
if set(contents(catalog)) != {"info"}:
    complain(catalog, "the catalog has members other than info")
counts = {"sets": 0, "images": 0, "colors": 0, "folders": 0}
walk(catalog, "--dark" in sys.argv, counts)
print(" ".join(f"{name} {count}" for name, count in counts.items()))
sys.exit("\n".join(faults) if faults else 0)
