"""Fair chance, first protocol: the proofs of decks that were mixed by it, from what the store kept; mixes none.

It ended when the deck came to be bound last. Its bytes are those of docs/fairness.md without links, dice and cuts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import count

from letitride.chance.live import permutation
from letitride.chance.proof import FORMAT, Document
from letitride.chance.shares import ShuffleId, listed

Told = Sequence[tuple[int, str]]
"""Seats with what they gave, in hexadecimal digits."""


def proof(shuffle: ShuffleId, faces: Sequence[str], salts: Sequence[str], pledges: Told, reveals: Told) -> Document:
    """Return the proof of a deck that was dealt."""
    found = _opened(shuffle, faces, salts, pledges, reveals)
    sigma = permutation(
        _stream(_digest("key", bytes.fromhex(found["commitment"]["root"]), _bytes(reveals))), len(faces)
    )
    return {**found, "outcome": "dealt", "order": [faces[card] for card in sigma]}


def void(  # noqa: PLR0917 - what a kept shuffle has
    shuffle: ShuffleId, faces: Sequence[str], salts: Sequence[str], pledges: Told, reveals: Told, reason: str
) -> Document:
    """Return the proof of a deck that was given up for a reason."""
    return {**_opened(shuffle, faces, salts, pledges, reveals), "outcome": "void", "reason": reason}


def _opened(shuffle: ShuffleId, faces: Sequence[str], salts: Sequence[str], pledges: Told, reveals: Told) -> Document:
    cards = list(zip(faces, salts, strict=True))
    level = [_digest("leaf", bytes([at]), bytes.fromhex(salt), face.encode()) for at, (face, salt) in enumerate(cards)]
    level += [_digest("pad")] * (64 - len(level))
    while len(level) > 1:
        level = [_digest("node", *level[at : at + 2]) for at in range(0, len(level), 2)]
    told = {seat for seat, _ in reveals}
    return {
        "format": FORMAT,
        "version": 1,
        "commitment": {
            "table": shuffle.table,
            "round": shuffle.round,
            "shuffle": shuffle.shuffle,
            "merkle": level[0].hex(),
            "seats": [{"seat": seat, "commitment": digest} for seat, digest in sorted(pledges)],
            "root": _digest("root", _digest("id", shuffle.content), level[0], _bytes(pledges)).hex(),
        },
        "reveals": [{"seat": seat, "nonce": nonce} for seat, nonce in sorted(reveals)],
        "unrevealed": [seat for seat, _ in sorted(pledges) if seat not in told],
        "cards": [{"face": face, "salt": salt} for face, salt in cards],
    }


def _bytes(shares: Told) -> bytes:
    return listed((seat, bytes.fromhex(digits)) for seat, digits in sorted(shares))


def _digest(what: str, *parts: bytes) -> bytes:
    return sha256(b"".join((f"letitride/fair/1/{what}\0".encode(), *parts))).digest()


def _stream(key: bytes) -> Iterator[int]:
    for block in count():
        yield from _digest("stream", key, block.to_bytes(8, "big"))
