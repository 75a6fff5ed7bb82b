"""The doors of the live house: who comes in, from which page, and how often.

Somebody is let in by a link that works once, or by the supervisor's password. From then on a cookie speaks for him that
no script can read and no other site can send. A browser may hold two: one of a player, and one of somebody of the
house, so that whoever runs the floor at home can play too, as somebody else.
"""

import asyncio
import re
from collections import OrderedDict
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError
from starlette.requests import HTTPConnection
from starlette.responses import Response

from pitboss.pit import PLAYER
from pitboss.rules.errors import BadInput
from pitboss.vault import Person, Vault
from pitboss.vault.people import called
from pitboss.web.clock import Clock

PLAYS, RUNS = "pitboss", "pitboss-house"  # cookies: of a player, and of somebody of the house
A_MONTH = 30 * 24 * 3600  # seconds: how long somebody who has come in is known, to his browser and to the house
SHORTEST_PASSWORD = 10
MOST_KNOWN = 10_000  # people and addresses whose pace is remembered
OF_THE_HOUSE = re.compile(r"you|your seat \d+|(the )?(dealer|house|board|clock)|(seat|computer) \d+")
HEADERS = {
    "content-security-policy": (
        "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


@dataclass
class Pace:
    """How often: so many at once, and so many a second in the long run, for each of many."""

    clock: Clock
    at_once: float
    a_second: float
    _left: "OrderedDict[str, tuple[float, float]]" = field(default_factory=OrderedDict)

    def allows(self, who: str) -> bool:
        now = self.clock.now()
        left, at = self._left.pop(who, (self.at_once, now))
        left = min(self.at_once, left + (now - at) * self.a_second)
        self._left[who] = (left - 1 if left >= 1 else left, now)
        if len(self._left) > MOST_KNOWN:
            self._left.popitem(last=False)
        return left >= 1


@dataclass
class Rates:
    """What is asked at most; a test or a load generator may ask for more."""

    commands: tuple[float, float] = (60, 15)  # of one person: at once, and a second
    requests: tuple[float, float] = (300, 60)  # from one address
    doors: tuple[float, float] = (10, 0.1)  # passwords and invitations, from one address
    sockets: int = 20  # of one person at once
    connections: int = 2000  # from one address at once: a card room behind one line has a thousand players


@dataclass(frozen=True)
class Session:
    """Somebody who has come in, and the token that says so."""

    person: Person
    token: str


class Doors:
    def __init__(self, vault: Vault, clock: Clock, *, origins: frozenset[str] = frozenset(), secure: bool = False,
                 open_to_guests: bool = False, rates: Rates | None = None) -> None:  # fmt: skip
        self.vault, self.origins, self.secure, self.open_to_guests = vault, origins, secure, open_to_guests
        self.rates = rates or Rates()
        self.commands, self.requests, self.knocks = (
            Pace(clock, *pace) for pace in (self.rates.commands, self.rates.requests, self.rates.doors)
        )
        self._hasher = PasswordHasher()
        self._verifying = asyncio.Semaphore(1)  # a password takes memory and time, on purpose

    # ---- who

    def session(self, asked: HTTPConnection, *cookies: str) -> Session | None:
        """Who asks: the first of these cookies that lets somebody in."""
        for name in cookies or (PLAYS, RUNS):
            token = asked.cookies.get(name, "")
            if 20 <= len(token) <= 100 and (found := self.vault.person_by_token(token)) is not None:
                return Session(found, token)
        return None

    def person(self, asked: HTTPConnection, *cookies: str) -> Person | None:
        found = self.session(asked, *cookies)
        return None if found is None else found.person

    def enter(self, answer: Response, person: Person, token: str) -> None:
        answer.set_cookie(
            cookie_of(person), token, max_age=A_MONTH, path="/", secure=self.secure, httponly=True, samesite="strict"
        )

    # ---- from where

    def same_origin(self, asked: HTTPConnection) -> bool:
        """Whether a page of this house asks: the browser says which page it is, and a page cannot change that."""
        origin = asked.headers.get("origin", "")
        if origin in self.origins:
            return True
        host = asked.headers.get("host", "")
        return bool(host) and not self.origins and urlsplit(origin).netloc == host and "://" in origin

    def known_host(self, asked: HTTPConnection) -> bool:
        """Whether the house is called by a name of its own: another site may point its own name here."""
        host = asked.headers.get("host", "")
        return not self.origins or host in {urlsplit(origin).netloc for origin in self.origins}

    @staticmethod
    def address(asked: HTTPConnection) -> str:
        return asked.client.host if asked.client else "?"

    # ---- passwords

    async def set_password(self, person: Person, password: str) -> None:
        check_password(password)
        found = await asyncio.to_thread(self._hasher.hash, password)
        await asyncio.to_thread(self.vault.set_password, person.id, found)

    async def by_password(self, password: str) -> Person | None:
        """The supervisor whose password it is. It takes as long for none."""
        async with self._verifying:
            return await asyncio.to_thread(self._by_password, password[:200])

    def _by_password(self, password: str) -> Person | None:
        for person in self.vault.people():
            kept = None if person.revoked else self.vault.password(person.id)
            if kept is None:
                continue
            try:
                if self._hasher.verify(kept, password):
                    return person
            except (Argon2Error, InvalidHashError):
                continue
        return None


def cookie_of(person: Person) -> str:
    return PLAYS if person.role == PLAYER else RUNS


def check_name(name: str) -> None:
    """Who is called like the house, or like whoever listens, would be heard as that."""
    if OF_THE_HOUSE.fullmatch(called(name)):
        raise BadInput(f"nobody is called {name} here: the house calls something of its own so")


def check_password(password: str) -> None:
    if len(password) < SHORTEST_PASSWORD or len(password) > 200:
        raise BadInput(f"the supervisor's password has {SHORTEST_PASSWORD} to 200 characters")
