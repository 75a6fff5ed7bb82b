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
    return round(ratio("cut_card", house.game.cut_card) * 52)


def fitting(cards: int, need: int) -> str:
    """Which places of the cut card, in decks, leave `need` cards behind it and one to deal: `0.46 to 0.99`, each to the
    nearest card."""
    near = Fraction(49, 100)
    least, most = ceil(100 * (need - near) / 52), floor(100 * (cards - 1 + near) / 52)
    return f"{least / 100:.2f} to {most / 100:.2f}" if least <= most else ""
