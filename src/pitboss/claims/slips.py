"""A small catalogue of the slips by which figures go wrong, searched for one that gives the printed figure.

A slip that explains several figures of a document is more likely than one that explains a single figure, and a plain
one is more likely than an odd one: the judge weighs them in that order.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
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
    edge, rows = -sum((o.returns for o in outcomes), Fraction(0)), range(len(outcomes))

    def gives(loss: Fraction) -> bool:
        """Whether what a slip takes from the player changes the edge, and changes it to the printed figure."""
        return loss != 0 and figure.rounds_to(edge + loss)

    losses = {kind: [o.returns - how(o) for o in outcomes] for kind, how in _SAME_FOR_ALL.items()}
    for number in (1, 2):  # one row, then two with the same slip
        for some in combinations(rows, number):
            names = " and ".join(f"“{outcomes[i].outcome}”" for i in some)
            for order, (kind, each) in enumerate(losses.items(), 10 * number):
                if gives(sum((each[i] for i in some), Fraction(0))):
                    yield Slip(kind, f"{names} {kind}", order, plain=number == 1)
    for i, j in permutations(rows, 2):
        one, other = outcomes[i], outcomes[j]
        if gives(one.probability * (one.pays - other.pays)):
            words = f"“{one.outcome}” paid as “{other.outcome}”"
            yield Slip("paid as another", words, 15)
        if gives((one.probability - other.probability) * one.pays):
            words = f"the ways of “{other.outcome}” taken for “{one.outcome}”"
            yield Slip("ways of another", words, 16)
    if gives(sum((o.probability for o in outcomes if o.pays > 0), Fraction(0))):
        yield Slip("for 1", "pays read as for 1, not to 1", 2)


_SAME_FOR_ALL: Mapping[str, Callable[[Outcome], Fraction]] = {
    "with the sign reversed": lambda o: -o.returns,
    "left out": lambda o: Fraction(0),
    "counted as lost": lambda o: -o.probability,
    "counted twice": lambda o: 2 * o.returns,
}
"""What a row brings by the slip."""
