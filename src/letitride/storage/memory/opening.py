"""Opening: all stores over one memory; it keeps nothing itself."""

from __future__ import annotations

from letitride.storage.memory.archives import MemoryArchives
from letitride.storage.memory.audit import MemoryAudit
from letitride.storage.memory.backups import MemoryBackups
from letitride.storage.memory.documents import MemoryDocuments
from letitride.storage.memory.journal import MemoryJournal
from letitride.storage.memory.leases import MemoryLeases
from letitride.storage.memory.state import State
from letitride.storage.memory.tables import MemoryTables
from letitride.storage.memory.wallets import MemoryWallets
from letitride.storage.roles.stores import Stores
from letitride.storage.sealed import OpenedJournal


def memory_stores() -> Stores:
    """Open the stores of a new memory."""
    state = State()
    return Stores(
        tables=MemoryTables(state),
        journal=OpenedJournal(MemoryJournal(state), MemoryDocuments(state)),
        wallets=MemoryWallets(state),
        leases=MemoryLeases(state),
        documents=MemoryDocuments(state),
        audit=MemoryAudit(state),
        backups=MemoryBackups(state),
        archives=MemoryArchives(state),
        close=lambda: None,
    )
