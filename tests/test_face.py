"""The face of the live house: what somebody wrote is text, pages are whole, nothing comes from elsewhere, all that lies
on the table is drawn once, and a table can be played by keyboard alone."""

import itertools
import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from html.parser import HTMLParser
from typing import Any

import pytest

pytest.importorskip("jinja2", reason="the face needs jinja2: pip install 'pitboss[web]'")

from face_scenes import YOU, others, played, replay, scene
from pitboss.felt.letters import width
from pitboss.rules.errors import BadInput
from pitboss.web.face import PAGES, STATIC, layout_of, render
from pitboss.web.face.money import CHIPS, MOST_CHIPS, cents, dollars, offered, signed, stack
from pitboss.web.face.sprites import sprites
from pitboss.web.face.stage import CARD, FAN, SeatStage
from pitboss.web.keys import BETTING, keys

GAMES = ("bluff", "flop-poker-bonus", "packs-poker", "blackjack", "examples/three_card_poker.py")
VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
HOSTILE = """<script>alert("1")</script><img src=x onerror=alert(1)>'"--></style>&{{ 7*7 }}"""
WORDS = ("name", "called", "about", "title", "told", "sentence", "why", "decision", "row", "reason", "choice", "option")


class Page(HTMLParser):
    """A page as a strict reader sees it: every element closed where it should be."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(html)
        self.close()
        self.faults += [f"{tag} is never closed" for tag in self.open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.faults += [f"{tag} has {name} twice" for name, n in Counter(a for a, _ in attrs).items() if n > 1]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes something else")

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def attributes(self, name: str) -> list[str]:
        return [value or "" for _, given in self.elements for key, value in given.items() if key == name]


@lru_cache(maxsize=1)
def scenes() -> list[tuple[str, Any, Any]]:
    """Tables of every game: bets, a decision, a round that is over; and one that somebody watches."""
    found = [(f"{game} {steps}", played(game, steps=steps)) for game in GAMES for steps in (-1, 0, None)]
    out = [(name, scene(session), session) for name, session in found]
    watched = played("bluff")
    return [*out, ("watched", scene(watched, you=None), watched)]


def pages() -> dict[str, str]:
    out = {}
    for name, found, session in scenes():
        out[name] = render("table", found, layout_of(session.house))
    out["replay"] = render("replay", replay(session), layout_of(session.house))
    return out | {name: render(name, data) for name, data in others().items()}


PAGE = pages()


def with_words(data: Any, words: str) -> Any:
    """The same data, with these words wherever somebody may write some."""
    if isinstance(data, dict):
        return {k: words if k in WORDS and isinstance(v, str) else with_words(v, words) for k, v in data.items()}
    if isinstance(data, list):
        return [words if isinstance(x, str) and "Dealer" in x else with_words(x, words) for x in data]
    return data


# ---- pages


def test_every_page_is_shown_here() -> None:
    assert set(PAGES) - {"table", "table-live", "replay-live"} <= set(PAGE)


@pytest.mark.parametrize("name", PAGE)
def test_pages_are_well_formed_and_every_id_is_there_once(name: str) -> None:
    page = Page(PAGE[name])
    assert not page.faults
    ids = Counter(page.attributes("id"))
    assert not [one for one, n in ids.items() if n > 1]
    assert not [one for one in page.attributes("for") if one not in ids]
    local = [one for one in page.attributes("href") if one.startswith("#")]
    assert not [one for one in local if one[1:] not in ids]  # every card, chip and printed circle that is used exists


@pytest.mark.parametrize("name", PAGE)
def test_no_page_wants_what_the_content_policy_refuses(name: str) -> None:
    page = Page(PAGE[name])
    for tag, given in page.elements:
        assert tag != "style" and not any(key.startswith("on") or key == "style" for key in given), (tag, given)
        assert tag != "script" or (given.get("src") or "").startswith("/static/")


@pytest.mark.parametrize("name", PAGE)
def test_every_page_says_that_the_chips_are_play_chips(name: str) -> None:
    assert "Play chips only" in " ".join(Page(PAGE[name]).words)


def test_a_reader_that_finds_faults_can_find_one() -> None:
    assert Page("<p><b>x</p>").faults and Page("<p>").faults and not Page("<p>x<br></p>").faults


def test_nothing_is_asked_of_another_host() -> None:
    elsewhere = re.compile(r"//[A-Za-z0-9]|@import|(?<!\w)url\(")
    for path in STATIC.iterdir():
        text = re.sub(r"/\*.*?\*/|http://www\.w3\.org/2000/svg", "", path.read_text(), flags=re.S)
        assert not elsewhere.search(re.sub(r"(^| )// .*$", "", text, flags=re.M)), path
    assert elsewhere.search('<a href="//b.example">') and elsewhere.search("fetch('https://a.example')")
    for name, html in PAGE.items():
        page = Page(html)
        asked = [v for a in ("src", "href", "action", "data", "srcset", "poster") for v in page.attributes(a)]
        assert not [v for v in asked if not v.startswith(("/", "#", "?")) or v.startswith("//")], name


def test_what_somebody_wrote_is_text() -> None:
    for name, found, session in scenes():
        told = with_words(found, HOSTILE)
        told["say"] = [HOSTILE]
        for page in ("table", "table-live"):
            html = render(page, told, layout_of(session.house))
            read = Page(html)
            assert "<script>alert" not in html and "<img" not in html and not read.faults, name
            assert HOSTILE in "".join(read.words) and "49" not in "".join(read.words).split(), name
    for name, data in others().items():
        if name not in ("rules", "sign"):
            html = render(name, with_words(data, HOSTILE))
            assert "<script>alert" not in html and "<img" not in html and not Page(html).faults, name


def test_a_page_that_is_not_there_is_named() -> None:
    with pytest.raises(BadInput, match="lobby"):
        render("../secrets", {})
    with pytest.raises(BadInput, match="layout"):
        render("table", {})


# ---- what lies on the table


def test_every_card_of_a_scene_is_drawn_once_and_a_hidden_one_is_a_back() -> None:
    for name, found, session in scenes():
        html = render("table-live", found, layout_of(session.house))
        layer = html[html.index('<section id="layer"') : html.index('<section id="say"')]
        lie = [*found["dealer"]["cards"], *(c for p in found["places"] for c in p["cards"])]
        lie += [c for seat in found["seats"] for hand in seat["hands"] for c in hand["cards"]]
        drawn = Counter(Page(layer).attributes("data-card"))
        assert drawn == Counter("back" if c == "??" else c for c in lie), name
        keys = Page(layer).attributes("data-key")
        assert len(keys) == len(set(keys)), name


def test_no_card_is_named_that_the_viewer_may_not_see() -> None:
    """The words and the pictures of a table's sections name the cards of the scene and no other."""
    for name, found, session in scenes():
        html = render("table-live", found, layout_of(session.house))
        seen = {c for p in (found["dealer"], *found["places"]) for c in p["cards"]}
        seen |= {c for seat in found["seats"] for hand in seat["hands"] for c in hand["cards"]}
        shown = set(re.findall(r"#(?:card|jumbo)-(\w+)", html)) | {*Page(html).attributes("data-card")}
        assert shown <= (seen - {"??"}) | {"back"}, name


def test_bets_are_where_their_circles_are() -> None:
    for game in GAMES:
        session = played(game, steps=-1)
        found, layout = scene(session), layout_of(session.house)
        html = render("table-live", found, layout)
        for seat in found["seats"]:
            for wager, amount in seat["stakes"].items():
                if wager not in layout.seats[seat["seat"] - 1].wagers:
                    continue
                spot = layout.seats[seat["seat"] - 1].wagers[wager]
                at = "translate(" + f"{spot.x:.1f}".removesuffix(".0") + " "
                place = html.index(f'data-key="s{seat["seat"]}-{wager}"')
                assert at in html[place - 120 : place] and dollars(amount) in html[place : place + 900], (game, wager)


def test_a_bet_that_is_lost_is_gone_and_one_that_is_won_is_paid() -> None:
    for game in GAMES:
        for seed in range(2):
            session = played(game, steps=None, seed=seed)
            found, layout = scene(session), layout_of(session.house)
            keys = set(Page(render("table-live", found, layout)).attributes("data-key"))
            for seat in found["seats"]:
                for event in seat["settled"]:
                    key = f"s{seat['seat']}-{event['wager']}"
                    if layout.at("pot", event["wager"]):
                        assert key not in keys and (f"{key}-paid" in keys) == (cents(event["pays"]) > 0), (game, key)
                    elif event["wager"] in layout.seats[seat["seat"] - 1].wagers and event["wager"] in seat["stakes"]:
                        assert (key in keys) == (cents(event["net"]) >= 0), (game, key)
                        assert (f"{key}-paid" in keys) == (cents(event["net"]) > 0), (game, key)


def test_tags_and_counts_of_a_hand_that_was_split_do_not_lie_on_each_other() -> None:
    session = played("blackjack", steps=None, wanted="split", seed=1)
    found, layout = scene(session), layout_of(session.house)
    seat = found["seats"][YOU - 1]
    assert len(seat["hands"]) == 4
    one = SeatStage(layout.seats[YOU - 1], seat)
    for some, wide in ((one.tags, 5.4), (one.counts, 5.2)):
        boxes = [(lie.x, lie.y, 9 + wide * len(lie.words)) for lie in some]
        assert len(boxes) >= 4
        for (x, y, w), (x2, y2, w2) in itertools.combinations(boxes, 2):
            assert abs(x - x2) >= w + w2 or abs(y - y2) >= 26
    single = SeatStage(layout.seats[0], scene(played("blackjack", steps=None))["seats"][0])
    top = min(card.y for card in single.cards) - 44
    assert all(count.y - 15 > top for count in single.counts)  # insurance is settled above the cards


def test_a_ten_under_another_card_shows_both_digits() -> None:
    ten = sprites().split('id="jumbo-Th"')[1].split("</g>")[0]
    left, narrow = (float(x) for x in re.findall(r"translate\(([-\d.]+) 1\) scale\(([\d.]+) 1\)", ten)[0])
    half = width("10", 50, True) * narrow / 2
    assert left - half > -CARD / 2 and left + half < -CARD / 2 + FAN + 2


def test_a_circle_says_what_a_bet_needs() -> None:
    """So that the page can tell what is still missing before the house has to refuse anything."""
    found = scene(played("flop-poker-bonus", steps=-1))
    for wager in found["wagers"]:
        wager["one_of"] = ["pot"] if wager["wager"] == "ante" else []
    page = Page(render("table-live", found, layout_of(played("flop-poker-bonus", steps=-1).house)))
    circles = {given["data-wager"]: given for _, given in page.elements if given.get("class") == "circle"}
    told = {name: (given["data-required"], given["data-one-of"]) for name, given in circles.items()}
    assert told == {"pot": ("1", ""), "ante": ("1", "pot"), "3-card-bonus": ("0", "")}


def test_who_has_no_chips_is_told_where_they_come_from() -> None:
    session = played("bluff", steps=-1)
    for chips, purse, first, forms in (
        ("0", "950.00", "Buy some play chips to begin.", ["buy", "seed"]),
        ("0", "0", "Your chips are gone, and your purse is empty. A supervisor can fill it.", ["seed"]),
        ("50", "0", "Pick a chip, then a circle.", ["cash", "seed"]),
    ):
        found = scene(session)
        found["you"] |= {"chips": chips, "purse": purse}
        page = Page(render("table-live", found, layout_of(session.house)))
        assert page.attributes("data-first") == [first]
        assert [given["data-do"] for tag, given in page.elements if tag == "form"] == forms


def test_a_pot_lies_in_one_place() -> None:
    """In the circles before the deal, in the middle while it is played for, and then before who has won it."""
    for steps in (-1, 0, None):
        session = played("flop-poker-bonus", steps=steps)
        found, layout = scene(session), layout_of(session.house)
        page = render("table-live", found, layout)
        keys = Page(page[page.index('<section id="layer"') : page.index('<section id="say"')]).attributes("data-key")
        lie = {key for key in keys if re.fullmatch(r"pot-pot|s\d+-pot(-paid)?", key)}
        betting = {f"s{seat['seat']}-pot" for seat in found["seats"] if "pot" in {**seat["bets"], **seat["stakes"]}}
        won = [(seat["seat"], e) for seat in found["seats"] for e in seat["settled"] if e["wager"] == "pot"]
        winners = {f"s{number}-pot-paid" for number, event in won if event["row"] != "lose"}
        assert lie == (betting if steps == -1 else {"pot-pot"} if steps == 0 else winners)
        assert lie


def test_a_choice_that_cannot_be_paid_says_why() -> None:
    found = scene(played("bluff"))
    why = "raise may take $10, and seat 3 has $0 left; it can check"
    next(one for one in found["choose"]["choices"] if one["choice"] == "raise")["short"] = why
    page = Page(render("table-live", found, layout_of(played("bluff").house)))
    off = [given["data-choice"] for tag, given in page.elements if tag == "button" and "disabled" in given]
    assert off == ["raise"] and f"R{why[1:]}." in " ".join(page.words)
    assert [
        given for tag, given in page.elements if given.get("class") == "hand deciding short"
    ]  # the cashier is there


def test_every_settlement_is_explained() -> None:
    session = played("bluff", steps=None, seed=5)
    words = " ".join(" ".join(Page(render("table", scene(session), layout_of(session.house))).words).split())
    assert re.search(r"Ante (wins|loses) \$\d+ ?: you have (a|an) \w+, the dealer has (a|an) \w+", words)


def test_one_key_for_one_choice() -> None:
    for name, found, session in scenes():
        html = render("table-live", found, layout_of(session.house))
        place = html[html.index('<section id="place"') : html.index('<section id="shuffle"')]
        keys = [
            given["data-key"]
            for tag, given in Page(place).elements
            if tag in ("button", "input") and "data-key" in given
        ]
        assert len(keys) == len(set(keys)), name
        if found["choose"]:
            assert {c["key"] for c in found["choose"]["choices"]} == {*keys}, name


def test_no_choice_has_the_key_of_a_betting_button() -> None:
    """Who presses `D` to be dealt in, and presses it again, has not doubled."""
    assert keys(("hit", "stand", "double", "split")) == {"hit": "h", "stand": "s", "double": "o", "split": "p"}
    assert keys(("check", "call", "raise", "a", "tact")) == {
        "check": "h",
        "call": "l",
        "raise": "r",
        "a": "1",
        "tact": "2",
    }
    html = PAGE["bluff -1"]
    for button, key in BETTING.items():
        assert button == "toke" or re.search(rf'id="{button}"[^>]* data-key="{key}"', html)


def test_the_order_of_narration() -> None:
    """What the table is, what the dealer says, what lies there, and then what one may do."""
    for name, found, session in scenes():
        html = render("table", found, layout_of(session.house))
        places = [html.index(f'<section id="{part}"') for part in ("bar", "say", "seats", "place")]
        assert places == sorted(places), name


def test_pictures_of_a_seat_are_kept_apart() -> None:
    """What was drawn for one viewer is not shown to another who sees less."""
    session = played("bluff")
    layout = layout_of(session.house)
    own, watching = scene(session, you=YOU), scene(session, you=None)
    mine = own["seats"][YOU - 1]["hands"][0]["cards"][0]
    assert f'data-card="{mine}"' in render("table-live", own, layout)
    assert f'data-card="{mine}"' not in render("table-live", watching, layout)


# ---- money


def test_amounts_as_they_are_shown() -> None:
    assert [dollars(x) for x in ("10", "1,250.50", "75/2", "-5", "")] == ["$10", "$1,250.50", "$37.50", "−$5", "$0"]
    assert [signed(x) for x in ("10", "-5", "0")] == ["+$10", "−$5", "$0"]
    assert cents("+$1,000.25") == 100_025 and cents("nonsense") == 0


def test_a_stack_is_worth_its_amount_as_long_as_it_is_drawn_whole() -> None:
    for amount in range(25, 60_000, 25):
        chips = stack(f"{amount / 100}")
        assert chips == sorted(chips, reverse=True) and set(chips) <= set(CHIPS)
        assert sum(chips) == amount or len(chips) == MOST_CHIPS


def test_chips_fit_the_limits() -> None:
    assert offered("5", "500") == [100, 500, 2_500, 10_000, 50_000]
    assert offered("25", "5,000")[0] == 500 and offered("1", "2") == [25, 100]


# ---- in a browser

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def browser_or_skip() -> Any:
    for module in ("starlette", "uvicorn", "websockets", "playwright", "axe_playwright_python"):
        pytest.importorskip(module, reason=f"pages are tried in a browser with {module}: pip install 'pitboss[dev]'")
    if CHROMIUM is None:
        pytest.skip("pages are tried in the system's browser: apt-get install chromium")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    browser_or_skip()
    from playwright.sync_api import sync_playwright

    quiet = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync"]  # fmt: skip
    with sync_playwright() as p:
        found = p.chromium.launch(executable_path=CHROMIUM, args=quiet)
        yield found
        found.close()


@pytest.fixture(scope="module")
def house() -> Iterator[tuple[Any, str]]:
    browser_or_skip()
    from face_server import MadeUp, Served

    made = MadeUp("bluff")
    with Served(made) as at:
        yield made, at


@pytest.fixture
def page(browser: Any, house: tuple[Any, str]) -> Iterator[Any]:
    """A page that notes whatever is asked of another host, and whatever goes wrong."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    found = context.new_page()
    found.set_default_timeout(120_000)  # the machine may be busy; nothing is asserted about time
    found.foreign, found.wrong = [], []
    found.on("request", lambda r: r.url.startswith((house[1], "data:")) or found.foreign.append(r.url))
    found.on("pageerror", lambda e: found.wrong.append(str(e)))
    found.on("console", lambda m: m.type == "error" and "404" not in m.text and found.wrong.append(m.text))
    yield found
    assert not found.foreign and not found.wrong
    context.close()


def until(page: Any, what: str) -> None:
    """Asked from outside: the page's own policy lets nobody evaluate text inside."""
    for _ in range(400):
        if page.evaluate(what):
            return
        page.wait_for_timeout(25)
    raise AssertionError(what)


def tab_to(page: Any, selector: str) -> None:
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("s => document.activeElement?.matches(s)", selector):
            return
    raise AssertionError(f"{selector} cannot be reached by Tab")


def test_a_round_by_keyboard_alone(page: Any, house: tuple[Any, str]) -> None:
    made, at = house
    page.goto(f"{at}/t/t1")
    tab_to(page, "#spot-3-suit-tie")
    assert page.inner_text("#hint") == "Pick a chip, then a circle." and "Sit this one out" in page.inner_text("#ready")
    page.keyboard.press("Enter")
    until(page, "document.querySelector('#hint').textContent === 'Still needed: Ante.'")
    until(page, "document.querySelector('.draft.unsure')")  # the house does not take it yet
    assert not page.inner_text("#refused") and "Deal me in" in page.inner_text("#ready")  # which is no mistake so far
    page.keyboard.press("d")
    until(page, "document.querySelector('#refused').textContent === 'Still needed: Ante.'")
    assert page.get_attribute("#ready", "aria-pressed") is None
    page.keyboard.press("3")  # the third chip: $25
    tab_to(page, "#spot-3-ante") if page.evaluate("document.activeElement.id") != "spot-3-ante" else None
    page.keyboard.press("Enter")
    page.keyboard.press("+")
    until(page, "JSON.parse(document.querySelector('.spots').dataset.bets).ante === '50'")
    assert page.evaluate("document.activeElement.id") == "spot-3-ante"  # focus stays where it was
    page.keyboard.press("-")
    until(page, "JSON.parse(document.querySelector('.spots').dataset.bets).ante === '25'")
    assert {k: int(v) for k, v in made.session.bets(YOU).items()} == {"ante": 25, "suit-tie": 5}
    assert page.inner_text("#hint") == "Your bets: $30." and not page.inner_text("#refused")
    page.keyboard.press("d")
    until(page, "document.querySelector('#bar').dataset.phase === 'playing'")
    assert page.evaluate("document.activeElement.id") == "place"
    top = page.evaluate("document.querySelector('#place').offsetTop")
    page.keyboard.press("r")
    until(page, "document.querySelector('#bar').dataset.phase === 'over'")
    assert page.evaluate("document.querySelector('#place').offsetTop") == top  # how it came out moves no button
    assert re.search(r"Your chips \$[\d,]+ [+−]?\$\d+ this round", page.inner_text("#chips-now"))
    assert "Ante" in page.inner_text("#outcome") and "the dealer has" in page.inner_text("#outcome")
    assert page.inner_text("#say") == "You raise." and "Bets are closed." in page.inner_text("#told")
    page.keyboard.press("a")  # the same again
    until(page, "document.querySelector('#bar').dataset.phase === 'betting'")  # until then the last bets stand there
    until(page, "document.querySelector('.spots').dataset.bets.includes('25')")
    assert {k: int(v) for k, v in made.session.bets(YOU).items()} == {"ante": 25, "suit-tie": 5}
    page.keyboard.press("c")
    until(page, "document.querySelector('.spots').dataset.bets === '{}'")
    ids = [told["id"] for told in made.heard]
    assert len(ids) == len(set(ids)) and all(re.fullmatch("[0-9a-f]{24}", one) for one in ids)


def test_a_lost_line_is_said_and_a_command_is_sent_again_with_its_id(page: Any, house: tuple[Any, str]) -> None:
    made, at = house
    page.goto(f"{at}/t/t1")
    until(page, "document.querySelector('#link').textContent === ''")
    page.wait_for_timeout(200)
    made.silent, before = 1, len(made.heard)
    page.locator("#spot-3-ante").click()
    until(page, "document.querySelector('#link').textContent.includes('lost')")
    until(page, "document.querySelector('.spots').dataset.bets.includes('ante')")
    assert len(made.heard) == before + 1  # it came twice and was done once
    page.locator("#spot-3-ante").click(button="right")
    until(page, "document.querySelector('.spots').dataset.bets === '{}'")


def test_a_shoe_that_is_over_is_checked_in_the_browser(page: Any, house: tuple[Any, str]) -> None:
    made, at = house
    page.goto(f"{at}/t/t1")
    made.shoe = 2
    page.locator("#spot-3-ante").click()
    until(page, "document.querySelector('#verdict').textContent.includes('Shoe 1 is NOT true')")
    made.shoe = 1
    page.keyboard.press("c")


def test_nothing_serious_is_found_by_axe(page: Any, house: tuple[Any, str]) -> None:
    from axe_playwright_python.sync_playwright import Axe

    def faults() -> list[str]:
        return [f"{v['id']}: {v['nodes'][0]['html'][:120]}" for v in Axe().run(page).response["violations"]
                if v["impact"] in ("serious", "critical")]  # fmt: skip

    _made, at = house
    for number, name in enumerate(("", *others(), "replay")):
        page.emulate_media(color_scheme="dark" if number % 2 else "light")
        page.set_viewport_size({"width": 360, "height": 740} if number % 3 else {"width": 1280, "height": 800})
        page.goto(f"{at}/page/{name}" if name else f"{at}/t/t1")
        assert not faults(), name
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} is wider than the screen"
    page.set_content("<html><body><button></button><img src='/x.png'></body></html>")
    assert faults()  # it can find something


@pytest.mark.parametrize(("wide", "high"), [(320, 640), (390, 844), (844, 390), (1280, 800)])
def test_a_table_is_as_wide_as_the_screen(page: Any, house: tuple[Any, str], wide: int, high: int) -> None:
    page.set_viewport_size({"width": wide, "height": high})
    page.goto(f"{house[1]}/t/t1")
    for part in (".own", "fieldset.chips", "#chip-pick-back", "#clear", "#ready", "#say"):
        box = page.locator(part).first.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= wide, (part, box)
    assert page.evaluate("document.documentElement.scrollWidth") <= wide
    assert wide > 600 or page.locator(".head").bounding_box()["height"] < 60  # one line


def test_a_long_sentence_is_seen_whole(page: Any, house: tuple[Any, str]) -> None:
    made, at = house
    said, made.say = made.say, ["A word.", "The dealer says " + "one thing after another " * 12, "and more " * 30]
    page.goto(f"{at}/t/t1")
    seen = page.locator("#say p:not(.aloud)")
    assert seen.count() == 1 and seen.first.inner_text().startswith("and more")
    outer, inner = page.locator("#say").bounding_box(), seen.first.bounding_box()
    assert inner["y"] >= outer["y"] and inner["height"] <= outer["height"]
    made.say = said


def test_a_replay_goes_by_arrow_keys(page: Any, house: tuple[Any, str]) -> None:
    page.goto(f"{house[1]}/page/replay")
    page.keyboard.press("ArrowLeft")
    until(page, "new URLSearchParams(location.search).get('step') === '13'")
    assert page.input_value("#step") == "13" and json.loads(page.inner_text("#at")) == 13
