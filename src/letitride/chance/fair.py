"""Fair chance: shuffles that the house and the seats make together and anyone can check; never trusts one side alone.

A shuffle goes through these hands:

    seats    choose 32 secret bytes each, and give a `Pledge` of them                       pledge()
    house    mixes a deck by live chance and publishes a `Commitment`, pledges included     commit()
             … betting closes …
    seats    reveal their bytes                                                             Reveal
    both     the order of the round follows from what is now fixed                          Fair.order
    house    opens a card when it is shown                                                  Fair.card_proof()
    house    opens everything after the round, or says why there was none                   Fair.proof(), void()

The byte formats are in docs/fairness.md; `proof` checks them without a line from here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from itertools import count
from typing import Final, TypeVar, final

from letitride.chance.live import Live, permutation
from letitride.chance.proof import CARD_FORMAT, FORMAT, VERSION, Document, verify
from letitride.errors import InvalidData, InvariantBroken
from letitride.rules.cards import FACES

SECRET_SIZE: Final = 32
"""Bytes of a salt or a nonce: as many as the digest that hides it."""
LEAVES: Final = 64
"""A deck's 52 leaves and padding, so that every card has a path of six."""
TABLE_BYTES_MAX: Final = 255
ROUND_MAX: Final = 2**63 - 1
SHUFFLE_MAX: Final = 2**31 - 1
SEAT_MAX: Final = 255
REASON_BYTES_MAX: Final = 2_000


def _digest(what: str, *parts: bytes) -> bytes:
    """Return the digest of parts in the domain of what they are: no leaf can be read as a node, no root as a key."""
    return sha256(b"".join((f"letitride/fair/1/{what}\0".encode(), *parts))).digest()


@dataclass(frozen=True, slots=True)
class ShuffleId:
    """Which shuffle: of which table, for which of its rounds, and which of that round's; a redeal is the next."""

    table: str
    round: int
    shuffle: int = 1

    def __post_init__(self) -> None:
        _check_text("a table's name", self.table, TABLE_BYTES_MAX)
        for what, number, most in (("round", self.round, ROUND_MAX), ("shuffle", self.shuffle, SHUFFLE_MAX)):
            if not 1 <= number <= most:
                raise InvalidData(f"expected a {what} from 1 to {most}, got {number}")

    @property
    def digest(self) -> bytes:
        """What every other digest of the shuffle is bound to."""
        name = self.table.encode()
        numbers = self.round.to_bytes(8, "big") + self.shuffle.to_bytes(4, "big")
        return _digest("id", len(name).to_bytes(1, "big"), name, numbers)


@dataclass(frozen=True, slots=True, order=True)
class Pledge:
    """A seat's commitment to a nonce that nobody else knows."""

    seat: int
    digest: bytes

    def __post_init__(self) -> None:
        _check_seat(self.seat)
        _check_size("a seat's commitment", self.digest)


@dataclass(frozen=True, slots=True, order=True)
class Reveal:
    """The nonce a seat pledged."""

    seat: int
    nonce: bytes = field(repr=False)

    def __post_init__(self) -> None:
        _check_seat(self.seat)
        _check_size("a nonce", self.nonce)


def pledge(shuffle: ShuffleId, reveal: Reveal) -> Pledge:
    """Return the pledge of what a seat will reveal. It holds the seat's number, so nobody can pledge a copy of it."""
    return Pledge(reveal.seat, _digest("seat", shuffle.digest, bytes([reveal.seat]), reveal.nonce))


@dataclass(frozen=True, slots=True)
class Commitment:
    """What the house publishes before betting closes: the root fixes the deck, the shuffle's id and the pledges."""

    id: ShuffleId
    merkle: bytes
    pledges: tuple[Pledge, ...]

    @property
    def root(self) -> bytes:
        """The one digest a player has to note."""
        seats = b"".join(bytes([one.seat]) + one.digest for one in self.pledges)
        return _digest("root", self.id.digest, self.merkle, bytes([len(self.pledges)]), seats)

    def as_data(self) -> Document:
        """Return it for JSON."""
        return {
            "table": self.id.table,
            "round": self.id.round,
            "shuffle": self.id.shuffle,
            "merkle": self.merkle.hex(),
            "seats": [{"seat": one.seat, "commitment": one.digest.hex()} for one in self.pledges],
            "root": self.root.hex(),
        }


@dataclass(frozen=True, slots=True)
class Secret:
    """What the house keeps until the round is over: the deck it mixed, and a salt for each card."""

    commitment: Commitment
    faces: tuple[str, ...] = field(repr=False)
    salts: tuple[bytes, ...] = field(repr=False)

    def tree(self) -> list[list[bytes]]:
        """Return the digests from the leaves to the root of the deck."""
        levels = [[_leaf(*card) for card in zip(range(len(FACES)), self.salts, self.faces, strict=True)]]
        levels[0] += [_digest("pad")] * (LEAVES - len(FACES))
        while len(last := levels[-1]) > 1:
            levels.append([_digest("node", *last[at : at + 2]) for at in range(0, len(last), 2)])
        return levels

    def opened(self) -> tuple[tuple[str, bytes], ...]:
        """Return the cards with their salts."""
        return tuple(zip(self.faces, self.salts, strict=True))


def commit(shuffle: ShuffleId, pledges: Iterable[Pledge] = ()) -> Secret:
    """Mix a deck by live chance, and commit to it and to the pledges; its `commitment` is for the public."""
    live = Live()
    return seal(shuffle, pledges, live.order(), [live.secret(SECRET_SIZE) for _ in FACES])


def seal(shuffle: ShuffleId, pledges: Iterable[Pledge], faces: Sequence[str], salts: Sequence[bytes]) -> Secret:
    """Commit to a deck that is already mixed, with its salts."""
    if sorted(faces) != sorted(FACES):
        raise InvalidData(f"expected the 52 faces in some order, got {len(faces)} that are not")
    if len(set(salts)) != len(FACES):
        raise InvalidData(f"expected {len(FACES)} different salts, got {len(set(salts))}")
    for salt in salts:
        _check_size("a salt", salt)
    blank = Secret(Commitment(shuffle, b"", _by_seat(pledges)), tuple(faces), tuple(salts))
    return replace(blank, commitment=replace(blank.commitment, merkle=blank.tree()[-1][0]))


def joint(root: bytes, reveals: Iterable[Reveal]) -> list[int]:
    """Return the permutation that a root and the revealed nonces give, in the order of seats."""
    told = _by_seat(reveals)
    nonces = b"".join(bytes([one.seat]) + one.nonce for one in told)
    return permutation(_stream(_digest("key", root, bytes([len(told)]), nonces)), len(FACES))


@final
@dataclass(frozen=True)
class Fair:
    """A shuffle for which revealing is over: the place i of the deck has the house's card number sigma(i).

    A seat that pledged and did not reveal stays in the commitment and is listed as unrevealed in every proof; the round
    goes on without its nonce. That gives the seat no useful choice, even when it waits until all others have revealed:
    it can try out what its nonce would do to sigma, but sigma only says which of the house's hidden cards lies where,
    and of a deck that is mixed fairly and hidden every rearrangement is as good as every other. A house that plays a
    seat of its own does know the deck, so it could choose between two orders by that seat's silence. Hence silence is
    public. Without any nonce sigma comes from the root alone: then the proof shows that the house did not change the
    deck after it committed, and no more.
    """

    secret: Secret
    reveals: tuple[Reveal, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "reveals", _accepted(self.secret.commitment, self.reveals))

    @cached_property
    def sigma(self) -> tuple[int, ...]:
        """For each place of the deck the number of the house's card that lies there."""
        return tuple(joint(self.secret.commitment.root, self.reveals))

    @property
    def order(self) -> tuple[str, ...]:
        """The faces of the deck, top first."""
        return tuple(self.secret.faces[card] for card in self.sigma)

    def card_proof(self, place: int) -> CardProof:
        """Open the card at one place of the deck, 0 for the top, and none besides."""
        if not 0 <= place < len(FACES):
            raise InvalidData(f"expected a place from 0 to {len(FACES) - 1}, got {place}")
        leaf = self.sigma[place]
        path = tuple(level[(leaf >> height) ^ 1] for height, level in enumerate(self.secret.tree()[:-1]))
        face, salt = self.secret.opened()[leaf]
        return CardProof(self.secret.commitment, self.reveals, place, leaf, face, salt, path)

    def proof(self) -> Proof:
        """Open everything; for after the round."""
        return Proof(self.secret.commitment, self.reveals, self.secret.opened(), self.order)


def void(held: Secret | Commitment, reveals: Iterable[Reveal], reason: str) -> Proof:
    """Give a shuffle up in public, and say why. The deck is opened all the same, unless its secret was lost."""
    _check_text("a reason", reason, REASON_BYTES_MAX)
    commitment, cards = (held.commitment, held.opened()) if isinstance(held, Secret) else (held, ())
    return Proof(commitment, _accepted(commitment, reveals), cards, (), reason)


@dataclass(frozen=True, slots=True)
class CardProof:
    """One card opened: the way from its face to the root that was published."""

    commitment: Commitment
    reveals: tuple[Reveal, ...]
    place: int
    leaf: int
    face: str
    salt: bytes
    path: tuple[bytes, ...]

    def as_data(self) -> Document:
        """Return it as the document that `proof.verify` reads."""
        return {
            **_public(CARD_FORMAT, self.commitment, self.reveals),
            "place": self.place,
            "leaf": self.leaf,
            "face": self.face,
            "salt": self.salt.hex(),
            "path": [digest.hex() for digest in self.path],
        }


@dataclass(frozen=True, slots=True)
class Proof:
    """A shuffle opened, or given up for a reason: everything that is needed to check it."""

    commitment: Commitment
    reveals: tuple[Reveal, ...]
    cards: tuple[tuple[str, bytes], ...]
    """The house's cards with their salts, in the order they were committed to; none where they were lost."""
    order: tuple[str, ...]
    """The deck of the round, top first; none for a void."""
    reason: str = ""
    """Why it is void; empty for one that was dealt."""

    @property
    def is_void(self) -> bool:
        """Whether the shuffle was given up."""
        return bool(self.reason)

    def as_data(self) -> Document:
        """Return it as the document that `proof.verify` reads."""
        found = _public(FORMAT, self.commitment, self.reveals)
        found["outcome"] = "void" if self.is_void else "dealt"
        found["cards"] = [{"face": face, "salt": salt.hex()} for face, salt in self.cards]
        return found | ({"reason": self.reason} if self.is_void else {"order": list(self.order)})

    def as_json(self) -> str:
        """Return it as text."""
        return json.dumps(self.as_data(), indent=1) + "\n"


@dataclass(frozen=True, slots=True)
class Docket:
    """A table's public account of its commitments: each id comes once, and each is opened or voided in the end."""

    table: str
    last: tuple[int, int] = (0, 0)
    """The round and the shuffle of the latest commitment; ids only rise, so none can be used again."""
    outstanding: tuple[Commitment, ...] = ()
    dealt: int = 0
    voids: int = 0

    def published(self, commitment: Commitment) -> Docket:
        """Return the docket with one more commitment."""
        now = (commitment.id.round, commitment.id.shuffle)
        if commitment.id.table != self.table or now <= self.last:
            after = f"round {self.last[0]}, shuffle {self.last[1]}"
            got = f"{commitment.id.table!r}, round {now[0]}, shuffle {now[1]}"
            raise InvalidData(f"expected a shuffle of table {self.table!r} after {after}, got {got}")
        return replace(self, last=now, outstanding=(*self.outstanding, commitment))

    def closed(self, proof: Proof) -> Docket:
        """Return the docket after a proof was published; the house publishes none that a stranger would refuse."""
        if proof.commitment not in self.outstanding:
            raise InvalidData(f"expected the proof of an outstanding commitment, got one of {proof.commitment.id}")
        if problems := verify(proof.as_data()):
            raise InvariantBroken(f"expected a proof that holds, got: {problems[0]}")
        left = tuple(one for one in self.outstanding if one != proof.commitment)
        return replace(self, outstanding=left, dealt=self.dealt + (not proof.is_void), voids=self.voids + proof.is_void)


_OfSeat = TypeVar("_OfSeat", Pledge, Reveal)


def _public(form: str, commitment: Commitment, reveals: tuple[Reveal, ...]) -> Document:
    told = {one.seat for one in reveals}
    return {
        "format": form,
        "version": VERSION,
        "commitment": commitment.as_data(),
        "reveals": [{"seat": one.seat, "nonce": one.nonce.hex()} for one in reveals],
        "unrevealed": [one.seat for one in commitment.pledges if one.seat not in told],
    }


def _accepted(commitment: Commitment, reveals: Iterable[Reveal]) -> tuple[Reveal, ...]:
    """Return the reveals by seat, after a look at what was pledged."""
    told = _by_seat(reveals)
    for one in told:
        if pledge(commitment.id, one) not in commitment.pledges:
            raise InvalidData(f"expected the nonce that seat {one.seat} committed to, got another")
    return told


def _leaf(number: int, salt: bytes, face: str) -> bytes:
    return _digest("leaf", bytes([number]), salt, face.encode())


def _stream(key: bytes) -> Iterator[int]:
    """Yield octets without end that follow from a key."""
    for block in count():
        yield from _digest("stream", key, block.to_bytes(8, "big"))


def _by_seat(given: Iterable[_OfSeat]) -> tuple[_OfSeat, ...]:
    found = tuple(sorted(given, key=lambda one: one.seat))
    if len({one.seat for one in found}) != len(found):
        raise InvalidData(f"expected one of each seat, got seats {[one.seat for one in found]}")
    return found


def _check_seat(seat: int) -> None:
    if not 1 <= seat <= SEAT_MAX:
        raise InvalidData(f"expected a seat from 1 to {SEAT_MAX}, got {seat}")


def _check_size(what: str, secret: bytes) -> None:
    if len(secret) != SECRET_SIZE:
        raise InvalidData(f"expected {what} of {SECRET_SIZE} bytes, got {len(secret)}")


def _check_text(what: str, text: str, most: int) -> None:
    try:
        fits = 1 <= len(text.encode()) <= most
    except UnicodeEncodeError:  # half of a pair of surrogates: no bytes, so no digest
        fits = False
    if not fits:
        raise InvalidData(f"expected {what} of 1 to {most} bytes in UTF-8, got {text[:80]!r}")
