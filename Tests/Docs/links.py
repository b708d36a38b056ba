#!/usr/bin/env python3
"""A checker of all links of the documentation.

    links.py site FOLDER      checks a site made by DocC, with its front page
    links.py pages FILE...    checks Markdown files of the repository

Pages, anchors, images and files must exist. For links to other machines, only the syntax of the URL is
checked, without a request. Prints each broken link, and exits with 1 if there is one.
"""

import functools
import html.parser
import json
import pathlib
import re
import sys
import urllib.parse

ADDRESS = re.compile(r"https?://[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?(/[^\s<>]*)?(#\S*)?$", re.I)


def is_outward(link):
    return bool(re.match(r"[a-z][a-z0-9+.-]*:", link, re.I))


class Marks(html.parser.HTMLParser):
    """The links, images and anchors of an HTML page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name == "srcset" and value:
                self.links += [part.split()[0] for part in value.split(",")]
            elif name == "id":
                self.anchors.add(value)


class Site:
    """A site made by DocC, in which a page is a JSON file and an anchor is one of its headings."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.faults, self.count = [], 0

    @functools.lru_cache(maxsize=None)
    def page(self, url):
        path = self.root / "data" / (url.strip("/") + ".json")
        return json.loads(path.read_text()) if path.is_file() else None

    @functools.lru_cache(maxsize=None)
    def anchors(self, url):
        return {
            node["anchor"] for node in nodes(self.page(url))
            if isinstance(node.get("anchor"), str)}

    def check(self, source, link):
        self.count += 1
        if is_outward(link):
            if not ADDRESS.match(link):
                self.faults.append(f"{source}: not a valid URL: {link}")
            return
        path, _, anchor = link.partition("#")
        target = path.strip("/")
        page = self.page(target.lower())
        if page is None:
            if not (self.root / target).is_file():
                self.faults.append(f"{source}: no such page or file: {link}")
        elif not (self.root / target.lower() / "index.html").is_file():
            self.faults.append(f"{source}: the page has no index.html: {link}")
        elif anchor and urllib.parse.unquote(anchor) not in self.anchors(target.lower()):
            self.faults.append(f"{source}: no such heading: {link}")

    def walk(self):
        pages = sorted((self.root / "data").rglob("*.json"))
        for path in pages:
            name = str(path.relative_to(self.root / "data"))
            data = json.loads(path.read_text())
            known = data.get("references", {})
            # Chapters of a tutorial are headings in its table of contents and have no page.
            chapters = {
                part.get("reference") for part in data.get("hierarchy", {}).get("modules", [])}
            for reference in known.values():
                if reference.get("identifier") in chapters:
                    continue
                if reference.get("type") in ("topic", "link", "section") and "url" in reference:
                    self.check(name, reference["url"])
                for variant in reference.get("variants", []):
                    self.check(name, variant["url"])
            for node in nodes({key: data[key] for key in data if key != "references"}):
                kind = node.get("type")
                if kind == "link" and "destination" in node:
                    self.check(name, node["destination"])
                wanted = node.get("identifier")
                if kind in ("reference", "image", "video") and isinstance(wanted, str):
                    if wanted not in known:
                        self.faults.append(f"{name}: unknown reference: {wanted}")
        front = Marks((self.root / "index.html").read_text())
        for link in front.links:
            if link.startswith("#"):
                if link[1:] not in front.anchors:
                    self.faults.append(f"index.html: no such heading: {link}")
            else:
                self.check("index.html", link)
        return len(pages)


def nodes(value):
    """Yields every object inside a JSON value."""
    if isinstance(value, dict):
        yield value
        for part in value.values():
            yield from nodes(part)
    elif isinstance(value, list):
        for part in value:
            yield from nodes(part)


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
        made = page == "Commands.md"
        if not (made or (path.parent / page).exists() or (path.parent / page[:-3]).exists()
                or list(path.parent.rglob(page[:-3] + ".tutorial"))):
            faults.append(f"{path}: no such page: {page}")
    return len(links) + len(pages), faults


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "site":
        site = Site(sys.argv[2])
        pages = site.walk()
        count, faults = site.count, sorted(set(site.faults))
        if pages < 100 or count < 1000:
            faults.append(f"{sys.argv[2]} has only {pages} pages and {count} links; give the folder of the site")
    elif len(sys.argv) > 2 and sys.argv[1] == "pages":
        answers = [follow(pathlib.Path(name)) for name in sys.argv[2:]]
        pages = len(answers)
        count = sum(links for links, _ in answers)
        faults = [fault for _, found in answers for fault in found]
    else:
        sys.exit(__doc__)
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{pages} pages, {count} links, {len(faults)} broken")
    sys.exit(1 if faults else 0)


main()
