"""How a wager comes out, in words: the cases of a settlement, in the order in which a dealer looks at them."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pitboss.rules import naming
from pitboss.rules.column import Column, walk
from pitboss.rules.graph import Settle
from pitboss.rules.paytables import Dollars, Meter, PayTable, show_pay
from pitboss.rules.wording import Unsaid, Wording

S, ES = "\ue000", "\ue001"
"""The endings of a verb, left open until it is known whether one wager is told of or several."""
SHORT = 30  # words that still make one sentence


@dataclass(frozen=True)
class Case:
    """`if the player's hand is higher`: `wins 1 to 1`. The last one has no condition."""

    on: str
    result: str


def outcome(settle: Settle, wording: Wording, table: PayTable, called: str) -> tuple[Case, ...]:
    """The cases of a settlement; where the cards cannot be put into words, the results that there are."""
    telling = _Outcome(wording, table, settle.bonus, title(table, called))
    names, index = settle.rows.names, settle.rows.index
    try:
        return tuple(telling.cases(index, names))
    except Unsaid:
        results = list(dict.fromkeys(telling.result(name) for name in names))
        if len(results) < 6:
            return (Case("", naming.listed(results, "or")),)
        return (Case("", f"pay{S} by the first row of {telling.title} that fits, or lose{S}"),)


def title(table: PayTable, called: str) -> str:
    """A pay table as it is spoken of: by its name, or by that of its wager."""
    if table.name in ("standard", ""):
        return f"the {called} pay table"
    return (
        f'the pay table "{table.name}"' if table.name.isalpha() and len(table.name) > 2 else f"pay table {table.name}"
    )


def told(cases: Sequence[Case], several: bool) -> list[str]:
    """One sentence, or one for each case."""
    inline = "; otherwise ".join(f"{c.result}{f' {c.on}' if c.on else ''}" for c in cases)
    parts = (
        [inline]
        if len(cases) == 1 or len(inline.split()) <= SHORT
        else [f"{c.on or 'otherwise'}: {c.result}" for c in cases]
    )
    return [part.replace(S, "" if several else "s").replace(ES, "" if several else "es") for part in parts]


class _Outcome:
    def __init__(self, wording: Wording, table: PayTable, bonus: bool, title: str) -> None:
        self.wording, self.table, self.bonus, self.title = wording, table, bonus, title

    def result(self, name: str) -> str:
        """What a row of the pay table comes to: `win{s} 1 to 1`."""
        pay = self.table.pay(name) if self.table.has(name) else Fraction(0)
        if isinstance(pay, Meter):
            return f"win{S} the {name} on the meter"
        if isinstance(pay, Dollars):
            return f"pay{S} {show_pay(pay)}{', whichever is more,' * bool(pay.least)} for a {name}"
        if pay == 0:
            return f"push{ES}"
        if pay < 0:
            half = f"lose{S} half" if pay == Fraction(-1, 2) else f"lose{S} {-pay} of it"
            return f"pay{S} nothing" if self.bonus else f"lose{S}" if pay == -1 else half
        return f"{'win' if name == 'win' else 'pay'}{S} {show_pay(pay)}"

    def cases(self, index: Column, names: Sequence[str]) -> list[Case]:
        say = self.wording
        if index.op == "const":
            return [Case("", self.result(names[index.args[0]]))]
        if index.op == "lookup" and index.uid not in say.names:  # the same results under other numbers
            values, inner = index.args
            return self.cases(inner, [*[""] * inner.lo, *(names[v] for v in values)])
        if any(c.op in ("register", "within") for c in walk([index], known=say.names)):
            if index.op == "where" and index.args[0].uid in say.names:
                return self._either(index, names)
            return self._by_row(index, names)  # what a mark has kept is not told by cards
        say.spend()
        if index.op == "compare":
            return [self._compared(index, names)]
        *rows, rest = _first_match(index)
        if len(rows) > 2:
            none = "no bonus is paid" if self.bonus else f"{self.result(names[rest])}"
            return [Case("", f"pay{S} by the first row of {self.title} that fits; if none does, {none}")]
        if index.op == "where":
            return self._either(index, names)
        steps = naming.floors(index)
        if steps is None:
            raise Unsaid
        return [Case("", self._by_floor(*steps, names))]

    def _compared(self, index: Column, names: Sequence[str]) -> Case:
        a, b = (self.wording.number(x) for x in index.args)
        lower, equal, higher = (self.result(name) for name in names[:3])
        more, less = naming.comparing(index.args[0])
        return Case("", f"{higher} if {a} is {more} than {b}, {equal} if they are equal, and {lower} if it is {less}")

    def _by_row(self, index: Column, names: Sequence[str]) -> list[Case]:
        """A row that is worked out: where every one of them pays, its pay table says how much."""
        if index.op == "compare" and all(a.uid in self.wording.names for a in index.args):
            return [self._compared(index, names)]
        pays = [self.table.pay(name) for name in names[index.lo : index.hi + 1] if self.table.has(name)]
        if not pays or not all(not isinstance(pay, Fraction) or pay > 0 for pay in pays):
            raise Unsaid
        return [Case("", f"pay{S} by the row of {self.title} that fits")]

    def _by_floor(self, value: Column, rising: Sequence[int], names: Sequence[str]) -> str:
        """`pays by pay table A with a pair of jacks or better, and loses with less`."""
        what = naming.kind(value)
        pays = [self.table.pay(name) for name in names]
        wins = next((i for i, pay in enumerate(pays) if not isinstance(pay, Fraction) or pay > 0), None)
        if what is None or wins is None or wins == 0:
            less = "" if wins == 0 else f", and {self.result(names[0])} with less"
            return f"pay{S} by the best row of {self.title} that is reached{less}"
        on = self.wording.number(value)
        parts = [f"pay{S} by {self.title} if {on} is {naming.named(what, rising[wins - 1])} or better"]
        pushes = next((i for i, pay in enumerate(pays) if pay == 0), wins)
        if 0 < pushes < wins:
            parts.append(f"push{ES} with {naming.named(what, rising[pushes - 1])} or better")
        parts.append(f"{self.result(names[0])} with less")
        return naming.listed(parts) if len(parts) > 2 else ", and ".join(parts)

    def _either(self, index: Column, names: Sequence[str]) -> list[Case]:
        """The shorter way first, so that each `if` stands beside what it is of."""
        test = self.wording.condition(index.args[0])
        yes, no = (self.cases(way, names) for way in index.args[1:])
        yes = [Case(c.on, c.result.partition(f" if {test}, and ")[0]) for c in yes]  # it is so
        plain = [len(way) == 1 and not way[0].on for way in (yes, no)]
        if plain[1] and " if " in yes[-1].result and " if " not in no[0].result:
            return [Case(f"unless {test}", no[0].result), *yes]
        if plain[0]:
            return [Case(f"if {test}", yes[0].result), *no]
        if plain[1]:
            return [Case(f"unless {test}", no[0].result), *yes]
        more = [f" and {c.on.removeprefix('if ')}" if c.on else "" for c in yes]
        first = [Case(f"if {test}{and_if}", c.result) for c, and_if in zip(yes, more, strict=True)]
        return [*first, *no]


def _first_match(index: Column) -> list[int]:
    """The rows of a first_match(), in order, and the one that is left; [-1] for anything else."""
    rows = []
    while index.op == "where" and index.args[1].op == "const":
        rows.append(index.args[1].args[0])
        index = index.args[2]
    return [*rows, index.args[0]] if index.op == "const" else [-1]
