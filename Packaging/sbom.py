#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A script that writes the software bill of materials of a built tool (SPDX 2.3, JSON) to standard output.

    sbom.py PROGRAM [FILE]

The list contains the Debian packages, on the build machine, of the libraries that the program is linked with or opens,
and of their dependencies. The script compares them with the libraries that `PROGRAM formats` reports, and fails if they
differ. FILE is the program in the archive, if its bytes differ from PROGRAM; the digest is computed from it.
"""

import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parent.parent
LICENCE = "Apache-2.0"
# The parts of the toolchain that are linked into the program.
SWIFT_PARTS = {
    "swift-stdlib": "Apache-2.0 WITH Swift-exception",
    "swift-corelibs-libdispatch": "Apache-2.0 WITH Swift-exception",
}
SYSTEM = platform.freedesktop_os_release()
# Libraries whose Debian source package has a different name than the library in `formats`.
SOURCES = {
    "libpng": "libpng1.6",
    "libcurl": "curl",
    "pango": "pango1.0",
}
# Source packages of libraries that the program uses and `formats` omits: dependencies and runtimes.
COMPANIONS = {"freetype", "gdk-pixbuf", "glib2.0", "harfbuzz", "libidn2", "gcc-12", "glibc"}


def run(*words: str) -> str:
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


@dataclass
class Library:
    """A shared library with its Debian package."""

    soname: str
    package: str
    version: str
    source: str
    upstream: str
    architecture: str


def owners(paths: list[str]) -> dict[str, str]:
    """Returns the package of each file.

    dpkg records the real path, or the path from before Debian merged /lib into /usr/lib.
    """
    candidates = {
        candidate: path
        for path in paths
        for real in (path, os.path.realpath(path))
        for candidate in (real, real.removeprefix("/usr"))
    }
    output = subprocess.run(["dpkg", "-S", *candidates], capture_output=True, text=True).stdout
    found = {}
    for line in output.splitlines():
        package, _, candidate = line.partition(": ")
        if candidate in candidates:
            found[candidates[candidate]] = package
    missing = set(paths) - found.keys()
    if missing:
        raise SystemExit(f"no installed package contains {', '.join(sorted(missing))}")
    return found


def libraries_of(paths: list[str]) -> list[Library]:
    packages = owners(paths)
    form = "${binary:Package} ${Version} ${source:Package} ${source:Upstream-Version} ${Architecture}\n"
    lines = run("dpkg-query", "-W", "-f", form, *set(packages.values())).splitlines()
    facts = {line.split()[0]: line.split()[1:] for line in lines}
    return [
        Library(Path(path).name, packages[path].split(":")[0], *facts[packages[path]])
        for path in paths
    ]


def files(mode: str, program: str) -> list[str]:
    return run(str(ROOT / "Packaging/libraries.sh"), mode, program).split()


def linked(program: str) -> set[str]:
    return set(re.findall(r"\(NEEDED\).*\[(.+)\]", run("readelf", "-d", program)))


def swift_version() -> str:
    compiler = shutil.which(os.environ.get("SWIFT", "swift"))
    output = run(compiler, "--version") if compiler else ""
    found = re.search(r"Swift version (\S+)", output)
    return found[1] if found else "NOASSERTION"


def disagreements(reported: dict[str, str], direct: list[Library]) -> list[str]:
    """Returns the differences between the libraries that `formats` reports and those of the ELF file."""
    known = {library.source: library.upstream for library in direct}
    messages = []
    for name, version in reported.items():
        # Some libraries report fewer digits of their version.
        source = SOURCES.get(name, name)
        found = known.pop(source, None)
        if found is None:
            messages.append(f"formats reports {name}, but the program is not linked with it and does not open it")
        elif not re.match(rf"{re.escape(version)}(?![0-9])", found):
            messages.append(f"formats reports {name} {version}, but {found} is installed")
    for source in sorted(known.keys() - COMPANIONS):
        messages.append(f"the program uses {source}, but formats does not report it")
    return messages


def entry(identifier: str, name: str, version: str, licence: str, **more: object) -> dict:
    return {
        "SPDXID": f"SPDXRef-{identifier}",
        "name": name,
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
        **more,
    }


def debian_entry(package: str, version: str, system: str, source: str, purpose: str) -> dict:
    name, number = quote(package), quote(version, safe="~:")
    distribution = f"{SYSTEM['ID']}-{SYSTEM['VERSION_ID']}"
    return entry(
        f"deb-{re.sub('[^A-Za-z0-9.-]', '-', package)}",
        package,
        version,
        # The parts of a package have different licences, which no single expression describes.
        "NOASSERTION",
        supplier="Organization: Debian",
        primaryPackagePurpose=purpose,
        sourceInfo=source,
        externalRefs=[
            {
                "referenceCategory": "PACKAGE-MANAGER",
                "referenceType": "purl",
                "referenceLocator": f"pkg:deb/debian/{name}@{number}?arch={system}&distro={distribution}",
            }
        ],
    )


def library_entry(package: str, libraries: list[Library]) -> dict:
    first = libraries[0]
    names = ", ".join(sorted(library.soname for library in libraries))
    source = f"Debian source {first.source}, upstream {first.upstream}; {names}"
    return debian_entry(package, first.version, first.architecture, source, "LIBRARY")


def document(program: str, shipped: str) -> dict:
    formats = json.loads(run(program, "formats", "--json"))
    name, version = formats["tool"].split()
    needed = linked(program)
    opened = {Path(file).name for file in files("opened", program)}
    libraries = libraries_of(files("all", program))
    direct = [library for library in libraries if library.soname in needed | opened]
    messages = disagreements(formats["libraries"], direct)
    if messages:
        raise SystemExit("\n".join(messages))

    by_package: dict[str, list[Library]] = {}
    for library in libraries:
        by_package.setdefault(library.package, []).append(library)
    digest = hashlib.sha256(Path(shipped).read_bytes()).hexdigest()
    tool = entry(
        "emblem",
        name,
        version,
        LICENCE,
        supplier="Organization: The emblem authors",
        primaryPackagePurpose="APPLICATION",
        checksums=[{"algorithm": "SHA256", "checksumValue": digest}],
    )
    packages = [tool]
    links = [("SPDXRef-DOCUMENT", "DESCRIBES", tool)]
    for part, licence in SWIFT_PARTS.items():
        packages.append(entry(part, part, swift_version(), licence))
        links.append((tool["SPDXID"], "STATIC_LINK", packages[-1]))
    for package, held in sorted(by_package.items()):
        packages.append(library_entry(package, held))
        sonames = {library.soname for library in held}
        if sonames & needed:
            links.append((tool["SPDXID"], "DYNAMIC_LINK", packages[-1]))
        elif sonames & opened:
            links.append((tool["SPDXID"], "DEPENDS_ON", packages[-1]))
        else:
            links.append((packages[-1]["SPDXID"], "RUNTIME_DEPENDENCY_OF", tool))
    for package in (font["package"] for font in formats["fonts"] if font["found"]):
        number = run("dpkg-query", "-W", "-f", "${Version}", package)
        packages.append(debian_entry(package, number, "all", "font files", "OTHER"))
        links.append((packages[-1]["SPDXID"], "RUNTIME_DEPENDENCY_OF", tool))
    moment = run(str(ROOT / "Packaging/epoch.sh"))
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"{name}-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/{name}-{version}-{digest}",
        "creationInfo": {
            "created": datetime.fromtimestamp(int(moment), timezone.utc).strftime(
                "%Y-%m-%dT%H:%M:%SZ"
            ),
            "creators": [f"Tool: {name}-sbom-{version}"],
        },
        "packages": packages,
        "relationships": [
            {"spdxElementId": source, "relationshipType": kind, "relatedSpdxElement": target["SPDXID"]}
            for source, kind, target in links
        ],
    }


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    print(json.dumps(document(sys.argv[1], sys.argv[-1]), indent=1))
