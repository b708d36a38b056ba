#!/usr/bin/python3
"""A script that draws sets of images, or collects them from Debian packages.

    make.py sample DIR     logos, photos, WebP and SVG, and a list with rows that fail
    make.py bench DIR      1,000 logos with alpha, 240 photos, 50 WebP and 10 SVG
    make.py more DIR       200 WebP and 100 SVG
    make.py as-found DIR   1,200 icons, clip art and wallpapers by others: half PNG as packaged, a
                           quarter lossy WebP with sides of 1,280 px and more, the rest JPEG

Needs the Debian packages python3-pil and fonts-dejavu-core. `as-found` downloads packages with
apt-get and does not install them. Equal versions of Pillow and of the packages give an equal set. A
set that exists is not made again.
"""

import csv
import gzip
import hashlib
import json
import math
import multiprocessing
import os
import random
import shutil
import subprocess
import sys
import tempfile

from PIL import Image, ImageDraw, ImageFilter, ImageFont

FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"
# The numbers of logos, photos, WebP and SVG files.
SETS = {"sample": (90, 24, 20, 20), "bench": (1_000, 240, 50, 10), "more": (0, 0, 200, 100)}
SIDES = (128, 128, 192, 225, 256, 256, 300, 320, 400, 400, 500, 512, 512, 600, 800, 1_024)
COLORS = (
    "#0b5fff", "#12263f", "#e4002b", "#00857c", "#f5a300", "#6f2da8", "#1b8a3a", "#d6336c",
    "#005f73", "#7a4b24", "#303030", "#ff6b35", "#2b59c3", "#8a1538", "#4a7c59", "#c9a227")
TRADES = "Bank Coffee Energy Rail Travel Books Optics Pay Home Garden Post Market".split()


def name_of(dice):
    syllables = "al ber den fo kel lu mar no pel ra sol tor ul vi wes zan".split()
    name = "".join(dice.choice(syllables) for _ in range(dice.randint(2, 3))).capitalize()
    return f"{name} {dice.choice(TRADES)}" if dice.random() < 0.6 else name


# Logos


def draw_mark(dice, side, letter):
    """Returns a mark with transparent surroundings: a disc, a shield, a tile or a ring."""
    color, second = dice.sample(COLORS, 2)
    shape = Image.new("L", (side, side))
    pen = ImageDraw.Draw(shape)
    kind = dice.randrange(4)
    edge = side // 16
    if kind == 0:
        pen.ellipse((edge, edge, side - edge, side - edge), fill=255)
    elif kind == 1:
        middle, low = side // 2, side - edge
        points = ((edge, edge), (side - edge, edge), (side - edge, middle), (middle, low), (edge, middle))
        pen.polygon(points, fill=255)
    elif kind == 2:
        pen.rounded_rectangle((edge, edge, side - edge, side - edge), side // 5, fill=255)
    else:
        pen.ellipse((edge, edge, side - edge, side - edge), outline=255, width=side // 8)
    font = ImageFont.truetype(FONT, side * (3 if kind == 3 else 5) // 10)
    pen.text((side // 2, side // 2), letter, fill=255 if kind == 3 else 0, font=font, anchor="mm")
    ground = Image.new("RGB", (side, side), color)
    if dice.random() < 0.4:
        blend = Image.linear_gradient("L").resize((side, side)).rotate(dice.choice((0, 90, 180)))
        ground.paste(Image.new("RGB", (side, side), second), mask=blend)
    mark = ground.convert("RGBA")
    mark.putalpha(shape)
    return mark


def logo(dice, name):
    """Returns a logo with alpha, drawn at twice its size or more."""
    side = dice.choice(SIDES)
    scale = 2 if side >= 400 else 4
    if dice.random() < 0.65:
        drawn = draw_mark(dice, side * scale, name[0])
        return drawn.resize((side, side), Image.Resampling.LANCZOS)
    # A wordmark with its mark at the left.
    height = side * scale // 4
    font = ImageFont.truetype(FONT, height * 6 // 10)
    width = height * 5 // 4 + int(font.getlength(name)) + height // 4
    drawn = Image.new("RGBA", (width, height))
    drawn.paste(draw_mark(dice, height, name[0]), (0, 0))
    ImageDraw.Draw(drawn).text(
        (height * 5 // 4, height // 2), name, fill=dice.choice(COLORS), font=font, anchor="lm")
    return drawn.resize(
        (max(1, width // scale), max(1, height // scale)), Image.Resampling.LANCZOS)


def write_logo(path, dice, name):
    picture, kind = logo(dice, name), dice.random()
    if kind < 0.09:
        picture = picture.quantize(64, Image.Quantize.FASTOCTREE)
    elif kind < 0.13:
        picture = picture.convert("LA")
    picture.save(path, optimize=kind > 0.9)


# Photos


def texture(dice, width, height):
    """Returns a grey texture of several octaves, as clouds and stone have it."""
    total = Image.new("L", (width, height), 128)
    for octave in range(2, 10, 2):
        size = (max(2, width >> (9 - octave)), max(2, height >> (9 - octave)))
        noise = Image.frombytes("L", size, dice.randbytes(size[0] * size[1]))
        total = Image.blend(total, noise.resize((width, height), Image.Resampling.BICUBIC), 0.3)
    return total


def photo(dice, width, height):
    """Returns a landscape: a sky, hills in front of one another, and grain."""
    picture = Image.merge("RGB", [Image.linear_gradient("L").resize((width, height))] * 3)
    sky = Image.new("RGB", (width, height), dice.choice(("#7fb2e5", "#f2b880", "#9aa7b8", "#30456b")))
    picture = Image.blend(picture, sky, 0.6)
    clouds = texture(dice, width, height)
    picture = Image.blend(picture, Image.merge("RGB", [clouds] * 3), 0.25)
    for depth in range(dice.randint(2, 4)):
        top = height * (0.4 + 0.15 * depth)
        waves = [(dice.uniform(1, 9), dice.uniform(0, 6), height * dice.uniform(0.01, 0.06)) for _ in range(4)]
        line = [
            (x, top + sum(size * math.sin(turns * x / width + shift) for turns, shift, size in waves))
            for x in range(0, width + 8, 8)]
        mask = Image.new("L", (width, height))
        ImageDraw.Draw(mask).polygon([*line, (width, height), (0, height)], fill=255)
        hill = Image.new("RGB", (width, height), dice.choice(COLORS))
        hill = Image.blend(hill, Image.merge("RGB", [texture(dice, width, height)] * 3), 0.45)
        picture.paste(hill, mask=mask.filter(ImageFilter.GaussianBlur(depth)))
    grain = Image.frombytes("L", (width, height), dice.randbytes(width * height))
    return Image.blend(picture, Image.merge("RGB", [grain] * 3), 0.04)


def write_photo(path, dice, megapixels):
    size = math.exp(dice.uniform(math.log(0.1), math.log(megapixels))) * 1_000_000
    ratio = dice.choice((1, 4 / 3, 3 / 2, 3 / 4, 16 / 9))
    picture = photo(dice, round(math.sqrt(size * ratio)), round(math.sqrt(size / ratio)))
    kind = dice.random()
    if kind < 0.06:
        picture = picture.convert("L" if kind < 0.03 else "CMYK")
    exif = Image.Exif()
    if dice.random() < 0.2:
        # Stored as a camera that was turned does.
        exif[0x0112], turn = dice.choice(((3, "ROTATE_180"), (6, "ROTATE_90"), (8, "ROTATE_270")))
        picture = picture.transpose(Image.Transpose[turn])
    picture.save(
        path, quality=dice.randint(75, 95), progressive=dice.random() < 0.3,
        subsampling=dice.choice(("4:2:0", "4:2:0", "4:2:2", "4:4:4")), exif=exif)


def write_webp(path, dice, name):
    if dice.random() < 0.5:
        photo(dice, dice.randint(300, 900), dice.randint(300, 900)).save(path, quality=80)
    else:
        logo(dice, name).save(path, lossless=dice.random() < 0.5, quality=82)


def write_svg(path, dice, name):
    first, second = dice.sample(COLORS, 2)
    kind = dice.randrange(5)
    size = ('width="240" height="96"', "", 'width="51500" height="20600"')[kind % 3]
    fill = "currentColor" if kind == 3 else "url(#g)"
    gradient = (
        f'<defs><linearGradient id="g"><stop stop-color="{first}"/>'
        f'<stop offset="1" stop-color="{second}"/></linearGradient></defs>')
    shapes = "".join(
        f'<circle cx="{24 + 48 * n}" cy="48" r="{dice.randint(8, 22)}"/>' for n in range(dice.randint(2, 5)))
    text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 96" {size}>'
        f'{gradient if kind != 3 else ""}<g fill="{fill}"><path d="M8 8h224v80H8zM16 16v64h208V16z"/>{shapes}'
        f"</g></svg>\n")
    with open(path, "wb") as file:
        file.write(gzip.compress(text.encode(), mtime=0) if path.endswith("z") else text.encode())


WRITERS = {"logos": write_logo, "photos": write_photo, "webp": write_webp, "svg": write_svg}


def draw(job):
    path, kind, number, argument = job
    WRITERS[kind](path, random.Random(f"{kind}-{number}"), argument)


def make_drawn(folder, counts, pool):
    jobs, rows = [], []
    for kind, count in zip(WRITERS, counts):
        os.makedirs(os.path.join(folder, kind), exist_ok=True)
        for number in range(count):
            name = name_of(random.Random(f"name-{kind}-{number}"))
            extension = {"logos": "png", "photos": "jpg"}.get(kind, kind)
            extension += "z" if kind == "svg" and number % 10 == 9 else ""
            stem = f"{name.lower().replace(' ', '-')}-{number:04}"
            path = f"{kind}/{stem}.{extension}"
            argument = name if kind != "photos" else 7 if counts[0] > 100 else 1
            jobs.append((os.path.join(folder, path), kind, number, argument))
            rows.append((stem, path, name, "fill" if kind == "photos" else "fit"))
    pool.map(draw, jobs, chunksize=4)
    return rows


def write_list(folder, rows):
    """Writes a list of all images, and of five rows that cannot be loaded."""
    broken = os.path.join(folder, "broken")
    os.makedirs(broken)
    logo_path = os.path.join(folder, rows[0][1])
    with open(logo_path, "rb") as file:
        whole = file.read()
    lost = {"half.png": whole[: len(whole) // 2], "empty.png": b"", "page.png": b"<!doctype html>"}
    for name, data in lost.items():
        with open(os.path.join(broken, name), "wb") as file:
            file.write(data)
    rows += [(name[:-4], f"broken/{name}", f"{name[:-4].title()} Shop", "fit") for name in lost]
    rows += [("gone", "logos/gone.png", "Gone Market", "fit"), ("moved", "", "Moved Bank", "fit")]
    with open(os.path.join(folder, "emblems.csv"), "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([("id", "source", "label", "mode"), *rows])


# Images by others

PACKAGES = (
    "openclipart-png", "moka-icon-theme", "gnome-icon-theme", "oxygen-icon-theme",
    "faenza-icon-theme", "tango-icon-theme", "ospics", "lomiri-wallpapers-16.04")
# Headers of any size are read; larger images than 8,000 px are not decoded.
Image.MAX_IMAGE_PIXELS = None
# The maximum of the longest side, and the number of PNG files, of each class.
PNG_CLASSES = ((64, 60), (128, 100), (256, 140), (512, 160), (1_024, 80), (4_000, 60))
WEBPS, JPEGS = 300, 300
# The longest sides of the WebP files; most are typical results of shop systems.
WEBP_SIDES = (1_280, 1_280, 1_280, 1_280, 1_440, 1_600, 1_600, 1_920, 2_048, 2_560)
JPEG_SIDES = (96, 128, 160, 200, 200, 225, 256, 300, 300, 400, 400, 512, 600, 800, 1_000, 1_200)


def hashed(text):
    """Returns a 64-bit hash of a text, which determines the selection of images."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def is_sound(path):
    """Returns whether every pixel can be read, and not all are equal."""
    try:
        with Image.open(path) as picture:
            return any(low != high for low, high in picture.convert("RGBA").getextrema())
    except (OSError, ValueError, SyntaxError):
        return False


def survey(folder):
    """Returns the relative path, the path and the longest side of each image.

    Equal bytes count once. An icon with several sizes counts with one of them.
    """
    paths = [
        os.path.join(path, name) for path, _, names in os.walk(folder) for name in names
        if name.endswith((".png", ".jpg")) and not os.path.islink(os.path.join(path, name))]
    seen, kept = set(), []
    for whole in sorted(paths, key=lambda whole: hashed(os.path.relpath(whole, folder))):
        relative = os.path.relpath(whole, folder)
        theme = relative.split(os.sep)[3] if relative.startswith("usr/share/icons") else ""
        name = (theme, os.path.basename(relative))
        with open(whole, "rb") as file:
            digest = hashlib.sha256(file.read()).digest()
        try:
            # This reads only the header.
            with Image.open(whole) as picture:
                side = max(picture.size)
        except (OSError, SyntaxError):
            continue
        if name not in seen and digest not in seen and 32 <= side <= 8_000:
            seen |= {name, digest}
            kept.append((relative, whole, side))
    return kept


def take(pictures, count, least, most):
    """Removes the first sound images with a suitable size from the list, and returns them."""
    taken = []
    for picture in list(pictures):
        if len(taken) < count and least <= picture[2] <= most and is_sound(picture[1]):
            taken.append(picture)
            pictures.remove(picture)
    if len(taken) < count:
        sys.exit(f"make.py: found {len(taken)} images, but {count} are needed")
    return taken


def convert(job):
    """Copies a PNG, or writes a WebP or JPEG as image services and shops do."""
    kind, source, target, lot = job
    if kind == "png":
        shutil.copyfile(source, target)
        return
    with Image.open(source) as picture:
        is_photo = picture.format == "JPEG"
        picture = picture.convert("RGB" if is_photo else "RGBA")
    longest = max(picture.size)
    side = WEBP_SIDES[lot % len(WEBP_SIDES)] if kind == "webp" else min(
        longest, 4_000 if is_photo else JPEG_SIDES[lot % len(JPEG_SIDES)])
    size = tuple(max(1, round(length * side / longest)) for length in picture.size)
    if kind == "webp":
        picture.resize(size, Image.Resampling.BICUBIC).save(target, quality=75 + lot // 16 % 16)
        return
    picture = picture.resize(size, Image.Resampling.LANCZOS)
    if not is_photo:
        page = Image.new("RGBA", size, "white")
        page.alpha_composite(picture)
        picture = page.convert("RGB")
    picture.save(
        target, quality=75 + lot // 32 % 21, progressive=lot // 1_024 % 10 < 3,
        subsampling="4:4:4" if lot // 16_384 % 10 < 2 else "4:2:0")


def make_found(folder, pool):
    target = os.path.join(folder, "logos")
    os.makedirs(target)
    with tempfile.TemporaryDirectory(prefix="emblem-found-") as scratch:
        subprocess.run(
            ["apt-get", "download", "-qq", "-o", "APT::Sandbox::User=root", *PACKAGES],
            cwd=scratch, check=True, stdout=sys.stderr)
        for name in sorted(os.listdir(scratch)):
            subprocess.run(["dpkg-deb", "-x", name, "."], cwd=scratch, check=True)
        pictures = survey(scratch)
        photos = [entry for entry in pictures if entry[1].endswith(".jpg")]
        drawn = [entry for entry in pictures if entry[1].endswith(".png")]
        chosen, least = [], 32
        for most, count in PNG_CLASSES:
            chosen += [("png", entry) for entry in take(drawn, count, least, most)]
            least = most + 1
        chosen += [("webp", entry) for entry in take(drawn, WEBPS, 512, 4_000)]
        chosen += [("jpg", entry) for entry in photos + take(drawn, JPEGS - len(photos), 256, 2_000)]
        # The kinds are mixed, so that the first hundred images are representative of the set.
        chosen.sort(key=lambda entry: hashed(f"place {entry[1][0]}"))
        jobs = []
        for number, (kind, (relative, whole, _)) in enumerate(chosen):
            stem = os.path.splitext(os.path.basename(relative))[0]
            plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in stem)[:40]
            jobs.append((kind, whole, f"{target}/{number:04}-{plain}.{kind}", hashed(relative)))
        pool.map(convert, jobs, chunksize=4)


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in (*SETS, "as-found"):
        sys.exit(__doc__)
    kind, folder = sys.argv[1:]
    stamp = os.path.join(folder, "dataset.json")
    if os.path.exists(stamp):
        print(f"{folder} already has this set; remove it to make it again.", file=sys.stderr)
        return
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    with multiprocessing.Pool(2) as pool:
        if kind == "as-found":
            make_found(folder, pool)
        else:
            rows = make_drawn(folder, SETS[kind], pool)
            if kind == "sample":
                write_list(folder, rows)
    # Written last, because it marks the set as complete.
    with open(stamp, "w", encoding="utf-8") as file:
        json.dump({"set": kind, "Pillow": Image.__version__}, file)


if __name__ == "__main__":
    main()
