"""Check deal: whether the proof of a deck holds, without letitride: `python check_deal.py [ROOT YOU NOTED] < FILE`."""

import json
import sys
from hashlib import sha256


def h(name, *parts):
    return sha256(f"letitride/fair/2/{name}\0".encode() + b"".join(parts)).digest()


def listed(shares, field):
    return bytes([len(shares)]) + b"".join(bytes([one["seat"]]) + raw(one[field]) for one in shares)


def stream(key):
    return (byte for block in range(10**6) for byte in h("stream", key, block.to_bytes(8, "big")))


raw, proof, held = bytes.fromhex, json.load(sys.stdin), {}
deal, links, reveals, throws = proof["commitment"], proof["links"], proof["reveals"], proof["throws"]
name, cuts, seats = deal["table"].encode(), deal["cuts"], {one["seat"]: one["commitment"] for one in deal["seats"]}
id_ = h("id", bytes([len(name)]), name, deal["round"].to_bytes(8, "big"), deal["shuffle"].to_bytes(4, "big"))
root = h("root", id_, raw(deal["merkle"]), listed(deal["seats"], "commitment"), bytes([len(cuts), *cuts]))
held["root"] = root.hex() == deal["root"] == (sys.argv[1] if sys.argv[1:] else deal["root"])
shares = [(s["seat"], raw(s["link"])) for s in links] + [(s["seat"], h("link", raw(s["nonce"]))) for s in reveals]
held["shares"] = all(seats.get(seat) == h("seat", id_, bytes([seat]), link).hex() for seat, link in shares)
lists = [[one["seat"] for one in many] for many in (deal["seats"], links, reveals)]
held["seats"] = all(many == sorted(set(many)) for many in lists)
held["unrevealed"] = proof["unrevealed"] == [seat for seat in seats if seat not in lists[2]]
if proof["outcome"] != "void" or proof["cards"]:  # else the house has lost the deck, and says so
    faces, salt = [card["face"] for card in proof["cards"]], raw(proof["dice_salt"])
    held["cards"] = sorted(faces) == sorted(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")
    level = [h("leaf", bytes([at]), raw(one["salt"]), one["face"].encode()) for at, one in enumerate(proof["cards"])]
    level += [h("dice", salt), *[h("pad")] * 11]
    while len(level) > 1:
        level = [h("node", *level[at : at + 2]) for at in range(0, len(level), 2)]
    held["deck"] = level[0].hex() == deal["merkle"]
    dice = (byte % 8 + 1 for byte in stream(h("throw", root, salt, listed(links, "link"))) if byte % 8 < 6)
    held["dice"] = throws == [[next(dice), next(dice), next(dice)] for _ in throws]
if proof["outcome"] != "void":
    thrown, order = bytes([len(throws), *(die for three in throws for die in three)]), list(range(52))
    octets = stream(h("key", root, thrown, listed(links, "link"), listed(reveals, "nonce")))
    for top in range(51, 0, -1):
        at = next(low for low in (byte % 2 ** top.bit_length() for byte in octets) if low <= top)
        order[top], order[at] = order[at], order[top]
    top = sum(cuts) % 52
    held["order"] = proof["order"] == [faces[card] for card in order[top:] + order[:top]]
wrong = [what for what, holds in held.items() if not holds]
sys.exit(f"The proof does not hold: {', '.join(wrong)}" if wrong else print("The proof holds."))
