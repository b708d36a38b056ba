#!/usr/bin/env python3
"""A checker of all links of the documentation: links.py pages FILE...

Pages, anchors, images and files must exist; DocC checks the links inside its catalogue a second time.
For links to other machines, only the syntax of the URL is checked, without a request. Prints each
broken link, and exits with 1 if there is one.
"""

import pathlib
import re
import sys
import urllib.parse

ADDRESS = re.compile(r"https?://[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?(/[^\s<>]*)?(#\S*)?$", re.I)


def is_outward(link):
    return bool(re.match(r"[a-z][a-z0-9+.-]*:", link, re.I))


def without_code(text):
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", "", text)


def slugs(path):
    """Returns the anchors that repository hosts generate for headings."""
    found = {}
    text = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.M | re.S)
    for heading in re.findall(r"^#{1,6} +(.+?) *#*$", text, flags=re.M):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        found[slug] = found.get(slug, -1) + 1
    return {slug if n == 0 else f"{slug}-{n}" for slug, last in found.items() for n in range(last + 1)}


def follow(path):
    """Returns the number of links of a Markdown file, and messages for broken links."""
    text = without_code(path.read_text())
    links = re.findall(r"\]\(<?([^)\s>]+)>?(?: \"[^\"]*\")?\)", text)
    links += re.findall(r"^\[[^\]]+\]: +(\S+)", text, flags=re.M)
    pages = [f"{name}.md" for name in re.findall(r"<doc:(\w+)[^>]*>", text)]
    faults = []
    in_catalog = any(part.endswith(".docc") for part in path.parts)
    for link in links:
        if is_outward(link):
            if not link.startswith("mailto:") and not ADDRESS.match(link):
                faults.append(f"{path}: not a valid URL: {link}")
            continue
        name, _, anchor = link.partition("#")
        target = path.parent / urllib.parse.unquote(name) if name else path
        if in_catalog and "/" not in link and not target.exists():
            continue  # DocC finds images by their name.
        if not target.exists():
            faults.append(f"{path}: no such file: {link}")
        elif anchor and target.suffix == ".md" and anchor not in slugs(target):
            faults.append(f"{path}: no such heading: {link}")
    for page in pages:
        made = page in ("Commands.md", "Manifest.md", "RunRecord.md", "ThemeTokens.md")
        if not (made or (path.parent / page).exists() or (path.parent / page[:-3]).exists()):
            faults.append(f"{path}: no such page: {page}")
    return len(links) + len(pages), faults


def main():
    if len(sys.argv) < 3 or sys.argv[1] != "pages":
        sys.exit(__doc__)
    answers = [follow(pathlib.Path(name)) for name in sys.argv[2:]]
    faults = [fault for _, found in answers for fault in found]
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(answers)} pages, {sum(links for links, _ in answers)} links, {len(faults)} broken")
    sys.exit(1 if faults else 0)


main()
