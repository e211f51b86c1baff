"""Changes: inputs made from others by chance, for the smoke test and for machines without a coverage-guided fuzzer."""

from __future__ import annotations

import random
from collections.abc import Sequence

ODD = (
    b"\x00",
    b"\xff\xfe",
    b'"',
    b"{",
    b"[",
    b"]]]]",
    b"-1",
    b"1e999",
    b"9" * 30,
    b"null",
    b"\n",
    b"= ",
    b"\xc2\xa0",
    b"'''",
)


def changed(inputs: Sequence[bytes], chance: random.Random) -> bytes:
    """Return an input with some pieces cut, doubled, replaced or taken from another."""
    data = bytearray(chance.choice(inputs))
    for _ in range(1 + chance.randrange(4)):
        at = chance.randrange(len(data) + 1)
        length = min(chance.choice((1, 1, 2, 4, 16, 64)), len(data) - at)
        match chance.randrange(6):
            case 0:
                del data[at : at + length]
            case 1:
                data[at:at] = data[at : at + length] * 2
            case 2:
                data[at : at + length] = chance.choice(ODD)
            case 3:
                other = chance.choice(inputs)
                begin = chance.randrange(len(other) + 1)
                data[at : at + length] = other[begin : begin + chance.randrange(80)]
            case 4:
                data[at:at] = chance.choice(ODD)
            case _:
                data[at : at + 1] = bytes([chance.randrange(256)])
    return bytes(data)
