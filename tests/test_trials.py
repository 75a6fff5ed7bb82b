"""The shuffle on trial: the laws by brute force, the counts by hand, and shuffles that must not pass."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, islice, pairwise, permutations
from math import comb, exp, factorial, fsum, lgamma, log, sqrt
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from helpers import ROOT
from pitboss.cards.fair import fair_shuffle, shuffle_key, words
from pitboss.deal.statistics import chi_square_tail
from pitboss.rules import BadInput
from pitboss.trials import Report, Trial, answer, live, markdown, plain, report, try_packs
from pitboss.trials.__main__ import main
from pitboss.trials.counted import Tally
from pitboss.trials.held import by_chi_square, by_line, by_neighbours, by_ring, by_same, by_square, by_ways
from pitboss.trials.laws import colour_runs, equal_pairs, first_two, gaps, matches, rises, waits
from pitboss.trials.run import TABLE, secret_of
from pitboss.trials.stream import Shuffled, _fisher_yates, shuffles, streams

SEED = "5" * 64
PAGE = (ROOT / "docs" / "fairness.md").read_text()


def some_keys(many: int) -> NDArray[np.uint8]:
    return np.random.default_rng(14).integers(0, 256, (many, 32), dtype=np.uint8)


# ---- the second implementation


@pytest.mark.parametrize("turn", [0, 1, 3_000_000_000])
def test_the_stream_is_that_of_the_table_byte_for_byte(turn: int) -> None:
    keys = some_keys(20)
    for key, found in zip(keys, streams(keys, 5, turn), strict=True):
        assert found.tolist() == list(islice(words(key.tobytes(), turn), 80))


@pytest.mark.parametrize("cards", [2, 17, 52, 416])
def test_the_packs_are_those_of_the_table(cards: int) -> None:
    keys = some_keys(60)
    found = shuffles(keys, cards).packs.tolist()
    assert found == [fair_shuffle(range(cards), key.tobytes()) for key in keys]


def test_a_stream_that_is_too_short_goes_on() -> None:
    """49 cards need 48 words, which are three blocks: whoever turns one away needs a fourth."""
    keys = some_keys(1000)
    assert _fisher_yates(streams(keys, 3), 49) is None
    found = shuffles(keys, 49, spare=0)
    assert found.words.shape == (1000, 48)
    assert found.packs.tolist() == [fair_shuffle(range(49), key.tobytes()) for key in keys]


def test_what_is_tried_is_what_a_table_deals() -> None:
    batches = list(live(SEED, 52, 20_000))
    assert [len(b.packs) for b in batches] == [16_384, 20_000 - 16_384]
    for number, pack in ((1, batches[0].packs[0]), (20_000, batches[1].packs[-1])):
        assert pack.tolist() == fair_shuffle(range(52), shuffle_key(secret_of(SEED, number), TABLE, number))


# ---- the laws


def test_laws_of_an_order_by_brute_force() -> None:
    for n in (2, 5, 7):
        orders = list(permutations(range(n)))
        assert matches(n) == told((sum(c == i for i, c in enumerate(o)) for o in orders), n + 1)
        assert rises(n) == told((sum(a < b for a, b in pairwise(o)) for o in orders), n)
        assert sum(matches(n)) == sum(rises(n)) == factorial(n)


def test_laws_of_marked_cards_by_brute_force() -> None:
    for n, marked in ((9, 4), (7, 2), (8, 7)):
        chosen = list(combinations(range(1, n + 1), marked))
        for gap in range(marked + 1):  # before the first, between, behind the last: all alike
            found = [(0, *where, n + 1)[gap + 1] - (0, *where, n + 1)[gap] for where in chosen]
            assert gaps(n, marked) == told(found, n - marked + 2)
        runs = [1 + sum((i in where) != (i + 1 in where) for i in range(1, n)) for where in chosen]
        assert colour_runs(marked, n - marked) == told(runs, n + 1)
        assert sum(gaps(n, marked)) == sum(colour_runs(marked, n - marked)) == comb(n, marked)


def test_laws_of_hands_by_brute_force() -> None:
    for kinds, each, drawn in ((4, 3, 5), (5, 2, 4), (3, 4, 3)):
        hands = combinations([kind for kind in range(kinds) for _ in range(each)], drawn)
        found = (sum(a == b for a, b in combinations(hand, 2)) for hand in hands)
        assert equal_pairs(kinds, each, drawn) == told(found, comb(drawn, 2) + 1)
    poker = equal_pairs(13, 4, 5)  # the published counts of five-card hands, whatever their suits
    assert [poker[n] for n in (1, 2, 3, 4, 6)] == [1_098_240, 123_552, 54_912, 3_744, 624] and sum(poker) == 2_598_960
    assert equal_pairs(4, 13, 5)[10] == 5_148  # flushes of any kind


def test_laws_of_the_first_cards() -> None:
    for decks in (1, 2):
        cards = [card for card in range(52) for _ in range(decks)]
        found = Counter(permutations(cards, 2))
        assert first_two(decks) == [found[one, two] for one in range(52) for two in range(52)]
    assert waits(3, 2) == [3, 2, 4] and sum(waits(13, 150)) == 13**150


def told(numbers: Any, many: int) -> list[int]:
    found = Counter(numbers)
    return [found[n] for n in range(many)]


# ---- a sample held against its law


@pytest.mark.parametrize("degrees", [2, 256, 2600, 172_224])
def test_the_tail_of_chi_square_is_a_sum_of_poisson(degrees: int) -> None:
    for z in (-2.5, -0.1, 0.1, 2.5, 5):
        y = max(0.1, degrees + z * sqrt(2 * degrees)) / 2
        wanted = fsum(exp(i * log(y) - y - lgamma(i + 1)) for i in range(degrees // 2))
        assert chi_square_tail(2 * y, degrees) == pytest.approx(wanted, rel=1e-9)


def test_too_even_is_as_wrong_as_too_uneven() -> None:
    assert by_chi_square(256.0, 256).p > 0.9
    assert by_chi_square(140.0, 256).p < 1e-9 and by_chi_square(420.0, 256).p < 1e-9
    assert by_same([1000] * 50).p < 1e-9


def test_rare_results_are_counted_together_and_impossible_ones_are_seen() -> None:
    assert by_ways([50, 30, 1, 0, 1], [50, 30, 1, 1, 0]).p == 0
    held = by_ways([50, 30, 9, 1, 2, 3], [50, 30, 10, 1, 2, 2])
    assert held.degrees == 3  # 1 + 2 + 2 go together
    assert held.statistic == pytest.approx(1 / 10 + 1 / 5)
    assert by_ways([2, 3, 2], [1, 1, 1]).degrees == 0  # 7 results: two groups would be too small


def moments(n: int, table: Callable[[Sequence[int]], NDArray[np.int64]]) -> NDArray[np.float64]:
    """The eigenvalues of the covariance of a table over all orders of n cards."""
    found = np.array([table(order).ravel() for order in permutations(range(n))], float)
    found -= found.mean(axis=0)
    return np.linalg.eigvalsh(found.T @ found / len(found))


def square(order: Sequence[int]) -> NDArray[np.int64]:
    return np.eye(len(order), dtype=np.int64)[list(order)]


def ring(order: Sequence[int], distance: int = 1) -> NDArray[np.int64]:
    out = np.zeros((len(order), len(order)), np.int64)
    for i, card in enumerate(order):
        out[card, order[(i + distance) % len(order)]] += 1
    return out


def test_the_dependence_within_a_pack_is_known_exactly() -> None:
    """What `by_square` and `by_ring` divide by: every eigenvalue of the covariance of a pack is 0 or the one named."""
    n = 6
    wanted = [0.0] * (2 * n - 1) + [1 / (n - 1)] * (n - 1) ** 2
    assert np.allclose(moments(n, square), wanted)
    n = 7
    either, first = n * (n - 3) // 2, (n - 1) * (n - 2) // 2
    wanted = [0.0] * (n * n - either - first) + [1 / (n - 1)] * either + [n / (n - 1) / (n - 2)] * first
    for distance in (1, 2):
        assert np.allclose(moments(n, lambda order, d=distance: ring(order, d)), wanted)  # type: ignore[misc]


def test_statistics_of_one_pack_average_to_their_law() -> None:
    """Over all orders of six cards: chi-square averages to its degrees, standard errors to 0 and their squares to 1."""
    values, orders = [0, 0, 1, 3, 3, 7], list(permutations(range(6)))
    for of in (
        lambda order: by_square(square(order), 1), lambda order: by_ring(ring(order), 1)[0],
        lambda order: by_ring(ring(order), 1)[1],
    ):  # fmt: skip
        found = [of(order) for order in orders]
        assert fsum(h.statistic for h in found) / len(orders) == pytest.approx(found[0].degrees)
    for of in (
        lambda order: by_line(square(order), 1, values, range(6)),
        lambda order: by_neighbours(ring(order), 1, values),
    ):
        found = [of(order) for order in orders]
        assert fsum(h.statistic for h in found) == pytest.approx(0, abs=1e-6)
        assert fsum(h.statistic**2 for h in found) / len(orders) == pytest.approx(1)


# ---- the counts


@pytest.mark.parametrize("decks", [1, 2])
def test_counts_are_those_of_plain_python(decks: int) -> None:
    n, many = 52 * decks, 400
    batches = [shuffles(some_keys(many)[start : start + 150], n) for start in range(0, many, 150)]
    tally = Tally(decks, batches[0].words.shape[1])
    for batch in batches:
        tally.add(batch)
    packs = [pack for batch in batches for pack in batch.packs.tolist()]
    streams = [row for batch in batches for row in batch.words.tolist()]
    assert tally.packs == len(packs) == many
    _check_squares(tally, packs)
    _check_packs(tally, packs)
    bits = [[int(bit) for word in row for bit in f"{word:016b}"] for row in streams]
    assert tally.bits.tolist() == [sum(column) for column in zip(*bits, strict=True)]
    assert tally.changes == sum(a != b for row in bits for a, b in pairwise(row))
    assert tally.repeats == sum(a == b for one, two in pairwise(bits) for a, b in zip(one, two, strict=True))
    assert tally.values.tolist() == told((word for row in streams for word in row), 65_536)
    assert tally.bytes.tolist() == told((byte for row in streams for word in row for byte in divmod(word, 256)), 256)


def _check_squares(tally: Tally, packs: list[list[int]]) -> None:
    n = tally.cards
    squares = [np.zeros((n, n), np.int64) for _ in range(5)]
    for pack in packs:
        for place, card in enumerate(pack):
            squares[0][place, card] += 1
            squares[3][card, pack[(place + 1) % n]] += 1
            squares[4][card, pack[(place + 2) % n]] += 1
    for one, two in pairwise(packs):
        for place in range(n):
            squares[1][one[place], two[place]] += 1
            squares[2][one.index(place), two.index(place)] += 1
    mine = [tally.place_card, tally.card_card, tally.place_place, tally.followed[1], tally.followed[2]]
    assert all((a == b).all() for a, b in zip(mine, squares, strict=True))


def _check_packs(tally: Tally, packs: list[list[int]]) -> None:
    n, decks = tally.cards, tally.decks
    found: dict[str, list[int]] = {name: [] for name in (
        "first", "last", "first_two", "rises", "colour_runs", "matches", "rings", "gaps", "waits", "rank_pairs",
        "suit_pairs", "orders",
    )}  # fmt: skip
    before = -1
    indexed = sorted(permutations(range(5)))
    for number, pack in enumerate(packs):
        codes = [card % 52 for card in pack]
        found["first"].append(codes[0])
        found["last"].append(codes[-1])
        found["first_two"].append(52 * codes[0] + codes[1])
        found["rises"].append(sum(a < b for a, b in pairwise(pack)))
        found["colour_runs"].append(1 + sum((a % 4 in (1, 2)) != (b % 4 in (1, 2)) for a, b in pairwise(codes)))
        found["matches"].append(sum(card == place for place, card in enumerate(pack)))
        at, steps = pack[0], 0
        while at:
            at, steps = pack[at], steps + 1
        found["rings"].append(steps)
        lie = [0, *(place + 1 for place, code in enumerate(codes) if code // 4 == number % 13), n + 1]
        gap = number // 13 % (4 * decks + 1)
        found["gaps"].append(lie[gap + 1] - lie[gap])
        if codes[0] >= 48:
            found["waits"].append(min(number - before, 151) - 1)
            before = number
        hands = [pack[i : i + 5] for i in range(0, n - 4, 5)]
        found["orders"] += [indexed.index(tuple(sorted(hand).index(card) for card in hand)) for hand in hands]
        hand = [card % 52 for card in hands[number % len(hands)]]
        found["rank_pairs"].append(sum(a // 4 == b // 4 for a, b in combinations(hand, 2)))
        found["suit_pairs"].append(sum(a % 4 == b % 4 for a, b in combinations(hand, 2)))
    for name, numbers in found.items():
        assert getattr(tally, name).tolist() == told(numbers, len(getattr(tally, name))), name


# ---- the live shuffle passes; shuffles that are wrong do not


@pytest.fixture(scope="module")
def small() -> Report:
    return report(1_040_000, seed=SEED)


def test_the_live_shuffle_passes(small: Report) -> None:
    assert small.passed and small.cards == 1_040_000 and len(small.trials) == 29
    assert small.expected_failures == pytest.approx(0.29)


def test_it_comes_out_the_same_however_it_is_cut_up(small: Report) -> None:
    told_of = list[tuple[str, int, int]]()
    (one, two) = live(SEED, 52, 20_000)
    whole = Shuffled(np.concatenate([one.words, two.words]), np.concatenate([one.packs, two.packs]))
    parts = [Shuffled(whole.words[i : i + 3333], whole.packs[i : i + 3333]) for i in range(0, 20_000, 3333)]
    assert try_packs(parts, 1, 20_000, lambda *told: told_of.append(told)) == small.trials
    assert told_of[0] == ("shuffling", 3333, 20_000) and told_of[-1] == ("shuffling", 20_000, 20_000)


PACKS = 20_000
NEW = np.tile(np.arange(52, dtype=np.uint16), (PACKS, 1))

Chance = np.random.Generator
Packs = NDArray[np.uint16]


def swapped(place: Callable[[int], NDArray[Any]], lasts: Sequence[int]) -> Packs:
    """Packs in which each of these places was swapped with another one, drawn so."""
    packs, row = NEW.copy(), np.arange(PACKS)
    for last in lasts:
        other = place(last)
        packs[row, last], packs[row, other] = packs[row, other], packs[row, last].copy()
    return packs


def whole_deck(chance: Chance) -> Packs:
    """The classic mistake: each card is swapped with any of the whole deck."""
    return swapped(lambda _: chance.integers(0, 52, PACKS), range(52))


def never_its_own_place(chance: Chance) -> Packs:
    return swapped(lambda last: chance.integers(0, last, PACKS), range(51, 0, -1))


def byte_modulo(chance: Chance) -> Packs:
    return swapped(lambda last: chance.integers(0, 256, PACKS) % (last + 1), range(51, 0, -1))


def not_the_last_ten(chance: Chance) -> Packs:
    return swapped(lambda last: chance.integers(0, last + 1, PACKS), range(41, 0, -1))


def seven_riffles(chance: Chance) -> Packs:
    """Gilbert, Shannon and Reeds, backwards: every card goes into one of two packets, and keeps its order there."""
    packs = NEW.copy()
    for _ in range(7):
        packet = chance.integers(0, 2, packs.shape)
        packs = np.take_along_axis(packs, np.argsort(packet, axis=1, kind="stable"), axis=1)
    return packs


def right(chance: Chance) -> Packs:
    return chance.permuted(NEW, axis=1)


def each_pack_twice(chance: Chance) -> Packs:
    return np.repeat(right(chance)[::2], 2, axis=0)


def too_even(chance: Chance) -> Packs:
    """Every card equally often in every place, to the last: each pack is cut in all 52 ways."""
    start = right(chance)[: -(-PACKS // 52)]
    return np.concatenate([np.roll(start, cut, axis=1) for cut in range(52)])[:PACKS]


@pytest.mark.parametrize(("shuffle", "caught_by"), [
    (whole_deck, "place and card"), (never_its_own_place, "rings"), (byte_modulo, "place and card"),
    (not_the_last_ten, "matches"), (seven_riffles, "neighbours, order"), (each_pack_twice, "pack and next"),
    (too_even, "place and card"),
])  # fmt: skip
def test_a_wrong_shuffle_is_caught(shuffle: Callable[[Chance], Packs], caught_by: str) -> None:
    chance = np.random.default_rng(3)
    batch = Shuffled(fair_words(chance).astype(np.uint16), shuffle(chance))
    found = Report(1, PACKS, SEED, try_packs([batch], 1, PACKS))
    assert not found.passed and caught_by in [t.name for t in found.refuted]
    assert not [t for t in found.refuted if t.of == "words"]  # bits do not see it
    assert answer(found)[0].startswith("The shuffle fails")


def fair_words(chance: Chance) -> NDArray[np.int64]:
    return chance.integers(0, 65_536, (PACKS, 64))


def one_in_fifty_is_made_odd(chance: Chance) -> NDArray[Any]:
    return fair_words(chance) | (chance.random((PACKS, 64)) < 0.02)


def none_above_65_000(chance: Chance) -> NDArray[Any]:
    return fair_words(chance) % 65_000


def one_bit_is_stuck(chance: Chance) -> NDArray[Any]:
    return fair_words(chance) | (np.arange(64) == 17)


def a_bit_is_like_the_one_before(chance: Chance) -> NDArray[Any]:
    words = fair_words(chance)
    return words & ~2 | (words & 4) >> 1


def each_stream_twice(chance: Chance) -> NDArray[Any]:
    return np.repeat(fair_words(chance)[::2], 2, axis=0)


@pytest.mark.parametrize(("stream", "caught_by"), [
    (one_in_fifty_is_made_odd, "ones"), (none_above_65_000, "words"), (one_bit_is_stuck, "bit places"),
    (a_bit_is_like_the_one_before, "bit runs"), (each_stream_twice, "bit repeats"),
])  # fmt: skip
def test_a_biased_stream_is_caught(stream: Callable[[Chance], NDArray[Any]], caught_by: str) -> None:
    biased = stream(np.random.default_rng(4)).astype(np.uint16)
    packs = _fisher_yates(biased, 52)
    assert packs is not None
    found = Report(1, PACKS, SEED, try_packs([Shuffled(biased, packs)], 1, PACKS))
    assert not found.passed and caught_by in [t.name for t in found.refuted if t.of == "words"]


def test_a_right_shuffle_from_elsewhere_passes() -> None:
    chance = np.random.default_rng(5)
    batch = Shuffled(fair_words(chance).astype(np.uint16), right(chance))
    assert Report(1, PACKS, SEED, try_packs([batch], 1, PACKS)).passed


# ---- the record, in words


def made(*chances: float) -> Report:
    return Report(1, 20_000, SEED, tuple(Trial("cards", f"t{i}", "x", 1, 1.0, 1, p) for i, p in enumerate(chances)))


def test_the_verdict_is_holms() -> None:
    assert made(0.009, 0.5, 0.6, 0.7).passed  # one of four fails alone, and chance does that
    assert made(0.009, 0.5, 0.6, 0.7).failed[0].name == "t0"
    assert made(0.009, 0.5, 0.6, 0.7).p == pytest.approx(0.036)
    assert made(0.009, 0.5).as_many == pytest.approx(1 - 0.99**2)
    found = made(0.6, 0.004, 0.0001, 0.0032)
    assert [t.name for t in found.refuted] == ["t1", "t2", "t3"]  # 0.0001 x 4, 0.0032 x 3, 0.004 x 2: all below 0.01
    assert [t.name for t in made(0.6, 0.0051, 0.0001, 0.0032).refuted] == ["t2", "t3"]


def test_the_report_can_be_read_and_taken_elsewhere(small: Report) -> None:
    text = plain(small)
    assert text[0].startswith("The shuffle passes") and max(map(len, text)) <= 80 and text[-1].endswith(SEED)
    assert max(map(len, plain(made(0.00001, 0.5)))) <= 81  # a star behind what is out of line
    data = json.loads(small.to_json())
    assert data["number_of_trials"] == len(data["trials"]) == len(small.table()) == 29
    rows = [line for line in markdown(small) if line.startswith("| ") and not line.startswith("| trial")]
    assert [row.split(" | ")[0].removeprefix("| ") for row in rows] == [t.name for t in small.trials]
    assert "<table>" in small._repr_html_()


def test_the_page_names_every_trial(small: Report) -> None:
    rows = {line.split(" | ")[0].removeprefix("| ") for line in PAGE.splitlines() if line.startswith("| ")}
    assert {t.name for t in small.trials} <= rows


@pytest.mark.parametrize("asked", [
    {"cards": 1}, {"cards": "many"}, {"cards": 1e30}, {"decks": 0}, {"decks": 1.5}, {"seed": "x"}, {"seed": 5},
    {"seed": "A" * 64}, {"cards": 1_040_000, "decks": 2},
], ids=str)  # fmt: skip
def test_what_cannot_be_tried_is_refused_in_one_sentence(asked: dict[str, Any]) -> None:
    with pytest.raises(BadInput) as error:
        report(**asked)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("word", ["cards=1", "cards=2=3", "what", "as=pdf", "decks=", "--cards=1e8", "cards", "="])
def test_a_wrong_word_is_one_sentence(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([word]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.startswith("pitboss: ") and said.err.count("\n") == 1


def test_it_runs_as_a_module(small: Report, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards=1,040,000", f"seed={SEED}"]) == 0
    assert capsys.readouterr().out.splitlines() == plain(small)
