"""Proof: says what is wrong with the proof of a fair shuffle; never uses a line of the code that made it.

It needs Python alone, without letitride: `python proof.py FILE`. docs/fairness.md tells the same in words. Exit codes:
0 the proof holds, 1 it does not, 2 it cannot be read.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from typing import Any

FORMAT = "letitride-fair-proof"
CARD_FORMAT = "letitride-fair-card"
VERSION = 3
"""Of the proofs that are made now; those of earlier protocols are checked too."""
FACES = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


Document = dict[str, Any]
"""A proof as JSON has it, from this house or from a stranger; `verify` checks every field before it is read."""


def verify(document: object, root: str | None = None) -> list[str]:
    """Return what is wrong with a proof, the first thing first; nothing where it holds.

    `root` is the one you noted before the first card. Without it you learn that the document agrees with itself.
    """
    if problems := _shape(document):
        return problems
    proof: Document = document  # type: ignore[assignment]  # _shape checked it
    problems = _commitment_problems(proof, root) + _share_problems(proof) + _left_out_problems(proof)
    if proof["format"] == CARD_FORMAT:
        return problems + _card_problems(proof)
    return problems + _deck_problems(proof)


def _commitment_problems(proof: Document, root: str | None) -> list[str]:
    problems = []
    commitment = proof["commitment"]
    if not _rising([one["seat"] for one in commitment["seats"]]):
        problems.append("commitment.seats: expected each seat once, in rising order, got another list")
    content = _id(proof) + bytes.fromhex(commitment["merkle"]) + _listed(commitment["seats"], "commitment")
    if proof["version"] > 1:
        content += bytes([len(commitment["cuts"]), *commitment["cuts"]])
    if proof["version"] > 2:
        content += bytes([commitment["dice"]])
    follows = _hash(proof, "root", content).hex()
    if commitment["root"] != follows:
        problems.append(f"commitment.root: expected {follows} from what it commits to, got {commitment['root']}")
    if root is not None and commitment["root"] != root:
        problems.append(f"commitment.root: expected {root} as it was published, got {commitment['root']}")
    return problems


def _share_problems(proof: Document) -> list[str]:
    """Return where links and nonces are not what was pledged; the first protocol had no links."""
    problems = []
    pledged = {one["seat"]: one["commitment"] for one in proof["commitment"]["seats"]}
    for name, what in (("links", "link"), ("reveals", "nonce")):
        shares = proof.get(name, [])
        if not _rising([one["seat"] for one in shares]):
            problems.append(f"{name}: expected each seat once, in rising order, got another list")
        for at, one in enumerate(shares):
            share = bytes.fromhex(one[what])
            if what == "nonce" and proof["version"] > 1:
                share = _hash(proof, "link", share)
            follows = _hash(proof, "seat", _id(proof) + bytes([one["seat"]]) + share).hex()
            if pledged.get(one["seat"]) != follows:
                problems.append(f"{name}[{at}]: expected what seat {one['seat']} committed to, got another {what}")
    told = [one["seat"] for one in proof["reveals"]]
    silent = [seat for seat in pledged if seat not in told]
    if proof["unrevealed"] != silent:
        problems.append(f"unrevealed: expected the seats {silent}, got {proof['unrevealed']}")
    return problems


def _left_out_problems(proof: Document) -> list[str]:
    """Return what a house left out or added that knew the nonces, and so chose among decks; a void chooses none.

    By the first protocol a deck was dealt without the nonces of silent seats: its proofs name them, and prove less.
    """
    if proof["version"] == 1:
        return []
    problems = []
    pledged = [one["seat"] for one in proof["commitment"]["seats"]]
    linked, told = ([one["seat"] for one in proof[name]] for name in ("links", "reveals"))
    is_void, thrown = proof.get("outcome") == "void", len(proof["throws"])
    due = proof["commitment"].get("dice", thrown)
    if thrown > due or (thrown < due and not is_void):
        problems.append(f"throws: expected {due} as the commitment says, got {thrown}")
    if thrown and linked != pledged:
        problems.append(f"links: expected those of all seats that pledged, {pledged}, got those of {linked}")
    if linked and not thrown and (not is_void or proof["commitment"].get("dice") == 0):
        problems.append(f"links: expected none where no dice are thrown, got those of {linked}")
    if told != pledged and not is_void:
        problems.append(f"reveals: expected the nonces of all seats that pledged, {pledged}, got those of {told}")
    return problems


def _deck_problems(proof: Document) -> list[str]:
    problems: list[str] = []
    faces = [card["face"] for card in proof["cards"]]
    if not faces:
        return problems  # the secret was lost: there is nothing more to check, and everyone can see it
    if sorted(faces) != sorted(FACES):
        problems.append("cards: expected each of the 52 faces once, got another deck")
    level = [_leaf(proof, at, card) for at, card in enumerate(proof["cards"])]
    if proof["version"] > 1:
        level.append(_hash(proof, "dice", bytes.fromhex(proof["dice_salt"])))
    level += [_hash(proof, "pad", b"")] * (64 - len(level))
    while len(level) > 1:
        level = [_hash(proof, "node", level[at] + level[at + 1]) for at in range(0, len(level), 2)]
    if proof["commitment"]["merkle"] != level[0].hex():
        problems.append(f"cards: expected the deck of {proof['commitment']['merkle']}, got that of {level[0].hex()}")
    problems += _throw_problems(proof)
    if proof["outcome"] == "dealt":
        follows = [faces[card] for card in _dealt(proof)]
        for at, (wanted, got) in enumerate(zip(follows, proof["order"], strict=True)):
            if wanted != got:
                problems.append(f"order[{at}]: expected {wanted} from the cards and the nonces, got {got}")
    return problems


def _throw_problems(proof: Document) -> list[str]:
    if proof["version"] == 1:
        return []
    return [
        f"throws[{at}]: expected {thrown} from the dice salt and the links, got {shown}"
        for at, (thrown, shown) in enumerate(zip(_throws(proof), proof["throws"], strict=True))
        if thrown != shown
    ]


def _card_problems(proof: Document) -> list[str]:
    problems = []
    leaf = _dealt(proof)[proof["place"]]
    if proof["leaf"] != leaf:
        problems.append(f"leaf: expected {leaf} at place {proof['place']}, got {proof['leaf']}")
    problems += _path_problems(proof, "path", proof["leaf"], _leaf(proof, proof["leaf"], proof))
    if proof["version"] > 2 and proof["throws"]:
        problems += _path_problems(proof, "dice_path", 52, _hash(proof, "dice", bytes.fromhex(proof["dice_salt"])))
        problems += _throw_problems(proof)
    return problems


def _path_problems(proof: Document, name: str, at: int, digest: bytes) -> list[str]:
    """Return whether a leaf's path does not arrive at the top of the tree."""
    for other in map(bytes.fromhex, proof[name]):
        digest = _hash(proof, "node", other + digest if at % 2 else digest + other)
        at //= 2
    merkle = proof["commitment"]["merkle"]
    return [] if merkle == digest.hex() else [f"{name}: expected to arrive at {merkle}, got to {digest.hex()}"]


def _hash(proof: Document, what: str, content: bytes) -> bytes:
    protocol = min(proof["version"], 2)  # the third differs from the second by what its root binds
    return sha256(f"letitride/fair/{protocol}/{what}\0".encode() + content).digest()


def _id(proof: Document) -> bytes:
    commitment = proof["commitment"]
    table = commitment["table"].encode()
    numbers = commitment["round"].to_bytes(8, "big") + commitment["shuffle"].to_bytes(4, "big")
    return _hash(proof, "id", bytes([len(table)]) + table + numbers)


def _leaf(proof: Document, number: int, card: Document) -> bytes:
    return _hash(proof, "leaf", bytes([number]) + bytes.fromhex(card["salt"]) + card["face"].encode())


def _listed(shares: list[Document], what: str) -> bytes:
    """Return how many there are, then each seat with what it gave."""
    return bytes([len(shares)]) + b"".join(bytes([one["seat"]]) + bytes.fromhex(one[what]) for one in shares)


def _stream(proof: Document, key: bytes) -> Iterator[int]:
    """Yield the octets that follow from a key, without end."""
    for block in count():
        yield from _hash(proof, "stream", key + block.to_bytes(8, "big"))


def _throws(proof: Document) -> list[list[int]]:
    """Return as many throws of the dice as there were; what no die shows is thrown away."""
    root, salt = proof["commitment"]["root"], proof["dice_salt"]
    octets = _stream(proof, _hash(proof, "throw", bytes.fromhex(root + salt) + _listed(proof["links"], "link")))
    dice = (octet % 8 + 1 for octet in octets if octet % 8 < 6)
    return [[next(dice), next(dice), next(dice)] for _ in proof["throws"]]


def _dealt(proof: Document) -> list[int]:
    """Return, for each place of the deck as it was dealt, the number of the house's card that lay there."""
    content = bytes.fromhex(proof["commitment"]["root"])
    if proof["version"] > 1:
        content += bytes([len(proof["throws"]), *(die for dice in proof["throws"] for die in dice)])
        content += _listed(proof["links"], "link")
    octets = _stream(proof, _hash(proof, "key", content + _listed(proof["reveals"], "nonce")))
    order = list(range(52))
    for top in range(51, 0, -1):
        size = 2 ** len(f"{top:b}")
        # What is too large is thrown away: a remainder would favor the low places.
        other = next(octet % size for octet in octets if octet % size <= top)
        order[top], order[other] = order[other], order[top]
    for cut in proof["commitment"].get("cuts", []):
        order = order[cut:] + order[:cut]
    return order


def _rising(numbers: list[int]) -> bool:
    return numbers == sorted(set(numbers))


# What a document has to look like: an object with just these fields, a list with a least and a greatest length, one of
# some values, a range of whole numbers, so many bytes in hexadecimal digits, or a text of so many bytes at most.
_SEAT = range(1, 256)
_DIGEST = ("hex", 32)
_FACE = ("one of", FACES)
_COMMITMENT: Any = {
    "table": ("text", 255),
    "round": range(1, 2**63),
    "shuffle": range(1, 2**31),
    "merkle": _DIGEST,
    "seats": [{"seat": _SEAT, "commitment": _DIGEST}, 0, 255],
    "root": _DIGEST,
}
_SHARES: Any = {"reveals": [{"seat": _SEAT, "nonce": _DIGEST}, 0, 255], "unrevealed": [_SEAT, 0, 255]}
_CUT: Any = {**_COMMITMENT, "cuts": [range(1, 52), 0, 255]}
_THROWN: Any = {
    "links": [{"seat": _SEAT, "link": _DIGEST}, 0, 255],
    "throws": [[range(1, 7), 3, 3], 0, 1],
    **_SHARES,
}
_PUBLIC: dict[int, Any] = {
    1: {"version": range(1, 2), "commitment": _COMMITMENT, **_SHARES},
    2: {"version": range(2, 3), "commitment": _CUT, **_THROWN},
    3: {"version": range(3, 4), "commitment": {**_CUT, "dice": range(2)}, **_THROWN},
}
_CARD = {"place": range(52), "leaf": range(52), "face": _FACE, "salt": _DIGEST, "path": [_DIGEST, 6, 6]}
_CARDS = {"face": _FACE, "salt": _DIGEST}
_DEALT = {"cards": [_CARDS, 52, 52], "order": [_FACE, 52, 52]}
_VOID = {"cards": [_CARDS, 52, 52], "reason": ("text", 2_000)}
_LOST = {"cards": [_CARDS, 0, 0], "reason": ("text", 2_000)}


def _shape(document: object) -> list[str]:
    """Return what a document lacks before anything can be computed from it."""
    if not isinstance(document, dict):
        return [f"the proof: expected an object, got {_show(document)}"]
    version = document.get("version")
    if type(version) is not int or version not in _PUBLIC:
        return [f"version: expected 1, 2 or 3, got {_show(version)}"]
    if document.get("format") == CARD_FORMAT:
        known = {"format": ("one of", [CARD_FORMAT]), **_PUBLIC[version], **_CARD}
        if version > 2:
            thrown = document.get("throws") != []
            known |= {"dice_salt": ("hex", 32 * thrown), "dice_path": [_DIGEST, 6 * thrown, 6 * thrown]}
        return _look(document, known, "the proof")
    lost = document.get("cards") == []
    known = {"format": ("one of", [FORMAT]), **_PUBLIC[version], "outcome": ("one of", ["dealt", "void"])}
    known |= _DEALT if document.get("outcome") != "void" else _LOST if lost else _VOID
    if version > 1:
        known["dice_salt"] = ("hex", 32 * (document.get("outcome") != "void" or not lost))
    return _look(document, known, "the proof")


def _look(value: Any, known: Any, where: str) -> list[str]:
    if isinstance(known, dict):
        if not isinstance(value, dict) or set(value) != set(known):
            got = ", ".join(map(_show, list(value)[:20])) if isinstance(value, dict) else _show(value)
            return [f"{where}: expected the fields {', '.join(known)}, got {got or 'none'}"]
        inside = "" if where == "the proof" else f"{where}."
        return [problem for name in known for problem in _look(value[name], known[name], inside + name)]
    if isinstance(known, list):
        item, least, most = known
        if not isinstance(value, list) or not least <= len(value) <= most:
            got = f"{len(value)}" if isinstance(value, list) else _show(value)
            return [f"{where}: expected a list of {least} to {most}, got {got}"]
        return [problem for at, one in enumerate(value) for problem in _look(one, item, f"{where}[{at}]")]
    expected = _value_expected(value, known)
    return [f"{where}: expected {expected}, got {_show(value)}"] if expected else []


def _value_expected(value: Any, known: Any) -> str:
    """Return what was expected instead of a value; empty where it may stand."""
    if isinstance(known, range):
        # In Python True equals 1, and so does 1.0; a document means whole numbers.
        return "" if type(value) is int and value in known else f"a whole number from {known[0]} to {known[-1]}"
    kind, detail = known
    if kind == "one of":
        return "" if isinstance(value, str) and value in detail else " or ".join(detail[:2]) + " …" * (len(detail) > 2)
    if kind == "hex":
        # Small digits only, so that every content has one spelling.
        good = isinstance(value, str) and len(value) == 2 * detail and set(value) <= set("0123456789abcdef")
        return "" if good else f"{detail or 'no'} bytes in small hexadecimal digits"
    good = isinstance(value, str) and not any("\ud800" <= sign <= "\udfff" for sign in value)
    return "" if good and 1 <= len(value.encode()) <= detail else f"a text of 1 to {detail} bytes"


def _show(value: object) -> str:
    if isinstance(value, str):
        return repr(value[:80])
    if value is None or isinstance(value, bool | float) or (isinstance(value, int) and abs(value) < 2**80):
        return repr(value)
    return "a list" if isinstance(value, list) else "an object" if isinstance(value, dict) else "something else"


def read(text: str) -> Document:
    """Return the document of a text; ValueError where it is none, so that this file needs no other."""
    try:
        found = json.loads(text, object_pairs_hook=_fields)
    except RecursionError:
        raise ValueError("expected a proof in JSON, got lists within lists without end") from None
    except ValueError as error:
        raise ValueError(f"expected a proof in JSON, got something else: {error}") from None
    if not isinstance(found, dict):
        raise ValueError(f"expected a proof, which is a JSON object, got {_show(found)}")  # noqa: TRY004 - it was text
    return found


def _fields(pairs: list[tuple[str, Any]]) -> Document:
    found = dict(pairs)
    if len(found) != len(pairs):  # two readers could take different ones
        raise ValueError("a field comes twice in one object")
    return found


def main(words: list[str]) -> int:
    """Check the file that is named, and say what is wrong."""
    if not 1 <= len(words) <= 2:
        sys.stderr.write("expected: proof.py FILE [ROOT]\n")
        return 2
    try:
        with open(words[0], encoding="utf-8-sig") as file:  # noqa: PTH123 - pathlib is one thing more to trust
            document = read(file.read())
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{words[0]}: {error}\n")
        return 2
    problems = verify(document, *words[1:])
    sys.stdout.write("\n".join(problems) + "\n" if problems else "the proof holds\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
