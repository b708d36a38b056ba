"""Tests of the GitHub Action, the pre-commit hooks, and the CI examples of the documentation.

`action.yml` runs step by step as a runner runs it. Nothing reaches a network.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest
import zipfile
from pathlib import Path

import yaml

import support

TOOLS = Path(sys.executable).parent
PAGE = support.DOCUMENTATION / "ContinuousIntegration.md"
# Every request of git, pip or pre-commit fails.
OFFLINE = {
    "PIP_NO_INDEX": "1",
    "http_proxy": "http://127.0.0.1:9",
    "https_proxy": "http://127.0.0.1:9",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_SYSTEM": "/dev/null",
}


def run(*command: object, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=False, **options
    )


def examples() -> list[str]:
    """Returns the YAML blocks of the documentation page."""
    blocks = re.findall(r"^```yaml\n(.*?)^```", PAGE.read_text(), re.S | re.M)
    return [textwrap.dedent(block) for block in blocks]


class Case(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="emblem-workflows-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def assert_ends(self, ended: subprocess.CompletedProcess[str], status: int = 0) -> None:
        self.assertEqual(ended.returncode, status, ended.stdout + ended.stderr)


class Files(Case):
    def workflows(self) -> list[Path]:
        """Writes the workflows of the documentation as files, which get a trigger if necessary."""
        folder = self.folder / ".github/workflows"
        folder.mkdir(parents=True)
        found = []
        for number, text in enumerate(examples()):
            if "jobs" in yaml.safe_load(text):
                found.append(folder / f"{number}.yml")
                found[-1].write_text(text if re.search("^on:", text, re.M) else f"on: push\n{text}")
        self.assertEqual(len(found), 2)
        return found

    def test_zizmor_finds_no_weakness_in_the_action_and_the_workflows(self) -> None:
        zizmor = (TOOLS / "zizmor", "--offline", "--no-progress", "--no-config")
        own = sorted((support.HOME / ".github/workflows").glob("*.yml"))
        self.assert_ends(run(*zizmor, support.HOME / "action.yml", *own))
        # Examples name versions, because readers replace them.
        config = self.folder / "zizmor.yml"
        config.write_text('rules: {unpinned-uses: {config: {policies: {"*": ref-pin}}}}\n')
        self.assert_ends(run(*zizmor[:-1], "--config", config, *self.workflows()))

    def test_the_files_of_each_ci_system_follow_its_schema(self) -> None:
        gitlab = self.folder / "gitlab.yml"
        gitlab.write_text(next(text for text in examples() if "script:" in text))
        own = sorted((support.HOME / ".github/workflows").glob("*.yml"))
        for schema, files in (
            ("github-actions", [support.HOME / "action.yml"]),
            ("github-workflows", [*own, *self.workflows()]),
            ("gitlab-ci", [gitlab]),
        ):
            check = (TOOLS / "check-jsonschema", "--builtin-schema", f"vendor.{schema}")
            self.assert_ends(run(*check, *files))

    def test_shellcheck_accepts_every_script_in_the_files(self) -> None:
        scripts = []
        for path in (support.HOME / ".github/workflows/ci.yml", *self.workflows()):
            for job in yaml.safe_load(path.read_text())["jobs"].values():
                scripts += [step["run"] for step in job["steps"] if "run" in step]
        action = yaml.safe_load((support.HOME / "action.yml").read_text())
        scripts += [step["run"] for step in action["runs"]["steps"] if "run" in step]
        self.assertGreater(len(scripts), 7)
        for script in scripts:
            with self.subTest(script=script):
                self.assert_ends(run("shellcheck", "--shell=bash", "-", input=script))

    def test_the_example_gives_the_action_only_inputs_that_it_has(self) -> None:
        inputs = yaml.safe_load((support.HOME / "action.yml").read_text())["inputs"]
        jobs = [yaml.safe_load(path.read_text())["jobs"]["emblems"] for path in self.workflows()]
        uses = [step for job in jobs for step in job["steps"] if "/emblem@" in step.get("uses", "")]
        self.assertEqual(len(uses), 1)
        self.assertLessEqual(set(uses[0]["with"]), set(inputs))
        page = PAGE.read_text()
        for name in inputs:
            self.assertRegex(page, rf"\| [^|]*`{name}`")


class Action(Case):
    def setUp(self) -> None:
        super().setUp()
        self.workspace = self.folder / "workspace"
        (self.workspace / "sub folder").mkdir(parents=True)
        self.action = yaml.safe_load((support.HOME / "action.yml").read_text())

    def value(self, text: object, inputs: dict[str, str], steps: dict[str, dict[str, str]]) -> str:
        """Replaces the expressions in a text by their values."""

        def replaced(match: re.Match[str]) -> str:
            match match[1].split("."):
                case ["inputs", name]:
                    return inputs[name]
                case ["steps", step, "outputs", name]:
                    return steps[step].get(name, "")
            raise AssertionError(f"unknown expression {match[0]}")

        return re.sub(r"\$\{\{ ([a-z.-]+) \}\}", replaced, str(text))

    def run_action(self, **given: str) -> tuple[int, dict[str, str], str]:
        """Runs the steps as a runner does; returns the exit code, the outputs, and the log."""
        inputs = {name: str(one["default"]) for name, one in self.action["inputs"].items()}
        self.assertLessEqual(set(given), set(inputs))
        inputs |= given
        steps: dict[str, dict[str, str]] = {}
        code, log = 0, ""
        for step in self.action["runs"]["steps"]:
            if "uses" in step:
                # The runner uploads these paths, also after a failure.
                kept, left_out = self.value(step["with"]["path"], inputs, steps).splitlines()
                self.assertTrue((self.workspace / kept).is_dir(), kept)
                self.assertTrue((self.workspace / left_out.removeprefix("!")).is_dir(), left_out)
                continue
            if code:
                continue
            script, output = self.folder / "step.sh", self.folder / "output"
            script.write_text(step["run"])
            output.write_text("")
            place = self.value(step.get("working-directory", "."), inputs, steps)
            environment = {
                "PATH": os.environ["PATH"],
                "HOME": str(self.folder),
                "GITHUB_ACTIONS": "true",
                "GITHUB_ACTION_PATH": str(support.HOME),
                "GITHUB_OUTPUT": str(output),
                "GITHUB_STEP_SUMMARY": str(self.folder / "summary.md"),
                "GITHUB_WORKSPACE": str(self.workspace),
                "RUNNER_TEMP": str(self.folder / "temp"),
                **OFFLINE,
                **{name: self.value(one, inputs, steps) for name, one in step["env"].items()},
            }
            self.assertEqual(step["shell"], "bash")
            bash = ("bash", "--noprofile", "--norc", "-eo", "pipefail", script)
            ended = run(*bash, env=environment, cwd=self.workspace / place)
            code, log = ended.returncode, log + ended.stdout + ended.stderr
            lines = [line.split("=", 1) for line in output.read_text().splitlines()]
            steps[step["id"]] = dict(lines)
        outputs = {
            name: self.value(one["value"], inputs, steps)
            for name, one in self.action["outputs"].items()
        }
        return code, outputs, log

    def small_wheel(self) -> Path:
        """Makes a wheel whose command runs the tool; the tests of the wheel install the tool."""
        files = {
            "emblemkit.py": f"""
                import os, sys
                def main():
                    os.execv("{support.EMBLEM}", ["emblem", *sys.argv[1:]])
                """,
            "METADATA": "Metadata-Version: 2.1\nName: emblemkit\nVersion: 0.2.0\n",
            "WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            "entry_points.txt": "[console_scripts]\nemblem = emblemkit:main\n",
            "RECORD": "",
        }
        path = self.folder / "emblemkit-0.2.0-py3-none-any.whl"
        with zipfile.ZipFile(path, "w") as wheel:
            for name, text in files.items():
                folder = "" if name.endswith(".py") else "emblemkit-0.2.0.dist-info/"
                wheel.writestr(folder + name, textwrap.dedent(text))
        return path

    def test_the_action_installs_a_package_and_keeps_the_report_of_a_failing_run(self) -> None:
        logos = self.workspace / "sub folder"
        shutil.copy(support.pictures("logos", "png")[0], logos / "logo.png")
        (logos / "list.csv").write_text("source,id\nlogo.png,a\ngone.png,b\n")
        wheel = self.small_wheel()
        code, outputs, log = self.run_action(
            **{"list": "list.csv", "package": str(wheel), "working-directory": "sub folder"},
            args="--strict\n--layout=small\n",
            output="made",
        )
        self.assertEqual((code, outputs["exit-code"]), (1, "1"), log)
        self.assertIn("::warning title=not_found,file=sub folder/list.csv,line=3::", log)
        self.assertIn("| not&#95;found | b |", (self.folder / "summary.md").read_text())
        self.assertIn("/made/manifest.ndjson", outputs["manifest"])
        self.assertTrue((self.workspace / outputs["manifest"]).is_file())
        self.assertTrue((logos / "made/report.html").is_file())
        self.assertTrue((logos / "made/small/a.png").is_file())

    def test_the_action_runs_a_given_program_with_the_defaults_of_its_inputs(self) -> None:
        shutil.copy(support.pictures("logos", "png")[0], self.workspace / "logo.png")
        code, outputs, log = self.run_action(binary=support.EMBLEM, inputs="logo.png\n")
        self.assertEqual((code, outputs["exit-code"]), (0, "0"), log)
        self.assertEqual(outputs["manifest"], "./out/manifest.ndjson")
        self.assertTrue((self.workspace / outputs["manifest"]).is_file())
        self.assertNotIn("EMBLEM_ACTION", log)


class Hooks(Case):
    def git(self, folder: Path, *arguments: object) -> None:
        names = ("-c", "user.name=A", "-c", "user.email=a@example.com")
        self.assert_ends(run("git", "-C", folder, *names, *arguments, env=self.environment))

    def setUp(self) -> None:
        super().setUp()
        programs = self.folder / "programs"
        programs.mkdir()
        (programs / "emblem").symlink_to(support.EMBLEM)
        self.environment = {
            "PATH": f"{programs}:/usr/bin:/bin",
            "HOME": str(self.folder),
            "PRE_COMMIT_HOME": str(self.folder / "cache"),
            **OFFLINE,
        }
        self.hooks = self.folder / "hooks"
        self.hooks.mkdir()
        shutil.copy(support.HOME / ".pre-commit-hooks.yaml", self.hooks)
        self.git(self.hooks, "init", "--quiet")
        self.git(self.hooks, "add", ".")
        self.git(self.hooks, "commit", "--quiet", "--message", "Hooks")
        self.git(self.hooks, "tag", "v0.2.0")

    def repository(self) -> Path:
        """Makes a repository with the documented configuration, logos and emblems."""
        folder = self.folder / "origin"
        (folder / "logos").mkdir(parents=True)
        for path in [*support.pictures("logos", "png"), *support.pictures("svg", "svg")]:
            shutil.copy(path, folder / "logos")
        shutil.copy(folder / "logos/lumina-bank.png", folder / "logos/two words.PNG")
        text = next(text for text in examples() if "repos:" in text)
        self.assertIn("https://git.example/emblem.git", text)
        config = text.replace("https://git.example/emblem.git", str(self.hooks))
        (folder / ".pre-commit-config.yaml").write_text(config)
        batch = ("batch", "logos", "-o", "assets/emblems", "--layout", "small", "--quiet")
        self.assert_ends(run(support.EMBLEM, *batch, cwd=folder, env=self.environment))
        (folder / ".gitignore").write_text(".emblem/\n")
        self.git(folder, "init", "--quiet")
        self.git(folder, "add", ".")
        self.git(folder, "commit", "--quiet", "--message", "Logos")
        return folder

    def pre_commit(self, folder: Path) -> subprocess.CompletedProcess[str]:
        command = (TOOLS / "pre-commit", "run", "--all-files", "--color", "never")
        return run(*command, cwd=folder, env=self.environment)

    def test_the_hooks_pass_in_a_clone_and_fail_for_bad_images_and_changed_emblems(self) -> None:
        clone = self.folder / "clone"
        self.git(self.folder, "clone", "--quiet", self.repository(), clone)
        good = self.pre_commit(clone)
        self.assert_ends(good)
        self.assertEqual(len(re.findall(r"\.Passed$", good.stdout, re.M)), 2, good.stdout)
        self.assertNotIn("WARNING", good.stdout + good.stderr)

        (clone / "logos/broken.png").write_bytes(b"no image")
        (clone / "logos/blank.svg").write_text(
            '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"/>'
        )
        (clone / "assets/emblems/small/lumina-bank.png").write_bytes(b"changed")
        self.git(clone, "add", ".")
        bad = self.pre_commit(clone)
        self.assert_ends(bad, 1)
        self.assertEqual(len(re.findall(r"\.Failed$", bad.stdout, re.M)), 2, bad.stdout)
        self.assertRegex(bad.stdout, r"logos/broken\.png\n.*\n +batch +placeholder, not_image")
        self.assertRegex(bad.stdout, r"lint +blank")
        self.assertNotIn("assets/emblems/small", bad.stdout)
        self.assertIn("small/lumina-bank.png: size", bad.stdout)

    def test_a_file_named_like_an_option_fails_the_hook_and_changes_nothing(self) -> None:
        origin = self.repository()
        shutil.copy(origin / "logos/lumina-bank.png", origin / "--sandbox=none.png")
        self.git(origin, "add", ".")
        ended = self.pre_commit(origin)
        self.assert_ends(ended, 1)
        self.assertIn("--sandbox", ended.stdout)

    def test_pre_commit_accepts_the_manifest_of_the_hooks_and_runs_it_uninstalled(self) -> None:
        manifest = self.hooks / ".pre-commit-hooks.yaml"
        self.assert_ends(run(TOOLS / "pre-commit", "validate-manifest", manifest))
        origin = self.repository()
        command = (TOOLS / "pre-commit", "try-repo", self.hooks, "emblem-lint", "--all-files")
        self.assert_ends(run(*command, cwd=origin, env=self.environment))


if __name__ == "__main__":
    unittest.main()
