"""The history of a player: added up as the log grows, and read so that nobody else waits for it."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from live_house import House, Player, house
from pitboss.vault import Person
from pitboss.web import past, shown
from pitboss.web.played import Histories
from test_web import play, sit


@pytest.fixture
def found(tmp_path: Path) -> Iterator[House]:
    with house(tmp_path, "bluff") as opened:
        yield opened


def page_of(found: House, player: Player) -> str:
    got = found.ask("GET", "/t/t1/history", cookie=player.cookie)
    assert got.status == 200
    return got.text


def person_of(found: House, name: str) -> Person:
    person = found.here.opened.vault.person_by_name(name)
    assert person is not None
    return person


def test_no_event_is_added_up_twice(found: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = found.player("Ann", "t1"), found.player("Bob", "t1")
    sit(ann, 1)
    asked: list[int] = []
    real = past.rounds_since

    def since(vault: Any, table: str, person: Person, after: int) -> Any:
        asked.append(after)
        return real(vault, table, person, after)

    monkeypatch.setattr(past, "rounds_since", since)
    vault, histories = found.here.opened.vault, found.here.opened.histories
    heads = [0]
    for _ in range(3):
        play(found, ann)
        page_of(found, ann)
        heads.append(vault.head()[0])
    assert asked == heads[:-1]
    page_of(found, bob)
    page_of(found, bob)
    assert asked[-2:] == [0, heads[-1]]  # nor is the log gone through again for who has not played
    sit(bob, 2)
    play(found, ann, bob)
    for name, rounds in (("Ann", 4), ("Bob", 1)):
        person = person_of(found, name)
        page_of(found, ann if name == "Ann" else bob)
        kept = histories.played(vault, "t1", person)
        anew = Histories().played(vault, "t1", person)
        assert kept.rounds == rounds and kept == anew and kept.first and kept.bets["ante"][0] > 0
        settled = [e for e in vault.events(kind="settle") if person.id in e.body["players"].values()]
        assert kept.net == sum(e.body["nets"]["1" if name == "Ann" else "2"] for e in settled)


def test_nothing_is_looked_for_where_he_has_not_played(found: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A round that is not there would be looked for through the whole log, page by page."""
    ann, bob = found.player("Ann", "t1"), found.player("Bob", "t1")
    sit(ann, 1)
    play(found, ann)
    read: list[int] = []
    real = past.rounds_of

    def rounds_of(*asked: Any) -> Any:
        for event in real(*asked):
            read.append(event.seq)
            yield event
        read.append(0)  # to its end

    monkeypatch.setattr(past, "rounds_of", rounds_of)
    assert "Replay" not in page_of(found, bob) and not read
    assert "Replay" in page_of(found, ann) and len(read) == 1 and read[0]
    before = found.ask("GET", f"/t/t1/history?before={read[0]}", cookie=ann.cookie)
    assert before.status == 200 and "Replay" not in before.text and len(read) == 1


def test_there_is_no_page_after_the_last(found: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown, "A_PAGE", 2)
    ann = found.player("Ann", "t1")
    sit(ann, 1)
    play(found, ann)
    play(found, ann)
    assert "Earlier" not in page_of(found, ann)
    play(found, ann)
    assert "Earlier" in page_of(found, ann)


def test_one_history_of_a_person_is_read_at_a_time(found: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others are not kept waiting, neither for their histories nor for anything else."""
    ann, bob = found.player("Ann", "t1"), found.player("Bob", "t1")
    sit(ann, 1)
    play(found, ann)
    go, running, most = threading.Event(), dict[str, int](), dict[str, int]()
    lock, real = threading.Lock(), shown.history

    def held(opened: Any, live: Any, person: Person, *more: Any) -> Any:
        with lock:
            running[person.name] = running.get(person.name, 0) + 1
            most[person.name] = max(most.get(person.name, 0), running[person.name])
        if person.name == "Ann":
            assert go.wait(60)
        try:
            return real(opened, live, person, *more)
        finally:
            with lock:
                running[person.name] -= 1

    monkeypatch.setattr(shown, "history", held)
    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(found.ask, "GET", "/t/t1/history", cookie=ann.cookie) for _ in range(8)]
        refused = list(islice(as_completed(asked, 60), 5))  # the others wait
        assert all(one.result().status == 429 and "being read already" in one.result().text for one in refused)
        assert "Replay" not in page_of(found, bob)
        assert found.ask("GET", "/t/t1/rules", cookie=ann.cookie).status == 200
        go.set()
        assert sorted(one.result(60).status for one in asked) == [200] * 3 + [429] * 5
    assert most == {"Ann": 1, "Bob": 1}
    assert found.ask("GET", "/t/t1/history", cookie=ann.cookie).status == 200  # nothing is left of it


def test_so_many_sums_are_kept_and_no_more(found: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.web.played.MOST_KEPT", 2)
    ann = found.player("Ann", "t1")
    sit(ann, 1)
    play(found, ann)
    for name in ("Bob", "Carl", "Dan"):
        page_of(found, found.player(name, "t1"))
        assert "All the rounds you played here" in page_of(found, ann)
    histories = found.here.opened.histories
    assert [who for _, who in histories._kept] == [person_of(found, "Dan").id, person_of(found, "Ann").id]
    assert not histories._asked and not histories._turns


def test_a_house_closes_while_a_history_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the log is: what is being read is broken off."""
    ended = threading.Event()
    with house(tmp_path, "bluff") as found:
        ann = found.player("Ann", "t1")
        sit(ann, 1)
        play(found, ann)
        begun, real = threading.Event(), past.rounds_since

        def endless(*asked: Any) -> Iterator[Any]:
            (event,) = real(*asked)
            try:
                while True:
                    begun.set()
                    time.sleep(0.01)
                    yield event
            finally:
                ended.set()

        monkeypatch.setattr(past, "rounds_since", endless)
        with ThreadPoolExecutor(1) as pool:
            asked = pool.submit(found.ask, "GET", "/t/t1/history", cookie=ann.cookie)
            assert begun.wait(60)
            found.loop.call_soon_threadsafe(found.here.end)
            assert ended.wait(60)
            assert asked.result(60).status == 429 and "The house is closing." in asked.result().text
