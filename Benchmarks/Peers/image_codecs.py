#!/usr/bin/env python3
"""A script that makes rounded emblems: imagecodecs decodes and encodes, and OpenCV shrinks."""

import cv2
import imagecodecs
import opencv


def load(source, largest):
    """Decodes an image; uses OpenCV for JPEG, because it supports scaled decoding."""
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
