"""A game as one house offers it: a value. Everything that is asked, is asked of a house."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from pitboss.cards import Composition, Deck
from pitboss.rules.course import course, rounds_key
from pitboss.rules.dealt import Stock
from pitboss.rules.errors import BadBet, BadInput, choice_of, mapped, said
from pitboss.rules.fixed import Fixed
from pitboss.rules.identity import Provenance
from pitboss.rules.kept import by_name, kept_tables
from pitboss.rules.limits import Limits
from pitboss.rules.mistakes import careful
from pitboss.rules.options import DOWN_TO_CHIP, Choice, Value, show_value
from pitboss.rules.paying import check_payable, cut_down
from pitboss.rules.paytables import Dollars, Meter, PayTable
from pitboss.rules.shoes import cards_left, ranks_left, shoe_of
from pitboss.rules.wagers import TABLE_MIN, Wager, check_bets, multiples
from pitboss.version import __version__

if TYPE_CHECKING:
    from pitboss.rules.game import Game, Strategy

Placed = frozenset[str] | None
DERIVED = ("optimal", "basic")
"""Ways to play that an analysis works out: by every card; or, for hands of any length, by what the decisions name."""
MOST_ALLOWED = 1000
WHATEVER_METERS_SHOW = ("_by_name", "parties", "multiples", "main", "_allowed", "course")
"""What is worked out from wagers and limits alone."""
_SAME: Any = object()  # an argument that was not given
_dollars = lru_cache(maxsize=4096)(Fraction)  # a live table asks for the same all the time


@dataclass(frozen=True, eq=False, repr=False)
class House:
    """One game under one set of options and pay tables: frozen, hashable, and it can be sent to another process."""

    game: "Game"
    options: Fixed[str, Value]
    wagers: tuple[Wager, ...]
    tables: Fixed[str, PayTable]
    composition: Composition
    one_of: tuple[tuple[str, ...], ...] = ()  # at least one wager of each must be bet
    placed: Placed = None  # wagers before the deal that are bet; None: all of them
    stake: Fraction | None = None  # dollars that fixed awards are measured against; None: see `stake_on`
    under: Limits | None = None  # what the place where it stands allows; its own limits are within these

    # ---- a value

    @cached_property
    def key(self) -> tuple[object, ...]:
        """What makes two houses the same: the game file, and everything that was chosen."""
        tables = tuple((name, t.name, tuple(t.pays.items())) for name, t in self.tables.items())
        return (
            self.game.key, tuple(self.options.items()), tables, self.wagers, self.composition, self.one_of,
            self.placed, self.stake, *([self.under] if self.under else []),
        )  # fmt: skip

    @cached_property
    def rounds_key(self) -> tuple[object, ...]:
        return rounds_key(self)

    @cached_property
    def course(self) -> dict[str, Any]:
        return course(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, House) and self.key == other.key

    @cached_property
    def _hash(self) -> int:
        return hash(self.key)

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        """Sent by the name of its game and by what was chosen: the other side reads the game file itself."""
        from pitboss.rules.files import received

        chosen = (self.chosen(), dict(self.tables), self.composition, self.placed, self.stake, self.under)
        return received, (self.game.reference(), self.game.sha256, *chosen)

    def __repr__(self) -> str:
        of = self.provenance()
        told = [f"{n}={v}" for n, v in of.changed.items()] + [f"{n}: {of.spelled[n]}" for n in of.chosen]
        told += [f"shoe {of.shoe}"] * bool(of.shoe) + [f"bets {', '.join(of.placed or ())}"] * (of.placed is not None)
        told += [f"under {self.under.place}"] if self.under else []
        return f"{self.game.name} at {', '.join(told) or 'the usual house'}"

    # ---- other houses

    def but(
        self, options: Mapping[str, object] | None = None, /, *, tables: Mapping[str, str | PayTable] | None = None,
        shoe: "str | Composition | None" = None, placed: Placed = _SAME, stake: Fraction | None = _SAME,
        under: Limits | None = _SAME, **named: object,
    ) -> "House":  # fmt: skip
        """The same house with something changed: the one way to another house, `house.but(decks=2)`.

        What is not named stays: options; pay tables that are not the usual ones, as far as they fit the wager under the
        new options; what is bet; the shoe as it is, unless an option changes what a full shoe holds; and the limits
        that it is under, which what is named must be within.
        """
        given = by_name({**mapped("options", options, "but(decks=8)"), **named}, self.game.all_options)
        tables = mapped("pay tables", tables, "but(tables={'ante': '1,2'})")
        new = self.game.at({**self.chosen(), **given}) if given or self.under else self
        kept = kept_tables(self, new, given) if given else self.tables
        named_tables = {n: new.table_named(n, t) for n, t in tables.items()}
        lent = [w for w in new.wagers if w.table_of in named_tables and kept[w.name] is kept[w.table_of]]
        chosen = Fixed({**kept, **{w.name: named_tables[w.table_of] for w in lent if w.table_of}, **named_tables})
        full = self.game.full_shoe(new.options)
        if shoe is not None:
            left = shoe_of(shoe, full)
        else:
            left = self.composition if self.game.full_shoe(self.options) == full else full
        made = House(
            self.game, new.options, new.wagers, chosen, left, new.one_of,
            self.placed if placed is _SAME else placed, self.stake if stake is _SAME else stake,
        )  # fmt: skip
        limits = self.under if under is _SAME else under
        if limits is None:
            return made
        made = made.but(limits.options(made, given))
        return replace(made, wagers=limits.wagers(made), under=limits)

    def showing(self, meters: Mapping[str, Fraction]) -> "House":
        """The same house with its meters elsewhere, and nothing else: its wagers and pay tables stay as they are.
        (What a place allows may rest on what a meter shows.)"""
        if self.under:
            return self.but(meters)
        found = replace(self, options=Fixed({**self.options, **meters}))
        known = self.__dict__
        found.__dict__.update((name, known[name]) for name in WHATEVER_METERS_SHOW if name in known)
        return found

    def across(self, option: str, values: Sequence[object] | None = None) -> "list[House]":
        """The house under every value of an option, or under some: `house.across("decks")`."""
        found = self.game.all_options.get(option.replace("_", "-")) if isinstance(option, str) else None
        if not isinstance(found, Choice):
            lists = [o.name for o in self.game.all_options.values() if isinstance(o, Choice)]
            if not lists:
                raise BadInput(f"{self.game.name} has no option with a list of values")
            raise BadInput(f"{choice_of(repr(option), lists)}, the options with a list of values")
        if values is not None and (isinstance(values, str) or not isinstance(values, Sequence)):
            raise BadInput(f"values of {found.name}: a list such as {said(list(found.values[:2]))}, not {said(values)}")
        return [self.but({found.name: v}) for v in (found.values if values is None else values)]

    def table_named(self, wager: str, table: "str | PayTable") -> PayTable:
        """A pay table of a wager by its name, or as somebody writes it: `"1,3,12"`."""
        if isinstance(table, PayTable):
            return table
        if not isinstance(table, str):
            raise BadInput(f"a pay table is a name, or pays in quotes such as '1,3,12', not {said(table)}")
        found = next((w for w in self.wagers if w.name == wager), None)
        if found is None:
            names = ", ".join(w.name for w in self.wagers)
            raise BadInput(f"{self.game.name} has no wager {wager!r} with a pay table; it has {names}")
        by_name = next((t for t in found.tables if t.name == table), None)
        return by_name or self.game.custom_table(found, table)

    # ---- who it is

    def chosen(self) -> dict[str, str]:
        """The options as text, as a user would type them."""
        return {name: show_value(v) for name, v in self.options.items()}

    def provenance(self, strategy: str = "optimal") -> Provenance:
        """The identity of this house for records, logs, checkpoints and the command line."""
        return self._identity if strategy == self._identity.strategy else replace(self._identity, strategy=strategy)

    @cached_property
    def _identity(self) -> Provenance:
        changed = {n: show_value(v) for n, v in self.options.items() if v != self.game.all_options[n].start()}
        usual = {w.name: w.tables[0] for w in self.wagers}
        chosen = [w.name for w in self.wagers if self.tables[w.name].pays != usual[w.name].pays]
        chosen = [n for n in chosen if self._own_table(n)]
        names = {w.name: self.tables[w.name].name for w in self.wagers}
        return Provenance(
            self.game.name, self.game.title, dict(self.options), names, "optimal", __version__, self.game.sha256,
            self.shoe_left(), self.game.reference(), changed, {n: self._spelled(n) for n in self.tables},
            tuple(chosen), cards_left(self.composition, self.game.full_shoe(self.options)),
            None if self.placed is None else tuple(sorted(self.placed)), self.stake, self.under,
        )  # fmt: skip

    def _own_table(self, wager: str) -> bool:
        """Whether a wager has a table of its own, or goes along with that of another."""
        lender = next(w for w in self.wagers if w.name == wager).table_of
        return lender is None or self.tables[wager] is not self.tables.get(lender)

    def _spelled(self, wager: str) -> str:
        table = self.tables[wager]
        own = next(w for w in self.wagers if w.name == wager).tables
        return table.name if any(t.name == table.name for t in own) else table.spelled()

    def shoe_left(self) -> str:
        """What is left in the shoe by rank, such as `A:20 2:24`, when it is not full; else nothing."""
        full = self.game.full_shoe(self.options)
        return "" if self.composition == full else ranks_left(self.composition, self.deck.jokers > 0)

    # ---- wagers

    @cached_property
    def _by_name(self) -> dict[str, Wager]:
        return {w.name: w for w in self.wagers}

    def takes(self, wager: str) -> bool:
        """Whether a wager is bet, or goes with one that is."""
        return self.placed is None or self.lead(wager) in self.placed

    def lead(self, wager: str) -> str:
        """The wager before the deal that this one goes with."""
        found = self._by_name[wager]
        return self.lead(found.equal_to) if found.equal_to else wager

    @cached_property
    def parties(self) -> dict[str, tuple[Wager, ...]]:
        """Each wager before the deal, with those that equal it and are analysed with it."""
        return {
            w.name: tuple(x for x in self.wagers if self.lead(x.name) == w.name) for w in self.wagers if not w.equal_to
        }

    @cached_property
    def multiples(self) -> dict[str, tuple[int | Fraction, ...]]:
        """How many times the wager before the deal each wager may be, also where it equals one that equals another."""
        return multiples(self._by_name)

    def laid(self, bets: Mapping[str, Fraction]) -> dict[str, Fraction]:
        """All that lies on the layout when the cards are dealt, in its order: these bets, and those that go along."""
        along = {w.name: self.multiples[w.name][0] * bets[self.lead(w.name)] for w in self.wagers
                 if w.along and self.lead(w.name) in bets}  # fmt: skip
        return {w.name: {**bets, **along}[w.name] for w in self.wagers if w.name in bets or w.name in along}

    def check_wager(self, wager: str) -> str:
        """A wager before the deal by its name; one clear sentence where there is none of it."""
        if not isinstance(wager, str):
            raise BadInput(f"a wager is a name in quotes, such as {self.main[0]!r}, not {said(wager)}")
        name = wager.replace("_", "-") if wager not in self.parties else wager
        if name in self.parties:
            return name
        if name in self._by_name:
            raise BadInput(f"{name} goes with the {self.lead(name)}; ask for {self.lead(name)}")
        raise BadInput(f"{self.game.name} has no wager {wager!r} before the deal; it has {', '.join(self.parties)}")

    @cached_property
    def main(self) -> tuple[str, ...]:
        """The wagers whose expectation a player maximises: the required ones, or all where none is."""
        required = [w.name for w in self.wagers if w.required and not w.equal_to]
        either = [n for names in self.one_of for n in names]
        return tuple(dict.fromkeys(required + either)) or tuple(self.parties)

    def check_bets(self, bets: Mapping[str, Fraction]) -> None:
        if self.under is not None:
            self.under.check(self, bets)
        check_bets(self.wagers, self.one_of, bets, self.amount("table-min"), self.amount("table-max"))

    def check_tokes(self, tokes: Mapping[str, Fraction], bets: Mapping[str, Fraction]) -> None:
        """Bets that a player makes for the dealer: on wagers that allow it, within their limits, along with his own."""
        taken = [w for w in self.wagers if w.tokes]
        for name, amount in tokes.items():
            wager = next((w for w in taken if w.name == name), None)
            if wager is None:
                allowed = f"on {' or '.join(w.name for w in taken)}" if taken else "at no wager of this game"
                raise BadInput(f"a bet for the dealer cannot be made on {name}; it can {allowed}")
            if wager.needs and wager.needs not in bets:
                raise BadBet("{} needs a bet on {}, also for the dealer", name, wager.needs)
            self.check_amount(wager, amount)

    def check_amount(self, wager: Wager, amount: Fraction) -> None:
        """One bet by itself, within the limits of the place and of the table."""
        if self.under is not None:
            self.under.check(self, {wager.name: amount}, tokes=True)
        wager.check_amount(amount, self.amount("table-min"), self.amount("table-max"))

    def check_table(self, seats: Iterable[Mapping[str, Fraction]]) -> None:
        """The bets of all seats together, where a place limits what a round may pay at a table."""
        if self.under is not None:
            self.under.check_table(self, seats)

    def least_bet(self, wager: str) -> Fraction:
        """The smallest bet that the house takes on a wager before the deal."""
        found = self._by_name[wager]
        if found.exactly is not None:
            return self.amount("table-min") if found.exactly == TABLE_MIN else Fraction(found.exactly)
        return self.amount("table-min") if found.minimum is None else Fraction(found.minimum)

    def largest_bet(self, wager: str) -> Fraction:
        """The largest bet that the house takes on a wager before the deal."""
        found = self._by_name[wager]
        if found.exactly is not None:
            return self.amount("table-min") if found.exactly == TABLE_MIN else Fraction(found.exactly)
        return self.amount("table-max") if found.maximum is None else Fraction(found.maximum)

    def stake_on(self, wager: str) -> Fraction:
        """The dollars that fixed awards are measured against: as set, the option `stake`, or the least bet."""
        if self.stake is not None:
            return self.stake
        return self.amount("stake") if "stake" in self.options else self.least_bet(self.lead(wager))

    def net(self, wager: str, row: str, stake: Fraction) -> Fraction:
        """What a row brings the player, per unit staked on this wager: the one place where a pay becomes money. The
        stake matters to fixed awards and where chips cut odd amounts; what the house stakes, the player cannot lose."""
        pay = self.tables[wager].pay(row)
        if isinstance(pay, Fraction):
            return self.paid(max(pay, Fraction(0)) if self._by_name[wager].free else pay, stake)
        if isinstance(pay, Dollars):
            award = max(pay.amount, stake * self.paid(pay.least, stake))
        else:
            award = self.amount(pay.meter)
        return award / stake - (0 if self._by_name[wager].stake_returned else 1)

    @cached_property
    def chip(self) -> Fraction | None:
        """The smallest chip, where what a pay comes to is cut down to whole ones; None where it is paid exactly."""
        return self.amount("chip") if self.options["rounding"] == DOWN_TO_CHIP else None

    def paid(self, pay: Fraction, stake: Fraction) -> Fraction:
        """A pay to 1 on a stake: what is won, or comes back of a stake that is lost in part, is cut to whole chips."""
        if self.chip is None or pay <= -1 or pay == 0:
            return pay
        back = pay * stake if pay > 0 else (1 + pay) * stake
        return back // self.chip * self.chip / stake - (0 if pay > 0 else 1)

    def check_seat(self, bets: Mapping[str, Fraction], tokes: Mapping[str, Fraction]) -> None:
        """What a seat may bet for itself and for the dealer. No bet at a table may come to a fraction of a cent: not by
        what it pays, nor by what goes with it."""
        asked = (*bets.items(), None, *tokes.items())
        if asked in self._allowed:  # the same bets are made round after round
            return
        self.check_bets(bets)
        self.check_tokes(tokes, bets)
        check_payable(self, bets)
        check_payable(self, tokes)
        if len(self._allowed) >= MOST_ALLOWED:
            self._allowed.clear()
        self._allowed.add(asked)

    @cached_property
    def _allowed(self) -> set[tuple[object, ...]]:
        """Bets of a seat that were found to be allowed."""
        return set()

    def amount(self, option: str) -> Fraction:
        return _dollars(self.options[option])

    def meters(self, wager: str) -> list[tuple[str, Meter]]:
        return self.tables[wager].meters()

    def pays_dollars(self, wager: str) -> bool:
        """Whether a row of the wager, or of one that goes with it, pays so many dollars whatever is bet."""
        return any(isinstance(pay, Dollars) for w in self.parties[wager] for pay in self.tables[w.name].pays.values())

    def bet_matters(self, wager: str) -> str:
        """Why what a bet comes to, per dollar, depends on how many dollars it is; nothing where it does not."""
        return "awards are in dollars" if self.pays_dollars(wager) else cut_down(self, wager)

    def measured(self, wager: str, bet: Fraction) -> "House":
        """The same house, for what a bet of so many dollars on a wager comes to."""
        return self.but(stake=bet) if self.bet_matters(wager) else self

    # ---- the table

    @cached_property
    def deck(self) -> Deck:
        """One deck of the shoe."""
        return self.game.deck_at(self.options)

    @cached_property
    def stock(self) -> Stock:
        """What kind of cards can be dealt."""
        return Stock(self.deck.jokers > 0, self.deck.joker, self.deck.wild)

    @property
    def decks(self) -> int | None:
        """Decks in the shoe; None for a game of one deck that is shuffled for every round."""
        found = self.options.get("decks")
        return found if isinstance(found, int) else None

    def check_seats(self, seats: int, cards: int) -> None:
        """Whether so many players fit at the table, and their cards into the shoe."""
        if not 1 <= seats <= self.game.seats:
            raise BadInput(f"{self.game.title} seats 1 to {self.game.seats} players, not {seats}")
        if cards > sum(self.composition):
            raise BadInput(f"{seats} players need {cards} cards, and the shoe has {sum(self.composition)}")

    def strategy(self, name: str) -> "Strategy":
        if not isinstance(name, str) or name not in self.game.strategies:
            raise BadInput(f"{self.game.name}: strategy {choice_of(name, ['optimal', *self.game.strategies])}")
        return careful(self.game.strategies[name], f"the strategy {name!r}")
