"""A house on its way to another machine: what was chosen, and the text of a game file that is not shipped.

To another process of this machine a house goes by reference (`House.__reduce__`). Another machine has the shipped
games, and checks their hash; any other game file goes along as text, and is read there through the same front door.
"""

from typing import Any

from pitboss.rules.files import game_sent, text_of
from pitboss.rules.house import House


def sent(house: House) -> tuple[Any, ...]:
    """Plain values, from which `received` makes the same house."""
    receive, (reference, sha256, *chosen) = house.__reduce__()
    own = reference.endswith(".py")
    return (receive, house.game.file.name if own else reference, text_of(house.game) if own else None, sha256, *chosen)


def received(receive: Any, name: str, text: bytes | None, sha256: str, *chosen: Any) -> House:
    """A house from a machine that this one works for. It is made as one from another process is made."""
    reference = name if text is None else game_sent(name, text, sha256).reference()
    house: House = receive(reference, sha256, *chosen)
    return house
