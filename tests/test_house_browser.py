"""The live house as people meet it: `pitboss serve` in a process of its own, and Chromium. Every promise that a page makes
is held against the vault, which is read from the disk beside the running house."""

import itertools
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from browsing import PHONE, Floor, Person, Running, cents, chromium, expect, running, visit

EXAMPLE = "examples/three_card_poker.py"
OWN = '''"""One card each; the higher wins."""

from pitboss.rules import DEALER, DOWN, LOSE, PLAYER, Game, Table, Wager, compare


def play(t: Table) -> None:
    mine = t.deal(PLAYER, 1, face=DOWN)
    his = t.deal(DEALER, 1, face=DOWN)
    if t.decide("fold", "play") == "play":
        t.bet("play")
        t.reveal(DEALER)
        result = compare(mine[0].rank, his[0].rank)
        t.settle(ante=result, play=result)
    else:
        t.settle(ante=LOSE)


GAME = Game(
    name="my-own-game",
    title="My Own Game",
    play=play,
    wagers=(Wager("ante", "your card is higher", required=True), Wager("play", "the same again", equal_to="ante")),
)
'''


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def house(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("house")
    own = folder / "my_own_game.py"
    own.write_text(OWN)
    with running(folder, "bluff", EXAMPLE, str(own), games=(EXAMPLE, str(own))) as found:
        yield found


@pytest.fixture(scope="module")
def floor(browser: Any, house: Running) -> Iterator[Floor]:
    """The supervisor comes in by the link that the command printed."""
    with visit(browser, house, "Supervisor") as boss:
        boss.page.goto(house.link)
        boss.press("button.main")
        boss.says("h1", "The floor")
        yield Floor(boss, itertools.count(1))


@pytest.fixture(scope="module")
def cookies(browser: Any, house: Running) -> dict[str, Any]:
    """People come in by name, once; later their browsers remember them."""
    out = {}
    for name in ("Ann", "Bob"):
        with visit(browser, house, name) as person:
            person.goes("/")
            person.one("input[name=name]").fill(name)
            person.press("button.main")
            person.says("h1", f"Good to see you, {name}")
            person.says(".head .purse", "$1,000")
            out[name] = person.context.storage_state()
    return out


@pytest.fixture
def come(browser: Any, house: Running, floor: Floor, cookies: dict[str, Any]) -> Iterator[Callable[..., Person]]:
    """Somebody who is known opens a browser; his purse is never the reason why a test fails."""
    with ExitStack() as open_:

        def comes(name: str, **how: Any) -> Person:
            floor.asks(do="adjust", player=house.id_of(name), dollars="500", reason="to play on")
            return open_.enter_context(visit(browser, house, name, storage_state=cookies[name], **how))

        yield comes


# ---- whole rounds, two people

ROUNDS = {
    "bluff": ("ante", "suit-tie", "progressive"),
    "flop-poker-bonus": ("pot", "ante", "3-card-bonus"),
    "packs-poker": ("pack", "ante-bonus", "pack-2", "ante-bonus-2", "pack-3", "ante-bonus-3"),
    "blackjack": ("main", "lucky-lucky", "lucky-break"),
}


def deal(people: dict[int, Person], *wagers: str) -> None:
    """Everybody bets on these circles and says that he is ready."""
    number = int(next(iter(people.values())).one("#bar").get_attribute("data-round") or 0)
    for seat, person in people.items():
        person.phase("betting", "over")
        person.bets(seat, *wagers)
    for person in people.values():
        person.ready()
    for person in people.values():
        person.round(number + 1)


def play_on(people: dict[int, Person], choose: Callable[[list[str]], str] = lambda choices: choices[0]) -> None:
    """Whoever is asked chooses, until the round is over for all."""
    first = next(iter(people.values()))
    while first.phase("playing", "over") != "over":
        for person in people.values():
            if not (asked := person.one(".choice[data-choice]").all()):
                continue
            head = person.one("#shuffle code").last.text_content()
            person.chooses(choose([str(one.get_attribute("data-choice")) for one in asked]))
            expect(person.one("#shuffle code").last).not_to_have_text(str(head))
        first.page.wait_for_timeout(20)
    for person in people.values():
        person.phase("over")


def settled(house: Running, table: str) -> Any:
    return house.events(table, "settle")[-1].body


def agree(house: Running, table: str, people: dict[int, Person]) -> None:
    """What the pages say of the round is what the vault says: results, chips, and what they explain."""
    said, held = settled(house, table), house.balances()
    for seat, person in people.items():
        assert person.net() == said["nets"][str(seat)]
        assert person.chips_now() == held[f"seat:{table}:{seat}"]
        parts = re.findall(r"(wins|loses) \$([\d,]+(?:\.\d\d)?)", person.one("#outcome").first.inner_text())
        assert sum(cents(amount) * (1 if won == "wins" else -1) for won, amount in parts) == person.net()
        for other in people.values():
            expect(other.one(f"#plate-{seat} .chips")).to_have_text(re.compile(r"\$"))
            assert cents(other.one(f"#plate-{seat} .chips").text_content() or "") == person.chips_now()
            assert cents(other.one(f"#plate-{seat} .net").text_content() or "") == person.net()


def explained(person: Person, *wagers: str) -> list[str]:
    """The sentence of each bet."""
    lines = person.one("#outcome li").all_inner_texts()
    assert len(lines) >= len(wagers)
    for line in lines:
        assert re.match(r"[A-Z0-9].* (wins \$|loses \$|pushes)", line), line
    assert any(re.search(r"you have .+", line) or "blackjack" in line for line in lines)
    return lines


@pytest.mark.parametrize("game", ROUNDS)
def test_a_whole_round_of_two_people(
    game: str, house: Running, floor: Floor, come: Callable[..., Person]
) -> None:
    """One of them on a phone, where he reloads in the middle of his decision and sees the same hand."""
    table = floor.table(game, **({"option:decks": "1"} if game == "blackjack" else {}))
    ann, bob = come("Ann").sits(table, 1), come("Bob", **PHONE).sits(table, 3)
    people = {1: ann, 3: bob}
    for _ in range(40):  # until there is something to decide for who reloads, and something that he may not see
        since = len(ann.frames), len(bob.frames)
        deal(people, *ROUNDS[game])
        if game == "packs-poker" or _to_decide(ann, bob):
            break
        play_on(people)
    if game == "packs-poker":  # nothing is to be decided: the round is over with the deal
        ann.phase("over")
        bob.page.reload()
        bob.phase("over")
    else:
        hidden = [] if game == "blackjack" else [card for card in ann.cards(1) if card not in bob.cards(3)]
        mine, choices = bob.cards(3), bob.one(".choice").all_inner_texts()
        assert mine and "back" not in mine
        bob.page.reload()
        bob.decides()
        assert bob.cards(3) == mine and bob.one(".choice").all_inner_texts() == choices
        for card in hidden:
            assert not bob.named(card, since[1])
            assert ann.named(card, since[0])  # it can be found
        if game != "blackjack":
            assert set(bob.cards(1)) == {"back"} and set(ann.cards(3)) == {"back"}
        seen = [frames[start:] for frames, start in zip((ann.frames, bob.frames), since, strict=True)]
        assert bob.dealers().count("back") >= 1
        play_on(people)
        if game in ("bluff", "blackjack"):
            his = bob.dealers()[-1] if game == "bluff" else bob.dealers()[1]
            if his not in {*ann.cards(1), *bob.cards(3)}:
                for frames in seen:
                    assert not [text for text in frames if f'#card-{his}' in text or f'data-card=\\"{his}' in text]
                assert any(f'data-card=\\"{his}' in text for text in bob.frames)
    for person in people.values():
        explained(person, *ROUNDS[game])
    agree(house, table, people)
    for seat, person in people.items():
        person.stands(seat)
    assert house.balances().get(f"seat:{table}:1", 0) == house.balances().get(f"seat:{table}:3", 0) == 0


def _to_decide(ann: Person, bob: Person) -> bool:
    """Ann has made her choices, and Bob is asked; his cards tell nothing of hers."""
    while True:
        if bob.phase("playing", "over") == "over":
            return False
        if bob.one(".choice").count():
            return not {*ann.cards(1)} <= {*bob.cards(3)}
        if ann.one(".choice").count():
            ann.press("#choose-1")
        bob.page.wait_for_timeout(20)
