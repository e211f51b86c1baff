"""Wire: the messages a client sends and gets over its WebSocket; every byte that comes in is read here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Final

import msgspec

from letitride.engine import commands
from letitride.engine.refusal import LINE_MAX
from letitride.server.runtime.pace import PaceName

ID_MAX: Final = 64
MESSAGE_BYTES_MAX: Final = LINE_MAX
NUMBER_MAX: Final = 10**15
"""No number in a command is larger: no account holds more cents, and a journal could not keep every number."""

CommandId = Annotated[str, msgspec.Meta(min_length=1, max_length=ID_MAX)]
ShuffleNumber = Annotated[int, msgspec.Meta(ge=1, le=NUMBER_MAX)]
Digest = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class Act(msgspec.Struct, frozen=True, tag="command", forbid_unknown_fields=True):
    """A command with an id of the client's own: sent again, it is not carried out again."""

    id: CommandId
    command: commands.AnyCommand
    version: int | None = None
    """The version of the table it is meant for; at any other it is refused."""


class PledgeNonce(msgspec.Struct, frozen=True, tag="pledge", forbid_unknown_fields=True):
    """Commit a seat to its part of the coming shuffle, without telling it."""

    round: ShuffleNumber
    shuffle: ShuffleNumber
    digest: Digest


class RevealLink(msgspec.Struct, frozen=True, tag="link", forbid_unknown_fields=True):
    """Give the digest of the number that a seat pledged: its part in the dice, which does not tell the number."""

    round: ShuffleNumber
    shuffle: ShuffleNumber
    link: Digest


class RevealNonce(msgspec.Struct, frozen=True, tag="reveal", forbid_unknown_fields=True):
    """Reveal the secret number that a seat pledged."""

    round: ShuffleNumber
    shuffle: ShuffleNumber
    nonce: Digest


class DoNext(msgspec.Struct, frozen=True, tag="next", forbid_unknown_fields=True):
    """Do the next step of the script, whichever it is."""

    id: CommandId
    version: int | None = None


class TakeShift(msgspec.Struct, frozen=True, tag="take_shift", forbid_unknown_fields=True):
    """Take the shift and deal at this table."""


class EndShift(msgspec.Struct, frozen=True, tag="end_shift", forbid_unknown_fields=True):
    """End your shift, or relieve the dealer as the floor."""


class SetClock(msgspec.Struct, frozen=True, tag="clock", forbid_unknown_fields=True):
    """Set whether a clock runs for you; without one a player who sits alone takes as much time as they like."""

    on: bool


class SetPace(msgspec.Struct, frozen=True, tag="pace", forbid_unknown_fields=True):
    """Set how fast the automatic dealer deals for you, as long as no other person sits at the table."""

    pace: PaceName


Incoming = Act | DoNext | PledgeNonce | RevealLink | RevealNonce | TakeShift | EndShift | SetClock | SetPace
_DECODER: Final = msgspec.json.Decoder(Incoming)
_DIGITS: Final = re.compile(rf"\d{{{len(str(NUMBER_MAX))}}}")
_DIGITS_IN_BYTES: Final = re.compile(_DIGITS.pattern.encode())


def read(frame: bytes | str) -> Incoming | str:
    """Return a message, or one sentence about why it is none."""
    if len(frame) > MESSAGE_BYTES_MAX:
        return f"Expected a message of {MESSAGE_BYTES_MAX} bytes at most, got {len(frame)}."
    try:
        found: Incoming = _DECODER.decode(frame)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        return f"Expected a command, a step, a shift, a pledge, a link or a nonce as JSON, got something else: {error}."
    if isinstance(found, Act | DoNext) and not found.id.isprintable():
        return f"Expected an id of printable characters, got {found.id!r}."
    if isinstance(found, Act) and _may_be_large(frame) and any(abs(n) > NUMBER_MAX for n in _numbers(found.command)):
        return f"Expected numbers up to {NUMBER_MAX}, got a larger one."
    return found


def _may_be_large(frame: bytes | str) -> bool:
    """Whether so many digits stand together that a number may be too large: few messages need a closer look."""
    return bool(_DIGITS.search(frame) if isinstance(frame, str) else _DIGITS_IN_BYTES.search(frame))


def _numbers(command: commands.AnyCommand) -> Iterator[int]:
    for value in msgspec.structs.astuple(command):
        held = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else (value,)
        yield from (one for one in held if isinstance(one, int))
