"""Players who do not play as well as they could: what their mistakes bring the house, beside the counted round.

A mistake costs a player one bet, on so many of his hands as he gives away by mistakes in all. So the average is the one
that was asked for, and mistakes add to the spread as a real one would: now and then a whole bet.
"""

from fractions import Fraction
from math import comb

import numpy as np

from pitboss.earn.lattice import Chain, Chances, Sampled, unit_of


def made(seats: int, share: Fraction, bet: Fraction) -> dict[Fraction, Fraction]:
    """Dollars -> probability: what the mistakes of all seats bring in a round."""
    return {n * bet: comb(seats, n) * share**n * (1 - share) ** (seats - n) for n in range(seats + 1)}


def variance(share: Fraction, bet: Fraction) -> Fraction:
    """Of the mistakes of one seat in a round."""
    return bet**2 * share * (1 - share)


def beside(result: Chain | Sampled, seats: int, share: Fraction, bet: Fraction) -> Chain | Sampled:
    """A round with the mistakes that are made in it, whatever the cards are."""
    if not share:
        return result
    more = made(seats, share, bet)
    if isinstance(result, Chain):
        moves = {move: _sums(chances, more) for move, chances in result.moves.items()}
        return Chain(result.share, moves)
    unit = unit_of([result.unit, bet])
    places = np.add.outer(result.places * int(result.unit / unit), [int(won / unit) for won in more])
    weights = np.multiply.outer(result.weights, [float(p) for p in more.values()])
    there, at = np.unique(places.ravel(), return_inverse=True)
    summed = np.asarray(np.bincount(at.ravel(), weights.ravel()), np.float64)
    return Sampled(unit, there, summed, result.serial)


def _sums(chances: Chances, more: Chances) -> dict[Fraction, Fraction]:
    out: dict[Fraction, Fraction] = {}
    for won, p in chances.items():
        for extra, q in more.items():
            out[won + extra] = out.get(won + extra, Fraction(0)) + p * q
    return out
