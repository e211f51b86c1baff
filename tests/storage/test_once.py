"""At most once: commands that come twice, late and out of order, to servers that come and go, never act twice."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import hypothesis.strategies as st
import psycopg
import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from letitride.engine.events import ChipsBought
from letitride.ledger.transfers import Transfer
from letitride.storage.journal import Head, seal
from letitride.storage.roles.journal import Ack, Conflict, Stale, Write, Written
from letitride.storage.roles.wallets import Moved
from letitride.storage.urls import open_store
from letitride.storage.verify import verify

TABLES = ("t1", "t2")
CLIENTS = ("ann", "bob")


class Casino(RuleBasedStateMachine):
    """Two tables, two clients with one wallet each, and a model of what must be."""

    url: Any

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.store = open_store(self.url(Path(self.folder.name)))
        for table_id in TABLES:
            self.store.tables.create(table_id, table_id, {})
        self.now = 0
        self.epochs = dict.fromkeys(TABLES, 0)
        self.wallets = dict.fromkeys(CLIENTS, 0)
        self.stacks: dict[tuple[str, str], int] = {}
        self.answered: dict[tuple[str, str], bytes] = {}
        self.heads = dict.fromkeys(TABLES, Head())
        self.late: list[tuple[Write, str, int]] = []
        self.cashed = 0

    def teardown(self) -> None:
        assert verify(self.store).good
        self.store.close()
        self.folder.cleanup()

    @rule(client=st.sampled_from(CLIENTS), cents=st.integers(1, 50), into=st.booleans(), number=st.integers(0, 4))
    def cash(self, client: str, cents: int, into: bool, number: int) -> None:
        ack = Ack("desk", f"{client}-{number}", b"")
        move = self.store.wallets.fund if into else self.store.wallets.withdraw
        outcome = move(client, cents, "", at=self.now, who="desk", ack=ack)
        fits = into or cents <= self.wallets[client]
        if ("desk", ack.command) in self.answered or not fits:
            assert isinstance(outcome, Conflict)
            return
        self.answered["desk", ack.command] = b""
        self.wallets[client] += cents if into else -cents
        self.cashed += 1
        assert Moved(wallet=client, cents=self.wallets[client]) == outcome

    @rule(
        table_id=st.sampled_from(TABLES),
        client=st.sampled_from(CLIENTS),
        cents=st.integers(1, 60),
        number=st.integers(0, 9),
        old=st.booleans(),
        behind=st.integers(-1, 1),
    )
    def prepare(self, table_id: str, client: str, cents: int, number: int, old: bool, behind: int) -> None:  # noqa: PLR0917 - what Hypothesis draws
        """A server decides on a command, perhaps with an old lease or a wrong last row; nothing is sent yet."""
        head, seat = self.store.journal.last(table_id), CLIENTS.index(client) + 1
        head = Head(max(0, head.number - behind), head.hash)
        epoch = self.epochs[table_id] - (old and self.epochs[table_id] > 0)
        bought = ChipsBought(seat=seat, chips=(Transfer(f"wallet:{client}", f"stack:{seat}", cents),))
        command = str(number)
        sealed = seal(head, table_id=table_id, at=self.now, by=client, happened=[bought], command=command, epoch=epoch)
        write = Write(
            table_id=table_id,
            epoch=epoch,
            number=sealed.number,
            rows=[sealed],
            transfers=[Transfer(f"wallet:{client}", f"stack:{seat}", cents)],
            acks=[Ack(client, command, sealed.hash.encode())],
        )
        self.late.append((write, client, cents))

    @rule(data=st.data(), twice=st.booleans())
    def send(self, data: st.DataObject, twice: bool) -> None:
        """Some of what was decided is sent in one batch, in any order, perhaps not for the first time."""
        if not self.late:
            return
        places = data.draw(st.lists(st.integers(0, len(self.late) - 1), min_size=1, max_size=4))
        chosen = [self.late[place] for place in places]
        outcomes = self.store.journal.append([write for write, _, _ in chosen])
        for (write, client, cents), outcome in zip(chosen, outcomes, strict=True):
            self._follow(write, client, cents, outcome)
        if not twice:
            self.late = [one for place, one in enumerate(self.late) if place not in places]

    def _follow(self, write: Write, client: str, cents: int, outcome: object) -> None:
        table_id, command, head = write.table_id, write.acks[0].command, self.heads[write.table_id]
        expected = ""
        if write.epoch < self.epochs[table_id]:
            expected = "stale"
        elif write.number != head.number + 1:
            expected = "number"
        elif write.rows[0].previous != head.hash:
            expected = "previous"
        elif (client, command) in self.answered:
            expected = "command"
        elif cents > self.wallets[client]:
            expected = "balance"
        if expected == "stale":
            assert Stale(table_id=table_id, epoch=self.epochs[table_id]) == outcome
        elif expected:
            assert isinstance(outcome, Conflict)
            assert expected == outcome.code
        else:
            self.heads[table_id] = Head(head.number + 1, write.rows[0].hash)
            assert Written(table_id=table_id, number=head.number + 1, hash=write.rows[0].hash) == outcome
            self.answered[client, command] = write.acks[0].reply
            self.wallets[client] -= cents
            seat = f"stack:{CLIENTS.index(client) + 1}"
            self.stacks[table_id, seat] = self.stacks.get((table_id, seat), 0) + cents

    @rule(table_id=st.sampled_from(TABLES), node=st.sampled_from("xyz"), later=st.integers(0, 30))
    def take(self, table_id: str, node: str, later: int) -> None:
        self.now += later
        before = self.store.leases.owner(table_id)
        lease = self.store.leases.take(table_id, node, "", self.now, 20)
        held = before is not None and before.until_ms > self.now
        if before is not None and held and before.node != node:
            assert lease is None
            return
        assert lease is not None
        assert lease.epoch == self.epochs[table_id] + (not held)
        self.epochs[table_id] = lease.epoch

    @invariant()
    def the_money_is_where_the_model_has_it(self) -> None:
        assert 0 == self.store.wallets.total()
        held = {f"wallet:{client}": cents for client, cents in self.wallets.items() if cents}
        assert held == {name: cents for name, cents in self.store.wallets.balances(None).items() if name != "cage"}
        for table_id in TABLES:
            mine = {seat: cents for (table, seat), cents in self.stacks.items() if table == table_id}
            assert mine == self.store.wallets.balances(table_id)
            assert self.heads[table_id] == self.store.journal.last(table_id)

    @invariant()
    def every_answer_is_the_first(self) -> None:
        for (client, command), reply in self.answered.items():
            assert reply == self.store.journal.reply(client, command)
        assert self.cashed == len(list(self.store.audit.rows()))


@pytest.mark.parametrize(("kind", "examples"), [("memory", 60), ("sqlite", 20), ("postgres", 6)])
def test_no_command_acts_twice_and_no_cent_is_lost(kind: str, examples: int, request: pytest.FixtureRequest) -> None:
    def url(folder: Path) -> str:
        if kind == "postgres":
            server: str = request.getfixturevalue("postgres")
            with psycopg.connect(server, autocommit=True) as connection:
                connection.execute("DROP SCHEMA IF EXISTS letitride CASCADE")
            return server
        return "memory:" if kind == "memory" else str(folder / "store.db")

    machine = type("Casino", (Casino,), {"url": staticmethod(url)})
    run_state_machine_as_test(machine, settings=settings(max_examples=examples, stateful_step_count=30, deadline=None))
