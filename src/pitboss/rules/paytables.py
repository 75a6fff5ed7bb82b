"""Pay tables: what each row of a wager pays, to 1, in fixed dollars, or from a meter."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from pitboss.rules import numbers
from pitboss.rules.errors import BadInput, said
from pitboss.rules.fields import a_mapping, a_name, a_text, refuse
from pitboss.rules.numbers import money as money


@dataclass(frozen=True)
class Dollars:
    """A fixed award, whatever the stake; or so much to 1, where that is more."""

    amount: Fraction
    least: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        if self.amount < 0 or self.least < 0 or self.amount * 100 % 1:
            raise refuse(f"an award is dollars in whole cents, such as dollars(100), not {said(self.amount)}")

    def award(self, stake: Fraction) -> Fraction:
        return max(self.amount, self.least * stake)

    def spelled(self) -> str:
        """As a user would type it."""
        amount = money(self.amount).replace(",", "")  # commas part the pays of a table
        return f"${amount}" + (f" or {self.least}" if self.least else "")

    def __str__(self) -> str:
        return f"${money(self.amount)}" + (f" or {self.least} to 1" if self.least else "")


@dataclass(frozen=True)
class Meter:
    """A progressive jackpot: the options that hold its meter, the seed it starts from and the increment of each bet."""

    meter: str = "meter"
    seed: str = "jackpot-seed"
    increment: str = "increment"

    def __post_init__(self) -> None:
        for what in ("meter", "seed", "increment"):
            a_name(f"the {what} of a Meter, an option,", getattr(self, what))

    def __str__(self) -> str:
        return self.meter


Pay = Fraction | Dollars | Meter


def dollars(amount: int | str, least: int | str = 0) -> Dollars:
    """A fixed award: `dollars(100)`; `dollars(100, least=20)` pays 20 to 1 where that is more."""
    try:
        return Dollars(numbers.dollars("an award", amount), numbers.ratio("the least of an award, to 1,", least))
    except BadInput as error:
        raise refuse(str(error)) from None


def to_one(pay: object) -> Pay:
    """A whole number, a fraction or "3/2" as a pay to 1; awards and meters as they are."""
    if isinstance(pay, Dollars | Meter):
        return pay
    if isinstance(pay, int | str | Fraction) and not isinstance(pay, bool):
        return numbers.ratio("a pay to 1", pay, -numbers.MOST)
    raise BadInput(f"a pay is a whole number, a fraction such as '3/2', dollars(100) or a Meter, not {pay!r}")


def show_pay(pay: Pay) -> str:
    """As printed on a layout."""
    if isinstance(pay, Fraction):
        if pay < 0:
            return "lose" if pay == -1 else f"lose {-pay}"
        return "push" if pay == 0 else f"{pay.numerator} to {pay.denominator}"
    return str(pay)


TWO_PAYS_OR_ONE = re.compile(r"(\$\d{1,3}),(?=\d{3}(?![\d/.]))", re.ASCII)
"""Commas part the pays of a table, and thousands: `$5,100` is not taken for either."""


@dataclass(frozen=True)
class PayTable:
    """The rows of a wager in printed order. `lose` (-1) and `push` (0) need not be written."""

    name: str
    pays: Mapping[str, Pay] = field(hash=False)
    _meters: Sequence[tuple[str, Meter]] = field(init=False, repr=False, compare=False)  # a live table asks every time

    def __init__(self, name: str, pays: Mapping[str, object]) -> None:
        a_text("the name of a pay table", name)
        a_mapping(f"the pay table {name!r}", pays, "{'win': 1, 'push': 0}")
        if not pays:
            raise refuse(f"the pay table {name!r} has no row; write for instance {{'win': 1}}")
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "pays", {row: _checked(row, pay) for row, pay in pays.items()})
        object.__setattr__(self, "_meters", [(row, pay) for row, pay in self.pays.items() if isinstance(pay, Meter)])

    def pay(self, row: str) -> Pay:
        found = self.pays.get(row)
        if found is not None:
            return found
        return {"lose": Fraction(-1), "push": Fraction(0)}[row]

    def has(self, row: str) -> bool:
        return row in self.pays or row in ("lose", "push")

    def meters(self) -> list[tuple[str, Meter]]:
        return list(self._meters)

    def spelled(self) -> str:
        """As a user would type it."""
        pays = ",".join(p.spelled() if isinstance(p, Dollars) else str(p) for p in self.pays.values())
        return TWO_PAYS_OR_ONE.sub(r"\1, ", pays)

    def custom(self, text: str, wager: str) -> "PayTable":
        """The same rows with other pays: "1,3,15" in printed order, or "suit=1,tie=3,match=15"."""
        if one := TWO_PAYS_OR_ONE.search(text):
            award = one.group() + text[one.end() :][:3]
            raise BadInput(
                f"{award} may be one award or two pays; write {award.replace(',', '')} for the one, or "
                f"{award.replace(',', ', ')!r} for the other"
            )
        rows = list(self.pays)
        parts = [p.strip() for p in text.split(",")]
        named = dict(p.split("=", 1) for p in parts if "=" in p)
        want = (
            f"a pay table of {wager} is {len(rows)} pays for {', '.join(rows)}, in that order, such as "
            f"{self.spelled()!r}; a pay is a number to 1, a fraction such as 3/2, push, lose or an award such as $100"
        )
        if named:
            if len(named) != len(parts) or sorted(k.strip() for k in named) != sorted(rows):
                raise BadInput(f"{text!r} does not name each row once; {want}")
            parts = [{k.strip(): v for k, v in named.items()}[row] for row in rows]
        if len(parts) != len(rows):
            raise BadInput(f"{text!r} has {len(parts)} pays; {want}")
        pays: dict[str, Pay] = {}
        for row, part in zip(rows, parts, strict=True):
            try:
                pays[row] = _read(part.strip(), self.pays[row])
            except BadInput:
                raise BadInput(f"{said(part.strip())} is not a pay; {want}") from None
            if why := mistake_in(row, pays[row]):
                raise BadInput(f"{why}; {want}")
        return PayTable(" ".join(text.split()), pays)


def mistake_in(row: str, pay: Pay) -> str | None:
    """Why a row cannot pay that, if it cannot."""
    if isinstance(pay, Fraction) and pay < -1:
        return f"{row} pays {pay}, which takes more than the stake; -1 loses all of it"
    if row == "lose" and (not isinstance(pay, Fraction) or pay > 0):
        return f"lose pays {show_pay(pay)}, which would be for losing; pay -1 to 0, or give the row another name"
    return None


def _checked(row: str, pay: object) -> Pay:
    a_text("a row of a pay table", row, needed=True)
    try:
        found = to_one(pay)
    except BadInput as error:
        raise refuse(f"{row}: {error}") from None
    if why := mistake_in(row, found):
        raise refuse(why)
    return found


EVEN_MONEY = PayTable("even money", {"win": 1, "push": 0, "lose": -1})


def _read(text: str, old: Pay) -> Pay:
    word = text.lower()
    if word in ("lose", "push"):
        return Fraction(-1 if word == "lose" else 0)
    if isinstance(old, Meter) and word == str(old):
        return old
    if word.startswith("$"):
        amount, _, least = word.partition(" or ")
        return Dollars(numbers.dollars("", amount), numbers.ratio("", least) if least else Fraction(0))
    return numbers.ratio("", word.removesuffix(" to 1").removesuffix(":1"), -1)
