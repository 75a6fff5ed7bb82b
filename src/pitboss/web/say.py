"""What is said at the table while a round goes on: every event that a viewer may know of, as one sentence, in order."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pitboss.live.view import BACK
from pitboss.live.words import card_words, does, enumerated, is_order
from pitboss.rules.called import cards_word, place_called, wager_called
from pitboss.rules.graph import BOARD, DEALER, PLAYER
from pitboss.rules.house import House
from pitboss.rules.numbers import written
from pitboss.rules.paytables import money

Event = Mapping[str, Any]
Why = Mapping[tuple[int, str], str]  # seat, wager -> who held what


@dataclass(frozen=True)
class Ears:
    """Who listens: the names of the seats, and which of them are his own."""

    house: House
    names: Mapping[int, str]
    own: tuple[int, ...] = ()

    def who(self, seat: int) -> str:
        if seat not in self.own:
            return self.names.get(seat, f"seat {seat}")
        return "you" if len(self.own) == 1 else f"your seat {seat}"

    def whose(self, seat: int) -> str:
        who = self.who(seat)
        return "your" if who == "you" else f"{who}'{'' if who.endswith('s') else 's'}"

    def wager(self, name: str) -> str:
        return wager_called(self.house, name)

    def place(self, place: str) -> str:
        return place_called(self.house, place)


def told(events: Iterable[Event], ears: Ears, why: Why) -> list[str]:
    """One sentence for each event that there is something to say of."""
    return [text for text in each(events, ears, why) if text]


def each(events: Iterable[Event], ears: Ears, why: Why) -> list[str]:
    """A sentence for each event, empty where there is nothing to say of it."""
    found = (_said(event, ears, why) for event in events)
    return [sentence(text) if text else "" for text in found]


def sentence(text: str) -> str:
    """`dealer folds` -> `Dealer folds.`"""
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "!", "?")) else ".")


def won(net: Fraction) -> str:
    """`wins $10`, `loses $5`, `is a push`."""
    return f"wins ${money(net)}" if net > 0 else f"loses ${money(-net)}" if net < 0 else "is a push"


def _said(event: Event, ears: Ears, why: Why) -> str:
    kind = event["event"]
    told = _SAID.get(kind)
    return told(event, ears, why) if told is not None else ""


def _deal(event: Event, ears: Ears, why: Why) -> str:
    to, cards = event["to"], event["cards"]
    if to == PLAYER:
        who = ears.who(event["seat"])
        verb = "are" if who == "you" else "is"
        hand = f" on hand {event['hand']}" if event.get("hand", 1) > 1 else ""
        return f"{who} {verb} dealt {_cards(cards)}{hand}"
    if to == BOARD:
        return f"on the {ears.place(BOARD)}: {_cards(cards)}"
    return f"the {ears.place(to)} gets {_cards(cards)}"


def _reveal(event: Event, ears: Ears, why: Why) -> str:
    cards, whose = event["cards"], event["who"]
    if BACK in cards and set(cards) == {BACK}:
        return ""
    if whose == PLAYER:
        who = ears.who(event["seat"])
        return f"{who} {'show' if who == 'you' else 'shows'} {_cards(cards)}"
    if whose == DEALER:
        return f"the dealer turns up {_cards(cards)}"
    return f"the {ears.place(whose)} is turned up: {_cards(cards)}"


def _choose(event: Event, ears: Ears, why: Why) -> str:
    return does(ears.who(event["seat"]), event["choice"], event["decision"])


def _bet(event: Event, ears: Ears, why: Why) -> str:
    who = ears.who(event["seat"])
    amount, wager = f"${money(written(event['amount']))}", ears.wager(event["wager"])
    if event["event"] == "free":
        return f"the house stakes {amount} on {wager} for {who}"
    return f"{who} {'put' if who == 'you' else 'puts'} {amount} on {wager}"


def _split(event: Event, ears: Ears, why: Why) -> str:
    return f"{ears.whose(event['seat'])} hand is split in two"


def _settle(event: Event, ears: Ears, why: Why) -> str:
    seat, wager = event["seat"], event["wager"]
    because = because_of(event, why)
    return f"{ears.whose(seat)} {ears.wager(wager)} {won(written(event['net']))}{f': {because}' if because else ''}"


def because_of(event: Event, why: Why) -> str:
    """`dealer folds; you have an ace, the dealer has a two`."""
    parts = (event["because"], why.get((event["seat"], event["wager"]), ""))
    return "; ".join(dict.fromkeys(part for part in parts if part))


def _toke(event: Event, ears: Ears, why: Why) -> str:
    got = written(event["stake"]) + written(event["net"])
    takes = f"he takes ${money(got)}" if got else "it loses"
    return f"for the dealer, {ears.whose(event['seat'])} {ears.wager(event['wager'])}: {event['row']}, {takes}"


def _stand(event: Event, ears: Ears, why: Why) -> str:
    seat, standing = event["seat"], event["standing"]
    return f"{ears.whose(seat)} hand is {'the ' if standing == 'high hand' else ''}{standing}"


def _pot(event: Event, ears: Ears, why: Why) -> str:
    who = [ears.who(seat) for seat in event["winners"]]
    verb = "share" if len(who) > 1 else "take" if who == ["you"] else "takes"
    return f"{enumerated(who)} {verb} the {ears.wager(event['wager'])} of ${money(written(event['amount']))}"


def _burn(event: Event, ears: Ears, why: Why) -> str:
    return f"the dealer burns {cards_word(event['count'])}"


def _leave(event: Event, ears: Ears, why: Why) -> str:
    who = ears.who(event["seat"])
    return f"{who} {'leave' if who == 'you' else 'leaves'} the round"


def _carry(event: Event, ears: Ears, why: Why) -> str:
    if event["seat"] not in ears.own or not event["value"]:
        return ""
    return f"{ears.whose(event['seat'])} {event['name']} is {event['value']}"


def _words(event: Event, ears: Ears, why: Why) -> str:
    """A word to all. What a dealer is told to do is on his sheet and nobody's business here; what he says to each would
    be said seven times."""
    return "" if "seat" in event or is_order(event["words"]) else str(event["words"])


def _cards(cards: Iterable[str]) -> str:
    """`the ace of hearts and two cards face down`."""
    seen = list(cards)
    backs = sum(card == BACK for card in seen)
    words = [card_words(card) for card in seen if card != BACK]
    return enumerated([*words, *([f"{cards_word(backs)} face down"] if backs else [])])


_SAID = {
    "deal": _deal, "reveal": _reveal, "choose": _choose, "bet": _bet, "free": _bet, "split": _split, "settle": _settle,
    "toke": _toke, "stand": _stand, "pot": _pot, "burn": _burn, "leave": _leave, "carry": _carry, "say": _words,
}  # fmt: skip
