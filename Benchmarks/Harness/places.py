"""The paths of programs and folders, and the provision of data sets."""

import os
import shutil
import subprocess
import sys
import tempfile

HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILT = os.path.join(HOME, ".build/release")
EMBLEM = os.path.join(BUILT, "emblem")
GENERATOR = os.path.join(BUILT, "emblem-dataset")
FLOOR = os.path.join(BUILT, "emblem-floor")
GENERATED = os.path.join(HOME, "Datasets/generated")
PEERS = os.path.join(HOME, ".build/peers")
WORKLOADS = os.path.join(HOME, "Benchmarks/Workloads")
RECORDS = os.path.join(HOME, "Benchmarks/Records")


def scratch_place(wanted=None, bytes_needed=4 << 30):
    """Returns the folder for temporary outputs.

    The default is a file system in memory, so that no time is spent on the disk. If it has no room,
    the default is the system's temporary folder.
    """
    if wanted:
        return os.path.abspath(wanted)
    memory = "/dev/shm"
    if os.access(memory, os.W_OK) and shutil.disk_usage(memory).free >= bytes_needed:
        return memory
    return tempfile.gettempdir()


DRAWN = {
    "bench": ["--preset", "bench"],
    "more": ["--webp", "200", "--svg", "100"],
    # The logos that `by-pillow` encodes again.
    "wide": ["--preset", "bench", "--logos", "2000", "--photos", "0", "--webp", "0", "--svg", "0"],
}
FOUND = ("as-found", "by-pillow")


def provide_data(*sets):
    """Makes data sets by name; skips those that exist."""
    for name in sets:
        folder = os.path.join(GENERATED, name)
        if name in FOUND:
            provide_found(name, folder)
        else:
            subprocess.run([GENERATOR, *DRAWN[name], "-o", folder], check=True, stdout=sys.stderr)


def provide_found(name, folder):
    """Makes a data set of images by others, with Datasets/found.py in Pillow's environment."""
    from .peers import PILLOW

    if os.path.exists(os.path.join(folder, "dataset.json")):
        return
    words = []
    if name == "by-pillow":
        provide_data("wide")
        words = ["--logos", os.path.join(GENERATED, "wide/logos")]
    PILLOW.provide()
    script = os.path.join(HOME, "Datasets/found.py")
    subprocess.run([PILLOW.python, script, name, folder, *words], check=True, stdout=sys.stderr)
