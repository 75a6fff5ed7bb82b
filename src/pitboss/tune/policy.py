"""The dealer's policy: of all threshold policies, the one that leaves a player who answers optimally the least.

A policy is a value of every option that is a set of ranks. A threshold policy takes, in each of them, some of the
lowest ranks and some of the highest. Options that are never read on the same way through the game are worked out one
by one and put together at the player's first choice; that they are not read together is seen in every graph.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import product

import numpy as np

from pitboss.cards import RANKS
from pitboss.exact import Study
from pitboss.ledger.book import Book
from pitboss.rules.errors import BadInput
from pitboss.rules.graph import Decide, Graph
from pitboss.rules.house import House
from pitboss.rules.options import Ranks
from pitboss.rules.ranks import ranks_of, spelled_ranks
from pitboss.rules.work import Pace
from pitboss.tune.dealt import Dealt, FirstChoices, Ints, cards_dealt, first_choices, fits
from pitboss.tune.records import PolicyChange, PolicyEdge, PolicySearch

Policy = tuple[str, ...]  # the value of each option, in order
Tick = Callable[[int, int], None]  # done, of how many
MOST_POLICIES = 20_000
MOST_COUNTED = 1_000  # policies of a game that is too large to be dealt out


def thresholds() -> list[str]:
    """Every set of some lowest and some highest ranks, each once."""
    sets = [(*range(low), *range(13 - high, 13)) for low in range(14) for high in range(14 - low)]
    return list(dict.fromkeys(spelled_ranks(s) for s in sets))


def one_card_changes(policy: Policy) -> Iterator[tuple[int, int, Policy]]:
    """Option, rank and the policy with that rank put in or taken out."""
    for i, rank in product(range(len(policy)), range(13)):
        changed = spelled_ranks({*ranks_of(policy[i])} ^ {rank})
        yield i, rank, (*policy[:i], changed, *policy[i + 1 :])


def options_read(graph: Graph, options: Collection[str]) -> dict[str, set[str]]:
    """Which of these options a round asks for, by the player's first choice; "" where he has none."""
    read: dict[str, set[str]] = {}
    for end in graph.ends():
        first = next((str(step.answer) for step in end.path if isinstance(step.node, Decide)), "")
        read.setdefault(first, set()).update(end.standing.reads & {*options})
    return read


@dataclass
class _Lab:
    """One house's game under any policy of its dealer."""

    house: House
    party: str
    options: tuple[str, ...]
    patient: bool = False

    def __post_init__(self) -> None:
        book = Book(self.at(self.printed))
        if book.graph.open_ended:
            raise BadInput(
                f"the hands of {self.house.game.title} can have any number of cards; policies are not searched"
            )
        self.read: dict[str, set[str]] = {}  # first choice -> options read; "" before it
        self.layouts: set[object] = set()  # wagers and pays, which a policy might change too
        self.cards = cards_dealt(book)
        self.deals = Dealt(self.house.composition, self.cards) if fits(self.house, self.cards) else None

    @property
    def printed(self) -> Policy:
        return tuple(str(self.house.options[name]) for name in self.options)

    def at(self, policy: Policy) -> House:
        return self.house.but(dict(zip(self.options, policy, strict=True)))

    def choices(self, policy: Policy) -> FirstChoices:
        """The game dealt out under one policy; what it reads is noted."""
        house = self.at(policy)
        pays = {w.name: tuple(house.tables[w.name].pays.items()) for w in house.wagers}
        self.layouts.add(tuple((w.name, w.equal_to, w.free, pays[w.name]) for w in house.wagers))
        book = Book(house.but(placed=frozenset([self.party])))
        for first, read in options_read(book.graph, self.options).items():
            self.read.setdefault(first, set()).update(read)
        assert self.deals is not None
        return first_choices(book, self.party, self.deals)

    def edge(self, policy: Policy) -> Fraction:
        if self.deals is None:
            return Study(self.at(policy), patient=self.patient).wager(self.party).house_edge
        found = self.choices(policy)
        return Fraction(-found.total, found.ways)

    def all_edges(self, wanted: Sequence[Policy], tick: Tick) -> dict[Policy, Fraction]:
        """The edge under each of these policies, by parts where that is proven to be the same."""
        if self.deals is not None and (found := self._by_parts(wanted, tick)) is not None:
            return found
        if self.deals is None and len(wanted) > MOST_COUNTED:
            raise BadInput(
                f"{self.house.game.title} has too many deals to lay them out for each of {len(wanted):,} policies; "
                f"{MOST_COUNTED:,} are counted one by one at most"
            )
        out, pace = {}, Pace(self.patient, "a smaller game")
        for done, policy in enumerate(wanted, 1):
            out[policy] = self.edge(policy)
            pace.check(done, len(wanted))
            tick(done, len(wanted))
        return out

    def _by_parts(self, wanted: Sequence[Policy], tick: Tick) -> dict[Policy, Fraction] | None:
        """Each option alone, if no first choice of the player leads to more than one of them."""
        values = [list(dict.fromkeys(p[i] for p in wanted)) for i in range(len(self.options))]
        most = max(map(len, values))
        rounds = []
        for i in range(most):  # one round of work serves every option: a choice reads one of them at most
            rounds.append(self.choices(tuple(v[i % len(v)] for v in values)))
            if self.read.get("", set()) or any(len(read) > 1 for read in self.read.values()):
                return None
            tick(i + 1, most)
        first = rounds[0]
        if len(self.layouts) > 1 or any(not np.array_equal(r.seen, first.seen) for r in rounds):
            return None
        parts: list[tuple[int | None, list[Ints]]] = []  # option, and per value of it: the best of its choices by row
        for option in (None, *range(len(self.options))):
            reads = {self.options[option]} if option is not None else set()
            mine = [c for c, name in enumerate(first.choices) if self.read.get(name, set()) == reads]
            if mine:
                parts.append((option, [r.sums[mine].max(0) for r in rounds]))
        place = [{value: i for i, value in enumerate(v)} for v in values]
        out = {}
        for policy in wanted:
            best = reduce(np.maximum, (rows[place[o][policy[o]] if o is not None else 0] for o, rows in parts))
            out[policy] = Fraction(-first.undecided - int(best.sum()), first.ways)
        return out


def policy_search(
    house: House, top: int = 10, tick: Tick = lambda done, of: None, patient: bool = False
) -> PolicySearch:
    """The best policies of the dealer, the printed one's place among them, and what one card more or less costs."""
    options = tuple(o.name for o in house.game.options if isinstance(o, Ranks))
    if not options:
        raise BadInput(f"{house.game.name} has no dealer's policy: none of its options is a set of ranks")
    decided = Book(house).decided
    if len(decided) > 1:
        raise BadInput(
            f"the player's choices serve {' and '.join(decided)} at once; a policy is searched for one wager"
        )
    family = list(product(thresholds(), repeat=len(options)))
    if len(family) > MOST_POLICIES:
        raise BadInput(
            f"{len(options)} sets of ranks make {len(family):,} policies; {MOST_POLICIES:,} are searched at most"
        )
    lab = _Lab(house, decided[0], options, patient)
    printed, changes = lab.printed, list(one_card_changes(lab.printed))
    edges = lab.all_edges(list(dict.fromkeys([*family, printed, *(p for _, _, p in changes)])), tick)
    ranked = sorted(family, key=lambda p: -edges[p])
    best = [PolicyEdge(dict(zip(options, p, strict=True)), edges[p]) for p in ranked[:top]]
    counted = _again(lab, ranked[0], edges[ranked[0]])
    _again(lab, printed, edges[printed])
    return PolicySearch(
        of=house.provenance("optimal"),
        wager=decided[0],
        printed=PolicyEdge(dict(zip(options, printed, strict=True)), edges[printed]),
        usual=all(house.options[name] == house.game.all_options[name].start() for name in options),
        threshold=printed in family,
        policies=len(family),
        better=sum(edges[p] > edges[printed] for p in family),
        ties=sum(edges[p] == best[0].edge for p in family),
        best=tuple(best),
        changes=tuple(PolicyChange(options[i], RANKS[rank], p[i], edges[p], edges[printed]) for i, rank, p in changes),
        answer=counted.chart(),
        ways=counted.law(lab.party).total,
    )


def _again(lab: _Lab, policy: Policy, edge: Fraction) -> Study:
    """The exact engine's word on a policy, which must be the same edge."""
    study = Study(lab.at(policy).but(placed=frozenset([lab.party])), patient=lab.patient)
    if study.wager(lab.party).house_edge != edge:
        raise BadInput(
            f"the policy {policy} comes to different edges dealt out and counted, which is a mistake in pitboss"
        )
    return study
