"""The live house as people meet it: `pitboss serve` in a process of its own, and Chromium. Every promise that a page
makes is held against the vault, which is read from the disk beside the running house."""

import hashlib
import itertools
import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import pitboss as pb
from browsing import PHONE, Floor, Person, Running, cents, chromium, expect, running, visit
from pitboss.vault import Vault

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
        floor.clear()


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
            person.chooses(choose([str(one.get_attribute("data-choice")) for one in asked]))
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
        given = re.findall(r"For the dealer you bet \$([\d,]+)", person.one("#outcome").first.inner_text())
        explains = sum(cents(amount) * (1 if won == "wins" else -1) for won, amount in parts)
        assert explains - sum(cents(amount) for amount in given) == person.net()
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


def test_a_button_that_is_pressed_stays_until_it_is_let_go(floor: Floor, come: Callable[..., Person]) -> None:
    """Somebody else sits down while the mouse is down, and the place is drawn anew only after the click."""
    table = floor.table("bluff")
    ann, bob = come("Ann"), come("Bob")
    ann.goes(f"/t/{table}")
    ann.one("#place #sit-1").hover()
    ann.page.mouse.down()
    many = len(ann.frames)
    line = bob.by_socket(table)
    line.do("sit", seat=3)
    while len(ann.frames) == many:  # the new scene has come
        ann.page.wait_for_timeout(20)
    expect(ann.page.locator("#place #sit-3")).to_be_attached()
    ann.page.mouse.up()
    ann.says("#place", "Buy some play chips")
    line.close()


@pytest.mark.parametrize("game", ROUNDS)
def test_a_whole_round_of_two_people(game: str, house: Running, floor: Floor, come: Callable[..., Person]) -> None:
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
                    assert not [text for text in frames if f"#card-{his}" in text or f'data-card=\\"{his}' in text]
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
            ann.chooses()
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


# ---- what the dealer does is watched


WATCHED = """() => {
    window.seen = [];
    const note = () => window.seen.push({
        said: [...document.querySelectorAll('#say p')].map((p) => p.textContent),
        lie: [...document.querySelectorAll('#layer .card')].filter((g) => !g.closest('.held'))
            .map((g) => g.dataset.key + ' ' + g.querySelector('use').getAttribute('href').replace('#jumbo-', '')),
        tags: [...document.querySelectorAll('#layer .tag')].filter((g) => !g.querySelector('.held')).length,
        nets: document.querySelectorAll('#layer .plate .net').length,
        told: document.querySelectorAll('#chips-now .brought').length,
        outcome: document.querySelectorAll('#outcome .outcome:not(.before)').length,
    });
    new MutationObserver(note).observe(document.querySelector('#say'), { childList: true });
}"""


def test_the_dealer_is_watched_as_he_acts(floor: Floor, come: Callable[..., Person]) -> None:
    """Pack's Poker is over with the deal: all the same it is dealt, turned, settled and paid one after the other, and a
    reload shows the end of it with the words that were said."""
    table = floor.table("packs-poker", seats="2")
    ann = come("Ann", reduced_motion="no-preference").sits(table, 1)
    ann.bets(1, "pack", "pack-2")
    ann.page.evaluate(WATCHED)
    ann.ready()
    expect(ann.one("#outcome .outcome:not(.before)")).to_have_count(1)
    expect(ann.one(".held")).to_have_count(0)
    seen = ann.page.evaluate("window.seen")
    assert len(seen) > 8 and len(seen[0]["lie"]) < len(seen[-1]["lie"])
    grows = [len(one["said"]) for one in seen]
    assert all(later - sooner in (0, 1) for sooner, later in itertools.pairwise(grows)), grows  # line by line
    hole = [[face for face in one["lie"] if face.startswith("dealer-")] for one in seen]
    turned = next(i for i, faces in enumerate(hole) if faces and not any("back" in face for face in faces))
    assert any("back" in face for faces in hole[:turned] for face in faces)  # first the back, then the face
    assert not any(one["tags"] or one["nets"] or one["outcome"] or one["told"] for one in seen[:turned])
    said = ann.one("#say p").all_inner_texts()
    ann.page.reload()
    ann.phase("over")
    assert ann.one("#say p").all_inner_texts()[-3:] != [] and not any("Shoe 1" in line for line in said)  # of one round
    ann.says("#told", "The dealer turns up")
    expect(ann.one(".held")).to_have_count(0)


def test_who_acts_waits_for_nothing(floor: Floor, come: Callable[..., Person]) -> None:
    """A key that is pressed while the dealer still acts: all lies there at once. And what was bet is bet again, in a
    game that asks for nothing."""
    table = floor.table("packs-poker", seats="2")
    ann = come("Ann", reduced_motion="no-preference").sits(table, 1)
    ann.bets(1, "pack", "pack-2")
    ann.ready()
    ann.round(1)
    expect(ann.one(".held").first).to_be_attached()
    ann.page.keyboard.press("a")
    assert ann.one(".held").count() == 0
    for wager in ("pack", "pack-2"):
        ann.lies(1, wager)
    ann.phase("betting")


def test_a_key_that_is_pressed_twice_or_held_down_is_pressed_once(floor: Floor, come: Callable[..., Person]) -> None:
    table = floor.table("blackjack", seats="1")
    ann = come("Ann").sits(table, 1)
    key = ann.page.keyboard
    while True:
        ann.bets(1, "main")
        key.press("d")
        key.press("d")
        ann.phase("playing", "over")
        if ann.phase("playing", "over") == "playing" and ann.one(".choice[data-choice=double]").count():
            break
        play_on({1: ann})
    assert "double" not in ann.one("#told").inner_text()
    key.press("d")
    expect(ann.one(".choice[data-choice=double]")).to_have_attribute("data-key", "o")
    play_on({1: ann}, lambda choices: "stand" if "stand" in choices else choices[0])
    key.down("t")
    key.down("t")
    key.down("t")
    expect(ann.one("#toke")).to_have_attribute("aria-pressed", "true")
    key.up("t")


def test_a_circle_that_takes_no_bets_for_the_dealer_says_so(floor: Floor, come: Callable[..., Person]) -> None:
    table = floor.table("blackjack", seats="1")
    ann = come("Ann").sits(table, 1)
    ann.bets(1, "main", "lucky-lucky")
    ann.press("#toke")
    ann.says("#hint", "The next chips are for the dealer.")
    none = ann.one(".circle[data-tokes='0']").first
    name = str(none.get_attribute("data-called"))
    before = ann.one(".spots").get_attribute("data-bets")
    none.click()
    ann.says("#refused", f"{name} takes no bets for the dealer.")
    assert ann.one(".spots").get_attribute("data-bets") == before


# ---- games that the pages have never heard of


@pytest.mark.parametrize(("title", "wagers"), [("Three Card Poker", ("ante", "pair-plus")), ("My Own Game", ("ante",))])
def test_a_game_from_a_file_is_played_without_code_for_its_page(
    title: str, wagers: tuple[str, ...], house: Running, come: Callable[..., Person]
) -> None:
    """An example, and a file that was written a minute ago; found in the lobby, where the command line has put them."""
    ann = come("Ann", color_scheme="dark")
    ann.goes("/")
    ann.follows(ann.one(".tile").filter(has_text=title).locator("a.main"))
    ann.says("#bar h1", title)
    ann.page.wait_for_load_state()
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


@pytest.mark.parametrize(
    ("game", "circles"), [("blackjack", ("main", "lucky-lucky")), ("flop-poker-bonus", ("pot", "ante"))]
)
def test_a_round_by_keyboard_alone_among_computer_players(
    game: str, circles: tuple[str, ...], house: Running, floor: Floor, come: Callable[..., Person]
) -> None:
    table = floor.table(game, seats="4")
    for seat in ("1", "3"):
        floor.asks(do="bot", table=table, seat=seat)
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
            ann.chooses(key=True)
        ann.page.wait_for_timeout(50)
    agree(house, table, {2: ann})
    said = settled(house, table)
    assert {*said["nets"]} == {"1", "2", "3"} and said["players"]["3"].startswith("bot:")
    assert ann.page.evaluate("document.activeElement !== document.body")  # focus was never lost
    if game == "blackjack":
        ann.says("#told", "For the dealer, your Lucky Lucky")
        ann.says("#outcome", "For the dealer you bet $5")
        found = next(line for line in ann.one("#told li").all_inner_texts() if line.startswith("For the dealer"))
        takes = re.search(r"he takes \$(\d+)", found)
        assert house.balances().get(f"tokes:{table}", 0) == (cents(takes[1]) if takes else 0)


def tab_to(person: Person, selector: str) -> None:
    for _ in range(60):
        if person.page.evaluate("s => document.activeElement?.matches(s)", selector):
            return
        person.page.keyboard.press("Tab")
    raise AssertionError(f"{selector} cannot be reached by Tab")


# ---- several spots, early bets, insurance, a streak: rounds go by over a socket until there is something to look at


def until(
    person: Person, table: str, seats: tuple[int, ...], bets: dict[str, str], wanted: Callable[[Any], bool]
) -> None:
    """The same person, by a program of his: he sits at these seats and plays until a scene is as it is wanted."""
    player = person.by_socket(table)

    def do(what: str, **body: Any) -> None:
        while not (answer := player.ask(what, **body)).get("ok"):
            assert "too fast" in answer["refused"], answer  # a person does so much a second; a program waits
            person.page.wait_for_timeout(300)

    for seat in seats:
        do("sit", seat=seat)
    do("buy", seat=seats[0], cents=50_000)
    for _ in range(2000):
        scene = player.until(lambda s: s["table"]["phase"] in ("betting", "over"))
        number = scene["table"]["round"]
        if int(float(scene["you"]["chips"])) < 100:
            do("buy", seat=seats[0], cents=10_000)
        for seat in seats:
            do("bet", seat=seat, bets=bets)
        do("ready")
        scene = player.until(lambda s, number=number: s["table"]["round"] > number)
        while scene["table"]["phase"] != "over":
            if wanted(scene):
                return player.close()
            head = scene["table"]["head"]
            do("choose", seat=scene["choose"]["seat"], choice=scene["choose"]["choices"][0]["choice"])
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
            ann.chooses()
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


# ---- coach, history, replay


def test_the_coach_the_history_and_a_replay_that_is_shown_to_a_supervisor(
    browser: Any, house: Running, floor: Floor, come: Callable[..., Person]
) -> None:
    table = floor.table("bluff")
    ann = come("Ann").sits(table, 1)
    deal({1: ann}, "ante", "suit-tie")
    ann.decides()
    assert ann.one(".choice .worth").count() == 0  # who has not asked is not told
    ann.opens("#cashier")
    ann.press("#coach")
    expect(ann.one(".choice .worth")).to_have_count(3)
    mine = ann.cards(1)[0]
    study = pb.study("bluff")
    row = next(row for row in study.chart("first action") if row.sees == mine[0].replace("T", "10"))
    said = {
        str(one.get_attribute("data-choice")): one.locator(".worth").inner_text() for one in ann.one(".choice").all()
    }
    top = max(row.values.values())
    for choice, value in row.values.items():
        assert re.fullmatch(
            rf"{'−' if value < 0 else '[+]'}[$]\d+[.]\d\d{', best' if value == top else ''}", said[choice]
        )
    play_on({1: ann})
    deal({1: ann}, "ante", "suit-tie")
    play_on({1: ann})

    # the player's own results against what was to be expected
    ann.follows(ann.one("#told a").filter(has_text="Past rounds"))
    expect(ann.one("tbody tr")).to_have_count(2)
    ann.waits_for(f"/t/{table}/history", lambda page: "Expected" in page)
    nets = [event.body["nets"]["1"] for event in house.events(table, "settle")]
    told = dict(zip(ann.one(".figures dt").all_inner_texts(), ann.one(".figures dd").all_inner_texts(), strict=True))
    assert (
        told["All the rounds you played here"] == "2"
        and told["Your opening bets"] == "$20"
        and cents(told["Your result"]) == sum(nets)
    )
    edges = [float(study.wager(wager).edge) for wager in ("ante", "suit-tie")]
    assert told["Expected"] == f"−${10 * sum(edges):.2f}"

    # card by card
    ann.follows(ann.one("tbody tr").last.locator("a"))
    ann.says("h2", "Round 1")
    steps = int(ann.one("#step").get_attribute("max") or 0)
    lie: list[int] = []
    ann.page.keyboard.press("Home")
    expect(ann.one("#at")).to_have_text("0")
    for step in range(steps + 1):
        expect(ann.page).to_have_url(re.compile(rf"step={step}$"))
        lie.append(ann.one("#layer [data-card]").count())
        ann.page.keyboard.press("ArrowRight")
    assert lie[0] == 0 and lie == sorted(lie) and lie[-1] == 2 and lie[steps // 2] in (0, 1, 2)
    ann.says("#outcome", "Ann")

    # a supervisor, and somebody without a name here, are shown it
    link = ann.one("#share").input_value()
    with visit(browser, house, "Guest") as guest:
        guest.page.goto(link)
        guest.says("h2", "Round 1")
        assert "token" not in guest.page.url and guest.cards(1) == []  # it begins at its beginning
        guest.one("#last").click()
        guest.says("#outcome", "Ann")
        assert guest.cards(1) == [mine]
        expect(guest.one(".out, #place a[href$=history]")).to_have_count(0)  # nothing that he is not let in to
        guest.page.reload()
        guest.says("h2", "Round 1")
    with visit(browser, house, "Late") as late:
        late.page.goto(link)
        late.says("main", "This link was used before")
        late.wrong.clear()  # the browser notes the answer 404
    ann.page.reload()
    assert ann.one("#share").input_value() != link
    with visit(browser, house, "Supervisor", storage_state=floor.boss.context.storage_state()) as boss:
        boss.page.goto(ann.one("#share").input_value())
        boss.says("h2", "Round 1")
        boss.one("#last").click()
        boss.says("#outcome", "Ann has")
        assert boss.cards(1) == [mine] and "you" not in boss.one("#outcome").inner_text()


# ---- the shuffle


def test_the_page_finds_out_whether_a_shoe_is_true(house: Running, floor: Floor, come: Callable[..., Person]) -> None:
    """Pack's Poker, where every round is a shoe of its own: the house's record, and the same with something changed on
    its way to the browser; and at last the right record, of other cards than lay before her."""
    table, ann, lies = floor.table("packs-poker", seats="2"), come("Ann"), list[str]()
    ann.page.route_web_socket("**/ws/**", partial(_lied_to, lies, "place"))
    ann.sits(table, 1)
    ann.opens("#shuffle-more")
    ann.one("#seed").fill("the seed of Ann")
    ann.press("#shuffle form button")
    ann.says("#shuffle", "Your seed in this shoe: the seed of Ann")
    bound = ann.one("#shuffle code").first.text_content()
    deal({1: ann}, "pack")
    seen = len(shown(ann))
    said = f"Shoe 1 is true: all 16 cards are those of its shuffle. {seen} of them were seen here, in 1 of 1 round."
    ann.says("#verdict", said)
    assert seen == 16
    record = house.events(table, "reveal")[-1].body
    assert record["seeds"] == {"1": "the seed of Ann"}
    assert hashlib.sha256(bytes.fromhex(record["secret"])).hexdigest() == bound

    def one_card(record: Any) -> None:
        cards = record["deals"][0]["cards"]
        cards[0] = next(card for card in record["cards"] if card not in cards)

    def the_secret(record: Any) -> None:
        record["secret"] = "00" * 32

    def the_seed(record: Any) -> None:
        record["seeds"] = []

    def the_round(record: Any) -> None:
        record["deals"] = []

    for shoe, change in enumerate((one_card, the_secret, the_seed, the_round), 2):
        if change is the_seed:
            ann.one("#seed").fill("another seed")
            ann.press("#shuffle form button")
            ann.says("#shuffle", "another seed")

        ann.page.route(f"**/fair/{table}/{shoe}.json", partial(_changed, change))
        deal({1: ann}, "pack")
        ann.says("#verdict", f"Shoe {shoe} is NOT true")
    with ann.page.expect_response(f"**/fair/{table}/6.json"):
        deal({1: ann}, "pack")
    ann.page.wait_for_timeout(300)  # it is true, and does not make good for the one before
    ann.says("#verdict", "Shoe 5 is NOT true")
    lies.append("As")
    deal({1: ann}, "pack")
    ann.says("#verdict", re.compile(r"Shoe 7 is NOT true: round 7: As was seen (\d times )?on the felt, and was"))
    lies.clear()
    ann.page.evaluate("sessionStorage.setItem('who', 'somebody at another house')")
    ann.goes(f"/t/{table}")  # what was kept there says nothing of this one, where shoe 7 lies there and 8 is next
    assert ann.page.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('shoe ')).length") == 2
    deal({1: ann}, "pack")
    ann.says("#verdict", "Shoe 8 is true")


def shown(person: Person) -> list[str]:
    """The faces on his felt."""
    found = person.one("#layer [data-card]").all()
    return [card for one in found if (card := str(one.get_attribute("data-card"))) != "back"]


def test_the_page_has_compared_a_shoe_with_what_it_has_shown(
    house: Running, floor: Floor, come: Callable[..., Person]
) -> None:
    """Blackjack from one deck, a shoe of several rounds: somebody plays it and loads the page in the middle, somebody
    comes late and watches, and to others other cards are shown than are dealt."""
    table, lies = floor.table("blackjack", seats="1", **{"option:decks": "1"}), list[str]()
    ann, bob, cheated = come("Ann").sits(table, 1), come("Bob"), [come("Bob"), come("Bob")]
    for other, section in zip(cheated, ("layer", "seats"), strict=True):
        other.page.route_web_socket("**/ws/**", partial(_lied_to, lies, section))
        other.goes(f"/t/{table}")
    faces: list[list[str]] = []
    while not house.events(table, "reveal"):
        if len(faces) == 2:
            bob.goes(f"/t/{table}")
            ann.goes(f"/t/{table}")
        deal({1: ann}, "main")
        play_on({1: ann})
        faces.append(shown(ann))
        for other in (*cheated, *([bob] if len(faces) > 2 else [])):  # who only looks on sees it a little later
            other.round(len(faces))
            other.phase("over")
        lies[:] = faces[0][:1]  # from now on every card looks like this one to him, which is gone
    rounds, used = len(faces), sum(event.body["used"] for event in house.events(table, "settle"))
    assert rounds > 2
    true = f"Shoe 1 is true: all {used} cards are those of its shuffle."
    ann.says("#verdict", f"{true} {sum(map(len, faces))} of them were seen here, in {rounds} of {rounds} rounds.")
    words = f"{sum(map(len, faces[1:]))} of them were seen here, in {rounds - 1} of {rounds} rounds."
    bob.says("#verdict", f"{true} {words} What binds the house was shown here after round 2 was dealt.")
    for other in cheated:
        other.says("#verdict", f"Shoe 1 is NOT true: round 2: {lies[0]} was seen on the felt, and was not dealt.")


def _lied_to(lies: list[str], section: str, socket: Any) -> None:
    """A house that shows one card for another, in one part of the page."""
    server = socket.connect_to_server()

    def drawn(found: re.Match[str]) -> str:
        return re.sub(r"(#(?:jumbo|card)-)(?!back)\w+", rf"\g<1>{lies[0]}", found[0]) if lies else found[0]

    server.on_message(
        lambda message: socket.send(re.sub(rf'<section id=\\"{section}\\".*?</section>', drawn, str(message)))
    )


def _changed(change: Callable[[Any], None], route: Any) -> None:
    found = route.fetch().json()
    change(found)
    route.fulfill(json=found)


# ---- the sign on the wall


def test_the_sign_shows_meters_while_bets_are_made_at_two_tables(
    house: Running, floor: Floor, come: Callable[..., Person]
) -> None:
    group = "The wall"
    tables = [floor.table("bluff", group=group, seats="2") for _ in range(2)]
    wall, ann = come("Bob", viewport={"width": 1920, "height": 1080}), come("Ann")
    wall.goes(f"/sign/{group}")
    meter = wall.one(".jackpot .big")
    expect(meter).to_have_text("$10,000")
    expect(wall.one(".board")).to_have_count(2)
    wall.says(".board >> nth=0", "$5 to $500")
    for shows, table in zip(("$10,001.50", "$10,003"), tables, strict=True):
        player = ann.by_socket(table)
        player.do("sit", seat=1)
        player.do("buy", seat=1, cents=2_000)
        player.do("bet", seat=1, bets={"ante": "5", "progressive": "5"})
        player.do("ready")
        expect(meter).to_have_text(shows)
        player.close()
    assert house.balances()[f"meter:{group}:meter"] == 1_000_300
    third = floor.table("bluff", group=group, seats="2")  # all else follows within some seconds
    wall.says(".board >> nth=2", "$5 to $500")
    floor.asks(**{"do": "limits", "table": third, "table-min": "25", "table-max": "1000"})
    wall.says(".board >> nth=2", "$25 to $1,000")
    floor.asks(do="close", table=third)
    expect(wall.one(".board")).to_have_count(2)
    more = [floor.table("bluff", group=group, seats="2") for _ in range(11)]
    expect(wall.one(".board")).to_have_count(13)
    wall.page.wait_for_function("document.documentElement.scrollHeight <= innerHeight")
    assert len(more) == 11
    for one in more:
        floor.asks(do="close", table=one)


# ---- the floor


def test_a_supervisor_runs_a_table_from_the_floor(house: Running, floor: Floor, come: Callable[..., Person]) -> None:
    """Every form of the page, by mouse: what it does to the table is seen at the table and in the log."""
    boss, ann = floor.boss, come("Ann")
    boss.goes("/supervisor")
    form = boss.one("#open details.box, .boxes > details").filter(has_text="Bluff").first
    form.locator("> summary").click()
    form.get_by_label("Name of the table").fill("The High Table")
    form.get_by_label("Seats").fill("2")
    form.get_by_label("Under the rules of").select_option("washington")
    form.get_by_text("Rules of the house").click()
    form.get_by_label("table-max").fill("500")
    form.locator("button.main").click()
    boss.says(".problem", "above the $400 that WAC 230-15-140 allows")
    assert form.get_by_label("Name of the table").input_value() == "The High Table"  # what was typed is there still
    form.get_by_label("table-max").fill("")
    form.locator("button.main").click()
    boss.says(".told-you", "The High Table is open.")
    box = boss.one(".box").filter(has=boss.page.locator("h3 a", has_text="The High Table"))
    table = str(box.locator("h3 a").get_attribute("href")).rsplit("/", 1)[1]
    expect(box).to_contain_text("$5 – $400 · washington")

    def sets(button: str, fields: dict[str, str], says: str, wrong: bool = False) -> None:
        if not box.locator("details").evaluate("d => d.open"):
            box.locator("summary").click()
        for label, value in fields.items():
            box.get_by_label(label).fill(value)
        box.get_by_role("button", name=button).click()
        boss.says(".problem" if wrong else ".told-you", says)

    sets(
        "Set limits", {"Least bet": "10", "Largest bet": "450"}, "above the $400 that WAC 230-15-140 allows", wrong=True
    )
    sets("Set limits", {"Least bet": "10", "Largest bet": "300"}, "the limits are set")
    sets("Set pace", {"Seconds to bet": "0", "Seconds to act": "3600"}, "the pace is set")
    ann.sits(table, 1)
    ann.says("#bar", "$10 – $300")
    box.get_by_role("button", name="Pause").click()
    boss.says(".told-you", "paused")
    ann.says("#say", "The table is paused.")
    ann.says("#place", "The table is paused; bets are taken when it goes on.")
    box.get_by_role("button", name="Go on").click()
    boss.says(".told-you", "it goes on")
    deal({1: ann}, "ante")
    ann.decides()
    assert int(ann.one("#clock b").inner_text()) > 0  # the countdown of the pace that was set
    chips = house.balances()
    sets("Void", {"Void the round in play, because": "a card was exposed"}, "the round is void")
    ann.says("#told", "The round is void: a card was exposed. All bets are back.")
    ann.phase("betting", "over")
    after = house.balances()
    assert after[f"seat:{table}:1"] == chips[f"seat:{table}:1"] + chips[f"stake:{table}:1"]
    assert house.events(table, "void")[-1].body["reason"] == "a card was exposed"
    deal({1: ann}, "ante")
    play_on({1: ann})
    before = house.balances()[f"purse:{house.id_of('Ann')}"]
    person = boss.one("details").filter(has=boss.page.locator("summary", has_text="Ann"))
    boss.goes("/supervisor")
    person.locator("summary").click()
    person.get_by_label("Add, or take with −, dollars").fill("-12.50")
    person.get_by_label("Because").fill("a mistake at the cage")
    person.get_by_role("button", name="Adjust").click()
    boss.says(".told-you", "The purse of Ann is adjusted.")
    assert house.balances()[f"purse:{house.id_of('Ann')}"] == before - 1250
    expect(ann.one(".head .purse")).to_have_text(
        re.compile(re.escape(f"${(before - 1250) / 100:,.2f}".removesuffix(".00")))
    )

    # win against theory, recalled by its number, closed
    row = boss.one("tbody tr").filter(has_text="The High Table")
    boss.waits_for("/supervisor", lambda page: "not counted yet" not in page)
    cells = row.locator("td").all_inner_texts()
    nets = [event.body["nets"]["1"] for event in house.events(table, "settle")]
    assert int(cells[0]) == len(nets) and cents(cells[2]) == -sum(nets)
    low, high = (cents(text) for text in cells[4].split(" to "))
    assert abs((low + high) / 2 - cents(cells[3])) <= 1 and low < cents(cells[3]) < high
    expect(row.locator(".band")).to_have_attribute("aria-label", re.compile("side the band"))
    number = settled(house, table)["round"]
    box.locator("summary").click()
    box.get_by_label("Recall round").fill(str(number))
    box.get_by_role("button", name="Recall").click()
    boss.says("h2", f"Round {number}")
    expect(boss.one("#step")).to_have_value("0")
    boss.one("#last").click()
    boss.says("#outcome", "Ann")
    boss.goes("/supervisor")
    box.get_by_role("button", name="Close").click()
    boss.says(".told-you", "The High Table: closed.")
    ann.says("#say", "The table is closed.")
    ann.says("#place", "What you had here is in your purse.")
    ann.says("#verdict", re.compile(r"Shoe \d+ is true"))  # there is no next shoe that would bring the check
    assert house.balances().get(f"seat:{table}:1", 0) == 0


def test_who_may_see_the_log_and_who_is_turned_away(
    browser: Any, house: Running, floor: Floor, come: Callable[..., Person]
) -> None:
    boss, ann = floor.boss, come("Ann")
    for path, whose in (("/supervisor", "the supervisor"), ("/audit", "the supervisor or the auditor")):
        shut = ann.context.request.get(f"{house.address}{path}")
        assert shut.status == 403 and f"This page is for {whose}; you are here as Ann, a player." in shut.text()

    def invites(name: str, role: str) -> str:
        boss.goes("/supervisor")
        form = boss.one("form.stack-form").filter(has_text="Invite somebody")
        form.get_by_label("Name").fill(name)
        form.get_by_label("As").select_option(role)
        form.get_by_role("button", name="Make a link").click()
        boss.says(".told-you", f"The link for {name} is below; it works once.")
        return boss.one("p").filter(has_text=name).locator("input").input_value()

    auditor_link, player_link = invites("Olga", "auditor"), invites("Carl", "player")
    with visit(browser, house, "Olga", accept_downloads=True) as olga:
        olga.page.goto(auditor_link)
        olga.press("button.main")
        olga.says("h1", "The log and its chain")
        olga.waits_for("/audit", lambda page: "being checked" not in page)
        olga.says("[role=status]", "every event follows from the one before it")
        said = re.findall("[0-9a-f]{64}", olga.one("main").inner_html())
        with Vault.open(house.db, only_read=True) as vault:
            assert said[0] in {event.hash for event in vault.events()}
        olga.one("input[name=kind]").fill("open")
        olga.follows(olga.one("form[role=search] button"))
        assert {*olga.one("tbody td:nth-child(4)").all_inner_texts()} == {"open"}
        with olga.page.expect_download() as got:
            olga.one("a[download]").first.click()
        lines = Path(got.value.path()).read_text().splitlines()
        assert json.loads(lines[0])["seq"] == 1 and len(lines) > 10
        with olga.page.expect_download() as got:
            olga.one("a[download]").last.click()
        assert Path(got.value.path()).read_text().startswith("account,cents,name\ncage,")
        headers = {"Origin": house.address}
        answer = olga.context.request.post(f"{house.address}/supervisor", headers=headers, max_redirects=0,
                                           form={"do": "pause", "table": "t1", "paused": "1"})  # fmt: skip
        assert answer.status == 403 and not house.events("t1", "pause")
        olga.goes("/t/t1")
        olga.says("#place", "You are watching")
        expect(olga.one("#place button")).to_have_count(0)
    with visit(browser, house, "Carl") as carl:
        carl.page.goto(player_link)
        carl.press("button.main")
        carl.goes("/t/t1")
        carl.says("#place", "You are watching")
        boss.goes("/supervisor")
        person = boss.one("details").filter(has=boss.page.locator("summary", has_text="Carl"))
        person.locator("summary").click()
        person.get_by_role("button", name="Turn away").click()
        boss.says(".told-you", "Carl is turned away.")
        carl.says("#link", "You were turned away.")
        carl.page.reload()
        carl.says("h1", "You are invited")
