"""The one thing that is asked: a house under a strategy. It plans which kernel counts which wagers, and answers.

Wagers are counted together where one kernel takes them all; else those that are played, and every other one by itself,
so that a side bet never falls with the main game. What no kernel takes is said, with the reason, and the rest is
answered all the same.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from pitboss.exact.asked import asked_table
from pitboss.exact.kernels import Advised, Decided, Kernel, Task
from pitboss.exact.kernels.count import COUNT, Counted
from pitboss.exact.kernels.draw import Drawn
from pitboss.exact.offered import offered
from pitboss.exact.plan import Plan, Step, TooLarge
from pitboss.exact.ruled import check_strategy, is_rule, rule_of, rulebook
from pitboss.exact.solver import Solver
from pitboss.exact.tried import agrees
from pitboss.exact.twins import Twins, twin_of
from pitboss.ledger.book import Book
from pitboss.ledger.law import Law
from pitboss.ledger.records import Analysis, Progressive, StrategyRow, Together, WagerResult
from pitboss.rules.errors import BadInput, choice_of
from pitboss.rules.graph import Graph
from pitboss.rules.house import DERIVED, House
from pitboss.rules.identity import Provenance
from pitboss.rules.rewrite import after_another, only
from pitboss.rules.trace import trace

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pitboss.compile import Keys

AMONG = "paid among the players"


class Study:
    """A house under a strategy: its plan, and every answer from one count."""

    def __init__(
        self, house: House, strategy: str = "optimal", *, patient: bool = False, graph: Graph | None = None
    ) -> None:
        """`graph` is a rewrite of the house's own: the same game with other cards in sight, say."""
        self.house, self.strategy, self.patient, self._given = house, strategy, patient, graph
        self._plans: dict[tuple[str, ...], tuple[Plan, dict[tuple[str, ...], tuple[Kernel, Task]]]] = {}
        self._opened: dict[tuple[str, ...], Any] = {}
        self._twins = Twins()
        check_strategy(self)

    # ---- what there is

    @cached_property
    def graph(self) -> Graph:
        return trace(self.house) if self._given is None else self._given

    @cached_property
    def book(self) -> Book:
        return Book(self.house, self.graph)

    @property
    def of(self) -> Provenance:
        return self.house.provenance(self.strategy)

    @property
    def drawn(self) -> bool:
        """Whether hands can have any number of cards."""
        return self.graph.open_ended

    @property
    def banked(self) -> tuple[str, ...]:
        """Wagers before the deal that are bet, and that the house has a part in."""
        there = {s.wager for end in self.graph.ends() for s in end.settled}
        return tuple(p for p in self.house.parties if self.house.takes(p) and p in there)

    @property
    def decided(self) -> tuple[str, ...]:
        """The wagers that the player's choices are about."""
        return tuple(p for p in self.book.decided if self.house.takes(p)) if any(self.graph.decisions()) else ()

    # ---- the plan

    @property
    def plan(self) -> Plan:
        """Which kernel counts which wagers, before anything is counted."""
        return self.plan_for(self.banked)

    def plan_for(self, wagers: Sequence[str]) -> Plan:
        """The plan for some wagers."""
        return self._planned(tuple(wagers))[0]

    def _planned(self, wagers: tuple[str, ...]) -> tuple[Plan, dict[tuple[str, ...], tuple[Kernel, Task]]]:
        if wagers not in self._plans:
            self._plans[wagers] = self._make_plan(wagers)
        return self._plans[wagers]

    def _make_plan(self, wagers: tuple[str, ...]) -> tuple[Plan, dict[tuple[str, ...], tuple[Kernel, Task]]]:
        steps: list[Step] = []
        refused: dict[str, str] = {}
        doing: dict[tuple[str, ...], tuple[Kernel, Task]] = {}
        left = [p for p in wagers if p not in self.book.shared]
        for patient in (False, True) if self.patient else (False,):  # patience is for what is left without it
            for task in self._tasks(left) if left else ():
                if not {*task.wagers} & {*left}:
                    continue
                found = offered(task, self.decided, patient)
                if isinstance(found, str):
                    refused |= dict.fromkeys([p for p in task.wagers if p in left], found)
                    continue
                kernel, step = found
                if (like := twin_of(task, (other for _, other in doing.values()))) is not None:
                    step = Step(step.wagers, replace(step.offer, seconds=0.0, kernel=f"the same count as {like}"))
                refused = {p: why for p, why in refused.items() if p not in task.wagers}
                steps.append(step)
                doing[step.wagers] = (kernel, task)
                left = [p for p in left if p not in task.wagers]
        shared = tuple(p for p in self.house.parties if p in self.book.shared)
        return Plan(tuple(steps), refused, shared), doing

    def _tasks(self, wagers: Sequence[str]) -> Iterable[Task]:
        """Ways to take these wagers, the best first: alone what no choice changes, all, those played, one by one."""
        if len(wagers) == 1 and wagers[0] not in self.house.main and not any((own := self._only(wagers)).decisions()):
            yield Task(self.house, own, tuple(wagers), self.strategy)
        yield Task(self.house, self.graph, self.banked, self.strategy)
        played = self._played
        if {*played} & {*wagers}:
            yield Task(self.house, self._only(played), played, self.strategy)
        for p in wagers:
            if p not in played:
                yield Task(self.house, self._only([p], first_choice=self.drawn), (p,), self.strategy)

    @cached_property
    def _played(self) -> tuple[str, ...]:
        """The wagers that the player's choices change; of drawn hands, those that they are about."""
        return self.decided if self.drawn else tuple(p for p in self.banked if any(self._only([p]).decisions()))

    def _touched(self, party: str) -> bool:
        """Whether choices could change a side bet on drawn hands: counted by the first choice, and tried by dealing."""
        return self.drawn and party not in self.decided and any(self._only([party]).decisions())

    def _only(self, wagers: Sequence[str], first_choice: bool = False) -> Graph:
        return only(self.graph, [w.name for p in wagers for w in self.house.parties[p]], first_choice)

    def _open(self, wager: str, among: Sequence[str] | None = None) -> Any:
        """What has been counted of a wager; one clear sentence where it cannot be."""
        plan, doing = self._planned(tuple(among or (wager,)))
        step = plan.step(wager)
        if step is None:
            raise TooLarge(self._way_on(wager, plan.refused.get(wager, "it is not bet")))
        if step.wagers not in self._opened:
            kernel, task = doing[step.wagers]
            if is_rule(self.house, self.strategy):  # found here, where patience is known
                rule_of(self.house, self.strategy, self.patient)
            opened = self._twins.known(task) or kernel.open(task)
            if self._touched(wager) and not agrees(self, wager, opened.law()):
                raise TooLarge(self._way_on(wager, "the player's choices change it"))
            self._opened[step.wagers] = opened
            self._twins.remember(task, self._opened[step.wagers])
        return self._opened[step.wagers]

    def _way_on(self, wager: str, why: str) -> str:
        own = next(iter(self.house.game.strategies), None) if wager in self.decided else ""
        go_on = self.house.provenance(own or "").command("simulate")
        if own is None:
            return f"{wager} cannot be counted: {why}. Give the game file a strategy, and `{go_on}` plays it"
        by = f" by {own!r} of the game file" if own else ""
        return f"{wager} cannot be counted: {why}. It can be simulated{by}: `{go_on}`"

    # ---- answers

    def wager(self, name: str) -> WagerResult:
        """The record of one wager before the deal."""
        party = self.house.check_wager(name)
        return self._record(party, [party])

    def _ways(self) -> int:
        step = self.plan.step(self.banked[0]) if self.banked else None
        whole = step is not None and step.wagers == self.banked and self.banked in self._opened
        law = self._opened[self.banked].law() if whole else None
        return law.total if law is not None else 1

    def records(self, names: Sequence[str], seconds: float) -> dict[str, WagerResult]:
        """The records of these wagers, of those that can be had within so many seconds by the plan."""
        banked = [p for p in names if p not in self.book.shared]
        plan = self.plan_for(banked)
        steps = {p: plan.step(p) for p in banked}
        quick = [p for p, step in steps.items() if step is not None and step.offer.seconds <= seconds]
        refused = self._open_all(quick, banked)
        known = [p for p in names if p in self.book.shared or (p in quick and p not in refused)]
        return {p: self._record(p, banked) for p in known}

    def stands(self, wager: str) -> bool:
        return not self._open_all([wager], [wager])

    def _open_all(self, wagers: Iterable[str], among: Sequence[str]) -> dict[str, str]:
        """Count these; what is found out only by counting to be beyond a kernel, and why."""
        refused: dict[str, str] = {}
        for name in wagers:
            try:
                self._open(name, among)
            except TooLarge as error:
                refused[name] = str(error)
        return refused

    def analysis(self, wager: str | None = None, bets: Mapping[str, Fraction] | None = None) -> Analysis:
        """Everything at once, or one wager. What cannot be counted is named with the reason; an error only where that
        was asked for by name, or is all there is."""
        if bets:
            self.house.check_bets(bets)
        names = [self.house.check_wager(wager)] if wager else [p for p in self.house.parties if self.house.takes(p)]
        banked = [p for p in names if p not in self.book.shared]
        plan = self.plan_for(banked).checked(self.patient)
        refused = {p: self._way_on(p, why) for p, why in plan.refused.items()}
        refused |= self._open_all([p for p in banked if p not in refused], banked)
        if refused and (wager or len(refused) == len(banked)):
            raise TooLarge(next(iter(refused.values())))
        wagers = tuple(self._record(n, banked) for n in names if n not in refused)
        played = [p for p in self.decided if p in names and p not in refused]
        opened: Decided | None = self._open(played[0], banked) if played else None
        return Analysis(
            self.of,
            wagers,
            opened.chart() if opened else (),
            self.together(bets) if not wager else None,
            tuple(self._progressive(n, banked) for n in banked if self.house.meters(n) and n not in refused),
            opened.not_charted() if opened else {},
            refused,
        )

    def _record(self, party: str, among: Sequence[str]) -> WagerResult:
        if party in self.book.shared:
            return self.book.shared_result(party, self._ways())
        found: WagerResult = self._open(party, among).record(party)
        return found

    # ---- laws: how wagers come out together

    def laws(self, wagers: Sequence[str]) -> list[Law]:
        """These wagers in as few laws as can be counted together, those that look at the most cards first; TooLarge for
        one that has none."""
        out: list[Law] = []
        left = list(wagers)
        while left:
            group = self._together(left)
            out.append(self._law(group))
            left = [p for p in left if p not in group]
        return out

    def _together(self, wagers: Sequence[str]) -> tuple[str, ...]:
        """The first group of these wagers that one kernel takes together."""
        plan = self.plan_for(self.banked)
        for step in plan.steps:
            if len(step.wagers) > 1 and {*wagers} & {*step.wagers}:
                return tuple(p for p in wagers if p in step.wagers)
        if self.drawn:
            return tuple(wagers[:1])
        looks = {p: self._slots(p) for p in wagers}
        lead = max(wagers, key=lambda p: len(looks[p]))
        group = tuple(p for p in wagers if looks[p] <= looks[lead])
        if len(group) > 1 and not any(self.plan_for(group).step(p) is None for p in group):
            task = Task(self.house, self._only(group), group, self.strategy)
            if not isinstance(found := offered(task, self.decided), str):
                if group not in self._opened:
                    self._opened[group] = found[0].open(task)
                return group
        return (lead,)

    def _slots(self, party: str) -> frozenset[int]:
        members = {w.name for w in self.house.parties[party]}
        settled = (s for end in self.graph.ends() for s in end.settled if s.wager in members)
        return frozenset[int]().union(*(s.rows.index.slots for s in settled))

    def _law(self, group: tuple[str, ...]) -> Law:
        opened = self._opened.get(group) or self._open(group[0], self.banked if len(group) > 1 else None)
        found: Law | None = opened.law()
        if found is None:
            raise TooLarge(f"how {group[0]} varies is not counted: the hands of one split depend on each other")
        return found

    def law(self, wager: str) -> Law:
        return self._law((self.house.check_wager(wager),))

    def together(self, bets: Mapping[str, Fraction] | None = None) -> Together | None:
        """All bets at once: those given, or the least bet on every wager that is counted along with the first."""
        given = dict(bets) if bets else {p: self.house.least_bet(p) for p in self.house.parties if self.house.takes(p)}
        left_out = {p: AMONG for p in given if p in self.book.shared}
        wanted = [p for p in given if p not in self.book.shared]
        if not wanted or self.drawn or any(self.plan.step(p) is None for p in wanted):
            return None
        first = self._together(wanted)
        if bets and {*first} != {*wanted}:
            return None
        if not bets and wanted[0] not in first:
            return None
        left_out |= {p: "not counted together with the others" for p in wanted if p not in first}
        return self._law(first).together({p: given[p] for p in given if p in first}, left_out)

    def progressive(self, name: str) -> Progressive:
        """The meters of a wager that pays from them."""
        party = self.house.check_wager(name)
        if not self.house.meters(party):
            raise BadInput(f"the wager {party} pays from no meter, so it has no jackpot")
        return self._progressive(party, [party])

    def _progressive(self, party: str, among: Sequence[str]) -> Progressive:
        law: Law = self._open(party, among).law()
        found = law.progressive(party)
        if not self.graph.carried:
            return found
        pair = Solver(self.house, graph=after_another(self.graph, party))
        weighed = replace(pair.law, share=law.share, states=law.states)
        again = {m.row: m.probability for m in weighed.progressive(party).meters}
        return replace(found, meters=tuple(replace(m, same_shoe=again[m.row]) for m in found.meters))

    # ---- strategies

    @property
    def solved(self) -> Any:
        """What was counted of the wagers that are played: a `Decided`; TooLarge where they cannot be counted."""
        if not self.decided:
            raise BadInput(f"{self.house.game.title} leaves the player nothing to decide")
        return self._open((self._played or self.decided)[0])

    @property
    def drawing(self) -> Drawn:
        """What was counted of hands that are drawn card by card."""
        found = self.solved
        if not isinstance(found, Drawn):
            raise BadInput(f"the hands of {self.house.game.title} have a fixed number of cards")
        return found

    @property
    def solver(self) -> Solver:
        """The count deal by deal, for those who look at its rows; TooLarge where the game is not counted so."""
        lead = (self.decided or self.banked)[0]
        plan, doing = self._planned(self.banked)
        step = plan.step(lead)
        opened = self._open(lead, self.banked) if step is None or doing[step.wagers][0] is COUNT else None
        if not isinstance(opened, Counted):
            raise TooLarge(
                f"{self.house.game.title} is counted without dealing every card: there is no list of deals to look at"
            )
        return opened.solver

    def deal_by_deal(self, wager: str) -> bool:
        """Whether a wager is counted deal by deal: then the count is kept, and another pay table is not another one."""
        plan, doing = self._planned(self.banked)
        if (step := plan.step(wager)) is None:
            raise TooLarge(self._way_on(wager, plan.refused.get(wager, "it is not bet")))
        return doing[step.wagers][0] is COUNT

    def chart(self, decision: str | None = None) -> tuple[StrategyRow, ...]:
        """What every choice is worth, at every decision or at one of them."""
        rows: tuple[StrategyRow, ...] = self.solved.chart() if self.decided else ()
        names = list(dict.fromkeys(r.decision for r in rows))
        if decision is not None and decision not in names:
            raise BadInput(f"decision {choice_of(repr(decision), names)}")
        return tuple(r for r in rows if decision in (None, r.decision))

    rule = rulebook

    def playing(self, strategy: str) -> Self:
        """The same house under another strategy, from the same counts where that can be."""
        other = type(self)(self.house, strategy, patient=self.patient, graph=self._given)
        for wagers, opened in self._opened.items():
            if isinstance(opened, Counted):
                other._opened[wagers] = Counted(opened.solver.playing(strategy))
        return other

    def paying(self, tables: Mapping[str, Any]) -> Self:
        """The same house on other pay tables, played optimally for them, from the same counts."""
        other = type(self)(self.house.but(tables=tables), self.strategy, patient=self.patient, graph=self._given)
        for wagers, opened in self._opened.items():
            if isinstance(opened, Counted):
                other._opened[wagers] = Counted(opened.solver.paying(other.house.tables))
        return other

    def strategy_array(self, keys: "Keys") -> "NDArray[np.uint8]":
        """The strategy as the simulator looks it up."""
        if self.drawn and self.strategy not in DERIVED and not is_rule(self.house, self.strategy):
            return asked_table(self.house, self.graph, self.strategy, keys)
        found: NDArray[np.uint8] = self.solved.strategy_array(keys)
        return found

    def advice(self, turn: Advised) -> dict[str, Fraction]:
        """What every choice is worth at a live decision."""
        return dict(self.solved.advice(turn))


def analyze(
    house: House, strategy: str = "optimal", bets: Mapping[str, Fraction] | None = None, wager: str | None = None
) -> Analysis:
    """The exact analysis of a game as one house offers it."""
    return Study(house, strategy).analysis(wager, bets)
