"""pitboss: the open laboratory for casino table games. `import pitboss as pb` opens nothing that is not asked for."""

from pitboss.version import __version__

TYPE_CHECKING = False  # typing itself is slow to import
if TYPE_CHECKING:
    from pitboss.exact import Plan, TooLarge
    from pitboss.ledger.figure import Figure
    from pitboss.library import (
        approved,
        design,
        diff,
        drill,
        floor,
        game,
        jurisdiction,
        layout,
        packet,
        places,
        policy,
        protect,
        replay,
        sheet,
        shipped,
        simulate,
        study,
        table,
        verify,
        workbook,
    )
    from pitboss.rules import BadInput, Game, House, RuleError
    from pitboss.studies import Study

_DOORS = {
    **dict.fromkeys(
        (
            "approved",
            "design",
            "diff",
            "drill",
            "floor",
            "game",
            "jurisdiction",
            "layout",
            "packet",
            "places",
            "policy",
            "protect",
            "replay",
            "sheet",
            "shipped",
            "simulate",
            "study",
            "table",
            "verify",
            "workbook",
        ),
        "pitboss.library",
    ),
    **dict.fromkeys(("BadInput", "Game", "House", "RuleError"), "pitboss.rules"),
    **dict.fromkeys(("Plan", "TooLarge"), "pitboss.exact"),
    "Figure": "pitboss.ledger.figure",
    "Study": "pitboss.studies",  # the one that shows itself
}

__all__ = [
    "BadInput", "Figure", "Game", "House", "Plan", "RuleError", "Study", "TooLarge", "__version__", "approved",
    "design", "diff", "drill", "floor", "game", "jurisdiction", "layout", "packet", "places", "policy", "protect",
    "replay", "sheet", "shipped", "simulate", "study", "table", "verify", "workbook",
]  # fmt: skip


def __getattr__(name: str) -> object:
    if name not in _DOORS:
        raise AttributeError(f"pitboss has no {name!r}; it has {', '.join(__all__)}")
    from importlib import import_module

    found = getattr(import_module(_DOORS[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__
