"""Left out: every proof that a house could make which knows all nonces and would choose among decks.

It keeps to one root, the one that players noted, and leaves links, nonces or dice out, adds dice, tells shares in
another order, or writes a value so that a careless reader hashes one thing and carries out another. Each document agrees
with itself but for that: dice and order follow from what it has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, product
from typing import Any, TypeVar

from letitride.chance.fair import Commitment, close, dice_of
from letitride.chance.live import permutation
from letitride.chance.secret import Secret
from letitride.chance.shares import Link, Reveal, ShuffleId, digest_of, listed, pledge
from letitride.rules.cards import FACES

ID = ShuffleId("seven", 12, 1)
SECRET = Secret(ID, FACES[9:] + FACES[:9], tuple(bytes([number]) * 32 for number in range(53)))
_T = TypeVar("_T")


def forgeries(seats: Sequence[int], *, dice: int | None, outcome: str = "dealt") -> Iterator[tuple[bool, Any]]:
    """Yield each proof under the root of these seats, and whether it is the one true one."""
    reveals = tuple(Reveal(seat, bytes([seat]) * 32) for seat in seats)
    links = tuple(one.link for one in reveals)
    commitment = close(SECRET, [pledge(ID, one) for one in reveals], [20], dice=dice)
    for linked, told, thrown in product(_some(links), _some(reveals), (0, 1, 2)):
        # By the second protocol the root does not say whether dice are thrown: there two proofs hold.
        due = min(thrown, 1) if dice is None else dice
        fits = (linked, thrown) == (links if due else (), due)
        if outcome == "void" and _rises(told) and _rises(linked) and (fits or not thrown):
            continue  # a deck that is given up may lack any of it, and says so
        is_true = outcome == "dealt" and told == reveals and fits
        yield is_true, _document(commitment, linked, told, thrown, outcome)


def disguised() -> Iterator[tuple[str, Any]]:
    """Yield documents that a careless reader takes for another deck, or for another seat's silence."""
    reveals = tuple(Reveal(seat, bytes([seat]) * 32) for seat in (2, 5))
    commitment = close(SECRET, [pledge(ID, one) for one in reveals], [20], dice=0)
    dealt = _document(commitment, (), reveals, 0, "dealt")
    void = _document(commitment, (), reveals[:1], 0, "void")
    uncut = dealt["order"][-20:] + dealt["order"][:-20]
    for cut in (20 + 256, 20 - 256):  # the octet of both is 20
        yield f"cut by {cut}, which is not at all", _with(dealt, cuts=[cut]) | {"order": uncut}
    for cut in ("20", 20.5, [20]):
        yield f"cut by {cut!r}", _with(dealt, cuts=[cut])
    for cut in (0, 60):  # committed to, and no cut of a deck
        odd = close(SECRET, commitment.pledges, (), dice=0)
        object.__setattr__(odd, "cuts", (cut,))
        yield f"committed to a cut by {cut}", _document(odd, (), reveals, 0, "dealt", cut=cut % 52)
        yield f"committed to a cut by {cut}, and not cut", _document(odd, (), reveals, 0, "dealt", cut=0)
    for name, value in (("round", "12"), ("shuffle", 1 + 2**32), ("table", "seven "), ("dice", 256)):
        yield f"{name} {value!r}", _with(dealt, **{name: value})
    for version in (1, 2, 4):
        yield f"version {version}", dealt | {"version": version}
    yield "another format", dealt | {"format": "letitride-fair-card"}
    yield "a field more", dealt | {"note": ""}
    yield "void with an order", void | {"order": dealt["order"]}
    yield "void without a reason", void | {"reason": ""}
    yield "void, and a seat that revealed is called silent", void | {"unrevealed": [2, 5]}
    link = {"seat": 2, "link": reveals[0].link.link.hex()}
    yield "void, with a link though no dice are thrown", void | {"links": [link]}
    first, second = (one["commitment"] for one in commitment.as_data()["seats"])
    both = f"{first}05{second}"
    at = next(at for at in range(2, 64, 2) if int(both[at : at + 2], 16) > 5)
    seats = [{"seat": 2, "commitment": both[:at]}, {"seat": int(both[at : at + 2], 16), "commitment": both[at + 2 :]}]
    blamed = _with(void, seats=seats) | {"reveals": [], "unrevealed": [one["seat"] for one in seats]}
    yield "void, and digests of other lengths blame another seat", blamed


def _with(document: Any, **changed: Any) -> Any:
    return document | {"commitment": document["commitment"] | changed}


def _some(shares: tuple[_T, ...]) -> Iterator[tuple[_T, ...]]:
    """Yield each subset of some shares, all of them in another order, and one with a share twice."""
    yield from chain.from_iterable(combinations(shares, size) for size in range(len(shares) + 1))
    if len(shares) > 1:
        yield shares[::-1]
    if shares:
        yield (*shares, shares[-1])


def _rises(shares: Sequence[Link] | Sequence[Reveal]) -> bool:
    seats = [one.seat for one in shares]
    return seats == sorted(set(seats))


def _document(
    commitment: Commitment,
    links: Sequence[Link],
    reveals: Sequence[Reveal],
    thrown: int,
    outcome: str,
    *,
    cut: int = 20,
) -> Any:
    linked = listed((one.seat, one.link) for one in links)
    key = digest_of(b"throw", commitment.root, SECRET.dice_salt, linked)
    dice = dice_of(_stream(key))
    throws = [[next(dice), next(dice), next(dice)] for _ in range(thrown)]
    steps = bytes([thrown, *chain.from_iterable(throws)]) + linked
    nonces = listed((one.seat, one.nonce) for one in reveals)
    sigma = permutation(_stream(digest_of(b"key", commitment.root, steps, nonces)), 52)
    order = [SECRET.faces[card] for card in sigma[cut:] + sigma[:cut]]
    told = {one.seat for one in reveals}
    return {
        "format": "letitride-fair-proof",
        "version": commitment.version,
        "commitment": commitment.as_data(),
        "links": [{"seat": one.seat, "link": one.link.hex()} for one in links],
        "throws": throws,
        "reveals": [{"seat": one.seat, "nonce": one.nonce.hex()} for one in reveals],
        "unrevealed": [one.seat for one in commitment.pledges if one.seat not in told],
        "outcome": outcome,
        "cards": [{"face": face, "salt": salt.hex()} for face, salt in SECRET.opened()],
        "dice_salt": SECRET.dice_salt.hex(),
        **({"order": order} if outcome == "dealt" else {"reason": "the house did not like it"}),
    }


def _stream(key: bytes) -> Iterator[int]:
    return (byte for block in range(10**4) for byte in digest_of(b"stream", key, block.to_bytes(8, "big")))
