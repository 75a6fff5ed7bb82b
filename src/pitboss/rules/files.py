"""A game from its file. A game file is a program: reading it runs it."""

import linecache
import sys
from pathlib import Path
from types import CodeType, ModuleType

from pitboss.rules.errors import BadInput, RuleError, Site
from pitboss.rules.game import SHIPPED, Game
from pitboss.rules.mistakes import in_the_file

MOST_BYTES = 1 << 20  # of a game file; a long one has 20,000
_KNOWN: dict[tuple[str, bytes], Game] = {}
_MOST_KNOWN = 64


def game_of(reference: str) -> Game:
    """A game by the reference that `Game.reference` gives: a shipped name or a path. The same text is read once."""
    shipped = not reference.endswith(".py")
    path = SHIPPED / f"{reference.replace('-', '_')}.py" if shipped else Path(reference)
    if not path.is_file():
        raise BadInput(f"there is no game file {path}")
    key = (str(path.resolve()), _source(path))
    if key not in _KNOWN:
        while len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.pop(next(iter(_KNOWN)), None)
        _KNOWN[key] = load_file(path, checked=shipped)
    return _KNOWN[key]


def load_file(path: Path, checked: bool = False) -> Game:
    """The GAME of a file. A file that does not load, or declares what cannot be, is a RuleError with its line. What is
    shipped has been `checked` before."""
    name = f"pitboss_game_{path.stem}"
    module = ModuleType(name)
    module.__file__ = str(path.resolve())
    code = _compiled(path, module.__file__)
    sys.modules[name] = module
    linecache.checkcache(module.__file__)
    with in_the_file(module.__file__, "the file"):
        exec(code, module.__dict__)
    game = getattr(module, "GAME", None)
    if not isinstance(game, Game):
        raise RuleError(
            f"{path.name} defines no GAME; end it with GAME = Game(name=..., title=..., play=play, wagers=...)"
        )
    if not checked:
        from pitboss.rules.declared import check_declared

        check_declared(game)
    return game


def _compiled(path: Path, file: str) -> CodeType:
    """From the source, never from a cache of compiled files, which misses a change within one second."""
    try:
        return compile(_source(path), file, "exec")
    except SyntaxError as error:
        linecache.checkcache(file)
        raise Site(file, error.lineno or 1).error(f"this is not Python: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise RuleError(f"{path.name} is not Python: {error or 'it is nested too deeply'}") from None


def _source(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            text = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from None
    if len(text) > MOST_BYTES:
        raise BadInput(f"{path} is longer than a game file can be ({MOST_BYTES:,} bytes)")
    return text
