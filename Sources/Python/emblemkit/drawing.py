# SPDX-License-Identifier: Apache-2.0
"""A single image."""

import os
import subprocess
from typing import Literal

from .errors import RenderError, ToolError
from .options import Value, flags
from .program import find_program, tool_environment
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
    """Returns the file of one emblem, avatar, badge, state view or shimmer, by `emblem render`.

    The source is a path, a URL or the bytes of an image; badges and state views have none. The
    `options` are those of `emblem render`, as in `layout="large", scale=2`. Throws `RenderError`,
    which has the placeholder, if the source cannot be shown, and `ToolError` for wrong options or a
    missing file.
    """
    words = [find_program(program), "render", component, "--output", "-", "--format", format]
    words += flags(options)
    if isinstance(source, bytes):
        words.append("-")
    elif source is not None:
        # A path that begins with a dash is neither an option nor standard input.
        path = os.fspath(source)
        words += ["--", "./-" if path == "-" else path]
    done = subprocess.run(
        words,
        input=source if isinstance(source, bytes) else b"",
        capture_output=True,
        check=False,
        env=tool_environment(),
    )
    text = done.stderr.decode(errors="replace").strip()
    if done.returncode == 1:
        raise RenderError(text, 1, done.stdout)
    if done.returncode != 0:
        raise ToolError(text or f"emblem render ended with {done.returncode}", done.returncode)
    return done.stdout
