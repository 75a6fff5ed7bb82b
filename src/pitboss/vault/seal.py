"""The chain: every event is hashed together with the hash of the one before it.

The hash is SHA-256 of the canonical JSON array [seq, at, of, action, table, kind, body, moves, prev], where prev is the
hash before in hexadecimal: anybody can compute it again from an export, with nothing of pitboss at hand.
"""

import hashlib
import json

START = bytes(32)
"""What the first event follows."""

Head = tuple[int, bytes]
"""The number and the hash of the last event."""
_encode = json.JSONEncoder(check_circular=False, separators=(",", ":")).encode


def sealed(seq: int, at: str, of: str, action: str, table: str, kind: str, body: str, moves: str, prev: bytes) -> bytes:
    """The hash of an event, whose body and moves are given as the canonical text that they are kept as."""
    front = _encode([seq, at, of, action, table, kind])[:-1]
    return hashlib.sha256(f'{front},{body},{moves},"{prev.hex()}"]'.encode()).digest()
