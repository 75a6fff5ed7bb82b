"""A figure, and how it is known: counted, enumerated in double precision, or simulated with its error."""

from dataclasses import dataclass
from fractions import Fraction

EXACT, DOUBLE, SIMULATED = "exact", "exact in double precision", "simulated"


@dataclass(frozen=True)
class Figure:
    """One number. `exact` is the very fraction, where there is one; `error` the standard error of a simulated one."""

    value: Fraction
    method: str = EXACT
    error: float = 0.0
    percent: bool = True  # how it is written

    @property
    def exact(self) -> Fraction | None:
        return self.value if self.method == EXACT else None

    def __float__(self) -> float:
        return float(self.value)

    def __str__(self) -> str:
        shown = f"{float(self.value):.4%}" if self.percent else f"{float(self.value):.4f}"
        if self.method == SIMULATED:
            return f"{shown} ± {f'{self.error:.4%}' if self.percent else f'{self.error:.4f}'}, simulated"
        if self.method == DOUBLE or not self.percent:
            return f"{shown}, {self.method}"
        return f"{shown}, exact {self.value.numerator}/{self.value.denominator}"

    def __repr__(self) -> str:
        return str(self)
