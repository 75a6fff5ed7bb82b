"""What one seat brings the house in a round: its bets, counted together where they can be, else one by one.

A meter is the players' money: what every bet adds to it is set aside at once, and when it is hit the house pays the new
seed. So a bet on a progressive costs the house the same in the long run, whatever the meter shows today.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import prod, sqrt

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import shoe_cards
from pitboss.compile import Keys, simulator
from pitboss.drawn import DrawnWager
from pitboss.exact import OpenGame, Parts, Solver, TooLarge
from pitboss.exact.chance import Chance
from pitboss.exact.kernels.showdown import showdown_ways
from pitboss.exact.derived import one_wager_house
from pitboss.exact.symmetry import columns_of
from pitboss.floor.lattice import Chain
from pitboss.rules.house import House
from pitboss.rules.graph import PLAYER, Deal, Graph
from pitboss.rules.trace import trace

Counted = Solver | Parts | OpenGame
Case = tuple[Fraction, tuple[Fraction, ...]]  # probability, the house's win on each wager of a part
Move = tuple[int, int]  # what a seat has carried over before the round and after it, by number
ONE: Move = (0, 0)
CHUNK, CHUNKS = 1 << 18, 16  # hands of a simulated wager
EXACT, ENUMERATED, SIMULATED = "exact", "exact in double precision", "simulated"


@dataclass(frozen=True)
class Part:
    """Bets that are counted together: every case of what the house wins on each of them when all are made."""

    wagers: tuple[str, ...]
    cases: Mapping[Move, Sequence[Case]]  # probabilities from the state before
    share: tuple[Fraction, ...] = (Fraction(1),)  # how often each carried state comes up
    spread: str = EXACT  # how the chances of the cases are known
    mean_of: str = EXACT  # how the mean is known
    ways: int = 0  # counted, or hands simulated
    standard_error: float = 0.0  # of a simulated mean
    shared: bool = False  # whether no player's own card matters, so that all seats win and lose alike

    def theo(self, wager: str) -> Fraction:
        """What the house wins on one of the bets, on average."""
        place = self.wagers.index(wager)
        every = ((self.share[before] * p, wins) for (before, _), cases in self.cases.items() for p, wins in cases)
        return sum((p * wins[place] for p, wins in every), Fraction(0))


def counted(house: House, strategy: str) -> Counted:
    """The game counted by the first way that can do it."""
    if trace(house).open_ended:
        return OpenGame(house, strategy)
    try:
        return Solver(house, strategy)
    except TooLarge:
        return Parts(house, strategy)


def reseeded(house: House) -> House:
    """The same house with every meter at its seed."""
    seeds = {m.meter: house.amount(m.seed) for wager in house.tables for _, m in house.meters(wager)}
    return replace(house, options={**house.options, **seeds}) if seeds else house


def set_aside(house: House, wager: str) -> Fraction:
    """What each bet on a wager adds to its meters."""
    return sum((house.amount(meter.increment) for _, meter in house.meters(wager)), Fraction(0))


def parts_of(
    book: Counted, bets: Mapping[str, Fraction], seed: int, banked: Collection[str] | None = None
) -> list[Part]:
    """The bets of one seat in as few parts as can be counted together; wagers among the players are none of these, and
    parts without one of the named wagers are left out."""
    bets = {p: amount for p, amount in bets.items() if p not in book.shared}
    named = bets if banked is None else banked
    if isinstance(book, Solver):
        return [_solved(book, bets)]
    if isinstance(book, Parts):
        return [_contested(book, group) for group in _same_cards(book, bets) if {*named} & {*group}]
    apart = [p for p in bets if p in named]
    return [_played(book, p, bets[p], seed) if p in book.decided else _aside(book, p, bets[p]) for p in apart]


def _solved(book: Solver, bets: Mapping[str, Fraction]) -> Part:
    prices = [[net * amount for net in book.prices(p, amount)] for p, amount in bets.items()]
    total, places = book.induction.ways, {state: i for i, state in enumerate(book.induction.states)}
    keeps = [f"carried {name}" for name in book.graph.carried]
    cases: dict[Move, list[Case]] = {}
    for before, counts in enumerate(book.state_ways):
        for leaf in book.cells.leaves:
            for cell in range(leaf.offset, leaf.offset + leaf.size):
                if counts[cell]:
                    rows = leaf.decode(cell) if keeps else {}
                    move = (before, places[tuple(int(rows[name]) for name in keeps)])
                    won = tuple(-nets[cell] for nets in prices)
                    cases.setdefault(move, []).append((Fraction(counts[cell], total), won))
    return _part(book.house, bets, cases, total, tuple(book.weights))


def _same_cards(book: Parts, bets: Mapping[str, Fraction]) -> Iterator[dict[str, Fraction]]:
    """Groups of bets that look at the same cards, or at fewer of them: those with the most cards lead."""
    looks = {s.wager: s.rows.index.slots for s in next(book.graph.ends()).settled}
    left = sorted(bets, key=lambda p: -len(looks[p]))
    while left:
        group = [p for p in left if looks[p] <= looks[left[0]]]
        yield {p: bets[p] for p in bets if p in group}
        left = [p for p in left if p not in group]


def _contested(book: Parts, bets: Mapping[str, Fraction]) -> Part:
    rows = {s.wager: s.rows for s in next(book.graph.ends()).settled}
    ways = showdown_ways([rows[p] for p in bets])
    if ways is None:
        (party,) = bets
        return _solved(Solver(one_wager_house(book.house, party)), bets)
    return _from_rows(book.house, bets, ways)


def _from_rows(house: House, bets: Mapping[str, Fraction], ways: Mapping[tuple[str, ...], int]) -> Part:
    total = sum(ways.values())
    cases = [
        (Fraction(n, total), tuple(-house.net(p, r, bets[p]) * bets[p] for p, r in zip(bets, names, strict=True)))
        for names, n in ways.items()
        if n
    ]
    return _part(house, bets, {ONE: cases}, total)


def _aside(book: OpenGame, party: str, amount: Fraction) -> Part:
    alone = one_wager_house(book.house, party)
    try:
        solver = Solver(alone)
    except TooLarge:
        ways, _ = Chance(alone, party).ways(book.house.composition)  # only of wagers that look at no player's card
        part = _from_rows(book.house, {party: amount}, {(row,): n for row, n in ways.items()})
        return replace(part, shared=True)
    return replace(_solved(solver, {party: amount}), shared=not _looks(solver.graph))


def _looks(graph: Graph) -> bool:
    """Whether anything depends on a player's own cards."""
    own = own_cards(graph)
    return any(own & column.slots for point in graph.nodes for column in columns_of(point))


def own_cards(graph: Graph) -> frozenset[int]:
    """The slots of all cards that players get."""
    dealt = (e for node in graph.nodes for e in node.events if isinstance(e, Deal))
    return frozenset(slot for e in dealt if e.who == PLAYER for slot in e.slots)


def all_alike(book: Counted, wagers: Iterable[str]) -> bool:
    """Whether these bets, and what goes with them, come out the same way for all seats, whatever anyone decides."""
    own = own_cards(book.graph)
    alike = {n for d in book.cells.shared if d.kind == "row" and not own & d.index.slots for n in d.names}
    return not book.graph.carried and all(w.name in alike for p in wagers for w in book.house.parties[p])


def _played(book: OpenGame, party: str, amount: Fraction, seed: int) -> Part:
    """The wager that is played, by simulation: rounds with a split are known to the enumeration by their mean only.
    Each chance is then moved a little, in proportion to the result, so that the mean is the enumerated one."""
    keys = Keys(book.graph)
    machine = simulator(book.cells, keys, shoe_cards(book.house.composition))
    table = book.strategy_array(keys)
    counts: NDArray[np.int64] = np.zeros(book.cells.size, np.int64)
    for chunk in range(CHUNKS):
        counts += machine.run(CHUNK, seed, chunk, table)
    worth, common = book.worth(party, amount)
    hands = CHUNK * CHUNKS
    seen: dict[int, int] = {}
    for cell in np.flatnonzero(counts):
        seen[int(worth[cell])] = seen.get(int(worth[cell]), 0) + int(counts[cell])
    chances = {Fraction(-net, common) * amount: Fraction(n, hands) for net, n in seen.items()}
    mean = sum((x * p for x, p in chances.items()), Fraction(0))
    variance = sum((x * x * p for x, p in chances.items()), Fraction(0)) - mean**2
    found = book.wager_result(party) if book.derived else None
    if not isinstance(found, DrawnWager):
        error = sqrt(variance / hands)
        cases = [(p, (x,)) for x, p in chances.items()]
        return Part((party,), {ONE: cases}, spread=SIMULATED, mean_of=SIMULATED, ways=hands, standard_error=error)
    tilt = (Fraction(found.house_edge) * amount - mean) / variance
    cases = [(p * (1 + tilt * (x - mean)), (x,)) for x, p in chances.items()]
    return Part((party,), {ONE: cases}, spread=SIMULATED, mean_of=ENUMERATED, ways=hands)


def _part(
    house: House,
    bets: Mapping[str, Fraction],
    cases: Mapping[Move, Sequence[Case]],
    ways: int,
    share: tuple[Fraction, ...] = (Fraction(1),),
) -> Part:
    """The cases merged, and what goes into the meters set aside."""
    aside = [set_aside(house, p) for p in bets]
    kept: dict[Move, list[Case]] = {}
    for move, some in cases.items():
        merged: dict[tuple[Fraction, ...], Fraction] = {}
        for chance, wins in some:
            merged[wins] = merged.get(wins, Fraction(0)) + chance
        kept[move] = [(p, tuple(w - a for w, a in zip(wins, aside, strict=True))) for wins, p in merged.items()]
    return Part(tuple(bets), kept, share, ways=ways)


def effective(house: House, bets: Sequence[str], rates: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """How often each bet is made: a bet that needs another one is made on a share of the hands that have it."""
    needs = {w.name: w.needs for w in house.wagers}

    def often(wager: str) -> Fraction:
        before = needs[wager]
        own = rates.get(wager, Fraction(1))
        return own * often(before) if before in bets and before else own

    return {wager: often(wager) for wager in bets}


def mixed(house: House, part: Part, rates: Mapping[str, Fraction], wagers: Sequence[str]) -> Chain:
    """What the house wins on a part when each bet is made or not, independently, as often as its rate says; of that,
    what comes from the named wagers. What a seat has carried over goes on as if every bet were made."""
    out: dict[Move, dict[Fraction, Fraction]] = {move: {} for move in part.cases}
    for weight, taken in patterns(house, part.wagers, rates, wagers):
        for move, cases in part.cases.items():
            for chance, wins in cases:
                total = sum((wins[i] for i in taken), Fraction(0))
                out[move][total] = out[move].get(total, Fraction(0)) + weight * chance
    return Chain(part.share, out).settled()


def patterns(
    house: House, bets: Sequence[str], rates: Mapping[str, Fraction], wagers: Sequence[str]
) -> list[tuple[Fraction, list[int]]]:
    """Which of a seat's bets are made, and how likely: of those, the places of the named wagers."""
    needs = {w.name: w.needs for w in house.wagers}
    own = {w: rates.get(w, Fraction(1)) for w in bets}
    some = [w for w in bets if own[w] < 1]
    out = []
    for made in product((True, False), repeat=len(some)):
        on = dict.fromkeys(bets, True) | dict(zip(some, made, strict=True))
        weight = prod((own[w] if on[w] else 1 - own[w] for w in some), start=Fraction(1))
        if weight:
            out.append((weight, [i for i, w in enumerate(bets) if w in wagers and _stands(w, on, needs)]))
    return out


def _stands(wager: str, on: Mapping[str, bool], needs: Mapping[str, str | None]) -> bool:
    before = needs[wager]
    return on[wager] and (before not in on or before is None or _stands(before, on, needs))
