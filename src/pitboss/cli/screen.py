"""The screen: everything that is drawn, on standard output and on standard error, goes through this console.

What is drawn is text unless pitboss itself says how it looks, with `marked`. So a title that holds markup, a code of a
terminal or the name of an emoji is printed as it stands in the file.
"""

import os
import re
from collections.abc import Iterable
from typing import IO, Any

from rich.console import Console, ConsoleDimensions, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from pitboss.cli.streams import lenient, unwritten
from pitboss.plain import clean

NARROWEST, WIDEST = 20, 1000  # columns for which a table is laid out; a terminal may fold it again
_TAG = re.compile(r"(\[[^\]]*\]|\{\})")


class Screen(Console):
    """A console that takes no markup, and lets no control character through but its own."""

    def __init__(self, *, stderr: bool = False, file: IO[str] | None = None, **more: Any) -> None:
        size = {"width": _columns(os.environ.get("COLUMNS", "")), **more}
        around = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
        super().__init__(
            stderr=stderr, file=file, markup=False, emoji=False, highlight=False, _environ=around, **size
        )  # fmt: skip
        lenient(self.file)

    @property  # type: ignore[misc]  # nobody sets it
    def size(self) -> ConsoleDimensions:
        width, height = super().size
        return ConsoleDimensions(min(max(width, NARROWEST), WIDEST), max(height, 1))

    def render_str(self, text: str, **more: Any) -> Text:
        return super().render_str(clean(text), **more)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(clean(segment.text), segment.style)

    def print(self, *objects: Any, **more: Any) -> None:
        try:
            super().print(*objects, **more)
        except OSError as error:
            raise unwritten(error) from None

    def on_broken_pipe(self) -> None:
        raise  # rich would end the process here; what a command comes to is for the command line to say


def _columns(text: str) -> int | None:
    """What COLUMNS says, if it is a number of columns; a width of 0 is none."""
    if not (text.isascii() and text.isdigit()):
        return None
    return min(int(text[:9]), WIDEST) or None


def marked(template: str, *data: object) -> Text:
    """Text with a look: `marked("[bold]{}[/] of {}", name, game)`. Tags count in the template alone, which is written
    in the code; what is put in for {} is text, whatever it says."""
    out, looks, rest = Text(), [""], iter(data)
    for part in _TAG.split(template):
        if part == "[/]":
            looks.pop()
        elif part.startswith("["):
            looks.append(f"{looks[-1]} {part[1:-1]}".strip())
        elif part == "{}":
            put = next(rest)
            out.append(put) if isinstance(put, Text) else out.append(clean(str(put)), looks[-1])
        else:
            out.append(part, looks[-1])
    assert len(looks) == 1 and next(rest, None) is None, template
    return out
