"""What changed between two records, and whether that needs approval again.

The policy, which docs/approval.md says in full: whatever changes how the game is played, dealt, bet, paid or what it
comes to needs approval again. Words do not, nor does a limit within the approved ones, a pay table that was approved
too, or where a meter stands. Where a record cannot know, the answer is to ask.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

from pitboss.approval.changes import (
    ASK,
    FILE,
    LIMITS,
    METERS,
    NO,
    OPTIONS,
    PAYS,
    PROCEDURE,
    PROGRAM,
    RULES,
    WAGERS,
    WORDS,
    YES,
    Change,
    Comparison,
)
from pitboss.approval.moved import moves_of
from pitboss.approval.record import LEAST, LIMIT, MOST, STANDS, Approval, RowAt, TableAt, WagerAt
from pitboss.rules.numbers import dollars

NOTHING = ""
ROUND = "the round as it is played"


def compared(old: Approval, new: Approval) -> Comparison:
    """Does this change need approval again? What changed, and what it does to every figure."""
    said = [*_head(old, new), *_options(old, new), *_wagers(old, new), *_sentences(old, new), *_words(old, new)]
    moves = moves_of(old, new)
    return Comparison(old, new, (*said, *_hidden(old, new, said, any(m.counts for m in moves))), moves)


def _head(old: Approval, new: Approval) -> Iterator[Change]:
    if old.game != new.game:
        yield Change(RULES, "the game", old.game, new.game, YES)
    if old.file_sha256 != new.file_sha256:
        yield Change(FILE, "sha256", old.file_sha256, new.file_sha256, NO)
    if old.pitboss != new.pitboss:
        yield Change(PROGRAM, "version", old.pitboss, new.pitboss, NO)


def _hidden(old: Approval, new: Approval, said: Sequence[Change], moved: bool) -> Iterator[Change]:
    """A round that goes otherwise although no sentence says so: of the same figures it may still be another game."""
    if old.round_sha256 != new.round_sha256 and not any(c.kind in (RULES, PROCEDURE) for c in said):
        yield Change(RULES, ROUND, old.round_sha256[:16], new.round_sha256[:16], YES if moved else ASK)


# ---- options and limits


def _options(old: Approval, new: Approval) -> Iterator[Change]:
    before, after = ({o.option: o for o in side.options} for side in (old, new))
    for name in dict.fromkeys([*before, *after]):
        a, b = before.get(name), after.get(name)
        if a is None or b is None:  # what it does, if anything, shows in the round and in the figures
            was, now = ("" if o is None else o.value for o in (a, b))
            yield Change(OPTIONS, f"{name}, which one file alone has", was, now, NO)
        elif a.value == b.value:
            continue
        elif a.kind == b.kind == STANDS:
            yield Change(METERS, name, f"${a.value}", f"${b.value}", NO)
        elif a.kind == b.kind == LIMIT:
            least, most = (dollars(n, before[n].value) if n in before else None for n in (LEAST, MOST))
            inside = least is not None and most is not None and least <= dollars(name, b.value) <= most
            yield Change(LIMITS, name, f"${a.value}", f"${b.value}", NO if inside else YES)
        else:
            yield Change(OPTIONS, name, a.value, b.value, YES)


# ---- wagers and what they pay


def _wagers(old: Approval, new: Approval) -> Iterator[Change]:
    for name in dict.fromkeys([w.wager for w in (*old.wagers, *new.wagers)]):
        a, b = old.wager(name), new.wager(name)
        if a is None or b is None:
            left, right = ("" if w is None else f"{w.bet}, {w.amount}" for w in (a, b))
            yield Change(WAGERS, name, left, right, YES)
            continue
        if a.bet != b.bet:
            yield Change(WAGERS, f"{name}: who bets it", a.bet, b.bet, YES)
        for left, right in _paired(a.terms, b.terms):
            yield Change(WAGERS, name, left, right, YES)
        if a.amount != b.amount:
            yield Change(LIMITS, name, a.amount, b.amount, NO if _within(b, a) else YES)
        yield from _pays(a, b)


def _within(inner: WagerAt, outer: WagerAt) -> bool:
    """Whether every bet that is taken now was taken before."""
    if not (inner.least and inner.most and outer.least and outer.most):
        return False
    low, high, least, most = (dollars("", text) for text in (inner.least, inner.most, outer.least, outer.most))
    return least <= low and high <= most


def _pays(a: WagerAt, b: WagerAt) -> Iterator[Change]:
    """The table that is dealt, row by row; then those that a house may choose instead."""
    before, after = a.tables[0], b.tables[0]
    known = {t.rows: t.table for t in a.tables}
    if before.rows != after.rows and after.rows in known:
        yield Change(PAYS, f"{a.wager}, dealt by", before.table, f"{known[after.rows]} (approved too)", NO)
    elif before.rows != after.rows:
        yield from _rows(a.wager, before, after)
    dealt = {before.rows, after.rows}
    for table in (t for t in b.tables if t.rows not in known and t.rows not in dealt):
        same = next((t for t in a.tables if t.table == table.table), None)
        if same is None:
            yield Change(PAYS, f"{a.wager}, may be dealt by", NOTHING, f"{table.table} ({table.spelled})", YES)
        else:
            yield from _rows(f"{a.wager}, {table.table}", same, table)
    kept = {t.rows for t in b.tables} | {t.table for t in b.tables}
    for table in (t for t in a.tables if t.rows not in kept and t.table not in kept and t.rows not in dealt):
        yield Change(PAYS, f"{a.wager}, may be dealt by", f"{table.table} ({table.spelled})", NOTHING, NO)


def _rows(what: str, before: TableAt, after: TableAt) -> Iterator[Change]:
    old, new = ({r.row: r for r in side.rows} for side in (before, after))
    moved = [r for r in dict.fromkeys([*old, *new]) if old.get(r) != new.get(r)]
    for row in moved:
        yield Change(PAYS, f"{what}: {row}", _pay(old.get(row)), _pay(new.get(row)), YES)
    if not moved:
        a, b = (", ".join(r.row for r in side.rows) for side in (before, after))
        yield Change(PAYS, f"{what}: order of the rows", a, b, YES)


def _pay(row: RowAt | None) -> str:
    """`15` as 15 to 1, `3/2` as 3 to 2; awards and meters as they are."""
    if row is None:
        return NOTHING
    above, _, below = row.pays.partition("/")
    if not above.isdecimal() or (below and not below.isdecimal()):
        return {"-1": "lose"}.get(row.pays, row.pays)
    return "push" if above == "0" else f"{above} to {below or 1}"


# ---- sentences


def _sentences(old: Approval, new: Approval) -> Iterator[Change]:
    """The rules of play where the round itself goes otherwise; where it does not, the dealer's procedure alone."""
    for what in ("dealt_from", "odd_amounts", "seats"):
        if (a := getattr(old, what)) != (b := getattr(new, what)):
            yield Change(RULES, what.replace("_", " "), a, b, YES)
    for left, right in _paired([" or ".join(n) for n in old.either_or], [" or ".join(n) for n in new.either_or]):
        yield Change(RULES, "one of them must be bet", left, right, YES)
    kind = PROCEDURE if old.round_sha256 == new.round_sha256 else RULES
    lines = [[(s.section, s.depth, s.step) for s in side.procedure] for side in (old, new)]
    for a, b in _paired_lines(*lines):
        told = Change(kind, (a or b)[0], a[2] if a else NOTHING, b[2] if b else NOTHING, YES)
        yield _of_the_pays(told, old, new) if kind == PROCEDURE else told
    cases = [{c.case: c.words for c in side.irregular} for side in (old, new)]
    for case in dict.fromkeys([*cases[0], *cases[1]]):
        if (a_ := cases[0].get(case, NOTHING)) != (b_ := cases[1].get(case, NOTHING)):
            yield Change(PROCEDURE, f"when something goes wrong: {case}", a_, b_, YES)


def _of_the_pays(told: Change, old: Approval, new: Approval) -> Change:
    """A sentence that changed because it names the pay table that is dealt needs what that table needs."""
    for w in old.wagers:
        now = new.wager(w.wager)
        if now is None or w.tables[0].rows == now.tables[0].rows:
            continue
        if _names(told.old, w.paytable) and _names(told.new, now.paytable):
            known = any(t.rows == now.tables[0].rows for t in w.tables)
            return Change(PAYS, told.what, told.old, told.new, NO if known else YES)
    return told


def _names(sentence: str, table: str) -> bool:
    """Whether a sentence names a pay table, as the dealer's procedure does; the usual one has no name there."""
    name = "" if table == "standard" else rf' "?{re.escape(table)}(?!\w)'
    return re.search(f"pay table{name}", sentence) is not None


def _words(old: Approval, new: Approval) -> Iterator[Change]:
    for what, a, b in (("title", old.game_title, new.game_title), ("what the game is", old.about, new.about)):
        if a != b:
            yield Change(WORDS, what, a, b, NO)
    for left, right in _paired(old.notes, new.notes):
        yield Change(WORDS, "remarks", left, right, NO)
    for w in old.wagers:
        if (now := new.wager(w.wager)) is not None:
            for what in ("called", "about"):
                if getattr(w, what) != getattr(now, what):
                    yield Change(WORDS, w.wager, getattr(w, what), getattr(now, what), NO)
            if w.tables[0].rows == now.tables[0].rows and w.paytable != now.paytable:
                yield Change(WORDS, f"{w.wager}: name of the pay table", w.paytable, now.paytable, NO)
    for o in old.options:
        found = new.option(o.option)
        if found is not None and found.about != o.about:
            yield Change(WORDS, f"option {o.option}", o.about, found.about, NO)


def _paired(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Texts that differ: what stood there beside what stands there now."""
    for a, b in _paired_lines([(text,) for text in old], [(text,) for text in new]):
        yield (a[0] if a else NOTHING), (b[0] if b else NOTHING)


Line = tuple[str, ...]


def _paired_lines(old: Sequence[Line], new: Sequence[Line]) -> Iterator[tuple[Line, Line]]:
    match = SequenceMatcher(None, old, new, autojunk=False)
    for tag, a, b, c, d in match.get_opcodes():
        if tag != "equal":
            yield from zip_longest(old[a:b], new[c:d], fillvalue=())
