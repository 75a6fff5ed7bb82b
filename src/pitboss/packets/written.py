"""A packet, written: its sections in order, its cover, and the record that goes with it."""

import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from pitboss.approval import Approval
from pitboss.approval.file import seal_of, text_of
from pitboss.claims import read_claims
from pitboss.claims.documents import may_fork, quietly
from pitboss.disk import can_write, write_whole
from pitboss.felt import felt
from pitboss.jurisdictions import jurisdiction_named
from pitboss.packets import filing, mathematics, money, playing, rules, variants
from pitboss.packets.blocks import Block, Section, exhibits, numbered, plain
from pitboss.packets.desk import Brief, Desk, Watched, kept, recalled
from pitboss.packets.typeset import FONT, MONO, TEMPLATE, check_typst, pdf, read_date, sheets
from pitboss.rules.errors import BadInput

PLAIN = "plain"  # the checklist where no jurisdiction was named
WRITERS: dict[str, Callable[[Desk], Section]] = {
    "cover": lambda desk: Section("cover", "", tuple(rules.summary(desk))),
    "game": rules.game,
    "rules": rules.rules,
    "wagers": rules.wagers,
    "procedure": rules.procedure,
    "equipment": rules.equipment,
    "layout": rules.layout,
    "examples": rules.examples,
    "irregular": rules.irregular,
    "mathematics": mathematics.mathematics,
    "returns": mathematics.returns,
    "options": variants.options,
    "strategy": playing.strategy,
    "volatility": variants.volatility,
    "simulation": variants.simulation,
    "protection": money.protection,
    "earnings": money.earnings,
    "verdicts": filing.verdicts,
    "questions": filing.questions,
    "sign": rules.printed,
}
SLOW = ("options", "protection", "strategy", "verdicts", "earnings", "simulation")  # the longest first


@dataclass(frozen=True)
class Packet:
    """Everything that is handed out, as sections; `pdf()` typesets it."""

    brief: Brief
    sections: tuple[Section, ...]
    cover: tuple[Block, ...]
    approval: Approval
    yours: int = 0  # lines of the checklist that it cannot answer

    @property
    def headline(self) -> tuple[str, ...]:
        """The first table in words: `Ante: house edge 4.2295%, exact, 97,032 ways`."""
        rows = next(block["rows"] for block in self.cover if block["kind"] == "grid")
        told = [[plain(cell) for cell in row] for row in rows]
        return tuple(f"{row[0]}: house edge {row[1]}, {row[-1]}" for row in told)

    def data(self) -> Block:
        """All that the template is given."""
        brief, of = self.brief, self.brief.house.provenance()
        changed = [f"{name}={value}" for name, value in of.changed.items()]
        changed += [f"{name}: {of.spelled[name]}" for name in of.chosen]
        place = brief.jurisdiction
        facts = [
            ("Submitted by", brief.by or "yours to supply"),
            ("Date", brief.date or "yours to supply"),
            ("House", ", ".join(changed) or "as usual: every option at its default"),
            ("Jurisdiction", "none named" if place is None else place.title),
            ("Game file", f"{Path(of.file).name if of.file != of.game else of.game}, sha256 {of.sha256}"),
            ("Approval record", f"sha256 {seal_of(self.approval.json())}"),
            ("Made with", f"pitboss {of.version}"),
        ]
        return {
            "title": of.title,
            "what": "Game packet",
            "subtitle": self.brief.house.game.text.partition("\n")[0],
            "house": ", ".join(changed)[:60],
            "seal": f"game file sha256 {of.sha256[:16]} · pitboss {of.version}",
            "by": brief.by,
            "date": read_date(brief.date),
            "font": [brief.font or FONT],
            "mono": [MONO],
            "paper": brief.paper,
            "cover": list(self.cover),
            "felt": felt(brief.house),
            "facts": facts,
            "sections": sheets(self.sections),
        }

    def pdf(self, fonts: Path | None = None) -> bytes:
        return pdf(TEMPLATE, self.data(), fonts)


def _sections(desk: Desk) -> list[Section]:
    """The cover and the sections in order: those that were kept, and the others in processes beside each other where
    that is safe, the ones that take longest first."""
    found = {id: recalled(desk.brief, id) for id in WRITERS}
    left = sorted((id for id, section in found.items() if section is None), key=lambda id: id not in SLOW)
    if len(left) > 1 and may_fork():
        _DESKS[:] = [desk]
        with ProcessPoolExecutor(os.cpu_count(), get_context("fork"), quietly) as pool:
            waiting = {pool.submit(_aside, id): id for id in left}
            for done in as_completed(waiting):
                desk.watch(waiting[done])
                found[waiting[done]] = done.result()
    else:
        for id in left:
            desk.watch(id)
            found[id] = WRITERS[id](desk)
    return [section if id not in left else kept(desk.brief, section) for id, section in found.items() if section]


_DESKS: list[Desk] = []  # in a process beside: what its sections are written from


def _aside(id: str) -> Section:
    return WRITERS[id](_DESKS[0])


def packet_of(brief: Brief, record: str = "approval.json", watch: Watched = lambda _: None) -> Packet:
    """The packet of a house; `record` is what the file of its approval record will be called."""
    check_typst()
    read_date(brief.date)
    desk = Desk(brief, watch)
    for path in brief.claims:
        read_claims(path, desk.own_games)  # a file that is none is told before anything is counted
    cover, *sections = _sections(desk)
    approval = desk.record()
    place = brief.jurisdiction or jurisdiction_named(PLAIN)
    sections.append(filing.checklist(desk, place))
    sections.append(filing.approval(desk, seal_of(approval.json()), record))
    done = numbered(sections)
    done.append(filing.reproduce(desk, done))
    return Packet(brief, tuple(done), cover.blocks, approval, sum(not line.answered_by for line in place.checklist))


@dataclass(frozen=True)
class Written:
    """What was written, and where."""

    packet: Packet
    file: Path
    record: Path
    workbook: Path | None = None

    @property
    def exhibits(self) -> int:
        return sum(1 for _ in exhibits(self.packet.sections))

    def json(self) -> Block:
        """The packet as data: every section with its blocks, as the template is given them."""
        files = {"file": str(self.file), "record": str(self.record), "workbook": str(self.workbook or "") or None}
        return {**files, "exhibits": self.exhibits, **self.packet.data()}


def record_of(file: Path) -> Path:
    """Where the approval record of a packet lies: beside it."""
    return file.with_name(f"{file.stem}.approval.json")


def write_packet(
    brief: Brief,
    file: Path,
    *,
    fonts: Path | None = None,
    workbook: Path | None = None,
    watch: Watched = lambda _: None,
) -> Written:
    """The PDF, the approval record beside it, and the workbook if one is asked for; each whole or not at all."""
    record = record_of(file)
    for place in (file, record, *([workbook] if workbook is not None else [])):
        check_place(place)
    if fonts is not None and not fonts.is_dir():
        raise BadInput(f"fonts: there is no folder {str(fonts)!r}")
    packet = packet_of(brief, record.name, watch)
    watch("typesetting")
    made = packet.pdf(fonts)
    put(file, made)
    put(record, text_of(packet.approval).encode())
    if workbook is not None:
        from pitboss.packets.workbook import write_workbook

        watch("the workbook")
        write_workbook(workbook, brief.house)
    return Written(packet, file, record, workbook)


def check_place(file: Path) -> None:
    """One clear sentence, before anything is counted, where a file cannot be written."""
    try:
        if not file.parent.is_dir():
            raise BadInput(f"{str(file)!r} cannot be written: there is no folder {str(file.parent)!r}")
        if file.exists() and not file.is_file():
            raise BadInput(f"{str(file)!r} cannot be written: it is a folder, a pipe or a device")
        can_write(file, b"")
    except OSError as error:
        raise BadInput(f"{str(file)!r} cannot be written: {error.strerror or error}; choose another place") from None


def put(file: Path, data: bytes) -> None:
    try:
        write_whole(file, data, mode=0o644)
    except OSError as error:
        raise BadInput(f"{str(file)!r} cannot be written: {error.strerror or error}; choose another place") from None


__all__ = ["Packet", "Written", "packet_of", "write_packet"]
