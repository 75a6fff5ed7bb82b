"""A game, and a game as one house offers it: options chosen, pay tables chosen."""

import hashlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path

from pitboss.cards import FULL_DECK, RANKS, Composition, card_name, composition, rank_of, suit_of
from pitboss.rules.column import Column, Hand
from pitboss.rules.errors import BadInput, RuleError, choice_of
from pitboss.rules.graph import Times
from pitboss.rules.options import HOUSE_OPTIONS, Option, Value, show_value
from pitboss.rules.paytables import Dollars, Meter, PayTable
from pitboss.rules.vocabulary import Table
from pitboss.rules.wagers import TABLE_MIN, Wager, check_bets


@dataclass(frozen=True)
class Face:
    """A card that the player can see."""

    code: int

    @property
    def rank(self) -> int:
        return rank_of(self.code)

    @property
    def suit(self) -> int:
        return suit_of(self.code)

    def __str__(self) -> str:
        return card_name(self.code)


@dataclass(frozen=True)
class Seen:
    """What a strategy may look at: the decision, the choices and every card that the player can see."""

    decision: str
    choices: tuple[str, ...]
    player: tuple[Face, ...]
    dealer: tuple[Face, ...]
    board: tuple[Face, ...]
    carried: Mapping[str, int] = field(default_factory=dict)
    bets: Mapping[str, Times] = field(default_factory=dict)  # placed during the round so far, in multiples
    by: Mapping[str, int] = field(default_factory=dict)  # what the decision is made by, where it names that


Strategy = Callable[[Seen], str]


@dataclass(frozen=True)
class Anchor:
    """A published figure that the exact analysis must reproduce."""

    wager: str
    edge: str  # as printed, such as "2.88%"
    source: str
    options: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[str, str] = field(default_factory=dict)
    strategy: str = "optimal"

    def agrees(self, edge: Fraction | float) -> bool:
        """To the printed digits: within half a unit of the last one."""
        text = self.edge.rstrip("%")
        places = len(text.partition(".")[2])
        return abs(Fraction(edge) * 100 - Fraction(text)) <= Fraction(1, 2 * 10**places)


@dataclass(frozen=True)
class Game:
    """What a game file defines as `GAME`."""

    name: str
    title: str
    play: Callable[[Table], None]
    wagers: Sequence[Wager] | Callable[[Mapping[str, Value]], Sequence[Wager]]
    options: Sequence[Option] = ()
    strategies: Mapping[str, Strategy] = field(default_factory=dict)
    one_of: Sequence[Sequence[str]] | Callable[[Mapping[str, Value]], Sequence[Sequence[str]]] = ()  # either-or
    deck: Sequence[int] = FULL_DECK
    anchors: Sequence[Anchor] = ()
    cut_card: str = "1"  # decks left behind the cut card
    seats: int = 7  # players at a full table
    settles_from_right: bool = False  # the seat at the dealer's right, the last one, is settled first
    contradiction: Callable[[Mapping[str, Value]], str | None] | None = None  # options that cannot go together
    counts: Callable[[Hand], Mapping[str, Column]] | None = None  # what a hand comes to, for show at a live table
    notes: Sequence[str] = ()  # readings of unclear rules that are not options, and other remarks

    @cached_property
    def path(self) -> Path:
        return Path(inspect.getsourcefile(self.play) or "?")

    @cached_property
    def text(self) -> str:
        """The docstring of the game file: what the game is, in prose."""
        module = inspect.getmodule(self.play)
        doc = getattr(module, "__doc__", None) or self.play.__globals__.get("__doc__")
        return inspect.cleandoc(doc or self.title)

    @cached_property
    def sha256(self) -> str:
        """Hash of the game file."""
        return hashlib.sha256(self.path.read_bytes()).hexdigest() if self.path.exists() else ""

    @cached_property
    def all_options(self) -> dict[str, Option]:
        own = {o.name: o for o in self.options}
        return own | {o.name: o for o in HOUSE_OPTIONS if o.name not in own}

    def at(
        self,
        options: Mapping[str, object] | None = None,
        tables: Mapping[str, str] | None = None,
        shoe: Composition | None = None,
    ) -> "House":
        """The game as one house offers it. A bad option or pay table is one clear sentence."""
        values: dict[str, Value] = {name: o.start() for name, o in self.all_options.items()}
        for name, given in (options or {}).items():
            if name not in values:
                raise BadInput(f"{self.name} has no option {name!r}; it has {', '.join(self.all_options)}")
            values[name] = self.all_options[name].parse(str(given))
        if values["table-min"] > values["table-max"]:  # type: ignore[operator]
            raise BadInput(
                f"table-min {show_value(values['table-min'])} is above table-max {show_value(values['table-max'])}"
            )
        if self.contradiction is not None and (why := self.contradiction(values)):
            raise BadInput(why)
        declared = tuple(self.wagers(values) if callable(self.wagers) else self.wagers)
        by_name = {w.name: w for w in declared}
        wagers = tuple(replace(w, tables=by_name[w.table_of].tables) if w.table_of in by_name else w for w in declared)
        self._check_wagers(wagers)
        chosen = {w.name: w.tables[0] for w in wagers}
        for name, text in (tables or {}).items():
            wager = next((w for w in wagers if w.name == name), None)
            if wager is None:
                raise BadInput(
                    f"{self.name} has no wager {name!r} with a pay table; it has {', '.join(w.name for w in wagers)}"
                )
            chosen[name] = next((t for t in wager.tables if t.name == text), None) or self._custom(wager, text)
        chosen |= {w.name: chosen[w.table_of] for w in wagers if w.table_of and w.name not in (tables or {})}
        decks = values.get("decks", 1)
        assert isinstance(decks, int)
        one_of = tuple(tuple(names) for names in (self.one_of(values) if callable(self.one_of) else self.one_of))
        return House(self, values, wagers, chosen, composition(decks, self.deck) if shoe is None else shoe, one_of)

    def _custom(self, wager: Wager, text: str) -> PayTable:
        names = [t.name for t in wager.tables]
        if "," not in text and "=" not in text and len(wager.tables[0].pays) > 1:
            raise BadInput(
                f"pay table {choice_of(repr(text), names)} of {wager.name}; or write one pay for each of "
                f"{', '.join(wager.tables[0].pays)}, such as {wager.tables[0].spelled()!r}"
            )
        return wager.tables[0].custom(text, wager.name)

    def _check_wagers(self, wagers: Sequence[Wager]) -> None:
        names = [w.name for w in wagers]
        for name in names:
            if names.count(name) > 1:
                raise RuleError(f"{self.path.name}: the wager {name!r} is declared twice")
        if not any(not w.equal_to for w in wagers):
            raise RuleError(f"{self.path.name}: no wager is bet before the deal; declare one without equal_to")
        for wager in wagers:
            for other in (wager.equal_to, wager.needs):
                if other and other not in names:
                    raise RuleError(
                        f"{self.path.name}: {wager.name} depends on the wager {other!r}, which was never declared"
                    )


@dataclass(frozen=True, eq=False)
class House:
    """One game under one set of options and pay tables: what every interpreter is given."""

    game: Game
    options: Mapping[str, Value]
    wagers: tuple[Wager, ...]
    tables: Mapping[str, PayTable]
    composition: Composition
    one_of: tuple[tuple[str, ...], ...] = ()  # at least one wager of each must be bet
    placed: frozenset[str] | None = None  # wagers before the deal that are bet; None: all of them

    def takes(self, wager: str) -> bool:
        """Whether a wager is bet, or goes with one that is."""
        return self.placed is None or self.lead(wager) in self.placed

    def lead(self, wager: str) -> str:
        """The wager before the deal that this one goes with."""
        found = next(w for w in self.wagers if w.name == wager)
        return self.lead(found.equal_to) if found.equal_to else wager

    @cached_property
    def parties(self) -> dict[str, tuple[Wager, ...]]:
        """Each wager before the deal, with those that equal it and are analysed with it."""
        return {
            w.name: tuple(x for x in self.wagers if self.lead(x.name) == w.name) for w in self.wagers if not w.equal_to
        }

    @cached_property
    def main(self) -> tuple[str, ...]:
        """The wagers whose expectation a player maximises: the required ones, or all where none is."""
        required = [w.name for w in self.wagers if w.required]
        either = [n for names in self.one_of for n in names]
        return tuple(dict.fromkeys(required + either)) or tuple(self.parties)

    def check_bets(self, bets: Mapping[str, Fraction]) -> None:
        check_bets(
            self.wagers,
            self.one_of,
            bets,
            Fraction(self.options["table-min"]),
            Fraction(self.options["table-max"]),
        )

    def check_tokes(self, tokes: Mapping[str, Fraction], bets: Mapping[str, Fraction]) -> None:
        """Bets that a player makes for the dealer: on wagers that allow it, within their limits, along with his own."""
        taken = [w for w in self.wagers if w.tokes]
        for name, amount in tokes.items():
            wager = next((w for w in taken if w.name == name), None)
            if wager is None:
                allowed = f"on {' or '.join(w.name for w in taken)}" if taken else "at no wager of this game"
                raise BadInput(f"a bet for the dealer cannot be made on {name}; it can {allowed}")
            if wager.needs and wager.needs not in bets:
                raise BadInput(f"{name} needs a bet on {wager.needs}, also for the dealer")
            wager.check_amount(amount, self.amount("table-min"), self.amount("table-max"))

    def least_bet(self, wager: str) -> Fraction:
        """The smallest bet that the house takes on a wager before the deal."""
        found = next(w for w in self.wagers if w.name == wager)
        table_min = Fraction(self.options["table-min"])
        if isinstance(found.exactly, int):
            return Fraction(found.exactly)
        return table_min if found.minimum is None else Fraction(found.minimum)

    def largest_bet(self, wager: str) -> Fraction:
        """The largest bet that the house takes on a wager before the deal."""
        found = next(w for w in self.wagers if w.name == wager)
        if found.exactly is not None:
            return self.amount("table-min") if found.exactly == TABLE_MIN else Fraction(found.exactly)
        return self.amount("table-max") if found.maximum is None else Fraction(found.maximum)

    def net(self, wager: str, row: str, stake: Fraction) -> Fraction:
        """What a row brings the player, per unit staked on this wager; the stake matters to fixed awards only."""
        pay = self.tables[wager].pay(row)
        if isinstance(pay, Fraction):
            return pay
        award = pay.award(stake) if isinstance(pay, Dollars) else self.amount(pay.meter)
        returned = next(w for w in self.wagers if w.name == wager).stake_returned
        return award / stake - (0 if returned else 1)

    def amount(self, option: str) -> Fraction:
        return Fraction(self.options[option])

    def meters(self, wager: str) -> list[tuple[str, Meter]]:
        return self.tables[wager].meters()

    def shoe_left(self) -> str:
        """What is left in the shoe by rank, such as `A:20 2:24`, when it is not full; else nothing."""
        decks = self.options.get("decks", 1)
        assert isinstance(decks, int)
        if self.composition == composition(decks, self.game.deck):
            return ""
        return " ".join(f"{rank}:{sum(self.composition[4 * r : 4 * r + 4])}" for r, rank in enumerate(RANKS))

    def chosen(self) -> dict[str, str]:
        """The options as text, for records."""
        return {name: show_value(v) for name, v in self.options.items()}

    def check_seats(self, seats: int, cards: int) -> None:
        """Whether so many players fit at the table, and their cards into the shoe."""
        if not 1 <= seats <= self.game.seats:
            raise BadInput(f"{self.game.title} seats 1 to {self.game.seats} players, not {seats}")
        if cards > sum(self.composition):
            raise BadInput(f"{seats} players need {cards} cards, and the shoe has {sum(self.composition)}")

    def strategy(self, name: str) -> Strategy:
        if name not in self.game.strategies:
            raise BadInput(f"{self.game.name}: strategy {choice_of(name, ['optimal', *self.game.strategies])}")
        return self.game.strategies[name]
