"""Floors of hands by name, for pay tables and qualifiers: what `by_floor` takes, and a strength is compared with."""

from pitboss.cards import RANKS
from pitboss.hands.categories import FIVE_OF_A_KIND, RANKINGS
from pitboss.hands.floors import flush_floor, high_floor, pair_floor, ranks_named, rows_of
from pitboss.rules.errors import choice_of, said, site
from pitboss.rules.fields import a_whole


def pair_of(rank: int, cards: int = 5) -> int:
    """The least strength of a hand with a pair of this rank: `strength(hand) >= pair_of(JACK)`. `cards` says how many a
    hand counts, 2 to 5."""
    _ranks("pair_of(JACK)", rank)
    return pair_floor(rank, _counted(cards))


def high_cards(*ranks: int, cards: int = 5) -> int:
    """The least strength of a hand whose highest cards are these: `high_cards(ACE, KING)` is ace-king high, and
    `high_cards(QUEEN, SIX, FOUR, cards=3)` is queen-six-four."""
    _counted(cards)
    _ranks("high_cards(ACE, KING)", *ranks)
    from_the_top = sorted(ranks, reverse=True)
    if not 1 <= len(ranks) <= cards:
        raise site().error(f"high_cards() takes one to {cards} ranks for hands of {cards} cards, not {len(ranks)}")
    if len(set(ranks)) < len(ranks):
        raise site().error("high_cards() takes different ranks; for a pair write for instance pair_of(JACK)")
    found = high_floor(from_the_top, cards)
    if found is None:
        end = (
            "is a straight" if len(ranks) == cards else "leaves no lower cards that make neither a pair nor a straight"
        )
        raise site().error(
            f"{ranks_named(from_the_top)} in {cards} cards {end}, so no hand without a pair begins there"
        )
    return found


def flush_of(count: int, *ranks: int) -> int:
    """The least `flush_strength` of a hand with so many cards of one suit, of which these are the highest:
    `flush_of(3, NINE)` is a three-card flush, nine high."""
    a_whole("how many cards are of one suit", count, 1, 7)
    _ranks("flush_of(3, NINE)", *ranks)
    found = flush_floor(count, sorted(ranks, reverse=True)) if len(set(ranks)) == len(ranks) else None
    if found is None:
        raise site().error(f"no {count} cards of one suit have {ranks_named(ranks)} as their highest")
    return found


def hands_from(lowest: str, up_to: str = "", cards: int = 5) -> dict[str, int]:
    """The kinds of hands from the lowest that counts, for `by_floor` and pay tables: their names, the best first, and
    their floors. `hands_from("pair", up_to="straight flush", cards=3)` leaves the royal to the straight flushes, and
    `up_to="five of a kind"` is for decks with a joker."""
    rows = rows_of(_counted(cards))
    if up_to == "five of a kind" and cards == 5:
        rows = {up_to: FIVE_OF_A_KIND, **rows}
    for name in (lowest, up_to or lowest):
        if name not in rows:
            raise site().error(f"hands_from() takes kinds of hands: {choice_of(said(name), list(rows))}")
    least, most = rows[lowest], rows[up_to] if up_to else max(rows.values())
    return {name: floor for name, floor in rows.items() if least <= floor <= most}


def _counted(cards: int) -> int:
    a_whole("how many cards a hand counts", cards, min(RANKINGS), max(RANKINGS))
    return cards


def _ranks(example: str, *ranks: int) -> None:
    for rank in ranks:
        if not isinstance(rank, int) or isinstance(rank, bool) or not 0 <= rank < len(RANKS):
            raise site().error(f"a rank is TWO to ACE, such as {example}, not {said(rank)}")
