"""The chart that a command was asked for: where it goes, and what is said of it."""

from argparse import Namespace
from pathlib import Path

from rich.console import Console

from pitboss.plain import one_line


def asked_plot(args: Namespace) -> Path | None:
    """The file of `--plot`, checked before anything is worked out."""
    if args.plot is None:
        return None
    from pitboss.plot import plot_file

    return plot_file(args.plot)


def say(screen: Console, file: Path | None, what: str = "chart") -> None:
    if file is not None:
        screen.print(f"{what}: {one_line(str(file))}", soft_wrap=True)
