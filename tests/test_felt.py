"""The felt and all that is printed for a table: nothing overlaps, nothing leaves its cloth or its page, and every word
comes from the game file.

The boxes of words are worked out here from the SVG itself, with nothing of the room's own geometry: its elements, their
transforms and the arcs that words follow. The widths of letters are the font's, which typst measures.
"""

import doctest
import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from math import acos, cos, hypot, pi, radians, sin, sqrt
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest

import pitboss as pb
from helpers import GAME_FILES, ROOT, load_game, run
from pitboss.cards import RANKS
from pitboss.felt import Table, card, cards, felt, plan_of, policy, rack_card, sign, strategy_card
from pitboss.felt.cloth import HEART
from pitboss.felt.letters import balanced, cut, shortened, width, wrapped
from pitboss.felt.paper import pdf
from pitboss.felt.table import SIZES
from pitboss.rules import (
    BOARD,
    DEALER,
    DOWN,
    LOSE,
    PLAYER,
    WIN,
    BadInput,
    Choice,
    Game,
    House,
    PayTable,
    Wager,
    compare,
    where,
)
from pitboss.rules import Table as Round
from pitboss.rules import cards as deck_of
from pitboss.rules.called import wager_called
from pitboss.rules.graph import Share
from pitboss.rules.naming import rank_ranges
from pitboss.rules.spoken import spoken
from pitboss.sheets import sheet_of

QUICK = [p for p in GAME_FILES if p.stem not in ("blackjack_side_bets", "spanish_21")]  # rounds that are read quickly
LEAST = 8.0  # type on a felt, in millimetres
Corners = list[tuple[float, float]]


@cache
def usual(path: Path) -> House:
    return load_game(path).at()


# ---- a game of nobody's taste

NAMES = (
    "ante", "supercalifragilistic-expialidocious", "royal-match-of-the-first-two-cards", "b", "pair-or-better-plus",
    "lucky-lucky-lucky-lucky-break", "progressive", "envy",
)  # fmt: skip
TITLE = "<script>alert('&')</script> & Sons: the Longest Title that Anybody Ever Printed"


def _odd(t: Round) -> None:
    mine, his = t.deal(PLAYER, 2, face=DOWN), t.deal(DEALER, 2, face=DOWN)
    t.deal(BOARD, 3)
    t.deal("nameless old pile", 1)
    t.reveal(DEALER)
    for name in NAMES:
        t.settle(**{name: compare(mine[0].rank, his[0].rank)})


@cache
def odd() -> Game:
    rows = {f"row <{k}> of a long pay table & more": k for k in range(2, 26)}
    some = [PayTable("t", {"win": 1 + i, **dict(list(rows.items())[: 3 * i])}) for i in range(len(NAMES))]
    wagers = [Wager(n, "a <bet> & more", required=n == "ante", tables=[t]) for n, t in zip(NAMES, some, strict=True)]
    called = {"envy": 'Envy <&> "Bonus" for everybody who sits here tonight and tomorrow', BOARD: "centre & flop"}
    return Game("odd-game", TITLE, _odd, wagers, seats=12, called=called)


# ---- reading a picture


class Words(NamedTuple):
    text: str
    size: float
    pieces: list[Corners]
    rail: bool  # not on the cloth: a seat's number, the scale


def _moved(points: Corners, steps: list[tuple[str, list[float]]]) -> Corners:
    for what, by in reversed(steps):
        if what == "translate":
            points = [(x + by[0], y + by[1]) for x, y in points]
        elif what == "rotate":
            c, s = cos(radians(by[0])), sin(radians(by[0]))
            points = [(x * c - y * s, x * s + y * c) for x, y in points]
        else:
            points = [(x * by[0], y * by[0]) for x, y in points]
    return points


def _box(x: float, y: float, wide: float, size: float) -> Corners:
    top, bottom = y - 0.70 * size, y + 0.22 * size
    return [(x, top), (x + wide, top), (x + wide, bottom), (x, bottom)]


def words_of(svg: str, measured: Sequence[float] = ()) -> list[Words]:
    """All words, as wide as the font has them, or as somebody has measured them one after the other."""
    root = ElementTree.fromstring(svg)
    arcs = {e.get("id"): str(e.get("d")) for e in root.iter() if e.tag.endswith("}path") and e.get("id")}
    texts = [e for e in root.iter() if e.tag.endswith("}text")]
    assert len(measured) in (0, len(texts))
    return list(_walk(root, [], arcs, False, dict(zip(texts, measured, strict=False))))


def _walk(
    element: ElementTree.Element, steps: list[tuple[str, list[float]]], arcs: Mapping[Any, str], rail: bool,
    measured: Mapping[ElementTree.Element, float],
) -> Iterator[Words]:  # fmt: skip
    found = re.findall(r"(\w+)\(([^)]*)\)", element.get("transform", ""))
    steps = [*steps, *((what, [float(n) for n in by.split()]) for what, by in found)]
    rail = rail or element.get("id", "").endswith("-rail")
    if element.tag.endswith("}text"):
        text = "".join(element.itertext())
        size, bold = float(element.get("font-size", "0")), element.get("font-weight") == "bold"
        wide = measured.get(element, width(text, size, bold))
        follows = next((e for e in element if e.tag.endswith("}textPath")), None)
        if follows is not None:
            pieces = _along(arcs[str(follows.get("href")).removeprefix("#")], text, size, bold, wide)
        else:
            x, y = float(element.get("x", "0")), float(element.get("y", "0"))
            left = x - {"start": 0, "middle": wide / 2, "end": wide}[element.get("text-anchor", "start")]
            pieces = [_box(left, y, wide, size)]
        yield Words(text, size, [_moved(piece, steps) for piece in pieces], rail)
        return
    for kid in element:
        yield from _walk(kid, steps, arcs, rail, measured)


def _along(d: str, text: str, size: float, bold: bool, whole: float) -> list[Corners]:
    """The letters of a line on an arc of an ellipse that lies as wide as it is high above its two equal ends."""
    x1, y1, rx, ry, *_, x2, y2 = (float(n) for n in re.findall(r"-?[0-9.]+", d))
    middle = (x1 + x2) / 2
    assert abs(y1 - y2) < 0.2, "the line is centred"
    high = y1 - ry * sqrt(max(0.0, 1 - ((x1 - middle) / rx) ** 2))
    start = acos(max(-1.0, min(1.0, (x1 - middle) / rx)))
    points = []
    for i in range(2001):
        angle = start + (pi - 2 * start) * i / 2000
        points.append((middle + rx * cos(angle), high + ry * sin(angle)))
    far = [0.0]
    for (ax, ay), (bx, by) in pairwise(points):
        far.append(far[-1] + hypot(bx - ax, by - ay))
    at, out = (far[-1] - whole) / 2, []
    assert at >= 0, f"{text!r} is longer than its arc"
    for letter in text:
        wide = width(letter, size, bold) * whole / width(text, size, bold)
        i = min(range(0, 2001, 4), key=lambda i: abs(far[i] - at - wide / 2))
        (ax, ay), (bx, by) = points[max(0, i - 4)], points[min(2000, i + 4)]
        turn = [("translate", list(points[i])), ("rotate", [180 / pi * _direction(bx - ax, by - ay)])]
        out.append(_moved(_box(-wide / 2, 0, wide, size), turn))
        at += wide
    return out


def _direction(dx: float, dy: float) -> float:
    return acos(dx / hypot(dx, dy)) * (1 if dy >= 0 else -1)


def touch(one: Corners, other: Corners, slack: float = 0.3) -> bool:
    """Whether two shapes overlap by more than a hair: no line parts them."""
    for shape in (one, other):
        for i, (ax, ay) in enumerate(shape):
            bx, by = shape[i - 1]
            far = hypot(bx - ax, by - ay) or 1.0
            nx, ny = (by - ay) / far, (ax - bx) / far
            mine, theirs = ([nx * x + ny * y for x, y in s] for s in (one, other))
            if max(mine) <= min(theirs) + slack or max(theirs) <= min(mine) + slack:
                return False
    return True


def check_words(svg: str, measured: Sequence[float] = ()) -> list[Words]:
    """No two lines of words overlap."""
    found = [w for w in words_of(svg, measured) if w.text.strip()]
    for i, one in enumerate(found):
        for other in found[i + 1 :]:
            assert not any(touch(a, b) for a in one.pieces for b in other.pieces), (one.text, other.text)
    return found


def check_held(svg: str, measured: Sequence[float] = ()) -> None:
    """Words whose middle is in a circle or in a box are in it from end to end."""
    root = ElementTree.fromstring(svg)
    texts = [e for e in root.iter() if e.tag.endswith("}text")]
    wide = dict(zip(texts, measured, strict=False))
    for group in (e for e in root.iter() if e.tag.endswith(("}svg", "}g"))):
        shapes = [e.attrib for e in group if e.tag.endswith(("}rect", "}circle"))]
        for words in (e for e in group if e in wide and e.get("x")):
            across, size = wide[words], float(words.attrib["font-size"])
            left = float(words.attrib["x"]) - across * {"middle": 0.5, "end": 1}.get(words.get("text-anchor", ""), 0)
            box = _box(left, float(words.attrib["y"]), across, size)
            middle = [(left + across / 2, (box[0][1] + box[2][1]) / 2)]
            for shape in shapes:
                assert not _in(shape, middle) or _in(shape, box, 0.3), words.text


def _in(shape: Mapping[str, str], points: Corners, slack: float = 0.0) -> bool:
    if "r" in shape:
        x, y, r = (float(shape[name]) for name in ("cx", "cy", "r"))
        return all(hypot(px - x, py - y) <= r + slack for px, py in points)
    x, y, w, h = (float(shape[name]) for name in ("x", "y", "width", "height"))
    return all(x - slack <= px <= x + w + slack and y - slack <= py <= y + h + slack for px, py in points)


def check_felt(house: House) -> str:
    """All words are apart, on the cloth and large enough; all spots are apart and on the cloth."""
    svg, plan = felt(house), plan_of(house)
    table = plan.table

    def held(points: Corners, margin: float = 0.0) -> bool:
        across, down = table.width / 2 - margin, table.depth - table.side - margin
        return all(
            y >= 0 and abs(x - table.width / 2) <= across
            and (y <= table.side or ((x - table.width / 2) / across) ** 2 + ((y - table.side) / down) ** 2 <= 1)
            for x, y in points
        )  # fmt: skip

    for words in check_words(svg):
        assert words.size >= LEAST, words.text
        assert words.rail or all(held(piece) for piece in words.pieces), words.text
    drawn = [s for s in plan.spots if s.shape != "open"]
    for i, spot in enumerate(drawn):
        assert held(list(spot.corners)), spot
        assert not any(touch(list(spot.corners), list(other.corners)) for other in drawn[i + 1 :]), spot
    boxes = [list(p.corners) for p in plan.panels]
    assert not any(touch(box, list(spot.corners)) for box in boxes for spot in drawn)
    return svg


# ---- the felt of every game


@pytest.mark.parametrize("path", GAME_FILES, ids=lambda p: p.stem)
def test_nothing_on_a_felt_overlaps_or_leaves_the_cloth(path: Path) -> None:
    house = usual(path)
    svg = check_felt(house)
    assert plan_of(house).table in SIZES and not plan_of(house).on_sign
    assert svg == felt(house) and ElementTree.fromstring(svg).tag.endswith("}svg")


@pytest.mark.parametrize("path", [p for p in QUICK if p.stem != "blackjack"], ids=lambda p: p.stem)
def test_nor_does_it_under_other_options(path: Path) -> None:
    game, dice = load_game(path), random.Random(path.stem)
    choices = {o.name: dice.choice(o.values) for o in game.options if isinstance(o, Choice)}
    tables = {w.name: dice.choice(w.tables).name for w in game.at().wagers if len(w.tables) > 1 and not w.table_of}
    check_felt(game.at(choices, {name: table for name, table in tables.items() if name in game.at(choices).tables}))


@pytest.mark.parametrize("seats", range(1, 13))
def test_a_table_has_as_many_seats_as_the_game(seats: int) -> None:
    house = replace(load_game(GAME_FILES[0].with_name("bluff.py")), seats=seats).at()
    check_felt(house)
    plan = plan_of(house)
    assert len(plan.seats) == seats == len({s.seat for s in plan.spots if s.seat})
    places = [frame.x for frame in plan.seats]
    assert places == sorted(places, reverse=True), "seat 1 is at the dealer's left, in the picture at the right"
    assert abs(sum(places) / seats - plan.table.width / 2) < 1, "the table is the same in a mirror"


def test_a_game_of_nobodys_taste_is_printed_all_the_same() -> None:
    house = odd().at()
    svg = check_felt(house)
    for drawn in (svg, sign(house, ["<i>5 & 6</i>"]), rack_card(house), strategy_card(house)):
        check_words(drawn)
        root = ElementTree.fromstring(drawn)
        assert TITLE.partition(" &")[0] in "".join(root.itertext())
        assert {e.tag.rpartition("}")[2] for e in root.iter()} <= {
            "svg", "title", "desc", "defs", "path", "radialGradient", "stop", "rect", "circle", "text", "textPath", "g",
        }  # fmt: skip
        assert "see the sign" in svg


@pytest.mark.parametrize("path", QUICK, ids=lambda p: p.stem)
def test_every_wager_has_its_place_at_every_seat(path: Path) -> None:
    house = usual(path)
    plan, graph = plan_of(house), spoken(house)
    pots = {e.wager for n in graph.nodes for e in n.events if isinstance(e, Share)}
    assert {s.name for s in plan.spots if s.kind == "pot"} == pots
    assert {s.name for s in plan.spots if s.kind == "place"} == {*graph.places}
    assert {s.kind for s in plan.spots} >= {"tray", "shoe", "discards"}
    for seat in range(1, house.game.seats + 1):
        mine = {s.name: s for s in plan.spots if s.seat == seat and s.kind == "wager"}
        assert mine.keys() == {w.name for w in house.wagers if not w.bonus}
        for w in house.wagers:
            if not w.bonus:
                assert mine[w.name].shape == (w.lies if w.lies in ("circle", "box") else "open")
                assert mine[w.name] == plan.spot("wager", w.name, seat)
    with pytest.raises(BadInput, match="no wager 'moon' at seat 3"):
        plan.spot("wager", "moon", 3)
    json.dumps(plan.json())


def test_it_is_drawn_to_scale() -> None:
    house = pb.game("bluff").at()
    svg, plan = felt(house), plan_of(house)
    head = re.search(r'width="([\d.]+)mm" height="([\d.]+)mm" viewBox="\S+ \S+ ([\d.]+) ([\d.]+)"', svg)
    assert head is not None and head[1] == head[3] and head[2] == head[4]  # a unit is a millimetre
    assert round(plan.table.width / 25.4) == 72 and f"{plan.table.width:.0f} x {plan.table.depth:.0f} mm" in svg
    ante = plan.spot("wager", "ante", 4)
    assert ante.width == 92 and ante.frame.x == pytest.approx(plan.table.width / 2)
    large = Table(3000, 1500)
    assert plan_of(house, large).table == large and "3000 x 1500 mm" in felt(house, large)
    with pytest.raises(BadInput, match=r"does not fit on a cloth of 600 x 500 mm; 1829 x 1067 mm is enough"):
        felt(house, Table(600, 500))


# ---- recognisable


def printed(svg: str) -> list[str]:
    return [w.text for w in words_of(svg)]


def test_the_dealers_policy_on_bluff_is_that_of_the_options() -> None:
    dice = random.Random(5)
    for _ in range(6):
        folds, raises = (sorted(dice.sample(range(13), dice.randint(1, 6))) for _ in "ab")
        written = {n: ",".join(RANKS[r] for r in ranks) for n, ranks in (("folds", folds), ("raises", raises))}
        house = pb.game("bluff").at(dealer_folds=written["folds"], dealer_raises=written["raises"])
        told = {rule.who: rule.cases for rule in policy(house)}
        card_is = "the dealer's card is "
        assert told["Player raised"] == ((card_is + rank_ranges(folds), "dealer folds"), ("otherwise", "dealer calls"))
        assert told["Player called"][0] == (card_is + rank_ranges(raises), "dealer raises")
        assert f"{rank_ranges(folds)}: dealer folds" in printed(felt(house))
    assert [w for w in printed(felt(house)) if w in ("Play", "Box")] == ["Play", "Box"] * 7
    high = policy(pb.game("bluff").at(limit="high"))
    assert "Player re-raised: the dealer's card is 2 or 3: dealer folds his bluff" in " ".join(r.words for r in high)


def test_the_dealers_other_rules() -> None:
    def rules(name: str, **options: object) -> list[str]:
        path = next(p for p in GAME_FILES if p.stem == name)
        return [rule.words for rule in policy(load_game(path).at(options))]

    assert rules("blackjack", soft17="hit") == [
        "The dealer draws if he counts less than 17 or soft 17, and stands otherwise"
    ]
    assert rules("three_card_poker") == [
        "Unless the dealer's hand is queen high or better: the Ante wins 1 to 1, the Play pushes"
    ]
    assert rules("baccarat")[0].startswith("The player hand draws if the player hand's total is 5 or less")
    for name in ("packs_poker", "flop_poker_bonus", "casino_war", "let_it_ride", "red_dog"):
        assert rules(name) == []


def test_blackjack_has_its_lines() -> None:
    path = next(p for p in GAME_FILES if p.stem == "blackjack")
    told = printed(felt(usual(path)))
    assert {"Blackjack pays 3 to 2", "Insurance pays 2 to 1", "26 suited 5+", "153 to 1"} <= {*told}
    assert not [text for text in told if text.startswith(("Double", "Hand 2"))]  # they lie beside the bet
    plan = plan_of(usual(path))
    for seat in range(1, 8):
        ahead, main = plan.spot("wager", "insurance", seat).frame, plan.spot("wager", "main", seat).frame
        middle = plan.table.width / 2, plan.table.side
        assert hypot(ahead.x - middle[0], ahead.y - middle[1]) < hypot(main.x - middle[0], main.y - middle[1])


def test_packs_poker_has_its_packs_and_flop_poker_its_pot() -> None:
    packs = plan_of(pb.game("packs-poker").at())
    assert [packs.spot("place", f"{n} pack").cards for n in ("first", "second", "third")] == [2, 2, 2]
    assert packs.spot("place", "dealer").cards == 5
    with pytest.raises(BadInput):
        plan_of(pb.game("packs-poker").at(packs=2)).spot("place", "third pack")
    for seat in range(1, 9):  # an area is a column: the bonus straight before its pack
        for area in ("", "-2", "-3"):
            pack, bonus = (packs.spot("wager", f"{w}{area}", seat).frame for w in ("pack", "ante-bonus"))
            c, s = cos(radians(pack.turn)), sin(radians(pack.turn))
            assert abs((bonus.x - pack.x) * c + (bonus.y - pack.y) * s) < 0.1
    flop = plan_of(pb.game("flop-poker-bonus").at())
    assert flop.spot("pot", "pot").frame.x < flop.spot("place", "board").frame.x
    assert flop.spot("place", "board").called == "flop"


def test_a_long_pay_table_is_on_the_sign_alone() -> None:
    house = odd().at()
    assert "see the sign" in printed(felt(house))
    assert sum("row <22> of" in text for text in printed(felt(house))) == 0
    assert sum("Row <22> of" in text for text in printed(sign(house))) == 1


# ---- cards


def test_every_card_is_drawn_and_no_two_alike() -> None:
    names = [r + s for r in RANKS for s in "cdhs"] + ["Jk"]
    drawn = {name: card(name) for name in names}
    assert len({re.sub(r"card-\w+|<title.*", "", svg) for svg in drawn.values()}) == 53
    assert card("10h") == card("Th") == card(34) and "10 of hearts" in card("Th")
    for suit, colour in zip("cdhs", ("#1c7a3d", "#1f5fa8", "#c1272d", "#1d1d1b"), strict=True):
        assert all(colour in drawn[r + suit] for r in RANKS)
    assert "a card face down" in card("back") and "text" not in re.sub(r"<title.*", "", card("back"))
    for svg in (*drawn.values(), cards("Ah Kd back"), cards(["2c", 51], gap=-40)):
        check_words(svg)
        assert len(svg) < 2000 * svg.count("<g ")


@pytest.mark.parametrize("which", ["1x", "", 52 + 2, -1, True, "<b>"])
def test_what_is_no_card_is_one_sentence(which: Any) -> None:
    with pytest.raises(BadInput, match="or back for a card face down"):
        card(which)


# ---- sign, rack card, strategy card


def check_page(svg: str) -> list[Words]:
    head = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert head is not None
    wide, high = float(head[1]), float(head[2])
    found = check_words(svg)
    for words in found:
        assert all(0 <= x <= wide and 0 <= y <= high for piece in words.pieces for x, y in piece), words.text
    return found


@pytest.mark.parametrize("path", QUICK, ids=lambda p: p.stem)
def test_a_sign_has_every_bet_and_every_row_in_large_type(path: Path) -> None:
    house = usual(path)
    found = check_page(sign(house, ["No bet above $300 (rule 7).", "Play with sense."]))
    told = " ".join(w.text for w in found)
    assert "Table limits $5 to $500" in told and "• No bet above $300 (rule 7)." in told
    for w in house.wagers:
        if w.lies != "beside" and not w.bonus:
            called = wager_called(house, w.name)
            assert called[:1].upper() + called[1:] in told
    for line in sheet_of(house).paytables:
        rows = [row for row, pay in line.pays.items() if row not in ("win", "best hand", "surrender") and row != pay]
        assert all(row[:1].upper() + row[1:] in told for row in rows)
    small = [w for w in found if w.size < 5.5 * 0.73 and "pitboss" not in w.text]
    assert not small, small


@pytest.mark.parametrize("path", QUICK, ids=lambda p: p.stem)
def test_a_rack_card_has_how_to_play_and_no_figure_but_limits_and_pays(path: Path) -> None:
    found = check_page(rack_card(usual(path)))
    told = " ".join(w.text for w in found)
    prose = "".join(e for e in sheet_of(usual(path)).about)
    assert "%" not in told or "%" in prose
    numbers = [int(m) for m in re.findall(r"(?:^| )([1-9])\. ", told)]
    assert 2 <= max(numbers) <= 6 and min(w.size for w in found if "pitboss" not in w.text) >= 1.8


def test_a_strategy_card_says_the_rule_and_what_it_costs(tmp_path: Path) -> None:
    house = pb.game("bluff").at()
    book = pb.study(house).rule()
    told = " ".join(w.text for w in check_page(strategy_card(house, book)))
    assert "RAISE with a 4 or lower. CALL otherwise." in told and "4.230% = 171/4043 of the ante" in told
    longer = " ".join(w.text for w in check_page(strategy_card(house, book, rung=book.rungs[0])))
    assert "It costs" in longer and "nothing" not in longer
    file = pb.layout(house, tmp_path / "card.svg", "strategy-card")
    assert file.read_text() == strategy_card(house, book)
    nothing = " ".join(w.text for w in check_page(strategy_card(pb.game("packs-poker").at())))
    assert "There is nothing to decide after the bets" in nothing


def test_a_chart_is_a_card_too() -> None:
    house = pb.game("bluff").at()
    choices = ("stand", "hit", "double", "split")
    chart = {((*choices[:3],), (total, soft, d)): "double" if total == 11 else "hit" if total < 17 else "stand"
             for total in range(4, 21) for soft in (0, 1) for d in range(1, 11) if not soft or total > 12}  # fmt: skip
    chart |= {(choices, (2 * n, 0, d)): "split" for n in range(2, 11) for d in range(1, 11)}
    found = check_page(strategy_card(house, chart=chart, looks=("total", "soft", "dealer")))
    told = [w.text for w in found]
    assert told.count("Dh") == 11 and told.count("P") == 91 and {"Hard", "Soft", "Pairs", "split"} <= {*told}
    assert "double, else hit" in told


def test_what_is_said_elsewhere_is_said_in_short() -> None:
    def told(name: str) -> list[str]:
        return printed(felt(usual(next(p for p in GAME_FILES if p.stem == name))))

    assert "All bets" in told("mississippi_stud") and "All bets" in told(
        "let_it_ride"
    )  # one pay table, for all of them
    assert {"The dealer's card is ...", "2 to 4: the dealer blinks"} <= {*told("stare_down")}


def test_pay_tables_are_larger_where_there_is_room_beside_the_dealers_cards() -> None:
    for name, size in (("bluff", 20.4), ("three_card_poker", 20.4), ("blackjack", 17.0)):
        plan = plan_of(usual(next(p for p in GAME_FILES if p.stem == name)))
        assert {round(p.panel.size, 2) for p in plan.panels if p.panel.kind == "pays"} == {size}, name


# ---- the heart of the cloth


@pytest.mark.parametrize("path", QUICK, ids=lambda p: p.stem)
def test_words_that_reach_out_of_the_heart_of_the_cloth_are_marked(path: Path) -> None:
    """A phone shows the dealer's cards large, and leaves out what is marked: no word is cut through."""
    house = usual(path)
    middle, root = plan_of(house).table.width / 2, ElementTree.fromstring(felt(house))
    for group in [e for e in root.iter() if e.get("class") == "aside" or "-seat-" in e.get("id", "")]:
        group.clear()
    shown = [w for w in words_of(ElementTree.tostring(root, encoding="unicode")) if not w.rail]
    assert {spot.label.lines[0][0] for spot in plan_of(house).spots if spot.kind == "place"} <= {w.text for w in shown}
    for words in shown:
        for x, y in (corner for piece in words.pieces for corner in piece):
            assert abs(x - middle) <= HEART[0] and y <= HEART[1], words.text


# ---- letters


def test_a_name_in_a_circle_is_in_lines_of_whole_words_before_it_is_small() -> None:
    path = next(p for p in GAME_FILES if p.stem == "blackjack")
    bet = plan_of(usual(path)).spot("wager", "main", 1)
    assert [line for line, _, _ in bet.label.lines] == ["Blackjack", "bet"] and bet.label.lines[0][1] > 12
    assert balanced("Blackjack bet", 14, 80, bold=True) == ["Blackjack", "bet"]


def test_words_are_broken_where_they_must_be() -> None:
    assert wrapped("one two three", 10, 40) == ["one two", "three"] or len(wrapped("one two three", 10, 40)) > 1
    for text in ("one two three four", "supercalifragilistic", "a", "", "日本語の長い題名です", "x" * 300):
        lines = wrapped(text, 10, 60)
        assert all(width(line, 10) <= 60 for line in lines)
        assert "".join(lines).replace("-", "").replace(" ", "") == text.replace(" ", "")
        assert len(balanced(text, 10, 60)) == len(lines)
        assert len(cut(lines, 2, 10, 60)) <= 2 and width(shortened(text, 10, 30), 10) <= 30


def test_the_widths_are_those_of_the_font(tmp_path: Path) -> None:
    typst = pytest.importorskip("typst")
    texts = ["Dealer's policy", "Blackjack pays 3 to 2", "WAVE Tokyo 0123456789", "$25,000 or 500 to 1", "jqg @#%&<>{}"]
    script = """#let said = json("said.json")
#context [#metadata(said.map(t => (400, 700).map(w => measure(text(font: "Libertinus Serif", size: 100pt, weight: w,
  kerning: false, ligatures: false, t)).width.pt())))<widths>]"""
    (tmp_path / "said.json").write_text(json.dumps(texts))
    (tmp_path / "main.typ").write_text(script)
    found = json.loads(typst.query(str(tmp_path / "main.typ"), "<widths>", ignore_system_fonts=True))[0]["value"]
    for text, measured in zip(texts, found, strict=True):
        for bold in (False, True):
            assert width(text, 100, bold) == pytest.approx(measured[bold], rel=0.004)


@cache
def drawn_wide(font: str) -> Mapping[str, tuple[str, list[float]]]:
    """Every felt in a real browser, with some font: how wide it has drawn each line of words."""
    from browsing import chromium

    out = {}
    with chromium() as browser:
        page = browser.new_page()
        for path in GAME_FILES:
            svg = felt(usual(path))
            page.set_content(f"<style>svg text {{ font-family: {font} }}</style>{svg}")
            out[path.stem] = (
                svg,
                page.evaluate(
                    """() => [...document.querySelectorAll("text")].map((words) => words.firstElementChild
                  ? words.getComputedTextLength() : words.getBBox().width)"""
                ),
            )
    return out


@pytest.mark.parametrize("font", ["inherit", "'DejaVu Serif'", "monospace"])
def test_words_stay_in_their_room_whatever_font_a_browser_has(font: str) -> None:
    for svg, measured in drawn_wide(font).values():
        check_words(svg, measured)
        check_held(svg, measured)


# ---- the page, and its picture


def test_the_page_about_it_is_true(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    page = ROOT / "docs" / "felt.md"
    assert doctest.testfile(str(page), module_relative=False).failed == 0
    assert (ROOT / "docs" / "felt-bluff.svg").read_text() == felt(pb.game("bluff").at()), "pitboss layout bluff -o it"
    inches = ", ".join(f"{round(t.width / 25.4)} x {round(t.depth / 25.4)}" for t in SIZES[:-1])
    assert f"{inches} and {round(SIZES[-1].width / 25.4)} x" in page.read_text()


# ---- files


def test_a_layout_is_written_as_svg_and_as_pdf(tmp_path: Path) -> None:
    pytest.importorskip("typst")
    house = pb.game("bluff").at()
    for what in ("felt", "rack-card", "sign"):
        drawn = pb.layout(house, tmp_path / f"{what}.svg", what).read_text()
        pages = [pb.layout(house, str(tmp_path / f"{n}.pdf"), what).read_bytes() for n in "ab"]
        assert pages[0] == pages[1] and pages[0].startswith(b"%PDF") and ElementTree.fromstring(drawn) is not None
        assert pdf(drawn, "x") != pages[0]  # the title is in it
    posted = pb.layout(house, tmp_path / "sign.svg", "sign", notices=["Ask the floor."]).read_text()
    assert "Ask the floor." in posted
    with pytest.raises(BadInput, match="notices"):
        sign(house, "one sentence")


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["--what", "carpet"], "'carpet' is not one of felt, rack-card, sign or strategy-card"),
        (["-o", "felt.png"], "ends in .svg or .pdf"),
        (["-o", "nowhere/felt.svg"], "there is no folder nowhere"),
        (["-o", "folder.svg"], "cannot be written"),
        (["-o", "a.svg", "-o", "b.svg"], "one file is written, not 2"),
        (["-o", "moon=5"], "no option 'moon'"),
        (["--wager", "ante"], "leave --wager out"),
    ],
)
def test_a_mistake_is_one_sentence(argv: list[str], words: str, tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.svg").mkdir()
    code, out, err = run(capsys, "layout", "bluff", *argv)
    assert code == 2 and not out and words in err and err.count("\n") == 1
    assert [p.name for p in tmp_path.iterdir()] == ["folder.svg"]


def test_the_command_says_what_it_wrote(tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, _ = run(capsys, "layout", "bluff", "-o", "x.svg", "-o", "dealer-folds=2-7")
    assert code == 0 and "written: x.svg" in out and "1829 x 1067 mm, for 7 seats" in out
    assert "2 to 7: dealer folds" in (tmp_path / "x.svg").read_text()
    code, out, _ = run(capsys, "layout", "bluff", "--json")
    found = json.loads(out)
    assert code == 0 and found["file"] == "felt.svg" and len(found["seats"]) == 7
    assert {"kind": "wager", "name": "ante", "seat": 4}.items() <= next(
        s for s in found["spots"] if s["name"] == "ante" and s["seat"] == 4
    ).items()


def test_without_typst_a_pdf_is_refused_in_one_sentence(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("pitboss.felt.paper.importlib.util.find_spec", lambda name: None)
    with pytest.raises(BadInput, match=r"a PDF needs typst: install it, or .*pip install 'pitboss\[packet\]'; or .svg"):
        pb.layout("bluff", tmp_path / "x.pdf")


def test_a_card_that_cannot_be_counted_says_which_command_goes_on(tmp_path: Path) -> None:
    def play(t: Round) -> None:
        mine, his = t.deal(PLAYER, 7, face=DOWN), t.deal(DEALER, 7, face=DOWN)
        if t.decide("fold", "play", name="play") == "fold":
            t.settle(ante=LOSE)
            return
        t.bet("play")
        t.reveal(DEALER)
        result = compare(sum((c.rank * c.suit for c in mine), mine[0].rank), sum(c.rank * c.suit for c in his))
        t.settle(ante=result, play=result)

    house = Game("vast", "Vast", play, [Wager("ante", required=True), Wager("play", equal_to="ante")]).at()
    with pytest.raises(BadInput, match="pitboss simulate"):
        pb.layout(house, tmp_path / "x.svg", "strategy-card")
    assert not list(tmp_path.iterdir())


def test_nor_is_a_rule_looked_for_where_there_are_jokers(tmp_path: Path) -> None:
    def play(t: Round) -> None:
        mine = t.deal(PLAYER, 1, face=DOWN)
        t.bet("raise", 1 if t.decide("check", "raise", name="play") == "raise" else 0)
        t.settle(ante=where(mine.rank > 6, WIN, LOSE), raise_=where(mine.rank > 6, WIN, LOSE))

    wagers = [Wager("ante", required=True), Wager("raise", equal_to="ante", times=(0, 1))]
    house = Game("jokers", "Jokers", play, wagers, deck=deck_of("2-A", jokers=1)).at()
    with pytest.raises(BadInput, match=r"jokers or a wild rank; `pitboss strategy .*` has the best play"):
        pb.layout(house, tmp_path / "x.svg", "strategy-card")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"lies": "moon"}, "'moon' is not one of circle, box, beside or line"),
        ({"lies": ["box"]}, "is not one of circle, box, beside or line"),
        ({"lies": "beside"}, "lies beside the wager that it equals; write equal_to too"),
    ],
)
def test_where_a_wager_lies_is_checked_where_it_is_written(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        Wager("ante", **fields)
