"""A comparison of two records: every change with what it needs, and the answer in one sentence."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pitboss.approval.moved import Move, edge_moves
from pitboss.approval.record import Approval
from pitboss.ledger.shown import Row, Shown

YES, ASK, NO = "yes", "ask", "no"
RULES, PROCEDURE, WAGERS, PAYS = "rules of play", "procedure", "wagers", "pay tables"
OPTIONS, LIMITS, METERS, WORDS = "options", "limits", "meters", "words"
FILE, PROGRAM, FIGURES = "game file", "pitboss", "figures"
KINDS = {
    RULES: "the rules of play", PROCEDURE: "the dealer's procedure", WAGERS: "the wagers", PAYS: "the pay tables",
    OPTIONS: "the options", LIMITS: "the limits", METERS: "where a meter stands", WORDS: "words",
    FILE: "the game file", PROGRAM: "the version of pitboss", FIGURES: "the figures",
}  # fmt: skip
"""Kinds of change, in the order in which they are told, and what they are called in a sentence."""


@dataclass(frozen=True)
class Change:
    """One thing that is otherwise now."""

    kind: str
    what: str
    old: str
    new: str
    needs: str  # approval again: yes, no, or ask

    def json(self) -> dict[str, Any]:
        return {
            "kind": self.kind, "what": self.what, "old": self.old or None, "new": self.new or None,
            "needs_approval": self.needs,
        }  # fmt: skip


@dataclass(frozen=True)
class Comparison(Shown):
    """What was approved beside what is asked about."""

    old: Approval
    new: Approval
    changes: tuple[Change, ...]
    figures: tuple[Move, ...]

    TABLE = "changes"

    @property
    def same_house(self) -> bool:
        """The same file, options and pay tables by two versions of pitboss: what differs then is pitboss's doing."""
        same = self.old.game == self.new.game and self.old.file_sha256 == self.new.file_sha256
        return same and self.old.pitboss != self.new.pitboss and not self.of(OPTIONS, LIMITS, METERS, PAYS)

    def of(self, *kinds: str) -> list[Change]:
        return [c for c in self.changes if c.kind in kinds]

    @property
    def verdict(self) -> str:
        """Whether approval is needed again: yes, no, or ask."""
        moved = any(m.counts for m in self.figures)
        if self.same_house:
            return ASK if moved else NO
        if moved or any(c.needs == YES for c in self.changes):
            return YES
        return ASK if any(c.needs == ASK for c in self.changes) else NO

    @property
    def notify(self) -> tuple[str, ...]:
        """Kinds of change that need no approval, and that a regulator may want to hear of."""
        kinds = {c.kind for c in self.changes if c.needs == NO} - {FILE, PROGRAM, METERS}
        return tuple(kind for kind in KINDS if kind in kinds)

    @property
    def answer(self) -> str:
        """The answer, with its reason."""
        if self.verdict == YES:
            return f"Yes, this needs approval again: {self._why()}."
        if self.verdict == ASK:
            return f"Ask the regulator: {self._doubt()}."
        return f"No, this needs no new approval: {self._why_not()}."

    def _why(self) -> str:
        kinds = [kind for kind in KINDS if any(c.needs == YES for c in self.of(kind))]
        edges = edge_moves(self.figures)
        if not kinds:
            return f"nothing that is written down changed, and yet {_edges(edges) or 'a figure changed'}"
        told = f"{listed([KINDS[kind] for kind in kinds])} changed"
        return f"{told}; {_edges(edges)}" if edges else f"{told}, though no house edge did"

    def _doubt(self) -> str:
        if self.same_house:
            return (
                f"the file, the options and the pay tables are the same, and pitboss {self.old.pitboss} and "
                f"{self.new.pitboss} come to other figures"
            )
        return "the program of the round changed, and neither a sentence nor a figure shows what that does"

    def _why_not(self) -> str:
        if not self.changes and not any(m.moved for m in self.figures):
            return "nothing changed"
        if self.same_house:
            worded = ", though pitboss words some of it otherwise" if self.of(RULES, PROCEDURE, WORDS) else ""
            return f"the game file, the options and the pay tables are the same{worded}"
        played = "every rule, sentence, pay and figure is the same"
        if {c.kind for c in self.changes} <= {FILE, PROGRAM}:
            return f"the game file changed, and the game did not; {played}"
        if not self.notify:
            return "a meter stands elsewhere, which is no rule"
        told = {
            PAYS: "the pay tables that are dealt or offered were approved",
            LIMITS: "the limits are within the approved ones",
            OPTIONS: "an option came or went, and changes nothing",
            WORDS: "words changed that nobody plays by",
        }
        return f"{listed([told[kind] for kind in self.notify])}; the regulator may want to be told"

    def json(self) -> Row:
        return {
            "needs_approval": self.verdict,
            "answer": self.answer,
            "old": _named(self.old),
            "new": _named(self.new),
            "changes": [c.json() for c in self.changes],
            "figures": [m.json() for m in self.figures],
        }

    def table(self) -> list[Row]:
        """Changes, then figures, in the same columns."""
        out: list[Row] = [c.json() for c in self.changes]
        for m in self.figures:
            values = [None if f is None else f.exact or f.value for f in (m.old, m.new)]
            of = m.new or m.old
            assert of is not None
            table = "" if m.dealt else f" by {of.table}" if of.paid_by == of.wager else f" by {of.paid_by} {of.table}"
            row = dict(zip(("old", "new"), values, strict=True))
            needs = YES if m.counts else NO
            out.append({"kind": FIGURES, "what": f"{m.wager}{table}: {m.figure}", **row, "needs_approval": needs})
        return out

    def title(self) -> str:
        return self.answer


def _named(side: Approval) -> dict[str, str]:
    return {"game": side.game, "title": side.game_title, "game_file_sha256": side.file_sha256, "version": side.pitboss}


def _edges(moves: Sequence[Move]) -> str:
    """The largest changes, and how many more there are."""
    told: list[str] = []
    for m in moves[:2]:
        assert m.old is not None and m.new is not None
        a, b = (f"{f.number * 100:.4f}%" for f in (m.old, m.new))
        of = f"that of the {m.wager}" if told else f"the house edge of the {m.wager} goes"
        told.append(f"{of} from {a} to {b}")
    more = len(moves) - len(told)
    less = f"; {more} other edge moves less" if more == 1 else f"; {more} other edges move less"
    return listed(told) + (less if more else "")


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)
