"""A decision that was solved, as arrays: all that can be seen there, how often, and what every choice brings.

This is what a kernel hands over (`solved_rows`), and all that a search for a rule needs of it. Numbers are whole, so
what a rule costs is a fraction and no estimate.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.rules.column import Column, card_in
from pitboss.rules.graph import Bet, Decide, When

Ints = NDArray[Any]  # 64 bits where that suffices, Python integers where not


@dataclass(frozen=True, eq=False)
class Solved:
    """One decision of the graph. `weight / ways` is how likely a round is to come to a row, if the choices before lead
    there; `worth[choice, row] / scale` is what the choice brings there, times that."""

    node: Decide
    slots: tuple[int, ...]  # of the cards that the player sees
    cells: NDArray[np.uint8]  # rows x slots
    weight: Ints
    ways: int
    worth: Ints  # choices x rows
    scale: int
    live: NDArray[np.bool_]  # rows to which the best play comes
    ordered: frozenset[int] = frozenset()  # slots of deals whose order the game looks at
    carried: Mapping[str, Ints] = field(default_factory=dict)
    by: Mapping[str, Ints] = field(default_factory=dict)  # where the decision names what it is made by
    moves: tuple[str, ...] = ()  # the choices, where not every row has the same ones: what `worth` has
    offered: NDArray[np.bool_] | None = None  # and which of them a row has, choices x rows
    sampled: bool = False  # these are some rows of very many

    @property
    def choices(self) -> tuple[str, ...]:
        return self.moves or self.node.choices

    def some(self, rows: NDArray[np.bool_]) -> "View":
        """What is seen in some of the rows."""
        cards = dict(zip(self.slots, self.cells[rows].T, strict=True))
        kept, by = ({name: v[rows] for name, v in found.items()} for found in (self.carried, self.by))
        return view_at(self.node, int(rows.sum()), cards, kept, by)


@dataclass(frozen=True, eq=False)
class View:
    """What is seen, row by row; cards by place: the player's first, then the dealer's, then the board's, then
    those at places that the game has named."""

    rows: int
    cards: tuple[NDArray[Any], ...]
    carried: Mapping[str, Ints] = field(default_factory=dict)
    by: Mapping[str, Ints] = field(default_factory=dict)
    raised: Fraction = Fraction(0)  # what was bet during the round so far, in multiples
    known: dict[object, Any] = field(default_factory=dict)  # worked out once

    def ranks(self, places: tuple[int, ...]) -> NDArray[np.uint8]:
        """rows x cards, the lowest first."""
        if ("ranks", places) not in self.known:
            cards = np.array([self.cards[p] for p in places], np.uint8)
            self.known["ranks", places] = np.sort((cards >> 2).T, axis=1)
        found: NDArray[np.uint8] = self.known["ranks", places]
        return found


@dataclass(frozen=True)
class Laid:
    """The same as columns, for whoever goes through the rows himself."""

    cards: tuple[Column, ...]
    raised: Fraction


def laid_at(node: Decide) -> Laid:
    return Laid(tuple(map(card_in, places_of(node))), raised(node.placed))


def view_at(
    node: Decide, rows: int, cards: Mapping[int, NDArray[Any]], carried: Mapping[str, Ints],
    by: Mapping[str, Ints] | None = None,
) -> View:  # fmt: skip
    """What is seen at a decision when these cards lie in its slots."""
    at = tuple(cards[s] for s in places_of(node) if s in cards)
    return View(rows, at, carried, by or {}, raised(node.placed))


def places_of(node: Decide) -> dict[int, int]:
    """Slot -> place."""
    slots = [s for there in node.sight.values() for s in there]
    return {slot: place for place, slot in enumerate(slots)}


def raised(placed: Mapping[str, Any]) -> Fraction:
    return sum(map(Fraction, placed.values()), Fraction(0))


@dataclass(frozen=True, eq=False)
class Spot:
    """A decision as a person meets it: every node of the graph at which the same is asked about as many cards."""

    name: str
    names: frozenset[str]
    choices: tuple[str, ...]
    sight: (
        tuple[int, ...] | None
    )  # cards of the player, the dealer, the board and other places; None where it is made `by` others
    parts: tuple[Solved, ...]

    @property
    def comes_up(self) -> bool:
        """Whether the best play ever comes here."""
        return any(part.live.any() for part in self.parts)

    @property
    def sampled(self) -> bool:
        return any(part.sampled for part in self.parts)

    def meant(self, decision: str, choices: Sequence[str], sight: tuple[int, ...]) -> bool:
        """Whether this is what is asked."""
        if self.sight is None:
            return decision in self.names and {*choices} <= {*self.choices}
        return decision in self.names and tuple(choices) == self.choices and sight == self.sight


def spots(solved: Iterable[Solved]) -> list[Spot]:
    """Decisions joined: those of one name, and those that place the same bet after other bets."""
    joined: list[tuple[object, set[str], set[frozenset[str]], list[Solved]]] = []
    for part in solved:
        node = part.node
        shape = (part.choices, None if part.moves else sight_of(node))
        placed = frozenset(e.wager for kid in node.kids for e in kid.events if isinstance(e, Bet))
        for known, names, bets, parts in joined:
            if known == shape and (node.name in names or (placed and placed in bets)):
                names.add(node.name)
                bets.add(placed)
                parts.append(part)
                break
        else:
            joined.append((shape, {node.name}, {placed}, [part]))
    found = [_spot(names, bets, parts) for _, names, bets, parts in joined]
    called = [spot.name for spot in found]
    return [replace(s, name=_which(s)) if called.count(s.name) > 1 else s for s in found]


def _which(spot: Spot) -> str:
    """The name of a decision of which there are several, and what leads to this one."""
    told = [s for s in spot.parts[0].node.path if isinstance(s.node, When) and s.node.words]
    if not told or not isinstance(told[-1].node, When):
        return spot.name
    return f"{spot.name}, {'if' if told[-1].answer else 'unless'} {told[-1].node.words}"


def _spot(names: set[str], bets: set[frozenset[str]], parts: Sequence[Solved]) -> Spot:
    node, choices = parts[0].node, parts[0].choices
    placed = sorted(frozenset[str]().union(*bets))
    name = node.name if len(names) == 1 else f"the {' and '.join(placed)} bet"
    return Spot(name, frozenset(names), choices, None if parts[0].moves else sight_of(node), tuple(parts))


def sight_of(node: Decide) -> tuple[int, ...]:
    return tuple(map(len, node.sight.values()))
