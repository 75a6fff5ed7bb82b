"""The house as it is opened: everything that a page or a socket asks of, in one place."""

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import HTTPConnection

from pitboss.rules.errors import BadInput
from pitboss.vault import Person, Vault
from pitboss.web.doors import PLAYS, RUNS, Doors, Session
from pitboss.web.games import Games
from pitboss.web.run import LiveHouse
from pitboss.web.theory import Theory
from pitboss.web.viewer import COME_IN, Viewer

MOST_SHARED = 1000


class Stranger(Exception):
    """Nobody that is known, or not somebody who may: with where to go instead."""


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
    chips: dict[str, int] = field(default_factory=dict)  # person -> cents that he finds when he comes in
    told: dict[str, tuple[str, str]] = field(default_factory=dict)  # person -> what was done, or why not
    auditing: "asyncio.Task[dict[str, Any]] | None" = None
    shared: "OrderedDict[str, Shared]" = field(default_factory=OrderedDict)  # token -> round

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
        if found is None or found.role not in roles:
            raise Stranger
        return found

    def share(self, shared: Shared) -> str:
        """A token for a round, good once."""
        for token, found in self.shared.items():
            if found == shared:
                return token
        token = secrets.token_urlsafe(24)
        self.shared[token] = shared
        if len(self.shared) > MOST_SHARED:
            self.shared.popitem(last=False)
        return token

    def looked_at(self, token: str) -> Shared:
        found = self.shared.pop(token, None)
        if found is None:
            raise BadInput("this link was used before, or the house was closed since; ask for another")
        return found
