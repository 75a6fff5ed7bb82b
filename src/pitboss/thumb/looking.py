"""Which looks a game suggests: read off the columns that decide what the player wins, from a decision on.

Nothing here knows a game. A hand whose strength is compared somewhere suggests how strong it is, or how strong the part
of it is that lies open; a rank that is compared suggests that rank; a number that is made of what is seen, itself.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import lcm

from pitboss.rules.column import Column, card_in, substituted, walk
from pitboss.rules.graph import DEALER, PLAYER, Decide, End, Group, Node, When
from pitboss.rules.naming import kind
from pitboss.rules.operations import HANDS
from pitboss.rules.wording import Unsaid, Wording
from pitboss.thumb.held import High, Kicker, Made, Paired, Royal, Run, Strength, Suited
from pitboss.thumb.looks import Look, Places
from pitboss.thumb.solved import Spot, places_of, raised
from pitboss.thumb.told import Above, Match, Named, Number, Raised, Rank

HIDDEN = 1000  # added to the slot of a card that is not seen, to keep it apart from places
MOST_NUMBERS = 12  # made of what is seen, the plainest first
MOST_SHOWN = 1_000  # values of a number that somebody may want to know


@dataclass
class _Hand:
    """Cards in sight that the game ranks, alone or together with others to come."""

    cards: int  # that make the hand, five at most
    to_come: int  # of those that it is made from


def looks_of(spot: Spot, wagers: Collection[str]) -> list[Look]:
    """Everything that a player might go by at this decision. `wagers` are those that he plays for."""
    if spot.sight is None:
        return [Named(name) for name in spot.parts[0].by]
    eyes = _Eyes(spot, [c for part in spot.parts for c in _columns(part.node, wagers)])
    return list(dict.fromkeys(eyes.looks()))


def _columns(node: Decide, wagers: Collection[str]) -> list[Column]:
    """What decides the round from here on, cards in sight by place."""
    return _by_place(node, [c for kid in node.kids for c in _below(kid, wagers)])


def _by_place(node: Decide, columns: Sequence[Column]) -> list[Column]:
    places = places_of(node)
    slots = {s for c in columns for s in c.slots if s >= 0}
    leaves = {card_in(s).uid: card_in(places.get(s, s + HIDDEN)) for s in slots}
    return substituted(columns, leaves)


def _below(node: Node, wagers: Collection[str]) -> Iterator[Column]:
    if isinstance(node, End):
        yield from (s.rows.index for s in node.settled if s.wager in wagers)
        yield from (index for wager, (_, index) in node.staked.items() if wager in wagers)
        return
    if isinstance(node, When):
        yield node.condition
    for kid in getattr(node, "kids", ()):
        yield from _below(kid, wagers)


class _Eyes:
    def __init__(self, spot: Spot, columns: Sequence[Column]) -> None:
        self.spot, self.columns = spot, columns
        sight = spot.parts[0].node.sight
        ends = [*accumulate(map(len, sight.values()), initial=0)]
        self.of = {who: tuple(range(a, b)) for who, (a, b) in zip(sight, pairwise(ends), strict=True)}
        self.own, self.seen = self.of[PLAYER], {*range(ends[-1])}
        self.deals, self.in_order = self._deals()
        self.hands: dict[Places, _Hand] = {}
        self.ranked: list[Column] = []  # hands that are all in sight
        self.compared: set[int] = set()  # places whose rank is looked at by itself
        self.numbers: list[Column] = []
        self.carried: dict[str, None] = {}
        self._look_through()

    def _deals(self) -> tuple[list[Places], frozenset[int]]:
        """The places of every deal, and those whose order the game looks at."""
        node = self.spot.parts[0].node
        places = places_of(node)
        deals = [tuple(places[s] for s in group.slots) for group in node.seen()]
        ordered = [frozenset(places_of(p.node)[s] for s in p.ordered) for p in self.spot.parts]
        return deals, frozenset.intersection(*ordered)

    def _look_through(self) -> None:
        tops = {c.uid for c in self.columns}
        every = list(walk(self.columns))
        for col in every:
            if not self._visible(col):
                tops.update(a.uid for a in col.below)  # the largest parts that are all in sight
        for col in every:
            self._leaf(col)
            if self._visible(col) and (col.uid in tops or col.hi - col.lo > 1):
                self._number(col)

    def _visible(self, col: Column) -> bool:
        return col.slots <= self.seen and bool(col.slots or "carried" in col.ops) and "register" not in col.ops

    def _leaf(self, col: Column) -> None:
        cards = [a.args[0] for a in col.below if a.op == "card"]
        if col.op == "carried":
            self.carried[col.args[0]] = None
        elif col.op == "rank" and cards[0] in self.seen:
            self.compared.add(cards[0])
        elif len(cards) > 1 and len(cards) == len(col.args) and col.op not in ("eq", "ne"):
            inside = tuple(sorted(p for p in cards if p in self.seen))
            known = self.hands.get(inside)
            to_come = len(cards) - len(inside)
            if not to_come and col.op in HANDS:
                self.ranked.append(col)
            if inside and (known is None or known.to_come < to_come):
                self.hands[inside] = _Hand(min(len(cards), 5), to_come)

    def _number(self, col: Column) -> None:
        ranks_hand = any(len(c.below) > 1 and all(a.op == "card" for a in c.below) for c in walk((col,)))
        one_rank = len(col.slots) == 1 and "suit" not in col.ops
        if ranks_hand or one_rank or not col.slots or col.op == "suit" or _extreme(col):
            return
        if col.hi - col.lo < MOST_SHOWN and self._symmetric(col):
            self.numbers.append(col)

    def _symmetric(self, col: Column) -> bool:
        """Whether it tells apart no order of a deal that the game does not."""
        for deal in self.deals:
            for a, b in pairwise(deal if not self.in_order & {*deal} else ()):
                one, two = card_in(a), card_in(b)
                if substituted([col], {one.uid: two, two.uid: one})[0] is not col:
                    return False
        return True

    # ---- looks

    def looks(self) -> Iterator[Look]:
        yield from map(self._in_sight, self.ranked)
        for places, hand in self.hands.items():
            yield from self._hand(places, hand)
        for who in self.of:
            yield from self._ranks(who)
        yield from self._against()
        yield from (Number(col, self._label(col)) for col in sorted(self.numbers, key=lambda c: c.depth)[:MOST_NUMBERS])
        yield from (Named(name, carried=True) for name in self.carried)
        node = self.spot.parts[0].node
        by = _by_place(node, [c for _, c in node.by])
        yield from (Number(col, name) for col, (name, _) in zip(by, node.by, strict=True))
        bets = {raised(part.node.placed) for part in self.spot.parts}
        if len(bets) > 1:
            yield Raised(lcm(*(b.denominator for b in bets)))

    def _in_sight(self, col: Column) -> Look:
        """What the game itself makes of a hand that is all in sight: how strong it is, how long its longest suit."""
        places, what = tuple(sorted(col.slots)), kind(col)
        if what is not None and what.of == "strength":
            return Strength(places, what.cards, col.op, self._where(places))
        return Number(col, self._label(col))

    def _hand(self, places: Places, hand: _Hand) -> Iterator[Look]:
        where = self._where(places)
        if len(places) > 1:
            yield from self._parts(places, where)
        else:
            yield from self._single(places[0])
        if hand.to_come and len(places) > 1 and hand.cards > 2:
            least = max(2, hand.cards - hand.to_come)
            yield Suited(places, least, where)
            if not where:
                yield Royal(places, hand.cards, least)
                for many in range(least, min(len(places), hand.cards) + 1):
                    yield Run(places, many, hand.cards)
                    yield Run(places, many, hand.cards, suited=True)
        own = tuple(p for p in places if p in self.own)
        rest = {*places} - {*own}
        shared = any(rest <= {*other} and not {*own} & {*other} for other in self.hands)
        if own and rest and shared and own not in self.hands:
            yield from self._own_part(own, places)

    def _own_part(self, own: Places, places: Places) -> Iterator[Look]:
        """What the player himself holds of a hand that others share."""
        yield Paired(own, places)
        rest = tuple(p for p in places if p not in own)
        yield Kicker(own, rest, self._where(rest))
        inside = " in your own cards"
        yield from self._parts(own, inside) if len(own) > 1 else (High(own, 1, inside),)
        if len(own) > 1:
            yield Suited(own, len(own), inside)

    def _parts(self, places: Places, where: str) -> Iterator[Look]:
        yield Made(places, where)
        yield from (High(places, n, where) for n in range(1, len(places) + 1))

    def _single(self, place: int) -> Iterator[Look]:
        whose = next(who for who, places in self.of.items() if place in places)
        if place in self.own:
            several = len(self.own) > 1
            yield Rank(place, f"your card {self.own.index(place) + 1} is " if several else "")
        else:
            yield Rank(place, f"the {whose} showing ")

    def _ranks(self, who: str) -> Iterator[Look]:
        places = tuple(p for p in self.of[who] if p in self.compared)
        if len(places) == 1:
            yield from self._single(places[0])
        elif places and places not in self.hands:
            yield Made(places, self._where(places))
            yield from (High(places, n, self._where(places)) for n in range(1, len(places) + 1))
            if any(c.ops & {"suit"} for c in self.columns):
                yield Suited(places, 2, self._where(places))
        for place in places if len(places) > 1 else ():
            alone = any(deal == (place,) for deal in self.deals)
            if (alone or place in self.in_order) and who != PLAYER:
                yield from self._single(place)

    def _against(self) -> Iterator[Look]:
        """The player's cards against the one card of the dealer that is open."""
        shown = self.of[DEALER]
        looked_at = self.compared.union(*self.hands)
        if len(shown) == 1 and self.own and looked_at & {*shown} and looked_at & {*self.own}:
            yield Match(self.own, shown[0], "the dealer ")
            yield Above(self.own, shown[0], "the dealer ")

    def _label(self, col: Column) -> str:
        if _extreme(col):
            whose = [who for who, places in self.of.items() if {*places} >= col.slots]
            if whose and {*self.of[whose[0]]} == col.slots:
                owner = "your" if whose[0] == PLAYER else f"the {whose[0]}'s"
                return f"{owner} {'highest' if col.op == 'max' else 'lowest'} card"
        if col.op == "const":
            return str(col.args[0])
        if col.op in ("sub", "add") and col.depth < 6:
            return (" minus " if col.op == "sub" else " plus ").join(map(self._label, col.args))
        groups = [Group(who, places, True) for who, places in self.of.items() if places]
        try:
            return Wording(groups).say(col)
        except Unsaid:
            return "what the cards say"

    def _where(self, places: Places) -> str:
        owners = [who for who, mine in self.of.items() if {*mine} & {*places}]
        if PLAYER in owners:
            return ""
        return f" {'with' if owners[0] == DEALER else 'on'} the {' and the '.join(owners)}"


def _extreme(col: Column) -> bool:
    """The highest or the lowest of some ranks."""
    return col.op in ("max", "min") and all(a.op == "rank" for a in col.args)
