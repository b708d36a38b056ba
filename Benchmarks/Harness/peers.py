"""Other tools, each in a Python environment of its own below .build/peers."""

import glob
import json
import os
import subprocess
import sys

from .places import HOME, PEERS
from .runs import once


class Peer:
    """A Python package, installed when first asked for."""

    def __init__(self, name, requirement, also=()):
        self.name = name
        self.folder = os.path.join(PEERS, name)
        self.python = os.path.join(self.folder, "bin", "python")
        self.requirement = requirement
        self.also = also

    def provide(self):
        """The version that is there, once it is."""
        if not os.path.exists(self.python):
            subprocess.run([sys.executable, "-m", "venv", self.folder], check=True)
        if not self.versions():
            subprocess.run(
                [self.python, "-m", "pip", "install", "--quiet", self.requirement], check=True)
        return self.versions()

    def versions(self):
        """The versions of the package and of what does its work, or nothing."""
        names = [self.requirement.split("==")[0], *self.also]
        code = (
            "import importlib.metadata as m, json, sys; "
            "print(json.dumps({n: m.version(n) for n in sys.argv[1:]}))")
        answer = subprocess.run(
            [self.python, "-c", code, *names], capture_output=True, text=True)
        return json.loads(answer.stdout) if answer.returncode == 0 else None


PILLOW = Peer("pillow", "Pillow==13.0.0")
IMG2DATASET = Peer(
    "img2dataset", "img2dataset==1.47.0", also=("opencv-python-headless", "albumentations"))


def pillow_command(source, output, background):
    script = os.path.join(HOME, "Benchmarks/Peers/pillow.py")
    return [PILLOW.python, script, source, output, "--background", background]


# It asks the network for its newest version otherwise.
IMG2DATASET_ENVIRONMENT = {"NO_ALBUMENTATIONS_UPDATE": "1"}


def img2dataset_command(urls, output, items, threads):
    """A shard for each of two processes; every other choice is the tool's own or costs it least."""
    return [
        os.path.join(IMG2DATASET.folder, "bin", "img2dataset"), "--url_list", urls,
        "--output_folder", output, "--output_format", "files", "--processes_count", "2",
        "--thread_count", str(threads), "--number_sample_per_shard", str((items + 1) // 2),
        "--image_size", "128", "--resize_mode", "border", "--encode_format", "png",
        "--encode_quality", "6", "--enable_wandb", "False",
    ]


def img2dataset_once(urls, output, items, threads):
    """One run; `inside` is from the first shard's start to the last one's end."""
    sample = once(
        img2dataset_command(urls, output, items, threads), output, IMG2DATASET_ENVIRONMENT)
    shards = []
    for name in glob.glob(os.path.join(output, "*_stats.json")):
        with open(name, encoding="utf-8") as file:
            shards.append(json.load(file))
    begin = min(shard["start_time"] for shard in shards)
    end = max(shard["end_time"] for shard in shards)
    return sample | {"inside": round(end - begin, 4)}


def best_thread_count(urls, output, items, counts):
    """The number of threads that was quickest in one run each, and all the times."""
    times = {
        count: img2dataset_once(urls, output, items, count)["seconds"] for count in counts}
    return min(times, key=times.get), times
