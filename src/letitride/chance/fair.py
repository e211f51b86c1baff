"""Fair chance: shuffles that the house and the seats make together and anyone can check; never trusts one side alone.

A shuffle goes through these hands:

    house    mixes a deck by live chance, and publishes the top of its tree                 draw(), Secret.merkle
    seats    choose 32 secret bytes each, and give a `Pledge` of them                       pledge()
    house    cuts; which face lies where is not known to anyone yet
             … betting closes …
    house    publishes one root over deck, pledges, cuts and whether dice are thrown        close()
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
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Final, final

from letitride.chance.live import permutation
from letitride.chance.proof import CARD_FORMAT, FORMAT, VERSION, Document
from letitride.chance.secret import Secret
from letitride.chance.shares import (
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

STEPS_MAX: Final = 255
"""Of cuts: their number is told in one byte."""
REASON_BYTES_MAX: Final = 2_000

Throw = tuple[int, int, int]
"""What three dice show."""


@dataclass(frozen=True)
class Commitment:
    """What the house publishes when betting is closed: the root fixes the deck, its id, pledges, cuts and dice."""

    id: ShuffleId
    merkle: bytes
    pledges: tuple[Pledge, ...] = ()
    cuts: tuple[int, ...] = ()
    """For each cut how many cards went from the top to the bottom."""
    dice: int | None = 0
    """How often dice are thrown for it, 0 or 1; None by the second protocol, whose roots did not bind it."""

    def __post_init__(self) -> None:
        check_size("the top of a tree", self.merkle)
        object.__setattr__(self, "pledges", by_seat(self.pledges))
        object.__setattr__(self, "cuts", tuple(self.cuts))
        for cut in self.cuts:
            if not 1 <= cut < len(FACES):
                raise InvalidData(f"expected a cut of 1 to {len(FACES) - 1} cards, got {cut}")
        if len(self.cuts) > STEPS_MAX:
            raise InvalidData(f"expected {STEPS_MAX} cuts at most, got {len(self.cuts)}")
        if self.dice not in {0, 1, None}:
            raise InvalidData(f"expected dice to be thrown once or not at all, got {self.dice} times")

    @property
    def version(self) -> int:
        """The protocol of its root, and so of its proof."""
        return VERSION if self.dice is not None else 2

    @cached_property
    def root(self) -> bytes:
        """The one digest a player has to note."""
        seats = listed((one.seat, one.digest) for one in self.pledges)
        dice = () if self.dice is None else (self.dice,)
        return digest_of(b"root", self.id.digest, self.merkle, seats, bytes([len(self.cuts), *self.cuts, *dice]))

    def as_data(self) -> Document:
        """Return it for JSON."""
        return {
            "table": self.id.table,
            "round": self.id.round,
            "shuffle": self.id.shuffle,
            "merkle": self.merkle.hex(),
            "seats": [{"seat": one.seat, "commitment": one.digest.hex()} for one in self.pledges],
            "cuts": list(self.cuts),
            **({} if self.dice is None else {"dice": self.dice}),
            "root": self.root.hex(),
        }


def close(
    secret: Secret, pledges: Iterable[Pledge] = (), cuts: Iterable[int] = (), *, dice: int | None = 0
) -> Commitment:
    """Commit to a deck, to pledges and cuts, and to whether dice are thrown; for when betting is closed."""
    return Commitment(secret.id, secret.merkle, tuple(pledges), tuple(cuts), dice)


def check_link(commitment: Commitment, one: Link) -> None:
    """Refuse a link that is not of what its seat pledged."""
    if pledged(commitment.id, one) not in commitment.pledges:
        raise InvalidData(f"expected the link of what seat {one.seat} committed to, got another")


def check_reveal(commitment: Commitment, one: Reveal) -> None:
    """Refuse a nonce that is not the one its seat pledged."""
    if pledge(commitment.id, one) not in commitment.pledges:
        raise InvalidData(f"expected the nonce that seat {one.seat} committed to, got another")


def throw(secret: Secret, commitment: Commitment, links: Iterable[Link]) -> Throw:
    """Return what the dice show, by the links of all seats that pledged: with one left out they could be chosen."""
    if commitment.dice == 0:
        raise InvalidData("expected a commitment to a throw of the dice, got one to none")
    told = _accepted_links(commitment, links)
    _check_all(commitment, "links", told)
    key = digest_of(b"throw", commitment.root, secret.dice_salt, listed((one.seat, one.link) for one in told))
    dice = dice_of(_stream(key))
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

    Every nonce that was pledged is in it, and every link where dice are thrown. A deck that lacks one is void: a house
    that knows the nonces could otherwise leave some out and choose among 2^k orders. A seat gains nothing by silence:
    sigma only says which of the house's hidden cards lies where, and of a deck that is mixed fairly and hidden every
    rearrangement is as good as every other. Where no seat pledged, sigma comes from the root and the dice: then the
    proof shows that the house did not change the deck after it committed, and no more.
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
        _check_all(self.commitment, "nonces", self.reveals)
        if self.commitment.dice not in {None, len(self.throws)} or (self.links and not self.throws):
            raise InvalidData(
                f"expected {self.commitment.dice} throws as the commitment says, and links for them alone,"
                f" got {len(self.throws)} and {len(self.links)} links"
            )
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

    def card_proof(self, place: int) -> CardProof:
        """Open the card at one place of the deck as it is dealt, 0 for the top, and none besides."""
        if not 0 <= place < len(FACES):
            raise InvalidData(f"expected a place from 0 to {len(FACES) - 1}, got {place}")
        leaf = self.sigma[(place + sum(self.commitment.cuts)) % len(FACES)]
        return CardProof(self, place, leaf)

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
    if len(thrown) > (1 if commitment.dice is None else commitment.dice):
        raise InvalidData(f"expected no more throws than were committed to, got {len(thrown)}")
    if thrown:
        _check_all(commitment, "links", linked)
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
        fair, secret = self.fair, self.fair.secret
        dice: Document = {}
        if fair.commitment.version > 2:  # the dice are thrown: their salt hides nothing any more
            dice["dice_salt"] = secret.dice_salt.hex() if fair.throws else ""
            dice["dice_path"] = secret.path(len(FACES)) if fair.throws else []
        return {
            **_public(CARD_FORMAT, fair.commitment, fair.links, fair.throws, fair.reveals),
            "place": self.place,
            "leaf": self.leaf,
            "face": self.face,
            "salt": self.salt.hex(),
            "path": secret.path(self.leaf),
            **dice,
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
        "version": commitment.version,
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


def _check_all(commitment: Commitment, what: str, shares: Sequence[Link] | Sequence[Reveal]) -> None:
    """Refuse shares that lack one of a seat that pledged."""
    pledged, told = [one.seat for one in commitment.pledges], [one.seat for one in shares]
    if told != pledged:
        raise InvalidData(f"expected the {what} of all seats that pledged, {pledged}, got those of {told}")


def _check_throws(secret: Secret, commitment: Commitment, links: tuple[Link, ...], throws: tuple[Throw, ...]) -> None:
    """Refuse dice that do not follow."""
    if throws and throws != (follows := (throw(secret, commitment, links),)):
        raise InvalidData(f"expected {follows} as throws of the dice, got {throws}")


def _stream(key: bytes) -> Iterator[int]:
    """Yield octets without end that follow from a key."""
    for block in count():
        yield from digest_of(b"stream", key, block.to_bytes(8, "big"))
