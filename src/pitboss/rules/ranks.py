"""Sets of ranks: as a user types them, as numbers, and as a condition on a card."""

from collections.abc import Iterable
from functools import reduce

from pitboss.cards import RANKS, TWO, runs
from pitboss.rules.column import Column, column


def ranks_of(value: object) -> tuple[int, ...]:
    """The ranks that a text names: "2-3,9-A" -> (0, 1, 7, 8, 9, 10, 11, 12); "none" -> ()."""
    text = str(value).upper().replace("10", "T").strip()
    found: set[int] = set()
    for part in text.split(",") if text != "NONE" else ():
        low, dash, high = (piece.strip() for piece in part.partition("-"))
        ends = (low, high) if dash else (low, low)
        if any(len(end) != 1 or end not in RANKS for end in ends):
            raise ValueError(f"{part.strip()!r} is not a rank or a run of ranks")
        first, last = map(RANKS.index, ends)
        if first > last:
            raise ValueError(f"{part.strip()!r} runs from high to low")
        found.update(range(first, last + 1))
    return tuple(sorted(found))


def spelled_ranks(ranks: Iterable[int]) -> str:
    """The normal form of a set, as a user would type it: (0, 1, 7, 8, 9) -> "2-3,9-J"; () -> "none"."""
    names = [name.replace("T", "10") for name in RANKS]
    parts = [names[run[0]] if len(run) == 1 else f"{names[run[0]]}-{names[run[-1]]}" for run in runs(ranks)]
    return ",".join(parts) or "none"


def low_run(value: object) -> str:
    """The low end of a set, "2-3" of "2-3,9-A": its ranks below every rank that is not in it; none if all are."""
    ranks = ranks_of(value)
    return spelled_ranks(rank for rank in ranks if rank < min({*range(len(RANKS))} - {*ranks}, default=TWO))


def among(rank: Column, value: object) -> Column:
    """Whether a card's rank is in a set of ranks: `among(his.rank, t.option("dealer-folds"))`."""
    tests = []
    for run in runs(ranks_of(value)):
        if run[0] == TWO and run[-1] >= rank.hi:
            return column(1)
        if run[0] == TWO:
            tests.append(rank <= run[-1])
        elif run[-1] >= rank.hi:
            tests.append(rank >= run[0])
        else:
            tests.append(rank == run[0] if len(run) == 1 else (rank >= run[0]) & (rank <= run[-1]))
    return reduce(Column.__or__, tests) if tests else column(0)
