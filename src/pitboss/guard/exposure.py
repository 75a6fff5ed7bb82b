"""What a glimpse is worth: a card of the dealer's or the board's that shows, or a neighbour's hand."""

from collections.abc import Iterator
from dataclasses import dataclass

from pitboss.exact import Study
from pitboss.guard.records import Exposure
from pitboss.rules.errors import BadInput
from pitboss.rules.graph import BOARD, DOWN, PLAYER, Deal, Graph
from pitboss.rules.house import House
from pitboss.rules.rewrite import after_cards, face_up

NUMBERS = ("", "first", "second", "third", "fourth", "fifth")


@dataclass(frozen=True)
class Hidden:
    """Cards that are dealt face down to the dealer or the board, together."""

    who: str
    number: int  # which such deal of the round, counted from 1
    slots: tuple[int, ...]


def exposures(house: House, wager: str, patient: bool = False) -> tuple[Exposure, ...]:
    """Every face-down card of the dealer and the board that lies there at the first decision, and a neighbour's hand.
    Nothing where the wager cannot be changed after the cards are out."""
    study = Study(house)
    if study.drawn and wager in study.decided:
        return (_drawn(study),)
    return tuple(_counted(what, seen, wager) for what, seen in glimpsed(house, wager, patient))


def glimpsed(house: House, wager: str, patient: bool) -> Iterator[tuple[str, Study]]:
    """Every such glimpse that is counted, and the study of it."""
    study = Study(house)
    if wager in study.decided and not study.drawn:
        for what, graph in _glimpses(study.graph, [w.name for w in house.parties[wager]]):
            yield what, Study(house, patient=patient, graph=graph)


def _drawn(study: Study) -> Exposure:
    """The main bet on hands of any number of cards."""
    what = "the dealer's hidden card"
    try:
        return Exposure(what, study.drawing.drawing.seen_edge, None)
    except BadInput as error:
        return Exposure(what, None, None, str(error))


def _glimpses(graph: Graph, wagers: list[str]) -> Iterator[tuple[str, Graph]]:
    deals = hidden_deals(graph)
    for hidden in deals:
        alone = sum(h.who == hidden.who for h in deals) == 1
        for seen in range(1, len(hidden.slots) + 1):
            yield _words(hidden, seen, alone), face_up(graph, wagers, hidden.slots[:seen])
    own = sum(len(e.slots) for e in graph.root.events if isinstance(e, Deal) and e.who == PLAYER)
    for seen in sorted({1, own} if own else ()):
        whole = "card" if own == 1 else f"{own} cards" if seen == own else f"card of {own}"
        yield f"a neighbour's {whole}", after_cards(graph, wagers, seen)


def hidden_deals(graph: Graph) -> list[Hidden]:
    """The face-down deals to the dealer and to the board before the first decision of the round."""
    deals = [e for e in graph.root.events if isinstance(e, Deal) and e.who != PLAYER and e.face == DOWN]
    return [Hidden(e.who, 1 + sum(d.who == e.who for d in deals[:i]), e.slots) for i, e in enumerate(deals)]


def _words(hidden: Hidden, seen: int, alone: bool) -> str:
    owner = "the board's" if hidden.who == BOARD else f"the {hidden.who}'s"
    if len(hidden.slots) > 1:
        return f"{seen} of {owner} {len(hidden.slots)} cards"
    return f"{owner} hidden card" if alone else f"{owner} {NUMBERS[min(hidden.number, 5)]} card"


def _counted(what: str, study: Study, wager: str) -> Exposure:
    why = study.plan_for([wager]).refused.get(wager)
    if why is not None:
        return Exposure(what, None, None, f"too many deals: {why}")
    found = study.wager(wager)
    return Exposure(what, found.house_edge, found.ways)
