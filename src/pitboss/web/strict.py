"""What comes over a socket or in a form, read strictly: short, flat, whole numbers and text, every name once."""

import json
from collections.abc import Mapping
from typing import Any, NoReturn
from urllib.parse import parse_qsl

from pitboss.rules.errors import BadInput
from pitboss.rules.numbers import whole

LONGEST = 8192  # bytes of one message
DEEPEST = 4
LARGEST = 2**53 - 1  # what every program reads as a whole number
LONGEST_ID = 64
MOST_DIGITS = 15
MOST_FIELDS = 100


def read_message(text: str) -> dict[str, Any]:
    """One command: an object with an id and what to do."""
    if len(text) > LONGEST or len(text.encode(errors="surrogatepass")) > LONGEST:
        raise BadInput(f"a message has {LONGEST:,} bytes at most")
    try:
        found = _read(text)
        if not text.isascii() or "\\u" in text:
            _spell(found).encode()  # half a character is no text
    except BadInput:
        raise
    except (ValueError, RecursionError, UnicodeError):
        raise BadInput('a message is JSON, such as {"id": "x1", "do": "bet", ...}') from None
    if not isinstance(found, dict):
        raise BadInput('a message is an object, such as {"id": "x1", "do": "bet", ...}')
    if _depth(found) > DEEPEST:
        raise BadInput(f"a message is nested {DEEPEST} deep at most")
    return found


def id_of(message: Mapping[str, Any]) -> str:
    """The sender's own id of a command."""
    found = message.get("id")
    if not isinstance(found, str) or not 0 < len(found) <= LONGEST_ID or not found.isascii() or not found.isprintable():
        raise BadInput(f"id: 1 to {LONGEST_ID} letters and digits, another for every command")
    return found


def number_in(text: str) -> int | None:
    """A whole number of an address or a form, as far as every program reads it; None where it is none."""
    return whole("a number", text) if len(text) <= MOST_DIGITS and text.isascii() and text.isdecimal() else None


def read_form(body: bytes) -> dict[str, str]:
    """The fields of a form; every name once."""
    try:
        pairs = parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict")
    except ValueError:
        raise BadInput("this form cannot be read") from None
    out = dict(pairs)
    if len(out) != len(pairs):
        raise BadInput("this form names a field twice")
    return out


def _odd(text: str) -> NoReturn:
    raise BadInput(f'amounts are whole numbers, or text such as "12.50", not {text[:20]}')


def _whole(text: str) -> int:
    try:
        return whole("a number", text[:20], -LARGEST, LARGEST)
    except BadInput:
        raise BadInput(f"a whole number is {LARGEST:,} at most") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        raise BadInput("a message names every field once")
    return out


def _depth(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + max(map(_depth, value.values()), default=0)
    return 1 + max(map(_depth, value), default=0) if isinstance(value, list) else 0


_read = json.JSONDecoder(
    parse_constant=_odd, parse_float=_odd, parse_int=_whole, object_pairs_hook=_once
).decode  # fmt: skip
_spell = json.JSONEncoder(ensure_ascii=False).encode
