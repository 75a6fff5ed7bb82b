"""The front door: all that pitboss can be asked, as functions of a house. Each opens its room when it is called."""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitboss.rules.errors import BadInput, choice_of, said
from pitboss.rules.game import Game
from pitboss.rules.house import House
from pitboss.rules.numbers import LEAST, MOST, dollars, ratio, share, whole
from pitboss.rules.shoes import checked_shoe

if TYPE_CHECKING:
    from pitboss.approval import Approval, Comparison
    from pitboss.claims import Verdicts
    from pitboss.crew.cluster import Cluster
    from pitboss.deal import Progress
    from pitboss.earn import Floor
    from pitboss.guard import Protection
    from pitboss.jurisdictions import Jurisdiction
    from pitboss.ledger.simulated import Simulation
    from pitboss.live import Evidence, Session
    from pitboss.packets import Written
    from pitboss.sheets import Sheet
    from pitboss.studies import Study
    from pitboss.train import Drill
    from pitboss.tune import Designed, PolicySearch

Money = int | str | float | Fraction
MOST_ROUNDS = 10**15


def game(which: "str | Path") -> Game:
    """A game: a shipped one by name, such as `"bluff"`, or the file that defines it, such as `"my_game.py"`."""
    from pitboss.catalog import load

    if not isinstance(which, str | os.PathLike):
        raise BadInput(f"a game has a name, such as 'bluff', or a file, such as 'my_game.py'; not {said(which)}")
    return load(str(which))


def shipped() -> dict[str, str]:
    """The games that are shipped: their names, and each in one line."""
    from pitboss.catalog import shipped as known

    return known()


def jurisdiction(which: "str | Path") -> "Jurisdiction":
    """A place and its rules: a shipped one by name, such as `"washington"`, or your own file, such as `"mine.toml"`.
    `.house(house)` puts a house there; `.checklist`, `.notices(house)` and `.json()` say what is asked for."""
    from pitboss.jurisdictions import jurisdiction_named

    if not isinstance(which, str | os.PathLike):
        raise BadInput(
            f"a jurisdiction has a name, such as 'washington', or a file, such as 'mine.toml'; not {said(which)}"
        )
    return jurisdiction_named(str(which))


def places() -> dict[str, str]:
    """The jurisdictions that are shipped: their names and titles. (A function `jurisdictions` would have to give way to
    the room of that name.)"""
    from pitboss.jurisdictions import jurisdiction_named, known_jurisdictions

    return {path.stem: jurisdiction_named(path.stem).title for path in known_jurisdictions()}


def house_of(asked: "House | Game | str") -> House:
    """A house as it is; of a game, or of its name, the house with everything as usual."""
    if isinstance(asked, str | os.PathLike):
        asked = game(asked)
    if isinstance(asked, Game):
        return asked.at()
    if isinstance(asked, House):
        return _dealable(asked)
    raise BadInput(f"this is about a house, such as pb.game('bluff').at(decks=8), not {said(asked)}")


def _dealable(house: House) -> House:
    """A house whose shoe can be dealt from: one that is not full may have too few cards, and a tuple anything."""
    full, left = house.game.full_shoe(house.options), house.composition
    if left == full:
        return house
    checked_shoe(left, full)
    from pitboss.rules.trace import trace

    need = trace(house.but(shoe=full)).most_cards()
    if sum(left) < need:
        raise BadInput(f"{sum(left)} cards are left in the shoe, too few to finish a round; leave {need} or more")
    return house


def study(house: "House | Game | str", strategy: str = "optimal", *, patient: bool = False) -> "Study":
    """The exact analysis of a house: ask it for `.plan`, `.wager(name)`, `.chart()`, `.together()`."""
    from pitboss.studies import Study

    return Study(house_of(house), strategy, patient=patient)


def sheet(house: "House | Game | str", wager: str | None = None) -> "Sheet":
    """The rules of play of a house, fit to print: `.procedure`, `.examples`, `.irregular`; `.json()` for all of it."""
    from pitboss.sheets import sheet_of

    found = house_of(house)
    return sheet_of(found, None if wager is None else found.lead(wager))


def simulate(
    house: "House | Game | str", rounds: float | None = None, *, strategy: str = "optimal", seats: int = 1,
    seed: int = 1, shoe: bool = False, cut: Money | None = None, wager: str | None = None,
    bets: Mapping[str, Money] | None = None, until_se: float | None = None, workers: int | None = None,
    checkpoint: "str | Path | None" = None, progress: "Callable[[Progress], None] | None" = None,
    patient: bool = False, backend: str | None = None,
) -> "Simulation":  # fmt: skip
    """Play so many rounds, from fresh shuffles or through a real shoe, beside the exact result where there is one.

    Without `rounds` it plays ten million, or as many as the standard error `until_se` takes. `cut` is the place of the
    cut card in decks from the back, `shoe=True` deals to it. Whatever the number of `workers`, a `seed` gives the same.
    What would take more than ten minutes needs `patient=True`. A `backend` is a cluster, by the address of its
    scheduler, such as "tcp://lab:8786"; it gives the same too.
    """
    from pitboss.deal import Run, check_place
    from pitboss.studies import by_wager, word, yes

    at = house_of(house)
    many = None if rounds is None else whole("rounds", rounds, 1, MOST_ROUNDS, "1e8")
    error = None if until_se is None else float(share("until_se", until_se, LEAST, 1, "0.05%"))
    threads = None if workers is None else whole("workers", workers, 1, 1024)
    crew = _crew(backend)
    file = None if checkpoint is None else _file("checkpoint", checkpoint)
    if file is not None:
        check_place(file)  # before the work that comes first
    made = by_wager(at, bets) or None
    if made:
        at.check_bets(made)
    run = Run(
        at, seed=whole("seed", seed), strategy=word("strategy", strategy), seats=whole("seats", seats),
        mode="shoe" if yes("shoe", shoe) else "fresh", cut=None if cut is None else ratio("cut", cut),
        wager=None if wager is None else word("wager", wager), bets=made,
    )  # fmt: skip
    if many is None and error is None:
        many = run.usual_rounds
    return run.run(
        many, until_se=error, workers=threads, checkpoint=file, progress=_called("progress", progress),
        patient=yes("patient", patient), crew=crew,
    )  # fmt: skip


def verify(
    *files: "str | Path", games: "Game | str | Path | Sequence[Game | str | Path]" = (), patient: bool = False
) -> "Verdicts":
    """A verdict for every claim of these files (TOML), or of the four documents that are shipped; one of those may be
    named by its game, such as "bluff". `games` are the game files that they are about, where they are not about shipped
    games: a game file is a program, and runs only if you name it."""
    from pitboss.claims import claims_named, verdicts_of
    from pitboss.studies import yes

    paths = [_file("verify", f) for f in files]
    which = [claims_named(f) if isinstance(f, str) else path for f, path in zip(files, paths, strict=True)]
    return verdicts_of(which, games=_games(games), patient=yes("patient", patient))


def replay(log: "str | Path", *, games: "Game | str | Path | Sequence[Game | str | Path]" = ()) -> "Evidence":
    """What a log proves: every round played again, held against its chain of hashes, its game file and its shoe. What
    does not hold is refused. `games` are the game files that were played, where they were not shipped games."""
    from pitboss.catalog import named
    from pitboss.live import evidence

    own = _games(games)
    return evidence(_file("log", log), lambda name: named(name, own, "the log"))


def design(
    house: "House | Game | str", wager: str, *, edge: "Money | tuple[Money, Money]", rows: "str | Sequence[str]" = (),
    step: Money = 1, any_order: bool = False, taste: str = "closest", top: int = 20, across: str | None = None,
    patient: bool = False,
) -> "Designed":  # fmt: skip
    """All pay tables of a wager that meet an edge, such as `edge=("4%", "6%")`, counted and ranked by a taste."""
    from pitboss.studies import word, yes
    from pitboss.tune.search import designed

    ends = edge if isinstance(edge, tuple | list) else (edge,)
    wanted = edge if isinstance(edge, str) else "..".join(str(share("edge", end, -1, 1, "5%")) for end in ends)
    free = [word("rows", row) for row in _several("rows", rows)]
    return designed(
        house_of(house), word("wager", wager), wanted, free, str(ratio("step", step)), yes("any_order", any_order),
        word("taste", taste), whole("top", top, 1), None if across is None else word("across", across),
        patient=yes("patient", patient),
    )  # fmt: skip


def policy(house: "House | Game | str", top: int = 10, *, patient: bool = False) -> "PolicySearch":
    """The dealer's best policy of all threshold policies, and the place of the printed one among them."""
    from pitboss.studies import yes
    from pitboss.tune import policy_search

    return policy_search(house_of(house), whole("top", top, 1), patient=yes("patient", patient))


def protect(
    house: "House | Game | str", wager: str | None = None, *, decks: "int | Sequence[int]" = (),
    cuts: "Money | Sequence[Money]" = (), seats: int = 1, shoes: int = 2000, seed: int = 1, hands: int = 60,
    limit: Money | None = None, tolerate: Money = 20, states: int | None = None, patient: bool = False,
    backend: str | None = None,
) -> "Protection":  # fmt: skip
    """What a card counter, or a glimpse of a card, is worth on a wager, or on all. The shoes are dealt here, or by the
    cluster that `backend` names."""
    from pitboss.guard import Plan
    from pitboss.guard import protect as judged
    from pitboss.studies import word, yes

    at = house_of(house)
    plan = Plan(
        tuple(whole("decks", d) for d in _several("decks", decks)),
        tuple(ratio("cuts", c) for c in _several("cuts", cuts)), whole("seats", seats), whole("shoes", shoes),
        whole("seed", seed), whole("hands", hands), None if limit is None else dollars("limit", limit),
        dollars("tolerate", tolerate), None if states is None else whole("states", states),
        yes("patient", patient),
    )  # fmt: skip
    one = None if wager is None else at.check_wager(word("wager", wager))
    return judged(at, one, plan, crew=_crew(backend))


def floor(
    house: "House | Game | str", *, seats: int | None = None, bets: Mapping[str, Money] | None = None,
    rates: Mapping[str, Money] | None = None, hands: int = 60, hours: Money = 8, days: int = 30, risk: Money = "1/100",
    mistakes: Money = 0, buy_in: Money | None = None, stay: Money = 1, seed: int = 1, strategy: str = "optimal",
    wager: str | None = None, actual: Money | None = None, rounds: int | None = None, patient: bool = False,
    backend: str | None = None,
) -> "Floor":  # fmt: skip
    """What a table earns in a shift and a month, how bad a night can get, and what must be at hand. `mistakes` is what
    players give away of their bet, such as "1%"; `actual` a real win, in so many `rounds` or in a month: is it normal?
    What must be dealt is dealt here, or by the cluster that `backend` names.
    """
    from pitboss.earn import Actual, Plan, earn
    from pitboss.earn.plan import USUAL_SEATS
    from pitboss.studies import by_wager, word, yes

    at = house_of(house)
    plan = Plan(
        seats=min(USUAL_SEATS, at.game.seats) if seats is None else whole("seats", seats),
        bets=by_wager(at, bets) or {}, rates=by_wager(at, rates, "rates", share) or {},
        hands=whole("hands", hands, 1, MOST),
        hours=ratio("hours", hours), days=whole("days", days, 1, MOST), risk=share("risk", risk),
        mistakes=share("mistakes", mistakes), buy_in=None if buy_in is None else dollars("buy_in", buy_in),
        stay=ratio("stay", stay), seed=whole("seed", seed), patient=yes("patient", patient),
    )  # fmt: skip
    only = None if wager is None else at.check_wager(word("wager", wager))
    many = None if rounds is None else whole("rounds", rounds, 1, MOST)
    won = None if actual is None else Actual(dollars("actual", actual, -MOST), many)
    return earn(at, plan, word("strategy", strategy), only, won, _crew(backend))


def packet(
    house: "House | Game | str", file: "str | Path", *, jurisdiction: "Jurisdiction | str | Path | None" = None,
    claims: "str | Path | Sequence[str | Path] | None" = None, rounds: float | None = None, seed: int = 1, by: str = "",
    date: str = "", paper: str = "letter", font: str = "", fonts: "str | Path | None" = None,
    workbook: "str | Path | None" = None, patient: bool = False,
) -> "Written":  # fmt: skip
    """Write the packet of a house as a PDF, and its approval record beside it; a workbook too if one is named. Without
    `claims` those are judged that go with the game; the same arguments give the same bytes."""
    from pitboss.claims import claims_about
    from pitboss.packets import Brief, write_packet
    from pitboss.packets.desk import ROUNDS
    from pitboss.packets.typeset import PAPERS
    from pitboss.studies import word, yes

    at, place = house_of(house), jurisdiction
    if isinstance(place, str | os.PathLike):
        from pitboss.jurisdictions import jurisdiction_named

        place = jurisdiction_named(str(place))
    if place is not None:
        at = place.house(at)
    if paper not in PAPERS:
        raise BadInput(f"paper: {choice_of(repr(paper), list(PAPERS))}")
    several = () if claims is None else (claims,) if isinstance(claims, str | os.PathLike) else tuple(claims)
    brief = Brief(
        at, place, claims_about(at.game) if claims is None else tuple(_file("claims", c) for c in several),
        rounds=ROUNDS if rounds is None else whole("rounds", rounds, 1, MOST_ROUNDS, "1e8"), seed=whole("seed", seed),
        by=word("by", by), date=word("date", date), paper=PAPERS[paper], font=word("font", font),
        patient=yes("patient", patient),
    )  # fmt: skip
    to = _file("file", file)
    if to.suffix.lower() != ".pdf":
        raise BadInput(f"a packet is written to a file that ends in .pdf, not {str(to)!r}")
    book = None if workbook is None else _file("workbook", workbook)
    return write_packet(brief, to, fonts=None if fonts is None else _file("fonts", fonts), workbook=book)


def workbook(house: "House | Game | str", file: "str | Path", *, patient: bool = False) -> Path:
    """Every return table of a house with live formulas, in a file that ends in .xlsx, for a laboratory to check."""
    from pitboss.packets.workbook import write_workbook
    from pitboss.studies import yes

    return write_workbook(_file("file", file), house_of(house), patient=yes("patient", patient))


def approved(house: "Approval | House | Game | str | Path", *, patient: bool = False) -> "Approval":
    """The approval record of a house: `.check(house)` refuses another one. A file that ends in .json is a record that
    somebody kept, and is read."""
    from pitboss.approval import Approval, approval_of, read_approval
    from pitboss.studies import yes

    if isinstance(house, Approval):
        return house
    if isinstance(house, str | os.PathLike) and str(house).lower().endswith(".json"):
        return read_approval(str(house))
    at = house_of(str(house) if isinstance(house, os.PathLike) else house)
    return approval_of(at, patient=yes("patient", patient))


def diff(
    old: "Approval | House | Game | str | Path", new: "Approval | House | Game | str | Path", *, patient: bool = False
) -> "Comparison":
    """Does the change from one to the other need approval again? `.verdict` is yes, no or ask, `.answer` a sentence,
    `.changes` and `.figures` what changed. A side is a record or its file, a house, or a game by name or file."""
    from pitboss.approval import compared

    return compared(approved(old, patient=patient), approved(new, patient=patient))


def table(
    house: "House | Game | str", seats: int = 1, *, seed: int | None = None,
    shuffle: Callable[[Sequence[int]], list[int]] | None = None, purses: "Mapping[int, Money] | Money | None" = None,
    spots: Collection[Sequence[int]] = (), bots: Mapping[int, Any] | None = None,
    log: "Callable[[dict[str, Any]], object] | str | Path | None" = None, cut: Money | None = None,
    continuous: bool = False,
) -> "Session":  # fmt: skip
    """A live table: `t.bet(1, ante=10); t.deal(); t.view(1); t.choose(1, "raise")`. With `seed=7` always the same.

    `purses` are the players' chips, by seat or for all the same; `spots` are seats that one player has together, such
    as `[(1, 2)]`; `bots` are computer players by seat. `log` is a function that gets every round when it is over, or
    the file of a log for `replay`, which the table has for itself until `t.close()`. The cut card lies `cut` decks from
    the back; a `continuous` shuffler takes every round's cards back at once.
    """
    from pitboss.live import Journal
    from pitboss.live import table as seated

    if isinstance(spots, str) or not all(isinstance(group, Sequence) for group in _several("spots", spots)):
        raise BadInput(f"spots: seats that one player has together, such as [(1, 2)], not {said(spots)}")
    if bots is not None and not (isinstance(bots, Mapping) and all(map(callable, bots.values()))):
        raise BadInput(f"bots: computer players by seat, each a function of a turn and a view, not {said(bots)}")
    at, places, number = house_of(house), whole("seats", seats), None if seed is None else whole("seed", seed)
    hand, file = _called("shuffle", shuffle), isinstance(log, str | os.PathLike)
    journal = Journal(_file("log", log)) if file else None
    try:
        return seated(
            at, places, seed=number, shuffle=hand, purses=purses, spots=spots, bots=bots, journal=journal,
            log=None if file else _called("log", log), cut=None if cut is None else ratio("cut", cut, LEAST),
            continuous=bool(continuous),
        )  # fmt: skip
    except BadInput:
        if journal is not None:
            journal.close()
        raise


def layout(
    house: "House | Game | str", file: "str | Path", what: str = "felt", *, notices: Sequence[str] = (),
    patient: bool = False,
) -> Path:  # fmt: skip
    """Write what is printed for the table, to a file that ends in .svg or .pdf: the `"felt"`, drawn to scale, a
    `"rack-card"`, a `"sign"` with `notices` that must be posted, or a `"strategy-card"`, for which the game is counted.
    """
    from pitboss import felt as room
    from pitboss.felt.paper import checked, what_asked, write
    from pitboss.studies import yes

    at, path = house_of(house), _file("layout", file)
    asked = what_asked(what)
    checked(path)
    if asked == "strategy-card":
        from pitboss.packets.playing import card

        drawn = card(study(at, patient=yes("patient", patient)))
    elif asked == "sign":
        drawn = room.sign(at, _several("notices", notices))
    else:
        drawn = room.felt(at) if asked == "felt" else room.rack_card(at)
    return write(path, drawn, f"{at.game.title}: {asked.replace('-', ' ')}")


def drill(
    house: "House | Game | str", seats: int | None = None, *, seed: int | None = None, only: str | None = None,
    rounds: int | None = None, wager: str | None = None,
) -> "Drill":  # fmt: skip
    """The dealer's part at a table of computer players: `d.asks` is what lies there, `d.do("pay ante 15")` marks a
    move, `d.score` counts. With `seed=7` always the same cards, bets and choices.

    With `only="settle"` the cards are dealt for you. It ends after so many `rounds`, or never. A `wager` is bet by all.
    """
    from random import SystemRandom

    from pitboss.studies import word
    from pitboss.train import Drill
    from pitboss.train.drill import USUAL_SEATS

    at = house_of(house)
    return Drill(
        at, min(USUAL_SEATS, at.game.seats) if seats is None else whole("seats", seats),
        SystemRandom().randrange(10**6) if seed is None else whole("seed", seed),
        only=None if only is None else word("only", only),
        limit=None if rounds is None else whole("rounds", rounds, 1, MOST),
        always=None if wager is None else at.check_wager(word("wager", wager)),
    )  # fmt: skip


# ---- how an argument is read; names and bets in `pitboss.studies`, numbers in `pitboss.rules.numbers`


def _several(what: str, value: Any) -> "Sequence[Any]":
    """A list; one thing alone is a list of one."""
    if isinstance(value, str | int | float | Fraction):
        return (value,)
    if not isinstance(value, Collection) or isinstance(value, Mapping | bytes):
        raise BadInput(f"{what}: write a list, such as [...], not {said(value)}")
    return tuple(value)


def _games(asked: Any) -> list[Game]:
    """Games of the user's own, for what may be about them."""
    one = isinstance(asked, Game | os.PathLike)
    return [g if isinstance(g, Game) else game(g) for g in ((asked,) if one else _several("games", asked))]


def _file(what: str, value: object) -> Path:
    if not isinstance(value, str | os.PathLike) or not str(value) or "\0" in str(value):
        raise BadInput(f"{what}: write the name of a file, not {said(value)}")
    return Path(value)


def _crew(backend: object) -> "Cluster | None":
    """The cluster at an address; None for this machine."""
    if backend is None:
        return None
    from pitboss.crew.cluster import Cluster
    from pitboss.studies import word

    return Cluster(word("backend", backend))


def _called(what: str, value: Any) -> Any:
    if value is not None and not callable(value):
        raise BadInput(f"{what}: write the name of a function, not {said(value)}")
    return value
