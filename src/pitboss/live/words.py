"""What somebody does at a table, and what lies there, in words: for the eye, and for who has it read aloud."""

import re
from collections.abc import Sequence

from pitboss.cards import card_code
from pitboss.cards.codes import JOKERS, RANK_NAMES, SUIT_NAMES

VERBS = re.compile(
    "bet|call|check|decline|discard|double|draw|fold|go|hit|hold|keep|let|look|match|pass|place|play|pull|push|raise|re-raise|"
    "ride|split|stand|stare|stay|stop|surrender|swap|switch|take"
)
"""Words that are known to be verbs; whatever else a game calls a choice is quoted as it is."""


ORDERS = re.compile(
    "announce|burn|call|collect|count|deal|lay|look|move|offer|pass|pay|place|push|put|remove|shuffle|slide|spread|stack|"
    "take|tuck|turn"
)
"""What a dealer is told to do begins with one of these; to players it is no sentence."""


def is_order(words: str) -> bool:
    """Whether this is said to a dealer, such as `Collect the bets.`, and not to who looks on."""
    return ORDERS.fullmatch(words.partition(" ")[0].lower()) is not None


def does(who: str, choice: str, decision: str = "") -> str:
    """`seat 3 bets`, `you go to war`, `Ann: 2x`; where something is decided on by its name, `Ann takes insurance`."""
    if choice in (decision, f"no {decision}") and not VERBS.fullmatch(decision.partition(" ")[0]):
        choice = f"take {choice}"
    verb, space, rest = choice.partition(" ")
    if not VERBS.fullmatch(verb):
        return f"{who}: {choice}"
    return f"{who} {verb if who.lower() == 'you' else third(verb)}{space}{rest}"


def denied(words: str) -> str:
    """`the dealer has a pair` -> `the dealer has no pair`; nothing where it is not known how to say so."""
    for so, not_so in ((" not ", " "), (" has a ", " has no "), (" has ", " has no "), (" is ", " is not "),
                       (" are ", " are not ")):  # fmt: skip
        if so in words:
            return words.replace(so, not_so, 1)
    return ""


def third(verb: str) -> str:
    """`raises`, `passes`, `goes`."""
    return f"{verb}es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else f"{verb}s"


def card_words(name: str) -> str:
    """`the queen of hearts`."""
    code = card_code(name)
    return "a joker" if code in JOKERS else f"the {RANK_NAMES[code >> 2]} of {SUIT_NAMES[code & 3]}"


def enumerated(words: Sequence[str]) -> str:
    """`a, b and c`."""
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)
