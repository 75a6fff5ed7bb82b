"""A game: what a game file defines, before any house has chosen its options."""

import hashlib
import inspect
import re
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from pathlib import Path
from types import FunctionType, MethodType

from pitboss.cards import (
    FULL,
    MOST_CARDS,
    MOST_DECKS,
    Composition,
    Deck,
    composition,
)
from pitboss.rules.column import Column
from pitboss.rules.dealt import Hand
from pitboss.rules.decks import as_deck
from pitboss.rules.errors import BadInput, Site, choice_of, mapped, said
from pitboss.rules.fields import a_flag, a_list, a_mapping, a_name, a_text, a_whole, prose, refuse
from pitboss.rules.fixed import Fixed
from pitboss.rules.house import DERIVED, House
from pitboss.rules.mistakes import careful
from pitboss.rules.numbers import dollars, printed, ratio
from pitboss.rules.options import AMOUNTS, HOUSE_OPTIONS, LISTS, Amount, Choice, Option, Value
from pitboss.rules.paytables import PayTable, money
from pitboss.rules.sight import FACES as FACES
from pitboss.rules.sight import Face as Face
from pitboss.rules.sight import Seen as Seen
from pitboss.rules.sight import Strategy as Strategy
from pitboss.rules.sight import seen_at as seen_at
from pitboss.rules.vocabulary import Table
from pitboss.rules.wagers import Wager

MOST_SEATS = 12  # of any table on the floor
SHIPPED = Path(__file__).parent.parent / "games"
_full = lru_cache(maxsize=256)(composition)  # a live table asks for the same at every deal


@dataclass(frozen=True)
class Anchor:
    """A published figure that the exact analysis must reproduce."""

    wager: str
    edge: str  # as printed, such as "2.88%"
    source: str
    options: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[str, str] = field(default_factory=dict)
    strategy: str = "optimal"

    def __post_init__(self) -> None:
        a_text("the wager of an anchor", self.wager, needed=True)
        object.__setattr__(self, "source", prose("the source of an anchor", self.source))
        if not isinstance(self.edge, str) or not self.edge.endswith("%") or not printed(self.edge):
            raise refuse(f"an anchor is a published edge as it is printed, such as '2.88%', not {said(self.edge)}")
        for what, given in (("options", self.options), ("tables", self.tables)):
            a_mapping(f"the {what} of an anchor", given, "{'decks': '8'}")
        a_text("the strategy of an anchor", self.strategy, needed=True)

    def agrees(self, edge: Fraction | float) -> bool:
        """To the printed digits: within half a unit of the last one."""
        value, unit = printed(self.edge) or (Fraction(0), Fraction(0))  # the edge was read when it was declared
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
    deck: Deck | Sequence[int] | Callable[[Mapping[str, Value]], Deck] = FULL  # cards("7-A"), or by the options
    anchors: Sequence[Anchor] = ()  # published figures that must come out
    cut_card: str = "1"  # decks left behind the cut card
    seats: int = 7  # players at a full table
    settles_from_right: bool = False  # the seat at the dealer's right, the last one, is settled first
    contradiction: Callable[[Mapping[str, Value]], str | None] | None = None  # options that cannot go together
    counts: Callable[[Hand], Mapping[str, Column]] | None = (
        None  # what a hand comes to, for show: a player's, a place's
    )
    notes: Sequence[str] = ()  # readings of unclear rules that are not options, and other remarks
    called: Mapping[str, str] = field(default_factory=dict)  # places, wagers, the "card box": their names on the felt
    irregular: Mapping[str, str] = field(default_factory=dict)  # "late bet": what this game does about it

    def __post_init__(self) -> None:
        a_name("the name of a game", self.name)
        a_text("the title of a game", self.title, needed=True)
        if not isinstance(self.play, FunctionType | MethodType) or not _answers(self.play):
            raise refuse(f"play of a game is a function, written with def play(t), not {said(self.play)}")
        for what in ("contradiction", "counts"):
            if not callable(given := getattr(self, what)) and given is not None:
                raise refuse(f"{what} of a game is a function, not {said(given)}")
        if not callable(self.wagers):
            wagers = a_list("wagers of a game", self.wagers, Wager, "(Wager('ante', required=True),)", empty=False)
            object.__setattr__(self, "wagers", wagers)
        options = a_list("options of a game", self.options, Option, "(Choice('decks', (1, 2), 'decks in the shoe'),)")
        names = [o.name for o in options]
        if twice := [n for n in names if names.count(n) > 1]:
            raise refuse(f"the option {twice[0]!r} is declared twice")
        for option in options:  # those that the house itself reads
            if option.name in AMOUNTS and not isinstance(option, Amount):
                raise refuse(f"the option {option.name!r} is an amount; write Amount({option.name!r}, 5, '...')")
            if option.name in LISTS and not isinstance(option, Choice):
                raise refuse(f"the option {option.name!r} is a list of values; write Choice({option.name!r}, ...)")
        a_mapping("strategies of a game", self.strategies, "{'simple': simple}")
        for name, how in self.strategies.items():
            a_name("the name of a strategy", name)
            if name in DERIVED or not callable(how) or not _answers(how):
                raise refuse(f"the strategy {name!r} is a plain function with a name of its own, not {said(how)}")
        if not callable(self.one_of):
            a_list("one_of of a game", self.one_of, list | tuple | set | frozenset | str, "[['ante', 'pair']]")
        self._check_table()

    def _check_table(self) -> None:
        """The cards, the seats, the cut card and the remarks."""
        if not callable(self.deck):
            object.__setattr__(self, "deck", as_deck(self.deck))
        a_list("anchors of a game", self.anchors, Anchor, "(Anchor('ante', '2.88%', 'the manual'),)")
        notes = a_list("notes of a game", self.notes, str, "('Ties push.',)")
        object.__setattr__(self, "notes", tuple(prose("a note", note) for note in notes))
        for what, given in (("called", self.called), ("irregular", self.irregular)):
            a_mapping(f"{what} of a game", given, "{'board': 'flop'}")
            for key, words in given.items():
                a_text(f"{what} of a game, a name,", key, needed=True)
                object.__setattr__(self, what, {**getattr(self, what), key: prose(f"{what} of {key}", words)})
        a_whole("seats of a game", self.seats, 1, MOST_SEATS)
        a_flag("settles_from_right", self.settles_from_right)
        try:
            ratio("cut_card, the decks behind the cut card", self.cut_card, 0, MOST_DECKS)
        except BadInput as error:
            raise refuse(str(error)) from None

    def line_of(self, word: str) -> Site:
        """The line of the file that has this word in quotes, or as the name of a field; else where `play` begins."""
        for path in dict.fromkeys((self.file, self.path)):
            lines = path.read_text(errors="replace").splitlines() if path.exists() else []
            for shape in (rf"[\"']{re.escape(word)}[\"']", rf"\b{re.escape(word)}="):
                for number, line in enumerate(lines, 1):
                    if re.search(shape, line):
                        return Site(str(path), number)
        return Site(self.play.__code__.co_filename, self.play.__code__.co_firstlineno)

    @cached_property
    def path(self) -> Path:
        return Path(inspect.getsourcefile(self.play) or "?")

    @cached_property
    def file(self) -> Path:
        """The file that defines the game; `play` may stand in another one. Who loads it knows, and says so."""
        return self.path

    @cached_property
    def text(self) -> str:
        """The docstring of the game file: what the game is, in prose."""
        module = inspect.getmodule(self.play)
        doc = getattr(module, "__doc__", None) or self.play.__globals__.get("__doc__")
        return inspect.cleandoc(doc if doc and isinstance(doc, str) else self.title)

    @cached_property
    def sha256(self) -> str:
        """Hash of the game file."""
        return hashlib.sha256(self.file.read_bytes()).hexdigest() if self.file.exists() else ""

    @cached_property
    def all_options(self) -> dict[str, Option]:
        own = {o.name: o for o in self.options}
        return own | {o.name: o for o in HOUSE_OPTIONS if o.name not in own}

    @cached_property
    def key(self) -> tuple[object, ...]:
        """What makes two games the same: the same code, wherever and whenever the file was read."""
        strategies = tuple((name, _code(f)) for name, f in self.strategies.items())
        play = _code(self.play) if self.sha256 else self.play  # without a file, code alone does not say it all
        deck = _code(self.deck) if callable(self.deck) else as_deck(self.deck)
        return self.name, self.sha256, play, strategies, deck

    def __repr__(self) -> str:
        return f"the game {self.name}"

    def reference(self) -> str:
        """Where to find it again: the name of a shipped game, or the path of its file."""
        return self.name if self.file.parent == SHIPPED else str(self.file)

    def deck_at(self, options: Mapping[str, Value]) -> Deck:
        """One deck under these options."""
        if not callable(self.deck):
            return as_deck(self.deck)
        found: object = careful(self.deck, "deck()")(options)
        if not isinstance(found, Deck) or not 1 <= len(found) <= MOST_CARDS:
            what = f"{len(found)} cards" if isinstance(found, Deck) else said(found)
            raise self.line_of("deck").error(
                f"deck() returns 1 to {MOST_CARDS} cards, such as cards('7-A'), not {what}"
            )
        return found

    def full_shoe(self, options: Mapping[str, Value]) -> Composition:
        """What a full shoe holds under these options."""
        decks, deck = options.get("decks", 1), self.deck_at(options)
        assert isinstance(decks, int)
        if decks * len(deck) > MOST_CARDS:
            raise self.line_of("deck").error(
                f"{decks} decks of {len(deck)} cards are more than the {MOST_CARDS} of a shoe"
            )
        return _full(decks, deck)

    def at(
        self, options: Mapping[str, object] | None = None, /, tables: Mapping[str, str] | None = None,
        shoe: "str | Composition | None" = None, **named: object,
    ) -> House:  # fmt: skip
        """The game as one house offers it, such as `game.at(decks=8)`. A bad option or pay table is one clear sentence;
        in Python a hyphen in a name is written as an underscore."""
        values = self._values({**mapped("options", options, "at(decks=8)"), **named})
        tables = mapped("pay tables", tables, "at(tables={'ante': '1,2'})")
        if self.contradiction is not None and (why := careful(self.contradiction, "contradiction()")(values)):
            if not isinstance(why, str) or not why.strip():
                raise self.line_of("contradiction").error(
                    f"contradiction() returns a sentence or None, not {said(why)}"
                )
            raise BadInput(why)
        declared = self._declared(values)
        by_name = {w.name: w for w in declared}
        lent = (replace(w, tables=by_name[w.table_of].tables) if w.table_of in by_name else w for w in declared)
        wagers = tuple(replace(w, tables=tuple(w.tables)) for w in lent)
        self._check_wagers(wagers)
        one_of = self._either(values, {w.name for w in wagers})
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
            least, most = (money(dollars(name, values[name])) for name in ("table-min", "table-max"))
            why = f"the table minimum of ${least} is above the table maximum of ${most} (table-min, table-max)"
            own = next((o.name for o in self.options if o.name in ("table-min", "table-max")), "")
            raise BadInput(why) if given or not own else self.line_of(own).error(why)
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

    def _declared(self, values: Mapping[str, Value]) -> tuple[Wager, ...]:
        found = careful(self.wagers, "wagers()")(values) if callable(self.wagers) else self.wagers
        several = () if isinstance(found, Mapping | str) or not isinstance(found, Iterable) else tuple(found)
        if not several or not all(isinstance(w, Wager) for w in several):
            raise self.line_of("wagers").error(f"wagers() returns a list of Wagers, not {said(found)}")
        return several

    def _either(self, values: Mapping[str, Value], names: Collection[str]) -> tuple[tuple[str, ...], ...]:
        """Which wagers a player may choose between, one of which he must bet."""
        found = careful(self.one_of, "one_of()")(values) if callable(self.one_of) else self.one_of
        if flat := [group for group in found if isinstance(group, str)]:
            raise self.line_of(flat[0]).error(f"one_of is a list of lists, such as [['{flat[0]}', ...]], not of names")
        for name in (name for group in found for name in group):
            if name not in names:
                raise self.line_of(name).error(f"one_of: the wager {choice_of(said(name), sorted(names))}")
        if not all(found):
            raise self.line_of("one_of").error("one_of has an empty list, of which nothing can be bet; leave it out")
        return tuple(tuple(sorted(group)) if isinstance(group, set | frozenset) else tuple(group) for group in found)

    def _check_wagers(self, wagers: Sequence[Wager]) -> None:
        names, by_name = [w.name for w in wagers], {w.name: w for w in wagers}
        for name in names:
            if names.count(name) > 1:
                raise self.line_of(name).error(f"the wager {name!r} is declared twice")
        for wager in wagers:
            for other in (wager.equal_to, wager.needs, wager.table_of):
                if other and other not in names:
                    raise self.line_of(other).error(
                        f"{wager.name} depends on the wager {other!r}, which was never declared; "
                        f"there are {', '.join(names)}"
                    )
            if wager.needs and by_name[wager.needs].equal_to:
                raise self.line_of(wager.needs).error(
                    f"{wager.name} needs {wager.needs}, which goes with another wager; it needs one of its own"
                )
            self._check_chain(wager, by_name)
            at = by_name.get(wager.equal_to or "")
            if wager.along and at is not None and at.equal_to and not at.along:
                raise self.line_of(wager.name).error(
                    f"{wager.name} is required, so it is placed before the deal, and the {at.name} that it equals is "
                    "bet during the round; leave required=True out"
                )
            for _, meter in (m for table in wager.tables for m in table.meters()):
                for option in (meter.meter, meter.seed, meter.increment):
                    if not isinstance(self.all_options.get(option), Amount):
                        raise self.line_of(option).error(
                            f"a meter of {wager.name} is held by the option {option!r}, which was never declared; "
                            f"write Amount({option!r}, 1000, '...') among the options"
                        )

    def _check_chain(self, wager: Wager, by_name: Mapping[str, Wager]) -> None:
        """Each wager that equals another leads to one that is bet before the deal."""
        at, met = wager, [wager.name]
        while at.equal_to:
            at = by_name[at.equal_to]
            if at.name in met:
                raise self.line_of(at.name).error(
                    f"{' equals '.join([*met, at.name])}: no wager of them is bet before the deal; "
                    "declare one without equal_to"
                )
            met.append(at.name)


def _answers(function: Callable[..., object]) -> bool:
    """Whether a call does the work: not one with `async` or `yield`, which only promises it."""
    return not (inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function))


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
