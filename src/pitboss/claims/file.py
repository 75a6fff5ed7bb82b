"""A claims file: what a document says of a game, figure by figure, in TOML. Verdicts are never written there."""

import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path
from typing import Any

from pitboss.catalog import named
from pitboss.claims.figures import Figure
from pitboss.disk import read_whole
from pitboss.rules.errors import BadInput, choice_of
from pitboss.rules.game import Game
from pitboss.rules.house import House
from pitboss.rules.numbers import ratio
from pitboss.rules.watchdog import OutOfTime, time_limit

READING = 10  # seconds
MOST_BYTES = 4 << 20  # of a claims file; the longest that is shipped has 60,000
BOUNDS, ABOUT = ("at least", "at most"), "about"
RELATIONS = ("as printed", "exactly", *BOUNDS, ABOUT)
"""How a figure is meant: to its digits (the default), to the last way, as a bound, or within what `reads` allows."""

FOUND = ("usual", "may_be_read")  # of a claim: what is found, and not written in the file
LEVELS = ("95%", "99%")
OF_A_READING = (
    "measure", "means", "reads", "wager", "options", "tables", "strategy", "across", "rows", "choice", "holding",
    "row", "less", "bets", "cards", "rounds", "level",
)  # fmt: skip
"""What may differ from one reading of a claim to another."""

Settings = Mapping[str, Any]


class Mistake(BadInput):
    """A claim that says nothing, such as one without a measure or without what it needs: its author has to correct it.
    What is said of something that the game lacks, a wager or a row, is no mistake, and gets a verdict."""


@dataclass(frozen=True)
class Claim:
    """One figure of a document, or one statement that a computation can answer."""

    id: str
    says: str  # in our words
    where: str  # in the document
    game: str
    usual: House  # the game as the game file has it; a house, so that a claim can be sent to another process
    sha256: str = ""  # of the game file that the document is about
    printed: str = ""  # as printed; nothing where the document leaves it out
    means: str = "as printed"
    measure: str = "edge"
    wager: str = ""
    options: Settings = field(default_factory=dict)
    tables: Settings = field(default_factory=dict)
    strategy: str = "optimal"
    unstated: Settings = field(default_factory=dict)  # options the document is silent on -> "all", or values to try
    across: Settings = field(default_factory=dict)  # for lowest, highest and spread: options, pay tables, wagers
    rows: Settings = field(default_factory=dict)  # wager -> rows, for what comes up together
    choice: str = ""  # a choice of the player that goes with them
    holding: str = ""  # the ranks that he holds when he makes it, such as 2-4
    row: str = ""
    less: str = ""  # a row whose pay is taken off
    bets: Settings = field(default_factory=dict)
    cards: int = 0
    rounds: int = 0
    error: str = ""  # the standard error that the document states
    estimated: str = ""  # how the figure was found or rounded, where the document says
    error_from: Settings = field(default_factory=dict)  # claim -> how many times its error is in this figure
    finer: Settings = field(default_factory=dict)  # the same bet with more rows told apart, for the search of slips
    missing: str = ""  # what a computation would need
    word: str = ""  # the document's own word, where it says so without a figure: "most", "closely", "independent"
    reads: str = ""  # how that word is read here: as this figure, this bound, or this tolerance
    readings: Settings = field(default_factory=dict)  # where a text can be meant in several ways: name -> what differs
    against: str = ""  # the other place of the document that the computed figure is read off
    level: str = ""  # 95% or 99%: the half-width of an interval, not one standard error
    note: str = ""  # what else is to be known for the verdict to be fair
    may_be_read: bool = False  # found, not written: this is one of several readings

    @property
    def figure(self) -> Figure | None:
        """What the computed figure is compared with: the printed one, or the one by which a word is read."""
        text = self.printed or ("" if self.means == ABOUT else self.reads)
        return Figure.read(text) if text else None

    @property
    def stands(self) -> str:
        """How it stands in the document: the figure, with `at least` where it is a bound, or the word."""
        if not self.printed:
            return f"“{self.word}”" if self.word else ""
        return f"{self.means} {self.printed}" if self.means in BOUNDS else self.printed

    def read_as(self, name: str) -> "Claim":
        """The claim under one of its readings."""
        return replace(self, readings={}, may_be_read=True, **self.readings[name])


@dataclass(frozen=True)
class Document:
    """All claims of one document."""

    name: str
    path: Path
    claims: tuple[Claim, ...]

    def files(self) -> list[dict[str, str]]:
        """Which game files were judged: the `game`, its `file` (or that it is shipped) and the hash of its text."""
        games = dict.fromkeys(claim.usual for claim in self.claims)
        return [h.provenance().file_told() for h in games]


def shipped_claims() -> list[Path]:
    """The claims files that come with pitboss: beside the code in a work tree, inside the package when installed."""
    here = Path(__file__).parent
    folder = next((f for f in (here / "documents", here.parents[2] / "claims") if f.is_dir()), here)
    return sorted(folder.glob("*.toml"))


def claims_named(which: str) -> Path:
    """A claims file by its path; one that is shipped also by its own name, or by the game that it is about."""
    shipped = {path.stem: path for path in shipped_claims()}
    games = {tomllib.loads(path.read_text("utf-8"))["game"]: path for path in shipped.values()}
    names = {**games, **shipped}
    if which in names:
        return names[which]
    if os.path.exists(which) or any(sign in which for sign in (os.sep, ".", "\0")):
        return Path(which)
    close = get_close_matches(which[:80].lower(), names, 1, 0.5)
    meant = f"did you mean {close[0]}? There" if close else "there"
    raise BadInput(
        f"there are no claims about {which[:80]!r}; {meant} are {', '.join(sorted(names))}, or name a file such as "
        "mine.toml"
    )


def claims_about(game: Game) -> tuple[Path, ...]:
    """The claims files that go with a game: of a shipped one those that are shipped, of one of the user's own the file
    of the same name beside it."""
    if game.reference() == game.name:
        return tuple(p for p in shipped_claims() if tomllib.loads(p.read_text("utf-8"))["game"] == game.name)
    beside = game.file.with_suffix(".toml")
    return (beside,) if beside.is_file() else ()


def read_claims(path: Path, games: Sequence[Game] = ()) -> Document:
    """One clear sentence when the file is not a claims file. It may name a shipped game, or one of these `games`: a
    claims file is data, and no file is run because it says so."""
    try:
        with time_limit(READING):
            data = tomllib.loads(read_whole(path, MOST_BYTES).decode("utf-8").replace("\r\n", "\n"))
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} is not TOML: {error}") from None
    except OutOfTime:
        raise BadInput(f"{path} is not a claims file: it cannot be read in {READING} seconds") from None
    except (RecursionError, ValueError) as error:  # brackets without end, numbers of thousands of digits
        raise BadInput(f"{path} is not a claims file: {error}") from None
    claims = data.get("claim")
    if not isinstance(claims, list) or not claims:
        raise BadInput(f"{path} holds no claims; write each as [[claim]] with an id, says, where, printed and wager")
    known = {"document", "game", "sha256", "claim", "about"}
    if unknown := [key for key in data if key not in known]:
        raise BadInput(f"{path}: {choice_of(unknown[0], sorted(known))}")
    found = [_claim(path, number, raw, data, games) for number, raw in enumerate(claims, 1)]
    ids = [c.id for c in found]
    if twice := [i for i in ids if ids.count(i) > 1]:
        raise BadInput(f"{path}: the claim {twice[0]} stands there twice; every figure has an id of its own")
    inherited = [_inherits(claim, found, f"{path}: claim {claim.id}") for claim in found]
    return Document(_one_line(str(data.get("document", path.stem))), path, tuple(inherited))


def _inherits(claim: Claim, others: Sequence[Claim], name: str) -> Claim:
    """A figure that is made of simulated ones has their errors in it, as often as it uses them."""
    if not claim.error_from:
        return claim
    stated = {other.id: Figure.read(other.error) for other in others if other.error}
    total, unit = Fraction(0), ""
    for other, times in claim.error_from.items():
        if other not in stated:
            raise BadInput(f"{name}: error_from {choice_of(other, list(stated))}, the claims with a stated error")
        total += ratio(f"error_from {other}", times) * stated[other].value
        unit = stated[other].sign
    made = replace(claim, error=Figure.written(total, unit))
    _check(replace(made, error_from={}), name)
    return made


def _one_line(text: str) -> str:
    """A text may be written in several lines, and is read as one: none of it can look like a verdict of ours."""
    return " ".join(text.split())


def _claim(path: Path, number: int, raw: Any, data: Mapping[str, Any], games: Sequence[Game]) -> Claim:
    if not isinstance(raw, dict):
        raise BadInput(f"{path}: claim {number} is not a table; write [[claim]]")
    name = f"{path}: claim {raw.get('id', number)}"
    kinds = {f.name: f.type for f in fields(Claim) if f.name not in FOUND}
    whole = {key: data[key] for key in ("game", "sha256") if key in data and "game" not in raw}
    given = {"game": None, **whole, **raw}
    for key, value in given.items():
        if key not in kinds:
            raise BadInput(f"{name}: {choice_of(key, list(kinds))}")
        wanted = {Settings: dict, str: str, int: int}[kinds[key]]  # type: ignore[index]
        if key == "game" and value is None:
            raise BadInput(f"{name} names no game; write game = ... once at the top of the file, or in the claim")
        if not isinstance(value, wanted):
            shape = {dict: "a table such as { decks = 6 }", str: "text in quotes", int: "a whole number"}[wanted]
            raise BadInput(f"{name}: {key} is {shape}, not {value!r}")
    for key in ("id", "says", "where"):
        given[key] = _one_line(given.get(key) or "")
        if not given[key]:
            raise BadInput(
                f"{name} has no {key}; a claim needs id, says, where, and what it measures (see docs/verify.md)"
            )
    for key in ("word", "note", "against"):
        given[key] = _one_line(given.get(key, ""))
    claim = Claim(**given, usual=_game(path, given, games).at())
    for each in [claim, *_readings(claim, name)]:
        _check(each, name)
    return claim


def _readings(claim: Claim, name: str) -> list[Claim]:
    """The claim under each of its readings; they say what is measured, and nothing of what is printed."""
    for reading, differs in claim.readings.items():
        if reading != _one_line(reading):
            raise BadInput(f"{name}: the name of a reading is one line of words, not {reading!r}")
        if not isinstance(differs, dict):
            raise BadInput(f"{name}: the reading {reading!r} is a table of what differs, such as {{ level = '99%' }}")
        for key, value in differs.items():
            if key not in OF_A_READING:
                raise BadInput(f"{name}: in the reading {reading!r}, {choice_of(key, OF_A_READING)}")
            if not isinstance(value, type(getattr(claim, key))):
                raise BadInput(f"{name}: in the reading {reading!r}, {key} cannot be {value!r}")
    return [claim.read_as(reading) for reading in claim.readings]


def _check(claim: Claim, name: str) -> None:
    """What fits together and what does not."""
    if claim.means not in RELATIONS:
        raise BadInput(f"{name}: means {choice_of(claim.means, RELATIONS)}")
    for text in (claim.printed, claim.error, claim.reads):
        try:
            if text:
                Figure.read(text)
        except BadInput as wrong:
            raise BadInput(f"{name}: {wrong}") from None
    if claim.reads and not claim.word:
        raise BadInput(f"{name}: reads says how a word of the document is read; name it, such as word = 'most'")
    if claim.means == ABOUT and not (claim.printed and claim.reads):
        raise BadInput(f"{name}: about needs a printed figure and, as reads, how far off is still about, such as 0.1%")
    if claim.level and claim.level not in LEVELS:
        raise BadInput(f"{name}: level {choice_of(claim.level, LEVELS)}")
    if claim.error and claim.error_from:
        raise BadInput(f"{name}: error is stated, or comes from other claims with error_from; leave one of them out")
    if claim.error:
        error, figure = Figure.read(claim.error), claim.figure
        if error.value <= 0 or figure is None or error.sign != figure.sign:
            raise BadInput(
                f"{name}: error is the printed standard error, above 0 and in the unit of the figure, such as 0.004%"
            )
    if claim.rounds < 0 or claim.cards < 0:
        raise BadInput(f"{name}: rounds and cards are above 0")
    if both := [option for option in claim.unstated if option in claim.options]:
        raise BadInput(f"{name}: {both[0]} is both stated and unstated; leave it out of one")
    for key, value in claim.finer.items():
        if key not in ("options", "tables") or not isinstance(value, dict):
            raise BadInput(f"{name}: finer has options and tables, such as {{ tables = {{ bonus = '500,500' }} }}")
    if empty := [wager for wager, rows in claim.rows.items() if rows == []]:
        raise BadInput(f"{name}: rows names no row of {empty[0]}")


def _game(path: Path, given: Mapping[str, Any], games: Sequence[Game]) -> Game:
    """The game of a claim. Where the file says which text of it was meant, no other will do."""
    game = named(given["game"], games, str(path))
    if given.get("sha256", game.sha256) != game.sha256:
        raise BadInput(
            f"{path} is about another file of {game.name}, with sha256 {given['sha256'][:80]!r}; {game.file.name} here "
            f"has {game.sha256}"
        )
    return game


def as_list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else [value]
