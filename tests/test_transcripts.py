"""Every transcript in docs/ is what the command prints today, at 100 columns."""

from pathlib import Path

import pytest

from helpers import ROOT
from pitboss.cli.transcripts import BLOCK, printed_by

PAGES = [p for p in sorted((ROOT / "docs").glob("*.md")) if p.stem != "your-own-game"]  # which has a test of its own
TRANSCRIPTS = [
    pytest.param(page, command, output, id=f"{page.stem}: {command}")
    for page in PAGES
    for command, output in BLOCK.findall(page.read_text())
]


def test_each_of_the_four_questions_has_a_page_with_transcripts() -> None:
    pages = {str(param.values[0]) for param in TRANSCRIPTS}
    assert {str(ROOT / "docs" / f"{n}.md") for n in ("verify", "design-a-pay-table", "protection", "floor")} <= pages


@pytest.mark.parametrize("page, command, output", TRANSCRIPTS)
def test_a_transcript_is_what_the_command_prints(page: Path, command: str, output: str) -> None:
    assert printed_by(command, ROOT) == output.strip("\n"), f"{page.name}: run make docs"
