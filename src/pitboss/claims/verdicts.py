"""A claim by itself: its verdict under the reading it states, under those it leaves open, and under other options."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import prod
from typing import Any

from pitboss.claims.counted import OPTIMAL
from pitboss.claims.figures import Figure
from pitboss.claims.file import ABOUT, BOUNDS, Claim, Mistake
from pitboss.claims.measured import AND, Measured, command
from pitboss.claims.measures import check, take
from pitboss.claims.readings import PAY_TABLE, but, stated, tried
from pitboss.ledger.records import ratio
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.options import Choice

CONFIRMED, TRUNCATED, WITHIN = "confirmed", "confirmed, truncated", "within the stated error"
ONLY_IF, CONTRADICTED, INCONSISTENT = "true only if", "contradicted", "internally inconsistent"
NOT_STATED, NOT_COMPUTABLE = "not stated", "not computable"
VERDICTS = (CONFIRMED, TRUNCATED, WITHIN, ONLY_IF, CONTRADICTED, INCONSISTENT, NOT_STATED, NOT_COMPUTABLE)
GOOD = (CONFIRMED, WITHIN, TRUNCATED)

ERRORS_ALLOWED = 2  # standard errors between an estimate and the truth, beside the rounding of the printed figure
ERRORS_OF_OURS = 5  # and of a simulation of our own, before it is said to contradict anything

TIMES = {0.5: "half that of", 1: "that of", 2: "twice that of"}

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
        found = self.measured
        if found is None:
            return ""
        unit = self.claim.figure or Figure.read("0.00%")
        if not found.error:
            return unit.show(found.value)
        return f"{unit.show(found.value)} ± {unit.show(found.error)} (simulated)"

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
            "means": self.claim.means,
            "word": self.claim.word or None,
            "reads": self.claim.reads or None,
            "computed": None if found is None else float(found.value),
            "computed_exact": self.exact,
            "computed_as_printed": self.computed or None,
            "standard_error": None if found is None or not found.error else float(found.error),
            "verdict": self.verdict,
            "explanation": self.explanation,
            "note": self.claim.note or None,
            "command": self.command,
        }


def judge_alone(claim: Claim) -> Verdict:
    """The verdict on one claim. What cannot be computed is told with the reason, and the next claim is judged."""
    if claim.readings:
        return _over_the_readings(claim)
    house = claim.usual
    try:
        house = stated(claim)
        check(claim, house)
        return _judged(claim, house)
    except Mistake:
        raise
    except BadInput as error:
        known = {w.name: house.lead(w.name) for w in house.wagers}
        at = claim if claim.strategy in house.game.strategies else replace(claim, strategy=OPTIMAL)
        shown = command("analyze", at, house, wager=known.get(claim.wager, ""))
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
        return NOT_STATED, "the document prints no figure; this is the computed one"
    off = abs(value - figure.value)
    if found.error and off <= ERRORS_OF_OURS * found.error:
        return NOT_COMPUTABLE, f"a simulation cannot tell it from {figure.text}, and an exact count is too large"
    if claim.means == ABOUT:
        return _about(claim, figure, off)
    if claim.means in BOUNDS:
        holds = value >= figure.value if claim.means == "at least" else value <= figure.value
        return (CONFIRMED, f"{_read(claim)}{claim.means} {figure.text}") if holds else (CONTRADICTED, "")
    if claim.means == "exactly":
        return (CONFIRMED, f"{_read(claim)}exactly {figure.text}") if value == figure.value else (CONTRADICTED, "")
    if figure.rounds_to(value):
        return CONFIRMED, "to the printed digits"
    if claim.error:
        error = Figure.read(claim.error)
        allowed = ERRORS_ALLOWED * error.value + figure.unit / 2
        if off <= allowed:
            far = figure.distance(allowed)
            return WITHIN, f"off by {figure.apart(value)}; {_error(claim)} and the rounding allow {far}{_how(claim)}"
    if figure.cut_from(value):
        return TRUNCATED, f"cut off after the printed digits; rounded it would be {figure.show(value, 0)}"
    return CONTRADICTED, ""


def _about(claim: Claim, figure: Figure, off: Fraction) -> tuple[str, str]:
    """A likeness, by the tolerance that the claims file gives to the document's word."""
    tolerance = Figure.read(claim.reads).value
    if off > tolerance:
        return CONTRADICTED, ""
    gap, most = figure.distance(off), figure.distance(tolerance)
    return CONFIRMED, f"{gap} away; “{claim.word}” is read as within {most}"


def _read(claim: Claim) -> str:
    """How a word of the document became a figure."""
    return "" if claim.printed else f"“{claim.word}” is read as "


def _error(claim: Claim) -> str:
    words = f"two standard errors of {claim.error}"
    parts = [f"{TIMES.get(times, f'{times} times that of')} {other}" for other, times in claim.error_from.items()]
    return f"{words} ({' and '.join(parts)})" if parts else words


def _how(claim: Claim) -> str:
    return f"; {claim.estimated}" if claim.estimated else ""


def contradicted(claim: Claim, found: Measured, whatever: str = "") -> Verdict:
    figure = claim.figure
    assert figure is not None  # without a figure nothing is contradicted
    why = f"off by {figure.apart(found.value)}{f', {whatever}' if whatever else ''}"
    if not claim.printed or claim.means in BOUNDS:
        why = f"{_read(claim)}{claim.means} {figure.text}; {why}"
    if claim.means == ABOUT:
        why += f"; “{claim.word}” is read as within {figure.distance(Figure.read(claim.reads).value)}"
    if found.error:
        why += f", {float(abs(found.value - figure.value) / found.error):,.0f} standard errors of the simulation"
    if claim.error:
        why += f"; {_error(claim)} do not reach that far"
    if claim.against:
        return Verdict(claim, found, INCONSISTENT, f"{why}; computed from {claim.against}", found.command)
    return Verdict(claim, found, CONTRADICTED, why, found.command)


# ---- what the document may mean


def _over_the_readings(claim: Claim) -> Verdict:
    """Under each of the readings that the claims file names."""
    found = {name: judge_alone(claim.read_as(name)) for name in claim.readings}
    holds = [name for name, v in found.items() if v.verdict in GOOD]
    if not holds:
        name, first = next(iter(found.items()))
        return replace(first, explanation=f"as {name}: {first.explanation}{_otherwise(found, [name])}")
    first = found[holds[0]]
    if len(holds) == len(found):
        return replace(first, explanation=f"{first.explanation}, however it is read")
    why = f"it is read as {' or as '.join(holds)}{_otherwise(found, holds)}"
    commands = AND.join(dict.fromkeys(v.command for v in found.values()))
    return replace(first, verdict=ONLY_IF, explanation=why, command=commands)


def _otherwise(found: Mapping[str, Verdict], but_for: Sequence[str]) -> str:
    """What it would be as something else."""
    rest = [f"{v.computed or 'not computable'} as {name}" for name, v in found.items() if name not in but_for]
    return f"; it would be {', '.join(rest)}" if rest else ""


# ---- what the document leaves open


def _over_the_unstated(claim: Claim, house: House, figure: Figure) -> Verdict:
    """Under every value of the options that the document leaves open."""
    found = {
        tuple(settings.items()): take(claim, but(house, claim.wager, settings))
        for settings in tried(claim, house, claim.unstated)
    }
    plain = {key: _plain(claim, measured) for key, measured in found.items()}
    seen = {verdict for verdict, _ in plain.values()}
    good = next((v for v in GOOD if v in seen), "")  # a cut-off figure where none rounds
    holds = [key for key, (verdict, _) in plain.items() if verdict == good]
    usual = _usual(claim, house, holds or list(found))
    measured = found[usual]
    if guessed := _guessed(claim, house, holds):
        return _only_guesses(claim, guessed, found[_usual(claim, house, list(found))], found.values(), len(holds))
    if not holds:
        there = _under_another_option(claim, but(house, claim.wager, dict(usual)), measured)
        return there or contradicted(claim, measured, _whatever(claim))
    if len(holds) == len(found):
        verdict, why = plain[usual]
        return Verdict(claim, measured, verdict, f"{why}, {_whatever(claim)}", measured.command)
    start = _usual(claim, house, list(found))
    needs = _box(holds, list(found))
    if needs and not _open_list(claim, house):
        why = " and ".join(f"{name} is {' or '.join(values)}" for name, values in needs.items())
    else:
        such = " and ".join(f"{name} is {value}" for name, value in usual)
        why = f"{such}, for example; it holds in {len(holds)} of the {len(found)} combinations that were tried"
    if start not in holds:
        why += f"; with the defaults of the game file it is {figure.show(found[start].value)}"
    else:
        others = [m.value for key, m in found.items() if key not in holds]
        why += f"; otherwise {figure.show(min(others))}"
        why += f" to {figure.show(max(others))}" if len(set(others)) > 1 else ""
    fixed = {name: frozenset(values) for name, values in needs.items()}
    return Verdict(claim, measured, ONLY_IF, why, measured.command, fixed)


def _guessed(claim: Claim, house: House, holds: Sequence[Combination]) -> list[str]:
    """The amounts that the document leaves open, where no figure comes out with the usual ones: somebody who may choose
    an amount can have any figure, so hitting it proves nothing and missing it neither."""
    options = house.game.all_options
    amounts = [name for name in claim.unstated if name != PAY_TABLE and not isinstance(options[name], Choice)]
    if claim.means in BOUNDS or any(all(_is_usual(claim, house, n, v) for n, v in k if n in amounts) for k in holds):
        return []
    return amounts


def _only_guesses(
    claim: Claim, amounts: Sequence[str], usual: Measured, tried_: Iterable[Measured], hits: int
) -> Verdict:
    figure, values = claim.figure, [m.value for m in tried_]
    assert figure is not None
    why = (
        f"missing: {' and '.join(amounts)}, and with amounts of one's own choice any figure can be had; of "
        f"{len(values)} combinations that were tried {hits} come{'s' * (hits == 1)} to {figure.text}, and all of "
        f"them lie between {figure.show(min(values))} and {figure.show(max(values))}; computed is what the game file's "
        "defaults give"
    )
    return Verdict(claim, usual, NOT_COMPUTABLE, why, usual.command)


def _open_list(claim: Claim, house: House) -> bool:
    """Whether more could be tried than was: amounts, and pay tables that nobody has printed."""
    options = house.game.all_options
    return any(name == PAY_TABLE or not isinstance(options[name], Choice) for name in claim.unstated)


def _usual(claim: Claim, house: House, keys: Sequence[Combination]) -> Combination:
    """The combination nearest to the house's defaults."""
    return max(keys, key=lambda key: sum(_is_usual(claim, house, name, value) for name, value in key))


def _is_usual(claim: Claim, house: House, name: str, value: str) -> bool:
    if name == PAY_TABLE:
        return house.tables[claim.wager].name == value
    return house.game.all_options[name].parse(value) == house.options[name]


def _box(holds: Sequence[Combination], everything: Sequence[Combination]) -> dict[str, list[str]]:
    """What each option must be, if that says exactly which combinations hold; else nothing."""
    names = [name for name, _ in everything[0]]
    kept = [list(dict.fromkeys(key[i][1] for key in holds)) for i in range(len(names))]
    if prod(map(len, kept)) != len(holds):
        return {}
    offered = [{key[i][1] for key in everything} for i in range(len(names))]
    return {n: some for n, some, every in zip(names, kept, offered, strict=True) if len(some) < len(every)}


def _whatever(claim: Claim) -> str:
    words = list(claim.unstated)
    if len(words) == 1:
        return f"whatever {words[0]} is"
    return f"whatever {', '.join(words[:-1])} and {words[-1]} are"


# ---- what the document does not think of


def _under_another_option(claim: Claim, house: House, found: Measured) -> Verdict | None:
    """Whether another value of one option that the claim does not state makes it true. A reading says what is meant,
    and is not stretched any further."""
    figure = claim.figure
    assert figure is not None
    if claim.may_be_read:
        return None
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
