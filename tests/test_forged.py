"""Somebody who has the database in his hands writes events into the log, with moves that sum to zero and hashes that
fit. An audit holds each of them against who sits there, and against who may ask for it."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pitboss.pit import CLOCK, SUPERVISOR
from pitboss.vault import Action, Entry, Stored
from pitboss.web.checked import audited
from test_pit import Driven, in_play
from test_web_recovery import place, run

HUNDRED = {"purse:ann": -100, "seat:t1:1": 100}


def forged(found: Driven, action: str, kind: str, body: dict[str, Any], moves: dict[str, int] | None = None,
           table: str = "t1", of: str = "") -> str:  # fmt: skip
    """What an audit says of a log to which this was added; before it, the log was true."""
    assert not found.audit().fault
    seq = len(found.log) + 1
    event = Stored(seq, "", of or table, action, table, kind, json.loads(json.dumps(body)), moves or {}, "", "")
    said = found.audit([*found.log, event]).fault
    assert said.startswith(f"event {seq}, {kind} at {table}: "), said
    assert "\n" not in said
    return said


CASES: list[tuple[str, str, dict[str, Any], dict[str, int], str]] = [
    ("bob:x", "buy", {"seat": 1, "player": "ann", "cents": 100}, HUNDRED, "bob (player) would have been refused: seat"),
    ("ann:x", "buy", {"seat": 1, "player": "bob", "cents": 100}, {"purse:bob": -100, "seat:t1:1": 100},
     "'bob' does not have seat 1"),
    ("ann:x", "buy", {"seat": 1, "player": "ann", "cents": -100}, {"purse:ann": 100, "seat:t1:1": -100},
     "whole number"),
    ("boss:x", "buy", {"seat": 1, "player": "ann", "cents": 100}, HUNDRED, "who buys his own chips"),
    ("house-x", "buy", {"seat": 1, "player": "ann", "cents": 100}, HUNDRED, "who buys his own chips"),
    ("eve:x", "buy", {"seat": 1, "player": "ann", "cents": 100}, HUNDRED, "'eve', who was never let in"),
    ("ann", "stand", {"seat": 1, "player": "bob"}, {}, "'bob' does not have seat 1"),
    ("ed:x", "stand", {"seat": 5, "player": "ann"}, {}, "seat 5 is not yours"),
    ("bob:x", "cash", {"seat": 2, "player": "ann", "cents": 100}, {"purse:ann": 100, "seat:t1:2": -100},
     "'ann' does not have seat 2"),
    ("ed:x", "sit", {"seat": 1, "player": "ed", "name": "ed", "bot": False}, {}, "seat 1 is taken"),
    ("ed:x", "sit", {"seat": 6, "player": "bob", "name": "bob", "bot": False}, {}, "'bob' is somebody else"),
    ("ed:x", "sit", {"seat": 6, "player": "bot:t1:6", "name": "C", "bot": True}, {}, "'bot:t1:6' is somebody else"),
    ("ed:x", "sit", {"seat": 6, "player": "ed", "name": "ed", "bot": True}, {}, "cannot be the computer player"),
    ("eye:x", "sit", {"seat": 6, "player": "eye", "name": "eye", "bot": False}, {}, "you are auditor"),
    ("ed:x", "bet", {"seat": 6, "bets": {}, "tokes": {}}, {}, "nobody has seat 6"),
    ("ed:x", "bet", {"seat": 1, "bets": {}, "tokes": {}}, {}, "seat 1 is not yours"),
    ("clock-x", "bet", {"seat": 1, "bets": {}, "tokes": {}}, {}, "the clock (clock) would have been refused: seat 1"),
    ("ed:x", "seed", {"seat": 6, "seed": "x"}, {}, "nobody has seat 6"),
    ("ann:x", "seed", {"seat": True, "seed": "x"}, {}, "there is no seat True"),
    ("eye:x", "limits", {"by": "eye", "options": {"table-max": "400"}}, {}, "limits is for supervisor"),
    ("boss:x", "limits", {"by": "eye", "options": {"table-max": "400"}}, {}, "it says that it was 'eye'"),
    ("boss:x", "pause", {"paused": True}, {}, "it says that it was ''"),
    ("clock-x", "close", {}, {}, "close is for supervisor, and you are clock"),
    ("welcome-x", "limits", {"by": "house", "options": {"table-max": "400"}}, {}, "'welcome-x', who was never let in"),
    ("boss:x", "open", {"by": "boss"}, {}, "the table was opened before"),
]  # fmt: skip


@pytest.fixture(scope="module")
def driven() -> Driven:
    return Driven("bluff", 3)


@pytest.mark.parametrize(
    ("action", "kind", "body", "moves", "told"), CASES, ids=lambda x: x if isinstance(x, str) else ""
)
def test_what_nobody_could_have_asked_for_is_found(
    driven: Driven, action: str, kind: str, body: dict[str, Any], moves: dict[str, int], told: str
) -> None:
    assert told in forged(driven, action if ":" in action or "-" in action else f"{action}:x", kind, body, moves)


def test_a_choice_is_its_players_or_the_clocks() -> None:
    found = Driven("bluff", 3)
    table = in_play(found, 1)
    made = {"seat": 1, "choice": table.session.turn.choices[0], **table.pool.told()}  # type: ignore[union-attr]
    assert "seat 1 is not yours" in forged(found, "bob:x", "choose", made)
    assert "named by the clock" in forged(found, "clock-x", "choose", made)
    assert "named by the clock" in forged(found, "ann:x", "choose", {**made, "by": "clock"})


def test_nothing_happens_at_a_table_that_is_closed() -> None:
    found = Driven("bluff", 3)
    assert not found.ask(found.floor.tables["t1"], "close", "boss", SUPERVISOR)
    body = {"seat": 1, "player": "ann", "name": "ann", "bot": False}
    assert "is closed" in forged(found, "ann:x", "sit", body)


def test_a_table_is_opened_by_a_supervisor(driven: Driven) -> None:
    first = next(event for event in driven.log if event.kind == "open")
    for action, by, told in (
        ("ann:x", "ann", "open is for supervisor"), ("boss:x", "ann", "it says that it was 'ann'"),
        ("opening-x", "eye", "open is for supervisor"), ("opening-x", "eve", "'eve', who was never let in"),
    ):  # fmt: skip
        assert told in forged(driven, action, "open", {**first.body, "by": by}, table="t9")


def test_an_action_is_one_wish_and_what_follows_from_it() -> None:
    found = Driven("bluff", 3)
    asked = {"seat": 1, "seed": "another"}
    assert "with what was asked for before it" in forged(found, found.log[-1].action, "sit", {}, table="t2")
    assert "it was asked for at 't2'" in forged(found, "ann:x", "seed", asked, of="t2")
    in_play(found, 1)
    while found.floor.tables["t1"].in_play:
        choices = found.floor.tables["t1"].session.turn.choices  # type: ignore[union-attr]
        assert not found.ask(found.floor.tables["t1"], "choose", "ann", seat=1, choice=choices[0])
    at = next(i for i, event in enumerate(found.log) if event.kind == "settle")
    log = [*found.log[:at], replace(found.log[at], action="ann:x"), *found.log[at + 1 :]]
    assert found.audit(log).fault == f"event {at + 1}, settle at t1: it was not written with what it follows from"


@pytest.mark.parametrize(
    ("action", "by", "player", "told"),
    [
        ("ann:x", "ann", "ann", "adjust is for supervisor"),
        ("eye:x", "eye", "ann", "adjust is for supervisor"),
        ("boss:x", "eye", "ann", "it says that it was 'eye'"),
        ("house-x", "house", "ann", "to computer players alone"),
        ("welcome-x", "house", "ann", "what no invitation has promised"),
        ("clock-x", "", "ann", "adjust is for supervisor"),
    ],
)
def test_chips_come_from_who_may_give_them(driven: Driven, action: str, by: str, player: str, told: str) -> None:
    body = {"player": player, "cents": 700, "reason": "because", "by": by}
    assert told in forged(driven, action, "adjust", body, {f"purse:{player}": 700, "cage": -700}, table="house")


def test_a_guest_has_what_his_invitation_promised() -> None:
    found, token = Driven("bluff", 3), "ab" * 32
    said = {"change": "invited", "person": "ann", "by": "boss", "token": token, "until": "", "cents": 700}
    found.log.append(Stored(len(found.log) + 1, "", "house", "person-x", "house", "person", said, {}, "", ""))
    for player, cents in (("ann", 701), ("bob", 700)):
        body = {"player": player, "cents": cents, "reason": "because", "by": "house"}
        moves = {f"purse:{player}": cents, "cage": -cents}
        assert "what no invitation" in forged(found, f"welcome-{token[:32]}", "adjust", body, moves, table="house")
    body = {"player": "ann", "cents": 700, "reason": "because", "by": "house"}
    moves, seq = {"purse:ann": 700, "cage": -700}, len(found.log) + 1
    for action in (f"welcome-{token[:32]}", "welcome-ann"):  # in earlier logs the guest himself was named
        true = Stored(seq, "", "house", action, "house", "adjust", body, moves, "", "")
        assert not found.audit([*found.log, true]).fault


def test_the_house_takes_none_of_it_either(driven: Driven) -> None:
    """What an audit refuses was refused when it was asked for."""
    table = driven.floor.tables["t1"]
    assert "makes his own bets" in driven.ask(table, "bet", "", CLOCK, seat=1, bets={})
    assert "seat 1 is taken" in driven.ask(table, "sit", "ed", seat=1, name="ed")


def test_hashes_that_fit_make_no_event_true(tmp_path: Path) -> None:
    """Written by the vault itself: the chain holds, the money adds up, and the audit of a real house finds it."""

    async def test() -> None:
        async with place(tmp_path) as here:
            await here.open("bluff", "ann", "bob")
            moves = {"purse:ann": -100, "seat:t1:1": 100}
            buy = Entry("t1", "buy", {"seat": 1, "player": "ann", "cents": 100}, moves)
            receipt = here.vault.write(Action("t1", "bob:1", (buy,))).result()
            assert here.vault.check() == []
            assert audited(here.vault, here.games).fault == (
                f"event {receipt.seq}, buy at t1: bob (player) would have been refused: seat 1 is not yours"
            )

    run(test)
