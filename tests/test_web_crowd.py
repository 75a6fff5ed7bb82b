"""What a connection may cost the house, before anybody has come in and after: hostile lines are cut, and only they."""

import asyncio
import inspect
import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from live_house import House, Player, house
from pitboss.web.caller import Caller
from pitboss.web.crowd import Crowd, Held, network_of
from pitboss.web.doors import Rates
from pitboss.web.face import STATIC
from pitboss.web.line import Line

PATIENCE = 30.0  # seconds for what should happen soon


def eventually(holds: Callable[[], object]) -> bool:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.05)
    return False


@contextmanager
def dialled(found: House, room: int = 0) -> Iterator[socket.socket]:
    """A plain connection, which keeps so few bytes that are not read."""
    host, port = found.host.split(":")
    with closing(socket.socket()) as line:
        line.settimeout(PATIENCE)
        if room:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        line.connect((host, int(port)))
        yield line


def upgraded(found: House, line: socket.socket, cookie: str = "") -> None:
    """The same as a socket that reads nothing after the house has said yes."""
    head = f"host: {found.host}\r\norigin: {found.address}\r\ncookie: {cookie}\r\n".encode()
    line.sendall(
        b"GET /ws/t/t1 HTTP/1.1\r\n" + head + b"connection: upgrade\r\nupgrade: websocket\r\n"
        b"sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    assert line.recv(12) == b"HTTP/1.1 101"


def frame(kind: int, told: bytes, last: bool = True) -> bytes:
    """A frame as a browser sends it, masked with nothing."""
    size = bytes([0x80 | len(told)]) if len(told) < 126 else b"\xfe" + len(told).to_bytes(2, "big")
    return bytes([(0x80 if last else 0) | kind]) + size + b"\0\0\0\0" + told


TEXT, CONTINUED, PING = 1, 0, 9


def flood(line: socket.socket, told: bytes, most: int) -> int:
    """So many bytes are sent, or as many as the other side takes until it hangs up, or reads no more."""
    sent, many = 0, told * (65_536 // len(told) + 1)
    line.settimeout(2.0)
    try:
        while sent < most:
            sent += line.send(many)
    except OSError:
        return sent
    return sent


def hung_up(line: socket.socket) -> bool:
    """Whether the house has, after all that it said before."""
    line.settimeout(PATIENCE)
    try:
        while line.recv(65_536):
            pass
    except TimeoutError:
        return False
    except OSError:
        return True
    return True


def lines_of(found: House) -> list[Any]:
    return list(found.inside(lambda _: [*found.here.server.server_state.connections]))


def unsent(found: House) -> int:
    """Bytes that the house holds for whoever does not read."""
    return max((one.transport.get_write_buffer_size() for one in lines_of(found)), default=0)


def test_what_is_built_on_is_there() -> None:
    """Another uvicorn may name or do these otherwise; then nothing of this is bounded, and nobody is told."""
    own = {"overdue"}
    for ours, theirs in ((Line, WebSocketsSansIOProtocol), (Caller, HttpToolsProtocol)):
        for name in {name for name, what in vars(ours).items() if inspect.isfunction(what)} - own:
            assert callable(getattr(theirs, name, None)), (theirs, name)
    said = inspect.getsource(WebSocketsSansIOProtocol)
    for words in ("self.queue", "self.frames", "self.read_paused", "self.conn.close_sent"):
        assert words in said, words
    for name, call in (
        ("handle_ping", "transport.write"), ("handle_connect", "self.handshake_initiated = True"),
        ("send_receive_event_to_app", "if not self.read_paused"),
        ("receive", "resume_reading"), ("handle_events", "self.handle_ping()"), ("handle_cont", "self.frames.append"),
    ):  # fmt: skip
        assert call in inspect.getsource(getattr(WebSocketsSansIOProtocol, name)), name
    said = inspect.getsource(HttpToolsProtocol.handle_websocket_upgrade)
    assert "self.connections.discard(self)" in said and "set_protocol(protocol)" in said


def test_who_pings_and_does_not_read_is_cut(tmp_path: Path) -> None:
    with house(tmp_path, "bluff") as found, dialled(found, 4096) as line:
        cookie = found.guest("Ann")
        upgraded(found, line, cookie)
        sent = flood(line, frame(PING, b"x" * 125), 32 << 20)
        assert sent < 32 << 20, "all pings were taken, and all pongs are kept"
        assert eventually(lambda: not lines_of(found))
        assert found.ask("GET", "/", cookie=cookie).status == 200


def test_who_pings_and_reads_is_not(tmp_path: Path) -> None:
    with house(tmp_path, "bluff") as found, dialled(found) as line:
        upgraded(found, line, found.guest("Ann"))
        got, pings = b"", [frame(PING, b"ping %07d" % n) for n in range(40_000)]
        for n in range(0, len(pings), 400):
            line.sendall(b"".join(pings[n : n + 400]))
            wanted = b"ping %07d" % (n + 399)
            while wanted not in got:
                more = line.recv(65_536)
                assert more
                got = got[-64:] + more


def test_a_stranger_who_does_not_read_is_cut_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """He is told where to come in, does not listen, and what he is told is not kept for ever."""
    monkeypatch.setattr("pitboss.web.line.MOST_UNSENT", 1 << 40)
    monkeypatch.setattr("pitboss.web.crowd.LINGER", 1.0)
    with house(tmp_path, "bluff") as found, dialled(found, 4096) as line:
        upgraded(found, line)
        line.settimeout(0.2)
        flood(line, frame(PING, b"x" * 125), 4 << 20)
        assert eventually(lambda: not lines_of(found)), unsent(found)


def test_who_does_not_take_his_leave_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page is told why by a code and a sentence, and has the time to read them."""
    monkeypatch.setattr("pitboss.web.crowd.LINGER", 0.5)
    with house(tmp_path, "bluff") as found, dialled(found) as line:
        upgraded(found, line)
        got = b""
        while b"Come in first" not in got:
            more = line.recv(4096)
            assert more, got
            got += more
        assert (4001).to_bytes(2, "big") + b"Come in first" in got
        assert hung_up(line)
        assert eventually(lambda: not lines_of(found))


def test_who_answers_no_ping_is_cut_though_he_reads_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.web.line.MOST_UNSENT", 1 << 40)
    monkeypatch.setattr("pitboss.web.crowd.LINGER", 0.5)
    monkeypatch.setattr("pitboss.web.serve.PING", 1.0)
    with house(tmp_path, "bluff") as found, dialled(found, 4096) as line:
        upgraded(found, line, found.guest("Ann"))
        flood(line, frame(PING, b"x" * 125), 4 << 20)
        assert eventually(lambda: not lines_of(found))
        assert not found.inside(lambda opened: opened.house.tables["t1"].viewers)


def test_who_says_everything_at_once_is_cut(tmp_path: Path) -> None:
    with house(tmp_path, "bluff") as found, dialled(found) as line:
        upgraded(found, line, found.guest("Ann"))
        (kept,) = lines_of(found)
        most = [0]
        add = kept.queue.put_nowait
        kept.queue.put_nowait = lambda told: (add(told), most.append(kept.queue.qsize()))
        with suppress(OSError):
            line.sendall(frame(TEXT, b"") * 30_000)
        assert hung_up(line) and eventually(lambda: not lines_of(found))
        assert max(most) <= 1001  # and that it was cut


def test_a_message_in_endless_parts_is_cut(tmp_path: Path) -> None:
    """Empty parts have no length that could be too much."""
    with house(tmp_path, "bluff") as found, dialled(found) as line:
        upgraded(found, line, found.guest("Ann"))
        line.sendall(frame(TEXT, b"", last=False))
        assert flood(line, frame(CONTINUED, b"", last=False), 8 << 20) < 8 << 20
        assert eventually(lambda: not lines_of(found))


@pytest.mark.parametrize("head", [b"x: " + b"y" * 9000, b"\r\n".join(b"x%d: y" % n for n in range(200))])
def test_a_handshake_that_cannot_be_read_is_refused(tmp_path: Path, head: bytes) -> None:
    """Nobody waits for another one."""
    with house(tmp_path, "bluff") as found, dialled(found) as line:
        line.sendall(
            b"GET /ws/t/t1 HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
            b"sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n" + head + b"\r\n\r\n"
        )
        got = line.recv(4096)
        assert got.startswith(b"HTTP/1.1 431") and b"This handshake cannot be read" in got
        assert hung_up(line) and eventually(lambda: not lines_of(found))


def test_no_more_is_read_than_is_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One message after the other does not stop the reading; many that wait do."""
    pauses = []
    with house(tmp_path, "bluff") as found:
        ann = Player(found, "Ann", found.guest("Ann"), "t1").connect()
        (line,) = lines_of(found)
        pause = line.transport.pause_reading
        monkeypatch.setattr(line.transport, "pause_reading", lambda: (pauses.append(line.queue.qsize()), pause()))
        for n in range(30):
            ann.ask("coach", id=f"c{n}", on=False)
        assert not pauses
        judged = asyncio.Event()

        async def stuck(*_: Any) -> None:
            await judged.wait()

        with monkeypatch.context() as held:
            held.setattr("pitboss.web.sockets._asked", stuck)
            assert ann.line is not None
            told = frame(TEXT, json.dumps({"id": "x", "do": "ready", "note": "x" * 1000}).encode())
            with closing(ann.line.socket.dup()) as plain:
                assert flood(plain, told, 32 << 20) < 32 << 20
            waits = found.inside(lambda _: line.queue.qsize())
            assert pauses and 8 <= waits < 8 + 2 * (256 * 1024 // len(told))
        found.inside(lambda _: judged.set())
        assert eventually(lambda: line.queue.qsize() < waits)  # what waited is judged, and more is read


# ---- before anything is asked


def test_who_asks_nothing_or_without_an_end_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.web.caller.ASKS_WITHIN", 1.0)
    whole = b"GET /login HTTP/1.1\r\nhost: %s\r\n\r\n"
    with house(tmp_path, "bluff") as found:
        whole %= found.host.encode()
        for told in (
            b"", b"GET /login HTTP/1.1\r\nx: ", b"\r\n", whole + b"\r\n", whole + b"GET /",
            b"POST /join HTTP/1.1\r\nhost: %s\r\ncontent-length: 100\r\n\r\nname=" % found.host.encode(),
        ):  # fmt: skip
            with dialled(found) as line:
                line.sendall(told)
                if told.startswith(whole):
                    line.recv(12)
                    time.sleep(0.3)
                    line.sendall(b"\r\n")  # uvicorn waits for ever after that
                assert hung_up(line), told
        assert eventually(lambda: not lines_of(found))
        assert not found.here.server.config.crowd.held.many


def test_a_request_has_an_end(tmp_path: Path) -> None:
    with house(tmp_path, "bluff") as found:
        for told, more in (
            (b"GET /login HTTP/1.1\r\nhost: x\r\n", b"a: b\r\n"),
            (b"GET /", b"x"),
            (b"POST /join HTTP/1.1\r\nhost: x\r\ncontent-length: 999999999\r\n\r\n", b"x"),
            (b"GET /login HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n0\r\n", b"a: b\r\n"),
        ):
            with dialled(found) as line:
                line.sendall(told)
                assert flood(line, more, 16 << 20) < 16 << 20, told
        assert eventually(lambda: not lines_of(found))


def test_who_asks_for_everything_at_once_is_refused(tmp_path: Path) -> None:
    """A request is small, and what the house keeps for it is not."""
    with house(tmp_path, "bluff") as found, dialled(found) as line:
        line.sendall(b"GET /login HTTP/1.1\r\nhost: x\r\n\r\n" * 1000)
        got = b""
        with suppress(OSError):
            while more := line.recv(65_536):
                got += more
        assert b"HTTP/1.1 400" in got and got.count(b"HTTP/1.1") < 20
        assert eventually(lambda: not lines_of(found))


def test_who_reads_slowly_gets_it_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page in one piece, and uvicorn hangs up when it is handed over; what is still on its way arrives."""
    monkeypatch.setattr("pitboss.web.caller.READS_WITHIN", 1.0)
    monkeypatch.setattr("pitboss.web.crowd.LINGER", 1.0)
    with house(tmp_path, "bluff") as found, dialled(found, 2048) as line:
        ask = b"GET /static/house.css HTTP/1.1\r\nhost: %s\r\n%s\r\n"
        host = found.host.encode()
        line.sendall(ask % (host, b"") * 14 + ask % (host, b"connection: close\r\n"))
        size = len((STATIC / "house.css").read_bytes())
        got = 0
        while more := line.recv(4096):
            got += len(more)
            time.sleep(0.05)
        assert got > 15 * size
        assert eventually(lambda: not lines_of(found))


def test_who_does_not_read_a_page_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.web.caller.READS_WITHIN", 1.0)
    with house(tmp_path, "bluff") as found, dialled(found, 2048) as line:
        ask = b"GET /static/house.css HTTP/1.1\r\nhost: %s\r\n\r\n" % found.host.encode()
        with suppress(OSError):
            line.sendall(ask * 15)
        assert eventually(lambda: unsent(found))
        assert eventually(lambda: not lines_of(found))


def test_one_address_has_so_many_connections_and_the_own_machine_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = Rates((1000, 1000), (1000, 1000), (1000, 1000), 100, connections=3)
    with house(tmp_path, "bluff", rates=few) as found:
        many = [Player(found, "Ann", found.guest("Ann"), "t1").connect() for _ in range(1)]
        many += [Player(found, "Ann", many[0].cookie, "t1").connect() for _ in range(9)]
        assert many[-1].ask("ready")["refused"]
        for player in many:
            player.close()
    monkeypatch.setattr("pitboss.web.crowd.own", lambda host: False)
    with house(tmp_path, "bluff", rates=few) as found:
        held = found.here.server.config.crowd.held
        cookie = found.guest("Bob")
        assert eventually(lambda: not held.many)
        many = [Player(found, "Bob", cookie, "t1").connect() for _ in range(3)]
        got = found.ask("GET", "/login")
        assert got.status == 503 and "too many connections" in got.text
        many.pop().close()
        assert eventually(lambda: held.many < 3)
        assert found.ask("GET", "/login").status == 200
        for player in many:
            player.close()
        assert eventually(lambda: not held.many) and not held.by


def test_so_many_are_held_and_no_more() -> None:
    crowd = Crowd(Held(2, 5))
    assert [crowd.take("198.51.100.7") for _ in range(3)] == [True, True, False]
    assert [crowd.take("::ffff:198.51.100.7") for _ in range(2)] == [False, False]  # the same, written otherwise
    assert [crowd.take(f"2001:db8::{n}") for n in range(3)] == [True, True, False]  # one line, many addresses
    assert crowd.take("2001:db8:1::1") and not crowd.take("127.0.0.1")  # there are no more
    crowd.give("2001:db8::77")
    assert crowd.take("127.0.0.1") and set(crowd.held.by) == {
        network_of(host) for host in ("198.51.100.7", "2001:db8::", "2001:db8:1::", "127.0.0.1")
    }


def test_a_house_asks_for_as_many_files_as_it_may_have() -> None:
    said = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (64, 500)); "
        "from pitboss.web.crowd import raise_files; from pitboss.web.serve import Settings, crowd_of; "
        "held = crowd_of(Settings('x')).held; "
        "print(raise_files(), resource.getrlimit(resource.RLIMIT_NOFILE)[0], held.each, held.all)"
    )
    done = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["500", "500", "186", "372"]


def test_no_more_files_are_asked_for_than_are_any_use(monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    from pitboss.web import crowd

    asked = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, resource.RLIM_INFINITY))
    monkeypatch.setattr(resource, "setrlimit", lambda _, both: asked.append(both))
    assert crowd.raise_files() == crowd.MOST_FILES and asked == [(65_536, resource.RLIM_INFINITY)]
