#!/usr/bin/env python3
"""A script that makes rounded emblems with OpenCV in a pool of two processes, as a careful user would."""

import os

import common
import cv2
import numpy

REDUCED = {1: cv2.IMREAD_COLOR, 2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4,
           8: cv2.IMREAD_REDUCED_COLOR_8}
SETTINGS = {}


def prepare(sizes, radii, background, form):
    """Prepares a worker: the canvas colour, and the masks, drawn at four times their size."""
    cv2.setNumThreads(1)
    color = [int(background[at:at + 2], 16) for at in (1, 3, 5)]
    SETTINGS.update(
        background=numpy.array(color[::STEPS["order"]], numpy.uint8), form=form, masks={})
    for size, radius in zip(sizes, radii):
        side, round_ = size * 4, radius * 4
        large = numpy.zeros((side, side), numpy.uint8)
        cv2.rectangle(large, (round_, 0), (side - round_ - 1, side - 1), 255, -1)
        cv2.rectangle(large, (0, round_), (side - 1, side - round_ - 1), 255, -1)
        for x in (round_, side - round_ - 1):
            for y in (round_, side - round_ - 1):
                cv2.circle(large, (x, y), round_, 255, -1)
        SETTINGS["masks"][size] = cv2.resize(large, (size, size), interpolation=cv2.INTER_AREA)


def jpeg_sides(data):
    """Returns width and height from the frame header; OpenCV reports them only after decoding."""
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        if data[at + 1] in (0xC0, 0xC1, 0xC2):
            return int.from_bytes(data[at + 7:at + 9]), int.from_bytes(data[at + 5:at + 7])
        at += 2 + int.from_bytes(data[at + 2:at + 4])
    return None


def load(source, largest):
    with open(source, "rb") as file:
        return decode(file.read(), largest)


def decode(data, largest):
    """Decodes an image with premultiplied colours, and with four channels if it has alpha."""
    flags, is_jpeg = cv2.IMREAD_UNCHANGED, data.startswith(b"\xff\xd8")
    if is_jpeg:
        sides = jpeg_sides(data)
        flags = REDUCED[common.reduction(sides, largest) if sides else 1]
    picture = cv2.imdecode(numpy.frombuffer(data, numpy.uint8), flags)
    if picture is None:
        raise ValueError("not an image")
    return picture if is_jpeg else premultiplied(picture)


def premultiplied(picture):
    """Converts a decoded image to three channels, or to four with premultiplied colours."""
    if picture.dtype == numpy.uint16:
        picture = (picture >> 8).astype(numpy.uint8)
    if picture.ndim == 2 or picture.shape[2] == 1:
        return cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    if picture.shape[2] == 2:
        gray, alpha = cv2.split(picture)
        picture = cv2.merge([gray, gray, gray, alpha])
    return cv2.cvtColor(picture, cv2.COLOR_RGBA2mRGBA) if picture.shape[2] == 4 else picture


def fitted_sides(picture, size):
    height, width = picture.shape[:2]
    share = min(size / width, size / height)
    return max(1, int(width * share + 0.5)), max(1, int(height * share + 0.5))


def shrink(picture, size):
    """Shrinks with the area filter, the only filter of OpenCV that considers every pixel."""
    fitted = fitted_sides(picture, size)
    how = cv2.INTER_AREA if fitted[0] < picture.shape[1] else cv2.INTER_LANCZOS4
    return cv2.resize(picture, fitted, interpolation=how)


def compose(small, size, mask):
    """Draws the image at the centre of the background, with rounded corners."""
    canvas = numpy.empty((size, size, 4), numpy.uint8)
    canvas[:, :, :3] = SETTINGS["background"]
    canvas[:, :, 3] = mask
    height, width = small.shape[:2]
    x, y = (size - width) // 2, (size - height) // 2
    part = canvas[y:y + height, x:x + width, :3]
    if small.shape[2] == 3:
        part[:] = small
    else:
        rest = cv2.merge([255 - cv2.extractChannel(small, 3)] * 3)
        below = cv2.multiply(numpy.ascontiguousarray(part), rest, scale=1 / 255)
        part[:] = cv2.add(numpy.ascontiguousarray(small[:, :, :3]), below)
    return canvas


def write(canvas, target):
    if SETTINGS["form"] == "webp":
        cv2.imwrite(target, canvas, [cv2.IMWRITE_WEBP_QUALITY, 82])
    else:
        cv2.imwrite(target, canvas, [cv2.IMWRITE_PNG_COMPRESSION, 6])


# The steps that other scripts replace. The order -1 means that channels are blue, green, red.
STEPS = {"order": -1, "load": load, "shrink": shrink, "write": write}


def emblems(job):
    source, folder, stem = job
    write_all(STEPS["load"](source, max(SETTINGS["masks"])), folder, stem)


def write_all(picture, folder, stem):
    """Makes all sizes of one decoded image."""
    for size, mask in SETTINGS["masks"].items():
        target = os.path.join(folder, str(size), f"{stem}.{SETTINGS['form']}")
        STEPS["write"](compose(STEPS["shrink"](picture, size), size, mask), target)


def main():
    common.main(__doc__, prepare, emblems)


if __name__ == "__main__":
    main()
