"""An approval record as a file: JSON that a person can read, sealed by the hash of what it says.

A record is data from anywhere. It is read whole and bounded, every field is looked at, and one that was damaged or
edited does not fit its seal and is not believed. The seal shows an accident or a careless change; it does not show who
wrote the record, because anybody can seal one. Who has to be sure keeps the seal where others cannot change it.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, NoReturn, get_args, get_origin, get_type_hints

from pitboss.approval.record import LEAST, LIMIT, MOST, RULE, STANDS, Approval, FigureAt, OptionAt, StepAt, WagerAt
from pitboss.disk import read_whole, write_whole
from pitboss.ledger.figure import DOUBLE, EXACT, SIMULATED
from pitboss.rules.errors import BadInput, choice_of, said
from pitboss.rules.numbers import decimal, dollars

FORMAT, VERSION = "pitboss approval record", 1
MOST_BYTES = 4 << 20  # of a record; the longest of a shipped game has 60,000
MOST_OF_A_KIND = 10_000
LONGEST = 20_000  # characters of a text
_FRACTION = re.compile(r"-?\d{1,2000}/\d{1,2000}", re.ASCII)
_WHOLE = re.compile(r"-?\d{1,18}", re.ASCII)
_HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)


class _Mistake(ValueError):
    """Why something is no record."""


# ---- writing


def seal_of(data: Mapping[str, Any]) -> str:
    """The hash of what a record says, however it is laid out."""
    told = [FORMAT, VERSION, data]
    text = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def text_of(approval: Approval) -> str:
    """The whole file: the same bytes for the same record."""
    data = approval.json()
    whole = {"format": FORMAT, "version": VERSION, "sha256": seal_of(data), "record": data}
    return json.dumps(whole, indent=1, ensure_ascii=True) + "\n"


def write_approval(file: str | Path, approval: Approval) -> Path:
    """Write a record; the file is there whole, or as it was."""
    path = _json_file(file)
    try:
        write_whole(path, text_of(approval).encode(), mode=0o666)
    except OSError as error:
        raise BadInput(f"{said(str(file))} cannot be written: {error.strerror}") from None
    return path


def _json_file(file: str | Path) -> Path:
    name = str(file)
    if not name.strip() or "\0" in name or not name.lower().endswith(".json"):
        raise BadInput(f"an approval record is a file that ends in .json, such as approval.json, not {said(name)}")
    return Path(name)


# ---- reading


def read_approval(file: str | Path) -> Approval:
    """The record in a file; one clear sentence where it is none, or is not believed."""
    path = _json_file(file)
    try:
        return believed(read_whole(path, MOST_BYTES))
    except OSError as error:
        raise BadInput(f"the approval record {said(str(file))} cannot be read: {error.strerror}") from None
    except _Mistake as error:
        raise BadInput(f"{said(str(file))} {error}") from None


def believed(text: bytes) -> Approval:
    data = _parsed(text)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise _Mistake(f'is not an approval record: it does not begin with "format": "{FORMAT}"')
    if data.get("version") != VERSION:
        raise _Mistake(f"is an approval record of another format, {said(data.get('version'))}; this is {VERSION}")
    if data.keys() != {"format", "version", "sha256", "record"} or not isinstance(data["record"], dict):
        raise _Mistake("is not an approval record: it has format, version, sha256 and record, and nothing else")
    if data["sha256"] != seal_of(data["record"]):
        raise _Mistake(
            "was changed or damaged since it was written: it does not fit its seal, and is not believed; take the "
            "record as it was written"
        )
    found = _as(Approval, data["record"], "the record")
    assert isinstance(found, Approval)
    _check(found)
    return found


def _parsed(text: bytes) -> Any:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            raise _Mistake("is not an approval record: it has a field twice")
        return found

    def no_number(name: str) -> NoReturn:
        raise _Mistake(f"is not an approval record: {said(name)} is not a text")

    try:
        return json.loads(
            text.decode("utf-8"), object_pairs_hook=once, parse_float=no_number, parse_constant=no_number,
            parse_int=lambda digits: int(digits) if len(digits) < 10 else no_number(digits),
        )  # fmt: skip
    except _Mistake:
        raise
    except (ValueError, RecursionError):
        raise _Mistake("is not an approval record: it is not JSON") from None


def _as(kind: Any, data: Any, where: str) -> Any:
    """A value of a record as its field says, and nothing else."""
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        names = [f.name for f in fields(kind)]
        if not isinstance(data, dict):
            raise _Mistake(f"is not an approval record: {where} is a list of fields, not {said(data)}")
        for name in names:
            if name not in data:
                raise _Mistake(f"is not an approval record: {where} has no {name}")
        if more := [name for name in data if name not in names]:
            raise _Mistake(f"is not an approval record: {where} has {choice_of(said(more[0]), names)}")
        assert isinstance(kind, type)
        return kind(**{name: _as(hints[name], data[name], f"{name} of {where}") for name in names})
    if get_origin(kind) is tuple:
        if not isinstance(data, list) or len(data) > MOST_OF_A_KIND:
            raise _Mistake(f"is not an approval record: {where} is a list of up to {MOST_OF_A_KIND:,} entries")
        return tuple(_as(get_args(kind)[0], one, f"entry {n} of {where}") for n, one in enumerate(data, 1))
    assert kind is str
    if not isinstance(data, str) or len(data) > LONGEST or "\0" in data:
        raise _Mistake(f"is not an approval record: {where} is a text, not {said(data)}")
    return data


def _check(found: Approval) -> None:
    """What is computed with later is a number, and what is looked up is there once."""
    for what, value in (("file_sha256", found.file_sha256), ("round_sha256", found.round_sha256)):
        _fits(_HASH, value, f"{what} is a hash")
    for names in (
        [o.option for o in found.options], [w.wager for w in found.wagers], [(f.of, f.figure) for f in found.figures],
    ):  # fmt: skip
        if len(set(names)) < len(names):
            raise _Mistake("is not an approval record: it has an option, a wager or a figure twice")
    if {o.option for o in found.options if o.kind == LIMIT} != {LEAST, MOST}:
        raise _Mistake(f"is not an approval record: its limits are {LEAST} and {MOST}")
    for option in found.options:
        _option(option)
    for wager in found.wagers:
        _wager(wager)
    for step in found.procedure:
        _step(step)
    for figure in found.figures:
        _figure(figure)


def _option(option: OptionAt) -> None:
    if option.kind not in (RULE, LIMIT, STANDS):
        raise _Mistake(f"is not an approval record: an option is {choice_of(said(option.kind), (RULE, LIMIT, STANDS))}")
    if option.kind != RULE:
        _amount(option.option, option.value)


def _amount(what: str, text: str) -> None:
    try:
        dollars(what[:60], text)
    except BadInput as error:
        raise _Mistake(f"is not an approval record: {error}") from None


def _wager(wager: WagerAt) -> None:
    for amount in (wager.least, wager.most):
        if amount:
            _amount(wager.wager, amount)
    if not wager.tables or wager.tables[0].table != wager.paytable:
        raise _Mistake(f"is not an approval record: {wager.wager[:60]} has not the pay table that it deals")


def _step(step: StepAt) -> None:
    _fits(_WHOLE, step.depth, "the depth of a step is a whole number")


def _figure(figure: FigureAt) -> None:
    if figure.method not in (EXACT, DOUBLE, SIMULATED):
        raise _Mistake(f"is not an approval record: a figure is {choice_of(said(figure.method), (EXACT, SIMULATED))}")
    if figure.exact:
        _fits(_FRACTION, figure.exact, "an exact figure is a fraction")
    for count in (figure.seed, figure.rounds):
        if count:
            _fits(_WHOLE, count, "a seed is a whole number, and so are rounds")
    try:
        for text in (figure.value, figure.error or "0"):
            decimal(text)
    except BadInput as error:
        raise _Mistake(f"is not an approval record: {error}") from None


def _fits(shape: re.Pattern[str], text: str, what: str) -> None:
    if not shape.fullmatch(text):
        raise _Mistake(f"is not an approval record: {what}, not {said(text)}")
