"""In which order what a viewer sees came onto the table: the dealer is watched as he acts.

Every card and every stack of a scene has a key (`pitboss.web.face.stage`). A beat names the keys of what one event
brought or changed: the cards that it dealt or turned, the chips that it laid, took or paid. What a beat names is in the
scene of whoever is told, or was in the one before; it says no more than when it came.
"""

from collections.abc import Collection, Iterable

from pitboss.live.events import Event
from pitboss.live.live import Round
from pitboss.live.view import BACK, dealt_open, lying, seen_by
from pitboss.rules.graph import PLAYER
from pitboss.rules.numbers import written

Keys = tuple[str, ...]


def as_dealt(events: Iterable[Event], own: Collection[int]) -> list[Event]:
    """Cards are told as they lay when they were dealt: what is turned later has its own event."""
    return [
        event if event["event"] != "deal" or dealt_open(event, own)
        else {**event, "cards": [BACK] * len(event["cards"])}
        for event in events
    ]  # fmt: skip


def keys_since(round_: Round, own: Collection[int], heard: int) -> list[Keys]:
    """For every event after so many: the keys of what it put on the table of the player at these seats. A key that
    comes twice is a card that was dealt face down, and turned."""
    events, places = round_.events, round_.record.places
    key = round_.record.once("keys", lambda: _keys(round_))
    pots = {event["wager"] for event in events if event["event"] == "pot"}
    seen, out = set[int](), list[list[str]]()
    for event, lay in zip(events[:heard], places, strict=False):
        if event["event"] == "reveal" or (event["event"] == "deal" and dealt_open(event, own)):
            seen.update(lay)
    for event, lay in zip(events[heard:], places[heard:], strict=True):
        kind = event["event"]
        if kind == "split":
            named = [key[lying(round_, PLAYER, event["seat"])[event["to"]][0]]]
        elif kind == "deal":
            named = [key[place] for place in lay]
            seen.update(lay if dealt_open(event, own) else ())
        elif kind == "reveal":
            named = [key[place] for place in lay if place not in seen]
            seen.update(lay)
        else:
            named = _chips(event, pots)
        out.append(named)
    if round_.over and out:
        _end(round_, out, [key[place] for place in sorted(seen_by(round_, tuple(own)) - seen)], heard)
    return [tuple(named) for named in out]


def _chips(event: Event, pots: Collection[str]) -> list[str]:
    """What an event does to chips; a pot goes to the winners when it is won, and is settled with nothing more."""
    kind, seat = event["event"], event.get("seat", 0)
    if kind == "say":
        return [f"s{seat}-{wager}" for wager in event.get("takes", ())]
    if kind not in ("bet", "free", "settle", "toke", "pot"):
        return []
    stack = f"s{seat}-{event['wager']}"
    if kind == "pot":
        return [f"pot-{event['wager']}", *(f"s{winner}-{event['wager']}-paid" for winner in event["winners"])]
    if kind == "settle":
        paid = written(event["net"]) > 0 and event["wager"] not in pots
        return [stack, *([f"{stack}-paid"] if paid else []), f"{stack}-tag"]
    return [stack if kind == "bet" else f"{stack}-{kind}"]


def _end(round_: Round, out: list[list[str]], shown: Collection[str], heard: int) -> None:
    """What the end of a round brings without an event of its own: hands that are shown are turned when they are
    settled, and what a seat has won or lost is told with the last of its bets. `out` begins after what was `heard`."""
    events = round_.events
    asked = [at for at, event in enumerate(events) if event["event"] in ("deal", "choose")]
    late, end = max(asked[-1] if asked else 0, heard - 1), len(events) - 1
    settled: dict[int, list[int]] = {seat: [] for seat in round_.playing}
    for at, event in enumerate(events):
        if event["event"] in ("stand", "settle", "toke"):
            settled[event["seat"]].append(at)
    for seat, bets in settled.items():
        hand = [key for key in shown if key.startswith(f"s{seat}-")]
        first = next((at for at in bets if at > late), end)
        last = bets[-1] if bets and bets[-1] > late else end
        out[first - heard][:0] = hand
        out[last - heard].append(f"s{seat}-net")


def _keys(round_: Round) -> dict[int, str]:
    """Where in the shoe a card lay -> its key on the page."""
    out: dict[int, str] = {}
    for seat in round_.playing:
        for number, places in enumerate(lying(round_, PLAYER, seat).values()):
            out |= {place: f"s{seat}-h{number}-{i}" for i, place in enumerate(places)}
    for name in {event["to"] for event in round_.events if event["event"] == "deal"} - {PLAYER}:
        found = [place for hand in lying(round_, name).values() for place in hand]
        out |= {place: f"{name}-{i}" for i, place in enumerate(found)}
    return out
