"""Data never runs: what a log or a claims file names is compared with what is known, and never opened as a program."""

import ast
import json
import os
import shutil
from pathlib import Path

import pytest

import pitboss as pb
from helpers import ROOT, SOURCE
from pitboss.catalog import load, named
from pitboss.claims import read_claims
from pitboss.cli import main
from pitboss.games.bluff import GAME as BLUFF
from pitboss.live.chain import START, sealed
from pitboss.rules import BadInput
from pitboss.rules.files import game_of, shipped_game

EVIL = "from pathlib import Path\nPath(__file__).with_name('it_ran').touch()\nfrom pitboss.games.bluff import GAME\n"
CLAIM = '[[claim]]\nid = "X"\nsays = "it"\nwhere = "here"\nprinted = "4.23%"\nwager = "ante"\n'


@pytest.fixture
def evil(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that leaves a mark when it runs, under every name by which somebody may try to have it run."""
    path = tmp_path / "evil.py"
    path.write_text(EVIL)
    (tmp_path / "below").mkdir()
    for other in ("bluff.py", "bluff", "evil", ".py", "below/evil.py", "a b.py", "ev\u0131l.py"):
        shutil.copy(path, tmp_path / other)
    os.symlink(path, tmp_path / "linked.py")
    os.symlink(tmp_path, tmp_path / "games")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return path


def spellings(evil: Path) -> list[str]:
    here = evil.parent
    up = os.path.relpath(here, SOURCE / "games")
    return [
        "evil.py", str(evil), "./evil.py", "below/../evil.py", f"../{here.name}/evil.py", "evil", str(evil)[:-3],
        "bluff.py", f"{here}/bluff", "./bluff", "bluff/../bluff.py", "linked.py", "games/evil.py", ".py", "a b.py",
        "evil.PY", "EVIL.py", f"file://{evil}", f"{up}/evil", f"{up}/evil.py", "../games/bluff", "..\\evil.py",
        "evil.py\0", "evil.py ", " bluff", "BLUFF", "bluff\n", "pitboss.games.bluff", "__init__", "--init--",
        "ev\u0131l.py", "~/evil.py", "$PWD/evil.py", "",
    ]  # fmt: skip


def ran(evil: Path) -> list[Path]:
    return list(evil.parent.rglob("it_ran"))


def log_of_game(path: Path, name: object) -> Path:
    """A log that is right in all but the game that it names."""
    t = pb.table("bluff", seed=1, log=path)
    t.bet(1, ante=10)
    t.deal()
    t.choose(1, "raise")
    t.close()
    entries = [json.loads(line) for line in path.read_text().splitlines()]
    last, out = START, b""
    for entry in entries:
        entry = {k: name if k == "game" else v for k, v in entry.items() if k not in ("after", "sha256")}
        line, last = sealed(entry, last)
        out += line
    path.write_bytes(out)
    return path


def test_a_log_runs_no_file(evil: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number, name in enumerate([*spellings(evil), 5, None, ["evil.py"], {"game": "evil.py"}]):
        log = log_of_game(evil.parent / f"log{number}", name)
        assert main(["replay", str(log)]) == 2, name
        assert "line 1" in capsys.readouterr().err
        plain = json.loads(log.read_text().splitlines()[0]) | {"events": [], "seats": [], "cards": [], "choices": []}
        del plain["line"]
        log.write_text(json.dumps(plain))  # as logs were before they had a chain
        assert main(["replay", str(log)]) == 2, name
    assert not ran(evil)


def test_a_claims_file_runs_no_file(evil: Path, capsys: pytest.CaptureFixture[str]) -> None:
    claims = evil.parent / "claims.toml"
    for name in spellings(evil):
        for text in (f"game = {json.dumps(name)}\n{CLAIM}", f'game = "bluff"\n{CLAIM}game = {json.dumps(name)}\n'):
            claims.write_text(text)
            assert main(["verify", str(claims)]) == 2, name
            assert main(["verify", str(claims), str(ROOT / "claims" / "flop-poker-bonus.toml")]) == 2, name
            with pytest.raises(BadInput):
                pb.verify(claims)
    assert "claims.toml" in capsys.readouterr().err and not ran(evil)


def test_a_reference_that_is_no_file_leads_to_a_shipped_game_or_nowhere(evil: Path) -> None:
    for name in spellings(evil):
        for ask in (shipped_game, lambda text: named(text, (), "it")):
            with pytest.raises(BadInput):
                ask(name)
        if not name.endswith(".py"):
            with pytest.raises(BadInput):
                game_of(name)
    assert not ran(evil) and shipped_game("bluff").name == "bluff"


def test_the_message_says_the_way_on(evil: Path, capsys: pytest.CaptureFixture[str]) -> None:
    claims = evil.parent / "claims.toml"
    claims.write_text(f'game = "evil.py"\n{CLAIM}')
    assert main(["verify", str(claims)]) == 2
    said = capsys.readouterr().err
    assert "about the game file 'evil.py'; a game file is a program, so name it yourself with --game" in said
    with pytest.raises(BadInput, match="with `games`"):
        pb.verify(claims)


# ---- what the user names


def test_a_file_that_the_user_names_is_judged_and_told(evil: Path, capsys: pytest.CaptureFixture[str]) -> None:
    claims, game = evil.parent / "claims.toml", load(str(evil))
    for name in ("evil.py", "bluff", "somewhere/else/evil.py"):
        claims.write_text(f'game = "{name}"\n{CLAIM}')
        assert main(["verify", str(claims), "--game", "evil.py"]) == 0
        said = capsys.readouterr().out
        assert f"game file evil.py, sha256 {game.sha256}" in said and "pitboss analyze evil.py --wager ante" in said
        (told,) = pb.verify(claims, games=evil).json()["documents"]
        assert told["games"] == [{"game": "bluff", "file": "evil.py", "game_file_sha256": game.sha256}]
    assert main(["verify", str(claims), "--game", "evil.py", "--markdown"]) == 0
    assert game.sha256 in capsys.readouterr().out
    two = [str(claims), str(ROOT / "claims" / "flop-poker-bonus.toml")]
    assert main(["verify", *two, "--game", "evil.py"]) == 0, "also in processes beside each other"


def test_a_hash_in_the_claims_must_be_that_of_the_file(evil: Path, capsys: pytest.CaptureFixture[str]) -> None:
    claims, sha256 = evil.parent / "claims.toml", load(str(evil)).sha256
    for head, more, code in (
        (f'game = "evil.py"\nsha256 = "{sha256}"\n', "", 0),
        ('game = "evil.py"\nsha256 = "00"\n', "", 2),
        ('game = "bluff"\n', 'sha256 = "00"\n', 2),
        (
            f'game = "evil.py"\nsha256 = "{sha256}"\n',
            'game = "flop-poker-bonus"\n',
            2,
        ),  # no ante of that edge there, but
    ):
        claims.write_text(head + CLAIM + more)
        assert main(["verify", str(claims), "--game", "evil.py"]) == code, (head, more)
    evil.write_text(EVIL + "# changed\n")
    claims.write_text(f'game = "evil.py"\nsha256 = "{sha256}"\n{CLAIM}')
    assert main(["verify", str(claims), "--game", "evil.py"]) == 2
    assert "another file" in capsys.readouterr().err
    claims.write_text(f'game = "evil.py"\nsha256 = 5\n{CLAIM}')
    assert main(["verify", str(claims), "--game", "evil.py"]) == 2


def test_a_file_that_nothing_is_about_is_told(evil: Path, capsys: pytest.CaptureFixture[str]) -> None:
    claims = evil.parent / "claims.toml"
    claims.write_text(f'game = "flop-poker-bonus"\n{CLAIM}')
    assert main(["verify", str(claims), "--game", "evil.py"]) == 2
    assert "no claim is about bluff (evil.py)" in capsys.readouterr().err


def test_of_two_files_of_one_name_none_is_taken(evil: Path) -> None:
    other = evil.parent / "below" / "evil.py"
    other.write_text(EVIL + "# other\n")
    claims = evil.parent / "claims.toml"
    claims.write_text(f'game = "evil.py"\n{CLAIM}')
    with pytest.raises(BadInput, match="2 of the `games`"):
        pb.verify(claims, games=[evil, other])
    assert not pb.verify(claims, games=[evil, evil]).wrong


def test_a_log_of_a_game_of_ones_own_needs_its_very_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine, log = tmp_path / "mine.py", tmp_path / "log"
    text = (ROOT / "examples" / "casino_war.py").read_text()
    mine.write_text(text)
    t = pb.table(pb.game(mine), seed=1, log=log)
    t.bet(1, ante=10)
    t.deal()
    t.close()
    assert main(["replay", str(log)]) == 2
    assert "not shipped" in (said := capsys.readouterr().err) and "with --game" in said
    assert main(["replay", str(log), "--game", str(mine)]) == 0
    assert len(pb.replay(log, games=[mine]).rounds) == 1
    mine.write_text(text + "\n# changed\n")
    assert main(["replay", str(log), "--game", str(mine)]) == 2
    assert "another game file" in capsys.readouterr().err


def test_the_hash_is_that_of_the_text_that_was_run(evil: Path) -> None:
    """Not of what stands in the file later, and not of the file that its play is borrowed from."""
    game = load(str(evil))
    evil.write_text("")
    assert game.file == evil.resolve() and game.sha256 not in ("", BLUFF.sha256)
    assert game.reference() == str(evil.resolve())


def test_a_claim_is_read_with_its_game_and_not_judged_by_another(evil: Path) -> None:
    claims = evil.parent / "claims.toml"
    claims.write_text(f'game = "bluff"\n{CLAIM}')
    (claim,) = read_claims(claims).claims
    assert claim.usual.game.file == BLUFF.path


# ---- who may load a file


def test_only_the_front_doors_load_files() -> None:
    """A path becomes a program in `rules/files.py`; `catalog.load` is the way there, and only what a user types goes
    it. A house that is sent to another process names the file that this one has run already."""
    may = {"rules/files.py", "rules/house.py", "catalog.py", "library.py", "web/games.py"}  # those named at its start
    may |= {"rules/sent.py"}  # whose text comes from the machine that this one works for
    may |= {f"cli/{name}.py" for name in ("asked", "demo", "examples", "reference", "replay", "verify")}
    rooms = ("catalog", "rules.files", "rules")
    for path in sorted(SOURCE.rglob("*.py")):
        room, used = path.relative_to(SOURCE).as_posix(), set[str]()
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").removeprefix("pitboss.") in rooms:
                used |= {alias.name for alias in node.names} & {"load_file", "game_of", "game_sent", "load", "files"}
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                used |= {node.func.id} & {"exec", "eval", "compile"}
        assert not used or room in may, (room, used)
