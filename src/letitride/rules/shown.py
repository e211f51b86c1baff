"""Shown: values as a person reads them: text for a shell, HTML for a notebook; it computes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

_STYLE = "text-align:left;padding:.1em .8em .1em 0;vertical-align:top"


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows under the names of their columns."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    folded: bool = False
    """Whether it is long: a notebook folds it, and text leaves it out."""


@dataclass(frozen=True, slots=True)
class Page:
    """What is shown of a value: a title, facts by label, grids."""

    title: str
    facts: tuple[tuple[str, str], ...] = ()
    grids: tuple[Grid, ...] = ()


class Shown:
    """A value that shows itself: one line where it is among others, a page in a shell, HTML in a notebook."""

    __slots__ = ()

    def headline(self) -> str:
        """Return the value in one line."""
        raise NotImplementedError

    def shown(self) -> Page:
        """Return the value as a page."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.headline()}>"

    def __str__(self) -> str:
        return as_text(self.shown())

    def _repr_html_(self) -> str:
        return as_html(self.shown())

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print the page, as IPython asks for it."""
        printer.text(repr(self) if cycle else str(self))


def grid(columns: Iterable[str], rows: Iterable[Iterable[object]], title: str = "", *, folded: bool = False) -> Grid:
    """Return a grid of anything that can be written."""
    return Grid(tuple(columns), tuple(tuple(map(str, row)) for row in rows), title, folded)


def as_text(page: Page) -> str:
    """Return a page as lines of text."""
    return "\n".join(_lines(page))


def _lines(page: Page) -> Iterator[str]:
    yield page.title
    yield from _aligned(page.facts)
    for one in page.grids:
        if one.folded:
            continue
        yield ""
        if one.title:
            yield f"  {one.title}"
        yield from _aligned([one.columns, *one.rows])


def _aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Yield rows as lines, each column as wide as its widest cell."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield ("  " + "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))).rstrip()


def as_html(page: Page) -> str:
    """Return a page as HTML in which every text is escaped."""
    return f"<div><strong>{escape(page.title)}</strong>{''.join(_blocks(page))}</div>"


def _blocks(page: Page) -> Iterator[str]:
    if page.facts:
        rows = "".join(f'<tr><th scope="row" style="{_STYLE}">{escape(a)}</th>{_cell(b)}</tr>' for a, b in page.facts)
        yield f"<table>{rows}</table>"
    for one in page.grids:
        head = "".join(f'<th scope="col" style="{_STYLE}">{escape(name)}</th>' for name in one.columns)
        rows = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in one.rows)
        caption = (
            f'<caption style="text-align:left">{escape(one.title)}</caption>' if one.title and not one.folded else ""
        )
        table = f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
        yield f"<details><summary>{escape(one.title)}</summary>{table}</details>" if one.folded else table


def _cell(text: str) -> str:
    return f'<td style="{_STYLE}">{escape(text)}</td>'
