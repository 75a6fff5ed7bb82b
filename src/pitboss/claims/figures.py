"""A figure as a document prints it, and whether a computed one agrees with it to the printed digits."""

from dataclasses import dataclass
from fractions import Fraction

from pitboss.rules.errors import BadInput
from pitboss.rules.numbers import money, printed


@dataclass(frozen=True)
class Figure:
    """A printed number: `4.2%`, `$0.292`, `4,140` or `0.0000309`."""

    text: str
    value: Fraction
    unit: Fraction  # one in the last printed digit

    @classmethod
    def read(cls, text: str) -> "Figure":
        found = printed(text)
        if found is None:
            raise BadInput(f"{text!r} is not a figure; write it as printed, such as 4.2%, $0.292, 4,140 or 0.0000309")
        return cls(text.strip(), *found)

    @classmethod
    def written(cls, value: Fraction, sign: str) -> str:
        """A value as it would be printed, with as many digits as it has."""
        return f"{'$' * (sign == '$')}{_decimal(value * (100 if sign == '%' else 1))}{'%' * (sign == '%')}"

    @property
    def sign(self) -> str:
        """What kind of figure it is: `%`, `$` or nothing."""
        return next((s for s in "%$" if s in self.text), "")

    def rounds_to(self, value: Fraction) -> bool:
        """Whether the value, rounded to the printed digits, is this figure; a half may go either way."""
        return abs(value - self.value) <= self.unit / 2

    def cut_from(self, value: Fraction) -> bool:
        """Whether the value, cut off after the printed digits, is this figure."""
        size = abs(value) - abs(self.value)
        return 0 <= size < self.unit and value * self.value >= 0

    def agrees(self, value: Fraction) -> bool:
        return self.rounds_to(value) or self.cut_from(value)

    def can_hold_with(self, other: "Figure") -> bool:
        """Whether one value could be printed as both, rounded or cut off."""
        return abs(self.value - other.value) < self.unit + other.unit

    def show(self, value: Fraction, more: int = 2) -> str:
        """A value in the unit of this figure, with a few digits more."""
        places = len(self.text.rstrip("%").partition(".")[2]) + more
        if self.text.endswith("%"):
            return f"{float(value * 100):.{places}f}%"
        if self.text.startswith("$"):
            return f"${money(value)}" if value.denominator == 1 else f"${float(value):,.{max(places, 2)}f}"
        return f"{value.numerator:,}" if value.denominator == 1 else f"{float(value):,.{max(places, 4)}f}"

    def apart(self, value: Fraction) -> str:
        """How far a value is from the figure, in words."""
        return self.distance(abs(value - self.value))

    def distance(self, gap: Fraction) -> str:
        """A difference in the unit of this figure, in words."""
        if self.text.endswith("%"):
            return f"{_two_digits(gap * 100)} percentage points"
        return f"${_two_digits(gap)}" if self.text.startswith("$") else _two_digits(gap)


def _two_digits(value: Fraction) -> str:
    """A size with two digits that count, and never in powers of ten."""
    if value.denominator == 1 or value >= 10:
        return f"{round(value):,}"
    places = 1
    while value and value * 10**places < 10:
        places += 1
    return f"{float(value):.{places}f}"


def _decimal(value: Fraction) -> str:
    """A value in decimals, as many as it has, or fifteen."""
    return f"{float(value):.15f}".rstrip("0").rstrip(".")
