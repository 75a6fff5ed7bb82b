"""Can it be beaten? Every wager's effects of removal and count, real shoes by decks and cut card, glimpses, advice."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.exact import TooLarge, analyze
from pitboss.exact.book import provenance
from pitboss.protect.advise import advise
from pitboss.protect.counts import Effect, TagCount, best_count, best_trigger, effects, line, suit_spread, whole
from pitboss.protect.exposure import exposures
from pitboss.protect.gains import Sample, Sheet
from pitboss.protect.polynomial import Polynomial
from pitboss.protect.records import Count, Depth, Exact, Protected, Protection, Removal, Terms
from pitboss.protect.worth import NotJudged, Played, Worth, worth_of
from pitboss.results import WagerResult
from pitboss.rules.errors import BadInput
from pitboss.rules.game import House
from pitboss.rules.options import Choice
from pitboss.rules.wagers import TABLE_MIN
from pitboss.simulate.shoes import cards_needed, deal_shoes

Floats = NDArray[np.float64]
USUAL_DECKS = (2, 4, 6, 8)
LEARN = 4
USUAL_CUTS = (Fraction(1, 2), Fraction(1), Fraction(3, 2))
Watch = Callable[[str, int, int], None]  # what is being done, how far, of how much


@dataclass(frozen=True)
class Plan:
    """How protection is looked at; every default is stated on the command line."""

    decks: tuple[int, ...] = ()  # none: the usual ones that the game offers
    cuts: tuple[Fraction, ...] = ()  # decks behind the cut card; none: the usual ones and the game's own
    seats: int = 1
    shoes: int = 2000
    seed: int = 1
    hands: int = 60  # an hour
    limit: Fraction | None = None  # the largest bet; None: the wager's own, or the table's
    tolerate: Fraction = Fraction(20)  # dollars an hour
    states: int = 60  # shoes to count, where that takes too long for every round

    def check(self) -> None:
        """One clear sentence for what cannot be."""
        for value, flag, least, most in (
            (self.shoes, "--shoes", 2, 50_000), (self.hands, "--hands", 1, 1000), (self.states, "--states", 8, 10_000),
        ):  # fmt: skip
            if not least <= value <= most:
                raise BadInput(f"{flag} takes {least:,} to {most:,}, not {value:,}")
        if self.limit is not None and self.limit <= 0:
            raise BadInput(f"--limit takes an amount above $0, not {float(self.limit):g}")
        if self.tolerate <= 0:
            raise BadInput(f"--tolerate takes an amount above $0, not {float(self.tolerate):g}")


@dataclass(frozen=True, eq=False)
class _Shoe:
    """A full shoe: what the wager is worth in it, and what every card does to that."""

    house: House
    worth: Worth
    full: Exact
    moved: list[Effect]

    @property
    def decks(self) -> int:
        return int(str(self.house.options["decks"]))


@dataclass(frozen=True, eq=False)
class _Dealt:
    """Many shoes of so many decks, round by round: what the bet is worth, and what counts show."""

    shoe: _Shoe
    cuts: list[Fraction]
    perfect: Sheet
    followed: Sheet  # the same rounds by a player who only bets by a count
    signals: dict[str, NDArray[np.int64]]  # kind of count -> whole true count


def protect(house: House, wager: str | None = None, plan: Plan | None = None, watch: Watch | None = None) -> Protection:
    """All wagers of a game, or one. What cannot be judged is an error when it was asked for, else a remark."""
    plan = plan or Plan()
    plan.check()
    house.check_seats(plan.seats, cards_needed(house, plan.seats))
    found, why_not = [], dict[str, str]()
    for name in [wager] if wager else list(house.parties):
        try:
            found.append(_judge(house, name, plan, watch or (lambda *_: None)))
        except (NotJudged, TooLarge) as error:
            if wager:
                raise
            why_not[name] = str(error)
    return Protection(provenance(house, "optimal"), tuple(found), why_not)


def _judge(house: House, wager: str, plan: Plan, watch: Watch) -> Protected:
    if "decks" not in house.options:
        return _one_deck(house, wager, watch)
    slow = not isinstance(worth_of(house, wager), Polynomial)
    own = int(str(house.options["decks"]))
    houses = [house if d == own else _with_decks(house, d) for d in _decks(house, plan, slow)]
    for h in houses:
        _check_cuts(h, plan)
    watch(f"{wager}: effects of removal", 0, 1)
    shoes = [_shoe(h, wager) for h in houses]
    first = next((s for s in shoes if s.decks == own), shoes[0])
    tags = best_count(first.house.composition, first.full, first.moved)
    limit = plan.limit or _largest_bet(house, wager)
    terms = Terms(plan.shoes, plan.seats, plan.seed, plan.hands, limit, plan.tolerate)
    dealt = [_deal(s, wager, plan, (tags, first.moved), watch) for s in shoes]
    kind = _better(dealt)
    depths = tuple(d for table in dealt for d in _depths(table, kind, terms))
    counted = None
    if kind == "tags" and tags is not None:
        counted = Count("tags", tags.level, tags.correlation, tags.break_even)
    elif kind == "suits":
        counted = Count("suits", None, None, None)
    watch(f"{wager}: cards in sight", 0, 1)
    removals = _removals(first.moved, tags if kind == "tags" else None)
    return Protected(
        wager, house.tables[wager].name, first.decks, -first.full, removals, counted, terms, depths,
        plan.states if slow else None, exposures(house, wager), advise(depths, terms),
        _notes(house, wager, first.worth, kind),
    )  # fmt: skip


def _shoe(house: House, wager: str) -> _Shoe:
    worth = worth_of(house, wager)
    moved = effects(house.composition, worth.expectation, worth.kind_of)
    return _Shoe(house, worth, worth.expectation(house.composition), moved)


def _one_deck(house: House, wager: str, watch: Watch) -> Protected:
    watch(f"{wager}: cards in sight", 0, 1)
    found = analyze(house, wager=wager).wagers[0]
    if isinstance(found, WagerResult) and found.shared:
        raise NotJudged(f"{wager} is paid among the players: the house has no part in it")
    notes = ("dealt from one deck that is shuffled for every round: there is nothing to count",)
    seen = exposures(house, wager)
    edge: Exact = found.house_edge
    return Protected(wager, house.tables[wager].name, None, edge, (), None, None, (), None, seen, (), notes)


# ---- what is looked at


def _decks(house: House, plan: Plan, slow: bool) -> list[int]:
    option = house.game.all_options["decks"]
    offered = [int(v) for v in option.values] if isinstance(option, Choice) else []
    if plan.decks:
        return [int(str(option.parse(str(d)))) for d in dict.fromkeys(plan.decks)]
    own = int(str(house.options["decks"]))
    if slow or own != option.start():
        return [own]
    return [d for d in offered if d in USUAL_DECKS] or offered


def _with_decks(house: House, decks: int) -> House:
    chosen = {
        w.name: house.tables[w.name].name
        for w in house.wagers
        if not w.table_of and house.tables[w.name].name != w.tables[0].name
    }
    return house.game.at({**house.chosen(), "decks": str(decks)}, chosen)


def _cuts_of(house: House, plan: Plan) -> list[Fraction]:
    """Those that leave cards enough to finish a round, and some to deal; the deepest first."""
    need, cards = cards_needed(house, plan.seats), sum(house.composition)
    wanted = plan.cuts or (*USUAL_CUTS, Fraction(house.game.cut_card))
    return sorted({c for c in wanted if need <= round(c * 52) < cards})


def _check_cuts(house: House, plan: Plan) -> None:
    if _cuts_of(house, plan):
        return
    need, cards = cards_needed(house, plan.seats), sum(house.composition)
    named = ", ".join(f"{float(c):g}" for c in plan.cuts or USUAL_CUTS)
    raise BadInput(
        f"no cut card of {named} decks fits a shoe of {cards} cards, where {plan.seats} "
        f"{'seat needs' if plan.seats == 1 else 'seats need'} {need} cards behind it to finish a round; "
        f"write --cut {need / 52 + 0.005:.2f} to {cards / 52 - 0.1:.1f}"
    )


def _largest_bet(house: House, wager: str) -> Fraction:
    found = next(w for w in house.wagers if w.name == wager)
    if found.exactly is not None:
        return house.amount("table-min") if found.exactly == TABLE_MIN else Fraction(found.exactly)
    return house.amount("table-max") if found.maximum is None else Fraction(found.maximum)


# ---- real shoes


def _deal(shoe: _Shoe, wager: str, plan: Plan, tags: tuple[TagCount | None, list[Effect]], watch: Watch) -> _Dealt:
    house, worth, cuts = shoe.house, shoe.worth, _cuts_of(shoe.house, plan)
    fixed = worth.policy(house.composition) if isinstance(worth, Polynomial) and worth.decides else None
    found: dict[str, list[Any]] = {}

    def keep(**columns: Any) -> None:
        for name, column in columns.items():
            found.setdefault(name, []).append(column)

    label = f"{wager}: {shoe.decks} decks"
    watch(label, 0, plan.shoes)
    for some in deal_shoes(house, wager, shoes=plan.shoes, cut=cuts[0], seats=plan.seats, seed=plan.seed):
        keep(shoe=some.shoe, gone=some.gone)
        if tags[0] is not None:
            keep(tags=tags[0].true_counts(tags[1], house.composition, some.left))
        if isinstance(worth, Polynomial):
            keep(worth=worth.expectations(some.left))
            if fixed is not None:
                keep(fixed=worth.expectations(some.left, fixed))
            if worth.by_suit:
                keep(suits=suit_spread(some.left))
        else:
            keep(left=some.left.astype(np.uint16))
        watch(label, int(some.shoe[-1]) + 1, plan.shoes)
    columns = {name: np.concatenate(parts) for name, parts in found.items()}
    rounds = columns["shoe"], columns["gone"]
    if isinstance(worth, Polynomial):
        perfect = Sheet(*rounds, columns["worth"])
        followed = Sheet(*rounds, columns.get("fixed", columns["worth"]))
    else:
        guess, sample = _estimated(shoe, columns["left"], plan, lambda n: watch(f"{label}: states", n, plan.states))
        perfect = followed = Sheet(*rounds, guess, sample)
    return _Dealt(shoe, cuts, perfect, followed, {k: whole(columns[k]) for k in ("tags", "suits") if k in columns})


def _estimated(
    shoe: _Shoe, left: NDArray[np.uint16], plan: Plan, progress: Callable[[int], None]
) -> tuple[Floats, Sample]:
    """A line for every round, and the truth for some that are drawn at random: most of them from the rounds in which
    the line is nearer to zero than the full shoe is."""
    guess = line(shoe.house.composition, shoe.full, shoe.moved, left.astype(np.int64))
    rng = np.random.default_rng(plan.seed)
    near = guess > -abs(float(shoe.full)) / 2
    parts = [rng.permutation(np.flatnonzero(some)) for some in (near, ~near)]
    take = (plan.states - plan.states // 4, plan.states // 4)
    drawn = [part[:n] for part, n in zip(parts, take, strict=True)]
    rounds = np.concatenate(drawn)
    truth = np.zeros(len(rounds))
    for i, number in enumerate(rounds):
        truth[i] = float(shoe.worth.expectation(tuple(int(n) for n in left[number])))
        progress(i + 1)
    part = np.repeat([0, 1], [len(d) for d in drawn])
    return guess, Sample(rounds, part, (len(parts[0]), len(parts[1])), truth)


def _better(dealt: Sequence[_Dealt]) -> str | None:
    """The count that wins more at the deepest cut, over all numbers of decks; None where none ever wins."""
    wins: dict[str, float] = {}
    for table in dealt:
        for kind, counts in table.signals.items():
            trigger = best_trigger(counts, table.followed.worth)
            if trigger is not None:
                wins[kind] = wins.get(kind, 0.0) + float(table.followed.worth[counts >= trigger].sum() / len(counts))
    return max(wins, key=lambda kind: wins[kind]) if wins else None


def _depths(table: _Dealt, kind: str | None, terms: Terms) -> list[Depth]:
    cards = sum(table.shoe.house.composition)
    hourly = terms.hands_per_hour * float(terms.limit)
    learn = table.followed.shoe % LEARN == 0  # the trigger is found in these shoes, and tried in the others
    out = []
    for cut in table.cuts:
        dealt = table.perfect.upto(cards - round(cut * 52))
        counted = trigger = None
        if kind is not None:
            counts = table.signals[kind]
            trigger = best_trigger(counts[dealt & learn], table.followed.worth[dealt & learn])
            if trigger is not None:
                counted = table.followed.signalled(dealt & ~learn, counts >= trigger, hourly)
        perfect = table.perfect.perfect(dealt, hourly)
        out.append(Depth(table.shoe.decks, cut, int(dealt.sum()), perfect, counted, trigger))
    return out


def _removals(moved: Sequence[Effect], tags: TagCount | None) -> tuple[Removal, ...]:
    values = tags.tags if tags is not None else [None] * len(moved)
    return tuple(Removal(e.name, e.effect, tag) for e, tag in zip(moved, values, strict=True))


def _notes(house: House, wager: str, worth: Worth, kind: str | None) -> tuple[str, ...]:
    out = ["perfect play knows every card that has left the shoe, burnt ones too, as only a computer could"]
    if kind is not None:
        out.append(
            "the count is divided by the decks left, to the card; its trigger is the whole true count that wins most"
            f" in one shoe of {LEARN}, and what it wins is taken from the others"
        )
    if isinstance(worth, Played) or (isinstance(worth, Polynomial) and worth.decides):
        out.append(
            "perfect play also decides by the cards left; "
            + ("the count only bets by them" if isinstance(worth, Polynomial) else "so does the count once it has bet")
        )
    if next(w for w in house.wagers if w.name == wager).required:
        out.append("the bet is required in every round: who bets only when it is favourable stands behind the table")
    return tuple(out)
