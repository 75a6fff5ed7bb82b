"""The recommendation, by one stated rule: a bet is safe where even perfect play wins no more an hour than the house
tolerates, at any bet that it takes, two standard errors allowed for.

What a counter wins is convex in what he bets: proportional to it, or, where awards are in dollars, the largest of some
straight lines. So it is most at the limit or at the least bet, and between the two it lies below the chord.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor, sqrt

from pitboss.guard.records import Advice, Depth, Exact, Exposure, Gain, Terms
from pitboss.ledger.records import percent
from pitboss.rules.paytables import money


@dataclass(frozen=True)
class _Place:
    """What can be won an hour with one place of the cut card, two standard errors included."""

    cut: Fraction
    rounds: int
    ever: bool  # whether the bet was favourable at all
    at_limit: float
    at_least: float  # betting the least that is taken
    by_hand: float  # with the count, at the better of the two

    @property
    def most(self) -> float:
        return max(self.at_limit, self.at_least)


def advise(depths: Sequence[Depth], terms: Terms, least: Sequence[Depth] = ()) -> tuple[Advice, ...]:
    """One piece of advice for each number of decks. `depths` are at the limit; `least` are the same at the least bet,
    where that is not simply in proportion."""
    scale = float(terms.least / terms.limit)
    found: dict[int, list[_Place]] = {}
    for i, d in enumerate(depths):
        small = least[i] if least else None
        at_limit, by_hand = _most(d), _at_most(d.counted)
        at_least, small_hand = (_most(small), _at_most(small.counted)) if small else (at_limit * scale, by_hand * scale)
        ever = d.perfect.share > 0 or (small is not None and small.perfect.share > 0)
        place = _Place(d.cut, d.rounds, ever, at_limit, at_least, max(by_hand, small_hand))
        found.setdefault(d.decks, []).append(place)
    return tuple(_advice(decks, sorted(places, key=lambda p: p.cut), terms) for decks, places in found.items())


def _advice(decks: int, places: Sequence[_Place], terms: Terms) -> Advice:
    """`places` with the deepest first."""
    deepest, tolerated = places[0], float(terms.tolerate)
    name = many_decks(decks)
    if not any(p.ever for p in places):
        return Advice(
            decks, "never favourable", deepest.cut, None,
            f"{name}: not favourable once in {deepest.rounds:,} rounds, with {_decks(deepest.cut)} left behind the cut"
            " card or more",
        )  # fmt: skip
    bet = terms.limit if deepest.at_limit >= deepest.at_least else terms.least
    wins = f"${deepest.most:,.2f} an hour at ${money(bet)} a bet"
    if all(p.most <= tolerated for p in places):
        return Advice(
            decks, "safe", deepest.cut, None,
            f"{name}: safe with {_decks(deepest.cut)} or more behind the cut card; perfect play wins at most {wins}",
        )  # fmt: skip
    limit = min(_limit(p, terms) for p in places)
    bets = (
        f"limit the bet to ${limit:,}"
        if limit
        else f"do not offer the bet (${money(terms.least)}, the least, is too much)"
    )
    bad = [i for i, p in enumerate(places) if p.most > tolerated]
    cut = places[bad[-1] + 1].cut if bad[-1] + 1 < len(places) else None
    do = f"leave at least {_decks(cut)} behind the cut card, or {bets}" if cut is not None else bets
    behind = f"with {_decks(deepest.cut)} behind the cut card perfect play wins up to {wins}"
    by_hand = max(p.by_hand for p in places)
    if by_hand <= tolerated:
        hand = f"with the count at most ${by_hand:,.2f}" if by_hand > 0 else "no count kept by hand wins"
        sentence = f"{name}: safe from a person ({hand}); against a computer {do}: {behind}"
        return Advice(decks, "computers only", cut, limit, sentence)
    verdict = "cut" if cut is not None else "limit" if limit else "do not offer"
    return Advice(decks, verdict, cut, limit, f"{name}: {do}; {behind}, the count ${deepest.by_hand:,.2f}")


def _limit(place: _Place, terms: Terms) -> int:
    """The largest bet in whole dollars that the chord allows; 0 where even the least bet is too much."""
    tolerated, least, limit = float(terms.tolerate), float(terms.least), float(terms.limit)
    if place.at_least > tolerated:
        return 0
    if place.at_limit <= tolerated:
        return floor(limit)
    share = (tolerated - place.at_least) / (place.at_limit - place.at_least)
    found = floor(least + share * (limit - least) + 1e-9)
    return found if found >= least else 0


def also(depths: Sequence[Depth], edge: Exact, exposures: Sequence[Exposure]) -> tuple[str, ...]:
    """What to cover, and which number of decks gives a counter least."""
    out = []
    turned = [(e.what, e.edge) for e in exposures if e.edge is not None and e.edge < min(0, edge)]
    if turned:
        (what, first), *others = turned
        said = f"keep the cards covered: with {what} in sight the player has an edge of {percent(-first, 2)}"
        out.append(said + "".join(f", with {what} {percent(-edge, 2)}" for what, edge in others))
    decks = list(dict.fromkeys(d.decks for d in depths))
    common = [c for c in sorted({d.cut for d in depths}) if sum(d.cut == c for d in depths) == len(decks)]
    if len(decks) > 1 and common:
        out.append(_compared([d for d in depths if d.cut == common[0]]))
    return tuple(out)


def _compared(rows: Sequence[Depth]) -> str:
    """One row for each number of decks, with the cut card in the same place."""
    ordered = sorted(rows, key=lambda d: d.perfect.hourly)
    little, much = ordered[0], ordered[-1]
    at = f"with {_decks(little.cut)} behind the cut card"
    if much.perfect.hourly - little.perfect.hourly <= 2 * _apart(little, much):
        return f"of these, no number of decks gives a counter clearly less than another, {at}"
    alike = sorted(d.decks for d in ordered if d.perfect.hourly - little.perfect.hourly <= 2 * _apart(little, d))
    names = ", ".join(map(str, alike[:-1])) + f" or {alike[-1]}" if len(alike) > 1 else str(alike[0])
    upto = "from " if len(alike) > 1 else ""
    best = f"{names} decks give" if alike != [1] else "1 deck gives"
    most = f"{many_decks(much.decks)} most (${much.perfect.hourly:,.2f})"
    return f"of these, {best} a counter least ({upto}${little.perfect.hourly:,.2f} an hour {at}), {most}"


def _apart(a: Depth, b: Depth) -> float:
    return sqrt(a.perfect.hourly_error**2 + b.perfect.hourly_error**2)


def _most(depth: Depth) -> float:
    return max(_at_most(depth.perfect), _at_most(depth.counted))


def _at_most(gain: Gain | None) -> float:
    return 0.0 if gain is None else gain.hourly + 2 * gain.hourly_error


def many_decks(decks: int) -> str:
    return f"{decks} deck{'s' if decks > 1 else ''}"


def _decks(cut: Fraction) -> str:
    return f"{float(cut):.3g} deck{'s' if cut != 1 else ''}"
