"""Kept: readers of what people and houses keep in files and rows, and others may have changed meanwhile."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import msgspec

from letitride.analysis.strategy import best_strategy, read_strategy
from letitride.chance.secret import draw
from letitride.chance.seeded import Seeded
from letitride.chance.shares import Reveal, ShuffleId, pledge
from letitride.cli.simulation import saved
from letitride.cli.simulation.request import Asked, task_of
from letitride.cli.training.progress_file import InFile
from letitride.engine.events import FacesUnbound, TableOpened
from letitride.engine.evolve import new_table
from letitride.rules import catalog
from letitride.rules.table_rules import TableRules
from letitride.rules.toml_text import read_toml
from letitride.server.ops.house_key import house_key
from letitride.server.tables import stored_shuffles
from letitride.storage import codec
from letitride.storage.journal import Row, read
from letitride.storage.memory.opening import memory_stores
from letitride.storage.roles.documents import check_document
from letitride.storage.sealed import SHUFFLES, Opener, Seal, key_of, row_key
from letitride.storage.tables_codec import decode_table, encode_table
from letitride.storage.vault import Vault
from letitride.training.staff.catalogue import Plan, Sitting, kept_from

BOOK = "washington-1"
KEY = bytes(range(32))


@cache
def _rules() -> TableRules:
    return catalog.ready_rules(BOOK, {})


def strategy(data: bytes) -> None:
    read_strategy(read_toml(data.decode("utf-8", "replace"), "own.toml"), "own", "own.toml")


def strategies() -> Iterable[bytes]:
    yield b'bet1 = ["three", "high_pair", "suited:3:0", "suited:3:1", "suited:2:1"]\nbet2 = ["four", "high_pair"]\n'
    best = best_strategy(_rules().base_pays)
    for bet, classes in (("bet1", best.bet1), ("bet2", best.bet2)):
        names = ", ".join(f'"{one.name}"' for one in classes)
        yield f'{bet} = [{names}]\nbet1.three = "ride"\nbet2 = []\n'.encode()
    yield "\n".join(f"bet{bet} = []" for bet in (1, 2)).encode()


def simulation(data: bytes) -> None:
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        file.write(data)
        file.flush()
        state = saved.read_state(file.name)
    task = task_of(state.request)
    saved.check_state(state, task, task.job(), "own.json")


def simulations() -> Iterable[bytes]:
    for asked in (
        Asked(rulebook=BOOK, seed=7, rounds="2048"),
        Asked(rulebook="nsw-1", seed=7, sessions="10x20", bankroll="100", seats=1),
    ):
        task = task_of(asked)
        part = task.job().begin(None).as_data()
        yield msgspec.json.encode(saved.State(request=asked, digest=task.digest, done=0, part=part))


def key(data: bytes) -> None:
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        house_key(Path(file.name))


def keys() -> Iterable[bytes]:
    yield KEY.hex().encode() + b"\n"


def shuffle(data: bytes) -> None:
    kept = stored_shuffles.read(data)
    if kept.ended:
        stored_shuffles.proof_of(kept)


def shuffles() -> Iterable[bytes]:
    vault, name = Vault(KEY), ShuffleId("t", 1)
    begun = stored_shuffles.sealed(draw(name), 1, vault)
    reveal = Reveal(3, KEY)
    shares = {"pledges": ((3, pledge(name, reveal).digest.hex()),), "players": ((3, "Ann"),), "dice": 0}
    closed = msgspec.structs.replace(begun, state="closed", cuts=(7,), **shares)
    final = msgspec.structs.replace(closed, state="final", reveals=((3, KEY.hex()),))
    for one in (begun, closed, final, final.ending(vault), closed.ending(vault, "a seat was silent")):
        yield msgspec.json.encode(one)
    old = stored_shuffles.StoredShuffleV1(
        table="t", round=1, shuffle=1, faces=(), salts=(), pledges=(), state="void", reason="lost"
    )
    yield msgspec.json.encode(old)


def _row(events: bytes) -> Row:
    return Row(table_id="t", number=7, at=1, by="dealer", events=events, previous="", hash="")


def sealed(data: bytes) -> None:
    """Read a row; before it comes what the store tells of a shuffle that it may be sealed with."""
    documents, told = memory_stores().documents, key_of("t", 1, 1)
    body, _, events = data.partition(b"\n")
    documents.put(SHUFFLES, told, msgspec.json.encode({"row_key": row_key(Vault(KEY), told).hex()}), 0)
    check_document(SHUFFLES, told, body)
    documents.put(SHUFFLES, key_of("t", 2, 1), body, 0)
    (row,) = Opener(documents, Vault(KEY)).rows([_row(events)])
    read(row)


def sealed_rows() -> Iterable[bytes]:
    plain = codec.encode([FacesUnbound(deck=1)])
    yield b"{}\n" + plain
    for names in ([(2, 1)], [(1, 1), (2, 1)]):
        for body in ({}, {"row_key": row_key(Vault(KEY), key_of("t", 2, 1)).hex()}):
            yield msgspec.json.encode(body) + b"\n" + Seal(Vault(KEY), "t", names).cover(7, plain)


def table(data: bytes) -> None:
    decode_table(data, _rules())


def tables() -> Iterable[bytes]:
    yield encode_table(new_table(TableOpened(rules=_rules())), _rules())


def training(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "Ann.json").write_bytes(data)
        held = InFile(Path(folder), "Ann").progress("Ann", "dealer:washington-1:pay")
    if held is not None:
        kept = kept_from(held[0])
        Sitting(Plan(name="pay", length=2), _rules(), Seeded(1), kept)


def trainings() -> Iterable[bytes]:
    sitting = Sitting(Plan(name="pay", length=2), _rules(), Seeded(1))
    progress = {"dealer:washington-1:pay": sitting.kept}
    yield msgspec.json.encode({"person": "Ann", "progress": progress, "results": []})
    yield b'{"person": "Ann"}'
