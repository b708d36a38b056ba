"""Lists of addresses over a generated data set, and the folder that a server hands out for them."""

import os
import random


def paths(data, kind):
    """The files of one kind, in order, relative to the data set."""
    return [f"{kind}/{name}" for name in sorted(os.listdir(os.path.join(data, kind)))]


def serve_folder(data, scratch):
    """A folder with the data set and ten pages of text that are called pictures."""
    root = os.path.join(scratch, "www")
    os.makedirs(os.path.join(root, "pages"))
    for kind in ("logos", "photos", "webp", "svg"):
        os.symlink(os.path.join(data, kind), os.path.join(root, kind))
    for number in range(10):
        with open(os.path.join(root, "pages", f"{number}.png"), "w", encoding="utf-8") as file:
            file.write(f"<!doctype html><title>Page {number}</title><p>Sold.\n")
    os.chmod(scratch, 0o755)
    return root


def logos(data):
    return paths(data, "logos")


def mixed(data):
    """1,000 logos, 240 photographs and 80 others in no order."""
    others = paths(data, "webp") + paths(data, "svg")
    others += [f"gone/{number}.png" for number in range(10)]
    others += [f"pages/{number}.png" for number in range(10)]
    all_paths = paths(data, "logos") + paths(data, "photos") + others
    random.Random(1).shuffle(all_paths)
    return all_paths


def write_urls(target, port, places):
    """A text list of addresses on 127.0.0.1."""
    with open(target, "w", encoding="utf-8") as file:
        file.writelines(f"http://127.0.0.1:{port}/{place}\n" for place in places)
    return target


def write_repeated(target, folder, files):
    """A text list as long as `files` in which three rows of ten name a source a second time."""
    count = len(files)
    rows = list(files[: count * 7 // 10])
    rows += [rows[number * 7 % len(rows)] for number in range(count - len(rows))]
    random.Random(1).shuffle(rows)
    with open(target, "w", encoding="utf-8") as file:
        file.writelines(os.path.join(folder, name) + "\n" for name in rows)
    return rows
