"""A study as a notebook wants it: it shows itself as a table, goes to CSV and draws its charts.

Here too is how an argument is read that somebody wrote in Python: a name, bets by wager (numbers are read in
`pitboss.rules.numbers`). What cannot be taken is one sentence, and never an error from three rooms below.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any, Self

from pitboss.exact import Study as Exact
from pitboss.exact.ruled import LONGEST
from pitboss.ledger.law import Law
from pitboss.ledger.records import Analysis, Progressive, Together, WagerResult
from pitboss.ledger.shown import PLOTS, Row, Shown, ShownList
from pitboss.rules.errors import BadInput, said
from pitboss.rules.graph import Graph
from pitboss.rules.house import House
from pitboss.rules.numbers import dollars, whole
from pitboss.rules.paytables import PayTable
from pitboss.thumb import Rulebook

Money = int | str | float | Fraction
Reader = Callable[[str, object], Fraction]


class Study(Exact, Shown):
    """A house under a strategy, studied exactly; see `pitboss.exact.Study` for what it can be asked."""

    TABLE = "wagers"

    def __init__(
        self, house: House, strategy: str = "optimal", *, patient: bool = False, graph: Graph | None = None
    ) -> None:
        if not isinstance(house, House):
            raise BadInput(f"a study is of a house, such as pb.game('bluff').at(decks=8), not of {said(house)}")
        super().__init__(house, word("strategy", strategy), patient=yes("patient", patient), graph=graph)

    def wager(self, name: str) -> WagerResult:
        """The record of one wager before the deal."""
        return super().wager(word("wager", name))

    def analysis(self, wager: str | None = None, bets: Mapping[str, Money] | None = None) -> Analysis:
        """Everything at once, or one wager; what cannot be counted is named with the reason."""
        one = None if wager is None else self.house.check_wager(word("wager", wager))
        return super().analysis(one, by_wager(self.house, bets))

    def together(self, bets: Mapping[str, Money] | None = None) -> Together | None:
        """All bets at once: those given, or the least on every wager. None where they are not counted together."""
        given = by_wager(self.house, bets)
        if given:
            self.house.check_bets(given)
        return super().together(given)

    def progressive(self, name: str) -> Progressive:
        """The meters of a wager that pays from them."""
        return super().progressive(word("wager", name))

    def law(self, wager: str) -> Law:
        """The law of one wager."""
        return super().law(word("wager", wager))

    def laws(self, wagers: Sequence[str]) -> list[Law]:
        """These wagers in as few laws as can be counted together."""
        if isinstance(wagers, str) or not isinstance(wagers, Sequence):
            raise BadInput(f"wagers: a list of names, such as ['ante'], not {said(wagers)}")
        return super().laws([self.house.check_wager(word("wager", name)) for name in wagers])

    def chart(self, decision: str | None = None) -> ShownList:
        """What every choice is worth, at every decision or at one of them."""
        return ShownList(super().chart(None if decision is None else word("decision", decision)))

    def rule(self, most: int | None = None, step: Callable[[str], None] = lambda _: None) -> Rulebook:
        """The shortest rules that a person can remember, the lists of every length with what they cost."""
        return super().rule(None if most is None else whole("most", most, 0, LONGEST), step)

    def paying(self, tables: Mapping[str, str | PayTable]) -> Self:
        """The same house on other pay tables, played optimally for them, from the same counts."""
        if not isinstance(tables, Mapping) or not all(isinstance(t, str | PayTable) for t in tables.values()):
            raise BadInput(f"tables: pay tables by wager, such as {{'suit-tie': '1,3,12'}}, not {said(tables)}")
        return super().paying(tables)

    def json(self) -> Row:
        return self.analysis().json()

    def title(self) -> str:
        return f"{self.house.game.title}: exact analysis"

    def plot(self, file: "str | Path") -> Path:
        """Draw the return distribution of the first wager, to a file that ends in .png or .svg."""
        from pitboss.plot.style import plot_file

        plot_file(str(file))  # refused before anything is counted
        return self.analysis().plot(file)

    def __repr__(self) -> str:
        return f"study of {self.house.game.name}, {self.strategy}"


# ---- how an argument is read


def word(what: str, value: object) -> str:
    """A name, as text."""
    if not isinstance(value, str):
        raise BadInput(f"{what}: write a name in quotes, not {said(value)}")
    return value


def yes(what: str, value: object) -> bool:
    """True or False, and nothing that merely passes for it."""
    if not isinstance(value, bool):
        raise BadInput(f"{what}: write True or False, not {said(value)}")
    return value


def by_wager(
    house: House, bets: Mapping[str, Money] | None, what: str = "bets", read: Reader = dollars
) -> dict[str, Fraction] | None:
    """Amounts by wager before the deal; in Python a hyphen may be written as an underscore."""
    if bets is None:
        return None
    if not isinstance(bets, Mapping):
        raise BadInput(f"{what}: amounts by wager, such as {{{house.main[0]!r}: 10}}, not {said(bets)}")
    names = {name: house.check_wager(word(what, name)) for name in bets}
    return {names[name]: read(f"{what} {name}", amount) for name, amount in bets.items()}


# ---- how a record is drawn


def _draw(kind: str) -> Any:
    """How a kind of record is drawn; the plotting library is loaded when it is."""

    def draw(file: str, record: Any) -> None:
        from pitboss.plot.style import plot_file

        getattr(import_module(f"pitboss.plot.{kind}"), kind)(plot_file(file), record)

    return draw


PLOTS |= {
    "Analysis": _draw("returns"),
    "Rulebook": _draw("card"),
    "Protection": _draw("depths"),
    "Floor": _draw("night"),
}

__all__ = ["House", "Study"]
