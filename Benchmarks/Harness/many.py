"""A fast generator of 100,000 PNG files with distinct pixels."""

import functools
import os
import struct
import zlib

SIDES = (64, 80, 96, 112, 128)
# Every fiftieth logo is large, because real lists of logos contain some unprocessed originals.
LARGE_EVERY, LARGE_SIDE = 50, 2_000
FOLDER_SIZE = 1_000


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def header(side):
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0))


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


def small(rows, side, number):
    """Returns the compressed template with a square whose colour has 24 bits of the number."""
    rows = bytearray(rows)
    stride = side * 4 + 1
    color = bytes((number & 255, number >> 8 & 255, number >> 16 & 255, 255))
    start = side // 4
    for y in range(start, start + side // 2):
        at = y * stride + 1 + start * 4
        rows[at:at + side * 2] = color * (side // 2)
    return chunk(b"IDAT", zlib.compress(rows, 1))


class Large:
    """A generator of images of four megapixels that share all rows except the last ones.

    The shared rows are compressed once. Each image continues from a copy of that compressor.
    """

    def __init__(self):
        rows = template(LARGE_SIDE)
        stride = LARGE_SIDE * 4 + 1
        self.tail = bytes(rows[-16 * stride:])
        self.stride = stride
        self.body = zlib.compressobj(1)
        head = bytes(rows[:-16 * stride])
        self.head = self.body.compress(head)

    def data(self, number):
        packer = self.body.copy()
        color = struct.pack(">I", number << 8 | 255)
        tail = bytearray(self.tail)
        for y in range(16):
            at = y * self.stride + 1
            tail[at:at + 64 * 4] = color * 64
        return chunk(b"IDAT", self.head + packer.compress(tail) + packer.flush())


@functools.cache
def common():
    """Returns the templates, which a process makes once."""
    return {side: template(side) for side in SIDES}, Large()


def write(folder, numbers):
    """Writes the images with these numbers; returns the total number of bytes."""
    templates, large = common()
    total = 0
    for number in numbers:
        if number % LARGE_EVERY == LARGE_EVERY - 1:
            content = header(LARGE_SIDE) + large.data(number)
        else:
            side = SIDES[number % len(SIDES)]
            content = header(side) + small(templates[side], side, number)
        content += chunk(b"IEND", b"")
        subfolder = os.path.join(folder, f"{number // FOLDER_SIZE:03}")
        if number % FOLDER_SIZE == 0:
            os.makedirs(subfolder, exist_ok=True)
        with open(os.path.join(subfolder, f"p{number:06}.png"), "wb") as file:
            file.write(content)
        total += len(content)
    return total
