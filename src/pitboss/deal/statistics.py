"""How far a sample is from an exact distribution."""

from math import erfc, exp, inf, lgamma, log, sqrt


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
