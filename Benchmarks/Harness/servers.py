"""Context managers that run servers on this machine."""

import contextlib
import os
import socket
import subprocess
import tempfile

from .places import HOME


def free_port(wanted=0):
    """Returns the wanted port if it is free, or else another one."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", wanted))
        except OSError:
            probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def child(command):
    """Runs a program that exits when its standard input is closed; yields the process."""
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    try:
        yield process
    finally:
        process.stdin.close()
        process.wait()


@contextlib.contextmanager
def nginx(root, port=0):
    """Serves a folder on the addresses 127.0.0.1 to 127.0.0.8, which count as hosts; yields the port."""
    port = free_port(port)
    with tempfile.TemporaryDirectory(prefix="emblem-nginx-") as folder:
        # nginx workers run as another user and need access.
        os.chmod(folder, 0o755)
        script = os.path.join(HOME, "Datasets/Server/nginx.sh")
        configuration = os.path.join(HOME, "Datasets/Server/pictures.conf")
        with child([script, folder, configuration, f"port={port}", f"root={root}"]) as process:
            if process.stdout.readline().strip() != "ready":
                raise SystemExit("nginx did not start; install it with apt install nginx-light")
            yield port


@contextlib.contextmanager
def fault_server():
    """Runs a server whose paths select faults; yields its HTTP port."""
    with child(["python3", os.path.join(HOME, "Tests/Servers/fault_server.py")]) as process:
        words = dict(word.split("=") for word in process.stdout.readline().split())
        yield int(words["plain"])
