"""What the exact analysis has to say while people play: what each choice is worth, and what a table should win. It is
counted in a process of its own, so that no table waits for it, and every answer is kept."""

import asyncio
import multiprocessing
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from fractions import Fraction
from functools import lru_cache
from math import hypot, sqrt
from typing import Any

from pitboss.cards import cards_of
from pitboss.exact import Advised, Study, best
from pitboss.live.live import Round, Turn
from pitboss.pit.takings import Takings
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.web.lies import in_dollars

Figures = Mapping[str, tuple[Fraction, Fraction]]  # wager -> expectation and variance of a unit
Worth = tuple[tuple[str, ...], Mapping[str, Fraction]]  # the wagers in whose units, choice -> what it is worth
MOST_KEPT = 2000
PAUSE = 60.0  # seconds until what could not be counted is asked again
A_MOMENT = 20  # tenths of a second
LONGEST = 60.0  # seconds that a game may take to be counted, as it is planned


class Theory:
    """Asks the other process, and remembers."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._known: OrderedDict[Hashable, Any] = OrderedDict()
        self._asked: set[Hashable] = set()

    def worth(self, house: House, round_: Round, turn: Turn, then: Callable[[], object]) -> Mapping[str, str] | None:
        """What each choice is worth, as text in dollars at the bets of this seat, with a word at the best; None while
        it is counted, and `then` is called when it is known. Nothing where the game is too large."""
        bets = round_.seats[turn.seat - 1].bets
        lead = house.main[0]
        at = house.measured(lead, bets.get(lead) or house.least_bet(lead))
        told = seen_of(round_, turn)
        found: Worth | None = self._ask(("worth", at, told), _worth, (at, told), then)
        return None if found is None else in_words(found, bets)

    def figures(self, house: House, then: Callable[[], object] = lambda: None) -> Figures | None:
        found: Figures | None = self._ask(("figures", house), _figures, (house,), then)
        return found

    def _ask(self, key: Hashable, work: Callable[..., Any], args: tuple[Any, ...], then: Callable[[], object]) -> Any:
        if key in self._known:
            self._known.move_to_end(key)
            return self._known[key]
        if key not in self._asked:
            self._asked.add(key)
            task = asyncio.get_running_loop().create_task(self._count(key, work, args, then))
            task.add_done_callback(lambda _: None)
        return None

    async def figures_soon(self, house: House) -> Figures | None:
        """The same, if it is known in a moment: a page waits so long for it."""
        for _ in range(A_MOMENT):
            if (found := self.figures(house)) is not None:
                return found
            await asyncio.sleep(0.1)
        return None

    async def _count(self, key: Hashable, work: Callable[..., Any], args: Any, then: Callable[[], object]) -> None:
        try:
            found = await self.run(work, *args)
        except Exception:  # nothing is known, and nothing is kept: it is asked again, but not at every look
            asyncio.get_running_loop().call_later(PAUSE, self._asked.discard, key)
            return
        self._known[key] = found
        self._asked.discard(key)
        if len(self._known) > MOST_KEPT:
            self._known.popitem(last=False)
        then()

    async def run(self, work: Callable[..., Any], *args: Any) -> Any:
        """Something long, in the other process. One that has died is replaced, and the new one is asked once more."""
        try:
            return await self._run(work, *args)
        except BrokenExecutor:
            return await self._run(work, *args)

    async def _run(self, work: Callable[..., Any], *args: Any) -> Any:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _ends_with_the_house)
        pool = self._pool
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, work, *args)
        except BrokenExecutor:
            if self._pool is pool:
                self._pool = None
            pool.shutdown(wait=False, cancel_futures=True)
            raise

    def close(self) -> None:
        if self._pool is not None:
            for process in list((self._pool._processes or {}).values()):
                process.terminate()
            self._pool.shutdown(wait=False, cancel_futures=True)


def seen_of(round_: Round, turn: Turn) -> tuple[Any, ...]:
    """All that a choice is weighed by, and all that its answer is kept by: what the seat sees and nothing else. Were a
    hidden card among it, how long an answer takes would tell whether that card has lain there before."""
    kept = tuple(sorted(round_.seats[turn.seat - 1].carried.items()))
    hand = tuple(cards_of(turn.hands[turn.hand - 1])) if len(turn.hands) >= turn.hand else ()
    seen, went = round_.eye(turn.seat)
    up = tuple(cards_of(turn.dealer))
    return turn.decision, turn.choices, turn.made, tuple(sorted(seen.items())), hand, up, kept, went


def in_words(found: Worth, bets: Mapping[str, Fraction]) -> dict[str, str]:
    """`−$3.94` and `+$0.42, best`: on average, at these bets; in bets where those are of different amounts."""
    decided, worth = found
    stakes = {bets[wager] for wager in decided if wager in bets}
    unit = stakes.pop() if len(stakes) == 1 else None
    right = best(worth) if worth else []
    return {choice: f"{signed(value, unit)}{', best' if choice in right else ''}" for choice, value in worth.items()}


def signed(value: Fraction, unit: Fraction | None) -> str:
    """`−$3.94`; `+0.394 bets` where there is no unit."""
    found = round(float(value), 3) if unit is None else round(float(value * unit), 2)
    amount = f"{abs(found):.3f} bets" if unit is None else f"${abs(found):,.2f}"
    return f"{'−' if found < 0 else '+'}{amount}"


def against(*tables: tuple[Takings, Figures | None]) -> dict[str, Any] | None:
    """What tables have won, what they should have, and how far luck goes 95% of the time, in dollars; tables, and the
    wagers of one round, are taken as independent. Where one of them is not counted, there is no theory of them all."""
    played = [(takings, figures) for takings, figures in tables if takings.rounds]
    if not played:
        return None
    out: dict[str, Any] = {
        "rounds": sum(takings.rounds for takings, _ in played),
        "bet": in_dollars(sum(cents for takings, _ in played for _, cents, _ in takings.bets.values())),
        "won": in_dollars(sum(takings.won for takings, _ in played)),
    }
    counted = [
        expected({w: (cents, squares) for w, (_, cents, squares) in takings.bets.items()}, figures)
        for takings, figures in played
        if figures
    ]
    if len(counted) < len(played):
        return out | {"theory": None, "low": None, "high": None}
    mean, spread = sum(mean for mean, _ in counted), hypot(*(spread for _, spread in counted))
    return out | {
        "theory": f"{-mean / 100:.2f}", "low": f"{(-mean - spread) / 100:.2f}", "high": f"{(-mean + spread) / 100:.2f}",
    }  # fmt: skip


def expected(bets: Mapping[str, tuple[int, int]], figures: Figures) -> tuple[float, float]:
    """What the player's side should get, and 1.96 standard deviations of it: wager -> cents and squares of cents."""
    mean = sum((figures[w][0] * cents for w, (cents, _) in bets.items() if w in figures), Fraction(0))
    variance = sum((figures[w][1] * squares for w, (_, squares) in bets.items() if w in figures), Fraction(0))
    return float(mean), 1.96 * sqrt(variance)


# ---- in the other process


def _ends_with_the_house() -> None:
    """The process is gone when the house is, also when that was killed and could not say so."""
    house = multiprocessing.parent_process()
    assert house is not None

    def wait() -> None:
        house.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


@lru_cache(maxsize=32)
def _study(house: House) -> Study | None:
    study = Study(house)
    plan = study.plan
    refused = [party for party in plan.refused if party in study.decided]
    return None if refused or plan.seconds > LONGEST or not study.decided or study.solved is None else study


def _worth(house: House, told: tuple[Any, ...]) -> Worth:
    decision, choices, made, seen, hand, dealer, kept, went = told
    study = _study(house)
    if study is None:
        return (), {}
    carried = {name: dict(kept).get(name, 0) for name in study.graph.carried}
    found = study.advice(Advised(decision, choices, made, dict(seen), hand, dealer, carried, went))
    return tuple(study.decided), dict(found)


def _figures(house: House) -> dict[str, tuple[Fraction, Fraction]]:
    out = {}
    study = Study(house)
    for party in study.banked:
        step = study.plan.step(party)
        if step is None or study.plan.seconds > LONGEST:
            continue
        try:
            found = Study(house.measured(party, house.least_bet(party))).wager(party)
        except BadInput:
            continue
        out[party] = (Fraction(found.expectation), Fraction(found.variance))
    return out
