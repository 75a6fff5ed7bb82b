"""One thread writes. While it waits for the disk, actions gather; then all that have gathered share the next commit.

What a commit has acknowledged is kept. Where one fails, nobody who waited for it is told that it stands, and the next
begins with a new connection. It goes on only where the log ends as it was left, or as the commit in doubt would have
left it: anything else is not the log that this process has written.
"""

import contextlib
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import NamedTuple

from pitboss.rules.errors import BadInput
from pitboss.vault.page import Outcome, head_of, page_of
from pitboss.vault.records import Action, Receipt, Unavailable
from pitboss.vault.seal import Head
from pitboss.vault.stores import Link, Store, reason

MOST_AT_ONCE = 500  # actions of one commit, so that nobody waits long for the others
MOST_WAITING = 100_000  # a house that asks faster than its disk writes is told so, before its memory is full


class Waiting(NamedTuple):
    action: Action
    future: "Future[Receipt]"
    after: int | None = None


class Writer:
    """Takes actions, and gives their receipts when they are kept."""

    def __init__(self, store: Store, link: Link, clock: Callable[[], str]) -> None:
        self._store, self._clock = store, clock
        self._link: Link | None = link
        self._ends: set[Head] = {head_of(link)}  # how the log may end as the next commit finds it
        self._queue: queue.SimpleQueue[Waiting | None] = queue.SimpleQueue()
        self._gate = threading.Lock()  # nothing is taken after the last
        self._closed = False
        self.commits = self.failures = 0
        self._thread = threading.Thread(target=self._run, name="vault", daemon=True)
        self._thread.start()

    def take(self, action: Action, after: int | None = None) -> "Future[Receipt]":
        future: Future[Receipt] = Future()
        with self._gate:
            if self._closed:
                future.set_exception(Unavailable(f"{self._store.name} is closed"))
            elif self._queue.qsize() >= MOST_WAITING:
                future.set_exception(Unavailable(f"{self._store.name} is too slow: {MOST_WAITING:,} actions wait"))
            else:
                self._queue.put(Waiting(action, future, after))
        return future

    def close(self) -> None:
        """Write all that waits, and stop."""
        with self._gate:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        going = True
        while going:
            first = self._queue.get()
            batch = [] if first is None else [first]
            going = first is not None
            while going and len(batch) < MOST_AT_ONCE:
                try:
                    waiting = self._queue.get_nowait()
                except queue.Empty:
                    break
                if waiting is None:
                    going = False
                else:
                    batch.append(waiting)
            batch = [w for w in batch if w.future.set_running_or_notify_cancel()]
            if batch:
                self._answer(batch)
        if self._link is not None:
            self._link.close()

    def _answer(self, taken: list[Waiting]) -> None:
        batch = [w for w in taken if w.after in (None, self.failures)]
        for waiting in taken:
            if waiting.after not in (None, self.failures):
                waiting.future.set_exception(Unavailable("what it builds on was not written, and so it is not either"))
        if not batch:
            return
        outcomes: list[Outcome] | list[BaseException]
        try:
            outcomes = self._commit([w.action for w in batch])
        except BaseException as error:  # whatever it is, nobody waits for ever
            if self._link is not None:
                self._link.undo()
                self._link.close()
                self._link = None
            outcomes = [self._told(error) for _ in batch]
        refused = (w for w, outcome in zip(batch, outcomes, strict=True) if not isinstance(outcome, Receipt))
        self.failures += any(w.after is not None for w in refused)  # what stands alone, nothing builds on
        for waiting, outcome in zip(batch, outcomes, strict=True):
            with contextlib.suppress(Exception):  # a callback of the caller's is the caller's
                if isinstance(outcome, Receipt):
                    waiting.future.set_result(outcome)
                else:
                    waiting.future.set_exception(outcome)

    def _commit(self, asked: list[Action]) -> list[Outcome]:
        if self._link is None:
            self._link = self._store.write()
        link = self._link
        link.do(link.begin)
        head = head_of(link)
        if head not in self._ends:
            raise Unavailable(
                f"{self._store.name} is not as it was left: it ends with event {head[0]:,} and another hash than was "
                "written here; nothing more is written until it is opened anew"
            )
        page, outcomes = page_of(link, head, asked, self._clock())
        if page.head == head:  # repeats and refusals: what they say is on the disk already
            link.do("rollback")
            return outcomes
        page.write(link)
        self._ends = {head, page.head}
        link.do("commit")
        self._ends = {page.head}
        self.commits += 1
        return outcomes

    def _told(self, error: BaseException) -> BaseException:
        if isinstance(error, self._store.errors):
            return Unavailable(f"{self._store.name} cannot be written: {reason(error)}")
        if isinstance(error, BadInput) and not isinstance(error, Unavailable):  # somebody else has it by now
            return Unavailable(str(error))
        return error
