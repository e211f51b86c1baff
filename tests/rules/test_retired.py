"""Retired keys: out of every book, still in the digests, read in old journals, refused with what to do elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from letitride.engine.events import TableOpened
from letitride.errors import InvalidData
from letitride.records.player import read_settings
from letitride.records.reader import read_record
from letitride.rules import catalog
from letitride.rules.digest import sha256
from letitride.rules.keyspec import KEYS, find_keys
from letitride.rules.retired import RETIRED, why_retired, without_retired
from letitride.rules.rulebook import Source
from letitride.storage.codec import decode

DATA = Path(__file__).parent.parent / "data"
NAMES = sorted({key.name for key in RETIRED})
HEAD = 'id = "own-1"\ntitle = "Own"\nextends = "nsw-1"\n[rules]\n'


def test_no_retired_key_is_a_key() -> None:
    assert not {*NAMES} & {*KEYS}
    for book_id in catalog.rulebook_ids():
        assert not {*NAMES} & {*catalog.rulebook(book_id).values()}


@pytest.mark.parametrize("name", NAMES)
def test_a_book_a_table_and_a_record_that_state_one_are_told_what_holds_and_what_to_do(
    name: str, tmp_path: Path
) -> None:
    (key, *_) = (key for key in RETIRED if key.name == name)
    what_to_do = f"'{name}'; it is no key any more, because {key.holds}: delete it"
    path = tmp_path / "own.toml"
    path.write_text(f'{HEAD}{name} = "{key.value}"\n')
    record = read_record(f"rulebook nsw-1\nset {name} = {key.value}\n")
    for stated in (
        lambda: catalog.rulebook(str(path)),
        lambda: catalog.table_rules("nsw-1", {name: key.value}),
        lambda: read_settings(record, "record"),
        lambda: find_keys(name),
    ):
        with pytest.raises(InvalidData) as error:
            stated()
        assert str(error.value).endswith(what_to_do)
        assert "\n" not in str(error.value)


def test_a_journal_that_states_them_is_read_and_has_the_digest_it_had() -> None:
    (opened,) = decode((DATA / "events-1.jsonl").read_bytes().splitlines()[0])
    assert isinstance(opened, TableOpened)
    book = opened.rules.book
    assert {*KEYS} == {*book.origins}
    assert "040a54424c5ef2664733e6379d2d67737f09bf273554e928fe26cb41141cb6da" == book.digest


def test_keys_are_dropped_from_tables_and_by_their_dotted_names() -> None:
    written = {"void": "stakes_returned", "seats": 7, "deck": {"backs": "one_colour", "reviewed": 1}, "deck.backs": 1}
    assert {"seats": 7, "deck": {"reviewed": 1}} == without_retired(written)


ALWAYS = {"backing": "off", "ace_wrap": "excluded", "void": "stakes_returned"}
BANK = {"bank.partial_cover": "to_the_limit", "bank.declined": "next_seat", "fee.when": "betting_closes"}
TWO_DECKS, ONE_DECK = {"deck.backs": "different_colours"}, {"deck.backs": "one_colour"}
CONTROLLER, REPLACED = {"shuffler.controller_version": "1.32"}, {"irreg.replacement": "next_card"}


@pytest.mark.parametrize(
    ("house", "stated"),
    [
        ("california-1", {**ALWAYS, **BANK, **TWO_DECKS}),
        ("nsw-1", {**ALWAYS, **ONE_DECK}),
        ("nsw-1+two_decks", {**ALWAYS, **TWO_DECKS}),
        ("shufflemaster-1", {**ALWAYS, **CONTROLLER, **TWO_DECKS, **REPLACED}),
        ("washington-1+hand", {**ALWAYS, **ONE_DECK, **REPLACED}),
        ("washington-1+felt", {**ALWAYS, **TWO_DECKS, **REPLACED}),
    ],
)
def test_a_digest_holds_each_retired_key_where_it_applied(house: str, stated: dict[str, str]) -> None:
    book = catalog.rulebook(house)
    values = book.values()
    filled_in = {name for name in values if KEYS[name].later and book.origins[name].source is Source.HOUSE}
    rules = {name: values[name] for name in values.keys() - filled_in if KEYS[name].is_digested(book.rules)}
    assert sha256({"id": house, "paytables": {}, "rules": {**rules, **stated}}) == book.digest
    assert f"{house} {book.digest}" in (DATA / "digests.txt").read_text(encoding="utf-8").splitlines()


def test_a_key_that_never_was_is_not_called_retired() -> None:
    assert "" == why_retired("seats") == why_retired("nothing")
    assert "; it is no key any more, because only the player in a seat bets there: delete it" == why_retired("backing")
