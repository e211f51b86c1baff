"""Type warmup: looks into every type that is read from bytes before threads read any; it reads nothing itself.

msgspec looks into a type when it is first read, and two threads that do so at the same moment can end the process.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import msgspec


def warm_up_types() -> int:
    """Look into all types that are known by now, in this thread; return how many there are."""
    found = [kind for kind in _below(msgspec.Struct) if kind.__module__.startswith("letitride.")]
    for kind in found:
        with suppress(TypeError, NameError):  # one that is never read from bytes
            msgspec.json.Decoder(kind)
    return len(found)


def _below(kind: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for one in kind.__subclasses__():
        yield one
        yield from _below(one)
