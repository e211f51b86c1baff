"""Fair chance: the house commits, the seats reveal, the order follows; nobody who moves last gains by it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import FrozenInstanceError, replace
from itertools import count, islice, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from letitride.chance.fair import (
    Commitment,
    Docket,
    Fair,
    Pledge,
    Reveal,
    Secret,
    ShuffleId,
    commit,
    joint,
    pledge,
    seal,
    void,
)
from letitride.chance.live import Live
from letitride.chance.proof import verify
from letitride.errors import InvalidData, InvariantBroken
from letitride.rules.cards import FACES
from letitride.simulation.figures import chi_square_tail
from letitride.simulation.shuffle_tests import deck_tests, decks_of

ID = ShuffleId("seven", 12, 1)
SALTS = [bytes([number]) * 32 for number in range(52)]


def reveals_of(*seats: int) -> tuple[Reveal, ...]:
    """Return what these seats will reveal."""
    return tuple(Reveal(seat, Live().secret(32)) for seat in seats)


def committed(reveals: Sequence[Reveal], shuffle: ShuffleId = ID) -> Secret:
    """Return a house's secret after these seats pledged."""
    return commit(shuffle, [pledge(shuffle, one) for one in reveals])


@settings(max_examples=60)
@given(st.sets(st.integers(1, 7)), st.data())
def test_an_honest_shuffle_is_a_whole_deck_and_its_proofs_hold(seats: set[int], data: st.DataObject) -> None:
    reveals = reveals_of(*seats)
    secret = committed(reveals)
    told = [one for one in reveals if data.draw(st.booleans(), label=f"seat {one.seat} reveals")]
    fair = Fair(secret, tuple(reversed(told)))
    assert sorted(FACES) == sorted(fair.order)
    assert list(range(52)) == sorted(fair.sigma)
    proof = fair.proof().as_data()
    assert [] == verify(proof, secret.commitment.root.hex())
    assert list(fair.order) == proof["order"]
    assert sorted(seats - {one.seat for one in told}) == proof["unrevealed"]
    place = data.draw(st.integers(0, 51), label="place")
    card = fair.card_proof(place)
    assert fair.order[place] == card.face
    assert [] == verify(card.as_data(), secret.commitment.root.hex())
    for given_up in (void(secret, told, "a card was seen"), void(secret.commitment, told, "the power failed")):
        assert [] == verify(given_up.as_data(), secret.commitment.root.hex())


def test_each_card_can_be_opened_alone_and_tells_no_other() -> None:
    reveals = reveals_of(1, 2)
    secret = committed(reveals)
    fair = Fair(secret, reveals)
    for place in range(52):
        card = fair.card_proof(place)
        assert (fair.order[place], []) == (card.face, verify(card.as_data()))
        text = str(card.as_data())
        assert [card.salt] == [salt for salt in secret.salts if salt.hex() in text]
    for place in (-1, 52):
        with pytest.raises(InvalidData, match=f"got {place}"):
            fair.card_proof(place)


def test_the_same_words_give_the_same_digests_on_every_machine() -> None:
    """Anyone who writes a check of his own can start from these figures."""
    reveals = (Reveal(1, b"\x11" * 32), Reveal(4, b"\x44" * 32))
    secret = seal(ID, [pledge(ID, one) for one in reveals], FACES, SALTS)
    assert VECTOR == (
        ID.digest.hex(),
        pledge(ID, reveals[0]).digest.hex(),
        secret.commitment.merkle.hex(),
        secret.commitment.root.hex(),
        " ".join(Fair(secret, reveals).order),
        " ".join(Fair(secret, reveals[1:]).order),
        " ".join(Fair(secret).order),
    )


VECTOR = (
    "160bc0485e9e06d104d211390efe9205930e4a7431f095758600dd00be4666b5",
    "57967a2f2e41ddc7466fef42efcac67916b148598350139d421c59b1b31678d8",
    "1f036a91a1f73e0fa1c1f029b473b5653b4ef1a3d46487633a0f28e8ae952bfe",
    "d9765377f530018d6002220ae748f4d813ebbf71c76df26a1b59d5a206f037cf",
    "7s 8s 5c Kc 6d 7c Qh 4d 2s Jd 5d 4s 3h 6s Qd 9c 6h Ts Kh 7h Tc 3s 8h 8d 3d 2h Kd 5s 4c 5h Th Qc 2c Td Ac 6c Js Ah 8c 9h 9s Jh 9d Ks 2d Ad As Jc Qs 3c 7d 4h",
    "5h 7c 8h 2h 3s Kh 7d Kc 8d 7s 4c 3c 8s 5c 9d 5d 2s Qs 4d 9h 7h Ah Kd 9c Jc As 6h 3d Th 4h 4s Jd Ac Ts 2d 2c 6d Qc Tc Td 6c Ks Jh Qd 8c 6s Ad 9s 5s Js 3h Qh",
    "Ks Jd Qh 7c 5s 9h 7h Jh Ah 6d 5h Th 9s 6c Td 4s 7s 6s 7d Qc 8s 2h Qd 2s 5c 4h Tc Ac 9d Kc 5d Ts Qs 3c 8d 8h 9c As 3d 3s 2c 3h Ad Kh Js 4c 8c 4d Jc 2d Kd 6h",
)


def test_the_root_is_fixed_before_anything_is_revealed() -> None:
    reveals = reveals_of(1, 2, 3)
    secret = committed(reveals)
    root = secret.commitment.root
    orders = set()
    for told in ((), reveals[:1], reveals[1:], reveals):
        fair = Fair(secret, told)
        orders.add(fair.order)
        assert root == fair.proof().commitment.root == fair.secret.commitment.root
    assert 4 == len(orders)
    with pytest.raises(FrozenInstanceError):
        secret.faces = tuple(reversed(secret.faces))


def test_the_root_binds_the_table_the_round_the_shuffle_the_pledges_and_the_deck() -> None:
    reveals = reveals_of(1, 2)
    pledges = [pledge(ID, one) for one in reveals]
    swapped = (FACES[1], FACES[0], *FACES[2:])
    others = [
        seal(ID, pledges, FACES, SALTS),
        seal(replace(ID, table="eight"), pledges, FACES, SALTS),
        seal(replace(ID, round=13), pledges, FACES, SALTS),
        seal(replace(ID, shuffle=2), pledges, FACES, SALTS),
        seal(ID, pledges[:1], FACES, SALTS),
        seal(ID, [Pledge(1, pledges[1].digest), Pledge(2, pledges[0].digest)], FACES, SALTS),
        seal(ID, pledges, swapped, SALTS),
        seal(ID, pledges, FACES, [b"\xff" * 32, *SALTS[1:]]),
    ]
    assert len(others) == len({secret.commitment.root for secret in others})
    assert seal(ID, reversed(pledges), FACES, SALTS) == others[0]


def test_a_name_cannot_run_into_the_number_after_it() -> None:
    assert ShuffleId("a\0", 1).digest != ShuffleId("a", 1).digest
    ids = [ShuffleId(table, round_, shuffle) for table in "ab" for round_ in (1, 2**32) for shuffle in (1, 2)]
    assert len(ids) == len({one.digest for one in ids})


def test_a_deck_changed_after_the_commitment_is_found() -> None:
    secret = committed(())
    first, second, *rest = secret.faces
    changed = Fair(replace(secret, faces=(second, first, *rest)))
    assert verify(changed.proof().as_data())[0].startswith("cards: expected the deck of")
    assert any("path" in problem for problem in verify(changed.card_proof(changed.sigma.index(0)).as_data()))
    # A house that commits anew to the changed deck has another root than the one it published.
    anew = Fair(seal(ID, (), changed.secret.faces, secret.salts)).proof().as_data()
    assert [] == verify(anew)
    assert verify(anew, secret.commitment.root.hex())


def test_the_proofs_of_two_shuffles_cannot_be_exchanged() -> None:
    reveals = reveals_of(3)
    one, two = (Fair(committed(()), ()).proof().as_data() for _ in range(2))
    for name in ("commitment", "cards", "order"):
        mixed = {**one, name: two[name]}
        assert verify(mixed), name
    assert verify(one, two["commitment"]["root"])
    redeal = replace(ID, shuffle=2)
    with pytest.raises(InvalidData, match="seat 3 committed to"):  # a nonce pledged for one shuffle opens no other
        Fair(seal(redeal, [pledge(ID, reveals[0])], FACES, SALTS), reveals)


def test_a_seat_that_does_not_reveal_is_named_in_the_proof_and_cannot_be_hidden() -> None:
    reveals = reveals_of(1, 5)
    proof = Fair(committed(reveals), reveals[:1]).proof().as_data()
    assert [5] == proof["unrevealed"]
    assert verify({**proof, "unrevealed": []})
    fewer = {**proof["commitment"], "seats": proof["commitment"]["seats"][:1]}
    assert verify({**proof, "commitment": fewer, "unrevealed": []})


def test_a_reveal_that_was_not_pledged_is_refused() -> None:
    reveals = reveals_of(1, 2)
    secret = committed(reveals)
    for wrong in (reveals_of(1), reveals_of(3), (replace(reveals[0], seat=2),)):
        with pytest.raises(InvalidData, match="committed to"):
            Fair(secret, wrong)
    with pytest.raises(InvalidData, match="one of each seat"):
        Fair(secret, (reveals[0], reveals[0]))


def test_nobody_can_pledge_a_copy_of_anothers_nonce() -> None:
    (one,) = reveals_of(1)
    copied = Pledge(2, pledge(ID, one).digest)
    with pytest.raises(InvalidData, match="seat 2 committed to"):
        Fair(commit(ID, [copied]), (Reveal(2, one.nonce),))


def test_of_a_hidden_deck_every_rearrangement_is_as_good_as_every_other() -> None:
    """What a last mover can choose is sigma; over all decks the house may have, each choice gives each order once."""
    for sigma in permutations(range(5)):
        counts = Counter(tuple(deck[card] for card in sigma) for deck in permutations(range(5)))
        assert 120 == len(counts)


def test_a_last_mover_who_tries_many_nonces_does_not_move_the_top_card() -> None:
    """Seat 2 sees the root and seat 1's nonce, and takes of nine ways to end, silence included, the one it likes best."""
    tops, rounds = Counter[str](), 5_200
    (first,) = reveals_of(1)
    choices = reveals_of(*[2] * 8)
    for _ in range(rounds):
        secret = seal(ID, (), Live().order(), [Live().secret(32) for _ in FACES])
        sigmas = [joint(secret.commitment.root, told) for told in ((first,), *((first, one) for one in choices))]
        tops[secret.faces[min(sigmas)[0]]] += 1
    expected = rounds / 52
    statistic = sum((tops[face] - expected) ** 2 / expected for face in FACES)
    assert 1e-6 < chi_square_tail(statistic, 51) < 1 - 1e-6


def test_one_honest_nonce_makes_every_order_as_likely_even_for_a_house_that_knows_the_deck() -> None:
    root = committed(()).commitment.root
    nonces = (joint(root, (Reveal(1, number.to_bytes(32, "big")),)) for number in count())
    found = deck_tests(decks_of(islice(nonces, 20_000), 20_000))
    for test in found.tests:
        assert test.p_value > 1e-6 / len(found.tests), test


def test_no_two_shuffles_share_a_salt() -> None:
    salts = [salt for number in range(1, 201) for salt in commit(ShuffleId("seven", number)).salts]
    assert 200 * 52 == len(set(salts))
    with pytest.raises(InvalidData, match="52 different salts, got 1"):
        seal(ID, (), FACES, [b"\0" * 32] * 52)


def test_what_is_secret_is_not_shown_by_accident() -> None:
    reveals = reveals_of(1)
    secret = committed(reveals)
    shown = repr(Fair(secret, reveals))
    assert repr(secret.salts[0]) not in shown
    assert repr(secret.faces[:2])[1:-1] not in shown
    assert repr(reveals[0].nonce) not in shown


def test_a_docket_takes_each_id_once_and_each_commitment_ends_opened_or_void() -> None:
    docket, first, redeal = Docket("seven"), committed(()), commit(replace(ID, shuffle=2))
    docket = docket.published(first.commitment)
    for used in (committed(()), commit(ShuffleId("seven", 11, 9)), commit(ShuffleId("eight", 13))):
        with pytest.raises(InvalidData, match="after round 12, shuffle 1"):
            docket.published(used.commitment)
    docket = docket.closed(void(first, (), "a card was exposed")).published(redeal.commitment)
    assert (1, 0, (redeal.commitment,)) == (docket.voids, docket.dealt, docket.outstanding)
    with pytest.raises(InvalidData, match="outstanding"):
        docket.closed(Fair(first).proof())
    broken = Fair(replace(redeal, faces=tuple(reversed(redeal.faces)))).proof()
    with pytest.raises(InvariantBroken, match="a proof that holds"):
        docket.closed(broken)
    docket = docket.closed(Fair(redeal).proof())
    assert (1, 1, ()) == (docket.voids, docket.dealt, docket.outstanding)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: ShuffleId("", 1), "a table's name of 1 to 255 bytes"),
        (lambda: ShuffleId("é" * 128, 1), "a table's name of 1 to 255 bytes"),
        (lambda: ShuffleId("\ud800", 1), "a table's name of 1 to 255 bytes"),
        (lambda: ShuffleId("a", 0), f"a round from 1 to {2**63 - 1}, got 0"),
        (lambda: ShuffleId("a", 1, 2**31), f"a shuffle from 1 to {2**31 - 1}, got {2**31}"),
        (lambda: Pledge(0, b"\0" * 32), "a seat from 1 to 255, got 0"),
        (lambda: Pledge(1, b"\0" * 31), "a seat's commitment of 32 bytes, got 31"),
        (lambda: Reveal(256, b"\0" * 32), "a seat from 1 to 255, got 256"),
        (lambda: Reveal(1, b""), "a nonce of 32 bytes, got 0"),
        (lambda: seal(ID, (), FACES[:51], SALTS), "the 52 faces in some order, got 51"),
        (lambda: seal(ID, (), FACES, [*SALTS[1:], b"short"]), "a salt of 32 bytes, got 5"),
        (lambda: void(Commitment(ID, b"\0" * 32, ()), (), ""), "a reason of 1 to 2000 bytes"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(make: object, words: str) -> None:
    with pytest.raises(InvalidData, match=f"^expected {words}"):
        make()
