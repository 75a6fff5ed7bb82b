"""A drill: the dealer's part of one round after the other. It says what the table shows, takes a move in words, and
marks it. Whatever was done, the drill goes on as if it had been right, so the money on the table always is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pitboss.live import Round, View
from pitboss.rules.called import place_called, wager_called
from pitboss.rules.errors import BadInput, said
from pitboss.rules.house import House
from pitboss.rules.paytables import money
from pitboss.rules.steps import Step
from pitboss.rules.trace import trace
from pitboss.train import words
from pitboss.train.company import Dealt, Decides, rounds
from pitboss.train.dues import COMPARE, DEAL, PAY, POT, SAY, STOP, TURN, WAGER, Due, dues_of, turned_from
from pitboss.train.marks import RIGHT, SLIP, UNCLEAR, Mark, Wrong, judged, kind_of
from pitboss.train.moves import NEXT, Move, moves_of, which_seat
from pitboss.train.score import ORDER, Score, Slip
from pitboss.train.sheet import Steps
from pitboss.train.sight import dealers_view

SETTLE = "settle"
USUAL_SEATS = 3
LEVELS = (SETTLE,)
"""Of a drill of less than whole rounds: what is left to the dealer."""


@dataclass(frozen=True)
class Question:
    """What lies before the dealer: he is to say what he does next."""

    round: int
    told: tuple[str, ...]  # what the players have done since his last move
    view: View
    hint: str  # what is due, without how it comes out
    seat: int = 0  # the seat that it is about, if it is about one

    def __repr__(self) -> str:
        return " ".join([f"Round {self.round}.", *self.told, self.hint])


class Drill:
    """The dealer's part at a table of computer players; `asks` is what he sees, `do` takes his move and marks it:

        drill = Drill(house, seats=3, seed=7)
        drill.asks
        drill.do("pay ante 15")
        drill.score

    With `only="settle"` the cards are dealt and turned for him. It ends after so many `rounds`, or never. `always` is a
    wager that every player bets. The same seed gives the same drill, as long as the same one `decides` for the players.
    """

    def __init__(
        self, house: House, seats: int = 3, seed: int = 1, *, only: str | None = None, limit: int | None = None,
        always: str | None = None, decides: Decides | None = None,
    ) -> None:  # fmt: skip
        house.check_seats(seats, trace(house).most_cards(seats))
        if only is not None and only not in LEVELS:
            raise BadInput(f"only={said(only)}: a drill is of whole rounds, or of {SETTLE!r} only")
        if limit is not None and limit < 1:
            raise BadInput(f"a drill has at least 1 round, not {limit}")
        self.house, self.seats, self.seed, self.only, self.limit = house, seats, seed, only, limit
        self.steps = Steps(house)
        self.score = Score()
        self.number = 0  # of the round
        self._rounds: Iterator[Dealt] = rounds(house, seats, seed, decides, always)
        self._dealt: Dealt | None = None
        self._dues: tuple[Due, ...] = ()
        self._at = 0
        self._turned: dict[int, int] = {}
        self._advance()

    # ---- what is asked

    @property
    def over(self) -> bool:
        return self._at >= len(self._dues)

    @property
    def asks(self) -> Question | None:
        """What the dealer sees; None when the drill is over."""
        if self._dealt is None or self.over:
            return None
        due = self._dues[self._at]
        shown = [seat for seat, place in self._turned.items() if place < max(due.upto, due.at)]
        view = dealers_view(self._dealt, due.at, shown)
        return Question(self.number, due.told, view, self._hint(due), due.seat)

    @property
    def round(self) -> Round:
        """The round that is dealt, as it comes out: what moves are held against."""
        assert self._dealt is not None
        return self._dealt.round

    @property
    def step(self) -> Step | None:
        """The numbered step of the dealer's sheet that is due."""
        if self._dealt is None or self.over:
            return None
        events, after = self._dealt.round.events, 0
        for due in self._dues[: self._at + 1]:
            found = self.steps.of(due, events, after)
            after = found.number if found is not None else after
        return found

    @property
    def table(self) -> House:
        """The house as the round found it: with its meters where they stand."""
        return self.house if self._dealt is None else self._dealt.round.house

    def _hint(self, due: Due) -> str:
        if due.kind == WAGER:
            return f"Settle seat {due.seat}: {words.wager(self.house, due.wager, due.toke)} ${money(due.stake)}."
        if due.kind == COMPARE:
            return f"Compare seat {due.seat}'s hand with the best so far: high, equal or beaten."
        if due.kind == POT:
            return f"Award the {wager_called(self.house, due.wager)} of ${money(due.stake)}."
        if due.kind == STOP or due.drawn:
            return f"Draw a card for the {place_called(self.house, due.place)}, or stop."
        return words.sentence(due.right)

    # ---- what is done

    def do(self, line: str) -> Mark:
        """Mark a move, or several that commas part. What cannot be read changes nothing and is not counted."""
        if not isinstance(line, str):
            raise BadInput(f"a move is a text, such as 'pay ante 15', not {said(line)}")
        try:
            if self.over:
                raise BadInput("the drill is over; look at its score")
            moves = moves_of(self.house, self.seats, line, sorted(self._pots))
            self._check(moves)
        except BadInput as error:
            return Mark(UNCLEAR, (words.sentence(str(error)),))
        before = len(self.score.slips)
        told = [text for move in moves for text in self._all(move)]
        slips = self.score.slips[before:]
        return Mark(SLIP if slips else RIGHT, tuple(told), slips)

    @property
    def _pots(self) -> frozenset[str]:
        return frozenset() if self._dealt is None else self._dealt.round.pots

    def _check(self, moves: Sequence[Move]) -> None:
        """`next` is for what has no key of its own: it gives nothing away, and costs nothing. A pot goes to a seat."""
        due = self._dues[self._at]
        if due.kind == POT and (moves[0].verb, moves[0].wager, moves[0].seat) == (PAY, None, None):
            raise which_seat(due.wager)
        if moves[0].verb == NEXT and due.kind not in (SAY, STOP):
            raise BadInput("cards or chips are to be moved here; next is for what is only said or laid aside")

    def _all(self, move: Move) -> list[str]:
        """A move; one that is for all bets of a seat, once for each that comes next."""
        if self.over:
            return []
        number, seat, out = self.number, self._dues[self._at].seat, self._one(move)
        while move.every and not self.over and self.number == number:
            due = self._dues[self._at]
            if due.kind != WAGER or due.seat != seat:
                break
            out += self._one(replace(move, seat=None, wager=None))
        return out

    def _one(self, move: Move) -> list[str]:
        due = self._meant(move)
        wrong = judged(self.house, due, move, self._dues[self._at + 1 :])
        told = [self._marked(due, move, wrong)]
        stopped = due.kind == STOP and wrong is None and move.verb not in (STOP, NEXT)
        self._at += 1
        if self._at >= len(self._dues):
            self.score = replace(self.score, rounds=self.score.rounds + 1)
            self._advance()
        return [*told, *self._one(move)] if stopped and not self.over else told  # what was typed is the move after

    def _meant(self, move: Move) -> Due:
        """What is due; of players who share a pot, the one who is named."""
        due = self._dues[self._at]
        if due.kind == POT and move.seat != due.seat:
            for place in range(self._at + 1, len(self._dues)):
                other = self._dues[place]
                if (other.kind, other.wager) != (POT, due.wager):
                    break
                if other.seat == move.seat:
                    order = list(self._dues)
                    order[self._at], order[place] = order[place], order[self._at]
                    self._dues = tuple(order)
                    return other
        return due

    def _marked(self, due: Due, move: Move, wrong: Wrong | None) -> str:
        kinds = [ORDER] if wrong is not None and wrong.kind == ORDER else [ORDER, kind_of(due)]
        marks = {
            kind: (right + (kind in kinds and (wrong is None or wrong.kind != kind)), of + (kind in kinds))
            for kind, (right, of) in self.score.marks.items()
        }
        slips = self.score.slips
        if wrong is not None:
            slip = Slip(
                self.number, wrong.kind, wrong.name, " ".join(move.text.split()), due.right, due.why,
                wrong.to_players, wrong.between,
            )  # fmt: skip
            slips = (*slips, slip)
        self.score = replace(self.score, moves=self.score.moves + 1, marks=marks, slips=slips)
        if wrong is None:
            return words.sentence(f"Right. {due.right}") if due.settles or due.kind in (DEAL, TURN, STOP) else "Right."
        return f"Slip: {wrong.name}. {words.sentence(due.right)}{f' {due.why}' if due.why else ''}"

    def _advance(self) -> None:
        """The next round that has something to do; none, when there were enough."""
        self._dues, self._at = (), 0
        while not self._dues and (self.limit is None or self.number < self.limit):
            self._dealt = next(self._rounds)
            self.number = self._dealt.number
            self._dues = dues_of(self._dealt, self.only == SETTLE)
            self._turned = turned_from(self._dealt)
