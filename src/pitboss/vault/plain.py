"""Plain JSON, written in one way: what is hashed must read the same on every machine, and in a browser too."""

import json
from collections.abc import Mapping
from typing import Any

from pitboss.rules.errors import BadInput

LONGEST = 1 << 20  # characters of one text
DEEPEST = 32
LARGEST = 2**53 - 1  # the largest whole number that every reader of JSON reads exactly
LONGEST_NAME = 200


_encode = json.JSONEncoder(check_circular=False, sort_keys=True, separators=(",", ":")).encode


def canonical(value: Any, what: str) -> str:
    """The one text of a value: keys sorted by code point, no spaces, ASCII; a sentence where the value is not plain."""
    return spelled(plain(value, what), what)


def spelled(value: Any, what: str) -> str:
    """The same of a value that is known to be plain."""
    text = _encode(value)
    if len(text) > LONGEST:
        raise BadInput(f"{what} has {len(text):,} characters; at most {LONGEST:,} are kept")
    return text


def object_of(text: str) -> dict[str, Any] | None:
    """The object that is written in a text; None where there is none."""
    try:
        read = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return None
    return read if isinstance(read, dict) else None


def plain(value: Any, what: str, depth: int = 0) -> Any:
    """A copy that holds dicts, lists, text, whole numbers, booleans and None alone."""
    if value is None or value is True or value is False:
        return value
    if isinstance(value, str):
        return value if value.isascii() else text_of(value, what)
    if isinstance(value, int):
        if abs(value) > LARGEST:
            raise BadInput(f"{what} holds a number beyond {LARGEST:,}; larger ones are written as text")
        return int(value)
    if depth == DEEPEST:
        raise BadInput(f"{what} is nested more than {DEEPEST} deep")
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value):
            raise BadInput(f"{what} has a key that is not text")
        return {text_of(key, what): plain(item, what, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item, what, depth + 1) for item in value]
    raise BadInput(f"{what} holds a {type(value).__name__}; text, whole numbers, booleans, lists and objects are kept")


def text_of(value: object, what: str) -> str:
    """Text that can be written as UTF-8 and kept by either database."""
    if not isinstance(value, str):
        raise BadInput(f"{what} is text, not a {type(value).__name__}")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise BadInput(f"{what} holds half a character, which is no text") from None
    return value


def name_of(value: object, what: str) -> str:
    """A name: of a table, an account, an action."""
    name = text_of(value, what)
    if not (0 < len(name) <= LONGEST_NAME and name.isprintable()):
        raise BadInput(f"{what} is 1 to {LONGEST_NAME} printable characters, not {name[:40]!r}")
    return name


def cents_of(value: object, what: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadInput(f"{what} is a whole number of cents, not {str(value)[:40]!r}")
    if abs(value) > LARGEST:
        raise BadInput(f"{what} is at most {LARGEST:,} cents")
    return value
