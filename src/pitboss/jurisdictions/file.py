"""A jurisdiction's file: TOML, written by hand, with a source for every rule that was read. Data, which runs nothing.

What cannot be understood is refused with the file and the place in it: a limit that is silently left out would be worse
than none.
"""

import hashlib
import os
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

from pitboss.disk import read_whole
from pitboss.jurisdictions.record import KINDS, SECTIONS, Amounts, Asked, Fact, Jurisdiction, Payouts, Posted, Source
from pitboss.rules.errors import BadInput, choice_of, said
from pitboss.rules.limits import AT_ONCE, COUNTS, SEAT, TABLE, Aggregate, Limit
from pitboss.rules.limits import KINDS as WAGERS
from pitboss.rules.numbers import CENT, dollars, ratio
from pitboss.rules.watchdog import OutOfTime, time_limit

READING = 10  # seconds
MOST_BYTES = 1 << 20  # the longest that is shipped has a hundredth of that
MOST_TEXT = 2_000  # characters of one sentence
NONE = "none"
"""As the source of a fact: nothing was read, and the page says so."""
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_FACT = ("says", "rule", "source")
_HEAD = ("name", "title", "about", "sources", "limit", "filing", "posting", "condition", "aggregate")
F = TypeVar("F", bound=Fact)


def known_jurisdictions() -> list[Path]:
    """The files that come with pitboss: beside the code in a work tree, inside the package when installed."""
    here = Path(__file__).parent
    folder = next((f for f in (here / "known", here.parents[2] / "jurisdictions") if f.is_dir()), here)
    return sorted(folder.glob("*.toml"))


def jurisdiction_named(which: str) -> Jurisdiction:
    """One that is shipped by its name, such as washington; any other by its file."""
    known = {path.stem: path for path in known_jurisdictions()}
    if which in known:
        return read_jurisdiction(known[which], which)
    if os.path.exists(which) or any(sign in which for sign in (os.sep, ".", "\0")):
        return read_jurisdiction(Path(which))
    close = get_close_matches(which[:80].lower(), known, 1, 0.5)
    meant = f"did you mean {close[0]}? There" if close else "there"
    raise BadInput(
        f"there is no jurisdiction {which[:80]!r}; {meant} are {', '.join(known)}, or name a file such as mine.toml"
    )


def read_jurisdiction(path: Path, reference: str = "") -> Jurisdiction:
    """One clear sentence when the file does not describe a jurisdiction."""
    try:
        with time_limit(READING):
            raw = read_whole(path, MOST_BYTES)
            data = tomllib.loads(raw.decode("utf-8").replace("\r\n", "\n"))
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} is not TOML: {error}") from None
    except OutOfTime:
        raise BadInput(f"{path} is not a jurisdiction: it cannot be read in {READING} seconds") from None
    except (RecursionError, ValueError) as error:  # brackets without end, a name with a zero in it
        raise BadInput(f"{path} is not a jurisdiction: {error}") from None
    return _Reader(path, data).jurisdiction(reference or os.path.abspath(path), hashlib.sha256(raw).hexdigest())


class _Reader:
    """What stands in one file, part by part."""

    def __init__(self, path: Path, data: Mapping[str, Any]) -> None:
        self.path, self.data = path, data
        self.sources: dict[str, Source] = {}

    def wrong(self, where: str, what: str) -> BadInput:
        return BadInput(f"{self.path}: {f'{where}: ' if where else ''}{what}")

    def jurisdiction(self, reference: str, sha256: str) -> Jurisdiction:
        self._keys("", self.data, _HEAD)
        name = self._text("", self.data, "name", needed=True)
        if not _NAME.fullmatch(name) or len(name) > 40:
            raise self.wrong("", f"name is small letters, digits and hyphens, such as my-county, not {said(name)}")
        title = self._text("", self.data, "title", needed=True)
        for key, raw in self._table("sources").items():
            self.sources[key] = self._source(key, raw)
        found = Jurisdiction(
            name, title, self._text("", self.data, "about"), self._each("limit", self._limit),
            self._each("filing", self._filing), self._each("posting", self._posting),
            self._each("condition", self._fact), self._aggregate(), tuple(self.sources.values()), reference, sha256,
        )  # fmt: skip
        for wagers in WAGERS:
            most = [x.amount for x in found.under.most if x.on in (wagers, "all")]
            least = [x.amount for x in found.under.least if x.on in (wagers, "all")]
            if most and least and max(least) > min(most):
                raise self.wrong("limit", "the smallest wager that it asks for is above the largest that it allows")
        return found

    # ---- the parts

    def _source(self, key: str, raw: Any) -> Source:
        where = f"sources.{key[:80]}"
        if not _NAME.fullmatch(key) or key == NONE:
            raise self.wrong(where, "a source has a name of small letters, digits and hyphens, and not `none`")
        found = self._keys(where, raw, ("title", "address", "kind", "looked_up", "note"))
        kind = self._one_of(where, found, "kind", tuple(KINDS), "")
        day = found.get("looked_up")
        if not isinstance(day, date) or isinstance(day, datetime):
            told = "is missing" if day is None else f"cannot be {said(day)}"
            raise self.wrong(where, f"looked_up {told}; write the day without quotes, such as 2026-11-18")
        title, address = self._text(where, found, "title", needed=True), self._text(where, found, "address")
        if address and not address.startswith(("https://", "http://")):
            raise self.wrong(where, f"address begins with https:// or is left out, not {said(address)}")
        return Source(key, title, kind, day, address, self._text(where, found, "note"))

    def _about(self, where: str, raw: Mapping[str, Any]) -> dict[str, Any]:
        """What every fact has: a sentence, the number of the rule, and what was read for it."""
        says, rule = self._text(where, raw, "says", needed=True), self._text(where, raw, "rule")
        source = self._text(where, raw, "source")
        if rule and not source:
            raise self.wrong(where, f"{rule} has no source; name one of [sources], or write source = 'none'")
        if source not in ("", NONE, *self.sources):
            raise self.wrong(where, f"source {choice_of(said(source), [*self.sources, NONE])}")
        return {"says": says, "rule": rule, "source": self.sources.get(source)}

    def _fact(self, where: str, raw: Any) -> Fact:
        return Fact(**self._about(where, self._keys(where, raw, _FACT)))

    def _posting(self, where: str, raw: Any) -> Posted:
        found = self._keys(where, raw, (*_FACT, "sign"))
        return Posted(**self._about(where, found), sign=self._text(where, found, "sign"))

    def _filing(self, where: str, raw: Any) -> Asked:
        found = self._keys(where, raw, (*_FACT, "answered_by"))
        by = self._text(where, found, "answered_by")
        if by and by not in SECTIONS:
            raise self.wrong(where, f"answered_by {choice_of(said(by), SECTIONS)}; left out, it is yours to supply")
        return Asked(**self._about(where, found), answered_by=by)

    def _limit(self, where: str, raw: Any) -> Amounts:
        found = self._keys(where, raw, (*_FACT, "most", "least", "on", "counts"))
        about = self._about(where, found)
        on = self._one_of(where, found, "on", tuple(WAGERS), "all")
        counts = self._one_of(where, found, "counts", COUNTS, AT_ONCE)
        if "most" not in found and "least" not in found:
            raise self.wrong(where, "says how much: write most = 300 or least = 5, in dollars")
        most, least = (
            Limit(self._dollars(where, found, key), about["rule"], on, counts) if key in found else None
            for key in ("most", "least")
        )
        return Amounts(**about, most=most, least=least)

    def _aggregate(self) -> Payouts | None:
        if "aggregate" not in self.data:
            return None
        where = "aggregate"
        found = self._keys(where, self.data[where], (*_FACT, "most", "per", "odds"))
        about = self._about(where, found)
        per = self._one_of(where, found, "per", (SEAT, TABLE), SEAT)
        if "per" in found and "most" not in found:
            raise self.wrong(where, "per goes with most, such as most = 50000")
        most = Aggregate(self._dollars(where, found, "most"), about["rule"], per) if "most" in found else None
        return Payouts(**about, most=most, odds=self._number(where, found, "odds") if "odds" in found else None)

    # ---- values

    def _keys(self, where: str, raw: Any, known: Sequence[str]) -> Mapping[str, Any]:
        if not isinstance(raw, dict):
            raise self.wrong(
                where, f"is a table, such as [{where.partition('.')[0].partition(' ')[0]}], not {said(raw)}"
            )
        if unknown := [key for key in raw if key not in known]:
            raise self.wrong(where, choice_of(said(unknown[0]), list(known)))
        return raw

    def _table(self, key: str) -> Mapping[str, Any]:
        found = self.data.get(key, {})
        if not isinstance(found, dict):
            raise self.wrong("", f"{key} is a table, such as [{key}.my-source], not {said(found)}")
        return found

    def _each(self, key: str, read: Callable[[str, Any], F]) -> tuple[F, ...]:
        found = self.data.get(key, [])
        if not isinstance(found, list):
            raise self.wrong("", f"{key} is a list; write each as [[{key}]]")
        return tuple(read(f"{key} {number}", raw) for number, raw in enumerate(found, 1))

    def _text(self, where: str, raw: Mapping[str, Any], key: str, needed: bool = False) -> str:
        value = raw.get(key, "")
        if not isinstance(value, str):
            raise self.wrong(where, f"{key} is text in quotes, not {said(value)}")
        line = " ".join(value.split())
        if needed and not line:
            raise self.wrong(where, f"has no {key}; write {key} = '...'")
        if len(line) > MOST_TEXT:
            raise self.wrong(where, f"{key} has {len(line):,} characters; {MOST_TEXT:,} are enough")
        if not line.isprintable():
            odd = next(c for c in line if not c.isprintable())
            raise self.wrong(where, f"{key} has {said(odd)} in it, which cannot be printed; leave it out")
        return line

    def _one_of(self, where: str, raw: Mapping[str, Any], key: str, known: Sequence[str], usual: str) -> str:
        found = self._text(where, raw, key) or usual
        if found not in known:
            raise self.wrong(where, f"{key} {choice_of(said(found), list(known))}")
        return found

    def _dollars(self, where: str, raw: Mapping[str, Any], key: str) -> Fraction:
        return self._read(where, lambda: dollars(key, raw[key], CENT))

    def _number(self, where: str, raw: Mapping[str, Any], key: str) -> Fraction:
        return self._read(where, lambda: ratio(key, raw[key], 1))

    def _read(self, where: str, read: Callable[[], Fraction]) -> Fraction:
        try:
            return read()
        except BadInput as error:
            raise self.wrong(where, str(error)) from None
