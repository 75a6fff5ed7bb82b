"""The command line: a thin face on everything else. This module imports nothing heavy, so that it answers at once."""

import sys
from collections.abc import Sequence

from pitboss.cli.streams import columns, complain, flush, let_go, steady, write

TYPE_CHECKING = False  # typing itself is slow to import
if TYPE_CHECKING:
    from argparse import Namespace


OWN = "A game of your own is a file that defines GAME: see docs/your-own-game.md and examples/."


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command, and see that what it says is written. Whatever happens is an exit code, and where it is not a
    success, one sentence on standard error."""
    words = list(sys.argv[1:] if argv is None else argv)
    steady()
    code = 0
    try:
        code = _run(words, alone=argv is None)
        flush()
    except BrokenPipeError:  # the reader has seen enough
        pass
    except KeyboardInterrupt:
        complain("stopped")
        code = 130
    except BaseException as error:  # also SystemExit: a command gives an exit code, and never ends the process
        code = _told(error, words, alone=argv is None)
    let_go()
    if argv is None and (fault := sys.modules.get("pitboss.cli.fault")) is not None:
        fault.leave(code)
    return code


def _told(error: BaseException, words: list[str], alone: bool) -> int:
    try:
        from pitboss.cli.fault import told

        return told(error, words)
    except BaseException:  # a game file can break Python itself, and then little can be said
        import os

        os.write(2, b"pitboss: nothing works any more: a game file may have changed Python itself\n")
        return os._exit(70) if alone else 70


def _run(words: list[str], alone: bool) -> int:
    if words == ["games"]:  # asked so often that it does not wait for a parser
        return _games(as_json=False)
    from pitboss.cli.parser import build_parser

    parser = build_parser(words)
    try:
        args = parser.parse_args(words)
    except SystemExit as done:  # help, the version, or a mistake that has been told
        return int(done.code or 0)
    if args.command is None:
        parser.print_help()
        return 2
    if args.command == "games":
        return _games(args.json)
    return _answer(args, alone)


def _answer(args: "Namespace", alone: bool) -> int:
    """Run a command; a user's mistake is one sentence on standard error and exit code 2. What cannot be ended may end
    the process, if the command is `alone` in it."""
    from pitboss.cli.fault import give_up
    from pitboss.cli.stopping import stoppable
    from pitboss.rules import watchdog
    from pitboss.rules.errors import BadInput

    watchdog.given_up = give_up if alone else None
    with stoppable() as stopped:
        try:
            from pitboss.cli import commands
            from pitboss.cli.pager import paged

            with paged(args):
                code = int(getattr(commands, args.command)(args))
        except BadInput as error:
            from pitboss.cli.flags import in_flags
            from pitboss.cli.meant import with_guess

            complain(with_guess(in_flags(str(error), args.command)))
            code = 2
        except KeyboardInterrupt:
            complain("stopped")
            code = 130
    return 143 if stopped else code


def _games(as_json: bool) -> int:
    from pitboss.catalog import shipped

    found = shipped()
    if as_json:
        import json

        write(json.dumps({"games": [{"game": name, "about": about} for name, about in found.items()]}, indent=2))
        return 0
    name_width, screen = max(map(len, found)), columns()
    for name, about in found.items():
        first, *more = _wrapped(about, screen - name_width - 2)
        write(f"  {first}", bold=f"{name:<{name_width}}")
        for line in more:
            write(f"{'':<{name_width}}  {line}")
    write("\n" + "\n".join(_wrapped(OWN, screen)))
    return 0


def _wrapped(text: str, width: int) -> list[str]:
    """Lines of whole words. (textwrap would be one more thing to import.)"""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if len(longer) > width and lines[-1]:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
