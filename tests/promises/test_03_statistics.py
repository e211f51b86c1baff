"""Promise 3: decks as chance would make them: 10,000 as the server makes them here, 300,000 live ones in tests/chance/;
ten tests, judged together at 99 %."""

from __future__ import annotations

import os
import random
from unittest import mock

from letitride.chance.fair import Fair, close, throw
from letitride.chance.secret import draw
from letitride.chance.shares import Reveal, ShuffleId, pledge
from letitride.rules.cards import FACES
from letitride.simulation import shuffle_tests

DECKS = 10_000


def test_10000_decks_made_by_house_and_seats_together_pass_all_ten_tests() -> None:
    octets = random.Random(3)
    shuffle = ShuffleId("t", 1, 1)
    index = {face: number for number, face in enumerate(FACES)}

    def deck() -> list[int]:
        told = Reveal(1, octets.randbytes(32))
        secret = draw(shuffle)
        commitment = close(secret, [pledge(shuffle, told)], [1 + octets.randrange(51)], dice=1)
        dice = throw(secret, commitment, [told.link])
        return [index[face] for face in Fair(secret, commitment, (told,), (told.link,), (dice,)).order]

    # The operating system's octets are replaced by a seed's, so that an honest house never fails.
    with mock.patch.object(os, "urandom", octets.randbytes):
        found = shuffle_tests.deck_tests(shuffle_tests.decks_of(deck, DECKS))
    assert len(found.tests) == 10
    assert found.consistent, found
