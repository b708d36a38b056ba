#!/usr/bin/env python3
"""Rounded emblems with imagecodecs, which decodes and encodes, and OpenCV, which shrinks."""

import cv2
import imagecodecs
import opencv


def load(source, largest):
    """JPEG is left to OpenCV, which decodes it at a fraction of its size."""
    if source.lower().endswith((".jpg", ".jpeg")):
        return cv2.cvtColor(opencv.load(source, largest), cv2.COLOR_BGR2RGB)
    with open(source, "rb") as file:
        data = file.read()
    decode = imagecodecs.webp_decode if source.lower().endswith(".webp") else imagecodecs.png_decode
    return opencv.premultiplied(decode(data))


def write(canvas, target):
    if opencv.SETTINGS["form"] == "webp":
        data = imagecodecs.webp_encode(canvas, level=82, lossless=False)
    else:
        data = imagecodecs.png_encode(canvas, level=6)
    with open(target, "wb") as file:
        file.write(data)


if __name__ == "__main__":
    opencv.STEPS.update(order=1, load=load, write=write)
    opencv.main()
