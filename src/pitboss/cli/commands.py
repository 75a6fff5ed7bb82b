"""What each command does: read the arguments, ask the laboratory, hand the record to the renderer."""

import json
import sys
from argparse import Namespace
from pathlib import Path

from pitboss.catalog import load
from pitboss.cli import render
from pitboss.cli.asked import amounts, asked_bets, asked_house, console, count, print_json
from pitboss.cli.picture import asked_plot, say
from pitboss.cli.progress import counting
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House


def rules(args: Namespace) -> int:
    from pitboss.cli.rules_of_play import rules_json, show_rules

    house = asked_house(args)
    if args.json:
        return print_json(rules_json(house, args.wager))
    show_rules(console(), house, args.wager)
    return 0


def analyze(args: Namespace) -> int:
    from pitboss.exact import analyze as exact

    house = asked_house(args)
    if args.across is not None:
        from pitboss.cli.across import run

        return run(args, house)
    bets = asked_bets(args, house)
    file = asked_plot(args)
    with counting(house.game.title):
        found = exact(house, args.strategy, bets, args.wager)
    if file is not None:
        from pitboss.plot import returns

        returns(file, found)
    if args.json:
        return print_json(found.json())
    screen = console()
    render.analysis(screen, house, found)
    say(screen, file)
    return 0


def strategy(args: Namespace) -> int:
    from pitboss.exact import Solver, decided_wager
    from pitboss.exact import analyze as exact
    from pitboss.rules.trace import trace

    house = asked_house(args)
    file = asked_plot(args)
    if trace(house).open_ended:
        return _open_strategy(args, house, file)
    with counting(house.game.title):
        found = exact(house, args.strategy, None, args.wager or decided_wager(house))
    if file is not None:
        from pitboss.plot import strategy_map

        strategy_map(file, found)
    if args.json:
        return print_json({**found.of.json(), "method": found.method, "strategy": [r.json() for r in found.strategy]})
    screen = console()
    render.strategy(screen, house, found)
    say(screen, file)
    if args.strategy == "optimal" and found.strategy and house.game.strategies:
        best = Solver(house)
        wager = found.wagers[0].wager
        cost = {
            name: best.playing(name).wager_result(wager).house_edge - best.wager_result(wager).house_edge
            for name in house.game.strategies
        }
        render.rules_to_remember(screen, house, cost)
    return 0


def _open_strategy(args: Namespace, house: House, file: Path | None) -> int:
    """Hands of any number of cards: a chart of basic strategy, and where the very cards say otherwise."""
    from pitboss.cli import chart
    from pitboss.drawn import DrawnWager
    from pitboss.exact import OpenGame

    with counting(house.game.title):
        game = OpenGame(house, args.strategy)
        main = game.wager_result(house.main[0])
        rows = game.rows()
    assert isinstance(main, DrawnWager)
    if file is not None:
        from pitboss.plot import chart_map

        chart_map(file, game.provenance(), game.chart(), game.looks_at())
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
        return print_json(data | {"chart": basic})
    screen = console()
    render.heading(screen, house, game.provenance(), "basic strategy, derived")
    chart.show(screen, game.chart(), game.looks_at())
    if (other := chart.exceptions(rows)) is not None:
        screen.print(other)
    chart.closing(screen, main)
    say(screen, file)
    return 0


def simulate(args: Namespace) -> int:
    from pitboss.cli.progress import watch
    from pitboss.simulate import Run, Stopped

    house = asked_house(args)
    rounds = count(args.rounds) or (None if args.until_se else 10_000_000)
    if args.workers is not None and args.workers < 1:
        raise BadInput(f"--workers {args.workers}: at least 1 thread is needed")
    checkpoint = Path(args.checkpoint) if args.checkpoint else None
    if checkpoint and not checkpoint.parent.is_dir():
        raise BadInput(f"--checkpoint {checkpoint}: there is no folder {checkpoint.parent}")
    bets = asked_bets(args, house)
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
        print_json(found.json())
    else:
        render.simulation(console(), house, found)
    return 130 if stopped else 0


def play(args: Namespace) -> int:
    from pitboss.cli.play import run

    house = asked_house(args)
    bets = asked_bets(args, house) or {w: house.least_bet(w) for w in house.main}
    if args.wager and args.wager not in bets:
        bets[args.wager] = house.least_bet(args.wager)
    if args.rounds is not None and args.rounds < 1:
        raise BadInput(f"--rounds {args.rounds}: play at least 1 round")
    log = Path(args.log) if args.log else None
    return run(
        house, bets, read=input, console=console(), log=log, json_lines=args.json, rounds=args.rounds,
        seats=args.seats, spots=args.spots, coach=args.coach, tokes=amounts(args.tokes, "--toke"),
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
        return print_json({"rounds": [{"settled": [e for e in r.events if e["event"] == "settle"]} for r in rounds]})
    render.replayed(console(), rounds)
    return 0


def demo(_: Namespace) -> int:
    from pitboss.cli.demo import run

    return run(console())


def hands(args: Namespace) -> int:
    from pitboss.cli.hands import run

    return run(args)


def verify(args: Namespace) -> int:
    from pitboss.cli.verify import run

    return run(args)


def design(args: Namespace) -> int:
    from pitboss.cli.design import run

    return run(args)


def protect(args: Namespace) -> int:
    from pitboss.cli.protect import run

    return run(args)


def floor(args: Namespace) -> int:
    from pitboss.cli.floor import run

    return run(args)
