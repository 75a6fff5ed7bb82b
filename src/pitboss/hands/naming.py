"""Poker hands in words: a strength as the weakest hand that reaches it, as a player would say it."""

from functools import cache

from pitboss.hands.categories import Score, ladder

RANK_WORDS = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace",
)  # fmt: skip
KINDS = {
    2: ("high cards", "a pair"),
    3: ("high cards", "a pair", "a flush", "a straight", "three of a kind", "a straight flush"),
    4: ("high cards", "a pair", "two pair", "a straight", "a flush", "three of a kind", "a straight flush",
        "four of a kind"),
    5: ("high cards", "a pair", "two pair", "three of a kind", "a straight", "a flush", "a full house",
        "four of a kind", "a straight flush"),
}  # fmt: skip


def a_rank(rank: int) -> str:
    """`a jack`, `an ace`."""
    return f"{'an' if rank in (6, 12) else 'a'} {RANK_WORDS[rank]}"


def ranks_of_a_kind(rank: int) -> str:
    """`tens`, `sixes`."""
    return f"{RANK_WORDS[rank]}{'es' if rank == 4 else 's'}"


@cache
def scores(cards: int) -> dict[int, Score]:
    """Strength -> what it is made of, for hands of so many cards; the best five of more are hands of five. Nothing for
    a number of cards that is not ranked here."""
    if cards < 2:
        return {}
    return {strength: score for score, strength in ladder(min(cards, 5)).items()}


def at_least(strength: int, below: int | None, cards: int) -> tuple[str, int]:
    """A floor in words, and how many cards have to be named for it: `queen-six-four or better`. `below` is the next
    weaker hand that there is, so that no more is said than tells the two apart."""
    known = scores(cards)
    score, other = known.get(strength), known.get(below if below is not None else -1)
    if score is None:
        return f"a hand of strength {strength} or better", 9
    told = 1
    while other is not None and told < len(score) and other[:told] == score[:told]:
        told += 1
    return f"{_words(score[:told], min(cards, 5))} or better", told - 1


def spoken(strength: int, cards: int) -> str:
    """The hands of one strength, with all ranks that break a tie; nothing where there are none."""
    score = scores(cards).get(strength)
    return "" if score is None else _words(score, min(cards, 5))


def _words(score: Score, cards: int) -> str:
    kind = KINDS[cards][score[0] - 1]
    if len(score) == 1:
        return kind
    first, rest = score[1], [RANK_WORDS[r] for r in score[2:]]
    beside = f" with {'-'.join(rest)}" if rest else ""
    if kind == "high cards":
        return "-".join([RANK_WORDS[first], *rest]) if rest else f"{RANK_WORDS[first]} high"
    if kind == "a pair":
        return f"a pair of {ranks_of_a_kind(first)}{beside}"
    if kind == "two pair":
        lower = f" and {ranks_of_a_kind(score[2])}" if len(score) > 2 else " up"
        return f"two pair, {ranks_of_a_kind(first)}{lower}" + (f" with {rest[1]}" if len(rest) > 1 else "")
    if kind == "a full house":
        return ranks_of_a_kind(first) + (f" full of {ranks_of_a_kind(score[2])}" if rest else " full")
    if kind in ("three of a kind", "four of a kind"):
        return f"{kind.split()[0]} {ranks_of_a_kind(first)}{beside}"
    high = f"{a_rank(first)}-high {kind.removeprefix('a ')}"
    return f"a flush of {'-'.join([RANK_WORDS[first], *rest])}" if rest else high
