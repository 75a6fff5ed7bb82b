"""What a page has seen of a shoe, held against the record of the house: a true shoe is never called false, however
little of it was seen, and a house that shows other cards than it records is found out. Python, the browser's module and
what keeps the cards in the browser are tried on the same shoes."""

import copy
import json
import random
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from helpers import ROOT, SOURCE
from pitboss.cards.revealed import shoe_faults
from pitboss.catalog import shipped
from pitboss.pit import SUPERVISOR
from pitboss.pit.table import Table
from pitboss.rules.errors import BadInput
from pitboss.web.past import record_of
from pitboss.web.scene import Eyes, Moment, common, scene
from test_pit import Driven, Kept

Json = dict[str, Any]
STATIC = SOURCE / "web" / "static"
SHUFFLES: list[Json] = json.loads((ROOT / "tests" / "shuffles.json").read_text())
RUN = """
import { readFileSync } from "node:fs";
import { verify } from "./fair.js";
class Store {
  getItem(key) { return Object.hasOwn(this, key) ? this[key] : null; }
  setItem(key, value) { this[key] = String(value); }
  removeItem(key) { delete this[key]; }
}
const { asked, tabs } = JSON.parse(readFileSync(0, "utf-8"));
let pages = 0;
const told = [];
let later = [];
globalThis.setTimeout = (work, wait) => later.push([work, wait]);
for (const { records, steps, busy = [] } of tabs) {
  globalThis.sessionStorage = new Store();
  globalThis.fetch = async (path) => {
    const number = path.match(/(\\d+)\\.json$/)[1], found = records[number];
    asks.push(number);
    if (busy.length) return { ok: false, status: busy.shift() };
    return { ok: Boolean(found), json: async () => structuredClone(found) };
  };
  const said = [], asks = [], waits = [];
  let page = await import(`./shuffle.js?${++pages}`);
  for (const step of steps) {
    if (step === "later") {
      const due = later.splice(0);
      for (const [work, wait] of due) waits.push(wait), await work();
    } else if (step === "reload") page = await import(`./shuffle.js?${++pages}`);
    else await page.witness("t1", ...step, (verdict) => said.push(verdict));
  }
  told.push({ said, asks, waits, kept: { ...sessionStorage } });
}
console.log(JSON.stringify({ verdicts: asked.map(([record, seen]) => verify(record, seen)), told }));
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Json]:
    """What the page's own modules say: of records and what was seen, and in tabs that are shown scene after scene."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    folder = tmp_path_factory.mktemp("seen")
    for name in ("fair.js", "shuffle.js"):
        (folder / name).write_text((STATIC / name).read_text())
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "run.js").write_text(RUN)

    def run(asked: Sequence[tuple[Json, Json]] = (), tabs: Sequence[Json] = ()) -> Json:
        sent = json.dumps({"asked": asked, "tabs": tabs})
        done = subprocess.run(["node", folder / "run.js"], input=sent, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        found: Json = json.loads(done.stdout)
        return found

    return run


# ---- records by hand

DECK: Json = SHUFFLES[1]["record"]
TWO_DECKS: Json = SHUFFLES[2]["record"]


def rounds_of(record: Json) -> dict[str, list[str]]:
    """As if all cards of a record had lain face up."""
    return {str(deal["round"]): list(deal["cards"]) for deal in record["deals"] if isinstance(deal["round"], int)}


def changed(record: Json, change: Callable[[list[Json]], object]) -> Json:
    other = copy.deepcopy(record)
    change(other["deals"])
    return other


def by_hand() -> list[tuple[Json, Json, list[str]]]:
    """Records, what was seen, and what there is to say of it."""
    deck, seen = DECK, rounds_of(DECK)
    first, second = seen["1"][0], seen["2"][0]
    last = str(deck["deals"][-1]["round"])
    absent = next(card for card in deck["cards"] if card not in seen["2"])
    twice = Counter(seen["2"] + [second])[second]
    void = changed(deck, lambda deals: deals[1].update(round="void"))
    out: list[tuple[Json, Json, list[str]]] = [
        (deck, seen, []),
        (deck, {}, []),
        (deck, {"2": [], last: seen[last][:1]}, []),
        (deck, {"2": seen["2"][::-1]}, []),  # in which order they lay there is not told
        (void, {"1": seen["1"]}, []),
        (void, {"2": [second]}, [f"round 2: {second} was seen on the felt, and the record has no such round"]),
        (deck, {"2": [absent]}, [f"round 2: {absent} was seen on the felt, and was not dealt"]),
        (deck, {"2": [second, second]}, [f"round 2: {second} was seen {twice} times on the felt, and was dealt 1"]),
        (deck, {"10": [], "9": ["As"]}, [
            "round 9: As was seen on the felt, and the record has no such round",
            "round 10: it was seen on the felt, and the record has no such round",
        ]),
        (deck, {"2": ["no card"]}, ["round 2: no card was seen on the felt, and was not dealt"]),
        (changed(deck, list.clear), {}, ["deals: the record has no round"]),
        (changed(deck, list.clear), {"1": [first]}, [
            "deals: the record has no round",
            f"round 1: {first} was seen on the felt, and the record has no such round",
        ]),
        (changed(deck, list.pop), {last: seen[last]}, [
            f"round {last}: {seen[last][0]} was seen on the felt, and the record has no such round",
        ]),
    ]  # fmt: skip
    lot = {"1": [card for card in deck["cards"] if card not in seen["1"]][:8]}
    out.append((deck, lot, [
        *(f"round 1: {card} was seen on the felt, and was not dealt" for card in lot["1"][:5]),
        "cards and rounds that were seen and not dealt, besides these: 3",
    ]))  # fmt: skip
    return out


def test_what_was_seen_is_held_against_a_record(browser: Callable[..., Json]) -> None:
    tried = [(record, {"rounds": rounds}) for record, rounds, _ in by_hand()]
    wanted = [faults for _, _, faults in by_hand()]
    assert [shoe_faults(record, seen) for record, seen in tried] == wanted
    assert [one["faults"] for one in browser(tried)["verdicts"]] == wanted


def test_the_rounds_of_a_record_follow_each_other(browser: Callable[..., Json]) -> None:
    def numbered(*numbers: object) -> Json:
        return changed(DECK, lambda deals: [deal.update(round=n) for deal, n in zip(deals, numbers, strict=False)])

    many = len(DECK["deals"])
    wanted = {
        tuple(range(1, many + 1)): "", tuple(range(40, 40 + many)): "",
        (1, "void", *range(3, many + 1)): "", ("void", *range(9, 8 + many)): "",
        (1, "void", *range(7, 5 + many)): "",  # in earlier records several that were voided are one
        (1, *range(3, many + 2)): "deals: round 2 is wanted, and round 3 follows round 1",
        (1, 1, *range(3, many + 1)): "deals: round 2 is wanted, and round 1 follows round 1",
        (5, 4, *range(7, 5 + many)): "deals: round 6 is wanted, and round 4 follows round 5",
        (5, "void", 5, *range(6, 3 + many)): "deals: round 6 is wanted, and round 5 follows round 5",
    }  # fmt: skip
    assert many > 3
    records = [(numbered(*numbers), {}) for numbers in wanted]
    found = [shoe_faults(record, seen) for record, seen in records]
    assert found == [[fault] if fault else [] for fault in wanted.values()]
    assert [one["faults"] for one in browser(records)["verdicts"]] == found
    gone = changed(DECK, lambda deals: deals.pop(1))  # left out with its cards
    assert shoe_faults(gone)[0] == "deals: round 2 is wanted, and round 3 follows round 1"
    doubled = changed(DECK, lambda deals: deals.insert(1, deals[0]))
    assert shoe_faults(doubled)[0] == "deals: round 2 is wanted, and round 1 follows round 1"


def test_of_several_decks_a_card_is_there_as_often_as_it_was_dealt(browser: Callable[..., Json]) -> None:
    deal = max(TWO_DECKS["deals"], key=lambda deal: max(Counter(deal["cards"]).values()))
    card, many = Counter(deal["cards"]).most_common(1)[0]
    assert many > 1
    tried = [(TWO_DECKS, {"rounds": {str(deal["round"]): [card] * seen}}) for seen in (many, many + 1)]
    wanted = [[], [f"round {deal['round']}: {card} was seen {many + 1} times on the felt, and was dealt {many}"]]
    assert [shoe_faults(record, seen) for record, seen in tried] == wanted
    assert [one["faults"] for one in browser(tried)["verdicts"]] == wanted


# ---- tables that are played


def shown_at(table: Table, who: str) -> tuple[Json, list[list[str]]]:
    """A table as a page has it: what its bar says, and the faces at the table and before his own seats."""
    found = scene(common(table, Moment()), table, Eyes(who, who, "player"), Moment())
    bar = found["table"]
    seats = [(seat["yours"], hand["cards"]) for seat in found["seats"] for hand in seat["hands"]]
    house = [found["dealer"]["cards"], *(place["cards"] for place in found["places"])]
    layer = [card for cards in (*house, *(cards for _, cards in seats)) for card in cards if card != "??"]
    own = [card for yours, cards in seats if yours for card in cards if card != "??"]
    shoe = bar["shoe"]
    now = {"shoe": shoe["number"], "round": bar["round"], "phase": bar["phase"], "from": shoe["from"]}
    return {**now, "commitment": shoe["commitment"], "seed": found["you"]["seed"]}, [layer, own]


VIEWERS = ("ann", "bob", "nobody")
ODD = '''"""Few cards, with jokers; some are dealt to a place of their own, some are never turned."""

from pitboss.rules import BOARD, DEALER, DOWN, PLAYER, UP, WIN, Game, Table, Wager, cards

SMALL = cards("T-A", jokers=2)


def play(t: Table) -> None:
    mine = t.deal(PLAYER, 2, face=DOWN)
    t.deal("well", 1, face=UP)
    t.deal(DEALER, 2, face=DOWN)
    t.deal(BOARD, 1, face=DOWN)
    if t.decide("stay", "draw") == "draw":
        t.deal(PLAYER, 1, face=UP)
    t.reveal(DEALER)
    t.settle(ante=WIN)


GAME = Game(name="odd-cards", title="Odd Cards", play=play, wagers=(Wager("ante", required=True),), deck=SMALL, seats=2)
'''
EXAMPLES = ("baccarat", "casino_war", "mississippi_stud", "spanish_21")
GAMES = [*((game, {}) for game in shipped()), ("blackjack", {"decks": "2"}), ("blackjack", {"continuous": "yes"}),
         *((str(ROOT / "examples" / f"{name}.py"), {}) for name in EXAMPLES), ("odd_cards.py", {})]  # fmt: skip


class Watched:
    """A table that is played by chance, and people who look at it in tabs: some see every scene, some miss many, and
    come late or load the page again."""

    def __init__(self, game: str, options: dict[str, str], steps: int) -> None:
        ways = {name: value for name, value in options.items() if name != "continuous"}
        self.driven, self.rng = Driven(game, 11, ways, "continuous" in options), random.Random(11)
        self.table = self.driven.floor.tables["t1"]
        self.tabs: dict[tuple[str, float], list[Any]] = {(who, often): [] for who in VIEWERS for often in (1.0, 0.3)}
        for _ in range(steps):
            self.driven.step()
            self.look()
        while self.table.in_play:
            self.driven.ask(self.table, "void", "boss", SUPERVISOR, reason="misdeal")
        self.look()
        assert not self.driven.ask(self.table, "close", "boss", SUPERVISOR)
        self.look()
        self.records: dict[str, Json] = {}
        for shoe in range(1, self.table.number + 1):
            try:
                self.records[str(shoe)] = record_of(Kept(self.driven.log), self.table, shoe)  # type: ignore[arg-type]
            except BadInput:  # closed before a card of it was dealt
                assert shoe == self.table.number

    def look(self) -> None:
        """Now and then the house has been taken up from its log meanwhile."""
        table = self.driven.taken_up().tables["t1"] if self.rng.random() < 0.02 else self.table
        for (who, often), steps in self.tabs.items():
            if self.rng.random() < often:
                steps.append(shown_at(table, who))
            if self.rng.random() < 0.02:
                steps.append("reload")

    def sent(self) -> list[Json]:
        return [{"records": self.records, "steps": steps} for steps in self.tabs.values()]


@pytest.fixture(scope="module", params=GAMES, ids=lambda game: "-".join([Path(game[0]).stem, *game[1].values()]))
def watched(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Watched:
    game, options = request.param
    if game == "odd_cards.py":
        file = tmp_path_factory.mktemp("odd") / game
        file.write_text(ODD)
        game = str(file)
    return Watched(game, options, 700 if "decks" in options or game == "blackjack" else 260)


def test_a_true_shoe_is_true_for_whoever_has_looked_on(watched: Watched, browser: Callable[..., Json]) -> None:
    found = browser(tabs=watched.sent())["told"]
    said = [verdict for tab in found for verdict in tab["said"]]
    assert not [verdict for verdict in said if not verdict["ok"]]
    assert all(re.match(r"Shoe \d+ is true: all \d+ cards are those of its shuffle\. ", one["text"]) for one in said)
    seen = [re.search(r"(\d+) of them were seen here, in (\d+) of (\d+) rounds?\.", one["text"]) for one in said]
    assert len(said) >= len(watched.records) and sum(match is not None for match in seen) > len(said) / 2
    assert max(int(match[2]) for match in seen if match) > (1 if len(watched.records) < 5 else 0)
    for match in seen:
        assert match is None or (int(match[2]) <= int(match[3]) and int(match[1]) >= int(match[2]))
    assert all(sum(key.startswith("shoe ") for key in tab["kept"]) <= 9 for tab in found)


def test_whoever_has_seen_a_card_finds_out_that_it_was_another(watched: Watched, browser: Callable[..., Json]) -> None:
    """The house makes its record true to the shuffle, and has shown something else; or leaves out what it has shown."""
    whole = [without_reloads(steps) for (_, often), steps in watched.tabs.items() if often == 1]
    tabs = [{"records": watched.records, "steps": exchanged(watched, steps)} for steps in whole]
    for steps in whole:
        for number, record in watched.records.items():
            lies = [changed(record, list.clear), changed(record, list.pop)]
            lies += [changed(record, lambda deals: deals.insert(0, deals[0]))]
            if len(record["deals"]) > 2:
                lies.append(changed(record, lambda deals: deals.pop(1)))
            tabs += [{"records": {number: lie}, "steps": steps} for lie in lies]
    found = browser(tabs=tabs[:60])["told"]
    for sent, tab in zip(tabs, found, strict=False):
        wrong = [one["text"] for one in tab["said"] if "NOT true" in one["text"]]
        assert wrong, (list(sent["records"])[:1], tab["said"][:3])
        assert re.match(r"Shoe \d+ is NOT true: (round \d+: \S+ was|deals: (round \d+ is|the record has no))", wrong[0])


def without_reloads(steps: list[Any]) -> list[Any]:
    return [step for step in steps if step != "reload"]


def exchanged(watched: Watched, steps: list[Any]) -> list[Any]:
    """The same scenes with one card that was not dealt in its round, in one of them."""
    by_round = {deal["round"]: deal["cards"] for record in watched.records.values() for deal in record["deals"]}
    deck = watched.records["1"]["cards"]
    for at, (now, heaps) in enumerate(steps):
        absent = [card for card in deck if card not in by_round.get(now["round"], ())]
        if heaps[0] and absent and now["from"] in (now["shoe"], now["shoe"] - 1) and at:
            return [*steps[:at], (now, [[absent[0], *heaps[0][1:]], heaps[1]]), *steps[at + 1 :]]
    raise AssertionError("no card lay there")


# ---- what a page makes of a house that is no honest one, and of what it does not know

FIRST, SECOND = DECK["deals"][0]["cards"], DECK["deals"][1]["cards"]
ABSENT = next(card for card in DECK["cards"] if card not in SECOND)


def at(shoe: int, round_: int, phase: str, cards: Sequence[str] = (), from_: int | None = None, **more: Any) -> Any:
    bound = {145: DECK["commitment"]}.get(shoe, "f" * 64)
    now = {"shoe": shoe, "round": round_, "phase": phase, "from": shoe if from_ is None else from_, "seed": ""}
    return {**now, "commitment": bound, **more}, [list(cards), []]


def told(browser: Callable[..., Json], *steps: Any, record: Json = DECK, **more: Json) -> list[str]:
    records = {"145": record, **{name[1:]: found for name, found in more.items()}}
    return [one["text"] for one in browser(tabs=[{"records": records, "steps": steps}])["told"][0]["said"]]


def test_a_page_says_what_it_has_compared(browser: Callable[..., Json]) -> None:
    many, rounds = sum(len(deal["cards"]) for deal in DECK["deals"]), len(DECK["deals"])
    true = f"Shoe 145 is true: all {many} cards are those of its shuffle. "
    new = at(145, 0, "betting", from_=0)
    over = at(146, rounds, "betting")
    some = at(145, 1, "playing", FIRST[:2]), at(145, 1, "over", [*FIRST[1:3]])
    assert told(browser, new, over) == [f"{true}This page has seen no card of its {rounds} rounds."]
    assert told(browser, new, *some, over) == [f"{true}3 of them were seen here, in 1 of {rounds} rounds."]
    assert told(browser, new, some[0], "reload", some[1], "reload", over) == told(browser, new, *some, over)
    late = f"{true}2 of them were seen here, in 1 of {rounds} rounds. What binds the house was shown here after round 2"
    assert told(browser, at(145, 2, "playing", SECOND[:2]), over) == [f"{late} was dealt."]
    missed = at(146, rounds, "over", FIRST[:1], 145, round=1)  # shoe 145 was over before this page saw it
    unbound = f"{true}1 of them were seen here, in 1 of {rounds} rounds. What binds the house was not shown here."
    assert unbound in told(browser, missed)


def test_a_page_is_not_led_to_another_shoe_or_round(browser: Callable[..., Json]) -> None:
    new, over = at(145, 1, "betting"), at(146, 2, "betting")
    wrong = f"Shoe 145 is NOT true: round 2: {ABSENT} was seen on the felt, and was not dealt."
    lies = at(145, 2, "playing", [ABSENT])
    assert told(browser, new, lies, over) == [wrong]
    assert told(browser, new, at(145, 2, "playing", [ABSENT], 999), over) == [wrong]
    assert told(browser, at(145, 2, "playing", [ABSENT], 3), over) == [wrong]  # who has just come is told nothing else
    for elsewhere in (0, 1, 144, 147, 999):
        assert told(browser, new, at(145, 2, "over", [ABSENT], elsewhere), over) == [wrong]
        assert told(browser, new, at(146, 2, "over", [ABSENT], elsewhere), over) == [wrong]
        assert told(browser, new, at(145, 2, "betting", [ABSENT], elsewhere), over) == [wrong]
    shown_late = told(
        browser, new, at(145, 2, "over", SECOND), at(146, 2, "over", SECOND, 145), at(146, 2, "over", [ABSENT])
    )
    assert shown_late[0].startswith("Shoe 145 is true") and shown_late[1:] == [wrong]  # it is looked at again
    assert told(browser, new, lies, at(145, 2, "playing", SECOND), "reload", over) == [
        wrong
    ]  # and nothing is forgotten
    assert told(browser, new, at(145, 99, "betting"), at(146, 99, "betting"))[0].endswith(
        "it was seen on the felt, and the record has no such round."
    )


def test_what_is_not_true_is_told_though_a_later_shoe_is(browser: Callable[..., Json]) -> None:
    """Two shoes are over at once for a page that has missed how the first one ended."""
    early = SHUFFLES[0]["record"]
    new = at(7, 0, "betting", commitment=early["commitment"])
    steps = [new, at(7, 1, "playing", ["As"], commitment=early["commitment"]), at(146, 2, "over", SECOND, 145)]
    assert told(browser, *steps, _7=early) == [
        "Shoe 7 is NOT true: round 1: As was seen on the felt, and was not dealt."
    ]
    del steps[1]
    assert told(browser, *steps, _7=early)[0].startswith("Shoe 145 is true")


def test_a_page_keeps_so_much_and_no_more(browser: Callable[..., Json]) -> None:
    flood = [at(shoe, 20 * shoe + i, "playing", ["As"] * 3000) for shoe in range(1, 30) for i in range(5)]
    kept = browser(tabs=[{"records": {}, "steps": flood}])["told"][0]["kept"]
    assert 8 <= len(kept) <= 9 and max(map(len, kept.values())) <= 32000
    assert "shoe t1 29" in kept and "shoe t1 1" not in kept


def test_a_record_that_cannot_be_had_just_now_is_asked_for_again(browser: Callable[..., Json]) -> None:
    """A card room has one address, and the house may say that too many ask: that is no verdict."""
    steps = [at(145, 1, "playing", FIRST), at(146, 1, "over", FIRST, 145), at(146, 1, "over", FIRST, 145)]
    tab = {"records": {"145": DECK}, "steps": [*steps, "later", "later", steps[-1], "later"], "busy": [429, 503]}
    found = browser(tabs=[tab])["told"][0]
    assert [one["text"].partition(":")[0] for one in found["said"]] == [
        "Shoe 145 could not be checked yet.", "Shoe 145 could not be checked yet.", "Shoe 145 is true",
    ]  # fmt: skip
    assert found["asks"] == ["145"] * 3 and [one.get("later", False) for one in found["said"]] == [True, True, False]
    first, second = found["waits"]
    assert 2000 <= first <= 6000 and 4000 <= second <= 12000
    loaded = {**tab, "steps": [*steps, "reload", steps[-1], "reload", steps[-1], steps[-1]]}
    found = browser(tabs=[loaded])["told"][0]
    assert [one["ok"] for one in found["said"]] == [False, False, True] and found["asks"] == ["145"] * 3
