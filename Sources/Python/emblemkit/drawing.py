# SPDX-License-Identifier: Apache-2.0
"""A function that draws a single image."""

import os
import subprocess
from typing import Literal

from .errors import RenderError, ToolError
from .options import Value, flags
from .program import find_program
from .tables import Source

Component = Literal["emblem", "avatar", "badge", "state", "shimmer"]


def render(
    source: Source | None = None,
    *,
    component: Component = "emblem",
    format: str = "png",
    program: str | None = None,
    **options: Value | None,
) -> bytes:
    """Returns the bytes of an emblem, avatar, badge, state view or shimmer from `emblem render`.

    The source is a path, a URL or the bytes of an image; badges and state views have no source.
    The `options` are those of `emblem render`, as in `layout="large", scale=2`. Raises
    `RenderError`, which contains the placeholder, if the source cannot be shown, and `ToolError`
    for wrong options or a missing file.
    """
    arguments = [find_program(program), "render", component, "--output", "-", "--format", format]
    arguments += flags(options)
    if isinstance(source, bytes):
        arguments.append("-")
    elif source is not None:
        # A path can start with a dash; the tool must not read it as an option or standard input.
        path = os.fspath(source)
        arguments += ["--", "./-" if path == "-" else path]
    process = subprocess.run(
        arguments,
        input=source if isinstance(source, bytes) else b"",
        capture_output=True,
        check=False,
    )
    text = process.stderr.decode(errors="replace").strip()
    if process.returncode == 1:
        raise RenderError(text, 1, process.stdout)
    if process.returncode != 0:
        text = text or f"emblem render ended with {process.returncode}"
        raise ToolError(text, process.returncode)
    return process.stdout
