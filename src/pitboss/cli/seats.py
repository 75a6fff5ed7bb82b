"""The other seats of a terminal table: what computer players bet and choose, and the story of a pot. No rule here."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from pitboss.exact import Solver, advice
from pitboss.rules.game import House
from pitboss.rules.paytables import money
from pitboss.table import Round, Turn

Pots = Mapping[str, Sequence[int]]
"""Wager between the players -> the seats that take it, in settlement order."""

VERBS = frozenset(
    "ask bet bluff bury buy call change check decline discard double draw exchange fold go hit hold keep let match pass "
    "place play pull push raise re-raise reject ride see split stand stay stop surrender swap switch take win".split()
)
"""Words that are known to be verbs; whatever else a game calls a choice is quoted as it is."""


# ---- what computer players do


def least_bets(house: House) -> dict[str, Fraction]:
    """The least that the house takes on its main wagers; of wagers that are either-or the first that will do."""
    either = {name for names in house.one_of for name in names}
    required = {wager.name for wager in house.wagers if wager.required}
    needs = {wager.name: wager.needs for wager in house.wagers}
    wanted = [name for name in house.main if name in required or name not in either]
    for names in house.one_of:
        if not any(name in wanted for name in names):
            wanted.append(next(name for name in names if needs[name] is None or needs[name] in wanted))
    bets = {name: house.least_bet(name) for name in house.parties if name in wanted}
    house.check_bets(bets)
    return bets


def best_choice(solver: Solver | None, turn: Turn, carried: Mapping[str, int]) -> str:
    """The first of the best choices, or the first of all where the game is too large to say."""
    if solver is None:
        return turn.choices[0]
    worth = worth_of(solver, turn, carried)
    return max(worth, key=worth.__getitem__)


def worth_of(solver: Solver, turn: Turn, carried: Mapping[str, int]) -> dict[str, Fraction]:
    """The expectation of each choice at a turn."""
    return advice(solver, turn.made, turn.slots, {name: carried.get(name, 0) for name in solver.graph.carried})


def told(seat: int, choice: str) -> str:
    """`seat 3 bets`, `seat 3 goes to war`, `seat 3: 2x`."""
    verb, space, rest = choice.partition(" ")
    return f"seat {seat} {_does(verb)}{space}{rest}" if verb in VERBS else f"seat {seat}: {choice}"


def _does(verb: str) -> str:
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if verb[-1] == "y" and verb[-2] not in "aeiou" else f"{verb}s"


def company(house: House, seats: int) -> str:
    """Who else sits here and what they bet."""
    bets = ", ".join(f"{name} ${money(amount)}" for name, amount in least_bets(house).items())
    where = "A computer player sits at seat 2" if seats == 2 else f"Computer players sit at seats 2 to {seats}"
    return f"{where}; {'it bets' if seats == 2 else 'each bets'} {bets}."


# ---- wagers between the players


def pots_in(round_: Round) -> dict[str, list[int]]:
    """Who has taken what lies between the players."""
    return {e["wager"]: list(e["winners"]) for e in round_.events if e["event"] == "pot"}


def standings(round_: Round) -> dict[int, str]:
    """How each hand stood when it was compared, and what became of it: `high hand, takes the pot`."""
    pots = pots_in(round_)
    out: dict[int, str] = {}
    for event in round_.events:
        if event["event"] == "stand":
            seat, wager = event["seat"], event["wager"]
            winners = pots.get(wager, [])
            verb = _verb(winners, "takes", "shares") if seat != 1 else "take" if len(winners) == 1 else "share"
            words = f"{event['standing']}, {verb} the {wager}" if seat in winners else event["standing"]
            out[seat] = f"{out[seat]}; {words}" if seat in out else words
    return out


def stories(round_: Round) -> list[str]:
    """`Seat 4 takes the pot of $30.`, `Seat 6 and you share the pot of $25: $13 and $12.`"""
    out = []
    for event in round_.events:
        if event["event"] == "pot":
            wager, winners = event["wager"], event["winners"]
            got = {e["seat"]: Fraction(e["pays"]) for s in winners for e in round_.settled(s) if e["wager"] == wager}
            verb = "share" if len(winners) > 1 else "take" if winners == [1] else "takes"
            parts = f": {_listed([f'${money(got[seat])}' for seat in winners])}" if len(winners) > 1 else ""
            line = f"{named(winners)} {verb} the {wager} of ${money(Fraction(event['amount']))}{parts}."
            out.append(line[0].upper() + line[1:])
    return out


def best_hands(winners: Sequence[int]) -> str:
    """`seat 3 has the best hand`, for those who do not."""
    return f"{named(winners)} {_verb(winners, 'has', 'have')} the best hand"


def named(seats: Sequence[int]) -> str:
    """`seat 6, seat 2 and you`."""
    return _listed([f"seat {seat}" if seat != 1 else "you" for seat in seats])


def _verb(winners: Sequence[int], one: str, several: str) -> str:
    return one if len(winners) == 1 else several


def _listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]
