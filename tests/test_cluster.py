"""A cluster of processes on this machine: whatever is done to it, the counts are those of one thread, bit for bit."""

import json
import os
import shutil
import signal
import subprocess
import time
import tracemalloc
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import pitboss as pb
from crash_cluster import Ordeal
from helpers import ROOT
from machines import EDITED, OLDER, SKEWED, Machines, Naps, counts, free_port, machines, started
from pitboss.catalog import load
from pitboss.cli import main
from pitboss.cli.across import axis
from pitboss.crew import cluster as room
from pitboss.crew.cluster import Cluster, LeftOut
from pitboss.deal import Run, Stopped
from pitboss.earn import Plan as Night
from pitboss.earn import earn
from pitboss.exact.across import across
from pitboss.guard import Plan, protect
from pitboss.rules import BadInput, House

CHUNK = 1 << 18


@pytest.fixture(scope="module")
def there() -> Iterator[Machines]:
    """Two workers of one thread each, which nobody harms."""
    pytest.importorskip("distributed", reason="dask.distributed is not installed: pip install 'pitboss[cluster]'")
    with machines() as made:
        yield made


def alike(there: Machines, house: House, rounds: int | None, during: dict[str, Any] | None = None, **asked: Any) -> Run:
    """The same simulation on one thread and on the cluster."""
    alone, spread = Run(house, compared=False, **asked), Run(house, compared=False, **asked)
    alone.run(rounds, workers=1, **during or {})
    spread.run(rounds, crew=Cluster(there.address), **during or {})
    assert counts(alone) == counts(spread)
    assert alone.result(0) == spread.result(0)
    return spread


# ---- the same counts


def test_rounds_are_the_same_bit_for_bit(there: Machines) -> None:
    house = load("bluff").at({"decks": "8"}, {"suit-tie": "1,3,12"})
    alike(there, house, 40 * CHUNK + 12_345)
    alike(there, house, 300_000, seed=9, mode="shoe", seats=3, cut=Fraction(3, 2), wager="suit-tie")


def test_a_strategy_that_is_solved_there_is_the_same(there: Machines) -> None:
    alike(there, load("blackjack").at(), 6 * CHUNK, strategy="basic")


def test_a_game_of_ones_own_is_sent(there: Machines, tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    shutil.copy(ROOT / "examples" / "casino_war.py", mine)
    alike(there, load(str(mine)).at({"decks": "4"}), 30 * CHUNK, strategy="always-war")


def test_until_an_error_it_ends_at_the_same_chunk(there: Machines) -> None:
    run = alike(there, load("bluff").at(), None, {"until_se": 0.00029})
    assert run.tally.chunks > 64, "where not every chunk is looked at"


def test_exact_fractions_are_the_same(there: Machines) -> None:
    house = load("bluff").at()
    axes = [axis(house, "decks=2,4,6"), axis(house, "suit-tie=1,3,15;1,4,11;1,2")]
    alone, spread = across(house, axes), across(house, axes, crew=Cluster(there.address))
    assert alone == spread and alone.json() == spread.json() and len(alone.found) == 6 and len(alone.left_out) == 3


def test_protection_is_the_same(there: Machines) -> None:
    crew, plan = Cluster(there.address), Plan(decks=(6,), shoes=250)
    assert protect(load("bluff").at(), "suit-tie", plan).json() == protect(
        load("bluff").at(), "suit-tie", plan, crew=crew
    ).json()  # fmt: skip
    assert sum(hand.jobs for hand in crew.hands) == 3
    few = Plan(decks=(6,), shoes=20, states=16)
    house, wager = load("blackjack").at(), "lucky-break"
    assert protect(house, wager, few).json() == protect(house, wager, few, crew=crew).json()
    assert crew.hands


def test_what_a_table_earns_is_the_same(there: Machines, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.earn.dealt.HANDS", 1 << 22)
    house = load("flop-poker-bonus").at()
    night, crew = Night(seats=3, bets={}), Cluster(there.address)
    assert earn(house, night).json() == earn(house, night, crew=crew).json()
    assert sum(hand.jobs for hand in crew.hands) == 32


def test_the_command_and_the_library_give_the_same(there: Machines, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["simulate", "bluff", "--rounds", "3e6", "--json"]
    told = []
    for more in ([], ["--cluster", there.address]):
        assert main([*words, *more]) == 0
        told.append(json.loads(capsys.readouterr().out))
        for timed in ("seconds", "rounds_per_second", "hands_per_second"):
            told[-1].pop(timed, None)
    assert told[0] == told[1]
    found = pb.simulate("bluff", rounds=3e6, backend=there.address).json()
    assert found["wagers"] == told[0]["wagers"]
    assert main([*words[:-1], "--cluster", there.address]) == 0
    said = capsys.readouterr().out
    assert "who dealt" in said and said.count("tcp://127.0.0.1:") == 2
    assert main([*words[:-1], "--cluster", there.address, "--plan"]) == 0
    assert "2 workers with 2 threads at tcp://" in capsys.readouterr().out
    assert main(["analyze", "bluff", "--across", "decks=2,6", "--cluster", there.address]) == 0


def test_what_takes_for_ever_is_refused_there_too(there: Machines, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.deal.run.SETTLED", 0.5)
    with pytest.raises(BadInput, match=r"more than the 10 minutes .* `patient=True`"):
        Run(load("bluff").at(), compared=False).run(10**15, crew=Cluster(there.address))


# ---- checkpoints


def stopped_after(chunks: int) -> Any:
    def progress(now: Any) -> None:
        if now.rounds >= chunks * CHUNK:
            raise KeyboardInterrupt

    return progress


def test_a_run_goes_on_wherever_it_was_begun(there: Machines, tmp_path: Path) -> None:
    house, rounds = load("bluff").at(), 400 * CHUNK
    alone = Run(house)
    alone.run(rounds)
    for first, second in ((None, Cluster(there.address)), (Cluster(there.address), None)):
        file, begun, on = tmp_path / f"{second}.json"[-30:].replace("/", ""), Run(house), Run(house)
        with pytest.raises(Stopped) as stop:
            begun.run(rounds, crew=first, checkpoint=file, progress=stopped_after(20))
        assert stop.value.saved == file and 20 <= begun.tally.chunks < 400
        on.run(rounds, crew=second, checkpoint=file)
        assert counts(on) == counts(alone) and on.before == begun.tally.chunks


def test_an_interrupted_command_saves_and_leaves_no_work_behind(there: Machines, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    words = ["simulate", "bluff", "--rounds", "1e11", "--patient", "--checkpoint", str(file)]
    client = started([*words, "--cluster", there.address])
    deadline = time.monotonic() + 60
    while not file.exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    time.sleep(0.3)
    client.send_signal(signal.SIGINT)
    out, err = client.communicate(timeout=60)
    assert client.returncode == 130 and "stopped; the same command goes on from" in err and "Traceback" not in err
    chunks = json.loads(file.read_text())["chunks"]
    assert chunks > 0 and "who dealt" in out
    on, alone = Run(load("bluff").at()), Run(load("bluff").at())
    on.run((chunks + 5) * CHUNK, checkpoint=file)
    alone.run((chunks + 5) * CHUNK)
    assert counts(on) == counts(alone)
    for done in Cluster(there.address).work(Naps(), 0, 4):  # they are free at once
        assert done.numbers


# ---- what goes wrong


def test_workers_and_the_scheduler_may_be_killed_at_any_time(there: Machines) -> None:
    found = Ordeal(kills=3, schedulers=1, rounds=60_000_000, pause=0.8).go()
    assert found.runs and not found.wrong and len(found.done) == 4


def squares(crew: Cluster, jobs: int, **naps: Any) -> list[int]:
    return [value for done in crew.work(Naps(**naps), 0, jobs) for value, _ in done.found]


def test_a_silent_worker_holds_up_nobody_and_counts_once_when_it_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.crew.window.SPAN", 0.1)
    with machines(workers=3) as made:
        crew = Cluster(made.address, late=1.0)
        assert squares(crew, 60) == [n * n for n in range(60)]
        made.workers[0].send_signal(signal.SIGSTOP)
        assert squares(crew, 400) == [n * n for n in range(400)]
        assert len([hand for hand in crew.hands if hand.jobs]) == 2
        found = list[int]()
        for done in crew.work(Naps(), 0, 900):
            found += [value for value, _ in done.found]
            if done.numbers.start > 300 and made.workers[0].poll() is None:
                made.workers[0].send_signal(signal.SIGCONT)
        assert found == [n * n for n in range(900)]


def test_a_worker_that_comes_late_is_waited_for_and_used() -> None:
    with machines(workers=0) as made:
        said = list[str]()

        def tell(text: str) -> None:
            said.append(text)
            if len(said) == 2:
                made.start_worker(wait=False)

        assert squares(Cluster(made.address, tell=tell), 50) == [n * n for n in range(50)]
        assert said[0] == f"waiting for a worker at {made.address}" and said[-1] == ""


def test_nobody_to_do_it_is_a_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(room, "FIRST", 0.1)
    assert main(["simulate", "bluff", "--rounds", "1e6", "--cluster", f"tcp://127.0.0.1:{free_port()}"]) == 2
    said = capsys.readouterr().err
    assert "nobody answers at tcp://127.0.0.1:" in said and "pitboss cluster scheduler" in said
    with machines(workers=0) as made:
        with pytest.raises(BadInput, match=r"there has been no worker .* for 0.5 s: start one with `pitboss cluster"):
            squares(Cluster(made.address, patience=0.5), 5)
        crew = Cluster(made.address, patience=1.0)
        made.start_worker()
        spans = crew.work(Naps(), 0, None)
        next(spans)
        made.kill_scheduler()
        with pytest.raises(BadInput, match="nobody answers at"):
            list(spans)


def test_what_does_not_fit_is_left_out_and_alone_refused(capfd: pytest.CaptureFixture[str]) -> None:
    house, rounds = load("bluff").at(), 30 * CHUNK
    with machines(workers=0) as made:
        for first, told in (
            (OLDER, "it has pitboss 0.0.1, and you have pitboss"),
            (EDITED, "is not yours, file by file"),
            (SKEWED, "what it works out is not what you have: answers differs"),
        ):
            made.start_worker(first=first)
            assert main(["simulate", "bluff", "--rounds", str(rounds), "--cluster", made.address]) == 2
            said = capfd.readouterr().err
            assert f"no worker of {made.address} can be used; of tcp://127.0.0.1:" in said and told in said
            made.kill_worker(0)
            time.sleep(0.2)
        made.start_worker(first=OLDER)
        made.start_worker()
        with pytest.warns(LeftOut, match="is left out: it has pitboss 0.0.1"):
            alike(made, house, rounds)


def test_a_game_file_that_cannot_be_set_up_there_is_a_sentence(there: Machines, tmp_path: Path) -> None:
    (tmp_path / "beside_it.py").write_text("DECKS = 6\n")
    mine = tmp_path / "mine.py"
    text = (ROOT / "examples" / "casino_war.py").read_text()
    mine.write_text(text + f"\nimport sys\nsys.path.append({str(tmp_path)!r})\nimport beside_it\n")
    house = load(str(mine)).at()
    os.rename(tmp_path / "beside_it.py", tmp_path / "gone")
    with (
        pytest.warns(LeftOut),
        pytest.raises(BadInput, match=r"it cannot set up the work: mine.py, line \d+: .*beside_it"),
    ):
        Run(house).run(CHUNK, crew=Cluster(there.address))


def test_the_clients_memory_does_not_grow(there: Machines) -> None:
    """However long it waits for one span: those are of about a second, which is 50 jobs of all these."""
    jobs, size = 600, 100_000
    tracemalloc.start()
    try:
        for done in Cluster(there.address).work(Naps(0.02, size), 0, jobs):
            assert all(len(payload) == size for _, payload in done.found)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < jobs * size / 2


def test_a_process_of_the_cluster_listens_on_this_machine_only_and_stops_when_told(there: Machines) -> None:
    with machines(workers=1) as made:
        for process in (made.workers[0], made.scheduler):
            assert process is not None
            listed = Path(f"/proc/{process.pid}/net/tcp")
            if not listed.exists():
                pytest.skip("this system does not say who listens where")
            mine = {os.readlink(f)[8:-1] for f in Path(f"/proc/{process.pid}/fd").iterdir() if _is_socket(f)}
            rows = [line.split() for line in listed.read_text().splitlines()[1:]]
            where = {row[1].partition(":")[0] for row in rows if row[3] == "0A" and row[9] in mine}
            assert where == {"0100007F"}
        for process in (made.workers[0], made.scheduler):
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=30) == 0


def _is_socket(file: Path) -> bool:
    try:
        return os.readlink(file).startswith("socket:")
    except OSError:
        return False


# ---- certificates


def test_with_certificates_only_who_has_one_comes_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed, so no certificates can be made")
    made_of = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=lab"]
    words = ["openssl", "req", "-x509", *made_of, "-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run(words, cwd=tmp_path, check=True, capture_output=True)
    for name, file in [("CA_FILE", "cert")] + [
        (f"{who}__{what}", file)
        for who in ("SCHEDULER", "WORKER", "CLIENT")
        for what, file in (("CERT", "cert"), ("KEY", "key"))
    ]:
        monkeypatch.setenv(f"DASK_DISTRIBUTED__COMM__TLS__{name}", str(tmp_path / f"{file}.pem"))
    with machines(workers=0) as made:
        secret = made.address.replace("tcp", "tls")
        worker = started(["cluster", "worker", secret, "--threads", "1"])
        made.workers.append(worker)
        client = started(["simulate", "bluff", "--rounds", "1e6", "--cluster", secret])
        out, err = client.communicate(timeout=120)
        assert client.returncode == 0 and "who dealt" in out, err
        monkeypatch.setattr(room, "FIRST", 0.1)
        with pytest.raises(BadInput, match=r"nobody answers|cannot be spoken to"):
            squares(Cluster(made.address), 1)
