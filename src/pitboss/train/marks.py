"""A move held against what is due: right, or a slip with its name."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pitboss.rules.called import wager_called
from pitboss.rules.graph import PLAYER
from pitboss.rules.house import House
from pitboss.train.dues import (
    BURN,
    COMPARE,
    DEAL,
    PAY,
    POT,
    PUSH,
    SAY,
    SHUFFLE,
    STOP,
    TAKE,
    TURN,
    WAGER,
    Due,
)
from pitboss.train.moves import MONEY, NEXT, STANDINGS, Move
from pitboss.train.score import AMOUNTS, CARDS, ORDER, Slip

RIGHT, SLIP, UNCLEAR = "right", "slip", "unclear"
_DONE = {TAKE: "took", PAY: "paid", PUSH: "pushed"}
_IS = {TAKE: "a loser", PAY: "a winner", PUSH: "a push"}


@dataclass(frozen=True)
class Mark:
    """What came of a line: right, a slip, or unclear, which changes nothing and is not counted."""

    outcome: str
    said: tuple[str, ...]  # a sentence for each move, and for each slip what is right and why
    slips: tuple[Slip, ...] = ()

    @property
    def right(self) -> bool:
        return self.outcome == RIGHT

    def __repr__(self) -> str:
        return " ".join(self.said)


@dataclass(frozen=True)
class Wrong:
    """What is wrong with a move."""

    kind: str
    name: str
    to_players: Fraction = Fraction(0)
    between: Fraction = Fraction(0)


def kind_of(due: Due) -> str:
    """What besides its order a thing is marked by; nothing for what is only said or done in its place."""
    if due.kind in (WAGER, POT):
        return AMOUNTS
    return CARDS if due.kind in (DEAL, STOP, TURN, BURN, COMPARE) else ""


def judged(house: House, due: Due, move: Move, rest: Sequence[Due] = ()) -> Wrong | None:
    """What is wrong with a move, if anything; `rest` is what is due in the round after that."""
    return _JUDGES[due.kind](house, due, move, rest)


def _out_of_order(move: Move) -> Wrong:
    """Something else was to be done first."""
    what = "chips " if move.verb in MONEY else "cards " if move.verb in (DEAL, TURN, BURN, STOP, *STANDINGS) else ""
    return Wrong(ORDER, f"{what}out of order")


# ---- chips


def _wager(house: House, due: Due, move: Move, rest: Sequence[Due]) -> Wrong | None:
    if move.verb not in MONEY:
        return _out_of_order(move)
    if move.seat is not None and move.seat != due.seat:
        return Wrong(ORDER, "wrong seat")
    if (move.wager is not None and move.wager != due.wager) or (move.toke and not due.toke):
        there = any((d.seat, d.wager) == (due.seat, move.wager) for d in rest if d.kind in (WAGER, POT))
        return Wrong(ORDER, "wrong wager" if there or move.toke else f"no {_called(house, move)} to settle there")
    if move.verb != due.verdict:
        if due.marker and {move.verb, due.verdict} == {TAKE, PUSH}:
            return None  # nothing of the player's lies there
        return Wrong(AMOUNTS, f"{_DONE[move.verb]} {_IS[due.verdict]}", _brings(due, move) - due.net)
    if due.verdict != PUSH and not (due.marker and due.verdict == TAKE) and _amount(due, move) != due.amount:
        return Wrong(AMOUNTS, "wrong amount", _brings(due, move) - due.net)
    return None


def _called(house: House, move: Move) -> str:
    return wager_called(house, str(move.wager))


def _amount(due: Due, move: Move) -> Fraction:
    """The dollars that a move takes or pays: whoever takes and names none takes all."""
    if move.half:
        return due.stake / 2
    return due.stake if move.amount is None else move.amount


def _brings(due: Due, move: Move) -> Fraction:
    """What a move comes to for the player."""
    if move.verb == PUSH:
        return Fraction(0)
    if move.verb == TAKE:
        return Fraction(0) if due.marker else -_amount(due, move)
    return _amount(due, move) - (due.stake if due.dropped else 0)


def _pot(house: House, due: Due, move: Move, rest: Sequence[Due]) -> Wrong | None:
    if move.verb != PAY or (move.wager is not None and move.wager != due.wager):
        return _out_of_order(move)
    if move.seat is not None and move.seat != due.seat:
        return Wrong(AMOUNTS, "to the wrong player", between=due.amount)
    asked = due.stake if move.amount is None else move.amount
    if asked != due.amount:
        return Wrong(AMOUNTS, "wrong share", between=abs(asked - due.amount))
    return None


# ---- cards


def _deal(house: House, due: Due, move: Move, rest: Sequence[Due]) -> Wrong | None:
    if due.drawn and move.verb in (STOP, *MONEY):
        return Wrong(CARDS, "stopped too soon")
    if move.verb != DEAL:
        return _out_of_order(move)
    if move.place is not None and move.place != due.place:
        return Wrong(CARDS, "cards to the wrong place")
    if move.seat is not None and (due.place != PLAYER or due.seat not in (0, move.seat)):
        return Wrong(CARDS, "cards to the wrong seat")
    if any(number not in {due.cards, due.seat or due.cards} for number in move.numbers):
        return Wrong(CARDS, "wrong number of cards")
    if move.face is not None and (move.face == "up") != (due.face == "up"):
        return Wrong(CARDS, "wrong side up")
    return None


def _turn(house: House, due: Due, move: Move, rest: Sequence[Due]) -> Wrong | None:
    if move.verb != TURN:
        return _out_of_order(move)
    if move.place is not None and move.place != due.place:
        return Wrong(CARDS, "turned the wrong cards")
    if move.seat is not None and move.seat != due.seat:
        return Wrong(CARDS, "turned the wrong cards")
    return None


def _stop(house: House, due: Due, move: Move, rest: Sequence[Due]) -> Wrong | None:
    """Whoever does not draw has stopped, and need not say so."""
    return Wrong(CARDS, "drew a card too many") if move.verb == DEAL else None


def _burn(house: House, due: Due, move: Move, rest: Sequence[Due]) -> Wrong | None:
    if move.verb != BURN:
        return _out_of_order(move)
    return Wrong(CARDS, "wrong number of cards") if any(n != due.cards for n in move.numbers) else None


def _compare(house: House, due: Due, move: Move, rest: Sequence[Due]) -> Wrong | None:
    if move.verb not in STANDINGS:
        return _out_of_order(move)
    if move.seat is not None and move.seat != due.seat:
        return Wrong(ORDER, "wrong seat")
    return None if move.verb == due.verdict else Wrong(CARDS, "misread the hand")


# ---- beside cards and chips


def _say(house: House, due: Due, move: Move, rest: Sequence[Due]) -> Wrong | None:
    if move.verb == NEXT or due.act in (move.act, move.verb):
        return None
    return Wrong(ORDER, f"forgot to {due.act}")


def _shuffle(house: House, due: Due, move: Move, rest: Sequence[Due]) -> Wrong | None:
    return None if move.verb == SHUFFLE else Wrong(ORDER, "forgot to shuffle")


_JUDGES = {
    WAGER: _wager, POT: _pot, DEAL: _deal, TURN: _turn, STOP: _stop, BURN: _burn, COMPARE: _compare, SAY: _say,
    SHUFFLE: _shuffle,
}  # fmt: skip
