"""The vocabulary of a game file as a reference, made from the code: every name, what it takes and what it means."""

import inspect
import re
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import Any

import pitboss.rules as rules
from pitboss.rules import Card, Column, Game, Hand, Seen, Table, Wager

START, STOP = "<!-- vocabulary: made by `make docs` -->", "<!-- end of the vocabulary -->"

CONSTANTS = {
    "ranks": (
        ("TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN", "JACK", "QUEEN", "KING", "ACE"),
        "Ranks as numbers, 0 to 12: what `card.rank` is compared with.",
    ),
    "suits": (("CLUBS", "DIAMONDS", "HEARTS", "SPADES"), "Suits as numbers, 0 to 3, for `card.suit`."),
    "a joker": (("JOKER", "NO_SUIT"), "The rank of a joker (13, above the ace) and its suit (4)."),
    "what a joker is": (("WILD", "BUG"), "What a joker is in a hand, for `cards('2-A', jokers=1, joker=WILD)`."),
    "places": (
        ("PLAYER", "DEALER", "BOARD"),
        'Whom cards are dealt to; a plain name, such as `t.deal("banker")`, is a place of its own.',
    ),
    "faces": (
        ("UP", "DOWN", "BLIND"),
        "How a card lies: `UP` everyone sees it, `DOWN` a player sees his own, `BLIND` nobody does.",
    ),
    "results": (("WIN", "PUSH", "LOSE"), "The same result in every round, for `t.settle(ante=WIN)`."),
    "poker floors": (
        (
            "NO_PAIR", "PAIR", "TWO_PAIR", "THREE_OF_A_KIND", "STRAIGHT", "FLUSH", "FULL_HOUSE", "FOUR_OF_A_KIND",
            "STRAIGHT_FLUSH", "ROYAL_FLUSH", "FIVE_OF_A_KIND",
        ),
        "The least strength of each kind of hand of five cards or more: `strength(hand) >= FLUSH`.",
    ),
    "three-card floors": (
        (
            "THREE_NO_PAIR", "THREE_PAIR", "THREE_FLUSH", "THREE_STRAIGHT", "THREE_TRIPS", "THREE_STRAIGHT_FLUSH",
            "THREE_ROYAL",
        ),
        "The same for hands of three cards, in which a straight beats a flush.",
    ),
    "four-card floors": (
        (
            "FOUR_NO_PAIR", "FOUR_PAIR", "FOUR_TWO_PAIR", "FOUR_STRAIGHT", "FOUR_FLUSH", "FOUR_TRIPS",
            "FOUR_STRAIGHT_FLUSH", "FOUR_QUADS",
        ),
        "The same for hands of four cards, in which three of a kind beats a flush, and only four of a kind a straight "
        "flush.",
    ),
    "two-card floor": (("TWO_CARDS_PAIR",), "The least strength of a pair among hands of two cards."),
    "the deck": (("FULL_DECK",), "The 52 card codes, rank * 4 + suit: the usual `deck` of a game."),
    "amounts": (("TABLE_MIN",), "For `Wager(exactly=TABLE_MIN)`: a bet that must equal the table minimum."),
    "pay tables": (("EVEN_MONEY",), "Win 1 to 1, push, lose: the pay table of a wager that names none."),
}  # fmt: skip
"""Names that are values: told in groups."""

OPERATORS = (
    ("`+ - *`", "sums, differences and products of columns and whole numbers"),
    ("`// %`", "a column divided by a whole number, rounded down, and what that leaves: `total % 10`"),
    ("`sum(columns)`", "Python's own: `sum(lookup(VALUES, card.rank) for card in hand)`"),
    ("`< <= > >= == !=`", "conditions; put brackets around them before joining them"),
    ("`& | ~`", "and, or, not, between conditions"),
    ("`abs(column)`", "the value without its sign"),
)


def vocabulary_page() -> str:
    """The whole reference, as Markdown."""
    parts = [START, "", "## Every word", ""]
    parts += _section("At the table", [_plain("Table", Table), *_methods(Table, "t.")])
    cards = [_plain("Hand", Hand), *_methods(Hand, "hand."), _plain("Card", Card), *_methods(Card, "card.")]
    parts += _section("Cards and hands", cards)
    parts += ["### Columns", "", _plain("Column", Column), ""]
    parts += [f"- {sign}: {words}" for sign, words in OPERATORS] + [""]
    made = {*_grouped(), "Table", "Hand", "Card", "Column"}
    functions = [n for n in rules.__all__ if inspect.isfunction(getattr(rules, n)) and n not in made]
    parts += _section("Functions", (_entry(n, getattr(rules, n)) for n in sorted(functions)))
    classes = [n for n in rules.__all__ if inspect.isclass(getattr(rules, n)) and n not in made]
    parts += _section("Declarations, and what comes back", (_entry(n, getattr(rules, n)) for n in sorted(classes)))
    parts += _section("What a strategy asks for", _methods(Seen, "seen."))
    parts += ["### Names", ""]
    parts += [f"- {', '.join(f'`{n}`' for n in names)}: {words}" for names, words in CONSTANTS.values()]
    return "\n".join([*parts, "", STOP])


def with_vocabulary(page: str) -> str:
    """A page with the reference in its place, between the two marks; at the end where it has none."""
    before, _, rest = page.partition(START)
    after = rest.partition(STOP)[2].lstrip("\n")
    return f"{before.rstrip()}\n\n{vocabulary_page()}\n{after}"


def _grouped() -> set[str]:
    """Names that are told in groups."""
    return {name for names, _ in CONSTANTS.values() for name in names}


def undocumented() -> list[str]:
    """Names of the vocabulary that have no entry, or one without words."""
    page = vocabulary_page()
    missing = [n for n in rules.__all__ if f"`{n}" not in page]
    for name, thing in ((n, getattr(rules, n)) for n in rules.__all__):
        if (inspect.isfunction(thing) or inspect.isclass(thing)) and not _words(thing):
            missing.append(name)
    for owner in (Table, Hand, Card):
        missing += [f"{owner.__name__}.{n}" for n, f in _public(owner) if not _words(f)]
    for declared in (Game, Wager, Seen):
        missing += [f"{declared.__name__}.{f.name}" for f in fields(declared) if f"`{f.name}`" not in page]
    return missing


def _section(title: str, entries: Iterable[str]) -> list[str]:
    return [f"### {title}", "", *entries, ""]


def _public(owner: type) -> list[tuple[str, Any]]:
    return [
        (n, f)
        for n, f in vars(owner).items()
        if not n.startswith("_") and (inspect.isfunction(f) or isinstance(f, property))
    ]


def _methods(owner: type, prefix: str) -> list[str]:
    return [_entry(f"{prefix}{name}", thing, drop_self=True) for name, thing in _public(owner)]


def _plain(name: str, thing: Any) -> str:
    return f"- `{name}`: {_words(thing)}"


def _words(thing: Any) -> str:
    return " ".join((inspect.getdoc(thing) or "").split())


def _entry(name: str, thing: Any, drop_self: bool = False) -> str:
    """The call as one writes it, and what it does; of a declaration, its fields too."""
    if inspect.isclass(thing) and is_dataclass(thing):
        said = _comments(thing)
        names = [f.name for f in fields(thing) if not f.name.startswith("_")]
        return "\n".join([_plain(name, thing), *(f"  - `{f}`{': ' + said[f] if f in said else ''}" for f in names)])
    if isinstance(thing, property) or inspect.isclass(thing):
        return _plain(name, thing)
    return _plain(f"{name}({_call(thing, drop_self)})", thing)


def _comments(owner: type) -> dict[str, str]:
    """What the source says beside the fields of a declaration."""
    lines = (re.match(r"    (\w+):[^#]*#\s*(.+)$", line) for line in inspect.getsource(owner).splitlines())
    return {m.group(1): m.group(2) for m in lines if m}


def _call(thing: Any, drop_self: bool) -> str:
    shown = []
    for number, p in enumerate(inspect.signature(thing).parameters.values()):
        if number == 0 and drop_self:
            continue
        star = "*" if p.kind is p.VAR_POSITIONAL else "**" if p.kind is p.VAR_KEYWORD else ""
        default = "" if p.default is p.empty else f"={p.default!r}"
        shown.append(f"{star}{p.name}{default}")
    return ", ".join(shown)
