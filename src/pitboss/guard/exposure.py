"""What a glimpse is worth: a card of the dealer's or the board's that shows, or a neighbour's hand."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from pitboss.exact import Study
from pitboss.guard.plan import Watch
from pitboss.guard.records import Exposure
from pitboss.rules.errors import BadInput
from pitboss.rules.graph import BOARD, DOWN, PLAYER, Deal, Graph
from pitboss.rules.house import House
from pitboss.rules.rewrite import after_cards, face_up
from pitboss.rules.work import COUNT_SECONDS, Work, time_words

NUMBERS = ("", "first", "second", "third", "fourth", "fifth")


@dataclass(frozen=True)
class Hidden:
    """Cards that are dealt face down to the dealer or the board, together."""

    who: str
    number: int  # which such deal of the round, counted from 1
    slots: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Glimpse:
    """A card that shows, and the study of the game with it; or why it is not counted."""

    what: str
    study: Study
    work: Work
    why_not: str = ""


def exposures(house: House, wager: str, patient: bool = False, watch: Watch | None = None) -> tuple[Exposure, ...]:
    """Every face-down card of the dealer and the board that lies there at the first decision, and a neighbour's hand.
    Nothing where the wager cannot be changed after the cards are out."""
    study = Study(house)
    if study.drawn and wager in study.decided:
        return (_drawn(study),)
    found, out = glimpsed(house, wager, patient), []
    counted = [g for g in found if not g.why_not]
    for glimpse in found:
        if watch is not None and glimpse in counted:
            watch(f"{wager}: {glimpse.what} in sight", counted.index(glimpse), len(counted))
        out.append(_counted(glimpse, wager))
    return tuple(out)


@lru_cache(maxsize=32)
def glimpsed(house: House, wager: str, patient: bool) -> tuple[Glimpse, ...]:
    """Every such glimpse. Unasked, those are counted that come to a minute together, the quickest first."""
    study = Study(house)
    if wager not in study.decided or study.drawn:
        return ()
    wagers = [w.name for w in house.parties[wager]]
    found = [
        _planned(what, Study(house, patient=patient, graph=g), wager) for what, g in _glimpses(study.graph, wagers)
    ]
    left, late = COUNT_SECONDS, set[int]()
    for i in sorted(range(len(found)), key=lambda i: found[i].work.seconds):
        left -= found[i].work.seconds
        if left < 0 and not patient and not found[i].why_not:
            late.add(i)
    return tuple(replace(g, why_not=_late(g.work)) if i in late else g for i, g in enumerate(found))


def _planned(what: str, study: Study, wager: str) -> Glimpse:
    plan = study.plan_for([wager])
    why = plan.refused.get(wager)
    return Glimpse(what, study, plan.work, f"too many deals: {why}" if why else "")


def _late(work: Work) -> str:
    return (
        f"it would take about {time_words(work.seconds)} more, and all that is counted takes "
        f"{time_words(COUNT_SECONDS)} unasked; `patient=True` counts it"
    )


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


def _counted(glimpse: Glimpse, wager: str) -> Exposure:
    if glimpse.why_not:
        return Exposure(glimpse.what, None, None, glimpse.why_not)
    found = glimpse.study.wager(wager)
    return Exposure(glimpse.what, found.house_edge, found.ways)
