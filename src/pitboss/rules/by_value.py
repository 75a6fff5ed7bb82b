"""What a strategy sees where a decision is asked by what it is made `by`: those values, and no cards.

A decision after a mark can be come to with any number of cards, and where many are seen nobody lists them all. A
strategy that looked at a card there would find none, and play wrongly without a word; so it is told.
"""

from collections.abc import Mapping
from typing import Any

from pitboss.rules.errors import site
from pitboss.rules.game import Seen
from pitboss.rules.graph import Decide, Times


class ByValue(Seen):
    """The decision, the choices and what the decision is made by; in a round without marks the bets so far too."""

    def __init__(self, decision: Decide, by: Mapping[str, int], bets: Mapping[str, Times] | None = None) -> None:
        self.__dict__.update(decision=decision.name, choices=decision.choices, by=by, line=decision.site.line)
        if bets is not None:
            self.__dict__["bets"] = bets

    def __getattr__(self, name: str) -> Any:
        if name not in Seen.__dataclass_fields__:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
        there = " and ".join(f"seen.by[{label!r}]" for label in self.by)
        raise site().error(
            f"the decision {self.decision!r} in line {self.__dict__['line']} is asked by what it is made by, so a "
            f"strategy looks at {there} there, and not at seen.{name}; name what else it needs in by="
        )

    def __repr__(self) -> str:
        return f"Seen(decision={self.decision!r}, choices={self.choices!r}, by={dict(self.by)!r})"
