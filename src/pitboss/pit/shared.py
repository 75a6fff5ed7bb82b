"""Meters that several tables share, and what a round in play has done to them, should it be voided.

A meter is its seed, plus what rounds have put in, less what hits have taken. A void takes its round out of that sum;
what it must know is where the money lies by then. So hits are numbered. What a round has put in goes with the first hit
that comes after it; when that hit is voided it lies in the meter again, and goes with the next one. What has gone with
a hit that stands is paid out: the rack bears it, and has it back should that hit be voided later.
"""

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from typing import Any

from pitboss.pit.commands import to_cents
from pitboss.rules.numbers import written

Key = tuple[str, str]  # group and option
HEARD = ("hits", "undone", "owed")


class Meters:
    """Meters by group and option: the dollars that they show, how often each was hit, and which hits were voided."""

    def __init__(self) -> None:
        self.shown: dict[Key, Fraction] = {}
        self.hits: dict[Key, int] = {}
        self.undone: dict[tuple[Key, int], int] = {}  # a hit that was voided -> how many hits there had been by then
        self.owed: dict[tuple[Key, int], int] = {}  # a hit -> cents in it that racks have borne

    def told(self, group: str, names: Iterable[str]) -> dict[str, Any]:
        """What has become of these meters, for an event whose round may be voided."""
        keys = {(group, name): name for name in names}
        out: dict[str, dict[str, Any]] = {"hits": {keys[key]: self.hits[key] for key in keys if self.hits.get(key, 0)}}
        for what, part in (("undone", self.undone), ("owed", self.owed)):
            out[what] = {}
            for (key, number), said in part.items():
                if key in keys:
                    out[what].setdefault(keys[key], {})[str(number)] = said
        return {what: said for what, said in out.items() if said}

    def hear(self, group: str, names: Iterable[str], told: Mapping[str, Any]) -> None:
        """They were as an event tells."""
        keys = {(group, name) for name in names}
        for part in (self.undone, self.owed):
            for gone in [at for at in part if at[0] in keys]:
                del part[gone]
        for key in keys:
            self.hits[key] = 0
        self.learn(group, told)

    def learn(self, group: str, told: Mapping[str, Any]) -> None:
        """What one of several tables has heard last: each knows a part of what has happened."""
        for name, many in told.get("hits", {}).items():
            self.hits[group, name] = max(many, self.hits.get((group, name), 0))
        for what, part in (("undone", self.undone), ("owed", self.owed)):
            for name, said in told.get(what, {}).items():
                for number, value in said.items():
                    at = (group, name), int(number)
                    part[at] = max(value, part.get(at, 0))

    def taker(self, key: Key, since: int, own: Collection[int]) -> int:
        """The hit that has what was put in when there had been so many, and stands; 0 where it lies in the meter. One's
        `own` hits do not count: they are about to be voided."""
        now = self.hits.get(key, 0)
        while since < now:
            number = since + 1
            back = now if number in own else self.undone.get((key, number), 0)
            if not back:
                return number
            since = max(back, number)
        return 0


class Pool:
    """The meters of one table, and what its round in play has done to them."""

    def __init__(self, meters: Meters, group: str, names: Collection[str]) -> None:
        self.meters, self.group, self.names = meters, group, names
        self.heard: dict[str, Any] = {}  # of the meters, by the last that the table has heard of
        self._fed: dict[str, tuple[Fraction, int]] = {}  # what the round has put in, and how many hits there had been
        self._won: list[tuple[str, int, Fraction]] = []  # its hits: the meter, the number, and what it has taken

    def shown(self) -> dict[str, Fraction]:
        return {name: self.meters.shown[self.group, name] for name in self.names}

    def told(self) -> dict[str, Any]:
        """What the meters show and what has become of them, for an event whose round may be paid from them."""
        told = {"meters": {name: str(x) for name, x in self.shown().items()}} if self.names else {}
        return {**told, **self.meters.told(self.group, self.names)}

    def hear(self, body: Mapping[str, Any]) -> None:
        """What the meters were when an event happened."""
        told = body.get("meters", {})
        for name, text in told.items():
            self.meters.shown[self.group, name] = written(text)
        self.meters.hear(self.group, told, body)

    def begin(self, fed: Mapping[str, Fraction]) -> None:
        """A round is dealt, and its bets have put this in."""
        hits = self.meters.hits
        self._fed = {name: (x, hits.get((self.group, name), 0)) for name, x in fed.items() if x}
        self._won = []
        for name, (x, _) in self._fed.items():
            self.meters.shown[self.group, name] += x

    def hit(self, name: str, seed: Fraction) -> None:
        """A meter is won in this round, with all that lies in it, and shows its seed."""
        key = self.group, name
        self.meters.hits[key] = self.meters.hits.get(key, 0) + 1
        self._won.append((name, self.meters.hits[key], self.meters.shown[key] - seed))
        self.meters.shown[key] = seed

    def voided(self) -> dict[str, Any]:
        """What a void of the round comes to: its hits, which are taken back (`undoes`); what it has put in and other
        hits have `taken`, and the rack bears (`rack`); what the rack has borne before, and gets `back`. In cents, by
        meter."""
        undoes: dict[str, list[int]] = {}
        for name, number, _ in self._won:
            undoes.setdefault(name, []).append(number)
        owed, taken = self.meters.owed, self._taken()
        back = {n: sum(owed.get(((self.group, n), number), 0) for number in hits) for n, hits in undoes.items()}
        out: dict[str, dict[str, Any]] = {
            "rack": {name: to_cents(self._fed[name][0], f"the meter {name}") for name in taken},
            "taken": taken,
            "undoes": undoes,
            "back": {name: cents for name, cents in back.items() if cents},
        }
        return {what: said for what, said in out.items() if said}

    def void(self, body: Mapping[str, Any]) -> None:
        """The round never was. In earlier logs a void does not say which hits it undoes: there they stood on, and
        nothing that a rack had borne came back."""
        shown, comes = self.meters.shown, self.voided()
        for name, number, took in self._won:
            key = self.group, name
            shown[key] += took
            if "undoes" in body:
                self.meters.undone[key, number] = self.meters.hits[key]
        for name, (fed, _) in self._fed.items():
            if name not in comes.get("taken", {}):
                shown[self.group, name] -= fed
            elif "taken" in body:
                at = (self.group, name), comes["taken"][name]
                self.meters.owed[at] = self.meters.owed.get(at, 0) + comes["rack"][name]
        for name, cents in body.get("back", {}).items():
            shown[self.group, name] -= Fraction(cents, 100)
        self._fed, self._won = {}, []

    def _taken(self) -> dict[str, int]:
        own = {name: [number for n, number, _ in self._won if n == name] for name in self._fed}
        found = {n: self.meters.taker((self.group, n), since, own[n]) for n, (_, since) in self._fed.items()}
        return {name: number for name, number in found.items() if number}
