"""A checker that parses the documents in standard input with expat.

Each document follows its length in four bytes, in big-endian order. For each document one character
is printed: S if the root element is that of SVG, X for another root, and - if it is not well-formed XML.
"""

import sys
from xml.parsers import expat

SVG = "http://www.w3.org/2000/svg svg"


def verdict(document):
    roots = []
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = lambda name, attributes: roots.append(name)
    try:
        parser.Parse(document, True)
    except expat.ExpatError:
        return "-"
    return "S" if roots[0] == SVG else "X"


rest = sys.stdin.buffer.read()
while rest:
    end = 4 + int.from_bytes(rest[:4], "big")
    print(verdict(rest[4:end]), end="")
    rest = rest[end:]
