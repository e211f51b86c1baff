"""Power: every write and sync that SQLite makes, recorded below it, and the disk as a power failure may leave it.

What was written since a file's last sync may be there, be gone or be there in part, sector by sector and in any order;
what was synced is there. The recorder is a VFS in front of the system's own, in the library that `sqlite3` uses.

python -m tests.storage.power --minutes 10     cut the power at every moment of a house's play for so long
"""

from __future__ import annotations

import _sqlite3
import argparse
import asyncio
import ctypes
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from letitride.server.tables.stored_shuffles import KIND
from letitride.storage.roles.journal import Outcome, Write, Written
from letitride.storage.roles.stores import Stores
from letitride.storage.urls import open_store
from letitride.storage.verify import verify
from tests.server.instead import Instead
from tests.server.virtual import Player, opened, run, until, virtual

SECTOR = 512
WAYS = ("gone", "there", "last", "torn")
"""What happens to writes that were not synced: none is there, all are, the last of each file alone, sectors by chance."""

_FILE, _VFS = ctypes.c_void_p, ctypes.c_void_p
_WRITE = ctypes.CFUNCTYPE(ctypes.c_int, _FILE, ctypes.c_void_p, ctypes.c_int, ctypes.c_int64)
_TRUNCATE = ctypes.CFUNCTYPE(ctypes.c_int, _FILE, ctypes.c_int64)
_SYNC = ctypes.CFUNCTYPE(ctypes.c_int, _FILE, ctypes.c_int)
# Of a name the pointer itself is handed on: SQLite goes on reading what it points to for as long as the file is open.
_OPEN = ctypes.CFUNCTYPE(ctypes.c_int, _VFS, ctypes.c_void_p, _FILE, ctypes.c_int, ctypes.POINTER(ctypes.c_int))
_DELETE = ctypes.CFUNCTYPE(ctypes.c_int, _VFS, ctypes.c_char_p, ctypes.c_int)


def _pointers(*names: str) -> list[tuple[str, Any]]:
    return [(name, ctypes.c_void_p) for name in names]


class _Methods(ctypes.Structure):
    """sqlite3_io_methods."""

    _fields_ = [
        ("version", ctypes.c_int),
        *_pointers("close", "read"),
        ("write", _WRITE),
        ("truncate", _TRUNCATE),
        ("sync", _SYNC),
        *_pointers("size", "lock", "unlock", "check", "control", "sector", "device"),
        *_pointers("shm_map", "shm_lock", "shm_barrier", "shm_unmap", "fetch", "unfetch"),
    ]


class _Vfs(ctypes.Structure):
    """sqlite3_vfs."""

    _fields_ = [
        ("version", ctypes.c_int),
        ("file_size", ctypes.c_int),
        ("path_max", ctypes.c_int),
        ("next", ctypes.c_void_p),
        ("name", ctypes.c_char_p),
        ("data", ctypes.c_void_p),
        ("open", _OPEN),
        ("delete", _DELETE),
        *_pointers("access", "full", "dl_open", "dl_error", "dl_sym", "dl_close", "random", "sleep", "now", "error"),
        *_pointers("now_64", "set_call", "get_call", "next_call"),
    ]


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that SQLite did to a file."""

    kind: Literal["write", "truncate", "sync", "delete"]
    file: str
    at: int = 0
    data: bytes = b""


@dataclass
class Recorder:
    """What was done to files, in order."""

    acts: list[Act] = field(default_factory=list)
    _kept: list[Any] = field(default_factory=list)
    """What C holds pointers to."""
    _names: dict[int, str] = field(default_factory=dict)

    def _wrap(self, real: _Vfs) -> _Vfs:
        ours = _Vfs.from_buffer_copy(real)
        methods: dict[int, _Methods] = {}

        def write(file: int, data: int, size: int, at: int) -> int:
            self.acts.append(Act("write", self._names[file], at, ctypes.string_at(data, size)))
            return int(originals[0].write(file, data, size, at))

        def truncate(file: int, size: int) -> int:
            self.acts.append(Act("truncate", self._names[file], size))
            return int(originals[0].truncate(file, size))

        def sync(file: int, flags: int) -> int:
            done = int(originals[0].sync(file, flags))
            self.acts.append(Act("sync", self._names[file]))
            return done

        def opened(vfs: int, name: int | None, file: int, flags: int, out: Any) -> int:
            done = int(real.open(vfs, name, file, flags, out))
            slot = ctypes.cast(file, ctypes.POINTER(ctypes.c_void_p))
            if done or not slot[0] or name is None:
                return done
            if slot[0] not in methods:
                original = ctypes.cast(slot[0], ctypes.POINTER(_Methods))[0]
                originals.append(original)
                made = _Methods.from_buffer_copy(original)
                made.write, made.truncate, made.sync = _WRITE(write), _TRUNCATE(truncate), _SYNC(sync)
                methods[slot[0]] = made
            self._names[file] = Path(ctypes.string_at(name).decode()).name
            slot[0] = ctypes.addressof(methods[slot[0]])
            return done

        def delete(vfs: int, name: bytes, sync_folder: int) -> int:
            self.acts.append(Act("delete", Path(name.decode()).name))
            return int(real.delete(vfs, name, sync_folder))

        originals: list[_Methods] = []
        ours.name = b"recorded"
        ours.open, ours.delete = _OPEN(opened), _DELETE(delete)
        self._kept += [ours, methods, real, originals]
        return ours


@contextmanager
def recorded() -> Iterator[Recorder]:
    """Record what all connections do that are opened meanwhile; close them before the end."""
    library = ctypes.CDLL(getattr(_sqlite3, "__file__", None))  # what it is linked to is found through it
    library.sqlite3_vfs_find.restype = ctypes.POINTER(_Vfs)
    real = library.sqlite3_vfs_find(None)
    recorder = Recorder()
    ours = recorder._wrap(real[0])
    library.sqlite3_vfs_register(ctypes.byref(ours), 1)
    try:
        yield recorder
    finally:
        library.sqlite3_vfs_register(real, 1)
        library.sqlite3_vfs_unregister(ctypes.byref(ours))


@dataclass
class File:
    """A file as the disk has it for sure, and what was done to it since."""

    synced: bytearray | None = None
    """None: there is no such file."""
    since: list[Act] = field(default_factory=list)

    def do(self, act: Act) -> None:
        """Take one more act in."""
        if act.kind != "sync":
            self.since.append(act)
            return
        for one in self.since:
            self.synced = _done(self.synced, one)
        self.since = []

    def folder_synced(self) -> None:
        """Let it be gone for good, if it was deleted."""
        last = max((number for number, act in enumerate(self.since, 1) if act.kind == "delete"), default=0)
        if last:
            self.synced, self.since = None, self.since[last:]

    def after(self, way: str, chance: random.Random) -> bytearray | None:
        """Return what is found of it when the power is back."""
        content = None if self.synced is None else bytearray(self.synced)
        for number, act in enumerate(self.since):
            if way == "there" or (way == "last" and number == len(self.since) - 1):
                content = _done(content, act)
            elif way == "torn":
                for part in _sectors(act) if act.kind == "write" else (act,):
                    content = _done(content, part) if chance.random() < 0.5 else content
        return content


def _sectors(act: Act) -> Iterator[Act]:
    start = 0
    while start < len(act.data):
        end = min(len(act.data), start + SECTOR - (act.at + start) % SECTOR)
        yield Act("write", act.file, act.at + start, act.data[start:end])
        start = end


def _done(content: bytearray | None, act: Act) -> bytearray | None:
    if act.kind == "delete":
        return None
    content = bytearray() if content is None else content
    if act.kind == "truncate":
        del content[act.at :]
        return content
    content.extend(bytes(max(0, act.at - len(content))))
    content[act.at : act.at + len(act.data)] = act.data
    return content


@dataclass
class Disk:
    """The files of a folder, act by act."""

    files: dict[str, File] = field(default_factory=dict)

    def do(self, act: Act) -> None:
        """Take one more act in; with the first sync of a new file SQLite syncs its folder, too."""
        file = self.files.setdefault(act.file, File())
        if act.kind == "sync" and file.synced is None:
            for other in self.files.values():
                other.folder_synced()
        file.do(act)

    def put(self, folder: Path, way: str, chance: random.Random) -> None:
        """Write a folder as it is found when the power is back."""
        folder.mkdir()
        for name, file in self.files.items():
            content = file.after(way, chance)
            if content is not None:
                (folder / name).write_bytes(content)


NAME = "house.db"
BOOKS = ("hand-dealt-1", "nsw-1", "shufflemaster-1", "washington-1")


@dataclass(frozen=True, slots=True)
class Told:
    """What the store confirmed when so many acts were done."""

    acts: int
    what: Literal["row", "reply", "deck"]
    of: str
    key: str
    number: int = 0


@dataclass
class Played:
    """A house's play: what was done to its files, and what was confirmed when."""

    recorder: Recorder
    told: list[Told] = field(default_factory=list)

    def tell(self, what: Literal["row", "reply", "deck"], of: str, key: str, number: int = 0) -> None:
        """Remember what was confirmed just now."""
        self.told.append(Told(len(self.recorder.acts), what, of, key, number))


class _Journal(Instead):
    """A journal that remembers what it confirmed."""

    played: Played

    def append(self, batch: Sequence[Write]) -> list[Outcome]:
        done: list[Outcome] = self.real.append(batch)
        for write, outcome in zip(batch, done, strict=True):
            if isinstance(outcome, Written):
                self.played.tell("row", outcome.table_id, outcome.hash, outcome.number)
                for ack in write.acks:
                    self.played.tell("reply", ack.client, ack.command)
        return done


class _Documents(Instead):
    """Documents that remember which decks they confirmed."""

    played: Played

    def put(self, kind: str, doc_id: str, body: bytes, version: int) -> int | None:
        now: int | None = self.real.put(kind, doc_id, body, version)
        if kind == KIND and now is not None:
            self.played.tell("deck", kind, doc_id, now)
        return now


def play(folder: Path, books: Sequence[str], rounds: int, seed: object = 1, pragma: str = "") -> Played:
    """Play some rounds in a house on a SQLite file, with everything recorded."""

    async def go(store: Stores) -> None:
        async with opened(store, *books) as (house, app):
            tasks = [asyncio.create_task(Player(house, app, book, 1).play()) for book in books]
            await until(lambda: all(house.rooms[book].table.round > rounds for book in books))
            for task in tasks:
                task.cancel()

    with recorded() as recorder, virtual(f"power {seed}") as (loop, _):
        played = Played(recorder)
        store = open_store(str(folder / NAME))
        if pragma:
            store.tables._database._writer.execute(pragma)  # type: ignore[attr-defined]  # what must not be so
        journal, documents = _Journal(store.journal), _Documents(store.documents)
        journal.played = documents.played = played
        run(loop, go(replace(store, journal=journal, documents=documents)))
    return played


def lost(folder: Path, told: Iterable[Told]) -> str:
    """Return what is wrong with a house whose power is back, if anything."""
    if not (folder / NAME).is_file():
        return "" if not list(told) else "the database is gone"
    store = open_store(str(folder / NAME))
    try:
        found = verify(store)
        if not found.good:
            return f"the journals do not verify: {found}"
        if store.wallets.total():
            return f"the accounts are {store.wallets.total()} cents off"
        for one in told:
            if (wrong := _missing(store, one)) is not None:
                return wrong
    finally:
        store.close()
    return ""


def _missing(store: Stores, one: Told) -> str | None:
    if one.what == "row":
        row = next(store.journal.rows(one.of, one.number - 1, 1), None)
        return None if row is not None and row.hash == one.key else f"row {one.number} of {one.of} is lost"
    if one.what == "reply":
        return None if store.journal.reply(one.of, one.key) else f"the answer to {one.key} is lost"
    document = store.documents.get(one.of, one.key)
    return None if document is not None and document.version >= one.number else f"deck {one.key} is lost"


def cut(
    played: Played, folder: Path, cuts: Iterable[tuple[int, str]], end: float | None = None
) -> tuple[int, list[str]]:
    """Cut the power after so many acts, each in its way; return how often, and what was wrong."""
    disk, done, wrong, times = Disk(), 0, [], 0
    for number, way in sorted(cuts):
        for act in played.recorder.acts[done:number]:
            disk.do(act)
        done = number
        here = folder / "cut"
        disk.put(here, way, random.Random(f"{number} {way}"))
        told = [one for one in played.told if one.acts <= number]
        last = {(one.what, one.of): one for one in told}  # rows hang together, so of each journal the last is enough
        rest = [one for one in told[-60:] if one.what != "row"]
        if found := lost(here, [*last.values(), *rest]):
            wrong.append(
                f"power cut after {number} of {len(played.recorder.acts)} acts, what was not synced {way}: {found}"
            )
        shutil.rmtree(here)
        times += 1
        if end is not None and time.monotonic() > end:
            break
    return times, wrong


def main() -> None:
    """Play and cut for as long as asked: at every act of a play, in every way."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--rounds", type=int, default=8)
    asked = parser.parse_args()
    end = time.monotonic() + asked.minutes * 60
    cuts = plays = confirmed = 0
    while time.monotonic() < end:
        books = random.Random(plays).sample(BOOKS, 2)
        with tempfile.TemporaryDirectory() as folder:
            played = play(Path(folder), books, asked.rounds, seed=plays)
            every = [(number, way) for number in range(len(played.recorder.acts) + 1) for way in WAYS]
            random.Random(plays).shuffle(every)  # what the time cuts off is not always the end
            for first in range(0, len(every), 500):
                times, wrong = cut(played, Path(folder), every[first : first + 500], end)
                assert not wrong, "\n".join(wrong)
                cuts += times
                if time.monotonic() > end:
                    break
            plays += 1
            confirmed += len(played.told)
    sys.stdout.write(
        f"the power cut {cuts:,} times in {plays} plays with {confirmed:,} confirmed rows, answers and decks: all there,"
        " every chain whole, every account right\n"
    )


if __name__ == "__main__":
    main()
