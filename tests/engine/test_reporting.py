"""Reporting: what can be reported at a table is what the engine takes up, and comes to what is said of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from letitride.engine import commands
from letitride.engine.decide import open_table, play
from letitride.engine.events import Ruled
from letitride.engine.legal import legal
from letitride.engine.refusal import Refusal
from letitride.engine.reporting import reportable
from letitride.engine.state import Ruling
from letitride.records.reader import read_record
from letitride.records.replay import replay
from letitride.rules.roles import STAFF, reporters
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
