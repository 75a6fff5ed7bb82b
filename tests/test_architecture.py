"""Which way the doors open, and what must not wait for what."""

import ast
import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers import GAME_FILES, OPEN_ENDED, ROOT, SOURCE, load_game

ROOMS = ("cards", "hands", "rules", "compile", "exact", "simulate", "table", "design", "protect", "floor")
BESIDE = ({"simulate", "table"}, {"design", "protect", "floor"})  # rooms that know those before, and not each other
MODULES = [p for p in sorted(SOURCE.rglob("*.py")) if p.relative_to(SOURCE).parts[0] in (*ROOMS, "results.py")]
JUDGES = sorted((SOURCE / "claims").glob("*.py"))  # they load the game that a claim names, and know none


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


def test_imports_are_found_where_they_stand() -> None:
    found = set(imports(SOURCE / "exact" / "analysis.py"))
    assert {"numpy", "pitboss.compile", "pitboss.compile.Keys"} <= found


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_no_interpreter_imports_a_game_or_the_command_line(path: Path) -> None:
    forbidden = ("pitboss.games", "pitboss.catalog", "pitboss.cli")
    assert not [name for name in imports(path) if name.startswith(forbidden)]


@pytest.mark.parametrize("path", [*MODULES, *JUDGES], ids=lambda p: str(p.relative_to(SOURCE)))
def test_no_interpreter_knows_a_game_by_name(path: Path) -> None:
    names = {load_game(p).name for p in GAME_FILES} | {load_game(p).title for p in GAME_FILES}
    spellings = {n.lower().replace(" ", x).replace("-", x) for n in names for x in ("-", "_", " ", "")}
    text = path.read_text().lower()
    assert not [name for name in spellings if name in text]


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_a_room_knows_only_those_before_it(path: Path) -> None:
    here = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    later = {"results": ROOMS[2:], "drawn": ROOMS[2:]}.get(here) or ROOMS[ROOMS.index(here) + 1 :]
    later = (*later, *(room for rooms in BESIDE if here in rooms for room in rooms - {here}))
    assert not [name for name in imports(path) if name.startswith(tuple(f"pitboss.{room}" for room in later))]


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


@pytest.mark.parametrize("room", [f"pitboss.{room}" for room in (*ROOMS, "claims")])
def test_what_a_room_offers_is_there_and_sorted(room: str) -> None:
    module = importlib.import_module(room)
    offered = getattr(module, "__all__", [])
    assert offered or room == "pitboss.hands"  # which is imported by its modules
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


@pytest.mark.skipif(not (SOURCE / "cli" / "__init__.py").exists(), reason="there is no command line yet")
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


@pytest.mark.parametrize("path", [*GAME_FILES, *MODULES, *JUDGES], ids=lambda p: p.stem)
def test_files_stay_readable(path: Path) -> None:
    """Games under about 170 lines, everything else under 450."""
    lines = len(path.read_text().splitlines())
    assert lines <= (400 if path in OPEN_ENDED else 170 if path in GAME_FILES else 450), (
        f"{path.name} has {lines} lines; split it"
    )
