"""A round of the whole table, enumerated: given the cards that all seats share, each draws its own from what is left.

Cards that bring a seat the same are one class, and so are shared cards that leave the same classes; so a table of many
seats is a count of how many of them draw from each class. Seats in the same carried state are interchangeable: the
state of the table is how many seats are in each.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import comb, gcd, lcm, perm, prod

import numpy as np
from numpy.typing import NDArray

from pitboss.compile import Keys, reference_cells
from pitboss.earn.lattice import Chain
from pitboss.earn.seat import Part, set_aside
from pitboss.exact import Solver
from pitboss.exact.chain import stationary
from pitboss.ledger.book import Book
from pitboss.rules.graph import PLAYER, Graph

Ints = NDArray[np.int64]
Pattern = tuple[Fraction, list[int]]  # how likely, and the places of the bets that are made
Units = dict[int, int]  # the house's win -> weight
Kinds = tuple[int, ...]  # what a card brings a seat, by the state that the seat is in
Count = tuple[int, ...]  # seats in each state
MOST_DEALT = 3  # cards of a deal that is enumerated, one of them the player's
MOST_STATES = 8  # of a table


def short_deal(graph: Graph) -> tuple[str, ...]:
    """Whose the cards are, in dealing order, where they are few and the player gets one at most; else nothing. Such a
    game is always counted deal by deal."""
    if graph.open_ended:
        return ()
    orders = [tuple(g.who for g in end.groups for _ in g.slots) for end in graph.ends()]
    longest = max(orders, key=len)
    small = len(longest) <= MOST_DEALT and longest.count(PLAYER) <= 1
    return longest if small and all(longest[: len(o)] == o for o in orders) else ()


def priced(book: Book, bets: Mapping[str, Fraction]) -> tuple[Fraction, dict[str, Ints]]:
    """What the house wins on each bet by cell, in units of one size, with what goes into meters set aside."""
    worth = {w: book.worth(w, bet) for w, bet in bets.items()}
    aside = {w: set_aside(book.house, w) for w in bets}
    below = lcm(*(common * bets[w].denominator * aside[w].denominator for w, (_, common) in worth.items()))
    fine = {w: -nets * int(bets[w] * below / common) - int(aside[w] * below) for w, (nets, common) in worth.items()}
    unit = gcd(*(int(n) for won in fine.values() for n in np.unique(won))) or 1
    return Fraction(unit, below), {w: (won // unit).astype(np.int64) for w, won in fine.items()}


def seen_cells(book: Solver, order: Sequence[str]) -> Iterator[Ints]:
    """For every carried state of a seat: the cell of each deal, shared cards down and the player's across."""
    keys = Keys(book.graph)
    table = book.strategy_array(keys)
    codes = book.graph.codes
    deals = np.stack([axis.ravel() for axis in np.meshgrid(*[np.arange(codes)] * len(order), indexing="ij")], 1)
    for state in book.induction.states:
        carried = {n: np.full(len(deals), v) for n, v in zip(book.graph.carried, state, strict=True)}
        cells = reference_cells(
            book.cells, deals, lambda node, base, kept: table[keys.index(node, base, kept)].astype(np.int64), carried
        )
        if PLAYER in order:
            yield np.moveaxis(cells.reshape([codes] * len(order)), order.index(PLAYER), -1).reshape(-1, codes)
        else:
            yield cells.reshape(-1, 1)


def shared_cards(shoe: Sequence[int], many: int) -> Iterator[tuple[int, int, list[int]]]:
    """Every order of so many cards that the shoe can deal: its number, in how many ways, what is left."""
    for number, cards in enumerate(product(range(len(shoe)), repeat=many)):
        left, ways = list(shoe), 1
        for card in cards:
            ways *= left[card]
            left[card] -= 1
        if ways > 0:
            yield number, ways, left


def enumerated(
    book: Solver, order: Sequence[str], bets: Mapping[str, Fraction], banked: Sequence[str],
    patterns: Sequence[Pattern], seats: int,
) -> Chain | None:  # fmt: skip
    """The table's result, round after round; None where its seats can be in too many states."""
    unit, prices = priced(book, {w: bets[w] for w in banked})
    brings = np.stack([prices.get(w, np.zeros(book.cells.size, np.int64)) for w in bets], 1)
    cells = list(seen_cells(book, order))
    if all((brings[cells[0]] == brings[other]).all() for other in cells):
        cells = cells[:1]  # what a seat has carried over decides nothing
    if comb(seats + len(cells) - 1, seats) > MOST_STATES:
        return None
    kind_of, kinds = _kinds(book, cells, brings)
    scale = lcm(*(weight.denominator for weight, _ in patterns))
    laws = [(_law(wins, patterns, scale), after) for wins, after in kinds]
    own = PLAYER in order
    left_over = sum(book.house.composition) - len(order) + own
    rooms: Counter[frozenset[tuple[Kinds, int]]] = Counter()
    for number, ways, left in shared_cards(book.house.composition, len(order) - own):
        classes: Counter[Kinds] = Counter()
        for card, count in enumerate(left) if own else [(0, seats)]:
            if count:
                classes[tuple(kind_of[int(c[number, card])] for c in cells)] += count
        rooms[frozenset(classes.items())] += ways
    tables = [c for c in product(range(seats + 1), repeat=len(cells)) if sum(c) == seats]
    total = sum(rooms.values()) * scale**seats * (perm(left_over, seats) if own else 1)
    weighed: dict[tuple[int, int], Units] = {}
    tables.reverse()  # all seats in the first state come first
    for classes_of, ways in rooms.items():
        for (before, after), units in _rounds(classes_of, tables, laws, own):
            into = weighed.setdefault((before, after), {})
            for won, weight in units.items():
                into[won] = into.get(won, 0) + ways * weight
    moves = {move: {won * unit: Fraction(n, total) for won, n in units.items()} for move, units in weighed.items()}
    steps = [[sum(moves.get((i, j), {}).values(), Fraction(0)) for j in range(len(tables))] for i in range(len(tables))]
    return Chain(tuple(stationary(steps)), moves).settled()


def _kinds(book: Solver, cells: Sequence[Ints], brings: Ints) -> tuple[dict[int, int], list[tuple[Kinds, int]]]:
    """What each cell that is reached brings the house, bet by bet, and the state that it leaves the seat in."""
    places = {state: i for i, state in enumerate(book.induction.states)}
    kind_of, kinds = dict[int, int](), list[tuple[Kinds, int]]()
    for cell in np.unique(np.concatenate([c.ravel() for c in cells])).tolist():
        after = 0
        if len(cells) > 1:
            rows = book.cells.leaf(cell).decode(cell)
            after = places[tuple(int(rows[f"carried {name}"]) for name in book.graph.carried)]
        kind = (tuple(brings[cell].tolist()), after)
        if kind not in kinds:
            kinds.append(kind)
        kind_of[cell] = kinds.index(kind)
    return kind_of, kinds


def _law(wins: Sequence[int], patterns: Sequence[Pattern], scale: int) -> Units:
    out: Units = {}
    for weight, taken in patterns:
        won = sum(wins[i] for i in taken)
        out[won] = out.get(won, 0) + int(weight * scale)
    return out


def _sum(a: Units, b: Units) -> Units:
    out: Units = {}
    for (x, v), (y, w) in product(a.items(), b.items()):
        out[x + y] = out.get(x + y, 0) + v * w
    return out


def _rounds(
    room: frozenset[tuple[Kinds, int]], tables: Sequence[Count], laws: Sequence[tuple[Units, int]], own: bool
) -> Iterator[tuple[tuple[int, int], Units]]:
    """In how many ways the seats can draw their cards, from every state of the table to every other. Classes that bring
    a seat the same in every state are drawn once for all of them."""
    seats = sum(tables[0])
    none = (0,) * len(tables[0])
    plain = [(kinds[:1], count) for kinds, count in room if len(set(kinds)) == 1]
    rest: dict[int, list[tuple[Count, Units]]] = {}  # by the number of seats that draw from these
    for (left, after), units in _drawn(plain, (seats,), none, laws, own).items():
        ways = comb(seats, left[0])
        rest.setdefault(seats - left[0], []).append((after, {won: n // ways for won, n in units.items()}))
    special = [(kinds, count) for kinds, count in room if len(set(kinds)) > 1]
    for before, table in enumerate(tables):
        for (left, after), units in _drawn(special, table, none, laws, own).items():
            for further, more in rest.get(sum(left), []):
                now = tuple(a + b for a, b in zip(after, further, strict=True))
                yield (before, tables.index(now)), _sum(units, more)


def _drawn(
    classes: Sequence[tuple[Kinds, int]], seats: Count, start: Count, laws: Sequence[tuple[Units, int]], own: bool
) -> dict[tuple[Count, Count], Units]:
    """Ways to draw from these classes: by the seats that are left, by state, and the states of the others after it."""
    none = (0,) * len(seats)
    found: dict[tuple[Count, Count], Units] = {(seats, start): {0: 1}}
    for kinds, count in classes:
        powers: dict[Count, Units] = {none: {0: 1}}
        further: dict[tuple[Count, Count], Units] = {}
        for (left, after), units in found.items():
            for take in product(*(range(n + 1) for n in left)):
                many = sum(take)
                if many > count:
                    continue
                if take not in powers:
                    state = next(i for i, n in enumerate(take) if n)
                    fewer = (*take[:state], take[state] - 1, *take[state + 1 :])
                    powers[take] = _sum(powers[fewer], laws[kinds[state]][0])
                ways = prod(comb(n, k) for n, k in zip(left, take, strict=True)) * (perm(count, many) if own else 1)
                now = list(after)
                for state, n in enumerate(take):
                    now[laws[kinds[state]][1]] += n
                rest = tuple(n - k for n, k in zip(left, take, strict=True))
                into = further.setdefault((rest, tuple(now)), {})
                for won, weight in _sum(units, powers[take]).items() if many else units.items():
                    into[won] = into.get(won, 0) + weight * ways
        found = further
    return found


def all_as_one(part: Part, patterns: Sequence[Pattern], seats: int) -> Chain:
    """Seats that win and lose alike on every bet: given the cards, each has only chosen which bets to make."""
    moves: dict[tuple[int, int], dict[Fraction, Fraction]] = {}
    for move, cases in part.cases.items():
        chances = moves.setdefault(move, {})
        for chance, wins in cases:
            table = {Fraction(0): chance}
            for _ in range(seats):
                more: dict[Fraction, Fraction] = {}
                for (total, p), (weight, taken) in product(table.items(), patterns):
                    won = total + sum((wins[i] for i in taken), Fraction(0))
                    more[won] = more.get(won, Fraction(0)) + p * weight
                table = more
            for won, p in table.items():
                chances[won] = chances.get(won, Fraction(0)) + p
    return Chain(part.share, moves).settled()
