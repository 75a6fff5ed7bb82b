"""A scene as a program reads it. Most of it is the same for everybody who looks, and is written once."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from pitboss.rules.house import House
from pitboss.web.lies import Scene, encode
from pitboss.web.scene import wagers

SHARED = ("dealer", "places")


def text(base: Scene, mine: Mapping[str, Any], house: House, clock: Mapping[str, Any] | None, number: int) -> str:
    """The same as the JSON of `scene.scene`, put together of what everybody sees and of what is one's own."""
    told: dict[str, Any] = base.setdefault("_wire", {})
    if not told:
        told["table"] = encode({name: part for name, part in base["table"].items() if name != "clock"})[:-1]
        told["rest"] = ",".join(f'"{name}":{encode(base[name])}' for name in SHARED)
    own = mine["_seats"]
    seats = ",".join(own.get(seat, other).scene.text for seat, other in base["_seats"].items())
    parts = encode({name: mine[name] for name in ("choose", "you", "say", "beats")})[1:]
    return (
        f'{{"scene":{number},"shows":{{"table":{told["table"]},"clock":{encode(clock)}}},"wagers":{_wagers(house)},'
        f'"seats":[{seats}],{told["rest"]},{parts}}}'
    )


@lru_cache(maxsize=256)
def _wagers(house: House) -> str:
    return encode(wagers(house))
