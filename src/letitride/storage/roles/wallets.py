"""Wallet store: the ledger's balances and transfers, and money between the cage and wallets; never a table's rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Protocol

import msgspec

from letitride.ledger import accounts
from letitride.ledger.transfers import Transfer
from letitride.storage.roles.accounts import CENTS_MAX
from letitride.storage.roles.audit import Note
from letitride.storage.roles.journal import Ack, Conflict
from letitride.storage.roles.texts import check_texts, is_text


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    """Money that went into or out of a wallet."""

    wallet: str
    cents: int
    """What the wallet holds now."""


class Posted(Transfer, frozen=True, kw_only=True):
    """A transfer as the store keeps it."""

    number: int
    """The row of its table's journal; 0: between the cage and wallets, by no journal."""


class WalletStore(Protocol):
    """The ledger: what every account holds, and cash between the cage and the wallets."""

    def balance(self, wallet: str) -> int:
        """Return what is in one wallet."""

    def meter(self, wager: str) -> int:
        """Return what the meter that tables share for a wager holds."""

    def meter_shown(self, wager: str) -> int:
        """Return the same with what rounds have taken that are not over, which is not shown yet."""

    def balances(self, table_id: str | None) -> dict[str, int]:
        """Return the accounts of a table, or the wallets, shared meters and the cage, that are not empty."""

    def transfers(self, table_id: str | None, after: int = 0) -> Iterator[Posted]:
        """Yield what the ledger has of a table's rows after a number, or of the cage and the wallets, in order."""

    def total(self) -> int:
        """Return the sum of all accounts, which is always 0."""

    def fund(self, wallet: str, cents: int, why: str, *, at: int, who: str, ack: Ack | None = None) -> Moved | Conflict:
        """Put money from the cage into a wallet, with an audit row."""

    def withdraw(
        self, wallet: str, cents: int, why: str, *, at: int, who: str, ack: Ack | None = None
    ) -> Moved | Conflict:
        """Pay money out of a wallet to the cage, with an audit row."""

    def hand_over(
        self, wallet: str, to: str, cents: int, why: str, *, at: int, who: str, ack: Ack | None = None
    ) -> Moved | Conflict:
        """Move money from a wallet to another, with an audit row; the balance returned is the receiver's."""


class Cash(ABC):
    """What makes one transfer, one audit row and one answer of each movement of cash, for every store alike."""

    def fund(self, wallet: str, cents: int, why: str, *, at: int, who: str, ack: Ack | None = None) -> Moved | Conflict:
        moved = Transfer(accounts.CAGE, accounts.wallet(wallet), cents)
        return self._checked(wallet, moved, Note(at=at, who=who, what=f"fund {wallet} {cents}", why=why), ack)

    def withdraw(
        self, wallet: str, cents: int, why: str, *, at: int, who: str, ack: Ack | None = None
    ) -> Moved | Conflict:
        moved = Transfer(accounts.wallet(wallet), accounts.CAGE, cents)
        return self._checked(wallet, moved, Note(at=at, who=who, what=f"withdraw {wallet} {cents}", why=why), ack)

    def hand_over(
        self, wallet: str, to: str, cents: int, why: str, *, at: int, who: str, ack: Ack | None = None
    ) -> Moved | Conflict:
        if no := _bad_cash(wallet, cents):
            return no
        moved = Transfer(accounts.wallet(wallet), accounts.wallet(to), cents)
        return self._checked(to, moved, Note(at=at, who=who, what=f"hand over {wallet} {cents} to {to}", why=why), ack)

    def _checked(self, wallet: str, moved: Transfer, note: Note, ack: Ack | None) -> Moved | Conflict:
        if no := _bad_cash(wallet, moved.cents):
            return no
        check_texts(note.who, note.what, note.why)
        return self._move(wallet, moved, note, ack)

    @abstractmethod
    def _move(self, wallet: str, moved: Transfer, note: Note, ack: Ack | None) -> Moved | Conflict:
        """Make a transfer in one transaction with its audit row and its answer; return what the wallet holds then."""


def _bad_cash(wallet: str, cents: int) -> Conflict | None:
    if not wallet or not is_text(wallet):
        reason = f"expected the name of a wallet, got {wallet!r}"
    elif 0 < cents <= CENTS_MAX:
        return None
    else:
        reason = f"expected 1 to {CENTS_MAX} cents, got {cents}"
    return Conflict(table_id="", code="malformed", reason=reason)
