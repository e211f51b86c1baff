"""`letitride verify`: 0 for a proof that holds, 1 for one that does not, 2 for what is none."""

from __future__ import annotations

import json
from pathlib import Path

from letitride.chance.fair import Fair, Reveal, ShuffleId, commit, pledge, void
from tests.cli.command import read, run

ID = ShuffleId("seven", 3)
REVEALS = (Reveal(1, b"\1" * 32), Reveal(2, b"\2" * 32))
FAIR = Fair(commit(ID, [pledge(ID, one) for one in REVEALS]), REVEALS[:1])
ROOT = FAIR.secret.commitment.root.hex()


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


def test_the_proof_of_a_card_and_of_a_void(tmp_path: Path) -> None:
    card = written(tmp_path / "card.json", FAIR.card_proof(4).as_data())
    assert f"{FAIR.order[4]} at place 5 from the top" in run("verify", "proof", card).stdout
    given_up = written(tmp_path / "void.json", void(FAIR.secret, (), "a card\x1b[2J was seen").as_data())
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
