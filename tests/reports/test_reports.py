"""Par sheets on paper: every exact figure is there, nothing comes from outside, equal tables give equal bytes."""

from __future__ import annotations

import io
import re
from fractions import Fraction
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from letitride.analysis.caps import cap
from letitride.analysis.par import CONVENTIONS, WagerSheet, sheets
from letitride.analysis.rounding import fraction, percent
from letitride.errors import InvalidData
from letitride.reports.paper import plots
from letitride.reports.paper.html import as_html
from letitride.reports.paper.model import Plot, Report
from letitride.reports.paper.pdf import as_pdf
from letitride.reports.par.document import table_report
from letitride.rules import catalog
from tests.paytables import base_paytable

HEADINGS = [
    "Hands and pays",
    "House edge and element of risk",
    "Volatility",
    "Win % of handle",
    "Ride rates",
    "Best play",
    "Cost of mistakes",
    "Maximum exposure",
    "Printed figures",
    "Remarks",
    "Evidence",
]


def report_of(ref: str, date: str = "", ties: Any = "withdraw") -> Report:
    """Return the report of one table."""
    table = catalog.paytable(ref)
    return table_report((table, sheets(table, ties)), ties, date)


def own(folder: Path, title: str) -> str:
    """Return the path of a house's own table."""
    path = folder / "own.toml"
    path.write_text(base_paytable(title=title, two_pair="3/2", tens_or_better=None), encoding="utf-8")
    return str(path)


def fractions_of(sheet: WagerSheet) -> list[Fraction]:
    """Return every exact figure of a wager."""
    figures = [sheet.house_edge, sheet.hit_frequency, sheet.results.variance, sheet.par, 1 - sheet.par]
    figures += [one for line in sheet.lines for one in (line.probability, line.riding, line.result)]
    figures += [one for one in (sheet.average_wager, sheet.bet1_ride_rate, sheet.bet2_ride_rate) if one is not None]
    if sheet.wager.is_base:
        figures += [Fraction(cases, sheet.results.total) for cases in sheet.results.cases.values()]
    return [one for one in figures if one.denominator > 1]


class Page(HTMLParser):
    """A page as read: its text, ids, links, headings and what is not closed."""

    VOID = ("meta", "wbr", "path", "use", "rect")

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.text = ""
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.headings: list[tuple[int, str]] = []
        self.scopes = 0
        self.header_cells = 0
        self.labels: list[str] = []
        self.feed(content.decode())
        self.close()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.note(tag, dict(attrs))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.note(tag, dict(attrs))
        if tag not in self.VOID:
            self.open.append(tag)
        if re.fullmatch("h[1-6]", tag):
            self.headings.append((int(tag[1]), ""))

    def note(self, tag: str, attrs: dict[str, str | None]) -> None:
        """Remember what an element says of itself."""
        self.ids += [attrs["id"] or ""] if "id" in attrs else []
        self.links += [value or "" for name, value in attrs.items() if name in {"href", "src", "xlink:href"}]
        self.scopes += "scope" in attrs
        self.header_cells += tag == "th"
        self.labels += [attrs.get("aria-label") or ""] if tag == "svg" else []

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "style":
            return
        self.text += data
        if self.open and re.fullmatch("h[1-6]", self.open[-1]):
            level, text = self.headings[-1]
            self.headings[-1] = level, text + data


@pytest.mark.parametrize("table_id", ["LIRB-03", "3CB-1", "COVER-ALL"])
def test_the_page_holds_every_exact_fraction_and_every_convention(table_id: str) -> None:
    page = Page(as_html(report_of(table_id)))
    wagers = sheets(catalog.paytable(table_id))
    assert [] == [one for sheet in wagers for one in fractions_of(sheet) if fraction(one) not in page.text]
    assert [] == [
        line.category for sheet in wagers for line in sheet.lines if f"{line.combinations:,}" not in page.text
    ]
    assert all(text in page.text for text in CONVENTIONS.values())
    assert catalog.paytable(table_id).digest in page.text


def test_the_page_is_whole_and_needs_nothing_from_outside() -> None:
    content = as_html(report_of("LIRB-03"))
    page = Page(content)
    assert page.open == []
    assert not re.search(rb"https?:|//[a-z]|@import|<script|<link", content)
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
    assert len(page.ids) == len(set(page.ids))
    assert page.header_cells == page.scopes > 0
    levels = [level for level, _ in page.headings]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_the_parts_stand_in_order_and_every_picture_says_what_it_shows() -> None:
    report = report_of("LIRX-01")
    page = Page(as_html(report))
    assert [text for level, text in page.headings if level == 2] == [
        "Identification",
        "Rules in brief",
        "Conventions",
        "Base game",
    ]
    assert [text for level, text in page.headings if level == 3] == HEADINGS
    pictures = [one for part in report.sheets[0].wagers[0].parts for one in part.blocks if isinstance(one, Plot)]
    assert [picture.alt for picture in pictures] == page.labels
    assert ["contributions", "spread", "fan"] == [picture.name.partition("-")[0] for picture in pictures]
    assert all(len(picture.alt) > 80 for picture in pictures)
    assert "normal approximation" in pictures[2].alt


def test_the_figures_a_lab_looks_for() -> None:
    text = re.sub(r"\s+", " ", Page(as_html(report_of("LIRX-01"))).text)
    for figure in (
        "3.5057%",  # edge, of one bet
        "1.1686%",  # of three
        "2.8648%",  # of the units left riding
        "8.4850",  # volatility index: 1.645 standard deviations of 5.1581
        "−28.46% to 35.48%",  # 3.5057 ± 196 * 5.15807 / √1,000
        "2.49% to 4.52%",  # and √1,000,000
        "3,003",  # three bets on a royal flush, with the stakes
        "agrees",
    ):
        assert figure in text, figure
    assert "differs" not in text


def test_the_pdf_names_the_table_its_digest_and_its_edge() -> None:
    table = catalog.paytable("LIRB-03")
    made = as_pdf(report_of("LIRB-03"))
    assert made.startswith(b"%PDF-")
    reader = PdfReader(io.BytesIO(made))
    text = "".join(page.extract_text() for page in reader.pages)
    for sheet in sheets(table):
        assert percent(sheet.house_edge) in text
        assert str(sheet.house_edge) in text
    assert table.id in text
    assert table.digest[:12] in text
    assert reader.metadata is not None
    assert reader.metadata.title == "Par sheet LIRB-03: Tens or better, tight"
    assert reader.metadata.creation_date is None
    root: Any = reader.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]  # tagged, so that it can be read aloud
    assert root["/Lang"].startswith("en")


def test_equal_tables_give_equal_bytes_and_a_date_only_where_one_is_given() -> None:
    made = []
    for _ in range(2):
        for draw in (plots.contributions, plots.spread, plots.fan):
            draw.cache_clear()
        report = report_of("3CB-1")
        made.append((as_html(report), as_pdf(report)))
    assert made[0] == made[1]
    dated = report_of("3CB-1", "2025-03-31")
    assert (b"2025-03-31" in as_html(dated), b"2025-03-31" in made[0][0]) == (True, False)
    metadata = PdfReader(io.BytesIO(as_pdf(dated))).metadata
    assert metadata is not None
    assert str(metadata.creation_date).startswith("2025-03-31")


def test_a_fraction_longer_than_its_column_is_broken_and_none_runs_into_another() -> None:
    report = as_pdf(report_of("COVER-ALL"))
    text = "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(report)).pages)
    edge = sheets(catalog.paytable("COVER-ALL"))[-1].house_edge
    assert len(str(edge)) > 50
    assert str(edge) in text.replace("\n", "")
    assert max(len(line) for line in re.findall(r"[\d/]+", text)) <= 22


def test_the_tie_rule_is_told() -> None:
    told = Page(as_html(report_of("LIRX-01", ties="ride"))).text
    assert "rides; the documents' own par figures take it back" in told
    assert "(tie rule: ride)" in told


def test_a_table_of_ones_own_is_not_called_checked_and_its_title_is_only_words(tmp_path: Path) -> None:
    report = report_of(own(tmp_path, "<b>Mine</b> & #strong[yours]"))
    page = as_html(report)
    assert b"<b>" not in page
    assert b"&lt;b&gt;Mine" in page
    assert "not among the published ones" in Page(page).text
    assert "prints no par" in Page(page).text
    text = PdfReader(io.BytesIO(as_pdf(report))).pages[0].extract_text()
    assert "<b>Mine</b> & #strong[yours]" in text


def test_a_title_that_no_font_of_the_pdf_has_is_refused_in_a_sentence(tmp_path: Path) -> None:
    report = report_of(own(tmp_path, "任您玩"))
    assert "任您玩".encode() in as_html(report)
    with pytest.raises(InvalidData, match="characters that the PDF's fonts have"):
        as_pdf(report)


def test_a_maximum_payout_is_a_part_of_its_own() -> None:
    table = catalog.paytable("LIRX-01")
    capped = cap(table.pays["base"], 2_500, 100_000)
    text = Page(as_html(table_report((table, sheets(table)), "withdraw", "", (capped,)))).text
    assert "With a maximum payout" in text
    assert fraction(capped.house_edge) in text
    assert fraction(capped.element_of_risk) in text
