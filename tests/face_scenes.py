"""Scenes for the pages, from rounds that are really played: what the server makes of a table, without a server."""

import random
from fractions import Fraction
from functools import lru_cache
from typing import Any

import pitboss as pb
from pitboss.live.bots import usual_bets
from pitboss.live.reasons import reasons
from pitboss.live.shoe import Shoe
from pitboss.live.standing import Standing
from pitboss.live.view import HandView, View
from pitboss.rules.called import place_called, wager_called
from pitboss.rules.house import House
from pitboss.rules.numbers import money
from pitboss.web.keys import keys

Scene = dict[str, Any]
NAMES = ("Ann", "Bob", "Chidi", "Dagny", "Emre", "Fumiko", "Gil", "Hana", "Ivo")
YOU = 3


def shown(amount: Fraction | int | None) -> str:
    return money(Fraction(amount or 0))


def played(
    game: str, seed: int = 1, steps: int | None = 0, seats: int | None = None, you: int = YOU, wanted: str = "",
    **options: object,
) -> Standing:  # fmt: skip
    """A table of a game where it is your turn, after a choice of this name if one is wanted; or after the round (None);
    or before the deal (-1)."""
    house = pb.game(game).at(**options)
    many, rng = seats or house.game.seats, random.Random(seed)
    session = Standing(house, many, shoe=Shoe(house, lambda cards: rng.sample(list(cards), len(cards))), purses=1000)
    playing = [seat for seat in session.seats if seat != many and (seat != 2 or many < 5)]
    for _ in range(400):
        for seat in playing:
            session.buy_in(seat, max(0, 1000 - session.purse(seat)))
            bets = usual_bets(house, seat + 1)
            session.bet(seat, {k: v * rng.choice((1, 2, 5)) if _free(house, k) else v for k, v in bets.items()})
        if steps == -1:
            return session
        session.deal()
        made = not wanted
        while (turn := session.turn) is not None and not (made and steps == 0 and turn.seat == you):
            mine = turn.seat == you and wanted in turn.choices
            session.choose(turn.seat, wanted if mine else _usual(turn.choices, rng))
            made |= mine
        if made and (steps is None or session.turn is not None or not session.round.choices):
            return session
    raise AssertionError(f"{game}: no round with {wanted}")


def _free(house: House, wager: str) -> bool:
    return house.least_bet(wager) < house.largest_bet(wager)


def _usual(choices: tuple[str, ...], rng: random.Random) -> str:
    for choice in ("raise", "bet", "play", "stand", "call"):
        if choice in choices and rng.random() < 0.7:
            return choice
    return rng.choice([c for c in choices if c != "surrender"] or list(choices))


def scene(session: Standing, you: int | None = YOU, role: str = "player", **table: Any) -> Scene:
    """The scene of one viewer, by the contract of web/scene.py."""
    house, round_ = session.house, session.round
    view = session.view(you or 1)
    if you is None:
        from pitboss.live.view import view_of

        view = view_of(round_, (), view.pots) if round_ is not None else view
    told = {} if round_ is None else reasons(round_, [you] if you else [])
    phase = "betting" if not view.dealt else "over" if view.over else "playing"
    turn = session.turn
    meters = [(m.meter, row) for w in house.wagers for row, m in house.tables[w.name].meters()]
    choose = None
    if turn is not None and turn.seat == you:
        choose = {"seat": you, "decision": turn.decision, "choices": [
            {"choice": c, "key": k, "costs": shown(cost) if (cost := session._cost(c)) else "", "worth": None,
             "short": session.short(c)}
            for c, k in keys(turn.choices).items()]}  # fmt: skip
    return {
        "table": {
            "id": "t1", "name": "Table 1", "game": house.game.name, "title": house.game.title, "phase": phase,
            "paused": False, "round": 128, "min": shown(house.amount("table-min")),
            "max": shown(house.amount("table-max")),
            "clock": {"left": 19, "of": 30, "seat": turn.seat if turn else None} if phase != "over" else None,
            "shoe": {"number": 4, "dealt": view.shoe.dealt, "cut": view.shoe.cut, "every_round": view.shoe.every_round,
                     "commitment": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"},
            "meters": [{"name": m, "called": row, "shows": shown(session.showing.amount(m))} for m, row in meters],
            "pots": [{"wager": w, "called": wager_called(house, w), "amount": shown(x)} for w, x in view.pots.items()],
            "head": "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752", **table,
        },
        "you": {"name": NAMES[you - 1] if you else "Wanda", "role": role, "seats": [you] if you else [],
                "purse": "950.00", "chips": shown(session.purse(you)) if you else "0"},
        "wagers": [
            {"wager": w.name, "called": wager_called(house, w.name), "about": w.help,
             "least": "" if w.equal_to else shown(house.least_bet(w.name)),
             "most": "" if w.equal_to else shown(house.largest_bet(w.name)),
             "exactly": shown(house.least_bet(w.name)) if w.exactly is not None else "", "needs": w.needs,
             "required": w.required, "tokes": w.tokes, "during": w.during or w.equal_to is not None}
            for w in house.wagers],
        "seats": [_seat(session, view, n, you, told, phase) for n in session.seats],
        "dealer": _hand(view.dealer),
        "places": [
            *([{"place": "board", "called": place_called(house, "board"), "cards": list(view.board)}]
              if view.board else []),
            *({"place": p, "called": place_called(house, p), "cards": list(h.cards)} for p, h in view.places.items())],
        "choose": choose,
        "say": ["Bets are closed.", "Dealer deals one card to every player.", "Seat 4 raises."]
        if phase != "betting" else ["Place your bets, please."],
    }  # fmt: skip


def _hand(hand: HandView) -> Scene:
    return {"cards": list(hand.cards), "count": dict(hand.count)}


def _seat(session: Standing, view: View, n: int, you: int | None, told: Any, phase: str) -> Scene:
    house, seen = session.house, view.seats.get(n)
    many = len(session.seats)
    empty = (n == 2 and many > 4) or n == many
    out: Scene = {
        "seat": n, "name": "" if empty else NAMES[n - 1], "bot": n == 5, "yours": n == you, "empty": empty,
        "turn": view.turn == n, "ready": phase == "betting" and n in (1, 4),
        "chips": "" if empty else shown(session.purse(n)), "bets": {}, "stakes": {}, "tokes": {}, "markers": {},
        "hands": [], "settled": [], "net": "0", "carried": {}, "left": False,
    }  # fmt: skip
    if seen is None:
        return out
    amounts = {k: {w: shown(x) for w, x in getattr(seen, k).items()} for k in ("bets", "stakes", "tokes", "markers")}
    settled = [
        {"wager": e["wager"], "called": wager_called(house, e["wager"]), "row": e["row"], "pays": e.get("pays", ""),
         "net": e["net"], "why": told.get((n, e["wager"]), "")}
        for e in seen.settled]  # fmt: skip
    hands = [{**_hand(h), "playing": h.playing, "wager": h.wager} for h in seen.hands]
    more = {"hands": hands, "settled": settled, "net": str(seen.net), "carried": dict(seen.carried), "left": seen.left}
    return out | amounts | more


# ---- the other pages


def tables() -> list[Scene]:
    out = []
    for number, game in enumerate(("bluff", "flop-poker-bonus", "packs-poker", "blackjack"), 1):
        house = pb.game(game).at()
        seats = house.game.seats
        sitting = [{"seat": s, "name": NAMES[s - 1], "bot": s == 5, "empty": False, "chips": str(400 + 35 * s)}
                   for s in range(1, seats) if (s + number) % 3]  # fmt: skip
        meters = [{"name": m.meter, "called": row, "shows": shown(house.amount(m.meter))}
                  for w in house.wagers for row, m in house.tables[w.name].meters()]  # fmt: skip
        free = [{"seat": s, "name": "", "bot": False, "empty": True, "chips": ""} for s in range(1, seats + 1)
                if s not in {x["seat"] for x in sitting}]  # fmt: skip
        out.append({
            "id": f"t{number}", "name": f"Table {number}", "game": game, "title": house.game.title, "min": "5",
            "max": "500", "seats": seats, "free": len(free), "phase": "betting" if number < 4 else "playing",
            "paused": number == 3, "meters": meters, "sitting": sitting, "round": 120 + number,
            "all": sorted([*sitting, *free], key=lambda x: x["seat"]), "pace": {"bet": 20, "act": 30},
            "win": None if number == 4 else {"rounds": 812 * number, "bet": "81200", "won": str(2100 * number - 3100),
                                             "theory": "3410.50", "low": "-900", "high": "7721"},
        })  # fmt: skip
    return out


def you(role: str = "player") -> Scene:
    return {"name": "Chidi", "role": role, "seats": [], "purse": "950.00", "chips": "0"}


@lru_cache(maxsize=1)
def others() -> dict[str, Scene]:
    """Every page without a felt, with what the server would say."""
    from pitboss.sheets import sheet_of

    found = tables()
    house = pb.game("bluff").at()
    sheet = sheet_of(house)
    hash_ = "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752"
    return {
        "lobby": {"you": you(), "tables": found},
        "rules": {"you": you(), "table": found[0], "sheet": sheet},
        "sign": {"group": "", "meters": [{"name": "meter", "called": "Jackpot", "shows": "10,001.50",
                                          "about": "Two matches in a row at Bluff"}],
                 "tables": [{**t, "pays": [{"called": "Suit & Tie", "rows": [("match", "15 to 1"), ("tie", "3 to 1")]}]
                             if t["id"] == "t1" else []} for t in found]},
        "history": {"you": you(), "table": found[0],
                    "sum": {"rounds": 128, "bet": "1920", "net": "-61.50", "expected": "-80.79",
                            "band": ["-410", "249"]},
                    "rounds": [{"round": 128 - i, "when": f"21:0{9 - i}", "net": net, "told": told} for i, (net, told)
                               in enumerate([("25", "You raised with the ace of clubs; the dealer folded a 4."),
                                             ("-5", "You checked with a 7, the dealer had a 9."), (None, "You sat out"),
                                             ("0", "You called; both cards were tens.")])]},
        "supervisor": {"you": you("supervisor"), "tables": [{**t, "seats": t["all"]} for t in found],
                       "games": [{"name": g, "title": h.game.title,
                                  "options": [vars(o) for o in sheet_of(h).options], "paytables": []}
                                 for g in ("bluff", "blackjack") if (h := pb.game(g).at())],
                       "people": [{"id": f"p{i}", "name": n, "role": "player", "purse": str(950 - 10 * i)}
                                  for i, n in enumerate(NAMES[:4])],
                       "invitations": [{"name": "Zoe", "role": "player", "link": "http://127.0.0.1:8021/invite/xYz"}],
                       "told": "Table 3 is paused."},
        "audit": {"you": you("auditor"), "asked": {},
                  "chain": {"head": hash_, "events": 12_345, "rounds": 812, "fault": ""},
                  "events": [{"seq": 12_345 - i, "when": "2026-11-18 01:02:03", "table": "t1", "kind": kind,
                              "body": body, "moves": moves, "hash": hash_} for i, (kind, body, moves) in enumerate([
                                  ("settle", '{"round":128,"nets":{"3":2500}}', {"seat:t1:3": 5000, "rack:t1": -5000}),
                                  ("choose", '{"seat":3,"choice":"raise"}', {"seat:t1:3": -2500, "stake:t1:3": 2500}),
                                  ("deal", "{}", {})])],
                  "exports": [{"href": "/audit/events.jsonl", "called": "Every event, as JSON lines"},
                              {"href": "/audit/balances.csv", "called": "Every account, as CSV"}],
                  "earlier": {"from": "12000"}},
        "login": {"action": "/login", "refused": "That is not the password."},
        "invite": {"action": "/invite/x", "name": "Zoe", "role": "player"},
        "error": {"status": 404, "sentence": "There is no such table."},
    }  # fmt: skip


def replay(session: Standing) -> Scene:
    """A round that is over, at its last step."""
    return scene(session) | {"replay": {"round": 128, "step": 14, "steps": 14, "when": "18 November 2026, 01:02",
                                        "share": "http://127.0.0.1:8021/t/t1/round/128?token=one-time"}}  # fmt: skip
