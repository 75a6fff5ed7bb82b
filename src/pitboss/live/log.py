"""The event log of a round, and its replay to the identical settlement."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pitboss.cards import BadCard, card_name, cards_of
from pitboss.live.live import Round
from pitboss.live.seat import Seat
from pitboss.rules.errors import BadInput
from pitboss.rules.game import Game
from pitboss.rules.numbers import whole, written


def log_of(round_: Round) -> dict[str, Any]:
    """Everything that it takes to play the round again, and what came of it."""
    house = round_.house
    return {
        **house.provenance().header(),
        "seats": [_seat(seat) if number in round_.playing else None for number, seat in enumerate(round_.seats, 1)],
        "cards": [card_name(c) for c in round_.shoe[: round_.used]],
        "choices": [[seat, choice] for seat, choice in round_.choices],
        "events": [dict(event) for event in round_.events],
    } | ({"left": [[seat, made] for seat, made in round_.record.gone.items()]} if round_.record.gone else {})


def _seat(seat: Seat) -> dict[str, Any]:
    out: dict[str, Any] = {"bets": {w: str(a) for w, a in seat.bets.items()}, "carried": dict(seat.carried)}
    return out | ({"tokes": {w: str(a) for w, a in seat.tokes.items()}} if seat.tokes else {})


def replay(game: Game, log: Mapping[str, Any]) -> Round:
    """The round of a log, played again; a log that does not lead to its own settlement is refused."""
    try:
        house = game.at(log["options"], log["paytables"])
        seats = [
            None if s is None else Seat(_amounts(s["bets"]), dict(s["carried"]), _amounts(s.get("tokes", {})))
            for s in log["seats"]
        ]
        cards = cards_of(log["cards"])
        choices = [(whole("a seat", seat), str(choice)) for seat, choice in log["choices"]]
        left = [(whole("a seat", seat), whole("a choice", made)) for seat, made in log.get("left", [])]
        wanted = list(log["events"])
    except (KeyError, TypeError, AttributeError, ValueError, ZeroDivisionError, BadCard) as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput(f"this is not the log of a round: {error}") from None
    again = Round(house, cards, seats)
    for made in range(len(choices) + 1):
        for seat in (seat for seat, when in left if when == made):
            again.leave(seat)
        if made < len(choices):
            again.choose(choices[made][1], choices[made][0])
    if again.events != wanted:
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
