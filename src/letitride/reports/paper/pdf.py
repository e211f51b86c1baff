"""PDF: a report set by Typst with the fonts it carries; tagged, and the same bytes for the same report."""

from __future__ import annotations

import json
from dataclasses import asdict
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import typst

from letitride.errors import InvalidData
from letitride.reports.paper.model import Dossier, Plot, Report

_TEMPLATES = resources.files("letitride.reports.paper") / "templates"


def as_pdf(report: Report | Dossier) -> bytes:
    """Return a report as PDF: for readers of all kinds (PDF/UA), and with a date for the archive too (PDF/A)."""
    standards: Any = ["a-2a", "ua-1"] if report.date else ["ua-1"]
    with TemporaryDirectory(prefix="letitride-") as made_for:
        folder = Path(made_for)
        for plot in _plots(report):
            (folder / f"{plot.name}.svg").write_text(plot.svg, encoding="utf-8")
        (folder / "report.json").write_text(json.dumps(asdict(report), default=str), encoding="utf-8")
        for name in ("paper.typ", f"{report.template}.typ"):
            (folder / name).write_text((_TEMPLATES / name).read_text(encoding="utf-8"), encoding="utf-8")
        try:
            made = typst.compile(
                folder / f"{report.template}.typ",
                root=folder,
                ignore_system_fonts=True,
                format="pdf",
                pdf_standards=standards,
                timestamp=0,
            )
        except typst.TypstError as error:
            if "could not be displayed" not in str(error):
                raise
            raise InvalidData(
                f"expected a title in characters that the PDF's fonts have, got '{report.subtitle}'; --html shows any"
            ) from None
    return made


def _plots(report: Report | Dossier) -> list[Plot]:
    if isinstance(report, Dossier):
        return []
    parts = [part for sheet in report.sheets for wager in sheet.wagers for part in wager.parts]
    return [block for part in parts for block in part.blocks if isinstance(block, Plot)]
