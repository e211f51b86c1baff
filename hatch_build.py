"""Hatch build: puts the page and the documentation into the wheel, built by scripts/web.py and scripts/docs.py."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


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
                docs.make(root)
                build_data["force_include"][str(docs.site_of(root))] = "letitride/server/site"
        except (docs.NotBuilt, web.NotBuilt) as error:
            if version != "editable":
                raise SystemExit(str(error)) from None
            self.app.display_warning(f"{error}; the server says so on its page")
