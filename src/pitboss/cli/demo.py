"""`pitboss demo`: the main job in one go: a game proved, explained and simulated, then four documents judged."""

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from pitboss.catalog import load
from pitboss.claims import verdicts_of
from pitboss.cli import render, verify
from pitboss.cli.progress import watch
from pitboss.cli.screen import marked
from pitboss.deal import Run
from pitboss.exact import analyze

ROUNDS = 50_000_000


def run(console: Console) -> int:
    house = load("bluff").at()
    found = analyze(house)
    console.print(Rule(marked("[bold]proved[/]: pitboss analyze bluff")))
    render.analysis(console, house, found)
    console.print(Rule(marked("[bold]explained[/]: pitboss strategy bluff")))
    render.strategy(console, house, analyze(house, wager="ante"))
    console.print(Rule(marked("[bold]simulated[/]: pitboss simulate bluff --rounds {}", f"{ROUNDS:.0e}")))
    with watch(ROUNDS, None) as progress:
        sampled = Run(house).run(ROUNDS, progress=progress)
    render.simulation(console, house, sampled)
    agree = all(w.z is not None and abs(w.z) <= render.AGREE for w in sampled.wagers)
    verdict = Text("exact and simulated agree", "bold green") if agree else Text("they do not agree", "bold red")
    console.print(Rule(verdict))
    console.print(Rule(marked("[bold]judged[/]: pitboss verify --brief")))
    verify.show(console, verdicts_of(), brief=True)
    console.print(
        marked(
            "\nNext: [bold]pitboss verify[/] · [bold]pitboss play bluff[/] · [bold]pitboss design bluff --policy[/] · "
            "[bold]pitboss protect bluff --wager suit-tie[/] · [bold]pitboss floor bluff[/] · docs/your-own-game.md"
        )
    )
    return 0 if agree else 1
