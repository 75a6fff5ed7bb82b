"""What each command does: read the arguments, ask the laboratory, hand the record to the renderer."""

import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from rich.console import Console

from pitboss.cards import BadCard, depleted
from pitboss.catalog import load
from pitboss.cli import render
from pitboss.cli.progress import counting
from pitboss.rules.errors import BadInput
from pitboss.rules.game import House


def _pairs(texts: Sequence[str], flag: str, example: str) -> dict[str, str]:
    out: dict[str, str] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name.strip() or not value.strip():
            raise BadInput(f"{flag} {text}: write {flag} {example}")
        out[name.strip()] = value.strip()
    return out


def _house(args: Namespace) -> House:
    game = load(args.game)
    house = game.at(_pairs(args.options, "-o", "NAME=VALUE"), _pairs(args.tables, "-p", "WAGER=TABLE"))
    if left := getattr(args, "shoe", None):
        house = _with_shoe(house, left)
    if args.wager is not None and args.wager not in house.parties:
        goes_with = [w for w in house.wagers if w.name == args.wager]
        if goes_with:
            raise BadInput(
                f"{args.wager} goes with the {house.lead(args.wager)}; look at --wager {house.lead(args.wager)}"
            )
        raise BadInput(f"{game.name} has no wager {args.wager!r}; it has {', '.join(house.parties)}")
    return house


def _with_shoe(house: House, left: str) -> House:
    from pitboss.rules.trace import trace

    try:
        rest = depleted(left, house.composition)
    except BadCard as error:
        raise BadInput(f"--shoe: {error}") from None
    need = trace(house).most_cards()
    if sum(rest) < need:
        raise BadInput(f"--shoe: {sum(rest)} cards are left, too few to finish a round; leave {need} or more")
    return replace(house, composition=rest)


def _bets(args: Namespace, house: House) -> dict[str, Fraction] | None:
    if not args.bets:
        return None
    bets = _amounts(args.bets, "--bet")
    house.check_bets(bets)
    return bets


def _amounts(texts: Sequence[str], flag: str) -> dict[str, Fraction]:
    out = {}
    for wager, text in _pairs(texts, flag, "WAGER=DOLLARS").items():
        try:
            out[wager] = Fraction(text.lstrip("$"))
        except (ValueError, ZeroDivisionError):
            raise BadInput(f"{flag} {wager}={text}: {text!r} is not an amount in dollars, such as 12.50") from None
    return out


def _print_json(data: Any) -> int:
    print(json.dumps(data, indent=2))
    return 0


def _console() -> Console:
    return Console(highlight=False)


def rules(args: Namespace) -> int:
    from pitboss.cli.rules_of_play import rules_json, show_rules

    house = _house(args)
    if args.json:
        return _print_json(rules_json(house, args.wager))
    show_rules(_console(), house, args.wager)
    return 0


def analyze(args: Namespace) -> int:
    from pitboss.exact import analyze as exact

    house = _house(args)
    bets = _bets(args, house)
    with counting(house.game.title):
        found = exact(house, args.strategy, bets, args.wager)
    if args.json:
        return _print_json(found.json())
    render.analysis(_console(), house, found)
    return 0


def strategy(args: Namespace) -> int:
    from pitboss.exact import Solver, decided_wager
    from pitboss.exact import analyze as exact
    from pitboss.rules.trace import trace

    house = _house(args)
    if trace(house).open_ended:
        return _open_strategy(args, house)
    with counting(house.game.title):
        found = exact(house, args.strategy, None, args.wager or decided_wager(house))
    if args.json:
        return _print_json({**found.of.json(), "method": found.method, "strategy": [r.json() for r in found.strategy]})
    console = _console()
    render.strategy(console, house, found)
    if args.strategy == "optimal" and found.strategy and house.game.strategies:
        best = Solver(house)
        wager = found.wagers[0].wager
        cost = {
            name: best.playing(name).wager_result(wager).house_edge - best.wager_result(wager).house_edge
            for name in house.game.strategies
        }
        render.rules_to_remember(console, house, cost)
    return 0


def _open_strategy(args: Namespace, house: House) -> int:
    """Hands of any number of cards: a chart of basic strategy, and where the very cards say otherwise."""
    from pitboss.cli import chart
    from pitboss.drawn import DrawnWager
    from pitboss.exact import OpenGame

    with counting(house.game.title):
        game = OpenGame(house, args.strategy)
        main = game.wager_result(house.main[0])
        rows = game.rows()
    assert isinstance(main, DrawnWager)
    if args.json:
        basic = [
            {"choices": list(choices), "by": list(by), "choice": choice}
            for (choices, by), choice in game.chart().items()
        ]
        data = {
            **game.provenance().json(),
            "method": "exact",
            "arithmetic": "double precision",
            "strategy": [r.json() for r in rows],
        }
        return _print_json(data | {"chart": basic})
    console = _console()
    render.heading(console, house, game.provenance(), "basic strategy, derived")
    chart.show(console, game.chart(), game.looks_at())
    if (other := chart.exceptions(rows)) is not None:
        console.print(other)
    chart.closing(console, main)
    return 0


def _count(text: str | None) -> int | None:
    if text is None:
        return None
    try:
        value = Fraction(text.replace(",", "").replace("_", ""))
    except (ValueError, ZeroDivisionError):
        value = Fraction(1, 2)
    if value.denominator != 1 or not 1 <= value <= 10**15:
        raise BadInput(f"--rounds {text}: write a whole number of rounds from 1 to 1e15, such as 1e8")
    return int(value)


def simulate(args: Namespace) -> int:
    from pitboss.cli.progress import watch
    from pitboss.simulate import Run, Stopped

    house = _house(args)
    rounds = _count(args.rounds) or (None if args.until_se else 10_000_000)
    if args.workers is not None and args.workers < 1:
        raise BadInput(f"--workers {args.workers}: at least 1 thread is needed")
    checkpoint = Path(args.checkpoint) if args.checkpoint else None
    if checkpoint and not checkpoint.parent.is_dir():
        raise BadInput(f"--checkpoint {checkpoint}: there is no folder {checkpoint.parent}")
    bets = _bets(args, house)
    with counting(house.game.title):
        run = Run(
            house, seed=args.seed, strategy=args.strategy, mode="shoe" if args.shoe == "" else "fresh",
            seats=args.seats, cut=args.cut, wager=args.wager, bets=bets,
        )  # fmt: skip
    stopped = False
    try:
        with watch(rounds, args.until_se) as progress:
            found = run.run(
                rounds, until_se=args.until_se, workers=args.workers, checkpoint=checkpoint, progress=progress
            )
    except Stopped as stop:
        where = f"; the same command goes on from {stop.saved}" if stop.saved else ""
        print(f"pitboss: stopped{where}", file=sys.stderr)
        if stop.result is None:
            return 130
        found, stopped = stop.result, True
    if args.json:
        _print_json(found.json())
    else:
        render.simulation(_console(), house, found)
    return 130 if stopped else 0


def play(args: Namespace) -> int:
    from pitboss.cli.play import run

    house = _house(args)
    bets = _bets(args, house) or {w: house.least_bet(w) for w in house.main}
    if args.wager and args.wager not in bets:
        bets[args.wager] = house.least_bet(args.wager)
    if args.rounds is not None and args.rounds < 1:
        raise BadInput(f"--rounds {args.rounds}: play at least 1 round")
    log = Path(args.log) if args.log else None
    return run(
        house, bets, read=input, console=_console(), log=log, json_lines=args.json, rounds=args.rounds,
        seats=args.seats, spots=args.spots, coach=args.coach, tokes=_amounts(args.tokes, "--toke"),
    )  # fmt: skip


def replay(args: Namespace) -> int:
    from pitboss.table import replay as again

    path = Path(args.log)
    try:
        lines = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from None
    except ValueError:
        raise BadInput(f"{path} is not a log of pitboss: each line is one round in JSON") from None
    rounds = []
    for number, log in enumerate(lines, 1):
        name = log.get("game", "?") if isinstance(log, dict) else "?"
        try:
            rounds.append(again(load(args.game or name), log))
        except BadInput as error:
            raise BadInput(f"{path}, round {number}: {error}") from None
    if args.json:
        return _print_json({"rounds": [{"settled": [e for e in r.events if e["event"] == "settle"]} for r in rounds]})
    render.replayed(_console(), rounds)
    return 0


def demo(_: Namespace) -> int:
    from pitboss.cli.demo import run

    return run(_console())
