"""Wire: the messages a client sends and gets over its WebSocket; every byte that comes in is read here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Final

import msgspec

from letitride.engine import commands

ID_MAX: Final = 64
MESSAGE_BYTES_MAX: Final = 16_384
NUMBER_MAX: Final = 10**15
"""No number in a command is larger: no account holds more cents, and a journal could not keep every number."""

CommandId = Annotated[str, msgspec.Meta(min_length=1, max_length=ID_MAX)]
Digest = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
Role = Annotated[str, msgspec.Meta(max_length=32)]


class Act(msgspec.Struct, frozen=True, tag="command", forbid_unknown_fields=True):
    """A command with an id of the client's own: sent again, it is not carried out again."""

    id: CommandId
    command: commands.AnyCommand
    role: Role = ""
    """For staff: as what they give it."""


class PledgeNonce(msgspec.Struct, frozen=True, tag="pledge", forbid_unknown_fields=True):
    """A seat's commitment to its part of the coming shuffle."""

    digest: Digest


class RevealNonce(msgspec.Struct, frozen=True, tag="reveal", forbid_unknown_fields=True):
    """The nonce a seat pledged."""

    nonce: Digest


Incoming = Act | PledgeNonce | RevealNonce
_DECODER: Final = msgspec.json.Decoder(Incoming)


def read(frame: bytes | str) -> Incoming | str:
    """Return a message, or one sentence about why it is none."""
    if len(frame) > MESSAGE_BYTES_MAX:
        return f"Expected a message of {MESSAGE_BYTES_MAX} bytes at most, got {len(frame)}."
    try:
        found: Incoming = _DECODER.decode(frame)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        return f"Expected a command, a pledge or a nonce as JSON, got something else: {error}."
    if isinstance(found, Act) and not found.id.isprintable():
        return f"Expected an id of signs that can be printed, got {found.id!r}."
    if isinstance(found, Act) and any(abs(number) > NUMBER_MAX for number in _numbers(found.command)):
        return f"Expected numbers up to {NUMBER_MAX}, got a larger one."
    return found


def _numbers(command: commands.AnyCommand) -> Iterator[int]:
    for value in msgspec.structs.astuple(command):
        held = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else (value,)
        yield from (one for one in held if isinstance(one, int))
