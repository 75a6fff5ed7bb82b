"""The tables, as steps from one version to the next, in the SQL of SQLite; a store says it in its own words.

Events are never changed by a step. All other tables can be made again from the log, but the secrets, which stand beside
it, and the answers.
"""

from pitboss.rules.errors import BadInput
from pitboss.vault.stores import Link

STEPS: tuple[str, ...] = (
    """
    create table event(
        seq integer primary key, at text not null,
        action_table text not null, action_id text not null,
        table_id text not null, kind text not null, body text not null, moves text not null,
        prev blob not null, hash blob not null) strict;
    create index event_of_table on event(table_id, seq);
    create table action(
        table_id text not null, id text not null,
        first integer not null references event(seq), last integer not null references event(seq),
        answer text not null, primary key(table_id, id)) strict;
    create table account(
        name text primary key, cents integer not null,
        check(cents >= 0 or name = 'cage' or substr(name, 1, 5) = 'rack:' or substr(name, 1, 6) = 'tokes:')) strict;
    create table snapshot(table_id text primary key, seq integer not null references event(seq), state text not null)
        strict;
    create table secret(table_id text not null, name text not null, told text not null, primary key(table_id, name))
        strict;
    create table person(
        id text primary key, name text not null, called text not null unique,
        role text not null check(role in ('player', 'supervisor', 'auditor')), revoked integer not null) strict;
    create table token(
        hash text primary key, person text not null references person(id),
        kind text not null check(kind in ('invitation', 'session')), until text not null) strict
    """,
)


def version_of(link: Link) -> int:
    """0 where there is no vault yet."""
    if not link.has("version"):
        return 0
    found = link.rows("select number from version")
    if len(found) != 1 or not isinstance(found[0][0], int):
        raise BadInput("the vault does not say of which version it is: it was changed or is damaged")
    return found[0][0]


def upgrade(link: Link, name: str) -> None:
    """Bring the tables to the version of this pitboss, in one transaction: all of it or nothing."""
    link.do(link.begin)
    try:
        found = version_of(link)
        check_version(found, name)
        if not found:
            link.do("create table version(number integer not null) strict")
            link.do("insert into version values(0)")
        for step in STEPS[found:]:
            for statement in step.split(";\n"):
                link.do(statement)
        if found < len(STEPS):
            link.do("update version set number = ?", len(STEPS))
        link.do("commit")
    except BaseException:
        link.undo()
        raise


def check_version(found: int, name: str) -> None:
    if found > len(STEPS):
        raise BadInput(
            f"{name} was written by a newer pitboss (schema {found}, and this one knows up to {len(STEPS)}); "
            "use that one, or another vault"
        )
