"""Survivors: the mutants that no test can notice, each with its reason; a list that may only shrink."""

from __future__ import annotations

from tests.mutation.mutants import ROOT

LIST = ROOT / "tests" / "data" / "surviving-mutants.txt"
MARK = "  # "


def accepted() -> dict[str, str]:
    """Return the reason of each mutant that is accepted as a survivor."""
    rows = [line for line in LIST.read_text(encoding="utf-8").splitlines() if line and not line.startswith("# ")]
    return {name: reason for name, _, reason in (row.rpartition(MARK) for row in rows)}
