"""A game: what a game file defines, before any house has chosen its options."""

import hashlib
import inspect
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from types import FunctionType

from pitboss.cards import FULL_DECK, Composition, card_name, rank_of, suit_of
from pitboss.rules.column import Column
from pitboss.rules.dealt import Hand
from pitboss.rules.errors import BadInput, RuleError, choice_of
from pitboss.rules.evaluate import evaluate
from pitboss.rules.fixed import Fixed
from pitboss.rules.graph import Decide, Times
from pitboss.rules.house import House, full_shoe
from pitboss.rules.numbers import printed
from pitboss.rules.options import HOUSE_OPTIONS, Option, Value, show_value
from pitboss.rules.paytables import PayTable
from pitboss.rules.vocabulary import Table
from pitboss.rules.wagers import Wager

SHIPPED = Path(__file__).parent.parent / "games"


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


FACES = tuple(Face(code) for code in FULL_DECK)


@dataclass(frozen=True)
class Seen:
    """What a strategy may look at: the decision, the choices and every card that the player can see."""

    decision: str  # its name
    choices: tuple[str, ...]  # what may be answered
    player: tuple[Face, ...]  # the player's own cards
    dealer: tuple[Face, ...]  # what the dealer shows
    board: tuple[Face, ...]  # what lies open on the board
    carried: Mapping[str, int] = field(default_factory=dict)  # what the seat has carried over
    bets: Mapping[str, Times] = field(default_factory=dict)  # placed during the round so far, in multiples
    by: Mapping[str, int] = field(default_factory=dict)  # what the decision is made by, where it names that


Strategy = Callable[[Seen], str]


def seen_at(decision: Decide, cards: Mapping[int, int], carried: Mapping[str, int]) -> Seen:
    """What a player sees at a decision when these cards lie in its slots."""
    player, dealer, board = (tuple(FACES[cards[s]] for s in slots) for slots in decision.sight.values())
    by = {label: evaluate(col, cards, carried) for label, col in decision.by}
    return Seen(decision.name, decision.choices, player, dealer, board, dict(carried), decision.placed, by)


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
        found = printed(self.edge)
        if found is None:
            raise RuleError(f"an anchor's edge is a figure as it is printed, such as '2.88%', not {self.edge!r}")
        value, unit = found
        return abs(Fraction(edge) - value) <= unit / 2


@dataclass(frozen=True, repr=False)
class Game:
    """What a game file defines as `GAME`."""

    name: str  # as one types it: small letters and hyphens
    title: str  # as it is printed
    play: Callable[[Table], None]  # one round
    wagers: Sequence[Wager] | Callable[[Mapping[str, Value]], Sequence[Wager]]  # or a function of the options
    options: Sequence[Option] = ()  # what a house may set
    strategies: Mapping[str, Strategy] = field(default_factory=dict)  # ways to play, by name: functions of `Seen`
    one_of: Sequence[Sequence[str]] | Callable[[Mapping[str, Value]], Sequence[Sequence[str]]] = ()  # wagers, either-or
    deck: Sequence[int] = FULL_DECK  # the card codes of one deck
    anchors: Sequence[Anchor] = ()  # published figures that must come out
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

    @cached_property
    def key(self) -> tuple[object, ...]:
        """What makes two games the same: the same code, wherever and whenever the file was read."""
        strategies = tuple((name, _code(f)) for name, f in self.strategies.items())
        play = _code(self.play) if self.sha256 else self.play  # without a file, code alone does not say it all
        return self.name, self.sha256, play, strategies, tuple(self.deck)

    def __repr__(self) -> str:
        return f"the game {self.name}"

    def reference(self) -> str:
        """Where to find it again: the name of a shipped game, or the path of its file."""
        return self.name if self.path.parent == SHIPPED else str(self.path)

    def full_shoe(self, options: Mapping[str, Value]) -> Composition:
        """What a full shoe holds under these options."""
        return full_shoe(options, self.deck)

    def at(
        self, options: Mapping[str, object] | None = None, /, tables: Mapping[str, str] | None = None,
        shoe: "str | Composition | None" = None, **named: object,
    ) -> House:  # fmt: skip
        """The game as one house offers it, such as `game.at(decks=8)`. A bad option or pay table is one clear sentence;
        in Python a hyphen in a name is written as an underscore."""
        values = self._values({**(options or {}), **named})
        if self.contradiction is not None and (why := self.contradiction(values)):
            raise BadInput(why)
        declared = tuple(self.wagers(values) if callable(self.wagers) else self.wagers)
        by_name = {w.name: w for w in declared}
        lent = (replace(w, tables=by_name[w.table_of].tables) if w.table_of in by_name else w for w in declared)
        wagers = tuple(replace(w, tables=tuple(w.tables)) for w in lent)
        self._check_wagers(wagers)
        either = self.one_of(values) if callable(self.one_of) else self.one_of
        if flat := [names for names in either if isinstance(names, str)]:
            raise RuleError(f'{self.path.name}: one_of is a list of lists, such as [["{flat[0]}", ...]], not of names')
        one_of = tuple(tuple(names) for names in either)
        usual = Fixed({w.name: w.tables[0] for w in wagers})
        house = House(self, Fixed(values), wagers, usual, self.full_shoe(values), one_of)
        if tables:
            chosen = {**usual, **{name: house.table_named(name, text) for name, text in tables.items()}}
            chosen |= {w.name: chosen[w.table_of] for w in wagers if w.table_of and w.name not in tables}
            house = replace(house, tables=Fixed(chosen))
        return house if shoe is None else house.but(shoe=shoe)

    def _values(self, given: Mapping[str, object]) -> dict[str, Value]:
        values: dict[str, Value] = {name: o.start() for name, o in self.all_options.items()}
        for written, value in given.items():
            name = written if written in values else written.replace("_", "-")
            if name not in values:
                raise BadInput(f"{self.name} has no option {written!r}; it has {', '.join(self.all_options)}")
            values[name] = self.all_options[name].parse(value)
        if values["table-min"] > values["table-max"]:  # type: ignore[operator]
            raise BadInput(
                f"table-min {show_value(values['table-min'])} is above table-max {show_value(values['table-max'])}"
            )
        return values

    def custom_table(self, wager: Wager, text: str) -> PayTable:
        """A pay table as somebody writes it, for the rows of the wager's own."""
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


def _code(function: Callable[..., object]) -> object:
    """What a function of a game file does, comparable: its code, where that and the file are all there is to it. A
    method, a closure or a function with defaults of its own is like itself alone."""
    if (
        not isinstance(function, FunctionType)
        or function.__closure__
        or function.__defaults__
        or function.__kwdefaults__
    ):
        return function if isinstance(function, Hashable) else id(function)
    return function.__code__
