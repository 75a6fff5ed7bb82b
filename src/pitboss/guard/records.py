"""What was found out about a game's protection: frozen records and their JSON. They compute nothing new."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from pitboss.ledger.records import Json, ratio
from pitboss.ledger.shown import Shown
from pitboss.rules.identity import Provenance

Exact = Fraction | float  # a fraction is an exact count; a float is a count summed in double precision


@dataclass(frozen=True)
class Removal:
    """The effect of taking one of these cards, which are alike, out of the full shoe."""

    cards: str
    effect: Exact  # on the player's expectation, in units of the wager
    tag: int | None  # in the count, if there is one

    def json(self) -> Json:
        return {"cards": self.cards, "effect": float(self.effect), "effect_exact": _exact(self.effect), "tag": self.tag}


@dataclass(frozen=True)
class Count:
    """The count that a person can keep at the table."""

    kind: str  # "tags" or "suits"
    level: int | None  # the highest tag
    correlation: float | None  # of the tags with the effects of removal
    break_even: float | None  # true count at which the line of effects crosses zero

    def json(self) -> Json:
        return {
            "kind": self.kind, "level": self.level, "betting_correlation": self.correlation,
            "break_even_true_count": self.break_even,
        }  # fmt: skip


@dataclass(frozen=True)
class Gain:
    """A player who bets one unit whenever he thinks it favourable: how often, how good, and what it brings."""

    share: float
    share_error: float
    edge: float | None  # average expectation of the bets made; None where there were none
    edge_error: float | None
    win: float  # units per 100 hands
    win_error: float
    hourly: float  # dollars an hour at the limit
    hourly_error: float

    def json(self) -> Json:
        return {
            "bet_frequency": self.share,
            "bet_frequency_standard_error": self.share_error,
            "average_edge": self.edge,
            "average_edge_standard_error": self.edge_error,
            "units_per_100_hands": self.win,
            "units_per_100_hands_standard_error": self.win_error,
            "dollars_per_hour": self.hourly,
            "dollars_per_hour_standard_error": self.hourly_error,
        }


@dataclass(frozen=True)
class Depth:
    """One number of decks and one place of the cut card, from real shoes."""

    decks: int
    cut: Fraction  # decks behind the cut card
    rounds: int
    perfect: Gain
    counted: Gain | None
    trigger: int | None  # the true count from which on the count bets

    def json(self) -> Json:
        return {
            "decks": self.decks,
            "cut": float(self.cut),
            "rounds": str(self.rounds),
            "perfect_play": self.perfect.json(),
            "counted": None if self.counted is None else self.counted.json(),
            "trigger_true_count": self.trigger,
        }


@dataclass(frozen=True)
class Exposure:
    """What seeing a card that should be hidden is worth; or why that is not counted."""

    what: str
    edge: Exact | None  # of the house, played as well as can be
    ways: int | None  # of an exact count; None where it was summed in double precision
    why_not: str = ""

    def json(self) -> Json:
        return {
            "seen": self.what,
            "house_edge": None if self.edge is None else float(self.edge),
            "house_edge_exact": None if self.edge is None else _exact(self.edge),
            "ways": None if self.ways is None else str(self.ways),
            "why_not": self.why_not or None,
        }


@dataclass(frozen=True)
class Advice:
    """What to do about one number of decks."""

    decks: int
    verdict: str  # "never favourable", "safe", "computers only", "cut", "limit" or "do not offer"
    cut: Fraction | None  # decks to leave behind the cut card at least; None where no place looked at is safe
    limit: int | None  # the largest bet, in whole dollars, that is safe at every place; 0: not even the least bet
    sentence: str

    def json(self) -> Json:
        return {
            "decks": self.decks, "verdict": self.verdict, "cut_at_least": None if self.cut is None else float(self.cut),
            "limit": self.limit, "sentence": self.sentence,
        }  # fmt: skip


@dataclass(frozen=True)
class Terms:
    """What the simulation and the advice rest on."""

    shoes: int
    seats: int
    seed: int
    hands_per_hour: int
    limit: Fraction
    tolerate: Fraction  # dollars an hour that a perfect counter may win
    least: Fraction  # the least bet that the house takes
    bet: Fraction  # what the figures are for: the limit, or the least bet where that wins more

    def json(self) -> Json:
        return {
            "shoes": self.shoes, "seats": self.seats, "seed": self.seed, "hands_per_hour": self.hands_per_hour,
            "limit": float(self.limit), "least_bet": float(self.least), "bet": float(self.bet),
            "tolerated_dollars_per_hour": float(self.tolerate),
        }  # fmt: skip


@dataclass(frozen=True)
class Protected(Shown):
    """One wager: what cards do to it, what a counter wins on it, what a glimpse is worth, and what to do."""

    wager: str
    paytable: str
    decks: int | None  # of the effects and the count; None: one deck, shuffled for every round
    edge: Exact  # of the house, full shoe
    removals: tuple[Removal, ...]
    count: Count | None
    terms: Terms | None
    depths: tuple[Depth, ...]
    states: int | None  # shoes whose expectation was counted, where that takes too long for every round
    exposures: tuple[Exposure, ...]
    advice: tuple[Advice, ...]
    also: tuple[str, ...]  # what to cover, and which number of decks gives a counter least
    notes: tuple[str, ...] = ()

    TABLE = "depths"

    def json(self) -> Json:
        return {
            "wager": self.wager,
            "paytable": self.paytable,
            "decks": self.decks,
            "house_edge": float(self.edge),
            "house_edge_exact": _exact(self.edge),
            "removals": [r.json() for r in self.removals],
            "count": None if self.count is None else self.count.json(),
            "terms": None if self.terms is None else self.terms.json(),
            "depths": [d.json() for d in self.depths],
            "states": self.states,
            "exposures": [e.json() for e in self.exposures],
            "advice": [a.json() for a in self.advice],
            "also": list(self.also),
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class Protection(Shown):
    """A game: every wager that can be judged, and why the others cannot."""

    of: Provenance
    wagers: tuple[Protected, ...]
    not_judged: Mapping[str, str]

    TABLE = "wagers"

    def json(self) -> Json:
        return {
            **self.of.json(),
            "method": "effects and exposures exact, depths simulated",
            "wagers": [w.json() for w in self.wagers],
            "not_judged": dict(self.not_judged),
        }


def _exact(value: Exact) -> str | None:
    return ratio(value) if isinstance(value, Fraction) else None
