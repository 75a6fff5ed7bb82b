"""What a designer asks for: an edge, the rows that may move, between what bounds, and in what order they must pay."""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise, product
from math import floor, lcm

from pitboss.rules.errors import BadInput, choice_of, said
from pitboss.rules.house import House
from pitboss.rules.numbers import CENT, MOST, dollars, money, ratio, share
from pitboss.rules.options import EXACT
from pitboss.rules.paytables import Dollars, Meter, Pay, PayTable, show_pay

MOST_PAY = 10_000_000  # to 1, or in dollars
MOST_VALUES = 2_000  # pays that one row may try
SAFE = 1 << 62  # what 64 bits hold with room to spare
MOST_USUAL = 50_000_000  # tables to look through when no row is named
SPREADS = tuple(map(Fraction, ("2", "3/2", "5/4", "11/10")))
ROUND = (10, 15, 20, 25, 30, 40, 50, 60, 75, 80)  # in every decade, what a layout prints
FINE = tuple(range(10, 100, 5))  # the same with the figures between, such as 55
MOST_FINE = 3_000_000  # tables up to which those are tried too


@dataclass(frozen=True)
class Target:
    """The edge wanted: everything from low to high, or (low = high) what comes closest to one figure."""

    low: Fraction
    high: Fraction

    @property
    def middle(self) -> Fraction:
        return (self.low + self.high) / 2

    @property
    def one(self) -> bool:
        return self.low == self.high


@dataclass(frozen=True)
class Free:
    """A row that may move, and the pays that it may have, from low to high: to 1, awards too."""

    row: str
    values: tuple[Fraction, ...]
    bet: Fraction | None = None  # the dollars that an award is measured against; None where it pays to 1

    def amount(self, value: Fraction) -> Fraction:
        """What is printed: an award in dollars, or the pay to 1."""
        return value if self.bet is None else value * self.bet

    def pay(self, value: Fraction) -> Pay:
        return value if self.bet is None else Dollars(self.amount(value))

    def words(self) -> str:
        shown = [_typed(self.pay(v)) for v in self.values]
        amounts = [self.amount(v) for v in self.values]
        steps = {b - a for a, b in pairwise(amounts)}
        if len(steps) > 1 or len(shown) <= 4:
            return ", ".join(shown)
        step = steps.pop()
        return f"{shown[0]} to {shown[-1]}, step {step if self.bet is None else Dollars(step)}"


def _typed(pay: Pay) -> str:
    return {"-1": "lose", "0": "push"}.get(str(pay), str(pay))


def at_bet(pay: Pay, bet: Fraction) -> Fraction | None:
    """A pay to 1 at this bet; nothing where a meter pays."""
    if isinstance(pay, Dollars):
        return pay.award(bet) / bet
    return None if isinstance(pay, Meter) else pay


@dataclass(frozen=True)
class Grid:
    """The pay tables to look through: rows that may move, those that stay, and the order of their pays."""

    table: PayTable
    free: tuple[Free, ...]
    order: str  # "falling", "rising", or "" where none is asked
    chain: tuple[int, ...]  # the free rows under that order, the highest pay first

    def paid(self, pays: Sequence[Fraction]) -> PayTable:
        """The pay table with these pays on the free rows, named as a user would type it."""
        new = {f.row: f.pay(p) for f, p in zip(self.free, pays, strict=True)}
        made = PayTable("", {**self.table.pays, **new})
        return PayTable(made.spelled(), made.pays)

    @property
    def rows(self) -> list[int]:
        """The free rows: those under the order first, the highest pay before the others, then the rest."""
        return [*self.chain, *(i for i in range(len(self.free)) if i not in self.chain)]

    @property
    def total(self) -> int:
        """How many tables there are, whatever their edge."""
        return self.ways(self.rows)

    def ways(self, rows: Sequence[int]) -> int:
        """Ways to pay these rows: in order along the chain, freely otherwise."""
        freely, above, ways = 1, list[int](), list[int]()  # pays of the chain's last row, rising, and ways to each
        for i in rows:
            values = self.whole[i]
            if i not in self.chain:
                freely *= len(values)
                continue
            reached = list(accumulate(ways[::-1], initial=0))[::-1]  # ways to this pay of the row above or more
            ways = [reached[bisect_left(above, v)] for v in values] if ways else [1] * len(values)
            above = values
        return freely * (sum(ways) if above else 1)

    @cached_property
    def unit(self) -> int:
        """All pays are whole numbers of 1/unit."""
        return lcm(*(v.denominator for f in self.free for v in f.values))

    @cached_property
    def whole(self) -> list[list[int]]:
        """The pays of each free row, in units."""
        return [[int(v * self.unit) for v in f.values] for f in self.free]

    def printed(self) -> tuple[Fraction, ...] | None:
        """The pays of the table as it is, if the grid has them."""
        values = []
        for f in self.free:
            value = next((v for v in f.values if f.pay(v) == self.table.pays[f.row]), None)
            if value is None:
                return None
            values.append(value)
        return tuple(values)


def read_edge(text: str) -> Target:
    """ "4%..6%", "5%", "0.05" or "1/20"."""
    ends = [part.strip() for part in text.split("..")]
    if ends[-1].endswith("%"):
        ends = [end if end.endswith("%") else f"{end}%" for end in ends]  # 4..6% is 4%..6%
    if len(ends) > 2:
        raise BadInput(f"edge {said(text)}: write an edge such as 5%, 0.05 or 1/20, or a range such as 4%..6%")
    low, high = (share("edge", end, -1, 1, "5%, 0.05 or 4%..6%") for end in (ends[0], ends[-1]))
    if low > high:
        raise BadInput(f"edge {text!r}: the range runs from the lower edge to the higher one")
    return Target(low, high)


def read_step(text: str) -> Fraction:
    return ratio("step", text, CENT)


def read_row(text: str, table: PayTable, step: Fraction, bet: Fraction) -> Free:
    """ "flush=3..8", "royal=50..200..50" with a step of its own, "flush=3,4,6", "pair=lose..1" or "match=$50..$150"."""
    name, sign, bounds = (part.strip() for part in text.rpartition("="))
    want = "write ROW=LOW..HIGH, such as flush=3..8, royal=50..200..50, pair=lose..1, pair=2,3 or match=$5..$15"
    if not sign or not name or not bounds:
        raise BadInput(f"row {text}: {want}")
    if name not in table.pays:
        raise BadInput(f"row {text}: {choice_of(repr(name), list(table.pays))}")
    parts = [p.strip() for p in (bounds.split("..") if ".." in bounds else bounds.split(","))]
    if ".." in bounds and len(parts) == 3:
        step = read_step(parts.pop().lstrip("$"))
    awards = [p.startswith("$") for p in parts]
    try:
        numbers = [_amount(p) for p in _words(parts)]
    except BadInput:
        raise BadInput(f"row {text}: {bounds!r} is not a pay or a range of pays; {want}") from None
    if min(numbers) < -1:
        raise BadInput(f"row {text}: a row cannot lose more than was bet; {want}")
    if any(awards) and not all(awards):
        raise BadInput(f"row {text}: {name} is paid in dollars or to 1, not in both; {want}")
    if isinstance(table.pays[name], Meter):
        raise BadInput(f"row {text}: {name} is paid from a meter; set the option {table.pays[name]} instead")
    if ".." in bounds:
        if len(numbers) != 2 or numbers[0] > numbers[1]:
            raise BadInput(f"row {text}: a range runs from the lower pay to the higher one; {want}")
        numbers = _range(text, numbers[0], numbers[1], step, table.pays[name])
    values = tuple(sorted(set(numbers)))
    return Free(name, tuple(v / bet for v in values), bet) if awards[0] else Free(name, values)


def _amount(text: str) -> Fraction:
    return dollars("", text) if text.startswith("$") else ratio("", text, -MOST)


def _range(text: str, low: Fraction, high: Fraction, step: Fraction, now: Pay) -> list[Fraction]:
    """From low to high in steps. Below a push there are only the ends that were typed and the pay as it is: a row
    loses, pushes or pays, and what a surrender gives back is no step between."""
    if (high - low) / step > MOST_VALUES:
        raise BadInput(f"row {text}: more than {MOST_VALUES:,} pays in steps of {step}; take a larger step")
    losing = [v for v in (low, high, now) if isinstance(v, Fraction) and low <= v < 0 and v <= high]
    first = max(low, Fraction(0))
    values = losing + [first + step * i for i in range(floor((high - first) / step) + 1)]
    if low < high and len(set(values)) == 1:
        raise BadInput(f"row {text}: a step of {step} leaves {_typed(low)} alone; take a smaller step")
    return values


def _words(parts: Sequence[str]) -> list[str]:
    return [{"lose": "-1", "push": "0"}.get(p.lower(), p) for p in parts]


def in_chips(house: House, wager: str, row: Free) -> Free:
    """A row with those of its pays that the house pays in full: one that it would cut down to whole chips is printed
    by nobody, and the edge of the next lower one is the same."""
    if house.chip is None or row.bet is not None:
        return row
    own = [w for w in house.wagers if wager in (w.name, w.table_of)]
    stakes = [t * house.stake_on(w.name) for w in own for t in house.multiples[w.name] if t]
    values = tuple(v for v in row.values if all(house.paid(v, stake) == v for stake in stakes))
    if not values:
        raise BadInput(
            f"row {row.row}: none of these pays comes to whole chips of ${money(house.chip)} on a bet of "
            f"${money(house.stake_on(wager))}; take other pays, another table-min or rounding={EXACT}"
        )
    return Free(row.row, values, row.bet)


def usual_grid(
    table: PayTable, step: Fraction, any_order: bool, bet: Fraction, paid: Callable[[Free], Free] = lambda row: row
) -> Grid:
    """Every row that wins, from half its pay to double it, or closer where that would be too many tables; in steps of
    five where these are few, else in the roundest figures only."""
    now = {row: pay for row, pay in table.pays.items() if isinstance(pay, Fraction) and pay > 0}
    for spread, (printed, most) in product(SPREADS, ((FINE, MOST_FINE), (ROUND, MOST_USUAL))):
        rows = [paid(Free(row, _about(pay, spread, step, printed))) for row, pay in now.items()]
        if rows and (made := grid(table, rows, any_order, bet)).total <= most:
            return made
    if not now:
        raise BadInput(
            f"no row of {table.spelled()!r} pays to 1; name the rows that may move, such as `row='match=$50..$150'`"
        )
    raise BadInput(f"{len(now)} rows are too many to move at once; name those that may, with `row`")


def _about(pay: Fraction, spread: Fraction, step: Fraction, printed: Sequence[int]) -> tuple[Fraction, ...]:
    """Figures that layouts print around a pay, and the pay itself."""
    small = [step * i for i in range(1, int(12 / step) + 1)]
    large = [Fraction(m * 10**k) for k in range(6) for m in printed if m * 10**k > 12]
    return tuple(sorted({v for v in (*small, *large) if pay / spread <= v <= pay * spread} | {pay}))


def grid(table: PayTable, rows: Sequence[Free], any_order: bool, bet: Fraction) -> Grid:
    """The rows put in order: at this bet a row pays no more than one that is printed on its better side."""
    names = [f.row for f in rows]
    for f in rows:
        if names.count(f.row) > 1:
            raise BadInput(f"row {f.row} is given twice")
        if f.amount(f.values[-1]) > MOST_PAY:
            raise BadInput(f"row {f.row}: a row pays {MOST_PAY:,} at most, to 1 or in dollars")
    free = sorted(rows, key=lambda f: list(table.pays).index(f.row))
    made = Grid(table, tuple(free), "", ())
    if any(abs(v) > SAFE for values in made.whole for v in values):
        raise BadInput("these pays have no small unit in common; write whole numbers, halves, quarters or hundredths")
    now = {row: value for row, pay in table.pays.items() if (value := at_bet(pay, bet)) is not None}
    order = "" if any_order else _direction(list(now.values()))
    if not order:
        return made
    ranked = list(now) if order == "falling" else list(now)[::-1]  # the highest pay first
    stay = {row: value for row, value in now.items() if row not in names}
    kept = [_between(f, ranked, stay) for f in free]
    place = {f.row: i for i, f in enumerate(kept)}
    return Grid(table, tuple(kept), order, tuple(place[row] for row in ranked if row in place))


def _direction(pays: Sequence[Fraction]) -> str:
    pairs = list(pairwise(pays))
    falling, rising = all(a >= b for a, b in pairs), all(a <= b for a, b in pairs)
    return "" if falling == rising else "falling" if falling else "rising"


def _between(row: Free, ranked: Sequence[str], stay: Mapping[str, Fraction]) -> Free:
    """Without the pays that the rows that stay rule out."""
    at = ranked.index(row.row)
    high = min((stay[r] for r in ranked[:at] if r in stay), default=None)
    low = max((stay[r] for r in ranked[at + 1 :] if r in stay), default=None)
    values = tuple(v for v in row.values if (high is None or v <= high) and (low is None or v >= low))
    if not values:
        least, most = (None if end is None else show_pay(row.pay(end)) for end in (low, high))
        fixed = f"{least} or more" if most is None else f"between {least or 'lose'} and {most}"
        raise BadInput(
            f"row {row.row}: rows are paid in the order in which they are printed, so {row.row} pays {fixed}; "
            "move the rows beside it too, or ask for `any_order`"
        )
    return Free(row.row, values, row.bet)
