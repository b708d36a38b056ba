#!/usr/bin/env python3
"""A mutation test that disables protections one at a time and checks that a named test fails.

    run.py [--check] [--keep] [NUMBER…]

`list.txt` contains the mutants. A copy of the tree has both the original and the mutated code of each
mutant, so that one build is enough. A file contains the number of the active mutant, and
every process reads it before `main`, including workers without environment variables. Each test runs
once without a mutant and must pass, and once with each of its mutants and must fail.

`--check` only compares the list with the sources. `--keep` uses the copy and the build of an earlier
run. Exits with 1 if a mutant survives, or a test fails without a mutant.
"""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WORK = ROOT / ".build" / "mutants"
TREE = WORK / "tree"
BUILD = WORK / "build"
# In /tmp, because tests that run as another user cannot read the working folder.
ACTIVE = pathlib.Path(f"/tmp/emblem-mutants-{os.getuid()}-{zlib.crc32(str(ROOT).encode()):08x}") / "alive"
LIST = pathlib.Path(__file__).resolve().parent / "list.txt"
SKIPPED = {".build", ".git", "generated", "out", "__pycache__"}
# A test that hangs with a mutant counts as failed. The timeout is the time of the test without a mutant
# multiplied by the factor, and at least TIMEOUT_SECONDS.
TIMEOUT_SECONDS = 60
TIMEOUT_FACTOR = 4
FIRST_TIMEOUT_SECONDS = 600

KEYS = {"what", "file", "code", "value", "does", "test"}


class Wrong(Exception):
    """The list is malformed or does not match the sources, or the copy does not build."""


class Mutant:
    """A block of the list."""

    def __init__(self, lines):
        self.number = int(lines[0])
        self.fields = {}
        for line in lines[1:]:
            key, _, text = line.partition(": ")
            if key not in KEYS or key in self.fields or not text:
                raise Wrong(f"mutant {self.number}: malformed or repeated field '{line}'")
            self.fields[key] = text
        missing = {"what", "file", "code", "test"} - set(self.fields)
        if missing or {"value", "does"} <= set(self.fields):
            raise Wrong(
                f"mutant {self.number}: missing fields {sorted(missing)}" if missing
                else f"mutant {self.number}: it has both 'value' and 'does'")
        # The part in double braces is mutated; the rest only locates it.
        code = self.fields["code"]
        before, opening, rest = code.partition("{{")
        middle, closing, after = rest.partition("}}")
        self.parts = (before, middle, after) if opening and closing else ("", code, "")
        self.context = "".join(self.parts)

    def __getattr__(self, name):
        return self.fields.get(name)

    def replacement(self):
        original = self.parts[1]
        is_c = self.file.endswith((".c", ".h"))
        if self.value is not None:
            return f"(emb_mutant({self.number}) ? ({self.value}) : ({original}))"
        condition = f"emb_mutant({self.number})"
        if is_c:
            other = f"{{ {self.does} }}" if self.does else "{}"
            return f"if ({condition}) {other} else {{ {original} }}"
        other = f"{{ {self.does} }}" if self.does else "{}"
        return f"if {condition} {other} else {{ {original} }}"


def read_list():
    text = re.sub(r"(?m)^#.*\n", "", LIST.read_text())
    mutants = [Mutant(block.strip().split("\n")) for block in text.split("\n\n") if block.strip()]
    numbers = [mutant.number for mutant in mutants]
    if numbers != sorted(set(numbers)) or 0 in numbers:
        raise Wrong("the numbers are not ascending and unique")
    return mutants


def places(mutants, root):
    """Returns the mutants of each file with the offset of their text, which must occur once."""
    found = {}
    for mutant in mutants:
        text = (root / mutant.file).read_text()
        count = text.count(mutant.context)
        if count != 1:
            raise Wrong(f"mutant {mutant.number}: '{mutant.context}' occurs {count} times in {mutant.file}")
        start = text.index(mutant.context) + len(mutant.parts[0])
        found.setdefault(mutant.file, []).append((start, mutant))
    for file, entries in found.items():
        entries.sort(key=lambda entry: entry[0])
        for (first, mutant), (second, other) in zip(entries, entries[1:]):
            if first + len(mutant.parts[1]) > second:
                raise Wrong(f"mutants {mutant.number} and {other.number} change the same text")
    return found


def put(path, text):
    """Writes a file only if its text differs, so that unchanged files are not built again."""
    if path.exists() and path.read_text() == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def copy_tree(changed):
    kept = set()
    for folder, names, files in os.walk(ROOT):
        names[:] = [name for name in names if name not in SKIPPED]
        inside = pathlib.Path(folder).relative_to(ROOT)
        for name in files:
            source, target = pathlib.Path(folder) / name, TREE / inside / name
            kept.add(target)
            if str(inside / name) in changed:
                continue
            if target.is_symlink() or source.is_symlink():
                continue
            if target.exists() and target.read_bytes() == source.read_bytes():
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    for folder, _, files in os.walk(TREE):
        for name in files:
            path = pathlib.Path(folder) / name
            if path not in kept and "CMutants" not in path.parts:
                path.unlink()


SWITCH_H = """#pragma once
extern int emb_mutant_alive;
static inline _Bool emb_mutant(int number) { return emb_mutant_alive == number; }
"""

SWITCH_C = """#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include "emb_mutants.h"
int emb_mutant_alive;
__attribute__((constructor)) static void look(void) {
    char text[16] = "";
    int file = open("%s", O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        if (read(file, text, sizeof(text) - 1) > 0) emb_mutant_alive = atoi(text);
        close(file);
    }
}
"""


def change_file(file, entries):
    text = (ROOT / file).read_text()
    for start, mutant in reversed(entries):
        end = start + len(mutant.parts[1])
        text = text[:start] + mutant.replacement() + text[end:]
    line = '#include "emb_mutants.h"\n' if file.endswith((".c", ".h")) else "import CMutants\n"
    if file.endswith(".c") and text.startswith("#define _GNU_SOURCE\n"):
        text = text.replace("#define _GNU_SOURCE\n", "#define _GNU_SOURCE\n" + line, 1)
    else:
        text = line + text
    return text


def without_tests(text, kept):
    """Returns Package.swift without the test modules that no mutant names."""
    offset = 0
    while found := re.compile(r'\s*tests\(\s*"(\w+)"').search(text, offset):
        end, depth = text.index("(", found.start()), 0
        while True:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
            if depth == 0:
                break
        offset = end
        if found.group(1) + "Tests" not in kept:
            text = text[:found.start()] + text[end + 1:]
            offset = found.start()
    return text


def change_package(targets, modules):
    """Returns Package.swift with the switch as a dependency of the targets that have mutants."""
    text = (ROOT / "Package.swift").read_text()
    text = text.replace(
        "    targets: [\n",
        "    targets: [\n        .target(name: \"CMutants\", path: \"Sources/CMutants\"),\n", 1)
    for target in sorted(targets):
        text, count = re.subn(
            rf'((?:module\(|\.target\(\s*name:)\s*"{target}",\s*(?:dependencies: )?\[)(\]?)',
            lambda found: found.group(1) + '"CMutants"' + ("]" if found.group(2) else ", "), text)
        if count != 1:
            raise Wrong(f"Package.swift: {target} has {count} lists of dependencies, and 1 is expected")
    return without_tests(text, modules)


def make_copy(found):
    TREE.mkdir(parents=True, exist_ok=True)
    copy_tree(set(found) | {"Package.swift"})
    for file, entries in found.items():
        put(TREE / file, change_file(file, entries))
    targets = {pathlib.Path(file).parts[1] for file in found}
    modules = {mutant.test.split(".")[0] for entries in found.values() for _, mutant in entries}
    put(TREE / "Package.swift", change_package(targets, modules))
    put(TREE / "Sources/CMutants/include/emb_mutants.h", SWITCH_H)
    put(TREE / "Sources/CMutants/mutants.c", SWITCH_C % ACTIVE)


def build():
    swift = os.environ.get("SWIFT", "swift")
    for product in ("emblemPackageTests", "emblem"):
        process = subprocess.run(
            [swift, "build", "-c", "release", "--product", product, "--scratch-path", str(BUILD)],
            cwd=TREE)
        if process.returncode != 0:
            raise Wrong(f"{product} of the copy does not build")


def end_remaining():
    """Kills the processes that a mutant left running, which are those with a program of the copy."""
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.readlink(entry / "exe").startswith(f"{BUILD}/"):
                os.kill(int(entry.name), signal.SIGKILL)
        except OSError:
            continue


def run_test(test, mutant=0, timeout=FIRST_TIMEOUT_SECONDS):
    """Runs a test; returns its result ("passed", "failed", "hung", "missing"), seconds and output."""
    ACTIVE.parent.mkdir(mode=0o755, exist_ok=True)
    ACTIVE.write_text(f"{mutant}\n")
    programs = list((BUILD / "release").glob("*.xctest"))
    command = [str(programs[0]), "--testing-library", "swift-testing", "--filter", test]
    begin = time.monotonic()
    with open(WORK / "output.txt", "w+") as output:
        process = subprocess.Popen(
            command, cwd=TREE, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            start_new_session=True)
        try:
            status = process.wait(timeout)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            process.kill()
            process.wait()
            end_remaining()
        output.seek(0)
        text = output.read()
    seconds = time.monotonic() - begin
    ACTIVE.write_text("0\n")
    if status is None:
        return "hung", seconds, text
    if not re.search(r"Test run with [1-9]\d* test", text) and status in (0, 69):
        return "missing", seconds, text
    return ("passed" if status == 0 else "failed"), seconds, text


def run(mutants):
    baselines, timeouts = {}, {}
    for test in sorted({mutant.test for mutant in mutants}):
        ending, seconds, text = run_test(test)
        baselines[test] = ending
        timeouts[test] = max(TIMEOUT_SECONDS, TIMEOUT_FACTOR * seconds)
        if ending != "passed":
            print(f"without a mutant, the test {test} {ending}:\n{text[-3000:]}", flush=True)
    rows = []
    for mutant in mutants:
        if baselines[mutant.test] != "passed":
            rows.append((mutant, "test " + baselines[mutant.test], 0))
            continue
        ending, seconds, _ = run_test(mutant.test, mutant.number, timeouts[mutant.test])
        outcome = {"failed": "killed", "hung": "killed (it hung)"}.get(ending, "SURVIVED")
        rows.append((mutant, outcome, seconds))
        print(f"{mutant.number:4}  {outcome:17} {seconds:5.1f} s  {mutant.what}", flush=True)
    return rows


def show(rows):
    print()
    for mutant, outcome, _ in rows:
        file = "/".join(pathlib.Path(mutant.file).parts[1:])
        print(f"{mutant.number:4}  {outcome:17} {file:38} {mutant.test}")
    survived = [mutant.number for mutant, outcome, _ in rows if not outcome.startswith("killed")]
    print(f"\n{len(rows) - len(survived)} of {len(rows)} mutants killed", end="")
    print(f"; not {', '.join(map(str, survived))}" if survived else "")
    return 1 if survived else 0


def main():
    arguments = sys.argv[1:]
    numbers = {int(argument) for argument in arguments if argument.isdigit()}
    try:
        mutants = read_list()
        found = places(mutants, ROOT)
        if "--check" in arguments:
            print(f"{len(mutants)} mutants; each text occurs once")
            return 0
        if "--keep" not in arguments:
            make_copy(found)
            build()
        return show(run([mutant for mutant in mutants if not numbers or mutant.number in numbers]))
    except Wrong as wrong:
        print(f"mutants: {wrong}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
