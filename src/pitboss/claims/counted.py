"""What claims ask of the exact analysis: one count for all houses whose rounds are alike, however they pay.

A document names many pay tables, stakes and jackpots of one game. None of them changes how a round goes: only what
`play` asks for does, and the graph keeps what that was. So the first such house is counted, and the law of its rounds
is paid by the others. A wager that the player's choices are about is different, because he plays for what it pays: it
is solved again for every pay table, from the same counts.
"""

from collections import deque
from dataclasses import replace
from functools import lru_cache

from pitboss.cards import Composition
from pitboss.exact import Study
from pitboss.ledger.law import Law
from pitboss.ledger.records import WagerResult
from pitboss.rules.house import House
from pitboss.rules.paytables import EVEN_MONEY
from pitboss.rules.rewrite import only
from pitboss.rules.trace import trace

OPTIMAL = "optimal"

ALL = ""
MOST = 64  # studies, and houses to find them by, that are kept

_first: deque[tuple[House, dict[str, frozenset[str]]]] = deque(maxlen=MOST)
"""Houses that were traced first of their kind, with the options that `play` asked for: see `_asked_for`."""

_looks: dict[tuple[str, Composition], House] = {}
"""What wagers look at, and the house in which it was seen first."""


def study_of(house: House, strategy: str = OPTIMAL) -> Study:
    """The study of a house; another strategy is played on the counts of the best one."""
    return _study(house, strategy)


@lru_cache(maxsize=MOST)
def _study(house: House, strategy: str) -> Study:
    return Study(house) if strategy == OPTIMAL else _study(house, OPTIMAL).playing(strategy)


def record_of(house: House, wager: str, strategy: str = OPTIMAL) -> WagerResult:
    """The record of one wager."""
    return _record(house, wager, strategy)


@lru_cache(maxsize=1024)
def _record(house: House, wager: str, strategy: str) -> WagerResult:
    alike = same_rounds(house, wager)
    if wager in study_of(alike).book.shared:
        return study_of(alike).wager(wager)
    if (by_itself := _by_itself(alike, wager)) is not None:
        return _law(by_itself, wager).paying(house).record(wager)
    if strategy != OPTIMAL and not study_of(alike).drawn:
        return _law(alike, wager, strategy).paying(house).record(wager)
    return played(house, strategy).wager(wager)


def law_of(house: House, wager: str, strategy: str = OPTIMAL) -> Law:
    """How a wager comes out whatever the house pays: one that no choice touches, or under a strategy with a name."""
    alike = same_rounds(house, wager)
    by_itself = _by_itself(alike, wager)
    return (_law(alike, wager, strategy) if by_itself is None else _law(by_itself, wager)).paying(house)


def _law(house: House, wager: str, strategy: str = OPTIMAL) -> Law:
    return study_of(house, strategy).law(wager)


@lru_cache(maxsize=256)
def _by_itself(house: House, wager: str) -> House | None:
    """Of a wager that nothing the player does can change: the first house in which it looks at its cards in the same
    way. None of other wagers."""
    study = study_of(house)
    if study.drawn:  # what is not played there is counted by following the dealer's hand, or not at all
        return None if wager in study.decided else house
    alone = only(study.graph, [w.name for w in house.parties[wager]])
    if any(alone.decisions()):
        return None
    if wager in house.main:  # it is counted along with all the others, over all that they look at
        return house
    while len(_looks) >= MOST:
        _looks.pop(next(iter(_looks)), None)
    return _looks.setdefault((alone.key, house.composition), house)


def played(house: House, strategy: str = OPTIMAL) -> Study:
    """The study of a house for what the player's choices are about; where he plays for the pays, it is solved for them
    from the counts that were made for the usual ones."""
    usual = _usual(house)
    if strategy != OPTIMAL or house == usual or study_of(usual).drawn or not study_of(usual).decided:
        return study_of(house, strategy)
    study_of(usual).wager(study_of(usual).decided[0])
    return _paying(house)


def _usual(house: House) -> House:
    return house.but(tables={w.name: w.tables[0] for w in house.wagers})


@lru_cache(maxsize=MOST)
def _paying(house: House) -> Study:
    return study_of(_usual(house)).paying(house.tables)


@lru_cache(maxsize=1024)
def same_rounds(house: House, wager: str) -> House:
    """The first house in which a wager comes out exactly as in this one: it agrees in every option that `play` has
    asked for by the time that the wager is settled, and in what `play` can see of the wagers."""
    for other, asked in _first:
        if (
            other.game.key == house.game.key
            and (other.composition, other.placed) == (house.composition, house.placed)
            and all(other.options[name] == house.options[name] for name in asked.get(wager, asked[ALL]))
            and _seen(other, wager if wager in asked else ALL) == _seen(house, wager if wager in asked else ALL)
        ):
            return other
    _first.append((house, _asked_for(house)))
    return house


def _asked_for(house: House) -> dict[str, frozenset[str]]:
    """The options that the rounds of a house ask for: in all, and before they settle a side bet first thing."""
    graph = trace(house)
    start = graph.root.standing
    side = [p for p, members in house.parties.items() if p not in house.main and len(members) == 1]
    before = {s.wager: start.reads for s in start.settled if s.wager in side}
    return before | {ALL: frozenset[str]().union(*(node.standing.reads for node in graph.nodes))}


def _seen(house: House, wager: str) -> object:
    """What `play` can see of a wager, or of all: what it is and which rows it has, not what these pay."""
    some = [w for w in house.wagers if wager in (w.name, ALL)]
    bare = [replace(w, tables=(EVEN_MONEY,), help="", minimum=None, maximum=None) for w in some]
    return bare, house.one_of, [tuple(house.tables[w.name].pays) for w in some]
