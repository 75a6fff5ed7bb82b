"""The cache: in a folder that is the user's alone, and nothing is believed but what was written there by him."""

import ctypes
import hashlib
import hmac
import os
import pickle
import subprocess
import sys
import textwrap
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from helpers import ROOT
from pitboss import disk
from pitboss.catalog import load
from pitboss.cli import main
from pitboss.compile import CompileError
from pitboss.compile import objects as object_files
from pitboss.compile.objects import Code, code_key
from pitboss.disk import NotKept, cache_directory, keep, recall
from pitboss.disk import cache as caching
from pitboss.exact import drawn_rules
from pitboss.hands import tables as hand_tables

A, B = f"{'a' * 32}.o", f"{'b' * 32}.o"
FORMAT = b"pitboss cache 2\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "cache"
    monkeypatch.setenv("PITBOSS_CACHE", str(place))
    return place


def look_again() -> None:
    """As another process would."""
    caching._CACHE.forget()


def names(folder: Path) -> set[str]:
    return {p.name for p in folder.iterdir()}


# ---- what is believed


def test_what_is_kept_comes_back(folder: Path) -> None:
    assert recall(A, bytes) is None
    for data in (b"", b"x", os.urandom(100_000)):
        keep(A, data)
        assert recall(A, bytes) == data
        look_again()
        assert recall(A, bytes) == data
    assert names(folder) == {A, "secret"}
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {p.stat().st_mode & 0o777 for p in folder.iterdir()} == {0o600}
    assert len((folder / "secret").read_bytes()) == 32


def swapped(folder: Path) -> None:
    (folder / A).rename(folder / "x")
    (folder / B).rename(folder / A)
    (folder / "x").rename(folder / B)


def renamed(folder: Path) -> None:
    os.replace(folder / B, folder / A)


def planted(folder: Path) -> None:
    """With a checksum that is right, as somebody writes it who does not know the secret."""
    for seal in (hashlib.sha256(b"evil").digest(), hmac.digest(b"", FORMAT + A.encode() + b"\0evil", "sha256")):
        (folder / A).write_bytes(FORMAT + seal + b"evil")


def as_before(folder: Path) -> None:
    """As versions before wrote it, without a seal."""
    (folder / A).write_bytes(b"pitboss cache 1\n" + hashlib.sha256(b"evil").digest() + b"evil")


def of_another_folder(folder: Path) -> None:
    theirs = folder.parent / "theirs"
    os.environ["PITBOSS_CACHE"] = str(theirs)
    keep(A, b"evil")
    os.environ["PITBOSS_CACHE"] = str(folder)
    os.replace(theirs / A, folder / A)


def linked(folder: Path) -> None:
    (folder / A).rename(folder.parent / A)
    (folder / A).symlink_to(folder.parent / A)


def a_pipe(folder: Path) -> None:
    (folder / A).unlink()
    os.mkfifo(folder / A)


def a_folder(folder: Path) -> None:
    (folder / A).unlink()
    (folder / A).mkdir()


def written_by_others(folder: Path) -> None:
    (folder / A).chmod(0o666)


def no_secret(folder: Path) -> None:
    (folder / "secret").unlink()


def a_short_secret(folder: Path) -> None:
    (folder / "secret").write_bytes((folder / "secret").read_bytes()[:31])


def a_long_secret(folder: Path) -> None:
    (folder / "secret").write_bytes((folder / "secret").read_bytes() + b"x")


def an_empty_secret(folder: Path) -> None:
    (folder / "secret").write_bytes(b"")


def a_secret_that_others_read(folder: Path) -> None:
    (folder / "secret").chmod(0o644)


def a_linked_secret(folder: Path) -> None:
    (folder / "secret").rename(folder.parent / "secret")
    (folder / "secret").symlink_to(folder.parent / "secret")


def open_to_all(folder: Path) -> None:
    folder.chmod(0o777)


def open_to_the_group(folder: Path) -> None:
    folder.chmod(0o770)


ATTACKS = (
    swapped, renamed, planted, as_before, of_another_folder, linked, a_pipe, a_folder, written_by_others, no_secret,
    a_short_secret, a_long_secret, an_empty_secret, a_secret_that_others_read, a_linked_secret, open_to_all,
    open_to_the_group,
)  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda f: f.__name__)
def test_what_somebody_else_could_have_written_is_made_again(folder: Path, attack: Callable[[Path], None]) -> None:
    keep(A, b"mine")
    keep(B, b"other")
    attack(folder)
    look_again()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert recall(A, bytes) is None
        keep(A, b"again")
    if attack is not a_folder:  # which stays where it is
        assert recall(A, bytes) == b"again"
        look_again()
        assert recall(A, bytes) == b"again"
    assert folder.stat().st_mode & 0o777 == 0o700 and (folder / "secret").stat().st_mode & 0o777 == 0o600


def test_every_changed_byte_is_noticed(folder: Path) -> None:
    keep(A, b"as it was")
    good = (folder / A).read_bytes()
    for at in range(len(good)):
        (folder / A).write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
        assert recall(A, bytes) is None
    for length in range(len(good)):
        (folder / A).write_bytes(good[:length])
        assert recall(A, bytes) is None
    (folder / A).write_bytes(good)
    assert recall(A, bytes) == b"as it was"


def test_a_folder_that_others_could_only_read_is_closed_and_used(folder: Path) -> None:
    keep(A, b"mine")
    folder.chmod(0o755)
    look_again()
    assert recall(A, bytes) == b"mine"
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_file_too_large_to_be_ours_is_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(A, b"x" * 1000)
    monkeypatch.setattr(caching, "MOST_IN_ONE", 999)
    assert recall(A, bytes) is None
    keep(B, b"x" * 1000)
    assert names(folder) == {A, "secret"}


def test_what_cannot_be_made_out_is_made_again(folder: Path) -> None:
    keep(A, b"not a pickle")
    assert recall(A, pickle.loads) is None
    assert recall(A, lambda raw: {}[raw]) is None


def test_names_are_those_that_are_swept(folder: Path) -> None:
    for name in ("../x.o", "secret", "x.o", f".{A}", A.upper()):
        with pytest.raises(ValueError, match="is not the name of a thing that can be made again"):
            keep(name, b"")


# ---- a folder that is not used at all


def not_used(folder: Path, why: str) -> None:
    """Nothing is read there, nothing written, it is said once, and nothing stops."""
    before = sorted((p.name, p.lstat().st_mtime_ns) for p in folder.iterdir()) if folder.is_dir() else None
    look_again()
    with pytest.warns(NotKept, match=why) as told:
        assert recall(A, bytes) is None
        keep(A, b"mine")
        assert recall(A, bytes) is None
    assert len(told) == 1 and "\n" not in str(told[0].message) and str(folder) in str(told[0].message)
    after = sorted((p.name, p.lstat().st_mtime_ns) for p in folder.iterdir()) if folder.is_dir() else None
    assert before == after


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_user_is_not_used(folder: Path) -> None:
    keep(A, b"theirs")
    os.chown(folder, 12345, 12345)
    not_used(folder, "it belongs to another user")


def test_a_folder_of_the_user_is_not_used_by_another(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(A, b"mine")
    monkeypatch.setattr(disk.folder, "_user", lambda: os.geteuid() + 1)
    not_used(folder, "it belongs to another user")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a link away")
def test_a_link_of_another_user_is_not_followed(folder: Path) -> None:
    keep(A, b"mine")
    folder.rename(folder.parent / "elsewhere")
    folder.symlink_to(folder.parent / "elsewhere")
    os.chown(folder, 12345, 12345, follow_symlinks=False)
    not_used(folder, "it is a link that somebody else made")


def test_a_link_of_the_user_is_followed(folder: Path) -> None:
    (folder.parent / "large disk").mkdir(0o700)
    folder.symlink_to(folder.parent / "large disk")
    keep(A, b"mine")
    assert recall(A, bytes) == b"mine" and names(folder.parent / "large disk") == {A, "secret"}


@pytest.mark.parametrize("mode", [0o700, 0o755, 0o770, 0o1777])
@pytest.mark.parametrize("names", [["letter.txt"], ["letter.txt", "secret"], ["tmpabcd1234"], [".profile", "secret"]])
def test_a_folder_with_other_things_is_left_as_it_is(folder: Path, mode: int, names: list[str]) -> None:
    """A home, say: a file of the user's may be called as ours are, and is old enough to be swept."""
    folder.mkdir()
    for name in names:
        (folder / name).write_text("dear")
        os.utime(folder / name, (0, 0))
    folder.chmod(mode)
    not_used(folder, "for other things than this cache|'secret' that is not of this cache")
    assert folder.stat().st_mode & 0o7777 == mode and {p.read_text() for p in folder.iterdir()} == {"dear"}


def test_a_file_called_secret_is_not_taken_for_ours(folder: Path) -> None:
    folder.mkdir(0o700)
    (folder / "secret").write_text("where the key is")
    not_used(folder, "it holds a file 'secret' that is not of this cache")
    assert (folder / "secret").read_text() == "where the key is"


def test_a_folder_where_everybody_may_write_is_left_as_it_is(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o1777)
    not_used(folder, "it is open to others, and for other things")
    assert folder.stat().st_mode & 0o7777 == 0o1777


def test_a_file_is_no_folder(folder: Path) -> None:
    folder.write_text("not a folder")
    not_used(folder, "Not a directory")
    assert folder.read_text() == "not a folder"


def test_a_secret_that_cannot_be_replaced(folder: Path) -> None:
    (folder / "secret").mkdir(0o700, parents=True)
    folder.chmod(0o700)
    not_used(folder, "nothing is kept in")


def test_the_command_line_says_it_in_one_sentence(folder: Path) -> None:
    folder.write_text("not a folder")
    words = [sys.executable, "-m", "pitboss", "analyze", "bluff", "--wager", "suit-tie"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert done.returncode == 0 and "house edge" in done.stdout
    assert done.stderr.startswith("pitboss: nothing is kept in") and done.stderr.count("\n") == 1


def test_an_analysis_needs_no_cache(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder.write_text("not a folder")
    assert main(["analyze", "bluff", "--json"]) == 0
    without, err = capsys.readouterr()
    assert err.startswith("pitboss: nothing is kept in") and err.count("\n") == 1
    folder.unlink()
    look_again()
    assert main(["analyze", "bluff", "--json"]) == 0 == main(["analyze", "bluff", "--json"])
    assert capsys.readouterr().out == 2 * without


def test_where_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", "/home/x")
    monkeypatch.setenv("PITBOSS_CACHE", "")
    for base, place in (("", "/home/x/.cache"), ("relative", "/home/x/.cache"), ("/xdg", "/xdg")):
        monkeypatch.setenv("XDG_CACHE_HOME", base)
        assert cache_directory() == Path(place) / "pitboss"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PITBOSS_CACHE", "here")
    assert cache_directory() == tmp_path / "here"
    monkeypatch.delenv("PITBOSS_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # as where nobody knows the user
    assert cache_directory() is None and recall(A, bytes) is None
    keep(A, b"nowhere")
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_removed_is_made_again(folder: Path) -> None:
    keep(A, b"mine")
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    keep(A, b"lost")
    keep(A, b"again")
    assert recall(A, bytes) == b"again" and names(folder) == {A, "secret"}


# ---- a full disk, many processes, and no more than fits


def in_a_process(script: str) -> "subprocess.Popen[str]":
    head = f"from pitboss.disk import keep, recall\nA = {A!r}\n"
    return subprocess.Popen(
        [sys.executable, "-c", head + textwrap.dedent(script)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )


def test_a_full_disk_leaves_nothing_behind(folder: Path) -> None:
    keep(A, b"before")
    child = in_a_process("""
        import resource
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        keep(A, b"x" * 5000)
        print(recall(A, bytes))
    """)
    assert child.communicate(timeout=60)[0] == "b'before'\n"
    assert names(folder) == {A, "secret"}


def test_many_processes_make_the_folder_at_once(folder: Path) -> None:
    """They agree on one secret: what each keeps, all believe."""
    ready = folder.parent / "ready"
    script = f"""
        import os, time
        while not os.path.exists({str(ready)!r}):
            time.sleep(0.001)
        keep(f"{{os.getpid():032x}}.o", b"mine")
    """
    children = [in_a_process(script) for _ in range(8)]
    ready.touch()
    assert [child.wait(timeout=60) for child in children] == [0] * 8
    kept = sorted(names(folder) - {"secret"})
    assert len(kept) == 8 and all(recall(name, bytes) == b"mine" for name in kept)


def test_a_system_without_users_links_and_locks(folder: Path) -> None:
    """Where folders cannot be opened and nobody has a number: kept, sealed and locked as far as it goes."""
    script = f"""
        import os, sys
        sys.modules["fcntl"] = None
        for name in ("geteuid", "O_NOFOLLOW", "O_DIRECTORY", "O_NONBLOCK", "O_CLOEXEC", "fchmod"):
            delattr(os, name)
        def link(*_, **__):
            raise OSError("this disk has none")
        os.link = link
        from pathlib import Path
        from pitboss.disk import keep, locked, recall
        from pitboss.disk.cache import _CACHE
        keep({A!r}, b"mine")
        keep({B!r}, b"other")
        print(recall({A!r}, bytes))
        _CACHE.forget()
        print(recall({A!r}, bytes))
        os.replace({str(folder / A)!r}, {str(folder / B)!r})
        print(recall({B!r}, bytes))
        with locked(Path({str(folder)!r}) / "x"):
            print(sorted(os.listdir({str(folder)!r})))
    """
    words = [sys.executable, "-c", textwrap.dedent(script)]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert done.stdout.splitlines() == ["b'mine'", "b'mine'", "None", repr([B, "secret"])], done.stderr


def test_what_was_not_used_for_longest_goes_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    many = [f"{i:032x}.o" for i in range(6)]
    for i, name in enumerate(many):
        keep(name, b"x" * 300_000)
        os.utime(folder / name, (1000 + i, 1000 + i))
    (folder / "letter.txt").write_text("x" * 3_000_000)
    assert recall(many[0], bytes) is not None  # and is the one used last
    monkeypatch.setenv("PITBOSS_CACHE_MB", "1")
    look_again()
    keep(A, b"new")
    assert names(folder) == {A, many[0], many[4], many[5], "secret", "letter.txt"}


def test_it_is_swept_now_and_then_as_it_grows(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITBOSS_CACHE_MB", "1")
    for i in range(40):
        keep(f"{i:032x}.o", b"x" * 100_000)
    assert sum(p.stat().st_size for p in folder.iterdir()) < 1.25 * (1 << 20)


@pytest.mark.parametrize(("said", "kept"), [("0", False), ("1", True), (" 2 ", True), ("999999999", True)])
def test_how_much_is_kept(folder: Path, monkeypatch: pytest.MonkeyPatch, said: str, kept: bool) -> None:
    monkeypatch.setenv("PITBOSS_CACHE_MB", said)
    keep(A, b"x")
    assert (recall(A, bytes) is not None) == kept


@pytest.mark.parametrize("said", ["-1", "1.5", "1e9999999", "x" * 9999, "١٢", "1" * 5000, "1 2"])
def test_how_much_is_kept_is_a_whole_number(folder: Path, monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    monkeypatch.setenv("PITBOSS_CACHE_MB", said)
    caching._tell.cache_clear()
    with pytest.warns(NotKept, match="PITBOSS_CACHE_MB is a whole number of megabytes, not .*; it is taken to be 512"):
        keep(A, b"x")
    assert recall(A, bytes) == b"x"


def test_what_killed_processes_leave_behind_is_removed(folder: Path) -> None:
    keep(A, b"mine")
    old, new = f".{A}.{'0' * 16}.part", f".{A}.{'1' * 16}.part"
    for name in (old, new, "tmpabcd_123", "tmp"):
        (folder / name).write_bytes(b"half")
    for name in (old, "tmpabcd_123", "tmp"):
        os.utime(folder / name, (1000, 1000))
    look_again()
    keep(B, b"mine")
    assert names(folder) == {A, B, "secret", new, "tmp"}, "another process may be writing the new one"


# ---- who keeps things there


IR = "define i64 @{name}() {{ ret i64 {value} }}"


def answer(ir: str) -> int:
    return int(Code(ir).function("f", result=ctypes.c_int64)())


def test_machine_code_that_was_swapped_is_never_run(folder: Path) -> None:
    one, two = (IR.format(name="f", value=v) for v in (1, 2))
    assert (answer(one), answer(two)) == (1, 2)
    first, second = (folder / f"{code_key(ir)}.o" for ir in (one, two))
    was = first.read_bytes(), second.read_bytes()
    first.write_bytes(was[1])
    second.write_bytes(was[0])
    assert (answer(one), answer(two)) == (1, 2)
    assert (first.read_bytes(), second.read_bytes()) == was


def test_machine_code_without_its_function_is_a_clear_error(folder: Path) -> None:
    ir = IR.format(name="f", value=1)
    keep(f"{code_key(ir)}.o", object_files._compile(IR.format(name="g", value=1), object_files._machine()))
    with pytest.raises(CompileError, match="no function f in the compiled module"):
        answer(ir)


def test_a_planted_pickle_is_not_loaded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawn_rules, "Rules", Small)
    drawn_rules._RECENT.clear()
    house = load("blackjack").at()
    made = drawn_rules.rules_of(house)
    (file,) = (p for p in folder.iterdir() if p.suffix == ".rules")
    evil = pickle.dumps(Evil())
    file.write_bytes(b"pitboss cache 1\n" + hashlib.sha256(evil).digest() + evil)
    for kept in (None, pickle.dumps({"another": "class"}), b"no pickle", b"cno_such_module\nThing\n."):
        if kept is not None:
            keep(file.name, kept)
        drawn_rules._RECENT.clear()
        assert drawn_rules.rules_of(house) == made
    drawn_rules._RECENT.clear()


class Small:
    """In place of rules that take a second to make."""

    def __init__(self, *_: object) -> None:
        pass

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Small)

    __hash__ = None  # type: ignore[assignment]


class Evil:
    def __reduce__(self) -> tuple[Callable[[str], object], tuple[str]]:
        return pytest.fail, ("a planted pickle was loaded",)


def test_tables_that_cannot_be_made_out_are_built_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = hand_tables.hand_tables()
    monkeypatch.setattr(hand_tables, "_build", lambda: built)
    hand_tables.hand_tables.__wrapped__()
    (file,) = (p for p in folder.iterdir() if p.suffix == ".npz")
    keep(file.name, b"no arrays")
    assert hand_tables.hand_tables.__wrapped__() is built
    assert hand_tables.hand_tables.__wrapped__() is not built, "from disk again"
