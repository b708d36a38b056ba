"""Tests of the documented Gradle task with Debian's Gradle, without Android's plugin."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import support

PAGE = support.DOCUMENTATION / "AndroidApps.md"
RESOURCES = "app/src/main/res"


def snippet(language: str) -> str:
    return re.search(rf"^```{language}\n(.*?)^```", PAGE.read_text(), re.S | re.M)[1]


class Gradle(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="emblem-gradle-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "programs").mkdir()
        (self.folder / "programs/emblem").symlink_to(support.EMBLEM)
        self.module = self.folder / "app"
        (self.module / "logos").mkdir(parents=True)
        for path in support.pictures("logos", "png"):
            shutil.copy(path, self.module / "logos")
        self.write_list()
        (self.folder / "settings.gradle").write_text("include ':app'\n")
        # Android's plugin has the task preBuild.
        (self.module / "build.gradle").write_text("task preBuild\n" + snippet("groovy"))
        (self.folder / "AndroidManifest.xml").write_text(
            '<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="a.b"/>'
        )

    def write_list(self) -> None:
        rows = [f"logos/{path.name}\n" for path in sorted((self.module / "logos").iterdir())]
        (self.module / "brands.csv").write_text("source\n" + "".join(rows))

    def run_program(self, *command: object) -> str:
        environment = {
            **os.environ,
            "PATH": f"{self.folder}/programs:{os.environ['PATH']}",
            "GRADLE_USER_HOME": str(self.folder / "gradle"),
        }
        # The tool would read the variables of the tests as options.
        done = subprocess.run(
            list(map(str, command)),
            cwd=self.folder,
            env={name: one for name, one in environment.items() if not name.startswith("EMBLEM_")},
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def build(self) -> dict[str, tuple[int, int]]:
        """Builds; returns the inode and time of each resource."""
        self.run_program("gradle", "--offline", "--no-daemon", "--quiet", "preBuild")
        files = (self.folder / RESOURCES).glob("[!.]*/*")
        return {str(path): (path.stat().st_ino, path.stat().st_mtime_ns) for path in files}

    def test_the_task_makes_resources_that_compile_and_follows_the_list(self) -> None:
        first = self.build()
        # Four logos in five densities, day and night, and three files of values.
        self.assertEqual(len(first), 4 * 5 * 2 + 3)
        self.assertIn(f"{self.folder}/{RESOURCES}/drawable-hdpi/emblem_wesinva_medium.webp", first)
        self.run_program("aapt2", "compile", "--dir", RESOURCES, "-o", "resources.zip")
        link = ("aapt2", "link", "-o", "app.apk", "--manifest", "AndroidManifest.xml")
        self.run_program(*link, "resources.zip")
        checker = support.HOME / "Tests/Checkers/resources.py"
        self.run_program(sys.executable, checker, RESOURCES, "--night", "--apk", "app.apk")
        self.assertEqual(self.build(), first)
        (self.module / "logos/wesinva.png").unlink()
        self.write_list()
        kept = {path: facts for path, facts in first.items() if "wesinva" not in path}
        self.assertEqual(self.build(), kept)

    def test_both_scripts_of_the_page_run_the_same_command(self) -> None:
        words = re.findall('"(.*?)"', snippet("groovy"))
        kotlin = re.findall('"(.*?)"', snippet("kotlin"))
        self.assertEqual(kotlin, ["emblems", *words, "preBuild", "emblems"])


if __name__ == "__main__":
    unittest.main()
