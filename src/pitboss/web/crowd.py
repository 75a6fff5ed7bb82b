"""How many connections there are at once, and how long one may stay that does nothing for it.

A connection costs a file of this process whether somebody has come in or not, and the log needs files too. So there are
so many from one address and so many in all, and whoever has ended, or does not read, is looked for and cut.
"""

import asyncio
import ipaddress
import sys
from collections import Counter
from dataclasses import dataclass, field

import uvicorn

MOST_FILES = 65_536  # more than that a process does not ask for
SPARE = 128  # files that are not for connections: the log, the painters, the port itself
LINGER = 5.0  # seconds that somebody has to take his leave


def raise_files() -> int:
    """As many files as this process may have open are asked for; how many that are now."""
    try:
        import resource
    except ImportError:  # a system that counts them otherwise
        return MOST_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return MOST_FILES if soft == resource.RLIM_INFINITY else int(soft)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError):  # a system that promises more than it gives
        return int(soft)
    return wanted


def network_of(host: str) -> str:
    """Whom an address stands for: of IPv6 one line has 2^64 addresses, and they count as one."""
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        if not found.is_loopback:
            return str(ipaddress.ip_network((int(found) >> 64 << 64, 64)))
    return str(found)


def own(host: str) -> bool:
    """Whether somebody sits at this very machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def unread(transport: asyncio.Transport) -> int:
    """Bytes that are written and not with the other side yet: those that wait here, and those that wait in the system,
    which takes a new piece only when a good part of the last one is gone."""
    here = transport.get_write_buffer_size()
    try:
        import fcntl
        import termios

        found = fcntl.ioctl(transport.get_extra_info("socket").fileno(), termios.TIOCOUTQ, b"\0\0\0\0")
    except (ImportError, OSError, AttributeError):  # a system that does not tell, or a line that is gone
        return here
    return here + int.from_bytes(found, sys.byteorder)


def refusal(status: bytes, sentence: bytes) -> bytes:
    """A whole answer, where there is nobody behind the connection yet who could make one."""
    head = b"HTTP/1.1 %s\r\ncontent-type: text/plain; charset=utf-8\r\n" % status
    return head + b"content-length: %d\r\nconnection: close\r\n\r\n%s" % (len(sentence), sentence)


@dataclass
class Held:
    """How many of something are held at once, by each and in all. Who holds nothing is not remembered."""

    each: int
    all: int
    by: Counter[str] = field(default_factory=Counter)
    many: int = 0

    def room(self, who: str, free: bool = False) -> bool:
        """Whether one more is not too many; `free` for who may hold all that there are."""
        return self.many < self.all and (free or self.by.get(who, 0) < self.each)

    def take(self, who: str, free: bool = False) -> bool:
        if not self.room(who, free):
            return False
        self.by[who] += 1
        self.many += 1
        return True

    def give(self, who: str) -> None:
        self.many -= 1
        self.by[who] -= 1
        if not self.by[who]:
            del self.by[who]


@dataclass
class Crowd:
    """The connections of the house. The own machine may hold them all: a proxy is there, through which others come."""

    held: Held

    def take(self, host: str) -> bool:
        return self.held.take(network_of(host), free=own(host))

    def give(self, host: str) -> None:
        self.held.give(network_of(host))


class Config(uvicorn.Config):
    """uvicorn's, with what its connections count in."""

    crowd: Crowd


@dataclass
class Ending:
    """Since when a connection ends. A transport that is closed still waits for who does not read, for ever."""

    since: float | None = None

    def overdue(self, ends: bool, now: float) -> bool:
        if not ends:
            return False
        if self.since is None:
            self.since = now
        return now - self.since >= LINGER
