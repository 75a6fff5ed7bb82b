"""How a live table is opened."""

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction

from pitboss.cards import shuffled
from pitboss.live.bots import Player
from pitboss.live.journal import Journal
from pitboss.live.purses import Amount
from pitboss.live.session import Log, Session
from pitboss.live.shoe import Shoe
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House


def table(
    house: House,
    seats: int = 1,
    *,
    seed: int | None = None,
    shuffle: Callable[[Sequence[int]], list[int]] | None = None,
    purses: Mapping[int, Amount] | Amount | None = None,
    spots: Collection[Sequence[int]] = (),
    bots: Mapping[int, Player] | None = None,
    log: Callable[[Log], object] | None = None,
    journal: Journal | None = None,
    cut: Fraction | None = None,
    continuous: bool = False,
) -> Session:
    """Open a live table:

        t = table(house, seats=3)
        t.bet(1, ante=10)
        t.deal()
        t.view(1)
        t.choose(1, "raise")
        t.result(1)

    The shoe is shuffled from the operating system's source; with a `seed` the same cards come every time, and `shuffle`
    puts another hand to the cards. `purses` are the players' chips, by seat or for every player the same: without them
    nobody runs out. `spots` are seats that one player has together, such as [(1, 2)]. `bots` are computer players by
    seat. Every round that is over goes to `log`, or is kept for `Session.log`; a `journal` keeps it on disk.
    `cut` decks lie behind the cut card, if not as many as the game says; out of a `continuous` shuffler every round is
    dealt from all cards.
    """
    if seed is not None:
        if shuffle is not None:
            raise BadInput("give a seed or a shuffle, not both")
        below = random.Random(seed).randrange
        shoe = Shoe(house, lambda cards: shuffled(cards, below), cut, continuous)
    else:
        shoe = Shoe(house, shuffle or shuffled, cut, continuous)
    return Session(house, seats, shoe=shoe, purses=purses, spots=spots, bots=bots, log=log, journal=journal)
