"""Which way the doors open, and what must not wait for what."""

import ast
import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers import GAME_FILES, OPEN_ENDED, ROOT, SOURCE, load_game

ROOMS = (
    "disk", "cards", "hands", "rules", "ledger", "compile", "thumb", "exact", "deal", "live", "tune", "guard", "earn",
    "sheets", "felt", "jurisdictions", "approval", "train", "vault", "pit", "trials", "crew",
)  # fmt: skip
MODULES = [p for p in sorted(SOURCE.rglob("*.py")) if p.relative_to(SOURCE).parts[0] in ROOMS]
JUDGES = sorted((SOURCE / "claims").glob("*.py"))  # they load the game that a claim names, and know none
FACES = sorted((SOURCE / "cli").glob("*.py"))


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, wherever the import stands."""
    package = ["pitboss", *path.relative_to(SOURCE).parent.parts] if path.is_relative_to(SOURCE) else []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def test_no_interpreter_knows_a_game_by_name() -> None:
    """Which room may import which is the import linter's to say; that none spells the name of a game is said here."""
    names = {load_game(p).name for p in GAME_FILES} | {load_game(p).title for p in GAME_FILES}
    spellings = {n.lower().replace(" ", x).replace("-", x) for n in names for x in ("-", "_", " ", "")}
    for path in (*MODULES, *JUDGES):
        text = path.read_text().lower()
        assert not [name for name in spellings if name in text], path


def test_which_kernel_counts_is_asked_in_one_place() -> None:
    """A study alone tries kernels, through `offered`; no other room builds them, or tries one after another."""
    for path in (*MODULES, *JUDGES, *FACES):
        room = path.relative_to(SOURCE)
        text = path.read_text()
        if room.parts[0] != "exact":
            assert "exact.kernels" not in text and "KERNELS" not in text, room
        if room.as_posix() not in ("exact/study.py", "exact/offered.py"):
            assert "except TooLarge" not in text or room.parts[0] in ("claims", "guard"), room


def test_houses_are_changed_in_one_way() -> None:
    for path in (*MODULES, *JUDGES, *FACES):
        if path.relative_to(SOURCE).as_posix() not in ("rules/game.py", "rules/house.py"):
            assert "replace(house" not in path.read_text() and "replace(self.house" not in path.read_text(), path


def test_the_library_speaks_of_arguments_and_not_of_flags() -> None:
    for path in (*MODULES, *JUDGES, *sorted((SOURCE / "plot").glob("*.py"))):
        if path.name == "identity.py" or path.parent.name == "claims":
            continue  # they write commands, which have flags
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert not re.search(r"(^|[\s(`'])--[a-z]", node.value), (path, node.value)


@pytest.mark.parametrize("path", GAME_FILES, ids=lambda p: p.stem)
def test_a_game_file_knows_the_vocabulary_and_nothing_else(path: Path) -> None:
    modules = {name.partition(".")[0] for name in imports(path)}
    tree = ast.parse(path.read_text())
    ours = {
        n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and (n.module or "").startswith("pitboss")
    }
    if path.is_relative_to(ROOT / "examples"):  # a user may build on a shipped game
        ours = {name for name in ours if not (name or "").startswith("pitboss.games.")}
    assert ours == {"pitboss.rules"} and not modules & {"numpy", "random", "secrets", "llvmlite"}


def in_order(name: str) -> tuple[int, str]:
    """CONSTANTS, then Classes, then functions, as ruff sorts them."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


@pytest.mark.parametrize("room", [f"pitboss.{room}" for room in (*ROOMS, "claims", "packets")])
def test_what_a_room_offers_is_there_and_sorted(room: str) -> None:
    module = importlib.import_module(room)
    offered = getattr(module, "__all__", [])
    assert offered or room in ("pitboss.hands", "pitboss.ledger")  # which are imported by their modules
    assert all(hasattr(module, name) for name in offered)
    assert list(offered) == sorted(set(offered), key=in_order)


def test_game_files_get_all_they_import_from_the_vocabulary() -> None:
    rules = importlib.import_module("pitboss.rules")
    for path in GAME_FILES:
        used = {n.removeprefix("pitboss.rules.") for n in imports(path) if n.startswith("pitboss.rules.")}
        assert used <= set(rules.__all__), path


# ---- what answers at once


def loaded_by(statement: str) -> set[str]:
    """The top-level modules that a fresh Python has after this statement."""
    script = f"import sys; {statement}; print(*sorted({{m.partition('.')[0] for m in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(done.stdout.splitlines()[-1].split())


def test_the_front_door_opens_nothing_that_is_not_asked_for() -> None:
    assert not loaded_by("import pitboss") & {"numpy", "rich", "llvmlite", "fractions", "typing", "dataclasses"}


def test_the_command_line_waits_for_nothing_heavy() -> None:
    assert not loaded_by("import pitboss.cli") & {"numpy", "rich", "llvmlite"}
    listed = "import contextlib, io, pitboss.cli; contextlib.redirect_stdout(io.StringIO()).__enter__(); "
    listed += "pitboss.cli.main(['games']); sys.stdout = sys.__stdout__"
    assert not loaded_by(listed) & {"numpy", "rich", "llvmlite"}


def test_the_rules_wait_for_nothing_heavy() -> None:
    assert not loaded_by("import pitboss.rules") & {"numpy", "rich", "llvmlite"}


def test_a_test_that_looks_for_modules_can_find_one() -> None:
    assert "numpy" in loaded_by("import pitboss.compile")


# ---- files of a size that one can read


def test_files_stay_readable() -> None:
    """Games under about 170 lines, everything else under 400."""
    for path in (*GAME_FILES, *MODULES, *JUDGES, *FACES):
        lines = len(path.read_text().splitlines())
        most = 170 if path in GAME_FILES and path not in OPEN_ENDED else 400
        assert lines <= most, f"{path.name} has {lines} lines; split it"
