"""ID tokens: what a sign-in provider says of a person, and whether to believe it; it asks no one and keeps nothing."""

from __future__ import annotations

from typing import Final

import msgspec
from joserfc import jwt
from joserfc.errors import BadSignatureError, InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet

from letitride.errors import InvalidData

ALGORITHMS: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "Ed25519")
"""Signatures by a key that only the provider has: never 'none', and none by a secret that the house has too."""
SKEW_SECONDS: Final = 60
"""How far the provider's clock may be from the house's."""
SUBJECT_MAX: Final = 255
GROUPS_MAX: Final = 1_000
NAMES: Final = ("preferred_username", "nickname", "name", "given_name")
"""The claims that say what a person may be called, the best first."""


class BadToken(InvalidData):
    """A token that is not believed."""


class UnknownKey(BadToken):
    """A token of a key that is not known, or not known any more: the provider may have a new one."""


class Expected(msgspec.Struct, frozen=True, kw_only=True):
    """What a token has to be."""

    issuer: str
    client_id: str
    nonce: str
    """What the house made up for this one sign-in."""
    roles_claim: str = ""
    """The claim that says to which groups a person belongs."""


class IdToken(msgspec.Struct, frozen=True, kw_only=True):
    """What a provider says of a person."""

    issuer: str
    subject: str
    """Who it is: the provider gives it to no one else, and never changes it."""
    names: tuple[str, ...] = ()
    """What the person may be called, the best first."""
    groups: tuple[str, ...] = ()
    proven_s: int = 0
    """When the person last proved to the provider who they are; 0 where it does not say."""


def read(token: str, keys: KeySet, expected: Expected, now_s: int) -> IdToken:
    """Return what a token says, if its signature holds and it was made for this house, this sign-in and this time."""
    try:
        claims = jwt.decode(token, keys, algorithms=list(ALGORITHMS)).claims
        jwt.JWTClaimsRegistry(
            now=now_s,
            leeway=SKEW_SECONDS,
            iss={"essential": True, "value": expected.issuer},
            aud={"essential": True, "value": expected.client_id},
            sub={"essential": True},
            exp={"essential": True},
            iat={"essential": True},
            nonce={"essential": True, "value": expected.nonce},
        ).validate(claims)
    except (InvalidKeyIdError, BadSignatureError) as error:
        raise UnknownKey(f"expected an ID token signed with a key of the provider, got another: {error}") from None
    except (JoseError, ValueError, TypeError) as error:
        raise BadToken(f"expected an ID token for this sign-in, got one that is not: {error}") from None
    subject, audience = claims["sub"], claims["aud"]
    others = isinstance(audience, list) and audience != [expected.client_id]
    if claims.get("azp", None if others else expected.client_id) != expected.client_id:
        raise BadToken("expected an ID token for this house, got one that was given to another client")
    if len(subject) > SUBJECT_MAX:
        raise BadToken(f"expected a subject of at most {SUBJECT_MAX} characters, got {len(subject)}")
    proven = claims.get("auth_time", 0)
    return IdToken(
        issuer=expected.issuer,
        subject=subject,
        names=tuple(one for name in NAMES if isinstance(one := claims.get(name), str) and one),
        groups=_groups(claims, expected.roles_claim),
        proven_s=proven if type(proven) is int else 0,
    )


def _groups(claims: jwt.Claims, claim: str) -> tuple[str, ...]:
    """Return the values of a claim by its name, or by its path where that is none: 'realm_access.roles'."""
    found: object = claims.get(claim)
    if found is None:
        found = claims
        for part in claim.split("."):
            found = found.get(part) if isinstance(found, dict) else None
    if isinstance(found, str):
        return (found,)
    return tuple(one for one in found[:GROUPS_MAX] if isinstance(one, str)) if isinstance(found, list) else ()
