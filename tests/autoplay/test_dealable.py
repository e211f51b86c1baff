"""Dealable: a book is checked by dealing by it; what cannot be dealt is refused with two keys and what would go."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from letitride.autoplay import dealable, trial_rounds
from letitride.autoplay.dealable import Undealt, check_book, check_table, deal_rounds
from letitride.autoplay.trial_rounds import SCENARIOS, Trial
from letitride.cli.simulation.evidence import evidence
from letitride.engine.reporting import reportable
from letitride.errors import InvalidData
from letitride.rules import catalog, checks
from letitride.rules.catalog import ready_rules
from letitride.rules.clashes import what_would_go
from letitride.rules.values import Values
from letitride.server.ops.opening import TableRequest, requested_rules
from tests.simulation.every_deal import BLIND, dealt_by
from tests.simulation.own_books import own_rules


def own_book(folder: Path, rules: str, extends: str = "nsw-1", more: str = "") -> Path:
    path = folder / "own.toml"
    path.write_text(f'id = "own-1"\ntitle = "Own"\nextends = "{extends}"\n[rules]\n{rules}\n{more}', "utf-8")
    return path


@pytest.mark.parametrize("ref", catalog.rulebook_ids())
def test_every_irregularity_that_a_published_book_can_meet_is_dealt_and_ruled(ref: str) -> None:
    rules = ready_rules(ref)
    found = deal_rounds(rules)
    assert isinstance(found, Trial)
    assert found.settled > found.disturbed > 40
    assert {one.kind for one in reportable(rules)} <= found.ruled


def test_a_bet_that_is_missing_until_it_is_found_is_ruled_if_none_touches_cards(
    tmp_path: Path,
) -> None:
    """The last bet, which cannot be taken back: another that is missing is right again once it is."""
    found = deal_rounds(ready_rules(str(own_book(tmp_path, 'cards.touch = "dealer_only"', "california-1"))))
    assert isinstance(found, Trial)
    assert "uneven_bets" in found.ruled


@pytest.mark.parametrize(
    ("values", "keys"),
    [
        (BLIND, ("community.area = 'two_places'", "burn.card = 'first_community'", "community.area = 'three_in_line'")),
        (
            {"burn.card": "top_before_each", "burn.when": "at_turn", "stub.to_discard": "after_deal"},
            ("burn.card = 'top_before_each'", "burn.when = 'at_turn'", "burn.when = 'at_deal'"),
        ),
    ],
    ids=str,
)
def test_what_cannot_be_dealt_is_refused_with_two_keys_and_what_would_go(values: Values, keys: tuple[str, ...]) -> None:
    with pytest.raises(InvalidData) as refused:
        check_table(dealt_by(ready_rules("nsw-1"), values))
    for one in (*keys, "do not go together", "would go"):
        assert one in str(refused.value)


def test_what_would_go_deals(tmp_path: Path) -> None:
    with pytest.raises(InvalidData, match="community.area: expected 'three_in_line'"):
        catalog.rulebook(own_book(tmp_path, 'burn.card = "first_community"\ncommunity.order = "second_third"'))
    assert isinstance(deal_rounds(own_rules("nsw-1", {**BLIND, "community.area": "three_in_line"})), Trial)


def test_a_decision_without_its_card_and_a_bet_on_a_closed_card_are_told_as_such() -> None:
    blind = deal_rounds(dealt_by(ready_rules("nsw-1"), {**BLIND, "burn.when": "after_bet_1"}))
    assert isinstance(blind, Undealt)
    assert "no decision before its card: seat 1 decides on bet 2 with 0 community cards turned" in blind.what


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ('device = "shuffler"', "device = 'shuffler' does not go with it: device = one of 'hand', 'shoe' would"),
        ('shuffle.by = "machine"', "device = 'shoe' does not go with it"),
    ],
)
def test_a_contradiction_names_the_other_key_and_what_would_go(tmp_path: Path, rules: str, told: str) -> None:
    path = own_book(tmp_path, rules)
    with pytest.raises(checks.Contradiction) as found:
        catalog.rulebook(path)
    assert told in what_would_go(found.value)
    with pytest.raises(InvalidData, match=re.escape(told)):
        requested_rules(TableRequest(name="Own", rulebook="own.toml", texts={"own.toml": path.read_text("utf-8")}))


def test_neither_an_evidence_pack_nor_a_server_takes_a_book_that_the_checks_pass_and_nobody_can_deal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = own_book(tmp_path, 'burn.card = "first_community"\ncommunity.order = "second_third"')
    monkeypatch.setattr(checks, "find_faults", lambda *_: iter(()))
    with pytest.raises(InvalidData, match=r"round can be dealt.*do not go together"):
        evidence(str(path), out=str(tmp_path / "pack"))
    assert not (tmp_path / "pack").exists()
    with pytest.raises(InvalidData, match=r"round can be dealt.*do not go together"):
        requested_rules(TableRequest(name="Own", rulebook="own.toml", texts={"own.toml": path.read_text("utf-8")}))


def test_an_inherited_variant_that_a_book_contradicts_is_named_and_refuses_nothing(tmp_path: Path) -> None:
    rules = 'community.area = "three_in_line"\nburn.card = "first_community"\ncommunity.order = "second_third"'
    book = catalog.rulebook(own_book(tmp_path, rules))
    assert list(book.variants) == []
    assert list(book.lost_variants) == ["shuffler", "two_decks"]
    with pytest.raises(InvalidData, match=r"'shuffler' does not go with its values: .*community.order: expected"):
        book.variant("shuffler")
    own = '[variants.boxes]\ncommunity.area = "two_boxes"'
    with pytest.raises(InvalidData, match=r"variants.boxes: community.area: expected 'three_in_line'"):
        catalog.rulebook(own_book(tmp_path, rules, more=own))


def test_a_key_that_governs_nothing_is_told_with_where_it_would(tmp_path: Path) -> None:
    book = catalog.rulebook(own_book(tmp_path, "payout.cents_max = 5_000", extends="hand-dealt-1"))
    dealt = check_book(book)
    assert dealt.inert_keys == {"payout.cents_max": "it applies where payout.cap is 'maximum'"}
    assert dealt.tables[0] == "own-1"
    assert dealt.rounds > 100 * len(dealt.tables)


def test_what_reads_alike_is_dealt_once(monkeypatch: pytest.MonkeyPatch) -> None:
    dealt: list[str] = []
    first = next(iter(SCENARIOS))

    def counted(rules: object) -> Trial:
        dealt.append(first)
        return trial_rounds.SCENARIOS[first](rules)  # type: ignore[arg-type]  # what it is called with

    monkeypatch.setattr(dealable, "SCENARIOS", {first: counted})
    monkeypatch.setattr(dealable, "_KNOWN", {})
    for values in ({}, {"advice": "free"}, {"irreg.absent": "withdraw"}, {"reveal.direction": "left_to_right"}):
        deal_rounds(own_rules("nsw-1", values))  # type: ignore[arg-type]  # values of different kinds
    assert len(dealt) == 2  # no undisturbed round reads the second and the third
