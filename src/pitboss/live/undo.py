"""Things as they are now, and the way back to that: what is refused half way leaves nothing behind."""

from collections.abc import Callable


def undo(*parts: object) -> Callable[[], None]:
    """What makes these parts what they are now, their dictionaries, sets and lists too, as far as the first level: what
    lies in those is replaced at a table and never changed."""
    were = [(vars(part), dict(vars(part))) for part in parts]
    filled = [(held, held.copy()) for _, then in were for held in then.values() if type(held) in (dict, set, list)]

    def back() -> None:
        for now, then in were:
            now.clear()
            now.update(then)
        for held, copy in filled:
            held.clear()
            (held.extend if isinstance(held, list) else held.update)(copy)

    return back
