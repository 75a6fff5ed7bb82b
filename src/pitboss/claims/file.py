"""A claims file: what a document says of a game, figure by figure, in TOML. Verdicts are never written there."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from pitboss.catalog import named
from pitboss.claims.figures import Figure
from pitboss.disk import read_whole
from pitboss.rules.errors import BadInput, choice_of
from pitboss.rules.game import Game
from pitboss.rules.house import House
from pitboss.rules.watchdog import OutOfTime, time_limit

READING = 10  # seconds
MOST_BYTES = 4 << 20  # of a claims file; the longest that is shipped has 60,000
RELATIONS = ("as printed", "exactly", "at least", "at most", "about")
"""How a figure is meant: to its digits (the default), to the last way, as a bound, or as a likeness to another one."""

Settings = Mapping[str, Any]


class Mistake(BadInput):
    """A claim that says something which is not there, such as a wager or a row: its author has to correct it. What is
    well said but cannot be computed is no mistake, and gets a verdict."""


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
    row: str = ""
    less: str = ""  # a row whose pay is taken off
    bets: Settings = field(default_factory=dict)
    cards: int = 0
    rounds: int = 0
    error: str = ""  # the standard error that the document states
    estimated: str = ""  # how the figure was found or rounded, where the document says
    finer: Settings = field(default_factory=dict)  # the same bet with more rows told apart, for the search of slips
    missing: str = ""  # what a computation would need

    @property
    def figure(self) -> Figure | None:
        return Figure.read(self.printed) if self.printed else None


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
    return Document(_one_line(str(data.get("document", path.stem))), path, tuple(found))


def _one_line(text: str) -> str:
    """A text may be written in several lines, and is read as one: none of it can look like a verdict of ours."""
    return " ".join(text.split())


def _claim(path: Path, number: int, raw: Any, data: Mapping[str, Any], games: Sequence[Game]) -> Claim:
    if not isinstance(raw, dict):
        raise BadInput(f"{path}: claim {number} is not a table; write [[claim]]")
    name = f"{path}: claim {raw.get('id', number)}"
    kinds = {f.name: f.type for f in fields(Claim) if f.name != "usual"}
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
    claim = Claim(**given, usual=_game(path, given, games).at())
    if claim.means not in RELATIONS:
        raise BadInput(f"{name}: means {choice_of(claim.means, RELATIONS)}")
    for text in (claim.printed, claim.error):
        try:
            if text:
                Figure.read(text)
        except BadInput as error:
            raise BadInput(f"{name}: {error}") from None
    _check(claim, name)
    return claim


def _check(claim: Claim, name: str) -> None:
    """What fits together and what does not."""
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
