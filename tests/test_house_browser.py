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


def test_the_pot_is_between_them_and_a_lost_line_loses_nothing(
    house: Running, floor: Floor, come: Callable[..., Person]
) -> None:
    """Flop Poker: one folds, one loses the connection in the middle of his decision and comes back to the same hand."""
    table = floor.table("flop-poker-bonus")
    ann, bob = come("Ann").sits(table, 1), come("Bob", **PHONE).sits(table, 2)
    people = {1: ann, 2: bob}
    deal(people, "pot", "ante")
    for person in people.values():
        expect(person.one("#layer [data-key^='pot']").first).to_contain_text("$10")
    ann.decides()
    ann.chooses("fold")
    bob.decides()
    mine = bob.cards(2)
    bob.context.set_offline(True)
    bob.says("#link", "The connection is lost. Your seat and your bets stay")
    expect(ann.one("#plate-2")).to_have_class(re.compile("turn"))
    assert house.balances()[f"stake:{table}:2"] == 1000
    bob.context.set_offline(False)
    expect(bob.one("#link")).to_have_text("")
    assert bob.cards(2) == mine
    bob.chooses("bet")
    ann.phase("over")
    bob.phase("over")
    agree(house, table, people)
    pots = [cents(line) for person in people.values() for line in _said(person, "Pot")]
    assert len(pots) == 2 and sum(pots) == 0  # what one loses the other wins
    explained(ann, "pot", "ante")


def _said(person: Person, wager: str) -> list[str]:
    """How a bet came out, as a signed amount."""
    found = re.findall(rf"^{wager} (?:(wins|loses) \$([\d,]+)|pushes)", person.one("#outcome").inner_text(), re.M)
    return [f"{'-' if verb == 'loses' else ''}{amount or 0}" for verb, amount in found]


# ---- games that the pages have never heard of


@pytest.mark.parametrize(("title", "wagers"), [("Three Card Poker", ("ante", "pair-plus")), ("My Own Game", ("ante",))])
def test_a_game_from_a_file_is_played_without_code_for_its_page(
    title: str, wagers: tuple[str, ...], house: Running, come: Callable[..., Person]
) -> None:
    """An example, and a file that was written a minute ago; found in the lobby, where the command line has put them."""
    ann = come("Ann", color_scheme="dark")
    ann.goes("/")
    ann.one(".tile", ).filter(has_text=title).locator("a.main").click()
    ann.says("#bar h1", title)
    table = ann.page.url.rsplit("/", 1)[1]
    ann.press("#place #sit-2")
    ann.says("#place", "Buy some play chips")
    ann.press("#cashier form[data-do=buy] button")
    ann.shows("chips", "100.00")
    deal({2: ann}, *wagers)
    play_on({2: ann}, lambda choices: "play")
    explained(ann, *wagers)
    agree(house, table, {2: ann})
    ann.stands(2)


# ---- by keyboard, with computer players, and for the dealer


@pytest.mark.parametrize(("game", "circles"), [("blackjack", ("main", "lucky-lucky")), ("flop-poker-bonus", ("pot", "ante"))])
def test_a_round_by_keyboard_alone_among_computer_players(
    game: str, circles: tuple[str, ...], house: Running, floor: Floor, come: Callable[..., Person]
) -> None:
    table = floor.table(game, seats="4")
    for seat in ("1", "3"):
        assert "computer player" in floor.asks(do="bot", table=table, seat=seat)
    ann = come("Ann")
    key = ann.page.keyboard.press
    ann.goes(f"/t/{table}")
    expect(ann.one("#plate-1 .name")).to_have_text("Computer 1 ⚙")
    key("2")
    ann.says("#place", "Buy some play chips")
    tab_to(ann, "#buy-amount")
    ann.page.keyboard.type("200")
    key("Enter")
    ann.shows("chips", "200.00")
    for circle in circles:
        tab_to(ann, f"#spot-2-{circle}")
        key("+")
    for circle in circles:
        ann.lies(2, circle)
    if game == "blackjack":  # the same circle, for the dealer
        key("t")
        key("+")
        ann.lies(2, circles[-1], tokes=True)
        key("t")
        expect(ann.one("#toke")).to_have_attribute("aria-pressed", "false")
    key("d")
    ann.round(1)
    while ann.phase("playing", "over") != "over":
        if ann.one(".choice").count():
            head = str(ann.one("#shuffle code").last.text_content())
            key(str(ann.one("#choose-1").get_attribute("data-key")))
            expect(ann.one("#shuffle code").last).not_to_have_text(head)
        ann.page.wait_for_timeout(50)
    agree(house, table, {2: ann})
    said = settled(house, table)
    assert {*said["nets"]} == {"1", "2", "3"} and said["players"]["3"].startswith("bot:")
    assert ann.page.evaluate("document.activeElement !== document.body")  # focus was never lost
    if game == "blackjack":
        ann.says("#told", "For the dealer, your Lucky Lucky")
        held = house.balances()
        assert held.get(f"tokes:{table}", 0) in (0, *range(1000, 200_000, 500))
        assert sum(1 for line in ann.one("#told li").all_inner_texts() if line.startswith("For the dealer")) == 1


def tab_to(person: Person, selector: str) -> None:
    for _ in range(60):
        if person.page.evaluate("s => document.activeElement?.matches(s)", selector):
            return
        person.page.keyboard.press("Tab")
    raise AssertionError(f"{selector} cannot be reached by Tab")


# ---- several spots, early bets, insurance, a streak: rounds go by over a socket until there is something to look at


def until(person: Person, table: str, seats: tuple[int, ...], bets: dict[str, str], wanted: Callable[[Any], bool]) -> None:
    """The same person, by a program of his: he sits at these seats and plays until a scene is as it is wanted."""
    player = person.by_socket(table)
    for seat in seats:
        player.do("sit", seat=seat)
    player.do("buy", seat=seats[0], cents=50_000)
    for _ in range(2000):
        scene = player.until(lambda s: s["table"]["phase"] in ("betting", "over"))
        number = scene["table"]["round"]
        if int(float(scene["you"]["chips"])) < 100:
            player.do("cash", seat=seats[0], cents=100)
            player.do("buy", seat=seats[0], cents=20_000)
        for seat in seats:
            player.do("bet", seat=seat, bets=bets)
        player.do("ready")
        scene = player.until(lambda s: s["table"]["round"] > number)
        while scene["table"]["phase"] != "over":
            if wanted(scene):
                return player.close()
            head = scene["table"]["head"]
            player.do("choose", seat=scene["choose"]["seat"], choice=scene["choose"]["choices"][0]["choice"])
            scene = player.until(lambda s, head=head: s["table"]["head"] != head)
        if wanted(scene):
            return player.close()
    raise AssertionError("that never came")


def test_insurance_several_spots_and_a_side_bet_that_is_settled_early(
    house: Running, floor: Floor, come: Callable[..., Person]
) -> None:
    table, ann = floor.table("blackjack", seats="3"), come("Ann", **PHONE)
    bets = {"main": "10", "lucky-lucky": "5", "lucky-break": "5"}
    until(ann, table, (1, 2), bets, lambda s: s["choose"] and s["choose"]["decision"] == "insurance")
    ann.goes(f"/t/{table}")
    ann.says(".deciding h2", "Insurance seat 1")
    assert ann.dealers()[0].startswith("A") and ann.dealers()[1] == "back"
    for seat in (1, 2):  # Lucky Lucky is won or lost before anybody acts, and is shown so
        expect(ann.one(f"#layer .seat[data-seat='{seat}'] .tag").first).to_contain_text(re.compile(r"[+−]\$\d+"))
    ann.chooses("insurance")
    ann.says("#told", "You")
    while ann.phase("playing", "over") != "over":
        if ann.one(".choice").count():
            head = str(ann.one("#shuffle code").last.text_content())
            ann.press("#choose-1")
            expect(ann.one("#shuffle code").last).not_to_have_text(head)
        ann.page.wait_for_timeout(20)
    said, results = settled(house, table), ann.one("#outcome .outcome")
    expect(results).to_have_count(2)
    for place, seat in enumerate((1, 2)):
        assert cents(results.nth(place).locator(".net").inner_text().split("seat")[0]) == said["nets"][str(seat)]
    assert re.search(r"Insurance (wins \$10|loses \$5)", results.nth(0).inner_text())
    assert ann.chips_now() == house.balances()[f"seat:{table}:1"]


def test_a_streak_that_a_seat_carries(house: Running, floor: Floor, come: Callable[..., Person]) -> None:
    """Bluff: a match on the progressive; the page says so until the next hand."""
    table, ann = floor.table("bluff"), come("Ann")
    seats = tuple(range(1, 8))
    carries: list[int] = []

    def one(scene: Any) -> bool:
        carries[:] = [s["seat"] for s in scene["seats"] if s["carried"].get("streak")]
        return bool(carries) and scene["table"]["phase"] == "over"

    until(ann, table, seats, {"ante": "5", "progressive": "5"}, one)
    ann.goes(f"/t/{table}")
    expect(ann.one(".carried").filter(has_text="Streak: 1")).to_have_count(len(carries))
    ann.says(f"#place .spots[data-seat='{carries[0]}']", "Streak: 1")
    ann.says("#outcome", re.compile(r"Progressive wins \$\d+ with match"))
