"""Says of each document of standard input whether it is XML, by expat.

Documents come with their length before them, in four bytes, the first the highest. For each a
letter is printed: S where its root is that of an SVG, X where it is another, - where it is no XML.
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
