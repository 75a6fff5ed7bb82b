"""Pages from templates: everything that somebody wrote is escaped, and a page that misses something says so."""

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from pitboss.rules.errors import BadInput, choice_of, said
from pitboss.web.face import money
from pitboss.web.face.layout import Layout, SeatPlace
from pitboss.web.face.sprites import sprites
from pitboss.web.face.stage import SeatStage, around, cards_words, count_words, pots_of, stage_of
from pitboss.web.keys import BETTING

STATIC = Path(str(files("pitboss.web") / "static"))
"""The folder of what is sent as it is."""

PAGES: Mapping[str, str] = {
    "lobby": "you, tables",
    "table": "a scene",
    "table-live": "a scene: the sections of the table that change",
    "history": "you, table, rounds, sum",
    "replay": "a scene of a past round, with replay",
    "replay-live": "the same: the sections that change",
    "rules": "you, table, sheet",
    "sign": "group, meters, tables",
    "supervisor": "you, tables, games, people, invitations",
    "audit": "you, chain, events, exports",
    "login": "action",
    "invite": "name, role, action",
    "error": "status, sentence",
}
"""Every page, and what it wants; docs/face.md has each in full."""
ON_FELT = ("table", "table-live", "replay", "replay-live")


def render(name: str, data: Mapping[str, Any], layout: Layout | None = None) -> str:
    """A page, or the sections of a page that change."""
    if name not in PAGES:
        raise BadInput(f"a page is {choice_of(said(name), PAGES)}")
    given = dict(data)
    if name in ON_FELT:
        if layout is None:
            raise BadInput(f"the page {name} wants the layout of its house")
        given["stage"] = stage_of(data, layout, _drawn_at(data, layout))
    return _template(name).render(given)


def _drawn_at(scene: Mapping[str, Any], layout: Layout) -> Callable[[str, SeatStage], Markup]:
    """How the parts of a seat are written in this scene. A seat looks the same to most who look at it, and from one
    scene to the next, so what was written for it is kept."""
    table, you = scene["table"], scene["you"]
    about = {
        "phase": table["phase"],
        "clock": table["clock"] is not None,
        "may_sit": you["role"] == "player" and table["phase"] != "closed" and "replay" not in scene,
        "called": {wager["wager"]: wager["called"] for wager in scene["wagers"]},
        "pots": pots_of(scene, layout),
    }
    told = json.dumps(about)

    def drawn(part: str, one: SeatStage) -> Markup:
        if part != "place":
            return _part(part, one.place, one.text, told)
        bets = table["phase"] in ("betting", "over") and not table["paused"]
        mine = {"bets": bets, "layout": layout.name, "wagers": scene["wagers"], "pots": about["pots"]}
        return _part(part, one.place, one.text, json.dumps(mine))

    return drawn


@lru_cache(maxsize=16_384)
def _part(part: str, place: SeatPlace, seat: str, about: str) -> Markup:
    told = json.loads(about)
    one = SeatStage(place, json.loads(seat), told.pop("pots"))
    return Markup(_template(f"seat-{part}").render(one=one, **told))


@lru_cache(maxsize=64)
def _template(name: str) -> Template:
    return _templates().get_template(f"{name}.html")


@lru_cache(maxsize=4096)
def _number(value: float) -> Markup:
    """Millimetres, to a tenth."""
    return Markup(f"{value:.1f}".removesuffix(".0"))


@lru_cache(maxsize=1)
def _templates() -> Environment:
    found = Environment(
        loader=PackageLoader("pitboss.web.face"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, auto_reload=False,
    )  # fmt: skip
    found.filters |= {
        "dollars": money.dollars,
        "signed": money.signed,
        "cents": money.cents,
        "chip_words": money.chip_words,
        "cards_words": cards_words,
        "count_words": count_words,
        "capital": lambda text: str(text)[:1].upper() + str(text)[1:],
        "drawn": lambda svg: Markup(svg),  # pictures that pitboss.felt made, in which all words are escaped
        "n": _number,
    }
    found.globals |= {
        "betting": BETTING,
        "around": around,
        "offered": money.offered,
        "sprites": lambda: Markup(sprites()),
    }
    return found
