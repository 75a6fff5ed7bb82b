"""Where games come from: the shipped ones by name, a user's own by path."""

import os

TYPE_CHECKING = False  # typing itself is slow to import, and listing games should not wait for it
if TYPE_CHECKING:
    from pathlib import Path

    from pitboss.rules import Game

_SHIPPED = os.path.join(os.path.dirname(__file__), "games")


def shipped() -> dict[str, str]:
    """Name -> the first line of the game file's docstring, read as text so that listing games imports nothing."""
    found = {}
    for file in sorted(os.listdir(_SHIPPED)):
        if file.endswith(".py") and not file.startswith("_"):
            with open(os.path.join(_SHIPPED, file), encoding="utf-8") as f:
                found[file[:-3].replace("_", "-")] = f.readline().strip().strip('"')
    return found


def load(which: str) -> "Game":
    """A game by name, or from a file that defines GAME."""
    from pathlib import Path

    from pitboss.rules import BadInput

    names = shipped()
    if which in names:
        return load_file(Path(_SHIPPED) / f"{which.replace('-', '_')}.py")
    path = Path(which)
    if path.suffix != ".py":
        raise BadInput(f"there is no game {which!r}; there are {', '.join(names)}, or name a file such as my_game.py")
    if not path.is_file():
        raise BadInput(
            f"there is no file {which}; name a shipped game ({', '.join(names)}) or a file that defines GAME"
        )
    return load_file(path)


def load_file(path: "Path") -> "Game":
    """The GAME of a file. A file that does not load is a RuleError with its line."""
    import linecache
    import sys
    from types import ModuleType

    from pitboss.rules import BadInput, Game, RuleError
    from pitboss.rules.errors import Site

    name = f"pitboss_game_{path.stem}"
    module = ModuleType(name)
    module.__file__ = str(path.resolve())
    sys.modules[name] = module
    linecache.checkcache(module.__file__)
    try:  # from the source, never from a cache of compiled files, which misses a change within one second
        exec(compile(path.read_bytes(), module.__file__, "exec"), module.__dict__)
    except SyntaxError as error:
        where = Site(str(path), error.lineno or 1)
        raise where.error(f"this is not Python: {error.msg}") from None
    except BadInput:
        raise
    except Exception as error:
        import traceback

        lines = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == str(path.resolve())]
        where = Site(str(path), (lines[-1].lineno or 1) if lines else 1)
        raise where.error(f"the file does not load: {type(error).__name__}: {error}") from None
    game = getattr(module, "GAME", None)
    if not isinstance(game, Game):
        raise RuleError(
            f"{path.name} defines no GAME; end it with GAME = Game(name=..., title=..., play=play, wagers=...)"
        )
    return game
