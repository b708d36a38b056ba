"""Tests of the GitHub Action and the pre-commit hooks, as a runner runs them from a checkout."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import yaml

import support

PAGE = support.DOCUMENTATION / "Builds.md"


def read(name: str) -> object:
    return yaml.safe_load((support.HOME / name).read_text())


def run(*command: object, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=False, **options
    )


class Case(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="emblem-workflows-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)


class Action(Case):
    def test_the_example_gives_the_action_only_inputs_that_it_has(self) -> None:
        text = PAGE.read_text()
        blocks = map(yaml.safe_load, re.findall(r"^```yaml\n(.*?)^```", text, re.S | re.M))
        jobs = [job for block in blocks if "jobs" in block for job in block["jobs"].values()]
        uses = [step for job in jobs for step in job["steps"] if "list" in step.get("with", {})]
        inputs = read("action.yml")["inputs"]
        self.assertEqual(len(uses), 1)
        self.assertLessEqual(set(uses[0]["with"]), set(inputs))
        for name in inputs:
            self.assertRegex(text, rf"\| [^|]*`{name}`")

    def run_action(self, **given: str) -> tuple[int, dict[str, str], str]:
        """Runs the step as a runner does; returns the exit code, its outputs, and the log."""
        action = read("action.yml")
        inputs = {name: str(one["default"]) for name, one in action["inputs"].items()} | given
        self.assertEqual(set(inputs), set(action["inputs"]))
        step = next(step for step in action["runs"]["steps"] if "run" in step)
        output = self.folder / "output"
        environment = {
            "PATH": "/usr/bin:/bin",
            "GITHUB_ACTIONS": "true",
            "GITHUB_ACTION_PATH": str(support.HOME),
            "GITHUB_OUTPUT": str(output),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary.md"),
            "GITHUB_WORKSPACE": str(self.folder),
        }
        for name, value in step["env"].items():
            environment[name] = re.sub(
                r"\$\{\{ inputs\.([a-z-]+) \}\}", lambda found: inputs[found[1]], value
            )
        bash = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"])
        place = self.folder / inputs["working-directory"]
        ended = run(*bash, env=environment, cwd=place)
        outputs = dict(line.split("=", 1) for line in output.read_text().splitlines())
        return ended.returncode, outputs, ended.stdout + ended.stderr

    def test_the_action_keeps_the_report_of_a_failing_run(self) -> None:
        logos = self.folder / "sub folder"
        logos.mkdir()
        shutil.copy(support.pictures("logos", "png")[0], logos / "logo.png")
        (logos / "list.csv").write_text("source,id\nlogo.png,a\ngone.png,b\n")
        code, outputs, log = self.run_action(
            **{"list": "list.csv", "binary": support.EMBLEM, "working-directory": "sub folder"},
            args="--strict\n--layout=small\n",
            output="made",
        )
        self.assertEqual((code, outputs), (1, {"exit-code": "1"}), log)
        self.assertIn("::warning title=not_found,file=sub folder/list.csv,line=3::", log)
        self.assertIn("| 2 | 1 | 1 | 0 | 2 |", (self.folder / "summary.md").read_text())
        for name in ("manifest.ndjson", "report.html", "small/a.png"):
            self.assertTrue((logos / "made" / name).is_file(), name)


class Hooks(Case):
    def test_the_hooks_pass_for_good_files_and_fail_for_bad_and_changed_ones(self) -> None:
        programs = self.folder / "programs"
        programs.mkdir()
        (programs / "emblem").symlink_to(support.EMBLEM)
        environment = {**os.environ, "PATH": f"{programs}:/usr/bin:/bin"}
        hooks = {hook["id"]: hook for hook in read(".pre-commit-hooks.yaml")}
        logo = self.folder / "logo.png"
        shutil.copy(support.pictures("logos", "png")[0], logo)
        out = self.folder / "out"
        batch = ("batch", logo, "-o", out, "--layout", "small", "--quiet")
        self.assertEqual(run(support.EMBLEM, *batch).returncode, 0)

        def hook(name: str, *files: Path) -> int:
            words = [*hooks[name]["entry"].split(), *hooks[name].get("args", []), *files]
            return run(*words, cwd=self.folder, env=environment).returncode

        self.assertRegex(logo.name, hooks["emblem-lint"]["files"])
        self.assertEqual((hook("emblem-lint", logo), hook("emblem-verify")), (0, 0))
        logo.write_bytes(b"no image")
        next(out.glob("small/*")).write_bytes(b"changed")
        self.assertEqual((hook("emblem-lint", logo), hook("emblem-verify")), (1, 2))


if __name__ == "__main__":
    unittest.main()
