#!/usr/bin/env python3
"""A comparison of the outputs of tools with a reference, as PSNR and as Butteraugli distance.

The reference decodes every pixel, and resamples premultiplied values in double precision with
Lanczos-3, widened by the scale. It is composed over the background and rounded once.

PSNR counts every difference alike. Butteraugli models the eye; its 3-norm over the pixels is 0 for
equal images, and the smaller of two distances belongs to the image that looks more alike.

Runs in Pillow's environment, and needs butteraugli_main (Debian's libjxl-devtools). Reads JSON from
standard input: `source` (folder), `files`, `size`, `radius`, `background`, and `tools` with
`folder` and `pattern` of each. Compares the pixels inside the image and inside the rounded corners.
Skips files with a colour profile or in CMYK, because not every tool converts them. Skips images
that are enlarged, because each tool has a different kernel for that, and emblem's kernel avoids the
ringing of Lanczos.
"""

import json
import math
import os
import subprocess
import sys
import tempfile

import numpy
from PIL import Image, ImageOps


def weights(source, target):
    """Returns the filter weights, with one row per target pixel."""
    scale = source / target
    support = 3 * max(scale, 1)
    centers = (numpy.arange(target) + 0.5) * scale
    positions = numpy.arange(source) + 0.5
    distance = (positions[None, :] - centers[:, None]) / max(scale, 1)
    table = numpy.sinc(distance) * numpy.sinc(distance / 3)
    table[numpy.abs(distance) * max(scale, 1) >= support] = 0
    return table / table.sum(axis=1, keepdims=True)


def reference(path, size, color):
    """Returns the image over the background at its fitted size, and its position; None if skipped."""
    with Image.open(path) as picture:
        if "icc_profile" in picture.info or picture.mode in ("CMYK", "I;16", "I"):
            return None
        picture = ImageOps.exif_transpose(picture).convert("RGBA")
    pixels = numpy.asarray(picture, numpy.float64)
    height, width = pixels.shape[:2]
    share = min(size / width, size / height)
    if share > 1:
        return None
    fitted = [max(1, math.floor(side * share + 0.5)) for side in (width, height)]
    alpha = pixels[:, :, 3:] / 255
    values = numpy.concatenate([pixels[:, :, :3] * alpha, alpha], axis=2)
    across, down = weights(width, fitted[0]), weights(height, fitted[1])
    values = numpy.einsum("ty,yxc->txc", down, values, optimize=True)
    values = numpy.einsum("tx,yxc->ytc", across, values, optimize=True)
    alpha = numpy.clip(values[:, :, 3:], 0, 1)
    shown = numpy.clip(values[:, :, :3], 0, 255 * alpha) + (1 - alpha) * color
    return numpy.clip(numpy.rint(shown), 0, 255), [(size - side) // 2 for side in fitted]


def inside(size, radius):
    """Returns a mask of the pixels inside the rounded corners."""
    positions = numpy.arange(size) + 0.5
    beyond = numpy.maximum(numpy.maximum(radius - positions, positions - (size - radius)), 0)
    return numpy.hypot(beyond[:, None], beyond[None, :]) < radius - 1.5


def output(path, size, color):
    """Returns an output over the background, padded to the square, and whether its shape is right.

    The shape is right if the output is square, has rounded corners and an opaque background.
    """
    with Image.open(path) as picture:
        is_square = picture.size == (size, size)
        picture = picture.crop((0, 0, min(size, picture.width), min(size, picture.height)))
        pixels = numpy.asarray(picture.convert("RGBA"), numpy.float64)
    has_shape = is_square and pixels[0, 0, 3] < 8 and pixels[size // 2, size // 2, 3] == 255
    whole = numpy.zeros((size, size, 4))
    height, width = pixels.shape[:2]
    x, y = (size - width) // 2, (size - height) // 2
    whole[y:y + height, x:x + width] = pixels
    alpha = whole[:, :, 3:] / 255
    return whole[:, :, :3] * alpha + (1 - alpha) * color, has_shape


def shifted(pixels, dx, dy):
    """Returns pixels moved by an offset: tools centre an odd pixel in either direction."""
    return numpy.roll(pixels, (-dy, -dx), axis=(0, 1))


def closest(made, ideal, kept, x, y):
    """Returns the squared error of an output inside the image, and its pixels there; tools centre
    an odd pixel in either direction, so the offset with the least error counts."""
    height, width = ideal.shape[:2]
    parts = [
        shifted(made, dx, dy)[y:y + height, x:x + width] for dx in (0, 1) for dy in (0, 1)]
    part = kept[y:y + height, x:x + width]
    return min(
        ((numpy.mean((pixels[part] - ideal[part]) ** 2), pixels) for pixels in parts),
        key=lambda found: found[0])


def write_square(path, shown, x, y, size, color):
    """Writes a PNG with the pixels at a position on a square of the background."""
    height, width = shown.shape[:2]
    whole = numpy.broadcast_to(color, (size, size, 3)).copy()
    whole[y:y + height, x:x + width] = shown
    Image.fromarray(numpy.rint(whole).astype(numpy.uint8)).save(path)


def butteraugli(*paths):
    """Returns the distance of two images, as the 3-norm over the pixels."""
    said = subprocess.run(
        ["butteraugli_main", *paths], check=True, capture_output=True, text=True).stdout
    return float(said.split("3-norm:")[1])


def summary(errors, distances, misshapen):
    """Returns what the record says about the outputs of a tool."""
    levels = [
        99.0 if error == 0 else min(99.0, 10 * math.log10(255**2 / error)) for error in errors]
    return {"mean": round(sum(levels) / len(levels), 2), "least": round(min(levels), 2),
            "distance": round(sum(distances) / len(distances), 2),
            "farthest": round(max(distances), 2),
            "pictures": len(levels), "misshapen": misshapen}


def main():
    with tempfile.TemporaryDirectory() as folder:
        compare(json.load(sys.stdin), folder)


def compare(wanted, folder):
    """Compares the outputs of all tools, and prints the results as JSON."""
    size, background = wanted["size"], wanted["background"]
    color = numpy.array([int(background[at:at + 2], 16) for at in (1, 3, 5)], numpy.float64)
    kept = inside(size, wanted["radius"])
    errors = {tool: [] for tool in wanted["tools"]}
    distances = {tool: [] for tool in errors}
    misshapen = dict.fromkeys(errors, 0)
    for name in wanted["files"]:
        known = reference(os.path.join(wanted["source"], name), size, color)
        if known is None:
            continue
        ideal, (x, y) = known
        height, width = ideal.shape[:2]
        part = kept[y:y + height, x:x + width, None]
        paths = [os.path.join(folder, f"{side}.png") for side in ("ideal", "made")]
        write_square(paths[0], ideal, x, y, size, color)
        for tool, facts in wanted["tools"].items():
            stem = os.path.splitext(name)[0]
            path = os.path.join(facts["folder"], facts["pattern"].format(stem=stem))
            made, has_shape = output(path, size, color)
            misshapen[tool] += not has_shape
            error, pixels = closest(made, ideal, kept, x, y)
            errors[tool].append(error)
            # Pixels outside the corners are those of the reference.
            write_square(paths[1], numpy.where(part, pixels, ideal), x, y, size, color)
            distances[tool].append(butteraugli(*paths))
    print(json.dumps({
        tool: summary(found, distances[tool], misshapen[tool])
        for tool, found in errors.items() if found}))


if __name__ == "__main__":
    main()
