"""Damaged files: claims, logs, checkpoints and the cache, and what may come of each."""

import json
import random
import re
from functools import partial
from typing import Any

from fuzz import damage
from fuzz.case import FOLDER, PIPE, Case, Ended
from fuzz.fixtures import (
    CACHED,
    CHECKPOINT,
    CLAIMS,
    EVIL,
    evil_log,
    small_cache,
    small_checkpoint,
    small_claims,
    small_log,
)

SPECIAL = (
    FOLDER,
    PIPE,
    "-> file",
    "-> nosuch",
    "-> /dev/zero",
    "-> /dev/full",
    "-> /dev/null",
    "-> /proc/self/mem",
    "-> .",
)
"""What may stand where a file should."""

TORN = re.compile(rb"torn|incomplete|unfinished|not closed|cut off|last line", re.I)


def damaged_file(seed: int, number: int) -> Case:
    """One damaged file and the command that reads it; the same seed and number give the same."""
    dice = random.Random(f"{seed} files {number}")
    makers = (_checkpoint, _checkpoint, _log, _log, _log, _claims, _claims, _claims, _cache, _evil, _append)
    return dice.choice(makers)(dice, number)


def _strict(text: bytes) -> list[str] | None:
    """What JSON lines say, to be compared: 1, 1.0 and true are three things."""
    try:
        lines = [line for line in text.decode().split("\n") if line.strip()]
        return [json.dumps(json.loads(line), sort_keys=True) for line in lines]
    except (ValueError, RecursionError):
        return None


def _damaged(dice: random.Random, data: bytes, ways: tuple[damage.Damage, ...]) -> tuple[bytes, str]:
    way = dice.choice(ways)
    return way(data, dice), way.__name__


def _checkpoint(dice: random.Random, number: int) -> Case:
    """Whatever is not the same any more must be refused."""
    words = tuple((word,) for word in (*CHECKPOINT, "600000"))
    if dice.random() < 0.05:
        what = dice.choice(SPECIAL)
        return Case("files", number, words, special={"run.ck": what.replace("file", "run.ck")})
    whole = small_checkpoint()
    data, way = _damaged(dice, whole, damage.JSON)
    changed = _strict(data) != _strict(whole)
    return Case(
        "files", number, words, {"run.ck": data}, nonsense=f"a checkpoint was believed: {way}" if changed else ""
    )


def _log(dice: random.Random, number: int) -> Case:
    """A log that says something else must be refused; that lines are missing at its end cannot be known, and a last
    line that is torn is told."""
    words = (("replay",), ("log.jsonl",), *((("--json",),) if dice.random() < 0.2 else ()))
    if dice.random() < 0.05:
        return Case("files", number, words, special={"log.jsonl": dice.choice(SPECIAL).replace("file", "log.jsonl")})
    whole = small_log()
    data, way = _damaged(dice, whole, damage.JSON)
    if whole.startswith(data):
        lines = data.count(b"\n") if not whole[: len(data) + 1].endswith(b"\n") else data.count(b"\n") + 1
        torn = not data.endswith(b"\n") and not whole[: len(data) + 1].endswith(b"\n")
        why = "" if lines else "an empty log was believed"
        return Case("files", number, words, {"log.jsonl": data}, nonsense=why, judge=_told if torn and lines else None)
    changed = _strict(data) != _strict(whole)
    return Case("files", number, words, {"log.jsonl": data}, nonsense=f"a log was believed: {way}" if changed else "")


def _told(ended: Ended) -> str:
    return "" if ended.code or TORN.search(ended.out + ended.err) else "a torn last line was passed over in silence"


def _append(dice: random.Random, number: int) -> Case:
    """A table that is to go on with a damaged log, or with what is no log."""
    words = (("play",), ("bluff",), ("--rounds", "1"), ("--log", "log.jsonl"))
    answers = b"\nraise\n\n"
    if dice.random() < 0.5:
        other = dice.choice((small_claims(), small_checkpoint(), b"hello\n", EVIL, b"\x00" * 100, b"{}\n", b"[]\n"))
        judge = partial(_untouched, before=other)
        return Case(
            "files",
            number,
            words,
            {"log.jsonl": other},
            stdin=answers,
            nonsense="a log was begun in what is none",
            judge=judge,
        )
    data, _ = _damaged(dice, small_log(), damage.JSON)
    return Case("files", number, words, {"log.jsonl": data}, stdin=answers)


def _untouched(ended: Ended, before: bytes) -> str:
    return "" if (ended.folder / "log.jsonl").read_bytes() == before else "a file that is no log was changed"


def _claims(dice: random.Random, number: int) -> Case:
    """Claims may say anything; what they say is judged or refused, and never run."""
    words = (
        ("verify",),
        ("claims.toml",),
        *((dice.choice((("--json",), ("--markdown",), ("--brief",))),) * dice.randint(0, 1)),
    )
    if dice.random() < 0.04:
        return Case(
            "files", number, words, special={"claims.toml": dice.choice(SPECIAL).replace("file", "claims.toml")}
        )
    whole = small_claims()
    if dice.random() < 0.08:
        whole = b"\n[[claim]]".join(_block(dice) for _ in range(2))
    data, _ = _damaged(dice, whole, damage.TOML)
    return Case("files", number, words, {"claims.toml": data, "evil.py": EVIL})


def _block(dice: random.Random) -> bytes:
    """A piece of a claims file that is shipped, so that all kinds of claim are met."""
    name = dice.choice(("bluff", "lucky-lucky"))
    blocks = (CLAIMS / f"{name}.toml").read_bytes().split(b"\n[[claim]]")
    return blocks[0] if dice.random() < 0.3 else dice.choice(blocks[1:])


def _evil(dice: random.Random, number: int) -> Case:
    """Data that names a program: it must not be run."""
    name = dice.choice(("evil.py", "./evil.py", "evil", "../work/evil.py", "evil.py\\u0000", "EVIL.PY", "file:evil.py"))
    why = "data named a program"
    which = dice.choice(("claims", "claim", "log", "own log", "checkpoint", "import"))
    if which in ("claims", "claim"):
        old, new = (
            (b'game = "bluff"', f'game = "{name}"')
            if which == "claims"
            else (b"[[claim]]", f'[[claim]]\ngame = "{name}"')
        )
        data = small_claims().replace(old, new.encode(), 1)
        return Case(
            "files", number, (("verify",), ("claims.toml",)), {"claims.toml": data, "evil.py": EVIL}, nonsense=why
        )
    if which in ("log", "import"):
        data = small_log().replace(b'"bluff"', json.dumps(name).encode())
        return Case("files", number, (("replay",), ("log.jsonl",)), {"log.jsonl": data, "evil.py": EVIL}, nonsense=why)
    if which == "checkpoint":
        data = small_checkpoint().replace(b'"bluff"', json.dumps(name).encode())
        words = tuple((word,) for word in (*CHECKPOINT, "600000"))
        return Case("files", number, words, {"run.ck": data, "evil.py": EVIL}, nonsense=why)
    return Case(
        "files", number, (("replay",), ("log.jsonl",)), {"log.jsonl": evil_log(), "evil.py": EVIL}, nonsense=why
    )


def _cache(dice: random.Random, number: int) -> Case:
    """A damaged cache costs time and nothing else: the figures are the same."""
    kept, figures = small_cache()
    names = sorted(kept)
    name = dice.choice(names)
    files = dict(kept)
    special: dict[str, str] = {}
    way = dice.choice(("damaged", "damaged", "swapped", "swapped", "another's", "special"))
    if way == "damaged":
        files[name], _ = _damaged(dice, kept[name], damage.ANY)
    elif way == "swapped":
        other = dice.choice(names)
        files[name], files[other] = kept[other], kept[name]
    elif way == "another's":
        for other in names:
            files[other] = kept[name]
    else:
        del files[name]
        special[name] = dice.choice((FOLDER, PIPE, "-> /dev/zero", "-> /etc/passwd", "-> /dev/full", f"-> {name}"))
    words = tuple((word,) for word in CACHED)
    judge = partial(_same_figures, wanted=figures, way=way)
    return Case("files", number, words, files, special, env={"PITBOSS_CACHE": "cache"}, judge=judge)


def _same_figures(ended: Ended, wanted: Any, way: str) -> str:
    if ended.code:
        return f"a cache that is {way} made pitboss refuse"
    return "" if json.loads(ended.out) == wanted else f"a cache that is {way} changed the figures"
