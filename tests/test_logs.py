"""Logs as evidence: what was changed, left out or made up is found; what was interrupted is there and told."""

import hashlib
import io
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import pitboss as pb
from helpers import GAME_FILES, ROOT, case_name
from pitboss.catalog import load, named
from pitboss.cli import main
from pitboss.cli.play import run
from pitboss.games.bluff import GAME as BLUFF
from pitboss.live import Evidence, Journal, Session, Shoe, evidence, least_bets
from pitboss.live.chain import START, sealed
from pitboss.rules import BadInput, House


def checked(path: Path, games: Sequence[pb.Game] = ()) -> Evidence:
    return evidence(path, lambda name: named(name, games, "the log"))


def evening(path: Path, house: House | None = None, rounds: int = 3, seats: int = 1, seed: int = 1) -> Path:
    """Rounds by whoever chooses first, from a shoe that comes the same every time."""
    t = pb.table(house or BLUFF.at(), seats, seed=seed, log=path)
    rng = random.Random(seed)
    for _ in range(rounds):
        for seat in t.seats:
            t.bet(seat, least_bets(t.house))
        t.deal()
        while t.turn is not None:
            t.choose(t.turn.seat, rng.choice(t.turn.choices))
    t.close()
    return path


def forged(path: Path, change: Callable[[list[dict[str, Any]]], object]) -> Path:
    """The log with other entries, and a chain that is right for them: what its holder could write."""
    entries = [json.loads(line) for line in path.read_text().splitlines()]
    change(entries)
    last, out = START, b""
    for entry in entries:
        line, last = sealed({k: v for k, v in entry.items() if k not in ("after", "sha256")}, last)
        out += line
    path.write_bytes(out)
    return path


def refused(path: Path, *words: str) -> str:
    with pytest.raises(BadInput) as why:
        checked(path)
    text = str(why.value)
    assert path.name in text and "\n" not in text and len(text) < 700, text
    assert all(word in text for word in words), text
    return text


# ---- what is written


@pytest.mark.parametrize("path", GAME_FILES, ids=case_name)
def test_every_game_is_logged_through_its_shoe_and_holds(path: Path, tmp_path: Path) -> None:
    game = load(str(path))
    log = evening(tmp_path / "log", game.at(), rounds=25, seats=2)
    found = checked(log, [game])
    assert len(found.rounds) == 25 and found.whole and found.chained and not found.notes
    assert found.games == ((game.name, game.sha256),) and found.versions == (pb.__version__,)


def test_sessions_go_on_with_one_chain(tmp_path: Path) -> None:
    log = tmp_path / "log"
    seals = [checked(evening(log, seed=seed)).seal for seed in (1, 2, 3)]
    found = checked(log)
    assert (len(found.rounds), found.sessions, found.seal) == (9, 3, seals[-1]) and len(set(seals)) == 3
    assert json.loads(log.read_text().splitlines()[7])["after"] == seals[0]


def test_a_shoe_that_goes_on_in_another_session_is_known(tmp_path: Path) -> None:
    house, log = BLUFF.at(decks=2), tmp_path / "log"
    shoe = Shoe(house)
    for _ in range(3):
        t = Session(house, shoe=shoe, journal=Journal(log))
        t.bet(1, ante=10)
        t.deal()
        t.choose(1, "raise")
        t.close()
    assert shoe.dealt == 6 and checked(log).whole
    other = next(card for card in ("Ah", "Kd", "2c", "7s", "9h", "Jd", "3s") if f'"{card}"' not in log.read_text())
    forged(log, lambda e: e[3].update(gone=[other] * 2))
    assert checked(log).whole, "there are two of each card in two decks"
    forged(log, lambda e: e[3].update(gone=[other] * 3))
    refused(log, "line 4", f"{other} is dealt 3 times")


def test_a_shoe_that_was_not_full_is_known(tmp_path: Path) -> None:
    log = evening(tmp_path / "log", BLUFF.at(decks=2, shoe="A:2 K:3"), rounds=20)
    assert checked(log).whole and json.loads(log.read_text().splitlines()[0])["shoe"]
    forged(log, lambda entries: entries[0].update(shoe="A:2 K:3 Q:1 J:1 T:1 9:1 8:1 7:1 6:1 5:1 4:1 3:1 2:1"))
    refused(log, "dealt")


def test_a_player_who_leaves_is_in_the_log_with_what_he_forfeits(tmp_path: Path) -> None:
    log = tmp_path / "log"
    for spots, others in (([(1, 3)], {}), ([], {2: lambda turn, view: turn.choices[0]}), ([(1, 2, 3)], {})):
        t = pb.table("bluff", 3, spots=spots, bots=others, log=log)
        for seat in t.seats:
            if seat not in others:
                t.bet(seat, ante=10)
        t.deal()
        t.leave(1)
        while t.turn is not None:
            t.choose(t.turn.seat, "check")
        t.close()
    found = checked(log)
    assert found.whole and [[e["seat"] for e in r.left] for r in found.rounds] == [[1, 3], [1], [1, 2, 3]]


def test_what_a_table_is_closed_in_is_forfeited(tmp_path: Path) -> None:
    t = pb.table("bluff", log=tmp_path / "log")
    t.bet(1, ante=10)
    t.deal()
    t.close()
    assert checked(tmp_path / "log").rounds[0].left[0]["forfeits"] == {"ante": "10"}


# ---- what was changed


def test_every_bit_of_a_log_counts(tmp_path: Path) -> None:
    """One bit of every byte changed: refused, or told of as a torn end; never the same answer as before."""
    log = evening(tmp_path / "log", rounds=1)
    whole, right = log.read_bytes(), checked(log)
    rng = random.Random(7)
    for place in range(len(whole)):
        changed = bytearray(whole)
        changed[place] ^= 1 << rng.randrange(8)
        log.write_bytes(changed)
        try:
            found = evidence(log, lambda _: BLUFF)
        except BadInput as error:
            assert "log" in str(error) and "\n" not in str(error)
        else:
            assert place == len(whole) - 1 and found.missing and found.seal != right.seal


def test_lines_that_are_left_out_added_or_moved_are_found(tmp_path: Path) -> None:
    log = evening(tmp_path / "log")
    lines = log.read_bytes().splitlines(keepends=True)
    for number in range(len(lines) - 1):
        log.write_bytes(b"".join(lines[:number] + lines[number + 1 :]))
        refused(log, f"line {number + 1}", "does not follow")
        log.write_bytes(b"".join([*lines[: number + 1], lines[number], *lines[number + 1 :]]))
        refused(log, f"line {number + 2}")
        swapped = [*lines[:number], lines[number + 1], lines[number], *lines[number + 2 :]]
        log.write_bytes(b"".join(swapped))
        refused(log)
    for number in range(1, len(lines)):  # the end can be taken off: the seal that was kept elsewhere says so
        log.write_bytes(b"".join(lines[:number]))
        if number > 1:
            assert checked(log).seal == json.loads(lines[number - 1])["sha256"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda e: e[2]["events"][-1].update(value=1), ("line 3", "came out otherwise")),
        (lambda e: e[2].update(cards=[*e[2]["cards"], "As"]), ("line 3", "deals 2 cards")),
        (lambda e: e[2].update(choices=[], events=e[2]["events"][:2]), ("line 3", "not over")),
        (lambda e: e[2].update(choices=[], events=e[2]["events"][:2], abandoned=True), ("line 3", "leaves")),
        (lambda e: e[3]["seats"][0].update(carried={"streak": 1}), ("line 4", "carries over")),
        (lambda e: e[3].update(round=7), ("line 4", "opens round 7")),
        (lambda e: e[4].update(round=7), ("line 5", "closes round 7")),
        (lambda e: e[3]["shoe"].update(dealt=0), ("line 4", "have left the shoe")),
        (lambda e: e[3]["shoe"].update(shuffle=0), ("line 4", "dealt before")),
        (lambda e: e[0].update(game_file_sha256="0" * 64), ("line 1", "another game file")),
        (lambda e: e[0].update(format=3), ("line 1", "format")),
        (lambda e: e[0].update(game="no-such-game"), ("line 1", "not shipped")),
        (lambda e: e[0]["options"].update(decks="99"), ("line 1", "decks")),
        (lambda e: e.pop(0), ("line 1", "no session")),
        (lambda e: e.pop(2) and e.pop(2) and e.insert(2, e[1]), ("line 3",)),
    ],
)  # fmt: skip
def test_a_forged_log_with_a_right_chain_is_held_against_the_rules(change: Any, words: Any, tmp_path: Path) -> None:
    refused(forged(evening(tmp_path / "log"), change), *words)


def test_cards_are_held_against_the_shoe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Aces of spades without end, over the rounds of one shoe and within a round."""
    log = tmp_path / "log"

    def same(shoe: Shoe, cards: Sequence[int]) -> list[int]:
        return [51] * len(cards)  # a shoe of nothing but aces of spades

    monkeypatch.setattr(Shoe, "_shuffled", same)
    for decks, most in ((2, 2), (6, 6)):
        t = pb.table(BLUFF.at(decks=decks), log=log)
        for _ in range(most // 2 + 1):
            t.bet(1, ante=10)
            t.deal()
            t.choose(1, "raise")
        t.close()
        refused(log, f"line {1 + 2 * (most // 2 + 1)}", f"As is dealt {most + 2} times", f"holds {most}")
        log.unlink()
    t = pb.table("flop-poker-bonus", shuffle=same, log=log)
    t.bet(1, least_bets(t.house))
    t.deal()
    while t.turn is not None:
        t.choose(1, t.turn.choices[0])
    t.close()
    refused(log, "line 3", "As is dealt", "holds 1")


def test_a_round_that_is_finished_with_the_discards_holds(tmp_path: Path) -> None:
    """Blackjack from a shoe with hardly a card left: the rest comes from the rack, and from nowhere else."""
    house = pb.game("blackjack").at(decks=1, shoe=" ".join(f"{rank}:1" for rank in "23456789TJQK") + " A:3")
    t = pb.table(house, seed=3, log=tmp_path / "log")
    t.shoe.cut = 99  # no cut card: the shoe is dealt to its last card
    t.graph = type("Small", (), {"most_cards": staticmethod(lambda seats: 1), "ends": t.graph.ends})()  # type: ignore[assignment]
    for _ in range(12):
        t.bet(1, least_bets(house))
        t.deal()
        while t.turn is not None:
            t.choose(1, "hit" if "hit" in t.turn.choices and len(t.turn.player) < 3 else t.turn.choices[-1])
    t.close()
    assert t.shoe.shuffles > 1 and checked(tmp_path / "log").whole


# ---- what was interrupted


def played(log: Path, *more: str) -> "subprocess.Popen[bytes]":
    words = [sys.executable, "-c", "from pitboss.cli import main; raise SystemExit(main())"]
    words += ["play", "bluff", "--json", "--log", str(log), *more]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT)


def typed(child: "subprocess.Popen[bytes]", log: Path, text: bytes, lines: int) -> None:
    """Type, and wait until so many lines are in the log."""
    assert child.stdin is not None
    child.stdin.write(text)
    child.stdin.flush()
    deadline = time.monotonic() + 60
    while log.read_bytes().count(b"\n") < lines if log.exists() else True:
        assert time.monotonic() < deadline and child.poll() is None, child.communicate()
        time.sleep(0.02)


def test_a_table_that_is_killed_in_a_round_leaves_the_round_in_the_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log"
    child = played(log)
    typed(child, log, b"\nraise\n\n", 4)
    os.kill(child.pid, signal.SIGKILL)
    child.communicate()
    assert main(["replay", str(log)]) == 1
    assert "round 2 was opened and never closed: seat 1 had ante $5" in " ".join(capsys.readouterr().out.split())
    child = played(log)  # the lock has gone with its process
    child.communicate(b"\nraise\n", timeout=60)
    found = checked(log)
    assert child.returncode == 0 and [r.round for r in found.rounds] == [1, 3] and len(found.missing) == 1


@pytest.mark.parametrize("end", [EOFError, KeyboardInterrupt, "q", "fly"])
def test_every_way_to_leave_a_round_closes_it(end: Any, tmp_path: Path) -> None:
    """The input ends, Ctrl-C, the key for it, nonsense from a script."""
    log, keys = tmp_path / "log", iter(["", end])

    def read(_: str) -> str:
        if isinstance(key := next(keys), str):
            return key
        raise key

    try:
        run(BLUFF.at(), {"ante": Fraction(5)}, read=read, console=Console(file=io.StringIO()), log=log, json_lines=True)
    except BadInput:
        assert end == "fly"
    found = checked(log)
    assert found.whole and [r.left[0]["forfeits"] for r in found.rounds] == [{"ante": "5"}]


def test_a_torn_line_is_told_of_and_never_written_into(tmp_path: Path) -> None:
    log = evening(tmp_path / "log")
    whole = log.read_bytes()
    begins = whole[:-1].rindex(b"\n") + 1
    for end in (begins + 1, begins + 40, len(whole) - 2):
        log.write_bytes(whole[:end])
        found = checked(log)
        assert [r.round for r in found.rounds] == [1, 2] and len(found.missing) == 2
        assert "round 3 was opened and never closed" in found.missing[0] and "line 7 is torn" in found.missing[1]
        evening(log, seed=5)
        assert log.read_bytes().startswith(whole[:end] + b"\n")
        found = checked(log)
        assert [r.round for r in found.rounds] == [1, 2, 4, 5, 6] and len(found.missing) == 2
        hidden = log.read_bytes().replace(whole[begins:end] + b"\n", whole[begins : end - 1] + b"?\n")
        log.write_bytes(hidden)
        refused(log, "line 7: was changed")
    log.write_bytes(whole[:-1])  # only the line break is missing: nothing is lost
    assert checked(log).whole and checked(evening(log)).whole
    log.write_bytes(whole[:20])  # torn in the first line: there is no round
    refused(log, "holds no round")
    assert [r.round for r in checked(evening(log)).rounds] == [1, 2, 3]


def test_a_full_disk_stops_the_table_and_loses_nothing(tmp_path: Path) -> None:
    """The file may grow by so many bytes: wherever that ends, the log holds, and the table says so once."""
    log = tmp_path / "log"
    size = len(evening(log, rounds=2).read_bytes())
    script = (
        "import resource, sys; from pitboss.cli import main;"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY));"
        "raise SystemExit(main(['play', 'bluff', '--log', sys.argv[2]]))"
    )
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY
    for limit in (300, size // 2 - 100, size // 2 + 100, size - 300):
        log.unlink(missing_ok=True)
        done = subprocess.run(
            [sys.executable, "-c", script, str(limit), str(log)],
            input=b"\ncheck\n" * 6, capture_output=True, cwd=ROOT, timeout=100,
        )  # fmt: skip
        assert done.returncode == 2 and b"Traceback" not in done.stderr and b"cannot be written" in done.stderr
        if limit > 300:
            found = checked(log)
            shown = done.stdout.decode().count("The log cannot be written")
            assert shown == (not found.whole)
    assert log.stat().st_size <= limit


def test_a_disk_that_has_room_again_gets_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    t = pb.table("bluff", log=tmp_path / "log")
    write = os.write

    def full(handle: int, data: bytes) -> int:
        if len(data) > 100:
            return write(handle, data[:100])
        raise OSError(28, "No space left on device")

    for _ in range(2):
        t.bet(1, ante=10)
        t.deal()
        monkeypatch.setattr(os, "write", full)
        t.choose(1, "raise")
        assert t.journal is not None and t.journal.trouble == "No space left on device"
        t.bet(1, ante=10)
        with pytest.raises(BadInput, match="no round is dealt without it"):
            t.deal()
        monkeypatch.setattr(os, "write", write)
    t.deal()
    t.close()
    found = checked(tmp_path / "log")
    assert found.whole and len(found.rounds) == 3


# ---- which file


@pytest.mark.parametrize(
    "text", ["hello", "hello\n", "\n", "{}\n", '{"game": "bluff"}\n', "\0" * 50, "PK\x03\x04", "[1]"]
)
def test_a_table_writes_into_a_log_and_nothing_else(text: str, tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "diary.txt"
    path.write_text(text)
    assert main(["play", "bluff", "--log", str(path)]) == 2
    said = capsys.readouterr()
    assert "diary.txt is not a log of pitboss" in said.err and "Your" not in said.out
    assert path.read_text() == text and [p.name for p in tmp_path.iterdir()] == ["diary.txt"]


def test_a_link_that_leads_in_a_circle_is_one_sentence(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for words in (["play", "bluff", "--log"], ["replay"]):
        assert main([*words, str(tmp_path / "loop")]) == 2
        assert "Too many levels of symbolic links" in capsys.readouterr().err


def test_a_damaged_log_is_not_gone_on_with(tmp_path: Path) -> None:
    log = evening(tmp_path / "log")
    log.write_bytes(log.read_bytes().replace(b'"ante":"5"', b'"ante":"6"', 1))
    before = log.read_bytes()
    with pytest.raises(BadInput, match="line 2: was changed"):
        Journal(log)
    assert log.read_bytes() == before


def test_two_tables_cannot_write_one_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log"
    t = pb.table("bluff", log=log)
    os.symlink(log, tmp_path / "other")
    for name in ("log", "other"):
        assert main(["play", "bluff", "--log", str(tmp_path / name)]) == 2
        assert "in use" in capsys.readouterr().err
    t.close()
    assert checked(evening(log)).sessions == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "is empty"),
        (b"\n", "not a log"),
        (b"{}", "not a log"),
        (b"[" * 100_000, "not a log"),
        (b"\xff\xfe\n", "not a log"),
        (b"\0" * 1000, "not a log"),
        (b"x" * 3_000_000, "longer than any line"),
        (b'{"game": "bluff", "events": ' + b"[" * 90_000, "not a log"),
    ],
)
def test_what_is_no_log_is_no_success(text: bytes, words: str, tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "log").write_bytes(text)
    assert main(["replay", str(tmp_path / "log")]) == 2
    assert words in capsys.readouterr().err


def test_a_log_without_a_round_is_no_success(tmp_path: Path) -> None:
    refused(evening(tmp_path / "log", rounds=0), "holds no round")


# ---- hostile logs

NONSENSE: list[Any] = [
    None,
    True,
    0,
    -1,
    10**9,
    10**30,
    "",
    "x",
    "\0",
    "1/0",
    "NaN",
    [],
    [[]],
    {},
    {"a": 1},
    ["x"] * 500,
]
NONSENSE += [[None], [[1, 2, 3]], {"bets": 5}, [{"bets": {"ante": "x"}}], "A:20" * 100, ["As"] * 60, [[1]]]


def places(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a piece of JSON."""
    inside: list[Any] = []
    if isinstance(value, dict | list):
        inside = list(value.items() if isinstance(value, dict) else enumerate(value))
    return [*([way] if way else []), *(found for key, part in inside for found in places(part, (*way, key)))]


def put(value: Any, way: tuple[Any, ...], new: Any) -> None:
    for key in way[:-1]:
        value = value[key]
    if new is put:
        del value[way[-1]]
    else:
        value[way[-1]] = new


@pytest.mark.parametrize("chained", [True, False])
def test_no_log_ends_in_a_traceback(chained: bool, tmp_path: Path) -> None:
    """Something else, or nothing, at every kind of place, under seals that fit: one sentence, or a log that holds."""
    log = evening(tmp_path / "log", seats=2, rounds=2)
    if not chained:
        t = pb.table("bluff", 2, seed=1)
        t.bet(1, ante=10)
        t.bet(2, ante=10, suit_tie=5)
        t.deal()
        t.leave(2) if t.turn and t.turn.seat == 2 else t.choose(1, "raise")
        t.close()
        log.write_text("\n".join(json.dumps(one) for one in t.log()) + "\n")
    whole, rng = log.read_text(), random.Random(3)
    everywhere = [(n, way) for n, line in enumerate(whole.splitlines()) for way in places(json.loads(line))]
    tried = [(n, way, new) for n, way in everywhere for new in [*rng.sample(NONSENSE, 5), put]]
    for number, way, new in rng.sample(tried, min(len(tried), 500)):
        log.write_text(whole)
        if chained:
            forged(log, lambda entries, n=number, w=way, new=new: put(entries[n], w, new))  # type: ignore[misc]
        else:
            entries = [json.loads(line) for line in whole.splitlines()]
            put(entries[number], way, new)
            log.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
        try:
            checked(log)
        except BadInput as error:
            assert "\n" not in str(error) and "log" in str(error), (number, way, new)


@pytest.mark.parametrize(
    "text", ['{"a":NaN}', '{"a":1e999}', '{"a":1.5}', '{"a":' + "9" * 5000 + "}", '{"line":"open"', "1"]
)
def test_json_that_pitboss_never_writes_is_refused_under_a_right_seal(text: str, tmp_path: Path) -> None:
    body = text[:-1].encode()
    seal = hashlib.sha256(body).hexdigest()
    (tmp_path / "log").write_bytes(body + f',"sha256":"{seal}"}}\n'.encode())
    refused(tmp_path / "log", "line 1")


def test_random_damage_never_ends_in_a_traceback(tmp_path: Path) -> None:
    log = evening(tmp_path / "log")
    whole, rng = log.read_bytes(), random.Random(11)
    for _ in range(300):
        at, many = rng.randrange(len(whole)), rng.randrange(1, 400)
        piece = rng.choice([b"", rng.randbytes(many), whole[at : at + many] * 2, b"\n", b"\0" * many])
        log.write_bytes(whole[:at] + piece + whole[at + rng.choice([0, many]) :])
        try:
            found = checked(log)
        except BadInput as error:
            assert "\n" not in str(error)
        else:
            assert found.missing or log.read_bytes() == whole or whole.startswith(log.read_bytes())


# ---- other versions, other formats


def test_another_version_is_told_of_and_another_game_file_refused(tmp_path: Path, capsys: Any) -> None:
    log = forged(evening(tmp_path / "log"), lambda entries: entries[0].update(version="0.4.9"))
    assert main(["replay", str(log)]) == 0
    assert "Note: written by pitboss 0.4.9" in capsys.readouterr().out
    other = tmp_path / "bluff.py"
    other.write_text(BLUFF.path.read_text() + "# another text\n")
    assert main(["replay", str(log), "--game", str(other)]) == 2
    assert "another game file" in capsys.readouterr().err


def test_rounds_without_a_chain_are_played_again_and_prove_little(tmp_path: Path, capsys: Any) -> None:
    """As `play --json` prints them, and as logs were before they had a chain."""
    t = pb.table("bluff", seed=4)
    for _ in range(2):
        t.bet(1, ante=10)
        t.deal()
        t.choose(1, "raise")
    log = tmp_path / "log"
    log.write_text("".join(json.dumps(one) + "\n" for one in t.log()))
    assert main(["replay", str(log), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["chain"] == "none" and found["sha256"] is None and len(found["rounds"]) == 2
    assert any("not chained" in note for note in found["notes"])
    with pytest.raises(BadInput, match="not a log"):
        Journal(log)
    log.write_text(log.read_text().replace('"cards": ["', '"cards": ["As", "', 1))
    refused(log, "line 1")


def test_the_answer_comes_first(tmp_path: Path, capsys: Any) -> None:
    log = evening(tmp_path / "log")
    assert main(["replay", str(log)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "3 rounds played again: settled as logged" in lines[1] and checked(log).seal in "".join(lines)


def test_what_another_program_does_to_a_log_is_not_mended(tmp_path: Path) -> None:
    for change in (lambda data: data + b"x" * 10_000, lambda data: data[:100]):
        log = tmp_path / "log"
        log.unlink(missing_ok=True)
        t = pb.table(BLUFF, log=log)
        t.bet(1, ante=10)
        log.write_bytes(change(log.read_bytes()))
        before = log.read_bytes()
        with pytest.raises(BadInput, match="another program has changed it"):
            t.deal()
        assert log.read_bytes() == before
        t.close()


def test_a_closed_log_leaves_other_files_alone(tmp_path: Path) -> None:
    t = pb.table(BLUFF, log=tmp_path / "log")
    t.bet(1, ante=10)
    t.close()
    other = tmp_path / "other"
    other.write_bytes(b"x" * 9_000)
    with open(os.devnull), other.open("r+b"), pytest.raises(BadInput, match="is closed"):
        t.deal()
    assert other.read_bytes() == b"x" * 9_000


@pytest.mark.parametrize("shuffle", [lambda cards: [0] * len(cards), lambda cards: None, lambda cards: cards[1:]])
def test_who_shuffles_gives_back_the_cards_that_he_got(shuffle: Callable[[Sequence[int]], Any]) -> None:
    with pytest.raises(BadInput, match="the cards that it is given, in another order"):
        pb.table(BLUFF, shuffle=shuffle).deal()
