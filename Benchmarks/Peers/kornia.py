#!/usr/bin/env python3
"""Rounded emblems with kornia-rs, which decodes and encodes, and OpenCV, which shrinks.

kornia-rs 0.2.0 shrinks pictures of four channels by leaving pixels out, whatever filter is named; its
Lanczos for three takes longer than OpenCV's area filter; it decodes no JPEG at a fraction;
and its WebP is lossless whatever quality is asked for, so OpenCV writes that.
"""

import cv2
import kornia_rs
import opencv

RGB, RGBA = 2, 6


def load(source, largest):
    name = source.lower()
    if name.endswith((".jpg", ".jpeg")):
        return cv2.cvtColor(opencv.load(source, largest), cv2.COLOR_BGR2RGB)
    if name.endswith(".webp") or is_plain(source):
        return opencv.premultiplied(kornia_rs.io.read_image(source))
    picture = opencv.load(source, largest)
    return cv2.cvtColor(
        picture, cv2.COLOR_BGR2RGB if picture.shape[2] == 3 else cv2.COLOR_BGRA2RGBA)


def is_plain(source):
    """Whether a PNG has eight bits of RGB or RGBA: it reads a palette as grey, and no grey with
    alpha."""
    with open(source, "rb") as file:
        head = file.read(26)
    return head[24] == 8 and head[25] in (RGB, RGBA)


def write(canvas, target):
    if opencv.SETTINGS["form"] == "webp":
        opencv.write(cv2.cvtColor(canvas, cv2.COLOR_RGBA2BGRA), target)
        return
    picture = kornia_rs.image.Image.from_numpy(canvas)
    # The fastest level: a sixth more bytes than level 6, in a twelfth of the time.
    data = picture.encode("png", compress_level=1)
    with open(target, "wb") as file:
        file.write(data)


if __name__ == "__main__":
    opencv.STEPS.update(order=1, load=load, write=write)
    opencv.main()
