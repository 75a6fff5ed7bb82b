"""No hidden card in any byte: everything that is sent to every seat, and to who only watches, for every game. What is
hidden is read off the events of the round here, by another way than the views are made."""

import json
import random
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest

from helpers import GAME_FILES
from live_house import House, house
from pitboss.cards.codes import RANK_NAMES, SUIT_NAMES, card_code, card_name
from pitboss.catalog import load
from pitboss.exact import Advised, Study
from pitboss.live import Session, Shoe
from pitboss.live.bots import usual_bets
from pitboss.live.live import Round
from pitboss.live.view import events_for, own_hands, seen_by
from pitboss.pit import CLOCK, PLAYER, SUPERVISOR, Command, Floor, Table
from pitboss.rules.errors import BadInput
from pitboss.web import wire
from pitboss.web.beats import keys_since
from pitboss.web.face import layout_of, render
from pitboss.web.face.layout import Layout
from pitboss.web.lies import Kept, Scene
from pitboss.web.scene import Eyes, Moment, common, events_of, own_part, scene
from pitboss.web.theory import seen_of
from test_web import GAMES, bets_of, sit


def hidden(round_: Round, own: set[int]) -> set[str]:
    """Names of cards that this player may not know: dealt and not shown to him, or still in the shoe."""
    known: set[int] = set()
    for event, places in zip(round_.events, round_.record.places, strict=True):
        if event["event"] == "reveal" or (event["event"] == "deal" and event["face"] == "up"):
            known |= set(places)
        if event["event"] == "deal" and event["to"] == "player" and event["face"] == "down":
            left = event["seat"] in round_.record.gone
            if event["seat"] in own or (round_.turn is None and not round_.abandoned and not left):
                known |= set(places)
    seen = {card_name(round_.shoe[place]) for place in known}
    return {card_name(card) for card in round_.shoe} - seen  # another of the same name may lie in sight


def told(text: str) -> set[str]:
    """Every card that a text names, in whatever way the house writes one."""
    short = set(re.findall(r"(?<![A-Za-z0-9])([2-9TJQKA][cdhs])(?![A-Za-z0-9])", text))
    ranks = "|".join(sorted(RANK_NAMES[:-1], key=len, reverse=True))
    words = re.findall(rf"\b({ranks}) of ({'|'.join(SUIT_NAMES)})", text)
    pips = re.findall(r"(10|[2-9JQKA])([♣♦♥♠])", text)
    long = {f"{'23456789TJQKA'[RANK_NAMES.index(rank)]}{suit[0]}" for rank, suit in words}
    drawn = {f"{rank.replace('10', 'T')}{'cdhs'['♣♦♥♠'.index(pip)]}" for rank, pip in pips}
    return short | long | drawn


def test_cards_are_recognised_however_they_are_written() -> None:
    said = 'cards: "Ah" #jumbo-Tc; the queen of hearts, 10♦ and the 7 of spades; Ahoy, 2chips'
    assert told(said) == {"Ah", "Tc", "Qh", "Td", "7s"}
    assert card_code("Ah") == 50


class Watched:
    """A table, and everything that every viewer of it is sent."""

    def __init__(self, game: str, seed: int) -> None:
        self.game, self.rng = load(game), random.Random(seed)
        self.floor = Floor(
            lambda opening: self.game.at(opening["options"]), lambda: f"{self.rng.getrandbits(256):064x}"
        )
        self.asked = 0
        self.table, _ = self.floor.open(self.command("open", "boss", SUPERVISOR), "t1", self.game.at(), "One")
        self.people = {f"p{seat}": seat for seat in list(self.table.session.seats)[:3]}
        for person, seat in self.people.items():
            self.floor.adjust(self.command("adjust", "boss", SUPERVISOR), person, 10_000_000, "chips")
            self.ask("sit", person, seat=seat, name=person)
            self.ask("buy", person, seat=seat, cents=1_000_000)
        self.held = {person: {seat} for person, seat in self.people.items()}  # when the cards were dealt
        self.eyes = {person: Eyes(person, person, PLAYER) for person in (*self.people, "watcher")}
        self.kept = Kept()

    def command(self, do: str, by: str, role: str = PLAYER, **body: object) -> Command:
        self.asked += 1
        return Command(str(self.asked), do, by, role, body)

    def ask(self, do: str, by: str, role: str = PLAYER, **body: object) -> None:
        self.floor.handle(self.table, self.command(do, by, role, **body))

    def look(self, drawn: bool) -> int:
        """All that is sent after an action; how many cards were named in it."""
        self.same_either_way()
        moment, many = self.moment(), 0
        base, fresh = common(self.table, moment, self.kept), common(self.table, moment)
        round_ = self.table.session.round
        for person, eyes in self.eyes.items():
            found = scene(base, self.table, eyes, moment)
            assert found == scene(fresh, self.table, eyes, moment)  # seats that are kept are as they would be drawn now
            written = wire.text(base, own_part(base, self.table, eyes, moment), self.table.house, None, 7)
            assert json.loads(written) == {"scene": 7, "shows": found}
            eyes.told = (self.table.rounds, events_of(self.table))
            sent = json.dumps(found, ensure_ascii=False)
            if drawn:
                sent += render("table-live", found, layout_of(self.table.house))
            if round_ is not None and not self.table.session.cleared:
                named = told(sent)
                assert not named & hidden(round_, self.held.get(person, set())), (person, round_.events)
                many += len(named)
        return many

    def moment(self) -> Moment:
        ready = frozenset(seat for seat in self.people.values() if self.rng.random() < 0.3)
        return Moment(ready=ready, meters=dict.fromkeys(self.floor.meters.shown, 100))

    def same_either_way(self) -> None:
        """A player's view is what all see, but for his own seats; those are the same, asked for alone."""
        session = self.table.session
        all_see = session.view(None)
        for seat in self.people.values():
            whole, own = session.view(seat), session.purses.own(seat)
            for number, found in whole.seats.items():
                if number not in own:
                    assert found == all_see.seats[number]
                elif whole.dealt and session.round is not None:
                    hands = own_hands(session.round, own, number)
                    assert found == replace(all_see.seats[number], own=True, hands=hands)
                else:
                    assert found == replace(all_see.seats[number], own=True)
            heard = len(whole.events) // 2
            assert session.view(seat, heard).events == whole.events[heard:]

    def play(self, drawn: bool) -> int:
        many = 0
        for person, seat in self.people.items():
            bets = {name: str(x) for name, x in usual_bets(self.table.house, seat).items()}
            self.ask("bet", person, seat=seat, bets=bets)
            many += self.look(drawn)
        self.ask("deal", "", CLOCK)
        many += self.look(drawn)
        while (turn := self.table.session.turn) is not None:
            if self.rng.random() < 0.03:
                self.ask("stand", f"p{turn.seat}", seat=turn.seat)
            else:
                choices = list(turn.choices)
                self.rng.shuffle(choices)
                for choice in choices:
                    try:
                        self.ask("choose", f"p{turn.seat}", seat=turn.seat, choice=choice)
                        break
                    except BadInput:
                        continue
            many += self.look(drawn)
        return many

    def seat_again(self) -> None:
        for person, seat in self.people.items():
            if not self.table.seats_of(person):
                self.ask("sit", person, seat=seat, name=person)
                self.ask("buy", person, seat=seat, cents=100_000)

    def come_and_go(self) -> None:
        """A round in which people get up, and others take their seats, whenever they like."""
        for seat, who in self.table.sitting.items():
            bets = {name: str(x) for name, x in usual_bets(self.table.house, seat).items()}
            self.tried("bet", who.player, seat=seat, bets=bets)
        if not self.tried("deal", "", CLOCK):
            return
        self.held = {person: set(self.table.seats_of(person)) for person in self.eyes}
        self.look(drawn=False)
        wait = 6  # what they do when the round is over
        while wait:
            turn, chance = self.table.session.turn, self.rng.random()
            wait -= turn is None
            person, seat = self.rng.choice([*self.eyes]), self.rng.choice([*self.people.values()])
            if chance < (0.5 if turn is None else 0.15):
                if seat in self.table.sitting:
                    self.tried("stand", self.table.sitting[seat].player, seat=seat)
                elif self.tried("sit", person, seat=seat, name=person):
                    self.tried("buy", person, seat=seat, cents=100_000)
            elif turn is not None:
                who = self.table.sitting[turn.seat].player
                assert any(self.tried("choose", who, seat=turn.seat, choice=choice) for choice in turn.choices)
            self.look(drawn=False)

    def tried(self, do: str, by: str, role: str = PLAYER, **body: object) -> bool:
        try:
            self.ask(do, by, role, **body)
        except BadInput:
            return False
        return True


@pytest.mark.parametrize("path", GAME_FILES, ids=lambda path: path.stem)
def test_who_takes_a_seat_does_not_see_the_hand_that_was_held_there(path: object) -> None:
    watched = Watched(str(path), 8)
    watched.floor.adjust(watched.command("adjust", "boss", SUPERVISOR), "watcher", 10_000_000, "chips")
    for _ in range(6):
        watched.come_and_go()


def test_what_is_said_of_a_hand_is_said_of_who_held_it() -> None:
    """The round is over, its player has gone, and somebody else sits there who was told nothing yet."""
    watched = Watched("flop-poker-bonus", 5)
    for person, seat in watched.people.items():
        bets = {name: str(x) for name, x in usual_bets(watched.table.house, seat).items()}
        watched.ask("bet", person, seat=seat, bets=bets)
    watched.ask("deal", "", CLOCK)
    watched.ask("stand", "p1", seat=1)
    while (turn := watched.table.session.turn) is not None:
        watched.ask("choose", f"p{turn.seat}", seat=turn.seat, choice=turn.choices[0])
    watched.ask("sit", "watcher", seat=1, name="watcher")
    watched.held = {"watcher": set(), "p2": {2}, "p3": {3}}
    watched.look(drawn=True)
    moment = watched.moment()
    shown = scene(common(watched.table, moment), watched.table, Eyes("watcher", "watcher", PLAYER), moment)
    assert shown["say"] and not [text for text in shown["say"] if re.search(r"\b(you|your|watcher)\b", text)]
    assert shown["seats"][0]["yours"] and shown["seats"][0]["hands"][0]["cards"] == ["??"] * 3


@pytest.mark.parametrize("path", GAME_FILES, ids=lambda path: path.stem)
def test_no_hidden_card_is_in_what_anybody_is_sent(path: object) -> None:
    watched = Watched(str(path), 5)
    many = 0
    for number in range(2):
        many += watched.play(drawn=number == 0)
        watched.seat_again()
    assert many > 5  # cards were shown all the same


def test_it_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test can fail: a view that shows a card too many is found."""
    import pitboss.live.view as view

    monkeypatch.setattr(view, "_shown", lambda round_, deal, own: True)
    watched = Watched("bluff", 5)
    with pytest.raises(AssertionError):
        watched.play(drawn=False)


# ---- the dealer is watched as he acts


def on_table(found: Scene, layout: Layout) -> dict[str, str]:
    """What lies there by its key: of a card its face."""
    html = render("table-live", found, layout)
    layer = html[html.index('<section id="layer"') : html.index('<section id="say"')]
    cards = dict(re.findall(r'class="card" data-key="([^"]+)" data-card="([^"]+)"', layer))
    chips = dict.fromkeys(re.findall(r'data-key="([^"]+)" data-kind="(?:paid|sign)"', layer), "")
    return cards | {key: face for key, face in chips.items() if not key.endswith("-count")}


@pytest.mark.parametrize("path", GAME_FILES, ids=lambda path: path.stem)
def test_what_is_new_on_the_table_comes_with_its_event_once_and_in_order(path: Path) -> None:
    watched = Watched(str(path), 7)
    table, layout = watched.table, layout_of(watched.table.house)
    before: dict[str, dict[str, str]] = {person: {} for person in watched.eyes}
    many = 0

    def look(drawn: bool) -> int:
        nonlocal many
        moment = watched.moment()
        base, round_ = common(table, moment), table.session.round
        for person, eyes in watched.eyes.items():
            found = scene(base, table, eyes, moment)
            own = (watched.people[person],) if person in watched.people else ()
            now, heard = on_table(found, layout), eyes.told[1] if eyes.told[0] == table.rounds else 0
            eyes.told = (table.rounds, events_of(table))
            if round_ is None or table.session.cleared:
                assert not any(found["beats"])
                before[person] = {}
                continue
            told = [key for keys in found["beats"] for key in keys]
            assert told == [key for keys in keys_since(round_, own, heard) for key in keys]
            last = before[person]
            for key, face in now.items():
                fresh, split = key not in last, bool(re.fullmatch(r"s\d+-h[1-9]\d*-0", key))
                if key.endswith("-net"):
                    assert told.count(key) == (round_.over and heard < events_of(table))
                elif face == "" and fresh:
                    assert told.count(key) == 1, (key, found["beats"])
                elif fresh:
                    assert told.count(key) in (1, 2, 3) if split or face != "back" else told.count(key) == 1, key
                elif last[key] == "back" != face:
                    assert told.count(key) == 1, (key, found["beats"])
                many += fresh
            if person == "watcher":
                in_order(round_, heard, now, last, found["beats"])
            before[person] = now
        return many

    watched.look = look  # type: ignore[method-assign]
    for _ in range(3):
        watched.play(drawn=False)
        watched.seat_again()
    assert many > 5


def in_order(round_: Round, heard: int, now: dict[str, str], last: dict[str, str], beats: list[list[str]]) -> None:
    """Cards that are named lie there, and are those that were dealt, in the order of the deal; bets as they settled."""
    events = round_.events[heard:]
    if not any(event["event"] == "split" for event in round_.events):
        dealt = [card for event in events if event["event"] == "deal" for card in event["cards"]]
        first = list(dict.fromkeys(key for keys in beats for key in keys if key in now.keys() - last.keys()))
        lain = [now[key] for key in first if now[key]]
        assert all(face in (card, "back") for card, face in zip(dealt, lain, strict=True)), (dealt, lain)
    settled = [f"s{e['seat']}-{e['wager']}-tag" for e in events if e["event"] == "settle"]
    assert settled == [key for keys in beats for key in keys if key.endswith("-tag")]


def test_a_card_that_is_dealt_face_down_is_told_as_a_back_and_then_turned() -> None:
    """The hole card of the dealer is dealt and turned within one scene: first nobody knows it."""
    watched = Watched("packs-poker", 7)
    watched.look = lambda drawn: 0  # type: ignore[method-assign]
    watched.play(drawn=False)
    table, eyes = watched.table, watched.eyes["watcher"]
    found = scene(common(table, Moment()), table, eyes, Moment())
    dealt = [i for i, text in enumerate(found["say"]) if "dealer gets" in text.lower()]
    turned = [i for i, text in enumerate(found["say"]) if "dealer turns up" in text.lower()]
    assert dealt and turned and dealt[-1] < turned[0]
    assert not any(told(found["say"][i]) for i in dealt) and told(found["say"][turned[0]])
    twice = {key for i in dealt for key in found["beats"][i]} & {key for i in turned for key in found["beats"][i]}
    assert twice and all(key.startswith("dealer-") for key in twice)


def painters_there(found: House) -> None:
    """Until it is they who draw, where the house has any."""
    late = time.monotonic() + 60
    while not found.inside(lambda opened: all(line.ready for line in opened.house.studio.lines)):
        assert time.monotonic() < late, "no painter has come"
        time.sleep(0.02)


@pytest.mark.parametrize("painters", [0, 1], ids=["drawn by the house", "drawn by a painter"])
@pytest.mark.parametrize("game", GAMES)
def test_no_hidden_card_comes_over_a_socket(game: str, painters: int, tmp_path: Path) -> None:
    """Every frame of a round, as it arrives: scenes for one player, the page's own sections for the other."""
    with house(tmp_path, game, painters=painters) as found:
        painters_there(found)
        ann, bob = found.player("Ann", "t1"), found.player("Bob", "t1", html=True)
        sit(ann, 1)
        sit(bob, 2)

        def table() -> Table:
            return found.inside(lambda opened: opened.house.tables["t1"].table)

        for seat, player in ((1, ann), (2, bob)):
            player.do("bet", seat=seat, bets=bets_of(found, "t1", seat))
        for player in (ann, bob):
            player.do("ready")
        ann.until(lambda s: s["table"]["round"] == 1)
        named = 0
        while True:
            for seat, player in ((1, ann), (2, bob)):
                player.drain()
                round_ = table().session.round
                assert round_ is not None
                for frame in player.frames:
                    text = json.loads(frame).get("html") or frame
                    assert not told(text) & hidden(round_, {seat}), frame[:200]
                    named += len(told(text))
                player.frames.clear()
            turn = table().session.turn
            if turn is None:
                break
            (ann if turn.seat == 1 else bob).do("choose", seat=turn.seat, choice=turn.choices[0])
        assert named
        asked = found.inside(lambda opened: [line._next for line in opened.house.studio.lines])
        assert len(asked) == painters and all(asked)


# ---- nor in how long an answer takes


def other(round_: Round, seat: int, rng: random.Random) -> Round | None:
    """A round in which the player at this seat has seen and heard the same, and other cards lie hidden; if there is
    one among a few."""
    known = seen_by(round_, [seat])
    free = [place for place in range(len(round_.shoe)) if place not in known]
    seats = [found if number in round_.playing else None for number, found in enumerate(round_.seats, 1)]
    for _ in range(12):
        shoe, rest = list(round_.shoe), [round_.shoe[place] for place in free]
        rng.shuffle(rest)
        for place, card in zip(free, rest, strict=True):
            shoe[place] = card
        try:
            found = Round(round_.house, shoe, seats, round_.choices)
        except BadInput:  # it went another way, which all would have seen
            continue
        same = found.way(seat) == round_.way(seat) and events_for(found, [seat]) == events_for(round_, [seat])
        if same and found.house_eye(seat) != round_.house_eye(seat):
            return found
    return None


@pytest.mark.parametrize("path", GAME_FILES, ids=lambda path: path.stem)
def test_what_the_coach_is_asked_holds_no_hidden_card(path: object) -> None:
    """Answers are kept: one that is there at once, because this card has lain there before, would tell it."""
    house, rng, looked = load(str(path)).at(), random.Random(3), 0
    lay = False  # something that is hidden from who decides
    for _ in range(12):
        session = Session(house, 2, shoe=Shoe(house, lambda cards: rng.sample(list(cards), len(cards))))
        for seat in (1, 2):
            session.bet(seat, usual_bets(house, seat))
        session.deal()
        while (turn := session.turn) is not None and (round_ := session.round) is not None:
            again = other(round_, turn.seat, rng)
            if again is not None and again.turn is not None:
                assert seen_of(again, again.turn) == seen_of(round_, turn)
                looked += 1
            session.choose(turn.seat, rng.choice(turn.choices))
    assert looked or not lay


@pytest.mark.parametrize("limit", ["standard", "high"])
def test_the_coach_needs_no_hidden_card(limit: str) -> None:
    """He says the same when he is told all of them: which way the round went is public, and is told instead."""
    house, rng, many = load("bluff").at({"limit": limit}), random.Random(3), 0
    study = Study(house)
    for _ in range(60):
        session = Session(house, shoe=Shoe(house, lambda cards: rng.sample(list(cards), len(cards))))
        session.bet(1, ante=10)
        session.deal()
        while (turn := session.turn) is not None and (round_ := session.round) is not None:
            decision, choices, made, seen, hand, up, _, went = seen_of(round_, turn)
            told = Advised(decision, choices, made, dict(seen), hand, up, {"streak": 0}, went)
            all_told = replace(told, cards=round_.house_eye(1), went=())
            assert study.advice(told) == study.advice(all_told)
            many += bool(went)
            session.choose(1, rng.choice(turn.choices))
    assert bool(many) == (limit == "high")  # he bets before his card is turned
