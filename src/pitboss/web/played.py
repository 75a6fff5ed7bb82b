"""Histories are read in threads of their own: who asks for them again and again keeps nobody else waiting, and nobody
has two read at once. What a player has played is summed up as the log grows, and not from its beginning each time."""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock
from typing import TypeVar

from pitboss.vault import Person, Stored, Vault
from pitboss.web import past

THREADS = 2
MOST_ASKED = 3  # histories of one person: one is read, and whoever looks again before it is there waits
MOST_KEPT = 2000  # sums, of a table and a player each; the one that was asked for longest ago is made anew
CLOSING = "The house is closing."
T = TypeVar("T")


class Busy(Exception):
    """Too much is asked for at once: the sentence that is read, and the status of the answer."""

    def __init__(self, sentence: str, status: int = 429) -> None:
        super().__init__(sentence)
        self.status = status


@dataclass
class Played:
    """All that a player has played at a table, up to an event of the log."""

    upto: int = 0
    first: int = 0  # the event of his first round; none yet
    rounds: int = 0
    net: int = 0
    bets: dict[str, tuple[int, int]] = field(default_factory=dict)  # wager -> cents, and the squares of each bet

    def add(self, event: Stored, person: Person) -> None:
        mine = past.seats_of(event, person)
        for wager, cents in past.bets_of(event, mine).items():
            before = self.bets.get(wager, (0, 0))
            self.bets[wager] = (before[0] + cents, before[1] + cents * cents)
        self.first = self.first or event.seq
        self.rounds, self.net = self.rounds + 1, self.net + sum(event.body["nets"][seat] for seat in mine)
        self.upto = event.seq


class Histories:
    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="history")
        self._asked = Counter[str]()
        self._turns: dict[str, asyncio.Lock] = {}
        self._kept: OrderedDict[tuple[str, str], Played] = OrderedDict()
        self._lock = Lock()
        self._closed = False

    async def read(self, person: Person, work: Callable[[], T]) -> T:
        """What `work` finds, in its turn."""
        who = person.id
        if self._asked[who] >= MOST_ASKED:
            raise Busy("Your history is being read already; wait a moment.")
        self._asked[who] += 1
        try:
            async with self._turns.setdefault(who, asyncio.Lock()):
                if self._closed:
                    raise Busy(CLOSING)
                return await asyncio.get_running_loop().run_in_executor(self._pool, work)
        finally:
            self._asked[who] -= 1
            if not self._asked[who]:
                del self._asked[who], self._turns[who]

    def played(self, vault: Vault, table: str, person: Person) -> Played:
        """In one of the threads, in the person's turn. What was summed up before it is broken off stays."""
        with self._lock:
            found = self._kept.pop((table, person.id), None) or Played()
            self._kept[table, person.id] = found
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        end = vault.head()[0]
        for event in past.rounds_since(vault, table, person, found.upto):
            found.add(event, person)
            if self._closed:
                raise Busy(CLOSING)
        found.upto = max(found.upto, end)
        return found

    def close(self) -> None:
        self._closed = True
        self._pool.shutdown(wait=False, cancel_futures=True)
