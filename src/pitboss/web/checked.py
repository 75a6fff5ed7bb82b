"""The audit of a whole log, for a page and for the command line: chain and money in the vault, everything else in the
pit, by folding every table again."""

import asyncio
from typing import Any

from pitboss.pit.audit import Audit, Found
from pitboss.rules.errors import BadInput
from pitboss.vault import Vault
from pitboss.web.games import Games
from pitboss.web.opened import Opened

PATIENCE = 2.0  # seconds that a page waits for it


def audited(vault: Vault, games: Games) -> Found:
    """Whether everything is as it was written, and comes out as it did; the first fault is named."""
    faults = vault.check()
    upto = vault.head()[0]
    found = Audit(games.of, vault.secrets, vault.snapshots(), upto).look(vault.events())
    return Found(found.events, found.rounds, found.tables, found.shoes, str(faults[0]) if faults else found.fault)


def audit_at(where: str, files: tuple[str, ...]) -> dict[str, Any]:
    """The same from another process, while the house is open."""
    with Vault.open(where, only_read=True) as vault:
        return audited(vault, Games(files)).json()


async def checked_log(opened: Opened) -> dict[str, Any]:
    """What the last audit has found; one is begun if none is under way."""
    if opened.auditing is None:
        opened.auditing = asyncio.create_task(opened.theory.run(audit_at, opened.where, opened.files))
    try:
        async with asyncio.timeout(PATIENCE):
            found = await asyncio.shield(opened.auditing)
        opened.auditing = None
    except TimeoutError:
        return {"fault": "", "rounds": None, "checking": True}
    except (BadInput, OSError, RuntimeError) as error:
        opened.auditing = None
        return {"fault": f"The log could not be checked: {error}.", "rounds": None}
    return {"fault": found["fault"] or "", "rounds": found["rounds"], "checked": found["events"]}
