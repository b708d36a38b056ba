#!/usr/bin/env python3
"""A script that makes rounded emblems with OpenCV in a pool of two processes, as a careful user would."""

import argparse
import multiprocessing
import os

import cv2
import numpy

PICTURES = {".png", ".jpg", ".jpeg", ".webp"}
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


def jpeg_sides(path):
    """Returns width and height from the frame header, because OpenCV reports them only after decoding."""
    with open(path, "rb") as file:
        data = file.read(1 << 16)
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        if data[at + 1] in (0xC0, 0xC1, 0xC2):
            return int.from_bytes(data[at + 7:at + 9]), int.from_bytes(data[at + 5:at + 7])
        at += 2 + int.from_bytes(data[at + 2:at + 4])
    return None


def load(source, largest):
    """Decodes an image with premultiplied colours, and with four channels if it has alpha."""
    if source.lower().endswith((".jpg", ".jpeg")):
        sides = jpeg_sides(source)
        # The smallest scale that keeps twice the target size for the filter.
        share = next((s for s in (8, 4, 2) if sides and max(sides) // s >= 2 * largest), 1)
        return cv2.imread(source, REDUCED[share])
    return premultiplied(cv2.imread(source, cv2.IMREAD_UNCHANGED))


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
    """Makes all sizes of one image from one decoding."""
    source, folder, stem = job
    masks = SETTINGS["masks"]
    picture = STEPS["load"](source, max(masks))
    for size, mask in masks.items():
        target = os.path.join(folder, str(size), f"{stem}.{SETTINGS['form']}")
        STEPS["write"](compose(STEPS["shrink"](picture, size), size, mask), target)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("input")
    options.add_argument("output")
    options.add_argument("--sizes", default="128")
    options.add_argument("--radii", default="32")
    options.add_argument("--background", default="#E7EFFC")
    options.add_argument("--format", default="png", choices=["png", "webp"])
    chosen = options.parse_args()
    sizes = [int(size) for size in chosen.sizes.split(",")]
    radii = [int(radius) for radius in chosen.radii.split(",")]
    for size in sizes:
        os.makedirs(os.path.join(chosen.output, str(size)), exist_ok=True)
    jobs = []
    for name in sorted(os.listdir(chosen.input)):
        stem, extension = os.path.splitext(name)
        if extension.lower() in PICTURES:
            jobs.append((os.path.join(chosen.input, name), chosen.output, stem))
    with multiprocessing.Pool(
        2, prepare, (sizes, radii, chosen.background, chosen.format)
    ) as pool:
        for _ in pool.imap_unordered(emblems, jobs, chunksize=8):
            pass


if __name__ == "__main__":
    main()
