"""The live house over real sockets: what people do at its tables, and that everybody sees what he may."""

import asyncio
import itertools
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from live_house import House, Player, Stopped, house
from pitboss.catalog import load
from pitboss.cli import main
from pitboss.live.bots import usual_bets
from pitboss.pit import CLOCK, PLAYER, SUPERVISOR, Command, Floor, Table
from pitboss.pit.takings import Takings
from pitboss.vault import Action, Entry, Vault
from pitboss.web.checked import audit_at
from pitboss.web.lies import names
from pitboss.web.news import News, news_of
from pitboss.web.say import Ears, told
from pitboss.web.scene import Eyes, Moment, common, own_part
from pitboss.web.serve import missed
from pitboss.web.theory import Theory, against, in_words

GAMES = ("bluff", "flop-poker-bonus", "packs-poker", "blackjack")


def sit(player: Player, seat: int, dollars: int = 500) -> None:
    player.connect()
    player.do("sit", seat=seat)
    player.do("buy", seat=seat, cents=dollars * 100)


def bets_of(found: House, table: str, seat: int) -> dict[str, str]:
    house = found.inside(lambda opened: opened.house.tables[table].table.house)
    return {name: str(amount) for name, amount in usual_bets(house, seat).items()}


def play(found: House, *players: Player) -> None:
    """A round at the players' table: everybody bets, is ready, and takes the last choice that he can pay for."""
    for player in players:
        seat = player.until(lambda s: s["you"]["seats"])["you"]["seats"][0]
        player.do("bet", seat=seat, bets=bets_of(found, player.table, seat))
    for player in players:
        player.do("ready")
    number = players[0].shows["table"]["round"] + 1
    while any(
        player.shows["table"]["round"] < number or player.shows["table"]["phase"] != "over" for player in players
    ):
        for player in players:
            scene = player.until(lambda s: s["table"]["round"] == number)
            while scene["choose"]:
                head, choice = scene["table"]["head"], scene["choose"]["choices"][0]["choice"]
                player.do("choose", seat=scene["choose"]["seat"], choice=choice)
                scene = player.until(lambda s, head=head: s["table"]["head"] != head)
            player.drain()


def check(found: House) -> None:
    """Nothing is wrong with the log, as another process sees it."""
    opened = found.here.opened
    said = audit_at(opened.where, opened.files)
    assert said["fault"] is None, said


@pytest.mark.parametrize("game", GAMES)
def test_two_people_play_a_round_over_sockets(game: str, tmp_path: Path) -> None:
    with house(tmp_path, game) as found:
        ann, bob = found.player("Ann", "t1"), found.player("Bob", "t1")
        sit(ann, 1)
        sit(bob, 2)
        play(found, ann, bob)
        mine, his = ann.shows["seats"][0], bob.shows["seats"][1]
        assert mine["yours"] and his["yours"] and mine["settled"] and his["settled"]
        assert ann.shows["table"]["round"] == 1
        play(found, ann, bob)
        check(found)


# ---- once, in order, and after a reload


def test_a_reload_in_the_middle_shows_the_same_hand(tmp_path: Path) -> None:
    with house(tmp_path, "bluff") as found:
        ann = found.player("Ann", "t1")
        sit(ann, 1)
        ann.do("bet", seat=1, bets={"ante": "10"})
        ann.do("ready")
        scene = ann.until(lambda s: s["choose"])
        ann.close()
        again = Player(found, "Ann", ann.cookie, "t1").connect()
        after = again.until(lambda s: True)
        assert after["seats"] == scene["seats"] and after["dealer"] == scene["dealer"]
        assert after["choose"] == scene["choose"] and after["say"] == []


def test_the_same_command_twice_is_done_once(tmp_path: Path) -> None:
    with house(tmp_path, "bluff") as found:
        ann = found.player("Ann", "t1")
        sit(ann, 1)
        for _ in range(3):
            assert ann.ask("buy", id="once", seat=1, cents=10_000)["ok"]
        ann.close()
        again = Player(found, "Ann", ann.cookie, "t1").connect()
        assert again.ask("buy", id="once", seat=1, cents=10_000)["ok"]
        assert again.until(lambda s: True)["you"]["chips"] == "600.00"
        bob = found.player("Bob", "t1")
        sit(bob, 2)
        assert bob.ask("buy", id="once", seat=2, cents=100)["ok"]  # his own id, whoever else has used it
        assert bob.until(lambda s: s["you"]["chips"] == "501.00")
        check(found)


def test_a_house_that_opens_again_goes_on_in_the_middle_of_a_hand(tmp_path: Path) -> None:
    with house(tmp_path, "bluff") as found:
        ann = found.player("Ann", "t1")
        sit(ann, 1)
        ann.do("bet", seat=1, bets={"ante": "10"})
        ann.do("ready")
        before = ann.until(lambda s: s["choose"])
        ann.send("buy", id="unanswered", seat=1, cents=1_000)
    with house(tmp_path) as found:
        ann = Player(found, "Ann", ann.cookie, "t1").connect()
        after = ann.until(lambda s: True)
        assert after["choose"] == before["choose"]
        assert after["seats"][0]["hands"] == before["seats"][0]["hands"]
        assert after["table"]["clock"]["left"] > 25  # his time is his again
        assert ann.ask("buy", id="unanswered", seat=1, cents=1_000)["ok"]
        ann.do("choose", seat=1, choice="check")
        over = ann.until(lambda s: s["table"]["phase"] == "over")
        won = float(over["seats"][0]["net"])
        assert float(over["you"]["chips"]) == 510 + won
        check(found)


def test_two_bets_that_arrive_together_both_count(tmp_path: Path) -> None:
    with house(tmp_path, "flop-poker-bonus") as found:
        players = [found.player(name, "t1") for name in ("Ann", "Bob", "Cy")]
        for seat, player in enumerate(players, 1):
            sit(player, seat)
        bets = [bets_of(found, "t1", seat) for seat in (1, 2, 3)]
        for seat, player in enumerate(players, 1):
            player.send("bet", id=f"bet-{seat}", seat=seat, bets=bets[seat - 1])
        for seat, player in enumerate(players, 1):
            while player.read().get("ack") != f"bet-{seat}":
                pass
        shown = players[0].until(lambda s: sum(bool(seat["bets"]) for seat in s["seats"]) == 3)
        pot = shown["table"]["pots"][0]["amount"]
        assert float(pot) == sum(float(bet[shown["table"]["pots"][0]["wager"]]) for bet in bets)


# ---- the clock and computer players


def test_the_clock_makes_the_cheapest_choice_and_computer_players_play(tmp_path: Path) -> None:
    clock = Stopped()
    with house(tmp_path, "bluff", clock=clock) as found:
        boss = found.enter(found.link)
        ann = found.player("Ann", "t1")
        sit(ann, 1)
        for seat in ("2", "3"):
            got = found.ask("POST", "/supervisor", {"do": "bot", "table": "t1", "seat": seat}, cookie=boss)
            assert got.status == 303
        ann.do("bet", seat=1, bets={"ante": "10"})
        assert ann.until(lambda s: s["seats"][2]["bot"])["table"]["clock"] == {"left": 20, "of": 20, "seat": None}

        def on(seconds: float) -> None:
            found.inside(lambda opened: clock.pass_by(seconds))

        def passes(wanted: Any) -> dict[str, Any]:
            for _ in range(50):
                on(1.0)
                ann.drain()
                if wanted(ann.shows):
                    return ann.shows
            raise AssertionError(ann.shows["table"])

        passes(lambda s: s["seats"][1]["bets"] and s["seats"][2]["bets"])
        assert ann.shows["table"]["phase"] == "betting"
        first = passes(lambda s: s["choose"])
        assert first["table"]["clock"]["seat"] == 1
        on(29.0)
        ann.drain()
        assert ann.shows["choose"]
        over = passes(lambda s: s["table"]["phase"] == "over")
        made = [e for e in found.here.opened.vault.events(table="t1") if e.kind == "choose"]
        assert [e.body["by"] for e in made] == ["clock", "computer player", "computer player"]
        assert made[0].body["choice"] == "check" and over["seats"][1]["settled"]
        check(found)


# ---- slow ones


def test_who_is_late_is_told_of(tmp_path: Path) -> None:
    """The clock has chosen for Ann: everybody hears it, and then what was chosen. That the shoe of one round is over is
    no news."""
    clock = Stopped()
    with house(tmp_path, "bluff", "packs-poker", clock=clock) as found:

        def on(seconds: float) -> None:
            found.inside(lambda opened: clock.pass_by(seconds))

        ann = found.player("Ann", "t1")
        sit(ann, 1)
        ann.do("bet", seat=1, bets={"ante": "10"})
        ann.do("ready")
        on(1.0)
        first = ann.until(lambda s: s["choose"])["choose"]["choices"][0]["choice"]
        on(60.0)
        said = ann.until(lambda s: s["table"]["phase"] == "over")["say"]
        assert said[0] == "Time is up for Ann." and said[1].startswith(f"You {first}")
        ann.close()
        bob = found.player("Bob", "t2")
        sit(bob, 1)
        bob.do("bet", seat=1, bets={"pack": "5"})
        bob.do("ready")
        on(1.0)
        over = bob.until(lambda s: s["table"]["phase"] == "over")
        assert over["say"][0] == "No more bets." and not any("Shoe" in text for text in over["say"])
        assert len(over["say"]) == len(over["beats"]) > 5 and any("s1-net" in keys for keys in over["beats"])
        page = found.ask("GET", "/t/t2", None, Cookie=bob.cookie).text  # what was said is read again after a reload
        assert "You are dealt" in page and "No more bets" not in page


def test_a_client_that_stops_reading_slows_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """His line fills, he is let go, and nothing waits for him; the others get every answer."""
    monkeypatch.setattr("pitboss.web.viewer.LONGEST_SEND", 0.3)
    with house(tmp_path, "bluff") as found:
        ann, cookie = found.player("Ann", "t1"), found.guest("Bob")
        host, _, port = found.host.partition(":")
        sleepy = socket.socket()
        sleepy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sleepy.connect((host, int(port)))
        sleepy.sendall(
            f"GET /ws/t/t1 HTTP/1.1\r\nHost: {found.host}\r\nOrigin: {found.address}\r\nCookie: {cookie}\r\n"
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        sit(ann, 1)
        ann.until(lambda s: s["you"]["chips"] == "500.00")

        def looking() -> int:
            return int(found.inside(lambda opened: len(opened.house.tables["t1"].viewers)))

        while looking() < 2:
            pass
        many = 0
        while looking() == 2:
            ann.do("bet", seat=1, bets={"ante": str(5 + many % 3)})
            many += 1
            assert many < 3000, "nobody has let him go"
        ann.do("bet", seat=1, bets={"ante": "5"})
        sleepy.close()
        check(found)


# ---- when the disk fails


def test_a_write_that_fails_is_not_acknowledged_and_the_table_is_taken_up_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was judged on top of it fails too; then everything is as the log has it, and the game goes on."""
    with house(tmp_path, "bluff") as found:
        ann, bob = found.player("Ann", "t1"), found.player("Bob", "t1")
        sit(ann, 1)
        sit(bob, 2)
        vault = found.here.opened.vault
        before, commit = vault.balances(), vault._writer._commit  # type: ignore[union-attr]
        broken = [True]

        def full(actions: Any) -> Any:
            if broken:
                broken.clear()
                raise sqlite3.OperationalError("database or disk is full")
            return commit(actions)

        monkeypatch.setattr(vault._writer, "_commit", full)
        answers = [ann.ask("buy", seat=1, cents=5_000), bob.ask("buy", seat=2, cents=700)]
        assert "could not be written" in answers[0]["refused"]
        bob_got = 700 if answers[1].get("ok") else 0
        ann.until(lambda s: any("taken up the table again" in said for said in s["say"]))
        assert ann.shows["you"]["chips"] == "500.00"
        after = vault.balances()
        assert after["seat:t1:1"] == before["seat:t1:1"] and after["seat:t1:2"] == before["seat:t1:2"] + bob_got
        monkeypatch.undo()
        play(found, ann, bob)
        check(found)


# ---- what is counted in a process of its own


def test_a_counting_process_that_dies_is_replaced_and_nothing_empty_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.web.theory.PAUSE", 0.05)
    house = load("bluff").at()

    async def killed_again_and_again() -> tuple[object, object]:
        theory = Theory()
        try:
            first = await theory.run(os.getpid)
            os.kill(first, signal.SIGKILL)
            assert await theory.run(os.getpid) != first  # the one who asks next is answered
            with pytest.raises(BrokenExecutor):
                await theory.run(os._exit, 1)  # what kills each process that it is asked of
            known = asyncio.Event()
            monkeypatch.setattr("pitboss.web.theory._figures", os._exit)
            assert theory.figures(house, known.set) is None
            while theory._asked:
                await asyncio.sleep(0.05)
            monkeypatch.undo()
            nothing = theory.figures(house, known.set)
            await asyncio.wait_for(known.wait(), 60)
            return nothing, theory.figures(house)
        finally:
            theory.close()

    nothing, found = asyncio.run(killed_again_and_again())
    assert nothing is None and isinstance(found, dict) and "ante" in found


COUNTS = """
import asyncio, os, sys
from pitboss.web.theory import Theory

async def main():
    print(await Theory().run(os.getpid), flush=True)
    await asyncio.sleep(60)

if __name__ == "__main__":
    asyncio.run(main())
"""


def test_an_audit_keeps_nobody_waiting_for_the_coach(tmp_path: Path) -> None:
    """One of a long log takes many minutes."""
    with house(tmp_path, "bluff") as found:
        boss = found.enter(found.link)
        for _ in range(100):
            page = found.ask("GET", "/audit", cookie=boss).text
            if "every event follows" in page:
                break
            time.sleep(0.1)
        assert "every event follows" in page
        assert found.here.opened.checker._pool is not None and found.here.opened.theory._pool is None


def test_the_counting_process_ends_with_a_house_that_is_killed(tmp_path: Path) -> None:
    (tmp_path / "counts.py").write_text(COUNTS)
    with subprocess.Popen([sys.executable, str(tmp_path / "counts.py")], stdout=subprocess.PIPE, text=True) as killed:
        assert killed.stdout is not None
        worker = int(killed.stdout.readline())
        os.kill(worker, 0)
        killed.kill()
    for _ in range(100):
        if not _runs(worker):
            return
        time.sleep(0.1)
    os.kill(worker, signal.SIGKILL)
    pytest.fail("the process that counts outlives the house")


def _runs(process: int) -> bool:
    """Whether there is such a process; one that waits to be buried is none."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_the_coach_speaks_in_dollars_and_names_the_best() -> None:
    worth = {"check": Fraction(-394, 1000), "raise": Fraction(42, 1000), "call": Fraction(42, 1000)}
    ante = (("ante",), worth)
    assert in_words(ante, {"ante": Fraction(10), "suit-tie": Fraction(5)}) == {
        "check": "−$3.94", "raise": "+$0.42, best", "call": "+$0.42, best",
    }  # fmt: skip
    both = (("pot", "ante"), worth)  # bets of two amounts, and no dollars that are right for both
    assert in_words(both, {"ante": Fraction(10), "pot": Fraction(5)})["check"] == "−0.394 bets"
    assert in_words(((), {}), {}) == {}


# ---- what a player reads


def test_a_refusal_calls_wagers_as_they_are_called_on_the_table(tmp_path: Path) -> None:
    with house(tmp_path, "bluff") as found:
        ann = found.player("Ann", "t1")
        sit(ann, 1)
        assert ann.ask("bet", seat=1, bets={"suit-tie": "5"})["refused"] == "Suit & Tie needs a bet on Ante"
        assert ann.ask("bet", seat=1, bets={"ante": "1"})["refused"] == "Ante takes $5 to $500; $1 is not allowed"
        assert ann.ask("bet", seat=1, bets={"raise": "5"})["refused"].startswith("Raise is not a bet before the deal")
        ann.do("cash", seat=1, cents=45_000)
        assert ann.ask("bet", seat=1, bets={"ante": "60"})["refused"] == "seat 1 cannot bet $60: it has $50 in chips"


def test_what_is_taken_by_its_name_is_taken() -> None:
    """`insurance` is no verb: who chooses it takes it, or takes none."""
    ears = Ears(load("blackjack").at(), {1: "Ann"}, ())
    event = {"event": "choose", "seat": 1, "decision": "insurance", "choice": "no insurance"}
    assert told([event, event | {"choice": "insurance"}], ears, {}) == [
        "Ann takes no insurance.",
        "Ann takes insurance.",
    ]
    assert told([event | {"decision": "first move", "choice": "double"}], ears, {}) == ["Ann doubles."]


def test_a_bet_is_made_on_what_it_is_called() -> None:
    floor = Floor(lambda opening: load("blackjack").at())
    table, _ = floor.open(Command("o", "open", "boss", SUPERVISOR), "t1", load("blackjack").at(), "One")
    bet = Entry("t1", "bet", {"seat": 1, "bets": {"main": "5", "lucky-break": "2"}, "tokes": {"lucky-lucky": "1"}})
    said = news_of(table, bet, {1: "Ann"})
    assert said == "Ann bets $5 on blackjack, $2 on Lucky Break and $1 for the dealer on Lucky Lucky."


def table_of(*seats: str) -> tuple[Floor, Table]:
    """A table of Bluff, and who sits there, seat by seat."""
    floor = Floor(lambda opening: load("bluff").at())
    table, _ = floor.open(Command("o", "open", "boss", SUPERVISOR), "t1", load("bluff").at(), "One")
    for seat, player in enumerate(seats, 1):
        floor.handle(table, Command(f"s{seat}", "sit", player, PLAYER, {"seat": seat, "name": player.title()}))
    return floor, table


def test_the_spots_of_one_player_are_told_apart() -> None:
    """Who has two hands in a round has each of them at its seat; who has one is called by his name."""
    assert names(table_of("ann", "ann", "bob")[1]) == {1: "Ann (seat 1)", 2: "Ann (seat 2)", 3: "Bob"}


def test_what_comes_of_a_round_is_told_behind_it() -> None:
    floor, table = table_of("ann")
    floor.adjust(Command("a", "adjust", "boss", SUPERVISOR), "ann", 100_00, "chips")
    for id, do, role, body in (
        ("b", "buy", PLAYER, {"seat": 1, "cents": 100_00}), ("c", "bet", PLAYER, {"seat": 1, "bets": {"ante": "10"}}),
        ("d", "deal", CLOCK, {}),
    ):  # fmt: skip
        floor.handle(table, Command(id, do, "ann", role, body))
    eyes = Eyes("ann", "Ann", PLAYER, told=(table.rounds, 0), news=[News("Behind.", True), News("Before.")])
    said = own_part(common(table, Moment()), table, eyes, Moment())["say"]
    assert len(said) > 3 and said[0] == "Before." and said[-1] == "Behind."


def test_orders_to_a_dealer_are_not_said_to_players() -> None:
    ears = Ears(load("flop-poker-bonus").at(), {})
    orders = (
        "Collect the Pot bets and stack them.",
        "Announce both totals; 8 or 9 is a natural.",
        "Look at the hole card.",
    )
    assert told([{"event": "say", "words": words} for words in orders], ears, {}) == []
    said = "Players look at their own cards."
    assert told([{"event": "say", "words": said}], ears, {}) == [said]


# ---- what the house looks at


def runs(found: House, boss: str, **form: str) -> str:
    """The floor's page after one of its forms."""
    assert found.ask("POST", "/supervisor", form, cookie=boss).status == 303
    return found.ask("GET", "/supervisor", cookie=boss).text


def words(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text))


def test_the_log_is_looked_through_to_its_beginning(tmp_path: Path) -> None:
    """What is asked for is found however long ago it was, page by page, and every page asks for the same."""
    with house(tmp_path, "bluff") as found:
        boss, ann = found.enter(found.link), found.player("Ann", "t1")
        sit(ann, 1)
        vault = found.here.opened.vault
        id = vault.person_by_name("Ann").id  # type: ignore[union-attr]
        for number in range(3):
            runs(found, boss, do="adjust", player=id, dollars="5", reason=f"reason {number}")
        for _ in range(60):
            ann.do("bet", seat=1, bets={"ante": "10"})
        for who in range(70):
            vault.add_person(f"Somebody {who}")
        assert len(rows(found, boss, "/audit")) == 50

        def pages(asked: str) -> list[int]:
            at, seen = f"/audit?{asked}", list[int]()
            while at:
                text = found.ask("GET", at, cookie=boss).text
                seen = [*map(int, re.findall(r'id="event-(\d+)"', text)), *seen]
                back = re.search(r'href="(/audit\?[^"]+)">Earlier', text)
                at = back.group(1).replace("&amp;", "&") if back else ""
            return sorted(set(seen))  # the first page is full, and may begin the second

        of_t1 = [event.seq for event in vault.events(table="t1")]
        assert pages("table=t1") == of_t1 and len(of_t1) > 50
        adjusted = [event.seq for event in vault.events() if event.kind == "adjust"]
        assert len(adjusted) >= 4 and pages("kind=adjust") == adjusted
        bets = [event.seq for event in vault.events(table="t1") if event.kind == "bet"]
        assert pages("table=t1&kind=bet") == bets
        later = re.search(
            r'href="([^"]+)">Later', found.ask("GET", f"/audit?kind=bet&from={bets[0]}", cookie=boss).text
        )
        assert later is not None and "kind=bet" in later.group(1) and f"from={bets[50]}" in later.group(1)
        text = found.ask("GET", "/audit?kind=adjust", cookie=boss).text
        assert re.search(r'<option value="t1">Bluff, t1</option>', text) and f"<code>{id}</code> is Ann" in text
        assert found.ask("GET", "/audit?table=nowhere&kind=%00&from=" + "9" * 5000, cookie=boss).status == 200


def rows(found: House, cookie: str, at: str) -> list[str]:
    return re.findall(r'id="event-(\d+)"', found.ask("GET", at, cookie=cookie).text)


def test_what_a_vault_finds_of_a_kind_is_what_it_holds_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However far apart it lies, in either direction, and from anywhere."""
    monkeypatch.setattr("pitboss.vault.reader.PAGE", 3)
    monkeypatch.setattr("pitboss.vault.reader.STRIDE", 7)
    with Vault.open(tmp_path / "log.db") as vault:
        for n in range(60):
            kind = "rare" if n in (0, 1, 2, 3, 40, 59) else "usual"
            entry = Entry(f"t{n % 2}", kind, {"who": "abc" if n % 5 else "xyz"})
            vault.write(Action("t", f"a{n}", (entry,))).result()
        every = [*vault.events()]
        assert len(every) == 60 and [*vault.latest()] == every[::-1]
        for table, kind, about in itertools.product((None, "t0", "t1"), (None, "rare", "usual"), (None, "xyz")):
            held = [
                event for event in every
                if (table in (None, event.table)) and (kind in (None, event.kind)) and (about or "") in str(event.body)
            ]  # fmt: skip
            asked: dict[str, Any] = {"table": table, "kind": kind, "about": about}
            assert [*vault.events(**asked)] == held and [*vault.latest(**asked)] == held[::-1]
            for edge in (1, 7, 8, 41, 60, 61):
                assert [*vault.events(**asked, after=edge, most=4)] == [e for e in held if e.seq > edge][:4]
                assert [*vault.latest(**asked, before=edge, most=4)] == [e for e in held if e.seq < edge][::-1][:4]


def test_a_table_that_is_closed_stays_on_the_floor_with_what_it_won(tmp_path: Path) -> None:
    with house(tmp_path, "bluff") as found:
        boss, ann = found.enter(found.link), found.player("Ann", "t1")
        runs(found, boss, do="open", game="bluff", name="Second")
        sit(ann, 1)
        play(found, ann)
        play(found, ann)
        for _ in range(100):
            text = runs(found, boss, do="close", table="t1")
            if "not counted yet" not in text:
                break
            time.sleep(0.1)
        win = words(text.partition('id="win"')[2].partition("</section>")[0])
        assert re.search(r"Bluff closed 2 \$", win) and "Second Bluff no round yet" in win
        assert re.search(r"All tables 2 \$.* to ", win)
        shut = text.partition('id="shut"')[2].partition("</section>")[0]
        assert "Bluff" in shut and 'name="table" value="t1"' in shut
        got = found.ask("GET", "/supervisor/recall?table=t1&round=2", cookie=boss)
        assert found.ask("GET", got.headers["location"], cookie=boss).status == 200
        assert "Expected" in found.ask("GET", "/t/t1/history", cookie=ann.cookie).text


def test_the_win_of_several_tables_is_added() -> None:
    figures = {"ante": (Fraction(-1, 10), Fraction(4))}
    one, two = Takings(5, 1000, {"ante": (5, 5000, 5_000_000)}), Takings(2, -300, {"ante": (2, 2000, 2_000_000)})
    both = against((one, figures), (two, figures), (Takings(), None))
    assert both is not None and both["rounds"] == 7 and both["won"] == "7.00" and both["bet"] == "70.00"
    assert both["theory"] == "7.00"
    spread = 1.96 * (4 * 7_000_000) ** 0.5 / 100
    assert float(both["high"]) == pytest.approx(7 + spread, abs=0.01)
    half = against((one, figures), (two, None))
    assert half is not None and half["won"] == "7.00" and half["theory"] is None


def test_the_sum_of_a_player_is_of_all_his_rounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.web.shown.A_PAGE", 2)
    with house(tmp_path, "bluff") as found:
        ann, bob = found.player("Ann", "t1"), found.player("Bob", "t1")
        sit(ann, 1)
        sit(bob, 2)
        for _ in range(3):
            play(found, ann, bob)
        net = sum(e.body["nets"]["1"] for e in found.here.opened.vault.events(table="t1", kind="settle"))
        seen, at = list[str](), "/t/t1/history"
        while at:
            text = found.ask("GET", at, cookie=ann.cookie).text
            said = words(text)
            assert "All the rounds you played here 3 Your opening bets" in said
            sign = "\u2212" if net < 0 else "+" if net > 0 else ""
            assert re.search(rf"Your result {re.escape(sign)}\${abs(net) // 100:,}\b", said)
            assert re.search(r"\d\d:\d\d:\d\d UTC", said)
            seen += re.findall(r"Replay<span class=\"aloud\"> round (\d+)", text)
            more = re.search(r'href="([^"]+)">Earlier', text)
            at = more.group(1) if more else ""
        assert seen == ["3", "2", "1"]


def test_a_past_round_is_shown_with_the_limits_that_it_was_dealt_under(tmp_path: Path) -> None:
    with house(tmp_path, "bluff") as found:
        boss, ann = found.enter(found.link), found.player("Ann", "t1")
        sit(ann, 1)
        ann.do("sit", seat=2)
        ann.do("bet", seat=1, bets={"ante": "5"})
        ann.do("bet", seat=2, bets={"ante": "5"})
        ann.do("ready")
        while ann.until(lambda s: s["table"]["round"] == 1)["table"]["phase"] != "over":
            if choose := ann.shows["choose"]:
                head = ann.shows["table"]["head"]
                ann.do("choose", seat=choose["seat"], choice=choose["choices"][0]["choice"])
                ann.until(lambda s, head=head: s["table"]["head"] != head)
            else:
                ann.read()
        runs(found, boss, **{"do": "limits", "table": "t1", "table-min": "25", "table-max": "1000"})
        runs(found, boss, do="pause", table="t1", paused="1")
        first = found.ask("GET", "/t/t1/round/1", cookie=ann.cookie).text
        assert "Limits $5 \u2013 $500" in words(first) and "$1,000" not in words(first.partition('id="bar"')[2])
        assert "paused" not in words(first) and 'value="0"' in first.partition('id="step"')[2][:60]
        last = words(found.ask("GET", "/t/t1/round/1?step=99", cookie=ann.cookie).text)
        assert "Ann (seat 1)" in last and "Ann (seat 2)" in last


OWN = (Path(__file__).parents[1] / "examples" / "three_card_poker.py").read_text()


def test_a_table_of_a_file_that_is_not_named_is_missed_and_no_fault_of_the_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "own.py"
    own.write_text(OWN)
    with house(tmp_path, str(own)) as found:
        ann = found.player("Ann", "t1")
        sit(ann, 1)
        name = found.here.opened.house.tables["t1"].table.name
    db = str(tmp_path / "house.db")
    with house(tmp_path) as found:
        page = words(found.ask("GET", "/supervisor", cookie=found.enter(found.link)).text)
        assert f"Table {name} plays" in page and "--game FILE" in page
    assert main(["audit", "--db", db]) == 2
    said = capsys.readouterr()
    assert "--game FILE" in said.err and "Fault" not in said.out + said.err and name in said.err
    assert main(["audit", "--db", db, "--game", str(own)]) == 0
    for file, many in ((None, 1), (own, 0), (None, 0)):  # nobody misses a table that was closed
        with house(tmp_path, *([str(file)] if file else [])) as found:
            assert len(missed(found.here.opened)) == many
            if file:
                runs(found, found.enter(found.link), do="close", table="t1")
