#!/usr/bin/env python3
"""A script that makes rounded emblems with libvips in a pool of two processes, as a careful user would."""

import os

os.environ.setdefault("VIPS_CONCURRENCY", "1")

import common  # noqa: E402
import pyvips  # noqa: E402

SETTINGS = {}


def prepare(sizes, radii, background, form):
    """Prepares a worker: the canvas colour, and the masks, which libvips draws from SVG."""
    color = [int(background[at:at + 2], 16) for at in (1, 3, 5)]
    SETTINGS.update(background=color, form=form, masks={})
    for size, radius in zip(sizes, radii):
        drawing = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}">'
            f'<rect width="{size}" height="{size}" rx="{radius}"/></svg>')
        mask = pyvips.Image.svgload_buffer(drawing.encode())
        SETTINGS["masks"][size] = mask.extract_band(3).copy_memory()


def emblem(small, size, mask, target):
    if small.hasalpha():
        small = small.flatten(background=SETTINGS["background"])
    if small.bands == 1:
        small = small.bandjoin([small, small])
    canvas = small.gravity(
        "centre", size, size, extend="background", background=SETTINGS["background"])
    canvas = canvas.bandjoin(mask)
    if SETTINGS["form"] == "webp":
        canvas.webpsave(target, Q=82, effort=4, strip=True)
    else:
        canvas.pngsave(target, compression=6, strip=True)


def emblems(job):
    """Makes all sizes of one image. For several sizes, decodes an image once and keeps it in memory."""
    source, folder, stem = job
    masks = SETTINGS["masks"]
    largest = max(masks)
    # thumbnail() shrinks during loading, premultiplies and applies the EXIF orientation. For several
    # sizes, the common source has twice the largest size. A drawing is drawn for each size.
    direct = len(masks) == 1 or source.lower().endswith(common.DRAWINGS)
    if not direct:
        loaded = pyvips.Image.thumbnail(source, largest * 2, height=largest * 2, size="down")
        loaded = loaded.copy_memory()
    for size, mask in masks.items():
        if direct:
            small = pyvips.Image.thumbnail(source, size, height=size)
        else:
            small = loaded.thumbnail_image(size, height=size)
        target = os.path.join(folder, str(size), f"{stem}.{SETTINGS['form']}")
        emblem(small, size, mask, target)


if __name__ == "__main__":
    common.main(__doc__, prepare, emblems, common.PICTURES + common.DRAWINGS)
