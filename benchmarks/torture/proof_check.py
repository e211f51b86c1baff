"""Proof check: whether the published proof of a deck holds, by docs/fairness.md alone; needs nothing but SHA-256.

python benchmarks/torture/proof_check.py PROOF.json [ROOT]
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

FACES = {rank + suit for rank in "23456789TJQKA" for suit in "cdhs"}


def digest(version: int, name: str, content: bytes) -> bytes:
    """Return H(name, content) of a version of the protocol."""
    return sha256(f"letitride/fair/{min(version, 2)}/{name}".encode() + b"\0" + content).digest()


def shuffle_id(version: int, table: str, round_: int, shuffle: int) -> bytes:
    """Return the digest that names a shuffle."""
    name = table.encode()
    return digest(version, "id", bytes([len(name)]) + name + round_.to_bytes(8, "big") + shuffle.to_bytes(4, "big"))


def pledged(version: int, shuffle: bytes, seat: int, nonce: bytes) -> bytes:
    """Return what a seat that keeps this nonce pledges."""
    kept = nonce if version == 1 else digest(2, "link", nonce)
    return digest(version, "seat", shuffle + bytes([seat]) + kept)


def stream(version: int, key: bytes) -> Iterator[int]:
    """Yield the bytes that follow from a key, without end."""
    block = 0
    while True:
        yield from digest(version, "stream", key + block.to_bytes(8, "big"))
        block += 1


def listed(pairs: list[tuple[int, bytes]]) -> bytes:
    """Return seats and their digests as they are hashed: the count, then each seat with its digest."""
    return bytes([len(pairs)]) + b"".join(bytes([seat]) + value for seat, value in pairs)


def _seats(rows: list[dict[str, Any]], value: str) -> list[tuple[int, bytes]]:
    return [(row["seat"], bytes.fromhex(row[value])) for row in rows]


def top_node(version: int, cards: list[dict[str, str]], dice_salt: str) -> bytes:
    """Return the top of the tree over a deck, and the dice's salt where the protocol has one."""
    level = [
        digest(version, "leaf", bytes([i]) + bytes.fromhex(card["salt"]) + card["face"].encode())
        for i, card in enumerate(cards)
    ]
    level += [digest(2, "dice", bytes.fromhex(dice_salt))] if version > 1 else []
    level += [digest(version, "pad", b"")] * (64 - len(level))
    while len(level) > 1:
        level = [digest(version, "node", level[i] + level[i + 1]) for i in range(0, len(level), 2)]
    return level[0]


def thrown(key: bytes, count: int) -> list[list[int]]:
    """Return so many throws of three dice, as a throw key gives them."""
    dice = (byte % 8 + 1 for byte in stream(2, key) if byte % 8 < 6)
    return [[next(dice) for _ in range(3)] for _ in range(count)]


def order_of(version: int, key: bytes, faces: list[str], cuts: list[int]) -> list[str]:
    """Return the faces as they are dealt, top first."""
    octets, sigma = stream(version, key), list(range(52))
    for top in range(51, 0, -1):
        low = 2 ** top.bit_length()
        at = next(byte % low for byte in octets if byte % low <= top)
        sigma[top], sigma[at] = sigma[at], sigma[top]
    order = [faces[card] for card in sigma]
    for cut in cuts:
        order = order[cut:] + order[:cut]
    return order


def check(proof: dict[str, Any], root_seen: str = "") -> list[str]:
    """Return everything that is wrong with a proof; an empty list: it holds."""
    if unlike := shape(proof):
        return unlike
    version, commitment = proof["version"], proof["commitment"]
    shuffle = shuffle_id(version, commitment["table"], commitment["round"], commitment["shuffle"])
    seats, nonces = _seats(commitment["seats"], "commitment"), _seats(proof["reveals"], "nonce")
    links = _seats(proof["links"], "link") if version > 1 else []
    cuts, throws = (commitment["cuts"], proof["throws"]) if version > 1 else ([], [])
    fixed = shuffle + bytes.fromhex(commitment["merkle"]) + listed(seats) + _small(version, cuts)
    root = digest(version, "root", fixed + (bytes([commitment["dice"]]) if version > 2 else b""))
    wrong = [] if root.hex() == commitment["root"] else ["the root is not that of the commitment"]
    if root_seen and root_seen != commitment["root"]:
        wrong.append("the root is not the one that was published before")
    for seat, nonce in nonces:
        if (seat, pledged(version, shuffle, seat, nonce)) not in seats:
            wrong.append(f"seat {seat} did not pledge the nonce that it is said to have revealed")
    for seat, link in links:
        if (seat, digest(version, "seat", shuffle + bytes([seat]) + link)) not in seats:
            wrong.append(f"seat {seat} did not pledge the link that it is said to have revealed")
    silent = sorted({seat for seat, _ in seats} - {seat for seat, _ in nonces})
    if proof["unrevealed"] != silent:
        wrong.append(f"the seats that did not reveal are {silent}, not {proof['unrevealed']}")
    lists = [[seat for seat, _ in told] for told in (seats, links, nonces)]
    wrong += [f"seats do not rise, or come twice: {told}" for told in lists if told != sorted(set(told))]
    wrong += chosen(proof, *lists) if version > 1 else []
    if not proof["cards"]:
        return wrong + ([] if proof["outcome"] == "void" else ["a dealt deck has no cards"])
    faces, salt = [card["face"] for card in proof["cards"]], proof.get("dice_salt", "")
    if set(faces) != FACES or len(faces) != 52:
        wrong.append("the cards are not the 52")
    if top_node(version, proof["cards"], salt).hex() != commitment["merkle"]:
        wrong.append("the cards are not those that were committed to")
    key = digest(version, "throw", root + bytes.fromhex(salt) + listed(links))
    if version > 1 and throws != thrown(key, len(throws)):
        wrong.append("the dice do not follow from the links")
    if proof["outcome"] == "dealt":
        key = digest(version, "key", root + _throws(version, throws, links) + listed(nonces))
        if list(proof["order"]) != order_of(version, key, faces, cuts):
            wrong.append("the order does not follow from the nonces")
    return wrong


def shape(proof: dict[str, Any]) -> list[str]:
    """Return where a document is not written as a proof is: two readers could take it for two decks."""
    version, commitment, outcome = proof["version"], proof["commitment"], proof["outcome"]
    if proof["format"] != "letitride-fair-proof" or version not in {1, 2, 3} or outcome not in {"dealt", "void"}:
        return [f"expected a proof of version 1 to 3, got {proof['format']} {version} {outcome}"]
    fields = {"format", "version", "commitment", "reveals", "unrevealed", "outcome", "cards"}
    fields |= {"reason" if outcome == "void" else "order", *(("links", "throws", "dice_salt") if version > 1 else ())}
    bound = {"table", "round", "shuffle", "merkle", "seats", "root", *("cuts", "dice")[: version - 1]}
    if set(proof) != fields or set(commitment) != bound or proof.get("reason") == "":
        return [f"the fields are not those of a {outcome} deck: {sorted(proof)}, {sorted(commitment)}"]
    shares = [*commitment["seats"], *proof.get("links", ()), *proof["reveals"]]
    digests = [commitment["merkle"], *(value for one in shares for value in one.values() if isinstance(value, str))]
    wrong = [f"not a digest: {one}" for one in digests if not re.fullmatch("[0-9a-f]{64}", one)]
    return wrong + [f"no deck is cut so: {cut}" for cut in commitment.get("cuts", ()) if cut not in range(1, 52)]


def chosen(proof: dict[str, Any], pledged_: list[int], linked: list[int], told: list[int]) -> list[str]:
    """Return where a house that knew all nonces could have chosen among decks, by what it left out or added."""
    is_void, many, wrong = proof["outcome"] == "void", len(proof["throws"]), []
    due = proof["commitment"].get("dice", min(many, 1))
    if many != due and not (is_void and not many):
        wrong.append(f"dice are thrown {many} times, where {due} was committed to")
    if linked != (pledged_ if many else []) and (many or not is_void or not proof["commitment"].get("dice", 1)):
        wrong.append(f"links are those of seats {linked}, while {pledged_} had pledged, for {many} throws")
    if told != pledged_ and not is_void:
        wrong.append(f"the deck was dealt with the nonces of seats {told}, while {pledged_} had pledged")
    return wrong


def _small(version: int, numbers: list[int]) -> bytes:
    return bytes([len(numbers), *numbers]) if version > 1 else b""


def _throws(version: int, throws: list[list[int]], links: list[tuple[int, bytes]]) -> bytes:
    return bytes([len(throws), *(die for one in throws for die in one)]) + listed(links) if version > 1 else b""


if __name__ == "__main__":
    found = check(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), *sys.argv[2:3])
    print("\n".join(found) or "it holds")
    sys.exit(bool(found))
