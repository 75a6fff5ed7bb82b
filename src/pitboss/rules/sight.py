"""What a strategy may look at: the decision, and the cards that the player can see."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pitboss.cards import FULL_DECK, JOKERS, card_name, suit_of
from pitboss.rules.errors import said, site
from pitboss.rules.evaluate import evaluate
from pitboss.rules.graph import BOARD, DEALER, PLAYER, Decide, Times


@dataclass(frozen=True)
class Face:
    """A card that the player can see."""

    code: int

    def __post_init__(self) -> None:
        card_name(self.code)  # a sentence for what is no card

    @property
    def rank(self) -> int:
        return self.code >> 2

    @property
    def suit(self) -> int:
        return suit_of(self.code)

    @property
    def is_joker(self) -> bool:
        return self.code in JOKERS

    def __str__(self) -> str:
        return card_name(self.code)


FACES = tuple(Face(code) for code in (*FULL_DECK, *JOKERS))


@dataclass(frozen=True)
class Seen:
    """What a strategy may look at: the decision, the choices and every card that the player can see."""

    decision: str  # its name
    choices: tuple[str, ...]  # what may be answered
    player: tuple[Face, ...]  # the player's own cards
    dealer: tuple[Face, ...]  # what the dealer shows
    board: tuple[Face, ...]  # what lies open on the board
    carried: Mapping[str, int] = field(default_factory=dict)  # what the seat has carried over
    bets: Mapping[str, Times] = field(default_factory=dict)  # placed during the round so far, in multiples
    by: Mapping[str, int] = field(default_factory=dict)  # what the decision is made by, where it names that
    places: Mapping[str, tuple[Face, ...]] = field(default_factory=dict)  # what lies open at each place with a name

    def at(self, place: str) -> tuple[Face, ...]:
        """The cards that the player can see at a place: `seen.at("turn")`. None as long as nothing lies there."""
        known = {PLAYER: self.player, DEALER: self.dealer, BOARD: self.board, **self.places}
        if not isinstance(place, str) or place not in known:
            raise site().error(f"no card is ever dealt to {said(place)}; there are {', '.join(known)}")
        return known[place]


Strategy = Callable[[Seen], str]


def seen_at(
    decision: Decide, cards: Mapping[int, int], carried: Mapping[str, int], known: Sequence[int] | None = None
) -> Seen:
    """What a player sees at a decision when these cards lie in its slots. `known` are the values of what it is made by,
    where they have been worked out for many deals at once."""
    lies = {place: tuple([FACES[cards[s]] for s in slots]) for place, slots in decision.sight.items()}
    player, dealer, board = (lies.pop(place) for place in (PLAYER, DEALER, BOARD))
    values = (evaluate(col, cards, carried) for _, col in decision.by) if known is None else known
    by = {label: value for (label, _), value in zip(decision.by, values, strict=True)}
    return Seen(decision.name, decision.choices, player, dealer, board, dict(carried), decision.placed, by, lies)
