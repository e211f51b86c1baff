"""Cover All counts: what `cover_all.best_hands` finds for one to seven hands from a whole deck, stored.

For each number of hands: the cases, and how many of them have a royal flush, a straight flush, four of a kind, a full
house, a flush, a straight and three of a kind as their best hand. The tests find them anew.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Final

from letitride.errors import InvariantBroken

COVER_ALL: Final[tuple[tuple[int, tuple[int, ...]], ...]] = (
    (649740, (1, 9, 156, 936, 1277, 2550, 13728)),
    (52677670500, (162150, 1459343, 25294888, 151487460, 206449797, 410884317, 2181243294)),
    (116277178017000, (536878650, 4831861496, 83749678993, 500635233633, 681520787664, 1351895243094, 7075292728464)),
    (
        619757358830610000,
        (
            3815417606000,
            34338264320360,
            595169005404993,
            3551195374607337,
            4828912924106510,
            9547180929427125,
            49248085154092395,
        ),
    ),
    (
        522827307909502596000,
        (
            4023357865527000,
            36209526037845160,
            627593013446310194,
            3737748035928693474,
            5076906130498672500,
            10004371001666482095,
            50852143034269280595,
        ),
    ),
    (
        1140634910089231496940000,
        (
            10533150891949686000,
            94796084451961492600,
            1643005254512657380730,
            9767202598106242391850,
            13251675844812943484100,
            26027315560233746641386,
            130329539385761186191773,
        ),
    ),
    (
        202055326930092436600800000,
        (
            2176851184336268440000,
            19591096812281166972800,
            339547546861159433689200,
            2014804083396338566792944,
            2730499606366209047647200,
            5345294833294767036724131,
            26361128376596063588448366,
        ),
    ),
)
SHA256: Final = "3522e93c1c7dfc4441014d6a0378f1bf46f286bfa2dd9e96d67a353122fe8e0d"
"""Of the counts as Python writes them: a figure changed by mistake is not used."""


@cache
def stored() -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return the counts, if they are the ones that were found."""
    if sha256(repr(COVER_ALL).encode()).hexdigest() != SHA256:
        raise InvariantBroken("the stored Cover All counts are not the ones that were found")
    return COVER_ALL
