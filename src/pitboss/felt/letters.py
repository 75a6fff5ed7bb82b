"""How wide words are: the font's own widths, so that what is printed is known to fit before anybody draws it.

The widths are those of Libertinus Serif, in thousandths of the type size. The fallbacks that a browser may take
instead are no wider. Of a letter that the font has not got, the width is taken to be on the large side.
"""

from functools import lru_cache
from unicodedata import category, east_asian_width

FONT = "Libertinus Serif, Linux Libertine, Times New Roman, Times, serif"
UP, DOWN = 0.72, 0.24  # how far letters reach above and below their line, of the type size
_REGULAR = """
250 288 336 465 465 637 705 190 298 298 369 550 220 338 220 323 465 465 465 465 465 465 465 465 465 465 236 236 550 550
550 435 895 695 588 646 701 557 485 685 730 297 322 637 528 839 699 702 541 702 587 485 597 661 652 951 660 575 604 356
287 356 518 486 392 457 493 428 506 447 310 500 538 271 272 512 264 790 542 504 519 503 372 390 316 531 497 747 490 515
424 277 205 277 449"""
_BOLD = """
250 266 376 514 514 637 729 215 315 315 433 537 244 358 244 316 514 514 514 514 514 514 514 514 514 514 256 256 512 551
512 430 988 740 654 706 734 609 545 732 817 367 373 736 577 899 740 730 614 730 716 504 652 732 700 1028 718 624 624 397
307 397 518 486 392 506 542 456 561 489 391 521 619 322 312 613 325 905 616 551 581 573 428 427 358 598 529 777 561 558
452 307 220 307 473"""
_SIGNS = {"×": 550, "–": 548, "—": 742, "·": 250, "’": 268, "‘": 268, "“": 440, "”": 440, "…": 817, "½": 700,
          "¼": 700, "¾": 700, "≥": 527, "≤": 527, "−": 550, "→": 1154, "♠": 722, "♥": 725, "♦": 645, "♣": 777,
          "•": 351, "°": 267, "§": 473, "£": 540, "€": 514, "\u2003": 1000, "\u00a0": 250}  # fmt: skip
WIDTHS = tuple({**_SIGNS, **{chr(32 + i): int(w) for i, w in enumerate(table.split())}} for table in (_REGULAR, _BOLD))


@lru_cache(maxsize=4096)
def _unknown(letter: str) -> int:
    if category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 1000 if east_asian_width(letter) in "WF" or letter.isupper() or category(letter) == "So" else 750


def width(text: str, size: float, bold: bool = False) -> float:
    """How wide a line is, set in this size."""
    table = WIDTHS[bold]
    return sum(table.get(letter) or _unknown(letter) for letter in text) * size / 1000


def shortened(text: str, size: float, room: float, bold: bool = False) -> str:
    """As much of a line as there is room for."""
    if width(text, size, bold) <= room:
        return text
    while text and width(f"{text}…", size, bold) > room:
        text = text[:-1].rstrip(" ,;:.")
    return f"{text}…"


def wrapped(text: str, size: float, room: float, bold: bool = False) -> list[str]:
    """A text in lines of some width; a word that is wider by itself is broken."""
    lines: list[str] = []
    line = ""
    for word in _broken([w for w in text.split(" ") if w], size, room, bold):
        longer = f"{line} {word}" if line else word
        if width(longer, size, bold) <= room or not line:
            line = longer
        else:
            lines.append(line)
            line = word
    return [*lines, line] if line else lines


def _broken(words: list[str], size: float, room: float, bold: bool) -> list[str]:
    out: list[str] = []
    for word in words:
        while len(word) > 1 and width(word, size, bold) > room:
            most = next((n for n in range(len(word) - 1, 1, -1) if width(f"{word[:n]}-", size, bold) <= room), 1)
            out.append(f"{word[:most]}-" if not word[most - 1 : most + 1].count("-") else word[:most])
            word = word[most:]
        out.append(word)
    return out


def balanced(text: str, size: float, room: float, bold: bool = False) -> list[str]:
    """The same in as few lines, none much longer than another: for what stands centred."""
    lines = wrapped(text, size, room, bold)
    if len(lines) < 2:
        return lines
    whole = max(width(word, size, bold) for word in text.split())  # in less room words would be broken
    least, most = max(room / 4, min(room, whole)), room
    for _ in range(12):
        middle = (least + most) / 2
        if len(wrapped(text, size, middle, bold)) > len(lines):
            least = middle
        else:
            most = middle
    return wrapped(text, size, most, bold)


def cut(lines: list[str], most: int, size: float, room: float, bold: bool = False) -> list[str]:
    """So many lines at most; the last one shows that there was more."""
    if len(lines) <= most:
        return lines
    last = shortened(f"{lines[most - 1]} {lines[most]}", size, room, bold)
    return [*lines[: most - 1], last if last.endswith("…") else f"{last}…"]
