"""Vault: what a house keeps under its own key, so that a stolen file tells nothing; it keeps no key anywhere itself."""

from __future__ import annotations

import os
from typing import Final, final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand

from letitride.errors import InvalidData

KEY_SIZE: Final = 32
_NONCE_SIZE: Final = 12


@final
class Vault:
    """Seals and opens by one key (AES-256-GCM); what is sealed for one purpose opens for no other."""

    def __init__(self, key: bytes, *, lasting: bool = True) -> None:
        if len(key) != KEY_SIZE:
            raise InvalidData(f"expected a key of {KEY_SIZE} bytes, got {len(key)}")
        self._key, self._cipher = key, AESGCM(key)
        self.lasting = lasting
        """Whether a later run of the house has the same key."""

    def seal(self, content: bytes, purpose: bytes) -> bytes:
        """Return content that only this key opens, for this purpose."""
        nonce = os.urandom(_NONCE_SIZE)
        return nonce + self._cipher.encrypt(nonce, content, purpose)

    def open(self, sealed: bytes, purpose: bytes) -> bytes | None:
        """Return what was sealed; None where it was by another key, for another purpose, or has been changed."""
        try:
            return self._cipher.decrypt(sealed[:_NONCE_SIZE], sealed[_NONCE_SIZE:], purpose)
        except (InvalidTag, ValueError):
            return None

    def derive(self, name: str) -> bytes:
        """Return the key of one thing by its name: one who is told it learns nothing of this one or of any other."""
        return HKDFExpand(SHA256(), KEY_SIZE, name.encode()).derive(self._key)


def fresh_key() -> bytes:
    """Return a key that was never used before."""
    return os.urandom(KEY_SIZE)
