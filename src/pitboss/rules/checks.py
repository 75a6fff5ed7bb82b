"""What must be true of a game file as a whole, and where in it a mistake lies."""

import ast
import inspect
from collections.abc import Sequence
from functools import lru_cache

from pitboss.rules.column import Column, walk
from pitboss.rules.errors import Site
from pitboss.rules.graph import Decide, End, Jump, Mark, Node, columns_in
from pitboss.rules.house import House
from pitboss.rules.operations import STRENGTHS

_OF_ONE_DECK = dict.fromkeys(STRENGTHS, 4) | {"flush_strength": 2}  # from so many cards


def check_sight(decisions: Sequence[Decide], nodes: Sequence[Node]) -> None:
    """A decision may be made by what the player can see only, also by way of a mark."""
    enters = [n for n in nodes if isinstance(n, Mark | Jump)]
    hidden: set[int] = set()  # registers that hold what nobody can see
    changed = True

    def peeks(col: Column, at: Node) -> bool:
        dark = {s for g in at.groups if not g.seen for s in g.slots}
        return bool(col.slots & (dark | hidden))

    while changed:
        changed = False
        for way in enters:
            for slot, value in zip(way.target.slots, way.values, strict=True):
                if slot not in hidden and peeks(value, way):
                    hidden.add(slot)
                    changed = True
    for decision in decisions:
        for label, col in decision.by:
            if peeks(col, decision):
                raise decision.site.error(f"the player cannot see what {label!r} looks at, so he cannot decide by it")


def line_with(house: House, word: str) -> Site | None:
    """The line of `play` that has this word in it."""
    lines, first = inspect.getsourcelines(house.game.play)
    found = next((i for i, line in enumerate(lines) if word in line), None)
    return None if found is None else Site(home(house).file, first + found)


def check_whole(house: House, options_read: set[str]) -> None:
    """An option that no line of the file ever asks for changes nothing, which its author cannot have meant."""
    source = house.game.path.read_text(errors="replace") if house.game.path.exists() else ""
    offered = [*house.tables.values(), *(table for w in house.wagers for table in w.tables)]
    meters = [pay for table in offered for _, pay in table.meters()]
    used = options_read | {"decks", "stake"} | {name for m in meters for name in (m.meter, m.seed, m.increment)}
    unread = [option for option in house.game.options if option.name not in used]
    asked = _asked_for(source) if unread else frozenset[str]()
    for option in unread:
        if option.name not in asked:
            raise house.game.line_of(option.name).error(
                f"the option {option.name!r} is declared but never asked for; read it with t.option({option.name!r})"
            )


@lru_cache(maxsize=64)
def _asked_for(source: str) -> frozenset[str]:
    """Options that the file asks for somewhere, though perhaps not under these options: t.option("x"), options["x"]."""
    found: set[str] = set()
    for point in ast.walk(ast.parse(source)):
        if isinstance(point, ast.Subscript):
            parts = [point.slice]
        elif isinstance(point, ast.Call) and ast.unparse(point.func).rpartition(".")[2] in ("option", "get", "Meter"):
            parts = [*point.args, *(k.value for k in point.keywords)]
        else:
            continue
        found.update(p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str))
    return frozenset(found)


def check_shares(house: House, ends: Sequence[End]) -> None:
    """A wager between the players is one on every way through the round: seats may go different ways."""
    for name in {name for end in ends for name in end.shares}:
        other = next((end for end in ends if name not in end.shares), None)
        if other is not None:
            where = other.events[-1].site if other.events else home(house)
            raise where.error(
                f"{name} is shared between the players on another way through the round, and not on this one"
            )


def check_hands(house: House, nodes: Sequence[Node]) -> None:
    """Strengths are those of one deck. With two equal cards there are hands that no ranking knows, five of a kind."""
    if max(house.composition) == 1:
        return
    for col in walk(c for point in nodes for c in columns_in(point)):
        if len(col.args) >= _OF_ONE_DECK.get(col.op, len(col.args) + 1):
            word = "flush_strength" if col.op == "flush_strength" else "strength"
            raise (line_with(house, f"{word}(") or home(house)).error(
                f"{word}() of {len(col.args)} cards ranks hands of one deck, and this shoe can deal the same card twice"
                + ("; with several decks, rank two or three cards" if word == "strength" else "")
            )


def home(house: House) -> Site:
    code = house.game.play.__code__
    return Site(code.co_filename, code.co_firstlineno)
