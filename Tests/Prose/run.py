#!/usr/bin/env python3
"""Counts wording that is hard to read, and holds the counts under limits that may only fall.

    run.py              compares the counts with limits.txt and fails when one of them is higher
    run.py --update     lowers the limits to the counts; without limits.txt it writes a new one
    run.py --list KIND [PATH...]    prints the places: comments, pages, messages or tests

A place is a line with an archaic or vague word, or a text that begins without a subject. Where a count rose,
the places that are new since the last change of limits.txt are printed.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIMITS = Path(__file__).resolve().parent / "limits.txt"
KINDS = ("comments", "pages", "messages", "tests")
# Texts that are data, or a record of a day.
SKIPPED = re.compile(
    r"^(Benchmarks/Records|Datasets/generated|Tests/Fixtures|Tests/Golden|Tests/Prose)/|^LICENSE")

WORDS = re.compile(
    r"\b(?:nobody|somebody|whoever|whomever|whatever|whichever|anew|beside|shall|hereby|thereof|whence|thereby|"
    r"what (?:came|comes|becomes|became) of|(?:came|comes|come) of it|comes? to its end|there and then|"
    r"tells? of|told of|to be had|be had|such a one|so many|as many as there|of (?:ours|theirs|somebody)|"
    r"in (?:doubt|company)|in (?:its|their|his) place|(?:on|in) the way|at the least|may not|under way|"
    r"lets? go of|(?:held|hold|holds) against|laid over|goes on|go on|went on|"
    r"stands? (?:there|already|alone|in for|for|as it|in the|beside|below|behind)|"
    r"the ones? that|by itself|(?:of|on) (?:its|their) own)\b",
    re.IGNORECASE)
# The first word of a comment that has no subject of its own.
OPENING = re.compile(
    r"(?:What|Who|Whose|Whom|Nobody|The same|Those|That which|Of|By|As|Where|How|It|They|Such|In its|nil where)\b")
# The first word of a title that only goes on where the title of its suite ends.
TITLE_OPENING = re.compile(
    r"(?:is|are|was|were|has|have|may|can|must|does|do|that|which|whose|who|of|in|on|by|with|without|from|to|"
    r"and|or|but|as|at|into|beyond|where|while|after|before|beside|under)\b")

LINE_MARKS = {".swift": "//", ".c": "//", ".h": "//", ".py": "#", ".sh": "#", ".yml": "#"}
TITLE = re.compile(r'@(?:Test|Suite)\(\s*"((?:[^"\\]|\\.)*)"')
# A literal of several words in one line is a text for people.
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*? (?:[^"\\]|\\.)*? (?:[^"\\]|\\.)*)"')


def is_hit(text, opening=None):
    return bool(WORDS.search(text) or opening and opening.match(text))


def page_hits(lines):
    is_code = False
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("```"):
            is_code = not is_code
        elif not is_code and is_hit(line):
            yield number, "pages", line


def title_hits(text):
    for match in TITLE.finditer(text):
        opening = TITLE_OPENING if match[0].startswith("@Test") else None
        if is_hit(match[1], opening):
            yield text.count("\n", 0, match.start(1)) + 1, "tests", match[1]


def code_hits(path, lines):
    mark = LINE_MARKS[path.suffix]
    has_messages = path.parts[0] == "Sources" and path.suffix in (".swift", ".py")
    in_docstring = was_comment = False
    for number, line in enumerate(lines, 1):
        bare = line.strip()
        quotes = bare.count('"""') if path.suffix == ".py" else 0
        is_comment = in_docstring or quotes > 0 or bare.startswith((mark, "/*", "* "))
        if is_comment and not bare.startswith("#!"):
            words = re.sub(r'^(?:///?|/?\*+|#+|""")\s?', "", bare)
            if is_hit(words, None if was_comment else OPENING):
                yield number, "comments", words
        elif has_messages:
            for match in LITERAL.finditer(line):
                if is_hit(match[1]):
                    yield number, "messages", match[1]
        if quotes % 2 == 1:
            in_docstring = not in_docstring
        was_comment = is_comment


def files():
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
        capture_output=True, text=True).stdout
    return sorted({name for name in listed.split("\0") if name and not SKIPPED.search(name)
                   and (ROOT / name).is_file()})


def hits():
    """Path, line, kind and text of each place."""
    for name in files():
        path = Path(name)
        if path.suffix not in (".md", ".tutorial", *LINE_MARKS) and path.name != "Makefile":
            continue
        text = (ROOT / name).read_text(encoding="utf-8", errors="replace")
        lines = text.split("\n")
        if path.suffix in (".md", ".tutorial"):
            found = page_hits(lines)
        elif path.name == "Makefile":
            found = ((number, "messages", line) for number, line in enumerate(lines, 1)
                     if "#" in line and is_hit(line.split("#", 1)[1]))
        else:
            found = [*code_hits(path, lines), *(title_hits(text) if path.suffix == ".swift" else [])]
        for number, kind, words in found:
            yield name, number, kind, words.strip()


def new_lines():
    """The numbers of the lines of each file that are new since the last change of the limits."""
    def git(*words):
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True).stdout

    base = git("log", "-1", "--format=%H", "--", str(LIMITS)).strip() or "HEAD"
    lines, name = {}, None
    for line in git("diff", "-U0", "--no-color", base).split("\n"):
        if line.startswith("+++ "):
            name = line[6:]
        elif match := re.match(r"@@ \S+ \+(\d+)(?:,(\d+))? @@", line):
            first, count = int(match[1]), int(match[2] or 1)
            lines.setdefault(name, set()).update(range(first, first + count))
    return lines


def read_limits():
    if not LIMITS.exists():
        return None
    rows = (line.split() for line in LIMITS.read_text().splitlines() if not line.startswith("#"))
    return {kind: int(count) for kind, count in rows}


def write_limits(counts):
    head = "# The most places that each kind of text may have; Tests/Prose/run.py --update lowers them.\n"
    LIMITS.write_text(head + "".join(f"{kind} {counts[kind]}\n" for kind in KINDS))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--list", choices=KINDS, metavar="KIND")
    parser.add_argument("paths", nargs="*")
    chosen = parser.parse_args()
    found = list(hits())
    if chosen.list:
        for name, number, kind, words in found:
            if kind == chosen.list and name.startswith(tuple(chosen.paths) or ""):
                print(f"{name}:{number}: {words}")
        return 0
    counts = {kind: sum(1 for hit in found if hit[2] == kind) for kind in KINDS}
    limits = read_limits() or (counts if chosen.update else dict.fromkeys(KINDS, 0))
    risen = [kind for kind in KINDS if counts[kind] > limits[kind]]
    if risen:
        fresh = new_lines()
        for name, number, kind, words in found:
            if kind in risen and number in fresh.get(name, ()):
                print(f"{name}:{number}: {words}")
        for kind in risen:
            print(f"{kind}: {counts[kind]} places that are hard to read, and the limit is {limits[kind]}."
                  f" Rewrite them; Tests/Prose/run.py --list {kind} prints all.", file=sys.stderr)
        return 1
    if chosen.update:
        write_limits(counts)
    elif counts != limits:
        print("Fewer places are hard to read: lower the limits with Tests/Prose/run.py --update")
    return 0


if __name__ == "__main__":
    sys.exit(main())
