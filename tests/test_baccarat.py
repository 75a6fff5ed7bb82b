"""Baccarat: published counts to the last way, enumerations that share no code with pitboss, and the live table."""

import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import comb, perm

import pytest

from helpers import ROOT, load_game
from pitboss.cards import cards_of, composition, shoe_cards
from pitboss.deal import simulate
from pitboss.exact import Study
from pitboss.exact import analyze as analysis_of
from pitboss.live import Round, Seat, log_of, replay, view_of
from pitboss.rules import BadInput, House

GAME = load_game(ROOT / "examples" / "baccarat.py")
MAIN = ("player", "banker", "tie")
analyze = cache(analysis_of)  # several tests ask the same house
DECKS = (1, 4, 6, 8)

# As the rules are printed: does the banker hand draw (H) or stand (S), by its total and the player hand's third card?
PRINTED = {
    7: "SSSSSSSSSS",
    6: "SSSSSSHHSS",
    5: "SSSSHHHHSS",
    4: "SSHHHHHHSS",
    3: "HHHHHHHHSH",
    2: "HHHHHHHHHH",
    1: "HHHHHHHHHH",
    0: "HHHHHHHHHH",
}


def value(card: int) -> int:
    """Of a card code: two to nine, nothing for ten to king, one for an ace."""
    rank = card >> 2
    return rank + 2 if rank < 8 else 1 if rank == 12 else 0


def third_cards(player: int, banker: int) -> tuple[bool, bool]:
    """Whether the player hand draws, and whether the banker hand draws to a player hand that stands."""
    natural = player >= 8 or banker >= 8
    return not natural and player <= 5, not natural and player > 5 and banker <= 5


def played(values: Sequence[int]) -> tuple[int, int]:
    """The final totals of a round whose cards have these values, in the order in which they leave the shoe."""
    first, second, third, fourth, *rest = values
    player, banker = (first + third) % 10, (second + fourth) % 10
    draws, alone = third_cards(player, banker)
    if draws:
        taken = rest[0]
        player = (player + taken) % 10
        return player, (banker + rest[1]) % 10 if PRINTED[banker][taken] == "H" else banker
    return player, (banker + rest[0]) % 10 if alone else banker


def winner(player: int, banker: int) -> str:
    return "tie" if player == banker else "player" if player > banker else "banker"


@cache
def by_values(counts: tuple[int, ...]) -> Counter[str]:
    """Ordered deals of six cards by who wins, from a shoe of so many cards of each value."""
    out: Counter[str] = Counter()
    for four in product(range(10), repeat=4):
        left, ways = list(counts), 1
        for v in four:
            ways *= left[v]
            left[v] -= 1
        for fifth, sixth in product(range(10), repeat=2) if ways > 0 else ():
            last = left[fifth] * (left[sixth] - (fifth == sixth))
            if last > 0:
                out[winner(*played((*four, fifth, sixth)))] += ways * last
    return out


def full(decks: int) -> tuple[int, ...]:
    """Cards of each value: ten, jack, queen and king count nothing."""
    return (16 * decks, *[4 * decks] * 9)


def ways_of(house: House) -> dict[str, int]:
    """The same, as pitboss counts it."""
    result = analyze(house)
    won = {wager: {o.outcome: o.ways for o in result.wager(wager).outcomes} for wager in MAIN}
    assert won["player"]["win"] == won["banker"].get("lose", 0) and won["tie"]["win"] == won["player"]["push"]
    return {"player": won["player"]["win"], "banker": won["banker"]["win"], "tie": won["tie"]["win"]}


# ---- published


@pytest.mark.parametrize(
    ("decks", "banker", "player", "tie"),
    [
        (8, 2_292_252_566_437_888, 2_230_518_282_592_256, 475_627_426_473_216),
        (6, 403_095_751_234_560, 392_220_492_728_832, 83_552_962_932_288),
    ],
)
def test_every_way_is_the_published_one(decks: int, banker: int, player: int, tie: int) -> None:
    """casinoexploit.com, Baccarat: combinations by number of decks."""
    house = GAME.at(decks=decks)
    assert ways_of(house) == {"player": player, "banker": banker, "tie": tie}
    assert {analyze(house).wager(wager).ways for wager in MAIN} == {perm(52 * decks, 6)}


def test_eight_decks_have_the_published_number_of_ways() -> None:
    assert analyze(GAME.at()).wager("banker").ways == 4_998_398_275_503_360 == perm(416, 6)


@pytest.mark.parametrize("decks", DECKS)
@pytest.mark.parametrize("wager", ["player-pair", "banker-pair"])
def test_a_pair_bet_equals_its_formula(decks: int, wager: str) -> None:
    result = analyze(GAME.at(decks=decks)).wager(wager)
    assert result.house_edge == 1 - 12 * Fraction(4 * decks - 1, 52 * decks - 1)
    ordered = 1 if decks == 1 else 2  # two cards of one deck are looked at as one hand, without their order
    assert result.ways == comb(52 * decks, 2) * ordered, "counted over the two cards that it looks at"


# ---- counted another way


@pytest.mark.parametrize("decks", [1, 4, 8])
def test_the_count_equals_an_enumeration_of_values(decks: int) -> None:
    """With one deck hands are counted without the order of their first two cards: a quarter of the ways."""
    apart = 4 if decks == 1 else 1
    assert {w: n * apart for w, n in ways_of(GAME.at(decks=decks)).items()} == dict(by_values(full(decks)))


def small_shoe(seed: int) -> list[int]:
    """A few cards of any kind, equal ones among them."""
    rng = random.Random(seed)
    return sorted(rng.choices(range(52), k=rng.choice((7, 8, 9))))


@pytest.mark.parametrize("cards", [small_shoe(seed) for seed in range(4)], ids=str)
def test_the_count_equals_every_order_of_a_small_shoe(cards: list[int]) -> None:
    wins, pairs, orders = Counter[str](), [0, 0], 0
    for deal in permutations(cards, 6):
        wins[winner(*played([value(c) for c in deal]))] += 1
        pairs = [pairs[0] + (deal[0] >> 2 == deal[2] >> 2), pairs[1] + (deal[1] >> 2 == deal[3] >> 2)]
        orders += 1
    result = analyze(GAME.at(shoe=tuple(cards.count(c) for c in range(52))))
    for wager, won in (*((w, wins[w]) for w in MAIN), *zip(("player-pair", "banker-pair"), pairs, strict=True)):
        found = {o.outcome: o.probability for o in result.wager(wager).outcomes}
        assert Fraction(found.get("win", 0)) == Fraction(won, orders), wager


@pytest.mark.parametrize("seed", range(4))
def test_random_pays_are_priced_from_the_ways(seed: int) -> None:
    rng = random.Random(seed)
    ways, total = by_values(full(1)), perm(52, 6)
    tie, pair, commission = rng.randint(2, 40), rng.randint(2, 30), Fraction(rng.randint(80, 100), 100)
    house = GAME.at(decks=1, tables={"tie": str(tie), "player-pair": str(pair), "banker": str(commission)})
    result = analyze(house)
    assert result.wager("tie").house_edge == 1 - Fraction(ways["tie"], total) * (tie + 1)
    assert result.wager("banker").house_edge == Fraction(ways["player"], total) - commission * Fraction(
        ways["banker"], total
    )
    assert result.wager("player-pair").house_edge == 1 - Fraction(3, 51) * (pair + 1)


def test_a_commission_that_is_cut_to_whole_chips_costs_more() -> None:
    """19 to 20 on $5 is $4.75, and $4 in whole dollars: as if the house kept 20%."""
    house = GAME.at({"decks": 1, "rounding": "down-to-chip"})
    ways, total = by_values(full(1)), perm(52, 6)
    found = Study(house.measured("banker", Fraction(5))).wager("banker").house_edge
    assert found == Fraction(ways["player"], total) - Fraction(4, 5) * Fraction(ways["banker"], total)


# ---- simulated


@pytest.mark.parametrize("how", [{}, {"mode": "shoe"}, {"mode": "shoe", "seats": 9}, {"decks": 1}], ids=str)
def test_simulated_edges_are_within_four_errors(how: dict[str, object]) -> None:
    decks = how.get("decks", 8)
    result = simulate(GAME.at(decks=decks), 1 << 20, seed=11, **{k: v for k, v in how.items() if k != "decks"})
    for wager in (*MAIN, "player-pair", "banker-pair"):
        z = result.wager(wager).z
        assert z is not None and abs(z) < 4, wager


# ---- at the table


def card_of(points: int) -> str:
    return {0: "K", 1: "A"}.get(points, str(points))


def dealt(house: House, names: Sequence[str], seats: int = 1, **bets: Fraction) -> Round:
    """A round in which cards of these ranks leave the shoe; nobody looks at suits."""
    cards = cards_of(" ".join(f"{name}{'cdhs'[i % 4]}" for i, name in enumerate(names)))
    return Round(house, cards, [Seat(bets or {"banker": Fraction(10)}) for _ in range(seats)])


@pytest.mark.parametrize("banker", range(8))
@pytest.mark.parametrize("third", range(10))
def test_the_banker_hand_draws_by_the_printed_table(banker: int, third: int) -> None:
    names = ["K", card_of(banker), "Q", "J", card_of(third), "9"]
    view = view_of(dealt(GAME.at(), names), [1])
    assert len(view.places["player hand"].cards) == 3
    assert len(view.places["banker hand"].cards) == (3 if PRINTED[banker][third] == "H" else 2)


@pytest.mark.parametrize("player", range(6, 10))
@pytest.mark.parametrize("banker", range(10))
def test_a_player_hand_that_stands_leaves_the_banker_hand_to_five_or_less(player: int, banker: int) -> None:
    view = view_of(dealt(GAME.at(), [card_of(player), card_of(banker), "K", "K", "2", "2"]), [1])
    assert len(view.places["player hand"].cards) == 2
    drawn = player < 8 and banker <= 5
    assert len(view.places["banker hand"].cards) == 2 + drawn
    assert view.places["banker hand"].count == {"total": (banker + 2 * drawn) % 10}


def test_all_seats_have_the_same_hands_and_their_own_bets() -> None:
    house = GAME.at()
    bets = [{"player": 10}, {"banker": 10}, {"tie": 5, "banker-pair": 5}, {"banker": 20, "tie": 1}]
    seats = [Seat({name: Fraction(bet) for name, bet in some.items()}) for some in bets]
    round_ = Round(GAME.at({"table-min": "1"}), cards_of("9c 4d Kh 4s"), seats)
    assert round_.used == 4 and [e["to"] for e in round_.events if e["event"] == "deal"] == [
        "player hand",
        "banker hand",
        "player hand",
        "banker hand",
    ]
    assert [round_.net(seat) for seat in (1, 2, 3, 4)] == [10, -10, 50, -21]
    assert view_of(round_, [3]).places == view_of(round_, [1]).places and not view_of(round_, [1]).dealer.cards
    assert house.game.seats == 9


def test_the_banker_hand_wins_nineteen_to_twenty_in_whole_cents() -> None:
    lost, won = ["2", "9", "K", "K"], Fraction("9.50")
    assert dealt(GAME.at(), lost).net(1) == won
    with pytest.raises(BadInput, match="cent"):
        dealt(GAME.at({"table-min": "0.01"}), lost, banker=Fraction("0.01"))


def test_a_round_replays_from_its_log() -> None:
    rng = random.Random(3)
    house = GAME.at()
    cards = shoe_cards(house.composition)
    for _ in range(40):
        rng.shuffle(cards)
        round_ = Round(house, cards, [Seat({"player": Fraction(5), "tie": Fraction(5)}) for _ in range(3)])
        assert replay(GAME, log_of(round_)).events == round_.events


def test_a_bet_on_a_pair_alone_is_refused() -> None:
    with pytest.raises(BadInput, match="a bet on player or banker or tie is required"):
        dealt(GAME.at(), ["2"] * 6, **{"player-pair": Fraction(5)})


def test_the_file_is_short_and_the_shoe_is_full() -> None:
    assert len((ROOT / "examples" / "baccarat.py").read_text().splitlines()) < 100
    assert GAME.at().composition == composition(8)
