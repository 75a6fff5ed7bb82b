"""Who a result is of: the one identity of a house, from which everything that names it is made."""

import os
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pitboss.rules.limits import Limits
from pitboss.rules.options import Value, show_value


@dataclass(frozen=True)
class Provenance:
    """What a result is of, and what it takes to make it again."""

    game: str
    title: str
    options: Mapping[str, Value]
    paytables: Mapping[str, str]  # by the names that the layout prints
    strategy: str
    version: str
    sha256: str  # of the game file
    shoe: str = ""  # what is left in it, when it is not full
    file: str = ""  # where the game is found: a shipped name, or a path
    changed: Mapping[str, str] = ()  # type: ignore[assignment]  # options that are not as usual, as a user types them
    spelled: Mapping[str, str] = ()  # type: ignore[assignment]  # pay tables, as a user types them
    chosen: tuple[str, ...] = ()  # wagers whose pay table is not the usual one
    left: str = ""  # the shoe, card by card, when it is not full
    placed: tuple[str, ...] | None = None  # wagers that are bet, when not all are
    stake: Fraction | None = None  # dollars that fixed awards are measured against, when set
    under: Limits | None = None  # what a jurisdiction allows, when it is under one

    def json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "title": self.title,
            "options": {k: _number(v) if isinstance(v, Fraction) else v for k, v in self.options.items()},
            "paytables": dict(self.paytables),
            "strategy_name": self.strategy,
            "shoe": self.shoe or None,
            "version": self.version,
            "game_file_sha256": self.sha256,
            **self._place(),
        }

    def header(self) -> dict[str, Any]:
        """The head of a round's log: everything that the rules depend on."""
        return {
            "game": self.game,
            "version": self.version,
            "game_file_sha256": self.sha256,
            "options": {name: show_value(v) for name, v in self.options.items()},
            "paytables": dict(self.spelled),
            **self._place(),
        }

    def _place(self) -> dict[str, Any]:
        """Where it stands, if that has been said: an answer without it is as it always was."""
        return {} if self.under is None else {"jurisdiction": self.under.json()}

    def file_told(self) -> dict[str, str]:
        """Which text of which game file: the name of a game says little of a file that anybody may write."""
        return {"game": self.game, "file": _from_here(self.file), "game_file_sha256": self.sha256}

    def fingerprint(self) -> dict[str, str]:
        """What two runs must agree in to be parts of one."""
        return {
            "game": self.game, "file": self.sha256, "version": self.version, "strategy": self.strategy,
            "bets": ",".join(self.placed or ()), "shoe": self.left or "full", "stake": str(self.stake or ""),
            **{f"option {k}": show_value(v) for k, v in self.options.items()},
            **{f"pay table {k}": v for k, v in self.spelled.items()},
            **({} if self.under is None else {"jurisdiction": f"{self.under.place} {self.under.sha256}"}),
        }  # fmt: skip

    def command(self, verb: str, *words: str, wager: str = "") -> str:
        """The command that asks for it: what is as usual need not be said."""
        parts = ["pitboss", verb, _from_here(self.file)]
        if wager:
            parts += ["--wager", wager]
        parts += [w for name, value in self.changed.items() for w in ("-o", f"{name}={value}")]
        parts += [w for name in self.chosen for w in ("-p", f"{name}={self.spelled[name]}")]
        if self.under is not None:
            parts += ["--jurisdiction", _from_here(self.under.reference)]
        if self.left:
            parts += ["--shoe", self.left]
        if verb != "rules" and self.strategy not in ("", "optimal"):
            parts += ["--strategy", self.strategy]
        return typed([*parts, *words])


def typed(words: Iterable[str]) -> str:
    """A command as one types it, in one line: what cannot be printed is spelled as shells spell it."""
    return " ".join(shlex.quote(word) if word.isprintable() else f"$'{_spelled(word)}'" for word in words)


def _spelled(word: str) -> str:
    plain = word.replace("\\", "\\\\").replace("'", "\\'")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in plain)


def _from_here(file: str) -> str:
    """A path as one types it where one is: relative, for a file in this folder or below."""
    if not os.path.isabs(file):
        return file
    near = os.path.relpath(file)
    return file if near.startswith("..") else near


def _number(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else float(value)
