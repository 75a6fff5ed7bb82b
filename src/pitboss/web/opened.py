"""The house as it is opened: everything that a page or a socket asks of, in one place."""

import asyncio
import re
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import HTTPConnection

from pitboss.rules.errors import BadInput
from pitboss.vault import Person, Unavailable, Vault
from pitboss.web.crowd import Held
from pitboss.web.doors import PLAYS, RUNS, Doors, Session
from pitboss.web.games import Games
from pitboss.web.played import Histories
from pitboss.web.run import LiveHouse
from pitboss.web.theory import Theory
from pitboss.web.viewer import COME_IN, Viewer

MOST_SHARED = 1000
MOST_SIGNS, SIGNS_EACH = 100, 10  # in all, and from one address: the screens of a card room have one
HOST = re.compile(r"[A-Za-z0-9.\[\]:-]{1,255}")
_ROLES = {"player": "a player", "supervisor": "a supervisor", "auditor": "an auditor"}


class Stranger(Exception):
    """Nobody that is known, or not somebody who may: with where to go instead."""


class NotYours(Exception):
    """Somebody who is known, at a page that is for others: the sentence that he reads."""


def sentence_of(error: BadInput) -> str:
    """What was refused, as a sentence. Where the log lies, and what the disk says of it, is nobody's business but the
    operator's."""
    if isinstance(error, Unavailable):
        return "It could not be written, and did not happen as far as we know; the house tries again, and so may you."
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"


@dataclass(frozen=True)
class Shared:
    """A past round that somebody shows to somebody else, as he saw it."""

    table: str
    round: int
    own: tuple[int, ...]


@dataclass
class Opened:
    vault: Vault
    house: LiveHouse
    doors: Doors
    games: Games
    theory: Theory
    address: str = ""  # of the house, as links have it
    where: str = ""  # the vault, as it is opened again to be looked at
    files: tuple[str, ...] = ()  # game files of the operator
    links: dict[str, tuple[str, str]] = field(default_factory=dict)  # of invitations made here -> name, role
    outside: bool = False  # whether the operator has said how it is called
    welcome: asyncio.Lock = field(default_factory=asyncio.Lock)  # one comes in after the other
    told: dict[str, tuple[str, str]] = field(default_factory=dict)  # person -> what was done, or why not
    auditing: "asyncio.Task[dict[str, Any]] | None" = None
    shared: "OrderedDict[str, Shared]" = field(default_factory=OrderedDict)  # token of a link -> round
    checker: Theory = field(default_factory=Theory)  # a process for audits: one of a long log takes long
    signs: Held = field(default_factory=lambda: Held(SIGNS_EACH, MOST_SIGNS))  # that are looked at
    histories: Histories = field(default_factory=Histories)
    lent: "OrderedDict[str, Shared]" = field(default_factory=OrderedDict)  # cookie of who has followed one -> round

    def session(self, asked: HTTPConnection) -> Session:
        """Of somebody who may look at tables, and play if he is a player."""
        found = self.doors.session(asked, PLAYS, RUNS)
        if found is None:
            raise Stranger
        return found

    def player(self, asked: HTTPConnection) -> Person:
        return self.session(asked).person

    def send_out(self, why: str, gone: Callable[[Viewer], bool]) -> None:
        """The lines of whoever may not be here any more are cut."""
        for live in self.house.tables.values():
            for viewer in [viewer for viewer in live.viewers if gone(viewer)]:
                viewer.close(COME_IN, why, at_once=True)

    def of_the_house(self, asked: HTTPConnection, *roles: str) -> Person:
        found = self.doors.person(asked, RUNS)
        if found is not None and found.role in roles:
            return found
        if (known := found or self.doors.person(asked, PLAYS)) is None:
            raise Stranger
        whose = " or ".join(f"the {role}" for role in roles)
        raise NotYours(f"This page is for {whose}; you are here as {known.name}, {_ROLES[known.role]}.")

    def called(self, asked: HTTPConnection) -> str:
        """The address of the house as this browser knows it: a link leads back to where it came from."""
        host = asked.headers.get("host", "")
        known = not self.outside and HOST.fullmatch(host) and self.doors.known_host(asked)
        return f"http://{host}" if known else self.address

    def share(self, shared: Shared) -> str:
        """A token for a round, good once."""
        for token, found in self.shared.items():
            if found == shared:
                return token
        return _kept(self.shared, shared)

    def lend(self, token: str) -> str:
        """What a link shows is for one browser: the link is used up, and the cookie is no link."""
        found = self.shared.pop(token, None)
        if found is None:
            raise BadInput("this link was used before, or the house was closed since; ask for another")
        return _kept(self.lent, found)


def _kept(among: "OrderedDict[str, Shared]", shared: Shared) -> str:
    token = secrets.token_urlsafe(24)
    among[token] = shared
    if len(among) > MOST_SHARED:
        among.popitem(last=False)
    return token
