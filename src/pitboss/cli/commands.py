"""What each command does: read the arguments, ask the laboratory, hand the record to the renderer."""

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pitboss.cli import render
from pitboss.cli.asked import (
    Rows,
    amounts,
    asked_bets,
    asked_csv,
    asked_house,
    asked_jurisdiction,
    asked_workbook,
    console,
    print_json,
)  # fmt: skip
from pitboss.cli.picture import asked_plot, say
from pitboss.cli.progress import counting
from pitboss.cli.streams import ask, complain, shown
from pitboss.rules.errors import BadInput

if TYPE_CHECKING:
    from pitboss.crew import Crew
    from pitboss.exact import Study
    from pitboss.ledger.records import Analysis, Outcome, WagerResult
    from pitboss.ledger.simulated import SimulatedOutcome, SimulatedWager, Simulation
    from pitboss.rules.house import House


def jurisdictions(args: Namespace) -> int:
    from pitboss.cli.places import run

    return run(args)


def rules(args: Namespace) -> int:
    from pitboss.cli.rules_of_play import pays_rows, rules_json, show_rules

    house, place, sheet = asked_house(args), asked_jurisdiction(args), asked_csv(args)
    if sheet is not None:
        Rows(pays_rows(house, args.wager)).to_csv(sheet)
    if args.json:
        return print_json(rules_json(house, args.wager, place))
    show_rules(console(), house, args.wager, place)
    return 0


def analyze(args: Namespace) -> int:
    from pitboss.cli import answers
    from pitboss.exact import Study

    house = asked_house(args)
    bets = asked_bets(args, house)
    workbook = asked_workbook(args)
    if args.cluster is not None and not args.across:
        raise BadInput("--cluster counts many houses at once: say which with --across, such as --across decks")
    if args.plan:
        if args.plot or args.across:
            raise BadInput(
                "--plan counts nothing, so there is nothing to draw or to compare; leave it or the other out"
            )
        return _plan(Study(house, args.strategy, patient=args.patient), args)
    if args.across:
        from pitboss.cli.across import run

        return run(args, house)
    file, sheet = asked_plot(args), asked_csv(args)
    with counting(house.game.title):
        found = Study(house, args.strategy, patient=args.patient).analysis(args.wager, bets)
        if workbook is not None:
            from pitboss.packets.workbook import write_workbook

            write_workbook(workbook, house, patient=args.patient)
    if sheet is not None:
        _returns(found).to_csv(sheet)
    if file is not None:
        from pitboss.plot import returns

        returns(file, found)
    if args.json:
        return print_json(found.json())
    screen = console()
    answers.show(screen, house, found, args.full)
    say(screen, file)
    say(screen, workbook, "workbook")
    return 0


def _returns(found: "Analysis | Simulation") -> Rows:
    """Every row of every return table, under each other."""
    tables: list[tuple[WagerResult | SimulatedWager, Sequence[Outcome | SimulatedOutcome]]] = [
        (w, w.outcomes) for w in found.wagers
    ]
    return Rows([{"wager": w.wager, "paytable": w.paytable, **o.json()} for w, rows in tables for o in rows])


def _plan(study: "Study", args: Namespace) -> int:
    """What `analyze` would do, before it does it."""
    sheet, found = asked_csv(args), study.plan_for([args.wager] if args.wager else study.banked)
    if sheet is not None:
        Rows(found.json()["plan"]).to_csv(sheet)
    if args.json:
        return print_json({**study.of.json(), **found.json()})
    render.plan(console(), study.house, study.of, found)
    return 0


def strategy(args: Namespace) -> int:
    from pitboss.exact import Study
    from pitboss.ledger.records import Analysis

    house = asked_house(args)
    file, sheet = asked_plot(args), asked_csv(args)
    study = Study(house, args.strategy, patient=args.patient)
    if args.rule is not None:
        from pitboss.cli.rule import run

        return run(args, study, file)
    if not study.decided and not (file or sheet or args.json):  # whether it can be counted makes no difference to that
        render.heading(console(), house, study.of, "strategy")
        console().print(render.UNDECIDED)
        return 0
    if sheet is not None:
        with counting(house.game.title):
            Rows([row.json() for row in study.chart()]).to_csv(sheet)
    if study.drawn:
        return _open_strategy(args, study, file)
    with counting(house.game.title):
        found = (
            study.analysis(args.wager or study.book.decided[0])
            if any(study.graph.decisions())
            else Analysis(study.of, (), (), None, (), {}, {})  # nothing is counted to say so
        )
    if file is not None:
        from pitboss.plot import strategy_map

        strategy_map(file, found)
    if args.json:
        return print_json({**found.of.json(), "method": found.method, "strategy": [r.json() for r in found.strategy]})
    screen = console()
    render.strategy(screen, house, found)
    say(screen, file)
    if args.strategy == "optimal" and found.strategy and house.game.strategies:
        wager = found.wagers[0].wager
        cost = {
            name: study.playing(name).wager(wager).house_edge - found.wagers[0].house_edge
            for name in house.game.strategies
        }
        render.rules_to_remember(screen, house, cost)
    return 0


def _open_strategy(args: Namespace, study: "Study", file: Path | None) -> int:
    """Hands of any number of cards: a chart of basic strategy, and the hands that are better played otherwise."""
    from pitboss.cli import chart

    house = study.house
    with counting(house.game.title):
        main = study.wager(house.main[0])
        drawn, rows = study.drawing, study.chart()
    if file is not None:
        from pitboss.plot import chart_map

        chart_map(file, study.of, drawn.basic(), drawn.looks_at())
    if args.json:
        basic = [
            {"choices": list(choices), "by": list(by), "choice": choice}
            for (choices, by), choice in drawn.basic().items()
        ]
        data = {
            **study.of.json(),
            "method": "exact",
            "arithmetic": "double precision",
            "strategy": [r.json() for r in rows],
        }
        return print_json(data | {"chart": basic})
    screen = console()
    render.heading(screen, house, study.of, "basic strategy, derived")
    chart.show(screen, drawn.basic(), drawn.looks_at())
    if (other := chart.exceptions(rows)) is not None:
        screen.print(other)
    chart.closing(screen, main)
    say(screen, file)
    return 0


def simulate(args: Namespace) -> int:
    from pitboss.cli import crew
    from pitboss.cli.progress import watch
    from pitboss.deal import Run, Stopped, check_place

    house = asked_house(args)
    sheet, checkpoint = asked_csv(args), None if args.checkpoint is None else Path(args.checkpoint)
    workers = crew.asked_crew(args)
    if checkpoint is not None:
        check_place(checkpoint)  # before the work that comes first
    bets = asked_bets(args, house)
    with counting(house.game.title):
        run = Run(
            house, seed=args.seed, strategy=args.strategy, mode="shoe" if args.shoe == "" else "fresh",
            seats=args.seats, cut=args.cut, wager=args.wager, bets=bets,
        )  # fmt: skip
    rounds = args.rounds or (None if args.until_se else run.usual_rounds)
    if args.plan:
        return crew.plan(args, run, rounds, workers)
    stopped = False
    found: Simulation | None
    try:
        with watch(rounds, args.until_se, run.chunk) as progress:
            found = run.run(
                rounds, until_se=args.until_se, workers=args.workers, checkpoint=checkpoint, progress=progress,
                patient=args.patient, crew=workers,
            )  # fmt: skip
    except Stopped as stop:
        where = f"; the same command goes on from {stop.saved}" if stop.saved else ""
        complain(f"stopped{where}")
        found, stopped = stop.result, True
    for trouble in run.unsaved:
        complain(trouble)
    if found is None:
        return 130
    code = 130 if stopped else 1 if found.off else 0
    if sheet is not None:
        _returns(found).to_csv(sheet)
    if args.json:
        return shown(code, lambda: print_json(found.json()))
    return shown(code, lambda: _dealt(found, house, args.full, workers, run.chunk))


def _dealt(found: "Simulation", house: "House", full: bool, workers: "Crew | None", chunk: int) -> None:
    from pitboss.cli import crew, sampled

    sampled.show(console(), house, found, full)
    crew.show_hands(console(), () if workers is None else workers.hands, chunk)


def play(args: Namespace) -> int:
    from pitboss.cli.play import run
    from pitboss.cli.wagering import by_spot
    from pitboss.live import Shoe

    house = asked_house(args)
    args.bets, own = by_spot(args.bets, max(1, args.spots))
    bets = asked_bets(args, house) or {w: house.least_bet(w) for w in house.main}
    if args.wager and args.wager not in bets:
        bets[args.wager] = house.least_bet(args.wager)
    at = {spot: {**bets, **amounts(texts, "--bet")} for spot, texts in own.items()}
    at = {spot: {w: a for w, a in some.items() if a} for spot, some in at.items()}
    shoe = Shoe(house, cut=args.cut, continuous=args.shuffler)
    if args.rounds is not None and args.rounds < 1:
        raise BadInput(f"--rounds {args.rounds}: play at least 1 round")
    if args.log == "":
        raise BadInput("--log needs the name of a file")
    log = None if args.log is None else Path(args.log)
    return run(
        house, bets, read=ask, console=console(), log=log, json_lines=args.json, rounds=args.rounds,
        seats=args.seats, spots=args.spots, coach=args.coach, tokes=amounts(args.tokes, "--toke"), spot_bets=at,
        shoe=shoe, side_bets=True,
    )  # fmt: skip


def replay(args: Namespace) -> int:
    from pitboss.cli.replay import run

    return run(args)


def demo(_: Namespace) -> int:
    from pitboss.cli.demo import run

    return run(console())


def completion(args: Namespace) -> int:
    from pitboss.cli.completion import run

    return run(args)


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


def packet(args: Namespace) -> int:
    from pitboss.cli.packet import run

    return run(args)


def layout(args: Namespace) -> int:
    from pitboss.cli.printed import run

    return run(args)


def diff(args: Namespace) -> int:
    from pitboss.cli.diff import run

    return run(args)


def train(args: Namespace) -> int:
    from pitboss.cli.train import run

    return run(args)


def serve(args: Namespace) -> int:
    from pitboss.cli.serve import run

    return run(args)


def cluster(args: Namespace) -> int:
    from pitboss.cli.crew import run

    return run(args)


def audit(args: Namespace) -> int:
    from pitboss.cli.serve import audit as check

    return check(args)
