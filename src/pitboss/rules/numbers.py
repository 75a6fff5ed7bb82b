"""The one reader of numbers that somebody types, writes in Python or keeps in a file.

A text is looked at before anything is computed: so many ASCII characters, so many digits, a small exponent. So there is
no number that hangs, none that is not one, and one meaning of a comma: it parts thousands, in groups of three. What is
wanted (a whole number, dollars, a ratio, a share) is the caller's to say; all else is refused with an example.
"""

import re
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import isfinite
from numbers import Rational, Real

from pitboss.rules.errors import BadInput, said

FAR = 10**18  # no whole number that is asked lies beyond
MOST, LEAST = 10**9, Fraction(1, 10**9)  # of any other, in dollars too; and the smallest that is not 0
CENT = Fraction(1, 100)
LONGEST = 60  # characters of a number, with commas and all

_SHAPE = re.compile(
    r"(?P<sign>[+-]?)(?P<dollar>\$?)(?P<digits>(?:\d{1,3}(?:,\d{3}){1,6}|\d{1,20})(?:\.(?P<rest>\d{1,20}))?|\.\d{1,20})"
    r"(?:/(?P<below>\d{1,20}))?(?P<power>e[+-]?\d{1,2})?(?P<percent>%?)",
    re.ASCII | re.IGNORECASE,
)
_WRITTEN = re.compile(r"-?\d{1,40}(/\d{1,40})?", re.ASCII)
_DECIMAL = re.compile(r"-?\d{1,20}(\.\d{1,20})?(e[+-]?\d{1,3})?", re.ASCII)
_SMALLEST, _LARGEST = -15, 18  # powers of ten


def money(amount: Fraction) -> str:
    """12 -> '12', 25/2 -> '12.50', 25000 -> '25,000': as `dollars` reads it."""
    above, below = amount.numerator, amount.denominator
    cents, odd = divmod(abs(above) * 100, below)
    if odd:
        return str(amount)
    whole, rest = divmod(cents, 100)
    return f"{'-' if above < 0 else ''}{whole:,}" + (f".{rest:02d}" if rest else "")


# ---- what may be asked for


def whole(what: str, value: object, least: int = -FAR, most: int = FAR, example: str = "") -> int:
    """A whole number. 1e8 is one, and so is the float 1e8."""
    found = _read(value, "e")
    if found is None or found.denominator != 1 or not least <= found <= most:
        bounds = _bounds(f"{least:,}", f"{most:,}", least == -FAR, most == FAR) or " of up to 18 digits"
        raise _refused(what, f"a whole number{bounds}", example or str(min(max(least, 8), most)), value)
    return found.numerator


def dollars(what: str, value: object, least: Fraction | int = 0, most: Fraction | int = MOST) -> Fraction:
    """An amount of money: dollars and whole cents, for there is no coin below a cent."""
    found = _read(value, "$")
    if found is None or not in_cents(found) or not least <= found <= most:
        usual = next((e for e in ("12.50", "0.25") if least <= Fraction(e) <= most), money(Fraction(least)))
        bounds = _bounds(f"${money(Fraction(least))}", f"${money(Fraction(most))}")
        raise _refused(what, f"an amount of dollars and whole cents{bounds}", usual, value)
    return found


def ratio(what: str, value: object, least: Fraction | int = 0, most: Fraction | int = MOST) -> Fraction:
    """A number that need not be whole: 8, 0.5 or 3/2."""
    found = _read(value, "/e" if isinstance(value, float | Decimal) else "/")
    if found is None or not least <= found <= most or 0 < abs(found) < LEAST:
        usual = "8, 0.5 or 3/2" if least <= Fraction(1, 2) and most >= 8 else _plain(least)
        raise _refused(what, f"a number{_bounds(_plain(least), _plain(most))}", usual, value)
    return found


def share(
    what: str, value: object, least: Fraction | int = 0, most: Fraction | int = 1, example: str = "40% or 0.4"
) -> Fraction:
    """A part of something: 40%, 0.4, 2/5 or 1e-4."""
    found = _read(value, "/e%")
    if found is None or not least <= found <= most or 0 < abs(found) < LEAST:
        bounds = _bounds(f"{_plain(Fraction(least) * 100)}%", f"{_plain(Fraction(most) * 100)}%")
        raise _refused(what, f"a share{bounds}", example, value)
    return found


def in_cents(amount: Fraction) -> bool:
    """Whether an amount can be paid: it is whole cents."""
    return 100 % amount.denominator == 0


# ---- what is printed or kept


def written(value: object) -> Fraction:
    """A number as pitboss itself writes it into a log: "12", "25/2" or "-5/2"."""
    found = _kept(value) if isinstance(value, str) and len(value) <= 2 * LONGEST else None
    if found is None:
        raise BadInput(f"{said(value)} is not a number as a log has it, such as '12' or '25/2'")
    return found


@lru_cache(maxsize=4096)
def _kept(value: str) -> Fraction | None:
    above, _, below = value.partition("/")
    fits = _WRITTEN.fullmatch(value) and (not below or any(c != "0" for c in below))
    return Fraction(int(above), int(below or 1)) if fits else None


def decimal(value: object) -> float:
    """A figure as pitboss itself writes it into a record, as Python spells a double: "0.0423" or "1e-05"."""
    if isinstance(value, str) and _DECIMAL.fullmatch(value) and isfinite(found := float(value)):
        return found
    raise BadInput(f"{said(value)} is not a figure as a record has it, such as '0.0423'")


def printed(text: str) -> tuple[Fraction, Fraction] | None:
    """A figure as a document prints it, such as `4.2%`, `$0.292` or `4,140`: its value, and one in the last printed
    digit. None where it is not one."""
    found = _SHAPE.fullmatch(text.strip()) if len(text) <= LONGEST else None
    if found is None or found["below"] or found["power"] or (found["dollar"] and found["percent"]):
        return None
    scale = Fraction(1, 100 if found["percent"] else 1)
    places = len(found["digits"].partition(".")[2])
    value = _sum(found)
    return None if value is None else (value, scale / 10**places)


def plain(text: str) -> Fraction | None:
    """A text that is a number, a fraction or a percentage; else None."""
    return _read(text, "/%")


# ---- how it is read


def _read(value: object, also: str) -> Fraction | None:
    """Any number within reason, or None. A text may have those of $, /, e and % that are `also` taken."""
    if isinstance(value, bool):
        return None
    if isinstance(value, Decimal):
        return _text(str(value), also + "e")
    if isinstance(value, str):
        return _text(value, also)
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if not isinstance(value, Real):
        return None
    try:
        near = float(value)
    except (OverflowError, ValueError):
        return None
    return Fraction(repr(near)) if isfinite(near) else None  # 0.4 is 2/5, not the double beside it


@lru_cache(maxsize=4096)  # a live table reads the same few amounts all day
def _text(text: str, also: str) -> Fraction | None:
    found = _SHAPE.fullmatch(text.strip(" ")) if len(text) <= LONGEST else None
    if found is None:
        return None
    signs = (("dollar", "$"), ("below", "/"), ("power", "e"), ("percent", "%"))
    if any(found[name] and sign not in also for name, sign in signs):
        return None
    if found["below"] and (found["power"] or not found["digits"].isdecimal()):
        return None
    return _sum(found)


def _sum(found: re.Match[str]) -> Fraction | None:
    """What the parts of a number come to: no more than forty digits."""
    power, below = int((found["power"] or "e0")[1:]), int(found["below"] or 1)
    if not _SMALLEST <= power <= _LARGEST or not below:
        return None
    value = Fraction(found["digits"].replace(",", "")) * Fraction(10) ** power / below
    value /= 100 if found["percent"] else 1
    return -value if found["sign"] == "-" else value


# ---- how it is refused


def _refused(what: str, wanted: str, example: str, value: object) -> BadInput:
    hint = ""
    if isinstance(value, str) and "," in value:
        hint = "; a comma parts thousands only, as in 1,250"
    elif isinstance(value, str) and _text(value, "$/e%") is not None and "e" in value.lower():
        hint = "; write all of its digits if it is one"
    return BadInput(f"{what}{': ' if what else ''}{said(value)} is not {wanted}, such as {example}{hint}")


def _bounds(least: str, most: str, any_least: bool = False, any_most: bool = False) -> str:
    low, high = "" if any_least else f" from {least}", "" if any_most else f" to {most}"
    return f"{low}{high}" if low else high and f" up to {most}"


def _plain(value: Fraction | int) -> str:
    """A bound as one reads it: 1,000 or 0.01."""
    found = Fraction(value)
    return f"{found.numerator:,}" if found.denominator == 1 else f"{float(found):.9f}".rstrip("0")
