#!/usr/bin/env python3
"""A script that makes rounded emblems with Pillow in a pool of two processes, as a careful user would."""

import os

import common
from PIL import Image, ImageChops, ImageDraw, ImageOps

SETTINGS = {}


def prepare(sizes, radii, background, form):
    """Prepares a worker: the canvas colour, and the masks, drawn at four times their size."""
    SETTINGS.update(background=background, form=form, masks={})
    for size, radius in zip(sizes, radii):
        large = Image.new("L", (size * 4, size * 4), 0)
        ImageDraw.Draw(large).rounded_rectangle(
            (0, 0, size * 4 - 1, size * 4 - 1), radius=radius * 4, fill=255
        )
        SETTINGS["masks"][size] = large.resize((size, size), Image.Resampling.BOX)


def emblem(picture, transparent, size, mask, target):
    share = min(size / picture.width, size / picture.height)
    fitted = (
        max(1, int(picture.width * share + 0.5)),
        max(1, int(picture.height * share + 0.5)),
    )
    small = picture.resize(fitted, Image.Resampling.LANCZOS, reducing_gap=3.0)
    canvas = Image.new("RGBA", (size, size), SETTINGS["background"])
    corner = ((size - fitted[0]) // 2, (size - fitted[1]) // 2)
    if transparent:
        canvas.alpha_composite(small.convert("RGBA"), corner)
    else:
        canvas.paste(small, corner)
    canvas.putalpha(ImageChops.multiply(canvas.getchannel("A"), mask))
    if SETTINGS["form"] == "webp":
        canvas.save(target, "WEBP", quality=82, method=4)
    else:
        canvas.save(target, "PNG", compress_level=6)


def emblems(job):
    """Makes all sizes of one image from one decoding."""
    source, folder, stem = job
    masks = SETTINGS["masks"]
    largest = max(masks)
    with Image.open(source) as picture:
        # Enables scaled decoding of JPEG. The filter needs only twice the target size.
        picture.draft("RGB", (largest * 2, largest * 2))
        picture = ImageOps.exif_transpose(picture)
        transparent = picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info
        if transparent:
            picture = picture.convert("RGBA").convert("RGBa")
        else:
            picture = picture.convert("RGB")
    for size, mask in masks.items():
        target = os.path.join(folder, str(size), f"{stem}.{SETTINGS['form']}")
        emblem(picture, transparent, size, mask, target)


if __name__ == "__main__":
    common.main(__doc__, prepare, emblems)
