"""The live house over real sockets: what people do at its tables, and that everybody sees what he may."""

from pathlib import Path

import pytest

from live_house import House, Player, house
from pitboss.live.bots import usual_bets
from pitboss.web.checked import audit_at

GAMES = ("bluff", "flop-poker-bonus", "packs-poker", "blackjack")


def sit(player: Player, seat: int, dollars: int = 500) -> None:
    player.connect()
    player.do("sit", seat=seat)
    player.do("buy", seat=seat, cents=dollars * 100)


def bets_of(found: House, table: str, seat: int) -> dict[str, str]:
    house = found.inside(lambda opened: opened.house.tables[table].table.house)
    return {name: str(amount) for name, amount in usual_bets(house, seat).items()}


def play(found: House, *players: Player) -> None:
    """A round at the players' table: everybody bets, is ready, and takes the last choice that he can pay for."""
    for player in players:
        seat = player.until(lambda s: s["you"]["seats"])["you"]["seats"][0]
        player.do("bet", seat=seat, bets=bets_of(found, player.table, seat))
    for player in players:
        player.do("ready")
    number = players[0].shows["table"]["round"] + 1
    while any(
        player.shows["table"]["round"] < number or player.shows["table"]["phase"] != "over" for player in players
    ):
        for player in players:
            scene = player.until(lambda s: s["table"]["round"] == number)
            while scene["choose"]:
                head, choice = scene["table"]["head"], scene["choose"]["choices"][0]["choice"]
                player.do("choose", seat=scene["choose"]["seat"], choice=choice)
                scene = player.until(lambda s, head=head: s["table"]["head"] != head)
            player.drain()


def check(found: House) -> None:
    """Nothing is wrong with the log, as another process sees it."""
    opened = found.here.opened
    said = audit_at(opened.where, opened.files)
    assert said["fault"] is None, said


@pytest.mark.parametrize("game", GAMES)
def test_two_people_play_a_round_over_sockets(game: str, tmp_path: Path) -> None:
    with house(tmp_path, game) as found:
        ann, bob = found.player("Ann", "t1"), found.player("Bob", "t1")
        sit(ann, 1)
        sit(bob, 2)
        play(found, ann, bob)
        mine, his = ann.shows["seats"][0], bob.shows["seats"][1]
        assert mine["yours"] and his["yours"] and mine["settled"] and his["settled"]
        assert ann.shows["table"]["round"] == 1
        play(found, ann, bob)
        check(found)
