"""How far a sample is from an exact distribution."""

from collections.abc import Sequence
from math import erfc, exp, inf, lgamma, log, sqrt

import numpy as np

FARTHEST = 1000.0  # standard errors: of a mean that cannot be


def normal_tail(z: float) -> float:
    """Two-sided: the chance of a distance of |z| standard errors or more."""
    return erfc(abs(z) / sqrt(2))


def chi_square(counts: list[int], expected: list[float]) -> tuple[float, int]:
    """Pearson's statistic and its degrees of freedom; cells that expect fewer than five are counted as one."""
    if any(c and not e for c, e in zip(counts, expected, strict=True)):
        return inf, max(len(counts) - 1, 1)  # what cannot happen has happened
    rare = [(c, e) for c, e in zip(counts, expected, strict=True) if e < 5]
    cells = [(c, e) for c, e in zip(counts, expected, strict=True) if e >= 5]
    if rare:
        cells.append((sum(c for c, _ in rare), sum(e for _, e in rare)))
    statistic = sum((c - e) ** 2 / e for c, e in cells if e > 0)
    return statistic, max(len([e for _, e in cells if e > 0]) - 1, 0)


def chi_square_tail(x: float, degrees: int) -> float:
    """The chance of a statistic of x or more: the upper regularised gamma function Q(k/2, x/2)."""
    if degrees == 0 or x <= 0:
        return 1.0
    if x == inf:
        return 0.0
    a, y = degrees / 2, x / 2
    scale = exp(-y + a * log(y) - lgamma(a))
    if y < a + 1:  # the series of the lower function
        term = total = 1 / a
        n = a
        while abs(term) > abs(total) * 1e-15:
            n += 1
            term *= y / n
            total += term
        return max(0.0, 1 - total * scale)
    b, c = y + 1 - a, 1e300  # Lentz's continued fraction of the upper function
    d = h = 1 / b
    for i in range(1, 1000):
        b += 2
        d = 1 / (-i * (i - a) * d + b)
        c = b + -i * (i - a) / c
        h *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return scale * h


def standard_errors(law: Sequence[tuple[float, float]], mean: float, hands: float) -> float:
    """How far a sample's mean is from its law, of (probability, value): in standard errors, as chance sees it.

    Of a law like the normal one that is what it says. A jackpot that comes up once in a million hands makes a law that
    is not like it, and a sample without one knows nothing of how far its mean can stray. So it is the distance at which
    a normal law would be as unlikely, by the exponent of its tail: the root of twice the hands times Cramer's rate.
    """
    chances = np.array([p for p, _ in law], float)
    away = np.array([x for _, x in law], float) - mean
    expected = float(chances @ away)
    sign = -1.0 if expected > 0 else 1.0
    if not away.min() < 0 < away.max():  # at an end of what is possible, or beyond
        at = float(chances[np.abs(away) <= 1e-12 * max(1.0, abs(mean))].sum())
        return sign * min(FARTHEST, sqrt(-2 * hands * log(at))) if at > 0 else sign * FARTHEST

    def tilted(t: float) -> tuple[float, float]:
        """The logarithm of the mean of exp(t * away), and whether it falls or rises there."""
        top = max(0.0, float((t * away).max()))
        weights = chances * np.exp(t * away - top)
        return top + log(float(weights.sum())), float(weights @ away)

    near, far = 0.0, sign / float(np.abs(away).max())
    while tilted(far)[1] * sign < 0:
        near, far = far, 2 * far
    for _ in range(80):
        middle = (near + far) / 2
        near, far = (middle, far) if tilted(middle)[1] * sign < 0 else (near, middle)
    return sign * min(FARTHEST, sqrt(max(0.0, -2 * hands * tilted(far)[0])))
