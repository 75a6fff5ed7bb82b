"""What is left in a shoe, as somebody writes it."""

from pitboss.cards import JOKERS, RANKS, SUITS, BadCard, Composition, card_code, card_name
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
        if cards and cards[0] >= len(full):
            raise BadInput(f"shoe: {said(part)} is about a joker, and the deck of this game has none")
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
        for card, n in zip(cards, _even(want, [full[c] for c in cards]), strict=True):
            left[card] = n
    if not sum(left):
        raise BadInput("shoe: the shoe is empty; leave some cards in it")
    return tuple(left)


def checked_shoe(left: Composition, full: Composition) -> Composition:
    """What is left, card by card, of the cards that the game is dealt from."""
    if len(left) != len(full) or not all(isinstance(n, int) and n >= 0 for n in left):
        raise BadInput(f"a shoe is text such as 'A:20 2:24', or how many of each of the {len(full)} cards are left")
    if other := [c for c, n in enumerate(left) if n and not full[c]]:
        raise BadInput(f"shoe: {card_name(other[0])} is no card of the deck that this game is dealt from")
    return left


def shoe_of(shoe: "str | Composition", full: Composition) -> Composition:
    """What is left, as somebody wrote it or card by card."""
    if isinstance(shoe, str):
        return depleted(shoe, full)
    return checked_shoe(tuple(shoe) if isinstance(shoe, tuple | list) else (), full)


def ranks_left(left: Composition, jokers: bool) -> str:
    """`A:20 2:24`: how many are left of each rank."""
    ranks = (*RANKS, *(["joker"] if jokers else []))
    return " ".join(f"{rank}:{sum(left[4 * r : 4 * r + 4])}" for r, rank in enumerate(ranks))


def cards_left(left: Composition, full: Composition) -> str:
    """`Ah:5 Kd:3`: how many are left of each card of which some are gone."""
    return " ".join(f"{card_name(c)}:{left[c]}" for c, n in enumerate(full) if left[c] != n)


def _even(want: int, most: list[int]) -> list[int]:
    """So many cards in all, as even as can be, with no more of each than there are."""
    out = [0] * len(most)
    for _ in range(want):
        fewest = min((n, i) for i, n in enumerate(out) if n < most[i])
        out[fewest[1]] += 1
    return out


def _cards_named(name: str) -> list[int]:
    """The cards of a rank, all jokers, or one card."""
    name = name.strip().upper().replace("10", "T")
    if name in ("JOKER", "JOKERS"):
        return [*JOKERS]
    if len(name) == 1 and name in RANKS:
        return [RANKS.index(name) * 4 + s for s in range(len(SUITS))]
    try:
        return [card_code(name)]
    except BadCard:
        return []
