"""Rules to remember as strategies: `rule:3` is the best that three conditions at every decision can do.

They are found for a house, from its solved decisions, and kept: the same name always means the same rules. Here too is
the one place where the name of a strategy becomes something that answers.
"""

import re
from collections import OrderedDict
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from pitboss.ledger.figure import DOUBLE, EXACT
from pitboss.rules.errors import BadInput, choice_of
from pitboss.rules.game import Strategy
from pitboss.rules.house import House

if TYPE_CHECKING:
    from pitboss.exact.kernels.task import Decided
    from pitboss.exact.study import Study
    from pitboss.thumb import Played, Rulebook

LONGEST = 20  # conditions at a decision
MOST_KEPT = 16  # houses whose rules are kept
NO_JOKERS = "a rule to remember is not looked for where the deck has jokers or a wild rank"
RULE = re.compile(r"rule(?::([0-9]{1,3}))?")
_FOUND: "OrderedDict[tuple[House, int], Rulebook]" = OrderedDict()


def is_rule(house: House, name: object) -> bool:
    """Whether this names a rule to remember; a strategy that the game file calls so is the game file's."""
    return isinstance(name, str) and name not in house.game.strategies and RULE.fullmatch(name) is not None


def rulebook(study: "Study", most: int | None = None, step: Callable[[str], None] = lambda _: None) -> "Rulebook":
    """The shortest rules that a person can remember, the lists of every length with what they cost. Lists of up to
    eight conditions at a decision are always looked at; `most` goes further. `step` is told what is being done."""
    from pitboss.thumb import MOST

    _check_rule(study)
    longest = max(MOST, MOST if most is None else most)  # what was found for 8 is what rule:3 has always meant
    if not 0 <= longest <= LONGEST:
        raise BadInput(f"a rule to remember has 0 to {LONGEST} conditions at a decision, not {most}")
    key = study.house, longest
    if key not in _FOUND:
        _FOUND[key] = _found(study, longest, step)
        while len(_FOUND) > MOST_KEPT:
            _FOUND.popitem(last=False)
    _FOUND.move_to_end(key)
    return _FOUND[key]


def strategy_of(house: House, name: str, patient: bool = False) -> Strategy:
    """What a strategy of this name answers: one of the game file, or a rule that is found."""
    return rule_of(house, name, patient) if is_rule(house, name) else house.strategy(name)


def rule_of(house: House, name: str, patient: bool = False) -> "Played":
    from pitboss.exact.study import Study

    match = RULE.fullmatch(name)
    assert match is not None
    most = None if match[1] is None else int(match[1])
    book = rulebook(Study(house, patient=patient), most)
    return book.played(book.best if most is None else book.at(most), name)


def check_strategy(study: "Study") -> None:
    """One clear sentence for a strategy that there is not."""
    from pitboss.rules.house import DERIVED

    house, name = study.house, study.strategy
    own = house.game.strategies
    if name in own or name == "optimal" or (name in DERIVED and study.drawn):
        return
    match = RULE.fullmatch(name)
    if match is None:
        known = [*(DERIVED if study.drawn else DERIVED[:1]), *own, *(["rule", "rule:N"] if study.decided else [])]
        raise BadInput(f"{house.game.name}: strategy {choice_of(name, known)}")
    _check_rule(study)
    if match[1] and int(match[1]) > LONGEST:
        raise BadInput(f"a rule to remember has 0 to {LONGEST} conditions at a decision, not {match[1]}")


def _check_rule(study: "Study") -> None:
    if not study.decided:
        raise BadInput(f"{study.house.game.title} leaves the player nothing to decide: there is no rule to remember")
    if study.house.stock.jokers or study.house.stock.wild is not None:
        raise BadInput(NO_JOKERS)


def _found(study: "Study", most: int, step: Callable[[str], None]) -> "Rulebook":
    from pitboss.thumb import Played, Rulebook, Rung, ladders
    from pitboss.thumb.book import ENOUGH

    best = study if study.strategy == "optimal" else type(study)(study.house, patient=study.patient)
    solved: Decided = best.solved
    wagers = [w.name for p in best.decided for w in best.house.parties[p]]
    found = tuple(ladders(solved.solved_rows(), wagers, most, step))
    edge = sum((solved.record(p).house_edge for p in best.decided), Fraction(0))
    if best.drawn:  # a rule that looks at what the chart looks at is held against the chart
        played = solved.record(best.decided[0]).played
        assert played is not None
        edge = played.basic_edge
    lengths = sorted({rule.conditions for ladder in found for rule in ladder.rules})
    step("what each costs")
    costs = solved.rule_costs([Played(found, length, f"rule:{length}") for length in lengths])
    rungs: list[Rung] = []
    for length, cost in zip(lengths, costs, strict=True):
        if not rungs or cost < rungs[-1].cost:
            rules = tuple(ladder.at(length) for ladder in found if ladder.spot.comes_up)
            rungs.append(Rung(length, rules, cost, cost == 0 or cost < ENOUGH * abs(edge)))
    against, method = ("basic", DOUBLE) if best.drawn else ("optimal", EXACT)
    notes = tuple(solved.rule_notes())
    return Rulebook(best.of, " and ".join(best.decided), edge, found, tuple(rungs), against, method, notes)
