"""The event log of a round, and its replay to the identical settlement."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from pitboss.cards import BadCard, card_name, cards_of
from pitboss.live.live import Round
from pitboss.live.seat import Seat
from pitboss.rules.errors import BadInput
from pitboss.rules.game import Game
from pitboss.rules.house import House
from pitboss.rules.numbers import whole, written


def nowhere(log: Mapping[str, Any]) -> None:
    """For a table whose rounds are kept by somebody else: there is no log of them here."""


def log_of(round_: Round) -> dict[str, Any]:
    """Everything that it takes to play the round again, and what came of it."""
    house = round_.house
    return {
        **house.provenance().header(),
        "seats": [seat_log(seat) if number in round_.playing else None for number, seat in enumerate(round_.seats, 1)],
        "cards": [card_name(c) for c in round_.shoe[: round_.used]],
        "choices": [[seat, choice] for seat, choice in round_.choices],
        "events": [dict(event) for event in round_.events],
        **_departures(round_),
    }


def _departures(round_: Round) -> dict[str, Any]:
    """Who left the round after how many choices, who of them together, and whether it ended with that."""
    together = [list(party) for party in round_.record.parties if len(party) > 1]
    out: dict[str, Any] = {"left": [[s, made] for s, made in round_.record.gone.items()]} if round_.record.gone else {}
    return out | ({"together": together} if together else {}) | ({"abandoned": True} if round_.abandoned else {})


def seat_log(seat: Seat) -> dict[str, Any]:
    out: dict[str, Any] = {"bets": {w: str(a) for w, a in seat.bets.items()}, "carried": dict(seat.carried)}
    return out | ({"tokes": {w: str(a) for w, a in seat.tokes.items()}} if seat.tokes else {})


def replay(game: Game, log: Mapping[str, Any]) -> Round:
    """The round of a log, played again; a log that does not lead to its own settlement is refused."""
    return played_again(house_of(game, log), log)


def house_of(game: Game, log: Mapping[str, Any]) -> House:
    """The house whose rules a log names."""
    try:
        if not isinstance(log.get("shoe", ""), str):
            raise TypeError("the shoe is text, such as Ah:5")
        return game.at(log["options"], log["paytables"], log.get("shoe"))
    except BadInput:
        raise
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise _no_log(error) from None


def _no_log(error: Exception) -> BadInput:
    return BadInput(f"this is not the log of a round: {str(error)[:200]}")


def played_again(house: House, log: Mapping[str, Any], before: Callable[[Round, int], None] | None = None) -> Round:
    """The round of a log at a house that is known already. It is held against the events of the log, unless something
    is done `before` each choice, who then holds it against what he knows."""
    try:
        seats = [
            None if s is None else Seat(_amounts(s["bets"]), dict(s["carried"]), _amounts(s.get("tokes", {})))
            for s in log["seats"]
        ]
        cards = cards_of(log["cards"])
        choices = [(whole("a seat", seat), str(choice)) for seat, choice in log["choices"]]
        left = {whole("a seat", seat): whole("a choice", made) for seat, made in log.get("left", [])}
        parties = [tuple(whole("a seat", seat) for seat in party) for party in log.get("together", [])]
        ends = bool(log.get("abandoned", False))
        wanted = list(log["events"])
    except BadInput:
        raise
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError, ZeroDivisionError, BadCard) as error:
        raise _no_log(error) from None
    again = Round(house, cards, seats)
    for made in range(len(choices) + 1):
        if before is not None:
            before(again, made)
        going = [seat for seat, when in left.items() if when == made]
        while going:
            party = next((p for p in parties if going[0] in p), (going[0],))
            going = [seat for seat in going if seat not in party]
            again.leave(*party, ends=ends and not going and made == len(choices))
        if made < len(choices):
            again.choose(choices[made][1], choices[made][0])
    if again.record.gone != left or len(left) != len(log.get("left", [])) or again.abandoned != ends:
        raise BadInput("the log does not replay: somebody leaves the round otherwise than it says")
    if before is None and again.events != wanted:
        first = next(
            (i for i, (a, b) in enumerate(zip(again.events, wanted, strict=False)) if a != b),
            min(len(again.events), len(wanted)),
        )
        raise BadInput(
            f"the log does not replay: event {first + 1} came out otherwise; the game file or the log was changed"
        )
    return again


def _amounts(bets: Mapping[str, str]) -> dict[str, Fraction]:
    return {wager: written(amount) for wager, amount in bets.items()}
