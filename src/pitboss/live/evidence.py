"""What a log proves: its chain is whole, its rounds settle as they did, and its cards came from its shoe.

Nothing that stands in a log is run. It names a game; whoever asks says what game that is (`games`), and its file must
be the one that was played.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, BinaryIO

from pitboss.cards import BadCard, card_name, cards_of
from pitboss.ledger.shown import Shown
from pitboss.live.chain import START, Chain, Entry, lines_of, plain_json
from pitboss.live.events import Event
from pitboss.live.journal import FORMAT, MOVING
from pitboss.live.live import Round
from pitboss.live.log import house_of, played_again
from pitboss.live.meters import Meters
from pitboss.rules.errors import BadInput
from pitboss.rules.game import Game
from pitboss.rules.house import House
from pitboss.rules.paytables import money
from pitboss.version import __version__

Games = Callable[[str], Game]
AMOUNT = re.compile(r"\d{1,15}(/[1-9]\d{0,14})?", re.ASCII)  # dollars, as a log has them


@dataclass(frozen=True)
class Proved:
    """One round of a log, played again."""

    round: int
    game: str
    settled: tuple[Event, ...]
    left: tuple[Event, ...] = ()  # who left it, and what he forfeited

    def json(self) -> dict[str, Any]:
        return {"round": self.round, "game": self.game, "settled": list(self.settled), "left": list(self.left)}


@dataclass(frozen=True)
class Evidence(Shown):
    """A log, checked from its first line to its last."""

    rounds: tuple[Proved, ...]
    sessions: int
    chained: bool  # whether lines are held together by their hashes
    seal: str  # the hash of the last line; nothing where they are not
    versions: tuple[str, ...]  # of pitboss, by which it was written
    games: tuple[tuple[str, str], ...]  # game, hash of its file
    missing: tuple[str, ...]  # rounds that were never closed, and torn lines
    notes: tuple[str, ...]

    TABLE = "rounds"

    @property
    def whole(self) -> bool:
        """Whether nothing is missing."""
        return not self.missing

    def json(self) -> dict[str, Any]:
        return {
            "rounds": [r.json() for r in self.rounds],
            "sessions": self.sessions,
            "chain": "whole" if self.chained else "none",
            "sha256": self.seal or None,
            "versions": list(self.versions),
            "games": [{"game": game, "game_file_sha256": sha256} for game, sha256 in self.games],
            "missing": list(self.missing),
            "notes": list(self.notes),
        }


def evidence(path: Path, games: Games) -> Evidence:
    """Every round of a log, played again; one clear sentence where the log does not hold."""
    try:
        if path.exists() and not path.is_file():
            raise BadInput(f"{path} is not a file")
        with path.open("rb") as file:
            first = next(lines_of(file, path), b"")
            file.seek(0)
            found = _Unchained(path, games) if _is_round(first) else _Chained(path, games)
            found.read(file)
    except (OSError, ValueError) as error:
        if isinstance(error, BadInput):
            raise
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise BadInput(f"{path} cannot be read: {why}") from None
    return found.record()


def _is_round(line: bytes) -> bool:
    """Whether a line is a round by itself, as pitboss wrote logs before they had a chain, and writes to programs."""
    try:
        entry = plain_json(line)
    except ValueError:
        return False
    return isinstance(entry, dict) and "line" not in entry and {"game", "events"} <= set(entry)


class _Reader:
    """What both kinds of log have in common: games that must be those that were played, and rounds that must settle."""

    chained = False

    def __init__(self, path: Path, games: Games) -> None:
        self.path, self._games, self.chain = path, games, Chain(path)
        self.rounds: list[Proved] = []
        self.sessions = 0
        self.missing: list[str] = []
        self.notes: list[str] = []
        self._opened = 0
        self._known: dict[str, Game] = {}
        self._versions: dict[str, None] = {}

    def record(self) -> Evidence:
        if not self._opened:
            raise BadInput(f"{self.path} holds no round: there is nothing to play again")
        other = [version for version in self._versions if version != __version__]
        if other:
            self.notes.append(f"written by pitboss {', '.join(other)}, and played again by pitboss {__version__}")
        games = tuple((name, game.sha256) for name, game in self._known.items())
        seal = self.chain.last if self.chained else ""
        return Evidence(
            tuple(self.rounds), self.sessions, self.chained, seal, tuple(self._versions), games, tuple(self.missing),
            tuple(self.notes),
        )  # fmt: skip

    def _house(self, entry: Entry) -> House:
        """The house of a header. Rules are what the game file says, so that must be the one that was played."""
        name, version, sha256 = (_text(entry, key) for key in ("game", "version", "game_file_sha256"))
        if name not in self._known:
            self._known[name] = self._games(name)
        game = self._known[name]
        if game.sha256 != sha256:
            raise BadInput(
                f"{name} was played by another game file than {game.file.name} here: its sha256 was {sha256!r} and is "
                f"{game.sha256!r}; a shipped one is replayed by the pitboss that wrote the log, {version!r}"
            )
        self._versions[version] = None
        return house_of(game, entry)

    def _prove(self, house: House, log: Mapping[str, Any]) -> Round:
        """The round of a log, to its end and with no card that it did not deal."""
        again = played_again(house, log)
        if again.turn is not None:
            raise BadInput(f"the round is not over: seat {again.turn.seat} has not decided")
        if len(again.shoe) != again.used:
            raise BadInput(f"the round deals {again.used} cards, and the log has {len(again.shoe)}")
        self.rounds.append(
            Proved(
                self._opened, house.game.name,
                tuple(e for e in again.events if e["event"] == "settle"),
                tuple(e for e in again.events if e["event"] == "leave"),
            )
        )  # fmt: skip
        return again


class _Unchained(_Reader):
    """Rounds one by one. Each is held against the rules and a full shoe, and none against the others."""

    def read(self, file: BinaryIO) -> None:
        self.notes.append(
            "its lines are not chained: it does not show whether a round was changed, left out or made up"
        )
        for raw in lines_of(file, self.path):
            self._opened += 1
            try:
                entry = plain_json(raw)
                if not isinstance(entry, dict):
                    raise ValueError
            except ValueError:
                raise BadInput(
                    f"{self.path}, line {self._opened}: is not a round in JSON as pitboss writes it"
                ) from None
            try:
                house = self._house(entry)
                fit(house, (), self._prove(house, entry).shoe)
            except BadInput as error:
                raise BadInput(f"{self.path}, line {self._opened}: {error}") from None


class _Chained(_Reader):
    """Sessions, and in each of them rounds from one shoe after another."""

    chained = True

    def __init__(self, path: Path, games: Games) -> None:
        super().__init__(path, games)
        self._house_now: House | None = None
        self._shuffle = 0  # which shoe of the session
        self._gone: list[int] = []  # what has left it
        self._carried: dict[int, dict[str, int]] = {}
        self._open: Entry | None = None
        self._meters: Meters | None = None  # None: they stay where they are, as in earlier logs

    def read(self, file: BinaryIO) -> None:
        for entry in self.chain.entries(file):
            try:
                {"session": self._session, "open": self._opens, "close": self._closes}[entry["line"]](entry)
            except BadInput as error:
                raise self.chain.wrong(str(error)) from None
        if self.chain.last == START and not self.chain.torn:
            raise BadInput(f"{self.path} is empty: there is no round in it")
        self._never_closed()
        if self.chain.torn:
            self.missing.append(
                f"line {self.chain.number} is torn after {len(self.chain.torn)} bytes: it was never written to its end"
            )

    # ---- the three kinds of lines

    def _session(self, entry: Entry) -> None:
        self._never_closed()
        if entry.get("format") not in (FORMAT, MOVING):
            raise BadInput(f"its format is {str(entry.get('format'))[:20]!r}, and this pitboss reads format 1 and 2")
        if "torn" in entry:
            self.missing.append(f"line {self.chain.number - 1} is torn; a new session went on behind it")
        self.sessions += 1
        self._house_now = self._house(entry)
        self._meters = Meters(self._house_now) if entry["format"] == MOVING else None
        if not _whole(entry.get("shuffle")):
            raise BadInput("it does not say how often the shoe has been shuffled")
        self._shuffle, self._carried = entry["shuffle"], {}
        self._gone = _cards(entry.get("gone", []))
        fit(self._house_now, (), self._gone)

    def _opens(self, entry: Entry) -> None:
        self._never_closed()
        if self._house_now is None:
            raise BadInput("a round is opened, and no session has begun")
        if entry.get("round") != self._opened + 1:
            raise BadInput(f"it opens round {str(entry.get('round'))[:20]}, and the next one is {self._opened + 1}")
        self._opened += 1
        shoe, seats = entry.get("shoe"), entry.get("seats")
        if not isinstance(shoe, dict) or not all(_whole(shoe.get(key)) for key in ("shuffle", "dealt")):
            raise BadInput("it does not say how far the shoe is dealt")
        if not isinstance(seats, list) or not all(s is None or isinstance(s, dict) for s in seats):
            raise BadInput("it does not say who plays")
        if shoe["shuffle"] < self._shuffle:
            raise BadInput("the shoe is one that was dealt before")
        if shoe["shuffle"] > self._shuffle:
            self._gone = []
        self._shuffle = shoe["shuffle"]
        if shoe["dealt"] != min(len(self._gone), sum(self._house_now.composition)):
            raise BadInput(
                f"{shoe['dealt']} cards have left the shoe, it says, and the log has dealt {len(self._gone)}"
            )
        self._check_carried(seats)
        bets = {number: _bets(seat) for number, seat in enumerate(seats, 1) if seat is not None}
        self._bet = ", ".join(f"seat {number} had {bet}" for number, bet in bets.items()) or "nobody had bet"
        self._open = entry

    def _closes(self, entry: Entry) -> None:
        if self._open is None or self._house_now is None or entry.get("round") != self._open["round"]:
            raise BadInput(f"it closes round {str(entry.get('round'))[:20]}, which is not open")
        log = {key: value for key, value in entry.items() if key != "seats"} | {"seats": self._open["seats"]}
        again = self._prove(self._played_at(self._house_now), log)
        if self._meters is not None:
            self._meters.settled(again.events)
        fit(self._house_now, self._gone, again.shoe)
        self._gone += again.shoe
        for seat in again.playing if not again.abandoned else ():
            if seat in again.record.gone:
                self._carried.pop(seat, None)
            else:
                self._carried.setdefault(seat, {}).update(again.carried(seat))
        self._open = None

    def _played_at(self, house: House) -> House:
        """The house with its meters as they were when the bets were down."""
        assert self._open is not None
        if self._meters is None:
            return house
        return self._meters.bet(seat["bets"] for seat in self._open["seats"] if seat is not None)

    def _check_carried(self, seats: Sequence[Mapping[str, Any] | None]) -> None:
        """What a seat carries over comes from its round before; who has just sat down carries nothing."""
        for number, seat in enumerate(seats, 1):
            if seat is None:
                self._carried.pop(number, None)
            elif seat.get("carried") and seat["carried"] != self._carried.get(number):
                raise BadInput(f"seat {number} carries over what its last round did not give it")
            elif not seat.get("carried"):
                self._carried.pop(number, None)

    def _never_closed(self) -> None:
        if self._open is not None:
            self.missing.append(f"round {self._opened} was opened and never closed: {self._bet}")
            self._open = None


def fit(house: House, gone: Sequence[int], cards: Sequence[int]) -> None:
    """Whether these cards can come from a shoe that others have left. A round that the shoe is too short for is
    finished with those others, shuffled."""
    left = max(sum(house.composition) - len(gone), 0)
    for name, dealt, held in (
        ("shoe", Counter([*gone, *cards[:left]]), Counter(dict(enumerate(house.composition)))),
        ("discards", Counter(cards[left:]), Counter(gone)),
    ):
        if (many := next((card for card, times in dealt.items() if times > held[card]), None)) is not None:
            raise BadInput(
                f"{card_name(many)} is dealt {dealt[many]} times, and the {name} it comes from holds {held[many]}"
            )


def _cards(names: Any) -> list[int]:
    try:
        return list(cards_of(list(names)))
    except (TypeError, AttributeError, BadCard):
        raise BadInput("what has left the shoe is not a list of cards") from None


def _bets(seat: Mapping[str, Any]) -> str:
    """The bets with which a seat begins, in words."""
    bets, tokes = seat.get("bets"), seat.get("tokes", {})
    if not isinstance(bets, dict) or not isinstance(tokes, dict) or len(bets) + len(tokes) > 100:
        raise BadInput("a seat has no bets by wager")
    pairs = [(*bet, "") for bet in bets.items()] + [(*toke, " for the dealer") for toke in tokes.items()]
    if bad := [amount for _, amount, _ in pairs if not isinstance(amount, str) or not AMOUNT.fullmatch(amount)]:
        raise BadInput(f"{str(bad[0])[:20]!r} is not a bet in dollars")
    return " and ".join(f"{name[:40]} ${money(Fraction(amount))}{whose}" for name, amount, whose in pairs) or "no bet"


def _text(entry: Entry, key: str) -> str:
    found = entry.get(key)
    if not isinstance(found, str) or not found.isprintable() or len(found) > 200:
        raise BadInput(f"its {key} is missing, or not a short text")
    return found


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 60
