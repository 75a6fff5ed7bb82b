"""The doors of the live house, and what comes through them that should not: refused in a sentence, nothing changed."""

import asyncio
import html
import http.client
import json
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from live_house import FAST, House, Player, house
from pitboss.cli import main
from pitboss.rules.errors import BadInput
from pitboss.vault import LONGEST_NAME, Unavailable, now
from pitboss.web.doors import Rates
from pitboss.web.strict import LONGEST, read_form, read_message
from test_web import check, sit

HOSTILE = int(os.environ.get("PITBOSS_HOSTILE", "250"))  # messages; make hostile sends more


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("house"), "bluff", "blackjack") as opened:
        yield opened


@pytest.fixture(scope="module")
def boss(found: House) -> str:
    return found.enter(found.link)


@pytest.fixture(scope="module")
def ann(found: House) -> Player:
    player = found.player("Ann", "t1")
    sit(player, 1)
    return player


def standing(found: House) -> tuple[Any, ...]:
    """What no refused message may change: the log, and so the money."""
    return (found.here.opened.vault.head(), found.here.opened.vault.balances())


# ---- who comes in


def test_a_stranger_is_shown_the_door(found: House) -> None:
    for path in ("/", "/t/t1", "/t/t1/history", "/t/t1/round/1", "/t/t1/rules", "/supervisor", "/audit",
                 "/audit/events.jsonl", "/audit/balances.csv", "/fair/t1/1.json"):  # fmt: skip
        got = found.ask("GET", path)
        assert (got.status, got.headers["location"]) == (303, "/login"), path
    for path in ("/login", "/sign", "/sign/bluff", "/static/house.css"):
        assert found.ask("GET", path).status == 200, path


def test_every_page_has_its_place(found: House, boss: str, ann: Player) -> None:
    for path, cookie in (
        ("/", ann.cookie), ("/t/t1", ann.cookie), ("/t/t2", ann.cookie), ("/t/t1/rules", ann.cookie),
        ("/t/t1/history", ann.cookie), ("/supervisor", boss), ("/audit", boss), ("/t/t1", boss),
    ):  # fmt: skip
        got = found.ask("GET", path, cookie=cookie)
        assert got.status == 200 and "</html>" in got.text, (path, got.text[:200])
        assert "script-src 'self'" in got.headers["content-security-policy"]
        assert "frame-ancestors 'none'" in got.headers["content-security-policy"]
        assert got.headers["referrer-policy"] == "same-origin" and got.headers["cache-control"] == "no-store"
        assert not re.search(
            r"<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=|https?://(?!127\.0\.0\.1)(?!www\.w3\.org)", got.text
        ), path


def test_pages_that_there_are_not(found: House, ann: Player) -> None:
    for path in ("/nowhere", "/t/t99", "/t/t1/round/7", "/t/t1/round/x", "/fair/t1/1.json", "/fair/t1/99.json",
                 f"/t/t1/round/{'9' * 5000}", f"/fair/t1/{'9' * 5000}.json",
                 "/static/../app.py", "/static/%2e%2e/app.py", "/sign/x/y"):  # fmt: skip
        got = found.ask("GET", path, cookie=ann.cookie)
        assert got.status == 404 and "Traceback" not in got.text, (path, got.status)
    assert found.ask("POST", "/t/t1", {}, cookie=ann.cookie).status == 405


def test_each_role_has_its_pages_only(found: House, boss: str, ann: Player) -> None:
    before = standing(found)
    got = found.ask("GET", "/supervisor", cookie=ann.cookie)
    assert got.status == 403 and "This page is for the supervisor; you are here as Ann, a player." in got.text
    assert "the supervisor or the auditor" in found.ask("GET", "/audit", cookie=ann.cookie).text
    assert found.ask("POST", "/supervisor", {"do": "close", "table": "t1"}, cookie=ann.cookie).status == 403
    assert standing(found) == before
    found.ask("POST", "/supervisor", {"do": "invite", "name": "Audrey", "role": "auditor"}, cookie=boss)
    link = re.search(r'value="(http://[^"]+/invite/[^"]+)"', found.ask("GET", "/supervisor", cookie=boss).text)
    assert link is not None
    auditor = found.enter(link.group(1))
    assert found.ask("GET", "/audit", cookie=auditor).status == 200
    assert '"kind": "open"' in found.ask("GET", "/audit/events.jsonl", cookie=auditor).text
    assert "cage," in found.ask("GET", "/audit/balances.csv", cookie=auditor).text
    before = standing(found)
    assert found.ask("POST", "/supervisor", {"do": "close", "table": "t1"}, cookie=auditor).status == 403
    for cookie, offered in ((auditor, False), (ann.cookie, True)):
        assert ("Sit down" in found.ask("GET", "/", cookie=cookie).text) is offered
    watching = Player(found, "Audrey", auditor, "t1").connect()
    for do in ("sit", "bet", "choose", "close", "void", "buy"):
        assert "refused" in watching.ask(do, seat=2, name="x", reason="x", cents=1, bets={}, choice="x")
    assert standing(found) == before
    watching.close()


def floor_says(found: House, boss: str, **form: str) -> str:
    """What the floor answers to a form."""
    assert found.ask("POST", "/supervisor", form, cookie=boss).status == 303
    said = re.search(r'id="said".*?</div>', found.ask("GET", "/supervisor", cookie=boss).text, re.DOTALL)
    assert said is not None
    return html.unescape(re.sub("<[^>]+>", "", said.group(0).partition(">")[2])).strip()


def test_what_a_supervisor_asks_is_done_as_it_is_told(tmp_path: Path) -> None:
    with house(tmp_path, "bluff") as found:
        boss = found.enter(found.link)
        found.guest("Ann")
        ann = next(p.id for p in found.here.opened.vault.people() if p.name == "Ann")
        purse = f"purse:{ann}"

        def adjust(dollars: str, **more: str) -> str:
            form = {"do": "adjust", "player": ann, "dollars": dollars, "reason": "r"} | more
            return floor_says(found, boss, **form)

        assert adjust("-5", id="x") == "The purse of Ann is adjusted." == adjust("-5", id="x")
        assert "said something else then" in adjust("50", id="x")
        assert found.here.opened.vault.balances()[purse] == 99_500
        for odd in ("--5", "+-5", "- -5"):
            assert "is not an amount of dollars" in adjust(odd), odd
        assert "adjusted by an amount" in adjust("0")
        assert found.here.opened.vault.balances()[purse] == 99_500
        assert "cannot be asked for that: 'x' is not one of" in floor_says(found, boss, do="x")
        assert "'king' is not one of" in floor_says(found, boss, do="invite", name="K", role="king")
        assert (
            "the jurisdiction 'x' is not one of" in floor_says(found, boss, do="open", game="bluff", place="x").lower()
        )


def test_a_form_has_an_id_that_is_one(found: House, boss: str, ann: Player) -> None:
    """As a message has: what is cut off would be another's, and what cannot be kept is refused before it is done."""
    player = found.inside(lambda opened: opened.vault.person_by_name("Ann").id)
    before, purses = standing(found), found.inside(lambda opened: dict(opened.house.floor.purses))
    asked: list[dict[str, str]] = [
        {"do": "adjust", "player": player, "dollars": "5", "reason": "chips"}, {"do": "pause", "table": "t1"},
        {"do": "open", "game": "bluff"}, {"do": "bot", "table": "t1", "seat": "5"}, {"do": "invite", "name": "Eve"},
        {"do": "revoke", "player": player},
    ]  # fmt: skip
    for form in asked:
        for id in ("", "x" * 65, "\0", "\u00e9", "a\nb"):
            assert found.ask("POST", "/supervisor", {**form, "id": id}, cookie=boss).status == 303
            assert "another for every command" in found.ask("GET", "/supervisor", cookie=boss).text, (form, id)
    assert standing(found) == before and found.inside(lambda opened: opened.house.floor.purses) == purses
    page = found.ask("GET", "/supervisor", cookie=boss).text
    ids = re.findall(r'name="id" value="([^"]*)"', page)
    assert ids and all(0 < len(id) <= 64 for id in ids)
    longest = max(len(id.partition("-")[0]) for id in ids)
    assert longest + 1 + 40 <= 64  # a game's name has 40 letters at most


def test_as_many_tables_as_a_house_has_may_be_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.web.supervise.MOST_TABLES", 1)
    with house(tmp_path, "bluff") as found:
        boss = found.enter(found.link)
        assert "close one first" in floor_says(found, boss, do="open", game="bluff")
        assert floor_says(found, boss, do="close", table="t1").endswith("closed.")
        assert floor_says(found, boss, do="open", game="bluff") == "Bluff is open."


def test_tables_that_are_named_are_there_once_whatever_their_limits_are_by_now(tmp_path: Path) -> None:
    for _ in range(3):
        with house(tmp_path, "bluff", "bluff", "blackjack") as found:
            assert [*found.inside(lambda opened: opened.house.tables)] == ["t1", "t2", "t3"]
            boss = found.enter(found.link)
            assert floor_says(found, boss, do="limits", table="t1", **{"table-max": "300"}).endswith("limits are set.")


def test_nobody_is_let_in_for_ever(tmp_path: Path) -> None:
    """A cookie that was copied ends with the browser's month, and the supervisor's link, which stands in a journal,
    with its day."""
    with house(tmp_path, "bluff") as found:
        found.guest("Ann")
        until = dict(found.here.opened.vault._rows("select kind, until from token"))
        assert now() < until["invitation"] < now(2 * 24 * 3600) < until["session"] < now(32 * 24 * 3600)


def test_an_invitation_works_once(found: House, boss: str) -> None:
    found.ask("POST", "/supervisor", {"do": "invite", "name": "Zoe", "role": "player", "dollars": "250"}, cookie=boss)
    page = found.ask("GET", "/supervisor", cookie=boss).text
    link = re.search(r'value="http://[^"]+(/invite/[^"]+)"', page)
    assert link is not None
    assert found.ask("GET", link.group(1)).status == 200  # looking uses nothing up
    zoe = found.enter(link.group(1))
    assert "$250" in found.ask("GET", "/", cookie=zoe).text
    assert found.ask("POST", link.group(1), {}).status == 400
    got = found.ask("GET", link.group(1))
    assert got.status == 404 and "was used before" in got.text and "Come in" not in got.text
    token = link.group(1).rpartition("/")[2]
    stored = Path(found.here.opened.where).read_bytes()
    assert token.encode() not in stored and zoe.partition("=")[2].encode() not in stored  # only hashes are kept


def let_go(player: Player) -> int:
    """The code that his line is closed with; what he says until then is not answered."""
    assert player.line is not None
    with pytest.raises(ConnectionClosed) as closed:
        while True:
            player.send("ready")
            player.line.recv(10)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


def test_who_signs_out_is_let_go_where_he_signed_out(tmp_path: Path) -> None:
    with house(tmp_path, "bluff") as found:
        ann = found.player("Ann", "t1").connect()
        person = found.here.opened.vault.person_by_name("Ann")
        assert person is not None
        other = f"pitboss={found.here.opened.vault.begin_session(person.id)}"
        elsewhere = Player(found, "Ann", other, "t1").connect()
        assert found.ask("POST", "/leave", {}, cookie=ann.cookie).status == 303
        assert let_go(ann) == 4001
        assert elsewhere.ask("ready")["refused"] == "you have no seat at this table"  # he is still heard


def test_who_is_turned_away_plays_no_more_though_he_does_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What he sends after that is not done, however long his line is stuck."""
    with house(tmp_path, "bluff") as found:
        boss, ann = found.enter(found.link), found.player("Ann", "t1")
        sit(ann, 1)
        asked = found.here.opened.vault.person_by_name("Ann")
        assert asked is not None

        async def stuck(text: str) -> None:
            await asyncio.sleep(60)

        def stop(opened: Any) -> Any:
            (viewer,) = opened.house.tables["t1"].viewers
            viewer.send = stuck
            return viewer

        viewer = found.inside(stop)
        before = found.here.opened.vault.balances()
        ann.send("bet", seat=1, bets={"ante": "10"})  # its answer is stuck
        found.ask("POST", "/supervisor", {"do": "revoke", "player": asked.id}, cookie=boss)
        assert viewer.closing == 4001 and viewer.cut.is_set()
        with pytest.raises(ConnectionClosed):
            for _ in range(100):
                ann.send("buy", seat=1, cents=100)
                ann.line.recv(10)  # type: ignore[union-attr]
        assert found.here.opened.vault.balances()["seat:t1:1"] >= before["seat:t1:1"] - 1000
        assert len([e for e in found.here.opened.vault.events(table="t1") if e.kind == "buy"]) == 1


def test_a_house_opens_though_its_first_supervisor_was_turned_away(tmp_path: Path) -> None:
    with house(tmp_path, "bluff") as found:
        boss, vault = found.enter(found.link), found.here.opened.vault
        first = vault.person_by_name("Supervisor")
        assert first is not None
        found.ask("POST", "/supervisor", {"do": "invite", "name": "Sue", "role": "supervisor"}, cookie=boss)
        (link,) = [link for link, (name, _) in found.here.opened.links.items() if name == "Sue"]
        sue = found.enter(f"/invite/{link}")
        found.ask("POST", "/supervisor", {"do": "revoke", "player": first.id}, cookie=sue)
        assert found.ask("GET", "/supervisor", cookie=boss).status == 303
    with house(tmp_path) as found:
        boss, vault = found.enter(found.link), found.here.opened.vault
        assert "Sue" in found.ask("GET", "/supervisor", cookie=boss).text
        for person in vault.people():
            if person.role == "supervisor" and not person.revoked:
                vault.revoke(person.id)
    with house(tmp_path) as found:
        assert found.ask("GET", "/supervisor", cookie=found.enter(found.link)).status == 200
        assert found.here.opened.vault.person_by_name("Supervisor 2") is not None


def invite(found: House, boss: str, name: str, **more: str) -> str:
    """The path of a link."""
    found.ask("POST", "/supervisor", {"do": "invite", "name": name, "role": "player", **more}, cookie=boss)
    (token,) = [token for token, (who, _) in found.here.opened.links.items() if who == name]
    return f"/invite/{token}"


def test_who_is_invited_says_what_he_is_called(tmp_path: Path) -> None:
    with house(tmp_path, "bluff") as found:
        boss = found.enter(found.link)
        link = invite(found, boss, "Carol", dollars="250")
        found.guest("Dan")
        for name, why in (("dan", "there is somebody called dan already"), ("x" * 41, "up to 40 characters")):
            got = found.ask("POST", link, {"name": name})
            assert got.status == 400 and why in got.text.replace("There", "there") and "Come in" in got.text
        carol = found.ask("POST", link, {"name": " Caroline "})
        page = found.ask("GET", "/", cookie=carol.cookie).text
        assert "Good to see you, Caroline" in page and "$250" in page
        vault = found.here.opened.vault
        assert vault.person_by_name("Carol") is None and vault.check() == []


def test_chips_that_were_promised_are_there_once_whatever_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A house that was closed in between knows of them; and where they cannot be booked the link still works."""
    with house(tmp_path, "bluff") as found:
        link = invite(found, found.enter(found.link), "Carol", dollars="250")
    with house(tmp_path) as found:
        opened = found.here.opened

        async def full(*_: Any) -> None:
            raise Unavailable(f"{opened.where} cannot be written: database or disk is full")

        with monkeypatch.context() as broken:
            broken.setattr(opened.house, "adjust", full)
            got = found.ask("POST", link, {})
            assert got.status == 400 and "could not be written" in got.text and opened.where not in got.text
        enter = opened.vault.enter

        def later(*_: Any, **__: Any) -> None:
            raise Unavailable("the cookie is not written")

        with monkeypatch.context() as broken:
            broken.setattr(opened.vault, "enter", later)
            assert found.ask("POST", link, {}).status == 400
        assert opened.vault.enter == enter
        carol = found.enter(link)
        assert "$250" in found.ask("GET", "/", cookie=carol).text
        person = opened.vault.person_by_name("Carol")
        assert person is not None and opened.vault.balances()[f"purse:{person.id}"] == 25_000


def test_links_lead_to_where_the_browser_is(tmp_path: Path) -> None:
    with house(tmp_path, "bluff", guests=False, host="0.0.0.0", password="correct horse") as found:
        assert "0.0.0.0" not in found.address and found.link.startswith(found.address)
        port = found.address.rpartition(":")[2]
        found.address = f"http://127.0.0.1:{port}"
        boss = found.enter(found.link)
        invite(found, boss, "Carol")
        named = {"host": f"house.example:{port}", "origin": f"http://house.example:{port}"}
        assert (
            f'value="http://house.example:{port}/invite/' in found.ask("GET", "/supervisor", cookie=boss, **named).text
        )
    with house(tmp_path, origin="https://house.example") as found:
        found.address, link = f"http://127.0.0.1:{found.here.server.servers[0].sockets[0].getsockname()[1]}", found.link
        assert link.startswith("https://house.example/invite/")
        boss = found.enter(link)
        invite(found, boss, "Dan")
        assert 'value="https://house.example/invite/' in found.ask("GET", "/supervisor", cookie=boss).text


def test_names_are_as_long_as_a_seat_takes_and_no_formula(found: House, boss: str) -> None:
    assert found.ask("POST", "/join", {"name": "x" * (LONGEST_NAME + 1)}).status == 400
    found.guest("=1+1")
    kept = found.ask("GET", "/audit/balances.csv", cookie=boss).text
    assert ",'=1+1\n" in kept and ",=1+1" not in kept


def test_nobody_is_called_like_the_house_or_like_who_listens(tmp_path: Path) -> None:
    """Ann would hear of another that you lose, and of a player what the dealer does."""
    with house(tmp_path, "bluff") as found:
        boss = found.enter(found.link)
        link = invite(found, boss, "Carol")
        for name in ("you", "YOU", "\uff59\uff4f\uff55", "Dealer", "the dealer", "seat 3", "Computer 2", "Your seat 1"):
            assert "nobody is called" in floor_says(found, boss, do="invite", name=name, role="player").lower(), name
            assert found.ask("POST", "/join", {"name": name}).status == 400, name
            assert found.ask("POST", link, {"name": name}).status == 400, name
        assert found.ask("POST", link, {"name": "Youssef"}).status == 303


def test_a_guest_is_not_told_where_the_log_lies(found: House, ann: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(*_: Any) -> None:
        raise Unavailable(f"{found.here.opened.where} cannot be written: database or disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(found.here.opened.house.tables["t1"], "ask", full)
        said = Player(found, "Ann", ann.cookie, "t1").connect().ask("buy", seat=1, cents=100)["refused"]
    assert "could not be written" in said and "house.db" not in said and "disk" not in said


def test_cookies_that_nobody_gave(found: House) -> None:
    for forged in (
        "pitboss=",
        "pitboss=x",
        f"pitboss={'a' * 43}",
        f"pitboss-house={'b' * 43}",
        f"pitboss={'c' * 5000}",
    ):
        assert found.ask("GET", "/", cookie=forged).status == 303
        with connect(f"ws://{found.host}/ws/t/t1", origin=found.address, additional_headers={"Cookie": forged}) as line:  # type: ignore[arg-type]
            with pytest.raises(ConnectionClosed) as closed:
                line.recv(10)
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 4001


def test_what_other_pages_send_is_refused(found: House, boss: str, ann: Player) -> None:
    before = standing(found)
    for origin in ("http://evil.example", "null", "", f"http://{found.host}.evil.example", f"https://{found.host}"):
        got = found.ask("POST", "/supervisor", {"do": "close", "table": "t1"}, cookie=boss, origin=origin)
        assert got.status == 403, origin
        with (
            pytest.raises(InvalidStatus),
            connect(
                f"ws://{found.host}/ws/t/t1",
                origin=origin,
                additional_headers={"Cookie": ann.cookie},  # type: ignore[arg-type]
            ),
        ):
            pass
    assert found.ask("GET", "/", cookie=ann.cookie, host="evil.example").status == 421
    assert standing(found) == before


def test_the_supervisors_password(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="needs a supervisor's password"), house(tmp_path, "bluff", host="0.0.0.0"):
        pass
    with pytest.raises(BadInput, match="10 to 200"), house(tmp_path, "bluff", password="short"):
        pass
    with house(
        tmp_path, "bluff", password="correct horse", rates=Rates(FAST.commands, FAST.requests, (3, 0.001))
    ) as found:
        assert found.ask("POST", "/login", {"password": "wrong horse"}).status == 403
        got = found.ask("POST", "/login", {"password": "correct horse"})
        assert got.status == 303 and got.headers["location"] == "/supervisor"
        assert "HttpOnly" in got.headers["set-cookie"] and "SameSite=strict" in got.headers["set-cookie"]
        assert found.ask("GET", "/supervisor", cookie=got.cookie).status == 200
        assert found.ask("POST", "/login", {"password": "x"}).status == 403
        assert found.ask("POST", "/login", {"password": "correct horse"}).status == 429  # too many tries
        assert b"correct horse" not in Path(found.here.opened.where).read_bytes()


def test_a_house_with_an_origin_is_one_that_others_can_reach(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It listens to this machine only, and the proxy that is on it lets everybody in."""
    far = "https://house.example"
    with pytest.raises(BadInput, match="needs a supervisor's password"), house(tmp_path, "bluff", origin=far):
        pass
    serve = ["serve", "--db", str(tmp_path / "house.db"), "--port", "0", "--no-browser", "--origin", far]
    assert main(serve) == 2
    assert "--password-file" in capsys.readouterr().err
    assert main([*serve, "--open"]) == 2
    assert f"--open is for this machine only, and --origin {far} can be reached" in capsys.readouterr().err
    assert main(["serve", "--db", str(tmp_path / "house.db"), "--host", "0.0.0.0", "--open"]) == 2
    assert "--host 0.0.0.0 can be reached" in capsys.readouterr().err
    with house(tmp_path, "bluff", origin=far, password="correct horse") as found:
        assert found.link.startswith(far)


def test_who_asks_too_often_waits(tmp_path: Path) -> None:
    with house(tmp_path, "bluff", rates=Rates((5, 0.001), (40, 0.001), FAST.doors)) as found:
        ann = found.player("Ann", "t1").connect()
        said = [ann.ask("ready").get("refused", "") for _ in range(8)]
        assert not any("too fast" in text for text in said[:5]) and all("too fast" in text for text in said[5:])
        assert found.ask("GET", "/login").status == 200
        assert 429 in [found.ask("GET", "/login").status for _ in range(50)]


def look(found: House) -> http.client.HTTPConnection:
    line = http.client.HTTPConnection(found.host, timeout=20)
    line.request("GET", "/events/meters")
    assert line.getresponse().read(5) == b"data:"
    return line


@pytest.mark.parametrize(("each", "all_", "wanted"), [(4, 100, 4), (100, 3, 3)])
def test_there_are_so_many_signs_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, each: int, all_: int, wanted: int
) -> None:
    """Nobody has to come in to look at one; so one address has a few, this machine like every other."""
    monkeypatch.setattr("pitboss.web.opened.SIGNS_EACH", each)
    monkeypatch.setattr("pitboss.web.opened.MOST_SIGNS", all_)
    with house(tmp_path, "bluff") as found:
        lines = [look(found) for _ in range(wanted)]
        assert found.ask("GET", "/events/meters").status == 503
        for line in lines:
            line.close()
        signs = found.here.opened.signs
        for _ in range(200):
            if not signs.many:
                break
            time.sleep(0.05)
        assert not signs.many and not signs.by
        look(found).close()


def test_a_sign_is_not_held_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page asks for its meters again by itself."""
    monkeypatch.setattr("pitboss.web.signs.LASTS", 0.5)
    with house(tmp_path, "bluff") as found:
        line = http.client.HTTPConnection(found.host, timeout=20)
        for _ in range(6):  # more than one address has at once
            line.request("GET", "/events/meters")
            got = line.getresponse()
            told, until = b"", time.monotonic() + 30
            while more := got.read1():  # to its end
                told += more
                assert time.monotonic() < until, "it does not end"
            assert got.status == 200 and re.match(rb"data: \[.*\]\nretry: 1000\n\n", told), told
        line.close()


def test_large_forms_and_frames_are_cut(found: House, boss: str, ann: Player) -> None:
    got = found.ask("POST", "/supervisor", {"do": "invite", "name": "x" * 20_000}, cookie=boss)
    assert got.status == 400 and "bytes at most" in got.text
    other = Player(found, "Ann", ann.cookie, "t1").connect()
    assert other.line is not None
    other.line.send("x" * (LONGEST + 1))
    while "refused" not in other.read():  # it may come before the first scene
        pass
    other.line.send("x" * 100_000)
    with pytest.raises(ConnectionClosed) as closed:
        while True:
            other.line.recv(10)
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009


# ---- hostile messages


def test_messages_are_read_strictly() -> None:
    assert read_message('{"id": "x", "do": "bet", "bets": {"ante": "12.50"}}')["bets"] == {"ante": "12.50"}
    for text in ("", "[]", "1", "null", "{", '{"a": NaN}', '{"a": 1.5}', '{"a": 1e9}', '{"a": 9007199254740993}',
                 "[" * 5000,
                 '{"a": 1, "a": 2}', '{"a": {"b": {"c": {"d": {}}}}}', '{"a": "\\ud800"}', '{"a": -Infinity}',
                 '{"a": ' + "9" * 5000 + "}", '{"a": "' + "x" * LONGEST + '"}'):  # fmt: skip
        with pytest.raises(BadInput):
            read_message(text)
    assert read_form(b"a=1&b=%2B2") == {"a": "1", "b": "+2"}
    for form in (b"a=1&a=2", b"\xff", b"&".join(b"a%d=1" % n for n in range(200))):
        with pytest.raises(BadInput):
            read_form(form)


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**60), 2**60), st.sampled_from([0, 1, 2, 3, 7, -1, 10**12]),
    st.text(max_size=20),
    st.sampled_from(["1", "-5", "1e9", "NaN", "10/3", "0.001", "ante", "raise", "' or 1=1", "../x"]),
)  # fmt: skip
WAGERS = st.sampled_from(["ante", "suit-tie", "x", ""])
BODIES = st.dictionaries(
    st.sampled_from(["seat", "cents", "bets", "tokes", "choice", "seed", "reason", "name", "bot", "paused", "why", "by",
                     "role", "player", "table-max", "bet", "act", "meters", "id", "do"]),
    st.one_of(VALUES, st.lists(VALUES, max_size=3), st.dictionaries(WAGERS, VALUES, max_size=3)),
    max_size=6,
)  # fmt: skip
DOES = st.sampled_from(["bet", "choose", "buy", "cash", "seed", "deal", "void", "limits", "pace", "pause", "close",
                        "stand", "open", "adjust", "settle", "reveal", "shoe", "depart", "handle", "__init__", "",
                        "ready", "coach"])  # fmt: skip


@pytest.fixture(scope="module")
def mallory(found: House, boss: str, ann: Player) -> list[Player]:
    """Somebody who looks at Ann's table without a seat, and before whom Ann's cards lie; no clock chooses for her."""
    done = found.ask("POST", "/supervisor", {"do": "pace", "table": "t1", "bet": "0", "act": "0"}, cookie=boss)
    assert done.status == 303
    ann.do("bet", seat=1, bets={"ante": "10"})
    ann.do("ready")
    ann.until(lambda s: s["choose"])
    return [found.player("Mallory", "t1").connect()]


STALE = {"seat": 1, "choice": "check", "cents": 100, "bets": {"ante": "5"}, "reason": "x"}


@settings(max_examples=HOSTILE, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.one_of(
    st.tuples(DOES, BODIES).map(lambda pair: json.dumps({"id": "m", **pair[1], "do": pair[0]})),
    st.tuples(DOES, st.integers(0, 9)).map(lambda pair: json.dumps({"id": f"Ann-{pair[1]}", "do": pair[0], **STALE})),
    st.text(max_size=60), st.binary(max_size=60), BODIES.map(json.dumps),
))  # fmt: skip
def test_hostile_messages_change_nothing(
    found: House, ann: Player, mallory: list[Player], message: str | bytes
) -> None:
    """10,000 of them with PITBOSS_HOSTILE=10000: whatever somebody without a seat sends, the log stays as it is."""
    before = standing(found)
    line = mallory[0].line
    assert line is not None
    try:
        line.send(message)
        line.send(json.dumps({"id": "still-here", "do": "coach", "on": False}))
        while json.loads(line.recv(20)).get("ack") != "still-here":
            pass
    except ConnectionClosed:  # too much nonsense: the line is cut, and a new one is taken
        mallory[0].connect()
    assert standing(found) == before


def test_a_round_is_played_on_and_can_be_shown_to_somebody_once(found: House, boss: str, ann: Player) -> None:
    ann.do("choose", seat=1, choice="check")
    ann.until(lambda s: s["table"]["phase"] == "over")
    assert found.ask("GET", "/t/t1/history", cookie=ann.cookie).status == 200
    got = found.ask("GET", "/t/t1/round/1", cookie=ann.cookie)
    assert got.status == 200 and "Step" in got.text
    for step in ("0", "2", "99"):
        assert found.ask("GET", f"/t/t1/round/1?step={step}&part=1", cookie=ann.cookie).status == 200
    check(found)
    page = found.ask("GET", "/t/t1/round/1", cookie=ann.cookie).text
    link = re.search(r'value="http://[^"]+(/t/t1/round/1\?token=[^"]+)"', page)
    assert link is not None
    got = found.ask("GET", link.group(1))
    assert got.status == 303
    assert "SameSite=lax" in got.headers["set-cookie"]  # it is there after a link on a page of another site, too
    assert found.ask("GET", "/t/t1/round/1", cookie=got.cookie).status == 200
    assert found.ask("GET", link.group(1)).status == 404  # used
    page = found.ask("GET", "/t/t1/round/1", cookie=ann.cookie).text
    another = re.search(r'value="http://[^"]+(/t/t1/round/1\?token=[^"]+)"', page)
    assert another is not None and found.ask("GET", another.group(1)).status == 303
    assert found.ask("GET", "/t/t1/round/1", cookie=got.cookie).status == 200  # the first still looks at it
    assert found.ask("GET", "/t/t1/round/1").status == 303
    recalled = found.ask("GET", "/supervisor/recall?table=t1&round=1", cookie=boss)
    assert recalled.headers["location"] == "/t/t1/round/1"
    assert found.ask("GET", "/t/t1/round/1", cookie=boss).status == 200
