"""Fair chance: shuffles that the house and the seats make together and anyone can check; never trusts one side alone.

A shuffle goes through these hands:

    house    mixes a deck by live chance, and publishes the top of its tree                 draw(), Secret.merkle
    seats    choose 32 secret bytes each, and give a `Pledge` of them                       pledge()
    house    cuts; which face lies where is not known to anyone yet
             … betting closes …
    house    publishes one root over deck, pledges and cuts                                 close()
    seats    reveal their links, where dice are thrown                                      Link, check_link()
    both     the dice follow from what is now fixed                                         throw()
    seats    reveal their nonces                                                            Reveal, check_reveal()
    both     the order of the round follows                                                 Fair.order
    house    opens a card when it is shown                                                  Fair.card_proof()
    house    opens everything after the round, or says why there was none                   Fair.proof(), void()

The byte formats are in docs/fairness.md; `proof` checks them without a line from here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import Final, final

from letitride.chance.live import Live, permutation
from letitride.chance.proof import CARD_FORMAT, FORMAT, VERSION, Document
from letitride.chance.shares import (
    SECRET_SIZE,
    Link,
    Pledge,
    Reveal,
    ShuffleId,
    by_seat,
    check_size,
    check_text,
    digest_of,
    listed,
    pledge,
    pledged,
)
from letitride.errors import InvalidData, InvariantBroken
from letitride.rules.cards import FACES

LEAVES: Final = 64
"""A deck's 52 leaves, that of the dice, and padding, so that every card has a path of six."""
STEPS_MAX: Final = 255
"""Of cuts, and of throws: their number is told in one byte."""
REASON_BYTES_MAX: Final = 2_000

Throw = tuple[int, int, int]
"""What three dice show."""


@dataclass(frozen=True)
class Secret:
    """What the house keeps until the round is over: the deck it mixed, a salt for each card, and one for the dice."""

    id: ShuffleId
    faces: tuple[str, ...] = field(repr=False)
    salts: tuple[bytes, ...] = field(repr=False)
    """One for each card, then the dice's."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "faces", tuple(self.faces))
        object.__setattr__(self, "salts", tuple(self.salts))
        if sorted(self.faces) != _SORTED_FACES:
            raise InvalidData(f"expected the 52 faces in some order, got {len(self.faces)} that are not")
        if not len(self.salts) == len(set(self.salts)) == len(FACES) + 1:
            raise InvalidData(f"expected {len(FACES) + 1} different salts, got {len(set(self.salts))}")
        for salt in self.salts:
            check_size("a salt", salt)

    @cached_property
    def tree(self) -> list[list[bytes]]:
        """The digests from the leaves to the top."""
        cards = zip(_NUMBERS, self.salts, self.faces, strict=False)  # the last salt is not a card's
        level = [digest_of(b"leaf", number, salt, face.encode()) for number, salt, face in cards]
        level += [digest_of(b"dice", self.dice_salt), *_PADDING]
        levels = [level]
        while len(level) > 1:
            level = [digest_of(b"node", level[at], level[at + 1]) for at in range(0, len(level), 2)]
            levels.append(level)
        return levels

    @property
    def merkle(self) -> bytes:
        """The top of the tree: what the house publishes as soon as its deck is mixed."""
        return self.tree[-1][0]

    @property
    def dice_salt(self) -> bytes:
        """What the house adds to the dice."""
        return self.salts[-1]

    def opened(self) -> tuple[tuple[str, bytes], ...]:
        """Return the cards with their salts."""
        return tuple(zip(self.faces, self.salts[:-1], strict=True))


def draw(shuffle: ShuffleId) -> Secret:
    """Mix a deck by live chance; its `merkle` is for the public."""
    live = Live()
    octets = live.secret(SECRET_SIZE * (len(FACES) + 1))
    salts = tuple(octets[at : at + SECRET_SIZE] for at in range(0, len(octets), SECRET_SIZE))
    return Secret(shuffle, live.order(), salts)


@dataclass(frozen=True)
class Commitment:
    """What the house publishes when betting is closed: the root fixes the deck, the shuffle's id, pledges and cuts."""

    id: ShuffleId
    merkle: bytes
    pledges: tuple[Pledge, ...] = ()
    cuts: tuple[int, ...] = ()
    """For each cut how many cards went from the top to the bottom."""

    def __post_init__(self) -> None:
        check_size("the top of a tree", self.merkle)
        object.__setattr__(self, "pledges", by_seat(self.pledges))
        object.__setattr__(self, "cuts", tuple(self.cuts))
        for cut in self.cuts:
            if not 1 <= cut < len(FACES):
                raise InvalidData(f"expected a cut of 1 to {len(FACES) - 1} cards, got {cut}")
        _check_steps("cuts", self.cuts)

    @cached_property
    def root(self) -> bytes:
        """The one digest a player has to note."""
        seats = listed((one.seat, one.digest) for one in self.pledges)
        return digest_of(b"root", self.id.digest, self.merkle, seats, bytes([len(self.cuts), *self.cuts]))

    def as_data(self) -> Document:
        """Return it for JSON."""
        return {
            "table": self.id.table,
            "round": self.id.round,
            "shuffle": self.id.shuffle,
            "merkle": self.merkle.hex(),
            "seats": [{"seat": one.seat, "commitment": one.digest.hex()} for one in self.pledges],
            "cuts": list(self.cuts),
            "root": self.root.hex(),
        }


def close(secret: Secret, pledges: Iterable[Pledge] = (), cuts: Iterable[int] = ()) -> Commitment:
    """Commit to a deck, to what the seats pledged and to how it was cut; for when betting is closed."""
    return Commitment(secret.id, secret.merkle, tuple(pledges), tuple(cuts))


def check_link(commitment: Commitment, one: Link) -> None:
    """Refuse a link that is not of what its seat pledged."""
    if pledged(commitment.id, one) not in commitment.pledges:
        raise InvalidData(f"expected the link of what seat {one.seat} committed to, got another")


def check_reveal(commitment: Commitment, one: Reveal) -> None:
    """Refuse a nonce that is not the one its seat pledged."""
    if pledge(commitment.id, one) not in commitment.pledges:
        raise InvalidData(f"expected the nonce that seat {one.seat} committed to, got another")


def throw(secret: Secret, commitment: Commitment, links: Iterable[Link], number: int = 1) -> Throw:
    """Return what the dice show; the second throw of a shuffle goes on where the first ended."""
    if not 1 <= number <= STEPS_MAX:
        raise InvalidData(f"expected a throw from 1 to {STEPS_MAX}, got {number}")
    told = _accepted_links(commitment, links)
    key = digest_of(b"throw", commitment.root, secret.dice_salt, listed((one.seat, one.link) for one in told))
    dice = dice_of(_stream(key))
    for _ in range(3 * (number - 1)):
        next(dice)
    return next(dice), next(dice), next(dice)


def dice_of(octets: Iterable[int]) -> Iterator[int]:
    """Yield dice from octets: the low three bits, thrown away where they are more than a die has sides."""
    return (1 + (octet & 7) for octet in octets if octet & 7 < 6)


def joint(root: bytes, throws: Sequence[Throw], links: Iterable[Link], reveals: Iterable[Reveal]) -> list[int]:
    """Return the permutation that a root and what came after it give."""
    thrown = bytes([len(throws), *(die for dice in throws for die in dice)])
    linked = listed((one.seat, one.link) for one in by_seat(links))
    told = listed((one.seat, one.nonce) for one in by_seat(reveals))
    return permutation(_stream(digest_of(b"key", root, thrown, linked, told)), len(FACES))


@final
@dataclass(frozen=True)
class Fair:
    """A shuffle for which revealing is over: before the cuts, place i of the deck has the house's card sigma(i).

    A seat that pledged and did not reveal stays in the commitment and is listed as unrevealed in every proof; the round
    goes on without its nonce. That gives the seat no useful choice, even when it waits until all others have revealed:
    it can try out what its nonce would do to sigma, but sigma only says which of the house's hidden cards lies where,
    and of a deck that is mixed fairly and hidden every rearrangement is as good as every other. A house that plays a
    seat of its own does know the deck, so it could choose between two orders by that seat's silence. Hence silence is
    public. Without any nonce sigma comes from the root and the dice: then the proof shows that the house did not change
    the deck after it committed, and no more.
    """

    secret: Secret
    commitment: Commitment
    reveals: tuple[Reveal, ...] = ()
    links: tuple[Link, ...] = ()
    throws: tuple[Throw, ...] = ()

    def __post_init__(self) -> None:
        _check_same(self.secret, self.commitment)
        object.__setattr__(self, "reveals", _accepted_reveals(self.commitment, self.reveals))
        object.__setattr__(self, "links", _accepted_links(self.commitment, self.links))
        object.__setattr__(self, "throws", tuple(self.throws))
        _check_throws(self.secret, self.commitment, self.links, self.throws)

    @cached_property
    def sigma(self) -> tuple[int, ...]:
        """For each place of the deck, before it is cut, the number of the house's card that lies there."""
        return tuple(joint(self.commitment.root, self.throws, self.links, self.reveals))

    @property
    def order(self) -> tuple[str, ...]:
        """The faces of the deck after its cuts, top first: as it is dealt."""
        shuffled = tuple([self.secret.faces[card] for card in self.sigma])
        top = sum(self.commitment.cuts) % len(FACES)
        return shuffled[top:] + shuffled[:top]

    @property
    def unrevealed(self) -> tuple[int, ...]:
        """The seats that pledged a nonce and did not reveal it."""
        return _silent(self.commitment, self.reveals)

    def card_proof(self, place: int) -> CardProof:
        """Open the card at one place of the deck as it is dealt, 0 for the top, and none besides."""
        if not 0 <= place < len(FACES):
            raise InvalidData(f"expected a place from 0 to {len(FACES) - 1}, got {place}")
        leaf = self.sigma[(place + sum(self.commitment.cuts)) % len(FACES)]
        path = tuple(level[(leaf >> height) ^ 1] for height, level in enumerate(self.secret.tree[:-1]))
        return CardProof(self, place, leaf, path)

    def proof(self) -> Proof:
        """Open everything; for after the round."""
        cards, salt = self.secret.opened(), self.secret.dice_salt
        return Proof(self.commitment, self.links, self.throws, self.reveals, cards, salt, self.order)


def void(
    secret: Secret | None,
    commitment: Commitment,
    reason: str,
    *,
    links: Iterable[Link] = (),
    throws: Iterable[Throw] = (),
    reveals: Iterable[Reveal] = (),
) -> Proof:
    """Give a shuffle up in public, and say why. The deck is opened all the same, unless its secret was lost."""
    check_text("a reason", reason, REASON_BYTES_MAX)
    linked, thrown = _accepted_links(commitment, links), tuple(throws)
    told = _accepted_reveals(commitment, reveals)
    _check_steps("throws", thrown)
    if secret is None:
        return Proof(commitment, linked, thrown, told, reason=reason)
    _check_same(secret, commitment)
    _check_throws(secret, commitment, linked, thrown)
    return Proof(commitment, linked, thrown, told, secret.opened(), secret.dice_salt, reason=reason)


@dataclass(frozen=True, slots=True)
class CardProof:
    """One card opened: the way from its face to the root that was published."""

    fair: Fair
    place: int
    leaf: int
    path: tuple[bytes, ...]

    @property
    def face(self) -> str:
        """Which card it is."""
        return self.fair.secret.faces[self.leaf]

    @property
    def salt(self) -> bytes:
        """What hid it."""
        return self.fair.secret.salts[self.leaf]

    def as_data(self) -> Document:
        """Return it as the document that `proof.verify` reads."""
        fair = self.fair
        return {
            **_public(CARD_FORMAT, fair.commitment, fair.links, fair.throws, fair.reveals),
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
    links: tuple[Link, ...]
    throws: tuple[Throw, ...]
    reveals: tuple[Reveal, ...]
    cards: tuple[tuple[str, bytes], ...] = ()
    """The house's cards with their salts, in the order they were committed to; none where they were lost."""
    dice_salt: bytes = b""
    order: tuple[str, ...] = ()
    """The deck of the round as it was dealt, top first; none for a void."""
    reason: str = ""
    """Why it is void; empty for one that was dealt."""

    @property
    def is_void(self) -> bool:
        """Whether the shuffle was given up."""
        return bool(self.reason)

    def as_data(self) -> Document:
        """Return it as the document that `proof.verify` reads."""
        found = _public(FORMAT, self.commitment, self.links, self.throws, self.reveals)
        found["outcome"] = "void" if self.is_void else "dealt"
        found["cards"] = [{"face": face, "salt": salt.hex()} for face, salt in self.cards]
        found["dice_salt"] = self.dice_salt.hex()
        return found | ({"reason": self.reason} if self.is_void else {"order": list(self.order)})

    def as_json(self) -> str:
        """Return it as text."""
        return json.dumps(self.as_data(), indent=1) + "\n"


def _public(
    form: str, commitment: Commitment, links: tuple[Link, ...], throws: tuple[Throw, ...], reveals: tuple[Reveal, ...]
) -> Document:
    return {
        "format": form,
        "version": VERSION,
        "commitment": commitment.as_data(),
        "links": [{"seat": one.seat, "link": one.link.hex()} for one in links],
        "throws": [list(dice) for dice in throws],
        "reveals": [{"seat": one.seat, "nonce": one.nonce.hex()} for one in reveals],
        "unrevealed": list(_silent(commitment, reveals)),
    }


def _silent(commitment: Commitment, reveals: tuple[Reveal, ...]) -> tuple[int, ...]:
    told = {one.seat for one in reveals}
    return tuple(one.seat for one in commitment.pledges if one.seat not in told)


def _accepted_links(commitment: Commitment, links: Iterable[Link]) -> tuple[Link, ...]:
    """Return the links by seat, after a look at what was pledged."""
    told = by_seat(links)
    for one in told:
        check_link(commitment, one)
    return told


def _accepted_reveals(commitment: Commitment, reveals: Iterable[Reveal]) -> tuple[Reveal, ...]:
    """Return the reveals by seat, after a look at what was pledged."""
    told = by_seat(reveals)
    for one in told:
        check_reveal(commitment, one)
    return told


def _check_same(secret: Secret, commitment: Commitment) -> None:
    if (secret.id, secret.merkle) != (commitment.id, commitment.merkle):
        raise InvariantBroken(f"expected the commitment to the deck of {secret.id}, got another")


def _check_throws(secret: Secret, commitment: Commitment, links: tuple[Link, ...], throws: tuple[Throw, ...]) -> None:
    _check_steps("throws", throws)
    for number, dice in enumerate(throws, 1):
        if dice != (follows := throw(secret, commitment, links, number)):
            raise InvalidData(f"expected {follows} as throw {number}, got {dice}")


def _check_steps(what: str, steps: Sequence[object]) -> None:
    if len(steps) > STEPS_MAX:
        raise InvalidData(f"expected {STEPS_MAX} {what} at most, got {len(steps)}")


def _stream(key: bytes) -> Iterator[int]:
    """Yield octets without end that follow from a key."""
    for block in count():
        yield from digest_of(b"stream", key, block.to_bytes(8, "big"))


_SORTED_FACES: Final = sorted(FACES)
_NUMBERS: Final = tuple(bytes([number]) for number in range(len(FACES)))
_PADDING: Final = (digest_of(b"pad"),) * (LEAVES - len(FACES) - 1)
