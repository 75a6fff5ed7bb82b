"""What one seat brings the house in a round: its bets, counted together where they can be, else one by one.

What cannot be counted is dealt, by a strategy of the game file, and its figures say so.

A meter is the players' money: what every bet adds to it is set aside at once, and when it is hit the house pays the new
seed. So a bet on a progressive costs the house the same in the long run, whatever the meter shows today.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod, sqrt

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import shoe_cards
from pitboss.compile import Keys, dealt_rounds, simulator
from pitboss.deal.players import Asker, keys_of, table_of, tabled, unsolved
from pitboss.earn.lattice import Chain
from pitboss.exact import Study
from pitboss.ledger.figure import DOUBLE, EXACT, SIMULATED
from pitboss.ledger.law import Law, Move
from pitboss.rules.errors import BadInput
from pitboss.rules.graph import PLAYER, Deal, Graph, columns_in
from pitboss.rules.house import DERIVED, House
from pitboss.rules.rewrite import only

Case = tuple[Fraction, tuple[Fraction, ...]]  # probability, the house's win on each wager of a part
ONE: Move = (0, 0)
CHUNK, CHUNKS = 1 << 18, 16  # hands of a simulated wager
ASKED = 8  # so many times fewer where the strategy is asked round by round
BATCHES = 16  # for standard errors
WARM_UP = 64  # uncounted rounds, where seats carry something over
WIDE = "looks at more cards than a table of answers holds, so a whole table cannot be dealt by it"


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
    without: tuple[Fraction, ...] = ()  # a simulated mean without each of the batches
    staked: Fraction = Fraction(1)  # in all, in units of the bet, where nothing is counted

    def theo(self, wager: str) -> Fraction:
        """What the house wins on one of the bets, on average."""
        place = self.wagers.index(wager)
        every = ((self.share[before] * p, wins) for (before, _), cases in self.cases.items() for p, wins in cases)
        return sum((p * wins[place] for p, wins in every), Fraction(0))


def reseeded(house: House) -> House:
    """The same house with every meter at its seed."""
    seeds = {m.meter: house.amount(m.seed) for wager in house.tables for _, m in house.meters(wager)}
    return house.but(seeds) if seeds else house


def set_aside(house: House, wager: str) -> Fraction:
    """What each bet on a wager adds to its meters."""
    return sum((house.amount(meter.increment) for _, meter in house.meters(wager)), Fraction(0))


def parts_of(
    study: Study, bets: Mapping[str, Fraction], seed: int, banked: Collection[str] | None = None
) -> list[Part]:
    """The bets of one seat in as few parts as can be counted together; wagers among the players are none of these, and
    parts without one of the named wagers are left out. Of hands that are drawn card by card the wager that is played
    has no law: it is dealt, and so is what cannot be counted."""
    bets = {p: amount for p, amount in bets.items() if p not in study.book.shared}
    named = {*bets} if banked is None else {*banked}
    if not study.drawn:
        beyond = [p for p in bets if p in study.plan.refused]
        every = _counted(study.laws([p for p in bets if p not in beyond]), bets)
        every += [_played(study, p, bets[p], seed) for p in beyond if p in named]
        return [part for part in every if named & {*part.wagers}]
    asked = {p: amount for p, amount in bets.items() if p in named}
    played = [p for p in asked if p in study.decided]
    parts = _counted(study.laws([p for p in asked if p not in played]), asked)
    parts += [_played(study, p, asked[p], seed) for p in played]
    return sorted(parts, key=lambda part: [*asked].index(part.wagers[0]))


def _counted(laws: Iterable[Law], bets: Mapping[str, Fraction]) -> list[Part]:
    """A part for every law: the bets that it settles, with what goes into their meters set aside."""
    parts, left = [], dict(bets)
    for law in laws:
        mine = {p: amount for p, amount in left.items() if p in law.joints[0].rows}
        left = {p: amount for p, amount in left.items() if p not in mine}
        aside = [set_aside(law.house, p) for p in mine]
        cases = {
            move: [(chance, tuple(-net - a for net, a in zip(nets, aside, strict=True))) for chance, nets in some]
            for move, some in law.cases(mine).items()
        }
        parts.append(Part(tuple(mine), cases, law.share, ways=law.total))
    return parts


def own_cards(graph: Graph) -> frozenset[int]:
    """The slots of all cards that players get."""
    dealt = (e for node in graph.nodes for e in node.events if isinstance(e, Deal))
    return frozenset(slot for e in dealt if e.who == PLAYER for slot in e.slots)


def all_alike(study: Study, wagers: Iterable[str]) -> bool:
    """Whether these bets, and what goes with them, come out the same way for all seats, whatever anyone holds. A drawn
    hand that has a law is the dealer's: it is counted only where no player's card makes a difference to it."""
    members = [w.name for p in wagers for w in study.house.parties[p]]
    graph = only(study.graph, members, first_choice=study.drawn)
    own = own_cards(graph)
    if not own or graph.open_ended:
        return True
    looks = any(own & column.slots for point in graph.nodes for column in columns_in(point))
    return not looks and not any(graph.decisions())


def strategy_array(study: Study) -> tuple[Keys, NDArray[np.uint8]]:
    """The strategy as the simulator looks it up."""
    keys = keys_of(study)
    found = None if keys is None else table_of(study, keys)
    if keys is None or found is None:
        raise BadInput(f"{_name(study)} {WIDE}; {_way_on(study)}")
    return keys, found


def dealer_of(study: Study, seats: int) -> Callable[[int, int, int], NDArray[np.int64]]:
    """Deals a whole table by the strategy: of (rounds, seed, chunk), the cell of every seat by round."""
    if seats == 1 and not tabled(study) and study.strategy != "optimal":
        asker = Asker(study.book, study.strategy)
        return lambda rounds, seed, chunk: asker.listed(rounds, seed, chunk, WARM_UP)[:, None]
    keys, answers = strategy_array(study)
    warm_up = WARM_UP if study.graph.carried else 0
    return dealt_rounds(study.book.cells, keys, shoe_cards(study.house.composition), answers, seats, warm_up)


def dealt_by(study: Study, seats: int) -> tuple[Study, str]:
    """The study of a strategy by which a whole table can be dealt: the one asked for, or the first of the game file,
    with a word on why. One seat alone is counted, where it can be."""
    own = next(iter(study.house.game.strategies), None)
    if study.strategy in DERIVED and (why := unsolved(study)):
        if own is None:
            raise BadInput(f"{_name(study)} is not known: {why}. {_way_on(study)[0].upper()}{_way_on(study)[1:]}")
        found, _ = dealt_by(Study(study.house, own, patient=study.patient), seats)
        return found, f"players follow {own!r} of the game file: the best play is not known, because {why}"
    if seats == 1 or tabled(study):
        return study, ""
    if own is None or study.strategy != "optimal":
        raise BadInput(f"{_name(study)} {WIDE}; {_way_on(study)}, or ask for one seat, `seats=1`")
    note = f"{_name(study)} {WIDE}: players follow {own!r} of the game file. For one seat, `seats=1`, it is counted"
    return Study(study.house, own, patient=study.patient), note


def _name(study: Study) -> str:
    return "the best play" if study.strategy == "optimal" else f"the strategy {study.strategy!r}"


def _way_on(study: Study) -> str:
    if study.strategy != "optimal":
        return "name what it looks at with `by=` at its decisions"
    own = next(iter(study.house.game.strategies), None)
    return f"ask for a strategy of the game file, `strategy={own!r}`" if own else "give the game file a strategy"


def _edge_at(study: Study, party: str, amount: Fraction) -> Fraction:
    """The edge at this bet, where it depends on the bet."""
    at = study.house.measured(party, amount)
    return (study if at is study.house else Study(at, study.strategy)).wager(party).house_edge


def _played(study: Study, party: str, amount: Fraction, seed: int) -> Part:
    """The wager that is played, by simulation: rounds with a split are known to the enumeration by their mean only.
    Each chance is then moved a little, in proportion to the result, so that the mean is the enumerated one; where
    nothing enumerates it, the mean is the dealt one, with its error."""
    worth, common = study.book.worth(party, amount)
    batches = _dealt(study, seed)
    counts, hands = batches.sum(0), int(batches.sum())
    seen: dict[int, int] = {}
    for cell in np.flatnonzero(counts):
        seen[int(worth[cell])] = seen.get(int(worth[cell]), 0) + int(counts[cell])
    chances = {Fraction(-net, common) * amount: Fraction(n, hands) for net, n in seen.items()}
    mean = sum((x * p for x, p in chances.items()), Fraction(0))
    variance = sum((x * x * p for x, p in chances.items()), Fraction(0)) - mean**2
    if study.plan.step(party) is None:
        aside = set_aside(study.house, party)
        cases = [(p, (x - aside,)) for x, p in chances.items()]
        won = [sum(int(worth[cell]) * int(one[cell]) for cell in np.flatnonzero(one)) for one in batches]
        left = [hands - int(one.sum()) for one in batches]
        without = [Fraction(one - sum(won), common * n) * amount - aside for one, n in zip(won, left, strict=True)]
        return Part(
            (party,), {ONE: cases}, spread=SIMULATED, mean_of=SIMULATED, ways=hands,
            standard_error=sqrt(variance / hands), without=tuple(without), staked=_staked(study, party, counts),
        )  # fmt: skip
    tilt = (_edge_at(study, party, amount) * amount - mean) / variance
    cases = [(p * (1 + tilt * (x - mean)), (x,)) for x, p in chances.items()]
    return Part((party,), {ONE: cases}, spread=SIMULATED, mean_of=DOUBLE, ways=hands)


def _dealt(study: Study, seed: int) -> NDArray[np.int64]:
    """Hands of one seat by batch and cell."""
    size, cells = CHUNK * CHUNKS // BATCHES, study.book.cells
    if not tabled(study):
        asker = Asker(study.book, study.strategy)
        return np.stack([asker.run(size // ASKED, seed, number, WARM_UP) for number in range(BATCHES)])
    keys, answers = strategy_array(study)
    machine = simulator(cells, keys, shoe_cards(study.house.composition))
    warm_up = WARM_UP if study.graph.carried else 0
    return np.stack([machine.run(size, seed, number, answers, warm_up=warm_up) for number in range(BATCHES)])


def _staked(study: Study, party: str, counts: NDArray[np.int64]) -> Fraction:
    """What is bet in all, in units of a wager before the deal, on average."""
    staked, book = Fraction(0), study.book
    for cell in np.flatnonzero(counts).tolist():
        staked += int(counts[cell]) * book.joint(book.cells.leaf(cell), cell, 1).wagered(study.house, party)
    return staked / int(counts.sum())


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
