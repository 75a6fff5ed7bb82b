"""Where what can be made again is kept: object code, look-up tables, long counts. A damaged file is made again."""

import hashlib
import os
import tempfile
from pathlib import Path

_FORMAT = b"pitboss cache 1\n"


def cache_directory() -> Path:
    """$PITBOSS_CACHE, or the user's cache directory."""
    given = os.environ.get("PITBOSS_CACHE")
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(given) if given else Path(base) / "pitboss"


def recall(name: str) -> bytes | None:
    """What was kept under this name, if it is there and whole."""
    try:
        raw = (cache_directory() / name).read_bytes()
    except OSError:
        return None
    head, data = raw[: len(_FORMAT) + 32], raw[len(_FORMAT) + 32 :]
    return data if head == _FORMAT + hashlib.sha256(data).digest() else None


def keep(name: str, data: bytes) -> None:
    """Atomic, so that a reader never sees half a file; a cache that cannot be written is no reason to stop."""
    path = cache_directory() / name
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as f:
            f.write(_FORMAT + hashlib.sha256(data).digest() + data)
        os.replace(f.name, path)
    except OSError:
        pass
