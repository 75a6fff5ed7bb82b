"""What is left in a shoe, as somebody writes it."""

from pitboss.cards import RANKS, SUITS, Composition
from pitboss.rules.errors import BadInput, said
from pitboss.rules.numbers import whole


def depleted(text: str, full: Composition) -> Composition:
    """A shoe from which cards are gone: "A:20 2:24 Kh:3" says how many are left of a rank, or of one card; what is not
    named is complete. Where only the rank is given, its suits are as even as they can be."""
    left, told = list(full), set[int]()
    parts = text.replace(",", " ").split()
    if not parts:
        raise BadInput(f"shoe: {said(text)} says nothing of the cards that are left; write for instance A:20 or Ah:5")
    for part in parts:
        name, sign, count = part.partition(":")
        cards = _cards_named(name)
        if told.intersection(cards):
            raise BadInput(f"shoe: {said(part)} comes second: how many are left of {name} was said already")
        told.update(cards)
        if not sign or not count or not cards:
            raise BadInput(
                f"shoe: {said(part)} does not say how many cards are left; "
                "write a rank or a card and a number, A:20 or Ah:5"
            )
        most, want = sum(full[c] for c in cards), whole(f"shoe: {name}", count, 0)
        if want > most:
            raise BadInput(f"shoe: the shoe cannot hold {want:,} of {name}: full, it has {most}")
        even = [want // len(cards) + (i < want % len(cards)) for i in range(len(cards))]
        for card, n in zip(cards, even, strict=True):
            left[card] = n
    if not sum(left):
        raise BadInput("shoe: the shoe is empty; leave some cards in it")
    return tuple(left)


def _cards_named(name: str) -> list[int]:
    name = name.strip().upper().replace("10", "T")
    if len(name) == 2 and name[0] in RANKS and name[1].lower() in SUITS:
        return [RANKS.index(name[0]) * 4 + SUITS.index(name[1].lower())]
    return [RANKS.index(name) * 4 + s for s in range(4)] if len(name) == 1 and name in RANKS else []
