"""What the hands of a pass come to: the worth of choices, or where the rounds end.

The last part of a round, in which nobody decides, is settled once for each case: the hidden hand below, level or above,
and of which class. Where that depends on the player's strength alone, it is done once for all hands of that strength.
"""

from collections.abc import Iterator, Sequence
from math import comb

import llvmlite.ir as ir

from pitboss.compile.kinds import I64, Value, const
from pitboss.exact.hidden.counters import LEVEL
from pitboss.exact.hidden.duel import Duel, last_part
from pitboss.exact.hidden.sweep import Sweep
from pitboss.rules.column import Column, card_in, column, node, substituted
from pitboss.rules.graph import Decide, Node, When


class Streamed(Sweep):
    """The function being written: money and ends."""

    def _prepare(self) -> None:
        plan = self.plan
        self.bundles = list(self._bundles(self.duel.graph.root))
        self.bundle_at = {n.id: i for i, n in enumerate(self.bundles)}
        self.kept = [(d, k) for d in self._stored() for k in range(len(self._node(d).kids))]
        with self.b.goto_entry_block():
            cases = len(self.bundles) * 3 * self.duel.classes
            self.priced = self.b.alloca(I64, size=max(1, cases))
            self.tallied = self.b.alloca(I64, size=max(1, cases))
            self.part_at, parts = dict[int, int](), 0
            for d in plan.tables:
                self.part_at[d], parts = parts, parts + len(plan.sights[d].board_chosen)
            self.part_row, self.part_renamed = (self.b.alloca(I64, size=max(1, parts)) for _ in range(2))
        self.reached = [self.variable(const(0)) for _ in self.bundles]

    # ---- the graph

    def _node(self, id_: int) -> Decide:
        return self.plan.sights[id_].decision

    def _stored(self) -> Sequence[int]:
        """Decisions whose choices' worth is kept for every hand."""
        if self.plan.kind == "worth":
            return self.plan.tables
        return [i for i, s in self.plan.sights.items() if s.whole] if self.plan.kind == "rows" else ()

    def _bundles(self, node: Node) -> Iterator[Node]:
        """The last parts of a round, in which nobody decides."""
        if last_part(node):
            yield node
        elif isinstance(node, When | Decide):
            for kid in node.kids:
                yield from self._bundles(kid)

    def _hand(self, i: Value, key: Value) -> None:
        b, duel = self.b, self.duel
        self.cases = self._cases(i, self._own_cards(i, "own_rising"), key)
        self.hand = self._row(i)
        if not duel.plain:
            self._level()
        weight = b.mul(self.weight, self.load("own_weight", self._row(i)))
        if self.plan.kind == "law":
            self._count(i, weight)
        else:
            self._keep(duel.graph.root, i, None, weight if self.plan.kind == "worth" else const(1))

    def _gone(self) -> None:
        if self.plan.kind == "worth":
            for d in self.plan.tables:
                self._scatter(d)

    # ---- what it comes to

    def _case_at(self, bundle: int, side: int, kind: int) -> int:
        return (bundle * 3 + side) * self.duel.classes + kind

    def _told(self, number: int) -> dict[int, Column]:
        """What is known of hidden hands of a class."""
        out: dict[int, Column] = {}
        for col in reversed(self.duel.told):
            number, i = divmod(number, col.hi - col.lo + 1)
            out[col.uid] = _known(col, col.lo + i)
        return out

    def _seen_as(self, cols: Sequence[Column], side: int, kind: int) -> list[Column]:
        """Columns as they are when the hidden hand lies on one side of the player's, and is of one class."""
        known = self._told(kind)
        for col in self.duel.comparisons:
            known[col.uid] = _known(col, _compared(col, self.duel, side))
        return substituted(cols, known)

    def _level(self) -> None:
        """Where the last part of a round ends in each case, and what that is worth."""
        b = self.b
        for i, bundle in enumerate(self.bundles):
            for side in self.sides:
                for c in self.classes:
                    cell = self._cell(bundle, side, c)
                    at = const(self._case_at(i, side, c))
                    if self.plan.kind == "law":
                        b.store(cell, b.gep(self.tallied, [at]))
                        if not self._spots:
                            continue
                    b.store(self.load("units", cell), b.gep(self.priced, [at]))
        if self.plan.kind == "law" and self.duel.plain:
            self.sums = [
                {(side, c): self.variable(const(0)) for side in self.sides for c in self.classes} for _ in self.bundles
            ]

    @property
    def _spots(self) -> bool:
        """Whether a decision is taken on the spot, by what it is worth."""
        given = {*self.plan.answers_at, *self.plan.policy_at, *self.plan.said}
        return any(s.whole and d not in given for d, s in self.plan.sights.items())

    def _cell(self, node: Node, side: int, kind: int) -> Value:
        if isinstance(node, When):
            (condition,) = self._seen_as([node.condition], side, kind)
            yes, no = (self._cell(kid, side, kind) for kid in node.kids)
            return self.b.select(self.truth(condition), yes, no)
        leaf = self.plan.cells.of_node[node.id]  # digit by digit: in their sum a told column would be dissolved
        return self.number(leaf.coded(self._seen_as([d.index for d in leaf.digits], side, kind)))

    def _worth(self, node: Node) -> Value:
        """What the rest of the round is worth, without what decisions with a table bring."""
        b = self.b
        if node.id in self.bundle_at:
            total, i = const(0), self.bundle_at[node.id]
            for (side, c), n in self.cases.items():
                price = b.load(b.gep(self.priced, [const(self._case_at(i, side, c))]))
                total = b.add(total, b.mul(n, price))
            return total
        if isinstance(node, When):
            return b.select(self.truth(node.condition), *(self._worth(kid) for kid in node.kids))
        assert isinstance(node, Decide)
        if not self.plan.sights[node.id].whole:
            return const(0)
        values = [self._worth(kid) for kid in node.kids]
        choice, out = self._choice(node, values), values[-1]
        for k, value in enumerate(values[:-1]):
            out = b.select(b.icmp_unsigned("==", choice, const(k)), value, out)
        return out

    def _choice(self, node: Decide, values: Sequence[Value]) -> Value:
        """The choice at a decision that sees everything: the first of the best, or what the strategy says."""
        b = self.b
        if node.id in self.plan.said:
            return self.number(self.plan.said[node.id])
        if node.id in self.plan.answers_at:
            index = const(0)
            for _, col in node.by:
                index = b.add(b.mul(index, const(col.hi - col.lo + 1)), b.sub(self.number(col), const(col.lo)))
            return self.load("answers", b.add(index, const(self.plan.answers_at[node.id])))
        best, choice = values[0], const(0)
        for k, value in enumerate(values[1:], 1):
            more = b.icmp_signed(">", value, best)
            best, choice = b.select(more, value, best), b.select(more, const(k), choice)
        return choice

    def _keep(self, node: Node, i: Value, live: Value | None, weight: Value) -> None:
        """Store what each choice is worth, for decisions whose worth is wanted hand by hand."""
        b = self.b
        if node.id in self.bundle_at:
            return
        if isinstance(node, When):
            yes = self.truth(node.condition)
            for kid, holds in zip(node.kids, (yes, b.not_(yes)), strict=True):
                self._keep(kid, i, holds if live is None else b.and_(live, holds), weight)
            return
        assert isinstance(node, Decide)
        wanted = node.id in {d for d, _ in self.kept}
        for k, kid in enumerate(node.kids):
            if wanted:
                value = b.mul(self._worth(kid), weight)
                value = value if live is None else b.select(live, value, const(0))
                if self.plan.kind == "rows":
                    row = b.add(b.mul(self.board, self.argument["hands"]), self._row(i))
                    place = b.add(b.mul(row, const(len(self.kept))), const(self.kept.index((node.id, k))))
                    b.store(value, b.gep(self.argument["out"], [place]))
                else:
                    place = b.add(self._kept_at(node.id, self._row(i)), const(k))
                    b.store(value, b.gep(self.argument["kept"], [place]))
            self._keep(kid, i, live, weight)

    # ---- tables

    def _board(self) -> None:
        """Per decision with a table and sight of the board: where it begins in the table, and the renaming of suits
        that leads there."""
        b = self.b
        if self.plan.kind == "worth":
            self._clear_kept()
        for d in self.plan.tables:
            sight = self.plan.sights[d]
            for n, places in enumerate(sight.board_chosen):
                number, done = const(0), 0
                for size in sight.board_sizes:
                    part = const(0)
                    for k, place in enumerate(places[done : done + size]):
                        card = self.number(card_in(self.duel.board_slots[place]))
                        part = b.add(part, self.load("choose", b.add(const(64 * (k + 1)), card)))
                    number = b.add(b.mul(number, const(comb(52, size))), part) if size else number
                    done += size
                found = b.add(number, const(self.plan.board_at[d]))
                at = const(self.part_at[d] + n)
                b.store(b.mul(self.load("ids", found), const(sight.own_count)), b.gep(self.part_row, [at]))
                renamed = b.mul(self.load("renamings", found), const(sight.own_count))
                b.store(renamed, b.gep(self.part_renamed, [at]))

    def _table_row(self, d: int, board: Value, own: Value, hand: Value) -> Value:
        """The row of a hand of the player's, by which part of the board and of the hand is seen."""
        b, sight = self.b, self.plan.sights[d]
        at = b.add(board, const(self.part_at[d]))
        which = b.mul(b.add(own, const(self.plan.seen_at[d])), self.argument["hands"])
        number = self.load("own_seen", b.add(which, hand))
        if sight.moves:
            start = b.add(b.load(b.gep(self.part_renamed, [at])), const(self.plan.moved_at[sum(sight.own_sizes)]))
            number = self.load("moved", b.add(start, number))
        return b.add(b.load(b.gep(self.part_row, [at])), number)

    def _kept_at(self, d: int, hand: Value) -> Value:
        """Where the worth of the choices that a hand has at a decision is kept: side by side."""
        b, kids = self.b, len(self._node(d).kids)
        before = b.mul(const(self.kept.index((d, 0))), self.argument["hands"])
        return b.add(before, b.mul(hand, const(kids)))

    def _clear_kept(self) -> None:
        """Hands that meet the board bring nothing."""
        b = self.b
        with self.loop(const(0), b.mul(const(len(self.kept)), self.argument["hands"])) as (i, _):
            b.store(const(0), b.gep(self.argument["kept"], [i]))

    def _scatter(self, d: int) -> None:
        """What choices are worth goes to every row of the table that the deal may have been seen as, all choices of a
        hand at once."""
        b, sight = self.b, self.plan.sights[d]
        kids = len(sight.decision.kids)
        side_by_side = ir.VectorType(I64, kids)
        each = ir.Constant(side_by_side, [len(self.plan.ways) // len(sight.chosen)] * kids)

        def choices(array: str, at: Value) -> Value:
            place = b.gep(self.argument[array], [at], inbounds=True)
            return b.bitcast(place, side_by_side.as_pointer())

        with self.loop(const(0), const(len(sight.chosen))) as (n, _):
            board, own = b.udiv(n, const(len(sight.own_chosen))), b.urem(n, const(len(sight.own_chosen)))
            with self.loop(const(0), self.argument["hands"]) as (hand, _):
                row = self._table_row(d, board, own, hand)
                target = choices("sums", b.add(b.mul(row, const(kids)), const(self.plan.table_at[d])))
                brought = b.mul(b.load(choices("kept", self._kept_at(d, hand)), align=8), each)
                b.store(b.add(b.load(target, align=8), brought), target, align=8)

    # ---- where rounds end

    def _count(self, i: Value, weight: Value) -> None:
        """How many of the ways to see this deal come to each last part, and so the rounds that end in each case."""
        b = self.b
        for place in self.reached:
            b.store(const(0), place)
        self.spots = {
            d: self._choice(s.decision, [self._worth(kid) for kid in s.decision.kids])
            for d, s in self.plan.sights.items()
            if s.whole
        }
        self._reach(self.duel.graph.root, None, self._row(i))
        for k, place in enumerate(self.reached):
            times = b.mul(b.load(place), weight)
            for (side, c), n in self.cases.items():
                if self.duel.plain:
                    total = self.sums[k][side, c]
                    b.store(b.add(b.load(total), b.mul(times, n)), total)
                else:
                    at = const(self._case_at(k, side, c))
                    self.add_to("out", b.load(b.gep(self.tallied, [at])), b.mul(times, n))

    def _levelled(self) -> None:
        if self.plan.kind != "law":
            return
        for k, sums in enumerate(self.sums):
            for (side, c), total in sums.items():
                at = const(self._case_at(k, side, c))
                self.add_to("out", self.b.load(self.b.gep(self.tallied, [at])), self.b.load(total))

    def _reach(self, node: Node, way: Value | None, hand: Value) -> None:
        b = self.b
        if node.id in self.bundle_at:
            place = self.reached[self.bundle_at[node.id]]
            b.store(b.add(b.load(place), const(len(self.plan.ways) if way is None else 1)), place)
        elif isinstance(node, When):
            with b.if_else(self.truth(node.condition)) as sides:
                for side, kid in zip(sides, node.kids, strict=True):
                    with side, self.scope():
                        self._reach(kid, way, hand)
        elif isinstance(node, Decide) and self.plan.sights[node.id].whole:
            self._switch(node, self.spots[node.id], way, hand)
        elif isinstance(node, Decide):
            sight = self.plan.sights[node.id]
            if way is None and len(sight.chosen) > 1:
                with self.loop(const(0), const(len(self.plan.ways))) as (each, _):
                    self._reach(node, each, hand)
                return
            picked = const(0)
            if way is not None:
                number = self.plan.tables.index(node.id)
                picked = b.load(b.gep(self._table(tuple(w[number] for w in self.plan.ways)), [const(0), way]))
            own = len(sight.own_chosen)
            row = self._table_row(node.id, b.udiv(picked, const(own)), b.urem(picked, const(own)), hand)
            choice = self.load("policy", b.add(row, const(self.plan.policy_at[node.id])))
            self._switch(node, choice, way, hand)

    def _switch(self, node: Decide, choice: Value, way: Value | None, hand: Value) -> None:
        b, after = self.b, self.block("chosen")
        sides = [self.block(f"choice_{k}") for k in range(len(node.kids))]
        switch = b.switch(choice, sides[-1])
        for k, side in enumerate(sides[:-1]):
            switch.add_case(const(k), side)
        for side, kid in zip(sides, node.kids, strict=True):
            b.position_at_end(side)
            with self.scope():
                self._reach(kid, way, hand)
            b.branch(after)
        b.position_at_end(after)


def _known(col: Column, value: int) -> Column:
    """A column whose value is known, with the range that whatever looks it up relies on."""
    return node("within", (column(value),), col.lo, col.hi)


def _compared(col: Column, duel: Duel, side: int) -> int:
    """A comparison, when the hidden hand lies on one side of the player's."""
    assert duel.feature is not None
    a, b = (side, LEVEL) if col.args[0] is duel.feature else (LEVEL, side)
    if col.op == "lt":
        return int(a < b)
    if col.op == "compare":
        return 1 + (a > b) - (a < b)
    return int((a == b) == (col.op == "eq"))
