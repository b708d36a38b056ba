#!/usr/bin/env python3
"""A test that uses the project as a dependency of another package: run.py FOLDER.

Clones the last commit into the working folder FOLDER and tags the clone with its version. The package Shop depends on
the clone by version from a file:// URL, and by path. Each is built in debug mode and draws emblems with EmblemKit, and
the command plugin makes an asset catalog from a list. No flag of the builds may turn warnings into errors.
"""

import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SWIFT = os.environ.get("SWIFT", "swift")
# The Makefile sets this variable for the project; packages that depend on the project do not have it.
os.environ.pop("EMBLEM_WARNINGS", None)
VERSION = re.search(
    r'number = "([0-9.]+)"', (ROOT / "Sources/Batch/Records/ToolVersion.swift").read_text())[1]
SAMPLES = ROOT / "Datasets/samples/logos"

# The SwiftPM options for separate cache folders, so that the user's caches are not used.
CACHE_OPTIONS = []

MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Shop",
    dependencies: [{dependency}],
    targets: [
        .executableTarget(
            name: "Shop", dependencies: [.product(name: "EmblemKit", package: "emblem")])
    ])
"""


def fail(text):
    sys.exit(f"test-package: {text}")


def run(arguments, folder, code=0, **environment):
    start = time.monotonic()
    process = subprocess.run(
        [str(argument) for argument in arguments], cwd=folder, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, env=os.environ | environment)
    if process.returncode != code:
        print(process.stdout[-6000:])
        fail(f"{' '.join(map(str, arguments))} ended with {process.returncode}, not {code}")
    return process.stdout, time.monotonic() - start


def remove(path):
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def size(path):
    head = path.read_bytes()[:24]
    if head[:8] != b"\x89PNG\r\n\x1a\n":
        fail(f"{path} is not a PNG file")
    return struct.unpack(">II", head[16:24])


def shop(folder, dependency):
    """Makes the package Shop with a dependency, and keeps its earlier build."""
    shutil.copytree(ROOT / "Tests/Package/Shop", folder, dirs_exist_ok=True)
    shutil.copytree(SAMPLES, folder / "logos", dirs_exist_ok=True)
    for left in ("emblems", "App", "Package.resolved"):
        remove(folder / left)
    (folder / "Package.swift").write_text(MANIFEST.format(dependency=dependency))
    (folder / "brands.csv").write_text("id,source\n" + "".join(
        f"{path.stem},logos/{path.name}\n" for path in sorted(SAMPLES.iterdir())))
    return folder


def build(folder, name, configuration="debug", **environment):
    out, seconds = run([SWIFT, "build", *CACHE_OPTIONS, "-c", configuration], folder, **environment)
    strict = re.findall(
        r"-Werror|-warnings-as-errors", (folder / f".build/{configuration}.yaml").read_text())
    if strict:
        fail(f"{name}: {len(strict)} flags turn warnings into errors")
    print(f"{name}: {configuration} build in {seconds:.0f} s, without flags that turn warnings into errors")


def draw(folder, name, configuration="debug", **environment):
    shop = folder / f".build/{configuration}/Shop"
    out, seconds = run([shop, "logos", "emblems"], folder, **environment)
    lines = out.splitlines()
    files = sorted(path.name for path in SAMPLES.iterdir())
    if lines[:-1] != [f"{file} 128 ok" for file in files]:
        fail(f"{name}: {out}")
    for file in files:
        if size(folder / "emblems" / file) != (128, 128):
            fail(f"{name}: {file} does not have 128 by 128 pixels")
    print(f"{name}: {len(files)} emblems of 128 px in {seconds:.2f} s; decoded by {lines[-1]}")


def plug(folder):
    command = [
        SWIFT, "package", *CACHE_OPTIONS, "--allow-writing-to-package-directory", "emblem"]
    make = command + [
        "batch", "--list", "brands.csv", "-o", "emblems", "--layout", "medium", "--target",
        "xcassets=App"]
    _, seconds = run(make, folder)
    for path in SAMPLES.iterdir():
        picture = folder / f"App/Emblems.xcassets/{path.stem}.imageset"
        contents = json.loads((picture / "Contents.json").read_text())
        if [image["scale"] for image in contents["images"]] != ["1x", "2x", "3x"]:
            fail(f"plugin: {picture} does not have the scales 1x, 2x and 3x")
        if sorted(size(file)[0] for file in picture.glob("*.png")) != [48, 96, 144]:
            fail(f"plugin: {picture} does not have the sizes 48, 96 and 144")
    _, again = run(make, folder)
    refused, _ = run(
        command + ["batch", "logos", "-o", "emblems", "--layot", "small"], folder, code=1)
    if "exit code 64" not in refused or "Did you mean '--layout'?" not in refused:
        fail(f"plugin: {refused}")
    run(command + ["verify", "emblems"], folder)
    print(f"plugin: an asset catalog in {seconds:.0f} s including the build, and again in {again:.0f} s;"
          " a wrong option fails with a message")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    work = pathlib.Path(sys.argv[1]).resolve()
    work.mkdir(parents=True, exist_ok=True)
    clone = work / "emblem"
    shutil.rmtree(clone, ignore_errors=True)
    run(["git", "clone", "-q", "--no-hardlinks", ROOT, clone], work)
    run(["git", "tag", "-f", VERSION], clone)
    print(run([SWIFT, "--version"], work)[0].splitlines()[0])

    # SwiftPM remembers fetched commits, and would reject a different commit with the same tag.
    by_version = work / "by-version"
    for left in ("repositories", "checkouts", "workspace-state.json"):
        remove(by_version / ".build" / left)
    for left in ("cache", "security"):
        remove(work / left)
    CACHE_OPTIONS.extend(["--cache-path", str(work / "cache"), "--security-path", str(work / "security")])
    shop(by_version, f'.package(url: "{clone.as_uri()}", from: "{VERSION}")')
    build(by_version, "by version")
    draw(by_version, "by version")
    plug(by_version)

    by_path = shop(work / "by-path", f'.package(path: "{clone}")')
    build(by_path, "by path")
    draw(by_path, "by path")


main()
