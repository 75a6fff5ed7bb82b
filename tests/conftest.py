"""Settings for every test: an object cache of its own, and one fixture over every game and example."""

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import postgres as servers
from helpers import CASES, FIXED, GAME_FILES, case_name, load_game
from pitboss.rules import Game, House, mistakes

settings.register_profile("pitboss", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("pitboss")


def pytest_configure() -> None:
    """Nothing of what is collected is garbage, and it stays to the end: so it is not looked through for garbage, now or
    after every other test. A game file has more time than a user's: the workers share a machine that may be busy."""
    gc.disable()
    mistakes.PATIENCE = 15
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a script
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def _own_object_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A test run neither reads nor fills the user's cache; its workers share one, so that a game is compiled once."""
    before = os.environ.get("PITBOSS_CACHE")
    shared = tmp_path_factory.getbasetemp().parent if "PYTEST_XDIST_WORKER" in os.environ else None
    os.environ["PITBOSS_CACHE"] = str((shared or tmp_path_factory.getbasetemp()) / "objects")
    yield
    if before is None:
        del os.environ["PITBOSS_CACHE"]
    else:
        os.environ["PITBOSS_CACHE"] = before


@pytest.fixture(params=FIXED, ids=case_name)
def game(request: pytest.FixtureRequest) -> Game:
    """Every game and every example whose hands have a fixed number of cards; the others have tests of their own."""
    path: Path = request.param
    return load_game(path)


@pytest.fixture(params=GAME_FILES, ids=case_name)
def any_game(request: pytest.FixtureRequest) -> Game:
    """Every game and every example."""
    path: Path = request.param
    return load_game(path)


@pytest.fixture(params=CASES, ids=lambda case: "-".join(map(case_name, case)))
def house(request: pytest.FixtureRequest) -> House:
    """Every game and example, under its default options and every other choice, one at a time."""
    path, options = request.param
    return load_game(path).at(options)


@pytest.fixture(scope="session")
def postgres() -> Iterator[servers.Server]:
    """A PostgreSQL server for this run alone; where there is none to be had, the test says so and is skipped."""
    try:
        import psycopg  # noqa: F401

        server = servers.Server()
        server.start()
    except ImportError:
        pytest.skip("psycopg is not installed here: pip install 'pitboss[postgres]'")
    except servers.NoPostgres as missing:
        pytest.skip(str(missing))
    try:
        yield server
    finally:
        server.remove()


@pytest.fixture(params=["sqlite", "postgresql"])
def vault_at(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a new vault may be made, in either database."""
    if request.param == "sqlite":
        return str(tmp_path / "vault.db")
    return str(request.getfixturevalue("postgres").emptied())
