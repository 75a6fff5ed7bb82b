"""Where a case is run: a folder, an environment and streams of its own, a limit on memory and on time."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from fuzz.case import FOLDER, PIPE, UNREADABLE, Case, Ended, Verdict
from fuzz.judge import STUCK, judge

ROOT = Path(__file__).resolve().parent.parent
MOST_READ = 1 << 20


class Arena:
    """Some servers, as many cases at a time as there are servers, and one cache that all share."""

    def __init__(self, keep: Path, workers: int = 0, stuck: float = STUCK) -> None:
        self.keep, self.stuck = keep, stuck
        self.workers = workers or os.cpu_count() or 1
        self.cache = keep / "cache"
        self.cache.mkdir(parents=True, mode=0o700, exist_ok=True)
        self.home = keep / "home"
        self.home.mkdir(exist_ok=True)
        self._idle: SimpleQueue[_Server] = SimpleQueue()
        self._servers = [_Server() for _ in range(self.workers)]
        for server in self._servers:
            self._idle.put(server)
        self._pool = ThreadPoolExecutor(self.workers)

    def __enter__(self) -> "Arena":
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()
        for server in self._servers:
            server.close()

    def judged(self, cases: Iterable[Case]) -> Iterator[tuple[Case, Ended, Verdict]]:
        """Every case with its verdict, as they end. A hang is tried again, for the machine may have been busy."""
        running: set[Future[tuple[Case, Ended, Verdict]]] = set()
        for case in cases:
            running.add(self._pool.submit(self.one, case))
            if len(running) > 2 * self.workers:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        yield from (future.result() for future in running)

    def one(self, case: Case, keep_in: Path | None = None) -> tuple[Case, Ended, Verdict]:
        """Run one case and judge it; its folder is kept where that is asked for."""
        for attempt in (1, 2):
            folder = Path(tempfile.mkdtemp(prefix="case-", dir=self.keep))
            try:
                ended = self._run(case, folder)
                verdict = judge(case, ended)
                if verdict.word == "hang" and attempt == 1:
                    continue
                if keep_in is not None:
                    shutil.rmtree(keep_in, ignore_errors=True)
                    shutil.copytree(folder, keep_in, symlinks=True, ignore=_no_pipes)
                    (keep_in / "COMMAND").write_text(command(case), errors="backslashreplace")
                return case, ended, verdict
            finally:
                shutil.rmtree(folder, ignore_errors=True)
        raise AssertionError

    def lay_out(self, case: Case, folder: Path) -> None:
        """The files and the command of a case, without running it."""
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "work").mkdir(parents=True)
        put(case, folder / "work")
        (folder / "COMMAND").write_text(command(case), errors="backslashreplace")

    def _run(self, case: Case, folder: Path) -> Ended:
        work = folder / "work"
        work.mkdir()
        put(case, work)
        streams = [str(folder / "in"), str(folder / "out"), str(folder / "err")]
        (folder / "in").write_bytes(case.stdin or b"")
        if case.stdin is None:
            streams[0] = "closed"
        if case.stdout != "file":
            streams[1] = case.stdout
        job = {
            "argv": case.argv, "folder": str(work), "env": self._environment(case, folder), "streams": streams,
            "interrupt": case.interrupt, "seconds": self.stuck, "cold": case.cold,
        }  # fmt: skip
        server = self._idle.get()
        try:
            found = server.run(job)
        finally:
            self._idle.put(server)
        return Ended(
            found["code"], found["seconds"], found["hang"], found["memory"], _read(folder / "out"),
            _read(folder / "err"), work,
        )  # fmt: skip

    def _environment(self, case: Case, folder: Path) -> dict[str, str]:
        usual = {
            "PATH": os.environ.get("PATH", ""), "HOME": str(self.home), "PITBOSS_CACHE": str(self.cache),
            "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "80", "TERM": "dumb", "MPLCONFIGDIR": str(self.home),
            "TMPDIR": str(folder),
        }  # fmt: skip
        return {name: value for name, value in {**usual, **case.env}.items() if value is not None}


def put(case: Case, folder: Path) -> None:
    """The files of a case, where it will look for them."""
    for name in (*case.files, *case.special):
        (folder / name).parent.mkdir(mode=0o700, exist_ok=True)
    for name, data in case.files.items():
        (folder / name).write_bytes(data)
        (folder / name).chmod(0o600)
    for name, what in case.special.items():
        if what == FOLDER:
            (folder / name).mkdir()
        elif what == PIPE:
            os.mkfifo(folder / name)
        elif what == UNREADABLE:
            (folder / name).chmod(0)
        else:
            (folder / name).symlink_to(what.removeprefix("-> "))


def command(case: Case) -> str:
    """The case as one would type it."""
    import shlex

    env = " ".join(f"-u {n}" if v is None else f"{n}={shlex.quote(v)}" for n, v in case.env.items())
    words = " ".join(map(shlex.quote, case.argv))
    ends = f" <{'&-' if case.stdin is None else 'in'}" + {"file": "", "closed": " >&-"}.get(
        case.stdout, f" >{case.stdout}"
    )
    why = f"# must not be taken: {case.nonsense}\n" if case.nonsense else ""
    stop = f"# interrupted after {case.interrupt:g} s\n" if case.interrupt is not None else ""
    return f"# {case.kind} {case.number}\n{why}{stop}{f'env {env} ' if env else ''}pitboss {words}{ends}\n"


def _no_pipes(folder: str, names: list[str]) -> set[str]:
    return {name for name in names if (Path(folder) / name).is_fifo()}


def _read(path: Path) -> bytes:
    if not path.exists():
        return b""
    with path.open("rb") as file:
        return file.read(MOST_READ)


class _Server:
    """The other end of fuzz/server.py."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "fuzz.server"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": f"{ROOT / 'src'}"},
        )  # fmt: skip
        self._ready = False

    def run(self, job: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin and self._process.stdout
        if not self._ready:
            assert self._process.stdout.readline() == "ready\n", "the server did not start"
            self._ready = True
        print(json.dumps(job), file=self._process.stdin, flush=True)
        found: dict[str, Any] = json.loads(self._process.stdout.readline())
        return found

    def close(self) -> None:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()
