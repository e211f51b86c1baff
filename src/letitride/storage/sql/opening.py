"""Opening: all stores over one database; it keeps nothing itself."""

from __future__ import annotations

from letitride.storage.roles.stores import Stores
from letitride.storage.sealed import OpenedJournal
from letitride.storage.sql.archives import SqlArchives
from letitride.storage.sql.audit import SqlAudit
from letitride.storage.sql.backups import SqlBackups
from letitride.storage.sql.documents import SqlDocuments
from letitride.storage.sql.journal import SqlJournal
from letitride.storage.sql.leases import SqlLeases
from letitride.storage.sql.session import Database
from letitride.storage.sql.tables import SqlTables
from letitride.storage.sql.wallets import SqlWallets


def sql_stores(database: Database) -> Stores:
    """Return the stores of a database that is open."""
    return Stores(
        tables=SqlTables(database),
        journal=OpenedJournal(SqlJournal(database), SqlDocuments(database)),
        wallets=SqlWallets(database),
        leases=SqlLeases(database),
        documents=SqlDocuments(database),
        audit=SqlAudit(database),
        backups=SqlBackups(database),
        archives=SqlArchives(database),
        close=database.close,
    )
