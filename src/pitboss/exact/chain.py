"""The long run of a small Markov chain, in fractions."""

from fractions import Fraction

from pitboss.rules.errors import BadInput


def stationary(moves: list[list[Fraction]]) -> list[Fraction]:
    """The share of rounds that start in each state, from state 0 on; moves[i][j] is the chance to go from i to j.

    Solves pi = pi * moves with sum(pi) = 1 by elimination. States that state 0 never reaches get nothing.
    """
    reached = [0]
    for s in reached:
        reached.extend(j for j, p in enumerate(moves[s]) if p and j not in reached)
    n = len(reached)
    rows = [[moves[reached[j]][reached[i]] - (i == j) for j in range(n)] + [Fraction(0)] for i in range(n)]
    rows[-1] = [Fraction(1)] * n + [Fraction(1)]
    for i in range(n):
        pivot = next((r for r in range(i, n) if rows[r][i]), None)
        if pivot is None:
            raise BadInput("the carried values fall into parts that never meet, so there is no one long run")
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for r in range(n):
            if r != i and rows[r][i]:
                rows[r] = [a - rows[r][i] * b for a, b in zip(rows[r], rows[i], strict=True)]
    out = [Fraction(0)] * len(moves)
    for k, s in enumerate(reached):
        out[s] = rows[k][-1]
    return out
