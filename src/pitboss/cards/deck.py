"""A deck: the cards that it is made of, as one writes them down and as one says them."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from pitboss.cards.codes import ACE, FULL_DECK, JOKERS, RANK_NAMES, RANKS, SUIT_NAMES, SUITS, BadCard, card_name

WILD, BUG = "wild", "bug"
MEANINGS = {
    WILD: "stands for whichever card makes the hand best; five of a kind is the highest hand",
    BUG: "is an ace, or completes a straight, a flush or a straight flush",
}
"""What a joker does in a hand."""

MOST_CARDS = 432  # of a shoe: eight decks with their jokers
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
_SEVERAL = (
    "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "jacks", "queens", "kings",
    "aces",
)  # fmt: skip


@dataclass(frozen=True)
class Deck:
    """The cards of one deck, as `cards("7-A")` gives them. Two decks can be added up, and a deck can be taken so many
    times: `24 * cards("2c") + 15 * cards("3c")`."""

    codes: tuple[int, ...]  # in order; equal cards stand there several times
    joker: str = ""  # what a joker is in a hand: WILD or BUG; nothing where that is not said
    wild: int | None = None  # the rank whose cards are wild in a hand, as a wild joker is

    def __iter__(self) -> Iterator[int]:
        return iter(self.codes)

    def __len__(self) -> int:
        return len(self.codes)

    def __add__(self, other: "Deck") -> "Deck":
        if not isinstance(other, Deck):
            return NotImplemented
        if self.joker and other.joker and self.joker != other.joker:
            raise BadCard(f"a joker cannot be {self.joker} in one part of a deck and {other.joker} in another")
        if self.wild is not None and other.wild is not None and self.wild != other.wild:
            raise BadCard("one rank of a deck can be wild, and two are")
        wild = other.wild if self.wild is None else self.wild
        return Deck(tuple(sorted(self.codes + other.codes)), self.joker or other.joker, wild)

    def __mul__(self, times: int) -> "Deck":
        if not isinstance(times, int) or isinstance(times, bool):
            return NotImplemented
        if not 1 <= times <= MOST_CARDS:
            raise BadCard(f"a deck can be taken 1 to {MOST_CARDS} times, not {str(times)[:20]}")
        return Deck(tuple(sorted(self.codes * times)), self.joker, self.wild)

    __rmul__ = __mul__

    @property
    def jokers(self) -> int:
        return sum(code in JOKERS for code in self.codes)

    def words(self, decks: int = 1) -> str:
        """`six decks of 48 cards, without tens`, `one deck of 53 cards, one of them a joker`."""
        which = [_which([code for code in self.codes if code not in JOKERS])] if len(self) > self.jokers else []
        which += [f"{_number(self.jokers)} of them {'jokers' if self.jokers > 1 else 'a joker'}"] * (self.jokers > 0)
        cards = f"{len(self)} card{'s' * (len(self) != 1)}"
        return ", ".join([f"{_number(decks)} deck{'s' * (decks > 1)} of {cards}", *filter(None, which)])


def _number(n: int) -> str:
    return NUMBERS[n] if n < len(NUMBERS) else str(n)


def cards_written(text: str) -> tuple[int, ...]:
    """The cards that a text names: "7-A" are 32, "2-9, J-A" are 48, "2c-7c, As" are seven; a sentence where it names
    none, or one twice."""
    found: list[int] = []
    for part in text.replace("10", "T").split(","):
        ends = [end.strip().upper() for end in part.split("-")]
        if len(ends) > 2 or not all(1 <= len(e) <= 2 and e[0] in RANKS and e[1:].lower() in ("", *SUITS) for e in ends):
            raise BadCard(
                f"{part.strip()[:40]!r} is neither a rank, a card nor a run of them; write '7-A', '2-9, J-A' or '2c-7c'"
            )
        first, last = (RANKS.index(ends[i][0]) for i in (0, -1))
        if ends[0][1:] != ends[-1][1:]:
            raise BadCard(f"{part.strip()!r} runs from one suit to another; write a run in one suit, or in all: '2-7'")
        if first > last:
            raise BadCard(f"{part.strip()!r} runs from high to low; aces are high")
        suits = [SUITS.index(ends[0][1].lower())] if ends[0][1:] else range(len(SUITS))
        found += [4 * rank + suit for rank in range(first, last + 1) for suit in suits]
    if twice := [code for code, times in Counter(found).items() if times > 1]:
        raise BadCard(f"{card_name(twice[0])} is named twice; for more of a card write 2 * cards('K')")
    return tuple(sorted(found))


FULL = Deck(FULL_DECK)


def runs(numbers: Iterable[int]) -> list[list[int]]:
    """Neighbours together: (0, 1, 7, 8) -> [[0, 1], [7, 8]]."""
    out: list[list[int]] = []
    for number in sorted(set(numbers)):
        if out and out[-1][-1] == number - 1:
            out[-1].append(number)
        else:
            out.append([number])
    return out


def _which(codes: Sequence[int]) -> str:
    """What a deck is made of, where it is not the usual one; equal cards are told by how often they are there."""
    groups: dict[int, list[int]] = {}
    for code, n in Counter(codes).items():
        groups.setdefault(n, []).append(code)
    if len(groups) == 1:
        ((n, mine),) = groups.items()
        named = _named(mine)
        return named if n == 1 else f"{named}{', each' if named else 'every card'} {_times(n)}"
    told = sorted(groups.items(), reverse=True)
    return _listed([f"{_named(mine, less=False)}{f' {_times(n)}' if n > 1 else ''}" for n, mine in told])


def _times(n: int) -> str:
    return "twice" if n == 2 else f"{n} times"


def _named(codes: Collection[int], less: bool = True) -> str:
    """Some cards in words; by the ranks that are missing where that is shorter."""
    whole = [rank for rank in range(len(RANKS)) if {4 * rank + suit for suit in range(4)} <= {*codes}]
    if 4 * len(whole) != len(codes):
        return _listed([_in_suit(suit, [c >> 2 for c in codes if c & 3 == suit]) for suit in range(4)])
    gone = [rank for rank in range(ACE + 1) if rank not in whole]
    if less and gone and (len(gone) <= 2 or len(runs(gone)) < len(runs(whole))):
        return f"without {_listed(_runs(gone, _SEVERAL))}"
    return _listed(_runs(whole, _SEVERAL)) if gone or not less else ""


def _in_suit(suit: int, ranks: Collection[int]) -> str:
    return f"{_listed(_runs(ranks, RANK_NAMES))} of {SUIT_NAMES[suit]}" if ranks else ""


def _runs(ranks: Collection[int], names: Sequence[str]) -> list[str]:
    """Three neighbours or more are told by the first and the last."""
    parts: list[str] = []
    for run in runs(ranks):
        named = [names[rank] for rank in run]
        parts += named if len(run) < 3 else [f"{named[0]} to {named[-1]}"]
    return parts


def _listed(words: Sequence[str]) -> str:
    told = [word for word in words if word]
    return f"{', '.join(told[:-1])} and {told[-1]}" if len(told) > 1 else "".join(told)
