"""Tests of a wheel with the tool, without libraries and fonts, in a separate environment."""

import base64
import csv
import hashlib
import os
import signal
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path

import emblemkit
import support

VERSION = emblemkit.__version__


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory(prefix="emblem-wheel-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        stripped = cls.folder / "emblem"
        subprocess.run(["strip", "-o", stripped, support.EMBLEM], check=True)
        cls.archive = cls.folder / f"emblem-{VERSION}-linux-{os.uname().machine}.tar"
        with tarfile.open(cls.archive, "w") as tar:
            tar.add(stripped, f"{cls.archive.stem}/bin/emblem")
        cls.wheel = cls.made("first")
        cls.environment = cls.folder / "environment"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", cls.environment], check=True)
        cls.python = cls.environment / "bin/python"
        cls.command = cls.environment / "bin/emblem"
        pip = [sys.executable, "-m", "pip", "--python", cls.python, "install", "--quiet"]
        subprocess.run([*pip, "--no-index", "--no-compile", cls.wheel], check=True)

    @classmethod
    def made(cls, name: str) -> Path:
        done = subprocess.run(
            [support.HOME / "Packaging/wheel.py", cls.archive, cls.folder / name],
            env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"},
            check=True,
            capture_output=True,
            text=True,
        )
        return Path(done.stdout.strip())

    def test_the_same_archive_gives_the_same_bytes(self) -> None:
        self.assertEqual(self.wheel.read_bytes(), self.made("second").read_bytes())

    def test_the_record_names_every_file_with_its_digest(self) -> None:
        with zipfile.ZipFile(self.wheel) as wheel:
            self.assertIsNone(wheel.testzip())
            info = f"emblemkit-{VERSION}.dist-info"
            record = csv.reader(wheel.read(f"{info}/RECORD").decode().splitlines())
            named = {path: digest for path, digest, _ in record}
            self.assertEqual(set(named), set(wheel.namelist()))
            for path, digest in named.items():
                if digest:
                    data = hashlib.sha256(wheel.read(path)).digest()
                    text = base64.urlsafe_b64encode(data).rstrip(b"=").decode()
                    self.assertEqual(digest, f"sha256={text}", path)
            facts = wheel.read(f"{info}/METADATA").decode()
            self.assertIn("Requires-Dist: pyspark>=4.1,<5; extra == 'spark'", facts)
            self.assertNotIn("mypy", facts)
            self.assertIn("emblemkit/py.typed", named)
            self.assertIn("emblemkit/spark.py", named)
        self.assertRegex(self.wheel.name, rf"^emblemkit-{VERSION}-py3-none-manylinux_2_\d\d_x86_64")

    def test_the_command_has_the_exit_code_of_the_tool(self) -> None:
        done = subprocess.run([self.command, "--version"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, f"emblem {VERSION}\n"))
        done = subprocess.run([self.command, "batch", "--gigantic"], capture_output=True)
        self.assertEqual(done.returncode, 64)
        done = subprocess.run(
            [self.python, "-m", "emblemkit", "--version"], capture_output=True, text=True
        )
        self.assertEqual(done.stdout, f"emblem {VERSION}\n")

    def test_the_command_becomes_the_tool_and_signals_reach_it(self) -> None:
        command = [self.command, "stream", "--layout", "small", "--cache", "none"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            process.stdin.write(f'{{"source":"{support.pictures("logos", "png")[0]}"}}\n'.encode())
            process.stdin.flush()
            self.assertIn(b'"ok"', process.stdout.readline())
            program = Path(f"/proc/{process.pid}/exe").resolve()
            self.assertTrue(program.match("emblemkit/tool/bin/emblem"), program)
            process.send_signal(signal.SIGTERM)
            process.stdin.close()
            self.assertEqual(process.wait(60), 143)

    def test_the_api_needs_only_the_wheel(self) -> None:
        code = (
            "import emblemkit, sys; print(emblemkit.find_program())\n"
            "print([r.status for r in emblemkit.Stream(sys.argv[1:], layout='small')])"
        )
        found, statuses = subprocess.run(
            [self.python, "-c", code, support.pictures("logos", "png")[0]],
            env={"PATH": "/nowhere"},
            check=True,
            capture_output=True,
            text=True,
        ).stdout.splitlines()
        self.assertTrue(Path(found).match("emblemkit/tool/bin/emblem"), found)
        self.assertEqual(statuses, "['ok']")


if __name__ == "__main__":
    unittest.main()
