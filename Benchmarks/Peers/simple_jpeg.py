#!/usr/bin/env python3
"""A script that makes rounded emblems of photos: simplejpeg decodes, kornia-rs encodes."""

import common
import cv2
import kornia
import opencv
import simplejpeg

# The argument of cv2.flip for each EXIF orientation; higher orientations are transposed first.
FLIP = {2: 1, 3: -1, 4: 0}
ORIENTATION = 0x0112


def load(source, largest):
    """Decodes a JPEG at the scale that fits; leaves CMYK and other formats to `kornia.py`."""
    if not source.lower().endswith((".jpg", ".jpeg")):
        return kornia.load(source, largest)
    with open(source, "rb") as file:
        data = file.read()
    height, width, colors, _ = simplejpeg.decode_jpeg_header(data)
    if colors in ("CMYK", "YCCK"):
        return kornia.load(source, largest)
    share = common.reduction((width, height), largest)
    picture = simplejpeg.decode_jpeg(
        data, "RGB", min_height=-(-height // share), min_width=-(-width // share), strict=False)
    return turned(picture, orientation(data))


def orientation(data):
    """Returns the EXIF orientation of a JPEG, which simplejpeg ignores."""
    start = data.find(b"Exif\0\0", 0, 1 << 16) + 6
    if start < 6:
        return 1
    order = "little" if data[start:start + 2] == b"II" else "big"

    def number(at, count):
        return int.from_bytes(data[start + at:start + at + count], order)

    first = number(4, 4)
    entries = range(first + 2, first + 2 + 12 * number(first, 2), 12)
    return next((number(at + 8, 2) for at in entries if number(at, 2) == ORIENTATION), 1)


def turned(picture, value):
    if value in (5, 6, 7, 8):
        picture = cv2.transpose(picture)
        value -= 4
    return cv2.flip(picture, FLIP[value]) if value in FLIP else picture


if __name__ == "__main__":
    opencv.STEPS.update(order=1, load=load, write=kornia.write)
    opencv.main()
