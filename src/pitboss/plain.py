"""Text that somebody else wrote, made so that it is read and does nothing: on a screen, in a page, in a spreadsheet."""

import codecs

_PICTURES = {code: 0x2400 + code for code in range(32)} | {0x7F: 0x2421, ord("\t"): ord(" ")}
_UNSEEN = (
    range(0x80, 0xA0), (0x061C, 0x200E, 0x200F, 0xFEFF), range(0x2028, 0x202F), range(0x2060, 0x2070),
    range(0xD800, 0xE000), range(0xFFF9, 0xFFFC), range(0xE0000, 0xE0080),
)  # fmt: skip
_SHOWN = _PICTURES | {code: 0xFFFD for codes in _UNSEEN for code in codes}
del _SHOWN[ord("\n")]

_LIKE = str.maketrans("╭╮╰╯─│━░♣♦♥♠◖◗·×◀▶●■▨–—“”‘’�", "++++-|=#cdhs()-x<>*##--\"\"''?") | {
    ord("±"): "+-", ord("²"): "^2", ord("…"): "...",
}  # fmt: skip
"""What is written where the encoding of a terminal or a file lacks a character that pitboss uses."""

_MARKUP = str.maketrans({mark: f"\\{mark}" for mark in "\\`*[]<>|"} | {"\n": " "})
_FORMULAS = ("=", "+", "-", "@")

LOOK_ALIKE = "pitboss-look-alike"
"""The name of the error handler that writes a look-alike, or a question mark, for what an encoding cannot say."""


def clean(text: str) -> str:
    """Control characters, signs that turn the direction of writing and halves of characters, as one visible sign each:
    an escape becomes ␛. Lines stay lines."""
    return text if text.isprintable() else text.translate(_SHOWN)


def one_line(text: str) -> str:
    """As a part of a line: what somebody else wrote must not look like a line of ours."""
    return clean(text).replace("\n", "\u240a")


def markdown(text: str) -> str:
    """As words of a page of Markdown, also within a table: no markup, no link, no picture, no HTML, one line."""
    import re  # not for those who only ask for the list of games

    means_something = r"&(?=[#\w])|(?<![^\W_])_|_(?![^\W_])"  # an entity, or an underscore that is not inside a word
    return re.sub(means_something, r"\\\g<0>", clean(text).translate(_MARKUP))


def code(text: str) -> str:
    """As code of a page of Markdown, also within a table."""
    line = clean(text).replace("\n", " ").replace("|", "\\|")
    fence = "`"
    while fence in line:
        fence += "`"
    room = " " if len(fence) > 1 else ""  # a backtick must not touch the fence
    return f"{fence}{room}{line}{room}{fence}"


def spreadsheet(value: object) -> object:
    """As a cell: text that a spreadsheet would take for a formula begins with an apostrophe. Numbers are left alone,
    and so are fractions, which are written out."""
    if not isinstance(value, str) or not value.lstrip().startswith(_FORMULAS):
        return value
    digits = value[1:].replace(",", "").replace(".", "").replace("/", "").removesuffix("%")
    return value if value[0] in "+-" and digits.isascii() and digits.isdigit() else f"'{value}"


def _look_alike(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    like = error.object[error.start : error.end].translate(_LIKE)
    return like.encode("ascii", "replace").decode(), error.end


codecs.register_error(LOOK_ALIKE, _look_alike)
