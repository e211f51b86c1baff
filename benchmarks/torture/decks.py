"""Decks: every shuffle that clients hear of, their part in it, and whether each comes to exactly one public end."""

from __future__ import annotations

import secrets
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from benchmarks.torture import proof_check
from benchmarks.torture.history import History
from benchmarks.torture.ledger import Ledger

Key = tuple[str, int, int]
"""Table, round, shuffle."""


@dataclass(slots=True)
class Heard:
    """What clients were told of one deck before its end."""

    merkle: str = ""
    roots: set[str] = field(default_factory=set)
    ends: int = 0
    published: dict[tuple[int, str], str] = field(default_factory=dict)
    """The shares that the house has published: by seat and kind."""
    proof: dict[str, Any] | None = None


@dataclass
class Decks:
    """All decks of a run."""

    history: History
    heard: dict[Key, Heard] = field(default_factory=dict)
    nonces: dict[tuple[Key, int], bytes] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)

    def hear(self, seat: int, message: dict[str, Any]) -> dict[str, Any] | None:
        """Take a message about a deck in, and return what the seat says to it."""
        key = (message["table"], message["round"], message["shuffle"])
        deck = self.heard.setdefault(key, Heard())
        match message["type"]:
            case "pledges":
                self._same(key, deck, message.get("merkle", ""))
                if not seat:
                    return None
                nonce = self.nonces.setdefault((key, seat), secrets.token_bytes(32))
                version = 2 if "merkle" in message else 1
                digest = proof_check.pledged(version, proof_check.shuffle_id(version, *key), seat, nonce)
                return _named(message, {"type": "pledge", "digest": digest.hex()})
            case "commitment":
                return self._committed(key, deck, seat, message)
            case "share":
                deck.published[message["seat"], message["what"]] = message["value"]
            case "proof":
                deck.ends += 1
        return None

    def _committed(self, key: Key, deck: Heard, seat: int, message: dict[str, Any]) -> dict[str, Any] | None:
        self._same(key, deck, message["merkle"])
        deck.roots.add(message["root"])
        if len(deck.roots) > 1:
            self.history.lose(f"{_name(key)}: two commitments were published for one deck")
        nonce = self.nonces.get((key, seat))
        if nonce is None or seat not in {one["seat"] for one in message["seats"]}:
            return None
        if message.get("wants") == "link":
            return _named(message, {"type": "link", "link": proof_check.digest(2, "link", nonce).hex()})
        return _named(message, {"type": "reveal", "nonce": nonce.hex()})

    def _same(self, key: Key, deck: Heard, merkle: str) -> None:
        if merkle and deck.merkle and merkle != deck.merkle:
            self.history.lose(f"{_name(key)}: the house has changed its deck after it was announced")
        deck.merkle = deck.merkle or merkle

    def ended(self, key: Key, proof: dict[str, Any]) -> None:
        """Take the published end of a deck in, which stays what it is."""
        deck = self.heard.setdefault(key, Heard())
        if deck.proof is not None:
            if proof != deck.proof:
                self.history.lose(f"{_name(key)}: its end was {deck.proof['outcome']}, then {proof['outcome']}")
            return
        deck.proof = proof
        self.counts["proofs"] += 1
        self.counts[proof["outcome"]] += 1
        self.counts["silent seats"] += len(proof["unrevealed"])
        try:
            wrong = proof_check.check(proof, next(iter(deck.roots), ""))
        except (KeyError, ValueError, TypeError, IndexError, OverflowError) as error:
            wrong = [f"its proof cannot be read: {error!r}"]
        if deck.merkle and proof["commitment"]["merkle"] != deck.merkle:
            wrong.append("its deck is not the one that was announced")
        told = {("nonce", one["seat"]): one["nonce"] for one in proof["reveals"]}
        told |= {("link", one["seat"]): one["link"] for one in proof.get("links", ())}
        for (seat, what), value in deck.published.items():
            if what != "pledge" and told.get((what, seat)) != value:
                wrong.append(f"the {what} of seat {seat} was published and is not in the proof")
        for sentence in wrong:
            self.history.lose(f"{_name(key)}: {sentence}")

    def unproven(self, ledger: Ledger) -> list[Key]:
        """Return the decks whose end has not been asked for yet."""
        every = self.heard.keys() | ledger.shuffles
        return sorted(key for key in every if key not in self.heard or self.heard[key].proof is None)

    def compare(self, ledger: Ledger, *, final: bool = False) -> None:
        """Hold the ends of decks against the journals: what is said to be dealt was dealt, and the other way round."""
        for table, model in ledger.tables.items():
            there = Counter(model.dealt)
            for order, times in self._said(table).items():
                if there[order] < times:
                    self.history.lose(f"{table}: a deck is published as dealt that never was: {' '.join(order[:5])} …")
        if final:
            for sentence in self.unended(ledger):
                self.history.lose(sentence)
        self.counts["open"] = len(self.unproven(ledger))

    def unended(self, ledger: Ledger) -> list[str]:
        """Return what lacks its public end, beyond the decks that may be in use."""
        found, open_now = [], Counter(table for table, _, _ in self.unproven(ledger))
        for table, model in ledger.tables.items():
            if open_now[table] > model.decks:
                found.append(f"{table}: {open_now[table]} decks have no public end; {model.decks} may be in use")
            without = sum((Counter(model.dealt) - self._said(table)).values())
            if without > model.decks:
                found.append(f"{table}: {without} decks were dealt and have no proof; {model.decks} may be in use")
        return found

    def _said(self, table: str) -> Counter[tuple[str, ...]]:
        """Return the orders that are published as dealt at a table."""
        proofs = [deck.proof for key, deck in self.heard.items() if key[0] == table and deck.proof is not None]
        return Counter(tuple(proof["order"]) for proof in proofs if proof["outcome"] == "dealt")


def _named(message: dict[str, Any], share: dict[str, Any]) -> dict[str, Any]:
    """Say to which shuffle a share belongs, where the protocol can have two at once."""
    two = (message["type"] == "pledges" and "merkle" in message) or "wants" in message
    return {**share, "round": message["round"], "shuffle": message["shuffle"]} if two else share


def _name(key: Key) -> str:
    return f"{key[0]}, round {key[1]}, shuffle {key[2]}"
