#!/usr/bin/env python3
"""A script that makes sets of logos from other sources, so that results do not depend on this generator.

    found.py as-found DIR     1,200 icons, clip art and wallpapers of Debian packages, 32 to 4,000 px:
                              half PNG as packaged, a quarter lossy WebP with sides of 1,280 px and
                              more, the rest JPEG
    found.py by-pillow DIR    the first 1,000 logos of LOGOS with 90,000 pixels or more, written again
                              by Pillow as RGBA; 0.30 MP on average

Runs in Pillow's environment. Packages are downloaded with apt-get and unpacked, not installed. The
selection depends only on the names and bytes of the images, so equal packages and an equal Pillow give
an equal set; `dataset.json` contains their versions.
"""

import argparse
import glob
import hashlib
import json
import multiprocessing
import os
import shutil
import struct
import subprocess
import sys
import tempfile

from PIL import Image, features

PACKAGES = (
    "openclipart-png", "moka-icon-theme", "gnome-icon-theme", "oxygen-icon-theme",
    "faenza-icon-theme", "tango-icon-theme", "ospics", "lomiri-wallpapers-16.04")
# The maximum of the longest side, and the number of PNG files, of each class.
PNG_CLASSES = ((64, 60), (128, 100), (256, 140), (512, 160), (1_024, 80), (4_000, 60))
WEBPS, JPEGS, LOGOS = 300, 300, 1_000
# The longest sides of the WebP files; most are typical results of shop systems.
WEBP_SIDES = (1_280, 1_280, 1_280, 1_280, 1_440, 1_600, 1_600, 1_920, 2_048, 2_560)
JPEG_SIDES = (96, 128, 160, 200, 200, 225, 256, 300, 300, 400, 400, 512, 600, 800, 1_000, 1_200)


def mark(text):
    """Returns a 64-bit hash of a text, which determines the selection of images."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])


def fetch(folder):
    """Unpacks the packages into the folder; returns their digests by file name, which has the version."""
    old = set(os.listdir(folder))
    subprocess.run(
        ["apt-get", "download", "-qq", "-o", "APT::Sandbox::User=root", *PACKAGES], cwd=folder,
        check=True, stdout=sys.stderr)
    known = {}
    for name in sorted(set(os.listdir(folder)) - old):
        path = os.path.join(folder, name)
        subprocess.run(["dpkg-deb", "-x", path, folder], check=True)
        with open(path, "rb") as file:
            known[name] = hashlib.file_digest(file, "sha256").hexdigest()
        os.remove(path)
    return known


def png_sides(path):
    """Returns width and height from the header of a PNG file; zeros for other files."""
    with open(path, "rb") as file:
        head = file.read(24)
    return struct.unpack(">II", head[16:24]) if head[:4] == b"\x89PNG" else (0, 0)


def longest_side(path):
    """Returns the longest side of a PNG or JPEG file, read from its header; zero for other files."""
    if path.endswith(".png"):
        return max(png_sides(path))
    try:
        with Image.open(path) as picture:
            return max(picture.size) if picture.format == "JPEG" else 0
    except OSError:
        return 0


def pixel_count(path):
    width, height = png_sides(path)
    return width * height


def is_sound(path):
    """Returns whether every pixel can be read, and not all are equal."""
    try:
        with Image.open(path) as picture:
            picture.load()
            if picture.format not in ("PNG", "JPEG"):
                return False
            return any(low != high for low, high in picture.convert("RGBA").getextrema())
    except (OSError, ValueError, SyntaxError):
        return False


def survey(folder):
    """Returns the relative path, the path and the longest side of each image.

    Equal bytes count once. An icon with several sizes counts with one of them.
    """
    found = []
    for path, _, names in os.walk(folder):
        for name in names:
            whole = os.path.join(path, name)
            if name.endswith((".png", ".jpg")) and not os.path.islink(whole):
                found.append((os.path.relpath(whole, folder), whole))
    found.sort(key=lambda entry: mark(entry[0]))
    names, digests, kept = set(), set(), []
    for relative, whole in found:
        theme = relative.split(os.sep)[3] if relative.startswith("usr/share/icons") else ""
        name = (theme, os.path.basename(relative))
        side = longest_side(whole)
        if name in names or not 32 <= side:
            continue
        with open(whole, "rb") as file:
            digest = hashlib.sha256(file.read()).digest()
        if digest not in digests:
            names.add(name)
            digests.add(digest)
            kept.append((relative, whole, side))
    return kept


def take(pictures, count, fits):
    """Removes the first valid images with a suitable size from the list, and returns them."""
    taken = []
    for picture in list(pictures):
        if len(taken) == count:
            break
        if fits(picture[2]) and is_sound(picture[1]):
            taken.append(picture)
            pictures.remove(picture)
    if len(taken) < count:
        sys.exit(f"found.py: found {len(taken)} images, but {count} are needed")
    return taken


def as_webp(job):
    """Writes a lossy WebP with a longest side of 1,280 px or more, as image services do."""
    source, target, lot = job
    side = WEBP_SIDES[lot % len(WEBP_SIDES)]
    with Image.open(source) as picture:
        picture = picture.convert("RGBA" if picture.has_transparency_data else "RGB")
    share = side / max(picture.size)
    size = tuple(max(1, round(length * share)) for length in picture.size)
    picture.resize(size, Image.Resampling.BICUBIC).save(
        target, "WEBP", quality=75 + lot // 16 % 16, method=4)


def as_jpeg(job):
    """Writes a JPEG on white; wallpapers keep their size, up to 4,000 px."""
    source, target, lot = job
    with Image.open(source) as picture:
        is_photo = picture.format == "JPEG"
        picture = picture.convert("RGBA")
    longest = max(picture.size)
    side = min(longest, 4_000 if is_photo else JPEG_SIDES[lot % len(JPEG_SIDES)])
    size = tuple(max(1, round(length * side / longest)) for length in picture.size)
    picture = picture.resize(size, Image.Resampling.LANCZOS)
    page = Image.new("RGBA", size, "white")
    page.alpha_composite(picture)
    page.convert("RGB").save(
        target, "JPEG", quality=75 + lot // 32 % 21, progressive=lot // 1_024 % 10 < 3,
        subsampling="4:4:4" if lot // 16_384 % 10 < 2 else "4:2:0")


def by_pillow(job):
    """Writes the same pixels with Pillow's filters and compression; returns their number."""
    source, target = job
    with Image.open(source) as picture:
        picture.convert("RGBA").save(target, "PNG")
        return picture.width * picture.height


def number_names(folder, kinds):
    """Returns the job of each image, with a target path.

    The names start with a number, so that stems are unique. The kinds are mixed, so that the first
    hundred images are representative of the set.
    """
    lots = sorted(
        (mark(f"place {relative}"), extension, relative, whole)
        for extension, pictures in kinds for relative, whole, _ in pictures)
    jobs = []
    for number, (_, extension, relative, whole) in enumerate(lots):
        stem = os.path.splitext(os.path.basename(relative))[0]
        plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in stem)[:40]
        jobs.append((extension, whole, f"{folder}/{number:04}-{plain}.{extension}", mark(relative)))
    return jobs


def make_found(folder, pool):
    with tempfile.TemporaryDirectory(prefix="emblem-found-") as scratch:
        packages = fetch(scratch)
        pictures = survey(scratch)
        photos = [entry for entry in pictures if entry[1].endswith(".jpg") and entry[2] <= 8_000]
        drawn = [entry for entry in pictures if entry[1].endswith(".png")]
        pngs, least = [], 32
        for most, count in PNG_CLASSES:
            pngs += take(drawn, count, lambda side: least <= side <= most)
            least = most + 1
        webps = take(drawn, WEBPS, lambda side: 512 <= side <= 4_000)
        jpegs = photos + take(drawn, JPEGS - len(photos), lambda side: 256 <= side <= 2_000)
        jobs = number_names(folder, (("png", pngs), ("webp", webps), ("jpg", jpegs)))
        for kind, work in (("webp", as_webp), ("jpg", as_jpeg)):
            pool.map(work, [job[1:] for job in jobs if job[0] == kind], chunksize=4)
        for kind, whole, target, _ in jobs:
            if kind == "png":
                shutil.copyfile(whole, target)
    return {"packages": packages}


def make_by_pillow(folder, logos, pool):
    # The generator puts a number at the end of each name; the images are taken in that order.
    paths = sorted(glob.glob(os.path.join(logos, "*.png")), key=lambda path: path[-8:])
    jobs = [
        (path, os.path.join(folder, os.path.basename(path))) for path in paths
        if pixel_count(path) >= 90_000][:LOGOS]
    if len(jobs) < LOGOS:
        sys.exit(f"found.py: found {len(jobs)} logos, but {LOGOS} are needed")
    return {"pixels": sum(pool.map(by_pillow, jobs, chunksize=8))}


def main():
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("kind", choices=("as-found", "by-pillow"))
    options.add_argument("folder")
    options.add_argument("--logos", help="folder of logos for by-pillow")
    chosen = options.parse_args()
    stamp = os.path.join(chosen.folder, "dataset.json")
    if os.path.exists(stamp):
        print(f"{chosen.folder} already contains this data set; remove it to make it again.")
        return
    shutil.rmtree(chosen.folder, ignore_errors=True)
    pictures = os.path.join(chosen.folder, "logos")
    os.makedirs(pictures)
    with multiprocessing.Pool(2) as pool:
        facts = make_found(pictures, pool) if chosen.kind == "as-found" else make_by_pillow(
            pictures, chosen.logos, pool)
    sizes = [os.path.getsize(entry.path) for entry in os.scandir(pictures)]
    facts |= {
        "preset": chosen.kind, "files": len(sizes), "bytes": sum(sizes), "writers": {
            "Pillow": Image.__version__, "libwebp": features.version("webp"),
            "libjpeg-turbo": features.version("libjpeg_turbo"), "zlib": features.version("zlib")}}
    # Written last, because it marks the set as complete.
    with open(stamp, "w", encoding="utf-8") as file:
        json.dump(facts, file, indent=1, sort_keys=True)
        file.write("\n")
    print(f"{chosen.folder}: {len(sizes)} files, {sum(sizes) // 1024} KB")


if __name__ == "__main__":
    main()
