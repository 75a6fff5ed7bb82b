"""python -m pitboss.trials [cards=1e8] [decks=1] [seed=HEX] [as=text|markdown|json]

Exit code 1 where the shuffle fails its trials."""

import sys
from collections.abc import Callable, Sequence
from typing import Any

from pitboss.rules.errors import BadInput, choice_of
from pitboss.trials import markdown, plain, report
from pitboss.trials.records import Report

WRITERS: dict[str, Callable[[Report], list[str]]] = {
    "text": plain,
    "markdown": markdown,
    "json": lambda found: [found.to_json()],
}
ASKED = ("cards", "decks", "seed", "as")


def main(words: Sequence[str]) -> int:
    try:
        return _run(words)
    except BadInput as error:
        print(f"pitboss: {error}", file=sys.stderr)
        return 2


def _run(words: Sequence[str]) -> int:
    asked: dict[str, Any] = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign or name not in ASKED:
            raise BadInput(f"{word[:40]!r}: write {', '.join(f'{known}=...' for known in ASKED)}")
        asked[name] = value
    written = asked.pop("as", "text")
    if written not in WRITERS:
        raise BadInput(f"as: {choice_of(repr(written[:40]), list(WRITERS))}")
    found = report(**asked, progress=_progress if sys.stderr.isatty() else None)
    print("\n".join(WRITERS[written](found)))
    return 0 if found.passed else 1


def _progress(what: str, done: int, of: int) -> None:
    print(f"\r{what}: {done:,} of {of:,} packs", end="\n" if done >= of else "", file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
