"""The transcripts in docs/: commands with what they print, at a fixed width, which `make docs` runs again."""

import io
import os
import re
import shlex
import tempfile
from collections.abc import Callable
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

from pitboss.cli import main

BLOCK = re.compile(r"```(?:text|console)?\n\$ (pitboss [^\n]+)\n(.*?)```", re.S)
WIDTH = 100


def printed_by(command: str, root: Path) -> str:
    """What a command prints, run from the top of the work tree; a chart goes to a place of its own."""
    words = shlex.split(command)[1:]
    out = io.StringIO()
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = str(WIDTH)
    try:
        with tempfile.TemporaryDirectory() as scratch, chdir(root), redirect_stdout(out), redirect_stderr(out):
            if "--plot" in words:
                place = words.index("--plot") + 1
                words[place] = f"{scratch}/{words[place]}"
            main(words)
        said = out.getvalue().replace(f"{scratch}/", "")
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before
    return "\n".join(line.rstrip() for line in said.splitlines()).strip("\n")


def refreshed(page: str, root: Path, watch: Callable[[str], None] = lambda command: None) -> str:
    """The page with every transcript as it is printed today."""

    def again(block: re.Match[str]) -> str:
        watch(block[1])
        return f"```text\n$ {block[1]}\n{printed_by(block[1], root)}\n```"

    return BLOCK.sub(again, page)
