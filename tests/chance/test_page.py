"""The page's part in a shuffle and its check of proofs, run by Node without a browser; Python plays the house."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from letitride.chance.fair import Commitment, Fair, Throw, close, throw
from letitride.chance.proof import verify
from letitride.chance.secret import Secret, draw
from letitride.chance.shares import Link, Pledge, Reveal, ShuffleId, link_of, pledge
from tests.chance.conftest import Page
from tests.chance.test_proof import DOCUMENTS, OF_THE_FIRST, changed, get, leaves

ID = ShuffleId("seven", 12, 1)
SEAT = 4


DECKS = {name: one for name, one in (DOCUMENTS | OF_THE_FIRST).items() if one["format"] == "letitride-fair-proof"}


@pytest.mark.parametrize("name", DECKS)
def test_the_page_takes_a_proof_that_holds_and_finds_whatever_is_changed_in_it(page: Page, name: str) -> None:
    document = DECKS[name]
    assert [] == page("problems", document)
    for path in leaves(document):
        was = get(document, path)
        if path == ("reason",) or path[1:2] not in {(), (0,), (1,), ("root",), ("merkle",), ("table",), ("cuts",)}:
            continue
        other = was + 1 if isinstance(was, int) else [1] if was == [] else {"2c": "3c"}.get(was, "2c")
        if isinstance(was, str) and len(was) == 64:
            other = was[:-1] + f"{int(was[-1], 16) ^ 1:x}"
        if name.endswith("lost") and path[0] in {"throws", "cards", "links", "dice_salt"}:
            continue
        assert page("problems", changed(document, path, other)), (path, other)


def test_the_page_finds_what_is_left_out(page: Page) -> None:
    document = DECKS["dealt"]
    for path in (
        ("links",),
        ("throws",),
        ("reveals",),
        ("commitment", "seats"),
        ("commitment", "cuts"),
    ):
        for less in ([], get(document, path)[:-1]):
            assert page("problems", changed(document, path, less)), path
    for version in (1, 2, 4):
        assert page("problems", {**document, "version": version})
    for name in ("cuts", "dice"):
        short = copy.deepcopy(document)
        del short["commitment"][name]
        assert page("problems", short)


def test_the_page_holds_a_proof_against_what_it_saw(page: Page) -> None:
    document = DECKS["dealt"]
    seen = {"root": document["commitment"]["root"], "throws": document["throws"], "nonces": document["reveals"]}
    assert [] == page("problems", document, seen)
    for name, other, problem in (
        ("root", "0" * 64, {"code": "published_root"}),
        ("throws", [[1, 1, 1]], {"code": "published_throws"}),
        ("nonces", [{"seat": 7, "nonce": "70" * 32}], {"code": "left_out", "seat": 7}),
    ):
        assert [problem] == page("problems", document, {**seen, name: other})
    void = DECKS["void"]
    seen = {"root": void["commitment"]["root"], "throws": void["throws"], "nonces": void["reveals"]}
    assert [] == page("problems", void, seen)
    left_out = {**void, "reveals": [], "unrevealed": [1, *void["unrevealed"]]}
    assert [{"code": "left_out", "seat": 1}] == page("problems", left_out, seen)


def test_the_page_takes_no_proof_of_another_deck_than_it_asked_for(page: Page) -> None:
    """Of a deck that it did not watch it has noted no root, or, of one given up early, only the deck."""
    document = DECKS["void before bets were closed"]
    asked = {"table": "sept·7", "round": 3, "shuffle": 2, "merkle": document["commitment"]["merkle"], "root": ""}
    assert [] == page("problems", document, asked)
    for name, other, code in (
        ("table", "six", "another_table"),
        ("round", 4, "another_round"),
        ("shuffle", 1, "another_shuffle"),
        ("merkle", "0" * 64, "published_merkle"),
    ):
        assert [{"code": code}] == page("problems", document, {**asked, name: other})


def announced(secret: Secret) -> dict[str, Any]:
    """Return the message with which pledges begin."""
    return {"type": "pledges", "table": ID.table, "round": 12, "shuffle": 1, "merkle": secret.merkle.hex()}


def committed(commitment: Commitment, wants: str, throws: tuple[Throw, ...] = ()) -> dict[str, Any]:
    """Return the message with which the house wants something revealed."""
    return {"type": "commitment", **commitment.as_data(), "throws": throws, "wants": wants}


def told(what: str, value: str, seat: int = SEAT) -> dict[str, Any]:
    """Return the message by which something a seat gave is acknowledged."""
    return {"type": "share", "table": ID.table, "round": 12, "shuffle": 1, "seat": seat, "what": what, "value": value}


def pledged(page: Page, secret: Secret) -> Pledge:
    """Let the page pledge to a deck."""
    page("begin")
    page("announced", announced(secret))
    (frame,) = page("pledge", SEAT, True)
    assert "pledge" == frame["type"]
    return Pledge(SEAT, bytes.fromhex(frame["digest"]))


def test_a_page_takes_its_part_in_dice_and_deck_and_is_acknowledged(page: Page) -> None:
    secret = draw(ID)
    one = pledged(page, secret)
    assert [] == page("pledge", SEAT, True)  # once is enough while the line holds
    page("reconnected")
    page("announced", announced(secret))
    assert [{"type": "pledge", "round": 12, "shuffle": 1, "digest": one.digest.hex()}] == page(
        "pledge", SEAT, True
    )  # the same nonce
    page("told", told("pledge", one.digest.hex()))
    other = Reveal(1, b"\1" * 32)
    commitment = close(secret, [one, pledge(ID, other)], [20], dice=1)
    (frame,) = page("committed", committed(commitment, "link"), True)
    assert ("link", 12, 1) == (frame["type"], frame["round"], frame["shuffle"])
    link = Link(SEAT, bytes.fromhex(frame["link"]))
    dice = throw(secret, commitment, [link, other.link])  # refuses a link that was not pledged
    page("told", told("link", frame["link"]))
    assert [] == page("committed", committed(commitment, "link"), True)  # it is acknowledged
    (frame,) = page("committed", committed(commitment, "nonce", (dice,)), True)
    assert ("reveal", 12, 1) == (frame["type"], frame["round"], frame["shuffle"])
    reveal = Reveal(SEAT, bytes.fromhex(frame["nonce"]))
    assert link.link == link_of(reveal.nonce)
    page("told", told("nonce", frame["nonce"]))
    proof = Fair(secret, commitment, (reveal, other), (link, other.link), (dice,)).proof().as_data()
    assert [] == verify(proof)
    noted = page("ended", 12, 1)
    assert ["pledge", "link", "nonce"] == noted["mine"]["acknowledged"]
    assert (commitment.root.hex(), [list(dice)], []) == (noted["root"], noted["throws"], noted["doubts"])
    assert [] == page("problems", proof, noted)
    left_out = {**proof, "reveals": proof["reveals"][:1], "unrevealed": [SEAT]}
    assert {"code": "left_out", "seat": 4} in page("problems", left_out, noted)


def test_a_reveal_that_is_lost_is_sent_again_and_one_without_an_answer_is_known(page: Page) -> None:
    secret = draw(ID)
    commitment = close(secret, [pledged(page, secret)])
    assert [] == page("committed", committed(commitment, "nonce"), False)  # the line was down
    assert ["pledge"] == page("ended", 12, 1)["mine"]["sent"]
    page("reconnected")
    (frame,) = page("committed", committed(commitment, "nonce"), True)
    Fair(secret, commitment, (Reveal(SEAT, bytes.fromhex(frame["nonce"])),))
    mine = page("ended", 12, 1)["mine"]
    assert (["pledge", "nonce"], []) == (mine["sent"], mine["acknowledged"])


def test_a_page_reveals_nothing_to_a_house_that_says_one_thing_and_then_another(page: Page) -> None:
    other = draw(ID)
    for doubt in ("merkle", "root", "roots", "left_out", "dice", "cut"):
        secret = draw(ID)
        one = pledged(page, secret)
        good = committed(close(secret, [one]), "nonce")
        message = {
            "merkle": committed(close(other, [one]), "nonce"),
            "root": {**good, "cuts": [7]},
            "roots": committed(close(secret, [one], [7]), "nonce"),
            "left_out": committed(close(secret), "nonce"),
            "dice": {**committed(close(secret, [one], dice=None), "nonce"), "dice": None},  # not bound: two ways to go
            "cut": {**committed(close(secret, [one], [20]), "nonce"), "cuts": [276]},  # the same octet, another deck
        }[doubt]
        if doubt == "roots":
            page("committed", committed(close(secret, [one]), "link"), True)
        assert [] == page("committed", message, True), doubt
        assert ["root" if doubt in {"dice", "cut"} else doubt] == page("ended", 12, 1)["doubts"]
    pledged(page, draw(ID))
    page("announced", announced(other))  # another deck under the same name
    assert ["merkle"] == page("ended", 12, 1)["doubts"]


def test_a_page_reveals_nothing_while_it_sees_bets_taken(page: Page) -> None:
    secret = draw(ID)
    commitment = close(secret, [pledged(page, secret)])
    assert [] == page("betting", True, True)
    assert [] == page("committed", committed(commitment, "nonce"), True)
    assert [] == page("betting", True, True)
    (frame,) = page("betting", False, True)
    Fair(secret, commitment, (Reveal(SEAT, bytes.fromhex(frame["nonce"])),))
    assert [] == page("betting", False, True)


def test_a_page_never_pledges_a_nonce_again_that_it_revealed(page: Page) -> None:
    secret = draw(ID)
    commitment = close(secret, [pledged(page, secret)])
    (frame,) = page("committed", committed(commitment, "nonce"), True)
    for shuffle in range(2, 60):  # a house that would have it forget what it saw
        page("told", {**told("nonce", "0" * 64, seat=1), "shuffle": shuffle})
    page("reconnected")
    page("announced", announced(secret))
    (again,) = page("pledge", SEAT, True)
    assert pledge(ID, Reveal(SEAT, bytes.fromhex(frame["nonce"]))).digest.hex() != again["digest"]


def test_what_is_published_for_a_seat_and_did_not_come_from_it_is_noted(page: Page) -> None:
    pledged(page, draw(ID))
    page("told", told("pledge", "0" * 64, seat=1))
    assert [] == page("ended", 12, 1)["doubts"]
    page("told", told("pledge", "0" * 64))
    assert (["another"], []) == (page("ended", 12, 1)["doubts"], page("ended", 12, 1)["mine"]["acknowledged"])


def test_a_page_without_a_seat_pledges_when_it_gets_one(page: Page) -> None:
    page("begin")
    page("announced", announced(draw(ID)))
    assert [] == page("pledge", 0, True)
    assert 1 == len(page("pledge", SEAT, True))
    assert 1 == len(page("pledge", 2, True))  # another seat pledges another nonce
    assert 2 == page("ended", 12, 1)["mine"]["seat"]
    page("reconnected")
    assert [] == page("pledge", SEAT, True)  # it has ended: there is nothing to pledge to


def test_a_page_pledges_to_each_of_two_decks_that_lie_there(page: Page) -> None:
    first, second = draw(ID), draw(ShuffleId("seven", 12, 2))
    page("begin")
    for secret in (first, second):
        page("announced", {**announced(secret), "shuffle": secret.id.shuffle})
    frames = page("pledge", SEAT, True)
    assert {1, 2} == {frame["shuffle"] for frame in frames}
    for secret in (second, first):
        digest = next(frame["digest"] for frame in frames if frame["shuffle"] == secret.id.shuffle)
        commitment = close(secret, [Pledge(SEAT, bytes.fromhex(digest))])
        (frame,) = page("committed", committed(commitment, "nonce"), True)
        Fair(secret, commitment, (Reveal(SEAT, bytes.fromhex(frame["nonce"])),))
