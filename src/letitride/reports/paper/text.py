"""Text: a document as plain text for a terminal or a mail; the same words and figures as on paper."""

from __future__ import annotations

from collections.abc import Iterator

from letitride.reports.paper.model import Block, Dossier, Grid, Text


def as_text(report: Dossier) -> str:
    """Return a document as plain text."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Dossier) -> Iterator[str]:
    yield report.title
    yield "=" * len(report.title)
    yield from (report.subtitle, "", report.verdict, "")
    yield from _columns([[name, said] for name, said in report.identity], (0, 1))
    for part in report.parts:
        yield from ("", part.heading, "-" * len(part.heading))
        for block in part.blocks:
            yield from _block(block)


def _block(block: Block) -> Iterator[str]:
    match block:
        case Grid():
            body = [[cell.text for cell in row] for row in (*block.rows, *((block.foot,) if block.foot else ()))]
            yield from _columns([list(block.columns), *body], block.words)
        case Text():
            yield from (f"- {said}" if block.listed else said for said in block.paragraphs)
        case _:
            return


def _columns(rows: list[list[str]], words: tuple[int, ...]) -> Iterator[str]:
    """Yield rows in columns: words to the left, figures to the right."""
    widths = [max((len(row[place]) for row in rows), default=0) for place in range(len(rows[0]) if rows else 0)]
    for row in rows:
        cells = (
            text.ljust(width) if place in words else text.rjust(width)
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(cells).rstrip()
