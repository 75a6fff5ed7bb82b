"""What binds a settled round to its cards: nobody can try hidden cards at it while the shoe runs, and nobody can change
it afterwards."""

import contextlib
import hashlib
import hmac
import json
from dataclasses import replace
from typing import Any

import pytest

from pitboss.cards.fair import BadShuffle, commitment, proof_of
from pitboss.live.live import Round
from pitboss.live.log import log_of
from pitboss.pit import Table
from pitboss.pit.recall import recalled
from pitboss.rules.errors import BadInput
from pitboss.vault import Stored
from test_pit import Driven, in_play


def settled(found: Driven, *seats: int) -> tuple[Table, Round, Stored]:
    """A round that is over, of a shoe that is not."""
    table = in_play(found, *seats)
    while (turn := table.session.turn) is not None:
        player = table.sitting[turn.seat].player
        assert not found.ask(table, "choose", player, seat=turn.seat, choice=turn.choices[0])
    round_ = table.session.round
    assert round_ is not None
    return table, round_, next(event for event in reversed(found.log) if event.kind == "settle")


def again(found: Driven, table: Table, event: Stored) -> Round:
    house = found.houses({**table.opening, "options": event.body["options"]})
    seeds = [table.seeds[seat] for seat in sorted(table.seeds)]
    secret = found.secrets["t1"][f"shoe {event.body['shoe']}"]
    return recalled(house, table.opening, "t1", event.body, secret, seeds)


def test_a_round_that_is_told_gives_no_hidden_card_away() -> None:
    """Who guesses every card right learns from nothing that was written or sent that he has."""
    found = Driven("bluff", 3)
    table, round_, event = settled(found, 1, 2)
    assert not any(e.kind == "reveal" for e in found.log)
    guess = json.dumps(log_of(round_), sort_keys=True, separators=(",", ":")).encode()  # a right one
    public: list[Any] = ["", "t1", "0" * 64, table.commitment, table.opening["sha256"], *table.seeds.values()]
    public += [str(value) for e in found.log for value in e.body.values()]
    tried = {hashlib.sha256(guess).hexdigest()}
    for key in public:
        text = str(key)
        tried |= {hmac.digest(raw, guess, "sha256").hex() for raw in (text.encode(), _raw(text))}
        if len(text) == 64 and text.isalnum() and text == text.lower():
            with contextlib.suppress(BadShuffle):
                tried.add(proof_of(guess.decode(), text, "t1", 1, table.rounds))
    said = json.dumps([[e.body, e.moves] for e in found.log])
    assert not any(one in said for one in tried)
    assert proof_of(guess.decode(), table.secret, "t1", 1, table.rounds) == event.body["proof"]


def _raw(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return text.encode()


def test_the_same_round_has_another_proof_under_another_secret_number_or_table() -> None:
    asked = [
        ("text", "a" * 64, "t1", 1, 1), ("text", "b" * 64, "t1", 1, 1), ("text", "a" * 64, "t2", 1, 1),
        ("text", "a" * 64, "t1", 2, 1), ("text", "a" * 64, "t1", 1, 2), ("texts", "a" * 64, "t1", 1, 1),
    ]  # fmt: skip
    assert len({proof_of(*one) for one in asked}) == len(asked)
    key = hmac.digest(bytes.fromhex("a" * 64), b"pitboss-proof-1\ntable t1\nshoe 1\nround 1\n", "sha256")
    assert proof_of(*asked[0]) == hmac.digest(key, b"text", "sha256").hex()  # as docs/fairness.md has it
    assert commitment("a" * 64) != proof_of("", "a" * 64, "t1", 1, 1)


def test_a_proof_that_was_changed_or_is_not_there_is_found() -> None:
    found = Driven("bluff", 3)
    table, _, event = settled(found, 1, 2)
    assert not found.audit().fault and again(found, table, event).over
    rest = {name: said for name, said in event.body.items() if name != "proof"}
    for body in ({**rest, "proof": "0" * 64}, rest, {**rest, "sha256": "0" * 64}, {**event.body, "sha256": "0" * 64}):
        log = [replace(e, body=body) if e is event else e for e in found.log]
        assert found.audit(log).fault.startswith(f"event {event.seq}, settle at t1: "), body
    for body in ({**rest, "proof": "0" * 64}, rest, {**rest, "sha256": "0" * 64}):
        with pytest.raises(BadInput, match="does not come out as it did"):
            again(found, table, replace(event, body=body))


def test_earlier_logs_are_read_and_audited() -> None:
    """There a settlement has the mere hash of its round."""
    found = Driven("bluff", 3)
    for seats in ((1, 2), (2, 3), (1,)):
        table, round_, event = settled(found, *seats)
        text = json.dumps(log_of(round_), sort_keys=True, separators=(",", ":")).encode()
        event.body["sha256"] = hashlib.sha256(text).hexdigest()
        del event.body["proof"]
        assert again(found, table, event).over
    assert not found.audit().fault
    settled(found, 1, 2)  # and the house goes on
    assert not found.audit().fault
