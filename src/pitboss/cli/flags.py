"""The library speaks of arguments, the command line of flags: the one place where the first become the second."""

import re
from argparse import ArgumentParser, _SubParsersAction

NAMED = re.compile(r"`(\w+)(?:=([^`]*))?`")
BEGINS = re.compile(r"^(\w+)(?= [^:]*: |: )")
ALSO = {
    "tables": "-p",
    "table": "-p",
    "options": "-o",
    "option": "-o",
    "mode": "--shoe",
    "bets": "--bet",
    "cuts": "--cut",
    "left": "--shoe",
    "games": "--game",
}
"""Arguments whose flag has another name."""


def in_flags(text: str, command: str) -> str:
    """`taste='closest'` -> --taste closest, and a message that begins with the name of an argument with its flag."""
    known = _flags(command)

    def flag(match: re.Match[str]) -> str:
        name, value = match.group(1), match.group(2)
        written = known.get(name) or ALSO.get(name)
        if written is None:
            return match.group(0)
        if written == "--shoe" or value in (None, "True"):
            return written
        return f"{written} {value.strip(chr(39))}" if " " not in value else f"{written} {value}"

    out = NAMED.sub(flag, text)
    head = BEGINS.match(out)
    return f"{known[head.group(1)]}{out[head.end() :]}" if head and head.group(1) in known else out


def _flags(command: str) -> dict[str, str]:
    """The long flags of a command, by the name that the library gives them."""
    from pitboss.cli.parser import build_parser

    commands = next(a for a in build_parser()._actions if isinstance(a, _SubParsersAction))
    parser: ArgumentParser = commands.choices[command]
    long = [o for a in parser._actions for o in a.option_strings if o.startswith("--") and o != "--help"]
    return {o[2:].replace("-", "_"): o for o in long}
