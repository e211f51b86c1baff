"""Lines: what a person writes on one line of a request, without what controls a terminal; never what it says."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import Query

LINE: Final = r"^[^\x00-\x1f\x7f]*$"

Reason = Annotated[str, Query(max_length=500, pattern=LINE)]
"""Why a person acts on another person's account, for the audit log."""
