"""What a field of a declaration may hold: a name, a text, a flag, a number, dollars. Else it is told with its line."""

import re
from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from typing import Any

from pitboss.rules.errors import BadInput, RuleError, said, site
from pitboss.rules.numbers import CENT, dollars

MOST_TEXT = 20_000
_NAME = re.compile(r"[a-z0-9]+([-+][a-z0-9]+)*")
_PLACE = re.compile(r"(?=.*[a-z])[a-z0-9]+([ -][a-z0-9]+)*")
_TAKEN = re.compile(r"(player|dealer|board|you|your|seat|spot|hand)s?([ -]?[0-9]+)?|(the|each|your)[ -].*")
_DOES = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def refuse(message: str) -> RuleError:
    """A mistake in the line of the game file that is being read."""
    return site().error(message)


def a_name(what: str, value: object, also: str = "_") -> None:
    """As one types it at a prompt. A wager has no underscore, which stands for a hyphen where it is settled."""
    if not isinstance(value, str) or not _NAME.fullmatch(value.replace(also or "-", "-")) or len(value) > 40:
        raise refuse(f"{what} is small letters, digits and hyphens, such as 'lucky-break', not {said(value)}")


def a_place(value: object, known: Collection[str]) -> None:
    """Where cards may lie: one of the known places, or a name that nobody takes for one of those or for a seat. It is
    plain letters, because letters of another script can look the same."""
    if isinstance(value, str) and value in known:
        return
    if not isinstance(value, str) or len(value) > 24 or not _PLACE.fullmatch(value):
        raise refuse(
            "cards are dealt to PLAYER, DEALER, BOARD or a place with a name of its own, such as 'banker' or 'first "
            f"pack': up to 24 small letters, digits, single spaces and hyphens, not {said(value)}"
        )
    if _TAKEN.fullmatch(value):
        raise refuse(
            f"a place called {value!r} would be taken for another one; write PLAYER, DEALER or BOARD, or a name of its "
            "own without `the`, such as 'banker'"
        )


def a_text(what: str, value: object, needed: bool = False, line: bool = False) -> None:
    """Anything that a person reads, in whatever script; nothing that a terminal would obey. What is needed is one
    `line`."""
    if not isinstance(value, str):
        raise refuse(f"{what} is text in quotes, not {said(value)}")
    if needed and not value.strip():
        raise refuse(f"{what} is missing; write it in quotes")
    if (needed or line) and ("\n" in value or "\r" in value):
        raise refuse(f"{what} is one line, not {said(value)}")
    if len(value) > MOST_TEXT:
        raise refuse(f"{what} has {len(value):,} characters; {MOST_TEXT:,} are enough")
    if not value.isprintable() and (odd := _DOES.search(value)):
        raise refuse(f"{what} has {said(odd[0])} in it, which cannot be printed; leave it out")


def prose(what: str, value: object) -> str:
    """A text that may be written in several lines, and is read as one."""
    a_text(what, value)
    assert isinstance(value, str)
    return " ".join(value.split())


def a_flag(what: str, value: object) -> None:
    if not isinstance(value, bool):
        raise refuse(f"{what} is True or False, not {said(value)}")


def is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def a_whole(what: str, value: object, least: int, most: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise refuse(f"{what} is a whole number from {least:,} to {most:,}, not {said(value)}")


def is_ratio(value: object) -> bool:
    return is_whole(value) or isinstance(value, Fraction)


def a_ratio(what: str, value: object, least: int, most: int) -> None:
    """A whole number or a fraction: a float is never quite what it says."""
    if not isinstance(value, int | Fraction) or isinstance(value, bool) or not least <= value <= most:
        raise refuse(f"{what} is a whole number or a Fraction, {least:,} to {most:,}, not {said(value)}")


def some_dollars(what: str, value: object) -> Fraction:
    """An amount that can lie on a table: 5, "2.50" or a Fraction."""
    try:
        return dollars(what, value, CENT)
    except BadInput as error:
        raise refuse(str(error)) from None


def a_list(what: str, value: object, kind: Any, example: str, empty: bool = True) -> tuple[Any, ...]:
    """Several of a kind, as a tuple."""
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise refuse(f"{what} is a list, such as {example}, not {said(value)}")
    found = tuple(value)
    for one in found:
        if not isinstance(one, kind):
            raise refuse(f"{what} is a list such as {example}, and {said(one)} cannot stand in it")
    if not found and not empty:
        raise refuse(f"{what} is empty; write for instance {example}")
    return found


def a_mapping(what: str, value: object, example: str) -> None:
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise refuse(f"{what} goes by name, such as {example}, not {said(value)}")
