"""Hatch build: builds the page and the documentation into the wheel, and gives the README links that hold elsewhere."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


class WebHook(BuildHookInterface):
    """Builds the page before a wheel, an editable one too, is put together."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build both where they were built from other sources; in a folder of sources one can work without."""
        root = Path(self.root)
        sys.path.insert(0, str(root / "scripts"))
        import web  # noqa: PLC0415 - as docs

        import docs  # noqa: PLC0415 - they lie beside the sources, not in any package

        try:
            web.make(root)
            if version != "editable":  # there 'make docs' builds it, when it is wanted
                docs.make(root, clean=True)  # what was left by an earlier build would stay
                build_data["force_include"][str(docs.site_of(root))] = "letitride/server/site"
        except (docs.NotBuilt, web.NotBuilt) as error:
            if version != "editable":
                raise SystemExit(str(error)) from None
            self.app.display_warning(f"{error}; the server says so on its page")


class ReadmeHook(MetadataHookInterface):
    """Makes the README what a package registry shows: its links lead to the sources of this version."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Write the README into the metadata."""
        root = Path(self.root)
        version = re.findall(r'"(.+)"', (root / "src/letitride/version.py").read_text(encoding="utf-8"))[-1]
        text = (root / "README.md").read_text(encoding="utf-8")
        source = metadata["urls"]["Source"]
        for opening, kind in ((r"(!\[[^]]*\]\()", "raw"), (r"(\]\()", "blob")):
            text = re.sub(opening + r"(?![a-z]+:|#)", rf"\1{source}/{kind}/v{version}/", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
