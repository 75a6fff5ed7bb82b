"""Walking the graph of a drawing game, many rounds at a time.

One hand is followed, card by card and choice by choice. The other hands of a split are played in several ways at once:
whatever they do must not matter to the hand that is followed.
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import numpy as np

from pitboss.compile.reference import batch
from pitboss.exact.drawn_cards import at_line
from pitboss.exact.drawn_flow import Sight, splits
from pitboss.exact.drawn_rounds import (
    AFTER,
    BEFORE,
    BEGUN,
    DEALING,
    DECIDE,
    DONE,
    DRAW,
    GOAL,
    IN_TURN,
    LABEL,
    MOST_STEPS,
    OPENING,
    OWN,
    PAIR,
    PART,
    PLAY,
    STOP,
    UP,
    WAY,
    WAYS,
    Floats,
    Ints,
    Label,
    Lists,
    Rounds,
    next_slot,
    together,
)
from pitboss.exact.plan import TooLarge
from pitboss.rules.column import Column
from pitboss.rules.graph import (
    DEALER,
    PLAYER,
    Bet,
    Deal,
    Decide,
    End,
    Graph,
    Jump,
    Mark,
    Reveal,
    Settle,
    Split,
    Times,
    When,
)
from pitboss.rules.house import House


class Walker:
    """Walks rounds through the graph from place to place."""

    def __init__(self, house: House, graph: Graph, lead: str) -> None:
        self.house, self.graph, self.lead = house, graph, lead
        self.sight = Sight(house, graph, lead)
        self.kinds = self.sight.kinds
        self.codes, self.his = self.kinds.codes, self.kinds.his  # a card to stand for each class
        self.size = len(self.codes)
        self.firsts = np.searchsorted(self.kinds.group, np.arange(len(self.his)))  # of the player's, for the dealer's
        self.free = {w.name for w in house.wagers if w.free}
        self.raises = {w.name for w in house.wagers if w.during}
        self.lists = Lists(len(self.his) ** len(self.sight.first.dark))
        self.labels: list[Label] = []
        self._label_of: dict[Label, int] = {}

    def run(self, start: "Rounds | list[Rounds]", phase: int) -> list[tuple[int, Rounds]]:
        """Walk on until the next card, choice or end. Rounds of the opening halt at the first mark. Rounds that come to
        the same place go on together; those of hands that are played first go first."""
        out: list[tuple[int, Rounds]] = []
        waiting: dict[tuple[int, ...], list[Rounds]] = {}
        todo, steps = [start] if isinstance(start, Rounds) else start, 0
        while todo or waiting:
            if not todo:
                first = min(waiting)
                several = waiting.pop(first)
                todo = [several[0] if len(several) == 1 else together(several)]
            r = todo.pop()
            if len(r.tag):
                at_once: list[Rounds] = []
                self._step(r, phase, out, at_once)
                steps += 1
                for on in at_once:
                    if phase == PLAY and on.turn != OWN and len(on.tag):
                        place = (on.full, on.hands, on.node.id, on.at, on.again, on.shown, *sorted(on.base))
                        waiting.setdefault(place, []).append(on)
                    else:
                        todo.append(on)
            if steps > MOST_STEPS:
                raise TooLarge("a hand of this game can be played for ever")
        return out

    def _step(self, r: Rounds, phase: int, out: list[tuple[int, Rounds]], todo: list[Rounds]) -> None:
        node = r.node
        opening = phase == OPENING and (node.id in self.sight.opens or isinstance(node, End))
        for at in range(r.at, len(node.events)):
            event = node.events[at]
            if isinstance(event, Deal):
                if next_slot(event, r.base) is None:
                    continue
                if event.who not in (PLAYER, DEALER):
                    raise TooLarge(at_line(event, f"a card is dealt to the {event.who} while hands are drawn"))
                if phase == OPENING:
                    if opening:
                        raise TooLarge(at_line(event, "a card is dealt before the hidden card is looked at"))
                    return out.append((STOP, replace(r, at=at)))
                if phase == DEALING:
                    if event.who == PLAYER:
                        raise TooLarge(at_line(event, "the player gets a card after the dealer has drawn"))
                    return out.append((DRAW, replace(r, at=at)))
                if event.who == DEALER:
                    return out.append((STOP, replace(r, at=at)))
                return self._card(replace(r, at=at), event, out, todo)
            elif isinstance(event, Reveal) and event.who == DEALER:
                r = replace(r, shown=True)
            elif isinstance(event, Split):
                if phase != PLAY or (event.hand, event.to) != (r.full, r.hands + 1):
                    raise TooLarge(IN_TURN)
                if r.turn == OWN:
                    return out.append((PART, r))
                r = replace(r, hands=r.hands + 1, full=r.full - 1, again=False)
            elif isinstance(event, Bet):
                r = replace(r, bets=(*r.bets, (event.wager, event.times)))
            elif isinstance(event, Settle) and phase == OPENING and event.wager in self.sight.before:
                r = replace(r, bank=r.bank + self._net_of(event, r))
        r = replace(r, at=len(node.events))
        if isinstance(node, End) or (phase == OPENING and not opening):
            out.append((STOP, r))
        elif isinstance(node, Decide):
            if phase == DEALING or (r.shown and self.sight.hidden):
                raise TooLarge(at_line(node, "the player decides after the dealer has drawn or shown his cards"))
            if not node.by:
                raise TooLarge(at_line(node, "name what this decision is made by: t.decide(..., by={...})"))
            if r.turn == OWN:
                out.append((DECIDE, r))
            else:
                self._anyhow(r, node, todo)
        elif isinstance(node, When):
            if phase == PLAY and node.condition.slots & self.sight.hidden:
                if r.shown:
                    return out.append((STOP, r))
                raise TooLarge(at_line(node, "the hidden card matters while the player plays"))
            true = batch(node.condition, r.base, {}, len(r.tag)) != 0
            for kid, some in zip(node.kids, (true, ~true), strict=True):
                todo.append(replace(r.take(some), node=kid, at=0))
        elif isinstance(node, Mark | Jump):
            on = self.past_mark(node, r)
            if phase == PLAY and r.shown:
                return out.append((STOP, on))
            todo.append(on)

    def _card(self, r: Rounds, deal: Deal, out: list[tuple[int, Rounds]], todo: list[Rounds]) -> None:
        """A card for the player: the hand that is followed halts for it, another gets what its way of playing has."""
        if deal.hand not in (r.full, r.full + 1) or deal.hand > r.hands:
            raise TooLarge(at_line(deal, IN_TURN))
        on = replace(r, full=deal.hand, again=False)
        if r.turn == OWN:
            return out.append((DRAW, on) if deal.hand == r.hand else (DONE, r))
        if r.again and r.turn == BEFORE:
            return  # this pair cannot be split again
        second = deal.hand == r.full + 1
        more = r.base[GOAL] > r.hands if second else np.zeros(len(r.tag), bool)
        if second and r.plan:
            more &= np.array(r.plan)[r.base[WAY], deal.hand - 1] > r.hands
        if r.turn == BEFORE and deal.hand == r.hand:
            if not more.all():
                return out.append((BEGUN, on))
        elif r.turn == AFTER and deal.hand <= r.hand:
            raise TooLarge(IN_TURN)
        kinds, group = len(self.his), self.kinds.group
        other = np.array([round(part * (kinds - 1)) for _, part in WAYS])[r.base[WAY]]
        dealt = self.firsts[other]
        if second:
            same = other == group[r.base[PAIR]]
            dealt = np.where(more, r.base[PAIR], self.firsts[np.where(same, (other + 1) % kinds, other)])
        slot = next_slot(deal, r.base)
        assert slot is not None
        on = replace(on, base={**r.base, slot: self.codes[dealt]})
        todo += [replace(on.take(~more)), replace(on.take(more), again=True)]

    def _anyhow(self, r: Rounds, node: Decide, todo: list[Rounds]) -> None:
        """Another hand chooses: its way of playing says what."""
        parting = [i for i, kid in enumerate(node.kids) if splits(kid)]
        if r.again and parting:
            return todo.append(replace(r, node=node.kids[parting[0]], at=0))
        if r.again and r.turn == BEFORE:
            return
        others = [i for i in range(len(node.kids)) if i not in parting]
        chosen = np.array([others[min(i, len(others) - 1)] for i, _ in WAYS])[r.base[WAY]]
        for i in others:
            todo.append(replace(r.take(chosen == i), node=node.kids[i], at=0, again=False))

    def past_mark(self, node: Mark | Jump, r: Rounds) -> Rounds:
        """Behind a mark: what it has kept, as far as anything ever looks at it again."""
        base: dict[int, Ints] = {slot: r.base[slot] for slot in (UP, PAIR, WAY, GOAL) if slot in r.base}
        for slot, value in zip(node.target.slots, node.values, strict=True):
            if slot not in self.sight.live:
                continue
            base[slot] = self._kept(value, r)
        return replace(r, node=node.target.kids[0], at=0, base=base)

    def _kept(self, value: Column, r: Rounds) -> Ints:
        """What goes into a register. While hidden cards are not known, what depends on them is a list, a value for each
        of them: the number of that list, by round."""
        dark = value.slots & self.sight.hidden
        if UP not in r.base or not dark or value.op == "register":
            return batch(value, r.base, {}, len(r.tag))
        wide = self.lists.wide
        lists = {s: self.lists.every()[r.base[s]].reshape(-1) for s in dark}
        able = np.min(list(lists.values()), axis=0) >= 0
        base = {s: np.repeat(r.base[s], wide) for s in value.slots - dark}
        base |= {s: np.where(able, v, 0) for s, v in lists.items()}
        found = np.where(able, batch(value, base, {}, len(able)), -1)
        return self.lists.numbers(found.reshape(-1, wide))

    def to_come(self, r: Rounds, slots: frozenset[int]) -> "tuple[int, Mapping[int, Ints]] | None":
        """The next mark, and what these slots will be there if that is known by now: before another hand's card."""
        node = r.node
        if not isinstance(node, Mark | Jump):
            return None
        base: dict[int, Ints] = {UP: r.base[UP]}
        for slot, value in zip(node.target.slots, node.values, strict=True):
            if slot in slots:
                if not value.slots <= r.base.keys():
                    return None
                base[slot] = self._kept(value, r)
        return node.target.id, base

    def ended(self, r: Rounds) -> "tuple[int, Mapping[int, Ints]] | None":
        """How rounds have ended, if the hidden cards make no difference to it."""
        own = self._own(r)
        if not isinstance(r.node, End) or any(
            col.slots & self.sight.hidden
            for col in (
                *(s.rows.index for s in r.node.settled if s.wager in own),
                *(index for name, (_, index) in r.node.staked.items() if name in own),
            )
        ):
            return None
        return self.graph.root.id, {UP: r.base[UP], LABEL: self.ends(r)}

    def _own(self, r: Rounds) -> frozenset[str]:
        """The wagers of the hand that is followed."""
        return self.sight.party - self.sight.before if r.hands == 1 else self.sight.own[r.hand]

    def _net_of(self, settle: Settle, r: Rounds) -> Floats:
        """What a wager that is settled before the play brings, per unit of the lead wager."""
        placed = {**r.node.standing.bets, **dict(r.bets)}  # a bonus is placed by being settled
        times = Fraction(placed.get(settle.wager, 0))
        nets = [float(self._money(settle.wager, name, times)) for name in settle.rows.names]
        return np.array(nets)[batch(settle.rows.index, r.base, {}, len(r.tag))]

    def _money(self, wager: str, row: str, times: Times) -> Fraction:
        """What a row brings on so many times the lead wager, in units of that."""
        return times * self.house.net(wager, row, times * self.house.stake_on(self.lead)) if times else Fraction(0)

    def ends(self, r: Rounds) -> Ints:
        """The label of each round that has ended, for the hand that is followed."""
        end = r.node
        assert isinstance(end, End)
        code: Ints = np.zeros(len(r.tag), np.int64)
        parts: list[tuple[Settle, tuple[Times, ...]]] = []
        own = self._own(r)
        for settle in end.settled:
            if settle.wager in own:
                times: tuple[Times, ...] = (1 if settle.wager == self.lead else end.bets.get(settle.wager, 0),)
                place: Ints = np.zeros(len(r.tag), np.int64)
                if settle.wager in end.staked:
                    times, index = end.staked[settle.wager]
                    place = batch(index, r.base, {}, len(r.tag))
                parts.append((settle, times))
                code = code * len(times) + place
                code = code * len(settle.rows.names) + batch(settle.rows.index, r.base, {}, len(r.tag))
        codes, back = np.unique(code, return_inverse=True)
        return np.array([self._label(int(c), parts, r.hands > 1) for c in codes], np.int64)[back]

    def _label(self, code: int, parts: list[tuple[Settle, tuple[Times, ...]]], part: bool) -> int:
        net, staked, name, raised = Fraction(0), Fraction(0), "", set[str]()
        for settle, times in reversed(parts):
            code, i = divmod(code, len(settle.rows.names))
            code, j = divmod(code, len(times))
            row = settle.rows.names[i]
            net += self._money(settle.wager, row, times[j])
            staked += 0 if settle.wager in self.free else times[j]
            if settle.wager == self.lead:
                name = row if settle.because in ("", row) else f"{settle.because}: {row}"
            elif settle.wager in self.raises and times[j]:
                raised.add("doubled free" if settle.wager in self.free else "doubled")
        label = Label("split" if part else f"{min(raised)}: {name}" if raised else name, net, staked)
        if label not in self._label_of:
            self._label_of[label] = len(self.labels)
            self.labels.append(label)
        return self._label_of[label]
