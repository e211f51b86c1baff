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


raw, proof, held, order = bytes.fromhex, json.load(sys.stdin), {}, list(range(52))
deal, links, reveals, throws = proof["commitment"], proof["links"], proof["reveals"], proof["throws"]
name, seats = deal["table"].encode(), {one["seat"]: one["commitment"] for one in deal["seats"]}
cuts, due, void = deal["cuts"], [deal[key] for key in ("dice",) if key in deal], proof["outcome"] == "void"
id_ = h("id", bytes([len(name)]), name, deal["round"].to_bytes(8, "big"), deal["shuffle"].to_bytes(4, "big"))
root = h("root", id_, raw(deal["merkle"]), listed(deal["seats"], "commitment"), bytes([len(cuts), *cuts, *due]))
held["root"] = root.hex() == deal["root"] == (sys.argv[1] if sys.argv[1:] else deal["root"])
shares = [(s["seat"], raw(s["link"])) for s in links] + [(s["seat"], h("link", raw(s["nonce"]))) for s in reveals]
held["shares"] = all(seats.get(seat) == h("seat", id_, bytes([seat]), link).hex() for seat, link in shares)
pledged, linked, told = all_ = [[one["seat"] for one in many] for many in (deal["seats"], links, reveals)]
held["seats"] = all(many == sorted(set(many)) for many in all_) and (void or told == pledged)
held["unrevealed"] = proof["unrevealed"] == [seat for seat in seats if seat not in told]
held["throws"] = (len(throws) in (due or [0, 1]) and linked == pledged * len(throws)) or (void and not throws)
if not void or proof["cards"]:  # else the house has lost the deck, and says so
    faces, salt, linked = [card["face"] for card in proof["cards"]], raw(proof["dice_salt"]), listed(links, "link")
    held["cards"] = sorted(faces) == sorted(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")
    level = [h("leaf", bytes([at]), raw(one["salt"]), one["face"].encode()) for at, one in enumerate(proof["cards"])]
    level += [h("dice", salt), *[h("pad")] * 11]
    while len(level) > 1:
        level = [h("node", *level[at : at + 2]) for at in range(0, len(level), 2)]
    held["deck"] = level[0].hex() == deal["merkle"]
    dice = (byte % 8 + 1 for byte in stream(h("throw", root, salt, linked)) if byte % 8 < 6)
    held["dice"] = throws == [[next(dice), next(dice), next(dice)] for _ in throws]
if not void:
    octets = stream(h("key", root, bytes([len(throws)]), *map(bytes, throws), linked, listed(reveals, "nonce")))
    for top in range(51, 0, -1):
        at = next(low for low in (byte % 2 ** top.bit_length() for byte in octets) if low <= top)
        order[top], order[at] = order[at], order[top]
    held["order"] = proof["order"] == [faces[order[(place + sum(cuts)) % 52]] for place in range(52)]
wrong = [what for what, holds in held.items() if not holds]
sys.exit(f"The proof does not hold: {', '.join(wrong)}" if wrong else print(f"The proof holds: {proof['outcome']}."))
