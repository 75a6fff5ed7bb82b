"""What is done, as a dealer would say it: `Pay seat 2: Ante $10 to $10`. And what the players do meanwhile."""

from collections.abc import Sequence
from fractions import Fraction

from pitboss.live.events import Event
from pitboss.rules.called import cards_word, place_called, wager_called
from pitboss.rules.graph import PLAYER, UP
from pitboss.rules.house import House
from pitboss.rules.naming import listed
from pitboss.rules.numbers import written
from pitboss.rules.paytables import money


def capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def sentence(text: str) -> str:
    """With a capital and a full stop."""
    return capital(text) if text.endswith((".", "!", "?")) else f"{capital(text)}."


def deal(house: House, place: str, cards: int, face: str, seats: Sequence[int]) -> str:
    """`Deal three cards face down to the flop`."""
    whom = f"the {place_called(house, place)}"
    if place == PLAYER:
        whom = f"seat {seats[0]}" if len(seats) == 1 else "each player"
    return f"Deal {cards_word(cards)} face {'up' if face == UP else 'down'} to {whom}"


def turn(house: House, place: str, cards: int, seat: int) -> str:
    """`Turn up the dealer's card`."""
    if place == PLAYER:
        return f"Turn up seat {seat}'s card{'s' * (cards > 1)}"
    called = place_called(house, place)
    return f"Turn up the {called}" if called != "dealer" else f"Turn up the dealer's card{'s' * (cards > 1)}"


def wager(house: House, name: str, toke: bool) -> str:
    return f"toke on the {wager_called(house, name)}" if toke else capital(wager_called(house, name))


def settled(verdict: str, seat: int, called: str, stake: Fraction, amount: Fraction) -> str:
    """`Pay seat 2: Ante $10 to $10`, `Take seat 2: Ante $10`, `Push seat 2: Ante $10`."""
    lies = f"{called} ${money(stake)}"
    if verdict == "take" and amount != stake:
        return f"Take seat {seat}: ${money(amount)} of the {lies}"
    return f"{verdict.capitalize()} seat {seat}: {lies}{f' to ${money(amount)}' if verdict == 'pay' else ''}"


def award(house: House, name: str, pot: Fraction, seat: int, amount: Fraction) -> str:
    """`The Pot of $30 to seat 2`, `$13 of the Pot of $25 to seat 2`."""
    whole = f"the {wager_called(house, name)} of ${money(pot)}"
    return capital(f"{whole} to seat {seat}" if amount == pot else f"${money(amount)} of {whole} to seat {seat}")


def because(event: Event, paid: bool, held: str, chose: str) -> str:
    """Why a wager comes out as it does: what was said of it, the row of the pay table, who held what, or what the
    player chose where no card was looked at."""
    row = f"{event['row']} pays {event['pays']}" if paid and event["row"] != "win" else ""
    seat = f"seat {event['seat']} chose {chose}" if chose else ""
    parts = [part for part in (event["because"], row, held) if part] or [seat] * bool(seat)
    return sentence("; ".join(parts)) if parts else "" if paid else "Nothing that it pays on."


def players_do(house: House, events: Sequence[Event], said: set[str]) -> list[str]:
    """What happens at the table without the dealer's hand, a line for each player's turn. What is `said` at every seat
    is told once in a round."""
    out: list[str] = []
    chose = 0
    for place, event in enumerate(events):
        kind, seat = event["event"], event.get("seat", 0)
        if kind == "choose":
            placed = [_placed(house, e) for e in _following(events[place + 1 :], seat)]
            out.append(f"Seat {seat}: {event['choice']}{f' ({listed(placed)})' if placed else ''}.")
        elif kind == "say" and event["words"] not in said:
            said.add(event["words"])
            if seat and seat == chose:
                out[-1] += f" {sentence(event['words'])}"
            else:
                out.append(sentence(f"Seat {seat}: {event['words']}" if seat else event["words"]))
        chose = seat if kind == "choose" else chose if kind in ("bet", "free", "split", "say") and seat == chose else 0
    return out


def _following(events: Sequence[Event], seat: int) -> list[Event]:
    """The bets that a choice has put on the table."""
    out = []
    for event in events:
        if event["event"] not in ("bet", "free", "split", "say") or event.get("seat") != seat:
            break
        out += [event] if event["event"] in ("bet", "free") else []
    return out


def _placed(house: House, event: Event) -> str:
    marker = "a marker for " if event["event"] == "free" else ""
    return f"{marker}${money(written(event['amount']))} on the {wager_called(house, event['wager'])}"
