"""The table as a game file sees it: deal, reveal, bet, decide, when, settle."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pitboss.rules.checks import home
from pitboss.rules.column import Column, column, node
from pitboss.rules.dealt import Card, Hand
from pitboss.rules.errors import Site, said, site
from pitboss.rules.fields import a_place, a_text, a_whole, is_ratio, is_whole
from pitboss.rules.graph import (
    BLIND,
    BOARD,
    DEALER,
    DOWN,
    PLAYER,
    UP,
    Bet,
    Burn,
    Carry,
    Deal,
    Event,
    Group,
    Reveal,
    Say,
    Settle,
    Share,
    Split,
    Times,
)
from pitboss.rules.options import Value
from pitboss.rules.results import Rows
from pitboss.rules.wagers import Wager

if TYPE_CHECKING:
    from pitboss.rules.house import House


class Table:
    """One round in the making. Subclasses say how a condition and a choice are answered."""

    def __init__(self, house: "House") -> None:
        self.house = house
        self.events: list[Event] = []
        self.groups: list[Group] = []
        self.bets: dict[str, Times] = {}
        self.staked: dict[str, tuple[tuple[Times, ...], Column]] = {}
        self.settled: dict[str, Settle] = {}
        self.shares: dict[str, Column] = {}
        self.carries: dict[str, Column] = {}
        self.carried_states: dict[str, int] = {}
        self.carried_on: dict[str, str] = {}
        self.options_read: set[str] = set()
        self.names: dict[int, tuple[Column, str]] = {}  # by uid: a column, and what the game file calls it
        self.dealt = 0
        self.used = 0  # cards gone from the shoe, burnt ones included
        self._wagers = {w.name: w for w in house.wagers}
        for wager in house.wagers:
            if wager.along:  # it lies there before the first card
                self.bets[wager.name] = house.multiples[wager.name][0]
                self.events.append(Bet(wager.name, self.bets[wager.name], home(house)))

    # ---- what a game file may say

    def option(self, name: str) -> Value:
        """The house's choice for one of the game's options."""
        if name not in self.house.options:
            raise site().error(f"the game declares no option {name!r}; it has {', '.join(self.house.options)}")
        self.options_read.add(name)
        return self.house.options[name]

    def deal(self, who: str, count: int = 1, face: str = UP, hand: int = 1) -> Hand:
        """Cards to PLAYER, DEALER, BOARD or a place with a name, such as "banker", which all seats share. A player
        always sees his own cards, unless they are dealt BLIND. `hand` says which of his hands, once he has split."""
        where = site()
        a_place(who, (PLAYER, DEALER, BOARD))
        if face not in (UP, DOWN, BLIND):
            raise where.error(f"a card is dealt face=UP, DOWN or BLIND, not {face!r}")
        a_whole("the number of a hand", hand, 1, 255)
        self._take(count, where)
        slots = tuple(range(self.dealt, self.dealt + count))
        self.dealt += count
        deal = Deal(who, slots, face, where, hand)
        self.events.append(deal)
        self.groups.append(Group(who, slots, face == UP or (who == PLAYER and face == DOWN), hand))
        self._on_deal(deal)
        return Hand([Card(s, self.house.stock) for s in slots])

    def burn(self, count: int = 1) -> None:
        """Cards to the discard rack, unseen."""
        where = site()
        self._take(count, where)
        self.events.append(Burn(count, where))

    def reveal(self, what: "str | Hand") -> None:
        """Turn everything before DEALER, BOARD, PLAYER or at a place with a name face up, or the cards of one deal."""
        where = site()
        turned = {c.slot for c in what} if isinstance(what, Hand) else set[int]()
        found = [g for g in self.groups if turned & set(g.slots) or (not turned and g.who == what)]
        if not found:
            places = ", ".join(dict.fromkeys(g.who for g in self.groups)) or "nowhere yet"
            raise where.error(f"nothing was dealt to {said(what)} that could be revealed; cards lie at {places}")
        self.groups = [Group(g.who, g.slots, g.seen or g in found, g.hand) for g in self.groups]
        for who in dict.fromkeys(g.who for g in found):  # a hand may lie at several places
            self.events.append(Reveal(who, tuple(s for g in found if g.who == who for s in g.slots), where))

    def split(self, hand: int, to: int) -> None:
        """The second card of one of the player's hands begins a new one."""
        for number in (hand, to):
            a_whole("the number of a hand", number, 1, 255)
        self.events.append(Split(hand, to, site()))

    def bet(self, wager: str, times: Times = 1) -> None:
        """Place a wager that equals another one (or so many times it) during the round, or raise it to so many times.
        A bet of 0 times, where the wager allows it, says that the player has declined it."""
        where = site()
        found = self._wagers.get(wager)
        if found is None:
            raise where.error(f"the wager {wager!r} was never declared; the game has {', '.join(self._wagers)}")
        if not found.equal_to:
            raise where.error(f"{wager} is bet before the deal; t.bet() is for wagers declared with equal_to")
        if found.bonus:
            raise where.error(f"{wager} is a bonus on the {found.equal_to}; it is not bet, only settled")
        if found.along:
            raise where.error(
                f"{wager} is required, so it lies there before the deal, along with the {found.equal_to}; "
                "leave this line out, or required=True"
            )
        if not is_ratio(times):
            raise where.error(f"{wager} is bet a whole number of times, or a Fraction, not {said(times)}")
        if times not in found.times:
            raise where.error(
                f"{wager} may be {' or '.join(f'{n}x' for n in found.times)} the {found.equal_to}, not {times}x"
            )
        times *= self._times_of(found.equal_to, wager, where)
        if self.bets.get(wager, 0) >= times > 0 or wager in self.settled:
            raise where.error(f"{wager} has been bet already")
        self.staked.pop(wager, None)
        self.bets[wager] = times
        self.events.append(Bet(wager, times, where, found.free))

    def decide(self, *choices: str, name: str = "", by: Mapping[str, "Column | int"] | None = None) -> str:
        """The player chooses one of these, knowing what lies face up and his own cards. `by` names what a strategy
        looks at where that is less than every card, and where hands can have any number of cards."""
        where = site()
        for word in (*choices, name, *(by or ())):
            a_text("a choice, and the name of a decision,", word, line=True)
        if len(choices) < 2 or len(set(choices)) != len(choices) or not all(choices):
            raise where.error("decide() needs two or more different choices, such as t.decide('fold', 'raise')")
        looks = tuple((label, column(value)) for label, value in (by or {}).items())
        return self._on_decide(name or " or ".join(choices), choices, looks, where)

    def mark(self, name: str, *state: Any) -> Any:
        """A place to which the round may come again, as at the head of a loop. `state` is all that the rest of the
        round depends on, columns and plain values; go on with what comes back instead."""
        where = site()
        if not state:
            raise where.error(
                "mark() takes the state that the rest of the round depends on, such as t.mark('hit', total)"
            )
        kept = self._on_mark(name, state, where)
        return kept[0] if len(state) == 1 else kept

    def when(self, condition: "Column | bool", words: str = "") -> bool:
        """Whether the condition holds in this round. Public: everyone at the table sees which way it goes. `words` say
        it for the dealer's procedure, such as "the up-card is an ace"."""
        where = site()
        a_text("what a condition is in words", words, line=True)
        if isinstance(condition, bool):
            return condition
        if not isinstance(condition, Column) or condition.lo < 0 or condition.hi > 1:
            raise where.error("when() takes a condition on the cards, such as t.when(his.rank <= SIX)")
        return bool(condition.lo) if condition.lo == condition.hi else self._on_when(condition, words, where)

    def named(self, words: str, value: Column) -> Column:
        """The same column, with what it is in words, for the dealer's procedure: after `t.named("the banker's total",
        total)` it says "the banker's total is 5 or less". The words of a condition are a sentence."""
        where = site()
        a_text("what a column is in words", words, needed=True)
        if not isinstance(value, Column):
            raise where.error(
                f"named() takes words and a column, such as t.named('the total', total), not {said(value)}"
            )
        self.names.setdefault(value.uid, (value, words))
        return value

    def say(
        self, words: str, each: bool = False, when: "Column | bool" = True, takes: Sequence[str] = (),
    ) -> None:  # fmt: skip
        """What the dealer does beside dealing, turning and paying: a sentence for his procedure, and an event of a live
        round; no figure knows of it. It is done once for the table, or with `each` at every seat. `when` it is done
        is a condition on cards that all can see. `takes` names wagers that are lost by then: their chips go at once,
        and the wagers are settled later."""
        where = site()
        a_text("what the dealer does", words, needed=True)
        for name in takes:
            if name not in self._wagers:
                raise where.error(f"the wager {name!r} was never declared; the game has {', '.join(self._wagers)}")
        if not isinstance(when, bool | Column):
            raise where.error(f"say(when=...) takes a condition on the cards, not {said(when)}")
        if isinstance(when, Column) and when.slots & self._covered():
            raise where.error("this would be said of a card that not everyone can see; say it once the card is turned")
        if when is not False:
            self._on_say(Say(words, each, where, when if isinstance(when, Column) else None, tuple(takes)))

    def settle(self, because: str = "", /, **results: Rows) -> None:
        """Pay, push or take wagers: `t.settle("dealer folds", ante=WIN, raise_=PUSH)`. Order is the dealer's order."""
        where = site()
        a_text("why a wager is settled", because, line=True)
        if not results:
            raise where.error("settle() needs at least one wager, such as t.settle(ante=WIN)")
        for key, rows in results.items():
            name = key.rstrip("_").replace("_", "-")
            wager = self._wagers.get(name)
            if wager is None:
                raise where.error(
                    f"the wager {name!r} is settled but was never declared; declare it with Wager({name!r}) "
                    f"or settle one of {', '.join(self._wagers)}"
                )
            if not isinstance(rows, Rows):
                raise where.error(
                    f"{name} is settled with a result: WIN, PUSH, LOSE, row(...), compare(...) or first_match(...)"
                )
            if name in self.settled or name in self.shares:
                raise where.error(f"{name} has been settled already in this round")
            if wager.bonus and name not in self.staked:
                self._rest(wager, where)
            if wager.equal_to and name not in self.bets and name not in self.staked:
                raise where.error(f"{name} is settled but was not bet in this round; write t.bet({name!r}) first")
            table = self.house.tables[name]
            for row in rows.names:
                if not table.has(row):
                    raise where.error(
                        f"{name} is settled with the row {row!r}, which its pay table {table.name!r} lacks; "
                        f"it has {', '.join(dict.fromkeys((*table.pays, 'push', 'lose')))}"
                    )
            event = Settle(name, because, rows, where, wager.bonus)
            self.settled[name] = event
            self.events.append(event)

    def share(self, wager: str, value: Column) -> None:
        """A wager between the players: all seats' bets on it go to the highest value at the table; equal ones share."""
        where = site()
        if wager not in self._wagers:
            raise where.error(f"the wager {wager!r} was never declared; the game has {', '.join(self._wagers)}")
        if wager in self.settled or wager in self.shares:
            raise where.error(f"{wager} has been settled already in this round")
        self.shares[wager] = column(value)
        self.events.append(Share(wager, column(value), where))

    def has(self, wager: str) -> bool:
        """Whether this seat has bet on a wager before the deal. An analysis takes every wager as bet."""
        if wager not in self._wagers:
            raise site().error(f"the wager {wager!r} was never declared; the game has {', '.join(self._wagers)}")
        return self._on_has(wager)

    def carried(self, name: str, highest: int, on: str) -> Column:
        """What this seat carried over from its last round, 0 to `highest`; 0 to begin with, and after a round without
        a bet on the wager that it rests `on`. Everyone can see it."""
        where = site()
        if on not in self._wagers:
            raise where.error(
                f"{name} rests on the wager {on!r}, which was never declared; there are {', '.join(self._wagers)}"
            )
        a_text("what is carried over", name, needed=True)
        a_whole("the highest value that is carried over", highest, 1, 255)
        if self.carried_states.get(name, highest) != highest or self.carried_on.get(name, on) != on:
            raise where.error(
                f"{name} has been read as 0 to {self.carried_states[name]} on {self.carried_on[name]} already"
            )
        self.carried_states[name] = highest
        self.carried_on[name] = on
        return node("carried", (name,), 0, highest)

    def carry(self, name: str, value: "Column | int") -> None:
        """Keep a value for this seat's next round."""
        where = site()
        if name not in self.carried_states:
            raise where.error(f"read it first with t.carried({name!r}, highest, on=...)")
        col = column(value)
        if col.lo < 0 or col.hi > self.carried_states[name]:
            raise where.error(
                f"{name} is carried as 0 to {self.carried_states[name]}, and this runs from {col.lo} to {col.hi}"
            )
        self.carries[name] = col
        self.events.append(Carry(name, col, where))

    # ---- how it is answered

    def _rest(self, bonus: Wager, where: Site) -> None:
        """A bonus rests on what lies on its wager when it is paid."""
        on = bonus.equal_to or ""
        if on in self.staked:
            self.staked[bonus.name] = self.staked[on]
        elif on not in self.bets and self._wagers[on].equal_to:
            raise where.error(f"{bonus.name} is paid on the {on}, which was not bet in this round; bet it first")
        else:
            self.bets[bonus.name] = self.bets.get(on, 1)

    def _times_of(self, wager: str, of: str, where: Site) -> Times:
        """How many times the wager before the deal lies on the one that another equals."""
        if not self._wagers[wager].equal_to:
            return 1
        could_be = {n for n in self.staked[wager][0] if n} if wager in self.staked else {self.bets.get(wager, 0)}
        if len(could_be) > 1:
            raise where.error(
                f"{of} equals the {wager}, which may be {' or '.join(f'{n}x' for n in sorted(could_be))} here; "
                f"declare it with equal_to={self.house.lead(wager)!r} and bet so many times that"
            )
        if could_be == {0}:
            raise where.error(f"{of} equals the {wager}, which was not bet in this round; write t.bet({wager!r}) first")
        return could_be.pop()

    def _take(self, count: int, where: Site) -> None:
        if not is_whole(count) or count < 1:
            raise where.error(f"deal a whole number of cards, 1 or more, not {said(count)}")
        self.used += count
        if self.used > sum(self.house.composition):
            raise where.error(
                f"a round deals more than the {sum(self.house.composition)} cards of the shoe: does a loop never end? "
                "Every loop needs a way out that some round takes"
            )

    def _covered(self) -> set[int]:
        """Slots of cards that lie face down for somebody."""
        dealt = {s for e in self.events if isinstance(e, Deal) and e.face != UP for s in e.slots}
        return dealt - {s for e in self.events if isinstance(e, Reveal) for s in e.slots}

    def _on_say(self, say: Say) -> None:
        """A graph that is counted has nothing to do with it."""

    def _on_deal(self, deal: Deal) -> None:
        """A subclass may want to know."""

    def _on_has(self, wager: str) -> bool:
        return self.house.takes(wager)

    def _on_when(self, condition: Column, words: str, where: Site) -> bool:
        raise NotImplementedError

    def _on_decide(self, name: str, choices: Sequence[str], by: tuple[tuple[str, Column], ...], where: Site) -> str:
        raise NotImplementedError

    def _on_mark(self, name: str, state: tuple[Any, ...], where: Site) -> tuple[Any, ...]:
        return state
