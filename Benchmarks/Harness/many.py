"""A fast generator of any number of small PNG files with distinct pixels."""

import functools
import os
import struct
import zlib

SIDES = (64, 80, 96, 112, 128)
FOLDER_SIZE = 1_000


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


@functools.cache
def template(side):
    """Returns the unfiltered rows of a disc on a transparent ground, which all images share."""
    rows = bytearray()
    middle, radius = side / 2, side * 0.45
    inner = bytes((40, 90, 200, 255))
    for y in range(side):
        half = max(0.0, radius**2 - (y + 0.5 - middle) ** 2) ** 0.5
        first, last = int(middle - half + 0.5), int(middle + half + 0.5)
        rows += b"\0" + bytes(4 * first) + inner * (last - first) + bytes(4 * (side - last))
    return rows


def picture(number):
    """Returns the template with a square whose colour has 24 bits of the number."""
    side = SIDES[number % len(SIDES)]
    rows = bytearray(template(side))
    stride = side * 4 + 1
    color = bytes((number & 255, number >> 8 & 255, number >> 16 & 255, 255))
    start = side // 4
    for y in range(start, start + side // 2):
        at = y * stride + 1 + start * 4
        rows[at:at + side * 2] = color * (side // 2)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b""))


def write(folder, numbers):
    """Writes the images with these numbers, a thousand in each sub-folder."""
    for number in numbers:
        subfolder = os.path.join(folder, f"{number // FOLDER_SIZE:03}")
        os.makedirs(subfolder, exist_ok=True)
        with open(os.path.join(subfolder, f"p{number:06}.png"), "wb") as file:
            file.write(picture(number))
