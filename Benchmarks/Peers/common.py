"""The parts that all Python scripts share: arguments, a pool of two processes, scales of JPEG."""

import argparse
import gzip
import multiprocessing
import os

PICTURES = (".png", ".jpg", ".jpeg", ".webp")
DRAWINGS = (".svg", ".svgz")


def reduction(sides, largest):
    """Returns the divisor of the smallest scale at which a JPEG keeps twice the target size.

    The filter needs no more. Decoders are fastest at the scales 1/8, 1/4 and 1/2.
    """
    return next((share for share in (8, 4, 2) if max(sides) // share >= 2 * largest), 1)


def drawing(source):
    """Reads an SVG, which may be compressed."""
    with open(source, "rb") as file:
        data = file.read()
    return gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data


def chosen_options(description):
    """Reads the command line, and makes a folder for each size."""
    options = argparse.ArgumentParser(description=description)
    options.add_argument("input")
    options.add_argument("output")
    options.add_argument("--sizes", default="128")
    options.add_argument("--radii", default="32")
    options.add_argument("--background", default="#E7EFFC")
    options.add_argument("--format", default="png", choices=["png", "webp"])
    chosen = options.parse_args()
    chosen.sizes = [int(size) for size in chosen.sizes.split(",")]
    chosen.radii = [int(radius) for radius in chosen.radii.split(",")]
    for size in chosen.sizes:
        os.makedirs(os.path.join(chosen.output, str(size)), exist_ok=True)
    return chosen


def main(description, prepare, emblems, extensions=PICTURES):
    """Calls `emblems` for each image of a folder, in two processes that `prepare` has prepared."""
    chosen = chosen_options(description)
    jobs = []
    for name in sorted(os.listdir(chosen.input)):
        stem, extension = os.path.splitext(name)
        if extension.lower() in extensions:
            jobs.append((os.path.join(chosen.input, name), chosen.output, stem))
    settings = (chosen.sizes, chosen.radii, chosen.background, chosen.format)
    with multiprocessing.Pool(2, prepare, settings) as workers:
        for _ in workers.imap_unordered(emblems, jobs, chunksize=8):
            pass
