#!/usr/bin/env python3
"""Lists the texts that the tool shows to its users, and checks how they are written.

    Tests/messages.py                    a table: file and line, kind, text
    Tests/messages.py --check            the texts that break a rule; status 1 if there are any
    Tests/messages.py --check FOLDER     the same for the Swift files below a folder

A text is a string literal of at least three words; `{}` stands for an interpolation. Literals that
hold markup, code or paths are left out.
"""
import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Calls whose texts are for developers.
PRIVATE = re.compile(r"\b(?:precondition|preconditionFailure|fatalError)\([^()]*(?:\([^()]*\)[^()]*)*$")
# Markup, code, paths and names of tokens.
CODE = re.compile(r"[<>]|\$(?!value|extends)|::|\bvar\(|\{ |base64|/proc/|/usr/|__|^[\w./-]+$|^\w+[./]\w+[./]|^\S*[a-z]_[a-z]+_\S*$")

# Words that a reader has to decode.
ODD = re.compile(
    r"\b(anew|beside|shall|whoever|whatever|whichever|nobody|somebody|no picture|"
    r"c[ao]mes? of|what stands|stands? (?:there|in|for|already|alone|behind)|tells? of|told of|"
    r"(?:is|are|to) be had|go(?:es)? on|taken over|takes? (?:away|over)|laid over|read over|"
    r"of (?:ours|theirs|its own|their own)|by itself|in doubt|meanwhile|(?<!there )(?:is|are) no (?!longer)|"
    r"there and then|at the least|say --|mend|leads? elsewhere)\b",
    re.IGNORECASE,
)
CHARACTERS = 200

# The first word of a text that says what to do next.
VERBS = set(
    "Add Allow Check Choose Correct Create Did Draw Give Install Name Put Redirect Remove Rename Repeat "
    "Replace Save Start Type Use Wait Write".split()
)


def interpolation_end(text, at):
    """The position behind the parenthesis that closes an interpolation."""
    depth = 1
    while depth and at < len(text):
        if text[at] == '"':
            at = read_literal(text, at)[1]
            continue
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return at


def read_literal(text, at):
    """The content of the literal at a quotation mark, the position behind it, and its interpolations."""
    mark = '"""' if text.startswith('"""', at) else '"'
    at += len(mark)
    content, inner = "", []
    while at < len(text) and not text.startswith(mark, at):
        if text[at] != "\\":
            content += text[at]
            at += 1
            if content[-1] == "\n":
                at += len(re.compile(r"[ \t]*").match(text, at)[0])
        elif text[at + 1] == "(":
            end = interpolation_end(text, at + 2)
            inner.append(text[at:end])
            content += "{}"
            at = end
        else:
            content += {"n": "\n", "t": "\t", "\n": ""}.get(text[at + 1], text[at + 1])
            at += 2
            if text[at - 1] == "\n":
                at += len(re.compile(r"[ \t]*").match(text, at)[0])
    return content.strip("\n") if len(mark) == 3 else content, at + len(mark), inner


def literals(text):
    """The line, the code in front and the content of each literal; literals joined by + are one."""
    at, code = 0, ""
    while at < len(text):
        if text.startswith("//", at):
            at = text.find("\n", at) if "\n" in text[at:] else len(text)
        elif text[at] != '"':
            code += text[at]
            at += 1
        else:
            line = text.count("\n", 0, at) + 1
            content, at, inner = read_literal(text, at)
            while more := re.compile(r'\s*\+\s*(?=")').match(text, at):
                rest, at, others = read_literal(text, more.end())
                content, inner = content + rest, inner + others
            yield line, code, content
            for part in inner:
                for _, before, words in literals(part[1:]):
                    yield line, code[-40:] + before, words
            code = code[-400:] + '""'


def kind(code):
    """What a literal is for, by the code in front of it."""
    if re.search(r"\b(help|discussion|summary|described|inWords):\s*$", code):
        return "help"
    if re.search(r'\b(?:remedy|fallback):(?:[^"]*\?)?\s*$', code):
        return "remedy"
    return "message"


def texts(folder):
    for path in sorted(folder.rglob("*.swift")):
        if ".docc/" in str(path):
            continue
        name = str(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path)
        for line, code, text in literals(path.read_text(encoding="utf-8")):
            words = re.findall(r"[A-Za-z][A-Za-z'’-]*", text.replace("{}", ""))
            if len(words) >= (1 if kind(code) == "remedy" else 3) and not CODE.search(text) and not PRIVATE.search(code[-300:]):
                yield name, line, kind(code), text


def fault(what, text):
    """The rule that a text breaks, or None."""
    if odd := ODD.search(text):
        return f"odd wording '{odd[0]}'"
    if what != "help" and len(text) > CHARACTERS and text.count("\n") < 4:
        return f"{len(text)} characters"
    if re.match("It (?!seems)", text):
        return "no subject"
    if what == "remedy" and text[0].isalpha() and text.split()[0] not in VERBS:
        return f"'{text.split()[0]}' is not a verb of a remedy"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="print only texts that break a rule")
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT / "Sources")
    arguments = parser.parse_args()
    found = 0
    for name, line, what, text in texts(arguments.folder):
        if not arguments.check:
            print(f"{name}:{line}\t{what}\t{text!r}")
        elif why := fault(what, text):
            found += 1
            print(f"{name}:{line}: {why}: {text!r}")
    sys.exit(found > 0)


main()
