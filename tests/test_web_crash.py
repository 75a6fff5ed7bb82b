"""The live house is killed with -9 while people play; `python tests/crash_house.py --kills 1000` does it at length."""

import itertools
from pathlib import Path
from typing import Any

import pytest

import crash_house
from crash_house import Broken, Told, crash


def test_the_house_is_killed_and_opens_as_it_was(tmp_path: Path) -> None:
    numbers = itertools.count()
    found = crash(4, lambda: str(tmp_path / f"house{next(numbers)}.db"), seed=11, longest=0.6)
    assert found["kills"] == 4 and found["acknowledged"] > 10


def test_the_same_on_postgresql(postgres: Any) -> None:
    found = crash(3, postgres.emptied, seed=12, longest=0.6)
    assert found["kills"] == 3 and found["acknowledged"] > 5


def test_a_lost_answer_would_be_found(tmp_path: Path) -> None:
    """The test can fail: an acknowledged command that is not in the log is missed."""
    told, db = Told(), str(tmp_path / "house.db")
    crash_house.warm()
    crash_house.one_kill(db, told, __import__("random").Random(5), 0.2)
    crash_house.look(db, told)
    told.acknowledged.add(("t1", next(iter(told.cookies)), "never-sent"))
    with pytest.raises(Broken, match="was acknowledged"):
        crash_house.look(db, told)
