"""Wagers: who must bet what, how much, and on what pay table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pitboss.rules.errors import BadBet, BadInput, choice_of, said
from pitboss.rules.fields import a_flag, a_list, a_name, a_ratio, a_text, prose, refuse, some_dollars
from pitboss.rules.paytables import EVEN_MONEY, PayTable, money

MOST_TIMES = 1_000  # another wager, for one that equals it
LIES = ("circle", "box", "beside", "line")
TABLE_MIN = "the table minimum"
"""For `Wager(exactly=TABLE_MIN)`: a bet that must equal the table minimum."""


@dataclass(frozen=True)
class Wager:
    """One betting circle on the layout.

    A wager without `equal_to` is placed before the deal. One with `equal_to` is placed by `t.bet(...)` during the
    round, at `times` that other wager, and is analysed together with it; if it is `required` too, it lies there from
    the start, along with that other wager.
    """

    name: str  # as one types it
    help: str = ""  # what it is on, in a few words
    required: bool = False  # whether everyone must bet it; with equal_to: along with that wager, before the deal
    equal_to: str | None = None  # the wager that it equals, or that it is so many times of
    times: tuple[int | Fraction, ...] = (1,)  # how many times that wager it may be
    exactly: int | str | Fraction | None = None  # dollars, or TABLE_MIN
    minimum: int | str | Fraction | None = None  # dollars; else the table's
    maximum: int | str | Fraction | None = None  # dollars; else the table's
    needs: str | None = None  # the wager without which it cannot be bet
    tables: Sequence[PayTable] = (EVEN_MONEY,)  # to choose from; the first is the usual one
    table_of: str | None = None  # pays by whatever table that other wager has
    tokes: bool = False  # a player may bet on it for the dealer too, on the same schedule
    stake_returned: bool = True  # False: the bet is dropped into the meter, and an award is all that comes back
    free: bool = False  # the house stakes it: it wins as if it were bet, and loses nothing
    lies: str = "circle"  # on the felt: "circle", "box", "beside" the bet that it equals, or "line" before all seats

    def __post_init__(self) -> None:
        a_name("the name of a wager", self.name, also="")
        object.__setattr__(self, "help", prose(f"what {self.name} is on", self.help))
        for flag in ("required", "tokes", "stake_returned", "free"):
            a_flag(f"{flag} of {self.name}", getattr(self, flag))
        for other in ("equal_to", "needs", "table_of"):
            if (named := getattr(self, other)) is not None and (not isinstance(named, str) or named == self.name):
                raise refuse(f"{other} of {self.name} is the name of another wager, not {said(named)}")
        times = a_list(f"times of {self.name}", self.times, int | Fraction, "(1, 2)", empty=False)
        for n in times:
            a_ratio(f"each of the times of {self.name}", n, 0, MOST_TIMES)
        if len(set(times)) < len(times) or not any(times):
            raise refuse(f"times of {self.name}: name each number once, and one above 0")
        if times != (1,) and not self.equal_to:
            raise refuse(f"times of {self.name} is for a wager that equals another; write equal_to too")
        if self.free and not self.equal_to:
            raise refuse(f"{self.name} is free, so it is as large as some other wager; write equal_to too")
        if self.free and (self.tokes or not self.stake_returned):
            raise refuse(f"{self.name} is free, so it takes no tokes, and no stake goes into a meter; leave that out")
        if self.lies not in LIES:
            raise refuse(f"lies of {self.name}, its place on the felt: {choice_of(said(self.lies), LIES)}")
        if self.lies == "beside" and not self.equal_to:
            raise refuse(f"{self.name} lies beside the wager that it equals; write equal_to too")
        if self.along and (len(times) > 1 or not all(times)):
            raise refuse(
                f"{self.name} is placed before the deal along with the {self.equal_to}, so its times is one number, "
                "such as times=(1,)"
            )
        object.__setattr__(self, "times", times)
        for field in ("exactly", "minimum", "maximum"):
            given = getattr(self, field)
            if given is not None and not (field == "exactly" and given == TABLE_MIN):
                object.__setattr__(self, field, some_dollars(f"{field} of {self.name}", given))
        if self.equal_to and any(x is not None for x in (self.exactly, self.minimum, self.maximum)):
            raise refuse(f"{self.name} goes by the {self.equal_to}, so it has no limits of its own; leave them out")
        if self.exactly is not None and (self.minimum is not None or self.maximum is not None):
            raise refuse(
                f"{self.name} is exactly one amount, so it has no minimum and no maximum; leave one of them out"
            )
        if isinstance(self.minimum, Fraction) and isinstance(self.maximum, Fraction) and self.minimum > self.maximum:
            least, most = money(self.minimum), money(self.maximum)
            raise refuse(f"{self.name} takes ${least} at least and ${most} at most; swap them")
        tables = a_list(
            f"tables of {self.name}", self.tables, PayTable, "(PayTable('usual', {'win': 1}),)", empty=False
        )
        names = [t.name for t in tables]
        for name in names:
            a_text(f"the name of a pay table of {self.name}", name, needed=True)
        if twice := [n for n in names if names.count(n) > 1]:
            raise refuse(f"{self.name} has two pay tables named {twice[0]!r}; give each its own name")

    @property
    def along(self) -> bool:
        """Whether it is placed before the deal along with another wager."""
        return self.required and self.equal_to is not None and not self.free

    @property
    def bonus(self) -> bool:
        """Whether it is paid on another wager's stake, and has no circle of its own."""
        return self.required and self.free

    @property
    def during(self) -> bool:
        """Whether it is bet, or not, after the deal."""
        return self.equal_to is not None and not self.required

    def amount_rule(self) -> str:
        """How much may be bet, in words."""
        if self.bonus:
            return f"nothing: paid on the {self.equal_to}"
        if self.equal_to:
            some = [n for n in self.times if n]
            times = "" if some == [1] else f"{' or '.join(map(times_word, some))} "
            rule = f"equal to {times}the {self.equal_to}" if not times else f"{times}the {self.equal_to}"
            return f"{rule}, staked by the house" if self.free else rule
        if self.exactly == TABLE_MIN:
            return "exactly the table minimum"
        if self.exactly is not None:
            return f"exactly ${money(Fraction(self.exactly))}"
        low = f"${money(Fraction(self.minimum))}" if self.minimum is not None else "table minimum"
        high = f"${money(Fraction(self.maximum))}" if self.maximum is not None else "table maximum"
        return f"{low} to {high}"

    def who_bets(self) -> str:
        """Whether it must be bet, in words."""
        if self.bonus:
            return f"bonus, with the {self.equal_to}"
        if self.along:
            return f"required, with the {self.equal_to}"
        if self.equal_to:
            return "free, during the round" if self.free else "during the round"
        if self.required:
            return "required"
        return f"optional, with the {self.needs}" if self.needs else "optional"

    def check_amount(self, amount: Fraction, table_min: Fraction, table_max: Fraction) -> None:
        """One clear sentence when the amount is not allowed."""
        exact = table_min if self.exactly == TABLE_MIN else self.exactly
        if exact is not None:
            if amount != Fraction(exact):
                only = money(Fraction(exact))
                raise BadBet(
                    f"{{}} is exactly ${only}, no more and no less; ${money(amount)} is not allowed", self.name
                )
            return
        low = table_min if self.minimum is None else Fraction(self.minimum)
        high = table_max if self.maximum is None else Fraction(self.maximum)
        if not low <= amount <= high:
            raise BadBet(f"{{}} takes ${money(low)} to ${money(high)}; ${money(amount)} is not allowed", self.name)


def times_word(times: int | Fraction) -> str:
    """`3x`, `half`, and `none` where nothing is bet."""
    return {Fraction(0): "none", Fraction(1, 2): "half"}.get(Fraction(times), f"{times}x")


@dataclass(frozen=True)
class Bonus(Wager):
    """What is paid on another wager's stake, per unit of it, and costs nothing: an ante bonus.

    It is settled like a wager, `t.settle(ante_bonus=...)`; where it is not, or loses, nothing happens. It is analysed
    together with the wager that it is paid `on`.
    """

    required: bool = True
    free: bool = True
    on: str = ""  # the wager that it is paid on

    def __post_init__(self) -> None:
        if not isinstance(self.on, str) or not self.on or self.equal_to not in (None, self.on):
            raise refuse(f"the bonus {said(self.name)} is paid on another wager; write on='ante'")
        if not self.required or not self.free or self.times != (1,) or self.needs:
            raise refuse(f"the bonus {said(self.name)} costs nothing: it has a name, `on` and pay tables, no more")
        object.__setattr__(self, "equal_to", self.on)
        super().__post_init__()


def multiples(wagers: Mapping[str, Wager]) -> dict[str, tuple[int | Fraction, ...]]:
    """How many times the wager before the deal each wager may be: of one that equals another that is so many times a
    third, the products."""
    out: dict[str, tuple[int | Fraction, ...]] = {}

    def of(wager: Wager) -> tuple[int | Fraction, ...]:
        if wager.name not in out:
            lead = of(wagers[wager.equal_to]) if wager.equal_to else (1,)
            units = lead if wager.bonus else [n for n in lead if n]
            out[wager.name] = tuple(dict.fromkeys(n * unit for unit in units for n in wager.times))
        return out[wager.name]

    for wager in wagers.values():
        of(wager)
    return out


def check_bets(
    wagers: Sequence[Wager],
    one_of: Sequence[Sequence[str]],
    bets: Mapping[str, Fraction],
    table_min: Fraction,
    table_max: Fraction,
) -> None:
    """The bets before the deal: required ones made, either-or satisfied, amounts within the limits."""
    opening = {w.name: w for w in wagers if not w.equal_to}
    along = {w.name: w for w in wagers if w.along}
    for name, amount in bets.items():
        if name in along:
            rule, lead = along[name].amount_rule(), along[name].equal_to
            raise BadInput(f"{name} is {rule} and is placed along with it; bet the {lead} alone")
        if name not in opening:
            raise BadBet(
                f"{{}} is not a bet before the deal; there are {', '.join(['{}'] * len(opening))}", name, *opening
            )
        opening[name].check_amount(amount, table_min, table_max)
        needs = opening[name].needs
        if needs and needs not in bets:
            raise BadBet("{} needs a bet on {}", name, needs)
    for wager in opening.values():
        if wager.required and wager.name not in bets:
            raise BadBet("a bet on {} is required", wager.name)
    for names in one_of:
        if not any(n in bets for n in names):
            raise BadBet(f"a bet on {' or '.join(['{}'] * len(names))} is required", *names)


def fitted(table: PayTable, wager: Wager, options: Mapping[str, object]) -> PayTable:
    """A chosen table for a wager that may have fewer rows now: what it does not have cannot come up."""
    rows = wager.tables[0].pays
    if more := [row for row in rows if row not in table.pays]:
        there = ", ".join(f"{name}={value}" for name, value in options.items())
        raise BadInput(
            f"with {there} the pay table of {wager.name} has {', '.join(more)} too; start from a house with {there}, "
            "or leave that value out"
        )
    return PayTable(table.name, {row: pay for row, pay in table.pays.items() if row in rows})
