"""Model: a report as data, ready to be set; holds words and rounded figures, and knows neither HTML nor PDF."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: a rounded figure or words, and the exact fraction where there is one."""

    text: str
    exact: str = ""
    to: str = ""
    """The anchor it leads to."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; the first column names the rows, and `foot` sums them up."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    foot: tuple[Cell, ...] = ()
    words: tuple[int, ...] = (0,)
    """The columns that hold words; the others hold figures."""
    shares: tuple[int, ...] = ()
    """How the columns share the width: 0 for as wide as its words; none where the last words take the rest."""
    kind: Literal["grid"] = "grid"


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture, with what it shows in words."""

    name: str
    """Of the picture; equal names, equal pictures."""
    caption: str
    alt: str
    svg: str
    kind: Literal["plot"] = "plot"


@dataclass(frozen=True, slots=True)
class Text:
    """Paragraphs under a heading; a list where there is more than one and `listed`."""

    paragraphs: tuple[str, ...]
    listed: bool = False
    kind: Literal["text"] = "text"


Block = Grid | Plot | Text


@dataclass(frozen=True, slots=True)
class Part:
    """A heading and what stands under it."""

    heading: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class WagerPart:
    """Everything about one wager, in parts."""

    anchor: str
    heading: str
    summary: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """One paytable: who it is, and its wagers."""

    anchor: str
    id: str
    title: str
    digest: str
    identity: tuple[tuple[str, str], ...]
    wagers: tuple[WagerPart, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """A document: one sheet, or the catalogue of many."""

    title: str
    subtitle: str
    footer: str
    version: str
    date: str
    """As YYYY-MM-DD, or empty: a report does not know what day it is."""
    catalogue: Grid | None
    rules: tuple[tuple[str, str], ...]
    conventions: tuple[tuple[str, str], ...]
    sheets: tuple[Sheet, ...]
    template: Literal["report"] = "report"


@dataclass(frozen=True, slots=True)
class Dossier:
    """The index of an evidence pack, or a shift report: what it is about, its result, and everything else in parts."""

    title: str
    subtitle: str
    footer: str
    version: str
    date: str
    keywords: tuple[str, ...]
    consistent: bool
    verdict: str
    identity: tuple[tuple[str, str], ...]
    parts: tuple[Part, ...]
    template: Literal["evidence", "shift"] = "evidence"
