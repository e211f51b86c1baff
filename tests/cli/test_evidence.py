"""`letitride evidence`: one folder with everything a test lab asks for, whole, checkable, and the same for the same inputs."""

from __future__ import annotations

import csv
import errno
import itertools
import json
import os
import pty
import re
import signal
import subprocess
from contextlib import redirect_stderr, redirect_stdout, suppress
from hashlib import sha256
from io import StringIO
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
import typer
from pypdf import PdfReader

from letitride.chance.live import permutation
from letitride.cli.io.interrupts import kept_back
from letitride.cli.simulation import evidence as evidence_command
from letitride.cli.simulation.evidence import evidence
from letitride.cli.simulation.evidence_gather import Asked
from letitride.errors import InvalidData
from letitride.reports.evidence.live_generator import live_page, live_verdict
from letitride.rules import catalog
from letitride.rules.cards import FACES
from letitride.simulation import shuffle_tests
from letitride.simulation.shuffle_tests import deck_tests, decks_of
from tests.cli.command import COMMAND, SECONDS, run

RIVERSIDE = "examples/riverside/riverside.toml"


def call(*words: str, out: Path, **options: Any) -> tuple[str, str]:
    """Make a pack in this process; return what was printed and what was said."""
    printed, said = StringIO(), StringIO()
    with redirect_stdout(printed), redirect_stderr(said):
        evidence(*words, out=str(out), **{"rounds": "2e5", "decks": "1e4", "live": "0", "seed": 1, **options})
    return printed.getvalue(), said.getvalue()


def pack(folder: Path) -> Any:
    """Return what a pack says for programs."""
    return json.loads((folder / "evidence.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """A pack of a book with two wagers, and what was printed."""
    folder = tmp_path_factory.mktemp("packs") / "house"
    return folder, *call("hand-dealt-1", out=folder, as_json=True)


@pytest.fixture(scope="module")
def banked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """A pack of a book by which a player banks, which leaves limits and fees open."""
    folder = tmp_path_factory.mktemp("packs") / "banked"
    return folder, *call("california-1", out=folder, values=["limit.cents_min=1000"], seed=5)


def test_every_file_is_there_and_has_the_digest_it_is_listed_with(house: Any) -> None:
    folder, _, said = house
    assert f"wrote 10 files to {folder}; seed 1\n" == said
    names = {path.name for path in folder.iterdir()}
    sheets = {f"par-{name}.{kind}" for name in ("HD-BASE", "HD-SIDE") for kind in ("pdf", "json")}
    beside = {"clauses.csv", "code-digests.txt"}
    assert names == {"index.html", "index.pdf", "evidence.json", "SHA256SUMS", *beside, *sheets}
    listed = dict(reversed(line.split("  ")) for line in (folder / "SHA256SUMS").read_text().splitlines())
    assert names - {"SHA256SUMS"} == set(listed)
    for name, digest in listed.items():
        assert digest == sha256((folder / name).read_bytes()).hexdigest()
    assert {name: digest for name, digest in listed.items() if name != "evidence.json"} == pack(folder)["files"]
    subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=folder, check=True, capture_output=True)


def test_the_data_says_what_was_done_and_what_came_of_it(house: Any) -> None:
    folder, printed, _ = house
    data = pack(folder)
    assert json.loads(printed) == data
    assert ("letitride evidence pack", True) == (data["kind"], data["consistent"])
    assert catalog.table_rules("hand-dealt-1").book.digest == data["book"]["sha256"]
    assert {"HD-BASE": ["base"], "HD-SIDE": ["three_card"]} == {one["id"]: one["wagers"] for one in data["paytables"]}
    assert all(catalog.paytable(one["id"]).digest == one["sha256"] for one in data["paytables"])
    simulation = data["simulation"]
    assert (200_000, 1, 7) == (simulation["rounds"], simulation["seed"], data["table"]["seats"])
    for wager in simulation["wagers"]:
        low, high = wager["interval"]
        assert low < wager["mean"] < high
        assert wager["z"] == pytest.approx((wager["mean"] - wager["exact"]["value"]) / wager["standard_error"])
        assert 1_400_000 == sum(row["count"] for row in wager["categories"])
        assert 200_000 == sum(row["first_seat"] for row in wager["categories"])
    assert simulation["verdict"]["tests"] == 4
    assert 200_000 == simulation["tallies"]["rounds"]
    tests = data["shuffle_tests"]
    assert (10_000, 17, []) == (tests["decks"], len(tests["tests"]), tests["verdict"]["failed"])
    assert {"numpy", "numba", "letitride", "Python", "platform"} <= set(data["run"]["versions"])


def test_the_live_generator_is_tested_beside_and_labelled_as_not_repeatable(house: Any, tmp_path: Path) -> None:
    printed, said = call("hand-dealt-1", out=tmp_path / "pack", live="1e4")
    assert f"wrote 13 files to {tmp_path / 'pack'}; seed 1\n" == said
    assert "The generator of live tables passes all 10 deck tests" in printed
    live, told = pack(tmp_path / "pack"), pack(house[0])
    found = live["run"].pop("live_shuffle_tests")
    assert (False, 10_000, 10) == (found["repeatable"], found["decks"], len(found["samples"][0]["tests"]))
    assert "operating system" in found["source"]
    page = (tmp_path / "pack" / "live-shuffle.html").read_text(encoding="utf-8")
    assert live["files"].pop("live-shuffle.html") == sha256(page.encode()).hexdigest()
    raw, decks = ((tmp_path / "pack" / name).read_bytes() for name in ("rng-raw.bin", "rng-decks.txt"))
    octets = iter(raw)
    for deck in decks.decode().splitlines():  # the raw octets give the decks again
        assert deck.split() == [FACES[card] for card in permutation(octets, 52)]
    assert 1_000 == decks.count(b"\n")
    assert {live["files"].pop("rng-raw.bin"), live["files"].pop("rng-decks.txt")} == {
        sha256(content).hexdigest() for content in (raw, decks)
    }
    assert "Not repeatable" in page
    assert all(test["name"] in page for test in found["samples"][0]["tests"])
    assert told["run"]["live_shuffle_tests"] is None
    for one in (live, told):
        one.pop("run")
    for name in ("index.html", "index.pdf"):  # which says that outputs were collected
        assert live["files"].pop(name) != told["files"].pop(name)
    assert live == told  # nothing else of the pack changes by it
    call("hand-dealt-1", out=tmp_path / "pack")
    assert not (tmp_path / "pack" / "live-shuffle.html").exists()


def test_a_live_generator_that_fails_twice_is_said_to() -> None:
    good, bad = (deck_tests(decks_of(source, 10_000)) for source in (live_order, stuck_order))
    assert bad.failed
    assert "passes all 10 deck tests on a second sample of 10,000 decks" in live_verdict((bad, good), 10_000)
    assert "fails deck tests on two samples of 10,000 decks; this is not repeatable." in live_verdict(
        (bad, bad), 10_000
    )
    made = live_page((bad, bad), 10_000, "now")
    assert not made.consistent
    assert ["How to read this", "Deck tests, sample 1", "Deck tests, sample 2"] == [part.heading for part in made.parts]


def live_order() -> list[int]:
    return permutation(repeatable, 52)


def stuck_order() -> list[int]:
    """An order whose top card is always the same."""
    return [0, *(1 + card for card in permutation(repeatable, 51))]


repeatable = (octet for count in itertools.count() for octet in sha256(b"octets %d" % count).digest())


def test_clauses_are_counted_and_no_proof_is_invented(house: Any) -> None:
    (document,) = pack(house[0])["clauses"]["documents"]
    rows = [clause for clause in catalog.register().values() if clause.document == "hd"]
    assert (len(rows), sum(clause.provable for clause in rows)) == (document["clauses"], document["demanding"])
    assert sum(bool(clause.steps) for clause in rows) == document["carried_by"]["steps"]
    assert [] == document["carried_by_nothing"]
    assert document["proven_by_tests"] is None
    assert pack(house[0])["clauses"]["proofs_note"].startswith("not available in an installed package")


def test_the_index_says_the_same_for_people(house: Any) -> None:
    folder, *_ = house
    data = pack(folder)
    reader = PdfReader(folder / "index.pdf")
    assert reader.metadata is not None
    text = " ".join("\n".join(page.extract_text() for page in reader.pages).split())
    html = (folder / "index.html").read_text(encoding="utf-8")
    assert "/MarkInfo" in reader.trailer["/Root"]
    assert reader.metadata.title == "Evidence pack: " + data["book"]["title"]
    for said in (
        "Consistent: 200,000 simulated rounds agree with the exact values of all 2 wagers",
        data["book"]["sha256"],
        data["simulation"]["game_sha256"],
        *(one["sha256"] for one in data["paytables"]),
        *(one["name"] for one in data["shuffle_tests"]["tests"]),
        "It is not a test lab",
        "not available in an installed package",
    ):
        assert said in text
        assert said in html
    assert "http" not in html
    assert "<script" not in html
    for sheet in ("HD-BASE", "HD-SIDE"):
        assert catalog.paytable(sheet).digest == json.loads((folder / f"par-{sheet}.json").read_text())["sha256"]
        assert f"Par sheet {sheet}" in PdfReader(folder / f"par-{sheet}.pdf").pages[0].extract_text()


def test_columns_of_the_index_keep_apart(house: Any) -> None:
    text = "\n".join(page.extract_text() for page in PdfReader(house[0] / "index.pdf").pages)
    assert "Wager Mean result Standard error" in text
    assert re.search(r"^Base game −0\.\d{6} ", text, re.MULTILINE)
    assert re.search(r"^Base game HD-BASE \$\d+ to \$[\d,]+ ", text, re.MULTILINE)


def test_the_same_inputs_give_the_same_pack_apart_from_the_run(house: Any) -> None:
    folder, *_ = house
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    data = pack(folder)
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    listed = (folder / "SHA256SUMS").read_text()
    (folder / "par-GONE.pdf").write_bytes(b"of an earlier pack")
    (folder / "SHA256SUMS").write_text(listed + f"{'0' * 64}  par-GONE.pdf\n{'0' * 64}  ../notes.txt\n")
    words = ["evidence", "hand-dealt-1", "--out", folder, "--rounds", "2e5", "--shuffle-decks", "10000"]
    done = run(*words, "--live-decks", "0", "--seed", "1")  # live ones are never the same twice
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Consistent: ")
    again = pack(folder)
    assert {**data, "run": None} == {**again, "run": None}
    for name, content in before.items():
        assert name in {"evidence.json", "SHA256SUMS"} or content == (folder / name).read_bytes()
    assert {*before, "notes.txt"} == {path.name for path in folder.iterdir()}


def test_a_bank_that_covers_everything_and_values_that_are_stated_are_said(banked: Any) -> None:
    folder, printed, said = banked
    assert f"wrote 8 files to {folder}; seed 5\n" == said
    assert printed.startswith("Consistent: ")
    data = pack(folder)
    assert (6, True) == (data["table"]["seats"], data["table"]["seats_are_opponents_of_a_bank_that_covers_everything"])
    assert ["limit.cents_max", "fee.tiers"] == list(data["book"]["stated_by_letitride"])
    assert {"limit.cents_min": 1000} == data["book"]["set_for_this_pack"]
    assert 1000 == data["table"]["stakes_cents"]["base-1"]
    html = (folder / "index.html").read_text(encoding="utf-8")
    for said in (
        "6, playing against a bank that covers every bet",
        "as if the bank covered every bet, with 6 of the 7 seats playing against it",
        "letitride, because the book gives no value",
        "the author of this pack",
    ):
        assert said in html


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"out": "{}/full"}, "expected a new folder, an empty one or an earlier pack after --out, got '{}/full'"),
        ({"out": "{}/full/notes.txt"}, "expected a folder after --out, got '{}/full/notes.txt', a file"),
        ({"out": "{}/none/pack"}, "expected a folder within one that exists after --out, got '{}/none/pack'"),
        (
            {"out": "/proc/pack"},
            "expected a folder that can be written after --out, got '/proc/pack': No such file or directory",
        ),
        ({"out": ""}, "expected a folder after --out, got ''"),
        ({"rounds": "many"}, "expected a whole number of rounds, such as 1000000 or 1e6, after --rounds, got 'many'"),
        ({"rounds": "10"}, "expected 1,000 rounds or more after --rounds, got '10'"),
        ({"decks": "1e3"}, "expected 10,000 decks or more after --shuffle-decks, got '1e3'"),
        ({"seats": 8}, "expected 1 to 7 seats under nsw-1, after --seats, got 8"),
        ({"seed": -1}, "expected a seed from 0 to 9223372036854775807, got -1"),
        ({"proofs": "{}/none"}, "expected a file of clause counts, got '{}/none', which does not exist"),
        (
            {"proofs": "{}/full/notes.txt"},
            "{}/full/notes.txt: expected what 'scripts/clauses --json' prints, got no JSON",
        ),
        (
            {"values": ["limit.cents_min=x"]},
            "table by nsw-1: limit.cents_min: expected a whole number, 1 or more, got 'x'",
        ),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_written(
    options: dict[str, Any], sentence: str, tmp_path: Path
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("mine", encoding="utf-8")
    given = {"out": "{}/pack", **options}
    with pytest.raises(InvalidData) as refused:
        evidence("nsw-1", **{k: v.replace("{}", str(tmp_path)) if isinstance(v, str) else v for k, v in given.items()})
    assert str(refused.value) == sentence.replace("{}", str(tmp_path))
    assert [tmp_path / "full"] == list(tmp_path.iterdir())


def test_the_bank_has_no_seat_among_its_opponents(tmp_path: Path) -> None:
    with pytest.raises(InvalidData, match="expected 1 to 6 seats under california-1, besides the bank, after"):
        evidence("california-1", out=str(tmp_path / "pack"), seats=7)


def test_proofs_are_taken_as_they_were_counted_and_refused_if_of_another_register(tmp_path: Path) -> None:
    file = tmp_path / "clauses.json"
    rows = [clause for clause in catalog.register().values() if clause.provable]
    books = {name: {"total": 0, "proven": 0} for name in ("ca", "hd", "nsw", "sm", "wa")}
    for clause in rows:
        books[clause.document]["total"] += 1
    books["nsw"]["proven"] = 100
    mine = [clause.id for clause in rows if clause.document == "nsw"]
    unproven = [clause.id for clause in rows if clause.document != "nsw"] + mine[100:]
    proofs = {"books": books, "unproven": unproven, "tests": {"nsw:3.4": ["tests/a.py::test_b"]}}
    file.write_text(json.dumps(proofs), encoding="utf-8")
    options = {"rounds": "2e5", "decks": "1e4", "live": "0", "proofs": str(file), "seed": 3, "as_json": False}
    evidence(RIVERSIDE, out=str(tmp_path / "pack"), prepared_by="Ann", **options)
    data = pack(tmp_path / "pack")
    (document,) = data["clauses"]["documents"]
    in_force = {one["clause"] for one in data["game"]["clauses"] if one["status"] == "in force"}
    assert len(in_force & {*mine[:100]}) == document["proven_by_tests"] < 100
    assert ["nsw:2.2", "nsw:2.2.1", "nsw:7.3.3", "nsw:10.1"] == document["departed_from"]
    out_of_force = len(document["not_arising"]) + len(document["departed_from"])
    assert len(in_force) == document["in_force"] == document["demanding"] - out_of_force
    check_own_game(data)
    assert ("Ann", "") == (data["sign_off"]["prepared_by"], data["sign_off"]["reviewed_by"])
    listed = list(csv.DictReader((tmp_path / "pack" / "clauses.csv").read_text(encoding="utf-8").splitlines()))
    (row,) = [one for one in listed if one["clause"] == "nsw:3.4"]
    assert ("in force", "yes", "tests/a.py::test_b") == (row["status"], row["proven"], row["tests"])
    assert "proven by tests</th>" in (tmp_path / "pack" / "index.html").read_text(encoding="utf-8")
    html = (tmp_path / "pack" / "index.html").read_text(encoding="utf-8")
    for said in ("52 cards, no joker", "Departures", "Exposure", "Game protection", "set by", "Prepared by", "Ann"):
        assert said.lower() in html.lower()
    wanted = books["nsw"]["total"]
    books["nsw"]["total"] += 1
    file.write_text(json.dumps(proofs), encoding="utf-8")
    with pytest.raises(InvalidData, match=f"expected how many of the {wanted} clauses of 'nsw' are proven, got"):
        evidence(RIVERSIDE, out=str(tmp_path / "pack"), **options)


def check_own_game(data: Any) -> None:
    """A house's own book, from its files to the pack: priced as configured, and simulated at both stakes."""
    base = [one for one in data["game"]["prices"] if (one["wager"], one["in_force"]) == ("base", True)]
    assert [([1_000], False), ([20_000], True)] == [(one["stakes_cents"], one["capped"]) for one in base]
    runs = data["simulation"], data["simulation_at_highest_stakes"]
    assert runs[0]["seed"] != runs[1]["seed"]
    for priced, one in zip(base, runs, strict=True):
        found = one["wagers"][0]
        assert priced["house_edge"]["value"] == pytest.approx(-found["exact"]["value"])
        assert priced["variance"]["value"] == pytest.approx(found["exact_variance"]["value"])
        assert abs(found["z"]) < one["verdict"]["z_limit"]
        assert abs(found["mean"] + priced["house_edge"]["value"]) < 5 * found["standard_error"]
    assert base[1]["house_edge"]["value"] > base[0]["house_edge"]["value"] + 0.007
    alone, together = data["game"]["most_lost_in_a_round"]
    assert 2_500_000 < alone["cents"] < together["cents"]
    burn = next(one for one in data["game"]["keys"] if one["key"] == "burn.card")
    assert ("own", "riverside-1", ["nsw:7.3.3"]) == (burn["source"], burn["book"], burn["departs_from"])
    script = data["game"]["script_of_a_round"]
    assert any("burn the top card" in step["what"] for step in script)
    assert not any("nsw:7.3.3" in step["clauses"] for step in script)
    assert {"hand_count", "absent"} <= {one["irregularity"] for one in data["game"]["irregularities"]}


def test_a_pack_that_names_no_seed_has_one_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[int] = []

    def stop(asked: Asked, *_: object) -> None:
        seeds.append(asked.seed)
        raise InvalidData("enough")

    monkeypatch.setattr(evidence_command, "gather", stop)
    for number in range(2):
        with pytest.raises(InvalidData, match="enough"):
            evidence("nsw-1", out=str(tmp_path / f"pack{number}"))
    assert 2 == len({*seeds})


def test_a_pack_of_too_few_rounds_is_not_called_consistent(tmp_path: Path) -> None:
    printed, _ = call("nsw-1", out=tmp_path / "pack", rounds="1e3")
    assert printed.startswith("Undecided: too few rounds to test the mean of Base game: ")
    html = (tmp_path / "pack" / "index.html").read_text(encoding="utf-8")
    assert "Undecided: too few rounds" in html
    assert "undecided, too few rounds" in html
    assert "Consistent: " not in html


def test_a_failed_test_is_told_everywhere_and_ends_in_code_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = shuffle_tests.Outcome(
        "cards by place", "a card that prefers a place", 10, "decks", 99.0, "chi-square", 2, 0.0
    )
    monkeypatch.setattr(shuffle_tests, "simulation_tests", lambda *_: shuffle_tests.Family((bad,)))
    with pytest.raises(typer.Exit) as stopped:
        evidence("nsw-1", out=str(tmp_path / "pack"), rounds="1e4", decks="1e4", live="0", seed=1, as_json=True)
    assert 1 == stopped.value.exit_code
    data = json.loads(capsys.readouterr().out)
    assert (False, ["cards by place"]) == (data["consistent"], data["shuffle_tests"]["verdict"]["failed"])
    html = (tmp_path / "pack" / "index.html").read_text(encoding="utf-8")
    assert "Not consistent: 1 of 1 shuffle test failed (cards by place)." in html


def test_a_full_disk_is_one_sentence_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Path.write_bytes

    def write(path: Path, content: bytes) -> int:
        if path.parent.name == "pack" and "-3." in path.name:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return whole(path, content)

    monkeypatch.setattr(Path, "write_bytes", write)
    with pytest.raises(InvalidData, match="expected a file that can be written, got '.*': No space left on device"):
        evidence("nsw-1", out=str(tmp_path / "pack"), rounds="1e3", decks="1e4", live="0")
    assert [] == list(tmp_path.iterdir())


def test_progress_is_told_on_a_terminal_and_an_interrupted_run_leaves_nothing(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    command = [COMMAND, "evidence", "nsw-1", "--out", "pack", "--rounds", "1e11"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=theirs, stdout=subprocess.PIPE) as running:
        os.close(theirs)
        patience = Timer(SECONDS, running.kill)
        patience.start()
        said = b""
        while b"s left" not in said:
            said += os.read(ours, 4096)
        running.send_signal(signal.SIGINT)
        with suppress(OSError):  # the terminal is gone with the last who wrote to it
            while part := os.read(ours, 4096):
                said += part
        assert running.stdout is not None
        assert (130, b"") == (running.wait(SECONDS), running.stdout.read())
        patience.cancel()
    os.close(ours)
    assert said.endswith(b"\x1b[Kletitride: interrupted\r\n")
    assert b"Traceback" not in said
    assert [] == list(tmp_path.iterdir())


def test_an_interrupt_that_is_kept_back_comes_where_it_may_and_is_never_lost() -> None:
    before, reached = signal.getsignal(signal.SIGINT), []

    def work(*, asks: bool) -> None:
        with kept_back() as stop_if_it_came:
            stop_if_it_came()
            signal.raise_signal(signal.SIGINT)
            reached.append("the middle")
            if asks:
                stop_if_it_came()
            reached.append("the end")

    for asks, expected in ((True, ["the middle"]), (False, ["the middle", "the end"])):
        reached.clear()
        with pytest.raises(KeyboardInterrupt):
            work(asks=asks)
        assert expected == reached
        assert before is signal.getsignal(signal.SIGINT)
