"""Servers on this machine, ended with the block that holds them."""

import contextlib
import os
import socket
import subprocess
import tempfile

from .places import HOME


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def child(command):
    """A program that ends when its standard input does; yields the process."""
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    try:
        yield process
    finally:
        process.stdin.close()
        process.wait()


@contextlib.contextmanager
def nginx(root):
    """Hands out a folder under 127.0.0.1 to .8, each a host of its own; yields the port."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="emblem-nginx-") as folder:
        # nginx workers run as another user and need access.
        os.chmod(folder, 0o755)
        script = os.path.join(HOME, "Datasets/Server/nginx.sh")
        configuration = os.path.join(HOME, "Datasets/Server/pictures.conf")
        with child([script, folder, configuration, f"port={port}", f"root={root}"]) as process:
            if process.stdout.readline().strip() != "ready":
                raise SystemExit("nginx does not start; apt install nginx-light")
            yield port


@contextlib.contextmanager
def fault_server():
    """A server that misbehaves as its paths say; yields its plain port."""
    with child(["python3", os.path.join(HOME, "Tests/Servers/fault_server.py")]) as process:
        words = dict(word.split("=") for word in process.stdout.readline().split())
        yield int(words["plain"])
