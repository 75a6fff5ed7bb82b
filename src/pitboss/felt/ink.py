"""How a picture is written down: one palette, one font, plain SVG that every renderer knows, all words escaped."""

import re
from xml.sax.saxutils import escape, quoteattr

from pitboss.felt.letters import FONT, width
from pitboss.felt.shapes import Frame
from pitboss.plain import one_line

CLOTH, MIDDLE, DEEP = "#17573f", "#1f6b4e", "#0f3f2e"  # the felt, where the light falls on it, and its darkest
CREAM, GOLD, PALE = "#f6efdc", "#e3c26a", "#bcd3c3"  # ink on the felt: words, what stands out, what is only a hint
RAIL, RAIL_EDGE, RAIL_INK = "#3a2418", "#1d120c", "#e9d9c3"
PAPER, INK, GREY, LINE = "#fffdf7", "#1d1d1b", "#5c5a54", "#cfc8b8"  # a printed card or sign
RED, BLUE, GREEN, BLACK = "#c1272d", "#1f5fa8", "#1c7a3d", "#1d1d1b"  # four colours for four suits
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def words(text: str) -> str:
    """Text that somebody wrote, as text of the picture."""
    return escape(_NOT_XML.sub("\ufffd", one_line(text)))


def number(value: float) -> str:
    """A tenth of a millimetre is enough."""
    return f"{value:.1f}".removesuffix(".0") if abs(value) >= 0.05 else "0"


def attributes(**given: object) -> str:
    """`font_size=3.0` as ` font-size="3"`; what is None is left out."""
    out = []
    for name, value in given.items():
        if value is not None:
            text = number(value) if isinstance(value, float) else str(value)
            out.append(f" {name.rstrip('_').replace('_', '-')}={quoteattr(text)}")
    return "".join(out)


def _as_wide(text: str, size: float, bold: bool) -> dict[str, object]:
    """A line is as wide as it was measured, whatever serif its reader has: a wider one is set narrower. No font comes
    with the picture, and what a browser takes instead of ours may be a third wider than the room that words have."""
    return {"textLength": width(text, size, bold) or None, "lengthAdjust": "spacingAndGlyphs"}


class Drawing:
    """A picture in the making: elements in the order in which they are drawn."""

    def __init__(self, name: str) -> None:
        self.name, self.defs, self.body = name, list[str](), list[str]()

    def add(self, element: str, **given: object) -> None:
        self.body.append(f"<{element}{attributes(**given)}/>")

    def define(self, text: str) -> None:
        self.defs.append(text)

    def path(self, d: str, **given: object) -> None:
        self.add("path", d=d, **given)

    def rect(self, x: float, y: float, width: float, height: float, **given: object) -> None:
        self.add("rect", x=float(x), y=float(y), width=float(width), height=float(height), **given)

    def circle(self, x: float, y: float, r: float, **given: object) -> None:
        self.add("circle", cx=float(x), cy=float(y), r=float(r), **given)

    def text(
        self, x: float, y: float, text: str, size: float, fill: str, *, bold: bool = False, italic: bool = False,
        anchor: str = "middle", spaced: float | None = None,
    ) -> None:  # fmt: skip
        """A line of words; `y` is the line that the letters stand on."""
        fitted = {} if spaced else _as_wide(text, size, bold)
        given = attributes(
            x=float(x), y=float(y), font_size=float(size), fill=fill, font_weight="bold" if bold else None,
            font_style="italic" if italic else None, text_anchor=None if anchor == "start" else anchor,
            letter_spacing=spaced, **fitted,
        )  # fmt: skip
        self.body.append(f"<text{given}>{words(text)}</text>")

    def along(self, path: str, text: str, size: float, fill: str, *, bold: bool = False) -> None:
        """Words that follow a path, from its middle to both sides."""
        name = f"{self.name}-arc-{sum(d.startswith('<path') for d in self.defs) + 1}"
        self.define(f"<path{attributes(id=name, d=path, fill='none')}/>")
        given = attributes(font_size=float(size), fill=fill, font_weight="bold" if bold else None, text_anchor="middle",
                           **_as_wide(text, size, bold))  # fmt: skip
        self.body.append(f'<text{given}><textPath href="#{name}" startOffset="50%">{words(text)}</textPath></text>')

    def open(self, frame: Frame | None = None, **given: object) -> None:
        """What follows is drawn in this frame, as it stands there: y goes down again."""
        turned = f" rotate({number(frame.turn)})" if frame is not None and abs(frame.turn) >= 0.05 else ""
        place = None if frame is None else f"translate({number(frame.x)} {number(frame.y)}){turned}"
        self.body.append(f"<g{attributes(transform=place, **given)}>")

    def close(self) -> None:
        self.body.append("</g>")

    def svg(self, title: str, about: str, left: float, top: float, width: float, height: float) -> str:
        """The whole picture, in real size."""
        size = attributes(
            xmlns="http://www.w3.org/2000/svg", width=f"{number(width)}mm", height=f"{number(height)}mm",
            viewBox=" ".join(map(number, (left, top, width, height))), role="img", font_family=FONT,
            aria_labelledby=f"{self.name}-title {self.name}-desc",
        )  # fmt: skip
        head = [
            f'<title id="{self.name}-title">{words(title)}</title>',
            f'<desc id="{self.name}-desc">{words(about)}</desc>',
        ]
        defs = ["<defs>", *self.defs, "</defs>"] if self.defs else []
        return "\n".join([f"<svg{size}>", *head, *defs, *self.body, "</svg>"]) + "\n"
