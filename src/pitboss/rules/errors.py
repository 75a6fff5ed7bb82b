"""What a user did wrong, as one clear sentence: what was wrong and what is allowed."""

import linecache
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

_HERE = os.path.dirname(__file__)


class BadInput(ValueError):
    """Something a user gave cannot be taken. The message is the whole story; the command line exits with 2."""


class BadBet(BadInput):
    """A bet that is not taken: a sentence with `{}` for each wager, which has its name as one types it; who reads it at
    a table is told what it is `called` there."""

    def __init__(self, sentence: str, *wagers: str) -> None:
        super().__init__(sentence.format(*wagers))
        self.sentence, self.wagers = sentence, wagers

    def called(self, name: Callable[[str], str]) -> str:
        return self.sentence.format(*map(name, self.wagers))


class RuleError(BadInput):
    """A mistake in a game file: file, line, the source text and what to write instead."""


@dataclass(frozen=True)
class Site:
    """A line of a game file."""

    file: str
    line: int

    @property
    def source(self) -> str:
        return linecache.getline(self.file, self.line).strip()

    def error(self, message: str) -> RuleError:
        text = f"\n    {self.source}" if self.source else ""
        return RuleError(f"{os.path.basename(self.file)}, line {self.line}: {message}{text}")


@cache
def _is_here(file: str) -> bool:
    return file == "<string>" or os.path.dirname(file) == _HERE  # a dataclass is made by a string


def site() -> Site:
    """The innermost line outside the vocabulary: where the author wrote what is going on."""
    frame = sys._getframe(1)
    while frame.f_back is not None and _is_here(frame.f_code.co_filename):
        frame = frame.f_back
    return _at(frame.f_code.co_filename, frame.f_lineno)


@lru_cache(maxsize=4096)  # a live table comes by the same few lines all day
def _at(file: str, line: int) -> Site:
    return Site(file, line)


def said(value: object) -> str:
    """What somebody gave, as a message repeats it: never long, and never another error."""
    try:
        words = repr(value)
    except Exception:  # a number of more digits than Python writes
        words = f"a {type(value).__name__}"
    return words if len(words) <= 60 else f"{words[:50]}..."


def mapped(what: str, given: object, example: str) -> dict[str, Any]:
    """Values by their names, as somebody has written them in Python; nothing for None."""
    if given is None:
        return {}
    if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
        raise BadInput(f"{what} go by name, such as {example}, not {said(given)}")
    return dict(given)


def choice_of(value: object, allowed: object) -> str:
    """`x is not one of a, b or c`, for messages."""
    names = [str(a) for a in allowed] if isinstance(allowed, list | tuple | set | frozenset | dict) else [str(allowed)]
    listed = " or ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names) or "nothing"
    return f"{value} is not one of {listed}"
