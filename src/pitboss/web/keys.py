"""What is called by which key: the buttons of the bets, and choices, whatever a game calls them."""

from collections.abc import Sequence

BETTING = {"again": "a", "clear": "c", "toke": "t", "ready": "d"}
"""The buttons that are there while bets are taken."""


def keys(choices: Sequence[str]) -> dict[str, str]:
    """One key for each choice: the first of its letters that no choice before it has, else a digit. The keys of the
    betting buttons are none of them: who presses one twice has not decided anything."""
    out: dict[str, str] = {}
    for choice in choices:
        letters = [c for c in choice.lower() if c.isascii() and c.isalnum()]
        taken = {*out.values(), *BETTING.values()}
        out[choice] = next((c for c in [*letters, *"123456789"] if c not in taken), "")
    return out
