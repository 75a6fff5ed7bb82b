"""Cards: codes and names, shoes, shuffling, and the simulator's random stream."""

import inspect
import secrets
from collections import Counter
from itertools import pairwise, permutations, product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.cards import (
    ACE,
    CLUBS,
    FULL_DECK,
    KING,
    RANKS,
    SPADES,
    SUITS,
    TEN,
    TWO,
    BadCard,
    Stream,
    card_code,
    card_name,
    cards_of,
    composition,
    rank_of,
    shoe_cards,
    shuffled,
    stream_state,
    suit_of,
    suit_symmetric,
)
from pitboss.cards.streams import batches

# ---- codes and names


def test_every_card_has_one_code_and_one_name() -> None:
    names = [card_name(code) for code in FULL_DECK]
    assert names == [r + s for r in RANKS for s in SUITS]
    assert [card_code(name) for name in names] == list(range(52))


def test_rank_and_suit_are_read_off_the_code() -> None:
    assert [(rank_of(c), suit_of(c)) for c in FULL_DECK] == list(product(range(13), range(4)))
    assert TWO < TEN < KING < ACE and (CLUBS, SPADES) == (0, 3)
    assert (rank_of(card_code("As")), suit_of(card_code("As"))) == (ACE, SPADES)


@pytest.mark.parametrize(("name", "code"), [("10h", 34), ("Th", 34), ("tH", 34), (" aS ", 51), ("2c", 0)])
def test_names_are_read_as_people_write_them(name: str, code: int) -> None:
    assert card_code(name) == code


@pytest.mark.parametrize("name", ["", "A", "1h", "Ahh", "hA", "A♥", "110h", "Xh", "Ax", "10", "A h"])
def test_a_bad_name_is_refused_with_what_is_allowed(name: str) -> None:
    with pytest.raises(BadCard, match=f"is not a card; write a rank of {RANKS} and a suit of {SUITS}"):
        card_code(name)


def test_cards_of_reads_a_line_or_a_list() -> None:
    assert cards_of("Ah 10c 2s") == cards_of(["Ah", "Tc", "2s"]) == (50, 32, 3)
    with pytest.raises(BadCard, match="'Zz'"):
        cards_of("Ah Zz")


# ---- shoes


@pytest.mark.parametrize("decks", range(1, 9))
def test_a_shoe_holds_every_card_once_per_deck(decks: int) -> None:
    assert composition(decks) == (decks,) * 52
    assert Counter(shoe_cards(composition(decks))) == dict.fromkeys(range(52), decks)


@pytest.mark.parametrize("decks", [-1, 0, 9])
def test_a_shoe_holds_one_to_eight_decks(decks: int) -> None:
    with pytest.raises(ValueError, match=f"a shoe holds 1 to 8 decks, not {decks}"):
        composition(decks)


def test_a_stripped_deck_holds_its_cards_only() -> None:
    assert shoe_cards(composition(2, cards_of("2c As"))) == [0, 0, 51, 51]


def test_suit_symmetric_looks_at_every_rank() -> None:
    assert suit_symmetric(composition(6))
    assert suit_symmetric(composition(1, range(8)))
    assert not suit_symmetric(composition(1, range(1, 52)))
    assert not suit_symmetric(composition(1, range(51)))


# ---- shuffling


def test_every_permutation_comes_from_exactly_one_sequence_of_draws() -> None:
    made = []
    for draws in product(range(4), range(3), range(2)):
        asked: list[int] = []

        def below(n: int, draws: tuple[int, ...] = draws, asked: list[int] = asked) -> int:
            asked.append(n)
            return draws[len(asked) - 1]

        made.append(tuple(shuffled("abcd", below)))  # type: ignore[arg-type]
        assert asked == [4, 3, 2]
    assert sorted(made) == sorted(permutations("abcd"))


@given(st.lists(st.integers(0, 51), max_size=60))
def test_a_shuffle_keeps_the_cards_and_leaves_its_argument_alone(cards: list[int]) -> None:
    before = list(cards)
    assert Counter(shuffled(cards)) == Counter(before)
    assert cards == before


def test_live_shuffles_draw_from_the_operating_system() -> None:
    assert inspect.signature(shuffled).parameters["below"].default == secrets.randbelow


# ---- the simulator's stream


class Fed(Stream):
    """A stream that gives these words."""

    def __init__(self, *words: int) -> None:
        super().__init__(0)
        self.words = list(words)

    def word(self) -> int:
        return self.words.pop(0)


def test_the_generator_is_xoshiro256_starstar() -> None:
    """The published vector from state (1, 2, 3, 4)."""
    stream = Stream(0)
    stream.state = [1, 2, 3, 4]
    assert [stream.word() for _ in range(4)] == [11520, 0, 1509978240, 1215971899390074240]


def test_streams_differ_by_seed_and_by_chunk_and_not_otherwise() -> None:
    states = {stream_state(seed, chunk) for seed in range(-20, 20) for chunk in range(40)}
    assert len(states) == 40 * 40
    assert stream_state(1, 23) != stream_state(12, 3)
    assert stream_state(7, 5) == stream_state(7, 5) == tuple(Stream(7, 5).state)
    assert all(0 < word < 1 << 64 for state in states for word in state)


def accepted(word: int, bounds: list[int]) -> list[int] | None:
    """What one word gives, or None when it is rejected."""
    stream = Fed(word, MIDDLE)
    out = stream.below(bounds)
    return out if stream.words else None


MIDDLE = (1 << 63) + 12345  # a word that no small bounds reject


@given(st.lists(st.integers(1, 416), min_size=1, max_size=5), st.data())
def test_every_draw_is_given_by_exactly_as_many_words(bounds: list[int], data: st.DataObject) -> None:
    """The words that give one result are an interval; with its ends rejected or not, all intervals are equally long."""
    results = prod(bounds)
    k = data.draw(st.integers(0, results - 1))
    wanted, rest = [], k
    for bound in reversed(bounds):
        rest, digit = divmod(rest, bound)
        wanted.insert(0, digit)
    first, last = -(-(k << 64) // results), -(-((k + 1) << 64) // results) - 1
    ends = accepted(first, bounds), accepted(last, bounds)
    assert all(end in (None, wanted) for end in ends)
    assert (first + 1 > last) or accepted(first + 1, bounds) == wanted
    assert (last - first + 1) - ends.count(None) == (1 << 64) // results


@given(st.integers(), st.lists(st.integers(1, 416), min_size=1, max_size=5))
def test_draws_stay_below_their_bounds(seed: int, bounds: list[int]) -> None:
    stream = Stream(seed)
    for _ in range(20):
        assert all(0 <= x < bound for x, bound in zip(stream.below(bounds), bounds, strict=True))


@given(st.lists(st.integers(1, 416), max_size=20))
def test_batches_keep_the_order_and_the_limit_and_are_as_long_as_they_can_be(bounds: list[int]) -> None:
    runs = batches(bounds)
    assert [b for run in runs for b in run] == bounds
    assert all(run and prod(run) <= 1 << 44 for run in runs)
    assert all(prod(run) * following[0] > 1 << 44 for run, following in pairwise(runs))
