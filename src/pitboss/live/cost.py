"""What a choice may come to cost, read from the graph: the most that it can put on the table before the seat decides
again.

It is the most over all the ways that the round could go, not what it will cost with the cards that lie there: a player
whose purse is refused for a call that the dealer's hidden card turns into a raise would have learnt that card.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from pitboss.live.seat import Seat
from pitboss.rules.graph import Bet, Decide, Graph, Jump, Mark, Node, Times, When
from pitboss.rules.house import House
from pitboss.rules.paytables import money
from pitboss.rules.trace import trace

Staked = Mapping[str, Times]  # wager -> how many times the one that it equals
Answer = str | bool
MOST_KNOWN = 5000


def short_of(choice: str, costs: Mapping[str, Fraction], seat: int, left: Fraction) -> str:
    """Why a seat that has so much left cannot pay for a choice; nothing where it can."""
    if costs[choice] <= left:
        return ""
    able = [other for other, cost in costs.items() if cost <= left]
    instead = f"; it can {' or '.join(able)}" if able else ""
    return f"{choice} may take ${money(costs[choice])}, and seat {seat} has ${money(left)} left{instead}"


class Costs:
    """The costs of a house's choices; what a seat has bet decides which ways are open to it."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._free = {w.name for w in house.wagers if w.free}
        self._graphs: dict[frozenset[str], Graph] = {}
        self._known: dict[tuple[object, ...], Fraction] = {}  # a table sees the same bets and ways all night

    def most(self, seat: Seat, way: Sequence[Answer], choice: str) -> Fraction:
        """The dollars that the choice may take from a seat after so many answers."""
        asked = (choice, *way, *seat.bets.items(), *seat.tokes)
        if (found := self._known.get(asked)) is None:
            here, staked = self._walk(frozenset({*seat.bets, *seat.tokes}), way)
            found = self._most_from(here.kids[here.choices.index(choice)], staked, seat.bets, frozenset())
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[asked] = found
        return found

    def surely_lost(self, seat: Seat, way: Sequence[Answer], choice: str) -> Fraction:
        """The dollars of a seat's that are gone by the choice alone, whatever lies hidden and whatever is chosen later:
        all of the ante after a fold, and nothing after a check."""
        here, staked = self._walk(frozenset({*seat.bets, *seat.tokes}), way)
        return self._lost_from(here.kids[here.choices.index(choice)], staked, seat.bets)

    def knows(self, wagered: frozenset[str]) -> bool:
        """Whether the ways of a seat that has bet on these are known already; to find them may take a second."""
        return wagered >= set(self.house.parties) or wagered in self._graphs

    def graph(self, wagered: frozenset[str]) -> Graph:
        if wagered >= set(self.house.parties):
            return trace(self.house)
        if wagered not in self._graphs:
            self._graphs[wagered] = trace(self.house.but(placed=wagered))
        return self._graphs[wagered]

    def _walk(self, wagered: frozenset[str], answers: Sequence[Answer]) -> tuple[Decide, dict[str, Times]]:
        """The decision that so many answers lead to, and what has been placed on the way."""
        here = self.graph(wagered).root
        staked: dict[str, Times] = {}
        left = list(answers)
        while True:
            _place(here, staked)
            if isinstance(here, Mark | Jump):
                here = here.target.kids[0]
            elif isinstance(here, When):
                here = here.kids[0 if left.pop(0) else 1]
            else:
                assert isinstance(here, Decide), "the round is over"
                if not left:
                    return here, staked
                here = here.kids[here.choices.index(str(left.pop(0)))]

    def _most_from(self, node: Node, staked: Staked, bets: Mapping[str, Fraction], passed: frozenset[int]) -> Fraction:
        """The most that any way from here to the seat's next decision puts on the table; a loop is gone once."""
        after = dict(staked)
        _place(node, after)
        more = sum((self._dollars(name, after[name] - staked.get(name, 0), bets) for name in after), Fraction(0))
        kids: Sequence[Node] = ()
        if isinstance(node, When):
            kids = node.kids
        elif isinstance(node, Mark | Jump) and node.target.id not in passed:
            kids, passed = node.target.kids, passed | {node.target.id}
        return more + max((self._most_from(kid, after, bets, passed) for kid in kids), default=Fraction(0))

    def _lost_from(self, node: Node, staked: Staked, bets: Mapping[str, Fraction]) -> Fraction:
        after = dict(staked)
        _place(node, after)
        if isinstance(node, When):
            return min(self._lost_from(kid, after, bets) for kid in node.kids)
        lost = Fraction(0)
        for settle in node.standing.settled:
            index, wager = settle.rows.index, settle.wager
            stake = self._dollars(wager, after.get(wager, 1), bets)
            if stake and index.lo == index.hi and not settle.bonus:
                lost += stake * max(-self.house.net(wager, settle.rows.names[index.lo], stake), Fraction(0))
        return lost

    def _dollars(self, wager: str, times: Times, bets: Mapping[str, Fraction]) -> Fraction:
        if wager in self._free:
            return Fraction(0)
        return bets.get(self.house.lead(wager), Fraction(0)) * times


def _place(node: Node, staked: dict[str, Times]) -> None:
    for event in node.events:
        if isinstance(event, Bet):
            staked[event.wager] = max(staked.get(event.wager, 0), event.times)
