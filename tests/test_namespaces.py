"""Three hosts with a cable each, in network namespaces: one is cut off in the middle of a run and joined again."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from helpers import ROOT
from machines import TESTS, Machines, counts, heard
from pitboss.catalog import load
from pitboss.deal import Run

ROUNDS = 300_000_000
HOSTS = ("a", "b", "c")
CLIENT = """
import sys
from machines import counts
from pitboss.catalog import load
from pitboss.crew import window
from pitboss.crew.cluster import Cluster
from pitboss.deal import Run

def told(now):  # each step is said, and the run goes on when it was heard: the cable is joined before the last one
    print(now.rounds, flush=True)
    sys.stdin.readline()

window.SPAN = 0.2
run = Run(load("bluff").at())
run.run(int(sys.argv[2]), crew=Cluster(sys.argv[1], late=2.0), progress=told)
print(counts(run), flush=True)
"""


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True)


class Network:
    """A switch and three hosts, each a namespace; the switch has no way out."""

    def __init__(self) -> None:
        self.mark = f"pb{os.getpid()}"

    def name(self, host: str) -> str:
        return f"{self.mark}{host}"

    def inside(self, host: str) -> list[str]:
        return ["ip", "netns", "exec", self.name(host)]

    def make(self) -> None:
        for host in ("s", *HOSTS):
            ip("netns", "add", self.name(host))
            ip("-n", self.name(host), "link", "set", "lo", "up")
        switch = self.name("s")
        ip("-n", switch, "link", "add", "name", "switch", "type", "bridge")
        ip("-n", switch, "link", "set", "switch", "up")
        for number, host in enumerate(HOSTS, 1):
            cable = ["type", "veth", "peer", "name", "cable", "netns", self.name(host)]
            ip("-n", switch, "link", "add", "name", f"to-{host}", *cable)
            ip("-n", switch, "link", "set", f"to-{host}", "master", "switch", "up")
            ip("-n", self.name(host), "addr", "add", f"10.77.0.{number}/24", "dev", "cable")
            ip("-n", self.name(host), "link", "set", "cable", "up")

    def cut(self, host: str) -> None:
        ip("-n", self.name("s"), "link", "set", f"to-{host}", "down")

    def join(self, host: str) -> None:
        ip("-n", self.name("s"), "link", "set", f"to-{host}", "up")

    def remove(self) -> None:
        for host in ("s", *HOSTS):
            subprocess.run(["ip", "netns", "del", self.name(host)], capture_output=True)


@contextmanager
def network() -> Iterator[Network]:
    made = Network()
    try:
        made.make()
        yield made
    finally:
        made.remove()


def test_a_host_that_is_cut_off_and_joined_again_makes_no_difference() -> None:
    pytest.importorskip("distributed", reason="dask.distributed is not installed: pip install 'pitboss[cluster]'")
    if shutil.which("ip") is None:
        pytest.skip("the command ip (iproute2) is not installed, so there can be no network namespaces")
    try:
        ip("netns", "add", f"pbtry{os.getpid()}")
        ip("netns", "del", f"pbtry{os.getpid()}")
    except subprocess.CalledProcessError as refused:
        pytest.skip(f"network namespaces are not allowed here: {str(refused.stderr).strip()}")
    with network() as net:
        _deal(net)


def _deal(net: Network) -> None:
    hosts = Machines("10.77.0.1", net.inside("a"), more=["--trust-network"], port=8786)
    env = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{TESTS}"}
    client = None
    try:
        hosts.start_scheduler()
        for host in HOSTS:
            hosts.start_worker(inside=net.inside(host), wait=False)
        for worker in hosts.workers:
            heard(worker)
        words = [*net.inside("a"), sys.executable, "-c", CLIENT, hosts.address, str(ROUNDS)]
        client = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
        )  # fmt: skip
        assert client.stdin is not None and client.stdout is not None and client.stderr is not None
        done, last = list[str](), ""
        for line in client.stdout:
            last = line.strip()
            if not last.isdigit():
                break
            share = int(last) / ROUNDS
            if not done and share > 0.1:
                net.cut("c")
                done.append("cut")
            elif done == ["cut"] and share > 0.3:  # what was cut off holds back what comes after it: that may be all
                net.join("c")
                done.append("joined")
            client.stdin.write("\n")
            client.stdin.flush()
        assert client.wait() == 0, client.stderr.read()
        assert done == ["cut", "joined"]
    finally:
        hosts.stop()
        if client is not None:
            client.kill()
            client.wait()
    alone = Run(load("bluff").at())
    alone.run(ROUNDS, workers=1)
    assert last == counts(alone)
