"""What claims ask of the exact analysis: one count for all houses whose rounds are alike, however they pay.

A document names many pay tables, stakes and jackpots of one game. None of them changes how a round goes: only what
`play` asks for does, and the graph keeps what that was. So the first such house is counted, and the law of its rounds
is paid by the others. A wager that the player's choices are about is different, because he plays for what it pays: it
is solved again for every pay table, from the same counts.
"""

from collections import deque
from dataclasses import replace
from functools import lru_cache

from pitboss.exact import Study
from pitboss.ledger.law import Law
from pitboss.ledger.records import WagerResult
from pitboss.rules.house import House
from pitboss.rules.rewrite import only
from pitboss.rules.trace import trace

OPTIMAL = "optimal"

_first: deque[tuple[House, frozenset[str]]] = deque(maxlen=64)
"""Houses that were traced first of their kind, and the options that their rounds ask for."""


@lru_cache(maxsize=64)
def study_of(house: House, strategy: str = OPTIMAL) -> Study:
    """The study of a house; another strategy is played on the counts of the best one."""
    return Study(house) if strategy == OPTIMAL else study_of(house).playing(strategy)


@lru_cache(maxsize=1024)
def record_of(house: House, wager: str, strategy: str = OPTIMAL) -> WagerResult:
    """The record of one wager."""
    alike = same_rounds(house)
    if wager in study_of(alike).book.shared:
        return study_of(alike).wager(wager)
    if _goes_by_itself(alike, wager):
        return law_of(house, wager).record(wager)
    if strategy != OPTIMAL and not study_of(alike).drawn:
        return law_of(house, wager, strategy).record(wager)
    return played(house, strategy).wager(wager)


def law_of(house: House, wager: str, strategy: str = OPTIMAL) -> Law:
    """How a wager comes out whatever the house pays: one that no choice touches, or under a strategy with a name."""
    return study_of(same_rounds(house), strategy).law(wager).paying(house)


@lru_cache(maxsize=256)
def _goes_by_itself(house: House, wager: str) -> bool:
    """Whether nothing that the player does changes how a wager comes out."""
    study = study_of(house)
    if study.drawn:  # what is not played there is counted by following the dealer's hand, or not at all
        return wager not in study.decided
    return not any(only(study.graph, [w.name for w in house.parties[wager]]).decisions())


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


@lru_cache(maxsize=64)
def _paying(house: House) -> Study:
    return study_of(_usual(house)).paying(house.tables)


@lru_cache(maxsize=1024)
def same_rounds(house: House) -> House:
    """The first house whose rounds go exactly as this one's do: it agrees in every option that `play` asks for."""
    rows = _rows(house)
    for other, reads in _first:
        if (
            other.game.key == house.game.key
            and (other.composition, other.placed) == (house.composition, house.placed)
            and all(other.options[name] == house.options[name] for name in reads)
            and _rows(other) == rows
        ):
            return other
    reads = frozenset[str]().union(*(node.standing.reads for node in trace(house).nodes))
    _first.append((house, reads))
    return house


def _rows(house: House) -> object:
    """All that `play` can see of the wagers: what they are and which rows they have, not what these pay."""
    bare = tuple(replace(w, tables=(), help="", minimum=None, maximum=None) for w in house.wagers)
    return bare, house.one_of, tuple((name, tuple(table.pays)) for name, table in house.tables.items())
