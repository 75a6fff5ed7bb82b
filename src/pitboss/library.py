"""The front door: everything that pitboss can be asked, as functions of a house. Each opens its room when it is called."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitboss.rules.errors import BadInput
from pitboss.rules.game import Game
from pitboss.rules.house import House

if TYPE_CHECKING:
    from pitboss.claims import Verdicts
    from pitboss.deal import Progress
    from pitboss.earn import Floor
    from pitboss.guard import Protection
    from pitboss.ledger.simulated import Simulation
    from pitboss.live import Session
    from pitboss.studies import Study
    from pitboss.tune import Designed, PolicySearch

Asked = "House | Game | str"
Money = int | str | Fraction


def game(which: str) -> Game:
    """A game: a shipped one by name, such as `"bluff"`, or the file that defines it, such as `"my_game.py"`."""
    from pitboss.catalog import load

    return load(which)


def shipped() -> dict[str, str]:
    """The games that are shipped: their names, and each in one line."""
    from pitboss.catalog import shipped as known

    return known()


def house_of(asked: "House | Game | str") -> House:
    """A house as it is; of a game, or of its name, the house with everything as usual."""
    if isinstance(asked, str):
        asked = game(asked)
    if isinstance(asked, Game):
        return asked.at()
    if isinstance(asked, House):
        return asked
    raise BadInput(f"this is about a house, such as pb.game('bluff').at(decks=8), not {asked!r}")


def study(house: "House | Game | str", strategy: str = "optimal", *, patient: bool = False) -> "Study":
    """The exact analysis of a house: ask it for `.plan`, `.wager(name)`, `.chart()`, `.together()`."""
    from pitboss.studies import Study

    return Study(house_of(house), strategy, patient=patient)


def simulate(
    house: "House | Game | str", rounds: float | None = 1e7, *, strategy: str = "optimal", seats: int = 1, seed: int = 1,
    shoe: bool = False, cut: str | None = None, wager: str | None = None, bets: Mapping[str, Money] | None = None,
    until_se: float | None = None, workers: int | None = None, checkpoint: "str | Path | None" = None,
    progress: "Callable[[Progress], None] | None" = None,
) -> "Simulation":  # fmt: skip
    """Play so many rounds, from fresh shuffles or through a real shoe, beside the exact result where there is one."""
    from pitboss.deal import Run
    from pitboss.deal.run import whole_rounds

    run = Run(
        house_of(house), seed=seed, strategy=strategy, mode="shoe" if shoe else "fresh", seats=seats, cut=cut,
        wager=wager, bets=dollars(bets) or None,
    )  # fmt: skip
    return run.run(
        None if rounds is None else whole_rounds(rounds), until_se=until_se, workers=workers,
        checkpoint=None if checkpoint is None else Path(checkpoint), progress=progress,
    )  # fmt: skip


def verify(*files: "str | Path") -> "Verdicts":
    """A verdict for every claim of these files (TOML), or of the four documents that are shipped."""
    from pitboss.claims import verdicts_of

    return verdicts_of([Path(f) for f in files])


def design(
    house: "House | Game | str", wager: str, *, edge: "str | tuple[str, str]", rows: Sequence[str] = (),
    step: str = "1", any_order: bool = False, taste: str = "closest", top: int = 20, across: str | None = None,
) -> "Designed":  # fmt: skip
    """All pay tables of a wager that meet an edge, such as `edge=("4%", "6%")`, counted and ranked by a taste."""
    from pitboss.tune.search import designed

    return designed(
        house_of(house), wager, "..".join(edge) if isinstance(edge, tuple) else edge, rows, step, any_order, taste, top,
        across,
    )  # fmt: skip


def policy(house: "House | Game | str", top: int = 10) -> "PolicySearch":
    """The dealer's best policy of all threshold policies, and the place of the printed one among them."""
    from pitboss.tune import policy_search

    return policy_search(house_of(house), top)


def protect(
    house: "House | Game | str", wager: str | None = None, *, decks: Sequence[int] = (), cuts: Sequence[Money] = (),
    seats: int = 1, shoes: int = 2000, seed: int = 1, hands: int = 60, limit: Money | None = None,
    tolerate: Money = 20, states: int | None = None,
) -> "Protection":  # fmt: skip
    """What a card counter, or a glimpse of a card, is worth on a wager, or on all."""
    from pitboss.guard import Plan
    from pitboss.guard import protect as judged

    plan = Plan(
        tuple(decks), tuple(Fraction(c) for c in cuts), seats, shoes, seed, hands,
        None if limit is None else Fraction(limit), Fraction(tolerate), states,
    )  # fmt: skip
    return judged(house_of(house), wager, plan)


def floor(
    house: "House | Game | str", *, seats: int | None = None, bets: Mapping[str, Money] | None = None,
    rates: Mapping[str, Money] | None = None, hands: int = 60, hours: Money = 8, days: int = 30, risk: Money = "1/100",
    seed: int = 1, strategy: str = "optimal", wager: str | None = None,
) -> "Floor":  # fmt: skip
    """What a table earns in a shift and a month, how bad a night can get, and what must be at hand."""
    from pitboss.earn import Plan, earn
    from pitboss.earn.plan import USUAL_SEATS

    at = house_of(house)
    plan = Plan(
        seats=min(USUAL_SEATS, at.game.seats) if seats is None else seats, bets=dollars(bets),
        rates=dollars(rates), hands=hands, hours=Fraction(hours), days=days, risk=Fraction(risk), seed=seed,
    )  # fmt: skip
    return earn(at, plan, strategy, wager)


def table(house: "House | Game | str", seats: int = 1, **settings: Any) -> "Session":
    """A live table: `t.bet(1, ante=10); t.deal(); t.view(1); t.choose(1, "raise")`. With `seed=7` always the same."""
    from pitboss.live import table as seated

    return seated(house_of(house), seats, **settings)


def dollars(amounts: Mapping[str, Money] | None) -> dict[str, Fraction]:
    """Amounts by wager; in Python a hyphen is written as an underscore."""
    return {name.replace("_", "-"): Fraction(amount) for name, amount in (amounts or {}).items()}
