"""The judge: a verdict for every claim of a document, from what was computed and never from what was expected.

Claims are judged one by one, then held against each other, then the wrong ones are explained if a slip explains them.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from pitboss.claims.counted import record_of
from pitboss.claims.file import Claim, Document, Mistake
from pitboss.claims.measures import check
from pitboss.claims.readings import PAY_TABLE, but, stated
from pitboss.claims.slips import Slip, in_the_number, in_the_rows
from pitboss.claims.verdicts import (
    CONTRADICTED,
    INCONSISTENT,
    ONLY_IF,
    VERDICTS,
    Verdict,
    at_option,
    judge_alone,
)
from pitboss.ledger.records import Outcome
from pitboss.rules.errors import BadInput
from pitboss.rules.numbers import dollars
from pitboss.rules.options import Choice

WRONG = (CONTRADICTED, INCONSISTENT)


@dataclass(frozen=True)
class Judged:
    """All claims of one document, judged."""

    document: Document
    verdicts: tuple[Verdict, ...]

    def counts(self) -> dict[str, int]:
        found = Counter(v.verdict for v in self.verdicts)
        return {verdict: found[verdict] for verdict in VERDICTS}


def check_all(document: Document) -> None:
    """Whether every claim names what it needs; what the game lacks is told with the verdicts."""
    for claim in (way for each in document.claims for way in _readings(each)):
        try:
            for each in [claim.read_as(name) for name in claim.readings] or [claim]:
                check(each, stated(each))
        except Mistake as error:
            raise Mistake(f"{document.path}: claim {claim.id}: {error}") from None
        except BadInput:
            continue


def _readings(claim: Claim) -> list[Claim]:
    """A claim under each of its readings, or as it is where there is one only."""
    return [claim.read_as(name) for name in claim.readings] or [claim]


def judge(document: Document, progress: Callable[[str], None] = lambda _: None) -> Judged:
    """Every claim of a document."""
    first = []
    for claim in document.claims:
        progress(claim.id)
        try:
            first.append(judge_alone(claim))
        except Mistake as error:
            raise Mistake(f"{document.path}: claim {claim.id}: {error}") from None
    return Judged(document, tuple(_explained(_under_one_reading(_against_each_other(first)))))


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
    """Two figures that cannot both hold for one bet, and pay tables that are printed twice."""
    bets = [_same_bet(v) for v in verdicts]
    out = []
    for verdict, bet in zip(verdicts, bets, strict=True):
        claim, figure = verdict.claim, verdict.claim.figure
        twins = [v for v, b in zip(verdicts, bets, strict=True) if v is not verdict and bet is not None and b == bet]
        printed = [(v, f) for v in twins if v.claim.printed and (f := v.claim.figure) is not None]
        twice = [(v, f) for v, f in printed if v.claim.tables != claim.tables]
        if figure is None and twice and not claim.missing:
            same = " and ".join(f"{v.claim.id} ({f.text})" for v, f in twice)
            why = f"a pay table printed twice: it is that of {same}, and here it has no figure"
            verdict = replace(verdict, verdict=INCONSISTENT, explanation=why)
        elif figure is not None and verdict.verdict == CONTRADICTED:
            # a figure whose place is a matter of reading is no ground to say that the document contradicts itself
            clash = next(((v, f) for v, f in printed if not f.can_hold_with(figure) and not v.claim.may_be_read), None)
            if clash:
                why = f"the same pay table is printed with {clash[1].text} ({clash[0].claim.id}); {verdict.explanation}"
                verdict = replace(verdict, verdict=INCONSISTENT, explanation=why)
        out.append(verdict)
    return out


def _under_one_reading(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Claims that are true under different readings only are not true together, and are told so."""
    out = []
    for verdict in verdicts:
        never = [
            f"{other.claim.id} ({option} is {' or '.join(sorted(other.needs[option]))})"
            for other in verdicts
            for option, values in verdict.needs.items()
            if option in other.needs and other.claim.game == verdict.claim.game and not values & other.needs[option]
        ]
        if verdict.verdict == ONLY_IF and never:
            verdict = replace(verdict, explanation=f"{verdict.explanation}; never together with {', '.join(never)}")
        out.append(verdict)
    return out


# ---- what explains the rest


def _explained(verdicts: Sequence[Verdict]) -> Iterator[Verdict]:
    """To every wrong figure the slip that explains it, and most others of the document with it."""
    found = {v.claim.id: _every_slip(v, verdicts) for v in verdicts if v.verdict in WRONG}
    times = Counter(key for slips in found.values() for key in {s.key for s in slips})
    for verdict in verdicts:
        slips = [s for s in found.get(verdict.claim.id, ()) if s.plain or times[s.key] > 1]
        why = verdict.explanation
        if slips:
            best = min(slips, key=lambda s: (-times[s.key], s.order))
            also = [i for i, others in found.items() if i != verdict.claim.id and best.key in {s.key for s in others}]
            if also:
                why += f"; a slip that would give it, and {', '.join(also)} too: {best.words}"
            elif len(slips) == 1:
                why += f"; a slip that would give it: {best.words}"
            else:
                why += f"; {len(slips)} slips would give it, the plainest: {best.words}"
        if verdict.verdict in WRONG and (right := _right_elsewhere(verdict, verdicts)):
            why += f"; the right figure stands at {right}"
        yield replace(verdict, explanation=why)


def _right_elsewhere(verdict: Verdict, others: Sequence[Verdict]) -> str:
    """Another claim about the same wager whose figure is right here: a wrong one, or one about the very same bet."""
    if verdict.measured is None or not verdict.claim.printed:
        return ""
    bet = _same_bet(verdict)
    return next(
        (
            f"{v.claim.id} ({f.text})" for v in others
            if v is not verdict and v.claim.printed and (f := v.claim.figure) is not None
            and (v.verdict in WRONG or (bet is not None and _same_bet(v) == bet))
            and (v.claim.measure, v.claim.wager) == (verdict.claim.measure, verdict.claim.wager)
            and f.rounds_to(verdict.measured.value)
        ),
        "",
    )  # fmt: skip


def _every_slip(verdict: Verdict, others: Sequence[Verdict]) -> list[Slip]:
    """The slips that would give a figure; none where looking for them asks for what cannot be computed."""
    try:
        return list(_slips(verdict, others))
    except Mistake:
        raise
    except BadInput:
        return []


def _slips(verdict: Verdict, others: Sequence[Verdict]) -> Iterator[Slip]:
    claim, figure, measured = verdict.claim, verdict.claim.figure, verdict.measured
    if not claim.printed or figure is None or measured is None or claim.means != "as printed":
        return
    yield from in_the_number(figure, measured.value)
    yield from _of_another_option(claim)
    if claim.measure == "edge together":
        yield from _average_of_printed(verdict, others)
    if claim.measure == "edge":
        yield from _of_another_table(claim)
        yield from _carried_over(verdict, others)
        yield from in_the_rows(figure, _finer(claim) or measured.outcomes)


def _finer(claim: Claim) -> tuple[Outcome, ...]:
    """The rows of the same bet told further apart, if the claim says how; its edge must be the same."""
    if not claim.finer:
        return ()
    try:
        fine = stated(replace(claim, options=claim.finer.get("options", {}), tables=claim.finer.get("tables", {})))
    except BadInput as error:
        raise Mistake(f"claim {claim.id}: finer: {error}") from None
    found = record_of(fine, claim.wager)
    plain = record_of(stated(claim), claim.wager)
    if not found.exact or found.house_edge != plain.house_edge:
        raise Mistake(f"claim {claim.id}: finer is not the same bet: its edge is another one")
    return found.outcomes


def _of_another_option(claim: Claim) -> Iterator[Slip]:
    """The figure for another number of decks, or another value of an option that the claim states."""
    figure, house = claim.figure, stated(claim)
    for name, here in claim.options.items():
        option = house.game.all_options[name]
        for value in map(str, option.values) if isinstance(option, Choice) else ():
            there = at_option(claim, house, name, value) if value != str(here) else None
            if there is not None and figure is not None and figure.rounds_to(there.value):
                yield Slip("another option", f"{name}={value}, where {name}={here} is meant", 0)


def _of_another_table(claim: Claim) -> Iterator[Slip]:
    figure, house = claim.figure, stated(claim)
    here = house.tables[claim.wager]
    others = []
    for table in next(w for w in house.wagers if w.name == claim.wager).tables:
        if dict(table.pays) != dict(here.pays) and figure is not None:
            there = record_of(but(house, claim.wager, {PAY_TABLE: table.name}), claim.wager)
            if figure.rounds_to(there.house_edge):
                others.append(table.name)
    if others:
        yield Slip("another column", f"the figure of pay table {' or '.join(others)}", 1)


def _carried_over(verdict: Verdict, others: Sequence[Verdict]) -> Iterator[Slip]:
    """The error of another printed figure about the same wager, taken over once or twice."""
    figure, measured = verdict.claim.figure, verdict.measured
    for other in others:
        printed, there = other.claim.figure, other.measured
        if other is verdict or printed is None or there is None or figure is None or measured is None:
            continue
        if (other.claim.measure, other.claim.wager) != ("edge", verdict.claim.wager) or printed.value == there.value:
            continue
        for times, word in ((1, "once"), (2, "twice")):
            off = times * (printed.value - there.value)
            if abs(off) > figure.unit / 2 and figure.rounds_to(measured.value + off):
                yield Slip("carried over", f"the error of {other.claim.id} ({printed.text}) taken over {word}", 1)


def _average_of_printed(verdict: Verdict, others: Sequence[Verdict]) -> Iterator[Slip]:
    """The average of figures as printed: of rounded ones, or of wrong ones."""
    claim, figure, house = verdict.claim, verdict.claim.figure, stated(verdict.claim)
    total, parts = Fraction(0), []
    for wager, amount in claim.bets.items():
        edge = record_of(house, wager, claim.strategy).house_edge
        part = next(
            (
                v for v in others
                if v.claim.measure == "edge" and v.claim.wager == wager and v.claim.figure is not None
                and v.measured and v.measured.value == edge
            ),
            None,
        )  # fmt: skip
        if part is None or part.claim.figure is None:
            return
        total += dollars(f"bets {wager}", amount) * part.claim.figure.value
        parts.append(part)
    total /= sum(dollars(f"bets {w}", a) for w, a in claim.bets.items())
    if figure is not None and figure.agrees(total):
        named = " and ".join(f"{p.claim.id} ({p.claim.printed}, {p.verdict})" for p in parts)
        yield Slip("average of printed figures", f"the average of {named} as printed", 0)
