"""Factor records: what is kept of a person's second factor, and how it is refused; they check no code."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

import msgspec

from letitride.errors import InvalidData
from letitride.server.runtime.requests import NotNow

KIND: Final = "factor"
OWNERS: Final = "passkey"
"""Whose a passkey is, by the hash of its id."""


class Passkey(msgspec.Struct, frozen=True, kw_only=True):
    """A passkey of a person's; its secret never leaves their device."""

    id: str
    """As browsers write it."""
    name: str
    key: str
    """The public key, in hexadecimal digits."""
    count: int
    """How often it was used, as far as it says so."""
    added_ms: int
    used_ms: int = 0


class FactorRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A person's second factor."""

    app: str = ""
    """The secret of the authenticator app, sealed by the house's key; empty: there is none."""
    app_since_ms: int = 0
    app_step: int = 0
    """The time step of the last code that was accepted: it and all before it are used up."""
    draft: str = ""
    """The sealed secret of an app that no code has confirmed yet."""
    draft_until_ms: int = 0
    recovery: tuple[str, ...] = ()
    """The hashes of the recovery codes that are left."""
    passkeys: tuple[Passkey, ...] = ()

    @property
    def is_set(self) -> bool:
        """Whether a sign-in asks for it."""
        return bool(self.app or self.passkeys)


class FactorWanted(InvalidData):
    """A password that was right, for an account that signs in with a second factor as well."""

    code = "second_factor"

    def __init__(self, token: str) -> None:
        super().__init__(
            "expected a second factor after the password: send the code of your app, or a recovery code, to"
            " POST /api/login/code, or use a passkey"
        )
        self.token = token
        """Says which sign-in it is that waits; a secret of its browser."""


class SignInAgain(NotNow):
    """A second factor for a sign-in that does not wait for one."""

    code = "sign_in_again"

    def __init__(self) -> None:
        super().__init__(
            "expected a sign-in waiting for its second factor, got none: it may have expired, so enter your password"
            " again"
        )


class FactorNeeded(NotNow):
    """The last factor of a person whose role needs one."""

    code = "factor_needed"

    def __init__(self) -> None:
        super().__init__(
            "expected an account that may do without a second factor, got one whose role requires it: set up another"
            " first"
        )


class FactorAgain(InvalidData):
    """Something that moves money or gives roles, asked for too long after the second factor was given."""

    code = "factor_again"


class FactorFirst(InvalidData):
    """Anything that is asked for in a session without the second factor that the house wants of a role."""

    code = "factor_first"

    def __init__(self) -> None:
        super().__init__(
            "expected a second factor, which this house requires for your role, got a sign-in without one: set it"
            " up with POST /api/me/factors/app, or give its code to POST /api/me/factors/proof"
        )


class WrongPasskey(InvalidData):
    """A passkey that is not known here, or an answer of one that does not fit its question."""

    code = "passkey_wrong"


class WrongCode(InvalidData):
    """A code that is not the app's and not a recovery code, or that was used before."""


def owner_id(passkey_id: str) -> str:
    """Return under which id it is kept whose a passkey is."""
    return sha256(f"letitride-passkey/1/{passkey_id}".encode(errors="replace")).hexdigest()
