"""What a printed page says of a house, as blocks: its bets, its pays, and the round as a player lives it."""

import re

from pitboss.felt.page import Block
from pitboss.felt.policy import policy
from pitboss.felt.printed import capital, headlines, significant, title_of
from pitboss.rules.called import cards_word, place_called, times_of, wager_called, wagers_called
from pitboss.rules.graph import PLAYER, Decide, Graph, Node
from pitboss.rules.house import House
from pitboss.rules.naming import listed
from pitboss.rules.numbers import money
from pitboss.rules.steps import Step
from pitboss.rules.wagers import Wager
from pitboss.sheets import Sheet

_YOU = (
    (r"\bEvery player places\b", "Place"),
    (r"\b[Hh]e may also place\b", "You may also place"),
    (r"\bhe places\b", "you place"),
    (r"\bThe player places\b", "you place"),
    (r"\bThe player chooses\b", "You choose"),
    (r"\bthe player's\b", "your"),
    (r"\bthe player has\b", "you have"),
    (r"\bthe player\b(?! hand)", "you"),
)
MOST_STEPS, MOST_CHOICES = 6, 3
LONGEST = 170  # letters of a sentence on a card


def to_you(text: str) -> str:
    """A sentence of the dealer's sheet, as it is said to a player."""
    for his, yours in _YOU:
        text = re.sub(his, yours, text)
    return text


# ---- bets and pays


def limits(house: House) -> str:
    return f"Table limits ${_money(house, 'table-min')} to ${_money(house, 'table-max')}"


def _money(house: House, option: str) -> str:
    return money(house.amount(option))


def amount(house: House, wager: Wager) -> str:
    """How much may be bet, in dollars."""
    if wager.bonus:
        return "costs nothing"
    if wager.equal_to:
        lead = wager_called(house, wager.equal_to)
        some = [times_of(n, lead) for n in wager.times if n]
        return capital(listed([some[0], *(s.removesuffix(f" the {lead}") for s in some[1:])], "or"))
    least, most = house.least_bet(wager.name), house.largest_bet(wager.name)
    return f"${money(least)}" if least == most else f"${money(least)} to ${money(most)}"


def bets(house: House) -> Block:
    rows = [(capital(wager_called(house, w.name)), amount(house, w)) for w in own_bets(house) if not w.bonus]
    return Block("rows", "Bets", tuple(rows))


def own_bets(house: House) -> list[Wager]:
    """Wagers that somebody thinks of as a bet by itself: not what is added to another one."""
    return [w for w in house.wagers if w.lies != "beside"]


def pays(sheet: Sheet) -> list[Block]:
    """Every pay table as a block; those at even money in one line."""
    out, even = [], []
    added = {wager_called(sheet.house, w.name) for w in sheet.house.wagers if w.lies == "beside"}
    for table in sheet.paytables:
        rows = significant(table.pays.items())
        plain = table.pays.get("win") == "1 to 1"
        if not rows:
            even += [capital(w) for w in table.wagers if w not in added] if plain else []
            continue
        extra = tuple(
            (row, pay) for row, pay in table.pays.items() if (row, pay) in rows or row == "win" or "lose" in pay
        )
        out.append(Block("rows", f"{title_of(table.wagers)} pays", tuple((capital(row), pay) for row, pay in extra)))
    lines = [Block("text", f"{listed(even)} pay{'s' * (len(even) == 1)} 1\u00a0to\u00a01.")] if even else []
    return [*lines, *out]


def dealer(house: House) -> list[Block]:
    """The dealer's printed policy."""
    rules = policy(house)
    return [Block("head", "The dealer"), *(Block("text", f"{rule.words}.") for rule in rules)] if rules else []


def meters(house: House) -> list[Block]:
    """What the meters stand at."""
    rows = []
    for wager in house.wagers:
        for row, meter in house.tables[wager.name].meters():
            rows.append((f"{capital(row)} ({wager_called(house, wager.name)})", f"${_money(house, meter.meter)}"))
    return [Block("rows", "On the meter", tuple(rows))] if rows else []


# ---- the round


def steps(sheet: Sheet) -> list[Block]:
    """How to play, in a few numbered steps: bets, cards, choices, what the dealer does, how it comes out."""
    told = [_placing(sheet), _dealing(sheet), *_choosing(sheet)[:MOST_CHOICES], _showing(sheet), _settling(sheet)]
    kept = [text for text in told if text][:MOST_STEPS]
    return [Block("step", f"{i}. {text}") for i, text in enumerate(kept, 1)]


def _showing(sheet: Sheet) -> str:
    """What the dealer turns up, and by what he goes."""
    found = []
    for step in (step for part in sheet.procedure[1:] for step in part.steps):
        text = step.text.removeprefix("When every player has acted: ")
        if _does(step) == "reveal":
            found.append(re.sub(r"^[Tt]urn up (.*)\.$", r"The dealer turns up \1.", text))
        elif _does(step) == "say" and text.lower().startswith("the "):  # what is said to the dealer begins otherwise
            found.append(text)
    words = [*headlines(sheet), *(rule.words for rule in policy(sheet.house))]
    told = [*dict.fromkeys(found)][:3] + [f"{text}." for text in words if len(text) < LONGEST][:3]
    return " ".join(text.replace("turns up the dealer's", "turns up his") for text in map(capital, told))


def _settling(sheet: Sheet) -> str:
    """How bets come out, as far as that is one sentence each."""
    out: list[str] = []

    def walk(step: Step) -> None:
        if _does(step) == "settle" and not step.steps and "ake the" not in step.text and len(step.text) < LONGEST:
            out.append(to_you(step.text))
        for kid in step.steps if _does(step) != "decide" else ():  # what follows a choice stands with it
            walk(kid)

    for step in (step for part in sheet.procedure for step in part.steps):
        walk(step)
    return " ".join([*dict.fromkeys(out)][:2])


def _does(step: Step) -> str:
    return step.does[0][0] if step.does else ""


def _placing(sheet: Sheet) -> str:
    """The bets before the deal, in the words of the sheet."""
    tops = [step for part in sheet.procedure[:1] for step in part.steps if step.steps]
    return " ".join(to_you(kid.text) for step in tops[:1] for kid in step.steps)


def _dealing(sheet: Sheet) -> str:
    """`You get three cards, the dealer three.`"""
    first = _first(sheet.graph)
    own = sum(len(g.slots) for g in first.groups if g.who == PLAYER)
    held: dict[str, int] = {}
    for group in first.groups:
        if group.who != PLAYER:
            held[group.who] = held.get(group.who, 0) + len(group.slots)
    parts = [f"you get {cards_word(own)}"] if own else []
    parts += [
        f"{cards_word(n)} {'go' if n > 1 else 'goes'} to the {place_called(sheet.house, p)}" for p, n in held.items()
    ]
    return f"{capital(listed(parts))}." if parts else ""


def _first(graph: Graph) -> Node:
    """The first decision, or where there is none the first question to the cards."""
    return next((n for n in graph.nodes if isinstance(n, Decide)), graph.root)


def _choosing(sheet: Sheet) -> list[str]:
    """Every decision once, with the bets that go with its choices."""
    out: list[str] = []

    def walk(step: Step) -> None:
        if _does(step) == "decide":
            bets = []
            for kid in step.steps:
                placed = [k.text for k in kid.steps if _does(k) == "bet"]
                bets += [f"{kid.text.rstrip(':')}: {to_you(text).rstrip('.')}" for text in placed[:1]]
            out.append(" ".join([to_you(step.text), *(f"{bet}." for bet in bets[:3])]))
        for kid in step.steps:
            walk(kid)

    for part in sheet.procedure:
        for step in part.steps:
            walk(step)
    return list(dict.fromkeys(out))


def bonuses(house: House) -> str:
    """Wagers that a player may make for the dealer too."""
    names = [w.name for w in house.wagers if w.tokes]
    return f"You may bet the {wagers_called(house, names)} for the dealer as well." if names else ""
