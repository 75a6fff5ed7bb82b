"""The line to a scheduler of dask.distributed: spans go out, reports come in, and a line that breaks says so.

A line is used until it breaks and never mended: what was on its way is sent again on a new one, so that there is one
way to begin, whatever has happened before. This is the only module that talks to dask on the client's side.
"""

import asyncio
import concurrent.futures
import contextlib
import logging
import queue
import re
import time
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any

from pitboss.crew import away
from pitboss.rules.errors import BadInput, said

if TYPE_CHECKING:
    from distributed import Future

ANSWER = 10.0  # seconds that a scheduler may take to answer a question
ATTEMPT = 5.0  # seconds of one attempt to reach it
QUIET = {
    "distributed.admin.tick.interval": "1s",
    "distributed.worker.profile.enabled": False,
    "distributed.comm.timeouts.connect": "5s",
}
"""What a process of the cluster, or one that speaks to it, is set to: with dask's own, a fifth of the processor goes
into looking at itself."""
ADDRESS = re.compile(r"(?:(tcp|tls)://)?(\[[0-9a-fA-F:.]+\]|[\w.-]+):([0-9]{1,5})", re.ASCII)
GONE = (asyncio.CancelledError, concurrent.futures.CancelledError, OSError, TimeoutError)
"""How spans come back whose line has broken: dask cancels them itself."""
Key = int


class Broken(Exception):
    """The scheduler is gone, or does not answer."""


def checked_address(text: object) -> str:
    """`tcp://host:8786`, also without the first part."""
    found = ADDRESS.fullmatch(text) if isinstance(text, str) else None
    if found is None or not 0 < int(found[3]) < 1 << 16:
        raise BadInput(f"a cluster has an address such as tcp://192.168.1.10:8786 or tls://lab:8786, not {said(text)}")
    return f"{found[1] or 'tcp'}://{found[2]}:{found[3]}"


def dask_there() -> None:
    """One sentence where the extra is not installed."""
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise BadInput("a cluster needs dask.distributed: pip install 'pitboss[cluster]'") from None
    for name in [*logging.root.manager.loggerDict]:  # what they would say is said here, in a sentence
        if name.partition(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


class Line:
    """Open until it breaks, or is closed."""

    def __init__(self, address: str) -> None:
        """`Broken` where nobody answers; a sentence where what answers is no scheduler."""
        import dask
        from distributed import Client

        self._reports: queue.SimpleQueue[tuple[Key, Any]] = queue.SimpleQueue()
        self._sent: dict[Key, Future[Any]] = {}
        self._asked = 0.0
        self._threads: dict[str, int] = {}
        try:
            with dask.config.set(QUIET):
                self._client: Client = Client(address, timeout=ATTEMPT, set_as_default=False, name="pitboss")
        except (OSError, TimeoutError) as error:
            raise Broken(str(error)) from None
        except (ValueError, TypeError, RuntimeError) as error:  # such as certificates that do not fit
            raise BadInput(f"{address} cannot be spoken to: {one_sentence(error)}") from None

    def send(self, key: Key, work: tuple[Mapping[str, str], bytes], numbers: range, only: Collection[str]) -> None:
        """A span to whoever is free, or free of `only` these."""
        self._check()
        try:
            future = self._client.submit(
                away.do, *work, numbers.start, numbers.stop, key=f"pitboss-{id(self)}-{key}", pure=False,
                workers=sorted(only) or None,
            )  # fmt: skip
        except (OSError, RuntimeError, TimeoutError) as error:
            raise Broken(str(error)) from None
        self._sent[key] = future
        asyncio.run_coroutine_threadsafe(self._fetch(key, future), self._client.loop.asyncio_loop)

    async def _fetch(self, key: Key, future: "Future[Any]") -> None:
        """Wait for one span, in the thread of the line. A worker that does not answer holds up nothing else."""
        found: Any
        try:
            found = await future
        except BaseException as error:
            found = error
        self._reports.put((key, found))

    def hear(self, seconds: float) -> tuple[Key, Any] | None:
        """The next report, or the error in its place; None where there is none for so long."""
        self._check()
        try:
            key, found = self._reports.get(timeout=seconds)
        except queue.Empty:
            return None
        if isinstance(found, GONE):
            raise Broken(str(found))
        self._sent.pop(key, None)
        return key, found

    def forget(self, key: Key) -> None:
        """Somebody else has done it."""
        future = self._sent.pop(key, None)
        if future is not None:
            with contextlib.suppress(Exception):
                future.release()

    def threads(self) -> Mapping[str, int]:
        """Workers and their threads, as they were a second ago."""
        if time.monotonic() - self._asked > 1.0:
            self._threads = dict(self._ask(self._client.scheduler.ncores))
            self._asked = time.monotonic()
        return self._threads

    def holders(self) -> dict[Key, str]:
        """Which worker has which span."""
        found: Mapping[str, Any] = self._ask(self._client.scheduler.processing)
        head = f"pitboss-{id(self)}-"
        named = {str(key): str(worker) for worker, keys in found.items() for key in keys}
        return {int(key[len(head) :]): worker for key, worker in named.items() if key.startswith(head)}

    def _ask(self, question: Callable[..., Any]) -> Any:
        self._check()
        try:
            return self._client.sync(question, callback_timeout=ANSWER)
        except (*GONE, RuntimeError) as error:
            raise Broken(str(error)) from None

    def _check(self) -> None:
        if self._client.status != "running":
            raise Broken("the scheduler is gone")

    def close(self) -> None:
        """Nothing more is done for this line: a scheduler forgets the tasks of a client that goes."""
        with contextlib.suppress(Exception):
            self._client.close(timeout=2)


def one_sentence(error: BaseException) -> str:
    """What a library says, as part of a sentence: its first line, and not more than fits."""
    text = (str(error) or type(error).__name__).strip().splitlines()[0]
    return text if len(text) <= 160 else f"{text[:150]}..."
