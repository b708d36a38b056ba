#!/usr/bin/env python3
"""Uses the project as others do: run.py FOLDER, a folder to work in.

A clone of the last commit bears the tag of its version. A package called Shop depends on it once by version, from a
file:// address, and once by path; it is built for debugging, runs, and draws with EmblemKit. With the command
plugin it makes an asset catalog of a list. Neither build may have met a flag that makes a warning an error.
`--measure` says besides how much of a core a picture takes a debug build, by itself and with the worker of a
release build, `.build/release/emblem`.
"""

import ctypes
import json
import os
import pathlib
import re
import resource
import shutil
import struct
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SWIFT = os.environ.get("SWIFT", "swift")
# The Makefile sets it for this package; packages that depend on it do not have it.
os.environ.pop("EMBLEM_WARNINGS", None)
VERSION = re.search(
    r'number = "([0-9.]+)"', (ROOT / "Sources/Batch/Records/ToolVersion.swift").read_text())[1]
SAMPLES = ROOT / "Datasets/samples/logos"

# What SwiftPM remembers of this run, apart from what it remembers of its user.
APART = []

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
    ending = subprocess.run(
        [str(word) for word in arguments], cwd=folder, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, env=os.environ | environment)
    if ending.returncode != code:
        print(ending.stdout[-6000:])
        fail(f"{' '.join(map(str, arguments))} ended with {ending.returncode}, not {code}")
    return ending.stdout, time.monotonic() - start


def remove(path):
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def size(path):
    head = path.read_bytes()[:24]
    if head[:8] != b"\x89PNG\r\n\x1a\n":
        fail(f"{path} is no PNG")
    return struct.unpack(">II", head[16:24])


def shop(folder, dependency):
    """The package, with a dependency of its own; what was built before is kept."""
    shutil.copytree(ROOT / "Tests/Package/Shop", folder, dirs_exist_ok=True)
    shutil.copytree(SAMPLES, folder / "logos", dirs_exist_ok=True)
    for left in ("emblems", "App", "Package.resolved"):
        remove(folder / left)
    (folder / "Package.swift").write_text(MANIFEST.format(dependency=dependency))
    (folder / "brands.csv").write_text("id,source\n" + "".join(
        f"{path.stem},logos/{path.name}\n" for path in sorted(SAMPLES.iterdir())))
    return folder


def build(folder, what, configuration="debug", **environment):
    out, seconds = run([SWIFT, "build", *APART, "-c", configuration], folder, **environment)
    strict = re.findall(
        r"-Werror|-warnings-as-errors", (folder / f".build/{configuration}.yaml").read_text())
    if strict:
        fail(f"{what}: {len(strict)} flags make warnings errors")
    print(f"{what}: built for {configuration} in {seconds:.0f} s, no warning is an error")


def draw(folder, what, configuration="debug", **environment):
    shop = folder / f".build/{configuration}/Shop"
    out, seconds = run([shop, "logos", "emblems"], folder, **environment)
    lines = out.splitlines()
    names = sorted(path.name for path in SAMPLES.iterdir())
    if lines[:-1] != [f"{name} 128 ok" for name in names]:
        fail(f"{what}: {out}")
    for name in names:
        if size(folder / "emblems" / name) != (128, 128):
            fail(f"{what}: {name} has another size")
    print(f"{what}: {len(names)} emblems of 128 px in {seconds:.2f} s; decoded by {lines[-1]}")


def plug(folder):
    command = [
        SWIFT, "package", *APART, "--allow-writing-to-package-directory", "emblem"]
    make = command + [
        "batch", "--list", "brands.csv", "-o", "emblems", "--layout", "medium", "--target",
        "xcassets=App"]
    _, seconds = run(make, folder)
    for path in SAMPLES.iterdir():
        picture = folder / f"App/Emblems.xcassets/{path.stem}.imageset"
        contents = json.loads((picture / "Contents.json").read_text())
        if [image["scale"] for image in contents["images"]] != ["1x", "2x", "3x"]:
            fail(f"plugin: {picture} has other scales")
        if sorted(size(file)[0] for file in picture.glob("*.png")) != [48, 96, 144]:
            fail(f"plugin: {picture} has other sizes")
    _, again = run(make, folder)
    refused, _ = run(
        command + ["batch", "logos", "-o", "emblems", "--layot", "small"], folder, code=1)
    if "exit code 64" not in refused or "Did you mean '--layout'?" not in refused:
        fail(f"plugin: {refused}")
    run(command + ["verify", "emblems"], folder)
    print(f"plugin: an asset catalog in {seconds:.0f} s with the tool's build, again in {again:.0f} s;"
          " a command that is refused says why and fails")


def cost(arguments, folder, **environment):
    """The seconds of the processors that a program took with all processes that it left behind."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(arguments, folder, **environment)
    try:
        while True:
            os.wait()
    except ChildProcessError:
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(folder):
    """The cost of a picture: that of many pictures less that of a few."""
    # Workers come to this process when their program has ended, and are waited for.
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    few = sorted(SAMPLES.iterdir())
    shutil.rmtree(folder / "many", ignore_errors=True)
    (folder / "many").mkdir()
    for path in few:
        for copy in range(50):
            shutil.copy(path, folder / f"many/{path.stem}-{copy}.png")
    shop = folder / ".build/debug/Shop"
    for name, environment in [
            ("a debug build", {}),
            ("with a worker for release", {"EMBLEM_WORKER": str(ROOT / ".build/release/emblem")})]:
        costs = sorted(
            (cost([shop, "many", "out"], folder, **environment)
             - cost([shop, "logos", "out"], folder, **environment)) / (49 * len(few))
            for turn in range(3))
        print(f"measure: {name}: {costs[1] * 1000:.1f} ms of a core a picture"
              f" ({costs[0] * 1000:.1f} to {costs[-1] * 1000:.1f})")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    work = pathlib.Path(sys.argv[1]).resolve()
    work.mkdir(parents=True, exist_ok=True)
    clone = work / "emblem"
    shutil.rmtree(clone, ignore_errors=True)
    run(["git", "clone", "-q", "--no-hardlinks", ROOT, clone], work)
    run(["git", "tag", "-f", VERSION], clone)
    print(run([SWIFT, "--version"], work)[0].splitlines()[0])

    # SwiftPM remembers what it fetched, and would refuse another commit under the same tag.
    by_version = work / "by-version"
    for left in ("repositories", "checkouts", "workspace-state.json"):
        remove(by_version / ".build" / left)
    for left in ("cache", "security"):
        remove(work / left)
    APART.extend(["--cache-path", str(work / "cache"), "--security-path", str(work / "security")])
    shop(by_version, f'.package(url: "{clone.as_uri()}", from: "{VERSION}")')
    build(by_version, "by version")
    draw(by_version, "by version")
    plug(by_version)

    by_path = shop(work / "by-path", f'.package(path: "{clone}")')
    build(by_path, "by path")
    draw(by_path, "by path")
    if "--measure" in sys.argv:
        measure(by_version)


main()
