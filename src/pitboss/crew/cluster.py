"""A crew of many machines. It keeps every worker in work, and no more on its way than that takes.

Whatever happens on the way, a span is sent until one report of it has come back, and the first one counts: a worker
that dies is dask's to replace, one that is silent is passed over, and after a scheduler's end all that is open goes out
again.
"""

import time
import warnings
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any

from pitboss.crew.away import DONE, REFUSED, UNFIT, packed, stamp
from pitboss.crew.bench import Bench, Done, Hand, Stops
from pitboss.crew.line import Broken, Key, Line, checked_address, dask_there, one_sentence
from pitboss.crew.window import AHEAD, Window
from pitboss.rules.errors import BadInput
from pitboss.rules.work import time_words

PATIENCE = 120.0  # seconds without a scheduler, or without a worker, that are waited
FIRST = 10.0  # the same before a scheduler was ever there
LATE = 20.0  # seconds after which a span is sent to somebody else too, or ten times what one takes
AGAIN = 3  # times that, after which a silent worker is asked again
MOST_DEATHS = 20  # workers that one span may take with it
TICK = 0.25


class LeftOut(UserWarning):
    """A worker that is not asked, and why."""


@dataclass
class Flight:
    """A span on its way."""

    numbers: range
    since: float
    only: frozenset[str]  # workers that it was meant for; none: all
    overdue: bool = False  # somebody else does it too


@dataclass(eq=False)
class Cluster:
    """The workers of a scheduler. `tell` hears what is waited for, and nothing when that is over."""

    address: str
    patience: float = PATIENCE
    late: float = LATE
    tell: Callable[[str], None] = lambda _: None
    away: bool = field(default=True, init=False)
    _done: dict[str, list[float]] = field(default_factory=dict, init=False)  # worker -> threads, jobs, seconds

    def __post_init__(self) -> None:
        self.address = checked_address(self.address)
        dask_there()

    @property
    def hands(self) -> tuple[Hand, ...]:
        return tuple(Hand(name, int(t), int(jobs), seconds) for name, (t, jobs, seconds) in self._done.items())

    def threads(self) -> dict[str, int]:
        """Workers and their threads, for a plan."""
        line = self._connected(FIRST)
        try:
            return dict(line.threads())
        finally:
            line.close()

    def work(
        self, bench: Bench, first: int, last: int | None, stops: Stops | None = None
    ) -> Generator[Done, None, None]:
        self._done.clear()
        window, work = Window(first, last, stops), (stamp(), packed(bench))
        patience = FIRST
        while not window.over:
            line = self._connected(patience)
            patience = self.patience
            shift = _Shift(self, line, window, work)
            try:
                while not window.over:
                    shift.fill()
                    shift.hear()
                    yield from window.ready()
            except Broken:
                for flight in shift.flights.values():
                    window.send_again(flight.numbers)
            finally:
                line.close()

    def _connected(self, patience: float) -> Line:
        until, told = time.monotonic() + patience, False
        while True:
            try:
                line = Line(self.address)
                break
            except Broken as error:
                if time.monotonic() > until:
                    raise BadInput(
                        f"nobody answers at {self.address}: start a scheduler there with `pitboss cluster scheduler`, "
                        f"or see whether it can be reached ({one_sentence(error)})"
                    ) from None
                self.tell(f"waiting for the scheduler at {self.address}")
                told = True
                time.sleep(TICK)
        if told:
            self.tell("")
        return line

    def count(self, worker: str, threads: int, jobs: int, seconds: float) -> None:
        found = self._done.setdefault(worker, [0.0, 0.0, 0.0])
        found[0] = threads or found[0] or 1
        found[1] += jobs
        found[2] += seconds


class _Shift:
    """Work on one line, until it breaks."""

    def __init__(self, cluster: Cluster, line: Line, window: Window, work: tuple[dict[str, str], bytes]) -> None:
        self.cluster, self.line, self.window, self.work = cluster, line, window, work
        self.flights: dict[Key, Flight] = {}
        self.unfit: dict[str, str] = {}  # worker -> why
        self.silent: dict[str, float] = {}  # worker -> until when nothing is sent to it
        self.deaths: dict[int, int] = {}  # first number of a span -> workers that ended with it
        self._next = 0
        self._nobody: float | None = None  # since when

    def fill(self) -> None:
        """Send as much as keeps everybody in work."""
        threads = self._workers()
        several = sum(threads.values())
        only = frozenset(threads) if self.unfit or self.silent else frozenset[str]()
        on_time = sum(not flight.overdue for flight in self.flights.values())
        for _ in range(AHEAD * several - on_time):
            numbers = self.window.cut(several)
            if numbers is None:
                break
            self._send(numbers, only)

    def _send(self, numbers: range, only: frozenset[str]) -> None:
        self._next += 1
        self.flights[self._next] = Flight(numbers, time.monotonic(), only)
        self.line.send(self._next, self.work, numbers, only)

    def _workers(self) -> dict[str, int]:
        """Those that can be asked. With none at all it waits, but not for ever."""
        there = self.line.threads()
        fit = {w: n for w, n in there.items() if w not in self.unfit}
        if there and not fit and not self.cluster.hands:  # one that fitted may come back
            worker, why = next(iter(self.unfit.items()))
            raise BadInput(f"no worker of {self.cluster.address} can be used; of {worker}: {why}")
        now = time.monotonic()
        if fit:
            if self._nobody is not None:
                self.cluster.tell("")
            self._nobody = None
        elif self._nobody is None:
            self._nobody = now
        elif now - self._nobody > self.cluster.patience:
            waited = time_words(self.cluster.patience)
            raise BadInput(
                f"there has been no worker at {self.cluster.address} for {waited}: start one with `pitboss cluster "
                f"worker {self.cluster.address}`"
            )
        else:
            self.cluster.tell(f"waiting for a worker at {self.cluster.address}")
        self.silent = {w: until for w, until in self.silent.items() if until > now}
        return {w: n for w, n in fit.items() if w not in self.silent} or fit

    def hear(self) -> None:
        """Take in what has come back; pass over who is silent."""
        heard = self.line.hear(TICK)
        while heard is not None:
            self._take(*heard)
            heard = self.line.hear(0)
        self._pass_over()

    def _take(self, key: Key, found: Any) -> None:
        flight = self.flights.pop(key, None)
        if flight is None:
            return  # of a span that somebody else has done
        if isinstance(found, BaseException):
            self._failed(flight, found)
            return
        kind, worker, seconds, what = found
        self.silent.pop(worker, None)
        if kind == DONE:
            if self.window.keep(flight.numbers, what, seconds):
                self.cluster.count(worker, self.line.threads().get(worker, 0), len(flight.numbers), seconds)
            for other in [k for k, f in self.flights.items() if f.numbers == flight.numbers]:
                del self.flights[other]
                self.line.forget(other)
        elif kind == UNFIT:
            self._leave_out(worker, what)
            self.window.send_again(flight.numbers)
        elif kind == REFUSED:
            raise BadInput(what)
        else:
            raise RuntimeError(f"the worker {worker} failed: {what}")

    def _failed(self, flight: Flight, error: BaseException) -> None:
        from distributed import KilledWorker

        if isinstance(error, ModuleNotFoundError | AttributeError):
            raise BadInput(f"a worker of {self.cluster.address} has no pitboss, or another one: {one_sentence(error)}")
        if not isinstance(error, KilledWorker):
            raise error
        deaths = self.deaths[flight.numbers.start] = self.deaths.get(flight.numbers.start, 0) + 1
        if deaths > MOST_DEATHS:
            raise BadInput(
                f"jobs {flight.numbers.start:,} to {flight.numbers.stop - 1:,} have ended {deaths} workers that tried "
                "them; see whether these have memory enough"
            )
        self.window.send_again(flight.numbers)

    def _leave_out(self, worker: str, why: str) -> None:
        if worker not in self.unfit:
            self.unfit[worker] = why
            warnings.warn(f"the worker {worker} is left out: {why}", LeftOut, stacklevel=2)

    def _pass_over(self) -> None:
        """What has been away for too long is done by somebody else as well."""
        span, now = self.window.span, time.monotonic()
        if span is None:
            return  # the first are still setting up
        most = max(self.cluster.late, 10 * span)
        late = {k: f for k, f in self.flights.items() if not f.overdue and now - f.since > most}
        if not late:
            return
        holders, there = self.line.holders(), self.line.threads()
        for key, flight in late.items():
            holder = holders.get(key)
            others = there.keys() - {*self.unfit, *self.silent, holder}
            if holder is not None and others:
                self.silent[holder] = now + AGAIN * most
            elif holder is not None or not flight.only or flight.only & there.keys():
                flight.since = now  # there is nobody else, or everybody is busy
                continue
            flight.overdue = True
            self.window.send_again(flight.numbers)
