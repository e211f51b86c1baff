"""Stores: one store for each role, opened together over one memory; it does nothing itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from letitride.storage.roles.archives import ArchiveStore
from letitride.storage.roles.audit import AuditStore
from letitride.storage.roles.backups import BackupStore
from letitride.storage.roles.documents import DocumentStore
from letitride.storage.roles.journal import JournalStore
from letitride.storage.roles.leases import LeaseStore
from letitride.storage.roles.tables import TableStore
from letitride.storage.roles.wallets import WalletStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    """The memory of a table server. One thread writes; any thread may read. After StoreDown it may be called again."""

    tables: TableStore
    journal: JournalStore
    wallets: WalletStore
    leases: LeaseStore
    documents: DocumentStore
    audit: AuditStore
    backups: BackupStore
    archives: ArchiveStore
    close: Callable[[], None]
    """Let go of everything."""
