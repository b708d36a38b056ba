#!/usr/bin/env python3
"""A script that makes rounded emblems of SVG with resvg in a pool of two processes.

resvg reads the SVG as an image inside another SVG, which has the background and the corners.
"""

import base64
import os

import common
import resvg_py

SETTINGS = {}
FRAME = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}">'
    '<clipPath id="corners"><rect width="{size}" height="{size}" rx="{radius}"/></clipPath>'
    '<g clip-path="url(#corners)"><rect width="{size}" height="{size}" fill="{background}"/>'
    '<image width="{size}" height="{size}" href="data:image/svg+xml;base64,{data}"/></g></svg>')


def prepare(sizes, radii, background, form):
    SETTINGS.update(radii=dict(zip(sizes, radii)), background=background, form=form)


def emblems(job):
    """Makes all sizes of one drawing, which resvg parses for each size."""
    source, folder, stem = job
    drawing = common.drawing(source)
    data = base64.b64encode(drawing).decode()
    for size, radius in SETTINGS["radii"].items():
        framed = FRAME.format(
            size=size, radius=radius, background=SETTINGS["background"], data=data)
        # resvg reads the fonts of the system again for each image, so only text may ask for them.
        emblem = resvg_py.svg_to_bytes(framed, skip_system_fonts=b"<text" not in drawing)
        with open(os.path.join(folder, str(size), f"{stem}.png"), "wb") as file:
            file.write(emblem)


if __name__ == "__main__":
    common.main(__doc__, prepare, emblems, common.DRAWINGS)
