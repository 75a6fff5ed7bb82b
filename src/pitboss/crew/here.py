"""The crew on this machine: this thread, or several."""

from collections import deque
from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from typing import Any, ClassVar

from pitboss.crew.bench import Bench, Done, Hand, Stops


@dataclass(frozen=True)
class Here:
    """One job after the other, in this thread."""

    away: ClassVar[bool] = False
    hands: ClassVar[tuple[Hand, ...]] = ()

    def work(
        self, bench: Bench, first: int, last: int | None, stops: Stops | None = None
    ) -> Generator[Done, None, None]:
        for number in count(first) if last is None else range(first, last):
            one = range(number, number + 1)
            yield Done(one, bench.do(one))


@dataclass(frozen=True)
class Threads:
    """So many threads, for work that lets go of Python's lock. A job is a span: it has been cut to be one."""

    many: int
    away: ClassVar[bool] = False
    hands: ClassVar[tuple[Hand, ...]] = ()

    def work(
        self, bench: Bench, first: int, last: int | None, stops: Stops | None = None
    ) -> Generator[Done, None, None]:
        pool = ThreadPoolExecutor(self.many)
        ahead: deque[tuple[range, Future[Any]]] = deque()
        coming = first
        try:
            while last is None or ahead or coming < last:
                while len(ahead) < 2 * self.many and (last is None or coming < last):
                    one = range(coming, coming + 1)
                    ahead.append((one, pool.submit(bench.do, one)))
                    coming += 1
                numbers, found = ahead.popleft()
                yield Done(numbers, found.result())
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
