"""The progress bar of a long run, on standard error, and only where somebody is looking."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import TextColumn

    from pitboss.deal import Progress


def _words(template: str) -> "TextColumn":
    """A column of a bar; what is put in is text, whatever it says."""
    from rich.progress import TextColumn

    return TextColumn(template, markup=False)


@contextmanager
def counting(what: str) -> Iterator[None]:
    """A sign of life while an exact count runs, which takes seconds for the largest games."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.text import Text

    from pitboss.cli.screen import Screen

    with Screen(stderr=True).status(Text(f"counting {what} ...")):
        yield


@contextmanager
def watch(rounds: int | None, until_se: float | None, chunk: int) -> Iterator["Callable[[Progress], None] | None"]:
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    from pitboss.cli.crew import rates
    from pitboss.cli.screen import Screen

    columns = (
        _words("{task.description}"), BarColumn(), _words("{task.fields[count]}"),
        _words("s.e. {task.fields[error]}"), TimeRemainingColumn(),
    )  # fmt: skip
    with Bar(*columns, console=Screen(stderr=True), transient=True) as bar:
        task = bar.add_task("dealing", total=rounds, count="0 rounds", error="-")

        def show(now: "Progress") -> None:
            share = now.rounds if until_se is None else None
            if until_se is not None and now.standard_error > 0:  # an error falls with the root of the rounds
                bar.update(task, total=now.rounds * max(1.0, (now.standard_error / until_se) ** 2))
                share = now.rounds
            count = f"{now.rounds:,} rounds"
            if now.hands:
                count = f"{count}, {rates(now.hands, chunk)}"
            bar.update(task, completed=share, count=count, error=f"{now.standard_error:.2e}")

        yield show


@contextmanager
def steps(total: int, what: str) -> Iterator[Callable[[str], None]]:
    """A bar that moves by one for every name it is told, over a known number of them."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    from pitboss.cli.screen import Screen

    columns = (
        _words("{task.description}"), BarColumn(), MofNCompleteColumn(), _words("{task.fields[name]}"),
        TimeElapsedColumn(),
    )  # fmt: skip
    with Bar(*columns, console=Screen(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total, name="")
        yield lambda name: bar.update(task, advance=1, name=name)


@contextmanager
def stages() -> Iterator[Callable[[str, int, int], None] | None]:
    """A bar that is told what is being done, how far, of how much."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    from pitboss.cli.screen import Screen

    columns = (_words("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Bar(*columns, console=Screen(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def show(what: str, done: int, of: int) -> None:
            bar.update(task, description=what, completed=done, total=of if of > 1 else None)

        yield show
