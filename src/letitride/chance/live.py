"""Live chance: shuffles, cuts and dice from the operating system's generator alone; never the same twice on purpose.

How octets become a number or an order is a function of the octets and nothing else, so that it can be proven by
counting: a number below `limit` is the low bits of as few octets as hold it, thrown away and drawn anew where it is not
below. No remainder is taken, so no number has more words than another.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, repeat
from typing import Final, final

from letitride.chance.health import HEALTH
from letitride.errors import InvalidData, InvariantBroken
from letitride.rules.cards import FACES

OCTETS_MAX: Final = 256

_AT_ONCE: Final = 96
"""A deck takes about 71 octets; one call to the operating system gives them nearly always."""
_MASKS: Final = tuple((1 << top.bit_length()) - 1 for top in range(OCTETS_MAX))

Octets = Iterator[int]
"""Numbers from 0 to 255, each as likely as any other, without end."""


def below(octets: Octets, limit: int) -> int:
    """Return a number from 0 to limit - 1, each from equally many words."""
    if limit < 1:
        raise InvalidData(f"expected a limit of 1 or more, got {limit}")
    bits = (limit - 1).bit_length()
    while True:
        word = 0
        for _ in range(0, bits, 8):
            octet = next(octets, None)
            if octet is None:
                raise InvariantBroken("expected octets without end, got an end")
            word = word << 8 | octet
        word &= (1 << bits) - 1
        if word < limit:
            return word


def permutation(octets: Octets, size: int) -> list[int]:
    """Return the numbers from 0 to size - 1 in an order of which each is as likely (Fisher-Yates, from the last place).

    From one octet for each draw, as `below` would draw it; written out because a table's shuffle is nothing else.
    """
    if not 0 <= size <= OCTETS_MAX:
        raise InvalidData(f"expected 0 to {OCTETS_MAX} things to order, got {size}")
    order = list(range(size))
    top = size - 1
    if top < 1:
        return order
    mask = _MASKS[top]
    for octet in octets:
        other = octet & mask
        if other <= top:
            order[top], order[other] = order[other], order[top]
            top -= 1
            if not top:
                return order
            mask = _MASKS[top]
    raise InvariantBroken("expected octets without end, got an end")


def _octets() -> Octets:
    """Return the operating system's octets; none is used in a later call, so a forked process repeats no shuffle."""
    return chain.from_iterable(map(HEALTH.draw, repeat(_AT_ONCE)))


@final
class Live:
    """The operating system's generator. It has no seed, no state and no choice of source: there is nothing to set."""

    __slots__ = ()

    def order(self) -> tuple[str, ...]:
        """Return the faces of a mixed deck, top first."""
        return tuple([FACES[card] for card in permutation(_octets(), len(FACES))])

    def below(self, limit: int) -> int:
        """Return a whole number from 0 to limit - 1, for a cut or the dice."""
        return below(_octets(), limit)

    def secret(self, size: int) -> bytes:
        """Return so many bytes that no one can guess."""
        return HEALTH.draw(size)
