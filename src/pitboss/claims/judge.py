"""The judge: a verdict for every claim of a document, from what was computed and never from what was expected."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from pitboss.claims.figures import Figure
from pitboss.claims.file import Claim, Document
from pitboss.claims.measures import PAY_TABLE, Measured, Reading, game_of, house_of, result_of, take, tried
from pitboss.claims.slips import Slip, in_the_number, in_the_rows
from pitboss.drawn import DrawnWager
from pitboss.results import Outcome, ratio
from pitboss.rules.errors import BadInput
from pitboss.rules.options import Choice

CONFIRMED, TRUNCATED, WITHIN = "confirmed", "confirmed, truncated", "within the stated error"
ONLY_IF, CONTRADICTED, INCONSISTENT = "true only if", "contradicted", "internally inconsistent"
NOT_COMPUTABLE = "not computable"
VERDICTS = (CONFIRMED, TRUNCATED, WITHIN, ONLY_IF, CONTRADICTED, INCONSISTENT, NOT_COMPUTABLE)

DIFFERENCE = "difference of pay tables"
ERRORS_ALLOWED = 2  # standard errors between an estimate and the truth, beside the rounding of the printed figure


@dataclass(frozen=True)
class Verdict:
    """One claim, judged."""

    claim: Claim
    measured: Measured | None
    verdict: str
    explanation: str
    command: str

    @property
    def computed(self) -> str:
        """The computed figure in the unit of the printed one."""
        if self.measured is None:
            return ""
        return (self.claim.figure or Figure.read("0.00%")).show(self.measured.value)

    def json(self) -> dict[str, Any]:
        found = self.measured
        return {
            "id": self.claim.id,
            "says": self.claim.says,
            "where": self.claim.where,
            "claimed": self.claim.printed or None,
            "computed": None if found is None else float(found.value),
            "computed_exact": ratio(found.value) if found is not None and found.exact else None,
            "computed_as_printed": self.computed or None,
            "verdict": self.verdict,
            "explanation": self.explanation,
            "command": self.command,
        }


@dataclass(frozen=True)
class Judged:
    """All claims of one document, judged."""

    document: Document
    verdicts: tuple[Verdict, ...]

    def counts(self) -> dict[str, int]:
        found = Counter(v.verdict for v in self.verdicts)
        return {verdict: found[verdict] for verdict in VERDICTS}


def judge(document: Document, progress: Callable[[str], None] = lambda _: None) -> Judged:
    """Every claim by itself, then against the others of its document, then the search for what explains the rest."""
    first = []
    for claim in document.claims:
        progress(claim.id)
        try:
            first.append(_alone(claim))
        except BadInput as error:
            raise BadInput(f"{document.path}: claim {claim.id}: {error}") from None
    return Judged(document, tuple(_explained(_against_each_other(first))))


# ---- a claim by itself


def _alone(claim: Claim) -> Verdict:
    reading = Reading.of(claim)
    if claim.missing:
        found = take(claim, reading) if claim.wager else None
        shown = found.command if found else f"pitboss rules {claim.game}"
        return Verdict(claim, found, NOT_COMPUTABLE, f"missing: {claim.missing}", shown)
    if claim.unstated:
        return _over_the_unstated(claim, reading)
    found = take(claim, reading)
    verdict, why = _plain(claim, found)
    if verdict == CONTRADICTED:
        return _searched(claim, reading, found)
    return Verdict(claim, found, verdict, why, found.command)


def _plain(claim: Claim, found: Measured) -> tuple[str, str]:
    """The verdict on a computed figure, under one reading."""
    figure, value = claim.figure, found.value
    if figure is None:
        return NOT_COMPUTABLE, "the document prints no figure to compare with"
    if claim.means == "exactly":
        return (CONFIRMED, "exactly") if value == figure.value else (CONTRADICTED, "")
    if claim.means in ("at least", "at most"):
        holds = value >= figure.value if claim.means == "at least" else value <= figure.value
        return (CONFIRMED, f"{claim.means} {figure.text}") if holds else (CONTRADICTED, "")
    if figure.rounds_to(value):
        return CONFIRMED, "to the printed digits"
    if claim.error:
        error = Figure.read(claim.error)
        if abs(value - figure.value) <= ERRORS_ALLOWED * error.value + figure.unit / 2:
            far = float(abs(value - figure.value) / error.value)
            how = f"; {claim.estimated}" if claim.estimated else ""
            return WITHIN, f"off by {far:.1f} of its standard error of {error.text}{how}"
    if figure.cut_from(value):
        return TRUNCATED, f"cut off after the printed digits; rounded it would be {figure.show(value, 0)}"
    return CONTRADICTED, ""


def _over_the_unstated(claim: Claim, reading: Reading) -> Verdict:
    """Under every value of the options that the document leaves open."""
    found = {
        tuple(settings.items()): take(claim, reading.but(claim.wager, settings))
        for settings in tried(claim, reading, claim.unstated)
    }
    plain = {key: _plain(claim, measured) for key, measured in found.items()}
    good = next((v for v in (CONFIRMED, WITHIN, TRUNCATED) if v in {verdict for verdict, _ in plain.values()}), "")
    holds = [key for key, (verdict, _) in plain.items() if verdict == good]  # a cut-off figure only where none rounds
    usual = _usual(claim, reading, holds or list(found))
    measured = found[usual]
    if not holds:
        return _contradicted(claim, measured, f"whatever {_listed(claim.unstated)}")
    if len(holds) == len(found):
        verdict, why = plain[usual]
        return Verdict(claim, measured, verdict, f"{why}, whatever {_listed(claim.unstated)}", measured.command)
    figure = claim.figure
    assert figure is not None
    start = _usual(claim, reading, list(found))
    why = _condition(holds, list(found), usual)
    if start not in holds:
        why += f"; with the defaults of the game file it is {figure.show(found[start].value)}"
    else:
        others = [m.value for key, m in found.items() if key not in holds]
        why += f"; otherwise {figure.show(min(others))}"
        why += f" to {figure.show(max(others))}" if len(set(others)) > 1 else ""
    return Verdict(claim, measured, ONLY_IF, why, measured.command)


def _usual(claim: Claim, reading: Reading, keys: Sequence[tuple[tuple[str, str], ...]]) -> tuple[tuple[str, str], ...]:
    """The combination nearest to the house's defaults."""
    house = house_of(claim.game, reading)

    def usual(name: str, value: str) -> bool:
        if name == PAY_TABLE:
            return house.tables[claim.wager].name == value
        return house.game.all_options[name].parse(value) == house.options[name]

    return max(keys, key=lambda key: sum(usual(name, value) for name, value in key))


def _condition(
    holds: Sequence[tuple[tuple[str, str], ...]],
    everything: Sequence[tuple[tuple[str, str], ...]],
    usual: tuple[tuple[str, str], ...],
) -> str:
    """The combinations that hold, in as few words as they allow."""
    names = [name for name, _ in everything[0]]
    kept = [list(dict.fromkeys(key[i][1] for key in holds)) for i in range(len(names))]
    offered = [list(dict.fromkeys(key[i][1] for key in everything)) for i in range(len(names))]
    box = 1
    for values in kept:
        box *= len(values)
    if box == len(holds):
        return ", ".join(
            f"{name} is {' or '.join(some)}"
            for name, some, every in zip(names, kept, offered, strict=True)
            if len(some) < len(every)
        )
    such = ", ".join(f"{name} is {value}" for name, value in usual)
    return f"in {len(holds)} of {len(everything)} combinations of {_listed(dict.fromkeys(names))}, such as {such}"


def _listed(names: Mapping[str, object]) -> str:
    words = list(names)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _searched(claim: Claim, reading: Reading, found: Measured) -> Verdict:
    """Whether another value of one option of the game makes the claim true."""
    game = game_of(claim.game)
    stated = dict(reading.options)
    for option in game.all_options.values():
        if not isinstance(option, Choice):
            continue
        start = stated.get(option.name, str(option.start()))
        holds = []
        for value in map(str, option.values):
            if value == start:
                continue
            try:
                there = take(claim, reading.but(claim.wager, {option.name: value}))
            except BadInput:  # this reading has no such wager, row or pay table
                continue
            if _plain(claim, there)[0] != CONTRADICTED:
                holds.append(value)
        if holds:
            figure = claim.figure
            assert figure is not None
            why = f"{option.name} is {' or '.join(holds)}; with {option.name} {start} it is {figure.show(found.value)}"
            return Verdict(claim, found, ONLY_IF, why, found.command)
    return _contradicted(claim, found)


def _contradicted(claim: Claim, found: Measured, whatever: str = "") -> Verdict:
    figure = claim.figure
    assert figure is not None
    verdict = INCONSISTENT if claim.measure == DIFFERENCE else CONTRADICTED
    why = f"off by {figure.apart(found.value)}{f', {whatever}' if whatever else ''}"
    if claim.measure == DIFFERENCE:
        why = f"the document takes two pay tables for one: {_rows_apart(claim)}"
    return Verdict(claim, found, verdict, why, found.command)


def _rows_apart(claim: Claim) -> str:
    """Where two pay tables differ, and what that makes of the edge."""
    reading = Reading.of(claim)
    names = [str(name) for name in claim.across[PAY_TABLE]]
    readings = [reading.but(claim.wager, {PAY_TABLE: name}) for name in names]
    one, two = (house_of(claim.game, r).tables[claim.wager].pays for r in readings)
    rows = [f"{row} {one[row]} or {two[row]}" for row in one if one[row] != two.get(row)]
    edges = [float(result_of(claim.game, r, claim.wager).house_edge) for r in readings]
    return f"{', '.join(rows)}; the edges are {edges[0]:.4%} ({names[0]}) and {edges[1]:.4%} ({names[1]})"


# ---- claims against each other


def _same_bet(verdict: Verdict) -> object:
    """What makes two claims speak of one bet: the same chances of the same pays."""
    found = verdict.measured
    if found is None or not found.outcomes or verdict.claim.measure != "edge" or verdict.claim.means == "about":
        return None
    chances: dict[Fraction, Fraction] = {}
    for outcome in found.outcomes:
        chances[outcome.pays] = chances.get(outcome.pays, Fraction(0)) + outcome.probability
    return verdict.claim.game, verdict.claim.wager, verdict.claim.strategy, frozenset(chances.items())


def _against_each_other(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Two figures that cannot both hold for one bet, and columns that stand there twice."""
    bets = [_same_bet(v) for v in verdicts]
    out = []
    for verdict, bet in zip(verdicts, bets, strict=True):
        figure = verdict.claim.figure
        twins = [v for v, b in zip(verdicts, bets, strict=True) if v is not verdict and bet is not None and b == bet]
        printed = [(v, f) for v in twins if (f := v.claim.figure) is not None]
        if figure is None and printed and not verdict.claim.missing:
            same = " and ".join(f"{v.claim.id} ({f.text})" for v, f in printed)
            why = f"printed without a figure; the same pay table as {same}"
            verdict = replace(verdict, verdict=INCONSISTENT, explanation=why)
        elif figure is not None and verdict.verdict == CONTRADICTED:
            clash = next(((v, f) for v, f in printed if not f.can_hold_with(figure)), None)
            if clash:
                why = f"the same pay table is printed with {clash[1].text} ({clash[0].claim.id}); {verdict.explanation}"
                verdict = replace(verdict, verdict=INCONSISTENT, explanation=why)
        out.append(verdict)
    return out


# ---- what explains the rest


def _explained(verdicts: Sequence[Verdict]) -> Iterator[Verdict]:
    """To every wrong figure the slip that explains it, and most others of the document with it."""
    found = {v.claim.id: list(_slips(v, verdicts)) for v in verdicts if v.verdict in (CONTRADICTED, INCONSISTENT)}
    times = Counter(key for slips in found.values() for key in {s.key for s in slips})
    for verdict in verdicts:
        slips = found.get(verdict.claim.id)
        if not slips:
            yield verdict
            continue
        best = min(slips, key=lambda s: (-times[s.key], s.order))
        also = [i for i, others in found.items() if i != verdict.claim.id and best.key in {s.key for s in others}]
        shared = f", which explains {', '.join(also)} too" if also else ""
        yield replace(verdict, explanation=f"{verdict.explanation}; explained by {best.words}{shared}")


def _slips(verdict: Verdict, others: Sequence[Verdict]) -> Iterator[Slip]:
    claim, figure, measured = verdict.claim, verdict.claim.figure, verdict.measured
    if figure is None or measured is None or claim.means != "as printed" or claim.measure == DIFFERENCE:
        return
    yield from in_the_number(figure, measured.value)
    if claim.measure == "edge together":
        yield from _average_of_printed(verdict, others)
    if claim.measure == "edge":
        yield from _of_another_table(claim, figure)
        yield from in_the_rows(figure, _finer(claim) or measured.outcomes)


def _finer(claim: Claim) -> tuple[Outcome, ...]:
    """The rows of the same bet told further apart, if the claim says how; its edge must be the same."""
    if not claim.finer:
        return ()
    fine = Reading.of(replace(claim, options=claim.finer.get("options", {}), tables=claim.finer.get("tables", {})))
    found = result_of(claim.game, fine, claim.wager)
    plain = result_of(claim.game, Reading.of(claim), claim.wager)
    if isinstance(found, DrawnWager) or found.house_edge != plain.house_edge:
        raise BadInput(f"claim {claim.id}: finer is not the same bet: its edge is another one")
    return found.outcomes


def _of_another_table(claim: Claim, figure: Figure) -> Iterator[Slip]:
    house = house_of(claim.game, reading := Reading.of(claim))
    here = house.tables[claim.wager]
    others = [
        table.name
        for table in next(w for w in house.wagers if w.name == claim.wager).tables
        if dict(table.pays) != dict(here.pays)
        and figure.rounds_to(
            Fraction(result_of(claim.game, reading.but(claim.wager, {PAY_TABLE: table.name}), claim.wager).house_edge)
        )
    ]
    if others:
        yield Slip("another column", f"the figure of pay table {' or '.join(others)} in its place", 1)


def _average_of_printed(verdict: Verdict, others: Sequence[Verdict]) -> Iterator[Slip]:
    """The average of figures as printed: of rounded ones, or of wrong ones."""
    claim, figure = verdict.claim, verdict.claim.figure
    assert figure is not None
    reading = Reading.of(claim)
    total, parts = Fraction(0), []
    for wager, amount in claim.bets.items():
        edge = result_of(claim.game, reading, wager, claim.strategy).house_edge
        part = next(
            (
                v for v in others
                if v.claim.measure == "edge" and v.claim.wager == wager and v.measured and v.measured.value == edge
                and v.claim.figure is not None
            ),
            None,
        )  # fmt: skip
        if part is None or part.claim.figure is None:
            return
        total += Fraction(str(amount)) * part.claim.figure.value
        parts.append(part)
    total /= sum(Fraction(str(a)) for a in claim.bets.values())
    if figure.agrees(total):
        named = " and ".join(f"{p.claim.id} ({p.claim.printed}, {p.verdict})" for p in parts)
        yield Slip("average of printed figures", f"the average of {named} as printed", 0)
