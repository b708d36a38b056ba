#!/usr/bin/env python3
"""A mutation test that disables protections one at a time and checks that a named test fails.

    run.py [--check] [NUMBER…]

`list.txt` contains the mutants. In a copy of the tree, each test must pass, and must fail after each of
its mutants is put into the sources. `--check` only compares the list with the sources. Exits with 1 if a
mutant survives, or a test fails without a mutant.
"""

import os
import pathlib
import re
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TREE = ROOT / ".build/mutants"
LIST = pathlib.Path(__file__).resolve().parent / "list.txt"
SWIFT = os.environ.get("SWIFT", "swift")
KEYS = {"what", "file", "code", "value", "does", "test"}
# A test that hangs with a mutant counts as failed.
TIMEOUT_SECONDS = 600


def read_list():
    """Returns the mutants by number, with the text of each file before and after the change."""
    mutants = {}
    text = re.sub(r"(?m)^#.*\n", "", LIST.read_text())
    for block in text.split("\n\n"):
        if not block.strip():
            continue
        number, *lines = block.strip().split("\n")
        mutant = dict(line.split(": ", 1) for line in lines)
        if not {"what", "file", "code", "test"} <= set(mutant) <= KEYS or {"value", "does"} <= set(mutant):
            sys.exit(f"mutants: {number} has the fields {sorted(mutant)}")
        # The part in double braces is mutated; the rest only locates it.
        before, opening, rest = mutant["code"].partition("{{")
        middle, closing, after = rest.partition("}}")
        if not (opening and closing):
            before, middle, after = "", mutant["code"], ""
        source = (ROOT / mutant["file"]).read_text()
        if source.count(before + middle + after) != 1:
            sys.exit(f"mutants: the code of {number} occurs {source.count(before + middle + after)} times in"
                     f" {mutant['file']}, and must occur once")
        other = f"({mutant['value']})" if "value" in mutant else mutant.get("does", "")
        mutant["changed"] = source.replace(before + middle + after, before + other + after)
        mutants[int(number)] = mutant
    return mutants


def copy_tree():
    """Copies the sources with their times, so that unchanged files are not built again."""
    TREE.mkdir(parents=True, exist_ok=True)
    files = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
        capture_output=True).stdout
    packed = subprocess.run(
        ["tar", "--null", "--ignore-failed-read", "-T", "-", "-cf", "-"], cwd=ROOT, input=files,
        stdout=subprocess.PIPE, check=True).stdout
    subprocess.run(["tar", "-xf", "-", "-C", TREE], input=packed, check=True)


def build():
    environment = {name: value for name, value in os.environ.items() if name != "EMBLEM_WARNINGS"}
    command = [SWIFT, "build", "--build-tests"]
    if subprocess.run(command, cwd=TREE, env=environment).returncode != 0:
        sys.exit("mutants: the copy does not build")


def passes(test):
    """Returns whether a test passes; ends its processes."""
    process = subprocess.Popen(
        [SWIFT, "test", "--skip-build", "--filter", test], cwd=TREE, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        start_new_session=True)
    try:
        output = process.communicate(timeout=TIMEOUT_SECONDS)[0]
    except subprocess.TimeoutExpired:
        return False
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    # A filter that matches no test must not count as a failed test.
    if not re.search(r"Test run with [1-9]\d* test", output) and process.returncode in (0, 69):
        sys.exit(f"mutants: there is no test {test}")
    return process.returncode == 0


def main():
    numbers = {int(word) for word in sys.argv[1:] if word.isdigit()}
    mutants = read_list()
    if "--check" in sys.argv:
        print(f"{len(mutants)} mutants; each text occurs once")
        return
    chosen = {n: mutant for n, mutant in mutants.items() if not numbers or n in numbers}
    copy_tree()
    build()
    wrong = [test for test in sorted({mutant["test"] for mutant in chosen.values()}) if not passes(test)]
    if wrong:
        sys.exit(f"mutants: these tests fail without a mutant: {', '.join(wrong)}")
    survived = []
    for number, mutant in chosen.items():
        file = TREE / mutant["file"]
        original = file.read_text()
        file.write_text(mutant["changed"])
        build()
        is_killed = not passes(mutant["test"])
        file.write_text(original)
        survived += [] if is_killed else [number]
        print(f"{number:4}  {'killed' if is_killed else 'SURVIVED':9} {mutant['what']}", flush=True)
    print(f"{len(chosen) - len(survived)} of {len(chosen)} mutants killed")
    sys.exit(1 if survived else 0)


if __name__ == "__main__":
    main()
