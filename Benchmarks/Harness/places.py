"""The paths of programs and folders, and the provision of data sets."""

import os
import shutil
import subprocess
import sys
import tempfile

HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILT = os.path.join(HOME, ".build/release")
EMBLEM = os.path.join(BUILT, "emblem")
FLOOR = os.path.join(BUILT, "emblem-floor")
GENERATED = os.path.join(HOME, "Datasets/generated")
PEERS = os.path.join(HOME, ".build/peers")
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


def provide_data(*sets):
    """Makes data sets by name; skips those that exist."""
    for name in sets:
        script = os.path.join(HOME, "Datasets/make.py")
        subprocess.run([script, name, os.path.join(GENERATED, name)], check=True, stdout=sys.stderr)
