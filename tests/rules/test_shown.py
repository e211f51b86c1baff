"""Values that show themselves: one line, a page of text, HTML that trusts no input; and never a hidden card."""

from __future__ import annotations

import pickle
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import letitride
from letitride.engine.view import view
from letitride.records.rounds import PlayedRound
from letitride.rules.shown import Grid, Page, Shown, as_html, as_text, grid

ROUND = (Path(__file__).parent.parent / "records" / "examples" / "washington.round").read_text(encoding="utf-8")
EVIL = "<script>alert('x')</script>&\""


class Strict(HTMLParser):
    """Reads HTML, and refuses what is not closed or not known."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, _attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.open.pop()

    def handle_data(self, data: str) -> None:
        self.text += data


def read_html(shown: Any) -> Strict:
    page = shown._repr_html_()
    parser = Strict()
    parser.feed(page)
    parser.close()
    assert not parser.open
    known = {"div", "strong", "table", "thead", "tbody", "tr", "th", "td", "caption", "details", "summary"}
    assert parser.seen <= known
    return parser


def everything() -> list[Any]:
    done = letitride.replay(letitride.read_record(ROUND))
    return [
        letitride.rulebook("nsw-1"),
        letitride.table_rules("washington-1"),
        letitride.paytable("LIRB-06"),
        letitride.paytable("COVER-ALL"),
        letitride.sheets(letitride.paytable("LIRX-01"))[0],
        done,
        done.outcomes[0],
        done.table,
        PlayedRound(1, (), "settled", done.outcomes[0].results),
    ]


@pytest.mark.parametrize("place", range(8))
def test_each_is_a_line_a_page_and_html(place: int) -> None:
    one = everything()[place]
    assert 1 == len(repr(one).splitlines())
    assert repr(one).startswith(f"<{type(one).__name__} ")
    assert one.shown().title in read_html(one).text
    assert str(one).splitlines()[0] == one.shown().title
    assert not hasattr(one, "__dict__")  # as lean as before


def test_a_round_that_was_played_names_its_wagers_in_one_line_and_on_a_page() -> None:
    done = letitride.replay(letitride.read_record(ROUND))
    grids = done.outcomes[0].shown().grids
    assert grids[0].rows
    assert {"seat", "wager", "stake", "result", "paid", "net"} == set(grids[0].columns)
    assert all(cell in read_html(done).text for row in grids[0].rows for cell in row)


def test_html_escapes_every_text() -> None:
    page = Page(EVIL, ((EVIL, EVIL),), (grid([EVIL], [[EVIL]], EVIL), grid([EVIL], [[EVIL]], EVIL, folded=True)))
    html = as_html(page)
    assert "<script" not in html
    assert 9 == html.count("&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;&amp;&quot;")
    assert EVIL in as_text(page)


def test_names_and_titles_are_text_and_nothing_else() -> None:
    table, _ = letitride.open_table(letitride.table_rules("nsw-1"))
    table, _ = letitride.play(table, letitride.commands.Do(kind="check_deck", number=1))
    sit = letitride.commands.Sit(by="seat:1", seat=1, player="O'Neil", cents=50_000)
    table, happened = letitride.play(table, sit)
    assert not isinstance(happened, letitride.Refusal)
    assert "O'Neil" in read_html(table).text
    assert "O&#x27;Neil" in table._repr_html_()
    titled = replace(letitride.paytable("LIRB-06"), title=EVIL)
    assert EVIL in read_html(titled).text
    assert "<script" not in titled._repr_html_()


def test_a_table_shows_no_card_that_a_spectator_does_not_see() -> None:
    done = letitride.replay(letitride.read_record(ROUND))
    hidden = 0
    for step in done.steps:
        seen = view(step.after, "spectator")
        backs = [card for seat in seen.seats.values() for card in seat.cards if card.startswith("[")]
        faces = {
            str(card.face) for number in step.after.seats for card in step.after.at(f"hand:{number}") if not card.up
        }
        words = set(str(step.after).split())
        assert len(backs) == sum(
            word.startswith("[") for row in step.after.shown().grids[0].rows for word in row[4].split()
        )
        assert not faces & words
        hidden += len(backs)
    assert hidden


class Printer:
    """What IPython hands to a value that prints itself."""

    def __init__(self) -> None:
        self.printed = ""

    def text(self, text: str) -> None:
        self.printed += text


def test_ipython_prints_the_page() -> None:
    table = letitride.paytable("LIRB-06")
    for cycle, expected in ((False, str(table)), (True, repr(table))):
        printer = Printer()
        table._repr_pretty_(printer, cycle)
        assert expected == printer.printed


def test_what_shows_itself_is_still_the_same_value() -> None:
    book = letitride.rulebook("nsw-1")
    assert book == letitride.rulebook("nsw-1")
    sheet = letitride.sheets(letitride.paytable("3CB-1"))[0]
    assert repr(sheet) == repr(pickle.loads(pickle.dumps(sheet)))
    with pytest.raises(NotImplementedError):
        repr(Shown())


def test_a_page_is_text_in_columns_and_leaves_out_what_is_folded() -> None:
    page = Page(
        "A title",
        (("a", "1"), ("long", "2")),
        (
            grid(["hand", "pays"], [["flush", 8], ["two pair", "2"]], "Base"),
            grid(["x"], [["y"]]),
            grid(["many"], [["rows"]], "Long", folded=True),
        ),
    )
    assert as_text(page).splitlines() == [
        "A title",
        "  a     1",
        "  long  2",
        "",
        "  Base",
        "  hand      pays",
        "  flush     8",
        "  two pair  2",
        "",
        "  x",
        "  y",
    ]
    assert as_text(Page("Alone")) == "Alone"


def test_a_notebook_has_a_caption_over_an_open_grid_and_folds_a_long_one_under_its_title() -> None:
    titled = as_html(Page("P", (), (grid(["c"], [["v"]], "Open"),)))
    assert ">Open</caption>" in titled
    assert "<details>" not in titled
    assert "<caption" not in as_html(Page("P", (), (grid(["c"], [["v"]]),)))
    folded = as_html(Page("P", (), (grid(["c"], [["v"]], "Long", folded=True),)))
    assert "<details><summary>Long</summary><table><thead>" in folded
    assert "<table>" not in as_html(Page("P"))
    assert not Grid(("c",), ()).folded
