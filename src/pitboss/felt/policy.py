"""What the dealer must do with his own cards, as it is printed on the felt: read off the graph, never written here.

Three kinds of rule bind him. He *acts* by his cards, against a player who has chosen something: he folds, calls or
raises. He *draws* by what he has, or does not. And where his hand must reach something, bets come out otherwise
*unless* it does. All three are questions of the round that look at the house's cards alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pitboss.rules.called import place_called, wagers_called
from pitboss.rules.graph import DEALER, Deal, Decide, Graph, Jump, Mark, Node, Settle, When
from pitboss.rules.house import House
from pitboss.rules.outcomes import Case, outcome, told
from pitboss.rules.sayings import Sayings
from pitboss.rules.spoken import spoken
from pitboss.rules.told import who_chose
from pitboss.rules.whose import of_a_player, players_registers
from pitboss.rules.wording import Unsaid


@dataclass(frozen=True)
class Rule:
    """`Player raised`: `the dealer's card is 2 to 6: dealer folds`, `otherwise: dealer calls`."""

    who: str  # against whom; nothing where it is the same for all
    cases: tuple[tuple[str, str], ...]  # with what, and what he does then; nothing before a sentence of its own

    @property
    def words(self) -> str:
        text = "; ".join(f"{test}: {does}" if test else does for test, does in self.cases)
        return f"{self.who}: {text}" if self.who else f"{text[:1].upper()}{text[1:]}"


def policy(house: House) -> tuple[Rule, ...]:
    """The dealer's rules of a house; none where he has nothing to go by."""
    reading = _Reading(house)
    return tuple(dict.fromkeys([*reading.acts(), *reading.draws(), *reading.needs()]))


class _Reading:
    def __init__(self, house: House) -> None:
        self.house, self.graph = house, spoken(house)
        self.say, self.theirs = Sayings(house, self.graph), players_registers(self.graph)
        self.asked = [n for n in self.graph.nodes if isinstance(n, When) and self._houses(n)]

    def _houses(self, point: When) -> bool:
        return bool(point.condition.slots) and not of_a_player(point.condition, point, self.theirs)

    # ---- what he does

    def acts(self) -> list[Rule]:
        out = []
        for point in self.asked:
            yes, no = (_because(kid) for kid in point.kids)
            if yes and no and yes != no and _looks_at(point, DEALER):
                test = self.say.condition(point)
                out.append(Rule(_against(point), ((test, yes), ("otherwise", no))))
        return out

    def draws(self) -> list[Rule]:
        out = []
        for point in self.asked:
            yes, no = point.kids
            for kid, other, word in ((yes, no, "if"), (no, yes, "unless")):
                place = _dealt_at_once(kid)
                if place and not _dealt_below(other, place, set()):
                    out.append(Rule("", (("", self._drawing(place, word, self.say.condition(point))),)))
        return out

    def _drawing(self, place: str, word: str, test: str) -> str:
        """`the dealer draws if he counts less than 17`."""
        name = f"the {place_called(self.house, place)}"
        if test.startswith(f"{name} draws"):
            return test
        pronoun = "he" if place == DEALER else "it"
        return f"{name} draws {word} {test.replace(f'{name} ', f'{pronoun} ', 1)}, and stands otherwise"

    # ---- what his hand must reach

    def needs(self) -> list[Rule]:
        found: dict[str, dict[str, list[str]]] = {}
        for point in self.graph.nodes:
            for event in point.events:
                if isinstance(event, Settle) and (case := self._unless(event, point)) is not None:
                    wagers = found.setdefault(case.on, {}).setdefault(case.result, [])
                    wagers += [event.wager] if event.wager not in wagers else []
        return [Rule("", ((on, self._results(results)),)) for on, results in found.items()]

    def _results(self, results: dict[str, list[str]]) -> str:
        parts = []
        for result, wagers in results.items():
            words = told([Case("", result)], len(wagers) > 1)[0]
            parts.append(f"the {wagers_called(self.house, wagers)} {words}")
        return ", ".join(parts)

    def _unless(self, event: Settle, point: Node) -> Case | None:
        """The first case of a settlement, where it looks at the dealer's cards alone."""
        index = event.rows.index
        if index.op != "where" or not index.args[0].slots or of_a_player(index.args[0], point, self.theirs):
            return None
        if not any(of_a_player(way, point, self.theirs) for way in index.args[1:]):
            return None  # it is a bet on his cards, and binds nobody
        wording = self.say.wording(point)
        try:
            test = wording.condition(index.args[0])
        except Unsaid:
            return None
        cases: Sequence[Case] = outcome(event, wording, self.house.tables[event.wager], event.wager)
        return cases[0] if cases[0].on in (f"if {test}", f"unless {test}") else None


def _looks_at(point: When, place: str) -> bool:
    return bool(point.condition.slots & {s for g in point.groups if g.who == place for s in g.slots})


def _against(point: When) -> str:
    """`Player raised`: what the player last chose before the question."""
    chosen = [str(step.answer) for step in point.path if isinstance(step.node, Decide)]
    return who_chose(chosen[-1]).replace("who ", "Player ", 1) if chosen else ""


def _because(point: Node) -> str:
    """The word for what is done, where the round goes on without another question to the cards."""
    point = point.target if isinstance(point, Jump) else point
    for event in point.events:
        if isinstance(event, Settle) and event.because:
            return event.because
    if isinstance(point, Decide | Mark) and point.kids:
        return _because(point.kids[0])
    return ""


def _dealt_at_once(point: Node) -> str:
    """The place of the house that gets a card next."""
    return next((e.who for e in point.events[:1] if isinstance(e, Deal) and e.who != "player"), "")


def _dealt_below(point: Node, place: str, seen: set[int]) -> bool:
    point = point.target if isinstance(point, Jump) else point
    if point.id in seen:
        return False
    seen.add(point.id)
    if any(isinstance(e, Deal) and e.who == place for e in point.events):
        return True
    return any(_dealt_below(kid, place, seen) for kid in getattr(point, "kids", ()))


def places_of(graph: Graph) -> dict[str, int]:
    """The places of the house's cards, in the order in which they are dealt, with the most cards that lie there."""
    most: dict[str, int] = {}
    for place in graph.places:
        most[place] = max(sum(len(g.slots) for g in n.groups if g.who == place) for n in graph.nodes)
    return most
