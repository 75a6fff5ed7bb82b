"""How wagers come out together: every joint row and its ways, with what a seat carries from round to round.

A law is what a kernel has counted under one strategy. Return tables, several bets at once, jackpots, the cases of a
pay-table search and the house's win of a round are all read off it; money comes after counting.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm

from pitboss.ledger.multiples import multiples, placed_in_play
from pitboss.ledger.records import MeterResult, Outcome, Progressive, Together, WagerResult
from pitboss.ledger.together import combined
from pitboss.rules.house import House

Move = tuple[int, int]
"""What a seat has carried over before the round and after it, by number."""


@dataclass(frozen=True, eq=False)
class Joint:
    """One way in which wagers come out together."""

    ways: int
    rows: Mapping[str, str]  # wager -> row of its pay table
    times: Mapping[str, Fraction] = field(default_factory=dict)  # on wagers that go with another: how many times it
    move: Move = (0, 0)
    chosen: str = ""  # what the player chose on the way
    because: Mapping[str, str] = field(default_factory=dict)  # wager -> what happened
    brief: bool = False  # of the ways to this end only what was bet is known

    def bet_on(self, wager: str) -> Fraction:
        return self.times.get(wager, Fraction(1))

    def label(self, house: House, party: str) -> str:
        """A row of the return table, in words: what was chosen, what happened, how each wager came out."""
        there = [w for w in house.parties[party] if w.name in self.rows and self.bet_on(w.name)]
        members, bonuses = ([w.name for w in there if w.bonus is kind] for kind in (False, True))
        results = {self.rows[m] for m in members}
        outcome = results.pop() if len(results) == 1 else ", ".join(f"{m} {self.rows[m]}" for m in members)
        paid = [f"{b} {self.rows[b]}" for b in bonuses if house.net(b, self.rows[b], house.stake_on(party))]
        outcome = ", ".join([outcome, *paid])
        if party not in house.main or party not in self.rows:
            return outcome
        why = self.because.get(party, "")
        if self.brief:
            bets = [m for m in members if m != party]
            return why or (f"{', '.join(bets)}: {outcome}" if bets else outcome)
        story = ", ".join(part for part in (self.chosen, why) if part)
        return f"{story}: {outcome}" if story else outcome

    def wagered(self, house: House, party: str) -> Fraction:
        """Units staked in all by the end of the round, on a wager and what goes with it."""
        with_it = (w.name for w in house.parties[party] if w.name != party and w.name in self.rows and not w.free)
        return 1 + sum((self.bet_on(name) for name in with_it), Fraction(0))


@dataclass(frozen=True, eq=False)
class Law:
    """The joint rows of some wagers, `total` ways in all from every carried state."""

    house: House
    wagers: tuple[str, ...]
    joints: tuple[Joint, ...]
    total: int
    states: tuple[str, ...] = ("every hand",)  # what a seat can have carried over, in words
    share: tuple[Fraction, ...] = (Fraction(1),)  # how often each comes up in the long run
    spare: Callable[[str], int] = field(default=lambda party: 1)  # ways that differ in what a wager does not look at

    def __iter__(self) -> Iterator[tuple[Fraction, Joint]]:
        """Every joint row with its chance in the long run."""
        return ((self.share[j.move[0]] * Fraction(j.ways, self.total), j) for j in self.joints)

    @cached_property
    def _nets(self) -> dict[tuple[str, str, Fraction, Fraction], Fraction]:
        return {}

    def net(self, joint: Joint, party: str, stake: Fraction) -> Fraction:
        """What a joint row brings on one wager and all that goes with it, in units of that wager."""
        total = Fraction(0)
        for wager in self.house.parties[party]:
            row, times = joint.rows.get(wager.name), joint.bet_on(wager.name)
            if row is None or not times:
                continue
            key = (wager.name, row, times, stake)
            if key not in self._nets:
                self._nets[key] = times * self.house.net(wager.name, row, stake * times)
            total += self._nets[key]
        return total

    def paying(self, house: House) -> "Law":
        """The same rounds on other pay tables."""
        return Law(house, self.wagers, self.joints, self.total, self.states, self.share, self.spare)

    # ---- what is read off it

    def record(self, party: str) -> WagerResult:
        """The return table of one wager."""
        stake = self.house.stake_on(party)
        per_state: list[dict[tuple[str, Fraction], int]] = [{} for _ in self.share]
        average = Fraction(0)
        often: dict[str, dict[Fraction, Fraction]] = {name: {} for name in placed_in_play(self.house, party)}
        for chance, joint in self:
            table = per_state[joint.move[0]]
            key = (joint.label(self.house, party), self.net(joint, party, stake))
            table[key] = table.get(key, 0) + joint.ways
            average += chance * joint.wagered(self.house, party)
            for wager, chances in often.items():
                times = joint.bet_on(wager) if wager in joint.rows else Fraction(0)
                chances[times] = chances.get(times, Fraction(0)) + chance
        ways, mixed = self._mixed(per_state)
        spare = self.spare(party)
        if all(n % spare == 0 for n in mixed.values()):
            ways, mixed = ways // spare, {key: n // spare for key, n in mixed.items()}
        outcomes = [Outcome(name, n, Fraction(n, ways), pays) for (name, pays), n in mixed.items()]
        outcomes.sort(key=lambda o: (-o.pays, o.outcome))
        name = self.house.tables[party].name
        return WagerResult(party, name, tuple(outcomes), ways, average, multiples=multiples(often))

    def _mixed(
        self, per_state: Sequence[dict[tuple[str, Fraction], int]]
    ) -> tuple[int, dict[tuple[str, Fraction], int]]:
        """Ways over all carried states, each as often as it comes up."""
        if all(table == per_state[0] for table in per_state):
            return self.total, per_state[0]
        common = lcm(*(w.denominator for w in self.share))
        mixed: dict[tuple[str, Fraction], int] = {}
        for weight, table in zip(self.share, per_state, strict=True):
            for key, n in table.items():
                mixed[key] = mixed.get(key, 0) + n * int(weight * common)
        return self.total * common, {k: n for k, n in mixed.items() if n}

    def cases(self, bets: Mapping[str, Fraction]) -> dict[Move, list[tuple[Fraction, tuple[Fraction, ...]]]]:
        """By what is carried before and after: the chance of every case from the state before, and what each of these
        bets brings the player in it, in dollars."""
        merged: dict[Move, dict[tuple[Fraction, ...], int]] = {}
        for joint in self.joints:
            nets = tuple(self.net(joint, p, amount) * amount for p, amount in bets.items())
            here = merged.setdefault(joint.move, {})
            here[nets] = here.get(nets, 0) + joint.ways
        return {move: [(Fraction(n, self.total), nets) for nets, n in m.items()] for move, m in merged.items()}

    def together(self, bets: Mapping[str, Fraction], left_out: Mapping[str, str] | None = None) -> Together:
        """All these bets at once, in dollars."""
        wagered = sum(
            (c * amount * j.wagered(self.house, p) for c, j in self for p, amount in bets.items()), Fraction(0)
        )
        cases = [
            (self.share[before] * chance, dict(zip(bets, nets, strict=True)))
            for (before, _), some in self.cases(bets).items()
            for chance, nets in some
        ]
        return combined(bets, cases, wagered, left_out)

    def progressive(self, party: str) -> Progressive:
        """Edge at the meter, break-even, time between hits and long-run edge of a wager that pays from a meter."""
        stake, meters = self.house.stake_on(party), dict(self.house.meters(party))
        chance = dict.fromkeys(meters, Fraction(0))
        by_state = dict.fromkeys(self.states, Fraction(0))
        for weight, joint in self:
            before = self.states[joint.move[0]]
            by_state[before] -= Fraction(joint.ways, self.total) * self.net(joint, party, stake)
            if joint.rows[party] in meters:
                chance[joint.rows[party]] += weight
        edge = sum((w * e for w, e in zip(self.share, by_state.values(), strict=True)), Fraction(0))
        results, long_run = [], edge
        for row, pay in meters.items():
            now, seed, increment = (self.house.amount(n) for n in (pay.meter, pay.seed, pay.increment))
            even = now + edge * stake / chance[row] if chance[row] else now
            found = MeterResult(row, now, seed, increment, chance[row], even)
            results.append(found)
            long_run += chance[row] * (now - found.average) / stake if chance[row] else 0
        return Progressive(party, stake, edge, long_run, by_state, tuple(results))


def plain_law(house: House, wagers: Sequence[str], ways: Mapping[tuple[str, ...], int]) -> Law:
    """The law of wagers without decisions that were counted by their rows."""
    joints = tuple(Joint(n, dict(zip(wagers, rows, strict=True))) for rows, n in ways.items() if n)
    return Law(house, tuple(wagers), joints, sum(ways.values()))
