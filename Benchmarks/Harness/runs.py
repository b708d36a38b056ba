"""One run of a program, measured from outside, and digests of what goes in."""

import hashlib
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time


def written(folder):
    """How many PNG files stand in a folder, dot folders left out, and their bytes."""
    count = total = 0
    for path, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if name.endswith(".png"):
                total += os.path.getsize(os.path.join(path, name))
                count += 1
    return count, total


def once(command, output, environment=None):
    """Runs a command into an empty folder: what it took and what it wrote.

    CPU is user and system time of the process and those of its children that it waited for.
    """
    shutil.rmtree(output, ignore_errors=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=os.environ | (environment or {}))
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\nended with {done.returncode}:\n{done.stderr}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    pictures, size = written(output)
    return {"seconds": round(seconds, 4), "cpu": round(cpu, 4), "pictures": pictures, "bytes": size}


def median(samples, field):
    return statistics.median(sample[field] for sample in samples)


def folder_digest(*folders):
    """One number for the names and bytes of all files of the folders."""
    total = hashlib.sha256()
    for folder in folders:
        for path, below, names in os.walk(folder):
            below.sort()
            for name in sorted(names):
                whole = os.path.join(path, name)
                with open(whole, "rb") as file:
                    content = hashlib.sha256(file.read()).hexdigest()
                total.update(f"{os.path.relpath(whole, folder)} {content}\n".encode())
    return total.hexdigest()


def text_digest(text):
    return hashlib.sha256(text.encode()).hexdigest()
