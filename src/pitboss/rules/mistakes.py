"""An ordinary Python error in a game file: at which line it came up, and which name was probably meant."""

import builtins
from collections.abc import Callable, Collection, Iterable, Iterator
from difflib import get_close_matches
from functools import wraps
from pathlib import Path
from types import WrapperDescriptorType
from typing import ParamSpec, TypeVar

from pitboss.rules.errors import BadInput, RuleError, Site
from pitboss.rules.watchdog import OutOfTime, Watch, begin, end

PATIENCE = 5  # seconds for one call of what a game file defines, which takes microseconds

_PLAIN = {str, int, float, bool, type(None)}  # what says itself in a word, and runs nothing that a file defines
_OURS = str(Path(__file__).parent.parent)
NEAR = 0.7  # how like two names are, from 0 to 1, so that one may have been meant for the other

P = ParamSpec("P")
R = TypeVar("R")


def line_in(file: str, error: BaseException, else_line: int = 1) -> Site:
    """The innermost line of the file that the error passed through."""
    line = else_line
    for at, number in _passed(error):
        line = number if at == file else line
    return Site(file, line)


def _passed(error: BaseException) -> Iterator[tuple[str, int]]:
    """File and line of every call that the error came through, the innermost last: there may be millions."""
    step = error.__traceback__
    while step is not None:
        yield step.tb_frame.f_code.co_filename, step.tb_lineno
        step = step.tb_next


def raised_in(files: Collection[str], error: BaseException) -> RuleError | None:
    """The sentence for an error that one of these game files has raised where nobody had called it on purpose: in a
    text or a number of a class of its own, say. None where it is ours."""
    last = ""
    for at, _ in _passed(error):
        last = at if at in files or at.startswith(_OURS) else last
    return failed(last, error, "something in this file") if last in files else None


def told(error: BaseException) -> str:
    """The error in one line; for a misspelt name, the one that is nearest to it."""
    tells = isinstance(type(error).__str__, WrapperDescriptorType) and all(type(a) in _PLAIN for a in error.args)
    text = " ".join(f"{type(error).__name__}: {error if tells else ''}".split()).rstrip(": ")
    name = error.name if isinstance(error, NameError | AttributeError) else None
    near = nearest(name, _names(error)) if isinstance(name, str) else []
    return (text if len(text) < 300 else f"{text[:300]} ...") + (f" (did you mean {near[0]!r}?)" if near else "")


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """The known name that was probably meant, if one is near."""
    return get_close_matches(name, [k for k in known if not k.startswith("_")], 1, NEAR)


def _names(error: BaseException) -> Iterable[str]:
    """What could have been written there."""
    if isinstance(error, AttributeError):  # of the vocabulary, that is: what else there is may run what it likes
        return dir(error.obj) if type(error.obj).__module__.startswith("pitboss.") else []
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return [] if last is None else [*last.tb_frame.f_locals, *last.tb_frame.f_globals, *dir(builtins)]


def failed(file: str, error: BaseException, what: str, else_line: int = 1, seconds: float = 0) -> RuleError:
    """The one sentence for an error inside what the file defines."""
    if isinstance(error, OutOfTime | KeyboardInterrupt):  # nothing else interrupts what is past its time
        return too_long(line_in(file, error, else_line), what, seconds or PATIENCE)
    return line_in(file, error, else_line).error(f"{what} fails with {told(error)}; correct this line")


def too_long(where: Site, what: str, seconds: float) -> RuleError:
    return where.error(f"{what} has not come to an end in {seconds:g} seconds: if this is a loop, give it a way out")


def _stays(error: BaseException, file: str, watch: Watch) -> bool:
    """Whether an error says already what is wrong: one of ours does, if it is not the file itself that raises it. And
    the user may stop whatever runs."""
    if isinstance(error, KeyboardInterrupt):
        return not watch.fired
    return isinstance(error, BadInput) and not (error.__traceback__ and [*_passed(error)][-1][0] == file)


class in_the_file:  # noqa: N801  # a block, entered at every step of a live round: a generator would take as long
    """Whatever goes wrong in the block is told with the line of the game file, also what would end the whole program or
    never end. Only the user may stop it, and who has asked for exceptions of his own gets them."""

    __slots__ = ("else_line", "file", "passing", "seconds", "watch", "what")

    def __init__(
        self, file: str, what: str, else_line: int = 1, *passing: type[BaseException], seconds: float = 0
    ) -> None:
        self.file, self.what, self.else_line, self.passing = file, what, else_line, passing
        self.seconds = seconds or PATIENCE

    def __enter__(self) -> None:
        self.watch = begin(self.seconds, self.file, self.what)

    def __exit__(self, kind: type[BaseException] | None, raised: BaseException | None, trace: object) -> None:
        watch = self.watch
        try:
            try:
                if raised is None:
                    _check_time(watch)
            finally:
                end(watch)  # what follows is our own time, and there may be much to look through
        except BaseException as late:
            raised = late
        if raised is not None:
            error = _meant(raised, self.file, watch)
            if isinstance(error, self.passing) or _stays(error, self.file, watch):
                raise error from None
            raise failed(self.file, error, self.what, self.else_line, watch.seconds) from None


def _meant(raised: BaseException, file: str, watch: Watch) -> BaseException:
    """What the file itself has raised, if the clock has struck on the way from there to here."""
    end(watch)  # it may have struck before that was done
    late = isinstance(raised, OutOfTime) and not any(at == file for at, _ in _passed(raised))
    return raised.__context__ if late and raised.__context__ is not None else raised


def _check_time(watch: Watch) -> None:
    """A file that swallows the clock's strike, and comes back all the same, has had its time."""
    if watch.fired:
        raise OutOfTime


def careful(function: Callable[P, R], what: str) -> Callable[P, R]:
    """The function of a game file, called in that way."""
    code = getattr(function, "__code__", None)
    file, line = (code.co_filename, code.co_firstlineno) if code else ("?", 1)

    @wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        watch = begin(PATIENCE, file if code else "", what)
        try:
            try:
                found = function(*args, **kwargs)
                _check_time(watch)
            finally:
                end(watch)
        except BaseException as raised:
            error = _meant(raised, file, watch)
            if _stays(error, file, watch):
                raise error from None
            raise failed(file, error, what, line) from None
        return found

    return called
