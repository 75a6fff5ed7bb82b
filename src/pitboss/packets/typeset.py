"""From sections to a PDF, with Typst: what is said goes in as data, how it looks is a template of our own."""

import importlib.util
import json
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pitboss.packets.blocks import Block, Section
from pitboss.rules.errors import BadInput

FONT, MONO = "Libertinus Serif", "DejaVu Sans Mono"  # inside Typst, so that every machine has them
PAPERS = {"letter": "us-letter", "a4": "a4"}
ALOUD, ARCHIVED = "ua-1", "a-2a"  # to be read by a screen reader; to be archived, which wants a date
TEMPLATE = Path(__file__).with_name("packet.typ")
_UNKNOWN_FONT = re.compile(r"unknown font family: (.+)")


def check_typst() -> None:
    """One clear sentence, before anything is counted, where it is not installed."""
    if importlib.util.find_spec("typst") is None:
        raise BadInput("a PDF needs typst: install it, or pitboss with its extra, pip install 'pitboss[packet]'")


def pdf(template: Path | str, data: Block, fonts: Path | None = None) -> bytes:
    """The same bytes for the same data: no clock, no font of the machine's own."""
    check_typst()
    import typst

    text = template.read_text("utf-8") if isinstance(template, Path) else template
    with tempfile.TemporaryDirectory(prefix="pitboss-") as folder:
        at = Path(folder)
        (at / "packet.typ").write_text(text, "utf-8")
        (at / "packet.json").write_text(json.dumps(data), "utf-8")
        more: Any = {"font_paths": [str(fonts)]} if fonts is not None else {}
        standards: Any = [ALOUD, *([ARCHIVED] if data["date"] else [])]
        try:
            out, warnings = typst.compile_with_warnings(
                str(at / "packet.typ"), root=folder, ignore_system_fonts=True, format="pdf", timestamp=0,
                pdf_standards=standards, **more,
            )  # fmt: skip
        except typst.TypstError as error:
            raise RuntimeError(f"the packet could not be typeset: {error}") from None
    for warning in warnings:
        said = str(getattr(warning, "message", warning))
        if found := _UNKNOWN_FONT.search(said):
            raise BadInput(
                f"the font {found[1]!r} is not there; leave `font` out for {FONT}, or name the folder that has it with "
                "`fonts`"
            )
        raise RuntimeError(f"the packet could not be typeset: {said}")
    assert isinstance(out, bytes)
    return out


def read_date(text: str) -> tuple[int, int, int] | None:
    """2026-11-18, or nothing."""
    from datetime import date

    if not text:
        return None
    try:
        found = date.fromisoformat(text)
    except ValueError:
        raise BadInput(f"date: write a day such as 2026-11-18, not {text[:40]!r}") from None
    return found.year, found.month, found.day


def sheets(sections: Sequence[Section]) -> list[Block]:
    return [section.json() for section in sections]
