"""Several documents judged at once, and the record of all their verdicts."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from pitboss.claims.file import Document, read_claims, shipped_claims
from pitboss.claims.judge import WRONG, Judged, check_all, judge
from pitboss.claims.verdicts import VERDICTS, Verdict
from pitboss.ledger.shown import Shown
from pitboss.rules.errors import BadInput
from pitboss.rules.game import Game
from pitboss.rules.watchdog import NAME as WATCHDOG
from pitboss.rules.work import Pace

FIRST = 60.0  # seconds of claims by which the rest is judged
LOOK = 0.1  # seconds between looks at how far the processes have come
Steps = Callable[[int, str], AbstractContextManager[Callable[[str], None]]]


@dataclass(frozen=True)
class Verdicts(Shown):
    """Every claim of some documents, judged."""

    judged: tuple[Judged, ...]

    TABLE = "claims"

    @property
    def all(self) -> tuple[Verdict, ...]:
        return tuple(v for j in self.judged for v in j.verdicts)

    @property
    def wrong(self) -> tuple[Verdict, ...]:
        """What is contradicted, or contradicts itself."""
        return tuple(v for v in self.all if v.verdict in WRONG)

    def counts(self) -> dict[str, int]:
        """How often each verdict was given."""
        counts = [j.counts() for j in self.judged]
        return {verdict: sum(c[verdict] for c in counts) for verdict in VERDICTS}

    def title(self) -> str:
        return ", ".join(f"{n} {verdict}" for verdict, n in self.counts().items() if n)

    def json(self) -> dict[str, Any]:
        return {
            "claims": [v.json() for v in self.all],
            "summary": self.counts(),
            "documents": [
                {"document": j.document.name, "verdicts": j.counts(), "games": j.document.files()} for j in self.judged
            ],
        }


def verdicts_of(
    paths: Sequence[Path] = (), steps: Steps | None = None, games: Sequence[Game] = (), patient: bool = False
) -> Verdicts:
    """A verdict for every claim of these files, or of all that are shipped; `steps` shows how far it has come. `games`
    are those of the user's own that the claims may be about."""
    documents = [read_claims(path, games) for path in list(paths) or shipped_claims()]
    meant = {claim.usual.game.key for document in documents for claim in document.claims}
    if idle := [game for game in games if game.key not in meant]:
        there = sorted({claim.game[:80] for document in documents for claim in document.claims})
        raise BadInput(f"no claim is about {idle[0].name} ({idle[0].file.name}); they are about {', '.join(there)}")
    for document in documents:
        check_all(document)  # before anything is counted
    shown = steps or (lambda *_: nullcontext(lambda _: None))
    return Verdicts(tuple(judge_all(documents, shown, patient)))


def judge_all(documents: Sequence[Document], steps: Steps, patient: bool = False) -> list[Judged]:
    """Every document, in processes beside each other where that is safe: they are about different games, and counting
    is all that there is to wait for."""
    claims = sum(len(d.claims) for d in documents)
    known = all(claim.usual.game.sha256 for d in documents for claim in d.claims)  # a game without a file stays here
    pace, done = Pace(patient, "fewer claims", after=FIRST), count()  # the first claims of a game take longer
    if len(documents) < 2 or not known or not may_fork():
        with steps(claims, "verifying") as step:

            def told(claim: str) -> None:
                pace.check(next(done), claims)
                step(claim)

            return [judge(document, told) for document in documents]
    workers, beside = min(len(documents), os.cpu_count() or 1), get_context("fork")
    news = beside.SimpleQueue()
    with ProcessPoolExecutor(workers, beside, _begins, (news,)) as pool:
        waiting = [pool.submit(_judged_aside, document) for document in documents]  # before the bar's thread starts
        with steps(claims, "verifying") as step:
            while wait(waiting, LOOK).not_done:
                while not news.empty():
                    step(news.get())
            return [found.result() for found in waiting]


_NEWS: list[Any] = []  # in a process beside: where it says which claim it judges


def _begins(news: Any) -> None:
    _NEWS[:] = [news]
    quietly()


def quietly() -> None:
    """A process beside that is interrupted says nothing; the one that asked it does."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def _judged_aside(document: Document) -> Judged:
    return judge(document, _NEWS[0].put)


def may_fork() -> bool:
    """A copy of a process with several threads may wait for ever for what another thread of the first one holds; on
    other systems libraries have threads of their own."""
    alone = {threading.main_thread().name, WATCHDOG}.issuperset(t.name for t in threading.enumerate())
    return sys.platform == "linux" and alone and (os.cpu_count() or 1) > 1
