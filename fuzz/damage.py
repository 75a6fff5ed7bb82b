"""Ways to damage a file: a digit, a byte, a line, an end, an encoding, a type."""

import json
import random
import re
from collections.abc import Callable
from typing import Any

HUGE = 8_000_000
ODD_JSON: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 1.5, 10**30, "x", "", [], {}, float("nan"), float("inf"), "\x1b[31m",
    "x\nFORGED", "１", [[]],
    {"x": 1}, "evil.py",
    "x" * 100_000, -(10**400), "\x00", "[/]", "1e99999999",
)  # fmt: skip
ODD_TOML = (
    "nan", "inf", "-5", "0", "1e400", "9" * 400, '""', '"x"', '"nosuch"', "[]", "{}", "[[]]", "true",
    '"x\\nFORGED"', '"\\u001b[31mred"', '"[/]"',
    '"' + "x" * 50_000 + '"', '"a|b`c<d>"', "1979-05-27", '"1e99999999%"', '"nan%"', '"1/0"', '"12,50"', '["all"]',
    '"all"', "1_000",
    '"""\na\nb"""', '"evil.py"', '"../../evil.py"', '{ decks = "all" }', '{ decks = 9 }', '{ nosuch = [1] }',
    '"-1e99999999"',
)  # fmt: skip

KEYS = ("game", "wager", "measure", "options", "x", "printed", "across", "unstated", "id")

Damage = Callable[[bytes, random.Random], bytes]


def a_digit(data: bytes, dice: random.Random) -> bytes:
    places = [m.start() for m in re.finditer(rb"[0-9]", data)]
    if not places:
        return a_byte(data, dice)
    at = dice.choice(places)
    other = dice.choice([d for d in b"0123456789" if d != data[at]])
    return data[:at] + bytes([other]) + data[at + 1 :]


def a_byte(data: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << dice.randrange(8))]) + data[at + 1 :]


def some_bytes(data: bytes, dice: random.Random) -> bytes:
    for _ in range(dice.randint(2, 40)):
        data = a_byte(data, dice)
    return data


def cut(data: bytes, dice: random.Random) -> bytes:
    return data[: dice.randrange(len(data))]


def cut_at_a_line(data: bytes, dice: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    kept = b"".join(lines[: dice.randrange(len(lines) + 1)])
    return kept[:-1] if dice.random() < 0.3 else kept


def cut_off_the_front(data: bytes, dice: random.Random) -> bytes:
    return data[dice.randrange(1, len(data)) :]


def a_line(data: bytes, dice: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    at, other = dice.randrange(len(lines)), dice.randrange(len(lines))
    what = dice.choice(("dropped", "doubled", "swapped", "inserted", "joined"))
    if what == "dropped":
        del lines[at]
    elif what == "doubled":
        lines.insert(other, lines[at])
    elif what == "swapped":
        lines[at], lines[other] = lines[other], lines[at]
    elif what == "inserted":
        lines.insert(
            at,
            dice.choice(
                (b"\n", b"{}\n", b"null\n", b"x\n", b"[]\n", b'{"line": 1}\n', b"\xff\n", b"# x\n", b"[[claim]]\n")
            ),
        )
    else:
        lines[at] = lines[at].rstrip(b"\n")
    return b"".join(lines)


def a_word(data: bytes, dice: random.Random) -> bytes:
    """One word of the file in the place of another."""
    words = list(re.finditer(rb"[\w.%-]+", data))
    if not words:
        return a_byte(data, dice)
    old, new = dice.choice(words), dice.choice(words).group()
    return data[: old.start()] + new + data[old.end() :]


def dressed(data: bytes, dice: random.Random) -> bytes:
    """The same text in other clothes."""
    text = data.decode(errors="replace")
    return dice.choice((
        b"\xef\xbb\xbf" + data, data.replace(b"\n", b"\r\n"), text.encode("utf-16"), text.encode("utf-32"),
        data + b"\x00", b"\x00" + data,
        data.replace(b"\n", b"\n\n"), data.rstrip(b"\n"), data + b"\n", b" " + data, data.replace(b"\n", b"\r"),
        data + b"\x1a",
        data.replace(b'"', b"'"), data.upper(), data[::-1], data + data,
    ))  # fmt: skip


def replaced(data: bytes, dice: random.Random) -> bytes:
    """Something else altogether."""
    return dice.choice((
        b"", b"\n", b"\x00" * 1000, b"null", b"[]", b"{}", b"[" * 100_000, b'{"a":' * 100_000, b"a = " + b"[" * 100_000,
        b"5", b'"x"',
        b"9" * HUGE, b" " * HUGE, b"\n" * HUGE, b"x = [" + b"1," * 100_000 + b"]", bytes(range(256)) * 10,
        b"\x1b[31mred\n", b"NaN",
        b"a." * 50_000 + b"b = 1", b"9" * 5000, b"a = " + b"9" * 5000, b"a = '" + b"x" * HUGE + b"'", b"\xff\xfe",
        b"{\x00}",
    ))  # fmt: skip


def a_json_value(data: bytes, dice: random.Random) -> bytes:
    """A value of another type, or another value, at some depth; a key that is gone, misspelt or new."""
    lines = data.splitlines()
    at = dice.randrange(len(lines))
    try:
        top: dict[str, Any] = {"root": json.loads(lines[at])}
    except ValueError:
        return a_byte(data, dice)
    holder: Any = top
    where: Any = "root"
    while isinstance(holder[where], dict | list) and holder[where] and dice.random() < 0.85:
        holder = holder[where]
        where = dice.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
    what = dice.random()
    if what < 0.15 and holder is not top:
        del holder[where]
    elif what < 0.25 and isinstance(holder, dict):
        holder[dice.choice(("x", "", "sha256", str(where) + "s"))] = dice.choice(ODD_JSON)
    elif what < 0.45 and type(holder[where]) is int:
        holder[where] += dice.choice((1, -1, 10, 1000, -(10**9)))
    else:
        holder[where] = dice.choice(ODD_JSON)
    lines[at] = json.dumps(top["root"]).encode(errors="surrogatepass")
    return b"\n".join(lines) + b"\n"


def a_toml_value(data: bytes, dice: random.Random) -> bytes:
    """Another value for a key, or the key misspelt, doubled or new."""
    lines = data.decode(errors="replace").split("\n")
    keys = [i for i, line in enumerate(lines) if " = " in line]
    if not keys:
        return a_byte(data, dice)
    at = dice.choice(keys)
    key, _, value = lines[at].partition(" = ")
    lines[at] = dice.choice((
        f"{key} = {dice.choice(ODD_TOML)}", f"{key} = {dice.choice(ODD_TOML)}", f"{key}s = {value}",
        f"{lines[at]}\n{lines[at]}", "",
        f"{lines[at]}\n{dice.choice(KEYS)} = {dice.choice(ODD_TOML)}",
    ))  # fmt: skip
    return "\n".join(lines).encode()


ANY: tuple[Damage, ...] = (
    a_digit, a_digit, a_byte, a_byte, some_bytes, cut, cut, cut_at_a_line, cut_off_the_front, a_line, a_line, a_word,
    dressed, replaced,
)  # fmt: skip
JSON: tuple[Damage, ...] = (*ANY, *[a_json_value] * 5)
TOML: tuple[Damage, ...] = (*ANY, *[a_toml_value] * 8)
