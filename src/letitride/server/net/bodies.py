"""Bodies: how much a request may bring along, counted as it comes; what it brings is read by others.

A request is read into memory and taken apart before anybody asks who sent it, so this is decided first.
"""

from __future__ import annotations

from typing import Final

from fastapi import HTTPException
from starlette.types import Message, Receive

BODY_MAX: Final = 65_536
"""As much as a message over a WebSocket."""
BOOKS_MAX: Final = 8 * 2**20
"""Where those who run the house bring rule books along."""


def too_large(most: int) -> str:
    """Return the sentence for a request that brings too much."""
    return f"expected a request with {most:,} bytes at most, got more"


def limited(receive: Receive, most: int) -> Receive:
    """Return what receives a request, and refuses it where it goes on for too long, whatever it said of its length."""
    came = 0

    async def next_piece() -> Message:
        nonlocal came
        message = await receive()
        came += len(message.get("body", b""))
        if came > most:
            raise HTTPException(413, too_large(most))
        return message

    return next_piece
