"""Checkup: whether an installation and its database are fit to run a house, finding by finding; changes nothing."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module, metadata
from pathlib import Path
from typing import Final, Literal

import msgspec

from letitride.chance.health import Health
from letitride.errors import InvariantBroken, LetItRideError
from letitride.rules.words import quantity
from letitride.server.net import pages
from letitride.server.ops import digests
from letitride.server.ops.settings import Settings, hide_password
from letitride.storage.roles.journal import JournalStore
from letitride.storage.roles.leases import LeaseStore
from letitride.storage.sql.schema import VERSION
from letitride.storage.urls import POSTGRES, open_store
from letitride.storage.verify import Books, verify
from letitride.version import __version__

Verdict = Literal["ok", "note", "warn", "fail"]
PYTHON_MIN: Final = (3, 11)
DISK_MIN: Final = 100 * 2**20
DISK_LOW: Final = 2**30
ROWS_QUICK: Final = 20_000
"""Rows of a journal that are read before a check-up leaves the rest to `verify journal`."""
SKEW_MS: Final = 500
OCTETS_TESTED: Final = 2**20
YEAR_2024: Final = 1_704_067_200
WAL_FIXED: Final = ((3, 44, 6), (3, 50, 7), (3, 51, 3))
"""SQLite's releases that first had the fixed reset of the write-ahead log, each in its own branch."""
WEB: Final = pages.FOLDER


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """What was looked at, what was found, and what to do about it."""

    what: str
    verdict: Verdict
    found: str
    todo: str = ""


def _finding(what: str, verdict: Verdict, found: str, todo: str = "") -> Finding:
    return Finding(what=what, verdict=verdict, found=found, todo="" if verdict == "ok" else todo)


def installation() -> Iterator[Finding]:
    """Look at Python, the code, the books, SQLite, the clock, the generator, the kernels, the fonts and the page."""
    version = sys.version_info[:3]
    fits = version[:2] >= PYTHON_MIN
    yield _finding("python", "ok" if fits else "fail", ".".join(map(str, version)), "install Python 3.11 or newer")
    yield _code()
    wrong = digests.changed_data()
    yield _finding(
        "rule books and paytables",
        "fail" if wrong else "ok",
        "; ".join(wrong) or "as they were shipped",
        "install letitride again, or use a book of your own under an id of its own",
    )
    yield _sqlite(sqlite3.sqlite_version_info)
    yield _clock()
    yield _try("generator", _generator, "fail", "find the cause before anything is shuffled on this machine")
    yield _try("compiled kernels", _kernels, "warn", "simulations need it: pip install 'letitride[sim]'")
    yield _try("fonts for PDF", _fonts, "warn", "par sheets as PDF need typst: install letitride again; --html works")
    yield _page(WEB)


def folder(path: Path) -> Iterator[Finding]:
    """Look at the data folder."""
    if not path.is_dir():
        yield _finding("data folder", "note", f"{path} does not exist yet", "'letitride serve' creates it")
        return
    mode = stat.S_IMODE(path.stat().st_mode)
    if not os.access(path, os.W_OK | os.X_OK):
        yield _finding("data folder", "fail", f"{path} cannot be written", "make it writable for the server's user")
    elif mode & 0o077 and os.name == "posix":
        yield _finding("data folder", "warn", f"others can read {path} ({mode:o})", f"chmod 700 {path}")
    else:
        yield _finding("data folder", "ok", str(path))
    free = shutil.disk_usage(path).free
    verdict: Verdict = "fail" if free < DISK_MIN else "warn" if free < DISK_LOW else "ok"
    yield _finding("disk space", verdict, f"{free / 2**30:.1f} GiB free", "make room: a full disk stops all tables")


def database(url: str) -> Iterator[Finding]:
    """Look at a database: reachable, of our schema, writable, its clock and its journals."""
    shown = hide_password(url)
    if not url.startswith(POSTGRES) and not Path(url.removeprefix("sqlite:///")).is_file():
        yield _finding("database", "note", f"{shown} does not exist yet", "'letitride serve' creates it")
        return
    try:
        stores = open_store(url, read_only=True)
    except LetItRideError as error:
        yield _finding("database", "fail", str(error), "check --db, the server of the database, and its rights")
        return
    try:
        yield _finding("database", "ok", f"{shown}, schema version {VERSION}")
        yield _writable(stores.journal, url)
        yield from _hazards(stores.journal)
        if (skew := _skew_ms(stores.leases)) is not None:
            verdict: Verdict = "ok" if abs(skew) <= SKEW_MS else "fail"
            yield _finding("clock of the database", verdict, f"{skew:+} ms from ours", "synchronise both by NTP")
        yield _journals(stores, stores.leases)
    finally:
        stores.close()


def checkup(settings: Settings) -> Iterator[Finding]:
    """Look at everything."""
    yield from installation()
    yield from folder(Path(settings.data_dir))
    yield from database(settings.db)


def has_wal_bug(version: tuple[int, ...]) -> bool:
    """Whether a release of SQLite may damage a database when two connections checkpoint and write at one instant."""
    if version < (3, 7, 0) or version >= WAL_FIXED[-1]:
        return False
    return not any(version[:2] == fixed[:2] and version >= fixed for fixed in WAL_FIXED)


def _code() -> Finding:
    changed = digests.changed_files()
    found = f"letitride {__version__}, sha256 {digests.code_digest()}"
    if changed is None:
        return _finding(
            "code", "note", f"{found}, from a source tree", "an installed wheel has digests to compare with"
        )
    if changed:
        return _finding("code", "fail", f"{found}; not as shipped: {_some(changed)}", "install letitride again")
    return _finding("code", "ok", f"{found}, as shipped")


def _page(folder: Path) -> Finding:
    digest = digests.page_digest(folder)
    if not digest:
        return _finding("web client", "note", "not built", "make install builds it")
    if changed := digests.changed_page(folder):
        todo = "in a source tree 'python scripts/web.py --force' builds it again; else install letitride again"
        return _finding("web client", "fail", f"sha256 {digest}; not as built: {_some(changed)}", todo)
    return _finding("web client", "ok", f"sha256 {digest}, as built")


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _sqlite(version: tuple[int, ...]) -> Finding:
    shown = ".".join(map(str, version))
    if not has_wal_bug(version):
        return _finding("sqlite", "ok", shown)
    return _finding(
        "sqlite",
        "warn",
        f"{shown} has the WAL-reset bug (fixed in 3.51.3)",
        "use a newer SQLite, and let only the server write to the file: with one writer the bug cannot strike",
    )


def _clock() -> Finding:
    one, two = time.monotonic(), time.monotonic()
    sane = two >= one and time.get_clock_info("monotonic").monotonic and time.time() > YEAR_2024
    return _finding(
        "clock", "ok" if sane else "fail", time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "set the clock"
    )


def _try(what: str, look: Callable[[], str], otherwise: Verdict, todo: str) -> Finding:
    try:
        return _finding(what, "ok", look())
    except Exception as error:  # a broken library can fail in any way, and each is a finding
        return _finding(what, otherwise, f"{type(error).__name__}: {error}", todo)


def _generator() -> str:
    Health().draw(OCTETS_TESTED)
    return f"{OCTETS_TESTED:,} octets of the operating system's generator passed the health tests"


def _kernels() -> str:
    numba = import_module("numba")
    doubled = numba.njit(lambda number: number * 2)
    if doubled(21) != 42:
        raise InvariantBroken("a compiled function returned a wrong result")
    return f"numba {metadata.version('numba')}"


def _fonts() -> str:
    typst = import_module("typst")
    made = typst.compile(b"A card", ignore_system_fonts=True, format="pdf")
    if not bytes(made).startswith(b"%PDF"):
        raise InvariantBroken("no PDF came out")
    return f"typst {metadata.version('typst')} with the fonts it carries"


def _writable(journal: JournalStore, url: str) -> Finding:
    """Look whether a database can be written, without writing."""
    verdict: Verdict = "ok" if journal.may_write() else "fail"
    if url.startswith(POSTGRES):
        return _finding("rights", verdict, "to write", "grant them, and use the primary, not a copy")
    path = Path(url.removeprefix("sqlite:///"))
    size = f"{path.stat().st_size / 2**20:.1f} MiB"
    return _finding("database file", verdict, size, f"chmod u+w {path} and its folder")


def _hazards(journal: JournalStore) -> Iterator[Finding]:
    """Look whether confirmed writes survive a crash."""
    found = journal.hazards()
    if all(one.what == "replicas" for one in found):
        yield _finding("durability", "ok", "confirmed writes survive a crash")
    for one in found:
        yield _finding(one.what, one.severity, one.found, one.todo)


def _in_use(leases: LeaseStore) -> bool:
    now = time.time_ns() // 1_000_000
    return any(lease.until_ms > now for lease in leases.all())


def _skew_ms(leases: LeaseStore) -> int | None:
    before = time.time_ns()
    shared = leases.shared_clock_ms()
    return None if shared is None else shared - (before + time.time_ns()) // 2_000_000


def _journals(books: Books, leases: LeaseStore) -> Finding:
    rows = sum(record.number for record in books.tables.all())
    if rows > ROWS_QUICK:
        return _finding("journals", "note", quantity(rows, "row"), "'letitride verify journal DB' checks them all")
    found = verify(books)
    bad = [
        f"{one.name} (table {one.table_id}): row {one.bad.number}: {one.bad.reason}" for one in found.tables if one.bad
    ]
    money = [*(sentence for one in found.tables for sentence in one.wrong), *found.wrong]
    wrong = [
        *bad,
        *([] if _in_use(leases) else money),
    ]  # while a server writes, money is judged from a backup
    sealed = sum(len(one.sealed) for one in found.tables)
    kept = f"{quantity(len(found.tables), 'journal')} with {quantity(rows, 'row')}, all as written"
    in_play = f"; {sealed:,} are of rounds in play, sealed until their decks are opened" if sealed else ""
    return _finding(
        "journals",
        "fail" if wrong else "ok",
        wrong[0] if wrong else kept + in_play,
        "restore a backup; 'letitride verify journal DB' says more",
    )
