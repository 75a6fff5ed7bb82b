"""The sections for whoever decides on the game: verdicts, open questions, the checklist, and how to do it all again."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pitboss.claims import VERDICTS, Verdict
from pitboss.claims.told import because, compared, says
from pitboss.packets.blocks import Block, Run, Runs, Section, bold, commands, exhibits, fine, grid, items, para, part
from pitboss.packets.desk import Desk
from pitboss.rules.naming import listed

if TYPE_CHECKING:
    from pitboss.jurisdictions import Fact, Jurisdiction, Source

GOOD = ("confirmed", "within")
BAD = ("contradicted", "internally")


def verdicts(desk: Desk) -> Section:
    found = desk.verdicts
    if found is None:
        told = para(
            "No document makes a claim about this game. A claims file (TOML) beside the game file is judged here."
        )
        return Section("verdicts", "Verdicts on the claims made for it", (told,))
    counts = ", ".join(f"{n} {verdict}" for verdict, n in found.counts().items() if n)
    blocks: list[Block] = [para(bold(f"{len(found.all)} claims: "), counts, ".")]
    files = [f"pitboss verify {path.stem if desk.of.file == desk.of.game else path.name}" for path in desk.brief.claims]
    rows: list[list[Runs]] = [
        [v.claim.id, f"{v.claim.says.removesuffix('.')}", v.claim.stands or "no figure", v.computed or "-", [_look(v)]]
        for v in found.all
    ]
    blocks.append(
        grid(
            ["claim", "what the document says", "printed", "computed", "verdict"],
            rows,
            left=5,
            small=True,
            widths=["auto", "2fr", "auto", "auto", "1fr"],
            caption="Every claim, judged",
            command=" && ".join(files),
        )
    )
    open_ = [v for v in found.all if not v.verdict.startswith(GOOD) or v.claim.note]
    if open_:
        blocks.append(part("not-confirmed", "What is not simply confirmed, and why"))
        for verdict in VERDICTS:
            some = [v for v in open_ if v.verdict == verdict]
            if some:
                blocks.append(para(bold(f"{verdict[:1].upper()}{verdict[1:]}")))
                blocks.append(items([_told(v) for v in some]))
    return Section("verdicts", "Verdicts on the claims made for it", tuple(blocks))


def _look(v: Verdict) -> Run:
    look = "good" if v.verdict.startswith(GOOD) else "bad" if v.verdict.startswith(BAD) else "bold"
    return (look, v.verdict)


def _told(v: Verdict) -> Sequence[Run]:
    return [bold(f"{v.claim.id}. "), f"{says(v)} {compared(v)}. {because(v)}"]


def _needs(v: Verdict) -> Sequence[Run]:
    """`BL-C1 holds only with tie fold-first and decks 6 or 8.`"""
    values = listed((f"{name} {listed(sorted(some), 'or')}" for name, some in v.needs.items()), "and")
    return [bold(v.claim.id), f" holds only with {values}: {v.claim.says.removesuffix('.')}."]


def questions(desk: Desk) -> Section:
    """What the document leaves open, and how it was read."""
    sheet = desk.sheet
    blocks: list[Block] = []
    if sheet.readings:
        blocks += [para("How unclear rules were read, and what else is to be known."), items(sheet.readings)]
    needs = [] if desk.verdicts is None else [v for v in desk.verdicts.all if v.needs]
    if needs:
        blocks += [part("conditions", "Claims that hold only under a condition"), items([_needs(v) for v in needs])]
    chosen = [o for o in sheet.options if o.value != o.default]
    if chosen:
        blocks.append(part("unusual", "Where this house differs from the usual one"))
        blocks.append(items([[bold(f"{o.option}: "), f"{o.value} instead of {o.default}. {o.about}."] for o in chosen]))
    if not blocks:
        blocks = [para("The game file leaves no remark: no rule of it was found unclear.")]
    return Section("questions", "Open questions, and the readings chosen", tuple(blocks))


def checklist(desk: Desk, place: "Jurisdiction") -> Section:
    """What is to be filed, line by line: where it stands, or that it is yours to supply."""
    rows: list[list[Runs]] = []
    yours = 0
    for line in place.checklist:
        answered: Runs = [("page", line.answered_by)] if line.answered_by else [("bad", "yours to supply")]
        yours += not line.answered_by
        rows.append([line.says, line.rule or "-", answered, line.standing])
    blocks: list[Block] = [
        para(place.about),
        para(f"{len(rows) - yours} of {len(rows)} lines are answered by this packet; {yours} are yours to supply."),
        grid(
            ["what is asked", "rule", "answered", "source"],
            rows,
            left=4,
            widths=["2fr", "1fr", "1fr", "1fr"],
            caption=f"Checklist: {place.title}",
            command=f"pitboss jurisdictions {place.name}",
        ),
    ]
    if place.limits:
        blocks.append(part("legal-limits", "Limits"))
        blocks.append(items([*(_fact(a) for a in place.limits), *place.aggregates(desk.house)]))
    if place.postings:
        blocks.append(part("postings", "What must be posted"))
        blocks.append(items([_fact(p) for p in place.postings]))
    if place.conditions:
        blocks.append(part("conditions-of-approval", "Conditions"))
        blocks.append(items([_fact(c) for c in place.conditions]))
    blocks.append(
        fine("This is a reading of the rules named, no legal advice: hold each line against the rule itself.")
    )
    return Section("checklist", f"Checklist: {place.title}", tuple(blocks))


def _source(source: "Source") -> str:
    where = f" {source.address}" if source.address else ""
    note = f"; {source.note}" if source.note else ""
    return f"{source.title}, looked up {source.looked_up.isoformat()}{note}.{where}"


def _fact(fact: "Fact") -> Sequence[Run]:
    """What a place says, with the rule's number and when it was looked up; or that it was not."""
    return [
        f"{fact.says.removesuffix('.')} ",
        ("dim", f"({fact.rule}; {fact.standing})" if fact.rule else f"({fact.standing})"),
        ".",
    ]


def approval(desk: Desk, seal: str, file: str) -> Section:
    """The record that goes with the packet."""
    of = desk.of
    return Section(
        "approval",
        "Approval record",
        (
            para(
                "With this packet goes a record of what it describes: the hash of the game file, options, pays, rules, "
                "procedure and figures. When anything changes, the record says whether that needs approval again."
            ),
            grid(
                ["", ""],
                [
                    ["record", [("code", file)]],
                    ["sha256 of the record", [("code", seal)]],
                    ["sha256 of the game file", [("code", of.sha256)]],
                ],
                left=2,
                widths=["auto", "1fr"],
            ),
            commands([f"pitboss diff {file} {of.file if of.file == of.game else 'FILE.py'}"]),
        ),
    )


def reproduce(desk: Desk, sections: Sequence[Section]) -> Section:
    """Every exhibit with the command that makes it again; the sections are numbered already."""
    rows: list[list[Runs]] = []
    for _, block in exhibits(sections):
        rows.append(
            [str(block["number"]), block["caption"], [("exhibit", str(block["number"]))], [("code", block["command"])]]
        )
    return Section(
        "reproduce",
        "How to reproduce every exhibit",
        (
            para(
                "Install pitboss ",
                bold(desk.of.version),
                ", put the game file beside you, and type the command. The game file is the one with sha256 ",
                ("code", desk.of.sha256),
                "; another file gives other figures.",
            ),
            grid(["", "exhibit", "where", "command"], rows, left=4, widths=["auto", "2fr", "auto", "3fr"], small=True),
        ),
    )
