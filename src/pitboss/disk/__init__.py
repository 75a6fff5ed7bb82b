"""Files that are whole or not there: written in one step, locked while in use, kept where they can be trusted."""

from pitboss.disk.cache import NotKept, cache_directory, keep, recall
from pitboss.disk.whole import InUse, can_write, locked, read_whole, write_whole

__all__ = [
    "InUse", "NotKept", "cache_directory", "can_write", "keep", "locked", "read_whole", "recall", "write_whole",
]  # fmt: skip
