"""Where what can be made again is kept: object code and look-up tables."""

import os
from pathlib import Path


def cache_directory() -> Path:
    """$PITBOSS_CACHE, or the user's cache directory."""
    given = os.environ.get("PITBOSS_CACHE")
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(given) if given else Path(base) / "pitboss"
