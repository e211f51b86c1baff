"""Paytables of a house's own for the tests: a base paytable as a file has it, like a published one but for some pays."""

from __future__ import annotations

from letitride.rules.wager_table import PUBLISHED

NAMES = [category.name.lower() for category in PUBLISHED["base"].paying]
PAYS = (1000, 200, 50, 11, 8, 5, 3, 2, 1)


def base_paytable(
    name: str = "OWN", title: str = "A house's own", pays: tuple[int, ...] = PAYS, **changed: int | str | None
) -> str:
    """Return the text of a base paytable; a pay of None is not listed, and '3/2' is a fraction."""
    listed = {**dict(zip(NAMES, pays, strict=True)), **changed}
    lines = [f'id = "{name}"', f'title = "{title}"', "[base]", 'award = "to_one"', "[base.pays]"]
    written = {
        hand: f'"{pay}"' if isinstance(pay, str) else str(pay) for hand, pay in listed.items() if pay is not None
    }
    return "\n".join([*lines, *(f"{hand} = {pay}" for hand, pay in written.items()), ""])
