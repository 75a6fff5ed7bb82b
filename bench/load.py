"""Load on the live house: so many tables of five seats, everybody on a socket of his own and playing as fast as he is
answered, with house, painters and players on the same cores:

    python bench/load.py [--tables 200] [--seats 5] [--seconds 30] [--games bluff,...] [--db postgresql://...] [--pages]

A decision is a command that is acknowledged, which is when it is on the disk: bets, choices and readiness are sent, and
bets and choices are counted. The store alone is measured in the same run, before and after. With --rate so many
decisions a second are asked for in all, and not as many as can be; then the waits say what a player feels. A player is
a program that is sent the scene as JSON; with --pages he is sent the page, as a person with a browser is.
"""

import argparse
import asyncio
import http.client
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from statistics import median
from urllib.parse import urlencode

from load_players import BROWSER, PROGRAM, Counted, Pace, Player, line_of
from pitboss.catalog import load
from pitboss.live.bots import usual_bets
from pitboss.vault import Action, Entry, Vault

GAMES = ("bluff", "flop-poker-bonus", "blackjack")
WARM = 8.0  # seconds of playing before it counts


# ---- the house


def serve(db: str, painters: int | None) -> None:
    from pitboss.web.doors import Rates
    from pitboss.web.serve import Settings, TableWanted, run
    from pitboss.web.studio import usual_painters

    fast = Rates((1e9, 1e9), (1e9, 1e9), (1e9, 1e9), 10)
    many = usual_painters() if painters is None else painters
    settings = Settings(db, port=0, open_to_guests=True, rates=fast, tables=(TableWanted(GAMES[0]),), painters=many)
    run(settings, lambda address, link: print(address, link, flush=True), lambda text: print(text, file=sys.stderr))


def ask(host: str, method: str, path: str, form: dict[str, str], cookie: str = "") -> http.client.HTTPResponse:
    line = http.client.HTTPConnection(host, timeout=60)
    headers = {"origin": f"http://{host}", "content-type": "application/x-www-form-urlencoded", "cookie": cookie}
    line.request(method, path, urlencode(form), headers)
    found = line.getresponse()
    found.read()
    assert found.status == 303, (path, found.status)
    return found


def cookie_of(found: http.client.HTTPResponse) -> str:
    return str(found.getheader("set-cookie")).partition(";")[0]


# ---- the store alone


def store_alone(db: str, seconds: float, writers: int) -> float:
    """Events a second that so many writers commit who wait for each: what the house could do if it cost nothing."""
    vault = Vault.open(db)
    end, done = time.perf_counter() + seconds, [0] * writers

    def write(who: int) -> None:
        while time.perf_counter() < end:
            body = {"seat": 1, "choice": "raise", "note": "x" * 100}
            entry = Entry(f"t{who}", "choose", body, {f"seat:t{who}:1": 5, "cage": -5})
            vault.write(Action(f"t{who}", f"{done[who]}", (entry,))).result()
            done[who] += 1

    threads = [threading.Thread(target=write, args=(who,)) for who in range(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    vault.close()
    return sum(done) / seconds


def the_same_alone(db: str, alone: str, writers: int) -> float:
    """Decisions a second when so many writers commit what the house has committed, each waiting for each of his: the
    same events with the same money, table by table in their order."""
    with Vault.open(db, only_read=True) as source:
        actions: dict[tuple[str, str], list[Entry]] = {}
        for event in source.events():
            if event.kind != "person":
                entry = Entry(event.table, event.kind, event.body, event.moves)
                actions.setdefault((event.of, event.action), []).append(entry)
    first: list[Action] = []
    play: dict[str, list[Action]] = {}
    for (of, id), entries in actions.items():
        begins = of == "house" or entries[0].kind in ("open", "sit", "buy")
        (first if begins else play.setdefault(of, [])).append(Action(of, id, tuple(entries)))
    meters = {name for one in actions.values() for entry in one for name in entry.moves if name.startswith("meter:")}
    if meters:  # a meter that is won is fed by all tables, and here they come in another order
        ahead = dict.fromkeys(meters, 10**9) | {"cage": -(10**9) * len(meters)}
        first.append(Action("house", "ahead", (Entry("house", "ahead", {}, ahead),)))
    vault = Vault.open(alone)
    for wait in [vault.write(action) for action in first]:
        wait.result()
    shares = [[one for table in list(play)[n::writers] for one in play[table]] for n in range(writers)]
    many = sum(action.entries[0].kind in ("bet", "choose") for share in shares for action in share)

    def write(share: list[Action]) -> None:
        for action in share:
            vault.write(action).result()

    begun = time.perf_counter()
    threads = [threading.Thread(target=write, args=(share,)) for share in shares]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.perf_counter() - begun
    vault.close()
    return many / took


# ---- all of it


async def measured(
    pid: int, host: str, seats: list[tuple[str, int, str, str]], seconds: float, rate: float, pages: bool
) -> Counted:
    counted, pace, bets = Counted(), Pace(rate), {}
    for game in {game for _, _, _, game in seats}:
        house = load(game).at()
        bets[game] = {name: str(amount) for name, amount in usual_bets(house, 1).items()}
    players = [Player(at, host, bets[at[3]], counted, pace, BROWSER if pages else PROGRAM) for at in seats]
    where, port = host.split(":")
    for player in players:
        await asyncio.get_running_loop().create_connection(partial(line_of, player), where, int(port))
    while not all(player.line.open for player in players):
        await asyncio.sleep(0.05)
    for player in players:
        player.begin()
    pacing = asyncio.create_task(pace.run())
    await asyncio.sleep(WARM)
    counted.counting, before = True, cpu(pid)
    own = time.process_time()
    await asyncio.sleep(seconds)
    counted.counting, counted.spent, counted.own = False, cpu(pid) - before, time.process_time() - own
    pacing.cancel()
    lost = [player.line.lost for player in players if player.line.lost]
    if lost:
        raise SystemExit(f"{len(lost)} players gave up: {lost[0]}")
    return counted


def processes(pid: int) -> list[int]:
    """The house, and its painters."""
    started = (
        int(one) for task in Path(f"/proc/{pid}/task").iterdir() for one in (task / "children").read_text().split()
    )
    return [pid, *(one for one in started if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes())]


def memory(pid: int) -> float:
    """Megabytes that the house holds, with its painters."""
    texts = [Path(f"/proc/{one}/status").read_text() for one in processes(pid)]
    return sum(int(text.partition("VmRSS:")[2].split()[0]) for text in texts) / 1024


def cpu(pid: int) -> float:
    """Seconds of processor time that they have used."""
    parts = [Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split() for one in processes(pid)]
    return sum(int(part[11]) + int(part[12]) for part in parts) / os.sysconf("SC_CLK_TCK")


def report(args: argparse.Namespace, db: str, alone_db: str) -> list[tuple[str, str]]:
    before = store_alone(alone_db + "1", 3.0, 64) if not db.startswith("postgresql") else 0.0
    own = [] if args.painters is None else [f"--painters={args.painters}"]
    child = subprocess.Popen([sys.executable, __file__, "--serve", db, *own], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout is not None
        address, link = child.stdout.readline().split()
        host = address.removeprefix("http://")
        boss = cookie_of(ask(host, "POST", "/invite/" + link.rpartition("/")[2], {}))
        games = args.games.split(",")
        rows = [(f"t{n + 1}", games[n % len(games)]) for n in range(args.tables)]
        for table, game in rows[1:] if games[0] == GAMES[0] else rows:
            form = {"do": "open", "game": game, "name": table, "option:table-max": "500"}
            ask(host, "POST", "/supervisor", form, boss)
        if games[0] != GAMES[0]:
            rows = [(f"t{n + 2}", game) for n, (_, game) in enumerate(rows)]
        with ThreadPoolExecutor(8) as pool:
            names = [f"{table} {seat}" for table, _ in rows for seat in range(1, args.seats + 1)]
            cookies = dict(
                zip(names, pool.map(lambda n: cookie_of(ask(host, "POST", "/join", {"name": n})), names), strict=True)
            )
        chairs = [(t, seat, cookies[f"{t} {seat}"], g) for t, g in rows for seat in range(1, args.seats + 1)]
        first, many = memory(child.pid), len(processes(child.pid)) - 1
        counted = asyncio.run(measured(child.pid, host, chairs, args.seconds, args.rate, args.pages))
        last = memory(child.pid)
    finally:
        child.terminate()
        child.wait(30)
    after = store_alone(alone_db + "2", 3.0, 64) if not db.startswith("postgresql") else 0.0
    same = the_same_alone(db, alone_db + "3", 64) if not db.startswith("postgresql") else 0.0
    waits, looks, alone = sorted(counted.waits), sorted(counted.looks), median([before, after])
    if not waits or not looks:
        raise SystemExit("nothing was answered in that time; the machine is too busy to measure anything")
    rate = len(waits) / args.seconds
    return [
        ("tables, seats, sockets", f"{args.tables}, {args.seats}, {len(chairs)}"),
        ("painters", f"{many}"),
        ("games, and what a player is sent", f"{args.games}; {'the page' if args.pages else 'the scene as JSON'}"),
        ("decisions a second, each on the disk before it is answered", f"{rate:,.0f}"),
        ("wait for the answer, median", f"{1000 * waits[len(waits) // 2]:.0f} ms"),
        ("wait for the answer, 99 of 100", f"{1000 * waits[len(waits) * 99 // 100]:.0f} ms"),
        ("from a decision to the next scene, median", f"{1000 * looks[len(looks) // 2]:.0f} ms"),
        ("from a decision to the next scene, 99 of 100", f"{1000 * looks[len(looks) * 99 // 100]:.0f} ms"),
        ("scenes a second", f"{counted.scenes / args.seconds:,.0f}"),
        ("refused", f"{counted.refused}"),
        ("the store alone, events a second, 64 writers", f"{before:,.0f} before, {after:,.0f} after"),
        ("decisions to what the store alone commits", f"{rate / alone:.2f}" if alone else "not measured"),
        ("the store alone, the very events of this run, decisions a second", f"{same:,.0f}"),
        ("decisions to that", f"{rate / same:.2f}" if same else "not measured"),
        (
            "cores that the house used, and its players",
            f"{counted.spent / args.seconds:.2f}, {counted.own / args.seconds:.2f}",
        ),
        ("its processor time for a decision, scenes and all", f"{1000 * counted.spent / len(waits):.1f} ms"),
        ("memory of the house, before and after", f"{first:.0f} MB, {last:.0f} MB"),
    ]


def table_of(rows: Sequence[tuple[str, str]]) -> str:
    wide = max(len(name) for name, _ in rows)
    return "\n".join(f"| {name:<{wide}} | {value} |" for name, value in rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--serve", metavar="DB", help=argparse.SUPPRESS)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--rate", type=float, default=0.0, help="decisions a second that are asked for (default: all)")
    parser.add_argument("--painters", type=int, help="processes that draw (default: as the house has them)")
    parser.add_argument("--pages", action="store_true", help="players are sent the page, as browsers are")
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--db", help="a database of its own (default: SQLite in a folder that goes)")
    args = parser.parse_args()
    if args.serve:
        serve(args.serve, args.painters)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        rows = report(args, args.db or f"{folder}/house.db", f"{folder}/alone")
    print(table_of(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
