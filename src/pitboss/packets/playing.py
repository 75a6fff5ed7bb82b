"""How the game is played: the rule in words, the chart, and what errors cost."""

from pitboss.exact import Study
from pitboss.felt import strategy_card
from pitboss.ledger.records import StrategyRow, percent
from pitboss.ledger.spelled import number
from pitboss.packets.blocks import Block, Runs, Section, bold, fine, grid, items, note, para, part, picture
from pitboss.packets.desk import Desk
from pitboss.rules.errors import BadInput
from pitboss.thumb import Rulebook

MOST_CHART = 60  # rows of a strategy that are printed
DEAREST = 12  # mistakes


def strategy(desk: Desk) -> Section:
    study = desk.study
    if not study.decided:
        return Section(
            "strategy", "Mathematics: strategy", (para("There is nothing to decide once the bets are down."),)
        )
    book = desk.rulebook
    if book is None:
        own = ", ".join(desk.house.game.strategies) or "none"
        return Section(
            "strategy",
            "Mathematics: strategy",
            (
                note(
                    bold("The best play is not known. "),
                    f"The bet that is played cannot be counted. Strategies of the game "
                    f"file, which the simulation plays: {own}.",
                ),
            ),
        )
    rung = book.best
    best = "the chart" if book.against == "basic" else "the best play"
    cost = "costs nothing" if not rung.cost else f"costs {percent(rung.cost, 4)}, {book.share(rung)} of the house edge"
    blocks: list[Block] = [
        part("rule", "The rule in words"),
        items([[bold(f"{rule.decision or 'play'}: "), f"{rule.words}."] for rule in rung.rules]),
        para(f"Against {best}, this rule {cost}."),
        *(fine(n) for n in book.notes),
        picture(
            card(study, book),
            f"The strategy card of {desk.house.game.title}",
            **({"height": "84%"} if study.drawn else {"width": "62%"}),  # a chart is as tall as a page
            caption="Strategy card for players",
            command=desk.command("layout", "--what", "strategy-card", "-o", "card.svg"),
        ),
        part("mistakes", "What errors cost"),
        *_ladder(desk),
    ]
    rows = desk.study.chart()
    blocks += _dearest(desk, rows)
    if not study.drawn:
        blocks += _chart(desk, rows)
    return Section("strategy", "Mathematics: strategy", tuple(blocks))


def card(study: Study, book: Rulebook | None = None) -> str:
    """The strategy card of a study: the rule to remember, or the chart where hands have any number of cards."""
    if not study.decided:
        return strategy_card(study.house)
    if not study.drawn:
        return strategy_card(study.house, book or _rulebook(study))
    drawn = study.drawing
    return strategy_card(study.house, chart=drawn.basic(), looks=drawn.looks_at(), wager=study.wager(study.decided[0]))


def _rulebook(study: Study) -> Rulebook:
    try:
        return study.rule()
    except BadInput as error:
        on = "" if "`" in str(error) else f"; `{study.of.command('strategy')}` has the best play"
        raise BadInput(f"{error}{on}") from None


def _ladder(desk: Desk) -> list[Block]:
    book = desk.rulebook
    assert book is not None
    rows: list[list[Runs]] = []
    for rung in book.rungs:
        words = "; ".join(rule.words for rule in rung.rules) if len(rung.rules) == 1 else f"{rung.conditions} in all"
        cost = "nothing" if not rung.cost else percent(rung.cost, 4)
        rows.append([str(rung.most or "none"), words, cost, percent(book.edge + rung.cost, 4)])
    out = [
        grid(
            ["conditions", "rule", "costs", "house edge"],
            rows,
            left=2,
            widths=["auto", "1fr", "auto", "auto"],
            caption="Rules of every length, and what each gives up",
            command=desk.command("strategy", "--rule"),
        )
    ]
    named: list[list[Runs]] = []
    main = desk.study.decided[0]
    best = desk.study.wager(main).house_edge
    for name, how in desk.house.game.strategies.items():
        try:
            edge = desk.study.playing(name).wager(main).house_edge
        except BadInput as error:
            named.append([name, str(error), "-", "-"])
            continue
        about = " ".join(str(how.__doc__ or "").split())
        named.append([name, about, "nothing" if edge == best else percent(edge - best, 4), percent(edge, 4)])
    if named:
        out.append(
            grid(
                ["strategy", "in words", "costs", "house edge"],
                named,
                left=2,
                widths=["auto", "1fr", "auto", "auto"],
                caption="Strategies that the game file names",
                command=desk.command("strategy"),
            )
        )
    return out


def _dearest(desk: Desk, rows: tuple[StrategyRow, ...]) -> list[Block]:
    """Where a wrong choice costs most, over all hands."""
    found = []
    for row in rows:
        top = max(row.values.values())
        for choice, value in row.values.items():
            if value < top:
                found.append((row.probability * (top - value), row, choice, top - value))
    found.sort(key=lambda f: (-f[0], f[1].sees, f[2]))
    if not found:
        return []
    out: list[list[Runs]] = [
        [row.sees, " or ".join(row.best), choice, percent(row.probability, 3), f"{float(each):.4f}", percent(all_, 4)]
        for all_, row, choice, each in found[:DEAREST]
    ]
    return [
        grid(
            ["holding", "best", "instead", "how often", "costs each time", "costs in all"],
            out,
            left=3,
            caption="The dearest mistakes",
            command=desk.command("strategy"),
            widths=["1fr", *["auto"] * 5],
        ),
        fine("Costs each time: in units of the opening bet. In all: of every opening bet, as often as it comes up."),
    ]


def _chart(desk: Desk, rows: tuple[StrategyRow, ...]) -> list[Block]:
    """The whole chart where it is short; else how long it is, and where it stands."""
    out: list[Block] = [part("chart", "What every choice is worth")]
    for decision in dict.fromkeys(r.decision for r in rows):
        some = [r for r in rows if r.decision == decision]
        if len(some) > MOST_CHART:
            continue
        choices = list(dict.fromkeys(c for r in some for c in r.values))
        body: list[list[Runs]] = []
        for r in some:
            cells: list[Runs] = [
                "-"
                if c not in r.values
                else [bold(f"{float(r.values[c]):+.5f}")]
                if c in r.best
                else f"{float(r.values[c]):+.5f}"
                for c in choices
            ]
            body.append([r.sees, number(r.probability, 5), *cells, " = ".join(r.best)])
        out.append(
            grid(
                ["sees", "how often", *choices, "best"],
                body,
                caption=f"{decision or 'play'}: expectation of every choice",
                command=desk.command("strategy"),
            )
        )
    many = {d: sum(r.decision == d for r in rows) for d in dict.fromkeys(r.decision for r in rows)}
    listed = {} if desk.analysis is None else dict(desk.analysis.not_charted)
    for decision, count in (many | listed).items():
        if count > MOST_CHART or decision in listed:
            out.append(
                para(
                    f"{decision or 'play'}: {count:,} rows, too many to print. ",
                    ("code", desk.command("strategy", "--csv", "chart.csv")),
                    " writes them to a file.",
                )
            )
    return out
