"""Checkpoints: a damaged one is never believed, one of another run never taken up, and no full disk costs a result."""

import errno
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import pitboss as pb
from helpers import ANTE, ROOT, small_game
from pitboss.catalog import load
from pitboss.cli import main
from pitboss.deal import Progress, Run, Stopped
from pitboss.deal import run as running
from pitboss.disk import InUse, locked
from pitboss.rules import DEALER, PLAYER, BadInput, Table, Wager, compare

SIZE = 1 << 6


def play(t: Table) -> None:
    mine, his = t.deal(PLAYER), t.deal(DEALER)
    t.settle(ante=compare(mine.rank, his.rank), side=compare(mine.suit, his.suit))
    t.share("pot", mine.rank)


GAME = small_game(play, ANTE, Wager("side"), Wager("pot"))


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    for mode in running.CHUNK:
        monkeypatch.setitem(running.CHUNK, mode, SIZE)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "run.json"


def started(file: Path, chunks: int = 3, **settings: Any) -> Run:
    """A simulation that was saved after so many chunks, and can be asked to go on."""
    Run(GAME.at(), **settings).run(chunks * SIZE or 1, checkpoint=file)
    return Run(GAME.at(), **settings)


def refused(run: Run, file: Path, rounds: int = 5 * SIZE) -> str:
    """The sentence; the file, and the folder, stay as they were."""
    before = {p.name: p.read_bytes() for p in file.parent.iterdir() if p.is_file()}
    with pytest.raises(BadInput) as caught:
        run.run(rounds, checkpoint=file)
    assert {p.name: p.read_bytes() for p in file.parent.iterdir() if p.is_file()} == before
    text = str(caught.value)
    assert "\n" not in text and len(text) < 600
    return text


def signed(data: dict[str, Any]) -> str:
    """With a checksum that is right, as somebody would write it who knows how."""
    data.pop("sha256", None)
    body = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return json.dumps({**data, "sha256": hashlib.sha256(body.encode()).hexdigest()})


# ---- damage


def test_no_changed_digit_is_believed(file: Path) -> None:
    run = started(file, mode="shoe", seats=2, cut="0.5")
    good = file.read_text()
    places = [i for i, c in enumerate(good) if c.isdigit()]
    assert len(places) > 150
    for at in places:
        file.write_text(good[:at] + str((int(good[at]) + 1) % 10) + good[at + 1 :])
        text = refused(run, file)
        assert "is damaged" in text or "was written by another version" in text, text
    file.write_text(good)
    run.run(5 * SIZE, checkpoint=file)


def test_no_cut_and_no_flipped_bit_is_believed(file: Path) -> None:
    run = started(file)
    good = file.read_bytes()
    rng = random.Random(1)
    for _ in range(150):
        at = rng.randrange(len(good) - 2)  # behind it is a line's end
        bad = (
            good[:at] if rng.random() < 0.3 else good[:at] + bytes([good[at] ^ 1 << rng.randrange(8)]) + good[at + 1 :]
        )
        file.write_bytes(bad)
        refused(run, file)


def moved(a: str, b: str) -> Callable[[dict[str, Any], random.Random], None]:
    """One count goes from one place to another, of a part that is a list or two deep."""

    def change(data: dict[str, Any], rng: random.Random) -> None:
        for name, by in ((a, 1), (b, -1)):
            row = data[name] if not isinstance(data[name][0], list) else rng.choice(data[name])
            there = [i for i, n in enumerate(row) if n + by >= 0]
            row[rng.choice(there)] += by

    return change


def added(part: str) -> Callable[[dict[str, Any], random.Random], None]:
    def change(data: dict[str, Any], rng: random.Random) -> None:
        row = data[part] if not isinstance(data[part][0], list) else rng.choice(data[part])
        row[rng.randrange(len(row))] += rng.choice((1, -1, SIZE, 10**6, 2**62))

    return change


def summed(part: str, by: tuple[int, ...]) -> Callable[[dict[str, Any], random.Random], None]:
    def change(data: dict[str, Any], rng: random.Random) -> None:
        data[part][rng.choice(list(data[part]))] += rng.choice(by)

    return change


def more_chunks(data: dict[str, Any], rng: random.Random) -> None:
    data["chunks"] += rng.choice((1, -1, 2**40))


def another_wager(data: dict[str, Any], rng: random.Random) -> None:
    part = data[rng.choice(("sums", "squares"))]
    part["tie"] = part.pop(rng.choice(list(part)))


def one_wager_less(data: dict[str, Any], rng: random.Random) -> None:
    name = rng.choice(list(data["sums"]))
    del data["sums"][name], data["squares"][name]


CHANGES = {
    "cells": added("cells"), "pots": added("pots"), "sums": summed("sums", (1, -1, 10**9, -(10**30))),
    "squares": summed("squares", (-(10**9), 10**12, 10**40)), "chunks": more_chunks, "another wager": another_wager,
    "one wager less": one_wager_less, "cells and pots": moved("cells", "pots"),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_numbers_that_nothing_counts_are_refused_though_the_checksum_is_right(file: Path, change: Any) -> None:
    run = started(file, mode="shoe", seats=2, cut="0.5")
    good = file.read_text()
    rng = random.Random(7)
    for _ in range(25):
        data = json.loads(good)
        change(data, rng)
        file.write_text(signed(data))
        text = refused(run, file)
        assert "cannot be right: " in text or "is not a checkpoint" in text, text
    file.write_text(signed(json.loads(good)))
    run.run(5 * SIZE, checkpoint=file)


def test_a_hand_that_is_counted_elsewhere_is_noticed(file: Path) -> None:
    """As many hands as before, and as many in all; but a loss has become a win."""
    run = started(file)
    data, worth = json.loads(file.read_text()), run.sampled.worth["ante"].tolist()
    full = next(i for i, n in enumerate(data["cells"]) if n)
    other = next(i for i, w in enumerate(worth) if w != worth[full])
    data["cells"][full] -= 1
    data["cells"][other] += 1
    file.write_text(signed(data))
    assert "its hands do not add up to its sum of ante" in refused(run, file)


def test_the_square_of_one_chunk_is_known(file: Path) -> None:
    run = started(file, chunks=1)
    data = json.loads(file.read_text())
    data["squares"]["ante"] += 1
    file.write_text(signed(data))
    assert "its sum of ante" in refused(run, file)


@pytest.mark.parametrize("settings", [{}, {"mode": "shoe"}, {"seats": 3}, {"wager": "side"}, {"wager": "pot"}])
@pytest.mark.parametrize("chunks", [0, 1, 21])
def test_what_was_counted_is_found_right(file: Path, settings: dict[str, Any], chunks: int) -> None:
    if settings.get("mode"):
        settings = {**settings, "cut": "0.5"}
    run = started(file, chunks, **settings)
    assert json.loads(file.read_text())["chunks"] == chunks
    run.run(25 * SIZE, checkpoint=file)
    whole = Run(GAME.at(), **settings)
    whole.run(25 * SIZE)
    assert run.result(0) == whole.result(0)


DEEP = "[" * 100_000
NESTED = '{"pitboss":"checkpoint 2","sha256":"","of":' + '{"a":' * 50_000


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", "{}", "null", "7", '"checkpoint 2"', DEEP, NESTED, "\0" * 500, "NaN", "1e999999", "9" * 10_000,
        '{"pitboss": NaN}', '{"pitboss": [1]}', '{"pitboss": "checkpoint 2"}', "\ud800", '{"pitboss": "\\ud800"}',
    ],
    ids=lambda text: repr(text[:20]),
)  # fmt: skip
def test_nonsense_is_one_sentence(file: Path, text: str) -> None:
    file.write_bytes(text.encode(errors="surrogatepass"))
    said = refused(Run(GAME.at()), file)
    assert any(words in said for words in ("is not a checkpoint of pitboss", "by another version", "is damaged"))


WRONG: tuple[Any, ...] = (None, True, -1, 1.5, 2**63, 10**4000, "x", "\x1b[31m", [], [None], [-1], [1.0], [True], {})


@pytest.mark.parametrize("part", ["of", "chunks", "cells", "pots", "sums", "squares"])
def test_a_part_of_another_kind_is_one_sentence(file: Path, part: str) -> None:
    run = started(file)
    good = json.loads(file.read_text())
    for value in WRONG:
        for wrong in (value, [value], [[value]], {"ante": value}, {value: "x"} if isinstance(value, str) else value):
            file.write_text(signed({**good, part: wrong}))
            assert refused(run, file).isprintable()
    missing = {**good}
    del missing[part]
    file.write_text(signed(missing))
    refused(run, file)


def test_a_file_of_an_older_version_is_called_that(file: Path) -> None:
    run = started(file)
    data = json.loads(file.read_text())
    del data["sha256"]
    for name, said in (("checkpoint 1", "an older version of pitboss"), ("checkpoint 3", "another version of pitboss")):
        file.write_text(json.dumps({**data, "pitboss": name}))
        assert f"was written by {said}" in refused(run, file)


# ---- a file that cannot be read, or written


def test_what_is_no_file_is_called_what_it_is(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "folder"):
        assert "is a folder, a pipe or a device" in refused(Run(GAME.at()), tmp_path / name)
    for name in ("/dev/full", "/dev/null", "/"):
        with pytest.raises(BadInput, match="is a folder, a pipe or a device"):
            Run(GAME.at()).run(SIZE, checkpoint=Path(name))


def test_a_pipe_that_takes_the_place_of_the_file_is_not_waited_for(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pitboss.deal import checkpoint

    monkeypatch.setattr(checkpoint, "check_place", lambda path: path)
    os.mkfifo(file)
    assert (
        refused(Run(GAME.at()), file) == f"the checkpoint {file} cannot be read: it is a pipe or a device, not a file"
    )


AS_NOBODY = """
    import os, pathlib
    import numpy as np
    from pitboss.deal.checkpoint import Tally, opened
    from pitboss.rules import BadInput
    nothing = Tally(np.zeros(5, np.int64), np.zeros((1, 5), np.int64))
    if os.geteuid() == 0:
        os.setgid(65534)
        os.setuid(65534)
"""


def as_nobody(script: str) -> "subprocess.CompletedProcess[str]":
    """Without the rights of root, who may read and write everything."""
    words = [sys.executable, "-c", textwrap.dedent(AS_NOBODY) + textwrap.dedent(script)]
    return subprocess.run(words, capture_output=True, text=True, cwd=ROOT, timeout=60)


@pytest.fixture
def open_place() -> Iterator[Path]:
    """A folder that everybody can reach."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o777)
        yield Path(name)


def test_a_file_that_may_not_be_read_is_not_called_no_checkpoint(open_place: Path) -> None:
    file = open_place / "run.json"
    file.write_text("{}")
    file.chmod(0)
    script = f"""
        try:
            with opened(pathlib.Path({str(file)!r}), {{}}) as found:
                found.load(nothing)
        except BadInput as error:
            print(error)
    """
    done = as_nobody(script)
    assert done.stdout == f"the checkpoint {file} cannot be read: Permission denied\n", done.stderr


def test_a_folder_that_may_not_be_written_is_known_before_the_run(open_place: Path) -> None:
    open_place.chmod(0o555)
    file = open_place / "run.json"
    script = f"""
        try:
            with opened(pathlib.Path({str(file)!r}), {{}}) as found:
                print("never here")
        except BadInput as error:
            print(error)
    """
    done = as_nobody(script)
    assert done.stdout == f"the checkpoint {file} cannot be written: Permission denied\n", done.stderr


def test_a_file_that_is_too_large_is_not_read(file: Path) -> None:
    with file.open("wb") as huge:
        huge.truncate(1 << 40)
    run = Run(GAME.at())
    with pytest.raises(BadInput, match=r"cannot be read: it has 1,099,511,627,776 bytes, and no more than [\d,]+ are"):
        run.run(SIZE, checkpoint=file)


def test_no_folder_is_said_before_anything_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nowhere = tmp_path / "nowhere" / "run.json"
    for ask in (lambda: Run(GAME.at()).run(SIZE, checkpoint=nowhere), lambda: pb.simulate("bluff", checkpoint=nowhere)):
        with pytest.raises(BadInput, match=r"checkpoint: there is no folder .*nowhere"):
            ask()
    assert main(["simulate", "bluff", "--checkpoint", str(nowhere)]) == 2
    assert capsys.readouterr().err.startswith("pitboss: --checkpoint: there is no folder")
    assert main(["simulate", "bluff", "--checkpoint", ""]) == 2
    assert capsys.readouterr().err.startswith("pitboss: --checkpoint: . is a folder")
    with pytest.raises(BadInput, match="cannot be used: File name too long"):
        pb.simulate("bluff", checkpoint=f"{'a' * 5000}/x")


# ---- of this very simulation


@pytest.mark.parametrize(
    ("was", "now", "message"),
    [
        ({}, {"seed": 2}, "seed was 1, now 2"),
        ({}, {"seats": 2}, "seats was 1, now 2"),
        ({}, {"wager": "ante"}, "wagers was ante,side,pot, now ante"),
        ({"wager": "side"}, {}, "wagers was side, now ante,side,pot"),
        ({"wager": "side"}, {"wager": "pot"}, "wagers was side, now pot"),
        ({}, {"bets": {"ante": 5}}, "bet was nothing, now ante=5"),
        ({"bets": {"ante": 5}}, {"bets": {"ante": 10}}, "bet was ante=5, now ante=10"),
        ({"bets": {"ante": 5}}, {"bets": {"ante": 5, "side": 5}}, "bet was ante=5, now ante=5,side=5"),
        ({}, {"mode": "shoe", "cut": "0.5"}, "mode was fresh, now shoe"),
        ({"mode": "shoe", "cut": "0.5"}, {"mode": "shoe", "cut": "0.25"}, "cut was 26, now 39"),
    ],
)
def test_what_differs_is_named(file: Path, was: dict[str, Any], now: dict[str, Any], message: str) -> None:
    started(file, **was)
    text = refused(Run(GAME.at(), **now), file)
    assert text.startswith(f"{file} belongs to another simulation (") and message in text


@pytest.mark.parametrize(
    ("house", "message"),
    [
        (GAME.at(shoe=(2,) * 52), "shoe was full"),
        (GAME.at({"table-max": "1000"}), "option table-max was"),
        (GAME.at().but(stake=Fraction(7)), "stake was nothing, now 7"),
        (load("bluff").at(), "game was small, now bluff"),
    ],
    ids=["shoe", "option", "stake", "game"],
)
def test_another_house_is_named(file: Path, house: Any, message: str) -> None:
    started(file)
    assert message in refused(Run(house), file)


def test_chunks_of_another_size_are_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started(file)
    monkeypatch.setitem(running.CHUNK, "fresh", 2 * SIZE)
    assert "chunk was 64, now 128" in refused(Run(GAME.at()), file)


def test_rules_that_a_game_file_takes_from_elsewhere_are_part_of_it(file: Path) -> None:
    """The file is the same to the byte, or there is none; what it says is not."""

    def turned(t: Table) -> None:
        mine, his = t.deal(PLAYER), t.deal(DEALER)
        t.settle(ante=compare(his.rank, mine.rank), side=compare(mine.suit, his.suit))
        t.share("pot", mine.rank)

    started(file)
    other = small_game(turned, ANTE, Wager("side"), Wager("pot"))
    assert "(the rules of the game changed)" in refused(Run(other.at()), file)


def test_a_strategy_that_answers_otherwise_is_another(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bluff = load("bluff").at()
    Run(bluff, strategy="casual").run(SIZE, checkpoint=file)
    run = Run(bluff, strategy="casual")
    assert run.table is not None
    run.table = 1 - run.table
    assert "(what the strategy answers changed)" in refused(run, file)


def test_text_from_a_file_does_not_reach_the_terminal_raw(file: Path) -> None:
    run = started(file)
    data = json.loads(file.read_text())
    data["of"] |= {"seed": "\x1b[31mred\n", "x\x07y": "z" * 100_000}
    file.write_text(signed(data))
    assert refused(run, file).isprintable()


# ---- one run at a time


CHILD = f"""
    import sys
    from pathlib import Path
    sys.path.insert(0, {str(ROOT / "tests")!r})
    from pitboss.catalog import load
    from pitboss.deal import Run, run
    run.SAVE_EVERY = 0.0
    run.CHUNK["fresh"] = {SIZE}
    def slowly(progress):
        print(progress.rounds, flush=True)
        sys.stdin.readline()
    run.time = type("Clock", (), {{"monotonic": iter(range(10**9)).__next__, "perf_counter": lambda: 0.0}})
    done = Run(load("bluff").at()).run(6 * {SIZE}, checkpoint=Path(sys.argv[1]), workers=1, progress=slowly)
    print("rounds", done.rounds, flush=True)
"""


@pytest.fixture
def other(file: Path) -> Iterator["subprocess.Popen[str]"]:
    """Another process in the middle of a run: it goes on by a chunk for each line that it gets."""
    words = [sys.executable, "-c", textwrap.dedent(CHILD), str(file)]
    child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert child.stdout is not None and child.stdout.readline() == f"{SIZE}\n"
    yield child
    child.kill()
    child.wait()


def test_the_second_run_on_a_file_is_refused_and_the_first_goes_on(
    other: "subprocess.Popen[str]", file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["simulate", "bluff", "--rounds", "1000", "--checkpoint"]
    (file.parent / "link").symlink_to(file)
    for name in (file, file.parent / "." / "run.json", file.parent / "link"):
        assert main([*words, str(name)]) == 2
        said = capsys.readouterr().err
        assert (
            "is in use by another run; wait until it has ended, or name another file" in said and said.count("\n") == 1
        )
    out, _ = other.communicate("\n" * 20, timeout=60)
    assert other.returncode == 0 and out.endswith(f"rounds {6 * SIZE}\n")
    assert {p.name for p in file.parent.iterdir()} == {"run.json", "link"}
    again, whole = Run(load("bluff").at()), Run(load("bluff").at())
    again.run(9 * SIZE, checkpoint=file)
    whole.run(9 * SIZE)
    assert again.result(0) == whole.result(0)


def test_a_killed_run_leaves_no_lock_and_no_parts(other: "subprocess.Popen[str]", file: Path) -> None:
    assert other.stdin is not None and other.stdout is not None
    print(file=other.stdin, flush=True)
    assert other.stdout.readline() == f"{2 * SIZE}\n"
    other.send_signal(signal.SIGKILL)
    other.wait()
    assert json.loads(file.read_text())["chunks"] >= 1
    mine, neighbour = f".run.json.{'0' * 16}.part", f".run.json.old.{'0' * 16}.part"
    for name in (mine, neighbour):
        (file.parent / name).write_text("half")
    again, whole = Run(load("bluff").at()), Run(load("bluff").at())
    again.run(9 * SIZE, checkpoint=file)
    whole.run(9 * SIZE)
    assert again.tally.cells.tolist() == whole.tally.cells.tolist() and again.result(0) == whole.result(0)
    assert {p.name for p in file.parent.iterdir()} == {"run.json", neighbour}


def test_a_lock_is_for_one_at_a_time_and_goes_with_its_block(tmp_path: Path) -> None:
    file = tmp_path / "x"
    for _ in range(2):
        with locked(file), pytest.raises(InUse, match="another process is using it"), locked(file):
            pytest.fail("two at a time")
        assert not list(tmp_path.iterdir())


def test_a_disk_without_locks_is_like_a_system_without_them(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    part = file.with_name(f".run.json.{'0' * 16}.part")
    part.write_text("another process may be writing it")
    with monkeypatch.context() as without:
        without.setattr("fcntl.flock", none)
        started(file)
    assert {p.name for p in file.parent.iterdir()} == {"run.json", part.name}


def test_a_planted_lock_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / ".run.json.lock").symlink_to(tmp_path / "elsewhere")
    said = refused(Run(GAME.at()), tmp_path / "run.json")
    assert "cannot be written: Too many levels of symbolic links" in said
    assert not (tmp_path / "elsewhere").exists()


# ---- a full disk


class Full:
    """The disk is full from this many chunks on, and has room again at those."""

    def __init__(self, at: int, again: int = 10**9) -> None:
        self.at, self.again = at * SIZE, again * SIZE

    def __call__(self, progress: Progress) -> None:
        import resource

        full = self.at <= progress.rounds < self.again
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100 if full else hard, hard))


@pytest.fixture
def _room_again() -> Iterator[None]:
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture
def _eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Progress and a save after every chunk, as if each took long."""
    clock = iter(range(10**9))
    monkeypatch.setattr(
        running, "time", type("Clock", (), {"monotonic": clock.__next__, "perf_counter": time.perf_counter})
    )


@pytest.mark.usefixtures("_eager", "_room_again")
def test_a_full_disk_costs_the_checkpoint_and_not_the_result(file: Path) -> None:
    full = pb.simulate(GAME.at(), 9 * SIZE, checkpoint=file, progress=Full(4))
    whole = pb.simulate(GAME.at(), 9 * SIZE)
    assert full.wagers == whole.wagers and full.rounds == 9 * SIZE
    assert full.notes == (f"the checkpoint {file} could not be saved: File too large",)
    assert full.json()["notes"] == list(full.notes)
    Full(10**9)(Progress(0, None, 0.0))
    assert [p.name for p in file.parent.iterdir()] == ["run.json"]
    assert json.loads(file.read_text())["chunks"] == 3, "what was saved before is still there"
    assert pb.simulate(GAME.at(), 9 * SIZE, checkpoint=file) == whole


@pytest.mark.usefixtures("_eager", "_room_again")
def test_a_disk_that_has_room_again_costs_nothing(file: Path) -> None:
    assert pb.simulate(GAME.at(), 9 * SIZE, checkpoint=file, progress=Full(3, 6)) == pb.simulate(GAME.at(), 9 * SIZE)
    assert json.loads(file.read_text())["chunks"] == 9


@pytest.mark.usefixtures("_eager", "_room_again")
def test_an_interruption_with_a_full_disk_still_tells_what_it_has(file: Path) -> None:
    def both(progress: Progress) -> None:
        Full(2)(progress)
        if progress.rounds >= 4 * SIZE:
            raise KeyboardInterrupt

    with pytest.raises(Stopped) as stopped:
        pb.simulate(GAME.at(), 9 * SIZE, checkpoint=file, progress=both)
    found = stopped.value.result
    assert stopped.value.saved is None and found is not None and found.rounds == 4 * SIZE
    assert found.notes == (f"the checkpoint {file} could not be saved: File too large",)
    assert [p.name for p in file.parent.iterdir()] == ["run.json"]


@pytest.mark.usefixtures("_eager")
def test_a_folder_that_goes_away_costs_the_checkpoint_and_not_the_result(tmp_path: Path) -> None:
    folder = tmp_path / "usb stick"
    folder.mkdir()

    def gone(progress: Progress) -> None:
        if folder.exists() and progress.rounds >= 3 * SIZE:
            folder.rename(tmp_path / "elsewhere")

    found = pb.simulate(GAME.at(), 9 * SIZE, checkpoint=folder / "run.json", progress=gone)
    assert found.wagers == pb.simulate(GAME.at(), 9 * SIZE).wagers
    assert found.notes == (f"the checkpoint {folder / 'run.json'} could not be saved: No such file or directory",)


def test_a_disk_that_is_full_from_the_start_is_said_at_once(file: Path) -> None:
    words = [sys.executable, "-m", "pitboss", "simulate", "bluff", "--rounds", "1e12", "--checkpoint", str(file)]
    script = (
        f"import os, resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\nos.execv({words[0]!r}, {words!r})"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, timeout=100)
    assert done.returncode == 2
    assert done.stderr == f"pitboss: the checkpoint {file} cannot be written: File too large\n"
    assert not list(file.parent.iterdir())


def test_the_command_line_says_what_was_not_saved_and_gives_the_result(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from pitboss.deal import checkpoint

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(checkpoint, "write_whole", full)
    assert main(["simulate", "bluff", "--rounds", "500", "--json", "--checkpoint", str(file)]) == 0
    out, err = capsys.readouterr()
    assert err == f"pitboss: the checkpoint {file} could not be saved: No space left on device\n"
    assert json.loads(out)["rounds"] == "500" and json.loads(out)["notes"] == [err[9:-1]]
