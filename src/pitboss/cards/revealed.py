"""What is shown when a shoe is over, and whether it is true: the secret, the seeds, and every card that was dealt.

A record is plain JSON, so that it can be checked elsewhere. `web/static/fair.js` is the twin of this module, sentence
by sentence. What somebody has seen (`seen`) is his own to keep: a house that could choose the secret, the table or the
number of the shoe afterwards could choose the cards, and so could one that shows other cards than it records. The
record alone would show neither.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeGuard

from pitboss.cards.codes import NAMES, card_name
from pitboss.cards.fair import (
    LONGEST_SEED,
    MOST_SEEDS,
    VERSION,
    WORDS,
    BadShuffle,
    commitment,
    fair_shuffle,
    is_hash,
    is_number,
    is_table,
    seed_hash,
    shuffle_key,
)

Record = dict[str, Any]
KEPT = ("table", "shoe", "commitment")  # what the table shows before the deal, and a player can keep
NAMED = 5  # wrong cards that are named one by one, and as many that were seen and not dealt
_CODES = {name: code for code, name in enumerate(NAMES)}


def shoe_record(
    secret: str, table: str, shoe: int, seeds: Sequence[str], cards: Iterable[int],
    deals: Iterable[tuple[int | str, Iterable[int]]], voided: Collection[int | str] = (),
) -> Record:  # fmt: skip
    """The record of a shoe: its cards in new-deck order, and what left it in every round, in order, burnt cards too.
    Rounds that were `voided` are told apart; one whose number is not known is a round `"void"`."""
    return {
        "version": VERSION,
        "table": table,
        "shoe": shoe,
        "commitment": commitment(secret),
        "secret": secret,
        "seeds": list(seeds),
        "cards": [card_name(card) for card in cards],
        "deals": [
            {
                "round": number,
                "cards": [card_name(card) for card in dealt],
                **({"void": True} if number in voided else {}),
            }
            for number, dealt in deals
        ],
    }


def shoe_faults(record: object, seen: Mapping[str, Any] | None = None) -> list[str]:
    """What is wrong with a record, one sentence each; nothing if every card is where the shuffle has put it.

    `seen` is what a player has kept: table, shoe and commitment as they were shown before the deal, his seed, and as
    `rounds` the cards that he has seen on the felt, by the number of the round.
    """
    if fault := _misshapen(record):
        return [fault]
    assert isinstance(record, dict)
    seen = seen or {}
    return [
        *_unlike(record, seen), *_out_of_line(record["deals"]), *_unseen(record["deals"], seen.get("rounds", {})),
        *_misdealt(record),
    ]  # fmt: skip


def _misshapen(record: object) -> str:
    """The first field that is not what it should be."""
    if not isinstance(record, dict):
        return "record: an object is wanted"
    if record.get("version") != VERSION:
        return f"version: {VERSION} is wanted"
    if not is_table(record.get("table")):
        return "table: 1 to 64 letters, digits, dots, dashes and _ are wanted"
    if not is_number(record.get("shoe")):
        return "shoe: a whole number from 1 on is wanted"
    for name in ("commitment", "secret"):
        if not is_hash(record.get(name)):
            return f"{name}: 64 hex digits in small letters are wanted"
    seeds, cards, deals = record.get("seeds"), record.get("cards"), record.get("deals")
    if not isinstance(seeds, list) or len(seeds) > MOST_SEEDS or not all(map(_is_seed, seeds)):
        return f"seeds: a list of up to {MOST_SEEDS} texts of 1 to {LONGEST_SEED} bytes is wanted"
    if not _are_cards(cards) or not 1 <= len(cards) <= WORDS:
        return f"cards: a list of 1 to {WORDS} cards such as Ah or Tc is wanted"
    for place in range(1, len(cards)):
        if _CODES[cards[place]] < _CODES[cards[place - 1]]:
            return f"cards: new-deck order is wanted, and {cards[place]} follows {cards[place - 1]}"
    if not isinstance(deals, list) or not all(map(_is_deal, deals)):
        return "deals: a list of rounds, each with its number and its cards, is wanted"
    return ""


def _is_seed(value: object) -> bool:
    try:
        return isinstance(value, str) and bool(seed_hash(value))
    except BadShuffle:
        return False


def _are_cards(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(card, str) and card in _CODES for card in value)


def _is_deal(value: object) -> bool:
    if not isinstance(value, dict) or not _are_cards(value.get("cards")):
        return False
    return is_number(value.get("round")) or is_table(value.get("round"))


def _unlike(record: Record, seen: Mapping[str, Any]) -> Iterator[str]:
    """Where the record is not of the shoe that was committed to."""
    if (found := commitment(record["secret"])) != record["commitment"]:
        yield f"secret: its SHA-256 is {found}, and the commitment is {record['commitment']}"
    for name in KEPT:
        if name in seen and seen[name] != record[name]:
            yield f"{name}: {seen[name]} was shown before the deal, and the record has {record[name]}"
    if "seed" in seen and seen["seed"] not in record["seeds"]:
        yield f"seeds: {seen['seed']} was given before the deal, and is not among them"


def _out_of_line(deals: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Where a round is missing, or comes again. What earlier records call a round of another name is a round that was
    voided, or several."""
    if not deals:
        yield "deals: the record has no round"
    before, more = 0, True  # whether the next one may have any later number
    for deal in deals:
        number = deal["round"]
        if isinstance(number, str):
            more = True
            continue
        if number <= before or (number > before + 1 and not more):
            yield f"deals: round {before + 1} is wanted, and round {number} follows round {before}"
            return
        before, more = number, False


def _unseen(deals: Sequence[Mapping[str, Any]], rounds: Mapping[Any, Sequence[str]]) -> Iterator[str]:
    """Where a card was on the felt that the record does not have in that round. It may well have more: what lay face
    down was dealt, too."""
    wrong = []
    for number, cards in sorted((int(number), cards) for number, cards in rounds.items()):
        found = [deal["cards"] for deal in deals if deal["round"] == number]
        if not found:
            wrong.append(
                f"round {number}: {cards[0] if cards else 'it'} was seen on the felt, and the record has no such round"
            )
            continue
        dealt = Counter(card for cards in found for card in cards)
        for card, many in Counter(cards).items():
            if dealt[card] == 0:
                wrong.append(f"round {number}: {card} was seen on the felt, and was not dealt")
            elif many > dealt[card]:
                wrong.append(f"round {number}: {card} was seen {many} times on the felt, and was dealt {dealt[card]}")
    yield from wrong[:NAMED]
    if len(wrong) > NAMED:
        yield f"cards and rounds that were seen and not dealt, besides these: {len(wrong) - NAMED}"


def _misdealt(record: Record) -> Iterator[str]:
    """Where a card that was dealt is not the next one. A round for which the shoe is too short goes on with the cards
    of the rounds before it, shuffled; then the shoe is over."""
    key = shuffle_key(record["secret"], record["table"], record["shoe"], record["seeds"])
    order = fair_shuffle(record["cards"], key)
    wrong, dealt, at = list[str](), 0, 0
    for deal in record["deals"]:
        number, cards = deal["round"], deal["cards"]
        left = order[at:]
        if len(cards) > len(left):
            left += fair_shuffle(order[:at], key, turn=1)
        if len(cards) > len(left):
            yield f"round {number}: cards dealt {len(cards)}, cards left {len(left)}"
            break
        for place, (card, right) in enumerate(zip(cards, left, strict=False), 1):
            if card != right:
                wrong.append(f"round {number}, card {place}: {card} was dealt, and the shuffle gives {right}")
        dealt += len(cards)
        at = min(at + len(cards), len(order))
        if at == len(order):
            order, at = [], 0
    if len(wrong) > max(NAMED, dealt // 2):
        many = f"{len(wrong)} of {dealt} cards differ"
        yield f"seeds, secret, table or shoe: another shuffle was dealt; {many}; {wrong[0]}"
        return
    yield from wrong[:NAMED]
    if len(wrong) > NAMED:
        yield f"cards that the shuffle does not give, besides these: {len(wrong) - NAMED}"
