"""ID tokens: a token is believed if the provider signed it, for this house, this sign-in and now; no other is."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import ECKey, KeySet, OctKey, OKPKey, RSAKey

from letitride.server.people.id_tokens import SKEW_SECONDS, BadToken, Expected, IdToken, UnknownKey, read

NOW = 1_800_000_000
EXPECTED = Expected(issuer="https://id.example", client_id="house", nonce="once", roles_claim="groups")
CLAIMS: dict[str, Any] = {
    "iss": "https://id.example",
    "aud": "house",
    "sub": "248289761001",
    "nonce": "once",
    "iat": NOW,
    "exp": NOW + 300,
    "auth_time": NOW - 5,
    "preferred_username": "ann",
    "groups": ["Pit", 7, "Boxes"],
}
RSA, EC, ED = RSAKey.generate_key(2048), ECKey.generate_key("P-256"), OKPKey.generate_key("Ed25519")
KEYS = KeySet.import_key_set({"keys": [key.as_dict(private=False) | {"kid": key.key_type} for key in (RSA, EC, ED)]})
KEYED = {"RS256": RSA, "PS256": RSA, "ES256": EC, "Ed25519": ED}


def signed(alg: str = "RS256", key: Any = None, kid: str = "", **claims: Any) -> str:
    """A token with other claims; None takes one away."""
    told = {name: value for name, value in (CLAIMS | claims).items() if value is not None}
    by = key or KEYED[alg]
    return jwt.encode({"alg": alg, "kid": kid or by.key_type}, told, by, algorithms=[alg])


@pytest.mark.parametrize("alg", KEYED)
def test_a_token_says_who_it_is_by_any_signature_of_a_key_pair(alg: str) -> None:
    assert read(signed(alg), KEYS, EXPECTED, NOW) == IdToken(
        issuer="https://id.example", subject="248289761001", names=("ann",), groups=("Pit", "Boxes"), proven_s=NOW - 5
    )


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://evil.example"},
        {"iss": None},
        {"aud": "another house"},
        {"aud": ["another house"]},
        {"aud": None},
        {"aud": ["house", "another house"]},
        {"aud": ["house", "another house"], "azp": "another house"},
        {"azp": "another house"},
        {"nonce": "of another sign-in"},
        {"nonce": None},
        {"exp": NOW - SKEW_SECONDS},
        {"exp": None},
        {"exp": "never"},
        {"iat": NOW + SKEW_SECONDS + 1},
        {"iat": None},
        {"nbf": NOW + SKEW_SECONDS + 1},
        {"sub": None},
        {"sub": ""},
        {"sub": 7},
        {"sub": "x" * 256},
    ],
    ids=str,
)
def test_a_token_for_others_or_another_time_is_not_believed(claims: dict[str, Any]) -> None:
    with pytest.raises(BadToken, match="^expected "):
        read(signed(**claims), KEYS, EXPECTED, NOW)


def test_clocks_may_differ_by_a_minute_and_several_houses_share_a_token_made_for_one() -> None:
    assert read(signed(exp=NOW - SKEW_SECONDS + 1, iat=NOW + SKEW_SECONDS), KEYS, EXPECTED, NOW)
    assert read(signed(aud=["house", "another house"], azp="house"), KEYS, EXPECTED, NOW)


def test_a_signature_by_no_key_of_the_provider_is_not_believed() -> None:
    for token in (signed(key=RSAKey.generate_key(2048)), signed(kid="new")):
        with pytest.raises(UnknownKey):
            read(token, KEYS, EXPECTED, NOW)
    head, body, seal = signed().split(".")
    claims = json.loads(base64.urlsafe_b64decode(body + "=="))
    changed = base64.urlsafe_b64encode(json.dumps(claims | {"sub": "another"}).encode()).rstrip(b"=").decode()
    with pytest.raises(UnknownKey):
        read(f"{head}.{changed}.{seal}", KEYS, EXPECTED, NOW)


def test_a_token_that_anybody_could_have_made_is_not_believed() -> None:
    none = base64.urlsafe_b64encode(b'{"alg":"none"}').rstrip(b"=").decode()
    body = signed().split(".")[1]
    public = OctKey.import_key(b"a secret that the house has, too, and its provider")
    by_secret = jwt.encode({"alg": "HS256", "kid": "RSA"}, CLAIMS, public, algorithms=["HS256"])
    for token in (f"{none}.{body}.", by_secret, "", "a.b.c", "é.é.é", "x" * 200_000):
        with pytest.raises(BadToken):
            read(token, KEYS, EXPECTED, NOW)


@pytest.mark.parametrize(
    ("claim", "told", "groups"),
    [
        ("groups", {"groups": "Pit"}, ("Pit",)),
        ("groups", {"groups": None}, ()),
        ("groups", {"groups": {"Pit": True}}, ()),
        ("realm_access.roles", {"realm_access": {"roles": ["Pit"]}}, ("Pit",)),
        ("https://house.example/groups", {"https://house.example/groups": ["Pit"]}, ("Pit",)),
    ],
)
def test_groups_are_found_by_the_name_or_the_path_of_their_claim(
    claim: str, told: dict[str, Any], groups: tuple[str, ...]
) -> None:
    expected = Expected(issuer="https://id.example", client_id="house", nonce="once", roles_claim=claim)
    assert groups == read(signed(**told), KEYS, expected, NOW).groups
