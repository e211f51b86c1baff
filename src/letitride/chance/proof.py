"""Proof: says what is wrong with the proof of a fair shuffle; never uses a line of the code that made it.

It needs Python alone, without letitride: `python proof.py FILE`. docs/fairness.md tells the same in words. Exit codes:
0 the proof holds, 1 it does not, 2 it cannot be read.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from typing import Any

FORMAT = "letitride-fair-proof"
CARD_FORMAT = "letitride-fair-card"
VERSION = 1
FACES = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


Document = dict[str, Any]
"""A proof as JSON has it, from this house or from a stranger; `verify` checks every field before it is read."""


def verify(document: object, root: str | None = None) -> list[str]:
    """Return what is wrong with a proof, the first thing first; nothing where it holds.

    `root` is the one you noted before betting closed. Without it you learn that the document agrees with itself.
    """
    if problems := _shape(document):
        return problems
    proof: Document = document  # type: ignore[assignment]  # _shape checked it
    problems = _commitment_problems(proof["commitment"], root) + _reveal_problems(proof)
    if proof["format"] == CARD_FORMAT:
        return problems + _card_problems(proof)
    return problems + _deck_problems(proof)


def _commitment_problems(commitment: Document, root: str | None) -> list[str]:
    problems = []
    if not _rising([one["seat"] for one in commitment["seats"]]):
        problems.append("commitment.seats: expected each seat once, in rising order, got another list")
    pledges = b"".join(bytes([one["seat"]]) + bytes.fromhex(one["commitment"]) for one in commitment["seats"])
    seats = bytes([len(commitment["seats"])]) + pledges
    follows = _hash("root", _id(commitment) + bytes.fromhex(commitment["merkle"]) + seats).hex()
    if commitment["root"] != follows:
        problems.append(f"commitment.root: expected {follows} from what it commits to, got {commitment['root']}")
    if root is not None and commitment["root"] != root:
        problems.append(f"commitment.root: expected {root} as it was published, got {commitment['root']}")
    return problems


def _reveal_problems(proof: Document) -> list[str]:
    problems = []
    pledged = {one["seat"]: one["commitment"] for one in proof["commitment"]["seats"]}
    told = [one["seat"] for one in proof["reveals"]]
    if not _rising(told):
        problems.append("reveals: expected each seat once, in rising order, got another list")
    for at, one in enumerate(proof["reveals"]):
        follows = _hash("seat", _id(proof["commitment"]) + bytes([one["seat"]]) + bytes.fromhex(one["nonce"])).hex()
        if pledged.get(one["seat"]) != follows:
            problems.append(f"reveals[{at}]: expected what seat {one['seat']} committed to, got another nonce")
    silent = [seat for seat in pledged if seat not in told]
    if proof["unrevealed"] != silent:
        problems.append(f"unrevealed: expected the seats {silent}, got {proof['unrevealed']}")
    return problems


def _deck_problems(proof: Document) -> list[str]:
    problems: list[str] = []
    faces = [card["face"] for card in proof["cards"]]
    if proof["outcome"] == "void" and not faces:
        return problems  # the secret was lost: there is nothing more to check, and everyone can see it
    if sorted(faces) != sorted(FACES):
        problems.append("cards: expected each of the 52 faces once, got another deck")
    level = [_leaf(at, card["salt"], card["face"]) for at, card in enumerate(proof["cards"])]
    level += [_hash("pad", b"")] * (64 - len(level))
    while len(level) > 1:
        level = [_hash("node", level[at] + level[at + 1]) for at in range(0, len(level), 2)]
    if proof["commitment"]["merkle"] != level[0].hex():
        problems.append(f"cards: expected the deck of {proof['commitment']['merkle']}, got that of {level[0].hex()}")
    if proof["outcome"] == "dealt":
        follows = [faces[card] for card in _sigma(proof)]
        for at, (wanted, got) in enumerate(zip(follows, proof["order"], strict=True)):
            if wanted != got:
                problems.append(f"order[{at}]: expected {wanted} from the cards and the nonces, got {got}")
    return problems


def _card_problems(proof: Document) -> list[str]:
    problems = []
    leaf = _sigma(proof)[proof["place"]]
    if proof["leaf"] != leaf:
        problems.append(f"leaf: expected {leaf} at place {proof['place']}, got {proof['leaf']}")
    digest, at = _leaf(proof["leaf"], proof["salt"], proof["face"]), proof["leaf"]
    for other in map(bytes.fromhex, proof["path"]):
        digest = _hash("node", other + digest if at % 2 else digest + other)
        at //= 2
    if proof["commitment"]["merkle"] != digest.hex():
        problems.append(f"path: expected to arrive at {proof['commitment']['merkle']}, got to {digest.hex()}")
    return problems


def _hash(what: str, content: bytes) -> bytes:
    return sha256(b"letitride/fair/1/" + what.encode() + b"\0" + content).digest()


def _id(commitment: Document) -> bytes:
    table = commitment["table"].encode()
    numbers = commitment["round"].to_bytes(8, "big") + commitment["shuffle"].to_bytes(4, "big")
    return _hash("id", bytes([len(table)]) + table + numbers)


def _leaf(number: int, salt: str, face: str) -> bytes:
    return _hash("leaf", bytes([number]) + bytes.fromhex(salt) + face.encode())


def _sigma(proof: Document) -> list[int]:
    """Return, for each place of the deck, the number of the house's card that lies there."""
    nonces = b"".join(bytes([one["seat"]]) + bytes.fromhex(one["nonce"]) for one in proof["reveals"])
    key = _hash("key", bytes.fromhex(proof["commitment"]["root"]) + bytes([len(proof["reveals"])]) + nonces)
    sigma, octets, block = list(range(52)), b"", 0
    for top in range(51, 0, -1):
        bits = len(f"{top:b}")
        other = 64
        while other > top:  # what is too large is thrown away: a remainder would favour the low places
            if not octets:
                octets, block = _hash("stream", key + block.to_bytes(8, "big")), block + 1
            other, octets = octets[0] % 2**bits, octets[1:]
        sigma[top], sigma[other] = sigma[other], sigma[top]
    return sigma


def _rising(numbers: list[int]) -> bool:
    return numbers == sorted(set(numbers))


# What a document has to look like: an object with just these fields, a list with a least and a greatest length, one of
# some values, a range of whole numbers, so many bytes in hexadecimal digits, or a text of so many bytes at most.
_SEAT = range(1, 256)
_DIGEST = ("hex", 32)
_FACE = ("one of", FACES)
_PUBLIC = {
    "version": range(VERSION, VERSION + 1),
    "commitment": {
        "table": ("text", 255),
        "round": range(1, 2**63),
        "shuffle": range(1, 2**31),
        "merkle": _DIGEST,
        "seats": [{"seat": _SEAT, "commitment": _DIGEST}, 0, 255],
        "root": _DIGEST,
    },
    "reveals": [{"seat": _SEAT, "nonce": _DIGEST}, 0, 255],
    "unrevealed": [_SEAT, 0, 255],
}
_CARD = {"place": range(52), "leaf": range(52), "face": _FACE, "salt": _DIGEST, "path": [_DIGEST, 6, 6]}
_CARDS = {"face": _FACE, "salt": _DIGEST}
_DEALT = {"cards": [_CARDS, 52, 52], "order": [_FACE, 52, 52]}
_VOID = {"cards": [_CARDS, 0, 52], "reason": ("text", 2_000)}


def _shape(document: object) -> list[str]:
    """Return what a document lacks before anything can be computed from it."""
    if not isinstance(document, dict):
        return [f"the proof: expected an object, got {_show(document)}"]
    if document.get("format") == CARD_FORMAT:
        return _look(document, {"format": ("one of", [CARD_FORMAT]), **_PUBLIC, **_CARD}, "the proof")
    outcome = _VOID if document.get("outcome") == "void" else _DEALT
    known = {"format": ("one of", [FORMAT]), **_PUBLIC, "outcome": ("one of", ["dealt", "void"]), **outcome}
    problems = _look(document, known, "the proof")
    if not problems and len(document["cards"]) not in {0, 52}:
        problems.append(f"cards: expected 52, or none that were lost, got {len(document['cards'])}")
    return problems


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
        return "" if good else f"{detail} bytes in small hexadecimal digits"
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
