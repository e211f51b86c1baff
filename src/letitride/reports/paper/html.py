"""HTML: a report as one file that needs no other: style and pictures inside, no script, no address outside."""

from __future__ import annotations

import re
from importlib import resources
from itertools import count

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from letitride.reports.paper.model import Dossier, Plot, Report

_TEMPLATES = resources.files("letitride.reports.paper") / "templates"


def as_html(report: Report | Dossier) -> bytes:
    """Return a report, or the index of an evidence pack, as HTML in UTF-8."""
    numbers = count(1)
    environment = Environment(
        loader=PackageLoader("letitride.reports.paper"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=False,
        keep_trailing_newline=True,
    )
    environment.filters["slashed"] = _slashed
    environment.filters["marked"] = _marked
    environment.filters["inline"] = lambda plot: _inline(plot, next(numbers))
    style = Markup((_TEMPLATES / "report.css").read_text(encoding="utf-8"))  # noqa: S704 - our own file
    text = environment.get_template(f"{report.template}.html.jinja").render(report=report, style=style)
    return re.sub(r"\n{2,}", "\n", text).lstrip().encode()


def _slashed(fraction: str) -> Markup:
    """Return a fraction that may be broken after its stroke."""
    return Markup("/<wbr>").join(escape(part) for part in fraction.split("/"))


def _marked(text: str) -> Markup:
    """Return a text, a digest as such."""
    return Markup("<code>{}</code>").format(text) if re.fullmatch(r"[0-9a-f]{64}", text) else escape(text)


def _inline(plot: Plot, number: int) -> Markup:
    """Return a picture as an element of the page, with ids of its own and its alternative text."""
    body = plot.svg[plot.svg.index("<svg ") :]
    opening, _, rest = body.partition(">")
    view = re.search(r'viewBox="[^"]*"', opening)
    rest = re.sub(r"\s*<metadata>.*?</metadata>", "", rest, flags=re.DOTALL)
    rest = re.sub(r'\bid="', f'id="p{number}-', rest)
    rest = re.sub(r'(?:xlink:)?href="#', f'href="#p{number}-', rest)
    rest = rest.replace("url(#", f"url(#p{number}-").replace('<style type="text/css">*', f"<style>#p{number} *")
    head = f'<svg id="p{number}" role="img" aria-label="{escape(plot.alt)}" {view[0] if view else ""}>'
    return Markup(head + rest)  # noqa: S704 - drawn by us; its words are escaped
