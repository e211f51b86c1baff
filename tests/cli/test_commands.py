"""The command line: tables for people, JSON for programs, one sentence for bad input."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from letitride import __version__
from letitride.rules import catalog
from letitride.rules.keyspec import KEYS
from tests.cli.command import COMMAND, SECONDS, process, read, run


def test_the_version() -> None:
    assert f"letitride {__version__}\n" == process("--version").stdout


def test_without_a_command_it_shows_the_books_and_what_to_try_next() -> None:
    shown = run()
    assert 0 == shown.returncode
    assert all(book_id in shown.stdout for book_id in catalog.rulebook_ids())
    assert "letitride rules diff" in shown.stdout


@pytest.mark.parametrize("words", [("par", "LIRB-06"), ("rules", "list"), ("hand", "Th", "Jh", "Qh", "Kh", "Ah")])
def test_json_before_a_command_is_json_of_that_command(words: tuple[str, ...]) -> None:
    assert run(*words, "--json").stdout == run("--json", *words).stdout
    assert json.loads(run("--json", *words).stdout)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no device without end here")
@pytest.mark.parametrize(
    "words", [("rules", "check", "/dev/zero"), ("par", "/dev/zero"), ("wagers", "check", "/dev/zero"), ("replay", "{}")]
)
def test_a_device_without_end_is_not_read_to_its_end(tmp_path: Path, words: tuple[str, ...]) -> None:
    record = tmp_path / "a.round"
    record.write_text("rulebook /dev/zero\n", encoding="utf-8")
    done = run(*(word.format(record) for word in words))
    assert (2, True) == (done.returncode, "which is a device or a pipe" in done.stderr)
    assert 1 == done.stderr.count("\n")


def test_shell_completion_is_offered() -> None:
    assert "--install-completion" in run("--help").stdout
    done = process(_LETITRIDE_COMPLETE="complete_bash", COMP_WORDS="letitride ru", COMP_CWORD="1")
    assert "rules" in done.stdout.split()


def test_rules_list() -> None:
    listed = read("rules", "list")
    assert list(catalog.rulebook_ids()) == [book["id"] for book in listed]
    assert ["limit.cents_min", "limit.cents_max", "fee.tiers"] == listed[0]["must_state"]


def test_rules_show_a_book_gives_every_key_its_value_and_its_source() -> None:
    shown = read("rules", "show", "nsw-1")
    assert list(KEYS) == [key["key"] for key in shown["keys"]]
    by_name = {key["key"]: key for key in shown["keys"]}
    assert ("single", "document", ["nsw:7.3.1", "nsw:7.3.2"]) == tuple(
        by_name["deal.unit"][name] for name in ("value", "source", "clauses")
    )
    assert ("house", []) == (by_name["reveal.direction"]["source"], by_name["reveal.direction"]["clauses"])
    assert catalog.rulebook("nsw-1").digest == shown["sha256"]
    for_people = run("rules", "show", "nsw-1").stdout
    assert "house default" in for_people
    assert "nsw:7.3.1" in for_people


def test_rules_show_a_key_explains_it() -> None:
    shown = run("rules", "show", "nsw-1", "bet.cutoff").stdout
    for part in ("The moment that closes betting.", "nsw:5.3", "call_and_lockout:", "why ", "a table "):
        assert part in shown
    (key,) = read("rules", "show", "nsw-1", "bet.cutoff")["keys"]
    assert "call_and_first_card" == key["value"]


def test_rules_show_a_clause_with_or_without_its_prefix() -> None:
    for name in ("nsw:12.6", "12.6"):
        shown = read("rules", "show", "nsw-1", name)
        assert ["nsw:12.6.s1", "nsw:12.6.s2"] == [clause["id"] for clause in shown["clauses"]]
    assert ["wa:felt.1"] == [clause["id"] for clause in read("rules", "show", "washington-1", "felt.1")["clauses"]]
    assert "Community card exposed" in run("rules", "show", "nsw-1", "12.6").stdout


def test_rules_show_takes_a_tables_own_values() -> None:
    shown = read("rules", "show", "nsw-1", "limit.cents_max", "--set", "limit.max=2500")
    assert (2500, "table") == (shown["keys"][0]["value"], shown["keys"][0]["source"])


def test_rules_diff_shows_only_what_differs_with_the_clauses_of_both_sides() -> None:
    shown = read("rules", "diff", "nsw-1", "hand-dealt-1")
    found = {row["key"]: row for row in shown["differences"]}
    assert (["nsw:7.3.3"], ["hd:round.8"]) == (
        found["burn.card"]["left"]["clauses"],
        found["burn.card"]["right"]["clauses"],
    )
    assert "deal.unit" not in found  # both deal single cards
    left, right = catalog.rulebook("nsw-1").values(), catalog.rulebook("hand-dealt-1").values()
    assert {name for name in KEYS if left.get(name) != right.get(name)} == set(found)
    for_people = run("rules", "diff", "nsw-1", "hand-dealt-1").stdout
    assert all(name in for_people for name in found)
    assert [] == read("rules", "diff", "nsw-1", "nsw-1")["differences"]


def test_rules_check_a_custom_book(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('id = "own-1"\ntitle = "Own"\nextends = "california-1"\n[rules]\nseats = 6\n')
    checked = read("rules", "check", str(path))
    assert (True, ["limit.cents_min", "limit.cents_max", "fee.tiers"]) == (checked["valid"], checked["must_state"])
    assert ["seats"] == checked["own_keys"]
    dealt = checked["dealt"]
    assert "own-1" == dealt["tables"][0]
    assert dealt["rounds"] == dealt["settled"] + dealt["disturbed"] > 100 * len(dealt["tables"])
    said = run("rules", "check", str(path)).stdout
    assert "A table must still set: limit.cents_min" in said
    assert f"Dealt {dealt['rounds']:,} rounds at {len(dealt['tables'])} tables" in said
    assert "A table can open under it as it stands." in run("rules", "check", "nsw-1").stdout


def test_paytables_list_and_show() -> None:
    assert list(catalog.paytable_ids()) == [table["id"] for table in read("paytables", "list")]
    shown = read("paytables", "show", "LIRB-06")
    assert ["base", "bonus"] == [wager["wager"] for wager in shown["wagers"]]
    assert {"par": "25.39%", "hit_frequency": "7.63%", "in": "sm:pay.LIRB-06.secondary"} == shown["wagers"][1][
        "printed"
    ]
    assert 7 == len(read("paytables", "show", "COVER-ALL")["wagers"][0]["columns"])
    for_people = run("paytables", "show", "LIRB-06").stdout
    assert "win $20,000" in for_people
    assert "1,000 to 1" in for_people


@pytest.mark.parametrize("words", [("paytables", "list"), *(("paytables", "show", i) for i in catalog.paytable_ids())])
def test_odds_are_never_shown_with_the_word_for(words: tuple[str, ...]) -> None:
    shown = run(*words).stdout
    assert " for 1" not in shown.casefold()
    assert " for one" not in shown.casefold()


def test_paytables_check(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('id = "OWN"\ntitle = "Own"\n[base]\naward = "to_one"\n[base.pays]\nroyal_flush = 5\n')
    assert read("paytables", "check", str(path))["valid"]
    assert "OWN is a valid paytable for: Base game." in run("paytables", "check", str(path)).stdout


def test_a_hand_is_named_and_priced() -> None:
    shown = read("hand", "Th", "Jh", "Qh", "Kh", "Ah", "--paytable", "LIRB-06")
    assert ("royal_flush", "royal flush") == (shown["category"], shown["hand"])
    assert ["1,000 to 1", "win $20,000"] == [pays["odds"] for pays in shown["pays"]]
    assert "mini royal" == read("hand", "AhKhQh")["hand"]
    assert "loses" in run("hand", "2c 7d 9h").stdout


def test_colours_only_on_a_terminal() -> None:
    assert "\x1b[" not in process("rules", "list").stdout
    plain = process("rules", "list", NO_COLOR="1", FORCE_COLOR="1").stdout
    assert not re.search(r"\x1b\[3\dm", plain)  # bold and dim may stay, colours may not


def test_a_reader_that_stops_early_is_no_error() -> None:
    shell = f"set -o pipefail; {COMMAND} rules show nsw-1 | head -n 1"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=False, timeout=SECONDS)
    assert (0, "nsw-1: New South Wales casino rules\n", "") == (done.returncode, done.stdout, done.stderr)


def bad_input(tmp_path: Path) -> dict[tuple[str, ...], str]:
    broken = tmp_path / "broken.toml"
    broken.write_text("id = ")
    unordered = tmp_path / "unordered.toml"
    unordered.write_text(
        'id = "X"\ntitle = "X"\n[three_card]\naward = "to_one"\n'
        "[three_card.pays]\nstraight_flush = 1\nthree_of_a_kind = 2\n"
    )
    return {
        ("rules", "show", "nsw-9"): "expected a path ending in .toml or the id of a rule book, got 'nsw-9'",
        ("rules", "show", "nsw-1", "deal.unt"): "expected a rule-book key, got 'deal.unt'",
        ("rules", "show", "nsw-1", "nsw:99"): "expected a clause id like 'nsw:12.6.s1', got 'nsw:99'",
        ("rules", "show", "nsw-1+none"): "expected one of 'shuffler', 'two_decks', got the unknown variant 'none'",
        ("rules", "show", "nsw-1", "--set", "seats"): "expected KEY=VALUE after --set, got 'seats'",
        ("rules", "show", "nsw-1", "--set", "deal=1"): "expected one key before '=' in --set, got the section 'deal'",
        ("rules", "show", "nsw-1", "--set", "seats=6"): "seats: expected 7, which the book fixes, got 6",
        ("rules", "show", "nsw-1", "--set", "seats=7\nx=1"): "expected KEY=VALUE after --set, got 'seats=7\\nx=1'",
        ("rules", "show", "nsw-1", "--set", f"seats={'9' * 5000}"): "seats: expected a whole number from 1 to 7",
        ("rules", "show", "nsw-1", "--set", f"seats={'[' * 5000}"): "seats: expected a whole number from 1 to 7",
        ("rules", "show", "nsw-1", "--set", "seats=7", "--set", "seats=7"): "got seats twice",
        ("rules", "show", "nsw-1", "--set", "deal.packet_top=last_out"): "expected no value, because deal.unit is",
        ("rules", "show", "nsw-1", "hd:deal.1"): "expected a clause of nsw-1 (nsw), got 'hd:deal.1'",
        (
            "hand",
            "Ah",
            "Kh",
            "Qh",
            "--paytable",
            "LIRX-01",
        ): "expected a paytable for a wager on 3 cards, got LIRX-01",
        ("rules", "check", str(broken)): "broken.toml: expected valid TOML, got an error",
        ("rules", "check", "gone.toml"): "expected a TOML file, got 'gone.toml', which does not exist",
        ("rules", "diff", "nsw-1", "gone.toml"): "gone.toml",
        ("paytables", "check", str(unordered)): "three_card.pays.straight_flush: expected at least the 2",
        ("paytables", "show", "LIRX-07"): "got 'LIRX-07'; did you mean",
        ("hand", "1h", "2c", "3c"): "expected a card like 'Th', got '1h'",
        ("hand", "Ahh"): "expected a card like 'Th', got 'Ahh'",
        ("hand", "Ah", "Ah", "3c"): "expected 3 different cards, got Ah twice",
        ("hand", "Ah", "Kh"): "expected three or five cards, got 2",
    }


def test_bad_input_gets_one_sentence_and_exit_2(tmp_path: Path) -> None:
    for words, sentence in bad_input(tmp_path).items():
        done = run(*words)
        assert (2, "") == (done.returncode, done.stdout), words
        assert done.stderr.startswith("letitride: "), words
        assert sentence in done.stderr, words
        assert 1 == done.stderr.count("\n"), done.stderr


def test_a_file_in_another_encoding_is_refused_with_its_line(tmp_path: Path) -> None:
    own = tmp_path / "latin.round"
    own.write_bytes("rulebook nsw-1\r\nseat 1 sits Ren\xe9 300\n".encode("latin-1"))
    done = run("replay", own)
    byte = "expected round records in UTF-8, got the byte 0xE9 of another encoding"
    assert (done.returncode, done.stderr) == (2, f"letitride: {own}, line 2: {byte}\n")
    own.write_bytes(b"\xef\xbb\xbfrulebook nsw-1\r\nseat 1 sits Ann 300\r\n")
    assert run("replay", own).returncode == 0


def test_what_a_terminal_would_obey_is_never_written_to_it(tmp_path: Path) -> None:
    done = run("replay", tmp_path / "\x1b[31mred")
    assert done.returncode == 2
    assert "\\x1b[31mred" in done.stderr
    assert done.stderr.strip().isprintable()


def test_a_word_too_many_is_named_in_one_sentence() -> None:
    done = run("replay", "a.round", "--step", "x")
    told = "letitride: expected no more arguments, got 'x'; --help lists what the command takes\n"
    assert (done.returncode, done.stderr) == (2, told)


def test_a_full_disk_is_one_sentence_and_exit_1() -> None:
    for words in (["rules", "list"], ["rules", "list", "--json"]):
        with Path("/dev/full").open("w") as full:
            done = subprocess.run([COMMAND, *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        assert (1, 1) == (done.returncode, done.stderr.count("\n"))
        assert "letitride: the output cannot be written: No space left on device" in done.stderr


def test_a_terminal_without_the_signs_shows_others() -> None:
    done = process("paytables", "list", PYTHONIOENCODING="ascii")
    assert (0, "") == (done.returncode, done.stderr)


def test_a_group_of_commands_alone_shows_its_help() -> None:
    done = run("rules")
    assert (0, "") == (done.returncode, done.stderr)
    assert "diff" in done.stdout


def test_a_section_is_shown_before_a_clause_of_the_same_name() -> None:
    keys = [key["key"] for key in read("rules", "show", "california-1", "deal")["keys"]]
    assert ["deal.first", "deal.unit"] == keys[:2]
    assert "ca:deal.1a" == read("rules", "show", "california-1", "ca:deal")["clauses"][0]["id"]


def test_a_house_book_is_not_passed_off_as_the_document(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('id = "own-1"\ntitle = "Own"\nextends = "nsw-1"\n[rules]\nseats = 5\n')
    (key,) = read("rules", "show", str(path), "seats")["keys"]
    assert (5, "own-1", []) == (key["value"], key["book"], key["clauses"])
    assert "set by own-1" in run("rules", "show", str(path), "seats").stdout
    assert read("rules", "show", str(path))["edition"] is None
    (row,) = read("rules", "diff", "nsw-1", str(path))["differences"]
    assert (["nsw:2.2", "nsw:2.2.1"], []) == (row["left"]["clauses"], row["right"]["clauses"])


def test_unknown_commands_and_options_end_in_exit_2_without_a_traceback() -> None:
    for words in (("nothing",), ("rules", "list", "--nothing"), ("hand",)):
        done = process(*words)
        assert 2 == done.returncode
        assert "Traceback" not in done.stderr


TROUBLE = Path(__file__).parent.parent / "records" / "irregularities"


def test_rules_explain_reads_like_a_supervisor_explaining() -> None:
    told = run("rules", "explain", str(TROUBLE / "hand-count-late" / "nsw-1.round"), "--under", "hand-dealt-1").stdout
    for words in (
        "that hand alone is void and its bets are returned",
        "it was noticed after the deal, when 1 of 3 players had handled their cards",
        "nsw:12.7",
        "elsewhere every hand is void and the cards are reshuffled (hand-dealt-1)",
        "every hand is void and all bets are returned (hd:irreg.3)",
    ):
        assert " ".join(words.split()) in " ".join(told.split())
    silent = run("rules", "explain", str(TROUBLE / "stray-hand" / "california-1.round")).stdout
    assert "house default: the rules document is silent" in silent


def test_rules_why_explains_any_step_and_prints_json() -> None:
    record = str(TROUBLE / "exposed-card" / "shufflemaster-1.round")
    steps = json.loads(run("rules", "explain", record, "--json").stdout)["steps"]
    asked = next(one for one in steps if one["told"] and "ask seat 1 about bet 1" in one["told"][0])
    one = run("rules", "explain", record, "--step", str(asked["step"]), "--under", "nsw-1").stdout
    assert "sm:bonus.round.2" in one
    assert "nsw:8.3" in one
    too_far = run("rules", "explain", record, "--step", "999")
    assert (too_far.returncode, "expected a step from 1 to" in too_far.stderr) == (2, True)


def test_replay_under_another_book_lists_the_differences_in_money() -> None:
    record = str(TROUBLE / "hand-count-late" / "nsw-1.round")
    told = run("replay", record, "--under", "shufflemaster-1").stdout
    assert "Round 1 under shufflemaster-1: void" in told
    assert "seat 1 rides 1 — The round is over." in told
    data = json.loads(run("replay", record, "--under", "shufflemaster-1", "--json").stdout)
    assert data["under"][0]["rulings"][0]["clauses"][0] == "sm:bonus.irreg.2.s1"
    assert all(one["under"] == "void" for one in data["differences"])
    alone = run("replay", record, "--set", "limit.cents_max=100")
    assert (alone.returncode, alone.stderr) == (2, "letitride: expected --under BOOK with --set, got --set alone\n")


def test_replay_as_json_tells_the_cards_the_hands_and_the_disputes(tmp_path: Path) -> None:
    path = tmp_path / "disputed.round"
    path.write_text(
        "rulebook nsw-1\nseat 1 sits Ann 300\nround\nhand 1 Qh Qd 4c\ncommunity Js 2d\nseat 1 bets 5\nseat 1 rides 1\n"
        "seat 1 withdraws 2\nseat 1 disputes the pay\n"
        "games_supervisor decides dispute 1 upheld award 5 because it was short\n",
        encoding="utf-8",
    )
    (one,) = json.loads(run("replay", str(path), "--json").stdout)["rounds"]
    assert (one["seats"]["1"]["cards"], one["seats"]["1"]["hand"]) == (["Qh", "Qd", "4c"], "pair of queens")
    assert one["community"] == ["Js", "2d"]
    decision = {"by": "games_supervisor", "upheld": True, "award_cents": 500, "why": "it was short", "final": False}
    (dispute,) = one["disputes"]
    assert dispute == {
        "dispute": 1,
        "seat": 1,
        "about": "the pay",
        "decisions": [{**decision, "clauses": ["nsw:14.12.s1"]}],
    }
    void = json.loads(run("replay", str(TROUBLE / "hand-count-late" / "nsw-1.round"), "--json").stdout)["rounds"][0]
    hands = {seat["hand"] for seat in void["seats"].values()}
    assert None in hands  # a hand that is void is not read out
    assert len(hands) > 1
