#!/usr/bin/env python3
"""A script that makes rounded emblems of a list of URLs: Daft loads, and OpenCV does the rest.

Daft's own resize takes one width and height for all images, so it cannot keep their shape, and
Daft has no background and no corners. URLs that fail and bytes that are no image are skipped.
"""

import os

import common
import daft
import opencv
from daft.functions import download


@daft.cls(use_process=True, max_concurrency=2)
class Emblem:
    """One of two processes, which decode, shrink, compose and write."""

    def __init__(self, sizes, radii, background, form, folder):
        opencv.prepare(sizes, radii, background, form)
        self.folder = folder

    def __call__(self, number: int, data: bytes) -> bool:
        if not data:
            return False
        try:
            picture = opencv.decode(data, max(opencv.SETTINGS["masks"]))
        except ValueError:
            return False
        opencv.write_all(picture, self.folder, f"{number:05}")
        return True


def main():
    chosen = common.chosen_options(__doc__)
    # The processes of Daft do not search the folder of the script.
    os.environ["PYTHONPATH"] = os.path.dirname(os.path.abspath(__file__))
    with open(chosen.input, encoding="utf-8") as file:
        urls = file.read().split()
    emblem = Emblem(
        chosen.sizes, chosen.radii, chosen.background, chosen.format, chosen.output)
    rows = daft.from_pydict({"number": list(range(len(urls))), "url": urls}).into_batches(32)
    data = download(rows["url"], max_connections=32, on_error="null")
    rows.select(emblem(rows["number"], data)).collect()
    # Threads of Daft can abort the interpreter while it ends.
    os._exit(0)


if __name__ == "__main__":
    main()
