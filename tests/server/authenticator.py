"""Authenticator: a device with passkeys, as WebAuthn wants it, made of keys alone; a test may have it lie."""

from __future__ import annotations

import base64
import json
import secrets
import struct
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

PRESENT, VERIFIED, NEW = 0x01, 0x04, 0x40


def text(content: bytes) -> str:
    """Octets as browsers write them."""
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


@dataclass
class Authenticator:
    """One device with one passkey."""

    origin: str
    rp_id: str
    verifies: bool = True
    count: int = 0
    id: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def make(self, options: str) -> str:
        """Answer for a new passkey."""
        public = self.key.public_key().public_numbers()
        cose = {1: 2, 3: -7, -1: 1, -2: public.x.to_bytes(32, "big"), -3: public.y.to_bytes(32, "big")}
        attested = bytes(16) + struct.pack(">H", len(self.id)) + self.id + cbor2.dumps(cose)
        data = {"fmt": "none", "attStmt": {}, "authData": self._data(NEW) + attested}
        client = self._client("webauthn.create", options)
        return self._answer({"attestationObject": text(cbor2.dumps(data)), "clientDataJSON": text(client)})

    def sign(self, options: str) -> str:
        """Answer the question of a sign-in."""
        self.count += 1
        data, client = self._data(), self._client("webauthn.get", options)
        signature = self.key.sign(data + sha256(client).digest(), ec.ECDSA(SHA256()))
        said = {"authenticatorData": text(data), "clientDataJSON": text(client), "signature": text(signature)}
        return self._answer(said)

    def _data(self, flags: int = 0) -> bytes:
        flags |= PRESENT | (VERIFIED if self.verifies else 0)
        return sha256(self.rp_id.encode()).digest() + struct.pack(">BI", flags, self.count)

    def _client(self, kind: str, options: str) -> bytes:
        challenge = json.loads(options)["challenge"]
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _answer(self, said: dict[str, Any]) -> str:
        return json.dumps({"id": text(self.id), "rawId": text(self.id), "type": "public-key", "response": said})
