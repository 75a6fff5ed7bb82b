"""What is said beside the felt: what is decided, what a choice is worth or gave away, what was paid, how it goes. And
what is understood of an answer."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt

from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from pitboss.cli.faces import Event, cents, coloured, counts, named, signed
from pitboss.cli.hints import Worth
from pitboss.exact import best
from pitboss.ledger.records import WagerResult
from pitboss.live import Turn
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.numbers import written
from pitboss.rules.paytables import Meter, money, show_pay

ROOMY = 76  # columns
Pots = Mapping[str, Sequence[int]]  # wager between the players -> the seats that take it
Reasons = Mapping[tuple[int, str], str]  # seat, wager -> who held what

# ---- a decision


def heading(turn: Turn, count: Mapping[str, int], spots: int = 1) -> str:
    """What is decided, if the game has named it, and on which hand: `Play hand 2 (soft 17):`, `Spot 2, play (16):`."""
    if turn.decision == " or ".join(turn.choices):
        return "" if spots == 1 else f"Spot {turn.seat}:"
    which = f" hand {turn.hand}" if len(turn.hands) > 1 else ""
    what = f"{turn.decision}{which}{f' ({counts(count)})' if count else ''}:"
    return capital(what if spots == 1 else f"spot {turn.seat}, {what}")


def capital(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"


def at_spot(seat: int, spots: int, text: str) -> str:
    """What is said of one of several spots: `Spot 2: on average ...`."""
    return text if spots == 1 else f"Spot {seat}: {text[0].lower()}{text[1:]}"


def gave_up(worth: Worth, choice: str, unit: Fraction | None) -> str:
    """`0.0882 units ($0.88)`, or nothing for a best choice."""
    if choice in best(worth):
        return ""
    lost = max(worth.values()) - worth[choice]
    dollars = "" if unit is None else f" (${float(lost) * float(unit):,.2f})"
    return f"{float(lost):.4f} units{dollars}"


def regret(worth: Worth, choice: str, unit: Fraction | None) -> str:
    """Said when the round is over."""
    lost = gave_up(worth, choice, unit)
    return f"On average {choice} gave up {lost}: {' or '.join(best(worth))} is better." if lost else ""


def verdict(worth: Worth, choice: str, unit: Fraction | None) -> str:
    """Said at once, by a coach."""
    lost, right = gave_up(worth, choice, unit), best(worth)
    if lost:
        return f"Coach: {' or '.join(right)} is best; {choice} costs {lost} on average."
    others = "".join(f", and so is {name}" for name in right if name != choice)
    return f"Coach: {choice} is best{others}."


def hint(worth: Worth, unit: str, stake: Fraction | None) -> Table:
    """The expectation of every choice, the best one marked, ties as ties."""
    right = best(worth)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    table.add_column("choice", no_wrap=True)
    table.add_column(f"expectation, {unit}", justify="right", no_wrap=True)
    table.add_column("dollars", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for choice, value in worth.items():
        mark = "" if choice not in right else "◀ best, a tie" if len(right) > 1 else "◀ best"
        money_worth = "" if stake is None else cents(value * stake)
        table.add_row(choice, f"{float(value):+.4f}", money_worth, mark, style="bold" if mark else "")
    return table


# ---- an answer


def chosen(answer: str, choices: tuple[str, ...]) -> str:
    """The choice that was meant: by name, number or the start of a name. What may mean two things is not taken."""
    allowed = f"choose {', '.join(choices[:-1])} or {choices[-1]}, by number or name"
    for choice in choices:
        if choice.lower() == answer:
            return choice
    meant = [
        choice
        for number, choice in enumerate(choices, 1)
        if answer and (answer == str(number) or choice.lower().startswith(answer))
    ]
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise BadInput(f"{answer!r} may mean {' or '.join(meant)}; {allowed}")
    raise BadInput(f"{answer!r} is not a choice; {allowed}" if answer else f"C{allowed[1:]}")


# ---- the running result


@dataclass
class Tally:
    """The running result: what happened, and what was to be expected of the same bets."""

    rounds: int = 0
    net: Fraction = Fraction(0)
    expected: Fraction = Fraction(0)
    variance: Fraction = Fraction(0)
    figures: dict[str, tuple[Fraction, Fraction]] = field(default_factory=dict)  # wager -> expectation, variance

    def count(self, net: Fraction, *bets: Mapping[str, Fraction]) -> None:
        """A round, with the bets of each spot."""
        self.rounds += 1
        self.net += net
        for name, (expectation, variance) in self.figures.items():
            for amount in (one.get(name, Fraction(0)) for one in bets):
                self.expected += expectation * amount
                self.variance += variance * amount**2

    @property
    def deviations(self) -> float | None:
        """How far the result lies from its expectation; wagers of one round are taken as independent."""
        return float(self.net - self.expected) / sqrt(self.variance) if self.variance else None

    def line(self) -> Text:
        """`3 rounds   net +$5   expected -$0.42   about 0.3 std dev above`."""
        line = Text(f"{self.rounds} round{'s' if self.rounds != 1 else ''}   net ")
        line += coloured(self.net, signed(self.net))
        if self.figures:
            line += Text(f"   expected {cents(self.expected)}")
            if (away := self.deviations) is not None:
                line += Text(f"   about {abs(away):.1f} std dev {'above' if away >= 0 else 'below'}")
        return line


def figures(result: WagerResult) -> tuple[Fraction, Fraction]:
    """The expectation and the variance of a wager."""
    return result.expectation, result.variance


# ---- after the round, and on request


def reasons(house: House, settled: Sequence[Event], told: Reasons, pots: Pots, spots: int = 1) -> dict[int, str]:
    """Why each wager came out as it did: what the dealer said, who held what, or what the bet is on."""
    helps = {wager.name: wager.help for wager in house.wagers}
    out = {}
    for place, event in enumerate(settled):
        seat, wager, won = event["seat"], event["wager"], written(event["net"])
        takers = pots.get(wager, [seat])
        held = told.get((seat, wager), "")
        if seat not in takers:
            beaten = f"{named(takers, spots)} {'have' if len(takers) > 1 else 'has'} the best hand"
            out[place] = "; ".join(part for part in (beaten, held) if part)
        else:
            said = "; ".join(part for part in (event["because"], held) if part)
            out[place] = said or (helps[wager] if won > 0 else "nothing that it pays on" if won < 0 else "")
    return out


def settlement(
    house: House, settled: Sequence[Event], net: Fraction, pots: Pots, width: int, spots: int = 1,
    why: Mapping[int, str] | None = None,
) -> Table:  # fmt: skip
    """Every wager: stake, result, what it pays, net; and why, where there is room to say it and it is not said
    elsewhere."""
    roomy, last = width >= ROOMY and why is not None, 0
    table = Table(box=box.SIMPLE_HEAD, show_footer=True, pad_edge=False, padding=(0, 1), show_edge=False)
    if spots > 1:
        table.add_column("spot", justify="right", no_wrap=True)
    table.add_column("wager", "this round", no_wrap=True, footer_style="bold")
    table.add_column("stake", justify="right", no_wrap=True)
    table.add_column("result")
    table.add_column("pays", no_wrap=True)
    if roomy:
        table.add_column("why")
    table.add_column("net", coloured(net, signed(net)), justify="right", no_wrap=True)
    for place, event in enumerate(settled):
        wager, won = event["wager"], written(event["net"])
        stake = f"free ${money(written(event['free']))}" if "free" in event else f"${money(written(event['stake']))}"
        told = [event["row"], _pays(house, event, pots), *([why[place]] if roomy and why else [])]
        spot = [] if spots == 1 else ["" if event["seat"] == last else str(event["seat"])]
        last = event["seat"]
        table.add_row(*spot, wager, stake, *told, coloured(won, signed(won)))
    return table


def _pays(house: House, event: Event, pots: Pots) -> str:
    wager, row = event["wager"], event["row"]
    if wager in pots:  # no pay table says what lies in a pot
        got = f"${money(written(event['pays']))}"
        return (
            "" if event["seat"] not in pots[wager] else f"takes {got}" if len(pots[wager]) == 1 else f"shares it: {got}"
        )
    pay = house.tables[wager].pay(row)
    if isinstance(pay, Meter):
        won = written(event["net"])
        full, second = house.amount(pay.meter), house.amount(pay.seed)  # a second hit in one round is paid the seed
        return f"{pay} ${money(full if won + written(event['stake']) >= full else second)}"
    shown = show_pay(pay)
    return "" if shown == row else shown  # "lose" need not be said twice


def settled_early(event: Event, spots: int = 1) -> Text:
    """`lucky-pair: pair pays 10 to 1, +$50`; with several spots `spot 2, lucky-pair: ...`."""
    won, row = written(event["net"]), event["row"]
    story = f"pays {event['pays']}, " if won > 0 else ""
    wager = event["wager"] if spots == 1 else f"spot {event['seat']}, {event['wager']}"
    return Text(f"{wager}: {row}{',' if not story else ''} {story}") + coloured(won, signed(won))


def sentence(parts: Iterable[str]) -> str:
    """`dealer folds` -> `Dealer folds.`; what several wagers share is said once."""
    text = "; ".join(dict.fromkeys(part for part in parts if part))
    return f"{capital(text)}." if text else ""


def sentences(parts: Mapping[int, Sequence[str]]) -> list[str]:
    """What happened at every spot; once, where it was the same at all."""
    said = {seat: sentence(words) for seat, words in parts.items()}
    if len(set(said.values())) == 1:
        return [text for text in list(said.values())[:1] if text]
    return [at_spot(seat, len(said), text) for seat, text in said.items() if text]


def rules(house: House) -> Group:
    """What the game is, and every wager with its limits and its pays."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    for heading in ("wager", "when", "how much", "pays"):
        table.add_column(heading, no_wrap=heading == "wager")
    for wager in house.wagers:
        pays = house.tables[wager.name].pays
        paid = ", ".join(f"{row} {show_pay(pay)}" for row, pay in pays.items() if show_pay(pay) != row)
        table.add_row(wager.name, wager.who_bets(), wager.amount_rule(), paid)
    prose = "\n\n".join(paragraph.replace("\n", " ") for paragraph in house.game.text.split("\n\n"))
    return Group(Text(prose), table)


def for_the_dealer(toke: Event, spots: int = 1) -> str:
    """`For the dealer: lucky-lucky $5, 21 pays 3 to 1, he takes $20.`"""
    stake, net = written(toke["stake"]), written(toke["net"])
    got = f"{toke['row']} pays {toke['pays']}, he takes ${money(stake + net)}" if net >= 0 else f"{toke['row']}"
    where = "" if spots == 1 else f", spot {toke['seat']}"
    return f"For the dealer{where}: {toke['wager']} ${money(stake)}, {got}."
