"""Memory wallets: balances and transfers in memory; never a table's rows."""

from __future__ import annotations

from collections.abc import Iterator

from letitride.ledger import accounts
from letitride.ledger.transfers import Transfer
from letitride.storage.memory.state import State
from letitride.storage.roles.audit import Note
from letitride.storage.roles.journal import Ack, Conflict, conflict
from letitride.storage.roles.wallets import Cash, Moved, Posted


class MemoryWallets(Cash):
    """The ledger."""

    def __init__(self, state: State) -> None:
        self._state = state

    def balance(self, wallet: str) -> int:
        with self._state.lock:
            return self._state.accounts.get(("", accounts.wallet(wallet)), 0)

    def meter(self, wager: str) -> int:
        with self._state.lock:
            return self._state.accounts.get(("", accounts.shared_meter(wager)), 0)

    def meter_shown(self, wager: str) -> int:
        with self._state.lock:
            taken = sum(self._state.accounts.get((table, accounts.taken(wager)), 0) for table in self._state.tables)
            return self.meter(wager) + taken

    def balances(self, table_id: str | None) -> dict[str, int]:
        wanted = table_id or ""
        with self._state.lock:
            every = sorted(self._state.accounts.items())
        return {name: cents for (scope, name), cents in every if scope == wanted and cents}

    def transfers(self, table_id: str | None, after: int = 0) -> Iterator[Posted]:
        with self._state.lock:
            lines = (line for line in self._state.transfers if line.table_id == table_id)
            found = [line for line in lines if not after or (line.number or 0) > after]
        return (
            Posted(number=line.number or 0, source=line.source, target=line.target, cents=line.cents) for line in found
        )

    def total(self) -> int:
        with self._state.lock:
            return sum(self._state.accounts.values())

    def _move(self, wallet: str, moved: Transfer, note: Note, ack: Ack | None) -> Moved | Conflict:
        state = self._state
        with state.lock:
            balances = state.balances_after("", [moved])
            if isinstance(balances, Conflict):
                return balances
            if ack is not None and (ack.client, ack.command) in state.acks:
                return conflict("command", "")
            state.accounts.update(balances)
            state.keep_transfer(moved)
            if ack is not None:
                state.keep_ack(ack)
            state.keep_note(note)
            return Moved(wallet=wallet, cents=balances["", accounts.wallet(wallet)])
