"""The live house over real sockets: what people do at its tables, and that everybody sees what he may."""

import socket
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from live_house import House, Player, Stopped, house
from pitboss.live.bots import usual_bets
from pitboss.web.checked import audit_at

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


def test_the_clock_makes_the_first_choice_and_computer_players_play(tmp_path: Path) -> None:
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


def test_who_is_late_is_told_of_and_what_a_round_leads_to_comes_after_it(tmp_path: Path) -> None:
    """The clock has chosen for Ann: everybody hears it, and then what was chosen. A shoe is over when its round is."""
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
        assert over["say"][0] == "No more bets." and over["say"][-1].startswith("Shoe 1 is over")
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
