"""Where games come from: the shipped ones by name, a user's own by path.

A game file is a program, and reading it runs it. So a path comes from the user alone, by way of `load`; a name that
stands in a file (a log, a document's claims) goes through `named`, which reads no file but the shipped ones.
"""

import os

TYPE_CHECKING = False  # typing itself is slow to import, and listing games should not wait for it
if TYPE_CHECKING:
    from collections.abc import Sequence

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
    from pitboss.rules.files import load_file, shipped_game

    names = shipped()
    if which in names:
        return shipped_game(which)
    path = Path(which)
    if path.suffix != ".py":
        raise BadInput(f"there is no game {which!r}; there are {', '.join(names)}, or name a file such as my_game.py")
    if not os.path.isfile(which):
        raise BadInput(
            f"there is no file {which}; name a shipped game ({', '.join(names)}) or a file that defines GAME"
        )
    return load_file(path)


def named(name: str, games: "Sequence[Game]", by: str) -> "Game":
    """The game that a file is about: one of those that the user has named, by its name or the name of its file, or a
    shipped one. `by` is the file that says so; what it says is compared, and never opened."""
    from pitboss.rules import BadInput
    from pitboss.rules.files import shipped_game

    file = name.replace("\\", "/").rpartition("/")[2]
    found = [game for game in games if name == game.name or file == game.file.name]
    if len(found) > 1 and len({game.sha256 for game in found}) > 1:
        raise BadInput(f"{by} is about {name[:80]!r}, and {len(found)} of the `games` are called so; name one of them")
    if found:
        return found[0]
    names = shipped()
    if name in names:
        return shipped_game(name)
    if name.endswith(".py"):
        raise BadInput(
            f"{by} is about the game file {name[:80]!r}; a game file is a program, so name it yourself with `games`"
        )
    raise BadInput(
        f"{by} is about the game {name[:80]!r}, which is not shipped; there are {', '.join(names)}, or name its file "
        "with `games`"
    )
