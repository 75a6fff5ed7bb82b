"""How much work was done: traces, counts, positions. Tests hold it against what a command should need."""

from collections import Counter

EFFORT: Counter[str] = Counter()


def spent(what: str, times: int = 1) -> None:
    EFFORT[what] += times
