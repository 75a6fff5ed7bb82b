"""`pitboss demo`: the main job in one go: analysed, charted, simulated, and the two agree."""

from rich.console import Console
from rich.rule import Rule

from pitboss.catalog import load
from pitboss.cli import render
from pitboss.cli.progress import watch
from pitboss.exact import analyze
from pitboss.simulate import Run

ROUNDS = 50_000_000


def run(console: Console) -> int:
    house = load("bluff").at()
    found = analyze(house)
    console.print(Rule("[bold]proved[/]: pitboss analyze bluff"))
    render.analysis(console, house, found)
    console.print(Rule("[bold]explained[/]: pitboss strategy bluff"))
    render.strategy(console, house, analyze(house, wager="ante"))
    console.print(Rule(f"[bold]simulated[/]: pitboss simulate bluff --rounds {ROUNDS:.0e}"))
    with watch(ROUNDS, None) as progress:
        sampled = Run(house).run(ROUNDS, progress=progress)
    render.simulation(console, house, sampled)
    agree = all(w.z is not None and abs(w.z) <= render.AGREE for w in sampled.wagers)
    console.print(Rule("[bold green]exact and simulated agree[/]" if agree else "[bold red]they do not agree[/]"))
    console.print(
        "Next: [bold]pitboss play bluff[/] · [bold]pitboss rules bluff[/] · [bold]pitboss games[/] · "
        "docs/your-own-game.md"
    )
    return 0 if agree else 1
