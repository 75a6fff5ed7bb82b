"""Argument lists for every command and option that the command line has, in ordinary and in odd surroundings."""

import argparse
import random
from functools import cache
from pathlib import Path

from fuzz.case import FOLDER, Case
from fuzz.fixtures import EXAMPLES, small_claims, small_log
from fuzz.values import BAD, BROKEN, EITHER, GAMES, GOOD, LONG, OPTIONS, POSITIONAL, UNKNOWN, Value

SHOWS = ("demo", "packet", "serve", "cluster")
"""Commands that work for minutes, or stay until they are stopped: here they are only given what they must refuse."""
WEIGHTS = {
    "games": 1, "rules": 6, "analyze": 14, "strategy": 8, "simulate": 14, "play": 12, "replay": 5, "hands": 3,
    "verify": 5, "design": 12, "protect": 7, "floor": 6, "demo": 1,
}  # fmt: skip
"""How often a command is attacked; one that is new gets 5."""

NEEDS = {"design": ("--wager", "--edge"), "simulate": ("--rounds",), "protect": ("--shoes", "--decks")}
"""Options without which a command would be refused at once, or work for long."""

STRAY = ("--nosuch", "-z", "extra", "--rounds=", "--=5", "-", "---", "--json=1", "-o", "\x1b[2J", "\udcff")

ENVIRONMENTS: tuple[dict[str, str | None], ...] = (
    {"COLUMNS": "0"}, {"COLUMNS": "1"}, {"COLUMNS": "2"}, {"COLUMNS": "7"}, {"COLUMNS": "-5"}, {"COLUMNS": "abc"},
    {"COLUMNS": ""}, {"COLUMNS": "10000000"}, {"COLUMNS": "²"}, {"COLUMNS": "1e3"},
    {"LINES": "0"}, {"TERM": ""}, {"TERM": "nosuch"}, {"TERM": None}, {"NO_COLOR": "1"}, {"FORCE_COLOR": "1"},
    {"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "latin-1"}, {"PYTHONIOENCODING": "cp437", "COLUMNS": "40"},
    {"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"LC_ALL": "nosuch"},
    {"HOME": None}, {"HOME": "/proc/1/root"}, {"MPLCONFIGDIR": "/proc/nowhere"},
    {"HOME": "/proc/nowhere"}, {"HOME": "/dev/null"}, {"HOME": ""}, {"TMPDIR": "/proc/nowhere"},
    {"TZ": "nosuch"}, {"JUPYTER_COLUMNS": "x"}, {"PITBOSS_CACHE": "claims.toml"}, {"PITBOSS_CACHE": "/proc/nowhere"},
    {"PITBOSS_CACHE": None, "HOME": None}, {"PITBOSS_CACHE": "/dev/full"},
)  # fmt: skip

ANSWERS = (
    "", "", "", "raise", "call", "check", "war", "surrender", "stand", "q", "b", "?", "10", "5", "0", "-5", "nan",
    "1e99999999", "12,50", "16/3", "inf", "x" * 5000, "\x1b[31m", "[bold]", "😀", "²", "hint", "log", " ",
)  # fmt: skip


@cache
def commands() -> dict[str, tuple[argparse.Action, ...]]:
    """Every command of the real command line, with its arguments."""
    from pitboss.cli.parser import build_parser

    found = next(a for a in build_parser()._actions if isinstance(a, argparse._SubParsersAction))
    return {
        name: tuple(a for a in parser._actions if not isinstance(a, argparse._HelpAction))
        for name, parser in found.choices.items()
    }


def argument_list(seed: int, number: int) -> Case:
    """One argument list; the same seed and number give the same one."""
    dice = random.Random(f"{seed} arguments {number}")
    command = dice.choices(list(commands()), [WEIGHTS.get(name, 5) for name in commands()])[0]
    game = dice.choice(list(GAMES))
    sane = dice.random() < 0.45  # a list without nonsense goes deeper
    chosen = [_argument(dice, action, game, sane) for action in _some(dice, command)]
    groups = [(words, value) for words, value in chosen if words]
    if not sane and dice.random() < 0.12:
        groups.insert(dice.randint(0, len(groups)), ((dice.choice(STRAY),), Value("a stray word", BAD)))
    elif dice.random() < 0.02:
        groups.append((("--",), Value("--", EITHER)))
    if command in SHOWS and not any(v.worth == BAD for _, v in groups):
        groups.append((("extra",), Value("extra", BAD)))  # what they do has tests of its own
    bad = next((_named(words, value) for words, value in groups if value.worth == BAD), "")
    long = any(value.worth == LONG for _, value in groups)
    return _surrounded(
        dice, number, command, tuple(words for words, _ in groups), f"{command} {bad}" if bad else "", long
    )


def _named(words: tuple[str, ...], value: Value) -> str:
    """The option that holds nonsense, and for NAME=VALUE the name."""
    flag = words[0].partition("=")[0] if words[0].startswith("-") else "an argument"
    name, sign, _ = value.text.partition("=")
    return f"{flag} {name}=" if sign and 0 < len(name) < 20 and name.isprintable() else flag


def _some(dice: random.Random, command: str) -> list[argparse.Action]:
    """The positional arguments of a command, what it cannot do without, and a few others."""
    actions = commands()[command]
    needed = [a for a in actions if not a.option_strings or set(a.option_strings) & set(NEEDS.get(command, ()))]
    others = [a for a in actions if a not in needed]
    return needed + dice.sample(others, min(len(others), dice.choice((0, 1, 1, 2, 2, 3, 4))))


def _argument(dice: random.Random, action: argparse.Action, game: str, sane: bool) -> tuple[tuple[str, ...], Value]:
    """An argument as it is written, and what it is worth."""
    flag = next((o for o in action.option_strings if o.startswith("--")), (action.option_strings or [""])[0])
    if flag and action.nargs == 0:
        return (flag,), Value(flag, GOOD)
    pool = _pool(action, flag, game)
    if sane:
        fine = [v for v in pool if v.worth == GOOD] * 6 + [v for v in pool if v.worth in (EITHER, LONG)]
        if not fine:
            return (), Value("", GOOD)
        value = dice.choice(fine)
    else:
        value = dice.choice([v for v in pool if v.worth == dice.choice((GOOD, GOOD, BAD, BAD, EITHER, LONG))] or pool)
    if not flag:
        return (value.text,), value
    if action.nargs == "?" and dice.random() < 0.4:
        return (flag,), Value(flag, GOOD)
    separate = dice.random() < 0.6 and not value.text.startswith("-")
    return ((flag, value.text) if separate else (f"{flag}={value.text}",)), value


def _pool(action: argparse.Action, flag: str, game: str) -> tuple[Value, ...]:
    if not flag:
        if action.dest == "game":
            return (*POSITIONAL["game"], *[Value(game, GOOD)] * 60)
        return POSITIONAL.get(action.dest, UNKNOWN)
    if flag in GAMES[game]:
        return (*GAMES[game][flag], *BROKEN[flag])
    return OPTIONS.get(flag, UNKNOWN)


def _surrounded(
    dice: random.Random, number: int, command: str, groups: tuple[tuple[str, ...], ...], bad: str, long: bool
) -> Case:
    """The list in its surroundings: one in four has an odd environment or odd streams."""
    env: dict[str, str | None] = dict(dice.choice(ENVIRONMENTS)) if dice.random() < 0.2 else {}
    if "PITBOSS_CACHE" in env and dice.random() < 0.7:
        env = {}  # without a cache everything is compiled anew, which is slow
    stdin: bytes | None = b""
    if command == "play":
        stdin = "".join(f"{dice.choice(ANSWERS)}\n" for _ in range(dice.randint(0, 12))).encode()
        stdin += dice.choice((b"", b"", b"\xff\xfe\n", b"\x00\n", b"raise"))
    if dice.random() < 0.02:
        stdin = None
    stdout = dice.choice(("closed", "/dev/full")) if dice.random() < 0.04 else "file"
    return Case(
        "arguments", number, ((command,), *groups), _files(), {"folder": FOLDER, "loop": "-> loop",
        "loop.svg": "-> loop.svg"},
        env, stdin, stdout, interrupt=2.0 if long else None,
        cold=dice.random() < (0.05 if env or stdin is None or stdout != "file" else 0.01), nonsense=bad,
    )  # fmt: skip


@cache
def _files() -> dict[str, bytes]:
    games = {name: (Path(EXAMPLES) / name).read_bytes() for name in GAMES if name.endswith(".py")}
    return {**games, "claims.toml": small_claims(), "log.jsonl": small_log(), "empty.py": b""}
