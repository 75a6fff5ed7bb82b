"""A claim by itself: its verdict under the reading it states, under those it leaves open, and under other options."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

from pitboss.claims.counted import record_of
from pitboss.claims.figures import Figure
from pitboss.claims.file import Claim, Mistake
from pitboss.claims.measures import Measured, check, command, take
from pitboss.claims.readings import PAY_TABLE, but, stated, tried
from pitboss.ledger.records import ratio
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.options import Choice

CONFIRMED, TRUNCATED, WITHIN = "confirmed", "confirmed, truncated", "within the stated error"
ONLY_IF, CONTRADICTED, INCONSISTENT = "true only if", "contradicted", "internally inconsistent"
NOT_COMPUTABLE = "not computable"
VERDICTS = (CONFIRMED, TRUNCATED, WITHIN, ONLY_IF, CONTRADICTED, INCONSISTENT, NOT_COMPUTABLE)

DIFFERENCE = "difference of pay tables"
ERRORS_ALLOWED = 2  # standard errors between an estimate and the truth, beside the rounding of the printed figure

Combination = tuple[tuple[str, str], ...]  # option -> value


@dataclass(frozen=True)
class Verdict:
    """One claim, judged."""

    claim: Claim
    measured: Measured | None
    verdict: str
    explanation: str
    command: str
    needs: Mapping[str, frozenset[str]] = field(default_factory=dict)  # option -> the values that make it true

    @property
    def computed(self) -> str:
        """The computed figure in the unit of the printed one."""
        if self.measured is None:
            return ""
        return (self.claim.figure or Figure.read("0.00%")).show(self.measured.value)

    @property
    def exact(self) -> str | None:
        """The computed figure as a fraction, where it is one."""
        return ratio(self.measured.value) if self.measured is not None and self.measured.exact else None

    def json(self) -> dict[str, Any]:
        found = self.measured
        return {
            "id": self.claim.id,
            "says": self.claim.says,
            "where": self.claim.where,
            "claimed": self.claim.printed or None,
            "computed": None if found is None else float(found.value),
            "computed_exact": self.exact,
            "computed_as_printed": self.computed or None,
            "verdict": self.verdict,
            "explanation": self.explanation,
            "command": self.command,
        }


def judge_alone(claim: Claim) -> Verdict:
    """The verdict on one claim. What cannot be computed is told with the reason, and the next claim is judged."""
    house = stated(claim)
    check(claim, house)
    try:
        return _judged(claim, house)
    except Mistake:
        raise
    except BadInput as error:
        shown = command("analyze", claim, house, wager=claim.wager)
        return Verdict(claim, None, NOT_COMPUTABLE, " ".join(str(error).split()), shown)


def _judged(claim: Claim, house: House) -> Verdict:
    if claim.missing:
        found = take(claim, house) if claim.wager else None
        shown = found.command if found else command("rules", claim, house)
        return Verdict(claim, found, NOT_COMPUTABLE, f"missing: {claim.missing}", shown)
    if claim.unstated and claim.figure is not None:
        return _over_the_unstated(claim, house, claim.figure)
    found = take(claim, house)
    verdict, why = _plain(claim, found)
    if verdict == CONTRADICTED:
        return _under_another_option(claim, house, found) or contradicted(claim, found)
    return Verdict(claim, found, verdict, why, found.command)


def _plain(claim: Claim, found: Measured) -> tuple[str, str]:
    """The verdict on a computed figure, under one reading."""
    figure, value = claim.figure, found.value
    if figure is None:
        return NOT_COMPUTABLE, "missing: a printed figure to compare with"
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


def contradicted(claim: Claim, found: Measured, whatever: str = "") -> Verdict:
    figure = claim.figure
    assert figure is not None  # without a figure nothing is contradicted
    if claim.measure == DIFFERENCE:
        why = f"the document takes two pay tables for one: {_rows_apart(claim)}"
        return Verdict(claim, found, INCONSISTENT, why, found.command)
    why = f"off by {figure.apart(found.value)}{f', {whatever}' if whatever else ''}"
    return Verdict(claim, found, CONTRADICTED, why, found.command)


def _rows_apart(claim: Claim) -> str:
    """Where two pay tables differ, and what that makes of the edge."""
    names = [str(name) for name in claim.across[PAY_TABLE]]
    houses = [but(stated(claim), claim.wager, {PAY_TABLE: name}) for name in names]
    one, two = (house.tables[claim.wager].pays for house in houses)
    rows = [f"{row} {one[row]} or {two[row]}" for row in one if one[row] != two.get(row)]
    edges = [float(record_of(house, claim.wager).house_edge) for house in houses]
    return f"{', '.join(rows)}; the edges are {edges[0]:.4%} ({names[0]}) and {edges[1]:.4%} ({names[1]})"


# ---- what the document leaves open


def _over_the_unstated(claim: Claim, house: House, figure: Figure) -> Verdict:
    """Under every value of the options that the document leaves open."""
    found = {
        tuple(settings.items()): take(claim, but(house, claim.wager, settings))
        for settings in tried(claim, house, claim.unstated)
    }
    plain = {key: _plain(claim, measured) for key, measured in found.items()}
    seen = {verdict for verdict, _ in plain.values()}
    good = next((v for v in (CONFIRMED, WITHIN, TRUNCATED) if v in seen), "")  # a cut-off figure where none rounds
    holds = [key for key, (verdict, _) in plain.items() if verdict == good]
    usual = _usual(claim, house, holds or list(found))
    measured = found[usual]
    if not holds:
        there = _under_another_option(claim, but(house, claim.wager, dict(usual)), measured)
        return there or contradicted(claim, measured, f"whatever {_listed(claim.unstated)}")
    if len(holds) == len(found):
        verdict, why = plain[usual]
        return Verdict(claim, measured, verdict, f"{why}, whatever {_listed(claim.unstated)}", measured.command)
    start = _usual(claim, house, list(found))
    needs = _box(holds, list(found))
    if needs and not _open_list(claim, house):
        why = ", ".join(f"{name} is {' or '.join(values)}" for name, values in needs.items())
    else:
        such = ", ".join(f"{name} is {value}" for name, value in usual)
        why = f"for example {such}; it holds in {len(holds)} of the {len(found)} combinations that were tried"
    if start not in holds:
        why += f"; with the defaults of the game file it is {figure.show(found[start].value)}"
    else:
        others = [m.value for key, m in found.items() if key not in holds]
        why += f"; otherwise {figure.show(min(others))}"
        why += f" to {figure.show(max(others))}" if len(set(others)) > 1 else ""
    fixed = {name: frozenset(values) for name, values in needs.items()}
    return Verdict(claim, measured, ONLY_IF, why, measured.command, fixed)


def _open_list(claim: Claim, house: House) -> bool:
    """Whether more could be tried than was: amounts, and pay tables that nobody has printed."""
    options = house.game.all_options
    return any(name == PAY_TABLE or not isinstance(options[name], Choice) for name in claim.unstated)


def _usual(claim: Claim, house: House, keys: Sequence[Combination]) -> Combination:
    """The combination nearest to the house's defaults."""

    def usual(name: str, value: str) -> bool:
        if name == PAY_TABLE:
            return house.tables[claim.wager].name == value
        return house.game.all_options[name].parse(value) == house.options[name]

    return max(keys, key=lambda key: sum(usual(name, value) for name, value in key))


def _box(holds: Sequence[Combination], everything: Sequence[Combination]) -> dict[str, list[str]]:
    """What each option must be, if that says exactly which combinations hold; else nothing."""
    names = [name for name, _ in everything[0]]
    kept = [list(dict.fromkeys(key[i][1] for key in holds)) for i in range(len(names))]
    if prod(map(len, kept)) != len(holds):
        return {}
    offered = [{key[i][1] for key in everything} for i in range(len(names))]
    return {n: some for n, some, every in zip(names, kept, offered, strict=True) if len(some) < len(every)}


def _listed(names: Mapping[str, object]) -> str:
    words = list(names)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


# ---- what the document does not think of


def _under_another_option(claim: Claim, house: House, found: Measured) -> Verdict | None:
    """Whether another value of one option that the claim does not state makes it true."""
    figure = claim.figure
    assert figure is not None
    for option in house.game.options:  # of the game: how a house pays odd amounts is no rule that a document states
        if not isinstance(option, Choice) or option.name in claim.options or option.name in claim.unstated:
            continue
        values = [v for v in map(str, option.values) if v != str(option.start())]
        holds = [
            v for v in values if (m := at_option(claim, house, option.name, v)) and _plain(claim, m)[0] != CONTRADICTED
        ]
        if holds:
            why = f"{option.name} is {' or '.join(holds)}; "
            why += f"with the default, {option.start()}, it is {figure.show(found.value)}"
            return Verdict(claim, found, ONLY_IF, why, found.command, {option.name: frozenset(holds)})
    return None


def at_option(claim: Claim, house: House, option: str, value: str) -> Measured | None:
    """The figure with one option at another value; None where there is no such wager, row or pay table then."""
    try:
        return take(claim, but(house, claim.wager, {option: value}))
    except BadInput:
        return None
