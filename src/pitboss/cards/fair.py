"""The shuffle that a player can check: fixed by a secret whose hash was shown before anybody bet.

The house draws a secret and shows its SHA-256, the commitment. Players may add seeds of their own. Secret, table,
number of the shoe and seeds make a key; the key makes a stream of two-byte words; the words drive Fisher-Yates. So the
house cannot pick the cards once it knows the seeds, nobody can tell them before the secret is shown, and then everybody
can deal the shoe again: in Python here, in the browser (`web/static/fair.js`), or by hand from docs/fairness.md, which
has every byte.

Two bytes are enough for a shoe. They are few enough, too, that a word is turned away in every second shoe of eight
decks: a program that forgets to is found out by any few of them.
"""

import hashlib
import hmac
import re
import secrets
import struct
from collections.abc import Iterator, Sequence
from itertools import count
from typing import TypeVar

T = TypeVar("T")

VERSION = "pitboss-shuffle-1"
"""The first line of what a key is made of: another way to shuffle has another word."""

WORDS = 1 << 16  # values of a two-byte word, and so the most cards of one shuffle
LONGEST_SEED = 256  # bytes
MOST_SEEDS = 100
PROOF = "pitboss-proof-1"
"""The same of a proof."""
MOST_SHOES = (1 << 53) - 1  # what every program reads as a whole number
MOST_TURNS = (1 << 32) - 1

_HASH = re.compile("[0-9a-f]{64}")
_TABLE = re.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class BadShuffle(ValueError):
    """A secret, a table, a number or a seed that no shuffle is made of."""


def secret() -> str:
    """32 bytes from the operating system's cryptographic source, as 64 hex digits."""
    return secrets.token_hex(32)


def commitment(secret: str) -> str:
    """What is shown of a secret before the deal: SHA-256 of its 32 bytes."""
    return hashlib.sha256(secret_bytes(secret)).hexdigest()


def shuffle_key(secret: str, table: str, shoe: int, seeds: Sequence[str] = ()) -> bytes:
    """The key of one shoe: HMAC-SHA256 of `key_text` under the secret."""
    return hmac.digest(secret_bytes(secret), key_text(table, shoe, seeds).encode("ascii"), "sha256")


def proof_of(text: str, secret: str, table: str, shoe: int, round: int) -> str:
    """What binds the house to all of a round, hidden and burnt cards too, and tells nothing of them while its shoe
    runs: HMAC-SHA256 under a key that the secret gives for this round. A hash alone could be tried card by card."""
    lines = f"{PROOF}\ntable {table}\nshoe {shoe}\nround {round}\n"
    key = hmac.digest(secret_bytes(secret), lines.encode("ascii"), "sha256")
    return hmac.digest(key, text.encode("utf-8"), "sha256").hex()


def fair_shuffle(cards: Sequence[T], key: bytes, turn: int = 0) -> list[T]:
    """The cards in dealing order. `turn` 0 is the shoe, 1 the first shuffle of its discards, and so on."""
    if len(cards) > WORDS:
        raise BadShuffle(f"{len(cards):,} cards are too many: a shuffle has {WORDS:,} at most")
    drawn = words(key, turn)
    out = list(cards)
    for last in range(len(out) - 1, 0, -1):
        place = below(last + 1, drawn)
        out[last], out[place] = out[place], out[last]
    return out


# ---- what it is made of


def key_text(table: str, shoe: int, seeds: Sequence[str] = ()) -> str:
    """Which shoe it is, and what the players have put in: one line each, each with its line break.

    A seed is there by its hash, so that no seed can look like two, or like another line."""
    if not is_table(table):
        raise BadShuffle(f"{_said(table)} is not the id of a table: 1 to 64 letters, digits, dots, dashes and _")
    if not is_number(shoe):
        raise BadShuffle(f"{_said(shoe)} is not the number of a shoe: a whole number from 1 on")
    if isinstance(seeds, str) or len(seeds) > MOST_SEEDS:
        raise BadShuffle(f"seeds are a list of texts in the order of the seats, {MOST_SEEDS} at most")
    lines = [VERSION, f"table {table}", f"shoe {shoe}", *(f"seed {seed_hash(seed)}" for seed in seeds)]
    return "".join(f"{line}\n" for line in lines)


def seed_hash(seed: str) -> str:
    """SHA-256 of a seed as UTF-8."""
    try:
        found = seed.encode("utf-8")
    except (AttributeError, UnicodeEncodeError):
        found = b""
    if not 1 <= len(found) <= LONGEST_SEED:
        raise BadShuffle(f"{_said(seed)} is not a seed: a text of 1 to {LONGEST_SEED} bytes")
    return hashlib.sha256(found).hexdigest()


def secret_bytes(secret: str) -> bytes:
    if not is_hash(secret):
        raise BadShuffle("a secret is 32 bytes as 64 hex digits, in small letters")
    return bytes.fromhex(secret)


def words(key: bytes, turn: int = 0) -> Iterator[int]:
    """Two-byte words without end, 16 a block: HMAC-SHA256 under the key of turn and number of the block, four bytes
    each."""
    if len(key) != 32 or type(turn) is not int or not 0 <= turn <= MOST_TURNS:
        raise BadShuffle(f"a key has 32 bytes, and a turn is a whole number from 0 to {MOST_TURNS:,}")
    for block in count():
        yield from struct.unpack(">16H", hmac.digest(key, struct.pack(">II", turn, block), "sha256"))


def below(bound: int, drawn: Iterator[int]) -> int:
    """One of so many, all equally likely: words beyond the last whole multiple of the bound are turned away."""
    end = WORDS - WORDS % bound
    while (word := next(drawn)) >= end:
        pass
    return word % bound


def is_table(value: object) -> bool:
    return isinstance(value, str) and bool(_TABLE.fullmatch(value))


def is_number(value: object) -> bool:
    return type(value) is int and 1 <= value <= MOST_SHOES


def is_hash(value: object) -> bool:
    return isinstance(value, str) and bool(_HASH.fullmatch(value))


def _said(value: object) -> str:
    words = ascii(value) if isinstance(value, str | int | float | bool | None) else f"a {type(value).__name__}"
    return words if len(words) <= 40 else f"{words[:40]}..."
