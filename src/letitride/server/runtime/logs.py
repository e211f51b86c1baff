"""Logs: how the server logs, without secrets at any level; what happened is logged, never what was sent.

What libraries write for those who debug them is whole frames and headers, cookies and cards among them, so
none of it is written. Addresses of requests are told without their queries, and without tokens.
"""

from __future__ import annotations

import logging
import re
import time
from copy import copy
from typing import Final

from uvicorn.logging import AccessFormatter, DefaultFormatter

_SECRET: Final = re.compile(r"[\w-]{32,}")
"""As long as a token is, and longer than anything that is none."""


class SecretFilter(logging.Filter):
    """Lets through what tells no secret, and takes tokens out of the addresses of requests."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is written, without what it must not tell."""
        if record.levelno <= logging.DEBUG:
            return False
        if isinstance(record.args, tuple):
            record.args = tuple(without_tokens(one) if isinstance(one, str) else one for one in record.args)
        return True


class LineFormatter(DefaultFormatter):
    """Writes a record as one line with its time in UTC: what a client sent can break no line and begin no other."""

    converter = staticmethod(time.gmtime)

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name is logging's
        """Return a record as a line."""
        one = copy(record)
        one.message = "".join(sign if sign.isprintable() else f"\\u{ord(sign):04x}" for sign in record.message)
        return super().formatMessage(one)


class AccessLineFormatter(AccessFormatter):
    """Writes a request as one line with its time in UTC; uvicorn has quoted its address."""

    converter = staticmethod(time.gmtime)


def without_tokens(text: str) -> str:
    """Return the address of a request as it may be told; any other text as it is."""
    return _SECRET.sub("…", text.partition("?")[0]) if text.startswith("/") else text


_TIMED: Final = {"datefmt": "%Y-%m-%dT%H:%M:%SZ"}
_FILTERED: Final = {"filters": ["no_secrets"]}
LOGGING: Final[dict[str, object]] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"no_secrets": {"()": SecretFilter}},
    "formatters": {
        "default": {"()": LineFormatter, "fmt": "%(asctime)s %(levelprefix)s %(message)s", **_TIMED},
        "access": {
            "()": AccessLineFormatter,
            **_TIMED,
            "fmt": '%(asctime)s %(levelprefix)s %(client_addr)s - "%(request_line)s" %(status_code)s',
        },
    },
    "handlers": {
        "default": {"class": "logging.StreamHandler", "formatter": "default", "stream": "ext://sys.stderr"},
        "access": {"class": "logging.StreamHandler", "formatter": "access", "stream": "ext://sys.stdout"},
    },
    "loggers": {
        "uvicorn": {**_FILTERED, "handlers": ["default"], "level": "INFO", "propagate": False},
        "uvicorn.error": {**_FILTERED, "level": "INFO"},
        "uvicorn.asgi": {**_FILTERED, "level": "INFO"},
        "uvicorn.access": {**_FILTERED, "handlers": ["access"], "level": "INFO", "propagate": False},
        "letitride": {"handlers": ["default"]},
        "websockets": {"level": "INFO"},
        "websockets.server": _FILTERED,
        "sqlalchemy": {"level": "WARNING"},  # its messages are statements with all they bring and find
        "psycopg": {"level": "WARNING"},
    },
}
"""How the server logs."""
