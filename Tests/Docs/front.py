#!/usr/bin/env python3
"""A script that writes the front page of a site made by DocC: front.py FOLDER.

DocC's page at the root has no links to the documentation. This page lists the articles with the groups
and summaries of the library's page, and links to the reference.
"""

import html
import json
import pathlib
import sys

STYLE = """
:root { color-scheme: light dark; --ink: #1d1d1f; --soft: #6e6e73; --line: #d2d2d7; --link: #0066cc;
    --page: #ffffff; --card: #f5f5f7; }
@media (prefers-color-scheme: dark) { :root { --ink: #f5f5f7; --soft: #a1a1a6; --line: #424245;
    --link: #2997ff; --page: #000000; --card: #1d1d1f; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink);
    font: 17px/1.47 -apple-system, "Inter", "Segoe UI", "DejaVu Sans", sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 48px 22px 64px; }
h1 { font-size: 44px; line-height: 1.1; margin: 0 0 12px; }
h2 { font-size: 24px; line-height: 1.2; margin: 48px 0 16px; }
p { margin: 0 0 16px; max-width: 44em; }
.lead { font-size: 21px; color: var(--soft); }
figure { margin: 24px 0; aspect-ratio: 1600 / 440; overflow: hidden; border-radius: 12px; }
figure img { display: block; width: 100%; }
pre { background: var(--card); border-radius: 12px; padding: 16px 20px; white-space: pre-wrap;
    font: 14px/1.5 "DejaVu Sans Mono", ui-monospace, monospace; }
ul { list-style: none; margin: 0; padding: 0; display: grid; gap: 14px;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 300px), 1fr)); }
li { background: var(--card); border-radius: 12px; padding: 16px 20px; }
li p { margin: 4px 0 0; color: var(--soft); font-size: 15px; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
footer { border-top: 1px solid var(--line); margin-top: 48px; padding-top: 16px; color: var(--soft); }
@media (max-width: 600px) { main { padding-top: 28px; } h1 { font-size: 34px; } .lead { font-size: 19px; } }
"""


def plain_text(content):
    """Returns the text of inline content without markup."""
    return "".join(
        piece.get("text") or piece.get("code") or plain_text(piece.get("inlineContent", []))
        for piece in content)


def link(url):
    return html.escape(url.lstrip("/"))


def card(reference):
    title = html.escape(reference["title"])
    abstract = html.escape(plain_text(reference.get("abstract", [])))
    return f'<li><a href="{link(reference["url"])}/">{title}</a><p>{abstract}</p></li>'


def main(folder):
    page = json.loads((folder / "data/documentation/emblemkit.json").read_text())
    known = page["references"]
    groups = []
    for section in page["topicSections"]:
        if section.get("generated"):
            sys.exit(f"front.py: add these to a group of the library's page: {section['identifiers']}")
        topics = [known[name] for name in section["identifiers"]]
        articles = [topic for topic in topics if topic.get("role") != "symbol"]
        if articles:
            groups.append((section["title"], articles))
    if sum(len(articles) for _, articles in groups) < 10:
        sys.exit("front.py: the library's page has fewer than 10 articles")
    title = page["metadata"]["title"]
    pictures = {name: known[name] for name in known if known[name].get("type") == "image"}
    banner = next(picture for name, picture in pictures.items() if name.startswith("emblems"))
    body = "".join(
        f"<h2>{html.escape(name)}</h2>\n<ul>\n" + "\n".join(map(card, articles)) + "\n</ul>\n"
        for name, articles in groups)
    (folder / "index.html").write_text(f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>emblem</title>
<meta name="description" content="Turns lists of images into finished emblems.">
<link rel="icon" href="favicon.ico">
<style>{STYLE}</style>
</head>
<body>
<main>
<h1>emblem</h1>
<p class="lead">Turns long lists of logos, icons and portraits into finished emblems: four sizes, a
themed background, rounded corners, a placeholder for each image that fails, and a record of the run. A
command-line tool for Linux, and a library for Swift.</p>
<figure><img src="{link(banner['variants'][0]['url'])}" alt="{html.escape(banner.get('alt', ''))}"></figure>
<pre>emblem batch logos/ -o out --look logos
emblem batch --list merchants.csv -o out --report</pre>
{body}
<h2>Reference</h2>
<ul>
<li><a href="documentation/emblemkit/">{html.escape(title)}</a><p>Every type of the library, with a
navigator for all pages.</p></li>
</ul>
<footer>The tool draws the images of these pages, and the page of commands is generated from it.</footer>
</main>
</body>
</html>
""")


main(pathlib.Path(sys.argv[1]))
