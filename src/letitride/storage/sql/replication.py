"""Replication: what a PostgreSQL server is set to that could lose what it confirmed; it changes none of it."""

from __future__ import annotations

from typing import Final

from letitride.storage.roles.journal import Hazard
from letitride.storage.sql.session import Query

LAG_BYTES_MAX: Final = 16 * 2**20
"""One segment of the write-ahead log: a replica that is further behind does not keep up."""
WAITS: Final = frozenset({"on", "remote_apply"})
"""What synchronous_commit must be for a commit to wait for the disk, here and at the replicas that are waited for."""
_SETTINGS: Final = (
    "SELECT current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_commit'),"
    " current_setting('synchronous_standby_names'), pg_is_in_recovery()"
)
_REPLICAS: Final = (
    "SELECT sync_state, pg_wal_lsn_diff(pg_current_wal_lsn(), flush_lsn)"
    " FROM pg_stat_replication WHERE state IS NULL OR state = 'streaming'"
)


def hazards(query: Query) -> list[Hazard]:
    """Return what a server's settings and replicas could do to what it confirmed."""
    ((fsync, whole_pages, commits, named, is_replica),) = query(_SETTINGS)
    found = []
    if fsync != "on":
        found.append(
            Hazard(
                what="fsync",
                severity="fail",
                found="fsync is off: a crash of the machine loses or damages what was acknowledged",
                todo="set fsync = on in postgresql.conf and reload",
            )
        )
    if commits not in WAITS:
        found.append(
            Hazard(
                what="synchronous_commit",
                severity="fail",
                found=f"our sessions got synchronous_commit = {commits}: a crash loses what was acknowledged",
                todo="let the pooler between pass 'options' on to PostgreSQL",
            )
        )
    if whole_pages != "on":
        found.append(
            Hazard(
                what="full_page_writes",
                severity="warn",
                found="full_page_writes is off: a power failure can leave half-written pages",
                todo="set full_page_writes = on, unless the file system writes pages whole",
            )
        )
    return found if is_replica else [*found, *_replicas(query(_REPLICAS), named)]


def _replicas(rows: list[tuple[str | None, int | None]], named: str) -> list[Hazard]:
    waited_for = [lag for state, lag in rows if state in {"sync", "quorum"}]
    if rows and all(state is None for state, _ in rows):
        found, todo = f"{len(rows)} streaming, which this role may not look at", "grant it pg_monitor"
        return [Hazard(what="replicas", severity="note", found=found, todo=todo)]
    if named and not waited_for:
        found = f"writes wait for synchronous_standby_names = '{named}', and no such replica is streaming"
        return [Hazard(what="replicas", severity="warn", found=found, todo="start the replica, or take its name out")]
    if not rows:
        found, todo = "none: a machine that is lost takes everything since the last backup along", "stream to a replica"
        return [Hazard(what="replicas", severity="note", found=found, todo=todo)]
    if not waited_for:
        found = f"{len(rows)} streaming, none is waited for: a fail-over loses what was acknowledged last"
        return [Hazard(what="replicas", severity="warn", found=found, todo="name it in synchronous_standby_names")]
    if (behind := max(lag or 0 for _, lag in rows)) > LAG_BYTES_MAX:
        found = f"the slowest is {behind / 2**20:.0f} MiB behind"
        return [Hazard(what="replicas", severity="warn", found=found, todo="see why it does not keep up")]
    return []
