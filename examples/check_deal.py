"""Check deal: whether the proof of a deck holds, without letitride: `python check_deal.py [ROOT YOU NOTED] < FILE`."""

import json
import sys
from hashlib import sha256


def h(name, *parts):
    return sha256(f"letitride/fair/2/{name}\0".encode() + b"".join(parts)).digest()


def stream(key):
    return (byte for block in range(10**6) for byte in h("stream", key, block.to_bytes(8, "big")))


raw, proof, held, order = bytes.fromhex, json.load(sys.stdin), {}, list(range(52))
deal, throws, cards, void = proof["commitment"], proof["throws"], proof["cards"], proof["outcome"] == "void"
name, cuts, dice, faces = deal["table"].encode(), deal["cuts"], deal.get("dice", 9), [card["face"] for card in cards]
lists = [(deal["seats"], "commitment"), (proof["links"], "link"), (proof["reveals"], "nonce")]
seats, links, nonces = all_ = [{one["seat"]: raw(one[what]) for one in some} for some, what in lists]
told = [bytes([len(one)]) + b"".join(bytes([seat]) + one[seat] for seat in one) for one in all_]
id_ = h("id", bytes([len(name)]), name, deal["round"].to_bytes(8, "big"), deal["shuffle"].to_bytes(4, "big"))
root = h("root", id_, raw(deal["merkle"]), told[0], bytes([len(cuts), *cuts, dice]))
held["root"] = root.hex() == deal["root"] == (sys.argv[1] if sys.argv[1:] else deal["root"])
held["version"] = (proof["format"], proof["version"]) == ("letitride-fair-proof", 3)
held["fields"] = len(proof) == 11 and proof["outcome"] in {"dealt", "void"} and proof["reason" if void else "order"]
held["digests"] = all(len(one) == 32 for some in (*all_, {0: raw(deal["merkle"])}) for one in some.values())
held["cuts"] = dice in {0, 1} and all(0 < cut < 52 for cut in cuts)
shares = [*links.items(), *((seat, h("link", nonce)) for seat, nonce in nonces.items())]
held["shares"] = all(seats.get(seat) == h("seat", id_, bytes([seat]), link) for seat, link in shares)
held["seats"] = all([one["seat"] for one in some] == sorted(each) for (some, _), each in zip(lists, all_, strict=True))
held["reveals"] = proof["unrevealed"] == (silent := [at for at in seats if at not in nonces]) and (void or not silent)
held["throws"] = (len(throws) == dice and [*links] == [*seats] * dice) or (void and not throws and (dice or not links))
if cards or not void:  # else the house has lost the deck, and says so
    held["cards"] = sorted(faces) == sorted(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")
    level = [h("leaf", bytes([at]), raw(card["salt"]), card["face"].encode()) for at, card in enumerate(cards)]
    level += [h("dice", raw(proof["dice_salt"])), *[h("pad")] * 11]
    while len(level) > 1:
        level = [h("node", *level[at : at + 2]) for at in range(0, len(level), 2)]
    held["deck"] = level[0].hex() == deal["merkle"]
    die = (byte % 8 + 1 for byte in stream(h("throw", root, raw(proof["dice_salt"]), told[1])) if byte % 8 < 6)
    held["dice"] = throws == [[next(die), next(die), next(die)] for _ in throws]
if not void:
    octets = stream(h("key", root, bytes([len(throws)]), *map(bytes, throws), told[1], told[2]))
    for top in range(51, 0, -1):
        at = next(low for low in (byte % 2 ** top.bit_length() for byte in octets) if low <= top)
        order[top], order[at] = order[at], order[top]
    held["order"] = proof["order"] == [faces[order[(place + sum(cuts)) % 52]] for place in range(52)]
wrong = [what for what, holds in held.items() if not holds]
sys.exit(f"The proof does not hold: {', '.join(wrong)}" if wrong else print(f"The proof holds: {proof['outcome']}."))
