#!/usr/bin/env python3
"""A script that counts SVG and CSS constructs in the drawings of packages.

Each argument is a package: an archive (.deb, .whl, .zip, .tar.*) or a folder. Symbolic links are
skipped, and drawings with equal bytes count once over all packages. `--most` limits the documents
per package, so that one large icon theme does not dominate; the documents are chosen by their
SHA-256. `--copy` also writes the counted documents to a folder.

    apt-get download breeze-icon-theme openclipart-svg
    Benchmarks/svg-census.py --most 1500 --json census.json *.deb > census.md

The counts come from regular expressions over text without comments, not from a parser.
"""

import argparse
import collections
import gzip
import hashlib
import io
import json
import os
import re
import subprocess
import tarfile
import zipfile

BYTES_LIMIT = 10 << 20
SUFFIXES = (".svg", ".svgz", ".svg.gz")

SYSTEM_COLORS = """accentcolor accentcolortext activetext buttonborder buttonface buttontext canvas canvastext
    field fieldtext graytext highlight highlighttext linktext mark marktext selecteditem selecteditemtext
    visitedtext activeborder activecaption appworkspace background buttonhighlight buttonshadow captiontext
    inactiveborder inactivecaption inactivecaptiontext infobackground infotext menu menutext scrollbar
    threeddarkshadow threedface threedhighlight threedlightshadow threedshadow window windowframe
    windowtext""".split()
NOT_NAMES = {"none", "inherit", "currentcolor", "transparent", "initial", "unset"}
PAINT = re.compile(r"(?:fill|stroke|stop-color|flood-color|lighting-color|(?<![-\w])color)\s*(?::|=\s*[\"'])\s*"
                   r"([a-zA-Z]+)(?=\s*[;\"'!}])")
ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9:/?#\[\]@!$&'()*+,;=._~%-]*$")
BUILT_IN = ("utf-8", "utf8", "us-ascii", "ascii")


def elements(*names):
    """Returns a pattern for start tags with one of these names and any namespace prefix."""
    return re.compile(r"<(?:[\w.-]+:)?(?:%s)(?=[\s/>])" % "|".join(names))


# The patterns that are searched for in the whole document.
ANYWHERE = {
    "var()": re.compile(r"\bvar\(\s*--", re.I),
    "custom property defined": re.compile(r"(?:[;{\"'\s])--[\w-]+\s*:"),
    "oklab() or oklch()": re.compile(r"\bokl(?:ab|ch)\(", re.I),
    "lab() or lch()": re.compile(r"(?<![\w-])l(?:ab|ch)\(", re.I),
    "hwb()": re.compile(r"(?<![\w-])hwb\(", re.I),
    "color()": re.compile(r"(?<![\w-])color\(\s*[a-z]", re.I),
    "color-mix()": re.compile(r"\bcolor-mix\(", re.I),
    "light-dark()": re.compile(r"\blight-dark\(", re.I),
    "relative colour (from)": re.compile(r"\(\s*from\s", re.I),
    "rgb() without commas": re.compile(r"\brgba?\(\s*[\d.]+%?\s+[\d.]", re.I),
    "rgba() or hsl()": re.compile(r"\b(?:rgba|hsla?)\(", re.I),
    "hexadecimal colour with alpha": re.compile(r":\s*#(?:[0-9a-f]{8}|[0-9a-f]{4})(?![0-9a-f])", re.I),
    "currentColor": re.compile(r"\bcurrentcolor\b", re.I),
    "context-fill or context-stroke": re.compile(r"\bcontext-(?:fill|stroke)\b"),
    "prefers-color-scheme": re.compile(r"prefers-color-scheme", re.I),
    "calc(), min(), max(), clamp()": re.compile(r"(?<![\w-])(?:calc|min|max|clamp)\(", re.I),
    "clip-path of a basic shape": re.compile(r"clip-path\s*[:=]\s*[\"']?\s*(?:circle|ellipse|inset|polygon|path)\("),
    "mask of an image or gradient": re.compile(r"mask(?:-image)?\s*:\s*(?:url\([^)]*\)\s*[^;\"'}\s]|[\w-]*gradient)"),
    "filter functions": re.compile(r"(?<![\w-])filter\s*[:=]\s*[\"']?\s*(?:blur|brightness|contrast|drop-shadow|"
                                   r"grayscale|hue-rotate|invert|opacity|saturate|sepia)\("),
    "mix-blend-mode or isolation": re.compile(r"mix-blend-mode\s*:|(?<![\w-])isolation\s*:"),
    "transform-origin": re.compile(r"transform-origin\s*[:=]"),
    "transform as a property": re.compile(r"(?<![\w-])transform\s*:"),
    "rotate, scale, translate as properties": re.compile(r"[;{\"'\s](?:rotate|scale|translate)\s*:\s*[^;]"),
    "paint-order": re.compile(r"paint-order\s*[:=]"),
    "opacity": re.compile(r"(?<![\w-])opacity\s*[:=]"),
    "font-size or font": re.compile(r"(?<![\w-])font(?:-size)?\s*[:=]"),
    "feDropShadow": elements("feDropShadow"),
    "filter": elements("filter"),
    "feGaussianBlur": elements("feGaussianBlur"),
    "feImage": elements("feImage"),
    "feConvolveMatrix": elements("feConvolveMatrix"),
    "BackgroundImage": re.compile(r"\bBackground(?:Image|Alpha)\b"),
    "gradient": elements("linearGradient", "radialGradient"),
    "gradientTransform": re.compile(r"gradientTransform\s*="),
    "pattern": elements("pattern"),
    "marker": elements("marker"),
    "mask": elements("mask"),
    "clipPath": elements("clipPath"),
    "use": elements("use"),
    "symbol": elements("symbol"),
    "symbol with a transform": re.compile(r"<(?:\w+:)?symbol\s[^>]*\btransform\s*="),
    "text": elements("text"),
    "textPath": elements("textPath"),
    "flowRoot": elements("flowRoot"),
    "foreignObject": elements("foreignObject"),
    "switch": elements("switch"),
    "image": elements("image"),
    "image of data:image/png": re.compile(r"href\s*=\s*[\"']\s*data:image/png", re.I),
    "image of data:image/jpeg": re.compile(r"href\s*=\s*[\"']\s*data:image/jpe?g", re.I),
    "image of data:, other": re.compile(r"href\s*=\s*[\"']\s*data:(?!image/(?:png|jpe?g))", re.I),
    "image of a file or address": re.compile(r"<(?:\w+:)?image\s[^>]*href\s*=\s*[\"'](?!\s*(?:data:|#))[^\"']", re.I),
    "animation": elements("animate", "animateTransform", "animateMotion", "animateColor", "set"),
    "script": elements("script"),
    "style element": elements("style"),
    "style attribute": re.compile(r"\sstyle\s*=\s*[\"']"),
    "data-template": re.compile(r"\sdata-template\s*="),
    "xml-stylesheet": re.compile(r"<\?xml-stylesheet"),
    "XInclude": re.compile(r"<(?:\w+:)?include\s"),
    "CDATA": re.compile(r"<!\[CDATA\["),
    "document type": re.compile(r"<!DOCTYPE"),
    "internal subset": re.compile(r"<!DOCTYPE[^>\[]*\["),
    "entity declared": re.compile(r"<!ENTITY\s"),
    "attribute default declared": re.compile(r"<!ATTLIST\s"),
}
# The patterns that are searched for in style sheets without comments.
IN_SHEETS = {
    "@media": re.compile(r"@media"),
    "@media (color scheme)": re.compile(r"@media[^{]*prefers-color-scheme"),
    "@layer": re.compile(r"@layer"),
    "@supports": re.compile(r"@supports"),
    "@container": re.compile(r"@container"),
    "@import": re.compile(r"@import"),
    "@font-face": re.compile(r"@font-face"),
    "@keyframes": re.compile(r"@(?:-\w+-)?keyframes"),
    "!important": re.compile(r"!\s*important"),
}
# The patterns that are searched for in the selectors of rules.
IN_SELECTORS = {
    "selector: type": re.compile(r"(?:^|[\s,>+~;])[a-zA-Z]\w*"),
    "selector: class": re.compile(r"\.[\w-]"),
    "selector: several classes": re.compile(r"\.[\w-]+\.[\w-]"),
    "selector: id": re.compile(r"#[\w-]"),
    "selector: *": re.compile(r"\*"),
    "selector: list": re.compile(r","),
    "selector: descendant": re.compile(r"[\w\])*-]\s+[\w.#*:\[]"),
    "selector: child or sibling": re.compile(r"[>+~]"),
    "selector: attribute": re.compile(r"\["),
    "selector: :root": re.compile(r":root\b"),
    "selector: :hover and the like": re.compile(r":(?:hover|focus|active)\b"),
    "selector: :is, :where, :has": re.compile(r":(?:is|where|has)\("),
    "selector: :not": re.compile(r":not\("),
    "selector: :nth and the like": re.compile(r":(?:nth|first|last|only)-"),
}
COMMENT = re.compile(r"<!--.*?-->", re.S)
SHEET = re.compile(r"<(?:[\w.-]+:)?style(?:\s[^>]*)?(?<!/)>(.*?)</(?:[\w.-]+:)?style\s*>", re.S)
CSS_COMMENT = re.compile(r"/\*.*?\*/|<!\[CDATA\[|\]\]>|<!--|-->", re.S)
CLIP = re.compile(r"<(?:\w+:)?clipPath(\s[^>]*)?(?<!/)>(.*?)</(?:\w+:)?clipPath\s*>", re.S)
ENCODING = re.compile(r"<\?xml[^>]*encoding\s*=\s*[\"']([^\"']*)")
ROOT = re.compile(r"<(?:[\w.-]+:)?svg(\s[^>]*)?>", re.S)
NAMESPACE = re.compile(r"\sxmlns(?::[\w.-]+)?\s*=\s*[\"']([^\"']*)")


def decoded(data):
    """Returns the text of a document, and its encoding if it is not UTF-8."""
    for mark, name in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"<\0", "utf-16-le"), (b"\0<", "utf-16-be")):
        if data.startswith(mark):
            return data.decode(name, "replace"), "UTF-16"
    named = ENCODING.search(data[:1024].decode("latin-1"))
    name = named[1].lower() if named else "utf-8"
    try:
        return data.decode(name, "replace"), None if name in BUILT_IN else name
    except LookupError:
        return data.decode("latin-1"), name


def split_rules(sheet):
    """Returns the selectors of the rules of a sheet, and whether a rule is nested in another rule."""
    selectors, nested, stack, start = [], False, [], 0
    for match in re.finditer(r"[{};]", sheet):
        sign, head = match[0], sheet[start:match.start()].strip()
        start = match.end()
        if sign == "{":
            if not head.startswith("@"):
                selectors.append(head)
                nested = nested or any(not outer.startswith("@") for outer in stack)
            stack.append(head)
        elif sign == "}" and stack:
            stack.pop()
    return selectors, nested


def found(data):
    """Returns the constructs that a document contains."""
    text, encoding = decoded(data)
    held = set()
    if encoding:
        held.add("encoding: UTF-16" if encoding == "UTF-16" else "encoding: 8 bits or East Asian")
    text = COMMENT.sub("", text)
    held.update(name for name, pattern in ANYWHERE.items() if pattern.search(text))
    sheets = CSS_COMMENT.sub("", "\n".join(SHEET.findall(text)))
    held.update(name for name, pattern in IN_SHEETS.items() if pattern.search(sheets))
    selectors, nested = split_rules(sheets)
    if nested:
        held.add("nested rules")
    heads = ";".join(selectors)
    held.update(name for name, pattern in IN_SELECTORS.items() if pattern.search(heads))
    names = {name.lower() for name in PAINT.findall(text)} - NOT_NAMES
    if names & set(SYSTEM_COLORS):
        held.add("system colour")
    if names - set(SYSTEM_COLORS):
        held.add("named colour")
    for attributes, inside in CLIP.findall(text):
        if re.search(r"clip-rule\s*[:=]\s*[\"']?\s*evenodd", inside):
            held.add("clip path with even-odd")
            if len(re.findall(r"<[a-zA-Z]", inside)) > 1:
                held.add("clip path with even-odd, several children")
        if "objectBoundingBox" in attributes:
            held.add("clip path in bounding box units")
    if "var()" in held and "custom property defined" not in held:
        held.add("var() without a definition")
    if "encoding: 8 bits or East Asian" in held and encoding not in ("iso-8859-1", "latin1"):
        held.add("encoding: needs a table")
    root = ROOT.search(text)
    if root and root[1]:
        if re.search(r"\stransform\s*=", root[1]):
            held.add("root with a transform")
        if re.search(r"style\s*=\s*[\"'][^\"']*(?<![-\w])background(?:-color)?\s*:", root[1]):
            held.add("root with a background")
    if any(value and not ABSOLUTE.match(value) and "&" not in value for value in NAMESPACE.findall(text)):
        held.add("namespace that is not a URL")
    return held


def unpacked(data):
    """Returns the document in a file; None if it is too long or not a drawing."""
    if data[:2] == b"\x1f\x8b":
        try:
            data = gzip.GzipFile(fileobj=io.BytesIO(data)).read(BYTES_LIMIT + 1)
        except (OSError, EOFError):
            return None
    plain = data.replace(b"\0", b"") if data[:64].count(0) > 8 else data
    return data if len(data) <= BYTES_LIMIT and b"svg" in plain else None


def files(path):
    """Yields the drawings in a folder or an archive; skips symbolic links."""
    if os.path.isdir(path):
        for folder, _, names in os.walk(path):
            for name in names:
                full = os.path.join(folder, name)
                if name.lower().endswith(SUFFIXES) and not os.path.islink(full):
                    with open(full, "rb") as file:
                        yield file.read(BYTES_LIMIT + 1)
    elif zipfile.is_zipfile(path):
        yield from zipped(path)
    else:
        process = None
        if path.endswith(".deb"):
            process = subprocess.Popen(["dpkg", "--fsys-tarfile", path], stdout=subprocess.PIPE)
            archive = tarfile.open(fileobj=process.stdout, mode="r|")
        else:
            archive = tarfile.open(path)
        with archive:
            for entry in archive:
                name = entry.name.lower()
                if not entry.isreg() or entry.size > (64 << 20):
                    continue
                if name.endswith(SUFFIXES):
                    yield archive.extractfile(entry).read(BYTES_LIMIT + 1)
                elif name.endswith(".zip"):
                    data = io.BytesIO(archive.extractfile(entry).read())
                    if zipfile.is_zipfile(data):
                        yield from zipped(data)
        if process:
            process.stdout.close()
            process.wait()


def zipped(path):
    """Yields the drawings in a zip archive, which can be inside a package."""
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist():
            if entry.filename.lower().endswith(SUFFIXES) and entry.file_size <= BYTES_LIMIT:
                yield archive.read(entry)


def package_name(path):
    """Returns the name of a package without its version."""
    name = os.path.basename(path.rstrip("/"))
    return name.split("_")[0] if name.endswith(".deb") else re.split(r"-\d", name)[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="+")
    parser.add_argument("--most", type=int, default=1 << 30, help="maximum number of documents per package")
    parser.add_argument("--copy", help="folder for the counted documents")
    parser.add_argument("--json", help="file for the constructs of each document")
    arguments = parser.parse_args()
    seen, by_package, documents = set(), {}, {}
    for path in sorted(arguments.packages, key=os.path.basename):
        package = package_name(path)
        own = {}
        for data in map(unpacked, files(path)):
            digest = data and hashlib.sha256(data).hexdigest()
            if data and digest not in seen:
                seen.add(digest)
                own[digest] = data
        chosen = sorted(own)[:arguments.most]
        counts = by_package.setdefault(package, collections.Counter())
        counts.update(documents=len(chosen), distinct=len(own))
        for digest in chosen:
            held = found(own[digest])
            counts.update(held)
            documents[digest] = {"package": package, "holds": sorted(held)}
            if arguments.copy:
                os.makedirs(arguments.copy, exist_ok=True)
                with open(os.path.join(arguments.copy, digest[:16] + ".svg"), "wb") as file:
                    file.write(own[digest])
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(documents, file, indent=0, sort_keys=True)
    write_tables(by_package)


def write_tables(by_package):
    by_package = {name: counts for name, counts in by_package.items() if counts["documents"]}
    total = sum(by_package.values(), collections.Counter())
    print("%d documents of %d packages (%d distinct ones are in them).\n" % (
        total["documents"], len(by_package), total["distinct"]))
    print("| construct | documents | per 1,000 | packages | most in |\n|---|--:|--:|--:|---|")
    names = set(total) - {"documents", "distinct"}
    for name in sorted(set(ANYWHERE) | set(IN_SHEETS) | set(IN_SELECTORS) | names, key=lambda name: (-total[name], name)):
        holders = sorted((package for package in by_package if by_package[package][name]),
                         key=lambda package: -by_package[package][name])
        print("| %s | %d | %.2f | %d | %s |" % (
            name, total[name], 1000 * total[name] / total["documents"], len(holders),
            ", ".join("%s %d" % (package, by_package[package][name]) for package in holders[:5])))
    print("\n| package | distinct | counted |\n|---|--:|--:|")
    for package, counts in sorted(by_package.items(), key=lambda pair: -pair[1]["documents"]):
        print("| %s | %d | %d |" % (package, counts["distinct"], counts["documents"]))


if __name__ == "__main__":
    main()
