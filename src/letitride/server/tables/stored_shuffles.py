"""Stored shuffles: how the store keeps a table's shuffles, secret until they end; proves one that has ended."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import msgspec

from letitride.chance import fair1
from letitride.chance.fair import Commitment, Fair, Throw, void
from letitride.chance.proof import Document as ProofDocument
from letitride.chance.secret import Secret
from letitride.chance.shares import Link, Pledge, Reveal, ShuffleId
from letitride.errors import InvalidData, InvariantBroken
from letitride.server.runtime.requests import TableLost
from letitride.storage.roles.documents import Document, DocumentStore
from letitride.storage.sealed import SHUFFLES, Name, key_of, row_key
from letitride.storage.vault import Vault

KIND: Final = SHUFFLES
DEALT: Final = "deck-dealt"
"""The kind of a document that is written with the row of a deck's first card: that deck was dealt, and no other."""
DOCKET: Final = 200
"""Decks of a table that its docket tells of."""
REMEMBERED: Final = 64
"""Shuffles of a table among which all are that had not ended when its server stopped."""
LOST: Final = "; what the house had mixed cannot be read any more"

NO_KEY: Final = "the server was started without the house's key"
MIXED_AGAIN: Final = "the deck was mixed again before a card of it was dealt"
BROKEN_OFF: Final = "the shuffle was broken off before the deck was mixed"
CUT_AGAIN: Final = "the deck was cut again after bets were closed"
ONLY_DICE: Final = "only its dice were thrown: the deck on the table had its faces already"
CALLED_OFF: Final = "the deal was called off before a card was dealt"
NOT_AS_COMMITTED: Final = "whether dice are thrown was committed to otherwise"
OLD_ROOT: Final = "the server was upgraded after its root was published, which does not bind the dice"
TABLE_CLOSED: Final = "the table was closed"
SILENT: Final = "{seats} had pledged a secret number and did not reveal it"
VOID_REASONS: Final = {
    "no_key": NO_KEY,
    "mixed_again": MIXED_AGAIN,
    "broken_off": BROKEN_OFF,
    "cut_again": CUT_AGAIN,
    "only_dice": ONLY_DICE,
    "called_off": CALLED_OFF,
    "not_as_committed": NOT_AS_COMMITTED,
    "old_root": OLD_ROOT,
    "table_closed": TABLE_CLOSED,
    "silent": SILENT,
}
"""Why a deck is void, by the codes under which clients word it; the proof has the sentence."""

State = Literal["begun", "closed", "final", "opened", "void"]
"""Seats may pledge; deck, pledges and cuts are fixed; the order is fixed; and the two ends in public."""
Shares = tuple[tuple[int, str], ...]
"""What seats gave, in hexadecimal digits."""


class StoredShuffle(msgspec.Struct, frozen=True, kw_only=True):
    """A shuffle as the store keeps it: the house's part is sealed until the shuffle ends."""

    version: Literal[2] = 2
    table: str
    round: int
    shuffle: int
    deck: int
    """Which of the table's decks it is the order of."""
    merkle: str
    sealed: str = ""
    """The house's faces and salts, under the house's key; empty when they are open."""
    faces: tuple[str, ...] = ()
    salts: tuple[str, ...] = ()
    pledges: Shares = ()
    players: Shares = ()
    """Who pledged from each seat; never published."""
    cuts: tuple[int, ...] = ()
    dice: int | None = None
    """How many throws its root binds: 0 or 1. None before there is a root, and in roots of the second protocol."""
    links: Shares = ()
    throws: tuple[Throw, ...] = ()
    reveals: Shares = ()
    epoch: int = 0
    """Whose word it is: what a later owner wrote, an earlier one does not change."""
    state: State = "begun"
    reason: str = ""
    silent: tuple[int, ...] = ()
    """The seats that were asked for what they had pledged, and did not give it."""
    row_key: str = ""
    """What opens the rows that its deck was in play in; told when the shuffle ends."""

    @property
    def id(self) -> ShuffleId:
        """Which shuffle it is."""
        return ShuffleId(self.table, self.round, self.shuffle)

    @property
    def key(self) -> str:
        """Its id in the store: sorts by round and shuffle."""
        return key_of(self.table, self.round, self.shuffle)

    @property
    def name(self) -> Name:
        """How rows that are sealed while its deck is in play call it."""
        return self.round, self.shuffle

    @property
    def ended(self) -> bool:
        """Whether it has come to its end in public."""
        return self.state in {"opened", "void"}

    @property
    def commitment(self) -> Commitment:
        """What is published of it when bets are closed; before, that of a deck without pledges and cuts."""
        pledges = tuple(Pledge(seat, bytes.fromhex(digest)) for seat, digest in self.pledges)
        return Commitment(self.id, bytes.fromhex(self.merkle), pledges, self.cuts, self.dice)

    @property
    def silent_players(self) -> frozenset[str]:
        """Who kept back what they had pledged to it."""
        return frozenset(player for seat, player in self.players if seat in self.silent)

    def told_links(self) -> tuple[Link, ...]:
        """Return the links that seats revealed for the dice."""
        return tuple(Link(seat, bytes.fromhex(link)) for seat, link in self.links)

    def told(self) -> tuple[Reveal, ...]:
        """Return the nonces that seats revealed."""
        return tuple(Reveal(seat, bytes.fromhex(nonce)) for seat, nonce in self.reveals)

    def fair(self, secret: Secret) -> Fair:
        """Return the deck that follows from it."""
        return Fair(secret, self.commitment, self.told(), self.told_links(), self.throws)

    def open(self, vault: Vault) -> Secret | None:
        """Return the house's part, if the house's key opens it."""
        faces, salts = self.faces, self.salts
        if self.sealed:
            body = vault.open(bytes.fromhex(self.sealed), self.key.encode())
            if body is None:
                return None
            faces, salts = msgspec.json.decode(body, type=tuple[tuple[str, ...], tuple[str, ...]])
        return Secret(self.id, faces, tuple(map(bytes.fromhex, salts))) if faces else None

    def ending(self, vault: Vault, reason: str = "") -> StoredShuffle:
        """Return it at its end: opened, or void for a reason, with the house's part for everyone to see."""
        secret = self.open(vault)
        told = msgspec.structs.replace(self, sealed="", row_key=row_key(vault, self.key).hex())
        if self.state == "begun":  # no root of pledges was published
            told = msgspec.structs.replace(told, pledges=(), dice=0)
        if secret is None:
            return msgspec.structs.replace(told, state="void", reason=(reason or "the deck was dealt") + LOST)
        salts = tuple(salt.hex() for salt in secret.salts)
        state: State = "void" if reason else "opened"
        return msgspec.structs.replace(told, state=state, reason=reason, faces=secret.faces, salts=salts)

    def proof(self) -> ProofDocument:
        """Return the proof that is published of one that has ended."""
        secret = self.open(NO_VAULT)
        if secret is not None and self.state == "opened":
            return self.fair(secret).proof().as_data()
        links, told = self.told_links(), self.told()
        return void(secret, self.commitment, self.reason, links=links, throws=self.throws, reveals=told).as_data()


class StoredShuffleV1(msgspec.Struct, frozen=True, kw_only=True):
    """A shuffle by the first protocol, as databases of that time keep it."""

    table: str
    round: int
    shuffle: int
    deck: int = 1
    faces: tuple[str, ...]
    salts: tuple[str, ...]
    pledges: Shares
    reveals: Shares = ()
    epoch: int = 0
    state: Literal["committed", "dealt", "opened", "void"] = "committed"
    reason: str = ""
    silent: tuple[int, ...] = ()

    @property
    def key(self) -> str:
        """Its id in the store."""
        return key_of(self.table, self.round, self.shuffle)

    @property
    def ended(self) -> bool:
        """Whether it has come to its end in public."""
        return self.state in {"opened", "void"}

    def ending(self, _vault: Vault, reason: str = "") -> StoredShuffleV1:
        """Return it at its end: opened, or void for a reason."""
        return msgspec.structs.replace(self, state="void" if reason else "opened", reason=reason)

    def proof(self) -> ProofDocument:
        """Return the proof that is published of one that has ended."""
        shuffle = ShuffleId(self.table, self.round, self.shuffle)
        if self.state == "void":
            return fair1.void(shuffle, self.faces, self.salts, self.pledges, self.reveals, self.reason)
        return fair1.proof(shuffle, self.faces, self.salts, self.pledges, self.reveals)


AnyKept = StoredShuffle | StoredShuffleV1


class _Version(msgspec.Struct):
    version: int = 1


def sealed(secret: Secret, deck: int, vault: Vault) -> StoredShuffle:
    """Return a shuffle that begins, with the house's part sealed."""
    shuffle = secret.id
    body = msgspec.json.encode((secret.faces, [salt.hex() for salt in secret.salts]))
    key = key_of(shuffle.table, shuffle.round, shuffle.shuffle)
    return StoredShuffle(
        table=shuffle.table,
        round=shuffle.round,
        shuffle=shuffle.shuffle,
        deck=deck,
        merkle=secret.merkle.hex(),
        sealed=vault.seal(body, key.encode()).hex(),
    )


def read(body: bytes) -> AnyKept:
    """Return a shuffle from what the store keeps of it."""
    try:
        version = msgspec.json.decode(body, type=_Version).version
        kind: type[AnyKept] = StoredShuffleV1 if version == 1 else StoredShuffle
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidData(f"expected a shuffle as it is kept, got something else: {str(error)[:200]}") from None


def proof_of(kept: AnyKept) -> ProofDocument:
    """Return the proof of a shuffle that has ended, or say that what is kept of it was changed."""
    try:
        return kept.proof()
    except (ValueError, InvariantBroken) as error:  # no digits, or another deck than the one that was announced
        told = f"{kept.key[:80]} as it was kept, got something else: {str(error)[:200]}"
        raise InvalidData(f"expected {told}") from None


def recent(documents: DocumentStore, table_id: str, last: int) -> list[AnyKept]:
    """Return the last shuffles of a table."""
    return _of(table_id, documents.find(KIND, f"{table_id}/", last=last))


def claim(documents: DocumentStore, table_id: str, epoch: int) -> None:
    """Put the shuffles of a table that have not ended under a new owner's epoch, with all they hold by then.

    An earlier owner who has not noticed yet adds nothing to them after that: it would be told to seats, and lost.
    """
    for one in recent(documents, table_id, REMEMBERED):
        if not one.ended:
            claimed(documents, one.key, epoch)


def claimed(documents: DocumentStore, key: str, epoch: int) -> AnyKept | None:
    """Return a shuffle as it stands, under this owner's epoch from now on unless it has ended."""
    while (doc := documents.get(KIND, key)) is not None:
        found = read(doc.body)
        if found.epoch > epoch:
            raise TableLost(f"another node owns this table since epoch {found.epoch}")
        if found.ended or found.epoch == epoch:
            return found
        ours = msgspec.structs.replace(found, epoch=epoch)
        if documents.put(KIND, key, msgspec.json.encode(ours), doc.version) is not None:
            return ours
    return None


def dealt(documents: DocumentStore, keys: Iterable[str]) -> set[str]:
    """Return which of these decks were dealt."""
    return {doc.id for doc in documents.named(DEALT, list(keys))}


def was_dealt(kept: StoredShuffle) -> Document:
    """Return the document that says of a deck that it was dealt."""
    return Document(kind=DEALT, id=kept.key, version=1, body=b"{}")


def published(documents: DocumentStore, table_id: str, round_: int, shuffle: int) -> ProofDocument | None:
    """Return the proof of a shuffle that has ended, whichever server it was made at."""
    doc = documents.get(KIND, key_of(table_id, round_, shuffle))
    kept = read(doc.body) if doc else None
    return proof_of(kept) if kept is not None and kept.ended else None


def published_of(documents: DocumentStore, table_id: str, round_: int) -> list[int]:
    """Return the numbers of a round's shuffles that have ended."""
    found = _of(table_id, documents.find(KIND, f"{table_id}/{round_:012}/"))
    return [one.shuffle for one in found if one.ended]


def cards_opened(documents: DocumentStore, table_id: str, round_: int, faces: Sequence[str]) -> list[ProofDocument]:
    """Return the proofs of some cards of the deck that a round was dealt from, no others; none till it is opened."""
    for shuffle in reversed(published_of(documents, table_id, round_)):
        doc = documents.get(KIND, key_of(table_id, round_, shuffle))
        kept = read(doc.body) if doc else None
        secret = kept.open(NO_VAULT) if isinstance(kept, StoredShuffle) and kept.state == "opened" else None
        if isinstance(kept, StoredShuffle) and secret is not None:
            fair = kept.fair(secret)
            return [fair.card_proof(fair.order.index(face)).as_data() for face in faces if face in fair.order]
    return []


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckEnd:
    """How a deck ended in public."""

    round: int
    shuffle: int
    outcome: Literal["dealt", "void"]
    reason: str
    """Why it is void."""
    silent: list[int]
    """The seats that had pledged a nonce and did not reveal it."""
    known: bool
    """Of a void: all that was pledged was revealed, so that the house could know the order it gave up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Docket:
    """The last decks of a table: how many had which end, how many have none yet, and each that ended, newest first."""

    dealt: int
    void: int
    void_known: int
    """Of the void ones, those whose order the house could know."""
    not_ended: int
    ends: list[DeckEnd]


def docket(documents: DocumentStore, table_id: str) -> Docket:
    """Return how the last decks of a table ended."""
    found = recent(documents, table_id, DOCKET)
    ends = [
        DeckEnd(
            round=one.round,
            shuffle=one.shuffle,
            outcome="void" if one.state == "void" else "dealt",
            reason=one.reason,
            silent=list(one.silent),
            known=one.state == "void" and _all_revealed(one),
        )
        for one in reversed(found)
        if one.ended
    ]
    void_ = sum(one.outcome == "void" for one in ends)
    known = sum(one.known for one in ends)
    not_ended = len(found) - len(ends)
    return Docket(dealt=len(ends) - void_, void=void_, void_known=known, not_ended=not_ended, ends=ends)


def _all_revealed(one: AnyKept) -> bool:
    """Whether seats pledged to a deck, and all of them revealed."""
    return bool(one.pledges) and dict(one.pledges).keys() == dict(one.reveals).keys()


def _of(table_id: str, found: Iterable[Document]) -> list[AnyKept]:
    """Return the shuffles among documents; the name of a table may begin like that of another."""
    return [kept for kept in (read(doc.body) for doc in found) if kept.table == table_id]


NO_VAULT: Final = Vault(bytes(32))
"""Opens nothing: for what is open already."""
