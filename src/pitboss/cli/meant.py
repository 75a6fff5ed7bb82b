"""`did you mean`: the word that somebody may have meant, of those that a message says there are."""

import re
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterable, Sequence

WRONG = re.compile(r"'([^'\s]{1,60})'|strategy (\S{1,60}) is not one of|wager (\S{1,60}) is not one of")
WORD = re.compile(r"[A-Za-z0-9][\w.-]*")
ALIKE = 0.7


def closest(wrong: str, words: Iterable[str]) -> str:
    """The word that is most like another one, whatever the case of its letters; nothing if none is."""
    import difflib

    known = {word.lower(): word for word in words}
    found = difflib.get_close_matches(wrong.lower(), [*known], 1, ALIKE)
    return known[found[0]] if found else ""


def with_guess(text: str) -> str:
    """A message that names what is wrong and then what there is, with what was probably meant at its end."""
    wrong = WRONG.search(text)
    if wrong is None or "\n" in text or "did you mean" in text:
        return text
    name = next(group for group in wrong.groups() if group)
    there = re.search(r"there (?:are|is)|it has|is not one of|choose from", text[wrong.start() :])
    after = text[wrong.start() + there.end() :] if there else ""
    guess = closest(name, (word for word in WORD.findall(after) if word != name))
    return f"{text}; did you mean {guess}?" if guess else text


def of_arguments(message: str, parser: ArgumentParser, words: Sequence[str]) -> str:
    """What argparse complains of, said as we say it, with a guess."""
    commands = next((a for a in parser._actions if isinstance(a, _SubParsersAction)), None)
    if commands is not None and (match := re.match(r"argument COMMAND: invalid choice: ('.*?') \(choose", message)):
        return with_guess(f"there is no command {match.group(1)}; there are {', '.join(commands.choices)}")
    if match := re.match(r"unrecognized arguments: (.*)", message, re.DOTALL):
        given = next((word for word in match.group(1).split() if word.startswith("-")), "")
        command = next((word for word in words if commands is not None and word in commands.choices), "")
        own = commands.choices[command] if commands is not None and command else parser
        flags = [flag for action in own._actions for flag in action.option_strings]
        guess = closest(given.partition("=")[0], flags) if given else ""
        of = f"pitboss {command}" if command else "pitboss"
        said = f"{of} does not know {match.group(1)}"
        return f"{said}; did you mean {guess}?" if guess else said
    return message
