"""Many machines: `pitboss cluster`, the crew that `--cluster` asks for, and how a simulation is going to be cut."""

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console

from pitboss.cli.asked import console, print_json
from pitboss.cli.layout import Flow, Sheet, table
from pitboss.cli.render import heading
from pitboss.cli.streams import complain, write
from pitboss.crew import Hand
from pitboss.rules.errors import BadInput
from pitboss.rules.work import many_words, time_words

if TYPE_CHECKING:
    from pitboss.crew.cluster import Cluster
    from pitboss.deal import Run
    from pitboss.deal.plan import Cut


def asked_crew(args: Namespace) -> "Cluster | None":
    """The cluster that was named; what it waits for is said once."""
    if args.cluster is None:
        return None
    from pitboss.crew.cluster import Cluster

    if getattr(args, "workers", None) is not None:
        raise BadInput("--workers are threads of this machine, and --cluster has its own; leave one of them out")
    said = [""]

    def tell(text: str) -> None:
        if text and text != said[-1]:
            complain(text)
        said.append(text)
        del said[:-1]

    return Cluster(args.cluster, tell=tell)


def run(args: Namespace) -> int:
    """`pitboss cluster scheduler`, `pitboss cluster worker ADDRESS`: each serves until it is stopped."""
    from pitboss.crew import serve

    if args.what == "scheduler":
        if args.address is not None:
            raise BadInput(f"a scheduler is given --host and --port to listen on, and no address {args.address!r}")
        if args.threads is not None:
            raise BadInput("--threads are a worker's; a scheduler has none")
        serve.scheduler(args.host, args.port, args.trust_network, _listening)
        return 0
    if args.address is None:
        raise BadInput("a worker needs the address of its scheduler: pitboss cluster worker tcp://HOST:8786")
    serve.worker(args.address, args.threads, args.trust_network, write)
    return 0


def _listening(address: str) -> None:
    write(f"scheduler at {address}\nworkers join with: pitboss cluster worker {address}")


# ---- how it is going to be cut


def plan(args: Namespace, run: "Run", rounds: int | None, crew: "Cluster | None") -> int:
    """What `simulate` would do, by a moment of it."""
    from pitboss.deal.plan import cut_of

    if rounds is None:
        raise BadInput("--plan needs --rounds: how many an error takes is seen as they are dealt")
    there = crew.threads() if crew is not None else None
    found = cut_of(run, rounds, args.workers, there)
    if args.json:
        return print_json({**run.study.of.json(), **found.json()})
    screen = console()
    heading(screen, run.house, run.study.of, f"plan of {rounds:,} rounds, nothing is dealt")
    screen.print(_parts(found))
    for line in _told(found, args.cluster):
        screen.print(line)
    return 0


def _parts(cut: "Cut") -> Sheet:
    out = table("", "many", "of", "takes")
    out.add_row("chunks", f"{cut.chunks:,}", f"{cut.chunk:,} rounds", f"{cut.seconds * 1000:,.1f} ms of one core")
    if cut.workers is not None:
        out.add_row("tasks", f"{cut.tasks:,}", f"{cut.together:,} chunks", time_words(cut.seconds * cut.together))
    return out


def _told(cut: "Cut", address: str | None) -> list[Flow]:
    rest = f"{cut.rest:,} rounds that are no whole chunk are dealt here at the end"
    who = f"{cut.threads} threads of this machine"
    if cut.workers is not None:
        workers = "1 worker" if cut.workers == 1 else f"{cut.workers} workers"
        who = f"{workers} with {cut.threads} threads at {address}" if cut.workers else f"no worker yet at {address}"
    time = f"about {time_words(cut.takes)}" if cut.takes is not None else "nobody is there to do it"
    lines = [Flow(who, time, f"{time_words(cut.work)} of one core like those here")]
    return [*lines, Flow(rest)] if cut.rest else lines


# ---- who did it


def show_hands(screen: Console, hands: Sequence[Hand], chunk: int) -> None:
    """What every worker has done, under the answer."""
    if not hands:
        return
    out = table("worker", "threads", "rounds", "a second", title="\nwho dealt")
    for hand in sorted(hands, key=lambda h: -h.jobs):
        out.add_row(hand.name, str(hand.threads), f"{hand.jobs * chunk:,}", many_words(hand.rate * chunk))
    screen.print(out)


def rates(hands: Sequence[Hand], chunk: int) -> str:
    """`3 workers, 41 to 44 million rounds a second each`, for a line that is rewritten."""
    if not hands:
        return ""
    low, high = (many_words(pick(h.rate for h in hands) * chunk) for pick in (min, max))
    each = f"{high}/s" if len(hands) == 1 else f"{low} to {high}/s each"
    return f"{len(hands)} worker{'s' * (len(hands) > 1)}, {each}"
