"""The sections for whoever runs the table: can it be beaten, and what does it earn."""

from fractions import Fraction
from itertools import groupby

import numpy as np

from pitboss.earn import Floor
from pitboss.earn.records import Period
from pitboss.guard.records import Protected
from pitboss.ledger.records import percent, ratio
from pitboss.ledger.spelled import chance, dollars
from pitboss.packets import charts
from pitboss.packets.blocks import Block, Runs, Section, bold, fine, grid, items, note, para, part, picture
from pitboss.packets.desk import SHOES, Desk
from pitboss.rules.called import wager_called
from pitboss.rules.paytables import money

BARS = 60


# ---- can it be beaten?


def protection(desk: Desk) -> Section:
    found = desk.protection
    if isinstance(found, str):
        return Section("protection", "Protection", (note(bold("Not worked out. "), found),))
    blocks: list[Block] = []
    for wager in found.wagers:
        blocks += _wager(desk, wager)
    for name, why in found.not_judged.items():
        blocks.append(para(bold(f"{wager_called(desk.house, name)} is not judged: "), why))
    return Section("protection", "Protection: can it be beaten?", tuple(blocks))


def _command(desk: Desk, wager: str) -> str:
    words = ["--shoes", str(SHOES), "--seed", str(desk.brief.seed)]
    if desk.house.decks is not None:
        words += ["--decks", str(desk.house.decks)]
    return desk.command("protect", *words, wager=wager)


def _wager(desk: Desk, found: Protected) -> list[Block]:
    called, command = wager_called(desk.house, found.wager), _command(desk, found.wager)
    blocks: list[Block] = [part(f"protect-{found.wager}", called)]
    advice = [*(a.sentence for a in found.advice), *found.also]
    blocks.append(
        items([f"{s[:1].upper()}{s[1:]}." for s in advice]) if advice else para("There is nothing to advise.")
    )
    if found.terms is not None:
        t = found.terms
        blocks.append(
            fine(
                f"A counter may win ${money(t.tolerate)} an hour, at {t.hands_per_hour} hands an hour, for a bet to be "
                f"called safe. {t.shoes:,} real shoes were dealt, seed {t.seed}; two standard errors are allowed for."
            )
        )
    if any(r.effect for r in found.removals):
        rows: list[list[Runs]] = []
        for (effect, tag), group in groupby(found.removals, key=lambda r: (r.effect, r.tag)):
            cards = [r.cards for r in group]
            first, last = cards[0].partition(" to ")[0], cards[-1].split(" to ")[-1]
            exact = ratio(effect) if isinstance(effect, Fraction) and len(ratio(effect)) <= 24 else "-"
            rows.append(
                [
                    first if first == last else f"{first} to {last}",
                    f"{float(effect):+.4%}",
                    exact,
                    "-" if tag is None else f"{tag:+d}",
                ]
            )
        how = "exact" if isinstance(found.edge, Fraction) else "in double precision"
        blocks.append(
            grid(
                ["card gone", "effect", "exactly", "tag"],
                rows,
                caption=f"{called}: what one card less is worth to the player, {how}",
                command=command,
            )
        )
    if found.depths:
        rows = []
        for d in found.depths:
            counted = "-" if d.counted is None else dollars(d.counted.hourly, 2)
            rows.append(
                [
                    str(d.decks),
                    f"{float(d.cut):.3g}",
                    f"{d.perfect.share:.2%}",
                    f"{d.perfect.win:.3f} ± {d.perfect.win_error:.3f}",
                    dollars(d.perfect.hourly, 2),
                    counted,
                ]
            )
        blocks.append(
            grid(
                ["decks", "behind the cut card", "favourable", "wins a 100 hands", "an hour", "by a count"],
                rows,
                caption=f"{called}: real shoes, simulated",
                command=command,
            )
        )
    seen = [e for e in found.exposures if e.edge is not None]
    if seen:
        rows = [["nothing", percent(found.edge, 4), "-"]]
        rows += [[e.what, percent(e.edge or 0, 4), "-" if e.ways is None else f"{e.ways:,}"] for e in seen]
        blocks.append(
            grid(
                ["in sight of the player", "house edge", "ways"],
                rows,
                caption=f"{called}: exposed cards",
                command=command,
            )
        )
    return [*blocks, *(fine(f"{note[:1].upper()}{note[1:].removesuffix('.')}.") for note in found.notes)]


# ---- what does it earn?


def earnings(desk: Desk) -> Section:
    found = desk.floor
    if isinstance(found, str):
        return Section("earnings", "What a table earns", (note(bold("Not worked out. "), found),))
    return Section(
        "earnings", "What a table earns", (*_money(desk, found), *_luck(desk, found), *_jackpots(desk, found))
    )


def _money(desk: Desk, found: Floor) -> list[Block]:
    plan, command = found.plan, desk.command("floor")
    shift = Fraction(plan.shift, plan.hands)
    win = found.round_mean * plan.hands
    bets = ", ".join(f"${money(t.bet)} on the {wager_called(desk.house, t.wager)}" for t in found.theos)
    worst = found.exposure
    blocks: list[Block] = [
        para(
            f"{plan.seats} players at {plan.hands} rounds an hour, {bets}; a shift of {float(plan.hours):g} hours, "
            f"{plan.days} shifts a month. The house wins ",
            bold(f"{dollars(win, 2)} an hour"),
            " on average.",
        ),
        grid(
            ["", "an hour", "a shift", "a month"],
            [
                [name, dollars(amount, 2), dollars(amount * shift), dollars(amount * shift * plan.days)]
                for name, amount in (("handle", found.handle), ("drop", plan.drop), ("theoretical win", win))
            ],
            caption="The table in money",
            command=command,
        ),
        fine(
            f"Handle: all that is bet. Drop: what is bought in, ${money(plan.bought)} a player. The hold is "
            f"{percent(found.hold, 2)}; of the handle the house wins {percent(win / (found.handle or 1), 3)}."
        ),
    ]
    lines: list[Runs] = []
    if found.bankroll is not None and found.edge_shows is not None:
        lines.append(
            [
                bold("Bankroll. "),
                f"With {dollars(found.bankroll.whole)} the table is ever broken with a probability "
                f"of {float(plan.risk) * 100:g}% at most.",
            ]
        )
        lines.append([bold("Ahead. "), f"From {found.edge_shows.whole:,.0f} rounds on the house is ahead with 95%."])
    else:
        lines.append([bold("The house does not win on average. "), "No bankroll is enough."])
    most = "no more than " if worst.bound else ""
    limits = ", ".join(f"{wager_called(desk.house, w)} ${money(b)}" for w, b in worst.limits.items())
    lines.append(
        [
            bold("Exposure. "),
            f"One round can cost {most}{dollars(worst.table)}, with all bets at their limits ({limits}).",
        ]
    )
    return [*blocks, items(lines)]


def _luck(desk: Desk, found: Floor) -> list[Block]:
    periods = (found.shift, found.month)
    rows: list[list[Runs]] = [
        ["rounds", *(f"{p.rounds:,}" for p in periods)],
        ["average", *(dollars(p.theo) for p in periods)],
        ["standard deviation", *(dollars(p.std_dev) for p in periods)],
        [[bold("the house loses")], *([bold(chance(p.loses.whole))] for p in periods)],
    ]
    for share in found.shift.quantiles:
        word = f"{share * 100:g}% are at or below" if share <= 0.5 else f"{(1 - share) * 100:g}% are above"
        rows.append([word, *(dollars(p.quantiles[share].whole) for p in periods)])
    how = f"simulated, {found.rounds_dealt:,} rounds of the table" if found.rounds_dealt else "exact chances of a round"
    low = float(found.plan.risk)
    bad = found.shift.quantiles.get(low)
    worst = bad.whole if bad is not None else found.shift.spread.quantile(low)
    return [
        part("nights", "How bad can a night get?"),
        grid(
            ["the house's win", "a shift", "a month"],
            rows,
            caption=f"How far luck can take it: {how}",
            command=desk.command("floor"),
        ),
        picture(
            charts.night(_binned(found.shift), float(found.shift.theo), worst, f"{low:.0%} of shifts at or below"),
            "The distribution of the house's win in a shift",
        ),
        *(fine(n) for n in found.notes),
    ]


def _binned(period: Period) -> list[tuple[float, float]]:
    """The distribution in so many bars, all but the last tenth of a per cent at either end."""
    spread = period.spread
    low, high = spread.quantile(0.001), spread.quantile(0.999)
    if high <= low:
        return [(low, 1.0)]
    ends = np.linspace(low, high, BARS + 1)
    inside = (spread.dollars >= low) & (spread.dollars <= high)
    tall, _ = np.histogram(spread.dollars[inside], ends, weights=spread.chances[inside])
    return [(float(a + b) / 2, float(p)) for a, b, p in zip(ends[:-1], ends[1:], tall, strict=True)]


def _jackpots(desk: Desk, found: Floor) -> list[Block]:
    out: list[Block] = []
    for j in found.jackpots:
        rows: list[list[Runs]] = [
            [f"a {h.period}", f"{h.bets:,}", dollars(h.growth), chance(h.chance), dollars(h.paid), dollars(h.reserve)]
            for h in j.over
        ]
        out.append(
            grid(
                ["", "bets", "the meter grows by", "chance of a hit", "paid, expected", "seeds in reserve"],
                rows,
                caption=f"{wager_called(desk.house, j.wager)}: the {j.row}, from ${money(j.meter)}",
                command=desk.command("floor"),
            )
        )
    return out
