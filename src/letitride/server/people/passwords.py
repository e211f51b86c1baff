"""Passwords: hashed with argon2id in threads of their own, and estimated before they are taken; none is kept or shown.

How many tries a password stands is estimated by zxcvbn, which knows the common ones, names, words, dates and keyboards.
"""

from __future__ import annotations

import asyncio
import secrets
from base64 import b64encode
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from argon2.low_level import ARGON2_VERSION
from zxcvbn_rs_py import zxcvbn

from letitride.errors import InvalidData

PASSWORD_MIN: Final = 10
STRENGTH_MIN: Final = 3
"""Of 0 to 4: a hundred million tries, which is out of reach through a door that makes its guests wait."""
ESTIMATED_MAX: Final = 64
"""So many characters are looked at: the estimate takes longer the longer they are."""
HASHES_AT_ONCE: Final = 2
"""One hash takes 64 MiB and all of a core."""
OWN_WORDS: Final = ("letitride", "let it ride", "casino", "poker")


class Passwords:
    """Hashes passwords and checks them, a few at a time."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher()
        self._hashing = asyncio.Semaphore(HASHES_AT_ONCE)
        self._nobody = _decoy_hash(self._hasher)

    async def hash(self, password: str, name: str) -> str:
        """Return what is kept of a new password; one that is easy to guess is refused."""
        if len(password) < PASSWORD_MIN:
            raise InvalidData(
                f"expected a password of {PASSWORD_MIN} characters or more, got {len(password)}",
                code="password_short",
                characters=len(password),
            )
        async with self._hashing:
            if await asyncio.to_thread(is_weak, password, name):
                raise InvalidData(
                    "expected a password that is hard to guess, got one that takes only a few tries: choose"
                    " several unrelated words",
                    code="password_weak",
                )
            return await asyncio.to_thread(self._hasher.hash, password)

    async def verify(self, hashed: str, password: str) -> bool:
        """Whether a password is right; where there is nothing to compare it with, it takes as long."""

        def verify() -> bool:
            try:
                self._hasher.verify(hashed or self._nobody, password)
            except VerificationError:
                return False
            return bool(hashed)

        async with self._hashing:
            return await asyncio.to_thread(verify)


def is_weak(password: str, name: str) -> bool:
    """Whether a person's password is too easy to guess."""
    estimate = zxcvbn(password[:ESTIMATED_MAX], [name, *OWN_WORDS])
    return len(password) < PASSWORD_MIN or int(estimate.score) < STRENGTH_MIN


def _decoy_hash(hasher: PasswordHasher) -> str:
    """Return a hash that no password is known for: checked against it, one takes as long as against any other."""
    salt, digest = (
        b64encode(secrets.token_bytes(size)).decode().rstrip("=") for size in (hasher.salt_len, hasher.hash_len)
    )
    costs = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    return f"$argon2id$v={ARGON2_VERSION}${costs}${salt}${digest}"
