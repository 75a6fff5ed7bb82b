"""What a place allows at a table, as far as it is a number: the largest single wager, the smallest, and the most that a
round may pay.

A house carries it (`House.under`), and comes under it in one way, `house.but(under=limits)`. There its own limits are
brought down to what is allowed, or refused where somebody has chosen more; so whatever asks the house what it takes, a
live table, an exposure or a printed page, asks the place too. A bet beyond is refused with the number of the rule.

No pay is ever cut. A wager that a choice makes several times as large, and a bet that could win more than a round may
pay, are kept small enough before the deal, so that what was counted is what is dealt.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from pitboss.rules.errors import BadInput
from pitboss.rules.graph import Bet, Settle, Standing
from pitboss.rules.numbers import CENT, in_cents, money
from pitboss.rules.options import Amount
from pitboss.rules.wagers import TABLE_MIN, Wager

if TYPE_CHECKING:
    from pitboss.rules.house import House

KINDS = {"all": "a single wager", "main": "a main wager", "side": "a side bet", "jackpot": "a jackpot bet"}
"""What a limit is on, and how a sentence says it: every wager, those that a player must make, those that he need not
make, those that are paid from a meter."""
AT_ONCE, IN_ALL = "at once", "in all"
COUNTS = (AT_ONCE, IN_ALL)
"""What is one wager: what is put down at once, so that doubling a split hand is a wager of its own; or all that comes
to lie in one circle."""
SEAT, TABLE = "seat", "table"
Bets = Mapping[str, Fraction]


@dataclass(frozen=True)
class Limit:
    """The largest or smallest wager of a kind, and the number of the rule that says so."""

    amount: Fraction
    rule: str = ""
    on: str = "all"
    counts: str = AT_ONCE


@dataclass(frozen=True)
class Aggregate:
    """The most that one round may pay, to a seat or to the whole table."""

    amount: Fraction
    rule: str = ""
    per: str = SEAT


class Bound(NamedTuple):
    """The largest bet on a wager before the deal, the limit that it comes from, and the wager that comes to it."""

    bet: Fraction
    limit: Limit
    wager: str
    times: Fraction  # the bet that this wager may be


class Kept(NamedTuple):
    """A wager that a limit keeps small."""

    wager: str
    bet: Fraction  # the most that may be bet on it
    rule: str
    other: str  # the wager that may be several times this one, if that is why
    most: Fraction  # what the rule allows
    paid: bool = False  # because of what it could win


@dataclass(frozen=True)
class Limits:
    """What a jurisdiction says in numbers, for a house to carry."""

    place: str  # the name of the jurisdiction, as one types it
    most: tuple[Limit, ...] = ()
    least: tuple[Limit, ...] = ()
    aggregate: Aggregate | None = None
    reference: str = ""  # where it is found again: a shipped name, or a path
    sha256: str = ""  # of its file

    def json(self) -> dict[str, Any]:
        """Which text of which jurisdiction: the head of a record and of a log."""
        return {"name": self.place, "file_sha256": self.sha256}

    # ---- what a bet may be

    def bound(self, house: "House", wager: str) -> Bound | None:
        """The largest bet on a wager before the deal: so much that neither it nor what goes with it is too large."""
        found = []
        for w in house.parties[wager]:
            for limit in self.most if not w.free else ():
                if limit.on in _kinds(house, w):
                    times = _times(house, limit.counts)[w.name]
                    found.append(Bound(_payable(limit.amount / max(times, Fraction(1))), limit, w.name, times))
        return min(found, key=lambda b: (b.bet, b.times), default=None)

    def smallest(self, house: "House", wager: str) -> Limit | None:
        """The limit that says how small a bet before the deal may be."""
        kinds = _kinds(house, next(w for w in house.wagers if w.name == wager))
        return max((limit for limit in self.least if limit.on in kinds), key=lambda x: x.amount, default=None)

    def check(self, house: "House", bets: Bets, tokes: bool = False) -> None:
        """One clear sentence, with the number of the rule, for bets of a seat that the place does not allow. Tokes are
        wagers like others, and no part of what a round pays a player."""
        for name, bet in bets.items():
            if name not in house.parties:
                continue
            if (at := self.bound(house, name)) is not None and bet > at.bet:
                raise BadInput(f"{self._above(at, name, bet)}; bet ${money(at.bet)} or less")
            if (least := self.smallest(house, name)) is not None and bet < least.amount:
                raise BadInput(f"{self._below(least, name, bet)}; bet ${money(least.amount)} or more")
        if not tokes and self.aggregate is not None and self.aggregate.per == SEAT:
            self._check_pay(payout(house, bets), "these bets", "bet less")

    def check_table(self, house: "House", seats: Iterable[Bets]) -> None:
        """The same for all seats of a round together, where that is limited."""
        if self.aggregate is not None and self.aggregate.per == TABLE:
            most = sum((payout(house, bets) for bets in seats), Fraction(0))
            self._check_pay(most, "the bets of all seats", "bet less")

    def _check_pay(self, most: Fraction, what: str, instead: str) -> None:
        assert self.aggregate is not None
        if most > self.aggregate.amount:
            raise BadInput(
                f"{self.place}: {what} could win ${money(most)} in one round, above the "
                f"${money(self.aggregate.amount)} that {self.aggregate.rule or self.place} lets a round pay a "
                f"{self.aggregate.per}; {instead}"
            )

    def _above(self, at: Bound, name: str, bet: Fraction) -> str:
        allowed = f"above the ${money(at.limit.amount)} that {at.limit.rule or self.place} allows for {_word(at.limit)}"
        if at.times <= 1:
            return f"{self.place}: {name} ${money(bet)} is {allowed}"
        return f"{self.place}: {name} ${money(bet)} would make {at.wager} ${money(bet * at.times)}, {allowed}"

    def _below(self, least: Limit, name: str, amount: Fraction) -> str:
        who = least.rule or self.place
        return f"{self.place}: {name} ${money(amount)} is below the ${money(least.amount)} that {who} asks for"

    # ---- how a house comes under it

    def options(self, house: "House", chosen: Collection[str]) -> dict[str, Fraction]:
        """Options of a house that is to come under these limits, brought to what is allowed: the limits of the table,
        and those that the game file has for wagers of its own. What somebody has `chosen` is refused instead."""
        out: dict[str, Fraction] = {}
        every = min((limit for limit in self.most if limit.on == "all"), key=lambda x: x.amount, default=None)
        small = max((limit for limit in self.least if limit.on == "all"), key=lambda x: x.amount, default=None)
        if every is not None and house.amount("table-max") > every.amount:
            out |= self._lowered(house, "table-max", every, chosen)
        if small is not None and house.amount("table-min") < small.amount:
            if _set(house, "table-min", chosen):
                sentence = self._below(small, "table-min", house.amount("table-min"))
                raise BadInput(f"{sentence}; set table-min={_typed(small.amount)}")
            out["table-min"] = small.amount
        if every is not None and out.get("table-min", house.amount("table-min")) > every.amount:
            sentence = self._above(Bound(every.amount, every, "", Fraction(1)), "table-min", house.amount("table-min"))
            raise BadInput(f"{sentence}; set table-min={_typed(every.amount)} or less")
        for wager in house.wagers:
            limits = [x for x in self.most if x.on in _kinds(house, wager)]
            most = min(limits, key=lambda x: x.amount, default=None)
            if most is None or not isinstance(wager.maximum, Fraction) or wager.maximum <= most.amount:
                continue
            if option := _option_of(house, wager, most.amount):
                out |= self._lowered(house, option, most, chosen)
        return out

    def _lowered(self, house: "House", option: str, most: Limit, chosen: Collection[str]) -> dict[str, Fraction]:
        if _set(house, option, chosen):
            at = Bound(most.amount, most, "", Fraction(1))
            raise BadInput(f"{self._above(at, option, house.amount(option))}; set {option}={_typed(most.amount)}")
        return {option: most.amount}

    def wagers(self, house: "House") -> tuple[Wager, ...]:
        """The wagers of a house whose options are within the limits, each with what may be bet on it."""
        out = tuple(self._within(house, w) if not w.equal_to else w for w in house.wagers)
        if self.aggregate is not None:
            most = payout(house, {name: house.least_bet(name) for name in house.parties})
            self._check_pay(
                most, "the smallest bets on all wagers", "choose pay tables that pay less, or a lower minimum"
            )
        return out

    def _within(self, house: "House", wager: Wager) -> Wager:
        name, least, most = wager.name, house.least_bet(wager.name), house.largest_bet(wager.name)
        at, small = self.bound(house, name), self.smallest(house, name)
        if at is not None and least > at.bet:
            option = "table-min" if wager.minimum is None and wager.exactly in (None, TABLE_MIN) else ""
            instead = f"set {option}={_typed(at.bet)} or less" if option else "so the game cannot be offered here"
            raise BadInput(f"{self._above(at, name, least)}; {instead}")
        if small is not None and most < small.amount:
            raise BadInput(f"{self._below(small, name, most)}, so the game cannot be offered here")
        if wager.exactly is not None:
            return wager
        high = min((most, *([at.bet] if at is not None else []), *self._payable_bet(house, name, least, most)))
        low = least if small is None else max(least, small.amount)
        return replace(
            wager,
            maximum=high if high < most else wager.maximum,
            minimum=low if low > least else wager.minimum,
        )

    def _payable_bet(self, house: "House", name: str, least: Fraction, most: Fraction) -> list[Fraction]:
        """The largest bet whose best award, with all that goes with it, is no more than a round may pay."""
        if self.aggregate is None or payout(house, {name: most}) <= self.aggregate.amount:
            return []
        unit = Fraction(1) if payout(house, {name: Fraction(1)}) <= self.aggregate.amount and least >= 1 else CENT
        low, high = 0, int(most / unit) + 1  # in units: the first can be paid, the second cannot
        while high - low > 1:
            middle = (low + high) // 2
            fits = payout(house, {name: middle * unit}) <= self.aggregate.amount
            low, high = (middle, high) if fits else (low, middle)
        return [max(low * unit, least)]

    # ---- what is told

    def lowered(self, house: "House") -> tuple[str, ...]:
        """Options of this house that are at a limit and not as usual, in short sentences with the rules' numbers."""
        out = []
        for option in house.game.all_options.values():
            now = house.options[option.name]
            if isinstance(option, Amount) and isinstance(now, Fraction):
                side = self.most if now < option.default else self.least if now > option.default else ()
                if limits := [x for x in side if x.amount == now]:
                    usual = f"not the usual ${money(option.default)}"
                    out.append(f"{option.name} is ${money(now)}, {usual} ({limits[0].rule or self.place})")
        return tuple(out)

    def kept(self, house: "House") -> list[Kept]:
        """The wagers of a house that these limits keep to what may be bet on them, and why."""
        out = []
        for name in house.parties:
            at, most = self.bound(house, name), house.largest_bet(name)
            if at is not None and most == at.bet:
                out.append(Kept(name, most, at.limit.rule, at.wager if at.times > 1 else "", at.limit.amount))
            elif self.aggregate is not None and most < house.game.at(house.chosen()).largest_bet(name):
                out.append(Kept(name, most, self.aggregate.rule, "", self.aggregate.amount, paid=True))
        return out

    def told(self, house: "House") -> tuple[str, ...]:
        """What the limits do to this house, in short sentences with the rules' numbers."""
        out = [*self.lowered(house)]
        for kept in self.kept(house):
            by = f"({kept.rule or self.place})"
            if kept.other:
                so = f"the {kept.other} is no more than ${money(kept.most)} {by}"
                out.append(f"{kept.wager} takes ${money(kept.bet)} at most, so that {so}")
            elif kept.paid:
                so = f"it cannot win more than ${money(kept.most)} {by}"
                out.append(f"{kept.wager} takes ${money(kept.bet)} at most, so that {so}")
        if self.aggregate is not None:
            by = f"({self.aggregate.rule or self.place})"
            out.append(f"one round pays a {self.aggregate.per} ${money(self.aggregate.amount)} at most {by}")
        if out:
            return tuple(out)
        known = self.most or self.least
        return ("this house is within its limits",) if known else ("no limit on wagers is known there",)


def payout(house: "House", bets: Bets) -> Fraction:
    """The most that the house could pay on these bets in one round, each wager at the most times and in its best row:
    the cards may not be able to give all of it at once. What players win of each other is not the house's to pay."""
    from pitboss.rules.trace import trace

    rows: dict[str, set[str]] = {}  # that can come up: a wager between players has none
    for event in (event for node in trace(house).nodes for event in node.events if isinstance(event, Settle)):
        rows.setdefault(event.wager, {"push"}).update(event.rows.names)
    total = Fraction(0)
    for name, bet in bets.items():
        for w in house.parties.get(name, ()):
            if stake := bet * max(house.multiples[w.name]):
                back = 0 if w.stake_returned else 1  # an award from the meter comes instead of the stake
                wins = (stake * (house.net(w.name, row, stake) + back) for row in rows.get(w.name, ()))
                total += max(wins, default=Fraction(0))
    return total


def _kinds(house: "House", wager: Wager) -> tuple[str, ...]:
    """What a wager is, in the words of a limit."""
    main = "main" if house.lead(wager.name) in house.main else "side"
    return ("all", main, *(["jackpot"] if house.meters(wager.name) else []))


def _times(house: "House", counts: str) -> dict[str, Fraction]:
    """How many times the bet before the deal one wager may be: all that lies there, or what is put down at once. The
    second is read from the graph, and only where something comes to more than the bet."""
    most = {name: Fraction(max(times)) for name, times in house.multiples.items()}
    if counts == IN_ALL or max(most.values()) <= 1:
        return most
    from pitboss.rules.trace import trace

    pieces: dict[str, Fraction] = {}
    for node in trace(house).nodes:
        before = _placed(node.path[-1].node.standing if node.path else Standing())
        for event in node.events:
            if isinstance(event, Bet):
                equal = next(w.equal_to for w in house.wagers if w.name == event.wager)
                piece = (event.times - before.get(event.wager, Fraction(0))) * most[equal or event.wager]
                pieces[event.wager] = max(pieces.get(event.wager, Fraction(0)), Fraction(piece))
                before[event.wager] = Fraction(event.times)
    return most | pieces


def _placed(standing: Standing) -> dict[str, Fraction]:
    """What lies there; where ways with different bets have met, the least of them."""
    met = {name: Fraction(min(times)) for name, (times, _) in standing.staked.items()}
    return {**met, **{name: Fraction(times) for name, times in standing.bets.items()}}


def _option_of(house: "House", wager: Wager, most: Fraction) -> str:
    """The option of the game file that holds the maximum of a wager, found by trying it; else nothing."""
    for option in house.game.all_options.values():
        if isinstance(option, Amount) and house.options[option.name] == wager.maximum:
            try:
                tried = house.game.at({**house.chosen(), option.name: most})
            except BadInput:  # it does not go with the others; what is wrong is told when the wager is looked at
                continue
            if next((w.maximum for w in tried.wagers if w.name == wager.name), None) == most:
                return option.name
    return ""


def _set(house: "House", option: str, chosen: Collection[str]) -> bool:
    """Whether somebody has chosen it: he said so, or it is not as usual."""
    return option in chosen or house.options[option] != house.game.all_options[option].start()


def _payable(amount: Fraction) -> Fraction:
    """Whole cents as they are; else down to whole dollars, or to a cent."""
    return amount if in_cents(amount) else (amount // 1 * Fraction(1) or amount // CENT * CENT)


def _word(limit: Limit) -> str:
    return f"{KINDS[limit.on]}{' in all' if limit.counts == IN_ALL else ''}"


def _typed(amount: Fraction) -> str:
    return money(amount).replace(",", "")
