"""The sheet as a record: what the game is, wagers, pay tables, procedure, examples, irregular cases, options."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pitboss.rules.called import wager_called
from pitboss.rules.decks import dealt_from
from pitboss.rules.graph import Graph
from pitboss.rules.house import House
from pitboss.rules.options import show_value
from pitboss.rules.paying import in_words, meters_in_words
from pitboss.rules.paytables import PayTable, show_pay
from pitboss.rules.procedure import procedure
from pitboss.rules.spoken import spoken
from pitboss.rules.steps import Procedure, lines
from pitboss.sheets.examples import ROUNDS, Example, possible, worked
from pitboss.sheets.irregular import irregularities


@dataclass(frozen=True)
class WagerLine:
    """A betting circle."""

    wager: str  # as one types it
    called: str  # as the layout has it
    bet: str  # who bets it
    amount: str
    about: str
    paytable: str
    paytables: tuple[str, ...]
    pays: Mapping[str, str]


@dataclass(frozen=True)
class PaysLine:
    """A pay table, and the wagers that pay by it."""

    wagers: tuple[str, ...]
    table: str
    others: tuple[str, ...]  # that a house may choose instead
    pays: Mapping[str, str]


@dataclass(frozen=True)
class OptionLine:
    option: str
    value: str
    default: str
    allowed: str
    about: str


@dataclass(frozen=True)
class Sheet:
    """The rules of play of a house, fit to print."""

    house: House
    wager: str | None = None  # of one wager only

    @cached_property
    def graph(self) -> Graph:
        """Of the round with every word of the dealer in it; nothing here is counted."""
        return spoken(self.house)

    @property
    def title(self) -> str:
        return self.house.game.title

    @property
    def about(self) -> str:
        return self.house.game.text

    @property
    def dealt_from(self) -> str:
        return dealt_from(self.house)

    @cached_property
    def wagers(self) -> tuple[WagerLine, ...]:
        house, shared = self.house, self._shared
        kept = [w for w in house.wagers if self.wager is None or house.lead(w.name) == self.wager]
        return tuple(
            WagerLine(
                w.name, wager_called(house, w.name), w.who_bets(), w.amount_rule(), w.help, house.tables[w.name].name,
                tuple(t.name for t in w.tables),
                {"best hand": "all bets on it"} if w.name in shared else _pays(house.tables[w.name]),
            )
            for w in kept
        )  # fmt: skip

    @cached_property
    def _shared(self) -> set[str]:
        """Wagers between the players: no table pays them."""
        return {name for end in self.graph.ends() for name in end.shares}

    @cached_property
    def paytables(self) -> tuple[PaysLine, ...]:
        """Each pay table once, with all wagers that pay by it."""
        out: list[PaysLine] = []
        for line in self.wagers:
            others = tuple(t for t in line.paytables if t != line.paytable)
            same = next(
                (p for p in out if (p.table, p.others, dict(p.pays)) == (line.paytable, others, line.pays)), None
            )
            if same is not None:
                out[out.index(same)] = PaysLine((*same.wagers, line.called), same.table, same.others, same.pays)
            else:
                out.append(PaysLine((line.called,), line.paytable, others, dict(line.pays)))
        return tuple(out)

    @property
    def either_or(self) -> tuple[tuple[str, ...], ...]:
        return self.house.one_of

    @property
    def odd_amounts(self) -> str:
        return " ".join(filter(None, (in_words(self.house), meters_in_words(self.house))))

    @cached_property
    def procedure(self) -> Procedure:
        return procedure(self.house)

    @cached_property
    def examples(self) -> tuple[Example, ...]:
        """Rounds that were played: a win, a push and a loss of every wager, as far as there are such."""
        kept = {line.wager for line in self.wagers}
        return tuple(e for e in worked(self.house, self.graph) if e.wager in kept)

    @cached_property
    def rare(self) -> tuple[str, ...]:
        """Ways of coming out that no round of the examples has shown."""
        found, kept = {(e.wager, e.outcome) for e in self.examples}, {line.wager for line in self.wagers}
        out = []
        for wager, outcomes in possible(self.house, self.graph).items():
            for outcome in sorted(outcomes) if wager in kept else ():
                if (wager, outcome) not in found:
                    out.append(f"The {wager_called(self.house, wager)} {outcome}: not once in {ROUNDS} rounds.")
        return tuple(out)

    @cached_property
    def irregular(self) -> dict[str, str]:
        return irregularities(self.house, self.graph)

    @property
    def readings(self) -> tuple[str, ...]:
        return tuple(self.house.game.notes)

    @cached_property
    def options(self) -> tuple[OptionLine, ...]:
        return tuple(
            OptionLine(o.name, show_value(self.house.options[o.name]), show_value(o.start()), o.allowed(), o.help)
            for o in self.house.game.all_options.values()
        )

    @cached_property
    def strategies(self) -> dict[str, str]:
        told = {"optimal": "what brings most at every decision"}
        if self.graph.open_ended:
            told["basic"] = "what brings most by the chart: derived, see pitboss strategy"
        own = self.house.game.strategies
        return told | {name: " ".join(str(fn.__doc__ or "").split()) for name, fn in own.items()}

    def sentences(self) -> list[str]:
        """Every line of the sheet, for whoever looks for one."""
        told = [self.title, *self.about.split("\n\n"), self.dealt_from, self.odd_amounts]
        for line in self.wagers:
            told.append(f"{line.called}: {line.bet}, {line.amount}; {line.about}")
        for table in self.paytables:
            told += [f"{', '.join(table.wagers)}: {row} {pay}" for row, pay in table.pays.items()]
        told += [text for _, text in lines(self.procedure)]
        told += [f"{case}: {words}" for case, words in self.irregular.items()]
        told += [f"{o.option}={o.value}: {o.about}" for o in self.options]
        return [*told, *self.readings]

    def json(self) -> dict[str, Any]:
        """The same in plain values."""
        house = self.house
        return {
            "game": house.game.name,
            "title": self.title,
            "about": self.about,
            "cards": sum(house.composition),
            "deck": self.dealt_from,
            "wagers": [
                {
                    "wager": w.wager, "called": w.called, "bet": w.bet, "amount": w.amount, "about": w.about,
                    "paytable": w.paytable, "paytables": list(w.paytables), "pays": dict(w.pays),
                }
                for w in self.wagers
            ],
            "odd_amounts": self.odd_amounts,
            "either_or": [list(names) for names in self.either_or],
            "procedure": [
                {"section": part.title, "depth": depth, "number": step.number, "step": step.text}
                for part in self.procedure
                for top in part.steps
                for depth, step in top.walk()
            ],
            "examples": [e.json() for e in self.examples],
            "irregular": [{"case": case, "words": words} for case, words in self.irregular.items()],
            "options": [
                {"option": o.option, "value": o.value, "default": o.default, "allowed": o.allowed, "about": o.about}
                for o in self.options
            ],
            "strategies": dict(self.strategies),
            "notes": list(self.readings),
        }  # fmt: skip


def _pays(table: PayTable) -> dict[str, str]:
    """Row -> what it pays; that a push pushes and a loss loses is said by their names."""
    return {row: show_pay(pay) for row, pay in table.pays.items() if row not in ("push", "lose")}


def sheet_of(house: House, wager: str | None = None) -> Sheet:
    """The sheet of a house, or of one wager with all that goes with it."""
    return Sheet(house, wager)
