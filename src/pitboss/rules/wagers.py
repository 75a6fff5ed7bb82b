"""Wagers: who must bet what, how much, and on what pay table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pitboss.rules.errors import BadInput, said
from pitboss.rules.fields import a_flag, a_list, a_name, a_ratio, a_text, prose, refuse, some_dollars
from pitboss.rules.paytables import EVEN_MONEY, PayTable, money

MOST_TIMES = 1_000  # another wager, for one that equals it
TABLE_MIN = "the table minimum"
"""For `Wager(exactly=TABLE_MIN)`: a bet that must equal the table minimum."""


@dataclass(frozen=True)
class Wager:
    """One betting circle on the layout.

    A wager without `equal_to` is placed before the deal. One with `equal_to` is placed by `t.bet(...)` during the
    round, at `times` that other wager, and is analysed together with it.
    """

    name: str  # as one types it
    help: str = ""  # what it is on, in a few words
    required: bool = False  # whether everyone must bet it
    equal_to: str | None = None  # the wager that it equals, if it is bet during the round
    times: tuple[int | Fraction, ...] = (1,)  # how many times that wager it may be
    exactly: int | str | Fraction | None = None  # dollars, or TABLE_MIN
    minimum: int | str | Fraction | None = None  # dollars; else the table's
    maximum: int | str | Fraction | None = None  # dollars; else the table's
    needs: str | None = None  # the wager without which it cannot be bet
    tables: Sequence[PayTable] = (EVEN_MONEY,)  # to choose from; the first is the usual one
    table_of: str | None = None  # pays by whatever table that other wager has
    tokes: bool = False  # a player may bet on it for the dealer too, on the same schedule
    stake_returned: bool = True  # False: the bet is dropped into the meter, and an award is all that comes back

    def __post_init__(self) -> None:
        a_name("the name of a wager", self.name, also="")
        object.__setattr__(self, "help", prose(f"what {self.name} is on", self.help))
        for flag in ("required", "tokes", "stake_returned"):
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
        object.__setattr__(self, "times", times)
        for field in ("exactly", "minimum", "maximum"):
            given = getattr(self, field)
            if given is not None and not (field == "exactly" and given == TABLE_MIN):
                object.__setattr__(self, field, some_dollars(f"{field} of {self.name}", given))
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

    def amount_rule(self) -> str:
        """How much may be bet, in words."""
        if self.equal_to:
            some = [n for n in self.times if n]
            times = "" if some == [1] else f"{' or '.join('half' if n == Fraction(1, 2) else f'{n}x' for n in some)} "
            return f"equal to {times}the {self.equal_to}" if not times else f"{times}the {self.equal_to}"
        if self.exactly == TABLE_MIN:
            return "exactly the table minimum"
        if self.exactly is not None:
            return f"exactly ${money(Fraction(self.exactly))}"
        low = f"${money(Fraction(self.minimum))}" if self.minimum is not None else "table minimum"
        high = f"${money(Fraction(self.maximum))}" if self.maximum is not None else "table maximum"
        return f"{low} to {high}"

    def who_bets(self) -> str:
        """Whether it must be bet, in words."""
        if self.equal_to:
            return "during the round"
        if self.required:
            return "required"
        return f"optional, with the {self.needs}" if self.needs else "optional"

    def check_amount(self, amount: Fraction, table_min: Fraction, table_max: Fraction) -> None:
        """One clear sentence when the amount is not allowed."""
        exact = table_min if self.exactly == TABLE_MIN else self.exactly
        if exact is not None:
            if amount != Fraction(exact):
                only = money(Fraction(exact))
                raise BadInput(f"{self.name} is exactly ${only}, no more and no less; ${money(amount)} is not allowed")
            return
        low = table_min if self.minimum is None else Fraction(self.minimum)
        high = table_max if self.maximum is None else Fraction(self.maximum)
        if not low <= amount <= high:
            raise BadInput(f"{self.name} takes ${money(low)} to ${money(high)}; ${money(amount)} is not allowed")


def check_bets(
    wagers: Sequence[Wager],
    one_of: Sequence[Sequence[str]],
    bets: Mapping[str, Fraction],
    table_min: Fraction,
    table_max: Fraction,
) -> None:
    """The bets before the deal: required ones made, either-or satisfied, amounts within the limits."""
    opening = {w.name: w for w in wagers if not w.equal_to}
    for name, amount in bets.items():
        if name not in opening:
            raise BadInput(f"{name} is not a bet before the deal; there are {', '.join(opening)}")
        opening[name].check_amount(amount, table_min, table_max)
        needs = opening[name].needs
        if needs and needs not in bets:
            raise BadInput(f"{name} needs a bet on {needs}")
    for wager in opening.values():
        if wager.required and wager.name not in bets:
            raise BadInput(f"a bet on {wager.name} is required")
    for names in one_of:
        if not any(n in bets for n in names):
            raise BadInput(f"a bet on {' or '.join(names)} is required")
