"""Reporting: what can be reported at a table is what the engine takes up, and comes to what is said of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from letitride.engine import commands
from letitride.engine.decide import open_table, play
from letitride.engine.events import Ruled
from letitride.engine.legal import legal
from letitride.engine.refusal import Refusal
from letitride.engine.reporting import Reportable, reportable
from letitride.engine.state import Ruling
from letitride.records.reader import read_record
from letitride.records.replay import replay
from letitride.rules import catalog
from letitride.rules.roles import STAFF, reporters
from letitride.rules.rulebook import Source
from letitride.rules.rulings import REPORTED, Irregularity
from letitride.rules.table_rules import TableRules
from tests.server.journals import HOUSES, rules_of

RECORDS = Path(__file__).parent.parent / "records" / "irregularities"


def rulings(house: str) -> Iterator[tuple[Ruling, str, TableRules]]:
    """Every ruling on a report in the records of a book's irregularities, with the rules of its table."""
    for path in sorted(RECORDS.glob(f"*/{house}*.round")):
        for step in replay(read_record(path.read_text(encoding="utf-8")), str(path)).steps:
            for event in () if isinstance(step.outcome, Refusal) else step.outcome:
                if isinstance(event, Ruled) and (case := event.ruling.case) is not None and case.kind in REPORTED:
                    yield event.ruling, case.kind, step.after.rules


@pytest.mark.parametrize("house", HOUSES)
def test_every_ruling_of_the_records_was_to_be_expected(house: str) -> None:
    kinds: set[str] = set()
    for ruling, kind, rules in rulings(house):
        one = next(each for each in reportable(rules) if each.kind == kind)
        found = [outcome for outcome in one.outcomes if outcome.decision == ruling.name.partition(":")[2]]
        assert ruling.sentence.partition(": ")[2] in {outcome.sentence for outcome in found}
        assert set(ruling.clauses) <= {clause for outcome in found for clause in outcome.clauses}
        assert ruling.key in one.keys
        assert ("seat" in one.asks) <= bool(ruling.seat)
        assert ("community_card" in one.asks) <= bool(ruling.number)
        assert ruling.by in {*one.reporters, "machine"} or (ruling.by.startswith("seat:") and "player" in one.reporters)
        kinds.add(kind)
    assert len(kinds) > 8


@pytest.mark.parametrize("house", HOUSES)
def test_whoever_may_report_is_heard_and_nobody_else(house: str) -> None:
    rules = rules_of(house)
    table, _ = open_table(rules)
    table, outcome = play(table, commands.Sit(by="seat:1", seat=1, player="Ann", cents=50_000))
    assert not isinstance(outcome, Refusal)
    known = {one.kind: one for one in reportable(rules)}
    assert known.keys() <= set(REPORTED)
    for kind, one in known.items():
        assert {role for role in one.reporters if role != "player"} == set(STAFF)
        for by in (*STAFF, "seat:1", "seat:2", "spectator"):
            refusal = legal(table, commands.Report(by=by, kind=kind, seat=1 if "seat" in one.asks else 0))
            heard = by in STAFF or (by == "seat:1" and "player" in one.reporters)
            assert refusal is not None
            assert (refusal.code != "not_your_role") == heard, (kind, by, refusal)


@pytest.mark.parametrize("house", HOUSES)
def test_what_a_book_cannot_meet_is_not_in_its_list(house: str) -> None:
    rules = rules_of(house)
    known = {one.kind for one in reportable(rules)}
    assert ("device_jam" in known) == (rules.rules.device == "shuffler")
    assert ("exposed_card" in known) == (rules.rules.deal.face == "down")
    assert {"hand_count", "dealer_count", "deck", "absent", "uneven_bets"} <= known


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("kind", REPORTED)
def test_what_is_published_of_who_may_report_is_what_legal_accepts(house: str, kind: Irregularity) -> None:
    rules = rules_of(house)
    table, _ = play(open_table(rules)[0], commands.Sit(by="seat:1", seat=1, player="Ann", cents=50_000))
    published = {one.kind: set(one.reporters) for one in reportable(rules)}.get(kind, {*reporters(kind)})
    names = {"seat:1": "player"}
    asked = (*STAFF, "seat:1", "seat:2", "seat:99", "spectator", "administrator", "player", "house", "")
    for by in asked:
        refusal = legal(table, commands.Report(by=by, kind=kind))
        heard = refusal is None or refusal.code != "not_your_role"
        assert (names.get(by, by if by != "player" else "") in published) == heard, (kind, by, refusal)


ALL = {
    "drawn_card",
    "hand_count",
    "dealer_count",
    "stray_hand",
    "deck",
    "exposed_community",
    "uneven_bets",
    "under_minimum",
    "over_maximum",
    "absent",
}
DEVICE = {"device_miscount", "device_jam", "device_failure"}
KNOWN = {
    "california-1": ALL | DEVICE | {"exposed_card", "exposed_burn", "unloaded"},
    "hand-dealt-1": ALL | {"exposed_card", "wrong_burn"},
    "nsw-1": ALL | {"exposed_card"},
    "shufflemaster-1": ALL | DEVICE | {"exposed_card", "exposed_burn", "unloaded"},
    "washington-1": ALL | DEVICE | {"exposed_card", "exposed_burn", "unloaded"},
}


def listed(rules: TableRules, **values: object) -> dict[str, Reportable]:
    """What can be reported by a book, or by one that says otherwise."""
    named = {name.replace("__", "."): value for name, value in values.items()}
    book = rules.book.with_values(named, Source.TABLE, "test")
    return {one.kind: one for one in reportable(replace(rules, book=book))}


@pytest.mark.parametrize("house", HOUSES)
def test_the_list_of_a_book_is_whole_and_says_what_each_report_asks(house: str) -> None:
    found = listed(rules_of(house))
    assert set(found) == KNOWN[house]
    of_a_seat = {"exposed_card", "hand_count", "stray_hand", "uneven_bets", "under_minimum", "over_maximum", "absent"}
    assert {kind for kind, one in found.items() if one.asks == ("seat",)} == of_a_seat & KNOWN[house]
    assert {kind for kind, one in found.items() if one.asks == ("community_card",)} == {"exposed_community"}
    assert {one.asks for kind, one in found.items() if kind not in {*of_a_seat, "exposed_community"}} == {()}


def test_a_burn_card_is_exposed_only_where_a_packet_has_one() -> None:
    rules = rules_of("shufflemaster-1")
    assert "exposed_burn" not in listed(rules, burn__card="none")
    assert set(listed(rules, deal__face="up")) == KNOWN["shufflemaster-1"] - {"exposed_burn", "exposed_card"}
    single = listed(rules, deal__unit="single", burn__card="none")
    assert not {"exposed_burn", "unloaded"} & set(single)
    assert set(single) >= DEVICE


DECISIONS = {
    "nsw-1": {
        "exposed_card": ["turned_over", "misdeal"],
        "exposed_community": ["misdeal", "go_on"],
        "drawn_card": ["misdeal"],
        "hand_count": ["misdeal", "hand_void"],
        "dealer_count": ["misdeal"],
        "stray_hand": ["misdeal", "discarded"],
        "deck": ["round_void"],
        "uneven_bets": ["correct_or_fold", "must_correct"],
        "under_minimum": ["stands"],
        "over_maximum": ["to_maximum"],
        "absent": ["hand_void", "ride"],
    },
    "shufflemaster-1": {
        "exposed_card": ["replaced", "hands_void", "turned_over"],
        "exposed_burn": ["burned", "hands_void"],
        "exposed_community": ["replaced", "hands_void", "misdeal", "go_on"],
        "drawn_card": ["discarded", "used_next", "hands_void"],
        "unloaded": ["redealt"],
        "device_miscount": ["counted"],
        "device_jam": ["reshuffled"],
        "device_failure": ["round_void", "reshuffled", "go_on"],
    },
}


@pytest.mark.parametrize(("house", "handled_by"), [("nsw-1", "any"), ("nsw-1", "all"), ("shufflemaster-1", "any")])
def test_a_report_may_come_to_what_the_book_rules_each_thing_once(house: str, handled_by: str) -> None:
    found = listed(rules_of(house), irreg__handled_by=handled_by)
    for kind, decisions in DECISIONS[house].items():
        assert [outcome.decision for outcome in found[kind].outcomes] == decisions, kind
        assert all(len(set(outcome.clauses)) == len(outcome.clauses) for outcome in found[kind].outcomes)
    assert found["exposed_card"].keys == ("irreg.exposed_one", "irreg.exposed_many")
    assert found["exposed_card"].what == "a card is exposed during the deal"
    assert found["exposed_card"].outcomes[0].clauses


def test_a_player_who_is_away_is_ruled_on_by_the_bets_as_well_where_the_book_does() -> None:
    absent = listed(rules_of("nsw-1"))["absent"]
    assert absent.keys == ("irreg.absent", "bet.unequal")
    assert [one.decision for one in absent.outcomes] == ["hand_void", "ride"]
    assert {"nsw:12.13", "nsw:12.10.2"} <= set(absent.outcomes[0].clauses)
    assert listed(rules_of("nsw-1"), bet__unequal="dealer_waits")["absent"].keys == ("irreg.absent",)
    assert listed(rules_of("nsw-1"), irreg__absent="withdraw")["absent"].keys == ("irreg.absent",)


def test_what_shows_only_in_the_deal_is_not_ruled_as_if_it_were_noticed_later() -> None:
    rules = rules_of("shufflemaster-1")
    late = replace(rules, ruling_clauses={**rules.ruling_clauses, "exposed_late:hands_void": ("x:late",)})
    citing = {one.kind for one in reportable(late) if any("x:late" in outcome.clauses for outcome in one.outcomes)}
    assert citing == {"exposed_card"}


def test_an_outcome_says_in_which_situation_it_is_ruled_so() -> None:
    told = {
        one.kind: [(row.decision, row.when) for row in one.outcomes] for one in reportable(catalog.ready_rules("nsw-1"))
    }
    assert [
        ("misdeal", "before players have handled their cards"),
        ("play_on", "once players have handled their cards"),
    ] == [(decision if decision == "misdeal" else "play_on", when) for decision, when in told["exposed_community"]]
    assert ["one card", "more than one card"] == [when for _, when in told["exposed_card"]]
    assert [""] == [when for _, when in told["drawn_card"]]
