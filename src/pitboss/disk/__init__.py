"""Files that are whole or not there: written in one step, locked while in use, kept where they can be trusted."""

from pitboss.disk.cache import cache_directory, keep, recall
from pitboss.disk.whole import InUse, locked, write_whole

__all__ = ["InUse", "cache_directory", "keep", "locked", "recall", "write_whole"]
