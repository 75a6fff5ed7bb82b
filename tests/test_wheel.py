"""What somebody gets who installs pitboss: a wheel that is whole, and that works where nothing else is installed."""

import json
import os
import subprocess
import sys
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from helpers import GAME_FILES, ROOT

PATIENCE = 300  # seconds that the registry may take; whoever waits longer has no network
Run = Callable[..., str]


def _pip(python: Path | str, *words: str) -> subprocess.CompletedProcess[str]:
    line = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet", *words]
    return subprocess.run(line, capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE)


def _need_registry(folder: Path) -> None:
    """What builds the wheel comes from the registry. Where that cannot be had there is nothing to test; whatever fails
    after this is a defect of the project."""
    try:
        found = _pip(sys.executable, "download", "--no-deps", "-d", str(folder), "hatchling").returncode == 0
    except subprocess.TimeoutExpired:
        found = False
    if not found:
        pytest.skip("the registry of packages cannot be reached, so no wheel can be built and installed")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project as a wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    _need_registry(tmp_path_factory.mktemp("registry"))
    built = _pip(sys.executable, "wheel", "--no-deps", "-w", str(folder), str(ROOT))
    assert built.returncode == 0, built.stderr
    (found,) = folder.glob("pitboss-*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A new, empty environment with the wheel and what it depends on: how to run something in it."""
    home = tmp_path_factory.mktemp("empty")
    venv.create(home / "venv", with_pip=True)
    bin_ = home / "venv" / ("Scripts" if os.name == "nt" else "bin")
    done = _pip(bin_ / "python", "install", "-c", str(ROOT / "constraints.txt"), str(wheel))
    assert done.returncode == 0, done.stderr
    clean = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")}

    def run(program: str, *words: str) -> str:
        """From an empty folder, so that nothing of the project lies about."""
        (home / "cwd").mkdir(exist_ok=True)
        line = [str(bin_ / program), *words]
        env = clean | {"PITBOSS_CACHE": str(home / "objects")}
        done = subprocess.run(line, capture_output=True, text=True, cwd=home / "cwd", env=env)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_the_wheel_is_whole_and_works_in_an_empty_environment(wheel: Path, installed: Run) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    games = {f"pitboss/games/{path.name}" for path in GAME_FILES if path.parent.name == "games"}
    claims = {f"pitboss/claims/documents/{path.name}" for path in (ROOT / "claims").glob("*.toml")}
    assert games and claims and games | claims | {"pitboss/py.typed"} <= names
    assert any(name.endswith("LICENSE") and ".dist-info/" in name for name in names)
    modules = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src").rglob("*.py")}
    assert {name for name in names if name.endswith(".py")} == modules

    for game in ("bluff", "blackjack", "flop-poker-bonus", "packs-poker"):
        assert game in installed("pitboss", "games")
    ante = json.loads(installed("pitboss", "analyze", "bluff", "--json"))["wagers"][0]
    assert ante["wager"] == "ante" and ante["house_edge_exact"] == "171/4043"
    edge = installed("python", "-c", "import pitboss as pb; print(pb.study('bluff').wager('ante').edge)")
    assert edge == "4.2295%, exact 171/4043\n"
    where = installed("python", "-c", "from pitboss.claims import shipped_claims; print(*shipped_claims(), sep='\\n')")
    files = where.splitlines()
    assert {Path(file).name for file in files} == {Path(name).name for name in claims}
    assert all(not Path(file).is_relative_to(ROOT) for file in files)
    quick = next(file for file in files if file.endswith("flop-poker-bonus.toml"))
    summary = json.loads(installed("pitboss", "verify", "--json", quick))["summary"]
    assert summary["confirmed"] == 9 and summary["contradicted"] == 0
