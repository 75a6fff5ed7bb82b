"""What the exact analysis has to say while people play: what each choice is worth, and what a table should win. It is
counted in a process of its own, so that no table waits for it, and every answer is kept."""

import asyncio
import multiprocessing
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from functools import lru_cache
from math import hypot, sqrt
from typing import Any

from pitboss.cards import cards_of
from pitboss.exact import Advised, Study
from pitboss.live.live import Round, Turn
from pitboss.pit.takings import Takings
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.web.scene import in_dollars

Figures = Mapping[str, tuple[Fraction, Fraction]]  # wager -> expectation and variance of a unit
MOST_KEPT = 2000
A_MOMENT = 20  # tenths of a second
LONGEST = 60.0  # seconds that a game may take to be counted, as it is planned


class Theory:
    """Asks the other process, and remembers."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._known: OrderedDict[Hashable, Any] = OrderedDict()
        self._asked: set[Hashable] = set()

    def worth(self, house: House, round_: Round, turn: Turn, then: Callable[[], object]) -> Mapping[str, str] | None:
        """What each choice is worth, as text in units of the bet; None while it is counted, and `then` is called when
        it is known. Nothing where the game is too large."""
        kept = tuple(sorted(round_.seats[turn.seat - 1].carried.items()))
        hand = tuple(cards_of(turn.hands[turn.hand - 1])) if len(turn.hands) >= turn.hand else ()
        eye = tuple(sorted(round_.house_eye(turn.seat).items()))
        told = (turn.decision, turn.choices, turn.made, eye, hand, tuple(cards_of(turn.dealer)), kept)
        found: Mapping[str, str] | None = self._ask(("worth", house, told), _worth, (house, told), then)
        return found

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
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
        try:
            found = await asyncio.get_running_loop().run_in_executor(self._pool, work, *args)
        except Exception:  # a game file that fails there has nothing to say here
            found = {}
        self._known[key] = found
        self._asked.discard(key)
        if len(self._known) > MOST_KEPT:
            self._known.popitem(last=False)
        then()

    async def run(self, work: Callable[..., Any], *args: Any) -> Any:
        """Something long, in the other process."""
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
        return await asyncio.get_running_loop().run_in_executor(self._pool, work, *args)

    def close(self) -> None:
        if self._pool is not None:
            for process in list((self._pool._processes or {}).values()):
                process.terminate()
            self._pool.shutdown(wait=False, cancel_futures=True)


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


@lru_cache(maxsize=32)
def _study(house: House) -> Study | None:
    study = Study(house.measured(house.main[0], house.least_bet(house.main[0])))
    plan = study.plan
    refused = [party for party in plan.refused if party in study.decided]
    return None if refused or plan.seconds > LONGEST or not study.decided or study.solved is None else study


def _worth(house: House, told: tuple[Any, ...]) -> dict[str, str]:
    decision, choices, made, eye, hand, dealer, kept = told
    study = _study(house)
    if study is None:
        return {}
    carried = {name: dict(kept).get(name, 0) for name in study.graph.carried}
    found = study.advice(Advised(decision, choices, made, dict(eye), hand, dealer, carried))
    return {} if found is None else {choice: f"{float(value):+.3f}" for choice, value in found.items()}


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
