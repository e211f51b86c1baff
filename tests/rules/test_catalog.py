"""Catalog: books and paytables by id, by path and as texts that were sent along; what cannot be read is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from letitride.errors import InvalidData, MissingData
from letitride.rules import catalog
from tests.paytables import base_paytable

BOOK = 'id = "own-1"\ntitle = "Own"\n'


def written(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def test_demo_tables_state_what_california_leaves_open() -> None:
    rules = catalog.ready_rules("california-1").rules
    (tier,) = rules.fee.tiers or ()
    assert (500, 10_000) == (rules.limit.cents_min, rules.limit.cents_max)
    assert (10_000, 50, 200) == (tier.limit_cents_max, tier.wager_cents, tier.bank_cents)
    own = catalog.ready_rules("california-1", {"limit.cents_min": 900}).rules
    assert (900, 10_000) == (own.limit.cents_min, own.limit.cents_max)
    assert {} == catalog.stated_values("nsw-1")
    assert {"limit.cents_max", "fee.tiers"} == catalog.stated_values("california-1", {"limit.cents_min": 900}).keys()


def test_the_documents_of_a_book_are_its_own_and_those_it_extends() -> None:
    assert ("wa", "sm") == catalog.documents(catalog.rulebook("washington-1+hand"))
    own = catalog.table_rules_of_texts("own.toml", {}, {"own.toml": BOOK + 'extends = "nsw-1+shuffler"\n'})
    assert ("nsw",) == catalog.documents(own.book)
    assert () == catalog.documents(catalog.table_rules_of_texts("own.toml", {}, {"own.toml": BOOK}).book)


def test_a_book_and_its_paytables_may_be_sent_as_texts() -> None:
    texts = {
        "own.toml": BOOK + "extends = 'nsw-1'\n[rules]\nbase.paytables = ['t/mine.toml']\nbase.paytable = 't/mine.toml'\n"
        "[variants.small]\nseats = 4\n[variants.coached]\ncoach = true\n",
        "t/mine.toml": base_paytable("MINE"),
    }  # fmt: skip
    table = catalog.table_rules_of_texts("own.toml+small+coached", {"limit.cents_max": 900}, texts)
    assert ("own-1+small+coached", 4, True) == (table.book.id, table.rules.seats, table.rules.coach)
    assert (900, {"base": "MINE"}) == (table.rules.limit.cents_max, table.paytables)
    assert ("nsw-1",) == table.book.lineage
    assert catalog.table_rules("nsw-1").step_clauses == table.step_clauses
    published = catalog.table_rules_of_texts("nsw-1+shuffler", {}, {})
    assert catalog.table_rules("nsw-1+shuffler") == published


@pytest.mark.parametrize(
    ("ref", "text", "sentence"),
    [
        ("gone.toml", BOOK, "expected the id of a rule book or one that was sent along, got 'gone.toml'"),
        ("own.toml", BOOK + "extends = 'a.toml'", "own.toml: extends: expected the id of a published rule book, got 'a.toml'"),
        ("own.toml", BOOK + "extends = '../own'", "own.toml: extends: expected the id of a published rule book, got '../own'"),
        ("own.toml", BOOK + "extends = 3", "own.toml: extends: expected a text on one line, got 3"),
        ("own.toml", BOOK + "document = 'nsw'", "own.toml: document: expected none, because clauses belong to published books, got one"),
        ("own.toml", "id = 'nsw-1'\ntitle = 'x'", "own.toml: id: expected an id of its own, got 'nsw-1', another book's"),
        ("own.toml", BOOK + "[rules]\nbase.paytable = 'gone.toml'", "own.toml: base.paytable: expected the id of a paytable or one that was sent along, got 'gone.toml'"),
        ("own.toml", "id = ", "own.toml: expected valid TOML, got an error: Invalid value (at end of document)"),
        ("own.toml", f"a = {'9' * 5000}", "own.toml: expected a TOML file of reasonable size, got one that cannot be read"),
        ("own.toml", f"[rules]\nseats = 0x{'f' * 5000}", "own.toml: rules: seats: expected a whole number of 64 bits, got a longer one"),
        ("own.toml", f"{'a.' * 89_999}a = 1", "own.toml: expected 200 dots on a line at most, got 89,999 on line 1"),
        ("own.toml", f"b = 1\n[{'a . ' * 300}a]", "own.toml: expected 200 dots on a line at most, got 300 on line 2"),
        ("own.toml", f"b = '{'x' * 10**6}'", "own.toml: expected a TOML file of 1,000,000 characters at most, got 1,000,006"),
        ("own.toml", f"a = {'[' * 5000}", "own.toml: expected a TOML file of reasonable size, got one that cannot be read"),
    ],
)  # fmt: skip
def test_texts_that_are_no_book_are_refused(ref: str, text: str, sentence: str) -> None:
    with pytest.raises(InvalidData) as error:
        catalog.table_rules_of_texts(ref, {}, {"own.toml": text})
    assert sentence == str(error.value)


def test_a_text_may_pass_for_a_published_paytable_only_if_it_is_one() -> None:
    def paid(text: str) -> Any:
        return catalog.table_rules_of_texts("nsw-1", {"base.paytable": "x.toml"}, {"x.toml": text}).paytables

    assert {"base": "LIRX-01"} == paid(base_paytable("LIRX-01", title="A copy"))
    for name in ("LIRX-01", "lirx-01"):
        with pytest.raises(InvalidData) as error:
            paid(base_paytable(name, royal_flush=5000))
        told = f"x.toml: id: expected an id of its own, got '{name}', a published paytable's"
        assert f"table by nsw-1: base.paytable: {told}" == str(error.value)


def test_a_book_may_not_have_the_id_of_one_that_it_extends(tmp_path: Path) -> None:
    written(tmp_path, "a.toml", 'id = "a"\ntitle = "A"\nextends = "nsw-1"\n[variants.small]\nseats = 4\n')
    for parent in ("a.toml", "a.toml+small"):
        path = written(tmp_path, "b.toml", f'id = "a"\ntitle = "B"\nextends = "{parent}"\n')
        with pytest.raises(InvalidData, match=r"b\.toml: id: expected an id of its own, got 'a', another book's"):
            catalog.rulebook(path)
    other = catalog.rulebook(written(tmp_path, "b.toml", 'id = "small"\ntitle = "B"\nextends = "a.toml+small"\n'))
    assert (("a+small", "nsw-1"), 4) == (other.lineage, other.rules.seats)


def test_twenty_books_may_extend_one_another_and_no_more(tmp_path: Path) -> None:
    for place in range(21):
        text = f'id = "b{place}"\ntitle = "B"\n' + (f'extends = "b{place + 1}.toml"\n' if place < 20 else "")
        written(tmp_path, f"b{place}.toml", text)
    assert 19 == len(catalog.rulebook(str(tmp_path / "b1.toml")).lineage)
    with pytest.raises(InvalidData) as error:
        catalog.rulebook(str(tmp_path / "b0.toml"))
    told = "expected a book that does not extend itself, got b17.toml -> b18.toml -> b19.toml -> b20.toml"
    assert str(error.value).endswith(f"b19.toml: extends: {told}")


def test_books_that_extend_each_other_are_refused_at_the_first_that_comes_again(tmp_path: Path) -> None:
    written(tmp_path, "a.toml", 'id = "a"\ntitle = "A"\nextends = "b.toml"\n')
    path = written(tmp_path, "b.toml", 'id = "b"\ntitle = "B"\nextends = "a.toml"\n')
    with pytest.raises(InvalidData) as error:
        catalog.rulebook(path)
    assert str(error.value).endswith("got b.toml -> a.toml -> b.toml")


def test_what_a_book_names_is_looked_for_beside_it(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    written(tmp_path / "deep", "mine.toml", base_paytable("MINE"))
    written(
        tmp_path / "deep", "a.toml", 'id = "a"\ntitle = "A"\n[rules]\nbase.paytables = ["./mine.toml", "LIRX-01"]\n'
    )
    book = catalog.rulebook(written(tmp_path, "b.toml", 'id = "b"\ntitle = "B"\nextends = "deep/a.toml"\n'))
    assert (("MINE", "LIRX-01"), ("a",)) == (book.rules.wagers["base"].paytables, book.lineage)


@pytest.mark.parametrize(
    ("ref", "sentence"),
    [
        ("gone\n.toml", r"expected a path ending in .toml or the id of a rule book, got 'gone\n.toml'"),
        ("a\x00b.toml", r"expected a path ending in .toml or the id of a rule book, got 'a\x00b.toml'"),
        ("nsw-9", "expected a path ending in .toml or the id of a rule book, got 'nsw-9'; did you mean 'nsw-1'?"),
        (
            "?",
            (
                "expected a path ending in .toml or the id of a rule book (california-1, hand-dealt-1, nsw-1, "
                "shufflemaster-1, washington-1), got '?'"
            ),
        ),
        ("nsw-1+", "nsw-1: expected one of 'shuffler', 'two_decks', got the unknown variant ''"),
        ("california-1+x", "california-1: expected no variant, since it has none, got the unknown variant 'x'"),
    ],
)  # fmt: skip
def test_what_names_no_book_is_refused(ref: str, sentence: str) -> None:
    with pytest.raises(InvalidData) as error:
        catalog.rulebook(ref)
    assert sentence == str(error.value)


def test_what_is_no_file_of_a_paytable_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    for name, kind, told in (
        ("gone.toml", MissingData, "expected a TOML file, got '{}', which does not exist"),
        ("gone\n.toml", MissingData, "expected a TOML file, got '{}', which does not exist"),
        ("folder.toml", InvalidData, "expected a TOML file, got '{}', which is a folder"),
        ("bytes.toml", InvalidData, "{}: expected a TOML file in UTF-8, got other bytes"),
        ("a\x00b.toml", InvalidData, "{}: expected a TOML file of reasonable size, got one that cannot be read"),
    ):
        path = str(tmp_path / name)
        with pytest.raises(kind) as error:
            catalog.paytable(path)
        assert told.format(path if path.isprintable() else ascii(path)) == str(error.value)
