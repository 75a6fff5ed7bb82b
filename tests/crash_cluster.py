"""Workers and the scheduler of a cluster killed at random instants, while rounds are dealt again and again: the counts
must be those of one thread, every time.

python tests/crash_cluster.py --kills 50 --schedulers 10
"""

import argparse
import random
import threading
import time
from dataclasses import dataclass, field

from machines import Machines, counts, machines
from pitboss.catalog import load
from pitboss.crew.cluster import Cluster
from pitboss.deal import Run

ROUNDS = 300_000_000
SEEDS = 3  # different simulations, in turn


@dataclass
class Ordeal:
    """What was done to a cluster, and what came of it."""

    kills: int
    schedulers: int
    seed: int = 1
    rounds: int = ROUNDS
    pause: float = 3.0  # seconds between two kills, at most
    runs: int = 0
    wrong: int = 0
    done: list[str] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def go(self) -> "Ordeal":
        house = load("bluff").at()
        right = {}
        for seed in range(SEEDS):
            alone = Run(house, seed=seed)
            alone.run(self.rounds, workers=1)
            right[seed] = counts(alone)
        with machines(workers=2) as there:
            killer = threading.Thread(target=self._kill, args=(there,))
            killer.start()
            try:
                while killer.is_alive() or not self.runs:
                    seed = self.runs % SEEDS
                    run = Run(house, seed=seed)
                    run.run(self.rounds, crew=Cluster(there.address), patient=True)
                    self.runs += 1
                    self.wrong += counts(run) != right[seed]
            finally:  # it starts processes, which must be there to be ended
                self.over.set()
                killer.join()
        return self

    def _kill(self, there: Machines) -> None:
        rng = random.Random(self.seed)
        todo = ["worker"] * self.kills + ["scheduler"] * self.schedulers
        rng.shuffle(todo)
        for what in todo:
            if self.over.is_set():
                return
            time.sleep(rng.uniform(0.1, self.pause))
            if what == "worker":
                there.kill_worker(rng.randrange(len(there.workers)))
                time.sleep(rng.uniform(0, 1))
                there.start_worker()
            else:
                there.kill_scheduler()
                time.sleep(rng.uniform(0, 1))
                there.start_scheduler()
            self.done.append(what)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--schedulers", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    started = time.monotonic()
    found = Ordeal(asked.kills, asked.schedulers, asked.seed).go()
    print(
        f"{found.done.count('worker')} workers and {found.done.count('scheduler')} schedulers killed during "
        f"{found.runs} runs of {found.rounds:,} rounds, {found.wrong} of them wrong, {time.monotonic() - started:.0f} s"
    )
    raise SystemExit(1 if found.wrong else 0)


if __name__ == "__main__":
    main()
