"""A sign-in provider in a process of its own: `oidc-provider-mock`, and before it a door that holds clients to PKCE.

The provider checks client, secret, redirect address, nonce and code. It does not check PKCE, so the door does, with
Authlib's own function.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx

from tests.server.conftest import free_port
from tests.server.guest import PATIENCE

START_SECONDS = 300


@dataclass
class Provider:
    """A provider that runs, and the house's account there."""

    issuer: str
    client_id: str = ""
    secret: str = ""
    process: subprocess.Popen[bytes] | None = None

    def register(self, redirect_uri: str) -> None:
        """Make the house known, under one address."""
        made = httpx.post(
            f"{self.issuer}/oauth2/clients", json={"redirect_uris": [redirect_uri]}, timeout=PATIENCE, trust_env=False
        )
        assert made.status_code == 201, made.text
        self.client_id, self.secret = made.json()["client_id"], made.json()["client_secret"]

    def knows(self, subject: str, **claims: Any) -> None:
        """Let it know a person, or change what it says of them."""
        told = httpx.put(f"{self.issuer}/users/{subject}", json=claims, timeout=PATIENCE, trust_env=False)
        assert told.status_code == 204, told.text

    def agree(self, address: str, subject: str) -> str:
        """Sign a person in at the provider, and return where it sends the browser."""
        answer = httpx.post(address, data={"sub": subject}, timeout=PATIENCE, trust_env=False)
        assert answer.status_code == 302, answer.text
        return answer.headers["location"]

    def deny(self, address: str) -> str:
        """Press "Deny" at the provider, and return where it sends the browser."""
        return httpx.post(address, data={"action": "deny"}, timeout=PATIENCE, trust_env=False).headers["location"]

    def stop(self) -> None:
        """End it, and all it knew."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    @property
    def settings(self) -> dict[str, Any]:
        """What a house states to use it."""
        return {"oidc_issuer": self.issuer, "oidc_client_id": self.client_id, "oidc_client_secret": self.secret}


@contextmanager
def running_provider(*, known_clients_alone: bool = True, port: int = 0) -> Iterator[Provider]:
    """A provider that runs, with keys of its own."""
    port = port or free_port()
    words = [sys.executable, "-W", "ignore", "-m", "tests.server.oidc_provider", str(port), str(known_clients_alone)]
    with subprocess.Popen(
        words,
        env={**os.environ, "AUTHLIB_INSECURE_TRANSPORT": "1"},  # of this machine, as no provider of the world is
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            provider = Provider(f"http://127.0.0.1:{port}", "house", "hush", process)
            _wait(provider.issuer, process)
            yield provider
        finally:
            process.kill()


def _wait(issuer: str, process: subprocess.Popen[bytes]) -> None:
    ends = time.monotonic() + START_SECONDS
    while time.monotonic() < ends and process.poll() is None:
        with suppress(httpx.TransportError):
            httpx.get(f"{issuer}/jwks", timeout=PATIENCE, trust_env=False).raise_for_status()
            return
        time.sleep(0.05)  # a process says nothing to another before it listens
    raise AssertionError("the provider did not start")


def with_pkce(app: Any) -> Any:
    """Return a provider that gives a token only to who shows the verifier of the challenge that the code was made for."""
    from authlib.oauth2.rfc7636 import create_s256_code_challenge  # noqa: PLC0415 - in the provider's process alone

    challenges: dict[str, str] = {}

    def door(environ: dict[str, Any], answer: Callable[..., Any]) -> Iterable[bytes]:
        asked = parse_qs(environ.get("QUERY_STRING", ""))
        if environ["PATH_INFO"] == "/oauth2/authorize" and asked.get("code_challenge_method") == ["S256"]:

            def noted(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
                to = parse_qs(urlsplit(dict(headers).get("Location", "")).query)
                challenges.update(dict.fromkeys(to.get("code", ()), asked["code_challenge"][0]))
                return answer(status, headers, *more)

            return app(environ, noted)
        if environ["PATH_INFO"] == "/oauth2/token":
            body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
            form = parse_qs(body.decode())
            shown = create_s256_code_challenge(form.get("code_verifier", [""])[0])
            if challenges.get(form.get("code", [""])[0]) != shown:
                answer("400 Bad Request", [("Content-Type", "application/json")])
                return [b'{"error": "invalid_grant"}']
            environ["wsgi.input"] = BytesIO(body)
        return app(environ, answer)

    return door


def main() -> None:
    """Run it."""
    import oidc_provider_mock  # noqa: PLC0415 - in the provider's process alone
    import uvicorn  # noqa: PLC0415 - as above
    from oidc_provider_mock import _storage  # noqa: PLC0415 - as above

    # Its later versions, which need a newer Python, say themselves when a person signed in there.
    _storage.AuthorizationCode.get_auth_time = lambda _: int(time.time())
    app = oidc_provider_mock.app(require_client_registration=sys.argv[2] == "True", require_nonce=True)
    uvicorn.run(with_pkce(app), interface="wsgi", host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")


if __name__ == "__main__":
    main()
