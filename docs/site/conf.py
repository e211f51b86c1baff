"""Sphinx: how the site is made of the pages of docs/; what is staged for it is scripts/docs.py's."""

from __future__ import annotations

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from letitride.version import __version__

project = "letitride"
copyright = "the letitride team"  # noqa: A001 - Sphinx's own name
release = __version__
html_title = f"letitride {release}"

extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["site"]
nitpicky = False
myst_heading_anchors = 4
myst_links_external_new_tab = False
suppress_warnings = ["myst.header"]  # a heading may be two levels below the last: README has it so
default_role = "code"  # docstrings quote code as Markdown does
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
python_use_unqualified_type_names = True
add_module_names = False
maximum_signature_line_length = 88

html_math_renderer = "mathml"
html_theme = "furo"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_domain_indices = False
html_show_sphinx = False
html_show_copyright = False
html_last_updated_fmt = None
html_theme_options = {"footer_icons": [], "top_of_page_buttons": []}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"


def inline_math(writer: HTML5Translator, node: nodes.math) -> None:
    """Write a formula as MathML, which browsers set by themselves: no script, no font, no picture."""
    writer.body.append(tex2mathml(node.astext(), as_block=False))
    raise nodes.SkipNode


def block_math(writer: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula that stands by itself."""
    writer.body.append(f'<div class="formula">{tex2mathml(node.astext(), as_block=True)}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Have formulas written as MathML."""
    app.add_html_math_renderer("mathml", inline_renderers=(inline_math, None), block_renderers=(block_math, None))
