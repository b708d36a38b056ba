"""Lists of URLs over a generated data set, and the folder that a server serves for them."""

import os
import random


def paths(data, kind):
    """Returns the sorted paths of the files of one kind, relative to the data set."""
    return [f"{kind}/{name}" for name in sorted(os.listdir(os.path.join(data, kind)))]


def serve_folder(data, scratch):
    """Makes a folder with the data set, and ten HTML pages with the names of images."""
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
    """Returns the paths of 1,000 logos, 240 photos and 80 other files in random order."""
    others = paths(data, "webp") + paths(data, "svg")
    others += [f"gone/{number}.png" for number in range(10)]
    others += [f"pages/{number}.png" for number in range(10)]
    all_paths = paths(data, "logos") + paths(data, "photos") + others
    random.Random(1).shuffle(all_paths)
    return all_paths


def write_urls(target, port, paths):
    """Writes a text list of URLs on 127.0.0.1, and returns its path."""
    with open(target, "w", encoding="utf-8") as file:
        file.writelines(f"http://127.0.0.1:{port}/{path}\n" for path in paths)
    return target


def write_repeated(target, folder, files):
    """Writes a text list as long as `files` in which three of ten rows repeat a source."""
    count = len(files)
    rows = list(files[: count * 7 // 10])
    rows += [rows[number * 7 % len(rows)] for number in range(count - len(rows))]
    random.Random(1).shuffle(rows)
    with open(target, "w", encoding="utf-8") as file:
        file.writelines(os.path.join(folder, name) + "\n" for name in rows)
    return rows
