"""Best hand counts: what `best_hand.best_hands` finds for one to seven hands from a whole deck, stored.

For each number of hands: the cases, and how many of them have a royal flush, a straight flush, four of a kind, a full
house, a flush, a straight and three of a kind as their best hand. A case is a pair of community cards with the hands
dealt one after the other: 1,326 times 50 choose 3, times 47 choose 3, and so on. The tests find them anew.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Final

from letitride.errors import InvariantBroken

COUNTS: Final[tuple[tuple[int, tuple[int, ...]], ...]] = (
    (25989600, (40, 360, 6240, 37440, 51080, 102000, 549120)),
    (421421364000, (1297200, 11674744, 202359104, 1211899680, 1651598376, 3287074536, 17449946352)),
    (
        5581304544816000,
        (25770175200, 231929351808, 4019984591664, 24030491214384, 32712997807872, 64890971668512, 339614050966272),
    ),
    (
        59496706447738560000,
        (
            366280090176000,
            3296473374754560,
            57136224518879328,
            340914755962304352,
            463575640714224960,
            916529369225004000,
            4727816174792869920,
        ),
    ),
    (
        501914215593122492160000,
        (
            3862423550905920000,
            34761144996331353600,
            602489292908457786240,
            3588238114491545735040,
            4873829885278725600000,
            9604196161599822811200,
            48818057312898509371200,
        ),
    ),
    (
        3285028541056986711187200000,
        (
            30335474568815095680000,
            273012723221649098688000,
            4731855132996453256502400,
            28129543482545978088528000,
            38164826433061277234208000,
            74958668813473190327191680,
            375349073430992216232306240,
        ),
    ),
    (
        16293741563642654087488512000000,
        (
            175541279504876687001600000,
            1579826046942353304686592000,
            27381114178883896732697088000,
            162473801285080742026183004160,
            220187488257371097602270208000,
            431044575356890013841433923840,
            2125761392288706567772476234240,
        ),
    ),
)
SHA256: Final = "19c20b8396b02e5fee25380a86c270044b2370a08a74b42ce12524059f580a77"
"""Of the counts as Python writes them: a figure changed by mistake is not used."""


@cache
def stored() -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return the counts, if they are the ones that were found."""
    if sha256(repr(COUNTS).encode()).hexdigest() != SHA256:
        raise InvariantBroken("the stored counts of best hands are not the ones that were found")
    return COUNTS
