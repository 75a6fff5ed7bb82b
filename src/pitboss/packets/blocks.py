"""What a packet is made of: sections of blocks, as plain values. A text is always text: whatever it says, it is printed
and never run, because the template gets it as data.

A *run* is a string, or a look and a string: `("bold", "4.2295%")`, `("code", "pitboss rules bluff")`, or
`("page", "returns")` for the place and page of a section. A table or a picture with a caption is an *exhibit*: it gets
a number, and the last section has the command that makes it again.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pitboss.rules.steps import Procedure, Step

Run = str | tuple[str, str]
Runs = str | Sequence[Run]
Block = dict[str, Any]
LONG = 14  # characters of a number that may be broken: a fraction of forty digits fits no column
_BREAK = "\u200b"  # where a line may end


@dataclass(frozen=True)
class Section:
    """A numbered section; a part of one has a `part` block for its heading."""

    id: str
    title: str
    blocks: tuple[Block, ...]
    wide: bool = False  # on pages that lie on their side

    def json(self) -> Block:
        return {"id": self.id, "title": self.title, "blocks": list(self.blocks), "wide": self.wide}


def read_section(data: Block) -> Section:
    return Section(data["id"], data["title"], tuple(data["blocks"]), data["wide"])


# ---- blocks


def runs(text: Runs) -> list[Any]:
    parts = [text] if isinstance(text, str) else list(text)
    return [part if isinstance(part, str) else {"look": part[0], "text": part[1]} for part in parts if part]


def plain(parts: Sequence[Any]) -> str:
    """Runs as text alone."""
    return "".join(part if isinstance(part, str) else part["text"] for part in parts)


def bold(text: str) -> Run:
    return ("bold", text)


def para(*text: Run) -> Block:
    return {"kind": "para", "runs": runs(text)}


def note(*text: Run) -> Block:
    """Set apart: what a reader must not miss."""
    return {"kind": "note", "runs": runs(text)}


def fine(*text: Run) -> Block:
    """Small: how a figure is known, and what a column means."""
    return {"kind": "fine", "runs": runs(text)}


def part(id: str, title: str) -> Block:
    """A heading within a section."""
    return {"kind": "part", "id": id, "title": title}


def items(lines: Iterable[Runs]) -> Block:
    return {"kind": "items", "items": [runs(line) for line in lines]}


def commands(lines: Sequence[str]) -> Block:
    return {"kind": "code", "lines": list(lines)}


def steps(procedure: Procedure) -> list[Block]:
    """A dealer's sheet: its parts with their numbered steps."""
    out: list[Block] = []
    for section in procedure:
        out.append({"kind": "steps", "title": section.title, "steps": [_step(s) for s in section.steps]})
    return out


def _step(step: Step) -> Block:
    return {"number": step.number, "runs": [step.text], "steps": [_step(s) for s in step.steps]}


def grid(
    columns: Sequence[str], rows: Iterable[Sequence[Runs]], *, caption: str = "", command: str = "", left: int = 1,
    total: bool = False, widths: Sequence[str] = (), breaks: Sequence[int] = (), small: bool = False,
) -> Block:  # fmt: skip
    """A table: its first columns (`left` of them) are words, the others figures. `total` sets the last row apart,
    `breaks` are rows with a line above them; `widths` are `auto` or shares of the page such as `2fr`."""
    cells = [[runs(cell) for cell in row] for row in rows]
    assert all(len(row) == len(columns) for row in cells), (columns, cells)
    return {
        "kind": "grid", "columns": list(columns), "rows": cells, "caption": caption, "command": command, "left": left,
        "total": total, "widths": list(widths) or ["auto"] * len(columns), "breaks": list(breaks), "small": small,
    }  # fmt: skip


def picture(
    svg: str, alt: str, *, caption: str = "", command: str = "", width: str = "100%", height: str = ""
) -> Block:
    return {
        "kind": "picture", "svg": svg, "alt": alt, "caption": caption, "command": command, "width": width,
        "height": height,
    }  # fmt: skip


# ---- what a packet does with them


def exhibits(sections: Iterable[Section]) -> Iterator[tuple[Section, Block]]:
    """Every table and picture with a caption, in order."""
    for section in sections:
        for block in section.blocks:
            if block.get("caption"):
                yield section, block


def numbered(sections: Sequence[Section]) -> list[Section]:
    """The same with a number for every exhibit."""
    count = 0
    out = []
    for section in sections:
        blocks = []
        for block in section.blocks:
            count += bool(block.get("caption"))
            blocks.append({**block, "number": count} if block.get("caption") else block)
        out.append(Section(section.id, section.title, tuple(blocks), section.wide))
    return out


def long(number: str) -> str:
    """A number that a narrow column may break: after the bar of a fraction, and every few digits."""
    if len(number) <= LONG:
        return number
    return f"/{_BREAK}".join(_BREAK.join(p[i : i + 8] for i in range(0, len(p), 8)) for p in number.split("/"))
