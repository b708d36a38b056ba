#!/usr/bin/env python3
"""Rounded emblems with Pillow, as a careful user would write them: one pool of processes."""

import argparse
import json
import multiprocessing
import os
import time

from PIL import Image, ImageChops, ImageDraw, ImageOps

PICTURES = {".png", ".jpg", ".jpeg", ".webp"}
SETTINGS = {}


def prepare(size, radius, background):
    """Once in each worker: the canvas colour and the mask, drawn four times as large."""
    large = Image.new("L", (size * 4, size * 4), 0)
    ImageDraw.Draw(large).rounded_rectangle(
        (0, 0, size * 4 - 1, size * 4 - 1), radius=radius * 4, fill=255
    )
    SETTINGS["size"] = size
    SETTINGS["mask"] = large.resize((size, size), Image.Resampling.BOX)
    SETTINGS["background"] = background


def emblem(job):
    source, target = job
    size = SETTINGS["size"]
    with Image.open(source) as picture:
        # Fewer pixels from the start; twice the size leaves the filter enough to work on.
        picture.draft("RGB", (size * 2, size * 2))
        picture = ImageOps.exif_transpose(picture)
        transparent = picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info
        if transparent:
            picture = picture.convert("RGBA").convert("RGBa")
        else:
            picture = picture.convert("RGB")
    share = min(size / picture.width, size / picture.height)
    fitted = (
        max(1, int(picture.width * share + 0.5)),
        max(1, int(picture.height * share + 0.5)),
    )
    picture = picture.resize(fitted, Image.Resampling.LANCZOS, reducing_gap=3.0)
    canvas = Image.new("RGBA", (size, size), SETTINGS["background"])
    place = ((size - fitted[0]) // 2, (size - fitted[1]) // 2)
    if transparent:
        canvas.alpha_composite(picture.convert("RGBA"), place)
    else:
        canvas.paste(picture, place)
    canvas.putalpha(ImageChops.multiply(canvas.getchannel("A"), SETTINGS["mask"]))
    canvas.save(target, "PNG", compress_level=6)
    return os.path.getsize(target)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("input")
    options.add_argument("output")
    options.add_argument("--size", type=int, default=128)
    options.add_argument("--radius", type=int, default=32)
    options.add_argument("--background", default="#E7EFFC")
    options.add_argument("--workers", type=int, default=2)
    chosen = options.parse_args()

    start = time.perf_counter()
    os.makedirs(chosen.output, exist_ok=True)
    jobs = []
    for folder, _, names in sorted(os.walk(chosen.input)):
        for name in sorted(names):
            stem, extension = os.path.splitext(name)
            if extension.lower() in PICTURES:
                target = os.path.join(chosen.output, stem + ".png")
                jobs.append((os.path.join(folder, name), target))
    with multiprocessing.Pool(
        chosen.workers, prepare, (chosen.size, chosen.radius, chosen.background)
    ) as pool:
        sizes = list(pool.imap_unordered(emblem, jobs, chunksize=8))
    seconds = time.perf_counter() - start
    print(json.dumps({"items": len(sizes), "seconds": round(seconds, 4), "bytes": sum(sizes)}))


if __name__ == "__main__":
    main()
