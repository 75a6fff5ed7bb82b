"""Files that are right, to be damaged: made by pitboss itself, so that a new format is attacked at once."""

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from fuzz.nonsense import SMALL

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
GAMES = ROOT / "src" / "pitboss" / "games"
CLAIMS = ROOT / "claims"


def pitboss(*words: str, folder: Path, stdin: str = "", cache: Path | None = None) -> subprocess.CompletedProcess[str]:
    """A command, as a user would give it."""
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "80"}
    if cache is not None:
        env["PITBOSS_CACHE"] = str(cache)
    return subprocess.run(
        [sys.executable, "-m", "pitboss.cli", *words], cwd=folder, input=stdin, env=env, capture_output=True, text=True
    )


def made(name: str, *words: str, stdin: str = "") -> bytes:
    """The file that a command leaves behind."""
    with tempfile.TemporaryDirectory() as folder:
        done = pitboss(*words, folder=Path(folder), stdin=stdin)
        path = Path(folder) / name
        if not path.exists():
            raise RuntimeError(f"pitboss {' '.join(words)} has made no {name}: {done.stderr}")
        return path.read_bytes()


@cache
def small_log() -> bytes:
    """Three rounds of Bluff, with a choice each."""
    return made(
        "log.jsonl", "play", "bluff", "--bet", "ante=10", "--bet", "suit-tie=5", "--rounds", "3", "--log", "log.jsonl",
        stdin="\nraise\n\ncall\n\ncheck\n",
    )  # fmt: skip


CHECKPOINT = ("simulate", "bluff", "--wager", "ante", "--seed", "7", "--checkpoint", "run.ck", "--rounds")


@cache
def small_checkpoint() -> bytes:
    """A run that was stopped on its way."""
    return made("run.ck", *CHECKPOINT, "300000")


@cache
def small_claims() -> bytes:
    """The quick ones of the shipped claims about Bluff."""
    blocks = (CLAIMS / "bluff.toml").read_text().split("\n[[claim]]")
    quick = [b for b in blocks[1:] if "unstated" not in b and "across" not in b][:5]
    return "\n[[claim]]".join([blocks[0], *quick]).encode()


EVIL = b'from pathlib import Path\nPath("witness").write_text("run")\n' + SMALL.encode()
"""A game file that leaves a witness wherever it is run."""


@cache
def evil_log() -> bytes:
    """A log that is right in every way, of a game that is a program; the program is still where the log says."""
    folder = Path(tempfile.mkdtemp(prefix="pitboss-fuzz-evil-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / "evil.py").write_bytes(EVIL)
    done = pitboss("play", "evil.py", "--rounds", "1", "--log", "log.jsonl", folder=folder, stdin="\nraise\n\n")
    if not (folder / "log.jsonl").exists():
        raise RuntimeError(f"no log of a game file was made: {done.stderr}")
    return (folder / "log.jsonl").read_bytes()


CACHED = ("analyze", "bluff", "--wager", "suit-tie", "--json")


@cache
def small_cache() -> tuple[dict[str, bytes], Any]:
    """The cache that a command leaves behind, and what the command has found."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "cache"
        done = pitboss(*CACHED, folder=Path(folder), cache=home)
        kept = {f"cache/{path.relative_to(home)}": path.read_bytes() for path in home.rglob("*") if path.is_file()}
        return kept, json.loads(done.stdout)
