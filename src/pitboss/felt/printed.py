"""What is printed on the felt besides circles: the title, what pays extra, the dealer's policy, and pay tables.

A pay table of one row stands in its circle, or in a line of its own. One of up to twenty rows is a box on the felt, in
two columns from eleven rows on. A longer one is on the sign alone, and its box says so.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pitboss.felt.ink import CREAM, GOLD, PALE
from pitboss.felt.letters import cut, shortened, width, wrapped
from pitboss.felt.policy import Rule, policy
from pitboss.rules.called import wager_called
from pitboss.rules.house import House
from pitboss.rules.naming import listed
from pitboss.sheets import Sheet, sheet_of

TYPE, HEAD, PAD = 17.0, 19.0, 13.0
POLICY = 1.18  # the type of the dealer's policy, to that of a pay table
BETWEEN = 20.0  # cells of a row
ONE_COLUMN, MOST_ROWS = 10, 20  # rows of a pay table in one column, and on the felt at all
WIDEST = 240.0  # of a row's name, or of a line of a title
LONGEST = 110  # letters of a rule that stands in a line by itself
WIDEST_CELL, WIDEST_BOX = 420.0, 640.0  # of the dealer's policy
MOST_LINES = 12
SIGN = "see the sign"


@dataclass(frozen=True)
class Line:
    """Words along the players' side."""

    text: str
    size: float
    fill: str
    bold: bool = True


@dataclass(frozen=True)
class Panel:
    """A box with a heading and rows of cells: a pay table, or the dealer's policy."""

    kind: str  # "pays" or "policy"
    title: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    columns: int = 1
    scale: float = 1.0  # of its type, where there is room for a larger one

    @property
    def size(self) -> float:
        """Its type: the policy is read by a dealer who stands, and in a hurry."""
        return TYPE * (POLICY if self.kind == "policy" else self.scale)

    @property
    def head(self) -> float:
        return self.size * 1.12

    @property
    def pitch(self) -> float:
        """From row to row."""
        return self.size * 1.24

    @property
    def cells(self) -> tuple[float, ...]:
        """How wide each cell of a row is."""
        bold = self.kind == "policy" and len(self.rows[0]) > 1
        return tuple(
            max(width(c, self.size, bold=bold and not i) for c in some)
            for i, some in enumerate(zip(*self.rows, strict=True))
        )

    @property
    def across(self) -> float:
        """How wide one column is."""
        return sum(self.cells) + BETWEEN * (len(self.cells) - 1)

    @property
    def inside(self) -> float:
        """How wide all columns are."""
        return self.across * self.columns + 26 * (self.columns - 1)

    @property
    def down(self) -> int:
        """Rows of a column."""
        return -(-len(self.rows) // self.columns)

    @property
    def width(self) -> float:
        titled = max((width(line, self.head, bold=True) for line in self.title), default=0.0)
        return max(self.inside, titled) + 2 * PAD + 6

    @property
    def height(self) -> float:
        return len(self.title) * self.head * 1.15 + self.down * self.pitch + 2 * PAD


@dataclass(frozen=True)
class Printed:
    """All that is printed: lines from the dealer outwards, boxes, and the dealer's policy where it is a box."""

    lines: tuple[Line, ...]
    panels: tuple[Panel, ...]
    policy: Panel | None


def printed_of(house: House) -> Printed:
    sheet = sheet_of(house)
    rules = policy(house)
    in_lines = len(rules) <= 2 and all(len(rule.words) <= LONGEST and not rule.who for rule in rules)
    lines = [Line(house.game.title, 58.0, GOLD), *(Line(text, 33.0, CREAM) for text in headlines(sheet))]
    lines += [Line(rule.words, 23.0, PALE, bold=False) for rule in rules] if in_lines else []
    return Printed(tuple(lines), pay_boxes(sheet), None if in_lines or not rules else _policy_box(rules))


# ---- pays


def significant(pays: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Rows that tell a player something: a win at even money and a loss are known, and a row may be called what it
    pays."""
    return [
        (row, pay) for row, pay in pays
        if not pay.startswith(("lose", "push")) and row != pay and (row, pay) != ("win", "1 to 1")
    ]  # fmt: skip


def _plain(pays: Mapping[str, str]) -> bool:
    """Whether a plain win is among the rows."""
    return pays.get("win") == "1 to 1"


def headlines(sheet: Sheet) -> list[str]:
    """Pays that stand in a line: one or two rows that pay more than a plain win does."""
    out = []
    for line, wager in zip(sheet.wagers, sheet.house.wagers, strict=True):
        rows = significant(line.pays.items())
        plain = _plain(line.pays)
        if (plain and 1 <= len(rows) <= 2) or (len(rows) == 1 and wager.bonus):
            out += [f"{capital(row if plain else line.called)} pays {pay}" for row, pay in rows]
    return out


def line_words(house: House, wager: str) -> str:
    """What stands on the line of a wager: `insurance pays 2 to 1`."""
    called = capital(wager_called(house, wager))
    line = next(w for w in sheet_of(house).wagers if w.wager == wager)
    rows = significant(line.pays.items())
    return f"{called} pays {rows[0][1]}" if len(rows) == 1 else called


def pay_boxes(sheet: Sheet) -> tuple[Panel, ...]:
    """A box for every pay table that is neither a line nor in a circle, the longest first."""
    out = []
    for table in sheet.paytables:
        rows = significant(table.pays.items())
        if len(rows) > (2 if _plain(table.pays) else 1):
            everything = 1 < len(table.wagers) == len(sheet.wagers)
            out.append(pay_box("All bets" if everything else title_of(table.wagers), rows))
    return tuple(sorted(out, key=lambda p: -p.height * p.width))


def pay_box(title: str, rows: Sequence[tuple[str, str]]) -> Panel:
    heading = tuple(cut(wrapped(title, HEAD, WIDEST, bold=True), 2, HEAD, WIDEST, bold=True))
    if len(rows) > MOST_ROWS:
        return Panel("pays", heading, ((SIGN, ""),))
    named = tuple((shortened(row, TYPE, WIDEST), shortened(pay, TYPE, WIDEST)) for row, pay in rows)
    return Panel("pays", heading, named, 1 if len(rows) <= ONE_COLUMN else 2)


def title_of(wagers: Sequence[str]) -> str:
    """Wagers on one pay table, by the words that all their names end with, or else one after the other."""
    ends = [name.split()[::-1] for name in wagers]
    same = []
    for words in zip(*ends, strict=False):
        if len(set(words)) > 1:
            break
        same.append(words[0])
    return capital(" ".join(same[::-1]) if same else listed(wagers))


def capital(text: str) -> str:
    """With a capital letter, as a line begins."""
    return text[:1].upper() + text[1:]


# ---- the dealer's policy


def _policy_box(rules: Sequence[Rule]) -> Panel:
    tests = [test for rule in rules for test, _ in rule.cases[:1]]
    stem = tests[0].partition(" is ")[0] + " is "
    same = bool(tests) and all(test.startswith(stem) for test in tests)
    title = f"{capital(stem.strip())} ..." if same else "The dealer"
    most = max(len(rule.cases) for rule in rules) + 1
    rows = []
    for rule in rules:
        cases = [f"{test.removeprefix(stem) if same else test}: {does}" if test else does for test, does in rule.cases]
        rows.append(tuple([rule.who, *cases, *[""] * most][:most]))
    if all(rule.who for rule in rules) and all(width(c, TYPE, bold=True) <= WIDEST_CELL for row in rows for c in row):
        return Panel("policy", (title,), tuple(rows))
    told = [line for rule in rules for line in _hanging(rule.words)]
    lines = told if len(told) <= MOST_LINES else [*told[: MOST_LINES - 1], f"... {SIGN}"]
    return Panel("policy", ("The dealer",), tuple((line,) for line in lines))


def _hanging(text: str) -> list[str]:
    """A rule in lines, of which all but the first stand back a little."""
    first, *rest = wrapped(text, TYPE, WIDEST_BOX, bold=True) or [""]
    return [first, *(f"\u2003{line}" for line in rest)]
