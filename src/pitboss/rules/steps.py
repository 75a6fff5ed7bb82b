"""The steps of a dealer's sheet, as a record: what is done, in order, and what it is at a live table."""

from collections.abc import Iterator
from dataclasses import dataclass

Does = tuple[str, ...]
"""What a step is at a live table: `("deal", "dealer")`, `("settle", "ante")`; nothing for a heading or a reminder."""


@dataclass(frozen=True)
class Step:
    """One step: a sentence, and what stands under it."""

    text: str
    does: tuple[Does, ...] = ()
    steps: tuple["Step", ...] = ()
    number: int = 0  # of a step that stands under nothing

    def walk(self, depth: int = 0) -> Iterator[tuple[int, "Step"]]:
        """This step and all under it, with how deep they stand."""
        yield depth, self
        for step in self.steps:
            yield from step.walk(depth + 1)


@dataclass(frozen=True)
class Section:
    """A part of the procedure: the deal, the players, settlement."""

    title: str
    steps: tuple[Step, ...]


Procedure = tuple[Section, ...]


def lines(procedure: Procedure) -> list[tuple[int, str]]:
    """Every sentence of a procedure, with how deep it stands."""
    return [(depth, step.text) for part in procedure for top in part.steps for depth, step in top.walk()]
