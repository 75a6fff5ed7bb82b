"""The audit of a whole log, for a page and for the command line: chain and money in the vault, everything else in the
pit, by folding every table again."""

import asyncio
import contextlib
from collections.abc import Mapping
from typing import Any

from pitboss.pit.audit import Audit, Found
from pitboss.rules.errors import BadInput
from pitboss.vault import Vault
from pitboss.web.games import Games, Unnamed
from pitboss.web.opened import Opened

PATIENCE = 2.0  # seconds that a page waits for it


def audited(vault: Vault, games: Games) -> Found:
    """Whether everything is as it was written, and comes out as it did; the first fault is named. A log that is whole,
    of games that were not named, is no fault: it cannot be looked at, and Unnamed says why."""
    if faults := vault.check():  # what does not stand as it was written is not done again
        return Found(vault.head()[0], 0, 0, 0, str(faults[0]))
    for event in vault.events(kind="open"):
        with contextlib.suppress(KeyError, TypeError):  # what it lacks is found below
            _named(games, event.body)
    upto = vault.head()[0]
    audit = Audit(games.of, vault.secrets, vault.snapshots(), upto, lambda table: _last_shoe(vault, table))
    return audit.look(vault.events())


def _last_shoe(vault: Vault, table: str) -> int:
    """Of a table, by now."""
    found = next(vault.latest(table=table, kind="shoe", most=1), None)
    number = None if found is None else found.body.get("shoe")
    return number if isinstance(number, int) else 0


def _named(games: Games, opening: Mapping[str, Any]) -> None:
    try:
        games.of(opening)
    except Unnamed:
        raise
    except BadInput:  # of the table, and told with its event
        pass


def audit_at(where: str, files: tuple[str, ...]) -> dict[str, Any]:
    """The same from another process, while the house is open."""
    with Vault.open(where, only_read=True) as vault:
        return audited(vault, Games(files)).json()


async def checked_log(opened: Opened) -> dict[str, Any]:
    """What the last audit has found; one is begun if none is under way."""
    if opened.auditing is None:
        opened.auditing = asyncio.create_task(opened.checker.run(audit_at, opened.where, opened.files))
    try:
        async with asyncio.timeout(PATIENCE):
            found = await asyncio.shield(opened.auditing)
        opened.auditing = None
    except TimeoutError:
        return {"fault": "", "rounds": None, "checking": True}
    except Exception as error:  # whatever it is, the next look begins anew
        opened.auditing = None
        return {"fault": f"The log could not be checked: {error}.", "rounds": None}
    return {"fault": found["fault"] or "", "rounds": found["rounds"], "checked": found["events"]}
