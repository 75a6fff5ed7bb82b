"""Real shoes by decks and cut card: what the bet is worth in every round, and what bettors by it or by a count win."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.crew import Crew
from pitboss.guard.advise import many_decks
from pitboss.guard.benches import Dealing, Lots, Truths
from pitboss.guard.counts import Effect, TagCount, best_trigger, effects
from pitboss.guard.gains import Sample, Sheet, at_least
from pitboss.guard.plan import Plan, Watch, cuts_of
from pitboss.guard.records import Depth, Exact
from pitboss.guard.worth import Worth, worth_of
from pitboss.rules.cut import behind
from pitboss.rules.house import House

Whole = NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class Shoe:
    """A full shoe: what the wager is worth in it, and what every card does to that."""

    house: House
    worth: Worth
    full: Exact
    moved: list[Effect]

    @property
    def decks(self) -> int:
        return self.house.decks or 1


@dataclass(frozen=True, eq=False)
class Dealt:
    """Many shoes of so many decks, round by round: what the bet is worth, and what counts show."""

    shoe: Shoe
    cuts: list[Fraction]
    perfect: Sheet
    followed: Sheet  # the same rounds by a player who only bets by a count
    signals: dict[str, Whole]  # kind of count -> whole true count


def full_shoe(house: House, wager: str) -> Shoe:
    """The house's own shoe, before a card is dealt."""
    worth = worth_of(house, wager)
    full, moved = effects(house.composition, worth.each, worth.kind_of)
    return Shoe(house, worth, full, moved)


def deal(
    shoe: Shoe, wager: str, plan: Plan, tags: tuple[TagCount | None, list[Effect]], watch: Watch, crew: Crew
) -> Dealt:
    """All rounds of `plan.shoes` shoes; `tags` is a count with the effects that it follows."""
    cuts, quick = cuts_of(shoe.house, plan), shoe.worth.at_once
    dealing = Dealing(shoe.house, wager, cuts[0], plan.seats, plan.seed)
    lots = Lots(dealing, plan.shoes, shoe.full, shoe.moved, *tags)
    label = f"{wager}: {many_decks(shoe.decks)}"
    watch(label, 0, plan.shoes)
    found: dict[str, list[Any]] = {}
    with closing(crew.work(lots, 0, lots.jobs)) as spans:
        for some in (columns for span in spans for columns in span.found):
            for name, column in some.items():
                found.setdefault(name, []).append(column)
            watch(label, int(some["shoe"][-1]) + 1, plan.shoes)
    columns = {name: np.concatenate(found.pop(name)) for name in list(found)}
    perfect = followed = Sheet(columns["shoe"], columns["gone"], columns["worth"])
    if quick is None:
        sample = _sample(shoe, perfect, dealing, plan, crew, lambda n, of: watch(f"{label}: states", n, of))
        perfect = followed = replace(perfect, sample=sample)
    elif "fixed" in columns:
        followed = replace(perfect, worth=columns["fixed"])
    return Dealt(shoe, cuts, perfect, followed, {k: columns[k] for k in ("tags", "suits") if k in columns})


def _sample(
    shoe: Shoe, guess: Sheet, dealing: Dealing, plan: Plan, crew: Crew, progress: Callable[[int, int], None]
) -> Sample:
    """Of a line for every round, the truth for some that are drawn at random: most of them from the rounds in which the
    line is nearer to zero than the full shoe is. Their shoes are dealt again, rather than that all are remembered."""
    rng = np.random.default_rng(plan.seed)
    near = guess.worth > -abs(float(shoe.full)) / 2
    parts = [rng.permutation(np.flatnonzero(some)) for some in (near, ~near)]
    assert plan.states is not None
    take = (plan.states - plan.states // 4, plan.states // 4)
    drawn = [part[:n] for part, n in zip(parts, take, strict=True)]
    rounds = np.concatenate(drawn)
    truths, truth = (
        Truths(dealing, np.stack([guess.shoe[rounds], guess.gone[rounds]], 1).astype(np.int64)),
        list[float](),
    )
    with closing(crew.work(truths, 0, truths.jobs)) as spans:
        for span in spans:
            truth += span.found
            progress(len(truth), len(rounds))
    part = np.repeat([0, 1], [len(d) for d in drawn])
    return Sample(rounds, part, (len(parts[0]), len(parts[1])), np.array(truth))


def better_count(dealt: Sequence[Dealt]) -> str | None:
    """The count that wins more at the deepest cut, over all numbers of decks; None where none ever wins."""
    wins: dict[str, float] = {}
    for table in dealt:
        for kind, counts in table.signals.items():
            trigger = best_trigger(counts, table.followed.worth)
            if trigger is not None:
                wins[kind] = wins.get(kind, 0.0) + float(table.followed.worth[counts >= trigger].sum() / len(counts))
    return max(wins, key=lambda kind: wins[kind]) if wins else None


def depths_of(table: Dealt, kind: str | None, hourly: float) -> list[Depth]:
    """`hourly` is dollars an hour per unit won a hand."""
    cards = sum(table.shoe.house.composition)
    out = []
    for cut in table.cuts:
        dealt = table.perfect.upto(cards - behind(table.shoe.house, cut))
        counted = trigger = None
        perfect = table.perfect.perfect(dealt, hourly)
        if kind is not None:
            trigger = best_trigger(table.signals[kind][dealt], table.followed.worth[dealt])
        if kind is not None and trigger is not None:
            bets = _tried(table.followed, table.signals[kind], dealt)
            counted = table.followed.signalled(dealt, bets, hourly)
            perfect = at_least(perfect, counted)
        out.append(Depth(table.shoe.decks, cut, int(dealt.sum()), perfect, counted, trigger))
    return out


def _tried(sheet: Sheet, counts: Whole, dealt: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The bets by a count whose trigger is found in one half of the shoes and tried in the other, both ways."""
    bets = np.zeros(len(counts), np.bool_)
    for half in (sheet.shoe % 2 == 0, sheet.shoe % 2 == 1):
        trigger = best_trigger(counts[dealt & ~half], sheet.worth[dealt & ~half])
        if trigger is not None:
            bets |= half & (counts >= trigger)
    return bets
