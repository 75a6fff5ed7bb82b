"""Game files: declared nonsense, and the shipped games with one to three things changed at random."""

import random
from dataclasses import replace
from functools import cache

from fuzz.case import FOLDER, PIPE, Case
from fuzz.fixtures import EXAMPLES, GAMES
from fuzz.mutate import mutated
from fuzz.nonsense import EVERY, SMALL, Wrong

COMMANDS = {
    "rules": (("rules",),), "analyze": (("analyze",),), "strategy": (("strategy",),),
    "simulate": (("simulate",), ("--rounds", "1e4")), "play": (("play",), ("--rounds", "1")),
}  # fmt: skip
"""What must refuse a file that makes no sense."""

OTHERS = {
    "floor": (("floor",), ("--seats", "2")), "plan": (("analyze",), ("--plan",)), "json": (("rules",), ("--json",)),
    "protect": (("protect",), ("--shoes", "3"), ("--states", "8")), "shoe": (("simulate",), ("--shoe",), ("--rounds",
    "1e4")),
    "coach": (("play",), ("--rounds", "2"), ("--seats", "3"), ("--coach",)), "policy": (("design",), ("--policy",)),
    "across": (("analyze",), ("--across", "decks")), "seats": (("simulate",), ("--shoe",), ("--seats", "3"),
    ("--rounds", "1e4")),
}  # fmt: skip

LONG = ("protect", "floor", "policy")  # may take a while on a game that is right: stopped as a user would
STRIDE = 181  # a prime, so that every mistake has its turn

QUICK = ("bluff", "casino_war", "red_dog", "stare_down", "three_card_poker", "small")
SLOW = ("blackjack", "flop_poker_bonus", "packs_poker", "let_it_ride", "mississippi_stud", "blackjack_side_bets")

ODD_TEXTS = (
    b"", b"\x00", b"\xff\xfe", b"# -*- coding: nosuch -*-\n", b"\xef\xbb\xbf", b"GAME = None\n", b"GAME = 5\n",
    b"x" * 1_000_000,
    b"#" * 10_000_000, b"\n" * 1_000_000, b"GAME = " + b"[" * 100_000, b"\x1b[31m", b"[bold]", b"def",
    b"import pitboss",
    SMALL.encode("utf-16"), SMALL.replace("Small:", "Sm\xe9ll:").encode("latin-1"), b"\x7fELF" + bytes(range(256)),
    SMALL.encode()[:600], SMALL.encode()[:-3], SMALL.encode() + b"\x1a",
    b"GAME = __import__('pitboss').rules.game.Game\n",
)  # fmt: skip
"""Files that are no game at all."""

HARMLESS = (
    b"\xef\xbb\xbf" + SMALL.encode(), SMALL.replace("\n", "\r\n").encode(), SMALL.replace('title="Small"',
    'title="[/]"').encode(),
    SMALL.replace('"a note"', '"[bold]\\x1b[31mred"').encode(), SMALL.replace("Small: one",
    "Small\\x1b[31m [/] one").encode(),
    SMALL.replace('"your card is higher"', '"\\x07 [/red] \\u202e"').encode(), SMALL.replace("somebody",
    "x" * 5000).encode(),
    SMALL.replace('title="Small"', 'title="\\u4e2d\\U0001f600 |`<b>"').encode(), SMALL.encode().replace(b"a note",
    b"\xc2\x9b31m"),
    SMALL.replace("decks in the shoe", "a|b\\n# c").encode(), SMALL.replace('"a pair or a suit"',
    '"x" * 100000').encode(),
    SMALL.replace("\n\ndef thumb", "\nprint('hello')\n\n\ndef thumb").encode(), (SMALL + "\nraise_ = 5\n").encode(),
    SMALL.replace("seats=7", "counts=lambda hand: nosuch").encode(), SMALL.replace("seats=7",
    "counts=lambda hand: {'x': 'y'}").encode(),
    SMALL.replace("seats=7", "counts=lambda hand: {5: hand[0].rank}").encode(),
    *(SMALL.replace("\n\ndef play(t):", f"\n{line}\n\n\ndef play(t):", 1).encode() for line in (
        "import threading, time; threading.Thread(target=time.sleep, args=(600,)).start()",
        "def loop():\n    while True: pass\nimport threading; threading.Thread(target=loop).start()",
        "import atexit, time; atexit.register(time.sleep, 600)", "import atexit; atexit.register(lambda: 1 / 0)",
        "import sys; sys.stdout = None", "import sys; sys.stdin = sys.stderr = None", "import os; os.environ.clear()",
        "import sys; sys.stdout.close()", "import builtins; builtins.len = None", "import sys; sys.modules.clear()",
        "class Text(str):\n    def __str__(self): raise SystemExit\n    __format__ = encode = replace = __str__",
    )),
    SMALL.replace("\n\ndef thumb", "\nclass Text(str):\n    def __str__(self): exit()\n\n\ndef thumb", 1)
    .replace('title="Small"', 'title=Text("Small")').encode(),
    SMALL.replace('"a note"', '"a note\\nFORGED"').replace('"the same"', '"the\\nFORGED"').encode(),
)  # fmt: skip
"""Files that may be taken, if what they say does no harm to the terminal."""

ANSWERS = b"\nraise\n\ncall\n\nwar\n\nstand\n\nfold\n\ncheck\n\nhit\n\n"


def game_file(seed: int, number: int) -> Case:
    """One game file and a command on it; the same seed and number give the same."""
    dice = random.Random(f"{seed} games {number}")
    kind = dice.random()
    if kind < 0.4:  # all mistakes in turn, near ones far apart, each time with another command
        return _nonsense(dice, number, EVERY[int(number * 0.4 + dice.random()) * STRIDE % len(EVERY)])
    if kind < 0.44:
        return _case(number, dice.choice(ODD_TEXTS), dice.choice(list(COMMANDS)), "this is no game")
    if kind < 0.47:
        return _case(number, dice.choice(HARMLESS), _any(dice), "")
    if kind < 0.48:
        special = {"game.py": dice.choice((FOLDER, PIPE, "-> game.py", "-> /dev/zero", "-> nosuch", "-> /dev/full"))}
        return _case(number, b"", dice.choice(list(COMMANDS)), f"game.py is {special['game.py']}", special)
    name = dice.choice(QUICK) if dice.random() < 0.93 else dice.choice(SLOW)
    text, changes = mutated(_sources()[name], dice)
    command = _any(dice) if name in QUICK else dice.choice(("rules", "plan", "json"))
    return _case(number, text.encode(errors="surrogatepass"), command, "", note=f"# {name}: {'; '.join(changes)}\n")


def _any(dice: random.Random) -> str:
    return dice.choice(list(COMMANDS) * 3 + list(OTHERS))


def _nonsense(dice: random.Random, number: int, wrong: Wrong) -> Case:
    command = dice.choice(("analyze", "simulate")) if wrong.only else dice.choice(list(COMMANDS))
    why = f"{' '.join(wrong.new.split())[:70]} for {wrong.old.strip()[:24]}"
    case = _case(number, wrong.text.encode(), command, why)
    if not wrong.only:
        return case
    return replace(case, words=(*case.words, ("--strategy", wrong.only)))


def _case(
    number: int, text: bytes, command: str, why: str, special: dict[str, str] | None = None, note: str = ""
) -> Case:
    first, *rest = COMMANDS.get(command) or OTHERS[command]
    files = {} if special else {"game.py": text}
    if note:
        files["CHANGES"] = note.encode(errors="backslashreplace")
    return Case(
        "games", number, (first, ("game.py",), *rest), files, special or {},
        stdin=ANSWERS if command in ("play", "coach") else b"",
        interrupt=10.0 if command in LONG else None, nonsense=why,
    )  # fmt: skip


@cache
def _sources() -> dict[str, str]:
    found = {path.stem: path.read_text() for folder in (GAMES, EXAMPLES) for path in folder.glob("*.py")}
    return {**found, "small": SMALL}
