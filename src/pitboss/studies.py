"""A study as a notebook wants it: it shows itself as a table, goes to CSV and draws its charts."""

from pathlib import Path
from typing import Any

from pitboss.exact import Study as Exact
from pitboss.ledger.shown import PLOTS, Row, Shown
from pitboss.rules.house import House


class Study(Exact, Shown):
    """A house under a strategy, studied exactly; see `pitboss.exact.Study` for what it can be asked."""

    TABLE = "wagers"

    def json(self) -> Row:
        return self.analysis().json()

    def title(self) -> str:
        return f"{self.house.game.title}: exact analysis"

    def plot(self, file: "str | Path") -> Path:
        """Draw the return distribution of the first wager, to a file that ends in .png or .svg."""
        return self.analysis().plot(file)

    def __repr__(self) -> str:
        return f"study of {self.house.game.name}, {self.strategy}"


def _draw(kind: str) -> Any:
    """How a kind of record is drawn; the plotting library is loaded when it is."""

    def draw(file: str, record: Any) -> None:
        from pitboss import plot
        from pitboss.plot.style import plot_file

        path = plot_file(file)
        getattr(plot, kind)(path, record)

    return draw


PLOTS |= {"Analysis": _draw("returns"), "Protection": _draw("depths"), "Floor": _draw("night")}

__all__ = ["House", "Study"]
