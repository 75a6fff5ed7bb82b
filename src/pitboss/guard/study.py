"""Can it be beaten? Every wager's effects of removal and count, real shoes by decks and cut card, glimpses, advice."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from pitboss.crew import Crew, Here
from pitboss.deal.shoes import cards_needed
from pitboss.exact import Study, TooLarge
from pitboss.guard.advise import advise, also
from pitboss.guard.counts import Effect, TagCount, best_count
from pitboss.guard.dealing import Shoe, better_count, deal, depths_of, full_shoe
from pitboss.guard.effort import one_deck, work_of
from pitboss.guard.exposure import exposures
from pitboss.guard.plan import Plan, Watch, check_cuts, decks_of
from pitboss.guard.records import Count, Depth, Exact, Protected, Protection, Removal, Terms
from pitboss.guard.worth import NotJudged, worth_of
from pitboss.rules.house import House
from pitboss.rules.paytables import money
from pitboss.rules.work import Work


@dataclass(frozen=True, eq=False)
class _Looked:
    """A wager at one bet, dealt from shoes of every number of decks."""

    bet: Fraction
    shoe: Shoe  # of the house's own number of decks
    tags: TagCount | None
    kind: str | None  # of the count that wins more
    depths: tuple[Depth, ...]

    @property
    def hourly(self) -> float:
        return max(d.perfect.hourly for d in self.depths)


@dataclass(frozen=True, eq=False)
class _Asked:
    """A wager that is going to be judged, and what that takes."""

    house: House
    wager: str
    houses: Sequence[House]  # one for each number of decks; none where there is one deck
    bets: Sequence[Fraction]  # the largest first
    plan: Plan
    work: Work


def protect(
    house: House, wager: str | None = None, plan: Plan | None = None, watch: Watch | None = None,
    crew: Crew | None = None,
) -> Protection:  # fmt: skip
    """All wagers of a game, or one. What cannot be judged is an error when it was asked for, else a remark. A `crew`
    deals the shoes; without one it is this thread."""
    plan = plan or Plan()
    plan.check()
    house.check_seats(plan.seats, 0)
    asked, why_not = dict[str, _Asked](), dict[str, str]()
    for name in [wager] if wager else list(house.parties):
        try:
            asked[name] = _asked(house, name, plan)
        except (NotJudged, TooLarge) as error:
            if wager:
                raise
            why_not[name] = str(error)
    sum((one.work for one in asked.values()), Work()).check(
        plan.patient, "fewer `shoes`, `states` or numbers of `decks`, or one `wager`"
    )
    found = []
    for name, one in asked.items():
        try:
            found.append(_judge(one, watch or (lambda *_: None), crew or Here()))
        except (NotJudged, TooLarge) as error:
            if wager:
                raise
            why_not[name] = str(error)
    return Protection(
        house.provenance(), tuple(found), {name: why_not[name] for name in house.parties if name in why_not}
    )


def _asked(house: House, wager: str, plan: Plan) -> _Asked:
    if "decks" not in house.options:
        house.check_seats(plan.seats, cards_needed(house, plan.seats))
        return _Asked(house, wager, (), (), plan, one_deck(house, wager, plan.patient))
    house = house.but(placed=frozenset([*house.main, wager]))  # as its shoes are dealt
    house.check_seats(plan.seats, cards_needed(house, plan.seats))
    worth = worth_of(house, wager)
    plan = replace(plan, states=(plan.states or worth.states) if worth.states is not None else None)
    own = house.decks or 1
    houses = [house if d == own else house.but(decks=d) for d in decks_of(house, plan, plan.states is not None)]
    for h in houses:
        check_cuts(h, plan)
    least, limit = house.least_bet(wager), plan.limit or house.largest_bet(wager)
    if limit < least:
        raise NotJudged(f"{wager} takes ${money(least)} or more: a limit of ${money(limit)} is below that")
    bets = [limit, least] if house.bet_matters(wager) and least < limit else [limit]
    return _Asked(house, wager, houses, bets, plan, work_of(houses, wager, worth, plan, len(bets)))


def _judge(asked: _Asked, watch: Watch, crew: Crew) -> Protected:
    house, wager, plan, bets = asked.house, asked.wager, asked.plan, asked.bets
    if not asked.houses:
        return _one_deck(house, wager, plan.patient, watch)
    looked = [
        _look([h.measured(wager, bet) for h in asked.houses], house.decks or 1, wager, plan, bet, watch, crew)
        for bet in bets
    ]
    worst = max(looked, key=lambda at: at.hourly)
    first, tags = worst.shoe, worst.tags if worst.kind == "tags" else None
    counted = Count("suits", None, None, None) if worst.kind == "suits" else None
    if tags is not None:
        counted = Count("tags", tags.level, tags.correlation, tags.break_even)
    watch(f"{wager}: cards in sight", 0, 1)
    seen = exposures(first.house, wager, plan.patient, watch)
    least = house.least_bet(wager)
    terms = Terms(plan.shoes, plan.seats, plan.seed, plan.hands, bets[0], plan.tolerate, least, worst.bet)
    advice = advise(looked[0].depths, terms, looked[1].depths if len(looked) > 1 else ())
    return Protected(
        wager, house.tables[wager].name, first.decks, -first.full, _removals(first.moved, tags), counted, terms,
        worst.depths, plan.states, seen, advice, also(worst.depths, -first.full, seen),
        _notes(house, wager, worst, next((b for b in bets if b != worst.bet), None)),
    )  # fmt: skip


def _look(
    houses: Sequence[House], own: int, wager: str, plan: Plan, bet: Fraction, watch: Watch, crew: Crew
) -> _Looked:
    """`own` is the number of decks whose effects and count are shown."""
    watch(f"{wager}: effects of removal", 0, 1)
    shoes = [full_shoe(h, wager) for h in houses]
    first = next((s for s in shoes if s.decks == own), shoes[0])
    tags = best_count(first.house.composition, first.full, first.moved, len(first.house.deck))
    dealt = [deal(s, wager, plan, (tags, first.moved), watch, crew) for s in shoes]
    kind = better_count(dealt)
    hourly = plan.hands * float(bet)
    return _Looked(bet, first, tags, kind, tuple(d for table in dealt for d in depths_of(table, kind, hourly)))


def _one_deck(house: House, wager: str, patient: bool, watch: Watch) -> Protected:
    watch(f"{wager}: as it is dealt", 0, 1)
    found = Study(house, patient=patient).wager(wager)
    if found.shared:
        raise NotJudged(f"{wager} is paid among the players: the house has no part in it")
    notes = ["dealt from one deck that is shuffled for every round: there is nothing to count"]
    if why := house.bet_matters(wager):
        notes.append(f"{why}: the edges are for ${money(house.stake_on(wager))} a bet")
    seen = exposures(house, wager, patient, watch)
    edge: Exact = found.house_edge
    more = also((), edge, seen)
    return Protected(
        wager, house.tables[wager].name, None, edge, (), None, None, (), None, seen, (), more, tuple(notes)
    )


def _removals(moved: Sequence[Effect], tags: TagCount | None) -> tuple[Removal, ...]:
    values = tags.tags if tags is not None else [None] * len(moved)
    return tuple(Removal(e.name, e.effect, tag) for e, tag in zip(moved, values, strict=True))


def _notes(house: House, wager: str, looked: _Looked, less: Fraction | None) -> tuple[str, ...]:
    """`less` is another bet that was looked at, and wins less."""
    worth, out = looked.shoe.worth, []
    if why := house.bet_matters(wager):
        other = f", at which a counter wins more than at ${money(less)}" if less is not None else ""
        out.append(f"{why}: the figures are for ${money(looked.bet)} a bet{other}")
    out += ["perfect play knows every card that has left the shoe, burnt ones too, as only a computer could"]
    if looked.kind is not None:
        out.append(
            "true count: the count divided by the decks left. From which one it pays to bet is found on one half of the"
            " shoes, and what that wins is measured on the other half"
        )
    if worth.decides:
        too = "the count only bets by them" if worth.at_once else "so does the count once it has bet"
        out.append(f"perfect play also decides by the cards left; {too}")
    if next(w for w in house.wagers if w.name == wager).required:
        out.append(
            "the bet is required in every round: the figures are for a counter who may watch without betting, and joins"
            " only for rounds that are favourable"
        )
    return tuple(out)
