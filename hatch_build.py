"""Hatch build: puts the page of the house into the wheel, built by scripts/web.py; changes nothing else."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WebHook(BuildHookInterface):
    """Builds the page before a wheel, an editable one too, is put together."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatch's own signature
        """Build the page where it was built from other sources; in a folder of sources one can work without."""
        root = Path(self.root)
        sys.path.insert(0, str(root / "scripts"))
        import web  # noqa: PLC0415 - it lies beside the sources, not in any package

        try:
            web.make(root)
        except web.NotBuilt as error:
            if version != "editable":
                raise SystemExit(str(error)) from None
            self.app.display_warning(f"{error}; the server says so on its page")
