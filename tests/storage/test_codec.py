"""The codec: every event has a name for ever, and what was written is read back exactly."""

from __future__ import annotations

import json
import typing
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from letitride.engine.events import AnyEvent, TableOpened, VoucherExchanged
from letitride.engine.evolve import evolve, new_table
from letitride.engine.state import Table
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.catalog import ready_rules
from letitride.rules.keyspec import KEYS, KeySpec
from letitride.rules.retired import without_retired
from letitride.storage import codec
from letitride.storage.codec import NAMES, decode, encode, name_of
from tests.storage.helpers import random_steps, said

DATA = Path(__file__).parent.parent / "data"
SAMPLES = (DATA / "events-1.jsonl").read_bytes().splitlines()

OLDER = {"voucher-exchanged/1"}
"""Names in the samples that are read, and not written any more."""


def test_every_event_has_a_name_of_its_own() -> None:
    assert set(typing.get_args(AnyEvent)) == set(NAMES)
    assert len(NAMES) == len(set(NAMES.values()))
    assert set(NAMES.values()) <= set(codec.READERS)


def test_names_and_what_they_hold_never_change() -> None:
    """A change of an event is a new version beside the old one: tests/data/event-names.txt only grows."""
    known = dict(line.split(": ") for line in (DATA / "event-names.txt").read_text().splitlines())
    for kind in NAMES:
        assert known[name_of(kind)] == " ".join(kind.__struct_fields__), kind
    for name in known:
        kind, _, version = name.partition("/")
        assert (kind, int(version)) in codec.READERS, name


@pytest.mark.parametrize("written", SAMPLES, ids=lambda one: one[3:30].decode().partition('"')[0])
def test_what_was_written_once_is_read_for_ever(written: bytes) -> None:
    """The samples were written by version 0.1.0; of its rules the keys that are retired now are not written again."""
    again = encode(decode(written))
    if json.loads(written)[0][0] in OLDER:
        assert decode(written) == decode(again)
    elif b'"rules":{' not in written:
        assert written == again
    else:
        assert without_retired_keys(json.loads(written)) == json.loads(again)
        assert decode(written) == decode(again)


def without_retired_keys(value: Any) -> Any:
    """Return what was written, less what a rule book has said about keys that are retired now."""
    if isinstance(value, list):
        return [without_retired_keys(one) for one in value]
    if isinstance(value, dict):
        return {name: without_retired_keys(one) for name, one in without_retired(value).items()}
    return value


def test_a_later_key_is_written_only_where_it_has_another_value_than_its_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(cast("dict[str, KeySpec]", KEYS), "coach", replace(KEYS["coach"], later=True))
    older = json.loads(SAMPLES[0])
    book = older[0][1]["rules"]["book"]
    del book["rules"]["coach"], book["origins"]["coach"]
    (opened,) = decode(msgspec.json.encode(older))
    assert isinstance(opened, TableOpened)
    assert "coach" in opened.rules.book.origins
    assert without_retired_keys(older) == json.loads(encode([opened]))
    assert "coach" not in json.loads(encode([opened]))[0][1]["rules"]["book"]["rules"]
    other = replace(opened.rules.book, rules=msgspec.structs.replace(opened.rules.book.rules, coach=False))
    uncoached = msgspec.structs.replace(opened, rules=replace(opened.rules, book=other))
    assert (uncoached,) == decode(encode([uncoached]))
    assert not json.loads(encode([uncoached]))[0][1]["rules"]["book"]["rules"]["coach"]


def test_the_event_of_a_voucher_says_which_one_it_was_and_an_older_one_does_not() -> None:
    older = next(one for one in SAMPLES if b"voucher-exchanged/1" in one)
    (exchanged,) = decode(older)
    assert isinstance(exchanged, VoucherExchanged)
    assert (4, "", 1) == (exchanged.seat, exchanged.voucher, exchanged.chips[0].cents)
    named = msgspec.structs.replace(exchanged, voucher="Ann/spring-1")
    assert (named,) == decode(encode([named]))
    assert encode([named]).startswith(b'[["voucher-exchanged/2",{"seat":4,"voucher":"Ann/spring-1",')


def test_there_is_a_sample_of_every_event() -> None:
    assert {name_of(kind) for kind in NAMES} == {name_of(type(decode(one)[0])) for one in SAMPLES}


@pytest.mark.parametrize("ref", catalog.rulebook_ids())
def test_a_table_replayed_from_bytes_is_the_live_table(ref: str) -> None:
    replayed: Table | None = None
    for live, happened in random_steps(ready_rules(ref), 3_000, seed=20260301):
        written = encode(happened)
        read = decode(written)
        assert happened == read
        assert written == encode(read)  # one value has one spelling, orders included
        for event in read:
            replayed = evolve(replayed, event) if replayed else new_table(event)
        assert live == replayed


def test_tables_that_are_read_again_share_rules_that_are_equal() -> None:
    def opened(ref: str, **own: int) -> TableOpened:
        (read,) = decode(encode([TableOpened(rules=ready_rules(ref, {f"limit.{key}": own[key] for key in own}))]))
        assert isinstance(read, TableOpened)
        return read

    one, other = opened("washington-1"), opened("washington-1")
    assert one.rules is other.rules
    assert opened("washington-1", cents_max=20_000).rules != one.rules
    assert opened("nsw-1").rules != one.rules


def test_the_opening_alone_tells_the_whole_book(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = ready_rules("nsw-1")
    written = encode(fuzz_opening("nsw-1"))
    monkeypatch.setattr(catalog, "rulebook", lambda *_: pytest.fail("the catalog was asked"))
    monkeypatch.setattr(catalog, "paytable", lambda *_: pytest.fail("the catalog was asked"))
    (opened, _) = decode(written)
    assert rules == opened.rules
    assert rules.book.digest == opened.rules.book.digest


def fuzz_opening(ref: str) -> tuple[AnyEvent, ...]:
    return next(random_steps(ready_rules(ref), 0, seed=1))[1]


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        (b"", "expected a list of events, got bytes that are no JSON"),
        (b"\xff\xfe", "expected a list of events, got bytes that are no JSON"),
        (b'{"a": 1}', "expected a list of events, got something else"),
        (b'[["step-done/2", {}]]', "expected an event that is known here, like 'step-done/1', got 'step-done/2'"),
        (b'[["StepDone", {}]]', "got 'StepDone'"),
        (b'[["x/\xc2\xb2", {}]]', "expected an event that is known here"),
        (b'[["sat-out/1", {"seat": "x", "out": true}]]', "sat-out/1: expected what such an event holds"),
        (SAMPLES[0].replace(b'"book":{', b'"book":{"\\n":1,', 1), "table-opened/1: expected what such an event holds"),
        (b'[["sat-out/1", {"seat": 1}]]', "sat-out/1: expected what such an event holds"),
        (b"[" * 100_000, "expected a list of events"),
        (b'[["sat-out/1", ' + b"[" * 100_000 + b"]" * 100_000 + b"]]", "expected"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_sentence(written: bytes, sentence: str) -> None:
    with pytest.raises(InvalidData) as refused:
        decode(written)
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_card_that_is_none_and_a_hand_that_pays_nothing_are_refused() -> None:
    (dealt,) = [one for one in SAMPLES if b'"face"' in one and one.startswith(b'[["step-done')]
    face = dealt.index(b'"face":"') + 8
    with pytest.raises(InvalidData, match="step-done/1: expected what such an event holds"):
        decode(dealt[:face] + b"1x" + dealt[face + 2 :])
    for wrong in (SAMPLES[0].replace(b'"royal_flush"', b'"five_aces"', 1), SAMPLES[0].replace(b':"1000"', b':"x"')):
        assert wrong != SAMPLES[0]
        with pytest.raises(InvalidData, match="table-opened/1: expected"):
            decode(wrong)


@given(st.binary(max_size=60), st.integers(0, 10_000), st.sampled_from(SAMPLES))
def test_no_bytes_end_in_a_traceback(noise: bytes, place: int, sample: bytes) -> None:
    place %= len(sample)
    for written in (noise, sample[:place] + noise + sample[place + len(noise) :]):
        with suppress(InvalidData):
            decode(written)


def test_no_events_are_some_bytes_too() -> None:
    assert b"[]" == encode([])
    assert () == decode(b"[]")
    assert (said("ß"),) == decode(encode([said("ß")]))
