"""Records of a trial of the shuffle: frozen, complete, and the one source of their JSON."""

from dataclasses import dataclass
from math import comb
from typing import Any

from pitboss.ledger.shown import Shown

CONFIDENCE = 0.99  # of each trial, and of all of them together
FAILS = 0.01  # a p below it fails
WORDS, CARDS = "words", "cards"  # before scaling, and after it


@dataclass(frozen=True)
class Trial:
    """One count held against its law."""

    of: str  # WORDS or CARDS
    name: str
    about: str  # what is counted
    counted: int  # how many of them
    statistic: float
    degrees: int | None  # of chi-square; None where the statistic is a number of standard errors
    p: float  # the chance that a perfect shuffle is as far off, or as near: two-sided

    @property
    def passed(self) -> bool:
        return self.p >= FAILS

    def json(self) -> dict[str, Any]:
        return {
            "of": self.of,
            "trial": self.name,
            "about": self.about,
            "counted": self.counted,
            "statistic": self.statistic,
            "degrees": self.degrees,
            "p": self.p,
            "passed": self.passed,
        }


@dataclass(frozen=True)
class Report(Shown):
    """What all trials of one run say of the shuffle."""

    TABLE = "trials"

    decks: int
    packs: int
    seed: str  # the run can be made again with it
    trials: tuple[Trial, ...]

    @property
    def cards(self) -> int:
        return 52 * self.decks * self.packs

    @property
    def failed(self) -> tuple[Trial, ...]:
        """Those that fail at 99%, each for itself; a perfect shuffle fails one in a hundred."""
        return tuple(t for t in self.trials if not t.passed)

    @property
    def expected_failures(self) -> float:
        return len(self.trials) * FAILS

    @property
    def as_many(self) -> float:
        """The chance that a perfect shuffle fails so many trials, or more, if they were independent."""
        n = len(self.trials)
        fewer = range(len(self.failed))
        return 1 - sum(comb(n, k) * FAILS**k * CONFIDENCE ** (n - k) for k in fewer)

    @property
    def refuted(self) -> tuple[Trial, ...]:
        """Those that fail by Holm's rule, which holds however the trials depend on each other: the smallest p must be
        below 0.01 over their number, the next below 0.01 over one less, and so on to the first that is not."""
        found = list[Trial]()
        for left, trial in zip(range(len(self.trials), 0, -1), sorted(self.trials, key=lambda t: t.p), strict=True):
            if trial.p * left >= FAILS:
                break
            found.append(trial)
        return tuple(t for t in self.trials if t in found)

    @property
    def p(self) -> float:
        """Of all trials together, by Holm's rule: the smallest p times their number."""
        return min(1.0, len(self.trials) * min(t.p for t in self.trials))

    @property
    def passed(self) -> bool:
        return not self.refuted

    def json(self) -> dict[str, Any]:
        return {
            "passed": self.passed,
            "confidence": CONFIDENCE,
            "p": self.p,
            "decks": self.decks,
            "packs": self.packs,
            "cards": self.cards,
            "seed": self.seed,
            "number_of_trials": len(self.trials),
            "expected_failures": self.expected_failures,
            "failures": len(self.failed),
            "chance_of_as_many_failures": self.as_many,
            "refuted": [t.name for t in self.refuted],
            "trials": [t.json() for t in self.trials],
        }

    def title(self) -> str:
        return "trial of the shuffle"
