"""Remote: an operator's requests to a running server over HTTP; a refusal comes back as the server's own sentence."""

from __future__ import annotations

import getpass
import http.cookiejar
import json
import os
import sys
import time
from typing import Annotated, Any, Final
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener

import typer

from letitride.errors import InvalidData

DEFAULT: Final = "http://127.0.0.1:8765"
SECONDS: Final = 60.0
WAIT_SECONDS: Final = 75.0
"""How long one request waits, in total, for a server that answers 'too many requests'."""
TOO_MANY: Final = 429

ServerOption = Annotated[
    str | None,
    typer.Option("--server", help=f"A running server; LETITRIDE_SERVER or {DEFAULT} by default.", metavar="URL"),
]
DbOption = Annotated[
    str | None, typer.Option("--db", help="Use the database instead of a server: a SQLite file or postgresql://….")
]


class _TooOften(Exception):
    """Refused for now, and for how long."""

    def __init__(self, sentence: str, seconds: float) -> None:
        super().__init__(sentence)
        self.seconds = seconds


class CodeWanted(InvalidData):
    """A password that was right, for an account that has a second factor."""


class Remote:
    """A running server, and a signed-in operator."""

    def __init__(self, base: str | None) -> None:
        self.base = (base or os.environ.get("LETITRIDE_SERVER") or DEFAULT).rstrip("/")
        if urlsplit(self.base).scheme not in {"http", "https"}:
            raise InvalidData(f"expected a server like {DEFAULT}, got '{self.base}'")
        self._opener: OpenerDirector = build_opener(HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def sign_in(self) -> None:
        """Sign in with LETITRIDE_USER, LETITRIDE_PASSWORD and, where it is wanted, LETITRIDE_CODE, or ask for them."""
        name = os.environ.get("LETITRIDE_USER") or _ask("Name: ")
        password = os.environ.get("LETITRIDE_PASSWORD") or _ask("Password: ", secret=True)
        try:
            self.ask("POST", "/api/login", {"name": name, "password": password})
        except CodeWanted:
            code = os.environ.get("LETITRIDE_CODE") or _ask("Code of your app, or a recovery code: ", "LETITRIDE_CODE")
            self.ask("POST", "/api/login/code", {"code": code})

    def ask(self, method: str, path: str, body: Any = None, query: dict[str, str] | None = None) -> Any:
        """Return the server's answer; after 'too many requests', wait for as long as it says and ask again."""
        left = WAIT_SECONDS
        while True:
            try:
                return self._ask(method, quote(path) + (f"?{urlencode(query)}" if query else ""), body)
            except _TooOften as error:
                if error.seconds > left:
                    raise InvalidData(str(error)) from None
                left -= error.seconds
                sys.stderr.write(f"letitride: too many requests; trying again in {error.seconds:.0f} s\n")
                time.sleep(error.seconds)

    def _ask(self, method: str, path: str, body: Any) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"} if data else {}
        request = Request(self.base + path, data, headers, method=method)  # noqa: S310 - checked above
        try:
            with self._opener.open(request, timeout=SECONDS) as answer:
                text = answer.read()
        except HTTPError as error:
            with error:
                body, wait = error.read(), error.headers.get("Retry-After", "")
                sentence = _sentence(error.code, body)
            if error.code == TOO_MANY and wait.isascii() and wait.isdecimal():
                raise _TooOften(sentence, max(float(wait), 1.0)) from None
            raise (CodeWanted if _code(body) == "second_factor" else InvalidData)(sentence) from None
        except (URLError, OSError) as error:
            reason = getattr(error, "reason", error)
            raise InvalidData(f"expected a server at {self.base}, got no answer: {reason}") from None
        try:
            return json.loads(text) if text else None
        except ValueError:
            raise InvalidData(f"expected a letitride server at {self.base}, got something else") from None


def _ask(what: str, variables: str = "LETITRIDE_USER and LETITRIDE_PASSWORD", *, secret: bool = False) -> str:
    if not sys.stdin.isatty():
        raise InvalidData(f"expected {variables}, or a terminal to type them, got neither")
    return getpass.getpass(what) if secret else input(what)


def _code(body: bytes) -> str:
    """Return by which name a server refused, if it has one."""
    try:
        said = json.loads(body)
    except ValueError:
        return ""
    return str(said.get("code", "")) if isinstance(said, dict) else ""


def _sentence(code: int, body: bytes) -> str:
    """Return why a server refused."""
    try:
        detail = json.loads(body)["detail"]
    except (ValueError, KeyError, TypeError):
        return f"the server answered {code}"
    if isinstance(detail, list) and detail:  # what is wrong with the form of a request
        place = ".".join(str(part) for part in detail[0].get("loc", ())[1:])
        return f"{place}: {detail[0].get('msg', 'expected something else')}"
    return str(detail)
