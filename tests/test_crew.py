"""Who does the work makes no difference: spans, looks and benches, without a cluster."""

import pickle
import sys
from contextlib import closing
from itertools import islice, pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pitboss as pb
from helpers import ANTE, ROOT, small_game
from machines import Naps
from pitboss.catalog import load
from pitboss.cli import main
from pitboss.crew import Crew, Here, Threads, away
from pitboss.crew.cluster import Cluster
from pitboss.crew.line import checked_address
from pitboss.crew.window import BEHIND, GROWS, SPAN, Window
from pitboss.deal import Run
from pitboss.deal.pace import is_look, next_look
from pitboss.rules import BadInput
from pitboss.rules.files import game_sent, text_of
from pitboss.rules.sent import received, sent
from pitboss.version import sources

# ---- this machine


@pytest.mark.parametrize("crew", [Here(), Threads(1), Threads(3)], ids=str)
def test_jobs_come_in_order_and_each_once(crew: Crew) -> None:
    for first, last in ((0, 0), (0, 1), (3, 20)):
        done = list(crew.work(Naps(0.0), first, last))
        assert [n for span in done for n in span.numbers] == list(range(first, last))
        assert [v for span in done for v, _ in span.found] == [n * n for n in range(first, last)]
    with closing(crew.work(Naps(0.0), 5, None)) as spans:
        assert [span.numbers.start for span in islice(spans, 4)] == [5, 6, 7, 8]


# ---- spans


@settings(max_examples=30)
@given(st.data())
def test_whatever_comes_back_when_each_number_is_handed_on_once_in_order(data: st.DataObject) -> None:
    first, many = data.draw(st.integers(0, 50)), data.draw(st.integers(0, 90))
    stops = data.draw(st.sampled_from([None, next_look]))
    window, threads, out = Window(first, first + many, stops), 2, list[int]()
    away: list[range] = []
    while not window.over:
        while (numbers := window.cut(threads)) is not None:
            away.append(numbers)
        assert window.waiting <= BEHIND * threads
        assert stops is None or all(n.stop <= stops(n.start) for n in away)
        one = away[data.draw(st.integers(0, len(away) - 1))]
        match data.draw(st.sampled_from(["done", "done", "done", "twice", "lost"])):
            case "lost":
                window.send_again(one)
                window.send_again(one)  # asked for twice, sent once
            case how:
                away.remove(one)
                assert window.keep(one, list(one), data.draw(st.floats(0, 3)))
                assert how == "done" or not window.keep(one, [-1], 1.0)
        out += [n for done in window.ready() for n in done.found]
        away = list({n.start: n for n in away if window.is_open(n)}.values())
    assert out == list(range(first, first + many)) and window.cut(threads) is None


def test_spans_grow_to_about_a_second_and_shrink_towards_the_end() -> None:
    window, sizes = Window(0, 100_000), []
    while not window.over:
        numbers = window.cut(2)
        assert numbers is not None
        sizes.append(len(numbers))
        assert window.keep(numbers, None, len(numbers) * 0.002)
        list(window.ready())
    assert sizes[0] == 1 and all(b <= GROWS * a for a, b in pairwise(sizes))
    assert max(sizes) == int(SPAN / 0.002) and sizes[-1] == 1


def test_an_error_is_looked_at_after_fixed_numbers_of_chunks() -> None:
    looks = [n for n in range(1, 5000) if is_look(n)]
    assert looks[:64] == list(range(1, 65)) and all(b - a <= a / 32 for a, b in pairwise(looks) if a >= 64)
    assert all(next_look(n) == min(look for look in looks if look > n) for n in range(1, 4000, 7))


# ---- what travels


def test_a_house_of_a_shipped_game_goes_by_name_and_hash() -> None:
    house = load("bluff").at({"decks": "8"}, {"suit-tie": "1,3,12"}).but(placed=frozenset(["ante"]))
    there = pickle.loads(pickle.dumps(sent(house)))
    assert received(*there) == house and there[2] is None
    with pytest.raises(BadInput, match="not the game file"):
        received(*there[:3], "00", *there[4:])


def test_a_game_of_ones_own_goes_as_text_under_its_hash(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text((ROOT / "examples" / "casino_war.py").read_text())
    house = load(str(mine)).at({"decks": "4"})
    there = sent(house)
    mine.unlink()
    with pytest.raises(BadInput, match=r"there is no game file .*mine.py"):
        sent(house)
    other = received(*there)
    assert other == house and other.game.file.name == "mine.py" and other.game.file.parent.name == house.game.sha256
    assert other.game.file.parents[1].stat().st_mode & 0o077 == 0
    mine.write_text("# another\n")
    with pytest.raises(BadInput, match="has changed since it was read"):
        text_of(house.game)
    with pytest.raises(BadInput, match="not the game file that it is said to be"):
        game_sent("mine.py", b"GAME = 1", house.game.sha256)


@pytest.mark.parametrize("name", ["../../x.py", "/etc/x.py", "a b.py", "", "x" * 300 + ".py", "\0.py", "x.txt"])
def test_a_name_from_elsewhere_leads_nowhere(name: str) -> None:
    text = (ROOT / "examples" / "red_dog.py").read_bytes()
    game = load(str(ROOT / "examples" / "red_dog.py"))
    assert game_sent(name, text, game.sha256).file.name == "game.py"


def test_a_game_that_has_no_file_of_its_own_stays_here() -> None:
    with pytest.raises(BadInput, match="made in Python and has no file of its own"):
        sent(small_game(lambda t: None, ANTE).at())


def test_a_run_set_up_from_its_letter_deals_the_same() -> None:
    run = Run(load("bluff").at({"decks": "2"}), seed=5, mode="shoe", seats=3, wager="suit-tie", strategy="casual")
    letter = run.letter()
    again = letter.make(letter.house, **letter.more)
    assert again.identity() == run.identity()
    one, other = run.do(range(2, 4)), again.do(range(2, 4))
    assert (one.counts == other.counts).all() and one.sums == other.sums and one.squares == other.squares


def test_some_chunks_together_are_those_chunks_one_by_one() -> None:
    run = Run(load("bluff").at(), compared=False)
    together = run.sampled.add(run.tally, run.do(range(3)))
    single = run.tally
    for n in range(3):
        single = run.sampled.add(single, run.do(range(n, n + 1)))
    assert (together.cells == single.cells).all() and together.sums == single.sums and together.chunks == 3
    assert together.squares == single.squares and not run.sampled.amiss(together)


# ---- who fits


def test_a_worker_says_in_what_it_differs() -> None:
    ours = away.stamp()
    away.check_stamp(ours)
    for what, told in (("pitboss", "pitboss 9.9"), ("Python", "Python 9.9"), ("numpy", "numpy 9.9")):
        with pytest.raises(BadInput, match=f"it has {what} {ours[what]}, and you have {told}"):
            away.check_stamp(ours | {what: "9.9"})
    with pytest.raises(BadInput, match="file by file"):
        away.check_stamp(ours | {"sources": "00"})
    with pytest.raises(BadInput, match="it has pitboss"):
        away.check_stamp({})


def test_the_hash_of_pitboss_is_that_of_its_files() -> None:
    assert len(sources()) == 64 and sources() == sources()


# ---- what cannot be


@pytest.mark.parametrize("text", ["", "lab", "tcp://lab", "http://lab:1", "tcp://lab:0", "tcp://lab:65536", "tcp://:5",
                                  "tcp://a b:5", "tcp://lab:8786/x", "tcp://lab:٣", 5, None])  # fmt: skip
def test_an_address_that_is_none_is_refused_in_a_sentence(text: object) -> None:
    with pytest.raises(BadInput, match=r"a cluster has an address such as tcp://"):
        checked_address(text)


def test_an_address_may_leave_out_how_it_is_spoken_to() -> None:
    assert checked_address("lab:8786") == "tcp://lab:8786" and checked_address("tls://[::1]:1") == "tls://[::1]:1"


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BadInput, match=r"pip install 'pitboss\[cluster\]'"):
        Cluster("tcp://127.0.0.1:1")
    assert main(["cluster", "worker", "tcp://127.0.0.1:1"]) == 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("simulate bluff --cluster lab", "a cluster has an address such as"),
        ("simulate bluff --cluster tcp://127.0.0.1:1 --workers 2", "leave one of them out"),
        ("simulate bluff --plan --until-se 1%", "--plan needs --rounds"),
        ("analyze bluff --cluster tcp://127.0.0.1:1", "say which with --across"),
        ("protect bluff --cluster 5", "a cluster has an address such as"),
        ("floor bluff --cluster 5", "a cluster has an address such as"),
        ("cluster worker", "needs the address of its scheduler"),
        ("cluster scheduler tcp://127.0.0.1:1", "given --host and --port"),
        ("cluster scheduler --threads 2", "--threads are a worker's"),
        ("cluster scheduler --host 0.0.0.0", "run any program there"),
        ("cluster scheduler --host nosuch.invalid", "no address 'nosuch.invalid' to listen on"),
        ("cluster worker tcp://nosuch.invalid:1", "cannot be found from here"),
        ("cluster dealer", "dealer"),
    ],
)
def test_a_mistake_is_one_sentence(words: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words.split()) == 2
    said = capsys.readouterr().err
    assert told in said and said.count("\n") == 1 and "Traceback" not in said
    assert "trust_network" not in said


@pytest.mark.parametrize("bad", [5, "lab", b"tcp://lab:1"])
def test_a_back_end_is_an_address(bad: object) -> None:
    for ask in (pb.simulate, pb.protect, pb.floor):
        with pytest.raises(BadInput, match=r"backend: write a name|a cluster has an address"):
            ask("bluff", backend=bad)  # type: ignore[operator]


# ---- the plan


def test_a_plan_says_how_it_is_cut(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "bluff", "--rounds", "1000000001", "--plan", "--workers", "2"]) == 0
    said = capsys.readouterr().out
    assert "3,814" in said and "262,144 rounds" in said and "2 threads of this machine" in said
    assert f"{1_000_000_001 % (1 << 18):,} rounds that are no whole chunk" in said
