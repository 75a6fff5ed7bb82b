"""Who may come in: people, the invitations that they were sent, and the sessions that they have.

Everything that happens to them is an event of the house. The tables of people and tokens are made from those events
alone, so that somebody who was put into the database by another way is found by `check`. A token is 32 random bytes
that its owner has and the vault has not: it keeps their SHA-256. A password is kept as the text that its hash function
gives, beside the chain, and its SHA-256 in it.
"""

import hashlib
import secrets
import threading
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pitboss.rules.errors import BadInput
from pitboss.vault.plain import name_of
from pitboss.vault.records import HOUSE, Action, Entry, Receipt, Stored
from pitboss.vault.stores import Row

PERSON = "person"
"""The kind of an event about a person; the vault alone writes them."""

ROLES = ("player", "supervisor", "auditor")
LONGEST_NAME = 40
"""Of a person; who has a longer one from an older vault sits with its beginning."""

_PERSON = "select id, name, role, revoked from person"
_BY_TOKEN = """
    select p.id, p.name, p.role, p.revoked from token as t join person as p on p.id = t.person
    where t.hash = ? and t.kind = ? and (t.until = '' or t.until > ?) and p.revoked = 0
    """


@dataclass(frozen=True)
class Person:
    id: str  # of the purse too: purse:ID
    name: str
    role: str
    revoked: bool

    @classmethod
    def of_row(cls, row: Row) -> "Person":
        return cls(row[0], row[1], row[2], bool(row[3]))


class People:
    """The part of a vault that knows who may come in."""

    def __init__(self) -> None:
        self._door = threading.Lock()  # who looks whether a name is free also takes it

    def add_person(self, name: str, role: str = "player", *, by: str = "") -> Person:
        """Somebody new; `by` is who let them in."""
        _check_name(name)
        if role not in ROLES:
            raise BadInput(f"there is no role {role!r}; there are {', '.join(ROLES)}")
        person = Person(secrets.token_hex(6), name, role, False)
        with self._door:
            self._check_free(name)
            self._happened("added", person.id, by, name=name, called=called(name), role=role)
        return person

    def people(self) -> list[Person]:
        return [Person.of_row(row) for row in self._rows(f"{_PERSON} order by called")]

    def person(self, id: str) -> Person:
        found = self._rows(f"{_PERSON} where id = ?", id)
        if not found:
            raise BadInput(f"there is no person {id!r}")
        return Person.of_row(found[0])

    def person_by_name(self, name: str) -> Person | None:
        found = self._rows(f"{_PERSON} where called = ?", called(name))
        return Person.of_row(found[0]) if found else None

    def invite(self, person: str, *, until: str = "", by: str = "", cents: int = 0) -> str:
        """A token that lets its owner in once; `until` is a time as the clock tells it, and `cents` are promised."""
        with self._door:
            self._check_allowed(person)
            token = secrets.token_urlsafe(32)
            promised: dict[str, Any] = {"cents": cents} if cents else {}
            self._happened("invited", person, by, token=hashed(token), until=until, **promised)
        return token

    def invited(self, invitation: str) -> tuple[Person, int]:
        """Who an invitation is for, and what was promised with it; one sentence where it lets nobody in any more."""
        person = self._by_token(invitation, "invitation")
        if person is None:
            raise BadInput("this invitation is not known, was used before or has run out; ask for another")
        token = hashed(invitation)
        said = (event.body for event in self.events(table=HOUSE, kind=PERSON, about=token))
        return person, next((body.get("cents", 0) for body in said if body["token"] == token), 0)

    def enter(self, invitation: str, *, name: str = "", until: str = "") -> tuple[Person, str]:
        """Who the invitation is for, and the token of a session; the invitation is used up. Who comes in may say what
        he is called."""
        with self._door:
            person, _ = self.invited(invitation)
            renamed: dict[str, Any] = {}
            if name and name != person.name:
                _check_name(name)
                self._check_free(name, person.id)
                renamed = {"name": name, "called": called(name)}
            token = secrets.token_urlsafe(32)
            self._happened(
                "entered", person.id, person.id, token=hashed(token), until=until, invitation=hashed(invitation),
                **renamed,
            )  # fmt: skip
        return self.person(person.id), token

    def begin_session(self, person: str, *, until: str = "") -> str:
        """The token of a session for somebody who has shown a password."""
        with self._door:
            self._check_allowed(person)
            token = secrets.token_urlsafe(32)
            self._happened("entered", person, person, token=hashed(token), until=until)
        return token

    def person_by_token(self, token: str) -> Person | None:
        """Whose session this is; nobody's if it has ended, has run out, or its owner was turned away."""
        return self._by_token(token, "session")

    def end_session(self, token: str) -> None:
        with self._door:
            person = self._by_token(token, "session")
            if person is not None:
                self._happened("left", person.id, person.id, token=hashed(token))

    def set_password(self, person: str, password: str, *, by: str = "") -> None:
        """Keep what a hash function for passwords has made of one."""
        with self._door:
            self._check_allowed(person)
            kept = {f"password:{person}": password}
            self._happened("password", person, by, kept, sha256=hashed(password))

    def password(self, person: str) -> str | None:
        found = self._rows("select told from secret where table_id = ? and name = ?", HOUSE, f"password:{person}")
        return str(found[0][0]) if found else None

    def revoke(self, person: str, *, by: str = "") -> None:
        """Turn somebody away: no session, invitation or password of theirs lets anybody in any more."""
        with self._door:
            self._check_allowed(person)
            self._happened("revoked", person, by, {f"password:{person}": ""})

    def _by_token(self, token: str, kind: str) -> Person | None:
        found = self._rows(_BY_TOKEN, hashed(token), kind, self._now()) if isinstance(token, str) else []
        return Person.of_row(found[0]) if found else None

    def _check_free(self, name: str, id: str = "") -> None:
        there = self.person_by_name(name)
        if there is not None and there.id != id:
            raise BadInput(f"there is somebody called {name} already")

    def _check_allowed(self, person: str) -> None:
        if self.person(person).revoked:
            raise BadInput(f"{self.person(person).name} was turned away")

    def _happened(self, what: str, person: str, by: str, kept: Mapping[str, str] | None = None, **more: Any) -> None:
        body = {"change": what, "person": person, "by": by, **more}
        entry = Entry(HOUSE, PERSON, body, secrets=kept or {})
        self._keep(Action(HOUSE, f"{PERSON}-{secrets.token_hex(8)}", (entry,)))

    def events(
        self, *, table: str | None = None, kind: str | None = None, about: str | None = None
    ) -> Iterator[Stored]:
        raise NotImplementedError

    def _keep(self, action: Action) -> Receipt:
        raise NotImplementedError

    def _rows(self, sql: str, *args: object) -> list[Row]:
        raise NotImplementedError

    def _now(self) -> str:
        raise NotImplementedError


def _check_name(name: str) -> None:
    name_of(name, "a person's name")
    if len(name) > LONGEST_NAME or name != name.strip():
        raise BadInput(f"a person's name is up to {LONGEST_NAME} characters, without spaces at its ends")


def called(name: str) -> str:
    """Names that a person cannot tell apart are one name."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()


def projected(body: Mapping[str, Any], at: str) -> list[tuple[str, Row]]:
    """What an event about a person does to the tables of people and tokens."""
    what, person = body["change"], body["person"]
    out: list[tuple[str, Row]] = [("delete from token where until <> '' and until <= ?", (at,))]
    if what == "added":
        row = (person, body["name"], body["called"], body["role"], 0)
        out.append(("insert into person values(?, ?, ?, ?, ?)", row))
    elif what in ("invited", "entered"):
        out.append(("delete from token where hash = ?", (body.get("invitation", ""),)))
        kind = "invitation" if what == "invited" else "session"
        out.append(("insert into token values(?, ?, ?, ?)", (body["token"], person, kind, body["until"])))
        if "name" in body:
            out.append(("update person set name = ?, called = ? where id = ?", (body["name"], body["called"], person)))
    elif what == "left":
        out.append(("delete from token where hash = ?", (body["token"],)))
    elif what == "revoked":
        out.append(("update person set revoked = 1 where id = ?", (person,)))
        out.append(("delete from token where person = ?", (person,)))
    return out
