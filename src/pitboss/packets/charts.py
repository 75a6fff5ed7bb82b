"""Charts of a packet, as SVG drawn here: the same type as the page, no plotting library, the same bytes every time."""

from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

FELT, RED, BLUE, GREY, PALE, INK = "#0b5d3b", "#b3261e", "#1a5fb4", "#8a949c", "#e3e8e5", "#1d2733"
LINES = (FELT, BLUE, RED, "#8c4fa8", "#d99a00", "#3a7d8c")
DASHES = ("", "6 3", "2 3", "8 3 2 3", "1 2", "10 4")
WIDTH = 640.0
FONT = "Libertinus Serif, serif"


def _svg(height: float, body: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {height:g}" width="{WIDTH:g}" '
        f'height="{height:g}" font-family="{FONT}" font-size="12" fill="{INK}">{"".join(body)}</svg>'
    )


def _text(x: float, y: float, words: str, anchor: str = "start", fill: str = INK, size: float = 12) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}" font-size="{size:g}">'
        f"{escape(words)}</text>"
    )


def _line(x1: float, y1: float, x2: float, y2: float, colour: str = PALE, width: float = 1, dash: str = "") -> str:
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width:g}"'
        f"{dashes}/>"
    )


def night(points: Sequence[tuple[float, float]], mean: float, bad: float, bad_words: str) -> str:
    """How the house's win of a shift is distributed: (dollars, chance) as bars, losses in red, the average marked."""
    height, left, base = 230.0, 20.0, 190.0
    low, high = points[0][0], points[-1][0]
    top = max(chance for _, chance in points)
    step = (WIDTH - 2 * left) / len(points)

    def at(dollars: float) -> float:
        return left + (dollars - low) / ((high - low) or 1) * (WIDTH - 2 * left - step) + step / 2

    out = []
    for dollars, chance in points:
        tall = chance / top * 150
        colour = RED if dollars < 0 else FELT
        out.append(
            f'<rect x="{at(dollars) - step / 2:.1f}" y="{base - tall:.1f}" width="{max(step - 1, 0.5):.1f}" '
            f'height="{tall:.1f}" fill="{colour}"/>'
        )
    out.append(_line(left, base, WIDTH - left, base, GREY))
    for share in range(5):
        dollars = low + (high - low) * share / 4
        anchor = "start" if share == 0 else "end" if share == 4 else "middle"
        place = left if share == 0 else WIDTH - left if share == 4 else at(dollars)
        out.append(_text(place, base + 16, _dollars(dollars), anchor, GREY))
    out.append(_line(at(mean), 18, at(mean), base, INK, 1, "4 3"))
    out.append(_text(at(mean) + 5, 26, f"average {_dollars(mean)}"))
    if low < bad < high:
        out.append(_line(at(bad), 60, at(bad), base, RED, 1, "4 3"))
        out.append(_text(max(at(bad) - 5, 130), 56, bad_words, "end" if at(bad) > 130 else "start", RED))
    out.append(_text(WIDTH / 2, base + 34, "the house's win in a shift", "middle", GREY))
    return _svg(height, out)


def _dollars(amount: float) -> str:
    return f"{'-' if round(amount) < 0 else ''}${abs(amount):,.0f}"


def bars(rows: Sequence[tuple[str, float, str]]) -> str:
    """Outcomes as bars: how often each comes up, and what it brings beside it."""
    tall, name = 19.0, 250.0
    top = max((share for _, share, _ in rows), default=1.0) or 1.0
    room = WIDTH - name - 120
    out = []
    for number, (label, share, pays) in enumerate(rows):
        y = 6 + number * tall
        colour = FELT if pays.startswith("+") else RED if pays.startswith("-") else GREY
        long = share / top * room
        out.append(_text(name - 8, y + 12, _shorter(label, 42), "end"))
        out.append(f'<rect x="{name:g}" y="{y + 2:.1f}" width="{max(long, 0.8):.1f}" height="13" fill="{colour}"/>')
        often = f"{share:.2%}" if share >= 0.001 else f"1 in {1 / share:,.0f}" if share else "never"
        out.append(_text(name + long + 6, y + 12, f"{often}   {pays}", fill=INK))
    return _svg(12 + len(rows) * tall, out)


def _shorter(words: str, most: int) -> str:
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"


def edges(values: Sequence[str], lines: Mapping[str, Sequence[float | None]]) -> str:
    """The house edge of every wager at each value of an option."""
    height, left, right, top, base = 250.0, 60.0, 150.0, 16.0, 206.0
    every = [y for some in lines.values() for y in some if y is not None]
    low, high = min([*every, 0.0]), max([*every, 0.0001])
    low, high = low - (high - low) * 0.04, high + (high - low) * 0.06
    step = (WIDTH - left - right) / max(1, len(values) - 1)

    def at(place: int) -> float:
        return left + place * step

    def up(edge: float) -> float:
        return base - (edge - low) / (high - low) * (base - top)

    out = []
    for share in range(5):
        edge = low + (high - low) * share / 4
        out += [
            _line(left, up(edge), WIDTH - right, up(edge)),
            _text(left - 6, up(edge) + 4, f"{edge:.1%}", "end", GREY),
        ]
    out += [_text(at(i), base + 18, value, "middle") for i, value in enumerate(values)]
    ends: list[float] = []
    for number, (name, some) in enumerate(lines.items()):
        colour, dash = LINES[number % len(LINES)], DASHES[number % len(DASHES)]
        known = [(at(i), up(y)) for i, y in enumerate(some) if y is not None]
        if not known:
            continue
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in known)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in known]
        y = known[-1][1] + 4
        while any(abs(y - other) < 13 for other in ends):
            y += 13 if y < base else -13
        ends.append(y)
        out.append(_text(known[-1][0] + 10, y, name, fill=colour))
    return _svg(height - 20, out)
