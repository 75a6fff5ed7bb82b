"""What a glimpse is worth: the same game counted again with a hidden card, or a neighbour's cards, in sight."""

from collections.abc import Iterator
from fractions import Fraction

from pitboss.exact import Book, Solver, TooLarge
from pitboss.exact.exposed import Hidden, deals_seen, flashed_house, hidden_deals, neighbour_house, own_cards
from pitboss.protect.records import Exposure
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.graph import BOARD
from pitboss.rules.trace import trace

MOST_SEEN = 60_000_000  # deals that the player can tell apart at a decision: more take minutes to list
NUMBERS = ("", "first", "second", "third", "fourth", "fifth")


def exposures(house: House, wager: str) -> tuple[Exposure, ...]:
    """Every face-down card of the dealer and the board that lies there at the first decision, and a neighbour's hand.
    Nothing where the wager cannot be changed after the cards are out."""
    if trace(house).open_ended:
        if wager not in house.main:
            return ()
        return (_drawn(house),)
    if wager not in Book(house).decided or not any(trace(house).decisions()):
        return ()
    return tuple(_counted(what, other, wager) for what, other in _glimpses(house, wager))


def _drawn(house: House) -> Exposure:
    """The main bet on hands of any number of cards."""
    from pitboss.exact.drawing import Drawing

    what = "the dealer's hidden card"
    try:
        return Exposure(what, Drawing(house).seen_edge, None)
    except BadInput as error:
        return Exposure(what, None, None, str(error).replace("; simulate this game instead", ""))


def _glimpses(house: House, wager: str) -> Iterator[tuple[str, House]]:
    deals = hidden_deals(house)
    for hidden in deals:
        alone = sum(h.who == hidden.who for h in deals) == 1
        for seen in range(1, hidden.cards + 1):
            yield _words(hidden, seen, alone), flashed_house(house, wager, hidden, seen)
    own = own_cards(house)
    for seen in sorted({1, own} if own else ()):
        whole = "card" if own == 1 else f"{own} cards" if seen == own else f"card of {own}"
        yield f"a neighbour's {whole}", neighbour_house(house, wager, seen)


def _words(hidden: Hidden, seen: int, alone: bool) -> str:
    owner = "the board's" if hidden.who == BOARD else f"the {hidden.who}'s"
    if hidden.cards > 1:
        return f"{seen} of {owner} {hidden.cards} cards"
    return f"{owner} hidden card" if alone else f"{owner} {NUMBERS[min(hidden.number, 5)]} card"


def _counted(what: str, house: House, wager: str) -> Exposure:
    try:
        many = deals_seen(house)
        if many > MOST_SEEN:
            raise TooLarge(f"too many deals: the player would tell {many:,} apart")
        found = Solver(house).wager_result(wager)
    except BadInput as error:  # too large in one way or another
        text = str(error).replace("; simulate it instead", "")
        return Exposure(what, None, None, text if text.startswith("too many") else f"too many deals: {text}")
    return Exposure(what, Fraction(found.house_edge), found.ways)
