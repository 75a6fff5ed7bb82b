"""A rule as a person remembers it: an ordered list, "bet with any pair, or with a jack or higher; otherwise fold".

A book holds the rules of all decisions of a game, the lists of each by length. Opened at a length it is a strategy: it
answers what a player sees, one hand at a time or a million rows at once.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from operator import and_

import numpy as np
from numpy.typing import NDArray

from pitboss.rules.column import Column, column
from pitboss.rules.errors import BadInput
from pitboss.rules.game import Seen
from pitboss.rules.graph import Decide
from pitboss.thumb.looking import looks_of
from pitboss.thumb.looks import Condition, either
from pitboss.thumb.search import Draft, Line, Search
from pitboss.thumb.solved import Solved, Spot, View, laid_at, raised, sight_of, spots
from pitboss.thumb.table import Cases, cases_of

MOST = 8  # conditions of a list that somebody may be asked to remember


@dataclass(frozen=True)
class RuleLine:
    """A choice, and the conditions that must all hold for it."""

    choice: str
    conditions: tuple[Condition, ...]

    @property
    def words(self) -> str:
        first, *rest = [c.words for c in self.conditions]
        return "".join([first, *(f"{', and' if ',' in first else ' and'} {more}" for more in rest)])


@dataclass(frozen=True)
class Rule:
    """The list of one decision: the first line that fits says what to do. `cost` is what it gives up per round, if all
    other decisions are played as well as can be; unknown where it was found from some of the rows."""

    decision: str
    choices: tuple[str, ...]
    lines: tuple[RuleLine, ...]
    otherwise: str
    cost: Fraction | None

    @property
    def conditions(self) -> int:
        return sum(len(line.conditions) for line in self.lines)

    @property
    def parts(self) -> list[tuple[str, list[str]]]:
        """Choice by choice, in order: what it is made with."""
        out: list[tuple[str, list[str]]] = []
        for line in self.lines:
            if not out or out[-1][0] != line.choice:
                out.append((line.choice, []))
            out[-1][1].append(line.words)
        return out

    @property
    def words(self) -> str:
        """In one sentence."""
        if not self.lines:
            return f"always {self.otherwise}"
        told = [f"{choice} with {', or with '.join(conditions)}" for choice, conditions in self.parts]
        return f"{'; else '.join(told)}; otherwise {self.otherwise}"

    def answers(self, view: View, offered: Sequence[str]) -> NDArray[np.int64]:
        """The number of the choice, row by row; a line whose choice is not offered is passed over."""
        out = np.full(view.rows, offered.index(self.otherwise), np.int64)
        left = np.ones(view.rows, bool)  # rows that no line has fitted yet
        for line in (line for line in self.lines if line.choice in offered):
            fits = left
            for condition in line.conditions:
                fits = fits & condition.holds(view)
                if not fits.any():  # of one hand, most conditions need not be looked at
                    break
            else:
                out[fits] = offered.index(line.choice)
                left = left & ~fits
                if not left.any():
                    break
        return out

    def column(self, node: Decide) -> Column:
        """The number of the choice at a decision, as a column."""
        laid = laid_at(node)
        out = column(node.choices.index(self.otherwise))
        for line in reversed(self.lines):
            fits = reduce(and_, (condition.column(laid) for condition in line.conditions))
            out = either(fits, node.choices.index(line.choice), out)
        return out


@dataclass(frozen=True, eq=False)
class Ladder:
    """The best lists of one decision, the shortest first; each costs less than the one before."""

    spot: Spot
    rules: tuple[Rule, ...]

    def at(self, most: int) -> Rule:
        """The best list of so many conditions at most."""
        return [r for r in self.rules if r.conditions <= most][-1]


def ladders(solved: Sequence[Solved], wagers: Sequence[str], most: int, step: Callable[[str], None]) -> list[Ladder]:
    """The lists of every decision; `step` is told what is being done."""
    out = []
    for spot in spots(solved):
        step(spot.name)
        cases = cases_of(spot, looks_of(spot, wagers))
        search = Search(cases)
        found = search.ladder(most)
        out.append(Ladder(spot, tuple(_rule(spot, search, draft, _cost(spot, search, draft)) for draft in found)))
    return out


def _cost(spot: Spot, search: Search, draft: Draft) -> Fraction | None:
    if spot.sampled:
        return None
    return search.exact(draft) if spot.comes_up else Fraction(0)


def _rule(spot: Spot, search: Search, draft: Draft, cost: Fraction | None) -> Rule:
    cases = search.cases
    lines = []
    for choice, places in _in_order(search, draft):
        named = [cases.scales[look].conditions[i] for look, i in places]
        if spot.sight is None:  # as the game file names them, what has no number first: "soft and total 17 or less"
            named.sort(key=lambda c: " " in c.words)
        else:
            named.reverse()  # "three to a straight flush and a ten or higher"
        lines.append(RuleLine(spot.choices[choice], tuple(named)))
    return Rule(spot.name, spot.choices, tuple(lines), spot.choices[draft.otherwise], cost)


def _in_order(search: Search, draft: Draft) -> list[Line]:
    """Lines of one choice together where that changes no answer, the plainest of them first, then the commonest."""
    cases: Cases = search.cases
    first = list(dict.fromkeys(choice for choice, _ in draft.lines))
    together = sorted(draft.lines, key=lambda line: first.index(line[0]))
    same = np.array_equal(search.taken(together, draft.otherwise), search.taken(draft.lines, draft.otherwise))
    out: list[Line] = []
    run: list[Line] = []
    for line in (*(together if same else draft.lines), None):
        if run and (line is None or line[0] != run[0][0]):
            out += sorted(run, key=lambda x: (len(x[1]), _plain(cases, x), -float(cases.weight[search.fits(x)].sum())))
            run = []
        run += [line] if line is not None else []
    return out


def _plain(cases: Cases, line: Line) -> int:
    return sum(int(cases.scales[look].plain[i]) for look, i in line[1])


# ---- as a strategy


@dataclass(frozen=True, eq=False)
class Played:
    """Rules as a strategy, one for each decision."""

    ladders: tuple[Ladder, ...]
    most: int
    name: str

    @property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(ladder.at(self.most) for ladder in self.ladders)

    def __call__(self, seen: Seen) -> str:
        lies = (seen.player, seen.dealer, seen.board, *seen.places.values())
        cards, sight = tuple(np.array([card.code]) for there in lies for card in there), tuple(map(len, lies))
        view = View(1, cards, _each(seen.carried), _each(seen.by), raised(seen.bets))
        rule = self.rule(seen.decision, seen.choices, sight)
        return seen.choices[int(rule.answers(view, seen.choices)[0])]

    def answers(self, node: Decide, view: View) -> NDArray[np.int64]:
        """The same for many rows at once."""
        return self.rule(node.name, node.choices, sight_of(node)).answers(view, node.choices)

    def column(self, node: Decide) -> Column:
        """The same as a column."""
        return self.rule(node.name, node.choices, sight_of(node)).column(node)

    def rule(self, decision: str, choices: Sequence[str], sight: tuple[int, ...] = ()) -> Rule:
        asked = decision, tuple(choices), sight
        if asked not in self._known:
            self._known[asked] = self._rule(*asked)
        return self._known[asked]

    def _rule(self, decision: str, choices: tuple[str, ...], sight: tuple[int, ...]) -> Rule:
        for ladder in self.ladders:
            if ladder.spot.meant(decision, choices, sight):
                return ladder.at(self.most)
        raise BadInput(f"{self.name} was found for other decisions than {decision!r}, or with other cards in sight")

    @cached_property
    def _known(self) -> dict[tuple[str, tuple[str, ...], tuple[int, ...]], Rule]:
        """Rules that were asked for: whoever asks hand by hand asks for the same one a million times."""
        return {}


def _each(values: Mapping[str, int]) -> dict[str, NDArray[np.int64]]:
    return {name: np.array([value]) for name, value in values.items()}
