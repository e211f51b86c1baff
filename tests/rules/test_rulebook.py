"""Rule books: resolved, extended, overridden, refused."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from letitride.errors import InvalidData, MissingData
from letitride.rules import catalog
from letitride.rules.explain import differences, facts
from letitride.rules.keys import Rules
from letitride.rules.keyspec import KEYS, KeySpec, build, find_keys
from letitride.rules.rulebook import RuleBook, Source, Variant

BOOKS = ("california-1", "hand-dealt-1", "nsw-1", "shufflemaster-1", "washington-1")
HEAD = 'id = "own-1"\ntitle = "Own"\n'


def write(folder: Path, text: str, name: str = "own.toml") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_the_five_books_are_there() -> None:
    assert BOOKS == catalog.rulebook_ids()


def test_washington_takes_over_the_manuals_but_for_what_it_says_itself() -> None:
    sm, wa = catalog.rulebook("shufflemaster-1"), catalog.rulebook("washington-1")
    assert ("shufflemaster-1",) == wa.lineage
    changed = {one.spec.name for one, _ in differences(sm, wa)}
    own = {name for name, origin in wa.origins.items() if origin.book == "washington-1"}
    # What applies only with Cover All is a difference without a value of Washington's own.
    assert changed - own <= {name for name in KEYS if name.startswith("cover_all.")}


@pytest.mark.parametrize("book_id", [*BOOKS, *(f"{b}+{v}" for b in BOOKS for v in catalog.rulebook(b).variants)])
def test_every_rule_has_a_clause_or_says_why_not_and_everything_else_is_a_house_default(book_id: str) -> None:
    by_omission = {"cut.card", "cut.who", "fee.kind", "bonus.offered", "three_card.offered", "cover_all.offered"}
    for fact in facts(catalog.rulebook(book_id)):
        if fact.source is not Source.DOCUMENT:
            assert fact.origin == "house default" or not fact.applies
        elif not fact.clauses:
            assert fact.spec.name in by_omission
            assert (fact.origin, bool(fact.note)) == ("by omission", True)


def test_california_has_no_irregularity_rule_of_its_own() -> None:
    book = catalog.rulebook("california-1")
    rulings = [name for name in KEYS if name.startswith(("irreg.", "misdeal."))]
    assert rulings
    assert {Source.HOUSE} == {book.origins[name].source for name in rulings}


def test_a_key_that_cannot_matter_is_not_applicable() -> None:
    nsw = catalog.rulebook("nsw-1")
    assert "bank.cover" not in nsw.values()
    assert "three_card.settle" not in nsw.values()
    assert "not applicable" == next(facts(nsw, find_keys("bank.cover"))).words


@pytest.mark.parametrize("book_id", BOOKS)
def test_values_survive_a_round_trip_through_plain_data(book_id: str) -> None:
    rules = catalog.rulebook(book_id).rules
    assert rules == msgspec.json.decode(msgspec.json.encode(rules), type=Rules)


def test_a_book_of_ones_own_extends_a_published_one_and_uses_its_own_paytable(tmp_path: Path) -> None:
    table = Path(__file__).parent.parent.parent / "src/letitride/rules/data/paytables/LIRX-03.toml"
    write(tmp_path, table.read_text().replace('"LIRX-03"', '"MINE"', 1), "mine.toml")
    own = HEAD + 'extends = "nsw-1"\n[rules]\nseats = 5\nbase.paytables = ["mine.toml"]\nbase.paytable = "mine.toml"\n'
    path = write(tmp_path, own)
    ready = catalog.table_rules(path, {"limit.cents_max": 2_500})
    assert (5, 2_500, "single") == (ready.rules.seats, ready.rules.limit.cents_max, ready.rules.deal.unit)
    assert {"base": "MINE"} == ready.paytables
    assert catalog.paytable("LIRX-03").pays["base"].columns == ready.pays["base"].columns
    seats, unit = facts(catalog.rulebook(path), [KEYS["seats"], KEYS["deal.unit"]])
    assert ("own-1", "nsw-1") == (seats.book, unit.book)


def test_a_book_may_extend_a_book_that_extends_a_book_beside_it(tmp_path: Path) -> None:
    write(tmp_path, 'id = "a"\ntitle = "A"\nextends = "nsw-1+shuffler"\n[rules]\nseats = 6\n', "a.toml")
    path = write(tmp_path, 'id = "b"\ntitle = "B"\nextends = "a.toml"\n[rules]\ncoach = true\n', "b.toml")
    book = catalog.rulebook(path)
    assert ("a", "nsw-1+shuffler") == book.lineage
    assert (6, True, "shuffler") == (book.rules.seats, book.rules.coach, book.rules.device)


def test_a_path_may_hold_a_plus_sign_and_a_variant_may_follow_it(tmp_path: Path) -> None:
    (tmp_path / "a+b").mkdir()
    path = write(tmp_path / "a+b", HEAD + 'extends = "nsw-1"\n[variants.small]\nseats = 3\n')
    assert 7 == catalog.rulebook(path).rules.seats
    assert ("own-1+small", 3) == (catalog.rulebook(path + "+small").id, catalog.rulebook(path + "+small").rules.seats)


def test_digests_depend_on_values_and_nothing_else(tmp_path: Path) -> None:
    first = catalog.rulebook(write(tmp_path, HEAD + 'extends = "nsw-1"\n[rules]\nseats = 5\n', "1.toml"))
    second = catalog.rulebook(write(tmp_path, HEAD + 'extends = "nsw-1"\n[house]\nseats = 5\n# a comment\n', "2.toml"))
    third = catalog.rulebook(write(tmp_path, HEAD + 'extends = "nsw-1"\n[rules]\nseats = 4\n', "3.toml"))
    assert first.digest == second.digest != third.digest


def test_what_letitride_fills_in_for_a_silent_document_is_in_no_digest_and_a_house_s_own_value_is(
    tmp_path: Path,
) -> None:
    published = catalog.rulebook("washington-1")
    other = published.with_values({"irreg.failure_dealt": "round_void"}, Source.HOUSE, "here")
    assert other.digest == published.digest
    head = HEAD + 'extends = "washington-1"\n'
    plain, own, default = (
        catalog.rulebook(write(tmp_path, head + lines, f"{number}.toml"))
        for number, lines in enumerate(
            (
                "",
                '[house]\nirreg.failure_dealt = "played_out"\n',
                '[house]\nirreg.failure_dealt = "round_void"\n',
            )
        )
    )
    assert plain.value("irreg.failure_dealt") == own.value("irreg.failure_dealt") == "played_out"
    assert plain.digest == default.digest != own.digest
    assert default.value("irreg.failure_dealt") == "round_void"


def test_a_later_key_is_in_the_digest_only_where_it_has_another_value_than_its_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def digest(name: str, lines: str) -> str:
        return catalog.rulebook(write(tmp_path, HEAD + 'extends = "nsw-1"\n[rules]\n' + lines, name)).digest

    keys = cast("dict[str, KeySpec]", KEYS)
    early = [digest("1.toml", 'advice = "free"'), digest("2.toml", 'advice = "on_request"')]
    monkeypatch.setitem(keys, "advice", replace(keys["advice"], later=True))
    late = [digest("3.toml", 'advice = "free"'), digest("4.toml", 'advice = "on_request"')]
    assert "free" == keys["advice"].default
    assert early[1] == late[1]
    assert 3 == len({*early, *late})
    monkeypatch.delitem(keys, "advice")
    assert late[0] == digest("5.toml", "seats = 7"), "as if the key had never been there"


def test_a_table_may_repeat_what_its_book_fixes() -> None:
    assert 7 == catalog.table_rules("nsw-1", {"seats": 7}).rules.seats


def test_a_variant_keeps_what_it_leaves_to_the_house_open_and_fixes_what_it_rules() -> None:
    shoe = catalog.rulebook("washington-1+shoe")
    assert (Source.DOCUMENT, Source.HOUSE) == (shoe.origins["device"].source, shoe.origins["deal.unit"].source)
    assert "cover_all.offered" not in shoe.options


@pytest.mark.parametrize(
    ("book_id", "values", "sentence"),
    [
        ("nsw-1", {"limit.cents_min": None}, "expected a value for limit.cents_min (a whole number, 1 or more), got none"),
        ("shufflemaster-1", {"fee.kind": "flat"}, "fee.kind: expected 'none', which the book fixes, got 'flat'"),
        ("nsw-1", {"seats": 6}, "seats: expected 7, which the book fixes, got 6; to change it, write a book that extends nsw-1"),
        ("nsw-1", {"bet.cutoff": "call"}, "bet.cutoff: expected one of 'call_and_first_card', 'first_card', got 'call'"),
        ("nsw-1", {"limit.cents_max": 100}, "limit.cents_max: expected at least the minimum of 500 cents, got 100"),
        ("nsw-1", {"payout.cap": "maximum"}, "payout.cents_max: expected an amount in cents, because payout.cap is 'maximum', got unset"),
        ("nsw-1", {"limit.cents_min": "5"}, "limit.cents_min: expected a whole number, 1 or more, got '5'"),
        ("nsw-1", {"seat": 6}, "expected a rule-book key, got 'seat'; did you mean 'seats'?"),
        ("shufflemaster-1", {"base.paytable": "LIRX-01"}, "expected a paytable that prices the bonus wager, got LIRX-01"),
        ("shufflemaster-1", {"base.paytable": "nothing"}, "base.paytable: expected a path ending in .toml or the id of a paytable"),
    ],
)  # fmt: skip
def test_a_table_may_not_leave_what_its_book_leaves_open(book_id: str, values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidData) as error:
        catalog.table_rules(book_id, values)
    assert sentence in str(error.value)


def test_a_maximum_payout_may_be_set_with_its_amount() -> None:
    ready = catalog.table_rules("nsw-1", {"payout.cap": "maximum", "payout.cents_max": 5_000_000})
    assert (5_000_000, "player_round") == (ready.rules.payout.cents_max, ready.rules.payout.scope)


BAD_BOOKS = {
    "not TOML": ("id = ", "own.toml: expected valid TOML, got an error: "),
    "no id": ('title = "Own"', "own.toml: id: expected a text, got nothing"),
    "no title": ('id = "own"', "own.toml: title: expected a text, got nothing"),
    "bad id": ('id = "a/b"\ntitle = "x"', "own.toml: id: expected a name like 'my-room-1', got 'a/b'"),
    "title of another kind": ('id = "a"\ntitle = 3', "own.toml: title: expected a text on one line, got 3"),
    "unknown top key": (HEAD + 'extend = "nsw-1"', "got the unknown key 'extend'; did you mean 'extends'?"),
    "key outside [rules]": (HEAD + "seats = 7", "got the unknown key 'seats'; keys stand under [rules]"),
    "rules of another kind": (HEAD + "rules = 3", "own.toml: rules: expected a table, got 3"),
    "unknown key": (HEAD + "[rules]\ndeal.unt = 'packet'", "got the unknown key 'deal.unt'; did you mean 'deal.unit'?"),
    "unknown section": (HEAD + "[rules.dealing]\nunit = 'packet'", "got the unknown key 'dealing'"),
    "unknown value": (HEAD + "[rules]\ndeal.unit = 'pair'", "deal.unit: expected one of 'packet', 'single', got 'pair'"),
    "number out of range": (HEAD + "[rules]\nseats = 9", "seats: expected a whole number from 1 to 7, got 9"),
    "text for a number": (HEAD + "[rules]\nseats = '7'", "seats: expected a whole number from 1 to 7, got '7'"),
    "text for a list": (HEAD + "[rules]\nbet.media = 'chips'", "bet.media: expected a list, each one of 'chips', 'plaques', 'tokens', 'vouchers', 'match_play', got 'chips'"),
    "value twice": (HEAD + "[rules]\nbet.media = ['chips', 'chips']", "bet.media: expected no value twice, got ['chips', 'chips']"),
    "word for": (HEAD + "[rules]\nodds.wording = ['to', 'for']", "odds.wording: expected a list, each one of 'to', 'win', got ['to', 'for']"),
    "limit below its minimum": (HEAD + "[rules]\nlimit.cents_min = 500\nlimit.cents_max = 400", "own.toml: limit.cents_max: expected at least the minimum of 500 cents, got 400"),
    "side limit below its minimum": (HEAD + "[rules]\nthree_card.cents_min = 500\nthree_card.cents_max = 400", "three_card.cents_max: expected at least the minimum of 500 cents, got 400"),
    "in both tables": (HEAD + "[rules]\nseats = 5\n[house]\nseats = 6", "seats: expected it in one of [rules], [house] and must_state, got it in two"),
    "unknown parent": (HEAD + "extends = 'nsw-9'", "own.toml: extends: expected a path ending in .toml or the id of a rule book, got 'nsw-9'; did you mean 'nsw-1'?"),
    "missing parent": (HEAD + "extends = 'gone.toml'", "gone.toml', which does not exist"),
    "itself as parent": (HEAD + "extends = 'own.toml'", "own.toml: extends: expected a book that does not extend itself, got own.toml -> own.toml"),
    "missing paytable": (HEAD + "[rules]\nbase.paytable = 'gone.toml'", "gone.toml', which does not exist"),
    "itself as parent, as a variant": (HEAD + "extends = 'own.toml+a'\n[variants.a]\nseats = 5", "extends: expected a book that does not extend itself, got own.toml -> own.toml"),
    "a NUL in a path": (HEAD + "extends = 'a\\u0000b.toml'".replace("'", '"'), "extends: "),
    "a number without end": (HEAD + f"[rules]\nseats = {'9' * 5000}", "own.toml: expected a TOML file of reasonable size"),
    "brackets without end": (HEAD + f"[rules]\nseats = {'[' * 5000}", "own.toml: expected"),
    "a published book's id": ("id = 'nsw-1'\ntitle = 'x'", "own.toml: id: expected an id of its own, got 'nsw-1', another book's"),
    "a document's clauses": (HEAD + "document = 'nsw'", "own.toml: document: expected none"),
    "a line break in a title": ("id = 'a'\ntitle = \"a\\nb\"", "own.toml: title: expected a text on one line, got 'a\\nb'"),
    "an escape in a value": (HEAD + "[rules]\nshuffler.vendor = \"\\u001b[31m\"", "shuffler.vendor: expected a text, got"),
    "must_state of a value given": (HEAD + "must_state = ['limit.cents_max']\n[rules]\nlimit.cents_max = 500", "limit.cents_max: expected it in one of [rules], [house] and must_state, got it in two"),
    "options without the value": (HEAD + "[rules]\nseats = 7\n[options]\nseats = [5, 6]", "options.seats: expected a list with 7, got [5, 6]"),
    "no paytables": (HEAD + "[rules]\nbase.paytables = []", "base.paytables: expected at least one paytable, got []"),
    "a listed paytable that is not there": (HEAD + "[rules]\nbase.paytables = ['LIRX-01', 'LIRX-99']", "base.paytables: expected a path ending in .toml or the id of a paytable"),
    "a listed paytable for another wager": (HEAD + "[rules]\nbase.paytables = ['LIRX-01', '3CB-1']", "base.paytables: expected a paytable that prices the base wager, got 3CB-1"),
    "a variant that cannot be named": (HEAD + "[variants.'a b']\nseats = 5", "variants: expected a name like 'two_decks', got 'a b'"),
    "must_state of another kind": (HEAD + "must_state = 'seats'", "must_state: expected a list of keys, got 'seats'"),
    "must_state of a key with a value": (HEAD + "must_state = ['seats']", "must_state: expected one of "),
    "options of another kind": (HEAD + "[options]\nseats = 7", "options.seats: expected a list of values, got 7"),
    "option that is no value": (HEAD + "[options]\nseats = [7, 8]", "options: seats: expected a whole number from 1 to 7, got 8"),
    "variant of another kind": (HEAD + "variants.a = 3", "variants.a: expected a table, got 3"),
    "variant that contradicts": (HEAD + "[variants.a]\ndecks = 2\ndevice = 'hand'", "own.toml: variants.a: decks: expected 1, because only a shuffler alternates two decks, got 2"),
    "two decks that are spread": (HEAD + "extends = 'shufflemaster-1'\n[rules]\nidle = 'spread'", "idle: expected another value than 'spread', because two decks alternate in a shuffler, got 'spread'"),
    "two decks by hand": (HEAD + "extends = 'shufflemaster-1'\n[rules]\nshuffle.by = 'hand'", "shuffle.by: expected 'machine', because two decks alternate in a shuffler, got 'hand'"),
    "two decks that are shown": (HEAD + "extends = 'shufflemaster-1'\n[rules]\ndeck.check = 'inspect_and_show'", "deck.check: expected another value than 'inspect_and_show', because two decks alternate in a shuffler, got 'inspect_and_show'"),
    "note of another kind": (HEAD + "[notes]\nseats = 3", "notes.seats: expected a text on one line, got 3"),
    "packets by hand": (HEAD + "extends = 'hand-dealt-1'\n[rules]\ndeal.unit = 'packet'", "deal.unit: expected 'single', because only a shuffler delivers packets, got 'packet'"),
    "burn without its card": (HEAD + "extends = 'nsw-1'\n[rules]\nburn.card = 'bottom_of_packet'", "burn.card: expected another card than 'bottom_of_packet', because single cards are dealt"),
    "community of the wrong cards": (HEAD + "extends = 'nsw-1'\n[rules]\ncommunity.order = 'second_third'", "community.order: expected 'first_second', because burn.card is 'none', got 'second_third'"),
    "bonus without its word": (HEAD + "extends = 'shufflemaster-1'\n[rules]\nodds.wording = ['to']", "odds.wording: expected a list with 'win'"),
    "sensors without controller": (HEAD + "extends = 'shufflemaster-1'\n[rules]\nshuffler.controller = false", "bonus.stake_handling: expected 'lammer', because no table controller reads sensors"),
    "wager without an order": (HEAD + "extends = 'nsw-1'\n[rules]\nthree_card.offered = true", "settle.bets_order: expected a list with 'three_card', because it is offered, got ['base']"),
    "order against the key": (HEAD + "extends = 'shufflemaster-1'\n[rules]\nthree_card.settle = 'before_base'", "settle.bets_order: expected 'three_card' before 'base', because three_card.settle says so"),
    "Cover All before the others": (HEAD + "extends = 'washington-1'\n[rules]\nsettle.bets_order = ['base', 'cover_all', 'three_card', 'bonus']", "settle.bets_order: expected 'cover_all' last, because the best hand is known when all are settled"),
    "a side bet with the base, hand by hand": (HEAD + "extends = 'shufflemaster-1'\n[rules]\nthree_card.settle = 'with_base'", "three_card.settle: expected another value than 'with_base', because hands are settled one after the other"),
    "software without a release": (HEAD + "extends = 'washington-1'\n[rules]\ncover_all.software = 'NXP'", "cover_all.software: expected a name and a release like 'NXP v1.0.114', got 'NXP'"),
    "house bank with a banker's cap": (HEAD + "[rules]\npayout.cap = 'bank_stake'", "payout.cap: expected another value than 'bank_stake', because the house banks"),
    "player bank without the cap": (HEAD + "[rules]\nbank.mode = 'player'", "payout.cap: expected 'bank_stake', because a player banks"),
    "fees out of order": (HEAD + "[rules]\nfee.kind = 'flat'\nfee.tiers = [{limit_cents_max = 2, wager_cents = 1, bank_cents = 1}, {limit_cents_max = 1, wager_cents = 1, bank_cents = 1}]", "fee.tiers: expected the lowest limit first"),
    "no fee for the table's limit": (HEAD + "[rules]\nfee.kind = 'flat'\nfee.tiers = []", "fee.tiers: expected a row for the table's limit of 50000 cents, got []"),
    "cut of a shuffler's cards": (HEAD + "[rules]\ncut.who = 'dealer'", "cut.who: expected 'nobody', because a shuffler's cards are not cut"),
    "dead game without a shuffler": (HEAD + "extends = 'hand-dealt-1'\n[rules]\nidle = 'dead_game'", "idle: expected another value than 'dead_game', because no shuffler is used"),
    "fee row incomplete": (HEAD + "[rules]\nfee.tiers = [{limit_cents_max = 2}]", "fee.tiers: expected a list of tables with limit_cents_max, wager_cents, bank_cents, like [{limit_cents_max = 5000, wager_cents = 100, bank_cents = 200}], got [{limit_cents_max = 2}]"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "sentence"), BAD_BOOKS.values(), ids=list(BAD_BOOKS))
def test_a_bad_book_is_refused_in_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(InvalidData) as error:
        catalog.table_rules(write(tmp_path, text))
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)
    assert "own.toml: " in str(error.value) or "table by own-1: " in str(error.value)


def test_a_cycle_over_two_books_is_refused(tmp_path: Path) -> None:
    write(tmp_path, 'id = "a"\ntitle = "A"\nextends = "b.toml"\n', "a.toml")
    write(tmp_path, 'id = "b"\ntitle = "B"\nextends = "a.toml"\n', "b.toml")
    with pytest.raises(InvalidData, match=r"does not extend itself, got a\.toml -> b\.toml -> a\.toml"):
        catalog.rulebook(str(tmp_path / "a.toml"))


def test_one_id_never_means_two_paytables(tmp_path: Path) -> None:
    table = Path(__file__).parent.parent.parent / "src/letitride/rules/data/paytables/LIRX-03.toml"
    text = table.read_text().replace('"LIRX-03"', '"MINE"', 1)
    write(tmp_path, text, "a.toml")
    other = write(tmp_path, text.replace("royal_flush = 100", "royal_flush = 60"), "b.toml")
    book = write(tmp_path, HEAD + "[rules]\nbase.paytables = ['a.toml']\nbase.paytable = 'a.toml'\n")
    with pytest.raises(InvalidData, match="expected an id of its own, got 'MINE', another paytable's"):
        catalog.table_rules(book, {"base.paytable": other})
    same = catalog.table_rules(book, {"base.paytable": str(tmp_path / "a.toml")}).book
    assert same.digest == catalog.table_rules(book, {"base.paytable": "MINE"}).book.digest


def test_a_child_that_rules_a_key_closes_its_parents_option(tmp_path: Path) -> None:
    path = write(tmp_path, HEAD + "extends = 'shufflemaster-1'\n[rules]\nbet.spoken_cash = false\n")
    with pytest.raises(InvalidData, match="bet.spoken_cash: expected false, which the book fixes, got true"):
        catalog.table_rules(path, {"bet.spoken_cash": True})


def test_a_file_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    assert "own-1" == catalog.rulebook(write(tmp_path, "\ufeff" + HEAD)).id


def test_a_missing_file_a_folder_and_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingData, match=r"expected a TOML file, got '.*gone\.toml', which does not exist"):
        catalog.rulebook(str(tmp_path / "gone.toml"))
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(InvalidData, match="expected a TOML file, got '.*', which is a folder"):
        catalog.rulebook(str(tmp_path / "folder.toml"))
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidData, match="expected a TOML file in UTF-8, got other bytes"):
        catalog.rulebook(str(tmp_path / "bytes.toml"))


def test_a_paytable_of_ones_own_may_not_pass_for_a_published_one(tmp_path: Path) -> None:
    table = Path(__file__).parent.parent.parent / "src/letitride/rules/data/paytables/LIRX-03.toml"
    path = write(tmp_path, table.read_text().replace("= 100", "= 1000"), "LIRX-03.toml")
    with pytest.raises(InvalidData, match="id: expected an id of its own, got 'LIRX-03', a published paytable's"):
        catalog.paytable(path)


def test_keys_are_found_by_name_section_or_without_underscores_and_units() -> None:
    assert ["three_card.settle"] == [spec.name for spec in find_keys("threecard.settle")]
    assert ["limit.cents_min"] == [spec.name for spec in find_keys("limit.min")]
    assert ["burn.card", "burn.when"] == [spec.name for spec in find_keys("burn")]
    with pytest.raises(MissingData, match="expected a rule-book key, got 'deal.unt'; did you mean 'deal.unit'"):
        find_keys("deal.unt")


def test_every_legal_value_of_a_key_says_what_it_means() -> None:
    for name, spec in KEYS.items():
        legal = {value for value in spec.expected.replace("one of ", "").split(", ") if value.startswith("'")}
        if legal and "list" not in spec.expected:
            assert {f"'{value}'" for value in spec.meanings} == legal, name
        assert spec.doc.endswith("."), name


def test_a_book_shows_what_it_is_and_every_key_with_its_value_and_source() -> None:
    book = catalog.table_book("california-1", {"limit.cents_max": 900})
    page, values = book.shown(), book.values()
    assert f"california-1: {book.title}" == page.title == book.headline()
    sources = [str(book.origins[name].source) for name in values]
    counted = [f"{sources.count(one)} by the {one}" for one in ("house", "document", "table")]
    assert sources.count("house") > sources.count("document") > sources.count("table") == 1
    assert page.facts == (
        ("edition", book.edition),
        ("keys", ", ".join(counted)),
        ("open", "limit.cents_min, fee.tiers"),
        ("sha256", book.digest),
    )
    (keys,) = page.grids
    assert (("key", "value", "source"), True) == (keys.columns, keys.folded)
    assert list(values) == [name for name, _, _ in keys.rows]
    assert {("limit.cents_max", "900", "table"), ("seats", "7", "document"), ("coach", "true", "house")} <= {*keys.rows}


def test_a_book_that_extends_another_shows_it_and_its_variants() -> None:
    facts = dict(catalog.rulebook("washington-1+felt").shown().facts)
    assert "shufflemaster-1" == facts["extends"]
    assert facts["variants"].startswith("felt, base, three_card_first, three_card_claim, hand")
    assert "open" not in facts


def test_a_book_is_the_same_whether_or_not_its_digest_was_asked_for() -> None:
    book = catalog.rulebook("nsw-1")
    assert book.digest
    assert book == replace(book)


def test_a_variant_closes_the_options_that_it_rules_and_names_itself_in_refusals() -> None:
    variants = {
        "quiet": Variant({"seats": 5, "coach": False}, {"decks": 1, "base.paytables": ("LIRX-01",)}),
        "bad": Variant({"decks": 2, "device": "hand"}, {}),
    }
    book = RuleBook("own-1", "Own", build({}), options={"seats": (5, 7), "decks": (1, 2)}, variants=variants)
    quiet = book.variant("quiet")
    assert ("own-1+quiet", 5, {"decks": (1, 2)}) == (quiet.id, quiet.rules.seats, quiet.options)
    assert (Source.DOCUMENT, Source.HOUSE) == (quiet.origins["coach"].source, quiet.origins["decks"].source)
    assert {"seats": 5, "coach": False, "decks": 1, "base.paytables": ("LIRX-01",)} == variants["quiet"].values()
    for where, named in (("", "own-1+bad"), ("own.toml: variants.bad", "own.toml: variants.bad")):
        with pytest.raises(InvalidData, match=f"^{re.escape(named)}: decks: expected 1, because"):
            book.variant("bad", where)


@pytest.mark.parametrize(
    ("house", "values", "sentence"),
    [
        ("nsw-1", {"payout.cents_max": 900}, "payout.cents_max: expected no value, because payout.cap is 'none', got 900"),
        ("nsw-1", {"irreg.jam_in_deal": "round_void"}, "irreg.jam_in_deal: expected no value, because device is 'shoe', got 'round_void'"),
        ("nsw-1", {"decks": 2}, "decks: expected 1, which the book fixes, got 2; a table by 'nsw-1+two_decks' has it"),
        ("nsw-1", {"device": "shuffler"}, "device: expected 'shoe', which the book fixes, got 'shuffler'; a table by one of 'nsw-1+shuffler', 'nsw-1+two_decks' has it"),
        ("nsw-1", {"stub.to_discard": "after_deal", "seats": 5}, "seats: expected 7, which the book fixes, got 5; to change it, write a book that extends nsw-1"),
        ("nsw-1+shuffler", {"decks": 2}, "decks: expected 1, which the book fixes, got 2; a table by 'nsw-1+two_decks' has it"),
        ("nsw-1+shuffler", {"device": "hand"}, "device: expected 'shuffler', which the variant 'shuffler' fixes, got 'hand'; to change it, write a book that extends nsw-1+shuffler"),
        ("washington-1+hand+shoe", {"device": "hand"}, "device: expected 'shoe', which the variant 'shoe' fixes, got 'hand'; a table by 'washington-1+hand' has it"),
    ],
)  # fmt: skip
def test_what_a_table_may_not_set_is_refused_with_who_fixes_it_and_a_way_out(
    house: str, values: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(InvalidData) as error:
        catalog.rulebook(house).for_table(values)
    assert f"table by {house}: {sentence}" == str(error.value)
