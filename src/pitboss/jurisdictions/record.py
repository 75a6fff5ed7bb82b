"""A jurisdiction as a record: every fact with the rule's number, what was read for it and when; or that nothing was."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cached_property
from typing import Any

from pitboss.rules.called import wager_called
from pitboss.rules.errors import BadInput, choice_of, said
from pitboss.rules.house import House
from pitboss.rules.limits import Aggregate, Limit, Limits
from pitboss.rules.numbers import money

SECTIONS = (
    "game", "rules", "wagers", "procedure", "equipment", "layout", "examples", "irregular", "mathematics", "returns",
    "options", "strategy", "mistakes", "volatility", "simulation", "protection", "earnings", "verdicts", "questions",
    "approval", "sign", "reproduce",
)  # fmt: skip
"""The sections of a packet, one of which may answer what is asked for."""
KINDS = {
    "rule": "the rule itself",
    "proposal": "the regulator's proposal of the rule",
    "letter": "a letter of the regulator",
    "report": "what somebody writes of the rule",
}
"""What was read of a rule, the nearest to it first."""
NOT_LOOKED_UP = "not looked up: no source was at hand"
YOURS = "yours to supply"


@dataclass(frozen=True)
class Source:
    """What was read."""

    id: str
    title: str
    kind: str  # one of KINDS
    looked_up: date
    address: str = ""  # where on the web, if it is there
    note: str = ""  # which text of it, such as the day from which it is in force

    def json(self) -> dict[str, Any]:
        return {
            "source": self.id, "title": self.title, "kind": self.kind, "address": self.address or None,
            "looked_up": self.looked_up.isoformat(), "note": self.note or None,
        }  # fmt: skip


@dataclass(frozen=True)
class Fact:
    """One thing that a place says, in a sentence of ours."""

    says: str
    rule: str = ""  # its number; nothing for what is good practice and no rule
    source: Source | None = None  # None: nothing was read

    @property
    def standing(self) -> str:
        """How far it can be relied on, in a few words."""
        if self.source is not None:
            return f"looked up {self.source.looked_up.isoformat()}, from {KINDS[self.source.kind]}"
        return NOT_LOOKED_UP if self.rule else "good practice; no rule is meant"

    @property
    def known(self) -> bool:
        """Whether something was read for it, or no rule is meant."""
        return self.source is not None or not self.rule

    def json(self) -> dict[str, Any]:
        return {
            "says": self.says, "rule": self.rule or None, "standing": self.standing,
            "source": None if self.source is None else self.source.id,
            "looked_up": None if self.source is None else self.source.looked_up.isoformat(),
        }  # fmt: skip


@dataclass(frozen=True)
class Asked(Fact):
    """A line of the checklist: what must be filed, and which section of a packet answers it."""

    answered_by: str = ""  # one of SECTIONS; nothing: it is the applicant's to supply

    def json(self) -> dict[str, Any]:
        return {**super().json(), "answered_by": self.answered_by or None}


@dataclass(frozen=True)
class Posted(Fact):
    """A duty to post something; where one sentence fulfils it, that sentence, for the sign."""

    sign: str = ""

    def json(self) -> dict[str, Any]:
        return {**super().json(), "sign": self.sign or None}


@dataclass(frozen=True)
class Amounts(Fact):
    """A limit on wagers, in dollars: the most, the least, or both."""

    most: Limit | None = None
    least: Limit | None = None

    def json(self) -> dict[str, Any]:
        limit = self.most or self.least
        assert limit is not None
        dollars = {
            what: None if x is None else float(x.amount) for what, x in (("most", self.most), ("least", self.least))
        }
        return {**super().json(), **dollars, "on": limit.on, "counts": limit.counts}


@dataclass(frozen=True)
class Payouts(Fact):
    """What is said of the most that a round may pay: an amount that holds here, or how low a house may set one."""

    most: Aggregate | None = None
    odds: Fraction | None = None  # a house may set no less than its largest bet at the best odds, or at these if lower

    def json(self) -> dict[str, Any]:
        most = None if self.most is None else float(self.most.amount)
        per, odds = None if self.most is None else self.most.per, None if self.odds is None else float(self.odds)
        return {**super().json(), "most": most, "per": per, "odds": odds}

    def lowest(self, house: House) -> dict[str, Fraction]:
        """Wager before the deal -> the lowest aggregate payout that a house could set for it; only those whose best
        odds are high enough for one at all."""
        out = {}
        for name in house.parties if self.odds is not None else ():
            best = max((_odds(house, w.name) for w in house.parties[name]), default=Fraction(0))
            if self.odds is not None and best >= self.odds:
                out[name] = house.largest_bet(name) * self.odds
        return out


def _odds(house: House, wager: str) -> Fraction:
    """The highest odds to 1 of a pay table; awards in dollars and meters have none."""
    pays = house.tables[wager].pays.values()
    return max((pay for pay in pays if isinstance(pay, Fraction)), default=Fraction(0))


@dataclass(frozen=True)
class Jurisdiction:
    """A place and its rules, as far as they were looked up."""

    name: str  # as one types it
    title: str
    about: str
    limits: tuple[Amounts, ...] = ()
    filings: tuple[Asked, ...] = ()
    postings: tuple[Posted, ...] = ()
    conditions: tuple[Fact, ...] = ()
    aggregate: Payouts | None = None
    sources: tuple[Source, ...] = ()
    reference: str = ""  # where it is found again: a shipped name, or a path
    sha256: str = ""  # of its file

    # ---- at a table

    @cached_property
    def under(self) -> Limits:
        """What is said in numbers, as a house carries it."""
        most = tuple(a.most for a in self.limits if a.most is not None)
        least = tuple(a.least for a in self.limits if a.least is not None)
        pays = None if self.aggregate is None else self.aggregate.most
        return Limits(self.name, most, least, pays, self.reference, self.sha256)

    def house(self, house: House, chosen: Collection[str] = ()) -> House:
        """A house, here: the one way for it to come under a jurisdiction. Limits that are as usual are brought down to
        what is allowed; one that somebody has chosen, because it is not as usual or among the options `chosen`, is
        refused if it is beyond."""
        if not isinstance(house, House):
            raise BadInput(f"a jurisdiction is about a house, such as pb.game('my_game.py').at(), not {said(house)}")
        if other := [name for name in chosen if name not in house.options]:
            raise BadInput(f"chosen: {choice_of(other[0], list(house.options))}")
        return house.but({name: house.options[name] for name in chosen}, under=self.under)

    # ---- what is printed

    @property
    def checklist(self) -> tuple[Asked, ...]:
        """What must be filed, line by line: `says`, `rule`, `answered_by`, `source`, `standing`."""
        return self.filings

    @property
    def unknown(self) -> tuple[Fact, ...]:
        """What is named here, and was not looked up."""
        paid = () if self.aggregate is None else (self.aggregate,)
        every = (*self.limits, *paid, *self.filings, *self.postings, *self.conditions)
        return tuple(fact for fact in every if not fact.known)

    def notices(self, house: House) -> tuple[str, ...]:
        """Short sentences for the sign at a table, with the rules' numbers: what may be bet, what a round may pay, and
        whatever else is to be posted in words."""
        here = house if house.under == self.under else self.house(house)
        out = [*self._bets_told(here)]
        if (pays := self.under.aggregate) is not None:
            out.append(
                f"One round pays a {pays.per} ${money(pays.amount)} at most{_by(pays.rule)}. A bet that could win more "
                "is not taken, and every bet that is taken is paid in full."
            )
        return (*out, *(f"{p.sign.removesuffix('.')}{_by(p.rule)}." for p in self.postings if p.sign))

    def _bets_told(self, here: House) -> list[str]:
        """What the limits say of each wager; wagers of which they say the same, together."""
        told: dict[tuple[str, str], list[str]] = {}
        for kept in self.under.kept(here):
            so = f", so that the {wager_called(here, kept.other)} is no more than ${money(kept.most)}" * bool(
                kept.other
            )
            told.setdefault(("largest", f"${money(kept.bet)}{so}{_by(kept.rule)}"), []).append(kept.wager)
        for name in here.parties:
            small = self.under.smallest(here, name)
            if small is not None and here.least_bet(name) == small.amount:
                told.setdefault(("smallest", f"${money(small.amount)}{_by(small.rule)}"), []).append(name)
        free = {name for name in here.parties if here.least_bet(name) != here.largest_bet(name)}
        out = []
        for (which, amount), names in told.items():
            *first, last = [wager_called(here, name) for name in names]
            these = f"the {', '.join(first)} and {last}" if first else f"the {last}"
            out.append(f"The {which} bet on {'any wager' if first and free <= set(names) else these} is {amount}.")
        return out

    def aggregates(self, house: House) -> tuple[str, ...]:
        """How low a house could set an aggregate payout limit here, wager by wager, where it may set one."""
        if self.aggregate is None:
            return ()
        alike: dict[tuple[Fraction, Fraction], list[str]] = {}
        for name, least in self.aggregate.lowest(house).items():
            alike.setdefault((house.largest_bet(name), least), []).append(wager_called(house, name))
        by = _by(self.aggregate.rule)
        return tuple(
            f"An aggregate payout limit on the {' or the '.join(names)}, with bets of up to ${money(most)}, could not "
            f"be below ${money(least)}{by}."
            for (most, least), names in alike.items()
        )

    def json(self) -> dict[str, Any]:
        return {
            "jurisdiction": self.name,
            "title": self.title,
            "about": self.about,
            "file_sha256": self.sha256,
            "limits": [fact.json() for fact in self.limits],
            "aggregate": None if self.aggregate is None else self.aggregate.json(),
            "checklist": [fact.json() for fact in self.filings],
            "postings": [fact.json() for fact in self.postings],
            "conditions": [fact.json() for fact in self.conditions],
            "sources": [source.json() for source in self.sources],
        }


def _by(rule: str) -> str:
    return f" ({rule})" if rule else ""
