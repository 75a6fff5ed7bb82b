"""From what was told to the printed procedure: sections, numbers, who comes first, like wagers together."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pitboss.rules.called import wager_called, wagers_called
from pitboss.rules.cut import usual_behind
from pitboss.rules.graph import Graph, Share
from pitboss.rules.house import House
from pitboss.rules.outcomes import told as cases_told
from pitboss.rules.steps import Procedure, Section, Step
from pitboss.rules.told import TABLE, Told, grouped

_SEATED = ("settle", "stand", "decide")
_HEADS = ("who", "if", "otherwise", "over", "again")
LIMITS = (
    "See that every bet lies in its circle and within its limits. No bet is placed, changed or taken back once the "
    "first card is dealt."
)


def laid_out(house: House, graph: Graph, told: Sequence[Told], blocks: Mapping[str, Sequence[Told]]) -> Procedure:
    return _Layout(house, graph, blocks).sections(told)


class _Layout:
    def __init__(self, house: House, graph: Graph, blocks: Mapping[str, Sequence[Told]]) -> None:
        self.house, self.graph, self.blocks = house, graph, dict(blocks)
        self.opened: set[str] = set()
        self.choosing = 0  # how deep below a choice this is
        self.acted = False  # somebody has decided something since the table did the last thing

    def sections(self, told: Sequence[Told]) -> Procedure:
        parts: list[tuple[str, list[Step]]] = [("Before the deal", self._before())]
        dealt = False
        for run in _runs(told):
            dealt = dealt or any(step.has("deal") for step in run)
            title = self._title(run, dealt, parts[-1][0])
            steps = self._run(run)
            if parts[-1][0] == title:
                parts[-1][1].extend(steps)
            else:
                parts.append((title, steps))
        parts.append(("The end of the round", self._end()))
        numbers = iter(range(1, 1000))
        return tuple(Section(title, tuple(replace(s, number=next(numbers)) for s in steps)) for title, steps in parts)

    def _title(self, run: Sequence[Told], dealt: bool, before: str) -> str:
        if any(step.has("decide") for step in run):
            return "The players"
        if _seated(run[0]):
            return "Settlement"
        if not dealt:
            return "Before the deal"
        return "The deal" if before in ("Before the deal", "The deal") else "The dealer"

    # ---- steps

    def steps(self, told: Sequence[Told]) -> list[Step]:
        return [step for one in _joined(grouped(told, self._together)) for step in self._step(one)]

    def table(self, told: Sequence[Told]) -> list[Step]:
        """What is done for the table, and what seat by seat."""
        return [step for run in _runs(told) for step in self._run(run)]

    def _run(self, run: Sequence[Told]) -> list[Step]:
        if not _seated(run[0]):
            return self._when_all_have_acted(run)
        steps = tuple(self.steps(run))
        seats, right = self.house.game.seats, self.house.game.settles_from_right
        if any(step.has("decide") for step in run):
            self.acted = True
            return [Step("Each player in turn, from the dealer's left (seat 1 first):", (), steps)]
        who = f"from the dealer's right (seat {seats} first)" if right else "from the dealer's left (seat 1 first)"
        return [Step(f"Settle each player in turn, {who}:", (), steps)]

    def _when_all_have_acted(self, run: Sequence[Told]) -> list[Step]:
        acted, self.acted = self.acted, False
        steps = self.steps(run)
        if acted and steps and not steps[0].text.startswith("If "):
            text = f"When every player has acted: {steps[0].text[:1].lower()}{steps[0].text[1:]}"
            steps[0] = replace(steps[0], text=text)
        return steps

    def _together(self, run: list[Told]) -> list[Told]:
        """Settlements that come out alike, as one."""
        if not run[0].wager:
            return run
        because, subject = run[0].text, f"the {wagers_called(self.house, [step.wager for step in run])}"
        why = f"{because[:1].upper()}{because[1:]}: " if because else ""
        parts = cases_told(run[0].cases, len(run) > 1)
        if parts in (["lose"], ["loses"]):
            text = f"{why}take {subject}{' at once' * bool(self.choosing)}."
            does = tuple(part for step in run for part in step.does)
            return [Told(("settles", *does), text[:1].upper() + text[1:])]
        whole = len(parts) == 1
        text = f"{why}{subject} {parts[0]}." if whole else f"{why}settle {subject} by the first of these that fits."
        kids = [] if whole else [Told((), f"{p[:1].upper()}{p[1:]}.") for p in parts]
        does = tuple(part for step in run for part in step.does)
        return [Told(("settles", *does), text[:1].upper() + text[1:], tuple(kids))]

    def _step(self, told: Told) -> list[Step]:
        kind = told.does[0] if told.does else ""
        if kind == "block":
            name = told.does[1]
            if name in self.opened:
                return [Step(f"Go on with {name}.")]
            self.opened.add(name)
            return [Step(f"{name[:1].upper()}{name[1:]}:", (), tuple(self.steps(self.blocks[name])))]
        if kind == "settles":
            pairs = zip(told.does[1::2], told.does[2::2], strict=True)
            return [Step(told.text, tuple(pairs), tuple(Step(k.text) for k in told.kids))]
        self.choosing += kind == "choice"
        kids = self.table(told.kids) if told.does[1:] == (TABLE,) else self.steps(told.kids)
        self.choosing -= kind == "choice"
        return [Step(told.text, () if kind in _HEADS or not kind else (told.does,), tuple(kids))]

    # ---- before and after

    def _before(self) -> list[Step]:
        house = self.house
        along = tuple(("bet", w.name) for w in house.wagers if w.along)
        steps = [Step("Players place their bets.", along, tuple(Step(t) for t in self._bets())), Step(LIMITS)]
        tokes = [w.name for w in house.wagers if w.tokes and not w.equal_to]
        if tokes:
            steps.append(
                Step(
                    f"A player may place {wagers_called(house, tokes)} for the dealer as well. Such a toke is settled "
                    "like his own bet, and belongs to the dealer."
                )
            )
        return [Step(self._shuffle()), *steps]

    def _bets(self) -> list[str]:
        house = self.house
        either = {name for names in house.one_of for name in names}
        opening = [w for w in house.wagers if not w.equal_to]
        must = [w.name for w in opening if w.required]
        out = [f"Every player places the {wagers_called(house, must)}."] if must else []
        for w in house.wagers:
            if w.along:
                lead, name = wager_called(house, str(w.equal_to)), wager_called(house, w.name)
                out.append(f"Along with the {lead} he places as much again on the {name}.")
        needy = {w.name for w in opening if w.needs}
        for whole in house.one_of:
            names = [n for n in whole if n not in needy]
            if not any(n in must for n in names):
                few = len(names) < 5
                which = (
                    f"at least one of the {wagers_called(house, names)}"
                    if few
                    else "a bet in one or more of the circles"
                )
                out.append(f"Every player places {which}.")
        needs: dict[str, list[str]] = {}
        for w in opening:
            if not w.required and (w.name not in either or w.needs):
                needs.setdefault(w.needs or "", []).append(w.name)
        for need, wagers in needs.items():
            also = f", but only with a {wager_called(house, need)}" if need and need not in must else ""
            out.append(f"He may also place the {wagers_called(house, wagers)}{also}.")
        return out

    def _shuffle(self) -> str:
        house = self.house
        if "decks" not in house.options:
            return "Shuffle the deck before every round."
        behind = usual_behind(house, self.graph.most_cards(1))
        where = house.game.called.get("cut card") or f"{_decks(behind / len(house.deck))} from the back"
        return (
            f"After a shuffle insert the cut card {where}, with {behind} cards behind it. Deal rounds until it comes "
            "out; finish that round, and shuffle."
        )

    def _end(self) -> list[Step]:
        steps = []
        for wager in dict.fromkeys(e.wager for n in self.graph.nodes for e in n.events if isinstance(e, Share)):
            text = (
                f"When all other bets are settled, award the {wager_called(self.house, wager)} to the player with the "
                "best hand. Equal hands share it; an odd dollar goes to the one who was settled first."
            )
            steps.append(Step(text, (("pot", wager), ("settle", wager))))
        return [*steps, Step("Collect all cards, and put them in the discard rack.")]


def _seated(step: Told) -> bool:
    """Whether a step is taken seat by seat."""
    mine = step.at_seats or any(map(step.has, _SEATED)) or step.does[0] in ("block", "who")
    return mine and step.does[1:] != (TABLE,)


def _runs(told: Sequence[Told]) -> list[list[Told]]:
    """What seats do in one go, and what is done for the table, apart."""
    out: list[list[Told]] = []
    for step in told:
        if out and _seated(step) and _seated(out[-1][0]):
            out[-1].append(step)
        else:
            out.append([step])
    return out


def _joined(told: Sequence[Told]) -> list[Told]:
    """Settlements for the same reason in one sentence, where it is short."""
    out: list[Told] = []
    for step in told:
        why, colon, rest = step.text.partition(": ")
        last = out[-1] if out else None
        if last is not None and colon and step.does[:1] == last.does[:1] == ("settles",) and not last.kids + step.kids:
            text = f"{last.text[:-1]}; {rest}"
            if last.text.startswith(f"{why}: ") and len(text.split()) < 36:
                out[-1] = Told((*last.does, *step.does[1:]), text)
                continue
        out.append(step)
    return out


def _decks(decks: float) -> str:
    return "one deck" if decks == 1 else f"{decks:.3g} decks"
