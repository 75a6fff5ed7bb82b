"""The sections that a dealer, a floor and a player read: what the game is, its rules, bets, procedure, equipment,
layout, worked examples and irregular cases. All of it is the sheet of the house."""

from collections.abc import Mapping
from fractions import Fraction

from pitboss.felt import felt, rack_card, sign
from pitboss.ledger.records import percent
from pitboss.ledger.spelled import one_in
from pitboss.packets.blocks import Block, Runs, Section, bold, fine, grid, items, note, para, part, picture, steps
from pitboss.packets.desk import Answer, Desk
from pitboss.rules.called import cards_word, number_word, place_called, wager_called
from pitboss.rules.graph import DEALER, PLAYER, Deal
from pitboss.rules.paytables import money, show_pay
from pitboss.rules.wagers import Wager

MANY = 6  # pay tables beside each other
LONG_COUNT = 20  # characters of a number of ways that the first table has room for


def paragraphs(text: str) -> list[Block]:
    return [para(p.replace("\n", " ")) for p in text.split("\n\n") if p.strip()]


# ---- the answer


def summary(desk: Desk) -> list[Block]:
    """The answer first: every wager in one line, and how each figure is known."""
    rows: list[list[Runs]] = []
    for a in desk.answers:
        if a.edge is None:
            why = "cannot be counted or dealt" if a.why else "paid among the players"
            rows.append([a.called, "-" if a.why else "0", "-", "-", "-", "-", why])
            continue
        error = f" ± {percent(a.edge.error, 4)}" if a.edge.error else ""
        assert a.deviation is not None and a.hits is not None
        rows.append(
            [
                bold_of(a.called),
                [bold(percent(a.edge.value, 4)), error],
                percent(1 - a.edge.value, 3),
                f"{float(a.deviation):.3f}",
                percent(a.hits.value, 2),
                one_in(a.hits.value),
                known(a),
            ]
        )
    heads = ["wager", "house edge", "RTP", "SD", "hits", "1 in", "how it is known"]
    out = [grid(heads, rows, widths=["1fr", *["auto"] * 6])]
    out.append(
        fine(
            "House edge: what the house keeps of the opening bet, on average, against best play. RTP: what comes back. "
            "SD: standard deviation of one bet. Hits: rounds in which it wins."
        )
    )
    return [*out, *warnings(desk)]


def bold_of(text: str) -> Runs:
    return [bold(text)]


def known(a: Answer) -> str:
    if a.edge is None:
        return ""
    if a.ways is not None:
        return f"exact, {a.ways:,} ways" if len(f"{a.ways:,}") <= LONG_COUNT else "exact count"
    return a.edge.method


def warnings(desk: Desk) -> list[Block]:
    """What is only simulated says so, on every page that gives its figures."""
    dealt = [a for a in desk.answers if a.why]
    if not dealt:
        return []
    names = ", ".join(a.called for a in dealt)
    play = "" if desk.simulation is None else f" Dealt by the strategy {desk.simulation.of.strategy!r}."
    return [
        note(
            bold(f"Simulated, not counted: {names}. "),
            f"{dealt[0].why.split('. ')[0]}. Its figures are from {_rounds(desk)} rounds and have the standard error "
            f"given; no figure of it is exact.{play}",
        )
    ]


def _rounds(desk: Desk) -> str:
    return "no" if desk.simulation is None else f"{desk.simulation.rounds:,}"


# ---- sections


def game(desk: Desk) -> Section:
    house, sheet = desk.house, desk.sheet
    facts: list[list[Runs]] = [
        ["Players", f"1 to {house.game.seats}"],
        ["Cards", sheet.dealt_from.removeprefix("It is dealt from ")],
        ["Wagers before the deal", ", ".join(wager_called(house, w) for w in house.parties)],
        ["Decisions", ", ".join(_decisions(desk)) or "none after the bets are down"],
        ["Played against", "the dealer" if _against_dealer(desk) else "a pay table"],
    ]
    return Section(
        "game", "What the game is", (*paragraphs(sheet.about), grid(["", ""], facts, left=2, widths=["auto", "1fr"]))
    )


def _decisions(desk: Desk) -> list[str]:
    """Each decision by name, with all that is ever offered at it."""
    offered: dict[str, dict[str, None]] = {}
    for node in desk.sheet.graph.decisions():
        offered.setdefault(node.name or "play", {}).update(dict.fromkeys(node.choices))
    return [f"{name} ({', '.join(choices)})" for name, choices in offered.items()]


def _against_dealer(desk: Desk) -> bool:
    return any(isinstance(e, Deal) and e.who == DEALER for n in desk.sheet.graph.nodes for e in n.events)


def rules(desk: Desk) -> Section:
    sheet = desk.sheet
    blocks: list[Block] = [para(sheet.dealt_from)]
    blocks.append(
        grid(
            ["wager", "who bets it", "how much", "what it is on"],
            [[bold_of(w.called), w.bet, w.amount, w.about] for w in sheet.wagers],
            left=4,
            widths=["auto", "1fr", "1fr", "2fr"],
            caption="Wagers",
            command=desk.command("rules"),
        )
    )
    for names in sheet.either_or:
        called = " or ".join(wager_called(desk.house, n) for n in names)
        blocks.append(para(f"At least one of {called} must be bet."))
    blocks.append(para(sheet.odd_amounts))
    decided = [s for s in sheet.procedure if s.title == "The players"]
    if decided:
        blocks += [part("choices", "What a player may do"), *steps(tuple(decided))]
    blocks.append(part("house-rules", "The rules that this house has set"))
    blocks.append(
        grid(
            ["option", "here", "allowed", "what it sets"],
            [
                [
                    [("code", o.option)],
                    bold_of(o.value) if o.value != o.default else o.value,
                    o.allowed,
                    o.about,
                ]
                for o in sheet.options
            ],
            left=4,
            widths=["auto", "auto", "1fr", "2fr"],
            caption="Options, and what each may be",
            command=desk.command("rules"),
            small=True,
        )
    )
    return Section("rules", "Rules of play", tuple(blocks))


def wagers(desk: Desk) -> Section:
    house = desk.house
    rows: list[list[Runs]] = []
    for w in house.wagers:
        if w.equal_to:
            rows.append([bold_of(wager_called(house, w.name)), w.amount_rule(), _most(desk, w)])
        else:
            least, most = house.least_bet(w.name), house.largest_bet(w.name)
            same = f"exactly ${money(least)}"
            rows.append(
                [bold_of(wager_called(house, w.name)), same if least == most else f"${money(least)}", f"${money(most)}"]
            )
    blocks: list[Block] = [
        grid(["wager", "least", "most"], rows, caption="Limits, as posted", command=desk.command("rules")),
    ]
    if desk.brief.jurisdiction is not None:
        blocks.append(items(desk.brief.jurisdiction.notices(house)))
    blocks.append(part("pay-tables", "Pay tables"))
    blocks += _pay_tables(desk)
    return Section("wagers", "Wagers, limits and pay tables", tuple(blocks))


def _most(desk: Desk, w: Wager) -> str:
    if w.bonus:
        return "-"
    most = max(Fraction(n) for n in desk.house.multiples[w.name]) * desk.house.largest_bet(desk.house.lead(w.name))
    return f"${money(most)}"


def _pay_tables(desk: Desk) -> list[Block]:
    """Every pay table that the house may choose, beside each other; the chosen one says so."""
    house, sheet, out = desk.house, desk.sheet, []
    even = [w.called for w in sheet.wagers if dict(w.pays) == {"win": "1 to 1"} and len(w.paytables) == 1]
    if even:
        out.append(para("Even money: ", ", ".join(even), "."))
    shared = [w.called for w in sheet.wagers if "best hand" in w.pays]
    if shared:
        out.append(para(", ".join(shared), ": goes to the best hand at the table."))
    seen: set[str] = set()
    for line in sheet.wagers:
        wager = next(w for w in house.wagers if w.name == line.wager)
        if line.called in (*even, *shared) or line.called in seen:
            continue
        alike = [w for w in sheet.wagers if w.pays == line.pays and w.paytables == line.paytables]
        seen |= {w.called for w in alike}
        chosen = house.tables[wager.name]
        offered = [chosen, *(t for t in wager.tables if t.name != chosen.name)]
        names = ", ".join(w.called for w in alike)
        for at in range(0, len(offered), MANY):
            some = offered[at : at + MANY]
            heads = [f"{t.name} (here)" if t is chosen and len(offered) > 1 else t.name for t in some]
            body = [[row, *(_pay(t.pays.get(row)) for t in some)] for row in chosen.pays if row not in ("push", "lose")]
            more = f", pay tables {at + 1} to {at + len(some)} of {len(offered)}" if len(offered) > MANY else ""
            heads = ["pays"] if len(offered) == 1 else heads
            out.append(grid(["result", *heads], body, caption=f"{names}{more}", command=desk.command("rules")))
    return out


def _pay(pay: object) -> str:
    return "-" if pay is None else show_pay(pay)  # type: ignore[arg-type]


def procedure(desk: Desk) -> Section:
    return Section(
        "procedure",
        "Dealer's procedure",
        (
            para("In the order of the table, for all seats. What stands under a step is done as part of it."),
            *steps(desk.sheet.procedure),
        ),
    )


def equipment(desk: Desk) -> Section:
    """What the rules need at the table; nothing that they do not."""
    house = desk.house
    cards = sum(house.composition)
    lines: list[Runs] = [
        [bold("Table"), f" for {number_word(house.game.seats)} players, with the layout of ", ("page", "layout"), "."],
        [bold("Cards"), f": {desk.sheet.dealt_from.removeprefix('It is dealt from ')} {cards:,} cards in play."],
    ]
    if house.decks is None:
        lines.append([bold("Shuffling"), ": the deck is shuffled before every round, by hand or by a shuffler."])
    else:
        lines.append([bold("Dealing shoe"), f" for {cards:,} cards, and a cut card; a shuffler if the house uses one."])
    lines.append([bold("Chip rack, drop box and discard rack"), ", as at any table."])
    for place, many in _places(desk).items():
        if place not in (PLAYER, DEALER):
            lines.append([bold(place_called(house, place).capitalize()), f": a marked place for {cards_word(many)}."])
    meters = [(wager_called(house, w), row) for w in house.parties for row, _ in house.meters(w)]
    if meters:
        named = ", ".join(f"the {row} of the {wager}" for wager, row in meters)
        lines.append(
            [bold("Meters"), f" in sight of every seat, for {named}; fed by every bet, reset to the seed when hit."]
        )
    lines.append([bold("Sign"), " with limits and pay tables: ", ("page", "sign"), "."])
    lines.append([bold("Bankroll"), ": what must be at hand stands in ", ("page", "earnings"), "."])
    return Section(
        "equipment",
        "Equipment",
        (items(lines), fine("Makers and approval numbers of cards, shoe, shuffler and meter are yours to supply.")),
    )


def _places(desk: Desk) -> Mapping[str, int]:
    """Where cards lie, and how many at the most."""
    out: dict[str, int] = {}
    for node in desk.sheet.graph.nodes:
        here: dict[str, int] = {}
        for event in node.events:
            if isinstance(event, Deal):
                here[event.who] = here.get(event.who, 0) + len(event.slots)
        for who, many in here.items():
            out[who] = max(out.get(who, 0), many)
    return out


def layout(desk: Desk) -> Section:
    return Section(
        "layout",
        "Layout",
        (
            picture(
                felt(desk.house),
                f"The felt of {desk.house.game.title}, drawn to scale",
                caption="The felt, to scale",
                command=desk.command("layout", "-o", "felt.svg"),
                height="78%",
            ),
        ),
        wide=True,
    )


def printed(desk: Desk) -> Section:
    """What else is printed for the table."""
    place = desk.brief.jurisdiction
    notices = () if place is None else place.notices(desk.house)
    title = desk.house.game.title
    return Section(
        "sign",
        "Sign and rack card",
        (
            picture(
                sign(desk.house, notices),
                f"The limits and pay-table sign of {title}",
                caption="Sign: limits and pay tables",
                command=desk.command("layout", "--what", "sign", "-o", "sign.svg"),
                height="80%",
                width="",
            ),
            picture(
                rack_card(desk.house),
                f"The rack card of {title}",
                caption="Rack card for players",
                command=desk.command("layout", "--what", "rack-card", "-o", "rack-card.svg"),
                height="80%",
                width="",
            ),
        ),
    )


def examples(desk: Desk) -> Section:
    sheet = desk.sheet
    lines = [e.line(wager_called(desk.house, e.wager)) for e in sheet.examples]
    blocks: list[Block] = [para("Rounds that were played, one for each way that a wager can come out.")]
    blocks.append(items([*lines, *sheet.rare]))
    return Section("examples", "Worked examples", tuple(blocks))


def irregular(desk: Desk) -> Section:
    cases = desk.sheet.irregular.items()
    return Section(
        "irregular",
        "When something goes wrong",
        (items([[bold(f"{case[:1].upper()}{case[1:]}. "), words] for case, words in cases]),),
    )
