"""Everyone at a terminal table: what computer players bet and choose, what the player sees of it, who takes a pot."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction

from rich.text import Text

from pitboss.cards import cards_of
from pitboss.cli import faces
from pitboss.exact import Book, OpenGame, Solver, advice
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.graph import BOARD, DEALER, PLAYER, UP
from pitboss.rules.paytables import money
from pitboss.table import Round, Turn
from pitboss.table.live import counted

Bets = Mapping[str, Fraction]
Number = Fraction | float  # a whole count is a fraction; what is drawn card by card is summed in floating point
Worth = Mapping[str, Number]
Advice = Callable[[Turn, Mapping[str, int]], Worth]
"""A turn and what the seat carries -> the expectation of each choice, in units of the wagers decided on."""
TIE = 1e-12  # less than this is rounding

VERBS = re.compile(
    "bet|call|check|decline|discard|double|draw|fold|go|hit|hold|keep|let|match|pass|place|play|pull|push|raise|re-raise|"
    "ride|split|stand|stay|stop|surrender|swap|switch|take"
)
"""Words that are known to be verbs; whatever else a game calls a choice is quoted as it is."""


# ---- who sits where


def sitting(house: House, spots: int, seats: int | None) -> int:
    """How many seats are in play: at least the player's own spots, which are seats 1 to so many."""
    most = house.game.seats if seats is None else seats
    if seats is not None:
        house.check_seats(seats, 0)
    if not 1 <= spots <= most:
        why = f"{house.game.title} has {most} seats" if seats is None else f"--seats is {seats}"
        raise BadInput(f"--spots {spots}: play {f'1 to {most} spots' if most > 1 else '1 spot'}, for {why}")
    return spots if seats is None else seats


# ---- what computer players do


def least_bets(house: House) -> dict[str, Fraction]:
    """The least that the house takes on its main wagers; of wagers that are either-or the first that will do."""
    either = {name for names in house.one_of for name in names}
    required = {wager.name for wager in house.wagers if wager.required}
    needs = {wager.name: wager.needs for wager in house.wagers}
    wanted = [name for name in house.main if name in required or name not in either]
    for names in house.one_of:
        if not any(name in wanted for name in names):
            free = (name for name in names if needs[name] is None or needs[name] in wanted)
            wanted.append(next(free, names[0]))
    bets = {name: house.least_bet(name) for name in house.parties if name in wanted}
    house.check_bets(bets)
    return bets


def company(house: House, seats: int, spots: int = 1) -> str:
    """Who else sits here and what they bet."""
    bets = faces.listed(least_bets(house))
    if seats == spots + 1:
        return f"A computer player sits at seat {seats} and bets {bets}."
    return f"Computer players sit at seats {spots + 1} to {seats}; each bets {bets}."


def told(seat: int, choice: str) -> str:
    """`seat 3 bets`, `seat 3 goes to war`, `seat 3: 2x`."""
    verb, space, rest = choice.partition(" ")
    return f"seat {seat} {_does(verb)}{space}{rest}" if VERBS.fullmatch(verb) else f"seat {seat}: {choice}"


def got(round_: Round, turn: Turn, since: int) -> Text:
    """`: 9♠`, the cards that a choice brought to the hand, as far as they lie face up."""
    dealt = [e for e in round_.events[since:] if e["event"] == "deal" and e.get("seat") == turn.seat]
    cards = [card for e in dealt if e["face"] == UP and e.get("hand", 1) == turn.hand for card in e["cards"]]
    return Text(": ") + faces.small(cards) if cards else Text()


def _does(verb: str) -> str:
    return f"{verb}es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else f"{verb}s"


# ---- what a choice is worth


def by_count(solver: Solver) -> Advice:
    """For a game that is counted as a whole."""

    def worth(turn: Turn, carried: Mapping[str, int]) -> Worth:
        return advice(solver, turn.made, turn.slots, {name: carried.get(name, 0) for name in solver.graph.carried})

    return worth


def by_drawing(game: OpenGame) -> Advice:
    """For a game in which hands are drawn card by card: a choice before the play is worth what its wager brings."""
    drawing = game.drawing

    def worth(turn: Turn, carried: Mapping[str, int]) -> Worth:
        up = cards_of(turn.dealer)[0]
        before = drawing.advice_before(up, turn.decision, turn.choices)
        return before or drawing.advice(cards_of(turn.hands[turn.hand - 1]), up, turn.choices)

    return worth


def best(worth: Worth) -> list[str]:
    """The best choices: several where they are equally good."""
    top = max(worth.values())
    return [choice for choice, value in worth.items() if top - value <= TIE]


def best_choice(worth: Worth | None, turn: Turn) -> str:
    """The first of the best choices, or the first of all where nobody can say."""
    return turn.choices[0] if worth is None else best(worth)[0]


# ---- what the player sees


def layout(
    book: Book,
    shoe: str,
    bets: Sequence[Bets],
    carried: Mapping[int, Mapping[str, int]],
    round_: Round | None = None,
    spots: int = 1,
) -> faces.Layout:
    """The table between two rounds, or in one. Wagers between the players lie in the middle.

    Of several spots the one whose turn it is lies before the player; when it is nobody's of his, all side by side.
    """
    pots = {
        name: sum((bet.get(name, Fraction(0)) for bet in bets), Fraction(0))
        for name in book.house.parties
        if name in book.shared and any(name in bet for bet in bets)
    }
    if round_ is None:
        name = "you" if spots == 1 else f"your {spots} spots, on each:"
        return faces.Layout(book.house, shoe, bets[0], carried=carried.get(1, {}), pots=pots, name=name)
    stands, turn = standings(round_, spots), round_.turn
    front = 1 if spots == 1 else turn.seat if turn is not None and turn.seat <= spots else 0  # 0: all of them
    before = [front] if front else list(range(1, spots + 1))
    together = f"your {spots} spots"
    if turn is None:
        together += f" · {faces.signed(sum((round_.net(seat) for seat in before), Fraction(0)))}"
    return faces.Layout(
        book.house,
        shoe,
        _in_all(stakes(round_, seat) for seat in before),
        _dealer(round_),
        faces.lying(round_.events, BOARD),
        hands(round_, front, spots) if front else [],
        _in_all(_nets(round_, seat) for seat in before),
        carried.get(front, {}),
        faces.deals_to(round_.events, BOARD),
        pots,
        _others(round_, stands, spots, before),
        stands.get(front, ""),
        faces.player(front, spots) if front else together,
        [] if front else [_place(round_, seat, stands, spots, carried.get(seat, {})) for seat in before],
    )


def _in_all(amounts: Iterable[Bets]) -> dict[str, Fraction]:
    out: dict[str, Fraction] = {}
    for found in amounts:
        for name, amount in found.items():
            out[name] = out.get(name, Fraction(0)) + amount
    return out


def _nets(round_: Round, seat: int) -> dict[str, Fraction]:
    return {event["wager"]: Fraction(event["net"]) for event in round_.settled(seat)}


def _dealer(round_: Round) -> faces.Held:
    cards = faces.lying(round_.events, DEALER)
    seen = [card for card in cards if card is not None]
    count = counted(round_.house, cards_of(seen)) if len(seen) == len(cards) else {}
    return faces.Held(cards, faces.counts(count))


def hands(round_: Round, seat: int = 1, spots: int = 1) -> list[faces.Held]:
    """A player's hands, each with what it counts and the wager on it."""
    turn = round_.turn
    found = faces.hands_lying(round_.events, PLAYER, seat, turn is None or seat <= spots)
    counts, bets = round_.counts(seat), _bets_on_hands(round_, seat)
    out = []
    for number, cards in enumerate(found, 1):
        count = faces.counts(counts.get(number, {})) if None not in cards else ""
        playing = turn is not None and (turn.seat, turn.hand) == (seat, number)
        out.append(faces.Held(cards, count, bets.get(number, ""), playing))
    return out


def _bets_on_hands(round_: Round, seat: int) -> dict[int, str]:
    """The wager on each hand after a split: the one placed with it, and on the first hand the one it goes with."""
    out: dict[int, str] = {}
    to = None
    for event in round_.events:
        if event.get("seat") == seat and event["event"] == "split":
            to = event["to"]
        elif event.get("seat") == seat and event["event"] == "bet" and to is not None:
            out.setdefault(to, event["wager"])
            out.setdefault(1, round_.house.lead(event["wager"]))
            to = None
    return out


def stakes(round_: Round, seat: int = 1) -> dict[str, Fraction]:
    """What the player has in every circle that has chips, in the order of the layout."""
    found = dict(round_.seats[seat - 1].bets)
    for event in round_.events:
        if event["event"] == "bet" and event["seat"] == seat:
            found[event["wager"]] = found.get(event["wager"], Fraction(0)) + Fraction(event["amount"])
    return {wager.name: found[wager.name] for wager in round_.house.wagers if wager.name in found}


def unsettled(round_: Round, seat: int) -> dict[str, Fraction]:
    """What the seat still has at stake."""
    settled = _nets(round_, seat)
    return {name: stake for name, stake in stakes(round_, seat).items() if name not in settled}


def _place(
    round_: Round, seat: int, stands: Mapping[int, str], spots: int, carried: Mapping[str, int] | None = None
) -> faces.Place:
    """A seat as it is seen from the player's; what it brought is known when the round is over, or it is."""
    over = round_.turn is None or (seat <= spots and not unsettled(round_, seat))
    name = f"spot {seat}" if carried is not None else faces.player(seat, spots)
    return faces.Place(
        name,
        hands(round_, seat, spots),
        stands.get(seat, "") if round_.turn is None else "",
        round_.net(seat) if over else None,
        stakes(round_, seat),
        _nets(round_, seat),
        carried or {},
        seat <= spots,
    )


def _others(round_: Round, stands: Mapping[int, str], spots: int, before: Sequence[int]) -> list[faces.Place]:
    """The other hands as far as they can be seen, in the order in which the dealer settles; the player's own last."""
    step = -1 if round_.house.game.settles_from_right else 1
    computers = range(spots + 1, len(round_.seats) + 1)
    own = [seat for seat in range(1, spots + 1) if seat not in before]
    places = [_place(round_, seat, stands, spots) for seat in [*computers[::step], *own[::step]]]
    return [p for p in places if round_.turn is None or any(any(held.cards) for held in p.hands)]


# ---- wagers between the players


def pots_in(round_: Round) -> dict[str, list[int]]:
    """Who has taken what lies between the players: wager -> seats, in settlement order."""
    return {e["wager"]: list(e["winners"]) for e in round_.events if e["event"] == "pot"}


def standings(round_: Round, spots: int = 1) -> dict[int, str]:
    """How each hand stood when it was compared, and what became of it: `high hand, takes the pot`."""
    pots = pots_in(round_)
    out: dict[int, str] = {}
    for event in round_.events:
        if event["event"] == "stand":
            seat, wager = event["seat"], event["wager"]
            winners = pots.get(wager, [])
            verb = f"{'share' if len(winners) > 1 else 'take'}{'' if faces.player(seat, spots) == 'you' else 's'}"
            words = event["standing"]
            if seat in winners:
                words += f", {verb} the {wager}"
            elif winners and words != "beaten":
                words += " so far"
            out[seat] = f"{out[seat]}; {words}" if seat in out else words
    return out


def stories(round_: Round, spots: int = 1) -> list[str]:
    """`Seat 4 takes the pot of $30.`, `Seat 6 and you share the pot of $25: $13 and $12.`"""
    out = []
    for wager, winners in pots_in(round_).items():
        won = {seat: next(e for e in round_.settled(seat) if e["wager"] == wager) for seat in winners}
        got = [f"${money(Fraction(event['pays']))}" for event in won.values()]
        pot = sum((Fraction(event["pays"]) for event in won.values()), Fraction(0))
        verb = "share" if len(winners) > 1 else "take" if faces.named(winners, spots) == "you" else "takes"
        parts = f": {faces.enumerated(got)}" if len(winners) > 1 else ""
        line = f"{faces.named(winners, spots)} {verb} the {wager} of ${money(pot)}{parts}."
        out.append(line[0].upper() + line[1:])
    return out
