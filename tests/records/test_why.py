"""Why: what each ruling turned on, which clauses and keys decided, and what another book says."""

from __future__ import annotations

from itertools import pairwise

import pytest

from letitride.engine import commands
from letitride.engine.script import clauses_in
from letitride.engine.steps import Step
from letitride.records.reader import read_record
from letitride.records.replay import replay
from letitride.records.why import Because, Explained, why
from letitride.rules import catalog
from letitride.rules.plain import plain
from letitride.rules.table_rules import TableRules
from tests.records.acts import ACTS
from tests.records.moments import FOLDER, replayed

AFTER = "it was noticed after the deal, when {} players had handled their cards"
DEALT = "it was noticed while cards were dealt, when 0 of 3 players had handled their cards"


def rulings(name: str, under: TableRules | None = None) -> list[Because]:
    """Return the reasons of what was ruled in an irregularity: 'absent/nsw-1'."""
    found = why(replayed(FOLDER / "irregularities" / f"{name}.round"), under)
    return [reason for one in found if one.is_ruling for reason in one.reasons]


@pytest.mark.parametrize(
    ("name", "circumstances"),
    [
        ("absent/nsw-1", "the player had not handled the cards"),
        ("absent-looked/nsw-1", "the player had handled the cards"),
        ("uneven-bets/nsw-1", "the player had not handled the cards"),
        ("uneven-bets-late/nsw-1", "the player had handled the cards"),
        ("exposed-card/nsw-1", "1 card had been exposed in this deal"),
        ("exposed-cards-late/nsw-1", f"2 cards had been exposed in this deal, {AFTER.format('0 of 3')}"),
        ("exposed-burn/shufflemaster-1", "1 card had been exposed in this deal"),
        ("drawn-card/nsw-1", "its face had not been seen"),
        ("drawn-card-seen/nsw-1", "its face had been seen"),
        ("wrong-burn/hand-dealt-1", "a community card had not been turned since"),
        ("wrong-burn-late/hand-dealt-1", "a community card had been turned since"),
        ("device-jam/nsw-1", "no card of the round was out"),
        ("device-jam-in-deal/nsw-1", "cards of the round were out"),
        ("device-miscount/nsw-1", "cards of the round were out"),
        ("device-failure/nsw-1", "cards of the round were out"),
        ("exposed-community/nsw-1", DEALT.replace("noticed", "exposed")),
        ("exposed-community-late/nsw-1", AFTER.format("1 of 3").replace("noticed", "exposed")),
        ("hand-count/nsw-1", DEALT),
        ("hand-count-late/nsw-1", AFTER.format("1 of 3")),
        ("stray-hand/nsw-1", DEALT),
        ("stray-hand-late/nsw-1", AFTER.format("1 of 3")),
        ("under-minimum/nsw-1", None),
        ("collusion/nsw-1", "they show one another their cards"),  # of an order: the supervisor's reason
    ],
)
def test_a_ruling_says_what_it_turned_on(name: str, circumstances: str | None) -> None:
    assert rulings(name)[0].circumstances == circumstances


def test_a_player_who_is_away_may_have_left_bets_that_were_not_equal() -> None:
    for bets, told in (("mishap bets seat 1 1=20 2=10 $=10\n", ", and the bets were not equal"), ("", "")):
        text = f"rulebook nsw-1\nseat 1 sits Ann 500\nround\nseat 1 bets 10\n{bets}dealer reports absent seat 1\n"
        (reason,) = (one.reasons[0] for one in why(replay(read_record(text))) if one.is_ruling)
        assert reason.circumstances == f"the player had not handled the cards{told}"


def test_a_step_is_told_as_the_step_after_it_tells() -> None:
    seated = "seat 1 sits Ann 500\nround\nhand 1 Th Td 4c\nseat 1 bets 10\n"
    text = f"rulebook shufflemaster-1\n{seated}mishap short seat 1\ndealer reports hand_count seat 1\n"
    (dealt,) = (
        line for one in why(replay(read_record(text))) for line in one.told if "packet of" in line and "seat 1" in line
    )
    assert "a packet of two" in dealt
    assert ": Th Td  (" in dealt


def test_a_ruling_without_a_clause_rests_on_the_house_and_one_with_a_clause_does_not() -> None:
    by_house, by_clause = rulings("absent/hand-dealt-1")[0], rulings("absent/nsw-1")[0]
    assert (by_house.house_default, by_house.clauses) == (True, ())
    assert (by_clause.house_default, [clause.id for clause in by_clause.clauses][:1]) == (False, ["nsw:12.13"])


def test_another_book_is_asked_about_a_ruling_and_about_an_order() -> None:
    house = rulings("absent/nsw-1", catalog.table_rules("hand-dealt-1"))[0]
    assert (house.under or "").endswith("(house default)")
    clause = rulings("hand-count/nsw-1", catalog.table_rules("shufflemaster-1"))[0]
    assert (clause.under or "").partition(" (")[2].startswith("sm:")
    order = rulings("collusion/nsw-1", catalog.table_rules("nsw-1"))[0]
    assert (order.under or "").startswith("provided for by nsw:")
    silent = rulings("collusion/nsw-1", catalog.table_rules("shufflemaster-1"))[0]
    assert (silent.under or "").startswith("no clause provides for it; collusion: ")
    assert rulings("absent/nsw-1")[0].under is None
    assert rulings("absent/nsw-1")[0].keys[0].under is None


def test_a_key_says_its_value_where_it_comes_from_and_what_another_book_has() -> None:
    (key,) = rulings("absent/nsw-1", catalog.table_rules("washington-1"))[0].keys
    assert (key.key, key.value) == ("irreg.absent", "void_unless_looked")
    assert key.origin.startswith("nsw:")
    assert key.under == key.words
    assert [(one.value, one.books) for one in key.alternatives] == [("withdraw", ())]
    (noted,) = rulings("exposed-card/nsw-1")[0].keys
    assert (noted.key, noted.note) == ("irreg.exposed_one", catalog.rulebook("nsw-1").notes["irreg.exposed_one"])
    (plain_key,) = rulings("under-minimum/nsw-1")[0].keys
    assert plain_key.note is None
    (listed,) = rulings("collusion/nsw-1")[0].keys  # of several at once there is no other one
    assert (listed.key, listed.alternatives) == ("collusion", ())


def disputes(under: str = "") -> list[Explained]:
    found = why(replay(read_record(ACTS["disputes"])), catalog.ready_rules(under) if under else None)
    return [one for one in found if one.is_ruling]


def test_a_decision_on_a_complaint_gives_its_reason_and_who_hears_it_elsewhere() -> None:
    first, second, last = (one.reasons[0] for one in disputes("nsw-1"))
    assert [one.what for one in (first, second, last)] == ["it was right", "of the film", "it was wrong"]
    for one in (first, second, last):
        assert [key.key for key in one.keys] == ["dispute"]
        assert not one.house_default
    assert first.under == second.under == "the same, by nsw:14.12.s1"
    assert last.under == "the same, by nsw:14.13.s1, nsw:14.13.s2"  # the last word in the house
    assert disputes("hand-dealt-1")[0].reasons[0].under == "it does not mention this step"
    assert disputes()[0].reasons[0].under is None


def test_every_step_has_its_number_its_line_and_its_clauses_as_json_has_them() -> None:
    done = replayed(FOLDER / "irregularities" / "hand-count-late" / "nsw-1.round")
    found = why(done, catalog.table_rules("shufflemaster-1"))
    assert [one.number for one in found] == list(range(len(done.steps)))
    assert [one.line for one in found] == [step.line or None for step in done.steps]
    assert None in {one.line for one in found}  # what the automatic dealer does stands on no line
    assert all(one.number < two.number for one, two in pairwise(found))
    ruled = [one for one in found if one.is_ruling]
    assert [type(done.steps[one.number].command) for one in ruled] == [commands.Report]
    assert list(plain(ruled[0])) == ["step", "line", "told", "ruling", "because"]
    for one in found:
        for reason in one.reasons:
            assert reason.what != ""
            assert one.is_ruling or reason.what is None
            assert reason.house_default == (not reason.clauses)
            if not one.is_ruling:
                named = (reason.under or "").removeprefix("the same, by ").split(", ")
                assert reason.under == "it does not mention this step" or 1 <= len(named) <= 4


def test_another_book_is_cited_with_four_clauses_at_most() -> None:
    rules = catalog.table_rules("washington-1")
    done = replayed(FOLDER / "examples" / "manufacturer.round")
    packet = Step("deal_dealer_packet")
    place = next(number for number, step in enumerate(done.steps) if step.before.next_step == packet)
    (reason,) = why(done, rules)[place].reasons
    assert len(clauses_in(rules, packet)) == 5
    assert reason.under == f"the same, by {', '.join(clauses_in(rules, packet)[:4])}"


def test_what_is_not_a_step_a_ruling_or_a_decision_needs_no_reason() -> None:
    done = replayed(FOLDER / "examples" / "new-south-wales.round")
    explained = why(done)
    for one in explained:
        acted = done.steps[one.number].command
        if acted is not None and not isinstance(acted, commands.Do):
            assert one.told
            assert not one.is_ruling
            assert all(reason.clauses or reason.house_default for reason in one.reasons)
