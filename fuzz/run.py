"""The whole attack, or a part of it: `python -m fuzz.run`. Prints counts and every distinct failure; 1 if any."""

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from fuzz import report  # noqa: E402
from fuzz.arena import Arena, command  # noqa: E402
from fuzz.arguments import argument_list  # noqa: E402
from fuzz.case import Case, Ended, Verdict  # noqa: E402
from fuzz.files import damaged_file  # noqa: E402
from fuzz.games import game_file  # noqa: E402

KINDS: dict[str, Callable[[int, int], Case]] = {
    "arguments": argument_list,
    "games": game_file,
    "files": damaged_file,
}
SHORTENING = 120.0
"""Seconds that are spent on making the failures shorter."""

WHOLE = {"arguments": 10_000, "games": 3_000, "files": 3_000}


@dataclass
class Found:
    """All failures of one cause, and the shortest case of them."""

    verdict: Verdict
    case: Case
    times: int = 0


@dataclass
class Attack:
    """What has been tried so far."""

    begun: float = field(default_factory=time.monotonic)
    counts: dict[str, Counter[str]] = field(default_factory=lambda: {kind: Counter() for kind in KINDS})
    found: dict[tuple[str, str, str], Found] = field(default_factory=dict)
    slowest: float = 0.0
    largest: int = 0

    def take(self, case: Case, ended: Ended, verdict: Verdict) -> None:
        self.counts[case.kind][verdict.word] += 1
        self.slowest = max(self.slowest, ended.seconds)
        self.largest = max(self.largest, ended.memory)
        if not verdict.bad:
            return
        one = self.found.setdefault((case.kind, verdict.word, verdict.cause), Found(verdict, case))
        one.times += 1
        if case.size < one.case.size:
            one.case = case

    @property
    def cases(self) -> int:
        return sum(sum(c.values()) for c in self.counts.values())

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.begun


def attack(arena: Arena, wanted: dict[str, int], seed: int, bound: float, show: bool) -> Attack:
    """Every case that is wanted, or as many as the time allows, mixed so that a bound cuts all kinds alike."""
    done = Attack()
    total = sum(wanted.values())
    for case, ended, verdict in arena.judged(_mixed(wanted, seed, done, bound)):
        done.take(case, ended, verdict)
        if show and done.cases % 20 == 0:
            text = f"{done.cases:,} of {total:,}, {done.seconds:.0f} s, {len(done.found)} distinct failures"
            print(f"\r{text}", end="", file=sys.stderr, flush=True)
    if show:
        print(file=sys.stderr)
    return done


def _mixed(wanted: dict[str, int], seed: int, done: Attack, bound: float) -> Iterator[Case]:
    order = sorted((n / max(1, most), kind, n) for kind, most in wanted.items() for n in range(most))
    for _, kind, number in order:
        if done.seconds > bound:
            return
        yield KINDS[kind](seed, number)


def shorter(arena: Arena, found: Found) -> Case:
    """The case without the arguments and the environment that it does not need to fail in the same way."""
    case = found.case
    smaller: list[Callable[[Case], Case]] = [lambda c: replace(c, env={}), lambda c: replace(c, cold=False)]
    for change in smaller:
        if (less := change(case)) != case and arena.one(less)[2] == found.verdict:
            case = less
    for at in reversed(range(1, len(case.words))):
        less = replace(case, words=case.words[:at] + case.words[at + 1 :])
        if found.verdict.word != "nonsense" and arena.one(less)[2] == found.verdict:
            case = less
    return case


def keep(arena: Arena, done: Attack, folder: Path) -> list[str]:
    """A folder for each distinct failure, with its files and the command; the lines that say so."""
    lines = []
    until = time.monotonic() + SHORTENING
    worst = sorted(done.found.values(), key=lambda f: (f.verdict.word, -f.times))
    for number, one in enumerate(worst, 1):
        case = one.case
        if case.kind == "arguments" and one.verdict.word != "hang" and time.monotonic() < until:
            case = shorter(arena, one)
        name = f"{number:03}-{one.verdict.word}-{case.kind}"
        if one.verdict.word == "hang":
            arena.lay_out(case, folder / name)
        else:
            arena.one(case, keep_in=folder / name)
        typed = command(case).rstrip().split("\n")[-1]
        lines.append(f"{one.verdict.word:<10} {one.times:>5}  {one.verdict.cause}")
        why = case.files.get("CHANGES", b"").decode().strip() or (f"# {case.nonsense}" if case.nonsense else "")
        lines.append(f"{'':18}{f'{typed[:200]}   {why}'.encode('unicode_escape').decode()}   ({name})")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzz.run", description=__doc__)
    for kind, most in WHOLE.items():
        parser.add_argument(f"--{kind}", type=int, default=most, metavar="N", help=f"default {most:,}")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3600.0, help="stop after so many seconds (default 3600)")
    parser.add_argument("--only", metavar="KIND:NUMBER", help="run one case and show how it ends")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where failures are kept (default: a new one)")
    parser.add_argument("--quiet", action="store_true", help="no progress line")
    parser.add_argument("--write", action="store_true", help="put the table of counts into docs/reliability.md")
    args = parser.parse_args()
    folder = args.keep or Path(tempfile.mkdtemp(prefix="pitboss-fuzz-"))
    folder.mkdir(parents=True, exist_ok=True)
    with Arena(folder) as arena:
        if args.only:
            return _only(arena, args.only, args.seed, folder)
        wanted = {kind: getattr(args, kind) for kind in KINDS}
        done = attack(arena, wanted, args.seed, args.seconds, not args.quiet)
        lines = keep(arena, done, folder / "failures")
    table = report.table(done.counts, done.seconds, done.slowest, done.largest, args.seed)
    print(table)
    if args.write:
        report.write(ROOT / "docs" / "reliability.md", table)
    if lines:
        print(f"\n{len(done.found)} distinct failures, kept in {folder / 'failures'}:\n")
        print("\n".join(lines))
    if short := sum(wanted.values()) - done.cases:
        print(f"\n{args.seconds:g} seconds were over before {short:,} of the cases were tried", file=sys.stderr)
    return 1 if done.found or short else 0


def _only(arena: Arena, which: str, seed: int, folder: Path) -> int:
    kind, _, number = which.partition(":")
    case = KINDS[kind](seed, int(number))
    _, ended, verdict = arena.one(case, keep_in=folder / "failures" / "only")
    print(f"{command(case)}\n{verdict}\nexit code {ended.code}, {ended.seconds:.2f} s, {ended.memory} MB; {folder}")
    for text in (ended.out, ended.err):
        os.write(1, text[-3000:])
    return int(verdict.bad)


if __name__ == "__main__":
    raise SystemExit(main())
