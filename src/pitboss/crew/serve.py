"""The two processes of a cluster: a scheduler, and workers that find it again whenever it comes back.

They are dask's own, set so that they cost little, listen where they were told to and nowhere else, and keep no page in
the web. Whoever reaches one of their ports can run any program there: so they listen on this machine alone, unless they
have certificates or somebody says that he trusts everybody on the network.
"""

import asyncio
import contextlib
import ipaddress
import os
import signal
import socket
from collections.abc import Callable

from pitboss.crew.line import QUIET, checked_address, dask_there, one_sentence
from pitboss.rules.errors import BadInput
from pitboss.version import sources

Say = Callable[[str], object]
MOST_FAILURES = 1000  # workers that may end while they have a task, before it is taken for its fault
SILENT = "90s"  # after which a worker that is not heard of is taken for gone
PORT = 8786
ANYBODY = (
    "whoever reaches the port can run any program there: set up certificates (see docs/cluster.md), or say "
    "`trust_network=True` where everybody on the network may"
)


def scheduler(host: str, port: int, trust_network: bool, say: Say) -> None:
    """Serve until it is stopped. `say` hears the address once it can be reached."""
    dask_there()
    _check_open(host, trust_network)
    asyncio.run(_scheduler(host, port, say))


def worker(address: str, threads: int | None, trust_network: bool, say: Say) -> None:
    """Work for a scheduler until it is stopped; a scheduler that ends is waited for."""
    dask_there()
    address = checked_address(address)
    sources()  # of what was started, whatever is installed over it later
    host = _facing(address)
    if not address.startswith("tls://"):
        _check_open(host, trust_network)
    asyncio.run(_worker(address, host, threads or os.cpu_count() or 1, say))


async def _scheduler(host: str, port: int, say: Say) -> None:
    import dask
    from distributed import Scheduler

    settings = QUIET | {
        "distributed.scheduler.allowed-failures": MOST_FAILURES,
        "distributed.scheduler.worker-ttl": SILENT,
    }
    with dask.config.set(settings):
        try:
            made = await Scheduler(
                host=host, port=port, protocol="tls" if _certified() else "tcp", dashboard=False,
                dashboard_address="127.0.0.1:0",
            )  # fmt: skip
        except (OSError, ValueError, TypeError, RuntimeError) as error:
            raise BadInput(f"a scheduler cannot listen on {host}, port {port}: {one_sentence(error)}") from None
        say(str(made.address))
        await _until_stopped()
        await made.close(reason="stopped")


async def _worker(address: str, host: str, threads: int, say: Say) -> None:
    import dask
    from distributed import Worker

    stopped = asyncio.ensure_future(_until_stopped())
    with dask.config.set(QUIET):
        while not stopped.done():
            made = Worker(
                address, nthreads=threads, host=host, dashboard=False, dashboard_address="127.0.0.1:0", memory_limit=0
            )
            started = asyncio.ensure_future(made.start())
            await asyncio.wait([started, stopped], return_when=asyncio.FIRST_COMPLETED)
            if started.done():
                try:
                    await started
                except (OSError, ValueError, TypeError, RuntimeError, TimeoutError) as error:
                    say(f"not taken on by {address}: {one_sentence(error)}")
                    await asyncio.wait([stopped], timeout=1)
                    continue
                say(f"{threads} threads at work for {address}")
                gone = asyncio.ensure_future(made.finished())
                await asyncio.wait([gone, stopped], return_when=asyncio.FIRST_COMPLETED)
                if not stopped.done():
                    say(f"the scheduler at {address} is gone; waiting for it")
            else:
                started.cancel()
            with contextlib.suppress(Exception, asyncio.CancelledError):
                await made.close(timeout=2, executor_wait=False, reason="stopped")


async def _until_stopped() -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await stop.wait()


def _certified() -> bool:
    """Whether dask's own settings name certificates."""
    from distributed.security import Security

    return bool(Security().tls_scheduler_cert)


def _check_open(host: str, trusted: bool) -> None:
    """One sentence where anybody on the network could come in."""
    if trusted or _certified():
        return
    try:
        found = {ipaddress.ip_address(info[4][0]) for info in socket.getaddrinfo(host, None)}
    except (OSError, ValueError):
        raise BadInput(f"there is no address {host!r} to listen on") from None
    if not found or not all(one.is_loopback for one in found):
        raise BadInput(f"on {host}, {ANYBODY}")


def _facing(address: str) -> str:
    """The address of this machine by which it reaches another: the only one that a worker listens on."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    try:
        family, _, _, _, place = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_DGRAM)[0]
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect(place)  # sends nothing
            return str(probe.getsockname()[0])
    except OSError as error:
        raise BadInput(f"{address} cannot be found from here: {error.strerror or one_sentence(error)}") from None
