"""The company at a drill's table: what computer players bet and do, round after round, all of it from one seed.

They bet different amounts, so that nobody learns one pay by heart, and they do not always play well, so that every way
of the round comes up.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from pitboss.cards import shuffled
from pitboss.live import Round, Session, Shoe, Turn, follows, least_bets, view_of
from pitboss.live.events import Bets
from pitboss.live.view import ShoeView
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House

Decides = Callable[[Round, Turn], str]
"""Who decides for the players: one of the choices of a turn."""

TIMES = (1, 1, 2, 2, 3, 4, 5, 6, 10, 15, 20)  # the least bet; small bets are more common
STEADY = Fraction(3, 4)  # how often a player does what a strategy says
TOKES = Fraction(1, 4)  # how often a player bets for the dealer, where the game allows it


@dataclass(frozen=True)
class Dealt:
    """A round that was played to its end, and what the dealer knew of the shoe before it."""

    number: int
    round: Round
    shuffle: bool  # the dealer shuffles first
    cut_out: bool  # because the cut card has come out
    shoe: ShoeView  # at the first card


def rounds(house: House, seats: int, seed: int, decides: Decides | None, always: str | None) -> Iterator[Dealt]:
    """Rounds without end, from one shoe after the other."""
    below, rng = random.Random(seed).randrange, random.Random(f"company {seed}")
    shoe = Shoe(house, lambda cards: shuffled(cards, below))
    session = Session(house, seats, shoe=shoe, log=lambda _: None)
    steady = decides or _by_the_file(house)
    number = 0
    while True:
        number += 1
        for seat in session.seats:
            bets = varied(house, rng, always)
            session.bet(seat, bets)
            session.toke(seat, _tokes(house, rng, bets))
        dealt = shoe.dealt
        session.deal()
        if session.shuffled or shoe.every_round:
            dealt = 0
        while (turn := session.turn) is not None:
            assert session.round is not None
            asked = steady if rng.random() < STEADY else None
            session.choose(turn.seat, rng.choice(turn.choices) if asked is None else asked(session.round, turn))
        assert session.round is not None
        first = number == 1
        yield Dealt(
            number, session.round, first or shoe.every_round or session.shuffled, session.shuffled and not first,
            ShoeView(dealt, shoe.cut, shoe.every_round),
        )  # fmt: skip


def _by_the_file(house: House) -> Decides | None:
    """The first strategy of the game file."""
    name = next(iter(house.game.strategies), None)
    if name is None:
        return None
    play = follows(house, name)
    return lambda round_, turn: play(turn, view_of(round_, [turn.seat]))


def varied(house: House, rng: random.Random, always: str | None = None) -> Bets:
    """The main bets and about every other side bet, each within its limits and payable to the cent."""
    bets = least_bets(house)
    for name in (name for name in house.parties if name not in bets):
        likes = rng.random() < 0.5
        if (likes or name == always) and _taken(house, {**bets, name: house.least_bet(name)}):
            bets[name] = house.least_bet(name)
    for name in bets:
        more = house.least_bet(name) * rng.choice(TIMES)
        if more <= house.largest_bet(name) and _taken(house, {**bets, name: more}):
            bets[name] = more
    return {name: bets[name] for name in house.parties if name in bets}


def _tokes(house: House, rng: random.Random, bets: Bets) -> Bets:
    for wager in house.wagers:
        if wager.tokes and not wager.equal_to and rng.random() < TOKES:
            tokes = {wager.name: house.least_bet(wager.name)}
            if _taken(house, bets, tokes):
                return tokes
    return {}


def _taken(house: House, bets: Bets, tokes: Bets | None = None) -> bool:
    try:
        house.check_seat(bets, tokes or {})
    except BadInput:  # it needs another bet, goes with none of these, or would come to a fraction of a cent
        return False
    return True
