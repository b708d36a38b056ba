"""The tools that emblem is compared with. Python tools have separate environments in .build/peers."""

import json
import os
import subprocess
import sys

from .places import HOME, PEERS

SCRIPTS = os.path.join(HOME, "Benchmarks/Peers")


class Peer:
    """Python packages in a separate environment, which is made on first use."""

    def __init__(self, name, *requirements):
        self.name = name
        self.folder = os.path.join(PEERS, name)
        self.python = os.path.join(self.folder, "bin", "python")
        self.requirements = requirements

    def provide(self):
        """Installs the packages if necessary, and returns their versions."""
        if not os.path.exists(self.python):
            subprocess.run([sys.executable, "-m", "venv", self.folder], check=True)
        if not self.versions():
            print(f"installing {self.name}…", file=sys.stderr)
            subprocess.run(
                [self.python, "-m", "pip", "install", "--quiet", *self.requirements], check=True,
                capture_output=True, text=True)
        return self.versions()

    def versions(self):
        """Returns the versions of the packages and their backends; None if one is not installed."""
        names = [requirement.split("==")[0] for requirement in self.requirements]
        code = (
            "import importlib.metadata as m, json, sys; "
            "print(json.dumps({n: m.version(n) for n in sys.argv[1:]}))")
        answer = subprocess.run(
            [self.python, "-c", code, *names], capture_output=True, text=True)
        return json.loads(answer.stdout) if answer.returncode == 0 else None


PILLOW = Peer("pillow", "Pillow==13.0.0", "numpy==2.4.6")
OPENCV = Peer("opencv", "opencv-python-headless==5.0.0.93", "numpy==2.4.6")
PYVIPS = Peer("pyvips", "pyvips==3.2.0")
# Includes its own libvips instead of the system's.
PYVIPS_BINARY = Peer("pyvips-binary", "pyvips-binary==8.18.7", "pyvips==3.2.0")
PILLOW_SIMD = Peer("pillow-simd", "pillow-simd==12.1.1.post0")
CODECS = Peer(
    "imagecodecs", "imagecodecs==2026.3.6", "opencv-python-headless==5.0.0.93", "numpy==2.4.6")
KORNIA = Peer("kornia-rs", "kornia-rs==0.2.0", "opencv-python-headless==5.0.0.93", "numpy==2.4.6")
RESIZER = Peer(
    "cykooz-resizer", "cykooz-resizer==4.0.1", "kornia-rs==0.2.0",
    "opencv-python-headless==5.0.0.93", "numpy==2.4.6")
SKIA = Peer("skia-python", "skia-python==144.1", "numpy==2.4.6")
RESVG = Peer("resvg-py", "resvg-py==0.5.0")
DAFT = Peer("daft", "daft==0.7.26", "opencv-python-headless==5.0.0.93", "numpy==2.4.6")


def system_version(*command):
    """Returns the first line of output of a command that prints its version."""
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    return answer.stdout.splitlines()[0]


def script(peer, name):
    """Returns a function that makes the command line of a Python script; all take the same arguments."""
    def command(source, output, background, sizes, radii, form):
        return [
            peer.python, os.path.join(SCRIPTS, name), source, output, "--background", background,
            "--sizes", ",".join(map(str, sizes)), "--radii", ",".join(map(str, radii)),
            "--format", form]
    return command


# The kinds of work that a peer can do: one size, several sizes from one decoding, photos, drawings.
IMAGES = ("one size", "layouts", "photos")

# The name of each peer, a function that installs it and returns its versions, its command line, and
# the kinds of work that it can do.
FILES = {
    "Pillow": (PILLOW.provide, script(PILLOW, "pillow.py"), IMAGES),
    "OpenCV": (OPENCV.provide, script(OPENCV, "opencv.py"), IMAGES),
    "pyvips": (
        lambda: PYVIPS.provide() | {"libvips": system_version("vips", "--version")},
        script(PYVIPS, "libvips.py"), (*IMAGES, "drawings")),
    "pillow-simd": (PILLOW_SIMD.provide, script(PILLOW_SIMD, "pillow.py"), IMAGES),
    "kornia-rs": (KORNIA.provide, script(KORNIA, "kornia.py"), IMAGES),
    "imagecodecs": (CODECS.provide, script(CODECS, "image_codecs.py"), IMAGES),
    "cykooz-resizer": (RESIZER.provide, script(RESIZER, "fast_resize.py"), IMAGES),
    "skia-python": (SKIA.provide, script(SKIA, "skia_python.py"), (*IMAGES, "drawings")),
    "resvg-py": (RESVG.provide, script(RESVG, "resvg.py"), ("drawings",)),
    "pyvips-binary": (
        PYVIPS_BINARY.provide, script(PYVIPS_BINARY, "libvips.py"), (*IMAGES, "drawings")),
}

# Daft over a list of URLs.
daft_command = script(DAFT, "daft_urls.py")
# Without these, Daft reports its use over the network, and prints its progress.
DAFT_ENVIRONMENT = {"DO_NOT_TRACK": "1", "DAFT_PROGRESS_BAR": "0"}
