"""A long answer on a terminal is read in a pager: $PAGER, or less. Never in a pipe, nor with --no-pager or NO_PAGER."""

import io
import os
import shlex
import shutil
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager

from pitboss.cli.asked import drawn_on
from pitboss.cli.screen import Screen
from pitboss.cli.streams import somebody_reads, through


def pager() -> list[str]:
    """The command of the pager; nothing where there is none."""
    if os.environ.get("NO_PAGER"):
        return []
    said = os.environ.get("PAGER")
    words = shlex.split(said) if said is not None else ["less"] if shutil.which("less") else []
    return words if words and words != ["cat"] else []


@contextmanager
def paged(args: Namespace) -> Iterator[None]:
    """While a command answers: what is longer than the screen goes through the pager."""
    screen, command = Screen(), pager()
    quiet = getattr(args, "no_pager", True) or getattr(args, "json", False)  # others are played, or watched
    if quiet or not command or not somebody_reads() or screen.is_dumb_terminal:
        yield
        return
    kept = io.StringIO()
    copy = Screen(
        file=kept, force_terminal=True, color_system=screen.color_system, width=screen.width, height=screen.height
    )
    try:
        with drawn_on(copy):
            yield
    finally:
        text = kept.getvalue()
        through(command if text.count("\n") >= screen.height else [], text)
