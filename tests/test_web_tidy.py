"""When garbage is looked for: while nobody plays."""

import asyncio
import gc
import weakref

import pytest

from pitboss.web import tidy


class Ring:
    """What is gone only when it is looked for."""

    def __init__(self) -> None:
        self.itself = self


async def left_over(head: list[int], plays: bool, monkeypatch: pytest.MonkeyPatch, must: int = 10**9) -> bool:
    """Whether a ring is still there after a while in which somebody plays, or nobody does."""
    monkeypatch.setattr(tidy, "LOOK", 0.01)
    monkeypatch.setattr(tidy, "WORTH", 100)
    monkeypatch.setattr(tidy, "MUST", must)
    task = asyncio.create_task(tidy.tidy(lambda: head[0]))
    await asyncio.sleep(0.005)
    assert not gc.isenabled()
    ring = weakref.ref(Ring())
    many = [[] for _ in range(1000)]  # type: ignore[var-annotated]
    for _ in range(10):
        head[0] += plays
        await asyncio.sleep(0.01)
    there = ring() is not None
    del many
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert gc.isenabled()
    return there


def test_garbage_is_looked_for_while_nobody_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not asyncio.run(left_over([0], False, monkeypatch))


def test_and_not_while_somebody_does(monkeypatch: pytest.MonkeyPatch) -> None:
    assert asyncio.run(left_over([0], True, monkeypatch))


def test_but_where_much_has_come_up(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not asyncio.run(left_over([0], True, monkeypatch, must=500))
