"""The shuffle that a player can check: the same bytes in Python, by hand, and in the browser's module under node."""

import copy
import hashlib
import json
import random
import shutil
import subprocess
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import ROOT, SOURCE
from pitboss.cards import FULL_DECK, card_name, shoe_cards
from pitboss.cards.fair import (
    BadShuffle,
    below,
    commitment,
    fair_shuffle,
    key_text,
    secret,
    shuffle_key,
    words,
)
from pitboss.cards.revealed import shoe_faults, shoe_record
from pitboss.catalog import load
from pitboss.live.shoe import Shoe

Json = dict[str, Any]
VECTORS: list[Json] = json.loads((ROOT / "tests" / "shuffles.json").read_text())
SCRIPT = SOURCE / "web" / "static" / "fair.js"
PAGE = (ROOT / "docs" / "fairness.md").read_text()
SECRET = bytes(range(32)).hex()


def by_definition(key: bytes, message: bytes) -> bytes:
    """HMAC as RFC 2104 has it, from the bare hash."""
    padded = key.ljust(64, b"\0")
    inner, outer = (bytes(byte ^ pad for byte in padded) for pad in (0x36, 0x5C))
    return hashlib.sha256(outer + hashlib.sha256(inner + message).digest()).digest()


def by_hand(record: Json, cards: Sequence[str], turn: int = 0) -> list[str]:
    """The page docs/fairness.md once more, in as few lines as it takes; shares nothing with the library."""
    text = f"pitboss-shuffle-1\ntable {record['table']}\nshoe {record['shoe']}\n"
    text += "".join(f"seed {hashlib.sha256(seed.encode()).hexdigest()}\n" for seed in record["seeds"])
    key = by_definition(bytes.fromhex(record["secret"]), text.encode())
    blocks = [by_definition(key, bytes([0, 0, 0, turn, 0, 0, 0, block])) for block in range(40)]
    stream = b"".join(blocks)
    numbers = [256 * stream[i] + stream[i + 1] for i in range(0, len(stream), 2)]
    left, out = list(cards), list[str]()
    while left:
        while numbers[0] >= 65536 // len(left) * len(left):
            numbers.pop(0)
        place = numbers.pop(0) % len(left) if len(left) > 1 else 0
        out.insert(0, left[place])  # the last card dealt is drawn first
        left[place] = left[-1]
        left.pop()
    return out


# ---- vectors


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: v["about"][:9])
def test_a_vector_is_what_it_is_by_hand(vector: Json) -> None:
    record = vector["record"]
    key = shuffle_key(record["secret"], record["table"], record["shoe"], record["seeds"])
    assert key.hex() == vector["key"] and commitment(record["secret"]) == record["commitment"]
    assert list(islice(words(key), 16)) == vector["words"]
    assert fair_shuffle(record["cards"], key) == vector["order"] == by_hand(record, record["cards"])
    assert shoe_faults(record) == []


def test_the_vectors_are_worth_checking() -> None:
    one, deck, shoe = VECTORS
    assert deck["words"][3] >= 65536 - 65536 % 49  # turned away: the fourth draw is of 49
    assert Counter(card for deal in shoe["record"]["deals"] for card in deal["cards"]).most_common(1)[0][1] > 2
    again = by_hand(shoe["record"], shoe["order"][:104], turn=1)
    assert shoe["record"]["deals"][-1]["cards"] == shoe["order"][104:] + again[:9]
    assert one["record"]["seeds"] == ["ann", "zoë"] and not shoe["record"]["seeds"]


def test_the_page_has_the_vector_that_is_worked_out_by_hand() -> None:
    one = VECTORS[0]
    record = one["record"]
    literals = [record["secret"], record["commitment"], one["key"], " ".join(one["order"])]
    literals += key_text(record["table"], record["shoe"], record["seeds"]).splitlines()
    literals += [f"{word:,}" for word in one["words"][:4]]
    assert [literal for literal in literals if literal not in PAGE] == []


# ---- the shuffle


def test_a_secret_is_32_bytes_and_never_the_same() -> None:
    found = {secret() for _ in range(100)}
    assert len(found) == 100 and all(len(bytes.fromhex(s)) == 32 and s == s.lower() for s in found)


def test_everything_that_goes_into_a_key_changes_it() -> None:
    base: tuple[str, str, int, list[str]] = (SECRET, "t1", 1, ["ann", "bob"])
    others = [
        ("f" + SECRET[1:], "t1", 1, ["ann", "bob"]), (SECRET, "t2", 1, ["ann", "bob"]),
        (SECRET, "t1", 2, ["ann", "bob"]),
        (SECRET, "t1", 1, ["bob", "ann"]), (SECRET, "t1", 1, ["ann"]), (SECRET, "t1", 1, ["annbob"]),
        (SECRET, "t1", 1, ["ann", "bob", "bob"]), (SECRET, "t1", 11, ["ann", "bob"]), (SECRET, "t1", 1, ["ann\nbob"]),
    ]  # fmt: skip
    keys = {shuffle_key(*asked) for asked in (base, *others)}
    assert len(keys) == 1 + len(others)
    key = shuffle_key(*base)
    assert len({tuple(fair_shuffle(FULL_DECK, key, turn)) for turn in range(20)}) == 20


@given(st.binary(min_size=32, max_size=32), st.lists(st.integers(0, 53), max_size=60), st.integers(0, 2**32 - 1))
def test_a_shuffle_has_the_same_cards(key: bytes, cards: list[int], turn: int) -> None:
    assert sorted(fair_shuffle(cards, key, turn)) == sorted(cards)


@pytest.mark.parametrize("bound", [2, 3, 52, 416, 65_535, 65_536])
def test_every_number_below_a_bound_has_as_many_words(bound: int) -> None:
    """All 65,536 words, one after another: what is not turned away falls on every number equally often."""
    found: Counter[int] = Counter()
    every = iter(range(65_536))
    try:
        while True:
            found[below(bound, every)] += 1
    except StopIteration:
        pass
    assert sorted(found) == list(range(bound)) and set(found.values()) == {65_536 // bound}


@pytest.mark.parametrize("asked", [
    ("00", "t1", 1, []), (SECRET.upper(), "t1", 1, []), (None, "t1", 1, []), (SECRET + "\n", "t1", 1, []),
    (SECRET, "", 1, []), (SECRET, "a b", 1, []), (SECRET, "t1\nshoe 2", 1, []), (SECRET, "t1\n", 1, []),
    (SECRET, "t" * 65, 1, []), (SECRET, 1, 1, []), (SECRET, "t1", 0, []), (SECRET, "t1", True, []),
    (SECRET, "t1", 1.0, []), (SECRET, "t1", 2**53, []), (SECRET, "t1", 1, "ann"), (SECRET, "t1", 1, [""]),
    (SECRET, "t1", 1, ["x" * 257]), (SECRET, "t1", 1, ["\ud800"]), (SECRET, "t1", 1, [7]),
    (SECRET, "t1", 1, ["a"] * 101),
], ids=lambda asked: repr(asked[1:])[:30])  # fmt: skip
def test_what_no_key_is_made_of_is_refused_in_one_sentence(asked: Any) -> None:
    with pytest.raises(BadShuffle) as error:
        shuffle_key(*asked)
    assert "\n" not in str(error.value) and len(str(error.value)) < 160 and SECRET not in str(error.value).lower()


def test_what_no_shuffle_is_made_of_is_refused() -> None:
    key = bytes(32)
    for cards, wrong, turn in ((range(65_537), key, 0), ("ab", b"short", 0), ("ab", key, -1), ("ab", key, 1 << 32)):
        with pytest.raises(BadShuffle):
            fair_shuffle(cards, wrong, turn)  # type: ignore[type-var]


# ---- records


def dealt_shoe(rounds: int = 9) -> Json:
    """A shoe as a live table deals it, through the library's own shoe, to the end and on with the discards."""
    house = load("blackjack").at(decks=2)
    key = shuffle_key(SECRET, "bj", 3, ["ann"])
    turns = iter(range(3))
    shoe = Shoe(house, lambda cards: fair_shuffle(cards, key, next(turns)))
    deals: list[tuple[int | str, list[int]]] = []
    for number in range(1, rounds + 1):
        rest = shoe.rest()
        if len(rest) < 13:
            rest += shoe.discards()
        deals.append((number, rest[:13]))
        shoe.advance(min(13, len(shoe.rest())))
    return shoe_record(SECRET, "bj", 3, ["ann"], shoe_cards(house.composition), deals)


def test_what_a_live_shoe_deals_is_found_to_be_true() -> None:
    assert shoe_faults(dealt_shoe(7)) == []
    record = dealt_shoe(8)
    assert len(record["deals"]) * 13 == 104 and shoe_faults(record) == []
    longer = copy.deepcopy(record)
    longer["deals"][-1]["cards"] += by_hand(record, by_hand(record, record["cards"])[:91], turn=1)[:4]
    assert shoe_faults(longer) == []
    longer["deals"][-1]["cards"][-1] = record["cards"][0]
    assert shoe_faults(longer) == [
        f"round 8, card 17: {record['cards'][0]} was dealt, and the shuffle gives "
        + by_hand(record, by_hand(record, record["cards"])[:91], turn=1)[3]
    ]


def test_what_was_changed_is_named() -> None:
    def changed(**fields: Any) -> list[str]:
        return shoe_faults({**VECTORS[1]["record"], **fields}, seen)

    record = VECTORS[1]["record"]
    seen = {"table": "t1", "shoe": 145, "commitment": record["commitment"], "seed": "zoë"}
    assert changed() == []
    other = "f" + SECRET[1:]
    assert changed(secret=other)[0].startswith(f"secret: its SHA-256 is {commitment(other)}, and the commitment is")
    hidden = changed(secret=other, commitment=commitment(other))  # a house that makes both up afterwards
    assert hidden[
        0
    ] == f"commitment: {record['commitment']} was shown before the deal, and the record has " + commitment(other)
    assert changed(seeds=["ann", "bob"])[0] == "seeds: zoë was given before the deal, and is not among them"
    assert changed(seeds=["bob", "zoë"])[0].startswith("seeds, secret, table or shoe: another shuffle was dealt; 3")
    assert changed(shoe=146)[0] == "shoe: 145 was shown before the deal, and the record has 146"
    assert changed(table="t2")[0] == "table: t1 was shown before the deal, and the record has t2"
    deals = copy.deepcopy(record["deals"])
    deals[2]["cards"][4] = "2c"
    assert changed(deals=deals) == ["round 3, card 5: 2c was dealt, and the shuffle gives 9s"]
    deals[0]["cards"].pop(0)  # a card was left out: all that follow are another's
    assert changed(deals=deals)[0].startswith("seeds, secret, table or shoe: another shuffle was dealt; 3")
    six = copy.deepcopy(record["deals"])
    six[0]["cards"][:6] = ["As"] * 6
    assert (
        changed(deals=six)[-1] == "cards that the shuffle does not give, besides these: 1"
        and len(changed(deals=six)) == 6
    )
    assert changed(deals=[{"round": 1, "cards": ["2c"] * 53}]) == ["round 1: cards dealt 53, cards left 52"]
    order = VECTORS[1]["order"]
    late = [{"round": 1, "cards": order}, {"round": "late", "cards": ["2c"]}]
    assert changed(deals=late) == ["round late: cards dealt 1, cards left 0"]
    swapped = [*record["cards"][1::-1], *record["cards"][2:]]  # another new deck would be another shuffle
    assert changed(cards=swapped) == ["cards: new-deck order is wanted, and 2c follows 2d"]


# ---- in the browser's module


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    folder = tmp_path_factory.mktemp("script")
    (folder / "fair.mjs").write_text(SCRIPT.read_text())
    (folder / "run.mjs").write_text(
        'import * as fair from "./fair.mjs";\n'
        'import { readFileSync } from "node:fs";\n'
        "const bytes = (text) => Uint8Array.from(Buffer.from(text, 'hex'));\n"
        "const jobs = {\n"
        "  sha256: (text) => fair.hex(fair.sha256(bytes(text))),\n"
        "  hmac: (key, text) => fair.hex(fair.hmac(bytes(key), bytes(text))),\n"
        "  commitment: fair.commitment,\n"
        "  key: (...asked) => fair.hex(fair.shuffleKey(...asked)),\n"
        "  shuffle: (cards, key, turn) => fair.fairShuffle(cards, bytes(key), turn),\n"
        "  verify: fair.verify,\n"
        "};\n"
        "const asked = JSON.parse(readFileSync(0, 'utf-8'));\n"
        "console.log(JSON.stringify(asked.map(([job, ...rest]) => jobs[job](...rest))));\n"
    )
    return folder / "run.mjs"


def in_node(module: Path, jobs: Sequence[tuple[Any, ...]]) -> list[Any]:
    done = subprocess.run(["node", module], input=json.dumps(jobs), capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    found: list[Any] = json.loads(done.stdout)
    return found


def test_hashes_are_those_of_the_standard(module: Path) -> None:
    numbers = random.Random(15)
    texts = [numbers.randbytes(n) for n in [*range(130), 1000, 100_000]]
    keys = [numbers.randbytes(n % 65) for n in range(len(texts))]
    found = in_node(module, [("sha256", t.hex()) for t in texts])
    assert found == [hashlib.sha256(t).hexdigest() for t in texts]
    pairs = list(zip(keys, texts, strict=True))
    assert in_node(module, [("hmac", k.hex(), t.hex()) for k, t in pairs]) == [
        by_definition(k, t).hex() for k, t in pairs
    ]


def test_the_browser_finds_the_same_vectors(module: Path) -> None:
    for vector in VECTORS:
        record, key = vector["record"], vector["key"]
        asked = (record["secret"], record["table"], record["shoe"], record["seeds"])
        jobs = [("commitment", asked[0]), ("key", *asked), ("shuffle", record["cards"], key), ("verify", record)]
        found = in_node(module, [*jobs, ("shuffle", record["cards"], key, 4_000_000_000)])
        assert found[:3] == [record["commitment"], key, vector["order"]]
        assert found[3] == {"ok": True, "faults": []}
        assert found[4] == fair_shuffle(record["cards"], bytes.fromhex(key), 4_000_000_000)


def test_the_browser_shuffles_every_shoe_alike(module: Path) -> None:
    numbers = random.Random(16)
    jobs = []
    for size in (0, 1, 2, 3, 16, 17, 18, 52, 108, 312, 416):
        jobs += [("shuffle", list(range(size)), numbers.randbytes(32).hex(), turn) for turn in (0, 1, 7)]
    assert in_node(module, jobs) == [fair_shuffle(cards, bytes.fromhex(key), turn) for _, cards, key, turn in jobs]


def odd_records() -> list[tuple[object, Json]]:
    """True records, changed ones, and what is no record at all."""
    numbers = random.Random(17)
    odd: list[Any] = [None, True, 0, -1, 2**53, "", "x", "Ah", "é" * 129, "\u0000", "\ufeff", [], {}, ["Ah"], "0" * 64]
    found: list[tuple[object, Json]] = [(value, {}) for value in odd]
    for vector in VECTORS:
        record = vector["record"]
        found += [({**record, name: value}, {}) for name in record for value in odd]
        found += [({k: v for k, v in record.items() if k != name}, {}) for name in record]
        for name, value in (("seed", "ann"), ("seed", "eve"), ("shoe", 8), ("table", "t9"), ("commitment", "0" * 64)):
            found.append((record, {name: value}))
        for value in odd:
            found += [({**record, "deals": [value]}, {}), ({**record, "seeds": [value]}, {})]
            found += [({**record, "deals": [{"round": value, "cards": []}]}, {}), ({**record, "cards": [value]}, {})]
            found += [({**record, "deals": [{"round": 1, "cards": [value]}]}, {})]
        for _ in range(40):
            other = copy.deepcopy(record)
            for _ in range(numbers.choice([1, 1, 2, 7, 40])):
                cards = numbers.choice(other["deals"])["cards"]
                if cards:
                    cards[numbers.randrange(len(cards))] = card_name(numbers.randrange(54))
            found.append((other, {}))
            short = copy.deepcopy(record)
            del numbers.choice(short["deals"])["cards"][0]
            short["deals"].append({"round": "x", "cards": numbers.choices(FULL_DECK_NAMES, k=numbers.randrange(90))})
            found.append((short, {}))
    return found


FULL_DECK_NAMES = [card_name(code) for code in FULL_DECK]


def test_the_browser_says_of_every_record_what_python_says(module: Path) -> None:
    records = odd_records()
    wanted = [shoe_faults(record, seen) for record, seen in records]
    found = in_node(module, [("verify", record, seen) for record, seen in records])
    for (record, seen), mine, theirs in zip(records, wanted, found, strict=True):
        assert theirs == {"ok": not mine, "faults": mine}, (str(record)[:300], seen)
    kinds = {fault.partition(":")[0].partition(",")[0].partition(" ")[0] for faults in wanted for fault in faults}
    assert kinds >= {"record", "version", "table", "shoe", "commitment", "secret", "seeds", "cards", "deals", "round"}
    assert sum(not faults for faults in wanted) > 5 and len(records) > 500
