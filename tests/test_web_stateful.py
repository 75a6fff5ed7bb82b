"""Three people do whatever comes to their minds at one table of the running house, over sockets: sit, buy, bet, choose,
come back, send the same twice, send what they may not. Whatever they do, the money is where a plain book has it, a
refusal changes nothing, and nobody is sent a card that he may not see."""

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from live_house import FRESH, House, Stopped, house
from test_web import bets_of, check
from test_web_hidden import hidden, told

RUNS = max(4, int(os.environ.get("PITBOSS_HOSTILE", "250")) // 60)  # make hostile has more
WHO = st.integers(0, 2)
SEATS = st.sampled_from([1, 2, 3, 3, 4, 99, 0])
CENTS = st.sampled_from([1, 500, 5_000, 20_000, 10**9, 0, -5])


class People(RuleBasedStateMachine):
    """One table, three people, and a book of what each must have."""

    found: House
    clock: Stopped
    game: str

    def __init__(self) -> None:
        super().__init__()
        self.held = ExitStack()
        self.players = [self.found.player(f"P{next(FRESH)}", "t1").connect() for _ in range(3)]
        for player in self.players:
            self.held.callback(player.close)
        self.ids = [self.found.inside(lambda opened, p=p: _id_of(opened, p.name)) for p in self.players]
        self.purse = [self.balances().get(f"purse:{id}", 0) for id in self.ids]
        self.last: dict[int, tuple[str, str, dict[str, Any], dict[str, Any]]] = {}

    def teardown(self) -> None:
        boss = self.table()
        while boss.in_play:
            turn = boss.session.turn
            who = boss.sitting[turn.seat].player
            self.ask(self.ids.index(who), "choose", seat=turn.seat, choice=turn.choices[0])
            self.look()
        for n, id in enumerate(self.ids):
            for seat in self.table().seats_of(id):
                self.ask(n, "stand", seat=seat)
        self.held.close()
        check(self.found)

    # ---- the house from inside, to look at

    def table(self) -> Any:
        return self.found.inside(lambda opened: opened.house.tables["t1"].table)

    def balances(self) -> dict[str, int]:
        return dict(self.found.here.opened.vault.balances())

    def seats(self, n: int) -> tuple[int, ...]:
        return tuple(self.table().seats_of(self.ids[n]))

    def ask(self, n: int, do: str, **body: Any) -> bool:
        """Whether it was done; where it was refused, nothing has changed."""
        before = self.found.here.opened.vault.head()
        player = self.players[n]
        answer = player.ask(do, **body)
        if "refused" in answer:
            assert self.found.here.opened.vault.head() == before, (do, body, answer)
            assert isinstance(answer["refused"], str) and len(answer["refused"]) < 400
            return False
        self.last[n] = (answer["ack"], do, body, answer)
        return True

    def look(self) -> None:
        """What is due at once happens, and everybody has read what he was sent."""
        self.found.inside(lambda opened: self.clock.pass_by(0.0))
        for n, player in enumerate(self.players):
            player.ask("coach", on=False)
            round_ = self.found.inside(lambda opened: opened.house.tables["t1"].table.session.round)
            if round_ is not None and not self.table().session.cleared:
                named = told("".join(frame for frame in player.frames if not _of_before(frame, self.table().rounds)))
                assert not named & hidden(round_, set(self.seats(n))), (n, named)
            player.frames.clear()

    # ---- what people do

    @rule(n=WHO, seat=SEATS)
    def sit(self, n: int, seat: int) -> None:
        there = self.table()
        free = seat in there.session.seats and seat not in there.sitting
        assert self.ask(n, "sit", seat=seat) == free

    @rule(n=WHO, seat=SEATS, cents=CENTS)
    def buy(self, n: int, seat: int, cents: int) -> None:
        may = seat in self.seats(n) and 0 < cents <= self.purse[n]
        assert self.ask(n, "buy", seat=seat, cents=cents) == may
        self.purse[n] -= cents if may else 0

    @rule(n=WHO, seat=SEATS, cents=CENTS)
    def cash(self, n: int, seat: int, cents: int) -> None:
        if self.ask(n, "cash", seat=seat, cents=cents):
            assert seat in self.seats(n) and not self.table().in_play
            self.purse[n] += cents

    @rule(n=WHO, seat=SEATS, odd=st.booleans())
    def bet(self, n: int, seat: int, odd: bool) -> None:
        bets = bets_of(self.found, "t1", 1)
        if odd:
            bets = dict.fromkeys(bets, "0.01") | {"nosuch": "5"}
        if self.ask(n, "bet", seat=seat, bets=bets):
            assert seat in self.seats(n) and not odd

    @rule(n=WHO)
    def ready(self, n: int) -> None:
        assert self.ask(n, "ready") == bool(self.seats(n))
        self.look()

    @rule(n=WHO, choice=st.integers(0, 3), mine=st.booleans())
    def choose(self, n: int, choice: int, mine: bool) -> None:
        turn = self.table().session.turn
        if turn is None:
            assert not self.ask(n, "choose", seat=1, choice="raise")
            return
        may = turn.seat in self.seats(n)
        if self.ask(n, "choose", seat=turn.seat, choice=turn.choices[choice % len(turn.choices)]):
            assert may

    @rule(n=WHO)
    def choose_in_turn(self, n: int) -> None:
        """Otherwise few rounds would come to their end."""
        while (turn := self.table().session.turn) is not None:
            self.ask(self.ids.index(self.table().sitting[turn.seat].player), "choose", seat=turn.seat,
                     choice=turn.choices[0])  # fmt: skip
            self.look()

    @rule(n=WHO)
    def all_bet_and_are_ready(self, n: int) -> None:
        for one in range(3):
            for seat in self.seats(one):
                self.ask(one, "bet", seat=seat, bets=bets_of(self.found, "t1", 1))
        for one in range(3):
            if self.seats(one):
                self.ask(one, "ready")
        self.look()

    @rule(n=WHO, seat=SEATS)
    def stand(self, n: int, seat: int) -> None:
        there, own = self.table(), self.seats(n)
        plays = there.in_play and any(s in there.session.round.playing for s in there.session.purses.own(seat or 1)) \
            if seat in own else False  # fmt: skip
        last = seat in own and not plays and own == (seat,)
        chips = int((there.session.purse(seat) + there.session.on_layout(seat)) * 100) if last else 0
        if self.ask(n, "stand", seat=seat):
            assert seat in own
            self.purse[n] += chips

    @rule(n=WHO)
    def again(self, n: int) -> None:
        """The same id once more: the same answer, and nothing is done a second time."""
        if n in self.last:
            id, do, body, answer = self.last[n]
            before = self.found.here.opened.vault.head()
            if do not in ("ready", "coach"):
                assert self.players[n].ask(do, id, **body) == answer
                assert self.found.here.opened.vault.head() == before

    @rule(n=WHO)
    def reload(self, n: int) -> None:
        """Another window in the place of the first: the same hand lies there."""
        self.look()
        head = self.found.inside(lambda opened: opened.house.tables["t1"].head)
        was = {**self.players[n].until(lambda s: s["table"]["head"] == head)}
        self.players[n].close()
        self.players[n].shows = {}
        self.players[n].connect()
        now = self.players[n].until(lambda s: s)
        assert [{**one, "ready": 0} for one in now["seats"]] == [{**one, "ready": 0} for one in was["seats"]]
        for part in ("dealer", "places", "choose"):
            assert now[part] == was[part], part

    @rule(n=WHO, do=st.sampled_from(["deal", "void", "limits", "pace", "pause", "close", "settle", "shoe", "open"]))
    def what_he_may_not(self, n: int, do: str) -> None:
        assert not self.ask(n, do, reason="because", paused=True, seat=1)

    # ---- what must hold

    @invariant()
    def the_money_is_where_it_should_be(self) -> None:
        found = self.balances()
        assert sum(found.values()) == 0
        there = self.table()
        for n, id in enumerate(self.ids):
            if there.in_play or there.leaving:
                continue  # what he leaves behind comes back when the round is over
            if not self.seats(n):  # he may have left in a round: all he has is in the purse
                self.purse[n] = found.get(f"purse:{id}", 0)
            assert found.get(f"purse:{id}", 0) == self.purse[n], n
        assert {name: cents for name, cents in there.picture().items() if cents} == {
            name: found.get(name, 0) for name in there.picture() if found.get(name, 0)
        }


def _of_before(frame: str, round_: int) -> bool:
    """Whether this shows the round before, whose cards lie there until the next are dealt."""
    found = json.loads(frame).get("shows", {}).get("table", {})
    return bool(found) and found["round"] < round_ and found["phase"] in ("over", "betting")


def _id_of(opened: Any, name: str) -> str:
    return str(next(p.id for p in reversed(opened.vault.people()) if p.name == name))


@pytest.fixture(scope="module", params=["bluff", "flop-poker-bonus"])
def opened(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[House, Stopped, str]]:
    clock = Stopped()
    with house(tmp_path_factory.mktemp("people"), request.param, clock=clock) as found:
        yield found, clock, request.param


def test_whatever_people_do(opened: tuple[House, Stopped, str], tmp_path: Path) -> None:
    class AtThisTable(People):
        found, clock, game = opened

    how = settings(
        max_examples=RUNS,
        stateful_step_count=40,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    run_state_machine_as_test(AtThisTable, settings=how)
