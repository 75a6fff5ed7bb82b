"""The mathematics of a packet: how it was counted, and every return table, the chosen pay tables first."""

from fractions import Fraction

from pitboss.ledger.records import Progressive, WagerResult, percent, ratio
from pitboss.ledger.spelled import by_play, number, one_in, paid_by, signed, ways
from pitboss.packets import charts
from pitboss.packets.blocks import Block, Runs, Section, bold, fine, grid, items, long, para, part, picture
from pitboss.packets.desk import Desk
from pitboss.packets.rules import summary, warnings
from pitboss.rules.called import wager_called
from pitboss.rules.paytables import money
from pitboss.rules.work import many_words

MOST_ROWS = 40  # of a return table; beyond it outcomes are put together by what was played
BESIDE = 4  # pay tables beside each other


def mathematics(desk: Desk) -> Section:
    """Method and answer."""
    blocks: list[Block] = [*summary(desk)]
    exact = [w for w in desk.results if w.exact and not w.shared]
    if exact:
        blocks.append(
            grid(
                ["wager", "house edge, exactly", "element of risk", "bet in all", "variance"],
                [
                    [
                        bold_of(desk, w.wager),
                        long(ratio(w.house_edge)),
                        percent(w.element_of_risk, 4),
                        number(w.wagered, 4),
                        f"{float(w.variance):,.4f}",
                    ]
                    for w in exact
                ],
                caption="Exact fractions",
                command=desk.command("analyze"),
                widths=["auto", "2fr", "1fr", "1fr", "1fr"],
            )
        )
        blocks.append(
            fine(
                "Element of risk: the edge as a share of all that is bet in a round. Bet in all: stakes of a round, on "
                "average, in units of the opening bet."
            )
        )
    blocks.append(part("method", "Method"))
    blocks += _method(desk)
    together = None if desk.analysis is None else desk.analysis.together
    if together is not None and len(together.bets) > 1:
        bets = ", ".join(f"${money(a)} on the {wager_called(desk.house, w)}" for w, a in together.bets.items())
        moves = ", ".join(f"{pair} {value:+.4f}" for pair, value in together.correlation.items())
        blocks += [
            part("together", "All bets at once"),
            para(
                f"With {bets}, the house edge is ",
                bold(percent(together.house_edge, 4)),
                " of all opening bets: "
                f"${float(-together.expectation):.4f} a round on average, standard deviation "
                f"${float(together.variance) ** 0.5:,.2f}. Correlation of the bets, from -1 to 1: {moves}. Exact.",
            ),
        ]
    return Section("mathematics", "Mathematics: the answer and the method", tuple(blocks))


def bold_of(desk: Desk, wager: str) -> Runs:
    return [bold(wager_called(desk.house, wager))]


def _method(desk: Desk) -> list[Block]:
    """Which kernel counted what, by the plan; nothing about how long it took, which is the machine's."""
    plan = desk.study.plan
    lines: list[Runs] = []
    for step in plan.steps:
        names = ", ".join(wager_called(desk.house, w) for w in step.wagers)
        what = (
            f"all {step.offer.ways:,} ways to deal the cards"
            if step.offer.ways is not None
            else "every hand that can be drawn, weighed by its probability"
        )
        lines.append(
            [
                bold(f"{names}: "),
                f"kernel {step.offer.kernel!r}, in {step.offer.arithmetic}; {what}; "
                f"{step.offer.rows:,} rows of what a player can see.",
            ]
        )
    for name in plan.shared:
        lines.append(
            [bold(f"{wager_called(desk.house, name)}: "), "paid among the players; the house has no part in it."]
        )
    for name, why in desk.refused.items():
        lines.append([bold(f"{wager_called(desk.house, name)}: "), f"not counted. {why}."])
    return [
        para(
            "The rules in the game file are traced into a graph; every way to deal the cards through it is counted. "
            "Where the player decides, each choice is valued from those counts and the best is taken, on what he can "
            "see and nothing else. Counts are whole numbers, and figures fractions of them, unless it says so."
        ),
        items(lines),
        para("Every figure is confirmed in a second way by a simulation: ", ("page", "simulation"), "."),
    ]


# ---- return tables


def returns(desk: Desk) -> Section:
    blocks: list[Block] = [*warnings(desk)]
    shown: list[WagerResult] = []
    for found in desk.results:
        if found.shared:
            continue
        called = wager_called(desk.house, found.wager)
        blocks.append(part(f"returns-{len(blocks)}", called))
        if (like := next((w for w in shown if w.outcomes == found.outcomes), None)) is not None:
            other = wager_called(desk.house, like.wager)
            blocks.append(para(f"As the {other}, outcome by outcome: other cards, the same chances."))
            continue
        shown.append(found)
        blocks += _table(
            desk, found, f"{called}, pay table {paid_by(desk.house, found)}", desk.command("analyze", wager=found.wager)
        )
        if 2 < len(found.outcomes) <= MOST_ROWS:
            rows = [(o.outcome, float(o.probability), f"{signed(o.pays)}") for o in found.outcomes]
            blocks.append(picture(charts.bars(rows), f"How often each outcome of the {called} comes up"))
        blocks += _other_tables(desk, found)
    if desk.analysis is not None:
        for progressive in desk.analysis.progressives:
            blocks += _meters(desk, progressive)
    for name in desk.refused:
        blocks += _dealt_table(desk, name)
    return Section("returns", "Mathematics: return tables", tuple(blocks))


def _table(desk: Desk, w: WagerResult, caption: str, command: str) -> list[Block]:
    """Every outcome, with its ways; where outcomes are very many, put together by what was played."""
    if len(w.outcomes) > MOST_ROWS:
        return _played(w, caption, command)
    counted = w.ways is not None
    rows: list[list[Runs]] = []
    for o in w.outcomes:
        average = o.ways is None and o.outcome == "split"
        pays = f"on average {float(o.pays):+.4f}" if average else signed(o.pays)
        many = [long(ways(o.ways or 0))] if counted else []
        rows.append(
            [o.outcome, *many, number(o.probability, 8), one_in(o.probability), pays, f"{float(o.returns):+.6f}"]
        )
    total = [long(ways(w.ways or 0))] if counted else []
    rows.append([[bold("all")], *total, number(Fraction(1), 8), "", "", [bold(f"{float(w.expectation):+.6f}")]])
    heads = ["outcome", *(["ways"] if counted else []), "probability", "1 in", "pays", "return"]
    out = [
        grid(heads, rows, caption=caption, command=command, total=True, widths=["1fr", *["auto"] * (len(heads) - 1)])
    ]
    if not w.exact:
        out.append(
            fine(
                "Enumerated whole, in double precision. Hands of one split depend on each other, so the standard "
                "deviation, the hit frequency and how often each bet is made are simulated."
            )
        )
    return out


def _played(w: WagerResult, caption: str, command: str) -> list[Block]:
    rows: list[list[Runs]] = []
    for play, outcomes in by_play(w.outcomes).items():
        chance = sum((o.probability for o in outcomes), Fraction(0))
        back = sum((o.returns for o in outcomes), Fraction(0))
        least, most = min(o.pays for o in outcomes), max(o.pays for o in outcomes)
        pays = signed(least) if least == most else f"{signed(least)} to {signed(most)}"
        rows.append([play, str(len(outcomes)), number(chance, 8), one_in(chance), pays, f"{float(back):+.6f}"])
    rows.append(
        [[bold("all")], str(len(w.outcomes)), number(Fraction(1), 8), "", "", [bold(f"{float(w.expectation):+.6f}")]]
    )
    return [
        grid(
            ["played", "outcomes", "probability", "1 in", "pays", "return"],
            rows,
            caption=caption,
            total=True,
            command=f"{command} --full",
            widths=["1fr", *["auto"] * 5],
        ),
        fine(f"Of {many_words(w.ways or 0)} ways. The workbook has every outcome, and so has --full --csv FILE."),
    ]


def _other_tables(desk: Desk, found: WagerResult) -> list[Block]:
    """The same for every other pay table that the house may choose for this wager, or for one that goes with it."""
    out: list[Block] = []
    others = [o for o in desk.offers if o.wager == found.wager and not o.chosen and o.counted is not None]
    for member in dict.fromkeys(o.paid_by for o in others):
        results = {desk.house.tables[member].name: found}
        results |= {o.table.name: o.counted for o in others if o.paid_by == member and o.counted is not None}
        out += _edges(desk, member, results)
        out += _beside(desk, member, found, results)
    return out


def _edges(desk: Desk, wager: str, results: dict[str, WagerResult]) -> list[Block]:
    called = wager_called(desk.house, wager)
    rows: list[list[Runs]] = [
        [
            [bold(name)] if number == 0 else name,
            [bold(percent(r.house_edge, 4))],
            percent(1 - r.house_edge, 3),
            f"{r.std_dev:.4f}",
            percent(r.hit_frequency, 3),
            long(ratio(r.house_edge)) if r.exact else "-",
        ]
        for number, (name, r) in enumerate(results.items())
    ]
    lead = next(iter(results.values())).wager
    command = desk.command("analyze", "--across", wager, wager=lead)
    return [
        grid(
            ["pay table", "house edge", "RTP", "SD", "hits", "exactly"],
            rows,
            caption=f"{called}: every pay table",
            command=command,
            widths=["auto"] * 5 + ["1fr"],
        ),
    ]


def _beside(desk: Desk, wager: str, first: WagerResult, results: dict[str, WagerResult]) -> list[Block]:
    """Return tables beside each other where only the pays differ; else one below the other."""
    chances = [{o.outcome: o.probability for o in r.outcomes} for r in results.values()]
    called, out = wager_called(desk.house, wager), []
    if any(c != chances[0] for c in chances):
        for name, r in list(results.items())[1:]:
            command = _paying(desk, wager, r.paytable if r.wager == wager else name, r.wager)
            out += _table(desk, r, f"{called}, pay table {name}", command)
        return out
    names = list(results)[1:]
    for at in range(0, len(names), BESIDE):
        some = names[at : at + BESIDE]
        rows: list[list[Runs]] = []
        for place, o in enumerate(first.outcomes):
            mine = [results[n].outcomes[place] for n in some]
            rows.append(
                [
                    o.outcome,
                    long(ways(o.ways or 0)),
                    *(c for m in mine for c in (signed(m.pays), f"{float(m.returns):+.6f}")),
                ]
            )
        rows.append(
            [
                [bold("all")],
                long(ways(first.ways or 0)),
                *(c for n in some for c in ("", f"{float(results[n].expectation):+.6f}")),
            ]
        )
        heads = ["outcome", "ways", *(h for n in some for h in (f"{n} pays", "return"))]
        out.append(
            grid(
                heads,
                rows,
                caption=f"{called}: return tables {', '.join(some)}",
                total=True,
                small=len(some) > 2,
                command=desk.command("analyze", "--across", wager, wager=first.wager),
            )
        )
    return out


def _paying(desk: Desk, wager: str, table: str, lead: str) -> str:
    return desk.house.but(tables={wager: table}).provenance().command("analyze", wager=lead)


def _meters(desk: Desk, found: Progressive) -> list[Block]:
    called = wager_called(desk.house, found.wager)
    rows: list[list[Runs]] = [
        [
            m.row,
            f"${money(m.meter)}",
            f"${money(m.seed)}",
            f"${float(m.increment):,.2f}",
            one_in(m.probability),
            f"${float(m.average):,.2f}",
            f"${float(m.break_even):,.2f}",
        ]
        for m in found.meters
    ]
    return [
        part(f"meter-{found.wager}", f"{called}: the meter"),
        grid(
            ["jackpot", "now", "seed", "each bet adds", "bets between hits", "average when hit", "break-even"],
            rows,
            caption=f"{called}: jackpots",
            command=desk.command("analyze", wager=found.wager),
        ),
        para(
            f"At the meter of now the edge is {percent(found.edge_at_meter, 4)} = {ratio(found.edge_at_meter)}. "
            f"In the long run, every jackpot paid at its average, it is {percent(found.long_run_edge, 4)}. Exact.",
        ),
    ]


def _dealt_table(desk: Desk, name: str) -> list[Block]:
    """The return table of a wager that is only simulated."""
    found = None if desk.simulation is None else next((w for w in desk.simulation.wagers if w.wager == name), None)
    if found is None:
        return []
    called = wager_called(desk.house, name)
    kept = sorted(found.outcomes, key=lambda o: -o.probability)[:MOST_ROWS]
    rows: list[list[Runs]] = [
        [
            o.outcome,
            f"{o.count:,}",
            f"{o.probability:.6f}",
            f"± {o.standard_error:.6f}",
            signed(o.pays),
            f"{o.probability * float(o.pays):+.6f}",
        ]
        for o in kept
    ]
    less = "" if len(kept) == len(found.outcomes) else f" The {len(kept)} commonest of {len(found.outcomes)} outcomes."
    return [
        part(f"dealt-{name}", f"{called}, simulated"),
        grid(
            ["outcome", "rounds", "probability", "error", "pays", "return"],
            rows,
            caption=f"{called}: simulated, {found.rounds:,} rounds, seed {desk.brief.seed}",
            command=simulate(desk),
            widths=["1fr", *["auto"] * 5],
        ),
        fine(f"Sampled, not counted: each probability with one standard error.{less}"),
    ]


def simulate(desk: Desk) -> str:
    rounds = desk.brief.rounds if desk.simulation is None else desk.simulation.rounds
    of = desk.of if desk.simulation is None else desk.simulation.of
    return of.command("simulate", "--rounds", str(rounds), "--seed", str(desk.brief.seed))
