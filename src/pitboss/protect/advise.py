"""The recommendation, by one stated rule: a bet is safe where even perfect play wins no more an hour than the house
tolerates, at the limit, two standard errors allowed for."""

from collections.abc import Sequence
from fractions import Fraction
from math import floor

from pitboss.protect.records import Advice, Depth, Gain, Terms
from pitboss.rules.paytables import money


def advise(depths: Sequence[Depth], terms: Terms) -> tuple[Advice, ...]:
    """One piece of advice for each number of decks."""
    return tuple(
        _advice(decks, sorted((d for d in depths if d.decks == decks), key=lambda d: d.cut), terms)
        for decks in dict.fromkeys(d.decks for d in depths)
    )


def _advice(decks: int, depths: Sequence[Depth], terms: Terms) -> Advice:
    """`depths` with the deepest first."""
    deepest = depths[0]
    most = _at_most(deepest.perfect)
    name = f"{decks} deck{'s' if decks > 1 else ''}"
    if not any(d.perfect.share > 0 for d in depths):
        return Advice(
            decks, "never favourable", deepest.cut, None,
            f"{name}: not favourable once in {deepest.rounds:,} rounds, with {_decks(deepest.cut)} left behind the cut"
            " card or more",
        )  # fmt: skip
    tolerated = float(terms.tolerate)
    if all(_at_most(d.perfect) <= tolerated for d in depths):
        return Advice(
            decks, "safe", deepest.cut, None,
            f"{name}: safe with {_decks(deepest.cut)} or more behind the cut card; perfect play wins at most"
            f" ${most:,.2f} an hour at ${money(terms.limit)} a bet",
        )  # fmt: skip
    limit = floor(tolerated / most * float(terms.limit))
    bets = f"limit the bet to ${limit:,}" if limit else "do not offer the bet"
    bad = [i for i, d in enumerate(depths) if _at_most(d.perfect) > tolerated]
    cut = depths[bad[-1] + 1].cut if bad[-1] + 1 < len(depths) else None
    do = f"leave at least {_decks(cut)} behind the cut card, or {bets}" if cut is not None else bets
    wins = f"perfect play wins up to ${most:,.2f} an hour at ${money(terms.limit)} a bet"
    by_hand = max((_at_most(d.counted) for d in depths if d.counted is not None), default=0.0)
    if by_hand <= tolerated:
        hand = f"with the count at most ${by_hand:,.2f}" if by_hand > 0 else "no count kept by hand wins"
        return Advice(
            decks, "computers only", cut, limit,
            f"{name}: safe from a person ({hand}); against a computer {do}: with {_decks(deepest.cut)} behind the cut"
            f" card {wins}",
        )  # fmt: skip
    return Advice(
        decks, "cut" if cut is not None else "limit", cut, limit,
        f"{name}: {do}; with {_decks(deepest.cut)} behind the cut card {wins}, the count ${by_hand:,.2f}",
    )  # fmt: skip


def _at_most(gain: Gain) -> float:
    return gain.hourly + 2 * gain.hourly_error


def _decks(cut: Fraction) -> str:
    return f"{float(cut):.3g} deck{'s' if cut != 1 else ''}"
