"""Who may come in, on both databases: tokens that the vault does not have, and everything on the record."""

import threading
from collections.abc import Iterator

import pytest

from pitboss.rules.errors import BadInput
from pitboss.vault import Action, Entry, Person, Vault
from postgres import by_another_way


class Clock:
    now = "2026-11-01T12:00:00.000Z"

    def __call__(self) -> str:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def vault(vault_at: str, clock: Clock) -> Iterator[Vault]:
    with Vault.open(vault_at, clock=clock) as opened:
        yield opened


def test_an_invitation_lets_its_owner_in_once(vault: Vault, vault_at: str) -> None:
    ann = vault.add_person("Ann", "supervisor")
    link = vault.invite(ann.id, by=ann.id)
    assert vault.person_by_token(link) is None  # it is no session
    person, token = vault.enter(link)
    assert person == ann == vault.person_by_token(token) == vault.person(ann.id) and ann.role == "supervisor"
    with pytest.raises(BadInput, match="this invitation is not known, was used before or has run out"):
        vault.enter(link)
    with pytest.raises(BadInput, match="this invitation is not known"):
        vault.enter(token)  # a session invites nobody
    vault.close()
    with Vault.open(vault_at) as again:
        assert again.person_by_token(token) == ann and again.people() == [ann] and again.check() == []


def test_no_token_and_no_password_is_in_the_log(vault: Vault, vault_at: str) -> None:
    ann = vault.add_person("Ann")
    link = vault.invite(ann.id)
    _, token = vault.enter(link)
    vault.set_password(ann.id, "$argon2id$v=19$secret")
    with by_another_way(vault_at) as execute:
        rows = [str(execute(f"select * from {table}").fetchall()) for table in ("event", "action", "person", "token")]
    assert not any(secret in text for secret in (link, token, "argon2id") for text in rows)
    assert vault.password(ann.id) == "$argon2id$v=19$secret" and len(token) >= 43 and link != token
    assert [e.body["change"] for e in vault.events()] == ["added", "invited", "entered", "password"]
    assert {e.kind for e in vault.events()} == {"person"} and vault.check() == []


def test_who_is_turned_away_is_out_at_once(vault: Vault) -> None:
    ann, bob = vault.add_person("Ann"), vault.add_person("Bob")
    link, sessions = vault.invite(ann.id), [vault.enter(vault.invite(p.id))[1] for p in (ann, bob, ann)]
    vault.set_password(ann.id, "x")
    vault.revoke(ann.id, by=bob.id)
    assert [vault.person_by_token(t) for t in sessions] == [None, bob, None]
    assert vault.password(ann.id) is None and vault.person(ann.id).revoked and vault.secrets("house") == {}
    with pytest.raises(BadInput, match="this invitation is not known"):
        vault.enter(link)
    for asked in (vault.invite, vault.begin_session, vault.revoke, lambda p: vault.set_password(p, "y")):
        with pytest.raises(BadInput, match="Ann was turned away"):
            asked(ann.id)
    assert vault.check() == []


def test_sessions_and_invitations_run_out(vault: Vault, clock: Clock) -> None:
    ann = vault.add_person("Ann")
    link, later = (vault.invite(ann.id, until=f"2026-11-0{day}T12:00:00.000Z") for day in (2, 4))
    token = vault.begin_session(ann.id, until="2026-11-03T12:00:00.000Z")
    clock.now = "2026-11-02T12:00:00.000Z"
    with pytest.raises(BadInput, match="has run out"):
        vault.enter(link)
    assert vault.person_by_token(token) == ann
    clock.now = "2026-11-03T12:00:00.000Z"
    assert vault.person_by_token(token) is None
    assert vault.enter(later)[0] == ann
    assert vault._rows("select count(*) from token") == [(1,)] and vault.check() == []  # what has run out is gone


def test_a_session_ends(vault: Vault) -> None:
    ann = vault.add_person("Ann")
    one, two = vault.begin_session(ann.id), vault.begin_session(ann.id)
    vault.end_session(one)
    vault.end_session(one)
    vault.end_session("nobody's")
    assert vault.person_by_token(one) is None and vault.person_by_token(two) == ann and vault.check() == []


@pytest.mark.parametrize("name", ["", " Ann", "Ann ", "A\nnn", "x" * 61, "\u202eAnn", "\ud800"])
def test_a_name_that_nobody_can_have(vault: Vault, name: str) -> None:
    with pytest.raises(BadInput, match="a person's name"):
        vault.add_person(name)
    assert vault.head()[0] == 0


def test_two_people_whose_names_look_alike_are_one_too_many(vault: Vault) -> None:
    vault.add_person("Straße")
    for name in ("Straße", "STRASSE", "Ｓtraße"):
        with pytest.raises(BadInput, match="there is somebody called"):
            vault.add_person(name)
    assert vault.person_by_name("strasse") == vault.people()[0] and vault.person_by_name("Eve") is None


def test_two_who_come_at_once_are_not_both_let_in(vault: Vault) -> None:
    """By one invitation, or under one name."""
    link, told = vault.invite(vault.add_person("Ann").id), list[object]()

    def come() -> None:
        for asked in (lambda: vault.enter(link), lambda: vault.add_person("Bob")):
            try:
                told.append(asked())
            except BadInput as error:
                told.append(str(error)[:10])

    threads = [threading.Thread(target=come) for _ in range(6)]
    [t.start() for t in threads], [t.join() for t in threads]
    assert sum(isinstance(t, tuple) for t in told) == 1 and sum(isinstance(t, Person) for t in told) == 1
    assert len(told) == 12 and vault.check() == []


def test_what_is_not_so(vault: Vault) -> None:
    with pytest.raises(BadInput, match="there is no role 'owner'; there are player, supervisor, auditor"):
        vault.add_person("Ann", "owner")
    with pytest.raises(BadInput, match="there is no person 'x'"):
        vault.invite("x")
    for token in ("", "x" * 10_000, "\0", "\ud800", "' or 1=1 --", None, 5):
        assert vault.person_by_token(token) is None  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="entries of the kind person are the vault's own"):
        vault.write(Action("house", "x", (Entry("house", "person", {"change": "added"}),)))
    assert vault.head()[0] == 0
