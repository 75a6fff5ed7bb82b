"""What a dealer types, read as a move: `t`, `p 15`, `3 ante 15`, `pay seat 2's suit & tie 75`, `deal three down`.

What is said is marked; what is left out (the seat, the wager, how many cards) is taken as meant. So a beginner needs
one or two keys for a move, and who knows the order by heart can say all of it. Nothing typed here does anything: what
cannot be read is one sentence.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from pitboss.rules.called import number_word, place_called, wager_called
from pitboss.rules.errors import BadInput, said
from pitboss.rules.graph import BOARD, DEALER, PLAYER
from pitboss.rules.house import House
from pitboss.rules.numbers import dollars, whole
from pitboss.rules.trace import trace
from pitboss.train.dues import ACTS, BURN, DEAL, PAY, PUSH, SHUFFLE, STOP, TAKE, TURN

NEXT = "next"
LONGEST = 200  # characters of a line
MOST = 40  # moves on one line
VERBS = {
    TAKE: ("t", "take", "takes", "sweep", "lose", "loses"),
    PAY: ("p", "pay", "pays", "win", "wins"),
    PUSH: ("u", "push", "pushes"),
    DEAL: ("d", "deal", "draw", "hit", "draws"),
    TURN: ("f", "turn", "flip", "reveal"),
    STOP: ("s", "stop", "stand", "stops", "stands"),
    SHUFFLE: ("sh", "shuffle"),
    BURN: ("burn",),
    NEXT: ("n", "next"),
    "high": ("h", "high"),
    "beaten": ("b", "beaten", "muck"),
    "equal": ("e", "equal"),
}
"""Move -> its key and its other words."""
STANDINGS = ("high", "beaten", "equal")
MONEY = (TAKE, PAY, PUSH)
KEYS = {"c": "collect", "a": "announce", "l": "look"}
FILLER = re.compile(
    "a|an|and|at|back|bets?|by|cards?|chips?|dollars?|each|face|for|from|hands?|him|his|i|is|it|its|my|now|of|off|on|"
    "please|seats?|that|the|their|them|this|to|wagers?|with"
)
"""Words that are heard and mean nothing by themselves."""
PLAYERS = ("player", "players", "everybody", "everyone")
EVERY = ("*", "all", "everything", "rest")
APART = re.compile(r";|,(?!\d{3}(?!\d))|\bthen\b", re.IGNORECASE)  # between moves; not within 1,000
TOKEN = re.compile(r"[-+$#]*[\w.,'’/%]+|\S")
NUMBER = re.compile(r"[-+]?\$?\d[\d,]*(\.\d*)?|[-+]?\$?\.\d+", re.ASCII)


@dataclass(frozen=True)
class Move:
    """What was typed. None, or nothing: it was not said."""

    verb: str
    text: str
    seat: int | None = None
    wager: str | None = None
    amount: Fraction | None = None
    half: bool = False  # half of what lies there
    place: str | None = None
    numbers: tuple[int, ...] = ()  # of a deal: how many cards, or to which seat
    face: str | None = None
    act: str = ""  # beside cards and chips
    toke: bool = False
    every: bool = False  # all bets of the seat that come next


@dataclass
class _Words:
    """A line in parts, while it is read."""

    verb: str = ""
    act: str = ""
    seat: int | None = None
    wager: str | None = None
    place: str | None = None
    face: str | None = None
    toke: bool = False
    half: bool = False
    every: bool = False
    players: bool = False
    bare: list[str] = field(default_factory=list)  # numbers, in order
    before: int = 0  # of those, how many come before the wager
    dollars: list[str] = field(default_factory=list)


def moves_of(house: House, seats: int, text: str, shared: Sequence[str] = ()) -> list[Move]:
    """The moves of a line, which may have several: `t, t, p 15`."""
    if len(text) > LONGEST:
        raise BadInput(f"a line of {len(text)} characters is too long; type one move, such as pay ante 15")
    parts = [part.strip() for part in APART.split(text)]
    found = [move_of(house, seats, part, shared) for part in parts if part]
    if not found:
        raise BadInput("type a move, such as take, pay 15, push, deal or turn")
    if len(found) > MOST:
        raise BadInput(f"{len(found)} moves on one line are too many; type {MOST} at most")
    return found


def move_of(house: House, seats: int, text: str, shared: Sequence[str] = ()) -> Move:
    """One move. `shared` are the wagers between the players."""
    found, tokens = _Words(), _tokens(text)
    while tokens:
        tokens = tokens[_read(house, seats, found, tokens) :]
    if found.wager in shared and found.verb in ("", PAY):
        return _award(found, text, seats)
    if found.verb not in (*MONEY, "") or found.act:
        return _cards(found, text)
    return _money(found, text, seats)


# ---- what sort of move


def _cards(found: _Words, text: str) -> Move:
    numbers = () if found.act else tuple(whole("how many cards", n, 0, 99) for n in found.bare)
    return Move(
        found.verb or "act", text, found.seat, place=PLAYER if found.players else found.place, numbers=numbers,
        face=found.face, act=found.act,
    )  # fmt: skip


def _money(found: _Words, text: str, seats: int) -> Move:
    seat, amounts = found.seat, [*found.bare]
    several = len(amounts) + len(found.dollars) > 1 or found.verb in (TAKE, PUSH)
    if seat is None and amounts and (found.before or (found.wager is None and several)):
        seat = whole("a seat", amounts.pop(0), 1, seats)
    amounts += found.dollars
    amount = dollars("an amount", amounts[-1]) if amounts else None  # of "$10 to $15" the second is what is paid
    verb = found.verb or (PAY if amount is not None else "")
    if not verb:
        raise BadInput(f"{said(text)} says what, but not what is done with it; there are take, pay and push")
    if verb == PAY and found.every:
        raise BadInput("every bet is paid an amount of its own; type pay and the amount, one after the other")
    if verb == PAY and amount is None and not found.half:
        raise BadInput("pay how much? Type pay and the dollars, such as pay 15")
    return Move(verb, text, seat, found.wager, amount, found.half, toke=found.toke, every=found.every)


def _award(found: _Words, text: str, seats: int) -> Move:
    """A pot goes to a seat; how much of it, where several share."""
    numbers = [*found.bare]
    seat = found.seat
    if seat is None and numbers:
        seat = whole("a seat", numbers.pop(0), 1, seats)
    if seat is None:
        raise which_seat(str(found.wager))
    amounts = numbers + found.dollars
    amount = dollars("an amount", amounts[-1]) if amounts else None
    return Move(PAY, text, seat, found.wager, amount)


def which_seat(pot: str) -> BadInput:
    """Who takes a pot is the very question, and is not taken as meant."""
    return BadInput(f"to which seat? Type {pot} and the seat, such as {pot} 2")


# ---- word by word


def _tokens(text: str) -> list[str]:
    """Words and numbers, in small letters; `suit & tie` is `suit tie`, and so is `suit-tie`."""
    line = re.sub(r"(?<=\w)[-_](?=\w)", " ", text.lower())
    found = (re.sub(r"['’]s?$", "", token.rstrip(".,:!?")) for token in TOKEN.findall(line))
    return [token for token in found if token not in ("", "&", "and")]


def _read(house: House, seats: int, found: _Words, tokens: Sequence[str]) -> int:
    """Take in what comes next, and say how many words that was."""
    token, verb = tokens[0], _verb(tokens[0])
    begins = not (found.verb or found.act)
    if begins and token in VERBS.get(verb, ()):
        found.verb = verb
        return 1
    if used := _name(house, found, tokens):
        return used
    if token in ("seat", "#") and len(tokens) > 1 and NUMBER.fullmatch(tokens[1]):
        found.seat = whole("a seat", tokens[1], 1, seats)
        return 2
    if token.startswith("#"):
        found.seat = whole("a seat", token[1:], 1, seats)
    elif NUMBER.fullmatch(token) or (token := str(_counted(token) or token)).isdigit():
        (found.dollars if "$" in token else found.bare).append(token)
    elif token in EVERY:
        found.every = True
    elif token in ("up", "down"):
        found.face = token
    elif token in ("half", "toke", "tokes"):
        found.half, found.toke = found.half or token == "half", found.toke or token != "half"
    elif token in PLAYERS:
        found.players = True
    elif verb and not found.act:
        found.verb = found.verb or verb
    elif begins and ACTS.fullmatch(KEYS.get(token, token)):
        found.act = KEYS.get(token, token)
    elif (
        not FILLER.fullmatch(token) and not found.act
    ):  # what is announced, or where something is laid, is in his own words
        known = [words[min(1, len(words) - 1)] for words in VERBS.values()]
        raise BadInput(
            f"{said(tokens[0])} is no word of this table; there are {', '.join([*known, *_names(house)[0]])}"
        )
    return 1


def _name(house: House, found: _Words, tokens: Sequence[str]) -> int:
    """A wager or a place by its name, by what the layout calls it, or by a beginning that begins no other."""
    wagers, places = _names(house)[1:]
    cards = found.verb in (DEAL, TURN)
    for names in (places,) if cards else (wagers, places):
        used, name = _longest(names, tokens)
        if used and names is places:
            found.place = name
        elif used:
            found.wager, found.before = name, len(found.bare)
        if used:
            return used
    return 0


def _longest(names: Mapping[tuple[str, ...], str], tokens: Sequence[str]) -> tuple[int, str]:
    for size in range(min(len(tokens), 8), 0, -1):
        if (name := names.get(tuple(tokens[:size]))) is not None:
            return size, name
    token = tokens[0]
    if len(token) < 3 or FILLER.fullmatch(token) or NUMBER.fullmatch(token):
        return 0, ""
    meant = {name for phrase, name in names.items() if phrase[0].startswith(token)}
    return (1, meant.pop()) if len(meant) == 1 else (0, "")


def _verb(token: str) -> str:
    """The move that a word means: its key, one of its words, or the beginning of one that begins no other."""
    for verb, words in VERBS.items():
        if token in words:
            return verb
    meant = {verb for verb, words in VERBS.items() if any(word.startswith(token) for word in words)}
    return meant.pop() if len(meant) == 1 and len(token) > 1 else ""


def _counted(token: str) -> int | None:
    return next((n for n in range(1, 10) if number_word(n) == token), None)


@lru_cache(maxsize=16)
def _names(house: House) -> tuple[list[str], dict[tuple[str, ...], str], dict[tuple[str, ...], str]]:
    """The names of all wagers; and how wagers, and places of cards, may be called -> which they are."""
    wagers = [w.name for w in house.wagers]
    places = [DEALER, BOARD, *trace(house).places]
    return (
        wagers,
        _spelled([(name, name) for name in wagers] + [(name, wager_called(house, name)) for name in wagers]),
        _spelled([(name, name) for name in places] + [(name, place_called(house, name)) for name in places]),
    )


def _spelled(pairs: Sequence[tuple[str, str]]) -> dict[tuple[str, ...], str]:
    found: dict[tuple[str, ...], str] = {}
    for name, words in pairs:
        found.setdefault(tuple(_tokens(words)), name)
    return found
