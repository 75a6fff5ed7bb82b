"""The report in words: the answer first, then the table."""

from pitboss.trials.records import CARDS, WORDS, Report, Trial

PARTS = {WORDS: "before scaling: the words of the stream", CARDS: "after scaling: the cards as they are dealt"}


def answer(found: Report) -> list[str]:
    """What the trials say, in a few sentences."""
    many = len(found.trials)
    if found.passed:
        lines = [f"The shuffle passes: none of {many} trials, taken together, is out of line at 99%."]
    else:
        names = ", ".join(t.name for t in found.refuted[:5]) + ", ..." * (len(found.refuted) > 5)
        lines = [f"The shuffle fails: {len(found.refuted)} of {many} trials are out of line.", f"They are {names}."]
    failed = len(found.failed)
    lines += [
        f"{found.packs:,} packs of {52 * found.decks} cards, {found.cards:,} cards in all.",
        f"Each trial alone at 99%: {found.expected_failures:.2f} of {many} fail by chance on average; {failed} did.",
    ]
    if failed:
        lines.append(f"So many or more fail with a chance of {found.as_many:.1%}.")
    lines.append(f"All together, by Holm's rule: p = {chance(found.p)}; below 0.01 the shuffle fails.")
    return lines


def plain(found: Report) -> list[str]:
    """The report for a terminal of 80 columns."""
    lines = answer(found)
    for part, title in PARTS.items():
        lines += ["", title, _row("trial", "what is counted", "statistic", "degrees", "p")]
        for t in found.trials:
            if t.of == part:
                lines.append(_row(t.name, t.about, _statistic(t), _degrees(t), chance(t.p)) + "*" * (not t.passed))
    notes = ["p: the chance that a perfect shuffle is as far off, or as near; * below 0.01"]
    notes.append("degrees: of chi-square; s.e. where the statistic is in standard errors")
    return [*lines, "", *notes, f"seed: {found.seed}"]


def markdown(found: Report) -> list[str]:
    """The report for a page."""
    lines = [*(f"{line}  " for line in answer(found)), f"Seed `{found.seed}`."]
    for part, title in PARTS.items():
        lines += ["", f"*{title.capitalize()}*", "", "| trial | what is counted | how many | statistic | degrees | p |"]
        lines.append("|---|---|---:|---:|---:|---:|")
        for t in found.trials:
            if t.of == part:
                row = (t.name, t.about, f"{t.counted:,}", _statistic(t), _degrees(t), chance(t.p))
                lines.append(f"| {' | '.join(row)} |")
    return lines


def _row(name: str, about: str, statistic: str, degrees: str, p: str) -> str:
    return f"{name:<20} {about:<32} {statistic:>10} {degrees:>7} {p:>6}"


def chance(p: float) -> str:
    return f"{p:.4f}" if p >= 0.0001 else "<.0001"


def _statistic(trial: Trial) -> str:
    x = trial.statistic
    return f"{x:,.2f}" if abs(x) < 1e6 else f"{x:.2e}"


def _degrees(trial: Trial) -> str:
    return "s.e." if trial.degrees is None else f"{trial.degrees:,}"
