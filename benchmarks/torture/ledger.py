"""Ledger: what a house's database says, row by row, as a sequential model of each table; it trusts no total.

One look reads everything of one moment. Journals are walked from where the last look ended: each row must follow by
its hash, every event moves whole cents between accounts that may hold them, and the balances that the database keeps
must be what all moves together come to.
"""

from __future__ import annotations

import base64
import hmac
import json
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

Query = Callable[..., list[tuple[Any, ...]]]
MAY_OWE = ("tray", "promotions", "cage")
"""Accounts of the house itself: all others hold what they hold."""
SNAPSHOTS = 6_000
"""Versions of a table that are kept to hold views against."""
OURS = "torture-"
"""How the ids of our own commands begin."""
MIXES = {"start_shuffle", "mix_deck", "shuffle_deck"}


@dataclass(frozen=True, slots=True)
class Carried:
    """A command that the journal has: its row, the version after it, and what happened."""

    number: int
    version: int
    events: tuple[tuple[str, dict[str, Any]], ...]


@dataclass(slots=True)
class TableModel:
    """One table as its journal tells it."""

    id: str
    number: int = 0
    hash: str = "0" * 64
    epoch: int = 0
    version: int = 0
    round: int = 0
    decks: int = 1
    rounds_over: int = 0
    """Rounds that ended, void ones included."""
    balances: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    players: dict[int, str] = field(default_factory=dict)
    carried: dict[str, Carried] = field(default_factory=dict)
    dealt: list[tuple[str, ...]] = field(default_factory=list)
    """The orders of the decks that came on the table."""
    snapshots: OrderedDict[int, tuple[int, dict[int, str], dict[str, int]]] = field(default_factory=OrderedDict)
    expected: list[tuple[str, str, int]] = field(default_factory=list)
    """Transfers that the ledger must have for the rows that are new."""
    last_transfer: int = 0

    def feed(self, row: tuple[Any, ...], house_key: bytes = b"") -> Iterator[str]:
        """Take the next row in, and yield what is wrong with it."""
        number, at, who, command, epoch, events, previous, hashed = row
        events = bytes(events)
        if number != self.number + 1 or previous != self.hash:
            yield f"row {number} does not follow row {self.number}"
        head = json.dumps(
            [self.id, number, at, who, command, epoch, previous], ensure_ascii=False, separators=(",", ":")
        )
        if hashed != sha256(b"letitride-journal/1\n" + head.encode() + b"\n" + events).hexdigest():
            yield f"row {number} has not the hash of what it says"
        if epoch < self.epoch:
            yield f"row {number} is of epoch {epoch}, after one of epoch {self.epoch}"
        self.number, self.hash, self.epoch = number, hashed, epoch
        happened = tuple((name, body) for name, body in json.loads(opened(events, self.id, number, house_key)))
        bound = not any(name.startswith("faces-unbound/") for name, _ in happened)
        for name, body in happened:
            yield from self._event(number, name.partition("/")[0], body, bound=bound)
        if command:
            if command in self.carried:
                yield f"the command {command} was carried out twice: rows {self.carried[command].number} and {number}"
            self.carried[command] = Carried(number, self.version, happened if command.startswith(OURS) else ())

    def _event(self, number: int, name: str, body: dict[str, Any], *, bound: bool) -> Iterator[str]:
        self.version += name != "table-opened"  # a table that was only opened is at version 0
        for move in body.get("chips", ()):
            source, target, cents = move["source"], move["target"], move["cents"]
            if not isinstance(cents, int) or cents <= 0 or source == target:
                yield f"row {number} moves {cents} cents from {source} to {target}"
            self.balances[source] -= cents
            self.balances[target] += cents
            self.expected.append((source, target, cents))
        for move in body.get("chips", ()):
            held = self.balances[move["source"]]
            if held < 0 and not move["source"].startswith(("wallet:", *MAY_OWE)):
                yield f"row {number} leaves {held} cents in {move['source']}"
        match name:
            case "table-opened":
                self.decks = body["rules"]["book"]["rules"]["decks"]
            case "player-sat":
                self.players[body["seat"]] = body["player"]
            case "player-left":
                self.players.pop(body["seat"], None)
            case "phase-began" | "ruled":
                self.round = body["round"]
            case "round-ended" | "round-voided":
                self.rounds_over += 1
            case "faces-bound":
                yield from self._deck(number, tuple(body["order"]))
            case "step-done" if bound and body["step"]["kind"] in MIXES:
                yield from self._deck(number, tuple(move["card"]["face"] for move in body.get("moves", ())))
        held = {account: cents for account, cents in self.balances.items() if account.startswith(("stack", "tokens"))}
        self.snapshots[self.version] = (self.round, dict(self.players), held)
        if len(self.snapshots) > SNAPSHOTS:
            self.snapshots.popitem(last=False)

    def _deck(self, number: int, faces: tuple[str, ...]) -> Iterator[str]:
        if len(faces) == 52:
            if len(set(faces)) != 52:
                yield f"row {number} has a deck in which a card is twice"
            self.dealt.append(faces)

    def shows(self, view: dict[str, Any]) -> str:
        """Return how a view that was sent differs from the table at that version, or nothing."""
        known = self.snapshots.get(view["version"])
        if known is None:
            return ""
        round_, players, held = known
        if view["round"] != round_:
            return f"version {view['version']} is of round {round_}, the view says {view['round']}"
        for seat, one in view["seats"].items():
            said = (one["player"] or "", one["stack_cents"], one["tokens_cents"])
            true = (players.get(int(seat), ""), held.get(f"stack:{seat}", 0), held.get(f"tokens:{seat}", 0))
            if said != true:
                return f"version {view['version']}, seat {seat}: the journal has {true}, the view says {said}"
        return ""


def opened(kept: bytes, table: str, number: int, house_key: bytes) -> bytes:
    """Return the events of a row; those of a round in play are sealed as docs/storage.md says."""
    if not kept.startswith(b"sealed/1 "):
        return kept
    _, names, body = kept.split(b" ")
    pairs = [tuple(map(int, name.split(b"/"))) for name in names.split(b",")]
    infos = [f"rows {table}/{round_:012}/{shuffle:06}".encode() for round_, shuffle in pairs]
    keys = [hmac.digest(house_key, info + b"\x01", "sha256") for info in infos]
    sealed = base64.b64decode(body)
    key = keys[0] if len(keys) == 1 else sha256(b"".join(keys)).digest()
    return AESGCM(key).decrypt(sealed[:12], sealed[12:], f"{table}/{number}".encode())


@dataclass
class Ledger:
    """The whole house as its database tells it."""

    key: Path | None = None
    """Where the house's key lies: rows of a round in play are sealed under it."""
    tables: dict[str, TableModel] = field(default_factory=dict)
    balances: defaultdict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    shuffles: set[tuple[str, int, int]] = field(default_factory=set)
    """Every deck that the house has begun, as far as its documents say."""
    funded: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    """What each wallet was given from outside."""
    outside: set[int] = field(default_factory=set)
    """Transfers between the cage and wallets that are counted."""

    def look(self, query: Query) -> list[str]:
        """Read what is new, all of one moment, and return what is wrong."""
        wrong: list[str] = []
        key = bytes.fromhex(self.key.read_text("ascii")) if self.key is not None and self.key.exists() else b""
        for table_id, number, hashed in query("SELECT id, number, hash FROM game_tables ORDER BY id"):
            model = self.tables.setdefault(table_id, TableModel(table_id))
            rows = query(
                "SELECT number, at, who, command, epoch, events, previous, hash FROM journal"
                " WHERE table_id = :table AND number > :after ORDER BY number",
                table=table_id,
                after=model.number,
            )
            for row in rows:
                wrong += [f"{table_id}: {sentence}" for sentence in model.feed(row, key)]
            if (model.number, model.hash) != (number, hashed):
                wrong.append(f"{table_id}: the journal ends at row {model.number}, its record says {number}")
        wrong += self._money(query)
        for (key,) in query("SELECT id FROM documents WHERE kind = 'shuffle'"):
            table_id, round_, shuffle = key.rsplit("/", 2)
            self.shuffles.add((table_id, int(round_), int(shuffle)))
        return wrong

    def _money(self, query: Query) -> Iterator[str]:
        """Hold every transfer against the rows, and every balance against the transfers."""
        for table_id, model in self.tables.items():
            # Rows of one table are written one after the other, so the numbers of its transfers only grow.
            rows = query(
                "SELECT id, number, source, target, cents FROM transfers WHERE table_id = :table AND id > :after"
                " ORDER BY id",
                table=table_id,
                after=model.last_transfer,
            )
            for _, _, source, target, cents in rows:
                self._move(table_id, source, target, cents)
            model.last_transfer = rows[-1][0] if rows else model.last_transfer
            # A batch of rows is written as one, and its transfers bear the number of its last row.
            kept, due = Counter(tuple(row[2:]) for row in rows), Counter(model.expected)
            if kept != due:
                odd = f"not due: {list((kept - due).elements())[:3]}, missing: {list((due - kept).elements())[:3]}"
                yield f"{table_id}: the transfers are not those of the rows up to {model.number}; {odd}"
            model.expected.clear()
        for number, source, target, cents in query(
            "SELECT id, source, target, cents FROM transfers WHERE table_id IS NULL"
        ):
            if number not in self.outside:
                self.outside.add(number)
                self._move("", source, target, cents)
                self.funded[target] += cents
                self.funded[source] -= cents
        held = {(scope, name): int(cents) for scope, name, cents in query("SELECT scope, name, cents FROM accounts")}
        for key in held.keys() | self.balances.keys():
            if held.get(key, 0) != self.balances.get(key, 0):
                moved = self.balances.get(key, 0)
                yield f"{' '.join(key)} holds {held.get(key, 0)} cents, and its transfers come to {moved}"
            if held.get(key, 0) < 0 and key[1] not in MAY_OWE:
                yield f"{' '.join(key)} owes {-held[key]} cents"
        if total := sum(held.values()):
            yield f"all accounts together come to {total} cents, not 0"

    def _move(self, table_id: str, source: str, target: str, cents: int) -> None:
        for account, change in ((source, -cents), (target, cents)):
            outside = account == "cage" or account.startswith("wallet:")
            self.balances["" if outside else table_id, account] += change

    @property
    def rounds(self) -> int:
        """How many rounds are over."""
        return sum(one.rounds_over for one in self.tables.values())
