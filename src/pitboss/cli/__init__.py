"""The command line: a thin face on everything else. This module imports nothing heavy, so that it answers at once."""

import sys
import warnings
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; a user's mistake is one sentence on standard error and exit code 2."""
    words = list(sys.argv[1:] if argv is None else argv)
    warnings.formatwarning = _warned
    if words == ["games"]:  # asked so often that it does not wait for a parser
        return _games(as_json=False)
    from pitboss.cli.parser import build_parser

    args = build_parser().parse_args(words)
    if args.command is None:
        build_parser().print_help()
        return 2
    if args.command == "games":
        return _games(args.json)
    from pitboss.rules.errors import BadInput

    try:
        from pitboss.cli import commands

        return int(getattr(commands, args.command)(args))
    except BadInput as error:
        from pitboss.cli.flags import in_flags

        print(f"pitboss: {in_flags(str(error), args.command)}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        return 0
    except KeyboardInterrupt:
        print("pitboss: stopped", file=sys.stderr)
        return 130


def _warned(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    """A warning of ours is one sentence, like all else that is said here."""
    ours = category.__module__.partition(".")[0] == "pitboss"
    return f"pitboss: {message}\n" if ours else f"{filename}:{lineno}: {category.__name__}: {message}\n"


def _games(as_json: bool) -> int:
    from pitboss.catalog import shipped

    found = shipped()
    if as_json:
        import json

        print(json.dumps({"games": [{"game": name, "about": about} for name, about in found.items()]}, indent=2))
        return 0
    width = max(map(len, found))
    bold, plain = ("\x1b[1m", "\x1b[0m") if sys.stdout.isatty() else ("", "")
    for name, about in found.items():
        print(f"{bold}{name:<{width}}{plain}  {about}")
    print("\nA game of your own is a file that defines GAME: see docs/your-own-game.md and examples/.")
    return 0
