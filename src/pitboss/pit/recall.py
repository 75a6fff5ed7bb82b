"""A past round, recalled from one event: a round is its shoe and its choices. What it takes besides the secret and the
seeds of the shoe stands in the event that settled it, and no card does."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from pitboss.cards import card_name
from pitboss.cards.fair import fair_shuffle, proof_of, shuffle_key
from pitboss.live.live import Round
from pitboss.live.log import log_of, played_again, seat_log
from pitboss.live.shoe import Shoe
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.numbers import written

LEFT = ("left", "together", "abandoned")  # of a log: who went, and when


def shoe_of(house: House, opening: Mapping[str, Any], key: bytes | None) -> Shoe:
    """The shoe of a table in the order that a key gives, and its discards in another, however often they are asked for;
    without one, as the cards come."""
    whole = sum(house.composition)
    cut = None if opening["cut"] is None else written(opening["cut"])

    def shuffle(cards: Sequence[int]) -> list[int]:
        return list(cards) if key is None else fair_shuffle(cards, key, int(len(cards) < whole))

    return Shoe(house, shuffle, cut, opening["continuous"])


def in_short(
    round_: Round, log: Mapping[str, Any], meters: Iterable[tuple[int, Mapping[str, Fraction]]]
) -> dict[str, Any]:
    """What it takes to play a round again with the cards that lay there, of its whole `log`. `meters` are what other
    tables made of the shared ones, after how many choices."""
    seats = [seat_log(seat) if n in round_.playing else None for n, seat in enumerate(round_.seats, 1)]
    return {
        "seats": seats,
        "choices": log["choices"],
        "meters": [[made, {name: str(x) for name, x in shown.items()}] for made, shown in meters],
        **{name: log[name] for name in LEFT if name in log},
        "options": dict(round_.house.provenance().changed),
        "used": round_.used,
    }


def proved(log: Mapping[str, Any], secret: str, table: str, shoe: int, round: int) -> dict[str, str]:
    """What binds the event that settles a round to all of it, hidden and burnt cards too, and gives none away."""
    return {"proof": proof_of(_text(log), secret, table, shoe, round)}


def hashed(log: Mapping[str, Any]) -> dict[str, str]:
    """The same in earlier logs: a mere hash, at which whoever saw it could try the cards that he had not seen."""
    return {"sha256": hashlib.sha256(_text(log).encode()).hexdigest()}


def _text(log: Mapping[str, Any]) -> str:
    return json.dumps(log, sort_keys=True, separators=(",", ":"))


def recalled(house: House, opening: Mapping[str, Any], table: str, settled: Mapping[str, Any], secret: str,
             seeds: Sequence[str]) -> Round:  # fmt: skip
    """The round that an event settled, played again; one sentence where it does not come out as it did. The house is
    the table's, with the options that the event names."""
    shoe = shoe_of(house, opening, shuffle_key(secret, table, settled["shoe"], seeds))
    shoe.dealt = settled["from"]
    cards = shoe.rest()
    if settled["used"] > len(cards):
        cards += shoe.discards()
    log = {
        "seats": settled["seats"],
        "cards": [card_name(card) for card in cards[: settled["used"]]],
        "choices": settled["choices"],
        **{name: settled[name] for name in LEFT if name in settled},
        "events": [],
    }
    meters = {made: {name: written(x) for name, x in shown.items()} for made, shown in settled["meters"]}

    def before(round_: Round, made: int) -> None:
        if made in meters:
            round_.record.house = round_.record.house.but(meters[made])

    again = played_again(house, log, before)
    early = "proof" not in settled
    whole = log_of(again)
    bound = hashed(whole) if early else proved(whole, secret, table, settled["shoe"], settled["round"])
    if any(settled.get(name) != said for name, said in bound.items()):
        raise BadInput(f"round {settled['round']} does not come out as it did: the game file or the log was changed")
    return again
