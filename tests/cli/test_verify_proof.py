"""`letitride verify`: 0 for a proof that holds, 1 for one that does not, 2 for what is none."""

from __future__ import annotations

import json
from pathlib import Path

from letitride.chance.fair import Fair, close, throw, void
from letitride.chance.secret import draw
from letitride.chance.shares import Reveal, ShuffleId, pledge
from tests.cli.command import read, run

ID = ShuffleId("seven", 3)
REVEALS = (Reveal(1, b"\1" * 32), Reveal(2, b"\2" * 32))
LINKS = tuple(one.link for one in REVEALS)
SECRET = draw(ID)
COMMITMENT = close(SECRET, [pledge(ID, one) for one in REVEALS], [20, 31], dice=1)
DICE = throw(SECRET, COMMITMENT, LINKS)
FAIR = Fair(SECRET, COMMITMENT, REVEALS, LINKS, (DICE,))
ROOT = COMMITMENT.root.hex()
OLD = Path(__file__).parents[1] / "data" / "proofs-1.jsonl"


def written(path: Path, data: object) -> str:
    path.write_text(json.dumps(data), encoding="utf-8")
    return str(path)


def test_a_proof_that_holds(tmp_path: Path) -> None:
    file = written(tmp_path / "proof.json", FAIR.proof().as_data())
    assert {"file": file, "valid": True, "root_compared": False, "problems": []} == read("verify", "proof", file)
    assert read("verify", "proof", file, "--root", ROOT.upper())["root_compared"]
    shown = run("verify", "proof", file)
    assert 0 == shown.returncode
    assert " ".join(FAIR.order)[:60] in shown.stdout
    assert "compare it with the one you noted" in shown.stdout
    dice = " ".join(map(str, DICE))
    for label, fact in (("cuts", "20, 31 cards from the top"), ("dice", f"{dice} (by the house and 1, 2)")):
        assert [True] == [fact in line for line in shown.stdout.splitlines() if label in line.split()[:1]], label


def test_a_players_nonce_is_looked_for_in_the_proof(tmp_path: Path) -> None:
    given_up = void(SECRET, COMMITMENT, "seat 2 did not reveal", links=LINKS, throws=(DICE,), reveals=REVEALS[:1])
    file = written(tmp_path / "proof.json", given_up.as_data())
    assert read("verify", "proof", file, "--nonce", REVEALS[0].nonce.hex().upper())["valid"]
    done = run("verify", "proof", file, "--nonce", REVEALS[1].nonce.hex())
    assert 1 == done.returncode
    assert "expected your nonce among them" in done.stdout.replace("\n", " ")
    assert "listed as unrevealed: 2" in done.stdout.replace("\n", " ")


def test_a_proof_of_the_first_protocol_holds_and_says_what_it_leaves_out(tmp_path: Path) -> None:
    first = json.loads(OLD.read_text(encoding="utf-8").splitlines()[0])["proof"]
    shown = run("verify", "proof", written(tmp_path / "old.json", first))
    assert 0 == shown.returncode
    assert "cuts and dice are not in this proof" in shown.stdout


def test_a_proof_of_the_second_protocol_says_that_the_dice_are_to_be_compared(tmp_path: Path) -> None:
    second = close(SECRET, COMMITMENT.pledges, dice=None)
    shown = run("verify", "proof", written(tmp_path / "old.json", Fair(SECRET, second, REVEALS).proof().as_data()))
    assert 0 == shown.returncode
    assert "2: the root does not say whether dice are thrown" in shown.stdout.replace("\n", " ")


def test_a_deck_that_lacks_a_nonce_is_not_valid(tmp_path: Path) -> None:
    """A house that may leave one out chooses between two decks."""
    short = {**FAIR.proof().as_data(), "unrevealed": [2]}
    short["reveals"] = short["reveals"][:1]
    done = run("verify", "proof", written(tmp_path / "short.json", short), "--root", ROOT)
    assert 1 == done.returncode
    expected = "reveals: expected the nonces of all seats that pledged, [1, 2], got those of [1]"
    assert expected in " ".join(done.stdout.split())


def test_the_proof_of_a_card_and_of_a_void(tmp_path: Path) -> None:
    card = written(tmp_path / "card.json", FAIR.card_proof(4).as_data())
    assert f"{FAIR.order[4]} at place 5 from the top" in run("verify", "proof", card).stdout
    given_up = written(tmp_path / "void.json", void(SECRET, COMMITMENT, "a card\x1b[2J was seen").as_data())
    shown = run("verify", "proof", given_up)
    assert 0 == shown.returncode
    assert "'a card\\x1b[2J was seen'" in shown.stdout


def test_a_proof_that_does_not_hold_names_the_first_thing_wrong(tmp_path: Path) -> None:
    data = FAIR.proof().as_data()
    data["order"] = list(reversed(data["order"]))
    file = written(tmp_path / "proof.json", data)
    done = run("verify", "proof", file)
    assert (1, "") == (done.returncode, done.stderr)
    assert "is not valid: order[0]: expected" in done.stdout.replace("\n", " ")
    done = run("verify", "proof", file, "--json")
    assert 1 == done.returncode
    found = json.loads(done.stdout)
    assert not found["valid"]
    assert found["problems"][0].startswith("order[0]: expected ")
    good = written(tmp_path / "good.json", FAIR.proof().as_data())
    assert 1 == run("verify", "proof", good, "--root", "0" * 64).returncode


def test_what_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("{", encoding="utf-8")
    octets = tmp_path / "octets"
    octets.write_bytes(b"\xff\xfe\x00")
    for file in (text, octets, tmp_path / "missing", tmp_path):
        done = run("verify", "proof", str(file))
        assert (2, "", 1) == (done.returncode, done.stdout, done.stderr.count("\n")), file
        assert "expected" in done.stderr
