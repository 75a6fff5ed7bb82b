"""`pitboss serve` opens the live house; `pitboss audit` checks its log."""

import os
import re
from argparse import Namespace
from collections.abc import Sequence

from pitboss.cli.asked import console, pairs, print_json
from pitboss.cli.screen import marked
from pitboss.cli.streams import complain, flush
from pitboss.rules.errors import BadInput

INSTALL = "the live house needs more than pitboss itself: pip install 'pitboss[web]'"
PASSWORD = "PITBOSS_PASSWORD"
TLS = (
    "Others can reach this house. Put TLS in front of it (a reverse proxy such as nginx or caddy) and name its address "
    "with --origin https://...: without it cards, chips and cookies travel for all to read."
)


def run(args: Namespace) -> int:
    try:
        from pitboss.web.serve import Settings, TableWanted, usual_db
        from pitboss.web.serve import run as open_house
        from pitboss.web.studio import usual_painters
    except ModuleNotFoundError as error:
        raise BadInput(f"{INSTALL} (there is no {error.name})") from None
    tables = tuple(TableWanted(*_wanted(text)) for text in args.tables)
    settings = Settings(
        args.db or usual_db(),
        args.host,
        args.port,
        tables,
        tuple(args.games),
        args.guests,
        _password(args),
        _origin(args),
        painters=usual_painters() if args.painters is None else args.painters,
    )
    if settings.public and args.guests:
        where = f"--origin {args.origin}" if settings.loopback else f"--host {args.host}"
        raise BadInput(f"--open is for this machine only, and {where} can be reached from others")
    screen = console()

    def ready(address: str, link: str) -> None:
        screen.print(marked("The live house is open at [bold]{}[/]", address), soft_wrap=True)
        screen.print(f"Supervisor, once, within a day: {link}", soft_wrap=True)
        screen.print(f"The log is {_named(settings.db)}", soft_wrap=True)
        if not settings.loopback and not settings.origin:
            screen.print(TLS)
        screen.print("Play chips only. Ctrl-C closes the house; it opens again as it was.", style="dim")
        flush()
        if not args.no_browser:
            import webbrowser

            webbrowser.open(link)

    try:
        open_house(settings, ready, complain)
    except BadInput as error:
        if "needs a supervisor's password" in str(error):
            raise BadInput(
                f"{error}: put one into a file for --password-file, or into {PASSWORD}; and put TLS in front of it"
            ) from None
        raise
    screen.print("The house is closed.")
    return 0


def audit(args: Namespace) -> int:
    """Exit code 1, and the first fault named, where something is not as it was written."""
    try:
        from pitboss.vault import Vault
        from pitboss.web.checked import audited
        from pitboss.web.games import Games
        from pitboss.web.serve import usual_db
    except ModuleNotFoundError as error:
        raise BadInput(f"{INSTALL} (there is no {error.name})") from None
    with Vault.open(args.db or usual_db(), only_read=True) as vault:
        head = vault.head()[1]  # first: what an open house writes meanwhile may not have been looked at
        found = audited(vault, Games(args.games))
    code = 1 if found.fault else 0
    if args.json:
        print_json({**found.json(), "head": head})
        return code
    screen = console()
    if found.fault:
        screen.print(marked("[bold red]Fault[/]: {}", found.fault), soft_wrap=True)
    else:
        screen.print(
            f"All is as it was written: {found.events:,} events, {found.tables:,} tables, {found.rounds:,} rounds "
            f"played again, {found.shoes:,} shoes shuffled again."
        )
    screen.print(f"The log ends with {head}", soft_wrap=True)
    return code


def _wanted(text: str) -> tuple[str, dict[str, str]]:
    """`blackjack:decks=6,table-min=10`; a comma inside a value is kept, for a name follows it only sometimes."""
    game, _, rest = text.partition(":")
    parts: Sequence[str] = re.split(r",(?=[A-Za-z][\w-]*=)", rest) if rest else ()
    return game, pairs(parts, "--table", "GAME:NAME=VALUE")


def _password(args: Namespace) -> str:
    if args.password_file is None:
        return os.environ.get(PASSWORD, "")
    try:
        with open(args.password_file, encoding="utf-8") as file:
            found = file.readline(1000).rstrip("\r\n")
    except (OSError, ValueError) as error:
        raise BadInput(f"--password-file: it cannot be read: {getattr(error, 'strerror', None) or error}") from None
    from pitboss.web.doors import check_password

    check_password(found)
    return found


def _origin(args: Namespace) -> str:
    if args.origin and not re.fullmatch(r"https?://[A-Za-z0-9.\[\]:-]+", args.origin):
        raise BadInput(f"--origin {args.origin[:60]}: write it like https://house.example, without a path")
    return str(args.origin)


def _named(db: str) -> str:
    """Without a password that may stand in it."""
    return re.sub(r"(://[^:/@]*):[^@]*@", r"\1:...@", db)
