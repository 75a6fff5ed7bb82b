"""What the course of a round can depend on: two houses that agree in it are played alike, whatever they pay."""

from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pitboss.rules.house import House


def rounds_key(house: "House", leaving: frozenset[str] = frozenset()) -> tuple[object, ...]:
    """The rules, the names of rows, what is bet, whether there are cards enough, and whether a card can come twice; not
    what a row pays. Options to be left out are named."""
    rows = tuple((name, tuple(t.pays), tuple(t.meters())) for name, t in house.tables.items())
    wagers = tuple((w.name, w.equal_to, w.times, w.required, w.free) for w in house.wagers)
    cards = min(sum(house.composition), 200), max(house.composition) > 1
    options = tuple(one for one in house.options.items() if one[0] not in leaving)
    return house.game.key, options, rows, wagers, house.placed, cards


def course(house: "House") -> dict[str, Any]:
    """Room for what is learnt of how rounds go, one for all houses whose rounds go alike whatever their meters show."""
    shown = frozenset(meter.meter for table in house.tables.values() for _, meter in table.meters())
    return _course(rounds_key(house, shown))


@lru_cache(maxsize=32)  # of the houses that were played last; limits make another
def _course(key: tuple[object, ...]) -> dict[str, Any]:
    return {}
