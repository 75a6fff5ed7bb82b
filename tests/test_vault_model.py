"""The vault against a plain Python model of it, step by random step, on both databases."""

from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from pitboss.rules.errors import BadInput
from pitboss.vault import Action, Entry, Overdrawn, Receipt, Vault

TABLES = ("t1", "t2")
ACCOUNTS = ("cage", "rack:t1", "purse:ann", "purse:bob", "stake:t1:1", "meter:all:grand")
OWING = ("cage", "rack:t1")


@st.composite
def entries(draw: st.DrawFn) -> tuple[Entry, ...]:
    out = []
    for _ in range(draw(st.integers(1, 3))):
        one, other = draw(st.permutations(ACCOUNTS))[:2]
        cents = draw(st.integers(0, 40))
        secrets = draw(st.dictionaries(st.sampled_from("xy"), st.sampled_from(["", "s", "t"]), max_size=1))
        table = draw(st.sampled_from(TABLES))
        out.append(Entry(table, "moved", {"n": draw(st.integers(-9, 9))}, {one: -cents, other: cents}, secrets))
    return tuple(out)


class Books(RuleBasedStateMachine):
    where = ""

    @initialize()
    def begin(self) -> None:
        self.vault = Vault.open(type(self).anew())
        self.ids = 0
        self.balances: dict[str, int] = {}
        self.answers: dict[tuple[str, str], Receipt] = {}
        self.asked: list[Action] = []
        self.log: list[tuple[str, str, str, dict[str, Any], dict[str, int]]] = []
        self.snapshots: dict[str, tuple[int, dict[str, Any]]] = {}
        self.secrets: dict[str, dict[str, str]] = {t: {} for t in TABLES}

    @staticmethod
    def anew() -> str:
        raise NotImplementedError

    def told(self, action: Action) -> type[Exception] | None:
        """What the model makes of an action: it is judged and taken down here, in the simplest way."""
        if (action.table, action.id) in self.answers:
            return None
        after = dict(self.balances)
        for entry in action.entries:
            for account, change in entry.moves.items():
                after[account] = after.get(account, 0) + change
            if any(cents < 0 for account, cents in after.items() if account not in OWING):
                return Overdrawn
        self.balances = after
        for entry in action.entries:
            self.log.append((action.table, action.id, entry.table, dict(entry.body), dict(entry.moves)))
            kept = self.secrets[entry.table]
            kept.update(entry.secrets)
            self.secrets[entry.table] = {name: text for name, text in kept.items() if text}
        if action.snapshot is not None:
            self.snapshots[action.table] = len(self.log), dict(action.snapshot)
        return None

    def compare(self, action: Action, found: Receipt | BaseException | None) -> None:
        before = self.answers.get((action.table, action.id))
        expected = self.told(action)
        if expected is not None:
            assert type(found) is expected
            return
        assert isinstance(found, Receipt)
        if before is not None:
            assert found == Receipt(before.seq, before.hash, before.answer, True)
        else:
            assert found.seq == len(self.log) and not found.repeated and found.answer == action.answer
            self.answers[action.table, action.id] = found

    @rule(table=st.sampled_from(TABLES), parts=st.lists(entries(), min_size=1, max_size=4), keep=st.booleans())
    def write(self, table: str, parts: list[tuple[Entry, ...]], keep: bool) -> None:
        """One action, or several that are handed in together."""
        actions = []
        for part in parts:
            self.ids += 1
            state = {"n": self.ids} if keep else None
            actions.append(Action(table, f"a{self.ids}", part, {"id": self.ids}, state))
        self.asked += actions
        for action, future in [(a, self.vault.write(a)) for a in actions]:
            self.compare(action, future.exception() or future.result())

    @precondition(lambda self: self.asked)
    @rule(data=st.data(), twice=st.booleans())
    def repeat(self, data: st.DataObject, twice: bool) -> None:
        """Something that was asked before, refused or not; perhaps with something else in it."""
        action = data.draw(st.sampled_from(self.asked))
        if twice and (action.table, action.id) in self.answers:
            action = Action(action.table, action.id, (Entry("t1", "other", {}, {"cage": -1, "purse:bob": 1}),))
        future = self.vault.write(action)
        self.compare(action, future.exception() or future.result())

    @rule(cents=st.integers(1, 500))
    def overdraw(self, cents: int) -> None:
        self.ids += 1
        held = self.balances.get("purse:ann", 0)
        action = Action(
            "t1", f"a{self.ids}", (Entry("t1", "x", {}, {"purse:ann": -held - cents, "cage": held + cents}),)
        )
        with pytest.raises(Overdrawn):
            self.vault.write(action).result()

    @rule()
    def refuse(self) -> None:
        with pytest.raises(BadInput):
            Entry("t1", "x", {}, {"cage": 1, "purse:ann": 1})

    @rule()
    def reopen(self) -> None:
        self.vault.close()
        self.vault = Vault.open(self.where)

    @invariant()
    def the_books_agree(self) -> None:
        if not hasattr(self, "vault"):
            return
        assert self.vault.head()[0] == len(self.log)
        assert {a: c for a, c in self.vault.balances().items() if c} == {a: c for a, c in self.balances.items() if c}
        assert self.vault.snapshots() == self.snapshots
        assert {t: self.vault.secrets(t) for t in TABLES} == self.secrets

    def teardown(self) -> None:
        if hasattr(self, "vault"):
            found = [(e.of, e.action, e.table, e.body, e.moves) for e in self.vault.events()]
            assert found == self.log and self.vault.check() == []
            assert all(self.vault.answered(*key) is not None for key in self.answers)
            self.vault.close()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_the_vault_does_as_the_model_does(
    kind: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> None:
    server = request.getfixturevalue("postgres") if kind == "postgresql" else None

    class OnThis(Books):
        @staticmethod
        def anew() -> str:
            OnThis.where = server.emptied() if server else str(tmp_path_factory.mktemp("books") / "vault.db")
            return OnThis.where

    run_state_machine_as_test(OnThis, settings=settings(max_examples=6 if server else 15, stateful_step_count=20))  # type: ignore[no-untyped-call]
