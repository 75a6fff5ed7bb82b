"""What goes to standard output and standard error as plain text: the only place that writes there, but for the screen.

Nothing heavy is imported, so that the command line answers at once.
"""

import os
import sys

from pitboss.plain import LOOK_ALIKE, clean

TYPE_CHECKING = False  # typing itself is slow to import
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TextIO


def steady() -> None:
    """Streams that can be used whatever the shell has made of them: one that is closed leads nowhere, and none fails
    for a character that it cannot read or write."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115  (for as long as the process lives)
        lenient(getattr(sys, name), "replace" if mode == "r" else LOOK_ALIKE)


def lenient(stream: object, errors: str = LOOK_ALIKE) -> None:
    """Let a stream say as much of a text as its encoding can."""
    change = getattr(stream, "reconfigure", None)
    if change is not None:
        change(errors=errors)


LONGEST = 900  # characters of a sentence


class Unwritten(OSError):
    """Standard output does not take what is written to it."""


def write(text: str, bold: str = "", end: str = "\n") -> None:
    """A line to standard output; what stands out of it comes first."""
    before, after = ("\x1b[1m", "\x1b[0m") if bold and sys.stdout.isatty() else ("", "")
    try:
        sys.stdout.write(f"{before}{clean(bold)}{after}{clean(text)}{end}")
    except OSError as error:
        raise unwritten(error) from None


def through(pager: "Sequence[str]", text: str) -> None:
    """What a screen has drawn, to standard output, or to be read in a pager."""
    if pager:
        import subprocess

        about = {"LESS": "FRX", "LESSCHARSET": "utf-8"} | os.environ
        try:
            subprocess.run(pager, input=text.encode("utf-8", "replace"), env=about, check=False)
            return
        except OSError:  # there is no such pager
            pass
    try:
        sys.stdout.write(text)
    except OSError as error:
        raise unwritten(error) from None


def columns() -> int:
    """How wide a line of plain text may be: what COLUMNS says, else the terminal, else 80."""
    said = os.environ.get("COLUMNS", "")
    if said.isascii() and said.isdigit() and int(said[:9]) > 0:
        return min(int(said[:9]), 1000)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or 80
    except (OSError, ValueError, AttributeError):
        return 80


def somebody_reads() -> bool:
    """Whether a person sits there, who reads what is printed and can type an answer."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def flush() -> None:
    try:
        sys.stdout.flush()
    except OSError as error:
        raise unwritten(error) from None


def closed() -> bool:
    """Whether somebody has closed standard output since we began."""
    return bool(getattr(sys.stdout, "closed", True))


def ask(prompt: str) -> str:
    """A line from standard input."""
    flush()
    try:
        return input(clean(prompt))
    except OSError as error:
        raise unwritten(error) from None


def unwritten(error: OSError) -> OSError:
    """Why nothing more can be written; that nobody reads on is no error."""
    return error if isinstance(error, BrokenPipeError) else Unwritten(error.errno, error.strerror)


def complain(text: str) -> None:
    """A sentence on standard error, if anybody can read it there: one line, and perhaps a line of source under it; and
    never a page, whatever was asked for."""
    first, mark, source = text.rpartition("\n    ")
    lines = [_short(line.replace("\n", "\u240a")) for line in ((first, source) if mark else (source,))]
    try:
        sys.stderr.write(f"pitboss: {clean(mark.join(lines))}\n")
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):  # full, closed, gone: nobody is left to be told
        pass


def _short(line: str) -> str:
    return line if len(line) <= LONGEST else f"{line[: LONGEST // 2]} ... {line[-LONGEST // 3 :]}"


def let_go() -> None:
    """What could not be written is dropped, so that Python does not try it again, and complain, as it ends."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            _to_nowhere(stream)


def _to_nowhere(stream: "TextIO") -> None:
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except (OSError, ValueError, AttributeError):  # no stream of the system
        pass


def shown(code: int, show: "Callable[[], object]") -> int:
    """Show what was found, and give its exit code: a verdict stands, whether anybody reads it to the end or not."""
    try:
        show()
        flush()
    except BrokenPipeError:
        pass
    return code
