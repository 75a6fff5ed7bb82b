"""What a floor does when something goes wrong: the usual rule of each case, unless the game file has its own."""

from pitboss.rules.called import wagers_called
from pitboss.rules.graph import BLIND, DEALER, DOWN, PLAYER, Deal, Graph
from pitboss.rules.house import House


def irregularities(house: House, graph: Graph) -> dict[str, str]:
    """Case -> what is done. A game file's own words replace the usual ones, or add a case."""
    return _usual(house, graph) | dict(house.game.irregular)


def _usual(house: House, graph: Graph) -> dict[str, str]:
    deals = [e for n in graph.nodes for e in n.events if isinstance(e, Deal)]
    hidden = any(e.who != PLAYER and e.face in (DOWN, BLIND) for e in deals)
    own = any(e.who == PLAYER and e.face == DOWN for e in deals)
    shoe = "decks" in house.options
    house_card = (
        "A card of the house that shows before its time makes the round a misdeal, if a player has still to decide. "
        if hidden and any(graph.decisions())
        else "A card of the house that shows before its time stays as it lies. "
        if hidden
        else ""
    )
    players = "A player's card that shows is played as it lies." if own else "Cards lie face up, and are played so."
    out = {
        "exposed card": house_card + players,
        "too few cards": "A hand that is short gets its missing cards next, if nobody has decided anything. Otherwise "
        "that hand is dead, and its bets go back.",
        "too many cards": "The last card is taken back, if it was not looked at and nobody has decided anything. "
        "Otherwise that hand is dead, and its bets go back.",
        "misdeal": "All bets go back, jackpot bets included. The cards are collected, and the round is dealt anew.",
        "late bet": "A bet that is placed or changed after the first card does not count: it goes back, win or lose.",
        "dealer's error": "A wrong payment is corrected before the next round's first card. Call the floor; "
        "cards are set back in the order in which they were dealt.",
        "player leaves": "His bets stay. What is settled stands, the rest is forfeited, and his hand is dead.",
    }
    if any(e.who == DEALER for e in deals):
        out["dealer's hand fouled"] = "All bets that are not settled go back."
    if shoe:
        out["shoe runs out"] = "Shuffle the discards, and finish the round from them."
    pots = list(dict.fromkeys(name for end in graph.ends() for name in end.shares))
    if pots:
        out["player leaves"] += f" His {wagers_called(house, pots)} stays in the pot."
    return out
