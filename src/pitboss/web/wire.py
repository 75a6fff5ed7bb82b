"""A scene as a program reads it. Most of it is the same for everybody who looks, and is written once."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from pitboss.rules.house import House
from pitboss.web.scene import Scene, wagers

_encode = json.JSONEncoder(separators=(",", ":")).encode
SHARED = ("dealer", "places")


def text(base: Scene, mine: Mapping[str, Any], house: House, clock: Mapping[str, Any] | None, number: int) -> str:
    """The same as the JSON of `scene.scene`, put together of what everybody sees and of what is one's own."""
    told: dict[str, Any] = base.setdefault("_wire", {})
    if not told:
        table = _encode({name: part for name, part in base["table"].items() if name != "clock"})
        told |= {"table": table[:-1], "seats": {seat["seat"]: _encode(seat) for seat in base["seats"]}}
        told["rest"] = ",".join(f'"{name}":{_encode(base[name])}' for name in SHARED)
    own = {seat: _encode(found) for seat, found in mine["seats"].items()}
    seats = ",".join(own.get(seat, other) for seat, other in told["seats"].items())
    parts = ",".join(f'"{name}":{_encode(mine[name])}' for name in ("choose", "you", "say"))
    return (
        f'{{"scene":{number},"shows":{{"table":{told["table"]},"clock":{_encode(clock)}}},"wagers":{_wagers(house)},'
        f'"seats":[{seats}],{told["rest"]},{parts}}}}}'
    )


@lru_cache(maxsize=256)
def _wagers(house: House) -> str:
    return _encode(wagers(house))
