"""A game from its file. A game file is a program: reading it runs it."""

import hashlib
import linecache
import sys
import traceback
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from pitboss.rules.errors import BadInput, RuleError, Site
from pitboss.rules.game import SHIPPED, Game

_KNOWN: dict[tuple[str, bytes], Game] = {}
_MOST_KNOWN = 64


def game_of(reference: str) -> Game:
    """A game by the reference that `Game.reference` gives: a shipped name or a path."""
    if not reference.endswith(".py"):
        return shipped_game(reference)
    return _read(Path(reference))


def shipped_game(name: str) -> Game:
    """A game that is shipped, by its exact name. No text leads to another file: data may be asked for its game here."""
    files = {path.stem.replace("_", "-"): path for path in SHIPPED.glob("[!_]*.py")}
    if name not in files:
        raise BadInput(f"there is no game {name[:80]!r}; there are {', '.join(sorted(files))}")
    return _read(files[name])


def _read(path: Path) -> Game:
    """The same text is read once."""
    if not path.is_file():
        raise BadInput(f"there is no game file {path}")
    key = (str(path.resolve()), path.read_bytes())
    if key not in _KNOWN:
        while len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.pop(next(iter(_KNOWN)), None)
        _KNOWN[key] = load_file(path)
    return _KNOWN[key]


def load_file(path: Path) -> Game:
    """The GAME of a file. A file that does not load is a RuleError with its line."""
    name = f"pitboss_game_{path.stem}"
    module = ModuleType(name)
    module.__file__ = str(path.resolve())
    sys.modules[name] = module
    linecache.checkcache(module.__file__)
    text = path.read_bytes()
    try:  # from the source, never from a cache of compiled files, which misses a change within one second
        exec(compile(text, module.__file__, "exec"), module.__dict__)
    except SyntaxError as error:
        where = Site(str(path), error.lineno or 1)
        raise where.error(f"this is not Python: {error.msg}") from None
    except BadInput:
        raise
    except Exception as error:
        lines = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == str(path.resolve())]
        where = Site(str(path), (lines[-1].lineno or 1) if lines else 1)
        raise where.error(f"the file does not load: {type(error).__name__}: {error}") from None
    game = getattr(module, "GAME", None)
    if not isinstance(game, Game):
        raise RuleError(
            f"{path.name} defines no GAME; end it with GAME = Game(name=..., title=..., play=play, wagers=...)"
        )
    own = replace(game)  # it may be borrowed from another file
    own.__dict__.update(file=Path(module.__file__), sha256=hashlib.sha256(text).hexdigest())  # of what was run
    return own
