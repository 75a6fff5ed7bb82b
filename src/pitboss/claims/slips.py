"""A small catalogue of the slips by which figures go wrong, searched for one that gives the printed figure.

A slip that explains several figures of a document is more likely than one that explains a single figure, and a plain
one is more likely than an odd one: the judge weighs them in that order.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, permutations

from pitboss.claims.figures import Figure
from pitboss.ledger.records import Outcome


@dataclass(frozen=True)
class Slip:
    """A way to get a figure wrong; the same slip on another pay table has the same words."""

    kind: str
    words: str
    order: int  # plain slips before odd ones
    plain: bool = True  # else one of so many that it counts only where it explains several figures

    @property
    def key(self) -> str:
        return f"{self.kind}: {self.words}"


def in_the_number(figure: Figure, value: Fraction) -> Iterator[Slip]:
    """A decimal point that has moved, or two digits that have changed places."""
    for places in (1, -1, 2, -2):
        if figure.rounds_to(value * Fraction(10) ** places):
            way = "right" if places > 0 else "left"
            size = "one place" if abs(places) == 1 else "two places"
            yield Slip("decimal point", f"a decimal point {size} too far to the {way}", 0)
    if value and figure.agrees(-value):
        yield Slip("sign", "a sign the other way round", 0)
    digits = list(figure.text)
    for i, j in zip(range(len(digits)), range(1, len(digits)), strict=False):
        if digits[i].isdigit() and digits[j].isdigit() and digits[i] != digits[j]:
            turned = "".join([*digits[:i], digits[j], digits[i], *digits[j + 1 :]])
            if Figure.read(turned).rounds_to(value):
                yield Slip("digits", f"two digits that have changed places: {turned}", 1)


def in_the_rows(figure: Figure, outcomes: Sequence[Outcome]) -> Iterator[Slip]:
    """Rows of the return table with a wrong sign, pay or number of ways."""
    for number in (1, 2):  # one row, then two with the same slip
        for some in combinations(range(len(outcomes)), number):
            names = " and ".join(f"“{outcomes[i].outcome}”" for i in some)
            for order, (kind, how) in enumerate(_SAME_FOR_ALL.items(), 10 * number):
                changed = [how(o) if i in some else o for i, o in enumerate(outcomes)]
                if _gives(figure, outcomes, changed):
                    yield Slip(kind, f"{names} {kind}", order, plain=number == 1)
    for i, j in permutations(range(len(outcomes)), 2):
        one, other = outcomes[i], outcomes[j]
        paid = [replace(o, pays=other.pays) if o is one else o for o in outcomes]
        if _gives(figure, outcomes, paid):
            words = f"“{one.outcome}” paid as “{other.outcome}”"
            yield Slip("paid as another", words, 15)
        counted = [replace(o, ways=other.ways, probability=other.probability) if o is one else o for o in outcomes]
        if _gives(figure, outcomes, counted):
            words = f"the ways of “{other.outcome}” taken for “{one.outcome}”"
            yield Slip("ways of another", words, 16)
    stakes = [replace(o, pays=o.pays - 1) if o.pays > 0 else o for o in outcomes]
    if _gives(figure, outcomes, stakes):
        yield Slip("for 1", "pays read as for 1, not to 1", 2)


_SAME_FOR_ALL: Mapping[str, Callable[[Outcome], Outcome]] = {
    "with the sign reversed": lambda o: replace(o, pays=-o.pays),
    "left out": lambda o: replace(o, pays=Fraction(0)),
    "counted as lost": lambda o: replace(o, pays=Fraction(-1)),
    "counted twice": lambda o: replace(o, probability=2 * o.probability),
}


def _gives(figure: Figure, before: Sequence[Outcome], after: Sequence[Outcome]) -> bool:
    """Whether the slip changes the edge, and changes it to the printed figure."""
    edge = -sum((o.returns for o in after), Fraction(0))
    return edge != -sum((o.returns for o in before), Fraction(0)) and figure.rounds_to(edge)
