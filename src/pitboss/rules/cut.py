"""Where the cut card lies: the one rule for a shoe of which nobody has said it."""

from fractions import Fraction
from math import ceil, floor

from pitboss.rules.house import House
from pitboss.rules.numbers import ratio


def usual_behind(house: House, need: int) -> int:
    """Cards behind the cut card: as the game has it, but no more than half of the shoe, and no fewer than the `need`
    of a round. All of them where the shoe is shuffled for every round: a game of one deck, or no room for two rounds.
    """
    cards = sum(house.composition)
    if "decks" not in house.options:
        return cards
    return min(cards, max(need, min(own_behind(house), cards // 2)))


def own_behind(house: House) -> int:
    """Cards behind the cut card as the game file has it, whatever the shoe."""
    return behind(house, ratio("cut_card", house.game.cut_card))


def behind(house: House, cut: Fraction) -> int:
    """The cards of so many decks."""
    return round(cut * len(house.deck))


def fitting(house: House, need: int) -> str:
    """Which places of the cut card, in decks, leave `need` cards behind it and one to deal: `0.46 to 0.99`, each to the
    nearest card."""
    near, deck, cards = Fraction(49, 100), len(house.deck), sum(house.composition)
    least, most = ceil(100 * (need - near) / deck), floor(100 * (cards - 1 + near) / deck)
    return f"{least / 100:.2f} to {most / 100:.2f}" if least <= most else ""
