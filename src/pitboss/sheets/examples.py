"""Worked examples: a round for every way in which a wager can come out, found by playing rounds from a fixed seed."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pitboss.cards import shoe_cards
from pitboss.hands.floors import exactly
from pitboss.live.live import Round
from pitboss.live.seat import Seat
from pitboss.rules.called import place_called
from pitboss.rules.column import Column, walk
from pitboss.rules.evaluate import evaluate
from pitboss.rules.graph import PLAYER, Graph, Settle
from pitboss.rules.house import House
from pitboss.rules.naming import kind, listed
from pitboss.rules.numbers import written
from pitboss.rules.operations import plain
from pitboss.rules.paytables import money
from pitboss.rules.wording import Unsaid, Wording

ROUNDS = 400  # that are played at most
SEED = 2_000
OPEN_CARDS = 60  # of the shoe that a round of hands of any length may take
PIPS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_STRENGTHS = ("strength", "best_three", "best_four")
WIN, PUSH, LOSE = "wins", "pushes", "loses"


@dataclass(frozen=True)
class Example:
    """One wager in one round that was played."""

    wager: str
    outcome: str  # wins, pushes, loses
    cards: Mapping[str, tuple[str, ...]]  # by whose they are
    choices: tuple[str, ...]
    hands: Mapping[str, str] = field(default_factory=dict)  # by name, where they are poker hands
    row: str = ""
    stake: Fraction = Fraction(0)
    net: Fraction = Fraction(0)

    def line(self, called: str) -> str:
        """All of it, as one says it."""
        told = [f"{_title(who)}: {drawn(cards)}" for who, cards in self.cards.items() if cards]
        told += [f"{_title(who)}: {hand}" for who, hand in self.hands.items()]
        did = f" The player chooses {listed(self.choices, 'then')}." if self.choices else ""
        return f"{'; '.join(told)}.{did} The {called} ({self._stake()}) {self._result()}."

    def _stake(self) -> str:
        return f"${money(self.stake)}"

    def _result(self) -> str:
        row = f", {self.row}" if self.row not in ("win", "lose", "push", "") else ""
        if self.outcome == PUSH:
            return f"pushes{row}"
        return f"{self.outcome} ${money(abs(self.net))}{row}"

    def json(self) -> dict[str, Any]:
        return {
            "wager": self.wager, "outcome": self.outcome, "lie": {who: list(c) for who, c in self.cards.items()},
            "choices": list(self.choices), "hands": dict(self.hands), "row": self.row, "stake": str(self.stake),
            "net": str(self.net),
        }  # fmt: skip


def _title(who: str) -> str:
    return who[:1].upper() + who[1:]


def drawn(cards: tuple[str, ...]) -> str:
    """`A♠ 10♥`."""
    return " ".join(f"{'10' if c[0] == 'T' else c[0]}{PIPS[c[1]]}" if c[1:] in PIPS else c for c in cards)


def worked(house: House, graph: Graph) -> list[Example]:
    """A round for each way that each wager can come out, in the order of the layout; the shortest that was found."""
    wanted = {(w, o) for w, outcomes in possible(house, graph).items() for o in outcomes}
    found: dict[tuple[str, str], Round] = {}
    for round_ in _rounds(house, graph):
        for event in round_.settled(1):
            at = event["wager"], _outcome(written(event["net"]))
            if at not in found or len(round_.events) < len(found[at].events):
                found[at] = round_
        if wanted <= found.keys():
            break
    order = [(w.name, o) for w in house.wagers for o in (WIN, PUSH, LOSE)]
    return [_told(house, found[at], at[0]) for at in order if at in found and at in wanted]


def possible(house: House, graph: Graph) -> dict[str, set[str]]:
    """Which ways of coming out the rules know, by wager; of wagers that are alike, such as those on split hands, only
    of the first."""
    out: dict[str, set[str]] = {}
    kinds: dict[object, str] = {}
    for w in house.wagers:
        lead = w.equal_to or (w.needs and w.needs.rstrip("-0123456789"))
        kinds.setdefault((w.help, lead, w.times, house.tables[w.name].name), w.name)
    for node in graph.nodes:
        for event in node.events:
            if isinstance(event, Settle):
                names = event.rows.names[event.rows.index.lo : event.rows.index.hi + 1]
                pays = [house.tables[event.wager].pay(n) for n in names if house.tables[event.wager].has(n)]
                out.setdefault(event.wager, set()).update(_outcome(p) for p in pays)
    for end in graph.ends():
        for wager in end.shares:
            out[wager] = {WIN, LOSE}
    for w in house.wagers:
        if w.bonus and w.name in out:
            out[w.name] &= {WIN}
    return {wager: outcomes for wager, outcomes in out.items() if wager in kinds.values()}


def _outcome(pay: object) -> str:
    """How a pay, or what a bet has brought, is spoken of."""
    net = pay if isinstance(pay, Fraction) else Fraction(1)
    return WIN if net > 0 else LOSE if net < 0 else PUSH


def _rounds(house: House, graph: Graph) -> Iterator[Round]:
    """Rounds from a fixed seed. What is chosen is drawn, so that every choice comes up."""
    rng = random.Random(SEED)
    shoe, seats = shoe_cards(house.composition), 2 if any(end.shares for end in graph.ends()) else 1
    need = min(len(shoe), OPEN_CARDS if graph.open_ended else graph.most_cards(seats))
    bets = {name: house.least_bet(name) for name in house.parties}
    for _ in range(ROUNDS):
        round_ = Round(house, rng.sample(shoe, need), [Seat(bets) for _ in range(seats)])
        while round_.turn is not None:
            round_.choose(rng.choice(round_.turn.choices))
        yield round_


def _told(house: House, round_: Round, wager: str) -> Example:
    event = next(e for e in round_.settled(1) if e["wager"] == wager)
    lie, hands = _lie(house, round_), _hands(round_.looked_at(1)[wager], round_)
    if wager in round_.pots:  # the hands of both players are held against each other
        lie |= {"second player": _lie(house, round_, 2)["player"]}
        other = _hands(round_.looked_at(2)[wager], round_, 2)
        hands = {who.replace("player's ", ""): hand for who, hand in hands.items()}
        hands |= {f"second player's {who}": hand for who, hand in other.items()}
    return Example(
        wager, _outcome(written(event["net"])), lie,
        tuple(choice for seat, choice in round_.choices if seat == 1), hands,
        event["row"], written(event.get("free", event["stake"])), written(event["net"]),
    )  # fmt: skip


def _lie(house: House, round_: Round, seat: int = 1) -> dict[str, tuple[str, ...]]:
    """The cards of a seat and of the house, hand by hand."""
    hands: dict[tuple[str, int], list[str]] = {}
    for event in round_.events:
        if event.get("seat", seat) != seat:
            continue
        if event["event"] == "split":
            hands["player", event["to"]] = [hands["player", event["hand"]].pop(1)]
        elif event["event"] == "deal":
            who = "player" if event["to"] == PLAYER else place_called(house, event["to"])
            hands.setdefault((who, event.get("hand", 1)), []).extend(event["cards"])
    several = {who for who, hand in hands if hand > 1}
    return {f"{who}, hand {hand}" if who in several else who: tuple(held) for (who, hand), held in hands.items()}


def _hands(index: Column, round_: Round, seat: int = 1) -> dict[str, str]:
    """The poker hands that a settlement looks at, by name."""
    names, groups, cards, known = round_.names(seat), round_.groups(seat), round_.house_eye(seat), dict[int, int]()
    every = list(walk([index]))
    parts = {a.uid for col in every if col.op == "max" for a in col.args}  # one of several that the best is taken of
    out: dict[str, str] = {}
    for col in every:
        what = kind(col) if col.op == "max" or plain(col.op) in _STRENGTHS else None
        if what is None or what.of != "strength" or (col.uid in parts and col.uid not in names):
            continue
        if min(col.slots, default=-1) < 0 or not col.slots <= cards.keys():
            continue
        try:
            who = Wording(groups, names).number(col).removeprefix("the ")
        except Unsaid:
            continue
        if hand := exactly(evaluate(col, cards, {}, known), what.cards):
            out[who] = hand
    return out
