"""The real house and real browsers: `pitboss serve` in a process of its own on SQLite, and people who come in by its
doors, each in a browser context of his own. Everything is waited for by what the page says; nothing is timed."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

NEEDED = ("starlette", "uvicorn", "websockets", "playwright", "argon2", "jinja2")
for module in NEEDED:
    pytest.importorskip(
        module, reason=f"the live house is tried in a browser with {module}: pip install 'pitboss[dev]'"
    )

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect, sync_playwright  # noqa: E402

from live_house import House, Player  # noqa: E402
from pitboss.live.words import card_words  # noqa: E402
from pitboss.vault import Vault  # noqa: E402
from pitboss.web.checked import audited  # noqa: E402
from pitboss.web.games import Games  # noqa: E402

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ROOT = Path(__file__).parents[1]
PATIENCE = 1000 * int(
    os.environ.get("PITBOSS_TEST_PATIENCE", "120")
)  # milliseconds: the machine may be busy; nothing is asserted about time
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True,
}  # fmt: skip
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip
expect.set_options(timeout=PATIENCE)


@contextmanager
def chromium() -> Iterator[Browser]:
    """The system's browser, or a plain word why there is none."""
    if CHROMIUM is None:
        pytest.skip("the live house is tried in the system's browser: apt-get install chromium")
    with sync_playwright() as p:
        found = p.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield found
        found.close()


# ---- the house


@dataclass
class Running:
    """`pitboss serve`, from the outside."""

    address: str
    link: str  # the supervisor's, good once
    db: str
    files: tuple[str, ...]
    process: "subprocess.Popen[str]"

    @property
    def outside(self) -> House:
        """The same for clients that speak over bare sockets."""
        return House(self.address, self.link, None, None)  # type: ignore[arg-type]

    def balances(self) -> dict[str, int]:
        """What the vault says, read from the disk by somebody else."""
        with Vault.open(self.db, only_read=True) as vault:
            return vault.balances()

    def events(self, table: str, kind: str = "") -> list[Any]:
        with Vault.open(self.db, only_read=True) as vault:
            return [event for event in vault.events(table=table) if kind in ("", event.kind)]

    def id_of(self, name: str) -> str:
        with Vault.open(self.db, only_read=True) as vault:
            found = vault.person_by_name(name)
        assert found is not None
        return found.id


@contextmanager
def running(folder: Path, *tables: str, games: tuple[str, ...] = ()) -> Iterator[Running]:
    """A house that is open until the end of the block; then it closes cleanly, and its log is without a fault."""
    db = str(folder / "house.db")
    asked = [*(f"--table={table}" for table in tables), *(f"--game={game}" for game in games)]
    process = subprocess.Popen(
        [sys.executable, "-m", "pitboss", "serve", "--db", db, "--port", "0", "--no-browser", "--open", *asked],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "NO_COLOR": "1"},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(2)]
        found = re.findall(r"http://\S+", " ".join(said))
        assert len(found) == 2, process.stderr.read() if process.stderr else ""
        yield Running(found[0], found[1], db, games, process)
        process.send_signal(signal.SIGINT)
        out, wrong = process.communicate(timeout=60)
        assert process.returncode == 0 and "The house is closed." in out, out
        assert not wrong, wrong
        with Vault.open(db, only_read=True) as vault:
            checked = audited(vault, Games(games))
            assert not checked.fault, checked.fault
            assert sum(vault.balances().values()) == 0
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


# ---- people


@dataclass
class Person:
    """Somebody with a browser of his own: what it asks of others, what goes wrong in it, every byte that it is sent."""

    name: str
    house: Running
    context: BrowserContext
    page: Page
    foreign: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    frames: list[str] = field(default_factory=list)

    def watch(self) -> "Person":
        page = self.page
        page.set_default_timeout(PATIENCE)
        page.on("request", lambda r: r.url.startswith((self.house.address, "data:")) or self.foreign.append(r.url))
        page.on("websocket", lambda ws: ws.on("framereceived", lambda f: self.frames.append(str(f))))
        page.on("pageerror", lambda e: self.wrong.append(str(e)))
        page.on("console", lambda m: m.type == "error" and "ERR_INTERNET_DISCONNECTED" not in m.text
                and self.wrong.append(m.text))  # fmt: skip
        return self

    def waits_for(self, path: str, wanted: Callable[[str], bool]) -> None:
        """Until a page is as it is wanted, asked for without being drawn; then it is opened."""
        for _ in range(PATIENCE // 100):
            if wanted(self.context.request.get(self.house.address + path).text()):
                break
            self.page.wait_for_timeout(100)
        self.goes(path)

    def one(self, selector: str) -> Locator:
        return self.page.locator(selector)

    def goes(self, path: str) -> "Person":
        self.page.goto(self.house.address + path)  # until its scripts have run
        return self

    def follows(self, link: Locator) -> None:
        """To another page, until its scripts have run."""
        with self.page.expect_navigation():
            link.click()

    def cookie(self, name: str = "pitboss") -> str:
        """What his browser shows at the door; a program of his may show it too."""
        found = {one["name"]: one["value"] for one in self.context.cookies()}
        return f"{name}={found[name]}"

    def by_socket(self, table: str) -> Player:
        return Player(self.house.outside, self.name, self.cookie(), table).connect()

    def state(self) -> dict[str, Any]:
        """What there is to see where a test fails."""
        said = {at: self.one(at).all_inner_texts() for at in ("#link", "#refused", "#say")}
        return {"at": self.page.url, "wrong": self.wrong, "foreign": self.foreign, "frames": len(self.frames), **said}

    # ---- at a table

    def sits(self, table: str, seat: int, dollars: int = 200) -> "Person":
        """Down at a table with chips, by the buttons of the page."""
        self.goes(f"/t/{table}")
        self.press(f"#place #sit-{seat}")
        self.says("#place", "Buy some play chips")
        self.one("#buy-amount").fill(str(dollars))
        self.press("#cashier form[data-do=buy] button")
        self.shows("chips", f"{dollars}.00")
        return self

    def press(self, selector: str) -> None:
        """By finger where there is a touch screen, by mouse else."""
        at = self.one(selector)
        if self.touches:
            at.tap()
        else:
            at.click()

    @property
    def touches(self) -> bool:
        return bool(self.page.evaluate("navigator.maxTouchPoints > 0"))

    def opens(self, box: str) -> None:
        """A part of the page that is folded away."""
        if self.one(box).get_attribute("open") is None:
            self.one(f"{box} > summary").click()
            expect(self.one(box)).to_have_attribute("open", "")

    def stands(self, seat: int) -> None:
        self.opens("#cashier")
        self.press(f"#stand-{seat}")
        self.says("#place", "You are watching")

    def chip(self, cents: int) -> None:
        self.one(f"#chip-pick-{cents}").check(force=True)

    def bets(self, seat: int, *wagers: str) -> None:
        """A chip on each of these circles, and the house has taken them."""
        for wager in wagers:
            self.press(f"#spot-{seat}-{wager}")
        for wager in wagers:
            self.lies(seat, wager)

    def lies(self, seat: int, wager: str, tokes: bool = False) -> None:
        attribute = "data-tokes" if tokes else "data-bets"
        expect(self.one(f".spots[data-seat='{seat}']")).to_have_attribute(attribute, re.compile(f'"{wager}"'))

    def ready(self) -> None:
        self.press("#ready")

    def phase(self, *names: str) -> str:
        """Wait until the table is in one of these; which."""
        expect(self.one("#bar")).to_have_attribute("data-phase", re.compile("|".join(names)))
        return str(self.one("#bar").get_attribute("data-phase"))

    def round(self, number: int) -> None:
        expect(self.one("#bar")).to_have_attribute("data-round", str(number))

    def says(self, selector: str, words: str | re.Pattern[str]) -> None:
        expect(self.one(selector)).to_contain_text(words)

    def shows(self, name: str, value: str) -> None:
        expect(self.one("#place")).to_have_attribute(f"data-{name}", value)

    def decides(self) -> None:
        expect(self.one("#choose-1")).to_be_visible()

    def chooses(self, choice: str = "", key: bool = False) -> None:
        """A choice, by its name or the first, by its button or its key; and the house has heard it."""
        head = str(self.one("#shuffle code").last.text_content())
        selector = f".choice[data-choice='{choice}']" if choice else "#choose-1"
        if key:
            self.page.keyboard.press(str(self.one(selector).get_attribute("data-key")))
        else:
            self.press(selector)
        expect(self.one("#shuffle code").last).not_to_have_text(head)

    def cards(self, seat: int) -> list[str]:
        """What lies before a seat on his felt, with `back` for what he may not see."""
        found = self.one(f"#layer .seat[data-seat='{seat}'] [data-card]").all()
        return [str(card.get_attribute("data-card")) for card in found]

    def dealers(self) -> list[str]:
        """What lies on his felt that belongs to no seat."""
        script = """() => [...document.querySelectorAll('#layer [data-card]')]
            .filter((card) => !card.closest('.seat')).map((card) => card.dataset.card)"""
        return [str(card) for card in self.page.evaluate(script)]

    def chips_now(self) -> int:
        return cents(str(self.one("#place").get_attribute("data-chips")))

    def net(self) -> int:
        """What the page says that the round brought."""
        return cents(self.one("#outcome .net").first.inner_text())

    def named(self, card: str, since: int = 0) -> list[str]:
        """Where the bytes that he was sent, or his page as it stands, name a card by its code or in words."""
        forms = (f'"{card}"', f"#card-{card}", f"#jumbo-{card}", f'\\"{card}\\"', card_words(card))
        drawn = self.page.evaluate("document.querySelector('main').outerHTML")
        return [form for form in forms for text in (*self.frames[since:], drawn) if form in text]


def cents(text: str) -> int:
    found = re.sub(r"[^0-9.-]", "", text.replace("\u2212", "-"))
    whole, _, part = found.lstrip("-").partition(".")
    return (-1 if found.startswith("-") else 1) * (int(whole) * 100 + int((part + "00")[:2]))


@contextmanager
def visit(browser: Browser, house: Running, name: str, **how: Any) -> Iterator[Person]:
    """A browser for somebody; at the end nothing was asked of another host, and nothing went wrong in it."""
    few = {"device_scale_factor": 0.5, "reduced_motion": "reduce"}  # pixels cost time, and nobody looks at them here
    context = browser.new_context(**{**DESK, **few, **how})
    person = Person(name, house, context, context.new_page()).watch()
    try:
        yield person
    except BaseException as error:
        error.add_note(f"{name}: {person.state()}")
        raise
    assert not person.foreign and not person.wrong, (person.foreign, person.wrong)
    context.close()


@dataclass
class Floor:
    """The supervisor, whose page is open all the time, and who does by forms what a test needs done."""

    boss: Person
    names: Iterator[int]
    opened: list[str] = field(default_factory=list)

    def asks(self, **form: str) -> None:
        """A form as his page posts it. His page is not looked at: it would have the theory of every table counted."""
        at = f"{self.boss.house.address}/supervisor"
        headers = {"Origin": self.boss.house.address}
        got = self.boss.context.request.post(at, form=form, headers=headers, max_redirects=0)
        assert got.status == 303, got.text()

    def table(self, game: str, **form: str) -> str:
        """A table that no other test knows, where nobody is hurried; its id."""
        name = f"Table {next(self.names)}"
        self.asks(do="open", game=game, name=name, **form)
        with Vault.open(self.boss.house.db, only_read=True) as vault:
            id = next(e.table for e in vault.events() if e.kind == "open" and e.body["name"] == name)
        self.asks(do="pace", table=id, bet="0", act="0")
        self.opened.append(id)
        return id

    def clear(self) -> None:
        """What a test has opened is closed: nobody looks at it again, and no theory is counted for it."""
        while self.opened:
            table = self.opened.pop()
            self.asks(do="void", table=table, reason="the test is over")
            self.asks(do="close", table=table)
