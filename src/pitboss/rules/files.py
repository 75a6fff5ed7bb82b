"""A game from its file. A game file is a program: reading it runs it."""

import hashlib
import linecache
import re
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import CodeType, ModuleType

from pitboss.cards import Composition
from pitboss.disk import write_whole
from pitboss.rules.errors import BadInput, RuleError, Site
from pitboss.rules.game import SHIPPED, Game
from pitboss.rules.house import House, Placed
from pitboss.rules.limits import Limits
from pitboss.rules.mistakes import in_the_file
from pitboss.rules.paytables import PayTable

MOST_BYTES = 1 << 20  # of a game file; a long one has 20,000
LOADING = 10  # seconds for the tables that a file makes as it is read
_KNOWN: dict[tuple[str, bytes], Game] = {}
_MOST_KNOWN = 64
RUN: set[str] = set()
"""Files that are not shipped and have been run in this process."""


def game_of(reference: str) -> Game:
    """A game by the reference that `Game.reference` gives: a shipped name or a path."""
    if not reference.endswith(".py"):
        return shipped_game(reference)
    return _read(Path(reference))


def text_of(game: Game) -> bytes:
    """The text of a game that is not shipped, for a machine that has not got its file."""
    if str(game.file) not in RUN:
        raise BadInput(f"{game.name} was made in Python and has no file of its own, so it cannot be sent elsewhere")
    text = _source(game.file)
    if hashlib.sha256(text).hexdigest() != game.sha256:
        raise BadInput(f"{game.file} has changed since it was read; ask again, and the new one is read")
    return text


def game_sent(name: str, text: bytes, sha256: str) -> Game:
    """A game whose text came from a machine that this one works for: it lies under its hash while this process lives,
    and by the name that it has there, which messages say."""
    if hashlib.sha256(text).hexdigest() != sha256:
        raise BadInput(f"the text of {name[:80]!r} is not the game file that it is said to be")
    folder = Path(_sent().name, sha256)
    folder.mkdir(exist_ok=True)
    path = folder / (name if re.fullmatch(r"\w[\w.-]{0,80}\.py", name, re.ASCII) else "game.py")
    if not path.exists():
        write_whole(path, text)
    return _read(path)


@cache
def _sent() -> "tempfile.TemporaryDirectory[str]":
    return tempfile.TemporaryDirectory(prefix="pitboss-games-")


def shipped_game(name: str) -> Game:
    """A game that is shipped, by its exact name. No text leads to another file: data may be asked for its game here."""
    files = {path.stem.replace("_", "-"): path for path in SHIPPED.glob("[!_]*.py")}
    if name not in files:
        raise BadInput(f"there is no game {name[:80]!r}; there are {', '.join(sorted(files))}")
    return _read(files[name], checked=True)


def _read(path: Path, checked: bool = False) -> Game:
    """The same text is read once."""
    key = (str(path.resolve()), _source(path))
    if key not in _KNOWN:
        while len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.pop(next(iter(_KNOWN)), None)
        _KNOWN[key] = load_file(path, checked)
    return _KNOWN[key]


def load_file(path: Path, checked: bool = False) -> Game:
    """The GAME of a file. A file that does not load, or declares what cannot be, is a RuleError with its line. What is
    shipped has been `checked` before."""
    name = f"pitboss_game_{path.stem}"
    module = ModuleType(name)
    module.__file__ = str(path.resolve())
    text = _source(path)
    code = _compiled(text, path, module.__file__)
    sys.modules[name] = module
    linecache.checkcache(module.__file__)
    if path.parent != SHIPPED:
        RUN.add(module.__file__)
    streams = sys.stdin, sys.stdout, sys.stderr
    try:
        with in_the_file(module.__file__, "the file", seconds=LOADING):
            exec(code, module.__dict__)
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams  # what it does to them ends with it
    game = getattr(module, "GAME", None)
    if not isinstance(game, Game):
        raise RuleError(
            f"{path.name} defines no GAME; end it with GAME = Game(name=..., title=..., play=play, wagers=...)"
        )
    own = replace(game)  # it may be borrowed from another file
    own.__dict__.update(file=Path(module.__file__), sha256=hashlib.sha256(text).hexdigest())  # of what was run
    if not checked:
        from pitboss.rules.declared import check_declared

        check_declared(own)
    return own


def _compiled(text: bytes, path: Path, file: str) -> CodeType:
    """From the source, never from a cache of compiled files, which misses a change within one second."""
    try:
        return compile(text, file, "exec")
    except SyntaxError as error:
        linecache.checkcache(file)
        raise Site(file, error.lineno or 1).error(f"this is not Python: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise RuleError(f"{path.name} is not Python: {error or 'it is nested too deeply'}") from None


def _source(path: Path) -> bytes:
    if not path.is_file():
        raise BadInput(f"there is no game file {path}")
    try:
        with path.open("rb") as file:
            text = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from None
    if len(text) > MOST_BYTES:
        raise BadInput(f"{path} is longer than a game file can be ({MOST_BYTES:,} bytes)")
    return text


def received(
    reference: str, sha256: str, options: Mapping[str, object], tables: Mapping[str, PayTable], shoe: Composition,
    placed: Placed, stake: Fraction | None, under: Limits | None = None,
) -> House:  # fmt: skip
    """A house that came from another process, or from long ago: the game file must be the same. A pickle is a program
    like the game file that it names: open none that somebody else made."""
    game = game_of(reference)
    if game.sha256 != sha256:
        raise BadInput(f"{reference} is not the game file that this house was made of: it has changed since")
    return game.at(options).but(tables=tables, shoe=shoe, placed=placed, stake=stake, under=under)
