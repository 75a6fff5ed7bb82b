"""One case of the attack, and how it came out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

GOOD_ENDS = ("ok", "refused", "verdict", "stopped")
BAD_ENDS = ("traceback", "hang", "nonsense", "executed", "unclear")
WITNESS = "witness"
"""The file that planted code writes: where it is found, data has been run."""

FOLDER, PIPE, UNREADABLE = "a folder", "a pipe", "unreadable"


@dataclass(frozen=True)
class Ended:
    """What is known of a case that has been run."""

    code: int
    seconds: float
    hang: bool
    memory: int  # MB
    out: bytes
    err: bytes
    folder: Path  # as the case has left it


Judge = Callable[[Ended], str]


@dataclass(frozen=True)
class Case:
    """An argument list with the files, the environment and the streams that it is run with."""

    kind: str
    number: int
    words: tuple[tuple[str, ...], ...]  # the command, then what belongs together and can be left out together
    files: Mapping[str, bytes] = field(default_factory=dict)
    special: Mapping[str, str] = field(default_factory=dict)  # names that are no plain files; "-> x" is a link to x
    env: Mapping[str, str | None] = field(default_factory=dict)  # on top of the usual; None takes one away
    stdin: bytes | None = b""  # None: closed
    stdout: str = "file"  # or "closed", or a path
    interrupt: float | None = None  # long work that a user would stop after so many seconds
    cold: bool = False  # in a fresh interpreter rather than a fork of a warm one
    nonsense: str = ""  # why exit code 0 would be wrong
    judge: Judge | None = None  # says what is wrong with an ending that looks right

    @property
    def argv(self) -> list[str]:
        return [word for group in self.words for word in group]

    @property
    def size(self) -> int:
        return sum(map(len, self.argv)) + sum(map(len, self.files.values())) + 20 * len(self.env)


@dataclass(frozen=True)
class Verdict:
    """How a case is judged: a word, and the cause where it is a failure. Two failures of one cause are one line."""

    word: str
    cause: str = ""

    @property
    def bad(self) -> bool:
        return self.word in BAD_ENDS
