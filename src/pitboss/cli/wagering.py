"""Bets at a terminal table: what is asked before the deal, spot by spot or for all at once."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from pitboss.cli.seats import Bets
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.numbers import dollars, whole
from pitboss.rules.paytables import money
from pitboss.rules.wagers import Wager

Ask = Callable[[str], str]
Say = Callable[[str], object]


def asked_spot(spots: int, ask: Ask, refuse: Say) -> list[int]:
    """Whose bets are changed: one spot, or all of them."""
    while spots > 1 and (answer := ask(f"Which spot, 1 to {spots}? Enter changes all > ")):
        try:
            return [whole("a spot", answer, 1, spots)]
        except BadInput as error:
            refuse(str(error))
    return list(range(1, spots + 1))


def changed(house: House, bets: Bets, ask: Ask, say: Say, refuse: Say) -> dict[str, Fraction]:
    """Ask every wager before the deal; whether the bets go together is known when all are asked."""
    wanted = dict(bets)
    low, high = (money(house.amount(limit)) for limit in ("table-min", "table-max"))
    say(f"The table minimum is ${low}, the table maximum ${high}.")
    while True:
        for wager in house.wagers:
            if not wager.equal_to:
                _ask_amount(house, wager, wanted, ask, say, refuse)
            elif wager.along:
                say(f"{wager.name}: {wager.who_bets()}; {wager.amount_rule()}")
        try:
            house.check_seat(wanted, {})
        except BadInput as error:
            refuse(str(error))
        else:
            return {name: wanted[name] for name in house.parties if name in wanted}


def _ask_amount(house: House, wager: Wager, wanted: dict[str, Fraction], ask: Ask, say: Say, refuse: Say) -> None:
    now = f"${money(wanted[wager.name])}, Enter keeps it" if wager.name in wanted else "none, Enter bets none"
    also = ", 0 removes it" if wager.name in wanted and not wager.required else ""
    say(f"{wager.name}: {wager.who_bets()}; {wager.amount_rule()}")
    while answer := ask(f"  now {now}{also} > "):
        try:
            amount = dollars(wager.name, answer)
            if amount or wager.required:
                house.check_amount(wager, amount)
        except BadInput as error:
            refuse(str(error))
            continue
        wanted.pop(wager.name, None)
        if amount:
            wanted[wager.name] = amount
        return


def by_spot(texts: list[str], spots: int) -> tuple[list[str], dict[int, list[str]]]:
    """`ante=10` is for every spot, `2:ante=25` for the second one."""
    common: list[str] = []
    own: dict[int, list[str]] = {}
    for text in texts:
        head, colon, rest = text.partition(":")
        if not colon or "=" in head:
            common.append(text)
        else:
            own.setdefault(whole(f"--bet {text}: a spot", head, 1, spots), []).append(rest)
    return common, own


def together(bets: Mapping[int, Bets], spots: int) -> str:
    """`On the table: ante $10.`, and of several spots with bets of their own each by itself."""
    from pitboss.cli.faces import listed

    if spots == 1:
        return f"On the table: {listed(bets[1])}."
    if len({tuple(one.items()) for one in bets.values()}) == 1:
        return f"At each spot: {listed(bets[1])}."
    return "; ".join(f"spot {spot}: {listed(one)}" for spot, one in bets.items()) + "."
