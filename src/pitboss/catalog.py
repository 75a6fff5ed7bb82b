"""Where games come from: the shipped ones by name, a user's own by path."""

import os

TYPE_CHECKING = False  # typing itself is slow to import, and listing games should not wait for it
if TYPE_CHECKING:
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
    from pitboss.rules.files import game_of, load_file

    names = shipped()
    if which in names:
        return game_of(which)
    path = Path(which)
    if path.suffix != ".py":
        raise BadInput(f"there is no game {which!r}; there are {', '.join(names)}, or name a file such as my_game.py")
    if not os.path.isfile(which):
        raise BadInput(
            f"there is no file {which}; name a shipped game ({', '.join(names)}) or a file that defines GAME"
        )
    return load_file(path)
