"""One recorded round per game and example: cards, choices, events and settlement, word for word.

A changed rule shows here first. `python tests/test_golden.py --write` records rounds for games that have none;
`--write NAME` records one anew.
"""

import json
import sys
from pathlib import Path
from typing import Any

from helpers import GAME_FILES, load_game, random_round
from pitboss.cards import cards_of
from pitboss.live import Round, log_of, replay
from pitboss.rules import Game

GOLDEN = Path(__file__).parent / "golden"
NOT_COMPARED = ("version", "game_file_sha256")


def golden_file(game: Game) -> Path:
    return GOLDEN / f"{game.name}.json"


def compared(log: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in json.loads(json.dumps(log)).items() if key not in NOT_COMPARED}


def test_every_game_has_a_golden_round(any_game: Game) -> None:
    assert golden_file(any_game).exists(), f"{any_game.name} has none: run python tests/test_golden.py --write"


def test_every_golden_round_has_a_game() -> None:
    assert {f.stem for f in GOLDEN.iterdir()} <= {load_game(path).name for path in GAME_FILES}


def test_every_game_has_an_anchor(any_game: Game) -> None:
    assert any_game.anchors, f"{any_game.name} needs a published figure to stand on: give its GAME an Anchor"
    assert all(a.source and a.wager in any_game.at(a.options).parties for a in any_game.anchors)


def test_the_golden_round_is_played_as_recorded(any_game: Game) -> None:
    wanted = json.loads(golden_file(any_game).read_text())
    assert compared(log_of(replay(any_game, wanted))) == compared(wanted)


def test_the_golden_round_is_a_round_worth_recording(any_game: Game) -> None:
    """It is over, it has several seats, and every wager before the deal is settled in it."""
    log = json.loads(golden_file(any_game).read_text())
    table = replay(any_game, log)
    assert table.turn is None and len(log["seats"]) >= 4
    assert len(cards_of(log["cards"])) == table.used
    assert set(table.house.parties) <= {e["wager"] for e in table.events if e["event"] == "settle"}


# ---- recording


def variety(table: Round) -> int:
    """How many different things happen in a round."""
    told = ("event", "wager", "row", "because", "choice", "decision", "pays")
    return len({tuple(str(e.get(k)) for k in told) for e in table.events})


def record(game: Game) -> Path:
    """The most varied of many random rounds of a full table."""
    house = game.at()
    best = max((random_round(house, game.seats, seed) for seed in range(400)), key=variety)
    path = golden_file(game)
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(log_of(best), indent=1) + "\n")
    return path


if __name__ == "__main__":
    if sys.argv[1:2] != ["--write"]:
        sys.exit("usage: python tests/test_golden.py --write [NAME ...]")
    for one in map(load_game, GAME_FILES):
        if one.name in sys.argv[2:] or not (sys.argv[2:] or golden_file(one).exists()):
            print(f"recorded {record(one)}")
