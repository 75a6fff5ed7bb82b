"""The counts as a table, for the terminal and for the page."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

BEGIN, END = "<!-- fuzz -->", "<!-- /fuzz -->"

NAMES = {"arguments": "argument lists", "games": "game files", "files": "damaged files"}
COLUMNS = {
    "ok": "answered", "refused": "refused", "verdict": "verdict", "stopped": "stopped", "traceback": "tracebacks",
    "hang": "hangs over 20 s", "nonsense": "exit 0 with nonsense", "executed": "data executed", "unclear": "unclear",
}  # fmt: skip


def table(counts: Mapping[str, Counter[str]], seconds: float, slowest: float, largest: int, seed: int) -> str:
    """One row a kind, and a last one for all."""
    rows = [(NAMES[kind], c) for kind, c in counts.items()]
    rows.append(("together", sum(counts.values(), Counter())))
    lines = [
        f"| attacked with | cases | {' | '.join(COLUMNS.values())} |",
        f"|---|{'---:|' * (1 + len(COLUMNS))}",
        *(f"| {name} | {sum(c.values()):,} | {' | '.join(f'{c[w]:,}' for w in COLUMNS)} |" for name, c in rows),
        "",
        f"`make fuzz`, seed {seed}: {seconds / 60:.0f} minutes; the slowest case took {slowest:.1f} s, the largest "
        f"{largest:,} MB.",
    ]
    return "\n".join(lines)


def write(page: Path, text: str) -> None:
    """Between the two marks of the page."""
    before, _, rest = page.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}")
