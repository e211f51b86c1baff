"""Fair chance: the house commits, the seats reveal, dice and order follow; no one who moves last gains by it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import FrozenInstanceError, replace
from itertools import count, islice, permutations, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from letitride.chance import fair1
from letitride.chance.fair import (
    Commitment,
    Fair,
    Throw,
    check_link,
    check_reveal,
    close,
    dice_of,
    joint,
    throw,
    void,
)
from letitride.chance.live import Live
from letitride.chance.proof import verify
from letitride.chance.secret import Secret, draw
from letitride.chance.shares import Link, Pledge, Reveal, ShuffleId, link_of, pledge
from letitride.errors import InvalidData, InvariantBroken
from letitride.rules.cards import FACES
from letitride.simulation.figures import chi_square_tail
from letitride.simulation.shuffle_tests import deck_tests, decks_of

ID = ShuffleId("seven", 12, 1)
SALTS = tuple(bytes([number]) * 32 for number in range(53))
NEW = Secret(ID, FACES, SALTS)
"""A house's deck that no house should have: unmixed, with salts that anyone can guess."""


def reveals_of(*seats: int) -> tuple[Reveal, ...]:
    """Return what these seats will reveal."""
    return tuple(Reveal(seat, Live().secret(32)) for seat in seats)


def pledges_of(reveals: Sequence[Reveal], shuffle: ShuffleId = ID) -> list[Pledge]:
    """Return what the seats pledge before."""
    return [pledge(shuffle, one) for one in reveals]


def committed(
    reveals: Sequence[Reveal] = (), cuts: Sequence[int] = (), *, dice: int | None = 0
) -> tuple[Secret, Commitment]:
    """Return a house's secret and commitment after these seats pledged."""
    secret = draw(ID)
    return secret, close(secret, pledges_of(reveals), cuts, dice=dice)


@settings(max_examples=60)
@given(
    st.sets(st.integers(1, 7)),
    st.lists(st.integers(1, 51), max_size=3),
    st.booleans(),
    st.sampled_from([2, 3]),
    st.data(),
)
def test_an_honest_shuffle_is_a_whole_deck_and_its_proofs_hold(
    seats: set[int], cuts: list[int], thrown: bool, protocol: int, data: st.DataObject
) -> None:
    reveals = reveals_of(*seats)
    secret, commitment = committed(reveals, cuts, dice=None if protocol == 2 else int(thrown))
    links = [one.link for one in reveals] if thrown else []
    throws = [throw(secret, commitment, links)] if thrown else []
    fair = Fair(secret, commitment, tuple(reversed(reveals)), tuple(reversed(links)), tuple(throws))
    assert sorted(FACES) == sorted(fair.order)
    assert list(range(52)) == sorted(fair.sigma)
    proof = fair.proof().as_data()
    root = commitment.root.hex()
    assert [] == verify(proof, root)
    assert (list(fair.order), cuts, protocol) == (proof["order"], proof["commitment"]["cuts"], proof["version"])
    assert [] == proof["unrevealed"]
    place = data.draw(st.integers(0, 51), label="place")
    card = fair.card_proof(place)
    assert fair.order[place] == card.face
    assert [] == verify(card.as_data(), root)
    told = [one for one in reveals if data.draw(st.booleans(), label=f"seat {one.seat} reveals")]
    for held in (secret, None):
        given_up = void(held, commitment, "the power failed", links=links, throws=throws, reveals=told)
        assert [] == verify(given_up.as_data(), root)
        assert sorted(seats - {one.seat for one in told}) == given_up.as_data()["unrevealed"]
    assert [] == verify(void(secret, close(secret), "the table closed before bets did").as_data())


def test_each_card_can_be_opened_alone_and_tells_no_other() -> None:
    reveals = reveals_of(1, 2)
    secret, commitment = committed(reveals, [17])
    fair = Fair(secret, commitment, reveals)
    for place in range(52):
        card = fair.card_proof(place)
        assert (fair.order[place], []) == (card.face, verify(card.as_data()))
        text = str(card.as_data())
        assert [card.salt] == [salt for salt in secret.salts if salt.hex() in text]
    for place in (-1, 52):
        with pytest.raises(InvalidData, match=f"got {place}"):
            fair.card_proof(place)


def test_the_same_words_give_the_same_digests_on_every_machine() -> None:
    """Anyone who writes a check of their own can start from these figures."""
    reveals = (Reveal(1, b"\x11" * 32), Reveal(4, b"\x44" * 32))
    links = tuple(one.link for one in reveals)
    assert VECTOR == (
        ID.digest.hex(),
        link_of(reveals[0].nonce).hex(),
        pledge(ID, reveals[0]).digest.hex(),
        NEW.merkle.hex(),
    )
    for dice, (root, first, order, alone) in ((1, THIRD), (None, SECOND)):
        commitment = close(NEW, pledges_of(reveals), [20], dice=dice)
        assert (root, first) == (commitment.root.hex(), throw(NEW, commitment, links))
        assert order == " ".join(Fair(NEW, commitment, reveals, links, (first,)).order)
        assert alone == " ".join(Fair(NEW, close(NEW, cuts=[20], dice=dice and 0)).order)


VECTOR = (
    "0a20f5f35fbc6a2212ceadf5a61360843ead1b2c40e2490712d5aa38f0240379",
    "05c32f64dfca1cdaa70cf8cfc1e2949c6f153a0be1a76b890ddbc79665e2a30e",
    "a6360b978d371e33dcc29e75c2326b6ab455ca6547d77b9178b542da01d12066",
    "7b96436ca24bfc6525b59ab60d30e558c89e4a22a100222e7a018e78f145f093",
)
SECOND = (
    "ad7365546f129f27154c65f1990e4200d40346ffb7ae295504bc6062876ce210",
    (3, 6, 3),
    "Ad Qd 3s Jc Td 5h 5c Tc Qh 6d Kc Ac Js 5d Kh 4s Ah 9c Ts As 4d 8d 7d 2c 6c 8c Qs 7h Th 6h Kd 3h 5s 9s Jh 8h 2h Jd Qc Ks 8s 3c 4c 9d 3d 9h 7s 6s 4h 2d 2s 7c",
    "Ad 4d 7h 4h 5s Jd 3h 4s 3d 4c 5h 9h As 2d 8s 6d 6h Ks 2s 7d 5c 6s Jh Qh Td 9s Kd Kh Ah 7s 8c Jc 9d 3s Qd 2h Js 8h Ac Qc 9c Kc Ts 5d Th Tc 6c Qs 7c 3c 2c 8d",
)
"""Of the second protocol, as it always was."""
THIRD = (
    "2c2339f1559bd35cd35368588159d7661141b40e93e81d007c77e0048679ffd6",
    (3, 6, 2),
    "7s 5s 2c 2h 7c Qd 7d 9d Ts 7h Qh 5c 9s Tc 3h 3c 4d 8d Th 2d Js Qc Kh Jd Jh 3d Kc 8h 6s 5h Ah 9c Qs Ad 6d 6h 4h 8s Ks Kd Ac 2s 3s 8c 5d As 4c Jc Td 4s 9h 6c",
    "7s 3c Tc 2d Kc Ac 2h Kh 5h Qc 9h 2c Ah 4c 5c Jd 8c 3h 7d Jh 4h Ks 4d 8d 9s 3s 7h 6c 3d Kd 5s 6h 6s Qd 4s Js 2s 7c Jc Qh Qs 9d Ts Th 8s 9c 6d Ad Td 8h 5d As",
)


def test_the_root_is_fixed_before_anything_is_revealed() -> None:
    reveals = reveals_of(1, 2, 3)
    secret, commitment = committed(reveals)
    assert commitment.root == Fair(secret, commitment, reveals).proof().commitment.root
    for told in ((), reveals[:1], reveals[1:]):
        with pytest.raises(
            InvalidData, match=r"^expected the nonces of all seats that pledged, \[1, 2, 3\], got those of"
        ):
            Fair(secret, commitment, told)
    with pytest.raises(FrozenInstanceError):
        secret.faces = tuple(reversed(secret.faces))
    with pytest.raises(FrozenInstanceError):
        commitment.cuts = (1,)


def test_the_root_binds_the_table_the_round_the_shuffle_the_pledges_the_cuts_and_the_deck() -> None:
    pledges = pledges_of(reveals_of(1, 2))
    swapped = (FACES[1], FACES[0], *FACES[2:])
    others = [
        close(NEW, pledges, [7, 20]),
        close(replace(NEW, id=replace(ID, table="eight")), pledges, [7, 20]),
        close(replace(NEW, id=replace(ID, round=13)), pledges, [7, 20]),
        close(replace(NEW, id=replace(ID, shuffle=2)), pledges, [7, 20]),
        close(NEW, pledges[:1], [7, 20]),
        close(NEW, [Pledge(1, pledges[1].digest), Pledge(2, pledges[0].digest)], [7, 20]),
        close(NEW, pledges, [20, 7]),
        close(NEW, pledges, [27]),
        close(NEW, pledges),
        close(NEW, pledges, [7, 20], dice=1),
        close(NEW, pledges, [7, 20], dice=None),
        close(replace(NEW, faces=swapped), pledges, [7, 20]),
        close(replace(NEW, salts=(b"\xff" * 32, *SALTS[1:])), pledges, [7, 20]),
        close(replace(NEW, salts=(*SALTS[:-1], b"\xff" * 32)), pledges, [7, 20]),
    ]
    assert len(others) == len({commitment.root for commitment in others})
    assert close(NEW, reversed(pledges), [7, 20]) == others[0]


def test_dice_enter_the_order_and_only_links_the_root_and_the_dice_salt_enter_the_dice() -> None:
    """Each of what is fixed or revealed before a chance changes it; what comes after it does not."""
    reveals, others = reveals_of(1, 2), reveals_of(1, 2)
    links = tuple(one.link for one in reveals)
    commitment = close(NEW, pledges_of(reveals), [20], dice=1)
    salted = replace(NEW, salts=(*SALTS[:-1], b"\xff" * 32))
    fewer = close(NEW, pledges_of(reveals[:1]), [20], dice=1)
    other = close(NEW, pledges_of(others), [20], dice=1)
    dice = [
        throw(NEW, commitment, links),
        throw(NEW, fewer, links[:1]),
        throw(NEW, close(NEW, pledges_of(reveals), [21], dice=1), links),
        throw(NEW, other, [one.link for one in others]),
        throw(salted, close(salted, pledges_of(reveals), [20], dice=1), links),
    ]
    assert 1 < len(set(dice))
    assert dice[0] == throw(NEW, commitment, links[::-1])
    for told in ((), links[:1]):
        with pytest.raises(InvalidData, match=r"^expected the links of all seats that pledged, \[1, 2\], got those of"):
            throw(NEW, commitment, told)
    with pytest.raises(InvalidData, match="^expected a commitment to a throw of the dice, got one to none"):
        throw(NEW, close(NEW, pledges_of(reveals)), links)
    first, second = dice[0], (*dice[0][:2], dice[0][2] % 6 + 1)
    orders = [
        joint(commitment.root, throws, told, nonces)
        for throws in ((), (first,), (first, second), (second,))
        for told in ((), links[:1], links)
        for nonces in ((), reveals[:1], reveals)
    ]
    assert len(orders) == len({tuple(one) for one in orders})


def test_a_die_has_six_sides_from_equally_many_octets_each() -> None:
    assert dict.fromkeys(range(1, 7), 32) == Counter(dice_of(range(256)))


def test_all_throws_are_as_likely() -> None:
    (one,) = reveals_of(1)
    counts, many = Counter[Throw](), 10_800
    for number in range(many):
        salted = Secret(ID, FACES, (*SALTS[:-1], number.to_bytes(32, "little")[:31] + b"\1"))
        # The tree is left out: what the dice need of the commitment is its root.
        commitment = Commitment(ID, b"\0" * 32, (pledge(ID, one),), dice=1)
        counts[throw(salted, commitment, [one.link])] += 1
    sides = range(1, 7)
    every = [counts[one, two, three] for one, two, three in product(sides, sides, sides)]
    statistic = sum((count_ - many / 216) ** 2 / (many / 216) for count_ in every)
    assert 1e-6 < chi_square_tail(statistic, 215) < 1 - 1e-6


def test_cuts_turn_the_deck_and_are_all_in_the_order() -> None:
    reveals = reveals_of(3)
    for cuts in ([1], [51], [20, 40], [26, 26], [51, 51, 51]):
        fair = Fair(NEW, close(NEW, pledges_of(reveals), cuts), reveals)
        deck = [FACES[card] for card in fair.sigma]
        for cut in cuts:
            deck = deck[cut:] + deck[:cut]
        assert tuple(deck) == fair.order
        assert [] == verify(fair.proof().as_data())
        for other in range(1, 52):  # a house that says it cut another way
            said = fair.proof().as_data()
            said["commitment"]["cuts"] = [other, *cuts[1:]]
            assert bool(verify(said)) == (other != cuts[0])


def test_after_any_cut_every_order_is_still_as_likely() -> None:
    """A cut is one more rearrangement: over all orders before it, each order after it comes once."""
    for cut in range(1, 5):
        assert 120 == len({deck[cut:] + deck[:cut] for deck in permutations(range(5))})


def test_a_deck_changed_after_the_commitment_is_found() -> None:
    secret, commitment = committed()
    first, second, *rest = secret.faces
    changed = replace(secret, faces=(second, first, *rest))
    for use in (lambda: Fair(changed, commitment), lambda: void(changed, commitment, "a card was seen")):
        with pytest.raises(InvariantBroken, match="expected the commitment to the deck of"):
            use()
    said = Fair(secret, commitment).proof().as_data()
    said["cards"][0]["face"], said["cards"][1]["face"] = second, first
    said["order"] = [{first: second, second: first}.get(face, face) for face in said["order"]]
    assert [True] == [problem.startswith("cards: expected the deck of") for problem in verify(said)]
    # A house that commits anew to the changed deck has another root than the one it published.
    anew = Fair(changed, close(changed)).proof().as_data()
    assert [] == verify(anew)
    assert verify(anew, commitment.root.hex())


def test_the_proofs_of_two_shuffles_cannot_be_exchanged() -> None:
    reveals = reveals_of(3)
    one, two = (Fair(*committed()).proof().as_data() for _ in range(2))
    for name in ("commitment", "cards", "dice_salt", "order"):
        assert verify({**one, name: two[name]}), name
    assert verify(one, two["commitment"]["root"])
    redeal = draw(replace(ID, shuffle=2))
    with pytest.raises(InvalidData, match="seat 3 committed to"):  # a nonce pledged for one shuffle opens no other
        Fair(redeal, close(redeal, pledges_of(reveals)), reveals)


def test_a_seat_that_does_not_reveal_is_named_in_the_proof_and_cannot_be_hidden() -> None:
    reveals = reveals_of(1, 5)
    proof = void(*committed(reveals), "seat 5 did not reveal", reveals=reveals[:1]).as_data()
    assert [5] == proof["unrevealed"]
    assert verify({**proof, "unrevealed": []})
    fewer = {**proof["commitment"], "seats": proof["commitment"]["seats"][:1]}
    assert verify({**proof, "commitment": fewer, "unrevealed": []})


def test_what_was_not_pledged_is_refused() -> None:
    reveals = reveals_of(1, 2)
    secret, commitment = committed(reveals, dice=1)
    for wrong in (*reveals_of(1, 3), replace(reveals[0], seat=2)):
        for use in (
            lambda wrong=wrong: check_reveal(commitment, wrong),
            lambda wrong=wrong: Fair(secret, commitment, (wrong,)),
            lambda wrong=wrong: void(secret, commitment, "no", reveals=(wrong,)),
        ):
            with pytest.raises(
                InvalidData, match=f"expected the nonce that seat {wrong.seat} committed to, got another"
            ):
                use()
        for use in (
            lambda wrong=wrong: check_link(commitment, wrong.link),
            lambda wrong=wrong: throw(secret, commitment, [wrong.link]),
            lambda wrong=wrong: Fair(secret, commitment, (), (wrong.link,)),
            lambda wrong=wrong: void(None, commitment, "no", links=(wrong.link,)),
        ):
            with pytest.raises(
                InvalidData, match=f"expected the link of what seat {wrong.seat} committed to, got another"
            ):
                use()
    for one in reveals:
        check_reveal(commitment, one)
        check_link(commitment, one.link)
    with pytest.raises(InvalidData, match="one of each seat"):
        Fair(secret, commitment, (reveals[0], reveals[0]))


def test_dice_that_do_not_follow_are_refused() -> None:
    secret, commitment = committed(dice=1)
    dice = throw(secret, commitment, ())
    other = (dice[0] % 6 + 1, *dice[1:])
    for wrong in ((other,), (dice, dice), (dice, other)):
        with pytest.raises(
            InvalidData, match=r"expected (1 throws as the commitment says|\(\(\d, \d, \d\),\) as throws)"
        ):
            Fair(secret, commitment, throws=wrong)
        with pytest.raises(InvalidData, match="as throws|no more throws"):
            void(secret, commitment, "no", throws=wrong)
    with pytest.raises(InvalidData, match="expected 1 throws as the commitment says"):
        Fair(secret, commitment)
    with pytest.raises(InvalidData, match="no more throws than were committed to, got 1"):
        void(*committed(), "no", throws=(dice,))


def test_no_seat_can_pledge_a_copy_of_anothers_nonce() -> None:
    (one,) = reveals_of(1)
    copied = Pledge(2, pledge(ID, one).digest)
    with pytest.raises(InvalidData, match="seat 2 committed to"):
        check_reveal(close(NEW, [copied]), Reveal(2, one.nonce))


def test_of_a_hidden_deck_every_rearrangement_is_as_good_as_every_other() -> None:
    """What a last mover can pick is sigma; over all decks the house may have, each pick gives each order once."""
    for sigma in permutations(range(5)):
        counts = Counter(tuple(deck[card] for card in sigma) for deck in permutations(range(5)))
        assert 120 == len(counts)


def test_a_last_mover_who_tries_many_nonces_does_not_move_the_top_card() -> None:
    """Seat 2 sees the root and seat 1's nonce, and takes of nine ways to end, silence included, the one it likes best."""
    tops, rounds = Counter[str](), 2_600
    (first,) = reveals_of(1)
    choices = reveals_of(*[2] * 8)
    for _ in range(rounds):
        secret = draw(ID)
        root = close(secret).root
        sigmas = [joint(root, (), (), told) for told in ((first,), *((first, one) for one in choices))]
        tops[secret.faces[min(sigmas)[0]]] += 1
    expected = rounds / 52
    statistic = sum((tops[face] - expected) ** 2 / expected for face in FACES)
    assert 1e-6 < chi_square_tail(statistic, 51) < 1 - 1e-6


def test_one_honest_nonce_makes_every_order_as_likely_even_for_a_house_that_knows_the_deck() -> None:
    root = committed()[1].root
    nonces = (joint(root, (), (), (Reveal(1, number.to_bytes(32, "big")),)) for number in count())
    found = deck_tests(decks_of(islice(nonces, 20_000), 20_000))
    for test in found.tests:
        assert test.p_value > 1e-6 / len(found.tests), test


def test_before_a_nonce_is_revealed_what_the_house_keeps_tells_no_card() -> None:
    """An insider has deck, salts, commitment, links and dice; each nonce the seat may still reveal gives another order."""
    (one,) = reveals_of(1)
    secret, commitment = committed([one], [20], dice=1)
    dice = throw(secret, commitment, [one.link])
    known = (commitment.root, (dice,), (one.link,))
    tops = Counter(joint(*known, (Reveal(1, number.to_bytes(32, "big")),))[0] for number in range(5_200))
    statistic = sum((tops[card] - 100) ** 2 / 100 for card in range(52))
    assert 1e-6 < chi_square_tail(statistic, 51) < 1 - 1e-6


def test_no_two_shuffles_share_a_salt() -> None:
    salts = [salt for number in range(1, 201) for salt in draw(ShuffleId("seven", number)).salts]
    assert 200 * 53 == len(set(salts))
    with pytest.raises(InvalidData, match="53 different salts, got 1"):
        Secret(ID, FACES, (b"\0" * 32,) * 53)


def test_what_is_secret_is_not_shown_by_accident() -> None:
    reveals = reveals_of(1)
    secret, commitment = committed(reveals)
    shown = repr(Fair(secret, commitment, reveals))
    assert repr(secret.salts[0]) not in shown
    assert repr(secret.faces[:2])[1:-1] not in shown
    assert repr(reveals[0].nonce) not in shown


KEPT_1 = Path(__file__).parents[1] / "data" / "proofs-1.jsonl"


def test_decks_that_were_kept_by_the_first_protocol_have_the_proofs_they_had() -> None:
    for line in KEPT_1.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if (kept := row["kept"]) is None:
            continue
        shuffle = ShuffleId(kept["table"], kept["round"], kept["shuffle"])
        pledges, reveals = (
            [(seat, digits) for seat, digits in reversed(kept[name])] for name in ("pledges", "reveals")
        )
        if kept["state"] == "void":
            found = fair1.void(shuffle, kept["faces"], kept["salts"], pledges, reveals, kept["reason"])
        else:
            found = fair1.proof(shuffle, kept["faces"], kept["salts"], pledges, reveals)
        assert row["proof"] == found, row["what"]


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
        (lambda: Link(1, b"\0" * 33), "a link of 32 bytes, got 33"),
        (lambda: Reveal(256, b"\0" * 32), "a seat from 1 to 255, got 256"),
        (lambda: Reveal(1, b""), "a nonce of 32 bytes, got 0"),
        (lambda: Secret(ID, FACES[:51], SALTS), "the 52 faces in some order, got 51"),
        (lambda: Secret(ID, FACES, SALTS[:52]), "53 different salts, got 52"),
        (lambda: Secret(ID, FACES, (*SALTS[1:], b"short")), "a salt of 32 bytes, got 5"),
        (lambda: close(NEW, (), [0]), "a cut of 1 to 51 cards, got 0"),
        (lambda: close(NEW, (), [20, 52]), "a cut of 1 to 51 cards, got 52"),
        (lambda: close(NEW, (), [1] * 256), "255 cuts at most, got 256"),
        (lambda: Commitment(ID, b""), "the top of a tree of 32 bytes, got 0"),
        (lambda: close(NEW, dice=2), "dice to be thrown once or not at all, got 2 times"),
        (lambda: void(None, close(NEW), ""), "a reason of 1 to 2000 bytes"),
        (lambda: void(None, close(NEW, dice=1), "no", throws=[(1, 1, 1)] * 2), "no more throws than were committed to"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(make: object, words: str) -> None:
    with pytest.raises(InvalidData, match=f"^expected {words}"):
        make()
